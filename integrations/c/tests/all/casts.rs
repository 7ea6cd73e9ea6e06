//! Moving spheres, capsules and boxes: the same answers as those of the run time.

use crate::door::{
    EVERYTHING, Failed, OwnPose, OwnWorld, all, assert_failed, asset, call, find_clip, found, insert, matrix, value,
    vec3,
};
use baked_characters::golden_scenes::scene::Random;
use bonebox_c::*;
use geometry_core::{Capsule, Obb, Sphere};
use glam::{Affine3A, Quat, Vec3};
use runtime::{
    BodyCastHit, BodyId, BodyMotion, BodySettings, CastHit, CastShape, Character, ClipSampler, HitboxWorld,
    PosedCharacter, QueryFilter, cast_shape_all,
};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::sync::Arc;

const BODIES: u64 = 12;

fn bodies_place(body: u64) -> Affine3A {
    Affine3A::from_translation(Vec3::new((body % 4) as f32, 0.0, (body / 4) as f32))
}

fn runa() -> Character {
    let path = format!("{}/../../assets/runa.bonebox", env!("CARGO_MANIFEST_DIR"));
    Character::load(&std::fs::read(path).unwrap()).unwrap()
}

/// The same crowd through the C library and in the run time.
fn crowds() -> (OwnWorld, HitboxWorld) {
    let (c_runa, c_world, runa) = (asset("runa"), OwnWorld::new(), Arc::new(runa()));
    let mut world = HitboxWorld::new();
    for body in 0..BODIES {
        let place = bodies_place(body);
        insert(&c_world, body, &c_runa);
        call(|error| unsafe { bonebox_world_pose_from_rest(c_world.0, body, &matrix(&place), error) }).unwrap();
        world.insert(BodyId(body), Arc::clone(&runa), BodySettings::default()).unwrap();
        world.pose_from_rest(BodyId(body), &place).unwrap();
    }
    (c_world, world)
}

fn ball(shape: &Sphere) -> BoneboxShape {
    bonebox_shape_sphere(vec3(shape.center()), shape.radius())
}

fn staff(shape: &Capsule) -> BoneboxShape {
    let segment = shape.segment();
    bonebox_shape_capsule(vec3(segment.start()), vec3(segment.end()), shape.radius())
}

/// A box of the half size (0.02, 0.5, 0.1).
fn blade((center, turn): (Vec3, Quat)) -> BoneboxShape {
    bonebox_shape_box(BoneboxOrientedBox {
        center: vec3(center),
        half_extents: BoneboxVec3 { x: 0.02, y: 0.5, z: 0.1 },
        orientation: BoneboxQuat { x: turn.x, y: turn.y, z: turn.z, w: turn.w },
    })
}

fn obb((center, turn): (Vec3, Quat)) -> Obb {
    Obb::try_from_orientation(center, Vec3::new(0.02, 0.5, 0.1), turn).unwrap()
}

fn cast_all(world: &OwnWorld, from: &BoneboxShape, to: &BoneboxShape) -> Result<Vec<BoneboxBodyCastHit>, Failed> {
    all(|out, room, count, error| unsafe {
        bonebox_world_cast_shape_all(world.0, from, to, 0.0, null(), out, room, count, error)
    })
}

fn hit_of(hit: &BodyCastHit) -> BoneboxBodyCastHit {
    let &BodyCastHit { body, answer: CastHit { box_index, joint, time, direction } } = hit;
    BoneboxBodyCastHit { body: body.0, hitbox: box_index.0, joint: joint.0, time, direction: vec3(direction) }
}

