//! `schema-codegen [--check]`: writes `crates/baked-format/src/generated.rs`, or compares it with the schema.

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            let word = if schema_codegen::rewrite()? { "rewrote" } else { "unchanged:" };
            println!("{word} {}", schema_codegen::generated_path().display());
        }
        ["--check"] => schema_codegen::check()?,
        _ => anyhow::bail!("usage: schema-codegen [--check]"),
    }
    Ok(())
}
