//! Finds the settings of each asset of a run.

use crate::AssetError;
use crate::asset_settings::AssetSettings;
use crate::atomic_file::folder_of;
use crate::known_joints::KnownJoints;
use crate::open_files::OpenFiles;
use crate::requested::RequestedSettings;
use crate::settings_file::SettingsFile;
use crate::shared::SharedSet;
use crate::target::BakeTarget;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// All settings files that apply to the assets of a run.
#[derive(Debug)]
pub struct SettingsFiles<'a> {
    requested: &'a RequestedSettings,
    files: BTreeMap<PathBuf, Arc<SettingsFile>>,
    /// The nearest file of the assets of each folder. A file that appears later does not count.
    nearest: BTreeMap<PathBuf, Option<PathBuf>>,
    /// All assets of the run, if the patterns of the request must match a joint of at least one asset.
    run: Option<Arc<KnownJoints>>,
    /// The sets of shared hitboxes of each file.
    shared: BTreeMap<PathBuf, Vec<Arc<SharedSet>>>,
}

impl<'a> SettingsFiles<'a> {
    /// Reads every settings file that applies to one of these assets.
    ///
    /// # Errors
    /// Returns [`AssetError`] with file and line for the first file that cannot be read, has a mistake, or names a
    /// character that does not exist.
    pub fn open(
        requested: &'a RequestedSettings,
        assets: impl IntoIterator<Item = impl AsRef<Path>>,
    ) -> Result<Self, AssetError> {
        let assets: Vec<PathBuf> = assets.into_iter().map(|asset| asset.as_ref().to_owned()).collect();
        let mut files = OpenFiles::for_assets(requested, &assets);
        assets.iter().try_for_each(|asset| files.nearest(asset).map(|_| ()))?;
        let mut shared = BTreeMap::new();
        for file in files.opened() {
            let sets = SharedSet::of_file(requested, &file, &mut files)?;
            shared.insert(file.path.clone(), sets);
        }
        let opened = files.opened().into_iter().map(|file| (file.path.clone(), file)).collect();
        Ok(Self { requested, files: opened, nearest: files.nearest_of_folders(), run: None, shared })
    }

    /// Requires that each pattern of the request matches a joint of one of these assets. The check runs when an asset
    /// is baked and a pattern matches none of its joints.
    #[must_use]
    pub(crate) fn requiring_patterns_to_match(self, assets: &[PathBuf]) -> Self {
        Self { run: Some(Arc::new(KnownJoints::of_assets(assets.to_vec()))), ..self }
    }

    /// The files that `motions` of these settings files name.
    pub(crate) fn motion_files(&self) -> Vec<PathBuf> {
        self.files.values().flat_map(|file| file.motion_files()).collect()
    }

    /// Returns the settings of one of these assets.
    ///
    /// # Errors
    /// Returns [`AssetError`] if a requested option does not exist or does not have such a value.
    pub fn for_asset(&self, asset: &Path) -> Result<AssetSettings, AssetError> {
        self.for_target(&BakeTarget::whole(asset))
    }

    /// Returns the settings of a character of one of these assets.
    ///
    /// # Errors
    /// Returns the errors of [`SettingsFiles::for_asset`].
    pub fn for_target(&self, target: &BakeTarget) -> Result<AssetSettings, AssetError> {
        let path = match self.nearest.get(folder_of(&target.path)) {
            Some(path) => path.clone(),
            None => self.requested.settings_file(&target.path),
        };
        let file = path.and_then(|file| self.files.get(&file)).cloned();
        let applied = file.iter().flat_map(|file| file.files());
        let sets = applied.filter_map(|file| self.shared.get(&file.path)).flatten();
        let shared = match sets.into_iter().find(|set| set.has(&target.name)) {
            Some(set) => Some(Arc::new(set.membership(target)?) as _),
            None => None,
        };
        Ok(AssetSettings::of_target(self.requested, file, target)?.in_run(self.run.clone(), shared))
    }
}

