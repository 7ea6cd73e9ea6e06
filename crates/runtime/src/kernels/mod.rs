//! Do boxes overlap? One box against sixteen at a time.
//!
//! The answer is that of [`geometry_core::Obb::overlaps`], bit for bit: the separating axis test on 15 axes. The
//! vector kernels do its first stage (`f32`, one tolerance relative to the boxes' sizes) on several boxes at once and
//! hand the few pairs that are too close to call to its second stage in `f64`. Two quick rejects stand before it, by
//! the spheres and by the axis-aligned boxes around the two, both enlarged by [`NEAR_TOLERANCE`], so that only boxes
//! are rejected which are apart.

mod body;
mod scalar;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(test)]
mod tests;

use crate::lanes::{Block, BoxLanes, Lane};
use geometry_core::Obb;
use std::sync::OnceLock;

/// By how much spheres and axis-aligned boxes around a box are enlarged for quick rejects, as a share of the sum of its
/// half extents; no unit.
///
/// Axes that are orthonormal to 1e-6 make a box reach up to 1.5e-6 of its size beyond its nominal sphere, and the sums
/// and products of both rejects round by less than ten times 2^-24: together below 2.1e-6, and this is 3.8e-6.
///
/// Boxes that a reject tells apart are so by [`geometry_core::Obb::overlaps`] too: two disjoint boxes at distance `D`
/// show a gap of at least `D / sqrt(3)` along one of the 15 axes (the direction of `D` is a mixture of those normals of
/// the Minkowski difference that meet in one corner, which lie in one octant), far above its tolerance of 2^-49.
pub const NEAR_TOLERANCE: f32 = 1.0 / 262_144.0;

/// An implementation of the box test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kernel {
    /// One pair at a time: defines the answer.
    Scalar,
    /// Four boxes at a time; every x86-64 has it.
    Sse2,
    /// Eight boxes at a time.
    Avx2,
    /// Sixteen boxes at a time.
    Avx512,
    /// Four boxes at a time; every aarch64 has it.
    Neon,
}

impl Kernel {
    const ALL: [Self; 5] = [Self::Scalar, Self::Sse2, Self::Neon, Self::Avx2, Self::Avx512];

    /// The fastest that this processor has; found once.
    #[must_use]
    pub fn best() -> Self {
        static BEST: OnceLock<Kernel> = OnceLock::new();
        *BEST.get_or_init(|| Self::available().last().unwrap_or(Self::Scalar))
    }

    /// All that this processor has, slowest first.
    ///
    /// ```
    /// use runtime::kernels::Kernel;
    /// assert!(Kernel::available().any(|kernel| kernel == Kernel::best()));
    /// ```
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|kernel| kernel.is_available())
    }

    /// Whether this processor has it.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Sse2 => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => std::arch::is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => std::arch::is_x86_feature_detected!("avx512f"),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => true,
            #[allow(unreachable_patterns, reason = "which are left depends on the processor")]
            _ => false,
        }
    }

    fn checked(self) -> Self {
        assert!(self.is_available(), "this processor has no {self:?}");
        self
    }
}

/// Calls `$function` of the kernel's module.
macro_rules! dispatch {
    ($kernel:expr, $function:ident($($argument:expr),*)) => {
        match $kernel.checked() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: SSE2 is part of x86-64.
            Kernel::Sse2 => unsafe { sse2::$function($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `checked` has asked the processor for AVX2.
            Kernel::Avx2 => unsafe { avx2::$function($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `checked` has asked the processor for AVX-512F.
            Kernel::Avx512 => unsafe { avx512::$function($($argument),*) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: NEON is part of the aarch64 that Rust's targets promise.
            Kernel::Neon => unsafe { neon::$function($($argument),*) },
            _ => scalar::$function($($argument),*),
        }
    };
}

/// Bit `k` of `masks[i]` becomes whether lane `k` of `blocks[i]` overlaps `query`.
pub(crate) fn masks(kernel: Kernel, query: &Lane, blocks: &[Block], masks: &mut [u16]) {
    debug_assert_eq!(blocks.len(), masks.len());
    dispatch!(kernel, masks(query, blocks, masks));
}

/// Calls `touch(i, j, mask)` where box `i` of `a` overlaps the lanes `mask` of block `j` of `b`, in order, until it
/// answers `false`. Only lanes in `a_near` and `b_near` are tested.
pub(crate) fn pairs(
    kernel: Kernel,
    a: (&[Block], &[u16]),
    b: (&[Block], &[u16]),
    touch: &mut dyn FnMut(usize, usize, u16) -> bool,
) {
    dispatch!(kernel, pairs(a, b, touch));
}

/// Bit `k` of `masks[i]` becomes whether the bounds of lane `k` of `blocks[i]` reach into `[min, max]`.
pub(crate) fn near_bounds(kernel: Kernel, blocks: &[Block], min: &[f32; 3], max: &[f32; 3], masks: &mut [u16]) {
    debug_assert_eq!(blocks.len(), masks.len());
    dispatch!(kernel, near_bounds(blocks, min, max, masks));
}

/// Whether the spheres and the axis-aligned boxes around the two overlap. Every comparison fails on NaN.
#[inline]
fn near(a: &Lane, b: &Lane) -> bool {
    let d = [b.center[0] - a.center[0], b.center[1] - a.center[1], b.center[2] - a.center[2]];
    let reach = a.radius + b.radius;
    d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= reach * reach + f32::MIN_POSITIVE
        && (0..3).all(|c| d[c].abs() <= a.extent[c] + b.extent[c])
}

/// Takes those of the `unsure` lanes out of `mask` that do not overlap `query` when looked at in `f64`.
#[cold]
#[inline(never)]
fn settle(query: &Lane, block: &Block, mut mask: u16, mut unsure: u16) -> u16 {
    while unsure != 0 {
        let lane = unsure.trailing_zeros() as usize;
        unsure &= unsure - 1;
        let pair = query.obb().zip(block.get(lane).obb());
        if !pair.is_some_and(|(a, b)| a.overlaps(&b)) {
            mask &= !(1 << lane);
        }
    }
    mask
}

impl BoxLanes {
    /// Which of these boxes overlap `query`: bit `k` of `masks[i]` stands for box `16 i + k`.
    ///
    /// # Panics
    /// Where the processor has no such kernel.
    pub fn overlaps_box(&self, query: &Obb, kernel: Kernel, masks: &mut Vec<u16>) {
        masks.clear();
        masks.resize(self.blocks.len(), 0);
        let query = Lane::new(query.center(), query.half_extents(), &query.axes());
        self::masks(kernel, &query, &self.blocks, masks);
    }
}
