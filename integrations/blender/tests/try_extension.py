"""Uses the extension as an artist does, without a window: `python try_extension.py bonebox.zip CHARACTER.glb SETTINGS.toml SCALE`.

Blender's resources go into the folder that BLENDER_USER_RESOURCES names, and the work into the current folder. SCALE is the scale of the
armature object. The last line that the program prints has figures, as JSON.
"""

import base64
import json
import os
import shutil
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


def registered():
    """Everything that an add-on can leave behind."""
    classes = {name for name in dir(bpy.types) if "BONEBOX" in name.upper()}
    properties = {f"{owner.__name__}.{name}" for owner in (bpy.types.Object, bpy.types.Scene, bpy.types.WindowManager)
                  for name in dir(owner) if "bonebox" in name}
    handlers = {f"{name}: {one}" for name in dir(bpy.app.handlers) for one in _listed(getattr(bpy.app.handlers, name))
                if "bonebox" in getattr(one, "__module__", "")}
    operators = {name for name in dir(bpy.ops.bonebox)}
    modules = {name for name in sys.modules if name.startswith(MODULE + ".")}
    return classes | properties | handlers | operators | modules


def _listed(value):
    return value if isinstance(value, list) else []


def enable(zip_file):
    finished(
        bpy.ops.extensions.package_install_files(filepath=zip_file, repo="user_default", enable_on_install=True), "install"
    )
    check(MODULE in bpy.context.preferences.addons, "the extension is not enabled")
    check(addon_utils.check(MODULE) == (True, True), "the extension is not loaded")


def load(character, scale):
    """Imports the character into a new .blend file in the current folder, and returns its armature."""
    for one in list(bpy.data.objects):
        bpy.data.objects.remove(one)
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


def size_of(corners):
    places = [place for _, of_one in corners for place in of_one]
    return max(max(place[axis] for place in places) - min(place[axis] for place in places) for axis in range(3))


def worst_distance(armature, clips, steps):
    """The largest distance of a corner in Blender from its place in the run time, as a share of the size."""
    baked = last_bake(armature)
    scene = bpy.context.scene
    rate = scene.render.fps / scene.render.fps_base
    worst = 0.0
    for clip in clips:
        action = bpy.data.actions[clip]
        armature.animation_data.action = action
        # In a clip, bones that the action does not move are at rest.
        for bone in armature.pose.bones:
            bone.matrix_basis.identity()
        first, last = (round(frame) for frame in action.frame_range)
        for step in range(steps):
            frame = first + (last - first) * step // (steps - 1)
            scene.frame_set(frame)
            expected = posed_corners(baked, clip, frame / rate)
            size = size_of(expected)
            by_joint = {}
            for made in armature.bonebox_character.collection.objects:
                found = [made.matrix_world @ corner for corner in CORNERS]
                by_joint.setdefault(made.parent_bone, []).append(found)
            for joint, corners in expected:
                distances = [max((a - b).length for a, b in zip(corners, found)) for found in by_joint[joint]]
                worst = max(worst, min(distances) / size)
    return worst


def hitbox_of(armature, joint):
    found = [one for one in armature.bonebox_character.collection.objects if one.parent_bone == joint]
    check(len(found) == 1, f"{joint} has {len(found)} hitboxes")
    return found[0]


