//! Two oriented boxes, by the separating axis test on 15 axes.
//!
//! For two disjoint boxes, one of 15 directions is a separating axis: the three face normals of each box and the nine
//! cross products of their edges (Gottschalk, Lin and Manocha, *OBBTree*, SIGGRAPH 1996, section 5; Ericson, *Real-Time
//! Collision Detection* (2005), section 4.4.1). Let `T` be the difference of the centers. Along an axis `L` the boxes
//! are disjoint if the **gap** `|L·T| − Σ aᵢ|L·Aᵢ| − Σ bⱼ|L·Bⱼ|` is positive. The tests never divide by the length of
//! `L`.
//!
//! # Two stages
//!
//! The first stage is the well-known test in `f32`: `T` in A's frame, `R = AᵀB`, and 15 gaps from the entries of `R`.
//! The nine cross products are its weak point. For nearly parallel edges `L` is almost zero, so the gap is a difference
//! of tiny numbers, and rounding decides its sign. The usual fix adds an ε to every `|R|`. That ε is either too small
//! for large or long boxes, so that two overlapping boxes count as disjoint, or so large that boxes half a meter apart
//! "touch". Here every gap is compared with a **tolerance relative to the boxes' size**. The second stage decides the
//! gaps that are too close to call.
//!
//! [`Obb::overlaps`] first tries a cheaper and coarser test of A's three face axes. That test can only answer *apart*,
//! and does so only where the first stage would too. The vector kernels of the run time leave it out.
//!
//! The second stage only tests the axes that the first stage left undecided: those with a gap from minus two tolerances
//! to one tolerance. It computes them from the stored axes in `f64`: `L` is the cross product of two stored vectors. (A
//! face normal is also a cross product, of the other two axes.) A product of two `f32` numbers is exact in `f64`, so
//! each component of `L` is rounded once, *relative to itself*, no matter how small it is. So nearly parallel edges give
//! a tiny `L` with an accurate direction, and exactly parallel edges give exactly zero, which is skipped. The remaining
//! error is relative to the sizes, at the scale of `f64`.
//!
//! # Derivation of the bounds
//!
//! Let `u = 2⁻²⁴`, let `S` be the sum of all six half extents ([`size_sum`]), and let `δ =` [`ORTHONORMAL_TOLERANCE`]
//! (1e-6), the largest deviation of stored axes from orthonormal axes. `T` is a difference of stored numbers, so each
//! component has one relative rounding error, at any distance from the origin. A reported gap is an error only if the
//! boxes share a point, and then `|T| ≤ S(1 + δ)`. So errors proportional to `|T|` are errors proportional to `S`.
//!
//! | | face axis of A or B | edge axis |
//! |---|---|---|
//! | `|L·T|`: `T`, the dot products, `R` | `4u S` | `13u S` |
//! | radii: entries of `R` (`3u` each), products and sums | `7u S` | `7u S` |
//! | radii written as if axes were orthonormal | `δ S` | `15δ S` |
//!
//! The last row: on an edge axis, `L = A(eᵢ × Rⱼ)`, and `L·T = (eᵢ × Rⱼ)·(AᵀT)` holds for any `A`. A's radius uses `AᵀA
//! = I`, which is off by `δ` and gives `√2 δ`. B's radius uses `Rⱼ × Rₘ = ±Rₙ`: `R` is within `6δ` of orthonormal in
//! the spectral norm, and its cofactors are within `6δ + 9δ` of its columns.
//!
//! So a gap above `20u S + 15δ S < 1.7e-5 S` is real; [`SEPARATION_TOLERANCE`] is 2⁻¹⁵ (3.1e-5). The opposite
//! statement, that an axis does *not* separate, has a larger error, because the boxes may be disjoint and the exact face
//! normals differ from the stored axes by up to `8δ`. While no face axis of A shows a gap, `|T| ≤ √(Σ aᵢ²) + Σ bⱼ ≤ S`,
//! up to the tolerance. We take `2S`, which has slack: the first row doubles to `26u`, and `8δ` acts on `|T| + S ≤ 3S`. With
//! the other rows the sum is `33u S + 39δ S < 4.1e-5 S`. So an axis whose gap is below minus twice the tolerance
//! (6.1e-5) needs no second stage.
//!
//! # Consequences
//!
//! - Boxes that share a point always overlap, by [`Obb::overlaps`] and by [`Obb::may_overlap`].
//! - [`Obb::overlaps`] is `false` for any two boxes with a gap of more than `16 ·`[`EXACT_TOLERANCE`]` · S` along one of
//!   the 15 axes, taken as a unit vector `L`. Here a box is the set that its *stored* axes span. The second stage
//!   compares with `EXACT_TOLERANCE · |L|₁ · (|T|₁ + S)`. If no face axis of A separates the boxes, then `|T| ≤ S`. So
//!   this tolerance is at most `√3 (√3 + 1) < 4.8` times `EXACT_TOLERANCE · S`, and rounding moves the gap by no more
//!   than the tolerance.
//! - [`Obb::may_overlap`], which is the first stage alone, may return `true` for boxes with a gap of up to `2
//!   ·`[`SEPARATION_TOLERANCE`]` · S / sin φ` along an edge axis, where `φ` is the angle between the two edges. A gap
//!   of more than about `φ` times the length of the edges also shows along a face axis. So a gap that this test misses is
//!   below both bounds, and is at most about `0.01 S` for every `φ`.

