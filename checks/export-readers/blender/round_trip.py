"""Sends a wire export through Blender: `python round_trip.py IN.glb SAME.glb EDITED.glb`.

Checks that the boxes stand where the file has them, saves the scene without an edit, then moves and stretches one box and saves it
again. The last line that it prints has the numbers, as JSON.
"""

import json
import os
import sys

import bpy
from mathutils import Matrix, Quaternion, Vector

from wire_file import WireFile

# Columns turn glTF's axes into Blender's.
BLENDER_FROM_GLTF = Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))


def local_matrix(node):
    if "matrix" in node:
        return Matrix([node["matrix"][row::4] for row in range(4)])
    x, y, z, w = node.get("rotation", [0, 0, 0, 1])
    scale = Vector(node.get("scale", [1, 1, 1]))
    return Matrix.LocRotScale(Vector(node.get("translation", [0, 0, 0])), Quaternion((w, x, y, z)), scale)


def scene_from_node(wire, index):
    matrix = local_matrix(wire.nodes[index])
    while index in wire.parents:
        index = wire.parents[index]
        matrix = local_matrix(wire.nodes[index]) @ matrix
    return matrix


def worst_corner(wire):
    """The largest distance of a corner in Blender from its place in the file, as a share of the size of all boxes."""
    corners = [Vector((x, y, z)) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    worst, places = 0.0, []
    for index, node in wire.boxes():
        expected = BLENDER_FROM_GLTF @ scene_from_node(wire, index) @ BLENDER_FROM_GLTF.inverted()
        found = bpy.data.objects[node["name"]].matrix_world
        worst = max([worst] + [(found @ corner - expected @ corner).length for corner in corners])
        places += [expected @ corner for corner in corners]
    size = max((max(place[axis] for place in places) - min(place[axis] for place in places)) for axis in range(3))
    return worst / size


def edit(name):
    """Moves a box by a tenth of its length along its own first axis, and makes it twice as long along its second axis."""
    box = bpy.data.objects[name]
    box.location += box.matrix_basis.to_3x3().col[0] * 0.2
    box.scale[1] *= 2.0


def save(path):
    bpy.ops.export_scene.gltf(filepath=path, export_extras=True, use_mesh_edges=True, export_animations=False)


def main(source, same, edited):
    wire = WireFile(source)
    # Blender shows the first frame of an animation, in which boxes stand elsewhere than at rest.
    still = wire.without_animations()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=still)
    bpy.context.view_layer.update()
    worst = worst_corner(wire)
    save(same)
    boxes = wire.boxes()
    name = boxes[len(boxes) // 2][1]["name"]
    edit(name)
    save(edited)
    print(json.dumps({"blender": bpy.app.version_string, "boxes": len(boxes), "worst": worst, "edited": name}))


main(*sys.argv[1:])
# The module of Blender 4.2 crashes when Python frees it at the end.
sys.stdout.flush()
os._exit(0)
