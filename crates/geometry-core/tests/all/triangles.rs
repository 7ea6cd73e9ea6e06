//! Triangles against a slow twin in integers, and against each other.

use geometry_core::triangle::{
    RayFrame, TOUCHING_POINT_ERROR, closest_point, closest_points, overlap, overlap_exactly, touching_point,
};
use geometry_core::{Capsule, Ray, Sphere, Triangle};
use glam::{DVec3, Vec3};
use num_bigint::BigInt;
use proptest::prelude::*;
use std::ops::{Add, Mul, Sub};
use test_models::Random;

type Corners = [Vec3; 3];

/// Separating axes in whole numbers: two triangles share a point where no axis separates them. The axes are more than
/// any pair needs, and an axis that is not needed separates nothing that touches.
mod twin {
    use super::*;

    trait Whole: Clone + Ord + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {}
    impl<T: Clone + Ord + Add<Output = T> + Sub<Output = T> + Mul<Output = T>> Whole for T {}

    type Vector<T> = [T; 3];

    pub(super) fn overlap(a: &Corners, b: &Corners) -> bool {
        let numbers = || a.iter().chain(b).flat_map(|corner| corner.to_array()).filter(|&number| number != 0.0);
        let low = numbers().map(|number| parts(number).1).min().unwrap_or(0);
        let high = numbers().map(|number| parts(number).1 + 24).max().unwrap_or(0);
        if high - low <= 28 {
            let whole = |number: f32| i128::from(parts(number).0) << (parts(number).1 - low).max(0);
            touch(&a.map(|corner| corner.to_array().map(whole)), &b.map(|corner| corner.to_array().map(whole)))
        } else {
            let whole = |number: f32| BigInt::from(parts(number).0) << (parts(number).1 - low).max(0);
            touch(&a.map(|corner| corner.to_array().map(whole)), &b.map(|corner| corner.to_array().map(whole)))
        }
    }

    /// A whole number and an exponent of two.
    fn parts(number: f32) -> (i64, i32) {
        let bits = number.abs().to_bits();
        let (fraction, exponent) = (i64::from(bits & 0x7f_ffff), (bits >> 23) as i32);
        let (whole, exponent) = if exponent == 0 { (fraction, -149) } else { (fraction | 1 << 23, exponent - 150) };
        if whole == 0 {
            return (0, i32::MIN / 2);
        }
        let zeros = whole.trailing_zeros();
        (if number < 0.0 { -(whole >> zeros) } else { whole >> zeros }, exponent + zeros as i32)
    }

    fn touch<T: Whole>(a: &[Vector<T>; 3], b: &[Vector<T>; 3]) -> bool {
        let edges = |[p, q, r]: &[Vector<T>; 3]| [minus(q, p), minus(r, q), minus(p, r)];
        let (edges_a, edges_b) = (edges(a), edges(b));
        let all: Vec<Vector<T>> = edges_a.iter().chain(&edges_b).cloned().collect();
        let apart = minus(&b[0], &a[0]);
        let separates = |axis: &Vector<T>| {
            let [a, b] = [a, b].map(|corners| {
                let along = corners.clone().map(|corner| dot(&corner, axis));
                let [low, high] =
                    [along.iter().min(), along.iter().max()].map(|end| end.expect("three corners").clone());
                (low, high)
            });
            a.1 < b.0 || b.1 < a.0
        };
        let mut normals = vec![cross(&edges_a[0], &edges_a[1]), cross(&edges_b[0], &edges_b[1])];
        normals.extend(edges_a.iter().flat_map(|one| edges_b.iter().map(move |other| cross(one, other))));
        if normals.iter().any(separates) || separates(&apart) || all.iter().any(separates) {
            return false;
        }
        // In the plane that both share, and across the line that both are.
        let in_plane = normals.iter().any(|normal| all.iter().any(|edge| separates(&cross(normal, edge))));
        let across = all.iter().any(|edge| {
            let normal = cross(edge, &apart);
            separates(&normal) || separates(&cross(edge, &normal)) || separates(&cross(&apart, &normal))
        });
        !in_plane && !across
    }

    fn minus<T: Whole>(a: &Vector<T>, b: &Vector<T>) -> Vector<T> {
        [0, 1, 2].map(|k| a[k].clone() - b[k].clone())
    }

    fn cross<T: Whole>(a: &Vector<T>, b: &Vector<T>) -> Vector<T> {
        [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i].clone() * b[j].clone() - a[j].clone() * b[i].clone())
    }

    fn dot<T: Whole>(a: &Vector<T>, b: &Vector<T>) -> T {
        a[0].clone() * b[0].clone() + a[1].clone() * b[1].clone() + a[2].clone() * b[2].clone()
    }
}

fn vector(random: &mut Random, mut number: impl FnMut(&mut Random) -> f32) -> Vec3 {
    Vec3::new(number(random), number(random), number(random))
}

fn corners_of(random: &mut Random, mut number: impl FnMut(&mut Random) -> f32) -> Corners {
    [(); 3].map(|()| vector(random, &mut number))
}

