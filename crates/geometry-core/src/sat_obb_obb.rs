//! Two oriented boxes: the separating axis test on 15 axes.
//!
//! Two disjoint boxes have a separating axis among 15 directions: the three face normals of each and the nine cross
//! products of their edges (Gottschalk, Lin and Manocha, *OBBTree*, SIGGRAPH 1996, section 5; Ericson, *Real-Time
//! Collision Detection* (2005), section 4.4.1). Along an axis `L` with the difference of centers `T`, the boxes are
//! apart if the **gap** `|L·T| − Σ aᵢ|L·Aᵢ| − Σ bⱼ|L·Bⱼ|` is positive. Nothing here is divided by the length of `L`.
//!
//! # Two stages
//!
//! The first stage is the well-known one in `f32`: `T` in A's frame, `R = AᵀB`, and 15 gaps from the entries of `R`.
//! The trouble is in the nine cross products: with near-parallel edges `L` is nearly zero, the gap is a difference of
//! tiny numbers, and rounding decides. The usual cure, an ε added to every `|R|`, is either too small for large or
//! long boxes (a gap is invented, two overlapping boxes are let through each other) or hides real gaps (boxes half a
//! meter apart that "touch"). Here every gap is compared with one **tolerance relative to the boxes' size**, and where
//! that does not settle it, a second stage does.
//!
//! The second stage looks only at axes whose first gap was within the tolerance, and takes them from the stored axes in
//! `f64`: `L` is the cross product of two stored vectors (a face normal, too: the cross product of the other two axes).
//! A product of two `f32` numbers is exact in `f64`, so each component of `L` is rounded once, *relative to itself*,
//! no matter how small it is: near-parallel edges give a tiny `L` with an accurate direction, and exactly parallel
//! ones give exactly zero and are passed over. The remaining error is relative to the sizes, at the scale of `f64`.
//!
//! # The bounds
//!
//! Let `u = 2⁻²⁴`, `S` the sum of all six half extents ([`size_sum`]), `δ =` [`ORTHONORMAL_TOLERANCE`], the largest
//! deviation of stored axes from orthonormal ones. `T` is a difference of stored numbers: one rounding per component,
//! relative to the component, wherever the boxes are. If the boxes share a point, `|T| ≤ S(1 + δ)`; this is the only
//! case in which a gap must not be found, so errors proportional to `|T|` are errors proportional to `S`.
//!
//! | | face axis of A or B | edge axis |
//! |---|---|---|
//! | `|L·T|`: `T`, the dot products, `R` | `4u S` | `13u S` |
//! | radii: entries of `R` (`3u` each), products and sums | `7u S` | `7u S` |
//! | radii written as if axes were orthonormal | `δ S` | `15δ S` |
//!
//! The last line: on an edge axis `L = A(eᵢ × Rⱼ)`, for which `L·T = (eᵢ × Rⱼ)·(AᵀT)` holds for any `A`. A's radius
//! uses `AᵀA = I` (off by `δ`, giving `√2 δ`), B's uses `Rⱼ × Rₘ = ±Rₙ`: `R` is within `6δ` of orthonormal in the
//! spectral norm, its cofactors within `6δ + 9δ` of its columns.
//!
//! So a gap above `20u S + 15δ S < 1.7e-5 S` is real. [`SEPARATION_TOLERANCE`] is 2⁻¹⁵ (3.1e-5). In the other
//! direction, to say that an axis does *not* separate, `|T|` may reach `2S` before a face axis of A shows a gap of its
//! own, and the exact face normals differ from the stored axes by up to `8δ`: `33u S + 39δ S < 4.1e-5 S`. An axis
//! whose gap is below minus twice the tolerance (6.1e-5) needs no second stage.
//!
//! # What follows
//!
//! - Boxes that share a point always overlap: [`Obb::overlaps`] and [`Obb::overlaps_at_once`] both.
//! - [`Obb::overlaps`] is `false` for any two boxes with a gap of more than [`EXACT_TOLERANCE`]` · S` along one of the
//!   15 axes. Here a box is what its *stored* axes span.
//! - [`Obb::overlaps_at_once`], the first stage alone, may say `true` for boxes that are apart: by up to
//!   `2 ·`[`SEPARATION_TOLERANCE`]` · S / sin φ` along an edge axis, `φ` being the angle between the two edges. As a
//!   face axis shows gaps down to `φ` times the length of the edges, no more than about `0.01 S` can hide there.

