//! Skins: the joints of a deformer and their inverse bind matrices.

use crate::FbxError;
use crate::finding::quoted;
use crate::glb::Glb;
use crate::nodes::Nodes;
use serde_json::json;
use ufbx::{ElementType, Matrix, Node, SkinDeformer};

/// The largest number of joints that the slots of a vertex can name.
const MOST_JOINTS: usize = 1 << 16;

/// Appends a skin for meshes whose node has this unit, and returns its index. The first slots are the clusters of the deformer in
/// order. The other slots are bones below them, which move no vertex: hands carry swords on such bones.
pub(crate) fn write(nodes: &Nodes<'_>, skin: &SkinDeformer, mesh_unit: f64, glb: &mut Glb) -> Result<usize, FbxError> {
    let name: &str = &skin.element.name;
    let place = || format!("skin {}", quoted(name));
    // Clusters without a bone are not in the list.
    let clusters = skin
        .clusters
        .as_ref()
        .iter()
        .filter_map(|cluster| Some((&**cluster.bone_node.as_ref()?, cluster.geometry_to_bone)));
    let mut bones: Vec<(&Node, Matrix)> = clusters.collect();
    if bones.len() > MOST_JOINTS {
        return Err(FbxError::TooManyBones { place: place(), found: bones.len(), limit: MOST_JOINTS });
    }
    let mut is_joint = vec![false; nodes.list.len()];
    bones.iter().filter_map(|(bone, _)| nodes.index_of(bone)).for_each(|bone| is_joint[bone] = true);
    let mut next = 0;
    while next < bones.len() {
        let (bone, bone_from_mesh) = bones[next];
        next += 1;
        let mut below: Vec<(&Node, Matrix)> =
            bone.children.as_ref().iter().map(|child| (&**child, bone_from_mesh)).collect();
        // Bones that do not inherit a scale are beside the helper that has it.
        if let Some(parent) = bone.parent.as_deref().filter(|_| bone.is_scale_helper) {
            let parent_from_mesh = ufbx::matrix_mul(&bone.node_to_parent, &bone_from_mesh);
            below.extend(parent.children.as_ref().iter().map(|child| (&**child, parent_from_mesh)));
        }
        for (child, parent_from_mesh) in below {
            let Some(index) = nodes.index_of(child) else { continue };
            if child.attrib_type == ElementType::Bone && !is_joint[index] && bones.len() < MOST_JOINTS {
                is_joint[index] = true;
                let child_from_parent = ufbx::matrix_invert(&child.node_to_parent);
                bones.push((child, ufbx::matrix_mul(&child_from_parent, &parent_from_mesh)));
            }
        }
    }
    glb.charge(bones.len() as u64 * 16, &place)?;
    let (mut joints, mut matrices) = (Vec::new(), Vec::new());
    for (bone, bone_from_mesh) in &bones {
        // The root of a scene can be a bone only in a damaged file.
        let Some(joint) = nodes.index_of(bone) else {
            let found = "the root of the scene".to_owned();
            return Err(FbxError::NotFinite { place: place(), element: "its bones", found });
        };
        joints.push(joint);
        matrices.push(converted(bone_from_mesh, nodes.unit[joint], mesh_unit));
    }
    let matrices = glb.floats::<16>("MAT4", &matrices, &place)?;
    let object = json!({ "name": name, "joints": joints, "inverseBindMatrices": matrices });
    glb.push("skins", object, name.len(), &place)
}

/// The matrix in column order, between spaces whose points are `bone_unit` and `mesh_unit` times those of the file.
fn converted(m: &Matrix, bone_unit: f64, mesh_unit: f64) -> [f32; 16] {
    let ratio = bone_unit / mesh_unit;
    let column = |x: f64, y: f64, z: f64, factor: f64| [x * factor, y * factor, z * factor];
    let columns = [
        column(m.m00, m.m10, m.m20, ratio),
        column(m.m01, m.m11, m.m21, ratio),
        column(m.m02, m.m12, m.m22, ratio),
        column(m.m03, m.m13, m.m23, bone_unit),
    ];
    let mut all = [0.0; 16];
    for (at, column) in columns.into_iter().enumerate() {
        all[4 * at..4 * at + 3].copy_from_slice(&column.map(|part| part as f32));
    }
    all[15] = 1.0;
    all
}
