//! Finds the hitboxes that a ray hits.

use crate::kernels;
use crate::kernels::layout::LANES;
use crate::kernels::ray_slabs::{RAY_BLOCKS, Slabs};
use crate::kernels::set_bits::set_bits;
use crate::pose::solid::Solid;
use crate::query::hit_search::sort_key;
use crate::{BoxIndex, PosedCharacter};
use baked_format::HitboxShape;
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

/// The sort key of a hit: the nearest hit first, then by box.
fn key(entry: f32, box_index: BoxIndex) -> (u32, BoxIndex) {
    // The bits of nonnegative times sort like the times; adding zero drops the sign of a zero.
    ((entry + 0.0).to_bits(), box_index)
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
        hits.sort_unstable_by_key(|hit| key(hit.entry, hit.box_index));
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
        let mut first: Option<(geometry_core::RayHit, BoxIndex)> = None;
        let mut reach = reach;
        for (chunk, blocks) in self.blocks.chunks(RAY_BLOCKS).enumerate() {
            let mut entries = [[0.0; LANES]; RAY_BLOCKS];
            let mut lanes = kernels::ray_lanes(self.kernel, slabs, blocks, &mut entries);
            let entry = |lane: usize| entries[lane / LANES % RAY_BLOCKS][lane % LANES];
            // The box whose bounds the ray reaches first is likely to be the first hit, which rules out most of the
            // other boxes.
            let mut next = set_bits(lanes).min_by_key(|&lane| sort_key(entry(lane), lane));
            while let Some(lane) = next {
                lanes &= !(1 << lane);
                next = set_bits(lanes).next();
                if entry(lane) > reach {
                    continue;
                }
                let index = BoxIndex((chunk * RAY_BLOCKS * LANES + lane) as u16);
                let Some(hit) = self.hit_box(index, ray, slabs.max_time()) else { continue };
                let is_first = first.is_none_or(|(first, of)| key(hit.entry, index) < key(first.entry, of));
                if is_first && admits(index) {
                    reach = hit.entry;
                    first = Some((hit, index));
                }
            }
        }
        first.map(|(hit, index)| self.ray_hit(index, hit))
    }

    pub(crate) fn each_ray_hit(&self, ray: &Ray, max_time: f32, mut found: impl FnMut(RayHit) -> bool) {
        let slabs = Slabs::new(ray, max_time);
        if slabs.may_hit(&self.bounds).is_none() {
            return;
        }
        for (block, bounds) in self.blocks.iter().enumerate() {
            for lane in set_bits(kernels::ray_lanes_of_block(self.kernel, &slabs, bounds, &mut [0.0; LANES])) {
                let index = BoxIndex((block * LANES + lane) as u16);
                if let Some(hit) = self.hit_box(index, ray, max_time)
                    && !found(self.ray_hit(index, hit))
                {
                    return;
                }
            }
        }
    }

    /// Not inlined: there is one copy of the test of a box, which takes the box from its record and not from the stack.
    #[inline(never)]
    fn hit_box(&self, box_index: BoxIndex, ray: &Ray, max_time: f32) -> Option<geometry_core::RayHit> {
        let index = box_index.index();
        let one = self.records[index].posed_obb();
        let shape = self.form(index);
        if let Some(round) = Solid::without_hull(shape, one).round() {
            return round.cast_ray(ray, max_time);
        }
        let hit = one.cast_ray(ray, max_time)?;
        match (shape == HitboxShape::Hull).then(|| self.posed_hull(box_index)).flatten() {
            Some(hull) => hull.cast_ray(ray, max_time),
            None => Some(hit),
        }
    }

    fn ray_hit(&self, box_index: BoxIndex, hit: geometry_core::RayHit) -> RayHit {
        let geometry_core::RayHit { entry, exit, normal } = hit;
        RayHit { box_index, joint: self.joint_of(box_index), entry, exit, normal }
    }
}
