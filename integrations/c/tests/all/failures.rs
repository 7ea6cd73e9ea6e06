//! Every failure: its result, and a message that says what to do.

use crate::door::{OwnCharacter, OwnPose, OwnSet, OwnWorld, all, assert_failed, c, call, matrix, value};
use baked_characters::baked_figure;
use bonebox_c::*;
use glam::{Affine3A, Vec3};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

fn bytes(name: &str) -> Vec<u8> {
    baked_format::write(&baked_figure(name)).unwrap()
}

#[test]
fn bad_files() {
    use BoneboxResult::{BadFile, NullPointer};
    assert_failed(OwnCharacter::load(b""), BadFile, "");
    assert_failed(OwnCharacter::load(b"glTF and other things that are no hitboxes"), BadFile, "");
    let good = bytes("figure");
    assert_failed(OwnCharacter::load(&good[..good.len() / 2]), BadFile, "");
    let missing = value(|out, error| unsafe { bonebox_character_load(null(), 9, out, error) });
    assert_failed(missing, NullPointer, "`bytes` is NULL");
    let nowhere = call(|error| unsafe { bonebox_character_load(good.as_ptr(), good.len(), null_mut(), error) });
    assert_failed(nowhere, NullPointer, "`character` is NULL");
}

/// A hostile file does no more through this door than through the reader: it gives a character or a failure.
#[test]
fn a_file_with_any_byte_changed() {
    let good = bytes("figure");
    for at in (0..good.len()).step_by(7) {
        for change in [1, 0x80, 0xFF] {
            let mut bad = good.clone();
            bad[at] ^= change;
            assert_failed(OwnCharacter::load(&bad), BoneboxResult::BadFile, "");
        }
    }
}

#[test]
fn names_and_indices_that_are_not_there() {
    use BoneboxResult::{InvalidArgument, NotFound, NullPointer};
    let figure = OwnCharacter::load(&bytes("figure")).unwrap();
    let name = c("no such thing");
    let joint = value(|out, error| unsafe { bonebox_character_find_joint(figure.0, name.as_ptr(), out, error) });
    assert_failed(joint, NotFound, "has no joint \"no such thing\"; its joints: hips, ");
    let clip = value(|out, error| unsafe { bonebox_character_find_clip(figure.0, name.as_ptr(), out, error) });
    assert_failed(clip, NotFound, "idle, walk");
    assert_failed(OwnSet::with_tag(&figure, "no such tag").map(|_| ()), NotFound, "no such tag");
    assert_failed(
        value(|out, error| unsafe { bonebox_character_joint(figure.0, 99, out, error) }),
        NotFound,
        "joint 99",
    );
    assert_failed(
        value(|out, error| unsafe { bonebox_character_hitbox(figure.0, 24, out, error) }),
        NotFound,
        "hitbox 24",
    );
    assert_failed(value(|out, error| unsafe { bonebox_character_clip(figure.0, 2, out, error) }), NotFound, "clip 2");
    let tag = value(|out, error| unsafe { bonebox_character_hitbox_tag(figure.0, 0, 5, out, error) });
    assert_failed(tag, NotFound, "hitbox 0 has no tag 5");
    let latin = [0xE4u8, 0];
    let joint =
        value(|out, error| unsafe { bonebox_character_find_joint(figure.0, latin.as_ptr().cast(), out, error) });
    assert_failed(joint, InvalidArgument, "not UTF-8");
    let joint = value(|out, error| unsafe { bonebox_character_find_joint(figure.0, null(), out, error) });
    assert_failed(joint, NullPointer, "`name` is NULL");
    let pose = OwnPose::new();
    let socket = value(|out, error| unsafe { bonebox_pose_joint_matrix(pose.0, 3, out, error) });
    assert_failed(socket, NotFound, "track the joint");
}

