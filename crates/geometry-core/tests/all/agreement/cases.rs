//! Random shapes of all sizes and scales: flat boxes, parallel and nearly parallel axes, axes at 45 degrees, near
//! contact. A third of the pairs are those of `test_models::Random::unkind_boxes`.

use geometry_core::Obb;
use glam::{DVec3, Quat, Vec3};
use proptest::prelude::*;
use test_models::{BoxParts, Random};

/// An extent, mostly over three powers of ten and sometimes zero.
fn extent() -> impl Strategy<Value = f32> {
    prop_oneof![9 => (-2.0_f32..1.0).prop_map(|e| 10.0_f32.powf(e)), 1 => Just(0.0)]
}

pub(crate) fn half_extents() -> impl Strategy<Value = Vec3> {
    (extent(), extent(), extent()).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

/// A uniformly distributed direction.
pub(crate) fn direction() -> impl Strategy<Value = DVec3> {
    (-1.0_f64..1.0, 0.0_f64..core::f64::consts::TAU).prop_map(|(z, angle)| {
        let radius = (1.0 - z * z).sqrt();
        DVec3::new(radius * libm::cos(angle), radius * libm::sin(angle), z)
    })
}

/// A unit quaternion that turns about an axis by an angle in radians.
pub(crate) fn turn(axis: DVec3, angle: f64) -> Quat {
    let (sin, cos) = libm::sincos(angle * 0.5);
    Quat::from_xyzw((axis.x * sin) as f32, (axis.y * sin) as f32, (axis.z * sin) as f32, cos as f32)
}

/// A random orientation.
pub(crate) fn orientation() -> impl Strategy<Value = Quat> {
    prop_oneof![
        4 => (direction(), 0.0_f64..core::f64::consts::PI).prop_map(|(axis, angle)| turn(axis, angle)),
        1 => Just(Quat::IDENTITY),
    ]
}

/// The orientation of the second box relative to the first: random, almost equal, by right angles, or by 45 degrees
/// about an axis.
fn relative_turn() -> impl Strategy<Value = Quat> {
    let quarter = core::f64::consts::FRAC_PI_4;
    let main_axis = prop_oneof![Just(DVec3::X), Just(DVec3::Y), Just(DVec3::Z)];
    let hair = prop_oneof![Just(0.0), (-8.0_f64..-1.0).prop_map(|e| 10.0_f64.powf(e))];
    prop_oneof![
        3 => (direction(), 0.0_f64..core::f64::consts::PI).prop_map(|(axis, angle)| turn(axis, angle)),
        2 => (direction(), -8.0_f64..-1.0).prop_map(|(axis, e)| turn(axis, 10.0_f64.powf(e))),
        2 => (main_axis, 0_u8..8, direction(), hair).prop_map(move |(axis, eighths, other, hair)| {
            (turn(axis, f64::from(eighths) * quarter) * turn(other, hair)).normalize()
        }),
    ]
}

/// A gap as a share of the sizes; negative for an overlap.
pub(crate) fn band() -> impl Strategy<Value = f64> {
    prop_oneof![
        2 => -0.5_f64..0.8,
        3 => (-9.0_f64..-1.0, any::<bool>()).prop_map(|(e, in_contact)| 10.0_f64.powf(e) * if in_contact { -1.0 } else { 1.0 }),
        1 => Just(0.0),
    ]
}

/// Powers of ten from 1e-4 to 1e4.
pub(crate) fn scale() -> impl Strategy<Value = f64> {
    prop_oneof![1 => Just(1.0), 2 => (-4.0_f64..4.0).prop_map(|e| 10.0_f64.powf(e))]
}

/// The position of the first shape, in units of the scale.
pub(crate) fn place() -> impl Strategy<Value = DVec3> {
    prop_oneof![
        2 => Just(DVec3::ZERO),
        1 => (direction(), -1.0_f64..4.0).prop_map(|(way, e)| way * 10.0_f64.powf(e)),
    ]
}

/// Two boxes, and the numbers that they were made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxPair {
    pub(crate) a: Obb,
    pub(crate) b: Obb,
    pub(crate) orientations: [Quat; 2],
}

/// Two boxes that share axes, faces, edges or corners, or two boxes near contact.
pub(crate) fn box_pair() -> impl Strategy<Value = BoxPair> {
    let unkind = any::<u64>().no_shrink().prop_map(|seed| {
        let pair = Random::new(seed).unkind_pair();
        let [a, b] = pair.map(|BoxParts { center, half_extents, orientation }| {
            Obb::from_orientation(center, half_extents, orientation)
        });
        BoxPair { a, b, orientations: pair.map(|one| one.orientation) }
    });
    prop_oneof![2 => pair_near_contact(), 1 => unkind]
}

/// Two boxes whose widest gap is near a chosen share of their sizes, before they are rounded to `f32`.
fn pair_near_contact() -> impl Strategy<Value = BoxPair> {
    let shapes = (half_extents(), half_extents(), orientation(), relative_turn());
    (shapes, direction(), band(), scale(), place()).prop_map(
        |((half_a, half_b, turn_a, relative), way, band, scale, place)| {
            let turn_b = (turn_a * relative).normalize();
            let scaled = |half: Vec3| half * scale as f32;
            let a = Obb::from_orientation((place * scale).as_vec3(), scaled(half_a), turn_a);
            let b = Obb::from_orientation(Vec3::ZERO, scaled(half_b), turn_b);
            // The gap along each axis grows with the distance, and the widest gap reaches the target first.
            let target = band * f64::from(a.extent_sum() + b.extent_sum());
            let mut reach = f64::INFINITY;
            let (axes_a, axes_b) = (a.axes().as_dmat3(), b.axes().as_dmat3());
            let columns = |m: glam::DMat3| [m.x_axis, m.y_axis, m.z_axis];
            let mut directions = [columns(axes_a), columns(axes_b)].concat();
            for edge_a in columns(axes_a) {
                for edge_b in columns(axes_b) {
                    directions.push(edge_a.cross(edge_b));
                }
            }
            for axis in directions {
                let axis = axis.normalize_or_zero();
                let along = axis.dot(way).abs();
                let radius = |obb: &Obb, axes: glam::DMat3| {
                    let half = obb.half_extents().as_dvec3();
                    columns(axes)
                        .iter()
                        .zip(half.to_array())
                        .map(|(edge, half)| half * edge.dot(axis).abs())
                        .sum::<f64>()
                };
                if along > 1e-6 {
                    reach = reach.min((target + radius(&a, axes_a) + radius(&b, axes_b)) / along);
                }
            }
            let center = a.center().as_dvec3() + way * reach.max(0.0);
            let b = Obb::from_orientation(center.as_vec3(), b.half_extents(), turn_b);
            BoxPair { a, b, orientations: [turn_a, turn_b] }
        },
    )
}
