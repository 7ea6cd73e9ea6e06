//! Exact queries about the bodies of a world: they use skins instead of hitboxes.

use super::body_tiles::BodyTiles;
use super::skin_scratch::Candidate;
#[cfg(feature = "rayon")]
use super::skin_scratch::{ShareScratch, SkinScratch};
use super::threads::Threads;
use super::{
    Body, BodyId, BodySkinRayHit, BodySkinShapeOverlap, HitboxWorld, QueryFilter, SkinTouch, WorldError, interaction,
};
#[cfg(feature = "rayon")]
use crate::SkinOverlap;
use crate::exact::distance::exact_distance;
#[cfg(feature = "rayon")]
use crate::exact::overlap::touch_of_pieces;
use crate::exact::overlap::{each_near_pair, touch_of_pair};
use crate::kernels;
use crate::kernels::layout::LANES;
use crate::kernels::ray_slabs::Slabs;
use crate::kernels::set_bits::set_bits;
use crate::skin::posed_skin::PosedSkin;
use crate::{BoxIndex, SkinDistance, SkinShape};
use geometry_core::Ray;
use glam::Vec3;
use skeleton::JointIndex;

/// The number of shares of the candidates per thread. A thread that finishes early takes another share.
#[cfg(feature = "rayon")]
const SHARES_OF_THREAD: usize = 4;

/// Exact queries, about the skin of bodies that [track it](HitboxWorld::track_skin). These queries skin the parts that
/// they need once for each pose, and therefore take `&mut self`. They look for bodies by bounds that contain the
/// hitboxes and the skin. If the bounds of a body that `filter` admits are near, but the body does not track its skin,
/// the query returns an error. So no answer leaves out a body without notice. `filter` admits a joint if it admits any
/// hitbox of the joint.
impl HitboxWorld {
    /// Finds the joints of different bodies whose skins touch, in the current poses. `found` is overwritten and sorted by
    /// bodies, then joints. Layers and teams apply as for [`HitboxWorld::touches`], with the current settings: two joints
    /// are tested if any of their hitboxes are. The hitboxes have no other effect; see [`crate::exact_overlap_all`]. The
    /// query is fastest right after [`HitboxWorld::update`]; if bodies changed since then, it searches for near bodies
    /// anew.
    ///
    /// # Errors
    /// Returns an error if the skin of one of these bodies is not tracked or not baked. Then `found` is empty.
    pub fn exact_touches(&mut self, filter: &QueryFilter<'_>, found: &mut Vec<SkinTouch>) -> Result<(), WorldError> {
        found.clear();
        self.find_skin_candidates(filter, Threads::One)?;
        let scratch = &mut self.skins;
        scratch.answers.clear();
        for candidate in &scratch.candidates {
            let bodies = self.bodies.get_disjoint_mut(candidate.bodies.map(|place| place as usize));
            let skins = bodies.ok().and_then(|[a, b]| Some((skin_mut(a)?, skin_mut(b)?)));
            let pieces = candidate.pieces.map(usize::from);
            scratch.answers.push(skins.and_then(|(a, b)| touch_of_pair(a, b, pieces)));
        }
        self.collect_skin_touches(found);
        Ok(())
    }

    /// [`HitboxWorld::exact_touches`] on all threads of rayon's pool, with the same answers.
    ///
    /// # Errors
    /// Returns the errors of [`HitboxWorld::exact_touches`]. Then `found` is empty.
    #[cfg(feature = "rayon")]
    pub fn exact_touches_parallel(
        &mut self,
        filter: &QueryFilter<'_>,
        found: &mut Vec<SkinTouch>,
    ) -> Result<(), WorldError> {
        use rayon::prelude::*;
        found.clear();
        self.find_skin_candidates(filter, Threads::All)?;
        for candidate in &self.skins.candidates {
            for (place, piece) in candidate.bodies.into_iter().zip(candidate.pieces) {
                if let Some(skin) = skin_mut(&mut self.bodies[place as usize]) {
                    skin.want(piece.into());
                }
            }
        }
        self.bodies.par_iter_mut().for_each(|body| {
            if let Some(skin) = skin_mut(body) {
                skin.prepare_wanted();
            }
        });
        let (bodies, SkinScratch { candidates, answers, shares, .. }) = (&self.bodies, &mut self.skins);
        answers.clear();
        answers.resize(candidates.len(), None);
        let share = candidates.len().div_ceil(SHARES_OF_THREAD * rayon::current_num_threads()).max(1);
        shares.resize_with(shares.len().max(candidates.len().div_ceil(share)), Default::default);
        let jobs = answers.par_chunks_mut(share).zip(candidates.par_chunks(share)).zip(shares);
        jobs.for_each(|((answers, candidates), memory)| touches_of_share(bodies, candidates, memory, answers));
        self.collect_skin_touches(found);
        Ok(())
    }

