//! Times the tests of posed hulls beside parry3d's, with the same hulls. Both libraries take turns within one run.
//!
//! `cargo bench -p bonebox-geometry-core --bench hull_pairs [-- NAME]`. The hulls have 32 or 64 corners on an ellipsoid about as
//! large as a limb. In the cases `touching boxes`, the boxes around the two hulls overlap, as they do for all pairs that the run
//! time asks about. Our times include placing the hulls, and parry3d's times include computing the relative pose.

mod common;

use common::{COUNT, assert_alike, count, turn};
use geometry_core::{Capsule, DCapsule, Hull, HullMotion, MovingShape, Obb, ObbMotion, PosedHull, Ray};
use glam::{Mat3, Vec3};
use paired_timing::Turns;
use parry3d::math::Pose;
use parry3d::query::details::{
    contact_support_map_support_map, distance_support_map_support_map, intersection_test_support_map_support_map,
};
use parry3d::query::{NonlinearRigidMotion, RayCast, ShapeCastOptions, cast_shapes, cast_shapes_nonlinear};
use parry3d::shape::{self, ConvexPolyhedron, Cuboid};
use std::hint::black_box;
use test_models::Random;

fn main() {
    for corners in [32, 64] {
        let pairs = pairs(corners);
        let touching: Vec<Pair> = pairs.iter().filter(|pair| pair.a.obb.overlaps(&pair.b.obb)).cloned().collect();
        for (kind, pairs) in [("", &pairs), (", touching boxes", &touching)] {
            let name = |test: &str| format!("hull {test}, {corners} corners{kind}");
            overlaps(&name("overlaps"), pairs);
            distance(&name("distance"), pairs);
        }
        let name = |test: &str| format!("hull {test}, {corners} corners");
        contact(&format!("{}, touching boxes", name("contact")), &touching);
        with_box(&name("overlaps box"), &pairs);
        with_capsule(&name("overlaps capsule"), &pairs);
        ray(&name("ray"), &pairs);
        straight_sweep(&name("straight sweep"), &pairs);
        turning_sweep(&name("turning sweep"), &pairs);
    }
}

/// A hull, the box around it, its place, and parry's hull.
#[derive(Clone)]
struct Limb {
    hull: Hull,
    obb: Obb,
    linear: Mat3,
    center: Vec3,
    pose: Pose,
    polyhedron: ConvexPolyhedron,
}

impl Limb {
    fn random(random: &mut Random, center: Vec3, corners: usize) -> Self {
        let half = Vec3::new(random.between(0.05, 0.5), random.between(0.05, 0.5), random.between(0.05, 0.5));
        // Some of parry3d's hulls have a hole, and then the corners are drawn again.
        let (hull, polyhedron) = loop {
            let points: Vec<Vec3> = (0..corners).map(|_| random.direction() * half).collect();
            let polyhedron = ConvexPolyhedron::from_convex_hull(&points).expect("a solid");
            let (corners, triangles) = polyhedron.to_trimesh();
            let triangles: Vec<_> = triangles.iter().map(|triangle| triangle.map(|corner| corner as u8)).collect();
            if let Ok(hull) = Hull::try_new(&corners, &triangles) {
                break (hull, polyhedron);
            }
        };
        let turn = random.rotation();
        Self {
            hull,
            obb: Obb::from_orientation(center, half, turn),
            linear: Mat3::from_quat(turn),
            center,
            pose: Pose::from_parts(center, turn),
            polyhedron,
        }
    }

    fn posed(&self) -> PosedHull<'_> {
        PosedHull::new(&self.hull, &self.linear, self.center.as_dvec3()).expect("a solid")
    }

    fn posed_at(&self, obb: &Obb) -> PosedHull<'_> {
        PosedHull::new(&self.hull, &obb.axes(), obb.center().as_dvec3()).expect("a solid")
    }
}

/// Two hulls near each other, and the motion of the first.
#[derive(Clone)]
struct Pair {
    a: Limb,
    b: Limb,
    velocity: Vec3,
    /// The axis of a turn times its angle in radians, and the place of the box around `a` after the motion.
    turn: Vec3,
    end: Obb,
}

fn pairs(corners: usize) -> Vec<Pair> {
    let mut random = Random::new(27);
    (0..COUNT)
        .map(|_| {
            let center = random.vector() * 5.0;
            let a = Limb::random(&mut random, center, corners);
            let beside = center + random.vector() * 0.8;
            let b = Limb::random(&mut random, beside, corners);
            let velocity = (b.center - a.center) * 1.5 + random.vector() * 0.5;
            let (axis, angle) = (random.direction(), random.between(0.2, 2.0));
            let turned = (turn(axis, angle) * a.pose.rotation).normalize();
            let end = Obb::from_orientation(a.center + velocity, a.obb.half_extents(), turned);
            Pair { a, b, velocity, turn: axis * angle, end }
        })
        .collect()
}

/// Times our test and parry's test on the same items in turns, after asserting that both agree except for close calls.
fn compare<T>(name: &str, items: &[T], close_calls: usize, ours: impl Fn(&T) -> bool, theirs: impl Fn(&T) -> bool) {
    assert_alike(count(items, &ours), count(items, &theirs), close_calls);
    let mut turns = Turns::new("hull_pairs", name).items(items.len() as f64, "test");
    turns.peer("parry3d", || {
        black_box(count(black_box(items), &theirs));
    });
    turns.ours("ours", || {
        black_box(count(black_box(items), &ours));
    });
    turns.run();
}

fn overlaps(name: &str, pairs: &[Pair]) {
    let theirs = |Pair { a, b, .. }: &Pair| {
        intersection_test_support_map_support_map(&a.pose.inv_mul(&b.pose), &a.polyhedron, &b.polyhedron)
    };
    compare(name, pairs, 2, |Pair { a, b, .. }| a.posed().overlaps(&b.posed()), theirs);
}

