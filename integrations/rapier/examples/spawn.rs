//! What it costs to spawn a ragdoll, beside what rapier itself does: `cargo run --release --example spawn`.
#[path = "../tests/all/fall.rs"]
#[allow(dead_code, reason = "only the loading of a figure is needed")]
mod fall;
#[path = "../tests/all/naive.rs"]
#[allow(dead_code, reason = "the falls use it")]
mod naive;

use bonebox_rapier::{Material, Ragdoll, parameters};
use fall::Figure;
use glam::{Affine3A, Vec3};
use rapier3d::prelude::*;
use std::time::Instant;

const TIMES: usize = 2_001;

fn main() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/runa.glb");
    let figure = Figure::load(&file);
    let rig = &figure.rig;
    let pose = |time: f32| {
        let (skeleton, mut local) = (figure.character.skeleton(), figure.character.skeleton().rest_pose());
        figure.character.clips()[0].sample(time, &mut local);
        let mut matrices = vec![Affine3A::IDENTITY; skeleton.len()];
        skeleton.model_from_joints(&local, &mut matrices);
        matrices
    };
    let (earlier, now) = (pose(0.3), pose(0.3 + 1.0 / 60.0));
    let place = Affine3A::from_translation(Vec3::Y);
    let world = || PhysicsWorld { integration_parameters: parameters(figure.height), ..PhysicsWorld::default() };
    let (mut before, mut places, mut velocities) = (Vec::new(), Vec::new(), Vec::new());
    let (mut whole, mut engine) = (Vec::new(), Vec::new());
    for _ in 0..TIMES {
        let mut own = world();
        let start = Instant::now();
        rig.places(&place, &earlier, &mut before).unwrap();
        rig.places(&place, &now, &mut places).unwrap();
        rig.velocities(&before, &places, 1.0 / 60.0, &mut velocities).unwrap();
        let ragdoll = Ragdoll::spawn(&mut own, rig, &places, &velocities, Material::default());
        whole.push(start.elapsed().as_secs_f64() * 1e6);
        assert_eq!(ragdoll.bodies().len(), rig.bodies().len());
        engine.push(inserted(&own, &ragdoll, world()));
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let [whole, engine] = [&mut whole, &mut engine].map(median);
    println!(
        "{} bodies: {whole:.1} µs in all, {engine:.1} µs of them in rapier, {:.1} µs besides",
        rig.bodies().len(),
        whole - engine
    );
}

/// The time in microseconds in which rapier takes the same bodies, shapes and joints, ready-made, into another world.
fn inserted(from: &PhysicsWorld, ragdoll: &Ragdoll, mut to: PhysicsWorld) -> f64 {
    let bodies: Vec<(RigidBody, Vec<Collider>)> = ragdoll
        .bodies()
        .iter()
        .map(|handle| {
            let body = &from.bodies[*handle];
            let fresh = RigidBodyBuilder::dynamic()
                .pose(*body.position())
                .linvel(body.linvel())
                .angvel(body.angvel())
                .additional_mass_properties(body.mass_properties().local_mprops)
                .build();
            (fresh, body.colliders().iter().map(|collider| from.colliders[*collider].clone()).collect())
        })
        .collect();
    let place = |handle: RigidBodyHandle| ragdoll.bodies().iter().position(|one| *one == handle).unwrap();
    let joints: Vec<(usize, usize, GenericJoint)> =
        from.impulse_joints.iter().map(|(_, joint)| (place(joint.body1()), place(joint.body2()), joint.data)).collect();
    let start = Instant::now();
    let mut handles = Vec::with_capacity(bodies.len());
    for (body, colliders) in bodies {
        let handle = to.insert_body(body);
        for collider in colliders {
            to.insert_collider(collider, Some(handle));
        }
        handles.push(handle);
    }
    for (first, second, joint) in joints {
        to.insert_impulse_joint(handles[first], handles[second], joint);
    }
    start.elapsed().as_secs_f64() * 1e6
}
