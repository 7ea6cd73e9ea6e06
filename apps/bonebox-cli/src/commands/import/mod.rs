//! `bonebox import`: boxes that people made elsewhere, into `bonebox.toml`.
//!
//! [`gltf`]: nodes with KHR_physics_rigid_bodies or OMI_physics_body; [`qc`]: `$hbox` lines of Source models.

mod gltf;
mod qc;

use anyhow::Context as _;
use asset_bake::{
    Asset, RequestedSettings, SETTINGS_FILE, character_name, find_assets, folder_of, replace_file, shown_path,
};
use bone_fit::{ManualBox, did_you_mean, nearest_name};
use skeleton::Skeleton;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What to import.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// A glTF with KHR_physics_rigid_bodies or OMI_physics_body nodes, or a Source .qc with $hbox lines
    file: PathBuf,
    /// Whose boxes they are, by its file's name without ending [default: as the file is called]
    #[arg(long, value_name = "NAME")]
    character: Option<String>,
    /// The settings file [default: the bonebox.toml that bears on the file, or a new one beside it]
    #[arg(long, value_name = "FILE")]
    into: Option<PathBuf>,
    /// Joint space units to a unit of a .qc
    #[arg(long, value_name = "LENGTH", default_value_t = 0.0254)]
    unit: f64,
    /// Leave their joints the fitted boxes too
    #[arg(long)]
    keep_fitted: bool,
}

/// What a file holds.
#[derive(Debug, Default)]
struct Import {
    /// With their joints' names, in the order of the file.
    boxes: Vec<(String, ManualBox)>,
    /// What was not taken as it is, in sentences.
    notes: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let file = &arguments.file;
    let is_qc = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("qc"));
    let import = if is_qc {
        anyhow::ensure!(arguments.unit > 0.0 && arguments.unit.is_finite(), "--unit must be above 0");
        let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        qc::read(&String::from_utf8_lossy(&bytes), arguments.unit)
    } else {
        let asset = Asset::open(file)?;
        let (model, _) = asset.import().with_context(|| file.display().to_string())?;
        gltf::read(asset.bytes(), &model.skeleton).with_context(|| file.display().to_string())?
    };
    let into = arguments.into.clone().unwrap_or_else(|| settings_file(file));
    let asset = asset_of(&into, file, arguments.character.as_deref())?;
    let (model, _) = Asset::open(&asset)?.import().with_context(|| asset.display().to_string())?;
    let Import { boxes, mut notes } = import;
    let boxes = by_joint(boxes, &model.skeleton, &mut notes);
    for note in &notes {
        eprintln!("note: {note}");
    }
    let count: usize = boxes.values().map(Vec::len).sum();
    anyhow::ensure!(count > 0, "{}: no box in it could be taken", file.display());
    let text = match fs::read_to_string(&into) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", shown_path(&into))),
    };
    let name = character_name(&asset);
    let edited = bake_settings::with_boxes(&text, &name, &boxes, !arguments.keep_fitted);
    let edited = edited.map_err(|error| anyhow::anyhow!("{}:{error}", shown_path(&into)))?;
    replace_file(&into, edited.as_bytes())?;
    let plural = |count: usize, noun: &str, nouns: &str| format!("{count} {}", if count == 1 { noun } else { nouns });
    let (boxes, joints) = (plural(count, "box", "boxes"), plural(boxes.len(), "joint", "joints"));
    println!("{}: {boxes} of {joints} of {name}", shown_path(&into));
    Ok(())
}

/// The one that bears on the file, else one beside it.
fn settings_file(file: &Path) -> PathBuf {
    let there = RequestedSettings::default().settings_paths(file).into_iter().find(|file| file.is_file());
    there.unwrap_or_else(|| folder_of(file).join(SETTINGS_FILE))
}

/// The asset whose boxes they are: below the settings file, so that they bear on it.
fn asset_of(settings: &Path, file: &Path, asked: Option<&str>) -> anyhow::Result<PathBuf> {
    let assets = find_assets(&[folder_of(settings).to_owned()])?;
    let find = |name: &str| assets.iter().find(|asset| character_name(asset) == name).cloned();
    let stem = character_name(file);
    // An export is called NAME.omi.glb.
    let shorter = stem.rsplit_once('.').map(|(name, _)| name);
    let found = match asked {
        Some(name) => find(name),
        None => shorter.and_then(find).or_else(|| find(&stem)),
    };
    let name = asked.or(shorter).unwrap_or(&stem);
    found.with_context(|| {
        let names: Vec<String> = assets.iter().map(|asset| character_name(asset)).collect();
        let hint = did_you_mean(nearest_name(name, names.iter().map(String::as_str)));
        let folder = match shown_path(folder_of(settings)) {
            here if here.is_empty() => ".".to_owned(),
            folder => folder,
        };
        format!("no character {name:?} in {folder} or below{hint}; --character says whose boxes they are")
    })
}

/// Those of joints that the character has.
fn by_joint(
    boxes: Vec<(String, ManualBox)>,
    skeleton: &Skeleton,
    notes: &mut Vec<String>,
) -> BTreeMap<String, Vec<ManualBox>> {
    let mut by_joint: BTreeMap<String, Vec<ManualBox>> = BTreeMap::new();
    for (joint, one) in boxes {
        if skeleton.find(&joint).is_some() {
            by_joint.entry(joint).or_default().push(one);
            continue;
        }
        let names = skeleton.joints().iter().map(|joint| joint.name.as_str());
        let hint = did_you_mean(nearest_name(&joint, names));
        notes.push(format!("the character has no joint {joint:?}, so its box is left out{hint}"));
    }
    by_joint
}
