//! The joints whose hitboxes can be mirror images in the rest pose.

use crate::fit::reflection::Reflection;
use crate::parts::mirror::{Mirror, NEAR, find_mirror};
use crate::skin::bound_mesh::BoundMesh;
use skeleton::{JointIndex, mirrored_name};

/// Why hitboxes are not mirror images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NotMirrored {
    /// No plane of symmetry was found.
    NoPlane,
    /// In the rest pose, the joint is not where the mirror image of the other joint is.
    Place,
    /// The joint's space has an uneven scale.
    Scale,
    /// The joint has several hitboxes, and they were not cut alike.
    Several,
    /// The shape is a hull, the axes are those of the joint, or the skins differ too much.
    Skin,
}

/// Joints whose hitboxes can be mirror images.
pub(crate) struct MirroredJoints {
    /// The two joints, the earlier first, and the map from the space of the second to that of the first.
    pub(crate) pairs: Vec<([JointIndex; 2], Reflection)>,
    /// Joints on the plane, and the maps of their spaces to themselves.
    pub(crate) middle: Vec<(JointIndex, Reflection)>,
    /// Joints whose hitboxes cannot be mirrored, with the reason.
    pub(crate) left_out: Vec<(JointIndex, NotMirrored)>,
}

impl MirroredJoints {
    /// Finds the plane of symmetry and the mirrored joints among `joints`: by their names, or if a name has no side, by their
    /// places.
    pub(crate) fn find(mesh: &BoundMesh<'_>, joints: &[JointIndex]) -> Self {
        let mut found = Self { pairs: Vec::new(), middle: Vec::new(), left_out: Vec::new() };
        let mirror = find_mirror(mesh.skeleton, &mesh.model_from_joint, mesh.height, &mesh.all_joints());
        for &joint in joints {
            let by_name = mirrored_name(mesh.name(joint)).and_then(|name| mesh.skeleton.find(&name));
            let by_place = || mirror.as_ref().and_then(|mirror| mirror.joints[joint.index()]);
            let other = by_name.or_else(by_place).filter(|other| *other != joint && joints.contains(other));
            let result = match (other, &mirror) {
                (Some(other), _) if other < joint => continue,
                (Some(other), Some(mirror)) => {
                    reflection(mesh, mirror, [joint, other]).map(|map| found.pairs.push(([joint, other], map)))
                }
                (Some(_), None) => Err(NotMirrored::NoPlane),
                (None, Some(mirror)) if is_on(mirror, mesh, joint) => {
                    reflection(mesh, mirror, [joint, joint]).map(|map| found.middle.push((joint, map)))
                }
                (None, _) => continue,
            };
            if let Err(why) = result {
                found.left_out.extend([Some(joint), other].into_iter().flatten().map(|joint| (joint, why)));
            }
        }
        found
    }
}

/// Returns the map from the space of the second joint to that of the first.
fn reflection(mesh: &BoundMesh<'_>, mirror: &Mirror, joints: [JointIndex; 2]) -> Result<Reflection, NotMirrored> {
    let [first, second] = joints.map(|joint| mesh.model_from_joint[joint.index()]);
    let image = mirror.reflection().transform_point3(second.translation);
    if first.translation.distance(image) > NEAR * mesh.height {
        return Err(NotMirrored::Place);
    }
    let first_from_model = mesh.joint_from_model(joints[0], &first).ok_or(NotMirrored::Scale)?;
    Reflection::new(&(first_from_model * mirror.reflection() * second)).ok_or(NotMirrored::Scale)
}

/// Returns `true` if a joint is on the plane of symmetry.
fn is_on(mirror: &Mirror, mesh: &BoundMesh<'_>, joint: JointIndex) -> bool {
    let place = mesh.model_from_joint[joint.index()].translation;
    place.distance(mirror.reflection().transform_point3(place)) <= NEAR * mesh.height
}
