//! Hulls against each other, against boxes, capsules, balls and rays.

use crate::agreement::capsules::check_points;
use crate::agreement::cases::{band, direction, half_extents, orientation};
use crate::agreement::for_all;
use crate::agreement::polyhedron::{
    BOX_TRIANGLES, Polyhedron, Surface, directions, distance, double_pyramid, image, linear, surface, widest_gap,
};
use geometry_core::tolerances::HULL_TOLERANCE;
use geometry_core::{
    BoxedShape, DCapsule, Hull, HullMotion, MovingShape, Obb, ObbMotion, PosedHull, Ray, ShapeDistance, ShapeSeparation,
};
use glam::{DVec3, Mat3, Vec3};
use parry3d::math::Pose;
use parry3d::shape::ConvexPolyhedron;
use proptest::prelude::*;

/// Gaps and depths that parry is asked about, as a share of the sizes. Its search in `f32` has absolute tolerances.
const PARRY_BAND: f64 = 0.02;

/// Hulls thinner than this share of their size are not given to parry.
const PARRY_THIN: f64 = 0.05;

fn hull((corners, triangles): &Surface) -> Hull {
    Hull::try_new(corners, triangles).expect("a hull")
}

/// A length like the one to which tolerances are relative, or less.
fn size(one: &Polyhedron) -> f64 {
    let middle = one.corners.iter().sum::<DVec3>() / one.corners.len() as f64;
    one.corners.iter().map(|corner| (*corner - middle).length()).fold(0.0, f64::max)
}

/// The way that `b` has to move along `way` so that the widest gap is a share of the sizes.
fn reach(a: &Polyhedron, b: &Polyhedron, way: DVec3, band: f64) -> f64 {
    let target = band * (size(a) + size(b));
    let near = directions(a, b).into_iter().filter(|unit| unit.dot(way) > 1e-6);
    let reaches = near.map(|unit| (target + a.interval(unit).1 - b.interval(unit).0) / unit.dot(way));
    reaches.fold(f64::INFINITY, f64::min)
}

fn parry(one: &Polyhedron, triangles: &[[u8; 3]]) -> Option<ConvexPolyhedron> {
    let thinnest = directions(one, &Polyhedron::segment([DVec3::ZERO; 2])).into_iter().map(|unit| {
        let (low, high) = one.interval(unit);
        high - low
    });
    if thinnest.fold(f64::INFINITY, f64::min) < PARRY_THIN * size(one) {
        return None;
    }
    let corners = one.corners.iter().map(|corner| corner.as_vec3()).collect();
    ConvexPolyhedron::from_convex_mesh(corners, &triangles.iter().map(|one| one.map(u32::from)).collect::<Vec<_>>())
}

/// The answers of the tests of two shapes.
struct Answers<'a> {
    overlaps: bool,
    separation: ShapeSeparation,
    /// The distance up to a limit.
    distance: &'a dyn Fn(f64) -> Option<ShapeDistance>,
}

