//! Compares the recordings in `assets/motion` with the clips that they were made from.

use crate::figure::{Figure, through_vmc};
use mocap::bvh::Motion;
use mocap::packet_log::{self, Entry};
use mocap::vmc::{Outcome, Receiver};
use mocap::{HumanBone, HumanPose, ReferencePose};
use std::path::Path;

const RATE: f32 = 30.0;

fn recording(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/motion").join(name)).unwrap()
}

/// The largest difference of the rotations of two poses, in degrees.
fn difference(a: &HumanPose, b: &HumanPose) -> f64 {
    assert_eq!(a.bones(), b.bones());
    let degrees = |bone| a.rotation(bone).angle_between(b.rotation(bone)).to_degrees();
    HumanBone::ALL.into_iter().map(degrees).fold(0.0, f64::max)
}

#[test]
fn bvh_agrees_with_its_clip() {
    for (name, clip) in [("runa", "jab"), ("runa", "walk"), ("bruno", "jab")] {
        let mut figure = Figure::new(name);
        let motion = Motion::parse(&recording(&format!("{name}_{clip}.bvh"))).unwrap();
        assert!(motion.frame_count() > 20 && (motion.seconds_per_frame() - 1.0 / RATE).abs() < 1e-6);
        let mut recorded = Figure::of(motion.skeleton(), vec![], ReferencePose::TPose);
        let mut local = recorded.skeleton.rest_pose();
        for frame in 0..motion.frame_count() {
            motion.pose(frame, &mut local);
            let found = recorded.read(&local);
            let own = figure.sample(clip, frame as f32 / RATE);
            let expected = figure.read(&own);
            let degrees = difference(&found, &expected);
            assert!(degrees < 0.01, "{name}'s {clip}, frame {frame}: {degrees} degrees");
        }
    }
}

#[test]
fn packets_agree_with_their_clip() {
    let mut runa = Figure::new("runa");
    let log = recording("runa_jab.packets");
    let (mut receiver, mut found) = (Receiver::default(), HumanPose::T_POSE);
    let (mut ticks, mut packets) = (0, 0);
    for entry in packet_log::entries(&log).unwrap() {
        match entry.unwrap() {
            Entry::Packet { seconds, source, bytes } => {
                assert_eq!((source, receiver.receive(bytes, seconds)), (0, Ok(Outcome::Used)));
                packets += 1;
            }
            Entry::Tick { seconds } => {
                receiver.pose(seconds, &mut found);
                let own = runa.sample("jab", ticks as f32 / RATE);
                let expected = runa.read(&own);
                // The expected pose also goes through packets, because they carry single precision.
                let expected = through_vmc(&expected, &runa.rig);
                let degrees = difference(&found, &expected);
                assert!(degrees < 1e-4, "tick {ticks}: {degrees} degrees");
                ticks += 1;
            }
        }
    }
    assert!(ticks > 20 && packets > ticks, "{ticks} ticks, {packets} packets");
}
