//! The result of an import: meshes bound to joints, each in its own mesh space.

use glam::{Affine3A, Vec2, Vec3};
use skeleton::{Clip, JointIndex, NodeIndex, Skeleton};

/// A skinned character, independent of glTF.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SkinnedModel {
    /// The joints of all skins, merged by node; the nodes that carry attachments; and the nodes above both.
    pub skeleton: Skeleton,
    /// The animations that move at least one joint of [`SkinnedModel::skeleton`], in file order, with unique names.
    pub clips: Vec<Clip>,
    /// The `extras` of animations: the name of the clip, and the JSON text. Clips without `extras` have no entry.
    pub clip_extras: Vec<(String, String)>,
    /// One entry for each distinct pair of a skin and a mesh, in the order of the nodes that name them.
    pub meshes: Vec<SkinnedMesh>,
    /// The morph targets of the meshes and attachments that have some.
    pub morph_targets: Vec<MorphTargets>,
    /// Meshes without a skin that a joint carries: helmets, swords, a tank's turret.
    pub attachments: Vec<Attachment>,
    /// The joints of VRM's standard bones, in the file's order; empty if the file has no VRM extension.
    pub humanoid: Vec<HumanoidBone>,
    /// The characters of the file, if the import read several as one; otherwise empty. Joints of different characters that
    /// have the same name in the file have different names in [`SkinnedModel::skeleton`].
    pub characters: Vec<CharacterRoot>,
    /// Unusual findings in the file, and how the importer treated them.
    pub warnings: Vec<ImportWarning>,
}

/// The root of one of several characters in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CharacterRoot {
    /// The topmost node that is above or at joints of this character only. If there are several, the first one.
    pub node: NodeIndex,
    /// The name of the node, or `node_N` for a node without a name. The names of a file's roots are unique.
    pub name: String,
}

/// The names of a mesh in its file, and its place among levels of detail.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct MeshNames {
    /// The names of all nodes that show the mesh with the same skin, in the order of the file, without nodes that have no name.
    pub nodes: Vec<String>,
    /// The mesh's own name; empty if it has none.
    pub mesh: String,
    /// For each primitive, the name of its material (empty without one), and the number of the mesh's vertices up to the
    /// primitive's end.
    pub materials: Vec<(String, usize)>,
    /// `true` if `MSFT_lod` lists each of these nodes, or a node above it, as a coarser level of detail of another node.
    pub is_coarser_level: bool,
}

/// A mesh with a skin: its vertices are bound to joints.
#[derive(Clone, Debug, PartialEq)]
pub struct SkinnedMesh {
    /// The mesh's name, or the node's name if the mesh has none; for messages.
    pub name: String,
    /// All names of the mesh in the file, for patterns.
    pub names: MeshNames,
    /// The first node with this mesh and skin. Its transform has no effect (glTF 2.0, section 3.7.3.2).
    pub node: NodeIndex,
    /// The joint of each of the skin's slots: `joints[slot]` is an index into the skeleton's joints.
    pub joints: Vec<JointIndex>,
    /// The skin's inverse bind matrix of each slot; as long as `joints`.
    pub joint_from_mesh: Vec<Affine3A>,
    /// The vertices of all primitives in mesh space, all finite. Vertices that no triangle uses are included.
    pub positions: Vec<Vec3>,
    /// The joints and weights of each vertex.
    pub influences: Influences,
    /// The corners of each triangle, as indices into `positions`. Degenerate triangles are included; points and lines
    /// are not.
    pub triangles: Vec<[u32; 3]>,
    /// The unit normal of each vertex in mesh space; `None` for a vertex whose normal is missing in the file or has no
    /// direction. As long as `positions`, or empty if no primitive has normals.
    pub normals: Vec<Option<Vec3>>,
    /// `TEXCOORD_0` of each vertex, as in the file; `None` for a vertex whose texture coordinate is missing in the file
    /// or not finite. As long as `positions`, or empty if no primitive has texture coordinates.
    pub texture_coordinates: Vec<Option<Vec2>>,
}

