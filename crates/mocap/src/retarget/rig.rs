//! A skeleton as the source or the target of poses.

use super::human_pose::{HipsMotion, HumanPose};
use super::reference::{Reference, ReferencePose, RigError};
use super::transforms::{Affine, local_rotation, set_local, to_trs};
use super::twist::TwistJoint;
use crate::rotation::{inverse, mul, rotate, to_quat};
use crate::{HumanBone, Humanoid};
use glam::{DQuat, DVec3, Vec3};
use skeleton::{JointIndex, LocalTransform, Skeleton, Trs};

/// A prepared skeleton: [`Rig::human_pose_from_local`] converts its joints to a [`HumanPose`], and
/// [`Rig::local_from_human_pose`] does the reverse.
///
/// Let `W` be the rotation of a bone in humanoid space, and `L` its rotation relative to its parent, both in the
/// reference pose. The first function computes the normalized rotation `N = W * L^-1 * pose * W^-1`, and the second
/// function computes `pose = L * W^-1 * N * W` (VRM 1.0). Both functions compute rotations in humanoid space first, so
/// that joints between two bones are handled correctly.
#[derive(Clone, Debug)]
pub struct Rig {
    joints: Vec<Node>,
    /// For each bone, the index of its node in `joints`; `None` for bones without a joint.
    bones: [Option<u16>; HumanBone::COUNT],
    /// The number of joints in the skeleton.
    joint_count: usize,
    humanoid_from_model: DQuat,
    references: [DQuat; HumanBone::COUNT],
    positions: [DVec3; HumanBone::COUNT],
    hip_height: f64,
    twists: Vec<TwistJoint>,
    // The fields below have one entry for each of `joints`. They are kept so that a pose allocates no memory.
    rotations: Vec<DQuat>,
    affines: Vec<Affine>,
}

/// A joint that the rig needs: a bone, a twist joint, or a joint above one of these.
#[derive(Clone, Debug)]
struct Node {
    joint: usize,
    /// The index of the parent's node in the same list.
    parent: Option<usize>,
    role: Role,
    /// `true` if the rig computes the matrix of this joint, because a joint below it gets a position in model space.
    is_measured: bool,
    /// The rest transform as translation, rotation and scale. It replaces a matrix when a pose is written.
    apart: Trs,
}

#[derive(Clone, Copy, Debug)]
enum Role {
    /// The joint keeps its own rotation.
    Between,
    /// The joint takes the rotation of a bone.
    Bone(HumanBone),
    /// The joint takes the rotation and the position of a bone. This applies to the hips, and to joints that are not
    /// below their parent bone's joint.
    PlacedBone(HumanBone),
    /// The joint takes a share of a twist, an index into [`Rig::twists`].
    Twist(usize),
}

impl Rig {
    /// Prepares a skeleton. [`ReferencePose::default_for`] chooses the right reference pose.
    ///
    /// # Errors
    /// Returns [`RigError`] if the humanoid belongs to another skeleton, the rest pose shows no left or up, or a rest
    /// transform mirrors its children.
    pub fn new(skeleton: &Skeleton, humanoid: &Humanoid, pose: ReferencePose) -> Result<Self, RigError> {
        let reference = Reference::new(skeleton, humanoid, pose)?;
        let twists = TwistJoint::find_all(skeleton, humanoid, &reference);
        let mut is_needed = vec![false; skeleton.len()];
        let needed = humanoid.iter().map(|(_, joint)| joint.index()).chain(twists.iter().map(|twist| twist.joint));
        for start in needed {
            let mut at = Some(start);
            while let Some(joint) = at.filter(|&joint| !is_needed[joint]) {
                is_needed[joint] = true;
                at = skeleton.joints()[joint].parent.map(JointIndex::index);
            }
        }
        let mut place = vec![None; skeleton.len()];
        let mut joints: Vec<Node> = Vec::new();
        let mut bones = [None; HumanBone::COUNT];
        for joint in (0..skeleton.len()).filter(|&joint| is_needed[joint]) {
            let one = &skeleton.joints()[joint];
            let role = match humanoid.bone(JointIndex(joint as u16)) {
                Some(bone) if hangs_below_parent_bone(skeleton, humanoid, bone) => Role::Bone(bone),
                Some(bone) => Role::PlacedBone(bone),
                None => twists.iter().position(|twist| twist.joint == joint).map_or(Role::Between, Role::Twist),
            };
            if let Role::Bone(bone) | Role::PlacedBone(bone) = role {
                bones[bone.index()] = Some(joints.len() as u16);
            }
            place[joint] = Some(joints.len());
            let parent = one.parent.and_then(|parent| place[parent.index()]);
            joints.push(Node { joint, parent, role, is_measured: false, apart: to_trs(&one.rest) });
        }
        for index in (0..joints.len()).rev() {
            let is_placed = matches!(joints[index].role, Role::PlacedBone(_));
            if let Some(parent) = joints[index].parent.filter(|_| is_placed || joints[index].is_measured) {
                joints[parent].is_measured = true;
            }
        }
        let count = joints.len();
        Ok(Self {
            joints,
            bones,
            joint_count: skeleton.len(),
            humanoid_from_model: reference.humanoid_from_model,
            references: reference.rotations,
            positions: reference.positions,
            hip_height: reference.hip_height,
            twists,
            rotations: vec![DQuat::IDENTITY; count],
            affines: vec![Affine::IDENTITY; count],
        })
    }

    /// The height of the hips above the ankles in the reference pose, in the model's unit; above 0.
    #[must_use]
    pub fn hip_height(&self) -> f64 {
        self.hip_height
    }

    /// Returns true if the skeleton has a joint for the bone.
    #[must_use]
    pub fn has_bone(&self, bone: HumanBone) -> bool {
        self.bones[bone.index()].is_some()
    }

