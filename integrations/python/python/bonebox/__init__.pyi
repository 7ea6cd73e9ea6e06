import os
import pathlib
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
    "settings_files",
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
    character: str | None = None,
    progress: Callable[[str, int, int], object] | None = None,
    **options: _OptionValue,
) -> Bake:
    """Bake a character: fit hitboxes to its skin and measure them.

    - `source`: the path of a .glb, .gltf, .vrm or .fbx file, or the bytes of a file without other files.
    - `preset`: "cover", "tight", "always" or "recipe". It replaces the options that a bonebox.toml sets for the character.
    - `out`: where to write the bake: a path NAME.bonebox, or a folder. NAME.bonebox.json is written beside it. Nothing is
      written by default, and nothing is written if the bake breaks a limit of bonebox.toml.
    - `settings`: None for the bonebox.toml files of the asset's folder and its parent folders, as the program does; False for
      none; or the path of the only file that applies. For bytes, None is none, and a folder is that of the asset.
    - `settings_text`: the text of a bonebox.toml, in place of a file.
    - `name`: the file name of an asset in bytes, such as "runa.glb". The character is named after it.
    - `character`: the name of the root node of one of several characters in a file.
    - `progress`: a function of the step ("assign", "sample", "split", "fit" or "measure"), its number from 1 on, and the
      count of steps. It is called on the thread that called `bake`. If it returns False, the bake raises `Canceled`.
    - `options`: the options of the program, with the same words: `parts="humanoid"`, `max_boxes=24`, `merge=["*finger*"]`.
      None is the default. `bake_options()` lists them.

    Other Python threads run during the bake, and Ctrl-C stops it. Raises `BakeError`, or `MissingFileError`.
    """
def load(source: _Asset) -> Bake:
    """Read a character that was baked before: the path of a .bonebox file, or its bytes.

    Raises `MissingFileError`, and `LoadError` if the bytes are no such file.
    """
def bake_options() -> list[_BakeOption]:
    """The options of a bake, in the order of the program's help: key, values, default and help of each."""
def edit_settings(
    text: str,
    bake: Bake,
    edits: Mapping[str, Sequence[Hitbox] | None],
    *,
    character: str | None = None,
    above: Sequence[str] = (),
) -> tuple[str, list[str]]:
    """Return the text of a bonebox.toml with edited hitboxes, and notes for people.

    - `text`: the text of the file; empty for a new file. Comments and everything else stay unchanged.
    - `bake`: the bake that was edited. Hitboxes that equal one of it keep their numbers to the last bit.
    - `edits`: for each joint by name, all hitboxes that it has from now on, or None for its fitted ones again.
    - `character`: the name of the character's section; by default the name of the bake.
    - `above`: the texts of the files in parent folders that also apply, the outermost first. `settings_files` names them.
      They are not changed; an edit that one of them undoes or doubles raises `SettingsError`.

    The page and Blender edit with the same function, so the same edit gives the same text. Raises `SettingsError`.
    """
def settings_files(asset: _Path) -> list[pathlib.Path]:
    """The paths of the bonebox.toml files that apply to an asset, the outermost first. The last one is the nearest.

    Empty if there is none. The asset need not exist, but its folder must. Raises `SettingsError` if a file has a mistake.
    """
def overlaps(a: Pose, b: Pose) -> bool:
    """Return True if a hitbox of `a` overlaps a hitbox of `b`. Hitboxes that only touch overlap."""
def overlapping_boxes(a: Pose, b: Pose) -> _Records:
    """All pairs of hitboxes that overlap, as an array of the dtype `dtypes.PAIR`, sorted by `box_a`, then `box_b`."""
def contacts(a: Pose, b: Pose) -> _Records:
    """The contacts of all pairs of hitboxes that overlap, as an array of the dtype `dtypes.CONTACT`.

    Moving `b` by `depth * direction` separates the two hitboxes. `point` is the mean of the contact points.
    """
def distance(a: Pose, b: Pose, max_distance: float | None = None) -> Distance | None:
    """The nearest points of the hitboxes of two characters; None if they are farther apart than `max_distance`."""
