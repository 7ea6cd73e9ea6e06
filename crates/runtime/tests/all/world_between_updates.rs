//! Queries between updates do not find removed bodies, and find inserted and moved bodies at their present places.

use crate::characters::arm;
use geometry_core::{Obb, Ray, Sphere};
use glam::{Affine3A, Quat, Vec3};
use proptest::prelude::*;
use runtime::{BodyId, BodySettings, Character, HitboxWorld, QueryFilter, TouchPhase};
use std::sync::Arc;

fn at(x: f32) -> Affine3A {
    Affine3A::from_translation(Vec3::X * x)
}

fn insert(world: &mut HitboxWorld, arm: &Arc<Character>, id: u64, x: f32) {
    let settings = BodySettings { continuous: id.is_multiple_of(2), ..BodySettings::default() };
    world.insert(BodyId(id), Arc::clone(arm), settings).unwrap();
    world.pose_from_rest(BodyId(id), &at(x)).unwrap();
}

/// The bodies along the row that rays, shapes and box casts find, which must agree.
fn found(world: &HitboxWorld) -> Vec<u64> {
    let all = QueryFilter::default();
    let ray = Ray::try_new(Vec3::new(-1000.0, 1.5, 0.0), Vec3::X).unwrap();
    let mut hits = Vec::new();
    world.cast_ray_all(&ray, None, &all, &mut hits);
    assert_eq!(world.cast_ray(&ray, None, &all), hits.first().copied());
    assert_eq!(world.cast_ray_any(&ray, None, &all), !hits.is_empty());
    let mut bodies: Vec<u64> = hits.iter().map(|hit| hit.body.0).collect();
    bodies.sort_unstable();
    let ball = Sphere::try_new(Vec3::Y * 1.5, 2000.0).unwrap();
    let mut boxes = Vec::new();
    world.overlapping_boxes(&ball, &all, &mut boxes);
    boxes.dedup_by_key(|one| one.body);
    assert_eq!(boxes.iter().map(|one| one.body.0).collect::<Vec<_>>(), bodies);
    let blade = |x| Obb::from_orientation(Vec3::new(x, 1.5, 0.0), Vec3::splat(0.1), Quat::IDENTITY);
    let mut casts = Vec::new();
    world.cast_shape_all(&blade(-1000.0), &blade(1000.0), None, &all, &mut casts);
    let mut cast: Vec<u64> = casts.iter().map(|hit| hit.body.0).collect();
    cast.sort_unstable();
    cast.dedup();
    assert_eq!(cast, bodies);
    bodies
}

#[test]
fn a_removal_in_the_middle_of_a_tick_does_not_blind_the_world() {
    let arm = Arc::new(arm("arm"));
    let mut world = HitboxWorld::new();
    (0..40).for_each(|id| insert(&mut world, &arm, id, id as f32));
    world.update();
    world.remove(BodyId(7)).unwrap();
    assert_eq!(found(&world), (0..40).filter(|&id| id != 7).collect::<Vec<_>>());
    assert!(world.touches().iter().all(|touch| touch.body_a != BodyId(7) && touch.body_b != BodyId(7)));
}

#[test]
fn inserted_and_moved_bodies_are_found_where_they_are() {
    let arm = Arc::new(arm("arm"));
    let mut world = HitboxWorld::new();
    insert(&mut world, &arm, 5, 0.0);
    assert_eq!(found(&world), [5], "before any update");
    world.update();
    insert(&mut world, &arm, 3, 50.0);
    assert_eq!(found(&world), [3, 5]);
    let shot = Ray::try_new(Vec3::new(80.0, 1.5, 10.0), Vec3::NEG_X).unwrap();
    assert!(!world.cast_ray_any(&shot, None, &QueryFilter::default()));
    world.pose_from_rest(BodyId(5), &Affine3A::from_translation(Vec3::new(70.0, 0.0, 10.0))).unwrap();
    assert_eq!(world.cast_ray(&shot, None, &QueryFilter::default()).unwrap().body, BodyId(5));
}

