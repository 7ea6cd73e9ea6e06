"""Hitboxes as objects below bones.

The space of a joint is the space of its bone: the exporter of glTF turns the axes of the scene, and bones keep theirs. So the location,
the rotation and the scale of an object are the center, the orientation and the half extents of its hitbox, whatever scale the
armature has.
"""

import bpy
from mathutils import Matrix, Vector

from .colors import color_of
from .lines import mesh_of

#: Lengths and rotations that differ by less, as a share of the half diagonal or as a quaternion, are rounding.
SAME = 1e-5

#: The least half extent of an object, as a share of the longest one: Blender cannot show objects without a volume.
LEAST = 1e-6


class NoHitbox(Exception):
    """An object cannot be a hitbox."""


def tags_of(text):
    return [tag for tag in (tag.strip() for tag in text.split(",")) if tag]


def collection_of(context, armature):
    """The collection of an armature's hitboxes; made if it does not exist."""
    character = armature.bonebox_character
    if character.collection is None:
        collection = bpy.data.collections.new(f"Bonebox {character.name}")
        context.scene.collection.children.link(collection)
        character.collection = collection
    return character.collection


def objects_of(armature):
    """All objects in the collection."""
    collection = armature.bonebox_character.collection
    return list(collection.all_objects) if collection else []


def create(armature, collection, hitbox):
    """Makes the object of a hitbox of a bake, below its bone."""
    name = f"bb:{hitbox.joint}"
    made = bpy.data.objects.new(name, mesh_of(name, hitbox.shape, hitbox.half_extents))
    collection.objects.link(made)
    made.parent, made.parent_type, made.parent_bone = armature, "BONE", hitbox.joint
    made.display_type, made.show_in_front, made.hide_render = "WIRE", True, True
    place(made, hitbox)
    return made


def place(made, hitbox):
    """Gives an object below its bone the transform and the facts of a hitbox."""
    bone = made.parent.data.bones[hitbox.joint]
    # Blender places children at the tail of a bone.
    made.matrix_parent_inverse = Matrix.Translation((0.0, -bone.length, 0.0))
    made.rotation_mode = "QUATERNION"
    x, y, z, w = hitbox.orientation
    made.rotation_quaternion = (w, x, y, z)
    made.location = hitbox.center
    least = LEAST * max(hitbox.half_extents)
    made.scale = [max(half, least) for half in hitbox.half_extents]
    facts = made.bonebox_hitbox
    # Until the object is a hitbox, its lines do not follow its facts.
    facts.is_hitbox = False
    facts.tags, facts.role, facts.shape = ", ".join(hitbox.tags), hitbox.role, hitbox.shape
    facts.is_hitbox = True
    made.color = color_of(hitbox.tags)


def redraw(made):
    """Gives an object the lines of its shape and the color of its tags. Called when its facts change."""
    if not made.bonebox_hitbox.is_hitbox or made.type != "MESH" or made.mode != "OBJECT":
        return
    made.color = color_of(tags_of(made.bonebox_hitbox.tags))
    before, middle_and_half = made.data, bounds_of(made)
    made.data = mesh_of(before.name, made.bonebox_hitbox.shape, [abs(part) for part in made.scale])
    # Lines that were edited in edit mode keep their bounds.
    middle, half = middle_and_half
    made.data.transform(Matrix.Translation(middle) @ Matrix.Diagonal((*half, 1.0)))
    if before.users == 0:
        bpy.data.meshes.remove(before)


def show(armature, collection, hitboxes, kept):
    """Makes the objects of a bake. Objects of the joints in `kept` stay as they are, and others are used again where they can be, so
    that they stay selected."""
    old = {}
    for made in objects_of(armature):
        if made.parent_bone not in kept:
            old.setdefault(made.parent_bone, []).append(made)
    for hitbox in hitboxes:
        if hitbox.joint in kept:
            continue
        usable = [one for one in old.get(hitbox.joint, []) if is_usable(one, armature, hitbox)]
        if usable:
            made = min(usable, key=lambda one: (one.location - Vector(hitbox.center)).length)
            old[hitbox.joint].remove(made)
            place(made, hitbox)
        else:
            create(armature, collection, hitbox)
    for made in (made for of_joint in old.values() for made in of_joint):
        remove(made)


def is_usable(made, armature, hitbox):
    """True if an object shows a hitbox of this shape in the unit cube."""
    if made.parent != armature or made.parent_type != "BONE" or made.bonebox_hitbox.shape != hitbox.shape:
        return False
    middle, half = bounds_of(made)
    is_unit = middle.length < SAME and (half - Vector((1.0, 1.0, 1.0))).length < SAME
    return made.bonebox_hitbox.is_hitbox and made.type == "MESH" and is_unit and hitbox.shape != "capsule"


