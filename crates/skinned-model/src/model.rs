//! What an import gives: meshes bound to joints, in their own spaces.

use glam::{Affine3A, Vec3};
use skeleton::{Clip, JointIndex, NodeIndex, Skeleton};

/// A skinned character, free of glTF.
#[derive(Clone, Debug, PartialEq)]
pub struct SkinnedModel {
    /// Every joint of every skin, merged by node; every node that carries an attachment and is no skin's joint; and the
    /// nodes above both.
    pub skeleton: Skeleton,
    /// Animations that move at least one of [`SkinnedModel::skeleton`]'s joints, in file order, names unique.
    pub clips: Vec<Clip>,
    /// One entry per distinct pair of skin and mesh, in the order of the nodes that name them.
    pub meshes: Vec<SkinnedMesh>,
    /// Meshes without a skin that a joint carries: helmets, swords, a tank's turret.
    pub attachments: Vec<Attachment>,
    /// The joints of VRM's standard bones, in the file's order; none where the file has no VRM extension.
    pub humanoid: Vec<HumanoidBone>,
    /// What was odd in the file and what was done about it.
    pub warnings: Vec<ImportWarning>,
}

/// Vertices bound to joints.
#[derive(Clone, Debug, PartialEq)]
pub struct SkinnedMesh {
    /// The mesh's name, else the node's; for messages.
    pub name: String,
    /// The (first) node that shows it. Its transform does not count (glTF 2.0, section 3.7.3.2).
    pub node: NodeIndex,
    /// `joints[slot]`: which joint the skin's `slot` is.
    pub joints: Vec<JointIndex>,
    /// `joint_from_mesh[slot]`: the skin's inverse bind matrix, as long as `joints`.
    pub joint_from_mesh: Vec<Affine3A>,
    /// Mesh space, finite; every vertex of every primitive, also those no triangle uses.
    pub positions: Vec<Vec3>,
    /// One row per vertex.
    pub influences: Influences,
    /// Corners as indices into `positions`; degenerate ones included, points and lines left out.
    pub triangles: Vec<[u32; 3]>,
}

/// The joints that move each vertex, and how much: a table of rows of equal width.
///
/// Slots keep the file's order (`JOINTS_0.xyzw`, `JOINTS_1.xyzw`, ...), weights are as in the file but for NaN,
/// infinite and negative ones, which are 0. They need not sum to 1, and a joint may stand in several slots.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Influences {
    /// Entries per vertex: 4 for each set.
    pub per_vertex: usize,
    /// `per_vertex` entries for each vertex: the skin's slot, below [`SkinnedMesh::joints`]' length.
    pub slots: Vec<u16>,
    /// As long as `slots`: finite, not negative.
    pub weights: Vec<f32>,
}

impl Influences {
    /// The slots and weights of a vertex.
    #[must_use]
    pub fn of(&self, vertex: usize) -> (&[u16], &[f32]) {
        let row = vertex * self.per_vertex..(vertex + 1) * self.per_vertex;
        (&self.slots[row.clone()], &self.weights[row])
    }
}

/// A mesh without a skin that moves with one joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment {
    /// The node's name, else the mesh's.
    pub name: String,
    /// The node that shows it.
    pub node: NodeIndex,
    /// The joint that carries the mesh: the nearest one at or above [`Attachment::node`].
    pub joint: JointIndex,
    /// The product of the rest transforms below the joint, down to the node; the identity where the node is the joint.
    pub joint_from_mesh: Affine3A,
    /// Mesh space, finite.
    pub positions: Vec<Vec3>,
    /// Corners as indices into `positions`.
    pub triangles: Vec<[u32; 3]>,
}

/// A standard bone of a humanoid, from the extension `VRMC_vrm` or `VRM`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HumanoidBone {
    /// As VRM 1.0 spells it, such as `leftUpperArm`; thumbs of VRM 0.x are renamed. No name stands twice. Names that the
    /// standard does not know are kept.
    pub name: String,
    /// The joint; none stands twice.
    pub joint: JointIndex,
}

