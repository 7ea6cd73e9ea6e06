"""The armature as the bytes of a glTF file, by Blender's own exporter."""

import contextlib
import os
import tempfile

import bpy

from .active import meshes_of


#: Options of the exporter; versions of Blender that lack one do not need it. Pictures and materials do not matter for hitboxes, and
#: meshes that are evaluated for every frame of a clip take most of the time.
_OPTIONS = {
    "export_format": "GLB",
    "use_selection": True,
    "export_materials": "NONE",
    "export_extras": True,
    "export_yup": True,
    "export_apply": False,
    "export_animations": True,
    "export_animation_mode": "ACTIONS",
    "export_optimize_disable_viewport": True,
    # It leaves out motion of less than 1e-4 units, which is a centimeter below an armature with the scale 100.
    "export_optimize_animation_size": False,
}


class NothingToBake(Exception):
    """The armature moves no mesh, or the exporter does not run."""


@contextlib.contextmanager
def _only_selected(context, objects):
    """Selects these objects for the exporter, and restores the selection and the visibility afterwards."""
    layer = context.view_layer
    selected, active = [one for one in layer.objects if one.select_get()], layer.objects.active
    hidden = [(one, one.hide_get(), one.hide_viewport) for one in objects]
    try:
        for one in selected:
            one.select_set(False)
        for one in objects:
            one.hide_viewport = False
            one.hide_set(False)
            one.select_set(True)
        layer.objects.active = objects[0]
        yield
    finally:
        for one in objects:
            one.select_set(False)
        for one, was_hidden, was_off in hidden:
            one.hide_set(was_hidden)
            one.hide_viewport = was_off
        for one in selected:
            one.select_set(True)
        layer.objects.active = active


@contextlib.contextmanager
def _at_rest(context, armature):
    """Puts all bones to rest, and restores the pose and the frame afterwards.

    The exporter puts bones to rest between two actions. In the first action, a bone without keys would keep the pose that it happens
    to have.
    """
    scene = context.scene
    frame, subframe = scene.frame_current, scene.frame_subframe
    pose = [(bone, bone.matrix_basis.copy()) for bone in armature.pose.bones]
    try:
        for bone, _ in pose:
            bone.matrix_basis.identity()
        yield
    finally:
        for bone, matrix in pose:
            bone.matrix_basis = matrix
        scene.frame_set(frame, subframe=subframe)


def glb_of(context, armature):
    """The bytes of a .glb file with the armature, its meshes and its actions.

    Joints keep their bones' names, and the space of a joint in the file is the space of its bone.
    """
    meshes = meshes_of(armature)
    if not meshes:
        raise NothingToBake(f"No mesh has an armature modifier with {armature.name!r} or is parented to a bone of it")
    not_in_layer = [one.name for one in [armature, *meshes] if one.name not in context.view_layer.objects]
    if not_in_layer:
        raise NothingToBake(f"{', '.join(not_in_layer)} is in no collection of the current view layer; include its collection")
    if context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bonebox-"))
        stack.enter_context(_at_rest(context, armature))
        stack.enter_context(_only_selected(context, [armature, *meshes]))
        path = os.path.join(folder, "character.glb")
        known = bpy.ops.export_scene.gltf.get_rna_type().properties.keys()
        done = bpy.ops.export_scene.gltf(filepath=path, **{key: value for key, value in _OPTIONS.items() if key in known})
        if "FINISHED" not in done or not os.path.exists(path):
            raise NothingToBake("Blender's glTF exporter wrote no file; see the system console")
        with open(path, "rb") as file:
            return file.read()
