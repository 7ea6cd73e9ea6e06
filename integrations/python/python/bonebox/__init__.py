"""Tight hitboxes for skinned characters (glTF, VRM): bake, pose, overlaps, rays, with numpy arrays.

- ``bake`` makes a ``Bake`` from an asset, and ``load`` reads one that was baked before.
- ``Pose`` places its hitboxes, from a clip and a time or from matrices of the joints.
- ``overlaps``, ``contacts``, ``distance`` and ``Pose.cast_rays`` answer questions about poses, and their twins with
  ``exact`` in their names about the skin. ``World`` does so for many bodies, with events.
- ``edit_settings`` writes edited hitboxes into a ``bonebox.toml``, and ``settings_files`` finds these files.

The code is the Rust library, and gives the same bits. Matrices are for column vectors: a point is moved by
``matrix @ [x, y, z, 1]``, and the translation is in ``matrix[:3, 3]``. glTF, Blender and numpy write them like this;
transpose matrices of libraries with row vectors. Lengths are in the unit of the asset, which is meters in glTF, and
times in seconds.
"""

from __future__ import annotations


from . import _dtypes as dtypes
from ._bonebox import (
    Bake,
    BakeWarning,
    Clip,
    Coverage,
    Distance,
    Escape,
    Hitbox,
    Pose,
    World,
    __version__,
    bake,
    bake_options,
    contacts,
    distance,
    edit_settings,
    exact_distance,
    exact_overlaps,
    load,
    overlapping_boxes,
    overlaps,
    settings_files,
)
from ._errors import (
    BakeError,
    Canceled,
    Error,
    ExportError,
    ExportWarning,
    FileError,
    LoadError,
    MissingFileError,
    PoseError,
    SettingsError,
    SkinError,
    WorldError,
)

__all__ = [
    "Bake",
    "BakeError",
    "BakeWarning",
    "Canceled",
    "Clip",
    "Coverage",
    "Distance",
    "Error",
    "Escape",
    "ExportError",
    "ExportWarning",
    "FileError",
    "Hitbox",
    "LoadError",
    "MissingFileError",
    "Pose",
    "PoseError",
    "SettingsError",
    "SkinError",
    "World",
    "WorldError",
    "__version__",
    "bake",
    "bake_options",
    "contacts",
    "distance",
    "dtypes",
    "edit_settings",
    "exact_distance",
    "exact_overlaps",
    "load",
    "overlapping_boxes",
    "overlaps",
    "settings_files",
]
