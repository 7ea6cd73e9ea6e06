"""The bonebox.toml of a character."""

import os

import bpy


class NoPlace(Exception):
    """It is not known where bonebox.toml should be."""


def path_of(character):
    """The path of the settings file. Raises `NoPlace` if the .blend file has no folder yet and no path was chosen."""
    if character.settings_path:
        path = bpy.path.abspath(character.settings_path)
        return os.path.join(path, "bonebox.toml") if os.path.isdir(path) else path
    if not bpy.data.filepath:
        raise NoPlace("Save the .blend file first, or choose a settings file: bonebox.toml is beside the .blend file")
    return os.path.join(os.path.dirname(bpy.data.filepath), "bonebox.toml")


def read(character):
    """The text of the settings file; an empty text if the file does not exist, or has no place yet."""
    try:
        path = path_of(character)
    except NoPlace:
        return ""
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def argument(character):
    """The settings of a bake: the folder of bonebox.toml, because the files of its parent folders apply too; the path of a file
    with another name; False, for no settings, if there is no such file or folder.
    """
    try:
        path = path_of(character)
    except NoPlace:
        return False
    place = os.path.dirname(path) if _has_files_above(path) else path
    return place if os.path.exists(place) else False


def above(module, character):
    """The texts of the files in parent folders that also apply, the outermost first."""
    path = path_of(character)
    if not _has_files_above(path) or not os.path.isdir(os.path.dirname(path)):
        return []
    files = module.settings_files(path)
    return [file.read_text(encoding="utf-8") for file in files if os.path.realpath(file) != os.path.realpath(path)]


def _has_files_above(path):
    return os.path.basename(path) == "bonebox.toml"


def write(path, text):
    """Replaces the file by a finished one, so that no reader sees half of it."""
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        raise NoPlace(f"The folder {folder} of the settings file does not exist; choose another one")
    beside = path + ".part"
    with open(beside, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    os.replace(beside, path)


def name_of(armature):
    """The character's name in the settings file; chosen at the first bake."""
    character = armature.bonebox_character
    if not character.name:
        stem = os.path.splitext(os.path.basename(bpy.data.filepath))[0]
        character.name = stem or armature.name
    return character.name
