//! Poses as values: they give what the functions give, and are what a body was posed with.

use baked_characters::{baked_arm, baked_figure};
use glam::{Affine3A, Quat, Vec3};
use runtime::{
    Animation, BodyId, BodySettings, Character, ClipIndex, ClipSampler, HitboxWorld, JointMask, PoseLayer, PoseRecipe,
    PosedCharacter,
};
use skeleton::JointIndex;
use std::sync::Arc;

const BODY: BodyId = BodyId(3);

fn world(character: &Arc<Character>) -> HitboxWorld {
    let mut world = HitboxWorld::new();
    world.insert(BODY, Arc::clone(character), BodySettings::default()).unwrap();
    world
}

fn place() -> Affine3A {
    Affine3A::from_rotation_translation(Quat::from_xyzw(0.1, 0.7, -0.2, 0.6).normalize(), Vec3::new(1.0, -2.0, 3.0))
}

fn mask(character: &Character) -> JointMask {
    JointMask::new(character, |joint| if joint.0 == 1 { f32::NAN } else { f32::from(joint.0 % 4) * 0.4 })
}

/// A recipe of each kind.
fn recipes(character: &Character) -> Vec<PoseRecipe> {
    let mask = mask(character);
    let clip = ClipIndex(0);
    let layers = vec![
        PoseLayer::blend(clip, 0.2, 1.0),
        PoseLayer::blend(clip, 0.7, 0.5).masked(&mask),
        PoseLayer::add(clip, 0.4, 0.3),
    ];
    let animations = [
        Animation::Rest,
        Animation::Clip { clip, seconds: 0.4 },
        Animation::Layers(layers),
        Animation::Joints(character.rest_matrices().to_vec()),
    ];
    animations.map(|animation| PoseRecipe { place: place(), animation }).to_vec()
}

fn boxes(posed: &PosedCharacter) -> Vec<[u32; 15]> {
    let bits = |one: runtime::PosedHitbox| {
        let numbers = [one.center, one.half_extents, one.axes.x_axis, one.axes.y_axis, one.axes.z_axis];
        std::array::from_fn(|i| numbers[i / 3][i % 3].to_bits())
    };
    posed.boxes().map(bits).collect()
}

#[test]
fn a_recipe_gives_the_pose_of_the_function_for_its_animation() {
    let figure = Arc::new(Character::from_baked(baked_figure("figure")));
    let mut sampler = ClipSampler::new();
    for recipe in recipes(&figure) {
        let (mut by_recipe, mut by_function) = (PosedCharacter::new(), PosedCharacter::new());
        by_recipe.pose(&mut sampler, &figure, &recipe).unwrap();
        let place = &recipe.place;
        let (mut one, mut other) = (world(&figure), world(&figure));
        one.pose(BODY, &recipe).unwrap();
        match &recipe.animation {
            Animation::Rest => {
                by_function.pose_from_rest(&figure, place).unwrap();
                other.pose_from_rest(BODY, place).unwrap();
            }
            &Animation::Clip { clip, seconds } => {
                by_function.pose_from_clip(&mut sampler, &figure, place, clip, seconds).unwrap();
                other.pose_from_clip(BODY, place, clip, seconds).unwrap();
            }
            Animation::Layers(layers) => {
                by_function.pose_from_layers(&mut sampler, &figure, place, layers).unwrap();
                other.pose_one(BODY, |body| body.pose_from_layers(place, layers)).unwrap();
            }
            Animation::Joints(joints) => {
                by_function.pose_from_model(&figure, place, joints).unwrap();
                other.pose_from_model(BODY, place, joints).unwrap();
            }
        }
        let body = |world: &HitboxWorld| boxes(world.body(BODY).unwrap().posed());
        assert!(
            boxes(&by_recipe) == boxes(&by_function) && body(&one) == boxes(&by_recipe) && body(&one) == body(&other)
        );
        // The body was posed with this recipe, whichever function posed it. Nobody keeps matrices.
        let kept = (!matches!(recipe.animation, Animation::Joints(_))).then_some(recipe);
        for world in [&one, &other, &one.clone()] {
            assert_eq!(world.body(BODY).unwrap().recipe().map(|recipe| recipe.to_owned()), kept);
        }
    }
}

#[test]
fn a_body_without_a_pose_has_no_recipe() {
    let arm = Arc::new(Character::from_baked(baked_arm("arm")));
    let mut world = world(&arm);
    let recipe = |world: &HitboxWorld| world.body(BODY).unwrap().recipe().is_some();
    assert!(!recipe(&world));
    world.pose_from_rest(BODY, &place()).unwrap();
    assert!(recipe(&world));
    world.pose_from_clip(BODY, &place(), ClipIndex(9), 0.0).unwrap_err();
    assert!(!recipe(&world));
    world.pose_from_rest(BODY, &place()).unwrap();
    world.clear_pose(BODY).unwrap();
    assert!(!recipe(&world));
    let mut other = PosedCharacter::new();
    other.pose_from_rest(&arm, &place()).unwrap();
    world.pose_one(BODY, |body| body.copy_pose(&other)).unwrap();
    assert!(!recipe(&world));
    // A closure that fails after it posed the body.
    let refused = |body: &mut runtime::BodyPoser<'_>| {
        body.pose_from_rest(&place())?;
        body.pose_from_clip(&place(), ClipIndex(0), f32::NAN)
    };
    world.pose_one(BODY, refused).unwrap_err();
    assert!(!recipe(&world));
}

