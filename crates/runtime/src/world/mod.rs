//! Many characters: finds the hitboxes of different bodies that overlap, and the changes since the last tick.
//!
//! A tick has three steps: pose the bodies, call [`HitboxWorld::update`], and read [`HitboxWorld::touches`] or
//! [`HitboxWorld::events`]. The broad phase sorts the bodies' bounds into strips and tests sixteen at a time on all
//! axes. The narrow phase collects pairs of boxes over all bodies and tests them in full vectors.

mod bodies;
mod body;
mod body_id;
mod body_tiles;
mod box_layers;
mod broad_phase;
mod crowd_sampler;
mod error;
mod growth;
mod interaction;
mod layers;
mod lazy_boxes;
mod narrow_phase;
mod of_body;
mod pair_order;
#[cfg(feature = "rayon")]
mod parallel_changes;
mod pool;
mod pose;
mod queries;
mod query_filter;
mod ray_batches;
mod settings;
mod skin_scratch;
mod skins;
#[cfg(feature = "serde")]
mod state;
mod strips;
mod sweep_scratch;
mod sweeps;
mod threads;
mod touch_changes;
mod touches;

pub use bodies::Bodies;
pub use body::Body;
pub use body_id::BodyId;
pub use body_tiles::{BodyTiles, TileList};
pub use error::WorldError;
pub use layers::{BodySettings, CollisionLayers};
pub use of_body::{
    BodyCastHit, BodyRayHit, BodyShapeOverlap, BodySkinRayHit, BodySkinShapeOverlap, BodySweepHit, OfBodies, OfBody,
    SkinTouch, Touch,
};
pub use pose::BodyPoser;
pub use query_filter::{BoxPredicate, QueryFilter};
pub use ray_batches::{RayBuffers, RayQuery};
#[cfg(feature = "serde")]
pub use state::{RestoreError, WorldState};
pub use touches::{TouchEvent, TouchPhase};

use crate::Character;
use crate::kernels::Kernel;
use crate::pose::clone_in_place::clone_in_place;
use crate::query::contact::{Contact, contact};
use body::MANY_BOXES;
use broad_phase::BroadPhase;
use crowd_sampler::CrowdSampler;
use growth::make_room;
use interaction::{AllLayers, BodyLayers};
use lazy_boxes::Spares;
use narrow_phase::{Found, FoundParts};
use pair_order::PairOrder;
use pool::Pool;
use skin_scratch::SkinScratch;
use std::sync::Arc;
use sweep_scratch::SweepScratch;
use threads::Threads;
use touch_changes::Present;

/// The number of updates for which the boxes of a body are computed with its pose after its bounds overlapped those of
/// another body. The bounds of bodies that wait are wide. If one update without an overlap let a body wait again, a body at
/// the edge of a crowd would wait, overlap, and be posed in the middle of `update`, again and again.
const NEEDED_UPDATES: u8 = 8;

