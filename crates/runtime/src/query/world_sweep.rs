//! Motions within a tick against all bodies of an world.

use super::sweep::{CastBox, Look, each_sweep_hit};
use crate::box_lanes::LANES;
use crate::kernels;
use crate::world::boxes_interact;
use crate::{BodyId, BoxIndex, CastHit, CollisionLayers, HitboxWorld, SweepHit};
use geometry_core::Obb;

/// Joints of two bodies that meet while both move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodySweepHit {
    /// Below `b`.
    pub a: BodyId,
    /// The other body.
    pub b: BodyId,
    /// Which joints, when and how.
    pub of_joints: SweepHit,
}

impl BodySweepHit {
    /// Earlier first, then by bodies and joints. Times are never negative and sort as their bits.
    fn key(&self) -> (u32, [BodyId; 2], [u16; 2]) {
        let hit = &self.of_joints;
        (hit.time.to_bits(), [self.a, self.b], [hit.a.0, hit.b.0])
    }
}

/// A box of a moving body that a moving box hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyCastHit {
    /// Whose box it is.
    pub body: BodyId,
    /// Joint, box, time and direction.
    pub on_body: CastHit,
}

impl BodyCastHit {
    /// Earlier first, then by body and box.
    fn key(&self) -> (u32, BodyId, BoxIndex) {
        let (time, one) = self.on_body.key();
        (time, self.body, one)
    }
}

/// Bodies move from their poses at the last [`HitboxWorld::start_motion`] to those at the last [`HitboxWorld::update`]; where no
/// motion was started before that update, they stand still and do not meet each other. Filters, allies and self are as
/// for touches, but a body never meets itself. Times and tolerance are those of [`crate::sweep`].
impl HitboxWorld {
    /// Which joints of which bodies meet on the way from pose to pose, and when first: `hits` is overwritten, sorted
    /// by bodies, then joints, one entry a pair of joints. Allocates only where `hits` must grow.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
    /// # use runtime::{HitboxWorld, BodyId, BodySettings}; use std::sync::Arc;
    /// use glam::{Affine3A, Vec3};
    /// # let arm = Arc::new(example::arm("Arm"));
    /// # let mut world = HitboxWorld::new();
    /// # for id in [0, 1] { world.insert(BodyId(id), Arc::clone(&arm), BodySettings::default())?; }
    /// let mut place = |world: &mut HitboxWorld, body, x| world.pose_from_rest(BodyId(body), &Affine3A::from_translation(Vec3::X * x));
    /// place(&mut world, 0, 0.0)?;
    /// place(&mut world, 1, 50.0)?;
    /// world.start_motion();
    /// place(&mut world, 1, -50.0)?; // through the other, in one tick
    /// world.update();
    /// assert!(world.touches().is_empty());
    /// let mut hits = Vec::new();
    /// world.sweep(1e-4, &mut hits);
    /// assert_eq!(hits.len(), 4);
    /// assert!((hits[0].of_joints.time - 0.494).abs() < 1e-4);
    /// # Ok::<(), runtime::WorldError>(())
    /// ```
    pub fn sweep(&self, relative_tolerance: f32, hits: &mut Vec<BodySweepHit>) {
        hits.clear();
        self.each_body_sweep_hit(relative_tolerance, |hit| {
            hits.push(hit);
            Look::Until(1.0)
        });
        // Of joints with several boxes, the first contact.
        let pair = |hit: &BodySweepHit| (hit.a, hit.b, hit.of_joints.a, hit.of_joints.b);
        hits.sort_unstable_by_key(|hit| (pair(hit), hit.key()));
        hits.dedup_by_key(|hit| pair(hit));
    }

    /// The first hit of all, of several at once the one of the least bodies and joints; see [`HitboxWorld::sweep`].
    #[must_use]
    pub fn sweep_first(&self, relative_tolerance: f32) -> Option<BodySweepHit> {
        let mut first: Option<BodySweepHit> = None;
        self.each_body_sweep_hit(relative_tolerance, |hit| {
            let best = *first.get_or_insert(hit);
            let best = if hit.key() < best.key() { hit } else { best };
            first = Some(best);
            Look::Until(best.of_joints.time)
        });
        first
    }

    /// Whether any bodies meet; stops at the first found. See [`HitboxWorld::sweep`].
    #[must_use]
    pub fn sweep_any(&self, relative_tolerance: f32) -> bool {
        let mut any = false;
        self.each_body_sweep_hit(relative_tolerance, |_| {
            any = true;
            Look::NoFurther
        });
        any
    }

