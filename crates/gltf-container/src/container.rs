//! The two forms of a glTF file: JSON text, and the GLB container (glTF 2.0, section 4.4).

use crate::ContainerError;
use std::io::{self, Read};

const MAGIC: &[u8; 4] = b"glTF";
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;
const JSON: u32 = 0x4E4F_534A;
const BIN: u32 = 0x004E_4942;
const BYTE_ORDER_MARK: &[u8; 3] = b"\xEF\xBB\xBF";

const TRUNCATED: &str = "the file was cut off or copied incompletely: fetch it or export it again";
const EXPORT: &str = "export the file again";

/// The first bytes of files of other formats, and the names of the formats in messages.
const OTHER_FORMATS: [(&[u8], &str); 8] = [
    (b"Kaydara FBX Binary", "an FBX file"),
    (b"; FBX ", "an FBX file"),
    (b"BLENDER", "a Blender file"),
    (b"PXR-USDC", "a USD file"),
    (b"#usda", "a USD file"),
    (b"PK\x03\x04", "a zip archive, as USDZ files are"),
    (b"<?xml", "an XML file, as COLLADA files are"),
    (b"\xC1\x83\x2A\x9E", "an Unreal asset"),
];

/// The parts of a glTF file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container<'a> {
    /// The JSON text, without a byte order mark, and without the blanks and zeros that pad it.
    pub json: &'a [u8],
    /// The data of a .glb's binary chunk, with its padding; `None` if the file has no such chunk.
    pub binary: Option<&'a [u8]>,
    /// The number of bytes after the length that the header states.
    pub trailing: usize,
    /// The chunks of a .glb after the JSON chunk; `None` for a .gltf.
    rest: Option<Chunks<'a>>,
}

/// Some chunks of a .glb with their headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Chunks<'a> {
    before_binary: &'a [u8],
    after_binary: &'a [u8],
}

impl<'a> Container<'a> {
    /// Splits a file into its parts. The first bytes say whether the file is GLB or JSON.
    ///
    /// # Errors
    /// Returns [`ContainerError`] if the bytes are neither a GLB container nor a JSON object, or the container is
    /// damaged.
    pub fn open(bytes: &'a [u8]) -> Result<Self, ContainerError> {
        if !bytes.starts_with(MAGIC) {
            return Ok(Self { json: text(bytes)?, binary: None, trailing: 0, rest: None });
        }
        let length = header(bytes)?;
        if length > bytes.len() {
            let expected = format!("a file of {length} bytes, as the header says");
            return Err(damaged(8, &expected, format!("a file of {} bytes", bytes.len()), TRUNCATED));
        }
        let chunks = &bytes[..length];
        let json_length = json_chunk(chunks)?;
        let (json, start) = data(chunks, HEADER, json_length, JSON)?;
        let (mut binary, mut split) = (None, start..start);
        let mut offset = start;
        while let Some((length, kind)) = chunk_header(chunks, offset)? {
            let (data, next) = data(chunks, offset, length, kind)?;
            match kind {
                BIN if binary.is_some() => {
                    return Err(damaged(offset + 4, "one BIN chunk", "a second one".to_owned(), EXPORT));
                }
                BIN => (binary, split) = (Some(data), offset..next),
                JSON => return Err(damaged(offset + 4, "one JSON chunk", "a second one".to_owned(), EXPORT)),
                _ => {} // Other programs may add chunks (section 4.4.3.1).
            }
            offset = next;
        }
        let rest = Chunks { before_binary: &chunks[start..split.start], after_binary: &chunks[split.end..] };
        Ok(Self { json: trimmed(json), binary, trailing: bytes.len() - length, rest: Some(rest) })
    }

    /// Returns true if the file is a .glb.
    #[must_use]
    pub fn is_glb(&self) -> bool {
        self.rest.is_some()
    }

