//! Finds assets in folders.

use crate::AssetError;
use crate::ignore_rules::IgnoreRules;
use crate::place::Places;
use crate::stamp::Stamp;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The file extensions of assets, in lower case. Files may have them in any case.
#[cfg(feature = "fbx")]
pub const ASSET_EXTENSIONS: &[&str] = &["glb", "gltf", "vrm", "fbx"];

/// The file extensions of assets, in lower case. Files may have them in any case.
#[cfg(not(feature = "fbx"))]
pub const ASSET_EXTENSIONS: &[&str] = &["glb", "gltf", "vrm"];

/// The extensions of other files that may contain skinned characters, in lower case. Assets come first.
const OTHER_EXTENSIONS: &[&str] = &["fbx", "blend", "dae", "usd", "usda", "usdc", "usdz"];

/// The result of [`AssetFinder::find`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundAssets {
    /// The assets, sorted and without repeats. An FBX file beside a glTF file with the same name is left out unless a path
    /// names it, because the glTF file was made from it.
    pub assets: Vec<PathBuf>,
    /// The exports of bonebox in the searched folders, sorted and without repeats. An export is another form of a
    /// character whose asset exists already. So an export is in `assets` only if a path names the export itself.
    pub exports: Vec<PathBuf>,
    /// The files of other 3D formats in the searched folders, sorted and without repeats. A file beside an asset with the
    /// same name is left out, because the asset was made from it.
    pub other_formats: Vec<PathBuf>,
    /// The files and folders in the searched folders that a `.gitignore` or a `.boneboxignore` leaves out, sorted and without
    /// repeats. Of files, only those that could be assets; what is in the folders is not known.
    pub ignored: Vec<PathBuf>,
    /// The folders that were searched with their subfolders, sorted and without repeats. A program that watches the assets
    /// watches these folders for new files.
    pub folders: Vec<PathBuf>,
}

/// Finds assets again and again. A file is opened again only if its size or time has changed.
#[derive(Debug, Default)]
pub struct AssetFinder {
    opened: BTreeMap<PathBuf, (Option<Stamp>, ExportSigns)>,
}

impl AssetFinder {
    /// Finds assets as [`find_assets`] does, and leaves out paths and folders that cannot be read now.
    pub fn find(&mut self, paths: &[PathBuf]) -> FoundAssets {
        self.search(paths).found
    }
}

/// Returns the assets at these paths, sorted and without repeats. A path names one file, or a folder that is searched
/// with its subfolders. A file that two paths name is returned once, with the first of these paths.
///
/// Hidden files and folders are ignored, links to folders are not followed, and exports of bonebox in folders are left
/// out. An export is another form of a character whose asset exists already. In folders, the rules of `.boneboxignore` files
/// and, in a checkout, of `.gitignore` files hold, also those of the parent folders up to the root of the checkout.
///
/// # Errors
/// Returns [`AssetError`] if a path does not exist, a folder cannot be read, or a `.boneboxignore` has a mistake.
pub fn find_assets(paths: &[PathBuf]) -> Result<Vec<PathBuf>, AssetError> {
    let Search { found, unreadable } = search(paths);
    match unreadable.into_iter().next() {
        None => Ok(found.assets),
        Some((path, error)) => Err(AssetError::of_asset(&path)(error)),
    }
}

/// The assets at some paths, and the paths that cannot be searched.
#[derive(Debug)]
pub(crate) struct Search {
    pub(crate) found: FoundAssets,
    /// The paths of the caller that do not exist, and folders that cannot be listed, each with its error.
    pub(crate) unreadable: BTreeMap<PathBuf, AssetError>,
}

/// Finds assets as [`find_assets`] does. A path that cannot be read does not stop the search.
pub(crate) fn search(paths: &[PathBuf]) -> Search {
    AssetFinder::default().search(paths)
}

