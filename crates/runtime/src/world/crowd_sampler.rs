//! Samples the animations of many bodies. A pose that several bodies share is sampled once.
//!
//! The bodies of a crowd often play the same clip at the same time, at different places. The sampler keeps the joint
//! matrices of such a pose, so all bodies but the first only place them.
//!
//! Keeping a pose takes time, because the matrices fill caches. So the sampler looks at the hash of each animation first.
//! It keeps a pose only if its hash has occurred before, or if at least a fifth of the hashes before it had. In a world in
//! which no two bodies share a pose, no pose is kept.

use super::growth::make_room;
use crate::character::hitbox_table::HitboxTable;
use crate::kernels::Kernel;
use crate::sample::sampler::Socket;
use crate::{
    AnimationRef, Character, ClipIndex, ClipSampler, JointMask, PoseError, PoseLayer, PoseRecipeRef, PosedCharacter,
};
use glam::Affine3A;
use std::ops::Range;
use std::sync::{Arc, Weak};

/// The most animations that the sampler knows at a time. Their poses fit into a cache of 1 MB.
const MOST: usize = 256;
/// The number of slots in the hash table. At most every second slot is full, so few searches are long.
const SLOTS: usize = 2 * MOST;
const SLOT_BITS: u32 = SLOTS.trailing_zeros();

/// A [`ClipSampler`] for many bodies that samples shared poses once.
#[derive(Debug, Default)]
pub(super) struct CrowdSampler {
    sampler: ClipSampler,
    /// A hash table of indices into `known`, plus 1; 0 for an empty slot. Empty before the first search.
    slots: Vec<u16>,
    known: Vec<Known>,
    /// The poses that are kept. The list keeps the memory of earlier ones, from `pose_count` on.
    poses: Vec<Kept>,
    pose_count: usize,
    /// The joint matrices of the kept poses, one pose after another.
    matrices: Vec<Affine3A>,
    /// Grows with each animation that has occurred before and shrinks with each that has not. While it is not 0, a pose is
    /// kept when it is first sampled.
    credit: u32,
}

/// An animation that was sampled.
#[derive(Clone, Copy, Debug)]
struct Known {
    hash: u32,
    /// The index of its pose in `poses`.
    pose: Option<u16>,
}

/// A pose that is kept.
#[derive(Debug, Default)]
struct Kept {
    /// The hitboxes of the character. While this exists, no other character has the same address.
    character: Weak<HitboxTable>,
    /// A clip and the bits of its time; `None` for layers.
    clip: Option<(ClipIndex, u32)>,
    layers: Vec<PoseLayer>,
    matrices: Range<usize>,
}

impl CrowdSampler {
    pub(super) fn with_kernel(kernel: Kernel) -> Self {
        Self { sampler: ClipSampler::with_kernel(kernel), ..Self::default() }
    }

    /// [`PosedCharacter::pose`], with the same result. `between` is called before the boxes are placed.
    #[inline]
    pub(super) fn pose(
        &mut self,
        posed: &mut PosedCharacter,
        character: &Character,
        recipe: &PoseRecipeRef<'_>,
        between: impl FnOnce(),
    ) -> Result<(), PoseError> {
        let sampled = self.sample(character, &recipe.animation, &posed.sockets);
        let model_from_joint = sampled.inspect_err(|_| posed.clear())?;
        between();
        posed.pose_from_model(character, &recipe.place, model_from_joint)
    }

