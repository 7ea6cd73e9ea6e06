//! Contacts, distances, rays, shapes and sweeps against slow twins that test every pair.

use crate::characters::figure;
use geometry_core::{Capsule, Obb, ObbMotion, Ray, Sphere};
use glam::{Affine3A, Quat, Vec3};
use proptest::prelude::*;
use runtime::{
    BodyId, BodyMotion, BodySettings, BodyShapeOverlap, BoxIndex, Character, ClipIndex, ClipSampler, CollisionLayers,
    HitboxWorld, JointPair, PosedCharacter, QueryFilter, QueryShape, cast_shape_all, contacts, distance,
    overlapping_joints, overlaps, sweep, sweep_all, sweep_any,
};
use std::sync::{Arc, LazyLock};

static FIGURE: LazyLock<Arc<Character>> = LazyLock::new(|| Arc::new(figure("figure")));

#[derive(Clone, Copy, Debug)]
struct Place {
    at: [f32; 3],
    turn: [f32; 4],
    time: f32,
}

impl Place {
    fn matrix(self) -> Affine3A {
        let turn = Quat::from_array(self.turn);
        let turn = if turn.length_squared() > 0.01 { turn.normalize() } else { Quat::IDENTITY };
        Affine3A::from_rotation_translation(turn, self.at.into())
    }

    fn posed(self) -> PosedCharacter {
        let mut posed = PosedCharacter::new();
        posed.pose_from_clip(&mut ClipSampler::new(), &FIGURE, &self.matrix(), ClipIndex(1), self.time).unwrap();
        posed
    }
}

fn place(reach: f32) -> impl Strategy<Value = Place> {
    let upright = (-1f32..1.0).prop_map(|y| [0.0, y, 0.0, 1.0]);
    let turn = prop_oneof![2 => upright, 1 => prop::array::uniform4(-1f32..1.0)];
    (prop::array::uniform3(-reach..reach), turn, 0f32..1.0).prop_map(|(at, turn, time)| Place { at, turn, time })
}

fn boxes(posed: &PosedCharacter) -> Vec<Obb> {
    posed.boxes().map(|one| one.obb()).collect()
}

