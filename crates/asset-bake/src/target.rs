//! The characters to bake: whole assets, or single characters of assets that have several.

use crate::asset::Asset;
use crate::find::character_name;
use crate::printable_path::printable_path;
use skeleton::printable;
use skinned_model::CharacterRoot;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The longest part of a character's name that comes from its root, in characters.
const MOST_OF_ROOT: usize = 60;

/// A character to bake: a whole asset, or one of several characters in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BakeTarget {
    /// The path of the asset.
    pub path: PathBuf,
    /// The character in the asset; `None` for the whole asset.
    pub root: Option<CharacterRoot>,
    /// The character's name, which is also the name of its outputs: `FILE`, or `FILE_ROOT` for one of several characters.
    /// `FILE` is the file name without folders and extension. In `ROOT`, `_` replaces letters that file names should not
    /// have.
    pub name: String,
}

impl BakeTarget {
    /// The whole asset as one character.
    #[must_use]
    pub fn whole(path: &Path) -> Self {
        Self { path: path.to_owned(), root: None, name: character_name(path) }
    }

    /// Each of the asset's characters; the whole asset if there is only one, or if its file cannot be read.
    #[must_use]
    pub fn each(path: &Path) -> Vec<Self> {
        let roots = Asset::open(path).map(|asset| skinned_model::characters(asset.bytes()).unwrap_or_default());
        match roots.unwrap_or_default() {
            roots if roots.is_empty() => vec![Self::whole(path)],
            roots => {
                let names = names(&character_name(path), &roots);
                let targets = roots.into_iter().zip(names);
                targets.map(|(root, name)| Self { path: path.to_owned(), root: Some(root), name }).collect()
            }
        }
    }

    /// The path for messages, with the root if there is one: `pack.glb (runa)`.
    #[must_use]
    pub fn shown(&self) -> String {
        self.with_root(printable_path(&self.path))
    }

    /// The file name for messages, with the root if there is one.
    #[must_use]
    pub fn shown_file(&self) -> String {
        self.with_root(printable(&self.path.file_name().unwrap_or_default().to_string_lossy()).into_owned())
    }

    fn with_root(&self, path: String) -> String {
        match &self.root {
            Some(root) => format!("{path} ({})", printable(&root.name)),
            None => path,
        }
    }
}

