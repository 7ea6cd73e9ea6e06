//! Posing the bodies of a world.

use super::body::MANY;
use super::broad_phase::BroadPhase;
use super::{Body, BodyId, BodySettings, HitboxWorld, WorldError};
use crate::query::sweep::BodyMotion;
use crate::{Character, ClipIndex, ClipSampler, PoseError, PoseLayer, PosedCharacter, SkinError};
use glam::Affine3A;
use skeleton::JointIndex;
use std::sync::Arc;

/// A body that is being posed, by its own character: what [`HitboxWorld::pose_all`] hands out.
#[derive(Debug)]
pub struct BodyPoser<'a> {
    body: &'a mut Body,
    sampler: &'a mut ClipSampler,
    has_motions: bool,
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

    /// The body's boxes as they are now.
    #[must_use]
    pub fn posed(&self) -> &PosedCharacter {
        &self.body.posed
    }

    /// Poses by matrices in model space, see [`PosedCharacter::pose_from_model`].
    ///
    /// # Errors
    /// Another number of matrices; a matrix that is not finite or sends a box to infinity.
    pub fn pose_from_model(
        &mut self,
        world_from_model: &Affine3A,
        model_from_joint: &[Affine3A],
    ) -> Result<(), PoseError> {
        self.pose(false, |body, _| body.posed.pose_from_model(&body.character, world_from_model, model_from_joint))
    }

    /// Poses by matrices in world space, see [`PosedCharacter::pose_from_world`].
    ///
    /// # Errors
    /// Another number of matrices; a matrix that is not finite or sends a box to infinity.
    pub fn pose_from_world(&mut self, world_from_joint: &[Affine3A]) -> Result<(), PoseError> {
        self.pose(false, |body, _| body.posed.pose_from_world(&body.character, world_from_joint))
    }

    /// Poses by a baked clip, see [`PosedCharacter::pose_from_clip`].
    ///
    /// # Errors
    /// No such clip; a time that is NaN; a pose that is not finite.
    pub fn pose_from_clip(
        &mut self,
        world_from_model: &Affine3A,
        clip: ClipIndex,
        seconds: f32,
    ) -> Result<(), PoseError> {
        self.pose(false, |body, sampler| {
            body.posed.pose_from_clip(sampler, &body.character, world_from_model, clip, seconds)
        })
    }

    /// Poses by clips in layers, see [`PosedCharacter::pose_from_layers`].
    ///
    /// # Errors
    /// As [`ClipSampler::sample_layers`], and a pose that is not finite.
    pub fn pose_from_layers(&mut self, world_from_model: &Affine3A, layers: &[PoseLayer<'_>]) -> Result<(), PoseError> {
        self.pose(false, |body, sampler| {
            body.posed.pose_from_layers(sampler, &body.character, world_from_model, layers)
        })
    }

    /// Poses by the rest pose.
    ///
    /// # Errors
    /// A pose that is not finite.
    pub fn pose_from_rest(&mut self, world_from_model: &Affine3A) -> Result<(), PoseError> {
        self.pose(false, |body, _| body.posed.pose_from_rest(&body.character, world_from_model))
    }

    /// Poses some joints anew, see [`PosedCharacter::update_joints`].
    ///
    /// # Errors
    /// As [`BodyPoser::pose_from_world`], and where the body has no pose yet.
    pub fn update_joints(&mut self, world_from_joint: &[Affine3A], joints: &[JointIndex]) -> Result<(), PoseError> {
        self.pose(true, |body, _| body.posed.update_joints(&body.character, world_from_joint, joints))
    }

    /// Takes over a pose that was computed or kept elsewhere. Tracked joints have no matrices until the next pose,
    /// except those that the other pose tracks too.
    ///
    /// # Errors
    /// The pose is of another character, or is none; the body keeps its own.
    pub fn copy_pose(&mut self, posed: &PosedCharacter) -> Result<(), PoseError> {
        posed.check_is_of(&self.body.character)?;
        self.pose(false, |body, _| {
            body.posed.copy_boxes(posed);
            Ok(())
        })
    }

    fn pose(
        &mut self,
        keeps_boxes: bool,
        pose: impl FnOnce(&mut Body, &mut ClipSampler) -> Result<(), PoseError>,
    ) -> Result<(), PoseError> {
        self.body.begin_pose(keeps_boxes);
        let result = pose(self.body, self.sampler);
        if self.has_motions {
            self.body.find_swept_bounds();
        }
        result
    }
}

impl HitboxWorld {
    /// Poses one body by matrices in model space, see [`PosedCharacter::pose_from_model`].
    ///
    /// # Errors
    /// No such body; a pose that is refused.
    pub fn pose_from_model(
        &mut self,
        id: BodyId,
        world_from_model: &Affine3A,
        model_from_joint: &[Affine3A],
    ) -> Result<(), WorldError> {
        self.pose_one(id, |body| body.pose_from_model(world_from_model, model_from_joint))
    }