def exact_overlaps(a: Pose, b: Pose) -> _Records:
    """The pairs of joints whose skins share a point, as an array of the dtype `dtypes.SKIN_PAIR` with a point and a triangle of
    each skin. Raises `SkinError` if a character was baked without its skin.
    """
def exact_distance(a: Pose, b: Pose, max_distance: float | None = None) -> Distance | None:
    """The nearest points of two skins; None if they are farther apart than `max_distance`. Raises `SkinError`."""

@final
class Bake:
    """A baked character: hitboxes, skeleton, clips and figures. `bake` and `load` make it.

    It never changes, and threads may share it. Arrays own their memory. It can be pickled; the copy is like one that
    `load` made.
    """
    @property
    def name(self) -> str:
        """The name of the character: its file name without the extension."""
    @property
    def joints(self) -> list[str]:
        """The names of all joints. Parents come before children. Indices of joints are indices of this list."""
    @property
    def parents(self) -> list[int | None]:
        """For each joint, the index of its parent, or None."""
    @property
    def clips(self) -> list[Clip]:
        """The clips."""
    @property
    def boxes(self) -> _Records:
        """The hitboxes, as an array of the dtype `dtypes.BOX`.

        The fields are `joint` (an index into `joints`), `shape` ("box", "capsule", "sphere" or "hull"), `role`, and in joint
        space `center` and `half_extents` (the joint's unit), and `orientation` (a unit quaternion x, y, z, w that turns the
        box's axes into joint space). A capsule lies along axis 1, and its half extents are radius, half length with caps, radius.
        """
    @property
    def hitboxes(self) -> list[Hitbox]:
        """The hitboxes as objects, in the order of `boxes`."""
    @property
    def coverage(self) -> Coverage | None:
        """The measured coverage; None if the bake measured nothing."""
    @property
    def volume(self) -> float:
        """The volume of all hitboxes at rest, in the asset's unit cubed (cubic meters in glTF)."""
    @property
    def volume_ratio(self) -> float | None:
        """`volume` divided by that of the tightest boxes for the same points; None if they have no volume."""
    @property
    def height(self) -> float | None:
        """The height of the character at rest, in the asset's unit; None for a loaded file."""
    @property
    def options(self) -> dict[str, str]:
        """The options that the bake records, as the program writes them."""
    @property
    def warnings(self) -> list[BakeWarning]:
        """The warnings. A bake also has those that are not written into its file, such as a line of bonebox.toml."""
    @property
    def broken_limits(self) -> list[str]:
        """One sentence for each limit of bonebox.toml that the bake broke. A loaded file has none."""
    @property
    def settings_path(self) -> pathlib.Path | None:
        """The bonebox.toml that applied to the bake, or where a new one would apply; None for bytes and loaded files."""
    @property
    def has_skin(self) -> bool:
        """True if exact questions have answers: the character was baked with `skin="lossless"` or `"compact"`."""
    def escapes(self) -> list[Escape]:
        """The farthest escape of the skin of each joint that has skin outside all hitboxes, the farthest one first.

        Needs a bake, not a loaded file, and measures every sample time of every clip. The list is empty with `poses = any`,
        where the run time fits the hitboxes to each pose.
        """
    def joint_matrices(self, clip: str | int | None = None, seconds: float = 0.0) -> _Floats:
        """The matrices `model_from_joint` of a clip at a time, or of the rest pose, as a float32 array of shape (joints, 4, 4).

        They are for column vectors: the translation is in `[:, :3, 3]`. `seconds` is on the clip's own clock.
        """
    def save(self, path: _Path) -> None:
        """Write NAME.bonebox, and NAME.bonebox.json beside it, as the program does. Existing files are replaced."""
    def to_bytes(self) -> bytes:
        """The bytes of the .bonebox file."""
    def to_json(self) -> str:
        """The text of the .bonebox.json file."""
    def to_dict(self) -> dict[str, Any]:
        """The content of the .bonebox.json file."""
    def export(
        self,
        form: _Form,
        *,
        model: _Asset | None = None,
        capsule: Literal["inscribed", "equal-volume", "enclosing"] = "equal-volume",
    ) -> bytes:
        """The bytes of an export, in one of the forms of `bonebox export`.

        "omi", "khr", "vrm", "wire", "omi-ragdoll" and "khr-ragdoll" are glTF: the asset with what the form adds. A loaded file
        needs the asset as `model`, a path or bytes. "json", "ron", "mjcf", "urdf", "ragdoll" and "usda" are texts. `capsule`
        is the size of the capsules of "vrm". Warns with `ExportWarning`, and raises `ExportError`.
        """
    def __reduce__(self) -> tuple[Callable[[bytes], Bake], tuple[bytes]]: ...