/// Compares answers about two shapes with all axes and all features: two polyhedra with a radius around the second.
fn check(
    a: &Polyhedron,
    b: &Polyhedron,
    radius: f64,
    Answers { overlaps, separation: found, distance: within }: &Answers<'_>,
) {
    let overlaps = *overlaps;
    let size = size(a) + size(b) + radius;
    // Boxes and hulls call their diagonals and sums of half axes their size, at most four times as much.
    let tolerance = 4.0 * HULL_TOLERANCE * size;
    let widest = widest_gap(a, b);
    let gap = if widest > 0.0 { distance(a, b) } else { widest } - radius;
    assert!(overlaps || gap > 0.0, "lost a contact, gap {gap:e}");
    assert!(!overlaps || gap <= tolerance, "gap {gap:e} of {size:e}");
    assert!((found.distance - gap).abs() <= tolerance, "{} is not {gap}", found.distance);
    check_points(found, tolerance);
    // The distance is that of the separation to the last bit, and every limit that is not below it leaves it alone.
    let near = within(f64::INFINITY).expect("no limit");
    let outside = |point: DVec3, one: &Polyhedron| {
        let point = Polyhedron::segment([point; 2]);
        if widest_gap(&point, one) > 0.0 { distance(&point, one) } else { 0.0 }
    };
    assert_eq!(near.distance, found.distance.max(0.0));
    assert!(outside(near.point_a, a) <= tolerance && outside(near.point_b, b) <= radius + tolerance, "{near:?}");
    assert!(((near.point_b - near.point_a).length() - near.distance).abs() <= tolerance, "{near:?}");
    assert_eq!(within(near.distance), Some(near));
    assert!(near.distance <= 2.0 * tolerance || within(near.distance - 2.0 * tolerance).is_none());
    assert!(within(f64::NAN).is_none());
    if found.distance < 0.0 {
        assert!(a.height(found.middle) <= tolerance, "{found:?} is {} outside of a", a.height(found.middle));
        let outside = outside(found.middle, b);
        assert!(outside <= radius + tolerance, "{found:?} is {} outside of b", outside - radius);
        // After a move by the depth, the shapes only touch.
        let moved = b.moved(found.direction * -found.distance);
        let left = if widest_gap(a, &moved) > 0.0 { distance(a, &moved) } else { widest_gap(a, &moved) } - radius;
        assert!(left.abs() <= tolerance, "{left:e} after a move by {found:?}");
    }
}

#[test]
fn hulls_agree_with_all_axes_and_with_parry() {
    let cases = ((surface(), linear()), (surface(), linear()), direction(), band());
    for_all(2_000, cases, |((one, map), (other, other_map), way, band)| {
        let (hull_a, hull_b) = (hull(&one), hull(&other));
        let a = image(&one, &map, Vec3::ZERO);
        let at = (way * reach(&a, &image(&other, &other_map, Vec3::ZERO), way, band)).as_vec3();
        let b = image(&other, &other_map, at);
        let posed_a = PosedHull::new(&hull_a, &map, DVec3::ZERO).expect("a solid");
        let posed_b = PosedHull::new(&hull_b, &other_map, at.as_dvec3()).expect("a solid");
        assert!(
            posed_a
                .exact_corners()
                .zip(&a.corners)
                .all(|(ours, theirs)| (ours - *theirs).length() < 1e-13 * (1.0 + size(&a)))
        );
        let overlaps = posed_a.overlaps(&posed_b);
        assert_eq!(posed_b.overlaps(&posed_a), overlaps, "in the other order");
        let (separation, distance) = (posed_a.separation(&posed_b), |limit| posed_a.distance(&posed_b, limit));
        check(&a, &b, 0.0, &Answers { overlaps, separation, distance: &distance });
        let gap = widest_gap(&a, &b);
        if gap.abs() > PARRY_BAND * (size(&a) + size(&b))
            && let (Some(shape_a), Some(shape_b)) = (parry(&a, &one.1), parry(&b, &other.1))
            && map.determinant() > 0.0
            && other_map.determinant() > 0.0
        {
            let theirs = parry3d::query::intersection_test(&Pose::IDENTITY, &shape_a, &Pose::IDENTITY, &shape_b);
            assert!(theirs.is_ok_and(|theirs| theirs.intersecting == overlaps), "parry {theirs:?}, gap {gap}");
        }
    });
}

#[test]
fn hulls_and_boxes_agree_with_all_axes() {
    let cases = ((surface(), linear()), (half_extents(), orientation()), direction(), band());
    for_all(2_000, cases, |((one, map), (half, turn), way, band)| {
        let own = hull(&one);
        let a = image(&one, &map, Vec3::ZERO);
        let polyhedron = |one: &Obb| {
            let axes = one.axes().as_dmat3();
            let corner = |k: usize| {
                let sign = DVec3::from_array([0, 1, 2].map(|i| if k >> i & 1 == 1 { 1.0 } else { -1.0 }));
                one.center().as_dvec3() + axes * (one.half_extents().as_dvec3() * sign)
            };
            Polyhedron::new((0..8).map(corner).collect(), &BOX_TRIANGLES)
        };
        let at = |place: Vec3| Obb::from_orientation(place, half, turn);
        let one = at((way * reach(&a, &polyhedron(&at(Vec3::ZERO)), way, band)).as_vec3());
        let posed = PosedHull::new(&own, &map, DVec3::ZERO).expect("a solid");
        let answers = Answers {
            overlaps: posed.overlaps_obb(&one),
            separation: posed.separation_from_obb(&one),
            distance: &|limit| posed.distance_from_obb(&one, limit),
        };
        check(&a, &polyhedron(&one), 0.0, &answers);
    });
}

