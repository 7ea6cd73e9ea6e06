//! The boxes of a bake in one pose, in model space and in f64.

use crate::envelope::posed::{self, EnvelopeBox};
use crate::measure::hull_planes::{HullPlanes, MeasuredBoxes};
use crate::measure::surface_samples::CellLanes;
use crate::skin::bound_mesh::BoundMesh;
use baked_format::{Envelope, Hitbox, HitboxRole};
use geometry_core::portable;
use glam::{DAffine3, DMat3, DVec3};
use skeleton::JointIndex;
use std::sync::Arc;

/// A point counts as inside a box up to this distance outside the box, as a share of the character's height. Poses with
/// f32 matrices are no more exact.
pub(crate) const INSIDE: f64 = 1e-6;

/// The rounding error of a sum of a few products is less than this share of the sum of their sizes.
const ROUNDING: f64 = 1e-13;

/// A height above a plane has a few roundings more than a coordinate, so it gets this many times the room for rounding.
const HEIGHT_ROUNDING: f64 = 4.0;

/// The boxes of a bake in one pose, sorted by joint.
pub(crate) struct PosedBoxes {
    boxes: Vec<PosedBox>,
    /// `boxes[first_of_joint[j]..first_of_joint[j + 1]]` are the boxes of joint `j`.
    first_of_joint: Vec<usize>,
    /// The joints that have collapsed in this pose, sorted. Their boxes are left out of `boxes`.
    pub(crate) collapsed: Vec<JointIndex>,
}

/// One hitbox in a pose.
pub(crate) struct PosedBox {
    /// The map from model space to the space of the box's axes and its center.
    box_from_model: DAffine3,
    half_extents: DVec3,
    /// Half extents with the tolerance [`INSIDE`].
    tolerant: DVec3,
    /// Half extents that leave room for rounding: if they hold the corners of a triangle, [`PosedBox::holds`] is `true`
    /// for every point of the triangle. Negative if nothing is certain.
    sure: DVec3,
    /// The largest sum of sizes in a row of `box_from_model`.
    row_sum: f64,
    /// Half the length of the segment of a capsule along axis 1, in the joint's unit; 0 for a sphere, and `None` for a
    /// box. The radius of a capsule or a sphere is `half_extents.x`.
    reach: Option<f64>,
    /// The hull in the space of the box's axes and its center; `None` for other shapes.
    hull: Option<Arc<HullPlanes>>,
    /// The largest number of model units that one unit of the joint's space spans.
    scale: f64,
    /// The center of the hitbox, in model space.
    center: DVec3,
    /// The radius of a ball around the hitbox, in model units.
    radius: f64,
}

/// A triangle in model space.
pub(crate) struct PosedTriangle {
    corners: [DVec3; 3],
    /// The center of a ball around the triangle, in model space; `radius` is the ball's radius, in model units.
    center: DVec3,
    radius: f64,
    /// The size of the largest coordinate.
    size: f64,
}

/// A triangle in the space of a box's axes and its center.
pub(crate) struct TriangleInBox<'a> {
    corners: [DVec3; 3],
    /// The reach of the box, as in [`PosedBox`].
    reach: Option<f64>,
    /// The hull of the box, as in [`PosedBox`].
    hull: Option<&'a HullPlanes>,
    /// The height above the planes of the hull up to which a point is surely held, in the joint's unit.
    sure_height: f64,
    /// The height above the planes of the hull up to which a point is surely at distance 0, in the joint's unit.
    inner_height: f64,
    /// Half extents that leave room for rounding, also for corners as far away as those of this triangle. Negative if
    /// nothing is certain.
    sure: DVec3,
    /// Half extents without the tolerance that leave room for rounding. Negative if nothing is certain.
    inner: DVec3,
}

