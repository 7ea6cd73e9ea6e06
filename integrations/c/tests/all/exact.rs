//! Exact answers through the C library: the golden scene of `runtime`, poses without a world, and every failure.

use crate::door::{
    Failed, OwnCharacter, OwnPose, OwnWorld, all, assert_failed, asset, call, found, matrix, text, value, vec3,
};
use baked_characters::golden_scenes::scene::{Random, STEP, Sum};
use baked_characters::golden_scenes::tubes::{TUBES, place, spot};
use bonebox_c::*;
use glam::{Affine3A, Vec3};
use std::fmt::Write;
use std::ptr::{null, null_mut};

const TICKS: u32 = 120;
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/runtime/tests/golden/exact.txt");

fn tube() -> OwnCharacter {
    OwnCharacter::load(&baked_format::write(&baked_characters::baked_tube("tube")).unwrap()).unwrap()
}

fn insert_tracked(world: &OwnWorld, body: u64, character: &OwnCharacter) {
    crate::door::insert(world, body, character);
    call(|error| unsafe { bonebox_world_track_skin(world.0, body, true, error) }).unwrap();
}

fn exact_touches(world: &OwnWorld) -> Result<Vec<BoneboxSkinTouch>, Failed> {
    all(|out, room, count, error| unsafe { bonebox_world_exact_touches(world.0, null(), out, room, count, error) })
}

fn exact_overlap_all(
    a: &OwnPose,
    b: &OwnPose,
    candidates: BoneboxSkinCandidates,
) -> Result<Vec<BoneboxSkinOverlap>, Failed> {
    let candidates = candidates as u32;
    all(|out, room, count, error| unsafe { bonebox_exact_overlap_all(a.0, b.0, candidates, out, room, count, error) })
}

fn exact_overlap(a: &OwnPose, b: &OwnPose) -> Result<Option<BoneboxSkinOverlap>, Failed> {
    let candidates = BoneboxSkinCandidates::Bounds as u32;
    found(|is, out, error| unsafe { bonebox_exact_overlap(a.0, b.0, candidates, is, out, error) })
}

fn exact_shape_overlaps(world: &OwnWorld, shape: &BoneboxShape) -> Result<Vec<BoneboxBodySkinShapeOverlap>, Failed> {
    all(|out, room, count, error| unsafe {
        bonebox_world_exact_shape_overlaps(world.0, shape, null(), out, room, count, error)
    })
}

/// Asks what the golden scene asks.
fn ask(sums: &mut [Sum; 5], world: &OwnWorld, random: &mut Random) {
    let [touches, rays, shapes, distances, insides] = sums;
    for touch in exact_touches(world).unwrap() {
        touches.add(touch.body_a << 32 | touch.body_b);
        touches.add(u64::from(touch.joint_a) << 16 | u64::from(touch.joint_b));
        touches.add(u64::from(touch.source_triangle_a) << 32 | u64::from(touch.source_triangle_b));
        touches.vector(touch.point.into());
        touches.answer();
    }
    for _ in 0..8 {
        let from = spot(random);
        let direction = vec3(spot(random) - from);
        let ray = BoneboxRay { origin: vec3(from), direction, max_time: f32::INFINITY };
        let first = found(|is, out, error| unsafe { bonebox_world_exact_ray(world.0, &ray, null(), is, out, error) });
        if let Some(hit) = first.unwrap() {
            rays.add(hit.body << 48 | u64::from(hit.joint) << 32 | u64::from(hit.source_triangle));
            rays.number(hit.time);
            rays.vector(hit.point.into());
            rays.vector(hit.normal.into());
            rays.vector(hit.barycentric.into());
            rays.answer();
        }
    }
    let ball = bonebox_shape_sphere(vec3(spot(random)), 0.3);
    let staff = bonebox_shape_capsule(vec3(spot(random)), vec3(spot(random)), 0.05);
    let (center, turn) = (vec3(spot(random)), random.turn());
    let blade = bonebox_shape_box(BoneboxOrientedBox {
        center,
        half_extents: BoneboxVec3 { x: 0.03, y: 0.6, z: 0.05 },
        orientation: BoneboxQuat { x: turn.x, y: turn.y, z: turn.z, w: turn.w },
    });
    for one in [ball, staff, blade].iter().flat_map(|shape| exact_shape_overlaps(world, shape).unwrap()) {
        shapes.add(one.body << 48 | u64::from(one.joint) << 32 | u64::from(one.source_triangle));
        shapes.answer();
    }
    let first = (random.share() * TUBES as f32) as u64;
    let second = (first + 1 + (random.share() * (TUBES - 1) as f32) as u64) % TUBES;
    let nearest: Option<BoneboxSkinDistance> =
        found(|is, out, error| unsafe { bonebox_world_exact_distance(world.0, first, second, 3.0, is, out, error) })
            .unwrap();
    if let Some(nearest) = nearest {
        distances.add(u64::from(nearest.source_triangle_a) << 32 | u64::from(nearest.source_triangle_b));
        distances.number(nearest.distance);
        distances.vector(nearest.point_a.into());
        distances.vector(nearest.point_b.into());
        distances.answer();
    }
    let point = vec3(spot(random));
    let inside = all(|out, room, count, error| unsafe {
        bonebox_world_bodies_containing(world.0, point, null(), out, room, count, error)
    });
    for body in inside.unwrap() {
        insides.add(body);
        insides.answer();
    }
}

