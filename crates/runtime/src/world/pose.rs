//! Posing the bodies of a world.

use super::broad_phase::BroadPhase;
use super::crowd_sampler::CrowdSampler;
use super::growth::make_room;
use super::{Body, BodyId, BodySettings, HitboxWorld, WorldError};
use crate::kernels;
use crate::kernels::layout::Record;
use crate::{AnimationRef, Character, ClipIndex, PoseError, PoseLayer, PoseRecipeRef, PosedCharacter, SkinError};
use geometry_core::portable::affine_mul;
use glam::Affine3A;
use skeleton::JointIndex;
use std::sync::Arc;

/// A body that is being posed with its own character. [`HitboxWorld::pose_all`] and similar functions pass a
/// `BodyPoser` to their callback.
#[derive(Debug)]
pub struct BodyPoser<'a> {
    body: &'a mut Body,
    sampler: &'a mut CrowdSampler,
    has_motions: bool,
    keeps_joints: bool,
    /// `true` if the boxes are computed at once, because they are likely to be needed.
    is_needed: bool,
    /// Memory of the next body that is prefetched while this body is posed; empty if there is none left to prefetch.
    soon: &'a [Record],
}

/// What a world does with each body that is posed.
#[derive(Clone, Copy)]
struct Posing {
    has_motions: bool,
    keeps_joints: bool,
    /// `true` if bodies are prefetched before they are needed.
    are_many: bool,
}

