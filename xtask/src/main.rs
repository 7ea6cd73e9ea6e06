//! Runs the tasks of the workspace: `cargo xtask COMMAND`.

mod aarch64;
mod api;
mod bench;
mod bevy;
mod blender;
mod blender_extension;
mod book;
mod build_systems;
mod check;
mod ci_action;
mod codegen;
mod debian_testing;
mod dist;
mod engines;
mod exports;
mod farm;
mod fbx;
mod fuzz;
mod ignored;
mod kernels;
mod library;
mod markdown;
mod memcheck;
mod node;
mod package;
mod page;
mod program;
mod python;
mod ragdoll_files;
mod ragdoll_scripts;
mod root;
mod tidy;
mod usd;
mod viewer;
mod web;
mod windows;

use root::root;
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  bake PATHS…     Bake characters, as `bonebox bake` does (see `cargo xtask bake --help`)
  check           Run all checks of a change: fmt, clippy, tests, docs, tidy, codegen, baked assets
                  --skip-tests skips `cargo test --workspace` if you have just run it
  ignored         Run the ignored tests that this machine can run: [corpus] [mount] [git] [shells]
  bench           Run the benches and print a table of ratios: [NAME…] [--quick] [--record=NAME] [--against=COMMIT] [--instructions] [--help]
  tidy            Check rules that the compiler does not check, such as which crate may import which
  codegen         Write Rust code from the FlatBuffers schema and the C header from Rust code; --check only compares
  golden          Write missing golden files of the .bonebox format; --check only compares
  package         Pack all packages to publish, and build the README's program with these packages only
  api             Compare the public items of each published crate with its api.txt; --write writes that file
  interop         Compare the C++ and Python readers with the Rust reader, if their tools are installed; --newer-minor writes
                  the test files of a later minor version
  dist            Pack the program for Linux and Windows, and the C library with headers, CMake and pkg-config files: [c] [program]
                  [--bake]
  engines         Test bonebox in other languages and engines with their own tools: [c] [csharp] [godot] [bevy] [rapier] [ragdoll]; prints
                  what it skipped and why
  exports         Check every export of every character with Khronos' validator and three.js (needs Node 20.19 and npm)
  farm            Bake 1,000 characters on a cluster of Slurm and break machines meanwhile, with buckets that fail, and 10,000 on
                  one machine: [schemas] [slurm] [guide] [bucket] [scale]; prints what it skipped and why
  python          Build the Python wheel, install it into a fresh environment and test it there (needs Python 3.9, pip and a
                  network): --wheel only builds, --long looks for leaks for minutes
  book            Build the guides as a searchable site (needs mdBook 0.5; `cargo install mdbook` installs it)
  build-systems   Build the examples of integrations/build-systems with their own tools, and build again after changes:
                  [make] [ninja] [cmake] [bazel] [cargo]; prints what it skipped and why
  blender         Send wire boxes through Blender and back, pack Blender's extension and use it (needs Python 3.11 with
                  `pip install bpy`, otherwise skipped): [files] [extension]
  fbx             Compare FBX files of Blender with its glTF files of the same scenes (needs Python 3.11 with `pip install bpy`,
                  otherwise skipped)
  view PATHS…     Build the viewer's page if needed (Node 20.19 and npm), serve it and open a browser, as `bonebox view` does
  report PATHS…   Write the page into one file: `cargo xtask report assets -o report.html`, as `bonebox report` does
  viewer          Build the page and copy it into the program's folder, which is checked in; --check only compares
  view-test       Test the page in Chromium; --pictures also makes the pictures of the documentation
  library         Bake a thousand made-up characters, write their page and open it in Chromium; prints times and sizes: [--release]
  ci-action       Run the script of the GitHub action in a made-up repository (needs git and bash; shellcheck if it is installed)
  fuzz            Fuzz every reader, one minute each: [TARGET…] [--seconds N]
  kernels         Test all kernels of this processor after a change of a kernel; --write first writes the golden sums anew
  memcheck        Check the crates with unsafe code with AddressSanitizer, valgrind and Miri, as far as they are installed
  aarch64         Test in QEMU's emulator that aarch64 gives the same bytes and answers; takes up to an hour
  web             Build the npm package (WebAssembly and JavaScript) and test it in Node, Chromium and vite; --build only builds it
  windows         Build the program, the test suites and the C programs for Windows with MinGW, and run them in Wine: [SUITE…]
  accuracy        Print the tables of docs/accuracy.md; needs the corpus of real characters: [--shapes | --clips] [NAME…]
  author          Write the characters in assets/ again (see `cargo xtask author --help`)
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", &[][..]),
    };
    let result = match command {
        "bake" => return finished(program::run("bake", rest)),
        "aarch64" => aarch64::run(rest),
        "api" => api::run(rest),
        "bench" => bench::run(rest),
        "check" => check::run(rest),
        "ci-action" => ci_action::run(rest),
        "ignored" => ignored::run(rest),
        "tidy" => tidy::run(),
        "codegen" => codegen::run(rest),
        "golden" => codegen::golden(rest),
        "package" => package::run(),
        "python" => python::run(rest),
        "library" => library::run(rest),
        "interop" => codegen::run_program("format-readers", rest),
        "dist" => dist::run(rest),
        "engines" => engines::run(rest),
        "exports" => exports::run(),
        "farm" => farm::run(rest),
        "blender" => blender::run(rest),
        "fbx" => fbx::run(),
        "book" => book::run(),
        "build-systems" => build_systems::run(rest),
        "view" => return finished(viewer::view(rest)),
        "report" => return finished(viewer::report(rest)),
        "viewer" => page::run(rest),
        "view-test" => viewer::test(rest),
        "fuzz" => fuzz::run(rest),
        "kernels" => kernels::run(rest),
        "memcheck" => memcheck::run(rest),
        "accuracy" => codegen::accuracy(rest),
        "author" => codegen::author(rest),
        "web" => web::run(rest),
        "windows" => windows::run(rest),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        unknown => Err(anyhow::anyhow!("there is no command {unknown:?}\n\n{HELP}")),
    };
    finished(result.map(|()| ExitCode::SUCCESS))
}

fn finished(result: anyhow::Result<ExitCode>) -> ExitCode {
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
