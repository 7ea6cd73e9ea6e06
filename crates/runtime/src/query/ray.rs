//! Finds the hitboxes that a ray hits.

use crate::kernels;
use crate::kernels::layout::{LANES, Row};
use crate::kernels::ray_slabs::Slabs;
use crate::solid::Solid;
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
    /// origin are entered at 0 and have no normal. Grazing counts, as in [`geometry_core::Obb::cast_ray`] and
    /// [`geometry_core::DCapsule::cast_ray`].
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
        let max_time = max_time.into().unwrap_or(f32::INFINITY);
        let slabs = Slabs::new(ray, max_time);
        slabs.may_hit(&self.bounds)?;
        self.first_ray_hit_within(ray, &slabs, max_time, |_| true)
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

    /// Finds what [`PosedCharacter::cast_ray`] finds among the boxes that `admits` answers `true` for; it is called for
    /// boxes that the ray hits. `slabs` are the ray's, up to the time of the query, and may hit the character's bounds. Boxes
    /// that are entered after `reach` may be left out.
    pub(crate) fn first_ray_hit_within(
        &self,
        ray: &Ray,
        slabs: &Slabs,
        reach: f32,
        admits: impl Fn(BoxIndex) -> bool,
    ) -> Option<RayHit> {
        /// Blocks that are looked at together.
        const CHUNK: usize = 4;
        let mut first: Option<RayHit> = None;
        for (chunk, blocks) in self.blocks.chunks(CHUNK).enumerate() {
            let (mut entries, mut masks) = ([[0.0; LANES]; CHUNK], [0; CHUNK]);
            let count = blocks.len();
            kernels::ray_masks(self.kernel, slabs, blocks, &mut entries[..count], &mut masks[..count]);
            // The box whose bounds are reached first is likely to be the first that is hit, and most others need no look.
            let nearest = nearest_lane(&entries, &masks);
            let mut look = |lane: usize| {
                let reach = first.as_ref().map_or(reach, |first| first.entry);
                if entries[lane / LANES][lane % LANES] > reach {
                    return;
                }
                let index = BoxIndex((chunk * CHUNK * LANES + lane) as u16);
                let Some(hit) = self.hit_box(index, ray, slabs.max_time()) else { return };
                if first.as_ref().is_none_or(|first| hit.key() < first.key()) && admits(index) {
                    first = Some(hit);
                }
            };
            let Some(nearest) = nearest else { continue };
            look(nearest);
            masks[nearest / LANES] &= !(1 << (nearest % LANES));
            for (block, mut mask) in masks.into_iter().enumerate() {
                while mask != 0 {
                    look(block * LANES + mask.trailing_zeros() as usize);
                    mask &= mask - 1;
                }
            }
        }
        first
    }

    pub(crate) fn each_ray_hit(&self, ray: &Ray, max_time: f32, mut found: impl FnMut(RayHit) -> bool) {
        let slabs = Slabs::new(ray, max_time);
        if slabs.may_hit(&self.bounds).is_none() {
            return;
        }
        for (block, bounds) in self.blocks.iter().enumerate() {
            let mut mask = kernels::ray_mask(self.kernel, &slabs, bounds);
            while mask != 0 {
                let index = BoxIndex((block * LANES + mask.trailing_zeros() as usize) as u16);
                mask &= mask - 1;
                if let Some(hit) = self.hit_box(index, ray, max_time)
                    && !found(hit)
                {
                    return;
                }
            }
        }
    }

    #[inline]
    fn hit_box(&self, box_index: BoxIndex, ray: &Ray, max_time: f32) -> Option<RayHit> {
        let hit = match self.solid(box_index.index()) {
            Solid::Box(one) => one.cast_ray(ray, max_time),
            Solid::Round(round) => round.cast_ray(ray, max_time),
        }?;
        let geometry_core::RayHit { entry, exit, normal } = hit;
        Some(RayHit { box_index, joint: self.joint_of(box_index), entry, exit, normal })
    }
}

/// Finds the lane of the least entry among those in `masks`.
#[inline]
fn nearest_lane(entries: &[Row], masks: &[u16]) -> Option<usize> {
    let mut nearest = None;
    let mut least = f32::INFINITY;
    for (block, &mask) in masks.iter().enumerate() {
        let mut mask = mask;
        while mask != 0 {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            if nearest.is_none() || entries[block][lane] < least {
                (nearest, least) = (Some(block * LANES + lane), entries[block][lane]);
            }
        }
    }
    nearest
}
