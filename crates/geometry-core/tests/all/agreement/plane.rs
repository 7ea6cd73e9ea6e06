//! Compares tests of rectangles in the plane with references.

use crate::agreement::boxes::PARRY_BAND;
use crate::agreement::cases::{band, scale};
use crate::agreement::for_all;
use geometry_core::plane::{Aabb2, Marquee, MarqueeEdges, MarqueeMode, Obb2, Ray2};
use glam::{DVec2, Vec2};
use parry2d::math::Pose;
use parry2d::query::details::intersection_test_cuboid_cuboid;
use parry2d::query::{PointQuery, RayCast};
use parry2d::shape::Cuboid;
use proptest::prelude::*;

fn extent() -> impl Strategy<Value = f32> {
    prop_oneof![9 => (-2.0_f32..1.0).prop_map(|e| 10.0_f32.powf(e)), 1 => Just(0.0)]
}

fn angle() -> impl Strategy<Value = f32> {
    let quarter = core::f32::consts::FRAC_PI_4;
    prop_oneof![
        3 => -7.0_f32..7.0,
        2 => (-8.0_f32..-1.0).prop_map(|e| 10.0_f32.powf(e)),
        2 => (0_u8..8).prop_map(move |eighths| f32::from(eighths) * quarter),
    ]
}

/// The corners from the stored axes, in order around the rectangle.
fn corners(rectangle: &Obb2) -> [DVec2; 4] {
    let [x, y] = rectangle.axes().map(Vec2::as_dvec2);
    let (half, center) = (rectangle.half_extents().as_dvec2(), rectangle.center().as_dvec2());
    let (x, y) = (x * half.x, y * half.y);
    [center - x - y, center + x - y, center + x + y, center - x + y]
}

/// The widest gap along the four directions of the sides, from projections of the corners on unit vectors.
fn widest_gap(a: &[DVec2; 4], b: &[DVec2; 4], directions: &[DVec2]) -> f64 {
    let interval = |points: &[DVec2; 4], unit: DVec2| {
        points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), point| {
            let at = unit.dot(*point - a[0]);
            (low.min(at), high.max(at))
        })
    };
    directions.iter().fold(f64::NEG_INFINITY, |widest, direction| {
        let unit = direction.normalize();
        let ((low_a, high_a), (low_b, high_b)) = (interval(a, unit), interval(b, unit));
        widest.max(low_b - high_a).max(low_a - high_b)
    })
}

fn gap_between(a: &Obb2, b: &Obb2) -> f64 {
    let directions = [a.axes(), b.axes()].concat().into_iter().map(Vec2::as_dvec2).collect::<Vec<_>>();
    widest_gap(&corners(a), &corners(b), &directions)
}

/// Two rectangles whose gap is near a chosen size.
fn pair() -> impl Strategy<Value = (Obb2, Obb2)> {
    let shapes = (extent(), extent(), extent(), extent(), angle(), angle());
    let place = prop_oneof![2 => Just(0.0_f64), 1 => (-1.0_f64..4.0).prop_map(|e| 10.0_f64.powf(e))];
    (shapes, 0.0_f64..7.0, band(), scale(), place).prop_map(
        |((ax, ay, bx, by, turn_a, turn_b), way, band, scale, place)| {
            let size = scale as f32;
            let a = Obb2::new((DVec2::ONE * place * scale).as_vec2(), Vec2::new(ax, ay) * size, turn_a);
            let b = Obb2::new(a.center(), Vec2::new(bx, by) * size, turn_b);
            let way = DVec2::new(libm::cos(way), libm::sin(way));
            let target = band * f64::from(a.extent_sum() + b.extent_sum());
            let reach = [a.axes(), b.axes()].concat().into_iter().fold(f64::INFINITY, |reach, axis| {
                let axis = axis.as_dvec2();
                let radius = |rectangle: &Obb2| {
                    corners(rectangle).iter().map(|c| axis.dot(*c - rectangle.center().as_dvec2())).fold(0.0, f64::max)
                };
                let along = axis.dot(way).abs();
                if along > 1e-6 { reach.min((target + radius(&a) + radius(&b)) / along) } else { reach }
            });
            let center = a.center().as_dvec2() + way * reach.max(0.0);
            (a, Obb2::new(center.as_vec2(), b.half_extents(), turn_b))
        },
    )
}

fn parry_pose(rectangle: &Obb2) -> Pose {
    Pose::new(rectangle.center(), rectangle.angle())
}

