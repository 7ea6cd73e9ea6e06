//! Finds the corpus of real characters that some tests, benches and programs need.
//!
//! The corpus is not part of the project; CONTRIBUTING.md says where its files come from. It is the folder in the
//! environment variable `BONEBOX_CORPUS`, or otherwise `shared/corpus` beside the workspace.
//!
//! A test that reads the corpus is in a module with the name `corpus`, and is ignored with the reason `needs the corpus
//! of real characters: cargo xtask ignored corpus`. That command runs these tests, and `cargo xtask check` runs them if
//! the corpus exists.
#![forbid(unsafe_code)]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of the corpus with characters. The other folders contain damaged files and golden figures.
const CHARACTERS: [&str; 7] = ["gdquest", "kaykit", "khronos", "quaternius", "robot", "suite", "variants"];

/// The characters that fall as ragdolls in rapier, MuJoCo and USD: paths in the corpus.
pub const RAGDOLLS: [&str; 13] = [
    "kaykit/Knight.glb",
    "kaykit/Barbarian.glb",
    "kaykit/Mage.glb",
    "kaykit/Rogue.glb",
    "gdquest/gdbot.glb",
    "khronos/cesium_man.gltf",
    "khronos/Fox.glb",
    "quaternius/animals_pack__Horse.glb",
    "quaternius/cyberpunk_pack__Character.glb",
    "quaternius/cyberpunk_pack__Enemy_Large.glb",
    "quaternius/easy_enemies_pack__Spider.glb",
    "quaternius/modular_women__Adventurer.glb",
    "robot/RobotExpressive.glb",
];

/// The corpus folder, or `None` if it does not exist.
#[must_use]
pub fn find() -> Option<PathBuf> {
    Some(expected()).filter(|folder| folder.is_dir())
}

/// The corpus folder.
///
/// # Panics
/// If the folder does not exist. The message names the expected path.
#[must_use]
pub fn folder() -> PathBuf {
    let expected = expected();
    assert!(
        expected.is_dir(),
        "there is no corpus of real characters at {}; set BONEBOX_CORPUS to its folder (CONTRIBUTING.md says how to \
         make one)",
        expected.display()
    );
    expected
}

/// All characters outside `malformed/`: `.glb`, `.gltf` and `.vrm` files, sorted by path.
///
/// # Panics
/// If the corpus or one of its folders does not exist.
#[must_use]
pub fn characters() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        CHARACTERS.iter().flat_map(|name| files(name)).filter(|path| is_model(path)).collect();
    found.sort();
    found
}

/// The character with this file name, such as `Knight.glb`.
///
/// # Panics
/// If the corpus does not exist, or has no such file outside `malformed/`.
#[must_use]
pub fn character(file: &str) -> PathBuf {
    let folder = folder();
    let path = CHARACTERS.iter().map(|name| folder.join(name).join(file)).find(|path| path.is_file());
    path.unwrap_or_else(|| panic!("the corpus at {} has no character {file}", folder.display()))
}

/// All files in one folder of the corpus, such as `oracle` or `malformed/derived`, sorted by path.
///
/// # Panics
/// If the corpus or the folder does not exist.
#[must_use]
pub fn files(name: &str) -> Vec<PathBuf> {
    let folder = folder().join(name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let path = |entry: std::io::Result<fs::DirEntry>| {
        entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path()
    };
    let mut paths: Vec<PathBuf> = entries.map(path).filter(|path| path.is_file()).collect();
    paths.sort();
    paths
}

fn is_model(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ["glb", "gltf", "vrm"].iter().any(|known| ending == *known))
}

fn expected() -> PathBuf {
    env::var_os("BONEBOX_CORPUS").map_or_else(|| workspace().join("../shared/corpus"), PathBuf::from)
}

/// The root of the workspace: the nearest folder with a lock file, starting at the package that cargo runs.
///
/// It is found at run time, because the checkout may have moved since the build.
fn workspace() -> PathBuf {
    let start = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).or_else(|| env::current_dir().ok());
    let start = start.unwrap_or_default();
    start.ancestors().find(|folder| folder.join("Cargo.lock").is_file()).unwrap_or(&start).to_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_workspace_is_the_folder_above_this_package() {
        assert!(super::workspace().join("testing/corpus/Cargo.toml").is_file());
    }
}

#[cfg(test)]
mod corpus {
    #[test]
    #[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
    fn characters_are_found_by_name() {
        let all = crate::characters();
        assert!(all.len() > 50, "{}", all.len());
        for path in all.iter().take(3) {
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
            assert!(crate::character(name).is_file());
        }
    }
}
