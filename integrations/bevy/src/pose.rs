//! Poses the bodies by joints, by clips, or by clips in layers.

use crate::body::{HitboxBodies, body_id, result_of};
use crate::error::report;
use crate::{Bonebox, HitboxBinding, HitboxPose, Hitboxes};
use bevy_ecs::prelude::*;
use bevy_transform::components::GlobalTransform;
use bevy_transform::helper::TransformHelper;
use bonebox::glam::Affine3A;

/// Poses each bound body as its [`HitboxPose`] says. A body that is not bound, or whose pose fails, has no hitboxes.
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
            bodies.clear_pose(entity);
            continue;
        }
        let Some(asset) = bodies.asset(entity).cloned() else { continue };
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
                    bodies.clear_pose(entity);
                    continue;
                }
                result_of(bodies.world.pose_from_world(id, &matrices))
            }
            HitboxPose::Clip { clip, seconds, looped } => {
                asset.clip_time(clip, *seconds, *looped).and_then(|(clip, seconds)| {
                    result_of(bodies.world.pose_from_clip(id, &world_from_model(), clip, seconds))
                })
            }
            HitboxPose::Layers(layers) => bodies.pose_from_layers(entity, &world_from_model(), layers),
            HitboxPose::Rest => result_of(bodies.world.pose_from_rest(id, &world_from_model())),
        };
        match posed {
            Ok(()) if binding.problem.is_some() => binding.problem = None,
            Ok(()) => {}
            Err(error) => {
                bodies.clear_pose(entity);
                report(&mut commands, entity, name, &mut binding, error);
            }
        }
    }
}

/// Takes away the hitboxes of a character that is no longer posed.
pub(crate) fn unpose(removed: On<Remove<HitboxPose>>, mut bodies: ResMut<HitboxBodies>) {
    bodies.clear_pose(removed.entity);
}

/// Reads `world_from_joint` of every joint. Returns `false` if a joint that was found no longer exists.
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
            None if asset.is_needed(index) || binding.joints[index].is_some() => return false,
            None => {}
        }
    }
    true
}