/// The morph targets of one mesh: other shapes, which add to the positions of the base shape before joints move these.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphTargets {
    /// The mesh.
    pub of: Morphed,
    /// The name of each target, from the mesh's `extras.targetNames`; `target_N` for target N without a name. Not unique. As long
    /// as `offsets`.
    pub names: Vec<String>,
    /// For each target, the vertices that it moves, ascending, and how far at weight 1, in mesh space. No offset is 0.
    pub offsets: Vec<Vec<(u32, Vec3)>>,
    /// The different lists of weights that the file gives the targets: those of nodes or of the mesh first, then those at the
    /// keys of animations; for splines, also of times between keys. Each list has a finite weight for each target.
    pub weights: Vec<Vec<f32>>,
}

/// A mesh with morph targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Morphed {
    /// A mesh with a skin, by its index in [`SkinnedModel::meshes`].
    Mesh(usize),
    /// A mesh without a skin, by its index in [`SkinnedModel::attachments`].
    Attachment(usize),
}

impl Morphed {
    /// Returns the name and the vertices of the mesh in its model; `None` if there is no such mesh.
    #[must_use]
    pub fn in_model(self, model: &SkinnedModel) -> Option<(&str, &[Vec3])> {
        match self {
            Self::Mesh(index) => model.meshes.get(index).map(|mesh| (&*mesh.name, &*mesh.positions)),
            Self::Attachment(index) => model.attachments.get(index).map(|mesh| (&*mesh.name, &*mesh.positions)),
        }
    }
}

/// The joints that move each vertex, and their weights, as a table with rows of equal width.
///
/// The columns are in the file's order (`JOINTS_0.xyzw`, `JOINTS_1.xyzw`, ...). The weights are as in the file, except
/// that NaN, infinite and negative weights are 0. The weights of a vertex need not sum to 1, and a joint may occur in
/// several columns.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Influences {
    /// The number of influences per vertex: 4 for each set in the file.
    pub per_vertex: usize,
    /// The skin's slot of each influence, below the length of [`SkinnedMesh::joints`]; `per_vertex` entries for each
    /// vertex.
    pub slots: Vec<u16>,
    /// The weight of each influence: finite and at least 0. As long as `slots`.
    pub weights: Vec<f32>,
}

impl Influences {
    /// Returns the slots and the weights of a vertex, [`Influences::per_vertex`] of each.
    ///
    /// # Panics
    /// If `vertex` is not below the number of vertices.
    #[must_use]
    pub fn of(&self, vertex: usize) -> (&[u16], &[f32]) {
        let row = vertex * self.per_vertex..(vertex + 1) * self.per_vertex;
        (&self.slots[row.clone()], &self.weights[row])
    }
}

/// A mesh without a skin that moves with one joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment {
    /// The node's name, or the mesh's name if the node has none.
    pub name: String,
    /// All names of the mesh in the file, for patterns.
    pub names: MeshNames,
    /// The node with the mesh.
    pub node: NodeIndex,
    /// The joint that carries the mesh: the nearest joint at or above [`Attachment::node`].
    pub joint: JointIndex,
    /// The product of the rest transforms from the joint (not included) to the node; the identity if the node is the
    /// joint.
    pub joint_from_mesh: Affine3A,
    /// The vertices in mesh space, all finite.
    pub positions: Vec<Vec3>,
    /// The corners of each triangle, as indices into `positions`.
    pub triangles: Vec<[u32; 3]>,
    /// The normals, as in [`SkinnedMesh::normals`].
    pub normals: Vec<Option<Vec3>>,
    /// The texture coordinates, as in [`SkinnedMesh::texture_coordinates`].
    pub texture_coordinates: Vec<Option<Vec2>>,
}

