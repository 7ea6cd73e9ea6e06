//! Poses two baked characters and prints the joints that touch. This is the program of the README.
//!
//! To run it, call `cargo run --release -p bonebox --example touching` in the folder of the workspace.

use bonebox::glam::{Affine3A, Vec3};
use bonebox::{Character, ClipSampler, PosedCharacter, overlapping_joints};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runa = Character::load(&std::fs::read("assets/runa.bonebox")?)?;
    let bruno = Character::load(&std::fs::read("assets/bruno.bonebox")?)?;
    // Keep these from tick to tick: they reuse their memory.
    let (mut a, mut b, mut pairs) = (PosedCharacter::new(), PosedCharacter::new(), Vec::new());
    let mut sampler = ClipSampler::new();
    // Every tick: your own joint matrices (pose_from_model), or a baked clip and the time in it, in seconds.
    a.pose_from_clip(&mut sampler, &runa, &Affine3A::IDENTITY, runa.find_clip("jab").ok_or("no jab")?, 0.3)?;
    let opposite = Affine3A::from_rotation_y(std::f32::consts::PI);
    b.pose_from_rest(&bruno, &(Affine3A::from_translation(0.8 * Vec3::Z) * opposite))?;
    overlapping_joints(&a, &b, &mut pairs);
    for pair in &pairs {
        println!("{} overlaps {}", runa.joint_name(pair.joint_a), bruno.joint_name(pair.joint_b));
    }
    Ok(())
}
