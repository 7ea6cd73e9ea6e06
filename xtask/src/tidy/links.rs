//! Checks the links between the pages of the project.

use crate::markdown;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// Adds a breach for each link of a tracked Markdown file to a file or a heading that does not exist.
pub(super) fn check(file: &str, text: &str, files: &BTreeSet<&str>, breaches: &mut Vec<String>) {
    for link in markdown::links(text) {
        let destination = link.destination.as_str();
        if destination.contains("://") || destination.starts_with("mailto:") {
            continue;
        }
        let (path, heading) = destination.split_once('#').unwrap_or((destination, ""));
        let target = if path.is_empty() { file.to_owned() } else { resolve(file, path) };
        let folder = format!("{target}/");
        let is_there = files.contains(target.as_str()) || files.iter().any(|file| file.starts_with(&folder));
        if !is_there {
            breaches.push(format!("{file}:{}: the link {destination:?} leads to no tracked file", link.line));
            continue;
        }
        if heading.is_empty() || !target.ends_with(".md") {
            continue;
        }
        let page = std::fs::read_to_string(crate::root().join(&target)).unwrap_or_default();
        if !markdown::anchors(&page).contains(heading) {
            breaches.push(format!("{file}:{}: {target} has no heading for the link {destination:?}", link.line));
        }
    }
}

/// The path that a link in a file means, relative to the root and with forward slashes.
pub(crate) fn resolve(file: &str, path: &str) -> String {
    let mut target: PathBuf = Path::new(file).parent().map(Path::to_path_buf).unwrap_or_default();
    for component in Path::new(path).components() {
        match component {
            Component::ParentDir => {
                target.pop();
            }
            Component::Normal(name) => target.push(name),
            _ => {}
        }
    }
    target.iter().map(|name| name.to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::{check, resolve};
    use std::collections::BTreeSet;

    #[test]
    fn links_lead_somewhere() {
        let files = BTreeSet::from(["docs/a.md", "docs/pictures/b.png", "ARCHITECTURE.md"]);
        let text = "# One\n[a](a.md) [b](pictures/b.png) [c](../ARCHITECTURE.md) [d](pictures) [e](https://e.example) [f](g.md)\n";
        let mut breaches = Vec::new();
        check("docs/x.md", text, &files, &mut breaches);
        assert_eq!(breaches, ["docs/x.md:2: the link \"g.md\" leads to no tracked file"]);
        let mut breaches = Vec::new();
        check("ARCHITECTURE.md", "[a](#glossary) [b](#no-such-heading)", &files, &mut breaches);
        assert_eq!(breaches.len(), 1, "{breaches:?}");
    }

    #[test]
    fn paths_are_resolved_from_the_file() {
        assert_eq!(resolve("docs/benchmarks/a.md", "../../crates/b.rs"), "crates/b.rs");
    }
}
