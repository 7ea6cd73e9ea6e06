"""Draws panels without a window: a layout that only checks what it is asked to draw."""

import bpy

from driver import check

ICONS = set(bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items.keys())


class Layout:
    """Takes the place of `bpy.types.UILayout`."""

    def __init__(self, drawn):
        self.drawn = drawn

    def row(self, align=False):
        return Layout(self.drawn)

    def label(self, text="", icon="NONE"):
        check(icon in ICONS, f"there is no icon {icon}")
        self.drawn.append(text)

    def prop(self, data, key):
        check(key in data.bl_rna.properties, f"there is no property {key}")
        self.drawn.append(key)

    def operator(self, name, text="", icon="NONE"):
        check(icon in ICONS, f"there is no icon {icon}")
        category, operator = name.split(".")
        check(operator in dir(getattr(bpy.ops, category)), f"there is no operator {name}")
        self.drawn.append(name)

    def template_list(self, list_type, _id, data, key, active, active_key, rows=5):
        check(hasattr(bpy.types, list_type), f"there is no list {list_type}")
        check(active_key in active.bl_rna.properties, f"there is no property {active_key}")
        for index, item in enumerate(getattr(data, key)):
            getattr(bpy.types, list_type).draw_item(None, bpy.context, self, data, item, 0, active, active_key, index)


class _Panel:
    def __init__(self, drawn):
        self.layout = Layout(drawn)


def draw(name):
    """The texts and names that a panel draws; None if it hides."""
    panel = getattr(bpy.types, name)
    if hasattr(panel, "poll") and not panel.poll(bpy.context):
        return None
    drawn = []
    panel.draw(_Panel(drawn), bpy.context)
    return drawn
