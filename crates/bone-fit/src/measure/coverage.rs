//! How much of the character its boxes hold.
//!
//! The surface is cut into cells, each triangle into `n * n` equal ones with edges of at most [`CELL`] of the
//! character's height at rest (and at most [`MOST_CELLS`] along an edge). In every pose the triangles are exactly
//! skinned; a cell counts with its share of the posed triangle's area, and is inside where its middle is inside any
//! box. Shares of area are therefore exact up to cells that a box's face cuts; a surface that is all inside is found to
//! be all inside. For the farthest escape the triangles' corners are looked at as well.
//!
//! Nothing here knows how the boxes were made: groups are taken from the weights again, for naming joints alone.

use crate::assign::surface::{canonical_corners, owner};
use crate::motion::trajectories::inverse_unless_collapsed;
use crate::options::Attachments;
use crate::poses::sample_times::MOST_SAMPLE_TIMES;
use crate::poses::sample_times::SampleTime;
use crate::poses::sampled::SampledPoses;
use crate::skin::bound_mesh::{BoundMesh, model_from_mesh};
use baked_format::Hitbox;
use geometry_core::portable;
use glam::{DAffine3, DMat3, DVec3};
use rayon::prelude::*;
use skeleton::JointIndex;
use skinned_model::SkinnedModel;

/// The longest edge of a cell, as a share of the character's height.
pub const CELL: f64 = 0.02;

/// Cells along one edge of a triangle.
pub const MOST_CELLS: usize = 8;

/// A point this share of the character's height outside a box is inside: f32 matrices pose no better.
pub const INSIDE: f64 = 1e-6;

/// What the boxes hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Share of the surface's area inside any box at rest, 0 to 1.
    pub surface_rest: f64,
    /// The same over all moments looked at, the rest pose among them.
    pub surface_clips: f64,
    /// The farthest any part of the surface is from every box, as a share of the character's height.
    pub max_escape: f64,
    /// Where that happens; `None` where nothing escapes.
    pub worst: Option<Escape>,
    /// How many moments were looked at.
    pub moments: usize,
    /// Joints that collapsed, and in how many moments: their surface did not count there.
    pub collapsed: Vec<(JointIndex, u32)>,
}

/// One escape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Escape {
    /// Whose surface it is.
    pub joint: JointIndex,
    /// When.
    pub at: SampleTime,
}

/// The cells of a surface.
pub(crate) struct Cells {
    triangles: Vec<Triangle>,
    /// Where the middle is, and whose it is.
    cells: Vec<([f64; 3], JointIndex)>,
}

struct Triangle {
    part: usize,
    corners: [u32; 3],
    owners: [JointIndex; 3],
    first_cell: usize,
    cells: usize,
}

impl Cells {
    pub(crate) fn new(mesh: &BoundMesh<'_>, rest: &SampledPoses) -> Self {
        let at_rest = posed(mesh, &rest.pose_in_f64(0));
        let mut cells = Self { triangles: Vec::new(), cells: Vec::new() };
        for (index, part) in mesh.parts.iter().enumerate() {
            for &triangle in part.triangles {
                let corners = canonical_corners(part, triangle);
                let whose = |at| owner(mesh, part, corners, at);
                let ends = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(whose);
                let [Some(a), Some(b), Some(c)] = ends else { continue };
                let [p, q, r] = corners.map(|corner| at_rest[index][corner as usize]);
                let longest = (q - p).length().max((r - q).length()).max((p - r).length());
                let along = (longest / (CELL * mesh.height)).ceil();
                let along = if along.is_finite() { (along as usize).clamp(1, MOST_CELLS) } else { 1 };
                let first_cell = cells.cells.len();
                cells.cells.extend(middles(along).filter_map(|at| Some((at, whose(at)?))));
                cells.triangles.push(Triangle {
                    part: index,
                    corners,
                    owners: [a, b, c],
                    first_cell,
                    cells: along * along,
                });
            }
        }
        cells
    }
}

