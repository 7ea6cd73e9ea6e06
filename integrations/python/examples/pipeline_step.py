"""A step of an asset pipeline: bakes every character of a folder, and fails if one covers too little of its skin.

    python pipeline_step.py characters/ baked/ --usd
"""

from __future__ import annotations

import sys
from pathlib import Path

import bonebox


def bake_folder(folder: Path, out: Path, least: float = 0.95, usd: bool = False) -> "list[str]":
    """Bake the characters of a folder into another one. Returns a sentence for each that should not ship."""
    problems = []
    for path in sorted(path for path in folder.rglob("*") if path.suffix in (".glb", ".gltf", ".vrm")):
        try:
            bake = bonebox.bake(path, "cover", out=out / path.parent.relative_to(folder))
            covered = bake.coverage.rest if bake.coverage else 0.0
            if covered < least:
                problems.append(f"{path}: the hitboxes cover {covered:.2%} of the skin, expected {least:.0%}")
            if usd:
                ragdoll = bonebox.bake(path, "cover", settings_text="[ragdoll]\nmass = 75\n", measure="none")
                (out / path.relative_to(folder)).with_suffix(".usda").write_bytes(ragdoll.export("usda"))
        except bonebox.Error as error:
            problems.append(str(error))
    return problems


if __name__ == "__main__":
    found = bake_folder(Path(sys.argv[1]), Path(sys.argv[2]), usd="--usd" in sys.argv)
    print("\n".join(found), file=sys.stderr)
    sys.exit(bool(found))
