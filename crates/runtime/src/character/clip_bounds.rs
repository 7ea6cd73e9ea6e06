//! Bounds of a character's hitboxes over spans of a clip's time, for characters that are posed less often than others.
//!
//! The first request for a clip cuts the clip into short slices and computes the bounds of each slice. Each request
//! unites the bounds of the slices in its span.
//!
//! # The bounds of a slice
//! Let `m` be the middle of a slice, `s` any of its times, and `x(s)` the place of a point of a box in the space of a
//! joint `k` at `s`. The joint's matrix moves it to the parent's space, to `T(s) + A(s) x(s)`. Then
//!
//! ```text
//! |T(s) + A(s) x(s) - T(m) - A(m) x(m)| <= |T(s) - T(m)| + |A(s)| |x(s) - x(m)| + |A(s) - A(m)| |x(m)|
//! ```
//!
//! so the distance that a point moves is bounded joint by joint, from the joint of its box (where `x(s) = x(m)`) up to
//! the root. The parts are bounded by the clip's keys. `A` is a rotation `R` times a scale `S`: `|A(s)|` is the largest
//! factor of the scale, and `|A(s) - A(m)| <= |R(s) - R(m)| |S(s)| + |S(s) - S(m)|`.
//!
//! - Translations and scales run along straight lines between keys or are held, so the largest distance from the value
//!   at `m` occurs at a key or at an end of the slice. A cubic spline stays in the convex hull of its Bezier points.
//! - Rotations between keys run along great arcs, so the sum of the arcs from `m` to an end of the slice bounds the
//!   angle; `|R(s) - R(m)|` is at most that angle. The direction of a quaternion in a ball of radius `r` around `q(m)`
//!   differs from the direction of `q(m)` by an angle whose sine is at most `r / |q(m)|`.
//!
//! A box whose joints are rotated, moved, mirrored and scaled evenly is exactly the image of the baked box. Otherwise it
//! is the enclosing box of that image, which lies in the ball around the box's center with `sqrt(3)` times the radius of
//! the image.

use super::hitbox_table::HitboxTable;
use crate::kernels::joint_matrices::JointMatrices;
use crate::kernels::layout::{BoundsBlock, LANES};
use crate::kernels::posing::place_box;
use crate::{Bounds, PoseError};
use glam::{Affine3A, DAffine3, DMat3, DVec3, DVec4, Vec3};
use skeleton::{Channel, Clip, Interpolation, LocalTransform, Property, Trs};
use std::ops::Range;
use std::sync::Arc;

/// The number of slices in one second of a clip.
const SLICES_A_SECOND: f64 = 64.0;
/// The most slices of a clip. A clip that would need more slices gets longer slices.
const MOST_SLICES: f64 = 4096.0;
/// The rounding of single precision in one step up the skeleton, at both times, as a share of the numbers in it.
const ROUNDING: f64 = 2e-6;
/// The largest angle in radians between a rotation that samplers compute and the great arc, at both times.
const OFF_THE_ARC: f64 = 7e-5;
/// The largest difference of an even scale's factors, as a share of the scale.
const UNEVEN: f64 = 1e-5;
/// The amount by which the posed box of an almost even matrix may exceed the image, as a share of the radius of the
/// image.
const SKEW: f64 = 1e-3;

/// The amount by which the bounds of groups of hitboxes are enlarged, as a share of the size of all hitboxes.
pub(crate) const PARTS_MORE: f32 = 4e-3;

/// The bounds of all hitboxes in model space over each slice of a clip.
#[derive(Clone, Debug)]
pub(crate) struct ClipBounds {
    pub(crate) start: f64,
    seconds: f64,
    /// The largest extent of the hitboxes along an axis at any time.
    pub(crate) size: f32,
    /// The largest sum of the coordinates of a point of a hitbox in model space, without signs.
    pub(crate) farthest: f32,
    /// The number of slices in one second; infinite for a clip without a length.
    slices_a_second: f64,
    /// The slices in order, all of the same length.
    slices: Vec<Bounds>,
    /// For each slice, the bounds of up to sixteen groups of hitboxes with neighboring indices, enlarged by [`PARTS_MORE`].
    parts: Vec<BoundsBlock>,
}