/// Middles of the `along * along` equal parts of a triangle.
fn middles(along: usize) -> impl Iterator<Item = [f64; 3]> {
    let upright = (0..along).flat_map(move |i| (0..along - i).map(move |j| (3 * i + 1, 3 * j + 1)));
    let inverted = (1..along).flat_map(move |i| (1..=along - i).map(move |j| (3 * i - 1, 3 * j - 1)));
    let third = 3.0 * along as f64;
    upright.chain(inverted).map(move |(i, j)| {
        let (a, b) = (i as f64 / third, j as f64 / third);
        [a, b, 1.0 - a - b]
    })
}

/// Every vertex of every part in a pose; the origin where it belongs to no joint.
pub(crate) fn posed(mesh: &BoundMesh<'_>, model_from_joint: &[DAffine3]) -> Vec<Vec<DVec3>> {
    let matrices = model_from_mesh(&mesh.bindings, model_from_joint);
    let of_part = |part: &crate::skin::bound_mesh::BoundPart<'_>| {
        (0..part.positions.len()).map(|vertex| part.skinned(vertex, &matrices).unwrap_or(DVec3::ZERO)).collect()
    };
    mesh.parts.iter().map(of_part).collect()
}

/// Measures boxes, however made: at rest, and over all clips at `rate` per second and every key, at `moments` moments at
/// most, spread evenly (0: all).
///
/// `boxes` are sorted by joint and of this model's skeleton, as in a bake.
#[must_use]
pub fn measure_boxes(
    model: &SkinnedModel,
    boxes: &[Hitbox],
    attachments: Attachments,
    rate: f64,
    moments: usize,
) -> Measured {
    let mesh = BoundMesh::new(model, attachments);
    let poses = SampledPoses::of_clips(&model.skeleton, &model.clips, rate, MOST_SAMPLE_TIMES);
    let cells = Cells::new(&mesh, &SampledPoses::rest(&model.skeleton));
    measure(&mesh, &cells, boxes, &poses, moments)
}

/// At most so many of the regular moments, evenly spread, the first always; 0 is all.
pub(crate) fn looked_at(poses: &SampledPoses, moments: usize) -> Vec<usize> {
    let every = if moments == 0 { 1 } else { poses.regular.len().div_ceil(moments) };
    poses.regular.iter().copied().step_by(every).collect()
}

/// What one moment adds.
#[derive(Default)]
struct PoseFigures {
    area: f64,
    inside: f64,
    escape: f64,
    whose: Option<JointIndex>,
    collapsed: Vec<JointIndex>,
}

/// Measures at so many [moments](looked_at).
pub(crate) fn measure(
    mesh: &BoundMesh<'_>,
    cells: &Cells,
    boxes: &[Hitbox],
    poses: &SampledPoses,
    moments: usize,
) -> Measured {
    let looked_at = looked_at(poses, moments);
    let moments: Vec<PoseFigures> =
        looked_at.par_iter().map(|&pose| moment(mesh, cells, boxes, &poses.pose_in_f64(pose))).collect();
    let share = |inside: f64, area: f64| if area > 0.0 { (inside / area).min(1.0) } else { 1.0 };
    let (mut inside, mut area) = (0.0, 0.0);
    let (mut escape, mut worst) = (0.0, None);
    let mut collapsed = vec![0; mesh.model_from_joint.len()];
    for (moment, &pose) in moments.iter().zip(&looked_at) {
        inside += moment.inside;
        area += moment.area;
        if let Some(joint) = moment.whose.filter(|_| moment.escape > escape) {
            escape = moment.escape;
            worst = Some(Escape { joint, at: poses.times[pose] });
        }
        moment.collapsed.iter().for_each(|joint| collapsed[joint.index()] += 1);
    }
    let height = if mesh.height > 0.0 { mesh.height } else { 1.0 };
    Measured {
        surface_rest: share(moments[0].inside, moments[0].area),
        surface_clips: share(inside, area),
        max_escape: escape / height,
        worst,
        moments: moments.len(),
        collapsed: (0..collapsed.len())
            .filter(|&joint| collapsed[joint] > 0)
            .map(|joint| (JointIndex(joint as u16), collapsed[joint]))
            .collect(),
    }
}

