//! A character in a world.

use super::box_layers::{BoxLayers, LayerClasses};
use super::lazy_boxes::{LazyBoxes, Spares};
use super::{BodyId, BodySettings, CollisionLayers};
use crate::kernels::Kernel;
use crate::pose::clone_in_place::clone_in_place;
use crate::pose::recipe::KeptRecipe;
use crate::query::body_motion::SweptBoxes;
use crate::{BodyMotion, Bounds, BoxIndex, Character, PoseRecipeRef, PosedCharacter, PosedHitbox, Roles};
use baked_format::HitboxRole;
use geometry_core::Ray;
use glam::Affine3A;
use std::sync::Arc;

/// A world with more boxes than this prefetches bodies before they are needed. At this number, the boxes and their
/// bounds take 0.6 MB. The caches near a core still hold them if nothing else runs between two ticks; then prefetching
/// adds 2 % to the time of posing and 7 to 10 % to the time of an update. In a game, much else runs between two ticks;
/// then prefetching takes 15 % off a tick of 45,000 boxes.
pub(super) const MANY_BOXES: usize = 1 << 13;

/// A character in the world.
#[derive(Debug)]
pub struct Body {
    pub(super) id: BodyId,
    pub(super) character: Arc<Character>,
    /// The boxes of the present pose.
    pub(super) boxes: LazyBoxes,
    /// The boxes of the pose in which the body's motion began; `None` if no motion began.
    pub(super) before: Option<Box<PosedCharacter>>,
    pub(super) settings: BodySettings,
    /// The layers of the body's boxes; `None` if all boxes always had the body's layers. Few bodies have layers for
    /// their boxes, and the other bodies need no memory for them.
    box_layers: Option<Box<BoxLayers>>,
    /// The union of the layers of all boxes.
    pub(super) any_layers: CollisionLayers,
    /// The roles of all boxes.
    pub(super) any_role: Roles,
    /// `true` if the body was posed since the last update.
    pub(super) moved: bool,
    /// `true` if the body is in the world's list of changed bodies.
    pub(super) is_changed: bool,
    /// `true` if the body was not posed since its motion began, or a continuous body was not posed before the last
    /// update and not since.
    pub(super) is_still: bool,
    /// The space that the boxes pass through in this motion; `None` if the world has no motions.
    swept: Option<Box<SweptBoxes>>,
    /// The recipe of the present pose, or the matrices that it was made from.
    pub(super) recipe: KeptRecipe,
}

clone_in_place!(Body {
    id,
    character,
    boxes,
    before,
    settings,
    box_layers,
    any_layers,
    any_role,
    moved,
    is_changed,
    is_still,
    swept,
    recipe
});

impl Body {
    /// A body without a pose. `spares` is the memory of its world.
    pub(super) fn new(
        id: BodyId,
        character: Arc<Character>,
        settings: BodySettings,
        kernel: Kernel,
        spares: Option<Arc<Spares>>,
    ) -> Self {
        Self {
            id,
            any_role: character.hitboxes.any_role,
            character,
            boxes: LazyBoxes::new(kernel, spares),
            before: None,
            settings,
            box_layers: None,
            any_layers: settings.layers,
            moved: false,
            is_changed: false,
            is_still: false,
            swept: None,
            recipe: KeptRecipe::default(),
        }
    }

    /// A body without a pose, outside of any world: for [`Bodies`](super::Bodies) of the caller's own. It never moves.
    #[must_use]
    pub fn outside(id: BodyId, character: Arc<Character>, settings: BodySettings, kernel: Kernel) -> Self {
        Self::new(id, character, settings, kernel, None)
    }

    /// Makes the body another one, without a pose, and reuses its memory. `layers_of_boxes` has the layers of each
    /// hitbox of the character; if it is empty, all hitboxes have the body's layers.
    pub fn become_body(
        &mut self,
        id: BodyId,
        character: &Arc<Character>,
        settings: BodySettings,
        layers_of_boxes: &[CollisionLayers],
    ) {
        if !Arc::ptr_eq(&self.character, character) {
            self.character = Arc::clone(character);
        }
        self.any_role = self.character.hitboxes.any_role;
        (self.id, self.settings, self.any_layers) = (id, settings, settings.layers);
        self.boxes.clear();
        self.swept = None;
        (self.moved, self.is_changed, self.is_still) = (false, false, true);
        if self.box_layers.is_some() || !layers_of_boxes.is_empty() {
            let any = self.box_layers.get_or_insert_default().replace(layers_of_boxes);
            self.any_layers = if layers_of_boxes.is_empty() { settings.layers } else { any };
        }
    }

