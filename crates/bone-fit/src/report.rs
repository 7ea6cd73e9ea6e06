//! The results of a bake as data. The program that runs the bake prints them.

use crate::measure::coverage::Coverage;
use baked_format::HitboxShape;
use hull::HullShape;
use skeleton::JointIndex;

/// The results of a bake that its file does not keep. [`Figures::of_bake`](crate::Figures::of_bake) gives the sums over
/// all boxes.
#[derive(Clone, Debug, PartialEq)]
pub struct FitReport {
    /// The character's extent along y in the rest pose, in model units; the longest extent if the extent along y is 0.
    pub height: f64,
    /// One report for each hitbox of the bake, in the order of the hitboxes.
    pub boxes: Vec<BoxReport>,
    /// The coverage and the escapes of the boxes; `None` if they were not measured.
    pub measured: Option<Coverage>,
    /// The counts of vertices and triangles in the skinned surface of the file; `None` for `skin = off`.
    pub skin: Option<SkinReport>,
}

/// Counts of vertices and triangles in the skinned surface of a file. Each count is a sum over all pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkinReport {
    /// The number of vertices. A vertex of two pieces counts in each piece.
    pub vertices: u32,
    /// The number of points where triangles were cut. A point of two pieces counts in each piece.
    pub cuts: u32,
    /// The number of triangles, including the triangles that cutting has made.
    pub triangles: u32,
    /// The number of triangles in the source.
    pub source_triangles: u32,
    /// The number of source triangles that were divided between pieces.
    pub divided_triangles: u32,
    /// The number of source triangles that have no part in any piece, because a corner has no weights or the joints of
    /// its weights get no hitbox.
    pub left_out_triangles: u32,
    /// The number of source triangles that one piece has whole although other joints own a part, because rounding has
    /// torn the parts apart.
    pub torn_triangles: u32,
}

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

impl BoxReport {
    /// Returns the fill: `hull_volume` divided by `volume`, 0 to 1; `None` for a hitbox without volume.
    #[must_use]
    pub fn fill(&self) -> Option<f64> {
        (self.volume > 0.0).then(|| self.hull_volume / self.volume)
    }

    /// Returns `volume` divided by `min_volume`; `None` if `min_volume` is unknown or zero.
    #[must_use]
    pub fn min_volume_ratio(&self) -> Option<f64> {
        self.min_volume.filter(|least| *least > 0.0).map(|least| self.volume / least)
    }
}
