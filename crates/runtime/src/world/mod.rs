//! Many characters: who touches whom, and what has changed since the last tick.
//!
//! A tick is: pose the bodies, [`HitboxWorld::update`], read [`HitboxWorld::touches`] or [`HitboxWorld::events`]. The broad phase sorts
//! the bodies' bounds along one axis and tests sixteen at a time on the other two; the narrow phase collects pairs of
//! boxes over all bodies and tests them in full vectors.

mod body;
mod broad;
mod layers;
mod order;
mod touches;

pub use body::{Body, BodyMut};
pub(crate) use layers::boxes_interact;
pub use layers::{BodySettings, CollisionLayers};
pub use touches::{Touch, TouchEvent, TouchPhase};

use crate::box_lanes::LANES;
use crate::kernels::{self, Batch, Kernel};
use crate::{Bounds, Character, ClipIndex, ClipSampler, PoseError};
use body::{BodiesMut, MANY};
pub(crate) use broad::BroadPhase;
use glam::Affine3A;
use layers::BodyLayers;
use order::PairOrder;
use skeleton::JointIndex;
use std::sync::Arc;

/// A body's name in its world: the caller's own numbers, in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct BodyId(pub u64);

/// Why a body could not be added, posed or filtered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// Remove the body of that name first, or take another number.
    #[error("body {0:?} is in the world already")]
    AlreadyThere(BodyId),
    /// Insert it first.
    #[error("there is no body {0:?} in the world")]
    NoBody(BodyId),
    /// No box of the character has the tag.
    #[error("body {id:?}: no box of {character:?} has the tag {tag:?}")]
    NoTag {
        /// The body.
        id: BodyId,
        /// Its character's name.
        character: String,
        /// The tag asked for.
        tag: String,
    },
    /// The pose was refused; the body has no boxes until it is posed again.
    #[error(transparent)]
    Pose(#[from] PoseError),
}

/// Many characters: who touches whom, and what has changed since the last tick.
///
/// Answers are sorted by body, then joint, and do not depend on the order of insertion, the kernel or the number of
/// threads. [`HitboxWorld::update`] allocates nothing once its buffers have grown.
///
/// A body of 24 boxes takes 2.3 KB beside its shared [`Character`], 64 bytes a box and 384 for each 16 bounds, and the
/// world less than 500 bytes beside that; as much again for the boxes once [`HitboxWorld::start_motion`] keeps a second pose.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
/// use glam::{Affine3A, Vec3};
/// use runtime::{HitboxWorld, BodyId, BodySettings, TouchPhase};
/// use std::sync::Arc;
///
/// let arm = Arc::new(example::arm("Arm"));
/// let mut world = HitboxWorld::new();
/// for id in [BodyId(10), BodyId(3)] {
///     world.insert(id, Arc::clone(&arm), BodySettings::default())?;
/// }
/// for (x, phase) in [(0.5, TouchPhase::Started), (0.4, TouchPhase::Persisted), (9.0, TouchPhase::Ended)] {
///     world.pose_from_rest(BodyId(3), &Affine3A::IDENTITY)?;
///     world.pose_from_rest(BodyId(10), &Affine3A::from_translation(Vec3::X * x))?;
///     world.update();
///     assert_eq!(world.events().len(), 4); // upper and fore of one, upper and fore of the other
///     assert!(world.events().iter().all(|event| event.phase == phase && event.touch.a == BodyId(3)));
/// }
/// # Ok::<(), runtime::WorldError>(())
/// ```
#[derive(Debug)]
pub struct HitboxWorld {
    /// By id.
    pub(crate) bodies: Vec<Body>,
    pub(crate) kernel: Kernel,
    pub(crate) broad: BroadPhase,
    /// Over all that moving bodies pass through; nothing until a motion is started.
    pub(crate) swept: Option<BroadPhase>,
    touches: Vec<Touch>,
    before: Vec<Touch>,
    events: Vec<TouchEvent>,
    sampler: ClipSampler,
    found: Found,
    /// Behind the body that was posed last.
    next: usize,
    /// By body.
    body_layers: Vec<BodyLayers>,
    order: PairOrder,
    #[cfg(feature = "rayon")]
    chunks: Vec<Found>,
}

/// Joints that touch, pair of bodies after pair, and where each pair's end.
#[derive(Debug, Default)]
struct Found {
    joints: Vec<[JointIndex; 2]>,
    ends: Vec<u32>,
}

impl Found {
    fn clear(&mut self) {
        self.joints.clear();
        self.ends.clear();
    }
}

impl Default for HitboxWorld {
    fn default() -> Self {
        Self::new()
    }
}

impl HitboxWorld {
    /// Without bodies.
    #[must_use]
    pub fn new() -> Self {
        Self::with_kernel(Kernel::best())
    }

