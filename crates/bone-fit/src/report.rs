//! What a bake found out, as data; the program makes the text.

use crate::measure::coverage::Coverage;
use baked_format::HitboxShape;
use hull::HullShape;
use skeleton::JointIndex;

/// What a bake found out beside what its file keeps. [`Figures::of_bake`](crate::Figures::of_bake) gives the sums over all boxes.
#[derive(Clone, Debug, PartialEq)]
pub struct FitReport {
    /// Bounds along y in the rest pose, in model units; the longest extent where that is 0.
    pub height: f64,
    /// One per box of the bake, in its order.
    pub boxes: Vec<BoxReport>,
    /// How much of the character the boxes hold, where that was measured.
    pub measured: Option<Coverage>,
    /// What the skinned surface of the file is made of; `None` for `skin = off`.
    pub skin: Option<SkinReport>,
}

/// What the skinned surface of a file is made of. Sums over all pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkinReport {
    /// Vertices; a vertex of two pieces counts in each.
    pub vertices: u32,
    /// Points where triangles were cut; a point of two pieces counts in each.
    pub cuts: u32,
    /// Triangles, those that cutting has made among them.
    pub triangles: u32,
    /// Triangles of the source.
    pub source_triangles: u32,
    /// Triangles of the source that were divided between pieces.
    pub divided_triangles: u32,
    /// Triangles of the source of which no piece has any part: a corner has no weights, or their joints get no hitbox.
    pub left_out_triangles: u32,
    /// Triangles of the source that one piece has whole although others own a part, because rounding has torn the parts apart.
    pub torn_triangles: u32,
}

/// One box. All figures are of its piece's *points at rest*: the corners of the piece in the bind pose and, with `bridge` or
/// `poses = "clips"`, also in the rest pose. Fits to clips change the box, and not these figures of the body in it.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxReport {
    /// The joint that the box is attached to.
    pub joint: JointIndex,
    /// The joint's name.
    pub joint_name: String,
    /// The shape of the hitbox.
    pub shape: HitboxShape,
    /// What the points at rest span.
    pub points_span: HullShape,
    /// How many vertices are assigned to the box.
    pub vertices: u32,
    /// How many corners the piece has.
    pub points: u32,
    /// How many corners the convex hull of the points at rest has.
    pub hull_vertices: u32,
    /// The volume of that convex hull, in the joint's unit cubed; 0 for a manual box.
    pub hull_volume: f64,
    /// The volume of the hitbox by its shape, in the joint's unit cubed.
    pub volume: f64,
    /// The volume of the box that `fit = "min-volume"` gives the same piece, with the same poses, `keep`, least thickness and
    /// margin, in the joint's unit cubed. No box around points at rest is smaller; for a fit to clips the search looks at
    /// the points at rest and the extremes of the motion. `None` where it was not searched for.
    pub min_volume: Option<f64>,
    /// The length of a unit of the joint's space in model units, at rest.
    pub scale: f64,
}

impl BoxReport {
    /// Fill: `hull_volume` divided by `volume`, 0 to 1; `None` for a hitbox without volume.
    #[must_use]
    pub fn fill(&self) -> Option<f64> {
        (self.volume > 0.0).then(|| self.hull_volume / self.volume)
    }

    /// The hitbox's volume over the smallest box's; `None` where that is unknown or zero.
    #[must_use]
    pub fn min_volume_ratio(&self) -> Option<f64> {
        self.min_volume.filter(|least| *least > 0.0).map(|least| self.volume / least)
    }
}
