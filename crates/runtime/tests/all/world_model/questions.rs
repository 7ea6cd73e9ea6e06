//! Random questions to the worlds, answered by the model too.

use super::model::{Model, ModelBody, admits, interact};
use super::operation::place;
use super::{Cast, Trial};
use geometry_core::{Capsule, Obb, Ray, Sphere};
use glam::{Affine3A, Vec3};
use runtime::{
    Body, BodyCastHit, BodyId, BodyRayHit, BodyShapeOverlap, BodySkinShapeOverlap, BodySweepHit, BoxIndex, BoxPair,
    CastShape, CollisionLayers, Contact, HitboxRole, HitboxWorld, QueryFilter, QueryShape, RayBuffers, RayQuery, Roles,
    SkinCandidates, SkinShape, SkinTouch, Touch, WorldError, cast_shape_all, contacts, exact_distance,
    exact_overlap_all, sweep_all,
};
use std::fmt::Debug;
use test_models::Random;

/// The values of a filter, which [`QueryFilter`] borrows.
#[derive(Debug, Default)]
struct Wanted {
    only: Option<BodyId>,
    exclude: Vec<BodyId>,
    team: Option<u32>,
    layers: Option<CollisionLayers>,
    roles: Roles,
    tags: Vec<&'static str>,
    /// The predicate finds the boxes whose index is a multiple of this number.
    divisor: u16,
}

impl Wanted {
    fn random(random: &mut Random, trial: &Trial) -> Self {
        let mut wanted = Self { divisor: 1, ..Self::default() };
        match random.below(10) {
            0 => wanted.only = Some(trial.any_id(random)),
            1 => wanted.exclude = (0..3).map(|_| trial.any_id(random)).collect(),
            2 => wanted.team = Some(1),
            3 => {
                let bits = [0, 1, 2, u32::MAX];
                let (memberships, mask) = (*random.pick(&bits), *random.pick(&bits));
                wanted.layers = Some(CollisionLayers { memberships, mask });
            }
            4 => wanted.tags = vec!["arm", "hand"],
            5 => wanted.divisor = 2,
            6 => {
                wanted.roles = (0..3).map(|_| *random.pick(&HitboxRole::ALL)).collect();
            }
            7 => wanted.roles = Roles::ALL,
            _ => {}
        }
        wanted
    }

    /// Returns `true` if the filter and the layers admit all hitboxes of a body or none.
    fn is_of_bodies(&self, model: &Model) -> bool {
        model.posed_bodies().all(|body| {
            let mut boxes =
                body.1.character.all_boxes().iter().map(|index| self.admits(body, index)).collect::<Vec<_>>();
            boxes.dedup();
            boxes.len() < 2
        })
    }

    fn with<T>(&self, ask: impl FnOnce(&QueryFilter<'_>) -> T) -> T {
        let divisor = self.divisor;
        let predicate = move |_: &Body, index: BoxIndex| index.0.is_multiple_of(divisor);
        let &Self { only, team, layers, .. } = self;
        let predicate: Option<&runtime::BoxPredicate<'_>> = if divisor > 1 { Some(&predicate) } else { None };
        ask(&QueryFilter { only, exclude: &self.exclude, team, layers, roles: self.roles, tags: &self.tags, predicate })
    }

    fn admits(&self, body: (BodyId, &ModelBody), index: BoxIndex) -> bool {
        self.with(|filter| admits(filter, self.divisor, body, index))
    }
}

/// The key that sorts like a nonnegative time.
fn time_key(time: f32) -> u32 {
    (time + 0.0).to_bits()
}

impl Trial {
    /// Compares the lists of the last update, the poses, and the answers to two random questions.
    pub(super) fn compare(&mut self, random: &mut Random) {
        for (index, world) in self.worlds.iter().enumerate() {
            assert_eq!(world.touches(), self.model.touches, "world {index}");
            assert_eq!(world.events(), self.model.events, "world {index}");
        }
        if random.below(4) == 0 {
            self.compare_poses();
        }
        let wanted = Wanted::random(random, self);
        for _ in 0..2 {
            if self.cast == Cast::Skins && random.below(2) == 0 {
                self.ask_about_skins(random, &wanted);
                continue;
            }
            match random.below(5) {
                0 => self.ask_rays(random, &wanted),
                1 => with_shape!(random, |shape| self.ask_overlaps(&shape, &wanted)),
                2 => {
                    let to = place(random).translation.into();
                    with_shape!(random, |shape| self.ask_casts(&shape, &moved(&shape, to), &wanted));
                }
                3 => {
                    self.ask_sweeps(&wanted);
                    self.ask_sweep_from(random, &wanted);
                }
                _ => self.ask_contacts(random),
            }
        }
    }