/// Something odd that did not stop the import.
///
/// | code | what was found, and what was done |
/// |---|---|
/// | `nan-weights`, `negative-weights` | weights that are no weights: taken as 0 |
/// | `unassigned-vertices` | vertices without a weight above 0: they belong to no joint |
/// | `weights-not-normalized` | integer weights without the flag: read as if they had it |
/// | `weights-without-data` | an accessor of weights without bytes: each vertex is bound to its first slot |
/// | `singular-inverse-bind` | a matrix that flattens what its joint moves: used as it is |
/// | `bad-inverse-bind` | a matrix that is no affine map, of a joint that moves nothing: replaced by the identity |
/// | `rotation-not-unit` | a rest rotation off unit length: normalized |
/// | `broken-clip` | key times that do not increase, or values that are not finite: the clip is left out |
/// | `animated-matrix` | an animated node with a matrix: taken apart, or its channels left out where that is impossible |
/// | `repeated-channel`, `morph-channels` | channels that cannot be followed: left out |
/// | `morph-targets`, `unskinned-primitive` | parts of a skinned mesh: left out |
/// | `left-out-meshes` | meshes without a skin that no joint moves (scenery): left out, counted and named |
/// | `ignored-extension` | an extension that shows meshes otherwise: each is read once, as its node says |
/// | `bad-humanoid` | a VRM humanoid that cannot be read, or a bone of it that is listed twice: left out |
/// | `humanoid-without-joint` | a VRM bone whose node moves no vertex: left out |
/// | `trailing-bytes` | bytes behind the container: ignored |
/// | `more-warnings` | how many were too many to list |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportWarning {
    /// A stable word for programs, like `nan-weights`.
    pub code: &'static str,
    /// The joint it is about, by name.
    pub joint: Option<String>,
    /// What was found, where, and what was done, in a sentence.
    pub text: String,
}

/// What is wrong with a model that did not come from [`import`](crate::import()), in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct InvalidModel {
    /// The mesh, attachment or clip that the warning is about.
    pub place: String,
    /// What about it.
    pub problem: String,
}

impl SkinnedModel {
    /// Checks all that the types' documentation promises.
    ///
    /// # Errors
    /// The first broken promise.
    pub fn validate(&self) -> Result<(), InvalidModel> {
        let joints = self.skeleton.len();
        for mesh in &self.meshes {
            let place = || format!("mesh {:?} of node {}", mesh.name, mesh.node.0);
            mesh.check(joints).map_err(|problem| InvalidModel { place: place(), problem })?;
        }
        for attachment in &self.attachments {
            let place = || format!("attachment {:?} of node {}", attachment.name, attachment.node.0);
            attachment.check(joints).map_err(|problem| InvalidModel { place: place(), problem })?;
        }
        for bone in &self.humanoid {
            let invalid =
                |problem: &str| InvalidModel { place: format!("bone {:?}", bone.name), problem: problem.into() };
            let others = || self.humanoid.iter().filter(|other| !std::ptr::eq(*other, bone));
            if bone.joint.index() >= joints {
                return Err(invalid("its joint is beyond the skeleton"));
            }
            if others().any(|other| other.name == bone.name || other.joint == bone.joint) {
                return Err(invalid("its name or its joint stands twice"));
            }
        }
        let mut names = std::collections::BTreeSet::new();
        for clip in &self.clips {
            let invalid = |problem| InvalidModel { place: format!("clip {:?}", clip.name), problem };
            clip.validate(&self.skeleton).map_err(|error| invalid(error.to_string()))?;
            if clip.name.is_empty() || !names.insert(&clip.name) {
                return Err(invalid("its name is empty or taken".to_owned()));
            }
        }
        Ok(())
    }
}

fn check(sound: bool, problem: &str) -> Result<(), String> {
    if sound { Ok(()) } else { Err(problem.to_owned()) }
}

fn check_surface(positions: &[Vec3], triangles: &[[u32; 3]]) -> Result<(), String> {
    check(positions.iter().all(|point| point.is_finite()), "a position is not finite")?;
    let corners = triangles.iter().flatten();
    check(corners.copied().all(|corner| (corner as usize) < positions.len()), "a corner is beyond the positions")
}

impl SkinnedMesh {
    fn check(&self, joints: usize) -> Result<(), String> {
        let Influences { per_vertex, slots, weights } = &self.influences;
        check(self.joints.len() == self.joint_from_mesh.len(), "other numbers of joints and of matrices")?;
        check(self.joints.iter().all(|joint| joint.index() < joints), "a joint is beyond the skeleton")?;
        check(self.joint_from_mesh.iter().all(Affine3A::is_finite), "a matrix is not finite")?;
        check(slots.len() == weights.len(), "other numbers of slots and of weights")?;
        check(slots.len() == per_vertex * self.positions.len(), "influences are not a row for each vertex")?;
        check(slots.iter().all(|&slot| usize::from(slot) < self.joints.len()), "a slot is beyond the skin")?;
        check(weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0), "a weight is negative or not finite")?;
        check_surface(&self.positions, &self.triangles)
    }
}

impl Attachment {
    fn check(&self, joints: usize) -> Result<(), String> {
        check(self.joint.index() < joints, "its joint is beyond the skeleton")?;
        check(self.joint_from_mesh.is_finite(), "its matrix is not finite")?;
        check_surface(&self.positions, &self.triangles)
    }
}
