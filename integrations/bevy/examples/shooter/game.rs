//! Hitscan: a gun that fires at walking targets, and damage by the tag of the hitbox.

use bevy_app::prelude::*;
use bevy_asset::prelude::*;
use bevy_bonebox::HitboxBinding;
use bevy_bonebox::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{Dir3, Quat, Vec3};
use bevy_shape::Ray3d;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;

/// Ticks per second.
pub(crate) const HZ: u16 = 60;
/// Ticks from one shot to the next.
pub(crate) const RELOAD: u16 = 10;
pub(crate) const TARGETS: u8 = 6;

pub(crate) struct ShooterPlugin;

impl Plugin for ShooterPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(BoneboxPlugin::in_schedule(FixedUpdate))
            .insert_resource(Time::<Fixed>::from_hz(f64::from(HZ)))
            .init_resource::<Match>()
            .add_systems(Startup, enter)
            .add_systems(FixedUpdate, walk.before(HitboxSystems::Bind))
            .add_systems(FixedUpdate, shoot.after(HitboxSystems::Pose));
    }
}

/// The state of the match.
#[derive(Resource, Default)]
pub(crate) struct Match {
    /// The present tick; `None` until all characters are loaded.
    pub(crate) tick: Option<u16>,
    /// All shots so far.
    pub(crate) shots: Vec<Shot>,
}

/// One shot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shot {
    pub(crate) tick: u16,
    /// The target's number, the joint that is hit, and the distance in meters; `None` for a miss.
    pub(crate) hit: Option<(u8, String, f32)>,
    pub(crate) damage: u32,
}

/// Marks the character that holds the gun.
#[derive(Component)]
pub(crate) struct Shooter;

#[derive(Component)]
pub(crate) struct Target {
    pub(crate) number: u8,
    pub(crate) health: u32,
}

/// The place of a target. The targets stand in a row ten meters away and face the shooter.
pub(crate) fn place(number: u8) -> Transform {
    Transform::from_xyz(1.5 * f32::from(number) - 3.75, 0.0, 10.0).with_rotation(Quat::from_xyzw(0.0, 1.0, 0.0, 0.0))
}

/// The ray of a shot, from the shooter's eye. Each shot aims at the next target, and in turn at a head, a chest and legs.
pub(crate) fn aim(shot: u16) -> Ray3d {
    let eye = Vec3::new(0.0, 1.55, 0.0);
    let height = [1.58, 1.2, 0.45][usize::from(shot % 3)];
    let at = place((shot % u16::from(TARGETS)) as u8).translation + Vec3::Y * height;
    Ray3d::new(eye, Dir3::new(at - eye).unwrap_or(Dir3::Z))
}

fn enter(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn((Shooter, Hitboxes(assets.load("runa.bonebox")), HitboxPose::looped("guard")));
    for number in 0..TARGETS {
        let file = if number % 2 == 0 { "bruno.bonebox" } else { "runa.bonebox" };
        let target = Target { number, health: 100 };
        commands.spawn((target, Hitboxes(assets.load(file)), HitboxPose::looped("walk"), place(number)));
    }
}

fn walk(mut game: ResMut<Match>, mut poses: Query<(&mut HitboxPose, &HitboxBinding)>) {
    let all_are_there = poses.iter().all(|(_, binding)| binding.is_bound());
    game.tick = match game.tick {
        None if !all_are_there => return,
        None => Some(0),
        Some(tick) => Some(tick + 1),
    };
    let seconds = f64::from(game.tick.unwrap_or_default()) / f64::from(HZ);
    poses.iter_mut().for_each(|(mut pose, _)| pose.set_seconds(seconds));
}

/// Fires. The shot ignores the shooter's own hitboxes, and the tags of the hitbox that is hit decide the damage.
fn shoot(
    mut game: ResMut<Match>,
    shooter: Single<Entity, With<Shooter>>,
    mut targets: Query<&mut Target>,
    hitboxes: HitboxQuery,
) -> Result {
    let Some(tick) = game.tick.filter(|tick| tick.is_multiple_of(RELOAD)) else { return Ok(()) };
    let own = [*shooter];
    let hit = hitboxes.cast_ray(aim(tick / RELOAD), 100.0, &HitboxFilter::excluding(&own))?;
    let Some(hit) = hit else {
        game.shots.push(Shot { tick, hit: None, damage: 0 });
        return Ok(());
    };
    let damage = match &hit.hitbox {
        hitbox if hitbox.has_tag("head") => 100,
        hitbox if hitbox.has_tag("torso") => 40,
        _ => 15,
    };
    let mut target = targets.get_mut(hit.hitbox.entity)?;
    target.health = target.health.saturating_sub(damage);
    let hit = (target.number, hit.hitbox.joint_name.to_string(), hit.distance);
    game.shots.push(Shot { tick, hit: Some(hit), damage });
    Ok(())
}
