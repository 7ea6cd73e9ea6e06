//! Packs Blender's extension and uses it in Blender's Python module.

use anyhow::Context as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The largest distance of a corner of a hitbox in Blender from its place in the run time, as a share of the character's size.
const FOLLOWS: f64 = 1e-4;

/// Builds the wheel and packs the extension into `target/blender/bonebox-blender.zip`. With a Python that has Blender's module,
/// installs it in a Blender without a window, and uses it. Returns what was skipped.
pub(crate) fn run(with_bpy: Option<&str>) -> anyhow::Result<Vec<String>> {
    let wheel = match wheel()? {
        Ok(wheel) => wheel,
        Err(reason) => return Ok(vec![format!("the extension: {reason}")]),
    };
    let folder = crate::root().join("target/blender");
    fs::create_dir_all(&folder)?;
    let zip = folder.join("bonebox-blender.zip");
    let pack = crate::root().join("integrations/blender/pack.py");
    let python = with_bpy.unwrap_or("python3");
    print!("{}", output(Command::new(python).arg("-B").arg(pack).arg(&zip).arg(&wheel))?);
    let Some(python) = with_bpy else { return Ok(Vec::new()) };
    for scale in ["1", "0.01", "100"] {
        try_extension(python, &folder, &zip, scale).with_context(|| format!("the extension at scale {scale}"))?;
    }
    make_one_edit(python, &folder, &zip)?;
    let (characters, skipped) = crate::blender::of_corpus();
    follow_clips(python, &folder, &zip, &characters)?;
    Ok(Vec::from_iter(skipped))
}

/// The wheel of the Python module, or the reason why there is none. BONEBOX_WHEEL names one that is built already.
fn wheel() -> anyhow::Result<Result<PathBuf, String>> {
    if let Some(named) = std::env::var_os("BONEBOX_WHEEL") {
        return Ok(Ok(named.into()));
    }
    Ok(crate::python::built_wheel()?.ok_or_else(|| "`cargo xtask python --wheel` built no wheel".into()))
}

/// Runs a test in Blender's Python, with Blender's resources and the work in a new folder, and returns what it printed.
fn test(python: &str, script: &str, work: &Path, arguments: &[&Path]) -> anyhow::Result<String> {
    if work.exists() {
        fs::remove_dir_all(work)?;
    }
    fs::create_dir_all(work)?;
    let script = crate::root().join("integrations/blender/tests").join(script);
    let mut command = Command::new(python);
    command.arg("-B").arg(script).args(arguments).current_dir(work).env("BLENDER_USER_RESOURCES", work.join("user"));
    output(&mut command)
}

/// Uses the extension with an armature of this scale.
fn try_extension(python: &str, folder: &Path, zip: &Path, scale: &str) -> anyhow::Result<()> {
    let assets = crate::root().join("assets");
    let arguments = [zip, &assets.join("runa.glb"), &assets.join("bonebox.toml"), Path::new(scale)];
    let printed = test(python, "try_extension.py", &folder.join(format!("extension-{scale}")), &arguments)?;
    let last = printed.lines().last().unwrap_or_default();
    check_distance(last).with_context(|| printed.clone())?;
    println!("the extension at scale {scale}: {last}");
    Ok(())
}

/// Makes the edit that other tools make too, and compares the file.
fn make_one_edit(python: &str, folder: &Path, zip: &Path) -> anyhow::Result<()> {
    let edit = crate::root().join("crates/bake-settings/tests/one-edit");
    let arguments = [zip, &crate::root().join("assets/runa.glb"), &edit.join("before.toml"), &edit.join("after.toml")];
    let printed = test(python, "one_edit.py", &folder.join("one-edit"), &arguments)?;
    println!("the extension: {}", printed.lines().last().unwrap_or_default());
    Ok(())
}

/// Bakes characters with the extension, whose hitboxes must follow the bones.
fn follow_clips(python: &str, folder: &Path, zip: &Path, characters: &[PathBuf]) -> anyhow::Result<()> {
    if characters.is_empty() {
        return Ok(());
    }
    let arguments: Vec<&Path> = [zip].into_iter().chain(characters.iter().map(PathBuf::as_path)).collect();
    let printed = test(python, "follow_clips.py", &folder.join("follow"), &arguments)?;
    let lines: Vec<&str> = printed.lines().filter(|line| line.starts_with('{')).collect();
    anyhow::ensure!(lines.len() == characters.len(), "{printed}");
    for line in lines {
        check_distance(line).with_context(|| line.to_owned())?;
        println!("the extension: {line}");
    }
    Ok(())
}

/// Checks the distance in the figures that a test printed.
fn check_distance(figures: &str) -> anyhow::Result<()> {
    let figures: serde_json::Value = serde_json::from_str(figures)?;
    let worst = figures["worst"].as_f64().context("the test printed no distance")?;
    anyhow::ensure!(worst < FOLLOWS, "a corner is {worst} of the size from its place in the run time");
    Ok(())
}

fn output(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    anyhow::ensure!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    Ok(text)
}
