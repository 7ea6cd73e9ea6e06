"""The Python module `bonebox`, which bakes. The extension has it as a wheel."""


class Missing(Exception):
    """The module cannot be imported."""


def library():
    """Returns the module. Raises `Missing` with a sentence for the user."""
    try:
        import bonebox
    except ImportError as error:
        raise Missing(
            f"The module bonebox of this extension cannot be loaded ({error}). Install the .zip file of the extension that was made "
            "for this system and Blender version."
        ) from error
    return bonebox
