//! Many characters: finds the hitboxes of different bodies that overlap, and the changes since the last tick.
//!
//! A tick has three steps: pose the bodies, call [`HitboxWorld::update`], and read [`HitboxWorld::touches`] or
//! [`HitboxWorld::events`]. The broad phase sorts the bodies' bounds into strips and tests sixteen at a time on all
//! axes. The narrow phase collects pairs of boxes over all bodies and tests them in full vectors.

mod body;
mod broad_phase;
mod error;
mod layers;
mod pair_order;
mod pose;
mod queries;
mod query_filter;
mod ray_batches;
mod settings;
mod skins;
#[cfg(feature = "serde")]
mod state;
mod sweeps;
mod touches;

pub use body::Body;
pub use error::WorldError;
pub use layers::{BodySettings, CollisionLayers};
pub use pose::BodyPoser;
pub use queries::{BodyRayHit, BodyShapeOverlap};
pub use query_filter::{BoxPredicate, QueryFilter};
pub use ray_batches::{RayBuffers, RayQuery};
pub use skins::{BodyShapeTouch, BodySkinHit, SkinTouch};
#[cfg(feature = "serde")]
pub use state::{RestoreError, WorldState};
pub use sweeps::{BodyCastHit, BodySweepHit};
pub use touches::{Touch, TouchEvent, TouchPhase};

use crate::clone_in_place::clone_in_place;
use crate::kernels::{self, Batch, Kernel};
use crate::query::box_pairs::{BOXES_IN_ORDER, add_near_pairs, shapes_overlap};
use crate::query::contact::{Contact, contact};
use crate::{BoxIndex, Character, ClipSampler};
use body::MANY;
use broad_phase::BroadPhase;
use layers::{AllLayers, BodyLayers};
use pair_order::PairOrder;
use skeleton::JointIndex;
use skins::SkinScratch;
use std::fmt;
use std::sync::Arc;

/// The id of a body in its world: a number that the caller chooses, in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct BodyId(pub u64);

impl fmt::Display for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Many characters: finds the hitboxes of different bodies that overlap, and the changes since the last tick.
///
/// Answers are sorted by body, then box, and do not depend on the order of insertion, the kernel or the number of
/// threads. [`HitboxWorld::update`] allocates nothing once its buffers have grown.
///
/// Touches and events are those of the last update. Ray casts and shape queries use the current poses. Sweeps and casts
/// use the motion of each body, from its pose in the tick before to its current pose; a call of [`HitboxWorld::update`]
/// ends a tick. All queries find bodies that were inserted and posed since the last update, and do not find removed
/// bodies.
///
/// A clone is a saved state: an update of the clone gives the events that an update of the original would have given.
/// `clone_from` reuses memory, for rolling back every tick.
///
/// A body of 24 boxes takes 1.9 KB in addition to its shared [`Character`] (48 bytes for each box and 384 bytes for
/// each 16 bounds), and the world less than 600 bytes for each body in addition to that. The boxes take the same memory
/// again if a second pose is kept, by [`BodySettings::continuous`] or [`HitboxWorld::start_motion`].
///
/// ```
/// use glam::{Affine3A, Vec3};
/// use runtime::{BodyId, BodySettings, Character, HitboxWorld, TouchPhase};
/// use std::sync::Arc;
///
/// let arm = Arc::new(Character::load(&std::fs::read("tests/data/arm.bonebox")?)?);
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
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct HitboxWorld {
    /// The bodies, sorted by id.
    bodies: Vec<Body>,
    /// The ids of `bodies`, close together in memory.
    ids: Vec<BodyId>,
    kernel: Kernel,
    broad: BroadPhase,
    /// The broad phase over the bounds of whole motions; `None` until a motion is started.
    swept: Option<BroadPhase>,
    /// `true` if any body was posed since the last update.
    any_moved: bool,
    /// The places of the bodies that were posed since the last update, in any order.
    moved: Vec<u32>,
    touches: Vec<Touch>,
    /// Touches of the last update whose bodies were removed since.
    ended: Vec<Touch>,
    events: Vec<TouchEvent>,
    before: Vec<Touch>,
    sampler: ClipSampler,
    found: Found,
    /// The place of the body that was posed last by its id, and the place of the body that is expected next.
    posed: [usize; 2],
    layers: AllLayers,
    order: PairOrder,
    skins: SkinScratch,
    #[cfg(feature = "rayon")]
    chunks: Vec<Found>,
    #[cfg(feature = "rayon")]
    samplers: Vec<ClipSampler>,
}

