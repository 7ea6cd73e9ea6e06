//! Poses and the keys of clips in lanes, for [`super::sampling`].
//!
//! A rotation between two keys is `a * share(1 - t) + b * share(t)`, where `share` is slerp's coefficient as a
//! polynomial in the keys' cosine (Eberly, *A Fast and Accurate Algorithm for Computing SLERP*, Journal of Graphics,
//! GPU, and Game Tools 15(3), 2011). The polynomial takes only additions and multiplications, so all kernels give the
//! same bits. The rotation is normalized; for keys up to half a turn apart, it is within 0.002 degrees of the great arc
//! at every time.

use super::layout::{Fours, LANES, Quarters, Row};
use glam::{Affine3A, Vec3A};

/// Rows of a [`LocalBlock`].
pub(crate) mod local_row {
    pub(crate) const ROTATION: usize = 0;
    pub(crate) const TRANSLATION: usize = 4;
    pub(crate) const SCALE: usize = 7;
    pub(crate) const COUNT: usize = 10;
}

/// `parent_from_joint` of sixteen joints: rotation x, y, z, w, translation, scale.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct LocalBlock(pub(crate) [Row; local_row::COUNT]);

impl LocalBlock {
    /// The identity transform for all joints.
    pub(crate) const IDENTITY: Self = {
        let mut rows = [[0.0; LANES]; local_row::COUNT];
        rows[local_row::ROTATION + 3] = [1.0; LANES];
        rows[local_row::SCALE] = [1.0; LANES];
        rows[local_row::SCALE + 1] = [1.0; LANES];
        rows[local_row::SCALE + 2] = [1.0; LANES];
        Self(rows)
    };

    /// Numbers `first` to `first + N` of one joint.
    #[cfg(test)]
    pub(crate) fn get<const N: usize>(&self, first: usize, lane: usize) -> [f32; N] {
        std::array::from_fn(|i| self.0[first + i][lane])
    }

    #[inline]
    pub(crate) fn set<const N: usize>(&mut self, first: usize, lane: usize, numbers: [f32; N]) {
        for (row, number) in self.0[first..].iter_mut().zip(numbers) {
            row[lane] = number;
        }
    }
}

/// One number of a key of each of sixteen joints.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct KeyRow(pub(crate) Row);

/// The keys of one property of sixteen joints, all at the same times.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Track {
    /// The block of joints.
    pub(crate) block: usize,
    /// The first row of the block that the keys set: four rows from [`local_row::ROTATION`], or three rows from
    /// [`local_row::TRANSLATION`] or [`local_row::SCALE`].
    pub(crate) first_row: usize,
    /// Index of the key times.
    pub(crate) timeline: usize,
    /// Bit `k`: lane `k` has keys. The other lanes of the block stay as they are.
    pub(crate) lanes: u16,
    /// The interpolation of each lane: 1 if values run to the next key, 0 if each value is held until the next key, -1
    /// if the lane has no keys.
    pub(crate) runs: KeyRow,
    /// `true` if the values of all lanes that have keys run to the next key.
    pub(crate) all_run: bool,
    /// Four rows (rotation) or three for each key. Rotations are of unit length, and no further than half a turn from
    /// one to the next.
    pub(crate) keys: Vec<KeyRow>,
}

impl Track {
    /// Rows of one key.
    pub(crate) fn width(&self) -> usize {
        if self.first_row == local_row::ROTATION { 4 } else { 3 }
    }
}

/// The two keys around a time on a timeline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moment {
    /// The index of the last key at or before the time, and of the next key. From the end on, both are the last key;
    /// before the first key, they are the first two keys.
    pub(crate) keys: [usize; 2],
    /// The position of the time between the two keys, from 0 (the first) to 1 (the second).
    pub(crate) fraction: f32,
    /// The terms of the shares of both keys that depend on the fraction alone, see [`TERMS`].
    pub(super) terms: [[f32; TERMS]; 2],
}

