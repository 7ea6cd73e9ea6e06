//! Real bone groups: the vertices of the corpus' characters in joint space, grouped by the joint with the largest
//! weight.

use glam::DVec3;
use skinned_model::{NoExternalFiles, import, skinning};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The groups of all undamaged characters, each named by file and joint, in the order of the file names.
pub(crate) fn bone_groups() -> Vec<(String, Vec<DVec3>)> {
    let folders = ["gdquest", "kaykit", "khronos", "quaternius", "robot"];
    let mut files: Vec<PathBuf> = folders.iter().flat_map(|name| ::corpus::files(name)).collect();
    files.sort();
    files.iter().filter(|file| is_model(file)).flat_map(|file| groups_of(file)).collect()
}

fn is_model(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "glb" || extension == "gltf")
}

fn groups_of(file: &Path) -> Vec<(String, Vec<DVec3>)> {
    let bytes = std::fs::read(file).expect("a readable file");
    let model = import(&bytes, &NoExternalFiles).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let mut groups: BTreeMap<usize, Vec<DVec3>> = BTreeMap::new();
    for mesh in &model.meshes {
        for vertex in 0..mesh.positions.len() {
            let (slots, weights) = mesh.influences.of(vertex);
            let heaviest = weights.iter().copied().fold(0.0, f32::max);
            if let Some(first) = weights.iter().position(|&weight| weight > 0.0 && weight == heaviest) {
                let slot = usize::from(slots[first]);
                let point = skinning::joint_point(mesh, slot, vertex);
                groups.entry(mesh.joints[slot].index()).or_default().push(point);
            }
        }
    }
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    groups.into_iter().map(|(joint, points)| (format!("{stem} joint {joint}"), points)).collect()
}
