//! Calls the library as a game does: two characters, a world with events, queries with filters.

use crate::door::{
    EVERYTHING, OwnCharacter, OwnPose, OwnSet, OwnWorld, all, assert_failed, asset, c, call, find_clip, find_joint,
    found, hitboxes, insert, matrix, text, value, vec3,
};
use bonebox_c::*;
use glam::{Affine3A, Vec3};
use std::ffi::c_void;
use std::ptr::null;

fn joint_name(character: &OwnCharacter, joint: u16) -> String {
    text(value(|out, error| unsafe { bonebox_character_joint(character.0, joint, out, error) }).unwrap().name)
}

/// Half a turn, 0.8 in front: the opponent of the README.
fn opposite() -> BoneboxMatrix {
    matrix(&(Affine3A::from_translation(0.8 * Vec3::Z) * Affine3A::from_rotation_y(std::f32::consts::PI)))
}

#[test]
fn the_jab_of_the_readme_lands() {
    let (runa, bruno) = (asset("runa"), asset("bruno"));
    assert_eq!(text(value(|out, error| unsafe { bonebox_character_name(runa.0, out, error) }).unwrap()), "runa");
    let (a, b) = (OwnPose::new(), OwnPose::new());
    assert!(!unsafe { bonebox_pose_is_posed(a.0) });
    let (here, jab) = (matrix(&Affine3A::IDENTITY), find_clip(&runa, "jab"));
    call(|error| unsafe { bonebox_pose_from_clip(a.0, runa.0, &here, jab, 0.3, error) }).unwrap();
    call(|error| unsafe { bonebox_pose_from_rest(b.0, bruno.0, &opposite(), error) }).unwrap();
    assert!(value(|out, error| unsafe { bonebox_overlaps(a.0, b.0, out, error) }).unwrap());
    let pairs = all(|out, room, count, error| unsafe { bonebox_overlapping_joints(a.0, b.0, out, room, count, error) });
    let names: Vec<_> = pairs.unwrap().iter().map(|pair| joint_name(&runa, pair.joint_a)).collect();
    assert!(names.contains(&"hand_l".to_string()), "{names:?}");
    let boxes = all(|out, room, count, error| unsafe { bonebox_overlapping_boxes(a.0, b.0, out, room, count, error) });
    assert!(!boxes.unwrap().is_empty());
    let bounds = value(|out, error| unsafe { bonebox_pose_bounds(a.0, out, error) }).unwrap();
    let boxes = hitboxes(&a);
    assert_eq!(boxes.len(), unsafe { bonebox_character_hitbox_count(runa.0) });
    assert!(boxes.iter().all(|one| one.center.y > bounds.min.y && one.center.y < bounds.max.y));
}

#[test]
fn matrices_of_an_engine_pose_as_the_clip_does() {
    let (runa, pose, same) = (asset("runa"), OwnPose::new(), OwnPose::new());
    let count = unsafe { bonebox_character_joint_count(runa.0) };
    let joints: Vec<u16> = (0..count as u16).collect();
    call(|error| unsafe { bonebox_pose_track_joints(pose.0, joints.as_ptr(), count, error) }).unwrap();
    let (here, jab) = (opposite(), find_clip(&runa, "jab"));
    call(|error| unsafe { bonebox_pose_from_clip(pose.0, runa.0, &here, jab, 0.3, error) }).unwrap();
    let matrices: Vec<_> = joints
        .iter()
        .map(|&joint| value(|out, error| unsafe { bonebox_pose_joint_matrix(pose.0, joint, out, error) }).unwrap())
        .collect();
    call(|error| unsafe { bonebox_pose_from_world(same.0, runa.0, matrices.as_ptr(), count, error) }).unwrap();
    for (a, b) in hitboxes(&pose).iter().zip(&hitboxes(&same)) {
        assert!((Vec3::from(a.center) - Vec3::from(b.center)).length() < 1e-5, "{a:?} {b:?}");
    }
    let world = OwnWorld::new();
    insert(&world, 1, &runa);
    let identity = matrix(&Affine3A::IDENTITY);
    call(|error| unsafe { bonebox_world_pose_from_model(world.0, 1, &identity, matrices.as_ptr(), count, error) })
        .unwrap();
    call(|error| unsafe { bonebox_world_get_pose(world.0, 1, pose.0, error) }).unwrap();
    assert_eq!(hitboxes(&pose), hitboxes(&same));
    call(|error| unsafe { bonebox_world_pose_from_world(world.0, 1, matrices.as_ptr(), count, error) }).unwrap();
    call(|error| unsafe { bonebox_world_set_pose(world.0, 1, same.0, error) }).unwrap();
}

