//! Tests the packages as a registry would have them: cargo packs each package, and a project outside the workspace
//! builds with them.

use anyhow::Context as _;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

/// The source of the README's program, which the workspace builds as an example of `bonebox`.
const PROGRAM: &str = "crates/bonebox/examples/touching.rs";

/// `cargo xtask package`: packs every package that would be published. Then it builds and runs the README's program in
/// a project that depends on the packed `bonebox`, and checks that the project builds with all features.
pub(crate) fn run() -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    let packages = published(&shell)?;
    let named = packages.iter().flat_map(|package| ["--package", &package.name]);
    // Changes that are not committed are packed too, because this command does not publish the packages. It writes no lock
    // file: to write one, cargo would look up the packages in the registry, which may not have them.
    cmd!(shell, "cargo package --quiet --no-verify --allow-dirty --exclude-lockfile {named...}").run()?;

    let consumer = crate::root().join("target/package/consumer");
    if consumer.exists() {
        fs::remove_dir_all(&consumer).context("cannot remove the project of an earlier run")?;
    }
    fs::create_dir_all(consumer.join("src"))?;
    let mut manifest = String::from(
        "[package]\nname = \"consumer\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         bonebox = \"0.1.0\"\nbonebox-cli = { version = \"0.1.0\", optional = true }\n\n[features]\n\
         all = [\"bonebox/bake\", \"bonebox/fbx\", \"bonebox/mocap\", \"bonebox/ragdoll\", \"bonebox/rewind\", \"bonebox/strikes\", \"bonebox/rayon\", \"bonebox/serde\", \"dep:bonebox-cli\"]\n\n[patch.crates-io]\n",
    );
    for Package { name, version, .. } in &packages {
        let archive = crate::root().join(format!("target/package/{name}-{version}.crate"));
        // All files in a package have the same old date, so cargo would not notice that they changed since an earlier
        // run.
        cmd!(shell, "tar --touch --extract --gzip --file {archive} --directory {consumer}").quiet().run()?;
        writeln!(manifest, "{name} = {{ path = \"{name}-{version}\" }}")?;
    }
    fs::write(consumer.join("Cargo.toml"), manifest)?;
    // The project uses the workspace's versions of other crates, so that no newer version is downloaded.
    fs::copy(crate::root().join("Cargo.lock"), consumer.join("Cargo.lock"))?;
    fs::copy(crate::root().join(PROGRAM), consumer.join("src/main.rs"))?;

    let manifest = consumer.join("Cargo.toml");
    let target = crate::root().join("target/package/build");
    let in_project = ["--quiet", "--manifest-path", path(&manifest)?, "--target-dir", path(&target)?];
    let printed = cmd!(shell, "cargo run {in_project...}").read()?;
    anyhow::ensure!(
        printed.contains("hand_l overlaps spine_03"),
        "the README's program, built with the packages, did not print that hand_l overlaps spine_03:\n{printed}"
    );
    cmd!(shell, "cargo check {in_project...} --features all").run()?;
    println!("{} packages; the README's program runs with them", packages.len());
    Ok(())
}

/// A package that would be published.
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// The folder of its manifest.
    pub(crate) folder: PathBuf,
    /// The name of its library in `use`.
    pub(crate) library: String,
}

/// The packages that take `publish` from the workspace.
pub(crate) fn published(shell: &Shell) -> anyhow::Result<Vec<Package>> {
    let metadata = cmd!(shell, "cargo metadata --no-deps --format-version 1").quiet().read()?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let mut packages = Vec::new();
    for package in metadata["packages"].as_array().context("cargo metadata: packages")? {
        let text = |value: &Value| value.as_str().map(str::to_owned).context("cargo metadata: a text");
        let manifest = PathBuf::from(text(&package["manifest_path"])?);
        if fs::read_to_string(&manifest)?.contains("publish.workspace = true") {
            let targets = package["targets"].as_array().context("cargo metadata: targets")?;
            let library =
                targets.iter().find(|target| target["kind"][0] == "lib").context("a package without library")?;
            packages.push(Package {
                name: text(&package["name"])?,
                version: text(&package["version"])?,
                folder: manifest.parent().context("a manifest without folder")?.to_owned(),
                library: text(&library["name"])?,
            });
        }
    }
    anyhow::ensure!(!packages.is_empty(), "no package would be published");
    Ok(packages)
}

fn path(path: &Path) -> anyhow::Result<&str> {
    path.to_str().with_context(|| format!("{} is not UTF-8", path.display()))
}