impl TriangleInBox<'_> {
    /// Returns the bits of the cells for whose middles [`PosedBox::holds`] is certainly `true`. A missing bit is not
    /// certain.
    pub(crate) fn surely_held(&self, grid: &[CellLanes]) -> u64 {
        self.cells_within(grid, self.sure, self.sure_height)
    }

    /// Returns the bits of the cells whose middles are certainly at distance 0 from the box. A missing bit is not
    /// certain.
    fn surely_inside(&self, grid: &[CellLanes]) -> u64 {
        self.cells_within(grid, self.inner, self.inner_height)
    }

    /// Returns the bits of the cells whose middles are within the shape with half extents `limit` and, if the shape is a
    /// hull, at most `height` above its planes.
    fn cells_within(&self, grid: &[CellLanes], limit: DVec3, height: f64) -> u64 {
        let [a, b, c] = self.corners;
        let (by_u, by_v) = (a - c, b - c);
        let mut within = [0; 4];
        match (self.hull, self.reach) {
            (Some(hull), _) => {
                for four in grid {
                    for (lane, within) in within.iter_mut().enumerate() {
                        let local = c + four.u[lane] * by_u + four.v[lane] * by_v;
                        let is_inside = is_within(local.abs(), None, limit) && hull.holds(local, height);
                        *within |= if is_inside { four.bits[lane] } else { 0 };
                    }
                }
            }
            // The loop has no branches, so that the compiler can use vector instructions.
            (None, None) => {
                for four in grid {
                    for (lane, within) in within.iter_mut().enumerate() {
                        let (u, v) = (four.u[lane], four.v[lane]);
                        let x = c.x + u * by_u.x + v * by_v.x;
                        let y = c.y + u * by_u.y + v * by_v.y;
                        let z = c.z + u * by_u.z + v * by_v.z;
                        let is_inside = (x.abs() <= limit.x) & (y.abs() <= limit.y) & (z.abs() <= limit.z);
                        *within |= if is_inside { four.bits[lane] } else { 0 };
                    }
                }
            }
            (None, Some(_)) => {
                for four in grid {
                    for (lane, within) in within.iter_mut().enumerate() {
                        let local = c + four.u[lane] * by_u + four.v[lane] * by_v;
                        let is_inside = is_within(local.abs(), self.reach, limit);
                        *within |= if is_inside { four.bits[lane] } else { 0 };
                    }
                }
            }
        }
        within.into_iter().fold(0, |all, bits| all | bits)
    }
}

impl PosedTriangle {
    pub(crate) fn new(corners: [DVec3; 3]) -> Self {
        let [a, b, c] = corners;
        let center = (a + b + c) / 3.0;
        let radius_squared = corners.iter().map(|&corner| (corner - center).length_squared()).fold(0.0, f64::max);
        let size = a.abs().max(b.abs()).max(c.abs()).max_element();
        Self { corners, center, radius: radius_squared.sqrt(), size }
    }
}

impl PosedBoxes {
    /// Poses boxes that do not move in their joints' spaces.
    pub(crate) fn new(mesh: &BoundMesh<'_>, boxes: &MeasuredBoxes<'_>, model_from_joint: &[DAffine3]) -> Self {
        Self::with_envelopes(mesh, boxes, &[], model_from_joint)
    }

    /// Poses the boxes that can be hit; a box of another role holds no skin. If `envelopes` has one envelope for each box, the
    /// boxes of the envelopes replace the baked boxes; `envelopes` may also be empty.
    pub(crate) fn with_envelopes(
        mesh: &BoundMesh<'_>,
        MeasuredBoxes { boxes, hulls }: &MeasuredBoxes<'_>,
        envelopes: &[Envelope],
        model_from_joint: &[DAffine3],
    ) -> Self {
        let mut posed = Self { boxes: Vec::with_capacity(boxes.len()), first_of_joint: vec![0], collapsed: Vec::new() };
        let mut next = 0;
        for (index, matrix) in model_from_joint.iter().enumerate() {
            let joint = JointIndex(index as u16);
            let inverse = mesh.joint_from_model(joint, matrix);
            if inverse.is_none() {
                posed.collapsed.push(joint);
            }
            while let Some(one) = boxes.get(next).filter(|one| one.joint == joint) {
                let envelope = envelopes.get(next).and_then(|envelope| posed::posed(envelope, one, model_from_joint));
                let hull = hulls[next].clone();
                next += 1;
                if let Some(joint_from_model) = inverse.as_ref().filter(|_| one.role == HitboxRole::Hurt) {
                    let inside = INSIDE * mesh.height;
                    posed.boxes.push(match envelope {
                        Some(envelope) => PosedBox::of_envelope(&envelope, inside),
                        None => PosedBox { hull, ..PosedBox::new(one, matrix, joint_from_model, inside) },
                    });
                }
            }
            posed.first_of_joint.push(posed.boxes.len());
        }
        posed
    }

