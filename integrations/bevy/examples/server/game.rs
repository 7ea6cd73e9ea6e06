//! A server without a renderer: 200 characters march through each other, posed by baked clips.

use bevy_app::prelude::*;
use bevy_asset::prelude::*;
use bevy_bonebox::HitboxBinding;
use bevy_bonebox::prelude::*;
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;

/// Ticks per second.
pub(crate) const HZ: u16 = 30;
pub(crate) const CHARACTERS: u16 = 200;

pub(crate) struct ServerPlugin;

impl Plugin for ServerPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(BoneboxPlugin::in_schedule(FixedUpdate))
            .insert_resource(Time::<Fixed>::from_hz(f64::from(HZ)))
            .init_resource::<Tick>()
            .init_resource::<Report>()
            .add_systems(Startup, enter)
            .add_systems(FixedUpdate, march.before(HitboxSystems::Bind))
            .add_systems(FixedUpdate, count.after(HitboxSystems::Test));
    }
}

/// The server's tick; `None` until all characters are loaded.
#[derive(Resource, Default)]
pub(crate) struct Tick(pub(crate) Option<u16>);

#[derive(Component, Clone, Copy)]
pub(crate) struct Number(pub(crate) u16);

/// Numbers of pairs of hitboxes.
#[derive(Resource, Default, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Report {
    /// Pairs that began to touch in this tick.
    pub(crate) started: usize,
    /// Pairs that stopped touching in this tick.
    pub(crate) ended: usize,
    /// Pairs that touch now.
    pub(crate) touching: usize,
}

/// A fighter's file, the clip that it plays, and the time of this clip at tick 0, in seconds.
pub(crate) fn role(number: u16) -> (&'static str, &'static str, f64) {
    let file = if number.is_multiple_of(2) { "runa.bonebox" } else { "bruno.bonebox" };
    let clip = ["walk", "jab", "idle"][usize::from(number % 3)];
    (file, clip, f64::from(number % 7) / 10.0)
}

/// The place of a fighter. The fighters march in ten rows of twenty; every second row marches in the opposite direction.
pub(crate) fn place(number: u16, tick: u16) -> Transform {
    let (row, column) = (number / 20, number % 20);
    let way = f32::from(tick) * 0.02;
    let x = f32::from(column) * 1.1 + if row.is_multiple_of(2) { way } else { -way };
    Transform::from_xyz(x, 0.0, f32::from(row) * 0.6)
}

fn enter(mut commands: Commands, assets: Res<AssetServer>) {
    for number in 0..CHARACTERS {
        let (file, clip, _) = role(number);
        let settings = HitboxSettings { team: Some(u32::from(number / 20 % 2)), ..HitboxSettings::default() };
        let hitboxes = Hitboxes(assets.load(file));
        commands.spawn((Number(number), hitboxes, HitboxPose::looped(clip), settings, place(number, 0)));
    }
}

fn march(mut tick: ResMut<Tick>, mut characters: Query<(&Number, &mut HitboxPose, &mut Transform, &HitboxBinding)>) {
    let all_are_there = characters.iter().all(|(.., binding)| binding.is_bound());
    tick.0 = match tick.0 {
        None if !all_are_there => return,
        None => Some(0),
        Some(tick) => Some(tick + 1),
    };
    let now = tick.0.unwrap_or_default();
    for (number, mut pose, mut transform, _) in &mut characters {
        pose.set_seconds(f64::from(now) / f64::from(HZ) + role(number.0).2);
        *transform = place(number.0, now);
    }
}

fn count(mut touches: MessageReader<HitboxTouch>, mut report: ResMut<Report>) {
    let (mut started, mut ended, mut touching) = (0, 0, 0);
    for touch in touches.read() {
        started += usize::from(touch.phase == HitboxTouchPhase::Started);
        ended += usize::from(touch.phase == HitboxTouchPhase::Ended);
        touching += usize::from(touch.phase != HitboxTouchPhase::Ended);
    }
    *report = Report { started, ended, touching };
}
