//! The boxes of a bake in one pose, in model space and in f64.

use crate::motion::trajectories::inverse_unless_collapsed;
use crate::skin::bound_mesh::BoundMesh;
use baked_format::Hitbox;
use geometry_core::portable;
use glam::{DAffine3, DMat3, DVec3};
use skeleton::JointIndex;

/// A point counts as inside a box up to this share of the character's height outside it: f32 matrices pose no better.
pub(crate) const INSIDE: f64 = 1e-6;

/// The boxes of a bake in one pose, sorted by joint.
pub(crate) struct PosedBoxes {
    boxes: Vec<PosedBox>,
    /// `boxes[first_of_joint[j]..first_of_joint[j + 1]]` are the boxes of joint `j`.
    first_of_joint: Vec<usize>,
    /// The joints that have collapsed in this pose, sorted. Their boxes are left out.
    pub(crate) collapsed: Vec<JointIndex>,
}

struct PosedBox {
    /// From model space to the box's own axes and its center.
    box_from_model: DAffine3,
    half_extents: DVec3,
    /// Half extents with the tolerance [`INSIDE`].
    tolerant: DVec3,
    /// The most model units that one unit of the joint's space spans.
    scale: f64,
    /// Model space.
    center: DVec3,
    /// Radius of a ball around the hitbox, in model units.
    radius: f64,
}

impl PosedBoxes {
    pub(crate) fn new(mesh: &BoundMesh<'_>, boxes: &[Hitbox], model_from_joint: &[DAffine3]) -> Self {
        let mut posed = Self { boxes: Vec::with_capacity(boxes.len()), first_of_joint: vec![0], collapsed: Vec::new() };
        let mut next = 0;
        for (index, matrix) in model_from_joint.iter().enumerate() {
            let joint = JointIndex(index as u16);
            let inverse = inverse_unless_collapsed(matrix, mesh.scale(joint));
            if inverse.is_none() {
                posed.collapsed.push(joint);
            }
            while let Some(one) = boxes.get(next).filter(|one| one.joint == joint) {
                next += 1;
                if let Some(joint_from_model) = &inverse {
                    posed.boxes.push(PosedBox::new(one, matrix, joint_from_model, INSIDE * mesh.height));
                }
            }
            posed.first_of_joint.push(posed.boxes.len());
        }
        posed
    }

    pub(crate) fn is_collapsed(&self, joint: JointIndex) -> bool {
        !self.collapsed.is_empty() && self.collapsed.binary_search(&joint).is_ok()
    }

    /// All boxes, those of the joint first: they are the likeliest to hold its surface.
    fn own_first(&self, joint: JointIndex) -> impl Iterator<Item = &PosedBox> {
        let own = self.first_of_joint[joint.index()]..self.first_of_joint[joint.index() + 1];
        let (before, after) = (0..own.start, own.end..self.boxes.len());
        own.chain(before).chain(after).map(|index| &self.boxes[index])
    }

    fn of_joint(&self, joint: JointIndex) -> &[PosedBox] {
        &self.boxes[self.first_of_joint[joint.index()]..self.first_of_joint[joint.index() + 1]]
    }

    /// Whether a box of the joint holds a point in model space.
    pub(crate) fn own_box_holds(&self, point: DVec3, joint: JointIndex) -> bool {
        self.of_joint(joint).iter().any(|one| one.holds(point))
    }

    /// No point of a triangle is farther than this from the nearest box of a joint, in model units; infinite where the joint
    /// has no box. Boxes are convex, so that the corners decide.
    pub(crate) fn apart(&self, corners: &[DVec3; 3], joint: JointIndex) -> f64 {
        let farthest = |one: &PosedBox| corners.iter().map(|&corner| one.distance(corner)).fold(0.0, f64::max);
        self.of_joint(joint).iter().map(farthest).fold(f64::INFINITY, f64::min)
    }

    /// Whether any box holds a point in model space.
    pub(crate) fn holds(&self, point: DVec3, owner: JointIndex) -> bool {
        self.own_first(owner).any(|one| one.holds(point))
    }

    /// The distance of a point from the nearest box, in model units; any number up to `enough` where the distance is no
    /// more than that. 0 where there is no box.
    pub(crate) fn distance(&self, point: DVec3, owner: JointIndex, enough: f64) -> f64 {
        let mut least = f64::INFINITY;
        for one in self.own_first(owner) {
            if (point - one.center).length() - one.radius < least {
                least = least.min(one.distance(point));
                if least <= enough {
                    break;
                }
            }
        }
        if least.is_finite() { least } else { 0.0 }
    }
}

/// The most model units that one unit along an axis of a joint's space spans.
pub(crate) fn longest_column(model_from_joint: &DMat3) -> f64 {
    let [x, y, z] = [model_from_joint.x_axis, model_from_joint.y_axis, model_from_joint.z_axis].map(DVec3::length);
    x.max(y).max(z)
}

impl PosedBox {
    fn new(one: &Hitbox, model_from_joint: &DAffine3, joint_from_model: &DAffine3, inside: f64) -> Self {
        let axes: DMat3 = portable::mat3_from_quaternion(one.orientation).as_dmat3();
        let rows = axes.transpose();
        let center = one.center.as_dvec3();
        let half_extents = one.half_extents.as_dvec3();
        let columns = model_from_joint.matrix3;
        let scale = longest_column(&columns);
        let least = columns.x_axis.length().min(columns.y_axis.length()).min(columns.z_axis.length());
        Self {
            box_from_model: DAffine3 {
                matrix3: rows * joint_from_model.matrix3,
                translation: rows * (joint_from_model.translation - center),
            },
            half_extents,
            tolerant: half_extents + DVec3::splat(inside / least),
            scale,
            center: model_from_joint.transform_point3(center),
            // Columns that are not at right angles stretch a diagonal by at most the square root of 3 times the longest.
            radius: half_extents.length() * scale * 1.733,
        }
    }

    fn holds(&self, point: DVec3) -> bool {
        let from_center = point - self.center;
        if from_center.length_squared() > self.radius * self.radius * 1.01 {
            return false;
        }
        self.box_from_model.transform_point3(point).abs().cmple(self.tolerant).all()
    }

    /// The distance of a point from the box, in model units: exact where the joint scales alike in all directions, else
    /// too large.
    fn distance(&self, point: DVec3) -> f64 {
        let local = self.box_from_model.transform_point3(point).abs();
        self.scale * (local - self.half_extents).max(DVec3::ZERO).length()
    }
}
