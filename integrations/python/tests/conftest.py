"""Paths of the repository. The tests use the installed wheel, never the source folder of the package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import bonebox

ROOT = Path(__file__).resolve().parents[3]
ASSETS = ROOT / "assets"


@pytest.fixture(scope="session")
def assets() -> Path:
    return ASSETS


@pytest.fixture(scope="session")
def runa() -> bonebox.Bake:
    """Runa, as the repository's own bake has her."""
    return bonebox.load(ASSETS / "runa.bonebox")


@pytest.fixture(scope="session")
def bruno() -> bonebox.Bake:
    return bonebox.load(ASSETS / "bruno.bonebox")


@pytest.fixture(scope="session")
def quick() -> bonebox.Bake:
    """A bake that takes little time."""
    return bonebox.bake(ASSETS / "runa.glb", "recipe", settings=False, measure="none")


@pytest.fixture(scope="session")
def skinned() -> bonebox.Bake:
    return bonebox.bake(ASSETS / "runa.glb", "recipe", settings=False, measure="none", skin="lossless")


def program(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the Rust program that `cargo xtask python` built, or the one in the wheel."""
    own = os.environ.get("BONEBOX_PROGRAM")
    command = [own] if own else [sys.executable, "-m", "bonebox"]
    return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