use crate::axis_lanes::{AxisLanes, widest};
#[cfg(doc)]
use crate::obb::ORTHONORMAL_TOLERANCE;
use crate::obb::Obb;
use glam::{BVec3A, DVec3, Mat3A, Vec3, Vec3A};

/// The tolerance of the first stage, which computes in `f32`: a larger gap is real, whatever the rounding errors. It is
/// a share of the sum of both boxes' half extents, without a unit. The module's documentation derives it.
pub const SEPARATION_TOLERANCE: f32 = 1.0 / 32_768.0;

/// The tolerance of the second stage, which computes in `f64`. It is a share of `|L|` times the sum of the half extents
/// and the distance of the centers, without a unit. 2⁻⁴⁹ is sixteen roundings, and the sums have fewer than ten.
pub const EXACT_TOLERANCE: f64 = 1.0 / 562_949_953_421_312.0;

/// One of the 15 axes that can separate two oriented boxes A and B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SatAxis {
    /// The normal of A's faces along A's axis 0, 1 or 2.
    FaceA(u8),
    /// The normal of B's faces along B's axis 0, 1 or 2.
    FaceB(u8),
    /// The cross product of an edge of A along its axis 0, 1 or 2 and an edge of B along its axis 0, 1 or 2.
    Edges(u8, u8),
}

impl SatAxis {
    /// All axes: face axes of A, face axes of B, then edges `(0, 0)`, `(0, 1)`, ...
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

    /// The same axis with A and B exchanged.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Self::FaceA(i) => Self::FaceB(i),
            Self::FaceB(j) => Self::FaceA(j),
            Self::Edges(i, j) => Self::Edges(j, i),
        }
    }
}

/// The number of face axes in [`SatAxis::ALL`], which come first.
const FACES: usize = 6;

/// The result of the first stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstStage {
    /// The axis with this index in [`SatAxis::ALL`] certainly separates the boxes.
    Apart(u8),
    /// No axis certainly separates the boxes. If no axis is undecided, they certainly overlap.
    NotApart {
        /// A bit set of the axes that are too close to call: bit `k` for axis `k` of [`SatAxis::ALL`].
        undecided: u16,
    },
}

/// The sum of both boxes' half extents. The tolerances are relative to this sum.
#[must_use]
#[inline]
pub fn size_sum(a: &Obb, b: &Obb) -> f32 {
    a.extent_sum() + b.extent_sum()
}

