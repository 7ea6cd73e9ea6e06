//! Places of contacts lie on both hitboxes: of boxes that share axes, faces and edges, of our own characters' clips, and of touches that
//! have become stale.

use crate::assets::load;
use crate::characters::arm;
use baked_characters::{baked_arm, baked_figure, with_hulls};
use geometry_core::tolerances::POINT_TOLERANCE;
use geometry_core::{Obb, ObbMotion};
use glam::{Affine3A, DVec3, Quat, Vec3};
use runtime::{
    BodyId, BodyMotion, BodySettings, Character, ClipIndex, ClipSampler, DEFAULT_SWEEP_TOLERANCE, HitboxWorld,
    PosedCharacter, PosedHitbox, PosedShape, QueryFilter, cast_shape_all, contacts, sweep_all,
};
use std::sync::Arc;
use test_models::{Random, turn_by_steps};

/// The distance from a point to a box.
fn outside(one: &Obb, point: Vec3) -> f64 {
    let offset = point.as_dvec3() - one.center().as_dvec3();
    ((one.axes().as_dmat3().transpose() * offset).abs() - one.half_extents().as_dvec3()).max(DVec3::ZERO).length()
}

/// The distance from a point to a hitbox. For a hull, to the box around it.
fn outside_of_hitbox(one: &PosedHitbox, point: Vec3) -> f64 {
    let to_segment = |start: Vec3, end: Vec3, radius: f32| {
        let (start, way, to_point) = (start.as_dvec3(), (end - start).as_dvec3(), (point - start).as_dvec3());
        let share = (way.dot(to_point) / way.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        (start + way * share).distance(point.as_dvec3()) - f64::from(radius)
    };
    match one.posed_shape() {
        Some(PosedShape::Capsule(round)) => to_segment(round.segment().start(), round.segment().end(), round.radius()),
        Some(PosedShape::Sphere(round)) => to_segment(round.center(), round.center(), round.radius()),
        Some(PosedShape::Box(_)) | None => outside(&one.obb(), point),
    }
}

/// The places that were looked at, and those that were not on both boxes.
#[derive(Default)]
struct Places {
    looked_at: usize,
    outside: Vec<String>,
}

impl Places {
    fn look(&mut self, a: &Obb, b: &Obb, places: impl IntoIterator<Item = Vec3>) {
        let size = f64::from(a.extent_sum() + b.extent_sum());
        let gap = f64::from(a.separation(b).gap.max(0.0));
        for place in places {
            self.looked_at += 1;
            let rounding = f64::from(place.abs().max_element()) * f64::from(f32::EPSILON);
            let far = outside(a, place).max(outside(b, place));
            let bound = gap + f64::from(POINT_TOLERANCE) * size + rounding;
            // NaN is outside too.
            if far.is_nan() || far > bound {
                self.outside.push(format!("{place} is {far} outside of {a:?} or {b:?}"));
            }
        }
    }

    #[track_caller]
    fn assert_none_outside(self, least: usize) {
        assert!(self.looked_at >= least, "{} places", self.looked_at);
        let (count, first) = (self.outside.len(), self.outside.first());
        assert!(self.outside.is_empty(), "{count} of {} places are outside, the first: {first:?}", self.looked_at);
    }
}

fn motion(from: &PosedHitbox, to: &PosedHitbox) -> ObbMotion {
    let half = from.half_extents.max(to.half_extents);
    ObbMotion::between(&Obb::new(from.center, half, from.axes), &to.obb())
}

/// Looks at the places of all hits of two moving bodies, whose hitboxes are boxes.
fn look_at_sweep(places: &mut Places, [a, b]: [[&PosedCharacter; 2]; 2]) {
    let motions =
        [a, b].map(|[from, to]| from.boxes().zip(to.boxes()).map(|(from, to)| motion(&from, &to)).collect::<Vec<_>>());
    let [a, b] = [a, b].map(|[from, to]| BodyMotion::new(from, to).unwrap());
    let mut hits = Vec::new();
    sweep_all(&a, &b, None, &mut hits);
    for hit in &hits {
        let [one, other] =
            [(0, hit.box_a), (1, hit.box_b)].map(|(side, index)| motions[side][index.index()].at(hit.time));
        let size = one.extent_sum() + other.extent_sum();
        let rounding = one.center().abs().max(other.center().abs()).max_element() * 4.0 * f32::EPSILON;
        assert!(one.separation(&other).gap <= 1.1 * DEFAULT_SWEEP_TOLERANCE * size + rounding);
        let contact = hit.contact(&a, &b).unwrap();
        places.look(&one, &other, contact.points().iter().copied().chain([contact.center()]));
    }
}

fn place(character: &Character, matrix: Affine3A) -> PosedCharacter {
    let mut posed = PosedCharacter::new();
    posed.pose_from_rest(character, &matrix).unwrap();
    posed
}

/// An arm of one long box, lying along x.
fn long_arm() -> Character {
    let mut baked = baked_arm("long");
    baked.boxes.truncate(1);
    (baked.boxes[0].center, baked.boxes[0].half_extents) = (Vec3::NEG_Y, Vec3::new(1.5, 0.1, 0.12));
    Character::from_baked(baked)
}

#[test]
fn arms_with_a_common_lean_touch_where_they_are() {
    let (arm, mut places) = (long_arm(), Places::default());
    for lean in [Quat::from_rotation_z(0.3), Quat::from_rotation_z(0.2) * Quat::from_rotation_x(0.5), Quat::IDENTITY] {
        for degrees in 1..180_u16 {
            let turn = lean * Quat::from_rotation_y(f32::from(degrees).to_radians());
            let above = |height: f32| Affine3A::from_rotation_translation(turn, lean * Vec3::new(0.7, height, 0.1));
            let below = place(&arm, Affine3A::from_quat(lean));
            let (from, to) = (place(&arm, above(1.0)), place(&arm, above(-0.1)));
            look_at_sweep(&mut places, [[&from, &to], [&below, &below]]);
            // The same by a cast of the box.
            let [first, last] = [&from, &to].map(|posed| posed.boxes().next().unwrap().obb());
            let (body, mut hits) = (BodyMotion::still(&below), Vec::new());
            cast_shape_all(&first, &last, &body, None, &mut hits);
            let at = ObbMotion::between(&first, &last).at(hits[0].time);
            let contact = hits[0].contact(&first, &last, &body).unwrap();
            places.look(&at, &below.boxes().next().unwrap().obb(), [contact.point]);
        }
    }
    places.assert_none_outside(3 * 179 * 3);
}

#[test]
fn arms_turned_in_steps_of_15_degrees_touch_where_they_are() {
    let (arm, mut places) = (arm("arm"), Places::default());
    let turn = |axis: usize, steps: usize| turn_by_steps(DVec3::AXES[axis], steps).as_quat();
    for (axis, other_axis) in [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)] {
        for step in 0..24 {
            for other_step in 0..12 {
                let still = place(&arm, Affine3A::from_quat(turn(axis, step)));
                for way in [Vec3::X, Vec3::Y, Vec3::new(0.0, 0.6, 0.8)] {
                    let at = |far: f32| Affine3A::from_rotation_translation(turn(other_axis, other_step), way * far);
                    let (from, to) = (place(&arm, at(-5.0)), place(&arm, at(5.0)));
                    look_at_sweep(&mut places, [[&from, &to], [&still, &still]]);
                }
            }
        }
    }
    places.assert_none_outside(30_000);
}