    /// `model_from_joint` of an animation, for the joints that a pose needs and the joints of `sockets`.
    #[inline]
    fn sample<'a>(
        &'a mut self,
        character: &'a Character,
        animation: &AnimationRef<'a>,
        sockets: &[Socket],
    ) -> Result<&'a [Affine3A], PoseError> {
        let of_character = mix(0, Arc::as_ptr(&character.hitboxes).addr() as u64);
        let hash = match *animation {
            AnimationRef::Rest => return Ok(character.rest_matrices()),
            AnimationRef::Joints(joints) => return Ok(joints),
            AnimationRef::Clip { clip, seconds } => hash_clip(of_character, clip, seconds),
            AnimationRef::Layers(layers) => layers.iter().fold(of_character, hash_layer),
        };
        // Kept poses have no other joints.
        if sockets.iter().any(|socket| character.needed.binary_search(&socket.joint).is_err()) {
            return sample(&mut self.sampler, character, animation, sockets);
        }
        let (known, is_new) = self.find((hash >> 32) as u32);
        self.credit = if is_new { self.credit.saturating_sub(1) } else { (self.credit + 4).min(MOST as u32) };
        let pose = self.known[known].pose.map(usize::from);
        if let Some(kept) = pose.map(|pose| &self.poses[pose]).filter(|kept| kept.is_of(character, animation)) {
            let matrices = kept.matrices.clone();
            return Ok(&self.matrices[matrices]);
        }
        let sampled = sample(&mut self.sampler, character, animation, &[])?;
        if pose.is_none() && self.credit > 0 {
            let start = self.matrices.len();
            // All poses of a character find room at once, so the list does not grow in a later tick.
            self.matrices.reserve_exact((MOST * sampled.len()).saturating_sub(start));
            self.matrices.extend_from_slice(sampled);
            if self.poses.len() == self.pose_count {
                make_room(&mut self.poses, 1);
                self.poses.push(Kept::default());
            }
            self.poses[self.pose_count].set(character, animation, start..self.matrices.len());
            self.known[known].pose = Some(self.pose_count as u16);
            self.pose_count += 1;
        }
        Ok(sampled)
    }

    /// Forgets all animations and poses.
    pub(super) fn forget(&mut self) {
        if !self.known.is_empty() {
            self.slots.fill(0);
            self.known.clear();
            self.matrices.clear();
            // The masks of layers would keep characters alive.
            self.poses[..self.pose_count].iter_mut().for_each(|kept| kept.layers.clear());
            self.pose_count = 0;
        }
    }

    /// The index in `known` of an animation with this hash, and `true` if it has not occurred before.
    fn find(&mut self, hash: u32) -> (usize, bool) {
        if self.known.len() == MOST {
            self.forget();
        }
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, 0);
            self.known.reserve_exact(MOST);
        }
        let mut slot = (hash >> (u32::BITS - SLOT_BITS)) as usize;
        loop {
            match usize::from(self.slots[slot]) {
                0 => break,
                known if self.known[known - 1].hash == hash => return (known - 1, false),
                _ => slot = (slot + 1) % SLOTS,
            }
        }
        self.known.push(Known { hash, pose: None });
        self.slots[slot] = self.known.len() as u16;
        (self.known.len() - 1, true)
    }
}

impl Kept {
    fn set(&mut self, character: &Character, animation: &AnimationRef<'_>, matrices: Range<usize>) {
        self.character = Arc::downgrade(&character.hitboxes);
        self.matrices = matrices;
        self.layers.clear();
        match *animation {
            AnimationRef::Clip { clip, seconds } => self.clip = Some((clip, seconds.to_bits())),
            AnimationRef::Layers(layers) => {
                self.clip = None;
                self.layers.extend_from_slice(layers);
            }
            AnimationRef::Rest | AnimationRef::Joints(_) => {}
        }
    }

    /// Returns `true` if sampling gives the matrices of this pose to the last bit.
    fn is_of(&self, character: &Character, animation: &AnimationRef<'_>) -> bool {
        let is_same = match *animation {
            AnimationRef::Clip { clip, seconds } => self.clip == Some((clip, seconds.to_bits())),
            AnimationRef::Layers(layers) => {
                self.clip.is_none()
                    && self.layers.len() == layers.len()
                    && self.layers.iter().zip(layers).all(|(kept, layer)| kept.is_same(layer))
            }
            AnimationRef::Rest | AnimationRef::Joints(_) => false,
        };
        is_same && std::ptr::eq(self.character.as_ptr(), Arc::as_ptr(&character.hitboxes))
    }
}

