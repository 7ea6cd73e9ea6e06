//! Small skeletons for unit tests.

use crate::{Joint, JointIndex, LocalTransform, NodeIndex, Skeleton, Trs};
use glam::Vec3;

/// Makes a skeleton from names and parents; each joint is 0.1 units from its parent.
pub(crate) fn chain(joints: &[(&str, Option<u16>)]) -> Skeleton {
    let at = Vec3::new(0.0, 0.1, 0.0);
    placed(&joints.iter().map(|&(name, parent)| (name, parent, at)).collect::<Vec<_>>())
}

/// Makes a skeleton from names, parents, and positions relative to the parent.
pub(crate) fn placed(joints: &[(&str, Option<u16>, Vec3)]) -> Skeleton {
    let joint = |&(name, parent, translation): &(&str, Option<u16>, Vec3)| Joint {
        name: name.to_owned(),
        node: NodeIndex(0),
        parent: parent.map(JointIndex),
        rest: LocalTransform::Trs(Trs { translation, ..Trs::IDENTITY }),
        skinned: true,
    };
    Skeleton::new(joints.iter().map(joint).collect()).unwrap()
}

/// A figure in a T-pose, 1.6 units tall, facing +z, with the joint names of KayKit.
pub(crate) fn kaykit() -> Skeleton {
    let v = Vec3::new;
    placed(&[
        ("root", None, v(0.0, 0.0, 0.0)),
        ("hips", Some(0), v(0.0, 0.9, 0.0)),
        ("spine", Some(1), v(0.0, 0.15, 0.0)),
        ("chest", Some(2), v(0.0, 0.2, 0.0)),
        ("head", Some(3), v(0.0, 0.3, 0.0)),
        ("upperarm.l", Some(3), v(0.2, 0.15, 0.0)),
        ("lowerarm.l", Some(5), v(0.25, 0.0, 0.0)),
        ("wrist.l", Some(6), v(0.2, 0.0, 0.0)),
        ("hand.l", Some(7), v(0.05, 0.0, 0.0)),
        ("handslot.l", Some(8), v(0.1, 0.0, 0.0)),
        ("upperarm.r", Some(3), v(-0.2, 0.15, 0.0)),
        ("lowerarm.r", Some(10), v(-0.25, 0.0, 0.0)),
        ("wrist.r", Some(11), v(-0.2, 0.0, 0.0)),
        ("hand.r", Some(12), v(-0.05, 0.0, 0.0)),
        ("upperleg.l", Some(1), v(0.1, -0.05, 0.0)),
        ("lowerleg.l", Some(14), v(0.0, -0.4, 0.0)),
        ("foot.l", Some(15), v(0.0, -0.38, 0.0)),
        ("toes.l", Some(16), v(0.0, -0.05, 0.12)),
        ("upperleg.r", Some(1), v(-0.1, -0.05, 0.0)),
        ("lowerleg.r", Some(18), v(0.0, -0.4, 0.0)),
        ("foot.r", Some(19), v(0.0, -0.38, 0.0)),
        ("toes.r", Some(20), v(0.0, -0.05, 0.12)),
    ])
}