#[test]
fn poses_that_are_refused() {
    use BoneboxResult::{InvalidArgument, NotFound, NullPointer, PoseRefused};
    let (figure, pose) = (OwnCharacter::load(&bytes("figure")).unwrap(), OwnPose::new());
    let here = matrix(&Affine3A::IDENTITY);
    assert_failed(value(|out, error| unsafe { bonebox_pose_bounds(pose.0, out, error) }), PoseRefused, "pose it first");
    let pose_at =
        |seconds, clip| call(|error| unsafe { bonebox_pose_from_clip(pose.0, figure.0, &here, clip, seconds, error) });
    pose_at(0.5, 1).unwrap();
    assert!(unsafe { bonebox_pose_is_posed(pose.0) });
    assert_failed(pose_at(f32::NAN, 1), PoseRefused, "not a number");
    assert!(!unsafe { bonebox_pose_is_posed(pose.0) });
    assert_failed(pose_at(0.5, 2), NotFound, "no clip 2");
    let few = [here; 3];
    let model = call(|error| unsafe { bonebox_pose_from_model(pose.0, figure.0, &here, few.as_ptr(), 3, error) });
    assert_failed(model, PoseRefused, "24 joints, but 3 joint matrices");
    let mut transposed = [here; 24];
    transposed[5].m[3] = 2.0;
    let model = call(|error| unsafe { bonebox_pose_from_world(pose.0, figure.0, transposed.as_ptr(), 24, error) });
    assert_failed(model, InvalidArgument, "the matrix of joint 5");
    let far = matrix(&Affine3A::from_translation(Vec3::splat(f32::INFINITY)));
    let rest = call(|error| unsafe { bonebox_pose_from_rest(pose.0, figure.0, &far, error) });
    assert_failed(rest, PoseRefused, "`world_from_model` is not finite");
    assert_failed(
        call(|error| unsafe { bonebox_pose_from_rest(pose.0, figure.0, &matrix(&Affine3A::NAN), error) }),
        PoseRefused,
        "`world_from_model` is not finite",
    );
    let rest = call(|error| unsafe { bonebox_pose_from_rest(pose.0, figure.0, null(), error) });
    assert_failed(rest, NullPointer, "`world_from_model` is NULL");
}

/// Ways to pose that fail: a matrix, a list, a clip, a time, a layer or a handle is wrong.
type Failing<'a> = (&'static str, Box<dyn Fn(*mut BoneboxError) -> BoneboxResult + 'a>);

