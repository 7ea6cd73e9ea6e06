//! `ExactHitboxQuery` gives the run time's answers on the skin, in Bevy's terms.

use crate::stage::{Stage, changed, character, spawn_joints};
use baked_characters::baked_tube;
use bevy_asset::Assets;
use bevy_bonebox::bonebox::format::VertexAttributes;
use bevy_bonebox::bonebox::skeleton::JointIndex;
use bevy_bonebox::bonebox::{
    BodyId, BodySettings, Capsule, Character, HitboxWorld, Obb, QueryFilter, Ray, SkinError, Sphere,
};
use bevy_bonebox::prelude::*;
use bevy_bonebox::{ExactQueryError, HitboxBodies, HitboxError, HitboxSkinRef};
use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use bevy_math::{Dir3, Isometry3d, Vec2, Vec3};
use bevy_shape::Ray3d;
use bevy_transform::components::{GlobalTransform, Transform};
use std::sync::Arc;

fn tracked() -> HitboxSettings {
    HitboxSettings { track_skin: true, ..HitboxSettings::default() }
}

/// The tube with the normals of its sides, and with texture coordinates that run along its height. The upper half of the tube
/// has no texture coordinates.
fn tube_with_attributes() -> Character {
    let mut baked = baked_tube("tube");
    for piece in baked.skin.iter_mut().flat_map(|skin| &mut skin.pieces) {
        let attributes = |(vertex, &position): (usize, &Vec3)| VertexAttributes {
            vertex: vertex as u32,
            normal: (position * Vec3::new(1.0, 0.0, 1.0)).try_normalize(),
            texture_coordinate: (position.y < 2.0).then_some(Vec2::new(0.25, position.y)),
        };
        piece.attributes = piece.positions.iter().enumerate().map(attributes).collect();
        let corners_of = |(source, corners): (&u32, &[u32; 3])| {
            let whole = piece.cut_triangles.iter().find(|cut| cut.source_triangle == *source);
            whole.map_or(*corners, |cut| cut.corners)
        };
        piece.attribute_corners = piece.source_triangles.iter().zip(&piece.triangles).map(corners_of).collect();
    }
    Character::from_baked(baked)
}

/// Tubes at these places along x, with the settings, and the same tubes in a world of the run time.
fn tubes(places: &[f32], settings: &HitboxSettings) -> (Stage, Vec<Entity>, HitboxWorld) {
    let mut stage = Stage::new();
    let tube = Bonebox::new(tube_with_attributes());
    let handle = stage.world().resource_mut::<Assets<Bonebox>>().add(tube.clone());
    let spawn = |&x: &f32| {
        let bundle =
            (Hitboxes(handle.clone()), HitboxPose::Rest, settings.clone(), Transform::from_xyz(x, 0.0, 0.1 * x));
        stage.world().spawn(bundle).id()
    };
    let roots: Vec<Entity> = places.iter().map(spawn).collect();
    stage.until_bound(&roots);
    stage.app.update();
    let mut world = HitboxWorld::new();
    for &root in &roots {
        let (id, place) = (BodyId(root.to_bits()), stage.world().get::<GlobalTransform>(root).unwrap().affine());
        world.insert(id, Arc::clone(tube.character()), BodySettings::default()).unwrap();
        world.track_skin(id, true).unwrap();
        world.pose_from_rest(id, &place).unwrap();
    }
    world.update();
    (stage, roots, world)
}

/// Asks in a system, as a game does.
fn ask<T: 'static>(stage: &mut Stage, question: impl Fn(&mut ExactHitboxQuery<'_>) -> T + Send + Sync + 'static) -> T {
    stage.world().run_system_once(move |mut skins: ExactHitboxQuery<'_>| question(&mut skins)).unwrap()
}

fn name_of(body: BodyId, joint: JointIndex, source_triangle: u32) -> HitboxSkinRef {
    let entity = Entity::try_from_bits(body.0).unwrap();
    let joint_name = Character::from_baked(baked_tube("tube")).joint_name(joint).into();
    HitboxSkinRef { entity, joint: None, joint_name, source_triangle }
}

