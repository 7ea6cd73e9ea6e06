//! Tests if a point is inside the skin.

use crate::PosedCharacter;
use crate::skin::SkinError;
use crate::skin::posed_skin::PosedSkin;
use geometry_core::triangle::solid_angle;
use glam::Vec3;

impl PosedCharacter {
    /// Returns `true` if a point in world space is inside the skin: the absolute value of the generalized winding
    /// number of the whole skin around the point is at least one half.
    ///
    /// - **Closed surfaces.** This is the usual meaning of inside. A body of several closed parts that overlap counts
    ///   as one body.
    /// - **Open surfaces,** for example a cape, or a body with a hole at the neck, have no clear inside. The winding
    ///   number is the share of all directions in which the back of the surface is seen from the point. So a point well
    ///   behind a large opening may be outside, although a point near the far wall is inside.
    /// - **A point on the surface.** The answer may be `true` or `false`.
    /// - **A point outside the bounds of the skin** is outside.
    ///
    /// The query tests every triangle, and takes some tens of nanoseconds for each triangle.
    ///
    /// Source: Jacobson, Kavan and Sorkine-Hornung, *Robust Inside-Outside Segmentation using Generalized Winding Numbers*,
    /// ACM Transactions on Graphics 32(4), 2013.
    ///
    /// # Errors
    /// Returns an error if the character was baked without its skin, the pose does not [track
    /// it](PosedCharacter::track_skin), or there is no pose.
    pub fn skin_contains(&mut self, point: Vec3) -> Result<bool, SkinError> {
        Ok(self.skin_mut()?.contains(point))
    }
}

impl PosedSkin {
    /// See [`PosedCharacter::skin_contains`].
    pub(crate) fn contains(&mut self, point: Vec3) -> bool {
        if !self.bounds().contains_point(point) {
            return false;
        }
        let mut angle = 0.0;
        for index in 0..self.piece_count() {
            self.prepare(index);
            let Some(piece) = self.piece(index) else { continue };
            for triangle in 0..piece.table.corners.len() {
                angle += solid_angle(&piece.triangle(triangle), point.as_dvec3());
            }
        }
        angle.abs() >= 2.0 * std::f64::consts::PI
    }
}
