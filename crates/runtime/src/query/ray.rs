//! Which boxes a ray hits.

use crate::box_lanes::{BoundsBlock, LANES, Row};
use crate::kernels;
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