impl ClipBounds {
    pub(super) fn new(character: &HitboxTable, clip: &Clip) -> Result<Self, PoseError> {
        if character.envelopes.is_some() {
            return Err(PoseError::NoClipBounds { character: Arc::clone(&character.name) });
        }
        let (start, seconds) = (f64::from(clip.start()), f64::from(clip.end()) - f64::from(clip.start()));
        let count = (seconds * SLICES_A_SECOND).ceil().clamp(1.0, MOST_SLICES);
        let mut slice = Slice::new(character, clip);
        let time = |number: f64| start + seconds * number / count;
        let (mut slices, mut parts) = (Vec::with_capacity(count as usize), Vec::with_capacity(count as usize));
        for number in (0..count as u32).map(f64::from) {
            let (all, of_parts) = slice.bounds(time(number), time(number + 1.0))?;
            slices.push(all);
            parts.push(of_parts);
        }
        let size = slices.iter().map(|all: &Bounds| (all.max - all.min).max_element()).fold(0.0, f32::max);
        let far = |all: &Bounds| all.min.abs().max(all.max.abs()).element_sum();
        let farthest = slices.iter().filter(|all| !all.is_empty()).map(far).fold(0.0, f32::max);
        parts.iter_mut().for_each(|parts: &mut BoundsBlock| parts.enlarge(PARTS_MORE * size));
        Ok(Self { start, seconds, size, farthest, slices_a_second: count / seconds, slices, parts })
    }

    /// The bounds over the times from `from` to `to` on the clip's own clock.
    pub(crate) fn over(&self, from: f64, to: f64) -> Bounds {
        self.slices[self.slices_over(from, to)].iter().fold(Bounds::EMPTY, |around, slice| around.union(slice))
    }

    /// The bounds of groups of hitboxes in the slices that hold this time on the clip's own clock, enlarged by [`PARTS_MORE`]. In
    /// at least one of these slices, the bounds of the groups contain all hitboxes.
    pub(crate) fn parts_at(&self, time: f64) -> &[BoundsBlock] {
        &self.parts[self.slices_over(time, time)]
    }

    /// The bounds of groups of hitboxes in all slices from one time to another on the clip's own clock, enlarged by
    /// [`PARTS_MORE`]. Together they contain all hitboxes at all these times.
    pub(crate) fn parts_over(&self, from: f64, to: f64) -> &[BoundsBlock] {
        &self.parts[self.slices_over(from, to)]
    }

    fn slices_over(&self, from: f64, to: f64) -> Range<usize> {
        // The sample times of poses are rounded to single precision.
        let slack = 1e-6 * (self.start.abs() + self.seconds);
        let last = self.slices.len() - 1;
        let slice = |time: f64| ((time - self.start) * self.slices_a_second) as usize;
        // Without a length, all times are in the only slice.
        let [first, end] = [slice(from - slack), slice(to + slack)].map(|slice| slice.min(last));
        first..end + 1
    }
}

/// The largest changes of one joint's local transform in a slice, from the transform in the middle.
#[derive(Clone, Copy)]
struct Change {
    /// `|T(s) - T(m)|`, in the parent's unit.
    translation: f64,
    /// `|R(s) - R(m)|`, no unit.
    rotation: f64,
    /// `|S(s) - S(m)|`, no unit.
    scale: f64,
    /// `|A(s)|`, no unit.
    most_scale: f64,
    /// `true` if the joint scales unevenly or shears at some time.
    is_uneven: bool,
}

/// The slice whose bounds are being computed, with memory that the next slice reuses.
struct Slice<'a> {
    character: &'a HitboxTable,
    clip: &'a Clip,
    local: Vec<LocalTransform>,
    parent_from_joint: Vec<DAffine3>,
    model_from_joint: Vec<Affine3A>,
    changes: Vec<Change>,
    /// The local transforms into which single channels are sampled.
    at_key: Vec<LocalTransform>,
    /// The values of one channel in the slice, in the order of their times.
    values: Vec<Trs>,
}

