//! Mutates small files of the corpus.

use crate::mutations::{mutate_all, rounds};
use std::fs;
use std::path::PathBuf;

/// The corpus files smaller than 100,000 bytes.
fn small_files() -> Vec<Vec<u8>> {
    let folders =
        ["malformed/derived", "malformed/assimp", "malformed/validator", "malformed/other", "khronos", "variants"];
    let mut paths: Vec<PathBuf> = folders.iter().flat_map(|folder| ::corpus::files(folder)).collect();
    paths.retain(|path| fs::metadata(path).unwrap().len() < 100_000);
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn mutations_of_small_files_are_read_or_refused() {
    let seeds = small_files();
    assert!(seeds.len() > 100, "{} small files", seeds.len());
    mutate_all(&seeds, rounds(200 * seeds.len()));
}
