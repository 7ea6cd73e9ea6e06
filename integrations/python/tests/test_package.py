"""The package itself: the command line, documentation and the stub."""

from __future__ import annotations

import inspect
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import bonebox


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-m", "bonebox", *arguments], capture_output=True, text=True, check=False)


def test_the_command_line(assets: Path, tmp_path: Path) -> None:
    version = run("--version")
    assert (version.returncode, version.stdout) == (0, f"bonebox {bonebox.__version__}\n")
    told = run("inspect", str(assets / "runa.bonebox"))
    assert told.returncode == 0 and "head" in told.stdout
    assert run("inspect", str(tmp_path / "missing.bonebox")).returncode == 1
    assert run("inspekt").returncode == 2
    same, other = str(assets / "runa.bonebox"), str(assets / "bruno.bonebox")
    assert [run("diff", same, same).returncode, run("diff", same, other).returncode] == [0, 1]


#: A bake that takes many times the second after which it is stopped.
SLOW = ["--preset", "cover", "--force", "--rate", "1000", "--jobs", "1"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(("arguments", "code"), [(SLOW, -signal.SIGINT), (["--watch"], 0)])
def test_ctrl_c_ends_the_command_line(assets: Path, tmp_path: Path, arguments: "list[str]", code: int) -> None:
    """As for the program: a bake ends at once, and a watch stops well."""
    command = [sys.executable, "-m", "bonebox", "bake", str(assets), "-o", str(tmp_path), *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if code == 0:
        assert process.stdout is not None
        while "watching" not in process.stdout.readline().lower():
            assert process.poll() is None
    else:
        time.sleep(1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == code


def test_everything_public_has_a_docstring() -> None:
    for name in bonebox.__all__:
        item = getattr(bonebox, name)
        if inspect.isclass(item) or callable(item):
            assert item.__doc__ and len(item.__doc__) > 20, name
    # The docstrings of the other classes explain their fields.
    for owner in (bonebox.Bake, bonebox.Pose, bonebox.World):
        for member, value in vars(owner).items():
            assert member.startswith("_") or value.__doc__, f"{owner}.{member}"


def test_options_are_those_of_the_program() -> None:
    options = {option["key"]: option for option in bonebox.bake_options()}
    assert {"preset", "fit", "parts", "max_boxes", "keep"} <= set(options)
    assert "tight" in options["preset"]["words"] and options["fit"]["help"]
