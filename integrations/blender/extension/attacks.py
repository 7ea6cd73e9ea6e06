"""Attack windows of the active action as markers of the timeline."""

import bpy

from . import bake, clips, store
from .active import armature_of
from .library import library

#: The start of the names of our markers.
PREFIX = "bb:"


def windows_of(baked, clip):
    """Names of markers and their seconds: where attacks of a clip begin and end."""
    found = []
    for attack in baked.to_dict().get("attacks", []):
        if attack["clip"] == clip:
            for begin, end in attack["active"]:
                found += [(f"{PREFIX}{attack['name']} ▸", begin), (f"{PREFIX}{attack['name']} ◂", end)]
    return found


class BONEBOX_OT_attacks(bpy.types.Operator):
    """Show the attack windows of the active action as markers. Markers of an earlier action are removed"""

    bl_idname = "bonebox.attacks"
    bl_label = "Attack Markers"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        armature = armature_of(context)
        return armature is not None and bool(armature.bonebox_character.baked)

    def execute(self, context):
        armature = armature_of(context)
        try:
            baked = store.last(library(), armature.bonebox_character)
        except Exception as error:
            return bake.failed(self, error)
        clip = clips.clip_of(armature, baked)
        if clip is None:
            self.report({"ERROR"}, f"{armature.name!r} has no active action")
            return {"CANCELLED"}
        markers = context.scene.timeline_markers
        for marker in [marker for marker in markers if marker.name.startswith(PREFIX)]:
            markers.remove(marker)
        action = armature.animation_data.action
        windows = windows_of(baked, clip)
        for name, seconds in windows:
            markers.new(name, frame=round(clips.frame_of(context.scene, action, seconds)))
        self.report({"INFO"}, f"{len(windows) // 2} attack windows in {clip}")
        return {"FINISHED"}


def register():
    bpy.utils.register_class(BONEBOX_OT_attacks)


def unregister():
    bpy.utils.unregister_class(BONEBOX_OT_attacks)
