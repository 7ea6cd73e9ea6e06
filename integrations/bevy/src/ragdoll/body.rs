//! The bodies of ragdolls, as entities.

use bevy_ecs::prelude::*;
use bonebox::ragdoll::{BodyPlace, BodyVelocity, RagdollRig};
use std::sync::Arc;

/// A body of a ragdoll: an entity of its own, which the plugin of the physics engine makes a rigid body.
///
/// Observe `On<Add<RagdollBody>>` to give bodies collision layers, friction or a material of your own.
#[derive(Component, Clone, Debug)]
pub struct RagdollBody {
    /// The ragdoll, in the size of the character.
    pub rig: Arc<RagdollRig>,
    /// The index of the body in [`RagdollRig::bodies`].
    pub index: usize,
    /// The body that holds this body by [`RagdollBody::constraint`](bonebox::ragdoll::RagdollBody::constraint); `None` for roots.
    pub parent: Option<Entity>,
    /// Other bodies than the parent with which this body never collides. Each pair is listed once.
    pub passes: Vec<Entity>,
    /// The place in the world. The plugin of the engine writes it after each step.
    pub place: BodyPlace,
    /// The velocity in the world at the start of the fall.
    pub velocity: BodyVelocity,
    /// The place in the animation, where a body that is held moves in the next step.
    pub target: BodyPlace,
    /// `true` if the body falls; `false` if it is held.
    pub is_limp: bool,
}

/// The character that a body of a ragdoll belongs to. The bodies are despawned with the character.
#[derive(Component, Clone, Copy, Debug)]
#[relationship(relationship_target = CharacterRagdoll)]
pub struct RagdollOf(pub Entity);

/// The bodies of a character that falls, in the order of [`RagdollRig::bodies`].
#[derive(Component, Debug)]
#[relationship_target(relationship = RagdollOf, linked_spawn)]
pub struct CharacterRagdoll(Vec<Entity>);

impl RagdollBody {
    /// The body's data from the bake.
    #[must_use]
    pub fn baked(&self) -> &bonebox::ragdoll::RagdollBody {
        &self.rig.bodies()[self.index]
    }

    /// The velocity that takes the body from a place to its target in this time, in seconds.
    #[must_use]
    pub fn velocity_from(&self, now: &BodyPlace, seconds: f32) -> BodyVelocity {
        let center = self.baked().center_of_mass;
        let turn = self.target.rotation * now.rotation.conjugate();
        let turn = if turn.w < 0.0 { -turn } else { turn };
        BodyVelocity {
            linear: (self.target.point(center) - now.point(center)) / seconds,
            angular: turn.to_scaled_axis() / seconds,
        }
    }

    /// The bodies of a ragdoll. `entities` are the entities that they will have.
    pub(super) fn all(
        rig: &Arc<RagdollRig>,
        entities: &[Entity],
        places: &[BodyPlace],
        velocities: &[BodyVelocity],
        is_limp: &[bool],
    ) -> Vec<Self> {
        let parent = |index: usize| rig.bodies()[index].constraint.as_ref().map(|held| usize::from(held.parent));
        let passes = |index: usize| {
            let pairs = rig.no_collision().iter().map(|pair| pair.map(usize::from));
            pairs
                .filter(|&[first, second]| {
                    second == index && parent(second) != Some(first) && parent(first) != Some(second)
                })
                .map(|[first, _]| entities[first])
                .collect()
        };
        (0..entities.len())
            .map(|index| Self {
                rig: Arc::clone(rig),
                index,
                parent: parent(index).map(|parent| entities[parent]),
                passes: passes(index),
                place: places[index],
                velocity: velocities.get(index).copied().unwrap_or_default(),
                target: places[index],
                is_limp: is_limp[index],
            })
            .collect()
    }
}
