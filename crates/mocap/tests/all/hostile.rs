//! Damaged packets and texts: no panic, bounded memory and time, and no allocations after the first calls.
//!
//! `BONEBOX_MUTATIONS=1000000 cargo test -p bonebox-mocap --test all` runs more mutations.

use crate::figure::Figure;
use mocap::bvh::Motion;
use mocap::packet_log::{self, Entry};
use mocap::vmc::{MAX_PACKET_BYTES, Performer, PerformerSettings, Receiver, ReceiverSettings};
use mocap::{HumanPose, OneEuroFilter, OneEuroSettings, fuzz};
use runtime::{BodyId, BodySettings, HitboxWorld};
use std::sync::Arc;
use std::time::{Duration, Instant};
use test_models::{Random, mutated};

/// The number of mutations: `usual`, or the value of the environment variable.
fn rounds(usual: usize) -> usize {
    std::env::var("BONEBOX_MUTATIONS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(usual)
}

/// Mutates the seeds in turn. Each input may take a second, and 64 MiB plus 64 times its bytes.
fn run(name: &str, seeds: &[Vec<u8>], rounds: usize, mut body: impl FnMut(&[u8])) {
    seeds.iter().for_each(|seed| body(seed));
    let mut random = Random::new(17);
    let (mut longest, mut most) = (Duration::ZERO, 0);
    for seed in seeds.iter().cycle().take(rounds) {
        let input = mutated(seed, &mut random);
        let mut timed = || {
            let start = Instant::now();
            let ((), used) = allocation_counter::of(|| body(&input));
            (start.elapsed(), used.peak)
        };
        let (mut time, peak) = timed();
        assert!(peak <= (64 << 20) + 64 * input.len(), "{name}: {peak} bytes for {input:?}");
        if time > longest {
            // A busy machine may have delayed the call, so the smallest of a few times counts.
            time = (0..3).map(|_| timed().0).fold(time, Duration::min);
        }
        (longest, most) = (longest.max(time), most.max(peak));
    }
    println!("{name}: {rounds} mutations, the slowest {longest:?}, the largest {} KiB", most.div_ceil(1024));
    assert!(longest < Duration::from_secs(1), "{name}: {longest:?}");
}

/// Joins packets, each with its length before it.
fn framed<'a>(packets: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let one = |packet: &[u8]| [&(packet.len() as u16).to_be_bytes()[..], packet].concat();
    packets.into_iter().flat_map(one).collect()
}

#[test]
fn mutated_packets() {
    let mut runa = Figure::new("runa");
    let poses: Vec<HumanPose> =
        [0.0, 0.2].map(|time| runa.sample("jab", time)).iter().map(|local| runa.read(local)).collect();
    let mut seeds = Vec::new();
    for packet_bytes in [300, 1_400, 60_000] {
        let mut performer = Performer::new(PerformerSettings { packet_bytes }, &runa.rig);
        let mut all = Vec::new();
        for (tick, pose) in poses.iter().enumerate() {
            all.extend(framed(performer.packets(pose, tick as f32)));
        }
        seeds.push(all);
    }
    // The last seed is a single packet, so that most of the damage is to its structure.
    seeds.push(framed(
        Performer::new(PerformerSettings { packet_bytes: 300 }, &runa.rig).packets(&poses[0], 0.0).take(1),
    ));
    let mut used = 0;
    run("packets", &seeds, rounds(10_000), |bytes| used += fuzz::vmc(bytes));
    assert!(used > 10_000, "{used} packets were used");
}

const SMALL: &str = "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0\n\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation \
    Yrotation\n\tJOINT Spine\n\t{\n\t\tOFFSET 0 10.5 -0.25\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n\t\tEnd Site\n\t\t{\n\
    \t\t\tOFFSET 0 5 0\n\t\t}\n\t}\n}\nMOTION\nFrames: 3\nFrame Time: 0.033333\n0 90 0 1 2 3 4 5 6\n0 91 0 -1 -2 -3 40 50 60\n\
    1e1 92 0 180 0 0 0 0 0\n";

#[test]
fn mutated_bvh() {
    let runa = Figure::new("runa");
    let walk = Motion::sample(&runa.skeleton, runa.clip("walk"), 5.0).unwrap().to_text();
    let seeds = [SMALL.as_bytes().to_vec(), SMALL.replace('\n', "\r\n").into_bytes(), walk.into_bytes()];
    let mut accepted = 0;
    run("BVH", &seeds, rounds(1_000), |text| accepted += usize::from(fuzz::bvh(text)));
    println!("BVH: {accepted} accepted");
    assert!(accepted > 10, "{accepted} accepted");
}

#[test]
fn mutated_packet_logs() {
    let mut log = packet_log::HEADER.to_vec();
    for tick in 0..20_u8 {
        let seconds = 0.1 * f64::from(tick);
        let bytes = &[tick; 40][..usize::from(2 * tick)];
        packet_log::append(&mut log, Entry::Packet { seconds, source: tick % 2, bytes }).unwrap();
        packet_log::append(&mut log, Entry::Tick { seconds }).unwrap();
    }
    let mut entries = 0;
    run("packet logs", &[log], rounds(10_000), |log| entries += fuzz::packet_log(log));
    assert!(entries > 10_000, "{entries} entries were read");
}

