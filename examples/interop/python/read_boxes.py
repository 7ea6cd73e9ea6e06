"""Reads .bonebox files and prints their boxes, one JSON object a line, the humanoid, the skin, the clips and the attacks.

See ../README.md.
"""

import json
import math
import struct
import sys
import zlib

from bonebox.AttackKind import AttackKind
from bonebox.Character import Character
from bonebox.HumanBone import HumanBone
from bonebox.HumanoidSource import HumanoidSource
from bonebox.Role import Role
from bonebox.Shape import Shape
from bonebox.SkinEncoding import SkinEncoding
from bonebox.StateKind import StateKind

HEADER = struct.Struct("<8sHHIQII")
MAGIC = b"\x89BBX\r\n\x1a\n"
FORMAT_VERSION = 1
MAX_FILE_BYTES = 1 << 29


def require(is_right, problem):
    if not is_right:
        raise ValueError(problem)


def read(file):
    """Returns the character in the bytes of a file."""
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
    """Rounds a number to a 32-bit float."""
    return struct.unpack("<f", struct.pack("<f", number))[0]


def shortest(number):
    """Returns the shortest decimal that reads back to the same 32-bit float."""
    for digits in range(6, 10):
        candidate = float(f"{number:.{digits}g}")
        if single(candidate) == number:
            return candidate
    return number


def vector(v):
    return [shortest(v.X()), shortest(v.Y()), shortest(v.Z())]


def hull_lists(hull):
    """Returns the vertices of a hull, and its triangles as indices into them."""
    require(hull is not None and hull.VerticesLength() <= 64, "invalid: a hull without vertices, or with too many")
    require(hull.TrianglesLength() % 3 == 0, "invalid: a hull with a part of a triangle")
    corners = [hull.Vertices(i) for i in range(hull.VerticesLength())]
    indices = [hull.Triangles(i) for i in range(hull.TrianglesLength())]
    require(all(index < len(corners) for index in indices), "invalid: a triangle without a vertex")
    triangles = [indices[first : first + 3] for first in range(0, len(indices), 3)]
    return [(v.X(), v.Y(), v.Z()) for v in corners], triangles


def hull_volume(hull):
    vertices, triangles = hull_lists(hull)

    def less(a, b):
        return tuple(x - y for x, y in zip(a, b))

    total = 0.0
    for triangle in triangles:
        a, b, c = (less(vertices[index], vertices[0]) for index in triangle)
        u, v = less(b, a), less(c, a)
        normal = (u[1] * v[2] - v[1] * u[2], u[2] * v[0] - v[2] * u[0], u[0] * v[1] - v[0] * u[1])
        total += normal[0] * a[0] + normal[1] * a[1] + normal[2] * a[2]
    return single(max(total / 6.0, 0.0))


def line(box, envelope, character):
    shapes = names_of(Shape)
    require(box.Shape() in shapes, "unsupported shape; a newer program knows it")
    require(box.Joint() < character.JointsLength(), "invalid: a box without a joint")
    half, q = box.HalfExtents(), box.Orientation()
    if box.Shape() == Shape.Hull:
        volume = hull_volume(box.Hull())
    elif box.Shape() == Shape.Box:
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
    if box.Shape() == Shape.Hull:
        vertices, triangles = hull_lists(box.Hull())
        fields["hull"] = {"vertices": [[shortest(x) for x in vertex] for vertex in vertices], "triangles": triangles}
    if envelope is not None:
        movers = [envelope.Movers(i).Joint() for i in range(envelope.MoversLength())]
        require(all(joint < character.JointsLength() for joint in movers), "invalid: a mover without a joint")
        motions = sum(envelope.Clusters(i).Motions() for i in range(envelope.ClustersLength()))
        require(motions == envelope.MotionsLength(), "invalid: clusters with other motions than there are")
        fields["moved_by"] = [character.Joints(joint).Name().decode("utf-8") for joint in movers]
        fields["clusters"] = envelope.ClustersLength()
        fields["motions"] = motions
    roles = names_of(Role)
    require(box.Role() in roles, "unsupported role; a newer program knows it")
    if box.Role() != Role.Hurt:
        fields["role"] = roles[box.Role()]
    return json.dumps(fields, ensure_ascii=False)