    /// With a kernel of your choice; the answers are the same.
    #[must_use]
    pub fn with_kernel(kernel: Kernel) -> Self {
        Self {
            bodies: Vec::new(),
            kernel,
            broad: BroadPhase::default(),
            swept: None,
            touches: Vec::new(),
            before: Vec::new(),
            events: Vec::new(),
            sampler: ClipSampler::new(),
            found: Found::default(),
            next: 0,
            body_layers: Vec::new(),
            order: PairOrder::default(),
            #[cfg(feature = "rayon")]
            chunks: Vec::new(),
        }
    }

    /// Adds a body; it has no boxes until it is posed.
    ///
    /// # Errors
    /// A body of that name is there already.
    pub fn insert(&mut self, id: BodyId, character: Arc<Character>, settings: BodySettings) -> Result<(), WorldError> {
        let Err(place) = self.find(id) else { return Err(WorldError::AlreadyThere(id)) };
        self.bodies.insert(place, Body::new(id, character, settings));
        self.forget();
        Ok(())
    }

    /// Takes a body out; its touches end with the next update.
    ///
    /// # Errors
    /// There is no body of that name.
    pub fn remove(&mut self, id: BodyId) -> Result<Body, WorldError> {
        let place = self.find(id).map_err(|_| WorldError::NoBody(id))?;
        self.forget();
        Ok(self.bodies.remove(place))
    }

    /// Gives all boxes that have a tag a filter of their own, until the body is removed.
    ///
    /// # Errors
    /// No such body, or none of its boxes has the tag.
    pub fn set_tag_layers(&mut self, id: BodyId, tag: &str, layers: CollisionLayers) -> Result<(), WorldError> {
        let body = self.body_by_id(id)?;
        let boxes = &body.character.baked().boxes;
        let has_tag = |index: usize| boxes[index].tags.iter().any(|word| word == tag);
        if !(0..boxes.len()).any(has_tag) {
            let character = body.character.name().into();
            return Err(WorldError::NoTag { id, character, tag: tag.into() });
        }
        body.box_layers.resize(boxes.len(), body.settings.layers);
        for index in (0..boxes.len()).filter(|&index| has_tag(index)) {
            body.box_layers[index] = layers;
        }
        body.any = body.box_layers.iter().fold(CollisionLayers::NONE, |any, one| any.union(*one));
        Ok(())
    }

