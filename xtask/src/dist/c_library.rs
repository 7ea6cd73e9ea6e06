//! The archive of the C library: the library, its headers, files for CMake and pkg-config, and the licenses.

use anyhow::Context as _;
use std::fs;
use std::path::PathBuf;
use xshell::{Shell, cmd};

/// Writes `target/dist/bonebox-c-VERSION-PLATFORM.tar.gz` and returns its path.
pub(crate) fn pack(bake: bool) -> anyhow::Result<PathBuf> {
    super::tar(&build(bake)?)
}

/// Builds the folder of the archive anew. With `bake` it contains the functions that bake.
pub(crate) fn build(bake: bool) -> anyhow::Result<PathBuf> {
    let shell = Shell::new()?;
    let root = crate::root();
    shell.change_dir(root);
    let version = super::version()?;
    let target = super::host(&shell)?;
    {
        // The library that users link has no line tables, which our own releases have, and is optimized as a whole.
        let _debug = shell.push_env("CARGO_PROFILE_RELEASE_DEBUG", "false");
        let _lto = shell.push_env("CARGO_PROFILE_RELEASE_LTO", "thin");
        let _units = shell.push_env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1");
        let features: &[&str] = if bake { &["--features", "bake"] } else { &[] };
        cmd!(shell, "cargo build --release --package bonebox-c --target-dir target/c-library {features...}").run()?;
    }
    let folder = root.join("target/dist").join(format!("bonebox-c-{version}-{target}"));
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let source = root.join("integrations/c");
    let config = "lib/cmake/bonebox";
    for inner in ["include", "lib/pkgconfig", config, "examples"] {
        fs::create_dir_all(folder.join(inner))?;
    }
    let mut libraries = 0;
    for name in ["libbonebox_c.so", "libbonebox_c.dylib", "libbonebox_c.a", "bonebox_c.dll", "bonebox_c.lib"] {
        let built = root.join("target/c-library/release").join(name);
        if built.exists() {
            super::copy(&built, &folder.join("lib").join(name))?;
            libraries += 1;
        }
    }
    anyhow::ensure!(libraries >= 2, "cargo built {libraries} libraries, expected a shared and a static library");
    for header in ["bonebox.h", "bonebox.hpp"] {
        super::copy(&source.join("include").join(header), &folder.join("include").join(header))?;
    }
    for example in ["touching.c", "arena.cpp", "ragdoll.cpp"] {
        super::copy(&source.join("examples").join(example), &folder.join("examples").join(example))?;
    }
    super::copy(&source.join("README.md"), &folder.join("README.md"))?;
    for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
        super::copy(&root.join(license), &folder.join(license))?;
    }
    let fill = |from: &str, to: &str| -> anyhow::Result<()> {
        let text = fs::read_to_string(source.join("packaging").join(from)).with_context(|| from.to_owned())?;
        let minor = version.rsplit_once('.').map_or(version.as_str(), |(minor, _)| minor);
        fs::write(folder.join(to), text.replace("@VERSION@", &version).replace("@MAJOR_MINOR@", minor))?;
        Ok(())
    };
    fill("bonebox.pc", "lib/pkgconfig/bonebox.pc")?;
    fill("bonebox-config.cmake", &format!("{config}/bonebox-config.cmake"))?;
    fill("bonebox-config-version.cmake", &format!("{config}/bonebox-config-version.cmake"))?;
    Ok(folder)
}