#[test]
fn rectangles_agree_with_the_reference_and_parry() {
    for_all(20_000, pair(), |(a, b)| {
        let gap = gap_between(&a, &b);
        let size = f64::from(a.extent_sum() + b.extent_sum());
        let coordinates = a.center().as_dvec2().length() + b.center().as_dvec2().length();
        let found = a.overlaps(&b);
        assert!(found == (gap <= 0.0) || gap.abs() <= 1e-13 * (size + coordinates), "found {found}, gap {gap:e}");
        assert_eq!(b.overlaps(&a), found, "symmetry");
        let pose = parry_pose(&a).inv_mul(&parry_pose(&b));
        let theirs =
            intersection_test_cuboid_cuboid(&pose, &Cuboid::new(a.half_extents()), &Cuboid::new(b.half_extents()));
        // parry turns both centers before it subtracts them, so far from the origin it has a rounding error of the
        // coordinates.
        let band = PARRY_BAND * size + 4e-7 * coordinates;
        assert!(theirs == found || gap.abs() <= band, "parry says {theirs}, gap {gap:e} of {size:e}");
        match a.minimum_translation(&b) {
            None => assert!(!found),
            Some(way) => {
                let length = way.as_dvec2().length();
                assert!(found && (length + gap.min(0.0)).abs() <= 1e-6 * size + 1e-12 * coordinates, "{length} {gap}");
                let unit = way.as_dvec2().normalize_or_zero();
                let moved = corners(&b).map(|corner| corner + way.as_dvec2() + unit * 1e-5 * size);
                let directions = [a.axes(), b.axes()].concat().into_iter().map(Vec2::as_dvec2).collect::<Vec<_>>();
                assert!(length <= 1e-5 * size || widest_gap(&corners(&a), &moved, &directions) > 0.0);
            }
        }
        let grown = Obb2::new(a.center(), a.half_extents() * 1.5, a.angle());
        assert!(!found || grown.overlaps(&b), "monotony");
        // The reference tests whether every corner of the other rectangle is inside. Containment leans to true by 4e-6.
        let [x, y] = a.axes().map(Vec2::as_dvec2);
        let beyond = corners(&b).into_iter().fold(f64::NEG_INFINITY, |beyond, corner| {
            let offset = corner - a.center().as_dvec2();
            let half = a.half_extents().as_dvec2();
            beyond.max(x.dot(offset).abs() - half.x).max(y.dot(offset).abs() - half.y)
        });
        let contained = a.contains_obb(&b);
        assert!(!contained || (beyond <= 4e-6 * size && gap <= 4e-6 * size), "{beyond:e} outside of {size:e}");
        assert!(contained || beyond > 0.0, "{beyond:e} inside");
    });
}

#[test]
fn points_agree_with_the_reference_and_parry() {
    let place = prop_oneof![2 => Just(0.0_f64), 1 => (-1.0_f64..4.0).prop_map(|e| 10.0_f64.powf(e))];
    let case = ((extent(), extent(), angle()), scale(), place, -1.5_f64..1.5, band(), any::<[bool; 2]>());
    for_all(10_000, case, |((x, y, turn), scale, place, along, band, [swap, flip])| {
        let a = Obb2::new((DVec2::ONE * place * scale).as_vec2(), Vec2::new(x, y) * scale as f32, turn);
        let (size, half) = (f64::from(a.extent_sum()), a.half_extents().as_dvec2());
        // The point is near the line of one side.
        let side = if flip { -1.0 } else { 1.0 };
        let mut local = DVec2::new(half.x * along, side * (half.y + band * size));
        if swap {
            local = DVec2::new(side * (half.x + band * size), half.y * along);
        }
        let axes = a.axes().map(Vec2::as_dvec2);
        let point = (a.center().as_dvec2() + axes[0] * local.x + axes[1] * local.y).as_vec2();
        let offset = point.as_dvec2() - a.center().as_dvec2();
        let local = DVec2::new(axes[0].dot(offset), axes[1].dot(offset));
        let (beyond, away) = ((local.abs() - half).max_element(), (local.abs() - half).max(DVec2::ZERO).length());
        let found = a.contains(point);
        assert!(found || beyond > 0.0, "lost a point, {beyond:e} of {size:e}");
        assert!(!found || beyond <= 4e-6 * size, "found a point, {beyond:e} of {size:e}");
        let rounding = 1e-6 * (size + away);
        assert!((f64::from(a.distance(point)) - away).abs() <= rounding, "{away:e}");
        let nearest = a.closest_point(point);
        let coordinates = 1e-7 * (point.as_dvec2().length() + a.center().as_dvec2().length());
        let gap = (nearest.as_dvec2() - point.as_dvec2()).length();
        assert!((gap - away).abs() <= rounding + coordinates, "{gap:e}, not {away:e}");
        let theirs = Cuboid::new(a.half_extents()).contains_point(&parry_pose(&a), point);
        // parry turns center and point separately, so far from the origin it has a rounding error of the coordinates.
        assert!(theirs == found || beyond.abs() <= PARRY_BAND * size + 4.0 * coordinates, "parry says {theirs}");
    });
}

