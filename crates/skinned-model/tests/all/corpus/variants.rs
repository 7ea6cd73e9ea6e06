//! Files derived from another file contain the same character in another form, so their boxes in joint space are equal.

use crate::corpus::files::import_file;
use ::corpus::character;
use glam::DVec3;
use skinned_model::SkinnedModel;
use skinned_model::skinning::joint_point;
use std::collections::BTreeMap;

/// Per joint name: the number of vertices for which it has the largest weight, and their box in joint space.
type Boxes = BTreeMap<String, (usize, DVec3, DVec3)>;

fn boxes(model: &SkinnedModel) -> Boxes {
    let mut boxes = Boxes::new();
    for mesh in &model.meshes {
        for vertex in 0..mesh.positions.len() {
            let (slots, weights) = mesh.influences.of(vertex);
            let largest = weights.iter().copied().fold(0.0, f32::max);
            let Some(k) = weights.iter().position(|&weight| weight == largest && largest > 0.0) else { continue };
            let slot = usize::from(slots[k]);
            let name = &model.skeleton.joint(mesh.joints[slot]).name;
            let point = joint_point(mesh, slot, vertex);
            let (count, low, high) = boxes.entry(name.clone()).or_insert((0, point, point));
            (*count, *low, *high) = (*count + 1, low.min(point), high.max(point));
        }
    }
    boxes
}

/// The largest difference of box corners, relative to the largest box.
fn difference(a: &Boxes, b: &Boxes) -> f64 {
    assert!(a.keys().eq(b.keys()), "other joints");
    let size = a.values().map(|(_, low, high)| (*high - *low).max_element()).fold(0.0, f64::max);
    let corners = a.values().zip(b.values());
    let worst = corners.map(|(a, b)| (a.1 - b.1).abs().max((a.2 - b.2).abs()).max_element()).fold(0.0, f64::max);
    worst / size
}

/// The variants whose boxes must equal those of the fox: the file, the tolerance, and whether the number of vertices is
/// the same.
const SAME_BOXES: &[(&str, f64, bool)] = &[
    ("Fox_two_sets.glb", 0.0, true),
    ("Fox_u16_interleaved.glb", 0.0, true),
    ("Fox_sparse.glb", 0.0, true),
    ("Fox_unnormalised.glb", 0.0, true),
    ("Fox_separate.gltf", 0.0, true),
    ("Fox_welded.glb", 0.0, false),
    ("Fox_meshnode_transform.glb", 0.0, true),
    ("Fox_permuted_joints.glb", 0.0, true),
    // Both halves contain all vertices.
    ("Fox_split_two_skins.glb", 0.0, false),
    ("Fox_wrapped.vrm", 0.0, true),
    ("Fox_cubicspline.glb", 0.0, true),
    ("Fox_step.glb", 0.0, true),
    ("Fox_mirrored.glb", 0.0, true),
    ("Fox_nonuniform.glb", 0.0, true),
    ("Fox_scaled_moved.glb", 0.0, true),
];

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn variants_of_the_fox_have_the_boxes_of_the_fox() {
    let base = boxes(&import_file(&character("Fox.glb")).unwrap());
    for &(file, tolerance, same_counts) in SAME_BOXES {
        let found = boxes(&import_file(&character(file)).unwrap());
        let difference = difference(&base, &found);
        assert!(difference <= tolerance, "{file}: {difference:e}");
        if same_counts {
            assert!(base.values().zip(found.values()).all(|(a, b)| a.0 == b.0), "{file}: other counts");
        }
    }
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn a_quantized_robot_has_the_boxes_of_the_robot() {
    let base = boxes(&import_file(&character("RobotExpressive.glb")).unwrap());
    let found = boxes(&import_file(&character("RobotExpressive_quantized.glb")).unwrap());
    let difference = difference(&base, &found);
    assert!(difference <= 1e-3, "{difference:e}");
}

#[cfg(feature = "meshopt")]
#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn a_meshopt_fox_has_the_boxes_of_the_quantized_fox() {
    let base = boxes(&import_file(&character("Fox_quantized.glb")).unwrap());
    let found = boxes(&import_file(&character("Fox_meshopt.glb")).unwrap());
    assert_eq!(base, found, "the compression loses nothing");
}

/// Draco stores 14 bits per coordinate over the fox's length of 155. A corner moves by at most half a step along a
/// diagonal, which is 1.75e-4 of the largest box.
#[cfg(feature = "draco")]
#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn a_draco_fox_has_the_boxes_of_the_fox_within_its_quantization() {
    let base = boxes(&import_file(&character("Fox_welded.glb")).unwrap());
    let found = boxes(&import_file(&character("Fox_draco.glb")).unwrap());
    let difference = difference(&base, &found);
    assert!(difference <= 1.75e-4, "{difference:e}");
    assert!(base.values().zip(found.values()).all(|(a, b)| a.0 == b.0), "other counts");
}
