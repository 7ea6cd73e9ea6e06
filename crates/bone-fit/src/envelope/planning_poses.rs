//! The poses that clusters are planned by. These poses decide how tight an envelope is; an envelope holds its surface
//! in all other poses too.

use crate::poses::sample_times::{SampleTime, SampleTimes};
use crate::poses::sampled::PoseSampler;
use crate::skin::bound_mesh::affine_to_f64;
use glam::{Affine3A, DAffine3, Quat};
use skeleton::LocalTransform;
use skinned_model::SkinnedModel;

/// The number of poses of the clips, evenly spread.
const OF_CLIPS: usize = 32;

/// The number of poses in which every joint is turned.
const TURNED: usize = 8;

/// The largest turn of a joint, in degrees.
const LARGEST_TURN: f32 = 45.0;

/// Returns `model_from_joint` of every joint in each planning pose: some poses of the clips, and some poses in which
/// all joints are turned at random. The poses are the same in every run.
pub(crate) fn planning_poses(model: &SkinnedModel, rate: f64) -> Vec<Vec<DAffine3>> {
    let all = SampleTimes::regular(&model.clips, rate, OF_CLIPS).rest_and_regular();
    let mut sampler = PoseSampler::new(&model.skeleton, &model.clips);
    let mut poses: Vec<Vec<DAffine3>> = all.iter().map(|&at: &SampleTime| sampler.pose(at).to_vec()).collect();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut matrices = vec![Affine3A::IDENTITY; model.skeleton.len()];
    for _ in 0..TURNED {
        let mut local = model.skeleton.rest_pose();
        for joint in &mut local {
            if let LocalTransform::Trs(trs) = joint {
                trs.rotation = turned(trs.rotation, &mut random);
            }
        }
        model.skeleton.model_from_joints(&local, &mut matrices);
        poses.push(matrices.iter().map(affine_to_f64).collect());
    }
    poses
}

/// Returns a rotation that is followed by a random rotation about a random axis.
fn turned(rotation: Quat, random: &mut Random) -> Quat {
    let axis = [random.number(), random.number(), random.number()];
    let length = (axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]).sqrt().max(1e-3);
    let half = 0.5 * f64::from(LARGEST_TURN).to_radians() * random.number();
    let (sine, cosine) = (libm::sin(half) / length, libm::cos(half));
    let turn = axis.map(|component| (sine * component) as f32);
    rotation * Quat::from_xyzw(turn[0], turn[1], turn[2], cosine as f32)
}

/// Xorshift; the numbers are the same on every machine.
struct Random(u64);

impl Random {
    /// Returns a number from -1 to 1.
    fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
