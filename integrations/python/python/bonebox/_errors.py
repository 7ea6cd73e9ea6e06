"""Exceptions. Each message says what is wrong, what was expected, and what to do."""

from __future__ import annotations

from typing import Optional, Sequence


class Error(Exception):
    """Base of all exceptions of bonebox."""

    #: The file that the error is about, or None.
    path: Optional[str]

    def __init__(self, message: str, *, path: Optional[str] = None) -> None:
        super().__init__(message)
        self.path = path


class SettingsError(Error, ValueError):
    """A bonebox.toml has a mistake, or cannot be edited."""

    #: The line and the column of the mistake, from 1; None if the error has no place.
    line: Optional[int]
    column: Optional[int]
    #: The option, the joint, and the nearest name that exists, if the error is about one.
    option: Optional[str]
    joint: Optional[str]
    nearest: Optional[str]

    def __init__(
        self,
        message: str,
        *,
        path: Optional[str] = None,
        line: Optional[int] = None,
        column: Optional[int] = None,
        option: Optional[str] = None,
        joint: Optional[str] = None,
        nearest: Optional[str] = None,
    ) -> None:
        super().__init__(message, path=path)
        self.line = line
        self.column = column
        self.option = option
        self.joint = joint
        self.nearest = nearest


class BakeError(SettingsError):
    """A bake failed: the asset, an option or the settings are wrong, or the bake broke a limit."""

    #: The limits of bonebox.toml that the bake broke, one sentence each. If there are any, no file was written.
    limits: Sequence[str]

    def __init__(
        self,
        message: str,
        *,
        path: Optional[str] = None,
        line: Optional[int] = None,
        column: Optional[int] = None,
        option: Optional[str] = None,
        joint: Optional[str] = None,
        nearest: Optional[str] = None,
        limits: Sequence[str] = (),
    ) -> None:
        super().__init__(
            message, path=path, line=line, column=column, option=option, joint=joint, nearest=nearest
        )
        self.limits = limits


class Canceled(BakeError):
    """The progress function returned False, so the bake stopped."""


class FileError(Error, OSError):
    """The operating system refused to read or write a file."""


class MissingFileError(FileError, FileNotFoundError):
    """A file does not exist."""


class LoadError(Error, ValueError):
    """The bytes are no baked character that this version can read."""


class ExportError(Error, ValueError):
    """The character cannot be written in this form."""


class PoseError(Error, ValueError):
    """The matrices, the clip or the time give no pose of this character."""


class SkinError(Error, ValueError):
    """An exact question needs the skin, which the character was baked without."""


class WorldError(Error, ValueError):
    """The world has no such body, or has it already."""


class ExportWarning(UserWarning):
    """An export differs from the bake in something that its form cannot express."""
