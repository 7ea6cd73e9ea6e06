//! What a game puts on a character's root, and what the plugin puts there.

use crate::Bonebox;
use bevy_asset::{AssetId, Handle};
use bevy_ecs::prelude::*;
use bevy_reflect::prelude::*;
use bevy_transform::components::Transform;
use std::sync::Arc;

/// Gives a character hitboxes: put it on the root of the character's scene.
///
/// The plugin finds the joints by name below that entity, poses the hitboxes every tick as [`HitboxPose`] says, and reports
/// touches as [`HitboxTouch`](crate::HitboxTouch). Any number of characters may share one asset.
#[derive(Component, Reflect, Clone, Debug, PartialEq, Eq)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[require(HitboxPose, HitboxBinding, Transform)]
pub struct Hitboxes(pub Handle<Bonebox>);

/// Says where the pose of a character's hitboxes comes from.
#[derive(Component, Reflect, Clone, Debug, PartialEq, Default)]
#[reflect(Component, Clone, Debug, PartialEq, Default)]
pub enum HitboxPose {
    /// From the joints below the root, as Bevy animates them.
    ///
    /// Joints are right after transforms were propagated, so run the plugin in `PostUpdate`, its default. In a schedule before
    /// that, hitboxes follow the joints of the last frame.
    #[default]
    Joints,
    /// From a baked clip at a time: for servers, rollback and fixed updates. No joint needs to exist.
    ///
    /// The root's `Transform`, and those above it, place the character.
    Clip {
        /// The clip's name.
        clip: String,
        /// Seconds since the clip was started; your game advances them.
        seconds: f32,
        /// Whether the clip begins again after its last key; otherwise the last pose is held.
        looped: bool,
    },
    /// The pose that the character was modeled in, placed by the root's `Transform` and those above it.
    Rest,
}

impl HitboxPose {
    /// The beginning of a clip that is looped.
    #[must_use]
    pub fn looped(clip: impl Into<String>) -> Self {
        Self::Clip { clip: clip.into(), seconds: 0.0, looped: true }
    }

    /// The beginning of a clip that holds its last pose.
    #[must_use]
    pub fn once(clip: impl Into<String>) -> Self {
        Self::Clip { clip: clip.into(), seconds: 0.0, looped: false }
    }

    /// Sets the time of a clip, in seconds since it was started; other poses stay as they are.
    pub fn set_seconds(&mut self, now: f32) {
        if let Self::Clip { seconds, .. } = self {
            *seconds = now;
        }
    }
}

/// Says what a character's hitboxes are tested against. Optional; without it, everything is tested against everything.
#[derive(Component, Reflect, Clone, Debug, PartialEq, Eq)]
#[reflect(Component, Clone, Debug, PartialEq, Default)]
pub struct HitboxSettings {
    /// The layers that hitboxes are in, one bit each.
    pub memberships: u32,
    /// The layers that hitboxes are tested against. Two hitboxes are tested where each is in a layer of the other's mask.
    pub mask: u32,
    /// Characters with the same number are not tested against each other; `None` has no allies.
    pub team: Option<u32>,
    /// Whether joints of this character are tested against each other, neighbors excepted.
    pub self_touches: bool,
    /// Whether sweeps and casts see the motion from the pose of the last tick to the present one.
    pub continuous: bool,
    /// Layers and switches of the hitboxes with a tag.
    pub tags: Vec<TagSettings>,
}

impl Default for HitboxSettings {
    fn default() -> Self {
        Self {
            memberships: u32::MAX,
            mask: u32::MAX,
            team: None,
            self_touches: false,
            continuous: false,
            tags: Vec::new(),
        }
    }
}

/// Layers and a switch for the hitboxes with one tag. Where both layers are `u32::MAX`, the hitboxes keep those of
/// [`HitboxSettings`].
#[derive(Reflect, Clone, Debug, PartialEq, Eq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct TagSettings {
    /// The tag.
    pub tag: String,
    /// As [`HitboxSettings::memberships`]. A hitbox with several such tags is in the layers of all of them.
    pub memberships: u32,
    /// As [`HitboxSettings::mask`].
    pub mask: u32,
    /// Whether the hitboxes are switched on. Those switched off touch nothing, and no query finds them.
    pub on: bool,
}

impl TagSettings {
    /// Hitboxes that are in these layers and tested against those.
    #[must_use]
    pub fn layers(tag: impl Into<String>, memberships: u32, mask: u32) -> Self {
        Self { tag: tag.into(), memberships, mask, on: true }
    }

    /// Hitboxes that are switched off.
    #[must_use]
    pub fn off(tag: impl Into<String>) -> Self {
        Self { tag: tag.into(), memberships: u32::MAX, mask: u32::MAX, on: false }
    }
}

/// How far the plugin has come with a character; it writes this component itself.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(Component, Clone, Debug, Default)]
pub struct HitboxBinding {
    pub(crate) is_bound: bool,
    pub(crate) joints_are_complete: bool,
    pub(crate) problem: Option<String>,
    /// By joint of the skeleton.
    #[reflect(ignore)]
    pub(crate) joints: Arc<[Option<Entity>]>,
    #[reflect(ignore)]
    pub(crate) asset: Option<AssetId<Bonebox>>,
}

impl HitboxBinding {
    /// Whether hitboxes are posed. While the asset or the scene is still being loaded, they are not.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        self.is_bound
    }

    /// What keeps the character from having hitboxes, as [`HitboxFailure`](crate::HitboxFailure) reported it; `None` where nothing
    /// does, or the asset or the scene is still being loaded.
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// The entities of the joints, in the order of the character's skeleton; `None` for a joint that was not found.
    #[must_use]
    pub fn joints(&self) -> &[Option<Entity>] {
        &self.joints
    }
}
