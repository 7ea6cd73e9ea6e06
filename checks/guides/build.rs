//! Completes the examples of the guides for `cargo test --doc`. A guide shows only the lines that a reader copies; this
//! program adds the lines that find the assets and end a program that uses `?`.

use std::path::Path;
use std::{env, fs};

/// Each page, and the line that its examples begin with.
const PAGES: [(&str, &str); 11] = [
    ("README.md", AT_ROOT),
    ("crates/bonebox/README.md", AT_ROOT),
    ("docs/getting-started.md", AT_ROOT),
    ("docs/own-animation.md", AT_ROOT),
    ("docs/worlds.md", AT_ROOT),
    ("docs/attacks.md", AT_ROOT),
    ("docs/motion.md", AT_ROOT),
    ("docs/ragdolls.md", AT_ROOT),
    ("docs/servers.md", AT_ROOT),
    ("docs/hit-registration.md", AT_ROOT),
    ("docs/exact.md", "guides::enter_folder_with_skin()?;"),
];
const AT_ROOT: &str = "guides::enter_repository()?;";
const MAIN: &str = "fn main() -> Result<(), Box<dyn std::error::Error>> {";

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    for (page, first) in PAGES {
        let source = root.join(page);
        println!("cargo::rerun-if-changed={}", source.display());
        let text = fs::read_to_string(&source).unwrap_or_else(|error| panic!("cannot read {page}: {error}"));
        let target = Path::new(&out).join(page.replace('/', "-"));
        fs::write(&target, completed(&text, first)).unwrap_or_else(|error| panic!("cannot write {page}: {error}"));
    }
}

/// Returns the page with complete examples. `no_run` is left out, because here the assets are found.
fn completed(page: &str, first: &str) -> String {
    let mut result = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line != "```rust" && line != "```rust,no_run" {
            result += &format!("{line}\n");
            continue;
        }
        let example: Vec<&str> = lines.by_ref().take_while(|&line| line != "```").collect();
        let code = example.join("\n");
        let code = match code.split_once(MAIN) {
            Some((before, after)) => format!("{before}{MAIN}\n{first}{after}"),
            None => format!("{first}\n{code}\nOk::<(), Box<dyn std::error::Error>>(())"),
        };
        result += &format!("```rust\n{code}\n```\n");
    }
    result
}
