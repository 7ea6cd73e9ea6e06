//! Finds the hitboxes that a ray hits.

use crate::kernels;
use crate::kernels::layout::{LANES, Row};
use crate::kernels::ray_slabs::Slabs;
use crate::kernels::set_bits::set_bits;
use crate::solid::Solid;
use crate::{BoxIndex, PosedCharacter};
use geometry_core::Ray;
use glam::Vec3;
use skeleton::JointIndex;

/// A hitbox that a ray hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The hitbox: [`crate::Character::hitbox`] has its tags and the name of its joint.
    pub box_index: BoxIndex,
    /// The joint that the hitbox is attached to.
    pub joint: JointIndex,
    /// The time at which the ray enters the hitbox; 0 if the ray starts inside. [`Ray::at`] computes the point `origin
    /// + entry * direction`. If the direction has the length 1, the time is the distance in world units.
    pub entry: f32,
    /// The time at which the ray leaves the hitbox, in the unit of `entry`; not limited by `max_time`.
    pub exit: f32,
    /// The outward unit normal of the surface at the entry, in world space; `None` if the ray starts inside.
    pub normal: Option<Vec3>,
}

impl RayHit {
    /// The sort key: the nearest hit first, then by box.
    fn key(&self) -> (u32, BoxIndex) {
        // The bits of nonnegative times sort like the times; adding zero drops the sign of a zero.
        ((self.entry + 0.0).to_bits(), self.box_index)
    }
}

impl PosedCharacter {
    /// The first hitbox that the ray hits within `0 <= t <= max_time` (`None`: at any time). The ray is in world space.
    /// The unit of times is the length of the ray's direction: if the direction has the length 1, a time is a distance
    /// in world units; if the direction is a velocity, a time is in seconds.
    ///
    /// - **Several hitboxes at the same time.** The answer is the hitbox with the smallest index.
    /// - **A ray that starts inside a hitbox** hits it at time 0, without a normal.
    /// - **A ray that only grazes a hitbox** hits it, as in [`geometry_core::Obb::cast_ray`],
    ///   [`geometry_core::DCapsule::cast_ray`] and [`geometry_core::PosedHull::cast_ray`].
    /// - **Hulls.** The ray hits a hull if it hits both the box around the hull and the hull itself.
    /// - **A negative or NaN `max_time`.** The ray hits nothing.
    ///
    /// ```
    /// use geometry_core::Ray;
    /// use glam::{Affine3A, Vec3};
    /// use runtime::{Character, PosedCharacter};
    ///
    /// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
    /// let mut posed = PosedCharacter::new();
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

    /// All hitboxes that the ray hits within `0 <= t <= max_time`. `hits` is overwritten, the nearest first. Allocates
    /// only if `hits` must grow. See [`PosedCharacter::cast_ray`].
    pub fn cast_ray_all(&self, ray: &Ray, max_time: impl Into<Option<f32>>, hits: &mut Vec<RayHit>) {
        hits.clear();
        self.each_ray_hit(ray, max_time.into().unwrap_or(f32::INFINITY), |hit| {
            hits.push(hit);
            true
        });
        hits.sort_unstable_by_key(RayHit::key);
    }

    /// Returns `true` if the ray hits any hitbox within `0 <= t <= max_time`. Stops at the first hit found.
    #[must_use]
    pub fn cast_ray_any(&self, ray: &Ray, max_time: impl Into<Option<f32>>) -> bool {
        let mut any = false;
        self.each_ray_hit(ray, max_time.into().unwrap_or(f32::INFINITY), |_| {
            any = true;
            false
        });
        any
    }

    /// The hit of [`PosedCharacter::cast_ray`], among the boxes for which `admits` returns `true`; `admits` is called
    /// only for boxes that the ray hits. `slabs` are the ray's slabs up to the query's time limit; the caller has
    /// checked that they may hit the character's bounds. Boxes that the ray enters after `reach` may be left out.
    pub(crate) fn first_ray_hit_within(
        &self,
        ray: &Ray,
        slabs: &Slabs,
        reach: f32,
        admits: impl Fn(BoxIndex) -> bool,
    ) -> Option<RayHit> {
        /// The number of blocks that are tested together.
        const CHUNK: usize = 4;
        let mut first: Option<RayHit> = None;
        for (chunk, blocks) in self.blocks.chunks(CHUNK).enumerate() {
            let (mut entries, mut masks) = ([[0.0; LANES]; CHUNK], [0; CHUNK]);
            let count = blocks.len();
            kernels::ray_masks(self.kernel, slabs, blocks, &mut entries[..count], &mut masks[..count]);
            // The box whose bounds the ray reaches first is likely to be the first hit, which rules out most of the
            // other boxes.
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
            for (block, mask) in masks.into_iter().enumerate() {
                set_bits(mask).for_each(|lane| look(block * LANES + lane));
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
            for lane in set_bits(kernels::ray_mask(self.kernel, &slabs, bounds)) {
                let index = BoxIndex((block * LANES + lane) as u16);
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
            Solid::Hull(hull) => {
                let _hit_of_box = self.records[box_index.index()].posed_obb().cast_ray(ray, max_time)?;
                hull.cast_ray(ray, max_time)
            }
        }?;
        let geometry_core::RayHit { entry, exit, normal } = hit;
        Some(RayHit { box_index, joint: self.joint_of(box_index), entry, exit, normal })
    }
}

/// The lane with the least entry among the lanes in `masks`.
#[inline]
fn nearest_lane(entries: &[Row], masks: &[u16]) -> Option<usize> {
    let mut nearest = None;
    let mut least = f32::INFINITY;
    for (block, &mask) in masks.iter().enumerate() {
        for lane in set_bits(mask) {
            if nearest.is_none() || entries[block][lane] < least {
                (nearest, least) = (Some(block * LANES + lane), entries[block][lane]);
            }
        }
    }
    nearest
}
