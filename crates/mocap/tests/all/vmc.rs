//! VMC packets: handedness, order and loss. rosc is the reference for Open Sound Control.

use crate::figure::{Figure, angle, through_vmc};
use glam::{DQuat, DVec3};
use mocap::vmc::{Outcome, PacketError, Performer, PerformerSettings, Receiver, ReceiverSettings};
use mocap::{HumanBone, HumanPose};
use rosc::{OscBundle, OscMessage, OscPacket, OscTime, OscType};

fn message(address: &str, arguments: Vec<OscType>) -> OscPacket {
    OscPacket::Message(OscMessage { addr: address.into(), args: arguments })
}

fn bundle(content: Vec<OscPacket>) -> OscPacket {
    OscPacket::Bundle(OscBundle { timetag: OscTime { seconds: 0, fractional: 1 }, content })
}

fn bytes(packet: &OscPacket) -> Vec<u8> {
    rosc::encoder::encode(packet).unwrap()
}

/// A message with the position and the rotation of a bone or the root, in Unity's space.
fn place(address: &str, name: &str, position: [f32; 3], rotation: [f32; 4]) -> OscPacket {
    let numbers = position.into_iter().chain(rotation).map(OscType::Float);
    message(address, [OscType::String(name.into())].into_iter().chain(numbers).collect())
}

fn bone(name: &str, rotation: [f32; 4]) -> OscPacket {
    place("/VMC/Ext/Bone/Pos", name, [0.0, 0.1, 0.0], rotation)
}

fn time(seconds: f32) -> OscPacket {
    message("/VMC/Ext/T", vec![OscType::Float(seconds)])
}

const H: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// In Unity the left arm of a T-pose points to -x, and a quarter turn about +z brings -x to -y, so the left arm hangs
/// down. A quarter turn of the head about +y brings +z to +x, which is Unity's right. A quarter turn of the right lower
/// arm about +y brings +x to -z, so the right hand points back.
#[test]
fn an_asymmetric_pose_of_unity_arrives_on_the_right_side() {
    let mut runa = Figure::new("runa");
    let mut receiver = Receiver::default();
    let packet = bundle(vec![
        bone("LeftUpperArm", [0.0, 0.0, H, H]),
        bone("Head", [0.0, H, 0.0, H]),
        bone("RightLowerArm", [0.0, H, 0.0, H]),
    ]);
    receiver.receive(&bytes(&packet), 0.0).unwrap();
    let mut pose = HumanPose::T_POSE;
    receiver.pose(0.0, &mut pose);
    let t_pose = runa.write(&HumanPose::T_POSE);
    let local = runa.write(&pose);
    let (t_pose, model) = (runa.model(&t_pose), runa.model(&local));
    let joint = |bone| runa.humanoid.joint(bone).unwrap().index();
    let along = |from, to| (model[joint(to)].1 - model[joint(from)].1).normalize();
    let close = |found: DVec3, expected: DVec3, what| assert!((found - expected).length() < 1e-3, "{what}: {found}");
    use HumanBone::*;
    close(along(LeftUpperArm, LeftHand), DVec3::NEG_Y, "the left arm hangs");
    close(along(RightUpperArm, RightLowerArm), DVec3::NEG_X, "the right upper arm stays");
    close(along(RightLowerArm, RightHand), DVec3::NEG_Z, "the right hand points back");
    assert!(model[joint(LeftHand)].1.x > 0.0, "the left hand is on the left: +x");
    let turn = model[joint(Head)].0 * t_pose[joint(Head)].0.transpose();
    close(turn * DVec3::Z, DVec3::NEG_X, "the head looks to the right: -x");
}

#[test]
fn the_root_moves_the_hips() {
    let mut receiver = Receiver::default();
    let packet = bundle(vec![
        place("/VMC/Ext/Root/Pos", "root", [1.0, 0.0, 2.0], [0.0, H, 0.0, H]),
        place("/VMC/Ext/Bone/Pos", "Hips", [0.5, 0.9, 0.0], [0.0, 0.0, 0.0, 1.0]),
    ]);
    receiver.receive(&bytes(&packet), 0.0).unwrap();
    let mut pose = HumanPose::T_POSE;
    receiver.pose(0.0, &mut pose);
    // In Unity the turn brings the half meter along +x to -z, which gives (1, 0.9, 2 - 0.5). Humanoid space negates x.
    let hips = pose.hips_motion().unwrap();
    assert!((hips.position - DVec3::new(-1.0, 0.9, 1.5)).length() < 1e-6, "{hips:?}");
    assert_eq!(hips.hip_height, None, "no leg bones were sent");
    // Some face trackers send zeros for all positions. Such positions are ignored.
    let mut receiver = Receiver::default();
    receiver.receive(&bytes(&place("/VMC/Ext/Bone/Pos", "Hips", [0.0; 3], [0.0, 0.0, 0.0, 1.0])), 0.0).unwrap();
    receiver.pose(0.0, &mut pose);
    assert_eq!(pose.hips_motion(), None);
}

