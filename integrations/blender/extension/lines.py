"""Meshes of lines in the unit cube, from -1 to 1, so that an object's scale is the half extents of its hitbox."""

import math

import bpy

#: Corners of a circle.
STEPS = 24


def _cube():
    corners = [tuple(1.0 if corner >> axis & 1 else -1.0 for axis in range(3)) for corner in range(8)]
    edges = [(corner, corner | 1 << axis) for corner in range(8) for axis in range(3) if not corner >> axis & 1]
    return corners, edges


def _loop(points):
    """A closed line."""
    return list(points), [(index, (index + 1) % len(points)) for index in range(len(points))]


def _circle(across, along, height=0.0):
    """A unit circle in the plane of two axes."""
    points = []
    for step in range(STEPS):
        angle = 2 * math.pi * step / STEPS
        point = [height] * 3
        point[across], point[along] = math.cos(angle), math.sin(angle)
        points.append(tuple(point))
    return _loop(points)


def _outline(across, cap):
    """The outline of a capsule along y. `cap` is the height of a cap as a share of the half length."""
    points = []
    for step in range(STEPS):
        angle = 2 * math.pi * (step + 0.5) / STEPS
        point = [0.0] * 3
        point[across] = math.cos(angle)
        point[1] = math.copysign(1.0 - cap, math.sin(angle)) + cap * math.sin(angle)
        points.append(tuple(point))
    # The ends of the caps reach the cube.
    points += [(0.0, 1.0, 0.0), (0.0, -1.0, 0.0)]
    points.sort(key=lambda point: math.atan2(point[1], point[across]))
    return _loop(points)


def _joined(parts):
    vertices, edges = [], []
    for points, lines in parts:
        edges += [(a + len(vertices), b + len(vertices)) for a, b in lines]
        vertices += points
    return vertices, edges


def mesh_of(name, shape, half_extents):
    """A mesh of lines that fills the cube. Every hitbox has its own, so that edit mode changes one hitbox."""
    if shape == "sphere":
        vertices, edges = _joined([_circle(0, 1), _circle(1, 2), _circle(2, 0)])
    elif shape == "capsule":
        radius, length = half_extents[0], half_extents[1]
        cap = min(1.0, radius / length) if length > 0 else 1.0
        rings = [_circle(0, 2, 1.0 - cap), _circle(0, 2, cap - 1.0)]
        vertices, edges = _joined([_outline(0, cap), _outline(2, cap), *rings])
    else:
        vertices, edges = _cube()
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, edges, [])
    return mesh
