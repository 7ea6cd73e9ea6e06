//! Tests of the characters in `assets/`, their clips and their files.

mod characters;
mod fights;

use bone_fit::{BakeOptions, bake};
use runtime::Character;
use skinned_model::{NoExternalFiles, SkinnedModel};
use std::path::PathBuf;
use std::sync::OnceLock;

/// File names without extension.
const HUMANS: [&str; 2] = ["runa", "bruno"];
/// File names without extension.
const EVERYONE: [&str; 3] = ["runa", "bruno", "hound"];

fn assets() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "assets"].iter().collect()
}

fn bytes(name: &str) -> Vec<u8> {
    let path = assets().join(format!("{name}.glb"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn model(name: &str) -> SkinnedModel {
    skinned_model::import(&bytes(name), &NoExternalFiles).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A character baked with the default options, once for all tests of a program.
fn character(name: &str) -> &'static Character {
    static BAKED: [OnceLock<Character>; EVERYONE.len()] = [const { OnceLock::new() }; EVERYONE.len()];
    let slot = EVERYONE.iter().position(|known| *known == name).expect("one of the three");
    BAKED[slot].get_or_init(|| {
        let source =
            baked_format::Source { file: format!("{name}.glb"), blake3: [0; 32], generator: "test".to_owned() };
        let baked = bake(&model(name), name, source, &BakeOptions::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        Character::from_baked(baked.character)
    })
}

#[test]
fn sources_md_lists_every_file() {
    let text = std::fs::read_to_string(assets().join("SOURCES.md")).unwrap();
    for name in EVERYONE {
        let hash = blake3::hash(&bytes(name)).to_hex();
        let row = text.lines().find(|line| line.contains(&format!("`{name}.glb`"))).unwrap_or_default();
        assert!(row.contains(hash.as_str()), "assets/SOURCES.md should give {name}.glb the hash {hash}");
    }
}
