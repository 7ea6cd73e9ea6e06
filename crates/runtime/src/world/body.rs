//! A character in an world.

use super::{BodyId, BodySettings, CollisionLayers};
use crate::kernels::Side;
use crate::{BodyMotion, Character, PosedCharacter};
use std::sync::Arc;

/// More bodies than this are asked for before they are needed: some 600 KB of boxes, which whatever else a tick does is
/// likely to have pushed out of the caches near the processor. Where it has not, asking costs a tenth of posing them;
/// where it has, posing takes two thirds of the time.
pub(super) const MANY: usize = 256;

/// A character in the world.
#[derive(Clone, Debug)]
pub struct Body {
    pub(super) id: BodyId,
    pub(super) character: Arc<Character>,
    pub(super) posed: PosedCharacter,
    /// Where its motion began; nothing where it has no motion.
    pub(super) before: Option<Box<PosedCharacter>>,
    pub(super) settings: BodySettings,
    /// One for each box where tags have filters of their own, else empty.
    pub(super) box_layers: Vec<CollisionLayers>,
    /// What any of its boxes has.
    pub(super) any: CollisionLayers,
}

impl Body {
    pub(super) fn new(id: BodyId, character: Arc<Character>, settings: BodySettings) -> Self {
        let any = settings.layers;
        Self { id, character, posed: PosedCharacter::new(), before: None, settings, box_layers: Vec::new(), any }
    }

    /// Its name.
    #[must_use]
    pub fn id(&self) -> BodyId {
        self.id
    }

    /// What it looks like.
    #[must_use]
    pub fn character(&self) -> &Character {
        &self.character
    }

    /// Its boxes.
    #[must_use]
    pub fn posed(&self) -> &PosedCharacter {
        &self.posed
    }

    /// What it is tested against.
    #[must_use]
    pub fn settings(&self) -> BodySettings {
        self.settings
    }

    /// From the pose at the last [`super::HitboxWorld::start_motion`] to that of now; still where there was none, or one
    /// without boxes.
    pub(crate) fn motion(&self) -> BodyMotion<'_> {
        let before = self.before.as_deref().unwrap_or(&self.posed);
        BodyMotion::new(before, &self.posed).unwrap_or(BodyMotion::still(&self.posed))
    }

    pub(crate) fn layers_of_box(&self, index: usize) -> CollisionLayers {
        self.box_layers.get(index).copied().unwrap_or(self.settings.layers)
    }

    pub(super) fn side<'r, 'n>(&'r self, near: &'n [u16]) -> Side<'r, 'n> {
        Side { blocks: &self.posed.blocks, records: &self.posed.records, near, start: 0 }
    }
}

/// A body to be posed: the character, to be read, and the boxes, to be written.
#[derive(Debug)]
pub struct BodyMut<'a> {
    /// Its name.
    pub id: BodyId,
    /// What it looks like.
    pub character: &'a Character,
    /// Its boxes.
    pub posed: &'a mut PosedCharacter,
}

/// Passes on body after body for posing, and asks for the memory of the next.
pub(super) struct BodiesMut<'a> {
    bodies: std::slice::IterMut<'a, Body>,
    are_many: bool,
}

impl<'a> BodiesMut<'a> {
    pub(super) fn new(bodies: &'a mut [Body]) -> Self {
        Self { are_many: bodies.len() > MANY, bodies: bodies.iter_mut() }
    }
}

impl<'a> Iterator for BodiesMut<'a> {
    type Item = BodyMut<'a>;

    fn next(&mut self) -> Option<BodyMut<'a>> {
        let body = self.bodies.next()?;
        if self.are_many
            && let [next, ..] = self.bodies.as_slice()
        {
            next.posed.prefetch();
        }
        Some(BodyMut { id: body.id, character: &body.character, posed: &mut body.posed })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.bodies.size_hint()
    }
}

impl ExactSizeIterator for BodiesMut<'_> {}
