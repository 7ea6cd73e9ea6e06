//! Compares two hitboxes as sets of points, independent of the order and direction of their axes.

use baked_format::{Hitbox, HitboxShape, RoundShape};
use geometry_core::portable;
use glam::{DVec3, Quat, Vec3};

/// The difference between a hitbox and an earlier hitbox.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ShapeChange {
    /// The old and the new shape if they differ.
    pub(crate) shapes: Option<[HitboxShape; 2]>,
    /// The largest distance between matched points, as a share of the old box's half diagonal.
    ///
    /// - Boxes: matched corners.
    /// - Two round shapes: matched points of the surfaces.
    /// - Two hulls: a vertex and the nearest vertex of the other hull.
    ///
    /// Infinite if the old box is a point and the new box is not the same point.
    pub(crate) corners: f64,
    /// The distance of the centers, as a share of the old box's half diagonal.
    pub(crate) moved: f64,
    /// The largest angle between two matched axes, in degrees from 0 to 90; between two round shapes the angle of their
    /// segments.
    pub(crate) turned: f64,
    /// The old half extents, in joint space units.
    pub(crate) old_half_extents: Vec3,
    /// The new half extents along the matched axes, in joint space units.
    pub(crate) new_half_extents: Vec3,
    /// The old and the new volume, in joint space units cubed.
    pub(crate) volumes: [f32; 2],
}

/// Compares two hitboxes as sets of points. A box stays the same set if its axes are exchanged or flipped, so axes are
/// matched such that corners are as near to each other as possible. A round shape stays the same set if it turns about its
/// segment. Hitboxes of different shapes are compared by the boxes around them. Returns `None` for hitboxes with equal numbers.
pub(crate) fn shape_change(old: &Hitbox, new: &Hitbox) -> Option<ShapeChange> {
    let same = old.shape == new.shape
        && old.center == new.center
        && old.half_extents == new.half_extents
        && old.hull == new.hull
        && (old.orientation == new.orientation || old.orientation == -new.orientation);
    if same {
        return None;
    }
    if let (Some(before), Some(after)) = (old.round_shape(), new.round_shape()) {
        return Some(round_change([old, new], [before, after]));
    }
    let (axes_old, axes_new) = (axes(old), axes(new));
    let (half_old, half_new) = (old.half_extents.as_dvec3(), new.half_extents.as_dvec3());
    let step = (new.center - old.center).as_dvec3();
    let (mut best, mut nearest) = ([0, 1, 2], f64::INFINITY);
    for order in ORDERS {
        let edges = [0, 1, 2].map(|i| {
            let (before, after) = (axes_old[i] * half_old[i], axes_new[order[i]] * half_new[order[i]]);
            // An axis has two directions; the nearer direction counts.
            let sign = if before.dot(after) < 0.0 { -1.0 } else { 1.0 };
            sign * after - before
        });
        let farthest = farthest_corner(DVec3::ZERO, edges);
        if farthest < nearest {
            (best, nearest) = (order, farthest);
        }
    }
    let edges = [0, 1, 2].map(|i| {
        let (before, after) = (axes_old[i] * half_old[i], axes_new[best[i]] * half_new[best[i]]);
        if before.dot(after) < 0.0 { -after - before } else { after - before }
    });
    let turned = |i: usize| angle(axes_old[i], axes_new[best[i]]);
    let corners = match (&old.hull, &new.hull) {
        (Some(before), Some(after)) => farthest_vertex(&before.vertices, &after.vertices),
        _ => farthest_corner(step, edges),
    };
    Some(ShapeChange {
        shapes: (old.shape != new.shape).then_some([old.shape, new.shape]),
        corners: share_of_size(corners, old),
        moved: share_of_size(step.length(), old),
        turned: (0..3).map(turned).fold(0.0, f64::max),
        old_half_extents: old.half_extents,
        new_half_extents: Vec3::from(best.map(|axis| new.half_extents[axis])),
        volumes: [old.volume(), new.volume()],
    })
}

