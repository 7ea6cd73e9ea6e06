//! Measures the time of whole crowds in rapier3d and in bonebox's `HitboxWorld`, in one run: `cargo xtask bench rapier`.
//!
//! The scenes are those of the bench `crowd` of `runtime`, including posing. rapier has one kinematic body per
//! character with 24 cuboid sensors. The bench sets their poses each tick and runs rapier's collision pipeline (broad
//! phase, narrow phase, intersection events, no solver). Both libraries report the touching boxes, and the
//! numbers of touching boxes must be equal.

#[path = "../../../crates/runtime/benches/common/scene.rs"]
mod scene;

use glam::{Mat3, Quat};
use paired_timing::Turns;
use rapier3d::prelude::*;
use scene::{Ours, Scene, TICKS};
use std::sync::Mutex;

fn main() {
    for layout in ["1 per m2", "1 per 4 m2"] {
        for count in [10, 100, 1000, 10_000] {
            run(layout, count);
        }
    }
}

fn run(layout: &str, count: usize) {
    let scene = Scene::new(layout, count);
    let (mut ours, mut theirs) = (Ours::new(&scene), Rapier::new(&scene));
    let mut expected = [[0; 2]; TICKS];
    // In the first round all pairs are new. The second round is like all later rounds.
    for _ in 0..2 {
        for answers in &mut expected {
            let (a, b) = (ours.step(), theirs.step());
            assert!(a.abs_diff(b) <= 1 + a / 500, "bonebox has {a} touches, rapier {b}");
            *answers = [a, b];
        }
    }
    println!("\n{layout}, {count} characters: {} touches", expected[0][0]);
    let mut turns = Turns::new("rapier", format!("{layout}, {count} characters"));
    turns = turns.items(count as f64, "character and tick");
    turns.peer("rapier3d", || {
        let tick = theirs.tick % TICKS;
        assert_eq!(theirs.step(), expected[tick][1]);
    });
    turns.ours("HitboxWorld", || {
        let tick = ours.tick % TICKS;
        assert_eq!(ours.step(), expected[tick][0]);
    });
    turns.run();
}

struct Rapier<'a> {
    scene: &'a Scene,
    tick: usize,
    people: Vec<(RigidBodyHandle, Vec<ColliderHandle>)>,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    islands: IslandManager,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    pipeline: CollisionPipeline,
    touches: Touches,
}

impl<'a> Rapier<'a> {
    fn new(scene: &'a Scene) -> Self {
        let mut rapier = Self {
            scene,
            tick: 0,
            people: Vec::new(),
            bodies: RigidBodySet::new(),
            colliders: ColliderSet::new(),
            islands: IslandManager::new(),
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
            pipeline: CollisionPipeline::new(),
            touches: Touches::default(),
        };
        for _ in &scene.places[0] {
            let body = rapier.bodies.insert(RigidBodyBuilder::kinematic_position_based());
            let sensor = |half: glam::Vec3| {
                ColliderBuilder::cuboid(half.x, half.y, half.z)
                    .sensor(true)
                    .active_collision_types(ActiveCollisionTypes::KINEMATIC_KINEMATIC)
                    .active_events(ActiveEvents::COLLISION_EVENTS)
            };
            let boxes = scene.character.baked().boxes.iter();
            let sensors = boxes
                .map(|one| rapier.colliders.insert_with_parent(sensor(one.half_extents), body, &mut rapier.bodies));
            rapier.people.push((body, sensors.collect()));
        }
        rapier
    }

    fn step(&mut self) -> usize {
        let baked = &self.scene.character.baked().boxes;
        for ((body, sensors), (place, pose)) in self.people.iter().zip(self.scene.inputs(self.tick)) {
            let rotation = Quat::from_mat3(&Mat3::from(place.matrix3));
            self.bodies[*body].set_position(Pose::from_parts(place.translation.into(), rotation), false);
            for (sensor, one) in sensors.iter().zip(baked) {
                let joint = &pose[one.joint.index()];
                let rotation = Quat::from_mat3(&Mat3::from(joint.matrix3)) * one.orientation;
                let local = Pose::from_parts(joint.transform_point3(one.center), rotation);
                self.colliders[*sensor].set_position_wrt_parent(local);
            }
        }
        self.tick += 1;
        self.pipeline.step(
            IntegrationParameters::default().prediction_distance(),
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &(),
            &self.touches,
        );
        self.touches.count()
    }
}

/// The number of touching pairs, counted from the events that started and stopped.
#[derive(Default)]
struct Touches(Mutex<usize>);

impl Touches {
    fn count(&self) -> usize {
        *self.0.lock().expect("no panic in an event")
    }
}

impl EventHandler for Touches {
    fn handle_collision_event(
        &self,
        _: &RigidBodySet,
        _: &ColliderSet,
        event: CollisionEvent,
        _: Option<&ContactPair>,
    ) {
        let mut count = self.0.lock().expect("no panic in an event");
        match event {
            CollisionEvent::Started(..) => *count += 1,
            CollisionEvent::Stopped(..) => *count -= 1,
        }
    }

    fn handle_contact_force_event(&self, _: Real, _: &RigidBodySet, _: &ColliderSet, _: &ContactPair, _: Real) {}

    fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &SoftBodyTearEvent) {}
}
