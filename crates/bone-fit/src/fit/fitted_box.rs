//! One box of a bake with its report.

use crate::fit::enclose::TightBox;
use crate::report::BoxReport;
use baked_format::{Hitbox, HitboxHull};

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