    /// Asks each world; all must give the same answer.
    fn ask<T: PartialEq + Debug>(&mut self, mut ask: impl FnMut(&mut HitboxWorld) -> T) -> T {
        let [first, second, third] = &mut self.worlds;
        let answer = ask(first);
        assert_eq!(ask(second), answer, "the scalar kernel");
        assert_eq!(ask(third), answer, "a copy");
        answer
    }

    fn compare_poses(&mut self) {
        for (index, world) in self.worlds.iter().enumerate() {
            assert_eq!(world.bodies().len(), self.model.bodies.len());
            let unposed = self.model.bodies.iter().filter(|(_, body)| !body.posed.is_posed()).map(|(id, _)| *id);
            assert!(world.unposed_bodies().map(Body::id).eq(unposed), "world {index}");
            for (real, (&id, body)) in world.bodies().zip(&self.model.bodies) {
                assert_eq!((real.id(), real.settings()), (id, body.settings), "world {index}");
                assert!(real.posed().boxes().eq(body.posed.boxes()), "world {index}, body {id}");
                assert_eq!(real.posed().bounds(), body.posed.bounds(), "world {index}, body {id}");
                for one in body.character.hitboxes() {
                    assert_eq!(real.posed().posed_hull(one.index), body.posed.posed_hull(one.index));
                    assert_eq!(real.layers_of_box(one.index), body.layers_of_box(one.index));
                }
                for &joint in &body.tracked {
                    let name = body.character.joint_name(joint);
                    assert_eq!(real.world_from_joint(name), body.posed.world_from_joint(joint), "body {id}");
                }
            }
        }
    }

    fn ask_rays(&mut self, random: &mut Random, wanted: &Wanted) {
        let ray = ray(random);
        let max_time = *random.pick(&[None, Some(2.0), Some(0.0), Some(-1.0), Some(f32::NAN)]);
        let mut expected = Vec::new();
        for (id, body) in self.model.posed_bodies() {
            let mut hits = Vec::new();
            body.posed.cast_ray_all(&ray, max_time, &mut hits);
            expected.extend(
                hits.iter()
                    .filter(|hit| wanted.admits((id, body), hit.box_index))
                    .map(|&answer| BodyRayHit { body: id, answer }),
            );
        }
        expected.sort_by_key(|hit| (time_key(hit.entry), hit.body, hit.box_index));
        let answer = self.ask(|world| {
            wanted.with(|filter| {
                let mut hits = Vec::new();
                world.cast_ray_all(&ray, max_time, filter, &mut hits);
                assert_eq!(world.cast_ray(&ray, max_time, filter), hits.first().copied());
                assert_eq!(world.cast_ray_any(&ray, max_time, filter), !hits.is_empty());
                let query = RayQuery { ray, max_time, filter: *filter };
                let mut batch = Vec::new();
                world.cast_rays(&[query; 3], &mut RayBuffers::default(), &mut batch);
                assert_eq!(batch, [hits.first().copied(); 3]);
                hits
            })
        });
        assert_eq!(answer, expected);
    }

    fn ask_overlaps(&mut self, shape: &impl QueryShape, wanted: &Wanted) {
        let mut expected = Vec::new();
        for (id, body) in self.model.posed_bodies() {
            let mut boxes = Vec::new();
            body.posed.overlapping_boxes(shape, &mut boxes);
            expected.extend(
                boxes
                    .iter()
                    .filter(|one| wanted.admits((id, body), one.box_index))
                    .map(|&answer| BodyShapeOverlap { body: id, answer }),
            );
        }
        let answer = self.ask(|world| {
            wanted.with(|filter| {
                let mut boxes = Vec::new();
                world.overlapping_boxes(shape, filter, &mut boxes);
                assert_eq!(world.overlaps_shape(shape, filter), !boxes.is_empty());
                boxes
            })
        });
        assert_eq!(answer, expected);
    }