/// The first stage: tests 15 axes in `f32` with one tolerance, and stops at the first certain gap.
///
/// Three axes are tested at a time, one in each lane of a vector: A's faces, B's faces, then A's edges one after the
/// other with all edges of B. The vector kernels of the run time compute the same 15 gaps, but subtract the products
/// one after another, with fused multiply-add where the processor has it. The head of
/// `runtime/src/kernels/box_test.rs` says by how much the bounds above grow for the vector kernels.
// Always inlined, because a box that was just made of single numbers would otherwise pass through memory, where its
// vectors have to wait for these numbers.
#[must_use]
#[inline(always)]
pub fn first_stage(a: &Obb, b: &Obb) -> FirstStage {
    // The smallest normal number covers boxes so small that products underflow.
    let tolerance = size_sum(a, b) * SEPARATION_TOLERANCE + f32::MIN_POSITIVE;
    let (tolerance, inside) = (Vec3A::splat(tolerance), Vec3A::splat(-2.0 * tolerance));
    let (axes_a, half_a, half_b) = (a.axes(), a.half_extents(), Vec3A::from(b.half_extents()));
    let difference = Vec3A::from(b.center()) - Vec3A::from(a.center());
    // Lane `j` of a column belongs to axis `j` of B.
    let axes_b = Mat3A::from(b.axes()).transpose();
    let dot = |axes: &Mat3A, v: Vec3| axes.x_axis * v.x + axes.y_axis * v.y + axes.z_axis * v.z;

    // Lanes are B's axes: the rows of R = AᵀB and their absolute values.
    let r = Mat3A::from_cols(dot(&axes_b, axes_a.x_axis), dot(&axes_b, axes_a.y_axis), dot(&axes_b, axes_a.z_axis));
    let p = Mat3A::from_cols(r.x_axis.abs(), r.y_axis.abs(), r.z_axis.abs());

    // Lanes are A's axes: T in A's frame.
    let t = dot(&Mat3A::from(axes_a).transpose(), difference.into());
    let radii = Mat3A::from_cols(p.x_axis * half_b, p.y_axis * half_b, p.z_axis * half_b).transpose();
    let faces_a = t.abs() - (Vec3A::from(half_a) + (radii.x_axis + radii.y_axis + radii.z_axis));
    let apart = faces_a.cmpgt(tolerance).bitmask();
    if apart != 0 {
        return FirstStage::Apart(apart.trailing_zeros() as u8);
    }

    // From here on lanes are B's axes. B's face normals use T·Bⱼ directly, which stays accurate if A's axes are not
    // exactly orthonormal.
    let faces_b = dot(&axes_b, difference.into()).abs() - (half_b + dot(&p, half_a));
    let apart = faces_b.cmpgt(tolerance).bitmask();
    if apart != 0 {
        return FirstStage::Apart(3 + apart.trailing_zeros() as u8);
    }

    // A's edge i against B's edges: L = Aᵢ × Bⱼ.
    let (next, after) = (Vec3A::new(half_b.y, half_b.z, half_b.x), Vec3A::new(half_b.z, half_b.x, half_b.y));
    let radii_b = |p: Vec3A| next * Vec3A::new(p.z, p.x, p.y) + after * Vec3A::new(p.y, p.z, p.x);
    let of_edge_0 =
        (r.y_axis * t.z - r.z_axis * t.y).abs() - ((p.z_axis * half_a.y + p.y_axis * half_a.z) + radii_b(p.x_axis));
    let of_edge_1 =
        (r.z_axis * t.x - r.x_axis * t.z).abs() - ((p.x_axis * half_a.z + p.z_axis * half_a.x) + radii_b(p.y_axis));
    let of_edge_2 =
        (r.x_axis * t.y - r.y_axis * t.x).abs() - ((p.y_axis * half_a.x + p.x_axis * half_a.y) + radii_b(p.z_axis));
    let bits = |limit: fn(Vec3A, Vec3A) -> BVec3A, than: Vec3A| {
        limit(of_edge_0, than).bitmask() | limit(of_edge_1, than).bitmask() << 3 | limit(of_edge_2, than).bitmask() << 6
    };
    // The widest gaps alone decide whether any axis separates the boxes or is undecided.
    let widest = of_edge_0.max(of_edge_1).max(of_edge_2);
    if widest.cmpgt(tolerance).any() {
        return FirstStage::Apart(6 + bits(Vec3A::cmpgt, tolerance).trailing_zeros() as u8);
    }
    if !widest.max(faces_a).max(faces_b).cmpge(inside).any() {
        return FirstStage::NotApart { undecided: 0 };
    }
    let faces = faces_a.cmpge(inside).bitmask() | faces_b.cmpge(inside).bitmask() << 3;
    FirstStage::NotApart { undecided: (faces | bits(Vec3A::cmpge, inside) << 6) as u16 }
}