    /// The body's hitboxes, to be posed by the owner of a body that is [outside](Self::outside) of any world.
    pub fn posed_mut(&mut self) -> &mut PosedCharacter {
        self.swept = None;
        self.boxes_mut()
    }

    /// The boxes, for changes; call [`LazyBoxes::find_bounds`] if the bounds change.
    pub(super) fn boxes_mut(&mut self) -> &mut PosedCharacter {
        self.boxes.get_mut(&self.character, &self.recipe)
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

    /// The body's hitboxes in world space, in its present pose. If nobody has asked about this pose before, the function
    /// computes them.
    #[must_use]
    #[inline]
    pub fn posed(&self) -> &PosedCharacter {
        self.boxes.get(&self.character, &self.recipe)
    }

    /// Returns `false` if the body's boxes are not computed yet, and the ray misses them in any case.
    #[inline]
    pub(super) fn ray_may_hit(&self, kernel: Kernel, ray: &Ray, max_time: f32) -> bool {
        self.boxes.known().is_some()
            || self.recipe.get().is_none_or(|recipe| self.character.ray_may_hit(kernel, &recipe, ray, max_time))
    }

    /// Returns `true` if the body has a pose: it was posed since it was inserted, and its last pose did not fail.
    #[must_use]
    pub fn is_posed(&self) -> bool {
        self.boxes.is_posed()
    }

    /// The recipe of the body's present pose. `None` if the body has no pose, or was posed with matrices or with a pose
    /// of another body.
    #[must_use]
    pub fn recipe(&self) -> Option<PoseRecipeRef<'_>> {
        self.recipe.get().filter(|_| self.is_posed())
    }

    /// `world_from_joint` of [`Character::needed_joints`], in that order, if the body was posed with matrices and its
    /// world [keeps](super::HitboxWorld::keep_joints) them. Otherwise empty.
    #[must_use]
    pub fn own_joints(&self) -> &[Affine3A] {
        if self.is_posed() { self.recipe.own_joints() } else { &[] }
    }

    /// The layers of each hitbox, by box index; empty if all hitboxes have the body's layers.
    #[must_use]
    pub fn layers_of_boxes(&self) -> &[CollisionLayers] {
        self.box_layers.as_ref().map_or(&[], |layers| layers.of_boxes())
    }

    /// One of the body's hitboxes in world space. `None` if the body has no pose, or no hitbox with this index.
    #[must_use]
    pub fn posed_hitbox(&self, index: BoxIndex) -> Option<PosedHitbox> {
        self.posed().hitbox(index)
    }

    /// The body's layers, team and other settings.
    #[must_use]
    pub fn settings(&self) -> BodySettings {
        self.settings
    }

