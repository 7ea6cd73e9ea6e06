//! Ragdolls: characters that fall, limbs that hang, and the way back to the animation.
//!
//! ```text
//!  capture   PostUpdate, after the animation    joints of the scene ──▶ the animated pose
//!  advance   before the pose                    animated pose ──▶ bodies (start), targets of held bodies, the blend back
//!  show      PostUpdate, before the transforms  places of bodies ──▶ transforms of the scene's joints
//!            are propagated
//!  follow    after the pose                     places of bodies ──▶ hitboxes
//! ```
//! The plugins of the physics engines give the bodies their components, and write the places of the bodies after each step.

mod body;
mod component;
mod state;
mod advance;
mod scene;
#[cfg(any(feature = "avian", feature = "rapier"))]
mod inertia;
#[cfg(feature = "avian")]
mod avian;
#[cfg(feature = "avian")]
mod avian_joint;
#[cfg(feature = "avian")]
mod avian_pair;
#[cfg(feature = "avian")]
mod turn;
#[cfg(feature = "rapier")]
mod rapier;

#[cfg(feature = "avian")]
pub use avian::RagdollAvianPlugin;
pub use body::{CharacterRagdoll, RagdollBody, RagdollOf};
pub use component::Ragdoll;
#[cfg(feature = "rapier")]
pub use rapier::RagdollRapierPlugin;
pub use state::{RagdollEngine, RagdollState};

use crate::{HitboxSystems, pose};
use bevy_app::{AnimationSystems, App, PostUpdate};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_transform::TransformSystems;

/// The systems of ragdolls that engines run between.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RagdollSystems {
    /// Spawns and despawns bodies, and sets where those that are held go. An engine steps after it.
    Advance,
    /// Writes the transforms of the scene's joints, in `PostUpdate`. An engine that steps in `PostUpdate` steps before it.
    Show,
}

/// Adds the systems that every engine needs. `schedule` is the schedule of the hitboxes.
pub(crate) fn build(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.register_type::<Ragdoll>()
        .add_systems(schedule, scene::follow.after(pose::pose).in_set(HitboxSystems::Pose))
        .add_systems(schedule, advance::advance.in_set(RagdollSystems::Advance))
        .add_systems(PostUpdate, scene::capture.after(AnimationSystems).before(RagdollSystems::Show))
        .add_systems(PostUpdate, scene::show.in_set(RagdollSystems::Show))
        .configure_sets(PostUpdate, RagdollSystems::Show.before(TransformSystems::Propagate));
    if schedule == PostUpdate.intern() {
        let between = RagdollSystems::Advance.after(scene::capture).before(RagdollSystems::Show);
        app.configure_sets(PostUpdate, between);
    } else {
        app.configure_sets(schedule, RagdollSystems::Advance.after(HitboxSystems::Bind).before(HitboxSystems::Pose));
    }
}