#[test]
fn a_body_whose_pose_failed_has_no_hitboxes() {
    let (figure, other) = (OwnCharacter::load(&bytes("figure")).unwrap(), OwnCharacter::load(&bytes("other")).unwrap());
    let (world, here, nan) = (OwnWorld::new(), matrix(&Affine3A::IDENTITY), matrix(&Affine3A::NAN));
    let mut projective = here;
    projective.m[3] = 1.0;
    let (matrices, mut broken) = ([here; 24], [here; 24]);
    broken[5] = projective;
    let of_other = OwnPose::new();
    call(|error| unsafe { bonebox_pose_from_rest(of_other.0, other.0, &here, error) }).unwrap();
    let w = world.0;
    let rest = |place: *const BoneboxMatrix| move |error| unsafe { bonebox_world_pose_from_rest(w, 7, place, error) };
    let clip = |world_from_model, clip, seconds| {
        let pose = BoneboxClipPose { body: 7, world_from_model, clip, seconds };
        move |error| unsafe { bonebox_world_pose_from_clips(w, &pose, 1, error) }
    };
    let layers = |world_from_model, mode, count| {
        let layer = BoneboxPoseLayer { clip: 0, seconds: 0.0, weight: 1.0, mode, mask: null() };
        move |error| unsafe {
            let layers = if mode == 0 { null() } else { &layer };
            let pose = BoneboxLayerPose { body: 7, world_from_model, layers, layer_count: count };
            bonebox_world_pose_from_layers(w, &pose, 1, error)
        }
    };
    let model = |place: *const BoneboxMatrix, joints: *const BoneboxMatrix, count| {
        move |error| unsafe { bonebox_world_pose_from_model(w, 7, place, joints, count, error) }
    };
    let of_world = |joints: *const BoneboxMatrix, count| {
        move |error| unsafe { bonebox_world_pose_from_world(w, 7, joints, count, error) }
    };
    let copy = |pose: *const BoneboxPose| move |error| unsafe { bonebox_world_set_pose(w, 7, pose, error) };
    let (good, bad) = (matrices.as_ptr(), broken.as_ptr());
    let fails: [Failing<'_>; 17] = [
        ("rest, not finite", Box::new(rest(&nan))),
        ("rest, projective", Box::new(rest(&projective))),
        ("rest, NULL", Box::new(rest(null()))),
        ("clip, projective", Box::new(clip(projective, 0, 0.0))),
        ("clip, none", Box::new(clip(here, 99, 0.0))),
        ("clip, time", Box::new(clip(here, 0, f32::NAN))),
        ("layers, projective", Box::new(layers(projective, 1, 1))),
        ("layers, NULL", Box::new(layers(here, 0, 1))),
        ("layers, mode", Box::new(layers(here, 9, 1))),
        ("model, place", Box::new(model(null(), good, 24))),
        ("model, count", Box::new(model(&here, good, 23))),
        ("model, projective", Box::new(model(&here, bad, 24))),
        ("model, NULL", Box::new(model(&here, null(), 24))),
        ("world, projective", Box::new(of_world(bad, 24))),
        ("world, NULL", Box::new(of_world(null(), 24))),
        ("copy, other character", Box::new(copy(of_other.0))),
        ("copy, NULL", Box::new(copy(null()))),
    ];
    call(|error| unsafe { bonebox_world_insert(world.0, 7, figure.0, null(), error) }).unwrap();
    for (name, fail) in &fails {
        call(rest(&here)).unwrap();
        let hitboxes = || {
            all::<BoneboxPosedHitbox>(|out, room, count, error| unsafe {
                bonebox_world_hitboxes(world.0, 7, out, room, count, error)
            })
        };
        assert_eq!(hitboxes().unwrap().len(), 24);
        assert!(call(fail).is_err(), "{name}");
        assert_eq!(hitboxes().unwrap().len(), 0, "{name}");
        call(rest(&here)).unwrap();
        call(|error| unsafe { bonebox_world_clear_pose(world.0, 7, error) }).unwrap();
        assert_eq!(hitboxes().unwrap().len(), 0, "cleared");
    }
    let cleared = call(|error| unsafe { bonebox_world_clear_pose(world.0, 8, error) });
    assert_failed(cleared, BoneboxResult::NoBody, "body 8");
}

#[test]
fn a_pose_that_failed_has_no_hitboxes() {
    let (figure, world) = (OwnCharacter::load(&bytes("figure")).unwrap(), OwnWorld::new());
    let (here, pose) = (matrix(&Affine3A::IDENTITY), OwnPose::new());
    let (p, f) = (pose.0, figure.0);
    let fails: [Failing<'_>; 8] = [
        ("rest, place", Box::new(|error| unsafe { bonebox_pose_from_rest(p, f, null(), error) })),
        ("rest, character", Box::new(|error| unsafe { bonebox_pose_from_rest(p, null(), &here, error) })),
        ("clip, place", Box::new(|error| unsafe { bonebox_pose_from_clip(p, f, null(), 0, 0.0, error) })),
        ("clip, none", Box::new(|error| unsafe { bonebox_pose_from_clip(p, f, &here, 99, 0.0, error) })),
        (
            "layers, character",
            Box::new(|error| unsafe { bonebox_pose_from_layers(p, null(), &here, null(), 0, error) }),
        ),
        ("model, joints", Box::new(|error| unsafe { bonebox_pose_from_model(p, f, &here, null(), 24, error) })),
        ("world, joints", Box::new(|error| unsafe { bonebox_pose_from_world(p, f, null(), 24, error) })),
        ("copy, no body", Box::new(|error| unsafe { bonebox_world_get_pose(world.0, 7, p, error) })),
    ];
    for (name, fail) in &fails {
        call(|error| unsafe { bonebox_pose_from_rest(p, f, &here, error) }).unwrap();
        assert!(call(fail).is_err(), "{name}");
        assert!(!unsafe { bonebox_pose_is_posed(p) }, "{name}");
    }
    call(|error| unsafe { bonebox_pose_from_rest(p, f, &here, error) }).unwrap();
    call(|error| unsafe { bonebox_pose_clear(p, error) }).unwrap();
    assert!(!unsafe { bonebox_pose_is_posed(p) });
}

