//! The fragments of each triangle: the parts that joints own.
//!
//! Weights are interpolated over a triangle, so a joint's weight is a linear function on it, and the points where one
//! joint weighs most form a convex polygon: the triangle clipped, for every other joint, by the line where the two
//! weights are equal. If a tie gives a fragment to another joint, the cuts stay at the same places. So no surface
//! between the fragments is lost, for any number of joints that nearly tie.

use crate::assign::owner::{CORNERS, EQUAL_WEIGHTS, JointWeights, Ownership, interpolated};
use crate::assign::polygon_clip::{self, Clipped};
use crate::options::Group;
use crate::skin::bound_mesh::{BoundMesh, BoundPart};
use skeleton::JointIndex;

/// The part of a triangle that one joint owns: a convex polygon in barycentric coordinates of the triangle's corners.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fragment {
    pub(crate) joint: JointIndex,
    pub(crate) corners: Vec<[f64; 3]>,
}

/// Fragments with less than this share of the triangle's area count as lines and are left out.
const LEAST_SHARE: f64 = 1e-14;

/// Returns the triangle's corners in an order that depends on their positions alone, so that two triangles cut their
/// common edge at the same point.
pub(crate) fn canonical_corners(part: &BoundPart<'_>, triangle: [u32; 3]) -> [u32; 3] {
    let mut corners = triangle;
    corners.sort_by(|&a, &b| {
        let [a_at, b_at] = [a, b].map(|vertex| part.positions[vertex as usize]);
        let ordered = a_at.x.total_cmp(&b_at.x).then(a_at.y.total_cmp(&b_at.y)).then(a_at.z.total_cmp(&b_at.z));
        ordered.then(a.cmp(&b))
    });
    corners
}

/// Replaces `fragments` by the fragments of a triangle; leaves it empty if a corner has no owner. `corners` are in the
/// order of [`canonical_corners`].
pub(crate) fn fragments(
    mesh: &BoundMesh<'_>,
    part: &BoundPart<'_>,
    corners: [u32; 3],
    rule: Ownership,
    fragments: &mut Vec<Fragment>,
) {
    fragments.clear();
    let Some(weights) = JointWeights::of_triangle(mesh, part, corners) else { return };
    for own in 0..weights.joints.len() {
        let polygon = match rule.group {
            Group::Dominant => where_largest(&weights, own),
            Group::Threshold | Group::Any => where_at_least(&weights, own, rule.least_share),
        };
        if area(&polygon) > LEAST_SHARE {
            let joint = match rule.group {
                Group::Dominant => rule.of_region(&weights, own, &polygon),
                Group::Threshold | Group::Any => weights.joints[own].0,
            };
            fragments.push(Fragment { joint, corners: polygon });
        }
    }
}

/// Replaces `fragments` by the whole triangle for each owner of any of its corners; leaves it empty if a corner has no
/// owner.
pub(crate) fn whole_triangles(
    mesh: &BoundMesh<'_>,
    part: &BoundPart<'_>,
    corners: [u32; 3],
    rule: Ownership,
    fragments: &mut Vec<Fragment>,
) {
    fragments.clear();
    for corner in corners {
        let owners = rule.of_vertex(mesh, part, corner);
        if owners.is_empty() {
            fragments.clear();
            return;
        }
        for joint in owners {
            if !fragments.iter().any(|fragment| fragment.joint == joint) {
                fragments.push(Fragment { joint, corners: CORNERS.to_vec() });
            }
        }
    }
}

/// Returns the part of the triangle where a joint weighs most. If joints weigh the same on the whole triangle, the
/// first of them has it.
fn where_largest(weights: &JointWeights, own: usize) -> Vec<[f64; 3]> {
    let mut polygon = CORNERS.to_vec();
    for other in (0..weights.joints.len()).filter(|&other| other != own) {
        let lead = weights.difference(own, other);
        if lead.iter().any(|lead| lead.abs() > EQUAL_WEIGHTS) {
            clip(&mut polygon, lead);
        } else if other < own {
            return Vec::new();
        }
    }
    polygon
}

/// Returns the part of the triangle where a joint has at least a share of the weights.
fn where_at_least(weights: &JointWeights, own: usize, least: f64) -> Vec<[f64; 3]> {
    let weight = weights.joints[own].1;
    if weight.iter().all(|weight| *weight <= EQUAL_WEIGHTS) {
        return Vec::new();
    }
    let mut polygon = CORNERS.to_vec();
    clip(&mut polygon, weight.map(|weight| weight - least));
    polygon
}

/// Keeps the part of a convex polygon where a function, given by its values at the triangle's corners, is not negative.
fn clip(polygon: &mut Vec<[f64; 3]>, values: [f64; 3]) {
    let height = |point: [f64; 3]| interpolated(&values, &point);
    if polygon.iter().all(|&point| height(point) >= 0.0) {
        return;
    }
    let place = |corner: Clipped<[f64; 3]>| match corner {
        Clipped::Corner(point) => point,
        Clipped::Crossing { above, below } => crossing((above, height(above)), (below, height(below))),
    };
    *polygon = polygon_clip::clip(polygon, height).map(place).collect();
}

/// Returns the point between two points at which the function is 0. The result has the same bits for either order of
/// the points.
fn crossing(a: ([f64; 3], f64), b: ([f64; 3], f64)) -> [f64; 3] {
    let (a, b) = if a.0 >= b.0 { (a, b) } else { (b, a) };
    let share = a.1 / (a.1 - b.1);
    std::array::from_fn(|axis| (1.0 - share) * a.0[axis] + share * b.0[axis])
}

/// Returns the area of a polygon, as a share of the triangle's area.
pub(crate) fn area(polygon: &[[f64; 3]]) -> f64 {
    let doubled = (1..polygon.len().saturating_sub(1)).map(|index| {
        let [o, a, b] = [polygon[0], polygon[index], polygon[index + 1]];
        (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
    });
    doubled.sum::<f64>().abs()
}
