//! Makes the [`Skeleton`] from nodes: every joint of every skin, every node that carries a rigid mesh, and the nodes
//! above them.

use crate::character::rigid_meshes::{self, RigidMeshes};
use crate::character::several::{Several, Whose};
use crate::character::unique_names::unique_names;
use crate::document::{Document, Node, NodeTransform};
use crate::error::ImportError;
use crate::model::CharacterRoot;
use crate::quote::quoted;
use crate::warnings::Warnings;
use geometry_core::portable;
use glam::{Affine3A, DVec3, Mat3, Quat, Vec3};
use gltf::json::animation::Property;
use gltf::json::validation::Checked;
use skeleton::{Joint, JointIndex, LocalTransform, NodeIndex, Skeleton, Trs};

/// The nodes that become joints.
#[derive(Clone, Copy)]
pub(crate) enum Scope {
    /// The joints of all skins, and the nodes that carry attachments, as one character.
    AllCharacters,
    /// The same for the character with this root only, as if the file had no other characters.
    Character(NodeIndex),
    /// Every node, for files with animations but perhaps without a skin.
    AllNodes,
}

/// The forest of nodes, and the joints made from them.
pub(crate) struct Hierarchy {
    pub(crate) skeleton: Skeleton,
    /// For each node, its parent.
    pub(crate) parent: Vec<Option<u32>>,
    /// For each node, its joint; `None` for nodes outside the skeleton.
    pub(crate) joint: Vec<Option<JointIndex>>,
    pub(crate) rigid_meshes: RigidMeshes,
    /// The characters of the file; empty if it has one, or if the import reads only one of them.
    pub(crate) characters: Vec<CharacterRoot>,
}

impl Hierarchy {
    /// Checks that the nodes form a forest, and makes the skeleton.
    ///
    /// The joints are in depth-first order: roots by index, children as the file lists them.
    pub(crate) fn build(
        document: &Document,
        is_ignored: &dyn Fn(&str) -> bool,
        scope: Scope,
        warnings: &mut Warnings,
    ) -> Result<Self, ImportError> {
        let parent = parents(document)?;
        let order = depth_first(document, &parent)?;
        let (mut skinned, animated) = (skin_joints(document), animated_nodes(document));
        let several = Several::find(document, &parent, &order);
        let (whose, characters) = match scope {
            Scope::AllCharacters | Scope::AllNodes => (vec![Whose::Own; skinned.len()], several.roots),
            Scope::Character(root) => match several.nodes_of(root) {
                Some(whose) => (whose, Vec::new()),
                None => return Err(unknown_root(root, &several.roots)),
            },
        };
        skinned.iter_mut().zip(&whose).for_each(|(skinned, whose)| *skinned &= *whose == Whose::Own);
        let mut needed = with_ancestors(&skinned, &parent);
        let nodes = rigid_meshes::Nodes {
            order: &order,
            parent: &parent,
            skinned: &skinned,
            whose: &whose,
            above_skinned: &needed,
            animated: &animated,
        };
        let rigid_meshes = RigidMeshes::find(document, &nodes, is_ignored);
        rigid_meshes.carrier.iter().flatten().for_each(|&carrier| add_ancestors(carrier, &parent, &mut needed));
        if let Scope::AllNodes = scope {
            needed.fill(true);
        }
        let order: Vec<u32> = order.into_iter().filter(|&node| needed[node as usize]).collect();
        if order.len() > Skeleton::MAX_JOINTS {
            return Err(ImportError::TooManyJoints { found: order.len() });
        }
        let names = unique_names(order.iter().map(|&node| {
            let name = document.nodes.0[node as usize].name.as_deref();
            (name.unwrap_or_default(), format!("node_{node}"))
        }));
        let mut joint = vec![None; document.nodes.0.len()];
        let mut joints = Vec::with_capacity(order.len());
        for (&node, name) in order.iter().zip(names) {
            let index = node as usize;
            joint[index] = Some(JointIndex(joints.len() as u16));
            warn_of_rotation(document, index, &name, warnings);
            let mut rest = local_transform(document, index)?;
            if animated[index] {
                rest = split_matrix(document, index, rest, &name, warnings);
            }
            joints.push(Joint {
                name,
                node: NodeIndex(node),
                parent: parent[index].and_then(|above| joint[above as usize]),
                rest,
                skinned: skinned[index],
            });
        }
        let skeleton = checked(joints)?;
        Ok(Self { skeleton, parent, joint, rigid_meshes, characters })
    }
}