impl AssetFinder {
    fn search(&mut self, paths: &[PathBuf]) -> Search {
        let (mut named, mut searched, mut unreadable) = (Files::default(), Files::default(), BTreeMap::new());
        let (mut folders, mut others, mut ignored) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for path in paths {
            match fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => {
                    let mut found = FolderSearch { assets: &mut searched, others: &mut others, ignored: &mut ignored };
                    found.search(path, &mut folders, &mut unreadable);
                }
                Ok(_) => named.insert(path.clone()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    unreadable.insert(path.clone(), AssetError::NotFound);
                }
                Err(error) => {
                    unreadable.insert(path.clone(), AssetError::file("read", path)(error));
                }
            }
        }
        let paths: BTreeSet<PathBuf> = searched.by_place.values().cloned().collect();
        let gltf = paths.iter().filter(|path| !is_fbx_file(path));
        let gltf_without_ending: BTreeSet<PathBuf> = gltf.map(|path| path.with_extension("")).collect();
        searched.by_place.retain(|place, path| {
            let has_gltf_beside = is_fbx_file(path) && gltf_without_ending.contains(&path.with_extension(""));
            !named.by_place.contains_key(place) && !has_gltf_beside
        });
        self.open_all(searched.by_place.values());
        let (exports, assets): (BTreeSet<PathBuf>, BTreeSet<PathBuf>) =
            searched.by_place.into_values().partition(|path| self.is_export(path, &paths));
        let assets: BTreeSet<PathBuf> = assets.into_iter().chain(named.by_place.into_values()).collect();
        let without_ending: BTreeSet<PathBuf> = paths.iter().map(|path| path.with_extension("")).collect();
        let is_beside_asset = |other: &PathBuf| without_ending.contains(&other.with_extension(""));
        let found = FoundAssets {
            assets: assets.into_iter().collect(),
            exports: exports.into_iter().collect(),
            other_formats: others.into_iter().filter(|path| !is_beside_asset(path)).collect(),
            ignored: ignored.into_iter().collect(),
            folders: folders.into_iter().collect(),
        };
        Search { found, unreadable }
    }

    /// Returns true if a file is an export. Exports carry a mark. If another tool has saved an export without the mark, the
    /// file is an export if it contains boxes of an export and has the name `NAME.SOMETHING` beside an asset `NAME`. A file
    /// that cannot be read is not an export.
    fn is_export(&self, path: &Path, all: &BTreeSet<PathBuf>) -> bool {
        let name = character_name(path);
        let is_beside_its_source = || {
            let sources = name.match_indices('.').map(|(dot, _)| &name[..dot]);
            let named =
                |source: &str| all.iter().any(|one| one.parent() == path.parent() && character_name(one) == source);
            sources.into_iter().any(named)
        };
        let ExportSigns { has_mark, has_boxes } = self.export_signs(path);
        has_mark || has_boxes && is_beside_its_source()
    }

    /// Opens new and changed files, several at the same time.
    fn open_all<'a>(&mut self, paths: impl Iterator<Item = &'a PathBuf>) {
        let opened = &self.opened;
        let open = |path: &PathBuf| {
            // The stamp is taken first, so that a file that is saved meanwhile is opened again.
            let stamp = Stamp::of_file(path).ok();
            let is_known = opened.get(path).is_some_and(|(known, _)| *known == stamp);
            (!is_known).then(|| (path.clone(), (stamp, ExportSigns::of_file(path))))
        };
        let new: Vec<_> = paths.collect::<Vec<_>>().into_par_iter().filter_map(open).collect();
        self.opened.extend(new);
    }

    fn export_signs(&self, path: &Path) -> ExportSigns {
        self.opened.get(path).map(|(_, signs)| *signs).unwrap_or_default()
    }
}

/// What the JSON of a file says about an export.
#[derive(Clone, Copy, Debug, Default)]
struct ExportSigns {
    has_mark: bool,
    has_boxes: bool,
}

impl ExportSigns {
    fn of_file(path: &Path) -> Self {
        if is_fbx_file(path) {
            return Self::default();
        }
        let Ok(json) = File::open(path).and_then(gltf_container::read_json) else { return Self::default() };
        let has_mark = gltf_export::export_origin(&json).is_some();
        // Only the name `NAME.SOMETHING` makes the boxes count.
        let has_boxes = character_name(path).contains('.') && gltf_export::has_exported_boxes(&json);
        Self { has_mark, has_boxes }
    }
}

/// Files by their places, each with the path by which it was found first. Two names of one file, such as a link and its
/// target, are two assets, because their outputs have different names.
#[derive(Default)]
struct Files {
    places: Places,
    by_place: BTreeMap<PathBuf, PathBuf>,
}

impl Files {
    fn insert(&mut self, path: PathBuf) {
        self.by_place.entry(self.places.of(&path)).or_insert(path);
    }
}

/// The name of an asset's character: the file name without folders and extension.
#[must_use]
pub fn character_name(asset: &Path) -> String {
    asset.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns true if the file name ends in `.bonebox`, in any case.
#[must_use]
pub fn is_baked_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bonebox"))
}

/// What the search of folders finds.
struct FolderSearch<'a> {
    assets: &'a mut Files,
    /// Files of other 3D formats.
    others: &'a mut BTreeSet<PathBuf>,
    /// Files and folders that rules leave out.
    ignored: &'a mut BTreeSet<PathBuf>,
}