/// Texts that are short to write but costly to store.
#[test]
fn memory_for_bvh_is_bounded() {
    let motion = " MOTION Frames: 1 Frame Time: 1 0";
    let root = "HIERARCHY ROOT a{OFFSET 0 0 0 CHANNELS 1 Xrotation ";
    let many = 60_000;
    let joint = "JOINT a{OFFSET 0 0 0 ";
    let end = "End Site{OFFSET 0 0 0}";
    let texts = [
        ("a chain", format!("{root}{}{}}}{motion}", joint.repeat(many), "}".repeat(many))),
        ("children", format!("{root}{}}}{motion}", format!("{joint}}}").repeat(many))),
        ("end sites", format!("{root}{}}}{motion}", end.repeat(many))),
        ("numbers", format!("{root}}}{motion}{}", " 1".repeat(1_000_000))),
        ("one number of many letters", format!("{root}}}{motion} {}", "1".repeat(1_000_000))),
        ("roots", format!("HIERARCHY {}{motion}", "ROOT a{OFFSET 0 0 0 CHANNELS 0}".repeat(many))),
        ("an open chain", format!("{root}{}", joint.repeat(many))),
        ("too many joints", format!("{root}{}", joint.repeat(70_000))),
    ];
    for (name, text) in texts {
        let start = Instant::now();
        let (result, used) =
            allocation_counter::of(|| Motion::parse(text.as_bytes()).map(|motion| motion.frame_count()));
        println!("{name}: {} bytes, {} at most, {:?}, {result:?}", text.len(), used.peak, start.elapsed());
        assert!(used.peak <= (64 << 20) + 64 * text.len(), "{name}: {}", used.peak);
        assert!(used.peak <= 32 * text.len() + 4096, "{name}: {} for {}", used.peak, text.len());
        assert!(start.elapsed() < Duration::from_secs(5), "{name}");
    }
}

/// From packet to pose, hitboxes and touches: no allocations after the first calls.
#[test]
fn the_chain_allocates_nothing_once_warm() {
    let mut runa = Figure::new("runa");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let load =
        |name: &str| runtime::Character::load(&std::fs::read(root.join(format!("{name}.bonebox"))).unwrap()).unwrap();
    let (player, opponent) = (Arc::new(load("bruno")), Arc::new(load("runa")));
    let humanoid = mocap::Humanoid::guess(player.skeleton()).unwrap();
    let mut rig = mocap::Rig::new(player.skeleton(), &humanoid, mocap::ReferencePose::default_for(&humanoid)).unwrap();
    let mut world = HitboxWorld::new();
    let settings = BodySettings::default();
    world.insert(BodyId(1), player.clone(), settings).unwrap();
    world.insert(BodyId(2), opponent.clone(), settings).unwrap();
    let idle = opponent.find_clip("idle").unwrap();
    let across = glam::Affine3A::from_rotation_translation(
        glam::Quat::from_rotation_y(std::f32::consts::PI),
        glam::vec3(0.0, 0.0, 0.5),
    );

    let mut performer = Performer::new(PerformerSettings::default(), &runa.rig);
    let mut receiver = Receiver::new(ReceiverSettings::default(), HumanPose::T_POSE);
    let mut filter = OneEuroFilter::new(OneEuroSettings::default());
    let poses: Vec<HumanPose> = (0..20)
        .map(|tick| {
            let local = runa.sample("jab", 0.02 * tick as f32);
            runa.read(&local)
        })
        .collect();
    let (mut pose, mut local) = (HumanPose::T_POSE, player.skeleton().rest_pose());
    let mut model = vec![glam::Affine3A::IDENTITY; local.len()];
    let mut touches = 0;
    let mut tick = |tick: usize, garbage: &[u8]| {
        let seconds = 0.02 * tick as f64;
        for packet in performer.packets(&poses[tick % poses.len()], seconds as f32) {
            receiver.receive(packet, seconds).unwrap();
        }
        receiver.receive(garbage, seconds).unwrap_err();
        receiver.pose(seconds, &mut pose);
        filter.apply(&mut pose, seconds);
        rig.local_from_human_pose(&pose, &mut local);
        player.skeleton().model_from_joints(&local, &mut model);
        world.pose_from_model(BodyId(1), &glam::Affine3A::IDENTITY, &model).unwrap();
        world.pose_from_clip(BodyId(2), &across, idle, seconds as f32).unwrap();
        world.update();
        touches += world.touches().len();
    };
    let garbage = vec![0xff; MAX_PACKET_BYTES];
    let warm_up = allocation_counter::of(|| (0..40).for_each(|index| tick(index, &garbage))).1;
    assert!(warm_up.allocations > 0, "the counter works");
    let warm = allocation_counter::of(|| (40..80).for_each(|index| tick(index, &garbage))).1;
    assert_eq!(warm.allocations, 0);
    assert!(touches > 0, "they touch");
}
