//! Two characters fight; hitboxes that touch light up.

use bevy_app::prelude::*;
use bevy_asset::prelude::*;
use bevy_bonebox::HitboxBinding;
use bevy_bonebox::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Quat;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use std::collections::BTreeMap;

/// Ticks per second.
pub(crate) const HZ: u16 = 60;

/// The game: Runa kicks, and Bruno, who stands a meter away, guards.
pub(crate) struct DuelPlugin;

impl Plugin for DuelPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(BoneboxPlugin::in_schedule(FixedUpdate))
            .insert_resource(Time::<Fixed>::from_hz(f64::from(HZ)))
            .init_resource::<Round>()
            .init_resource::<Lights>()
            .add_systems(Startup, enter)
            .add_systems(FixedUpdate, fight.before(HitboxSystems::Bind))
            .add_systems(FixedUpdate, light_up.after(HitboxSystems::Test));
        #[cfg(feature = "debug")]
        app.add_plugins(bevy_bonebox::HitboxGizmosPlugin::in_schedule(FixedUpdate))
            .init_resource::<bevy_input::ButtonInput<bevy_input::keyboard::KeyCode>>()
            .add_systems(Update, toggle_hitboxes);
    }
}

/// The tick of the round; `None` until both fighters are loaded.
#[derive(Resource, Default)]
pub(crate) struct Round(pub(crate) Option<u16>);

/// A fighter. Runa stands at the origin, and Bruno faces her.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fighter {
    Runa,
    Bruno,
}

fn enter(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn((
        Fighter::Runa,
        Name::new("Runa"),
        Hitboxes(assets.load("runa.bonebox")),
        HitboxPose::looped("roundhouse_kick"),
    ));
    commands.spawn((
        Fighter::Bruno,
        Name::new("Bruno"),
        Hitboxes(assets.load("bruno.bonebox")),
        HitboxPose::looped("guard"),
        Transform::from_xyz(0.0, 0.0, 1.0).with_rotation(Quat::from_xyzw(0.0, 1.0, 0.0, 0.0)),
    ));
}

/// Counts ticks from the moment at which both fighters are loaded, and sets the times of their clips.
fn fight(mut round: ResMut<Round>, mut fighters: Query<(&mut HitboxPose, &HitboxBinding), With<Fighter>>) {
    let all_are_there = fighters.iter().all(|(_, binding)| binding.is_bound());
    round.0 = match round.0 {
        None if !all_are_there => return,
        None => Some(0),
        Some(tick) => Some(tick + 1),
    };
    let seconds = f64::from(round.0.unwrap_or_default()) / f64::from(HZ);
    for (mut pose, _) in &mut fighters {
        pose.set_seconds(seconds);
    }
}

/// The pairs of joints that touch (Runa's joint, then Bruno's), each with its number of pairs of hitboxes.
#[derive(Resource, Default)]
pub(crate) struct Lights(pub(crate) BTreeMap<(String, String), usize>);

fn light_up(mut touches: MessageReader<HitboxTouch>, fighters: Query<&Fighter>, mut lights: ResMut<Lights>) {
    for touch in touches.read() {
        let (own, other) = (&touch.own, &touch.other);
        let runa_is_own = fighters.get(own.entity).is_ok_and(|fighter| *fighter == Fighter::Runa);
        let (runa, bruno) = if runa_is_own { (own, other) } else { (other, own) };
        let joints = (runa.joint_name.to_string(), bruno.joint_name.to_string());
        match touch.phase {
            HitboxTouchPhase::Started => *lights.0.entry(joints).or_default() += 1,
            HitboxTouchPhase::Persisted => {}
            HitboxTouchPhase::Ended => {
                if let Some(count) = lights.0.get_mut(&joints) {
                    *count -= 1;
                }
            }
        }
    }
    lights.0.retain(|_, count| *count > 0);
}

/// H shows and hides the hitboxes.
#[cfg(feature = "debug")]
fn toggle_hitboxes(
    keys: Res<bevy_input::ButtonInput<bevy_input::keyboard::KeyCode>>,
    mut gizmos: ResMut<bevy_gizmos::config::GizmoConfigStore>,
) {
    if keys.just_pressed(bevy_input::keyboard::KeyCode::KeyH) {
        let (config, _) = gizmos.config_mut::<bevy_bonebox::HitboxGizmos>();
        config.enabled = !config.enabled;
    }
}
