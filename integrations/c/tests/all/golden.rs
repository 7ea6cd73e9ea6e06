//! The golden scenes of `runtime` through the C library: the same sums of the same answers.

use crate::door::{OwnCharacter, OwnMask, OwnPose, OwnSet, OwnWorld, all, call, found, matrix, value, vec3};
use baked_characters::baked_figure;
use baked_characters::golden_scenes::layers::{LayerMask, UPPER_BODY, baked_layered_figure, joint_weight, layers};
use baked_characters::golden_scenes::scene::{BODIES, KINDS, Random, STEP, Sum, TOLERANCE, place};
use baked_format::BakedCharacter;
use bonebox_c::*;
use std::fmt::Write;
use std::ptr::{null, null_mut};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/runtime/tests/golden/scene.txt");
const GOLDEN_LAYERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/runtime/tests/golden/layers.txt");

fn blade(random: &mut Random) -> BoneboxShape {
    let (center, turn) = (random.spot(), random.turn());
    bonebox_shape_box(BoneboxOrientedBox {
        center: vec3(center),
        half_extents: BoneboxVec3 { x: 0.03, y: 0.6, z: 0.05 },
        orientation: BoneboxQuat { x: turn.x, y: turn.y, z: turn.z, w: turn.w },
    })
}

fn add_vector(sum: &mut Sum, v: BoneboxVec3) {
    sum.vector(v.into());
}

fn add_boxes(sum: &mut Sum, a: u16, b: u16) {
    sum.add(u64::from(a) << 16 | u64::from(b));
}

fn get_pose(world: &OwnWorld, body: u64) -> OwnPose {
    let pose = OwnPose::new();
    call(|error| unsafe { bonebox_world_get_pose(world.0, body, pose.0, error) }).unwrap();
    pose
}

