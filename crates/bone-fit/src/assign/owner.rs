//! The one rule of ownership: the joints that own a vertex, a fragment of a triangle or a point of the surface.
//!
//! The weight of a joint at a vertex is the sum of the weights of all its slots, as in skinning, divided by the sum of all
//! weights; over a triangle it is interpolated. A *region* is a vertex, a point of a triangle, or a convex part of a triangle
//! in which one joint weighs most.
//!
//! - `group = dominant`: one joint owns a region. The joint that weighs most in the region ties with every joint whose
//!   weight is nowhere in the region lower by more than `tie_tolerance`. The first of the tied joints owns the region.
//!   With a tolerance above 0 the first joint is the first in the skeleton. Two equal weights then give the same joint,
//!   for any rounding of 8-bit weights and any order of slots. With tolerance 0 only weights that differ by rounding
//!   tie ([`EQUAL_WEIGHTS`]). The first joint is then the joint in the earliest slot with a weight (`JOINTS_0.xyzw`,
//!   then `JOINTS_1`, ...); in a triangle the owners of its corners come first, in the order of the corners, then the
//!   joints of the skeleton.
//! - `group = threshold` and `group = any`: every joint owns a vertex, or the part of a triangle, if its share of the
//!   weights there is at least `min_weight` ([`SHARE_TOLERANCE`]) and above 0.
//!
//! A vertex without weights has no owner. A triangle with such a corner has no owner either.

use crate::options::{BakeOptions, Group};
use crate::skin::bound_mesh::{BoundMesh, BoundPart};
use skeleton::JointIndex;

/// The largest amount by which a joint's share may be below `min_weight`: weights of 8 or 16 bits seldom sum to 1
/// exactly.
pub(crate) const SHARE_TOLERANCE: f64 = 1e-6;

/// Weights that differ by no more than this count as equal, because they were added and divided by their sum.
pub(crate) const EQUAL_WEIGHTS: f64 = 1e-12;

/// The corners of a triangle in its barycentric coordinates.
pub(crate) const CORNERS: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The rule with the values of the options.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ownership {
    pub(crate) group: Group,
    tie_tolerance: f64,
    /// The least share of the weights, for `threshold` and `any`.
    pub(crate) least_share: f64,
}

impl Ownership {
    pub(crate) fn new(options: &BakeOptions) -> Self {
        let least_share = options.least_weight() - SHARE_TOLERANCE;
        Self { group: options.group, tie_tolerance: options.tie_tolerance, least_share }
    }

    /// Returns the joints that own a vertex, each joint once; an empty list if the vertex has no weights.
    pub(crate) fn of_vertex(&self, mesh: &BoundMesh<'_>, part: &BoundPart<'_>, vertex: u32) -> Vec<JointIndex> {
        let weights = JointWeights::of_vertex(mesh, part, vertex);
        match self.group {
            Group::Dominant => self.strongest(&weights, CORNERS[0]).into_iter().collect(),
            Group::Threshold | Group::Any => {
                let owns = |(_, [weight, ..]): &&(JointIndex, [f64; 3])| {
                    *weight > EQUAL_WEIGHTS && *weight >= self.least_share
                };
                weights.joints.iter().filter(owns).map(|(joint, _)| *joint).collect()
            }
        }
    }

    /// Returns the joint that owns a point by the rule for `dominant`, for any `group`. Escapes are named after this
    /// joint.
    pub(crate) fn strongest(&self, weights: &JointWeights, point: [f64; 3]) -> Option<JointIndex> {
        let leader = weights.leader(point)?;
        Some(self.of_region(weights, leader, &[point]))
    }

    /// Returns the joint that owns a region. `region` has the corners of the region, and joint number `leader` weighs
    /// most in it.
    pub(crate) fn of_region(&self, weights: &JointWeights, leader: usize, region: &[[f64; 3]]) -> JointIndex {
        let tolerance = self.tie_tolerance.max(EQUAL_WEIGHTS);
        let ties = |&other: &usize| {
            let lead = weights.difference(leader, other);
            region.iter().all(|point| interpolated(&lead, point) <= tolerance)
        };
        let mut tied = (0..weights.joints.len()).filter(ties).map(|number| weights.joints[number].0);
        let first = if self.tie_tolerance > 0.0 { tied.min() } else { tied.next() };
        first.unwrap_or(weights.joints[leader].0)
    }
}

/// The joints that move a vertex or a triangle, with their weights at its corners.
pub(crate) struct JointWeights {
    /// The joints with their weights at the three corners. Of joints with equal weights, the first goes first.
    pub(crate) joints: Vec<(JointIndex, [f64; 3])>,
}

impl JointWeights {
    /// Returns the joints of one vertex in the order of their first slots, with their weights at the first corner; no
    /// joints if the vertex has no weights.
    pub(crate) fn of_vertex(mesh: &BoundMesh<'_>, part: &BoundPart<'_>, vertex: u32) -> Self {
        let mut weights = Self { joints: Vec::with_capacity(4) };
        weights.add(mesh, part, vertex, 0);
        weights
    }

    /// Returns the joints of a triangle: the owners of its corners, in the order of the corners, then all others in the
    /// order of the skeleton. Returns `None` if a corner has no weights.
    pub(crate) fn of_triangle(mesh: &BoundMesh<'_>, part: &BoundPart<'_>, corners: [u32; 3]) -> Option<Self> {
        let mut weights = Self { joints: Vec::with_capacity(8) };
        for vertex in corners {
            let of_vertex = Self::of_vertex(mesh, part, vertex);
            let (joint, _) = of_vertex.joints[of_vertex.leader(CORNERS[0])?];
            if weights.joints.iter().all(|(known, _)| *known != joint) {
                weights.joints.push((joint, [0.0; 3]));
            }
        }
        let owners = weights.joints.len();
        for (corner, vertex) in corners.into_iter().enumerate() {
            weights.add(mesh, part, vertex, corner);
        }
        weights.joints[owners..].sort_by_key(|(joint, _)| *joint);
        Some(weights)
    }

    fn add(&mut self, mesh: &BoundMesh<'_>, part: &BoundPart<'_>, vertex: u32, corner: usize) {
        for influence in part.influences(vertex as usize) {
            let joint = mesh.bindings[influence.binding].joint;
            let known = self.joints.iter().position(|(known, _)| *known == joint);
            let number = known.unwrap_or_else(|| {
                self.joints.push((joint, [0.0; 3]));
                self.joints.len() - 1
            });
            self.joints[number].1[corner] += influence.weight;
        }
    }

    /// Returns the number of the joint that weighs most at a point; of equal joints, the first.
    fn leader(&self, point: [f64; 3]) -> Option<usize> {
        let weight = |(_, weights): &(JointIndex, [f64; 3])| interpolated(weights, &point);
        let most = self.joints.iter().map(weight).fold(0.0, f64::max);
        self.joints.iter().position(|joint| weight(joint) >= most - EQUAL_WEIGHTS)
    }

    /// Returns the difference of two joints' weights at each corner: the weight of `own` minus the weight of `other`.
    pub(crate) fn difference(&self, own: usize, other: usize) -> [f64; 3] {
        let (own, other) = (self.joints[own].1, self.joints[other].1);
        [own[0] - other[0], own[1] - other[1], own[2] - other[2]]
    }
}

/// Returns the value at a point of a function that is linear on a triangle.
pub(crate) fn interpolated(at_corners: &[f64; 3], point: &[f64; 3]) -> f64 {
    point[0] * at_corners[0] + point[1] * at_corners[1] + point[2] * at_corners[2]
}