#[test]
fn hulls_and_capsules_agree_with_all_axes() {
    let segment = (direction(), prop_oneof![3 => 0.0f64..2.0, 1 => Just(0.0)], prop_oneof![0.0f64..1.0, Just(0.0)]);
    for_all(
        4_000,
        ((surface(), linear()), segment, direction(), band()),
        |((one, map), (along, long, radius), way, band)| {
            let own = hull(&one);
            let a = image(&one, &map, Vec3::ZERO);
            let half_segment = along * long;
            let still = Polyhedron::segment([-half_segment, half_segment]);
            let center = way * (reach(&a, &still, way, band) + radius * band.signum());
            let capsule = DCapsule { center, half_segment, radius };
            let posed = PosedHull::new(&own, &map, DVec3::ZERO).expect("a solid");
            let answers = Answers {
                overlaps: posed.overlaps_capsule(&capsule),
                separation: posed.separation_from_capsule(&capsule),
                distance: &|limit| posed.distance_from_capsule(&capsule, limit),
            };
            check(&a, &still.moved(center), radius, &answers);
        },
    );
}

#[test]
fn hulls_of_64_corners_agree_with_all_axes() {
    let pyramid = || (Just(62u8), 0.2f32..2.0).prop_map(|(sides, tip)| double_pyramid(sides, tip));
    for_all(
        3,
        (pyramid(), linear(), pyramid(), linear(), direction(), band()),
        |(one, map, other, other_map, way, band)| {
            let (hull_a, hull_b) = (hull(&one), hull(&other));
            let (a, b) = (image(&one, &map, Vec3::ZERO), image(&other, &other_map, Vec3::ZERO));
            let at = (way * reach(&a, &b, way, band)).as_vec3();
            let posed_a = PosedHull::new(&hull_a, &map, DVec3::ZERO).expect("a solid");
            let posed_b = PosedHull::new(&hull_b, &other_map, at.as_dvec3()).expect("a solid");
            let answers = Answers {
                overlaps: posed_a.overlaps(&posed_b),
                separation: posed_a.separation(&posed_b),
                distance: &|limit| posed_a.distance(&posed_b, limit),
            };
            check(&a, &image(&other, &other_map, at), 0.0, &answers);
        },
    );
}

/// The answer does not depend on where the world's origin is, as long as the corners are the same numbers.
#[test]
fn hulls_far_from_the_origin_answer_as_at_the_origin() {
    for_all(1_000, (surface(), surface(), direction(), band()), |(one, other, way, band)| {
        let (hull_a, hull_b) = (hull(&one), hull(&other));
        let (a, b) = (image(&one, &Mat3::IDENTITY, Vec3::ZERO), image(&other, &Mat3::IDENTITY, Vec3::ZERO));
        let apart = (way * reach(&a, &b, way, band) * 64.0).as_vec3().round() / 64.0;
        let answers = [Vec3::ZERO, Vec3::new(65_536.0, -16_384.0, 4096.0)].map(|place| {
            let posed_a = PosedHull::new(&hull_a, &Mat3::IDENTITY, place.as_dvec3()).expect("a solid");
            let posed_b = PosedHull::new(&hull_b, &Mat3::IDENTITY, (place + apart).as_dvec3()).expect("a solid");
            (posed_a.overlaps(&posed_b), posed_a.separation(&posed_b).distance)
        });
        assert!((answers[0].1 - answers[1].1).abs() < 1e-6, "{answers:?}");
        assert!(answers[0].0 == answers[1].0 || answers[0].1.abs() < 1e-6, "{answers:?}");
    });
}

