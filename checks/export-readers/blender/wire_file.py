"""Reads .glb files of `bonebox export --to wire`, without Blender.

As a program: `python wire_file.py scale IN.glb OUT.glb SCALE` puts a character below a node with a scale, and `python wire_file.py
compare BEFORE.glb AFTER.glb NAME` checks that the box NAME moved and grew as `round_trip.py` edits it.
"""

import json
import math
import struct
import sys


class WireFile:
    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            glb = file.read()
        (length,) = struct.unpack_from("<I", glb, 12)
        self.json = json.loads(glb[20 : 20 + length])
        self.chunks = glb[20 + length :]
        self.nodes = self.json["nodes"]
        self.parents = {child: index for index, node in enumerate(self.nodes) for child in node.get("children", [])}

    def write(self, path):
        text = json.dumps(self.json).encode()
        text += b" " * (-len(text) % 4)
        with open(path, "wb") as file:
            file.write(b"glTF" + struct.pack("<II", 2, 20 + len(text) + len(self.chunks)))
            file.write(struct.pack("<I", len(text)) + b"JSON" + text + self.chunks)

    def boxes(self):
        """The indices and nodes of the wire boxes."""
        return [(index, node) for index, node in enumerate(self.nodes) if memory(node).get("form") == "wire"]

    def without_animations(self):
        """Writes the file without its animations beside it, and returns the path."""
        self.json.pop("animations", None)
        path = self.path.replace(".glb", ".still.glb")
        self.write(path)
        return path


def memory(node):
    return node.get("extras", {}).get("bonebox", {})


def scale(source, target, factor):
    """Puts everything in the scene below a node with a scale, as Blender exports armatures with a scale."""
    file = WireFile(source)
    scene = file.json["scenes"][file.json.get("scene", 0)]
    file.nodes.append({"name": "Armature", "scale": [float(factor)] * 3, "children": scene["nodes"]})
    scene["nodes"] = [len(file.nodes) - 1]
    file.write(target)


def compare(before, after, name):
    """Fails unless the box has moved by a tenth of its length along its first axis and doubled along its second axis in
    Blender, which is the third axis in glTF."""
    old_node = next(node for _, node in WireFile(before).boxes() if node["name"] == name)
    old, joint = memory(old_node)["exported"], memory(old_node)["joint"]
    x, y, z, w = old["orientation"]
    axis = (1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w))
    center = [place + 0.2 * old["half_extents"][0] * part for place, part in zip(old["center"], axis)]
    hx, hy, hz = old["half_extents"]
    half = [hx, hy, 2 * hz]
    size = math.hypot(*half)
    found = [memory(node)["exported"] for _, node in WireFile(after).boxes() if memory(node)["joint"] == joint]
    errors = [math.dist(one["center"], center) + math.dist(one["half_extents"], half) for one in found]
    # Manual boxes have the numbers of Blender's file, in `f32`.
    if min(errors, default=math.inf) > 1e-4 * size:
        sys.exit(f"no box of {joint!r} is at {center} with half extents {half}, but {found}")


if __name__ == "__main__":
    {"scale": scale, "compare": compare}[sys.argv[1]](*sys.argv[2:])
