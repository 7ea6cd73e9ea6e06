//! `bonebox import`: writes boxes from other tools into `bonebox.toml`.
//!
//! [`physics`] reads glTF nodes with KHR_physics_rigid_bodies or OMI_physics_body. [`wire`] reads wire boxes that were
//! edited in another tool. [`qc`] reads `$hbox` lines of Source models, and [`other_rig`] finds the joints of their bones.

mod document;
mod other_rig;
mod physics;
mod qc;
mod wire;

use crate::commands::table::plural;
use crate::settings_file::edit_settings;
use crate::terminal::eprint_line;
use crate::wrong_argument::ensure_argument;
use anyhow::Context as _;
use asset_bake::{
    Asset, RequestedSettings, SETTINGS_FILE, character_name, find_assets, folder_of, load_or_bake, printable_path,
    shown_path,
};
use bake_settings::{FittedBoxes, Settings};
use bone_fit::{BakeOptions, LengthUnit, ManualBox, did_you_mean, joint_is_in_meters, nearest_name};
use document::Document;
use gltf_container::Container;
use skeleton::{Skeleton, printable};
use skinned_model::SkinnedModel;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The option of a bake without its measurements.
const UNMEASURED: (&str, &str) = ("measure", "none");

/// Arguments of `bonebox import`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// A glTF file with edited wire boxes (`bonebox export --to wire`), or with KHR_physics_rigid_bodies or
    /// OMI_physics_body nodes; or a Source .qc file with $hbox lines
    file: PathBuf,
    /// Name of the character that the boxes belong to [default: the file name without extensions such as .wire]
    #[arg(long, value_name = "NAME")]
    character: Option<String>,
    /// Settings file to write into [default: the bonebox.toml that applies to the file, or a new one beside it]
    #[arg(long, value_name = "FILE")]
    into: Option<PathBuf>,
    /// Length of one unit of a .qc file, in meters of the character as it stands
    #[arg(long, value_name = "LENGTH", default_value_t = 0.0254)]
    unit: f64,
    /// Add the boxes to the fitted boxes of their joints [default: replace the fitted boxes]
    #[arg(long)]
    keep_fitted: bool,
}

/// The content of a file.
#[derive(Debug, Default)]
struct Import {
    /// The boxes with the names of their joints, in the order of the file.
    boxes: Vec<(String, ManualBox)>,
    /// Sentences about everything that was changed or left out.
    notes: Vec<String>,
    /// The number of boxes that are equal to those of the bake, so that nothing is written for them.
    unchanged: usize,
}

/// Reads the boxes, writes them into the settings file, and prints what was changed or left out.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let file = &arguments.file;
    check_format(file)?;
    let into = arguments.into.clone().unwrap_or_else(|| settings_file(file));
    let asset = asset_of(&into, file, arguments.character.as_deref())?;
    let name = character_name(&asset);
    let shown_name = printable(&name);
    let (model, _) = Asset::open(&asset)?.import().with_context(|| printable_path(&asset))?;
    let Import { boxes, mut notes, unchanged } = read(arguments, &asset, &model)?;
    let boxes = by_joint(boxes, &model.skeleton, &mut notes);
    for note in &notes {
        eprint_line!("note: {}", printable(note));
    }
    let count: usize = boxes.values().map(Vec::len).sum();
    if count == 0 && unchanged > 0 {
        let boxes = plural(unchanged, "box is", "boxes are");
        return Ok(writeln!(std::io::stdout(), "nothing to write: {boxes} unchanged in {shown_name}")?);
    }
    anyhow::ensure!(
        count > 0,
        "{}: no box of this file can be imported; expected wire boxes, physics nodes or $hbox lines of joints that the character has",
        printable_path(file)
    );
    let fitted = if arguments.keep_fitted { FittedBoxes::Keep } else { FittedBoxes::Skip };
    let files = RequestedSettings::default().read_files(&asset)?;
    let place = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let own = files.iter().position(|(path, _)| place(path) == place(&into)).unwrap_or(0);
    let above: Vec<&Settings> = files[..own].iter().map(|(_, settings)| settings).collect();
    edit_settings(&into, |text| bake_settings::with_boxes(&above, text, &name, &boxes, fitted))?;
    let (boxes, joints) = (plural(count, "box", "boxes"), plural(boxes.len(), "joint", "joints"));
    Ok(writeln!(std::io::stdout(), "{}: {boxes} of {joints} of {shown_name}", shown_path(&into))?)
}

