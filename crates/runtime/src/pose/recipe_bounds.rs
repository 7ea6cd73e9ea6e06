//! Bounds that follow from a recipe, without posing.

use crate::character::clip_bounds::PARTS_MORE;
use crate::kernels::layout::LANES;
use crate::kernels::ray_slabs::Slabs;
use crate::kernels::{self, Kernel};
use crate::{AnimationRef, Bounds, Character, PoseRecipeRef};
use geometry_core::{MAX_COORDINATE, Ray};
use glam::{Affine3A, Vec3, Vec3A};

/// The amount by which bounds in model space are enlarged, as a share of their size.
const MORE: f32 = 1e-3;

/// The largest difference of the squared lengths of a place's axes, and their largest dot product, as a share of the squared
/// length: several roundings.
const UNEVEN: f32 = 2e-6;

impl Character {
    /// Returns `false` if the ray misses all hitboxes of a recipe's pose within `0 <= t <= max_time`, without posing. It finds
    /// this out for clips and the rest pose, under a place that scales evenly. Otherwise it returns `true`.
    ///
    /// The ray is taken to model space and tested against bounds of groups of hitboxes over a short part of the clip.
    #[must_use]
    pub fn ray_may_hit(&self, kernel: Kernel, recipe: &PoseRecipeRef<'_>, ray: &Ray, max_time: f32) -> bool {
        // The bounds are enlarged by `PARTS_MORE` of their size. Of this, `MORE` is for boxes around images that are scaled a little
        // unevenly, as in `recipe_bounds`. If the rest is less than the amount by which all numbers together round, in the world
        // and on the way to model space, the function returns `true`. Otherwise a ray that hits a hitbox enters the bounds before.
        /// A hit rounds by less than 30 roundings of the numbers in world space. An axis that is uneven by [`UNEVEN`] takes a point
        /// three times that share of its distance to another place. This is more than both together.
        const ROUNDING: f32 = 96.0 * f32::EPSILON;
        let (bounds, time) = match recipe.animation {
            AnimationRef::Rest => (Some(self.rest_bounds()), 0.0),
            AnimationRef::Clip { clip, seconds } if !seconds.is_nan() => (self.clip_bounds(clip), seconds),
            _ => return true,
        };
        let place = &recipe.place;
        let Some(bounds) = bounds.and_then(|bounds| bounds.as_ref().ok()).filter(|_| scales_evenly(place)) else {
            return true;
        };
        let [x, y, z] = [place.matrix3.x_axis, place.matrix3.y_axis, place.matrix3.z_axis];
        let (from, direction) = (Vec3A::from(ray.origin()), Vec3A::from(ray.direction()));
        let (away, inverse) = (from - place.translation, 1.0 / x.dot(x));
        let to_model = |vector: Vec3A| Vec3A::new(x.dot(vector), y.dot(vector), z.dot(vector)) * inverse;
        let largest = (from.abs() + place.translation.abs()).element_sum() * inverse.sqrt() + bounds.farthest;
        let is_proof = largest * ROUNDING <= (PARTS_MORE - MORE) * bounds.size;
        if !is_proof {
            return true;
        }
        let slabs = Slabs::along(to_model(away), to_model(direction), max_time);
        let mut parts = bounds.parts_at(time.into()).iter();
        parts.any(|parts| kernels::ray_lanes_of_block(kernel, &slabs, parts, &mut [0.0; LANES]) != 0)
    }

    /// Bounds in world space that contain the hitboxes of a recipe's pose. `None` if there are none at low cost, or if the
    /// bounds do not prove that the pose is valid.
    ///
    /// The bounds in model space are those of [`Self::bounds_over`], of a clip that stands still for the rest pose. Under a
    /// place that scales evenly, a posed hitbox is the image of the hitbox posed in model space, up to rounding. The box
    /// around an image that is scaled a little unevenly, by at most a few millionths, may exceed the image, so the bounds
    /// are enlarged by a thousandth. All numbers are far inside the range in which posing cannot fail.
    pub(crate) fn recipe_bounds(&self, recipe: &PoseRecipeRef<'_>) -> Option<Bounds> {
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
        let world = transformed(&Bounds { min: model.min - more, max: model.max + more }, &recipe.place);
        let (low, high) = (Vec3::splat(-0.25 * MAX_COORDINATE), Vec3::splat(0.25 * MAX_COORDINATE));
        // All comparisons with NaN are false. A character without boxes has no bounds: the least is greater than the greatest.
        let is_proof = world.min.cmpge(low) & world.max.cmple(high) & world.min.cmple(world.max);
        is_proof.all().then_some(world)
    }
}

/// [`Bounds::transformed`] in single precision, which takes less time. Each number is rounded less than ten times.
fn transformed(bounds: &Bounds, matrix: &Affine3A) -> Bounds {
    const ROUNDING: f32 = 10.0 * f32::EPSILON;
    let (min, max) = (Vec3A::from(bounds.min), Vec3A::from(bounds.max));
    let (center, half) = ((min + max) * 0.5, (max - min) * 0.5);
    let [x, y, z] = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis];
    let at = x * center.x + y * center.y + z * center.z + matrix.translation;
    let reach = x.abs() * half.x + y.abs() * half.y + z.abs() * half.z;
    // The numbers that are added up are at most as large as these.
    let (far, largest) = (min.abs().max(max.abs()), x.abs().max(y.abs()).max(z.abs()));
    let size = largest * (far.x + far.y + far.z) + matrix.translation.abs();
    let reach = reach + size * ROUNDING;
    Bounds { min: (at - reach).into(), max: (at + reach).into() }
}

/// Returns `true` if the matrix only rotates, moves, mirrors and scales evenly, up to rounding.
pub(super) fn scales_evenly(matrix: &Affine3A) -> bool {
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