use crate::math::sqrt;
#[cfg(doc)]
use crate::obb::ORTHONORMAL_TOLERANCE;
use crate::obb::Obb;
use glam::{DVec3, Vec3};

/// A gap of more than this share of the sum of both boxes' half extents is real, whatever rounding did. No unit.
///
/// For the first stage in `f32`; the module's documentation derives it.
pub const SEPARATION_TOLERANCE: f32 = 1.0 / 32_768.0;

/// The same for the second stage in `f64`, relative to `|L|`, the sum of the half extents and the distance of the
/// centers: 2⁻⁴⁹ is sixteen roundings, and the sums have fewer than ten.
pub const EXACT_TOLERANCE: f64 = 1.0 / 562_949_953_421_312.0;

/// One of the 15 axes that can separate two oriented boxes A and B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SatAxis {
    /// The normal of A's faces across its axis 0, 1 or 2.
    FaceA(u8),
    /// The normal of B's faces across its axis 0, 1 or 2.
    FaceB(u8),
    /// The cross product of A's and B's edges along their axes 0, 1 or 2.
    Edges(u8, u8),
}

impl SatAxis {
    /// Face axes of A, face axes of B, then edges `(0, 0)`, `(0, 1)`, ...
    pub const ALL: [Self; 15] = [
        Self::FaceA(0),
        Self::FaceA(1),
        Self::FaceA(2),
        Self::FaceB(0),
        Self::FaceB(1),
        Self::FaceB(2),
        Self::Edges(0, 0),
        Self::Edges(0, 1),
        Self::Edges(0, 2),
        Self::Edges(1, 0),
        Self::Edges(1, 1),
        Self::Edges(1, 2),
        Self::Edges(2, 0),
        Self::Edges(2, 1),
        Self::Edges(2, 2),
    ];

    /// The same axis with the boxes' roles exchanged.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Self::FaceA(i) => Self::FaceB(i),
            Self::FaceB(j) => Self::FaceA(j),
            Self::Edges(i, j) => Self::Edges(j, i),
        }
    }
}

/// What the first stage found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstStage {
    /// This axis of [`SatAxis::ALL`] separates the boxes beyond doubt.
    Apart(u8),
    /// No axis separates them, beyond doubt where the set is empty. Bit `k`: axis `k` is too close to call.
    NotApart {
        /// The undecided axes.
        undecided: u16,
    },
}

/// The sum of both boxes' half extents: what the tolerances are relative to.
#[must_use]
#[inline]
pub fn size_sum(a: &Obb, b: &Obb) -> f32 {
    a.extent_sum() + b.extent_sum()
}

