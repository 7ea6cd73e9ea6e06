//! Four numbers at a time in portable code: glam's vectors, which have a form for every processor.

use super::*;
use glam::{BVec4A, Mat4, Vec4Swizzles};
use layout::Quarters;
use vectors::Vectors;

type V = Vec4;
type M = BVec4A;
const WIDTH: usize = 4;

/// Four numbers at a time, on every processor. `FEW` is that of [`Vectors`].
#[derive(Clone, Copy)]
pub(super) struct Portable<const FEW: usize>;

impl<const FEW: usize> Portable<FEW> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self
    }
}

/// The three numbers, and a fourth one that has no meaning.
#[inline(always)]
fn with_a_fourth(three: Vec3A) -> Vec4 {
    // On x86-64 this takes no instruction.
    #[cfg(target_arch = "x86_64")]
    return Vec4::from(std::arch::x86_64::__m128::from(three));
    #[cfg(not(target_arch = "x86_64"))]
    return three.extend(0.0);
}

impl<const FEW: usize> Vectors<WIDTH> for Portable<FEW> {
    type V = V;
    type M = M;
    const FEW: usize = FEW;

    #[inline(always)]
    fn take_few(self, batch: &mut Batch<'_>) {
        if FEW > 0 {
            box_test::take_one_by_one(batch);
        }
    }

    #[inline(always)]
    fn splat(self, value: f32) -> V {
        V::splat(value)
    }

    #[inline(always)]
    fn load(self, row: &[f32; LANES], at: usize) -> V {
        V::from_slice(&row[at..at + WIDTH])
    }

    #[inline(always)]
    fn store(self, value: V, row: &mut [f32; LANES], at: usize) {
        value.write_to_slice(&mut row[at..at + WIDTH]);
    }

    #[inline(always)]
    fn add(self, a: V, b: V) -> V {
        a + b
    }

    #[inline(always)]
    fn sub(self, a: V, b: V) -> V {
        a - b
    }

    #[inline(always)]
    fn mul(self, a: V, b: V) -> V {
        a * b
    }

    #[inline(always)]
    fn div(self, a: V, b: V) -> V {
        a / b
    }

    #[inline(always)]
    fn sqrt(self, a: V) -> V {
        a.sqrt()
    }

    #[inline(always)]
    fn about_add_mul(self, c: V, a: V, b: V) -> V {
        a * b + c
    }

    #[inline(always)]
    fn about_sub_mul(self, c: V, a: V, b: V) -> V {
        c - a * b
    }

    #[inline(always)]
    fn abs(self, a: V) -> V {
        a.abs()
    }

    #[inline(always)]
    fn max(self, a: V, b: V) -> V {
        a.max(b)
    }

    #[inline(always)]
    fn min(self, a: V, b: V) -> V {
        a.min(b)
    }

    #[inline(always)]
    fn all(self) -> M {
        M::TRUE
    }

    #[inline(always)]
    fn le(self, so_far: M, a: V, b: V) -> M {
        so_far & a.cmple(b)
    }

    #[inline(always)]
    fn ge(self, so_far: M, a: V, b: V) -> M {
        so_far & a.cmpge(b)
    }

    #[inline(always)]
    fn select(self, mask: M, a: V, b: V) -> V {
        V::select(mask, a, b)
    }

    #[inline(always)]
    fn bits(self, mask: M) -> u16 {
        mask.bitmask() as u16
    }

    #[inline(always)]
    fn transpose4(self, [a, b, c, d]: [V; 4]) -> [V; 4] {
        let columns = Mat4::from_cols(a, b, c, d).transpose();
        [columns.x_axis, columns.y_axis, columns.z_axis, columns.w_axis]
    }

    #[inline(always)]
    fn spread4(self, fours: V) -> [V; 4] {
        [fours.xxxx(), fours.yyyy(), fours.zzzz(), fours.wwww()]
    }

    #[inline(always)]
    fn spread_pairs(self, a: V, b: V) -> [V; 4] {
        let (a, b) = (a.to_array(), b.to_array());
        [0, 1, 2, 3].map(|i| V::new(a[i], a[i], b[i], b[i]))
    }

    #[inline(always)]
    fn compress(self, value: V, lanes: u16) -> V {
        let (numbers, places) = (value.to_array(), &batch::BIT_PLACES[usize::from(lanes & 0xF)].places);
        V::from_array([0, 1, 2, 3].map(|k| numbers[(places[k] & 3) as usize]))
    }

    #[inline(always)]
    fn spread_column(self, matrix: &Affine3A, index: usize) -> V {
        with_a_fourth(column(matrix, index))
    }

    #[inline(always)]
    fn load_matrix(self, matrix: &Affine3A, at: usize) -> V {
        with_a_fourth(column(matrix, at / WIDTH))
    }

    #[inline(always)]
    fn store_matrix(self, value: V, matrix: &mut Affine3A, at: usize) {
        let column = match at / WIDTH {
            0 => &mut matrix.matrix3.x_axis,
            1 => &mut matrix.matrix3.y_axis,
            2 => &mut matrix.matrix3.z_axis,
            _ => &mut matrix.translation,
        };
        *column = Vec3A::from_vec4(value);
    }

    #[inline(always)]
    fn transpose_fours(self, columns: [V; 4]) -> [V; 4] {
        columns
    }

    #[inline(always)]
    fn store_in_records(self, value: V, records: &mut [Record; WIDTH], at: usize) {
        records[at / 12].set_quarter(at % 12 / WIDTH, value);
    }

    #[inline(always)]
    fn load_fours(self, [a, _, _, _]: [Vec4; 4]) -> V {
        a
    }

    #[inline(always)]
    fn split_fours(self, value: V) -> [Vec4; 4] {
        [value, Vec4::ZERO, Vec4::ZERO, Vec4::ZERO]
    }
}
