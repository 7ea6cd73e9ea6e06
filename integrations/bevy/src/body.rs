//! The bodies of all characters with hitboxes, and the names that answers about them contain.

use crate::{Bonebox, HitboxError, HitboxLayer, HitboxMask, HitboxSkinRef};
use bevy_ecs::entity::ContainsEntity;
use bevy_ecs::prelude::*;
use bevy_platform::collections::HashMap;
use bevy_reflect::Reflect;
use bonebox::glam::Affine3A;
use bonebox::skeleton::JointIndex;
use bonebox::{BodyId, BodySettings, BoxIndex, HitboxWorld, JointMask, PoseLayer, PosedHitbox, WorldError};
use std::sync::Arc;

/// A hitbox of a character, with its names, in answers and touches.
#[derive(Reflect, Clone, Debug, PartialEq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct HitboxRef {
    /// The entity with [`Hitboxes`](crate::Hitboxes).
    pub entity: Entity,
    /// The entity of the joint that the hitbox is attached to; `None` if the character is posed by clips and has no
    /// joint entities.
    pub joint: Option<Entity>,
    /// The joint's name in the character's skeleton.
    pub joint_name: Arc<str>,
    /// The hitbox's tags, such as `arm.left`, sorted.
    pub tags: Arc<[String]>,
    /// The hitbox's index in the character.
    pub box_index: u16,
}

impl HitboxRef {
    /// Returns `true` if the hitbox has the tag.
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

/// The posed bodies of all characters with hitboxes. [`HitboxQuery`](crate::HitboxQuery) queries them with Bevy's
/// types.
#[derive(Resource, Debug, Default)]
pub struct HitboxBodies {
    pub(crate) world: HitboxWorld,
    records: HashMap<Entity, Record>,
    /// The bodies that were removed since the last update. The ends of their touches still name them.
    removed: HashMap<Entity, Record>,
}

/// The data of a body that answers contain.
#[derive(Clone, Debug)]
struct Record {
    asset: Bonebox,
    joints: Arc<[Option<Entity>]>,
    /// The masks of the layers of the last pose.
    masks: Vec<(HitboxMask, JointMask)>,
}

/// Returns the id of the body of an entity.
pub(crate) fn body_id(entity: Entity) -> BodyId {
    BodyId(entity.to_bits())
}

/// Keeps the errors that posing a body can have.
pub(crate) fn result_of(posed: Result<(), WorldError>) -> Result<(), HitboxError> {
    match posed {
        Err(WorldError::Pose { error, .. }) => Err(error.into()),
        // The body exists as long as its record exists, so no other error can occur.
        Ok(()) | Err(_) => Ok(()),
    }
}

impl HitboxBodies {
    /// Returns the run time's world, for copies (lag compensation) and for queries that
    /// [`HitboxQuery`](crate::HitboxQuery) does not offer. The number in a body's id has the bits of its entity:
    /// `Entity::from_bits(id.0)`.
    #[must_use]
    pub fn world(&self) -> &HitboxWorld {
        &self.world
    }

    /// Returns the id of an entity's body in [`HitboxBodies::world`]; `None` if the entity has no bound hitboxes.
    #[must_use]
    pub fn body_id(&self, entity: Entity) -> Option<BodyId> {
        self.records.contains_key(&entity).then(|| body_id(entity))
    }

    /// Returns the asset of an entity's hitboxes; `None` if the entity has no bound hitboxes.
    #[must_use]
    pub fn asset(&self, entity: Entity) -> Option<&Bonebox> {
        Some(&self.records.get(&entity)?.asset)
    }

    /// Returns the posed hitboxes of an entity, in world space; none if the entity has no bound hitboxes or no pose.
    pub fn posed(&self, entity: Entity) -> impl Iterator<Item = (HitboxRef, PosedHitbox)> + '_ {
        let body = self.world.body(body_id(entity));
        let posed = body.into_iter().flat_map(|body| body.posed().boxes());
        posed.filter_map(move |posed| Some((self.name(entity, posed.index)?, posed)))
    }

