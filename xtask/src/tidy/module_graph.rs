//! The imports between the modules of a crate, read from the text of its files.

use std::collections::{BTreeMap, BTreeSet};

/// A module as the words of its path in the crate; empty for `lib.rs`.
pub(super) type Module = Vec<String>;

/// For each module of a crate, the modules that it imports from. Tests do not count.
pub(super) type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// Reads the imports of a crate. `files` has the path of each file below `src`, and its text.
///
/// An import through a re-export counts as an import from the module that has the item. A re-export is no import, so
/// `mod.rs` may re-export what the files beside it define with its own types.
pub(super) fn imports(files: &[(&str, &str)]) -> Imports {
    let mut paths: BTreeMap<Module, Paths> = BTreeMap::new();
    for (file, text) in files.iter().filter(|(file, _)| !file.ends_with("tests.rs") && !file.contains("tests/")) {
        let words = file.trim_end_matches(".rs").split('/').map(str::to_owned);
        let mut module: Module = words.collect();
        module.pop_if(|last| *last == "mod" || (file.len() == "lib.rs".len() && *last == "lib"));
        paths.insert(module, Paths::read(text));
    }
    let imported = |module: &Module| {
        let found = paths[module].all.iter().filter_map(|path| absolute(&paths, module, path));
        found.map(|path| home(&paths, &path, MOST_RE_EXPORTS)).filter(|other| other != module).collect()
    };
    paths.keys().map(|module| (module.clone(), imported(module))).collect()
}

/// Returns the imports between the modules of `lib.rs`: those of a folder are those of its files.
pub(super) fn between_folders(imports: &Imports) -> Imports {
    let mut folders = Imports::new();
    for (module, imported) in imports.iter().filter(|(module, _)| !module.is_empty()) {
        let others = imported.iter().filter(|other| !other.is_empty() && other[0] != module[0]);
        folders.entry(module[..1].to_vec()).or_default().extend(others.map(|other| other[..1].to_vec()));
    }
    folders
}

/// Returns the circles: sets of modules that all import from each other, directly or through others of the set.
pub(super) fn circles(imports: &Imports) -> Vec<BTreeSet<&Module>> {
    let reached: BTreeMap<&Module, BTreeSet<&Module>> =
        imports.keys().map(|from| (from, reach(imports, from))).collect();
    let mut circles: Vec<BTreeSet<&Module>> = Vec::new();
    for (from, all) in reached.iter().filter(|(from, all)| all.contains(*from)) {
        if !circles.iter().any(|circle| circle.contains(from)) {
            circles.push(all.iter().copied().filter(|other| reached[other].contains(from)).collect());
        }
    }
    circles
}

/// Returns all modules that a module imports from, directly or through others.
fn reach<'a>(imports: &'a Imports, from: &Module) -> BTreeSet<&'a Module> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        for other in &imports[module] {
            if reached.insert(other) {
                open.push(other);
            }
        }
    }
    reached
}

/// A chain of re-exports may be this long.
const MOST_RE_EXPORTS: usize = 8;

/// The paths in the shipped code of a file.
#[derive(Default)]
struct Paths {
    all: Vec<Vec<String>>,
    /// The paths of `pub use` and `pub(crate) use`, by the name that they export.
    re_exported: BTreeMap<String, Vec<String>>,
}

impl Paths {
    fn read(text: &str) -> Self {
        let shipped = ["mod ", "pub(crate) mod "]
            .into_iter()
            .fold(text, |text, start| text.split(&format!("\n#[cfg(test)]\n{start}")).next().unwrap_or_default());
        let lines = shipped.lines().filter(|line| !line.trim_start().starts_with("//"));
        let mut paths = Self::default();
        for statement in lines.collect::<Vec<_>>().join("\n").split(';') {
            let mut code = statement;
            for (start, _) in statement.match_indices("use ") {
                let before = statement[..start].rsplit('\n').next().unwrap_or_default().trim();
                if before.is_empty() || (before.starts_with("pub") && !before.contains(' ')) {
                    code = &statement[..start];
                    paths.add_tree(&statement[start + "use ".len()..], !before.is_empty());
                    break;
                }
            }
            let in_code = code.split(|letter: char| !letter.is_alphanumeric() && !['_', ':'].contains(&letter));
            let own = in_code.filter(|path| ["crate::", "super::"].iter().any(|start| path.starts_with(start)));
            paths.all.extend(own.map(|path| words(path.trim_end_matches(':'))));
        }
        paths
    }

