//! `bonebox export`: writes the boxes of a bake in the forms that engines read.

use crate::settings_arguments::SettingsArguments;
use crate::terminal::eprint_line;
use anyhow::Context as _;
use asset_bake::{
    Asset, character_name, copy_named_files, folder_of, is_baked_file, load_or_bake, printable_path, replace_file,
};
use baked_format::BakedCharacter;
use clap::ValueEnum;
use gltf_export::{CapsulePolicy, ExportForm, ExportOrigin, export, export_origin};
use skeleton::printable;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Arguments of `bonebox export`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// An asset (.glb, .gltf, .vrm, .fbx), or a .bonebox file with its asset beside it
    file: PathBuf,
    /// Form to write
    #[arg(long)]
    to: Form,
    /// File or existing folder to write to [default: NAME.FORM.glb, .json, .ron, .mjcf.xml, .urdf or .usda beside the input]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite a file that is not an earlier export of the same asset
    #[arg(long)]
    force: bool,
    /// Asset that a .bonebox file was baked from [default: the file that it names, beside it]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Size of the capsule that replaces a box, with `--to vrm`
    #[arg(long, default_value = "equal-volume")]
    capsule: Capsule,
    #[command(flatten)]
    settings: SettingsArguments,
}

/// [`ExportForm`] with a help text for each value.
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
    /// The JSON of the baked file, which equals NAME.bonebox.json
    Json,
    /// The boxes as RON, for Bevy and other Rust engines
    Ron,
    /// The ragdoll as MJCF, for MuJoCo
    Mjcf,
    /// The ragdoll as URDF, for programs of robots
    Urdf,
    /// The ragdoll as JSON, for scripts of Unity, Unreal and other engines
    Ragdoll,
    /// glTF with the ragdoll: OMI_physics_body bodies and OMI_physics_joint joints
    OmiRagdoll,
    /// glTF with the ragdoll: KHR_physics_rigid_bodies bodies and joints
    KhrRagdoll,
    /// The ragdoll as USD Physics: bodies, colliders and joints
    Usda,
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
            Form::Mjcf => Self::Mjcf,
            Form::Urdf => Self::Urdf,
            Form::Ragdoll => Self::Ragdoll,
            Form::OmiRagdoll => Self::OmiRagdoll,
            Form::KhrRagdoll => Self::KhrRagdoll,
            Form::Usda => Self::Usda,
        }
    }
}

/// [`CapsulePolicy`] with a help text for each value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Capsule {
    /// The capsule lies inside the box
    Inscribed,
    /// Capsule and box have equal volumes and equal cross-sections
    EqualVolume,
    /// The box lies inside the capsule
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

/// Writes the export, unless it would overwrite a file that is not an earlier export of the same asset.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let form = ExportForm::from(arguments.to);
    let (character, asset) = load(arguments, form)?;
    let source = asset.as_ref().map(Asset::gltf).transpose()?.unwrap_or_default();
    let export = export(&character, &source, form, arguments.capsule.into())?;
    let asset_path = asset.as_ref().map(|asset| &asset.path);
    let out = out_path(arguments, asset_path.map(PathBuf::as_path), form);
    let inputs = [Some(&arguments.file), asset_path];
    let overwrites_input = inputs.into_iter().flatten().any(|input| same_file(input, &out));
    anyhow::ensure!(
        !overwrites_input,
        "{} is the input file; choose another output file with -o",
        printable_path(&out)
    );
    let origin = ExportOrigin { form, source: character.source.file.clone() };
    check_overwritten(&out, &origin, arguments.force)?;
    let copies = match &asset {
        Some(asset) => copy_named_files(asset, folder_of(&out), arguments.force)?,
        None => Vec::new(),
    };
    replace_file(&out, &export.bytes)?;
    for warning in &export.warnings {
        eprint_line!("warning: {}", printable(&warning.to_string()));
    }
    // Printed after everything is written, because nobody may read it.
    let mut told = std::io::stdout().lock();
    for copy in &copies {
        writeln!(told, "copied {}", printable_path(copy))?;
    }
    let (count, what) = match &character.ragdoll {
        Some(ragdoll) if form.is_ragdoll() => (ragdoll.bodies.len(), "bodies"),
        _ => (character.boxes.len(), "boxes"),
    };
    Ok(writeln!(told, "{}: {count} {what}", printable_path(&out))?)
}

/// Fails if the output exists and is not an earlier export of the same asset to the same form.
fn check_overwritten(out: &Path, origin: &ExportOrigin, force: bool) -> anyhow::Result<()> {
    let there = match fs::read(out) {
        Ok(there) => there,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", printable_path(out))),
    };
    let found = match export_origin(&there) {
        Some(found) if found == *origin => return Ok(()),
        Some(found) => format!("an export of {} to {}", printable(&found.source), found.form.keyword()),
        None => format!("not an export of {} to {}", printable(&origin.source), origin.form.keyword()),
    };
    anyhow::ensure!(
        force,
        "{} exists and is {found}; no file was written; choose another file with -o, or overwrite this file with --force",
        printable_path(out)
    );
    Ok(())
}

