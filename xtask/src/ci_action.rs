//! Runs the script of the GitHub action in a made-up repository, with the variables that GitHub sets.

use anyhow::{Context as _, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use xshell::{Shell, cmd};

/// What a run of the script left.
struct Ran {
    code: i32,
    /// Standard error.
    said: String,
    summary: String,
    outputs: String,
    findings: String,
}

/// A repository on a made-up server, and checkouts of it as GitHub makes them.
struct Repository {
    folder: PathBuf,
    bonebox: PathBuf,
}

/// Tests the script for a pull request, a forgotten bake, pushes and a missing program. The runner of GitHub is not tested.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    ensure!(arguments.is_empty(), "ci-action takes no arguments");
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    for program in ["git", "bash"] {
        if cmd!(shell, "{program} --version").quiet().ignore_stderr().read().is_err() {
            println!("SKIPPED: the script of the action, because {program} is not installed");
            return Ok(());
        }
    }
    if cmd!(shell, "shellcheck --version").quiet().ignore_stderr().read().is_ok() {
        cmd!(shell, "shellcheck integrations/ci/check-hitboxes.sh").run()?;
    } else {
        println!("SKIPPED: shellcheck, because it is not installed (Debian: apt-get install shellcheck)");
    }
    println!("SKIPPED: action.yml itself, because only GitHub can run it; its steps upload what the script writes");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    cmd!(shell, "{cargo} build --package bonebox-cli").run()?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| crate::root().join("target"), PathBuf::from);
    let bonebox = target.join("debug").join(format!("bonebox{}", std::env::consts::EXE_SUFFIX));
    let repository = Repository::new(target.join("ci-action"), bonebox)?;

    let checkout = repository.shallow_clone("changed")?;
    let ran = repository
        .script(&checkout, &[("GITHUB_BASE_REF", "main"), ("BONEBOX_PICTURES_URL", "https://example.com")])?;
    ran.expect(
        "a pull request with new bakes",
        0,
        &["3 characters: 1 changed, 2 unchanged", "![before](<https://example.com/"],
    )?;
    ensure!(ran.outputs.contains("results=bonebox-results\nbase="), "{}", ran.outputs);
    ensure!(!ran.findings.contains("\"level\": \"error\""), "{}", ran.findings);
    let results = checkout.join("bonebox-results");
    ensure!(results.join("library/index.html").is_file() && results.join("findings.xml").is_file(), "no page");
    ensure!(fs::read_dir(results.join("pictures"))?.count() == 2, "a picture before and one after");

    let checkout = repository.shallow_clone("forgotten")?;
    let ran = repository.script(&checkout, &[("GITHUB_BASE_REF", "main")])?;
    ran.expect("a pull request without new bakes", 1, &["**The check failed:**", "1 changed"])?;
    ensure!(ran.findings.contains("\"ruleId\": \"failed\""), "{}", ran.findings);
    ensure!(ran.said.contains("SKIPPED: pictures in the summary"), "{}", ran.said);

    let checkout = repository.shallow_clone("limited")?;
    let ran = repository.script(&checkout, &[("GITHUB_BASE_REF", "main")])?;
    ran.expect("a broken limit", 1, &["**breaks 1 limit**", "assets/bonebox.toml:"])?;
    ensure!(ran.findings.contains("\"ruleId\": \"limit/most_escape\""), "{}", ran.findings);

    let checkout = repository.shallow_clone("changed")?;
    let event = repository.folder.join("event.json");
    let main = cmd!(shell, "git ls-remote").arg(repository.address()).arg("refs/heads/main").quiet().read()?;
    let before = main.split_whitespace().next().context("the branch main")?;
    let event_path = event.display().to_string();
    fs::write(&event, format!("{{\n  \"after\": \"x\",\n  \"before\": \"{before}\"\n}}\n"))?;
    let ran = repository.script(&checkout, &[("GITHUB_EVENT_PATH", &event_path)])?;
    ran.expect("a push", 0, &["1 changed"])?;
    fs::write(&event, format!("{{\n  \"before\": \"{}\"\n}}\n", "0".repeat(40)))?;
    let ran = repository.script(&checkout, &[("GITHUB_EVENT_PATH", &event_path)])?;
    ran.expect("a new branch", 0, &["There is no base to compare with."])?;
    ensure!(ran.said.contains("SKIPPED: the comparison with a base"), "{}", ran.said);

    let ran = repository.script(&checkout, &[("BONEBOX_BASE", "no-such-branch")])?;
    ran.expect("a base that does not exist", 2, &[])?;
    ensure!(ran.said.contains("error: the base no-such-branch does not exist"), "{}", ran.said);
    let ran = repository.script(&checkout, &[("BONEBOX", "no-such-program")])?;
    ran.expect("a missing program", 2, &[])?;
    ensure!(ran.said.contains("error: the program no-such-program was not found"), "{}", ran.said);
    println!("ci-action: the script of the action passed its tests");
    Ok(())
}

