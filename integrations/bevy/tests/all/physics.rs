//! Sensors of physics engines, held against the run time's own answers.

use crate::stage::{Stage, character};
use bevy_app::FixedUpdate;
use bevy_bonebox::bonebox::{BoxIndex, HitboxShape, Obb};
use bevy_bonebox::prelude::*;
use bevy_bonebox::{HitboxBodies, HitboxSensor, HitboxSensors};
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;
use std::collections::BTreeSet;

/// Two hitboxes of two characters, by entity and index; the lesser first.
type Pair = [(u64, u16); 2];

fn pair(a: &HitboxRef, b: &HitboxRef) -> Pair {
    let mut pair = [(a.entity.to_bits(), a.box_index), (b.entity.to_bits(), b.box_index)];
    pair.sort_unstable();
    pair
}

/// The two boxes are that far apart; less than 0 where they overlap.
fn gap(stage: &mut Stage, pair: &Pair) -> f32 {
    let [a, b] = pair.map(|(entity, index)| -> Obb {
        let bodies = stage.world().resource::<HitboxBodies>();
        bodies.posed(Entity::from_bits(entity)).nth(usize::from(index)).unwrap().1.obb()
    });
    a.separation(&b).gap
}

fn touches(stage: &mut Stage) -> BTreeSet<Pair> {
    let bodies = stage.world().resource::<HitboxBodies>();
    let name = |body: bevy_bonebox::bonebox::BodyId, index: bevy_bonebox::bonebox::BoxIndex| (body.0, index.0);
    let touches = bodies.world().touches().iter();
    touches
        .map(|touch| {
            let mut pair = [name(touch.body_a, touch.box_a), name(touch.body_b, touch.box_b)];
            pair.sort_unstable();
            pair
        })
        .collect()
}

/// Runa kicks Bruno, who stands opposite.
fn kick(stage: &mut Stage) -> [Entity; 2] {
    let a = stage.spawn_clip("runa", "roundhouse_kick", Transform::IDENTITY);
    let turned = Transform::from_xyz(0.0, 0.0, 1.0).with_rotation(Quat::from_xyzw(0.0, 1.0, 0.0, 0.0));
    let b = stage.spawn_clip("bruno", "guard", turned);
    for root in [a, b] {
        stage.world().entity_mut(root).insert(HitboxSensors::default());
    }
    stage.until_bound(&[a, b]);
    [a, b]
}

/// The pairs of hitboxes of two characters that an engine says touch.
fn pairs_of_sensors(stage: &mut Stage, engine: impl Fn(&mut World) -> Vec<[Entity; 2]>) -> BTreeSet<Pair> {
    let sensors = engine(stage.world());
    let pairs = sensors.into_iter().filter_map(|pair_of_sensors| {
        let world = stage.world();
        let [a, b] = pair_of_sensors.map(|sensor| world.get::<HitboxSensor>(sensor).unwrap().hitbox.clone());
        (a.entity != b.entity).then(|| pair(&a, &b))
    });
    pairs.collect()
}

/// Plays 120 ticks and compares what the engine says with the run time. Pairs nearer to contact than `margin` are left out, as are
/// pairs of hitboxes of one character. Answers how many ticks had touches.
fn compare(stage: &mut Stage, margin: f32, engine: impl Fn(&mut World) -> Vec<[Entity; 2]>) -> usize {
    let roots = kick(stage);
    let mut ticks = 0;
    for tick in 0..120u16 {
        for root in roots {
            stage.world().get_mut::<HitboxPose>(root).unwrap().set_seconds(f64::from(tick) / 60.0);
        }
        stage.app.update();
        let ours = touches(stage);
        let theirs = pairs_of_sensors(stage, &engine);
        for differing in ours.symmetric_difference(&theirs) {
            let gap = gap(stage, differing);
            let who = if ours.contains(differing) { "only the run time" } else { "only the engine" };
            assert!(gap.abs() < margin, "tick {tick}: {who} says that {differing:?} touch; they are {gap} apart");
        }
        ticks += usize::from(!ours.is_empty());
    }
    ticks
}

/// Each sensor stands where its hitbox is.
fn assert_in_place(stage: &mut Stage) {
    let mut sensors = stage.world().query::<(&HitboxSensor, &Transform)>();
    let sensors: Vec<_> = sensors.iter(stage.app.world()).map(|(sensor, place)| (sensor.clone(), *place)).collect();
    assert!(!sensors.is_empty());
    for (sensor, place) in sensors {
        let bodies = stage.world().resource::<HitboxBodies>();
        let (_, posed) = bodies.posed(sensor.hitbox.entity).nth(usize::from(sensor.hitbox.box_index)).unwrap();
        assert!((place.translation - posed.center).length() < 1e-5);
        let axes = bevy_math::Mat3::from_quat(place.rotation);
        assert!(axes.abs_diff_eq(posed.axes, 1e-5), "{axes:?} {:?}", posed.axes);
        assert_eq!(sensor.half_extents, posed.half_extents);
    }
}

