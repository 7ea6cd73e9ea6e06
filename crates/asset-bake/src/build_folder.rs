//! Bakes the characters of a game in its build script.

use crate::bake_progress::BakeOutcome;
use crate::bake_request::BakeRequest;
use crate::batch::bake_assets;
use crate::error::AssetError;
use crate::inputs::bake_inputs;
use crate::printable_path::printable_path;
use std::collections::BTreeSet;
use std::fmt::{self, Debug, Display};
use std::fs;
use std::path::{Path, PathBuf};

/// The name of the folder in `OUT_DIR` that has the outputs.
const OUT: &str = "hitboxes";

/// What a build script of Cargo prints after a bake, as text: the files that Cargo watches, and warnings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildInstructions(String);

/// The bakes of a build script failed. The message has a paragraph for each character.
///
/// `Debug` prints the message too, because Cargo shows it when the `main` of a build script returns the error.
#[derive(Clone, PartialEq, Eq)]
pub struct BuildError(String);

impl Display for BuildInstructions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Display for BuildError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Debug for BuildError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, formatter)
    }
}

impl std::error::Error for BuildError {}

impl From<AssetError> for BuildError {
    fn from(error: AssetError) -> Self {
        Self(error.with_causes())
    }
}

/// Bakes all characters of a folder and its subfolders in the build script (`build.rs`) of a game, with their settings files,
/// into `OUT_DIR/hitboxes`: the character `assets/heroes/knight.glb` becomes `hitboxes/heroes/knight.bonebox`. Characters that have
/// not changed are not baked again, and outputs of characters that are gone are removed.
///
/// - `folder` is relative to the package, the working folder of its build script.
/// - `out_dir` is the folder that Cargo names in the variable `OUT_DIR` when it runs the build script.
///
/// Print the result: it tells Cargo to run the build script again when a file is added or changes.
///
/// # Errors
/// Returns [`BuildError`] with the words of the program for every character that failed, and if there is none.
pub fn build_folder(folder: impl AsRef<Path>, out_dir: impl AsRef<Path>) -> Result<BuildInstructions, BuildError> {
    let (folder, out_dir) = (folder.as_ref(), out_dir.as_ref().join(OUT));
    let request =
        BakeRequest { paths: vec![folder.to_owned()], out_dir: Some(out_dir.clone()), ..BakeRequest::default() };
    let inputs = bake_inputs(&request)?;
    let run = bake_assets(&request, &())?;
    let mut failures = Vec::new();
    // Cargo looks for changes in the whole folder. A change that it notices twice does no harm.
    let mut lines: Vec<String> =
        std::iter::once(folder).chain(inputs.files.iter().map(PathBuf::as_path)).map(rerun_if_changed).collect();
    for row in &run.results {
        let name = row.target.shown();
        match &row.outcome {
            BakeOutcome::Failed(error) => failures.push(format!("{name}: {}", error.with_causes())),
            BakeOutcome::Refused(_, broken) => {
                failures.extend(broken.iter().map(|limit| format!("{name}: {limit}; no file was written")));
            }
            BakeOutcome::Baked(_) | BakeOutcome::Stored(_) | BakeOutcome::Unchanged(_) => {
                let warnings = row.outcome.character().map_or(&[][..], |character| &character.warnings);
                if let [first, more @ ..] = warnings {
                    let more = if more.is_empty() { String::new() } else { format!(" (and {} more)", more.len()) };
                    let text = first.text.replace(['\n', '\r'], " ");
                    lines.push(format!("cargo::warning={name}: {}: {text}{more}", first.code));
                }
            }
        }
    }
    if !failures.is_empty() {
        return Err(BuildError(failures.join("\n\n")));
    }
    if run.results.is_empty() {
        let folder = printable_path(folder);
        return Err(BuildError(format!(
            "{folder} contains no .glb, .gltf, .vrm or .fbx file; name a folder with characters"
        )));
    }
    remove_others(&out_dir, &inputs.outputs.into_iter().collect()).map_err(AssetError::file("clean up", &out_dir))?;
    Ok(BuildInstructions(lines.join("\n")))
}

fn rerun_if_changed(path: &Path) -> String {
    format!("cargo::rerun-if-changed={}", path.display())
}

/// Removes the outputs of characters that are gone.
fn remove_others(folder: &Path, outputs: &BTreeSet<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            remove_others(&path, outputs)?;
        } else if !outputs.contains(&path) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_script_bakes_a_folder_and_watches_what_it_reads() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("game/assets/heroes")).unwrap();
        fs::create_dir_all(at("game/.git")).unwrap();
        fs::write(at("game/bonebox.toml"), "margin = 0.01\n").unwrap();
        for name in ["game/assets/heroes/man.glb", "game/assets/gone.glb"] {
            fs::write(at(name), test_models::box_man().to_glb()).unwrap();
        }
        let build = || build_folder(at("game/assets"), at("out"));
        let told = build().unwrap().to_string();
        let above = fs::canonicalize(at("game/bonebox.toml")).unwrap();
        for watched in [&at("game/assets"), &above, &at("game/assets/heroes/man.glb")] {
            assert!(told.lines().any(|line| line == rerun_if_changed(watched)), "{told}");
        }
        let output = at("out/hitboxes/heroes/man.bonebox");
        let time = || fs::metadata(&output).unwrap().modified().unwrap();
        let before = time();
        assert!(at("out/hitboxes/gone.bonebox").is_file());
        fs::remove_file(at("game/assets/gone.glb")).unwrap();
        build().unwrap();
        assert_eq!(time(), before, "nothing is baked twice");
        assert!(!at("out/hitboxes/gone.bonebox").exists() && !at("out/hitboxes/gone.bonebox.json").exists());
        fs::write(at("game/bonebox.toml"), "[joints.tail]\nskip = true\n").unwrap();
        let refused = build().unwrap_err();
        assert!(
            format!("{refused:?}").contains("bonebox.toml:1:9: the character \"man\" has no joint \"tail\""),
            "{refused}"
        );
        fs::write(at("game/bonebox.toml"), "[limits]\nmost_volume_ratio = 0.01\n").unwrap();
        assert!(build().unwrap_err().to_string().contains("no file was written"));
        assert!(output.is_file(), "the earlier output stays");
        fs::create_dir(at("empty")).unwrap();
        assert!(build_folder(at("empty"), at("out")).unwrap_err().to_string().contains("contains no .glb"));
        assert!(build_folder(at("nowhere"), at("out")).unwrap_err().to_string().contains("nowhere"));
    }
}