    /// All bodies, by name.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = &Body> {
        self.bodies.iter()
    }

    /// All bodies, by name, for posing.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
    /// # use glam::Affine3A; use runtime::{HitboxWorld, BodyId, BodySettings}; use std::sync::Arc;
    /// # let mut world = HitboxWorld::new();
    /// # world.insert(BodyId(1), Arc::new(example::arm("Arm")), BodySettings::default())?;
    /// for body in world.bodies_mut() {
    ///     body.posed.pose_from_rest(body.character, &Affine3A::IDENTITY)?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bodies_mut(&mut self) -> impl ExactSizeIterator<Item = BodyMut<'_>> {
        BodiesMut::new(&mut self.bodies)
    }

    /// The body of that name.
    #[must_use]
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        self.find(id).ok().map(|place| &self.bodies[place])
    }

    /// See [`crate::PosedCharacter::pose_from_model`].
    ///
    /// # Errors
    /// No such body; a pose that is refused.
    pub fn pose_from_model(
        &mut self,
        id: BodyId,
        world_from_model: &Affine3A,
        model_from_joint: &[Affine3A],
    ) -> Result<(), WorldError> {
        let place = self.find_to_pose(id)?;
        let body = &mut self.bodies[place];
        Ok(body.posed.pose_from_model(&body.character, world_from_model, model_from_joint)?)
    }

    /// See [`crate::PosedCharacter::pose_from_world`].
    ///
    /// # Errors
    /// No such body; a pose that is refused.
    pub fn pose_from_world(&mut self, id: BodyId, world_from_joint: &[Affine3A]) -> Result<(), WorldError> {
        let place = self.find_to_pose(id)?;
        let body = &mut self.bodies[place];
        Ok(body.posed.pose_from_world(&body.character, world_from_joint)?)
    }

    /// See [`crate::PosedCharacter::pose_from_clip`]; all bodies share the memory that sampling needs.
    ///
    /// # Errors
    /// No such body or clip; a pose that is refused.
    pub fn pose_from_clip(
        &mut self,
        id: BodyId,
        world_from_model: &Affine3A,
        clip: ClipIndex,
        seconds: f32,
    ) -> Result<(), WorldError> {
        let place = self.find_to_pose(id)?;
        let body = &mut self.bodies[place];
        Ok(body.posed.pose_from_clip_by(&mut self.sampler, &body.character, world_from_model, clip, seconds)?)
    }

    /// See [`crate::PosedCharacter::pose_from_rest`].
    ///
    /// # Errors
    /// No such body; a pose that is refused.
    pub fn pose_from_rest(&mut self, id: BodyId, world_from_model: &Affine3A) -> Result<(), WorldError> {
        let place = self.find_to_pose(id)?;
        let body = &mut self.bodies[place];
        let rest = self.sampler.rest(&body.character);
        Ok(body.posed.pose_from_model(&body.character, world_from_model, rest)?)
    }

    /// Keeps all poses as they are now: bodies move from them to where they are posed next, until this is called again.
    /// Bodies that come later stand still.
    ///
    /// For [`HitboxWorld::sweep`] and its like, which the next [`HitboxWorld::update`] prepares; it then takes some time longer. The
    /// first call allocates: memory for as many boxes again.
    pub fn start_motion(&mut self) {
        self.swept.get_or_insert_default();
        for Body { posed, before, .. } in &mut self.bodies {
            before.get_or_insert_default().as_mut().clone_from(posed);
        }
    }

    /// Finds all touches of the poses as they are now, and what has changed since the last update.
    pub fn update(&mut self) {
        self.find_pairs();
        self.found.clear();
        narrow(self.kernel, &self.bodies, self.broad.pairs(), &mut self.found);
        self.collect();
    }

    /// [`HitboxWorld::update`] on all threads of rayon's pool; the same answers.
    #[cfg(feature = "rayon")]
    pub fn update_parallel(&mut self) {
        use rayon::prelude::*;
        /// Pairs of bodies for one task: some ten microseconds.
        const PAIRS: usize = 64;
        self.find_pairs();
        let (kernel, bodies, pairs) = (self.kernel, &self.bodies, self.broad.pairs());
        let chunks = pairs.len().div_ceil(PAIRS);
        if self.chunks.len() < chunks {
            self.chunks.resize_with(chunks, Found::default);
        }
        self.chunks[..chunks].par_iter_mut().zip(pairs.par_chunks(PAIRS)).for_each(|(found, pairs)| {
            found.clear();
            narrow(kernel, bodies, pairs, found);
        });
        self.found.clear();
        for chunk in &self.chunks[..chunks] {
            let start = self.found.joints.len() as u32;
            self.found.joints.extend_from_slice(&chunk.joints);
            self.found.ends.extend(chunk.ends.iter().map(|end| start + end));
        }
        self.collect();
    }

    /// Which joints touched at the last update: sorted by bodies, then joints, `a` below `b`.
    #[must_use]
    pub fn touches(&self) -> &[Touch] {
        &self.touches
    }

    /// The touches of the last update and of the one before, and what became of each; sorted as [`HitboxWorld::touches`].
    #[must_use]
    pub fn events(&self) -> &[TouchEvent] {
        &self.events
    }

    fn find(&self, id: BodyId) -> Result<usize, usize> {
        self.bodies.binary_search_by_key(&id, |body| body.id)
    }

    /// [`HitboxWorld::find`] for bodies that are posed one after another: whoever goes by name comes to the next place.
    fn find_to_pose(&mut self, id: BodyId) -> Result<usize, WorldError> {
        let place = match self.bodies.get(self.next) {
            Some(body) if body.id == id => self.next,
            _ => self.find(id).map_err(|_| WorldError::NoBody(id))?,
        };
        self.next = place + 1;
        if self.bodies.len() > MANY
            && let Some(next) = self.bodies.get(self.next)
        {
            next.posed.prefetch();
        }
        Ok(place)
    }

    fn body_by_id(&mut self, id: BodyId) -> Result<&mut Body, WorldError> {
        let place = self.find(id).map_err(|_| WorldError::NoBody(id))?;
        Ok(&mut self.bodies[place])
    }

    /// Bodies have other numbers now.
    fn forget(&mut self) {
        self.broad.forget();
        self.swept.iter_mut().for_each(BroadPhase::forget);
    }

    fn find_pairs(&mut self) {
        std::mem::swap(&mut self.touches, &mut self.before);
        let bodies = &self.bodies;
        // All that the broad phase wants of a body lies close together, for it comes back to bodies in any order.
        self.body_layers.clear();
        self.body_layers.extend(bodies.iter().map(BodyLayers::new));
        let body_layers = &self.body_layers;
        self.broad.update(self.kernel, bodies.iter().map(|body| body.posed.bounds()), |a, b| {
            body_layers[a].interacts_with(&body_layers[b])
        });
        if let Some(swept) = &mut self.swept {
            let bounds = bodies.iter().map(|body| body.motion().bounds());
            swept.update(self.kernel, bounds, |a, b| body_layers[a].interacts_with(&body_layers[b]));
        }
        self.broad.add_own_pairs(bodies.iter().map(|body| body.settings.self_touches));
    }

    /// From the broad phase's order, in which neighbours are in the cache, to that of the bodies' names.
    fn collect(&mut self) {
        let (found, bodies, touches) = (&self.found, &self.bodies, &mut self.touches);
        touches.clear();
        touches.reserve(found.joints.len());
        let mut in_order = true;
        self.order.each(bodies.len(), self.broad.pairs(), |[a, b], pair| {
            let start = if pair == 0 { 0 } else { found.ends[pair - 1] };
            let joints = &found.joints[start as usize..found.ends[pair] as usize];
            if !joints.is_empty() {
                let (a, b) = (&bodies[a], &bodies[b]);
                in_order &= a.character.has_one_box_a_joint && b.character.has_one_box_a_joint
                    || joints.is_sorted_by(|one, next| one < next);
                let (a, b) = (a.id, b.id);
                touches.extend(joints.iter().map(|&[joint_a, joint_b]| Touch { a, b, joint_a, joint_b }));
            }
        });
        // A joint with several boxes may have given pairs twice or out of order.
        if !in_order {
            touches.sort_unstable();
            touches.dedup();
        }
        touches::compare(&self.before, &self.touches, &mut self.events);
    }
}

