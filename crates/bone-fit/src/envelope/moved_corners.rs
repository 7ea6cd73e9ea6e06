//! The corners of one box's piece, as what each joint does to them.
//!
//! Posed, a corner is the sum over the joints that move it of `matrix * (y, w)`, with the weight `w` and the weighted point
//! `y` in that joint's space. The box's own joint is joint 0 here, and the others are *movers*. Each mover has a map from the
//! box's axes to its space and a pivot, and with them a corner is written as
//!
//! `own * s + sum over movers of ((mover - own) * v + w * (mover * pivot - own * pivot_in_box))`,
//!
//! whatever the map and the pivot are: `v` and `s` follow from them. A map that is that of the bind pose and a pivot that
//! hardly moves make the second term small.

use crate::skin::bound_mesh::BoundMesh;
use crate::skin::patch::{Patch, Term};
use baked_format::{Hitbox, Mover};
use geometry_core::portable;
use glam::{DAffine3, DMat3, DVec3, Mat3, Vec3};
use skeleton::JointIndex;

/// What rounding does to a number, as a share of the numbers that it was computed from: the run time, and whoever skins in
/// f32, round fewer than 64 times.
pub(crate) const ROUNDING: f64 = 1.0 / (1u64 << 18) as f64;

/// A map from the box to a mover that shrinks one direction below this share of another one is not used.
const FLAT: f64 = 1e-4;

/// What one mover does to one corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    /// Index into [`MovedCorners::movers`].
    pub(crate) mover: usize,
    /// Weight times place: along the box's axes, from the mover's pivot.
    pub(crate) v: DVec3,
    pub(crate) weight: f64,
}

/// The corners of one box's piece.
pub(crate) struct MovedCorners {
    /// The box's axes and center, from the box to its joint's space.
    pub(crate) joint_from_box: DAffine3,
    /// The movers, sorted by joint, with their slacks.
    pub(crate) movers: Vec<Mover>,
    /// What rounding can do to points that the box's own joint moves, in its joint's unit.
    pub(crate) slack: f64,
    /// The bind position of each corner along the box's axes.
    pub(crate) places: Vec<DVec3>,
    /// `shares[first_share[i]..first_share[i + 1]]` are corner `i`'s, sorted by mover.
    pub(crate) first_share: Vec<usize>,
    pub(crate) shares: Vec<Share>,
}

/// A joint that moves one corner.
#[derive(Clone, Copy)]
struct JointTerm {
    joint: JointIndex,
    /// Weighted point in the joint's space.
    y: DVec3,
    weight: f64,
    /// The size of the numbers that `y` is computed from.
    size: f64,
}

impl MovedCorners {
    /// The corners of a patch in the box that was fitted to it. Where only the box's own joint moves them there are no movers, and
    /// the envelope adds what rounding can take from the box.
    pub(crate) fn new(mesh: &BoundMesh<'_>, patch: &Patch, hitbox: &Hitbox, planning: &[Vec<DAffine3>]) -> Self {
        let own = hitbox.joint;
        let by_corner: Vec<Vec<JointTerm>> =
            (0..patch.corners.len()).map(|corner| joint_terms(mesh, patch.terms(corner))).collect();
        let others = by_corner.iter().flatten().map(|term| term.joint).filter(|&joint| joint != own);
        let mut joints: Vec<JointIndex> = others.collect();
        joints.sort_unstable();
        joints.dedup();
        let axes = portable::mat3_from_quaternion(hitbox.orientation).as_dmat3();
        let joint_from_box = DAffine3 { matrix3: axes, translation: hitbox.center.as_dvec3() };
        let maps: Vec<DAffine3> =
            joints.iter().map(|&joint| mover_from_joint(mesh, patch, own, joint) * joint_from_box).collect();
        let mut movers = Vec::with_capacity(joints.len());
        for (&joint, map) in joints.iter().zip(&maps) {
            let stored = stored_map(map);
            let near = middle(&by_corner, joint, &stored, map);
            let pivot = pivot(map, &joint_from_box, [own, joint], planning, near).as_vec3();
            let in_mover = map.transform_point3(pivot.as_dvec3()).as_vec3();
            let in_mover = if in_mover.is_finite() { in_mover } else { Vec3::ZERO };
            movers.push(Mover { joint, mover_from_box: stored, pivot: in_mover, pivot_in_box: pivot, slack: 0.0 });
        }
        let mut corners = Self {
            joint_from_box,
            movers,
            slack: 0.0,
            places: Vec::with_capacity(by_corner.len()),
            first_share: vec![0],
            shares: Vec::new(),
        };
        corners.add_corners(own, &by_corner);
        corners
    }

