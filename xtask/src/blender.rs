//! Sends wire boxes through Blender and back. Boxes without edits must write nothing, and an edited box must become a
//! manual box.

use crate::program;
use anyhow::Context as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Characters of ours, each with the joint of the box that is edited.
const CHARACTERS: [(&str, &str); 3] = [("runa", "head"), ("bruno", "hand_l"), ("hound", "jaw")];

/// Runs the round trip with a `python3.11` or `python3` that has Blender's module `bpy`, or says how to install it.
pub(crate) fn run() -> anyhow::Result<()> {
    let Some(python) = python_with_bpy() else {
        println!(
            "SKIPPED: found no Python with Blender's module. Install it with `pip install bpy` (Python 3.11, about 400 MB), and name \
             another Python with BONEBOX_PYTHON"
        );
        return Ok(());
    };
    for (name, joint) in CHARACTERS {
        round_trip(&python, name, joint).with_context(|| name.to_owned())?;
    }
    Ok(())
}

fn python_with_bpy() -> Option<String> {
    let named = std::env::var("BONEBOX_PYTHON").ok();
    let candidates = named.into_iter().chain(["python3.11".to_owned(), "python3".to_owned()]);
    let has_bpy = |python: &String| {
        let output = Command::new(python).args(["-c", "import bpy; print(bpy.app.version_string)"]).output();
        output.is_ok_and(|output| output.status.success())
    };
    candidates.into_iter().find(has_bpy)
}

fn round_trip(python: &str, name: &str, joint: &str) -> anyhow::Result<()> {
    let folder = crate::root().join("target/blender").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    fs::copy(crate::root().join("assets").join(format!("{name}.glb")), folder.join(format!("{name}.glb")))?;
    program::output(&folder, &["export", &format!("{name}.glb"), "--to", "wire"])?;
    let (wire, saved) = (format!("{name}.wire.glb"), format!("{name}.saved.glb"));
    blender(python, &folder, &[&wire, &saved])?;
    let unchanged = program::output(&folder, &["import", &saved])?;
    anyhow::ensure!(unchanged.starts_with("nothing to write"), "boxes without edits were written: {unchanged}");
    blender(python, &folder, &[&wire, &saved, &format!("bb:{joint}")])?;
    let edited = program::output(&folder, &["import", &saved])?;
    anyhow::ensure!(edited.contains("1 box of 1 joint"), "one box was edited, but the command wrote: {edited}");
    println!("{name}: {}; {}", unchanged.trim(), edited.trim());
    Ok(())
}

fn blender(python: &str, folder: &Path, arguments: &[&str]) -> anyhow::Result<()> {
    let script = crate::root().join("checks/export-readers/blender/save_again.py");
    let output =
        Command::new(python).arg(script).args(arguments).current_dir(folder).output().context(python.to_owned())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text.lines().find(|line| line.starts_with("Blender ")).unwrap_or("no version");
    anyhow::ensure!(output.status.success(), "{version} failed: {text}{}", String::from_utf8_lossy(&output.stderr));
    println!("{version}");
    Ok(())
}
