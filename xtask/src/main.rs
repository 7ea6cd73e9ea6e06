//! The chores of the workspace: `cargo xtask COMMAND`.

mod aarch64;
mod api;
mod bench;
mod bevy;
mod blender;
mod book;
mod check;
mod codegen;
mod debian_testing;
mod dist;
mod engines;
mod exports;
mod fuzz;
mod ignored;
mod markdown;
mod memcheck;
mod node;
mod package;
mod program;
mod root;
mod tidy;
mod viewer;
mod windows;

use root::root;
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  bake PATHS…     bake characters; the same as `bonebox bake` (try `cargo xtask bake --help`)
  check           all that must hold before a change lands: fmt, clippy, tests, docs, tidy, codegen, baked assets
                  --skip-tests skips `cargo test --workspace`, for those who have just run it
  ignored         run the ignored tests that this machine can run; [corpus] [mount] [shells] [wheel]
  bench           benches beside their peers, one table of ratios; [NAME…] [--quick] [--record=NAME] [--instructions] [--help]
  tidy            which crate may import which, and other rules that no compiler holds
  codegen         Rust code from the FlatBuffers schema, the C header from Rust code; --check only compares
  golden          golden files of the .bonebox format that are missing; --check only compares
  package         the packages as they would be published, and the README's program in a project built from them alone
  api             the public items of each crate that would be published against its api.txt; --write writes that file
  interop         readers in C++ and Python against ours, with the tools that are here; --newer-minor makes test data
  dist            the C library as an archive: library, headers, CMake and pkg-config files, licenses; [--bake]
  engines         bonebox in other languages and engines with their own tools: [c] [csharp] [godot] [bevy]; says
                  what it skipped and why
  exports         every export of every character against Khronos' validator and three.js (Node 20 and npm)
  book            the guides as a site that can be searched (mdBook 0.5; `cargo install mdbook` says how it gets here)
  blender         wire boxes through Blender and back (Python 3.11 with `pip install bpy`; skipped where it is absent)
  view PATHS…     build the viewer's page if need be (Node 20 and npm), serve it and open a browser; as `bonebox view`
  report PATHS…   the same page in one file: `cargo xtask report assets -o report.html`; as `bonebox report`
  viewer          only build the page, for `cargo build --features bonebox-cli/viewer`
  view-test       the page in headless Chromium against the program's own answers; --pictures makes those of docs anew
  fuzz            coverage-guided fuzzing of every reader, a minute each; [TARGET…] [--seconds N]
  memcheck        AddressSanitizer, valgrind and Miri over the crates with unsafe code, as far as they are here
  aarch64         the tests of equal bytes and answers, built for aarch64 and run by QEMU's emulator; some minutes
  windows         the program, test suites and C programs for Windows, built by MinGW and run by Wine; [SUITE…]
  accuracy        the tables of docs/accuracy.md, from the corpus of real characters beside the workspace; [NAME…]
  author          make the characters in assets/ anew (try `cargo xtask author --help`)
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
        "ignored" => ignored::run(rest),
        "tidy" => tidy::run(),
        "codegen" => codegen::run(rest),
        "golden" => codegen::golden(rest),
        "package" => package::run(),
        "interop" => codegen::run_program("format-readers", rest),
        "dist" => dist::run(rest),
        "engines" => engines::run(rest),
        "exports" => exports::run(),
        "blender" => blender::run(),
        "book" => book::run(),
        "view" => return finished(viewer::view(rest)),
        "report" => return finished(viewer::report(rest)),
        "viewer" => viewer::build().map(|page| println!("{}", page.display())),
        "view-test" => viewer::test(rest),
        "fuzz" => fuzz::run(rest),
        "memcheck" => memcheck::run(rest),
        "accuracy" => codegen::accuracy(rest),
        "author" => codegen::run_program("author-assets", rest),
        "windows" => windows::run(rest),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        unknown => Err(anyhow::anyhow!("no command {unknown:?}\n\n{HELP}")),
    };
    finished(result.map(|()| ExitCode::SUCCESS))
}

fn finished(result: anyhow::Result<ExitCode>) -> ExitCode {
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
