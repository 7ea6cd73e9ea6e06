//! The trait [`Vectors`] is the contract between the instruction sets and the bodies of the kernels' functions.
//!
//! The module of an instruction set has two kinds of functions:
//!
//! - The *operations* are small functions, such as `add`. The macro `ops!` implements [`Vectors`] with the operations. The
//!   compiler checks that no operation is missing and that all have the right types.
//! - The *entries* are the functions that [`super`] dispatches to. The macro `entries!` makes one of each row of
//!   `table.rs`. An entry calls the function's body.
//!
//! [`super::portable`] implements [`Vectors`] for the scalar kernel and for SSE2, without intrinsics, so it needs no proof.
//!
//! `ops!` also defines a type for the instruction set. A value of this type proves that the processor has the instructions. An
//! entry makes the value and passes it to the generic function. Each operation and each entry has a `#[target_feature]`, so an
//! operation may call the intrinsics safely.
//!
//! # Two rules for speed
//!
//! The compiler inlines an operation only into a function that has all features of the operation. An operation names only the
//! features that the operation needs, and an entry names all features of the instruction set.
//!
//! 1. Mark every generic function between an entry and the operations `#[inline(always)]`. The generic function then becomes a
//!    part of the entry, which has the features.
//! 2. On a hot path, do not pass a closure that uses operations to a function of the standard library. That function lacks
//!    the features, so the compiler does not inline the operations into that function.

use super::Batch;
use super::batch::choose_eight;
use super::layout::{LANES, Quarters, Record};
use glam::{Affine3A, Vec4};
use std::hint::black_box;

/// Vectors of `WIDTH` numbers, and the operations on them. A value exists only where the processor has the
/// instructions.
pub(super) trait Vectors<const WIDTH: usize>: Copy {
    /// `WIDTH` numbers.
    type V: Copy;
    /// The result of `WIDTH` comparisons.
    type M: Copy;
    /// The most candidates that are left to [`Vectors::take_few`], which is cheaper for so few. 0 if it is never cheaper, and
    /// the largest number if it always is: then bounds are compared one pair after the other too.
    const FEW: usize;
    /// The number of bits that [`Vectors::choose`] looks at: the width of a vector, and at least eight.
    const AT_ONCE: usize = if WIDTH > 8 { WIDTH } else { 8 };
    /// `true` if [`Vectors::choose`] looks up all numbers at once, and not one after another.
    const LOOKS_UP_AT_ONCE: bool = WIDTH >= 8;

