//! `bonebox export`: the boxes of a bake in the forms that engines read.
//!
//! Into glTF the boxes go as child nodes of their joints; all that the source holds stays as it is, to the byte.
//! `json` and `ron` are texts of their own.

mod capsule;
mod container;
mod glb;
mod json_text;
mod ron;
#[cfg(test)]
mod tests;

use crate::bake;
use crate::cli::OptionArguments;
use crate::output::replace_file;
use crate::source::Asset;
use anyhow::Context as _;
use baked_format::BakedCharacter;
use clap::ValueEnum;
use container::Container;
use std::fs;
use std::path::{Path, PathBuf};

pub use capsule::{Capsule, CapsulePolicy};

/// What to export, and to what.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// An asset (.glb, .gltf, .vrm), or a .bonebox file with its asset beside it
    file: PathBuf,
    /// The form
    #[arg(long)]
    to: Target,
    /// Where to [default: NAME.FORM.glb, .json or .ron beside the file]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The asset that a .bonebox file was baked from [default: the one it names, beside it]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// How a box becomes a capsule, for vrm
    #[arg(long, default_value = "equal-volume")]
    capsule: CapsulePolicy,
    #[command(flatten)]
    options: OptionArguments,
}

/// The form of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// glTF with OMI_physics_shape and OMI_physics_body triggers: Godot reads it natively
    Omi,
    /// glTF with KHR_implicit_shapes and KHR_physics_rigid_bodies triggers
    Khr,
    /// glTF with VRMC_springBone capsules
    Vrm,
    /// glTF with each box as a wire mesh below its joint, for any viewer
    Wire,
    /// The text twin of the baked file
    Json,
    /// The boxes as RON, for Bevy and other Rust engines
    Ron,
}

impl Target {
    fn word(self) -> &'static str {
        match self {
            Self::Omi => "omi",
            Self::Khr => "khr",
            Self::Vrm => "vrm",
            Self::Wire => "wire",
            Self::Json => "json",
            Self::Ron => "ron",
        }
    }
}

/// The JSON of a .glb or .gltf that the importer has accepted.
pub(crate) fn json_of(bytes: &[u8]) -> anyhow::Result<&str> {
    Ok(container::Container::open(bytes)?.json)
}

/// An export, and what was odd about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// The file.
    pub bytes: Vec<u8>,
    /// In sentences.
    pub warnings: Vec<String>,
}

/// A bake in another form; `source` is the asset's own bytes, which forms that are glTF extend.
///
/// # Errors
/// A source that is no glTF or does not have the bake's nodes.
pub fn export(
    character: &BakedCharacter,
    source: &[u8],
    target: Target,
    capsule: CapsulePolicy,
) -> anyhow::Result<Export> {
    match target {
        Target::Json => Ok(Export { bytes: baked_format::to_json(character).into_bytes(), warnings: Vec::new() }),
        Target::Ron => Ok(Export { bytes: ron::text(character).into_bytes(), warnings: Vec::new() }),
        Target::Omi | Target::Khr | Target::Vrm | Target::Wire => glb::extend(character, source, target, capsule),
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (character, asset) = load(arguments)?;
    let source = asset.as_deref().map(fs::read).transpose().context("cannot read the asset")?.unwrap_or_default();
    let export = export(&character, &source, arguments.to, arguments.capsule)?;
    let out = arguments.out.clone().unwrap_or_else(|| default_out(&arguments.file, asset.as_deref(), arguments.to));
    let overwritten = [Some(&arguments.file), asset.as_ref()].into_iter().flatten().any(|input| same_file(input, &out));
    anyhow::ensure!(!overwritten, "{} is the input; give another file with -o", out.display());
    replace_file(&out, &export.bytes)?;
    for warning in &export.warnings {
        eprintln!("warning: {warning}");
    }
    println!("{}: {} boxes", out.display(), character.boxes.len());
    Ok(())
}

/// The files beside it that a glTF names as buffers, as it names them; none where it cannot be read.
pub(crate) fn named_files(asset: &[u8]) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Document {
        #[serde(default)]
        buffers: Vec<Buffer>,
    }
    #[derive(serde::Deserialize)]
    struct Buffer {
        uri: Option<String>,
    }
    let json = Container::open(asset).ok().map(|container| container.json);
    let document = json.and_then(|json| serde_json::from_str::<Document>(json).ok());
    let uris = document.into_iter().flat_map(|document| document.buffers).filter_map(|buffer| buffer.uri);
    uris.filter(|uri| !uri.starts_with("data:")).collect()
}

fn same_file(a: &Path, b: &Path) -> bool {
    a == b || a.canonicalize().ok().zip(b.canonicalize().ok()).is_some_and(|(a, b)| a == b)
}

/// The bake, and the path of its asset where the form needs it.
fn load(arguments: &Arguments) -> anyhow::Result<(BakedCharacter, Option<PathBuf>)> {
    let bytes = bake::load_or_bake(&arguments.file, &arguments.options.asked)?;
    let character = baked_format::read(&bytes).with_context(|| arguments.file.display().to_string())?;
    let is_baked = arguments.file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bonebox"));
    if matches!(arguments.to, Target::Json | Target::Ron) {
        return Ok((character, None));
    }
    if !is_baked {
        return Ok((character, Some(arguments.file.clone())));
    }
    let beside = || arguments.file.with_file_name(&character.source.file);
    let model = arguments.model.clone().unwrap_or_else(beside);
    let asset = Asset::open(&model).context("the asset is needed; name it with --model")?;
    let (_, blake3) = asset.import().with_context(|| model.display().to_string())?;
    anyhow::ensure!(
        blake3 == character.source.blake3,
        "{} is not what {} was baked from; bake it again",
        model.display(),
        arguments.file.display()
    );
    Ok((character, Some(model)))
}

/// NAME.FORM.glb beside the input; a .gltf stays one, as its buffers lie beside it.
fn default_out(file: &Path, asset: Option<&Path>, target: Target) -> PathBuf {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let ending = match target {
        Target::Json => return file.with_file_name(format!("{name}.boxes.json")),
        Target::Ron => return file.with_file_name(format!("{name}.boxes.ron")),
        _ => asset.and_then(Path::extension).map_or_else(|| "glb".into(), |ending| ending.to_string_lossy()),
    };
    file.with_file_name(format!("{name}.{}.{ending}", target.word()))
}
