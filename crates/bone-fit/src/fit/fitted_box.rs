//! One box of a bake with its report.

use crate::fit::enclose::TightBox;
use baked_format::{Hitbox, HitboxHull, HitboxRole, HitboxShape};
use hull::HullShape;
use skeleton::JointIndex;

/// The report of one hitbox. The figures about points describe the *points at rest* of the hitbox's piece: the corners
/// of the piece in the bind pose and, with `bridge` or `poses = "clips"`, also in the rest pose. A fit to clips changes
/// the hitbox, but not the points at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxReport {
    /// The joint that the box is attached to.
    pub joint: JointIndex,
    /// The joint's name.
    pub joint_name: String,
    /// The shape of the hitbox.
    pub shape: HitboxShape,
    /// The shape of the convex hull of the points at rest: a point, a segment, a polygon or a solid.
    pub points_span: HullShape,
    /// The number of vertices that are assigned to the hitbox.
    pub vertices: u32,
    /// The number of corners of the piece.
    pub points: u32,
    /// The number of corners of the convex hull of the points at rest.
    pub hull_vertices: u32,
    /// The volume of the convex hull of the points at rest, in the joint's unit cubed; 0 for a manual box.
    pub hull_volume: f64,
    /// The volume of the hitbox with its shape, in the joint's unit cubed.
    pub volume: f64,
    /// The volume of the box that `fit = "min-volume"` gives the same piece, with the same poses, `keep`, least
    /// thickness and margin, in the joint's unit cubed. No box around points at rest is smaller; for a fit to clips the
    /// search looks at the points at rest and the extremes of the motion. `None` if the search did not run.
    pub min_volume: Option<f64>,
    /// The length of one unit of the joint's space at rest, in model units.
    pub scale: f64,
}

/// One hitbox for the file, and its report for tables.
pub(crate) struct FittedBox {
    pub(crate) hitbox: Hitbox,
    pub(crate) report: BoxReport,
    /// The piece that the box was fitted to, an index into the pieces; `None` for a manual box.
    pub(crate) piece: Option<usize>,
}

impl FittedBox {
    /// Makes a hitbox from its box and, if its shape is a hull, from the hull.
    pub(crate) fn new(
        (tight, hull): (&TightBox, Option<HitboxHull>),
        tags: Vec<String>,
        report: BoxReport,
        piece: Option<usize>,
    ) -> Self {
        let hitbox = Hitbox {
            joint: report.joint,
            shape: report.shape,
            role: HitboxRole::Hurt,
            tags,
            center: tight.center,
            half_extents: tight.half_extents,
            orientation: tight.orientation,
            vertices: report.vertices,
            hull_vertices: report.hull_vertices,
            hull_volume: report.hull_volume as f32,
            min_volume: report.min_volume.map(|volume| volume as f32),
            hull,
        };
        Self { hitbox, report, piece }
    }
}
