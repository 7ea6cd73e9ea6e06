//! A glTF file as its JSON text and, in a .glb, all that follows it.

use anyhow::Context as _;

/// The two parts of a file.
#[derive(Debug)]
pub(super) struct Container<'a> {
    /// The JSON as it stands in the file, without a .glb's padding.
    pub(super) json: &'a str,
    /// A .glb's chunks behind the JSON, headers included; `None` for a .gltf.
    rest: Option<&'a [u8]>,
}

const MAGIC: &[u8; 4] = b"glTF";

impl<'a> Container<'a> {
    /// Takes a file apart that the importer has accepted.
    pub(super) fn open(bytes: &'a [u8]) -> anyhow::Result<Self> {
        let (json, rest) = if bytes.starts_with(MAGIC) {
            let word = |at: usize| bytes.get(at..at + 4).and_then(|word| word.try_into().ok()).map(u32::from_le_bytes);
            let length = word(12).context("no JSON chunk")? as usize;
            let json = bytes.get(20..20 + length).context("JSON chunk cut off")?;
            // Trailing bytes behind the declared length are no part of the container.
            let end = (word(8).context("no length")? as usize).min(bytes.len());
            (json, Some(bytes.get(20 + length..end).unwrap_or_default()))
        } else {
            (bytes, None)
        };
        let json = std::str::from_utf8(json).context("the JSON is not UTF-8")?;
        Ok(Self { json: json.trim_end_matches([' ', '\0']), rest })
    }

    /// The file again, with another JSON; chunks behind it stay as they are, to the byte.
    pub(super) fn with_json(&self, json: &str) -> anyhow::Result<Vec<u8>> {
        let Some(rest) = self.rest else { return Ok(json.as_bytes().to_vec()) };
        let padded = json.len().next_multiple_of(4);
        let total = u32::try_from(20 + padded + rest.len()).context("a .glb cannot exceed 4 GiB")?;
        let mut bytes = Vec::with_capacity(total as usize);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&2_u32.to_le_bytes());
        bytes.extend_from_slice(&total.to_le_bytes());
        bytes.extend_from_slice(&(padded as u32).to_le_bytes());
        bytes.extend_from_slice(b"JSON");
        bytes.extend_from_slice(json.as_bytes());
        bytes.resize(20 + padded, b' ');
        bytes.extend_from_slice(rest);
        Ok(bytes)
    }
}