    /// Adds the paths of one `use`.
    fn add_tree(&mut self, tree: &str, is_re_export: bool) {
        for path in expanded(tree) {
            let (path, name) = path.split_once(" as ").unwrap_or((&path, path.rsplit("::").next().unwrap_or_default()));
            if is_re_export {
                self.re_exported.insert(name.trim().to_owned(), words(path));
            } else {
                self.all.push(words(path));
            }
        }
    }
}

fn words(path: &str) -> Vec<String> {
    path.split("::").map(|word| word.trim().to_owned()).collect()
}

/// Returns every path of a tree such as `a::{b, c::{d, e}}`.
fn expanded(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((start, rest)) = tree.split_once('{') else { return vec![tree.to_owned()] };
    let inside = rest.strip_suffix('}').unwrap_or(rest);
    let (mut paths, mut depth, mut from) = (Vec::new(), 0, 0);
    for (index, letter) in inside.char_indices().chain([(inside.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let branch = inside[from..index].trim();
                if !branch.is_empty() {
                    paths.extend(expanded(branch).into_iter().map(|path| format!("{start}{path}")));
                }
                from = index + 1;
            }
            _ => {}
        }
    }
    paths
}

/// Returns a path from the root of the crate; `None` if it leads into another crate.
fn absolute(paths: &BTreeMap<Module, Paths>, module: &Module, path: &[String]) -> Option<Vec<String>> {
    let (first, rest) = path.split_first()?;
    match first.as_str() {
        "crate" => Some(rest.to_vec()),
        "self" => Some([module, rest].concat()),
        "super" => {
            let above = module[..module.len().checked_sub(1)?].to_vec();
            if rest.first().is_some_and(|word| word == "super") {
                return absolute(paths, &above, rest);
            }
            Some([&above, rest].concat())
        }
        _ => {
            let inside = [module, std::slice::from_ref(first)].concat();
            paths.contains_key(&inside).then(|| [module, path].concat())
        }
    }
}

/// Returns the module that has the item with this path, through at most `most` re-exports.
fn home(paths: &BTreeMap<Module, Paths>, path: &[String], most: usize) -> Module {
    let mut module = Module::new();
    for (index, word) in path.iter().enumerate() {
        let inside = [module.as_slice(), std::slice::from_ref(word)].concat();
        if paths.contains_key(&inside) {
            module = inside;
            continue;
        }
        let target = paths[&module].re_exported.get(word).and_then(|path| absolute(paths, &module, path));
        return match target.filter(|_| most > 0) {
            Some(target) => home(paths, &[&target, &path[index + 1..]].concat(), most - 1),
            None => module,
        };
    }
    module
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(path: &str) -> Module {
        words(path)
    }

    fn imported(imports: &Imports, from: &str) -> Vec<String> {
        imports[&module(from)].iter().map(|other| other.join("::")).collect()
    }

    #[test]
    fn imports_go_to_the_file_that_has_the_item() {
        let imports = imports(&[
            ("lib.rs", "mod a;\nmod b;\npub use a::One;\n"),
            ("a/mod.rs", "mod one;\nmod two;\npub use one::One;\npub(crate) use two::{self, Two};\n"),
            ("a/one.rs", "use super::two::Two;\nuse std::fmt;\n"),
            ("a/two.rs", "/// [`One`](crate::One)\nstruct Two;\n#[cfg(test)]\nmod tests {\n    use crate::b;\n}\n"),
            ("b.rs", "use crate::{One, a::{Two as Other}};\nfn b() { crate::c::d(); }\n"),
            ("c.rs", "fn d() {}\n"),
            ("c/tests.rs", "use crate::b;\n"),
        ]);
        assert_eq!(imported(&imports, "a::one"), ["a::two"]);
        assert!(imported(&imports, "a::two").is_empty());
        assert_eq!(imported(&imports, "b"), ["a::one", "a::two", "c"]);
        assert!(circles(&imports).is_empty());
        let folders = between_folders(&imports);
        assert_eq!(folders[&module("b")], BTreeSet::from([module("a"), module("c")]));
        assert!(folders[&module("a")].is_empty());
    }

    #[test]
    fn circles_are_found_with_all_their_modules() {
        let imports = imports(&[
            ("lib.rs", "mod a;\nmod b;\nmod c;\nmod d;\n"),
            ("a.rs", "use crate::b::B;\n"),
            ("b.rs", "use crate::{c::C, d::D};\n"),
            ("c.rs", "use super::a::A;\n"),
            ("d.rs", ""),
        ]);
        let [a, b, c] = ["a", "b", "c"].map(module);
        assert_eq!(circles(&imports), [BTreeSet::from([&a, &b, &c])]);
    }
}