/// Compares two round shapes by the ends of their segments and their radii.
fn round_change([old, new]: [&Hitbox; 2], [before, after]: [RoundShape; 2]) -> ShapeChange {
    let (a, b) = (before.start.as_dvec3(), before.end.as_dvec3());
    let (c, d) = (after.start.as_dvec3(), after.end.as_dvec3());
    // A segment has two directions; the nearer direction counts.
    let ends = (a - c).length().max((b - d).length()).min((a - d).length().max((b - c).length()));
    let grown = (f64::from(after.radius) - f64::from(before.radius)).abs();
    ShapeChange {
        shapes: (old.shape != new.shape).then_some([old.shape, new.shape]),
        corners: share_of_size(ends + grown, old),
        moved: share_of_size((new.center - old.center).as_dvec3().length(), old),
        turned: if a == b || c == d { 0.0 } else { angle(b - a, d - c) },
        old_half_extents: old.half_extents,
        new_half_extents: new.half_extents,
        volumes: [old.volume(), new.volume()],
    }
}

/// The largest distance of a vertex of one hull from the nearest vertex of the other.
fn farthest_vertex(before: &[Vec3], after: &[Vec3]) -> f64 {
    let from_nearest = |vertex: &Vec3, others: &[Vec3]| {
        others.iter().map(|other| (*other - *vertex).as_dvec3().length()).fold(f64::INFINITY, f64::min)
    };
    let one_way = |from: &[Vec3], to: &[Vec3]| from.iter().map(|one| from_nearest(one, to)).fold(0.0, f64::max);
    one_way(before, after).max(one_way(after, before))
}

/// A distance as a share of the half diagonal of the box around a hitbox.
fn share_of_size(distance: f64, old: &Hitbox) -> f64 {
    if distance == 0.0 { 0.0 } else { distance / old.half_extents.as_dvec3().length() }
}

/// The angle between two lines, in degrees from 0 to 90.
fn angle(a: DVec3, b: DVec3) -> f64 {
    // For almost equal directions the sine is accurate, but the cosine is not.
    libm::atan2(a.cross(b).length(), a.dot(b).abs()).to_degrees()
}

/// The angle of the rotation from one orientation to another, in degrees from 0 to 180.
pub(crate) fn rotation_degrees(from: Quat, to: Quat) -> f64 {
    let turn = to.as_dquat() * from.as_dquat().conjugate();
    2.0 * libm::atan2(turn.xyz().length(), turn.w.abs()).to_degrees()
}

/// The matchings of axes: per old axis, the new axis. The unchanged order comes first, so that it wins ties.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

fn axes(one: &Hitbox) -> [DVec3; 3] {
    let matrix = portable::mat3_from_quaternion(one.orientation).as_dmat3();
    [matrix.x_axis, matrix.y_axis, matrix.z_axis]
}