#[test]
fn rosc_reads_the_packets_of_a_performer() {
    let mut runa = Figure::new("runa");
    let local = runa.sample("jab", 0.25);
    let pose = runa.read(&local);
    for packet_bytes in [1, 300, 1_400, 60_000] {
        let mut performer = Performer::new(PerformerSettings { packet_bytes }, &runa.rig);
        let mut names = Vec::new();
        for packet in performer.packets(&pose, 2.5) {
            assert!(packet.len() <= packet_bytes.max(300));
            let (rest, decoded) = rosc::decoder::decode_udp(packet).unwrap();
            let OscPacket::Bundle(bundle) = decoded else { panic!("a bundle") };
            assert!(rest.is_empty());
            assert_eq!(bundle.content[0], time(2.5), "each packet begins with the clock");
            assert!(bundle.content.len() > 1);
            for content in &bundle.content {
                let OscPacket::Message(message) = content else { panic!("messages") };
                if message.addr == "/VMC/Ext/Bone/Pos" {
                    let OscType::String(name) = &message.args[0] else { panic!("a name") };
                    assert_eq!(message.args.len(), 8);
                    names.push(name.clone());
                }
            }
        }
        let expected: Vec<&str> = runa.humanoid.iter().map(|(bone, _)| bone.unity_name()).collect();
        assert_eq!(names, expected);
    }
    let received = through_vmc(&pose, &runa.rig);
    assert_eq!(received.bones(), pose.bones());
    let [a, b] = [&received, &pose].map(|pose| pose.hips_motion().unwrap());
    assert!((a.position - b.position).length() < 1e-6);
    assert!((a.hip_height.unwrap() - b.hip_height.unwrap()).abs() < 1e-6);
}

/// The reader reads all messages that rosc writes, VMC or not, in bundles of any shape.
#[test]
fn messages_that_rosc_writes_are_read() {
    let identity = [0.0, 0.0, 0.0, 1.0];
    let with_scale = {
        let numbers = [0.0; 3].into_iter().chain(identity).chain([1.0; 3]).chain([0.0; 3]);
        let numbers = numbers.map(OscType::Float);
        message("/VMC/Ext/Root/Pos", [OscType::String("root".into())].into_iter().chain(numbers).collect())
    };
    let others = [
        message("/VMC/Ext/Blend/Val", vec![OscType::String("Joy".into()), OscType::Float(0.5)]),
        message("/VMC/Ext/Blend/Apply", vec![]),
        message("/x", vec![OscType::Blob(vec![1, 2, 3]), OscType::Bool(true), OscType::Nil, OscType::Long(5)]),
        message("/VMC/Ext/OK", vec![OscType::Int(1), OscType::Int(3), OscType::Int(0)]),
    ];
    let inner = bundle(vec![bone("Spine", identity), bundle(vec![]), bundle(vec![bone("Neck", identity)])]);
    let packet = bundle([vec![time(1.0), with_scale, inner, bone("Tail", identity)], others.to_vec()].concat());
    let mut receiver = Receiver::default();
    assert_eq!(receiver.receive(&bytes(&packet), 0.0), Ok(Outcome::Used));
    let counters = receiver.counters();
    assert_eq!((counters.messages, counters.placements, counters.unknown_bones), (9, 3, 1));
    assert_eq!((counters.ignored_messages, counters.malformed_messages), (3, 0));
    assert_eq!(receiver.is_loaded(), Some(true));
    // The same messages in packets of their own, and with doubles instead of floats.
    let numbers = [0.0, 0.1, 0.0, 0.0, 0.0, 0.0, 1.0].map(OscType::Double);
    let doubles = message("/VMC/Ext/Bone/Pos", [vec![OscType::String("Jaw".into())], numbers.to_vec()].concat());
    assert_eq!(receiver.receive(&bytes(&doubles), 0.0), Ok(Outcome::Used));
    assert_eq!(receiver.counters().placements, 4);
}

