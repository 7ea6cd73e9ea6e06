"""Goes to the frame and the bone of an escape."""

import bpy

from . import clips
from .active import armature_of


def select_bone(armature, joint):
    """Makes a bone the active and only selected one."""
    bone = armature.data.bones.get(joint)
    if bone is None:
        return
    for one in armature.pose.bones:
        # Blender 5.0 moved the selection from bones to pose bones.
        target = one if hasattr(one, "select") else one.bone
        target.select = one.name == joint
    armature.data.bones.active = bone


def go(scene, armature, escape):
    """Shows an escape. Returns a sentence if no action has the name of its clip."""
    select_bone(armature, escape.joint)
    if not escape.clip:
        return None
    if clips.show(scene, armature, escape.clip, escape.seconds):
        return None
    return f"No action has the name {escape.clip!r}; bake again"


def jump_to_escape(character):
    """Called when the active row of the list changes."""
    if 0 <= character.active_escape < len(character.escapes):
        go(bpy.context.scene, character.id_data, character.escapes[character.active_escape])


class BONEBOX_OT_jump(bpy.types.Operator):
    """Go to the frame and the bone of the escape"""

    bl_idname = "bonebox.jump"
    bl_label = "Show Escape"
    bl_options = {"REGISTER", "UNDO"}

    index: bpy.props.IntProperty(default=-1, description="The row; -1 for the active one")

    @classmethod
    def poll(cls, context):
        armature = armature_of(context)
        return armature is not None and len(armature.bonebox_character.escapes) > 0

    def execute(self, context):
        armature = armature_of(context)
        character = armature.bonebox_character
        index = character.active_escape if self.index < 0 else self.index
        if not 0 <= index < len(character.escapes):
            self.report({"ERROR"}, f"There is no escape {index}; the list has {len(character.escapes)}")
            return {"CANCELLED"}
        problem = go(context.scene, armature, character.escapes[index])
        if problem:
            self.report({"WARNING"}, problem)
        return {"FINISHED"}


def register():
    bpy.utils.register_class(BONEBOX_OT_jump)


def unregister():
    bpy.utils.unregister_class(BONEBOX_OT_jump)