def remove(made):
    """Removes an object and its mesh."""
    mesh = made.data
    bpy.data.objects.remove(made)
    if isinstance(mesh, bpy.types.Mesh) and mesh.users == 0:
        bpy.data.meshes.remove(mesh)


def joint_from_object(made):
    """The matrix from the object's space to the space of its bone, without pose and armature."""
    bone = made.parent.data.bones[made.parent_bone]
    at_head = Matrix.Translation((0.0, bone.length, 0.0)) @ made.matrix_parent_inverse
    offset = max(abs(number) for row in at_head - Matrix.Identity(4) for number in row)
    # Rounding in the length of a bone must not look like an edit of a short hitbox.
    return made.matrix_basis.copy() if offset <= SAME * max(bone.length, 1.0) else at_head @ made.matrix_basis


def bounds_of(made):
    """The center and the half extents of what the object shows, in its own space."""
    if made.type != "MESH" or not made.data.vertices:
        return Vector((0.0, 0.0, 0.0)), Vector((1.0, 1.0, 1.0))
    if made.mode == "EDIT":
        made.update_from_editmode()
    places = [vertex.co for vertex in made.data.vertices]
    low = Vector([min(place[axis] for place in places) for axis in range(3)])
    high = Vector([max(place[axis] for place in places) for axis in range(3)])
    return (low + high) / 2, (high - low) / 2


def read(library, armature, made):
    """The hitbox of an object, as `bonebox.Hitbox`. Raises `NoHitbox` with a sentence for the user."""
    is_below = made.parent == armature and made.parent_type == "BONE" and made.parent_bone in armature.data.bones
    if not is_below:
        raise NoHitbox(f"{made.name!r} has no bone of {armature.name!r} as its parent (select it and the bone, Ctrl P, Bone)")
    matrix = joint_from_object(made)
    columns = [matrix.col[axis].to_3d() for axis in range(3)]
    lengths = [column.length for column in columns]
    if min(lengths) == 0.0:
        raise NoHitbox(f"{made.name!r} has a scale of 0")
    axes = [column / length for column, length in zip(columns, lengths)]
    if max(abs(axes[a].dot(axes[b])) for a, b in ((0, 1), (1, 2), (2, 0))) > 1e-3:
        raise NoHitbox(f"{made.name!r} is sheared, because its parent had an uneven scale; apply its rotation and scale")
    # A hitbox is symmetric, so a mirrored axis may point the other way.
    if axes[0].cross(axes[1]).dot(axes[2]) < 0.0:
        axes[0] = -axes[0]
    turn = Matrix(axes).transposed().to_quaternion()
    middle, half = bounds_of(made)
    facts = made.bonebox_hitbox
    return library.Hitbox(
        list(matrix @ middle),
        [length * side for length, side in zip(lengths, half)],
        [turn.x, turn.y, turn.z, turn.w],
        shape=facts.shape if facts.is_hitbox else "box",
        role=facts.role,
        tags=tags_of(facts.tags),
        joint=made.parent_bone,
    )


def is_same(one, other):
    """True if two hitboxes are equal up to rounding."""
    if (one.joint, one.role, one.shape, sorted(one.tags)) != (other.joint, other.role, other.shape, sorted(other.tags)):
        return False
    size = Vector(one.half_extents).length
    least = LEAST * max(one.half_extents)
    lengths = [a - b for a, b in zip(one.center, other.center)]
    lengths += [max(a, least) - max(b, least) for a, b in zip(one.half_extents, other.half_extents)]
    turn, other_turn = Vector(one.orientation), Vector(other.orientation)
    turned = min((turn - other_turn).length, (turn + other_turn).length)
    return max(map(abs, lengths)) <= SAME * size and turned <= SAME


def shown(armature, baked):
    """The hitboxes of a bake whose joints are bones, and the names of the other joints."""
    bones = armature.data.bones
    others = {hitbox.joint for hitbox in baked.hitboxes if hitbox.joint not in bones}
    return [hitbox for hitbox in baked.hitboxes if hitbox.joint in bones], sorted(others)


def edits_of(library, armature, baked):
    """The joints whose objects differ from the hitboxes of a bake: the name of the joint, and the hitboxes that it has now."""
    wanted, found = {}, {}
    for hitbox in shown(armature, baked)[0]:
        wanted.setdefault(hitbox.joint, []).append(hitbox)
    for made in objects_of(armature):
        hitbox = read(library, armature, made)
        found.setdefault(hitbox.joint, []).append(hitbox)
    edits = {}
    for joint in sorted(wanted.keys() | found.keys()):
        there, now = wanted.get(joint, []), found.get(joint, [])
        rest = list(there)
        for hitbox in now:
            match = next((one for one in rest if is_same(one, hitbox)), None)
            if match is None:
                break
            rest.remove(match)
        else:
            if not rest:
                continue
        edits[joint] = now
    return edits
