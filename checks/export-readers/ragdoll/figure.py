"""A ragdoll as `bonebox export --to ragdoll` writes it, which the other files must agree with."""

import json

import numpy as np

# Turns model space, with y up and z forward, into a space with z up and x forward. Quaternions have w first here.
Z_UP = np.array([0.5, 0.5, 0.5, 0.5])


def multiply(a, b):
    aw, ax, ay, az = np.moveaxis(np.asarray(a), -1, 0)
    bw, bx, by, bz = np.moveaxis(np.asarray(b), -1, 0)
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def conjugate(q):
    return np.asarray(q) * [1, -1, -1, -1]


def rotate(q, v):
    w, u = np.asarray(q)[..., :1], np.asarray(q)[..., 1:]
    t = 2 * np.cross(u, v)
    return v + w * t + np.cross(u, t)


def matrix(q):
    return np.stack([rotate(q, axis) for axis in np.eye(3)], axis=1)


def w_first(q):
    q = np.array([q[3], q[0], q[1], q[2]], dtype=float)
    return q / np.linalg.norm(q)


class Figure:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        assert data["format"] == "bonebox-ragdoll" and data["format_version"] == 1, data["format"]
        self.name, self.size, self.mass = data["name"], data["size"], data["mass"]
        self.bodies = bodies = data["bodies"]
        self.names = [body["name"] for body in bodies]
        self.positions = rotate(Z_UP, np.array([body["position"] for body in bodies]))
        self.rotations = multiply(Z_UP, np.array([w_first(body["rotation"]) for body in bodies]))
        self.held = [index for index, body in enumerate(bodies) if body["parent"] >= 0]
        self.parents = [bodies[index]["parent"] for index in self.held]
        held = [bodies[index]["constraint"] for index in self.held]
        self.anchors = np.array([one["anchor"] for one in held]).reshape(-1, 3)
        self.parent_frames = np.array([w_first(one["parent_from_frame"]) for one in held]).reshape(-1, 4)
        self.body_frames = np.array([w_first(one["body_from_frame"]) for one in held]).reshape(-1, 4)
        self.limits = np.array([[one["twist"], one["swing_y"], one["swing_z"]] for one in held]).reshape(-1, 3)
        self.hinges = np.array([one["kind"] == "hinge" for one in held], dtype=bool)

    @property
    def time(self):
        """The time that a fall takes, in multiples of that of a person."""
        return float(np.sqrt(self.size / 1.7))

    def inertia(self, index):
        xx, yy, zz, xy, xz, yz = self.bodies[index]["inertia"]
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    def held_badly(self, positions, rotations):
        """The largest distance between held places, and the most degrees past a limit of swing or twist."""
        if not self.held:
            return 0.0, 0.0
        parents, children = rotations[self.parents], rotations[self.held]
        anchors = positions[self.parents] + rotate(parents, self.anchors)
        apart = np.linalg.norm(anchors - positions[self.held], axis=1).max()
        turn = multiply(multiply(conjugate(multiply(parents, self.parent_frames)), children), self.body_frames)
        turn = np.where(turn[:, :1] < 0, -turn, turn)
        w, x, y, z = turn.T
        twist, back = 2 * np.arctan2(x, w), np.hypot(x, w)
        cosine, sine = w / back, x / back
        across = np.stack([cosine * y - sine * z, cosine * z + sine * y], axis=1)
        length = np.linalg.norm(across, axis=1)
        swing = across * (2 * np.arctan2(length, back) / np.maximum(length, 1e-12))[:, None]
        swing[self.hinges] = 0
        past = np.abs(np.column_stack([twist, swing])) - self.limits
        return apart, float(np.degrees(max(past.max(), 0.0)))