fn moment(mesh: &BoundMesh<'_>, cells: &Cells, boxes: &[Hitbox], model_from_joint: &[DAffine3]) -> PoseFigures {
    let posed_boxes = PosedBoxes::new(mesh, boxes, model_from_joint);
    let mut moment = PoseFigures { collapsed: posed_boxes.collapsed.clone(), ..PoseFigures::default() };
    for_each_point(mesh, cells, &posed_boxes, model_from_joint, |point, owner, area| {
        moment.area += area;
        if moment.look_at(&posed_boxes, point, owner) {
            moment.inside += area;
        }
    });
    moment
}

/// Every point that is looked at in a pose, whose it is, and the area that it stands for: the middles of the cells, and
/// the triangles' corners, which stand for none. Surface of joints that collapsed is passed over.
pub(crate) fn for_each_point(
    mesh: &BoundMesh<'_>,
    cells: &Cells,
    boxes: &PosedBoxes,
    model_from_joint: &[DAffine3],
    mut look: impl FnMut(DVec3, JointIndex, f64),
) {
    let vertices = posed(mesh, model_from_joint);
    for triangle in &cells.triangles {
        let corners = triangle.corners.map(|corner| vertices[triangle.part][corner as usize]);
        let [a, b, c] = corners;
        let area = 0.5 * (b - a).cross(c - a).length() / triangle.cells as f64;
        let range = triangle.first_cell..triangle.first_cell + triangle.cells;
        let middles = cells.cells[range].iter().map(|&([u, v, w], owner)| (u * a + v * b + w * c, owner, area));
        let corners = corners.into_iter().zip(triangle.owners).map(|(corner, owner)| (corner, owner, 0.0));
        for (point, owner, area) in middles.chain(corners).filter(|(_, owner, _)| !boxes.is_collapsed(*owner)) {
            look(point, owner, area);
        }
    }
}

impl PoseFigures {
    /// Whether the point is in a box; how far it is from all of them, where that is the farthest yet.
    fn look_at(&mut self, boxes: &PosedBoxes, point: DVec3, owner: JointIndex) -> bool {
        if boxes.holds(point, owner) {
            return true;
        }
        let distance = boxes.distance(point, owner, self.escape);
        if distance > self.escape {
            self.escape = distance;
            self.whose = Some(owner);
        }
        false
    }
}

/// Boxes in a pose, sorted by joint as they are in a bake.
pub(crate) struct PosedBoxes {
    boxes: Vec<PosedBox>,
    /// `boxes[of_joint[j]..of_joint[j + 1]]` are joint `j`'s.
    of_joint: Vec<usize>,
    collapsed: Vec<JointIndex>,
}

struct PosedBox {
    /// From model space to the box's own axes, from its center.
    box_from_model: DAffine3,
    half_extents: DVec3,
    /// Half extents and what counts as inside.
    tolerant: DVec3,
    /// Model units in one of the joint's, at most.
    scale: f64,
    center: DVec3,
    radius: f64,
}

impl PosedBoxes {
    pub(crate) fn new(mesh: &BoundMesh<'_>, boxes: &[Hitbox], model_from_joint: &[DAffine3]) -> Self {
        let mut posed = Self { boxes: Vec::with_capacity(boxes.len()), of_joint: vec![0], collapsed: Vec::new() };
        let mut next = 0;
        for (index, matrix) in model_from_joint.iter().enumerate() {
            let joint = JointIndex(index as u16);
            let inverse = inverse_unless_collapsed(matrix, mesh.scale(joint));
            if inverse.is_none() {
                posed.collapsed.push(joint);
            }
            while let Some(one) = boxes.get(next).filter(|one| one.joint == joint) {
                next += 1;
                if let Some(joint_from_model) = &inverse {
                    posed.boxes.push(PosedBox::new(one, matrix, joint_from_model, INSIDE * mesh.height));
                }
            }
            posed.of_joint.push(posed.boxes.len());
        }
        posed
    }