/// The characters of a file, if there are several.
pub(crate) fn characters(document: &Document) -> Result<Vec<CharacterRoot>, ImportError> {
    let parent = parents(document)?;
    let order = depth_first(document, &parent)?;
    Ok(Several::find(document, &parent, &order).roots)
}

fn unknown_root(root: NodeIndex, roots: &[CharacterRoot]) -> ImportError {
    const MOST_NAMED: usize = 8;
    let named: Vec<String> = roots.iter().take(MOST_NAMED).map(|root| quoted(&root.name)).collect();
    let found = if named.is_empty() { "at most one character".to_owned() } else { named.join(", ") };
    ImportError::UnknownRoot { node: root.0, found }
}

/// Makes the skeleton. This cannot fail, because the list has the right order, finite numbers and unique names.
fn checked(joints: Vec<Joint>) -> Result<Skeleton, ImportError> {
    Skeleton::new(joints).map_err(|error| ImportError::Hierarchy {
        place: "the nodes".to_owned(),
        problem: format!("the nodes do not form a skeleton ({error})"),
    })
}

/// Finds each node's parent. It is an error if a node is listed as a child twice.
fn parents(document: &Document) -> Result<Vec<Option<u32>>, ImportError> {
    let mut parent: Vec<Option<u32>> = vec![None; document.nodes.0.len()];
    for (index, node) in document.nodes.0.iter().enumerate() {
        for &child in &node.children {
            if let Some(other) = parent[child as usize].replace(index as u32) {
                let above = [other as usize, index].map(|node| document.node_place(node));
                let problem = format!("it is listed as a child of {} and of {}", above[0], above[1]);
                return Err(ImportError::Hierarchy { place: document.node_place(child as usize), problem });
            }
        }
    }
    Ok(parent)
}

/// Lists all nodes, parents first. It is an error if some nodes form a cycle. The function has its own stack, because a
/// chain of nodes may be as long as the file.
fn depth_first(document: &Document, parent: &[Option<u32>]) -> Result<Vec<u32>, ImportError> {
    let nodes = &document.nodes.0;
    let mut order = Vec::with_capacity(nodes.len());
    let mut stack: Vec<u32> = (0..nodes.len() as u32).rev().filter(|&node| parent[node as usize].is_none()).collect();
    let mut seen = vec![false; nodes.len()];
    while let Some(node) = stack.pop() {
        seen[node as usize] = true;
        order.push(node);
        stack.extend(nodes[node as usize].children.iter().rev());
    }
    match seen.iter().position(|&seen| !seen) {
        None => Ok(order),
        // Every node has one parent, so a node that no root reaches is on a cycle or below one.
        Some(below) => Err(cycle(document, parent, below)),
    }
}

fn cycle(document: &Document, parent: &[Option<u32>], below: usize) -> ImportError {
    let mut on_cycle = below;
    for _ in 0..parent.len() {
        on_cycle = parent[on_cycle].map_or(on_cycle, |above| above as usize);
    }
    ImportError::Hierarchy { place: document.node_place(on_cycle), problem: "it is its own ancestor".to_owned() }
}

/// For each node, `true` if a skin names it as a joint.
fn skin_joints(document: &Document) -> Vec<bool> {
    let mut skinned = vec![false; document.nodes.0.len()];
    document.skins.iter().flat_map(|skin| &skin.joints).for_each(|joint| skinned[joint.value()] = true);
    skinned
}

fn with_ancestors(nodes: &[bool], parent: &[Option<u32>]) -> Vec<bool> {
    let mut needed = vec![false; nodes.len()];
    (0..nodes.len()).filter(|&node| nodes[node]).for_each(|node| add_ancestors(node as u32, parent, &mut needed));
    needed
}

/// Marks a node and the nodes above it, up to the first node that is already marked.
fn add_ancestors(node: u32, parent: &[Option<u32>], needed: &mut [bool]) {
    let mut at = Some(node);
    while let Some(node) = at.filter(|&node| !needed[node as usize]) {
        needed[node as usize] = true;
        at = parent[node as usize];
    }
}

