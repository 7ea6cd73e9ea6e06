//! Sixteen posed triangles side by side, with the numbers that [`super::first_touch()`] compares.

use super::bounds::Bounds;
use super::gather::gather_quarter;
use super::layout::{BoundsBlock, LANES, Row};
use super::vectors::Vectors;
use glam::{DVec3, Vec3, Vec3A, Vec4};

/// A determinant of three vectors of differences is off by less than 48 · 2^-24 of the product of their largest components
/// in `f32` (see `geometry_core::triangle`). A share; no unit.
pub(super) const UNCERTAIN: f32 = 64.0 / 16_777_216.0;

/// The error that underflow in products can add to that of [`UNCERTAIN`] is at most this number times the sum of 1 and
/// the largest distance between two corners along an axis ([`farthest`]).
pub(super) const UNDERFLOW: f32 = f32::MIN_POSITIVE;

/// The amount by which a slab is widened, as a share of the largest distance between two points of both blocks. Each of
/// the two heights that are compared (along a direction with components of at most 1) rounds by less than 12 · 2^-24 of
/// that distance, and the sums with the widening round by less than 4 · 2^-24 of it.
pub(super) const SLAB_UNCERTAIN: f32 = 64.0 / 16_777_216.0;

/// The error of the gap between two blocks along a direction is at most this share of the direction's sizes times those of the
/// bounds around both blocks. Each of the two sums in `f64` rounds five times, by at most 2^-53 of that, and the bounds
/// round by far less than the rest.
const REACH_UNCERTAIN: f64 = 1.0 / (1_u64 << 48) as f64;

/// Sixteen triangles. Lanes without a triangle have [`Bounds::EMPTY`] and the corners of the last triangle.
#[derive(Clone, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct TriangleBlock {
    /// The bounds of each triangle.
    pub(crate) bounds: BoundsBlock,
    /// `corners[k][c]` holds coordinate `c` of corner `k` of each triangle.
    pub(super) corners: [[Row; 3]; 3],
    /// The cross product of the first two edges that leave corner 0.
    pub(super) normal: [Row; 3],
    /// [`UNCERTAIN`] times the largest components of these two edges.
    pub(super) uncertain: Row,
    pub(super) slab: Slab,
    /// Bounds that contain all triangles.
    pub(crate) around: Bounds,
}

/// Two parallel planes, perpendicular to the mean of the triangles' normals, with all triangles of a block between
/// them. Neighboring triangles are nearly flat together, so slabs separate many blocks whose bounds overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slab {
    /// The point from which heights are measured: a corner of the block.
    pub(super) origin: [f32; 3],
    /// The direction of heights: its largest component is 1 or -1; all are 0 if the triangles have no mean normal.
    pub(super) direction: [f32; 3],
    /// The least height of a corner.
    pub(super) low: f32,
    /// The greatest height of a corner.
    pub(super) high: f32,
}

impl TriangleBlock {
    pub(crate) const EMPTY: Self = Self {
        bounds: BoundsBlock::EMPTY,
        corners: [[[0.0; LANES]; 3]; 3],
        normal: [[0.0; LANES]; 3],
        uncertain: [0.0; LANES],
        slab: Slab { origin: [0.0; 3], direction: [0.0; 3], low: 0.0, high: 0.0 },
        around: Bounds::EMPTY,
    };

    /// Computes everything else from the corners of `count` triangles. Plain loops over rows, which the compiler turns into
    /// the vectors of whichever kernel calls them.
    #[inline(always)]
    fn complete(&mut self, count: usize) {
        let [a, b, c] = &self.corners;
        let zero = [0.0; LANES];
        let (mut u, mut v) = ([zero; 3], [zero; 3]);
        for axis in 0..3 {
            for lane in 0..LANES {
                let (one, two, three) = (a[axis][lane], b[axis][lane], c[axis][lane]);
                u[axis][lane] = two - one;
                v[axis][lane] = three - one;
                let (low, high) = if one < two { (one, two) } else { (two, one) };
                self.bounds.min[axis][lane] = if three < low { three } else { low };
                self.bounds.max[axis][lane] = if three > high { three } else { high };
            }
        }
        for lane in 0..LANES {
            let (u, v) = ([u[0][lane], u[1][lane], u[2][lane]], [v[0][lane], v[1][lane], v[2][lane]]);
            self.normal[0][lane] = u[1] * v[2] - u[2] * v[1];
            self.normal[1][lane] = u[2] * v[0] - u[0] * v[2];
            self.normal[2][lane] = u[0] * v[1] - u[1] * v[0];
            self.uncertain[lane] = UNCERTAIN * largest(u) * largest(v);
        }
        for lane in count..LANES {
            self.bounds.set(lane, &Bounds::EMPTY);
        }
        self.find_slab();
    }