    fn is_collapsed(&self, joint: JointIndex) -> bool {
        !self.collapsed.is_empty() && self.collapsed.binary_search(&joint).is_ok()
    }

    /// The joint's own boxes are the likeliest.
    fn own_first(&self, joint: JointIndex) -> impl Iterator<Item = &PosedBox> {
        let own = self.of_joint[joint.index()]..self.of_joint[joint.index() + 1];
        let (before, after) = (0..own.start, own.end..self.boxes.len());
        own.chain(before).chain(after).map(|index| &self.boxes[index])
    }

    pub(crate) fn holds(&self, point: DVec3, owner: JointIndex) -> bool {
        self.own_first(owner).any(|one| one.holds(point))
    }

    /// From the nearest box, in model units; any number up to `enough` where it is no more than that.
    pub(crate) fn distance(&self, point: DVec3, owner: JointIndex, enough: f64) -> f64 {
        let mut least = f64::INFINITY;
        for one in self.own_first(owner) {
            if (point - one.center).length() - one.radius < least {
                least = least.min(one.distance(point));
                if least <= enough {
                    break;
                }
            }
        }
        if least.is_finite() { least } else { 0.0 }
    }
}

impl PosedBox {
    fn new(one: &Hitbox, model_from_joint: &DAffine3, joint_from_model: &DAffine3, inside: f64) -> Self {
        let axes: DMat3 = portable::mat3_from_quaternion(one.orientation).as_dmat3();
        let rows = axes.transpose();
        let center = one.center.as_dvec3();
        let half_extents = one.half_extents.as_dvec3();
        let columns = model_from_joint.matrix3;
        let scale = columns.x_axis.length().max(columns.y_axis.length()).max(columns.z_axis.length());
        let least = columns.x_axis.length().min(columns.y_axis.length()).min(columns.z_axis.length());
        Self {
            box_from_model: DAffine3 {
                matrix3: rows * joint_from_model.matrix3,
                translation: rows * (joint_from_model.translation - center),
            },
            half_extents,
            tolerant: half_extents + DVec3::splat(inside / least),
            scale,
            center: model_from_joint.transform_point3(center),
            // Columns that are not at right angles stretch a diagonal by at most the square root of 3 times the longest.
            radius: half_extents.length() * scale * 1.733,
        }
    }

    fn holds(&self, point: DVec3) -> bool {
        let from_center = point - self.center;
        if from_center.length_squared() > self.radius * self.radius * 1.01 {
            return false;
        }
        self.box_from_model.transform_point3(point).abs().cmple(self.tolerant).all()
    }

    /// Exact where the joint scales alike in all directions, else at most too large.
    fn distance(&self, point: DVec3) -> f64 {
        let local = self.box_from_model.transform_point3(point).abs();
        self.scale * (local - self.half_extents).max(DVec3::ZERO).length()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_equal_parts_of_a_triangle() {
        for along in 1..=MOST_CELLS {
            let found: Vec<[f64; 3]> = middles(along).collect();
            assert_eq!(found.len(), along * along);
            let sum = found.iter().fold([0.0; 3], |sum, at| [sum[0] + at[0], sum[1] + at[1], sum[2] + at[2]]);
            assert!(
                found
                    .iter()
                    .all(|at| at.iter().all(|share| *share > 0.0) && (at.iter().sum::<f64>() - 1.0).abs() < 1e-12)
            );
            assert!(sum.iter().all(|sum| (sum / found.len() as f64 - 1.0 / 3.0).abs() < 1e-12), "{along}: {sum:?}");
        }
    }
}
