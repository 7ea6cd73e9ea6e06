//! Writes the ragdolls of characters in every form that holds a ragdoll, and what other programs must find in them.

use anyhow::{Context as _, Result};
use asset_bake::{RequestedSettings, SettingsFileChoice};
use baked_format::{BakedCharacter, Hitbox};
use gltf_export::{CapsulePolicy, ExportForm, export};
use runtime::{Character, PosedCharacter};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const FORMS: [ExportForm; 3] = [ExportForm::OmiRagdoll, ExportForm::KhrRagdoll, ExportForm::Usda];

/// Each character has one of these shapes, in turn.
const SHAPES: [&str; 3] = ["auto", "box", "hull"];

/// A character with a ragdoll, and its files.
#[derive(Debug, Serialize)]
struct ExportedRagdoll {
    /// The folder and the name of the asset.
    name: String,
    /// The path of the asset. The buffers of a .gltf are beside it.
    source: PathBuf,
    /// The extent of all hitboxes along Y at rest, in the scene's unit.
    height: f32,
    /// For each body, the node of its joint.
    nodes: Vec<u32>,
    /// For each hitbox, the corners of the run time's box in the rest pose, in model space; x varies fastest.
    corners: Vec<[[f32; 3]; 8]>,
    /// For each hitbox, the corners of its hull in the rest pose, in model space; none if it is no hull.
    hulls: Vec<Vec<[f32; 3]>>,
    /// The file of each form, and the JSON of the bake as `bake`.
    files: BTreeMap<&'static str, PathBuf>,
    /// The warnings of the exports.
    warnings: Vec<String>,
}

/// Bakes all assets in these paths with a ragdoll, and some made-up characters with odd names and scales, and writes their
/// exports. `ragdolls.json` lists them. Returns how many characters were exported, and how many cannot be baked.
///
/// # Errors
/// Returns an error if a path does not exist, the folder cannot be written, or an export fails.
pub fn write_ragdolls(out: &Path, paths: &[PathBuf]) -> Result<[usize; 2]> {
    let made_up = out.join("made-up");
    fs::create_dir_all(&made_up).with_context(|| format!("cannot create {}", made_up.display()))?;
    let mut paths = paths.to_vec();
    paths.push(made_up.clone());
    for (name, unit) in [("mirrored", [-2.0; 3]), ("small unit", [0.01; 3]), ("uneven", [1.0, 2.0, 0.5])] {
        fs::write(made_up.join(format!("{name}.glb")), test_models::box_man().to_gltf_in(unit).to_glb())?;
    }
    fs::write(made_up.join("7 \"odd\" names, \u{1f5e1}.glb"), odd_names())?;
    let (mut ragdolls, mut refused) = (Vec::new(), 0);
    for path in asset_bake::find_assets(&paths)? {
        let Some(character) = bake(&made_up, &path, SHAPES[ragdolls.len() % SHAPES.len()])? else {
            refused += 1;
            continue;
        };
        let stem = out.join(format!("ragdoll-{:03}", ragdolls.len()));
        ragdolls.push(write_one(&stem, &path, character).with_context(|| path.display().to_string())?);
    }
    fs::write(out.join("ragdolls.json"), serde_json::to_vec(&ragdolls)?)?;
    Ok([ragdolls.len(), refused])
}

/// A man whose joints have names that USD and JSON write in other ways, or cannot tell apart.
fn odd_names() -> Vec<u8> {
    let names =
        ["a.b", "a_b", "a-b", "1", "", "\"q\"\\", "new\nline\u{1}", "Kn\u{f6}chel", "\u{1f5e1}", "bodies", "joints"];
    let mut man = test_models::box_man();
    for (joint, name) in man.joints.iter_mut().zip(names) {
        joint.name = name.into();
    }
    man.to_glb()
}

/// Bakes with a settings file in the folder. `None` if the asset cannot be baked, for example because it has no skin.
fn bake(folder: &Path, path: &Path, shape: &str) -> Result<Option<BakedCharacter>> {
    let settings = folder.join("bonebox.toml");
    for parts in ["\"humanoid\"", "18", "\"joints\""] {
        fs::write(&settings, format!("preset = \"tight\"\nparts = {parts}\nshape = \"{shape}\"\nragdoll = true\n"))?;
        let requested = RequestedSettings {
            options: vec![("measure".into(), "none".into())],
            file: SettingsFileChoice::Path(settings.clone()),
        };
        if let Ok(character) = asset_bake::load_or_bake(path, &requested) {
            return Ok(Some(character));
        }
    }
    Ok(None)
}

fn write_one(stem: &Path, path: &Path, character: BakedCharacter) -> Result<ExportedRagdoll> {
    let source = std::path::absolute(path)?;
    let bytes = fs::read(path)?;
    let ending = if bytes.starts_with(b"glTF") { "glb" } else { "gltf" };
    let (mut files, mut warnings) = (BTreeMap::new(), Vec::new());
    for form in FORMS {
        let export = export(&character, &bytes, form, CapsulePolicy::EqualVolume)?;
        let ending = if form.is_gltf() { format!("{}.{ending}", form.keyword()) } else { form.keyword().to_owned() };
        let file = stem.with_extension(ending);
        fs::write(&file, export.bytes)?;
        files.insert(form.keyword(), std::path::absolute(file)?);
        warnings.extend(export.warnings);
    }
    let bake = stem.with_extension("bake.json");
    fs::write(&bake, baked_format::to_json(&character))?;
    files.insert("bake", std::path::absolute(bake)?);
    warnings.sort();
    warnings.dedup();
    let bodies = character.ragdoll.iter().flat_map(|ragdoll| &ragdoll.bodies);
    let nodes = bodies.map(|body| character.skeleton.joint(body.joint).node.0).collect();
    let rest = character.skeleton.rest_matrices();
    let hull = |one: &Hitbox| {
        let vertices = one.hull.iter().flat_map(|hull| &hull.vertices);
        vertices.map(|vertex| rest[one.joint.index()].transform_point3(*vertex).to_array()).collect()
    };
    let hulls = character.boxes.iter().map(hull).collect();
    let corners = rest_corners(character)?;
    let heights = || corners.iter().flatten().map(|corner: &[f32; 3]| corner[1]);
    let height = heights().fold(f32::MIN, f32::max) - heights().fold(f32::MAX, f32::min);
    let parts: Vec<_> = source.iter().rev().take(2).map(|part| part.to_string_lossy().into_owned()).collect();
    let name = parts.into_iter().rev().collect::<Vec<_>>().join("/");
    Ok(ExportedRagdoll { name, source, height, nodes, corners, hulls, files, warnings })
}

/// The corners of the run time's boxes in the rest pose.
fn rest_corners(character: BakedCharacter) -> Result<Vec<[[f32; 3]; 8]>> {
    let character = Character::from_baked(character);
    let mut posed = PosedCharacter::new();
    posed.pose_from_rest(&character, &glam::Affine3A::IDENTITY)?;
    Ok(posed.boxes().map(|posed| posed.obb().corners().map(|corner| corner.to_array())).collect())
}
