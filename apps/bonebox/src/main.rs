//! The `bonebox` program.
fn main() {}
