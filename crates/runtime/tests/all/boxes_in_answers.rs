//! Every answer names hitboxes, because tags belong to hitboxes.

use baked_characters::baked_arm;
use geometry_core::{Obb, Ray, Sphere};
use glam::{Affine3A, Quat, Vec3};
use runtime::{
    BodyId, BodyMotion, BodySettings, BoxIndex, Character, HitboxWorld, PosedCharacter, QueryFilter, cast_shape_all,
    contacts, distance, overlapping_boxes, overlapping_joints, sweep_all,
};
use std::sync::Arc;

/// Each joint has two hitboxes, 0.5 units high: a lower and an upper one, with a tag for its place.
fn halved_arm() -> Character {
    let mut baked = baked_arm("halved arm");
    let mut boxes = Vec::new();
    for one in &baked.boxes {
        for (tag, y) in [("lower", 0.25), ("upper", 0.75)] {
            let mut half = one.clone();
            (half.tags, half.center.y, half.half_extents.y) = (vec![tag.into()], y, 0.25);
            boxes.push(half);
        }
    }
    baked.boxes = boxes;
    Character::from_baked(baked)
}

fn posed(arm: &Character, at: Vec3) -> PosedCharacter {
    let mut posed = PosedCharacter::new();
    posed.pose_from_rest(arm, &Affine3A::from_translation(at)).unwrap();
    posed
}

#[test]
fn a_hitbox_has_its_joint_name_and_tags() {
    let arm = halved_arm();
    let hitbox = arm.hitbox(BoxIndex(3)).unwrap();
    assert_eq!((hitbox.joint_name, hitbox.tags, hitbox.joint.0), ("fore", &["upper".to_string()][..], 2));
    assert_eq!(arm.hitboxes().map(|one| one.index.0).collect::<Vec<_>>(), [0, 1, 2, 3]);
    let posed = posed(&arm, Vec3::ZERO);
    let forearm = posed.hitbox(BoxIndex(3)).unwrap();
    assert_eq!((forearm.joint, forearm.center), (hitbox.joint, Vec3::new(0.0, 2.75, 0.0)));
    assert!(posed.hitbox(BoxIndex(4)).is_none() && PosedCharacter::new().hitbox(BoxIndex(0)).is_none());
}

#[test]
fn two_characters_answer_with_boxes_and_joints_are_a_view() {
    let arm = halved_arm();
    // The upper half of b's forearm at the height of the lower half of a's upper arm, 0.1 deep along x.
    let (a, b) = (posed(&arm, Vec3::ZERO), posed(&arm, Vec3::new(0.5, -1.5, 0.0)));
    let (mut boxes, mut joints, mut found) = (Vec::new(), Vec::new(), Vec::new());
    overlapping_boxes(&a, &b, &mut boxes);
    // a's box 0 spans y from 1 to 1.5, b's box 3 the same; they touch at 1.0 and 1.5 too.
    assert_eq!(boxes.iter().map(|pair| (pair.box_a.0, pair.box_b.0)).collect::<Vec<_>>(), [(0, 2), (0, 3), (1, 3)]);
    overlapping_joints(&a, &b, &mut joints);
    assert_eq!(joints.iter().map(|pair| (pair.joint_a.0, pair.joint_b.0)).collect::<Vec<_>>(), [(1, 2)]);
    contacts(&a, &b, &mut found);
    assert!(found.iter().map(|one| (one.box_a, one.box_b)).eq(boxes.iter().map(|pair| (pair.box_a, pair.box_b))));
    let nearest = distance(&a, &posed(&arm, Vec3::Y * 5.0), None).unwrap();
    assert_eq!((nearest.box_a.0, nearest.box_b.0, nearest.joint_a.0, nearest.joint_b.0), (3, 0, 2, 1));
}

#[test]
fn sweeps_name_boxes_and_where_they_hit() {
    let arm = halved_arm();
    let (from, to, still) = (posed(&arm, Vec3::X * -10.0), posed(&arm, Vec3::X * 10.0), posed(&arm, Vec3::Y * 1.5));
    let (moving, still) = (BodyMotion::new(&from, &to).unwrap(), BodyMotion::still(&still));
    let mut hits = Vec::new();
    sweep_all(&moving, &still, None, &mut hits);
    let hit = hits.iter().find(|hit| (hit.box_a.0, hit.box_b.0) == (3, 0)).unwrap();
    assert_eq!((hit.joint_a.0, hit.joint_b.0), (2, 1));
    let contact = hit.contact(&moving, &still).unwrap();
    assert!((contact.center() - Vec3::new(-0.3, 2.75, 0.0)).length() < 0.01, "{}", contact.center());

    let blade = |x| Obb::from_orientation(Vec3::new(x, 2.75, 0.0), Vec3::splat(0.1), Quat::IDENTITY);
    let mut casts = Vec::new();
    cast_shape_all(&blade(-10.0), &blade(10.0), &BodyMotion::still(&from), None, &mut casts);
    assert_eq!(arm.hitbox(casts[0].box_index).unwrap().tags, ["upper"]);
}

#[test]
fn a_world_answers_with_boxes() {
    let arm = Arc::new(halved_arm());
    let mut world = HitboxWorld::new();
    for (id, at) in [(1, Vec3::ZERO), (2, Vec3::new(0.5, -1.5, 0.0))] {
        world.insert(BodyId(id), Arc::clone(&arm), BodySettings::default()).unwrap();
        world.pose_from_rest(BodyId(id), &Affine3A::from_translation(at)).unwrap();
    }
    world.update();
    let touches = world.touches();
    assert_eq!(touches.iter().map(|one| (one.box_a.0, one.box_b.0)).collect::<Vec<_>>(), [(0, 2), (0, 3), (1, 3)]);
    let contact = world.contact(&touches[1]).unwrap();
    assert!((contact.depth - 0.1).abs() < 1e-6 && (contact.center().y - 1.25).abs() < 1e-6);
    let ray = Ray::try_new(Vec3::new(-5.0, 2.6, 0.0), Vec3::X).unwrap();
    let hit = world.cast_ray(&ray, None, &QueryFilter::default()).unwrap();
    let body = world.body(hit.body).unwrap();
    assert_eq!(body.character().hitbox(hit.box_index).unwrap().tags, ["upper"]);
    assert_eq!(body.posed_hitbox(hit.box_index).unwrap().joint, hit.joint);
    let mut boxes = Vec::new();
    world.overlapping_boxes(&Sphere::try_new(Vec3::Y * 2.75, 0.1).unwrap(), &QueryFilter::default(), &mut boxes);
    assert_eq!((boxes.len(), boxes[0].box_index, boxes[0].joint.0), (1, BoxIndex(3), 2));
}