/// A pair of boxes in `f64`, for the second stage, separations and sweeps.
#[derive(Clone, Copy)]
pub(crate) struct ExactPair {
    /// The vector from A's center to B's center. It is a difference of `f32` numbers, with at most one rounding in
    /// `f64`.
    pub(crate) difference: DVec3,
    /// The stored axes of A and of B.
    pub(crate) axes: [[DVec3; 3]; 2],
    /// The half extents of A and of B.
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

    /// The direction of an axis, not normalized: a cross product of stored edges, which is zero if they are parallel.
    #[inline]
    pub(crate) fn direction(&self, axis: SatAxis) -> DVec3 {
        let face = |edges: &[DVec3; 3], i: u8| edges[(usize::from(i) + 1) % 3].cross(edges[(usize::from(i) + 2) % 3]);
        match axis {
            SatAxis::FaceA(i) => face(&self.axes[0], i),
            SatAxis::FaceB(j) => face(&self.axes[1], j),
            SatAxis::Edges(i, j) => self.axes[0][usize::from(i) % 3].cross(self.axes[1][usize::from(j) % 3]),
        }
    }

    /// The sum of both boxes' projection radii on a direction.
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

    /// The largest rounding error of a gap along a direction.
    #[inline]
    pub(crate) fn tolerance(&self, direction: DVec3) -> f64 {
        let length = |v: DVec3| v.x.abs() + v.y.abs() + v.z.abs();
        EXACT_TOLERANCE * length(direction) * (length(self.difference) + self.size())
    }

    /// Returns true if a direction separates the boxes.
    #[inline]
    pub(crate) fn separated_along(&self, direction: DVec3) -> bool {
        let gap = direction.dot(self.difference).abs() - self.radii(direction);
        gap > self.tolerance(direction)
    }
}

/// Returns true if `f32` arithmetic shows a certain gap along one axis, with the tolerance of the first stage.
///
/// The function projects all six radii on the computed axis, including its rounding errors. So it has none of the
/// errors that come from taking axes as orthonormal: `|L·T|` is off by `4u S`, and the radii by `7u S`, with `|L| ≤ 1`.
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

/// Runs the second stage on a set of axes, bit `k` for axis `k` of [`SatAxis::ALL`], and returns the first axis that
/// separates.
#[inline(never)]
fn second_stage(a: &Obb, b: &Obb, undecided: u16) -> Option<u8> {
    let pair = ExactPair::new(a, b);
    (0..15_u8).find(|&k| undecided >> k & 1 == 1 && pair.separated_along(pair.direction(SatAxis::ALL[usize::from(k)])))
}