    /// Poses one body by matrices in world space, see [`PosedCharacter::pose_from_world`].
    ///
    /// # Errors
    /// No such body; a pose that is refused.
    pub fn pose_from_world(&mut self, id: BodyId, world_from_joint: &[Affine3A]) -> Result<(), WorldError> {
        self.pose_one(id, |body| body.pose_from_world(world_from_joint))
    }

    /// Poses one body by a baked clip, see [`PosedCharacter::pose_from_clip`]; all bodies share the world's sampler.
    ///
    /// # Errors
    /// No such body or clip; a time that is NaN; a pose that is refused.
    pub fn pose_from_clip(
        &mut self,
        id: BodyId,
        world_from_model: &Affine3A,
        clip: ClipIndex,
        seconds: f32,
    ) -> Result<(), WorldError> {
        self.pose_one(id, |body| body.pose_from_clip(world_from_model, clip, seconds))
    }

    /// Poses one body by its rest pose.
    ///
    /// # Errors
    /// No such body; a pose that is refused.
    pub fn pose_from_rest(&mut self, id: BodyId, world_from_model: &Affine3A) -> Result<(), WorldError> {
        self.pose_one(id, |body| body.pose_from_rest(world_from_model))
    }

    /// Poses one body in any way that [`BodyPoser`] has.
    ///
    /// # Errors
    /// No such body; what `pose` says.
    pub fn pose_one(
        &mut self,
        id: BodyId,
        pose: impl FnOnce(&mut BodyPoser<'_>) -> Result<(), PoseError>,
    ) -> Result<(), WorldError> {
        let place = self.find_to_pose(id)?;
        let has_motions = self.swept.is_some();
        let body = &mut self.bodies[place];
        let result = pose(&mut BodyPoser { body, sampler: &mut self.sampler, has_motions });
        self.note_pose(place);
        result.map_err(|error| WorldError::Pose { id, error })
    }

    /// Poses all bodies, one after another in the order of their ids. All are posed, also behind one that is refused.
    ///
    /// # Errors
    /// The first body whose pose was refused, and why.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
    /// # use glam::Affine3A; use runtime::{BodyId, BodySettings, HitboxWorld}; use std::sync::Arc;
    /// # let mut world = HitboxWorld::new();
    /// # world.insert(BodyId(1), Arc::new(example::arm("Arm")), BodySettings::default())?;
    /// let mut places = [Affine3A::IDENTITY].into_iter();
    /// world.pose_each(|_, body| body.pose_from_rest(&places.next().unwrap()))?;
    /// assert_eq!(world.unposed_bodies().count(), 0);
    /// # Ok::<(), runtime::WorldError>(())
    /// ```
    pub fn pose_each(
        &mut self,
        mut pose: impl FnMut(BodyId, &mut BodyPoser<'_>) -> Result<(), PoseError>,
    ) -> Result<(), WorldError> {
        let (has_motions, are_many) = (self.swept.is_some(), self.bodies.len() > MANY);
        let first = pose_some(&mut self.bodies, &mut self.sampler, has_motions, are_many, &mut pose);
        self.note_all_poses();
        first.map_or(Ok(()), |(id, error)| Err(WorldError::Pose { id, error }))
    }

    /// Poses all bodies: on all threads of rayon's pool with the feature `rayon`, else one after another. The boxes and
    /// the error are the same. All are posed, also behind one that is refused.
    ///
    /// # Errors
    /// The body of the least id whose pose was refused, and why.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
    /// # use runtime::{BodyId, BodySettings, HitboxWorld}; use std::sync::Arc;
    /// use glam::{Affine3A, Vec3};
    /// # let (arm, mut world) = (Arc::new(example::arm("Arm")), HitboxWorld::new());
    /// # for id in 0..3 { world.insert(BodyId(id), Arc::clone(&arm), BodySettings::default())?; }
    /// let wave = arm.find_clip("wave").unwrap();
    /// world.pose_all(|id, body| body.pose_from_clip(&Affine3A::from_translation(Vec3::X * id.0 as f32), wave, 0.5))?;
    /// world.update();
    /// # Ok::<(), runtime::WorldError>(())
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
            /// Bodies for one task: some tens of microseconds.
            const BODIES: usize = 64;
            let (has_motions, are_many) = (self.swept.is_some(), self.bodies.len() > MANY);
            let chunks = self.bodies.len().div_ceil(BODIES);
            if self.samplers.len() < chunks {
                self.samplers.resize_with(chunks, || ClipSampler::with_kernel(self.kernel));
            }
            let tasks = self.bodies.par_chunks_mut(BODIES).zip(&mut self.samplers);
            let refused = tasks.map(|(bodies, sampler)| pose_some(bodies, sampler, has_motions, are_many, &mut &pose));
            let first = refused.reduce(|| None, Option::or);
            self.note_all_poses();
            first.map_or(Ok(()), |(id, error)| Err(WorldError::Pose { id, error }))
        }
    }

