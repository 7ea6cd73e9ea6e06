//! The archives of the program: one file that runs without installing anything, for Linux and for Windows.

use super::licenses;
use anyhow::{Context as _, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

/// A system that the program is built for.
struct System {
    target: &'static str,
    /// The name in the archive's name.
    name: &'static str,
    program: &'static str,
}

const LINUX: System = System { target: "x86_64-unknown-linux-gnu", name: "linux-x86_64", program: "bonebox" };
const WINDOWS: System = System { target: "x86_64-pc-windows-gnu", name: "windows-x86_64", program: "bonebox.exe" };

/// The linker of MinGW.
const MINGW: &str = "x86_64-w64-mingw32-gcc";

/// Builds, tests and packs the program for each system that this machine can build for. Adds a reason for each other system.
pub(super) fn pack(archives: &mut Vec<PathBuf>, skipped: &mut Vec<String>) -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    if super::host(&shell)? == LINUX.target {
        // The C library is inside the program, so that the program runs on every Linux.
        let folder = build(&shell, &LINUX, "-Ctarget-feature=+crt-static")?;
        run_alone(&shell, &folder.join(LINUX.program), skipped)?;
        archives.push(super::tar(&folder)?);
    } else {
        skipped.push(format!("the program for Linux is built on {} only", LINUX.target));
    }
    if let Some(reason) = lacks_for_windows(&shell) {
        skipped.push(format!("the program for Windows: {reason}"));
        return Ok(());
    }
    let folder = build(&shell, &WINDOWS, "")?;
    run_in_wine(&shell, &folder, skipped)?;
    archives.push(zip(&shell, &folder)?);
    Ok(())
}

/// Builds the program and returns a folder with it and the licenses.
fn build(shell: &Shell, system: &System, flags: &str) -> anyhow::Result<PathBuf> {
    let System { target, name, program } = system;
    {
        // Tables of lines would make the program larger, and nobody debugs it.
        let _debug = shell.push_env("CARGO_PROFILE_RELEASE_DEBUG", "false");
        let _strip = shell.push_env("CARGO_PROFILE_RELEASE_STRIP", "true");
        let _linker = shell.push_env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", MINGW);
        let _flags = shell.push_env("RUSTFLAGS", flags);
        cmd!(shell, "cargo build --release --package bonebox-cli --target {target} --target-dir target/program")
            .run()?;
    }
    let folder = crate::root().join("target/dist").join(format!("bonebox-{}-{name}", super::version()?));
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let built = crate::root().join(format!("target/program/{target}/release/{program}"));
    super::copy(&built, &folder.join(program))?;
    for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
        super::copy(&crate::root().join(license), &folder.join(license))?;
    }
    fs::write(folder.join("LICENSES-LIBRARIES.txt"), licenses::of_package(shell, "bonebox-cli", target)?)?;
    fs::write(
        folder.join("README.txt"),
        "bonebox fits hitboxes to skinned glTF characters. Put this program anywhere, and start it in a terminal:\n\n\
         bonebox view FOLDER      shows the characters of a folder in the browser\n\
         bonebox bake FILE.glb    writes FILE.bonebox for the game\n\
         bonebox help             lists all commands\n",
    )?;
    Ok(folder)
}

/// Runs the program in a folder that has nothing but the program and a character. Without the right to do so, it runs in the
/// normal file system.
fn run_alone(shell: &Shell, program: &Path, skipped: &mut Vec<String>) -> anyhow::Result<()> {
    let empty = crate::root().join("target/dist/empty");
    if empty.exists() {
        fs::remove_dir_all(&empty)?;
    }
    fs::create_dir_all(empty.join("out"))?;
    super::copy(program, &empty.join("bonebox"))?;
    let assets = crate::root().join("assets");
    // The settings of `assets/` name its other characters too, so they are beside it.
    for name in ["runa.glb", "bruno.glb", "hound.glb", "bonebox.toml"] {
        super::copy(&assets.join(name), &empty.join(name))?;
    }
    let is_root = cmd!(shell, "id --user").quiet().ignore_stderr().read().is_ok_and(|id| id.trim() == "0");
    if is_root {
        cmd!(shell, "chroot {empty} /bonebox bake /runa.glb --out-dir /out").run()?;
        cmd!(shell, "chroot {empty} /bonebox report /runa.glb -o /out/report.html").run()?;
    } else {
        skipped.push("the program for Linux was not tried in an empty root, which needs root".into());
        let _folder = shell.push_dir(&empty);
        cmd!(shell, "./bonebox bake runa.glb --out-dir out").run()?;
        cmd!(shell, "./bonebox report runa.glb -o out/report.html").run()?;
    }
    same_bake(&empty.join("out"), &assets)
}

/// Checks that the program baked what is checked in, and wrote a report with the page.
fn same_bake(out: &Path, assets: &Path) -> anyhow::Result<()> {
    let [baked, checked_in] = [out, assets].map(|folder| fs::read(folder.join("runa.bonebox")));
    ensure!(baked? == checked_in?, "the packed program bakes other bytes than those of assets/runa.bonebox");
    let report = fs::read_to_string(out.join("report.html"))?;
    ensure!(report.contains("<title>bonebox</title>"), "the packed program wrote a report without the page");
    Ok(())
}

/// The reason why this machine cannot build for Windows.
fn lacks_for_windows(shell: &Shell) -> Option<String> {
    for (tool, package) in [(MINGW, "gcc-mingw-w64-x86-64"), ("zip", "zip")] {
        if cmd!(shell, "{tool} --version").quiet().ignore_stdout().ignore_stderr().run().is_err() {
            return Some(format!("{tool} is not installed (apt-get install {package})"));
        }
    }
    let target = WINDOWS.target;
    let added = cmd!(shell, "rustup target add {target}").quiet().ignore_stderr().run().is_ok();
    (!added).then(|| format!("rustup cannot add the standard library for {target}"))
}

/// Runs the program in Wine if it is installed.
fn run_in_wine(shell: &Shell, folder: &Path, skipped: &mut Vec<String>) -> anyhow::Result<()> {
    if cmd!(shell, "wine --version").quiet().ignore_stdout().ignore_stderr().run().is_err() {
        skipped.push("the program for Windows was not run: Wine is not installed (apt-get install wine wine64)".into());
        return Ok(());
    }
    crate::windows::set_up_wine(shell)?;
    let out = crate::root().join("target/dist/wine");
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    fs::create_dir_all(&out)?;
    let program = folder.join(WINDOWS.program);
    cmd!(shell, "wine {program} bake assets\\runa.glb --force --out-dir target\\dist\\wine").run()?;
    cmd!(shell, "wine {program} report assets\\runa.glb -o target\\dist\\wine\\report.html").run()?;
    same_bake(&out, &crate::root().join("assets"))
}

/// Packs a folder as a .zip file beside it, which every Windows opens.
fn zip(shell: &Shell, folder: &Path) -> anyhow::Result<PathBuf> {
    let (parent, name) = (folder.parent().context("a parent")?, folder.file_name().context("a name")?);
    let archive = parent.join(format!("{}.zip", name.to_string_lossy()));
    if archive.exists() {
        fs::remove_file(&archive)?;
    }
    let _parent = shell.push_dir(parent);
    cmd!(shell, "zip --quiet --recurse-paths {archive} {name}").run()?;
    Ok(archive)
}