#[cfg(not(feature = "rayon"))]
clone_in_place!(HitboxWorld {
    bodies, ids, kernel, broad, swept, any_moved, moved, touches, ended, events, layers;
    before, sampler, found, posed, order, skins
});
#[cfg(feature = "rayon")]
clone_in_place!(HitboxWorld {
    bodies, ids, kernel, broad, swept, any_moved, moved, touches, ended, events, layers;
    before, sampler, found, posed, order, skins, chunks, samplers
});

/// Boxes that overlap, one pair of bodies after another, and the end of each pair's range in `boxes`.
#[derive(Debug, Default)]
struct Found {
    /// The two boxes, and the joints that they are attached to.
    boxes: Vec<[u16; 4]>,
    ends: Vec<u32>,
    /// `true` if a body has so many boxes that its boxes may be out of order.
    has_many_boxes: bool,
}

impl Found {
    fn clear(&mut self) {
        self.boxes.clear();
        self.ends.clear();
        self.has_many_boxes = false;
    }
}

impl Default for HitboxWorld {
    fn default() -> Self {
        Self::new()
    }
}

impl HitboxWorld {
    /// A world without bodies.
    #[must_use]
    pub fn new() -> Self {
        Self::with_kernel(Kernel::best())
    }

    /// A world without bodies that uses the given kernel for posing and for all queries. All kernels give the same
    /// answers.
    #[must_use]
    pub fn with_kernel(kernel: Kernel) -> Self {
        Self {
            bodies: Vec::new(),
            ids: Vec::new(),
            kernel,
            broad: BroadPhase::default(),
            swept: None,
            any_moved: false,
            moved: Vec::new(),
            touches: Vec::new(),
            ended: Vec::new(),
            events: Vec::new(),
            before: Vec::new(),
            sampler: ClipSampler::with_kernel(kernel),
            found: Found::default(),
            posed: [0, 0],
            layers: AllLayers::default(),
            order: PairOrder::default(),
            skins: SkinScratch::default(),
            #[cfg(feature = "rayon")]
            chunks: Vec::new(),
            #[cfg(feature = "rayon")]
            samplers: Vec::new(),
        }
    }

    /// Adds a body. The body has no pose, and nothing finds it, until it is posed.
    ///
    /// # Errors
    /// Returns an error if a body with this id exists.
    pub fn insert(&mut self, id: BodyId, character: Arc<Character>, settings: BodySettings) -> Result<(), WorldError> {
        let Err(place) = self.find(id) else { return Err(WorldError::AlreadyThere(id)) };
        let body = Body::new(id, character, settings, self.kernel);
        self.ids.insert(place, id);
        self.layers.insert(place, BodyLayers::new(&body));
        self.bodies.insert(place, body);
        self.moved.iter_mut().filter(|moved| **moved >= place as u32).for_each(|moved| *moved += 1);
        self.broad.insert(place);
        if let Some(swept) = &mut self.swept {
            swept.insert(place);
        }
        if settings.continuous {
            self.prepare_motion();
        }
        Ok(())
    }

    /// Removes a body: nothing finds it from now on, [`HitboxWorld::touches`] no longer has its touches, and the next
    /// update reports that these touches ended, even if another body gets the same id before that update.
    ///
    /// # Errors
    /// Returns an error if no body has this id.
    pub fn remove(&mut self, id: BodyId) -> Result<Body, WorldError> {
        let place = self.place(id)?;
        self.broad.remove(place);
        if let Some(swept) = &mut self.swept {
            swept.remove(place);
        }
        let ended = &mut self.ended;
        self.touches.retain(|touch| {
            let is_of = touch.a == id || touch.b == id;
            if is_of {
                ended.push(*touch);
            }
            !is_of
        });
        self.ids.remove(place);
        self.layers.remove(place);
        self.moved.retain(|&moved| moved != place as u32);
        self.moved.iter_mut().filter(|moved| **moved > place as u32).for_each(|moved| *moved -= 1);
        Ok(self.bodies.remove(place))
    }