    fn ask_casts<S: CastShape>(&mut self, from: &S, to: &S, wanted: &Wanted) {
        let mut expected = Vec::new();
        for (id, body) in self.model.posed_bodies() {
            let mut hits = Vec::new();
            cast_shape_all(from, to, &body.motion(), None, &mut hits);
            expected.extend(
                hits.iter()
                    .filter(|hit| wanted.admits((id, body), hit.box_index))
                    .map(|&answer| BodyCastHit { body: id, answer }),
            );
        }
        expected.sort_by_key(|hit| (time_key(hit.time), hit.body, hit.box_index));
        let answer = self.ask(|world| {
            wanted.with(|filter| {
                let mut hits = Vec::new();
                world.cast_shape_all(from, to, None, filter, &mut hits);
                assert_eq!(world.cast_shape(from, to, None, filter), hits.first().copied());
                assert_eq!(world.cast_shape_any(from, to, None, filter), !hits.is_empty());
                let contacts: Vec<_> = hits.iter().map(|hit| world.cast_contact(from, to, hit).unwrap()).collect();
                assert!(contacts.iter().all(|one| one.point.is_finite() && one.depth.is_finite()), "{contacts:?}");
                (hits, contacts)
            })
        });
        assert_eq!(answer.0, expected);
    }

    fn ask_sweeps(&mut self, wanted: &Wanted) {
        let mut expected = Vec::new();
        for (body_a, a) in self.model.posed_bodies() {
            for (body_b, b) in self.model.posed_bodies().filter(|(id, _)| *id > body_a) {
                if a.moves_from().is_none() && b.moves_from().is_none() {
                    continue;
                }
                let mut hits = Vec::new();
                sweep_all(&a.motion(), &b.motion(), None, &mut hits);
                expected.extend(hits.into_iter().filter_map(|hit| {
                    let is_wanted = wanted.admits((body_a, a), hit.box_a)
                        && wanted.admits((body_b, b), hit.box_b)
                        && interact((a, hit.box_a), (b, hit.box_b));
                    is_wanted.then_some(BodySweepHit { body_a, body_b, answer: hit })
                }));
            }
        }
        let answer = self.ask(|world| {
            wanted.with(|filter| {
                let mut hits = Vec::new();
                world.sweep_all(None, filter, &mut hits);
                let key = |hit: &BodySweepHit| (time_key(hit.time), hit.body_a, hit.body_b, hit.box_a, hit.box_b);
                let first = hits.iter().min_by_key(|hit| key(hit)).copied();
                assert_eq!(world.sweep(None, filter), first);
                assert_eq!(world.sweep_any(None, filter), first.is_some());
                let contacts: Vec<_> = hits.iter().map(|hit| world.sweep_contact(hit).unwrap()).collect();
                assert_finite(&contacts);
                (hits, contacts)
            })
        });
        assert_eq!(answer.0, expected);
    }

    /// The hits of some boxes of one body. The filter is about the other bodies.
    fn ask_sweep_from(&mut self, random: &mut Random, wanted: &Wanted) {
        let id = self.any_id(random);
        let Some(attacker) = self.model.bodies.get(&id) else { return };
        let part = random.below(3) as u16;
        let boxes: Vec<BoxIndex> = attacker.character.all_boxes().iter().filter(|index| index.0 % 3 == part).collect();
        let set = boxes.iter().fold(None, |set: Option<runtime::BoxSet>, index| {
            let own = attacker.character.boxes_of_joint(attacker.character.hitbox(*index).unwrap().joint);
            Some(set.map_or_else(|| own.clone(), |set| set.union(&own).unwrap()))
        });
        let Some(set) = set else { return };
        let mut expected = Vec::new();
        for (other_id, other) in self.model.posed_bodies().filter(|(other, _)| *other != id) {
            let is_still = attacker.moves_from().is_none() && other.moves_from().is_none();
            if is_still || !attacker.posed.is_posed() {
                continue;
            }
            let is_first = id < other_id;
            let (a, b) = if is_first { (attacker, other) } else { (other, attacker) };
            let (body_a, body_b) = if is_first { (id, other_id) } else { (other_id, id) };
            let mut hits = Vec::new();
            sweep_all(&a.motion(), &b.motion(), None, &mut hits);
            expected.extend(hits.into_iter().filter_map(|hit| {
                let (own, of_other) = if is_first { (hit.box_a, hit.box_b) } else { (hit.box_b, hit.box_a) };
                let is_wanted = set.contains(own)
                    && wanted.admits((other_id, other), of_other)
                    && interact((a, hit.box_a), (b, hit.box_b));
                is_wanted.then_some(BodySweepHit { body_a, body_b, answer: hit })
            }));
        }
        expected.sort_by_key(|hit| (hit.body_a, hit.body_b, hit.box_a, hit.box_b));
        let answer = self.ask(|world| {
            wanted.with(|filter| {
                let mut hits = Vec::new();
                world.sweep_from(id, &set, None, filter, &mut hits).unwrap();
                hits
            })
        });
        assert_eq!(answer, expected);
    }

