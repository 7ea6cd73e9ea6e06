//! A shot makes Runa's arm go limp, a second one lets her fall, and then she gets up.

use avian3d::prelude::{Collider, PhysicsPlugins, RigidBody};
use bevy_app::prelude::*;
use bevy_asset::prelude::*;
use bevy_bonebox::prelude::*;
use bevy_bonebox::{HitboxBinding, Ragdoll, RagdollAvianPlugin};
use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;

/// Ticks of the game, 64 in a second.
pub(crate) const TICKS: u16 = 480;

/// The ticks of the two shots, and of the moment when she gets up.
pub(crate) const SHOTS: [u16; 3] = [60, 150, 360];

pub(crate) struct RagdollGame;

impl Plugin for RagdollGame {
    fn build(&self, app: &mut App) {
        app.add_plugins(BoneboxPlugin::in_schedule(FixedUpdate))
            .add_plugins((PhysicsPlugins::default(), RagdollAvianPlugin::default()))
            .init_resource::<Match>()
            .add_systems(Startup, enter)
            .add_systems(FixedUpdate, play.before(HitboxSystems::Bind))
            .add_systems(FixedUpdate, measure.after(HitboxSystems::Pose));
    }
}

/// The tick of the match, `None` until Runa is baked, and the heights of her head and her left hand in meters.
#[derive(Resource, Default)]
pub(crate) struct Match {
    pub(crate) tick: Option<u16>,
    pub(crate) heights: [f32; 2],
}

#[derive(Component)]
pub(crate) struct Runa;

fn enter(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn((RigidBody::Static, Collider::cuboid(100.0, 2.0, 100.0), Transform::from_xyz(0.0, -1.0, 0.0)));
    // A released game loads a file that `bonebox bake` made.
    let settings = "preset = \"tight\"\nparts = \"humanoid\"\nragdoll = true";
    let hitboxes = Hitboxes::bake(&assets, "runa.glb", settings);
    commands.spawn((Runa, hitboxes, HitboxPose::looped("guard"), Ragdoll::default()));
}

fn play(mut game: ResMut<Match>, mut runa: Query<(&mut HitboxPose, &mut Ragdoll, &HitboxBinding), With<Runa>>) {
    let Ok((mut pose, mut ragdoll, binding)) = runa.single_mut() else { return };
    game.tick = match game.tick {
        None if !binding.is_bound() => return,
        None => Some(0),
        Some(tick) => Some(tick + 1),
    };
    let tick = game.tick.unwrap_or_default();
    // The animation goes on during the fall, and limbs that are held follow it.
    pose.set_seconds(f64::from(tick) / 64.0);
    match SHOTS.iter().position(|shot| *shot == tick) {
        Some(0) => *ragdoll = Ragdoll::limp(["upperarm_l"]),
        Some(1) => *ragdoll = Ragdoll::Falling,
        Some(_) => *ragdoll = Ragdoll::Animated { seconds: 0.5 },
        None => {}
    }
}

fn measure(mut game: ResMut<Match>, bodies: Res<bevy_bonebox::HitboxBodies>, runa: Query<Entity, With<Runa>>) {
    let Ok(runa) = runa.single() else { return };
    for (hitbox, posed) in bodies.posed(runa) {
        match &*hitbox.joint_name {
            "head" => game.heights[0] = posed.center.y,
            "hand_l" => game.heights[1] = posed.center.y,
            _ => {}
        }
    }
}
