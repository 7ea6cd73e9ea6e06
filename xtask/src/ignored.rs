//! Runs the ignored tests, which need something that a machine may lack.

use anyhow::{Context as _, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Something that a test may need.
struct Need {
    /// Its name on the command line.
    name: &'static str,
    /// The module of such tests, which is a part of their full names.
    module: &'static str,
    /// The attribute of such tests. The number of these lines in the sources is the number of tests that must run.
    mark: &'static str,
    /// Returns why this machine cannot run the tests, or `None` if it can.
    lacks: fn() -> Option<String>,
}

const NEEDS: [Need; 4] = [
    Need {
        name: "corpus",
        module: "corpus::",
        mark: "#[ignore = \"needs the corpus of real characters: cargo xtask ignored corpus\"]",
        lacks: || {
            let corpus = corpus();
            (!corpus.is_dir()).then(|| format!("there is no corpus of real characters at {}", corpus.display()))
        },
    },
    Need {
        name: "mount",
        module: "needs_mount::",
        mark: "#[ignore = \"needs the right to mount a file system: cargo xtask ignored mount\"]",
        lacks: || (!can_mount()).then(|| "this user may not mount a file system".to_owned()),
    },
    Need {
        name: "git",
        module: "needs_git::",
        mark: "#[ignore = \"needs git: cargo xtask ignored git\"]",
        lacks: || (!runs("git", &["--version"])).then(|| "git is not installed".to_owned()),
    },
    Need {
        name: "shells",
        module: "needs_shells::",
        mark: "#[ignore = \"needs bash, zsh and fish: cargo xtask ignored shells\"]",
        lacks: || {
            let missing = ["bash", "zsh", "fish"].into_iter().find(|shell| !runs(shell, &["--version"]));
            missing.map(|shell| format!("{shell} is not installed"))
        },
    },
];

/// `cargo xtask ignored [NAME…]`: runs all tests that this machine can run. If names are given, a missing requirement
/// is an error.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    for name in arguments {
        let names = NEEDS.map(|need| need.name).join(", ");
        ensure!(
            NEEDS.iter().any(|need| need.name == name),
            "there are no tests with the name {name:?}; the names are {names}"
        );
    }
    let sources = sources()?;
    let mut chosen = Vec::new();
    for need in &NEEDS {
        let marked = marked(&sources, need.mark)?;
        ensure!(marked > 0, "no test is marked with {}", need.mark);
        let named = arguments.iter().any(|name| name == need.name);
        match (need.lacks)() {
            None if named || arguments.is_empty() => chosen.push((need, marked)),
            Some(reason) if named => anyhow::bail!("{reason}; CONTRIBUTING.md says what to do"),
            Some(reason) if arguments.is_empty() => println!("left out {marked} tests, because {reason}"),
            _ => {}
        }
    }
    if chosen.is_empty() {
        return Ok(());
    }
    let text = tested(&chosen)?;
    for (need, marked) in chosen {
        let run = passed(&text, need.module);
        ensure!(
            run == marked,
            "{run} tests in modules named {:?} passed, but the sources mark {marked} tests with {}",
            need.module.trim_end_matches(':'),
            need.mark
        );
        println!("{}: {run} tests passed", need.name);
    }
    Ok(())
}

/// Runs the tests, prints the output of the test programs, and returns it.
fn tested(chosen: &[(&Need, usize)]) -> anyhow::Result<String> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        // Tests the whole workspace, as in the README's command, so that nothing is built again with other features.
        .args(["test", "--workspace", "--tests", "--", "--ignored"])
        .args(chosen.iter().map(|(need, _)| need.module))
        .current_dir(crate::root())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .output()
        .context("cargo does not start")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let empty =
        |line: &str| line.is_empty() || line == "running 0 tests" || line.starts_with("test result: ok. 0 passed");
    text.lines().filter(|line| !empty(line)).for_each(|line| println!("{line}"));
    ensure!(output.status.success(), "ignored tests failed");
    Ok(text)
}

/// The folder of the corpus, found in the same way as the package `corpus` in `testing/` finds it.
pub(crate) fn corpus() -> PathBuf {
    std::env::var_os("BONEBOX_CORPUS").map_or_else(|| crate::root().join("../shared/corpus"), PathBuf::from)
}

fn runs(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn can_mount() -> bool {
    let folder = std::env::temp_dir().join(format!("bonebox-mount-{}", std::process::id()));
    let at = folder.display().to_string();
    let mounted = std::fs::create_dir(&folder).is_ok() && runs("mount", &["-t", "tmpfs", "tmpfs", &at]);
    if mounted {
        runs("umount", &[&at]);
    }
    // The folder is empty, so it does no harm if it cannot be removed.
    let _ = std::fs::remove_dir(&folder);
    mounted
}

/// The texts of all Rust files that may contain tests.
fn sources() -> anyhow::Result<Vec<String>> {
    let mut files = Vec::new();
    for folder in ["apps", "checks", "crates", "testing"] {
        rust_files(&crate::root().join(folder), &mut files)?;
    }
    files.iter().map(|file| std::fs::read_to_string(file).with_context(|| file.display().to_string())).collect()
}

/// All Rust files in a folder and its subfolders, except build folders.
fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            let name = path.file_name().unwrap_or_default();
            if name != "target" && name != "node_modules" {
                rust_files(&path, found)?;
            }
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    Ok(())
}

fn marked(sources: &[String], mark: &str) -> anyhow::Result<usize> {
    Ok(sources.iter().flat_map(|text| text.lines()).filter(|line| line.trim() == mark).count())
}

/// The number of tests in such modules that passed, over all test programs.
fn passed(text: &str, module: &str) -> usize {
    let passed = text.lines().filter(|line| line.starts_with("test ") && line.ends_with(" ... ok"));
    passed.filter(|line| line.contains(module)).count()
}

#[cfg(test)]
mod tests {
    use super::{NEEDS, marked, passed, sources};

    #[test]
    fn passed_tests_of_a_module_are_counted() {
        let text = "running 2 tests\ntest corpus::bakes::all ... ok\ntest faults::needs_mount::full ... ok\n\
                    test corpus::pairs::each ... FAILED\ntest result: FAILED. 2 passed; 1 failed\n";
        assert_eq!([passed(text, "corpus::"), passed(text, "needs_mount::")], [1, 1]);
    }

    #[test]
    fn every_ignored_test_says_what_it_needs() {
        let sources = sources().expect("the sources of the workspace");
        let known: usize = NEEDS.iter().map(|need| marked(&sources, need.mark).expect("a count")).sum();
        let lines = sources.iter().flat_map(|text| text.lines()).map(str::trim);
        // Other tasks also run ignored tests. The reason of each test names the task.
        let other_task = |line: &str| line.contains(": cargo xtask ") && !line.contains(": cargo xtask ignored ");
        let marks = lines.filter(|line| line.starts_with("#[ignore") && !other_task(line));
        assert_eq!(marks.count(), known, "an ignored test has a reason that `cargo xtask ignored` does not know");
    }
}