    fn find_skin_candidates(&mut self, filter: &QueryFilter<'_>, threads: Threads) -> Result<(), WorldError> {
        self.compute_boxes();
        if !self.are_pairs_current {
            self.find_pairs(threads);
        }
        let candidates = &mut self.skins.candidates;
        candidates.clear();
        for &places in self.broad.pairs() {
            let [a, b] = places.map(|place| &self.bodies[place as usize]);
            if a.id == b.id || !filter.admits_body(a) || !filter.admits_body(b) {
                continue;
            }
            let (skin_a, skin_b) = (posed_skin(a)?, posed_skin(b)?);
            let (Some(table_a), Some(table_b)) = (skin_a.table(), skin_b.table()) else { continue };
            each_near_pair(skin_a, skin_b, |first, second| {
                let joints = [table_a.pieces[usize::from(first)].joint, table_b.pieces[usize::from(second)].joint];
                if joints_interact(filter, [a, b], joints) {
                    candidates.push(Candidate { bodies: places, pieces: [first, second] });
                }
            });
        }
        Ok(())
    }

    /// Computes the boxes of all bodies: exact queries return an error for a near body without a skin, so they need the bounds
    /// of its boxes.
    fn compute_boxes(&mut self) {
        for place in 0..self.bodies.len() {
            let body = &mut self.bodies[place];
            if body.boxes.has_wide_bounds() {
                body.boxes_mut();
                body.boxes.find_bounds();
                self.are_pairs_current = false;
                self.set_bounds(place);
            }
        }
    }

    /// Adds the touches to `found`, which is empty.
    fn collect_skin_touches(&self, found: &mut Vec<SkinTouch>) {
        for (candidate, answer) in self.skins.candidates.iter().zip(&self.skins.answers) {
            let [a, b] = candidate.bodies.map(|place| self.bodies[place as usize].id);
            found.extend(answer.map(|overlap| SkinTouch { body_a: a, body_b: b, answer: overlap }));
        }
        found.sort_unstable_by_key(|touch| (touch.body_a, touch.body_b, touch.joint_a, touch.joint_b));
    }

    /// The first point of any skin that the ray hits within `0 <= t <= max_time` (`None`: at any time), of all skins
    /// that `filter` admits. If the ray hits several bodies at the same time, the hit has the least body id. See
    /// [`crate::PosedCharacter::exact_ray`]. A ray whose `max_time` is negative or NaN hits nothing.
    ///
    /// # Errors
    /// Returns an error if the skin of a body in the ray's way is not tracked or not baked.
    pub fn exact_ray(
        &mut self,
        ray: &Ray,
        max_time: impl Into<Option<f32>>,
        filter: &QueryFilter<'_>,
    ) -> Result<Option<BodySkinRayHit>, WorldError> {
        self.compute_boxes();
        let max_time = max_time.into().unwrap_or(f32::INFINITY);
        let slabs = Slabs::new(ray, max_time);
        let BodyTiles { bodies: numbers, blocks, .. } = self.broad.tiles();
        let waiting = &mut self.skins.waiting;
        waiting.clear();
        for (index, block) in blocks.iter().enumerate() {
            let mut entries = [0.0; LANES];
            for lane in set_bits(kernels::ray_lanes_of_block(self.kernel, &slabs, block, &mut entries)) {
                // The bits of nonnegative times sort like the times.
                waiting.push((entries[lane].to_bits(), numbers[index * LANES + lane]));
            }
        }
        waiting.sort_unstable();
        let mut first: Option<BodySkinRayHit> = None;
        for &(entry, place) in &*waiting {
            let reach = first.map_or(max_time, |first| first.time);
            if f32::from_bits(entry) > reach {
                break;
            }
            let body = &mut self.bodies[place as usize];
            if !filter.admits_body(body) {
                continue;
            }
            let id = body.id;
            let hit = with_skin(body, |body, skin| skin.first_hit(ray, reach, |joint| admits(filter, body, joint)))?;
            if let Some(hit) = hit
                && first.is_none_or(|first| (hit.time, id) < (first.time, first.body))
            {
                first = Some(BodySkinRayHit { body: id, answer: hit });
            }
        }
        Ok(first)
    }

    /// Finds the joints whose skin the shape touches and that `filter` admits. `found` is overwritten and sorted by
    /// body, then joint. See [`crate::PosedCharacter::exact_shape_overlaps`].
    ///
    /// # Errors
    /// Returns an error if the skin of a body near the shape is not tracked or not baked. Then `found` is empty.
    pub fn exact_shape_overlaps(
        &mut self,
        shape: &impl SkinShape,
        filter: &QueryFilter<'_>,
        found: &mut Vec<BodySkinShapeOverlap>,
    ) -> Result<(), WorldError> {
        found.clear();
        self.compute_boxes();
        let bounds = shape.bounds();
        for place in 0..self.bodies.len() {
            let body = &mut self.bodies[place];
            if !body.boxes.bounds().overlaps(&bounds) || !filter.admits_body(body) {
                continue;
            }
            with_skin(body, |body, skin| {
                skin.each_overlapped(shape, |overlap| {
                    if admits(filter, body, overlap.joint) {
                        found.push(BodySkinShapeOverlap { body: body.id, answer: overlap });
                    }
                });
            })
            .inspect_err(|_| found.clear())?;
        }
        Ok(())
    }