    pub(crate) fn is_collapsed(&self, joint: JointIndex) -> bool {
        !self.collapsed.is_empty() && self.collapsed.binary_search(&joint).is_ok()
    }

    /// All boxes. The boxes of the joint come first, because they are the likeliest to hold its surface.
    fn own_first(&self, joint: JointIndex) -> impl Iterator<Item = &PosedBox> {
        let own = self.first_of_joint[joint.index()]..self.first_of_joint[joint.index() + 1];
        let (before, after) = (0..own.start, own.end..self.boxes.len());
        own.chain(before).chain(after).map(|index| &self.boxes[index])
    }

    /// The boxes of a joint.
    #[inline]
    pub(crate) fn of_joint(&self, joint: JointIndex) -> &[PosedBox] {
        &self.boxes[self.first_of_joint[joint.index()]..self.first_of_joint[joint.index() + 1]]
    }

    /// Returns `true` if a box of the joint holds a point in model space.
    #[inline]
    pub(crate) fn own_box_holds(&self, point: DVec3, joint: JointIndex) -> bool {
        self.of_joint(joint).iter().any(|one| one.holds(point))
    }

    /// Returns a box of a joint that certainly holds a corner, as its number among the joint's boxes. The search starts
    /// at `guess`, goes on to the last box, and then from the first box to `guess`. A box that certainly holds all
    /// corners of a triangle holds every point of the triangle.
    #[inline]
    pub(crate) fn sure_box(&self, corner: DVec3, joint: JointIndex, guess: usize) -> Option<usize> {
        let boxes = self.of_joint(joint);
        let guess = if guess < boxes.len() { guess } else { 0 };
        (guess..boxes.len()).chain(0..guess).find(|&number| boxes[number].surely_holds(corner))
    }