#[test]
fn a_world_has_events_filters_and_a_state_to_roll_back_to() {
    let (runa, bruno) = (asset("runa"), asset("bruno"));
    let (jab, world, saved) = (find_clip(&runa, "jab"), OwnWorld::new(), OwnWorld::new());
    insert(&world, 10, &runa);
    insert(&world, 20, &bruno);
    let hand = [c("hand_l")];
    let names = [hand[0].as_ptr()];
    call(|error| unsafe { bonebox_world_track_joints(world.0, 10, names.as_ptr(), 1, error) }).unwrap();
    let unposed =
        all(|out, room, count, error| unsafe { bonebox_world_unposed_bodies(world.0, out, room, count, error) });
    assert_eq!(unposed.unwrap(), [10, 20]);
    drop((runa, bruno)); // worlds keep what they need

    let here = matrix(&Affine3A::IDENTITY);
    call(|error| unsafe { bonebox_world_pose_from_rest(world.0, 20, &opposite(), error) }).unwrap();
    let (mut phases, mut at_hit) = (Vec::new(), None);
    for tick in 0..21u8 {
        let pose = BoneboxClipPose { body: 10, world_from_model: here, clip: jab, seconds: f32::from(tick) / 30.0 };
        call(|error| unsafe { bonebox_world_pose_from_clips(world.0, &pose, 1, error) }).unwrap();
        world.update();
        let events =
            all(|out, room, count, error| unsafe { bonebox_world_events(world.0, out, room, count, error) }).unwrap();
        phases.extend(events.iter().map(|event| event.phase));
        if let Some(event) = events.iter().find(|event| event.phase == BoneboxTouchPhase::Started) {
            let contact =
                found(|is, out, error| unsafe { bonebox_world_contact(world.0, &event.touch, is, out, error) });
            assert!(contact.unwrap().is_some_and(|contact| contact.depth > 0.0));
            call(|error| unsafe { bonebox_world_copy(world.0, saved.0, error) }).unwrap();
            at_hit = Some(pose);
        }
    }
    assert!(phases.contains(&BoneboxTouchPhase::Persisted) && phases.contains(&BoneboxTouchPhase::Ended));
    let touches = |world: &OwnWorld| {
        all(|out, room, count, error| unsafe { bonebox_world_touches(world.0, out, room, count, error) }).unwrap()
    };
    assert!(touches(&world).is_empty());
    call(|error| unsafe { bonebox_world_copy(saved.0, world.0, error) }).unwrap();
    assert!(!touches(&world).is_empty());
    assert_eq!(touches(&world), touches(&saved));
    call(|error| unsafe { bonebox_world_copy(world.0, world.0, error) }).unwrap();
    assert!(at_hit.is_some());

    let name = c("hand_l");
    let fist =
        value(|out, error| unsafe { bonebox_world_joint_matrix(world.0, 10, name.as_ptr(), out, error) }).unwrap();
    let origin = BoneboxVec3 { x: fist.m[12], y: fist.m[13], z: fist.m[14] };
    let ray = BoneboxRay { origin, direction: BoneboxVec3 { x: 0.0, y: 0.0, z: 1.0 }, max_time: f32::INFINITY };
    let cast = |filter: *const BoneboxFilter| {
        found(|is, out, error| unsafe { bonebox_world_cast_ray(world.0, &ray, filter, is, out, error) }).unwrap()
    };
    assert!(cast(null()).is_some_and(|hit| hit.body == 10 && hit.starts_inside));
    let own = [10];
    let not_me = BoneboxFilter { exclude: own.as_ptr(), exclude_count: 1, ..EVERYTHING };
    assert_eq!(cast(&not_me).unwrap().body, 20);
    let mut asked = 0u32;
    unsafe extern "C" fn refuse(body: u64, _hitbox: u16, user: *mut c_void) -> bool {
        unsafe { *user.cast::<u32>() += 1 };
        body != 20
    }
    let refusing = BoneboxFilter { predicate: Some(refuse), user: (&raw mut asked).cast(), ..not_me };
    assert!(cast(&refusing).is_none());
    assert!(asked > 0);
    let none = c("no such tag");
    let tags = [none.as_ptr()];
    assert!(cast(&BoneboxFilter { tags: tags.as_ptr(), tag_count: 1, ..EVERYTHING }).is_none());

    call(|error| unsafe { bonebox_world_remove(world.0, 20, error) }).unwrap();
    world.update();
    assert!(touches(&world).is_empty());
}

