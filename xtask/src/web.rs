//! Builds and tests the npm package: WebAssembly of the run time and of the baker, and the JavaScript around them.

use crate::node;
use anyhow::Context as _;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

const TARGET: &str = "wasm32-unknown-unknown";

/// The instructions that the files may use: those of every browser since 2023. Relaxed SIMD would give other bits on other
/// machines.
const FEATURES: [&str; 7] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// The functions of every file.
const COMMON: [&str; 5] = ["memory", "bonebox_web_start", "bonebox_web_panic", "bonebox_web_alloc", "bonebox_web_free"];

/// A file of WebAssembly: its feature and its name in integrations/web, the JavaScript that calls it, and its largest size,
/// compressed.
struct Module {
    feature: &'static str,
    file: &'static str,
    script: &'static str,
    most_kilobytes: f64,
}

const MODULES: [Module; 2] = [
    Module { feature: "runtime", file: "bonebox.wasm", script: "bonebox.js", most_kilobytes: 150.0 },
    Module { feature: "baker", file: "baker.wasm", script: "bakerCalls.js", most_kilobytes: 1000.0 },
];

/// `cargo xtask web [--build]`: builds the package and tests it, or only builds it.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let only_builds = match arguments {
        [] => false,
        [flag] if flag == "--build" => true,
        _ => anyhow::bail!("web takes no argument or --build"),
    };
    if let Err(skipped) = build()? {
        println!("{skipped}");
        return Ok(());
    }
    if only_builds { Ok(()) } else { test() }
}

/// Builds both files into `integrations/web`, or returns the reason why they cannot be built.
pub(crate) fn build() -> anyhow::Result<Result<PathBuf, String>> {
    let shell = Shell::new()?;
    let tools = match Tools::find(&shell)? {
        Ok(tools) => tools,
        Err(skipped) => return Ok(Err(skipped)),
    };
    let folder = folder();
    // npm packs no links.
    for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(crate::root().join(license), folder.join(license))?;
    }
    for module in &MODULES {
        let built = tools.cargo(&shell, module.feature)?;
        let file = folder.join(module.file);
        let names = exports_of(&fs::read_to_string(folder.join(module.script))?);
        tools.shrink(&shell, &built, &names, &file)?;
        let kilobytes = compressed_kilobytes(&shell, &file)?;
        println!("web: {}: {kilobytes:.0} kB compressed", module.file);
        if kilobytes > module.most_kilobytes {
            println!("web: {} is larger than its limit of {} kB", module.file, module.most_kilobytes);
        }
    }
    Ok(Ok(folder))
}

/// The figure of the golden scene, and the tests in Node, in Chromium and with vite.
fn test() -> anyhow::Result<()> {
    let shell = Shell::new()?;
    let Ok(tools) = Tools::find(&shell)? else { return Ok(()) };
    let built = tools.cargo(&shell, "golden")?;
    let folder = folder();
    node::install(&folder)?;
    let viewer = crate::root().join("apps/viewer");
    node::install(&viewer)?;
    let status = std::process::Command::new(node::NPM)
        .args(["test", "--silent"])
        .current_dir(&folder)
        .env("BONEBOX_GOLDEN_WASM", built)
        .env("BONEBOX_ASSETS", crate::root().join("assets"))
        .status()
        .context(node::NO_NPM)?;
    anyhow::ensure!(status.success(), "the tests of integrations/web failed");
    Ok(())
}

pub(crate) fn folder() -> PathBuf {
    crate::root().join("integrations/web")
}

/// The names of the functions that a script calls.
fn exports_of(script: &str) -> BTreeSet<String> {
    // Comments have single quotes too, so the quotes are not in pairs.
    let is_name = |text: &&str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let quoted = script.split('\'').filter(|text| text.starts_with("bonebox_")).filter(is_name);
    let named = quoted.map(str::to_owned);
    let dotted = script.split("exports.").skip(1).filter_map(|rest| {
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_')?;
        Some(rest[..end].to_owned())
    });
    named.chain(dotted).chain(COMMON.map(str::to_owned)).collect()
}

fn compressed_kilobytes(shell: &Shell, file: &Path) -> anyhow::Result<f64> {
    let script =
        "console.log(require('zlib').gzipSync(require('fs').readFileSync(process.argv[1]), { level: 9 }).length)";
    let bytes: f64 = cmd!(shell, "node --eval {script} {file}").quiet().read()?.trim().parse()?;
    Ok(bytes / 1000.0)
}

/// Rust with the target, and binaryen.
struct Tools {
    /// Programs that take the place of the installed ones, from a root of Debian testing.
    wrappers: Option<PathBuf>,
    has_binaryen: bool,
}

