//! Exact questions about a file whose skin has no extent: all of its vertices are at one point or on one line.

use crate::skin_large_pieces::fine_tube;
use geometry_core::{Ray, Sphere};
use glam::{Affine3A, Quat, Vec3};
use runtime::{Character, PosedCharacter, SkinCandidates, exact_distance, exact_overlap, exact_overlap_all};
use std::time::{Duration, Instant};

/// The fine tube with its vertices moved, through the bytes of a file.
fn moved(place: impl Fn(Vec3) -> Vec3) -> Character {
    let mut baked = fine_tube();
    for piece in &mut baked.skin.as_mut().unwrap().pieces {
        piece.positions.iter_mut().for_each(|position| *position = place(*position));
    }
    Character::load(&baked_format::write(&baked).unwrap()).unwrap()
}

fn turn() -> Quat {
    Quat::from_xyzw(0.3, 0.5, -0.2, 0.8).normalize()
}

fn posed(character: &Character, at: Vec3) -> PosedCharacter {
    let mut posed = PosedCharacter::new();
    posed.track_skin(true);
    posed.pose_from_rest(character, &Affine3A::from_rotation_translation(turn(), at)).unwrap();
    posed
}

/// Two characters of 1,920 triangles have 3.7 million pairs of triangles. In a test build on a busy machine, all questions about
/// two of them took at most 5 ms if they have an extent, and at most 0.45 s if they have none: the longest for two bodies on one
/// slanted line, where the bounds of neighboring chunks overlap but nearly no triangles touch.
#[test]
fn questions_about_skins_without_extent_end_soon() {
    let oblique = Vec3::new(0.3, 1.0, -0.7);
    let point = moved(|_| Vec3::new(0.1, 1.5, 0.2));
    let upright = moved(|at| Vec3::Y * at.y);
    let slanted = moved(|at| oblique * at.y);
    let plain = moved(|at| at);
    for (name, character) in [("point", &point), ("upright", &upright), ("slanted", &slanted), ("plain", &plain)] {
        // The last two places are on the same slanted line, on which rounding moves each triangle aside.
        let along = turn() * oblique;
        for apart in [Vec3::ZERO, Vec3::X * 1e-3, Vec3::X * 0.4, along * 1.1e-3, along * 0.37] {
            let start = Instant::now();
            let (mut a, mut b) = (posed(character, Vec3::ZERO), posed(character, apart));
            let mut found = Vec::new();
            exact_overlap_all(&mut a, &mut b, SkinCandidates::Bounds, &mut found).unwrap();
            let first = exact_overlap(&mut a, &mut b, SkinCandidates::Bounds).unwrap();
            assert_eq!(first.is_some(), !found.is_empty());
            let distance = exact_distance(&mut a, &mut b, None).unwrap().unwrap();
            assert_eq!(distance.distance == 0.0, !found.is_empty(), "{name} {apart}");
            assert!(apart != Vec3::ZERO || !found.is_empty(), "{name}");
            let ray = Ray::try_new(distance.point_a - Vec3::X, Vec3::X).unwrap();
            a.exact_ray(&ray, None).unwrap();
            let (mut touched, ball) = (Vec::new(), Sphere::try_new(distance.point_a, 1e-3).unwrap());
            a.exact_shape_overlaps(&ball, &mut touched).unwrap();
            assert!(!touched.is_empty());
            a.skin_contains(distance.point_b).unwrap();
            assert!(start.elapsed() < Duration::from_secs(10), "{name} {apart}: {:?}", start.elapsed());
        }
    }
}