/// A standard bone of a humanoid, from the extension `VRMC_vrm` or `VRM`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HumanoidBone {
    /// The bone's name as in VRM 1.0, such as `leftUpperArm`; thumb bones of VRM 0.x are renamed. Names are unique.
    /// Names that are not in the standard are kept.
    pub name: String,
    /// The bone's joint. No joint has two bones.
    pub joint: JointIndex,
}

/// Something unusual that did not stop the import.
///
/// | code | what was found, and what was done |
/// |---|---|
/// | `nan-weights`, `negative-weights` | weights that are NaN, infinite or negative count as 0 |
/// | `unassigned-vertices` | vertices without a weight above 0 belong to no joint |
/// | `weights-not-normalized` | integer weights without the flag `normalized` are read as if they had it |
/// | `weights-without-data` | an accessor of weights has no bytes; each vertex is bound to its first slot |
/// | `singular-inverse-bind` | a matrix that flattens the vertices of its joint is used unchanged |
/// | `bad-inverse-bind` | the identity replaces a matrix that is not affine, of a joint that moves no vertex |
/// | `rotation-not-unit` | a rest rotation that is not of unit length is normalized, or replaced by the identity if its length is 0 |
/// | `broken-clip` | a clip whose key times do not increase, or whose values are not finite, is left out |
/// | `animated-matrix` | the matrix of an animated node is split into translation, rotation and scale; if that is impossible, its channels are left out |
/// | `repeated-channel` | channels that repeat a property are left out |
/// | `unreadable-attribute` | normals, texture coordinates or morph targets of a wrong type, or whose number is not that of the vertices, and weights of morph targets of another number, are left out |
/// | `unskinned-primitive` | primitives without joints and weights are left out |
/// | `left-out-meshes` | meshes without a skin that no joint moves (scenery) are left out; the text counts and names them |
/// | `ignored-extension` | an extension shows meshes in another way; each mesh is read once, with its node |
/// | `bad-humanoid` | a VRM humanoid that cannot be read, or a bone of it that is listed twice, is left out |
/// | `humanoid-without-joint` | a VRM bone whose node moves no vertex is left out |
/// | `trailing-bytes` | bytes after the end of the container are ignored |
/// | `fbx-...` | what `fbx_to_gltf::Finding` lists: parts of an FBX file that were left out or repaired |
/// | `more-warnings` | the number of warnings that were too many to list |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportWarning {
    /// A stable code for programs, such as `nan-weights`.
    pub code: &'static str,
    /// The name of the joint that the warning is about, if there is one.
    pub joint: Option<String>,
    /// The warning as a sentence: what was found, where, and how the importer treated it.
    pub text: String,
}

/// The problem of a model that did not come from [`import`](crate::import()).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct InvalidModel {
    /// The mesh, attachment or clip that is wrong.
    pub place: String,
    /// The problem at that place.
    pub problem: String,
}

impl SkinnedModel {
    /// Checks everything that the documentation of the types promises.
    ///
    /// # Errors
    /// Returns [`InvalidModel`] for the first broken promise.
    pub fn validate(&self) -> Result<(), InvalidModel> {
        let joints = self.skeleton.len();
        for mesh in &self.meshes {
            let place = || format!("mesh {:?} of node {}", mesh.name, mesh.node.0);
            mesh.check(joints).map_err(|problem| InvalidModel { place: place(), problem })?;
        }
        for targets in &self.morph_targets {
            let invalid = |problem| InvalidModel { place: format!("morph targets of {:?}", targets.of), problem };
            let found = targets.of.in_model(self).ok_or_else(|| invalid("there is no such mesh".to_owned()))?;
            targets.check(found.1.len()).map_err(invalid)?;
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
                return Err(invalid("the joint is not in the skeleton"));
            }
            if others().any(|other| other.name == bone.name || other.joint == bone.joint) {
                return Err(invalid("the name or the joint occurs twice"));
            }
        }
        let mut names = std::collections::BTreeSet::new();
        for clip in &self.clips {
            let invalid = |problem| InvalidModel { place: format!("clip {:?}", clip.name), problem };
            clip.validate(&self.skeleton).map_err(|error| invalid(error.to_string()))?;
            if clip.name.is_empty() || !names.insert(&clip.name) {
                return Err(invalid("the name is empty or not unique".to_owned()));
            }
        }
        Ok(())
    }
}

