//! The `bonebox` program. All of its code is in the library.

fn main() -> std::process::ExitCode {
    bonebox_cli::run(std::env::args_os()).into()
}