    /// What each mover does to a corner.
    pub(crate) fn shares(&self, corner: usize) -> &[Share] {
        &self.shares[self.first_share[corner]..self.first_share[corner + 1]]
    }

    fn add_corners(&mut self, own: JointIndex, by_corner: &[Vec<JointTerm>]) {
        let box_from_joint = self.joint_from_box.matrix3.inverse();
        let center = self.joint_from_box.translation;
        let box_from_movers: Vec<DMat3> =
            self.movers.iter().map(|mover| mover.mover_from_box.as_dmat3().inverse()).collect();
        let mut slacks = vec![0.0f64; self.movers.len()];
        for terms in by_corner {
            let own_term = terms.iter().find(|term| term.joint == own);
            let (y, weight, size) = own_term.map_or((DVec3::ZERO, 0.0, 0.0), |term| (term.y, term.weight, term.size));
            let mut place = box_from_joint * (y - weight * center);
            let mut own_size = size + center.length();
            for term in terms.iter().filter(|term| term.joint != own) {
                let number = self.movers.partition_point(|mover| mover.joint < term.joint);
                let mover = &self.movers[number];
                let (pivot, in_box) = (mover.pivot.as_dvec3(), mover.pivot_in_box.as_dvec3());
                let v = box_from_movers[number] * (term.y - term.weight * pivot);
                place += v + term.weight * in_box;
                own_size += v.length() + term.weight * in_box.length();
                let map = mover.mover_from_box.as_dmat3();
                let sizes = DMat3::from_cols(map.x_axis.abs(), map.y_axis.abs(), map.z_axis.abs());
                let mapped = (sizes * v.abs()).length() + term.weight * pivot.length();
                let left = (map * v + term.weight * pivot - term.y).length();
                slacks[number] = slacks[number].max(ROUNDING * (term.size + mapped) + left);
                self.shares.push(Share { mover: number, v, weight: term.weight });
            }
            self.slack = self.slack.max(ROUNDING * (own_size + place.length()));
            self.places.push(place);
            self.first_share.push(self.shares.len());
        }
        for (mover, slack) in self.movers.iter_mut().zip(slacks) {
            mover.slack = crate::fit::enclose::round_up(slack);
        }
    }
}

/// The joints that move a corner, sorted, each once.
fn joint_terms(mesh: &BoundMesh<'_>, terms: &[Term]) -> Vec<JointTerm> {
    let mut found: Vec<JointTerm> = Vec::with_capacity(terms.len());
    for term in terms.iter().filter(|term| term.weight > 0.0) {
        let binding = &mesh.bindings[term.binding as usize];
        let map = &binding.joint_from_mesh;
        let y = map.matrix3 * term.point + term.weight * map.translation;
        let columns = [map.matrix3.x_axis, map.matrix3.y_axis, map.matrix3.z_axis].map(DVec3::abs);
        let size = DMat3::from_cols(columns[0], columns[1], columns[2]) * term.point.abs();
        let size = (size + term.weight * map.translation.abs()).length();
        match found.iter_mut().find(|other| other.joint == binding.joint) {
            Some(known) => {
                known.y += y;
                known.weight += term.weight;
                known.size += size;
            }
            None => found.push(JointTerm { joint: binding.joint, y, weight: term.weight, size }),
        }
    }
    found.sort_by_key(|term| term.joint);
    found
}

