//! Times the whole chain from the last byte of a packet to the list of touches, for two characters of 53 joints, and
//! each part of the chain.

use glam::{Affine3A, Quat, Vec3};
use mocap::vmc::{Performer, PerformerSettings, Receiver, ReceiverSettings};
use mocap::{HumanPose, Humanoid, ReferencePose, Rig};
use paired_timing::Turns;
use runtime::{BodyId, BodySettings, Character, HitboxWorld};
use std::cell::RefCell;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

const PLAYER: BodyId = BodyId(1);
const OPPONENT: BodyId = BodyId(2);

fn load(name: &str) -> Arc<Character> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../assets/{name}.bonebox"));
    let bytes = std::fs::read(file).expect("the authored characters are checked in");
    Arc::new(Character::load(&bytes).expect("the authored characters are valid"))
}

fn rig(character: &Character) -> Rig {
    let humanoid = Humanoid::guess(character.skeleton()).expect("a humanoid");
    Rig::new(character.skeleton(), &humanoid, ReferencePose::default_for(&humanoid)).expect("a figure")
}

/// All state that a tick needs; its buffers have grown.
struct Chain {
    packets: Vec<Vec<u8>>,
    receiver: Receiver,
    pose: HumanPose,
    rig: Rig,
    player: Arc<Character>,
    local: Vec<skeleton::LocalTransform>,
    model: Vec<Affine3A>,
    across: Affine3A,
    idle: runtime::ClipIndex,
    world: HitboxWorld,
}

impl Chain {
    fn new() -> Self {
        let (performer, player, opponent) = (load("runa"), load("bruno"), load("runa"));
        let mut source = rig(&performer);
        let jab = performer.find_clip("jab").expect("a jab");
        let mut local = performer.skeleton().rest_pose();
        performer.clips()[jab.index()].sample(0.3, &mut local);
        let mut pose = HumanPose::T_POSE;
        source.human_pose_from_local(&local, &mut pose);
        // All bones in one packet, as most performers send them.
        let settings = PerformerSettings { packet_bytes: 60_000 };
        let packets: Vec<Vec<u8>> = Performer::new(settings, &source).packets(&pose, 0.0).map(<[u8]>::to_vec).collect();
        assert_eq!(packets.len(), 1);
        let mut world = HitboxWorld::new();
        for (id, character) in [(PLAYER, &player), (OPPONENT, &opponent)] {
            world.insert(id, character.clone(), BodySettings::default()).expect("a new body");
        }
        let turn = Quat::from_xyzw(0.0, 1.0, 0.0, 0.0);
        Self {
            packets,
            receiver: Receiver::new(ReceiverSettings::default(), HumanPose::T_POSE),
            pose,
            rig: rig(&player),
            local: player.skeleton().rest_pose(),
            model: vec![Affine3A::IDENTITY; player.skeleton().len()],
            across: Affine3A::from_rotation_translation(turn, Vec3::new(0.0, 0.0, 0.6)),
            idle: opponent.find_clip("idle").expect("an idle clip"),
            player,
            world,
        }
    }

    fn decode(&mut self) {
        for packet in &self.packets {
            self.receiver.receive(black_box(packet), 0.0).expect("a packet");
        }
        self.receiver.pose(0.0, &mut self.pose);
    }

    fn retarget(&mut self) {
        self.rig.local_from_human_pose(&self.pose, &mut self.local);
    }

    /// Poses the player from its joints, and the opponent from a clip.
    fn place(&mut self) {
        self.player.skeleton().model_from_joints(&self.local, &mut self.model);
        self.world.pose_from_model(PLAYER, &Affine3A::IDENTITY, &self.model).expect("a finite pose");
        self.world.pose_from_clip(OPPONENT, &self.across, self.idle, 0.5).expect("a finite pose");
    }

    fn test(&mut self) -> usize {
        self.world.update();
        self.world.touches().len()
    }
}

fn main() {
    let mut chain = Chain::new();
    chain.decode();
    chain.retarget();
    chain.place();
    let touches = chain.test();
    assert!(touches > 0, "the two characters touch");
    let packet = chain.packets[0].clone();
    println!("{} bytes, {} joints, {touches} touches", packet.len(), chain.model.len());
    let bones = chain.receiver.counters().placements;
    let chain = RefCell::new(chain);
    const TIMES: usize = 20;
    let each = |work: &dyn Fn()| (0..TIMES).for_each(|_| work());

    let mut turns = Turns::new("packet_to_touches", "two characters of 53 joints").items(TIMES as f64, "packet");
    turns.ours("packet to touches", || {
        each(&|| {
            let mut chain = chain.borrow_mut();
            chain.decode();
            chain.retarget();
            chain.place();
            assert_eq!(chain.test(), touches);
        });
    });
    turns.ours("decode and pose of bones", || each(&|| chain.borrow_mut().decode()));
    turns.ours("retarget", || each(&|| chain.borrow_mut().retarget()));
    turns.ours("place hitboxes", || each(&|| chain.borrow_mut().place()));
    turns.ours("test", || each(&|| assert_eq!(chain.borrow_mut().test(), touches)));
    turns.run();

    // rosc only decodes the packet's structure and numbers, and builds strings and lists for them.
    let mut turns = Turns::new("packet_to_touches", "decode against rosc").items(TIMES as f64, "packet");
    turns.peer("rosc, decoding only", || {
        each(&|| {
            let (rest, packet) = rosc::decoder::decode_udp(black_box(&packet)).expect("a packet");
            let rosc::OscPacket::Bundle(bundle) = packet else { unreachable!("a bundle") };
            assert!(rest.is_empty() && bundle.content.len() as u64 > bones);
        });
    });
    turns.ours("receive", || each(&|| chain.borrow_mut().decode()));
    turns.run();
}
