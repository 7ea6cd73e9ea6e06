//! Finds the workspace that xtask works on.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The workspace's root folder.
///
/// The folder is found at run time. A path that the compiler wrote into xtask would be wrong if several checkouts share a
/// target folder, or if the checkout was moved.
pub(crate) fn root() -> &'static Path {
    static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
        // Cargo sets this variable for `cargo xtask` and `cargo test`. Without cargo, the search starts at the current folder.
        let start = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).or_else(|| env::current_dir().ok());
        let found = start.as_deref().and_then(above);
        found.map_or_else(
            || panic!("xtask runs outside a bonebox workspace: there is no xtask/Cargo.toml above {start:?}"),
            Path::to_owned,
        )
    });
    &ROOT
}

/// The nearest folder at or above `start` that has `xtask/Cargo.toml` and its own `Cargo.toml`.
fn above(start: &Path) -> Option<&Path> {
    start.ancestors().find(|folder| folder.join("xtask/Cargo.toml").is_file() && folder.join("Cargo.toml").is_file())
}

#[cfg(test)]
mod tests {
    use super::{above, root};
    use std::fs;

    /// A checkout that was moved after xtask was built is found at its new place.
    #[test]
    fn a_moved_workspace_is_found_at_run_time() {
        let folder = std::env::temp_dir().join(format!("bonebox-root-{}", std::process::id()));
        let (built, moved) = (folder.join("built"), folder.join("moved"));
        fs::create_dir_all(built.join("xtask")).expect("a folder");
        fs::create_dir_all(built.join("apps/viewer")).expect("a folder");
        fs::write(built.join("Cargo.toml"), "[workspace]").expect("a file");
        fs::write(built.join("xtask/Cargo.toml"), "[package]").expect("a file");
        fs::rename(&built, &moved).expect("a rename");
        assert_eq!(above(&moved.join("apps/viewer")), Some(&*moved));
        assert_eq!(above(&moved.join("xtask")), Some(&*moved));
        fs::remove_dir_all(&folder).expect("no folder");
        assert_eq!(above(&moved), None);
    }

    #[test]
    fn the_root_of_this_workspace_has_the_architecture() {
        assert!(root().join("ARCHITECTURE.md").is_file());
    }

    /// No source file of xtask contains the folder in which xtask was built.
    #[test]
    fn no_path_is_compiled_in() {
        let compiled = concat!("env!(\"CARGO_", "MANIFEST_DIR\")");
        for entry in fs::read_dir(root().join("xtask/src")).expect("sources") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                let text = fs::read_to_string(&path).expect("text");
                assert!(!text.contains(compiled), "{}", path.display());
            }
        }
    }
}
