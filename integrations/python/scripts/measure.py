"""Prints what calls cost: ``measure.py ASSETS``, with the folder of ``runa.glb``, ``runa.bonebox`` and ``bruno.bonebox``."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import bonebox
from bonebox import Pose

#: The fastest of several runs counts, because other programs only make runs slower.
RUNS = 7


def microseconds(call: Callable[[], object], times: int) -> float:
    def run() -> float:
        start = time.perf_counter()
        for _ in range(times):
            call()
        return (time.perf_counter() - start) / times * 1e6

    return min(run() for _ in range(RUNS))


def main() -> int:
    assets = Path(sys.argv[1])
    data = (assets / "runa.bonebox").read_bytes()
    runa, bruno = bonebox.load(data), bonebox.load(assets / "bruno.bonebox")
    matrices = runa.joint_matrices("jab", 0.3)
    a, b = Pose(runa), Pose(bruno)
    count = 100_000
    random = np.random.default_rng(1)
    origins = np.column_stack([random.uniform(-1, 1, count), random.uniform(0, 2, count), np.full(count, 5.0)])
    directions = np.tile([0.0, 0.0, -1.0], (count, 1))
    calls: "dict[str, tuple[Callable[[], object], int]]" = {
        "load": (lambda: bonebox.load(data), 50),
        "Pose of a clip": (lambda: Pose(runa, clip="jab", seconds=0.3), 1000),
        "Pose of matrices": (lambda: Pose(runa, model_from_joint=matrices), 1000),
        "Pose.boxes": (lambda: a.boxes, 1000),
        "overlaps": (lambda: bonebox.overlaps(a, b), 1000),
        "contacts": (lambda: bonebox.contacts(a, b), 200),
        f"cast_rays of {count:,} rays": (lambda: a.cast_rays(origins, directions), 1),
    }
    print(f"{len(runa.joints)} and {len(bruno.joints)} joints, {len(runa.boxes)} and {len(bruno.boxes)} hitboxes")
    for name, (call, times) in calls.items():
        print(f"{name:28} {microseconds(call, times):10.1f} µs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
