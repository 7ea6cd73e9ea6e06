"""The operators that bring fitted hitboxes back."""

import bpy

from . import bake, hitbox_objects, settings_file, store
from .active import armature_of
from .library import library
from .save import edit_file


def reset(context, armature, joints):
    """Drops the edits of joints, and takes their manual hitboxes out of bonebox.toml."""
    module = library()
    character = armature.bonebox_character
    text = settings_file.read(character)
    if text:
        baked, name = store.last(module, character), settings_file.name_of(armature)
        above = settings_file.above(module, character)
        edited, _ = module.edit_settings(text, baked, {joint: None for joint in joints}, character=name, above=above)
        if edited != text:
            settings_file.write(settings_file.path_of(character), edited)
    bake.run(context, armature, forget=joints)


def joints_of(module, armature):
    """All joints that have, had or can have hitboxes."""
    baked = store.last(module, armature.bonebox_character)
    return [joint for joint in baked.joints if joint in armature.data.bones]


class _Reset:
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        armature = armature_of(context)
        return armature is not None and bool(armature.bonebox_character.baked)

    def execute(self, context):
        armature = armature_of(context)
        try:
            joints = self.joints(context, armature)
            if not joints:
                self.report({"ERROR"}, "Select a hitbox, or a bone in pose mode")
                return {"CANCELLED"}
            reset(context, armature, joints)
        except Exception as error:
            return bake.failed(self, error)
        self.report({"INFO"}, f"{len(joints)} joints have their fitted hitboxes")
        return {"FINISHED"}


class BONEBOX_OT_reset(_Reset, bpy.types.Operator):
    """Bring the fitted hitboxes of the selected joints back, also in bonebox.toml"""

    bl_idname = "bonebox.reset"
    bl_label = "Reset Selected"

    def joints(self, context, armature):
        ours = set(hitbox_objects.objects_of(armature))
        found = {one.parent_bone for one in context.selected_objects if one in ours and one.parent_bone}
        if context.mode == "POSE":
            found |= {bone.name for bone in context.selected_pose_bones or []}
        return sorted(found)


class BONEBOX_OT_reset_all(_Reset, bpy.types.Operator):
    """Bring all fitted hitboxes back, also in bonebox.toml"""

    bl_idname = "bonebox.reset_all"
    bl_label = "Reset All"

    def invoke(self, context, event):
        return context.window_manager.invoke_confirm(self, event)

    def joints(self, context, armature):
        return joints_of(library(), armature)


_CLASSES = (BONEBOX_OT_reset, BONEBOX_OT_reset_all)


def register():
    for one in _CLASSES:
        bpy.utils.register_class(one)


def unregister():
    for one in reversed(_CLASSES):
        bpy.utils.unregister_class(one)