    /// Returns the file with another JSON text. All other chunks keep their bytes, and `more` is appended to a .glb's
    /// binary chunk. The length of that chunk and that of `more` should be multiples of four. A .gltf has no place for
    /// `more`.
    ///
    /// # Errors
    /// Returns [`ContainerError::TooLarge`] if the .glb would exceed 4 GiB.
    pub fn with_json(&self, json: &[u8], more: &[u8]) -> Result<Vec<u8>, ContainerError> {
        let Some(Chunks { before_binary, after_binary }) = self.rest else { return Ok(json.to_vec()) };
        let binary = [self.binary.unwrap_or_default(), more];
        let binary_length = binary[0].len() + more.len();
        let has_binary = self.binary.is_some() || !more.is_empty();
        let padded = json.len().next_multiple_of(4);
        let chunk = if has_binary { CHUNK_HEADER + binary_length } else { 0 };
        let total = HEADER + CHUNK_HEADER + padded + before_binary.len() + chunk + after_binary.len();
        let length = u32::try_from(total).map_err(|_| ContainerError::TooLarge { bytes: total as u64 })?;
        let mut bytes = Vec::with_capacity(total);
        bytes.extend_from_slice(MAGIC);
        bytes.extend([2, length].into_iter().flat_map(u32::to_le_bytes));
        bytes.extend([padded as u32, JSON].into_iter().flat_map(u32::to_le_bytes));
        bytes.extend_from_slice(json);
        bytes.resize(HEADER + CHUNK_HEADER + padded, b' ');
        bytes.extend_from_slice(before_binary);
        if has_binary {
            bytes.extend([binary_length as u32, BIN].into_iter().flat_map(u32::to_le_bytes));
            binary.iter().for_each(|part| bytes.extend_from_slice(part));
        }
        bytes.extend_from_slice(after_binary);
        Ok(bytes)
    }
}

/// Makes a .glb of JSON text and binary data. The length of the data should be a multiple of four; without data, the file has no
/// binary chunk.
///
/// # Errors
/// Returns [`ContainerError::TooLarge`] if the .glb would exceed 4 GiB.
pub fn to_glb(json: &[u8], binary: &[u8]) -> Result<Vec<u8>, ContainerError> {
    let rest = Some(Chunks { before_binary: &[], after_binary: &[] });
    Container { json: &[], binary: None, trailing: 0, rest }.with_json(json, binary)
}

/// Reads the JSON text of a file, and no chunk after it: the start of a .glb, and the whole of any other file.
///
/// # Errors
/// Returns an error if the file cannot be read. The error has the kind [`io::ErrorKind::InvalidData`] and a
/// [`ContainerError`] if the file is not glTF or the part that was read is damaged.
pub fn read_json(mut file: impl Read) -> io::Result<Vec<u8>> {
    let invalid = |error| io::Error::new(io::ErrorKind::InvalidData, error);
    let mut bytes = Vec::new();
    file.by_ref().take((HEADER + CHUNK_HEADER) as u64).read_to_end(&mut bytes)?;
    if !bytes.starts_with(MAGIC) {
        file.read_to_end(&mut bytes)?;
        return Ok(text(&bytes).map_err(invalid)?.to_vec());
    }
    header(&bytes).map_err(invalid)?;
    let length = json_chunk(&bytes).map_err(invalid)?;
    file.take(length as u64).read_to_end(&mut bytes)?;
    let (json, _) = data(&bytes, HEADER, length, JSON).map_err(invalid)?;
    Ok(trimmed(json).to_vec())
}

/// Returns true if the bytes are a pointer of Git LFS, which stands for a file that was not downloaded.
#[must_use]
pub fn is_lfs_pointer(bytes: &[u8]) -> bool {
    bytes.starts_with(b"version https://git-lfs.github.com/spec/")
}

/// The JSON text of a file that is not a .glb.
fn text(bytes: &[u8]) -> Result<&[u8], ContainerError> {
    let json = trimmed(bytes);
    if json.trim_ascii_start().first() == Some(&b'{') {
        return Ok(json);
    }
    if let Some((_, name)) = OTHER_FORMATS.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Err(ContainerError::OtherFormat { name });
    }
    let found = match bytes {
        _ if is_lfs_pointer(bytes) => return Err(ContainerError::LfsPointer),
        [] => "an empty file".to_owned(),
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => "text in UTF-16, which must be saved as UTF-8".to_owned(),
        _ => format!("the bytes {}", bytes[..bytes.len().min(8)].escape_ascii()),
    };
    Err(ContainerError::NotGltf { found })
}

