//! `fit = "upright"`: boxes as artists place them.
//!
//! The box of a limb has an axis along the bone. The box of a foot has an axis along the model's up axis. Both may turn about
//! this axis, and the smallest box is taken. The box of a head, a neck or a part of the torso has an axis along up and another
//! across the plane of symmetry, so it cannot turn.
//!
//! Boxes live in joint space, whose scale may be uneven. A face is level in the rest pose if its normal in joint space is the
//! transposed matrix of the joint times up.

use crate::assign::groups::{Groups, JointGroup};
use crate::fit::extents::extents;
use crate::fit::orientation::{orientation, principal_axes_of_surface};
use crate::fit::stand::Stand;
use crate::options::{Fit, Objective};
use crate::parts::mirror::find_mirror;
use crate::resolve::JointOptions;
use crate::skin::bound_mesh::BoundMesh;
use glam::{DMat3, DVec3};
use hull::ConvexHull;
use skeleton::JointIndex;
use skeleton::humanoid::{HumanBone, Humanoid};

/// The axes that each joint with `fit = "upright"` gives its boxes; `None` for other joints.
#[derive(Default)]
pub(crate) struct Stands(Vec<Option<Stand>>);

/// A joint stands for a bone if it lies this close to it, as a share of the height.
const NEAR: f64 = 0.02;

/// Necks and torsos whose bones are within 37 degrees of vertical have vertical boxes. This is the cosine.
const NEARLY_VERTICAL: f64 = 0.8;

/// Skin is long if its extent along its first principal axis is this many times that along the second.
const LONG: f64 = 1.25;

/// The bones of the middle, from below to above.
const TRUNK: [HumanBone; 6] =
    [HumanBone::Hips, HumanBone::Spine, HumanBone::Chest, HumanBone::UpperChest, HumanBone::Neck, HumanBone::Head];

/// The bones of each limb, from the trunk outward.
const LIMBS: [&[HumanBone]; 4] = [
    &[
        HumanBone::LeftShoulder,
        HumanBone::LeftUpperArm,
        HumanBone::LeftLowerArm,
        HumanBone::LeftHand,
        HumanBone::LeftMiddleProximal,
    ],
    &[
        HumanBone::RightShoulder,
        HumanBone::RightUpperArm,
        HumanBone::RightLowerArm,
        HumanBone::RightHand,
        HumanBone::RightMiddleProximal,
    ],
    &[HumanBone::LeftUpperLeg, HumanBone::LeftLowerLeg, HumanBone::LeftFoot],
    &[HumanBone::RightUpperLeg, HumanBone::RightLowerLeg, HumanBone::RightFoot],
];

/// The bones that stand on the floor.
const FEET: [HumanBone; 4] = [HumanBone::LeftFoot, HumanBone::LeftToes, HumanBone::RightFoot, HumanBone::RightToes];

impl Stands {
    /// Decides how the boxes of groups stand in the rest pose.
    pub(crate) fn new(
        mesh: &BoundMesh<'_>,
        groups: &Groups,
        humanoid: Option<&Humanoid>,
        options: &JointOptions<'_>,
    ) -> Self {
        let is_upright = |group: &&JointGroup| options.get(group.joint).fit == Fit::Upright;
        let mut stands = vec![None; mesh.skeleton.len()];
        if !groups.groups.iter().any(|group| is_upright(&group)) {
            return Self(stands);
        }
        let figure = Figure::new(mesh, groups, humanoid);
        for group in groups.groups.iter().filter(is_upright) {
            stands[group.joint.index()] = Some(figure.stand(group));
        }
        Self(stands)
    }

    pub(crate) fn get(&self, joint: JointIndex) -> Option<&Stand> {
        self.0.get(joint.index())?.as_ref()
    }

