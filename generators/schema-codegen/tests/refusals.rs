//! Schemas that the program refuses. planus prints the problems of a schema to standard error, so these tests start the
//! program and read its output.

use std::process::Command;

/// The program's standard error when it compares a schema. The program must fail.
fn refusal(schema: &std::path::Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_schema-codegen")).arg("--check").arg(schema).output().unwrap();
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_schema_with_errors_is_refused() {
    let path = std::env::temp_dir().join(format!("bonebox-bad-schema-{}.fbs", std::process::id()));
    std::fs::write(&path, "table A { b:Missing; }").unwrap();
    let text = refusal(&path);
    std::fs::remove_file(&path).unwrap();
    assert!(text.contains("Unknown type") && text.contains("has errors, listed above"), "{text}");
    assert!(refusal(&path).contains("no schema at"));
}
