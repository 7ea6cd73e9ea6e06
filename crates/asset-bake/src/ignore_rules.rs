//! The rules of `.gitignore` and `.boneboxignore` files that leave out files and folders of a search.

use crate::error::AssetError;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of the files that hold rules for bonebox alone, in the form of a `.gitignore`.
pub const IGNORE_FILE: &str = ".boneboxignore";

/// The name of the files that hold git's rules.
const GITIGNORE: &str = ".gitignore";

/// The rules for the entries of one folder. A rule of a folder below overrides those above, and one of a `.boneboxignore`
/// overrides those of the `.gitignore` beside it.
#[derive(Clone, Debug)]
pub(crate) struct IgnoreRules {
    /// The folder as the caller names it, and its real path, against which the rules are matched.
    folder: PathBuf,
    real: PathBuf,
    /// The files with rules, the outermost first.
    files: Vec<Arc<Gitignore>>,
    /// `true` in a checkout, where `.gitignore` files count.
    is_checkout: bool,
}

impl IgnoreRules {
    /// The rules for a folder that a caller named: its own, and those of its parents up to the root of the checkout. Without a
    /// checkout, the folder's own rules are the first.
    ///
    /// # Errors
    /// Returns [`AssetError::IgnoreFile`] if a file cannot be read or has a rule that is no pattern.
    pub(crate) fn of_folder(folder: &Path) -> Result<Self, AssetError> {
        let real = fs::canonicalize(folder).or_else(|_| std::path::absolute(folder)).unwrap_or_else(|_| folder.into());
        let root = real.ancestors().position(|folder| folder.join(".git").exists());
        let mut rules =
            Self { folder: folder.to_owned(), real: real.clone(), files: Vec::new(), is_checkout: root.is_some() };
        let above: Vec<&Path> = real.ancestors().take(root.map_or(1, |at| at + 1)).collect();
        above.into_iter().rev().try_for_each(|folder| rules.add_files_in(folder))?;
        Ok(rules)
    }

    /// The rules for a folder below: these, and its own.
    ///
    /// # Errors
    /// Returns the error of [`IgnoreRules::of_folder`].
    pub(crate) fn below(&self, folder: &Path) -> Result<Self, AssetError> {
        let mut rules = Self { folder: folder.to_owned(), real: self.real_path(folder), ..self.clone() };
        let real = rules.real.clone();
        rules.add_files_in(&real)?;
        Ok(rules)
    }

    /// Returns true if the rules leave out an entry of the folder.
    pub(crate) fn leave_out(&self, entry: &Path, is_folder: bool) -> bool {
        let real = self.real_path(entry);
        let mut found = self.files.iter().rev().map(|rules| rules.matched(&real, is_folder));
        matches!(found.find(|found| !found.is_none()), Some(Match::Ignore(_)))
    }

    fn real_path(&self, entry: &Path) -> PathBuf {
        entry.strip_prefix(&self.folder).map_or_else(|_| entry.to_owned(), |below| self.real.join(below))
    }

    fn add_files_in(&mut self, folder: &Path) -> Result<(), AssetError> {
        let of_git = self.is_checkout.then_some(GITIGNORE);
        for name in of_git.into_iter().chain([IGNORE_FILE]) {
            let path = folder.join(name);
            if !path.is_file() {
                continue;
            }
            let problem =
                |error: ignore::Error| AssetError::IgnoreFile { path: path.clone(), problem: error.to_string() };
            let mut rules = GitignoreBuilder::new(folder);
            match rules.add(&path) {
                None => {}
                // git passes over a pattern that it cannot read, and so do we: the file is not ours.
                Some(_) if name == GITIGNORE => {}
                Some(error) => return Err(problem(error)),
            }
            self.files.push(Arc::new(rules.build().map_err(problem)?));
        }
        Ok(())
    }
}