impl<'a> Slice<'a> {
    fn new(character: &'a HitboxTable, clip: &'a Clip) -> Self {
        let joints = character.skeleton.len();
        Self {
            character,
            clip,
            local: character.skeleton.rest_pose(),
            parent_from_joint: vec![DAffine3::IDENTITY; joints],
            model_from_joint: vec![Affine3A::IDENTITY; joints],
            changes: Vec::new(),
            at_key: character.skeleton.rest_pose(),
            values: Vec::new(),
        }
    }

    /// The bounds of all hitboxes at all times from `from` to `to`, and those of groups of hitboxes.
    fn bounds(&mut self, from: f64, to: f64) -> Result<(Bounds, BoundsBlock), PoseError> {
        // A slice includes the times that are rounded to its ends.
        let (from, to) = ((from as f32).next_down(), (to as f32).next_up());
        let middle = (0.5 * (f64::from(from) + f64::from(to))) as f32;
        let skeleton = &self.character.skeleton;
        self.clip.sample(middle, &mut self.local);
        skeleton.model_from_joints(&self.local, &mut self.model_from_joint);
        for (parent_from_joint, local) in self.parent_from_joint.iter_mut().zip(&self.local) {
            *parent_from_joint = wide(&local.to_affine());
        }
        self.changes.clear();
        self.changes.extend(self.parent_from_joint.iter().map(Change::none));
        for number in 0..self.clip.channels.len() {
            self.add_channel(number, [from, middle, to]);
        }
        let count = self.character.shapes.len();
        let (mut all, mut parts) = (Bounds::EMPTY, BoundsBlock::EMPTY);
        for index in 0..count {
            let one = self.bounds_of_box(index)?;
            all = all.union(&one);
            parts.grow(index / count.div_ceil(LANES), &one);
        }
        Ok((all, parts))
    }

    fn bounds_of_box(&self, index: usize) -> Result<Bounds, PoseError> {
        let shape = &self.character.shapes[index];
        let refused = || PoseError::out_of_range(self.character, shape.joint);
        let matrices = JointMatrices { world_from_model: None, joints: &self.model_from_joint };
        let posed = place_box(shape, &matrices).ok_or_else(refused)?.bounds();
        let (mut center, mut radius) = (shape.center.as_dvec3(), shape.half.as_dvec3().length());
        let (mut moved, mut is_uneven) = (0.0, false);
        let mut above = Some(shape.joint);
        while let Some(joint) = above {
            let (change, matrix) = (&self.changes[joint.index()], &self.parent_from_joint[joint.index()]);
            let turned = change.rotation * change.most_scale + change.scale;
            let reach = center.length() + radius;
            moved = change.translation + change.most_scale * moved + turned * reach;
            moved += ROUNDING * (change.most_scale * reach + matrix.translation.length());
            is_uneven |= change.is_uneven;
            center = matrix.transform_point3(center);
            radius *= change.most_scale;
            above = self.character.skeleton.joint(joint).parent;
        }
        let (low, high) = if is_uneven {
            let radius = DVec3::splat(3f64.sqrt() * radius);
            (center - radius, center + radius)
        } else {
            (posed.min.as_dvec3(), posed.max.as_dvec3())
        };
        let bounds = outward(low, high, moved + SKEW * radius);
        if bounds.min.is_finite() && bounds.max.is_finite() { Ok(bounds) } else { Err(refused()) }
    }

