//! Paths in messages.

use skeleton::printable;
use std::fs;
use std::path::Path;

/// The path for messages, as the caller wrote it, with control characters escaped.
#[must_use]
pub fn printable_path(path: &Path) -> String {
    printable(&path.display().to_string()).into_owned()
}

/// The path for messages, with control characters escaped: relative to the working folder if it is inside that folder.
#[must_use]
pub fn shown_path(path: &Path) -> String {
    let here = std::env::current_dir().and_then(fs::canonicalize).ok();
    let inside = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    let shown = inside.unwrap_or_else(|| path.to_owned()).display().to_string();
    printable(without_verbatim_prefix(&shown)).into_owned()
}

/// The path without the `\\?\` that Windows puts before resolved paths with a drive letter; few programs take paths
/// with it.
fn without_verbatim_prefix(path: &str) -> &str {
    let rest = path.strip_prefix(r"\\?\").unwrap_or(path);
    if rest.as_bytes().get(1) == Some(&b':') { rest } else { path }
}
