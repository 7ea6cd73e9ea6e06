//! What a bake found out: data only, text is the program's.

use crate::measure::coverage::Coverage;
use hull::HullShape;
use skeleton::JointIndex;

/// Per box and per character, beside what the file keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct FitReport {
    /// Bounds along y in the rest pose, in model units; the longest extent where that is 0.
    pub height: f64,
    /// One per box of the bake, in its order.
    pub boxes: Vec<BoxReport>,
    /// Sums over the boxes, in model units at rest.
    pub total: Totals,
    /// How much of the character the boxes hold, where that was measured.
    pub measured: Option<Coverage>,
}

/// One box.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxReport {
    /// The joint that the hitbox is attached to; the hitbox is in its space.
    pub joint: JointIndex,
    /// Its name.
    pub joint_name: String,
    /// What the group's points span.
    pub shape: HullShape,
    /// Assigned to this box.
    pub vertices: u32,
    /// Points the box was fitted to.
    pub points: u32,
    /// How many vertices the convex hull of these points has.
    pub hull_vertices: u32,
    /// Joint space unit cubed.
    pub hull_volume: f64,
    /// Volume of the hitbox, joint space unit cubed.
    pub volume: f64,
    /// Volume of the smallest box around the same points with the same least thickness and margin, joint space unit cubed;
    /// `None` where it was not searched for.
    pub min_volume: Option<f64>,
    /// A unit of the joint's space in model units, at rest.
    pub scale: f64,
}

impl BoxReport {
    /// Share of the box that the hull fills, 0 to 1; `None` for a box without volume.
    #[must_use]
    pub fn fill(&self) -> Option<f64> {
        (self.volume > 0.0).then(|| self.hull_volume / self.volume)
    }

    /// The box's volume over the smallest box's; `None` where that is unknown or zero.
    #[must_use]
    pub fn min_volume_ratio(&self) -> Option<f64> {
        self.min_volume.filter(|least| *least > 0.0).map(|least| self.volume / least)
    }
}

/// Sums over a character's boxes, in model units at rest.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Totals {
    /// How many vertices are assigned to a hitbox; a vertex of several groups counts in each.
    pub vertices: u64,
    /// Sum of the hitboxes' volumes.
    pub volume: f64,
    /// Sum of the hulls' volumes.
    pub hull_volume: f64,
    /// Sum of the volumes of the smallest boxes around the same points; `None` if no hitbox has such a volume. A manual
    /// box in place of a fitted one counts by the points of its joint, and other manual boxes add nothing.
    pub min_volume: Option<f64>,
}

impl Totals {
    /// Adds the boxes up in their order.
    #[must_use]
    pub fn of(boxes: &[BoxReport]) -> Self {
        let mut total = Self { min_volume: Some(0.0), ..Self::default() };
        for one in boxes {
            let cubed = one.scale * one.scale * one.scale;
            total.vertices += u64::from(one.vertices);
            total.volume += cubed * one.volume;
            total.hull_volume += cubed * one.hull_volume;
            total.min_volume = total.min_volume.map(|sum| sum + cubed * one.min_volume.unwrap_or(0.0));
        }
        total.min_volume = total.min_volume.filter(|volume| *volume > 0.0);
        total
    }

    /// What the boxes hold beside the hulls of what they were fitted to.
    #[must_use]
    pub fn empty_volume(&self) -> f64 {
        (self.volume - self.hull_volume).max(0.0)
    }
}
