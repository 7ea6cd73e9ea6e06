//! Pose layers: blends of two poses, and additions of the difference of two poses.
//!
//! Each lane has a weight of its own, 0 to 1; a lane whose weight is 0 keeps its rotation to the bit, and its translation and
//! scale to the bit except for the sign of zeros.

use super::clip_lanes::{LocalBlock, local_row};
use super::layout::{LANES, Row};
use super::three::dot4;
use super::vectors::Vectors;

/// The largest squared length of a rotation that has no direction.
const LEAST_SQUARE: f32 = 1e-12;

/// [`super::blend`].
#[inline(always)]
pub(super) fn blend_blocks<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    a: &mut [LocalBlock],
    b: &[LocalBlock],
    weights: &[Row],
) {
    for ((a, b), weights) in a.iter_mut().zip(b).zip(weights) {
        for at in (0..LANES).step_by(WIDTH) {
            let weight = s.load(weights, at);
            let (mut of_a, mut of_b) = (load4(s, a, at), load4(s, b, at));
            let near = sign(s, dot4(s, &of_a, &of_b));
            for i in 0..4 {
                of_b[i] = s.mul(of_b[i], near);
                of_a[i] = s.add(of_a[i], s.mul(s.sub(of_b[i], of_a[i]), weight));
            }
            set_rotations(s, a, &of_a, weight, at);
            for row in local_row::TRANSLATION..local_row::COUNT {
                let (of_a, of_b) = (s.load(&a.0[row], at), s.load(&b.0[row], at));
                s.store(s.add(of_a, s.mul(s.sub(of_b, of_a), weight)), &mut a.0[row], at);
            }
        }
    }
}

/// [`super::add_change`].
#[inline(always)]
pub(super) fn add_blocks<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    a: &mut [LocalBlock],
    b: &[LocalBlock],
    from: &[LocalBlock],
    weights: &[Row],
) {
    let one = s.splat(1.0);
    for (((a, b), from), weights) in a.iter_mut().zip(b).zip(from).zip(weights) {
        for at in (0..LANES).step_by(WIDTH) {
            let weight = s.load(weights, at);
            let [bx, by, bz, bw] = load4(s, b, at);
            let [fx, fy, fz, fw] = load4(s, from, at);
            let [ax, ay, az, aw] = load4(s, a, at);
            let (sub, add, mul) = (S::sub, S::add, S::mul);
            // `b` times the conjugate of `from`.
            let x = add(s, sub(s, sub(s, mul(s, bx, fw), mul(s, bw, fx)), mul(s, by, fz)), mul(s, bz, fy));
            let y = add(s, sub(s, sub(s, mul(s, by, fw), mul(s, bw, fy)), mul(s, bz, fx)), mul(s, bx, fz));
            let z = add(s, sub(s, sub(s, mul(s, bz, fw), mul(s, bw, fz)), mul(s, bx, fy)), mul(s, by, fx));
            let w = add(s, add(s, add(s, mul(s, bw, fw), mul(s, bx, fx)), mul(s, by, fy)), mul(s, bz, fz));
            let near = s.mul(weight, sign(s, w));
            let (x, y, z) = (s.mul(x, near), s.mul(y, near), s.mul(z, near));
            let w = s.add(s.sub(one, weight), s.mul(w, near));
            let turned = [
                sub(s, add(s, add(s, mul(s, w, ax), mul(s, x, aw)), mul(s, y, az)), mul(s, z, ay)),
                add(s, add(s, sub(s, mul(s, w, ay), mul(s, x, az)), mul(s, y, aw)), mul(s, z, ax)),
                add(s, sub(s, add(s, mul(s, w, az), mul(s, x, ay)), mul(s, y, ax)), mul(s, z, aw)),
                sub(s, sub(s, sub(s, mul(s, w, aw), mul(s, x, ax)), mul(s, y, ay)), mul(s, z, az)),
            ];
            set_rotations(s, a, &turned, weight, at);
            for row in local_row::TRANSLATION..local_row::SCALE {
                let change = s.sub(s.load(&b.0[row], at), s.load(&from.0[row], at));
                s.store(s.add(s.load(&a.0[row], at), s.mul(change, weight)), &mut a.0[row], at);
            }
            for row in local_row::SCALE..local_row::COUNT {
                let (of_b, of_from) = (s.load(&b.0[row], at), s.load(&from.0[row], at));
                // No ratio exists to a scale of zero, so the layer does not change this scale.
                let is_zero = s.le(s.all(), s.abs(of_from), s.splat(0.0));
                let ratio = s.select(is_zero, one, s.div(of_b, of_from));
                let factor = s.add(one, s.mul(s.sub(ratio, one), weight));
                s.store(s.mul(s.load(&a.0[row], at), factor), &mut a.0[row], at);
            }
        }
    }
}

