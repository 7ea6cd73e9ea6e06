//! Finds the hitboxes of two characters that touch or almost touch in the run time, while one character strikes the
//! other.

use anyhow::{Context as _, Result};
use baked_format::BakedCharacter;
use glam::{Affine3A, Vec3};
use runtime::{Character, ClipSampler, PosedCharacter};
use serde::Serialize;

/// Two characters at some times. `a` plays a clip at the origin, and `b` plays another clip in front of `a` and faces
/// it.
#[derive(Serialize)]
pub(crate) struct Meeting {
    clip_a: String,
    clip_b: String,
    /// The transform of `b` in column order: three columns of rotation and scale, one column of translation.
    world_from_b: [f32; 12],
    ticks: Vec<Tick>,
}

#[derive(Serialize)]
struct Tick {
    /// The times of both clips, in seconds on their own clocks.
    times: [f32; 2],
    pairs: Vec<Pair>,
}

/// Two hitboxes that overlap, or whose distance is at most [`NEAR`].
#[derive(Serialize)]
struct Pair {
    /// The names of their joints.
    joints: [String; 2],
    /// The depth of their overlap, in the scene's unit. A negative depth is minus their distance.
    depth: f32,
}

/// Pairs with a larger distance are not listed, in the scene's unit.
const NEAR: f32 = 0.05;

/// Ticks per second.
const RATE: f32 = 30.0;

impl Meeting {
    /// # Errors
    /// Returns an error if a character does not have the clip.
    pub(crate) fn new(
        (a, clip_a): (BakedCharacter, &str),
        (b, clip_b): (BakedCharacter, &str),
        distance: f32,
    ) -> Result<Self> {
        let (a, b) = (Character::from_baked(a), Character::from_baked(b));
        let find = |character: &Character, name: &str| {
            character.find_clip(name).with_context(|| format!("{} has no clip {name}", character.name()))
        };
        let (index_a, index_b) = (find(&a, clip_a)?, find(&b, clip_b)?);
        let turn = Affine3A::from_rotation_y(std::f32::consts::PI);
        let world_from_b = Affine3A::from_translation(distance * Vec3::Z) * turn;
        let (mut posed_a, mut posed_b, mut sampler) =
            (PosedCharacter::new(), PosedCharacter::new(), ClipSampler::new());
        let seconds = a.clips()[index_a.index()].seconds();
        let count = (seconds * RATE) as u32;
        let mut ticks = Vec::new();
        for tick in 0..=count {
            let time = |character: &Character, clip: runtime::ClipIndex| {
                let clip = &character.clips()[clip.index()];
                clip.start() + (tick as f32 / RATE) % clip.seconds().max(f32::MIN_POSITIVE)
            };
            let times = [time(&a, index_a), time(&b, index_b)];
            posed_a.pose_from_clip(&mut sampler, &a, &Affine3A::IDENTITY, index_a, times[0])?;
            posed_b.pose_from_clip(&mut sampler, &b, &world_from_b, index_b, times[1])?;
            let mut pairs = Vec::new();
            for one in posed_a.boxes() {
                for other in posed_b.boxes() {
                    let separation = one.obb().separation(&other.obb());
                    let depth = -separation.gap;
                    if depth >= -NEAR {
                        let joints = [a.joint_name(one.joint).to_owned(), b.joint_name(other.joint).to_owned()];
                        pairs.push(Pair { joints, depth });
                    }
                }
            }
            ticks.push(Tick { times, pairs });
        }
        let world_from_b = world_from_b.to_cols_array();
        Ok(Self { clip_a: clip_a.into(), clip_b: clip_b.into(), world_from_b, ticks })
    }
}
