//! The lines that show hitboxes.

use crate::hulls::HULLS;
use glam::{Affine3A, Quat, Vec3};
use runtime::{BoxIndex, Character, ClipIndex, ClipSampler, HitboxShape, PosedCharacter, PosedShape};

fn posed(character: &Character, place: &Affine3A) -> PosedCharacter {
    let mut posed = PosedCharacter::new();
    posed.pose_from_clip(&mut ClipSampler::new(), character, place, ClipIndex(1), 0.4).unwrap();
    posed
}

/// Places with even and uneven scale, mirrored, and far from the origin.
fn places() -> [Affine3A; 4] {
    let turn = Quat::from_rotation_x(0.7) * Quat::from_rotation_z(-2.0);
    [
        Affine3A::IDENTITY,
        Affine3A::from_scale_rotation_translation(Vec3::splat(0.1), turn, Vec3::new(3.0, -4.0, 5.0)),
        Affine3A::from_scale_rotation_translation(Vec3::new(1.0, 3.0, -0.5), turn, Vec3::ZERO),
        Affine3A::from_rotation_translation(turn, Vec3::splat(1000.0)),
    ]
}

#[test]
fn boxes_and_hulls_are_drawn_by_their_edges() {
    for place in places() {
        let posed = posed(&HULLS, &place);
        let mut hulls = 0;
        for one in posed.boxes() {
            let lines: Vec<_> = posed.lines(one.index).collect();
            match (posed.posed_hull(one.index), one.posed_shape().unwrap()) {
                (Some(hull), _) => {
                    let corners: Vec<Vec3> = hull.corners().collect();
                    assert!(lines.iter().flatten().all(|end| corners.contains(end)));
                    assert!(hull.edges().eq(lines));
                    hulls += 1;
                }
                (None, PosedShape::Box(obb)) => assert_eq!(lines, obb.edges()),
                (None, _) => {}
            }
        }
        assert!(hulls > 0);
    }
}

/// The bounds that the documentation of `PosedCharacter::lines` states. The axes of a box are orthonormal to 1e-6.
#[test]
fn the_lines_of_capsules_and_spheres_are_on_their_surface() {
    for place in places() {
        let posed = posed(&HULLS, &place);
        let (mut capsules, mut spheres) = (0, 0);
        for one in posed.boxes() {
            let (start, end, radius) = match one.posed_shape().unwrap() {
                PosedShape::Box(_) => continue, // or a hull
                PosedShape::Capsule(capsule) => (capsule.segment().start(), capsule.segment().end(), capsule.radius()),
                PosedShape::Sphere(sphere) => (sphere.center(), sphere.center(), sphere.radius()),
            };
            let lines: Vec<_> = posed.lines(one.index).collect();
            let is_sphere = start == end;
            assert_eq!(lines.len(), if is_sphere { 96 } else { 132 }, "{one:?}");
            capsules += usize::from(!is_sphere);
            spheres += usize::from(is_sphere);
            let rounding = f32::EPSILON * (start.abs().max_element() + (end - start).length() + radius) + 2e-6 * radius;
            let depth = |point: Vec3| {
                let along = end - start;
                let share = if is_sphere { 0.0 } else { (point - start).dot(along) / along.length_squared() };
                radius - point.distance(start + along * share.clamp(0.0, 1.0))
            };
            for [from, to] in &lines {
                assert!(depth(*from).abs() <= rounding && depth(*to).abs() <= rounding, "{from} {to} {one:?}");
                let middle = depth(0.5 * (from + to));
                assert!(-rounding <= middle && middle <= 0.005 * radius + rounding, "{middle} {one:?}");
                // Each line goes on in another line, so that all outlines are closed.
                for end in [from, to] {
                    let meeting = lines.iter().flatten().filter(|other| other.distance(*end) <= 2.0 * rounding);
                    assert!(meeting.count() >= 2, "{end} {one:?}");
                }
            }
        }
        assert!(capsules > 0 && spheres > 0);
    }
}

#[test]
fn a_flattened_hull_is_drawn_as_its_box() {
    let flat = posed(&HULLS, &Affine3A::from_scale(Vec3::new(1.0, 1.0, 0.0)));
    for one in flat.boxes().filter(|one| one.shape == HitboxShape::Hull) {
        assert!(flat.lines(one.index).eq(one.obb().edges()));
    }
}

#[test]
fn without_a_pose_or_a_hitbox_there_are_no_lines() {
    assert_eq!(PosedCharacter::new().lines(BoxIndex(0)).count(), 0);
    let posed = posed(&HULLS, &Affine3A::IDENTITY);
    assert_eq!(posed.lines(BoxIndex(HULLS.box_count() as u16)).count(), 0);
}