/// The separation in `f64` by projecting on all corners, without any arithmetic of the crate.
fn separation_in_f64(a: &Obb, b: &Obb) -> f64 {
    let columns =
        |one: &Obb| [one.axes().x_axis.as_dvec3(), one.axes().y_axis.as_dvec3(), one.axes().z_axis.as_dvec3()];
    let corners = |one: &Obb| {
        let (c, h, [x, y, z]) = (one.center().as_dvec3(), one.half_extents().as_dvec3(), columns(one));
        let sign = |k: i32, i: i32| if k >> i & 1 == 1 { 1.0 } else { -1.0 };
        (0..8).map(move |k| c + x * h.x * sign(k, 0) + y * h.y * sign(k, 1) + z * h.z * sign(k, 2)).collect::<Vec<_>>()
    };
    let (a_columns, b_columns) = (columns(a), columns(b));
    let mut axes: Vec<glam::DVec3> = a_columns.into_iter().chain(b_columns).collect();
    axes.extend(a_columns.iter().flat_map(|&u| b_columns.map(|v| u.cross(v))));
    let (a_corners, b_corners) = (corners(a), corners(b));
    let gap = |axis: &glam::DVec3| {
        let span = |corners: &[glam::DVec3]| {
            corners.iter().fold((f64::MAX, f64::MIN), |(low, high), corner| {
                (low.min(axis.dot(*corner)), high.max(axis.dot(*corner)))
            })
        };
        let ((a_low, a_high), (b_low, b_high)) = (span(&a_corners), span(&b_corners));
        (b_low - a_high).max(a_low - b_high) / axis.length()
    };
    axes.iter().filter(|axis| axis.length() > 1e-5).map(gap).fold(f64::MIN, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn overlaps_and_contacts_are_those_of_all_pairs(a in place(0.6), b in place(0.6)) {
        let (a, b) = (a.posed(), b.posed());
        let (mut pairs, mut found) = (Vec::new(), Vec::new());
        overlapping_joints(&a, &b, &mut pairs);
        contacts(&a, &b, &mut found);
        prop_assert_eq!(overlaps(&a, &b), !pairs.is_empty());
        let found_pairs: Vec<_> = found.iter().map(|one| JointPair { joint_a: one.joint_a, joint_b: one.joint_b }).collect();
        prop_assert_eq!(&found_pairs, &pairs);
        for (i, one) in boxes(&a).iter().enumerate() {
            for (j, other) in boxes(&b).iter().enumerate() {
                let gap = separation_in_f64(one, other);
                let contact = found.iter().find(|contact| (contact.box_a.index(), contact.box_b.index()) == (i, j));
                if gap.abs() > 1e-5 {
                    prop_assert_eq!(contact.is_some(), gap < 0.0, "gap {}", gap);
                }
                let Some(contact) = contact else { continue };
                prop_assert!((f64::from(contact.depth) + gap).abs() < 1e-5, "{} and {gap}", contact.depth);
                // Moving the other box out by the depth leaves them touching at most.
                let moved = other.center() + contact.direction * (contact.depth + 1e-4);
                prop_assert!(!one.overlaps(&Obb::new(moved, other.half_extents(), other.axes())));
                prop_assert!(!contact.points().is_empty());
                for point in contact.points() {
                    let slack = contact.depth + 1e-3;
                    prop_assert!(one.distance(*point) < slack && other.distance(*point) < slack, "{point}");
                }
                let center = contact.center();
                prop_assert!(one.distance(center) <= 0.51 * contact.depth + 1e-4, "{:?}", contact);
            }
        }
    }

    #[test]
    fn distance_is_the_least_over_sampled_points(a in place(1.5), b in place(1.5)) {
        let (a, b) = (a.posed(), b.posed());
        let nearest = distance(&a, &b, f32::INFINITY).unwrap();
        prop_assert_eq!(nearest.distance == 0.0, overlaps(&a, &b));
        let (a_boxes, b_boxes) = (boxes(&a), boxes(&b));
        let (one, other) = (&a_boxes[nearest.box_a.index()], &b_boxes[nearest.box_b.index()]);
        prop_assert!(one.distance(nearest.point_a) < 1e-5 && other.distance(nearest.point_b) < 1e-5);
        if nearest.distance > 0.0 {
            prop_assert!((nearest.point_a.distance(nearest.point_b) - nearest.distance).abs() < 1e-5);
        }
        // Alternating projections: from any start they come down to the true distance of a pair, never below it.
        for one in &a_boxes {
            for other in &b_boxes {
                let mut point = one.center();
                for _ in 0..30 {
                    point = one.closest_point(other.closest_point(point));
                }
                prop_assert!(other.distance(point) >= nearest.distance - 1e-5);
            }
        }
        let (mut p, one, other) = (one.center(), one, other);
        for _ in 0..2000 {
            p = one.closest_point(other.closest_point(p));
        }
        prop_assert!(other.distance(p) <= nearest.distance + 2e-3, "{} {}", other.distance(p), nearest.distance);
        prop_assert!(distance(&a, &b, nearest.distance * 0.99 - 1e-6).is_none());
    }

    #[test]
    fn rays_hit_what_looking_at_all_boxes_hits(
        a in place(0.5),
        origin in prop::array::uniform3(-3f32..3.0),
        target in prop::array::uniform3(-1f32..2.0),
        axis in prop::option::of(0usize..3),
        max_time in prop_oneof![Just(f32::INFINITY), 0f32..3.0],
    ) {
        let posed = a.posed();
        // Along a world axis as often as not.
        let direction = axis.map_or(Vec3::from(target) - Vec3::from(origin), |axis| Vec3::AXES[axis]);
        prop_assume!(direction.length() > 0.01);
        let ray = Ray::try_new(origin.into(), direction).unwrap();
        let mut expected: Vec<_> =
            boxes(&posed).iter().enumerate().filter_map(|(i, one)| Some((i, one.cast_ray(&ray, max_time)?))).collect();
        expected.sort_by(|a, b| a.1.entry.total_cmp(&b.1.entry).then(a.0.cmp(&b.0)));
        let mut hits = Vec::new();
        posed.cast_ray_all(&ray, max_time, &mut hits);
        prop_assert!(hits.iter().map(|hit| (hit.box_index.index(), hit.entry, hit.exit, hit.normal)).eq(expected.iter().map(|(index, hit)| (*index, hit.entry, hit.exit, hit.normal))));
        prop_assert_eq!(posed.cast_ray(&ray, max_time), hits.first().copied());
        prop_assert_eq!(posed.cast_ray_any(&ray, max_time), !hits.is_empty());
    }

    #[test]
    fn shapes_touch_what_looking_at_all_boxes_touches(
        a in place(0.5),
        at in prop::array::uniform3(-1f32..2.0),
        to in prop::array::uniform3(-1f32..2.0),
        radius in 0f32..0.5,
    ) {
        fn check(posed: &PosedCharacter, shape: &impl QueryShape) {
            let expected: Vec<_> = (0..).zip(boxes(posed)).filter(|(_, one)| shape.overlaps_box(one)).map(|(i, _)| BoxIndex(i)).collect();
            let mut found = Vec::new();
            posed.overlapping_boxes(shape, &mut found);
            assert_eq!(found.iter().map(|one| one.box_index).collect::<Vec<_>>(), expected);
            assert_eq!(posed.overlaps_shape(shape), !found.is_empty());
        }
        let posed = a.posed();
        check(&posed, &Sphere::try_new(at.into(), radius).unwrap());
        check(&posed, &Capsule::try_new(at.into(), to.into(), radius).unwrap());
        check(&posed, &Obb::new(at.into(), Vec3::new(radius, 0.1, 0.3), posed.boxes().next().unwrap().axes));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(25))]

    #[test]
    fn sweeps_miss_nothing_and_are_never_late(a in (place(2.0), place(2.0)), b in (place(2.0), place(2.0))) {
        const TOLERANCE: f32 = 1e-4;
        const STEPS: u8 = 60;
        let (a_from, a_to, b_from, b_to) = (a.0.posed(), a.1.posed(), b.0.posed(), b.1.posed());
        let (a, b) = (BodyMotion::new(&a_from, &a_to).unwrap(), BodyMotion::new(&b_from, &b_to).unwrap());
        let mut hits = Vec::new();
        sweep_all(&a, &b, TOLERANCE, &mut hits);
        let pairs: Vec<_> = hits.iter().map(|hit| (hit.joint_a, hit.joint_b)).collect();
        prop_assert!(pairs.is_sorted() && pairs.windows(2).all(|pair| pair[0] != pair[1]));
        prop_assert_eq!(sweep_any(&a, &b, TOLERANCE), !hits.is_empty());
        let first = sweep(&a, &b, TOLERANCE).map(|hit| hit.time);
        prop_assert_eq!(first, hits.iter().map(|hit| hit.time).reduce(f32::min));
        // The slow twin: step through the motion.
        let motions = |from: &PosedCharacter, to: &PosedCharacter| -> Vec<ObbMotion> {
            boxes(from).iter().zip(boxes(to)).map(|(from, to)| ObbMotion::between(from, &to)).collect()
        };
        let (a_motions, b_motions) = (motions(&a_from, &a_to), motions(&b_from, &b_to));
        for step in 0..=STEPS {
            let time = f32::from(step) / f32::from(STEPS);
            let at = |motions: &[ObbMotion]| motions.iter().map(|motion| motion.at(time)).collect::<Vec<_>>();
            let (a_boxes, b_boxes) = (at(&a_motions), at(&b_motions));
            for (i, one) in a_boxes.iter().enumerate() {
                for (j, other) in b_boxes.iter().enumerate() {
                    if one.overlaps(other) {
                        let joint = |index: usize| skeleton::JointIndex(index as u16);
                        let place = pairs.binary_search(&(joint(i), joint(j)));
                        prop_assert!(place.is_ok(), "boxes {i} and {j} overlap at {time}");
                        prop_assert!(hits[place.unwrap()].time <= time + 1e-6);
                    }
                }
            }
        }
        // The hit is not early by more than the tolerance: at the time of the hit, the boxes are at most this far
        // apart.
        for hit in &hits {
            let (one, other) = (a_motions[hit.box_a.index()].at(hit.time), b_motions[hit.box_b.index()].at(hit.time));
            let size = one.extent_sum() + other.extent_sum();
            prop_assert!(one.separation(&other).gap <= 1.1 * TOLERANCE * size + 1e-6);
        }
    }
}

