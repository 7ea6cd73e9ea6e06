"""Reads the ragdolls of a folder, NAME.ragdoll.json, NAME.mjcf.xml and NAME.urdf, with MuJoCo and PyBullet.

`cargo xtask engines ragdoll` writes the folder and runs this. In the rest pose, bodies must stand as in the bake. Every fall
must stay finite, and nine of ten must come to rest: less than a hundredth of the speed of a fall from the figure's size.
"""

import argparse
import glob
import os
import sys
import tempfile

import mujoco

import mujoco_falls
import urdf_loads
from figure import Figure

FALLS = 10


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--only")
    arguments = parser.parse_args()
    folder = os.path.abspath(arguments.folder)
    files = sorted(glob.glob(os.path.join(folder, "*.ragdoll.json")))
    files = [file for file in files if not arguments.only or arguments.only in file]
    if not files:
        sys.exit(f"{folder} has no *.ragdoll.json")
    print(f"MuJoCo {mujoco.__version__}")
    print("| character | bodies | at rest in 10 s | latest | joints apart | past ranges at impacts | at rest | past swing and twist |")
    print("|---|---|---|---|---|---|---|---|")
    problems = []
    # MuJoCo writes a log into the working directory.
    with tempfile.TemporaryDirectory() as working:
        os.chdir(working)
        for file in files:
            problems += check(file.removesuffix(".ragdoll.json"))
        os.chdir(folder)
    for problem in problems:
        print(f"FAILED: {problem}")
    sys.exit(1 if problems else 0)


def check(path):
    figure = Figure(f"{path}.ragdoll.json")
    problems = []
    try:
        urdf_loads.load(figure, f"{path}.urdf")
    except (AssertionError, ValueError, RuntimeError) as problem:
        problems.append(f"{figure.name}: URDF: {problem}")
    try:
        model, data, ids = mujoco_falls.load(figure, f"{path}.mjcf.xml")
    except (AssertionError, ValueError) as problem:
        return problems + [f"{figure.name}: MJCF: {problem}"]
    falls = [mujoco_falls.fall(figure, model, data, ids, seed) for seed in range(FALLS)]
    rested = [fall["rest"] for fall in falls if fall["rest"] is not None]
    most = {key: max(fall[key] for fall in falls) for key in ("apart", "impact", "hinge", "end", "far")}
    latest = f"{max(rested):.1f} s" if len(rested) == FALLS else "not in 10 s"
    print(
        f"| {figure.name} | {len(ids)} | {len(rested)} of {FALLS} | {latest} | {100 * most['apart']:.4f} % "
        f"| {most['hinge']:.1f}° | {most['end']:.1f}° | {most['impact']:.0f}° |",
        flush=True,
    )
    if not all(fall["finite"] for fall in falls):
        problems.append(f"{figure.name}: a fall is not finite")
    if most["apart"] > 1e-4:
        problems.append(f"{figure.name}: joints are apart by {most['apart']} of the size")
    if most["far"] > 20:
        problems.append(f"{figure.name}: a fall ends {most['far']} sizes away")
    if most["impact"] > 25:
        problems.append(f"{figure.name}: a joint is {most['impact']} degrees past its swing or twist")
    if most["hinge"] > 15:
        problems.append(f"{figure.name}: a hinge is {most['hinge']} degrees past its range")
    if most["end"] > 1:
        problems.append(f"{figure.name}: a hinge at rest is {most['end']} degrees past its range")
    if len(rested) < FALLS - 1:
        problems.append(f"{figure.name}: {len(rested)} of {FALLS} falls come to rest")
    return problems


if __name__ == "__main__":
    main()