    /// Returns a triangle in the axes of one of a joint's boxes. `number` is the index of the box among the joint's
    /// boxes.
    pub(crate) fn in_box(&self, triangle: &PosedTriangle, joint: JointIndex, number: usize) -> TriangleInBox<'_> {
        self.of_joint(joint)[number].with_triangle(triangle)
    }

    /// The boxes of a joint that may hold a point of a triangle, each with the triangle in the axes of the box. Boxes
    /// whose numbers are in `except` are left out.
    pub(crate) fn own_near<'a>(
        &'a self,
        triangle: &'a PosedTriangle,
        joint: JointIndex,
        except: [Option<usize>; 3],
    ) -> impl Iterator<Item = TriangleInBox<'a>> + 'a {
        let boxes = self.of_joint(joint).iter().enumerate();
        let may_hold =
            move |(number, one): &(usize, &PosedBox)| !except.contains(&Some(*number)) && !one.surely_misses(triangle);
        boxes.filter(may_hold).map(|(_, one)| one.with_triangle(triangle))
    }

    /// The boxes that may hold a point of a triangle.
    pub(crate) fn near<'a>(&'a self, triangle: &PosedTriangle) -> impl Iterator<Item = &'a PosedBox> {
        self.boxes.iter().filter(|one| !one.surely_misses(triangle))
    }

    /// Returns the bits of a triangle's cells whose middles are certainly at distance 0 from a box of a joint. A missing
    /// bit is not certain.
    pub(crate) fn cells_inside(&self, triangle: &PosedTriangle, joint: JointIndex, grid: &[CellLanes]) -> u64 {
        self.own_near(triangle, joint, [None; 3]).fold(0, |cells, one| cells | one.surely_inside(grid))
    }

    /// Returns a distance in model units; infinite if the joint has no box, or if the distance is above `limit`. No point of a
    /// triangle is farther than this distance from the nearest box of a joint. If the distance is negative, a box of the joint
    /// also holds every point that is no farther from the triangle than that. Boxes are convex, so the farthest corner gives the
    /// bound.
    pub(crate) fn apart(&self, corners: &[DVec3; 3], joint: JointIndex, limit: f64) -> f64 {
        let nearer = |nearest: f64, one: &PosedBox| nearest.min(one.apart(corners, nearest.min(limit)));
        self.of_joint(joint).iter().fold(f64::INFINITY, nearer)
    }

    /// Returns the distance of a point from the nearest box of a joint, in model units; infinite if the joint has no
    /// box.
    pub(crate) fn distance_from_joint(&self, point: DVec3, joint: JointIndex) -> f64 {
        let mut nearest = f64::INFINITY;
        for one in self.of_joint(joint) {
            nearest = nearest.min(one.distance(point));
            // The distance from a box that holds the point is 0, and no distance is less.
            if nearest == 0.0 {
                break;
            }
        }
        nearest
    }

    /// Returns `true` if any box holds a point in model space. `owner` is the joint whose boxes are tested first.
    pub(crate) fn holds(&self, point: DVec3, owner: JointIndex) -> bool {
        self.own_first(owner).any(|one| one.holds(point))
    }

    /// Returns the distance of a point from the nearest box, in model units; any number below `enough` if the distance
    /// is less than `enough`; 0 if there is no box.
    pub(crate) fn distance(&self, point: DVec3, owner: JointIndex, enough: f64) -> f64 {
        let mut least = f64::INFINITY;
        for one in self.own_first(owner) {
            if (point - one.center).length() - one.radius < least && one.box_distance(point) < least {
                least = least.min(one.distance(point));
                if least < enough {
                    break;
                }
            }
        }
        if least.is_finite() { least } else { 0.0 }
    }
}

/// Returns the largest number of model units that one unit along an axis of a joint's space spans.
pub(crate) fn longest_column(model_from_joint: &DMat3) -> f64 {
    let [x, y, z] = [model_from_joint.x_axis, model_from_joint.y_axis, model_from_joint.z_axis].map(DVec3::length);
    x.max(y).max(z)
}

/// Returns the distance of a point from the segment of a capsule along axis 1. `local` has the absolute values of the
/// point's coordinates.
fn from_axis(local: DVec3, reach: f64) -> f64 {
    DVec3::new(local.x, (local.y - reach).max(0.0), local.z).length()
}

/// Returns `true` if a point is inside the shape with these half extents. `local` has the absolute values of the
/// point's coordinates, and `reach` is as in [`PosedBox`].
#[inline]
fn is_within(local: DVec3, reach: Option<f64>, half_extents: DVec3) -> bool {
    match reach {
        None => local.cmple(half_extents).all(),
        Some(reach) => from_axis(local, reach) <= half_extents.x,
    }
}