    /// The same number in every lane.
    fn splat(self, value: f32) -> Self::V;
    /// Numbers `at` to `at + WIDTH` of a row.
    fn load(self, row: &[f32; LANES], at: usize) -> Self::V;
    /// Writes numbers `at` to `at + WIDTH` of a row.
    fn store(self, value: Self::V, row: &mut [f32; LANES], at: usize);
    /// `a + b`, rounded once.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a - b`, rounded once.
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a * b`, rounded once.
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a / b`, rounded once.
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    /// The square root, rounded once.
    fn sqrt(self, a: Self::V) -> Self::V;
    /// `c + a * b`. With a fused instruction (AVX2, AVX-512, NEON), only the sum is rounded. Without one (SSE2, `simd128`), the
    /// product is rounded too. The bits of an answer must not depend on it.
    fn about_add_mul(self, c: Self::V, a: Self::V, b: Self::V) -> Self::V;
    /// `c - a * b`, rounded as [`Vectors::about_add_mul`] rounds. The bits of an answer must not depend on it.
    fn about_sub_mul(self, c: Self::V, a: Self::V, b: Self::V) -> Self::V;
    /// The absolute value.
    fn abs(self, a: Self::V) -> Self::V;
    /// The greater of `a` and `b`. If one is NaN, or both are zeros of different sign, the result depends on the
    /// instruction set, and the bits of an answer must not depend on it.
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    /// The lesser of `a` and `b`. If one is NaN, or both are zeros of different sign, the result depends on the
    /// instruction set, and the bits of an answer must not depend on it.
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    /// True in every lane.
    fn all(self) -> Self::M;
    /// `so_far` and `a <= b`, false on NaN.
    fn le(self, so_far: Self::M, a: Self::V, b: Self::V) -> Self::M;
    /// `so_far` and `a >= b`, false on NaN. Pass a vector that was just loaded as `b`, here and in [`Vectors::le`]: then the compiler
    /// needs no instruction for the load.
    fn ge(self, so_far: Self::M, a: Self::V, b: Self::V) -> Self::M;
    /// `a` where the comparison was true, `b` elsewhere.
    fn select(self, mask: Self::M, a: Self::V, b: Self::V) -> Self::V;
    /// Bit `k` is lane `k`; the bits above are 0.
    fn bits(self, mask: Self::M) -> u16;
    /// Transposes rows to columns within each four lanes.
    fn transpose4(self, rows: [Self::V; 4]) -> [Self::V; 4];
    /// Returns four vectors. In vector `i`, each group of four lanes holds number `i` of that group four times.
    fn spread4(self, fours: Self::V) -> [Self::V; 4];
    /// Returns four vectors. In vector `i`, each group of four lanes holds number `i` of that group of `a` twice, and then
    /// number `i` of that group of `b` twice.
    fn spread_pairs(self, a: Self::V, b: Self::V) -> [Self::V; 4];
    /// The lanes whose bits are set, moved to the front in their order; the other lanes have no meaning.
    fn compress(self, value: Self::V, lanes: u16) -> Self::V;
    /// Writes `numbers[at + k] + plus` for each bit `k` of `lanes` that is set, in their order; the numbers after them
    /// have no meaning. Looks at [`Vectors::AT_ONCE`] bits.
    #[inline(always)]
    fn choose(self, numbers: &[u32; LANES], at: usize, lanes: u16, plus: u32, chosen: &mut [u32; LANES]) {
        choose_eight(numbers, at, lanes, plus, chosen);
    }
    /// The same as [`Vectors::choose`], and faster if usually few bits are set; any number of bits may be set. AVX-512 writes
    /// eight numbers, and sixteen only if more than eight bits are set: a store of sixteen numbers that lies in two cache lines
    /// takes longer than a branch that is nearly always predicted.
    #[inline(always)]
    fn choose_few(self, numbers: &[u32; LANES], at: usize, lanes: u16, plus: u32, chosen: &mut [u32; LANES]) {
        self.choose(numbers, at, lanes, plus, chosen);
    }
    /// Column `index` (x, y, z or the translation) of a matrix in each four lanes; the fourth number of each is undefined.
    fn spread_column(self, matrix: &Affine3A, index: usize) -> Self::V;
    /// Numbers `at` to `at + WIDTH` of a matrix by columns of four; the fourth number of each column is undefined.
    fn load_matrix(self, matrix: &Affine3A, at: usize) -> Self::V;
    /// The inverse of [`Vectors::load_matrix`].
    fn store_matrix(self, value: Self::V, matrix: &mut Affine3A, at: usize);
    /// Vector `i` has column `i` of `WIDTH / 4` matrices, one matrix in each four lanes. Each vector of the
    /// result has consecutive numbers of one matrix; [`part_of_matrix`] says of which matrix, and which number is the first. The
    /// function is its own inverse.
    fn transpose_fours(self, columns: [Self::V; 4]) -> [Self::V; 4];
    /// Writes numbers `at` to `at + WIDTH` of the numbers of all records, one record after another.
    fn store_in_records(self, value: Self::V, records: &mut [Record; WIDTH], at: usize);
    /// The first `WIDTH / 4` of four vectors of four numbers, side by side.
    fn load_fours(self, fours: [Vec4; 4]) -> Self::V;
    /// The inverse of [`Vectors::load_fours`]; the vectors after the first `WIDTH / 4` have no meaning.
    fn split_fours(self, value: Self::V) -> [Vec4; 4];
    /// Tests the last candidates of a batch, at most [`Vectors::FEW`], by a narrower kernel or one after the other.
    fn take_few(self, batch: &mut Batch<'_>);

    /// Numbers `4 * quarter` to `4 * quarter + 4` of records `k`, `4 + k`, `8 + k`, ..., as many as fill a vector.
    #[inline(always)]
    fn load_quarters<R: Quarters>(self, records: &[&R; WIDTH], k: usize, quarter: usize) -> Self::V {
        self.load_fours([
            records[k].quarter(quarter),
            records[(4 + k) % WIDTH].quarter(quarter),
            records[(8 + k) % WIDTH].quarter(quarter),
            records[(12 + k) % WIDTH].quarter(quarter),
        ])
    }

    /// Writes what [`Vectors::load_quarters`] reads, to those records that are there.
    #[inline(always)]
    fn store_quarters<R: Quarters>(self, value: Self::V, records: &mut [R], k: usize, quarter: usize) {
        let fours = self.split_fours(value);
        for (i, four) in fours[..WIDTH / 4].iter().enumerate() {
            if let Some(record) = records.get_mut(4 * i + k) {
                record.set_quarter(quarter, *four);
            }
        }
    }
}

/// The matrix that vector `i` of [`Vectors::transpose_fours`] belongs to, and the index of its first number there.
#[inline(always)]
pub(super) const fn part_of_matrix<const WIDTH: usize>(i: usize) -> (usize, usize) {
    (i % (WIDTH / 4), i / (WIDTH / 4) * WIDTH)
}

/// Aligns the stack frame of the function that this is inlined into, and with it the vectors for which the processor has no
/// register left. Otherwise half of these vectors lie in two cache lines in some runs of a program, which cost a fifth of
/// the time of `flush` with AVX2.
#[inline(always)]
pub(super) fn align_frame() {
    #[repr(align(64))]
    struct Line(#[allow(dead_code, reason = "only its alignment counts")] u8);
    // A variable, because the compiler would make a constant a static.
    let line = Line(0);
    black_box(&line);
}

/// Implements [`Vectors`] by the functions of the module that it stands in.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", all(target_arch = "wasm32", target_feature = "simd128")))]
macro_rules! ops {
    (
        $set:ident, $feature:literal, $width:literal, $v:ty, $m:ty, few: $few:expr;
        $(fn $function:ident($($argument:ident: $type:ty),*) $(-> $answer:ty)?;)*
    ) => {
        /// Proof that the processor has the instructions of this module.
        #[derive(Clone, Copy)]
        pub(super) struct $set(());

        impl $set {
            #[inline]
            #[target_feature(enable = $feature)]
            fn new() -> Self {
                Self(())
            }
        }

        impl super::vectors::Vectors<$width> for $set {
            type V = $v;
            type M = $m;
            const FEW: usize = $few;

            $(
                #[inline(always)]
                #[allow(unused_unsafe, reason = "WebAssembly's instructions are safe to call")]
                fn $function(self, $($argument: $type),*) $(-> $answer)? {
                    // SAFETY: only a function with this `#[target_feature]` can make a `self`, so the processor has it.
                    unsafe { $function($($argument),*) }
                }
            )*
        }
    };
    ($set:ident, $feature:literal, $width:literal, $v:ty, $m:ty, few: $few:expr, also: { $($also:tt)* }) => {
        ops! {
            $set, $feature, $width, $v, $m, few: $few;
            $($also)*
            fn splat(value: f32) -> $v;
            fn load(row: &[f32; LANES], at: usize) -> $v;
            fn store(value: $v, row: &mut [f32; LANES], at: usize);
            fn add(a: $v, b: $v) -> $v;
            fn sub(a: $v, b: $v) -> $v;
            fn mul(a: $v, b: $v) -> $v;
            fn div(a: $v, b: $v) -> $v;
            fn sqrt(a: $v) -> $v;
            fn about_add_mul(c: $v, a: $v, b: $v) -> $v;
            fn about_sub_mul(c: $v, a: $v, b: $v) -> $v;
            fn abs(a: $v) -> $v;
            fn max(a: $v, b: $v) -> $v;
            fn min(a: $v, b: $v) -> $v;
            fn all() -> $m;
            fn le(so_far: $m, a: $v, b: $v) -> $m;
            fn ge(so_far: $m, a: $v, b: $v) -> $m;
            fn select(mask: $m, a: $v, b: $v) -> $v;
            fn bits(mask: $m) -> u16;
            fn transpose4(rows: [$v; 4]) -> [$v; 4];
            fn spread4(fours: $v) -> [$v; 4];
            fn spread_pairs(a: $v, b: $v) -> [$v; 4];
            fn compress(value: $v, lanes: u16) -> $v;
            fn spread_column(matrix: &Affine3A, index: usize) -> $v;
            fn load_matrix(matrix: &Affine3A, at: usize) -> $v;
            fn store_matrix(value: $v, matrix: &mut Affine3A, at: usize);
            fn transpose_fours(columns: [$v; 4]) -> [$v; 4];
            fn store_in_records(value: $v, records: &mut [Record; $width], at: usize);
            fn load_fours(fours: [Vec4; 4]) -> $v;
            fn split_fours(value: $v) -> [Vec4; 4];
            fn take_few(batch: &mut Batch<'_>);
        }
    };
}

/// Makes the functions of one instruction set from the rows of `table!`.
macro_rules! entries {
    (
        ($set:ident, $feature:meta)
        $(
            $(#[$attribute:meta])*
            fn $name:ident $(<$life:lifetime>)? ($s:ident $(, $argument:ident: $type:ty)* $(,)?) $(-> $answer:ty)? $body:block
        )*
    ) => {
        $(
            $(#[$attribute])*
            #[$feature]
            pub(super) fn $name $(<$life>)? ($($argument: $type),*) $(-> $answer)? {
                let $s = $set::new();
                $body
            }
        )*
    };
}

pub(super) use entries;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub(super) use ops;