    /// Returns the axes of [`orientation`] for a joint.
    pub(crate) fn axes(
        &self,
        joint: JointIndex,
        (fit, objective): (Fit, Objective),
        hull: &ConvexHull,
        points: &[DVec3],
    ) -> DMat3 {
        match self.get(joint).filter(|_| fit == Fit::Upright) {
            Some(stand) => stand.axes(objective, hull),
            None => orientation(fit, objective, hull, points),
        }
    }
}

/// A character in the rest pose.
struct Figure<'a> {
    mesh: &'a BoundMesh<'a>,
    /// For each joint, the joint whose hitboxes hold its skin.
    holders: &'a [JointIndex],
    /// `true` for each joint with a group.
    has_group: Vec<bool>,
    /// The bone that each joint belongs to, and the humanoid.
    humanoid: Option<(Vec<Option<HumanBone>>, &'a Humanoid)>,
    /// The horizontal unit vector across the plane of symmetry, in model space.
    sideways: Option<DVec3>,
}

impl<'a> Figure<'a> {
    fn new(mesh: &'a BoundMesh<'a>, groups: &'a Groups, humanoid: Option<&'a Humanoid>) -> Self {
        let mut has_group = vec![false; mesh.skeleton.len()];
        groups.groups.iter().for_each(|group| has_group[group.joint.index()] = true);
        let mut figure = Self {
            mesh,
            holders: &groups.holders,
            has_group,
            humanoid: humanoid.map(|humanoid| (humanoid.bones_of_joints(mesh.skeleton), humanoid)),
            sideways: find_mirror(mesh.skeleton, &mesh.model_from_joint, mesh.height, &mesh.all_joints())
                .map(|mirror| mirror.normal())
                .filter(|normal| normal.y == 0.0),
        };
        if figure.sideways.is_none() {
            let [left, right] =
                [HumanBone::LeftUpperLeg, HumanBone::RightUpperLeg].map(|bone| Some(figure.place(figure.joint(bone)?)));
            figure.sideways = left.zip(right).and_then(|(a, b)| (a - b).with_y(0.0).try_normalize());
        }
        figure
    }

    /// The joint of a bone.
    fn joint(&self, bone: HumanBone) -> Option<JointIndex> {
        self.humanoid.as_ref()?.1.joint(bone)
    }

    /// The place of a joint in model space.
    fn place(&self, joint: JointIndex) -> DVec3 {
        self.mesh.model_from_joint[joint.index()].translation
    }

    fn stand(&self, group: &JointGroup) -> Stand {
        let bone = self.humanoid.as_ref().and_then(|(bones, _)| bones[group.joint.index()]);
        let of_bone = bone.and_then(|bone| self.stand_of_bone(group.joint, bone));
        of_bone.unwrap_or_else(|| Stand::About(self.axis_by_hierarchy(group)))
    }

    /// Decides for a bone's joint, or for a joint beside it. Returns `None` for joints whose axis does not follow from the
    /// bone, such as hair on the head.
    fn stand_of_bone(&self, joint: JointIndex, bone: HumanBone) -> Option<Stand> {
        let (own, near) = (self.place(self.joint(bone)?), NEAR * self.mesh.height);
        let next_in = |chain: &[HumanBone]| {
            let after = chain.iter().skip_while(|&&one| one != bone).skip(1).filter_map(|&next| self.joint(next));
            let after: Vec<JointIndex> = after.collect();
            // The bone ends at the next part. If the part holds all bones below, it ends at the last of them.
            let next = after.iter().find(|next| self.holders[next.index()] != joint).or(after.last())?;
            Some(self.place(*next))
        };
        if let Some(limb) = LIMBS.into_iter().find(|limb| limb.contains(&bone) && limb.last() != Some(&bone)) {
            let end = next_in(limb)?;
            let along = (end - own).try_normalize()?;
            let from_start = self.place(joint) - own;
            let on_bone = along * from_start.dot(along).clamp(0.0, end.distance(own));
            return (from_start.distance(on_bone) <= near).then(|| Stand::About(self.along(joint, along)));
        }
        if self.place(joint).distance(own) > near {
            return None;
        }
        if FEET.contains(&bone) {
            return Some(Stand::About(self.across(joint, DVec3::Y)));
        }
        if !TRUNK.contains(&bone) {
            return None;
        }
        let along = next_in(&TRUNK).and_then(|next| (next - own).try_normalize());
        let leaning = along.filter(|along| along.y.abs() < NEARLY_VERTICAL);
        let Some(across) = self.sideways else {
            return Some(Stand::About(self.across(joint, leaning.unwrap_or(DVec3::Y))));
        };
        let up = leaning.and_then(|along| along.reject_from_normalized(across).try_normalize()).unwrap_or(DVec3::Y);
        let stand = || {
            let y = self.normal(joint, up)?;
            let x = self.normal(joint, across)?.reject_from_normalized(y).try_normalize()?;
            Some(Stand::Fixed(DMat3::from_cols(x, y, x.cross(y))))
        };
        Some(stand().unwrap_or_else(|| Stand::About(self.across(joint, up))))
    }