fn blend(random: &mut Random, corners: &Corners) -> Vec3 {
    let (u, v) = (random.signed().abs(), random.signed().abs());
    let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
    corners[0] + (corners[1] - corners[0]) * u + (corners[2] - corners[0]) * v
}

fn pair(random: &mut Random) -> [Corners; 2] {
    let kind = random.below(10);
    let mut a = match kind {
        0 | 1 => corners_of(random, |random| random.below(5) as f32 - 2.0),
        2 => corners_of(random, |random| 65_536.0 + random.below(5) as f32 / 128.0),
        3 => corners_of(random, |random| random.signed() * 10f32.powi(random.below(40) as i32 - 30)),
        _ => corners_of(random, Random::signed),
    };
    let mut b = match kind {
        0 | 1 => corners_of(random, |random| random.below(5) as f32 - 2.0),
        2 => corners_of(random, |random| 65_536.0 + random.below(5) as f32 / 128.0),
        3 => corners_of(random, |random| random.signed() * 10f32.powi(random.below(40) as i32 - 30)),
        // One corner all but in the other triangle.
        4 | 5 => {
            let touching = blend(random, &a);
            [touching, touching + random.vector() * 0.5, touching + random.vector()]
        }
        // A common corner or edge, or all but in one plane.
        6 => [a[2], a[1], random.vector()],
        7 => [random.vector(), a[0], random.vector()],
        8 => [blend(random, &a), blend(random, &a), blend(random, &a) + random.vector() * 1e-7],
        _ => corners_of(random, Random::signed),
    };
    for corners in [&mut a, &mut b] {
        match random.below(12) {
            0 => corners[1] = corners[0],
            1 => corners[2] = corners[0] + (corners[1] - corners[0]) * random.signed(),
            2 => corners[2] = (corners[0] + corners[1]) * 0.5,
            3 if random.below(4) == 0 => *corners = [corners[0]; 3],
            _ => {}
        }
        corners.rotate_left(random.below(3));
        if random.below(2) == 0 {
            corners.swap(0, 1);
        }
    }
    if random.below(8) == 0 {
        let (corner, axis) = (random.below(3), random.below(3));
        b[corner][axis] = b[corner][axis].next_up();
    }
    [a, b]
}

/// A million pairs with `BONEBOX_LONG=1`.
#[test]
fn overlap_is_what_whole_numbers_say() {
    let long = std::env::var_os("BONEBOX_LONG").is_some();
    let (mut random, mut touching) = (Random::new(1), 0);
    let pairs = if long { 1_000_000 } else { 20_000 };
    for _ in 0..pairs {
        let [a, b] = pair(&mut random);
        let expected = twin::overlap(&a, &b);
        assert_eq!(overlap(&a, &b), expected, "({a:?}, {b:?})");
        assert_eq!(overlap(&b, &a), expected, "the other way round: ({a:?}, {b:?})");
        assert_eq!(overlap_exactly(&a, &b), expected, "exactly: ({a:?}, {b:?})");
        touching += usize::from(expected);
    }
    assert!(touching > pairs / 4 && touching < 3 * pairs / 4, "{touching} of {pairs}");
}

#[test]
fn the_touching_point_is_near_both_triangles() {
    let mut random = Random::new(2);
    let mut worst = 0.0f64;
    for _ in 0..50_000 {
        let [a, b] = pair(&mut random);
        let largest = a.iter().chain(&b).map(|corner| corner.abs().max_element()).fold(0.0, f32::max);
        let nearest = closest_points(&a, &b);
        if !overlap(&a, &b) {
            assert!(nearest.distance >= 0.0 && nearest.point_a.is_finite() && nearest.point_b.is_finite());
            continue;
        }
        let point = touching_point(&a, &b);
        assert_eq!((nearest.distance, nearest.point_a), (0.0, point));
        for corners in [&a, &b] {
            let apart = (closest_point(corners, point.as_dvec3()) - point.as_dvec3()).length();
            worst = worst.max(apart / f64::from(largest).max(1e-300));
            assert!(apart <= f64::from(TOUCHING_POINT_ERROR * largest), "{apart:e}: ({a:?}, {b:?})");
        }
    }
    println!("at most {worst:e} of the largest coordinate away");
}

fn corner() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-1f32..1.0).prop_map(Vec3::from_array)
}

fn corners() -> impl Strategy<Value = Corners> {
    prop_oneof![
        6 => prop::array::uniform3(corner()),
        1 => (corner(), corner()).prop_map(|(a, b)| [a, b, a]),
        1 => (corner(), corner()).prop_map(|(a, b)| [a, a + (b - a) * 0.3, b]),
        1 => corner().prop_map(|a| [a; 3]),
    ]
}

