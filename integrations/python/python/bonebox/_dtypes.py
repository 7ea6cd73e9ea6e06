"""The structured dtypes of the arrays that bonebox returns. All numbers are those of the Rust library, bit for bit."""

from __future__ import annotations

import numpy as np

_PAIR = [("joint_a", "u2"), ("joint_b", "u2"), ("box_a", "u2"), ("box_b", "u2")]
_RAY = [("hit", "?"), ("box", "i4"), ("joint", "i4"), ("entry", "f4"), ("exit", "f4"), ("normal", "f4", (3,))]
_SKIN_RAY = [
    ("hit", "?"),
    ("joint", "i4"),
    ("time", "f4"),
    ("point", "f4", (3,)),
    ("normal", "f4", (3,)),
    ("front", "?"),
    ("triangle", "i8"),
    ("barycentric", "f4", (3,)),
    ("texture_coordinate", "f4", (2,)),
]
_BODY = ("body", "u8")
_BODIES = [("body_a", "u8"), ("body_b", "u8")]

#: A hitbox in the space of its joint: ``Bake.boxes``.
BOX = np.dtype(
    [
        ("joint", "u2"),
        ("shape", "U7"),
        ("role", "U6"),
        ("center", "f4", (3,)),
        ("half_extents", "f4", (3,)),
        ("orientation", "f4", (4,)),
    ]
)

#: A hitbox in world space: ``Pose.boxes``. ``axes[:, i]`` is the unit vector of axis ``i``.
POSED_BOX = np.dtype(
    [("joint", "u2"), ("shape", "U7"), ("center", "f4", (3,)), ("half_extents", "f4", (3,)), ("axes", "f4", (3, 3))]
)

#: Two hitboxes that overlap: ``overlapping_boxes``.
PAIR = np.dtype(_PAIR)

#: Two hitboxes that overlap, with depth, direction from a to b, and the mean of the contact points: ``contacts``.
CONTACT = np.dtype([*_PAIR, ("depth", "f4"), ("direction", "f4", (3,)), ("point", "f4", (3,))])

#: The skins of two joints share a point: ``exact_overlaps``.
SKIN_PAIR = np.dtype(
    [("joint_a", "u2"), ("joint_b", "u2"), ("triangle_a", "u4"), ("triangle_b", "u4"), ("point", "f4", (3,))]
)

#: One entry for each ray: ``Pose.cast_rays``.
RAY_HIT = np.dtype(_RAY)

#: One entry for each ray against the skin: ``Pose.exact_rays``.
SKIN_RAY_HIT = np.dtype(_SKIN_RAY)

#: One entry for each ray against all bodies: ``World.cast_rays``.
BODY_RAY_HIT = np.dtype([_BODY, *_RAY])

#: One entry for each ray against the skins of all bodies: ``World.exact_rays``.
BODY_SKIN_RAY_HIT = np.dtype([_BODY, *_SKIN_RAY])

#: Two hitboxes of two bodies that overlap: ``World.touches``.
TOUCH = np.dtype([*_BODIES, *_PAIR])

#: A touch that started, persisted or ended with the last update: ``World.events``.
EVENT = np.dtype([("phase", "U9"), *_BODIES, *_PAIR])

#: A touch with depth, direction and point: ``World.contacts``.
TOUCH_CONTACT = np.dtype([*_BODIES, *_PAIR, ("depth", "f4"), ("direction", "f4", (3,)), ("point", "f4", (3,))])

#: The skins of two joints of two bodies share a point: ``World.exact_touches``.
SKIN_TOUCH = np.dtype([*_BODIES, *SKIN_PAIR.descr])
