//! A ragdoll as a file has it, in model space, and its comparison with the bake.

use super::height;
use crate::tests::posed_corners;
use baked_format::{BakedCharacter, Constraint, HitboxShape};
use glam::{DAffine3, DMat3, DVec3, Quat, Vec3};
use std::collections::{BTreeMap, BTreeSet};

fn place(position: Vec3, rotation: Quat) -> DAffine3 {
    DAffine3::from_rotation_translation(rotation.as_dquat().normalize(), position.as_dvec3())
}

fn tensor([xx, yy, zz, xy, xz, yz]: [f32; 6]) -> DMat3 {
    Mat3Rows([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).into()
}

struct Mat3Rows([[f32; 3]; 3]);

impl From<Mat3Rows> for DMat3 {
    fn from(rows: Mat3Rows) -> Self {
        Self::from_cols_array_2d(&rows.0.map(|row| row.map(f64::from))).transpose()
    }
}

/// A body as a file has it, in model space.
#[derive(Debug)]
pub(super) struct FoundBody {
    pub(super) mass: f64,
    pub(super) center: DVec3,
    pub(super) inertia: DMat3,
    /// The corners of the box around each shape, by the hitbox.
    pub(super) corners: BTreeMap<usize, Vec<DVec3>>,
}

/// A joint as a file has it: the two bodies, and both frames in model space.
#[derive(Debug)]
pub(super) struct FoundJoint {
    pub(super) bodies: [usize; 2],
    pub(super) frames: [DAffine3; 2],
}

/// Compares a file with the bake, with the definition of each field alone.
pub(super) fn compare(character: &BakedCharacter, bodies: &[FoundBody], joints: &[FoundJoint], what: &str) {
    let ragdoll = character.ragdoll.as_ref().unwrap();
    let near = 1e-5 * height(character);
    let expected = posed_corners(character);
    assert_eq!(bodies.len(), ragdoll.bodies.len(), "{what}");
    for (index, (found, body)) in bodies.iter().zip(&ragdoll.bodies).enumerate() {
        let what = format!("{what}, body {index}");
        let rest = place(body.position, body.rotation);
        assert!((found.mass - f64::from(body.mass)).abs() <= 1e-6 * found.mass, "{what}");
        let center = rest.transform_point3(body.center_of_mass.as_dvec3());
        assert!(found.center.distance(center) < near, "{what}: {} and {center}", found.center);
        let inertia = rest.matrix3 * tensor(body.inertia) * rest.matrix3.transpose();
        let size = inertia.to_cols_array().iter().fold(0.0f64, |most, entry| most.max(entry.abs()));
        assert!(found.inertia.abs_diff_eq(inertia, 1e-5 * size), "{what}: {} and {inertia}", found.inertia);
        let hitboxes: BTreeSet<usize> = found.corners.keys().copied().collect();
        assert_eq!(hitboxes, body.boxes.iter().map(|&one| usize::from(one)).collect(), "{what}");
        for (hitbox, corners) in &found.corners {
            let expected = expected[*hitbox].map(|one| one.as_dvec3());
            let off =
                if corners.is_empty() { 0.0 } else { difference(character.boxes[*hitbox].shape, corners, &expected) };
            assert!(off < near, "{what}, hitbox {hitbox}: {off} m off");
        }
    }
    let held = (0..).zip(&ragdoll.bodies).filter_map(|(index, body)| Some((index, body.constraint.as_ref()?)));
    let held: Vec<(usize, &Constraint)> = held.collect();
    assert_eq!(joints.len(), held.len(), "{what}");
    for (found, (index, constraint)) in joints.iter().zip(held) {
        let what = format!("{what}, joint of body {index}");
        assert_eq!(found.bodies, [usize::from(constraint.parent), index], "{what}");
        let [parent, body] = found.bodies.map(|one| &ragdoll.bodies[one]);
        let expected = [
            place(parent.position, parent.rotation) * place(constraint.anchor, constraint.parent_from_frame),
            place(body.position, body.rotation) * place(Vec3::ZERO, constraint.body_from_frame),
        ];
        for (found, expected) in found.frames.iter().zip(expected) {
            assert!(found.translation.distance(expected.translation) < near, "{what}: {found} and {expected}");
            assert!(found.matrix3.abs_diff_eq(expected.matrix3, 1e-5), "{what}: {found} and {expected}");
        }
        // In the rest pose, both frames stand at the child's joint.
        let joint = character.skeleton.rest_matrices()[body.joint.index()].translation.as_dvec3();
        for frame in &found.frames {
            assert!(frame.translation.distance(joint) < near, "{what}: {frame} and {joint}");
        }
    }
}

/// The largest distance between the corners of two boxes, whose order may differ. Boxes around a capsule may be rolled, and those
/// around a sphere turned.
fn difference(shape: HitboxShape, found: &[DVec3], expected: &[DVec3]) -> f64 {
    let mean = |corners: &[DVec3]| corners.iter().sum::<DVec3>() / corners.len() as f64;
    let above = |corners: &[DVec3], y: usize| -> Vec<DVec3> {
        (0..8).filter(|at| at >> 1 & 1 == y).map(|at| corners[at]).collect()
    };
    let round = |found: &[DVec3], expected: &[DVec3]| {
        let centers = [found, expected].map(mean);
        let radii = [found[0].distance(centers[0]), expected[0].distance(centers[1])];
        centers[0].distance(centers[1]).max((radii[0] - radii[1]).abs())
    };
    match shape {
        HitboxShape::Sphere => round(found, expected),
        HitboxShape::Capsule => {
            let [low, high] = [0, 1].map(|end| round(&above(found, end), &above(expected, end)));
            low.max(high)
        }
        HitboxShape::Box | HitboxShape::Hull => {
            let nearest =
                |corner: &DVec3| expected.iter().map(|one| one.distance(*corner)).fold(f64::INFINITY, f64::min);
            found.iter().map(nearest).fold(0.0, f64::max)
        }
    }
}

/// The corners of a box about its center.
pub(super) fn corners(world: &DAffine3, half: DVec3) -> Vec<DVec3> {
    let sign = |bit: u8| f64::from(bit) * 2.0 - 1.0;
    let corner = |index: u8| DVec3::new(sign(index & 1), sign(index >> 1 & 1), sign(index >> 2)) * half;
    (0..8).map(|index| world.transform_point3(corner(index))).collect()
}

/// Each vertex of a hull's mesh is a vertex of the hitbox in the rest pose.
pub(super) fn check_points(character: &BakedCharacter, hitbox: usize, world: &DAffine3, points: &[f64]) {
    let baked = &character.boxes[hitbox];
    let rest = character.skeleton.rest_matrices()[baked.joint.index()];
    let expected = &baked.hull.as_ref().unwrap().vertices;
    assert_eq!(points.len(), 3 * expected.len());
    for (point, expected) in points.chunks(3).zip(expected) {
        let found = world.transform_point3(DVec3::from_slice(point));
        let expected = rest.transform_point3(*expected).as_dvec3();
        assert!(found.distance(expected) < 1e-5 * height(character), "{found} and {expected}");
    }
}
