//! Round hitboxes and hulls of real characters: the sizes of round ones, and a check that no surface leaves any.

use super::{baked, files, load};
use crate::promise::owner_slot;
use crate::round_shapes::{least_ball_found, least_capsule_found};
use bone_fit::{BakeOptions, measure_boxes};
use glam::DVec3;
use hull::ConvexHull;
use skinned_model::{SkinnedModel, skinning};

/// The characters of a short run. With `BONEBOX_LONG=1` the tests look at all characters.
const FEW: [&str; 3] = ["Fox", "cesium_man", "RobotExpressive"];

fn is_long() -> bool {
    std::env::var_os("BONEBOX_LONG").is_some()
}

fn characters() -> impl Iterator<Item = (String, SkinnedModel)> {
    let wanted = files().into_iter().filter(|(name, _)| is_long() || FEW.contains(&name.as_str()));
    wanted.map(|(name, path)| (name, load(&path)))
}

/// The vertices that each joint owns, in joint space; `points[j]` belongs to joint `j`.
fn owned_points(model: &SkinnedModel) -> Vec<Vec<DVec3>> {
    let mut points = vec![Vec::new(); model.skeleton.len()];
    for mesh in &model.meshes {
        for vertex in 0..mesh.positions.len() {
            if let Some(slot) = owner_slot(mesh, vertex, 0.0) {
                points[mesh.joints[slot].index()].push(skinning::joint_point(mesh, slot, vertex));
            }
        }
    }
    points
}

/// At rest, the volume of a capsule or a sphere is at most a hundredth larger than that of the smallest shape that a
/// long search finds.
#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn round_shapes_are_the_smallest_around_their_vertices() {
    let starts = if is_long() { 200 } else { 20 };
    let (mut shapes, mut largest, mut smallest) = (0, 0.0f64, f64::INFINITY);
    for (name, model) in characters() {
        let points = owned_points(&model);
        for word in ["capsule", "sphere"] {
            let words = [("shape", word), ("min_thickness", "0"), ("attachments", "skip"), ("measure", "none")];
            let bake = baked(&model, &words);
            for (one, report) in bake.character.boxes.iter().zip(&bake.report.boxes) {
                let corners = ConvexHull::from_points(&points[one.joint.index()]).unwrap().vertices().to_vec();
                let least = match word {
                    "sphere" => least_ball_found(&corners),
                    _ => least_capsule_found(&corners, starts),
                };
                // The smallest capsule around fewer than three vertices has no volume, but rounding to f32 adds some.
                if least <= 0.0 || corners.len() < 3 {
                    continue;
                }
                let ratio = report.volume / least;
                assert!(ratio <= 1.01, "{name}, {word} of {}: {ratio} times the least found", report.joint_name);
                (shapes, largest, smallest) = (shapes + 1, largest.max(ratio), smallest.min(ratio));
            }
        }
    }
    println!("{shapes} shapes: {smallest:.6} to {largest:.6} times the least volume of {starts} searches each");
    assert!(shapes > 0);
}

/// With `preset = "cover"` capsules, spheres, hulls and `auto` hold the whole surface at every sample time, and hardly any
/// surface escapes between sample times, as with boxes.
#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn covers_of_every_shape_hold_everything_in_every_clip() {
    let (mut least, mut farthest) = (1.0f64, 0.0f64);
    for (name, model) in characters().filter(|(_, model)| !model.clips.is_empty()) {
        for shape in ["capsule", "sphere", "hull", "auto"] {
            let bake = baked(&model, &[("preset", "cover"), ("shape", shape), ("measure_times", "60")]);
            let measured = bake.report.measured.as_ref().unwrap();
            assert!(measured.surface_clips == 1.0 && measured.surface_rest == 1.0, "{name} {shape}: {measured:?}");
            assert!(measured.max_escape <= 1e-6, "{name} {shape}: {measured:?}");
            let closely = BakeOptions { rate: 137.0, measure_times: 250, ..BakeOptions::default() };
            let between = measure_boxes(&model, &bake.character.boxes, &closely);
            assert!(between.surface_clips >= 0.999 && between.max_escape <= 0.005, "{name} {shape}: {between:?}");
            (least, farthest) = (least.min(between.surface_clips), farthest.max(between.max_escape));
        }
    }
    println!("between sample times: {least:.6} of the surface at least, escape {farthest:.6} at most");
}
