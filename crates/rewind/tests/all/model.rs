//! Views beside clones of the world, and beside a loop over all bodies.

use crate::scene::Scene;
use geometry_core::{Capsule, Obb, Ray, Sphere};
use glam::Vec3;
use rewind::{History, HistorySettings, Moment, Rules};
use runtime::{
    Bodies, BodyCastHit, BodyId, BodyRayHit, BodyShapeOverlap, BoxIndex, CollisionLayers, HitboxWorld, QueryFilter,
    cast_shape_all,
};
use test_models::Random;

pub(crate) const LONG: Rules<'static> = Rules {
    max_back: 1e9,
    teleport_distance: 1e9,
    interpolation: rewind::Interpolation::Interpolated,
    may_ask: None,
    track_skin: false,
};

/// All answers of a set of bodies to random questions.
#[derive(Debug, PartialEq)]
pub(crate) struct Answers {
    first: Vec<Option<BodyRayHit>>,
    all: Vec<Vec<BodyRayHit>>,
    overlaps: Vec<Vec<BodyShapeOverlap>>,
    casts: Vec<Vec<BodyCastHit>>,
    first_casts: Vec<Option<BodyCastHit>>,
}

pub(crate) struct Questions {
    rays: Vec<Ray>,
    balls: Vec<Sphere>,
    staffs: Vec<[Capsule; 2]>,
}

impl Questions {
    pub(crate) fn new(random: &mut Random) -> Self {
        let mut point = || random.vector() * 5.0;
        let rays = (0..6).map(|_| {
            let (from, to) = (point(), point());
            Ray::try_new(from, to - from).unwrap()
        });
        let rays = rays.collect();
        let balls = (0..4).map(|_| Sphere::try_new(point(), 0.6).unwrap()).collect();
        let staffs = (0..3).map(|_| {
            let (from, to) = (point(), point());
            [from, to].map(|at| Capsule::try_new(at - Vec3::Y * 0.4, at + Vec3::Y * 0.4, 0.1).unwrap())
        });
        let staffs = staffs.collect();
        Self { rays, balls, staffs }
    }

    pub(crate) fn ask(&self, bodies: &impl Bodies, filter: &QueryFilter<'_>) -> Answers {
        let mut answers = Answers { first: vec![], all: vec![], overlaps: vec![], casts: vec![], first_casts: vec![] };
        for ray in &self.rays {
            answers.first.push(bodies.cast_ray(ray, None, filter));
            let mut hits = Vec::new();
            bodies.cast_ray_all(ray, None, filter, &mut hits);
            assert_eq!(bodies.cast_ray_any(ray, None, filter), !hits.is_empty());
            answers.all.push(hits);
        }
        for ball in &self.balls {
            let mut boxes = Vec::new();
            bodies.overlapping_boxes(ball, filter, &mut boxes);
            assert_eq!(bodies.overlaps_shape(ball, filter), !boxes.is_empty());
            answers.overlaps.push(boxes);
        }
        for [from, to] in &self.staffs {
            let mut hits = Vec::new();
            bodies.cast_shape_all(from, to, None, filter, &mut hits);
            answers.first_casts.push(bodies.cast_shape(from, to, None, filter));
            assert_eq!(bodies.cast_shape_any(from, to, None, filter), !hits.is_empty());
            answers.casts.push(hits);
        }
        answers
    }

    /// The same answers by a loop over the bodies of a view, one by one.
    fn ask_view(&self, view: &rewind::View<'_>, filter: &QueryFilter<'_>) -> Answers {
        self.ask_each(&view.ids().filter_map(|id| view.body(id)).collect::<Vec<_>>(), filter)
    }

    /// The same answers by a loop over bodies, which are sorted by id.
    pub(crate) fn ask_each(&self, bodies: &[&runtime::Body], filter: &QueryFilter<'_>) -> Answers {
        let bodies = || bodies.iter().filter(|body| admits_body(filter, body));
        let admits = |body: &runtime::Body, index: BoxIndex| body.layers_of_box(index) != CollisionLayers::NONE;
        let time = |time: f32| (time + 0.0).to_bits();
        let mut answers = Answers { first: vec![], all: vec![], overlaps: vec![], casts: vec![], first_casts: vec![] };
        for ray in &self.rays {
            let mut all = Vec::new();
            for body in bodies() {
                let mut hits = Vec::new();
                body.posed().cast_ray_all(ray, None, &mut hits);
                let of_body = hits.iter().filter(|hit| admits(body, hit.box_index));
                all.extend(of_body.map(|&answer| BodyRayHit { body: body.id(), answer }));
            }
            all.sort_by_key(|hit| (time(hit.entry), hit.body, hit.box_index));
            answers.first.push(all.first().copied());
            answers.all.push(all);
        }
        for ball in &self.balls {
            let mut all = Vec::new();
            for body in bodies() {
                let mut boxes = Vec::new();
                body.posed().overlapping_boxes(ball, &mut boxes);
                let of_body = boxes.iter().filter(|one| admits(body, one.box_index));
                all.extend(of_body.map(|&answer| BodyShapeOverlap { body: body.id(), answer }));
            }
            answers.overlaps.push(all);
        }
        for [from, to] in &self.staffs {
            let mut all = Vec::new();
            for body in bodies() {
                let mut hits = Vec::new();
                cast_shape_all(from, to, &body.motion(), None, &mut hits);
                let of_body = hits.iter().filter(|hit| admits(body, hit.box_index));
                all.extend(of_body.map(|&answer| BodyCastHit { body: body.id(), answer }));
            }
            all.sort_by_key(|hit| (time(hit.time), hit.body, hit.box_index));
            answers.first_casts.push(all.first().copied());
            answers.casts.push(all);
        }
        answers
    }
}