impl RequestedSettings {
    /// Reads the settings of one asset. For many assets, [`SettingsFiles`] reads each file only once.
    ///
    /// # Errors
    /// Returns the errors of [`SettingsFiles::open`] and [`SettingsFiles::for_asset`].
    pub fn for_asset(&self, asset: &Path) -> Result<AssetSettings, AssetError> {
        SettingsFiles::open(self, [asset])?.for_asset(asset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BakeOutcome, BakeRequest, bake_assets, bake_keys};
    use std::fs;

    /// A folder with a box man under each name that ends in `.glb`, and with the other files.
    fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        // The root of a checkout, so that no file above the test matters.
        fs::create_dir(folder.path().join(".git")).unwrap();
        for (file, text) in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            match file.ends_with(".glb") {
                true => fs::write(path, test_models::box_man().to_glb()).unwrap(),
                false => fs::write(path, text).unwrap(),
            }
        }
        folder
    }

    fn settings(folder: &tempfile::TempDir, asset: &str) -> Result<AssetSettings, AssetError> {
        RequestedSettings::default().for_asset(&folder.path().join(asset))
    }

    fn refusal(folder: &tempfile::TempDir) -> String {
        let request = BakeRequest { paths: vec![folder.path().to_owned()], ..BakeRequest::default() };
        match bake_assets(&request, &()) {
            Err(error) => error.with_causes(),
            Ok(run) => run
                .results
                .into_iter()
                .find_map(|row| match row.outcome {
                    BakeOutcome::Failed(error) => Some(error.with_causes()),
                    _ => None,
                })
                .expect("a character fails"),
        }
    }

    #[test]
    fn a_nearer_file_adds_to_those_above_up_to_a_root_and_the_checkout() {
        let folder = folder_with(&[
            ("bonebox.toml", "preset = \"tight\"\nmargin = 0.1\n[limits]\nmost_escape = 0.5\n"),
            ("man.glb", ""),
            ("a/bonebox.toml", "margin = 0.2\n"),
            ("a/deep/man.glb", ""),
            ("a/deep/top/bonebox.toml", "root = true\nkeep = 0.5\n"),
            ("a/deep/top/deeper/bonebox.toml", "margin = 0.3\n"),
            ("a/deep/top/deeper/man.glb", ""),
            ("a/checkout/.git", ""),
            ("a/checkout/man.glb", ""),
        ]);
        let of = |asset: &str| {
            let settings = settings(&folder, asset).unwrap();
            let options = settings.options();
            let files = settings.settings_files().len();
            (files, options.margin, options.keep, settings.limits().most_escape)
        };
        let tight = bone_fit::BakeOptions::preset(bone_fit::Preset::Tight).keep;
        assert_eq!(of("man.glb"), (1, 0.1, tight, Some(0.5)));
        assert_eq!(of("a/deep/man.glb"), (2, 0.2, tight, Some(0.5)));
        assert_eq!(of("a/deep/top/deeper/man.glb"), (2, 0.3, 0.5, None));
        assert_eq!(of("a/checkout/man.glb").0, 0);
        // A named file is the only one.
        let file = crate::SettingsFileChoice::Path(folder.path().join("a/bonebox.toml"));
        let named = RequestedSettings { options: Vec::new(), file };
        let named = named.for_asset(&folder.path().join("a/deep/man.glb")).unwrap();
        assert_eq!((named.options().margin, named.limits().most_escape), (0.2, None));
    }

    #[test]
    fn a_file_that_appears_during_a_run_does_not_change_it() {
        let folder = folder_with(&[("bonebox.toml", "margin = 0.1\n"), ("a/man.glb", "")]);
        let (asset, requested) = (folder.path().join("a/man.glb"), RequestedSettings::default());
        let files = SettingsFiles::open(&requested, [&asset]).unwrap();
        fs::write(folder.path().join("a/bonebox.toml"), "margin = 0.2\n").unwrap();
        assert_eq!(files.for_asset(&asset).unwrap().options().margin, 0.1);
        assert_eq!(requested.for_asset(&asset).unwrap().options().margin, 0.2);
    }

    #[test]
    fn a_bake_with_several_files_has_the_key_of_one_file_with_their_sections_in_order() {
        let tree = folder_with(&[
            ("bonebox.toml", "margin = 0.01\n[characters.man]\nmargin = 0.02\n[tags]\n\"*arm*\" = \"hand\"\n"),
            (
                "a/bonebox.toml",
                "margin = 0.03\nkeep = 0.95\n[joints.head]\ntags = \"head\"\n[sets]\nhurt = [\"head\", \"hand\"]\n",
            ),
            ("a/man.glb", ""),
        ]);
        let flat = folder_with(&[
            (
                "bonebox.toml",
                "margin = 0.03\nkeep = 0.95\n[tags]\n\"*arm*\" = \"hand\"\n[joints.head]\ntags = \"head\"\n[sets]\nhurt = [\"head\", \"hand\"]\n",
            ),
            ("a/man.glb", ""),
        ]);
        let request = |folder: &tempfile::TempDir| BakeRequest {
            paths: vec![folder.path().to_owned()],
            ..BakeRequest::default()
        };
        let key = |folder: &tempfile::TempDir| bake_keys(&request(folder)).unwrap().remove(0).1.unwrap();
        assert_eq!(key(&tree), key(&flat));
        let outcome = || {
            let mut results = bake_assets(&request(&tree), &()).unwrap().results;
            assert_eq!(results.len(), 1);
            results.remove(0).outcome
        };
        assert!(matches!(outcome(), BakeOutcome::Baked(_)));
        assert!(matches!(outcome(), BakeOutcome::Unchanged(_)));
        // A change of the outer file that the nearer one overrides changes nothing.
        let outer = tree.path().join("bonebox.toml");
        let text = fs::read_to_string(&outer).unwrap();
        fs::write(&outer, text.replace("margin = 0.01", "margin = 0.05")).unwrap();
        assert!(matches!(outcome(), BakeOutcome::Unchanged(_)));
        fs::write(&outer, format!("preset = \"cover\"\n{text}")).unwrap();
        assert!(matches!(outcome(), BakeOutcome::Baked(_)));
    }

    #[test]
    fn a_mistake_is_in_the_file_that_has_it() {
        for (outer, inner, told) in [
            ("marginn = 1", "margin = 0.1", "bonebox.toml:1:1: there is no option or section \"marginn\""),
            (
                "\n[joints.tail]\nskip = true",
                "margin = 0.1",
                "bonebox.toml:2:9: the character \"man\" has no joint \"tail\"",
            ),
            (
                "margin = 0.1",
                "\n\n[tags]\n\"tail*\" = \"tail\"",
                "inner/bonebox.toml:4:1: the pattern \"tail*\" matches no joint",
            ),
            (
                "\n[tags]\n\"tail*\" = \"tail\"",
                "margin = 0.1",
                "bonebox.toml:3:1: the pattern \"tail*\" matches no joint",
            ),
            ("[characters.other]\nmargin = 0", "margin = 0.1", "bonebox.toml:1:13: there is no character \"other\""),
            (
                "\nhumanoid = true",
                "margin = 0.1\n[humanoid]\nhead = \"haed\"",
                "inner/bonebox.toml:3:8: the character \"man\"",
            ),
            ("\n[humanoid]\nhead = \"haed\"", "margin = 0.1", "bonebox.toml:3:8: the character \"man\""),
            ("\nmotions = [\"walk.bvh\"]", "margin = 0.1", "bonebox.toml:2:12: the character \"man\""),
            ("motions = [\"walk.bvh\"]", "motions = [\"run.bvh\"]", "inner/bonebox.toml:1:12: the character \"man\""),
            (
                "[tags]\nhead = \"h\"",
                "[sets]\nhurt = [\"hh\"]",
                "inner/bonebox.toml:2:9: no joint or box of this file or of one above it",
            ),
        ] {
            let folder = folder_with(&[("bonebox.toml", outer), ("inner/bonebox.toml", inner), ("inner/man.glb", "")]);
            let refused = refusal(&folder);
            let refused = refused.replace('\\', "/");
            let at = refused.find(told).unwrap_or_else(|| panic!("{refused}\nlacks {told}"));
            let is_inner = refused[..at].ends_with("inner/");
            assert_eq!(is_inner || told.starts_with("inner/"), told.starts_with("inner/"), "{refused}");
        }
    }

    #[test]
    fn motions_are_relative_to_the_file_that_names_them() {
        let motion = |name: &str| {
            let mut man = test_models::box_man();
            man.clips.truncate(1);
            man.clips[0].name = name.to_owned();
            man.to_glb()
        };
        let folder = folder_with(&[
            ("bonebox.toml", "motions = [\"anims/*.glb\"]\n"),
            ("a/bonebox.toml", "margin = 0.01\n"),
            ("a/man.glb", ""),
            ("b/bonebox.toml", "motions = [\"anims/*.glb\"]\n"),
            ("b/man.glb", ""),
        ]);
        for (place, name) in [("anims", "outer"), ("b/anims", "inner")] {
            fs::create_dir_all(folder.path().join(place)).unwrap();
            fs::write(folder.path().join(place).join(format!("{name}.glb")), motion(name)).unwrap();
        }
        for (asset, has, lacks) in [("a/man.glb", "outer", "inner"), ("b/man.glb", "inner", "outer")] {
            let path = folder.path().join(asset);
            let (model, _) = crate::Asset::open(&path).unwrap().import().unwrap();
            let settings = settings(&folder, asset).unwrap();
            let clips: Vec<String> =
                settings.model_to_bake(&model).unwrap().clips.iter().map(|clip| clip.name.clone()).collect();
            assert!(
                clips.iter().any(|clip| clip == has) && clips.iter().all(|clip| clip != lacks),
                "{asset}: {clips:?}"
            );
        }
    }

    #[test]
    fn a_shared_set_has_the_characters_below_its_file_with_their_own_nearer_settings() {
        let files = |inner: &'static str| {
            folder_with(&[
                ("bonebox.toml", "[[shared]]\nname = \"men\"\ncharacters = [\"man\", \"other\"]\n"),
                ("man.glb", ""),
                ("a/bonebox.toml", inner),
                ("a/other.glb", ""),
            ])
        };
        let folder = files("[limits]\nmost_escape = 1\n");
        let members = settings(&folder, "man.glb").unwrap().shared_members().len();
        assert_eq!((members, settings(&folder, "a/other.glb").unwrap().shared_members().len()), (2, 2));
        assert!(refusal(&files("margin = 0.1")).contains("margin is the default and 0.1"));
        let twice = refusal(&files("[[shared]]\nname = \"alone\"\ncharacters = \"other\"\n"));
        assert!(twice.contains("\"other\" is also in the shared set"), "{twice}");
        let folder = files("root = true\n");
        let lost = settings(&folder, "man.glb").unwrap_err().to_string();
        assert!(lost.contains("there is no character \"other\""), "{lost}");
    }
}