class Stream:
    """The next bytes of a stream of the skin or of a clip."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, layout):
        require(self.at + struct.calcsize(layout) <= len(self.data), "invalid: a stream is cut off")
        (value,) = struct.unpack_from(layout, self.data, self.at)
        self.at += struct.calcsize(layout)
        return value

    def number(self):
        """Reads a LEB128 number of at most 64 bits."""
        value = 0
        for shift in range(0, 70, 7):
            byte = self.take("<B")
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
        require(value < 1 << 64 and byte < 0x80, "invalid: a number has more than 64 bits")
        return value

    def difference(self):
        number = self.number()
        return (number >> 1) ^ -(number & 1)

    def ascending(self, count, end):
        values, last = [], -1
        for _ in range(count):
            last += 1 + self.number()
            require(last < end, "invalid: an index of the skin is too large")
            values.append(last)
        return values

    def end(self):
        require(self.at == len(self.data), "invalid: a stream has more bytes than entries")


class HalfBytes:
    """The next half bytes of a stream, of each byte the lower half first."""

    def __init__(self, stream):
        self.stream = stream
        self.upper = None

    def half(self):
        if self.upper is None:
            byte = self.stream.take("<B")
            self.upper = byte >> 4
            return byte & 15
        half, self.upper = self.upper, None
        return half

    def number(self):
        """Reads a number of at most 64 bits, 3 in a half byte."""
        value = 0
        for shift in range(0, 66, 3):
            half = self.half()
            value |= (half & 7) << shift
            if half < 8:
                break
        require(value < 1 << 64 and half < 8, "invalid: a number has more than 64 bits")
        return value

    def difference(self):
        number = self.number()
        return (number >> 1) ^ -(number & 1)

    def end(self):
        require(not self.upper, "invalid: half bytes end with a half byte that is not 0")


class PieceReader:
    """Reads the pieces of a skin, one after the other. Later pieces name vertices and cuts of earlier ones."""

    def __init__(self, skin):
        self.stream = Stream(bytes(skin.PieceData(i) for i in range(skin.PieceDataLength())))
        self.is_compact, self.step = skin.Encoding() == SkinEncoding.Compact, 2.0 ** skin.StepExponent()
        self.bindings = skin.BindingsLength()
        # All vertices (positions and numbers of influences) and all cuts (numbers of vertices) that were stored, by number.
        self.vertices, self.cuts = [], []
        self.last, self.influences, self.after_vertex, self.after_cut = [0, 0, 0], 0, 0, 0

    def vertices_of(self, count):
        """Reads the vertices of a piece, as numbers."""
        stream, numbers, earlier = self.stream, [], len(self.vertices)
        while len(numbers) < count:
            kind = stream.number()
            run = kind // 2 + 1
            require(run <= count - len(numbers), "invalid: a run of vertices is too long")
            if kind % 2 == 1:
                for _ in range(run):
                    number = self.after_vertex + stream.difference()
                    require(0 <= number < earlier, "invalid: there is no earlier vertex with this number")
                    require(self.vertices[number][1] <= 4, "invalid: a named vertex has too many influences")
                    self.after_vertex = number + 1
                    numbers.append(number)
                continue
            influences = stream.number()
            if influences > 0:
                stream.ascending(influences, self.bindings)
                self.influences = influences
            require(self.influences > 0, "invalid: the first vertices have no bindings")
            for _ in range(run):
                numbers.append(len(self.vertices))
                self.vertices.append((self.new_vertex(), self.influences))
        require(len(set(numbers)) == count, "invalid: a piece names a vertex twice")
        counts = [self.vertices[number][1] for number in numbers]
        require(counts == sorted(counts), "invalid: vertices are not sorted by their number of influences")
        return numbers

    def new_vertex(self):
        stream, count = self.stream, self.influences
        if self.is_compact:
            self.last = [steps + stream.difference() for steps in self.last]
            position = [steps * self.step for steps in self.last]
            weights = [stream.take("<H") / 65536 for _ in range(count - 1)]
            weights.append(1.0 - sum(weights))
        else:
            position = [stream.take("<f") for _ in range(3)]
            weights = [stream.take("<f") for _ in range(count)] if count > 1 else [1.0]
        require(all(weight > 0 for weight in weights), "invalid: a weight of the skin is not above 0")
        require(abs(sum(weights) - 1) <= 1e-5, "invalid: weights of the skin do not sum to 1")
        return position

    def cuts_of(self, count, numbers):
        """Reads the corners of each cut of a piece, of which `numbers` are the vertices."""
        stream, weight = self.stream, "<H" if self.is_compact else "<f"
        places = {number: place for place, number in enumerate(numbers)}
        cuts, first = [], 0
        for _ in range(count):
            difference = stream.difference()
            kind, difference = difference & 3, difference >> 2
            require(kind < 3, "invalid: a cut of an unknown kind")
            if kind == 2:
                number = self.after_cut + difference
                require(0 <= number < len(self.cuts), "invalid: there is no earlier cut with this number")
                self.after_cut = number + 1
                require(all(corner in places for corner in self.cuts[number]), "invalid: a cut has no such corner")
                cuts.append([places[corner] for corner in self.cuts[number]])
                continue
            first += difference
            corners = [first, first + stream.difference()]
            stream.take(weight)
            if kind == 1:
                corners.append(corners[1] + stream.difference())
                stream.take(weight)
            require(all(0 <= corner < len(numbers) for corner in corners), "invalid: a cut has no such corner")
            cuts.append(corners)
            self.cuts.append([numbers[corner] for corner in corners])
        return cuts


def corner_of(halves, known, following, vertices, end):
    """Reads a corner of a triangle. `known` are the corners of its chunk, in the order of their first use."""
    code = halves.half()
    if code == 0:
        difference = halves.difference()
        is_cut = difference & 1
        corner = following[is_cut] + (difference >> 1)
        require(0 <= corner < end, "invalid: a triangle has no such corner")
        following[corner >= vertices] = corner + 1
        known.append(corner)
        return corner
    back = code + (halves.number() if code == 15 else 0)
    require(back <= len(known), "invalid: a triangle has no such corner")
    return known[-back]


def triangles_of(stream, count_of_triangles, vertices, cuts):
    """Returns the number of chunks, the source triangle of each triangle, and the corners of each source triangle that was cut."""
    halves = HalfBytes(stream)
    triangles, sources, chunks, first, following = [], [], 0, 0, [0, vertices]
    while len(triangles) < count_of_triangles:
        count, known = halves.number() + 1, []
        require(count <= min(64, count_of_triangles - len(triangles)), "invalid: a chunk of a wrong size")
        for _ in range(count):
            triangles.append([corner_of(halves, known, following, vertices, vertices + len(cuts)) for _ in range(3)])
        first += halves.difference()
        source = first
        for index in range(count):
            source += halves.number() if index > 0 else 0
            sources.append(source)
        chunks += 1
    cut_triangles = {}
    parted = {source for source, corners in zip(sources, triangles) if max(corners) >= vertices}
    for number in sorted(parted):
        between = set()
        for source, corners in zip(sources, triangles):
            if source == number:
                for corner in corners:
                    between.update([corner] if corner < vertices else cuts[corner - vertices])
        order = halves.number()
        digits = [order % 3, order // 3 % 3, order // 9]
        is_sound = len(between) <= 3 and all(digit < len(between) for digit in digits)
        require(is_sound, "invalid: a cut triangle with other corners than its parts have")
        cut_triangles[number] = [sorted(between)[digit] for digit in digits]
    halves.end()
    return chunks, list(zip(sources, triangles)), cut_triangles


def normal_of(stream, is_compact):
    if not is_compact:
        return [stream.take("<f") for _ in range(3)]
    low, middle, high = (stream.take("<B") for _ in range(3))
    u, v = (low | (middle & 15) << 8) - 2047, (middle >> 4 | high << 4) - 2047
    require(max(u, v) <= 2047, "invalid: a number of a normal is too large")
    z = 2047 - abs(u) - abs(v)
    x = u if z >= 0 else math.copysign(2047 - abs(v), u)
    y = v if z >= 0 else math.copysign(2047 - abs(u), v)
    length = math.sqrt(x * x + y * y + z * z)
    return [single(number / length) for number in (x, y, z)]


def attributes_of(stream, count_of_attributes, is_compact, vertices, triangles, cut_triangles):
    """Returns the normals and the texture coordinates of a piece."""
    vertex, steps, counts, normals, coordinates = 0, [0, 0], {}, [], []
    for _ in range(count_of_attributes):
        number = stream.number()
        vertex += number >> 2
        require(vertex < vertices, "invalid: an attribute without a vertex")
        counts[vertex] = counts.get(vertex, 0) + 1
        if number & 1:
            normals.append(normal_of(stream, is_compact))
        if number & 2 and is_compact:
            steps = [last + stream.difference() for last in steps]
            coordinates.append([last / 16384 for last in steps])
        elif number & 2:
            coordinates.append([stream.take("<f") for _ in range(2)])
    known = set()
    for source, corners in triangles if counts else []:
        if source in known:
            continue
        if source in cut_triangles:
            known.add(source)
        for corner in cut_triangles.get(source, corners):
            count = counts.get(corner, 0)
            is_sound = count == 1 or (count > 1 and stream.number() < count)
            require(is_sound, "invalid: a corner without an attribute")
    return normals, coordinates


def skin_lines(skin, character):
    """Prints the skin, then its pieces. Reads all streams, and prints their sums and bounds."""
    encodings = {SkinEncoding.Lossless: "lossless", SkinEncoding.Compact: "compact"}
    require(skin.Encoding() in encodings, "unsupported encoding of the skin; a newer program knows it")
    pieces, attributes, all_normals, all_coordinates = [], 0, 0, 0
    reader, joint = PieceReader(skin), -1
    stream = reader.stream
    for _ in range(skin.Pieces()):
        joint += 1 + stream.number()
        require(joint < character.JointsLength(), "invalid: a piece of the skin without a joint")
        vertices, count_of_cuts, count_of_triangles, count_of_attributes = (stream.number() for _ in range(4))
        require(count_of_triangles > 0, "invalid: a piece of the skin without triangles")
        numbers = reader.vertices_of(vertices)
        cuts = reader.cuts_of(count_of_cuts, numbers)
        chunks, triangles, cut_triangles = triangles_of(stream, count_of_triangles, vertices, cuts)
        normals, coordinates = attributes_of(
            stream, count_of_attributes, reader.is_compact, vertices, triangles, cut_triangles
        )
        positions = [reader.vertices[number][0] for number in numbers]
        attributes += count_of_attributes
        all_normals += len(normals)
        all_coordinates += len(coordinates)
        line = {
            "joint": character.Joints(joint).Name().decode("utf-8"),
            "joint_index": joint,
            "vertices": vertices,
            "influences": sum(reader.vertices[number][1] for number in numbers),
            "cuts": len(cuts),
            "triangles": count_of_triangles,
            "chunks": chunks,
            "cut_triangles": len(cut_triangles),
            "low": [shortest(min(column)) for column in zip(*positions)],
            "high": [shortest(max(column)) for column in zip(*positions)],
        }
        if count_of_attributes:
            line["attributes"] = count_of_attributes
        for key, rows in (("normal", normals), ("texture", coordinates)):
            if rows:
                line[f"{key}_low"] = [shortest(min(column)) for column in zip(*rows)]
                line[f"{key}_high"] = [shortest(max(column)) for column in zip(*rows)]
        pieces.append(line)
    stream.end()
    matrices = skin.MatricesLength()
    is_sound = all(skin.Bindings(index).Matrix() < matrices for index in range(skin.BindingsLength()))
    require(is_sound, "invalid: a binding of the skin without a matrix")
    fields = {"encoding": encodings[skin.Encoding()]}
    if skin.Encoding() == SkinEncoding.Compact:
        fields["step_exponent"] = skin.StepExponent()
    meshes = [skin.Meshes(index) for index in range(skin.MeshesLength())]
    fields |= {"max_error": shortest(skin.MaxError()), "bindings": skin.BindingsLength()}
    fields |= {key: sum(piece[key] for piece in pieces) for key in ("vertices", "cuts", "triangles", "cut_triangles")}
    fields["meshes"] = [
        {"name": mesh.Name().decode("utf-8"), "node": mesh.Node(), "triangles": mesh.Triangles()} for mesh in meshes
    ]
    if attributes:
        fields |= {"attributes": attributes, "normals": all_normals, "texture_coordinates": all_coordinates}
    return [json.dumps(line, ensure_ascii=False) for line in [{"skin": fields}, *pieces]]


def channel_of(stream, clip):
    """The numbers of one channel of a clip."""
    kind = stream.take("<B")
    prop, interpolation, omitted = kind & 3, kind >> 2 & 3, kind >> 5
    is_rotation, is_spline, is_in_steps = prop == 1, interpolation == 2, kind & 16
    require(prop < 3 and interpolation < 3, "unsupported channel; a newer program knows it")
    is_known = not is_spline and omitted < (4 if is_rotation else 1) if is_in_steps else omitted == 0
    require(is_known, "invalid: a channel of a wrong kind")
    timeline = stream.number()
    require(timeline < clip.TimelinesLength(), "invalid: a channel without a timeline")
    keys, width = clip.Timelines(timeline).TimesLength(), 4 if is_rotation else 3
    if not is_in_steps:
        return [stream.take("<f") for _ in range(keys * width * (3 if is_spline else 1))]
    exponent = stream.take("<b")
    require(-100 <= exponent <= 100, "invalid: the step of a channel is too small or too large")
    planes = [(stream.take("<B"), stream.difference()) for _ in range(3)]
    are_small = all(count <= 3 and abs(low) <= 1 << 24 for count, low in planes)
    require(are_small, "invalid: a component has too many steps or bytes")
    has_bytes = keys == 1 or any(count for count, _ in planes)
    require(has_bytes, "invalid: a channel of several keys has no bytes for them")
    columns = []
    for count, low in planes:
        steps = [low + sum(stream.take("<B") << 8 * byte for byte in range(count)) for _ in range(keys)]
        columns.append([single(float(number)) * 2.0**exponent for number in steps])
    if is_rotation:
        last = [single(math.sqrt(max(1.0 - (a * a + b * b + c * c), 0.0))) for a, b, c in zip(*columns)]
        columns.insert(omitted, last)
    return [number for key in zip(*columns) for number in key]


def clip_line(clip):
    """A clip: all channels are read, and the bounds of their numbers are printed."""
    timelines = [clip.Timelines(index) for index in range(clip.TimelinesLength())]
    require(all(timeline.TimesLength() > 0 for timeline in timelines), "invalid: a timeline without keys")
    start = min((timeline.Times(0) for timeline in timelines), default=0.0)
    end = max((timeline.Times(timeline.TimesLength() - 1) for timeline in timelines), default=0.0)
    stream, numbers = Stream(bytes(clip.ChannelData(i) for i in range(clip.ChannelDataLength()))), []
    for _ in range(clip.Channels()):
        stream.number()  # How much greater the joint is than that of the channel before.
        numbers += channel_of(stream, clip)
    stream.end()
    fields = {"name": clip.Name().decode("utf-8"), "seconds": shortest(single(end - start))}
    fields |= {"channels": clip.Channels(), "numbers": len(numbers)}
    if numbers:
        fields |= {"low": shortest(min(numbers)), "high": shortest(max(numbers))}
    return json.dumps({"clip": fields}, ensure_ascii=False)


def names_of(enumeration):
    """Returns the names of an enumeration's values, as in VRM and in the JSON beside a bake."""
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