fn sensors_come_and_go(stage: &mut Stage) {
    let [a, b] = kick(stage);
    let count = |stage: &mut Stage| {
        stage.app.update();
        stage.app.update();
        let mut sensors = stage.world().query::<&HitboxSensor>();
        sensors.iter(stage.app.world()).count()
    };
    let boxes = character("runa").box_count() + character("bruno").box_count();
    assert_eq!(count(stage), boxes);
    stage.world().entity_mut(a).insert(HitboxSensors::tagged(["head", "hand.left"]));
    let runa = character("runa");
    let wanted =
        runa.hitboxes().filter(|hitbox| hitbox.tags.iter().any(|tag| tag == "head" || tag == "hand.left")).count();
    assert_eq!(count(stage), wanted + character("bruno").box_count());
    stage.world().entity_mut(b).remove::<HitboxSensors>();
    assert_eq!(count(stage), wanted);
    stage.world().entity_mut(a).despawn();
    assert_eq!(count(stage), 0);
}

/// Two characters of whom Runa's hitboxes are balls and capsules by turns.
fn kick_by_round_hitboxes(stage: &mut Stage) {
    let bytes = crate::stage::changed("runa", |baked| {
        for (number, hitbox) in baked.boxes.iter_mut().enumerate() {
            let radius = hitbox.half_extents.max_element();
            let (shape, half_extents) = match number % 2 {
                0 => (HitboxShape::Sphere, Vec3::splat(radius)),
                _ => (HitboxShape::Capsule, Vec3::new(radius, 1.5 * radius, radius)),
            };
            (hitbox.shape, hitbox.half_extents) = (shape, half_extents);
        }
    });
    stage.folder.insert_asset(std::path::Path::new("runa.bonebox"), bytes);
    kick(stage);
    stage.app.update();
}

/// Checks that the collider of a hull has the corners of the hull that the run time tests, also where a scale changes or mirrors
/// the character. `plugin_points` returns each sensor with the corners of its collider, `None` if the collider is no polyhedron.
fn assert_hulls(stage: &mut Stage, plugin_points: impl Fn(&mut World) -> Vec<(HitboxSensor, Option<Vec<Vec3>>)>) {
    stage.folder.insert_asset(std::path::Path::new("runa.bonebox"), crate::stage::with_hulls("runa"));
    let [a, _] = kick(stage);
    for scale in [Vec3::ONE, Vec3::splat(2.5), Vec3::new(-1.0, 1.0, 1.0)] {
        stage.world().get_mut::<Transform>(a).unwrap().scale = scale;
        stage.app.update();
        let sensors = plugin_points(stage.world());
        let bodies = stage.world().resource::<HitboxBodies>();
        let mut hulls = 0;
        for (sensor, points) in sensors {
            let body = bodies.world().body(bodies.body_id(sensor.hitbox.entity).unwrap()).unwrap();
            let hull = body.posed().posed_hull(BoxIndex(sensor.hitbox.box_index));
            assert_eq!(hull.is_some(), points.is_some(), "{sensor:?}");
            let (Some(hull), Some(points)) = (hull, points) else { continue };
            hulls += 1;
            assert_eq!(points.len(), hull.corners().len());
            for corner in hull.corners() {
                let placed = points.iter().map(|&point| sensor.center + sensor.rotation * point);
                let nearest = placed.map(|point| (point - corner).length()).fold(f32::INFINITY, f32::min);
                assert!(nearest < 1e-5, "{scale}: {corner} is {nearest} from the collider of {sensor:?}");
            }
        }
        assert_eq!(hulls, character("runa").box_count());
    }
}

#[cfg(feature = "avian")]
mod avian {
    use super::*;
    use avian3d::collision::collider::contact_query::intersection_test;
    use avian3d::collision::narrow_phase::NarrowPhaseConfig;
    use avian3d::prelude::{Collider, ContactGraph, PhysicsPlugins, Position, Rotation};
    use bevy_bonebox::HitboxAvianPlugin;
    use std::collections::BTreeMap;

    fn stage() -> Stage {
        let mut stage = Stage::with(BoneboxPlugin::in_schedule(FixedUpdate));
        stage.app.add_plugins((PhysicsPlugins::default(), HitboxAvianPlugin::default()));
        stage.app.finish();
        stage.app.cleanup();
        stage
    }