impl BodyPoser<'_> {
    /// The body's id.
    #[must_use]
    pub fn id(&self) -> BodyId {
        self.body.id
    }

    /// The body's character.
    #[must_use]
    pub fn character(&self) -> &Character {
        &self.body.character
    }

    /// The body's settings.
    #[must_use]
    pub fn settings(&self) -> BodySettings {
        self.body.settings
    }

    /// The body's boxes in its present pose.
    #[must_use]
    pub fn posed(&self) -> &PosedCharacter {
        self.body.posed()
    }

    /// Poses the body with matrices in model space, see [`PosedCharacter::pose_from_model`].
    ///
    /// # Errors
    /// Returns an error if the number of matrices is not the number of joints, or if a matrix is not finite or takes a
    /// box out of range.
    pub fn pose_from_model(
        &mut self,
        world_from_model: &Affine3A,
        model_from_joint: &[Affine3A],
    ) -> Result<(), PoseError> {
        self.pose_as(false, None, |body, _| {
            body.boxes.memory_mut().pose_from_model(&body.character, world_from_model, model_from_joint)
        })?;
        if self.keeps_joints {
            let Body { character, recipe, .. } = &mut *self.body;
            let matrix = |joint: &JointIndex| affine_mul(world_from_model, &model_from_joint[joint.index()]);
            recipe.set_own_joints(character.needed.iter().map(matrix));
        }
        Ok(())
    }

    /// Poses the body with matrices in world space, see [`PosedCharacter::pose_from_world`].
    ///
    /// # Errors
    /// Returns an error if the number of matrices is not the number of joints, or if a matrix is not finite or takes a
    /// box out of range.
    pub fn pose_from_world(&mut self, world_from_joint: &[Affine3A]) -> Result<(), PoseError> {
        self.pose_as(false, None, |body, _| {
            body.boxes.memory_mut().pose_from_world(&body.character, world_from_joint)
        })?;
        if self.keeps_joints {
            let Body { character, recipe, .. } = &mut *self.body;
            recipe.set_own_joints(character.needed.iter().map(|joint| world_from_joint[joint.index()]));
        }
        Ok(())
    }

    /// Poses the body with a baked clip, see [`PosedCharacter::pose_from_clip`].
    ///
    /// # Errors
    /// Returns an error if the character has no clip with this index, the time is NaN, or the pose is not finite.
    pub fn pose_from_clip(
        &mut self,
        world_from_model: &Affine3A,
        clip: ClipIndex,
        seconds: f32,
    ) -> Result<(), PoseError> {
        self.pose_sampled(*world_from_model, AnimationRef::Clip { clip, seconds })
    }

    /// Poses the body with clips in layers, see [`PosedCharacter::pose_from_layers`].
    ///
    /// # Errors
    /// Returns an error if the layers do not fit the character, and an error if the pose is not finite.
    pub fn pose_from_layers(&mut self, world_from_model: &Affine3A, layers: &[PoseLayer]) -> Result<(), PoseError> {
        self.pose_sampled(*world_from_model, AnimationRef::Layers(layers))
    }

    /// Poses the body with its rest pose.
    ///
    /// # Errors
    /// Returns an error if the pose is not finite.
    pub fn pose_from_rest(&mut self, world_from_model: &Affine3A) -> Result<(), PoseError> {
        self.pose_sampled(*world_from_model, AnimationRef::Rest)
    }

    #[inline]
    fn pose_sampled(&mut self, place: Affine3A, animation: AnimationRef<'_>) -> Result<(), PoseError> {
        let soon = std::mem::take(&mut self.soon);
        let recipe = PoseRecipeRef { place, animation };
        self.pose_as(false, Some(recipe), |body, sampler| {
            let Body { boxes, character, .. } = body;
            sampler.pose(boxes.memory_mut(), character, &recipe, || kernels::prefetch(soon))
        })
    }

    /// Poses the body with a recipe.
    ///
    /// # Errors
    /// Returns the errors of the function that poses from the recipe's animation, such as
    /// [`BodyPoser::pose_from_clip`].
    pub fn pose<'r>(&mut self, recipe: impl Into<PoseRecipeRef<'r>>) -> Result<(), PoseError> {
        let PoseRecipeRef { place, animation } = recipe.into();
        match animation {
            AnimationRef::Rest => self.pose_from_rest(&place),
            AnimationRef::Clip { clip, seconds } => self.pose_from_clip(&place, clip, seconds),
            AnimationRef::Layers(layers) => self.pose_from_layers(&place, layers),
            AnimationRef::Joints(joints) => self.pose_from_model(&place, joints),
        }
    }

    /// Poses some joints again, see [`PosedCharacter::update_joints`].
    ///
    /// # Errors
    /// Returns the errors of [`PosedCharacter::update_joints`].
    pub fn update_joints(&mut self, world_from_joint: &[Affine3A], joints: &[JointIndex]) -> Result<(), PoseError> {
        let has_own_joints = !self.body.own_joints().is_empty();
        self.pose_as(true, None, |body, _| {
            body.boxes.memory_mut().update_joints(&body.character, world_from_joint, joints)
        })?;
        if has_own_joints {
            let Body { character, recipe, .. } = &mut *self.body;
            recipe.change_own_joints(|kept| {
                for joint in joints {
                    if let Ok(place) = character.needed.binary_search(joint) {
                        kept[place] = world_from_joint[joint.index()];
                    }
                }
            });
        }
        Ok(())
    }

    /// Copies a pose from another posed character. A tracked joint has no matrix until the next pose, unless the other
    /// pose tracks the joint too.
    ///
    /// # Errors
    /// Returns an error if `posed` is of another character or has no pose.
    pub fn copy_pose(&mut self, posed: &PosedCharacter) -> Result<(), PoseError> {
        self.pose_as(false, None, |body, _| {
            posed.check_is_of(&body.character)?;
            body.boxes.memory_mut().copy_boxes(posed);
            Ok(())
        })
    }

    /// Removes the body's pose, as a failed pose does.
    fn clear(&mut self) {
        if self.body.is_posed() {
            let cleared = self.pose_as(false, None, |body, _| {
                body.boxes.clear();
                Ok(())
            });
            debug_assert!(cleared.is_ok());
        }
    }

    /// Poses the body with a function that gives the pose of this recipe.
    #[inline]
    fn pose_as(
        &mut self,
        keeps_boxes: bool,
        recipe: Option<PoseRecipeRef<'_>>,
        pose: impl FnOnce(&mut Body, &mut CrowdSampler) -> Result<(), PoseError>,
    ) -> Result<(), PoseError> {
        self.body.begin_pose(keeps_boxes);
        self.body.recipe.set(recipe);
        // Motions need all boxes.
        if !self.is_needed
            && !self.has_motions
            && self.body.boxes.may_wait()
            && let Some(bounds) = recipe.and_then(|recipe| self.body.character.recipe_bounds(&recipe))
        {
            self.body.boxes.wait(bounds);
            return Ok(());
        }
        let result = pose(self.body, self.sampler).inspect_err(|_| self.body.boxes.clear());
        self.body.boxes.find_bounds();
        if self.has_motions {
            self.body.find_swept_bounds();
        }
        result
    }
}

