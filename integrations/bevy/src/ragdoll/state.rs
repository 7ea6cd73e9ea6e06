//! What the plugin knows of a character that may fall.

use super::RagdollBody;
use crate::Bonebox;
use bevy_asset::AssetId;
use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;
use bonebox::glam::Affine3A;
use bonebox::ragdoll::{BodyPlace, RagdollRig, blend_poses};
use bonebox::skeleton::{JointIndex, LocalTransform, Skeleton};
use std::sync::Arc;

/// Says that an engine moves the bodies of ragdolls. The plugins of the engines insert it; insert it yourself if your game
/// moves them by another engine.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct RagdollEngine;

/// The state of a character's ragdoll. The plugin writes this component.
#[derive(Component, Clone, Debug, Default)]
pub struct RagdollState {
    /// The ragdoll in the size of the file, and its asset.
    pub(super) rig: Option<(AssetId<Bonebox>, Arc<RagdollRig>)>,
    /// The bodies while parts are limp; else empty.
    pub(super) bodies: Vec<Entity>,
    /// `true` for each joint that hangs limp or goes back to the animation.
    pub(super) is_limp: Vec<bool>,
    pub(super) fade: Option<Fade>,
    /// `world_from_joint` of each joint in the animation; empty before the first pose.
    pub(super) animated: Vec<Affine3A>,
    /// The time of the animated pose in seconds, if it was read from the scene.
    pub(super) captured_at: f64,
    /// The times and the places of the bodies in the last two poses that were shown, the older one first.
    pub(super) samples: Vec<(f64, Vec<BodyPlace>)>,
    /// The transforms that the animation gave the joints of the scene, by joint.
    pub(super) scene: Vec<Transform>,
    /// The transforms that the plugin wrote over them.
    pub(super) written: Vec<Option<Transform>>,
    /// The problem that was reported last.
    pub(super) problem: Option<String>,
}

/// The way back to the animation.
#[derive(Clone, Debug)]
pub(super) struct Fade {
    /// The transforms of the joints at its start, in the space of the joint above; those of roots are in the world.
    pub(super) local: Vec<LocalTransform>,
    /// The time since its start, in seconds.
    pub(super) passed: f32,
    /// Its whole time, in seconds.
    pub(super) seconds: f32,
}

impl RagdollState {
    /// Returns `true` while a part of the character is limp.
    #[must_use]
    pub fn is_falling(&self) -> bool {
        !self.bodies.is_empty()
    }

    /// Returns `true` while the pose goes back to the animation.
    #[must_use]
    pub fn is_returning(&self) -> bool {
        self.fade.is_some()
    }

    /// Returns the entities of the bodies, in the order of [`RagdollRig::bodies`]; none if no part is limp.
    #[must_use]
    pub fn bodies(&self) -> &[Entity] {
        &self.bodies
    }

    /// Returns the character's ragdoll in the size of its file; `None` before the file is loaded, or if it has no ragdoll.
    #[must_use]
    pub fn rig(&self) -> Option<&RagdollRig> {
        Some(&*self.rig.as_ref()?.1)
    }

    /// Returns `true` if the pose differs from the animation.
    pub(super) fn is_shown(&self) -> bool {
        self.is_falling() || self.is_returning()
    }

    /// Sets which joints are limp: those of limp bodies, and the joints below them and above the first body.
    pub(super) fn set_limp(&mut self, skeleton: &Skeleton, rig: &RagdollRig, bodies: &[bool]) {
        let mut is_limp: Vec<bool> = Vec::with_capacity(skeleton.len());
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let own = rig.body_of_joint(JointIndex(index as u16)).map(|body| bodies[body]);
            is_limp.push(own.unwrap_or_else(|| joint.parent.is_some_and(|parent| is_limp[parent.index()])));
        }
        let mut first = skeleton.joint(rig.bodies()[0].joint).parent;
        while let Some(joint) = first {
            is_limp[joint.index()] = bodies[0];
            first = skeleton.joint(joint).parent;
        }
        self.is_limp = is_limp;
    }

    /// Computes `world_from_joint` of each joint as the bodies and the way back have it. Returns `None` if the animation
    /// shows as it is.
    pub(super) fn shown(&self, skeleton: &Skeleton, bodies: &Query<&RagdollBody>) -> Option<Vec<Affine3A>> {
        let count = skeleton.len();
        if self.animated.len() != count || self.is_limp.len() != count {
            return None;
        }
        let mut shown = vec![Affine3A::IDENTITY; count];
        if let Some(fade) = &self.fade {
            let mut from = self.animated.clone();
            for (index, joint) in skeleton.joints().iter().enumerate().filter(|(index, _)| self.is_limp[*index]) {
                let local = fade.local[index].to_affine();
                from[index] = joint.parent.map_or(local, |parent| from[parent.index()] * local);
            }
            let share = (fade.passed / fade.seconds).clamp(0.0, 1.0);
            blend_poses(skeleton, &from, &self.animated, share, &mut shown);
        } else {
            // Without all of its bodies, which the game may have despawned, the character is in its animation.
            let found: Vec<&RagdollBody> = self.bodies.iter().filter_map(|body| bodies.get(*body).ok()).collect();
            let rig = &found.first()?.rig;
            if found.len() != rig.bodies().len() {
                return None;
            }
            let places: Vec<BodyPlace> =
                found.iter().map(|body| if body.is_limp { body.place } else { body.target }).collect();
            rig.world_from_joints(&places, &locals(skeleton, &self.animated), &mut shown).ok()?;
        }
        for (index, matrix) in shown.iter_mut().enumerate() {
            if !self.is_limp[index] {
                *matrix = self.animated[index];
            }
        }
        Some(shown)
    }
}

/// The transform of each joint in the space of the joint above; those of roots are in the world. A joint below one that is
/// scaled to nothing is nothing too.
pub(super) fn locals(skeleton: &Skeleton, world: &[Affine3A]) -> Vec<LocalTransform> {
    let local = |(index, parent): (usize, Option<JointIndex>)| {
        let Some(parent) = parent else { return LocalTransform::Matrix(world[index]) };
        let local = world[parent.index()].inverse() * world[index];
        LocalTransform::Matrix(if local.is_finite() { local } else { Affine3A::ZERO })
    };
    skeleton.joints().iter().map(|joint| joint.parent).enumerate().map(local).collect()
}
