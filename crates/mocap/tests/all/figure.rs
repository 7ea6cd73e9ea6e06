//! The authored characters, and helpers that several tests share.

use glam::{DMat3, DQuat, DVec3};
use mocap::vmc::{Performer, PerformerSettings, Receiver, ReceiverSettings};
use mocap::{HumanBone, HumanPose, Humanoid, ReferencePose, Rig};
use skeleton::{Clip, LocalTransform, Skeleton};
use skinned_model::{NoExternalFiles, SkinnedModel, import};
use std::path::Path;

pub(crate) fn asset(name: &str) -> SkinnedModel {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../assets/{name}.glb"));
    import(&std::fs::read(file).unwrap(), &NoExternalFiles).unwrap()
}

/// A character, its humanoid and its rig.
pub(crate) struct Figure {
    pub(crate) skeleton: Skeleton,
    pub(crate) clips: Vec<Clip>,
    pub(crate) humanoid: Humanoid,
    pub(crate) rig: Rig,
}

impl Figure {
    pub(crate) fn new(name: &str) -> Self {
        let model = asset(name);
        Self::of(model.skeleton, model.clips, ReferencePose::TPose)
    }

    pub(crate) fn of(skeleton: Skeleton, clips: Vec<Clip>, reference: ReferencePose) -> Self {
        let humanoid = Humanoid::guess(&skeleton).unwrap();
        let rig = Rig::new(&skeleton, &humanoid, reference).unwrap();
        Self { skeleton, clips, humanoid, rig }
    }

    pub(crate) fn clip(&self, name: &str) -> &Clip {
        self.clips.iter().find(|clip| clip.name == name).unwrap()
    }

    /// The local transforms of a clip at a time in seconds.
    pub(crate) fn sample(&self, clip: &str, seconds: f32) -> Vec<LocalTransform> {
        let mut local = self.skeleton.rest_pose();
        let clip = self.clip(clip);
        clip.sample(clip.start() + seconds, &mut local);
        local
    }

    pub(crate) fn read(&mut self, local: &[LocalTransform]) -> HumanPose {
        let mut pose = HumanPose::T_POSE;
        self.rig.human_pose_from_local(local, &mut pose);
        pose
    }

    pub(crate) fn write(&mut self, pose: &HumanPose) -> Vec<LocalTransform> {
        let mut local = self.skeleton.rest_pose();
        self.rig.local_from_human_pose(pose, &mut local);
        local
    }

    /// The rotation and the position of every joint in model space, from an independent product of plain matrices.
    pub(crate) fn model(&self, local: &[LocalTransform]) -> Vec<(DMat3, DVec3)> {
        let mut model: Vec<(DMat3, DVec3)> = Vec::new();
        for (joint, local) in self.skeleton.joints().iter().zip(local) {
            let LocalTransform::Trs(trs) = local else { panic!("the authored characters have no matrices") };
            let own = (DMat3::from_quat(trs.rotation.as_dquat().normalize()), trs.translation.as_dvec3());
            let above = joint.parent.map_or((DMat3::IDENTITY, DVec3::ZERO), |parent| model[parent.index()]);
            model.push((above.0 * own.0, above.1 + above.0 * own.1));
        }
        model
    }

    /// The height from the soles to the head's joint in the rest pose.
    pub(crate) fn height(&self) -> f64 {
        let rest = self.model(&self.skeleton.rest_pose());
        let heights = || rest.iter().map(|(_, place)| place.y);
        heights().fold(f64::NEG_INFINITY, f64::max) - heights().fold(f64::INFINITY, f64::min)
    }
}

/// Sends a pose of the performer's figure through VMC packets, and receives it.
pub(crate) fn through_vmc(pose: &HumanPose, performer: &Rig) -> HumanPose {
    let mut performer = Performer::new(PerformerSettings::default(), performer);
    let mut receiver = Receiver::new(ReceiverSettings::default(), HumanPose::T_POSE);
    for packet in performer.packets(pose, 1.0) {
        assert!(packet.len() <= PerformerSettings::default().packet_bytes);
        receiver.receive(packet, 5.0).unwrap();
    }
    let counters = *receiver.counters();
    assert_eq!((counters.malformed_packets, counters.malformed_messages, counters.unknown_bones), (0, 0, 0));
    let mut received = HumanPose::T_POSE;
    receiver.pose(5.1, &mut received);
    received
}

/// The angle between two rotations, in degrees.
pub(crate) fn angle(a: &DMat3, b: &DMat3) -> f64 {
    let difference = DQuat::from_mat3(&(a.transpose() * *b)).normalize();
    let sine = DVec3::new(difference.x, difference.y, difference.z).length();
    (2.0 * sine.atan2(difference.w.abs())).to_degrees()
}

pub(crate) const HANDS_AND_FEET: [HumanBone; 4] =
    [HumanBone::LeftHand, HumanBone::RightHand, HumanBone::LeftFoot, HumanBone::RightFoot];