/// -1 where the number is below zero, 1 elsewhere.
#[inline(always)]
fn sign<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, number: S::V) -> S::V {
    let is_below = s.le(s.all(), number, s.splat(0f32.next_down()));
    s.select(is_below, s.splat(-1.0), s.splat(1.0))
}

#[inline(always)]
fn load4<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, block: &LocalBlock, at: usize) -> [S::V; 4] {
    let rows = &block.0;
    [s.load(&rows[0], at), s.load(&rows[1], at), s.load(&rows[2], at), s.load(&rows[3], at)]
}

/// Normalizes the rotations of lanes with a weight. For rotations half a turn apart there is no shorter arc, and the chord may
/// pass through zero; the lane then keeps its rotation.
#[inline(always)]
fn set_rotations<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    block: &mut LocalBlock,
    rotations: &[S::V; 4],
    weight: S::V,
    at: usize,
) {
    let square = dot4(s, rotations, rotations);
    let has_length = s.le(s.all(), s.splat(LEAST_SQUARE.next_up()), square);
    // A lane changes only if its weight is above 0; no weight is negative.
    let changes = s.le(has_length, s.splat(0f32.next_up()), weight);
    let length = s.sqrt(square);
    for (row, rotation) in block.0[local_row::ROTATION..][..4].iter_mut().zip(rotations) {
        s.store(s.select(changes, s.div(*rotation, length), s.load(row, at)), row, at);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Kernel, add_change, blend};
    use super::*;
    use glam::{Quat, Vec3};
    use proptest::prelude::*;

    const LANE: usize = 3;

    /// [`blend`], in plain loops.
    fn plain_blend(a: &mut [LocalBlock], b: &[LocalBlock], weights: &[Row]) {
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
            plain_rotations(a, &between, weights);
            for (a, b) in a.0[local_row::TRANSLATION..].iter_mut().zip(&b.0[local_row::TRANSLATION..]) {
                for lane in 0..LANES {
                    a[lane] += (b[lane] - a[lane]) * weights[lane];
                }
            }
        }
    }

    /// [`add_change`], in plain loops.
    fn plain_add(a: &mut [LocalBlock], b: &[LocalBlock], from: &[LocalBlock], weights: &[Row]) {
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
            plain_rotations(a, &turned, weights);
            for row in local_row::TRANSLATION..local_row::SCALE {
                let changes = b.0[row].iter().zip(&from.0[row]).zip(weights);
                for (a, ((b, from), weight)) in a.0[row].iter_mut().zip(changes) {
                    *a += (b - from) * weight;
                }
            }
            for row in local_row::SCALE..local_row::COUNT {
                let changes = b.0[row].iter().zip(&from.0[row]).zip(weights);
                for (a, ((b, from), weight)) in a.0[row].iter_mut().zip(changes) {
                    let ratio = if *from == 0.0 { 1.0 } else { b / from };
                    *a *= 1.0 + (ratio - 1.0) * weight;
                }
            }
        }
    }

    fn four(block: &LocalBlock) -> [&Row; 4] {
        std::array::from_fn(|i| &block.0[local_row::ROTATION + i])
    }

    fn plain_rotations(block: &mut LocalBlock, rotations: &[Row; 4], weights: &Row) {
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
            blend(
                Kernel::best(),
                std::slice::from_mut(&mut to),
                &[block(b, Vec3::ZERO, Vec3::ONE)],
                &[[weight; LANES]],
            );
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
            add_change(Kernel::best(), std::slice::from_mut(&mut found), &[of_b], &[of_from], &[[weight; LANES]]);
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
            plain_blend(&mut blended, b, &weights);
            plain_add(&mut added, b, from, &weights);
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
            blend(Kernel::best(), std::slice::from_mut(&mut blended), &[of_b], &[[0.0; LANES]]);
            prop_assert_eq!(blended, of_a);
            let mut added = of_a;
            add_change(Kernel::best(), std::slice::from_mut(&mut added), &[of_b], &[of_from], &[[0.0; LANES]]);
            prop_assert_eq!(added, of_a);
        }
    }
}