/// The first stage: 15 axes in `f32` against one tolerance, leaving at the first real gap.
///
/// This is the arithmetic that other kernels follow: each sum in the order written here, nothing fused.
#[must_use]
#[inline]
pub fn first_stage(a: &Obb, b: &Obb) -> FirstStage {
    // The smallest normal number covers boxes so small that products underflow.
    let tolerance = size_sum(a, b) * SEPARATION_TOLERANCE + f32::MIN_POSITIVE;
    let inside = -2.0 * tolerance;
    let mut undecided = 0_u16;
    macro_rules! axis {
        ($bit:expr, $centers:expr, $radii:expr) => {
            let gap = $centers - $radii;
            if gap > tolerance {
                return FirstStage::Apart($bit);
            }
            undecided |= u16::from(gap >= inside) << $bit;
        };
    }

    let (axes_a, axes_b) = (a.axes(), b.axes());
    let (a0, a1, a2) = (axes_a.x_axis, axes_a.y_axis, axes_a.z_axis);
    let (b0, b1, b2) = (axes_b.x_axis, axes_b.y_axis, axes_b.z_axis);
    let (ea, eb) = (a.half_extents(), b.half_extents());
    let difference = b.center() - a.center();

    // Rows of R = AᵀB, and T in A's frame, as they are needed.
    let t0 = a0.dot(difference);
    let (r00, r01, r02) = (a0.dot(b0), a0.dot(b1), a0.dot(b2));
    let (p00, p01, p02) = (r00.abs(), r01.abs(), r02.abs());
    axis!(0, t0.abs(), ea.x + (eb.x * p00 + eb.y * p01 + eb.z * p02));

    let t1 = a1.dot(difference);
    let (r10, r11, r12) = (a1.dot(b0), a1.dot(b1), a1.dot(b2));
    let (p10, p11, p12) = (r10.abs(), r11.abs(), r12.abs());
    axis!(1, t1.abs(), ea.y + (eb.x * p10 + eb.y * p11 + eb.z * p12));

    let t2 = a2.dot(difference);
    let (r20, r21, r22) = (a2.dot(b0), a2.dot(b1), a2.dot(b2));
    let (p20, p21, p22) = (r20.abs(), r21.abs(), r22.abs());
    axis!(2, t2.abs(), ea.z + (eb.x * p20 + eb.y * p21 + eb.z * p22));

    // B's face normals: T·Bⱼ directly, which stays right when A's axes are not quite orthonormal.
    axis!(3, b0.dot(difference).abs(), eb.x + (ea.x * p00 + ea.y * p10 + ea.z * p20));
    axis!(4, b1.dot(difference).abs(), eb.y + (ea.x * p01 + ea.y * p11 + ea.z * p21));
    axis!(5, b2.dot(difference).abs(), eb.z + (ea.x * p02 + ea.y * p12 + ea.z * p22));

    // A's edge i against B's edge j: L = Aᵢ × Bⱼ.
    axis!(6, (t2 * r10 - t1 * r20).abs(), (ea.y * p20 + ea.z * p10) + (eb.y * p02 + eb.z * p01));
    axis!(7, (t2 * r11 - t1 * r21).abs(), (ea.y * p21 + ea.z * p11) + (eb.z * p00 + eb.x * p02));
    axis!(8, (t2 * r12 - t1 * r22).abs(), (ea.y * p22 + ea.z * p12) + (eb.x * p01 + eb.y * p00));
    axis!(9, (t0 * r20 - t2 * r00).abs(), (ea.z * p00 + ea.x * p20) + (eb.y * p12 + eb.z * p11));
    axis!(10, (t0 * r21 - t2 * r01).abs(), (ea.z * p01 + ea.x * p21) + (eb.z * p10 + eb.x * p12));
    axis!(11, (t0 * r22 - t2 * r02).abs(), (ea.z * p02 + ea.x * p22) + (eb.x * p11 + eb.y * p10));
    axis!(12, (t1 * r00 - t0 * r10).abs(), (ea.x * p10 + ea.y * p00) + (eb.y * p22 + eb.z * p21));
    axis!(13, (t1 * r01 - t0 * r11).abs(), (ea.x * p11 + ea.y * p01) + (eb.z * p20 + eb.x * p22));
    axis!(14, (t1 * r02 - t0 * r12).abs(), (ea.x * p12 + ea.y * p02) + (eb.x * p21 + eb.y * p20));

    FirstStage::NotApart { undecided }
}

/// A pair of boxes in `f64`, for the second stage, reports and sweeps.
#[derive(Clone, Copy)]
pub(crate) struct ExactPair {
    /// From A's center to B's. A difference of `f32` numbers: at most one rounding in `f64`.
    pub(crate) difference: DVec3,
    /// Stored axes of A and of B.
    pub(crate) axes: [[DVec3; 3]; 2],
    /// Half extents of A and of B.
    pub(crate) half: [[f64; 3]; 2],
}

impl ExactPair {
    #[inline]
    pub(crate) fn new(a: &Obb, b: &Obb) -> Self {
        let axes = |o: &Obb| {
            let axes = o.axes();
            [axes.x_axis.as_dvec3(), axes.y_axis.as_dvec3(), axes.z_axis.as_dvec3()]
        };
        Self {
            difference: b.center().as_dvec3() - a.center().as_dvec3(),
            axes: [axes(a), axes(b)],
            half: [a.half_extents().as_dvec3().to_array(), b.half_extents().as_dvec3().to_array()],
        }
    }

    /// A separating direction candidate, not normalized: a cross product of stored edges, zero if they are parallel.
    #[inline]
    pub(crate) fn direction(&self, axis: SatAxis) -> DVec3 {
        let face = |edges: &[DVec3; 3], i: u8| edges[(usize::from(i) + 1) % 3].cross(edges[(usize::from(i) + 2) % 3]);
        match axis {
            SatAxis::FaceA(i) => face(&self.axes[0], i),
            SatAxis::FaceB(j) => face(&self.axes[1], j),
            SatAxis::Edges(i, j) => self.axes[0][usize::from(i) % 3].cross(self.axes[1][usize::from(j) % 3]),
        }
    }

