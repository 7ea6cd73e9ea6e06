//! Gives each root a body and finds the root's joints.

use crate::body::{HitboxBodies, body_id};
use crate::error::report;
use crate::joint_binding::{Tree, find_joints, nearest_joints};
use crate::{Bonebox, BoneboxLoadError, HitboxBinding, HitboxError, HitboxPose, HitboxSettings, Hitboxes};
use bevy_asset::{AssetEvent, AssetId, AssetLoadError, AssetLoadFailedEvent, Assets};
use bevy_ecs::prelude::*;
use bevy_platform::collections::HashSet;
use bonebox::{BodySettings, Character, CollisionLayers, HitboxWorld, UnknownTag, WorldError};

type Root<'a> = (
    Entity,
    &'a Hitboxes,
    Ref<'a, HitboxPose>,
    &'a mut HitboxBinding,
    Option<Ref<'a, HitboxSettings>>,
    Option<&'a Name>,
);

/// Removes the body when the component is removed or its entity is despawned.
pub(crate) fn unbind(
    removed: On<Remove<Hitboxes>>,
    mut bodies: ResMut<HitboxBodies>,
    mut bindings: Query<&mut HitboxBinding>,
) {
    bodies.remove(removed.entity);
    if let Ok(mut binding) = bindings.get_mut(removed.entity) {
        *binding = HitboxBinding::default();
    }
}

/// Gives a character the default settings again when the component is removed.
pub(crate) fn reset_settings(removed: On<Remove<HitboxSettings>>, mut bodies: ResMut<HitboxBodies>) {
    let reset = apply_settings(&mut bodies.world, removed.entity, &HitboxSettings::default());
    debug_assert!(reset.is_ok(), "default settings name no tag and no joint: {reset:?}");
}

/// Unbinds the characters whose asset was changed, so that they are bound again, and reports assets that could not be
/// loaded.
pub(crate) fn follow_assets(
    mut commands: Commands,
    mut bodies: ResMut<HitboxBodies>,
    mut events: MessageReader<AssetEvent<Bonebox>>,
    mut failures: MessageReader<AssetLoadFailedEvent<Bonebox>>,
    mut roots: Query<(Entity, &Hitboxes, &mut HitboxBinding, Option<&Name>)>,
) {
    let mut changed: HashSet<AssetId<Bonebox>> = HashSet::default();
    for event in events.read() {
        if let AssetEvent::Modified { id } | AssetEvent::Removed { id } = event {
            changed.insert(*id);
        }
    }
    for (entity, hitboxes, mut binding, _) in &mut roots {
        let id = hitboxes.0.id();
        if binding.asset.is_some_and(|bound| bound != id || changed.contains(&bound)) {
            bodies.remove(entity);
            *binding = HitboxBinding::default();
        }
    }
    for failure in failures.read() {
        for (entity, hitboxes, mut binding, name) in &mut roots {
            if hitboxes.0.id() == failure.id && binding.asset.is_none() {
                let error = HitboxError::Asset(reason(&failure.error));
                report(&mut commands, entity, name, &mut binding, error);
            }
        }
    }
}

/// Returns the message of a loader's error without the backtrace that Bevy adds.
fn reason(error: &AssetLoadError) -> String {
    if let AssetLoadError::AssetLoaderError(loader) = error
        && let Some(reason) = loader.error().downcast_ref::<BoneboxLoadError>()
    {
        return format!("{:?}: {reason}", loader.path().to_string());
    }
    error.to_string()
}

