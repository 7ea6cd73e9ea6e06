//! Checks that imports of the page of `bonebox view` point one way, between its files and between its folders.
//!
//! Imports of types count too: files that name each other's types cannot be read or changed one at a time.

use super::links::resolve;
use std::collections::{BTreeMap, BTreeSet};

/// The folder of the page's sources.
pub(super) const FOLDER: &str = "apps/viewer/src/";

/// Names with the names that each imports.
type Arrows = BTreeMap<String, BTreeSet<String>>;

/// Adds a breach for a circle of files, and for a circle of folders. `sources` has the text of each TypeScript file by
/// its path in the project.
pub(super) fn check(sources: &BTreeMap<String, String>, breaches: &mut Vec<String>) {
    let (mut files, mut folders) = (Arrows::new(), Arrows::new());
    for (file, text) in sources {
        for import in text.lines().filter_map(imported) {
            let target = format!("{}.ts", resolve(file, import));
            let (from, to) = (folder(file), folder(&target));
            if from != to {
                folders.entry(from.to_owned()).or_default().insert(to.to_owned());
            }
            files.entry(file.clone()).or_default().insert(target);
        }
    }
    for (what, arrows) in [("files", files), ("folders", folders)] {
        if let Some(circle) = circle(arrows) {
            let names: Vec<&str> = circle.iter().map(|name| name.trim_start_matches(FOLDER)).collect();
            breaches.push(format!(
                "{FOLDER}: these {what} import each other in a circle: {}. Imports must point one way; move what both \
                 sides need into a file that both import",
                names.join(" -> ")
            ));
        }
    }
}

/// The file that a line imports, as the line names it; `None` if the line imports no file of the page.
fn imported(line: &str) -> Option<&str> {
    let is_import = line.starts_with("import ") || line.contains(" from ");
    let path = line.split(['\'', '"']).nth_back(1)?;
    (is_import && path.starts_with('.')).then_some(path)
}

/// The folder of a file below [`FOLDER`]. A file that lies in `FOLDER` itself is a folder of its own.
fn folder(file: &str) -> &str {
    let below = file.trim_start_matches(FOLDER);
    below.split_once('/').map_or(below, |(folder, _)| folder)
}

/// A circle of arrows, with its first name again at its end; `None` if there is none.
fn circle(mut arrows: Arrows) -> Option<Vec<String>> {
    // A name that leads to no other of the names is in no circle.
    loop {
        let left: BTreeSet<String> = arrows.keys().cloned().collect();
        arrows.retain(|_, targets| {
            targets.retain(|target| left.contains(target));
            !targets.is_empty()
        });
        if arrows.len() == left.len() {
            break;
        }
    }
    // Every name that is left leads to another, so a walk comes back to a name that it has passed.
    let mut walk = vec![arrows.keys().next()?.clone()];
    loop {
        let next = arrows[walk.last()?].first()?.clone();
        let passed = walk.iter().position(|name| *name == next);
        walk.push(next);
        if let Some(start) = passed {
            return Some(walk.split_off(start));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FOLDER, check};

    fn breaches(sources: &[(&str, &str)]) -> Vec<String> {
        let sources = sources.iter().map(|(file, text)| (format!("{FOLDER}{file}"), (*text).to_owned())).collect();
        let mut breaches = Vec::new();
        check(&sources, &mut breaches);
        breaches
    }

    #[test]
    fn imports_that_point_one_way_are_right() {
        let found = breaches(&[
            ("main.ts", "import './style.css';\nimport { App } from './app/app';\nimport * as THREE from 'three';\n"),
            ("app/app.ts", "import type { A } from './a';\nimport {\n  b,\n} from '../data/b';\n"),
            ("app/a.ts", "import { b } from '../data/b';\nexport { c } from \"../data/c\";\n"),
            ("data/b.ts", "import { c } from './c';\nconst notAnImport = '../app/app';\n"),
            ("data/c.ts", ""),
        ]);
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn a_circle_of_files_is_found_and_named() {
        let circle = |last: &str| {
            breaches(&[
                ("app/a.ts", "import { b } from './b';\n"),
                ("app/b.ts", "import { d } from '../data/d';\nimport {\n  c,\n} from './c';\n"),
                ("app/c.ts", last),
                ("data/d.ts", ""),
            ])
        };
        assert!(circle("").is_empty());
        for last in ["import type { B } from './b';\n", "export { b } from \"./b\";\n"] {
            let found = circle(last);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].contains("these files import each other in a circle: app/b.ts -> app/c.ts -> app/b.ts."));
        }
    }

    #[test]
    fn a_circle_of_folders_is_found_without_a_circle_of_files() {
        let found = breaches(&[
            ("panel/a.ts", "import type { B } from '../app/b';\n"),
            ("app/b.ts", ""),
            ("app/c.ts", "import { d } from '../panel/d';\n"),
            ("panel/d.ts", ""),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("these folders import each other in a circle: app -> panel -> app."), "{found:?}");
    }
}