#[test]
fn clips_of_our_characters_touch_where_they_are() {
    let characters = ["runa", "bruno", "hound"].map(load);
    let (mut places, mut sampler) = (Places::default(), ClipSampler::new());
    for character in &characters {
        for other in &characters {
            for step in 0..30_u8 {
                let mut pose = |character: &Character, x: f32, half_turn: bool, seconds: f32| {
                    let turn = if half_turn { Quat::from_xyzw(0.0, 1.0, 0.0, 0.0) } else { Quat::IDENTITY };
                    let place = Affine3A::from_rotation_translation(turn, Vec3::new(0.0, 0.0, x));
                    let clip = ClipIndex(u32::from(step) % character.clips().len() as u32);
                    let mut posed = PosedCharacter::new();
                    posed.pose_from_clip(&mut sampler, character, &place, clip, seconds).unwrap();
                    posed
                };
                let time = 0.1 * f32::from(step);
                let mut ends = |later: f32, near: f32| {
                    [pose(character, 0.0, false, time + later), pose(other, near, true, time + later)]
                };
                let ([a_from, b_from], [a_to, b_to]) = (ends(0.0, 2.5), ends(0.05, 0.5));
                look_at_sweep(&mut places, [[&a_from, &a_to], [&b_from, &b_to]]);
            }
        }
    }
    places.assert_none_outside(10_000);
}