@final
class Clip:
    """A clip of a character: its name, and its first and last time in seconds on its own clock."""
    @property
    def name(self) -> str: ...
    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def seconds(self) -> float:
        """The length of the clip in seconds."""

@final
class BakeWarning:
    """A warning of a bake: its code, the joint that it is about or None, and its text with the cure."""
    @property
    def code(self) -> str: ...
    @property
    def joint(self) -> str | None: ...
    @property
    def text(self) -> str: ...

@final
class Coverage:
    """Shares of the skin's surface inside hitboxes, 0 to 1: at `rest`, and as an average over poses of all `clips` (None
    without clips, or if they were not measured). `own_rest` and `own_clips` count only hitboxes of the skin's own joint.

    `largest_escape` is the largest distance of the skin from the hitboxes, as a share of the character's height; None if
    clips were not measured. It is a lower bound if `largest_escape_is_at_least` is true.
    """
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
    """The farthest escape of the skin of one joint: the joint, the clip and its time in seconds (clip None is the rest pose),
    the distance to the nearest hitbox in the asset's unit (meters in glTF) and as a share of the character's height, and
    the point of the skin in model space.

    `outside` is the average share of the joint's surface outside all hitboxes, 0 to 1.
    """
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
    """A hitbox in the space of its joint, for reading and for `edit_settings`.

    - `center`: 3 numbers in joint space, in the joint's unit.
    - `half_extents`: 3 numbers along the hitbox's own axes. A capsule lies along axis 1: radius, half length with caps,
      radius. A sphere has its radius three times.
    - `orientation`: the quaternion x, y, z, w that turns the hitbox's axes into joint space.
    - `shape`: "box", "capsule", "sphere" or "hull". `role`: "hurt", "strike", "grab", "guard" or "sensor".
    - `joint`: the joint's name; empty for a hitbox that was made in Python.
    """
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
    def joint(self) -> str:
        """The name of the joint; empty for a hitbox that was made in Python."""
    @property
    def center(self) -> tuple[float, float, float]: ...
    @property
    def half_extents(self) -> tuple[float, float, float]: ...
    @property
    def orientation(self) -> tuple[float, float, float, float]: ...
    @property
    def shape(self) -> _Shape: ...
    @property
    def role(self) -> _Role: ...
    @property
    def tags(self) -> list[str]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Pose:
    """The hitboxes of a character in one pose, in world space: `Pose(bake, clip="jab", seconds=0.3)`.

    - `clip`: the name or the index of a clip. `seconds` is the time on the clip's own clock: times before and after the
      clip give its first and last pose, or with `repeat` a pose of its repetition.
    - `model_from_joint`: an array of shape (joints, 4, 4), one matrix for each of `Bake.joints`, in this order: the places of
      the joints in the model, without inverse bind matrices.
    - `world_from_joint`: the same in world space; then there is no `world_from_model`.
    - `world_from_model`: an array of shape (4, 4), the place of the character in the world; by default the identity.

    Without `clip` and matrices, the pose is the rest pose. Matrices are for column vectors: the translation is in
    `[:3, 3]`. Arrays may be float32 or float64; float64 is rounded to float32.

    A pose never changes, and threads may share it. Raises `PoseError`, `ValueError` or `TypeError`.
    """
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
    def name(self) -> str:
        """The name of the character."""
    @property
    def boxes(self) -> _Records:
        """The hitboxes in world space, as an array of the dtype `dtypes.POSED_BOX`, in the order of `Bake.boxes`.

        The fields are `joint`, `shape`, `center` and `half_extents` in the world's unit, and `axes`: `axes[:, i]` is the unit
        vector of axis i.
        """
    @property
    def corners(self) -> _Floats:
        """The corners of the boxes in world space, as a float32 array of shape (boxes, 8, 3)."""
    @property
    def bounds(self) -> _Floats:
        """The least and the greatest coordinates of all hitboxes, as a float32 array of shape (2, 3)."""
    @property
    def skin_triangles(self) -> _Floats:
        """The posed skin in world space, as a float32 array of shape (triangles, 3, 3). Raises `SkinError`."""
    def cast_rays(
        self, origins: npt.ArrayLike, directions: npt.ArrayLike, max_time: float | None = None
    ) -> _Records:
        """Cast rays against the hitboxes. `origins` and `directions` have the shape (n, 3), in world space.

        Returns an array of the dtype `dtypes.RAY_HIT` with n entries. `entry` and `exit` are times: the point is
        `origin + entry * direction`. They are distances if directions have the length 1. `max_time` limits `entry`; None is no
        limit. A miss has `hit` False, `box` and `joint` -1, and NaN. `normal` is NaN if the ray starts inside the hitbox.
        """
    def exact_rays(
        self, origins: npt.ArrayLike, directions: npt.ArrayLike, max_time: float | None = None
    ) -> _Records:
        """Cast rays against the skin, as `cast_rays` does against the hitboxes.

        Returns an array of the dtype `dtypes.SKIN_RAY_HIT`: the `point`, the interpolated `normal`, `front` (False if the ray
        comes from inside), the source `triangle` with `barycentric` weights, and the `texture_coordinate` if it was baked.
        Raises `SkinError` if the character was baked without its skin.
        """