#[test]
fn rays_hit_the_skin_where_the_run_time_says() {
    let (mut stage, roots, mut world) = tubes(&[0.0, 2.0], &tracked());
    let all = QueryFilter::default();
    let (mut hits, mut smooth, mut textured) = (0, 0, 0);
    for step in 0..20u8 {
        let origin = Vec3::new(-3.0, 0.9 + 0.12 * f32::from(step), 0.03 * f32::from(step) - 0.2);
        let ray = Ray3d::new(origin, Dir3::X);
        let found = ask(&mut stage, move |skins| skins.cast_ray(ray, 50.0, &HitboxFilter::default()).unwrap());
        let expected = world.exact_ray(&Ray::try_new(origin, Vec3::X).unwrap(), 50.0, &all).unwrap();
        assert_eq!(found.is_some(), expected.is_some());
        let (Some(found), Some(expected)) = (found, expected) else { continue };
        hits += 1;
        assert_eq!(found.skin, name_of(expected.body, expected.joint, expected.source_triangle));
        assert_eq!((found.distance, found.point, found.normal), (expected.time, expected.point, expected.normal));
        assert_eq!((found.barycentric, found.front), (expected.barycentric, expected.front));
        assert_eq!(found.shading_normal, expected.shading_normal);
        assert_eq!(found.texture_coordinate, expected.texture_coordinate);
        smooth += usize::from(found.shading_normal.dot(found.normal) < 0.999);
        textured += usize::from(found.texture_coordinate.is_some());
    }
    assert!((5..20).contains(&hits), "{hits} of 20 rays hit");
    assert!(smooth > 0, "no ray hit where the tube is shaded smoothly");
    assert!(0 < textured && textured < hits, "{textured} of {hits} hits have a texture coordinate");
    let (ray, own) = (Ray3d::new(Vec3::new(-3.0, 2.0, 0.0), Dir3::X), roots[0]);
    let other =
        ask(&mut stage, move |skins| skins.cast_ray(ray, 50.0, &HitboxFilter::excluding(&[own])).unwrap()).unwrap();
    assert_eq!(other.skin.entity, roots[1]);
    let asset = stage.world().resource::<HitboxBodies>().asset(roots[1]).unwrap();
    let (mesh, triangle) = asset.source_of(other.skin.source_triangle).unwrap();
    assert_eq!((mesh.name.as_str(), triangle), ("tube", other.skin.source_triangle));
    assert_eq!(asset.source_of(64), None);
}

#[test]
fn skins_touch_where_the_run_time_says() {
    let (mut stage, roots, mut world) = tubes(&[0.0, 0.6, 1.4, 9.0], &tracked());
    let found = ask(&mut stage, |skins| skins.touches(&HitboxFilter::default()).unwrap());
    let mut expected = Vec::new();
    world.exact_touches(&QueryFilter::default(), &mut expected).unwrap();
    assert!(!expected.is_empty() && found.len() == expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found.a, name_of(expected.body_a, expected.joint_a, expected.source_triangle_a));
        assert_eq!(found.b, name_of(expected.body_b, expected.joint_b, expected.source_triangle_b));
        assert_eq!(found.point, expected.point);
    }
    let own = roots[1];
    assert!(ask(&mut stage, move |skins| skins.touches(&HitboxFilter::excluding(&[own])).unwrap()).len() < found.len());

    let (a, b) = (roots[0], roots[3]);
    let nearest = ask(&mut stage, move |skins| skins.distance(a, b, f32::INFINITY).unwrap()).unwrap();
    let same = world.exact_distance(BodyId(a.to_bits()), BodyId(b.to_bits()), None).unwrap().unwrap();
    assert_eq!((nearest.distance, nearest.point_a, nearest.point_b), (same.distance, same.point_a, same.point_b));
    assert_eq!((nearest.a.entity, nearest.b.entity), (a, b));
    assert_eq!(ask(&mut stage, move |skins| skins.distance(a, b, 1.0).unwrap()), None);
}

#[test]
fn shapes_and_points_meet_the_skin_as_the_run_time_says() {
    let (mut stage, roots, mut world) = tubes(&[0.0, 0.8], &tracked());
    let (center, all) = (Vec3::new(0.5, 2.0, 0.0), QueryFilter::default());
    let mut expected = [const { Vec::new() }; 3];
    world.exact_shape_overlaps(&Sphere::try_new(center, 0.2).unwrap(), &all, &mut expected[0]).unwrap();
    let staff = Capsule::try_new(center, center + Vec3::Y, 0.1).unwrap();
    world.exact_shape_overlaps(&staff, &all, &mut expected[1]).unwrap();
    let block = Obb::from_orientation(center, Vec3::splat(0.3), bevy_math::Quat::IDENTITY);
    world.exact_shape_overlaps(&block, &all, &mut expected[2]).unwrap();
    let shapes = [
        HitboxQueryShape::sphere(center, 0.2).unwrap(),
        HitboxQueryShape::capsule(center, center + Vec3::Y, 0.1).unwrap(),
        HitboxQueryShape::cuboid(Isometry3d::from_translation(center), Vec3::splat(0.3)).unwrap(),
    ];
    for (shape, expected) in shapes.into_iter().zip(expected) {
        let found = ask(&mut stage, move |skins| skins.overlapping(&shape, &HitboxFilter::default()).unwrap());
        let expected: Vec<_> = expected.iter().map(|one| name_of(one.body, one.joint, one.source_triangle)).collect();
        assert_eq!(found, expected);
        assert!(!found.is_empty());
    }
    let inside = |stage: &mut Stage, x| {
        let point = Vec3::new(x, 2.0, 0.1);
        ask(stage, move |skins| skins.containing(point, &HitboxFilter::default()).unwrap())
    };
    assert_eq!(inside(&mut stage, 0.1), [roots[0]]);
    let mut both = roots.clone();
    both.sort_unstable_by_key(|root| root.to_bits());
    assert_eq!(inside(&mut stage, 0.42), both);
    assert!(inside(&mut stage, 5.0).is_empty());
}