/// For each node, `true` if a channel moves, turns or scales it.
fn animated_nodes(document: &Document) -> Vec<bool> {
    let mut animated = vec![false; document.nodes.0.len()];
    let channels = document.animations.iter().flat_map(|animation| &animation.channels);
    let moves = |path| matches!(path, Checked::Valid(Property::Translation | Property::Rotation | Property::Scale));
    let moving = channels.filter(|channel| moves(channel.target.path));
    moving.filter_map(|channel| channel.target.node).for_each(|node| animated[node as usize] = true);
    animated
}

/// Splits the matrix of an animated node into translation, rotation and scale if possible. glTF does not allow
/// animations of nodes with a matrix (glTF 2.0, section 3.11), but some exporters write them. If the matrix cannot be
/// split, the node's channels are left out.
fn split_matrix(
    document: &Document,
    index: usize,
    rest: LocalTransform,
    joint: &str,
    warnings: &mut Warnings,
) -> LocalTransform {
    let LocalTransform::Matrix(matrix) = rest else { return rest };
    let (result, what) = match decompose(&matrix) {
        Some(trs) => (LocalTransform::Trs(trs), "it was split into translation, rotation and scale"),
        None => (rest, "it shears or flattens, so its animation is left out"),
    };
    let text =
        format!("{}: an animation moves this node, but its transform is a matrix; {what}", document.node_place(index));
    warnings.add("animated-matrix", Some(joint), text);
    result
}

/// Translation, rotation and scale whose product is `matrix`. If the matrix mirrors, the first scale is negative.
/// `None` if its columns are zero or not at right angles.
fn decompose(matrix: &Affine3A) -> Option<Trs> {
    /// The deviation from a right angle that single precision explains.
    const SKEW: f64 = 1e-4;
    let (linear, translation) = portable::affine_parts(matrix);
    let columns = [linear.x_axis, linear.y_axis, linear.z_axis].map(Vec3::as_dvec3);
    let mut scale = columns.map(|column| column.dot(column).sqrt());
    if columns[0].cross(columns[1]).dot(columns[2]) < 0.0 {
        scale[0] = -scale[0];
    }
    let [x, y, z] = std::array::from_fn(|i| columns[i] / scale[i]);
    let right_angles = [x.dot(y), y.dot(z), z.dot(x)].iter().all(|cosine| cosine.abs() <= SKEW);
    if scale.contains(&0.0) || !right_angles {
        return None;
    }
    let rotation = unit(quaternion(&[x, y, z]).map(|component| component as f32));
    Some(Trs { translation, rotation, scale: Vec3::from_array(scale.map(|length| length as f32)) })
}

/// A quaternion of a rotation matrix, not of unit length, computed from the largest of its four squares (Shepperd
/// 1978).
fn quaternion([x, y, z]: &[DVec3; 3]) -> [f64; 4] {
    let squares = [x.x - y.y - z.z, y.y - x.x - z.z, z.z - x.x - y.y, x.x + y.y + z.z].map(|trace| 1.0 + trace);
    let largest = (1..4).fold(0, |best, i| if squares[i] > squares[best] { i } else { best });
    let (xy, yz, zx) = (x.y + y.x, y.z + z.y, z.x + x.z);
    let (yz_w, zx_w, xy_w) = (y.z - z.y, z.x - x.z, x.y - y.x);
    match largest {
        0 => [squares[0], xy, zx, yz_w],
        1 => [xy, squares[1], yz, zx_w],
        2 => [zx, yz, squares[2], xy_w],
        _ => [yz_w, zx_w, xy_w, squares[3]],
    }
}

/// A node's `parent_from_node`, with its rotation normalized.
fn local_transform(document: &Document, index: usize) -> Result<LocalTransform, ImportError> {
    match document.nodes.0[index].transform.as_deref() {
        None => Ok(LocalTransform::Trs(Trs::IDENTITY)),
        Some(NodeTransform::Matrix(matrix)) => {
            affine(matrix, || format!("{}, matrix", document.node_place(index))).map(LocalTransform::Matrix)
        }
        Some(NodeTransform::Trs { translation, rotation, scale }) => {
            let (translation, scale) = (Vec3::from_array(*translation), Vec3::from_array(*scale));
            Ok(LocalTransform::Trs(Trs { translation, rotation: unit(*rotation), scale }))
        }
    }
}

/// A node's `parent_from_node` as a matrix.
pub(crate) fn rest_affine(document: &Document, index: usize) -> Result<Affine3A, ImportError> {
    local_transform(document, index).map(|local| local.to_affine())
}