    /// Both boxes' projection radii on a direction, summed.
    #[inline]
    pub(crate) fn radii(&self, direction: DVec3) -> f64 {
        let radius = |k: usize| {
            let (axes, half) = (&self.axes[k], &self.half[k]);
            half[0] * direction.dot(axes[0]).abs()
                + half[1] * direction.dot(axes[1]).abs()
                + half[2] * direction.dot(axes[2]).abs()
        };
        radius(0) + radius(1)
    }

    /// The sum of all half extents.
    #[inline]
    pub(crate) fn size(&self) -> f64 {
        let sum = |half: &[f64; 3]| half[0] + half[1] + half[2];
        sum(&self.half[0]) + sum(&self.half[1])
    }

    /// How much of a gap along a direction may be rounding.
    #[inline]
    pub(crate) fn tolerance(&self, direction: DVec3) -> f64 {
        let length = |v: DVec3| v.x.abs() + v.y.abs() + v.z.abs();
        EXACT_TOLERANCE * length(direction) * (length(self.difference) + self.size())
    }

    /// Whether the boxes are apart along a direction.
    #[inline]
    pub(crate) fn separated_along(&self, direction: DVec3) -> bool {
        let gap = direction.dot(self.difference).abs() - self.radii(direction);
        gap > self.tolerance(direction)
    }
}

/// Whether a real gap shows along one axis in `f32`, by the first stage's tolerance.
///
/// All six radii are projected on the axis as computed, whatever its rounding made of it, so none of the errors that
/// come from taking axes for orthonormal arises: `|L·T|` is off by `4u S`, the radii by `7u S`, with `|L| ≤ 1`.
#[inline]
fn separated_at_once(a: &Obb, b: &Obb, axis: SatAxis) -> bool {
    let columns = |obb: &Obb| {
        let axes = obb.axes();
        [axes.x_axis, axes.y_axis, axes.z_axis]
    };
    let (axes_a, axes_b) = (columns(a), columns(b));
    let direction = match axis {
        SatAxis::FaceA(i) => axes_a[usize::from(i) % 3],
        SatAxis::FaceB(j) => axes_b[usize::from(j) % 3],
        SatAxis::Edges(i, j) => axes_a[usize::from(i) % 3].cross(axes_b[usize::from(j) % 3]),
    };
    let radius = |axes: &[Vec3; 3], half: Vec3| {
        half.x * direction.dot(axes[0]).abs()
            + half.y * direction.dot(axes[1]).abs()
            + half.z * direction.dot(axes[2]).abs()
    };
    let centers = direction.dot(b.center() - a.center()).abs();
    let gap = centers - (radius(&axes_a, a.half_extents()) + radius(&axes_b, b.half_extents()));
    gap > size_sum(a, b) * SEPARATION_TOLERANCE + f32::MIN_POSITIVE
}

/// The second stage on the axes of a set, bit `k` for axis `k` of [`SatAxis::ALL`]: the first that separates.
#[inline(never)]
fn second_stage(a: &Obb, b: &Obb, undecided: u16) -> Option<u8> {
    let pair = ExactPair::new(a, b);
    (0..15_u8).find(|&k| undecided >> k & 1 == 1 && pair.separated_along(pair.direction(SatAxis::ALL[usize::from(k)])))
}

/// The axis that separates two boxes, found by both stages.
#[inline]
fn separating_axis_index(a: &Obb, b: &Obb) -> Option<u8> {
    match first_stage(a, b) {
        FirstStage::Apart(axis) => Some(axis),
        FirstStage::NotApart { undecided: 0 } => None,
        FirstStage::NotApart { undecided } => second_stage(a, b, undecided),
    }
}

/// How two boxes lie to each other: see [`Obb::separation`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct Separation {
    /// Whether they share a point: what [`Obb::overlaps`] says.
    pub overlapping: bool,
    /// Apart: the axis of the widest gap. Overlapping: the axis of least penetration.
    pub axis: SatAxis,
    /// That axis as a unit vector from the first box towards the second.
    pub direction: Vec3,
    /// Apart: the gap along `direction`, a lower bound of the distance. Overlapping: zero or negative, its size the
    /// depth: moving the second box by `-gap * direction` makes the two touch.
    pub gap: f32,
}

