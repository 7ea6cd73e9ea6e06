//! Baked and posed characters hit each other where one expects it. The tests run at sixty ticks per second; B stands in
//! front of A and faces A.

use glam::{Affine3A, Quat, Vec3};
use runtime::{Character, ClipSampler, PosedCharacter, overlapping_joints};
use std::collections::BTreeMap;

/// For each pair of a joint of A and a joint of B that touch: the first and the last tick of the touch.
type Touches = BTreeMap<(String, String), (usize, usize)>;

fn fight(a: &Character, clip_a: &str, b: &Character, clip_b: &str, distance: f32) -> Touches {
    let half_turn = Quat::from_xyzw(0.0, 1.0, 0.0, 0.0);
    let world_from_b = Affine3A::from_rotation_translation(half_turn, Vec3::new(0.0, 0.0, distance));
    let clips = [(a, clip_a), (b, clip_b)].map(|(who, clip)| who.find_clip(clip).expect("a clip of that name"));
    let ticks = (a.clips()[clips[0].index()].seconds() * 60.0) as usize;
    let (mut posed_a, mut posed_b, mut pairs) = (PosedCharacter::new(), PosedCharacter::new(), Vec::new());
    let (mut touches, mut sampler) = (Touches::new(), ClipSampler::new());
    for tick in 0..=ticks {
        let time = tick as f32 / 60.0;
        posed_a.pose_from_clip(&mut sampler, a, &Affine3A::IDENTITY, clips[0], time).expect("finite poses");
        posed_b.pose_from_clip(&mut sampler, b, &world_from_b, clips[1], time).expect("finite poses");
        overlapping_joints(&posed_a, &posed_b, &mut pairs);
        for pair in &pairs {
            let names = (a.joint_name(pair.joint_a).to_owned(), b.joint_name(pair.joint_b).to_owned());
            touches.entry(names).or_insert((tick, tick)).1 = tick;
        }
    }
    touches
}

/// The first and the last tick in which one of some joints of A touches a joint of B.
fn window(touches: &Touches, a: &[&str], b: &str) -> Option<(usize, usize)> {
    let hits = touches.iter().filter(|((of_a, of_b), _)| a.iter().any(|a| of_a.starts_with(a)) && of_b == b);
    hits.map(|(_, ticks)| *ticks).reduce(|x, y| (x.0.min(y.0), x.1.max(y.1)))
}

const LEFT_FIST: [&str; 5] = ["hand_l", "index", "middle", "ring", "pinky"];

/// The ticks in which a jab of `a` at a distance of 0.8 m touches one joint of `b`. Fist and forearm may touch no other
/// joint.
fn jab(a: &str, b: &str, target: &str) -> (usize, usize) {
    let touches = fight(super::character(a), "jab", super::character(b), "idle", 0.8);
    assert!(touches.keys().all(|(_, of_b)| of_b == target), "{a} meets more than the {target} of {b}: {touches:?}");
    window(&touches, &LEFT_FIST, target).unwrap_or_else(|| panic!("{a} misses the {target} of {b}"))
}

/// The arm is fully extended from tick 14 to tick 20.
#[test]
fn jabs_land_on_head_or_chest_around_their_peak() {
    for (a, b, target) in [("bruno", "runa", "head"), ("runa", "runa", "head"), ("runa", "bruno", "spine_03")] {
        let (first, last) = jab(a, b, target);
        println!("{a} jabs {b}: {target} from tick {first} to {last}");
        assert!((10..=14).contains(&first) && (22..=28).contains(&last), "{a} on {b}: ticks {first} to {last}");
    }
}

#[test]
fn characters_out_of_reach_do_not_touch() {
    let touches = fight(super::character("bruno"), "jab", super::character("runa"), "idle", 1.1);
    assert!(touches.is_empty(), "{touches:?}");
}

#[test]
fn brunos_kick_lands_with_the_foot() {
    let touches = fight(super::character("bruno"), "roundhouse_kick", super::character("runa"), "idle", 1.1);
    let (first, last) = window(&touches, &["foot_r", "ball_r"], "spine_03").expect("the foot meets the chest");
    assert!((24..=28).contains(&first) && last <= 40, "ticks {first} to {last}");
    assert!(touches.keys().all(|(a, _)| ["foot_r", "ball_r", "calf_r"].contains(&a.as_str())), "{touches:?}");
}

#[test]
fn the_hound_bites_runas_legs() {
    let touches = fight(super::character("hound"), "bite", super::character("runa"), "idle", 1.1);
    let first =
        ["thigh_l", "thigh_r"].iter().filter_map(|leg| window(&touches, &["jaw", "head"], leg)).map(|w| w.0).min();
    assert!((27..=31).contains(&first.expect("the head meets a thigh")), "{touches:?}");
    assert!(touches.keys().all(|(a, _)| ["head", "jaw"].contains(&a.as_str())), "{touches:?}");
}
