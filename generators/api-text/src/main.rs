//! Writes the public items of a crate, one a line, for each pair of arguments: rustdoc's JSON file and the text to
//! write.
//!
//! The text holds what a user of the crate can name: items, signatures, fields, variants and the traits that types
//! implement. It leaves out what says the same again or promises nothing: methods of derived traits, the compiler's own
//! traits, blanket implementations, and which `impl` block a method stands in. Of the automatic traits, the text says
//! where a type lacks one or has it on a condition.

use anyhow::{Context as _, bail};
use public_api::Builder;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.is_empty() || arguments.len() % 2 != 0 {
        bail!("usage: api-text (JSON TEXT)...");
    }
    for pair in arguments.chunks_exact(2) {
        let text = text(Path::new(&pair[0])).with_context(|| format!("cannot read {}", pair[0]))?;
        std::fs::write(&pair[1], text).with_context(|| format!("cannot write {}", pair[1]))?;
    }
    Ok(())
}

fn text(json: &Path) -> anyhow::Result<String> {
    let builder = Builder::from_rustdoc_json(json).omit_blanket_impls(true).include_function_parameter_names(true);
    let plain = builder.clone().omit_auto_derived_impls(true).omit_auto_trait_impls(true).build()?;
    let plain: HashSet<String> = plain.items().map(ToString::to_string).collect();
    let mut text = String::new();
    for item in builder.build()?.items() {
        let line = item.to_string();
        let is_kept = if line.starts_with("impl") {
            implements_a_trait(&line)
        } else {
            // Only the methods of derived traits are missing from the plain list.
            plain.contains(&line)
        };
        if is_kept {
            writeln!(text, "{line}")?;
        }
    }
    Ok(text)
}

/// Returns true if the line `impl TRAIT for TYPE` says something that is not true of nearly every type.
fn implements_a_trait(line: &str) -> bool {
    const COMPILERS_OWN: [&str; 3] =
        ["marker::StructuralPartialEq for ", "marker::Freeze for ", "marker::UnsafeUnpin for "];
    const AUTOMATIC: [&str; 5] = [
        "core::marker::Send for ",
        "core::marker::Sync for ",
        "core::marker::Unpin for ",
        "core::panic::unwind_safe::RefUnwindSafe for ",
        "core::panic::unwind_safe::UnwindSafe for ",
    ];
    let is_one_of = |names: &[&str]| names.iter().any(|name| line.contains(name));
    let is_usual =
        is_one_of(&AUTOMATIC) && !line.starts_with("impl !") && !line.contains("> !") && !line.contains(" where ");
    line.contains(" for ") && !is_one_of(&COMPILERS_OWN) && !is_usual
}