impl FolderSearch<'_> {
    /// Searches a folder and its subfolders.
    fn search(
        &mut self,
        folder: &Path,
        searched: &mut BTreeSet<PathBuf>,
        unreadable: &mut BTreeMap<PathBuf, AssetError>,
    ) {
        let mut folders = vec![(folder.to_owned(), IgnoreRules::of_folder(folder))];
        while let Some((folder, rules)) = folders.pop() {
            if let Err(error) = rules.and_then(|rules| self.list(&folder, &rules, &mut folders)) {
                unreadable.insert(folder.clone(), error);
            }
            searched.insert(folder);
        }
    }

    /// Adds the files of a folder, and its subfolders to `folders`.
    fn list(
        &mut self,
        folder: &Path,
        rules: &IgnoreRules,
        folders: &mut Vec<(PathBuf, Result<IgnoreRules, AssetError>)>,
    ) -> Result<(), AssetError> {
        for entry in fs::read_dir(folder).map_err(AssetError::file("list", folder))? {
            let entry = entry.map_err(AssetError::file("list", folder))?;
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            let path = entry.path();
            let kind = entry.file_type().map_err(AssetError::file("read", &path))?;
            let is_asset = has_asset_extension(&path) && (kind.is_file() || may_be_read(&path));
            let is_other = has_extension(&path, OTHER_EXTENSIONS) && kind.is_file();
            if !kind.is_dir() && !is_asset && !is_other {
                continue;
            }
            if rules.leave_out(&path, kind.is_dir()) {
                self.ignored.insert(path);
            } else if kind.is_dir() {
                let rules = rules.below(&path);
                folders.push((path, rules));
            } else if is_asset {
                self.assets.insert(path);
            } else {
                self.others.insert(path);
            }
        }
        Ok(())
    }
}

/// Returns false for a link to a folder, and for pipes and devices, which a program would wait for. A broken link is not
/// hidden, because its error helps.
fn may_be_read(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |metadata| metadata.is_file())
}

/// Returns true if the file name ends in one of [`ASSET_EXTENSIONS`], in any case.
#[must_use]
pub fn has_asset_extension(path: &Path) -> bool {
    has_extension(path, ASSET_EXTENSIONS)
}

/// Returns true if the file name ends in `.fbx`, in any case.
pub(crate) fn is_fbx_file(path: &Path) -> bool {
    has_extension(path, &["fbx"])
}