impl Moment {
    pub(crate) fn new(keys: [usize; 2], fraction: f32) -> Self {
        let of_share = |t: f32| std::array::from_fn(|i| SQUARE_SHARES[i] * (t * t) - SHARES[i]);
        Self { keys, fraction, terms: [1.0 - fraction, fraction].map(of_share) }
    }
}

/// The number of terms of the polynomial.
pub(crate) const TERMS: usize = 8;
/// The factor of the last term, which makes up for all terms after it (Eberly's `1 + mu`).
const LAST: f64 = 1.901_107_453_517_300_4;
/// `1 / (i (2 i + 1))` of terms `i` = 1, 2, ...
pub(crate) const SQUARE_SHARES: [f32; TERMS] = terms(true);
/// `i / (2 i + 1)` of terms `i` = 1, 2, ...
pub(crate) const SHARES: [f32; TERMS] = terms(false);

const fn terms(of_square: bool) -> [f32; TERMS] {
    let mut terms = [0.0; TERMS];
    let mut i = 0;
    while i < TERMS {
        let number = (i + 1) as f64;
        let over = if of_square { 1.0 / number } else { number };
        let factor = if i + 1 == TERMS { LAST } else { 1.0 };
        terms[i] = (factor * over / (2.0 * number + 1.0)) as f32;
        i += 1;
    }
    terms
}

/// A matrix by columns of four numbers, the last of each 0.
pub(crate) fn fours_from_matrix(matrix: &Affine3A) -> Fours {
    let columns = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis, matrix.translation];
    let mut numbers = [0.0; LANES];
    for (four, column) in numbers.chunks_exact_mut(4).zip(columns) {
        column.extend(0.0).write_to_slice(four);
    }
    Fours(numbers)
}

/// The inverse of [`fours_from_matrix`].
#[inline]
pub(crate) fn matrix_from_fours(fours: &Fours) -> Affine3A {
    let [x, y, z, translation] = [0, 1, 2, 3].map(|index| Vec3A::from_vec4(fours.quarter(index)));
    Affine3A { matrix3: glam::Mat3A::from_cols(x, y, z), translation }
}

#[cfg(test)]
mod tests {
    use super::super::{Kernel, local_matrices, model_matrices, sample_matrices, sample_tracks};
    use super::*;
    use geometry_core::portable::{affine_from_parts, affine_mul, mat3_from_quaternion};
    use glam::{Mat3, Quat, Vec3};
    use proptest::prelude::*;
    use skeleton::JointIndex;

    /// `sin(t a) / sin(a)`, with `cosine_less_one = cos(a) - 1`.
    fn share(t: f32, cosine_less_one: f32) -> f32 {
        let square = t * t;
        let mut sum = 1.0;
        for i in (0..TERMS).rev() {
            sum = ((SQUARE_SHARES[i] * square - SHARES[i]) * cosine_less_one) * sum + 1.0;
        }
        t * sum
    }

    fn dot4(a: [f32; 4], b: [f32; 4]) -> f32 {
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    }

    /// A rotation between two unit quaternions whose dot product is not negative.
    fn rotation_between(a: [f32; 4], b: [f32; 4], fraction: f32) -> [f32; 4] {
        let cosine_less_one = dot4(a, b) - 1.0;
        let (from, to) = (share(1.0 - fraction, cosine_less_one), share(fraction, cosine_less_one));
        let sum: [f32; 4] = std::array::from_fn(|i| a[i] * from + b[i] * to);
        let inverse = 1.0 / dot4(sum, sum).sqrt();
        sum.map(|component| component * inverse)
    }

    /// Samples one lane of a track.
    fn sample_lane(track: &Track, moment: &Moment, lane: usize, block: &mut LocalBlock) {
        let fraction = moment.fraction * track.runs.0[lane];
        if track.first_row == local_row::ROTATION {
            let [a, b]: [[f32; 4]; 2] = moment.keys.map(|key| std::array::from_fn(|i| track.keys[4 * key + i].0[lane]));
            block.set(local_row::ROTATION, lane, rotation_between(a, b, fraction));
        } else {
            let [a, b]: [[f32; 3]; 2] = moment.keys.map(|key| std::array::from_fn(|i| track.keys[3 * key + i].0[lane]));
            block.set(track.first_row, lane, std::array::from_fn::<f32, 3, _>(|i| a[i] + fraction * (b[i] - a[i])));
        }
    }

