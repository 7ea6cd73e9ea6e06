//! The GLB container: glTF 2.0, section 4.4.

use crate::error::ImportError;

const MAGIC: &[u8; 4] = b"glTF";
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;
const JSON: u32 = 0x4E4F_534A;
const BIN: u32 = 0x004E_4942;

/// The JSON and the binary part of a file; a .gltf has only JSON.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parts<'a> {
    pub(crate) json: &'a [u8],
    pub(crate) bin: Option<&'a [u8]>,
    /// The number of bytes after the length that the header states.
    pub(crate) trailing: usize,
}

/// Detects GLB or JSON by the first bytes, and splits a container into its parts.
pub(crate) fn split(bytes: &[u8]) -> Result<Parts<'_>, ImportError> {
    if bytes.starts_with(MAGIC) {
        return split_container(bytes);
    }
    let json = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if json.trim_ascii_start().first() == Some(&b'{') {
        return Ok(Parts { json, bin: None, trailing: 0 });
    }
    let found = match bytes {
        [] => "an empty file".to_owned(),
        _ => format!("the bytes {}", bytes[..bytes.len().min(8)].escape_ascii()),
    };
    Err(ImportError::NotGltf { found })
}

fn split_container(bytes: &[u8]) -> Result<Parts<'_>, ImportError> {
    let Some(version) = u32_at(bytes, 4).filter(|_| bytes.len() >= HEADER) else {
        return Err(damaged(0, "a header of 12 bytes", format!("a file of {} bytes", bytes.len()), TRUNCATED));
    };
    if version != 2 {
        return Err(ImportError::Version { found: format!("{version} (GLB container)") });
    }
    let length = u32_at(bytes, 8).unwrap_or(0) as usize;
    if length > bytes.len() {
        let expected = format!("a file of {length} bytes, as the header says");
        return Err(damaged(8, &expected, format!("a file of {} bytes", bytes.len()), TRUNCATED));
    }
    if length < HEADER {
        return Err(damaged(8, "a length of at least 12", format!("{length}"), EXPORT));
    }
    let chunks = &bytes[..length];
    let (kind, json, mut offset) = chunk(chunks, HEADER)?
        .ok_or_else(|| damaged(HEADER, "a JSON chunk", "the end of the file".to_owned(), TRUNCATED))?;
    if kind != JSON {
        return Err(damaged(HEADER + 4, "a first chunk of type JSON", chunk_name(kind), EXPORT));
    }
    let mut bin = None;
    while let Some((kind, data, next)) = chunk(chunks, offset)? {
        match kind {
            BIN if bin.is_some() => {
                return Err(damaged(offset + 4, "one BIN chunk", "a second one".to_owned(), EXPORT));
            }
            BIN => bin = Some(data),
            JSON => return Err(damaged(offset + 4, "one JSON chunk", "a second one".to_owned(), EXPORT)),
            _ => {} // Other programs may add chunks (section 4.4.3.1).
        }
        offset = next;
    }
    Ok(Parts { json, bin, trailing: bytes.len() - length })
}

/// A chunk's type, its data, and the offset after the chunk.
type Chunk<'a> = (u32, &'a [u8], usize);

/// Reads the chunk at `offset`; `None` at the end.
fn chunk(bytes: &[u8], offset: usize) -> Result<Option<Chunk<'_>>, ImportError> {
    let rest = bytes.len() - offset;
    if rest == 0 {
        return Ok(None);
    }
    let (Some(length), Some(kind)) = (u32_at(bytes, offset), u32_at(bytes, offset + 4)) else {
        return Err(damaged(offset, "a chunk header of 8 bytes", format!("{rest} bytes"), TRUNCATED));
    };
    let (start, length) = (offset + CHUNK_HEADER, length as usize);
    let Some(data) = bytes[start..].get(..length) else {
        let expected = format!("{length} bytes of chunk {}", chunk_name(kind));
        return Err(damaged(start, &expected, format!("{} bytes", bytes.len() - start), TRUNCATED));
    };
    Ok(Some((kind, data, start + length)))
}

fn chunk_name(kind: u32) -> String {
    format!("\"{}\"", kind.to_le_bytes().escape_ascii())
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    let four = bytes.get(offset..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*four))
}

const TRUNCATED: &str = "the file was cut off or copied incompletely: fetch it or export it again";
const EXPORT: &str = "export the file again";

fn damaged(offset: usize, expected: &str, found: String, cure: &'static str) -> ImportError {
    ImportError::Container { offset, expected: expected.to_owned(), found, cure }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn container(chunks: &[(u32, &[u8])]) -> Vec<u8> {
        let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
        for (kind, data) in chunks {
            bytes.extend((data.len() as u32).to_le_bytes());
            bytes.extend(kind.to_le_bytes());
            bytes.extend(*data);
        }
        let length = bytes.len() as u32;
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        bytes
    }

    #[test]
    fn finds_json_and_bin_and_skips_unknown_chunks() {
        let bytes = container(&[(JSON, b"{}  "), (7, b"what"), (BIN, b"1234")]);
        let parts = split(&bytes).unwrap();
        assert_eq!(parts, Parts { json: b"{}  ", bin: Some(b"1234"), trailing: 0 });
    }

    #[test]
    fn every_truncation_is_an_error() {
        let bytes = container(&[(JSON, b"{}  "), (BIN, b"1234")]);
        for length in 0..bytes.len() {
            split(&bytes[..length]).unwrap_err();
        }
    }

    #[test]
    fn counts_trailing_bytes() {
        let mut bytes = container(&[(JSON, b"{}  ")]);
        bytes.extend(b"more");
        assert_eq!(split(&bytes).unwrap().trailing, 4);
    }

    #[test]
    fn refuses_chunks_out_of_order_or_twice() {
        for kinds in [&[BIN][..], &[JSON, JSON], &[JSON, BIN, BIN]] {
            let chunks: Vec<(u32, &[u8])> = kinds.iter().map(|&kind| (kind, &b"{}  "[..])).collect();
            assert!(matches!(split(&container(&chunks)), Err(ImportError::Container { .. })));
        }
    }

    #[test]
    fn text_may_start_with_a_byte_order_mark_and_blanks() {
        assert_eq!(split(b"\xEF\xBB\xBF \n{}").unwrap().json, b" \n{}");
        assert!(matches!(split(b"[]"), Err(ImportError::NotGltf { .. })));
    }
}