#[test]
fn another_body_under_an_old_id_ends_the_old_touches() {
    let arm = Arc::new(arm("arm"));
    let mut world = HitboxWorld::new();
    insert(&mut world, &arm, 1, 0.0);
    insert(&mut world, &arm, 2, 0.5);
    world.update();
    assert_eq!(world.touches().len(), 4);
    world.remove(BodyId(2)).unwrap();
    insert(&mut world, &arm, 2, 0.5);
    world.update();
    let phases: Vec<_> = world.events().iter().map(|event| event.phase).collect();
    assert_eq!(phases, [TouchPhase::Ended, TouchPhase::Started].repeat(4));
    assert!(world.events().chunks(2).all(|pair| pair[0].touch == pair[1].touch));
    world.update();
    assert!(world.events().iter().all(|event| event.phase == TouchPhase::Persisted));
}

#[test]
fn bodies_without_a_pose_are_named_and_not_found() {
    let arm = Arc::new(arm("arm"));
    let mut world = HitboxWorld::new();
    (0..3).for_each(|id| insert(&mut world, &arm, id, id as f32));
    world.insert(BodyId(9), Arc::clone(&arm), BodySettings::default()).unwrap();
    world.pose_from_rest(BodyId(1), &Affine3A::NAN).unwrap_err();
    let unposed: Vec<_> = world.unposed_bodies().map(|body| body.id().0).collect();
    assert_eq!((unposed, found(&world)), (vec![1, 9], vec![0, 2]));
}

/// The sweeps of a world whose bodies move.
fn sweeps(world: &HitboxWorld) -> Vec<runtime::BodySweepHit> {
    let mut hits = Vec::new();
    world.sweep_all(None, &QueryFilter::default(), &mut hits);
    hits
}

#[test]
fn sweeps_use_new_settings_at_once() {
    let arm = Arc::new(arm("arm"));
    let (mut world, team) = (HitboxWorld::new(), |team| BodySettings { team, continuous: true, ..Default::default() });
    for id in [0, 1, 2] {
        world.insert(BodyId(id), Arc::clone(&arm), team(Some(7))).unwrap();
        world.pose_from_rest(BodyId(id), &at(0.5 * id as f32)).unwrap();
    }
    world.update();
    for id in [0, 1, 2] {
        world.pose_from_rest(BodyId(id), &at(0.4 * id as f32)).unwrap();
    }
    world.update();
    assert_eq!(sweeps(&world), []);
    world.set_settings(BodyId(1), team(None)).unwrap();
    let of_one = sweeps(&world);
    assert!(!of_one.is_empty() && of_one.iter().all(|hit| [hit.body_a, hit.body_b].contains(&BodyId(1))));
    world.set_boxes_enabled(BodyId(2), &arm.all_boxes(), false).unwrap();
    assert!(sweeps(&world).iter().all(|hit| hit.body_b == BodyId(1)));
    world.set_boxes_enabled(BodyId(2), &arm.all_boxes(), true).unwrap();
    assert_eq!(sweeps(&world), of_one);
    world.set_settings(BodyId(1), team(Some(7))).unwrap();
    assert_eq!(sweeps(&world), []);
}

