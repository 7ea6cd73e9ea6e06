"""The code of the guide and the examples run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

GUIDE = (ROOT / "docs" / "python.md").read_text()
README = (ROOT / "integrations" / "python" / "README.md").read_text()
BLOCKS = [match for text in (GUIDE, README) for match in re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)]
EXAMPLES = ROOT / "integrations" / "python" / "examples"


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_a_block_runs(number: int, assets: Path, tmp_path: Path) -> None:
    for name in ("runa.glb", "runa.bonebox", "bruno.bonebox"):
        shutil.copy(assets / name, tmp_path)
    done = subprocess.run([sys.executable, "-c", BLOCKS[number]], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{BLOCKS[number]}\n{done.stderr}"
    assert done.stdout or "write_text" in BLOCKS[number]


def test_there_are_blocks() -> None:
    assert len(BLOCKS) >= 6


def test_the_pipeline_step(assets: Path, tmp_path: Path) -> None:
    (tmp_path / "in" / "people").mkdir(parents=True)
    shutil.copy(assets / "runa.glb", tmp_path / "in" / "people")
    (tmp_path / "in" / "broken.glb").write_bytes(b"glTF")
    command = [sys.executable, str(EXAMPLES / "pipeline_step.py"), str(tmp_path / "in"), str(tmp_path / "out"), "--usd"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "broken.glb" in done.stderr and "runa.glb" not in done.stderr, done.stderr
    assert (tmp_path / "out" / "people" / "runa.bonebox.json").exists()
    assert (tmp_path / "out" / "people" / "runa.usda").read_bytes().startswith(b"#usda")


@pytest.mark.skipif("BONEBOX_PICTURES" not in os.environ, reason="takes a minute; `cargo xtask python --long` draws it")
def test_the_plot_is_reproducible(assets: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    out = tmp_path / "plot.svg"
    command = [sys.executable, str(EXAMPLES / "volume_against_coverage.py"), str(assets / "runa.glb"), "-o", str(out)]
    subprocess.run(command, check=True)
    assert out.stat().st_size < 60_000