/// Hitboxes of all shapes, scaled by 0, by 0.01, by 100, unevenly and mirrored, near the origin and far from it.
#[test]
fn places_of_all_shapes_are_in_both() {
    let character = Character::from_baked(with_hulls(baked_figure("figure")));
    let (mut random, mut looked_at, mut found) = (Random::new(7), 0, Vec::new());
    for _ in 0..300 {
        let [a, b] = random.unkind_matrices().map(|matrix| place(&character, matrix));
        let (boxes_a, boxes_b): (Vec<_>, Vec<_>) = (a.boxes().collect(), b.boxes().collect());
        contacts(&a, &b, &mut found);
        for contact in &found {
            assert!(contact.direction.is_normalized() && contact.depth >= 0.0, "{contact:?}");
            let (one, other) = (&boxes_a[contact.box_a.index()], &boxes_b[contact.box_b.index()]);
            let size = one.obb().extent_sum() + other.obb().extent_sum();
            for point in contact.points().iter().copied().chain([contact.center()]) {
                looked_at += 1;
                let far = outside_of_hitbox(one, point).max(outside_of_hitbox(other, point));
                let largest = point.abs().max(one.center.abs()).max(other.center.abs()).max_element();
                // The ends of a capsule, which this test looks at, are rounded too.
                let bound = f64::from(4.0 * f32::EPSILON * largest + 2.0 * POINT_TOLERANCE * size);
                assert!(far <= bound, "{point} is {far} outside of {one:?} or {other:?}, not {bound}");
            }
        }
    }
    assert!(looked_at > 20_000, "{looked_at} places");
}

/// A touch of the last update, asked after a body was moved far away.
#[test]
fn a_stale_touch_has_a_place_between_the_bodies() {
    let character = Arc::new(Character::from_baked(with_hulls(baked_figure("figure"))));
    let mut random = Random::new(3);
    for _ in 0..50 {
        let mut world = HitboxWorld::new();
        for id in [1, 2] {
            world.insert(BodyId(id), Arc::clone(&character), BodySettings::default()).unwrap();
            world.pose_from_rest(BodyId(id), &Affine3A::from_translation(Vec3::X * 0.1 * id as f32)).unwrap();
        }
        world.update();
        let touches = world.touches().to_vec();
        assert!(!touches.is_empty());
        let [mut far] = random.unkind_matrices();
        far.translation += random.direction().to_vec3a() * *random.pick(&[1.0, 1e3, 1e6, 1e9]);
        world.pose_from_rest(BodyId(2), &far).unwrap();
        for touch in &touches {
            let contact = world.contact(touch).unwrap();
            let [one, other] = [(touch.body_a, touch.box_a), (touch.body_b, touch.box_b)]
                .map(|(body, index)| world.body(body).unwrap().posed().boxes().nth(index.index()).unwrap());
            for place in contact.points().iter().copied().chain([contact.center()]) {
                assert!(place.is_finite(), "{contact:?}");
                let apart = one.center.distance(other.center) + one.half_extents.length() + other.half_extents.length();
                assert!(place.distance(one.center) <= apart && place.distance(other.center) <= apart, "{contact:?}");
            }
        }
        assert!(
            world.sweep(None, &QueryFilter::default()).is_none_or(|hit| world
                .sweep_contact(&hit)
                .unwrap()
                .center()
                .is_finite())
        );
    }
}
