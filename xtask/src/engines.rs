//! Tests bonebox in other languages and engines, with the tools of each.

use anyhow::{Context as _, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xshell::{Shell, cmd};

/// `cargo xtask engines [NAME…]`: tests all engines, or the named ones.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let names: Vec<&str> = match arguments {
        [] => vec!["c", "csharp", "godot", "bevy", "rapier", "ragdoll"],
        some => some.iter().map(String::as_str).collect(),
    };
    let mut ends = Vec::new();
    for name in names {
        let skipped = match name {
            "c" => c()?,
            "csharp" => csharp()?,
            "godot" => godot()?,
            "bevy" => crate::bevy::run()?,
            "rapier" => rapier()?,
            "ragdoll" => joined(crate::ragdoll_files::run()?, crate::usd::check()?),
            other => bail!("there is no engine {other:?}; the engines are c, csharp, godot, bevy, rapier and ragdoll"),
        };
        ends.push((name, skipped));
    }
    println!();
    for (name, skipped) in ends {
        println!("engines: {name}: {}", skipped.as_deref().unwrap_or("passed"));
    }
    Ok(())
}

/// Throws ragdolls in rapier: those of `assets/`, and those of the corpus if it is there.
fn rapier() -> anyhow::Result<Skipped> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root().join("integrations/rapier"));
    cmd!(shell, "cargo test --locked").run()?;
    let corpus = crate::ignored::corpus();
    if !corpus.is_dir() {
        return Ok(Some(format!(
            "the figures of assets/ passed; SKIPPED: the corpus, {} is no folder",
            corpus.display()
        )));
    }
    cmd!(shell, "cargo test --locked --test all -- --ignored").env("BONEBOX_CORPUS", corpus).run()?;
    Ok(None)
}

/// What two tests skipped.
fn joined(first: Skipped, second: Skipped) -> Skipped {
    let all: Vec<String> = [first, second].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join("; "))
}

/// The reason why nothing was tested; `None` if the tests ran.
type Skipped = Option<String>;

/// Prints the version of a program. `None` if it is not installed.
fn version(shell: &Shell, program: &str) -> Option<String> {
    let version = cmd!(shell, "{program} --version").quiet().ignore_stderr().read().ok()?;
    let first = version.lines().next().unwrap_or_default().to_owned();
    println!("{program}: {first}");
    Some(first)
}

/// Uses the archive of `cargo xtask dist` in a CMake project: with warnings as errors, unchanged, under
/// AddressSanitizer and UndefinedBehaviorSanitizer, and under valgrind.
fn c() -> anyhow::Result<Skipped> {
    let shell = Shell::new()?;
    if version(&shell, "cmake").is_none() {
        return Ok(Some("SKIPPED: CMake is not installed (apt-get install cmake)".into()));
    }
    let (compiler, plus) = (program("CC", "cc"), program("CXX", "c++"));
    if version(&shell, &compiler).is_none() || version(&shell, &plus).is_none() {
        return Ok(Some(format!("SKIPPED: {compiler} or {plus} is not installed (apt-get install gcc g++)")));
    }
    let archive = crate::dist::c_library::build(false)?;
    let skinned = bake_skins()?;
    // Cargo adds its own folder to this variable, which contains the library of the last debug build.
    let _libraries = shell.push_env("LD_LIBRARY_PATH", archive.join("lib"));
    let root = crate::root();
    let source = root.join("integrations/c/tests/c");
    let (assets, examples) = (root.join("assets"), archive.join("examples"));
    let configure = |name: &str, flags: &str| -> anyhow::Result<_> {
        let build = root.join("target/engines").join(name);
        if build.exists() {
            fs::remove_dir_all(&build)?;
        }
        cmd!(shell, "cmake -S {source} -B {build} -DCMAKE_BUILD_TYPE=Debug")
            .arg(format!("-DCMAKE_PREFIX_PATH={}", archive.display()))
            .arg(format!("-DBONEBOX_ASSETS={}", assets.display()))
            .arg(format!("-DBONEBOX_SKINNED={}", skinned.display()))
            .arg(format!("-DBONEBOX_EXAMPLES={}", examples.display()))
            .arg(format!("-DCMAKE_C_FLAGS={flags}"))
            .arg(format!("-DCMAKE_CXX_FLAGS={flags}"))
            .run()?;
        cmd!(shell, "cmake --build {build}").run()?;
        Ok(build)
    };
    let plain = configure("c", "")?;
    cmd!(shell, "ctest --test-dir {plain} --output-on-failure").run()?;
    let sanitized = configure("c-sanitized", "-fsanitize=address,undefined -fno-sanitize-recover=all")?;
    cmd!(shell, "ctest --test-dir {sanitized} --output-on-failure").run()?;
    let mut ends = None;
    if version(&shell, "valgrind").is_some() {
        under_valgrind(&shell, &plain, &assets, &skinned)?;
    } else {
        ends = Some("passed, but SKIPPED under valgrind, which is not installed (apt-get install valgrind)".into());
    }
    pkg_config(&shell, &archive, &compiler)?;
    Ok(ends)
}

