//! Files written by earlier versions are read, and say what they said.
#![cfg(feature = "json")]
use crate::support;
use baked_format::{header, read, to_json, write};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/golden/v1")
}

#[test]
fn every_golden_file_is_read() {
    let mut count = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "bonebox") {
            let bytes = fs::read(&path).unwrap();
            assert_eq!(header(&bytes).unwrap().version, 1, "{}", path.display());
            let character = read(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let json = fs::read_to_string(path.with_extension("bonebox.json")).unwrap();
            assert_eq!(to_json(&character), json, "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= support::golden().len(), "golden files are missing: cargo xtask golden");
}

#[test]
fn golden_files_say_what_was_written() {
    for (name, character) in support::golden() {
        let bytes = fs::read(folder().join(format!("{name}.bonebox"))).unwrap();
        assert_eq!(read(&bytes).unwrap(), character, "{name}");
    }
}

/// The same character gives the same bytes on every machine, and from one release to the next. Where this fails, the
/// writer has changed: keep the old files, add new ones under other names, and say so in the change log.
#[test]
fn the_writer_gives_the_golden_bytes() {
    for (name, character) in support::golden() {
        let bytes = fs::read(folder().join(format!("{name}.bonebox"))).unwrap();
        assert!(write(&character).unwrap() == bytes, "{name}.bonebox");
    }
}
