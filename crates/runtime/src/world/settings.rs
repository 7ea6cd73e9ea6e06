//! Changes to a body after it was inserted.

use super::interaction::BodyLayers;
use super::{BodyId, BodySettings, CollisionLayers, HitboxWorld, WorldError};
use crate::BoxSet;
use std::sync::Arc;

/// Changes of settings. All queries use new settings at once, except touches and events, which are those of the last
/// [`HitboxWorld::update`].
impl HitboxWorld {
    /// Changes a body's team, layers and other settings.
    ///
    /// # Errors
    /// Returns an error if no body has this id.
    pub fn set_settings(&mut self, id: BodyId, settings: BodySettings) -> Result<(), WorldError> {
        let place = self.place(id)?;
        let body = &mut self.bodies[place];
        let was_continuous = std::mem::replace(&mut body.settings, settings).continuous;
        if was_continuous && !settings.continuous {
            body.before = None;
            body.find_swept_bounds();
        }
        self.apply_layers(place);
        if settings.continuous {
            self.prepare_motion();
        }
        Ok(())
    }

    /// Sets the layers of some hitboxes of a body; for these hitboxes, they replace the layers of the body. A second
    /// call with the same set replaces the set's layers. If a hitbox is in several sets with layers, it has the union
    /// of their layers and masks, in whatever order the sets were given. An empty set changes nothing.
    ///
    /// # Errors
    /// Returns an error if no body has this id, or if `boxes` is a set of another character.
    ///
    /// ```
    /// use runtime::{BodyId, BodySettings, BoxIndex, Character, CollisionLayers, HitboxWorld};
    /// use std::sync::Arc;
    ///
    /// let arm = Arc::new(Character::load(&std::fs::read("tests/data/arm.bonebox")?)?);
    /// let (mut world, id) = (HitboxWorld::new(), BodyId(1));
    /// world.insert(id, Arc::clone(&arm), BodySettings::default())?;
    /// let (all, fore) = (arm.boxes_with_tag("arm")?, arm.boxes_of_joint(arm.skeleton().find("fore").unwrap()));
    /// world.set_box_layers(id, &all, CollisionLayers { memberships: 1, mask: 8 })?;
    /// world.set_box_layers(id, &fore, CollisionLayers { memberships: 2, mask: 8 })?;
    /// let memberships = |world: &HitboxWorld, index| world.body(id).unwrap().layers_of_box(BoxIndex(index)).memberships;
    /// assert_eq!((memberships(&world, 0), memberships(&world, 1)), (1, 3));
    /// world.clear_box_layers(id, &all)?;
    /// assert_eq!((memberships(&world, 0), memberships(&world, 1)), (u32::MAX, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_box_layers(&mut self, id: BodyId, boxes: &BoxSet, layers: CollisionLayers) -> Result<(), WorldError> {
        let place = self.place_with_boxes(id, boxes)?;
        self.bodies[place].box_layers_mut().set_rule(boxes, layers);
        self.apply_layers(place);
        Ok(())
    }

    /// Reverts [`HitboxWorld::set_box_layers`] for the same set. Does nothing if the set has no layers.
    ///
    /// # Errors
    /// Returns an error if no body has this id, or if `boxes` is a set of another character.
    pub fn clear_box_layers(&mut self, id: BodyId, boxes: &BoxSet) -> Result<(), WorldError> {
        let place = self.place_with_boxes(id, boxes)?;
        self.bodies[place].box_layers_mut().clear_rule(boxes);
        self.apply_layers(place);
        Ok(())
    }

    /// Enables or disables some hitboxes of a body. A disabled hitbox touches nothing, and no query finds it. It keeps its
    /// layers.
    ///
    /// # Errors
    /// Returns an error if no body has this id, or if `boxes` is a set of another character.
    pub fn set_boxes_enabled(&mut self, id: BodyId, boxes: &BoxSet, enabled: bool) -> Result<(), WorldError> {
        let place = self.place_with_boxes(id, boxes)?;
        let layers = self.bodies[place].box_layers_mut();
        if enabled {
            layers.enable(boxes)
        } else {
            layers.disable(boxes)
        }
        self.apply_layers(place);
        Ok(())
    }

    /// Recomputes the layers of a body's boxes, and of the body as a whole.
    fn apply_layers(&mut self, place: usize) {
        let body = &mut self.bodies[place];
        body.apply_layers();
        self.layers.set(place, BodyLayers::new(body));
        self.note_change(place);
    }

    /// The place of a body whose character the boxes belong to.
    pub(super) fn place_with_boxes(&self, id: BodyId, boxes: &BoxSet) -> Result<usize, WorldError> {
        let place = self.place(id)?;
        let body = &self.bodies[place];
        if boxes.is_of(&body.character.hitboxes) {
            return Ok(place);
        }
        let expected = Arc::clone(&body.character.hitboxes.name);
        Err(WorldError::OtherCharacter { id, expected, found: boxes.character_name().into() })
    }
}
