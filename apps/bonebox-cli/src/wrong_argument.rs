//! The error of a command line that is wrong whatever the files contain.

use std::fmt;

/// A value of the command line is wrong. The program exits with code 2, as it does for the mistakes that clap finds.
#[derive(Debug)]
pub(crate) struct WrongArgument(String);

impl fmt::Display for WrongArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WrongArgument {}

/// Returns an error with this message if a value of the command line is wrong.
pub(crate) fn ensure_argument(is_right: bool, message: impl FnOnce() -> String) -> Result<(), WrongArgument> {
    if is_right { Ok(()) } else { Err(WrongArgument(message())) }
}

/// `--fps` of a command that computes poses: from 1 to 1000.
pub(crate) fn ensure_poses_per_second(fps: f64) -> Result<(), WrongArgument> {
    ensure_argument((1.0..=1000.0).contains(&fps), || format!("--fps is {fps}, but must be from 1 to 1000"))
}