#[test]
fn many_threads_ask_one_world() {
    struct Shared(*const BoneboxWorld);
    unsafe impl Sync for Shared {}
    let (runa, world) = (asset("runa"), OwnWorld::new());
    for body in 0..8u8 {
        insert(&world, body.into(), &runa);
        let place = matrix(&Affine3A::from_translation(Vec3::X * f32::from(body)));
        call(|error| unsafe { bonebox_world_pose_from_rest(world.0, body.into(), &place, error) }).unwrap();
    }
    let ask = |world: *const BoneboxWorld| {
        let ball = bonebox_shape_sphere(vec3(Vec3::new(3.5, 1.0, 0.0)), 1.0);
        all(|out, room, count, error| unsafe {
            bonebox_world_overlapping_boxes(world, &ball, null(), out, room, count, error)
        })
        .unwrap()
    };
    let (expected, shared) = (ask(world.0), Shared(world.0));
    assert!(!expected.is_empty());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let shared = &shared;
                (0..200).for_each(|_| assert_eq!(ask(shared.0), expected));
            });
        }
    });
}

#[test]
fn sets_of_hitboxes_switch_and_layer() {
    let bytes = baked_format::write(&baked_characters::baked_figure("figure")).unwrap();
    let (figure, world) = (OwnCharacter::load(&bytes).unwrap(), OwnWorld::new());
    let hands = OwnSet::with_tag(&figure, "hand").unwrap();
    assert_eq!(unsafe { bonebox_box_set_count(hands.0) }, 2);
    let rest = OwnSet(value(|out, error| unsafe { bonebox_box_set_complement(hands.0, out, error) }).unwrap());
    let both = OwnSet(value(|out, error| unsafe { bonebox_box_set_union(hands.0, rest.0, out, error) }).unwrap());
    let every = OwnSet(value(|out, error| unsafe { bonebox_box_set_all(figure.0, out, error) }).unwrap());
    assert_eq!(unsafe { [bonebox_box_set_count(both.0), bonebox_box_set_count(every.0)] }, [24, 24]);
    let joint = find_joint(&figure, "hand.l");
    let one = OwnSet(value(|out, error| unsafe { bonebox_box_set_of_joint(figure.0, joint, out, error) }).unwrap());
    assert_eq!(unsafe { bonebox_box_set_count(one.0) }, 1);
    let info = |index| value(|out, error| unsafe { bonebox_character_hitbox(figure.0, index, out, error) }).unwrap();
    let hand = (0..24).find(|&index| unsafe { bonebox_box_set_contains(one.0, index) }).unwrap();
    assert_eq!((info(hand).joint, info(hand).tag_count, text(info(hand).joint_name).as_str()), (joint, 1, "hand.l"));
    let tag = value(|out, error| unsafe { bonebox_character_hitbox_tag(figure.0, hand, 0, out, error) }).unwrap();
    assert_eq!(text(tag), "hand");
    let tag = c("hand");
    assert!(
        value(|out, error| unsafe { bonebox_character_hitbox_has_tag(figure.0, hand, tag.as_ptr(), out, error) })
            .unwrap()
    );

    insert(&world, 1, &figure);
    let here = matrix(&Affine3A::IDENTITY);
    call(|error| unsafe { bonebox_world_pose_from_rest(world.0, 1, &here, error) }).unwrap();
    let found_boxes = |filter: *const BoneboxFilter| {
        let ball = bonebox_shape_sphere(vec3(Vec3::Y), 5.0);
        let found = all(|out, room, count, error| unsafe {
            bonebox_world_overlapping_boxes(world.0, &ball, filter, out, room, count, error)
        });
        let found = found.unwrap().len();
        let any = value(|out, error| unsafe { bonebox_world_overlaps_shape(world.0, &ball, filter, out, error) });
        assert_eq!(any.unwrap(), found > 0);
        found
    };
    assert_eq!(found_boxes(null()), 24);
    call(|error| unsafe { bonebox_world_set_boxes_enabled(world.0, 1, hands.0, false, error) }).unwrap();
    assert_eq!(found_boxes(null()), 22);
    call(|error| unsafe { bonebox_world_set_boxes_enabled(world.0, 1, hands.0, true, error) }).unwrap();
    call(|error| unsafe { bonebox_world_set_box_layers(world.0, 1, hands.0, 2, 2, error) }).unwrap();
    let layers = BoneboxFilter { has_layers: true, memberships: 1, mask: 0, ..EVERYTHING };
    assert_eq!(found_boxes(&layers), 22);
    call(|error| unsafe { bonebox_world_clear_box_layers(world.0, 1, hands.0, error) }).unwrap();
    assert_eq!(found_boxes(&layers), 24);
    let mut settings = bonebox_body_settings_default();
    (settings.has_team, settings.team) = (true, 3);
    call(|error| unsafe { bonebox_world_set_settings(world.0, 1, &settings, error) }).unwrap();
    assert_eq!(found_boxes(&BoneboxFilter { has_team: true, team: 3, ..EVERYTHING }), 0);
    let boxes = all(|out, room, count, error| unsafe { bonebox_world_hitboxes(world.0, 1, out, room, count, error) });
    assert_eq!(boxes.unwrap().len(), 24);
}