/// Adds a warning if a rotation's length differs from 1 by more than rounding.
fn warn_of_rotation(document: &Document, index: usize, joint: &str, warnings: &mut Warnings) {
    const TOLERANCE: f64 = 1e-3;
    let Some(NodeTransform::Trs { rotation, .. }) = document.nodes.0[index].transform.as_deref() else { return };
    let length = length(*rotation);
    if (length - 1.0).abs() > TOLERANCE {
        let node = document.node_place(index);
        let treatment = if length > 0.0 {
            "which is not of unit length; it was normalized"
        } else {
            "which is no rotation; it was replaced by [0, 0, 0, 1], which does not turn the joint"
        };
        let text = format!("{node} has the rotation {rotation:?}, {treatment}");
        warnings.add("rotation-not-unit", Some(joint), text);
    }
}

fn length(q: [f32; 4]) -> f64 {
    q.map(|component| f64::from(component) * f64::from(component)).iter().sum::<f64>().sqrt()
}

/// The rotation with unit length; the identity if its length is zero.
pub(crate) fn unit(rotation: [f32; 4]) -> Quat {
    let length = length(rotation);
    if length > 0.0 {
        Quat::from_array(rotation.map(|component| (f64::from(component) / length) as f32))
    } else {
        Quat::IDENTITY
    }
}

/// Reads a matrix in column order. Its last row must be 0 0 0 1.
pub(crate) fn affine(matrix: &[f32; 16], place: impl FnOnce() -> String) -> Result<Affine3A, ImportError> {
    /// The deviation of a row that single precision explains after a few products and an inversion.
    const TOLERANCE: f32 = 1e-4;
    let last_row = [matrix[3], matrix[7], matrix[11], matrix[15]];
    if let Some(position) = matrix.iter().position(|number| !number.is_finite()) {
        let element = format!("row {}, column {}", position % 4, position / 4);
        return Err(ImportError::NotFinite { place: place(), element, found: matrix[position].to_string() });
    }
    let off = [last_row[0], last_row[1], last_row[2], last_row[3] - 1.0];
    if off.iter().any(|component| component.abs() > TOLERANCE) {
        return Err(ImportError::Malformed {
            place: place(),
            expected: "an affine matrix, whose last row is 0 0 0 1".to_owned(),
            found: format!("{last_row:?}"),
            cure: "apply the transforms in the modeling program and export again",
        });
    }
    let column = |i: usize| Vec3::new(matrix[4 * i], matrix[4 * i + 1], matrix[4 * i + 2]);
    let linear = Mat3::from_cols(column(0), column(1), column(2));
    Ok(Affine3A::from_mat3_translation(linear, column(3)))
}

/// The name of a node for warnings about a joint.
pub(crate) fn node_label(node: &Node, index: usize) -> String {
    match node.name.as_deref() {
        Some(name) if !name.is_empty() => quoted(name),
        _ => format!("node {index}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn a_matrix_splits_into_its_translation_rotation_and_scale(
            rotation in proptest::array::uniform4(-1.0f32..1.0),
            scale in proptest::array::uniform3(0.01f32..100.0),
            mirrored in proptest::bool::ANY,
        ) {
            let rotation = unit(rotation);
            let scale = Vec3::new(if mirrored { -scale[0] } else { scale[0] }, scale[1], scale[2]);
            let made = Trs { translation: Vec3::new(1.0, -2.0, 3.0), rotation, scale }.to_affine();
            let again = decompose(&made).unwrap().to_affine();
            let worst = made.to_cols_array().into_iter().zip(again.to_cols_array()).map(|(a, b)| (a - b).abs());
            let worst = worst.fold(0.0, f32::max);
            proptest::prop_assert!(worst <= 2e-6 * scale.abs().max_element(), "{}", worst);
        }
    }

    #[test]
    fn a_matrix_that_shears_or_flattens_is_not_split() {
        let sheared = Mat3::from_cols(Vec3::X, Vec3::new(0.5, 1.0, 0.0), Vec3::Z);
        let flat = Mat3::from_cols(Vec3::X, Vec3::Y, Vec3::ZERO);
        for matrix in [sheared, flat] {
            assert_eq!(decompose(&Affine3A::from_mat3_translation(matrix, Vec3::ZERO)), None);
        }
    }
}
