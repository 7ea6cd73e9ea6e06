//! The fragments of each triangle: the joints that own the surface between vertices of different joints.
//!
//! Weights are interpolated over a triangle, so a joint's weight is a linear function on it, and the places where one
//! joint's weight is the largest form a convex polygon: the triangle clipped, for every other joint, by the line where
//! the two weights are equal. Weights of the same joint in several slots are added here, as skinning does.
//!
//! Where two joints weigh the same on a whole piece it goes to the one that a corner is given to, the corners in the
//! order of their positions; else to the earlier joint. With a `tie_tolerance` above 0 a piece goes to the earliest joint
//! that is nowhere on it more than that below the one it was cut out for. The cuts stay where they are, so that nothing
//! between the pieces is lost, however many joints nearly tie.

use crate::assign::owner::{SHARE_TOLERANCE, dominant, owners_of};
use crate::assign::polygon_clip::{self, Clipped};
use crate::options::{BakeOptions, Group};
use crate::skin::bound_mesh::{BoundMesh, BoundPart};
use skeleton::JointIndex;

/// The part of a triangle that one joint owns: a convex polygon in barycentric coordinates of the triangle's corners.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fragment {
    pub(crate) joint: JointIndex,
    pub(crate) corners: Vec<[f64; 3]>,
}

/// Weights equal to this are equal: they have been divided by their sums.
const EQUAL_WEIGHTS: f64 = 1e-12;

/// Fragments of less than this share of the triangle are lines.
const LEAST_SHARE: f64 = 1e-14;

/// The triangle's corners in an order that depends on their positions alone, so that two triangles cut their common
/// edge at the same point.
pub(crate) fn canonical_corners(part: &BoundPart<'_>, triangle: [u32; 3]) -> [u32; 3] {
    let mut corners = triangle;
    corners.sort_by(|&a, &b| {
        let [a_at, b_at] = [a, b].map(|vertex| part.positions[vertex as usize]);
        let ordered = a_at.x.total_cmp(&b_at.x).then(a_at.y.total_cmp(&b_at.y)).then(a_at.z.total_cmp(&b_at.z));
        ordered.then(a.cmp(&b))
    });
    corners
}

/// Cuts a triangle into fragments; none where a corner has no owner. `corners` as of [`canonical_corners`].
pub(crate) fn fragments(
    mesh: &BoundMesh<'_>,
    part: &BoundPart<'_>,
    corners: [u32; 3],
    options: &BakeOptions,
    fragments: &mut Vec<Fragment>,
) {
    fragments.clear();
    let Some(weights) = Weights::of(mesh, part, corners) else { return };
    let whole = || vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let count = weights.joints.len();
    for own in 0..count {
        let mut polygon = whole();
        match options.group {
            Group::Dominant => {
                for other in (0..count).filter(|&other| other != own) {
                    let lead = weights.difference(own, other);
                    if lead.iter().all(|lead| lead.abs() <= EQUAL_WEIGHTS) {
                        if other < own {
                            polygon.clear();
                        }
                    } else {
                        clip(&mut polygon, lead);
                    }
                }
            }
            Group::Threshold | Group::Any => {
                let least = options.least_weight() - SHARE_TOLERANCE;
                if weights.joints[own].1.iter().all(|weight| *weight <= EQUAL_WEIGHTS) {
                    polygon.clear();
                }
                clip(&mut polygon, weights.joints[own].1.map(|weight| weight - least));
            }
        }
        if area(&polygon) > LEAST_SHARE {
            let joint = match options.group {
                Group::Dominant if options.tie_tolerance > 0.0 => {
                    weights.earliest(own, &polygon, options.tie_tolerance)
                }
                _ => weights.joints[own].0,
            };
            fragments.push(Fragment { joint, corners: polygon });
        }
    }
}

/// The triangle for each joint of any of its corners; nothing where a corner belongs to none.
pub(crate) fn whole_triangles(
    mesh: &BoundMesh<'_>,
    part: &BoundPart<'_>,
    corners: [u32; 3],
    options: &BakeOptions,
    found: &mut Vec<Fragment>,
) {
    found.clear();
    let mut owners = Vec::new();
    for corner in corners {
        owners_of(mesh, part, corner as usize, options, &mut owners);
        if owners.is_empty() {
            found.clear();
            return;
        }
        for joint in owners.iter().map(|&binding| mesh.bindings[binding].joint) {
            if !found.iter().any(|fragment| fragment.joint == joint) {
                found.push(Fragment { joint, corners: vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] });
            }
        }
    }
}