/// The files with rules that hold for the entries of a folder: those in it, and those of its parents up to the root of the
/// checkout.
pub(crate) fn rule_files(folder: &Path) -> Vec<PathBuf> {
    let real = fs::canonicalize(folder).unwrap_or_else(|_| folder.into());
    let root = real.ancestors().position(|folder| folder.join(".git").exists());
    let names = root.map(|_| GITIGNORE).into_iter().chain([IGNORE_FILE]);
    let folders = real.ancestors().take(root.map_or(1, |at| at + 1));
    let files = folders.flat_map(|folder| names.clone().map(|name| folder.join(name)));
    files.filter(|file| file.is_file()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AssetFinder, find_assets};
    use std::process::Command;

    fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (file, text) in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn names(folder: &Path, paths: &[PathBuf]) -> Vec<String> {
        let name = |path: &PathBuf| path.strip_prefix(folder).unwrap().display().to_string().replace('\\', "/");
        paths.iter().map(name).collect()
    }

    #[test]
    fn rules_leave_out_files_and_folders_and_nothing_vanishes() {
        let folder = folder_with(&[
            (".gitignore", "/wip\n*.tmp.glb\n"),
            (".git/HEAD", ""),
            ("a.glb", ""),
            ("a.tmp.glb", ""),
            ("wip/b.glb", ""),
            ("deep/wip/c.glb", ""),
            ("deep/.boneboxignore", "*.vrm\n!keep.vrm\n!d.tmp.glb\n"),
            ("deep/d.tmp.glb", ""),
            ("deep/e.vrm", ""),
            ("deep/keep.vrm", ""),
            ("deep/notes.tmp.txt", ""),
        ]);
        let root = folder.path();
        let found = AssetFinder::default().find(&[root.to_owned()]);
        assert_eq!(names(root, &found.assets), ["a.glb", "deep/d.tmp.glb", "deep/keep.vrm", "deep/wip/c.glb"]);
        assert_eq!(names(root, &found.ignored), ["a.tmp.glb", "deep/e.vrm", "wip"]);
        // Rules above the folder of a search count too, and a file that is named is an asset whatever the rules say.
        let deep = find_assets(&[root.join("deep"), root.join("wip/b.glb"), root.join("deep/e.vrm")]).unwrap();
        assert_eq!(
            names(root, &deep),
            ["deep/d.tmp.glb", "deep/e.vrm", "deep/keep.vrm", "deep/wip/c.glb", "wip/b.glb"]
        );
    }

    #[test]
    fn a_gitignore_outside_a_checkout_is_no_rule() {
        let folder = folder_with(&[(".gitignore", "*.glb\n"), ("a.glb", "")]);
        assert_eq!(names(folder.path(), &find_assets(&[folder.path().to_owned()]).unwrap()), ["a.glb"]);
    }

    #[test]
    fn a_rule_of_ours_that_is_no_pattern_is_an_error_with_its_line() {
        let folder = folder_with(&[(IGNORE_FILE, "fine\n[z-a].glb\n"), ("a.glb", "")]);
        let told = find_assets(&[folder.path().to_owned()]).unwrap_err().with_causes();
        assert!(told.contains(".boneboxignore") && told.contains("line 2"), "{told}");
    }

    /// git itself is the judge: the assets that are found are those that `git check-ignore` does not name.
    #[test]
    fn the_rules_are_those_of_git() {
        let folder = folder_with(&[
            (
                ".gitignore",
                "/top.glb\nb/\n**/deep/*.vrm\n!**/deep/kept.vrm\n# c.glb\n\\!odd.glb\nq?.glb\n[xy].glb\nspace .glb\n",
            ),
            ("n/.gitignore", "*.glb\n!two.glb\n/b2\n"),
        ]);
        let root = folder.path();
        if !Command::new("git").arg("init").arg("--quiet").arg(root).status().is_ok_and(|status| status.success()) {
            return;
        }
        for file in [
            "top.glb",
            "n/top.glb",
            "b/a.glb",
            "n/b/a.glb",
            "deep/a.vrm",
            "n/deep/a.vrm",
            "deep/kept.vrm",
            "c.glb",
            "!odd.glb",
            "qa.glb",
            "qab.glb",
            "x.glb",
            "z.glb",
            "space .glb",
            "n/two.glb",
            "n/one.glb",
            "n/m/two.glb",
            "n/b2/a.vrm",
            "m/b2/a.vrm",
        ] {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
            let ignored =
                Command::new("git").arg("-C").arg(root).args(["check-ignore", "-q", "--no-index", file]).status();
            let found = find_assets(&[root.to_owned()]).unwrap().contains(&root.join(file));
            assert_eq!(found, !ignored.unwrap().success(), "{file}");
        }
    }
}
