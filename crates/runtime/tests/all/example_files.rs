//! The files that the examples of the documentation load.

use baked_characters::{baked_arm, baked_swelling_tube, baked_tube};
use std::path::Path;

/// The files hold the characters of the tests. To write the files again, set `BONEBOX_EXAMPLES=write`.
#[test]
fn the_files_of_the_examples_hold_the_characters_of_the_tests() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let swelling = baked_swelling_tube("Swelling Tube");
    for (name, baked) in [("arm", baked_arm("Arm")), ("tube", baked_tube("Tube")), ("swelling_tube", swelling)] {
        let (path, bytes) = (folder.join(name).with_extension("bonebox"), baked_format::write(&baked).unwrap());
        if std::env::var("BONEBOX_EXAMPLES").is_ok_and(|mode| mode == "write") {
            std::fs::write(&path, &bytes).unwrap();
        }
        assert!(
            std::fs::read(&path).is_ok_and(|found| found == bytes),
            "{name}: run this test with BONEBOX_EXAMPLES=write"
        );
    }
}
