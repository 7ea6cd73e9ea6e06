"""Makes the edit of crates/bake-settings/tests/one-edit by numbers, as in Blender's sidebar: `python one_edit.py bonebox.zip CHARACTER.glb BEFORE.toml AFTER.toml`."""

import os
import shutil
import sys

import bpy
from driver import check, enable, finished, load


def main(zip_file, character, before, after):
    enable(zip_file)
    armature = load(character, 1.0)
    shutil.copyfile(before, "bonebox.toml")
    finished(bpy.ops.bonebox.bake(), "bake")
    head = next(one for one in armature.bonebox_character.collection.objects if one.parent_bone == "head")
    head.location, head.scale = (0.0, 0.15, 0.02), (0.15, 0.12, 0.13)
    head.rotation_quaternion = (1.0, 0.0, 0.0, 0.0)
    head.bonebox_hitbox.tags = "crown"
    finished(bpy.ops.bonebox.save(), "save")
    saved, expected = (open(name, encoding="utf-8").read() for name in ("bonebox.toml", after))
    check(saved == expected, f"the edit of `one-edit` gives another text:\n{saved}")
    print("the edit of `one-edit` gives the same file")


main(*sys.argv[1:])
# The module of Blender 4.2 crashes when Python frees it at the end.
sys.stdout.flush()
os._exit(0)
