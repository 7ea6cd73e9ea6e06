//! What the pose of a body in a view is computed from.

use crate::between::{is_same_animation, time_between};
use crate::place::between;
use crate::poser::Poser;
use crate::rules::{Interpolation, NO_PLACE};
use crate::tick::Kind;
use crate::view::View;
use geometry_core::portable::affine_mul;
use glam::Affine3A;
use runtime::{Animation, BodyId, Character, PoseLayer, PoseRecipe};

/// A recipe of the pose in which a view shows a body. It has matrices of all joints if the body was posed with matrices, or is
/// between two different animations. `None` if the view does not show the body.
pub(crate) fn shown_pose(view: &View<'_>, id: BodyId) -> Option<PoseRecipe> {
    let (part, shown) = view.shown_of(id);
    let part = view.part(part);
    let place = part.find(id)?;
    let (from, a) = (part.from, &part.from.bodies[place]);
    let character = &*from.character_of(a).character;
    let next = part.to.and_then(|to| Some((to, part.next(place, to, &view.rules)?)));
    let mut joints = Vec::new();
    let Some((to, b)) = next else {
        let recipe = from.recipe_of(a, &mut joints).to_owned();
        return Some(with_all_joints(character, recipe));
    };
    if let Interpolation::Own { pose, .. } = view.rules.interpolation {
        return Some(from.recipes(id, a, (to, b), shown.share, pose));
    }
    if !is_same_animation((from, a), (to, b)) {
        let mut poser = Poser::default();
        let joints = poser.joints_between((from, a), (to, b), shown.share, &[]).ok()?.to_vec();
        return Some(with_all_joints(character, PoseRecipe { place: NO_PLACE, animation: Animation::Joints(joints) }));
    }
    let time = |clip, from, to| time_between(character, clip, from, to, shown.share);
    let animation = match a.kind {
        Kind::Clip => Animation::Clip { clip: a.clip, seconds: time(a.clip, a.seconds, b.seconds) },
        Kind::Layers => {
            let layers = from.layers_of(a).iter().zip(to.layers_of(b)).map(|(a, b)| PoseLayer {
                seconds: time(a.clip, a.seconds, b.seconds),
                weight: a.weight + (b.weight - a.weight) * shown.share,
                ..a.clone()
            });
            Animation::Layers(layers.collect())
        }
        _ => Animation::Rest,
    };
    Some(PoseRecipe { place: between(&a.place(), &b.place(), shown.share), animation })
}

/// Gives the joints that no hitbox needs their places at rest, relative to their parents.
fn with_all_joints(character: &Character, mut recipe: PoseRecipe) -> PoseRecipe {
    if let Animation::Joints(joints) = &mut recipe.animation {
        let mut is_known = vec![false; joints.len()];
        character.needed_joints().iter().for_each(|joint| is_known[joint.index()] = true);
        // Parents come before their children.
        for (index, joint) in character.skeleton().joints().iter().enumerate() {
            if !is_known[index] {
                let parent = joint.parent.map_or(Affine3A::IDENTITY, |parent| joints[parent.index()]);
                joints[index] = affine_mul(&parent, &joint.rest.to_affine());
            }
        }
    }
    recipe
}