impl PosedBox {
    /// Poses a hitbox; a hull without its planes.
    fn new(one: &Hitbox, model_from_joint: &DAffine3, joint_from_model: &DAffine3, inside: f64) -> Self {
        let axes: DMat3 = portable::mat3_from_quaternion(one.orientation).as_dmat3();
        let rows = axes.transpose();
        let center = one.center.as_dvec3();
        let half_extents = one.half_extents.as_dvec3();
        let columns = model_from_joint.matrix3;
        let scale = longest_column(&columns);
        let least = columns.x_axis.length().min(columns.y_axis.length()).min(columns.z_axis.length());
        let box_from_model = DAffine3 {
            matrix3: rows * joint_from_model.matrix3,
            translation: rows * (joint_from_model.translation - center),
        };
        let tolerant = half_extents + DVec3::splat(inside / least);
        let center = model_from_joint.transform_point3(center);
        // Columns that are not at right angles stretch a diagonal by at most the square root of 3 times the longest
        // column.
        let radius = half_extents.length() * scale * 1.733;
        let reach = one.round_shape().map(|_| half_extents.y - half_extents.x);
        Self::from_parts(box_from_model, half_extents, tolerant, reach, scale, center, radius)
    }

    fn of_envelope(one: &EnvelopeBox, inside: f64) -> Self {
        let rows = one.axes.transpose();
        let box_from_model = DAffine3 { matrix3: rows, translation: -(rows * one.center) };
        let tolerant = one.half_extents + DVec3::splat(inside);
        Self::from_parts(box_from_model, one.half_extents, tolerant, None, 1.0, one.center, 1.01 * tolerant.length())
    }

    fn from_parts(
        box_from_model: DAffine3,
        half_extents: DVec3,
        tolerant: DVec3,
        reach: Option<f64>,
        scale: f64,
        center: DVec3,
        radius: f64,
    ) -> Self {
        let matrix = &box_from_model.matrix3;
        let row_sum = (matrix.x_axis.abs() + matrix.y_axis.abs() + matrix.z_axis.abs()).max_element();
        // No coordinate of a point in the ball is larger than `farthest`.
        let farthest = center.abs().max_element() + 1.01 * radius;
        let rounding = ROUNDING * (row_sum * farthest + box_from_model.translation.abs().max_element());
        // The ball that `holds` looks at is half a percent larger than the ball around the box. The larger ball holds
        // every point within the tolerance of the box, if the inverse of the matrix is exact enough.
        let ball_holds = tolerant.length() <= 1.003 * half_extents.length() && ROUNDING * farthest <= 1e-4 * radius;
        let sure = if ball_holds && row_sum * scale < 1e6 { tolerant - rounding } else { DVec3::NEG_ONE };
        Self { box_from_model, half_extents, tolerant, sure, row_sum, reach, hull: None, scale, center, radius }
    }

    /// Returns `true` if the box holds a point in model space.
    #[inline]
    pub(crate) fn holds(&self, point: DVec3) -> bool {
        let from_center = point - self.center;
        if from_center.length_squared() > self.radius * self.radius * 1.01 {
            return false;
        }
        let local = self.box_from_model.transform_point3(point);
        is_within(local.abs(), self.reach, self.tolerant)
            && self.hull.as_ref().is_none_or(|hull| hull.holds(local, self.tolerance()))
    }

    /// Returns `true` if a corner is certainly in the box. If this is `true` for all corners of a triangle,
    /// [`PosedBox::holds`] is `true` for every point of the triangle, because the shape is convex. `false` is not
    /// certain.
    #[inline]
    fn surely_holds(&self, corner: DVec3) -> bool {
        let local = self.box_from_model.transform_point3(corner);
        is_within(local.abs(), self.reach, self.sure)
            && self.hull.as_ref().is_none_or(|hull| hull.holds(local, self.sure_height(self.sure)))
    }

    /// The distance outside the hitbox up to which a point counts as inside, in the joint's unit.
    fn tolerance(&self) -> f64 {
        self.tolerant.x - self.half_extents.x
    }

    /// The height above the planes of the hull up to which a point is surely held, given half extents that leave room for
    /// rounding.
    fn sure_height(&self, sure: DVec3) -> f64 {
        self.tolerance() - HEIGHT_ROUNDING * (self.tolerant - sure).max_element()
    }

