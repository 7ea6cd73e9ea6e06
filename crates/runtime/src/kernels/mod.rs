//! The inner loops of the run time, written for each instruction set. The most important one tests pairs of boxes for
//! overlap, four, eight or sixteen at a time. `docs/kernels.md` says how to change a kernel.
//!
//! # Words of the kernels
//!
//! - A *lane* is a place in a vector or in a block.
//! - A *block* holds sixteen boxes, joints or triangles. The same number of all sixteen, such as the x of their centers, lies
//!   side by side in a *row* of the block.
//! - A *record* is one posed box as twelve numbers.
//! - Bounds are *near* other bounds if the two share a point, and are not near if there is any gap between them.
//! - A *candidate* is a pair of boxes whose bounds are near each other.
//! - A *source* is two characters that candidates come from. The *tag* of a source is the number by which the caller knows
//!   the source.
//! - A *batch* collects the candidates of up to eight sources.
//! - A *side* is up to 64 consecutive blocks of one of the two characters, with a mask of the boxes to test, the *near boxes*.
//! - To *gather* is to bring records into the lanes of vectors.
//! - To *pack* is to move the lanes of near boxes together, so that no lane between them is empty.
//! - An *entry* is the function that the macro `entries!` makes of a row of `table!` for an instruction set.
//!
//! # The box test
//!
//! The box test answers yes or no for each pair, and the answer is that of [`geometry_core::Obb::overlaps`]. A vector kernel
//! tests several pairs at once, in three steps:
//!
//! 1. The quick reject compares the axis-aligned boxes around the two boxes, enlarged by [`NEAR_TOLERANCE`]. The quick reject
//!    never rejects boxes that overlap.
//! 2. The first stage of `Obb::overlaps` (`f32`, one tolerance relative to the boxes' sizes) decides the other pairs, except
//!    those that are too close to call.
//! 3. `Obb::overlaps` decides these close pairs.
//!
//! A quick reject by spheres was tried. On limbs, it lets through nearly twice as many pairs. As an additional test, it rejects
//! almost no pairs.
//!
//! # Two characters
//!
//! The near boxes of two characters are found in two steps:
//!
//! 1. The near boxes of the second character are those whose bounds are near the bounds around the first character.
//! 2. If the second character has at most eight near boxes, the near boxes of the first character are those whose bounds are
//!    near the bounds around these near boxes. Otherwise, they are those whose bounds are near the bounds around the second
//!    character.
//!
//! Then the kernel collects up to 128 candidates, which can belong to several pairs of characters. It tests the candidates in
//! full vectors, even if each box is part of only a few candidates.
//!
//! # Answers that are numbers
//!
//! For posing, sampling, skinning and bounds, the numbers themselves are the answer. So every kernel rounds every sum, product,
//! quotient and root in the same order.

mod table;
mod vectors;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod scalar;

pub(crate) mod bounds;
pub(crate) mod layout;
pub(crate) mod set_bits;
mod gather;
mod three;

mod near_bounds;
mod batch;
mod candidates;
mod box_test;

pub(crate) mod joint_matrices;
mod enclosing_box;
pub(crate) mod posing;
pub(crate) mod envelope_table;
pub(crate) mod envelope_boxes;
mod envelopes;

pub(crate) mod clip_lanes;
mod sampling;
mod layers;

pub(crate) mod skin_lanes;
mod skinning;
pub(crate) mod point_bounds;
pub(crate) mod near_chunks;
pub(crate) mod triangle_lanes;
mod first_touch;

pub(crate) mod ray_slabs;
pub(crate) mod sweep_lanes;
mod sweeping;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(test)]
mod tests;

pub(crate) use batch::{BLOCKS_AT_ONCE, Batch, BoxesToTest, OverlapSink, boxes_of};
pub(crate) use candidates::PackedBounds;