/// Tests the boxes of pairs of bodies (places in `bodies`).
fn narrow(kernel: Kernel, bodies: &[Body], pairs: &[[u32; 2]], found: &mut Found) {
    let at = |tag: u32| pairs[tag as usize].map(|place| &bodies[place as usize]);
    let Found { joints, ends } = found;
    let mut batch = Batch::new();
    let mut touch = |tag: u32, some: &[[u16; 2]]| {
        // They come in the order of their pairs.
        ends.resize(tag as usize, joints.len() as u32);
        let [a, b] = at(tag);
        let of_boxes =
            |&[first, second]: &[u16; 2]| [a.posed.joints[usize::from(first)], b.posed.joints[usize::from(second)]];
        if layers::all_boxes_interact(a, b) {
            joints.extend(some.iter().map(of_boxes));
        } else {
            let meet = |&[first, second]: &[u16; 2]| layers::boxes_interact((a, first.into()), (b, second.into()));
            joints.extend(some.iter().filter(|pair| meet(pair)).map(of_boxes));
        }
        true
    };
    for tag in 0..pairs.len() as u32 {
        if bodies.len() > MANY {
            ask_for(bodies, &pairs[tag as usize..]);
        }
        let [a, b] = at(tag);
        with_near(kernel, b, &a.posed.bounds, |b_near| {
            let b_side = b.side(b_near);
            with_near(kernel, a, &b_side.reach(&b.posed.bounds), |a_near| {
                let a_side = a.side(a_near);
                if bodies.len() > MANY {
                    a_side.prefetch();
                    b_side.prefetch();
                }
                kernels::near_pairs(kernel, &a_side, &b_side, tag, &mut batch, &mut touch);
            });
        });
    }
    kernels::flush(kernel, &mut batch, &mut touch);
    found.ends.resize(pairs.len(), found.joints.len() as u32);
}

/// Asks for the memory of pairs that come soon: first where it is, then the bounds in it. What of the boxes is needed
/// shows when the bounds are there ([`kernels::Side`]).
#[inline]
fn ask_for(bodies: &[Body], pairs: &[[u32; 2]]) {
    const SOON: usize = 8;
    const SOONER: usize = 4;
    for &place in pairs.get(SOON).into_iter().flatten() {
        kernels::prefetch(std::slice::from_ref(&bodies[place as usize].posed));
    }
    for &place in pairs.get(SOONER).into_iter().flatten() {
        kernels::prefetch(&bodies[place as usize].posed.blocks);
    }
}

/// Passes on which boxes of the body reach into `bounds`, unless none does.
fn with_near(kernel: Kernel, body: &Body, bounds: &Bounds, then: impl FnOnce(&[u16])) {
    const BLOCKS: usize = (1 << 16) / LANES;
    let mut few = [0; 16];
    let blocks = &body.posed.blocks;
    if let Some(near) = few.get_mut(..blocks.len()) {
        kernels::bounds_masks(kernel, bounds, blocks, near);
        if near.iter().any(|&mask| mask != 0) {
            then(near);
        }
    } else {
        // A body of more than 256 boxes: the stack takes any that a file can hold.
        let mut many = [0; BLOCKS];
        let near = &mut many[..blocks.len()];
        kernels::bounds_masks(kernel, bounds, blocks, near);
        then(near);
    }
}