    /// Keeps the matrices of these joints of a body from its next pose on, for [`Body::world_from_joint`]: weapon
    /// sockets, muzzles, cameras. Replaces the joints that were tracked before.
    ///
    /// # Errors
    /// No such body; a name that its skeleton does not have.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
    /// # use runtime::{BodyId, BodySettings, HitboxWorld}; use std::sync::Arc;
    /// # use glam::{Affine3A, Vec3A};
    /// # let (arm, mut world) = (Arc::new(example::arm("Arm")), HitboxWorld::new());
    /// # world.insert(BodyId(1), Arc::clone(&arm), BodySettings::default())?;
    /// world.track_joints(BodyId(1), &["finger"])?; // a joint without a hitbox
    /// world.pose_from_clip(BodyId(1), &Affine3A::IDENTITY, arm.find_clip("wave").unwrap(), 0.0)?;
    /// let finger = world.body(BodyId(1)).unwrap().world_from_joint("finger").unwrap();
    /// assert_eq!(finger.translation, Vec3A::new(0.0, 3.0, 0.0));
    /// # Ok::<(), runtime::WorldError>(())
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
        body.posed.track_joints(&joints);
        Ok(())
    }

    /// Keeps what exact answers need of a body from its next pose on, or no longer, see [`PosedCharacter::track_skin`].
    ///
    /// # Errors
    /// No such body; a character that was baked without its skin.
    pub fn track_skin(&mut self, id: BodyId, is_tracked: bool) -> Result<(), WorldError> {
        let place = self.place(id)?;
        let body = &mut self.bodies[place];
        if is_tracked && !body.character.has_skin() {
            let character = Arc::clone(&body.character.hitboxes.name);
            return Err(WorldError::Skin { id, error: SkinError::NoSkin { character } });
        }
        body.posed.track_skin(is_tracked);
        self.note_pose(place);
        Ok(())
    }

    /// Keeps all poses as they are now: bodies move from them to where they are posed next, until this is called again.
    /// Bodies that come later stand still. Bodies that are [`BodySettings::continuous`] need no call.
    ///
    /// For [`HitboxWorld::sweep`] and its like, which the next [`HitboxWorld::update`] prepares; it then takes some time
    /// longer. The first call allocates: memory for as many boxes again.
    pub fn start_motion(&mut self) {
        for body in &mut self.bodies {
            body.reset_motion();
        }
        self.prepare_motion();
    }

    /// Makes a body stand still where it is now, so that sweeps do not see the way it came: for bodies that were
    /// teleported or have respawned. To be called after posing it at the new place.
    ///
    /// # Errors
    /// No such body.
    pub fn reset_motion(&mut self, id: BodyId) -> Result<(), WorldError> {
        let place = self.place(id)?;
        let body = &mut self.bodies[place];
        if body.before.is_some() {
            body.reset_motion();
        }
        self.note_pose(place);
        Ok(())
    }

    /// [`HitboxWorld::find`] for bodies that are posed one after another: the place behind the last comes first.
    fn find_to_pose(&mut self, id: BodyId) -> Result<usize, WorldError> {
        let place = match self.bodies.get(self.next) {
            Some(body) if body.id == id => self.next,
            _ => self.place(id)?,
        };
        self.next = place + 1;
        if self.bodies.len() > MANY
            && let Some(next) = self.bodies.get(self.next)
        {
            next.posed.prefetch();
        }
        Ok(place)
    }

    /// Queries find the body where it is now.
    fn note_pose(&mut self, place: usize) {
        let body = &self.bodies[place];
        self.any_moved |= body.moved;
        self.broad.set(place, &body.posed.outer_bounds());
        if let Some(swept) = &mut self.swept {
            swept.set(place, &body.swept_bounds);
        }
    }

    fn note_all_poses(&mut self) {
        for place in 0..self.bodies.len() {
            self.note_pose(place);
        }
    }

    /// Bounds around motions, from now on.
    pub(super) fn prepare_motion(&mut self) {
        if self.swept.is_some() {
            return self.note_all_poses();
        }
        self.bodies.iter_mut().for_each(Body::find_swept_bounds);
        let bounds = self.bodies.iter().map(|body| body.swept_bounds);
        self.swept.insert(BroadPhase::default()).fill(bounds);
    }
}

impl Body {
    /// The motion begins at the present pose.
    fn reset_motion(&mut self) {
        self.before.get_or_insert_default().as_mut().clone_from(&self.posed);
        self.is_still = false;
        self.swept_bounds = BodyMotion::still(&self.posed).bounds();
    }
}

/// Answers the first body whose pose was refused.
fn pose_some(
    bodies: &mut [Body],
    sampler: &mut ClipSampler,
    has_motions: bool,
    are_many: bool,
    pose: &mut impl FnMut(BodyId, &mut BodyPoser<'_>) -> Result<(), PoseError>,
) -> Option<(BodyId, PoseError)> {
    let mut first = None;
    for place in 0..bodies.len() {
        if are_many && let Some(next) = bodies.get(place + 1) {
            next.posed.prefetch();
        }
        let body = &mut bodies[place];
        let id = body.id;
        if let Err(error) = pose(id, &mut BodyPoser { body, sampler, has_motions }) {
            first.get_or_insert((id, error));
        }
    }
    first
}
