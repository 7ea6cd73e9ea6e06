//! The plugin and its schedule.

use crate::{
    Bonebox, BoneboxLoader, HitboxBinding, HitboxBodies, HitboxFailure, HitboxLayer, HitboxMask, HitboxPose, HitboxRef,
    HitboxSettings, HitboxTouch, HitboxTouchPhase, Hitboxes, TagSettings, bind, pose, touch,
};
use bevy_app::{App, Plugin, PostUpdate};
use bevy_asset::{AssetApp, AssetEventSystems};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_transform::TransformSystems;

/// The stages of a tick, in this order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HitboxSystems {
    /// Gives characters their bodies and finds their joints.
    Bind,
    /// Poses the hitboxes. Afterwards, the answers of [`HitboxQuery`](crate::HitboxQuery) are about this tick's poses.
    Pose,
    /// Finds touches and sends [`HitboxTouch`].
    Test,
    /// Draws hitboxes, if `HitboxGizmosPlugin` (feature `debug`) was added.
    Draw,
}

/// Loads `.bonebox` files and gives the characters with [`Hitboxes`] their hitboxes.
///
/// Add this plugin after Bevy's `AssetPlugin`.
#[derive(Clone, Copy, Debug)]
pub struct BoneboxPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

/// Runs in `PostUpdate`, after Bevy has propagated transforms, so that hitboxes match the frame that the player sees.
impl Default for BoneboxPlugin {
    fn default() -> Self {
        Self::in_schedule(PostUpdate)
    }
}

impl BoneboxPlugin {
    /// Runs in a schedule of your choice. Servers and games with a fixed tick use `FixedUpdate`, and [`HitboxPose::Clip`]
    /// or [`HitboxPose::Layers`]. In `FixedUpdate`, poses by [`HitboxPose::Joints`] are those of the last frame.
    #[must_use]
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Plugin for BoneboxPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<Bonebox>()
            .init_asset_loader::<BoneboxLoader>()
            .init_resource::<HitboxBodies>()
            .add_message::<HitboxTouch>()
            .add_message::<HitboxFailure>()
            .register_type::<Hitboxes>()
            .register_type::<HitboxPose>()
            .register_type::<HitboxLayer>()
            .register_type::<HitboxMask>()
            .register_type::<HitboxSettings>()
            .register_type::<TagSettings>()
            .register_type::<HitboxBinding>()
            .register_type::<HitboxRef>()
            .register_type::<HitboxTouch>()
            .register_type::<HitboxTouchPhase>()
            .add_observer(bind::unbind)
            .add_observer(bind::reset_settings)
            .add_observer(pose::unpose)
            .configure_sets(
                self.schedule,
                (HitboxSystems::Bind, HitboxSystems::Pose, HitboxSystems::Test, HitboxSystems::Draw).chain(),
            )
            .add_systems(
                self.schedule,
                (
                    (bind::follow_assets, bind::bind).chain().in_set(HitboxSystems::Bind),
                    pose::pose.in_set(HitboxSystems::Pose),
                    touch::test.in_set(HitboxSystems::Test),
                ),
            );
        #[cfg(feature = "gltf")]
        crate::gltf::build(app);
        #[cfg(feature = "ragdoll")]
        crate::ragdoll::build(app, self.schedule);
        if self.schedule == PostUpdate.intern() {
            let first = HitboxSystems::Bind.after(TransformSystems::Propagate).after(AssetEventSystems);
            app.configure_sets(PostUpdate, first);
        }
    }
}
