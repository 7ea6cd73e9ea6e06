//! The properties of a terminal: colors, and the number of columns. Output whose reader has gone.

use skeleton::printable;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _};

/// The error of commands that find nothing to work on.
pub(crate) const NO_ASSETS: &str =
    "these paths contain no .glb, .gltf, .vrm or .fbx file; name an asset or a folder with assets";

/// Prints a line to standard error. If nobody reads standard error any more, the line is lost and the program goes on.
/// (`eprintln!` panics then, even in the middle of a bake.)
macro_rules! eprint_line {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr().lock(), $($text)*);
    }};
}
pub(crate) use eprint_line;

/// Returns true if the error says that the reader of standard output has gone, as in `bonebox inspect X | head`. An
/// error of another file has the path of this file before its cause.
pub(crate) fn is_closed_output(error: &anyhow::Error) -> bool {
    let outermost: &(dyn std::error::Error + 'static) = error.as_ref();
    outermost.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Returns true if output was printed, and false if its reader has gone. A command whose exit code is an answer needs
/// this function, because the answer is the same without a reader.
///
/// # Errors
/// Returns every other error of the output.
pub(crate) fn is_read(printed: anyhow::Result<()>) -> anyhow::Result<bool> {
    match printed {
        Err(error) if is_closed_output(&error) => Ok(false),
        printed => printed.map(|()| true),
    }
}

/// Adds color to text, or leaves it unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paint(bool);

impl Paint {
    /// The colors of standard output.
    pub(crate) fn stdout() -> Self {
        Self(is_colored(std::io::stdout().is_terminal(), |name| std::env::var_os(name)))
    }

    /// The colors of standard error.
    pub(crate) fn stderr() -> Self {
        Self(is_colored(std::io::stderr().is_terminal(), |name| std::env::var_os(name)))
    }

    /// The color of errors.
    pub(crate) fn red(self, text: &str) -> String {
        self.with("31;1", text)
    }

    /// The color of warnings.
    pub(crate) fn yellow(self, text: &str) -> String {
        self.with("33", text)
    }

    /// The color of success.
    pub(crate) fn green(self, text: &str) -> String {
        self.with("32", text)
    }

    /// The color of unimportant text.
    pub(crate) fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Follows no-color.org and bixense.com/clicolors: `NO_COLOR` has priority, then `CLICOLOR_FORCE`. Otherwise terminals
/// with colors get color, unless `CLICOLOR` is 0.
fn is_colored(is_terminal: bool, variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let set = |name| variable(name).filter(|value| !value.is_empty());
    if set("NO_COLOR").is_some() {
        return false;
    }
    if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") {
        return true;
    }
    is_terminal && set("CLICOLOR").is_none_or(|value| value != "0") && set("TERM").is_none_or(|value| value != "dumb")
}

/// The text with its control characters escaped, except for line breaks: errors of settings show the line in question.
pub(crate) fn printable_lines(text: &str) -> String {
    text.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

/// The number of columns of standard output: the value of `COLUMNS`, or the width of the terminal. `None` if neither is
/// known.
pub(crate) fn columns() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|&columns| columns > 0);
    said.or_else(|| console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environment_variables_choose_colors() {
        let with = |is_terminal, variables: &[(&str, &str)]| {
            is_colored(is_terminal, |name| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
            })
        };
        assert!(with(true, &[]));
        assert!(!with(false, &[]));
        assert!(!with(true, &[("NO_COLOR", "1")]));
        assert!(with(true, &[("NO_COLOR", "")]), "an empty variable counts as not set");
        assert!(!with(true, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]));
        assert!(with(false, &[("CLICOLOR_FORCE", "1")]));
        assert!(!with(false, &[("CLICOLOR_FORCE", "0")]));
        assert!(!with(true, &[("CLICOLOR", "0")]));
        assert!(!with(true, &[("TERM", "dumb")]));
        assert!(with(true, &[("TERM", "xterm-256color"), ("CLICOLOR", "1")]));
    }
}