#[test]
fn exact_touches_are_about_the_current_poses_and_settings() {
    let tube = Arc::new(crate::characters::tube("tube"));
    let mut world = HitboxWorld::new();
    let touching = |world: &mut HitboxWorld| {
        let mut found = Vec::new();
        world.exact_touches(&QueryFilter::default(), &mut found).unwrap();
        #[cfg(feature = "rayon")]
        {
            let mut parallel = Vec::new();
            world.exact_touches_parallel(&QueryFilter::default(), &mut parallel).unwrap();
            assert_eq!(parallel, found);
        }
        found.dedup_by_key(|touch| (touch.body_a, touch.body_b));
        found.iter().map(|touch| (touch.body_a.0, touch.body_b.0)).collect::<Vec<_>>()
    };
    for id in [0, 1, 2] {
        world.insert(BodyId(id), Arc::clone(&tube), BodySettings::default()).unwrap();
        world.track_skin(BodyId(id), true).unwrap();
        world.pose_from_rest(BodyId(id), &at(if id == 2 { 60.0 } else { 0.5 * id as f32 })).unwrap();
    }
    assert_eq!(touching(&mut world), [(0, 1)], "before any update");
    world.update();
    world.pose_from_rest(BodyId(2), &at(1.2)).unwrap();
    assert_eq!(touching(&mut world), [(0, 1), (1, 2)]);
    let alone = BodySettings { layers: runtime::CollisionLayers::NONE, ..BodySettings::default() };
    world.set_settings(BodyId(0), alone).unwrap();
    assert_eq!(touching(&mut world), [(1, 2)]);
    world.set_settings(BodyId(0), BodySettings::default()).unwrap();
    world.track_skin(BodyId(2), false).unwrap();
    assert!(world.exact_touches(&QueryFilter::default(), &mut Vec::new()).is_err());
    world.remove(BodyId(2)).unwrap();
    assert_eq!(touching(&mut world), [(0, 1)]);
    world.pose_from_rest(BodyId(1), &at(60.0)).unwrap();
    assert_eq!(touching(&mut world), []);
    // The touches of hitboxes are those of the last update.
    assert!(!world.touches().is_empty());
    world.update();
    assert!(world.touches().is_empty());
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Insert(u64, f32),
    Remove(u64),
    Pose(u64, f32),
    Refuse(u64),
    Update,
}

fn step() -> impl Strategy<Value = Step> {
    let (id, x) = (0u64..24, -100f32..100.0);
    prop_oneof![
        4 => (id.clone(), x.clone()).prop_map(|(id, x)| Step::Insert(id, x)),
        2 => id.clone().prop_map(Step::Remove),
        4 => (id.clone(), x).prop_map(|(id, x)| Step::Pose(id, x)),
        1 => id.prop_map(Step::Refuse),
        1 => Just(Step::Update),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// After any changes in any order, queries find the present poses, and sweeps before an update find the same hits
    /// as after it.
    #[test]
    fn queries_find_the_present_poses(steps in prop::collection::vec(step(), 0..80)) {
        let arm = Arc::new(arm("arm"));
        let mut world = HitboxWorld::new();
        let mut expected = std::collections::BTreeMap::new();
        for step in steps {
            match step {
                Step::Insert(id, x) => {
                    expected.entry(id).or_insert_with(|| {
                        insert(&mut world, &arm, id, x);
                        true
                    });
                }
                Step::Remove(id) => prop_assert_eq!(world.remove(BodyId(id)).is_ok(), expected.remove(&id).is_some()),
                Step::Pose(id, x) => {
                    if let Some(posed) = expected.get_mut(&id) {
                        world.pose_from_rest(BodyId(id), &at(x)).unwrap();
                        *posed = true;
                    }
                }
                Step::Refuse(id) => {
                    if let Some(posed) = expected.get_mut(&id) {
                        world.pose_from_rest(BodyId(id), &Affine3A::NAN).unwrap_err();
                        *posed = false;
                    }
                }
                Step::Update => world.update(),
            }
            let posed: Vec<u64> = expected.iter().filter(|(_, posed)| **posed).map(|(id, _)| *id).collect();
            let along_the_row = found(&world);
            prop_assert_eq!(along_the_row, posed);
        }
        // All bodies move once more: the hits on the way do not depend on whether an update has prepared the pairs.
        for (&id, _) in expected.iter().filter(|(_, posed)| **posed) {
            world.pose_from_rest(BodyId(id), &at(3.0 * id as f32 - 30.0)).unwrap();
        }
        let (mut before, mut after) = (Vec::new(), Vec::new());
        world.sweep_all(None, &QueryFilter::default(), &mut before);
        world.update();
        world.sweep_all(None, &QueryFilter::default(), &mut after);
        prop_assert_eq!(before, after);
    }
}
