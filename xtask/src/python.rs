//! Builds the Python wheel, installs it into a fresh environment, and tests it there.

use anyhow::Context as _;
use std::fs;
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

/// The tools that run in the environment of the tests.
const TEST_TOOLS: [&str; 3] = ["pytest", "mypy", "matplotlib"];

/// The number of loads of the test for leaks, with `--long`.
const MANY_LOADS: &str = "100000";

/// `cargo xtask python [--long] [--wheel]`.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let (mut is_long, mut only_wheel) = (false, false);
    for argument in arguments {
        match argument.as_str() {
            "--long" => is_long = true,
            "--wheel" => only_wheel = true,
            other => anyhow::bail!("there is no argument {other:?}; the arguments are --long and --wheel"),
        }
    }
    let shell = Shell::new()?;
    let Some((python, wheel)) = build(&shell)?.filter(|_| !only_wheel) else { return Ok(()) };
    let environment = fresh_environment(&shell, &python, &folder().join("env"))?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    let installed = cmd!(shell, "{environment} {pip...} {wheel} {TEST_TOOLS...}").run();
    if installed.is_err() {
        println!("SKIPPED: pip cannot install numpy, {}; the wheel was built but not tested", TEST_TOOLS.join(", "));
        return Ok(());
    }
    test(&shell, &environment, is_long)?;
    println!("python: passed");
    Ok(())
}

/// Builds the wheel. `None` if a tool is missing; the reason is printed.
pub(crate) fn built_wheel() -> anyhow::Result<Option<PathBuf>> {
    Ok(build(&Shell::new()?)?.map(|(_, wheel)| wheel))
}

fn folder() -> PathBuf {
    crate::root().join("target/python")
}

/// The Python that the wheel is for, and the wheel.
fn build(shell: &Shell) -> anyhow::Result<Option<(PathBuf, PathBuf)>> {
    let Some(python) = python(shell) else {
        println!(
            "SKIPPED: found no Python 3.9 or newer. Install python3 with its module venv, or name another one with BONEBOX_PYTHON"
        );
        return Ok(None);
    };
    fs::create_dir_all(folder())?;
    let Some(wheel) = wheel(shell, &python, &folder())? else { return Ok(None) };
    let size = fs::metadata(&wheel)?.len();
    println!("python: {} has {:.1} MB", wheel.display(), size as f64 / 1e6);
    Ok(Some((python, wheel)))
}

/// A Python of version 3.9 or newer that can make environments.
fn python(shell: &Shell) -> Option<PathBuf> {
    let named = std::env::var_os("BONEBOX_PYTHON").map(PathBuf::from);
    let check = "import sys, venv, ensurepip; assert sys.version_info >= (3, 9); print(sys.version)";
    named.into_iter().chain(["python3".into(), "python".into()]).find(|python| {
        let version = cmd!(shell, "{python} -c {check}").quiet().ignore_stderr().read();
        version.inspect(|version| println!("{}: {}", python.display(), version.replace('\n', " "))).is_ok()
    })
}

/// Builds the wheel with maturin, in an environment of its own. `None` if maturin cannot be had.
fn wheel(shell: &Shell, python: &Path, folder: &Path) -> anyhow::Result<Option<PathBuf>> {
    let tools = folder.join("tools");
    let maturin = in_environment(&tools, "maturin");
    if !maturin.exists() {
        let environment = fresh_environment(shell, python, &tools)?;
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        if cmd!(shell, "{environment} {pip...} maturin>=1.16,<2").run().is_err() {
            println!("SKIPPED: pip cannot install maturin, which builds the wheel");
            return Ok(None);
        }
    }
    println!("{}", cmd!(shell, "{maturin} --version").quiet().read()?);
    let wheels = folder.join("wheels");
    if wheels.exists() {
        fs::remove_dir_all(&wheels)?;
    }
    let manifest = crate::root().join("integrations/python/Cargo.toml");
    // A wheel of the stable ABI fits every Python from 3.9 on, but a free-threaded Python needs its own.
    let is_free =
        cmd!(shell, "{python} -c 'import sysconfig, sys; sys.exit(not sysconfig.get_config_var(\"Py_GIL_DISABLED\"))'")
            .quiet()
            .ignore_stderr()
            .run()
            .is_ok();
    let features: &[&str] = if is_free { &["--no-default-features"] } else { &[] };
    cmd!(
        shell,
        "{maturin} build --release --locked --interpreter {python} --manifest-path {manifest} --out {wheels} {features...}"
    )
    .run()?;
    let built = fs::read_dir(&wheels)?.next().context("maturin wrote no wheel")??;
    Ok(Some(built.path()))
}

/// Makes an environment without packages, and returns its Python.
fn fresh_environment(shell: &Shell, python: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    cmd!(shell, "{python} -m venv {folder}").run()?;
    Ok(in_environment(folder, "python"))
}

fn in_environment(folder: &Path, program: &str) -> PathBuf {
    if cfg!(windows) { folder.join("Scripts").join(format!("{program}.exe")) } else { folder.join("bin").join(program) }
}

/// Runs the tests with the program of the workspace, so that two builds of the Rust code are compared.
fn test(shell: &Shell, python: &Path, is_long: bool) -> anyhow::Result<()> {
    let root = crate::root();
    let manifest = root.join("Cargo.toml");
    cmd!(shell, "cargo build --quiet --manifest-path {manifest} --package bonebox-cli").run()?;
    let program = root.join("target/debug").join(if cfg!(windows) { "bonebox.exe" } else { "bonebox" });
    shell.change_dir(root.join("integrations/python"));
    let mut tests = cmd!(shell, "{python} -m pytest -q").env("BONEBOX_PROGRAM", program);
    if is_long {
        tests = tests.env("BONEBOX_LOADS", MANY_LOADS);
    }
    tests.run()?;
    cmd!(shell, "{python} scripts/stub_docs.py --check").run()?;
    cmd!(shell, "{python} -m mypy --strict tests examples scripts").run()?;
    // The compiled module has no stub of its own: the stub of the package is for its items.
    cmd!(shell, "{python} -m mypy.stubtest bonebox --allowlist scripts/stubtest_allowlist.txt").run()?;
    Ok(())
}