    #[inline(always)]
    fn find_slab(&mut self) {
        let mut sums = self.normal;
        let mut half = LANES / 2;
        while half > 0 {
            for sum in &mut sums {
                for lane in 0..half {
                    sum[lane] += sum[lane + half];
                }
            }
            half /= 2;
        }
        let sum = [sums[0][0], sums[1][0], sums[2][0]];
        let length = largest(sum);
        let direction = if length > 0.0 && length < f32::INFINITY { sum.map(|one| one / length) } else { [0.0; 3] };
        let origin = [self.corners[0][0][0], self.corners[0][1][0], self.corners[0][2][0]];
        let (mut low, mut high) = ([0.0; LANES], [0.0; LANES]);
        for [x, y, z] in &self.corners {
            for lane in 0..LANES {
                let from = [x[lane] - origin[0], y[lane] - origin[1], z[lane] - origin[2]];
                let height = (direction[0] * from[0] + direction[1] * from[1]) + direction[2] * from[2];
                low[lane] = if height < low[lane] { height } else { low[lane] };
                high[lane] = if height > high[lane] { height } else { high[lane] };
            }
        }
        let mut half = LANES / 2;
        while half > 0 {
            for lane in 0..half {
                low[lane] = if low[lane + half] < low[lane] { low[lane + half] } else { low[lane] };
                high[lane] = if high[lane + half] > high[lane] { high[lane + half] } else { high[lane] };
            }
            half /= 2;
        }
        self.slab = Slab { origin, direction, low: low[0], high: high[0] };
    }

    /// Returns `true` if all points of `bounds` are clearly outside of the slab. Then no triangle in `bounds` touches a triangle of
    /// this block.
    ///
    /// The heights are those of [`super::first_touch()`]. Rounding keeps the order of numbers, so no point of `bounds` has a computed height
    /// outside of the ends computed here.
    #[inline]
    pub(crate) fn slab_misses(&self, bounds: &Bounds) -> bool {
        let Slab { origin, direction, low, high } = &self.slab;
        let (origin, direction) = (Vec3A::from_array(*origin), Vec3A::from_array(*direction));
        let (around, bounds) = ([self.around.min, self.around.max], [bounds.min, bounds.max]);
        let ([around_min, around_max], [min, max]) = (around.map(Vec3A::from), bounds.map(Vec3A::from));
        let farthest = (around_max.max(max) - around_min.min(min)).max_element();
        let widening = SLAB_UNCERTAIN * farthest + UNDERFLOW;
        let (one, other) = (direction * (min - origin), direction * (max - origin));
        let [least, most] = [one.min(other), one.max(other)].map(|along| (along.x + along.y) + along.z);
        least >= high + widening || most <= low - widening
    }

    /// The greatest dot product of the direction with the vectors from a point to the corners of each triangle.
    #[inline]
    fn reaches_along(&self, direction: DVec3, from: DVec3) -> [f64; LANES] {
        let mut reaches = [f64::NEG_INFINITY; LANES];
        for [x, y, z] in &self.corners {
            for lane in 0..LANES {
                let along = direction.x * (f64::from(x[lane]) - from.x)
                    + direction.y * (f64::from(y[lane]) - from.y)
                    + direction.z * (f64::from(z[lane]) - from.z);
                reaches[lane] = if along > reaches[lane] { along } else { reaches[lane] };
            }
        }
        reaches
    }

    /// Returns `true` if all triangles of `other` lie farther along a direction than those of this block, beyond doubt.
    #[cold]
    pub(super) fn is_separated(&self, other: &Self, direction: DVec3) -> bool {
        let gap = Along::new(direction, self, other).least_gap();
        let size = (self.around.max.max(other.around.max) - self.around.min.min(other.around.min)).as_dvec3();
        gap > REACH_UNCERTAIN * direction.abs().dot(size)
    }

    pub(super) fn triangle(&self, lane: usize) -> [Vec3; 3] {
        self.corners.each_ref().map(|[x, y, z]| Vec3::new(x[lane], y[lane], z[lane]))
    }
}

/// The gaps between the triangles of two chunks along a direction.
pub(crate) struct Along {
    /// The length by which each triangle of the first chunk reaches along the direction.
    reaches_a: [f64; LANES],
    /// The length by which each triangle of the second chunk reaches against the direction.
    reaches_b: [f64; LANES],
}