    /// Contacts of touches, also of touches whose bodies have moved since.
    fn ask_contacts(&mut self, random: &mut Random) {
        let mut touches = self.model.touches.clone();
        touches.truncate(20);
        touches.push(Touch {
            body_a: self.any_id(random),
            body_b: self.any_id(random),
            answer: BoxPair {
                box_a: BoxIndex(0),
                box_b: BoxIndex(1),
                joint_a: skeleton::JointIndex(0),
                joint_b: skeleton::JointIndex(0),
            },
        });
        let answer = self.ask(|world| {
            let contacts: Vec<Option<Contact>> = touches.iter().map(|touch| world.contact(touch)).collect();
            contacts
        });
        for (touch, answer) in touches.iter().zip(answer) {
            let [a, b] = [touch.body_a, touch.body_b].map(|id| self.model.bodies.get(&id));
            let (Some(a), Some(b)) = (a, b) else {
                assert_eq!(answer, None);
                continue;
            };
            assert_eq!(answer.is_some(), a.posed.is_posed() && b.posed.is_posed());
            let Some(answer) = answer else { continue };
            assert_finite(&[answer]);
            let mut overlapping = Vec::new();
            contacts(&a.posed, &b.posed, &mut overlapping);
            if let Some(one) = overlapping.iter().find(|one| (one.box_a, one.box_b) == (touch.box_a, touch.box_b)) {
                assert_eq!(*one, answer);
            } else {
                assert_eq!(answer.depth, 0.0);
            }
        }
    }

    /// Exact questions to worlds in which every body tracks its skin.
    fn ask_about_skins(&mut self, random: &mut Random, wanted: &Wanted) {
        match random.below(4) {
            0 => {
                let ray = ray(random);
                let answer = self.ask(|world| wanted.with(|filter| world.exact_ray(&ray, None, filter).unwrap()));
                if wanted.is_of_bodies(&self.model) {
                    let hit = |(id, body): (BodyId, &ModelBody)| {
                        let hit = body.posed.clone().exact_ray(&ray, None).unwrap()?;
                        Some((time_key(hit.time), id, hit.joint, hit.source_triangle))
                    };
                    let bodies = self.model.posed_bodies().filter(|&(id, body)| admits_any(wanted, (id, body)));
                    let first = bodies.filter_map(hit).min();
                    let answer = answer.map(|hit| (time_key(hit.time), hit.body, hit.joint, hit.source_triangle));
                    assert_eq!(answer, first);
                }
            }
            1 => with_shape!(random, |shape| self.ask_skin_shape(&shape, wanted)),
            2 => {
                let [a, b] = [(); 2].map(|()| self.any_id(random));
                let max = *random.pick(&[None, Some(0.0), Some(1.0)]);
                let answer = self.ask(|world| world.exact_distance(a, b, max));
                let [one, other] = [a, b].map(|id| self.model.bodies.get(&id).map(|body| body.posed.clone()));
                match (one, other) {
                    (Some(mut one), Some(mut other)) if a != b && one.is_posed() && other.is_posed() => {
                        assert_eq!(answer, Ok(exact_distance(&mut one, &mut other, max).unwrap()));
                    }
                    _ => assert!(matches!(
                        answer,
                        Err(WorldError::NoBody(_) | WorldError::SameBody(_) | WorldError::Skin { .. })
                    )),
                }
            }
            _ => {
                let answer = self.ask(|world| {
                    wanted.with(|filter| {
                        let mut found = Vec::new();
                        world.exact_touches(filter, &mut found).unwrap();
                        found
                    })
                });
                assert_eq!(answer, exact_touches(&self.model, wanted));
            }
        }
    }

