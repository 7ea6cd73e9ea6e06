"""Loads a glTF file in Blender, and writes the same scene as FBX and as glTF: fbx_file.py IN.glb OUT.fbx OUT.glb

Bones are at rest, because FBX files have the pose of the current frame, and glTF files the rest pose."""

import sys

import bpy

source, fbx, gltf = sys.argv[-3:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=source)
for thing in list(bpy.data.objects):
    # The importer draws bones with this mesh. It is in no scene of the file.
    if thing.name.startswith("Icosphere"):
        bpy.data.objects.remove(thing)
for thing in bpy.data.objects:
    if thing.type == "ARMATURE":
        if thing.animation_data:
            thing.animation_data.action = None
        for bone in thing.pose.bones:
            bone.matrix_basis.identity()
bpy.context.view_layer.update()
bpy.ops.export_scene.fbx(
    filepath=fbx,
    add_leaf_bones=False,
    bake_anim_simplify_factor=0.0,
    bake_anim_use_nla_strips=False,
    bake_anim_use_all_actions=True,
)
bpy.ops.export_scene.gltf(filepath=gltf, export_format="GLB", export_optimize_animation_size=False)
print(bpy.app.version_string)
