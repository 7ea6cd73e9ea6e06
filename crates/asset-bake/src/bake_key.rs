//! The key of a bake: a hash of everything that its bytes depend on.

use crate::GENERATOR;
use baked_format::{FORMAT_MINOR_VERSION, FORMAT_VERSION};
use bone_fit::ALGORITHM_REVISION;
use std::fmt;

/// A hash of everything that the bytes of a bake depend on: the version of the program, the format and the algorithms, all
/// bytes that are read, and the options and settings that apply to the character. Two bakes with equal keys have equal bytes, on
/// every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BakeKey([u8; 32]);

impl BakeKey {
    /// `name` is the character's name and `file` the file name of its asset, which both are in the baked file. `source` is the hash
    /// of all bytes that are read, `root` the node of one of several characters, and `options` is what a baked file records.
    pub(crate) fn new(
        name: &str,
        file: &str,
        root: Option<u32>,
        source: [u8; 32],
        options: &[(String, String)],
    ) -> Self {
        let mut hasher = blake3::Hasher::new();
        // The length before each part keeps parts apart.
        let mut add = |part: &[u8]| {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        };
        add(b"bonebox bake key 1");
        add(GENERATOR.as_bytes());
        for number in [u32::from(FORMAT_VERSION), u32::from(FORMAT_MINOR_VERSION), ALGORITHM_REVISION] {
            add(&number.to_le_bytes());
        }
        add(name.as_bytes());
        add(file.as_bytes());
        add(root.map(u32::to_le_bytes).as_ref().map_or(&[][..], |node| node));
        add(&source);
        for (key, value) in options {
            add(key.as_bytes());
            add(value.as_bytes());
        }
        Self(*hasher.finalize().as_bytes())
    }

    pub(crate) fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for BakeKey {
    /// 64 hexadecimal digits.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        blake3::Hash::from(self.0).to_hex().fmt(formatter)
    }
}