/// Many characters: finds the hitboxes of different bodies that overlap, and the changes since the last tick.
///
/// In each tick, pose the bodies, call [`HitboxWorld::update`], and then ask: read [`HitboxWorld::touches`] or
/// [`HitboxWorld::events`], cast rays, or sweep.
///
/// # What answers are about
/// - **Touches and events** are a record of the last update: of the poses and the settings at that time. What changes
///   later does not change them, except that [`HitboxWorld::remove`] takes the touches of the body out of
///   [`HitboxWorld::touches`].
/// - **All other queries** use the current poses and the current settings, whether `update` was called since or not.
/// - **Sweeps and shape casts** use the current motions.
/// - **Bodies without a pose.** No query finds a body that was not posed since it was inserted, or whose last pose
///   failed: the function that should pose the body, or the closure of [`HitboxWorld::pose_one`],
///   [`HitboxWorld::pose_each`] or [`HitboxWorld::pose_all`], returned an error. The body has no hitboxes until it is
///   posed again. [`HitboxWorld::clear_pose`] does the same. [`HitboxWorld::unposed_bodies`] lists these bodies.
///
/// # Motion
/// A motion goes from the pose that the body had when the motion began to its current pose. A body *moves* if it was
/// posed since its motion began, even at the same place, and had a pose when the motion began. Otherwise it *stands
/// still*. In sweeps, two bodies that both stand still do not hit each other, even if they overlap.
///
/// A motion begins:
/// - for all bodies, with a call of [`HitboxWorld::start_motion`];
/// - for one body whose motion has begun before, with a call of [`HitboxWorld::reset_motion`];
/// - for a body that is [continuous](BodySettings::continuous), with its first pose after an update. This motion begins
///   at the pose that the body had in the update. If the body is not posed between two updates, it stands still after
///   the second update.
///
/// So a body stands still right after it was inserted and posed, after it was teleported with `reset_motion`, and if it
/// is not continuous and the game does not call `start_motion`.
///
/// # Layers
/// Two hitboxes of two bodies are tested against each other, for touches, sweeps and exact touches, if each is in a
/// layer of the other's mask ([`CollisionLayers::interacts_with`]) and the bodies are not in the same team. Hitboxes of
/// one body are tested, for touches only, if the body has [`BodySettings::self_touches`] and the layers of the two
/// hitboxes let them interact. A disabled hitbox has no layers. Queries with a [`QueryFilter`] find every hitbox of the
/// role `Hurt` that has a layer or a mask, unless the filter says otherwise.
///
/// # Roles
/// A hitbox whose role is not [`HitboxRole::Hurt`](baked_format::HitboxRole::Hurt) is no part of the figure: no query
/// finds it unless [`QueryFilter::roles`] asks for its role. Touches, exact touches and sweeps follow the roles beside
/// the layers: `Strike` meets `Hurt` and `Guard`, `Grab` meets `Hurt`, and `Sensor` meets nothing. A hitbox with layers
/// of its own ([`HitboxWorld::set_box_layers`]) meets what its layers say, whatever its role. Give layers to a sensor to
/// make it meet something.
///
/// # Order
/// Touches, sweeps and overlaps are sorted by body, then by box. The hits of ray casts and shape casts are sorted by
/// time, then by body and box. No answer depends on the order of insertion, the kernel or the number of threads.
///
/// # Saving and rolling back
/// A clone is a saved state: it gives the same answers as the original, then and after the same calls. `clone_from`
/// reuses memory, so a game can save and roll back in every tick. A world that `restore` makes from the data of `save`
/// (feature `serde`) gives the same answers too.
///
/// # Memory
/// After the buffers have grown, no call of a tick allocates: neither posing nor changes of settings, updates, queries or
/// `clone_from`. Call [`Character::prepare_clips`] before. Inserting a body allocates. All bodies of a character share the
/// [`Character`]. A body takes 48 bytes for each box, and 384 bytes for each 16 boxes: 1.9 KB for 24 boxes. The world takes
/// about 540 bytes more for each body, and about 80 bytes for each touch. [`BodySettings::continuous`] and
/// [`HitboxWorld::start_motion`] keep a second pose, whose boxes take the same memory again, the bounds of each box's way,
/// which take 384 bytes for each 16 boxes, and about 240 bytes. A world whose bodies share poses keeps up to 256 of these
/// poses from one update to the next, which take 64 bytes for each joint. A clone takes no more memory than its original.
///
/// # Boxes are computed when they are needed
/// A body that is posed with a clip or with its rest pose has bounds at once, and no boxes until somebody needs them: an
/// update in which its bounds overlap those of another body, a query whose shape or ray reaches its bounds, or a call of
/// [`Body::posed`]. It takes less than 400 bytes until then. The boxes are the same, whoever needs them first, and on
/// whichever thread. Boxes are computed at once, with the pose, if the body's bounds overlapped those of another body in
/// one of the last eight updates, the place scales unevenly or shears, the body tracks joints or its skin, it was posed with
/// layers or matrices, its character was baked with `poses = "any"`, or the world has motions.
///
/// Bodies of one character that play the same clip at the same time, or equal layers, share a pose at different places. The
/// pose is sampled once.
///
/// # Example
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
///     assert!(world.events().iter().all(|event| event.phase == phase && event.touch.body_a == BodyId(3)));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct HitboxWorld {
    /// The bodies, sorted by id.
    bodies: Vec<Body>,
    /// The ids of `bodies`, close together in memory.
    ids: Vec<BodyId>,
    /// The number of boxes of all bodies.
    box_count: usize,
    kernel: Kernel,
    broad: BroadPhase,
    /// The broad phase over the bounds of whole motions; `None` until a motion is started.
    swept: Option<BroadPhase>,
    /// The places of the bodies that were posed or got other settings since the last update, and perhaps of other
    /// bodies, in any order. Queries search the pairs of these bodies anew.
    changed: Vec<u32>,
    /// `true` if the pairs of `broad` are those of the present poses and settings.
    are_pairs_current: bool,
    touches: Vec<Touch>,
    /// Touches of the last update whose bodies were removed since.
    ended: Vec<Touch>,
    events: Vec<TouchEvent>,
    /// `true` if bodies that are posed with matrices keep them.
    keeps_joints: bool,
    sampler: CrowdSampler,
    /// The overlapping boxes of all pairs of bodies, in parts that were found separately.
    found: Vec<Found>,
    /// The place of the body that was posed last by a function that takes an id, and the place of the body that is
    /// expected next.
    posed: [usize; 2],
    /// Memory that bodies use while somebody asks about them.
    spares: Arc<Spares>,
    /// For each body, by place, the number of updates until its boxes may wait: they are computed with its pose for a while
    /// after its bounds overlapped those of another body, because they are likely to be needed again.
    needed: Vec<u8>,
    layers: AllLayers,
    order: PairOrder,
    skins: SkinScratch,
    sweeps: Pool<Box<SweepScratch>>,
    #[cfg(feature = "rayon")]
    changes: parallel_changes::Buffers,
    #[cfg(feature = "rayon")]
    samplers: Vec<CrowdSampler>,
}

