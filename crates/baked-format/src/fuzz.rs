//! Bodies of the fuzz targets: each takes any bytes and panics where a promise is broken.

use crate::header::HEADER_BYTES;
use crate::{BakedCharacter, read, write};

/// A whole file: whatever [`read`] accepts is valid and can be written and read again.
///
/// # Panics
/// Where a promise is broken.
pub fn file(bytes: &[u8]) {
    if let Ok(character) = read(bytes) {
        accepted(&character);
    }
}

/// A payload behind a right header, so that mutations get past the checksum.
///
/// # Panics
/// Where a promise is broken.
pub fn payload(payload: &[u8]) {
    file(&sealed(payload));
}

/// The file of a payload: with a right header.
#[must_use]
pub fn sealed(payload: &[u8]) -> Vec<u8> {
    crate::write::seal(payload)
}

/// The payload of a file, to mutate.
#[must_use]
pub fn payload_of(file: &[u8]) -> &[u8] {
    file.get(HEADER_BYTES..).unwrap_or_default()
}

fn accepted(character: &BakedCharacter) {
    assert_eq!(character.validate(), Ok(()), "read returned what validate refuses");
    let bytes = write(character).expect("what read accepts can be written");
    let again = read(&bytes).expect("what was written can be read");
    assert_eq!(&again, character);
    assert_eq!(write(&again).as_ref(), Ok(&bytes), "the same character gave other bytes");
    #[cfg(feature = "json")]
    assert!(!crate::to_json(character).contains("NaN"));
}

/// What [`write`] gives, for a character that it may refuse: to see that [`read`] refuses it too.
#[must_use]
pub fn write_unchecked(character: &BakedCharacter) -> Vec<u8> {
    crate::write::unchecked(character)
}
