//! Builds the examples of `integrations/build-systems` with their own tools, and builds again after changes.

use anyhow::Context as _;
use std::collections::BTreeMap;
use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// A build system: its name, the program that must be installed, and its commands. Each command is one line for a shell.
struct System {
    name: &'static str,
    program: &'static str,
    /// Makes the build files; empty if there is nothing to make.
    configure: &'static str,
    build: &'static str,
    /// The folder with the outputs.
    out: &'static str,
}

const SYSTEMS: [System; 6] = [
    System { name: "make", program: "make", configure: "", build: "make", out: "build/hitboxes" },
    System { name: "ninja", program: "ninja", configure: "", build: "ninja", out: "build/hitboxes" },
    System {
        name: "cmake",
        program: "cmake",
        configure: "cmake -S . -B build-make -G \"Unix Makefiles\"",
        build: "cmake --build build-make",
        out: "build-make/hitboxes",
    },
    System {
        name: "cmake",
        program: "ninja",
        configure: "cmake -S . -B build-ninja -G Ninja",
        build: "cmake --build build-ninja",
        out: "build-ninja/hitboxes",
    },
    System { name: "bazel", program: "bazel", configure: "", build: "bazel build //:all", out: "bazel-bin" },
    System { name: "cargo", program: "cargo", configure: "", build: "cargo run", out: "hitboxes" },
];

pub(crate) fn run(names: &[String]) -> anyhow::Result<()> {
    if let Some(unknown) = names.iter().find(|name| SYSTEMS.iter().all(|system| system.name != *name)) {
        anyhow::bail!("there is no build system {unknown:?}; the names are make, ninja, cmake, bazel and cargo");
    }
    check_guide()?;
    let bonebox = program()?;
    let (mut tested, mut skipped) = (Vec::new(), Vec::new());
    for system in SYSTEMS.iter().filter(|system| names.is_empty() || names.iter().any(|name| name == system.name)) {
        let shown = match system.configure {
            "" => system.name.to_owned(),
            configure => format!("{} ({configure})", system.name),
        };
        match Command::new(system.program).arg("--version").output() {
            Ok(output) if output.status.success() => {
                let version = String::from_utf8_lossy(&output.stdout);
                println!("{shown}: {}", version.lines().next().unwrap_or_default());
                test(system, &bonebox).with_context(|| shown.clone())?;
                tested.push(shown);
            }
            _ => {
                println!("{shown}: SKIPPED, because {} is not installed", system.program);
                skipped.push(shown);
            }
        }
    }
    println!("build systems: {} tested, {} skipped", tested.len(), skipped.len());
    Ok(())
}

/// Checks that the code of the guide stands in the examples.
fn check_guide() -> anyhow::Result<()> {
    let root = crate::root();
    let guide = fs::read_to_string(root.join("docs/build-systems.md"))?;
    let mut examples = String::new();
    for system in &SYSTEMS {
        let mut texts = BTreeMap::new();
        collect(&root.join("integrations/build-systems").join(system.name), &mut texts, &|_| true)?;
        examples.extend(texts.into_values().map(|text| String::from_utf8_lossy(&text).into_owned()));
    }
    for block in guide.split("\n```").skip(1).step_by(2) {
        let (language, code) = block.split_once('\n').context("a block of code has a line")?;
        anyhow::ensure!(
            language == "sh" || examples.contains(code),
            "docs/build-systems.md has code that no file of integrations/build-systems has:\n{code}"
        );
    }
    Ok(())
}

/// Builds the program and returns its path.
fn program() -> anyhow::Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| crate::root().join("target"), PathBuf::from);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--package", "bonebox-cli", "--bin", "bonebox"]).current_dir(crate::root());
    anyhow::ensure!(build.status()?.success(), "the program cannot be built");
    Ok(target.join("debug").join(format!("bonebox{EXE_SUFFIX}")))
}

/// The change after which a tool starts the program, which finds nothing to do.
const A_COMMENT: &str = "a comment";

/// A copy of an example, with two characters and their settings.
struct Example<'a> {
    system: &'a System,
    folder: PathBuf,
    path: std::ffi::OsString,
}

fn test(system: &System, bonebox: &Path) -> anyhow::Result<()> {
    let folder = std::env::temp_dir().join(format!("bonebox-{}-{}", system.name, std::process::id()));
    let result = Example::new(system, bonebox, &folder).and_then(|example| example.test());
    if system.name == "bazel" {
        // Its server would stay.
        let _ = Command::new("bazel").arg("shutdown").current_dir(&folder).output();
    }
    let _ = fs::remove_dir_all(&folder);
    result
}

