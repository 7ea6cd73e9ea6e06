//! Equal sizes for the boxes of mirrored joints.

use crate::fit::fitted_box::FittedBox;
use baked_format::HitboxShape;
use skeleton::{JointIndex, Skeleton, mirrored_name};

/// Gives the hitboxes of two mirrored joints the larger of their half extents. The longest half extents are compared
/// with each other, then the second longest, then the shortest. The function changes a pair only if each joint has
/// exactly one hitbox, both of the same shape, and not hulls. `skip[i]` leaves out `boxes[i]`.
pub(crate) fn share_sizes(boxes: &mut [FittedBox], skeleton: &Skeleton, skip: &[bool]) {
    for left in (0..boxes.len()).filter(|&left| !skip[left]) {
        let joint = boxes[left].hitbox.joint;
        let Some(other) = mirrored_name(&skeleton.joint(joint).name).and_then(|name| skeleton.find(&name)) else {
            continue;
        };
        if joint >= other || only_box(boxes, joint).is_none() {
            continue;
        }
        let Some(right) = only_box(boxes, other) else { continue };
        let shapes = [left, right].map(|index| boxes[index].hitbox.shape);
        if shapes[0] != shapes[1] || shapes[0] == HitboxShape::Hull {
            continue;
        }
        let [mut a, mut b] = [left, right].map(|index| boxes[index].hitbox.half_extents.to_array());
        for (i, j) in by_length(&a).into_iter().zip(by_length(&b)) {
            let larger = a[i].max(b[j]);
            (a[i], b[j]) = (larger, larger);
        }
        for (index, half) in [(left, a), (right, b)] {
            boxes[index].hitbox.half_extents = half.into();
            boxes[index].report.volume = match boxes[index].hitbox.shape {
                HitboxShape::Box | HitboxShape::Hull => 8.0 * half.into_iter().map(f64::from).product::<f64>(),
                HitboxShape::Capsule | HitboxShape::Sphere => f64::from(boxes[index].hitbox.volume()),
            };
        }
    }
}

/// Returns the index of the joint's only box; `None` if the joint has no box or several boxes.
fn only_box(boxes: &[FittedBox], joint: JointIndex) -> Option<usize> {
    let mut own = (0..boxes.len()).filter(|&index| boxes[index].hitbox.joint == joint);
    own.next().filter(|_| own.next().is_none())
}

/// Returns the indices of the three axes, the longest axis first.
fn by_length(half_extents: &[f32; 3]) -> [usize; 3] {
    let mut order = [0, 1, 2];
    order.sort_by(|&i: &usize, &j| half_extents[j].total_cmp(&half_extents[i]));
    order
}