/// Gives each root with a loaded asset a body, and looks for joints that were not found yet.
pub(crate) fn bind(
    mut commands: Commands,
    mut bodies: ResMut<HitboxBodies>,
    assets: Res<Assets<Bonebox>>,
    mut roots: Query<Root<'_>>,
    tree: Tree<'_, '_>,
) {
    for (entity, hitboxes, pose, mut binding, settings, name) in &mut roots {
        let is_new = binding.asset.is_none();
        if is_new {
            let Some(asset) = assets.get(&hitboxes.0) else { continue };
            bodies.insert(entity, asset.clone());
            let binding = binding.as_mut();
            *binding = HitboxBinding { asset: Some(hitboxes.0.id()), ..HitboxBinding::default() };
        }
        if let Some(settings) = &settings
            && (is_new || settings.is_changed())
        {
            if let Err(error) = apply_settings(&mut bodies.world, entity, settings) {
                report(&mut commands, entity, name, &mut binding, error);
            }
            // A joint that is tracked from now on may have no entity yet.
            if binding.joints_are_complete && !settings.track_joints.is_empty() {
                binding.joints_are_complete = false;
            }
        }
        if binding.joints_are_complete && binding.is_bound {
            continue;
        }
        let Some(asset) = bodies.asset(entity).cloned() else { continue };
        let needs_joints = matches!(*pose, HitboxPose::Joints);
        let tracked = settings.as_ref().map_or(&[][..], |settings| &settings.track_joints);
        let found = if binding.joints_are_complete { None } else { find_joints(entity, &asset, tracked, &tree) };
        match found {
            Some(Ok(joints)) => {
                binding.joints = joints.into();
                binding.joints_are_complete = true;
                binding.problem = None;
                bodies.set_joints(entity, binding.joints.clone());
            }
            Some(Err(error)) if needs_joints => report(&mut commands, entity, name, &mut binding, error),
            // A character that is posed by clips needs no joints, so the plugin does not wait for a scene.
            Some(Err(_)) | None => {}
        }
        let is_bound = binding.joints_are_complete || !needs_joints;
        if binding.is_bound != is_bound {
            binding.is_bound = is_bound;
        }
    }
}

/// Replaces all layers, the team, all switches and the tracked joints of a body by those of the component.
fn apply_settings(world: &mut HitboxWorld, entity: Entity, settings: &HitboxSettings) -> Result<(), HitboxError> {
    let id = body_id(entity);
    let Some(body) = world.body(id) else { return Ok(()) };
    let character = std::sync::Arc::clone(body.character());
    let tags = settings.tags.iter().map(|one| Ok((character.boxes_with_tag(&one.tag)?, one)));
    let tags = tags.collect::<Result<Vec<_>, UnknownTag>>()?;
    if let Some(joint) = settings.track_joints.iter().find(|joint| character.skeleton().find(joint).is_none()) {
        let nearest = nearest_joints(joint, &character);
        return Err(HitboxError::NoTrackedJoint { character: character.name().into(), joint: joint.clone(), nearest });
    }
    let mut apply = || -> Result<(), WorldError> {
        world.set_settings(
            id,
            BodySettings {
                layers: CollisionLayers { memberships: settings.memberships, mask: settings.mask },
                team: settings.team,
                self_touches: settings.self_touches,
                continuous: settings.continuous,
            },
        )?;
        world.track_joints(id, &settings.track_joints.iter().map(String::as_str).collect::<Vec<_>>())?;
        world.set_boxes_enabled(id, &character.all_boxes(), true)?;
        for tag in all_tags(&character) {
            // This never fails, because `all_tags` lists the tags of this character.
            if let Ok(boxes) = character.boxes_with_tag(tag) {
                world.clear_box_layers(id, &boxes)?;
            }
        }
        for (boxes, one) in &tags {
            let layers = CollisionLayers { memberships: one.memberships, mask: one.mask };
            if layers != CollisionLayers::default() {
                world.set_box_layers(id, boxes, layers)?;
            }
            if !one.on {
                world.set_boxes_enabled(id, boxes, false)?;
            }
        }
        Ok(())
    };
    let applied = apply();
    debug_assert!(applied.is_ok(), "body and boxes belong together: {applied:?}");
    match world.track_skin(id, settings.track_skin) {
        Err(WorldError::Skin { error, .. }) => Err(error.into()),
        // The body exists.
        Ok(()) | Err(_) => Ok(()),
    }
}

fn all_tags(character: &Character) -> Vec<&str> {
    let mut tags: Vec<&str> = character.hitboxes().flat_map(|hitbox| hitbox.tags.iter().map(String::as_str)).collect();
    tags.sort_unstable();
    tags.dedup();
    tags
}
