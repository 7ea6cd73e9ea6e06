//! The corners of one box's piece, with the contribution of each joint that moves them.
//!
//! The place of a posed corner is the sum over the joints that move it of `matrix * (y, w)`, with the weight `w` and
//! the weighted point `y` in that joint's space. The joints other than the box's own joint are *movers*. Each mover has
//! a map from the box's axes to its space. With these maps the place of a corner is
//!
//! `own * s + sum over movers of (w * (mover - own) * s + (mover - own) * e)`,
//!
//! for any maps: `s` and `e` follow from the map. With the map of the bind pose, `s` is the corner's place in the bind
//! pose, and `e` is zero for vertices. For points where a triangle is cut, `e` is not zero, because the weights of the
//! triangle's corners differ.

use crate::fit::enclose::{round_up, stored_orientation};
use crate::skin::bound_mesh::BoundMesh;
use crate::skin::patch::{Patch, Term};
use baked_format::{Hitbox, Mover};
use geometry_core::portable;
use glam::{DAffine3, DMat3, DVec3, Quat, Vec3};
use skeleton::JointIndex;

/// The largest rounding error of a number, as a share of the numbers that it was computed from. The run time, and other
/// code that skins in f32, rounds fewer than 64 times.
pub(crate) const ROUNDING: f64 = 1.0 / (1u64 << 18) as f64;

/// A map from the box to a mover is not used if it shrinks one direction below this share of another direction.
const FLAT: f64 = 1e-4;

/// The contribution of one mover to one corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    /// The mover, an index into [`MovedCorners::movers`].
    pub(crate) mover: usize,
    /// The rest `e` of the weighted place after `s` times the weight, along the box's axes.
    pub(crate) rest: DVec3,
    pub(crate) weight: f64,
}

/// The corners of one box's piece.
pub(crate) struct MovedCorners {
    /// The map from the box's axes and center to the space of its joint.
    pub(crate) joint_from_box: DAffine3,
    /// The movers, sorted by joint, with their slacks.
    pub(crate) movers: Vec<Mover>,
    /// The largest rounding error of points that the box's own joint moves, in this joint's unit.
    pub(crate) slack: f64,
    /// The bind position of each corner along the box's axes.
    pub(crate) places: Vec<DVec3>,
    /// `shares[first_share[i]..first_share[i + 1]]` are the shares of corner `i`, sorted by mover.
    pub(crate) first_share: Vec<usize>,
    pub(crate) shares: Vec<Share>,
    sizes: Sizes,
}

/// A joint that moves one corner.
#[derive(Clone, Copy)]
struct JointTerm {
    joint: JointIndex,
    /// The weighted point, in the joint's space.
    y: DVec3,
    weight: f64,
    /// The size of the largest numbers that `y` is computed from.
    size: f64,
}

impl MovedCorners {
    /// Makes the corners of a patch in the box that was fitted to it. If only the box's own joint moves the corners,
    /// there are no movers, and the envelope adds the largest rounding error to the box.
    pub(crate) fn new(mesh: &BoundMesh<'_>, patch: &Patch, hitbox: &Hitbox) -> Self {
        let own = hitbox.joint;
        let by_corner: Vec<Vec<JointTerm>> =
            (0..patch.corners.len()).map(|corner| joint_terms(mesh, patch.terms(corner))).collect();
        let others = by_corner.iter().flatten().map(|term| term.joint).filter(|&joint| joint != own);
        let mut joints: Vec<JointIndex> = others.collect();
        joints.sort_unstable();
        joints.dedup();
        let axes = portable::mat3_from_quaternion(hitbox.orientation).as_dmat3();
        let joint_from_box = DAffine3 { matrix3: axes, translation: hitbox.center.as_dvec3() };
        let mover = |&joint: &JointIndex| {
            let map = mover_from_joint(mesh, patch, own, joint) * joint_from_box;
            let center = map.translation.as_vec3();
            let center = if center.is_finite() { center } else { Vec3::ZERO };
            let (orientation, scale) = rotation_and_scale(&map.matrix3);
            Mover { joint, orientation, scale, center, slack: 0.0 }
        };
        let movers = joints.iter().map(mover).collect();
        let mut corners = Self {
            joint_from_box,
            movers,
            slack: 0.0,
            places: Vec::with_capacity(by_corner.len()),
            first_share: vec![0],
            shares: Vec::new(),
            sizes: Sizes::default(),
        };
        corners.add_corners(own, &by_corner);
        corners
    }

    /// The contribution of each mover to a corner.
    pub(crate) fn shares(&self, corner: usize) -> &[Share] {
        &self.shares[self.first_share[corner]..self.first_share[corner + 1]]
    }