/// Returns true if the file name ends in one of the extensions, in any case.
fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    extensions.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn assets_are_found_sorted_and_without_repeats() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("b")).unwrap();
        fs::create_dir_all(root.join(".hidden")).unwrap();
        for file in ["z.GLB", "a.gltf", "b/c.vrm", "b/notes.txt", ".hidden/x.glb"] {
            fs::write(root.join(file), b"").unwrap();
        }
        let found = find_assets(&[root.to_owned(), root.join("a.gltf")]).unwrap();
        assert_eq!(found, [root.join("a.gltf"), root.join("b/c.vrm"), root.join("z.GLB")]);
        let missing = find_assets(&[root.join("no")]).unwrap_err();
        assert!(missing.to_string().contains("no"), "{missing}");
    }

    #[test]
    fn a_file_with_several_paths_is_found_once_and_a_link_with_another_name_is_a_file_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir(root.join("b")).unwrap();
        fs::write(root.join("a.glb"), b"").unwrap();
        let (plain, dotted, around) = (root.join("a.glb"), root.join("./a.glb"), root.join("b/../a.glb"));
        let as_text = |found: Vec<PathBuf>| found.iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
        for (paths, first) in [
            ([around.clone(), plain.clone(), root.to_owned()], &around),
            ([root.join("b/.."), dotted.clone(), plain.clone()], &dotted),
        ] {
            assert_eq!(as_text(find_assets(&paths).unwrap()), [first.display().to_string()]);
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&plain, root.join("other.glb")).unwrap();
            std::os::unix::fs::symlink(root, root.join("b/up")).unwrap();
            let found = find_assets(&[root.to_owned(), root.join("b/up")]).unwrap();
            assert_eq!(found, [plain, root.join("other.glb")]);
        }
    }

    #[test]
    fn files_of_other_formats_are_named_unless_their_asset_is_beside_them() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["a.dae", "a.glb", "b.USD", "c.blend", "notes.txt"] {
            fs::write(folder.path().join(file), b"").unwrap();
        }
        let found = AssetFinder::default().find(&[folder.path().to_owned()]);
        assert_eq!(found.other_formats, ["b.USD", "c.blend"].map(|file| folder.path().join(file)));
    }

    /// Studios keep the FBX file that a glTF file was made from beside it. Both would write the same outputs.
    #[test]
    fn an_fbx_file_is_an_asset_unless_a_gltf_file_is_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        for file in ["a.fbx", "a.glb", "b.FBX", "c.vrm", "sub/c.fbx"] {
            fs::write(at(file), b"").unwrap();
        }
        let found = AssetFinder::default().find(&[folder.path().to_owned()]);
        let alone = [at("b.FBX"), at("sub/c.fbx")];
        let expected: Vec<PathBuf> = match cfg!(feature = "fbx") {
            true => vec![at("a.glb"), at("b.FBX"), at("c.vrm"), at("sub/c.fbx")],
            false => vec![at("a.glb"), at("c.vrm")],
        };
        assert_eq!(found.assets, expected);
        assert_eq!(found.other_formats, if cfg!(feature = "fbx") { vec![] } else { alone.to_vec() });
        let named = find_assets(&[folder.path().to_owned(), at("a.fbx")]).unwrap();
        assert!(named.contains(&at("a.fbx")), "{named:?}");
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_links_to_folders_are_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a.glb"), b"").unwrap();
        let made = std::process::Command::new("mkfifo").arg(at("pipe.glb")).status().unwrap();
        assert!(made.success());
        std::os::unix::fs::symlink(at("pipe.glb"), at("to-pipe.gltf")).unwrap();
        std::os::unix::fs::symlink(folder.path(), at("up.glb")).unwrap();
        std::os::unix::fs::symlink(at("nowhere"), at("broken.glb")).unwrap();
        assert_eq!(find_assets(&[folder.path().to_owned()]).unwrap(), [at("a.glb"), at("broken.glb")]);
    }

    #[test]
    fn a_missing_path_does_not_hide_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let (there, missing) = (folder.path().join("a.glb"), folder.path().join("no.glb"));
        fs::write(&there, b"").unwrap();
        let Search { found: FoundAssets { assets, .. }, unreadable } = search(&[missing.clone(), there.clone()]);
        assert_eq!(assets, std::slice::from_ref(&there));
        assert_eq!(unreadable.into_keys().collect::<Vec<_>>(), std::slice::from_ref(&missing));
        let error = find_assets(&[there, missing]).unwrap_err().with_causes();
        assert!(error.contains("no.glb: ") && error.contains("does not exist"), "{error}");
    }

    #[test]
    fn a_file_is_opened_again_only_if_its_size_or_time_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gltf");
        let marked = br#"{"asset": {"version": "2.0", "extras": {"bonebox": {"export": "omi", "source": "b.glb"}}}}"#;
        let plain = [&b"{}"[..], &vec![b' '; marked.len() - 2]].concat();
        fs::write(&path, &plain).unwrap();
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        let mut finder = AssetFinder::default();
        let roots = [folder.path().to_owned()];
        assert_eq!(finder.find(&roots).assets, std::slice::from_ref(&path));
        // Nobody can see that the content is another one.
        fs::write(&path, marked).unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        assert_eq!(finder.find(&roots).assets, std::slice::from_ref(&path));
        File::options().write(true).open(&path).unwrap().set_modified(time + Duration::from_secs(1)).unwrap();
        let found = finder.find(&roots);
        assert_eq!((found.assets, found.exports), (Vec::new(), vec![path]));
        assert_eq!(found.folders, roots);
    }

    #[test]
    fn exports_in_folders_are_no_assets_unless_they_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let marked = br#"{"asset": {"version": "2.0", "extras": {"bonebox": {"export": "omi", "source": "a.glb"}}}}"#;
        let with_boxes = br#"{"asset": {"version": "2.0"}, "nodes": [{"extras": {"bonebox": {"box": 0}}}]}"#;
        fs::write(at("a.glb"), b"").unwrap();
        fs::write(at("elsewhere.gltf"), marked).unwrap();
        // A tool saved the export again without the mark. Its name shows that it is an export, unless the original
        // asset is missing.
        fs::write(at("a.wire.gltf"), with_boxes).unwrap();
        fs::write(at("b.wire.gltf"), with_boxes).unwrap();
        fs::write(at("a.new.gltf"), b"{}").unwrap();
        let found = AssetFinder::default().find(&[folder.path().to_owned()]);
        assert_eq!(found.assets, [at("a.glb"), at("a.new.gltf"), at("b.wire.gltf")]);
        assert_eq!(found.exports, [at("a.wire.gltf"), at("elsewhere.gltf")]);
        let named = AssetFinder::default().find(&[folder.path().to_owned(), at("elsewhere.gltf")]);
        assert_eq!(named.exports, [at("a.wire.gltf")]);
        assert!(named.assets.contains(&at("elsewhere.gltf")));
    }
}