    /// Finds the bodies whose skin contains a point and of which `filter` admits any hitbox. `found` is overwritten and
    /// sorted by id. See [`crate::PosedCharacter::skin_contains`].
    ///
    /// # Errors
    /// Returns an error if the skin of a body near the point is not tracked or not baked. Then `found` is empty.
    pub fn bodies_containing(
        &mut self,
        point: Vec3,
        filter: &QueryFilter<'_>,
        found: &mut Vec<BodyId>,
    ) -> Result<(), WorldError> {
        found.clear();
        self.compute_boxes();
        for body in &mut self.bodies {
            if !body.boxes.bounds().contains_point(point) || !filter.admits_body(body) {
                continue;
            }
            let contains = with_skin(body, |body, skin| {
                let mut boxes = (0..body.character.box_count()).map(|index| BoxIndex(index as u16));
                boxes.any(|index| filter.admits_box(body, index)) && skin.contains(point)
            });
            if contains.inspect_err(|_| found.clear())? {
                found.push(body.id);
            }
        }
        Ok(())
    }

    /// The distance between the skins of two bodies, in world units, up to `max_distance` (`None` for any distance).
    /// See [`crate::exact_distance`].
    ///
    /// # Errors
    /// Returns an error if a body does not exist, its skin is not posed, not tracked or not baked, or both ids are the
    /// same.
    pub fn exact_distance(
        &mut self,
        a: BodyId,
        b: BodyId,
        max_distance: impl Into<Option<f32>>,
    ) -> Result<Option<SkinDistance>, WorldError> {
        let places = [self.place(a)?, self.place(b)?];
        let Ok([one, other]) = self.bodies.get_disjoint_mut(places) else { return Err(WorldError::SameBody(a)) };
        posed_skin(one)?;
        exact_distance(one.boxes_mut(), other.boxes_mut(), max_distance)
            .map_err(|error| WorldError::Skin { id: b, error })
    }
}

/// Tests candidates whose pieces are skinned already. The memory holds one piece of each side at a time.
#[cfg(feature = "rayon")]
fn touches_of_share(
    bodies: &[Body],
    candidates: &[Candidate],
    ShareScratch { blocks: [blocks_a, blocks_b], near }: &mut ShareScratch,
    answers: &mut [Option<SkinOverlap>],
) {
    let mut last = None;
    for (candidate, answer) in candidates.iter().zip(answers) {
        let piece = |which: usize| {
            let skin = bodies[candidate.bodies[which] as usize].posed().skin.as_ref()?;
            skin.piece(candidate.pieces[which].into())
        };
        let (Some(a), Some(b)) = (piece(0), piece(1)) else { continue };
        let first = Some((candidate.bodies[0], candidate.pieces[0]));
        if last != first {
            a.table.reset(blocks_a);
            last = first;
        }
        b.table.reset(blocks_b);
        *answer = touch_of_pieces((a, blocks_a), (b, blocks_b), near);
    }
}

fn skin_mut(body: &mut Body) -> Option<&mut Box<PosedSkin>> {
    body.boxes.known_mut()?.skin.as_mut()
}

fn posed_skin(body: &Body) -> Result<&PosedSkin, WorldError> {
    body.posed().skin().map_err(|error| WorldError::Skin { id: body.id, error })
}

/// Takes the skin out of the body while `ask` runs, because `ask` also borrows the body.
fn with_skin<T>(body: &mut Body, ask: impl FnOnce(&Body, &mut PosedSkin) -> T) -> Result<T, WorldError> {
    posed_skin(body)?;
    let mut skin = body.boxes_mut().skin.take().unwrap_or_default();
    let answer = ask(body, &mut skin);
    body.boxes_mut().skin = Some(skin);
    Ok(answer)
}

/// The hitboxes of a joint, as box indices.
fn boxes_of(body: &Body, joint: JointIndex) -> impl Iterator<Item = usize> + '_ {
    let joints = &body.character.hitboxes.joints;
    let start = joints.partition_point(|&other| other < joint);
    (start..joints.len()).take_while(move |&index| joints[index] == joint)
}

fn admits(filter: &QueryFilter<'_>, body: &Body, joint: JointIndex) -> bool {
    boxes_of(body, joint).any(|index| filter.admits_box(body, BoxIndex(index as u16)))
}

/// Returns `true` if the filter admits both joints and the layers let any of their hitboxes touch.
fn joints_interact(filter: &QueryFilter<'_>, [a, b]: [&Body; 2], [joint_a, joint_b]: [JointIndex; 2]) -> bool {
    let interact = interaction::all_boxes_interact(a, b)
        || boxes_of(a, joint_a)
            .any(|first| boxes_of(b, joint_b).any(|second| interaction::boxes_interact((a, first), (b, second))));
    interact && admits(filter, a, joint_a) && admits(filter, b, joint_b)
}
