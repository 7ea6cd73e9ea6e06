"""Clips of a bake and actions of Blender: their names, and times as frames."""

import bpy


def action_of(armature, clip):
    """The action with the name of a clip, or of the track that has the name. None if there is none."""
    if action := bpy.data.actions.get(clip):
        return action
    tracks = armature.animation_data.nla_tracks if armature.animation_data else []
    return next((strip.action for track in tracks if track.name == clip for strip in track.strips if strip.action), None)


def clip_of(armature, baked):
    """The clip of the active action in a bake: it has the name of the action, or of a track with the action (Blender 4.2 adds the
    armature's name to actions). The action's name if the bake has no such clip, and None without an action."""
    data = armature.animation_data
    if not data or not data.action:
        return None
    action = data.action
    tracks = [track.name for track in data.nla_tracks if any(strip.action == action for strip in track.strips)]
    clips = {clip.name for clip in baked.clips}
    return next((name for name in [action.name, *tracks] if name in clips), action.name)


def frame_of(scene, action, seconds):
    """The frame at a time of a clip, as a number with a fraction. Blender's exporter writes frames as times, and moves actions that
    start before frame 0."""
    start = min(0.0, action.frame_range[0]) if action else 0.0
    return start + seconds * scene.render.fps / scene.render.fps_base


def show(scene, armature, clip, seconds):
    """Makes the armature play a clip, and goes to a time of it. Returns false if no action has the clip's name."""
    action = action_of(armature, clip)
    if action is None:
        return False
    data = armature.animation_data or armature.animation_data_create()
    # A bone that the action does not move would keep the pose that it has now. In a clip, it is at rest.
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()
    data.action = action
    # Since Blender 4.4, an action has slots, and the right one is not always chosen.
    if hasattr(data, "action_slot") and data.action_slot is None and len(data.action_suitable_slots):
        data.action_slot = data.action_suitable_slots[0]
    frame = frame_of(scene, action, seconds)
    whole = int(frame // 1)
    scene.frame_set(whole, subframe=frame - whole)
    return True