/// The JSON without a byte order mark, which editors write although glTF forbids it, and without the blanks and zeros
/// that pad it. Other white space at its end belongs to a .gltf.
fn trimmed(json: &[u8]) -> &[u8] {
    let json = json.strip_prefix(BYTE_ORDER_MARK).unwrap_or(json);
    let padding = json.iter().rev().take_while(|&&byte| byte == b' ' || byte == 0).count();
    &json[..json.len() - padding]
}

/// Checks the header, and returns the length that it states.
fn header(bytes: &[u8]) -> Result<usize, ContainerError> {
    let (Some(version), Some(length)) = (u32_at(bytes, 4), u32_at(bytes, 8)) else {
        return Err(damaged(0, "a header of 12 bytes", format!("a file of {} bytes", bytes.len()), TRUNCATED));
    };
    if version != 2 {
        return Err(ContainerError::Version { found: version });
    }
    if (length as usize) < HEADER {
        return Err(damaged(8, "a length of at least 12", format!("{length}"), EXPORT));
    }
    Ok(length as usize)
}

/// The length of the first chunk, which must be JSON.
fn json_chunk(bytes: &[u8]) -> Result<usize, ContainerError> {
    let first = chunk_header(bytes, HEADER)?;
    let (length, kind) =
        first.ok_or_else(|| damaged(HEADER, "a JSON chunk", "the end of the file".to_owned(), TRUNCATED))?;
    if kind != JSON {
        return Err(damaged(HEADER + 4, "a first chunk of type JSON", chunk_name(kind), EXPORT));
    }
    Ok(length)
}

/// Reads the length and the type of the chunk at `offset`; `None` at the end.
fn chunk_header(bytes: &[u8], offset: usize) -> Result<Option<(usize, u32)>, ContainerError> {
    let rest = bytes.len() - offset;
    if rest == 0 {
        return Ok(None);
    }
    let (Some(length), Some(kind)) = (u32_at(bytes, offset), u32_at(bytes, offset + 4)) else {
        return Err(damaged(offset, "a chunk header of 8 bytes", format!("{rest} bytes"), TRUNCATED));
    };
    Ok(Some((length as usize, kind)))
}

/// The data of the chunk at `offset`, and the offset after the chunk.
fn data(bytes: &[u8], offset: usize, length: usize, kind: u32) -> Result<(&[u8], usize), ContainerError> {
    let start = offset + CHUNK_HEADER;
    let Some(data) = bytes[start..].get(..length) else {
        let expected = format!("{length} bytes of chunk {}", chunk_name(kind));
        return Err(damaged(start, &expected, format!("{} bytes", bytes.len() - start), TRUNCATED));
    };
    Ok((data, start + length))
}

fn chunk_name(kind: u32) -> String {
    format!("\"{}\"", kind.to_le_bytes().escape_ascii())
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    let four = bytes.get(offset..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*four))
}