fn ask(sums: &mut [Sum; 7], world: &OwnWorld, character: &OwnCharacter, random: &mut Random) {
    let [events, contact_sums, rays, shapes, distances, sweeps, weapons] = sums;
    for event in
        all(|out, room, count, error| unsafe { bonebox_world_events(world.0, out, room, count, error) }).unwrap()
    {
        let BoneboxTouch { body_a, body_b, joint_a, joint_b, .. } = event.touch;
        [body_a, body_b, joint_a.into(), joint_b.into(), event.phase as u64]
            .into_iter()
            .for_each(|word| events.add(word));
        events.answer();
    }
    let touches = all(|out, room, count, error| unsafe { bonebox_world_touches(world.0, out, room, count, error) });
    let mut pairs: Vec<_> = touches.unwrap().iter().map(|touch| [touch.body_a, touch.body_b]).collect();
    pairs.dedup();
    for [a, b] in pairs.iter().copied().filter(|[a, b]| (a + b).is_multiple_of(16)) {
        let (a, b) = (get_pose(world, a), get_pose(world, b));
        let contacts = all(|out, room, count, error| unsafe { bonebox_contacts(a.0, b.0, out, room, count, error) });
        for contact in contacts.unwrap() {
            add_boxes(contact_sums, contact.box_a, contact.box_b);
            contact_sums.number(contact.depth);
            add_vector(contact_sums, contact.direction);
            contact.points[..contact.point_count as usize].iter().for_each(|&point| add_vector(contact_sums, point));
            contact_sums.answer();
        }
    }
    for _ in 0..4 {
        let (origin, direction) = (vec3(random.spot()), vec3(random.vector().normalize()));
        let ray = BoneboxRay { origin, direction, max_time: 6.0 };
        let mut hit = |hit: &BoneboxBodyRayHit| {
            rays.add(hit.body << 16 | u64::from(hit.hitbox));
            [hit.entry, hit.exit].into_iter().for_each(|time| rays.number(time));
            add_vector(rays, hit.normal);
            rays.answer();
        };
        let hits = all(|out, room, count, error| unsafe {
            bonebox_world_cast_ray_all(world.0, &ray, null(), out, room, count, error)
        });
        hits.unwrap().iter().for_each(&mut hit);
        let first =
            found(|is, out, error| unsafe { bonebox_world_cast_ray(world.0, &ray, null(), is, out, error) }).unwrap();
        first.iter().for_each(&mut hit);
        let any = value(|out, error| unsafe { bonebox_world_cast_ray_any(world.0, &ray, null(), out, error) });
        assert_eq!(any.unwrap(), first.is_some());
    }
    let ball = bonebox_shape_sphere(vec3(random.spot()), 0.6);
    let staff = bonebox_shape_capsule(vec3(random.spot()), vec3(random.spot()), 0.1);
    let in_ball = all(|out, room, count, error| unsafe {
        bonebox_world_overlapping_boxes(world.0, &ball, null(), out, room, count, error)
    });
    let at_staff = all(|out, room, count, error| unsafe {
        bonebox_world_overlapping_boxes(world.0, &staff, null(), out, room, count, error)
    });
    for one in in_ball.unwrap().iter().chain(&at_staff.unwrap()) {
        shapes.add(one.body << 16 | u64::from(one.hitbox));
        shapes.answer();
    }
    let (from, to) = (blade(random), blade(random));
    let trail = all(|out, room, count, error| unsafe {
        bonebox_world_cast_shape_all(world.0, &from, &to, TOLERANCE, null(), out, room, count, error)
    });
    for hit in trail.unwrap() {
        weapons.add(hit.body << 16 | u64::from(hit.hitbox));
        weapons.number(hit.time);
        add_vector(weapons, hit.direction);
        weapons.answer();
    }
    for _ in 0..2 {
        let [a, b] = [0; 2].map(|_| (random.share() * BODIES as f32) as u64);
        let (a, b) = (get_pose(world, a), get_pose(world, b));
        let nearest = found(|is, out, error| unsafe { bonebox_distance(a.0, b.0, 5.0, is, out, error) }).unwrap();
        if let Some(nearest) = nearest {
            add_boxes(distances, nearest.joint_a, nearest.joint_b);
            distances.number(nearest.distance);
            add_vector(distances, nearest.point_a);
            add_vector(distances, nearest.point_b);
            distances.answer();
        }
    }
    let hit = |sweeps: &mut Sum, hit: &BoneboxSweepHit| {
        add_boxes(sweeps, hit.joint_a, hit.joint_b);
        sweeps.number(hit.time);
        add_vector(sweeps, hit.direction);
        sweeps.answer();
    };
    if let Some(&pair) = pairs.get((random.share() * pairs.len() as f32) as usize) {
        let [(a, a_next), (b, b_next)] = pair.map(|body| {
            let next = OwnPose::new();
            let (place, time) = place(body, (random.share() * 600.0) as u32);
            let place = matrix(&place);
            call(|error| unsafe { bonebox_pose_from_clip(next.0, character.0, &place, 1, time, error) }).unwrap();
            (get_pose(world, body), next)
        });
        let hits = all(|out, room, count, error| unsafe {
            bonebox_sweep_all(a.0, a_next.0, b.0, b_next.0, TOLERANCE, out, room, count, error)
        });
        let hits = hits.unwrap();
        hits.iter().for_each(|one| hit(sweeps, one));
        let first = hits.iter().min_by_key(|one| (one.time.to_bits(), one.box_a, one.box_b)).copied();
        let found_first =
            found(|is, out, error| unsafe { bonebox_sweep(a.0, a_next.0, b.0, b_next.0, TOLERANCE, is, out, error) });
        assert_eq!(found_first.unwrap(), first);
        let any = value(|out, error| unsafe { bonebox_sweep_any(a.0, a_next.0, b.0, b_next.0, TOLERANCE, out, error) });
        assert_eq!(any.unwrap(), first.is_some());
    }
    let first = found(|is, out, error| unsafe { bonebox_world_sweep(world.0, TOLERANCE, null(), is, out, error) });
    if let Some(first) = first.unwrap() {
        sweeps.add(first.body_a << 32 | first.body_b);
        let BoneboxBodySweepHit { box_a, box_b, joint_a, joint_b, time, direction, .. } = first;
        hit(sweeps, &BoneboxSweepHit { box_a, box_b, joint_a, joint_b, time, direction });
    }
}

