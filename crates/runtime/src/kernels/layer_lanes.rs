//! Pose layers for sixteen joints side by side: blends of two poses, and additions of the difference of two poses.
//!
//! These loops define the bits, which [`super::vector_layers`] repeats. Each lane has a weight of its own, 0 to 1; a lane
//! whose weight is 0 keeps its rotation to the bit, and its translation and scale to the bit except for the sign of zeros.

use super::clip_lanes::{LocalBlock, local_row};
use super::layout::{LANES, Row};

/// The largest squared length of a rotation that has no direction.
pub(super) const LEAST_SQUARE: f32 = 1e-12;

/// Interpolates the rotation, translation and scale of each lane between `a` (weight 0) and `b` (weight 1):
/// translations and scales linearly, rotations along the chord of the shorter arc, then normalized.
pub(super) fn blend_blocks(a: &mut [LocalBlock], b: &[LocalBlock], weights: &[Row]) {
    for ((a, b), weights) in a.iter_mut().zip(b).zip(weights) {
        let mut cosines = [0.0; LANES];
        for (a, b) in a.0[..local_row::TRANSLATION].iter().zip(&b.0) {
            for (cosine, (a, b)) in cosines.iter_mut().zip(a.iter().zip(b)) {
                *cosine += a * b;
            }
        }
        let mut between = [[0.0; LANES]; 4];
        for (row, (a, b)) in between.iter_mut().zip(a.0.iter().zip(&b.0)) {
            for lane in 0..LANES {
                let near = if cosines[lane] < 0.0 { -b[lane] } else { b[lane] };
                row[lane] = a[lane] + (near - a[lane]) * weights[lane];
            }
        }
        set_rotations(a, &between, weights);
        for (a, b) in a.0[local_row::TRANSLATION..].iter_mut().zip(&b.0[local_row::TRANSLATION..]) {
            for lane in 0..LANES {
                a[lane] += (b[lane] - a[lane]) * weights[lane];
            }
        }
    }
}

/// Adds the difference between `from` and `b` to the lanes of `a`. A lane's weight scales the
/// difference. A rotation is turned in the parent's space by a blend of no turn (weight 0) and `b * from^-1` (weight
/// 1), along the chord of the shorter arc. A translation moves by `b - from`, and a scale is multiplied by `b / from`.
pub(super) fn add_blocks(a: &mut [LocalBlock], b: &[LocalBlock], from: &[LocalBlock], weights: &[Row]) {
    for (((a, b), from), weights) in a.iter_mut().zip(b).zip(from).zip(weights) {
        let [bx, by, bz, bw] = four(b);
        let [fx, fy, fz, fw] = four(from);
        let [ax, ay, az, aw] = four(a);
        let mut turned = [[0.0; LANES]; 4];
        for lane in 0..LANES {
            let ([bx, by, bz, bw], [fx, fy, fz, fw]) =
                ([bx[lane], by[lane], bz[lane], bw[lane]], [fx[lane], fy[lane], fz[lane], fw[lane]]);
            // `b` times the conjugate of `from`.
            let x = bx * fw - bw * fx - by * fz + bz * fy;
            let y = by * fw - bw * fy - bz * fx + bx * fz;
            let z = bz * fw - bw * fz - bx * fy + by * fx;
            let w = bw * fw + bx * fx + by * fy + bz * fz;
            let weight = if w < 0.0 { -weights[lane] } else { weights[lane] };
            let (x, y, z) = (x * weight, y * weight, z * weight);
            let w = 1.0 - weights[lane] + w * weight;
            let [ax, ay, az, aw] = [ax[lane], ay[lane], az[lane], aw[lane]];
            turned[0][lane] = w * ax + x * aw + y * az - z * ay;
            turned[1][lane] = w * ay - x * az + y * aw + z * ax;
            turned[2][lane] = w * az + x * ay - y * ax + z * aw;
            turned[3][lane] = w * aw - x * ax - y * ay - z * az;
        }
        set_rotations(a, &turned, weights);
        for row in local_row::TRANSLATION..local_row::SCALE {
            let changes = b.0[row].iter().zip(&from.0[row]).zip(weights);
            for (a, ((b, from), weight)) in a.0[row].iter_mut().zip(changes) {
                *a += (b - from) * weight;
            }
        }
        for row in local_row::SCALE..local_row::COUNT {
            let changes = b.0[row].iter().zip(&from.0[row]).zip(weights);
            for (a, ((b, from), weight)) in a.0[row].iter_mut().zip(changes) {
                // No ratio exists to a scale of zero, so the layer does not change this scale.
                let ratio = if *from == 0.0 { 1.0 } else { b / from };
                *a *= 1.0 + (ratio - 1.0) * weight;
            }
        }
    }
}

