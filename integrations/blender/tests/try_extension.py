"""Uses the extension as an artist does, without a window: `python try_extension.py bonebox.zip CHARACTER.glb SETTINGS.toml SCALE`.

Blender's resources go into the folder that BLENDER_USER_RESOURCES names, and the work into the current folder. SCALE is the scale of the
armature object. The last line that the program prints has figures, as JSON.
"""

import json
import os
import shutil
import sys

import bpy
from driver import MODULE, action_of, addon_utils, check, enable, finished, last_bake, load, worst_distance
from drawn import draw


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


def hitbox_of(armature, joint):
    found = [one for one in armature.bonebox_character.collection.objects if one.parent_bone == joint]
    check(len(found) == 1, f"{joint} has {len(found)} hitboxes")
    return found[0]


def edited_in_python(text, baked):
    """The text of bonebox.toml after the edits of `main`, without Blender."""
    # The module comes with the extension.
    import bonebox

    def hitbox(joint):
        return next(one for one in baked.hitboxes if one.joint == joint)

    def changed(one, center, half_extents):
        facts = {"shape": one.shape, "role": one.role, "tags": one.tags}
        return bonebox.Hitbox(center, half_extents, one.orientation, **facts)

    head, hand = hitbox("head"), hitbox("hand_l")
    (x, y, z), (hx, hy, hz) = head.center, head.half_extents
    moved = changed(head, (x, y + hy, z), (2 * hx, hy, hz))
    (x, y, z), half = hand.center, hand.half_extents
    edits = {"head": [moved], "hand_l": [hand, changed(hand, (x + 3 * half[0], y, z), half)], "hand_r": []}
    return bonebox.edit_settings(text, baked, edits)[0]


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

    # The panels, for the armature and for a hitbox.
    check("bonebox.bake" in draw("BONEBOX_PT_main") and draw("BONEBOX_PT_hitbox") is None, "the panel of an armature is wrong")
    check(any("Skin inside over clips: 9" in text for text in draw("BONEBOX_PT_coverage")), "the panel has no coverage")
    bpy.context.view_layer.objects.active = hitbox_of(armature, "head")
    check("bonebox.save" in draw("BONEBOX_PT_main") and "tags" in draw("BONEBOX_PT_hitbox"), "the panel of a hitbox is wrong")
    bpy.context.view_layer.objects.active = armature

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
    check(armature.animation_data.action == action_of(armature, escapes[moving].clip), "another action plays")
    armature.animation_data.action = action_of(armature, "jab")
    finished(bpy.ops.bonebox.attacks(), "attacks")
    markers = {marker.name: marker.frame for marker in scene.timeline_markers}
    # The fist and the arm, a marker at each end.
    check(len(markers) >= 4, f"the attacks of jab have the markers {markers}")

    # An edit survives another bake, and is saved.
    check(bpy.ops.bonebox.save() == {"CANCELLED"}, "save wrote something without an edit")
    text = open("bonebox.toml", encoding="utf-8").read()
    unedited = last_bake(armature)
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
    check(saved == edited_in_python(text, unedited), "the same edit in Python gives another text")
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

    # The files of parent folders apply too, and are not changed.
    os.makedirs("above/deep")
    above = "root = true\n[joints.head]\nskip = true\n"
    with open("above/bonebox.toml", "w", encoding="utf-8") as file:
        file.write(above)
    armature.bonebox_character.settings_path = os.path.abspath("above/deep")
    finished(bpy.ops.bonebox.bake(), "bake with a file above")
    check(not [one for one in last_bake(armature).hitboxes if one.joint == "head"], "the file above did not apply")
    hitbox_of(armature, "thigh_l").location.y += 0.01
    finished(bpy.ops.bonebox.save(), "save below a file")
    saved = [open(place, encoding="utf-8").read() for place in ("above/bonebox.toml", "above/deep/bonebox.toml")]
    check(saved[0] == above and "thigh_l" in saved[1] and "head" not in saved[1], f"the files are {saved}")
    try:
        bpy.ops.bonebox.reset_all()
        sys.exit("FAILED: the file above would still leave the head without hitboxes")
    except RuntimeError as error:
        check("of a bonebox.toml in a parent folder has `skip = true`" in str(error), f"the error is {error}")
    armature.bonebox_character.settings_path = ""
    finished(bpy.ops.bonebox.bake(), "bake without the file above")
    finished(bpy.ops.bonebox.reset_all(), "reset all")

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
# The module of Blender 4.2 crashes when Python frees it at the end.
sys.stdout.flush()
os._exit(0)