fn admits_body(filter: &QueryFilter<'_>, body: &runtime::Body) -> bool {
    !filter.exclude.contains(&body.id()) && (filter.team.is_none() || filter.team != body.settings().team)
}

/// At a recorded tick, a view answers what a clone of the world answers, to the last bit, also after the world went on
/// and lost bodies. Bodies with packed joints are the exception: they are rounded.
#[test]
fn a_view_of_a_tick_answers_as_the_world_did() {
    for seed in 0..12 {
        let mut scene = Scene::new(seed, 14);
        let mut history = History::new(HistorySettings { ticks: 8, ..HistorySettings::default() });
        let mut past: Vec<(u64, HitboxWorld)> = Vec::new();
        for step in 0..30 {
            let tick = step * 2 + 5;
            for cut in scene.step() {
                history.cut(cut);
            }
            if step % 3 == 0 {
                scene.world.update();
            }
            let recorded = history.record(tick, &scene.world).unwrap();
            let posed = scene.world.bodies().filter(|body| body.posed().is_posed()).count();
            assert_eq!((recorded.bodies, recorded.without_recipe), (posed, 0));
            past.push((tick, scene.world.clone()));
            let (then, world) = &past[past.len() - 1 - scene.random.below(past.len().min(8))];
            let view = history.at_with(Moment::of_tick(*then), &LONG).unwrap();
            let questions = Questions::new(&mut scene.random);
            // Own joints are left out here.
            let own: Vec<BodyId> =
                world.bodies().filter(|body| !body.own_joints().is_empty()).map(runtime::Body::id).collect();
            for team in [None, Some(1)] {
                let filter = QueryFilter { exclude: &own, team, ..QueryFilter::default() };
                assert_eq!(questions.ask(&view, &filter), questions.ask(world, &filter));
            }
            for id in own {
                // The boxes of the preset `always` follow from differences of matrices, which enlarge the rounding.
                let is_always = !world.body(id).unwrap().character().baked().envelopes.is_empty();
                let rounding = if is_always { 1e-3 } else { 1e-5 };
                let (then, now) = (world.body(id).unwrap(), view.body(id).unwrap());
                for (then, now) in then.posed().boxes().zip(now.posed().boxes()) {
                    assert!((then.center - now.center).length() < rounding, "{seed} {id} {then:?} {now:?}");
                    assert!((then.half_extents - now.half_extents).length() < rounding, "{seed} {id} {then:?} {now:?}");
                }
            }
        }
        assert_eq!((history.oldest(), history.newest(), history.len()), (Some(5 + 2 * 22), Some(63), 8));
    }
}

/// The bounds that choose the bodies of a moment between two ticks leave out no body.
#[test]
fn a_view_between_ticks_finds_what_a_loop_over_all_bodies_finds() {
    for seed in 0..40 {
        let mut scene = Scene::new(seed, 14);
        let mut history = History::new(HistorySettings { ticks: 6, ..HistorySettings::default() });
        for tick in 0..12 {
            for cut in scene.step() {
                history.cut(cut);
            }
            history.record(tick, &scene.world).unwrap();
            let back = scene.random.between(0.0, (tick as f32).min(6.0));
            let moment = Moment::at((f64::from(tick as u32) - f64::from(back)).max(0.0)).unwrap();
            let questions = Questions::new(&mut scene.random);
            let team = *scene.random.pick(&[None, Some(1)]);
            let filter = QueryFilter { team, ..QueryFilter::default() };
            let expected = questions.ask_view(&history.at_with(moment, &LONG).unwrap(), &filter);
            assert_eq!(questions.ask(&history.at_with(moment, &LONG).unwrap(), &filter), expected, "seed {seed}");
        }
    }
}

/// All boxes at every moment between two ticks lie in the bounds of this time. The bounds are those that rays are tested
/// against, so a long thin shape along an axis finds each box.
#[test]
fn the_bounds_between_ticks_hold_every_box() {
    let all = QueryFilter::default();
    let mut boxes = 0;
    for seed in 100..130 {
        let mut scene = Scene::new(seed, 20);
        let mut history = History::default();
        for tick in 0..6 {
            for cut in scene.step() {
                history.cut(cut);
            }
            history.record(tick, &scene.world).unwrap();
        }
        for share in [0.1, 0.35, 0.5, 0.8, 0.99] {
            let moment = Moment { tick: scene.random.below(5) as u64, fraction: share };
            let every = history.at_with(moment, &LONG).unwrap();
            for id in every.ids() {
                let body = every.body(id).unwrap();
                for one in body.posed().boxes() {
                    let probe = Obb::try_new(one.center, Vec3::splat(1e-4), glam::Mat3::IDENTITY).unwrap();
                    let view = history.at_with(moment, &LONG).unwrap();
                    let mut found = Vec::new();
                    view.overlapping_boxes(&probe, &all, &mut found);
                    let is_found = found.iter().any(|found| found.body == id && found.box_index == one.index);
                    let mut own = Vec::new();
                    body.posed().overlapping_boxes(&probe, &mut own);
                    let is_there = own.iter().any(|own| own.box_index == one.index)
                        && body.layers_of_box(one.index) != CollisionLayers::NONE;
                    assert_eq!(is_found, is_there, "seed {seed}, body {id}, {:?}", one.index);
                    boxes += usize::from(is_there);
                }
            }
        }
    }
    assert!(boxes > 10_000, "{boxes}");
}
