//! FORMAT.md says what the code does.

use baked_format::limits::*;
use baked_format::{FORMAT_MINOR_VERSION, FORMAT_VERSION, HEADER_BYTES, MAGIC};

const FORMAT: &str = include_str!("../../FORMAT.md");

#[test]
fn limits_stand_in_the_table() {
    for (name, limit) in [
        ("MAX_FILE_BYTES", MAX_FILE_BYTES as f64),
        ("MAX_STRING_BYTES", MAX_STRING_BYTES as f64),
        ("MAX_JOINTS", MAX_JOINTS as f64),
        ("MAX_BOXES", MAX_BOXES as f64),
        ("MAX_TAGS", MAX_TAGS as f64),
        ("MAX_CLIPS", MAX_CLIPS as f64),
        ("MAX_CHANNELS", MAX_CHANNELS as f64),
        ("MAX_OPTIONS", MAX_OPTIONS as f64),
        ("MAX_WARNINGS", MAX_WARNINGS as f64),
        ("MAX_MORPH_TARGETS", MAX_MORPH_TARGETS as f64),
        ("MAX_COORDINATE", 1e12),
        ("MAX_TEXTURE_COORDINATE", 65_536.0),
        ("MAX_SECONDS", 1e9),
    ] {
        assert!(FORMAT.contains(&format!("| `{name}` | {limit} |")), "{name} is {limit}");
    }
    assert_eq!((MAX_COORDINATE, MAX_SECONDS, UNIT_TOLERANCE), (1e12, 1e9, 1e-5));
    assert_eq!(MAX_TEXTURE_COORDINATE, 65_536.0);
}

#[test]
fn the_header_stands_in_the_table() {
    let magic: Vec<_> = MAGIC.iter().map(|byte| format!("{byte:02X}")).collect();
    assert!(FORMAT.contains(&format!("| 0..8 | `{}` |", magic.join(" "))));
    assert!(FORMAT.contains(&format!("| 8..10 | {FORMAT_VERSION} |")));
    assert!(FORMAT.contains(&format!("| 10..12 | {FORMAT_MINOR_VERSION} |")));
    assert!(FORMAT.contains(&format!("**header** of {HEADER_BYTES} bytes")));
    assert_eq!(crc32fast::hash(b"123456789"), 0xcbf4_3926);
}

#[test]
fn the_example_is_the_golden_file() {
    let file = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/golden/v1/nobody.bonebox"));
    let file = file.expect("a golden file");
    for row in [&file[..16], &file[16..32]] {
        let hex = |half: &[u8]| half.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
        assert!(FORMAT.contains(&format!("{}  {}", hex(&row[..8]), hex(&row[8..]))));
    }
    assert!(FORMAT.contains(&format!("{} bytes of payload", file.len() - HEADER_BYTES)));
}
