//! The meetings of the corpus in poses that no clip has: half-way between two clips, and with all joints turned.

use crate::truth::Meeting;
use glam::{Affine3A, Quat, Vec3};
use runtime::{Character, ClipIndex, ClipSampler, PoseLayer, SampleJoints};
use skeleton::LocalTransform;
use test_models::Random;

/// Poses that no clip has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OtherPoses {
    /// Half-way between two times of the character's own clips.
    HalfwayBlends,
    /// The rest pose with every joint turned about a random axis, by at most this angle in degrees.
    Turns(f32),
}

impl OtherPoses {
    /// Returns the same meetings with both characters in other poses. Each call returns the same poses. The list is
    /// empty if the character has no clips to blend.
    ///
    /// # Panics
    /// If a clip cannot be sampled, which cannot happen for a clip that was just baked.
    #[must_use]
    pub fn meetings(self, character: &Character, meetings: &[Meeting]) -> Vec<Meeting> {
        if self == Self::HalfwayBlends && character.clips().is_empty() {
            return Vec::new();
        }
        let (mut random, mut sampler) = (Random::new(7), ClipSampler::new());
        sampler.set_joints(SampleJoints::All);
        let mut pose = || match self {
            Self::HalfwayBlends => {
                let layers = [1.0, 0.5].map(|weight| {
                    let clip = (random.share_f64() * character.clips().len() as f64) as usize;
                    let seconds = character.clips()[clip].seconds() * random.share_f64() as f32;
                    PoseLayer::blend(ClipIndex(clip as u32), seconds, weight)
                });
                sampler.sample_layers(character, &layers).expect("a pose").to_vec()
            }
            Self::Turns(degrees) => turned(character, degrees, &mut random),
        };
        meetings.iter().map(|meeting| Meeting { poses: [pose(), pose()], place: meeting.place }).collect()
    }
}

fn turned(character: &Character, degrees: f32, random: &mut Random) -> Vec<Affine3A> {
    let mut local = character.skeleton().rest_pose();
    for joint in &mut local {
        if let LocalTransform::Trs(trs) = joint {
            let axis = Vec3::from_array([0; 3].map(|_| random.share_f64() as f32 - 0.5));
            let angle = degrees.to_radians() * (2.0 * random.share_f64() as f32 - 1.0);
            #[allow(clippy::disallowed_methods, reason = "a random turn: its last bits do not matter")]
            let turn = Quat::from_axis_angle(axis.try_normalize().unwrap_or(Vec3::Y), angle);
            trs.rotation = (trs.rotation * turn).normalize();
        }
    }
    let mut matrices = vec![Affine3A::IDENTITY; local.len()];
    character.skeleton().model_from_joints(&local, &mut matrices);
    matrices
}
