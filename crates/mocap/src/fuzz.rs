//! The bodies of the fuzz targets. Each takes any bytes and panics if the crate breaks a promise.

use crate::bvh::Motion;
use crate::packet_log;
use crate::vmc::{Receiver, ReceiverSettings};
use crate::{HumanBone, HumanPose};

/// Parses a BVH text. An accepted text can be written and read again, and gives a valid skeleton and finite poses.
/// Returns true if the text was accepted.
///
/// # Panics
/// Panics if a promise is broken.
pub fn bvh(text: &[u8]) -> bool {
    let motion = match Motion::parse(text) {
        Ok(motion) => motion,
        Err(error) => {
            assert!(error.line > 0 && error.column > 0 && error.to_string().len() < 1024, "{error}");
            return false;
        }
    };
    let skeleton = motion.skeleton();
    assert_eq!(skeleton.len(), motion.joints().len(), "the joints form no skeleton");
    let mut local = skeleton.rest_pose();
    if let Some(last) = motion.frame_count().checked_sub(1) {
        motion.pose(last, &mut local);
        assert!(local.iter().all(skeleton::LocalTransform::is_finite), "a pose is not finite");
    }
    if let Some(clip) = motion.clip("motion") {
        assert_eq!(clip.validate(&skeleton), Ok(()));
    }
    let again = Motion::parse(motion.to_text().as_bytes()).expect("what was written can be read");
    assert_eq!(again.frame_count(), motion.frame_count());
    for frame in 0..motion.frame_count() {
        assert_eq!(
            again.frame(frame),
            motion.frame(frame),
            "frame {frame} has other numbers after writing and reading"
        );
    }
    let same = |(a, b): (&crate::bvh::BvhJoint, &crate::bvh::BvhJoint)| {
        (a.parent, a.offset, a.channels, &a.ends) == (b.parent, b.offset, b.channels, &b.ends)
    };
    assert!(again.joints().iter().zip(motion.joints()).all(same), "the joints differ after writing and reading");
    true
}

/// Receives VMC packets. The bytes are packets, each with two bytes of length before it. Rotations stay of unit length
/// and positions finite, and the counters add up. Returns the number of packets that were used.
///
/// # Panics
/// Panics if a promise is broken.
pub fn vmc(mut bytes: &[u8]) -> u64 {
    let settings = ReceiverSettings::default();
    let mut receiver = Receiver::new(settings, HumanPose::T_POSE);
    let mut pose = HumanPose::T_POSE;
    let mut packets = 0_u32;
    while let Some((length, rest)) = bytes.split_first_chunk::<2>() {
        let length = usize::from(u16::from_be_bytes(*length)).min(rest.len());
        let (packet, rest) = rest.split_at(length);
        bytes = rest;
        packets += 1;
        let seconds = 0.25 * f64::from(packets);
        let _ = receiver.receive(packet, seconds);
        receiver.pose(seconds + 0.6, &mut pose);
        for bone in HumanBone::ALL {
            let length = pose.rotation(bone).length();
            assert!((length - 1.0).abs() < 1e-6, "{bone} has a rotation of length {length}");
        }
        if let Some(hips) = pose.hips_motion() {
            assert!(hips.position.is_finite() && hips.hip_height.is_none_or(|height| height > 0.0));
        }
    }
    let counters = receiver.counters();
    assert_eq!(counters.packets, u64::from(packets));
    let unused = counters.malformed_packets + counters.late_packets;
    let sorted = counters.placements + counters.unknown_bones + counters.ignored_messages + counters.malformed_messages;
    assert!(unused <= counters.packets && sorted <= counters.messages);
    counters.packets - unused
}

/// Reads a packet log. The accepted entries are the same when they are written again. Returns the number of entries.
///
/// # Panics
/// Panics if a promise is broken.
pub fn packet_log(log: &[u8]) -> usize {
    let Ok(entries) = packet_log::entries(log) else { return 0 };
    let (mut again, mut count) = (packet_log::HEADER.to_vec(), 0);
    for entry in entries.map_while(Result::ok) {
        packet_log::append(&mut again, entry).expect("what was read can be written");
        count += 1;
    }
    assert!(log.starts_with(&again), "the log differs after reading and writing");
    count
}
