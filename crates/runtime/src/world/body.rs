//! A character in a world.

use super::{BodyId, BodySettings, CollisionLayers};
use crate::clone_in_place::clone_in_place;
use crate::kernels::Kernel;
use crate::{BodyMotion, Bounds, BoxIndex, BoxSet, Character, PosedCharacter, PosedHitbox};
use glam::Affine3A;
use std::sync::Arc;

/// A world with more boxes than this prefetches bodies before they are needed. The boxes and their bounds take 4.7 MB
/// then, which a processor's last cache may still hold. If it does, prefetching adds 2 % to the time of posing and 7 to
/// 10 % to the time of an update; if it does not, prefetching reduces both times to half.
pub(super) const MANY_BOXES: usize = 1 << 16;

/// A character in the world.
#[derive(Debug)]
pub struct Body {
    pub(super) id: BodyId,
    pub(super) character: Arc<Character>,
    pub(super) posed: PosedCharacter,
    /// The pose in which the body's motion began; `None` if the body has no motion.
    pub(super) before: Option<Box<PosedCharacter>>,
    pub(super) settings: BodySettings,
    /// Layers that replace the body's layers for some of its boxes.
    pub(super) box_rules: Vec<(BoxSet, CollisionLayers)>,
    /// Disabled hitboxes; `None` if all are enabled.
    pub(super) disabled_boxes: Option<BoxSet>,
    /// The resulting layers of each box, by box index, from settings, rules and switches. Empty if all boxes have the
    /// body's layers.
    pub(super) box_layers: Vec<CollisionLayers>,
    /// The union of the layers of all boxes.
    pub(super) any_layers: CollisionLayers,
    /// `true` if the body was posed since the last update.
    pub(super) moved: bool,
    /// `true` if the world's list of moved bodies has the body.
    pub(super) is_noted: bool,
    /// `true` if the body stands still although `before` is set.
    pub(super) is_still: bool,
    /// The bounds of the space that the boxes pass through in this motion; valid if the world has motions.
    pub(super) swept_bounds: Bounds,
}

clone_in_place!(Body {
    id,
    character,
    posed,
    before,
    settings,
    box_rules,
    disabled_boxes,
    box_layers,
    any_layers,
    moved,
    is_noted,
    is_still,
    swept_bounds
});

impl Body {
    pub(super) fn new(id: BodyId, character: Arc<Character>, settings: BodySettings, kernel: Kernel) -> Self {
        Self {
            id,
            character,
            posed: PosedCharacter::with_kernel(kernel),
            before: None,
            settings,
            box_rules: Vec::new(),
            disabled_boxes: None,
            box_layers: Vec::new(),
            any_layers: settings.layers,
            moved: false,
            is_noted: false,
            is_still: false,
            swept_bounds: Bounds::EMPTY,
        }
    }

    /// The body's id.
    #[must_use]
    pub fn id(&self) -> BodyId {
        self.id
    }

    /// The body's character.
    #[must_use]
    pub fn character(&self) -> &Arc<Character> {
        &self.character
    }

    /// The body's hitboxes in world space, in its present pose.
    #[must_use]
    pub fn posed(&self) -> &PosedCharacter {
        &self.posed
    }

    /// One of the body's hitboxes in world space. `None` if the body has no pose, or no hitbox with this index.
    #[must_use]
    pub fn posed_hitbox(&self, index: BoxIndex) -> Option<PosedHitbox> {
        self.posed.hitbox(index)
    }

    /// The body's layers, team and other settings.
    #[must_use]
    pub fn settings(&self) -> BodySettings {
        self.settings
    }

    /// The motion from the pose in which it began to the present pose. The body stands still if no motion was started,
    /// or if either pose is missing.
    #[must_use]
    pub fn motion(&self) -> BodyMotion<'_> {
        let before = self.before.as_deref().filter(|_| !self.is_still).unwrap_or(&self.posed);
        BodyMotion::new(before, &self.posed).unwrap_or(BodyMotion::still(&self.posed))
    }

    /// The layers of one of the body's hitboxes; [`CollisionLayers::NONE`] if the hitbox is disabled.
    #[must_use]
    pub fn layers_of_box(&self, index: BoxIndex) -> CollisionLayers {
        self.box_layers.get(index.index()).copied().unwrap_or(self.settings.layers)
    }

    /// The matrix of a tracked joint, see [`super::HitboxWorld::track_joints`]. `None` if the skeleton has no joint
    /// with this name, the joint is not tracked, or nothing was posed since the joint was tracked.
    #[must_use]
    pub fn world_from_joint(&self, name: &str) -> Option<Affine3A> {
        self.posed.world_from_joint(self.character.skeleton().find(name)?)
    }

    /// Recomputes the layers of each box.
    pub(super) fn apply_layers(&mut self) {
        self.box_layers.clear();
        self.any_layers = self.settings.layers;
        if self.box_rules.is_empty() && self.disabled_boxes.is_none() {
            return;
        }
        self.any_layers = CollisionLayers::NONE;
        for index in 0..self.character.box_count() {
            let rules = self.box_rules.iter().filter(|(boxes, _)| boxes.has(index)).map(|(_, layers)| *layers);
            let layers = rules.reduce(CollisionLayers::union).unwrap_or(self.settings.layers);
            let is_disabled = self.disabled_boxes.as_ref().is_some_and(|boxes| boxes.has(index));
            let layers = if is_disabled { CollisionLayers::NONE } else { layers };
            self.any_layers = self.any_layers.union(layers);
            self.box_layers.push(layers);
        }
    }

    /// Must be called before the body's boxes are posed again: the motion of a continuous body begins at the pose of
    /// the last update.
    pub(super) fn begin_pose(&mut self, keeps_boxes: bool) {
        if self.settings.continuous && !self.moved {
            let before = self.before.get_or_insert_with(|| Box::new(PosedCharacter::with_kernel(self.posed.kernel)));
            if keeps_boxes {
                before.as_mut().clone_from(&self.posed);
            } else {
                // Swapping is enough because the next pose overwrites the old boxes.
                std::mem::swap(before.as_mut(), &mut self.posed);
                std::mem::swap(&mut before.sockets, &mut self.posed.sockets);
                std::mem::swap(&mut before.skin, &mut self.posed.skin);
            }
        }
        (self.moved, self.is_still) = (true, false);
    }

    pub(super) fn find_swept_bounds(&mut self) {
        self.swept_bounds = self.motion().bounds();
    }
}
