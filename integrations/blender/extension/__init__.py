"""Bonebox: tight hitboxes for skinned characters, baked and edited in Blender.

The panel is in the sidebar of the 3D view. `properties.py` has what is stored in the .blend file, and the files `bake.py`, `save.py`,
`reset.py`, `jump.py` and `attacks.py` have one operator each or a few of one kind.
"""

import sys

from . import attacks, bake, jump, panel, properties, reset, save

_MODULES = (properties, bake, save, reset, jump, attacks, panel)


def register():
    for module in _MODULES:
        module.register()


def unregister():
    for module in reversed(_MODULES):
        module.unregister()
    # Blender keeps the modules of a disabled add-on, so that the next version would find files of this one.
    for name in [name for name in sys.modules if name.startswith(__package__ + ".")]:
        del sys.modules[name]