    /// All bodies, sorted by id.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = &Body> {
        self.bodies.iter()
    }

    /// The bodies without a pose, sorted by id: bodies that were not posed since they were inserted, and bodies whose
    /// last pose failed. No query finds these bodies.
    pub fn unposed_bodies(&self) -> impl Iterator<Item = &Body> {
        self.bodies.iter().filter(|body| !body.posed.is_posed())
    }

    /// The body with this id.
    #[must_use]
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        self.find(id).ok().map(|place| &self.bodies[place])
    }

    /// Finds all touches in the present poses, and the changes since the last update.
    ///
    /// # Panics
    /// Panics if the processor does not support the kernel of [`HitboxWorld::with_kernel`].
    pub fn update(&mut self) {
        self.find_pairs();
        self.found.clear();
        narrow(self.kernel, &self.bodies, self.broad.pairs(), &mut self.found);
        self.collect();
    }

    /// [`HitboxWorld::update`] on all threads of rayon's pool, with the same answers.
    ///
    /// # Panics
    /// Panics if the processor does not support the kernel of [`HitboxWorld::with_kernel`].
    #[cfg(feature = "rayon")]
    pub fn update_parallel(&mut self) {
        use rayon::prelude::*;
        /// The number of pairs of bodies in one task, which takes about ten microseconds.
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
            let start = self.found.boxes.len() as u32;
            self.found.boxes.extend_from_slice(&chunk.boxes);
            self.found.ends.extend(chunk.ends.iter().map(|end| start + end));
            self.found.has_many_boxes |= chunk.has_many_boxes;
        }
        self.collect();
    }

    /// The pairs of hitboxes that overlapped at the last update, without the pairs of bodies that were removed since.
    /// Sorted by bodies, then boxes; the id `a` is at most `b`. [`crate::keep_one_per_joint_pair`] reduces a copy of the
    /// list to pairs of joints.
    #[must_use]
    pub fn touches(&self) -> &[Touch] {
        &self.touches
    }

    /// The touches of the last update and of the update before, each with its phase, sorted as
    /// [`HitboxWorld::touches`]. If a body was removed and another body was inserted under its id, a touch that ended
    /// comes before the touch that started.
    #[must_use]
    pub fn events(&self) -> &[TouchEvent] {
        &self.events
    }

    /// The contact (depth, direction and points) of the two hitboxes of a touch in the present poses. `None` if a body
    /// was removed or has no pose.
    #[must_use]
    pub fn contact(&self, touch: &Touch) -> Option<Contact> {
        let (a, b) = (self.body(touch.a)?, self.body(touch.b)?);
        contact(&a.posed, touch.box_a, &b.posed, touch.box_b)
    }

    fn find(&self, id: BodyId) -> Result<usize, usize> {
        self.ids.binary_search(&id)
    }

    fn place(&self, id: BodyId) -> Result<usize, WorldError> {
        self.find(id).map_err(|_| WorldError::NoBody(id))
    }

    /// Ends the tick for each body, then finds pairs of bodies.
    fn find_pairs(&mut self) {
        std::mem::swap(&mut self.touches, &mut self.before);
        if let Some(swept) = &mut self.swept {
            let stopped = |body: &Body| body.settings.continuous && !body.moved && !body.is_still;
            for (place, body) in self.bodies.iter_mut().enumerate().filter(|(_, body)| stopped(body)) {
                body.is_still = true;
                body.find_swept_bounds();
                swept.set(place, &body.swept_bounds);
            }
        }
        for place in self.moved.drain(..) {
            let body = &mut self.bodies[place as usize];
            (body.moved, body.is_noted) = (false, false);
        }
        self.any_moved = false;
        let interact = |a: usize, b: usize| self.layers.interact(a, b);
        self.broad.update(self.kernel, interact);
        if let Some(swept) = &mut self.swept {
            swept.update(self.kernel, interact);
        }
        self.broad.add_own_pairs(self.layers.with_self_touches());
    }

    /// Reorders the pairs from the order of the broad phase, which is good for the cache, to the order of the bodies'
    /// ids.
    fn collect(&mut self) {
        let (found, ids, touches) = (&self.found, &self.ids, &mut self.touches);
        touches.clear();
        touches.reserve(found.boxes.len());
        self.order.each(ids.len(), self.broad.pairs(), |[a, b], pair| {
            let start = if pair == 0 { 0 } else { found.ends[pair - 1] };
            let boxes = &found.boxes[start as usize..found.ends[pair] as usize];
            touches.extend(boxes.iter().map(|&[box_a, box_b, joint_a, joint_b]| Touch {
                a: ids[a],
                b: ids[b],
                box_a: BoxIndex(box_a),
                box_b: BoxIndex(box_b),
                joint_a: JointIndex(joint_a),
                joint_b: JointIndex(joint_b),
            }));
        });
        if found.has_many_boxes {
            touches.sort_unstable();
        }
        touches::compare(&self.before, &self.touches, &mut self.events);
        if !self.ended.is_empty() {
            touches::add_ended(&mut self.ended, &mut self.events);
        }
    }
}

