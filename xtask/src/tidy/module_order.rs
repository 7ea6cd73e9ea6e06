//! Checks the imports between the modules of each crate: their order, and that there are no circles.

use super::module_graph::{Imports, Module, between_folders, circles, imports};
use std::collections::{BTreeMap, BTreeSet};

/// The imports that close circles today, as crate, module and imported module. Remove an import here as soon as the code
/// can do without it, and add none.
const KNOWN: [(&str, &str, &str); 7] = [
    ("baked-format", "character", "hitbox_hull"),
    ("geometry-core", "convex/solid", "convex/posed_hull"),
    ("geometry-core", "sat_obb_obb", "axis_lanes"),
    ("geometry-core", "serde_parts", "obb"),
    ("geometry-core", "serde_parts", "plane/obb2"),
    ("geometry-core", "serde_parts", "shapes"),
    ("geometry-core", "triangle/closest", "triangle/touching_point"),
];

/// What ARCHITECTURE.md calls the list of a crate's modules. It stands in the crate's own section.
const ORDER: &str = "**Order of modules:**";

/// Adds a breach for each circle, and for each import against the order that ARCHITECTURE.md gives for a crate.
/// `files` has the path and the text of each Rust file in `crates/`.
pub(super) fn check(files: &[(String, String)], architecture: &str, breaches: &mut Vec<String>) {
    let mut crates: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for (path, text) in files {
        let place = path.strip_prefix("crates/").and_then(|path| path.split_once("/src/"));
        if let Some((name, file)) = place {
            crates.entry(name).or_default().push((file, text));
        }
    }
    let mut orders = orders(architecture);
    for (name, files) in crates {
        let mut imports = imports(&files);
        for (_, from, to) in KNOWN.iter().filter(|(known, ..)| *known == name) {
            if !imports.get_mut(&path(from)).is_some_and(|imported| imported.remove(&path(to))) {
                breaches.push(format!(
                    "crates/{name}/src/{from} does not import from {to} any more: remove this from module_order.rs"
                ));
            }
        }
        let folders = between_folders(&imports);
        let found: BTreeSet<String> =
            [&imports, &folders].into_iter().flat_map(circles).map(|circle| listed(&circle)).collect();
        breaches.extend(
            found.iter().map(|circle| format!("crates/{name}/src: these modules import from each other: {circle}")),
        );
        if let Some(order) = orders.remove(name) {
            check_order(name, &folders, &order, breaches);
        }
    }
    breaches.extend(
        orders.keys().map(|name| format!("ARCHITECTURE.md orders the modules of {name}, which is not in crates/")),
    );
}

fn path(module: &str) -> Module {
    module.split('/').map(str::to_owned).collect()
}

fn listed(circle: &BTreeSet<&Module>) -> String {
    let path = |module: &Module| if module.is_empty() { "lib.rs".to_owned() } else { module.join("/") };
    circle.iter().map(|module| path(module)).collect::<Vec<_>>().join(", ")
}

/// Reads the order of modules of each crate that has one.
fn orders(architecture: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut orders = BTreeMap::new();
    for section in architecture.split("\n### ").skip(1) {
        let name = section.split('`').nth(1).and_then(|path| path.strip_prefix("crates/"));
        let list = section.split_once(ORDER).and_then(|(_, list)| list.split("\n\n").next());
        if let (Some(name), Some(list)) = (name, list) {
            orders.insert(name, list.split('`').skip(1).step_by(2).collect());
        }
    }
    orders
}

fn check_order(name: &str, folders: &Imports, order: &[&str], breaches: &mut Vec<String>) {
    let rank = |module: &Module| order.iter().position(|other| *other == module[0]);
    for (module, imported) in folders {
        let Some(own) = rank(module) else {
            breaches.push(format!("crates/{name}/src/{}: ARCHITECTURE.md's order of modules lacks it", module[0]));
            continue;
        };
        for other in imported.iter().filter(|other| rank(other).is_some_and(|other| other > own)) {
            breaches.push(format!(
                "crates/{name}/src/{} imports from {}, which comes later in ARCHITECTURE.md's order of modules",
                module[0], other[0]
            ));
        }
    }
    let is_gone = |module: &&&str| !folders.keys().any(|folder| folder[0] == **module);
    breaches.extend(
        order.iter().filter(is_gone).map(|module| {
            format!("ARCHITECTURE.md's order of modules has {module}, which is not in crates/{name}/src")
        }),
    );
}

#[cfg(test)]
mod tests {
    fn breaches(order: &str, b: &str) -> Vec<String> {
        let file = |path: &str, text: &str| (format!("crates/skeleton/src/{path}"), text.to_owned());
        let files = [file("lib.rs", "mod a;\nmod b;\n"), file("a.rs", "use crate::b::B;\n"), file("b.rs", b)];
        let mut breaches = Vec::new();
        super::check(&files, &format!("# A\n\n### `crates/skeleton`\n\n{order}\n\n`c`\n"), &mut breaches);
        breaches
    }

    #[test]
    fn modules_import_from_earlier_ones_and_in_no_circle() {
        assert!(breaches("", "").is_empty());
        assert!(breaches("**Order of modules:** `b` → `a`.", "").is_empty());
        let found = breaches("**Order of modules:** `a` → `b`.", "");
        assert!(
            found[0].starts_with("crates/skeleton/src/a imports from b, which comes later") && found.len() == 1,
            "{found:?}"
        );
        assert_eq!(breaches("**Order of modules:** `b`, `c`.", "").len(), 2);
        let circles = breaches("", "use super::a::A;\n");
        assert_eq!(circles, ["crates/skeleton/src: these modules import from each other: a, b"]);
    }
}