impl HitboxWorld {
    /// Poses one body with matrices in model space, see [`PosedCharacter::pose_from_model`].
    ///
    /// # Errors
    /// Returns an error if no body has this id, or if posing fails.
    pub fn pose_from_model(
        &mut self,
        id: BodyId,
        world_from_model: &Affine3A,
        model_from_joint: &[Affine3A],
    ) -> Result<(), WorldError> {
        self.pose_one(id, |body| body.pose_from_model(world_from_model, model_from_joint))
    }

    /// Poses one body with matrices in world space, see [`PosedCharacter::pose_from_world`].
    ///
    /// # Errors
    /// Returns an error if no body has this id, or if posing fails.
    pub fn pose_from_world(&mut self, id: BodyId, world_from_joint: &[Affine3A]) -> Result<(), WorldError> {
        self.pose_one(id, |body| body.pose_from_world(world_from_joint))
    }

    /// Poses one body with a baked clip, see [`PosedCharacter::pose_from_clip`]. A pose of the same
    /// character, clip and time that several bodies have in a tick is sampled once.
    ///
    /// # Errors
    /// Returns an error if no body has this id, the character has no clip with this index, the time is NaN, or posing
    /// fails.
    pub fn pose_from_clip(
        &mut self,
        id: BodyId,
        world_from_model: &Affine3A,
        clip: ClipIndex,
        seconds: f32,
    ) -> Result<(), WorldError> {
        self.pose_one(id, |body| body.pose_from_clip(world_from_model, clip, seconds))
    }

    /// Poses one body with its rest pose.
    ///
    /// # Errors
    /// Returns an error if no body has this id, or if posing fails.
    pub fn pose_from_rest(&mut self, id: BodyId, world_from_model: &Affine3A) -> Result<(), WorldError> {
        self.pose_one(id, |body| body.pose_from_rest(world_from_model))
    }

