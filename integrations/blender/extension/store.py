"""The last bake of an armature, which the .blend file keeps, so that undo and a reopened file have it too."""

import base64


def keep(character, baked):
    character.baked = base64.b64encode(baked.to_bytes()).decode("ascii")


def last(library, character):
    """The last bake as `bonebox.Bake`, without figures that need the surface. None before the first bake."""
    return library.load(base64.b64decode(character.baked)) if character.baked else None