#[test]
fn the_fastest_fist_does_not_pass_through() {
    let place = |x: f32| Place { at: [x, 0.0, 0.0], turn: [0.0, 0.0, 0.0, 1.0], time: 0.0 }.posed();
    let (left, right, there) = (place(-5000.0), place(5000.0), place(0.0));
    let mut hits = Vec::new();
    sweep_all(&BodyMotion::new(&left, &right).unwrap(), &BodyMotion::still(&there), 1e-4, &mut hits);
    // Along x every box passes through all boxes at its height.
    assert!(hits.iter().any(|hit| hit.joint_a == FIGURE.skeleton().find("head").unwrap()));
    assert!(hits.iter().all(|hit| (hit.time - 0.5).abs() < 1e-3));
    let blade = |y: f32| Obb::new(Vec3::new(0.0, y, 0.0), Vec3::new(0.5, 0.01, 0.5), glam::Mat3::IDENTITY);
    let mut hits = Vec::new();
    cast_shape_all(&blade(100.0), &blade(-100.0), &BodyMotion::still(&there), 1e-4, &mut hits);
    assert_eq!(FIGURE.joint_name(hits[0].joint), "head");
    assert!(hits.is_sorted_by_key(|hit| hit.time) && hits.len() == FIGURE.box_count());
    assert!(BodyMotion::new(&there, &PosedCharacter::new()).is_err());
}

