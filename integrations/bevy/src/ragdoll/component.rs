//! The component by which a game lets a character fall.

use super::RagdollState;
use crate::HitboxError;
use crate::joint_binding::nearest_joints;
use bevy_ecs::prelude::*;
use bevy_reflect::prelude::*;
use bonebox::Character;
use bonebox::ragdoll::RagdollRig;

/// Lets a character fall, lets single limbs hang, and goes back to the animation. Put it on the entity with
/// [`Hitboxes`](crate::Hitboxes), of a character that was baked with `ragdoll = true`.
///
/// A fall begins with the velocities of the last two poses. Add the component with the character, so that the poses before the
/// fall are known. If it is added for the fall, the fall begins a tick later, with the velocities of that tick.
///
/// While parts fall, the plugin writes the transforms of their joints, so that the mesh follows, and poses their hitboxes.
/// [`HitboxPose`](crate::HitboxPose) and the animation of the scene go on meanwhile: limbs that are held follow them.
/// If the component is removed, the character is in its animation in the same tick.
///
/// ```
/// use bevy_bonebox::Ragdoll;
/// use bevy_ecs::prelude::*;
///
/// #[derive(Component)]
/// struct Dead;
///
/// fn die(mut characters: Query<&mut Ragdoll, Added<Dead>>) {
///     characters.iter_mut().for_each(|mut ragdoll| *ragdoll = Ragdoll::Falling);
/// }
///
/// fn get_up(mut characters: Query<&mut Ragdoll>, mut saved: RemovedComponents<Dead>) {
///     for character in saved.read() {
///         if let Ok(mut ragdoll) = characters.get_mut(character) {
///             *ragdoll = Ragdoll::Animated { seconds: 0.5 };
///         }
///     }
/// }
/// ```
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Clone, Debug, PartialEq, Default)]
#[require(RagdollState)]
pub enum Ragdoll {
    /// The animation plays, and the physics engine has no bodies of the character. After a fall, the pose goes back to the
    /// animation in this time.
    Animated {
        /// The time of the way back, in seconds; 0 is at once.
        seconds: f32,
    },
    /// The joints with these names hang limp, with all joints below them. The other bodies are kinematic and follow the animation.
    ///
    /// A body that was limp and is not any more is at its place in the animation in the next step. To take a limb back
    /// smoothly, go through [`Ragdoll::Animated`].
    Limp(Vec<String>),
    /// The whole character falls.
    Falling,
}

/// The animation plays; the way back takes 0.3 s.
impl Default for Ragdoll {
    fn default() -> Self {
        Self::Animated { seconds: 0.3 }
    }
}

impl Ragdoll {
    /// Lets limbs hang limp: the joints with these names and all joints below them.
    #[must_use]
    pub fn limp<T: Into<String>>(joints: impl IntoIterator<Item = T>) -> Self {
        Self::Limp(joints.into_iter().map(Into::into).collect())
    }

    /// Returns for each body of the rig if it is limp.
    ///
    /// # Errors
    /// Returns an error if the character has no joint with one of the names, or if no body is at such a joint or below it.
    pub(super) fn limp_bodies(&self, character: &Character, rig: &RagdollRig) -> Result<Vec<bool>, HitboxError> {
        let Self::Limp(names) = self else {
            return Ok(vec![matches!(self, Self::Falling); rig.bodies().len()]);
        };
        let skeleton = character.skeleton();
        let mut is_limp = vec![false; rig.bodies().len()];
        for name in names {
            let top = skeleton.find(name).ok_or_else(|| HitboxError::NoLimpJoint {
                character: character.name().into(),
                joint: name.clone(),
                nearest: nearest_joints(name, character),
            })?;
            let mut has_body = false;
            for (index, body) in rig.bodies().iter().enumerate() {
                let mut up = std::iter::successors(Some(body.joint), |joint| skeleton.joint(*joint).parent);
                let is_below = up.any(|joint| joint == top);
                has_body |= is_below;
                // Parents come first. A foot that hangs at another joint than its shin falls with the shin.
                let parent = body.constraint.as_ref().is_some_and(|held| is_limp[usize::from(held.parent)]);
                is_limp[index] |= is_below || parent;
            }
            if !has_body {
                return Err(HitboxError::NoLimpBody { character: character.name().into(), joint: name.clone() });
            }
        }
        Ok(is_limp)
    }
}