#[test]
fn worlds_that_refuse() {
    use BoneboxResult::{BodyExists, InvalidArgument, NoBody, NotFound, NullPointer, WrongCharacter};
    let (a, b) = (OwnCharacter::load(&bytes("first")).unwrap(), OwnCharacter::load(&bytes("second")).unwrap());
    let (world, here) = (OwnWorld::new(), matrix(&Affine3A::IDENTITY));
    let insert = || call(|error| unsafe { bonebox_world_insert(world.0, 7, a.0, null(), error) });
    insert().unwrap();
    assert_failed(insert(), BodyExists, "body 7");
    assert_failed(call(|error| unsafe { bonebox_world_remove(world.0, 8, error) }), NoBody, "body 8");
    let rest = call(|error| unsafe { bonebox_world_pose_from_rest(world.0, 8, &here, error) });
    assert_failed(rest, NoBody, "body 8 does not exist");
    let boxes = value::<BoneboxPosedHitbox>(|out, error| unsafe {
        let mut count = 0;
        bonebox_world_hitboxes(world.0, 8, out, 1, &mut count, error)
    });
    assert_failed(boxes, NoBody, "body 8");
    let hands = OwnSet::with_tag(&b, "hand").unwrap();
    let layers = call(|error| unsafe { bonebox_world_set_box_layers(world.0, 7, hands.0, 1, 1, error) });
    assert_failed(layers, WrongCharacter, "second");
    let own = OwnSet::with_tag(&a, "hand").unwrap();
    assert_failed(
        value(|out, error| unsafe { bonebox_box_set_union(own.0, hands.0, out, error) }),
        WrongCharacter,
        "second",
    );
    let pose = OwnPose::new();
    call(|error| unsafe { bonebox_pose_from_rest(pose.0, b.0, &here, error) }).unwrap();
    assert_failed(call(|error| unsafe { bonebox_world_set_pose(world.0, 7, pose.0, error) }), WrongCharacter, "second");
    let name = c("tail");
    let names = [name.as_ptr()];
    let track = call(|error| unsafe { bonebox_world_track_joints(world.0, 7, names.as_ptr(), 1, error) });
    assert_failed(track, NotFound, "no joint \"tail\"");
    let socket = value(|out, error| unsafe { bonebox_world_joint_matrix(world.0, 7, name.as_ptr(), out, error) });
    assert_failed(socket, NotFound, "track the joint");

    // The second of two poses is done though the first is refused.
    call(|error| unsafe { bonebox_world_insert(world.0, 9, a.0, null(), error) }).unwrap();
    let clip = |body, seconds| BoneboxClipPose { body, world_from_model: here, clip: 1, seconds };
    let poses = [clip(7, f32::NAN), clip(9, 0.0)];
    let posed = call(|error| unsafe { bonebox_world_pose_from_clips(world.0, poses.as_ptr(), 2, error) });
    assert_failed(posed, BoneboxResult::PoseRefused, "body 7");
    let mut unposed = [0; 2];
    let mut count = 0;
    call(|error| unsafe { bonebox_world_unposed_bodies(world.0, unposed.as_mut_ptr(), 2, &mut count, error) }).unwrap();
    assert_eq!((count, unposed[0]), (1, 7));

    let origin = BoneboxVec3::default();
    let ray = BoneboxRay { origin, direction: origin, max_time: 1.0 };
    let mut is = false;
    let cast = |ray: &BoneboxRay, is: *mut bool| {
        value(|out, error| unsafe { bonebox_world_cast_ray(world.0, ray, null(), is, out, error) })
    };
    assert_failed(cast(&ray, &mut is), InvalidArgument, "`ray`");
    let ray = BoneboxRay { direction: BoneboxVec3 { x: 1.0, ..origin }, max_time: f32::NAN, ..ray };
    assert_failed(cast(&ray, &mut is), InvalidArgument, "max_time is NaN");
    assert_failed(cast(&BoneboxRay { max_time: 1.0, ..ray }, null_mut()), NullPointer, "`found` is NULL");
    let sphere = |radius, capacity| {
        let mut count = 0;
        let (out, filter) = (null_mut(), null());
        call(|error| unsafe {
            bonebox_world_overlapping_boxes(
                world.0,
                &bonebox_shape_sphere(origin, radius),
                filter,
                out,
                capacity,
                &mut count,
                error,
            )
        })
    };
    assert_failed(sphere(-1.0, 0), InvalidArgument, "radius");
    assert_failed(sphere(9.0, 4), NullPointer, "`out` is NULL");
    assert_failed(
        sphere(9.0, 0),
        BoneboxResult::BufferTooSmall,
        "24 elements were found, but the buffer has room for 0",
    );
    let ball = |radius| bonebox_shape_sphere(origin, radius);
    let cast = |from: BoneboxShape, to: BoneboxShape| {
        let mut count = 0;
        let (out, filter) = (null_mut(), null());
        call(|error| unsafe {
            bonebox_world_cast_shape_all(world.0, &from, &to, 0.0, filter, out, 0, &mut count, error)
        })
    };
    assert_failed(cast(ball(1.0), ball(-1.0)), InvalidArgument, "`to`: ");
    assert_failed(cast(bonebox_shape_capsule(origin, origin, -1.0), ball(1.0)), InvalidArgument, "`from`: ");
    let mut sweeps = 0;
    let sweep =
        call(|error| unsafe { bonebox_world_sweep_all(world.0, f32::NAN, null(), null_mut(), 0, &mut sweeps, error) });
    assert_failed(sweep, InvalidArgument, "tolerance is NaN");
    let any = |tolerance, any: *mut bool| {
        call(|error| unsafe { bonebox_world_sweep_any(world.0, tolerance, null(), any, error) })
    };
    assert_failed(any(2.0, &mut is), InvalidArgument, "tolerance is 2");
    assert_failed(any(0.0, null_mut()), NullPointer, "`any` is NULL");
}