/// Compares a cast in both worlds, and returns the number of hits.
fn compare<S: CastShape>(
    (c_world, world): (&OwnWorld, &HitboxWorld),
    from: &BoneboxShape,
    to: &BoneboxShape,
    [same_from, same_to]: [&S; 2],
) -> usize {
    let mut expected = Vec::new();
    world.cast_shape_all(same_from, same_to, None, &QueryFilter::default(), &mut expected);
    assert_eq!(cast_all(c_world, from, to).unwrap(), expected.iter().map(hit_of).collect::<Vec<_>>());
    let mut contact = MaybeUninit::<BoneboxCastContact>::uninit();
    let first = found(|is, out, error| unsafe {
        bonebox_world_cast_shape(c_world.0, from, to, 0.0, null(), is, out, contact.as_mut_ptr(), error)
    });
    let first = first.unwrap();
    let same = world.cast_shape(same_from, same_to, None, &QueryFilter::default());
    assert_eq!(first, same.as_ref().map(hit_of));
    let any = value(|out, error| unsafe { bonebox_world_cast_shape_any(c_world.0, from, to, 0.0, null(), out, error) });
    assert_eq!(any.unwrap(), same.is_some());
    if let Some(same) = same {
        let (contact, expected) =
            (unsafe { contact.assume_init() }, world.cast_contact(same_from, same_to, &same).unwrap());
        assert_eq!((contact.point, contact.depth), (vec3(expected.point), expected.depth));
        assert_eq!(contact.direction, vec3(expected.direction));
    }
    expected.len()
}

#[test]
fn worlds_answer_as_the_run_time_does() {
    let (c_world, world) = crowds();
    let (worlds, mut random, mut hits) = ((&c_world, &world), Random(11), [0; 3]);
    let spot =
        |random: &mut Random| Vec3::new(random.share() * 5.0 - 1.0, random.share() * 2.0, random.share() * 4.0 - 1.0);
    for _ in 0..40 {
        let [from, to] = [0.1, 0.1].map(|radius| Sphere::try_new(spot(&mut random), radius).unwrap());
        hits[0] += compare(worlds, &ball(&from), &ball(&to), [&from, &to]);
        let [from, to] =
            [0.05, 0.05].map(|radius| Capsule::try_new(spot(&mut random), spot(&mut random), radius).unwrap());
        hits[1] += compare(worlds, &staff(&from), &staff(&to), [&from, &to]);
        let [from, to] = [0; 2].map(|_| (spot(&mut random), random.turn()));
        hits[2] += compare(worlds, &blade(from), &blade(to), [&obb(from), &obb(to)]);
    }
    assert!(hits.iter().all(|&count| count > 100), "{hits:?}");
}

#[test]
fn one_character_is_hit_while_it_moves() {
    let (c_runa, runa) = (asset("runa"), runa());
    let jab = runa.find_clip("jab").unwrap();
    assert_eq!(jab.0, find_clip(&c_runa, "jab"));
    let places = [Affine3A::IDENTITY, Affine3A::from_translation(Vec3::X)];
    let c_poses = [OwnPose::new(), OwnPose::new()];
    let mut poses = [PosedCharacter::new(), PosedCharacter::new()];
    for ((c_pose, pose), (place, seconds)) in c_poses.iter().zip(&mut poses).zip(places.iter().zip([0.1, 0.3])) {
        let c_place = matrix(place);
        call(|error| unsafe { bonebox_pose_from_clip(c_pose.0, c_runa.0, &c_place, jab.0, seconds, error) }).unwrap();
        pose.pose_from_clip(&mut ClipSampler::new(), &runa, place, jab, seconds).unwrap();
    }
    let [from, to] = [-1.0, 2.0].map(|x| Sphere::try_new(Vec3::new(x, 1.2, 0.1), 0.15).unwrap());
    let motion = BodyMotion::new(&poses[0], &poses[1]).unwrap();
    let mut expected = Vec::new();
    cast_shape_all(&from, &to, &motion, None, &mut expected);
    let (c_from, c_to) = (ball(&from), ball(&to));
    let hits = all(|out, room, count, error| unsafe {
        bonebox_cast_shape_all(&c_from, &c_to, c_poses[0].0, c_poses[1].0, 0.0, out, room, count, error)
    });
    let hits = hits.unwrap();
    let of = |hit: &CastHit| BoneboxCastHit {
        hitbox: hit.box_index.0,
        joint: hit.joint.0,
        time: hit.time,
        direction: vec3(hit.direction),
    };
    assert_eq!(hits, expected.iter().map(of).collect::<Vec<_>>());
    assert!(hits.len() > 3, "{hits:?}");
    let contact = |hit: &BoneboxCastHit| {
        value(|out, error| unsafe { bonebox_cast_contact(&c_from, &c_to, c_poses[0].0, c_poses[1].0, hit, out, error) })
    };
    for (hit, expected) in hits.iter().zip(&expected) {
        let expected = expected.contact(&from, &to, &motion).unwrap();
        let found: BoneboxCastContact = contact(hit).unwrap();
        assert_eq!((found.point, found.depth), (vec3(expected.point), expected.depth));
    }
    let mut first_contact = MaybeUninit::<BoneboxCastContact>::uninit();
    let first = found(|is, out, error| unsafe {
        let place = first_contact.as_mut_ptr();
        bonebox_cast_shape(&c_from, &c_to, c_poses[0].0, c_poses[1].0, 0.0, is, out, place, error)
    });
    assert_eq!(first.unwrap(), Some(hits[0]));
    assert_eq!(unsafe { first_contact.assume_init() }, contact(&hits[0]).unwrap());
    let any = |to: &BoneboxShape| {
        let any = value(|out, error| unsafe {
            bonebox_cast_shape_any(&c_from, to, c_poses[0].0, c_poses[1].0, 0.0, out, error)
        });
        any.unwrap()
    };
    assert!(any(&c_to) && !any(&c_from));
    let unknown = BoneboxCastHit { hitbox: 999, ..hits[0] };
    assert_failed(contact(&unknown), BoneboxResult::NotFound, "no hitbox 999");

    let bruno = OwnPose::new();
    let here = matrix(&Affine3A::IDENTITY);
    call(|error| unsafe { bonebox_pose_from_rest(bruno.0, asset("bruno").0, &here, error) }).unwrap();
    let other = all(|out, room, count, error| unsafe {
        bonebox_cast_shape_all(&c_from, &c_to, c_poses[0].0, bruno.0, 0.0, out, room, count, error)
    });
    assert_failed(other, BoneboxResult::WrongCharacter, "runa");
}