/// Runs the scene and compares its sums with the lines of a golden file.
fn run(
    baked: &BakedCharacter,
    golden: &str,
    ticks: u32,
    mut pose: impl FnMut(&OwnCharacter, &OwnWorld, u32),
) -> (OwnCharacter, OwnWorld) {
    let character = OwnCharacter::load(&baked_format::write(baked).unwrap()).unwrap();
    let hands = OwnSet::with_tag(&character, "hand").unwrap();
    let world = OwnWorld::new();
    for id in 0..BODIES {
        let mut settings = bonebox_body_settings_default();
        (settings.has_team, settings.team) = (id.is_multiple_of(5), 1);
        settings.self_touches = id.is_multiple_of(7);
        call(|error| unsafe { bonebox_world_insert(world.0, id, character.0, &settings, error) }).unwrap();
        if id.is_multiple_of(3) {
            call(|error| unsafe { bonebox_world_set_box_layers(world.0, id, hands.0, 2, 1, error) }).unwrap();
        }
    }
    let golden = std::fs::read_to_string(golden).unwrap();
    let mut golden = golden.lines().filter(|line| !line.starts_with('#'));
    let mut sums = [const { Sum::EMPTY }; 7];
    let mut random = Random(99);
    for tick in 0..ticks {
        if tick % 8 == 7 {
            assert_eq!(unsafe { bonebox_world_start_motion(world.0, null_mut()) }, BoneboxResult::Ok);
        }
        pose(&character, &world, tick);
        world.update();
        ask(&mut sums, &world, &character, &mut random);
        if (tick + 1) % STEP == 0 {
            let mut line = format!("{:>4}", tick + 1);
            for (kind, sum) in KINDS.iter().zip(&sums) {
                write!(line, "  {kind} {:>7} {:016x}", sum.1, sum.0).unwrap();
            }
            assert_eq!(line, golden.next().unwrap());
        }
    }
    (character, world)
}

#[test]
fn all_answers_of_120_ticks() {
    let (character, world) = run(&baked_figure("figure"), GOLDEN, 120, |_, world, tick| {
        let poses: Vec<_> = (0..BODIES)
            .map(|body| {
                let (place, seconds) = place(body, tick);
                BoneboxClipPose { body, world_from_model: matrix(&place), clip: 1, seconds }
            })
            .collect();
        call(|error| unsafe { bonebox_world_pose_from_clips(world.0, poses.as_ptr(), poses.len(), error) }).unwrap();
    });
    let bodies = all(|out, room, count, error| unsafe { bonebox_world_bodies(world.0, out, room, count, error) });
    assert_eq!(bodies.unwrap().len() as u64, BODIES);
    let hitboxes = value(|out, error| unsafe { bonebox_character_hitbox(character.0, 0, out, error) }).unwrap();
    assert_eq!(hitboxes.joint, 0);
}

#[test]
fn all_answers_of_bodies_that_are_posed_by_layers() {
    let mut masks: Option<[OwnMask; 2]> = None;
    run(&baked_layered_figure("figure"), GOLDEN_LAYERS, STEP, |character, world, tick| {
        let joints = unsafe { bonebox_character_joint_count(character.0) } as u16;
        let weights: Vec<f32> = (0..joints).map(joint_weight).collect();
        let [upper_body, by_joint] = masks.get_or_insert_with(|| {
            [OwnMask::below(character, UPPER_BODY).unwrap(), OwnMask::new(character, &weights).unwrap()]
        });
        let bodies = (0..BODIES).map(|body| {
            let (place, layers) = layers(body, tick);
            let layers = layers.map(|(clip, seconds, weight, is_added, mask)| BoneboxPoseLayer {
                clip,
                seconds,
                weight,
                mode: if is_added { BoneboxLayerMode::Add } else { BoneboxLayerMode::Blend } as u32,
                mask: match mask {
                    LayerMask::None => null(),
                    LayerMask::Below => upper_body.0,
                    LayerMask::ByJoint => by_joint.0,
                },
            });
            (place, layers)
        });
        let bodies: Vec<_> = bodies.collect();
        let poses = bodies.iter().zip(0..).map(|((place, layers), body)| BoneboxLayerPose {
            body,
            world_from_model: matrix(place),
            layers: layers.as_ptr(),
            layer_count: layers.len(),
        });
        let poses: Vec<_> = poses.collect();
        call(|error| unsafe { bonebox_world_pose_from_layers(world.0, poses.as_ptr(), poses.len(), error) }).unwrap();
    });
}
