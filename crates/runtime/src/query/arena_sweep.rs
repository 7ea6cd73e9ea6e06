//! Motions within a tick against all bodies of an arena.

use super::sweep::{Look, Weapon, each_impact};
use crate::arena::boxes_meet;
use crate::kernels;
use crate::lanes::LANES;
use crate::{Arena, BodyId, BoxIndex, Filter, JointImpact, TrailHit};
use geometry_core::Obb;

/// Joints of two bodies that meet while both move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyImpact {
    /// Below `b`.
    pub a: BodyId,
    /// The other body.
    pub b: BodyId,
    /// Which joints, when and how.
    pub of_joints: JointImpact,
}

impl BodyImpact {
    /// Earlier first, then by bodies and joints. Times are never negative and sort as their bits.
    fn key(&self) -> (u32, [BodyId; 2], [u16; 2]) {
        let impact = &self.of_joints;
        (impact.time.to_bits(), [self.a, self.b], [impact.a.0, impact.b.0])
    }
}

/// A box of a moving body that a swept weapon meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyTrailHit {
    /// Whose box it is.
    pub body: BodyId,
    /// Joint, box, time and direction.
    pub on_body: TrailHit,
}

impl BodyTrailHit {
    /// Earlier first, then by body and box.
    fn key(&self) -> (u32, BodyId, BoxIndex) {
        let (time, one) = self.on_body.key();
        (time, self.body, one)
    }
}

/// Bodies move from their poses at the last [`Arena::start_motion`] to those at the last [`Arena::update`]; where no
/// motion was started before that update, they stand still and do not meet each other. Filters, allies and self are as
/// for touches, but a body never meets itself. Times and tolerance are those of [`crate::sweep`].
impl Arena {
    /// Which joints of which bodies meet on the way from pose to pose, and when first: `impacts` is overwritten, sorted
    /// by bodies, then joints, one entry a pair of joints. Allocates only where `impacts` must grow.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
    /// # use runtime::{Arena, BodyId, BodySettings}; use std::sync::Arc;
    /// use glam::{Affine3A, Vec3};
    /// # let arm = Arc::new(example::arm("Arm"));
    /// # let mut arena = Arena::new();
    /// # for id in [0, 1] { arena.insert(BodyId(id), Arc::clone(&arm), BodySettings::default())?; }
    /// let mut place = |arena: &mut Arena, body, x| arena.pose_from_rest(BodyId(body), &Affine3A::from_translation(Vec3::X * x));
    /// place(&mut arena, 0, 0.0)?;
    /// place(&mut arena, 1, 50.0)?;
    /// arena.start_motion();
    /// place(&mut arena, 1, -50.0)?; // through the other, in one tick
    /// arena.update();
    /// assert!(arena.touches().is_empty());
    /// let mut impacts = Vec::new();
    /// arena.sweep(1e-4, &mut impacts);
    /// assert_eq!(impacts.len(), 4);
    /// assert!((impacts[0].of_joints.time - 0.494).abs() < 1e-4);
    /// # Ok::<(), runtime::ArenaError>(())
    /// ```
    pub fn sweep(&self, relative_tolerance: f32, impacts: &mut Vec<BodyImpact>) {
        impacts.clear();
        self.each_body_impact(relative_tolerance, |impact| {
            impacts.push(impact);
            Look::Until(1.0)
        });
        // Of joints with several boxes, the first contact.
        let pair = |impact: &BodyImpact| (impact.a, impact.b, impact.of_joints.a, impact.of_joints.b);
        impacts.sort_unstable_by_key(|impact| (pair(impact), impact.key()));
        impacts.dedup_by_key(|impact| pair(impact));
    }

    /// The first impact of all, of several at once the one of the least bodies and joints; see [`Arena::sweep`].
    #[must_use]
    pub fn sweep_first(&self, relative_tolerance: f32) -> Option<BodyImpact> {
        let mut first: Option<BodyImpact> = None;
        self.each_body_impact(relative_tolerance, |impact| {
            let best = *first.get_or_insert(impact);
            let best = if impact.key() < best.key() { impact } else { best };
            first = Some(best);
            Look::Until(best.of_joints.time)
        });
        first
    }

    /// Whether any bodies meet; stops at the first found. See [`Arena::sweep`].
    #[must_use]
    pub fn sweep_any(&self, relative_tolerance: f32) -> bool {
        let mut any = false;
        self.each_body_impact(relative_tolerance, |_| {
            any = true;
            Look::NoFurther
        });
        any
    }

