//! Poses the bodies.

use crate::body::{HitboxBodies, body_id};
use crate::error::report;
use crate::{Bonebox, HitboxBinding, HitboxError, HitboxPose, Hitboxes};
use bevy_ecs::prelude::*;
use bevy_transform::components::GlobalTransform;
use bevy_transform::helper::TransformHelper;
use bonebox::glam::Affine3A;
use bonebox::{LoopMode, WorldError};

/// Poses each bound body by its joints or by a baked clip.
pub(crate) fn pose(
    mut commands: Commands,
    mut bodies: ResMut<HitboxBodies>,
    mut roots: Query<(Entity, &HitboxPose, &mut HitboxBinding, Option<&Name>), With<Hitboxes>>,
    joints: Query<&GlobalTransform>,
    places: TransformHelper<'_, '_>,
    mut matrices: Local<Vec<Affine3A>>,
) {
    for (entity, pose, mut binding, name) in &mut roots {
        if !binding.is_bound {
            continue;
        }
        let Some(asset) = bodies.asset(entity).cloned() else { continue };
        let world = &mut bodies.world;
        let id = body_id(entity);
        let world_from_model = || {
            let place = places.compute_global_transform(entity);
            place.map_or(Affine3A::IDENTITY, |place| place.affine())
        };
        let posed = match pose {
            HitboxPose::Joints => {
                if !read_joints(&asset, &binding, &joints, &mut matrices) {
                    // The scene was replaced, or the pose was changed before the joints were found: bind again.
                    binding.is_bound = false;
                    binding.joints_are_complete = false;
                    continue;
                }
                world.pose_from_world(id, &matrices)
            }
            HitboxPose::Clip { clip, seconds, looped } => {
                let character = asset.character();
                let Some(index) = character.find_clip(clip) else {
                    let known = character.clips().iter().map(|clip| clip.name.clone()).collect();
                    let error = HitboxError::NoClip { character: character.name().into(), clip: clip.clone(), known };
                    report(&mut commands, entity, name, &mut binding, error);
                    continue;
                };
                let mode = if *looped { LoopMode::Loop } else { LoopMode::Once };
                let time = mode.clip_time(&character.clips()[index.index()], *seconds);
                world.pose_from_clip(id, &world_from_model(), index, time)
            }
            HitboxPose::Rest => world.pose_from_rest(id, &world_from_model()),
        };
        match posed {
            Ok(()) if binding.problem.is_some() => binding.problem = None,
            Err(WorldError::Pose { error, .. }) => report(&mut commands, entity, name, &mut binding, error.into()),
            // The body exists as long as its record exists, so no other error can occur.
            Ok(()) | Err(_) => {}
        }
    }
}

/// Reads `world_from_joint` of every joint. Returns `false` if a joint with a hitbox no longer exists.
fn read_joints(
    asset: &Bonebox,
    binding: &HitboxBinding,
    joints: &Query<&GlobalTransform>,
    matrices: &mut Vec<Affine3A>,
) -> bool {
    matrices.clear();
    matrices.resize(asset.character().skeleton().len(), Affine3A::IDENTITY);
    if binding.joints.len() != matrices.len() {
        return false;
    }
    for (index, matrix) in matrices.iter_mut().enumerate() {
        match binding.joints[index].and_then(|joint| joints.get(joint).ok()) {
            Some(place) => *matrix = place.affine(),
            None if asset.has_hitbox(index) => return false,
            None => {}
        }
    }
    true
}
