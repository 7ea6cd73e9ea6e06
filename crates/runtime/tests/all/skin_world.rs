//! Exact answers of a world against those of each pair of bodies.

use crate::characters::tube;
use baked_characters::baked_tube;
use geometry_core::{Ray, Sphere};
use glam::{Affine3A, Quat, Vec3};
use proptest::prelude::*;
use runtime::kernels::Kernel;
use runtime::{
    BodyId, BodySettings, BodySkinShapeOverlap, Character, CollisionLayers, HitboxWorld, PosedCharacter, QueryFilter,
    SkinCandidates, SkinError, SkinTouch, WorldError, exact_distance, exact_overlap_all,
};
use std::sync::Arc;

fn places() -> impl Strategy<Value = Vec<Affine3A>> {
    let place = (prop::array::uniform3(-1.6f32..1.6), -3f32..3.0);
    let place =
        place.prop_map(|(at, turn)| Affine3A::from_rotation_translation(Quat::from_rotation_z(turn), at.into()));
    prop::collection::vec(place, 2..7)
}

fn world(tube: &Arc<Character>, places: &[Affine3A], kernel: Kernel) -> HitboxWorld {
    let mut world = HitboxWorld::with_kernel(kernel);
    for (id, place) in (0..).zip(places) {
        world.insert(BodyId(id), Arc::clone(tube), BodySettings::default()).unwrap();
        world.track_skin(BodyId(id), true).unwrap();
        world.pose_from_clip(BodyId(id), place, runtime::ClipIndex(0), 0.2 * id as f32).unwrap();
    }
    world.update();
    world
}

/// The bodies' poses as posed characters without a world.
fn bodies(world: &HitboxWorld) -> Vec<PosedCharacter> {
    world.bodies().map(|body| body.posed().clone()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn a_world_finds_what_pairs_of_bodies_find(places in places(), shot in prop::array::uniform3(-1f32..1.0)) {
        let tube = Arc::new(tube("tube"));
        let all = QueryFilter::default();
        let mut expected: Option<Vec<SkinTouch>> = None;
        for kernel in Kernel::available() {
            let mut world = world(&tube, &places, kernel);
            let mut posed = bodies(&world);
            let mut touches = Vec::new();
            world.exact_touches(&all, &mut touches).unwrap();
            #[cfg(feature = "rayon")]
            {
                let mut parallel = Vec::new();
                world.exact_touches_parallel(&all, &mut parallel).unwrap();
                prop_assert_eq!(&parallel, &touches);
            }
            if let Some(expected) = &expected {
                prop_assert_eq!(&touches, expected);
                continue;
            }
            let (mut by_pair, mut found) = (Vec::new(), Vec::new());
            for first in 0..posed.len() {
                for second in first + 1..posed.len() {
                    let (low, high) = posed.split_at_mut(second);
                    exact_overlap_all(&mut low[first], &mut high[0], SkinCandidates::Bounds, &mut found).unwrap();
                    let (a, b) = (BodyId(first as u64), BodyId(second as u64));
                    by_pair.extend(found.iter().map(|&answer| SkinTouch { body_a: a, body_b: b, answer }));
                    let distance = exact_distance(&mut low[first], &mut high[0], None).unwrap();
                    prop_assert_eq!(world.exact_distance(a, b, None).unwrap(), distance);
                }
            }
            prop_assert_eq!(&touches, &by_pair);
            expected = Some(touches);

            let ray = Ray::try_new(Vec3::new(4.0, 1.0, 3.0), Vec3::from_array(shot) - Vec3::new(4.0, -1.0, 3.0)).unwrap();
            let hits = posed.iter_mut().zip(0..).filter_map(|(posed, id)| Some((posed.exact_ray(&ray, None).unwrap()?, id)));
            let first = hits.min_by(|one, other| one.0.time.total_cmp(&other.0.time).then(one.1.cmp(&other.1)));
            let hit = world.exact_ray(&ray, None, &all).unwrap();
            prop_assert_eq!(hit.map(|hit| (hit.answer, hit.body.0)), first);

            let ball = Sphere::try_new(Vec3::from_array(shot) + Vec3::Y, 0.4).unwrap();
            let mut by_body = Vec::new();
            for (posed, id) in posed.iter_mut().zip(0..) {
                let mut found = Vec::new();
                posed.exact_shape_overlaps(&ball, &mut found).unwrap();
                let body = BodyId(id);
                by_body.extend(found.iter().map(|&answer| BodySkinShapeOverlap { body, answer }));
            }
            let mut found = Vec::new();
            world.exact_shape_overlaps(&ball, &all, &mut found).unwrap();
            prop_assert_eq!(&found, &by_body);
            let mut inside = Vec::new();
            world.bodies_containing(ball.center(), &all, &mut inside).unwrap();
            let by_body = posed.iter_mut().zip(0..).filter_map(|(posed, id)| posed.skin_contains(ball.center()).unwrap().then_some(BodyId(id)));
            prop_assert_eq!(inside, by_body.collect::<Vec<_>>());
        }
    }
}

#[test]
fn filters_and_layers_choose_joints() {
    let tube = Arc::new(tube("tube"));
    let mut world = world(&tube, &[Affine3A::IDENTITY, Affine3A::from_translation(Vec3::X * 0.5)], Kernel::best());
    let count = |world: &mut HitboxWorld, filter: &QueryFilter<'_>| {
        let mut found = Vec::new();
        world.exact_touches(filter, &mut found).unwrap();
        found.len()
    };
    let every = count(&mut world, &QueryFilter::default());
    assert!(every >= 2);
    assert_eq!(count(&mut world, &QueryFilter::excluding(&[BodyId(1)])), 0);
    assert_eq!(count(&mut world, &QueryFilter { tags: &["leg"], ..QueryFilter::default() }), 0);
    let fore = tube.boxes_of_joint(tube.skeleton().find("fore").unwrap());
    world.set_box_layers(BodyId(0), &fore, CollisionLayers::NONE).unwrap();
    world.update();
    let fewer = count(&mut world, &QueryFilter::default());
    assert!(fewer > 0 && fewer < every, "{fewer} of {every}");
}