fn damaged(offset: usize, expected: &str, found: String, cure: &'static str) -> ContainerError {
    ContainerError::Damaged { offset, expected: expected.to_owned(), found, cure }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Chunk = (u32, &'static [u8]);
    const OTHER: u32 = 7;

    fn glb(chunks: &[Chunk]) -> Vec<u8> {
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

    /// What [`read_json`] returns, with its error as a text.
    fn read(bytes: &[u8]) -> Result<Vec<u8>, String> {
        read_json(bytes).map_err(|error| error.to_string())
    }

    #[test]
    fn finds_json_and_binary_and_skips_unknown_chunks() {
        for chunks in [
            &[(JSON, &b"{}  "[..]), (OTHER, b"what"), (BIN, b"1234")][..],
            &[(JSON, b"{}\0\0"), (BIN, b"1234"), (OTHER, b"what")],
            &[(JSON, b"\xEF\xBB\xBF{} \0\0"), (BIN, b"1234")],
        ] {
            let mut bytes = glb(chunks);
            bytes.extend(b"more");
            let container = Container::open(&bytes).unwrap();
            assert_eq!((container.json, container.binary, container.trailing), (&b"{}"[..], Some(&b"1234"[..]), 4));
            assert!(container.is_glb());
            assert_eq!(read(&bytes).unwrap(), b"{}");
        }
    }

    #[test]
    fn every_truncation_is_an_error() {
        let bytes = glb(&[(JSON, b"{}  "), (BIN, b"1234")]);
        for length in 0..bytes.len() {
            let error = Container::open(&bytes[..length]).unwrap_err();
            let after_json = length >= HEADER + CHUNK_HEADER + 4;
            assert_eq!(read(&bytes[..length]).is_ok(), after_json, "{error}");
        }
    }

    #[test]
    fn chunks_out_of_order_or_twice_are_errors() {
        for chunks in
            [&[(BIN, &b"{}  "[..])][..], &[(JSON, b"{}"), (JSON, b"{}")], &[(JSON, b"{}"), (BIN, b""), (BIN, b"")]]
        {
            assert!(matches!(Container::open(&glb(chunks)), Err(ContainerError::Damaged { .. })));
        }
        assert!(read(&glb(&[(BIN, b"{}")])).unwrap_err().contains("a first chunk of type JSON"));
    }

    #[test]
    fn text_may_start_with_a_byte_order_mark_and_blanks() {
        for (file, json) in [(&b"\xEF\xBB\xBF \n{}\n"[..], &b" \n{}\n"[..]), (b"{} \0", b"{}")] {
            let container = Container::open(file).unwrap();
            assert_eq!((container.json, container.is_glb()), (json, false));
            assert_eq!(read(file).unwrap(), json);
            assert_eq!(container.with_json(b"{}", b"").unwrap(), b"{}");
        }
    }

    #[test]
    fn other_files_are_named() {
        let error = |bytes: &[u8]| {
            let error = Container::open(bytes).unwrap_err().to_string();
            assert_eq!(read(bytes).unwrap_err(), error);
            error
        };
        assert!(error(b"").contains("found an empty file"));
        assert!(error(b"[]").contains("found the bytes []"));
        assert!(error(b"Kaydara FBX Binary  \0").starts_with("this is an FBX file, expected glTF 2.0"));
        assert!(error(b"\xFF\xFE{\0}\0").contains("found text in UTF-16"));
        let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
        assert!(error(pointer).contains("run `git lfs pull`"));
        assert!(error(b"glTF\x01\0\0\0\x0C\0\0\0").contains("this is glTF 1"));
    }

    #[test]
    fn other_chunks_stay_and_the_binary_one_grows() {
        let (json, new, other): (Chunk, Chunk, Chunk) = ((JSON, b"{}  "), (JSON, b"{\"a\":1} "), (OTHER, b"else"));
        for (before, more, after) in [
            (glb(&[json]), &b""[..], glb(&[new])),
            (glb(&[json]), b"1234", glb(&[new, (BIN, b"1234")])),
            (glb(&[json, other]), b"1234", glb(&[new, (BIN, b"1234"), other])),
            (glb(&[json, (BIN, b"abcd"), other]), b"", glb(&[new, (BIN, b"abcd"), other])),
            (glb(&[json, (BIN, b"abcd"), other]), b"1234", glb(&[new, (BIN, b"abcd1234"), other])),
            (glb(&[json, other, (BIN, b"abcd"), other]), b"1234", glb(&[new, other, (BIN, b"abcd1234"), other])),
            (glb(&[json, (BIN, b""), other]), b"", glb(&[new, (BIN, b""), other])),
        ] {
            let container = Container::open(&before).unwrap();
            assert_eq!(container.json, b"{}");
            let bytes = container.with_json(b"{\"a\":1}", more).unwrap();
            assert_eq!(bytes, after);
            Container::open(&bytes).unwrap();
        }
    }
}