fn sample<'a>(
    sampler: &'a mut ClipSampler,
    character: &Character,
    animation: &AnimationRef<'a>,
    sockets: &[Socket],
) -> Result<&'a [Affine3A], PoseError> {
    match *animation {
        AnimationRef::Clip { clip, seconds } => sampler.sample_with(character, clip, seconds, sockets),
        AnimationRef::Layers(layers) => sampler.sample_layers_with(character, layers, sockets),
        AnimationRef::Rest | AnimationRef::Joints(_) => unreachable!("these are not sampled"),
    }
}

/// The hash of a clip at a time. The upper bits of a hash depend on all bits of all numbers.
fn hash_clip(hash: u64, clip: ClipIndex, seconds: f32) -> u64 {
    mix(hash, u64::from(clip.0) << 32 | u64::from(seconds.to_bits()))
}

fn hash_layer(hash: u64, layer: &PoseLayer) -> u64 {
    let hash = mix(hash_clip(hash, layer.clip, layer.seconds), layer.weight.to_bits().into());
    mix(hash, layer.mask.as_ref().map_or(0, JointMask::address) as u64 ^ layer.mode as u64)
}

fn mix(hash: u64, number: u64) -> u64 {
    /// An odd number without a pattern in its bits.
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    (hash.rotate_left(29) ^ number).wrapping_mul(FACTOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(seconds: f32) -> AnimationRef<'static> {
        AnimationRef::Clip { clip: ClipIndex(0), seconds }
    }

    /// Samples the animations in this order and returns the number of times that the sampler took a kept pose.
    fn taken(sampler: &mut CrowdSampler, character: &Character, times: impl Iterator<Item = f32>) -> usize {
        times
            .filter(|&seconds| {
                let before = sampler.matrices.len();
                let range = sampler.matrices.as_ptr_range();
                let sampled = sampler.sample(character, &clip(seconds), &[]).unwrap();
                let is_kept = range.contains(&sampled.as_ptr());
                let expected = ClipSampler::new().sample(character, ClipIndex(0), seconds).unwrap().to_vec();
                assert_eq!(format!("{sampled:?}"), format!("{expected:?}"));
                is_kept && before == sampler.matrices.len()
            })
            .count()
    }

    #[test]
    fn a_shared_pose_is_sampled_once() {
        let arm = Character::from_baked(baked_characters::baked_arm("arm"));
        let mut sampler = CrowdSampler::default();
        let crowd = |tick: u32| (0..1000).map(move |body: u32| (body % 100) as f32 * 1e-3 + tick as f32 * 0.5);
        // The first pose of a crowd is sampled twice: nothing tells before that bodies share poses.
        for (tick, expected) in [800, 900, 900].into_iter().enumerate() {
            assert_eq!(taken(&mut sampler, &arm, crowd(tick as u32)), expected);
            sampler.forget();
        }
    }

    #[test]
    fn a_pose_that_no_body_shares_is_not_kept() {
        let arm = Character::from_baked(baked_characters::baked_arm("arm"));
        let mut sampler = CrowdSampler::default();
        assert_eq!(taken(&mut sampler, &arm, (0..3000).map(|body| body as f32 * 1e-3)), 0);
        assert_eq!((sampler.matrices.capacity(), sampler.pose_count), (0, 0));
        // A crowd that stops sharing keeps no poses after a while.
        taken(&mut sampler, &arm, (0..3000).map(|body| (body % 10) as f32));
        assert!(sampler.pose_count > 0);
        taken(&mut sampler, &arm, (0..3000).map(|body| body as f32 * 1e-3));
        assert_eq!(sampler.pose_count, 0);
    }
}
