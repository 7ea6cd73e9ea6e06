//! `schema-codegen` writes `crates/baked-format/src/generated.rs`. `schema-codegen --check [SCHEMA]` compares that file
//! with the schema.

use std::path::Path;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            let word = if schema_codegen::rewrite()? { "rewrote" } else { "unchanged:" };
            println!("{word} {}", schema_codegen::generated_path().display());
        }
        ["--check"] => schema_codegen::check(&schema_codegen::schema_path())?,
        ["--check", schema] => schema_codegen::check(Path::new(schema))?,
        _ => anyhow::bail!("usage: schema-codegen [--check [SCHEMA]]"),
    }
    Ok(())
}
