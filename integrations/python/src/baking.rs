//! `bonebox.bake`.

use crate::character::{Bake, Origin};
use crate::errors;
use crate::observed;
use crate::settings::{AssetArgument, SettingsArgument, options};
use asset_bake::{
    Asset, AssetError, AssetSettings, BakeTarget, OutputPaths, RequestedSettings, SettingsFiles, is_baked_file,
};
use bake_settings::joined_texts;
use bone_fit::BakeObserver;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use skinned_model::NoExternalFiles;
use std::path::{Path, PathBuf};

/// The file name of an asset in memory.
const UNNAMED: &str = "character.glb";

/// Bake a character: fit hitboxes to its skin and measure them.
///
/// - `source`: the path of a .glb, .gltf, .vrm or .fbx file, or the bytes of a file without other files.
/// - `preset`: "cover", "tight", "always" or "recipe". It replaces the options that a bonebox.toml sets for the character.
/// - `out`: where to write the bake: a path NAME.bonebox, or a folder. NAME.bonebox.json is written beside it. Nothing is
///   written by default, and nothing is written if the bake breaks a limit of bonebox.toml.
/// - `settings`: None for the bonebox.toml files of the asset's folder and its parent folders, as the program does; False for
///   none; or the path of the only file that applies. For bytes, None is none, and a folder is that of the asset.
/// - `settings_text`: the text of a bonebox.toml, in place of a file.
/// - `name`: the file name of an asset in bytes, such as "runa.glb". The character is named after it.
/// - `character`: the name of the root node of one of several characters in a file.
/// - `progress`: a function of the step ("assign", "sample", "split", "fit" or "measure"), its number from 1 on, and the
///   count of steps. It is called on the thread that called `bake`. If it returns False, the bake raises `Canceled`.
/// - `options`: the options of the program, with the same words: `parts="humanoid"`, `max_boxes=24`, `merge=["*finger*"]`.
///   None is the default. `bake_options()` lists them.
///
/// Other Python threads run during the bake, and Ctrl-C stops it. Raises `BakeError`, or `MissingFileError`.
#[pyfunction]
#[pyo3(signature = (source, preset=None, out=None, settings=None, *, settings_text=None, name=None, character=None, progress=None, **options))]
pub(crate) fn bake(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    preset: Option<String>,
    out: Option<PathBuf>,
    settings: Option<&Bound<'_, PyAny>>,
    settings_text: Option<String>,
    name: Option<String>,
    character: Option<String>,
    progress: Option<Py<PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Bake> {
    let source = AssetArgument::read("source", source)?;
    let settings = SettingsArgument::read(settings, settings_text)?;
    let options = self::options(preset, options)?;
    let target = match (&source, &name) {
        (AssetArgument::Path(path), None) => {
            let each = py.detach(|| character.as_ref().map(|_| BakeTarget::each(path)));
            match (character, each) {
                (Some(character), Some(each)) => find_character(py, path, each, &character)?,
                _ => BakeTarget::whole(path),
            }
        }
        (AssetArgument::Path(_), Some(_)) => {
            return Err(PyTypeError::new_err("name is for an asset in memory; a file has its own name"));
        }
        (AssetArgument::Bytes(_), _) if character.is_some() => {
            return Err(PyTypeError::new_err(
                "character is for a file with several characters; write the bytes to a file",
            ));
        }
        (AssetArgument::Bytes(_), name) => BakeTarget::whole(Path::new(name.as_deref().unwrap_or(UNNAMED))),
    };
    let read = || read_settings(&source, &target, &settings, &options);
    let read = py.detach(read).map_err(|error| errors::of_bake(py, &error))?;
    let made = observed::run(py, progress.as_ref(), |observer| make(source, &target, read, observer))?;
    let bake = made.map_err(|error| errors::of_bake(py, &error))?;
    if let Some(out) = out {
        write(py, &bake, &target, out)?;
    }
    Ok(bake)
}

fn find_character(py: Python<'_>, path: &Path, each: Vec<BakeTarget>, character: &str) -> PyResult<BakeTarget> {
    let name = |target: &BakeTarget| target.root.as_ref().map(|root| root.name.clone());
    let names: Vec<String> = each.iter().filter_map(name).collect();
    let found = each.into_iter().find(|target| name(target).as_deref() == Some(character));
    found.ok_or_else(|| {
        let path = asset_bake::printable_path(path);
        let known = match &names[..] {
            [] => "the file has no list of characters; leave character out".to_owned(),
            names => format!("its characters have the roots {names:?}"),
        };
        errors::plain(py, "BakeError", &format!("{path} has no character {character:?}: {known}"))
    })
}

/// The settings of the bake, and the path of their file.
struct ReadSettings {
    settings: AssetSettings,
    path: Option<PathBuf>,
}

fn read_settings(
    source: &AssetArgument,
    target: &BakeTarget,
    settings: &SettingsArgument,
    options: &[(String, String)],
) -> Result<ReadSettings, AssetError> {
    let of_text = |place: &str, text: &str| AssetSettings::of_text(&target.name, place, text, options);
    let on_disk = matches!(source, AssetArgument::Path(_));
    match settings {
        SettingsArgument::Text(text) => Ok(ReadSettings { settings: of_text("settings_text", text)?, path: None }),
        SettingsArgument::File(folder) if !on_disk && folder.is_dir() => {
            let files = RequestedSettings::default().read_files(&folder.join(UNNAMED))?;
            let text = joined_texts(files.iter().map(|(_, file)| file.text()));
            let path = files.into_iter().next_back().map(|(path, _)| path);
            let place = path.as_ref().map_or_else(String::new, |path| asset_bake::shown_path(path));
            Ok(ReadSettings { settings: of_text(&place, &text)?, path })
        }
        SettingsArgument::File(path) if !on_disk => {
            let text = asset_bake::read_settings_text(path)?;
            let settings = of_text(&asset_bake::shown_path(path), &text)?;
            Ok(ReadSettings { settings, path: Some(path.clone()) })
        }
        // Bytes have no folder in which the file could be.
        SettingsArgument::Nearest if !on_disk => Ok(ReadSettings { settings: of_text("", "")?, path: None }),
        other => {
            let Some(requested) = other.requested(options) else { return Err(AssetError::NotFound) };
            let paths = requested.settings_paths(&target.path);
            let path = paths.iter().find(|path| path.is_file()).or(paths.first()).cloned();
            let settings = SettingsFiles::open(&requested, [&target.path])?.for_target(target)?;
            Ok(ReadSettings { settings, path })
        }
    }
}

/// Imports and bakes the asset.
fn make(
    source: AssetArgument,
    target: &BakeTarget,
    ReadSettings { settings, path: settings_path }: ReadSettings,
    observer: &dyn BakeObserver,
) -> Result<Bake, AssetError> {
    let of_asset = |error: AssetError| AssetError::Asset { path: target.path.clone(), source: Box::new(error) };
    let file = target.path.file_name().unwrap_or_default().to_string_lossy();
    let made = || {
        let (bytes, model, blake3) = match source {
            AssetArgument::Path(path) => {
                let asset = Asset::open(&path)?;
                let (model, blake3) = asset.import_part(target.root.as_ref())?;
                (asset.gltf()?.into_owned(), model, blake3)
            }
            AssetArgument::Bytes(bytes) => {
                let model = skinned_model::import_ignoring(&bytes, &NoExternalFiles, &gltf_export::is_exported_box)?;
                let blake3 = *blake3::hash(&bytes).as_bytes();
                (skinned_model::gltf_bytes(&bytes)?.into_owned(), model, blake3)
            }
        };
        let bake = settings.bake_observed(&model, &file, blake3, observer)?;
        let all_clips = settings.model_to_bake(&model)?.into_owned();
        let origin = Origin {
            model: all_clips,
            bytes,
            options: settings.options().clone(),
            height: bake.report.height,
            warnings: settings.warnings_to_tell(&bake.character),
            broken_limits: settings.limits().broken(&bake.character),
            settings_path,
        };
        Ok(Bake::new(bake.character, Some(origin)))
    };
    made().map_err(of_asset)
}

/// Writes the bake as the program does: it refuses a bake that broke limits.
fn write(py: Python<'_>, bake: &Bake, target: &BakeTarget, out: PathBuf) -> PyResult<()> {
    let outputs =
        if is_baked_file(&out) { OutputPaths::of_binary(out) } else { OutputPaths::of_target(target, Some(&out)) };
    let broken = bake.broken_limits();
    if broken.is_empty() {
        let folder = asset_bake::folder_of(&outputs.binary);
        std::fs::create_dir_all(folder).map_err(|error| errors::of_file(py, "create the folder", folder, &error))?;
        return bake.write(py, outputs.binary);
    }
    let attributes = PyDict::new(py);
    attributes.set_item("path", target.shown())?;
    attributes.set_item("limits", &broken)?;
    let message = format!("{}: {}; no file was written", target.shown(), broken.join("; "));
    Err(errors::exception(py, "BakeError", &message, &attributes))
}