fn distance(name: &str, pairs: &[Pair]) {
    let ours = |Pair { a, b, .. }: &Pair| {
        a.posed().distance(&b.posed(), f64::INFINITY).is_some_and(|found| found.distance > 0.1)
    };
    let theirs = |Pair { a, b, .. }: &Pair| {
        distance_support_map_support_map(&a.pose.inv_mul(&b.pose), &a.polyhedron, &b.polyhedron) > 0.1
    };
    compare(name, pairs, 2, ours, theirs);
}

/// Both find the depth of an overlap, its direction and its points, and the distance of hulls that are apart.
fn contact(name: &str, pairs: &[Pair]) {
    let ours = |Pair { a, b, .. }: &Pair| a.posed().separation(&b.posed()).distance < -0.01;
    let theirs = |Pair { a, b, .. }: &Pair| {
        let pose = a.pose.inv_mul(&b.pose);
        let found = contact_support_map_support_map(&pose, &a.polyhedron, &b.polyhedron, f32::MAX);
        found.is_some_and(|contact| contact.dist < -0.01)
    };
    compare(name, pairs, 2, ours, theirs);
}

fn with_box(name: &str, pairs: &[Pair]) {
    let pairs: Vec<_> = pairs.iter().map(|pair| (pair, Cuboid::new(pair.a.obb.half_extents()))).collect();
    let theirs = |(Pair { a, b, .. }, cuboid): &(&Pair, Cuboid)| {
        intersection_test_support_map_support_map(&a.pose.inv_mul(&b.pose), cuboid, &b.polyhedron)
    };
    compare(name, &pairs, 2, |(Pair { a, b, .. }, _)| b.posed().overlaps_obb(&a.obb), theirs);
}

fn with_capsule(name: &str, pairs: &[Pair]) {
    let mut random = Random::new(28);
    let capsules: Vec<_> = pairs
        .iter()
        .map(|pair| {
            let start = pair.a.center + random.vector() * 0.8;
            let capsule =
                Capsule::try_new(start, start + random.vector() * 0.8, random.between(0.05, 0.3)).expect("a capsule");
            let theirs = shape::Capsule::new(capsule.segment().start(), capsule.segment().end(), capsule.radius());
            (&pair.a, capsule, theirs)
        })
        .collect();
    let ours = |(a, capsule, _): &(&Limb, Capsule, _)| a.posed().overlaps_capsule(&DCapsule::from(capsule));
    let theirs = |(a, _, capsule): &(&Limb, Capsule, shape::Capsule)| {
        intersection_test_support_map_support_map(&a.pose.inverse(), &a.polyhedron, capsule)
    };
    compare(name, &capsules, 2, ours, theirs);
}

fn ray(name: &str, pairs: &[Pair]) {
    let mut random = Random::new(29);
    let rays: Vec<_> = pairs
        .iter()
        .map(|pair| {
            let from = pair.a.center + random.direction() * 3.0;
            let through = pair.a.center + random.direction() * (0.5 * pair.a.obb.half_extents().max_element());
            (&pair.a, Ray::try_new(from, through - from).expect("a ray"))
        })
        .collect();
    let theirs = |(a, ray): &(&Limb, Ray)| {
        let ray = parry3d::query::Ray::new(ray.origin(), ray.direction());
        a.polyhedron.cast_ray_and_get_normal(&a.pose, &ray, f32::MAX, true).is_some()
    };
    compare(name, &rays, 2, |(a, ray)| a.posed().cast_ray(ray, f32::INFINITY).is_some(), theirs);
}

fn straight_sweep(name: &str, pairs: &[Pair]) {
    let ours = |pair: &Pair| {
        let end = Obb::new(pair.a.center + pair.velocity, pair.a.obb.half_extents(), pair.a.obb.axes());
        first_contact(pair, &end)
    };
    let theirs = |Pair { a, b, velocity, .. }: &Pair| {
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        cast_shapes(&a.pose, *velocity, &a.polyhedron, &b.pose, Vec3::ZERO, &b.polyhedron, options)
            .expect("supported")
            .is_some()
    };
    // Contacts within the tolerance may differ.
    compare(name, pairs, 8, ours, theirs);
}

fn turning_sweep(name: &str, pairs: &[Pair]) {
    let theirs = |Pair { a, b, velocity, turn, .. }: &Pair| {
        let still = NonlinearRigidMotion::constant_position(b.pose);
        let moving = NonlinearRigidMotion::new(a.pose, Vec3::ZERO, *velocity, *turn);
        cast_shapes_nonlinear(&moving, &a.polyhedron, &still, &b.polyhedron, 0.0, 1.0, true)
            .expect("supported")
            .is_some()
    };
    // The counts may differ by grazing contacts within the tolerance, and by cases in which parry's search gives up.
    compare(name, pairs, 40, |pair| first_contact(pair, &pair.end), theirs);
}

/// Returns whether hull `a` touches hull `b` on its way to a place of the box around it, up to a tolerance of 1e-4.
fn first_contact(Pair { a, b, .. }: &Pair, end: &Obb) -> bool {
    let (moving, still) = (ObbMotion::between(&a.obb, end), ObbMotion::still(&b.obb));
    let moving = HullMotion::new(&moving, &a.posed_at(&a.obb), &a.posed_at(end));
    let at_rest = b.posed_at(&b.obb);
    let still = HullMotion::new(&still, &at_rest, &at_rest);
    MovingShape::Hull(&moving).first_contact(&MovingShape::Hull(&still), 1e-4, 1.0).is_some()
}
