//! Tests what bonebox does with Blender, in Blender's Python module `bpy`.

use crate::program;
use anyhow::Context as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Characters of the corpus whose armatures have other scales, other units and other axes.
const CORPUS: [&str; 11] = [
    "gdquest/gdbot.glb",
    "kaykit/Knight.glb",
    "khronos/Fox.glb",
    "quaternius/animals_pack__Horse.glb",
    "quaternius/cyberpunk_pack__Character.glb",
    "quaternius/easy_enemies_pack__Spider.glb",
    "quaternius/modular_women__Adventurer.glb",
    "robot/RobotExpressive.glb",
    "variants/Fox_mirrored.glb",
    "variants/Fox_nonuniform.glb",
    "variants/Fox_scaled_moved.glb",
];

/// The largest distance of a corner of a wire box in Blender from its place in the file, as a share of the size of all boxes.
const IN_PLACE: f64 = 1e-4;

/// Runs `files` and `extension`, or those that are named, with a Python that has Blender's module.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    const PARTS: [&str; 2] = ["files", "extension"];
    let unknown = arguments.iter().find(|argument| !PARTS.contains(&argument.as_str()));
    anyhow::ensure!(unknown.is_none(), "there is no argument {unknown:?}; the arguments are {}", PARTS.join(" and "));
    let is_asked = |part: &str| arguments.is_empty() || arguments.iter().any(|argument| argument == part);
    let mut skipped = Vec::new();
    let python = python_with_bpy();
    if python.is_none() {
        skipped.push(
            "all tests in Blender: found no Python with its module. Install it with `pip install bpy` (Python 3.11, about 400 MB), and \
             name its Python with BONEBOX_PYTHON"
                .to_owned(),
        );
    }
    if let Some(python) = python.as_ref().filter(|_| is_asked("files")) {
        skipped.extend(round_trips(python)?);
    }
    if is_asked("extension") {
        skipped.extend(crate::blender_extension::run(python.as_deref())?);
    }
    for reason in &skipped {
        println!("SKIPPED: {reason}");
    }
    Ok(())
}

/// A Python that has Blender's module, if there is one.
pub(crate) fn python_with_bpy() -> Option<String> {
    let named = std::env::var("BONEBOX_PYTHON").ok();
    let candidates = named.into_iter().chain(["python3.11".to_owned(), "python3".to_owned()]);
    let has_bpy = |python: &String| {
        let output = Command::new(python).args(["-c", "import bpy; print(bpy.app.version_string)"]).output();
        output.is_ok_and(|output| output.status.success())
    };
    candidates.into_iter().find(has_bpy)
}

/// Sends wire boxes through Blender and back. Returns what was skipped.
fn round_trips(python: &str) -> anyhow::Result<Vec<String>> {
    let assets = crate::root().join("assets");
    for name in ["runa", "bruno", "hound"] {
        for scale in ["1", "0.01", "100"] {
            round_trip(python, &assets.join(format!("{name}.glb")), scale)
                .with_context(|| format!("{name} at scale {scale}"))?;
        }
    }
    let (found, skipped) = of_corpus();
    for file in &found {
        round_trip(python, file, "1").with_context(|| file.display().to_string())?;
    }
    Ok(Vec::from_iter(skipped))
}

/// The characters of the corpus that exist, and what to say about the others.
pub(crate) fn of_corpus() -> (Vec<PathBuf>, Option<String>) {
    let corpus = crate::ignored::corpus();
    let (found, missing): (Vec<_>, Vec<_>) =
        CORPUS.iter().map(|name| corpus.join(name)).partition(|file| file.is_file());
    let skipped = format!("{} characters of the corpus, which are not in {}", missing.len(), corpus.display());
    (found, (!missing.is_empty()).then_some(skipped))
}

/// Exports wire boxes, loads them in Blender and saves them again, once as they are and once with an edit. Boxes without edits must
/// write nothing, and an edited box must become a manual box.
fn round_trip(python: &str, asset: &Path, scale: &str) -> anyhow::Result<()> {
    let name = asset.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folder = crate::root().join("target/blender").join(format!("{name}-{scale}"));
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let file = format!("{name}.glb");
    if scale == "1" {
        fs::copy(asset, folder.join(&file))?;
    } else {
        script(python, &folder, "wire_file.py", &["scale", &asset.display().to_string(), &file, scale])?;
    }
    program::output(&folder, &["export", &file, "--to", "wire"])?;
    let [wire, same, edited] = ["wire", "same", "edited"].map(|word| format!("{name}.{word}.glb"));
    let printed = script(python, &folder, "round_trip.py", &[&wire, &same, &edited])?;
    let last = printed.lines().last().unwrap_or_default();
    let figures: serde_json::Value = serde_json::from_str(last).with_context(|| printed.clone())?;
    let (worst, object) = (&figures["worst"], figures["edited"].as_str().unwrap_or_default());
    anyhow::ensure!(
        worst.as_f64().is_some_and(|worst| worst < IN_PLACE),
        "a corner of a box in Blender is {worst} of the size from its place in {wire}"
    );
    let unchanged = program::output(&folder, &["import", &same])?;
    anyhow::ensure!(unchanged.starts_with("nothing to write"), "boxes without edits were written: {unchanged}");
    let written = program::output(&folder, &["import", &edited])?;
    anyhow::ensure!(written.contains(" of 1 joint of "), "one box was edited, but the command wrote: {written}");
    let again = format!("{name}.again.glb");
    program::output(&folder, &["export", &file, "--to", "wire", "-o", &again])?;
    script(python, &folder, "wire_file.py", &["compare", &wire, &again, object])?;
    let (boxes, blender) = (&figures["boxes"], figures["blender"].as_str().unwrap_or_default());
    println!("Blender {blender}: {name} at scale {scale}: {boxes} boxes, worst corner {worst}, {}", written.trim());
    Ok(())
}

/// Runs a script of `checks/export-readers/blender` in a folder, and returns its standard output.
pub(crate) fn script(python: &str, folder: &Path, name: &str, arguments: &[&str]) -> anyhow::Result<String> {
    let script: PathBuf = crate::root().join("checks/export-readers/blender").join(name);
    let output = Command::new(python).arg("-B").arg(script).args(arguments).current_dir(folder).output();
    let output = output.context(python.to_owned())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    anyhow::ensure!(output.status.success(), "{name} failed: {text}{}", String::from_utf8_lossy(&output.stderr));
    Ok(text)
}
