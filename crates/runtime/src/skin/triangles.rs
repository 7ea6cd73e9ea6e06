//! The skinned triangles themselves, for drawing and for checks.

use super::error::SkinError;
use crate::PosedCharacter;
use glam::Vec3;
use skeleton::JointIndex;

/// A skinned triangle in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinTriangle {
    /// The joint that owns it.
    pub joint: JointIndex,
    /// The triangle of the source that it is or is a part of: [`baked_format::Skin::source_of`] has its mesh.
    pub source_triangle: u32,
    /// World space, in the order of the source's triangle.
    pub corners: [Vec3; 3],
}

impl PosedCharacter {
    /// Skins the whole character: `triangles` is overwritten with all triangles, by joint.
    ///
    /// # Errors
    /// The character was baked without its skin, the pose does not track it, or there is no pose.
    pub fn skin_triangles(&mut self, triangles: &mut Vec<SkinTriangle>) -> Result<(), SkinError> {
        triangles.clear();
        let kernel = self.kernel;
        let skin = self.skin_mut()?;
        let pieces = skin.table().map_or(0, |table| table.pieces.len());
        for index in 0..pieces {
            skin.prepare(kernel, index);
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

    /// Skins the whole character now, so that no later question waits for it.
    ///
    /// # Errors
    /// The character was baked without its skin, the pose does not track it, or there is no pose.
    pub fn prepare_skin(&mut self) -> Result<(), SkinError> {
        let kernel = self.kernel;
        let skin = self.skin_mut()?;
        let pieces = skin.table().map_or(0, |table| table.pieces.len());
        (0..pieces).for_each(|piece| skin.prepare(kernel, piece));
        Ok(())
    }
}
