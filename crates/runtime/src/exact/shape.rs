//! Finds the joints whose skin a sphere, a capsule or a box touches.

use crate::kernels;
use crate::kernels::layout::LANES;
use crate::kernels::set_bits::set_bits;
use crate::skin::SkinError;
use crate::skin::blocks::ChunkBlocks;
use crate::skin::posed_skin::{PieceView, PosedSkin};
use crate::{Bounds, PosedCharacter, QueryShape};
use geometry_core::{Capsule, Obb, Sphere, Triangle, triangle};
use glam::Vec3;
use skeleton::JointIndex;

/// A shape in world space for queries about the skin of characters.
///
/// Implemented for [`Sphere`], [`Capsule`] and [`Obb`].
pub trait SkinShape: QueryShape {
    /// Returns `true` if the shape and the triangle share a point. The shape is solid: its inside belongs to it.
    fn overlaps_triangle(&self, corners: &[Vec3; 3]) -> bool;
}

impl SkinShape for Sphere {
    fn overlaps_triangle(&self, corners: &[Vec3; 3]) -> bool {
        triangle::overlaps_sphere(corners, self)
    }
}

impl SkinShape for Capsule {
    fn overlaps_triangle(&self, corners: &[Vec3; 3]) -> bool {
        triangle::overlaps_capsule(corners, self)
    }
}

impl SkinShape for Obb {
    fn overlaps_triangle(&self, &[a, b, c]: &[Vec3; 3]) -> bool {
        Triangle::try_new(a, b, c).is_ok_and(|triangle| Obb::overlaps_triangle(self, &triangle))
    }
}

/// A joint whose skin a shape touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkinShapeOverlap {
    /// The joint that owns the skin.
    pub joint: JointIndex,
    /// A source triangle that the shape touches: [`baked_format::Skin::source_of`] has its mesh.
    pub source_triangle: u32,
}

impl PosedCharacter {
    /// Finds the joints whose skin the shape touches, in world space. `found` is overwritten and sorted by joint, with
    /// one answer for each joint. A shape touches the skin if they share one point. For spheres and capsules, a gap as
    /// small as rounding errors counts as touching, see [`geometry_core::triangle::TRIANGLE_TOLERANCE`].
    ///
    /// Only the surface of the body counts: a shape that lies wholly inside the body touches nothing, see
    /// [`PosedCharacter::skin_contains`].
    ///
    /// # Errors
    /// Returns an error if the character was baked without its skin, the pose does not [track
    /// it](PosedCharacter::track_skin), or there is no pose. Then `found` is empty.
    pub fn exact_shape_overlaps(
        &mut self,
        shape: &impl SkinShape,
        found: &mut Vec<SkinShapeOverlap>,
    ) -> Result<(), SkinError> {
        found.clear();
        self.skin_mut()?.each_overlapped(shape, |one| found.push(one));
        Ok(())
    }
}

impl PosedSkin {
    /// Calls `found` with each joint whose skin the shape touches, in the order of joints.
    pub(crate) fn each_overlapped(&mut self, shape: &impl SkinShape, mut found: impl FnMut(SkinShapeOverlap)) {
        let bounds = shape.bounds();
        for block in 0..self.reach.len() {
            for lane in set_bits(kernels::near(self.kernel, &bounds, &self.reach[block])) {
                let index = block * LANES + lane;
                if self.skin_near(index, &bounds).is_some()
                    && let Some((piece, blocks)) = self.piece_near(index, &bounds)
                    && let Some(triangle) = first_overlapped((piece, blocks), shape, &bounds)
                {
                    let source_triangle = piece.table.source_triangles[triangle];
                    found(SkinShapeOverlap { joint: piece.table.joint, source_triangle });
                }
            }
        }
    }
}

fn first_overlapped(
    (piece, blocks): (PieceView<'_>, &mut ChunkBlocks),
    shape: &impl SkinShape,
    bounds: &Bounds,
) -> Option<usize> {
    for (block, lanes) in piece.posed.chunks.iter().enumerate() {
        for lane in set_bits(kernels::near(piece.kernel, bounds, lanes)) {
            let place = block * LANES + lane;
            for lane in set_bits(kernels::near(piece.kernel, bounds, &piece.block(blocks, place).bounds)) {
                let triangle = piece.triangle_at(place, lane);
                if shape.overlaps_triangle(&piece.triangle(triangle)) {
                    return Some(triangle);
                }
            }
        }
    }
    None
}
