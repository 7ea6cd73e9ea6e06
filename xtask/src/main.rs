//! The chores of the workspace: `cargo xtask COMMAND`.

mod check;
mod codegen;
mod tidy;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  bake PATHS…     bake characters; the same as `bonebox bake` (try `cargo xtask bake --help`)
  check           all that must hold before a change lands: fmt, clippy, tests, docs, tidy, codegen, baked assets
                  --skip-tests leaves the tests out, for those who have just run them
  tidy            which crate may import which, and other rules that no compiler holds
  codegen         Rust code from the FlatBuffers schema; --check only compares
  golden          golden files of the .bonebox format that are missing; --check only compares
  interop         readers in C++ and Python against ours, with the tools that are here; --newer-minor makes test data
  author          make the characters in assets/ anew (try `cargo xtask author --help`)
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", &[][..]),
    };
    let result = match command {
        "bake" => return bonebox::run(["bonebox".into(), "bake".into()].into_iter().chain(rest.iter().cloned())),
        "check" => check::run(rest),
        "tidy" => tidy::run(),
        "codegen" => codegen::run(rest),
        "golden" => codegen::golden(rest),
        "interop" => codegen::run_program("interop", rest),
        "author" => codegen::run_program("author-assets", rest),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        unknown => Err(anyhow::anyhow!("no command {unknown:?}\n\n{HELP}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the workspace.
fn root() -> &'static std::path::Path {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}
