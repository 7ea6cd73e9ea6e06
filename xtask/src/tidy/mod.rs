//! Checks rules that the compiler does not check: imports between crates, and what tracked files may contain.

mod import_circles;
mod layout;
mod line_ends;
pub(crate) mod links;
mod lock_files;
mod module_graph;
mod module_order;
mod platform_math;
mod words;

use anyhow::Context as _;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use xshell::{Shell, cmd};

/// `cargo xtask tidy`: prints every breach and fails if there is any.
pub(crate) fn run() -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    let metadata = cmd!(shell, "cargo metadata --no-deps --format-version 1").quiet().read()?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let files = tracked_files(&shell)?;

    let mut breaches = Vec::new();
    if !files.is_empty() {
        line_ends::check(&cmd!(shell, "git ls-files --eol").quiet().read()?, &mut breaches);
    }
    arrows(&metadata, &mut breaches)?;
    manifests(&metadata, &mut breaches)?;
    for file in files.iter().filter(|file| file.ends_with("/Cargo.lock")) {
        let text = fs::read_to_string(crate::root().join(file))?;
        lock_files::check(file, &text, &packages(&metadata), &mut breaches);
    }
    sources(&files, &mut breaches)?;
    modules(&files, &mut breaches)?;
    crate::page::check_sources(&mut breaches)?;
    for breach in &breaches {
        eprintln!("tidy: {breach}");
    }
    anyhow::ensure!(breaches.is_empty(), "{} breach(es)", breaches.len());
    Ok(())
}

/// The tracked files. Outside a checkout the list is empty, because a tarball has no commits.
pub(crate) fn tracked_files(shell: &Shell) -> anyhow::Result<Vec<String>> {
    if !crate::root().join(".git").exists() {
        return Ok(Vec::new());
    }
    Ok(cmd!(shell, "git ls-files").quiet().read()?.lines().map(str::to_owned).collect())
}

/// Compares the imports with the table in ARCHITECTURE.md: `| crate | job | may import |`.
fn arrows(metadata: &Value, breaches: &mut Vec<String>) -> anyhow::Result<()> {
    let text = fs::read_to_string(crate::root().join("ARCHITECTURE.md")).context("ARCHITECTURE.md")?;
    let mut allowed: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if let [name, _job, imports] = cells[..] {
            let imports = imports.split('`').skip(1).step_by(2).collect();
            allowed.insert(name.trim_matches('`'), imports);
        }
    }
    let packages = packages(metadata);
    let ours: BTreeMap<&str, &str> = packages.iter().map(|package| (name(package), word(package))).collect();
    for package in packages.iter().filter(|package| folder(package).starts_with("crates/")) {
        let Some(allowed) = allowed.remove(word(package)) else {
            breaches.push(format!("{} is not in ARCHITECTURE.md's table of crates", word(package)));
            continue;
        };
        let imported: BTreeSet<&str> =
            imports(package).into_iter().filter_map(|import| ours.get(import).copied()).collect();
        for import in imported.difference(&allowed) {
            breaches.push(format!("{} imports {import}, which ARCHITECTURE.md does not list for it", word(package)));
        }
        for import in allowed.difference(&imported) {
            breaches.push(format!("ARCHITECTURE.md lists {import} for {}, which does not import it", word(package)));
        }
    }
    breaches.extend(allowed.keys().map(|name| format!("ARCHITECTURE.md lists {name}, which is not in crates/")));
    Ok(())
}

/// The places for unsafe code: SIMD, and the code that planus generates, whose unsafe half the reader never calls.
const UNSAFE_MODULES: [&str; 2] = ["crates/runtime/src/kernels", "crates/baked-format/src/generated.rs"];

/// Checks that every manifest takes lints and version from the workspace. A library is named after its folder, and so
/// is a package, with the prefix `bonebox-` if other projects may add it.
fn manifests(metadata: &Value, breaches: &mut Vec<String>) -> anyhow::Result<()> {
    for package in packages(metadata) {
        let folder = folder(package);
        let manifest = fs::read_to_string(crate::root().join(folder).join("Cargo.toml"))?;
        let is_published = folder.starts_with("crates/") || folder.starts_with("apps/");
        let publish = if is_published { "publish.workspace = true" } else { "publish = false" };
        for needed in ["[lints]\nworkspace = true", publish, "rust-version.workspace = true"] {
            if !manifest.contains(needed) {
                breaches.push(format!("{folder}/Cargo.toml lacks {needed:?}"));
            }
        }
        // Packages that other projects may add have the project's name, so that their names are unique.
        let has_prefix = ["crates/", "integrations/"].iter().any(|parent| folder.starts_with(parent));
        let word = word(package);
        let expected = if has_prefix && word != "bonebox" { format!("bonebox-{word}") } else { word.to_owned() };
        if expected != name(package) {
            breaches.push(format!("{folder} holds the package {}, not {expected}", name(package)));
        }
        let imported = format!("[lib]\nname = \"{}\"", word.replace('-', "_"));
        if folder.starts_with("crates/") && expected != word && !manifest.contains(&imported) {
            breaches.push(format!("{folder}/Cargo.toml lacks {imported:?}: a folder's name is the name in `use`"));
        }
        let library = crate::root().join(folder).join("src/lib.rs");
        if folder.starts_with("crates/") {
            let fences = if UNSAFE_MODULES.iter().any(|module| module.starts_with(folder)) { "deny" } else { "forbid" };
            let library = fs::read_to_string(library)?;
            if !library.contains(&format!("#![{fences}(unsafe_code)]")) {
                breaches.push(format!("{folder}/src/lib.rs lacks #![{fences}(unsafe_code)]"));
            }
            let has_readme = crate::root().join(folder).join("README.md").is_file();
            layout::check_front_page(word, &library, has_readme, breaches);
        }
    }
    Ok(())
}

