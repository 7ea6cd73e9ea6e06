//! The project's own bakes: whole, with a text twin of the schema, at home in their own format.
#![cfg(feature = "json")]
use crate::support;
use baked_format::{fuzz, read, to_json};
use std::fs;
use std::path::Path;

#[test]
fn bakes_and_their_text_twins_belong_together() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let schema = serde_json::from_str(include_str!("../../schema/bonebox.schema.json")).unwrap();
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "bonebox") {
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        fuzz::file(&bytes);
        let text = fs::read_to_string(path.with_extension("bonebox.json")).unwrap();
        assert_eq!(to_json(&read(&bytes).unwrap()), text, "{}", path.display());
        let found = support::schema::problems(&schema, &serde_json::from_str(&text).unwrap());
        assert!(found.is_empty(), "{}: {found:#?}", path.display());
        count += 1;
    }
    assert!(count > 0, "assets/ has no bakes: cargo xtask bake assets");
}
