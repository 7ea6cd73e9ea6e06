//! The checked-in characters, loaded as other crates load them.
#![allow(dead_code, reason = "every test file uses a part of it")]

use bone_fit::{BakeOptions, bake};
use runtime::Character;
use skinned_model::{NoExternalFiles, SkinnedModel};
use std::path::PathBuf;
use std::sync::OnceLock;

/// File names without extension.
pub(crate) const HUMANS: [&str; 2] = ["runa", "bruno"];
/// File names without extension.
pub(crate) const EVERYONE: [&str; 3] = ["runa", "bruno", "hound"];

pub(crate) fn assets() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "assets"].iter().collect()
}

pub(crate) fn bytes(name: &str) -> Vec<u8> {
    let path = assets().join(format!("{name}.glb"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(crate) fn model(name: &str) -> SkinnedModel {
    skinned_model::import(&bytes(name), &NoExternalFiles).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A character baked with the default options, once for all tests of a program.
pub(crate) fn character(name: &str) -> &'static Character {
    static BAKED: [OnceLock<Character>; EVERYONE.len()] = [const { OnceLock::new() }; EVERYONE.len()];
    let slot = EVERYONE.iter().position(|known| *known == name).expect("one of the three");
    BAKED[slot].get_or_init(|| {
        let source =
            baked_format::Source { file: format!("{name}.glb"), blake3: [0; 32], generator: "test".to_owned() };
        let baked = bake(&model(name), name, source, &BakeOptions::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        Character::from_baked(baked.character)
    })
}