/// Checks the content of all tracked files.
fn sources(files: &[String], breaches: &mut Vec<String>) -> anyhow::Result<()> {
    let names: BTreeSet<&str> = files.iter().map(String::as_str).collect();
    let unfinished =
        [concat!("to", "do!("), concat!("unimple", "mented!("), concat!("FIX", "ME"), concat!("d", "bg!(")];
    let mut page = BTreeMap::new();
    for file in files {
        if file.ends_with(".snap.new") || file.ends_with(".pending-snap") {
            breaches.push(format!("{file}: this snapshot was not reviewed"));
        }
        let path = crate::root().join(file);
        let Ok(size) = fs::metadata(&path).map(|metadata| metadata.len()) else { continue };
        if size > 3 << 20 {
            breaches.push(format!("{file} is larger than 3 MiB"));
        }
        let is_of_page = file.starts_with(import_circles::FOLDER) && file.ends_with(".ts");
        if !is_of_page && !file.ends_with(".rs") && !file.ends_with(".md") {
            continue;
        }
        let text = fs::read_to_string(&path).with_context(|| file.clone())?;
        if is_of_page {
            page.insert(file.clone(), text);
            continue;
        }
        words::check(file, &text, breaches);
        if !file.ends_with(".rs") {
            links::check(file, &text, &names, breaches);
            continue;
        }
        layout::check_file(file, &text, breaches);
        platform_math::check(file, &text, breaches);
        for word in unfinished {
            if text.contains(word) {
                breaches.push(format!("{file} contains {word}"));
            }
        }
        let fenced = UNSAFE_MODULES.iter().any(|module| file.starts_with(module));
        if file.starts_with("crates/") && text.contains("unsafe {") && !fenced {
            breaches.push(format!("{file}: unsafe code outside {}", UNSAFE_MODULES.join(" and ")));
        }
    }
    import_circles::check(&page, breaches);
    Ok(())
}

/// Checks the imports between the modules of each crate in `crates/`.
fn modules(files: &[String], breaches: &mut Vec<String>) -> anyhow::Result<()> {
    let architecture = fs::read_to_string(crate::root().join("ARCHITECTURE.md")).context("ARCHITECTURE.md")?;
    let sources = files.iter().filter(|file| file.starts_with("crates/") && file.ends_with(".rs"));
    let with_text = sources.map(|file| Ok((file.clone(), fs::read_to_string(crate::root().join(file))?)));
    module_order::check(&with_text.collect::<anyhow::Result<Vec<_>>>()?, &architecture, breaches);
    Ok(())
}

fn packages(metadata: &Value) -> Vec<&Value> {
    metadata["packages"].as_array().map(|packages| packages.iter().collect()).unwrap_or_default()
}

fn name(package: &Value) -> &str {
    package["name"].as_str().unwrap_or_default()
}

/// The package's folder relative to the workspace, with forward slashes.
fn folder(package: &Value) -> &str {
    let manifest = package["manifest_path"].as_str().unwrap_or_default();
    let root = crate::root().to_str().unwrap_or_default();
    manifest
        .trim_start_matches(root)
        .trim_start_matches(['/', '\\'])
        .trim_end_matches("Cargo.toml")
        .trim_end_matches(['/', '\\'])
}

/// The last part of the package's folder. With underscores for hyphens, it is the name in `use`.
fn word(package: &Value) -> &str {
    folder(package).rsplit('/').next().unwrap_or_default()
}

/// The dependencies of the shipped code, without those of tests.
fn imports(package: &Value) -> Vec<&str> {
    let dependencies = package["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default();
    let shipped = dependencies.iter().filter(|dependency| dependency["kind"].as_str() != Some("dev"));
    shipped.filter_map(|dependency| dependency["name"].as_str()).collect()
}