#[test]
fn filters_and_shapes_that_are_refused() {
    use BoneboxResult::{InvalidArgument, NullPointer};
    let (world, _) = crowds();
    let at = |x: f32| bonebox_shape_sphere(BoneboxVec3 { x, y: 1.0, z: 0.0 }, 0.1);
    let hits = |filter: *const BoneboxFilter| {
        all(|out, room, count, error| unsafe {
            bonebox_world_cast_shape_all(world.0, &at(-2.0), &at(9.0), 0.0, filter, out, room, count, error)
        })
        .unwrap()
    };
    assert_eq!(hits(null())[0].body, 0);
    let own = [0, 1, 2];
    let others = BoneboxFilter { exclude: own.as_ptr(), exclude_count: own.len(), ..EVERYTHING };
    assert!(hits(&others).iter().all(|hit| hit.body == 3) && !hits(&others).is_empty());

    let ball = at(0.0);
    let cast = |from: &BoneboxShape, to: &BoneboxShape| cast_all(&world, from, to);
    let staff = bonebox_shape_capsule(ball.start, ball.start, 0.1);
    assert_failed(cast(&ball, &staff), InvalidArgument, "shapes of two kinds");
    let odd = BoneboxShape { kind: 3, ..ball };
    assert_failed(cast(&odd, &odd), InvalidArgument, "the kind of `from` is 3");
    assert_failed(cast(&ball, &BoneboxShape { radius: -1.0, ..ball }), InvalidArgument, "radius");
    let nowhere = BoneboxShape { end: BoneboxVec3 { x: f32::NAN, y: 0.0, z: 0.0 }, ..staff };
    assert_failed(cast(&nowhere, &staff), InvalidArgument, "");
    let mut flat = blade((Vec3::ZERO, Quat::IDENTITY));
    flat.oriented_box.half_extents.x = -1.0;
    assert_failed(cast(&flat, &flat), InvalidArgument, "`from`");
    let missing = all(|out: *mut BoneboxBodyCastHit, room, count, error| unsafe {
        bonebox_world_cast_shape_all(world.0, &ball, null(), 0.0, null(), out, room, count, error)
    });
    assert_failed(missing, NullPointer, "`to` is NULL");
    let tolerance = found(|is, out, error| unsafe {
        bonebox_world_cast_shape(world.0, &ball, &ball, 2.0, null(), is, out, null_mut(), error)
    });
    assert_failed(tolerance, InvalidArgument, "tolerance is 2");
}