impl Repository {
    /// Makes a repository with the characters of `assets/` on the branch `main`, and branches with changes.
    fn new(folder: PathBuf, bonebox: PathBuf) -> anyhow::Result<Self> {
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let (work, assets) = (folder.join("work"), folder.join("work/assets"));
        fs::create_dir_all(&assets)?;
        for file in fs::read_dir(crate::root().join("assets"))? {
            let file = file?;
            if file.file_type()?.is_file() {
                fs::copy(file.path(), assets.join(file.file_name()))?;
            }
        }
        fs::write(work.join(".gitattributes"), "* -text\n")?;
        let repository = Self { folder, bonebox };
        let shell = Shell::new()?;
        shell.change_dir(&work);
        let git = |arguments: &[&str]| -> anyhow::Result<()> {
            let who = ["-c", "user.name=test", "-c", "user.email=test@example.com"];
            Ok(cmd!(shell, "git {who...} {arguments...}").quiet().ignore_stdout().ignore_stderr().run()?)
        };
        let address = repository.address();
        cmd!(shell, "git init --quiet --bare").arg(repository.folder.join("origin.git")).quiet().run()?;
        git(&["init", "--quiet", "--initial-branch=main"])?;
        let commit = |branch: &str| {
            git(&["add", "--all"])?;
            git(&["commit", "--quiet", "--message", branch])?;
            git(&["push", &address, &format!("HEAD:refs/heads/{branch}")])
        };
        commit("main")?;
        let settings = assets.join("bonebox.toml");
        let text = fs::read_to_string(&settings)?;
        fs::write(&settings, format!("{text}\n[characters.bruno]\nmargin = 0.02\n"))?;
        commit("forgotten")?;
        let bonebox = &repository.bonebox;
        cmd!(shell, "{bonebox} bake assets --quiet").quiet().run()?;
        commit("changed")?;
        fs::write(
            &settings,
            format!("{text}\n[characters.bruno]\nmargin = 0.02\n[characters.hound.limits]\nmost_escape = 0.001\n"),
        )?;
        commit("limited")?;
        Ok(repository)
    }

    fn address(&self) -> String {
        format!("file://{}", self.folder.join("origin.git").display())
    }

    /// A clone of one commit, as `actions/checkout` makes it.
    fn shallow_clone(&self, branch: &str) -> anyhow::Result<PathBuf> {
        let shell = Shell::new()?;
        let (address, checkout) = (self.address(), self.folder.join(format!("checkout-{branch}")));
        if checkout.exists() {
            fs::remove_dir_all(&checkout)?;
        }
        cmd!(shell, "git clone --quiet --depth=1 --branch {branch} {address} {checkout}").quiet().run()?;
        Ok(checkout)
    }

    fn script(&self, checkout: &Path, variables: &[(&str, &str)]) -> anyhow::Result<Ran> {
        let [summary, outputs] = ["summary.md", "outputs"].map(|name| self.folder.join(name));
        for file in [&summary, &outputs] {
            fs::write(file, "")?;
        }
        let mut bash = Command::new("bash");
        bash.arg(crate::root().join("integrations/ci/check-hitboxes.sh")).current_dir(checkout);
        for unset in [
            "GITHUB_BASE_REF",
            "GITHUB_EVENT_PATH",
            "BONEBOX_BASE",
            "BONEBOX_OUT",
            "BONEBOX_BAKED",
            "BONEBOX_PICTURES_URL",
        ] {
            bash.env_remove(unset);
        }
        bash.env("BONEBOX", &self.bonebox).env("BONEBOX_PATHS", "assets").env("GITHUB_ACTIONS", "true");
        bash.env("GITHUB_STEP_SUMMARY", &summary).env("GITHUB_OUTPUT", &outputs).envs(variables.iter().copied());
        let output = bash.output().context("bash does not start")?;
        let findings = fs::read_to_string(checkout.join("bonebox-results/findings.sarif")).unwrap_or_default();
        Ok(Ran {
            code: output.status.code().unwrap_or(-1),
            said: String::from_utf8_lossy(&output.stderr).into_owned(),
            summary: fs::read_to_string(summary)?,
            outputs: fs::read_to_string(outputs)?,
            findings,
        })
    }
}

impl Ran {
    fn expect(&self, what: &str, code: i32, words: &[&str]) -> anyhow::Result<()> {
        let Self { said, summary, .. } = self;
        ensure!(self.code == code, "{what}: the exit code is {}, but expected {code}\n{said}\n{summary}", self.code);
        for word in words {
            ensure!(summary.contains(word), "{what}: the summary lacks {word:?}\n{said}\n{summary}");
        }
        println!("{what}: exit code {code}");
        Ok(())
    }
}
