//! The farthest escapes found up to now, and the farthest escape of one pose.

use crate::measure::posed_boxes::PosedBoxes;
use crate::measure::surface_samples::SurfaceSamples;
use crate::poses::sample_times::SampleTime;
use crate::skin::bound_mesh::BoundMesh;
use glam::{DAffine3, DVec3};
use skeleton::JointIndex;

/// A point of the surface outside every box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Farthest {
    /// The distance from every box, in model units.
    pub(crate) distance: f64,
    /// The joint that owns the point.
    pub(crate) owner: JointIndex,
    /// The sample time of the pose.
    pub(crate) at: SampleTime,
    /// The place of the point, in model space.
    pub(crate) point: DVec3,
    /// The rank of the pose and the rank of the point in the pose. Of points that are equally far, the point with the
    /// lowest rank goes first.
    pub(crate) rank: [usize; 2],
}

/// The farthest escapes found up to now. The result does not depend on the order in which points are added.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The farthest escape of the surface of each joint, indexed by joint, or a single entry for the whole character.
    farthest: Vec<Option<Farthest>>,
}

impl Found {
    /// Starts a search for the farthest escape of the character.
    pub(crate) fn of_character() -> Self {
        Self { farthest: vec![None] }
    }

    /// Starts a search for the farthest escape of the surface of each joint.
    pub(crate) fn by_joint(joints: usize) -> Self {
        Self { farthest: vec![None; joints] }
    }

    /// The farthest escape of the character.
    pub(crate) fn into_farthest(self) -> Option<Farthest> {
        self.farthest.into_iter().flatten().next()
    }

    /// The farthest escape of the surface of each joint. Joints without an escape are left out.
    pub(crate) fn into_each(self) -> impl Iterator<Item = Farthest> {
        self.farthest.into_iter().flatten()
    }

    fn slot(&self, owner: JointIndex) -> usize {
        if self.farthest.len() == 1 { 0 } else { owner.index() }
    }

    /// The distance of the farthest known escape, in model units, 0 if no escape is known. Points nearer than this are
    /// not of interest.
    #[inline]
    pub(crate) fn floor(&self, owner: JointIndex) -> f64 {
        self.farthest[self.slot(owner)].map_or(0.0, |known| known.distance)
    }

    /// Adds a point outside every box, unless a known point goes before it.
    pub(crate) fn add(&mut self, found: Farthest) {
        let slot = self.slot(found.owner);
        let comes_first = self.farthest[slot].is_none_or(|known| {
            found.distance > known.distance || (found.distance == known.distance && found.rank < known.rank)
        });
        if found.distance > 0.0 && comes_first {
            self.farthest[slot] = Some(found);
        }
    }

    /// Adds all points of another search.
    pub(crate) fn add_all(&mut self, other: Self) {
        other.into_each().for_each(|found| self.add(found));
    }
}

/// Returns the distance of the point that is farthest from every box, in model units, and the joint that owns the
/// point, by a look at every point of the surface. Returns `None` if boxes hold all of the surface.
pub(crate) fn farthest_in_pose(
    samples: &SurfaceSamples,
    mesh: &BoundMesh<'_>,
    boxes: &PosedBoxes,
    model_from_joint: &[DAffine3],
) -> Option<(f64, JointIndex)> {
    let vertices = mesh.posed(model_from_joint);
    let mut farthest: Option<(f64, JointIndex)> = None;
    for triangle in &samples.triangles {
        let corners = triangle.corners.map(|corner| vertices[triangle.part][corner as usize].unwrap_or(DVec3::ZERO));
        for (point, owner) in samples.points(triangle, corners) {
            if boxes.is_collapsed(owner) || boxes.holds(point, owner) {
                continue;
            }
            let known = farthest.map_or(0.0, |(distance, _)| distance);
            let distance = boxes.distance(point, owner, known);
            if distance > known {
                farthest = Some((distance, owner));
            }
        }
    }
    farthest
}