#[test]
fn worlds_answer_as_their_bodies_do() {
    let mut world = HitboxWorld::new();
    for id in 0..70u16 {
        world.insert(BodyId(u64::from(id) * 11 % 70), Arc::clone(&FIGURE), BodySettings::default()).unwrap();
    }
    for id in 0..70u16 {
        let at = [f32::from(id % 10) * 0.9, 0.0, f32::from(id / 10) * 1.1];
        let place = Place { at, turn: [0.0, f32::from(id), 0.0, 30.0], time: f32::from(id) / 70.0 };
        world.pose_from_clip(BodyId(id.into()), &place.matrix(), ClipIndex(1), place.time).unwrap();
    }
    let head_off = &QueryFilter { layers: Some(CollisionLayers { memberships: 1, mask: 1 }), ..QueryFilter::default() };
    let heads = FIGURE.boxes_with_tag("head").unwrap();
    world.set_box_layers(BodyId(5), &heads, CollisionLayers { memberships: 2, mask: 2 }).unwrap();
    world.update();
    let (mut all, mut of_body, mut found, mut on_body) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for shot in 0..60u8 {
        let height = 0.1 + 1.6 * f32::from(shot) / 60.0;
        let direction = Vec3::new(1.0, 0.01 * f32::from(shot % 7), f32::from(shot % 9) * 0.2 - 0.8);
        let ray = Ray::try_new(Vec3::new(-3.0, height, f32::from(shot % 11)), direction).unwrap();
        world.cast_ray_all(&ray, 20.0, head_off, &mut all);
        let mut expected = Vec::new();
        let keeps = |id: BodyId, index: BoxIndex| id != BodyId(5) || FIGURE.tags(index) != ["head"];
        for body in world.bodies() {
            body.posed().cast_ray_all(&ray, 20.0, &mut of_body);
            let kept = of_body.iter().filter(|hit| keeps(body.id(), hit.box_index));
            expected.extend(kept.map(|hit| (hit.entry, body.id(), hit.box_index)));
        }
        expected.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
        let found_hits = all.iter().map(|hit| (hit.entry, hit.body, hit.box_index));
        assert!(found_hits.eq(expected.iter().copied()));
        assert_eq!(world.cast_ray(&ray, 20.0, head_off), all.first().copied());
        assert_eq!(world.cast_ray_any(&ray, 20.0, head_off), !all.is_empty());
        let blast = Sphere::try_new(ray.at(5.0), 0.5).unwrap();
        world.overlapping_boxes(&blast, head_off, &mut found);
        let mut expected = Vec::new();
        for body in world.bodies() {
            body.posed().overlapping_boxes(&blast, &mut on_body);
            let kept = on_body.iter().filter(|one| keeps(body.id(), one.box_index));
            expected.extend(kept.map(|one| BodyShapeOverlap { body: body.id(), answer: *one }));
        }
        assert_eq!(found, expected);
    }
}