/// The joint that weighs most at a point of a triangle, as [`fragments`] has it.
pub(crate) fn owner(
    mesh: &BoundMesh<'_>,
    part: &BoundPart<'_>,
    corners: [u32; 3],
    barycentric: [f64; 3],
) -> Option<JointIndex> {
    let weights = Weights::of(mesh, part, corners)?;
    let at = |weights: &[f64; 3]| (0..3).map(|corner| weights[corner] * barycentric[corner]).sum::<f64>();
    let mut best: Option<(JointIndex, f64)> = None;
    for (joint, weights) in &weights.joints {
        let weight = at(weights);
        if best.is_none_or(|(_, most)| weight > most + EQUAL_WEIGHTS) {
            best = Some((*joint, weight));
        }
    }
    best.map(|(joint, _)| joint)
}

/// Every joint of a triangle with its weights at the three corners, in the order in which ties go.
struct Weights {
    joints: Vec<(JointIndex, [f64; 3])>,
}

impl Weights {
    fn of(mesh: &BoundMesh<'_>, part: &BoundPart<'_>, corners: [u32; 3]) -> Option<Self> {
        let mut joints: Vec<(JointIndex, [f64; 3])> = Vec::with_capacity(8);
        for vertex in corners {
            let joint = mesh.bindings[dominant(part.influences(vertex as usize))?].joint;
            if !joints.iter().any(|(known, _)| *known == joint) {
                joints.push((joint, [0.0; 3]));
            }
        }
        let first_other = joints.len();
        for (corner, vertex) in corners.into_iter().enumerate() {
            for influence in part.influences(vertex as usize) {
                let joint = mesh.bindings[influence.binding].joint;
                match joints.iter_mut().find(|(known, _)| *known == joint) {
                    Some((_, weights)) => weights[corner] += influence.weight,
                    None => {
                        let mut weights = [0.0; 3];
                        weights[corner] = influence.weight;
                        joints.push((joint, weights));
                    }
                }
            }
        }
        joints[first_other..].sort_by_key(|(joint, _)| *joint);
        Some(Self { joints })
    }

    /// The earliest joint that weighs at most `tolerance` less than `own` at every corner of the polygon.
    fn earliest(&self, own: usize, polygon: &[[f64; 3]], tolerance: f64) -> JointIndex {
        let near = |other: &usize| {
            let lead = self.difference(own, *other);
            let at = |point: &[f64; 3]| point[0] * lead[0] + point[1] * lead[1] + point[2] * lead[2];
            polygon.iter().all(|point| at(point) <= tolerance)
        };
        let near = (0..self.joints.len()).filter(near).map(|other| self.joints[other].0);
        near.min().map_or(self.joints[own].0, |joint| joint.min(self.joints[own].0))
    }

    fn difference(&self, own: usize, other: usize) -> [f64; 3] {
        let (own, other) = (self.joints[own].1, self.joints[other].1);
        [own[0] - other[0], own[1] - other[1], own[2] - other[2]]
    }
}

/// Keeps the part of a convex polygon where a function, given by its values at the triangle's corners, is not negative.
fn clip(polygon: &mut Vec<[f64; 3]>, values: [f64; 3]) {
    let height = |point: [f64; 3]| point[0] * values[0] + point[1] * values[1] + point[2] * values[2];
    if polygon.iter().all(|&point| height(point) >= 0.0) {
        return;
    }
    let place = |corner: Clipped<[f64; 3]>| match corner {
        Clipped::Corner(point) => point,
        Clipped::Crossing { above, below } => crossing((above, height(above)), (below, height(below))),
    };
    *polygon = polygon_clip::clip(polygon, height).map(place).collect();
}

/// Where the function is 0 between two points: the same bits whichever comes first.
fn crossing(a: ([f64; 3], f64), b: ([f64; 3], f64)) -> [f64; 3] {
    let (a, b) = if a.0 >= b.0 { (a, b) } else { (b, a) };
    let share = a.1 / (a.1 - b.1);
    std::array::from_fn(|axis| (1.0 - share) * a.0[axis] + share * b.0[axis])
}

/// Share of the triangle's area.
fn area(polygon: &[[f64; 3]]) -> f64 {
    let doubled = (1..polygon.len().saturating_sub(1)).map(|index| {
        let [o, a, b] = [polygon[0], polygon[index], polygon[index + 1]];
        (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
    });
    doubled.sum::<f64>().abs()
}
