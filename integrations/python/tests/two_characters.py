"""Puts two glTF characters into one file, without clips and materials."""

from __future__ import annotations

import json
import struct
from typing import Any


def parts(data: bytes) -> "tuple[dict[str, Any], bytes]":
    (length,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + length]), data[28 + length :]


def in_one_file(a: bytes, b: bytes) -> bytes:
    """Each character is below a root of its own, "left" and "right"."""
    (first, buffer), (second, other) = parts(a), parts(b)
    buffer += bytes(-len(buffer) % 4)
    counts = {key: len(first.get(key, [])) for key in ("nodes", "meshes", "skins", "accessors", "bufferViews")}

    def shift(entry: "dict[str, Any]", key: str, kind: str) -> None:
        if key in entry:
            value = entry[key]
            entry[key] = [one + counts[kind] for one in value] if isinstance(value, list) else value + counts[kind]

    for node in second["nodes"]:
        for key, kind in (("children", "nodes"), ("mesh", "meshes"), ("skin", "skins")):
            shift(node, key, kind)
    for skin in second["skins"]:
        for key, kind in (("joints", "nodes"), ("skeleton", "nodes"), ("inverseBindMatrices", "accessors")):
            shift(skin, key, kind)
    for primitive in (one for mesh in second["meshes"] for one in mesh["primitives"]):
        shift(primitive, "indices", "accessors")
        for attributes in (primitive["attributes"], *primitive.get("targets", [])):
            for key in list(attributes):
                shift(attributes, key, "accessors")
    for accessor in second["accessors"]:
        shift(accessor, "bufferView", "bufferViews")
    for view in second["bufferViews"]:
        view["byteOffset"] = view.get("byteOffset", 0) + len(buffer)
    for key in counts:
        first[key] += second[key]
    scene = first["scenes"][first.get("scene", 0)]
    below = scene["nodes"], [node + counts["nodes"] for node in second["scenes"][second.get("scene", 0)]["nodes"]]
    scene["nodes"] = [len(first["nodes"]), len(first["nodes"]) + 1]
    first["nodes"] += [{"name": name, "children": children} for name, children in zip(("left", "right"), below)]
    for primitive in (one for mesh in first["meshes"] for one in mesh["primitives"]):
        primitive.pop("material", None)
    for key in ("animations", "materials", "textures", "images", "samplers"):
        first.pop(key, None)
    buffer += other
    first["buffers"] = [{"byteLength": len(buffer)}]
    text = json.dumps(first).encode()
    text += b" " * (-len(text) % 4)
    buffer += bytes(-len(buffer) % 4)
    head = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(buffer))
    return head + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(buffer), b"BIN\0") + buffer
