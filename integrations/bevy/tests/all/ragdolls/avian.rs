//! The tests in avian.

use super::*;
use avian3d::prelude::{Collider, ComputedAngularInertia, ComputedMass, PhysicsPlugins, RigidBody};
use bevy_bonebox::RagdollAvianPlugin;

struct Avian;

impl Engine for Avian {
    const MOST_PAST: f32 = 0.1;

    fn add(stage: &mut Stage) {
        stage.app.add_plugins((PhysicsPlugins::default(), RagdollAvianPlugin::default()));
    }

    fn floor(world: &mut World) {
        world.spawn((RigidBody::Static, Collider::cuboid(100.0, 2.0, 100.0), Transform::from_xyz(0.0, -1.0, 0.0)));
    }
}

with!(
    Avian,
    falls_come_to_rest,
    falls_in_other_sizes,
    a_leap_goes_on,
    an_arm_hangs_limp_and_comes_back,
    bodies_go_with_the_character,
    wrong_use_is_reported_once
);

#[test]
fn bodies_have_the_mass_of_the_bake() {
    let mut stage = stage::<Avian>(BoneboxPlugin::default());
    let root = spawn(&mut stage, Transform::IDENTITY);
    set(&mut stage, root, Ragdoll::Falling);
    (0..3).for_each(|_| stage.app.update());
    let mut bodies = stage.world().query::<(&RagdollBody, &ComputedMass, &ComputedAngularInertia)>();
    let mut count = 0;
    for (body, mass, inertia) in bodies.iter(stage.app.world()) {
        let baked = body.baked();
        assert!((mass.value() - baked.mass).abs() < 1e-4 * baked.mass);
        let [xx, ..] = baked.inertia;
        assert!(inertia.value().m00 > xx && inertia.value().m00 < xx + 0.1, "{inertia:?} {:?}", baked.inertia);
        count += 1;
    }
    assert!(count > 10);
}