use baked_format::SkinCut;
use batch::Side;
use bounds::Bounds;
use clip_lanes::{LocalBlock, Moment, Track};
use envelope_boxes::envelope_boxes;
use envelope_table::{BLOCK_MOVERS, EnvelopeTable};
use geometry_core::{FirstContact, Obb, ObbMotion, Separation};
use glam::{Affine3A, Vec3A, Vec4};
use joint_matrices::JointMatrices;
use layout::{BoundsBlock, Fours, LANES, Record, Row, ShapeBlock};
use near_chunks::{ChunkBounds, NearChunks};
use point_bounds::ChunkPoints;
use ray_slabs::{RAY_BLOCKS, Slabs};
use skeleton::JointIndex;
use skin_lanes::{Columns, SkinLanes};
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};
use sweep_lanes::MovingPairs;
use table::table;
use triangle_lanes::TriangleBlock;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
use vectors::ops;
use vectors::{align_frame, entries};

/// The amount by which the axis-aligned box around an oriented box is enlarged for quick rejects, as a share of the sum
/// of the oriented box's half extents (no unit). The corners of the axis-aligned box round by less than 4 · 2^-24 of that
/// sum, and this amount is 64 · 2^-24 of it. Far from the origin the bounds are rounded more coarsely, but rounding keeps
/// the order of numbers, so bounds that overlap before rounding overlap after it.
///
/// If the reject says that two boxes are apart, [`geometry_core::Obb::overlaps`] says so too. Let `S` be the sum of all
/// half extents. If the enlarged bounds are apart, the distance `D` of the boxes is at least 15/16 of 2^-18 `S`. The
/// shortest vector between the boxes is a sum, with weights of at least 0, of the normals of those faces of the
/// Minkowski difference that meet in one corner. One corner of the first box is extreme along all of them, so they lie in
/// one octant of its axes; there the weights of unit normals add up to at most `sqrt(3) D`. The gaps along the normals,
/// times the weights, add up to `D²`, so along one of these normals the gap is at least `D / sqrt(3)`. That is far above 2^-45 `S`, and `Obb::overlaps` misses no gap
/// above 2^-45 `S`.
pub const NEAR_TOLERANCE: f32 = 1.0 / 262_144.0;

/// An implementation of the inner loops for one instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kernel {
    /// Portable code for every processor: one pair of boxes at a time, four numbers at a time in other work. This kernel
    /// defines the answers. In WebAssembly with `simd128`, it is the same code as [`Kernel::Simd128`], because the size of a
    /// module counts.
    Scalar,
    /// Four boxes at a time; available on every x86-64 processor.
    Sse2,
    /// Eight boxes at a time; x86-64 with AVX2, FMA and POPCNT.
    Avx2,
    /// Sixteen boxes at a time; x86-64 with AVX-512F and POPCNT.
    Avx512,
    /// Four boxes at a time; available on every aarch64 processor.
    Neon,
    /// Four boxes at a time; WebAssembly that was built with `simd128`.
    Simd128,
}

/// The fastest kernel that this processor supports.
impl Default for Kernel {
    fn default() -> Self {
        Self::best()
    }
}

impl Kernel {
    const ALL: [Self; 6] = [Self::Scalar, Self::Sse2, Self::Neon, Self::Simd128, Self::Avx2, Self::Avx512];

    /// The fastest kernel that this processor supports. The first call finds it.
    #[must_use]
    pub fn best() -> Self {
        static BEST: OnceLock<Kernel> = OnceLock::new();
        *BEST.get_or_init(|| Self::available().last().unwrap_or(Self::Scalar))
    }

