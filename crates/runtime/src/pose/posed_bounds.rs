//! Bounding volumes of a posed body and its limbs in world space, computed from the pose.

use crate::kernels::layout::Record;
use crate::{Bounds, BoxIndex, Character, PoseError, PosedCharacter};
use geometry_core::Sphere;
use glam::{DVec3, Vec3};
use skeleton::JointIndex;

/// The amount by which a bounding sphere is enlarged, as a share of its radius. The lengths of a box's axes differ from
/// 1 by less than this amount.
const SLACK: f64 = 1e-6;

impl PosedCharacter {
    /// The bounding sphere of all boxes in world space: its center is the middle of [`PosedCharacter::bounds`], and the
    /// farthest corner is on its surface. `None` if there is no box, or if the radius is beyond
    /// [`geometry_core::MAX_COORDINATE`].
    ///
    /// Use this sphere for a broad phase of your own. [`crate::HitboxWorld`] uses bounds instead, which let fewer pairs
    /// through.
    ///
    /// ```
    /// use glam::{Affine3A, Vec3};
    /// use runtime::{Character, PosedCharacter};
    ///
    /// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
    /// let mut posed = PosedCharacter::new();
    /// assert_eq!(posed.bounding_sphere(), None);
    /// posed.pose_from_rest(&arm, &Affine3A::from_translation(Vec3::X))?;
    /// let sphere = posed.bounding_sphere().unwrap();
    /// assert!(posed.boxes().all(|one| (one.center - sphere.center()).length() < sphere.radius()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bounding_sphere(&self) -> Option<Sphere> {
        // Halves the bounds before the sum: the sum of the largest numbers would overflow.
        let center = 0.5 * self.bounds.min + 0.5 * self.bounds.max;
        let farthest = self.records.iter().map(|record| farthest_corner(record, center)).reduce(f64::max)?;
        let radius = (farthest * (1.0 + SLACK)) as f32;
        Sphere::try_new(center, radius.next_up()).ok()
    }

    /// The bounds of one box in world space, enlarged by [`crate::kernels::NEAR_TOLERANCE`]; [`Bounds::EMPTY`] if there
    /// is no box with this index.
    #[must_use]
    pub fn bounds_of_box(&self, index: BoxIndex) -> Bounds {
        if index.index() < self.records.len() { self.box_bounds(index.index()) } else { Bounds::EMPTY }
    }

    /// The bounds of the boxes of a joint and all its descendants (for example an arm from the shoulder) in world
    /// space, each box enlarged as in [`PosedCharacter::bounds_of_box`]; [`Bounds::EMPTY`] if these joints have no box.
    ///
    /// # Errors
    /// Returns an error if the boxes are of another character, there is no pose, or the character has no joint with this index.
    ///
    /// ```
    /// use glam::Affine3A;
    /// use runtime::{Bounds, Character, PosedCharacter};
    ///
    /// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
    /// let mut posed = PosedCharacter::new();
    /// posed.pose_from_rest(&arm, &Affine3A::IDENTITY)?;
    /// let fore = posed.limb_bounds(&arm, arm.skeleton().find("fore").unwrap())?;
    /// let whole = posed.limb_bounds(&arm, arm.skeleton().find("upper").unwrap())?;
    /// assert!(fore.min.y > whole.min.y && fore.max == whole.max && whole == posed.bounds());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn limb_bounds(&self, character: &Character, joint: JointIndex) -> Result<Bounds, PoseError> {
        self.check_is_of(character)?;
        if joint.index() >= character.skeleton().len() {
            return Err(PoseError::no_joint(&character.hitboxes, joint));
        }
        let is_below = |of_box: JointIndex| {
            let mut above = Some(of_box);
            while let Some(at) = above.filter(|&at| at != joint) {
                above = character.skeleton().joint(at).parent;
            }
            above.is_some()
        };
        let boxes = self.joints().iter().enumerate().filter(|(_, of_box)| is_below(**of_box));
        Ok(boxes.fold(Bounds::EMPTY, |around, (index, _)| around.union(&self.box_bounds(index))))
    }
}

/// The distance from a point to the farthest corner of a box.
fn farthest_corner(record: &Record, from: Vec3) -> f64 {
    let (apart, half) = (record.center().as_dvec3() - from.as_dvec3(), record.half().as_dvec3());
    let axes = record.axes().as_dmat3();
    let along = DVec3::new(axes.x_axis.dot(apart), axes.y_axis.dot(apart), axes.z_axis.dot(apart));
    let corner = along.abs() + half;
    (corner.x * corner.x + corner.y * corner.y + corner.z * corner.z).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Affine3A, Quat};
    use proptest::prelude::*;

    proptest! {
        /// Every corner of every box is inside the sphere, and some corner is on its surface.
        #[test]
        fn spheres_and_limbs_hold_their_boxes(
            turn in prop::array::uniform4(-1.0f32..1.0),
            at in prop::array::uniform3(-1e4f32..1e4),
            scale in 0.1f32..10.0,
            seconds in 0f32..1.0,
        ) {
            let figure = crate::Character::from_baked(baked_characters::baked_figure("figure"));
            let mut posed = PosedCharacter::new();
            let turn = Quat::from_array(turn);
            prop_assume!(turn.length() > 0.1);
            let world = Affine3A::from_scale_rotation_translation(Vec3::splat(scale), turn.normalize(), at.into());
            posed.pose_from_clip(&mut crate::ClipSampler::new(), &figure, &world, crate::ClipIndex(1), seconds).unwrap();
            let sphere = posed.bounding_sphere().unwrap();
            let mut farthest = 0.0f64;
            for (index, one) in posed.boxes().enumerate() {
                let bounds = posed.bounds_of_box(BoxIndex(index as u16));
                for corner in one.obb().corners() {
                    farthest = farthest.max((corner.as_dvec3() - sphere.center().as_dvec3()).length());
                    prop_assert!(corner.cmpge(bounds.min).all() && corner.cmple(bounds.max).all());
                }
            }
            let radius = f64::from(sphere.radius());
            // The corners are rounded to the grid of their coordinates.
            let grid = f64::from(2.0 * at.map(f32::abs).iter().copied().fold(1.0, f32::max)) * f64::from(f32::EPSILON);
            prop_assert!(farthest <= radius + grid && radius <= farthest * (1.0 + 2.0 * SLACK) + 2.0 * grid, "{radius} {farthest}");

            for joint in 0..figure.skeleton().len() as u16 {
                let limb = posed.limb_bounds(&figure, JointIndex(joint)).unwrap();
                let mut expected = Bounds::EMPTY;
                for (index, one) in posed.boxes().enumerate() {
                    let mut path = vec![one.joint];
                    while let Some(parent) = figure.skeleton().joint(path[path.len() - 1]).parent {
                        path.push(parent);
                    }
                    if path.contains(&JointIndex(joint)) {
                        expected = expected.union(&posed.bounds_of_box(BoxIndex(index as u16)));
                    }
                }
                prop_assert_eq!(limb, expected);
            }
        }
    }

    #[test]
    fn nothing_is_around_nothing() {
        let posed = PosedCharacter::new();
        assert_eq!(posed.bounding_sphere(), None);
        assert_eq!(posed.bounds_of_box(BoxIndex(0)), Bounds::EMPTY);
        let figure = crate::Character::from_baked(baked_characters::baked_figure("figure"));
        assert!(matches!(posed.limb_bounds(&figure, JointIndex(0)), Err(PoseError::OtherCharacter { .. })));
    }
}