/// Tests the boxes of pairs of bodies (places in `bodies`).
fn narrow(kernel: Kernel, bodies: &[Body], pairs: &[[u32; 2]], found: &mut Found) {
    let bodies_of = |pair: u32| pairs[pair as usize].map(|place| &bodies[place as usize]);
    let Found { boxes, ends, has_many_boxes } = found;
    let mut batch = Batch::new();
    let mut sink = |pair: u32, some: &[[u16; 2]]| {
        // The hits arrive in the order of their pairs.
        ends.resize(pair as usize, boxes.len() as u32);
        let [a, b] = bodies_of(pair);
        let (joints_a, joints_b) = (a.posed.joints(), b.posed.joints());
        let with_joints = |&[first, second]: &[u16; 2]| {
            [first, second, joints_a[usize::from(first)].0, joints_b[usize::from(second)].0]
        };
        let only_boxes = a.posed.has_only_boxes() && b.posed.has_only_boxes();
        *has_many_boxes |= joints_a.len().max(joints_b.len()) > BOXES_IN_ORDER;
        if only_boxes && layers::all_boxes_interact(a, b) {
            boxes.extend(some.iter().map(with_joints));
        } else {
            let touch = |&&[first, second]: &&[u16; 2]| {
                layers::boxes_interact((a, first.into()), (b, second.into()))
                    && (only_boxes || shapes_overlap(&a.posed, &b.posed, [first, second]))
            };
            boxes.extend(some.iter().filter(touch).map(with_joints));
        }
        true
    };
    let prefetch = bodies.len() > MANY;
    for pair in 0..pairs.len() as u32 {
        if prefetch {
            prefetch_pairs(bodies, &pairs[pair as usize..]);
        }
        let [a, b] = bodies_of(pair);
        add_near_pairs(kernel, &a.posed, &b.posed, pair, prefetch, &mut batch, &mut sink);
    }
    kernels::flush(kernel, &mut batch, &mut sink);
    found.ends.resize(pairs.len(), found.boxes.len() as u32);
}

/// Prefetches upcoming pairs: first the pointers to a body's boxes, then the bounds that they lead to. The bounds
/// decide which boxes are needed ([`kernels::Side`]).
#[inline]
fn prefetch_pairs(bodies: &[Body], pairs: &[[u32; 2]]) {
    const SOON: usize = 8;
    const SOONER: usize = 4;
    for &place in pairs.get(SOON).into_iter().flatten() {
        kernels::prefetch(std::slice::from_ref(&bodies[place as usize].posed));
    }
    for &place in pairs.get(SOONER).into_iter().flatten() {
        kernels::prefetch(&bodies[place as usize].posed.blocks);
    }
}