#[test]
fn rays_agree_with_a_search_and_with_parry() {
    let cases =
        ((surface(), linear()), direction(), direction(), prop_oneof![3 => 0.0f64..1.5, 1 => 0.0f64..0.1], 0.0f64..4.0);
    for_all(10_000, cases, |((one, map), way, aside, off, far)| {
        let own = hull(&one);
        let shape = image(&one, &map, Vec3::ZERO);
        let posed = PosedHull::new(&own, &map, DVec3::ZERO).expect("a solid");
        let size = size(&shape);
        let middle = shape.corners.iter().sum::<DVec3>() / shape.corners.len() as f64;
        let through = middle + aside * (off * size);
        let ray = Ray::try_new((through - way * far * size).as_vec3(), (way * size).as_vec3()).expect("a ray");
        let (from, along) = (ray.origin().as_dvec3(), ray.direction().as_dvec3());
        let height = |time: f64| shape.height(from + along * time);
        // The time at which the ray is deepest, or nearest to the planes: the height is convex.
        let (mut low, mut high) = (0.0, 16.0);
        for _ in 0..100 {
            let third = (high - low) / 3.0;
            if height(low + third) <= height(high - third) { high -= third } else { low += third }
        }
        let nearest = height(low).min(height(0.0));
        let band = 4.0 * HULL_TOLERANCE * size;
        let hit = posed.cast_ray(&ray, f32::INFINITY);
        assert!(hit.is_some() || nearest > -band, "lost a hit, {nearest:e} inside");
        assert!(hit.is_none() || nearest <= band, "found a hit, {nearest:e} away");
        let Some(hit) = hit else { return };
        let rounding = 1e-6 * size * (2.0 + f64::from(hit.exit));
        if let Some(normal) = hit.normal {
            assert!(height(f64::from(hit.entry)).abs() <= rounding, "{hit:?}");
            assert!((normal.length() - 1.0).abs() < 1e-5 && normal.dot(ray.direction()) < 0.0, "{hit:?}");
            assert!(posed.cast_ray(&ray, hit.entry * 0.99).is_none());
        } else {
            assert!(hit.entry == 0.0 && height(0.0) <= band);
        }
        assert!(nearest > 0.0 || height(f64::from(hit.exit)).abs() <= rounding, "{hit:?}");
        assert!(posed.cast_ray(&ray, f32::NAN).is_none());
    });
}

/// A box as a hull gives the answers of the box.
#[test]
fn a_box_as_a_hull_touches_what_the_box_touches() {
    let corner = |k: usize| Vec3::from_array([0, 1, 2].map(|i| if k >> i & 1 == 1 { 1.0 } else { -1.0 }));
    let corners: Vec<Vec3> = (0..8).map(corner).collect();
    let cube = Hull::try_new(&corners, &BOX_TRIANGLES).expect("a hull");
    let posed = |at: Vec3| PosedHull::new(&cube, &Mat3::IDENTITY, at.as_dvec3()).expect("a solid");
    let touching = [Vec3::X * 2.0, Vec3::new(2.0, 2.0, 0.0), Vec3::splat(2.0), Vec3::ZERO, Vec3::new(0.5, 0.0, -2.0)];
    for at in touching {
        assert!(posed(Vec3::ZERO).overlaps(&posed(at)), "{at}");
        assert!(posed(Vec3::ZERO).overlaps_obb(&Obb::new(at, Vec3::ONE, Mat3::IDENTITY)), "{at}");
        let farther = at * 1.000_01 + at.signum() * 1e-5;
        assert!(
            at == Vec3::ZERO || at.abs().max_element() < 2.0 || !posed(Vec3::ZERO).overlaps(&posed(farther)),
            "{at}"
        );
    }
    let found = posed(Vec3::ZERO).separation(&posed(Vec3::new(1.5, 0.25, 0.5)));
    assert!((found.distance + 0.5).abs() < 1e-12 && (found.direction - DVec3::X).length() < 1e-12, "{found:?}");
}

