//! Samples a clip of a skeleton into a motion.

use super::channel::Channels;
use super::euler;
use super::motion::{BvhJoint, Motion};
use crate::retarget::{Affine, local_rotation};
use crate::rotation::{inverse, mul, rotate};
use glam::{DQuat, DVec3, Vec3};
use skeleton::{Clip, JointIndex, LocalTransform, Skeleton};

/// The reason why a clip cannot be sampled into a motion.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// The skeleton has no joints.
    #[error("the skeleton has no joints, but a BVH file needs at least one; choose a character with joints")]
    NoJoints,
    /// The frame rate is not above 0, or gives too many frames for the clip.
    #[error(
        "{frames_per_second} frames per second for a clip of {seconds} seconds is not possible; choose a rate above 0 that gives at most {} frames",
        Motion::MAX_FRAMES
    )]
    Frames {
        /// The frame rate, in frames per second.
        frames_per_second: f32,
        /// The clip's length, in seconds.
        seconds: f32,
    },
    /// A joint's position is not finite, or too large for the format.
    #[error("joint {joint:?} has a position that is not finite or too large in frame {frame}; correct the clip's keys")]
    NotFinite {
        /// The joint's name.
        joint: String,
        /// The frame, counted from 0.
        frame: usize,
    },
}

impl Motion {
    /// The largest number of frames that [`Motion::sample`] makes.
    pub const MAX_FRAMES: usize = 1 << 20;

    /// Samples a clip at a fixed rate, in frames per second. The first frame is at the clip's first key, and the last
    /// frame at the clip's last key or just before it.
    ///
    /// The motion has all joints of the skeleton. Their axes are those of model space, so if all angles are 0, the pose
    /// is the rest pose. Roots, and joints whose position relative to their parent changes, have position channels. BVH
    /// has no scales, so a scale only changes the positions of the joints below it.
    ///
    /// # Errors
    /// Returns [`SampleError`] if the skeleton is empty, the rate is not possible, or a position is not finite.
    ///
    /// # Panics
    /// Panics if the clip belongs to another skeleton.
    pub fn sample(skeleton: &Skeleton, clip: &Clip, frames_per_second: f32) -> Result<Self, SampleError> {
        if skeleton.is_empty() {
            return Err(SampleError::NoJoints);
        }
        let seconds = clip.seconds();
        // The small addition keeps the last frame if the length is a whole number of frames up to rounding.
        let last = f64::from(seconds) * f64::from(frames_per_second) + 1e-3;
        if !(frames_per_second > 0.0 && last < Self::MAX_FRAMES as f64) {
            return Err(SampleError::Frames { frames_per_second, seconds });
        }
        let seconds_per_frame = 1.0 / frames_per_second;
        let mut local = skeleton.rest_pose();
        let rest = Frame::of(skeleton, &local, None);
        let mut frames = Vec::with_capacity(last as usize + 1);
        for index in 0..=last as usize {
            clip.sample(clip.start() + index as f32 * seconds_per_frame, &mut local);
            let frame = Frame::of(skeleton, &local, Some(&rest));
            if let Some(joint) = frame.places.iter().position(|place| !place.as_vec3().is_finite()) {
                let joint = skeleton.joints()[joint].name.clone();
                return Err(SampleError::NotFinite { joint, frame: index });
            }
            frames.push(frame);
        }
        let order = depth_first(skeleton);
        let joints = joints(skeleton, &order, &rest, &frames);
        let mut values = Vec::new();
        for frame in &frames {
            for (&index, joint) in order.iter().zip(&joints) {
                if joint.channels.has_position() {
                    values.extend(frame.places[index].as_vec3().to_array());
                }
                values.extend(euler::to_zxy(frame.rotations[index]));
            }
        }
        let width = joints.iter().map(|joint| joint.channels.len()).sum();
        let declared_frame_count = frames.len() as u64;
        Ok(Self { joints, seconds_per_frame, values, width, declared_frame_count })
    }
}

/// One pose, relative to the directions of the rest pose.
struct Frame {
    /// For each joint, its rotation relative to its parent, both relative to the rest pose, in the axes of model space.
    rotations: Vec<DQuat>,
    /// For each joint, its position relative to its parent, in the parent's axes.
    places: Vec<DVec3>,
    /// For each joint, its rotation in model space.
    model_rotations: Vec<DQuat>,
}

impl Frame {
    /// Computes a frame. Without `rest`, the frame is the rest pose itself.
    fn of(skeleton: &Skeleton, local: &[LocalTransform], rest: Option<&Self>) -> Self {
        let count = skeleton.len();
        let mut model: Vec<Affine> = Vec::with_capacity(count);
        let mut frame = Self {
            rotations: Vec::with_capacity(count),
            places: Vec::with_capacity(count),
            model_rotations: Vec::with_capacity(count),
        };
        let mut from_rest: Vec<DQuat> = Vec::with_capacity(count);
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let parent = joint.parent.map(JointIndex::index);
            let above = parent.map_or(Affine::IDENTITY, |parent| model[parent]);
            model.push(above.mul(&Affine::from_local(&local[index])));
            let above = parent.map_or(DQuat::IDENTITY, |parent| frame.model_rotations[parent]);
            frame.model_rotations.push(mul(above, local_rotation(&local[index])));
            from_rest.push(match rest {
                Some(rest) => mul(frame.model_rotations[index], inverse(rest.model_rotations[index])),
                None => DQuat::IDENTITY,
            });
            let turned = parent.map_or(DQuat::IDENTITY, |parent| inverse(from_rest[parent]));
            let origin = parent.map_or(DVec3::ZERO, |parent| model[parent].translation);
            frame.rotations.push(mul(turned, from_rest[index]));
            frame.places.push(rotate(turned, model[index].translation - origin));
        }
        frame
    }
}

/// The joints in the order of a BVH file: each joint is followed by all joints below it.
fn depth_first(skeleton: &Skeleton) -> Vec<usize> {
    let mut children = vec![Vec::new(); skeleton.len()];
    let mut open = Vec::new();
    for (index, joint) in skeleton.joints().iter().enumerate().rev() {
        joint.parent.map_or(&mut open, |parent| &mut children[parent.index()]).push(index);
    }
    let mut order = Vec::with_capacity(skeleton.len());
    while let Some(joint) = open.pop() {
        order.push(joint);
        open.append(&mut children[joint]);
    }
    order
}

fn joints(skeleton: &Skeleton, order: &[usize], rest: &Frame, frames: &[Frame]) -> Vec<BvhJoint> {
    let size = rest.places.iter().fold(0.0_f64, |size, place| size.max(place.abs().max_element()));
    let moves = |joint: usize| {
        frames.iter().any(|frame| (frame.places[joint] - rest.places[joint]).abs().max_element() > 1e-6 * size)
    };
    let mut has_child = vec![false; skeleton.len()];
    skeleton.joints().iter().filter_map(|joint| joint.parent).for_each(|parent| has_child[parent.index()] = true);
    let mut place = vec![0; skeleton.len()];
    order.iter().enumerate().for_each(|(at, &index)| place[index] = at);
    let joint = |&index: &usize| {
        let joint = &skeleton.joints()[index];
        BvhJoint {
            name: joint.name.clone(),
            parent: joint.parent.map(|parent| place[parent.index()]),
            offset: rest.places[index].as_vec3(),
            channels: if joint.parent.is_none() || moves(index) { Channels::MOVING } else { Channels::TURNING },
            // Many programs do not draw a bone without an end.
            ends: if has_child[index] { Vec::new() } else { vec![Vec3::ZERO] },
        }
    };
    order.iter().map(joint).collect()
}