    /// Which boxes a box-shaped weapon hits on its way from one pose to another, of all bodies whose boxes meet
    /// `filter`: `hits` is overwritten, earliest first, then by body and box. See [`crate::cast_box`].
    pub fn cast_box(
        &self,
        from: &Obb,
        to: &Obb,
        relative_tolerance: f32,
        layers: CollisionLayers,
        hits: &mut Vec<BodyCastHit>,
    ) {
        hits.clear();
        self.each_cast_hit(from, to, relative_tolerance, layers, |hit| {
            hits.push(hit);
            Look::Until(1.0)
        });
        hits.sort_unstable_by_key(BodyCastHit::key);
    }

    /// What the weapon hits first; of several at once, the least body and box. See [`HitboxWorld::cast_box`].
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
    /// # use runtime::{HitboxWorld, BodyId, BodySettings, CollisionLayers}; use geometry_core::Obb; use std::sync::Arc;
    /// use glam::{Affine3A, Quat, Vec3};
    /// # let arm = Arc::new(example::arm("Arm"));
    /// # let mut world = HitboxWorld::new();
    /// for id in [3, 4, 5] {
    ///     world.insert(BodyId(id), Arc::clone(&arm), BodySettings::default())?;
    ///     world.pose_from_rest(BodyId(id), &Affine3A::from_translation(Vec3::X * id as f32))?;
    /// }
    /// world.update();
    /// let blade = |x| Obb::from_orientation(Vec3::new(x, 1.5, 0.0), Vec3::new(0.02, 0.4, 0.1), Quat::IDENTITY);
    /// let hit = world.cast_box_first(&blade(100.0), &blade(-100.0), 1e-4, CollisionLayers::default()).unwrap();
    /// assert_eq!((hit.body, arm.joint_name(hit.on_body.joint)), (BodyId(5), "upper"));
    /// # Ok::<(), runtime::WorldError>(())
    /// ```
    #[must_use]
    pub fn cast_box_first(
        &self,
        from: &Obb,
        to: &Obb,
        relative_tolerance: f32,
        layers: CollisionLayers,
    ) -> Option<BodyCastHit> {
        let mut first: Option<BodyCastHit> = None;
        self.each_cast_hit(from, to, relative_tolerance, layers, |hit| {
            let best = *first.get_or_insert(hit);
            let best = if hit.key() < best.key() { hit } else { best };
            first = Some(best);
            Look::Until(best.on_body.time)
        });
        first
    }

    /// Whether the weapon hits anything; stops at the first found. See [`HitboxWorld::cast_box`].
    #[must_use]
    pub fn cast_box_any(&self, from: &Obb, to: &Obb, relative_tolerance: f32, layers: CollisionLayers) -> bool {
        let mut any = false;
        self.each_cast_hit(from, to, relative_tolerance, layers, |_| {
            any = true;
            Look::NoFurther
        });
        any
    }

    fn each_body_sweep_hit(&self, relative_tolerance: f32, mut found: impl FnMut(BodySweepHit) -> Look) {
        let mut look = Look::Until(1.0);
        for &places in self.swept.iter().flat_map(|swept| swept.pairs()) {
            let [a, b] = places.map(|place| &self.bodies[place as usize]);
            let wanted = |first, second| boxes_interact((a, first), (b, second));
            each_sweep_hit(&a.motion(), &b.motion(), relative_tolerance, &mut look, wanted, |of_joints| {
                found(BodySweepHit { a: a.id(), b: b.id(), of_joints })
            });
            if look == Look::NoFurther {
                return;
            }
        }
    }

    fn each_cast_hit(
        &self,
        from: &Obb,
        to: &Obb,
        relative_tolerance: f32,
        layers: CollisionLayers,
        mut found: impl FnMut(BodyCastHit) -> Look,
    ) {
        let Some(weapon) = CastBox::new(from, to) else { return };
        let mut look = Look::Until(1.0);
        let (order, blocks) = self.swept.as_ref().unwrap_or(&self.broad).sorted();
        for (index, block) in blocks.iter().enumerate() {
            let mut mask = [0];
            kernels::bounds_masks(self.kernel, &weapon.bounds, std::slice::from_ref(block), &mut mask);
            let mut mask = mask[0];
            while mask != 0 {
                let body = &self.bodies[order[index * LANES + mask.trailing_zeros() as usize] as usize];
                mask &= mask - 1;
                let wanted = |index| body.layers_of_box(index).interacts_with(layers);
                weapon.each_hit(&body.motion(), relative_tolerance, &mut look, wanted, |on_body| {
                    found(BodyCastHit { body: body.id(), on_body })
                });
                if look == Look::NoFurther {
                    return;
                }
            }
        }
    }
}