fn four(block: &LocalBlock) -> [&Row; 4] {
    std::array::from_fn(|i| &block.0[local_row::ROTATION + i])
}

/// Normalizes the rotations of lanes with a weight. For rotations half a turn apart there is no shorter arc, and the
/// chord may pass through zero; the lane then keeps its rotation.
fn set_rotations(block: &mut LocalBlock, rotations: &[Row; 4], weights: &Row) {
    let mut squares = [0.0; LANES];
    for row in rotations {
        for lane in 0..LANES {
            squares[lane] += row[lane] * row[lane];
        }
    }
    for (row, rotation) in block.0[local_row::ROTATION..].iter_mut().zip(rotations) {
        for lane in 0..LANES {
            let number = rotation[lane] / squares[lane].sqrt();
            row[lane] = if squares[lane] > LEAST_SQUARE && weights[lane] != 0.0 { number } else { row[lane] };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Kernel, add_change, blend};
    use super::*;
    use glam::{Quat, Vec3};
    use proptest::prelude::*;

    const LANE: usize = 3;

    fn block(rotation: Quat, translation: Vec3, scale: Vec3) -> LocalBlock {
        let mut block = LocalBlock::IDENTITY;
        block.set(local_row::ROTATION, LANE, rotation.to_array());
        block.set(local_row::TRANSLATION, LANE, translation.to_array());
        block.set(local_row::SCALE, LANE, scale.to_array());
        block
    }

    fn parts(block: &LocalBlock) -> (Quat, Vec3, Vec3) {
        let rotation = Quat::from_array(block.get(local_row::ROTATION, LANE));
        let translation = Vec3::from_array(block.get(local_row::TRANSLATION, LANE));
        (rotation, translation, Vec3::from_array(block.get(local_row::SCALE, LANE)))
    }

    fn turn() -> impl Strategy<Value = Quat> {
        prop::array::uniform4(-1f32..1.0)
            .prop_filter("a length", |four| four.iter().map(|number| number * number).sum::<f32>() > 0.01)
            .prop_map(|four| Quat::from_array(four).normalize())
    }

    fn vector() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(0.5f32..2.0).prop_map(Vec3::from_array)
    }

    /// Rotations that are of unit length, half a turn apart, opposite or equal.
    fn any_turn() -> impl Strategy<Value = [f32; 4]> {
        prop_oneof![
            4 => turn().prop_map(|turn| turn.to_array()),
            1 => prop::sample::select(vec![[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, -1.0], [1.0, 0.0, -0.0, 0.0], [0.0; 4]]),
        ]
    }

    fn any_vector() -> impl Strategy<Value = [f32; 3]> {
        prop::array::uniform3(prop_oneof![4 => -2f32..2.0, 1 => Just(0.0), 1 => Just(-0.0), 1 => Just(1.0)])
    }

    fn near(a: Quat, b: Quat) -> bool {
        a.dot(b).abs() > 1.0 - 1e-5
    }

    #[test]
    fn blending_rotations_takes_the_shorter_arc_and_never_gives_nan() {
        let blended = |a: Quat, b: Quat, weight: f32| {
            let mut to = block(a, Vec3::ZERO, Vec3::ONE);
            blend_blocks(std::slice::from_mut(&mut to), &[block(b, Vec3::ZERO, Vec3::ONE)], &[[weight; LANES]]);
            assert_eq!(to.get(local_row::ROTATION, LANE + 1), [0.0, 0.0, 0.0, 1.0]);
            parts(&to).0
        };
        let half = blended(Quat::IDENTITY, Quat::from_xyzw(0.0, 0.0, -0.6, -0.8), 0.5);
        assert!(half.z > 0.0 && (half.length_squared() - 1.0).abs() < 1e-6);
        assert!(blended(Quat::IDENTITY, Quat::from_xyzw(1.0, 0.0, 0.0, 0.0), 0.5).is_finite());
        assert_eq!(blended(Quat::IDENTITY, -Quat::IDENTITY, 0.5), Quat::IDENTITY);
    }

    proptest! {
        /// Compares with glam's own products of quaternions.
        #[test]
        fn an_addition_turns_moves_and_scales_by_what_changes(
            [a, b, from] in prop::array::uniform3((turn(), vector(), vector())),
            weight in 0f32..=1.0,
        ) {
            let mut found = block(a.0, a.1, a.2);
            let [of_b, of_from] = [b, from].map(|(turn, place, scale)| block(turn, place, scale));
            add_blocks(std::slice::from_mut(&mut found), &[of_b], &[of_from], &[[weight; LANES]]);
            let change = b.0 * from.0.conjugate();
            let change = if change.w < 0.0 { -change } else { change };
            let part = Quat::IDENTITY * (1.0 - weight) + change * weight;
            let (turned, place, scale) = parts(&found);
            prop_assert!(near(turned, (part * a.0).normalize()), "{turned}");
            prop_assert!((place - (a.1 + (b.1 - from.1) * weight)).length() < 1e-5);
            prop_assert!((scale - a.2 * (Vec3::ONE + (b.2 / from.2 - Vec3::ONE) * weight)).length() < 1e-4);
        }

        #[test]
        fn every_kernel_gives_the_same_bits(
            poses in prop::collection::vec((any_turn(), any_vector(), any_vector()), 3 * LANES),
            weights in prop::collection::vec(prop_oneof![Just(0f32), Just(1.0), 0f32..1.0], LANES),
        ) {
            // The second block holds the same joints in another order.
            let blocks = [0, 1, 2].map(|first| {
                let mut blocks = [LocalBlock::IDENTITY; 2];
                for (lane, &(rotation, translation, scale)) in poses[first * LANES..][..LANES].iter().enumerate() {
                    for (block, lane) in blocks.iter_mut().zip([lane, LANES - 1 - lane]) {
                        block.set(local_row::ROTATION, lane, rotation);
                        block.set(local_row::TRANSLATION, lane, translation);
                        block.set(local_row::SCALE, lane, scale);
                    }
                }
                blocks
            });
            let [a, b, from] = &blocks;
            let weights = [std::array::from_fn(|lane| weights[lane]); 2];
            let bits = |blocks: &[LocalBlock; 2]| blocks.map(|block| block.0.map(|row| row.map(f32::to_bits)));
            let (mut blended, mut added) = (*a, *a);
            blend_blocks(&mut blended, b, &weights);
            add_blocks(&mut added, b, from, &weights);
            for kernel in Kernel::available() {
                let (mut by_kernel, mut added_by_kernel) = (*a, *a);
                blend(kernel, &mut by_kernel, b, &weights);
                add_change(kernel, &mut added_by_kernel, b, from, &weights);
                prop_assert_eq!(bits(&by_kernel), bits(&blended), "{:?}", kernel);
                prop_assert_eq!(bits(&added_by_kernel), bits(&added), "{:?}", kernel);
            }
        }

        #[test]
        fn a_lane_without_weight_keeps_its_bits([a, b, from] in prop::array::uniform3((turn(), vector(), vector()))) {
            let [of_a, of_b, of_from] = [a, b, from].map(|(turn, place, scale)| block(turn, place, scale));
            let mut blended = of_a;
            blend_blocks(std::slice::from_mut(&mut blended), &[of_b], &[[0.0; LANES]]);
            prop_assert_eq!(blended, of_a);
            let mut added = of_a;
            add_blocks(std::slice::from_mut(&mut added), &[of_b], &[of_from], &[[0.0; LANES]]);
            prop_assert_eq!(added, of_a);
        }
    }
}