def active_fields(item, character):
    """Returns the clip of an attack or a state, and its boxes and windows."""
    require(item.Clip() < character.ClipsLength(), "invalid: an attack or a state without a clip")
    boxes = [item.Boxes(index) for index in range(item.BoxesLength())]
    require(boxes and all(box < character.BoxesLength() for box in boxes), "invalid: an attack or a state without a box")
    windows = [item.Active(index) for index in range(item.ActiveLength())]
    active = [[shortest(one.Start()), shortest(one.End())] for one in windows]
    return character.Clips(item.Clip()).Name().decode("utf-8"), {"boxes": boxes, "active": active}


def attack_line(attack, character):
    """The data of an attack stays text: the game that wrote it knows what it means."""
    kind = names_of(AttackKind).get(attack.Kind())
    require(kind is not None, "unsupported kind of an attack; a newer program knows it")
    clip, active = active_fields(attack, character)
    fields = {"clip": clip, "name": attack.Name().decode("utf-8"), "kind": kind} | active
    fields |= {"group": attack.Group().decode("utf-8"), "rank": attack.Rank()}
    if attack.Rehit() is not None:
        fields["rehit"] = shortest(attack.Rehit())
    fields["against"] = [attack.Against(index).decode("utf-8") for index in range(attack.AgainstLength())]
    fields["strength"] = shortest(attack.Strength())
    if attack.Data() is not None:
        fields["data"] = attack.Data().decode("utf-8")
    return json.dumps({"attack": fields}, ensure_ascii=False)


