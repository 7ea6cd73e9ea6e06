//! The files that the bakes of a request read, for build systems.

use crate::AssetError;
use crate::bake_request::BakeRequest;
use crate::batch::{only_motions, targets};
use crate::find::{Search, search};
use crate::ignore_rules::rule_files;
use crate::settings_files::SettingsFiles;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The files that the bakes of a request read and write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BakeInputs {
    /// The outputs of all characters, each `.bonebox` before its `.bonebox.json`, sorted by the paths of the assets.
    pub outputs: Vec<PathBuf>,
    /// Every file that the outputs depend on: assets, the buffers of `.gltf` files, motions, settings files, ignore files, and
    /// all of these of characters that share hitboxes with one of the request. Sorted and without repeats. Files that do not
    /// exist are left out.
    pub files: Vec<PathBuf>,
    /// The folders that were searched for assets, with their subfolders. A new file in one of them may be baked or may be a
    /// settings file.
    pub folders: Vec<PathBuf>,
}

/// Finds the files that [`bake_assets`](crate::bake_assets) reads for the same request, without baking. Paths that cannot be
/// searched are left out; a bake reports them.
///
/// # Errors
/// Returns [`AssetError`] if the settings are wrong.
pub fn bake_inputs(request: &BakeRequest) -> Result<BakeInputs, AssetError> {
    let Search { found, .. } = search(&request.paths);
    let mut paths = found.assets;
    let settings = SettingsFiles::open(&request.settings, &paths)?;
    only_motions(request, &settings, &mut paths);
    let mut targets = targets(request, &settings, &paths)?;
    if let Some(shard) = request.shard {
        shard.keep(&mut targets, &settings, |path| request.in_tree(path));
    }
    let mut files: BTreeSet<PathBuf> = found.folders.iter().flat_map(|folder| rule_files(folder)).collect();
    for target in &targets {
        files.extend(settings.for_target(target)?.input_files());
    }
    files.retain(|file| file.is_file());
    let outputs =
        targets.iter().flat_map(|target| request.outputs(target).both().map(|file| file.to_owned())).collect();
    Ok(BakeInputs { outputs, files: files.into_iter().collect(), folders: found.folders })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bake_assets;
    use std::fs;

    #[test]
    fn every_file_that_a_bake_reads_is_listed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["lib/a/anims", "lib/b", ".git", "lib/skipped"] {
            fs::create_dir_all(at(name)).unwrap();
        }
        let man = test_models::box_man().to_gltf();
        fs::write(at("lib/a/man.gltf"), man.to_separate("man.bin")).unwrap();
        fs::write(at("lib/a/man.bin"), &man.bin).unwrap();
        let mut motion = test_models::box_man();
        motion.clips.truncate(1);
        let motion = motion.to_gltf();
        fs::write(at("lib/a/anims/walk.gltf"), motion.to_separate("walk.bin")).unwrap();
        fs::write(at("lib/a/anims/walk.bin"), &motion.bin).unwrap();
        fs::write(at("lib/b/other.glb"), test_models::box_man().to_glb()).unwrap();
        fs::write(at("lib/skipped/man.glb"), test_models::box_man().to_glb()).unwrap();
        fs::write(at("lib/bonebox.toml"), "[[shared]]\nname = \"men\"\ncharacters = [\"man\", \"other\"]\n").unwrap();
        fs::write(at("lib/a/bonebox.toml"), "motions = [\"anims/*.gltf\"]\n[limits]\n").unwrap();
        fs::write(at("lib/b/bonebox.toml"), "[limits]\n").unwrap();
        fs::write(at("lib/.boneboxignore"), "skipped\nanims\n").unwrap();
        fs::write(at("lib/notes.txt"), "").unwrap();
        let request = BakeRequest { paths: vec![at("lib/a")], out_dir: Some(at("out")), ..BakeRequest::default() };
        let inputs = bake_inputs(&request).unwrap();
        let names = |paths: &[PathBuf]| {
            let real = fs::canonicalize(folder.path()).unwrap();
            let name = |path: &PathBuf| {
                let path = path.strip_prefix(folder.path()).or_else(|_| path.strip_prefix(&real)).unwrap();
                path.display().to_string().replace('\\', "/")
            };
            let mut names: Vec<String> = paths.iter().map(name).collect();
            names.sort();
            names.dedup();
            names
        };
        assert_eq!(names(&inputs.outputs), ["out/man.bonebox", "out/man.bonebox.json"]);
        assert_eq!(
            names(&inputs.files),
            [
                "lib/.boneboxignore",
                "lib/a/anims/walk.bin",
                "lib/a/anims/walk.gltf",
                "lib/a/bonebox.toml",
                "lib/a/man.bin",
                "lib/a/man.gltf",
                "lib/b/bonebox.toml",
                "lib/b/other.glb",
                "lib/bonebox.toml",
            ]
        );
        assert_eq!(names(&inputs.folders), ["lib/a"]);
        // The slow judge: a change of a listed file is noticed by a bake, and a change of another file is not.
        let outcome = || format!("{:?}", bake_assets(&request, &()).unwrap().results[0].outcome);
        assert!(outcome().starts_with("Baked"));
        assert!(outcome().starts_with("Unchanged"));
        for file in inputs.files.iter().filter(|file| file.extension().is_some_and(|one| one == "bin")) {
            let before = fs::read(file).unwrap();
            let mut changed = before.clone();
            let last = changed.len() - 1;
            changed[last] ^= 1;
            fs::write(file, &changed).unwrap();
            assert!(!outcome().starts_with("Unchanged"), "{}", file.display());
            fs::write(file, &before).unwrap();
            outcome();
        }
        fs::write(at("lib/notes.txt"), "changed").unwrap();
        assert!(outcome().starts_with("Unchanged"));
    }
}
