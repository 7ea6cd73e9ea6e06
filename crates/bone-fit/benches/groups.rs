//! The time to fit the smallest box of one bone's group without clips, its hull included.
//!
//! The groups are those of real characters if their corpus is beside the workspace, otherwise those of a character of
//! ours. Every group is timed alone, all groups in turns, and the least of a group's times counts. Then all groups are
//! timed together, beside the time of the hull and of a box along principal axes.

use bone_fit::{Fit, Objective, TightBox, enclose, fit};
use glam::DVec3;
use hull::ConvexHull;
use paired_timing::Turns;
use skinned_model::{NoExternalFiles, SkinnedMesh, SkinnedModel, import, skinning};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

/// Characters without external files, from five sources.
const CHARACTERS: [&str; 9] = [
    "gdquest/gdbot.glb",
    "kaykit/Knight.glb",
    "kaykit/Rogue.glb",
    "khronos/Fox.glb",
    "quaternius/animals_pack__Horse.glb",
    "quaternius/cyberpunk_pack__Character.glb",
    "quaternius/cyberpunk_pack__Enemy_Large.glb",
    "quaternius/easy_enemies_pack__Spider.glb",
    "robot/RobotExpressive.glb",
];

fn load(path: &Path) -> Option<SkinnedModel> {
    Some(import(&std::fs::read(path).ok()?, &NoExternalFiles).expect("a sound model"))
}

/// Returns the slot of the largest weight, the first of equal weights; `None` if no weight is above zero.
fn strongest(mesh: &SkinnedMesh, vertex: usize) -> Option<usize> {
    let (slots, weights) = mesh.influences.of(vertex);
    let most = weights.iter().copied().fold(0.0, f32::max);
    let first = weights.iter().position(|weight| *weight == most && most > 0.0)?;
    Some(usize::from(slots[first]))
}

/// Returns, for each joint, the vertices that the joint moves most, in the joint's space.
fn groups(model: &SkinnedModel) -> Vec<Vec<DVec3>> {
    let mut groups: BTreeMap<_, Vec<DVec3>> = BTreeMap::new();
    for mesh in &model.meshes {
        for vertex in 0..mesh.positions.len() {
            let Some(slot) = strongest(mesh, vertex) else { continue };
            groups.entry(mesh.joints[slot]).or_default().push(skinning::joint_point(mesh, slot, vertex));
        }
    }
    groups.into_values().collect()
}

fn hull(points: &[DVec3]) -> ConvexHull {
    ConvexHull::from_points(points).expect("finite points")
}

fn boxed(fit: Fit, points: &[DVec3]) -> TightBox {
    enclose(&fit::orientation(fit, Objective::Volume, &hull(points), points), points)
}

/// Prints the distribution of the groups' least times over several rounds through all groups.
fn spread(name: &str, fit: Fit, groups: &[Vec<DVec3>]) {
    let rounds = if std::env::args().any(|argument| argument == "--bench") { 15 } else { 1 };
    let mut least = vec![Duration::MAX; groups.len()];
    for _ in 0..rounds {
        for (points, least) in groups.iter().zip(&mut least) {
            let start = Instant::now();
            black_box(boxed(fit, black_box(points)));
            *least = start.elapsed().min(*least);
        }
    }
    least.sort_unstable();
    let [half, most, all] = [0.5, 0.95, 1.0].map(|share| least[((least.len() - 1) as f64 * share).round() as usize]);
    println!("{name}, {} groups: median {half:.3?}, 95 % {most:.3?}, longest {all:.3?}", groups.len());
}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = root.join("../shared/corpus");
    let mut models: Vec<SkinnedModel> = CHARACTERS.iter().filter_map(|name| load(&corpus.join(name))).collect();
    println!("{} of {} characters of the corpus are there", models.len(), CHARACTERS.len());
    if models.is_empty() {
        models.push(load(&root.join("assets/runa.glb")).expect("the asset"));
    }
    let groups: Vec<Vec<DVec3>> = models.iter().flat_map(groups).collect();
    let volume = |fit: Fit| groups.iter().map(|points| boxed(fit, points).volume()).sum::<f64>();
    let (smallest, along_principal_axes) = (volume(Fit::MinVolume), volume(Fit::Pca));
    assert!(smallest < along_principal_axes, "{smallest}, {along_principal_axes}");
    spread("hull and principal axes", Fit::Pca, &groups);
    spread("hull and smallest box", Fit::MinVolume, &groups);
    let mut turns = Turns::new("groups", "of real characters").items(groups.len() as f64, "group");
    turns.ours("hull", || groups.iter().for_each(|points| assert!(!hull(points).vertices().is_empty())));
    turns.ours("hull and principal axes", || assert!(volume(Fit::Pca) == along_principal_axes));
    turns.ours("hull and smallest box", || assert!(volume(Fit::MinVolume) == smallest));
    turns.run();
}