/// Each edge comes once. Edges between two triangles of one face are left out.
#[test]
fn edges_are_those_between_faces() {
    let check = |one: &Surface, map: &Mat3| {
        let (corners, triangles) = one;
        let own = hull(one);
        let posed = PosedHull::new(&own, map, DVec3::splat(2.0)).expect("a solid");
        let posed_corners: Vec<Vec3> = posed.corners().collect();
        let normal = |triangle: &[u8; 3]| {
            let [a, b, c] = triangle.map(|corner| corners[usize::from(corner)].as_dvec3());
            (b - a).cross(c - a).normalize_or_zero()
        };
        let sides = |&[a, b, c]: &[u8; 3]| [[a, b], [b, c], [c, a]];
        let mut found = posed.edges().peekable();
        for triangle in triangles {
            for [from, to] in sides(triangle).into_iter().filter(|[from, to]| from < to) {
                let other = triangles.iter().find(|other| sides(other).contains(&[to, from])).expect("a neighbor");
                let cosine = normal(triangle).dot(normal(other));
                let ends = [from, to].map(|end| posed_corners[usize::from(end)]);
                match found.next_if_eq(&ends) {
                    Some(_) => assert!(cosine < 0.999_99 + 1e-9, "the edge {from}-{to} is within a face: {cosine}"),
                    None => assert!(cosine > 0.999_99 - 1e-9, "the edge {from}-{to} is missing: {cosine}"),
                }
            }
        }
        assert_eq!(found.next(), None);
        posed.edges().count()
    };
    for_all(500, (surface(), linear()), |(one, map)| {
        check(&one, &map);
    });
    assert_eq!(check(&double_pyramid(5, 1.0), &Mat3::from_diagonal(Vec3::new(1.0, -3.0, 1.0))), 15);
}

/// The edges of a box as a hull are the edges of the box.
#[test]
fn a_box_as_a_hull_has_the_edges_of_the_box() {
    let one = Obb::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.5, 1.0, 2.0), Mat3::IDENTITY);
    let cube = hull(&(one.corners().to_vec(), BOX_TRIANGLES.into()));
    let posed = PosedHull::new(&cube, &Mat3::IDENTITY, DVec3::ZERO).expect("a solid");
    let mut edges = one.edges().to_vec();
    for ends in posed.edges() {
        let place = edges.iter().position(|edge| *edge == ends).expect("an edge of the box");
        edges.swap_remove(place);
    }
    assert!(edges.is_empty(), "{edges:?}");
}

/// Maps that flatten a hull are refused, and so are surfaces that are not closed.
#[test]
fn flat_maps_and_open_surfaces_are_refused() {
    let (corners, triangles) = double_pyramid(5, 1.0);
    let own = hull(&(corners.clone(), triangles.clone()));
    for linear in [Mat3::ZERO, Mat3::from_diagonal(Vec3::new(1.0, 0.0, 1.0)), Mat3::NAN, Mat3::IDENTITY * f32::INFINITY]
    {
        assert!(PosedHull::new(&own, &linear, DVec3::ZERO).is_none(), "{linear}");
    }
    assert!(PosedHull::new(&own, &Mat3::IDENTITY, DVec3::NAN).is_none());
    assert!(PosedHull::new(&own, &Mat3::from_diagonal(Vec3::splat(1e-12)), DVec3::ZERO).is_some());
    for change in 0..triangles.len() {
        let mut wrong = triangles.clone();
        wrong[change].swap(0, 1);
        assert!(Hull::try_new(&corners, &wrong).is_err());
        wrong[change][0] = 200;
        assert!(Hull::try_new(&corners, &wrong).is_err());
        wrong.remove(change);
        assert!(Hull::try_new(&corners, &wrong).is_err());
    }
    let mut wrong = corners;
    wrong[0].x = f32::NAN;
    assert!(Hull::try_new(&wrong, &triangles).is_err());
}

/// A body with the box around it, at the first and the last pose: a hull, or the box itself.
struct Flight<'a> {
    motion: ObbMotion,
    hull: Option<HullMotion<'a>>,
}

impl Flight<'_> {
    fn moving(&self) -> MovingShape<'_> {
        self.hull.as_ref().map_or(MovingShape::Boxed(&self.motion, BoxedShape::Box), MovingShape::Hull)
    }
}