    fn add_corners(&mut self, own: JointIndex, by_corner: &[Vec<JointTerm>]) {
        let box_from_joint = self.joint_from_box.matrix3.inverse();
        let center = self.joint_from_box.translation;
        let box_from_movers: Vec<DMat3> =
            self.movers.iter().map(|mover| mover.mover_from_box().as_dmat3().inverse()).collect();
        let mut sizes = Sizes::of_movers(self.movers.len());
        for terms in by_corner {
            let own_term = terms.iter().find(|term| term.joint == own);
            let (y, weight, size) = own_term.map_or((DVec3::ZERO, 0.0, 0.0), |term| (term.y, term.weight, term.size));
            let mut place = box_from_joint * (y - weight * center);
            let first = self.shares.len();
            for term in terms.iter().filter(|term| term.joint != own) {
                let number = self.movers.partition_point(|mover| mover.joint < term.joint);
                let mover = &self.movers[number];
                let center_in_mover = mover.center.as_dvec3();
                let v = box_from_movers[number] * (term.y - term.weight * center_in_mover);
                place += v;
                let of_mover = &mut sizes.movers[number];
                of_mover.corner = of_mover.corner.max(term.size);
                of_mover.left = of_mover
                    .left
                    .max((mover.mover_from_box().as_dmat3() * v + term.weight * center_in_mover - term.y).length());
                of_mover.weight = of_mover.weight.max(term.weight);
                self.shares.push(Share { mover: number, rest: v, weight: term.weight });
            }
            let mut left = 0.0;
            for share in &mut self.shares[first..] {
                share.rest -= share.weight * place;
                let of_mover = &mut sizes.movers[share.mover];
                let mapped = (self.movers[share.mover].mover_from_box().as_dmat3() * share.rest).length();
                // A rest that is no larger than a rounding error is added to the rounding errors, so that the bounds of
                // the rests of vertices stay zero.
                if mapped <= 0.25 * ROUNDING * of_mover.corner {
                    left += share.rest.length();
                    of_mover.left_of_rest = of_mover.left_of_rest.max(mapped);
                    share.rest = DVec3::ZERO;
                }
                of_mover.rest = of_mover.rest.max(share.rest.abs());
            }
            sizes.left_of_rest = sizes.left_of_rest.max(left);
            sizes.own = sizes.own.max(size);
            sizes.places = sizes.places.max(place.abs());
            self.places.push(place);
            self.first_share.push(self.shares.len());
        }
        self.sizes = sizes;
    }

    /// Sets the slacks: the largest rounding errors of corners in clusters with at most `most_movers` movers, whose
    /// places were moved out by `margin`.
    pub(crate) fn set_slacks(&mut self, most_movers: usize, margin: DVec3) {
        // The run time adds as many terms as there are movers.
        let rounding = ROUNDING * (1.0 + most_movers as f64 / 32.0);
        let sizes = &self.sizes;
        let places = sizes.places + margin;
        let (mut weights, mut rests) = (1.0, 0.0);
        for (mover, of_mover) in self.movers.iter_mut().zip(&sizes.movers) {
            let map = mover.mover_from_box().as_dmat3();
            let map = DMat3::from_cols(map.x_axis.abs(), map.y_axis.abs(), map.z_axis.abs());
            // The run time moves a cluster's point by a rest over a weight, so the rest occurs up to three times in its sums.
            let mapped = (map * (of_mover.weight * places + 3.0 * of_mover.rest)).length();
            let size = of_mover.corner + mapped + of_mover.weight * mover.center.as_dvec3().length();
            mover.slack = round_up(rounding * size + of_mover.left + of_mover.left_of_rest);
            weights += of_mover.weight;
            rests += 3.0 * of_mover.rest.length();
        }
        let center = self.joint_from_box.translation.length();
        self.slack = rounding * (sizes.own + weights * (places.length() + 2.0 * center) + rests) + sizes.left_of_rest;
    }
}

/// The sizes of the numbers that corners are computed from.
#[derive(Default)]
struct Sizes {
    /// The largest contribution of the box's own joint to a corner.
    own: f64,
    /// The largest places, along each axis.
    places: DVec3,
    /// The largest sum of rests that count as rounding.
    left_of_rest: f64,
    movers: Vec<MoverSizes>,
}

impl Sizes {
    fn of_movers(count: usize) -> Self {
        Self { movers: (0..count).map(|_| MoverSizes::default()).collect(), ..Self::default() }
    }
}

#[derive(Default)]
struct MoverSizes {
    /// The largest contribution of the mover to a corner.
    corner: f64,
    /// The largest part of a weighted point that the map does not reproduce, because the map is stored in f32.
    left: f64,
    /// The largest rest that counts as rounding.
    left_of_rest: f64,
    weight: f64,
    rest: DVec3,
}

/// Returns the joints that move a corner, sorted, each joint once.
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

/// Returns the map from one joint's space to another joint's space, in the bind pose of a part that both joints move;
/// in the rest pose if there is no such part.
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

/// Returns the rotation and the scale that are nearest to a linear map. For a map that scales evenly, they equal the
/// map.
fn rotation_and_scale(map: &DMat3) -> (Quat, f32) {
    let fallback = (Quat::IDENTITY, 1.0);
    if !is_solid(map) {
        return fallback;
    }
    let sign = if map.determinant() < 0.0 { -1.0 } else { 1.0 };
    let x = (sign * map.x_axis).normalize();
    let y = sign * map.y_axis;
    let y = (y - x * x.dot(y)).normalize();
    let (orientation, axes) = stored_orientation(&DMat3::from_cols(x, y, x.cross(y)));
    let scale = sign * libm::cbrt(map.determinant().abs() / axes.determinant());
    let scale = scale as f32;
    if scale.is_normal() { (orientation, scale) } else { fallback }
}