    /// Adds the changes of one channel to the changes of its joint.
    fn add_channel(&mut self, number: usize, [from, middle, to]: [f32; 3]) {
        let channel = &self.clip.channels[number];
        let times = &self.clip.timelines[channel.timeline as usize];
        if times.len() == 1 {
            return;
        }
        let joint = channel.joint.index();
        if channel.interpolation == Interpolation::CubicSpline {
            let LocalTransform::Trs(at_middle) = self.local[joint] else { return };
            let points = bezier_points(channel, times, from, to);
            let vectors = points.iter().map(|point| DVec4::from_array(*point).truncate());
            self.changes[joint].add(channel.property, &at_middle, vectors);
            if channel.property == Property::Rotation {
                self.changes[joint].rotation = spline_rotation(&points);
            }
            return;
        }

        // The values at the ends, at the middle and at the keys: the path between them is straight, or is held.
        let keys = |from: f32, to: f32| {
            let first = times.partition_point(|&time| time <= from);
            &times[first..times.partition_point(|&time| time < to).max(first)]
        };
        self.values.clear();
        let mut place_of_middle = 0;
        for &time in [from].iter().chain(keys(from, middle)).chain(&[middle]).chain(keys(middle, to)).chain(&[to]) {
            if time == middle {
                place_of_middle = self.values.len();
            }
            self.clip.sample_channel(number, time, &mut self.at_key);
            if let LocalTransform::Trs(value) = self.at_key[joint] {
                self.values.push(value);
            }
        }
        let Some(at_middle) = self.values.get(place_of_middle) else { return };
        let vectors = self.values.iter().map(|value| match channel.property {
            Property::Scale => value.scale.as_dvec3(),
            _ => value.translation.as_dvec3(),
        });
        self.changes[joint].add(channel.property, at_middle, vectors);
        if channel.property == Property::Rotation {
            let path = |values: &[Trs]| values.windows(2).map(|two| angle(&two[0], &two[1])).sum::<f64>();
            let longest = path(&self.values[..=place_of_middle]).max(path(&self.values[place_of_middle..]));
            self.changes[joint].rotation = f64::min(2.0, longest + OFF_THE_ARC);
        }
    }
}

impl Change {
    /// The change of a transform that no channel animates.
    fn none(parent_from_joint: &DAffine3) -> Self {
        let matrix = parent_from_joint.matrix3;
        let squares = matrix.transpose() * matrix;
        let sum = |row: DVec3| row.abs().element_sum();
        // The largest sum of a row bounds the largest eigenvalue, and is equal to it for an evenly scaled rotation.
        let most = sum(squares.x_axis).max(sum(squares.y_axis)).max(sum(squares.z_axis));
        let even = DMat3::from_diagonal(DVec3::splat(most));
        let is_uneven = !squares.abs_diff_eq(even, 2.0 * UNEVEN * most);
        Self { translation: 0.0, rotation: 0.0, scale: 0.0, most_scale: most.sqrt() * (1.0 + ROUNDING), is_uneven }
    }

    /// Adds a translation or a scale that stays in the convex hull of `values`; does nothing for a rotation.
    fn add(&mut self, property: Property, at_middle: &Trs, values: impl Iterator<Item = DVec3>) {
        match property {
            Property::Translation => {
                let middle = at_middle.translation.as_dvec3();
                self.translation = values.map(|value| (value - middle).length()).fold(0.0, f64::max);
            }
            Property::Scale => {
                let middle = at_middle.scale.as_dvec3();
                for value in values {
                    self.scale = self.scale.max((value - middle).length());
                    let most = value.abs().max_element();
                    self.most_scale = self.most_scale.max(most * (1.0 + ROUNDING));
                    // A scale factor that changes its sign passes 0, so the scale is uneven in between.
                    let keeps_signs = (value * middle).cmpge(DVec3::ZERO).all();
                    self.is_uneven |= !keeps_signs || most - value.abs().min_element() > UNEVEN * most;
                }
            }
            Property::Rotation => {}
        }
    }
}

/// An upper bound of the angle in radians between two rotations.
fn angle(a: &Trs, b: &Trs) -> f64 {
    let [a, b] = [a, b].map(|trs| DVec4::from_array(trs.rotation.to_array().map(f64::from)));
    // A rotation turns by twice the angle of the quaternions, whose chord is twice the sine of half of that angle.
    4.0 * arc_sine(0.5 * (a - b).length().min((a + b).length()))
}

/// An upper bound of the arc sine of a number from 0 to 1: `(asin(x) - x) / x^3` increases up to `pi / 2 - 1`.
fn arc_sine(sine: f64) -> f64 {
    sine + (std::f64::consts::FRAC_PI_2 - 1.0) * sine * sine * sine
}