    /// `parent_from_joint` of one joint as a matrix by columns of four numbers.
    fn matrix_of_lane(block: &LocalBlock, lane: usize) -> Fours {
        let axes = mat3_from_quaternion(Quat::from_array(block.get(local_row::ROTATION, lane)));
        let [x, y, z]: [f32; 3] = block.get(local_row::SCALE, lane);
        let linear = Mat3::from_cols(axes.x_axis * x, axes.y_axis * y, axes.z_axis * z);
        let translation: [f32; 3] = block.get(local_row::TRANSLATION, lane);
        fours_from_matrix(&affine_from_parts(&linear, Vec3::from_array(translation)))
    }

    /// Compares with sines in double precision, for all cosines and fractions: the error depends on nothing else.
    #[test]
    fn rotations_stay_within_two_thousandths_of_a_degree_of_the_great_arc() {
        let steps: i32 = if cfg!(miri) { 20 } else { 1000 };
        let (mut worst, mut worst_of_ordinary) = (0.0f64, 0.0f64);
        for i in 0..=2 * steps {
            // The angle between the quaternions is at most a quarter turn, half of the rotation's angle. The first half of the
            // cases has even steps of the sine, the second half of the cosine.
            let step = f64::from(i % (steps + 1)) / f64::from(steps);
            let rest = (1.0 - step * step).sqrt();
            let [sine, cosine] = if i <= steps { [step, rest] } else { [rest, step] };
            let half = sine.atan2(cosine);
            let b = [sine as f32, 0.0, 0.0, cosine as f32];
            for k in 0..=steps {
                let fraction = k as f32 / steps as f32;
                let found = rotation_between([0.0, 0.0, 0.0, 1.0], b, fraction).map(f64::from);
                let angle = 2.0 * (found[0].atan2(found[3]) - half * f64::from(fraction)).to_degrees().abs();
                worst = worst.max(angle);
                if half < std::f64::consts::FRAC_PI_4 {
                    worst_of_ordinary = worst_of_ordinary.max(angle);
                }
                assert!((found.iter().map(|c| c * c).sum::<f64>() - 1.0).abs() < 4e-7);
            }
        }
        assert!(worst < 2e-3 && worst_of_ordinary < 3e-5, "{worst} and {worst_of_ordinary} degrees");
    }

    #[test]
    fn a_key_gives_itself() {
        let (a, b) = ([0.6, 0.0, 0.0, 0.8], [0.0, 0.6, 0.0, 0.8]);
        assert_eq!(rotation_between(a, b, 0.0), a);
        for (found, expected) in rotation_between(a, b, 1.0).into_iter().zip(b) {
            assert!((found - expected).abs() < 2e-7);
        }
    }

    /// Keys of unit length that are at most half a turn apart, or any numbers.
    fn keys(first_row: usize) -> impl Strategy<Value = [[f32; 4]; 2]> {
        let key = move || {
            prop::array::uniform4(-2f32..2.0).prop_map(move |key| {
                let is_rotation = first_row == local_row::ROTATION && key.iter().any(|number| number.abs() > 0.1);
                if is_rotation { Quat::from_array(key).normalize().to_array() } else { key }
            })
        };
        (key(), key()).prop_map(|(a, b)| if dot4(a, b) < 0.0 { [a, b.map(|number| -number)] } else { [a, b] })
    }