/// Points spread over a triangle.
fn spread(corners: &Corners, steps: usize) -> impl Iterator<Item = DVec3> + '_ {
    let share = move |step: usize| step as f64 / steps as f64;
    let [a, b, c] = corners.map(|corner| corner.as_dvec3());
    (0..=steps).flat_map(move |i| (0..=steps - i).map(move |j| a + (b - a) * share(i) + (c - a) * share(j)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_point_is_nearer_than_the_closest(corners in corners(), point in corner()) {
        let point = point.as_dvec3() * 2.0;
        let nearest = closest_point(&corners, point);
        let least = (nearest - point).length();
        for other in spread(&corners, 12) {
            prop_assert!((other - point).length() >= least - 1e-12);
        }
        let on_it = spread(&corners, 60).map(|other| (other - nearest).length()).fold(f64::INFINITY, f64::min);
        prop_assert!(on_it < 0.06, "the closest point lies on the triangle, but for {}", on_it);
    }

    #[test]
    fn distances_are_least_and_symmetric(a in corners(), b in corners(), apart in prop::array::uniform3(-2f32..2.0)) {
        let b = b.map(|corner| corner + Vec3::from_array(apart));
        let nearest = closest_points(&a, &b);
        let back = closest_points(&b, &a);
        prop_assert!((nearest.distance - back.distance).abs() <= 1e-7 * nearest.distance);
        prop_assert_eq!(nearest.distance == 0.0, overlap(&a, &b));
        let between = (nearest.point_a - nearest.point_b).length();
        prop_assert!((between - nearest.distance).abs() <= 1e-6);
        for p in spread(&a, 8) {
            let q = closest_point(&b, p);
            prop_assert!((p - q).length() >= f64::from(nearest.distance) * (1.0 - 1e-7) - 1e-8);
        }
    }

    #[test]
    fn round_shapes_go_by_the_distance(corners in corners(), start in corner(), end in corner(), radius in 0f32..1.0) {
        let triangle = Triangle::try_new(corners[0], corners[1], corners[2]).unwrap();
        let apart = triangle.distance(start);
        if (apart - radius).abs() > 1e-6 {
            prop_assert_eq!(triangle.overlaps_sphere(&Sphere::try_new(start, radius).unwrap()), apart < radius);
        }
        let apart = closest_points(&corners, &[start, end, end]).distance;
        if (apart - radius).abs() > 1e-6 {
            prop_assert_eq!(triangle.overlaps_capsule(&Capsule::try_new(start, end, radius).unwrap()), apart < radius);
        }
    }

    /// Rays at points of edges and at corners of a closed surface, from outside.
    #[test]
    fn no_ray_passes_between_neighbors(
        shape in prop::array::uniform4(corner()),
        at in (0usize..6, 0f32..1.0),
        from in corner(),
    ) {
        let faces = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]].map(|face: [usize; 3]| face.map(|corner| shape[corner]));
        let [p, q] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]][at.0].map(|corner: usize| shape[corner]);
        let middle = (shape[0] + shape[1] + shape[2] + shape[3]) * 0.25;
        let flat = (shape[1] - shape[0]).cross(shape[2] - shape[0]).dot(shape[3] - shape[0]).abs();
        prop_assume!(flat > 1e-3);
        let target = p + (q - p) * at.1;
        // From the middle of a solid every ray meets its surface; from far away through the middle too.
        for (origin, aim) in [(middle, target), (middle, p), (middle + (from - middle) * 50.0, middle)] {
            prop_assume!(origin != aim);
            let frame = RayFrame::new(&Ray::try_new(origin, aim - origin).unwrap());
            let hits: Vec<_> = faces.iter().filter_map(|face| frame.cast(face, f32::INFINITY)).collect();
            prop_assert!(!hits.is_empty(), "from {} to {}", origin, aim);
            for (hit, face) in faces.iter().filter_map(|face| frame.cast(face, f32::INFINITY).map(|hit| (hit, face))) {
                prop_assert!(hit.barycentric.iter().all(|weight| *weight >= 0.0));
                prop_assert!((hit.barycentric.iter().sum::<f32>() - 1.0).abs() < 1e-6);
                let along = origin.as_dvec3() + (aim - origin).as_dvec3() * f64::from(hit.time);
                prop_assert!((along - hit.point.as_dvec3()).length() < 1e-5);
                prop_assert!((closest_point(face, along) - along).length() < 1e-5);
                prop_assert!(frame.cast(face, hit.time.next_up()).is_some());
                let before = hit.time * 0.99 - 1e-3;
                prop_assert!(frame.cast(face, before).is_none());
            }
        }
    }
}

#[test]
fn the_side_of_a_hit_is_that_of_the_winding() {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y];
    for axis in [Vec3::Z, Vec3::NEG_Z] {
        let origin = Vec3::new(0.25, 0.25, 0.0) - axis * 2.0;
        let hit = RayFrame::new(&Ray::try_new(origin, axis).unwrap()).cast(&corners, 10.0).unwrap();
        assert_eq!((hit.time, hit.front), (2.0, axis == Vec3::NEG_Z));
    }
    for turn in 0..3 {
        let turned = |v: Vec3| Vec3::new(v[turn], v[(turn + 1) % 3], v[(turn + 2) % 3]);
        let corners = corners.map(turned);
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let origin = turned(Vec3::new(0.25, 0.25, 0.0)) + normal;
        let hit = RayFrame::new(&Ray::try_new(origin, -normal).unwrap()).cast(&corners, 10.0).unwrap();
        assert!(hit.front, "turn {turn}");
    }
}