    /// The body's motion, from the pose in which the motion began to the present pose. [`super::HitboxWorld`] says when a
    /// body moves; a body that does not move stands still in its present pose.
    #[must_use]
    pub fn motion(&self) -> BodyMotion<'_> {
        let posed = self.posed();
        let before = self.before.as_deref().filter(|_| !self.stands_still()).unwrap_or(posed);
        let motion = BodyMotion::new(before, posed).unwrap_or(BodyMotion::still(posed));
        self.swept.as_deref().map_or(motion, |swept| motion.with_swept(swept))
    }

    /// Returns `true` unless the body moves: it was posed since its motion began, and had a pose then.
    pub(super) fn stands_still(&self) -> bool {
        self.is_still || !self.before.as_deref().is_some_and(PosedCharacter::is_posed)
    }

    /// The layers of one of the body's hitboxes; [`CollisionLayers::NONE`] if the hitbox is disabled, or if the character has no
    /// hitbox with this index.
    #[must_use]
    pub fn layers_of_box(&self, index: BoxIndex) -> CollisionLayers {
        let of_body =
            || if index.index() < self.character.box_count() { self.settings.layers } else { CollisionLayers::NONE };
        self.own_layers(index.index()).unwrap_or_else(of_body)
    }

    /// The matrix of a tracked joint, see [`super::HitboxWorld::track_joints`]. `None` if the skeleton has no joint
    /// with this name, the joint is not tracked, or nothing was posed since the joint was tracked.
    #[must_use]
    pub fn world_from_joint(&self, name: &str) -> Option<Affine3A> {
        self.posed().world_from_joint(self.character.skeleton().find(name)?)
    }

    /// Returns `true` if all boxes have the body's layers.
    #[inline]
    pub(super) fn has_one_layer(&self) -> bool {
        self.layers_of_boxes().is_empty()
    }

    /// Returns `true` if all boxes can be hit.
    #[inline]
    pub(super) fn has_no_roles(&self) -> bool {
        self.any_role == Roles::default()
    }

    /// Returns `true` if the role of a box lets it meet a box of another role. The role of a box with layers of its own does
    /// not matter.
    pub(super) fn role_meets(&self, index: usize, other: HitboxRole) -> bool {
        Roles::met_by(self.character.hitboxes.role(index)).contains(other)
            || self.box_layers.as_ref().is_some_and(|layers| layers.has_rule(index))
    }

    /// The boxes by their layers.
    pub(super) fn layer_classes(&self) -> LayerClasses<'_> {
        match &self.box_layers {
            Some(layers) if !self.has_one_layer() => layers.classes(&self.any_layers),
            _ => LayerClasses::one(&self.any_layers),
        }
    }

    /// The layers of a box; `None` if all boxes have the body's layers.
    fn own_layers(&self, index: usize) -> Option<CollisionLayers> {
        self.layers_of_boxes().get(index).copied()
    }

    /// The rules and switches of boxes; `None` if the body never had any.
    #[cfg(feature = "serde")]
    pub(super) fn box_layers(&self) -> Option<&BoxLayers> {
        self.box_layers.as_deref()
    }

    /// The rules and switches of boxes, for changes; call [`Body::apply_layers`] after the changes.
    pub(super) fn box_layers_mut(&mut self) -> &mut BoxLayers {
        self.box_layers.get_or_insert_default()
    }

    /// Recomputes the layers of each box.
    pub(super) fn apply_layers(&mut self) {
        let (of_body, count) = (self.settings.layers, self.character.box_count());
        self.any_layers = self.box_layers.as_mut().map_or(of_body, |layers| layers.apply(of_body, count));
    }

    /// Must be called before the body's boxes are posed again: the motion of a continuous body begins at the pose of
    /// the last update.
    pub(super) fn begin_pose(&mut self, keeps_boxes: bool) {
        if keeps_boxes {
            // The boxes follow from the earlier recipe.
            self.boxes_mut();
        }
        if self.settings.continuous && !self.moved {
            if keeps_boxes {
                self.keep_boxes();
            } else {
                // Swapping is enough because the next pose overwrites the old boxes.
                let posed = self.boxes.get_mut(&self.character, &self.recipe);
                let before = self.before.get_or_insert_with(|| Box::new(PosedCharacter::with_kernel(posed.kernel)));
                std::mem::swap(before.as_mut(), posed);
                std::mem::swap(&mut before.sockets, &mut posed.sockets);
                std::mem::swap(&mut before.skin, &mut posed.skin);
            }
        }
        (self.moved, self.is_still) = (true, false);
    }

    /// Makes the motion begin at the present pose: the body stands still until it is posed again.
    pub(super) fn begin_motion(&mut self) {
        self.keep_boxes();
        self.is_still = true;
        self.find_swept_bounds();
    }

    /// Copies the boxes of the present pose to `before`, without tracked joints and skin, which no motion needs.
    fn keep_boxes(&mut self) {
        let posed = self.boxes.get(&self.character, &self.recipe);
        let before = self.before.get_or_insert_with(|| Box::new(PosedCharacter::with_kernel(posed.kernel)));
        before.copy_boxes(posed);
    }

    /// The bounds of the space that the boxes pass through in this motion; valid if the world has motions.
    pub(super) fn swept_bounds(&self) -> Bounds {
        self.swept.as_ref().map_or(Bounds::EMPTY, |swept| swept.bounds)
    }

    pub(super) fn find_swept_bounds(&mut self) {
        let mut swept = self.swept.take().unwrap_or_default();
        swept.find(&self.motion());
        self.swept = Some(swept);
    }
}
