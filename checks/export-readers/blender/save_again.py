"""Loads a wire export in Blender and saves it again: `python save_again.py IN.glb OUT.glb [OBJECT]`.

With OBJECT, the box with that name moves by 0.05 along its own first axis and gets twice its length along its second axis.
"""

import sys

import bpy

source, target, *edited = sys.argv[1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=source)
for name in edited:
    box = bpy.data.objects[name]
    axis = box.matrix_basis.to_3x3().normalized().col[0]
    box.location += 0.05 * axis
    box.scale[1] *= 2.0
bpy.ops.export_scene.gltf(filepath=target, export_extras=True, use_mesh_edges=True, export_animations=False)
print("Blender", bpy.app.version_string)