@final
class Distance:
    """The distance of two characters in the world's unit, 0 if they overlap, with the joints and the points where it is measured."""
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
    """Many bodies: touches, events and rays.

    In each tick, `pose` the bodies, call `update`, and read `touches` or `events`. Bodies have an id of your choice, a whole
    number from 0 to 2**64 - 1. Threads may share a world; they wait for each other.
    """
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
    ) -> None:
        """Insert a body with a character. It has no hitboxes until it is posed.

        - `team`: bodies of one team do not touch each other.
        - `layers`, `mask`: bits. Two hitboxes touch if each is in a layer of the other's mask.
        - `self_touches`: the body's own hitboxes can touch each other.
        - `skin`: keep the skin, for exact questions.
        """
    def remove(self, body: int) -> None:
        """Remove a body. Its touches end with the next update. Raises `WorldError`."""
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
    ) -> None:
        """Pose a body, with the arguments of `Pose`.

        After a `PoseError` about matrices out of range, the body has no hitboxes until it is posed again. Other mistakes leave
        it as it was.
        """
    def update(self) -> _Records:
        """Find the touches of the present poses, and return the events since the last update."""
    @property
    def bodies(self) -> list[int]:
        """The ids of all bodies, sorted."""
    @property
    def unposed_bodies(self) -> list[int]:
        """The ids of the bodies without a pose, which no question finds."""
    @property
    def events(self) -> _Records:
        """The events of the last update, as an array of the dtype `dtypes.EVENT`; `phase` is "started", "persisted" or "ended"."""
    @property
    def touches(self) -> _Records:
        """The touches of the last update, as an array of the dtype `dtypes.TOUCH`, sorted by body, then by box."""
    @property
    def contacts(self) -> _Records:
        """The touches of the last update with depth, direction and point in the present poses, as an array of the dtype `dtypes.TOUCH_CONTACT`."""
    def exact_touches(self) -> _Records:
        """The pairs of joints of different bodies whose skins share a point, as an array of the dtype `dtypes.SKIN_TOUCH`."""
    def cast_rays(
        self,
        origins: npt.ArrayLike,
        directions: npt.ArrayLike,
        max_time: float | None = None,
        *,
        exclude: Sequence[int] = ...,
    ) -> _Records:
        """Cast rays against all bodies but those in `exclude`, as `Pose.cast_rays` does; the dtype is `dtypes.BODY_RAY_HIT`."""
    def exact_rays(
        self,
        origins: npt.ArrayLike,
        directions: npt.ArrayLike,
        max_time: float | None = None,
        *,
        exclude: Sequence[int] = ...,
    ) -> _Records:
        """Cast rays against the skins of all bodies but those in `exclude`; the dtype is `dtypes.BODY_SKIN_RAY_HIT`."""
    def __len__(self) -> int: ...
    def __contains__(self, body: int, /) -> bool: ...