/// Returns true only if the first stage finds a gap along a face of `a`, whatever the orientation of `b`.
///
/// The radius of `b` along any direction is at most the sum of its half extents. In the first stage, rounding makes
/// this radius larger by less than the tolerance of that stage. So the first stage finds a gap too if the gap here is
/// larger than twice the tolerance. This test needs a third of the arithmetic.
#[inline(always)]
fn clearly_apart(a: &Obb, b: &Obb) -> bool {
    let axes = Mat3A::from(a.axes()).transpose();
    let difference = b.center() - a.center();
    let t = axes.x_axis * difference.x + axes.y_axis * difference.y + axes.z_axis * difference.z;
    let half = b.half_extents();
    let tolerance = size_sum(a, b) * SEPARATION_TOLERANCE + f32::MIN_POSITIVE;
    let radius = (half.x + half.y + half.z) + 2.0 * tolerance;
    (t.abs() - Vec3A::from(a.half_extents())).cmpgt(Vec3A::splat(radius)).any()
}

/// The index of an axis that separates two boxes, found by both stages.
#[inline(always)]
fn separating_axis_index(a: &Obb, b: &Obb) -> Option<u8> {
    match first_stage(a, b) {
        FirstStage::Apart(axis) => Some(axis),
        FirstStage::NotApart { undecided: 0 } => None,
        FirstStage::NotApart { undecided } => second_stage(a, b, undecided),
    }
}

/// The separation of two boxes, from [`Obb::separation`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct Separation {
    /// `true` if the boxes share a point; equal to [`Obb::overlaps`].
    pub overlapping: bool,
    /// The axis of the widest gap if the boxes are disjoint, otherwise the axis of the least depth; a face where an edge
    /// axis is not clearly better.
    pub axis: SatAxis,
    /// `axis` as a unit vector from the first box toward the second.
    pub direction: Vec3,
    /// The gap along `direction`, in the boxes' unit. If the boxes are disjoint, the gap is a lower bound of their
    /// distance. If they overlap, it is zero or minus the depth; after a move of the second box by `-gap * direction`,
    /// the two only touch.
    pub gap: f32,
}

impl Separation {
    /// The depth of the overlap, in the boxes' unit; zero if the boxes do not overlap.
    #[must_use]
    pub fn depth(&self) -> f32 {
        if self.overlapping { -self.gap } else { 0.0 }
    }
}

/// The axis that separated a pair of boxes in the last test. [`Obb::overlaps_cached`] tries it first.
///
/// Keep one cache (one byte) for each pair that you test every tick. A cache changes only the time of a test, never its
/// answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct SatCache {
    /// The index in [`SatAxis::ALL`] plus one. Any other number means no axis.
    axis_plus_one: u8,
}

impl SatCache {
    /// A cache without an axis.
    pub const NEW: Self = Self { axis_plus_one: 0 };

    /// The stored axis; `None` if the cache has no axis.
    #[must_use]
    pub fn axis(&self) -> Option<SatAxis> {
        SatAxis::ALL.get(usize::from(self.axis_plus_one).wrapping_sub(1)).copied()
    }
}

impl Obb {
    /// Returns true if the boxes share a point, by the separating axis test on 15 axes.
    ///
    /// Both boxes must be in the same space. Touching counts, and the answer is the same if the boxes are exchanged. At any
    /// scale, position and angle:
    ///
    /// - If the boxes share a point, the answer is `true`.
    /// - If the boxes have a gap along one of the axes, and it is larger than 16 [`EXACT_TOLERANCE`] (2⁻⁴⁵) times the sum of
    ///   their half extents, the answer is `false`.
    ///
    /// Source: Ericson, *Real-Time Collision Detection*, section 4.4.1; the head of `sat_obb_obb.rs` derives the
    /// bounds.
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
    #[inline(always)]
    pub fn overlaps(&self, other: &Self) -> bool {
        !clearly_apart(self, other) && separating_axis_index(self, other).is_none()
    }

