"""Packs the extension: `python pack.py OUT.zip WHEEL.whl…`, one wheel for each system. The same files give the same bytes."""

import os
import re
import sys
import zipfile

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "extension")

#: The system of a wheel as Blender names it, by the end of the wheel's name.
PLATFORMS = (
    (r"linux.*_x86_64", "linux-x64"),
    (r"linux.*_aarch64", "linux-arm64"),
    (r"win_amd64", "windows-x64"),
    (r"win_arm64", "windows-arm64"),
    (r"macosx.*_arm64", "macos-arm64"),
    (r"macosx.*_x86_64", "macos-x64"),
)


def platform_of(wheel):
    tag = os.path.basename(wheel).removesuffix(".whl").split("-")[-1]
    found = [name for pattern, name in PLATFORMS if re.search(pattern, tag)]
    if not found:
        sys.exit(f"{wheel}: Blender has no system for the tag {tag!r}")
    return found[0]


def manifest(wheels):
    """The text of the manifest with the wheels and their systems."""
    with open(os.path.join(FOLDER, "blender_manifest.toml"), encoding="utf-8") as file:
        text = file.read()
    names = ", ".join(f'"./wheels/{os.path.basename(wheel)}"' for wheel in wheels)
    platforms = ", ".join(f'"{name}"' for name in sorted(set(map(platform_of, wheels))))
    filled = text.replace("wheels = []", f"wheels = [{names}]\nplatforms = [{platforms}]")
    if filled == text:
        sys.exit("blender_manifest.toml has no line `wheels = []`")
    return filled


def main(out, *wheels):
    if not wheels:
        sys.exit("no wheel; build one with `cargo xtask python --wheel`")
    files = {"blender_manifest.toml": manifest(wheels).encode()}
    for name in sorted(os.listdir(FOLDER)):
        if name.endswith(".py"):
            with open(os.path.join(FOLDER, name), "rb") as file:
                files[name] = file.read()
    root = os.path.join(FOLDER, "..", "..", "..")
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        with open(os.path.join(root, name), "rb") as file:
            files[name] = file.read()
    for wheel in wheels:
        with open(wheel, "rb") as file:
            files[f"wheels/{os.path.basename(wheel)}"] = file.read()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    print(f"{out}: {os.path.getsize(out)} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