    fn ask_skin_shape(&mut self, shape: &impl SkinShape, wanted: &Wanted) {
        let point = shape.bounds().min.midpoint(shape.bounds().max);
        let (found, inside) = self.ask(|world| {
            wanted.with(|filter| {
                let (mut found, mut inside) = (Vec::new(), Vec::new());
                world.exact_shape_overlaps(shape, filter, &mut found).unwrap();
                world.bodies_containing(point, filter, &mut inside).unwrap();
                (found, inside)
            })
        });
        let (mut expected, mut expected_inside) = (Vec::new(), Vec::new());
        let is_of_bodies = wanted.is_of_bodies(&self.model);
        for (id, body) in self.model.posed_bodies() {
            let mut posed = body.posed.clone();
            let mut overlaps = Vec::new();
            posed.exact_shape_overlaps(shape, &mut overlaps).unwrap();
            let overlaps = overlaps.into_iter().filter(|one| admits_joint(wanted, (id, body), one.joint));
            expected.extend(overlaps.map(|answer| BodySkinShapeOverlap { body: id, answer }));
            if is_of_bodies && admits_any(wanted, (id, body)) && posed.skin_contains(point).unwrap() {
                expected_inside.push(id);
            }
        }
        assert_eq!(found, expected);
        if is_of_bodies {
            assert_eq!(inside, expected_inside);
        }
    }
}

/// The joints of all pairs of bodies whose skins touch in the present poses.
fn exact_touches(model: &Model, wanted: &Wanted) -> Vec<SkinTouch> {
    let mut touches = Vec::new();
    for (body_a, a) in model.posed_bodies() {
        for (body_b, b) in model.posed_bodies().filter(|(id, _)| *id > body_a) {
            let mut found = Vec::new();
            let (mut one, mut other) = (a.posed.clone(), b.posed.clone());
            exact_overlap_all(&mut one, &mut other, SkinCandidates::Bounds, &mut found).unwrap();
            touches.extend(found.into_iter().filter_map(|overlap| {
                let (joint_a, joint_b) = (overlap.joint_a, overlap.joint_b);
                let of = |body: &ModelBody, joint| body.character.boxes_of_joint(joint).iter().collect::<Vec<_>>();
                let can_touch = of(a, joint_a)
                    .into_iter()
                    .any(|first| of(b, joint_b).into_iter().any(|second| interact((a, first), (b, second))));
                let is_wanted = can_touch
                    && admits_joint(wanted, (body_a, a), joint_a)
                    && admits_joint(wanted, (body_b, b), joint_b);
                is_wanted.then_some(SkinTouch { body_a, body_b, answer: overlap })
            }));
        }
    }
    touches
}

fn admits_joint(wanted: &Wanted, body: (BodyId, &ModelBody), joint: skeleton::JointIndex) -> bool {
    body.1.character.boxes_of_joint(joint).iter().any(|index| wanted.admits(body, index))
}

fn admits_any(wanted: &Wanted, body: (BodyId, &ModelBody)) -> bool {
    body.1.character.all_boxes().iter().any(|index| wanted.admits(body, index))
}

fn assert_finite(contacts: &[Contact]) {
    for contact in contacts {
        let is_finite = contact.depth.is_finite() && contact.points().iter().all(|point| point.is_finite());
        assert!(is_finite && contact.direction.is_finite(), "{contact:?}");
    }
}

fn ray(random: &mut Random) -> Ray {
    loop {
        let (from, to) = (finite_place(random), finite_place(random));
        let (from, to): (Vec3, Vec3) = (from.translation.into(), to.translation.into());
        let lift = Vec3::Y * random.between(0.0, 2.0);
        if let Ok(ray) = Ray::try_new(from + lift, to - from) {
            return ray;
        }
    }
}

fn is_near(at: Vec3) -> bool {
    at.is_finite() && at.abs().max_element() < 1e7
}

fn finite_place(random: &mut Random) -> Affine3A {
    loop {
        let place = place(random);
        if is_near(place.translation.into()) {
            return place;
        }
    }
}

/// A random shape, and the same shape at another place.
macro_rules! with_shape {
    ($random:expr, |$shape:ident| $ask:expr) => {{
        let random: &mut Random = $random;
        let place = finite_place(random);
        let center = Vec3::from(place.translation) + Vec3::Y * random.between(0.0, 2.0);
        let size = *random.pick(&[0.0, 0.05, 0.3, 2.0]);
        match random.below(3) {
            0 => {
                let $shape = Sphere::try_new(center, size).unwrap();
                $ask
            }
            1 => {
                let $shape = Capsule::try_new(center, center + Vec3::new(0.5, 0.25, 0.0), size).unwrap();
                $ask
            }
            _ => {
                let $shape = Obb::from_orientation(center, Vec3::new(size, 0.2, 0.1), random.rotation());
                $ask
            }
        }
    }};
}
use with_shape;

trait Moved {
    fn moved(&self, to: Vec3) -> Self;
}

impl Moved for Sphere {
    fn moved(&self, to: Vec3) -> Self {
        Self::try_new(to, self.radius()).unwrap()
    }
}

impl Moved for Capsule {
    fn moved(&self, to: Vec3) -> Self {
        Self::try_new(to, to + Vec3::new(0.0, 0.5, 0.0), self.radius()).unwrap()
    }
}

impl Moved for Obb {
    fn moved(&self, to: Vec3) -> Self {
        Self::new(to, self.half_extents(), self.axes())
    }
}

fn moved<S: Moved>(shape: &S, to: Vec3) -> S {
    shape.moved(if is_near(to) { to } else { Vec3::ZERO })
}
