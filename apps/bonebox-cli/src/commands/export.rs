//! `bonebox export`: the boxes of a bake in the forms that engines read.

use crate::settings_arguments::SettingsArguments;
use anyhow::Context as _;
use asset_bake::{Asset, is_baked_file, load_or_bake, replace_file};
use baked_format::BakedCharacter;
use clap::ValueEnum;
use gltf_export::{CapsulePolicy, ExportForm, export};
use std::path::{Path, PathBuf};

/// What to export, and to what.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// An asset (.glb, .gltf, .vrm), or a .bonebox file with its asset beside it
    file: PathBuf,
    /// The form
    #[arg(long)]
    to: Form,
    /// Where to [default: NAME.FORM.glb, .json or .ron beside the file]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The asset that a .bonebox file was baked from [default: the one it names, beside it]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// How a box becomes a capsule, for vrm
    #[arg(long, default_value = "equal-volume")]
    capsule: Capsule,
    #[command(flatten)]
    settings: SettingsArguments,
}

/// [`ExportForm`] with a help text for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
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

impl From<Form> for ExportForm {
    fn from(form: Form) -> Self {
        match form {
            Form::Omi => Self::Omi,
            Form::Khr => Self::Khr,
            Form::Vrm => Self::Vrm,
            Form::Wire => Self::Wire,
            Form::Json => Self::Json,
            Form::Ron => Self::Ron,
        }
    }
}

/// [`CapsulePolicy`] with a help text for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Capsule {
    /// Wholly inside the box
    Inscribed,
    /// As large as the box, its cross-section as large as the box's
    EqualVolume,
    /// The box wholly inside it
    Enclosing,
}

impl From<Capsule> for CapsulePolicy {
    fn from(capsule: Capsule) -> Self {
        match capsule {
            Capsule::Inscribed => Self::Inscribed,
            Capsule::EqualVolume => Self::EqualVolume,
            Capsule::Enclosing => Self::Enclosing,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let form = ExportForm::from(arguments.to);
    let (character, asset) = load(arguments, form)?;
    let source = asset.as_ref().map(Asset::bytes).unwrap_or_default();
    let export = export(&character, source, form, arguments.capsule.into())?;
    let asset = asset.map(|asset| asset.path);
    let out = arguments.out.clone().unwrap_or_else(|| default_out(&arguments.file, asset.as_deref(), form));
    let overwritten = [Some(&arguments.file), asset.as_ref()].into_iter().flatten().any(|input| same_file(input, &out));
    anyhow::ensure!(!overwritten, "{} is the input; give another file with -o", out.display());
    replace_file(&out, &export.bytes)?;
    for warning in &export.warnings {
        eprintln!("warning: {warning}");
    }
    println!("{}: {} boxes", out.display(), character.boxes.len());
    Ok(())
}

fn same_file(a: &Path, b: &Path) -> bool {
    a == b || a.canonicalize().ok().zip(b.canonicalize().ok()).is_some_and(|(a, b)| a == b)
}

/// Returns the bake, and its asset if the form needs it.
fn load(arguments: &Arguments, form: ExportForm) -> anyhow::Result<(BakedCharacter, Option<Asset>)> {
    let file = &arguments.file;
    let character = load_or_bake(file, &arguments.settings.requested)?;
    if !form.is_gltf() {
        return Ok((character, None));
    }
    if !is_baked_file(file) {
        return Ok((character, Some(Asset::open(file)?)));
    }
    let beside = || file.with_file_name(&character.source.file);
    let model = arguments.model.clone().unwrap_or_else(beside);
    let asset = Asset::open(&model).context("the asset is needed; name it with --model")?;
    let (_, blake3) = asset.import().with_context(|| model.display().to_string())?;
    anyhow::ensure!(
        blake3 == character.source.blake3,
        "{} is not what {} was baked from; bake it again",
        model.display(),
        file.display()
    );
    Ok((character, Some(asset)))
}

/// NAME.FORM.glb beside the input; a .gltf stays one, as its buffers lie beside it.
fn default_out(file: &Path, asset: Option<&Path>, form: ExportForm) -> PathBuf {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let ending = match form {
        ExportForm::Json => return file.with_file_name(format!("{name}.boxes.json")),
        ExportForm::Ron => return file.with_file_name(format!("{name}.boxes.ron")),
        _ => asset.and_then(Path::extension).map_or_else(|| "glb".into(), |ending| ending.to_string_lossy()),
    };
    file.with_file_name(format!("{name}.{}.{ending}", form.word()))
}