    /// The axis in joint space of a box that lies along a direction of model space.
    fn along(&self, joint: JointIndex, in_model: DVec3) -> DVec3 {
        let linear = self.mesh.model_from_joint[joint.index()].matrix3;
        let axis = (linear.inverse() * in_model).try_normalize().filter(|axis| axis.is_finite());
        axis.unwrap_or_else(|| self.across(joint, in_model))
    }

    /// The axis in joint space of a box whose faces are perpendicular to a direction of model space.
    fn across(&self, joint: JointIndex, in_model: DVec3) -> DVec3 {
        self.normal(joint, in_model).unwrap_or(DVec3::Y)
    }

    /// The unit normal in joint space of the faces that have this normal in model space; `None` if the joint is flat.
    fn normal(&self, joint: JointIndex, in_model: DVec3) -> Option<DVec3> {
        let linear = self.mesh.model_from_joint[joint.index()].matrix3;
        (linear.transpose() * in_model).try_normalize().filter(|normal| normal.is_finite())
    }

    /// The axis of a joint without a bone, in joint space: to the only joint below with skin. If there is none or several, the
    /// long axis of the skin; if the skin is not long, the direction from the joint above.
    fn axis_by_hierarchy(&self, group: &JointGroup) -> DVec3 {
        let joint = group.joint;
        let towards = |from: DVec3, to: DVec3| (to - from).try_normalize();
        let next = self.only_joint_below(joint).and_then(|next| towards(self.place(joint), self.place(next)));
        if let Some(next) = next {
            return self.along(joint, next);
        }
        if let Ok(hull) = ConvexHull::from_points(&group.patch.bind_points()) {
            let axes = principal_axes_of_surface(&hull);
            let long = extents(&axes, hull.vertices());
            if long.x > 0.0 && long.x >= LONG * long.y.max(long.z) {
                return axes.x_axis;
            }
        }
        let above = self.mesh.skeleton.joint(joint).parent;
        let from_above = above.and_then(|above| towards(self.place(above), self.place(joint)));
        self.along(joint, from_above.unwrap_or(DVec3::Y))
    }

    /// The joint with a group whose nearest joint above with a group is this joint; `None` if there are several.
    fn only_joint_below(&self, joint: JointIndex) -> Option<JointIndex> {
        let skeleton = self.mesh.skeleton;
        let above = |one: JointIndex| {
            std::iter::successors(skeleton.joint(one).parent, |&above| skeleton.joint(above).parent)
                .find(|above| self.has_group[above.index()])
        };
        let all = (0..skeleton.len()).map(|index| JointIndex(index as u16));
        let mut below = all.filter(|&one| self.has_group[one.index()] && above(one) == Some(joint));
        below.next().filter(|_| below.next().is_none())
    }
}