impl Along {
    pub(crate) fn new(direction: DVec3, a: &TriangleBlock, b: &TriangleBlock) -> Self {
        let from = a.around.min.as_dvec3();
        Self { reaches_a: a.reaches_along(direction, from), reaches_b: b.reaches_along(-direction, from) }
    }

    /// The gap between two triangles, negative if they overlap along the direction.
    pub(crate) fn gap(&self, lane_a: usize, lane_b: usize) -> f64 {
        -(self.reaches_a[lane_a] + self.reaches_b[lane_b])
    }

    /// The gap between all triangles of one chunk and all triangles of the other.
    pub(crate) fn least_gap(&self) -> f64 {
        let most = |reaches: &[f64; LANES]| reaches.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        -(most(&self.reaches_a) + most(&self.reaches_b))
    }
}

/// The triangle of each lane; the remaining lanes repeat the last triangle. `room` is for triangles that do not fill all lanes.
#[inline(always)]
fn lanes_of<'t>(triangles: &'t [[u32; 3]], room: &'t mut [[u32; 3]; LANES]) -> &'t [[u32; 3]; LANES] {
    match triangles.first_chunk() {
        Some(full) => full,
        None => {
            room.fill(triangles.last().copied().unwrap_or_default());
            room[..triangles.len()].copy_from_slice(triangles);
            room
        }
    }
}

/// The largest distance between points of two bounds along an axis, rounded: no difference of coordinates of such points
/// rounds to more.
#[inline(always)]
pub(super) fn farthest(a: &Bounds, b: &Bounds) -> f32 {
    let size = a.max.max(b.max) - a.min.min(b.min);
    size.x.max(size.y).max(size.z)
}

#[inline(always)]
fn largest(v: [f32; 3]) -> f32 {
    let [x, y, z] = v.map(f32::abs);
    let larger = if x > y { x } else { y };
    if larger > z { larger } else { z }
}

/// [`super::fill_triangles`].
#[inline(always)]
pub(super) fn fill<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    block: &mut TriangleBlock,
    triangles: &[[u32; 3]],
    points: &[Vec4],
) {
    let mut room = [[0; 3]; LANES];
    let lanes = lanes_of(triangles, &mut room);
    for at in (0..LANES).step_by(WIDTH) {
        for (corner, rows) in block.corners.iter_mut().enumerate() {
            let mut corners = [&Vec4::ZERO; WIDTH];
            for (lane, place) in corners.iter_mut().enumerate() {
                *place = &points[lanes[at + lane][corner] as usize];
            }
            let [x, y, z, _] = gather_quarter(s, &corners, 0);
            s.store(x, &mut rows[0], at);
            s.store(y, &mut rows[1], at);
            s.store(z, &mut rows[2], at);
        }
    }
    block.complete(triangles.len());
}

