//! The components of a character's root: settings from the game, and the state that the plugin writes.

use crate::{Bonebox, HitboxLayer};
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

/// The source of the pose of a character's hitboxes.
#[derive(Component, Reflect, Clone, Debug, PartialEq, Default)]
#[reflect(Component, Clone, Debug, PartialEq, Default)]
pub enum HitboxPose {
    /// The joints below the root, as Bevy animates them.
    ///
    /// The joints' global transforms are up to date after Bevy has propagated transforms, so run the plugin in
    /// `PostUpdate`, its default schedule. In an earlier schedule, hitboxes follow the joints of the last frame.
    #[default]
    Joints,
    /// A baked clip and the time in it, for servers, rollback and fixed updates. The character needs no joint entities.
    ///
    /// The `Transform`s of the root and of its ancestors place the character.
    Clip {
        /// The clip's name.
        clip: String,
        /// The time since the clip started, in seconds; your game advances it.
        seconds: f64,
        /// `true` if the clip starts again after its last key; `false` if it holds its last pose.
        looped: bool,
    },
    /// Baked clips in layers: each layer changes the pose of the layers before it, and the first layer changes the rest
    /// pose. The character needs no joint entities.
    ///
    /// The `Transform`s of the root and of its ancestors place the character.
    Layers(Vec<HitboxLayer>),
    /// The rest pose of the file, placed by the `Transform`s of the root and of its ancestors.
    Rest,
}

impl HitboxPose {
    /// The start of a looped clip.
    #[must_use]
    pub fn looped(clip: impl Into<String>) -> Self {
        Self::Clip { clip: clip.into(), seconds: 0.0, looped: true }
    }

    /// The start of a clip that holds its last pose.
    #[must_use]
    pub fn once(clip: impl Into<String>) -> Self {
        Self::Clip { clip: clip.into(), seconds: 0.0, looped: false }
    }

    /// Sets the time since the clip started, in seconds, of [`HitboxPose::Clip`]. Does nothing for the other sources: each
    /// layer of [`HitboxPose::Layers`] has a time of its own.
    pub fn set_seconds(&mut self, now: f64) {
        if let Self::Clip { seconds, .. } = self {
            *seconds = now;
        }
    }
}

/// Settings that say against which other hitboxes a character's hitboxes are tested. A character without this component
/// has the default settings: its hitboxes are in all layers and tested against all layers of other characters, and it
/// has no team.
#[derive(Component, Reflect, Clone, Debug, PartialEq, Eq)]
#[reflect(Component, Clone, Debug, PartialEq, Default)]
pub struct HitboxSettings {
    /// The layers that the hitboxes are in, one bit for each layer.
    pub memberships: u32,
    /// The layers that the hitboxes are tested against, one bit for each layer. Two hitboxes are tested if each is in a
    /// layer of the other's mask.
    pub mask: u32,
    /// The character's team. Characters of the same team are not tested against each other; `None` is no team.
    pub team: Option<u32>,
    /// `true` if the joints of this character are tested against each other. A joint and its nearest ancestor with a
    /// hitbox are left out, because they always overlap.
    pub self_touches: bool,
    /// `true` if sweeps and shape casts see the motion from the pose of the last tick to the present pose.
    pub continuous: bool,
    /// `true` if poses keep the skin, which [`ExactHitboxQuery`](crate::ExactHitboxQuery) needs, from the next pose on. The
    /// asset must be baked with its skin.
    pub track_skin: bool,
    /// The names of joints whose matrices poses keep, from the next pose on, for
    /// [`HitboxQuery::world_from_joint`](crate::HitboxQuery::world_from_joint): hands that hold weapons, muzzles, cameras.
    pub track_joints: Vec<String>,
    /// Layers and switches for the hitboxes with certain tags.
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
            track_skin: false,
            track_joints: Vec::new(),
            tags: Vec::new(),
        }
    }
}

/// Layers and a switch for the hitboxes with one tag. If `memberships` and `mask` are both `u32::MAX`, the hitboxes
/// keep the layers of [`HitboxSettings`].
#[derive(Reflect, Clone, Debug, PartialEq, Eq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct TagSettings {
    /// The tag.
    pub tag: String,
    /// The layers that these hitboxes are in, as in [`HitboxSettings::memberships`]. A hitbox with several of the tags
    /// is in the layers of all of them.
    pub memberships: u32,
    /// The layers that these hitboxes are tested against, as in [`HitboxSettings::mask`].
    pub mask: u32,
    /// `true` if the hitboxes are enabled. Touches and queries ignore disabled hitboxes.
    pub on: bool,
}

impl TagSettings {
    /// Puts the hitboxes with a tag into layers of their own.
    #[must_use]
    pub fn layers(tag: impl Into<String>, memberships: u32, mask: u32) -> Self {
        Self { tag: tag.into(), memberships, mask, on: true }
    }

    /// Switches the hitboxes with a tag off.
    #[must_use]
    pub fn off(tag: impl Into<String>) -> Self {
        Self { tag: tag.into(), memberships: u32::MAX, mask: u32::MAX, on: false }
    }
}

/// The state of a character in the plugin: its joints, and whether its hitboxes are posed. The plugin writes this
/// component.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(Component, Clone, Debug, Default)]
pub struct HitboxBinding {
    pub(crate) is_bound: bool,
    pub(crate) joints_are_complete: bool,
    pub(crate) problem: Option<String>,
    /// The entity of each joint, by joint of the skeleton.
    #[reflect(ignore)]
    pub(crate) joints: Arc<[Option<Entity>]>,
    #[reflect(ignore)]
    pub(crate) asset: Option<AssetId<Bonebox>>,
}

impl HitboxBinding {
    /// Returns `true` if the plugin poses the character's hitboxes, and `false` while the asset or the scene is being
    /// loaded.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        self.is_bound
    }

    /// Returns the last problem that [`HitboxFailure`](crate::HitboxFailure) reported. `None` if there was none, and again
    /// after the next pose that succeeds.
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Returns the entities of the joints, in the order of the character's skeleton; `None` for a joint that was not
    /// found.
    #[must_use]
    pub fn joints(&self) -> &[Option<Entity>] {
        &self.joints
    }
}