/// The name of each character of a file. The names are unique even where letter case does not count.
fn names(file: &str, roots: &[CharacterRoot]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let named = |root: &CharacterRoot| {
        let plain = |letter: char| if letter.is_alphanumeric() || "-. ".contains(letter) { letter } else { '_' };
        let root: String = root.name.chars().map(plain).take(MOST_OF_ROOT).collect();
        let name = format!("{file}_{}", root.trim_end_matches(['.', ' ']));
        let numbered = std::iter::once(name.clone()).chain((2..).map(|number| format!("{name}_{number}")));
        let mut free = numbered.filter(|name| !taken.contains(&name.to_lowercase()));
        let name = free.next().unwrap_or(name);
        taken.insert(name.to_lowercase());
        name
    };
    roots.iter().map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AssetResult, BakeOutcome, BakeRequest, RequestedSettings, bake_assets};
    use skeleton::NodeIndex;

    #[test]
    fn names_of_characters_are_plain_short_and_unique() {
        let root = |name: &str| CharacterRoot { node: NodeIndex(0), name: name.to_owned() };
        let all = ["runa", "Runa", "../..", "a/b\\c\0", "", ".", "名前", &"x".repeat(1000), &"x".repeat(999), "runa_2"];
        let found = names("pack", &all.map(root));
        let long = format!("pack_{}", "x".repeat(60));
        let expected = [
            "pack_runa",
            "pack_Runa_2",
            "pack_.._",
            "pack_a_b_c_",
            "pack_",
            "pack__2",
            "pack_名前",
            &long,
            &format!("{long}_2"),
            "pack_runa_2_2",
        ];
        assert_eq!(found, expected);
    }

    /// The files below a folder, and the results of a bake of the folder: the target, and the word or the error.
    fn bake(folder: &Path, change: impl Fn(&mut BakeRequest)) -> Vec<(String, String)> {
        let mut request = BakeRequest { paths: vec![folder.to_owned()], ..BakeRequest::default() };
        change(&mut request);
        let told = |result: &AssetResult| {
            let outcome = match &result.outcome {
                BakeOutcome::Baked(character) => format!("baked {}", character.name),
                BakeOutcome::Stored(character) | BakeOutcome::Unchanged(character) => {
                    format!("unchanged {}", character.name)
                }
                BakeOutcome::Refused(..) => "refused".to_owned(),
                BakeOutcome::Failed(error) => error.with_causes(),
            };
            (result.target.shown_file(), outcome)
        };
        bake_assets(&request, &()).unwrap().results.iter().map(told).collect()
    }

    fn outcomes(results: &[(String, String)]) -> Vec<&str> {
        results.iter().map(|(_, outcome)| outcome.as_str()).collect()
    }

    fn stored(folder: &Path, name: &str) -> baked_format::BakedCharacter {
        baked_format::read(&std::fs::read(folder.join(format!("{name}.bonebox"))).unwrap()).unwrap()
    }

    fn pair() -> Vec<u8> {
        let man = test_models::box_man();
        test_models::in_one_file(&[("runa", &man), ("bruno", &man)]).to_glb()
    }

    #[test]
    fn a_file_with_several_characters_is_an_error_that_names_the_roots_and_the_cure() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("pack.glb"), pair()).unwrap();
        let results = bake(folder.path(), |_| {});
        let [(target, error)] = &results[..] else { panic!("{results:?}") };
        let expected = "the file has 2 characters, with the roots \"runa\", \"bruno\"; bake each to a file of its own with \
                        `bonebox bake --split`";
        assert!(target == "pack.glb" && error.contains(expected), "{error}");
        let in_memory = crate::bake_bytes(&pair(), "pack.glb", "", &()).unwrap_err().with_causes();
        assert!(in_memory.contains(expected), "{in_memory}");
        let at = folder.path().join("pack.glb");
        let loaded = crate::load_or_bake(&at, &RequestedSettings::default()).unwrap_err().with_causes();
        assert!(loaded.contains(expected), "{loaded}");
        assert!(!folder.path().join("pack.bonebox").exists());
    }

    /// Split, each character has the hitboxes that it has in a file of its own. Outputs, the cache, `check` and a change of
    /// the file work as for any asset.
    #[test]
    fn a_split_file_is_baked_to_a_file_for_each_character() {
        let folder = tempfile::tempdir().unwrap();
        let (root, man) = (folder.path(), test_models::box_man());
        std::fs::write(root.join("pack.glb"), pair()).unwrap();
        let split = |request: &mut BakeRequest| request.split = true;
        let check = |request: &mut BakeRequest| (request.split, request.check) = (true, true);
        assert!(outcomes(&bake(root, check))[0].contains("does not exist"));
        let baked = bake(root, split);
        assert_eq!(outcomes(&baked), ["baked pack_runa", "baked pack_bruno"]);
        assert_eq!(baked[1].0, "pack.glb (bruno)");
        let alone = test_models::in_one_file(&[("runa", &man)]).to_glb();
        let alone = crate::bake_bytes(&alone, "pack.glb", "", &()).unwrap();
        for name in ["pack_runa", "pack_bruno"] {
            let found = stored(root, name);
            assert_eq!((&found.boxes, &found.clips, &found.coverage), (&alone.boxes, &alone.clips, &alone.coverage));
            assert!(found.skeleton.find("head").is_some() && found.skeleton.find("head_2").is_none());
            assert_eq!((found.name.as_str(), found.source.file.as_str()), (name, "pack.glb"));
        }
        assert_eq!(outcomes(&bake(root, split)), ["unchanged pack_runa", "unchanged pack_bruno"]);
        assert_eq!(outcomes(&bake(root, check)), ["baked pack_runa", "baked pack_bruno"]);
        let mut wider = man.clone();
        wider.positions.iter_mut().for_each(|point| point[0] *= 1.5);
        let changed = test_models::in_one_file(&[("runa", &man), ("bruno", &wider)]).to_glb();
        std::fs::write(root.join("pack.glb"), changed).unwrap();
        let told = bake(root, check);
        assert!(outcomes(&told).iter().all(|told| told.contains("the source has changed")), "{told:?}");
        assert_eq!(outcomes(&bake(root, split)), ["baked pack_runa", "baked pack_bruno"]);
    }

    #[test]
    fn files_with_one_character_are_baked_as_without_split() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("man.glb"), test_models::box_man().to_glb()).unwrap();
        std::fs::write(folder.path().join("bad.glb"), b"glTF").unwrap();
        let results = bake(folder.path(), |request| request.split = true);
        assert_eq!(results[1], ("man.glb".to_owned(), "baked man".to_owned()));
        assert!(results[0].0 == "bad.glb" && results[0].1.contains("GLB"), "{results:?}");
        assert!(outcomes(&bake(folder.path(), |_| {}))[1] == "unchanged man");
    }

    /// A file beside the asset may have the name of one of its characters.
    #[test]
    fn outputs_that_collide_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("pack.glb"), pair()).unwrap();
        std::fs::write(folder.path().join("pack_runa.glb"), test_models::box_man().to_glb()).unwrap();
        let results = bake(folder.path(), |request| request.split = true);
        assert!(results[0].1.contains("pack_runa.glb would write the same"), "{results:?}");
        assert_eq!(results[1].1, "baked pack_bruno");
        assert!(results[2].1.contains("pack.glb (runa) would write the same"), "{results:?}");
    }

    #[test]
    fn the_settings_file_can_split_or_join_and_has_sections_for_the_characters() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::write(root.join("pack.glb"), pair()).unwrap();
        std::fs::write(root.join("man.glb"), test_models::box_man().to_glb()).unwrap();
        let write = |text: &str| std::fs::write(root.join("bonebox.toml"), text).unwrap();
        write(
            "[characters.pack]\nsplit = true\n[characters.pack_runa]\nmargin = 0.1\n[characters.pack_runa.joints.head]\nskip = true",
        );
        assert_eq!(outcomes(&bake(root, |_| {})), ["baked man", "baked pack_runa", "baked pack_bruno"]);
        let boxes = ["pack_runa", "pack_bruno"].map(|name| stored(root, name).boxes.len());
        assert_eq!(boxes, [10, 11]);
        write("[characters.pack]\nsplit = true\n[characters.pack_rina]\nmargin = 0.1");
        let request = BakeRequest { paths: vec![root.to_owned()], ..BakeRequest::default() };
        let error = bake_assets(&request, &()).unwrap_err().to_string();
        assert!(error.contains("bonebox.toml:3") && error.contains("did you mean \"pack_runa\""), "{error}");

        write("[characters.pack]\nsplit = false");
        assert_eq!(outcomes(&bake(root, |_| {})), ["unchanged man", "baked pack"]);
        assert_eq!(stored(root, "pack").boxes.len(), 22);
        assert_eq!(outcomes(&bake(root, |_| {})), ["unchanged man", "unchanged pack"]);
        write("");
        assert!(outcomes(&bake(root, |_| {}))[1].contains("the file has 2 characters"), "the cache knows the setting");
        write("split = 1");
        assert!(bake_assets(&request, &()).unwrap_err().to_string().contains("true or false"));
    }
}