    /// Poses one body with a recipe.
    ///
    /// # Errors
    /// Returns an error if no body has this id, or if posing fails.
    pub fn pose<'r>(&mut self, id: BodyId, recipe: impl Into<PoseRecipeRef<'r>>) -> Result<(), WorldError> {
        self.pose_one(id, |body| body.pose(recipe))
    }

    /// Poses one body with any function of [`BodyPoser`].
    ///
    /// # Errors
    /// Returns an error if no body has this id, or if `pose` returns an error.
    pub fn pose_one(
        &mut self,
        id: BodyId,
        pose: impl FnOnce(&mut BodyPoser<'_>) -> Result<(), PoseError>,
    ) -> Result<(), WorldError> {
        let place = self.find_to_pose(id)?;
        let has_motions = self.swept.is_some();
        let body = &mut self.bodies[place];
        let (sampler, keeps_joints) = (&mut self.sampler, self.keeps_joints);
        let is_needed = self.needed[place] > 0;
        let mut poser = BodyPoser { body, sampler, has_motions, keeps_joints, is_needed, soon: &[] };
        let result = pose(&mut poser).inspect_err(|_| poser.clear());
        self.note_change(place);
        result.map_err(|error| WorldError::Pose { id, error })
    }

    /// Removes the pose of a body: it has no hitboxes until it is posed again, as after a failed pose. Call this function
    /// if your own code cannot compute the body's pose, so that the body does not stay where it was.
    ///
    /// # Errors
    /// Returns an error if no body has this id.
    pub fn clear_pose(&mut self, id: BodyId) -> Result<(), WorldError> {
        self.pose_one(id, |body| {
            body.clear();
            Ok(())
        })
    }

    /// Poses all bodies, one after another in the order of their ids. If a body cannot be posed, all others are posed
    /// nevertheless.
    ///
    /// # Errors
    /// Returns the id of the first body that could not be posed, and its error.
    ///
    /// ```
    /// use glam::Affine3A;
    /// use runtime::{BodyId, BodySettings, Character, HitboxWorld};
    /// use std::sync::Arc;
    ///
    /// let mut world = HitboxWorld::new();
    /// let arm = Arc::new(Character::load(&std::fs::read("tests/data/arm.bonebox")?)?);
    /// world.insert(BodyId(1), arm, BodySettings::default())?;
    /// let mut places = [Affine3A::IDENTITY].into_iter();
    /// world.pose_each(|_, body| body.pose_from_rest(&places.next().unwrap()))?;
    /// assert_eq!(world.unposed_bodies().count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pose_each(
        &mut self,
        mut pose: impl FnMut(BodyId, &mut BodyPoser<'_>) -> Result<(), PoseError>,
    ) -> Result<(), WorldError> {
        let how = self.posing();
        self.note_all_changed();
        let first = pose_some(&mut self.bodies, &self.needed, &mut self.sampler, how, &mut pose);
        self.set_all_bounds();
        first.map_or(Ok(()), |(id, error)| Err(WorldError::Pose { id, error }))
    }

    /// Poses all bodies: on all threads of rayon's pool with the feature `rayon`, otherwise one after another, with the same
    /// boxes and the same error. If a body cannot be posed, all others are posed nevertheless.
    ///
    /// # Errors
    /// Returns the least id of the bodies that could not be posed, and its error.
    ///
    /// ```
    /// use glam::{Affine3A, Vec3};
    /// use runtime::{BodyId, BodySettings, Character, HitboxWorld};
    /// use std::sync::Arc;
    ///
    /// let arm = Arc::new(Character::load(&std::fs::read("tests/data/arm.bonebox")?)?);
    /// let mut world = HitboxWorld::new();
    /// for id in 0..3 {
    ///     world.insert(BodyId(id), Arc::clone(&arm), BodySettings::default())?;
    /// }
    /// let wave = arm.find_clip("wave").unwrap();
    /// world.pose_all(|id, body| body.pose_from_clip(&Affine3A::from_translation(Vec3::X * id.0 as f32), wave, 0.5))?;
    /// world.update();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pose_all(
        &mut self,
        pose: impl Fn(BodyId, &mut BodyPoser<'_>) -> Result<(), PoseError> + Sync,
    ) -> Result<(), WorldError> {
        #[cfg(not(feature = "rayon"))]
        return self.pose_each(pose);
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            /// The number of bodies in one task, which takes some tens of microseconds.
            const BODIES: usize = 64;
            let how = self.posing();
            let chunks = self.bodies.len().div_ceil(BODIES);
            if self.samplers.len() < chunks {
                self.samplers.resize_with(chunks, || CrowdSampler::with_kernel(self.kernel));
            }
            self.note_all_changed();
            let bodies = self.bodies.par_chunks_mut(BODIES).zip(self.needed.par_chunks(BODIES));
            let tasks = bodies.zip(&mut self.samplers);
            let refused = tasks.map(|((bodies, needed), sampler)| pose_some(bodies, needed, sampler, how, &mut &pose));
            let first = refused.reduce(|| None, Option::or);
            let bodies = &self.bodies;
            self.broad.set_all_parallel(self.kernel, |place| bodies[place].boxes.bounds());
            if let Some(swept) = &mut self.swept {
                swept.set_all_parallel(self.kernel, |place| bodies[place].swept_bounds());
            }
            first.map_or(Ok(()), |(id, error)| Err(WorldError::Pose { id, error }))
        }
    }

    /// From the next poses on, keeps or drops the matrices of bodies that are posed with matrices, for
    /// [`Body::own_joints`]. A history of the past needs them. They take 48 bytes for each of
    /// [`Character::needed_joints`].
    pub fn keep_joints(&mut self, keeps_joints: bool) {
        self.keeps_joints = keeps_joints;
    }

    /// From the body's next pose on, keeps the matrices of these joints for [`Body::world_from_joint`], for example of
    /// weapon sockets, muzzles and cameras. The call replaces the joints that were tracked before.
    ///
    /// # Errors
    /// Returns an error if no body has this id, or if the body's skeleton has no joint with one of the names.
    ///
    /// ```
    /// use glam::{Affine3A, Vec3A};
    /// use runtime::{BodyId, BodySettings, Character, HitboxWorld};
    /// use std::sync::Arc;
    ///
    /// let arm = Arc::new(Character::load(&std::fs::read("tests/data/arm.bonebox")?)?);
    /// let mut world = HitboxWorld::new();
    /// world.insert(BodyId(1), Arc::clone(&arm), BodySettings::default())?;
    /// world.track_joints(BodyId(1), &["finger"])?; // a joint without a hitbox
    /// world.pose_from_clip(BodyId(1), &Affine3A::IDENTITY, arm.find_clip("wave").unwrap(), 0.0)?;
    /// let finger = world.body(BodyId(1)).unwrap().world_from_joint("finger").unwrap();
    /// assert_eq!(finger.translation, Vec3A::new(0.0, 3.0, 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn track_joints(&mut self, id: BodyId, names: &[&str]) -> Result<(), WorldError> {
        let place = self.place(id)?;
        let body = &mut self.bodies[place];
        let find = |name: &&str| {
            let joint = body.character.skeleton().find(name);
            let character = Arc::clone(&body.character.hitboxes.name);
            joint.ok_or_else(|| WorldError::NoJoint { id, character, name: (*name).into() })
        };
        let joints: Vec<JointIndex> = names.iter().map(find).collect::<Result<_, _>>()?;
        body.boxes_mut().track_joints(&joints);
        Ok(())
    }

    /// Starts or stops keeping the data that exact queries need, from the body's next pose on. See
    /// [`PosedCharacter::track_skin`].
    ///
    /// # Errors
    /// Returns an error if no body has this id, or if the body's character was baked without its skin.
    pub fn track_skin(&mut self, id: BodyId, is_tracked: bool) -> Result<(), WorldError> {
        let place = self.place(id)?;
        let body = &mut self.bodies[place];
        if is_tracked && !body.character.has_skin() {
            let character = Arc::clone(&body.character.hitboxes.name);
            return Err(WorldError::Skin { id, error: SkinError::NoSkin { character } });
        }
        body.boxes_mut().track_skin(is_tracked);
        body.boxes.find_bounds();
        self.note_change(place);
        Ok(())
    }

    /// Sets the weights of morph targets of a body's tracked skin, from the body's next pose on. See
    /// [`PosedCharacter::set_morph_weights`].
    ///
    /// # Errors
    /// Returns an error if no body has this id, and the errors of [`PosedCharacter::set_morph_weights`].
    pub fn set_morph_weights(&mut self, id: BodyId, weights: &[f32]) -> Result<(), WorldError> {
        let place = self.place(id)?;
        let Body { character, boxes, .. } = &mut self.bodies[place];
        let name = || Arc::clone(&character.hitboxes.name);
        // The boxes of a body that tracks its skin never wait.
        let known = boxes.known_mut();
        let set = known.map_or_else(
            || {
                Err(if character.has_skin() {
                    SkinError::NotTracked { character: name() }
                } else {
                    SkinError::NoSkin { character: name() }
                })
            },
            |posed| posed.set_morph_weights(character, weights),
        );
        set.map_err(|error| WorldError::Skin { id, error })
    }

    /// Begins a motion of each body at its present pose. A body stands still until it is posed again. Then, until the next
    /// call of `start_motion`, it moves from this pose to its latest pose. Bodies that are inserted later stand still.
    /// Bodies that are [`BodySettings::continuous`] need no call.
    ///
    /// [`HitboxWorld::sweep`] and similar queries use these motions. The next [`HitboxWorld::update`] prepares the motions
    /// and therefore takes longer. The first call allocates memory for a second copy of the boxes.
    pub fn start_motion(&mut self) {
        for body in &mut self.bodies {
            body.begin_motion();
        }
        if self.swept.is_some() { self.set_all_bounds() } else { self.prepare_motion() }
    }

    /// Ends the motion of a body: the body stands still at its present place, and sweeps ignore its way to this place.
    /// If the body is posed again before its next motion begins, it moves from this place. Call this function after you
    /// teleport or respawn a body, when the body is posed at the new place.
    ///
    /// # Errors
    /// Returns an error if no body has this id.
    pub fn reset_motion(&mut self, id: BodyId) -> Result<(), WorldError> {
        let place = self.place(id)?;
        let body = &mut self.bodies[place];
        if body.before.is_some() {
            body.begin_motion();
        }
        self.note_change(place);
        Ok(())
    }

    fn posing(&self) -> Posing {
        Posing { has_motions: self.swept.is_some(), keeps_joints: self.keeps_joints, are_many: self.has_many_boxes() }
    }

    /// The place of a body that is posed by its id. Games mostly pose all bodies, or every n-th body, in the order of
    /// their ids. So the function first tries the place that is as far behind the last place as the last place was
    /// behind the place before it.
    fn find_to_pose(&mut self, id: BodyId) -> Result<usize, WorldError> {
        let [last, expected] = self.posed;
        let place = match self.ids.get(expected) {
            Some(&there) if there == id => expected,
            _ => self.place(id)?,
        };
        let step = place.saturating_sub(last).max(1);
        self.posed = [place, place + step];
        if self.has_many_boxes() {
            prefetch_bodies(&self.bodies, place, step);
        }
        Ok(place)
    }

    /// Must be called after a body or its settings changed, so that queries find it at its present place and with its
    /// present pairs.
    pub(super) fn note_change(&mut self, place: usize) {
        self.are_pairs_current = false;
        let body = &mut self.bodies[place];
        if !body.is_changed {
            body.is_changed = true;
            make_room(&mut self.changed, 1);
            self.changed.push(place as u32);
        }
        self.set_bounds(place);
    }

    pub(super) fn set_bounds(&mut self, place: usize) {
        let body = &self.bodies[place];
        self.broad.set(place, &body.boxes.bounds());
        if let Some(swept) = &mut self.swept {
            swept.set(place, &body.swept_bounds());
        }
    }

    fn set_all_bounds(&mut self) {
        self.broad.set_all(self.kernel, self.bodies.iter().map(|body| body.boxes.bounds()));
        if let Some(swept) = &mut self.swept {
            swept.set_all(self.kernel, self.bodies.iter().map(|body| body.swept_bounds()));
        }
    }

    /// Puts all bodies into the list of changed bodies.
    fn note_all_changed(&mut self) {
        self.are_pairs_current = false;
        self.changed.clear();
        make_room(&mut self.changed, self.bodies.len());
        self.changed.extend(0..self.bodies.len() as u32);
    }

    /// Keeps bounds of motions from now on.
    pub(super) fn prepare_motion(&mut self) {
        if self.swept.is_some() {
            return;
        }
        self.bodies.iter_mut().for_each(Body::find_swept_bounds);
        let bounds = self.bodies.iter().map(|body| body.swept_bounds());
        self.swept.insert(BroadPhase::default()).fill(bounds);
    }
}