    /// Which boxes a box-shaped weapon meets on its way from one pose to another, of all bodies whose boxes meet
    /// `filter`: `hits` is overwritten, earliest first, then by body and box. See [`crate::sweep_weapon`].
    pub fn sweep_weapon(
        &self,
        from: &Obb,
        to: &Obb,
        relative_tolerance: f32,
        filter: Filter,
        hits: &mut Vec<BodyTrailHit>,
    ) {
        hits.clear();
        self.each_trail_hit(from, to, relative_tolerance, filter, |hit| {
            hits.push(hit);
            Look::Until(1.0)
        });
        hits.sort_unstable_by_key(BodyTrailHit::key);
    }

    /// What the weapon meets first; of several at once, the least body and box. See [`Arena::sweep_weapon`].
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
    /// # use runtime::{Arena, BodyId, BodySettings, Filter}; use geometry_core::Obb; use std::sync::Arc;
    /// use glam::{Affine3A, Quat, Vec3};
    /// # let arm = Arc::new(example::arm("Arm"));
    /// # let mut arena = Arena::new();
    /// for id in [3, 4, 5] {
    ///     arena.insert(BodyId(id), Arc::clone(&arm), BodySettings::default())?;
    ///     arena.pose_from_rest(BodyId(id), &Affine3A::from_translation(Vec3::X * id as f32))?;
    /// }
    /// arena.update();
    /// let blade = |x| Obb::from_orientation(Vec3::new(x, 1.5, 0.0), Vec3::new(0.02, 0.4, 0.1), Quat::IDENTITY);
    /// let hit = arena.sweep_weapon_first(&blade(100.0), &blade(-100.0), 1e-4, Filter::default()).unwrap();
    /// assert_eq!((hit.body, arm.joint_name(hit.on_body.joint)), (BodyId(5), "upper"));
    /// # Ok::<(), runtime::ArenaError>(())
    /// ```
    #[must_use]
    pub fn sweep_weapon_first(
        &self,
        from: &Obb,
        to: &Obb,
        relative_tolerance: f32,
        filter: Filter,
    ) -> Option<BodyTrailHit> {
        let mut first: Option<BodyTrailHit> = None;
        self.each_trail_hit(from, to, relative_tolerance, filter, |hit| {
            let best = *first.get_or_insert(hit);
            let best = if hit.key() < best.key() { hit } else { best };
            first = Some(best);
            Look::Until(best.on_body.time)
        });
        first
    }

    /// Whether the weapon meets anything; stops at the first found. See [`Arena::sweep_weapon`].
    #[must_use]
    pub fn sweep_weapon_any(&self, from: &Obb, to: &Obb, relative_tolerance: f32, filter: Filter) -> bool {
        let mut any = false;
        self.each_trail_hit(from, to, relative_tolerance, filter, |_| {
            any = true;
            Look::NoFurther
        });
        any
    }

    fn each_body_impact(&self, relative_tolerance: f32, mut found: impl FnMut(BodyImpact) -> Look) {
        let mut look = Look::Until(1.0);
        for &places in self.swept.iter().flat_map(|swept| swept.pairs()) {
            let [a, b] = places.map(|place| &self.bodies[place as usize]);
            let wanted = |first, second| boxes_meet((a, first), (b, second));
            each_impact(&a.motion(), &b.motion(), relative_tolerance, &mut look, wanted, |of_joints| {
                found(BodyImpact { a: a.id(), b: b.id(), of_joints })
            });
            if look == Look::NoFurther {
                return;
            }
        }
    }

    fn each_trail_hit(
        &self,
        from: &Obb,
        to: &Obb,
        relative_tolerance: f32,
        filter: Filter,
        mut found: impl FnMut(BodyTrailHit) -> Look,
    ) {
        let Some(weapon) = Weapon::new(from, to) else { return };
        let mut look = Look::Until(1.0);
        let (order, blocks) = self.swept.as_ref().unwrap_or(&self.broad).sorted();
        for (index, block) in blocks.iter().enumerate() {
            let mut mask = [0];
            kernels::bounds_masks(self.kernel, &weapon.bounds, std::slice::from_ref(block), &mut mask);
            let mut mask = mask[0];
            while mask != 0 {
                let body = &self.bodies[order[index * LANES + mask.trailing_zeros() as usize] as usize];
                mask &= mask - 1;
                let wanted = |index| body.box_filter(index).meets(filter);
                weapon.each_hit(&body.motion(), relative_tolerance, &mut look, wanted, |on_body| {
                    found(BodyTrailHit { body: body.id(), on_body })
                });
                if look == Look::NoFurther {
                    return;
                }
            }
        }
    }
}
