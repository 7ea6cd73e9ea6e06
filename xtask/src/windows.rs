//! Tests the program, the test suites and the C library for Windows: MinGW links them, and Wine runs them.

use anyhow::{Context as _, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

const TARGET: &str = "x86_64-pc-windows-gnu";
const LINKER: &str = "x86_64-w64-mingw32-gcc";
const LINKER_CPP: &str = "x86_64-w64-mingw32-g++";

/// A library of Windows 8 and newer that Wine 8 lacks; see its source.
const RANDOM: &str = "bcryptprimitives";

/// The programs that must be installed, each with its Debian package.
const TOOLS: [(&str, &str); 2] = [(LINKER, "gcc-mingw-w64-x86-64"), ("wine", "wine wine64")];

/// Packages whose tests run.
const SUITES: [&str; 8] = [
    "bonebox-hull",
    "bonebox-baked-format",
    "bonebox-skinned-model",
    "bonebox-bone-fit",
    "bonebox-runtime",
    "bonebox-bake-settings",
    "bonebox-asset-bake",
    "bonebox-cli",
];

/// Tests of bone-fit that take Wine too long: whole bakes with many options. The program's own tests bake too.
const LEFT_OUT: [&str; 2] = ["all_sample_times::", "promise::"];

/// `cargo xtask windows [SUITE…]`: bakes `assets/` and compares the bytes, runs the C programs, and runs all test
/// suites or only the named ones. Names are those of packages, with or without `bonebox-`.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    for name in arguments {
        let known = SUITES.iter().any(|suite| is_named(suite, name));
        ensure!(known, "there is no suite {name:?}; the suites are {}", SUITES.join(", "));
    }
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    if let Some(skipped) = lacks(&shell)? {
        println!("SKIPPED: {skipped}");
        return Ok(());
    }
    shell.set_var("INSTA_UPDATE", "no");
    // Without this variable insta starts cargo, which a Windows program cannot do under Wine.
    shell.set_var("INSTA_WORKSPACE_ROOT", crate::root());
    shell.set_var("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", LINKER);
    shell.set_var("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", "wine");
    set_up_wine(&shell)?;

    cmd!(shell, "cargo build --target {TARGET} --package bonebox-cli").run()?;
    bake_assets(&shell)?;
    let skipped = c_programs(&shell)?;
    let is_asked = |suite: &&str| arguments.is_empty() || arguments.iter().any(|name| is_named(suite, name));
    let suites: Vec<&str> = SUITES.into_iter().filter(is_asked).collect();
    // All packages are built by one command, because two commands would build shared dependencies twice with different
    // features.
    let packages = suites.iter().flat_map(|suite| ["--package", suite]);
    let left_out = LEFT_OUT.iter().flat_map(|name| ["--skip", name]);
    let tests = ["--lib", "--bins", "--tests", "--no-fail-fast"];
    cmd!(shell, "cargo test --quiet --target {TARGET} {packages...} {tests...} -- {left_out...}")
        .env("PROPTEST_CASES", "32")
        .run()?;
    println!("\nwindows: the program bakes assets/ to the same bytes");
    println!("windows: C programs: {}", skipped.as_deref().unwrap_or("passed"));
    println!("windows: test suites that passed: {}", suites.join(", "));
    Ok(())
}

fn is_named(suite: &str, name: &str) -> bool {
    suite == name || suite.strip_prefix("bonebox-") == Some(name)
}

/// Returns the programs that this machine lacks. Prints the versions of the others.
fn lacks(shell: &Shell) -> anyhow::Result<Option<String>> {
    for (tool, package) in TOOLS {
        let Ok(version) = cmd!(shell, "{tool} --version").quiet().ignore_stderr().read() else {
            return Ok(Some(format!("{tool} is not installed (apt-get install {package})")));
        };
        println!("{tool}: {}", version.lines().next().unwrap_or_default());
    }
    println!("{}", cmd!(shell, "rustc --version").quiet().read()?);
    let added = cmd!(shell, "rustup target add {TARGET}").quiet().ignore_stderr().run().is_ok();
    Ok((!added).then(|| format!("rustup cannot add the standard library for {TARGET}")))
}

