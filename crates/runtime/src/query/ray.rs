//! Finds the hitboxes that a ray hits.

use crate::kernels;
use crate::kernels::layout::LANES;
use crate::kernels::ray_slabs::Slabs;
use crate::{BoxIndex, PosedCharacter};
use geometry_core::Ray;
use glam::Vec3;
use skeleton::JointIndex;

/// A hitbox that a ray hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The hitbox: [`crate::Character::hitbox`] has its name and tags.
    pub box_index: BoxIndex,
    /// The joint it is attached to.
    pub joint: JointIndex,
    /// When the ray enters the box, in units of its direction; 0 where it starts inside. The contact point is
    /// [`Ray::at`] of this time.
    pub entry: f32,
    /// When the ray leaves the box, in units of its direction; not cut off by `max_time`.
    pub exit: f32,
    /// Outward unit normal of the face where the ray enters, world space; `None` where it starts inside.
    pub normal: Option<Vec3>,
}

impl RayHit {
    /// Nearer first; of boxes entered at the same time, the first.
    fn key(&self) -> (u32, BoxIndex) {
        // Times are not negative, and such floats sort as their bits; adding zero drops the sign of a zero.
        ((self.entry + 0.0).to_bits(), self.box_index)
    }
}

impl PosedCharacter {
    /// The first box that the ray hits within `0 <= t <= max_time`; of several entered at once, the one of the smallest
    /// index. World space; times are in units of the ray's direction, `None` is no limit. Boxes that hold the
    /// origin are entered at 0 and have no normal. Grazing counts, as in [`geometry_core::Obb::cast_ray`].
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
    /// # use runtime::PosedCharacter; use geometry_core::Ray; use glam::{Affine3A, Vec3};
    /// # let arm = example::arm("Arm");
    /// # let mut posed = PosedCharacter::new();
    /// posed.pose_from_rest(&arm, &Affine3A::IDENTITY)?;
    /// let shot = Ray::try_new(Vec3::new(-10.0, 2.5, 0.0), Vec3::X)?;
    /// let hit = posed.cast_ray(&shot, None).unwrap();
    /// assert_eq!((arm.joint_name(hit.joint), arm.tags(hit.box_index)), ("fore", &["arm".to_string()][..]));
    /// assert_eq!((hit.entry, hit.normal), (9.7, Some(Vec3::NEG_X)));
    /// assert!(posed.cast_ray(&shot, 9.0).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray, max_time: impl Into<Option<f32>>) -> Option<RayHit> {
        let mut first: Option<RayHit> = None;
        self.each_ray_hit(ray, max_time.into().unwrap_or(f32::INFINITY), |hit| {
            if first.is_none_or(|first| hit.key() < first.key()) {
                first = Some(hit);
            }
            true
        });
        first
    }

    /// All boxes that the ray hits within `0 <= t <= max_time`: `hits` is overwritten, nearest first. Allocates only where
    /// `hits` must grow. See [`PosedCharacter::cast_ray`].
    pub fn cast_ray_all(&self, ray: &Ray, max_time: impl Into<Option<f32>>, hits: &mut Vec<RayHit>) {
        hits.clear();
        self.each_ray_hit(ray, max_time.into().unwrap_or(f32::INFINITY), |hit| {
            hits.push(hit);
            true
        });
        hits.sort_unstable_by_key(RayHit::key);
    }

    /// Whether the ray hits any box within `0 <= t <= max_time`; stops at the first found.
    #[must_use]
    pub fn ray_hits_any(&self, ray: &Ray, max_time: impl Into<Option<f32>>) -> bool {
        let mut any = false;
        self.each_ray_hit(ray, max_time.into().unwrap_or(f32::INFINITY), |_| {
            any = true;
            false
        });
        any
    }

    pub(crate) fn each_ray_hit(&self, ray: &Ray, max_time: f32, mut found: impl FnMut(RayHit) -> bool) {
        let slabs = Slabs::new(ray, max_time);
        for (block, bounds) in self.blocks.iter().enumerate() {
            let mut mask = kernels::ray_mask(self.kernel, &slabs, bounds, &mut [0.0; LANES]);
            while mask != 0 {
                let index = block * LANES + mask.trailing_zeros() as usize;
                mask &= mask - 1;
                let hit = self.records[index].obb().and_then(|one| one.cast_ray(ray, max_time));
                let Some(geometry_core::RayHit { entry, exit, normal }) = hit else { continue };
                let box_index = BoxIndex(index as u16);
                if !found(RayHit { box_index, joint: self.joint_of(box_index), entry, exit, normal }) {
                    return;
                }
            }
        }
    }
}
