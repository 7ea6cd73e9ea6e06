//! Reads the animation from the joints of the scene, and writes the fallen pose over it.

use super::{RagdollBody, RagdollState};
use crate::HitboxBinding;
use crate::body::{HitboxBodies, body_id, result_of};
use crate::error::report;
use crate::{HitboxPose, Ragdoll};
use bevy_ecs::prelude::*;
use bevy_platform::collections::HashMap;
use bevy_time::Time;
use bevy_transform::components::Transform;
use bonebox::glam::Affine3A;
use bonebox::skeleton::Skeleton;

/// The joints of a scene, and what is between them and the root.
type Tree<'w, 's> = Query<'w, 's, (&'static mut Transform, Option<&'static ChildOf>)>;

/// Reads the transforms that the animation gave the joints.
pub(super) fn capture(
    mut characters: Query<(Entity, &mut RagdollState, &HitboxBinding, &HitboxPose, Has<Ragdoll>)>,
    tree: Tree<'_, '_>,
    hitboxes: Res<HitboxBodies>,
    time: Res<Time>,
) {
    for (entity, mut state, binding, pose, has_ragdoll) in &mut characters {
        let state = &mut *state;
        let is_of_scene = matches!(pose, HitboxPose::Joints);
        let is_wanted = has_ragdoll || state.is_shown() || !state.written.is_empty();
        let skeleton = hitboxes.asset(entity).map(|asset| asset.character().skeleton());
        let skeleton = skeleton.filter(|skeleton| is_wanted && skeleton.len() == binding.joints.len());
        let Some(skeleton) = skeleton.filter(|_| binding.joints_are_complete) else {
            (state.scene, state.written) = (Vec::new(), Vec::new());
            if is_of_scene {
                state.animated.clear();
            }
            continue;
        };
        let before = std::mem::take(&mut state.scene);
        state.scene = vec![Transform::IDENTITY; binding.joints.len()];
        for (index, joint) in binding.joints.iter().enumerate() {
            let Some((now, _)) = joint.and_then(|joint| tree.get(joint).ok()) else { continue };
            // An animation that stands still writes nothing.
            let is_own = state.written.get(index).is_some_and(|written| *written == Some(*now));
            state.scene[index] = if is_own { before[index] } else { *now };
        }
        if is_of_scene {
            let worlds = worlds(skeleton, &binding.joints, &tree, |index, _| state.scene[index]);
            state.animated = worlds.into_iter().map(|(_, world)| world).collect();
            state.captured_at = time.elapsed_secs_f64();
        }
    }
}

/// Writes the transforms of the joints, so that the mesh follows the bodies.
pub(super) fn show(
    mut characters: Query<(Entity, &mut RagdollState, &HitboxBinding)>,
    mut tree: Tree<'_, '_>,
    hitboxes: Res<HitboxBodies>,
    bodies: Query<&RagdollBody>,
) {
    for (entity, mut state, binding) in &mut characters {
        if state.scene.is_empty() || (!state.is_shown() && state.written.is_empty()) {
            continue;
        }
        let state = &mut *state;
        let skeleton = hitboxes.asset(entity).map(|asset| asset.character().skeleton());
        let skeleton = skeleton.filter(|skeleton| state.is_shown() && skeleton.len() == binding.joints.len());
        let shown = skeleton.and_then(|skeleton| Some((skeleton, state.shown(skeleton, &bodies)?)));
        let Some((skeleton, shown)) = shown.filter(|(_, joints)| joints.iter().all(|joint| joint.is_finite())) else {
            // Joints that no animation moves would stay where they fell.
            for (index, joint) in binding.joints.iter().enumerate() {
                if let (Some(Some(_)), Some(joint)) = (state.written.get(index), joint)
                    && let Ok((mut transform, _)) = tree.get_mut(*joint)
                {
                    *transform = state.scene[index];
                }
            }
            state.written = Vec::new();
            continue;
        };
        let local = |index: usize, parent: &Affine3A| {
            if !state.is_limp[index] {
                return state.scene[index];
            }
            let (scale, rotation, translation) = (parent.inverse() * shown[index]).to_scale_rotation_translation();
            let local = Transform { translation, rotation, scale };
            if local.is_finite() { local } else { state.scene[index] }
        };
        let worlds = worlds(skeleton, &binding.joints, &tree, local);
        state.written = vec![None; binding.joints.len()];
        for (index, (joint, (transform, _))) in binding.joints.iter().zip(worlds).enumerate() {
            if let Some(joint) = joint.filter(|_| state.is_limp[index])
                && let Ok((mut now, _)) = tree.get_mut(joint)
            {
                *now = transform;
                state.written[index] = Some(transform);
            }
        }
    }
}

/// Computes the transform of each joint and its matrix in the world, from the matrix of the entity above. A joint without an entity
/// keeps its rest pose.
fn worlds(
    skeleton: &Skeleton,
    joints: &[Option<Entity>],
    tree: &Tree<'_, '_>,
    local: impl Fn(usize, &Affine3A) -> Transform,
) -> Vec<(Transform, Affine3A)> {
    let mut known: HashMap<Entity, Affine3A> = HashMap::default();
    let mut found: Vec<(Transform, Affine3A)> = Vec::with_capacity(joints.len());
    for (index, joint) in joints.iter().enumerate() {
        let Some(joint) = joint else {
            let rest = &skeleton.joints()[index];
            let parent = rest.parent.map_or(Affine3A::IDENTITY, |parent| found[parent.index()].1);
            found.push((Transform::IDENTITY, parent * rest.rest.to_affine()));
            continue;
        };
        let parent = above(*joint, tree, &mut known);
        let transform = local(index, &parent);
        let world = parent * transform.compute_affine();
        known.insert(*joint, world);
        found.push((transform, world));
    }
    found
}

/// The matrix of the entity above in the world.
fn above(entity: Entity, tree: &Tree<'_, '_>, known: &mut HashMap<Entity, Affine3A>) -> Affine3A {
    let Ok((_, Some(parent))) = tree.get(entity) else { return Affine3A::IDENTITY };
    let parent = parent.parent();
    if let Some(world) = known.get(&parent) {
        return *world;
    }
    let own = tree.get(parent).map_or(Affine3A::IDENTITY, |(transform, _)| transform.compute_affine());
    let world = above(parent, tree, known) * own;
    known.insert(parent, world);
    world
}

/// Poses the hitboxes of characters that fall or go back to the animation.
pub(crate) fn follow(
    mut commands: Commands,
    mut characters: Query<(Entity, &RagdollState, &mut HitboxBinding, Option<&Name>)>,
    mut hitboxes: ResMut<HitboxBodies>,
    bodies: Query<&RagdollBody>,
) {
    for (entity, state, mut binding, name) in &mut characters {
        if !binding.is_bound || !state.is_shown() {
            continue;
        }
        let skeleton = hitboxes.asset(entity).map(|asset| asset.character().skeleton());
        let Some(shown) = skeleton.and_then(|skeleton| state.shown(skeleton, &bodies)) else { continue };
        if let Err(error) = result_of(hitboxes.world.pose_from_world(body_id(entity), &shown)) {
            hitboxes.clear_pose(entity);
            report(&mut commands, entity, name, &mut binding, error);
        }
    }
}
