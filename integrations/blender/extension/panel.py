"""The panel "Bonebox" in the sidebar of the 3D view."""

import bpy

from . import attacks, bake, jump, reset, save
from .active import armature_of


class BONEBOX_UL_escapes(bpy.types.UIList):
    """Escapes: the joint, the distance as a share of the height, and the moment."""

    bl_idname = "BONEBOX_UL_escapes"

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index):
        row = layout.row(align=True)
        row.label(text=item.joint, icon="BONE_DATA")
        row.label(text=f"{100 * item.share:.2f} %")
        row.label(text=f"{item.clip} {item.seconds:.2f} s" if item.clip else "rest pose")


class _Panel:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Bonebox"


class BONEBOX_PT_main(_Panel, bpy.types.Panel):
    bl_idname = "BONEBOX_PT_main"
    bl_label = "Bonebox"

    def draw(self, context):
        layout = self.layout
        armature = armature_of(context)
        if armature is None:
            layout.label(text="Select an armature", icon="INFO")
            return
        character = armature.bonebox_character
        layout.use_property_split = True
        layout.prop(character, "name")
        layout.prop(character, "settings_path")
        for key in ("preset", "parts", "shape", "options"):
            layout.prop(character, key)
        layout.operator(bake.BONEBOX_OT_bake.bl_idname, icon="MOD_BUILD")
        row = layout.row(align=True)
        row.operator(save.BONEBOX_OT_save.bl_idname, icon="FILE_TICK")
        row.operator(reset.BONEBOX_OT_reset.bl_idname, text="Reset", icon="LOOP_BACK")
        row.operator(reset.BONEBOX_OT_reset_all.bl_idname, text="All")
        layout.operator(attacks.BONEBOX_OT_attacks.bl_idname, icon="MARKER_HLT")


class BONEBOX_PT_coverage(_Panel, bpy.types.Panel):
    bl_idname = "BONEBOX_PT_coverage"
    bl_label = "Coverage"
    bl_parent_id = "BONEBOX_PT_main"

    @classmethod
    def poll(cls, context):
        armature = armature_of(context)
        return armature is not None and bool(armature.bonebox_character.baked)

    def draw(self, context):
        layout = self.layout
        character = armature_of(context).bonebox_character
        if character.has_figures:
            layout.label(text=f"Skin inside at rest: {100 * character.rest:.2f} %")
            if character.clips >= 0.0:
                layout.label(text=f"Skin inside over clips: {100 * character.clips:.2f} %")
        if character.escapes:
            layout.label(text="Farthest skin outside:")
            layout.template_list(
                BONEBOX_UL_escapes.bl_idname, "", character, "escapes", character, "active_escape", rows=5
            )
            layout.operator(jump.BONEBOX_OT_jump.bl_idname, icon="VIEWZOOM")
        for warning in character.warnings.splitlines():
            layout.label(text=warning, icon="ERROR")


class BONEBOX_PT_hitbox(_Panel, bpy.types.Panel):
    bl_idname = "BONEBOX_PT_hitbox"
    bl_label = "Hitbox"
    bl_parent_id = "BONEBOX_PT_main"

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.bonebox_hitbox.is_hitbox

    def draw(self, context):
        layout = self.layout
        layout.use_property_split = True
        facts = context.object.bonebox_hitbox
        layout.label(text=context.object.parent_bone or "No bone", icon="BONE_DATA")
        for key in ("tags", "role", "shape"):
            layout.prop(facts, key)


_CLASSES = (BONEBOX_UL_escapes, BONEBOX_PT_main, BONEBOX_PT_coverage, BONEBOX_PT_hitbox)


def register():
    for one in _CLASSES:
        bpy.utils.register_class(one)


def unregister():
    for one in reversed(_CLASSES):
        bpy.utils.unregister_class(one)
