//! The places of a character's joints in lanes.

use crate::kernels::clip_lanes::{LocalBlock, fours_from_matrix, local_row};
use crate::kernels::layout::{Fours, LANES};
use crate::kernels::{self, Kernel};
use glam::Affine3A;
use skeleton::{JointIndex, LocalTransform, Skeleton};

/// The places of joints in lanes: place `p` is lane `p % 16` of block `p / 16`.
#[derive(Clone, Debug)]
pub(crate) struct JointPlaces {
    /// The joint at each place. Joints that own a box and all their ancestors come first, then the others. In each of
    /// the two parts, joints with fewer ancestors come first, so that a joint seldom comes right after its parent. Then
    /// a product of matrices seldom has to wait for the product before it.
    joints: Vec<JointIndex>,
    /// The parent of the joint at each place.
    parents: Vec<Option<JointIndex>>,
    /// The number of places that the joints of hitboxes and their ancestors take.
    needed: usize,
    /// The places of the joints whose transform is a matrix, each with this matrix.
    matrices: Vec<(usize, Fours)>,
    rest: Vec<LocalBlock>,
}

impl JointPlaces {
    pub(crate) fn new(skeleton: &Skeleton, needed: &[JointIndex]) -> Self {
        let mut is_needed = vec![false; skeleton.len()];
        needed.iter().for_each(|joint| is_needed[joint.index()] = true);
        let others = (0..skeleton.len()).filter(|&joint| !is_needed[joint]).map(|joint| JointIndex(joint as u16));
        let mut joints: Vec<JointIndex> = needed.iter().copied().chain(others).collect();
        let mut depths = vec![0u16; skeleton.len()];
        for joint in 0..skeleton.len() {
            let parent = skeleton.joint(JointIndex(joint as u16)).parent;
            depths[joint] = parent.map_or(0, |parent| depths[parent.index()] + 1);
        }
        let (of_boxes, others) = joints.split_at_mut(needed.len());
        of_boxes.sort_by_key(|joint| depths[joint.index()]);
        others.sort_by_key(|joint| depths[joint.index()]);
        let mut rest = vec![LocalBlock::IDENTITY; joints.len().div_ceil(LANES)];
        let mut matrices = Vec::new();
        for (place, &joint) in joints.iter().enumerate() {
            match &skeleton.joint(joint).rest {
                LocalTransform::Trs(_) => set_local(&mut rest, place, &skeleton.joint(joint).rest),
                LocalTransform::Matrix(matrix) => matrices.push((place, fours_from_matrix(matrix))),
            }
        }
        let parents = joints.iter().map(|&joint| skeleton.joint(joint).parent).collect();
        Self { joints, parents, needed: needed.len(), matrices, rest }
    }

    /// The joints of the first `count` places.
    pub(crate) fn joints(&self, count: usize) -> &[JointIndex] {
        &self.joints[..count]
    }

    /// The joints that no hitbox needs.
    pub(crate) fn others(&self) -> &[JointIndex] {
        &self.joints[self.needed..]
    }

    /// The rest pose.
    pub(crate) fn rest(&self) -> &[LocalBlock] {
        &self.rest
    }

    /// The number of places to sample: all places, or only those that hitboxes need.
    #[inline]
    pub(crate) fn count(&self, all: bool) -> usize {
        if all { self.joints.len() } else { self.needed }
    }

    /// The joints among the first `count` places whose transform is a matrix.
    pub(crate) fn matrices(&self, count: usize) -> impl Iterator<Item = &(usize, Fours)> + '_ {
        self.matrices.iter().take_while(move |(place, _)| *place < count)
    }

    /// Writes `model_from_joint` of the joints at the first `count` places. `local` has the matrix of each place. If `is_wanted` is
    /// not empty, the matrices of joints that it does not mark become NaN.
    pub(crate) fn model_from_joints(
        &self,
        kernel: Kernel,
        count: usize,
        is_wanted: &[bool],
        local: &[Fours],
        model_from_joint: &mut [Affine3A],
    ) {
        let joints = self.joints(count);
        kernels::model_matrices(kernel, joints, &self.parents[..count], local, model_from_joint);
        if !is_wanted.is_empty() {
            let others = joints.iter().filter(|joint| !is_wanted[joint.index()]);
            others.for_each(|joint| model_from_joint[joint.index()] = Affine3A::NAN);
        }
    }

    /// The place of each joint, by joint index.
    pub(super) fn place_of_joints(&self) -> Vec<usize> {
        let mut places = vec![0; self.joints.len()];
        self.joints.iter().enumerate().for_each(|(place, joint)| places[joint.index()] = place);
        places
    }
}

/// Sets the local pose at a place; does nothing for a matrix.
pub(super) fn set_local(blocks: &mut [LocalBlock], place: usize, local: &LocalTransform) {
    let LocalTransform::Trs(trs) = local else { return };
    let (block, lane) = (&mut blocks[place / LANES], place % LANES);
    block.set(local_row::ROTATION, lane, trs.rotation.to_array());
    block.set(local_row::TRANSLATION, lane, trs.translation.to_array());
    block.set(local_row::SCALE, lane, trs.scale.to_array());
}