#[test]
fn own_matrices_are_kept_if_the_world_keeps_them() {
    let figure = Arc::new(Character::from_baked(baked_figure("figure")));
    let mut world = world(&figure);
    let own = |world: &HitboxWorld| world.body(BODY).unwrap().own_joints().to_vec();
    let matrices: Vec<Affine3A> = (0..figure.skeleton().len())
        .map(|joint| Affine3A::from_translation(Vec3::new(joint as f32, 0.5, 0.0)))
        .collect();
    world.pose_from_world(BODY, &matrices).unwrap();
    assert!(own(&world).is_empty());
    world.keep_joints(true);
    let needed = |of: &dyn Fn(JointIndex) -> Affine3A| figure.needed_joints().iter().map(|joint| of(*joint)).collect();
    world.pose_from_world(BODY, &matrices).unwrap();
    let expected: Vec<Affine3A> = needed(&|joint| matrices[joint.index()]);
    assert_eq!(own(&world), expected);
    world.pose_from_model(BODY, &place(), &matrices).unwrap();
    let expected: Vec<Affine3A> =
        needed(&|joint| geometry_core::portable::affine_mul(&place(), &matrices[joint.index()]));
    assert_eq!(own(&world), expected);
    let moved: Vec<Affine3A> = matrices.iter().map(|matrix| place() * *matrix).collect();
    let some = [figure.needed_joints()[2], figure.needed_joints()[5]];
    world.pose_one(BODY, |body| body.update_joints(&moved, &some)).unwrap();
    for (place, joint) in figure.needed_joints().iter().enumerate() {
        let expected = if some.contains(joint) { moved[joint.index()] } else { expected[place] };
        assert_eq!(own(&world)[place], expected);
    }
    assert_eq!(own(&world.clone()), own(&world));
    // A pose of which a recipe exists, and one that fails.
    world.pose_from_rest(BODY, &place()).unwrap();
    assert!(own(&world).is_empty() && world.body(BODY).unwrap().recipe().is_some());
    world.pose_one(BODY, |body| body.update_joints(&moved, &some)).unwrap();
    assert!(own(&world).is_empty() && world.body(BODY).unwrap().recipe().is_none());
    world.pose_from_world(BODY, &matrices).unwrap();
    world.pose_from_world(BODY, &matrices[1..]).unwrap_err();
    assert!(own(&world).is_empty());
}

#[test]
fn masks_are_equal_by_their_weights() {
    let figure = Character::from_baked(baked_figure("figure"));
    let other = Character::from_baked(baked_figure("other"));
    assert_eq!(mask(&figure), mask(&figure));
    assert_ne!(mask(&figure), JointMask::new(&figure, |_| 1.0));
    assert_ne!(mask(&figure), mask(&other));
    let layer = PoseLayer::blend(ClipIndex(0), 0.1, 0.5);
    assert_eq!(layer.clone().masked(&mask(&figure)), layer.clone().masked(&mask(&figure)));
    assert_ne!(layer.clone().masked(&mask(&figure)), layer);
}

#[cfg(feature = "serde")]
#[test]
fn a_recipe_that_was_sent_gives_the_same_pose() {
    let figure = Arc::new(Character::from_baked(baked_figure("figure")));
    let mut sampler = ClipSampler::new();
    for recipe in recipes(&figure) {
        let text = serde_json::to_string(&recipe).unwrap();
        let sent: PoseRecipe = serde_json::from_str(&text).unwrap();
        assert_eq!(sent, recipe);
        let (mut here, mut there) = (PosedCharacter::new(), PosedCharacter::new());
        here.pose(&mut sampler, &figure, &recipe).unwrap();
        there.pose(&mut sampler, &figure, &sent).unwrap();
        assert_eq!(boxes(&here), boxes(&there));
        let mut world = world(&figure);
        world.keep_joints(true);
        world.pose(BODY, &sent).unwrap();
        let saved = serde_json::to_string(&world.save()).unwrap();
        let restored = HitboxWorld::restore(&serde_json::from_str(&saved).unwrap(), |_| Some(Arc::clone(&figure)));
        let restored = restored.unwrap();
        let [one, other] = [&world, &restored].map(|world| world.body(BODY).unwrap());
        assert_eq!((one.recipe(), one.own_joints()), (other.recipe(), other.own_joints()));
    }
}

/// A mask from elsewhere may have any weights, and belong to any character.
#[cfg(feature = "serde")]
#[test]
fn a_mask_that_was_sent_is_checked() {
    use runtime::{AnimationRef, PoseError, PoseRecipeRef};
    let figure = Character::from_baked(baked_figure("figure"));
    let joints = figure.skeleton().len();
    let pose = |name: &str, weights: Vec<f32>| {
        let mask: JointMask = serde_json::from_str(&serde_json::to_string(&(name, weights)).unwrap()).unwrap();
        let layers = [PoseLayer::blend(ClipIndex(0), 0.3, 0.5).masked(&mask)];
        let recipe = PoseRecipeRef { place: place(), animation: AnimationRef::Layers(&layers) };
        let mut posed = PosedCharacter::new();
        posed.pose(&mut ClipSampler::new(), &figure, recipe).map(|()| boxes(&posed))
    };
    assert!(matches!(pose("other", vec![1.0; joints]), Err(PoseError::OtherMask { .. })));
    assert!(matches!(pose("figure", vec![1.0; joints - 1]), Err(PoseError::OtherMask { .. })));
    assert!(matches!(pose("figure", Vec::new()), Err(PoseError::OtherMask { .. })));
    // Weights beyond 1 are clamped.
    assert_eq!(pose("figure", vec![1e9; joints]).unwrap(), pose("figure", vec![1.0; joints]).unwrap());
    assert_eq!(pose("figure", vec![-1.0; joints]).unwrap(), pose("figure", vec![0.0; joints]).unwrap());
}
