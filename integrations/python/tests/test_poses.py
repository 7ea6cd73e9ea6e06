"""Poses, pairs, rays and worlds: the same as the program's, and exceptions with the cure."""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import program

import bonebox
from bonebox import Pose, dtypes


def place(x: float = 0.0, y: float = 0.0, z: float = 0.0, turned: bool = False) -> "np.ndarray[tuple[int, int], np.dtype[np.float32]]":
    matrix = np.eye(4, dtype=np.float32)
    if turned:
        matrix[0, 0] = matrix[2, 2] = -1
    matrix[:3, 3] = x, y, z
    return matrix


def opposite(distance: float) -> "np.ndarray[tuple[int, int], np.dtype[np.float32]]":
    """The place of the second character of `bonebox duel`."""
    return place(z=distance, turned=True)


def test_a_duel_has_the_touches_of_the_program(assets: Path, runa: bonebox.Bake, bruno: bonebox.Bake) -> None:
    told = program(
        "duel", str(assets / "runa.bonebox"), str(assets / "bruno.bonebox"),
        "--clip-a", "roundhouse_kick", "--clip-b", "guard", "--fps", "60", "--seconds", "1", "--distance", "1", "--json",
    )
    assert told.returncode == 0, told.stderr
    ticks = [json.loads(line) for line in told.stdout.splitlines()]
    ticks = [tick for tick in ticks if "pairs" in tick]
    assert len(ticks) >= 60
    touched = 0
    for tick in ticks:
        # `duel` repeats its clips.
        a = Pose(runa, clip="roundhouse_kick", seconds=tick["time"], repeat=True)
        b = Pose(bruno, clip="guard", seconds=tick["time"], repeat=True, world_from_model=opposite(1.0))
        deepest: "dict[tuple[str, str], np.float32]" = {}
        for contact in bonebox.contacts(a, b):
            joints = runa.joints[contact["joint_a"]], bruno.joints[contact["joint_b"]]
            deepest[joints] = max(deepest.get(joints, np.float32(0)), contact["depth"])
        expected = {(pair["a"], pair["b"]): np.float32(pair["depth"]) for pair in tick["pairs"]}
        assert deepest == expected, tick["tick"]
        assert bonebox.overlaps(a, b) == bool(expected)
        touched += bool(expected)
    assert 0 < touched < len(ticks)


def test_posed_boxes_are_the_baked_boxes_moved(runa: bonebox.Bake) -> None:
    """A slow twin of the rest pose and of the places of joints."""
    for arguments in ({}, {"clip": "jab", "seconds": 0.3}):
        world = place(1, 2, 3)
        pose = Pose(runa, world_from_model=world, **arguments)  # type: ignore[arg-type]
        joints = runa.joint_matrices(**arguments)  # type: ignore[arg-type]
        assert joints.shape == (len(runa.joints), 4, 4) and joints.dtype == np.float32
        assert len(pose.boxes) == len(runa.boxes)
        for own, baked in zip(pose.boxes, runa.boxes):
            center = world @ joints[baked["joint"]] @ [*baked["center"], 1]
            np.testing.assert_allclose(own["center"], center[:3], atol=1e-5)
            x, y, z, w = baked["orientation"]
            axis = np.array([1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)])
            np.testing.assert_allclose(own["axes"][:, 0], joints[baked["joint"]][:3, :3] @ axis, atol=1e-5)
        corners = pose.corners
        assert corners.shape == (len(pose.boxes), 8, 3)
        np.testing.assert_allclose(corners.mean(axis=1), pose.boxes["center"], atol=1e-5)
        assert (pose.bounds[0] <= corners.reshape(-1, 3).min(axis=0) + 1e-6).all()


def test_matrices_and_clips_give_the_same_pose(runa: bonebox.Bake) -> None:
    world = place(0.5, 0, -1)
    joints = runa.joint_matrices("jab", 0.25)
    of_clip = Pose(runa, clip="jab", seconds=0.25, world_from_model=world)
    of_model = Pose(runa, model_from_joint=joints, world_from_model=world)
    assert of_clip.boxes.tobytes() == of_model.boxes.tobytes()
    double = Pose(runa, model_from_joint=joints.astype(np.float64).tolist(), world_from_model=world.tolist())
    assert double.boxes.tobytes() == of_model.boxes.tobytes()
    of_world = Pose(runa, world_from_joint=world @ joints)
    np.testing.assert_allclose(of_world.boxes["center"], of_clip.boxes["center"], atol=1e-6)
    index = [clip.name for clip in runa.clips].index("jab")
    assert Pose(runa, clip=index, seconds=0.25, world_from_model=world).boxes.tobytes() == of_clip.boxes.tobytes()
    seconds = runa.clips[index].seconds
    repeated = Pose(runa, clip="jab", seconds=runa.clips[index].start + seconds + 0.25, repeat=True, world_from_model=world)
    np.testing.assert_allclose(repeated.boxes["center"], of_clip.boxes["center"], atol=1e-4)


