"""Plots volume against coverage of a character for presets, parts and budgets.

    python volume_against_coverage.py ../../assets/runa.glb -o runa.svg

Less volume means fewer hits beside the body, and more coverage fewer hits that the hitboxes miss. Points at the lower
right are better.
"""

# %% What to bake: a name, the options, and the mark in the picture.
from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import bonebox

SERIES: "dict[str, list[tuple[str, dict[str, Any]]]]" = {
    "presets": [(preset, {"preset": preset}) for preset in ("recipe", "tight", "cover", "always")],
    "cover, parts of a human": [
        (parts, {"preset": "cover", "parts": parts}) for parts in ("humanoid-coarse", "humanoid", "humanoid-fingers")
    ],
    "cover, number of parts": [(f"{count}", {"preset": "cover", "parts": count}) for count in (6, 8, 10, 12, 18)],
    "tight, budget per joint": [(f"{count:g}", {"preset": "tight", "budget": count}) for count in (1, 1.5, 2, 3, 4)],
}
MARKS = dict(zip(SERIES, "oDs^"))
# The side of the mark where the label stands, so that labels of different series do not overlap.
SIDES = dict(zip(SERIES, ("left", "right", "left", "right")))


# %% Bake each variant and collect its figures.
def figures(path: Path) -> "dict[str, list[tuple[str, float, float, int]]]":
    """For each series: the label, the coverage over clips, the volume in liters and the number of hitboxes."""
    found: "dict[str, list[tuple[str, float, float, int]]]" = {}
    for series, variants in SERIES.items():
        rows = found[series] = []
        for label, options in variants:
            bake = bonebox.bake(path, settings=False, **options)
            coverage = bake.coverage
            assert coverage is not None, "the options above measure coverage"
            covered = coverage.rest if coverage.clips is None else coverage.clips
            rows.append((label, covered, bake.volume * 1000, len(bake.boxes)))
            print(f"{series:24} {label:16} {covered:8.2%} {bake.volume * 1000:7.1f} l {len(bake.boxes):4} hitboxes")
    return found


# %% Plot them.
def plot(found: "dict[str, list[tuple[str, float, float, int]]]", name: str, out: Path) -> None:
    # The same picture gives the same bytes, and letters stay letters.
    plt.rcParams.update({"svg.hashsalt": "bonebox", "svg.fonttype": "none"})
    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    for series, rows in found.items():
        covered, volumes = [row[1] * 100 for row in rows], [row[2] for row in rows]
        line = "none" if series == "presets" else "-"
        axes.plot(covered, volumes, MARKS[series], linestyle=line, label=series)
        place, align = (-6, "right") if SIDES[series] == "left" else (6, "left")
        for index, ((label, _, _, boxes), x, y) in enumerate(zip(rows, covered, volumes)):
            offset = (place, 3 if index % 2 else -9)
            axes.annotate(f"{label} ({boxes})", (x, y), xytext=offset, textcoords="offset points", fontsize=7, ha=align)
    axes.set_xlabel("coverage over clips, % of the skin (right is better)")
    axes.set_ylabel("volume of all hitboxes, liters (low is better)")
    axes.set_ylim(bottom=0)
    axes.margins(x=0.12)
    axes.set_title(f"{name}: volume against coverage, with the number of hitboxes")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(out, metadata={"Date": None} if out.suffix == ".svg" else None)


def main() -> int:
    parser = argparse.ArgumentParser(description="Plot volume against coverage of a character.")
    parser.add_argument("asset", type=Path, help="a .glb, .gltf or .vrm file")
    parser.add_argument("-o", "--out", type=Path, default=Path("volume_against_coverage.svg"), help="the picture")
    arguments = parser.parse_args()
    plot(figures(arguments.asset), arguments.asset.stem, arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