fn same_file(a: &Path, b: &Path) -> bool {
    a == b || a.canonicalize().ok().zip(b.canonicalize().ok()).is_some_and(|(a, b)| a == b)
}

/// Loads the bake, and the asset if the form needs it.
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
    let asset = Asset::open(&model).context("this form needs the asset; give it with --model")?;
    let (_, blake3) = asset.import().with_context(|| printable_path(&model))?;
    anyhow::ensure!(
        blake3 == character.source.blake3,
        "{} differs from the asset that {} was baked from; bake the asset again",
        printable_path(&model),
        printable_path(file)
    );
    Ok((character, Some(asset)))
}

/// The output file: the requested file, or the default name in the requested folder, or the default name beside the
/// input.
fn out_path(arguments: &Arguments, asset: Option<&Path>, form: ExportForm) -> PathBuf {
    let name = default_name(&arguments.file, asset, form);
    match &arguments.out {
        Some(folder) if folder.is_dir() => folder.join(name),
        Some(file) => file.clone(),
        None => arguments.file.with_file_name(name),
    }
}

/// The default name NAME.FORM.glb. An export of a .gltf is a .gltf too, because its buffers are separate files.
fn default_name(file: &Path, asset: Option<&Path>, form: ExportForm) -> String {
    let name = character_name(file);
    let extension = asset.and_then(Path::extension).map_or_else(|| "glb".into(), |one| one.to_string_lossy());
    match form {
        ExportForm::Json => format!("{name}.boxes.json"),
        ExportForm::Ron => format!("{name}.boxes.ron"),
        // MuJoCo opens files with this ending.
        ExportForm::Mjcf => format!("{name}.mjcf.xml"),
        ExportForm::Urdf => format!("{name}.urdf"),
        ExportForm::Ragdoll => format!("{name}.ragdoll.json"),
        ExportForm::Usda => format!("{name}.usda"),
        _ if extension.eq_ignore_ascii_case(form.keyword()) => format!("{name}.boxes.{extension}"),
        // Few programs open a .vrm as a glTF. An export of an .fbx is the glTF that it is converted to.
        _ if ["vrm", "fbx"].iter().any(|one| extension.eq_ignore_ascii_case(one)) => {
            format!("{name}.{}.glb", form.keyword())
        }
        _ => format!("{name}.{}.{extension}", form.keyword()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_names_contain_the_form_once() {
        let name = |file: &str, form| default_name(Path::new(file), Some(Path::new(file)), form);
        assert_eq!(name("a/runa.glb", ExportForm::Omi), "runa.omi.glb");
        assert_eq!(name("runa.gltf", ExportForm::Vrm), "runa.vrm.gltf");
        assert_eq!(name("runa.vrm", ExportForm::Vrm), "runa.boxes.vrm");
        assert_eq!(name("runa.vrm", ExportForm::Wire), "runa.wire.glb");
        assert_eq!(name("runa.vrm", ExportForm::Ron), "runa.boxes.ron");
        assert_eq!(name("runa.vrm", ExportForm::Mjcf), "runa.mjcf.xml");
        assert_eq!(name("a/runa.bonebox", ExportForm::Urdf), "runa.urdf");
        assert_eq!(name("runa.glb", ExportForm::Ragdoll), "runa.ragdoll.json");
        assert_eq!(name("runa.gltf", ExportForm::KhrRagdoll), "runa.khr-ragdoll.gltf");
        assert_eq!(name("runa.vrm", ExportForm::Usda), "runa.usda");
        assert_eq!(name("runa.FBX", ExportForm::Omi), "runa.omi.glb");
    }

    #[test]
    fn only_an_earlier_export_of_the_same_asset_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out.gltf");
        let origin = ExportOrigin { form: ExportForm::Omi, source: "runa.glb".into() };
        let refusal = |origin: &ExportOrigin, force| check_overwritten(&out, origin, force).map_err(|e| e.to_string());
        assert_eq!(refusal(&origin, false), Ok(()), "the file does not exist yet");
        let mark = r#"{"asset": {"extras": {"bonebox": {"export": "omi", "source": "runa.glb"}}}}"#;
        fs::write(&out, mark).unwrap();
        assert_eq!(refusal(&origin, false), Ok(()));
        let other = ExportOrigin { form: ExportForm::Khr, ..origin.clone() };
        assert!(refusal(&other, false).unwrap_err().contains("is an export of runa.glb to omi; no file was written"));
        assert_eq!(refusal(&other, true), Ok(()));
        fs::write(&out, "{}").unwrap();
        assert!(refusal(&origin, false).unwrap_err().contains("is not an export of runa.glb to omi"));
    }
}