/// Bakes the characters of `assets/` with their skin and a ragdoll, and returns the folder with the files.
fn bake_skins() -> anyhow::Result<PathBuf> {
    let (root, folder) = (crate::root(), crate::root().join("target/engines/skin"));
    let assets = ["runa.glb", "bruno.glb"].map(|name| root.join("assets").join(name).display().to_string());
    fs::create_dir_all(&folder)?;
    let settings = folder.join("bonebox.toml");
    fs::write(&settings, "skin = \"lossless\"\nragdoll = true\n")?;
    let options = ["--quiet".to_owned(), format!("--settings={}", settings.display())];
    let folders = ["--out-dir".to_owned(), folder.display().to_string()];
    let arguments: Vec<String> = options.into_iter().chain(folders).chain(assets).collect();
    let ended = crate::program::run("bake", &arguments)?;
    anyhow::ensure!(ended == ExitCode::SUCCESS, "the characters could not be baked with their skin and a ragdoll");
    Ok(folder)
}

/// The value of the environment variable, or the usual program.
fn program(variable: &str, usual: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| usual.into())
}

fn under_valgrind(shell: &Shell, build: &Path, assets: &Path, skinned: &Path) -> anyhow::Result<()> {
    let (runa, bruno, skin) = (assets.join("runa.bonebox"), assets.join("bruno.bonebox"), skinned.join("runa.bonebox"));
    let options = ["--quiet", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=all"];
    for (name, other) in [
        ("touching", Some(&bruno)),
        ("failures", None),
        ("rewind", None),
        ("arena", Some(&bruno)),
        ("cpp17", Some(&skin)),
    ] {
        let program = build.join(name);
        cmd!(shell, "valgrind {options...} {program} {runa} {other...}")
            .ignore_stdout()
            .run()
            .with_context(|| format!("valgrind found an error in {name}"))?;
    }
    let program = build.join("ragdoll");
    let ran = cmd!(shell, "valgrind {options...} {program} {skin}").ignore_stdout().run();
    ran.context("valgrind found an error in ragdoll")
}

/// Uses the same archive by its pkg-config file, if pkg-config is installed.
fn pkg_config(shell: &Shell, archive: &Path, compiler: &str) -> anyhow::Result<()> {
    if version(shell, "pkg-config").is_none() {
        println!("pkg-config is not installed, so its file was not tested");
        return Ok(());
    }
    let _path = shell.push_env("PKG_CONFIG_PATH", archive.join("lib/pkgconfig"));
    let flags = cmd!(shell, "pkg-config --cflags --libs bonebox").quiet().read()?;
    let flags = flags.split_whitespace();
    let (example, program) = (archive.join("examples/touching.c"), crate::root().join("target/engines/by-pkg-config"));
    cmd!(shell, "{compiler} {example} -o {program} {flags...}").run()?;
    let assets = crate::root().join("assets");
    let (runa, bruno) = (assets.join("runa.bonebox"), assets.join("bruno.bonebox"));
    let output = cmd!(shell, "{program} {runa} {bruno}").quiet().read()?;
    anyhow::ensure!(
        output.contains("hand_l touches spine_03"),
        "the program printed {output:?}, without the line that hand_l touches spine_03"
    );
    Ok(())
}

/// Compiles and runs the C# bindings with Mono.
fn csharp() -> anyhow::Result<Skipped> {
    let shell = Shell::new()?;
    if version(&shell, "mcs").is_none() || version(&shell, "mono").is_none() {
        return Ok(Some("SKIPPED: Mono is not installed (apt-get install mono-mcs mono-runtime)".into()));
    }
    let archive = crate::dist::c_library::build(false)?;
    let root = crate::root();
    let (source, build) = (root.join("integrations/csharp"), root.join("target/engines/csharp"));
    fs::create_dir_all(&build)?;
    let program = build.join("tests.exe");
    let files = ["Bonebox.cs", "Example.cs", "Tests.cs"].map(|file| source.join(file));
    cmd!(shell, "mcs -langversion:7.2 -unsafe -warnaserror+ -warn:4 -out:{program} {files...}").run()?;
    let _libraries = shell.push_env("LD_LIBRARY_PATH", archive.join("lib"));
    let assets = root.join("assets");
    let (runa, bruno) = (assets.join("runa.bonebox"), assets.join("bruno.bonebox"));
    let layout = root.join("integrations/c/tests/layout.inc");
    let skinned = bake_skins()?.join("runa.bonebox");
    cmd!(shell, "mono {program} {runa} {bruno} {layout} {skinned}").run()?;
    Ok(None)
}

/// Loads the exports of the characters in `assets/` in Godot without a window. Every box of every clip must have the
/// run time's position, and areas must overlap when the run time's boxes do.
fn godot() -> anyhow::Result<Skipped> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    let installed = program("BONEBOX_GODOT", "godot");
    let testing = if version(&shell, &installed).is_some() {
        None
    } else {
        match crate::debian_testing::with(&shell, &["godot"], "godot")? {
            Ok(root) => Some(root),
            Err(skipped) => return Ok(Some(skipped)),
        }
    };
    let exports = crate::root().join("target/engines/godot");
    let arguments = [exports.display().to_string(), "assets".into()];
    crate::codegen::run_program("export-readers", &arguments)?;
    for file in ["project.godot", "check.gd"] {
        fs::copy(crate::root().join("checks/export-readers/godot").join(file), exports.join(file))?;
    }
    let options = ["--headless", "--fixed-fps", "30", "--script", "res://check.gd", "--path"];
    let Some(root) = testing else {
        cmd!(shell, "{installed} {options...} {exports}").run()?;
        return Ok(None);
    };
    let inside = root.join("srv/bonebox");
    if inside.exists() {
        fs::remove_dir_all(&inside)?;
    }
    fs::create_dir_all(&inside)?;
    for entry in fs::read_dir(&exports)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), inside.join(entry.file_name()))?;
        }
    }
    cmd!(shell, "chroot {root} godot {options...} /srv/bonebox").run()?;
    Ok(None)
}