/// No sample before the contact touches, the shapes nearly touch at the contact, and without a contact no sample touches.
#[test]
fn moving_hulls_agree_with_samples() {
    let way = || (direction(), 0.0f64..3.0).prop_map(|(way, long)| (way * long).as_vec3());
    let place = || (way(), orientation());
    let scales = prop_oneof![3 => Just([1f32; 2]), 1 => [0.5f32..2.0, 0.5f32..2.0]];
    let kind = prop_oneof![2 => Just(0), 1 => Just(1), 1 => Just(2)];
    let turns = prop_oneof![2 => Just(true), 1 => Just(false)];
    for_all(
        1_000,
        (surface(), [place(), place()], surface(), [place(), place()], scales, kind, turns),
        |(one, mut from_to, other, mut other_from_to, scales, kind, turns)| {
            if !turns {
                from_to[1].1 = from_to[0].1;
                other_from_to[1].1 = other_from_to[0].1;
            }
            let (hull_a, hull_b) = (hull(&one), hull(&other));
            // The box around a sphere with the radius 1.8 holds the hull and all of its images.
            let half = Vec3::splat(1.8);
            let at = |(place, turn): (Vec3, glam::Quat), half: Vec3| Obb::from_orientation(place, half, turn);
            let posed = |hull, (place, turn): (Vec3, glam::Quat), scale: f32| {
                let axes = at((place, turn), half).axes();
                PosedHull::new(hull, &(axes * scale), place.as_dvec3()).expect("a solid")
            };
            let motion_a = ObbMotion::between(&at(from_to[0], half * scales[0].max(scales[1])), &at(from_to[1], half));
            let [first, last] = [0, 1].map(|end| posed(&hull_a, from_to[end], scales[end]));
            let flight_a = Flight { motion: motion_a, hull: Some(HullMotion::new(&motion_a, &first, &last)) };
            let small = Vec3::new(0.2, 0.5, 0.2);
            let half_b = if kind == 0 { half } else { small };
            let motion_b = ObbMotion::between(&at(other_from_to[0], half_b), &at(other_from_to[1], half_b));
            let [first, last] = [0, 1].map(|end| posed(&hull_b, other_from_to[end], 1.0));
            let of_hull = (kind == 0).then(|| HullMotion::new(&motion_b, &first, &last));
            let flight_b = Flight { motion: motion_b, hull: of_hull };
            let shape = if kind == 1 { BoxedShape::Capsule } else { BoxedShape::Box };
            let moving_b = if kind == 1 { MovingShape::Boxed(&flight_b.motion, shape) } else { flight_b.moving() };
            let moving_a = flight_a.moving();
            let tolerance = 1e-4;
            let found = moving_a.first_contact(&moving_b, tolerance, 1.0);
            let mirrored = moving_b.first_contact(&moving_a, tolerance, 1.0);
            assert_eq!(found.is_some(), mirrored.is_some(), "{found:?} {mirrored:?}");
            let gap_at = |time: f32| {
                let a = flight_a.hull.expect("a hull").at(time);
                match &flight_b.hull {
                    Some(b) => a.separation(&b.at(time)).distance,
                    None if kind == 1 => {
                        a.separation_from_capsule(&DCapsule::along_axis_1(&flight_b.motion.at(time))).distance
                    }
                    None => a.separation_from_obb(&flight_b.motion.at(time)).distance,
                }
            };
            let size = f64::from((half * scales[0].max(scales[1]) + half_b).element_sum());
            let end = found.map_or(1.0, |found| found.time);
            for k in 0..=64u8 {
                let time = f32::from(k) / 64.0 * end;
                let is_before = time < end || found.is_none();
                assert!(!is_before || gap_at(time) > -1e-6 * size, "{} at {time}, contact {found:?}", gap_at(time));
            }
            if let Some(found) = found {
                let gap = gap_at(found.time);
                let is_rigid = scales[0] == scales[1];
                assert!(!is_rigid || gap <= 1.5 * f64::from(tolerance) * size, "{gap:e} at {found:?}");
                assert!((found.direction.length() - 1.0).abs() < 1e-5 && found.gap >= 0.0, "{found:?}");
                let until = moving_a.first_contact(&moving_b, tolerance, found.time);
                assert_eq!(until, Some(found));
                assert!(
                    found.time == 0.0 || moving_a.first_contact(&moving_b, tolerance, found.time * 0.999).is_none()
                );
            }
        },
    );
}