/// The Bezier points of the segments of a cubic spline that a slice may reach into. The fourth number of a translation
/// and of a scale is 0.
fn bezier_points(channel: &Channel, times: &[f32], from: f32, to: f32) -> Vec<[f64; 4]> {
    let width = channel.property.width();
    let stored = |index: usize| -> [f64; 4] {
        let value = &channel.values[index * width..][..width];
        std::array::from_fn(|i| value.get(i).copied().map_or(0.0, f64::from))
    };
    let last = times.len() - 2;
    let first = times.partition_point(|&time| time <= from).saturating_sub(1).min(last);
    let end = times.partition_point(|&time| time < to).saturating_sub(1).clamp(first, last);
    let points = (first..=end).flat_map(|key| {
        let third = (f64::from(times[key + 1]) - f64::from(times[key])) / 3.0;
        let [a, out_tangent, in_tangent, b] = [1, 2, 3, 4].map(|part| stored(3 * key + part));
        let along = |value: [f64; 4], tangent: [f64; 4], by: f64| std::array::from_fn(|i| value[i] + by * tangent[i]);
        [a, along(a, out_tangent, third), along(b, in_tangent, -third), b]
    });
    points.collect()
}

/// A bound of `|R(s) - R(m)|` for a spline of quaternions that stays in the convex hull of some points.
fn spline_rotation(points: &[[f64; 4]]) -> f64 {
    let points = points.iter().map(|point| DVec4::from_array(*point));
    let center = points.clone().sum::<DVec4>() / points.len() as f64;
    let radius = points.map(|point| (point - center).length()).fold(0.0, f64::max);
    let sine = radius / center.length();
    // Both quaternions are within this angle of the center, and a rotation turns by twice the angle of its quaternion.
    if sine < 1.0 { f64::min(2.0, 4.0 * arc_sine(sine) + OFF_THE_ARC) } else { 2.0 }
}

impl Bounds {
    /// The bounds of the image of these bounds under a matrix, enlarged by a millionth of their coordinates. Rounding
    /// in `f32` moves a posed hitbox by less than this amount. [`Bounds::EMPTY`] stays empty.
    ///
    /// To take bounds from model space to world space, pass `world_from_model`. If this matrix only rotates, moves,
    /// mirrors and scales evenly, the result contains the hitboxes that are posed with the matrix.
    #[must_use]
    pub fn transformed(&self, matrix: &Affine3A) -> Self {
        /// The share of their coordinates by which the bounds are enlarged.
        const MORE: f64 = 1e-6;
        if self.min.cmpgt(self.max).any() {
            return Self::EMPTY;
        }
        let (matrix, min, max) = (wide(matrix), self.min.as_dvec3(), self.max.as_dvec3());
        let (center, half) = (matrix.transform_point3((min + max) * 0.5), (max - min) * 0.5);
        let columns = [matrix.matrix3.x_axis * half.x, matrix.matrix3.y_axis * half.y, matrix.matrix3.z_axis * half.z];
        let reach = columns[0].abs() + columns[1].abs() + columns[2].abs();
        let farthest = (center.abs() + reach).max_element() + matrix.translation.abs().max_element();
        outward(center - reach, center + reach, MORE * farthest)
    }

    /// Returns `true` if these bounds contain the other bounds. All bounds contain [`Bounds::EMPTY`].
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        other.min.cmpgt(other.max).any() || (self.min.cmple(other.min).all() && self.max.cmpge(other.max).all())
    }
}

/// The bounds from `low` to `high`, enlarged by `more` and rounded outward.
fn outward(low: DVec3, high: DVec3, more: f64) -> Bounds {
    let (low, high) = ((low - more).as_vec3(), (high + more).as_vec3());
    let min = Vec3::from_array(low.to_array().map(f32::next_down));
    Bounds { min, max: Vec3::from_array(high.to_array().map(f32::next_up)) }
}

/// The matrix in double precision.
fn wide(matrix: &Affine3A) -> DAffine3 {
    let axes =
        [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis].map(|axis| Vec3::from(axis).as_dvec3());
    let translation = Vec3::from(matrix.translation).as_dvec3();
    DAffine3 { matrix3: DMat3::from_cols(axes[0], axes[1], axes[2]), translation }
}
