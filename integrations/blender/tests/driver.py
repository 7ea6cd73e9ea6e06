"""What the tests do in Blender: install the extension, load characters, and compare hitboxes with the run time."""

import base64
import math
import os
import sys

import bpy

# Blender's own modules are found once `bpy` is loaded.
import addon_utils
from mathutils import Matrix, Quaternion, Vector

MODULE = "bl_ext.user_default.bonebox"

# Columns turn glTF's axes into Blender's.
BLENDER_FROM_GLTF = Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))

CORNERS = [Vector((x, y, z)) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]


def check(condition, sentence):
    if not condition:
        sys.exit(f"FAILED: {sentence}")


def finished(result, sentence):
    check(result == {"FINISHED"}, f"{sentence}: {result}")


def enable(zip_file):
    finished(
        bpy.ops.extensions.package_install_files(filepath=zip_file, repo="user_default", enable_on_install=True), "install"
    )
    check(MODULE in bpy.context.preferences.addons, "the extension is not enabled")
    check(addon_utils.check(MODULE) == (True, True), "the extension is not loaded")


def load(character, scale):
    """Imports the character into a new .blend file in the current folder, and returns its armature."""
    bpy.ops.wm.read_homefile(use_empty=True, load_ui=False)
    bpy.ops.import_scene.gltf(filepath=character)
    armature = next(one for one in bpy.data.objects if one.type == "ARMATURE")
    armature.scale = [part * scale for part in armature.scale]
    bpy.context.view_layer.objects.active = armature
    name = os.path.splitext(os.path.basename(character))[0]
    bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(f"{name}.blend"))
    return armature


def last_bake(armature):
    # The module comes with the extension.
    import bonebox

    return bonebox.load(base64.b64decode(armature.bonebox_character.baked))


def posed_corners(baked, clip, seconds):
    """The corners of the run time's hitboxes, in Blender's axes, and the names of their joints."""
    matrices = baked.joint_matrices(clip, seconds)
    corners = []
    joints = baked.joints
    for one in baked.hitboxes:
        model_from_joint = Matrix([list(map(float, row)) for row in matrices[joints.index(one.joint)]])
        x, y, z, w = one.orientation
        joint_from_box = Matrix.LocRotScale(Vector(one.center), Quaternion((w, x, y, z)), Vector(one.half_extents))
        matrix = BLENDER_FROM_GLTF @ model_from_joint @ joint_from_box
        corners.append((one.joint, [matrix @ corner for corner in CORNERS]))
    return corners


def action_of(armature, clip):
    """The action of a clip, which Blender 4.2 gives another name."""
    tracks = armature.animation_data.nla_tracks
    by_track = {track.name: track.strips[0].action for track in tracks}
    return bpy.data.actions.get(clip) or by_track[clip]


def size_of(corners):
    places = [place for _, of_one in corners for place in of_one]
    return max(max(place[axis] for place in places) - min(place[axis] for place in places) for axis in range(3))


def worst_distance(armature, clips, steps):
    """The largest distance of a corner in Blender from its place in the run time, at rest and in clips, as a share of the size."""
    baked = last_bake(armature)
    scene = bpy.context.scene
    rate = scene.render.fps / scene.render.fps_base
    show(armature, None, scene.frame_current)
    worst = distance(armature, posed_corners(baked, None, 0.0))
    for clip in clips:
        action = action_of(armature, clip)
        # Blender's exporter leaves out the part of a frame at the end of an action.
        first, last = math.ceil(action.frame_range[0]), math.floor(action.frame_range[1])
        for step in range(steps):
            frame = first + (last - first) * step // (steps - 1)
            show(armature, action, frame)
            worst = max(worst, distance(armature, posed_corners(baked, clip, frame / rate)))
    return worst


def show(armature, action, frame):
    """Shows a frame of an action, or the rest pose without an action. Bones that the action does not move are at rest."""
    if armature.animation_data:
        armature.animation_data.action = action
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()
    bpy.context.scene.frame_set(frame)


def distance(armature, expected):
    """The largest distance of a corner of an object from the expected corners, as a share of the size."""
    by_joint = {}
    for made in armature.bonebox_character.collection.objects:
        by_joint.setdefault(made.parent_bone, []).append([made.matrix_world @ corner for corner in CORNERS])
    worst = 0.0
    for joint, corners in expected:
        # Blender's exporter adds a joint `neutral_bone` for vertices without weights.
        if joint in armature.data.bones:
            worst = max(worst, min(max((a - b).length for a, b in zip(corners, found)) for found in by_joint[joint]))
    return worst / size_of(expected)