#[cfg(not(feature = "rayon"))]
clone_in_place!(HitboxWorld {
    bodies, ids, box_count, kernel, broad, swept, changed, are_pairs_current, touches, ended, events, layers,
    keeps_joints, spares, needed;
    sampler, found, posed, order, skins, sweeps
});
#[cfg(feature = "rayon")]
clone_in_place!(HitboxWorld {
    bodies, ids, box_count, kernel, broad, swept, changed, are_pairs_current, touches, ended, events, layers,
    keeps_joints, spares, needed;
    sampler, found, posed, order, skins, sweeps, changes, samplers
});

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
            box_count: 0,
            kernel,
            broad: BroadPhase::default(),
            swept: None,
            changed: Vec::new(),
            are_pairs_current: false,
            touches: Vec::new(),
            ended: Vec::new(),
            events: Vec::new(),
            keeps_joints: false,
            sampler: CrowdSampler::with_kernel(kernel),
            found: Vec::new(),
            posed: [0, 0],
            spares: Arc::default(),
            needed: Vec::new(),
            layers: AllLayers::default(),
            order: PairOrder::default(),
            skins: SkinScratch::default(),
            sweeps: Pool::default(),
            #[cfg(feature = "rayon")]
            changes: parallel_changes::Buffers::default(),
            #[cfg(feature = "rayon")]
            samplers: Vec::new(),
        }
    }

    /// Adds a body. The body has no boxes, and no query finds it, until it is posed.
    ///
    /// # Errors
    /// Returns an error if a body with this id exists.
    pub fn insert(&mut self, id: BodyId, character: Arc<Character>, settings: BodySettings) -> Result<(), WorldError> {
        let Err(place) = self.find(id) else { return Err(WorldError::AlreadyThere(id)) };
        let body = Body::new(id, character, settings, self.kernel, Some(Arc::clone(&self.spares)));
        self.box_count += body.character.box_count();
        make_room(&mut self.ids, 1);
        self.ids.insert(place, id);
        make_room(&mut self.needed, 1);
        self.needed.insert(place, 0);
        self.layers.insert(place, BodyLayers::new(&body));
        make_room(&mut self.bodies, 1);
        self.bodies.insert(place, body);
        self.changed.iter_mut().filter(|changed| **changed >= place as u32).for_each(|changed| *changed += 1);
        self.broad.insert(place);
        if let Some(swept) = &mut self.swept {
            swept.insert(place);
        }
        if settings.continuous {
            self.prepare_motion();
        }
        Ok(())
    }

    /// Removes a body and returns it. No query finds the body from now on, and [`HitboxWorld::touches`] no longer has
    /// its touches. The next update reports that these touches ended, even if another body gets the same id before that
    /// update.
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
            let is_of = touch.body_a == id || touch.body_b == id;
            if is_of {
                ended.push(*touch);
            }
            !is_of
        });
        self.ids.remove(place);
        self.needed.remove(place);
        self.layers.remove(place);
        self.changed.retain(|&changed| changed != place as u32);
        self.changed.iter_mut().filter(|changed| **changed > place as u32).for_each(|changed| *changed -= 1);
        let body = self.bodies.remove(place);
        self.box_count -= body.character.box_count();
        Ok(body)
    }

    /// All bodies, sorted by id.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = &Body> {
        self.bodies.iter()
    }

    /// The bodies without a pose, sorted by id: bodies that were not posed since they were inserted, and bodies whose
    /// last pose failed. No query finds these bodies. If a function that you pass to [`HitboxWorld::pose_all`] returns
    /// an error before it poses a body, the body keeps its earlier pose and is not in this list.
    pub fn unposed_bodies(&self) -> impl Iterator<Item = &Body> {
        self.bodies.iter().filter(|body| !body.is_posed())
    }

    /// The body with this id.
    #[must_use]
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        self.find(id).ok().map(|place| &self.bodies[place])
    }

    /// Finds all touches in the present poses, for [`HitboxWorld::touches`], and their changes since the last update,
    /// for [`HitboxWorld::events`].
    ///
    /// # Panics
    /// Panics if the processor does not support the kernel of [`HitboxWorld::with_kernel`].
    pub fn update(&mut self) {
        self.update_on(Threads::One);
    }

    /// [`HitboxWorld::update`] on all threads of rayon's pool, with the same answers.
    ///
    /// # Panics
    /// Panics if the processor does not support the kernel of [`HitboxWorld::with_kernel`].
    #[cfg(feature = "rayon")]
    pub fn update_parallel(&mut self) {
        // All of it runs in the pool, because each call into the pool from outside wakes a thread and waits for it.
        rayon::scope(|_| self.update_on(Threads::All));
    }

    fn update_on(&mut self, threads: Threads) {
        /// The least number of pairs of bodies in one task, which takes about ten microseconds.
        const PAIRS: usize = 64;
        self.sampler.forget();
        #[cfg(feature = "rayon")]
        self.samplers.iter_mut().for_each(CrowdSampler::forget);
        self.begin_update();
        self.find_pairs(threads);
        if let Some(swept) = &mut self.swept {
            swept.update(self.kernel, threads, |a, b| self.layers.interact(a, b));
        }
        self.broad.add_own_pairs(self.layers.with_self_touches());
        let prefetch = self.has_many_boxes();
        let Self { kernel, bodies, ids, broad, found, order, touches, events, needed, .. } = self;
        let pairs = broad.pairs();
        let pairs_log2 = threads.items_in_task(pairs.len(), PAIRS).next_power_of_two().ilog2();
        let tasks = pairs.len().div_ceil(1 << pairs_log2);
        if found.len() < tasks {
            found.resize_with(tasks, Found::default);
        }
        let parts = &mut found[..tasks];
        threads.for_each_chunk(parts, 1, |task, parts| {
            let of_task = &pairs[task << pairs_log2..];
            let of_task = &of_task[..of_task.len().min(1 << pairs_log2)];
            parts.iter_mut().for_each(|part| part.find(*kernel, bodies, of_task, prefetch));
        });
        note_needed(pairs, needed);
        let found = FoundParts { parts, pairs_log2 };
        let ordered = order.sort(ids.len(), pairs, found.touching());
        let present = Present::new(ordered, found, ids);
        match threads {
            Threads::One => touch_changes::update(touches, present, events),
            #[cfg(feature = "rayon")]
            Threads::All => parallel_changes::update(touches, present, events, &mut self.changes),
        }
        touches::add_ended(&mut self.ended, &mut self.events);
    }

    /// The pairs of hitboxes that overlapped at the last update; pairs of a body that was removed since are left out.
    /// Sorted by bodies, then boxes; in each touch, `body_a` is at most `body_b`.
    #[must_use]
    pub fn touches(&self) -> &[Touch] {
        &self.touches
    }

    /// The touches of the last update and of the update before, each with its phase, in the same order as
    /// [`HitboxWorld::touches`]. If a body was removed and another body was inserted under its id, a touch that ended
    /// comes before the touch that started.
    #[must_use]
    pub fn events(&self) -> &[TouchEvent] {
        &self.events
    }

    /// The contact (depth, direction and points) of the two hitboxes of a touch in the present poses; the depth is 0 if the
    /// hitboxes no longer overlap. `None` if a body was removed or has no pose.
    #[must_use]
    pub fn contact(&self, touch: &Touch) -> Option<Contact> {
        let (a, b) = (self.body(touch.body_a)?, self.body(touch.body_b)?);
        contact(a.posed(), touch.box_a, b.posed(), touch.box_b)
    }

    /// Returns `true` if bodies are prefetched before they are needed.
    fn has_many_boxes(&self) -> bool {
        self.box_count > MANY_BOXES
    }

    fn find(&self, id: BodyId) -> Result<usize, usize> {
        self.ids.binary_search(&id)
    }

    fn place(&self, id: BodyId) -> Result<usize, WorldError> {
        self.find(id).map_err(|_| WorldError::NoBody(id))
    }

    /// Ends the tick for each body.
    fn begin_update(&mut self) {
        if let Some(swept) = &mut self.swept {
            let stopped = |body: &Body| body.settings.continuous && !body.moved && !body.is_still;
            for (place, body) in self.bodies.iter_mut().enumerate().filter(|(_, body)| stopped(body)) {
                body.is_still = true;
                body.find_swept_bounds();
                swept.set(place, &body.swept_bounds());
            }
        }
        for place in self.changed.drain(..) {
            let body = &mut self.bodies[place as usize];
            (body.moved, body.is_changed) = (false, false);
        }
    }

    /// Finds the pairs of bodies whose bounds overlap, in their present poses and with their present layers and teams.
    fn find_pairs(&mut self, threads: Threads) {
        self.broad.update(self.kernel, threads, |a, b| self.layers.interact(a, b));
        self.are_pairs_current = true;
    }
}

/// Notes the bodies whose bounds overlap those of another body.
fn note_needed(pairs: &[[u32; 2]], needed: &mut [u8]) {
    needed.iter_mut().for_each(|updates| *updates = updates.saturating_sub(1));
    for &place in pairs.as_flattened() {
        needed[place as usize] = NEEDED_UPDATES;
    }
}
