//! A glTF file as its JSON text and, in a .glb, the chunks that follow it.
//!
//! An export must keep every byte that it does not have to change. The containers of glTF crates parse the JSON and
//! print it anew, so this module does not use them.

use crate::ExportError;

/// The two parts of a glTF file.
#[derive(Debug)]
pub(crate) struct Container<'a> {
    /// The JSON text of the file, without a .glb's padding.
    pub(crate) json: &'a str,
    /// A .glb's chunks after the JSON chunk, headers included; `None` for a .gltf.
    rest: Option<&'a [u8]>,
}

const MAGIC: &[u8; 4] = b"glTF";
const BIN: &[u8; 4] = b"BIN\0";

impl<'a> Container<'a> {
    /// Splits a file that the importer has accepted.
    ///
    /// # Errors
    /// Returns an error if the container is cut off, or if its JSON is not UTF-8.
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, ExportError> {
        let (json, rest) = if bytes.starts_with(MAGIC) {
            let word = |at: usize| bytes.get(at..at + 4).and_then(|word| word.try_into().ok()).map(u32::from_le_bytes);
            let length = word(12).ok_or(ExportError::Container("no JSON chunk"))? as usize;
            let json = bytes.get(20..20 + length).ok_or(ExportError::Container("JSON chunk cut off"))?;
            // Bytes after the declared length do not belong to the container.
            let end = (word(8).ok_or(ExportError::Container("no length"))? as usize).min(bytes.len());
            (json, Some(bytes.get(20 + length..end).unwrap_or_default()))
        } else {
            (bytes, None)
        };
        let json = std::str::from_utf8(json).map_err(|_| ExportError::Container("the JSON is not UTF-8"))?;
        Ok(Self { json: json.trim_end_matches([' ', '\0']), rest })
    }

    /// Returns true if the file is a .glb.
    pub(crate) fn is_glb(&self) -> bool {
        self.rest.is_some()
    }

    /// Returns the binary chunk's bytes with their padding; `None` if there is no such chunk.
    pub(crate) fn binary(&self) -> Option<&'a [u8]> {
        let rest = self.rest?;
        let length = u32::from_le_bytes(rest.get(..4)?.try_into().ok()?) as usize;
        (rest.get(4..8)? == BIN).then(|| rest.get(8..8 + length))?
    }

    /// Returns the file with another JSON text. The other chunks keep their bytes, and `more` is appended to a .glb's
    /// binary chunk. The length of that chunk and that of `more` must be multiples of four.
    ///
    /// # Errors
    /// Returns an error if the .glb would exceed 4 GiB.
    pub(crate) fn with_json(&self, json: &str, more: &[u8]) -> Result<Vec<u8>, ExportError> {
        let Some(rest) = self.rest else { return Ok(json.as_bytes().to_vec()) };
        let binary = self.binary();
        let behind = binary.map_or(rest, |binary| &rest[8 + binary.len()..]);
        let binary = [binary.unwrap_or_default(), more];
        let length: usize = binary.iter().map(|part| part.len()).sum();
        let chunk = if length > 0 || behind.len() < rest.len() { 8 + length } else { 0 };
        let padded = json.len().next_multiple_of(4);
        let total = u32::try_from(20 + padded + chunk + behind.len())
            .map_err(|_| ExportError::Container("a .glb cannot exceed 4 GiB"))?;
        let mut bytes = Vec::with_capacity(total as usize);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&2_u32.to_le_bytes());
        bytes.extend_from_slice(&total.to_le_bytes());
        bytes.extend_from_slice(&(padded as u32).to_le_bytes());
        bytes.extend_from_slice(b"JSON");
        bytes.extend_from_slice(json.as_bytes());
        bytes.resize(20 + padded, b' ');
        if chunk > 0 {
            bytes.extend_from_slice(&(length as u32).to_le_bytes());
            bytes.extend_from_slice(BIN);
            binary.iter().for_each(|part| bytes.extend_from_slice(part));
        }
        bytes.extend_from_slice(behind);
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Chunk = (&'static [u8; 4], &'static [u8]);

    fn glb(chunks: &[Chunk]) -> Vec<u8> {
        let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
        for (kind, data) in chunks {
            bytes.extend_from_slice(&(data.len() as u32).to_le_bytes());
            bytes.extend_from_slice(*kind);
            bytes.extend_from_slice(data);
        }
        let length = bytes.len() as u32;
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        bytes
    }

    #[test]
    fn other_chunks_stay_and_the_binary_one_grows() {
        let (json, new, other): (Chunk, Chunk, Chunk) =
            ((b"JSON", b"{}  "), (b"JSON", b"{\"a\":1} "), (b"WHAT", b"else"));
        for (before, more, after) in [
            (glb(&[json]), &b""[..], glb(&[new])),
            (glb(&[json]), b"1234", glb(&[new, (BIN, b"1234")])),
            (glb(&[json, other]), b"1234", glb(&[new, (BIN, b"1234"), other])),
            (glb(&[json, (BIN, b"abcd"), other]), b"", glb(&[new, (BIN, b"abcd"), other])),
            (glb(&[json, (BIN, b"abcd"), other]), b"1234", glb(&[new, (BIN, b"abcd1234"), other])),
            (glb(&[json, (BIN, b""), other]), b"", glb(&[new, (BIN, b""), other])),
        ] {
            let container = Container::open(&before).unwrap();
            assert_eq!(container.json, "{}");
            assert_eq!(container.with_json("{\"a\":1}", more).unwrap(), after);
        }
    }
}