    /// All kernels that this processor supports, slowest first.
    ///
    /// ```
    /// use runtime::kernels::Kernel;
    /// assert!(Kernel::available().any(|kernel| kernel == Kernel::best()));
    /// ```
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|kernel| kernel.is_available())
    }

    /// Returns `true` if this processor supports the kernel.
    #[inline]
    fn is_available(self) -> bool {
        /// Bit `k` is set if the kernel with discriminant `k` is available; 0 before the first call.
        static AVAILABLE: AtomicU8 = AtomicU8::new(0);
        #[cold]
        fn find() -> u8 {
            let found = Kernel::ALL.iter().fold(0, |set, kernel| set | u8::from(kernel.is_detected()) << *kernel as u8);
            AVAILABLE.store(found, Ordering::Relaxed);
            found
        }
        // Every thread finds the same kernels, and at least the scalar one.
        let known = AVAILABLE.load(Ordering::Relaxed);
        let available = if known == 0 { find() } else { known };
        available >> self as u8 & 1 == 1
    }

    fn is_detected(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Sse2 => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                std::arch::is_x86_feature_detected!("avx2")
                    && std::arch::is_x86_feature_detected!("fma")
                    && std::arch::is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                std::arch::is_x86_feature_detected!("avx512f") && std::arch::is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "aarch64")]
            Self::Neon => true,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => true,
            #[allow(unreachable_patterns, reason = "which are left depends on the processor")]
            _ => false,
        }
    }

    #[inline]
    fn checked(self) -> Self {
        assert!(self.is_available(), "this processor has no {self:?}");
        self
    }
}