def state_line(state, character):
    kind = names_of(StateKind).get(state.Kind())
    require(kind is not None, "unsupported state; a newer program knows it")
    clip, active = active_fields(state, character)
    return json.dumps({"state": {"clip": clip, "kind": kind} | active}, ensure_ascii=False)


def main():
    if len(sys.argv) < 2:
        print("usage: read_boxes.py FILE.bonebox...", file=sys.stderr)
        return 2
    sys.stdout.reconfigure(encoding="utf-8")
    for path in sys.argv[1:]:
        try:
            with open(path, "rb") as stream:
                character = read(stream.read())
            print(json.dumps({"algorithm_revision": character.AlgorithmRevision()}))
            envelopes = character.EnvelopesLength()
            require(envelopes in (0, character.BoxesLength()), "invalid: not one envelope for each box")
            for index in range(character.BoxesLength()):
                envelope = character.Envelopes(index) if envelopes else None
                print(line(character.Boxes(index), envelope, character))
            if character.Humanoid() is not None:
                print(humanoid_line(character.Humanoid(), character))
            if character.Skin() is not None:
                print("\n".join(skin_lines(character.Skin(), character)))
            for index in range(character.ClipsLength()):
                print(clip_line(character.Clips(index)))
            for index in range(character.AttacksLength()):
                print(attack_line(character.Attacks(index), character))
            for index in range(character.StatesLength()):
                print(state_line(character.States(index), character))
        # Python's FlatBuffers has no verifier, so a payload with a correct checksum and wrong offsets raises one of these errors.
        except (OSError, ValueError, struct.error, IndexError, OverflowError, TypeError, AttributeError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
