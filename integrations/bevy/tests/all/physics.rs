//! Sensors of physics engines, held against the run time's own answers.

use crate::stage::{Stage, character};
use bevy_app::FixedUpdate;
use bevy_bonebox::bonebox::Obb;
use bevy_bonebox::prelude::*;
use bevy_bonebox::{HitboxBodies, HitboxSensor, HitboxSensors};
use bevy_ecs::prelude::*;
use bevy_math::Quat;
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
            let mut pair = [name(touch.a, touch.box_a), name(touch.b, touch.box_b)];
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

/// What 120 ticks came to.
#[derive(Default, Debug)]
struct Compared {
    /// Ticks in which something touched.
    ticks: usize,
    /// Pairs of hitboxes that touched, over all ticks.
    touches: usize,
    /// The touches that the engine may leave out and did leave out.
    missed: usize,
}

/// Plays 120 ticks and compares what the engine says with the run time. Pairs nearer to contact than `margin` are left out, as are
/// pairs of hitboxes of one character. `may_miss` says which touches the engine is known to leave out.
fn compare(
    stage: &mut Stage,
    margin: f32,
    engine: impl Fn(&mut World) -> Vec<[Entity; 2]>,
    may_miss: impl Fn(&mut Stage, &Pair) -> bool,
) -> Compared {
    let roots = kick(stage);
    let mut compared = Compared::default();
    for tick in 0..120u16 {
        for root in roots {
            stage.world().get_mut::<HitboxPose>(root).unwrap().set_seconds(f32::from(tick) / 60.0);
        }
        stage.app.update();
        let ours = touches(stage);
        let theirs: BTreeSet<Pair> = engine(stage.world())
            .into_iter()
            .filter_map(|pair_of_sensors| {
                let world = stage.world();
                let [a, b] = pair_of_sensors.map(|sensor| world.get::<HitboxSensor>(sensor).unwrap().hitbox.clone());
                (a.entity != b.entity).then(|| pair(&a, &b))
            })
            .collect();
        for differing in ours.symmetric_difference(&theirs) {
            let gap = gap(stage, differing);
            if gap.abs() < margin {
                continue;
            }
            let who = if ours.contains(differing) { "only the run time" } else { "only the engine" };
            let is_known = ours.contains(differing) && may_miss(stage, differing);
            assert!(is_known, "tick {tick}: {who} says that {differing:?} touch; they are {gap} apart");
            compared.missed += 1;
        }
        compared.ticks += usize::from(!ours.is_empty());
        compared.touches += ours.len();
    }
    compared
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

#[cfg(feature = "avian")]
mod avian {
    use super::*;
    use avian3d::collision::collider::contact_query::{contact_manifolds, intersection_test};
    use avian3d::collision::narrow_phase::NarrowPhaseConfig;
    use avian3d::prelude::{Collider, ContactGraph, PhysicsPlugins, Position, Rotation};
    use bevy_bonebox::HitboxAvianPlugin;

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

    /// Whether avian's own contacts of two boxes are none in one of the two orders of the boxes. Contact manifolds leave out some
    /// boxes that overlap where edges cross, and which box is the first depends on avian's threads.
    fn one_order_has_no_contact(stage: &mut Stage, pair: &Pair) -> bool {
        let bodies = stage.world().resource::<HitboxBodies>();
        let [a, b] = pair.map(|(entity, index)| {
            let (_, posed) = bodies.posed(Entity::from_bits(entity)).nth(usize::from(index)).unwrap();
            let size = 2.0 * posed.half_extents;
            (Collider::cuboid(size.x, size.y, size.z), posed.center, Quat::from_mat3(&posed.axes))
        });
        let has_contact = |a: &(Collider, _, _), b: &(Collider, _, _)| {
            let mut manifolds = Vec::new();
            contact_manifolds(&a.0, a.1, a.2, &b.0, b.1, b.2, 0.0, &mut manifolds);
            manifolds.iter().flat_map(|manifold| &manifold.points).any(|point| point.penetration > 0.0)
        };
        !has_contact(&a, &b) || !has_contact(&b, &a)
    }

    #[test]
    fn avian_agrees_with_the_run_time() {
        let mut stage = stage();
        stage.app.insert_resource(NarrowPhaseConfig {
            contact_tolerance: 0.0,
            recycle_distance: 0.0,
            ..NarrowPhaseConfig::default()
        });
        let compared = compare(&mut stage, 1e-4, touching, one_order_has_no_contact);
        assert!(compared.ticks > 10 && 50 * compared.missed <= compared.touches, "{compared:?}");
        assert_in_place(&mut stage);
    }

    /// Compares every hitbox of one with every hitbox of the other, by parry's test of two shapes, which leaves nothing out.
    #[test]
    fn colliders_of_avian_overlap_where_hitboxes_do() {
        let mut stage = stage();
        let [a, b] = kick(&mut stage);
        for seconds in [0.45, 0.5, 0.6] {
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
            stage.world().get_mut::<Transform>(a).unwrap().scale = bevy_math::Vec3::splat(scale);
            stage.app.update();
            let mut sensors = stage.world().query::<(&HitboxSensor, &Collider)>();
            for (sensor, collider) in sensors.iter(stage.app.world()) {
                let half = collider.shape().as_cuboid().unwrap().half_extents;
                let error = (bevy_math::Vec3::new(half.x, half.y, half.z) - sensor.half_extents).abs().max_element();
                assert!(error < 1e-5 * sensor.half_extents.max_element(), "{scale}: {half:?} {sensor:?}");
            }
        }
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
        let compared = compare(&mut stage, 1e-4, touching, |_, _| false);
        assert!(compared.ticks > 10, "{compared:?}");
        assert_in_place(&mut stage);
    }

    #[test]
    fn colliders_of_rapier_have_the_size_of_their_hitboxes() {
        let mut stage = stage();
        let [a, _] = kick(&mut stage);
        for scale in [1.0, 2.5] {
            stage.world().get_mut::<Transform>(a).unwrap().scale = bevy_math::Vec3::splat(scale);
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
    fn sensors_of_rapier_come_and_go() {
        sensors_come_and_go(&mut stage());
    }
}