#[test]
fn skins_that_are_not_tracked_or_not_baked_are_errors() {
    let (mut stage, roots, _) = tubes(&[0.0, 9.0], &HitboxSettings::default());
    let (a, b) = (roots[0], roots[1]);
    let ray = Ray3d::new(Vec3::new(-3.0, 2.0, 0.0), Dir3::X);
    let error = ask(&mut stage, move |skins| skins.cast_ray(ray, 50.0, &HitboxFilter::default()).unwrap_err());
    assert!(matches!(error, ExactQueryError::Skin { entity, .. } if entity == a), "{error:?}");
    assert!(
        error.to_string().contains("\"tube\" does not track its skin; set `HitboxSettings::track_skin`"),
        "{error}"
    );
    let error = ask(&mut stage, move |skins| skins.distance(a, a, 1.0).unwrap_err());
    assert_eq!(error, ExactQueryError::SameCharacter(a));
    let nobody = stage.world().spawn_empty().id();
    let error = ask(&mut stage, move |skins| skins.distance(a, nobody, 1.0).unwrap_err());
    assert_eq!(error, ExactQueryError::NoHitboxes(nobody));
    let nowhere = Ray3d::new(Vec3::NAN, Dir3::X);
    let error = ask(&mut stage, move |skins| skins.cast_ray(nowhere, 1.0, &HitboxFilter::default()).unwrap_err());
    assert!(matches!(error, ExactQueryError::Shape(_)), "{error:?}");

    // The setting counts from the next pose on, and can be taken back.
    for root in [a, b] {
        stage.world().entity_mut(root).insert(tracked());
    }
    stage.app.update();
    assert!(ask(&mut stage, move |skins| skins.distance(a, b, 50.0)).unwrap().is_some());
    stage.world().entity_mut(a).insert(HitboxSettings::default());
    stage.app.update();
    assert!(ask(&mut stage, move |skins| skins.distance(a, b, 50.0)).is_err());

    let runa = stage.spawn_clip("runa", "idle", Transform::from_xyz(0.0, 0.0, 30.0));
    stage.world().entity_mut(runa).insert(tracked());
    stage.until_bound(&[runa]);
    let failures = stage.sent().failures;
    let error = &failures.iter().find(|failure| failure.entity == runa).expect("a failure").error;
    assert!(matches!(error, HitboxError::Skin(SkinError::NoSkin { .. })), "{error:?}");
    assert!(
        error.to_string().starts_with("`HitboxSettings::track_skin` is set, but \"runa\" was baked without its skin")
    );
}

/// The scene of a character must have the joints that move its skin, also if they have no hitbox.
#[test]
fn joints_that_only_move_the_skin_must_be_in_the_scene() {
    let mut stage = Stage::new();
    let mut baked = baked_tube("tube");
    let fore = baked.boxes.pop().unwrap().joint;
    let character = Character::from_baked(baked);
    let fore_name = character.joint_name(fore).to_owned();
    let handle = stage.world().resource_mut::<Assets<Bonebox>>().add(Bonebox::new(character));
    let root = stage.world().spawn((Name::new("tube"), Hitboxes(handle), Transform::IDENTITY, tracked())).id();
    let joints = spawn_joints(stage.world(), root, &Character::from_baked(baked_tube("tube")));
    let joint = joints[fore.index()];
    stage.world().entity_mut(joint).remove::<Name>();
    stage.until("a failure", |world| world.get::<bevy_bonebox::HitboxBinding>(root).unwrap().problem().is_some());
    let problem = stage.world().get::<bevy_bonebox::HitboxBinding>(root).unwrap().problem().unwrap().to_owned();
    assert!(problem.starts_with(&format!("the scene has no joint {fore_name:?}, which")), "{problem}");
    stage.world().entity_mut(joint).insert(Name::new(fore_name));
    stage.until_bound(&[root]);
    stage.app.update();
    let point = Vec3::new(0.1, 2.8, 0.1);
    assert_eq!(ask(&mut stage, move |skins| skins.containing(point, &HitboxFilter::default()).unwrap()), [root]);
}

/// A file with a skin is read by the loader, too.
#[test]
fn a_skin_of_a_file() {
    let mut stage = Stage::new();
    let bytes = changed("runa", |runa| *runa = baked_tube("runa"));
    stage.folder.insert_asset(std::path::Path::new("runa.bonebox"), bytes);
    let root = stage.spawn_clip("runa", "wave", Transform::IDENTITY);
    stage.world().entity_mut(root).insert(tracked());
    stage.until_bound(&[root]);
    assert!(stage.world().resource::<HitboxBodies>().asset(root).unwrap().character().has_skin());
    assert!(!character("runa").has_skin());
    let ray = Ray3d::new(Vec3::new(-3.0, 1.5, 0.0), Dir3::X);
    assert!(ask(&mut stage, move |skins| skins.cast_ray(ray, 50.0, &HitboxFilter::default()).unwrap()).is_some());
}