#[test]
fn all_answers_are_those_of_the_golden_scene() {
    let (tube, world) = (tube(), OwnWorld::new());
    (0..TUBES).for_each(|body| insert_tracked(&world, body, &tube));
    let golden = std::fs::read_to_string(GOLDEN).unwrap();
    let mut golden = golden.lines().filter(|line| !line.starts_with('#'));
    let mut random = Random(7);
    let mut sums = [const { Sum::EMPTY }; 5];
    for tick in 0..TICKS {
        let pose = |body| {
            let (place, seconds) = place(body, tick);
            BoneboxClipPose { body, world_from_model: matrix(&place), clip: 0, seconds }
        };
        let poses: Vec<_> = (0..TUBES).map(pose).collect();
        call(|error| unsafe { bonebox_world_pose_from_clips(world.0, poses.as_ptr(), poses.len(), error) }).unwrap();
        world.update();
        ask(&mut sums, &world, &mut random);
        if (tick + 1) % STEP == 0 {
            let mut line = format!("{:>4}", tick + 1);
            for (kind, sum) in ["touches", "rays", "shapes", "distances", "insides"].iter().zip(&sums) {
                write!(line, "  {kind} {:>6} {:016x}", sum.1, sum.0).unwrap();
            }
            assert_eq!(line, golden.next().unwrap());
        }
    }
}