impl Separation {
    /// How deep the boxes overlap, zero if they do not.
    #[must_use]
    pub fn depth(&self) -> f32 {
        if self.overlapping { -self.gap } else { 0.0 }
    }
}

/// The axis that separated a pair when it was last tested: tried first by [`Obb::overlaps_cached`].
///
/// One byte for each pair that is tested every tick. It only ever changes the time a test takes, not its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct SatCache {
    /// One more than the index in [`SatAxis::ALL`]; anything else is no axis.
    axis_plus_one: u8,
}

impl SatCache {
    /// Nothing remembered.
    pub const NEW: Self = Self { axis_plus_one: 0 };

    /// The axis remembered.
    #[must_use]
    pub fn axis(&self) -> Option<SatAxis> {
        SatAxis::ALL.get(usize::from(self.axis_plus_one).wrapping_sub(1)).copied()
    }
}

impl Obb {
    /// Whether the boxes share a point: separating axis test on 15 axes.
    ///
    /// Both boxes in one space. Touching counts. Boxes that share a point are always found to overlap; boxes with a
    /// gap of more than [`EXACT_TOLERANCE`] times the sum of their half extents along one of the axes never are, at any
    /// scale, position and angle. The answer does not depend on which box is asked.
    /// Source: Ericson, *Real-Time Collision Detection*, section 4.4.1; the head of `sat_obb_obb.rs` derives the bounds.
    ///
    /// ```
    /// use geometry_core::Obb;
    /// use glam::{Quat, Vec3};
    ///
    /// // Two large boxes, nearly parallel, half a unit apart: no tolerance makes them touch.
    /// let size = Vec3::splat(1.0e4);
    /// let a = Obb::from_orientation(Vec3::ZERO, size, Quat::IDENTITY);
    /// let b = Obb::from_orientation(Vec3::new(2.0e4 + 0.5, 0.0, 0.0), size, Quat::from_rotation_x(1e-6));
    /// assert!(!a.overlaps(&b));
    /// ```
    #[must_use]
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        separating_axis_index(self, other).is_none()
    }

    /// Whether the boxes share a point, by the first stage alone: `f32` throughout, no second look at close calls.
    ///
    /// Boxes that share a point always overlap. Boxes with a gap of more than [`SEPARATION_TOLERANCE`] times the sum of
    /// their half extents along a face axis never do; gaps that only near-parallel edges show may go unseen
    /// (the head of `sat_obb_obb.rs` derives the bound). For kernels that test many boxes at once and settle what
    /// is left with [`Obb::overlaps`].
    #[must_use]
    #[inline]
    pub fn overlaps_at_once(&self, other: &Self) -> bool {
        matches!(first_stage(self, other), FirstStage::NotApart { .. })
    }

    /// The first of the 15 axes found to separate the boxes, or `None` if they share a point.
    ///
    /// Agrees with [`Obb::overlaps`].
    #[must_use]
    pub fn separating_axis(&self, other: &Self) -> Option<SatAxis> {
        separating_axis_index(self, other).map(|axis| SatAxis::ALL[usize::from(axis)])
    }

    /// [`Obb::overlaps`] that tries first what separated this pair last time.
    ///
    /// Saves the axes before the one remembered, and costs one more where the pair has met or parted otherwise: for pairs
    /// that an edge axis keeps apart for many ticks. On random pairs it gains nothing over leaving early; measure.
    ///
    /// ```
    /// use geometry_core::{Obb, SatAxis, SatCache};
    /// use glam::{Mat3, Vec3};
    ///
    /// let (mut cache, hand) = (SatCache::NEW, Obb::new(Vec3::ZERO, Vec3::ONE, Mat3::IDENTITY));
    /// for tick in 0..10 {
    ///     let ball = Obb::new(Vec3::new(0.0, 4.0 + tick as f32, 0.0), Vec3::ONE, Mat3::IDENTITY);
    ///     assert!(!hand.overlaps_cached(&ball, &mut cache));
    ///     assert_eq!(cache.axis(), Some(SatAxis::FaceA(1)));
    /// }
    /// ```
    #[must_use]
    #[inline]
    pub fn overlaps_cached(&self, other: &Self, cache: &mut SatCache) -> bool {
        if cache.axis().is_some_and(|axis| separated_at_once(self, other, axis)) {
            return false;
        }
        match separating_axis_index(self, other) {
            Some(axis) => {
                cache.axis_plus_one = axis + 1;
                false
            }
            None => true,
        }
    }

    /// How the boxes lie to each other: whether they overlap, and along which axis how far.
    ///
    /// All 15 axes in `f64`, normalized; edges that are exactly parallel have none. For overlapping boxes a later axis
    /// of [`SatAxis::ALL`] is taken over an earlier one only where it is better by more than 2⁻²⁰ of the sum of the half
    /// extents, so that boxes in line keep reporting a face. The depth is off by that much, a gap by a rounding to
    /// `f32`.
    ///
    /// ```
    /// use geometry_core::{Obb, SatAxis};
    /// use glam::{Mat3, Vec3};
    ///
    /// let floor = Obb::new(Vec3::ZERO, Vec3::new(5.0, 0.5, 5.0), Mat3::IDENTITY);
    /// let foot = Obb::new(Vec3::new(1.0, 0.75, 2.0), Vec3::splat(0.5), Mat3::IDENTITY);
    /// let separation = floor.separation(&foot);
    /// assert!(separation.overlapping);
    /// assert_eq!(separation.axis, SatAxis::FaceA(1));
    /// assert_eq!((separation.direction, separation.depth()), (Vec3::Y, 0.25));
    /// ```
    pub fn separation(&self, other: &Self) -> Separation {
        let pair = ExactPair::new(self, other);
        let preference = pair.size() / 1_048_576.0;
        let mut best = (f64::NEG_INFINITY, SatAxis::FaceA(0), DVec3::X);
        let mut apart = false;
        for axis in SatAxis::ALL {
            let direction = pair.direction(axis);
            let length = sqrt(direction.length_squared());
            if length == 0.0 {
                continue;
            }
            let along = direction.dot(pair.difference);
            let gap = along.abs() - pair.radii(direction);
            let separates = gap > pair.tolerance(direction);
            let margin = if apart { 0.0 } else { preference };
            if (separates && !apart) || (separates == apart && gap / length > best.0 + margin) {
                apart = separates;
                best = (gap / length, axis, direction * (if along < 0.0 { -1.0 } else { 1.0 } / length));
            }
        }
        let gap = if apart { best.0 } else { best.0.min(0.0) };
        Separation { overlapping: !apart, axis: best.1, direction: best.2.as_vec3(), gap: gap as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Mat3, Quat};

    #[test]
    fn both_stages_know_the_same_axes() {
        let a = Obb::from_orientation(
            Vec3::ZERO,
            Vec3::new(1.0, 2.0, 3.0),
            Quat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize(),
        );
        for direction in [Vec3::X, Vec3::new(-1.0, 2.0, 0.5), Vec3::new(0.3, -0.4, 1.0)] {
            let rotation = Quat::from_xyzw(direction.x, 0.5, direction.z, 0.3).normalize();
            let b = Obb::from_orientation(direction * 4.0, Vec3::new(0.5, 0.1, 2.0), rotation);
            let pair = ExactPair::new(&a, &b);
            let exact = SatAxis::ALL.map(|axis| pair.separated_along(pair.direction(axis)));
            match first_stage(&a, &b) {
                FirstStage::Apart(axis) => assert!(exact[usize::from(axis)]),
                FirstStage::NotApart { .. } => assert!(!exact.contains(&true)),
            }
        }
    }

    #[test]
    fn boxes_in_line_report_a_face() {
        let a = Obb::new(Vec3::ZERO, Vec3::ONE, Mat3::IDENTITY);
        let b = Obb::from_orientation(Vec3::new(1.5, 0.25, 0.0), Vec3::ONE, Quat::from_rotation_x(1e-7));
        let separation = a.separation(&b);
        assert!(separation.overlapping);
        assert_eq!(separation.axis, SatAxis::FaceA(0));
        assert!((separation.depth() - 0.5).abs() < 1e-6);
        let apart = a.separation(&Obb::new(Vec3::new(0.0, -5.0, 1.0), Vec3::ONE, Mat3::IDENTITY));
        assert_eq!((apart.overlapping, apart.direction, apart.gap, apart.depth()), (false, -Vec3::Y, 3.0, 0.0));
    }
}
