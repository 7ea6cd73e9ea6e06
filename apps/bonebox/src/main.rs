//! The `bonebox` program; all of it is in the library.

fn main() -> std::process::ExitCode {
    bonebox::run(std::env::args_os())
}