impl<'a> Example<'a> {
    fn new(system: &'a System, bonebox: &Path, folder: &Path) -> anyhow::Result<Self> {
        let root = crate::root();
        copy_folder(&root.join("integrations/build-systems").join(system.name), folder)?;
        let assets = root.join("assets");
        for (from, to) in [
            ("runa.glb", "heroes/runa.glb"),
            ("hound.glb", "villains/hound.glb"),
            ("motion/runa_walk.bvh", "heroes/motions/stroll.bvh"),
        ] {
            let to = folder.join("assets").join(to);
            fs::create_dir_all(to.parent().context("a folder")?)?;
            fs::copy(assets.join(from), to)?;
        }
        fs::write(folder.join("assets/bonebox.toml"), "measure = \"rest\"\n")?;
        fs::write(folder.join("assets/heroes/bonebox.toml"), "motions = [\"motions/*.bvh\"]\n")?;
        if system.name == "bazel" {
            fs::copy(bonebox, folder.join("tools/bonebox"))?;
        }
        let manifest = folder.join("Cargo.toml");
        if manifest.exists() {
            // The copy is elsewhere.
            let text = fs::read_to_string(&manifest)?;
            let crates = root.join("crates").display().to_string().replace('\\', "/");
            fs::write(manifest, text.replace("../../../crates", &crates))?;
        }
        let own = bonebox.parent().context("the program has a folder")?.to_owned();
        let others = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&others)))?;
        Ok(Self { system, folder: folder.to_owned(), path })
    }

    fn test(&self) -> anyhow::Result<()> {
        if !self.system.configure.is_empty() {
            self.run(self.system.configure)?;
        }
        let first = self.built()?;
        anyhow::ensure!(first.len() == 2, "the first build has the outputs {:?}", first.keys());
        self.expect("a second build", &[])?;
        self.change("heroes/runa.glb", |bytes| {
            // The name of the generator in the JSON chunk: other bytes of the same length.
            let at = bytes.windows(9).position(|nine| nine == b"generator").expect("an asset names its generator");
            bytes[at + 12] ^= 1;
        })?;
        self.expect("a changed asset", &["runa"])?;
        self.change("heroes/bonebox.toml", |bytes| bytes.extend(b"margin = 0.01\n"))?;
        self.expect("changed settings of a folder", &["runa"])?;
        self.change("heroes/motions/stroll.bvh", |bytes| bytes.push(b'\n'))?;
        self.expect("a changed motion", &["runa"])?;
        self.change("bonebox.toml", |bytes| bytes.extend(b"keep = 0.95\nposes = \"clips\"\n"))?;
        self.expect("changed settings of all folders", &["hound", "runa"])?;
        self.change("bonebox.toml", |bytes| bytes.extend(b"# a comment\n"))?;
        self.expect(A_COMMENT, &[])?;
        self.expect("a last build", &[])?;
        if matches!(self.system.name, "make" | "ninja") {
            self.test_names()?;
        }
        anyhow::ensure!(self.is_up_to_date()?, "the tool runs the program again although nothing has changed");
        println!("  builds, and builds again only what has changed");
        Ok(())
    }

    /// A folder of assets with unkind names has a stamp as its target. The tool must understand the names of its depfile.
    fn test_names(&self) -> anyhow::Result<()> {
        let folder = self.folder.join("names/in here");
        fs::create_dir_all(&folder)?;
        let asset = folder.join("a b #1 $x:y (z), ~!@{é}+-.glb");
        fs::copy(self.folder.join("assets/villains/hound.glb"), &asset)?;
        let bake = "bonebox bake \"in here\" --out-dir out --quiet --measure rest --depfile stamp.d --depfile-target stamp && touch stamp";
        let rules = match self.system.name {
            "make" => format!("stamp:\n\t{bake}\n-include stamp.d\n"),
            _ => format!("rule bake\n  command = {bake}\n  depfile = stamp.d\n  deps = gcc\nbuild stamp: bake\n"),
        };
        fs::write(
            self.folder.join("names").join(if self.system.name == "make" { "Makefile" } else { "build.ninja" }),
            rules,
        )?;
        let build = format!("cd names && {}", self.system.build);
        let is_done = |said: &str| said.contains("up to date") || said.contains("no work to do");
        self.run(&build)?;
        anyhow::ensure!(is_done(&self.run(&build)?), "the tool does not understand the names of the depfile");
        std::thread::sleep(Duration::from_millis(1100));
        fs::File::options().write(true).open(&asset)?.set_modified(SystemTime::now())?;
        anyhow::ensure!(
            !is_done(&self.run(&build)?),
            "the tool does not see that a file with an unkind name has changed"
        );
        anyhow::ensure!(is_done(&self.run(&build)?), "the tool does not understand the names of the depfile");
        Ok(())
    }

    /// Builds, and fails unless exactly these characters have other bytes than before.
    fn expect(&self, what: &str, changed: &[&str]) -> anyhow::Result<()> {
        let before = self.outputs()?;
        let said = self.run(self.system.build)?;
        let after = self.outputs()?;
        let other = |name: &&String| before.get(*name) != after.get(*name);
        let found: Vec<&String> = after.keys().filter(other).collect();
        anyhow::ensure!(found == changed, "{what} bakes {found:?} again, not {changed:?}");
        // These tools print what they run.
        let prints = matches!(self.system.name, "make" | "ninja" | "cmake");
        let ran: Vec<&String> = after.keys().filter(|name| said.contains(&format!("{name}."))).collect();
        anyhow::ensure!(
            !prints || what == A_COMMENT || ran == changed,
            "{what} starts {ran:?}, not {changed:?}:\n{said}"
        );
        Ok(())
    }

    fn built(&self) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
        self.run(self.system.build)?;
        self.outputs()
    }

    /// Returns true if a build does nothing, in the words of the tool.
    fn is_up_to_date(&self) -> anyhow::Result<bool> {
        let said = self.run(self.system.build)?;
        Ok(match (self.system.name, self.system.out) {
            ("make", _) => said.contains("Nothing to be done"),
            ("ninja", _) | (_, "build-ninja/hitboxes") => said.contains("no work to do"),
            ("cmake", _) => !said.contains("bake "),
            ("bazel", _) => said.contains("1 process: 1 internal") || said.contains("0 processes"),
            _ => !said.contains("Compiling"),
        })
    }

    fn change(&self, file: &str, change: impl FnOnce(&mut Vec<u8>)) -> anyhow::Result<()> {
        let path = self.folder.join("assets").join(file);
        let mut bytes = fs::read(&path)?;
        change(&mut bytes);
        fs::write(&path, bytes)?;
        // Some file systems and tools count in whole seconds.
        let newer = SystemTime::now() + Duration::from_millis(10);
        fs::File::options().write(true).open(&path)?.set_modified(newer)?;
        std::thread::sleep(Duration::from_millis(1100));
        Ok(())
    }

    /// The bytes of each output by the character's name.
    fn outputs(&self) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
        let mut outputs = BTreeMap::new();
        let out = match self.system.name {
            // Cargo names the folder after a hash.
            "cargo" => {
                let build = self.target().join("debug/build");
                let found = fs::read_dir(build)?.filter_map(Result::ok).map(|entry| entry.path().join("out/hitboxes"));
                found
                    .filter(|path| path.is_dir())
                    .max_by_key(|path| fs::metadata(path).and_then(|data| data.modified()).ok())
            }
            _ => Some(self.folder.join(self.system.out)),
        };
        let is_output = |path: &Path| path.extension().is_some_and(|extension| extension == "bonebox");
        collect(&out.context("there are no outputs")?, &mut outputs, &is_output)?;
        Ok(outputs)
    }

    fn target(&self) -> PathBuf {
        crate::root().join("target/build-systems")
    }

    fn run(&self, line: &str) -> anyhow::Result<String> {
        let output = Command::new("sh")
            .args(["-c", line])
            .current_dir(&self.folder)
            .env("PATH", &self.path)
            // The build of bonebox itself takes minutes, so it is kept.
            .env("CARGO_TARGET_DIR", self.target())
            .output()
            .context("sh does not start")?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
        anyhow::ensure!(output.status.success(), "`{line}` failed:\n{said}");
        Ok(said)
    }
}

/// Reads the files of a folder that are wanted, outputs by the names of their characters and others by their paths.
fn collect(
    folder: &Path,
    files: &mut BTreeMap<String, Vec<u8>>,
    is_wanted: &dyn Fn(&Path) -> bool,
) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files, is_wanted)?;
        } else if is_wanted(&path) {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            let name = file.strip_suffix(".bonebox").map_or_else(|| path.display().to_string(), str::to_owned);
            files.insert(name, fs::read(&path)?);
        }
    }
    Ok(())
}

fn copy_folder(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_folder(&path, &copy)?;
        } else {
            fs::copy(path, copy)?;
        }
    }
    Ok(())
}