def main(zip_file, character, settings, scale):
    scale = float(scale)
    before = registered()
    enable(zip_file)
    check(registered() - before, "the extension registered nothing")
    armature = load(character, scale)
    name = armature.name
    shutil.copyfile(settings, "bonebox.toml")
    objects = lambda: {one.name for one in bpy.data.objects if one.bonebox_hitbox.is_hitbox}

    # Bake, with undo and redo.
    bpy.ops.ed.undo_push(message="before the bake")
    finished(bpy.ops.bonebox.bake("EXEC_DEFAULT", True), "bake")
    made = objects()
    check(made, "the bake made no hitboxes")
    bpy.ops.ed.undo()
    check(not objects() and not bpy.data.objects[name].bonebox_character.baked, "undo left hitboxes")
    bpy.ops.ed.redo()
    armature = bpy.data.objects[name]
    check(objects() == made, "redo did not bring the hitboxes back")
    collection = armature.bonebox_character.collection
    check(collection.name == f"Bonebox {armature.bonebox_character.name}", f"the collection is {collection.name}")
    check(len({tuple(one.color) for one in collection.objects}) > 1, "all hitboxes have one color")

    # Hitboxes follow the bones.
    worst = worst_distance(armature, ["jab", "walk"], 9)
    check(worst < 1e-4, f"a corner is {worst} of the size from its place in the run time")

    # Escapes and attacks.
    escapes = armature.bonebox_character.escapes
    check(len(escapes) > 3 and escapes[0].share >= escapes[1].share, "the list of escapes is too short or not sorted")
    moving = next(index for index, one in enumerate(escapes) if one.clip)
    finished(bpy.ops.bonebox.jump(index=moving), "jump")
    scene = bpy.context.scene
    rate = scene.render.fps / scene.render.fps_base
    at = (scene.frame_current + scene.frame_subframe) / rate
    check(abs(at - escapes[moving].seconds) < 1e-3, f"the frame is at {at} s, not at {escapes[moving].seconds} s")
    check(armature.data.bones.active.name == escapes[moving].joint, "another bone is active")
    check(armature.animation_data.action.name == escapes[moving].clip, "another action plays")
    armature.animation_data.action = bpy.data.actions["jab"]
    finished(bpy.ops.bonebox.attacks(), "attacks")
    markers = {marker.name: marker.frame for marker in scene.timeline_markers}
    check(len(markers) >= 2, f"the attacks of jab have the markers {markers}")

    # An edit survives another bake, and is saved.
    check(bpy.ops.bonebox.save() == {"CANCELLED"}, "save wrote something without an edit")
    text = open("bonebox.toml", encoding="utf-8").read()
    head = hitbox_of(armature, "head")
    center, half = head.location.copy(), head.scale.copy()
    # Lengths are those of the joint, which the scale of the armature does not change.
    head.location.y += half.y
    head.scale.x *= 2.0
    hand = hitbox_of(armature, "hand_l")
    copy = hand.copy()
    copy.data = hand.data.copy()
    collection.objects.link(copy)
    copy.location.x += 3 * hand.scale.x
    bpy.data.objects.remove(hitbox_of(armature, "hand_r"))
    finished(bpy.ops.bonebox.bake(), "bake again")
    head = hitbox_of(armature, "head")
    check(abs(head.location.y - center.y - half.y) < 1e-5 * half.length, "the second bake lost the edit")
    bpy.ops.ed.undo_push(message="before the save")
    finished(bpy.ops.bonebox.save("EXEC_DEFAULT", True), "save")
    saved = open("bonebox.toml", encoding="utf-8").read()
    check(all(line in saved for line in text.splitlines()), "save changed other lines")
    baked = last_bake(armature)
    one = [one for one in baked.hitboxes if one.joint == "head"]
    check(len(one) == 1, "the head has no single hitbox")
    places = [abs(a - b) for a, b in zip(one[0].center, (center.x, center.y + half.y, center.z))]
    sizes = [abs(a - b) for a, b in zip(one[0].half_extents, (2 * half.x, half.y, half.z))]
    check(max(places + sizes) < 1e-4 * half.length, f"the bake after the save has {one[0]}")
    count = lambda joint: sum(one.joint == joint for one in last_bake(armature).hitboxes)
    check((count("hand_l"), count("hand_r")) == (2, 0), "the copied or the deleted hitbox is wrong")
    finished(bpy.ops.bonebox.bake(), "bake after save")
    check(bpy.ops.bonebox.save() == {"CANCELLED"}, "the bake after the save differs from the file")
    worst = max(worst, worst_distance(armature, ["jab"], 5))
    check(worst < 1e-4, f"after the save, a corner is {worst} of the size from its place in the run time")

    # Reset, one and all.
    for one in bpy.data.objects:
        one.select_set(False)
    hitbox_of(armature, "head").select_set(True)
    finished(bpy.ops.bonebox.reset(), "reset")
    head = hitbox_of(armature, "head")
    check((head.location - center).length < 1e-6 * half.length, "reset did not bring the head back")
    check(count("hand_r") == 0, "reset of the head reset a hand")
    finished(bpy.ops.bonebox.reset_all(), "reset all")
    check((count("hand_l"), count("hand_r")) == (1, 1), "reset all left edits")
    check(open("bonebox.toml", encoding="utf-8").read() == text, "an edit that was taken back leaves traces in the file")

    # Other shapes come back without an edit, and an edit of the panel is an edit.
    for shape in ("capsule", "auto", "hull"):
        armature.bonebox_character.shape = shape
        finished(bpy.ops.bonebox.bake(), f"bake with {shape}")
        check(bpy.ops.bonebox.save() == {"CANCELLED"}, f"{shape}: save wrote something without an edit")
    armature.bonebox_character.shape = "FILE"
    finished(bpy.ops.bonebox.bake(), "bake with boxes")
    thigh = hitbox_of(armature, "thigh_l")
    lines, color = len(thigh.data.edges), tuple(thigh.color)
    thigh.scale = [max(thigh.scale)] * 3
    thigh.bonebox_hitbox.shape, thigh.bonebox_hitbox.tags = "sphere", "hurt, weak"
    check(len(thigh.data.edges) > lines and tuple(thigh.color) != color, "another shape has the same lines, or another tag the same color")
    finished(bpy.ops.bonebox.save(), "save a sphere")
    found = next(one for one in last_bake(armature).hitboxes if one.joint == "thigh_l")
    check(found.shape == "sphere" and "weak" in found.tags, f"the sphere was saved as {found}")
    finished(bpy.ops.bonebox.reset_all(), "reset the sphere")

    # Mistakes get sentences, not tracebacks.
    for option, value in (("options", "margin"), ("options", "marjin = 1"), ("settings_path", "/nowhere/bonebox.toml")):
        setattr(armature.bonebox_character, option, value)
        head = hitbox_of(armature, "head")
        head.location.y += half.y
        act = bpy.ops.bonebox.save if option == "settings_path" else bpy.ops.bonebox.bake
        try:
            act()
            sys.exit(f"FAILED: {value!r} gave no error")
        except RuntimeError as error:
            check(str(error).startswith("Error:") and "Traceback" not in str(error), f"{value!r} gave {error}")
        setattr(armature.bonebox_character, option, "")

    addon_utils.disable(MODULE, default_set=True)
    left = registered() - before
    check(not left, f"disabling left {sorted(left)}")
    print(json.dumps({"blender": bpy.app.version_string, "boxes": len(made), "worst": worst}))


main(*sys.argv[1:])
