//! `bonebox init`: writes the first `bonebox.toml` for a folder or a character.

use crate::commands::table::plural;
use crate::terminal::eprint_line;
use asset_bake::{Asset, SETTINGS_FILE, character_name, find_assets, folder_of, printable_path, replace_file};
use bake_settings::{Character, NewCharacter};
use baked_format::Source;
use bone_fit::{BakeError, BakeOptions, Measure, NamedParts, Parts};
use skeleton::printable;
use skinned_model::SkinnedModel;
use std::io::Write as _;
use std::path::PathBuf;

/// The name of the schema. It is written beside the settings file, which names it.
const SCHEMA: &str = "bonebox.schema.json";

/// Arguments of `bonebox init`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// Folder of characters, or one character
    path: PathBuf,
    /// Overwrite an existing bonebox.toml
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let path = &arguments.path;
    let folder = if path.is_dir() { path.as_path() } else { folder_of(path) };
    let file = folder.join(SETTINGS_FILE);
    // A path that does not exist is a typing mistake, whatever is beside it.
    let assets = find_assets(std::slice::from_ref(path))?;
    let is_there = std::fs::symlink_metadata(&file).is_ok();
    anyhow::ensure!(
        arguments.force || !is_there,
        "{} exists already; overwrite it with --force",
        printable_path(&file)
    );
    let mut characters = Vec::new();
    for asset in assets {
        match Asset::open(&asset).and_then(|asset| asset.import()) {
            Ok((model, _)) => match character(character_name(&asset), &model) {
                Ok(character) => characters.push(character),
                Err(error) => eprint_line!("warning: {} is left out: {error}", printable_path(&asset)),
            },
            Err(error) => eprint_line!("warning: {} is left out: {}", printable_path(&asset), error.with_causes()),
        }
    }
    anyhow::ensure!(
        !characters.is_empty(),
        "{} contains no .glb, .gltf, .vrm or .fbx file that can be read; name an asset or a folder with assets",
        printable_path(path)
    );
    replace_file(&folder.join(SCHEMA), bake_settings::schema().as_bytes())?;
    replace_file(&file, bake_settings::init(&characters, &format!("./{SCHEMA}")).as_bytes())?;
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{}: {}; {SCHEMA} beside it lets editors suggest and check its options",
        printable_path(&file),
        plural(characters.len(), "character", "characters")
    )?;
    // The parts of people and of four-legged animals have tags.
    for NewCharacter { character, .. } in characters.iter().filter(|one| one.part_tags.is_empty()) {
        let untagged = bake_settings::untagged_joints(character);
        if !untagged.is_empty() {
            writeln!(
                out,
                "{}: {} of {} joints with boxes have no tag, because their names contain no known part of the body: {}",
                printable(&character.name),
                untagged.len(),
                character.joints.len(),
                printable(&untagged.join(", "))
            )?;
        }
    }
    Ok(())
}

/// The joints that get a box, and the tags of their parts.
fn character(name: String, model: &SkinnedModel) -> Result<NewCharacter, BakeError> {
    // A character that is no humanoid gets the same number of parts.
    let parts = Parts::Named(NamedParts::Humanoid);
    let options = BakeOptions { parts, measure: Measure::None, ..BakeOptions::default() };
    let source = Source { file: String::new(), blake3: [0; 32], generator: String::new() };
    let baked = bone_fit::bake(model, &name, source, &options)?;
    let is_humanoid = baked.character.humanoid.is_some();
    let mut joints: Vec<String> = baked.report.boxes.into_iter().map(|one| one.joint_name).collect();
    joints.dedup();
    let mut part_tags: Vec<String> = baked.character.boxes.into_iter().flat_map(|one| one.tags).collect();
    part_tags.sort();
    part_tags.dedup();
    let character = Character { name, joints, surfaces: bone_fit::surface_names(model) };
    Ok(NewCharacter { character, is_humanoid, part_tags })
}
