//! Lock files of the other workspaces, which must know the dependencies of our crates.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Checks that a lock file of another workspace lists, for each of our crates in it, the dependencies that the crate always has.
/// `cargo build --locked` would fail otherwise.
pub(super) fn check(file: &str, text: &str, packages: &[&Value], breaches: &mut Vec<String>) {
    let ours: BTreeMap<&str, BTreeSet<&str>> =
        packages.iter().filter_map(|package| Some((package["name"].as_str()?, always_needed(package)))).collect();
    for entry in text.split("[[package]]").skip(1) {
        let quoted: Vec<&str> = entry.split('"').skip(1).step_by(2).collect();
        // Packages from elsewhere have a source.
        let Some(needed) = quoted.first().and_then(|name| ours.get(name)).filter(|_| !entry.contains("\nsource = "))
        else {
            continue;
        };
        let listed: BTreeSet<&str> = quoted.iter().skip(1).filter_map(|one| one.split(' ').next()).collect();
        for missing in needed.difference(&listed) {
            breaches.push(format!(
                "{file} does not know that {} needs {missing}: run `cargo metadata` in the folder of the file",
                quoted[0]
            ));
        }
    }
}

/// The dependencies that no feature, no target and no test asks for.
fn always_needed(package: &Value) -> BTreeSet<&str> {
    let all = package["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter()
        .filter(|one| one["kind"].is_null() && one["target"].is_null() && one["optional"] == false)
        .filter_map(|one| one["name"].as_str())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_new_dependency_is_missed() {
        let dependency =
            |name: &str, kind: Option<&str>| json!({ "name": name, "kind": kind, "target": null, "optional": false });
        let package = json!({ "name": "bonebox-hull", "dependencies": [dependency("glam", None), dependency("insta", Some("dev"))] });
        let lock =
            |inner: &str| format!("version = 4\n\n[[package]]\nname = \"bonebox-hull\"\nversion = \"0.1.0\"\n{inner}");
        let breaches = |inner: &str| {
            let mut breaches = Vec::new();
            check("fuzz/Cargo.lock", &lock(inner), &[&package], &mut breaches);
            breaches
        };
        assert_eq!(breaches("dependencies = [\n \"glam 0.32.1\",\n]\n"), Vec::<String>::new());
        assert_eq!(breaches("source = \"registry\"\n"), Vec::<String>::new());
        let missed = breaches("dependencies = [\n \"libm\",\n]\n");
        assert_eq!(missed.len(), 1);
        assert!(missed[0].contains("fuzz/Cargo.lock") && missed[0].contains("needs glam"), "{missed:?}");
    }
}
