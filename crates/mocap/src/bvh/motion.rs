//! A hierarchy of joints, and their numbers frame by frame.

use super::channel::Channels;
use super::euler;
use crate::rotation::to_quat;
use glam::Vec3;
use skeleton::{
    Channel as ClipChannel, Clip, Interpolation, Joint, JointIndex, LocalTransform, NodeIndex, Property, Skeleton, Trs,
};
use std::collections::HashSet;

/// A joint of a BVH file.
#[derive(Clone, Debug, PartialEq)]
pub struct BvhJoint {
    /// The name as in the file. It is not empty, but several joints may have the same name.
    pub name: String,
    /// The parent joint, an index into [`Motion::joints`] that is smaller than the index of this joint; `None` for a
    /// root.
    pub parent: Option<usize>,
    /// The vector from the parent to the joint when all angles are 0, in the file's unit.
    pub offset: Vec3,
    /// The meaning of the joint's numbers in a frame.
    pub channels: Channels,
    /// The end points of bones that start at the joint and lead to no other joint, relative to the joint, in the file's
    /// unit.
    pub ends: Vec<Vec3>,
}

/// A recorded motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    pub(crate) joints: Vec<BvhJoint>,
    pub(crate) seconds_per_frame: f32,
    /// The numbers of all frames, `width` for each frame: joint after joint, channel after channel.
    pub(crate) values: Vec<f32>,
    pub(crate) width: usize,
    pub(crate) declared_frame_count: u64,
}

impl Motion {
    /// The joints, parents before children.
    #[must_use]
    pub fn joints(&self) -> &[BvhJoint] {
        &self.joints
    }

    /// The time from one frame to the next, in seconds; above 0.
    #[must_use]
    pub fn seconds_per_frame(&self) -> f32 {
        self.seconds_per_frame
    }

    /// The number of complete frames.
    #[must_use]
    pub fn frame_count(&self) -> usize {
        self.values.len() / self.width
    }

    /// The number of frames that the file's header declares.
    #[must_use]
    pub fn declared_frame_count(&self) -> u64 {
        self.declared_frame_count
    }

    /// The numbers of one frame: joint after joint, channel after channel.
    ///
    /// # Panics
    /// Panics if `frame` is not below [`Motion::frame_count`].
    #[must_use]
    pub fn frame(&self, frame: usize) -> &[f32] {
        &self.values[frame * self.width..(frame + 1) * self.width]
    }

    /// The joints as a skeleton, with offsets as rest translations and without rest rotations. If several joints have
    /// the same name, the later ones get the suffix `_2`, `_3` and so on.
    #[must_use]
    pub fn skeleton(&self) -> Skeleton {
        let names = unique_names(&self.joints);
        let joint = |(index, (joint, name)): (usize, (&BvhJoint, String))| Joint {
            name,
            node: NodeIndex(index as u32),
            parent: joint.parent.map(|parent| JointIndex(parent as u16)),
            rest: LocalTransform::Trs(Trs { translation: joint.offset, ..Trs::IDENTITY }),
            skinned: true,
        };
        let joints = self.joints.iter().zip(names).enumerate().map(joint).collect();
        // This cannot fail: parents come first, names are unique, offsets are finite, and the number of joints was
        // checked.
        Skeleton::new(joints).unwrap_or_default()
    }

    /// Computes the local transforms of a frame: `local[j]` is `parent_from_joint` of joint `j`.
    ///
    /// # Panics
    /// Panics if `frame` is not below [`Motion::frame_count`], or the length of `local` differs from the number of joints.
    pub fn pose(&self, frame: usize, local: &mut [LocalTransform]) {
        assert_eq!(local.len(), self.joints.len(), "one local transform per joint");
        let mut numbers = self.frame(frame);
        for (joint, local) in self.joints.iter().zip(local) {
            let (own, rest) = numbers.split_at(joint.channels.len());
            numbers = rest;
            *local = LocalTransform::Trs(joint.transform(own));
        }
    }

    /// The motion as a clip of [`Motion::skeleton`] that starts at 0 seconds. `None` if there are no frames, or if the
    /// times of two frames are equal in single precision.
    #[must_use]
    pub fn clip(&self, name: &str) -> Option<Clip> {
        let times: Vec<f32> = (0..self.frame_count()).map(|frame| frame as f32 * self.seconds_per_frame).collect();
        let mut channels = Vec::new();
        let mut first = 0;
        for (index, joint) in self.joints.iter().enumerate() {
            let own = first..first + joint.channels.len();
            first = own.end;
            let frames = || (0..self.frame_count()).map(|frame| joint.transform(&self.frame(frame)[own.clone()]));
            let mut add = |property, values: Vec<f32>| {
                let joint = JointIndex(index as u16);
                channels.push(ClipChannel {
                    joint,
                    property,
                    interpolation: Interpolation::Linear,
                    timeline: 0,
                    values,
                });
            };
            if joint.channels.has_position() {
                add(Property::Translation, frames().flat_map(|trs| trs.translation.to_array()).collect());
            }
            if joint.channels.has_rotation() {
                add(Property::Rotation, frames().flat_map(|trs| trs.rotation.to_array()).collect());
            }
        }
        // Times that are equal in single precision do not form a valid timeline.
        let is_increasing = times.windows(2).all(|pair| pair[0] < pair[1]);
        (is_increasing && !times.is_empty()).then(|| Clip { name: name.to_owned(), timelines: vec![times], channels })
    }
}

impl BvhJoint {
    fn transform(&self, numbers: &[f32]) -> Trs {
        let numbers = || self.channels.iter().zip(numbers.iter().copied());
        let mut translation = self.offset;
        for (channel, number) in numbers().filter(|(channel, _)| !channel.is_rotation()) {
            translation[channel.axis()] = number;
        }
        Trs { translation, rotation: to_quat(euler::to_rotation(numbers())), ..Trs::IDENTITY }
    }
}

fn unique_names(joints: &[BvhJoint]) -> Vec<String> {
    let original: HashSet<&str> = joints.iter().map(|joint| joint.name.as_str()).collect();
    let mut taken: HashSet<String> = HashSet::with_capacity(joints.len());
    let mut next_number = std::collections::HashMap::new();
    let mut names = Vec::with_capacity(joints.len());
    for joint in joints {
        let mut unique = joint.name.clone();
        while taken.contains(&unique) || unique != joint.name && original.contains(unique.as_str()) {
            let number = next_number.entry(joint.name.as_str()).or_insert(1_u32);
            *number += 1;
            unique = format!("{}_{number}", joint.name);
        }
        taken.insert(unique.clone());
        names.push(unique);
    }
    names
}
