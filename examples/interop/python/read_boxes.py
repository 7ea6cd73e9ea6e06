"""Reads .bonebox files and prints their boxes, one JSON object a line, and the humanoid. See ../README.md."""

import json
import math
import struct
import sys
import zlib

from bonebox.Character import Character
from bonebox.HumanBone import HumanBone
from bonebox.HumanoidSource import HumanoidSource
from bonebox.Shape import Shape

HEADER = struct.Struct("<8sHHIQII")
MAGIC = b"\x89BBX\r\n\x1a\n"
FORMAT_VERSION = 1
MAX_FILE_BYTES = 1 << 29


def require(is_right, problem):
    if not is_right:
        raise ValueError(problem)


def read(file):
    """The character in the bytes of a file."""
    require(len(file) >= HEADER.size, "cut off: shorter than a header")
    magic, version, _minor, _zero, payload_bytes, payload_checksum, header_checksum = HEADER.unpack_from(file)
    require(magic == MAGIC, "not a .bonebox file")
    require(zlib.crc32(file[:28]) == header_checksum, "damaged: the header's checksum is wrong")
    require(version == FORMAT_VERSION, f"unsupported version {version}; this program reads version 1")
    require(payload_bytes <= MAX_FILE_BYTES - HEADER.size, "limit: longer than a .bonebox file may be")
    require(len(file) == HEADER.size + payload_bytes, "cut off, or too long: the header names another length")
    payload = file[HEADER.size :]
    require(zlib.crc32(payload) == payload_checksum, "damaged: the payload's checksum is wrong")
    return Character.GetRootAs(payload, 0)


def single(number):
    """Rounded to a 32-bit float."""
    return struct.unpack("<f", struct.pack("<f", number))[0]


def shortest(number):
    """The shortest decimal that reads back to the same 32-bit float."""
    for digits in range(6, 10):
        candidate = float(f"{number:.{digits}g}")
        if single(candidate) == number:
            return candidate
    return number


def vector(v):
    return [shortest(v.X()), shortest(v.Y()), shortest(v.Z())]


def line(box, envelope, character):
    shapes = names_of(Shape)
    require(box.Shape() in shapes, "unsupported shape; a newer program knows it")
    require(box.Joint() < character.JointsLength(), "invalid: a box without a joint")
    half, q = box.HalfExtents(), box.Orientation()
    if box.Shape() == Shape.Box:
        volume = single(single(single(8.0 * half.X()) * half.Y()) * half.Z())
    else:
        radius, long = half.X(), half.Y()
        volume = single(math.pi * radius * radius * (4.0 / 3.0 * radius + 2.0 * (long - radius)))
    fields = {
        "joint": character.Joints(box.Joint()).Name().decode("utf-8"),
        "joint_index": box.Joint(),
        "shape": shapes[box.Shape()],
        "tags": [box.Tags(i).decode("utf-8") for i in range(box.TagsLength())],
        "center": vector(box.Center()),
        "half_extents": vector(half),
        "orientation": [shortest(component) for component in (q.X(), q.Y(), q.Z(), q.W())],
        "vertices": box.Vertices(),
        "hull_vertices": box.HullVertices(),
        "hull_volume": shortest(box.HullVolume()),
        "volume": shortest(volume),
    }
    least = box.MinVolume()
    if least:
        ratio = single(volume / least)
        if math.isfinite(ratio):
            fields["min_volume_ratio"] = shortest(ratio)
    if envelope is not None:
        movers = [envelope.Movers(i).Joint() for i in range(envelope.MoversLength())]
        require(all(joint < character.JointsLength() for joint in movers), "invalid: a mover without a joint")
        motions = sum(envelope.Clusters(i).Motions() for i in range(envelope.ClustersLength()))
        require(motions == envelope.MotionsLength(), "invalid: clusters with other motions than there are")
        fields["moved_by"] = [character.Joints(joint).Name().decode("utf-8") for joint in movers]
        fields["clusters"] = envelope.ClustersLength()
        fields["motions"] = motions
    return json.dumps(fields, ensure_ascii=False)


def names_of(enumeration):
    """The names of an enumeration's values, as VRM and the JSON beside a bake spell them."""
    members = vars(enumeration).items()
    return {value: name[0].lower() + name[1:] for name, value in members if isinstance(value, int)}


def humanoid_line(humanoid, character):
    names, bones = names_of(HumanBone), {}
    for index in range(humanoid.BonesLength()):
        pair = humanoid.Bones(index)
        require(pair.Bone() in names, "unsupported bone; a newer program knows it")
        require(pair.Joint() < character.JointsLength(), "invalid: a bone without a joint")
        bones[names[pair.Bone()]] = character.Joints(pair.Joint()).Name().decode("utf-8")
    source = names_of(HumanoidSource).get(humanoid.Source())
    require(source is not None, "unsupported source of the humanoid; a newer program knows it")
    return json.dumps({"humanoid": {"source": source, "bones": bones}}, ensure_ascii=False)


def main():
    if len(sys.argv) < 2:
        print("usage: read_boxes.py FILE.bonebox...", file=sys.stderr)
        return 2
    sys.stdout.reconfigure(encoding="utf-8")
    for path in sys.argv[1:]:
        try:
            with open(path, "rb") as stream:
                character = read(stream.read())
            envelopes = character.EnvelopesLength()
            require(envelopes in (0, character.BoxesLength()), "invalid: not one envelope for each box")
            for index in range(character.BoxesLength()):
                envelope = character.Envelopes(index) if envelopes else None
                print(line(character.Boxes(index), envelope, character))
            if character.Humanoid() is not None:
                print(humanoid_line(character.Humanoid(), character))
        # Python's FlatBuffers has no verifier: a payload with a right checksum and wrong offsets ends in one of these.
        except (OSError, ValueError, struct.error, IndexError, OverflowError, TypeError, AttributeError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