def test_rays(runa: bonebox.Bake) -> None:
    pose = Pose(runa)
    origins = np.array([[0, 1.2, 5], [0, 1.2, 5], [50, 0, 0]], dtype=np.float64)
    directions = [[0, 0, -1], [0, 0, 1], [0, 1, 0]]
    hits = pose.cast_rays(origins, directions)
    assert hits.dtype == dtypes.RAY_HIT and hits["hit"].tolist() == [True, False, False]
    first = hits[0]
    assert runa.boxes[first["box"]]["joint"] == first["joint"] and 4 < first["entry"] < first["exit"] < 6
    assert first["normal"][2] > 0 and np.isnan(hits[1]["normal"]).all() and hits[1]["box"] == -1
    assert not pose.cast_rays(origins, directions, max_time=1.0)["hit"].any()
    assert pose.cast_rays(np.empty((0, 3)), np.empty((0, 3))).shape == (0,)
    inside = pose.cast_rays([pose.boxes[0]["center"]], [[0, 0, 1]])[0]
    assert inside["entry"] == 0 and np.isnan(inside["normal"]).all()


def test_contacts_and_distance(runa: bonebox.Bake, bruno: bonebox.Bake) -> None:
    a, near, far = Pose(runa), Pose(bruno, world_from_model=opposite(0.2)), Pose(bruno, world_from_model=opposite(9.0))
    contacts, pairs = bonebox.contacts(a, near), bonebox.overlapping_boxes(a, near)
    assert len(pairs) > 3 and np.array_equal(contacts["box_a"], pairs["box_a"])
    assert (contacts["depth"] >= 0).all()
    np.testing.assert_allclose(np.linalg.norm(contacts["direction"], axis=1), 1, atol=1e-5)
    assert len(bonebox.contacts(a, far)) == 0 and not bonebox.overlaps(a, far)
    close, apart = bonebox.distance(a, near), bonebox.distance(a, far)
    assert close is not None and close.distance == 0 and apart is not None and 8 < apart.distance < 9
    assert np.linalg.norm(np.subtract(apart.point_a, apart.point_b)) == pytest.approx(apart.distance, rel=1e-5)
    assert bonebox.distance(a, far, max_distance=1.0) is None


def test_exact_answers(skinned: bonebox.Bake, runa: bonebox.Bake) -> None:
    assert skinned.has_skin
    a, b = Pose(skinned), Pose(skinned, world_from_model=place(0.1))
    far = Pose(skinned, world_from_model=place(5))
    overlaps = bonebox.exact_overlaps(a, b)
    assert len(overlaps) > 5 and len(bonebox.exact_overlaps(a, far)) == 0
    assert len(bonebox.exact_overlaps(a, a)) > 5
    nearest, farther = bonebox.exact_distance(a, b), bonebox.exact_distance(a, far)
    assert nearest is not None and nearest.distance == 0 and farther is not None and farther.distance > 1
    hits = a.exact_rays([[0.0, 1.2, 5.0], [50.0, 0.0, 0.0]], [[0.0, 0.0, -1.0]] * 2)
    assert hits["hit"].tolist() == [True, False] and hits[0]["front"] and hits[1]["triangle"] == -1
    np.testing.assert_allclose(hits[0]["point"], [0, 1.2, 5 - hits[0]["time"]], atol=1e-5)
    assert abs(hits[0]["barycentric"].sum() - 1) < 1e-5
    triangles = a.skin_triangles
    assert triangles.ndim == 3 and triangles.shape[1:] == (3, 3) and len(triangles) > 1000
    if not runa.has_skin:
        bare = Pose(runa)
        with pytest.raises(bonebox.SkinError, match="bake it with"):
            bare.exact_rays([[0.0, 0, 0]], [[0.0, 0, 1]])
        with pytest.raises(bonebox.SkinError, match="bake it with"):
            bonebox.exact_overlaps(bare, a)
        with pytest.raises(bonebox.SkinError, match="bake it with"):
            bare.skin_triangles


