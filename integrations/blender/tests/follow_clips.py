"""Bakes characters with the extension, and compares the hitboxes with the run time: `python follow_clips.py bonebox.zip CHARACTER.glb…`.

Prints one line of JSON for each character.
"""

import json
import os
import sys

import bpy
from driver import enable, finished, last_bake, load, worst_distance

#: Clips of each character, and poses of each clip.
CLIPS, POSES = 4, 5


def main(zip_file, *characters):
    enable(zip_file)
    for character in characters:
        armature = load(character, 1.0)
        # The exporter would write the pose of this moment into the first clip, if the extension did not prevent this.
        bpy.context.scene.frame_set(7)
        finished(bpy.ops.bonebox.bake(), f"bake {character}")
        baked = last_bake(armature)
        clips = [clip.name for clip in baked.clips][:CLIPS]
        worst = worst_distance(armature, clips, POSES)
        scale = round(max(armature.scale), 6)
        name = os.path.basename(character)
        print(json.dumps({"name": name, "scale": scale, "boxes": len(baked.hitboxes), "clips": len(clips), "worst": worst}))
        check_no_edit(name)


def check_no_edit(name):
    """A bake without an edit must not look like an edit."""
    if bpy.ops.bonebox.save() != {"CANCELLED"}:
        sys.exit(f"FAILED: {name}: save wrote something without an edit")


main(*sys.argv[1:])
# The module of Blender 4.2 crashes when Python frees it at the end.
sys.stdout.flush()
os._exit(0)
