//! The size of a character's skin in its file.

use baked_format::BakedCharacter;

/// The bytes that the skin adds to a file, and the vertices that they describe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SkinSize {
    /// The bytes of the file with the skin minus the bytes without it.
    pub(crate) bytes: usize,
    /// The vertices of all pieces. A vertex of two pieces counts in each piece.
    pub(crate) vertices: usize,
}

impl SkinSize {
    /// Measures the skin of a character; `None` if the character was baked without its skin.
    ///
    /// # Errors
    /// Returns an error if the character cannot be written.
    pub(crate) fn measure(character: &BakedCharacter) -> anyhow::Result<Option<Self>> {
        let Some(skin) = &character.skin else { return Ok(None) };
        let without = BakedCharacter { skin: None, ..character.clone() };
        let bytes = baked_format::write(character)?.len() - baked_format::write(&without)?.len();
        let vertices = skin.pieces.iter().map(|piece| piece.positions.len()).sum();
        Ok(Some(Self { bytes, vertices }))
    }

    /// The bytes for each vertex on average, everything included.
    pub(crate) fn bytes_per_vertex(self) -> f64 {
        self.bytes as f64 / self.vertices.max(1) as f64
    }
}
