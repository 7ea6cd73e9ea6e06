import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypedDict, Union, final

import numpy as np
import numpy.typing as npt

from . import _dtypes as dtypes
from ._errors import (
    BakeError as BakeError,
    Canceled as Canceled,
    Error as Error,
    ExportError as ExportError,
    ExportWarning as ExportWarning,
    FileError as FileError,
    LoadError as LoadError,
    MissingFileError as MissingFileError,
    PoseError as PoseError,
    SettingsError as SettingsError,
    SkinError as SkinError,
    WorldError as WorldError,
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
]

__version__: str

_Path = Union[str, os.PathLike[str]]
_Asset = Union[_Path, bytes, bytearray, memoryview]
_OptionValue = Union[str, int, float, Sequence[str], None]
_Records = npt.NDArray[np.void]
_Floats = npt.NDArray[np.float32]
_Vector = Sequence[float]
_Shape = Literal["box", "capsule", "sphere", "hull"]
_Role = Literal["hurt", "strike", "grab", "guard", "sensor"]
_Form = Literal[
    "omi", "khr", "vrm", "wire", "json", "ron", "mjcf", "urdf", "ragdoll", "omi-ragdoll", "khr-ragdoll", "usda"
]

class _BakeOption(TypedDict):
    key: str
    section: str
    values: str
    words: list[str]
    default: str
    for_joints: bool
    help: str

def bake(
    source: _Asset,
    preset: str | None = None,
    out: _Path | None = None,
    settings: _Path | Literal[False] | None = None,
    *,
    settings_text: str | None = None,
    name: str | None = None,
    progress: Callable[[str, int, int], object] | None = None,
    **options: _OptionValue,
) -> Bake: ...
def load(source: _Asset) -> Bake: ...
def bake_options() -> list[_BakeOption]: ...
def edit_settings(
    text: str,
    bake: Bake,
    edits: Mapping[str, Sequence[Hitbox] | None],
    *,
    character: str | None = None,
) -> tuple[str, list[str]]: ...
def overlaps(a: Pose, b: Pose) -> bool: ...
def overlapping_boxes(a: Pose, b: Pose) -> _Records: ...
def contacts(a: Pose, b: Pose) -> _Records: ...
def distance(a: Pose, b: Pose, max_distance: float | None = None) -> Distance | None: ...
def exact_overlaps(a: Pose, b: Pose) -> _Records: ...
def exact_distance(a: Pose, b: Pose, max_distance: float | None = None) -> Distance | None: ...