#[test]
fn selection_agrees_with_the_corners() {
    for_all(10_000, (pair(), any::<bool>(), any::<bool>()), |((a, b), flip_x, flip_y)| {
        let (low, high) = (b.center() - b.half_extents(), b.center() + b.half_extents());
        let pick = |flip: bool, from: f32, to: f32| if flip { (to, from) } else { (from, to) };
        let (x, y) = (pick(flip_x, low.x, high.x), pick(flip_y, low.y, high.y));
        let drag = Marquee::try_drag(Vec2::new(x.0, y.0), Vec2::new(x.1, y.1)).expect("finite");
        assert_eq!(drag.area(), Aabb2::new(low, high));
        let (low, high) = (low.as_dvec2(), high.as_dvec2());
        let area = [low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)];
        let directions = [DVec2::X, DVec2::Y, a.axes()[0].as_dvec2(), a.axes()[1].as_dvec2()];
        let gap = widest_gap(&area, &corners(&a), &directions);
        let size = f64::from(a.extent_sum() + b.extent_sum()) + low.length() + a.center().as_dvec2().length();
        let band = 1e-13 * size;
        let touched = drag.selects(&a, MarqueeMode::Touch, MarqueeEdges::Closed);
        assert!(touched == (gap <= 0.0) || gap.abs() <= band);
        let strictly = drag.selects(&a, MarqueeMode::Touch, MarqueeEdges::Strict);
        let has_area = low.x < high.x && low.y < high.y;
        assert!(strictly == (gap < 0.0 && has_area) || gap.abs() <= band);
        assert!(touched || !strictly);
        assert_eq!(a.overlaps_aabb(&drag.area()), touched);
        let beyond =
            corners(&a).iter().map(|c| (low - *c).max(*c - high).max_element()).fold(f64::NEG_INFINITY, f64::max);
        let held = drag.selects(&a, MarqueeMode::Contain, MarqueeEdges::Closed);
        assert!(held == (beyond <= 0.0) || beyond.abs() <= band, "{beyond:e}");
        let strictly = drag.selects(&a, MarqueeMode::Contain, MarqueeEdges::Strict);
        assert!(strictly == (beyond < 0.0) || beyond.abs() <= band);
        assert!(held || !strictly);
    });
}

#[test]
fn rays_and_segments_agree_with_clipping_and_parry() {
    for_all(10_000, (pair(), 0.0_f64..7.0, 0.0_f64..3.0), |((a, b), way, long)| {
        let size = f64::from(a.extent_sum() + b.extent_sum()).max(1e-30);
        let direction = (DVec2::new(libm::cos(way), libm::sin(way)) * (long + 0.01) * size).as_vec2();
        let (origin, end) = (b.center(), b.center() + direction);
        let [x, y] = a.axes().map(Vec2::as_dvec2);
        // Clipping by Liang and Barsky, in the rectangle's coordinates.
        let visible = |outward: f64| {
            let (from, to) = (origin.as_dvec2() - a.center().as_dvec2(), end.as_dvec2() - a.center().as_dvec2());
            let (mut first, mut last) = (0.0_f64, 1.0_f64);
            for (axis, half) in [(x, a.half_extents().x), (y, a.half_extents().y)] {
                let half = f64::from(half) + outward;
                for side in [-1.0, 1.0] {
                    let (p, q) = (side * axis.dot(to - from), half - side * axis.dot(from));
                    if p == 0.0 && q < 0.0 {
                        return false;
                    } else if p > 0.0 {
                        last = last.min(q / p);
                    } else if p < 0.0 {
                        first = first.max(q / p);
                    }
                }
            }
            first <= last
        };
        let reach = size * (1.0 + long);
        let found = a.overlaps_segment(origin, end);
        assert!(found || !visible(-1e-12 * reach), "lost a contact");
        assert!(!found || visible(1e-5 * reach), "found a contact");
        let ray = Ray2::try_new(origin, direction).expect("a ray");
        let hit = a.cast_ray(&ray, 1.0);
        let cuboid = Cuboid::new(a.half_extents());
        let theirs = cuboid.cast_ray(&parry_pose(&a), &parry2d::query::Ray::new(origin, direction), 1.0, true);
        let grazing = visible(1e-4 * reach) && !visible(-1e-4 * reach);
        match (hit, theirs) {
            (Some(ours), Some(theirs)) => assert!((ours.entry - theirs).abs() < 1e-3 || grazing || long < 0.1),
            (None, None) => {}
            _ => assert!(grazing, "{hit:?} {theirs:?}"),
        }
    });
}
