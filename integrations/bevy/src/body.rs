//! The bodies of all characters with hitboxes, and what answers about them say.

use crate::Bonebox;
use bevy_ecs::entity::ContainsEntity;
use bevy_ecs::prelude::*;
use bevy_platform::collections::HashMap;
use bevy_reflect::Reflect;
use bonebox::{BodyId, BodySettings, BoxIndex, HitboxWorld, PosedHitbox};
use std::sync::Arc;

/// One hitbox of one character, as answers and touches name it.
#[derive(Reflect, Clone, Debug, PartialEq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct HitboxRef {
    /// The entity with [`Hitboxes`](crate::Hitboxes).
    pub entity: Entity,
    /// The entity of the joint that the hitbox is attached to; `None` where the character is posed by clips and has no joints.
    pub joint: Option<Entity>,
    /// The joint's name in the character's skeleton.
    pub joint_name: Arc<str>,
    /// What the game calls the hitbox: sorted words like `arm.left`.
    pub tags: Arc<[String]>,
    /// The hitbox's index in the character.
    pub box_index: u16,
}

impl HitboxRef {
    /// Whether the hitbox has the tag.
    #[must_use]
    pub fn has_tag(&self, tag: &str) -> bool {
        self.tags.iter().any(|one| one == tag)
    }
}

impl ContainsEntity for HitboxRef {
    fn entity(&self) -> Entity {
        self.entity
    }
}

/// All characters with hitboxes, posed. [`HitboxQuery`](crate::HitboxQuery) asks it in Bevy's terms.
#[derive(Resource, Debug, Default)]
pub struct HitboxBodies {
    pub(crate) world: HitboxWorld,
    records: HashMap<Entity, Record>,
    /// The bodies that were removed since the last update, which their ended touches are to name.
    removed: HashMap<Entity, Record>,
}

/// What a body's answers name.
#[derive(Clone, Debug)]
struct Record {
    asset: Bonebox,
    joints: Arc<[Option<Entity>]>,
}

/// The body of an entity.
pub(crate) fn body_id(entity: Entity) -> BodyId {
    BodyId(entity.to_bits())
}

impl HitboxBodies {
    /// The run time's world, for questions that [`HitboxQuery`](crate::HitboxQuery) does not ask.
    #[must_use]
    pub fn world(&self) -> &HitboxWorld {
        &self.world
    }

    /// The id of an entity's body in [`HitboxBodies::world`]; `None` where the entity has no bound hitboxes.
    #[must_use]
    pub fn body_id(&self, entity: Entity) -> Option<BodyId> {
        self.records.contains_key(&entity).then(|| body_id(entity))
    }

    /// The asset that an entity's hitboxes are of; `None` where the entity has no bound hitboxes.
    #[must_use]
    pub fn asset(&self, entity: Entity) -> Option<&Bonebox> {
        Some(&self.records.get(&entity)?.asset)
    }

    /// The hitboxes of an entity where they are posed now, world space; none where the entity has none.
    pub fn posed(&self, entity: Entity) -> impl Iterator<Item = (HitboxRef, PosedHitbox)> + '_ {
        let body = self.world.body(body_id(entity));
        let posed = body.into_iter().flat_map(|body| body.posed().boxes());
        posed.filter_map(move |posed| Some((self.name(entity, posed.index)?, posed)))
    }

    /// All entities with bound hitboxes, in the order of their bodies.
    pub fn entities(&self) -> impl Iterator<Item = Entity> + '_ {
        self.world.bodies().filter_map(|body| Entity::try_from_bits(body.id().0))
    }

    /// Names a hitbox of a body that is there.
    pub(crate) fn name(&self, entity: Entity, index: BoxIndex) -> Option<HitboxRef> {
        self.records.get(&entity)?.name(entity, index)
    }

    /// Names a hitbox of an ended touch, whose body may have been removed since the last update.
    pub(crate) fn name_ended(&self, entity: Entity, index: BoxIndex) -> Option<HitboxRef> {
        self.removed.get(&entity).or_else(|| self.records.get(&entity))?.name(entity, index)
    }

    pub(crate) fn insert(&mut self, entity: Entity, asset: Bonebox) {
        let character = Arc::clone(asset.character());
        // Nothing else inserts bodies, and `remove` takes body and record out together.
        let inserted = self.world.insert(body_id(entity), character, BodySettings::default());
        debug_assert!(inserted.is_ok(), "{inserted:?}");
        self.records.insert(entity, Record { asset, joints: Arc::new([]) });
    }

    pub(crate) fn set_joints(&mut self, entity: Entity, joints: Arc<[Option<Entity>]>) {
        if let Some(record) = self.records.get_mut(&entity) {
            record.joints = joints;
        }
    }

    pub(crate) fn remove(&mut self, entity: Entity) {
        if let Some(record) = self.records.remove(&entity) {
            let removed = self.world.remove(body_id(entity));
            debug_assert!(removed.is_ok());
            // Where a body came and went within a tick, the touches that end are those of the body before.
            self.removed.entry(entity).or_insert(record);
        }
    }

    /// Finds touches anew.
    pub(crate) fn update(&mut self) {
        #[cfg(not(feature = "rayon"))]
        self.world.update();
        #[cfg(feature = "rayon")]
        self.world.update_parallel();
    }

    /// Touches that ended have been named.
    pub(crate) fn forget_removed(&mut self) {
        self.removed.clear();
    }
}

impl Record {
    fn name(&self, entity: Entity, index: BoxIndex) -> Option<HitboxRef> {
        let joint = self.asset.character().hitbox(index)?.joint.index();
        Some(HitboxRef {
            entity,
            joint: self.joints.get(joint).copied().flatten(),
            joint_name: Arc::clone(self.asset.joint_name(joint)),
            tags: Arc::clone(self.asset.tags(index.index())),
            box_index: index.0,
        })
    }
}
