//! Sweeps and shape casts within a tick, against all bodies of a world.

use super::interaction::{BodyLayers, boxes_interact, each_meeting};
use super::sweep_scratch::SweepScratch;
use super::{Bodies, Body, BodyCastHit, BodyId, BodySweepHit, CollisionLayers, HitboxWorld, QueryFilter, WorldError};
use crate::kernels;
use crate::kernels::layout::LANES;
use crate::query::contact::Contact;
use crate::query::hit_search::{Look, Sought, keep_first, tolerance};
use crate::query::sweep::each_sweep_hit;
use crate::{Bounds, BoxIndex, BoxSet, CastContact, CastShape};

/// The sort key of a list of a sweep's hits: by bodies, then boxes.
fn sweep_boxes(hit: &BodySweepHit) -> ([BodyId; 2], [BoxIndex; 2]) {
    ([hit.body_a, hit.body_b], [hit.box_a, hit.box_b])
}

/// Sweeps and shape casts, with the current motions and settings of all bodies:
/// - [`HitboxWorld`] says when a motion begins, and which bodies stand still. Two bodies that stand still do not hit each
///   other, even if they overlap.
/// - For sweeps, layers and teams apply as for touches, but a body never hits itself, even with `self_touches`. Shape
///   casts use only their filter.
/// - [`crate::sweep_all`] explains times and tolerance.
impl HitboxWorld {
    /// Finds all hitboxes that hit each other while the bodies move from pose to pose, and the first time of each hit.
    /// `hits` is overwritten and sorted by bodies, then boxes, with one entry for each pair of boxes. A pair counts
    /// only if `filter` admits both hitboxes. Allocates only if `hits` must grow. The query is fastest right after
    /// [`HitboxWorld::update`]; each body that was posed or got other settings since then is tested against all others.
    ///
    /// ```
    /// use glam::{Affine3A, Vec3};
    /// use runtime::{BodyId, BodySettings, Character, HitboxWorld, QueryFilter};
    /// use std::sync::Arc;
    ///
    /// let arm = Arc::new(Character::load(&std::fs::read("tests/data/arm.bonebox")?)?);
    /// let mut world = HitboxWorld::new();
    /// let settings = BodySettings { continuous: true, ..BodySettings::default() };
    /// for id in [0, 1] {
    ///     world.insert(BodyId(id), Arc::clone(&arm), settings)?;
    /// }
    /// let mut place = |world: &mut HitboxWorld, id, x| {
    ///     world.pose_from_rest(BodyId(id), &Affine3A::from_translation(Vec3::X * x))
    /// };
    /// place(&mut world, 0, 0.0)?;
    /// place(&mut world, 1, 50.0)?;
    /// world.update();
    /// place(&mut world, 1, -50.0)?; // through the other, in one tick
    /// world.update();
    /// assert!(world.touches().is_empty());
    /// let mut hits = Vec::new();
    /// world.sweep_all(None, &QueryFilter::default(), &mut hits);
    /// assert_eq!(hits.len(), 4);
    /// assert!((hits[0].time - 0.494).abs() < 1e-4);
    /// assert!((world.sweep_contact(&hits[0]).unwrap().center() - Vec3::new(0.3, 1.5, 0.0)).length() < 0.02);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sweep_all(
        &self,
        relative_tolerance: impl Into<Option<f32>>,
        filter: &QueryFilter<'_>,
        hits: &mut Vec<BodySweepHit>,
    ) {
        hits.clear();
        self.each_body_sweep_hit(Sought::All, relative_tolerance.into(), filter, |hit| {
            hits.push(hit);
            Look::Until(1.0)
        });
        hits.sort_unstable_by_key(sweep_boxes);
    }

    /// The first hit between any two bodies. If several hits have the same time, the answer is the hit with the least
    /// body ids, then the least box indices. See [`HitboxWorld::sweep_all`].
    #[must_use]
    pub fn sweep(&self, relative_tolerance: impl Into<Option<f32>>, filter: &QueryFilter<'_>) -> Option<BodySweepHit> {
        let mut first: Option<BodySweepHit> = None;
        self.each_body_sweep_hit(Sought::One, relative_tolerance.into(), filter, |hit| {
            Look::Until(keep_first(&mut first, hit, |hit| (hit.time.to_bits(), sweep_boxes(hit))).time)
        });
        first
    }

    /// Returns `true` if any two bodies hit each other. Stops at the first hit found. See [`HitboxWorld::sweep_all`].
    #[must_use]
    pub fn sweep_any(&self, relative_tolerance: impl Into<Option<f32>>, filter: &QueryFilter<'_>) -> bool {
        let mut any = false;
        self.each_body_sweep_hit(Sought::One, relative_tolerance.into(), filter, |_| {
            any = true;
            Look::NoFurther
        });
        any
    }

    /// Finds everything that some hitboxes of one body hit, for example the fist or the blade of an attacker: the hits of
    /// [`HitboxWorld::sweep_all`] between these hitboxes and other bodies, without the work for all others. `filter`
    /// limits the other bodies and their hitboxes. `hits` is overwritten and sorted by bodies, then boxes: an attacker
    /// with a greater id than the body that it hits is `body_b`.
    ///
    /// # Errors
    /// Returns an error if no body has this id, or if `boxes` is a set of another character. Then `hits` is empty.
    ///
    /// ```
    /// use glam::{Affine3A, Vec3};
    /// use runtime::{BodyId, BodySettings, Character, HitboxWorld, QueryFilter};
    /// use std::sync::Arc;
    ///
    /// let arm = Arc::new(Character::load(&std::fs::read("tests/data/arm.bonebox")?)?);
    /// let mut world = HitboxWorld::new();
    /// let settings = BodySettings { continuous: true, ..BodySettings::default() };
    /// for id in [1, 2, 3] {
    ///     world.insert(BodyId(id), Arc::clone(&arm), settings)?;
    /// }
    /// for from in [0.0, 5.0] {
    ///     for id in [1, 2, 3] {
    ///         // The attacker, body 1, moves along x through body 2.
    ///         let place = if id == 1 { Vec3::X * from } else { Vec3::X * 3.0 * (id - 1) as f32 };
    ///         world.pose_from_rest(BodyId(id), &Affine3A::from_translation(place))?;
    ///     }
    ///     world.update();
    /// }
    /// let (fist, mut hits) = (arm.boxes_of_joint(arm.skeleton().find("fore").unwrap()), Vec::new());
    /// world.sweep_from(BodyId(1), &fist, None, &QueryFilter::default(), &mut hits)?;
    /// let names = hits.iter().map(|hit| (hit.body_b.0, arm.joint_name(hit.joint_a), arm.joint_name(hit.joint_b)));
    /// assert_eq!(names.collect::<Vec<_>>(), [(2, "fore", "upper"), (2, "fore", "fore")]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sweep_from(
        &self,
        id: BodyId,
        boxes: &BoxSet,
        relative_tolerance: impl Into<Option<f32>>,
        filter: &QueryFilter<'_>,
        hits: &mut Vec<BodySweepHit>,
    ) -> Result<(), WorldError> {
        hits.clear();
        let attacker = &self.bodies[self.place_with_boxes(id, boxes)?];
        let Some(swept) = self.swept.as_ref().filter(|_| attacker.is_posed()) else { return Ok(()) };
        let (motion, how) = (attacker.motion(), (Sought::All, tolerance(relative_tolerance)));
        let mut scratch = self.sweeps.take(Box::default);
        let SweepScratch { search, masks: [own, _], .. } = &mut *scratch;
        own.clear();
        own.resize(attacker.character.box_count().div_ceil(LANES), 0);
        let mut around = Bounds::EMPTY;
        for index in boxes.iter().filter(|&index| attacker.layers_of_box(index) != CollisionLayers::NONE) {
            own[index.index() / LANES] |= 1 << (index.index() % LANES);
            around = around.union(&motion.swept(index.index()));
        }
        let layers = BodyLayers::new(attacker);
        swept.tiles().each_body(
            |blocks, masks| kernels::bounds_masks(self.kernel, &around, blocks, masks),
            |place| {
                let other = &self.bodies[place];
                let is_sought = other.id != id
                    && !(attacker.stands_still() && other.stands_still())
                    && layers.interacts_with(&BodyLayers::new(other))
                    && filter.admits_body(other);
                if !is_sought {
                    return true;
                }
                let is_first = id < other.id;
                let (bodies, masks) = if is_first {
                    ([attacker, other], [Some(&**own), None])
                } else {
                    ([other, attacker], [None, Some(&**own)])
                };
                let wanted = |first: usize, second: usize| {
                    let of_other = if is_first { second } else { first };
                    boxes_interact((bodies[0], first), (bodies[1], second))
                        && filter.admits_box(other, BoxIndex(of_other as u16))
                };
                let motions = bodies.map(Body::motion);
                let ids = bodies.map(|body| body.id);
                let mut look = Look::Until(1.0);
                each_sweep_hit(search, motions.each_ref(), masks, how, &mut look, wanted, |hit| {
                    hits.push(BodySweepHit { body_a: ids[0], body_b: ids[1], answer: hit });
                    Look::Until(1.0)
                });
                true
            },
        );
        self.sweeps.give_back(scratch);
        hits.sort_unstable_by_key(sweep_boxes);
        Ok(())
    }

    /// The contact of the two hitboxes of a sweep's hit, see [`crate::SweepHit::contact`]. `None` if a body was removed or has
    /// no pose.
    #[must_use]
    pub fn sweep_contact(&self, hit: &BodySweepHit) -> Option<Contact> {
        hit.answer.contact(&self.body(hit.body_a)?.motion(), &self.body(hit.body_b)?.motion())
    }

    /// The first hitbox that a sphere, a capsule or a box hits while it moves from one place to another, of all hitboxes
    /// that `filter` admits. If several hits have the same time, the answer is the hit with the least body id, then the
    /// least box index. See [`crate::cast_shape`].
    ///
    /// ```
    /// use geometry_core::Obb;
    /// use glam::{Affine3A, Quat, Vec3};
    /// use runtime::{BodyId, BodySettings, Character, HitboxWorld, QueryFilter};
    /// use std::sync::Arc;
    ///
    /// let arm = Arc::new(Character::load(&std::fs::read("tests/data/arm.bonebox")?)?);
    /// let mut world = HitboxWorld::new();
    /// for id in [3, 4, 5] {
    ///     world.insert(BodyId(id), Arc::clone(&arm), BodySettings::default())?;
    ///     world.pose_from_rest(BodyId(id), &Affine3A::from_translation(Vec3::X * id as f32))?;
    /// }
    /// let blade = |x| Obb::from_orientation(Vec3::new(x, 1.5, 0.0), Vec3::new(0.02, 0.4, 0.1), Quat::IDENTITY);
    /// let wielder = [BodyId(5)];
    /// let others = QueryFilter::excluding(&wielder);
    /// let hit = world.cast_shape(&blade(100.0), &blade(-100.0), None, &others).unwrap();
    /// assert_eq!((hit.body, arm.joint_name(hit.joint)), (BodyId(4), "upper"));
    /// let contact = world.cast_contact(&blade(100.0), &blade(-100.0), &hit).unwrap();
    /// assert!((contact.point - Vec3::new(4.3, 1.5, 0.0)).length() < 0.03);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cast_shape<S: CastShape>(
        &self,
        from: &S,
        to: &S,
        relative_tolerance: impl Into<Option<f32>>,
        filter: &QueryFilter<'_>,
    ) -> Option<BodyCastHit> {
        Bodies::cast_shape(self, from, to, relative_tolerance, filter)
    }

    /// All hitboxes that a sphere, a capsule or a box hits while it moves from one place to another, and that `filter`
    /// admits. `hits` is overwritten and sorted: the earliest first, then by body and box. Allocates only if `hits` must
    /// grow. See [`HitboxWorld::cast_shape`].
    ///
    /// ```
    /// use geometry_core::{Capsule, Sphere};
    /// use glam::{Affine3A, Vec3};
    /// use runtime::{BodyId, BodySettings, Character, HitboxWorld, QueryFilter};
    /// use std::sync::Arc;
    ///
    /// let arm = Arc::new(Character::load(&std::fs::read("tests/data/arm.bonebox")?)?);
    /// let mut world = HitboxWorld::new();
    /// for id in [3, 4, 5] {
    ///     world.insert(BodyId(id), Arc::clone(&arm), BodySettings::default())?;
    ///     world.pose_from_rest(BodyId(id), &Affine3A::from_translation(Vec3::X * id as f32))?;
    /// }
    /// let thrower = [BodyId(5)];
    /// let others = QueryFilter::excluding(&thrower);
    /// let stone = |x| Sphere::try_new(Vec3::new(x, 1.5, 0.0), 0.1);
    /// let (from, to, mut hits) = (stone(10.0)?, stone(0.0)?, Vec::new());
    /// world.cast_shape_all(&from, &to, None, &others, &mut hits);
    /// assert_eq!(hits.iter().map(|hit| hit.body).collect::<Vec<_>>(), [BodyId(4), BodyId(3)]);
    /// let contact = world.cast_contact(&from, &to, &hits[0]).unwrap();
    /// assert!((contact.point - Vec3::new(4.3, 1.5, 0.0)).length() < 0.01 && contact.direction.x < -0.999);
    /// let staff = |x: f32| Capsule::try_new(Vec3::new(x, 1.2, -1.0), Vec3::new(x, 1.2, 1.0), 0.05);
    /// world.cast_shape_all(&staff(0.0)?, &staff(10.0)?, None, &others, &mut hits);
    /// assert_eq!((hits[0].body, arm.joint_name(hits[0].joint)), (BodyId(3), "upper"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cast_shape_all<S: CastShape>(
        &self,
        from: &S,
        to: &S,
        relative_tolerance: impl Into<Option<f32>>,
        filter: &QueryFilter<'_>,
        hits: &mut Vec<BodyCastHit>,
    ) {
        Bodies::cast_shape_all(self, from, to, relative_tolerance, filter, hits);
    }

    /// Returns `true` if the shape hits anything. Stops at the first hit found. See [`HitboxWorld::cast_shape`].
    #[must_use]
    pub fn cast_shape_any<S: CastShape>(
        &self,
        from: &S,
        to: &S,
        relative_tolerance: impl Into<Option<f32>>,
        filter: &QueryFilter<'_>,
    ) -> bool {
        Bodies::cast_shape_any(self, from, to, relative_tolerance, filter)
    }

    /// The contact of the shape of a cast with the hitbox that it hits, see [`crate::CastHit::contact`]. Pass the `from` and
    /// `to` of the cast. `None` if the body was removed or has no pose.
    #[must_use]
    pub fn cast_contact<S: CastShape>(&self, from: &S, to: &S, hit: &BodyCastHit) -> Option<CastContact> {
        hit.answer.contact(from, to, &self.body(hit.body)?.motion())
    }

    fn each_body_sweep_hit(
        &self,
        sought: Sought,
        relative_tolerance: Option<f32>,
        filter: &QueryFilter<'_>,
        mut found: impl FnMut(BodySweepHit) -> Look,
    ) {
        let Some(swept) = &self.swept else { return };
        let mut scratch = self.sweeps.take(Box::default);
        let SweepScratch { search, masks, order } = &mut *scratch;
        let mut look = Look::Until(1.0);
        let how = (sought, tolerance(relative_tolerance));
        let mut test = |a: &Body, b: &Body| {
            if (a.stands_still() && b.stands_still()) || !filter.admits_body(a) || !filter.admits_body(b) {
                return true;
            }
            let wanted = |first: usize, second: usize| {
                boxes_interact((a, first), (b, second))
                    && filter.admits_box(a, BoxIndex(first as u16))
                    && filter.admits_box(b, BoxIndex(second as u16))
            };
            let motions = [&a.motion(), &b.motion()];
            each_meeting([a, b], masks, |group| {
                each_sweep_hit(search, motions, group, how, &mut look, wanted, |hit| {
                    found(BodySweepHit { body_a: a.id, body_b: b.id, answer: hit })
                });
            });
            look != Look::NoFurther
        };
        // In the order of the bodies, the list of hits is nearly sorted.
        let pairs = order.sort(self.bodies.len(), swept.pairs(), 0..swept.pairs().len() as u32);
        let go_on = pairs.iter().all(|&[a, b, _]| {
            let [a, b] = [a, b].map(|place| &self.bodies[place as usize]);
            a.is_changed || b.is_changed || test(a, b)
        });
        // The pairs are those of the last update, so the pairs of bodies that changed since are searched here.
        let changed = self.changed.iter().map(|&place| &self.bodies[place as usize]).filter(|body| body.is_changed);
        let _ = go_on && { changed }.all(|one| {
            let near = |blocks: &[_], masks: &mut [u16]| {
                kernels::bounds_masks(self.kernel, &one.swept_bounds(), blocks, masks);
            };
            swept.tiles().each_body(near, |place| {
                let other = &self.bodies[place];
                // Two bodies that both changed find each other twice; only the first of the two counts.
                let is_new = one.id != other.id && (!other.is_changed || one.id < other.id);
                if !is_new || !BodyLayers::new(one).interacts_with(&BodyLayers::new(other)) {
                    return true;
                }
                if one.id < other.id { test(one, other) } else { test(other, one) }
            })
        });
        self.sweeps.give_back(scratch);
    }
}
