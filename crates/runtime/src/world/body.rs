//! A character in a world.

use super::{BodyId, BodySettings, CollisionLayers};
use crate::clone_in_place::clone_in_place;
use crate::kernels::Kernel;
use crate::{BodyMotion, Bounds, BoxIndex, BoxSet, Character, PosedCharacter, PosedHitbox};
use glam::Affine3A;
use std::sync::Arc;

/// A world of more bodies than this prefetches them before they are needed: some 600 KB of boxes, which whatever else a
/// tick does is likely to have pushed out of the caches near the processor. Where it has not, prefetching costs a tenth
/// of posing them; where it has, posing takes two thirds of the time.
pub(super) const MANY: usize = 256;

/// A character in the world.
#[derive(Debug)]
pub struct Body {
    pub(super) id: BodyId,
    pub(super) character: Arc<Character>,
    pub(super) posed: PosedCharacter,
    /// Where its motion began; nothing where it has no motion.
    pub(super) before: Option<Box<PosedCharacter>>,
    pub(super) settings: BodySettings,
    /// Layers that some of its boxes have instead of the body's.
    pub(super) box_rules: Vec<(BoxSet, CollisionLayers)>,
    /// Boxes that are switched off; `None` where all are on.
    pub(super) switched_off: Option<BoxSet>,
    /// What the settings, the rules and the switches come to: one for each box, or empty where all boxes have the
    /// body's layers.
    pub(super) box_layers: Vec<CollisionLayers>,
    /// The union over all boxes.
    pub(super) any_layers: CollisionLayers,
    /// Whether it was posed since the last update.
    pub(super) moved: bool,
    /// Whether it stands still although `before` is there.
    pub(super) is_still: bool,
    /// Around all that its boxes pass through; valid where the world has motions.
    pub(super) swept_bounds: Bounds,
}

clone_in_place!(Body {
    id,
    character,
    posed,
    before,
    settings,
    box_rules,
    switched_off,
    box_layers,
    any_layers,
    moved,
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
            switched_off: None,
            box_layers: Vec::new(),
            any_layers: settings.layers,
            moved: false,
            is_still: false,
            swept_bounds: Bounds::EMPTY,
        }
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> BodyId {
        self.id
    }

    /// Its character.
    #[must_use]
    pub fn character(&self) -> &Arc<Character> {
        &self.character
    }

    /// Its hitboxes in world space, at its present pose.
    #[must_use]
    pub fn posed(&self) -> &PosedCharacter {
        &self.posed
    }

    /// One of its hitboxes in world space. `None` where it has no pose, or no hitbox of that index.
    #[must_use]
    pub fn posed_hitbox(&self, index: BoxIndex) -> Option<PosedHitbox> {
        self.posed.get(index)
    }

    /// What it is tested against.
    #[must_use]
    pub fn settings(&self) -> BodySettings {
        self.settings
    }

    /// From the pose where its motion began to the present one; standing still where no motion was started, or where
    /// one of the two is no pose.
    #[must_use]
    pub fn motion(&self) -> BodyMotion<'_> {
        let before = self.before.as_deref().filter(|_| !self.is_still).unwrap_or(&self.posed);
        BodyMotion::new(before, &self.posed).unwrap_or(BodyMotion::still(&self.posed))
    }

    /// The layers of one of its hitboxes; [`CollisionLayers::NONE`] where it is switched off.
    #[must_use]
    pub fn layers_of_box(&self, index: BoxIndex) -> CollisionLayers {
        self.box_layers.get(index.index()).copied().unwrap_or(self.settings.layers)
    }

    /// The matrix of a tracked joint, see [`super::HitboxWorld::track_joints`]. `None` where the skeleton has no joint of
    /// that name, the joint is not tracked, or there was no pose since it is.
    #[must_use]
    pub fn world_from_joint(&self, name: &str) -> Option<Affine3A> {
        self.posed.world_from_joint(self.character.skeleton().find(name)?)
    }

    /// Computes the layers of each box anew.
    pub(super) fn apply_layers(&mut self) {
        self.box_layers.clear();
        self.any_layers = self.settings.layers;
        if self.box_rules.is_empty() && self.switched_off.is_none() {
            return;
        }
        self.any_layers = CollisionLayers::NONE;
        for index in 0..self.character.box_count() {
            let rules = self.box_rules.iter().filter(|(boxes, _)| boxes.has(index)).map(|(_, layers)| *layers);
            let layers = rules.reduce(CollisionLayers::union).unwrap_or(self.settings.layers);
            let is_off = self.switched_off.as_ref().is_some_and(|boxes| boxes.has(index));
            let layers = if is_off { CollisionLayers::NONE } else { layers };
            self.any_layers = self.any_layers.union(layers);
            self.box_layers.push(layers);
        }
    }

    /// To be called before its boxes are posed anew: a continuous body's motion begins at the pose of the last update.
    pub(super) fn begin_pose(&mut self, keeps_boxes: bool) {
        if self.settings.continuous && !self.moved {
            let before = self.before.get_or_insert_with(|| Box::new(PosedCharacter::with_kernel(self.posed.kernel)));
            if keeps_boxes {
                before.as_mut().clone_from(&self.posed);
            } else {
                // The old boxes are written over anyway.
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
