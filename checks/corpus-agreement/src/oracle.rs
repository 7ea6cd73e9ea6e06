//! Real characters, and the figures of an independent program about them (`oracle/NAME.json`).

use glam::{DMat3, DVec3};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A character of the corpus and its golden figures.
#[derive(Clone, Debug)]
pub struct Golden {
    /// The name of the oracle's file without its extension.
    pub name: String,
    /// The path of the asset.
    pub path: PathBuf,
    /// The whole content of the oracle's file.
    pub oracle: Value,
}

/// All characters with golden figures, sorted by name.
///
/// # Panics
/// If the corpus is incomplete or damaged.
#[must_use]
pub fn golden() -> Vec<Golden> {
    let mut found = Vec::new();
    for file in corpus::files("oracle") {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        if name.starts_with("pairs_") {
            continue;
        }
        let oracle = read_json(&file);
        let path = corpus::character(oracle["survey"]["file"].as_str().expect("survey.file"));
        found.push(Golden { name, path, oracle });
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// The tests of pairs of two different characters, as (A, B, the oracle's file).
///
/// # Panics
/// As [`golden`].
#[must_use]
pub fn golden_duels(golden: &[Golden]) -> Vec<(Golden, Golden, Value)> {
    let by_file = |file: &Value| {
        let file = file.as_str().expect("file");
        golden.iter().find(|golden| golden.path.ends_with(file)).unwrap_or_else(|| panic!("no {file}")).clone()
    };
    let is_duel = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("pairs_"));
    let paths = corpus::files("oracle").into_iter().filter(is_duel);
    paths.map(|path| read_json(&path)).map(|duel| (by_file(&duel["a"]), by_file(&duel["b"]), duel)).collect()
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

fn read_json(path: &Path) -> Value {
    let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Reads a list of numbers.
///
/// # Panics
/// If the value is not a list of numbers.
#[must_use]
pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|number| number.as_f64().expect("a number")).collect()
}

/// Reads three numbers.
///
/// # Panics
/// If the value is not a list of three numbers.
#[must_use]
pub fn vector(value: &Value) -> DVec3 {
    DVec3::from_slice(&numbers(value))
}

/// Reads a matrix of the oracle, 3x4 by rows, as the linear part and the translation.
///
/// # Panics
/// If the value is not such a matrix.
#[must_use]
pub fn matrix(value: &Value) -> (DMat3, DVec3) {
    let m = numbers(value);
    let row = |r: usize| DVec3::new(m[4 * r], m[4 * r + 1], m[4 * r + 2]);
    (DMat3::from_cols(row(0), row(1), row(2)).transpose(), DVec3::new(m[3], m[7], m[11]))
}