/// Makes a function of each row of `table!` that takes the kernel in place of the instruction set, and calls the function of
/// the kernel's module.
macro_rules! dispatch {
    (
        ()
        $(
            $(#[$attribute:meta])*
            fn $name:ident $(<$life:lifetime>)? ($s:ident $(, $argument:ident: $type:ty)* $(,)?) $(-> $answer:ty)? $body:block
        )*
    ) => {
        $(
            $(#[$attribute])*
            pub(crate) fn $name $(<$life>)? (kernel: Kernel $(, $argument: $type)*) $(-> $answer)? {
                match kernel.checked() {
                    #[cfg(target_arch = "x86_64")]
                    Kernel::Sse2 => sse2::$name($($argument),*),
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: `checked` has asked the processor for AVX2, FMA and POPCNT.
                    Kernel::Avx2 => unsafe { avx2::$name($($argument),*) },
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: `checked` has asked the processor for AVX-512F and POPCNT.
                    Kernel::Avx512 => unsafe { avx512::$name($($argument),*) },
                    #[cfg(target_arch = "aarch64")]
                    // SAFETY: NEON is part of the aarch64 that Rust's targets promise.
                    Kernel::Neon => unsafe { neon::$name($($argument),*) },
                    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
                    _ => wasm::$name($($argument),*),
                    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
                    _ => scalar::$name($($argument),*),
                }
            }
        )*
    };
}

table!(dispatch!());

/// Returns a mask whose bit `k` is set if the bounds of lane `k` are near `bounds`.
pub(crate) fn near(kernel: Kernel, bounds: &Bounds, block: &BoundsBlock) -> u16 {
    let mut mask = [0];
    bounds_masks(kernel, bounds, std::slice::from_ref(block), &mut mask);
    mask[0]
}

/// [`ray_lanes`] of one block.
pub(crate) fn ray_lanes_of_block(kernel: Kernel, slabs: &Slabs, block: &BoundsBlock, earliest: &mut Row) -> u16 {
    ray_lanes(kernel, slabs, std::slice::from_ref(block), std::slice::from_mut(earliest)) as u16
}

/// Poses boxes. `joints` has the joint of each box of `shapes`, in the same order; the call writes the posed boxes into
/// `records` and their bounds into `blocks`, in this order too. Lanes of `blocks` without a box must have empty bounds before
/// the call.
///
/// Sets bit `k` of `done[i]` if the kernel has placed the box of lane `k` of block `i`. If it clears the bit, the caller
/// (`pose_into`) must place this box. The bit of a lane without a box may be set or clear: if it is set, the kernel has left
/// the bounds of the lane empty; if it is clear, the caller makes them empty.
///
/// A kernel leaves a box to the caller if the joint's matrix collapses the box, shears it so far that edges are nearly
/// parallel, or is out of range.
pub(crate) fn pose(
    kernel: Kernel,
    shapes: &[ShapeBlock],
    joints: &[JointIndex],
    matrices: &JointMatrices<'_>,
    records: &mut [Record],
    blocks: &mut [BoundsBlock],
    done: &mut [u16],
) {
    debug_assert!(joints.len() == records.len() && shapes.len() == blocks.len() && shapes.len() == done.len());
    let full = joints.len() / LANES;
    if kernel == Kernel::Avx512 && (1..=LANES / 2).contains(&(joints.len() - full * LANES)) {
        // Up to half a vector takes less time with AVX2, which every processor with AVX-512 has.
        let (records, last_records) = records.split_at_mut(full * LANES);
        let (blocks, last_blocks) = blocks.split_at_mut(full);
        let (joints, last_joints) = joints.split_at(full * LANES);
        let (done, last_done) = done.split_at_mut(full);
        pose_blocks(kernel, &shapes[..full], joints, matrices, records, blocks, done);
        pose_blocks(Kernel::Avx2, &shapes[full..], last_joints, matrices, last_records, last_blocks, last_done);
    } else {
        pose_blocks(kernel, shapes, joints, matrices, records, blocks, done);
    }
}

/// Replaces the posed boxes that have envelopes by boxes that contain the surface in this pose, and replaces their bounds.
/// Returns the least index of a box that is not finite or out of range.
pub(crate) fn envelopes(
    kernel: Kernel,
    table: &EnvelopeTable,
    matrices: &JointMatrices<'_>,
    records: &mut [Record],
    bounds: &mut [BoundsBlock],
) -> Option<usize> {
    const MANY_MOVERS: usize = 4 * BLOCK_MOVERS;
    // Number 0 is no motion, and the last row of movers writes whole vectors.
    const MORE: usize = 1 + LANES;
    let (mut few, mut many);
    let motions: &mut [Fours] = match table.most_movers {
        0..=BLOCK_MOVERS => {
            few = [Fours::NAN; BLOCK_MOVERS + MORE];
            &mut few
        }
        // Only a block of one box has so many movers.
        most if most <= MANY_MOVERS => {
            many = [Fours::NAN; MANY_MOVERS + MORE];
            &mut many
        }
        // One box after the other, which needs no memory for motions.
        _ => return envelope_boxes(table, matrices, records, bounds),
    };
    envelopes_in(kernel, table, matrices, motions, records, bounds)
}

/// Prefetches memory that will soon be read or written, so that many cache lines are loaded at once.
#[inline]
pub(crate) fn prefetch<T>(soon: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        const LINE: usize = 64;
        for line in 0..size_of_val(soon).div_ceil(LINE) {
            // SAFETY: a prefetch is a hint that reads nothing and cannot fault; SSE is part of x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(soon.as_ptr().cast::<i8>().wrapping_add(line * LINE)) }
        }
    }
    // For other processors, stable Rust has no intrinsic for a prefetch.
    #[cfg(not(target_arch = "x86_64"))]
    let _ = soon;
}

/// Column `index` of a matrix: x, y, z or the translation.
#[inline]
fn column(matrix: &Affine3A, index: usize) -> Vec3A {
    match index {
        0 => matrix.matrix3.x_axis,
        1 => matrix.matrix3.y_axis,
        2 => matrix.matrix3.z_axis,
        _ => matrix.translation,
    }
}

/// Counts the pairs of triangles that the slow tests look at, on this thread.
#[cfg(test)]
pub(crate) mod work {
    use std::cell::Cell;

    thread_local! {
        static PAIRS: Cell<u64> = const { Cell::new(0) };
    }

    pub(crate) fn add() {
        PAIRS.set(PAIRS.get() + 1);
    }

    /// Returns the number of pairs since the last call.
    pub(crate) fn take() -> u64 {
        PAIRS.take()
    }
}
