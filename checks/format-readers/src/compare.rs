//! Compares one reader with the reader in Rust.

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compares valid files line by line, then damaged files, and returns a text with the numbers of both.
pub(crate) fn all(reader: &dyn Fn() -> Command, files: &[PathBuf], work: &Path) -> Result<String> {
    let mut boxes = 0;
    let mut largest = (0, &files[0]);
    for file in files {
        let count = same_boxes(reader, file).with_context(|| file.display().to_string())?;
        boxes += count;
        largest = largest.max((count, file));
    }
    ensure!(boxes > 0, "the files have no boxes to compare");
    let refused = refuses_damage(reader, largest.1, work)?;
    let survived = survives_wrong_offsets(reader, largest.1, work)?;
    let files = files.len();
    Ok(format!(
        "{boxes} boxes of {files} files are the same, and so are the bones, the clips and the attacks; {refused} damaged files are refused; {survived} payloads with \
         wrong offsets behind a right checksum do not crash it"
    ))
}

fn same_boxes(reader: &dyn Fn() -> Command, file: &Path) -> Result<usize> {
    let character = baked_format::read(&fs::read(file)?)?;
    let expected: Value = serde_json::from_str(&baked_format::to_json(&character))?;
    let bake = serde_json::json!({ "algorithm_revision": expected["algorithm_revision"] });
    let boxes = expected["boxes"].as_array().cloned().unwrap_or_default();
    let humanoid = expected.get("humanoid").map(|humanoid| serde_json::json!({ "humanoid": humanoid }));
    let skin = expected.get("skin").map(|skin| serde_json::json!({ "skin": skin }));
    let pieces = expected["skin_pieces"].as_array().cloned().unwrap_or_default();
    let clips = expected["clips"].as_array().cloned().unwrap_or_default();
    let clips = clips.iter().map(|clip| serde_json::json!({ "clip": clip }));
    let each = |list: &str, key: &str| -> Vec<Value> {
        expected[list].as_array().into_iter().flatten().map(|one| serde_json::json!({ key: one })).collect()
    };
    let attacks = [each("attacks", "attack"), each("states", "state")].concat();
    let after_boxes = humanoid.into_iter().chain(skin).chain(pieces).chain(clips).chain(attacks);
    let expected: Vec<Value> = std::iter::once(bake).chain(boxes.iter().cloned()).chain(after_boxes).collect();
    let output = crate::tools::run(reader().arg(file))?;
    let found: Vec<Value> = String::from_utf8(output.stdout)?
        .lines()
        .map(|line| serde_json::from_str(line).with_context(|| format!("not JSON: {line}")))
        .collect::<Result<_>>()?;
    ensure!(found.len() == expected.len(), "{} lines instead of {}", found.len(), expected.len());
    for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
        if !same(found, expected) {
            bail!("line {index} is\n{found}\ninstead of\n{expected}");
        }
    }
    Ok(boxes.len())
}

/// Compares numbers as `f32`, and other values exactly.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let single = |number: &serde_json::Number| number.to_string().parse::<f32>().ok();
            // Integers above 2^24 would equal their neighbors as `f32`.
            if a.is_u64() && b.is_u64() { a == b } else { single(a) == single(b) }
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}

fn refuses_damage(reader: &dyn Fn() -> Command, file: &Path, work: &Path) -> Result<usize> {
    let sound = fs::read(file)?;
    let mut damaged = vec![
        ("cut off", sound[..sound.len() - 1].to_vec(), "cut off"),
        ("no header", sound[..31].to_vec(), "cut off"),
        ("one byte more", [sound.as_slice(), &[0]].concat(), "too long"),
        ("another format", b"glTF".repeat(16), "not a .bonebox file"),
        ("newer version", with_version(&sound, 2, 0), "unsupported version 2"),
    ];
    for (what, at, message) in [
        ("flipped in the version", 8, "header's checksum"),
        ("flipped in the length", 17, "header's checksum"),
        ("flipped in the payload", sound.len() - 1, "payload's checksum"),
    ] {
        let mut bytes = sound.clone();
        bytes[at] ^= 0x10;
        damaged.push((what, bytes, message));
    }
    let path = work.join("damaged.bonebox");
    for (what, bytes, message) in &damaged {
        fs::write(&path, bytes)?;
        let output = reader().arg(&path).output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.code() == Some(1), "{what}: ended with {} and said {said}", output.status);
        ensure!(said.contains(message), "{what}: said {said:?}, without {message:?}");
    }
    Ok(damaged.len())
}

/// The file with another version in its header, and the correct checksum for it.
pub(crate) fn with_version(sound: &[u8], version: u16, minor_version: u16) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    bytes[8..10].copy_from_slice(&version.to_le_bytes());
    bytes[10..12].copy_from_slice(&minor_version.to_le_bytes());
    let checksum = crc32(&bytes[..28]);
    bytes[28..32].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Computes the checksum bit by bit, as a second implementation without a dependency.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

/// Damages offsets. The reader must exit with code 0 or 1, not with a signal, a sanitizer's report or a stack trace.
fn survives_wrong_offsets(reader: &dyn Fn() -> Command, file: &Path, work: &Path) -> Result<usize> {
    const ROUNDS: usize = 40;
    let sound = fs::read(file)?;
    let payload = baked_format::fuzz::payload_of(&sound);
    let path = work.join("mutated.bonebox");
    for round in 0..ROUNDS {
        let mut mutated = payload.to_vec();
        // The first words are the root, the vtable and the offsets of the lists. The lists of joints and boxes follow.
        let at = 4 * round;
        let words: [u32; 4] = [0, u32::MAX, 0x4000_0000, mutated.len() as u32];
        if let Some(word) = mutated.get_mut(at..at + 4) {
            word.copy_from_slice(&words[round % 4].to_le_bytes());
        }
        fs::write(&path, baked_format::fuzz::sealed(&mutated))?;
        let output = reader().arg(&path).output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        let is_handled = matches!(output.status.code(), Some(0 | 1)) && !said.contains("Traceback");
        ensure!(is_handled, "byte {at} of the payload: ended with {} and said {said}", output.status);
    }
    Ok(ROUNDS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_compared_as_f32() {
        assert!(same(&json!({ "a": [0.1, 1] }), &json!({ "a": [0.100000001, 1.0] })));
        assert!(!same(&json!({ "a": [0.1] }), &json!({ "a": [0.10000002] })));
        assert!(!same(&json!(16_777_217), &json!(16_777_216)));
        assert!(!same(&json!({ "a": 1 }), &json!({ "a": 1, "b": 1 })));
        assert!(!same(&json!("a"), &json!("b")));
    }

    #[test]
    fn the_checksum_has_the_standard_check_value() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }
}