impl Tools {
    /// The installed Rust if it has the target, otherwise that of Debian testing.
    fn find(shell: &Shell) -> anyhow::Result<Result<Self, String>> {
        let sysroot = cmd!(shell, "rustc --print sysroot").quiet().read()?;
        if Path::new(&sysroot).join("lib/rustlib").join(TARGET).exists() {
            let has_binaryen = cmd!(shell, "wasm-opt --version").quiet().ignore_stderr().read().is_ok();
            if !has_binaryen {
                println!(
                    "SKIPPED: making the files smaller, because binaryen is not installed (apt-get install binaryen)"
                );
            }
            println!("{}", cmd!(shell, "rustc --version").quiet().read()?);
            return Ok(Ok(Self { wrappers: None, has_binaryen }));
        }
        let packages = ["rustc", "libstd-rust-dev-wasm32", "lld", "binaryen"];
        let root = match crate::debian_testing::with(shell, &packages, "wasm-opt")? {
            Ok(root) => root,
            Err(skipped) => {
                return Ok(Err(format!(
                    "{skipped}; install the target of Rust with `rustup target add {TARGET}`, and binaryen"
                )));
            }
        };
        let wrappers = crate::root().join("target/web/tools");
        fs::create_dir_all(&wrappers)?;
        for program in ["rustc", "wasm-ld", "wasm-opt", "wasm-metadce"] {
            write_wrapper(&root, &wrappers.join(program), program)?;
        }
        let tools = Self { wrappers: Some(wrappers), has_binaryen: true };
        for program in ["rustc", "wasm-opt"] {
            let path = tools.program(program);
            println!("{}", cmd!(shell, "{path} --version").quiet().read()?.lines().next().unwrap_or_default());
        }
        Ok(Ok(tools))
    }

    fn program(&self, name: &str) -> PathBuf {
        self.wrappers.as_ref().map_or_else(|| name.into(), |folder| folder.join(name))
    }

    /// Builds the crate with a feature, and returns the file.
    fn cargo(&self, shell: &Shell, feature: &str) -> anyhow::Result<PathBuf> {
        let target = crate::root().join("target/web");
        let _folder = shell.push_dir(folder());
        let _target = shell.push_env("CARGO_TARGET_DIR", &target);
        let _flags = shell.push_env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-C target-feature=+simd128");
        let _compiler = self.wrappers.as_ref().map(|_| shell.push_env("RUSTC", self.program("rustc")));
        let _linker = self
            .wrappers
            .as_ref()
            .map(|_| shell.push_env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", self.program("wasm-ld")));
        let profile = if feature == "baker" { "baker" } else { "web" };
        cmd!(shell, "cargo build --locked --target {TARGET} --profile {profile} --features {feature}").run()?;
        let built = target.join(TARGET).join(profile).join("bonebox_web.wasm");
        let kept = target.join(feature).with_extension("wasm");
        fs::copy(&built, &kept).with_context(|| format!("cannot copy {}", built.display()))?;
        Ok(kept)
    }

    /// Removes all functions that the script cannot reach, and optimizes the others.
    fn shrink(&self, shell: &Shell, from: &Path, names: &BTreeSet<String>, to: &Path) -> anyhow::Result<()> {
        if !self.has_binaryen {
            fs::copy(from, to)?;
            return Ok(());
        }
        let quoted = |name: &String| format!("{name:?}");
        let all = names.iter().map(quoted).collect::<Vec<_>>().join(",");
        let each = names.iter().map(|name| format!("{{\"name\":{name:?},\"export\":{name:?}}}")).collect::<Vec<_>>();
        let graph = format!("[{{\"name\":\"outside\",\"root\":true,\"reaches\":[{all}]}},{}]", each.join(","));
        let (graph_file, reachable) = (from.with_extension("json"), from.with_extension("reachable.wasm"));
        fs::write(&graph_file, graph)?;
        let (removes, optimizes) = (self.program("wasm-metadce"), self.program("wasm-opt"));
        cmd!(shell, "{removes} {FEATURES...} --graph-file {graph_file} {from} -o {reachable}").ignore_stdout().run()?;
        cmd!(shell, "{optimizes} {FEATURES...} -Os {reachable} -o {to}").run()?;
        Ok(())
    }
}

/// Writes a script that runs a program of another root with the libraries of that root.
fn write_wrapper(root: &Path, script: &Path, program: &str) -> anyhow::Result<()> {
    let root = root.display();
    let libraries = format!("{root}/usr/lib/x86_64-linux-gnu:{root}/usr/lib/llvm-21/lib");
    let loader = format!("{root}/lib64/ld-linux-x86-64.so.2");
    fs::write(
        script,
        format!("#!/bin/sh\nexec {loader} --library-path {libraries} {root}/usr/bin/{program} \"$@\"\n"),
    )?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(script, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_functions_that_a_script_calls_are_found() {
        let script =
            "// A character's pose.\nmade('bonebox_pose_new'); wasm.exports.bonebox_reply_free(at); const t = 'other';";
        let found = exports_of(script);
        for name in ["bonebox_pose_new", "bonebox_reply_free", "memory"] {
            assert!(found.contains(name), "{name}");
        }
        assert!(!found.contains("other"));
    }
}