#[test]
fn a_failure_without_a_place_for_its_message() {
    assert_eq!(unsafe { bonebox_world_update(null_mut(), null_mut()) }, BoneboxResult::NullPointer);
    assert_eq!(unsafe { bonebox_world_free(null_mut()) }, BoneboxResult::Ok);
    assert_eq!(unsafe { bonebox_character_hitbox_count(null()) }, 0);
}

/// Release builds do not look.
#[cfg(debug_assertions)]
#[test]
fn handles_that_were_freed_or_are_of_another_type() {
    use BoneboxResult::InvalidHandle;
    let world = value(|out, error| unsafe { bonebox_world_new(out, error) }).unwrap();
    assert_eq!(unsafe { bonebox_world_free(world) }, BoneboxResult::Ok);
    assert_eq!(unsafe { bonebox_world_free(world) }, InvalidHandle);
    assert_failed(call(|error| unsafe { bonebox_world_update(world, error) }), InvalidHandle, "the object was freed");
    let pose = OwnPose::new();
    let wrong = call(|error| unsafe { bonebox_world_update(pose.0.cast(), error) });
    assert_failed(wrong, InvalidHandle, "`world` does not point to a live BoneboxWorld");
    let mut nowhere = MaybeUninit::<BoneboxBounds>::uninit();
    let wild = call(|error| unsafe { bonebox_pose_bounds(std::ptr::dangling(), nowhere.as_mut_ptr(), error) });
    assert_failed(wild, InvalidHandle, "`pose`");
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = format!("{BONEBOX_VERSION_MAJOR}.{BONEBOX_VERSION_MINOR}.{BONEBOX_VERSION_PATCH}");
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    assert_eq!(bonebox_version(), 1_000);
}
