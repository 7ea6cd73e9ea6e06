//! `HitboxStrikePlugin` writes a message for each strike.

use crate::stage::{Stage, character};
use bevy_app::{Last, PostUpdate};
use bevy_bonebox::bonebox::rewind::HistorySettings;
use bevy_bonebox::bonebox::strikes::{Outcome, StrikeRules};
use bevy_bonebox::prelude::*;
use bevy_bonebox::{HitboxRewindPlugin, HitboxStrike, HitboxStrikePlugin, HitboxSwings};
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;

#[derive(Resource, Default)]
struct Struck(Vec<HitboxStrike>);

fn keep(mut struck: ResMut<Struck>, mut strikes: MessageReader<HitboxStrike>) {
    struck.0.extend(strikes.read().cloned());
}

/// Runa jabs Bruno: one message, with the attack's name and data. A swing of a character that left ends.
#[test]
fn a_jab_is_one_message() {
    let mut stage = Stage::new();
    let settings = HistorySettings { tick_seconds: 1.0 / 60.0, ..HistorySettings::default() };
    stage.app.add_plugins((
        HitboxRewindPlugin::in_schedule(PostUpdate, settings),
        HitboxStrikePlugin::in_schedule(PostUpdate, StrikeRules::default()),
    ));
    stage.app.init_resource::<Struck>().add_systems(Last, keep);
    let facing = Transform::from_translation(Vec3::Z * 0.7).with_rotation(Quat::from_rotation_y(std::f32::consts::PI));
    let runa = stage.spawn_clip("runa", "jab", Transform::IDENTITY);
    let bruno = stage.spawn_clip("bruno", "idle", facing);
    stage.until_bound(&[runa, bruno]);
    let jab = character("runa").find_clip("jab").unwrap();
    stage.world().resource_mut::<HitboxSwings>().swings.begin(HitboxSwings::swing(runa, 1, jab)).unwrap();
    for tick in 1..40 {
        stage.world().get_mut::<HitboxPose>(runa).unwrap().set_seconds(f64::from(tick) / 60.0);
        stage.app.update();
    }
    let struck = std::mem::take(&mut stage.world().resource_mut::<Struck>().0);
    let [strike] = struck.as_slice() else { panic!("{struck:?}") };
    assert_eq!((strike.attacker.entity, strike.target.entity), (runa, bruno));
    assert_eq!((strike.attack.as_str(), strike.strike.outcome), ("fist", Outcome::Hit));
    assert!(strike.data.as_deref().is_some_and(|data| data.contains("damage")), "{strike:?}");

    let swing = HitboxSwings::swing(runa, 2, jab);
    stage.world().resource_mut::<HitboxSwings>().swings.begin(swing).unwrap();
    stage.world().despawn(runa);
    (0..3).for_each(|_| stage.app.update());
    assert_eq!(stage.world().resource::<HitboxSwings>().swings.swings().len(), 0);
}
