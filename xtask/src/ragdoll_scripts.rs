//! Compiles the scripts that read ragdolls in Unity and Unreal, against stubs of these engines.

use std::fs;
use std::path::Path;
use xshell::{Shell, cmd};

/// Compiles both scripts, and returns what was skipped. The engines themselves are not run.
pub(crate) fn run(folder: &Path) -> anyhow::Result<Vec<String>> {
    let shell = Shell::new()?;
    let root = crate::root();
    let (checks, mut skipped) = (root.join("checks/export-readers/ragdoll"), Vec::new());
    let starts = |program: &str| cmd!(shell, "{program} --version").quiet().ignore_stderr().read().is_ok();
    if starts("mcs") {
        let library = folder.join("unity.dll");
        let files = [checks.join("unity/UnityEngine.cs"), root.join("integrations/unity/BoneboxRagdoll.cs")];
        cmd!(shell, "mcs -target:library -langversion:7.2 -warnaserror+ -warn:4 -out:{library} {files...}").run()?;
    } else {
        skipped.push("the script for Unity, Mono's compiler is not installed (apt-get install mono-mcs)".to_owned());
    }
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
    if starts(&compiler) {
        let script = root.join("integrations/unreal/BoneboxRagdoll.cpp");
        let headers = folder.join("unreal");
        for line in fs::read_to_string(&script)?.lines() {
            let Some(header) = line.strip_prefix("#include \"").and_then(|line| line.strip_suffix('"')) else {
                continue;
            };
            let header = headers.join(header);
            fs::create_dir_all(header.parent().unwrap_or(&headers))?;
            fs::write(header, "#include <stub.h>\n")?;
        }
        let stub = checks.join("unreal");
        cmd!(shell, "{compiler} -std=c++20 -fsyntax-only -Wall -Wextra -Werror -I{headers} -I{stub} {script}").run()?;
    } else {
        skipped.push(format!("the script for Unreal, {compiler} is not installed (apt-get install g++)"));
    }
    Ok(skipped)
}
