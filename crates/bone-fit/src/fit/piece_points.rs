//! The points that the box of a piece holds with any clips, and their convex hull.

use crate::bounds::COORDINATE_LIMIT;
use crate::error::BakeError;
use crate::options::{Bridge, Poses};
use crate::resolve::JointOptions;
use crate::skin::bound_mesh::{Binding, BoundMesh};
use crate::skin::patch::{Patch, Term};
use glam::{DAffine3, DVec3};
use hull::ConvexHull;
use skeleton::JointIndex;

/// Collects points in joint space and rejects points that are out of range.
pub(crate) struct PiecePoints<'a> {
    mesh: &'a BoundMesh<'a>,
    options: &'a JointOptions<'a>,
}

impl<'a> PiecePoints<'a> {
    pub(crate) fn new(mesh: &'a BoundMesh<'a>, options: &'a JointOptions<'a>) -> Self {
        Self { mesh, options }
    }

    /// Returns `false` if the boxes of this joint are fitted to the vertices of the bind pose alone.
    fn with_rest(&self, joint: JointIndex) -> bool {
        let options = self.options.get(joint);
        options.bridge != Bridge::None || options.poses != Poses::Bind
    }

    /// Returns every corner in the bind pose and, unless boxes are fitted to vertices alone, in the rest pose.
    pub(crate) fn standing(&self, joint: JointIndex, patch: &Patch) -> Vec<DVec3> {
        let mut points = patch.bind_points();
        points.extend(self.at_rest(joint, patch).into_iter().flatten());
        points
    }

    /// Returns the place of each corner in the rest pose; `None` if this place does not count or is that of the bind
    /// pose.
    pub(crate) fn at_rest(&self, joint: JointIndex, patch: &Patch) -> Vec<Option<DVec3>> {
        let mesh = self.mesh;
        let joint_from_model = mesh.joint_from_model(joint, &mesh.model_from_joint[joint.index()]);
        let Some(joint_from_model) = joint_from_model.filter(|_| self.with_rest(joint)) else {
            return vec![None; patch.corners.len()];
        };
        let mut known = vec![None; mesh.bindings.len()];
        let mut joint_from_mesh = |index: usize| {
            let Binding { joint: mover, joint_from_mesh } = mesh.bindings[index];
            let of_other = || joint_from_model * mesh.model_from_joint[mover.index()] * joint_from_mesh;
            *known[index].get_or_insert_with(|| if mover == joint { joint_from_mesh } else { of_other() })
        };
        let place = |corner: usize| {
            let moves = !patch.is_rigid(corner, joint, &mesh.bindings);
            let mut posed = |at: DVec3, term: &Term| {
                let matrix: DAffine3 = joint_from_mesh(term.binding as usize);
                at + (matrix.matrix3 * term.point + term.weight * matrix.translation)
            };
            moves.then(|| patch.terms(corner).iter().fold(DVec3::ZERO, &mut posed))
        };
        (0..patch.corners.len()).map(place).collect()
    }

    /// # Errors
    /// Returns [`BakeError::OutOfRange`] if a coordinate is beyond [`COORDINATE_LIMIT`].
    pub(crate) fn check_range(
        &self,
        joint: JointIndex,
        points: impl IntoIterator<Item = DVec3>,
    ) -> Result<(), BakeError> {
        let out_of_range = |size: &f64| size.is_nan() || *size > COORDINATE_LIMIT;
        match points.into_iter().map(largest).find(out_of_range) {
            Some(found) => {
                let (name, meters) = (self.mesh.name(joint).to_owned(), found * self.mesh.scale(joint));
                Err(BakeError::OutOfRange { joint: name, found, meters })
            }
            None => Ok(()),
        }
    }

    /// Returns the convex hull of a joint's points.
    ///
    /// # Errors
    /// Returns the errors of [`PiecePoints::check_range`], and [`BakeError::Hull`] only if the crate `hull` has a
    /// defect.
    pub(crate) fn hull(&self, joint: JointIndex, points: &[DVec3]) -> Result<ConvexHull, BakeError> {
        self.check_range(joint, points.iter().copied())?;
        let joint_name = || self.mesh.name(joint).to_owned();
        ConvexHull::from_points(points).map_err(|source| BakeError::Hull { joint: joint_name(), source })
    }
}

/// Returns the absolute value of the largest coordinate; NaN if a coordinate is NaN.
fn largest(point: DVec3) -> f64 {
    let size = point.abs();
    if point.is_nan() { f64::NAN } else { size.max_element() }
}