/// The largest distance of two matched corners, which is the largest length of `step` plus or minus each difference of
/// half edges.
fn farthest_corner(step: DVec3, edges: [DVec3; 3]) -> f64 {
    let corner = |signs: usize| {
        let side = |axis: usize| if signs >> axis & 1 == 1 { edges[axis] } else { -edges[axis] };
        (step + side(0) + side(1) + side(2)).length()
    };
    (0..8).map(corner).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use baked_format::HitboxHull;
    use skeleton::JointIndex;
    use std::f32::consts::FRAC_PI_2;

    fn hitbox(half_extents: [f32; 3], orientation: Quat) -> Hitbox {
        Hitbox {
            joint: JointIndex(0),
            shape: baked_format::HitboxShape::Box,
            role: baked_format::HitboxRole::Hurt,
            tags: Vec::new(),
            center: Vec3::ZERO,
            half_extents: half_extents.into(),
            orientation,
            vertices: 8,
            hull_vertices: 8,
            hull_volume: 1.0,
            min_volume: None,
            hull: None,
        }
    }

    #[test]
    fn a_box_is_the_same_as_itself() {
        let one = hitbox([0.1, 0.0, 3.0], Quat::from_xyzw(0.1, 0.7, 0.1, 0.7).normalize());
        assert_eq!(shape_change(&one, &one), None);
        let mut negated = one.clone();
        negated.orientation = -one.orientation;
        assert_eq!(shape_change(&one, &negated), None, "both signs of a quaternion are the same rotation");
    }

    #[test]
    fn a_box_reshaped_at_equal_volume_has_changed() {
        let change = shape_change(&hitbox([1.0, 2.0, 1.0], Quat::IDENTITY), &hitbox([2.0, 1.0, 1.0], Quat::IDENTITY));
        assert!(change.unwrap().corners > 0.5, "{change:?}");
    }

    #[test]
    fn a_turn_about_an_axis_of_symmetry_changes_nothing() {
        let quarter = Quat::from_rotation_z(FRAC_PI_2);
        let square = shape_change(&hitbox([1.0, 1.0, 2.0], Quat::IDENTITY), &hitbox([1.0, 1.0, 2.0], quarter)).unwrap();
        assert!(square.corners < 1e-6 && square.turned < 1e-4, "{square:?}");
        // The same box with its axes exchanged.
        let exchanged = shape_change(&hitbox([1.0, 2.0, 3.0], Quat::IDENTITY), &hitbox([2.0, 1.0, 3.0], quarter));
        let exchanged = exchanged.unwrap();
        assert!(exchanged.corners < 1e-6 && exchanged.turned < 1e-4, "{exchanged:?}");
        assert_eq!(exchanged.new_half_extents, Vec3::new(1.0, 2.0, 3.0));
    }

    #[test]
    fn a_turn_of_a_long_box_is_a_change_with_its_angle() {
        let tenth = Quat::from_rotation_x(0.1);
        let change = shape_change(&hitbox([0.1, 1.0, 0.2], Quat::IDENTITY), &hitbox([0.1, 1.0, 0.2], tenth)).unwrap();
        assert!((change.turned - f64::from(0.1_f32.to_degrees())).abs() < 1e-3, "{change:?}");
        assert!((change.corners - 0.1).abs() < 5e-3, "{change:?}");
    }

    #[test]
    fn a_capsule_turned_about_its_segment_is_the_same() {
        let shape = HitboxShape::Capsule;
        let old = Hitbox { shape, ..hitbox([0.5, 2.0, 0.5], Quat::IDENTITY) };
        let spun = Hitbox { shape, ..hitbox([0.5, 2.0, 0.5], Quat::from_rotation_y(0.7)) };
        let change = shape_change(&old, &spun).unwrap();
        assert!(change.corners < 1e-6 && change.turned < 1e-4 && change.shapes.is_none(), "{change:?}");
        let upside_down = Hitbox { shape, ..hitbox([0.5, 2.0, 0.5], Quat::from_rotation_x(std::f32::consts::PI)) };
        assert!(shape_change(&old, &upside_down).unwrap().corners < 1e-6);
        let tilted = Hitbox { shape, ..hitbox([0.5, 2.0, 0.5], Quat::from_rotation_z(0.1)) };
        let change = shape_change(&old, &tilted).unwrap();
        assert!((change.turned - f64::from(0.1_f32.to_degrees())).abs() < 1e-3 && change.corners > 0.06, "{change:?}");
        let thicker = Hitbox { shape, ..hitbox([0.6, 2.1, 0.6], Quat::IDENTITY) };
        assert!((shape_change(&old, &thicker).unwrap().corners - 0.1 / 4.5_f64.sqrt()).abs() < 1e-6);
    }

    #[test]
    fn another_shape_in_the_same_box_is_a_change() {
        let old = hitbox([1.0; 3], Quat::IDENTITY);
        let new = Hitbox { shape: HitboxShape::Sphere, ..old.clone() };
        let change = shape_change(&old, &new).unwrap();
        assert_eq!((change.shapes, change.corners), (Some([HitboxShape::Box, HitboxShape::Sphere]), 0.0));
    }

    #[test]
    fn another_hull_in_the_same_box_is_a_change() {
        let hull = |reach: f32| HitboxHull {
            vertices: Vec3::AXES.into_iter().flat_map(|axis| [axis, -reach * axis]).collect(),
            triangles: vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]],
        };
        let one =
            |reach| Hitbox { shape: HitboxShape::Hull, hull: Some(hull(reach)), ..hitbox([1.0; 3], Quat::IDENTITY) };
        assert_eq!(shape_change(&one(1.0), &one(1.0)), None);
        let change = shape_change(&one(1.0), &one(0.75)).unwrap();
        assert!((change.corners - 0.25 / 3.0_f64.sqrt()).abs() < 1e-6 && change.shapes.is_none(), "{change:?}");
    }

    #[test]
    fn a_move_is_measured_by_the_boxs_own_size() {
        let (old, mut new) = (hitbox([1.0, 2.0, 2.0], Quat::IDENTITY), hitbox([1.0, 2.0, 2.0], Quat::IDENTITY));
        new.center.x = 0.3;
        let change = shape_change(&old, &new).unwrap();
        assert!((change.moved - 0.1).abs() < 1e-6 && (change.corners - 0.1).abs() < 1e-6, "{change:?}");
        let point = hitbox([0.0; 3], Quat::IDENTITY);
        assert_eq!(shape_change(&point, &new).unwrap().corners, f64::INFINITY);
    }
}
