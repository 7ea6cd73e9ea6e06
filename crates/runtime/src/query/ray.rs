//! Which box does a ray hit?

use crate::box_lanes::{BoundsBlock, LANES, Row};
use crate::kernels::{self, Kernel};
use crate::{BoxIndex, PosedCharacter};
use geometry_core::Ray;
use skeleton::JointIndex;

/// A box that a ray hits. Its tags are [`crate::Character::tags`] of [`RayHit::box_index`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The joint that the box moves with.
    pub joint: JointIndex,
    /// Which of the character's boxes.
    pub box_index: BoxIndex,
    /// Entry, exit and normal; times are in units of the ray's direction.
    pub hit: geometry_core::RayHit,
}

impl RayHit {
    /// Nearer first; of boxes entered at the same time, the first.
    fn key(&self) -> (u32, BoxIndex) {
        // Times are not negative, and such floats sort as their bits; adding zero drops the sign of a zero.
        ((self.hit.entry + 0.0).to_bits(), self.box_index)
    }
}

impl PosedCharacter {
    /// The first box that the ray hits within `0 <= t <= max_time`; of several entered at once, the one of the smallest
    /// number. World space; times are in units of the ray's direction, infinity is no limit. Boxes that hold the
    /// origin are entered at 0 and have no normal. Grazing counts, as in [`geometry_core::Obb::cast_ray`].
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
    /// # use runtime::PosedCharacter; use geometry_core::Ray; use glam::{Affine3A, Vec3};
    /// # let arm = example::arm("Arm");
    /// # let mut posed = PosedCharacter::new();
    /// posed.pose_from_rest(&arm, &Affine3A::IDENTITY)?;
    /// let shot = Ray::try_new(Vec3::new(-10.0, 2.5, 0.0), Vec3::X)?;
    /// let hit = posed.cast_ray(&shot, f32::INFINITY).unwrap();
    /// assert_eq!((arm.joint_name(hit.joint), arm.tags(hit.box_index)), ("fore", &["arm".to_string()][..]));
    /// assert_eq!((hit.hit.entry, hit.hit.normal), (9.7, Some(Vec3::NEG_X)));
    /// assert!(posed.cast_ray(&shot, 9.0).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray, max_time: f32) -> Option<RayHit> {
        let mut first: Option<RayHit> = None;
        self.each_ray_hit(ray, max_time, |hit| {
            if first.is_none_or(|first| hit.key() < first.key()) {
                first = Some(hit);
            }
            true
        });
        first
    }

    /// All boxes that the ray hits within `0 <= t <= max_time`: `hits` is overwritten, nearest first. Allocates only where
    /// `hits` must grow. See [`PosedCharacter::cast_ray`].
    pub fn cast_ray_all(&self, ray: &Ray, max_time: f32, hits: &mut Vec<RayHit>) {
        hits.clear();
        self.each_ray_hit(ray, max_time, |hit| {
            hits.push(hit);
            true
        });
        hits.sort_unstable_by_key(RayHit::key);
    }

    /// Whether the ray hits any box within `0 <= t <= max_time`; stops at the first found.
    #[must_use]
    pub fn ray_hits_any(&self, ray: &Ray, max_time: f32) -> bool {
        let mut any = false;
        self.each_ray_hit(ray, max_time, |_| {
            any = true;
            false
        });
        any
    }

    pub(crate) fn each_ray_hit(&self, ray: &Ray, max_time: f32, mut found: impl FnMut(RayHit) -> bool) {
        let (kernel, slabs) = (Kernel::best(), Slabs::new(ray, max_time));
        for (block, bounds) in self.blocks.iter().enumerate() {
            let mut mask = kernels::ray_mask(kernel, &slabs, bounds, &mut [0.0; LANES]);
            while mask != 0 {
                let index = block * LANES + mask.trailing_zeros() as usize;
                mask &= mask - 1;
                let hit = self.records[index].obb().and_then(|one| one.cast_ray(ray, max_time));
                let found_one = |hit| RayHit { joint: self.joints[index], box_index: BoxIndex(index as u16), hit };
                if hit.map(found_one).is_some_and(|hit| !found(hit)) {
                    return;
                }
            }
        }
    }
}

/// A ray against bounds: conservative, sixteen at a time. Plain loops over rows, which the compiler turns into the
/// vectors of whichever kernel calls them.
pub(crate) struct Slabs {
    origin: [f32; 3],
    /// One over the direction; infinite where it does not move.
    inverse: [f32; 3],
    max_time: f32,
}

impl Slabs {
    pub(crate) fn new(ray: &Ray, max_time: f32) -> Self {
        Self { origin: ray.origin().to_array(), inverse: ray.direction().to_array().map(|d| 1.0 / d), max_time }
    }

    /// Lanes whose bounds the ray may hit, and when at the earliest. Times are widened by a share of their own size,
    /// sixteen times what they round by, and a NaN (an origin on a face that the ray runs along) lets the lane through.
    #[inline(always)]
    pub(crate) fn mask(&self, block: &BoundsBlock, entries: &mut Row) -> u16 {
        const WIDEN: f32 = 16.0 * f32::EPSILON;
        let (mut enter, mut leave): (Row, Row) = ([0.0; LANES], [self.max_time; LANES]);
        let mut spread: Row = [0.0; LANES];
        for c in 0..3 {
            for lane in 0..LANES {
                let first = (block.min[c][lane] - self.origin[c]) * self.inverse[c];
                let second = (block.max[c][lane] - self.origin[c]) * self.inverse[c];
                let low = if first < second { first } else { second };
                let high = if first < second { second } else { first };
                let unknown = first.is_nan() || second.is_nan();
                let low = if unknown { f32::NEG_INFINITY } else { low };
                let high = if unknown { f32::INFINITY } else { high };
                enter[lane] = if low > enter[lane] { low } else { enter[lane] };
                leave[lane] = if high < leave[lane] { high } else { leave[lane] };
                let size = if -low > high { -low } else { high };
                spread[lane] = if size > spread[lane] && size < f32::INFINITY { size } else { spread[lane] };
            }
        }
        let mut mask = 0;
        for lane in 0..LANES {
            let there = block.min[0][lane] <= block.max[0][lane];
            let slack = WIDEN * (spread[lane] + leave[lane].abs().min(f32::MAX));
            entries[lane] = enter[lane] - slack;
            let apart = entries[lane] > leave[lane];
            mask |= u16::from(there && !apart) << lane;
        }
        mask
    }
}