/// From one joint's space to another's in the bind pose of a part that both move, or in the rest pose.
fn mover_from_joint(mesh: &BoundMesh<'_>, patch: &Patch, own: JointIndex, mover: JointIndex) -> DAffine3 {
    let terms = (0..patch.corners.len()).flat_map(|corner| patch.terms(corner));
    let moved = terms.map(|term| term.binding as usize).find(|&binding| mesh.bindings[binding].joint == mover);
    let part = moved.and_then(|binding| mesh.parts.iter().find(|part| part.bindings.contains(&binding)));
    let of_own = part.and_then(|part| mesh.bindings[part.bindings.clone()].iter().find(|one| one.joint == own));
    let bound =
        moved.zip(of_own).map(|(moved, own)| mesh.bindings[moved].joint_from_mesh * own.joint_from_mesh.inverse());
    let at_rest = || mesh.model_from_joint[mover.index()].inverse() * mesh.model_from_joint[own.index()];
    let is_usable = |map: &DAffine3| map.is_finite() && is_solid(&map.matrix3);
    bound.filter(is_usable).or_else(|| Some(at_rest()).filter(is_usable)).unwrap_or(DAffine3::IDENTITY)
}

fn is_solid(map: &DMat3) -> bool {
    let [x, y, z] = [map.x_axis, map.y_axis, map.z_axis].map(DVec3::length);
    let longest = x.max(y).max(z);
    longest > 1e-9 && longest < 1e9 && map.determinant().abs() > FLAT * longest * longest * longest
}

/// The linear map as it is stored: one that can be inverted.
fn stored_map(map: &DAffine3) -> Mat3 {
    if is_solid(&map.matrix3) { map.matrix3.as_mat3() } else { Mat3::IDENTITY }
}

/// The middle of what a mover moves, along the box's axes.
fn middle(by_corner: &[Vec<JointTerm>], mover: JointIndex, stored: &Mat3, map: &DAffine3) -> DVec3 {
    let moved = by_corner.iter().flatten().filter(|term| term.joint == mover);
    let (y, weight) = moved.fold((DVec3::ZERO, 0.0), |(y, weight), term| (y + term.y, weight + term.weight));
    let place = stored.as_dmat3().inverse() * (y / weight - map.translation);
    if place.is_finite() { place } else { DVec3::ZERO }
}

/// The point along the box's axes that moves least between two joints: least squares over the planning poses, and toward the
/// point `near` where the poses leave a choice.
fn pivot(
    map: &DAffine3,
    joint_from_box: &DAffine3,
    [own, mover]: [JointIndex; 2],
    planning: &[Vec<DAffine3>],
    near: DVec3,
) -> DVec3 {
    /// Weight of the distance from `near`, against that of the motion.
    const TOWARD_NEAR: f64 = 1e-4;
    let (mut squares, mut products) = (DMat3::ZERO, DVec3::ZERO);
    for pose in planning {
        let own_from_model = (pose[own.index()] * *joint_from_box).inverse();
        let relative = own_from_model * pose[mover.index()] * *map;
        if relative.is_finite() && relative.matrix3.abs_diff_eq(DMat3::IDENTITY, 4.0) {
            let turned = relative.matrix3 - DMat3::IDENTITY;
            squares += turned.transpose() * turned;
            products -= turned.transpose() * relative.translation;
        }
    }
    let trace = squares.x_axis.x + squares.y_axis.y + squares.z_axis.z;
    let weight = TOWARD_NEAR * trace + 1e-12;
    let solved = (squares + DMat3::from_diagonal(DVec3::splat(weight))).inverse() * (products + weight * near);
    let far = 1e3 * (near.length() + joint_from_box.translation.length()) + 1e3;
    if solved.is_finite() && solved.length() < far { solved } else { near }
}