#[test]
fn corners_of_hitboxes_overlap_and_the_skins_do_not() {
    let (tube, a, b) = (tube(), OwnPose::new(), OwnPose::new());
    assert!(unsafe { bonebox_character_has_skin(tube.0) });
    let pose = |pose: &OwnPose, by: Vec3| {
        call(|error| unsafe { bonebox_pose_track_skin(pose.0, true, error) }).unwrap();
        let place = matrix(&Affine3A::from_translation(by));
        call(|error| unsafe { bonebox_pose_from_rest(pose.0, tube.0, &place, error) }).unwrap();
    };
    pose(&a, Vec3::ZERO);
    pose(&b, Vec3::new(0.9, 0.0, 0.9));
    assert!(value(|out, error| unsafe { bonebox_overlaps(a.0, b.0, out, error) }).unwrap());
    assert!(exact_overlap_all(&a, &b, BoneboxSkinCandidates::Bounds).unwrap().is_empty());
    assert_eq!(exact_overlap(&a, &b).unwrap(), None);
    pose(&b, Vec3::new(0.6, 0.0, 0.6));
    let touches = exact_overlap_all(&a, &b, BoneboxSkinCandidates::Bounds).unwrap();
    assert_eq!(exact_overlap_all(&a, &b, BoneboxSkinCandidates::Hitboxes).unwrap(), touches);
    assert_eq!(
        touches.iter().map(|one| [one.joint_a, one.joint_b]).collect::<Vec<_>>(),
        [[1, 1], [1, 2], [2, 1], [2, 2]]
    );
    assert!(touches.contains(&exact_overlap(&a, &b).unwrap().unwrap()));
    let point = Vec3::from(touches[0].point);
    assert!((point.x - 0.3).abs() < 0.3 && (point.z - 0.3).abs() < 0.3, "{point}");

    let ray = |x| BoneboxRay {
        origin: BoneboxVec3 { x, y: 2.5, z: 0.0 },
        direction: BoneboxVec3 { x: 1.0, y: 0.0, z: 0.0 },
        max_time: 10.0,
    };
    let cast =
        |ray: BoneboxRay| found(|is, out, error| unsafe { bonebox_pose_exact_ray(a.0, &ray, is, out, error) }).unwrap();
    let hit = cast(ray(-10.0)).unwrap();
    assert_eq!((hit.joint, hit.front), (2, true));
    assert!((hit.point.x + 0.5).abs() < 1e-6 && (hit.barycentric.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{hit:?}");
    // The tube has no attributes.
    assert_eq!((hit.shading_normal, hit.has_texture_coordinate, hit.texture_coordinate), (hit.normal, false, [0.0; 2]));
    assert!(!cast(ray(0.0)).unwrap().front, "from inside");
    assert_eq!(cast(ray(1.0)), None);
}

#[test]
fn shapes_points_and_distances_of_single_poses() {
    let (tube, a, b) = (tube(), OwnPose::new(), OwnPose::new());
    for (pose, x) in [(&a, 0.0), (&b, 3.0)] {
        call(|error| unsafe { bonebox_pose_track_skin(pose.0, true, error) }).unwrap();
        let place = matrix(&Affine3A::from_translation(Vec3::X * x));
        call(|error| unsafe { bonebox_pose_from_rest(pose.0, tube.0, &place, error) }).unwrap();
    }
    let overlaps = |shape: BoneboxShape| {
        all(|out, room, count, error| unsafe {
            bonebox_pose_exact_shape_overlaps(a.0, &shape, out, room, count, error)
        })
    };
    let at = |x| BoneboxVec3 { x, y: 2.5, z: 0.0 };
    let touched: Vec<BoneboxSkinShapeOverlap> = overlaps(bonebox_shape_sphere(at(0.55), 0.1)).unwrap();
    assert_eq!(touched.iter().map(|one| one.joint).collect::<Vec<_>>(), [2]);
    assert!(overlaps(bonebox_shape_sphere(at(0.0), 0.1)).unwrap().is_empty(), "inside, nothing touches");
    let (above, below) = (BoneboxVec3 { y: 5.0, ..at(0.45) }, BoneboxVec3 { y: 0.0, ..at(0.45) });
    assert_eq!(overlaps(bonebox_shape_capsule(above, below, 0.1)).unwrap().len(), 2);
    let odd = BoneboxShape { kind: 7, ..bonebox_shape_sphere(at(0.0), 0.1) };
    assert_failed(overlaps(odd), BoneboxResult::InvalidArgument, "the kind of `shape` is 7");
    let contains =
        |pose: &OwnPose, point| value(|out, error| unsafe { bonebox_pose_skin_contains(pose.0, point, out, error) });
    assert_eq!([contains(&a, at(0.2)), contains(&b, at(0.2)), contains(&b, at(3.2))], [Ok(true), Ok(false), Ok(true)]);
    let distance =
        |max| found(|is, out, error| unsafe { bonebox_exact_distance(a.0, b.0, max, is, out, error) }).unwrap();
    let nearest: BoneboxSkinDistance = distance(f32::INFINITY).unwrap();
    assert!((nearest.distance - 2.0).abs() < 1e-5 && (nearest.point_b.x - 2.5).abs() < 1e-5, "{nearest:?}");
    assert_eq!(distance(1.9), None);

    let unposed = OwnPose::new();
    assert_failed(contains(&unposed, at(0.0)), BoneboxResult::PoseRefused, "pose the character first");
    let same = found(|is, out, error| unsafe { bonebox_exact_distance(a.0, a.0, 1.0, is, out, error) });
    assert_failed(same, BoneboxResult::InvalidArgument, "the same pose");
    let world = OwnWorld::new();
    insert_tracked(&world, 1, &tube);
    let same = found(|is, out, error| unsafe { bonebox_world_exact_distance(world.0, 1, 1, 9.0, is, out, error) });
    assert_failed(same, BoneboxResult::InvalidArgument, "1");
    let other = found(|is, out, error| unsafe { bonebox_world_exact_distance(world.0, 1, 2, 9.0, is, out, error) });
    assert_failed(other, BoneboxResult::NoBody, "body 2");
}

#[test]
fn bodies_that_contain_a_point() {
    let (tube, world) = (tube(), OwnWorld::new());
    let pose = |body, x: f32| {
        let place = matrix(&Affine3A::from_translation(Vec3::X * x));
        call(|error| unsafe { bonebox_world_pose_from_rest(world.0, body, &place, error) })
    };
    // Three tubes of radius 0.5: two that overlap, and one far away.
    for (body, x) in [(9, 0.4), (4, 0.0), (7, 30.0)] {
        insert_tracked(&world, body, &tube);
        pose(body, x).unwrap();
    }
    let point = |x| BoneboxVec3 { x, y: 2.5, z: 0.0 };
    let ask = |x, filter: *const BoneboxFilter| {
        all(|out, room, count, error| unsafe {
            bonebox_world_bodies_containing(world.0, point(x), filter, out, room, count, error)
        })
    };
    let inside = |x| ask(x, null()).unwrap();
    assert_eq!(inside(0.2), [4, 9], "sorted by id");
    assert_eq!((inside(-0.2), inside(0.6), inside(30.2)), (vec![4], vec![9], vec![7]));
    assert_eq!((inside(-0.6), inside(2.0), inside(f32::NAN)), (vec![], vec![], vec![]));
    let corner = BoneboxVec3 { z: 0.3, ..point(0.45) };
    let near = all(|out, room, count, error| unsafe {
        bonebox_world_bodies_containing(world.0, corner, null(), out, room, count, error)
    });
    assert_eq!(near.unwrap(), [9], "in the bounds of body 4, but outside its skin");

    let exclude = [4];
    let filter = BoneboxFilter { exclude: exclude.as_ptr(), exclude_count: 1, ..crate::door::EVERYTHING };
    assert_eq!(ask(0.2, &filter).unwrap(), [9]);
    let tag = crate::door::c("no such tag");
    let tags = [tag.as_ptr()];
    let filter = BoneboxFilter { tags: tags.as_ptr(), tag_count: 1, ..crate::door::EVERYTHING };
    assert_eq!(ask(0.2, &filter).unwrap(), [0; 0], "no hitbox has the tag");
    unsafe extern "C" fn is_nine(body: u64, _hitbox: u16, _user: *mut std::ffi::c_void) -> bool {
        body == 9
    }
    let filter = BoneboxFilter { predicate: Some(is_nine), ..crate::door::EVERYTHING };
    assert_eq!(ask(0.2, &filter).unwrap(), [9]);
    // The bodies are written as far as there is room, and all are counted.
    let (mut few, mut count) = ([0], 0);
    let written = call(|error| unsafe {
        bonebox_world_bodies_containing(world.0, point(0.2), null(), few.as_mut_ptr(), 1, &mut count, error)
    });
    assert_failed(written, BoneboxResult::BufferTooSmall, "2");
    assert_eq!((few, count), ([4], 2));

    pose(9, f32::NAN).unwrap_err();
    assert_eq!(inside(0.2), [4], "a body without a pose contains nothing");
    call(|error| unsafe { bonebox_world_track_skin(world.0, 4, false, error) }).unwrap();
    assert_failed(ask(0.2, null()), BoneboxResult::NoSkin, "body 4");
    assert_eq!(inside(30.2), [7], "a body that is not near the point needs no skin");
    let nowhere = all(|out: *mut u64, room, count, error| unsafe {
        bonebox_world_bodies_containing(null_mut(), point(0.2), null(), out, room, count, error)
    });
    assert_failed(nowhere, BoneboxResult::NullPointer, "`world` is NULL");
    let no_list = call(|error| unsafe {
        bonebox_world_bodies_containing(world.0, point(30.2), null(), null_mut(), 1, &mut count, error)
    });
    assert_failed(no_list, BoneboxResult::NullPointer, "`out` is NULL");
}

#[test]
fn source_triangles_lead_to_meshes_of_the_file() {
    let tube = tube();
    assert_eq!(unsafe { bonebox_character_skin_mesh_count(tube.0) }, 1);
    let mesh = |index| value(|out, error| unsafe { bonebox_character_skin_mesh(tube.0, index, out, error) });
    let tube_mesh = mesh(0).unwrap();
    assert_eq!((text(tube_mesh.name).as_str(), tube_mesh.node, tube_mesh.triangle_count), ("tube", 9, 64));
    assert_failed(mesh(1).map(drop), BoneboxResult::NotFound, "has no mesh 1");
    let runa = asset("runa");
    assert!(!unsafe { bonebox_character_has_skin(runa.0) });
    assert_eq!(unsafe { bonebox_character_skin_mesh_count(runa.0) }, 0);
}

/// A ray at a tube that swells meets the skin where `runtime` says.
#[test]
fn the_skin_follows_the_weights_of_its_morph_targets() {
    let tube =
        OwnCharacter::load(&baked_format::write(&baked_characters::baked_swelling_tube("tube")).unwrap()).unwrap();
    assert_eq!(unsafe { bonebox_character_morph_target_count(tube.0) }, 3);
    let target = |index| value(|out, error| unsafe { bonebox_character_morph_target(tube.0, index, out, error) });
    let names: Vec<_> =
        (0..3).map(|index| target(index).unwrap()).map(|one| (text(one.name), one.mesh, one.number)).collect();
    assert_eq!(names, [("swell".to_owned(), 0, 0), ("lean".to_owned(), 0, 1), ("tip".to_owned(), 0, 2)]);
    assert_failed(target(3).map(drop), BoneboxResult::NotFound, "has no morph target 3");
    assert_eq!(unsafe { bonebox_character_morph_target_count(null()) }, 0);

    let (here, ray) = (
        matrix(&Affine3A::IDENTITY),
        BoneboxRay { origin: vec3(Vec3::new(-10.0, 2.5, 0.0)), direction: vec3(Vec3::X), max_time: f32::INFINITY },
    );
    let pose = OwnPose::new();
    let set = |weights: &[f32]| {
        call(|error| unsafe { bonebox_pose_set_morph_weights(pose.0, tube.0, weights.as_ptr(), weights.len(), error) })
    };
    assert_failed(set(&[0.0; 3]), BoneboxResult::NoSkin, "`track_skin`");
    call(|error| unsafe { bonebox_pose_track_skin(pose.0, true, error) }).unwrap();
    let world = OwnWorld::new();
    insert_tracked(&world, 7, &tube);
    for (weights, expected) in [([0.0; 3], -0.5), ([0.5, 0.0, 0.0], -0.75), ([1.0, 0.0, 1.0], -1.0)] {
        set(&weights).unwrap();
        call(|error| unsafe { bonebox_pose_from_rest(pose.0, tube.0, &here, error) }).unwrap();
        let hit = found(|is, out, error| unsafe { bonebox_pose_exact_ray(pose.0, &ray, is, out, error) });
        let hit: BoneboxSkinRayHit = hit.unwrap().unwrap();
        assert!((hit.point.x - expected).abs() < 1e-6, "{weights:?}: {hit:?}");
        call(|error| unsafe { bonebox_world_set_morph_weights(world.0, 7, weights.as_ptr(), weights.len(), error) })
            .unwrap();
        call(|error| unsafe { bonebox_world_pose_from_rest(world.0, 7, &here, error) }).unwrap();
        call(|error| unsafe { bonebox_world_update(world.0, error) }).unwrap();
        let of_body = found(|is, out, error| unsafe { bonebox_world_exact_ray(world.0, &ray, null(), is, out, error) });
        let of_body: BoneboxBodySkinRayHit = of_body.unwrap().unwrap();
        assert_eq!(of_body.point, hit.point);
    }
    assert_failed(set(&[0.5]), BoneboxResult::InvalidArgument, "3");
    assert_failed(set(&[0.0, f32::NAN, 0.0]), BoneboxResult::InvalidArgument, "lean");
    let nobody = call(|error| unsafe { bonebox_world_set_morph_weights(world.0, 8, null(), 0, error) });
    assert_failed(nobody, BoneboxResult::NoBody, "8");
}

#[test]
fn exact_queries_need_skins_and_two_poses() {
    use BoneboxResult::{InvalidArgument, NoBody, NoSkin, NullPointer, PoseRefused};
    let (tube, runa, here) = (tube(), asset("runa"), matrix(&Affine3A::IDENTITY));
    let (a, b) = (OwnPose::new(), OwnPose::new());
    let overlaps = |a: &OwnPose, b: &OwnPose| exact_overlap_all(a, b, BoneboxSkinCandidates::Bounds).map(drop);
    assert_failed(overlaps(&a, &a), InvalidArgument, "the same pose");
    assert_failed(exact_overlap(&b, &b).map(drop), InvalidArgument, "the same pose");
    assert_failed(overlaps(&a, &b), PoseRefused, "pose the character first");
    let pose = |pose: &OwnPose, character: &OwnCharacter| {
        call(|error| unsafe { bonebox_pose_from_rest(pose.0, character.0, &here, error) }).unwrap();
    };
    pose(&a, &tube);
    assert_failed(overlaps(&a, &b), NoSkin, "`track_skin`");
    call(|error| unsafe { bonebox_pose_track_skin(a.0, true, error) }).unwrap();
    pose(&a, &tube);
    pose(&b, &runa);
    assert_failed(overlaps(&a, &b), NoSkin, "\"runa\" was baked without its skin");
    assert_failed(exact_overlap(&a, &b).map(drop), NoSkin, "bake it with");
    let nowhere = BoneboxRay { origin: BoneboxVec3::default(), direction: BoneboxVec3::default(), max_time: 1.0 };
    let ray = BoneboxRay { direction: BoneboxVec3 { x: 1.0, y: 0.0, z: 0.0 }, ..nowhere };
    let cast = |pose: *mut BoneboxPose, ray: &BoneboxRay| {
        found(|is, out, error| unsafe { bonebox_pose_exact_ray(pose, ray, is, out, error) }).map(drop)
    };
    let unknown = found(|is, out, error| unsafe { bonebox_exact_overlap(a.0, b.0, 2, is, out, error) }).map(drop);
    assert_failed(unknown, InvalidArgument, "`candidates` is 2");
    assert_failed(cast(b.0, &ray), NoSkin, "baked without its skin");
    assert_failed(cast(a.0, &nowhere), InvalidArgument, "`ray`");
    assert_failed(cast(null_mut(), &ray), NullPointer, "`pose` is NULL");
    call(|error| unsafe { bonebox_pose_track_skin(a.0, false, error) }).unwrap();
    assert_failed(cast(a.0, &ray), NoSkin, "`track_skin`");

    let world = OwnWorld::new();
    let track = |body| call(|error| unsafe { bonebox_world_track_skin(world.0, body, true, error) });
    assert_failed(track(1), NoBody, "body 1 does not exist");
    crate::door::insert(&world, 1, &runa);
    assert_failed(track(1), NoSkin, "body 1");
    insert_tracked(&world, 2, &tube);
    for body in [1, 2] {
        call(|error| unsafe { bonebox_world_pose_from_rest(world.0, body, &here, error) }).unwrap();
    }
    world.update();
    assert_failed(exact_touches(&world).map(drop), NoSkin, "body 1");
    let through = BoneboxRay { origin: BoneboxVec3 { x: -9.0, y: 1.2, z: 0.0 }, max_time: f32::INFINITY, ..ray };
    let cast = |filter: *const BoneboxFilter| {
        found(|is, out, error| unsafe { bonebox_world_exact_ray(world.0, &through, filter, is, out, error) })
    };
    assert_failed(cast(null()).map(drop), NoSkin, "body 1");
    let others = [1];
    let filter = BoneboxFilter { exclude: others.as_ptr(), exclude_count: 1, ..crate::door::EVERYTHING };
    assert_eq!(cast(&filter).unwrap().map(|hit| hit.body), Some(2));
}