    /// [`Obb::overlaps`] for boxes whose bounds overlap: it leaves out the quick test for boxes that are clearly apart.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    pub fn overlaps_near(&self, other: &Self) -> bool {
        separating_axis_index(self, other).is_none()
    }

    /// Runs the first stage of [`Obb::overlaps`] alone, and returns `false` only if the boxes certainly do not overlap.
    /// This stage computes in `f32` and does not decide close calls.
    ///
    /// The result is `true` for boxes that share a point, and `false` for boxes with a gap of more than
    /// [`SEPARATION_TOLERANCE`] times the sum of their half extents along a face axis. It may also be `true` for a gap
    /// that only nearly parallel edges show (the head of `sat_obb_obb.rs` derives the bound). The vector kernels of the
    /// run time compute the same gaps of many boxes, rounded a little differently, and call [`Obb::overlaps`] for the
    /// close calls.
    #[must_use]
    #[inline]
    pub fn may_overlap(&self, other: &Self) -> bool {
        matches!(first_stage(self, other), FirstStage::NotApart { .. })
    }

    /// Returns the first of the 15 axes that separates the boxes, or `None` if they share a point.
    ///
    /// The result agrees with [`Obb::overlaps`].
    #[must_use]
    pub fn separating_axis(&self, other: &Self) -> Option<SatAxis> {
        separating_axis_index(self, other).map(|axis| SatAxis::ALL[usize::from(axis)])
    }

    /// Computes [`Obb::overlaps`], and tries first the axis that separated the pair in the last test.
    ///
    /// If the stored axis still separates the boxes, no other axis is tested. Otherwise the test costs one axis more
    /// than [`Obb::overlaps`]. The cache helps pairs that an edge axis separates for many ticks. For random pairs it is
    /// not faster than [`Obb::overlaps`], so measure before you use it.
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

    /// Returns the widest gap between the boxes, or the least depth of their overlap, and the axis of this gap or
    /// depth.
    ///
    /// All 15 axes are tested in `f64` and normalized; exactly parallel edges give no axis. For overlapping boxes, a
    /// later axis of [`SatAxis::ALL`] replaces an earlier axis only if its depth is smaller by more than 2⁻²⁰ of the
    /// sum of the half extents. For disjoint boxes, an edge axis replaces a face only if its gap is wider by more than
    /// this. So boxes with parallel axes report a face, and the depth or the gap has an error of up to 2⁻²⁰ of that sum.
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
        self.separation_inlined(other)
    }

    /// Computes [`Obb::separation`], to the same bits. The function is inlined, so the compiler uses the instructions
    /// that the caller has enabled (`#[target_feature]`).
    // Public only because the crate `runtime` inlines it into its kernels.
    #[doc(hidden)]
    #[inline(always)]
    pub fn separation_inlined(&self, other: &Self) -> Separation {
        let pair = ExactPair::new(self, other);
        let preference = pair.size() / 1_048_576.0;
        let lanes = AxisLanes::new(&pair);
        let mut separating = lanes.unit_gaps;
        for (k, gap) in separating.iter_mut().enumerate() {
            let separates = lanes.gaps[k] > pair.tolerance(lanes.direction(k));
            let preferred = if k < FACES { *gap } else { *gap - preference };
            *gap = if separates { preferred } else { f64::NEG_INFINITY };
        }
        if let Some((_, lane)) = widest(&separating) {
            let (direction, gap) = (lanes.unit_direction(lane).as_vec3(), lanes.unit_gaps[lane] as f32);
            return Separation { overlapping: false, axis: SatAxis::ALL[lane], direction, gap };
        }
        let (mut gap, mut lane) = (f64::NEG_INFINITY, 0);
        for (k, &other) in lanes.unit_gaps[..SatAxis::ALL.len()].iter().enumerate() {
            // Exactly parallel edges give NaN, which is never greater.
            (gap, lane) = if other > gap + preference { (other, k) } else { (gap, lane) };
        }
        let direction = lanes.unit_direction(lane).as_vec3();
        Separation { overlapping: true, axis: SatAxis::ALL[lane], direction, gap: gap.min(0.0) as f32 }
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

    /// The slow twin of the first stage: one axis after the other.
    fn one_axis_at_a_time(a: &Obb, b: &Obb) -> FirstStage {
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

        // The rows of R = AᵀB, and T in A's frame, are computed when they are needed.
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

        // B's face normals use T·Bⱼ directly, which stays accurate if A's axes are not exactly orthonormal.
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

    #[test]
    fn three_axes_at_a_time_answer_as_one_at_a_time() {
        let mut random = test_models::Random::new(9);
        let mut number = || random.signed();
        let (mut apart, mut close, mut clear) = (0, 0, 0);
        for round in 0..20_000 {
            let mut turn = Quat::from_xyzw(number(), number(), number(), number() + 1.5).normalize();
            let half = |n: &mut dyn FnMut() -> f32| {
                Vec3::new(n().abs(), n().abs(), if round % 5 == 0 { 0.0 } else { n().abs() })
            };
            let a = Obb::from_orientation(Vec3::new(number(), number(), number()), half(&mut number), turn);
            if round % 3 == 0 {
                // Nearly parallel edges, exactly parallel ones, and the world's axes.
                turn = [turn, (turn * Quat::from_rotation_z(1e-5)).normalize(), Quat::IDENTITY][round / 3 % 3];
            } else {
                turn = Quat::from_xyzw(number(), number(), number(), number() + 1.5).normalize();
            }
            let mut b = Obb::from_orientation(Vec3::new(number(), number(), number()), half(&mut number), turn);
            if round % 7 == 0 {
                // Face to face: too close to call.
                let face = a.axes().x_axis * (a.half_extents().x + b.half_extents().x);
                b = Obb::new(a.center() + face, b.half_extents(), a.axes());
            }
            let found = first_stage(&a, &b);
            assert_eq!(found, one_axis_at_a_time(&a, &b), "{a:?} and {b:?}");
            if clearly_apart(&a, &b) {
                assert!(matches!(found, FirstStage::Apart(0..3)), "{a:?} and {b:?}: {found:?}");
                clear += 1;
            }
            match found {
                FirstStage::Apart(_) => apart += 1,
                FirstStage::NotApart { undecided: 0 } => {}
                FirstStage::NotApart { .. } => close += 1,
            }
        }
        assert!(apart > 3000 && close > 1000 && clear > 500, "{apart} apart, {close} close, {clear} clearly apart");
    }

    #[test]
    fn boxes_that_share_axes_answer_as_one_axis_at_a_time() {
        let mut random = test_models::Random::new(15);
        for _ in 0..20_000 {
            let [a, b] =
                random.unkind_pair().map(|one| Obb::from_orientation(one.center, one.half_extents, one.orientation));
            assert_eq!(first_stage(&a, &b), one_axis_at_a_time(&a, &b), "{a:?} and {b:?}");
            let (separation, overlaps) = (a.separation(&b), a.overlaps(&b));
            assert_eq!(
                (separation.overlapping, a.separating_axis(&b).is_none()),
                (overlaps, overlaps),
                "{a:?} and {b:?}"
            );
            assert!(separation.direction.is_normalized() && separation.gap.is_finite(), "{separation:?}");
        }
    }

    /// Parallel boxes that are apart report a face although rounding makes the gap along two of their edges wider.
    #[test]
    fn parallel_boxes_that_are_apart_report_a_face() {
        let mut edges = 0;
        for degrees in 0..360_u16 {
            let lean = Quat::from_rotation_z(0.3) * Quat::from_rotation_x(f32::from(degrees).to_radians());
            let turn = lean * Quat::from_rotation_y(f32::from(degrees).to_radians());
            let a = Obb::from_orientation(Vec3::ZERO, Vec3::new(1.5, 0.1, 0.12), lean);
            let b = Obb::from_orientation(lean * (Vec3::Y * 0.20003), Vec3::new(1.5, 0.1, 0.12), turn);
            let separation = a.separation(&b);
            assert!(!separation.overlapping);
            edges += u16::from(matches!(separation.axis, SatAxis::Edges(..)));
        }
        assert_eq!(edges, 0, "of 360 pairs");
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
