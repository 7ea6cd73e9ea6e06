//! The exit codes of the program. They are numbers, because a program that runs this one in its own process needs a number.

/// Everything went well.
pub(crate) const SUCCESS: u8 = 0;

/// An error occurred, or files differ.
pub(crate) const FAILURE: u8 = 1;

/// The command line is wrong.
pub(crate) const WRONG_COMMAND_LINE: u8 = 2;