/// Makes the folder that Wine uses as a disk, and adds the library that Wine 8 lacks. From then on, `wine` in this shell uses
/// the folder.
pub(crate) fn set_up_wine(shell: &Shell) -> anyhow::Result<()> {
    // A Wine prefix of its own leaves the user's prefix alone. Wine's messages about missing features are switched off.
    let prefix = crate::root().join("target/windows/prefix");
    shell.set_var("WINEPREFIX", &prefix);
    shell.set_var("WINEDEBUG", "-all");
    let system = prefix.join("drive_c/windows/system32");
    if !system.is_dir() {
        fs::create_dir_all(&prefix)?;
        cmd!(shell, "wineboot --init").ignore_stderr().run().context("Wine cannot make its folder")?;
    }
    let library = system.join(format!("{RANDOM}.dll"));
    if !library.exists() {
        let source = format!("xtask/windows/{RANDOM}.c");
        cmd!(shell, "{LINKER} -Wall -Wextra -Werror -O1 -shared -o {library} {source} -ladvapi32").run()?;
    }
    Ok(())
}

/// Bakes the characters with the program, and compares the bytes with the checked-in files.
fn bake_assets(shell: &Shell) -> anyhow::Result<()> {
    let assets = crate::root().join("assets");
    let out = crate::root().join("target/windows/assets");
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    let program = crate::root().join(format!("target/{TARGET}/debug/bonebox.exe"));
    cmd!(shell, "wine {program} --version").run()?;
    cmd!(shell, "wine {program} bake assets --force -o target\\windows\\assets").run()?;
    cmd!(shell, "wine {program} bake .\\assets --check --quiet").run()?;
    let mut compared = 0;
    for entry in fs::read_dir(&out)? {
        let path = entry?.path();
        let checked_in = assets.join(path.file_name().context("a file name")?);
        ensure!(fs::read(&path)? == fs::read(&checked_in)?, "{} differs from {}", path.display(), checked_in.display());
        compared += 1;
    }
    ensure!(compared == 6, "{compared} files were baked, not 6");
    Ok(())
}

/// Builds the C library as a DLL, and runs the C programs of its tests with it. The C++ programs run only if a C++ compiler
/// is installed; otherwise the function returns a sentence that says so.
fn c_programs(shell: &Shell) -> anyhow::Result<Option<String>> {
    cmd!(shell, "cargo build --target {TARGET} --package bonebox-c").run()?;
    let built = crate::root().join(format!("target/{TARGET}/debug"));
    let folder = crate::root().join("target/windows/c");
    fs::create_dir_all(&folder)?;
    fs::copy(built.join("bonebox_c.dll"), folder.join("bonebox_c.dll"))?;
    let program = |source: &str, compiler: &str, options: &[&str]| -> anyhow::Result<PathBuf> {
        let source = Path::new("integrations/c").join(source);
        let name = source.file_stem().context("a file name")?.to_string_lossy().into_owned();
        let program = folder.join(format!("{name}.exe"));
        cmd!(shell, "{compiler} -Wall -Wextra -Wpedantic -Werror {options...} -I integrations/c/include {source}")
            .args([Path::new("-o"), &program])
            // The import library is beside the DLL.
            .arg(built.join("libbonebox_c.dll.a"))
            .run()?;
        Ok(program)
    };
    let c = ["-std=c11"];
    let layout = program("tests/c/layout.c", LINKER, &c)?;
    cmd!(shell, "wine {layout}").run()?;
    let failures = program("tests/c/failures.c", LINKER, &c)?;
    cmd!(shell, "wine {failures} assets\\runa.bonebox").run()?;
    let touching = program("examples/touching.c", LINKER, &c)?;
    let printed = cmd!(shell, "wine {touching} assets\\runa.bonebox assets/bruno.bonebox").read()?;
    ensure!(printed.contains("hand_l touches spine_03"), "touching.c printed {printed:?}");
    if cmd!(shell, "{LINKER_CPP} --version").quiet().ignore_stdout().ignore_stderr().run().is_err() {
        return Ok(Some(format!(
            "passed in C, but SKIPPED in C++: {LINKER_CPP} is not installed (apt-get install g++-mingw-w64-x86-64)"
        )));
    }
    let options = ["-std=c++17", "-static-libgcc", "-static-libstdc++"];
    let cpp = program("tests/c/cpp.cpp", LINKER_CPP, &options)?;
    cmd!(shell, "wine {cpp} assets\\runa.bonebox").run()?;
    let arena = program("examples/arena.cpp", LINKER_CPP, &options)?;
    let printed = cmd!(shell, "wine {arena} assets\\runa.bonebox assets\\bruno.bonebox").read()?;
    ensure!(printed.contains("shot hits body 20"), "arena.cpp printed {printed:?}");
    Ok(None)
}
