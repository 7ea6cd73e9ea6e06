"""What the add-on stores in the .blend file: settings and results on the armature, and the facts of a hitbox on its object."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

#: The item that leaves an option to bonebox.toml.
AS_IN_FILE = ("FILE", "As in bonebox.toml", "The value in bonebox.toml; without one, the default")

PRESETS = [
    AS_IN_FILE,
    ("recipe", "Recipe", "The method of the classic articles: one box per joint, fitted to the bind pose"),
    ("tight", "Tight", "Small boxes that hold most of the surface over all clips: two boxes per joint"),
    ("cover", "Cover", "Boxes that hold all of the surface over all clips: one box per joint"),
    ("always", "Always", "Boxes that hold all of the surface in any pose"),
]

PARTS = [
    AS_IN_FILE,
    ("joints", "Joints", "Every joint with skin gets hitboxes"),
    ("humanoid", "Humanoid", "18 parts of a human figure"),
    ("humanoid-coarse", "Humanoid, coarse", "6 parts of a human figure: head, torso, arms and legs"),
    ("humanoid-fingers", "Humanoid with fingers", "48 parts of a human figure"),
]

SHAPES = [
    AS_IN_FILE,
    ("box", "Box", "Boxes"),
    ("capsule", "Capsule", "Capsules"),
    ("sphere", "Sphere", "Spheres"),
    ("hull", "Convex hull", "Convex hulls with few vertices"),
    ("auto", "Automatic", "The box, the capsule or the sphere, whichever has the least volume"),
]

ROLES = [
    ("hurt", "Hurt", "Part of the figure, which attacks can hit"),
    ("strike", "Strike", "Strikes others"),
    ("grab", "Grab", "Grabs others"),
    ("guard", "Guard", "Blocks attacks"),
    ("sensor", "Sensor", "Only notices others"),
]

HITBOX_SHAPES = [
    ("box", "Box", "A box"),
    ("capsule", "Capsule", "A capsule along the object's Y axis"),
    ("sphere", "Sphere", "A sphere"),
    ("hull", "Convex hull", "A convex hull, shown as the box around it. An edit makes it a box"),
]


def _redraw(facts, _context):
    """Called when a user or a script changes the facts of a hitbox."""
    from . import hitbox_objects

    hitbox_objects.redraw(facts.id_data)


def _jump(character, _context):
    """Called when a row of the list of escapes is clicked."""
    from . import jump

    jump.jump_to_escape(character)


class BoneboxHitbox(bpy.types.PropertyGroup):
    """The facts of a hitbox that its object's transform does not have."""

    is_hitbox: BoolProperty(name="Hitbox", description="The object is a hitbox of the add-on", default=False)
    tags: StringProperty(name="Tags", description="Tags, separated by commas", default="", update=_redraw)
    role: EnumProperty(name="Role", items=ROLES, description="What the hitbox is for")
    shape: EnumProperty(name="Shape", items=HITBOX_SHAPES, description="The shape of the hitbox", update=_redraw)


class BoneboxEscape(bpy.types.PropertyGroup):
    """The farthest escape of the skin of one joint."""

    joint: StringProperty()
    clip: StringProperty(description="Empty for the rest pose")
    seconds: FloatProperty()
    share: FloatProperty(description="Distance from the hitboxes, as a share of the height")


class BoneboxCharacter(bpy.types.PropertyGroup):
    """Settings and results of an armature."""

    name: StringProperty(
        name="Character", description="The name in bonebox.toml: the name of the glTF file without its ending", default=""
    )
    settings_path: StringProperty(
        name="Settings",
        description="The bonebox.toml that is read and written; empty for the one beside the .blend file",
        subtype="FILE_PATH",
        default="",
    )
    preset: EnumProperty(name="Preset", items=PRESETS, description="A named set of options")
    parts: EnumProperty(name="Parts", items=PARTS, description="The parts of the character that get one hitbox each")
    shape: EnumProperty(name="Shape", items=SHAPES, description="The shape of hitboxes")
    options: StringProperty(
        name="Options", description="More options, separated by commas, as in bonebox.toml: margin = 0.01, keep = 0.95", default=""
    )

    collection: PointerProperty(type=bpy.types.Collection, description="The collection of the hitboxes")
    baked: StringProperty(description="The last bake: the bytes of its .bonebox file, in base64", default="")
    has_figures: BoolProperty()
    rest: FloatProperty(description="The share of the skin inside the hitboxes in the rest pose")
    clips: FloatProperty(description="The same over all clips; below 0 without clips")
    escapes: CollectionProperty(type=BoneboxEscape)
    active_escape: IntProperty(name="Escape", description="Click an escape to jump to its frame and bone", update=_jump)
    warnings: StringProperty(description="The warnings of the last bake, one a line", default="")


_CLASSES = (BoneboxHitbox, BoneboxEscape, BoneboxCharacter)


def register():
    for one in _CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Object.bonebox_character = PointerProperty(type=BoneboxCharacter)
    bpy.types.Object.bonebox_hitbox = PointerProperty(type=BoneboxHitbox)


def unregister():
    del bpy.types.Object.bonebox_hitbox
    del bpy.types.Object.bonebox_character
    for one in reversed(_CLASSES):
        bpy.utils.unregister_class(one)
