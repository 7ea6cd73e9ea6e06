//! `HitboxRewind` gives the answers of earlier ticks, in Bevy's terms.

use crate::stage::Stage;
use bevy_bonebox::bonebox::rewind::{HistorySettings, Moment, MomentError, Rules};
use bevy_bonebox::prelude::*;
use bevy_bonebox::{HitboxHistory, HitboxRayHit, HitboxRewind, HitboxRewindError, HitboxRewindPlugin};
use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use bevy_math::{Dir3, Vec3};
use bevy_shape::Ray3d;
use bevy_transform::components::Transform;

fn cast(stage: &mut Stage, moment: Moment, x: f32) -> Result<Option<HitboxRayHit>, HitboxRewindError> {
    let ray = Ray3d::new(Vec3::new(x, 1.2, -5.0), Dir3::Z);
    let rules = Rules { max_back: 1e9, ..Rules::default() };
    let ask = move |past: HitboxRewind<'_>| past.cast_ray(moment, &rules, ray, 100.0, &HitboxFilter::default());
    stage.world().run_system_once(ask).unwrap()
}

/// Runa walks one meter to the side each tick. A shot hits her where she was, also after she is gone; between two ticks it
/// hits half way, and across a teleport it does not.
#[test]
fn a_shot_hits_where_the_character_was() {
    let mut stage = Stage::new();
    let settings = HistorySettings { ticks: 200, ..HistorySettings::default() };
    stage.app.add_plugins(HitboxRewindPlugin::in_schedule(bevy_app::PostUpdate, settings));
    let runa = stage.spawn("runa", Transform::IDENTITY);
    stage.until_bound(&[runa]);
    stage.app.update();
    let first = stage.world().resource::<HitboxHistory>().tick();
    for step in 1..=4 {
        if step == 4 {
            stage.world().resource_mut::<HitboxHistory>().cut(runa);
        }
        stage.world().get_mut::<Transform>(runa).unwrap().translation.x = step as f32;
        stage.app.update();
    }
    let at = |tick, fraction| Moment { tick: first + tick, fraction };
    for tick in 0..=4_u64 {
        for x in 0..=4_u64 {
            let hit = cast(&mut stage, at(tick, 0.0), x as f32 + 0.02).unwrap();
            assert_eq!(hit.is_some(), x == tick, "tick {tick}, x {x}: {hit:?}");
        }
    }
    assert!(cast(&mut stage, at(1, 0.5), 1.52).unwrap().is_some());
    assert!(cast(&mut stage, at(3, 0.5), 3.52).unwrap().is_none());
    assert!(cast(&mut stage, at(3, 0.5), 3.02).unwrap().is_some());

    let before = cast(&mut stage, at(2, 0.0), 2.02).unwrap().unwrap();
    stage.world().despawn(runa);
    stage.app.update();
    let after = cast(&mut stage, at(2, 0.0), 2.02).unwrap().unwrap();
    assert_eq!((after.hitbox.entity, after.hitbox.joint), (runa, None));
    assert_eq!((&after.hitbox.joint_name, after.hitbox.tags), (&before.hitbox.joint_name, before.hitbox.tags));
    assert_eq!((after.point, after.distance), (before.point, before.distance));

    let not_a_number = Moment { tick: first, fraction: f32::NAN };
    let refused = cast(&mut stage, not_a_number, 0.0).unwrap_err();
    assert_eq!(refused, HitboxRewindError::Moment(MomentError::NotANumber));
}