#[cfg(test)]
mod tests {
    use super::super::{Kernel, fill_triangles, first_touch};
    use super::*;
    use geometry_core::triangle::overlap_exactly;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![4 => -1f32..1.0, 2 => (-2i8..3).prop_map(f32::from), 1 => Just(1e-30f32), 1 => -1e-3f32..1e-3]
    }

    fn corners() -> impl Strategy<Value = [Vec3; 3]> {
        prop::array::uniform3(prop::array::uniform3(number()).prop_map(Vec3::from_array))
    }

    /// Neighboring triangles about a wavy sheet, so that slabs are thin; `tilt` turns it.
    fn sheet(tilt: Vec3, height: f32, waves: &[f32]) -> Vec<[Vec3; 3]> {
        let at = |x: usize, y: usize| {
            let (x_share, y_share) = (x as f32 / 4.0 - 0.5, y as f32 / 4.0 - 0.5);
            let flat = Vec3::new(x_share, y_share, 0.0);
            flat + Vec3::Z * (height + waves[(x * 5 + y) % waves.len()] + tilt.x * x_share + tilt.y * y_share)
        };
        let squares = (0..4).flat_map(|x| (0..2).map(move |y| (x, y)));
        squares
            .flat_map(|(x, y)| [[at(x, y), at(x + 1, y), at(x, y + 1)], [at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)]])
            .collect()
    }

    fn block(kernel: Kernel, triangles: &[[Vec3; 3]]) -> TriangleBlock {
        let points: Vec<Vec4> = triangles.as_flattened().iter().map(|corner| corner.extend(7.0)).collect();
        let corners: Vec<[u32; 3]> =
            (0..triangles.len() as u32).map(|index| [3 * index, 3 * index + 1, 3 * index + 2]).collect();
        let mut block = TriangleBlock::EMPTY;
        fill_triangles(kernel, &mut block, &corners, &points);
        block.around = around(triangles);
        block
    }

    fn around(triangles: &[[Vec3; 3]]) -> Bounds {
        let corners = triangles.as_flattened().iter();
        corners.fold(Bounds::EMPTY, |bounds, &corner| bounds.union(&Bounds { min: corner, max: corner }))
    }

    /// The first pair by exact predicates alone, found by every kernel.
    fn check(a: &[[Vec3; 3]], b: &[[Vec3; 3]]) -> Result<bool, TestCaseError> {
        let pairs = (0..a.len()).flat_map(|lane| (0..b.len()).map(move |other| [lane, other]));
        let expected = pairs.into_iter().find(|&[lane, other]| overlap_exactly(&a[lane], &b[other]));
        let of_scalar = [block(Kernel::Scalar, a), block(Kernel::Scalar, b)];
        for kernel in Kernel::available() {
            let blocks = [block(kernel, a), block(kernel, b)];
            prop_assert_eq!(&blocks, &of_scalar, "{:?}", kernel);
            for (block, triangles) in blocks.iter().zip([a, b]) {
                for lane in 0..LANES {
                    prop_assert_eq!(block.triangle(lane), triangles[lane.min(triangles.len() - 1)], "{:?}", kernel);
                }
            }
            let found = first_touch(kernel, &blocks[0], &blocks[1]);
            prop_assert_eq!(found, expected, "{:?}", kernel);
            let is_missed = blocks[0].slab_misses(&around(b)) || blocks[1].slab_misses(&around(a));
            prop_assert!(!(is_missed && expected.is_some()), "{:?}", kernel);
        }
        Ok(expected.is_some())
    }

    proptest! {
        #[test]
        fn every_kernel_finds_the_first_pair_that_touches(
            a in prop::collection::vec(corners(), 1..=LANES),
            b in prop::collection::vec(corners(), 1..=LANES),
            scale in prop_oneof![3 => Just(1.0f32), 1 => Just(1e-20f32), 1 => Just(1e10f32)],
        ) {
            let scaled = |triangles: Vec<[Vec3; 3]>| -> Vec<[Vec3; 3]> {
                triangles.into_iter().map(|corners| corners.map(|corner| corner * scale)).collect()
            };
            check(&scaled(a), &scaled(b))?;
        }

        /// One triangle of each, so that no other pair hides a wrong answer.
        #[test]
        fn every_kernel_decides_single_pairs(a in corners(), b in corners(), scale in prop_oneof![Just(1.0f32), Just(1e-13f32), Just(1e11f32)]) {
            check(&[a.map(|corner| corner * scale)], &[b.map(|corner| corner * scale)])?;
        }

        #[test]
        fn sheets_that_nearly_touch(
            tilts in prop::array::uniform2(prop::array::uniform3(-0.3f32..0.3)),
            waves in prop::collection::vec(-0.02f32..0.02, 30),
            height in prop_oneof![3 => -0.2f32..0.2, 1 => Just(0.0f32), 1 => 0.02f32..0.06],
            shift in prop_oneof![Just(0.0f32), Just(1000.0f32)],
        ) {
            let moved = |mut sheet: Vec<[Vec3; 3]>| {
                sheet.as_flattened_mut().iter_mut().for_each(|corner| *corner += Vec3::splat(shift));
                sheet
            };
            let [a, b] = tilts.map(Vec3::from_array);
            check(&moved(sheet(a, 0.0, &waves)), &moved(sheet(b, height, &waves[7..])))?;
        }
    }

    /// The bounds overlap, because the sheets are tilted.
    #[test]
    fn a_slab_misses_bounds_at_an_empty_corner() {
        let tilted = |height: f32| sheet(Vec3::new(1.0, 0.0, 0.0), height, &[0.0]);
        let block = block(Kernel::Scalar, &tilted(0.0));
        let small: Vec<[Vec3; 3]> = tilted(3.0).iter().map(|corners| corners.map(|corner| corner * 0.1)).collect();
        assert!(around(&small).overlaps(&block.around));
        assert!(block.slab_misses(&around(&small)));
        assert!(!block.slab_misses(&block.around));
    }

    #[test]
    fn sheets_one_above_the_other_are_apart_and_crossing_ones_touch() {
        let flat = sheet(Vec3::ZERO, 0.0, &[0.0]);
        assert!(!check(&flat, &sheet(Vec3::ZERO, 1e-6, &[0.0])).unwrap());
        assert!(check(&flat, &sheet(Vec3::ZERO, 0.0, &[0.0])).unwrap());
        assert!(check(&flat, &sheet(Vec3::new(0.5, 0.0, 0.0), 0.01, &[0.0])).unwrap());
    }
}
