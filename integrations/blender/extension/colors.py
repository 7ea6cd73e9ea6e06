"""Colors of hitboxes, by their tags."""

import zlib

#: Bright, different, and visible on a light and a dark background.
PALETTE = (
    (0.90, 0.22, 0.21, 1.0),
    (0.12, 0.53, 0.90, 1.0),
    (0.26, 0.63, 0.28, 1.0),
    (0.98, 0.55, 0.00, 1.0),
    (0.56, 0.27, 0.68, 1.0),
    (0.00, 0.67, 0.69, 1.0),
    (0.85, 0.11, 0.38, 1.0),
    (0.55, 0.43, 0.39, 1.0),
)

#: The first word of the tags that bonebox gives to a humanoid.
_KNOWN = {"head": 0, "torso": 1, "arm": 2, "leg": 3, "hand": 4, "foot": 5, "neck": 6}


def color_of(tags):
    """The color of a list of tags. Left and right have the same color; `hurt` is no tag of its own."""
    words = sorted(tag.split(".")[0] for tag in tags if tag != "hurt")
    known = [word for word in words if word in _KNOWN]
    if known:
        return PALETTE[_KNOWN[known[0]]]
    if words:
        return PALETTE[zlib.crc32(words[0].encode()) % len(PALETTE)]
    return PALETTE[-1]