/// Reads the boxes of a file. `asset` is the character's own file, and `model` is the model in it.
fn read(arguments: &Arguments, asset: &Path, model: &SkinnedModel) -> anyhow::Result<Import> {
    let file = &arguments.file;
    let about = || printable_path(file);
    if is_qc(file) {
        let unit = arguments.unit;
        ensure_argument(unit > 0.0 && unit.is_finite(), || {
            format!("--unit is {unit}, but must be a finite number above 0")
        })?;
        let bytes = fs::read(file).with_context(|| format!("cannot read {}", printable_path(file)))?;
        let mut import = qc::read(&String::from_utf8_lossy(&bytes), arguments.unit);
        let humanoid = || Ok(RequestedSettings::default().for_asset(asset)?.humanoid(model)?);
        other_rig::assign(&mut import, &model.skeleton, humanoid)?;
        return Ok(import);
    }
    let edited = Asset::open(file)?;
    let (edited_model, _) = edited.import().with_context(about)?;
    let document = Document::read(&edited.gltf()?, &edited_model.skeleton).with_context(about)?;
    let mut import = physics::read(&document);
    if document.nodes().iter().any(wire::is_wire_box) {
        import.notes.extend(note_of_options(&document, asset)?);
        let baked = OnceCell::new();
        let bake = || match baked.get() {
            Some(baked) => Ok(baked),
            None => {
                // Measuring does not change boxes, so it is switched off.
                let requested = RequestedSettings::default().with_options(&[UNMEASURED])?;
                let found = load_or_bake(asset, &requested)?;
                Ok(baked.get_or_init(|| found))
            }
        };
        let wires = wire::read(&document, &edited_model, model, bake).with_context(about)?;
        import.boxes.extend(wires.boxes);
        import.notes.extend(wires.notes);
        import.unchanged += wires.unchanged;
    }
    let is_empty = import.boxes.is_empty() && import.notes.is_empty() && import.unchanged == 0;
    anyhow::ensure!(
        !is_empty,
        "{}: no node has a shape of KHR_physics_rigid_bodies or OMI_physics_body, and no node is a wire box of an export; \
         export from Blender with custom properties and loose edges",
        about()
    );
    Ok(import)
}

/// Returns a note if other options apply to the asset now than those of the bake that the wire boxes were exported from.
fn note_of_options(document: &Document<'_>, asset: &Path) -> anyhow::Result<Option<String>> {
    let Some(exported) = wire::exported_options(document) else { return Ok(None) };
    let exported: Vec<(&str, &str)> = exported.into_iter().chain([UNMEASURED]).collect();
    let exported = BakeOptions::from_entries(exported).context("the options in its wire boxes")?;
    let requested = RequestedSettings::default().with_options(&[UNMEASURED])?;
    let present = requested.for_asset(asset)?.options().clone();
    if exported == present {
        return Ok(None);
    }
    let [exported, present] = [&exported, &present].map(BakeOptions::entries);
    let other: Vec<String> = exported.into_iter().filter(|entry| !present.contains(entry)).map(shown_entry).collect();
    Ok(Some(format!(
        "the boxes were exported with other options than those that apply to the character now ({}); joints without an edited box \
         get the hitboxes of the present options; to keep the exported hitboxes, write these options into {SETTINGS_FILE}",
        if other.is_empty() { "options that were left at their defaults".to_owned() } else { other.join(", ") }
    )))
}

fn shown_entry((key, value): (String, String)) -> String {
    format!("{key} = {value}")
}

fn is_qc(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("qc"))
}

/// Fails if the file is neither a .qc file nor glTF, before anything is said about characters.
fn check_format(file: &Path) -> anyhow::Result<()> {
    if is_qc(file) {
        return Ok(());
    }
    let asset = Asset::open(file)?;
    let gltf = asset.gltf().with_context(|| printable_path(file))?;
    let container = Container::open(&gltf).with_context(|| printable_path(file))?;
    let json: serde_json::Value = serde_json::from_slice(container.json).with_context(|| printable_path(file))?;
    anyhow::ensure!(
        json["asset"].is_object(),
        "{}: this JSON is not glTF; hitboxes can be imported from glTF (wire boxes, or nodes of KHR or OMI physics) and from Source's \
         .qc files; to replace a physics asset of Unreal, export the skeletal mesh as glTF and bake it",
        printable_path(file)
    );
    Ok(())
}

/// The nearest settings file of the file, or a new one beside the file.
fn settings_file(file: &Path) -> PathBuf {
    let there = RequestedSettings::default().settings_file(file);
    there.unwrap_or_else(|| folder_of(file).join(SETTINGS_FILE))
}

/// The asset that the boxes belong to. It must be in the folder of the settings file or a subfolder, so that the file
/// applies to it.
fn asset_of(settings: &Path, file: &Path, asked: Option<&str>) -> anyhow::Result<PathBuf> {
    let assets = find_assets(&[folder_of(settings).to_owned()])?;
    let find = |name: &str| assets.iter().find(|asset| character_name(asset) == name).cloned();
    let stem = character_name(file);
    // An export has a name such as NAME.omi.glb.
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
        format!("there is no character {name:?} in {folder} or its subfolders{hint}; give the name of the character with --character")
    })
}

/// Groups the boxes by joint, and leaves out those of joints that the character does not have.
fn by_joint(
    boxes: Vec<(String, ManualBox)>,
    skeleton: &Skeleton,
    notes: &mut Vec<String>,
) -> BTreeMap<String, Vec<ManualBox>> {
    let mut by_joint: BTreeMap<String, Vec<ManualBox>> = BTreeMap::new();
    for (joint, mut one) in boxes {
        if let Some(index) = skeleton.find(&joint) {
            // Where both units are the same, the file need not name one.
            if joint_is_in_meters(skeleton, index) {
                one.unit = LengthUnit::Meters;
            }
            by_joint.entry(joint).or_default().push(one);
            continue;
        }
        let names = skeleton.joints().iter().map(|joint| joint.name.as_str());
        let hint = did_you_mean(nearest_name(&joint, names));
        notes.push(format!("the character has no joint {joint:?}, so its box is left out{hint}"));
    }
    by_joint
}
