//! A hierarchy of joints and their numbers, frame by frame.

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
    /// As in the file; not empty, but perhaps shared with other joints.
    pub name: String,
    /// Its parent's index among the joints; smaller than its own. `None` for a root.
    pub parent: Option<usize>,
    /// From the parent to the joint where all angles are 0, in the file's unit.
    pub offset: Vec3,
    /// The joint's numbers in a frame.
    pub channels: Channels,
    /// The ends of the bones that hang on the joint and lead to no other, in the file's unit.
    pub ends: Vec<Vec3>,
}

/// A recorded motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    pub(crate) joints: Vec<BvhJoint>,
    pub(crate) seconds_per_frame: f32,
    /// Frame after frame, `width` numbers each: joint after joint, channel after channel.
    pub(crate) values: Vec<f32>,
    pub(crate) width: usize,
    pub(crate) declared_frames: u64,
}

impl Motion {
    /// Joints, parents before children.
    #[must_use]
    pub fn joints(&self) -> &[BvhJoint] {
        &self.joints
    }

    /// From one frame to the next, in seconds; above 0.
    #[must_use]
    pub fn seconds_per_frame(&self) -> f32 {
        self.seconds_per_frame
    }

    /// How many whole frames there are.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.values.len() / self.width
    }

    /// How many frames the file's header says there are.
    #[must_use]
    pub fn declared_frames(&self) -> u64 {
        self.declared_frames
    }

    /// The numbers of a frame: joint after joint, channel after channel.
    ///
    /// # Panics
    /// Where there is no such frame.
    #[must_use]
    pub fn frame(&self, frame: usize) -> &[f32] {
        &self.values[frame * self.width..(frame + 1) * self.width]
    }

    /// The joints as a skeleton: offsets as rest translations, no rest rotations. Joints that share a name get `_2`, `_3`
    /// and so on behind it.
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
        // Parents come first, names are unique and offsets finite; the number of joints was checked.
        Skeleton::new(joints).unwrap_or_default()
    }

    /// The local transforms of a frame: `local[j]` is `parent_from_joint` of joint `j`.
    ///
    /// # Panics
    /// Where there is no such frame, or `local` has another number of entries than there are joints.
    pub fn pose(&self, frame: usize, local: &mut [LocalTransform]) {
        assert_eq!(local.len(), self.joints.len(), "one local transform per joint");
        let mut numbers = self.frame(frame);
        for (joint, local) in self.joints.iter().zip(local) {
            let (own, rest) = numbers.split_at(joint.channels.len());
            numbers = rest;
            *local = LocalTransform::Trs(joint.transform(own));
        }
    }

    /// The motion as a clip of [`Motion::skeleton`]; it starts at 0 s. `None` where there are no frames.
    #[must_use]
    pub fn clip(&self, name: &str) -> Option<Clip> {
        let times: Vec<f32> = (0..self.frames()).map(|frame| frame as f32 * self.seconds_per_frame).collect();
        let mut channels = Vec::new();
        let mut first = 0;
        for (index, joint) in self.joints.iter().enumerate() {
            let own = first..first + joint.channels.len();
            first = own.end;
            let frames = || (0..self.frames()).map(|frame| joint.transform(&self.frame(frame)[own.clone()]));
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
            if joint.channels.shift() {
                add(Property::Translation, frames().flat_map(|trs| trs.translation.to_array()).collect());
            }
            if joint.channels.turn() {
                add(Property::Rotation, frames().flat_map(|trs| trs.rotation.to_array()).collect());
            }
        }
        // Times that single precision no longer tells apart would be no timeline.
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