def test_a_world(skinned: bonebox.Bake, bruno: bonebox.Bake) -> None:
    world = bonebox.World()
    world.insert(1, skinned, skin=True)
    world.insert(2**64 - 1, bruno)
    assert len(world) == 2 and 1 in world and 3 not in world and world.bodies == [1, 2**64 - 1]
    assert world.unposed_bodies == world.bodies
    world.pose(1)
    phases = []
    for distance in (9.0, 0.2, 0.2, 9.0):
        world.pose(2**64 - 1, clip="guard", seconds=0.1, world_from_model=opposite(distance))
        events = world.update()
        phases.append(set(events["phase"].tolist()))
        assert events.dtype == dtypes.EVENT
        if distance < 1:
            pairs = bonebox.overlapping_boxes(
                Pose(skinned), Pose(bruno, clip="guard", seconds=0.1, world_from_model=opposite(distance))
            )
            assert np.array_equal(world.touches["box_a"], pairs["box_a"]) and (world.touches["body_b"] == 2**64 - 1).all()
            assert len(world.contacts) == len(world.touches)
    assert phases == [set(), {"started"}, {"persisted"}, {"ended"}]
    hits = world.cast_rays([[0, 1.2, 5], [0, 1.2, 5]], [[0, 0, -1], [0, 0, 1]])
    assert hits["hit"].tolist() == [True, True] and hits["body"].tolist() == [1, 2**64 - 1]
    assert not world.cast_rays([[0, 1.2, 5]], [[0, 0, -1]], exclude=[1])["hit"].any()
    world.insert(3, skinned)
    world.pose(3, world_from_model=opposite(0.2))
    with pytest.raises(bonebox.SkinError, match="body 3: .* skin=True"):
        world.exact_touches()
    world.remove(3)
    world.remove(2**64 - 1)
    assert world.exact_rays([[0, 1.2, 5]], [[0, 0, -1]])["body"].tolist() == [1]
    world.insert(2, skinned, skin=True)
    world.pose(2, world_from_model=place(0.1))
    assert len(world.exact_touches()) > 5
    with pytest.raises(bonebox.WorldError, match="insert it first"):
        world.pose(7)
    with pytest.raises(bonebox.WorldError, match="already"):
        world.insert(1, bruno)
    with pytest.raises(bonebox.PoseError, match="jab"):
        world.pose(1, clip="jabb")
    assert world.unposed_bodies == []
    with pytest.raises(bonebox.PoseError, match="world_from_model"):
        world.pose(1, world_from_model=place(1e30))
    assert world.unposed_bodies == [1]
    with pytest.raises(OverflowError):
        world.insert(-1, bruno)


def test_wrong_arrays_have_the_cure(runa: bonebox.Bake) -> None:
    joints = runa.joint_matrices()
    count = len(runa.joints)
    cases = [
        (joints[1:], ValueError, rf"\({count - 1}, 4, 4\), expected \({count}, 4, 4\)"),
        (joints[:, :3], ValueError, rf"\({count}, 3, 4\)"),
        (joints[0], ValueError, r"has the shape \(4, 4\)"),
        (joints.astype(complex), TypeError, "complex128, expected float32"),
        (joints.astype(bool), TypeError, "bool, expected float32"),
        (joints.astype(object), TypeError, "object, expected float32"),
        ("matrices", TypeError, "expected float32"),
        ([[1, 2], [3]], TypeError, "array"),
        (joints.swapaxes(1, 2), ValueError, r"transpose the matrix, with .swapaxes\(-1, -2\)"),
    ]
    for value, error, message in cases:
        with pytest.raises(error, match=message):
            Pose(runa, model_from_joint=value)
    for bad in (np.nan, np.inf, 1e300):
        broken = joints.astype(np.float64)
        broken[3, 1, 2] = bad
        with pytest.raises(ValueError, match=r"model_from_joint\[3, 1, 2\] is (NaN|inf)"):
            Pose(runa, model_from_joint=broken)
    with pytest.raises(ValueError, match="world_from_model"):
        Pose(runa, world_from_model=np.eye(3))
    with pytest.raises(bonebox.PoseError, match="world_from_model"):
        Pose(runa, world_from_model=place(3e18) * 1e18 * 0 + place(1e30))
    with pytest.raises(bonebox.PoseError, match='did you mean "jab"'):
        Pose(runa, clip="jba")
    with pytest.raises(bonebox.PoseError, match="pass an index below"):
        Pose(runa, clip=1000)
    with pytest.raises(ValueError, match="seconds is NaN"):
        Pose(runa, clip="jab", seconds=float("nan"))
    with pytest.raises(TypeError, match="exclude each other"):
        Pose(runa, clip="jab", model_from_joint=joints)
    with pytest.raises(TypeError, match="already contains the place"):
        Pose(runa, world_from_joint=joints, world_from_model=np.eye(4))
    pose = Pose(runa)
    with pytest.raises(ValueError, match=r"\(3,\), expected \(n, 3\); for a single one"):
        pose.cast_rays([0, 0, 0], [[0, 0, 1]])
    with pytest.raises(ValueError, match="2 origins and 1 directions"):
        pose.cast_rays(np.zeros((2, 3)), [[0, 0, 1]])
    with pytest.raises(ValueError, match="ray 1"):
        pose.cast_rays(np.zeros((2, 3)), [[0, 0, 1], [0, 0, 0]])
    with pytest.raises(ValueError, match=r"origins\[0, 1\] is NaN"):
        pose.cast_rays([[0, np.nan, 0]], [[0, 0, 1]])
    with pytest.raises(ValueError, match="max_time is NaN"):
        pose.cast_rays([[0, 0, 0]], [[0, 0, 1]], max_time=float("nan"))


