//! A piece, the part of a group that gets one hitbox, and cutting it in two by a plane.
//!
//! The polygons of the surface are clipped, so that no surface between the two halves is lost. Corners on the cut are
//! interpolated with all their weights, so they move exactly as the surface does.

use crate::assign::groups::JointGroup;
use crate::assign::polygon_clip::{Clipped, clip};
use crate::skin::patch::Patch;
use glam::{DMat3, DVec3};
use skeleton::JointIndex;
use std::collections::HashMap;

/// A cut that a piece comes from, and the piece's side of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cut {
    /// The normal of the plane, in the joint's space.
    pub(crate) normal: DVec3,
    pub(crate) offset: f64,
    /// 0 below the plane, 1 above.
    pub(crate) side: usize,
}

/// The part of a group that gets one hitbox, in the joint's space.
pub(crate) struct Piece {
    pub(crate) joint: JointIndex,
    /// The surface of the piece.
    pub(crate) patch: Patch,
    /// The vertices of the piece that the joint owns.
    pub(crate) vertices: Vec<DVec3>,
    /// The axes of the piece's box, if the search for cuts has found them already.
    pub(crate) axes: Option<DMat3>,
    /// The cuts of the group that the piece comes from, in their order.
    pub(crate) cuts: Vec<Cut>,
}

impl From<JointGroup> for Piece {
    /// The piece of a whole group.
    fn from(JointGroup { joint, patch, vertices }: JointGroup) -> Self {
        Self { joint, patch, vertices, axes: None, cuts: Vec::new() }
    }
}

/// The two sides of the plane `normal . x = offset`, in the bind pose.
pub(crate) fn cut(piece: &Piece, normal: DVec3, offset: f64) -> [Piece; 2] {
    let heights: Vec<f64> = piece.patch.corners.iter().map(|corner| corner.bind.dot(normal) - offset).collect();
    let mut cutter = Cutter {
        patch: &piece.patch,
        heights: &heights,
        copied: [vec![u32::MAX; heights.len()], vec![u32::MAX; heights.len()]],
        crossings: HashMap::new(),
        sides: [piece.patch.empty_of_same_size(), piece.patch.empty_of_same_size()],
        kept: Vec::new(),
    };
    let mut in_polygon = vec![false; heights.len()];
    for polygon in piece.patch.polygons() {
        polygon.iter().for_each(|&corner| in_polygon[corner as usize] = true);
        for side in [0, 1] {
            cutter.clip(polygon, side);
        }
    }
    for corner in (0..heights.len()).filter(|&corner| !in_polygon[corner]) {
        cutter.copy(corner as u32, usize::from(heights[corner] >= 0.0));
    }
    let [low, high] = cutter.sides;
    let side = |patch, side: usize| {
        let here = |point: &&DVec3| usize::from(point.dot(normal) - offset >= 0.0) == side;
        let vertices = piece.vertices.iter().filter(here).copied().collect();
        let cuts = piece.cuts.iter().copied().chain([Cut { normal, offset, side }]).collect();
        Piece { joint: piece.joint, patch, vertices, axes: None, cuts }
    };
    [side(low, 0), side(high, 1)]
}

struct Cutter<'a> {
    patch: &'a Patch,
    /// For each corner, its signed distance from the plane, in the joint's unit if the normal has unit length.
    heights: &'a [f64],
    /// For each side and each corner, the index of the corner's copy on that side; `u32::MAX` if there is no copy.
    copied: [Vec<u32>; 2],
    /// For each edge that crosses the plane, the index of the crossing on each side. The key is the edge's two corners,
    /// the smaller index first. The map is looked up and never iterated.
    crossings: HashMap<[u32; 2], [u32; 2]>,
    sides: [Patch; 2],
    /// Reused memory for the corners of one polygon.
    kept: Vec<u32>,
}

impl Cutter<'_> {
    /// Adds the part of a polygon that lies on one side of the plane: side 0 is below, side 1 above. Corners in the
    /// plane go to both sides.
    fn clip(&mut self, polygon: &[u32], side: usize) {
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let heights = self.heights;
        let height = |corner: u32| sign * heights[corner as usize];
        if polygon.iter().all(|&corner| height(corner) <= 0.0) {
            return;
        }
        let mut kept = std::mem::take(&mut self.kept);
        kept.clear();
        if polygon.iter().all(|&corner| height(corner) >= 0.0) {
            kept.extend(polygon.iter().map(|&corner| self.copy(corner, side)));
        } else {
            kept.extend(clip(polygon, height).map(|corner| match corner {
                Clipped::Corner(corner) => self.copy(corner, side),
                Clipped::Crossing { above, below } => self.crossing(above, below, side),
            }));
        }
        self.sides[side].push_polygon(&kept);
        self.kept = kept;
    }

    fn copy(&mut self, corner: u32, side: usize) -> u32 {
        let known = &mut self.copied[side][corner as usize];
        if *known == u32::MAX {
            *known = self.sides[side].push_copy(self.patch, corner);
        }
        *known
    }

    fn crossing(&mut self, a: u32, b: u32, side: usize) -> u32 {
        let edge = [a.min(b), a.max(b)];
        let known = self.crossings.entry(edge).or_insert([u32::MAX; 2]);
        if known[side] == u32::MAX {
            let [from, to] = edge.map(|corner| self.heights[corner as usize]);
            known[side] = self.sides[side].push_between(self.patch, edge, from / (from - to));
        }
        known[side]
    }
}
