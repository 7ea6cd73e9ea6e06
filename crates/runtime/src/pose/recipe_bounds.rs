//! Bounds that follow from a recipe, without posing.

use crate::{AnimationRef, Bounds, Character, PoseRecipeRef};
use geometry_core::MAX_COORDINATE;
use glam::{Affine3A, Vec3};

impl Character {
    /// Bounds in world space that contain the hitboxes of a recipe's pose. `None` if there are none at low cost, or if the
    /// bounds do not prove that the pose is valid.
    ///
    /// The bounds in model space are those of [`Self::bounds_over`], of a clip that stands still for the rest pose. Under a
    /// place that scales evenly, a posed hitbox is the image of the hitbox posed in model space, up to rounding. The box
    /// around an image that is scaled a little unevenly, by at most a few millionths, may exceed the image, so the bounds
    /// are enlarged by a thousandth. All numbers are far inside the range in which posing cannot fail.
    pub(crate) fn recipe_bounds(&self, recipe: &PoseRecipeRef<'_>) -> Option<Bounds> {
        /// The amount by which bounds are enlarged, as a share of their size.
        const MORE: f32 = 1e-3;
        let model = match recipe.animation {
            AnimationRef::Rest => self.rest_bounds().as_ref().ok()?.over(0.0, 0.0),
            AnimationRef::Clip { clip, seconds } if !seconds.is_nan() => {
                self.clip_bounds(clip)?.as_ref().ok()?.over(seconds.into(), seconds.into())
            }
            _ => return None,
        };
        if !scales_evenly(&recipe.place) {
            return None;
        }
        let more = (model.max - model.min).max_element() * MORE;
        let world = Bounds { min: model.min - more, max: model.max + more }.transformed(&recipe.place);
        let (low, high) = (Vec3::splat(-0.25 * MAX_COORDINATE), Vec3::splat(0.25 * MAX_COORDINATE));
        // All comparisons with NaN are false. A character without boxes has no bounds: the least is greater than the greatest.
        let is_proof = world.min.cmpge(low) & world.max.cmple(high) & world.min.cmple(world.max);
        is_proof.all().then_some(world)
    }
}

/// Returns `true` if the matrix only rotates, moves, mirrors and scales evenly, up to rounding.
fn scales_evenly(matrix: &Affine3A) -> bool {
    /// The largest difference of the squared lengths of the axes, and their largest dot product, as a share of the squared
    /// length: several roundings.
    const UNEVEN: f32 = 2e-6;
    let [x, y, z] = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis];
    let square = x.dot(x);
    let most = UNEVEN * square;
    let is_near_zero = |number: f32| number.abs() <= most;
    // All comparisons with NaN are false.
    square.is_normal()
        && is_near_zero(y.dot(y) - square)
        && is_near_zero(z.dot(z) - square)
        && is_near_zero(x.dot(y))
        && is_near_zero(y.dot(z))
        && is_near_zero(z.dot(x))
}