    /// Returns all entities with bound hitboxes, in the order of their bodies.
    pub fn entities(&self) -> impl Iterator<Item = Entity> + '_ {
        self.world.bodies().filter_map(|body| Entity::try_from_bits(body.id().0))
    }

    /// Names a hitbox of a body in the world.
    pub(crate) fn name(&self, entity: Entity, index: BoxIndex) -> Option<HitboxRef> {
        self.records.get(&entity)?.name(entity, index)
    }

    /// Names a joint of a body in the world, and a triangle of its skin.
    pub(crate) fn name_skin(&self, entity: Entity, joint: JointIndex, source_triangle: u32) -> Option<HitboxSkinRef> {
        let record = self.records.get(&entity)?;
        let joint_name = Arc::clone(record.asset.joint_name(joint.index()));
        Some(HitboxSkinRef { entity, joint: record.joint(joint.index()), joint_name, source_triangle })
    }

    /// Names a hitbox of an ended touch, whose body may have been removed since the last update.
    pub(crate) fn name_ended(&self, entity: Entity, index: BoxIndex) -> Option<HitboxRef> {
        self.removed.get(&entity).or_else(|| self.records.get(&entity))?.name(entity, index)
    }

    pub(crate) fn insert(&mut self, entity: Entity, asset: Bonebox) {
        let character = Arc::clone(asset.character());
        // This cannot fail: nothing else inserts bodies, and `remove` removes the body and its record together.
        let inserted = self.world.insert(body_id(entity), character, BodySettings::default());
        debug_assert!(inserted.is_ok(), "{inserted:?}");
        self.records.insert(entity, Record { asset, joints: Arc::new([]), masks: Vec::new() });
    }

    pub(crate) fn set_joints(&mut self, entity: Entity, joints: Arc<[Option<Entity>]>) {
        if let Some(record) = self.records.get_mut(&entity) {
            record.joints = joints;
        }
    }

    /// Poses the body of an entity by clips in layers.
    ///
    /// # Errors
    /// Returns an error if a clip or a joint of a mask does not exist, or the pose is not finite.
    pub(crate) fn pose_from_layers(
        &mut self,
        entity: Entity,
        world_from_model: &Affine3A,
        layers: &[HitboxLayer],
    ) -> Result<(), HitboxError> {
        let layers = self.pose_layers(entity, layers)?;
        result_of(self.world.pose_one(body_id(entity), |body| body.pose_from_layers(world_from_model, &layers)))
    }

    /// Finds the clips of layers and makes their masks; none if the entity has no bound hitboxes.
    ///
    /// # Errors
    /// Returns an error if a clip or a joint of a mask does not exist.
    pub(crate) fn pose_layers(
        &mut self,
        entity: Entity,
        layers: &[HitboxLayer],
    ) -> Result<Vec<PoseLayer>, HitboxError> {
        let Some(Record { asset, masks, .. }) = self.records.get_mut(&entity) else { return Ok(Vec::new()) };
        let character = asset.character();
        masks.retain(|(mask, _)| layers.iter().any(|layer| layer.mask == *mask));
        for layer in layers {
            if !masks.iter().any(|(known, _)| *known == layer.mask)
                && let Some(made) = layer.mask.make(character)?
            {
                masks.push((layer.mask.clone(), made));
            }
        }
        let mut posing = Vec::with_capacity(layers.len());
        for layer in layers {
            let (clip, seconds) = asset.clip_time(&layer.clip, layer.seconds, layer.looped)?;
            let mask = masks.iter().find(|(known, _)| *known == layer.mask).map(|(_, mask)| mask.clone());
            posing.push(PoseLayer { clip, seconds, weight: layer.weight, mode: layer.mode.into(), mask });
        }
        Ok(posing)
    }

    /// Takes away the hitboxes of an entity until it is posed again.
    pub(crate) fn clear_pose(&mut self, entity: Entity) {
        let id = body_id(entity);
        if self.world.body(id).is_some_and(|body| body.posed().is_posed()) {
            let cleared = self.world.clear_pose(id);
            debug_assert!(cleared.is_ok(), "{cleared:?}");
        }
    }

    pub(crate) fn remove(&mut self, entity: Entity) {
        if let Some(record) = self.records.remove(&entity) {
            let removed = self.world.remove(body_id(entity));
            debug_assert!(removed.is_ok());
            // If an entity got and lost a second body within one tick, the touches that end are those of its first
            // body.
            self.removed.entry(entity).or_insert(record);
        }
    }

    /// Finds the touches of the present poses.
    pub(crate) fn update(&mut self) {
        #[cfg(not(feature = "rayon"))]
        self.world.update();
        #[cfg(feature = "rayon")]
        self.world.update_parallel();
    }

    /// Forgets the removed bodies, once the ends of their touches have been reported.
    pub(crate) fn forget_removed(&mut self) {
        self.removed.clear();
    }
}

impl Record {
    fn joint(&self, joint: usize) -> Option<Entity> {
        self.joints.get(joint).copied().flatten()
    }

    fn name(&self, entity: Entity, index: BoxIndex) -> Option<HitboxRef> {
        let joint = self.asset.character().hitbox(index)?.joint.index();
        Some(HitboxRef {
            entity,
            joint: self.joint(joint),
            joint_name: Arc::clone(self.asset.joint_name(joint)),
            tags: Arc::clone(self.asset.tags(index.index())),
            box_index: index.0,
        })
    }
}