@final
class Bake:
    @property
    def name(self) -> str: ...
    @property
    def joints(self) -> list[str]: ...
    @property
    def parents(self) -> list[int | None]: ...
    @property
    def clips(self) -> list[Clip]: ...
    @property
    def boxes(self) -> _Records: ...
    @property
    def hitboxes(self) -> list[Hitbox]: ...
    @property
    def coverage(self) -> Coverage | None: ...
    @property
    def volume(self) -> float: ...
    @property
    def volume_ratio(self) -> float | None: ...
    @property
    def height(self) -> float | None: ...
    @property
    def options(self) -> dict[str, str]: ...
    @property
    def warnings(self) -> list[BakeWarning]: ...
    @property
    def broken_limits(self) -> list[str]: ...
    @property
    def settings_path(self) -> os.PathLike[str] | None: ...
    @property
    def has_skin(self) -> bool: ...
    def escapes(self) -> list[Escape]: ...
    def joint_matrices(self, clip: str | int | None = None, seconds: float = 0.0) -> _Floats: ...
    def save(self, path: _Path) -> None: ...
    def to_bytes(self) -> bytes: ...
    def to_json(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...
    def export(
        self,
        form: _Form,
        *,
        model: _Asset | None = None,
        capsule: Literal["inscribed", "equal-volume", "enclosing"] = "equal-volume",
    ) -> bytes: ...
    def __reduce__(self) -> tuple[Callable[[bytes], Bake], tuple[bytes]]: ...

@final
class Clip:
    @property
    def name(self) -> str: ...
    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def seconds(self) -> float: ...

@final
class BakeWarning:
    @property
    def code(self) -> str: ...
    @property
    def joint(self) -> str | None: ...
    @property
    def text(self) -> str: ...

@final
class Coverage:
    @property
    def rest(self) -> float: ...
    @property
    def clips(self) -> float | None: ...
    @property
    def own_rest(self) -> float: ...
    @property
    def own_clips(self) -> float | None: ...
    @property
    def largest_escape(self) -> float | None: ...
    @property
    def largest_escape_is_at_least(self) -> bool: ...

@final
class Escape:
    @property
    def joint(self) -> str: ...
    @property
    def clip(self) -> str | None: ...
    @property
    def seconds(self) -> float: ...
    @property
    def distance(self) -> float: ...
    @property
    def share_of_height(self) -> float: ...
    @property
    def outside(self) -> float: ...
    @property
    def point(self) -> tuple[float, float, float]: ...

@final
class Hitbox:
    def __new__(
        cls,
        center: _Vector,
        half_extents: _Vector,
        orientation: _Vector = ...,
        *,
        shape: _Shape = "box",
        role: _Role = "hurt",
        tags: Sequence[str] = ...,
        joint: str = "",
    ) -> Hitbox: ...
    @property
    def joint(self) -> str: ...
    @property
    def center(self) -> tuple[float, float, float]: ...
    @property
    def half_extents(self) -> tuple[float, float, float]: ...
    @property
    def orientation(self) -> tuple[float, float, float, float]: ...
    @property
    def shape(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def tags(self) -> list[str]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Pose:
    def __new__(
        cls,
        bake: Bake,
        *,
        clip: str | int | None = None,
        seconds: float = 0.0,
        repeat: bool = False,
        model_from_joint: npt.ArrayLike | None = None,
        world_from_joint: npt.ArrayLike | None = None,
        world_from_model: npt.ArrayLike | None = None,
    ) -> Pose: ...
    @property
    def name(self) -> str: ...
    @property
    def boxes(self) -> _Records: ...
    @property
    def corners(self) -> _Floats: ...
    @property
    def bounds(self) -> _Floats: ...
    @property
    def skin_triangles(self) -> _Floats: ...
    def cast_rays(
        self, origins: npt.ArrayLike, directions: npt.ArrayLike, max_time: float | None = None
    ) -> _Records: ...
    def exact_rays(
        self, origins: npt.ArrayLike, directions: npt.ArrayLike, max_time: float | None = None
    ) -> _Records: ...

@final
class Distance:
    @property
    def distance(self) -> float: ...
    @property
    def joint_a(self) -> int: ...
    @property
    def joint_b(self) -> int: ...
    @property
    def point_a(self) -> tuple[float, float, float]: ...
    @property
    def point_b(self) -> tuple[float, float, float]: ...

@final
class World:
    def __new__(cls) -> World: ...
    def insert(
        self,
        body: int,
        bake: Bake,
        *,
        team: int | None = None,
        layers: int = ...,
        mask: int = ...,
        self_touches: bool = False,
        skin: bool = False,
    ) -> None: ...
    def remove(self, body: int) -> None: ...
    def pose(
        self,
        body: int,
        *,
        clip: str | int | None = None,
        seconds: float = 0.0,
        repeat: bool = False,
        model_from_joint: npt.ArrayLike | None = None,
        world_from_joint: npt.ArrayLike | None = None,
        world_from_model: npt.ArrayLike | None = None,
    ) -> None: ...
    def update(self) -> _Records: ...
    @property
    def bodies(self) -> list[int]: ...
    @property
    def unposed_bodies(self) -> list[int]: ...
    @property
    def events(self) -> _Records: ...
    @property
    def touches(self) -> _Records: ...
    @property
    def contacts(self) -> _Records: ...
    def exact_touches(self) -> _Records: ...
    def cast_rays(
        self,
        origins: npt.ArrayLike,
        directions: npt.ArrayLike,
        max_time: float | None = None,
        *,
        exclude: Sequence[int] = ...,
    ) -> _Records: ...
    def exact_rays(
        self,
        origins: npt.ArrayLike,
        directions: npt.ArrayLike,
        max_time: float | None = None,
        *,
        exclude: Sequence[int] = ...,
    ) -> _Records: ...
    def __len__(self) -> int: ...
    def __contains__(self, body: int, /) -> bool: ...
