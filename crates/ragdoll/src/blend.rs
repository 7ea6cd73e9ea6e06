//! Blends of two poses.

use geometry_core::portable::affine_mul;
use glam::{Affine3A, Quat, Vec3};
use skeleton::{Skeleton, slerp};

/// Blends two poses, given by the matrices of all joints: `share` 0 is `from`, and 1 is `to`. Each joint turns and moves in the
/// space of the joint above it, so bones keep their lengths. Use it to go from a ragdoll back to an animation, with a share that
/// grows from tick to tick.
///
/// All slices have one matrix for each joint, and both poses are in the same space.
///
/// # Panics
/// Panics if a slice has another length than the skeleton has joints.
pub fn blend_poses(skeleton: &Skeleton, from: &[Affine3A], to: &[Affine3A], share: f32, blended: &mut [Affine3A]) {
    let count = skeleton.len();
    assert!(
        from.len() == count && to.len() == count && blended.len() == count,
        "one matrix for each of {count} joints, found {}, {} and {}",
        from.len(),
        to.len(),
        blended.len()
    );
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let local = |pose: &[Affine3A]| match joint.parent {
            Some(parent) => affine_mul(&pose[parent.index()].inverse(), &pose[index]),
            None => pose[index],
        };
        let [first, second] = [local(from), local(to)];
        let mixed = mixed(&first, &second, share);
        blended[index] = match joint.parent {
            Some(parent) => affine_mul(&blended[parent.index()], &mixed),
            None => mixed,
        };
    }
}

/// Turns along the shortest arc; places and scales move straight. Matrices without a rotation move straight as a whole.
fn mixed(first: &Affine3A, second: &Affine3A, share: f32) -> Affine3A {
    let parts = |matrix: &Affine3A| -> (Vec3, Quat, Vec3) { matrix.to_scale_rotation_translation() };
    let ((first_scale, first_turn, first_place), (second_scale, second_turn, second_place)) =
        (parts(first), parts(second));
    let turn = slerp(first_turn, second_turn, share);
    if !turn.is_finite() {
        return Affine3A {
            matrix3: first.matrix3 * (1.0 - share) + second.matrix3 * share,
            translation: first.translation.lerp(second.translation, share),
        };
    }
    let (scale, place) = (first_scale.lerp(second_scale, share), first_place.lerp(second_place, share));
    Affine3A::from_scale_rotation_translation(scale, turn, place)
}
