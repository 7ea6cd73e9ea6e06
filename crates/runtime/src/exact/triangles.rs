//! The skinned triangles, for drawing and for checks.

use crate::PosedCharacter;
use crate::skin::SkinError;
use glam::Vec3;
use skeleton::JointIndex;

/// A skinned triangle in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinTriangle {
    /// The joint that owns the triangle.
    pub joint: JointIndex,
    /// The source triangle that this triangle is, or is a part of: [`baked_format::Skin::source_of`] has its mesh.
    pub source_triangle: u32,
    /// The corners in world space, in the order of the source triangle.
    pub corners: [Vec3; 3],
}

impl PosedCharacter {
    /// Skins the whole character. `triangles` is overwritten with all triangles, sorted by joint.
    ///
    /// # Errors
    /// Returns an error if the character was baked without its skin, the pose does not track the skin, or there is no
    /// pose. Then `triangles` is empty.
    pub fn skin_triangles(&mut self, triangles: &mut Vec<SkinTriangle>) -> Result<(), SkinError> {
        triangles.clear();
        let skin = self.skin_mut()?;
        for index in 0..skin.piece_count() {
            skin.prepare(index);
            let Some(piece) = skin.piece(index) else { continue };
            let sources = piece.table.source_triangles.iter().enumerate();
            triangles.extend(sources.map(|(triangle, &source_triangle)| SkinTriangle {
                joint: piece.table.joint,
                source_triangle,
                corners: piece.triangle(triangle),
            }));
        }
        Ok(())
    }

    /// Skins the whole character now, so that later queries do not have to.
    ///
    /// # Errors
    /// Returns an error if the character was baked without its skin, the pose does not track the skin, or there is no
    /// pose.
    pub fn prepare_skin(&mut self) -> Result<(), SkinError> {
        let skin = self.skin_mut()?;
        (0..skin.piece_count()).for_each(|piece| skin.prepare_chunks(piece));
        Ok(())
    }
}
