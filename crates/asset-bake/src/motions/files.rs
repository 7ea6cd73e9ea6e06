//! Finds the files of an entry of `motions`.

use super::has_extension;
use crate::find::{ASSET_EXTENSIONS, is_fbx_file};
use bake_settings::MotionSettings;
use skeleton::NamePattern;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The largest number of files of one entry. A mistake in a pattern should not read a whole disk.
const MOST_FILES: usize = 1000;

/// The paths of the files that an entry names, relative to `folder`, with `/` between names: pattern after pattern, sorted
/// within each, and each file once. Patterns find neither hidden files nor exports of bonebox nor `asset` itself.
///
/// Links may not lead out of the folder. The rules for the text of a path are checked where the settings are read.
pub(crate) fn matching_files(folder: &Path, settings: &MotionSettings, asset: &Path) -> Result<Vec<String>, String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (mut all, mut seen) = (Vec::new(), BTreeSet::new());
    for pattern in &settings.files {
        let found = match is_pattern(pattern) {
            false => vec![plain(pattern)],
            true => matching(folder, pattern, asset)?,
        };
        if found.is_empty() {
            return Err(format!(
                "no file matches {pattern:?} in the folder of the settings file; correct the path, or remove it (motions are \
                 .glb, .gltf, .vrm, .fbx and .bvh files)"
            ));
        }
        for path in found {
            inside(folder, &path)?;
            if seen.insert(path.clone()) {
                all.push(path);
            }
        }
        if all.len() > MOST_FILES {
            return Err(format!("{pattern:?} matches more than {MOST_FILES} files; write several narrower patterns"));
        }
    }
    Ok(all)
}

fn is_pattern(path: &str) -> bool {
    path.contains(['*', '?'])
}

/// The path without empty names and `.`.
fn plain(path: &str) -> String {
    names(path).collect::<Vec<_>>().join("/")
}

fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !name.is_empty() && *name != ".")
}

/// Fails unless the path is a file of a known kind, in the folder even after following links.
fn inside(folder: &Path, path: &str) -> Result<(), String> {
    let at = folder.join(path);
    let file = fs::canonicalize(&at).map_err(|error| {
        let cure = "correct the path; it is relative to the settings file";
        format!("the file {path:?} cannot be found ({error}); {cure}")
    })?;
    let folder = fs::canonicalize(folder).map_err(|error| format!("the folder cannot be read ({error})"))?;
    if !file.starts_with(folder) {
        let cure = "copy the file into the folder of the settings file or below it";
        return Err(format!("{path:?} is a link that leads out of the folder of the settings file; {cure}"));
    }
    if !is_motion(&at) {
        return Err(format!("{path:?} is no .glb, .gltf, .vrm, .fbx or .bvh file; convert the motion to one of these"));
    }
    Ok(())
}

fn is_motion(path: &Path) -> bool {
    ASSET_EXTENSIONS.iter().chain(&["bvh"]).any(|extension| has_extension(path, extension))
}

/// The files that match a path with wildcards, sorted. Each name of the path is a pattern for one folder or file.
fn matching(folder: &Path, pattern: &str, asset: &Path) -> Result<Vec<String>, String> {
    let parts: Vec<&str> = names(pattern).collect();
    let asset = fs::canonicalize(asset).ok();
    let mut found = vec![String::new()];
    for (at, part) in parts.iter().enumerate() {
        let is_last = at + 1 == parts.len();
        let mut next = Vec::new();
        for above in &found {
            let below = |name: &str| if above.is_empty() { name.to_owned() } else { format!("{above}/{name}") };
            if !is_pattern(part) {
                next.push(below(part));
                continue;
            }
            let name_pattern = NamePattern::new(*part);
            // A folder that does not exist has no files, which the caller reports.
            for entry in fs::read_dir(folder.join(above)).into_iter().flatten().flatten() {
                let Ok(name) = entry.file_name().into_string() else { continue };
                if !name.starts_with('.') && name_pattern.matches(&name) {
                    next.push(below(&name));
                }
                if next.len() > 100 * MOST_FILES {
                    return Err(format!("{pattern:?} matches too many files; write several narrower patterns"));
                }
            }
        }
        let is_right = |path: &String| {
            let at = folder.join(path);
            if is_last { at.is_file() && is_motion(&at) } else { at.is_dir() }
        };
        next.retain(is_right);
        found = next;
    }
    let is_other = |path: &String| {
        let at = folder.join(path);
        (asset.is_none() || fs::canonicalize(&at).ok() != asset) && !is_export(&at)
    };
    found.retain(is_other);
    found.sort();
    Ok(found)
}

/// Returns true if bonebox has written the file as an export: another form of a character whose file exists already.
fn is_export(path: &Path) -> bool {
    let json = || fs::File::open(path).and_then(gltf_container::read_json);
    !is_fbx_file(path) && json().is_ok_and(|json| gltf_export::export_origin(&json).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(folder: &Path, files: &[&str]) -> Result<Vec<String>, String> {
        let files = files.iter().map(|file| (*file).to_owned()).collect();
        matching_files(folder, &MotionSettings { files, ..MotionSettings::default() }, &folder.join("runa.glb"))
    }

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("anims/more")).unwrap();
        fs::create_dir_all(folder.path().join("anims/less")).unwrap();
        for file in [
            "runa.glb",
            "z.glb",
            "anims/b.glb",
            "anims/a.BVH",
            "anims/notes.txt",
            "anims/.hidden.glb",
            "anims/more/c.glb",
        ] {
            fs::write(folder.path().join(file), b"").unwrap();
        }
        folder
    }

    #[test]
    fn patterns_find_sorted_files_and_each_file_once() {
        let folder = folder();
        let found = |files: &[&str]| found(folder.path(), files).unwrap();
        assert_eq!(found(&["anims/*"]), ["anims/a.BVH", "anims/b.glb"]);
        assert_eq!(found(&["./anims//B.g?b"]), ["anims/b.glb"]);
        assert_eq!(found(&["*.glb"]), ["z.glb"], "not the asset itself");
        assert_eq!(found(&["runa.glb"]), ["runa.glb"], "unless it is named");
        assert_eq!(found(&["*/*/*"]), ["anims/more/c.glb"]);
        assert_eq!(found(&["anims/b.glb", "anims/*.glb", "z.glb"]), ["anims/b.glb", "z.glb"]);
    }

    #[test]
    fn missing_files_and_patterns_without_a_file_are_errors() {
        let folder = folder();
        for (file, told) in [
            ("anims/walk.glb", "the file \"anims/walk.glb\" cannot be found"),
            ("anim/*.glb", "no file matches \"anim/*.glb\""),
            ("anims/*.txt", "no file matches"),
            ("anims/notes.txt", "is no .glb, .gltf, .vrm, .fbx or .bvh file"),
        ] {
            let error = found(folder.path(), &["z.glb", file]).unwrap_err();
            assert!(error.contains(told), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_may_not_lead_out_of_the_folder() {
        let folder = folder();
        std::os::unix::fs::symlink(folder.path().join("z.glb"), folder.path().join("anims/out.glb")).unwrap();
        let anims = folder.path().join("anims");
        assert!(found(&anims, &["out.glb"]).unwrap_err().contains("leads out of the folder"));
        assert!(found(&anims, &["o*.glb"]).unwrap_err().contains("leads out of the folder"));
        assert_eq!(found(folder.path(), &["anims/out.glb"]).unwrap(), ["anims/out.glb"]);
    }
}
