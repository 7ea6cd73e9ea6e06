//! Falls, and what is measured meanwhile.

use super::*;

/// Falls for ten seconds onto the floor. Returns the seconds until rest, the most that joints came apart as a share of the height,
/// and the most degrees past a limit in the last second.
fn fall<E: Engine>(place: Transform, scale: f32) -> (f32, f32, f32) {
    let mut stage = stage::<E>(BoneboxPlugin::default());
    E::floor(stage.world());
    let root = spawn(&mut stage, place.with_scale(Vec3::splat(scale)));
    set(&mut stage, root, Ragdoll::Falling);
    stage.app.update();
    let height = height() * scale;
    let (mut rest, mut apart, mut past_limits, mut before) = (0.0, 0.0f32, 0.0f32, Vec::new());
    for tick in 0..640u16 {
        stage.app.update();
        let (rig, now) = places(&mut stage, root).unwrap();
        assert!(now.iter().all(|place| place.position.is_finite() && place.rotation.is_finite()), "tick {tick}");
        let (gap, past) = held(&rig, &now);
        apart = apart.max(gap / height);
        if tick >= 576 {
            past_limits = past_limits.max(past);
        }
        let moved = now
            .iter()
            .zip(&before)
            .map(|(now, before): (&BodyPlace, &BodyPlace)| now.position.distance(before.position));
        // Two hundredths of a height in a second.
        let fastest = moved.fold(0.0, f32::max);
        if fastest > 0.02 * height * TICK {
            rest = f32::from(tick) * TICK;
        }
        before = now;
    }
    let local = runa().0.skeleton().rest_pose();
    assert_follows(&mut stage, root, &local, 1e-4 * scale.max(1.0));
    let hitboxes = stage.world().resource::<HitboxBodies>();
    let lowest = hitboxes.posed(root).flat_map(|(_, posed)| posed.obb().corners()).map(|corner| corner.y);
    let lowest = lowest.fold(f32::INFINITY, f32::min);
    assert!(lowest.abs() < 0.02 * height, "the lowest hitbox is at {lowest}");
    (rest, apart, past_limits)
}

pub(super) fn falls_come_to_rest<E: Engine>() {
    let turns = [Quat::from_rotation_x(1.2), Quat::IDENTITY, Quat::from_rotation_z(2.5), Quat::from_rotation_y(1.0)];
    for (turn, scale) in turns.into_iter().map(|turn| (turn, 1.0)) {
        let (rest, apart, past) = fall::<E>(Transform::from_xyz(0.0, 1.5 * scale, 0.0).with_rotation(turn), scale);
        println!("{turn} x {scale}: at rest after {rest} s, {apart} apart, {past} degrees past limits at rest");
        assert!(
            rest < 10.0 - 10.0 * TICK && apart <= 0.02 && past <= E::MOST_PAST,
            "{turn} x {scale}: {rest} {apart} {past}"
        );
    }
}

pub(super) fn falls_in_other_sizes<E: Engine>() {
    for scale in [2.0f32, 0.5] {
        let place = Transform::from_xyz(3.0, 1.5 * scale, 0.0).with_rotation(Quat::from_rotation_x(0.7));
        let (rest, apart, past) = fall::<E>(place, scale);
        println!("x {scale}: at rest after {rest} s, {apart} apart, {past} degrees past limits at rest");
        assert!(rest < 10.0 - 10.0 * TICK && apart <= 0.02 && past <= E::MOST_PAST, "{scale}: {rest} {apart} {past}");
    }
}

/// In the air, the center of mass follows the parabola of the leap in which the fall began.
pub(super) fn a_leap_goes_on<E: Engine>() {
    let mut stage = stage::<E>(BoneboxPlugin::in_schedule(FixedUpdate));
    let leap = Vec3::new(2.0, 4.0, -1.0);
    let place =
        |time: f32| Transform::from_translation(Vec3::Y * 5.0 + leap * time).with_rotation(Quat::from_rotation_y(time));
    let handle = stage.load("runa.bonebox");
    let root = stage.world().spawn((Hitboxes(handle), HitboxPose::looped("walk"), Ragdoll::default(), place(0.0))).id();
    stage.until_bound(&[root]);
    let mut before = Vec::new();
    for tick in 0..4u8 {
        let seconds = f32::from(tick) * TICK;
        *stage.world().get_mut::<Transform>(root).unwrap() = place(seconds);
        stage.world().get_mut::<HitboxPose>(root).unwrap().set_seconds(f64::from(seconds));
        if tick == 3 {
            set(&mut stage, root, Ragdoll::Falling);
        }
        stage.app.update();
        let hitboxes = stage.world().resource::<HitboxBodies>();
        before.push(hitboxes.posed(root).map(|(_, posed)| posed.center).collect::<Vec<_>>());
    }
    let bodies = stage.world().get::<RagdollState>(root).unwrap().bodies().to_vec();
    let first: Vec<RagdollBody> = bodies.iter().map(|body| stage.app.world().get(*body).cloned().unwrap()).collect();
    let rig = &first[0].rig;
    // The plugin of an engine may have stepped in the tick of the start.
    let started: Vec<BodyPlace> = first.iter().map(|body| body.target).collect();
    let mass: f32 = rig.bodies().iter().map(|body| body.mass).sum();
    let momentum: Vec3 = rig.bodies().iter().zip(&first).map(|(body, one)| one.velocity.linear * body.mass).sum();
    let (start, speed) = (center(rig, &started), momentum / mass);
    assert!((speed - leap).length() < 0.5, "{speed}");
    let first_step = if first[0].place == first[0].target { 0 } else { 1 };
    let (mut most, mut path) = (0.0f32, 0.0f32);
    for tick in 1..=40u8 {
        stage.app.update();
        let (rig, now) = places(&mut stage, root).unwrap();
        let time = f32::from(tick + first_step) * TICK;
        let expected = start + speed * time + 0.5 * Vec3::new(0.0, -9.81, 0.0) * time * time;
        most = most.max(center(&rig, &now).distance(expected));
        path = path.max(expected.distance(start));
    }
    println!("{most} m off a path of {path} m");
    assert!(most <= 0.01 * path, "{most} m off a path of {path} m");
}
