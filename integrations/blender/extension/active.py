"""The armature that the panel and the operators work on, and its meshes."""


def armature_of(context):
    """The active armature: the active object, its parent, or the armature of its modifier. None without one."""
    active = context.object
    if active is None:
        return None
    if active.type == "ARMATURE":
        return active
    if active.parent is not None and active.parent.type == "ARMATURE":
        return active.parent
    return next((one.object for one in active.modifiers if one.type == "ARMATURE" and one.object), None)


def meshes_of(armature):
    """The meshes that the armature moves: skinned ones, and rigid ones that are not hitboxes."""
    import bpy

    meshes = [one for one in bpy.data.objects if one.type == "MESH" and not one.bonebox_hitbox.is_hitbox]
    hitboxes = set(armature.bonebox_character.collection.objects) if armature.bonebox_character.collection else set()

    def is_moved(mesh):
        by_modifier = any(one.type == "ARMATURE" and one.object == armature for one in mesh.modifiers)
        return by_modifier or (mesh.parent == armature and mesh.parent_type == "BONE")

    return [mesh for mesh in meshes if mesh not in hitboxes and is_moved(mesh)]