#[test]
fn arguments_that_cannot_be_used_are_counted() {
    let mut receiver = Receiver::default();
    let name = || OscType::String("Head".into());
    let floats = |numbers: [f32; 7]| numbers.map(OscType::Float).to_vec();
    for (case, arguments) in [
        ("no arguments", vec![]),
        ("no name", floats([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])),
        ("too few", [vec![name()], floats([0.0; 7])[..6].to_vec()].concat()),
        ("no rotation", [vec![name()], floats([0.0; 7])].concat()),
        ("not a number", [vec![name()], floats([0.0, 0.0, 0.0, f32::NAN, 0.0, 0.0, 1.0])].concat()),
        ("too far", [vec![name()], floats([0.0, 1e30, 0.0, 0.0, 0.0, 0.0, 1.0])].concat()),
        ("text in place of a number", [vec![name()], vec![name(); 7]].concat()),
    ] {
        let before = receiver.counters().malformed_messages;
        assert_eq!(receiver.receive(&bytes(&message("/VMC/Ext/Bone/Pos", arguments)), 0.0), Ok(Outcome::Used));
        assert_eq!(receiver.counters().malformed_messages, before + 1, "{case}");
    }
    let nan = message("/VMC/Ext/T", vec![OscType::Float(f32::NAN)]);
    assert_eq!(receiver.receive(&bytes(&nan), 0.0), Ok(Outcome::Used));
    assert_eq!((receiver.counters().malformed_messages, receiver.counters().placements), (8, 0));
    // A rotation that is not of unit length is normalized.
    receiver.receive(&bytes(&bone("Head", [0.0, 3.0, 0.0, 3.0])), 0.0).unwrap();
    let mut pose = HumanPose::T_POSE;
    receiver.pose(0.0, &mut pose);
    assert!((pose.rotation(HumanBone::Head).length() - 1.0).abs() < 1e-12);
}

fn head(receiver: &Receiver, seconds: f64) -> f64 {
    let mut pose = HumanPose::T_POSE;
    receiver.pose(seconds, &mut pose);
    pose.rotation(HumanBone::Head).angle_between(DQuat::IDENTITY).to_degrees()
}

#[test]
fn bones_that_stop_coming_hold_and_then_ease_to_rest() {
    let settings = ReceiverSettings { hold_seconds: 0.5, ease_seconds: 1.0, hip_height: None };
    let mut rest = HumanPose::T_POSE;
    rest.set_rotation(HumanBone::Head, DQuat::from_rotation_x(0.1));
    let mut receiver = Receiver::new(settings, rest.clone());
    assert!((head(&receiver, 3.0) - 0.1_f64.to_degrees()).abs() < 1e-9, "the head is at rest before the first packet");
    receiver.receive(&bytes(&bone("Head", [H, 0.0, 0.0, H])), 10.0).unwrap();
    assert!((head(&receiver, 10.0) - 90.0).abs() < 1e-4);
    assert!((head(&receiver, 10.5) - 90.0).abs() < 1e-4, "held");
    let halfway = 0.5 * (90.0 + 0.1_f64.to_degrees());
    assert!((head(&receiver, 11.0) - halfway).abs() < 1e-3, "halfway: {}", head(&receiver, 11.0));
    let mut last = 91.0;
    for tick in 0..100 {
        let now = head(&receiver, 10.5 + 0.01 * f64::from(tick));
        assert!(now <= last && last - now < 3.0, "it eases without a jump: {last} to {now}");
        last = now;
    }
    assert!((head(&receiver, 11.5) - 0.1_f64.to_degrees()).abs() < 1e-9, "at rest");
    assert!((head(&receiver, 1e9) - 0.1_f64.to_degrees()).abs() < 1e-9);
    // Packets of another bone keep arriving all the time, and then the head's packets arrive again.
    receiver.receive(&bytes(&bone("Neck", [0.0, 0.0, 0.0, 1.0])), 12.0).unwrap();
    assert!(head(&receiver, 12.0) < 10.0);
    receiver.receive(&bytes(&bone("Head", [H, 0.0, 0.0, H])), 12.1).unwrap();
    assert!((head(&receiver, 12.1) - 90.0).abs() < 1e-4);
}