    /// A track of the first two blocks. Lanes without keys have any numbers.
    fn track() -> impl Strategy<Value = Track> {
        let rows = prop_oneof![Just(local_row::ROTATION), Just(local_row::TRANSLATION), Just(local_row::SCALE)];
        let lanes = prop_oneof![any::<u16>(), Just(u16::MAX), 0u16..4];
        let parts = rows.prop_flat_map(|row| (Just(row), prop::collection::vec(keys(row), LANES)));
        (0usize..2, parts, lanes, any::<u16>(), any::<bool>()).prop_map(
            |(block, (first_row, keys), lanes, held, all_run)| {
                let run = |lane: usize| match (lanes >> lane & 1 == 1, all_run || held >> lane & 1 == 0) {
                    (true, true) => 1.0,
                    (true, false) => 0.0,
                    (false, _) => -1.0,
                };
                let width = if first_row == local_row::ROTATION { 4 } else { 3 };
                let row = |row: usize| KeyRow(std::array::from_fn(|lane| keys[lane][row / width][row % width]));
                let runs = KeyRow(std::array::from_fn(run));
                Track { block, first_row, timeline: 0, lanes, runs, all_run, keys: (0..2 * width).map(row).collect() }
            },
        )
    }

    fn bits(rows: &[Row]) -> Vec<[u32; LANES]> {
        rows.iter().map(|row| row.map(f32::to_bits)).collect()
    }

    proptest! {
        #[test]
        fn every_kernel_samples_the_bits_of_one_lane_after_the_other(
            tracks in prop::collection::vec(track(), 0..7),
            fraction in prop_oneof![Just(0f32), Just(1.0), 0f32..1.0],
            joints in 1usize..=2 * LANES,
        ) {
            let mut tracks = tracks;
            tracks.sort_by_key(|track| track.block);
            let moments = [Moment::new([0, 1], fraction)];
            let base = vec![LocalBlock::IDENTITY; joints.div_ceil(LANES)];
            tracks.retain(|track| track.block < base.len());
            let mut expected = base.clone();
            for track in &tracks {
                for lane in (0..LANES).filter(|lane| track.lanes >> lane & 1 == 1) {
                    sample_lane(track, &moments[0], lane, &mut expected[track.block]);
                }
            }
            let local: Vec<Fours> =
                (0..joints).map(|joint| matrix_of_lane(&expected[joint / LANES], joint % LANES)).collect();
            let of_local = |matrices: &[Fours]| bits(&matrices.iter().map(|matrix| matrix.0).collect::<Vec<_>>());
            let parent = |joint: usize| joint.checked_sub(1 + joint % 3);
            let mut model = vec![Affine3A::NAN; joints];
            for joint in 0..joints {
                let matrix = matrix_from_fours(&local[joint]);
                model[joint] = parent(joint).map_or(matrix, |parent| affine_mul(&model[parent], &matrix));
            }
            let of_model = |matrices: &[Affine3A]| of_local(&matrices.iter().map(fours_from_matrix).collect::<Vec<_>>());
            let index = |joint: usize| JointIndex(joint as u16);
            let (order, parents): (Vec<_>, Vec<_>) = (0..joints).map(|joint| (index(joint), parent(joint).map(index))).unzip();
            for kernel in Kernel::available() {
                let mut blocks = base.clone();
                sample_tracks(kernel, &tracks, &moments, &mut blocks);
                for (found, expected) in blocks.iter().zip(&expected) {
                    prop_assert_eq!(bits(&found.0), bits(&expected.0), "{:?}", kernel);
                }
                let mut matrices = vec![Fours::NAN; joints];
                local_matrices(kernel, &blocks, &mut matrices);
                prop_assert_eq!(of_local(&matrices), of_local(&local), "{:?}", kernel);
                matrices.fill(Fours::NAN);
                sample_matrices(kernel, &base, &tracks, &moments, &mut matrices);
                prop_assert_eq!(of_local(&matrices), of_local(&local), "{:?}", kernel);
                let mut found = vec![Affine3A::NAN; joints];
                model_matrices(kernel, &order, &parents, &matrices, &mut found);
                prop_assert_eq!(of_model(&found), of_model(&model), "{:?}", kernel);
            }
        }
    }
}