    fn with_triangle(&self, triangle: &PosedTriangle) -> TriangleInBox<'_> {
        let translation = self.box_from_model.translation.abs().max_element();
        let rounding = ROUNDING * (self.row_sum * triangle.size + translation);
        let sure = self.sure.min(self.tolerant - rounding);
        TriangleInBox {
            hull: self.hull.as_deref(),
            sure_height: self.sure_height(sure),
            inner_height: -HEIGHT_ROUNDING * rounding,
            corners: triangle.corners.map(|corner| self.box_from_model.transform_point3(corner)),
            reach: self.reach,
            sure,
            inner: self.half_extents - rounding,
        }
    }

    /// Returns `true` if [`PosedBox::holds`] is certainly `false` for every point of a triangle: the ball around the
    /// triangle is outside the ball around the box, or all corners are beyond one face. `false` is not certain.
    pub(crate) fn surely_misses(&self, triangle: &PosedTriangle) -> bool {
        let reach = 1.01 * self.radius + triangle.radius + ROUNDING * triangle.size;
        if (triangle.center - self.center).length_squared() > reach * reach * (1.0 + ROUNDING) {
            return true;
        }
        let [a, b, c] = triangle.corners.map(|corner| self.box_from_model.transform_point3(corner));
        let translation = self.box_from_model.translation.abs().max_element();
        let limit = self.tolerant + ROUNDING * (self.row_sum * triangle.size + translation);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        if low.cmpgt(limit).any() || high.cmplt(-limit).any() {
            return true;
        }
        let rounding = HEIGHT_ROUNDING * (limit - self.tolerant).max_element();
        self.hull.as_ref().is_some_and(|hull| hull.surely_misses(&[a, b, c], self.tolerance() + rounding))
    }

    /// Returns the distance of the farthest corner from the surface of the hitbox, in model units; negative inside, infinite if
    /// the distance is above `limit`.
    fn apart(&self, corners: &[DVec3; 3], limit: f64) -> f64 {
        let local = corners.map(|corner| self.box_from_model.transform_point3(corner));
        let farthest = match &self.hull {
            Some(hull) => {
                let limit = limit / self.scale;
                // No point of the hull is nearer than the box around it.
                let is_far = |at: &DVec3| (at.abs() - self.half_extents).max_element() > limit;
                if local.iter().any(is_far) { f64::INFINITY } else { hull.farthest(&local, limit) }
            }
            None => local.into_iter().map(|at| self.distance_in_box(at)).fold(f64::NEG_INFINITY, f64::max),
        };
        self.scale * farthest
    }

    /// Returns the distance of a point from the box of a hull, in model units, and 0 for other shapes. The distance from the
    /// hitbox is no less, up to rounding.
    fn box_distance(&self, point: DVec3) -> f64 {
        if self.hull.is_none() {
            return 0.0;
        }
        let local = self.box_from_model.transform_point3(point).abs();
        self.scale * (local - self.half_extents).max(DVec3::ZERO).length()
    }

    /// Returns the distance of a point from the hitbox, in model units. The distance is exact if the joint scales alike
    /// in all directions, otherwise too large.
    fn distance(&self, point: DVec3) -> f64 {
        self.scale * self.signed_distance(point).max(0.0)
    }

    /// Returns the distance of a point from the surface of the hitbox, in the joint's unit; negative inside.
    #[inline]
    fn signed_distance(&self, point: DVec3) -> f64 {
        self.distance_in_box(self.box_from_model.transform_point3(point))
    }

    /// Returns the distance of a point in the space of the box from the surface of the hitbox, in the joint's unit; negative inside.
    #[inline]
    fn distance_in_box(&self, local: DVec3) -> f64 {
        match (&self.hull, self.reach) {
            (Some(hull), _) => hull.signed_distance(local),
            (None, Some(reach)) => from_axis(local.abs(), reach) - self.half_extents.x,
            (None, None) => {
                let beyond = local.abs() - self.half_extents;
                let highest = beyond.max_element();
                if highest <= 0.0 { highest } else { beyond.max(DVec3::ZERO).length() }
            }
        }
    }
}