fn check(sound: bool, problem: &str) -> Result<(), String> {
    if sound { Ok(()) } else { Err(problem.to_owned()) }
}

fn check_surface(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    normals: &[Option<Vec3>],
    texture_coordinates: &[Option<Vec2>],
) -> Result<(), String> {
    let is_one_each = |count: usize| count == 0 || count == positions.len();
    check(is_one_each(normals.len()), "there is not one normal for each vertex")?;
    check(is_one_each(texture_coordinates.len()), "there is not one texture coordinate for each vertex")?;
    let is_unit = |normal: &Vec3| (normal.as_dvec3().length_squared() - 1.0).abs() < 1e-5;
    check(normals.iter().flatten().all(is_unit), "a normal does not have the length 1")?;
    let mut coordinates = texture_coordinates.iter().flatten();
    check(coordinates.all(|coordinate| coordinate.is_finite()), "a texture coordinate is not finite")?;
    check(positions.iter().all(|point| point.is_finite()), "a position is not finite")?;
    let corners = triangles.iter().flatten();
    check(corners.copied().all(|corner| (corner as usize) < positions.len()), "a corner is not among the positions")
}

impl SkinnedMesh {
    fn check(&self, joints: usize) -> Result<(), String> {
        let Influences { per_vertex, slots, weights } = &self.influences;
        check(self.joints.len() == self.joint_from_mesh.len(), "the numbers of joints and matrices differ")?;
        check(self.joints.iter().all(|joint| joint.index() < joints), "a joint is not in the skeleton")?;
        check(self.joint_from_mesh.iter().all(Affine3A::is_finite), "a matrix is not finite")?;
        check(slots.len() == weights.len(), "the numbers of slots and weights differ")?;
        check(slots.len() == per_vertex * self.positions.len(), "the influences do not have one row for each vertex")?;
        check(slots.iter().all(|&slot| usize::from(slot) < self.joints.len()), "a slot is not in the skin")?;
        check(weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0), "a weight is negative or not finite")?;
        check_surface(&self.positions, &self.triangles, &self.normals, &self.texture_coordinates)
    }
}

impl Attachment {
    fn check(&self, joints: usize) -> Result<(), String> {
        check(self.joint.index() < joints, "the joint is not in the skeleton")?;
        check(self.joint_from_mesh.is_finite(), "the matrix is not finite")?;
        check_surface(&self.positions, &self.triangles, &self.normals, &self.texture_coordinates)
    }
}

impl MorphTargets {
    fn check(&self, vertices: usize) -> Result<(), String> {
        check(self.names.len() == self.offsets.len(), "there is not one name for each target")?;
        for (target, offsets) in self.offsets.iter().enumerate() {
            if offsets.windows(2).any(|two| two[0].0 >= two[1].0) {
                return Err(format!("the vertices of target {target} are not ascending"));
            }
            if let Some((vertex, _)) = offsets.iter().find(|(vertex, _)| *vertex as usize >= vertices) {
                return Err(format!("target {target} moves vertex {vertex} of {vertices}"));
            }
            if let Some((vertex, offset)) =
                offsets.iter().find(|(_, offset)| !offset.is_finite() || *offset == Vec3::ZERO)
            {
                return Err(format!("target {target} moves vertex {vertex} by {offset}"));
            }
        }
        let is_right =
            |weights: &Vec<f32>| weights.len() == self.offsets.len() && weights.iter().all(|weight| weight.is_finite());
        match self.weights.iter().position(|weights| !is_right(weights)) {
            Some(list) => Err(format!("list {list} has not one finite weight for each target")),
            None => Ok(()),
        }
    }
}
