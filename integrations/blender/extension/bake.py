"""The operator that bakes the active armature."""

import bpy

from . import hitbox_objects, settings_file, store
from .active import armature_of
from .asset import NothingToBake, glb_of
from .library import Missing, library

#: Escapes in the list.
MANY = 30


class BadOptions(Exception):
    """The text of more options cannot be read."""


def options_of(character):
    """The options of the panel, by their names in bonebox.toml."""
    options = {key: getattr(character, key) for key in ("preset", "parts", "shape")}
    options = {key: value for key, value in options.items() if value != "FILE"}
    for entry in filter(None, (entry.strip() for entry in character.options.split(","))):
        key, equals, value = (part.strip() for part in entry.partition("="))
        if not equals or not key.isidentifier():
            raise BadOptions(f"{entry!r} is no option; write NAME = VALUE, separated by commas, such as margin = 0.01")
        options[key] = value.strip("\"'")
    return options


def run(context, armature, keep_edits=True, forget=()):
    """Bakes, and makes the objects of all joints anew except those with edits. Returns the bake.

    `forget` are joints whose edits are dropped.
    """
    module = library()
    character = armature.bonebox_character
    name = settings_file.name_of(armature)
    before = store.last(module, character)
    edits = hitbox_objects.edits_of(module, armature, before) if keep_edits and before else {}
    baked = module.bake(
        glb_of(context, armature), name=f"{name}.glb", settings=settings_file.argument(character), **options_of(character)
    )
    hitboxes, others = hitbox_objects.shown(armature, baked)
    collection = hitbox_objects.collection_of(context, armature)
    hitbox_objects.show(armature, collection, hitboxes, set(edits) - set(forget))
    store.keep(character, baked)
    _tell(character, baked, others)
    return baked


def _tell(character, baked, others):
    """Stores the figures for the panel."""
    coverage = baked.coverage
    character.has_figures = coverage is not None
    if coverage is not None:
        character.rest, character.clips = coverage.rest, -1.0 if coverage.clips is None else coverage.clips
    warnings = [str(warning) for warning in baked.warnings]
    if "neutral_bone" in others:
        # Blender's exporter adds this joint.
        warnings.insert(0, "Some vertices have no weights, so the glTF file has a joint neutral_bone, whose hitboxes are not shown")
    for joint in others:
        if joint != "neutral_bone":
            warnings.insert(0, f"The hitboxes of {joint} are not shown, because no bone has this name")
    character.warnings = "\n".join(warnings)
    character.escapes.clear()
    escapes = sorted(baked.escapes(), key=lambda escape: -escape.distance)
    for escape in (escape for escape in escapes[:MANY] if escape.distance > 0.0):
        row = character.escapes.add()
        row.joint, row.clip = escape.joint, escape.clip or ""
        row.seconds, row.share = escape.seconds, escape.share_of_height


def show_colors(context):
    """Lines have the colors of their objects in the 3D view in which the operator runs."""
    space = context.space_data
    if space is not None and space.type == "VIEW_3D":
        space.shading.wireframe_color_type = "OBJECT"


class BONEBOX_OT_bake(bpy.types.Operator):
    """Bake hitboxes of the active armature. Edits that are not saved stay"""

    bl_idname = "bonebox.bake"
    bl_label = "Bake"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return armature_of(context) is not None

    def execute(self, context):
        armature = armature_of(context)
        try:
            baked = run(context, armature)
        except Exception as error:
            return failed(self, error)
        show_colors(context)
        self.report({"INFO"}, f"{len(baked.hitboxes)} hitboxes of {baked.name}")
        return {"FINISHED"}


def failed(operator, error):
    """Reports an error that the user can mend. Other errors are mistakes of the add-on, and Blender shows them in full."""
    expected = (Missing, NothingToBake, BadOptions, hitbox_objects.NoHitbox, settings_file.NoPlace, OSError, UnicodeError)
    try:
        expected += (library().Error, TypeError)
    except Missing:
        pass
    if not isinstance(error, expected):
        raise error
    operator.report({"ERROR"}, str(error))
    return {"CANCELLED"}


def register():
    bpy.utils.register_class(BONEBOX_OT_bake)


def unregister():
    bpy.utils.unregister_class(BONEBOX_OT_bake)
