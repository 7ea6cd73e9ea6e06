//! Real characters, and what an independent program found out about them (`oracle/NAME.json`).

use glam::{DMat3, DVec3};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The corpus' folder, or `None` with a printed line where there is none.
#[must_use]
pub fn root() -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus");
    let root = std::env::var_os("BONEBOX_CORPUS").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    if root.is_dir() {
        return Some(root);
    }
    println!("skipped: no corpus of characters at {}", root.display());
    None
}

/// A character of the corpus and its golden figures.
#[derive(Clone, Debug)]
pub struct Golden {
    /// The oracle file's name without the ending.
    pub name: String,
    /// The asset.
    pub path: PathBuf,
    /// The whole oracle file.
    pub oracle: Value,
}

/// All characters with golden figures, sorted by name.
///
/// # Panics
/// Where the corpus is broken: it is not the project's to mend.
#[must_use]
pub fn golden(root: &Path) -> Vec<Golden> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root.join("oracle")).expect("oracle").map(|entry| entry.expect("entry")) {
        let name = entry.file_name().to_string_lossy().trim_end_matches(".json").to_owned();
        if name.starts_with("pairs_") {
            continue;
        }
        let oracle = read_json(&entry.path());
        let file = oracle["survey"]["file"].as_str().expect("survey.file").to_owned();
        let path = FOLDERS.iter().map(|folder| root.join(folder).join(&file)).find(|path| path.is_file());
        found.push(Golden { name, path: path.unwrap_or_else(|| panic!("no {file}")), oracle });
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// Pair tests between two different characters, as (A, B, oracle file).
///
/// # Panics
/// As [`golden`].
#[must_use]
pub fn golden_duels(root: &Path, golden: &[Golden]) -> Vec<(Golden, Golden, Value)> {
    let by_file = |file: &Value| {
        let file = file.as_str().expect("file");
        golden.iter().find(|golden| golden.path.ends_with(file)).unwrap_or_else(|| panic!("no {file}")).clone()
    };
    let mut paths: Vec<PathBuf> = fs::read_dir(root.join("oracle"))
        .expect("oracle")
        .map(|entry| entry.expect("entry").path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("pairs_")))
        .collect();
    paths.sort();
    paths.iter().map(|path| read_json(path)).map(|duel| (by_file(&duel["a"]), by_file(&duel["b"]), duel)).collect()
}

/// The characters that `docs/accuracy.md` is about.
pub const MEASURED: [&str; 9] = [
    "Fox",
    "Knight",
    "RobotExpressive",
    "Rogue",
    "animals_pack__Horse",
    "cesium_man",
    "cyberpunk_pack__Character",
    "easy_enemies_pack__Spider",
    "gdbot",
];

const FOLDERS: [&str; 7] = ["kaykit", "khronos", "robot", "gdquest", "quaternius", "suite", "variants"];

/// Every asset outside `malformed/`, sorted.
///
/// # Panics
/// As [`golden`].
#[must_use]
pub fn assets(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        for entry in fs::read_dir(root.join(folder)).expect(folder) {
            let path = entry.expect("entry").path();
            if path.extension().is_some_and(|ending| ["glb", "gltf", "vrm"].iter().any(|known| ending == *known)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read_json(path: &Path) -> Value {
    let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A list of numbers.
///
/// # Panics
/// Where it is no list of numbers.
#[must_use]
pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|number| number.as_f64().expect("a number")).collect()
}

/// Three numbers.
///
/// # Panics
/// Where they are not three.
#[must_use]
pub fn vector(value: &Value) -> DVec3 {
    DVec3::from_slice(&numbers(value))
}

/// A matrix of the oracle, 3x4 by rows: the linear part and the translation.
///
/// # Panics
/// Where it is no such matrix.
#[must_use]
pub fn matrix(value: &Value) -> (DMat3, DVec3) {
    let m = numbers(value);
    let row = |r: usize| DVec3::new(m[4 * r], m[4 * r + 1], m[4 * r + 2]);
    (DMat3::from_cols(row(0), row(1), row(2)).transpose(), DVec3::new(m[3], m[7], m[11]))
}