    /// The position of a bone in the reference pose, in humanoid space, in the model's unit. For a bone without a
    /// joint, the position of the nearest bone above it.
    #[must_use]
    pub fn reference_position(&self, bone: HumanBone) -> DVec3 {
        self.positions[bone.index()]
    }

    /// Computes the pose of the standard bones from local transforms of the skeleton, and writes it to `pose`.
    ///
    /// `local[j]` is `parent_from_joint` of joint `j`.
    ///
    /// # Panics
    /// Panics if the length of `local` differs from the number of joints in the skeleton.
    pub fn human_pose_from_local(&mut self, local: &[LocalTransform], pose: &mut HumanPose) {
        assert_eq!(local.len(), self.joint_count, "one local transform per joint");
        *pose = HumanPose::T_POSE;
        for index in 0..self.joints.len() {
            let node = &self.joints[index];
            let own = local_rotation(&local[node.joint]);
            self.rotations[index] = mul(self.rotation_above(node), own);
            if node.is_measured {
                self.affines[index] = self.affine_above(node).mul(&Affine::from_local(&local[node.joint]));
            }
        }
        let mut from_reference = [DQuat::IDENTITY; HumanBone::COUNT];
        for bone in HumanBone::ALL {
            let above = bone.parent().map_or(DQuat::IDENTITY, |parent| from_reference[parent.index()]);
            from_reference[bone.index()] = above;
            if let Some(place) = self.bones[bone.index()] {
                let now = mul(self.rotations[usize::from(place)], inverse(self.references[bone.index()]));
                from_reference[bone.index()] = now;
                pose.set_rotation(bone, mul(inverse(above), now));
            }
        }
        if let Some(place) = self.bones[HumanBone::Hips.index()] {
            let node = &self.joints[usize::from(place)];
            let position = self.affine_above(node).point(Affine::from_local(&local[node.joint]).translation);
            pose.set_hips_motion(Some(HipsMotion { position, hip_height: Some(self.hip_height) }));
        }
    }

    /// Computes local transforms of the skeleton from a pose of the standard bones, and writes them to `local`.
    ///
    /// The function overwrites the rotations of the humanoid's joints and of twist joints, and the translations of the
    /// hips and of joints that are not below their parent bone. All other transforms in `local` stay unchanged, so
    /// start with [`Skeleton::rest_pose`]. The position of the hips is scaled by the ratio of the hip heights. If the
    /// skeleton lacks a bone, the children of the bone get its rotation too.
    ///
    /// # Panics
    /// Panics if the length of `local` differs from the number of joints in the skeleton.
    pub fn local_from_human_pose(&mut self, pose: &HumanPose, local: &mut [LocalTransform]) {
        assert_eq!(local.len(), self.joint_count, "one local transform per joint");
        let from_reference = pose.rotations_from_reference();
        let places = self.places(pose, &from_reference);
        for index in 0..self.joints.len() {
            let node = &self.joints[index];
            let above = self.rotation_above(node);
            let target = match node.role {
                Role::Between => None,
                Role::Bone(bone) | Role::PlacedBone(bone) => {
                    Some(mul(from_reference[bone.index()], self.references[bone.index()]))
                }
                Role::Twist(twist) => Some(self.twists[twist].rotation(pose, &from_reference)),
            };
            if let Some(target) = target {
                let translation = match node.role {
                    Role::PlacedBone(bone) => self.affine_above(node).inverse_point(places[bone.index()]),
                    _ => None,
                };
                let translation = translation.map(|place| place.as_vec3()).filter(|place| Vec3::is_finite(*place));
                set_local(&mut local[node.joint], &node.apart, to_quat(mul(inverse(above), target)), translation);
            }
            self.rotations[index] = target.unwrap_or_else(|| mul(above, local_rotation(&local[node.joint])));
            if node.is_measured {
                self.affines[index] = self.affine_above(node).mul(&Affine::from_local(&local[node.joint]));
            }
        }
    }

    /// The positions of the bones in humanoid space, computed from the bone lengths of the reference pose.
    fn places(&self, pose: &HumanPose, from_reference: &[DQuat; HumanBone::COUNT]) -> [DVec3; HumanBone::COUNT] {
        let mut places = self.positions;
        if let Some(hips) = pose.hips_motion() {
            let scale = hips.hip_height.map_or(1.0, |height| self.hip_height / height);
            places[0] = hips.position * scale;
        }
        for bone in HumanBone::ALL {
            if let Some(parent) = bone.parent().map(HumanBone::index) {
                let offset = self.positions[bone.index()] - self.positions[parent];
                places[bone.index()] = places[parent] + rotate(from_reference[parent], offset);
            }
        }
        places
    }

    fn rotation_above(&self, node: &Node) -> DQuat {
        node.parent.map_or(self.humanoid_from_model, |parent| self.rotations[parent])
    }

    fn affine_above(&self, node: &Node) -> Affine {
        node.parent.map_or(Affine::from_rotation(self.humanoid_from_model), |parent| self.affines[parent])
    }
}

/// Returns true if the bone's joint is below the joint of the nearest bone above it, so that it moves with that joint.
fn hangs_below_parent_bone(skeleton: &Skeleton, humanoid: &Humanoid, bone: HumanBone) -> bool {
    let mut above = bone.parent();
    while let Some(parent) = above.filter(|&parent| humanoid.joint(parent).is_none()) {
        above = parent.parent();
    }
    let wanted = above.and_then(|bone| humanoid.joint(bone));
    let mut at = humanoid.joint(bone);
    while let Some(joint) = at.and_then(|joint| skeleton.joint(joint).parent) {
        if Some(joint) == wanted {
            return true;
        }
        at = Some(joint);
    }
    false
}
