"""Bakes: the same as the program's, and exceptions with the cure."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import program
from two_characters import in_one_file

import bonebox


def test_a_bake_has_the_bytes_of_the_program(assets: Path, tmp_path: Path) -> None:
    shutil.copy(assets / "runa.glb", tmp_path)
    own = tmp_path / "program"
    done = program("bake", str(tmp_path / "runa.glb"), "--preset", "tight", "--max-boxes", "24", "-o", str(own))
    assert done.returncode == 0, done.stderr
    bake = bonebox.bake(tmp_path / "runa.glb", preset="tight", max_boxes=24, out=tmp_path / "python")
    for name in ("runa.bonebox", "runa.bonebox.json"):
        assert (own / name).read_bytes() == (tmp_path / "python" / name).read_bytes()
    assert bake.to_bytes() == (own / "runa.bonebox").read_bytes()
    assert bake.to_json().encode() == (own / "runa.bonebox.json").read_bytes()
    of_bytes = bonebox.bake((tmp_path / "runa.glb").read_bytes(), "tight", name="runa.glb", max_boxes=24)
    assert of_bytes.to_bytes() == bake.to_bytes()


def test_boxes_are_those_of_the_json_bit_for_bit(runa: bonebox.Bake) -> None:
    told = runa.to_dict()["boxes"]
    assert len(told) == len(runa.boxes) == len(runa.hitboxes) > 10
    for box, hitbox, own in zip(runa.boxes, runa.hitboxes, told):
        assert runa.joints[box["joint"]] == hitbox.joint
        assert box["shape"] == hitbox.shape and box["role"] == hitbox.role
        for field in ("center", "half_extents", "orientation"):
            assert np.array_equal(box[field], np.asarray(own[field], "f4")), (field, own)
            assert tuple(box[field].tolist()) == getattr(hitbox, field)


def test_figures(runa: bonebox.Bake, quick: bonebox.Bake) -> None:
    coverage = runa.coverage
    assert coverage is not None and coverage.clips is not None and 0.9 < coverage.rest <= 1.0
    assert quick.coverage is None and quick.volume > 0.05
    assert quick.height == pytest.approx(1.7, abs=0.2) and runa.height is None
    assert {clip.name for clip in runa.clips} >= {"jab"} and all(clip.seconds > 0 for clip in runa.clips)
    for joint, parent in enumerate(runa.parents):
        assert parent is None or parent < joint
    assert runa.options["preset"] in ("tight", "cover", "always", "recipe") or "fit" in runa.options
    assert "runa" in repr(runa)


def test_escapes(assets: Path) -> None:
    bake = bonebox.bake(assets / "runa.glb", "recipe", settings=False)
    escapes = bake.escapes()
    assert bake.coverage is not None and bake.coverage.largest_escape is not None and bake.height is not None
    worst = escapes[0]
    assert worst.share_of_height == pytest.approx(bake.coverage.largest_escape, abs=1e-6)
    assert worst.distance == pytest.approx(worst.share_of_height * bake.height)
    assert [one.distance for one in escapes] == sorted((one.distance for one in escapes), reverse=True)
    assert all(one.joint in bake.joints and len(one.point) == 3 for one in escapes)
    with pytest.raises(bonebox.Error, match="bake the asset"):
        bonebox.load(bake.to_bytes()).escapes()


def test_settings_apply_as_for_the_program(assets: Path, tmp_path: Path) -> None:
    shutil.copy(assets / "runa.glb", tmp_path)
    settings = tmp_path / "bonebox.toml"
    settings.write_text("preset = 'recipe'\nmeasure = 'none'\n[characters.runa.joints.head]\nskip = true\n")
    path = tmp_path / "runa.glb"

    def heads(bake: bonebox.Bake) -> "list[bonebox.Hitbox]":
        return [one for one in bake.hitboxes if one.joint == "head"]

    nearest = bonebox.bake(path)
    assert not heads(nearest) and nearest.settings_path is not None
    assert nearest.settings_path == settings.resolve()
    assert heads(bonebox.bake(path, "recipe", settings=False, measure="none"))
    assert bonebox.bake(path, settings=settings).to_bytes() == nearest.to_bytes()
    assert bonebox.bake(path, settings_text=settings.read_text()).to_bytes() == nearest.to_bytes()
    data = path.read_bytes()
    assert bonebox.bake(data, name="runa.glb", settings=settings).to_bytes() == nearest.to_bytes()
    assert heads(bonebox.bake(data, "recipe", name="runa.glb", measure="none"))


def test_a_broken_limit_writes_nothing(assets: Path, tmp_path: Path) -> None:
    shutil.copy(assets / "runa.glb", tmp_path)
    (tmp_path / "bonebox.toml").write_text("preset = 'recipe'\n[limits]\nleast_surface_rest = 1.0\n")
    bake = bonebox.bake(tmp_path / "runa.glb", measure="rest")
    assert len(bake.broken_limits) == 1
    with pytest.raises(bonebox.BakeError, match="no file was written") as raised:
        bonebox.bake(tmp_path / "runa.glb", out=tmp_path, measure="rest")
    assert list(raised.value.limits) == bake.broken_limits
    assert not (tmp_path / "runa.bonebox").exists()


def test_save_and_load(quick: bonebox.Bake, tmp_path: Path) -> None:
    quick.save(tmp_path / "a.bonebox")
    assert (tmp_path / "a.bonebox.json").read_text() == quick.to_json()
    loaded = bonebox.load(tmp_path / "a.bonebox")
    assert loaded.to_bytes() == quick.to_bytes() == bonebox.load(bytearray(quick.to_bytes())).to_bytes()
    assert pickle.loads(pickle.dumps(quick)).to_bytes() == quick.to_bytes()
    with pytest.raises(ValueError, match="NAME.bonebox"):
        quick.save(tmp_path / "a.json")


@pytest.mark.parametrize(
    ("options", "option", "message"),
    [
        ({"fitt": "pca"}, "fitt", 'did you mean "fit"'),
        ({"fit": "pac"}, "fit", 'did you mean "pca"'),
        ({"max_boxes": 2.5}, "max_boxes", "whole number"),
        ({"keep": 2}, "keep", "0 to 1"),
        ({"preset": "tihgt"}, "preset", 'did you mean "tight"'),
    ],
)
def test_wrong_options_have_the_words_of_the_program(
    assets: Path, options: "dict[str, object]", option: str, message: str
) -> None:
    with pytest.raises(bonebox.BakeError, match=message) as raised:
        bonebox.bake(assets / "runa.glb", settings=False, **options)  # type: ignore[arg-type]
    assert raised.value.option == option
    told = program("bake", str(assets / "runa.glb"), *(f"--{key}={value}" for key, value in options.items()))
    assert told.returncode == 2 and (option == "fitt" or str(raised.value) in told.stderr)


def test_wrong_settings_name_their_line(assets: Path, tmp_path: Path) -> None:
    settings = tmp_path / "bonebox.toml"
    settings.write_text("preset = 'tight'\nfitt = 3\n")
    with pytest.raises(bonebox.BakeError, match="did you mean") as raised:
        bonebox.bake(assets / "runa.glb", settings=settings)
    assert (raised.value.line, raised.value.column) == (2, 1)
    assert raised.value.path is not None and raised.value.path.endswith("bonebox.toml")
    with pytest.raises(bonebox.BakeError, match="did you mean \"head\""):
        bonebox.bake(assets / "runa.glb", settings_text="[characters.runa.joints.haed]\nskip = true")


def test_missing_and_wrong_files(assets: Path, tmp_path: Path) -> None:
    for read in (bonebox.bake, bonebox.load):
        with pytest.raises(bonebox.MissingFileError, match="missing.glb") as raised:
            read(tmp_path / "missing.glb")
        assert isinstance(raised.value, FileNotFoundError) and raised.value.path is not None
    with pytest.raises(bonebox.MissingFileError, match="missing.toml"):
        bonebox.bake(assets / "runa.glb", settings=tmp_path / "missing.toml")
    with pytest.raises(bonebox.BakeError, match="name the asset"):
        bonebox.bake(assets / "runa.bonebox")
    with pytest.raises(bonebox.LoadError):
        bonebox.load(b"no bake")
    for asset in (assets / "runa.glb", (assets / "runa.glb").read_bytes()):
        with pytest.raises(bonebox.LoadError, match="bonebox.bake"):
            bonebox.load(asset)
    with pytest.raises(bonebox.BakeError):
        bonebox.bake(b"glTF")
    for wrong in (3, None, 1.5, ["runa.glb"]):
        with pytest.raises(TypeError, match="expected a path"):
            bonebox.bake(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="exclude each other"):
        bonebox.bake(assets / "runa.glb", settings=False, settings_text="")
    with pytest.raises(TypeError, match="a word, a number"):
        bonebox.bake(assets / "runa.glb", merge={"a": 1})  # type: ignore[arg-type]


def test_one_of_several_characters(assets: Path, tmp_path: Path) -> None:
    path, runa = tmp_path / "pair.glb", (assets / "runa.glb").read_bytes()
    path.write_bytes(in_one_file(runa, runa))
    with pytest.raises(bonebox.BakeError, match='has 2 characters.* pass character="left"'):
        bonebox.bake(path, "recipe", measure="none")
    alone = bonebox.bake(assets / "runa.glb", "recipe", settings=False, measure="none")
    for root in ("left", "right"):
        bake = bonebox.bake(path, "recipe", out=tmp_path, character=root, measure="none")
        assert bake.name == f"pair_{root}" and (tmp_path / f"{bake.name}.bonebox").exists()
        assert bake.boxes["half_extents"].tobytes() == alone.boxes["half_extents"].tobytes()
    with pytest.raises(bonebox.BakeError, match="its characters have the roots"):
        bonebox.bake(path, character="nobody")
    with pytest.raises(TypeError, match="several characters"):
        bonebox.bake(path.read_bytes(), character="left")


def test_progress_and_cancel(assets: Path) -> None:
    steps: "list[tuple[str, int, int]]" = []
    threads = set()

    def note(*step: object) -> None:
        steps.append(step)  # type: ignore[arg-type]
        threads.add(threading.get_ident())

    bonebox.bake(assets / "runa.glb", "recipe", settings=False, progress=note)
    assert [step[0] for step in steps] == ["assign", "sample", "split", "fit", "measure"]
    assert [step[1:] for step in steps] == [(number, 5) for number in range(1, 6)]
    assert threads == {threading.get_ident()}
    with pytest.raises(bonebox.Canceled):
        bonebox.bake(assets / "runa.glb", "tight", settings=False, progress=lambda *step: False)

    def fail(*step: object) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        bonebox.bake(assets / "runa.glb", "tight", settings=False, progress=fail)


def test_other_threads_run_during_a_bake_and_bakes_run_in_parallel(assets: Path) -> None:
    ticks = []
    is_done = threading.Event()

    def tick() -> None:
        while not is_done.wait(0.002):
            ticks.append(time.monotonic())

    ticking = threading.Thread(target=tick)
    ticking.start()
    results: "list[bytes]" = []
    bake = lambda: results.append(bonebox.bake(assets / "runa.glb", "tight", settings=False).to_bytes())  # noqa: E731
    bakes = [threading.Thread(target=bake) for _ in range(3)]
    begin = time.monotonic()
    for one in bakes:
        one.start()
    for one in bakes:
        one.join()
    end = time.monotonic()
    is_done.set()
    ticking.join()
    assert len(results) == 3 and len(set(results)) == 1
    during = [time for time in ticks if begin < time < end]
    assert len(during) > 10


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no fork")
def test_a_forked_process_can_bake(assets: Path) -> None:
    code = (
        "import bonebox, os, sys, warnings; warnings.simplefilter('ignore')\n"
        f"bake = lambda: bonebox.bake({str(assets / 'runa.glb')!r}, 'recipe', settings=False, measure='none').to_bytes()\n"
        "own = bake(); child = os.fork()\n"
        "if child == 0: os._exit(0 if bake() == own else 1)\n"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    subprocess.run([sys.executable, "-c", code], timeout=120, check=True)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_stops_a_bake(assets: Path) -> None:
    code = (
        # A shell starts background jobs with Ctrl-C ignored.
        "import bonebox, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "print('ready', flush=True)\n"
        f"try:\n  while True: bonebox.bake({str(assets / 'runa.glb')!r}, 'tight', settings=False)\n"
        "except KeyboardInterrupt: print('stopped', flush=True); sys.exit(7)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(2)
    out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (7, "stopped\n")