/// Along each direction that can separate the shapes, a motion without a turn brings them together during an interval of
/// times. The common part of all intervals is the time of the overlap.
#[test]
fn straight_sweeps_agree_with_all_axes() {
    let way = |most: f64| (direction(), 0.0..most).prop_map(|(way, long)| (way * long).as_vec3());
    // Most ways pass near the second hull.
    let ways = (way(6.0), 0.0f32..1.5, way(3.0)).prop_map(|(way, share, off)| (way, way * share + off));
    let tolerances = prop_oneof![Just(1e-4f32), Just(1e-2), Just(1e-6)];
    let cases = ((surface(), orientation()), (surface(), orientation()), ways, tolerances);
    for_all(2_000, cases, |((one, turn), (other, other_turn), (moved, beside), relative_tolerance)| {
        let (hull_a, hull_b) = (hull(&one), hull(&other));
        // The box around a sphere with the radius 1.8 holds the hull and all of its images.
        let at = |place: Vec3, turn| Obb::from_orientation(place, Vec3::splat(1.8), turn);
        let posed = |hull, at: &Obb| PosedHull::new(hull, &at.axes(), at.center().as_dvec3()).expect("a solid");
        let boxes = [at(Vec3::ZERO, turn), at(moved, turn), at(beside, other_turn)];
        let motion = ObbMotion::between(&boxes[0], &boxes[1]);
        let moving = HullMotion::new(&motion, &posed(&hull_a, &boxes[0]), &posed(&hull_a, &boxes[1]));
        let still = ObbMotion::still(&boxes[2]);
        let at_rest = posed(&hull_b, &boxes[2]);
        let still = HullMotion::new(&still, &at_rest, &at_rest);
        let (moving, still) = (MovingShape::Hull(&moving), MovingShape::Hull(&still));
        let found = moving.first_contact(&still, relative_tolerance, 1.0);

        let (a, b) = (image(&one, &boxes[0].axes(), Vec3::ZERO), image(&other, &boxes[2].axes(), beside));
        let units = directions(&a, &b);
        // The times at which the shapes, with a gap between them that counts as none, overlap.
        let overlap = |gap: f64| {
            let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
            for &unit in &units {
                let (room, speed) = (b.interval(unit).0 - a.interval(unit).1 - gap, unit.dot(moved.as_dvec3()));
                if speed > 0.0 {
                    enter = enter.max(room / speed);
                } else if speed < 0.0 {
                    leave = leave.min(room / speed);
                } else if room > 0.0 {
                    return None;
                }
            }
            (enter <= leave).then_some(enter)
        };
        // The boxes have the half extents 1.8, to whose sum the tolerance is relative.
        let tolerance = f64::from(relative_tolerance) * 10.8;
        let exact = overlap(0.0);
        if let Some(enter) = exact {
            let found = found.expect("lost a contact");
            assert!(f64::from(found.time) <= enter + 1e-6, "{found:?} is later than {enter}");
        }
        if let Some(found) = found {
            let gap = |time: f64| {
                let a = a.moved(moved.as_dvec3() * time);
                if widest_gap(&a, &b) > 0.0 { distance(&a, &b) } else { 0.0 }
            };
            let left = gap(f64::from(found.time));
            assert!(left <= tolerance + 1e-4, "{found:?} leaves {left:e}");
            assert!(f64::from(found.gap) <= left + 1e-4, "{found:?} leaves {left:e}");
            // The contact is early by at most the time that the shapes need to close the gap along the direction.
            let direction = found.direction.as_dvec3();
            let apart = b.interval(direction).0 - a.interval(direction).1;
            let apart = apart - direction.dot(moved.as_dvec3()) * f64::from(found.time);
            assert!(left == 0.0 || (apart - left).abs() <= 1e-4, "{found:?}: {apart} along its direction, {left}");
        }
    });
}
