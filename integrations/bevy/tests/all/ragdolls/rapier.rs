//! The tests in rapier.

use super::*;
use bevy_bonebox::RagdollRapierPlugin;
use bevy_rapier3d::prelude::{Collider, NoUserData, RapierPhysicsPlugin, ReadMassProperties, RigidBody, TimestepMode};

struct Rapier;

impl Engine for Rapier {
    const MOST_PAST: f32 = 0.1;

    fn add(stage: &mut Stage) {
        stage.app.insert_resource(TimestepMode::Fixed { dt: TICK, substeps: 4 });
        stage.app.add_plugins((
            RapierPhysicsPlugin::<NoUserData>::default().in_schedule(FixedPostUpdate),
            RagdollRapierPlugin::in_schedule(FixedPostUpdate),
        ));
    }

    fn floor(world: &mut World) {
        world.spawn((RigidBody::Fixed, Collider::cuboid(50.0, 1.0, 50.0), Transform::from_xyz(0.0, -1.0, 0.0)));
    }
}

with!(
    Rapier,
    falls_come_to_rest,
    falls_in_other_sizes,
    a_leap_goes_on,
    an_arm_hangs_limp_and_comes_back,
    bodies_go_with_the_character,
    wrong_use_is_reported_once
);

#[test]
fn bodies_have_the_mass_of_the_bake() {
    let mut stage = stage::<Rapier>(BoneboxPlugin::default());
    let root = spawn(&mut stage, Transform::IDENTITY);
    set(&mut stage, root, Ragdoll::Falling);
    stage.app.update();
    let bodies = stage.world().get::<RagdollState>(root).unwrap().bodies().to_vec();
    for body in &bodies {
        stage.world().entity_mut(*body).insert(ReadMassProperties::default());
    }
    (0..3).for_each(|_| stage.app.update());
    for body in bodies {
        let found = *stage.world().get::<ReadMassProperties>(body).unwrap().get();
        let baked = stage.world().get::<RagdollBody>(body).unwrap().baked().clone();
        assert!((found.mass - baked.mass).abs() < 1e-4 * baked.mass, "{found:?}");
        assert!(found.local_center_of_mass.distance(baked.center_of_mass) < 1e-5, "{found:?}");
    }
}
