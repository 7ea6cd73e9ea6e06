//! Posing the 53 joints of an asset: baked boxes, boxes that hold their surface in any pose, and the whole skin.
//!
//! A run poses the character in 32 poses of a clip, from the joints' matrices to boxes and bounds in world space, and gives
//! the time of one pose. Matrices are sampled beforehand, because a game has them already. The case with the skin also poses
//! all vertices of the skin.

use baked_format::Source;
use bone_fit::{BakeOptions, bake};
use glam::{Affine3A, Quat, Vec3};
use paired_timing::Turns;
use runtime::kernels::Kernel;
use runtime::{Character, ClipSampler, PosedCharacter, SampleJoints};
use std::hint::black_box;

const POSES: usize = 32;

fn main() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/runa.glb");
    let model = skinned_model::import(&std::fs::read(path).expect("the asset"), &skinned_model::NoExternalFiles);
    let model = model.expect("a right model");
    let baked = |words: &[(&str, &str)]| {
        let source = Source { file: "runa.glb".into(), blake3: [0; 32], generator: String::new() };
        let options = BakeOptions::from_entries(words.iter().copied().chain([("measure", "none")])).expect("options");
        Character::from_baked(bake(&model, "runa", source, &options).expect("a bake").character)
    };
    let world = Affine3A::from_rotation_translation(Quat::from_rotation_y(0.7), Vec3::new(3.0, 0.0, -2.0));
    for (name, words) in [
        ("cover", &[("preset", "cover")][..]),
        ("always, envelope_bytes = 0", &[("preset", "always"), ("envelope_bytes", "0")]),
        ("always, envelope_bytes = 12000", &[("preset", "always"), ("envelope_bytes", "12000")]),
        ("always", &[("preset", "always")]),
        ("always, budget = 2", &[("preset", "always"), ("budget", "2")]),
        ("cover, with the whole skin", &[("preset", "cover"), ("skin", "lossless")]),
    ] {
        let character = baked(words);
        let bytes: usize = character.baked().envelopes.iter().map(baked_format::Envelope::bytes).sum();
        println!("{name}: {} boxes, envelopes of {bytes} bytes", character.box_count());
        let mut sampler = ClipSampler::new();
        sampler.set_joints(SampleJoints::All);
        let clip = character.find_clip("walk").unwrap_or(runtime::ClipIndex(0));
        let seconds = character.clips()[clip.index()].seconds();
        let pose = |index: usize, sampler: &mut ClipSampler| {
            let at = seconds * index as f32 / POSES as f32;
            sampler.sample(&character, clip, at).expect("a pose").to_vec()
        };
        let poses: Vec<Vec<Affine3A>> = (0..POSES).map(|index| pose(index, &mut sampler)).collect();
        let mut turns = Turns::new("any_pose", name).items(POSES as f64, "pose");
        for kernel in Kernel::available() {
            let (poses, character, world) = (&poses, &character, &world);
            let mut posed = PosedCharacter::with_kernel(kernel);
            let has_skin = character.baked().skin.is_some();
            posed.track_skin(has_skin);
            turns.ours(format!("{kernel:?}"), move || {
                for pose in poses {
                    posed.pose_from_model(character, black_box(world), black_box(pose)).expect("a pose");
                    assert!(posed.is_posed());
                    if has_skin {
                        posed.prepare_skin().expect("a skin");
                    }
                }
            });
        }
        turns.run();
    }
}