    fn touching(world: &mut World) -> Vec<[Entity; 2]> {
        let graph = world.resource::<ContactGraph>();
        graph.iter_active_touching().map(|contact| [contact.collider1, contact.collider2]).collect()
    }

    /// Avian's contacts of single pairs were a tick early or late in some runs, so that this compares the duel as a whole.
    #[test]
    fn contacts_of_avian_report_all_hitboxes_that_touch_for_some_ticks() {
        let mut stage = stage();
        stage.app.insert_resource(NarrowPhaseConfig {
            contact_tolerance: 0.0,
            recycle_distance: 0.0,
            ..NarrowPhaseConfig::default()
        });
        let roots = kick(&mut stage);
        let (mut ours, mut theirs) = (BTreeMap::new(), BTreeSet::new());
        for tick in 0..60u16 {
            for root in roots {
                stage.world().get_mut::<HitboxPose>(root).unwrap().set_seconds(f64::from(tick) / 60.0);
            }
            stage.app.update();
            touches(&mut stage).into_iter().for_each(|pair| *ours.entry(pair).or_insert(0) += 1);
            theirs.extend(pairs_of_sensors(&mut stage, touching));
        }
        let held: BTreeSet<Pair> = ours.iter().filter(|(_, ticks)| **ticks >= 3).map(|(pair, _)| *pair).collect();
        assert!(held.len() >= 3 && held.is_subset(&theirs), "{held:?} {theirs:?}");
        assert_in_place(&mut stage);
    }

    /// Compares every hitbox of one with every hitbox of the other, by parry's test of two shapes, which leaves nothing out.
    #[test]
    fn colliders_of_avian_overlap_where_hitboxes_do() {
        let mut stage = stage();
        let [a, b] = kick(&mut stage);
        for seconds in [0.42, 0.45, 0.5, 0.52, 0.6] {
            for root in [a, b] {
                stage.world().get_mut::<HitboxPose>(root).unwrap().set_seconds(seconds);
            }
            stage.app.update();
            let touches = touches(&mut stage);
            assert!(!touches.is_empty());
            let mut sensors = stage.world().query::<(&HitboxSensor, &Collider, &Position, &Rotation)>();
            let mut of = |root| {
                let all = sensors.iter(stage.app.world());
                let own = all.filter(|(sensor, ..)| sensor.hitbox.entity == root);
                own.map(|(sensor, shape, place, turn)| (sensor.hitbox.clone(), shape.clone(), *place, *turn))
                    .collect::<Vec<_>>()
            };
            let both = [a, b].map(&mut of);
            for (one, shape, place, turn) in &both[0] {
                for (other, other_shape, other_place, other_turn) in &both[1] {
                    let theirs =
                        intersection_test(shape, place.0, *turn, other_shape, other_place.0, *other_turn).unwrap();
                    let pair = pair(one, other);
                    assert!(theirs == touches.contains(&pair) || gap(&mut stage, &pair).abs() < 1e-4, "{pair:?}");
                }
            }
        }
    }

    #[test]
    fn colliders_of_avian_have_the_size_of_their_hitboxes() {
        let mut stage = stage();
        let [a, _] = kick(&mut stage);
        for scale in [1.0, 2.5] {
            stage.world().get_mut::<Transform>(a).unwrap().scale = Vec3::splat(scale);
            stage.app.update();
            let mut sensors = stage.world().query::<(&HitboxSensor, &Collider)>();
            for (sensor, collider) in sensors.iter(stage.app.world()) {
                let half = collider.shape().as_cuboid().unwrap().half_extents;
                let error = (Vec3::new(half.x, half.y, half.z) - sensor.half_extents).abs().max_element();
                assert!(error < 1e-5 * sensor.half_extents.max_element(), "{scale}: {half:?} {sensor:?}");
            }
        }
    }

    #[test]
    fn round_hitboxes_are_balls_and_capsules_of_avian() {
        let mut stage = stage();
        kick_by_round_hitboxes(&mut stage);
        let mut sensors = stage.world().query::<(&HitboxSensor, &Collider)>();
        let mut found = [0; 3];
        for (sensor, collider) in sensors.iter(stage.app.world()) {
            let half = sensor.half_extents;
            match sensor.shape {
                HitboxShape::Box | HitboxShape::Hull => found[0] += usize::from(collider.shape().as_cuboid().is_some()),
                HitboxShape::Sphere => {
                    found[1] += 1;
                    assert_eq!(collider.shape().as_ball().unwrap().radius, half.x);
                }
                HitboxShape::Capsule => {
                    found[2] += 1;
                    let capsule = collider.shape().as_capsule().unwrap();
                    assert_eq!(capsule.radius, half.x);
                    assert!((capsule.half_height() - (half.y - half.x)).abs() < 1e-6 * half.y);
                    assert!(capsule.segment.a.x == 0.0 && capsule.segment.a.z == 0.0);
                }
            }
        }
        assert_eq!(found, [52, 26, 26]);
    }

