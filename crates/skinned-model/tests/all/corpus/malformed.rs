//! Every malformed or unusual file of the corpus gives the result in its list.

use crate::corpus::files;
use serde_json::Value;
use skinned_model::ImportError;
use std::fmt::Write;
use std::fs;

/// The result of a file, in the words of `expect.json`. A file that loads with warnings also counts as `ok` ("must
/// load"); the snapshot shows which files give warnings.
fn outcome(result: &Result<skinned_model::SkinnedModel, ImportError>) -> &'static str {
    match result {
        Ok(model) if model.warnings.is_empty() => "ok",
        Ok(_) => "warn",
        Err(ImportError::NoSkin { .. }) => "no-skin",
        Err(_) => "error",
    }
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn malformed_files_give_the_expected_result() {
    let folder = ::corpus::folder().join("malformed");
    let expectations: Value = serde_json::from_slice(&fs::read(folder.join("expect.json")).unwrap()).unwrap();
    let (mut wrong, mut report) = (Vec::new(), String::new());
    for entry in expectations["files"].as_array().unwrap() {
        let (file, expected) = (entry["file"].as_str().unwrap(), entry["expect"].as_str().unwrap());
        let result = files::import_file(&folder.join(file));
        let outcome = outcome(&result);
        if !expected.split("-or-").any(|word| word == outcome || (word == "ok" && result.is_ok())) {
            wrong.push(format!("{file}: {outcome}, expected {expected}"));
        }
        writeln!(report, "{file}\n    {outcome}").unwrap();
        match result {
            Ok(model) => {
                model.warnings.iter().for_each(|w| writeln!(report, "    {}: {}", w.code, w.text).unwrap());
            }
            Err(error) => writeln!(report, "    {error}").unwrap(),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    insta::assert_snapshot!(report);
}
