//! Compares FBX files of Blender with its glTF files of the same scenes.

use crate::blender::{of_corpus, python_with_bpy, script};
use anyhow::Context as _;
use std::fs;
use std::path::PathBuf;
use xshell::{Shell, cmd};

/// `cargo xtask fbx`: Blender loads our characters and those of the corpus, and writes each as FBX and as glTF. Both must give the same
/// joints and hitboxes in every pose.
pub(crate) fn run() -> anyhow::Result<()> {
    let Some(python) = python_with_bpy() else {
        println!(
            "SKIPPED: all comparisons of FBX with glTF: found no Python with Blender's module. Install it with `pip install bpy` (Python \
             3.11, about 400 MB), and name its Python with BONEBOX_PYTHON"
        );
        return Ok(());
    };
    let folder = crate::root().join("target/fbx");
    if folder.exists() {
        fs::remove_dir_all(&folder).context("cannot remove the files of an earlier run")?;
    }
    fs::create_dir_all(&folder)?;
    let ours = ["runa", "bruno", "hound"].map(|name| crate::root().join("assets").join(name).with_extension("glb"));
    let (found, skipped) = of_corpus();
    let mut version = String::new();
    for file in ours.into_iter().chain(found) {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let [fbx, gltf] = ["fbx", "glb"].map(|extension| format!("{name}.{extension}"));
        let asset: PathBuf = file.clone();
        let printed = script(&python, &folder, "fbx_file.py", &[&asset.display().to_string(), &fbx, &gltf]);
        let printed = printed.with_context(|| file.display().to_string())?;
        version = printed.lines().last().unwrap_or_default().to_owned();
    }
    println!("Blender {version}");
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    cmd!(shell, "cargo run --quiet --package corpus-agreement --example fbx_round_trip -- {folder}").quiet().run()?;
    if let Some(reason) = skipped {
        println!("SKIPPED: {reason}");
    }
    Ok(())
}