#[test]
fn late_and_repeated_packets_do_no_harm() {
    let frame = |seconds: f32, degrees: f32| {
        let (sine, cosine) = (0.5 * degrees.to_radians()).sin_cos();
        bytes(&bundle(vec![time(seconds), bone("Head", [sine, 0.0, 0.0, cosine])]))
    };
    let mut receiver = Receiver::default();
    assert_eq!(receiver.receive(&frame(1.00, 10.0), 0.0), Ok(Outcome::Used));
    assert_eq!(receiver.receive(&frame(1.02, 30.0), 0.0), Ok(Outcome::Used));
    assert_eq!(receiver.receive(&frame(1.01, 20.0), 0.0), Ok(Outcome::Late));
    assert_eq!(receiver.receive(&frame(1.02, 30.0), 0.0), Ok(Outcome::Repeated));
    assert_eq!(receiver.receive(&frame(1.00, 10.0), 0.0), Ok(Outcome::Late));
    assert!((head(&receiver, 0.0) - 30.0).abs() < 1e-3);
    // A second packet of the same moment.
    let neck = bytes(&bundle(vec![time(1.02), bone("Neck", [0.0, 0.0, 0.0, 1.0])]));
    assert_eq!(receiver.receive(&neck, 0.0), Ok(Outcome::Used));
    assert_eq!(receiver.receive(&neck, 0.0), Ok(Outcome::Repeated));
    // A clock that goes back by less than a second means a late packet. If it goes back by more, the performer has
    // restarted.
    assert_eq!(receiver.receive(&frame(0.30, 40.0), 0.0), Ok(Outcome::Late));
    assert_eq!(receiver.receive(&frame(0.00, 50.0), 0.0), Ok(Outcome::Used));
    assert_eq!(receiver.receive(&frame(0.02, 60.0), 0.0), Ok(Outcome::Used));
    assert!((head(&receiver, 0.0) - 60.0).abs() < 1e-3);
    let counters = receiver.counters();
    assert_eq!((counters.packets, counters.late_packets, counters.repeated_packets), (10, 3, 2));
}

#[test]
fn hostile_packets_are_refused_whole() {
    let mut receiver = Receiver::default();
    let good = bytes(&bundle(vec![bone("Head", [H, 0.0, 0.0, H]), bone("Neck", [H, 0.0, 0.0, H])]));
    let refused = |receiver: &mut Receiver, packet: &[u8]| {
        let error = receiver.receive(packet, 0.0).unwrap_err();
        assert_eq!(receiver.counters().placements, 0, "nothing of a refused packet is used");
        error
    };
    // Tests every truncation except the one between the two messages, which is a valid shorter packet.
    let first = bytes(&bundle(vec![bone("Head", [H, 0.0, 0.0, H])])).len();
    for length in (0..good.len()).filter(|&length| length != first && length != 16) {
        let error = refused(&mut receiver, &good[..length]);
        assert!(matches!(error, PacketError::Malformed { .. }), "{length}: {error}");
    }
    // Nested bundles, so deep that they would overflow the stack if rosc decoded them.
    let mut nested = Vec::new();
    while nested.len() + 20 < mocap::vmc::MAX_PACKET_BYTES {
        let size = (nested.len() as u32).to_be_bytes();
        let header = b"#bundle\0\0\0\0\0\0\0\0\x01";
        let rest = if nested.is_empty() { vec![] } else { [&size[..], &nested].concat() };
        nested = [&header[..], &rest].concat();
    }
    assert_eq!(refused(&mut receiver, &nested), PacketError::TooDeep);
    let long = vec![0; mocap::vmc::MAX_PACKET_BYTES + 1];
    assert!(matches!(refused(&mut receiver, &long), PacketError::TooLong { .. }));
    // Nested arrays are type tags like any others: the message is ignored, and nothing recurses.
    let tags = ["/VMC/Ext/Bone/Pos\0\0\0,".as_bytes(), &[b'['; 60_000], &[b']'; 5_003], &[0; 4]].concat();
    receiver.receive(&tags, 0.0).unwrap();
    assert_eq!(receiver.counters().malformed_messages, 1);
    for packet in [&b"#bundle"[..], b"#bundle\0", b"/VMC", b"VMC\0,\0\0\0", b"/VMC\0\0\0\0", b"\0\0\0\0"] {
        refused(&mut receiver, packet);
    }
    assert_eq!(receiver.receive(&good, 0.0), Ok(Outcome::Used));
    assert_eq!(receiver.counters().placements, 2);
}

/// A test of the whole chain: the receiver gets the world rotation that the performer sent.
#[test]
fn turned_hips_carry_the_whole_body() {
    let mut runa = Figure::new("runa");
    let mut pose = HumanPose::T_POSE;
    pose.set_rotation(HumanBone::Hips, DQuat::from_rotation_y(1.0));
    let still = runa.write(&HumanPose::T_POSE);
    let local = runa.write(&through_vmc(&pose, &runa.rig));
    let (still, turned) = (runa.model(&still), runa.model(&local));
    for (bone, joint) in runa.humanoid.iter() {
        let degrees = angle(&still[joint.index()].0, &turned[joint.index()].0);
        assert!((degrees - 1.0_f64.to_degrees()).abs() < 0.001, "{bone}: {degrees}");
    }
}
