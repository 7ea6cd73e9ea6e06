//! The project's own characters, as a game would use them.

use glam::{Affine3A, Quat, Vec3};
use runtime::kernels::Kernel;
use runtime::{Character, ClipIndex, ClipSampler, JointPair, PosedCharacter, overlapping_joints};

pub(crate) fn load(name: &str) -> Character {
    let path = format!("{}/../../assets/{name}.bonebox", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    Character::load(&bytes).expect("our own bakes can be loaded")
}

#[test]
fn duels_of_real_characters_agree_with_every_pair_of_boxes() {
    let names = ["runa", "bruno", "hound"];
    let characters = names.map(load);
    let (mut a, mut b, mut pairs) = (PosedCharacter::new(), PosedCharacter::new(), Vec::new());
    let mut sampler = ClipSampler::new();
    let mut touches = 0;
    for first in &characters {
        for second in &characters {
            for step in 0..12u8 {
                let pick = |character: &Character| ClipIndex(u32::from(step) % character.clips().len() as u32);
                let turn = Quat::from_xyzw(0.0, 1.0, 0.0, 0.1 * f32::from(step)).normalize();
                let beside = Affine3A::from_rotation_translation(turn, Vec3::new(0.05, 0.0, 0.06 * f32::from(step)));
                let time = 0.11 * f32::from(step);
                a.pose_from_clip(&mut sampler, first, &Affine3A::IDENTITY, pick(first), time).unwrap();
                b.pose_from_clip(&mut sampler, second, &beside, pick(second), time).unwrap();
                let mut expected = Vec::new();
                for one in a.boxes() {
                    for other in b.boxes().filter(|other| one.obb().overlaps(&other.obb())) {
                        expected.push(JointPair { joint_a: one.joint, joint_b: other.joint });
                    }
                }
                expected.sort_unstable();
                expected.dedup();
                for kernel in Kernel::available() {
                    a.set_kernel(kernel);
                    overlapping_joints(&a, &b, &mut pairs);
                    assert_eq!(pairs, expected, "{} and {}, step {step}, {kernel:?}", first.name(), second.name());
                }
                touches += expected.len();
            }
        }
    }
    assert!(touches > 1000, "{touches}");
}
