//! Starts falls, moves what is held, and goes back to the animation.

use super::body::RagdollOf;
use super::state::{Fade, locals};
use super::{Ragdoll, RagdollBody, RagdollEngine, RagdollState};
use crate::body::HitboxBodies;
use crate::error::report;
use crate::{Bonebox, HitboxBinding, HitboxError, HitboxPose};
use bevy_ecs::prelude::*;
use bevy_time::Time;
use bevy_transform::components::Transform;
use bevy_transform::helper::TransformHelper;
use bonebox::ClipSampler;
use bonebox::glam::{Affine3A, Vec3};
use bonebox::ragdoll::{BodyVelocity, RagdollRig};
use std::sync::Arc;

/// The largest difference between the scales of a character's axes, as a share of the largest scale.
const UNIFORM: f32 = 0.01;

type Character<'a> =
    (Entity, Option<&'a Ragdoll>, &'a mut RagdollState, &'a HitboxPose, &'a mut HitboxBinding, Option<&'a Name>);

pub(super) fn advance(
    mut commands: Commands,
    mut characters: Query<Character<'_>>,
    mut bodies: Query<&mut RagdollBody>,
    mut hitboxes: ResMut<HitboxBodies>,
    engine: Option<Res<RagdollEngine>>,
    helper: TransformHelper<'_, '_>,
    time: Res<Time>,
    mut sampler: Local<ClipSampler>,
) {
    sampler.set_joints(bonebox::SampleJoints::All);
    for (entity, ragdoll, mut state, pose, mut binding, name) in &mut characters {
        let asset = hitboxes.asset(entity).filter(|_| binding.is_bound && binding.asset.is_some()).cloned();
        let same = binding.asset == state.rig.as_ref().map(|(asset, _)| *asset);
        if ragdoll.is_none() || asset.is_none() || (state.rig.is_some() && !same) {
            state.end(&mut commands);
            (state.rig, state.problem) = (None, None);
            state.samples.clear();
        }
        let (Some(ragdoll), Some(asset), Some(id)) = (ragdoll, asset, binding.asset) else { continue };
        if state.rig.is_none() {
            match RagdollRig::new(asset.character()) {
                Ok(rig) => state.rig = Some((id, Arc::new(rig))),
                Err(error) => {
                    state.report(&mut commands, entity, name, &mut binding, error.into());
                    continue;
                }
            }
        }
        let place = helper.compute_global_transform(entity).map_or(Affine3A::IDENTITY, |place| place.affine());
        let mut now = state.captured_at;
        if !matches!(pose, HitboxPose::Joints) {
            now = time.elapsed_secs_f64();
            // A pose that fails is reported by the system that poses hitboxes.
            if let Ok(animated) = animated(entity, &asset, pose, &place, &mut hitboxes, &mut sampler) {
                state.animated = animated;
            }
        }
        if let Some(fade) = &mut state.fade {
            fade.passed += time.delta_secs();
            if fade.passed >= fade.seconds {
                state.end(&mut commands);
            }
        }
        let readable = bodies.as_readonly();
        state.sample(&asset, now, &readable);
        let problem = match ragdoll {
            Ragdoll::Animated { seconds } => {
                if state.is_falling() {
                    state.turn_back(&mut commands, &asset, *seconds, &readable);
                }
                None
            }
            _ if engine.is_none() => Some(HitboxError::NoRagdollEngine),
            _ => state.fall(&mut commands, entity, ragdoll, &asset, &place, &mut bodies).err(),
        };
        match problem {
            Some(error) => state.report(&mut commands, entity, name, &mut binding, error),
            None => state.problem = None,
        }
    }
}

/// Computes `world_from_joint` of each joint in a pose without joints.
fn animated(
    entity: Entity,
    asset: &Bonebox,
    pose: &HitboxPose,
    world_from_model: &Affine3A,
    hitboxes: &mut HitboxBodies,
    sampler: &mut ClipSampler,
) -> Result<Vec<Affine3A>, HitboxError> {
    let character = asset.character();
    let model_from_joint = match pose {
        HitboxPose::Joints | HitboxPose::Rest => character.rest_matrices(),
        HitboxPose::Clip { clip, seconds, looped } => {
            let (clip, seconds) = asset.clip_time(clip, *seconds, *looped)?;
            sampler.sample(character, clip, seconds)?
        }
        HitboxPose::Layers(layers) => sampler.sample_layers(character, &hitboxes.pose_layers(entity, layers)?)?,
    };
    Ok(model_from_joint.iter().map(|joint| *world_from_model * *joint).collect())
}

impl RagdollState {
    /// Despawns the bodies; the character is in its animation from now on.
    fn end(&mut self, commands: &mut Commands<'_, '_>) {
        for body in self.bodies.drain(..) {
            commands.entity(body).try_despawn();
        }
        (self.fade, self.is_limp) = (None, Vec::new());
    }

    /// Remembers the places of the bodies in the pose that shows, for the velocities of a fall that starts.
    fn sample(&mut self, asset: &Bonebox, now: f64, bodies: &Query<&RagdollBody>) {
        let Some((_, rig)) = &self.rig else { return };
        if self.is_falling() || self.animated.is_empty() {
            self.samples.clear();
            return;
        }
        let skeleton = asset.character().skeleton();
        let shown = if self.fade.is_some() { self.shown(skeleton, bodies) } else { None };
        let mut places = Vec::new();
        if rig.places(&Affine3A::IDENTITY, shown.as_ref().unwrap_or(&self.animated), &mut places).is_err() {
            self.samples.clear();
        } else if self.samples.last().is_none_or(|(last, _)| *last < now) {
            if self.samples.len() > 1 {
                self.samples.remove(0);
            }
            self.samples.push((now, places));
        }
    }

    /// Starts a fall, or changes what is limp, and sets the targets of what is held.
    fn fall(
        &mut self,
        commands: &mut Commands<'_, '_>,
        entity: Entity,
        ragdoll: &Ragdoll,
        asset: &Bonebox,
        place: &Affine3A,
        bodies: &mut Query<&mut RagdollBody>,
    ) -> Result<(), HitboxError> {
        let Some((_, rig)) = self.rig.clone() else { return Ok(()) };
        let character = asset.character();
        let is_limp = ragdoll.limp_bodies(character, &rig)?;
        if self.is_falling() {
            let mut targets = Vec::new();
            rig.places(&Affine3A::IDENTITY, &self.animated, &mut targets)?;
            for (index, body) in self.bodies.iter().enumerate() {
                if let Ok(mut body) = bodies.get_mut(*body) {
                    (body.target, body.is_limp) = (targets[index], is_limp[index]);
                }
            }
            self.set_limp(character.skeleton(), &rig, &is_limp);
            return Ok(());
        }
        let [(before, from), (now, to)] = &self.samples[..] else { return Ok(()) };
        let scale = uniform_scale(place)?;
        let scaled = Arc::new(rig.scaled(scale));
        let mut velocities: Vec<BodyVelocity> = Vec::new();
        scaled.velocities(from, to, (now - before) as f32, &mut velocities)?;
        let entities: Vec<Entity> = to.iter().map(|_| commands.spawn_empty().id()).collect();
        for (body, own) in RagdollBody::all(&scaled, &entities, to, &velocities, &is_limp).into_iter().zip(&entities) {
            let at = Transform::from_translation(body.place.position).with_rotation(body.place.rotation);
            commands.entity(*own).insert((at, RagdollOf(entity), body));
        }
        self.fade = None;
        self.bodies = entities;
        self.set_limp(character.skeleton(), &rig, &is_limp);
        Ok(())
    }

    /// Starts the way back to the animation.
    fn turn_back(
        &mut self,
        commands: &mut Commands<'_, '_>,
        asset: &Bonebox,
        seconds: f32,
        bodies: &Query<&RagdollBody>,
    ) {
        let skeleton = asset.character().skeleton();
        let from = self.shown(skeleton, bodies).filter(|from| from.iter().all(|joint| joint.is_finite()));
        let is_limp = std::mem::take(&mut self.is_limp);
        self.end(commands);
        if let Some(from) = from.filter(|_| seconds > 0.0) {
            self.fade = Some(Fade { local: locals(skeleton, &from), passed: 0.0, seconds });
            self.is_limp = is_limp;
        }
    }

    /// Reports a problem, unless it is the one that was reported last.
    fn report(
        &mut self,
        commands: &mut Commands<'_, '_>,
        entity: Entity,
        name: Option<&Name>,
        binding: &mut HitboxBinding,
        error: HitboxError,
    ) {
        let text = error.to_string();
        if self.problem.as_deref() != Some(&text) {
            self.problem = Some(text);
            report(commands, entity, name, binding, error);
        }
    }
}

/// The scale of a character's place.
///
/// # Errors
/// Returns an error if the axes have different scales, or a scale is 0 or not finite.
fn uniform_scale(place: &Affine3A) -> Result<f32, HitboxError> {
    let axes = place.matrix3;
    let scale = Vec3::new(axes.x_axis.length(), axes.y_axis.length(), axes.z_axis.length());
    let (low, high) = (scale.min_element(), scale.max_element());
    if low.is_finite() && low > 0.0 && high.is_finite() && high - low <= UNIFORM * high && axes.determinant() > 0.0 {
        Ok(scale.element_sum() / 3.0)
    } else {
        Err(HitboxError::RagdollScale { scale })
    }
}