    #[test]
    fn hull_hitboxes_are_convex_polyhedra_of_avian() {
        assert_hulls(&mut stage(), |world| {
            let mut sensors = world.query::<(&HitboxSensor, &Collider)>();
            let points = |collider: &Collider| Some(collider.shape().as_convex_polyhedron()?.points().to_vec());
            sensors.iter(world).map(|(sensor, collider)| (sensor.clone(), points(collider))).collect()
        });
    }

    #[test]
    fn sensors_of_avian_come_and_go() {
        sensors_come_and_go(&mut stage());
    }
}

#[cfg(feature = "rapier")]
mod rapier {
    use super::*;
    use bevy_bonebox::HitboxRapierPlugin;
    use bevy_rapier3d::prelude::{
        Collider, NoUserData, RapierContextColliders, RapierContextSimulation, RapierPhysicsPlugin, TimestepMode,
    };

    fn stage() -> Stage {
        let mut stage = Stage::with(BoneboxPlugin::in_schedule(FixedUpdate));
        stage.app.insert_resource(TimestepMode::Fixed { dt: 1.0 / 64.0, substeps: 1 });
        stage.app.add_plugins((
            RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule(),
            HitboxRapierPlugin::in_schedule(FixedUpdate),
        ));
        stage.app.finish();
        stage.app.cleanup();
        stage
    }

    fn touching(world: &mut World) -> Vec<[Entity; 2]> {
        let mut contexts = world.query::<(&RapierContextSimulation, &RapierContextColliders)>();
        let (simulation, colliders) = contexts.single(world).unwrap();
        let pairs = simulation.intersection_pairs(colliders);
        pairs.filter(|(.., touch)| *touch).map(|(a, b, _)| [a, b]).collect()
    }

    #[test]
    fn rapier_agrees_with_the_run_time() {
        let mut stage = stage();
        assert!(compare(&mut stage, 1e-4, touching) > 10);
        assert_in_place(&mut stage);
    }

    #[test]
    fn colliders_of_rapier_have_the_size_of_their_hitboxes() {
        let mut stage = stage();
        let [a, _] = kick(&mut stage);
        for scale in [1.0, 2.5] {
            stage.world().get_mut::<Transform>(a).unwrap().scale = Vec3::splat(scale);
            stage.app.update();
            let mut sensors = stage.world().query::<(&HitboxSensor, &Collider)>();
            for (sensor, collider) in sensors.iter(stage.app.world()) {
                let half = collider.as_cuboid().unwrap().half_extents();
                let error = (half - sensor.half_extents).abs().max_element();
                assert!(error < 1e-5 * sensor.half_extents.max_element(), "{scale}: {half:?} {sensor:?}");
            }
        }
    }

    #[test]
    fn round_hitboxes_are_balls_and_capsules_of_rapier() {
        let mut stage = stage();
        kick_by_round_hitboxes(&mut stage);
        let mut sensors = stage.world().query::<(&HitboxSensor, &Collider)>();
        let mut found = [0; 3];
        for (sensor, collider) in sensors.iter(stage.app.world()) {
            let half = sensor.half_extents;
            match sensor.shape {
                HitboxShape::Box | HitboxShape::Hull => found[0] += usize::from(collider.as_cuboid().is_some()),
                HitboxShape::Sphere => {
                    found[1] += 1;
                    assert_eq!(collider.as_ball().unwrap().radius(), half.x);
                }
                HitboxShape::Capsule => {
                    found[2] += 1;
                    let capsule = collider.as_capsule().unwrap();
                    assert_eq!(capsule.radius(), half.x);
                    assert!((capsule.half_height() - (half.y - half.x)).abs() < 1e-6 * half.y);
                    assert!(capsule.segment().a().x == 0.0 && capsule.segment().a().z == 0.0);
                }
            }
        }
        assert_eq!(found, [52, 26, 26]);
    }

    #[test]
    fn hull_hitboxes_are_convex_polyhedra_of_rapier() {
        assert_hulls(&mut stage(), |world| {
            let mut sensors = world.query::<(&HitboxSensor, &Collider)>();
            let points = |collider: &Collider| Some(collider.as_convex_polyhedron()?.points().collect());
            sensors.iter(world).map(|(sensor, collider)| (sensor.clone(), points(collider))).collect()
        });
    }

    #[test]
    fn sensors_of_rapier_come_and_go() {
        sensors_come_and_go(&mut stage());
    }
}