/// Prefetches the boxes of the body that is posed next, one step after `place`, and the pointers to the boxes of the
/// body after that.
#[inline]
fn prefetch_bodies(bodies: &[Body], place: usize, step: usize) {
    prefetch_body(bodies, place + 2 * step);
    if let Some(next) = bodies.get(place + step) {
        next.boxes.known().inspect(|posed| posed.prefetch_records());
        next.boxes.known().inspect(|posed| posed.prefetch_bounds());
    }
}

/// Prefetches the pointers to the boxes of a body.
#[inline]
fn prefetch_body(bodies: &[Body], place: usize) {
    if let Some(body) = bodies.get(place) {
        body.boxes.prefetch();
    }
}

/// Poses some bodies that are in the list of changed bodies. Returns the error of the first body that could
/// not be posed.
fn pose_some(
    bodies: &mut [Body],
    needed: &[u8],
    sampler: &mut CrowdSampler,
    how: Posing,
    pose: &mut impl FnMut(BodyId, &mut BodyPoser<'_>) -> Result<(), PoseError>,
) -> Option<(BodyId, PoseError)> {
    let Posing { has_motions, keeps_joints, are_many } = how;
    let mut first = None;
    for place in 0..bodies.len() {
        // The memory of the next body is prefetched in three parts: before this body is posed, between sampling its
        // clip and placing its boxes, and afterwards. A processor that has to fetch too many cache lines at once would
        // wait.
        if are_many {
            prefetch_body(bodies, place + 2);
        }
        let [body, others @ ..] = &mut bodies[place..] else { break };
        let next = others.first().filter(|_| are_many).and_then(|next| next.boxes.known());
        let (now, soon) = next.map_or((&[][..], &[][..]), |next| next.records.split_at(next.records.len() / 2));
        kernels::prefetch(now);
        let id = body.id;
        body.is_changed = true;
        let is_needed = needed[place] > 0;
        let mut poser = BodyPoser { body, sampler, has_motions, keeps_joints, is_needed, soon };
        if let Err(error) = pose(id, &mut poser) {
            poser.clear();
            first.get_or_insert((id, error));
        }
        // If the body was posed from a clip, `soon` is empty now.
        kernels::prefetch(poser.soon);
        next.inspect(|next| next.prefetch_bounds());
    }
    first
}
