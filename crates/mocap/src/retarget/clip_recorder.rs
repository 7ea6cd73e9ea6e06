//! Records local transforms frame by frame and makes a clip of them.

use skeleton::{Channel, Clip, Interpolation, JointIndex, LocalTransform, Property, Skeleton, Trs};

/// Records poses of one skeleton and makes a clip of them.
#[derive(Clone, Debug)]
pub struct ClipRecorder<'a> {
    skeleton: &'a Skeleton,
    /// All frames, one after the other; each has one transform per joint.
    frames: Vec<LocalTransform>,
}

impl<'a> ClipRecorder<'a> {
    /// Makes a recorder without frames.
    #[must_use]
    pub fn new(skeleton: &'a Skeleton) -> Self {
        Self { skeleton, frames: Vec::new() }
    }

    /// Adds a frame: `local[j]` is `parent_from_joint` of joint `j`.
    ///
    /// # Panics
    /// Panics if the length of `local` differs from the number of joints in the skeleton.
    pub fn push(&mut self, local: &[LocalTransform]) {
        assert_eq!(local.len(), self.skeleton.len(), "one local transform per joint");
        self.frames.extend_from_slice(local);
    }

    /// Makes the clip. It starts at 0 seconds and has one key for each frame, with linear interpolation. Properties
    /// that keep their rest value in all frames have no channel. Joints whose rest transform is a matrix have no
    /// channel either, because clips do not move such joints.
    ///
    /// Returns `None` if there are no frames, or if the times of two frames are equal in single precision.
    /// `seconds_per_frame` is the time from one frame to the next.
    #[must_use]
    pub fn finish(self, name: &str, seconds_per_frame: f32) -> Option<Clip> {
        let count = self.frames.len().checked_div(self.skeleton.len())?;
        let times: Vec<f32> = (0..count).map(|frame| frame as f32 * seconds_per_frame).collect();
        if times.is_empty() || !times.windows(2).all(|pair| pair[0] < pair[1]) {
            return None;
        }
        let mut channels = Vec::new();
        for (index, joint) in self.skeleton.joints().iter().enumerate() {
            let LocalTransform::Trs(rest) = joint.rest else { continue };
            let frames = || self.frames.iter().skip(index).step_by(self.skeleton.len()).map(|local| trs(local, &rest));
            for property in [Property::Translation, Property::Rotation, Property::Scale] {
                let at_rest = numbers(&rest, property);
                if frames().all(|frame| numbers(&frame, property) == at_rest) {
                    continue;
                }
                let width = property.width();
                let values = frames().flat_map(|frame| numbers(&frame, property).into_iter().take(width)).collect();
                let joint = JointIndex(index as u16);
                channels.push(Channel { joint, property, interpolation: Interpolation::Linear, timeline: 0, values });
            }
        }
        Some(Clip { name: name.to_owned(), timelines: vec![times], channels })
    }
}

fn trs(local: &LocalTransform, rest: &Trs) -> Trs {
    match local {
        LocalTransform::Trs(trs) => *trs,
        LocalTransform::Matrix(_) => *rest,
    }
}

/// The floats of a property; a property of three floats gets 0 as the fourth.
fn numbers(trs: &Trs, property: Property) -> [f32; 4] {
    match property {
        Property::Translation => trs.translation.extend(0.0).to_array(),
        Property::Rotation => trs.rotation.to_array(),
        Property::Scale => trs.scale.extend(0.0).to_array(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};
    use skeleton::Joint;

    #[test]
    fn each_property_that_moves_becomes_a_channel() {
        let joint = |name: &str| Joint { name: name.into(), ..Joint::default() };
        let matrix = LocalTransform::Matrix(glam::Affine3A::IDENTITY);
        let skeleton =
            Skeleton::new(vec![joint("still"), joint("moves"), Joint { rest: matrix, ..joint("matrix") }]).unwrap();
        let mut local = skeleton.rest_pose();
        let mut recorder = ClipRecorder::new(&skeleton);
        assert_eq!(recorder.clone().finish("none", 0.5), None);
        recorder.push(&local);
        local[1] =
            LocalTransform::Trs(Trs { translation: Vec3::Y, rotation: Quat::from_rotation_x(1.0), ..Trs::IDENTITY });
        recorder.push(&local);
        assert_eq!(recorder.clone().finish("at once", 0.0), None);
        let clip = recorder.finish("rise", 0.5).unwrap();
        clip.validate(&skeleton).unwrap();
        let moved: Vec<_> = clip.channels.iter().map(|channel| (channel.joint.index(), channel.property)).collect();
        assert_eq!(moved, [(1, Property::Translation), (1, Property::Rotation)]);
        let mut sampled = skeleton.rest_pose();
        clip.sample(0.5, &mut sampled);
        assert_eq!((clip.seconds(), &sampled), (0.5, &local));
    }
}