#[test]
fn a_blade_hits_between_two_ticks() {
    let (runa, world) = (asset("runa"), OwnWorld::new());
    for body in 0..3u8 {
        insert(&world, body.into(), &runa);
        let place = matrix(&Affine3A::from_translation(Vec3::Z * f32::from(body)));
        call(|error| unsafe { bonebox_world_pose_from_rest(world.0, body.into(), &place, error) }).unwrap();
    }
    world.update();
    let blade = |z| {
        bonebox_shape_box(BoneboxOrientedBox {
            center: BoneboxVec3 { x: 0.0, y: 1.2, z },
            half_extents: BoneboxVec3 { x: 0.4, y: 0.02, z: 0.05 },
            orientation: BoneboxQuat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 },
        })
    };
    let (from, to) = (blade(5.0), blade(-5.0));
    let mut contact = std::mem::MaybeUninit::uninit();
    let hit = found(|is, out, error| unsafe {
        bonebox_world_cast_shape(world.0, &from, &to, 0.0, null(), is, out, contact.as_mut_ptr(), error)
    });
    assert_eq!(hit.unwrap().map(|hit| hit.body), Some(2));
    assert!(unsafe { contact.assume_init() }.point.z > 1.5);
    let in_box = all(|out, room, count, error| unsafe {
        bonebox_world_overlapping_boxes(world.0, &blade(1.0), null(), out, room, count, error)
    });
    assert!(in_box.unwrap().iter().all(|one| one.body == 1));
    call(|error| unsafe { bonebox_world_start_motion(world.0, error) }).unwrap();
    let place = matrix(&Affine3A::from_translation(Vec3::Z * -9.0));
    call(|error| unsafe { bonebox_world_pose_from_rest(world.0, 2, &place, error) }).unwrap();
    let sweeps = |world: &OwnWorld| {
        let hits = all(|out, room, count, error| unsafe {
            bonebox_world_sweep_all(world.0, 0.0, null(), out, room, count, error)
        });
        let hits = hits.unwrap();
        let any = value(|out, error| unsafe { bonebox_world_sweep_any(world.0, 0.0, null(), out, error) });
        assert_eq!(any.unwrap(), !hits.is_empty());
        hits
    };
    assert!(!sweeps(&world).is_empty());
    call(|error| unsafe { bonebox_world_reset_motion(world.0, 2, error) }).unwrap();
    assert!(sweeps(&world).is_empty());
}

/// Each hitbox of a figure has another role in turn.
#[test]
fn a_filter_finds_the_roles_that_it_names() {
    const BITS: [u8; 5] =
        [BONEBOX_ROLE_HURT, BONEBOX_ROLE_STRIKE, BONEBOX_ROLE_GRAB, BONEBOX_ROLE_GUARD, BONEBOX_ROLE_SENSOR];
    let mut baked = baked_characters::baked_figure("figure");
    for (one, role) in baked.boxes.iter_mut().zip(baked_format::HitboxRole::ALL.into_iter().cycle()) {
        one.role = role;
    }
    let figure = OwnCharacter::load(&baked_format::write(&baked).unwrap()).unwrap();
    for (index, bit) in (0..baked.boxes.len() as u16).zip(BITS.into_iter().cycle()) {
        let hitbox: BoneboxHitbox =
            value(|out, error| unsafe { bonebox_character_hitbox(figure.0, index, out, error) }).unwrap();
        assert_eq!(hitbox.role, bit);
    }
    let world = OwnWorld::new();
    insert(&world, 1, &figure);
    let here = matrix(&Affine3A::IDENTITY);
    call(|error| unsafe { bonebox_world_pose_from_rest(world.0, 1, &here, error) }).unwrap();
    let ball = bonebox_shape_sphere(vec3(Vec3::Y), 50.0);
    let found = |filter: *const BoneboxFilter| {
        all(|out, room, count, error| unsafe {
            bonebox_world_overlapping_boxes(world.0, &ball, filter, out, room, count, error)
        })
        .map(|found| found.iter().map(|one| one.hitbox).collect::<Vec<_>>())
    };
    assert_eq!(found(null()), found(&BoneboxFilter { roles: BONEBOX_ROLE_HURT, ..EVERYTHING }));
    for roles in 0..32 {
        let wanted = if roles == 0 { BONEBOX_ROLE_HURT } else { roles };
        let expected = (0..baked.boxes.len() as u16).filter(|index| BITS[usize::from(*index) % 5] & wanted != 0);
        assert_eq!(found(&BoneboxFilter { roles, ..EVERYTHING }).unwrap(), expected.collect::<Vec<_>>(), "{roles}");
    }
    let unknown = found(&BoneboxFilter { roles: 32, ..EVERYTHING });
    assert_failed(unknown, BoneboxResult::InvalidArgument, "`filter.roles` is 32");
}
