//! Tests the Bevy plugin, which has its own workspace, without a window. The parts that the machine's compiler is too old
//! for are built with the compiler of Debian testing.

use anyhow::Context as _;
use std::fs;
use std::path::Path;
use xshell::{Shell, cmd};

/// The Rust version that the shader compiler of Bevy's glTF loader needs. The crate `bevy`, which avian and rapier
/// depend on, declares it too, but avian and rapier build with an older version.
const NEWER: (u32, u32, u32) = (1, 97, 1);

/// The duel of the plugin's example, as the program's arguments.
const DUEL: [&str; 10] =
    ["--clip-a", "roundhouse_kick", "--clip-b", "guard", "--fps", "60", "--seconds", "1.98334", "--distance", "1"];

/// Tests the plugin. Returns what was skipped and why; `None` if nothing was skipped.
pub(crate) fn run() -> anyhow::Result<Option<String>> {
    let shell = Shell::new()?;
    let root = crate::root();
    shell.change_dir(root.join("integrations/bevy"));
    let installed = rust_version(&cmd!(shell, "rustc --version").quiet().read()?)?;
    let least = minimum(&shell)?;
    if installed < least {
        let (major, minor, _) = least;
        return Ok(Some(format!("SKIPPED: bevy_bonebox needs Rust {major}.{minor} (rustup update)")));
    }
    print_versions(&shell)?;

    let expected = shell.read_file("tests/duel.jsonl")?;
    let (runa, bruno) = (root.join("assets/runa.bonebox"), root.join("assets/bruno.bonebox"));
    let manifest = root.join("Cargo.toml");
    let duel = cmd!(
        shell,
        "cargo run --quiet --manifest-path {manifest} -p bonebox-cli -- duel {runa} {bruno} {DUEL...} --json"
    )
    .read()?;
    anyhow::ensure!(
        duel.trim_end() == expected.trim_end(),
        "integrations/bevy/tests/duel.jsonl differs from the output of `bonebox duel {}`; write that output into the file",
        DUEL.join(" ")
    );

    cmd!(shell, "cargo test --locked --features bake,debug,rayon").run()?;
    // The physics engines depend on the crate `bevy`, which declares a newer compiler than the parts of `bevy` that are
    // built here need.
    let lenient = (installed < NEWER).then_some("--ignore-rust-version");
    if lenient.is_some() {
        println!("avian and rapier: built with --ignore-rust-version, because the crate `bevy` declares Rust 1.97.1");
    }
    let engines = cmd!(shell, "cargo test --locked {lenient...} --features avian,rapier,ragdoll,bake");
    engines.args(["--lib", "--test", "all", "--", "physics::", "ragdoll"]).run()?;
    // Each engine alone, and the ragdolls of a game that has an engine of its own.
    for features in ["ragdoll", "avian,ragdoll", "rapier,ragdoll"] {
        cmd!(shell, "cargo check --locked {lenient...} --features {features}").run()?;
    }
    let gltf = "cargo test --locked --features gltf-tests --test all beside::";
    if installed >= NEWER {
        let arguments = gltf.split_whitespace().skip(1);
        cmd!(shell, "cargo {arguments...}").run()?;
        return Ok(None);
    }
    match crate::debian_testing::with(&shell, &["rustc"], "rustc")? {
        Ok(testing) => {
            let compiler = compiler_of(&shell, &testing)?;
            let version = cmd!(shell, "{compiler} --version").quiet().read()?;
            println!("rustc of Debian testing: {version}");
            if rust_version(&version)? < NEWER {
                return Ok(Some(format!("passed, but SKIPPED gltf: Debian testing has {version}")));
            }
            // Another compiler built the usual target folder, so this build has its own.
            let target = root.join("integrations/bevy/target/testing");
            let arguments = gltf.split_whitespace().skip(1);
            cmd!(shell, "cargo {arguments...}").env("RUSTC", compiler).env("CARGO_TARGET_DIR", target).run()?;
            Ok(None)
        }
        Err(why) => Ok(Some(format!("passed, but SKIPPED gltf, which needs Rust 1.97.1: {why}"))),
    }
}

/// The `rust-version` of the plugin.
fn minimum(shell: &Shell) -> anyhow::Result<(u32, u32, u32)> {
    let manifest = shell.read_file("Cargo.toml")?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("rust-version = "));
    rust_version(&format!("rustc {}", line.context("no rust-version")?.trim_matches('"')))
}

/// `(1, 95, 0)` of `rustc 1.95.0 (...)`.
fn rust_version(text: &str) -> anyhow::Result<(u32, u32, u32)> {
    let version = text.split_whitespace().nth(1).with_context(|| format!("{text:?} has no version"))?;
    let release = version.split('-').next().unwrap_or(version);
    let mut numbers = release.split('.').map(str::parse);
    let mut next = || numbers.next().unwrap_or(Ok(0)).with_context(|| format!("{text:?} has no version"));
    Ok((next()?, next()?, next()?))
}

/// Prints what is tested.
fn print_versions(shell: &Shell) -> anyhow::Result<()> {
    println!("{}", cmd!(shell, "rustc --version").quiet().read()?);
    let lock = shell.read_file("Cargo.lock")?;
    let mut name = "";
    for line in lock.lines() {
        if let Some(found) = line.strip_prefix("name = ") {
            name = found.trim_matches('"');
        } else if let Some(version) = line.strip_prefix("version = ")
            && ["bevy_ecs", "bevy_gltf", "avian3d", "bevy_rapier3d"].contains(&name)
        {
            println!("{name}: {}", version.trim_matches('"'));
        }
    }
    Ok(())
}

/// Writes a script that runs the compiler of a Debian testing root from outside the root, with the root's C library.
/// Returns the path of the script.
fn compiler_of(shell: &Shell, root: &Path) -> anyhow::Result<std::path::PathBuf> {
    let folder = crate::root().join("target/engines");
    fs::create_dir_all(&folder)?;
    let script = folder.join("rustc-of-debian-testing");
    let root = fs::canonicalize(root)?;
    let root = root.display();
    let libraries = format!("{root}/usr/lib/x86_64-linux-gnu:{root}/lib/x86_64-linux-gnu");
    fs::write(
        &script,
        format!(
            "#!/bin/sh\nexec '{root}/lib64/ld-linux-x86-64.so.2' --library-path '{libraries}' '{root}/usr/bin/rustc' \
             --sysroot '{root}/usr' \"$@\"\n"
        ),
    )?;
    cmd!(shell, "chmod +x {script}").quiet().run()?;
    Ok(script)
}
