"""The operator that writes edited hitboxes into bonebox.toml."""

import bpy

from . import bake, hitbox_objects, settings_file, store
from .active import armature_of
from .library import library


def edit_file(module, character, baked, name, edits):
    """Writes the edits, and returns the path and the notes of the module."""
    path = settings_file.path_of(character)
    above = settings_file.above(module, character)
    text, notes = module.edit_settings(settings_file.read(character), baked, edits, character=name, above=above)
    settings_file.write(path, text)
    return path, notes


class BONEBOX_OT_save(bpy.types.Operator):
    """Write edited hitboxes into bonebox.toml. All other lines of the file stay"""

    bl_idname = "bonebox.save"
    bl_label = "Save"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        armature = armature_of(context)
        return armature is not None and bool(armature.bonebox_character.baked)

    def execute(self, context):
        armature = armature_of(context)
        character = armature.bonebox_character
        try:
            module = library()
            baked = store.last(module, character)
            edits = hitbox_objects.edits_of(module, armature, baked)
            if not edits:
                self.report({"INFO"}, "No hitbox differs from the last bake; nothing was written")
                return {"CANCELLED"}
            path, notes = edit_file(module, character, baked, settings_file.name_of(armature), edits)
            # The objects show what the file has now, with the rounding of the file.
            bake.run(context, armature, keep_edits=False)
        except Exception as error:
            return bake.failed(self, error)
        for note in notes:
            self.report({"WARNING"}, note)
        joints = ", ".join(edits)
        self.report({"INFO"}, f"{path}: {joints}")
        return {"FINISHED"}


def register():
    bpy.utils.register_class(BONEBOX_OT_save)


def unregister():
    bpy.utils.unregister_class(BONEBOX_OT_save)