def test_arrays_own_their_memory_and_may_be_changed(runa: bonebox.Bake) -> None:
    bake = bonebox.load(runa.to_bytes())
    pose = Pose(bake)
    arrays = [bake.boxes, bake.joint_matrices(), pose.boxes, pose.corners, pose.cast_rays([[0, 1, 5]], [[0, 0, -1]])]
    kept = [array.copy() for array in arrays]
    del bake, pose
    gc.collect()
    junk = [bonebox.load(runa.to_bytes()) for _ in range(20)]
    for array, copy in zip(arrays, kept):
        assert array.tobytes() == copy.tobytes() and array.flags.writeable
        array[...] = np.zeros_like(array)
    assert junk[0].boxes.tobytes() == runa.boxes.tobytes()


def test_strided_arrays(runa: bonebox.Bake) -> None:
    joints = runa.joint_matrices("jab", 0.25)
    strided = np.zeros((len(joints) * 2, 4, 4), dtype=np.float32)
    strided[::2] = joints
    assert Pose(runa, model_from_joint=strided[::2]).boxes.tobytes() == Pose(runa, model_from_joint=joints).boxes.tobytes()
    big = joints.astype(joints.dtype.newbyteorder())
    assert Pose(runa, model_from_joint=big).boxes.tobytes() == Pose(runa, model_from_joint=joints).boxes.tobytes()


def test_threads_share_poses_and_worlds(skinned: bonebox.Bake) -> None:
    a, b = Pose(skinned), Pose(skinned, world_from_model=place(0.1))
    world = bonebox.World()
    world.insert(1, skinned)
    expected = bonebox.exact_overlaps(a, b).tobytes(), bonebox.exact_overlaps(b, a).tobytes()
    failures: "list[BaseException]" = []

    def work(number: int) -> None:
        try:
            for step in range(5):
                # In both orders, which must not make the threads wait for each other.
                pair, answer = ((a, b), expected[0]) if number % 2 else ((b, a), expected[1])
                assert bonebox.exact_overlaps(*pair).tobytes() == answer
                world.pose(1, clip=0, seconds=step / 10)
                world.update()
        except BaseException as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
        assert not thread.is_alive()
    assert not failures


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_many_loads_leak_nothing(assets: Path) -> None:
    data = (assets / "hound.bonebox").read_bytes()

    def resident() -> int:
        gc.collect()
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    def load(count: int) -> None:
        for _ in range(count):
            bake = bonebox.load(data)
            bake.boxes
            Pose(bake).boxes
            try:
                Pose(bake, clip="none")
            except bonebox.PoseError:
                pass

    load(300)
    before = resident()
    # `cargo xtask python --long` loads 100,000 times.
    load(int(os.environ.get("BONEBOX_LOADS", "3000")))
    assert resident() - before < 4 << 20


def test_exports(assets: Path, quick: bonebox.Bake, runa: bonebox.Bake) -> None:
    assert quick.export("json") == quick.to_json().encode()
    for form in ("omi", "khr", "wire"):
        assert quick.export(form)[:4] == b"glTF"
    assert b"(" in quick.export("ron")
    with pytest.raises(bonebox.ExportError, match="model="):
        runa.export("omi")
    assert runa.export("omi", model=assets / "runa.glb")[:4] == b"glTF"
    assert runa.export("omi", model=(assets / "runa.glb").read_bytes()) == runa.export("omi", model=assets / "runa.glb")
    with pytest.raises(bonebox.ExportError, match="bake the asset again"):
        runa.export("omi", model=assets / "bruno.glb")
    with pytest.raises(ValueError, match='did you mean "khr"'):
        quick.export("khrr")  # type: ignore[arg-type]
    with pytest.raises(bonebox.ExportError, match="ragdoll"):
        quick.export("mjcf")