/// The union of the layers of all hitboxes interacts with the filter's layers, but no hitbox does.
#[test]
fn a_body_contains_a_point_only_if_the_filter_admits_a_hitbox() {
    let tube = Arc::new(tube("tube"));
    let mut world = world(&tube, &[Affine3A::IDENTITY], Kernel::best());
    let [upper, fore] = ["upper", "fore"].map(|name| tube.boxes_of_joint(tube.skeleton().find(name).unwrap()));
    world.set_box_layers(BodyId(0), &upper, CollisionLayers { memberships: 1, mask: 0 }).unwrap();
    world.set_box_layers(BodyId(0), &fore, CollisionLayers { memberships: 0, mask: 1 }).unwrap();
    let both = CollisionLayers { memberships: 1, mask: 1 };
    let filters = [
        (1, QueryFilter::default()),
        (0, QueryFilter { layers: Some(both), ..QueryFilter::default() }),
        (1, QueryFilter { layers: Some(CollisionLayers { memberships: 0, ..both }), ..QueryFilter::default() }),
        (1, QueryFilter { tags: &["arm"], ..QueryFilter::default() }),
        (0, QueryFilter { tags: &["leg"], ..QueryFilter::default() }),
        (0, QueryFilter { predicate: Some(&|_, _| false), ..QueryFilter::default() }),
    ];
    for (count, filter) in filters {
        let mut found = Vec::new();
        world.bodies_containing(Vec3::Y * 2.0, &filter, &mut found).unwrap();
        assert_eq!(found.len(), count, "{filter:?}");
    }
}

#[test]
fn a_body_without_its_skin_is_an_error_where_it_matters() {
    let tube = Arc::new(tube("tube"));
    let mut baked = baked_tube("plain");
    baked.skin = None;
    let plain = Arc::new(Character::from_baked(baked));
    let mut world = world(&tube, &[Affine3A::IDENTITY], Kernel::best());
    world.insert(BodyId(7), plain, BodySettings::default()).unwrap();
    let refused = world.track_skin(BodyId(7), true);
    assert!(matches!(refused, Err(WorldError::Skin { id: BodyId(7), error: SkinError::NoSkin { .. } })), "{refused:?}");
    world.pose_from_rest(BodyId(7), &Affine3A::from_translation(Vec3::X * 0.2)).unwrap();
    world.update();
    let mut found = Vec::new();
    let all = QueryFilter::default();
    assert!(world.exact_touches(&all, &mut found).is_err());
    assert_eq!(world.exact_touches(&QueryFilter::excluding(&[BodyId(7)]), &mut found), Ok(()));
    let ray = Ray::try_new(Vec3::new(9.0, 1.5, 0.0), Vec3::NEG_X).unwrap();
    assert!(world.exact_ray(&ray, None, &all).is_err());
    assert!(world.exact_ray(&ray, None, &QueryFilter::excluding(&[BodyId(7)])).unwrap().is_some());
    assert_eq!(world.exact_distance(BodyId(0), BodyId(0), None), Err(WorldError::SameBody(BodyId(0))));
    world.pose_from_rest(BodyId(7), &Affine3A::from_translation(Vec3::X * 90.0)).unwrap();
    world.update();
    assert_eq!(world.exact_touches(&all, &mut found), Ok(()), "far away it does not matter");
}

#[test]
fn continuous_bodies_keep_their_skin() {
    let tube = Arc::new(tube("tube"));
    let mut world = HitboxWorld::new();
    let settings = BodySettings { continuous: true, ..BodySettings::default() };
    world.insert(BodyId(0), Arc::clone(&tube), settings).unwrap();
    world.track_skin(BodyId(0), true).unwrap();
    for step in 0..5u8 {
        world.pose_from_rest(BodyId(0), &Affine3A::from_translation(Vec3::X * f32::from(step))).unwrap();
        world.update();
        let ray = Ray::try_new(Vec3::new(9.0, 1.5, 0.1), Vec3::NEG_X).unwrap();
        let hit = world.exact_ray(&ray, None, &QueryFilter::default()).unwrap().unwrap();
        assert!((hit.point.x - f32::from(step) - 0.5).abs() < 0.05, "{hit:?}");
    }
}
