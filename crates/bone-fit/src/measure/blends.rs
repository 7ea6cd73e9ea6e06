//! The share of the surface that the boxes hold half-way between two clips. Bakes do not fit boxes to these poses.

use crate::assign::owner::Ownership;
use crate::measure::farthest::farthest_in_pose;
use crate::measure::held_cells::{CellPlace, visit_cells};
use crate::measure::hull_planes::MeasuredBoxes;
use crate::measure::posed_boxes::PosedBoxes;
use crate::measure::surface_samples::SurfaceSamples;
use crate::options::BakeOptions;
use crate::poses::sample_times::{MOST_SAMPLE_TIMES, SampleTime, SampleTimes};
use crate::skin::bound_mesh::{BoundMesh, affine_to_f64};
use baked_format::BakedCharacter;
use glam::{Affine3A, DAffine3};
use rayon::prelude::*;
use skeleton::{JointIndex, LocalTransform, Trs};
use skinned_model::SkinnedModel;

/// The number of blends that are measured.
const BLENDS: usize = 64;

/// The coverage and the escape of a character's boxes in poses half-way between two sample times of its own clips.
///
/// The blends are a sample: in other blends the coverage may be lower. Boxes of `poses = "any"` hold their surface in
/// all blends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlendCoverage {
    /// The number of blends in which the surface was measured.
    pub poses: usize,
    /// The average over all blends of the share of the surface's area inside at least one box, 0 to 1.
    pub surface: f64,
    /// The largest distance from the surface to the nearest box over all blends, as a share of the character's height.
    pub escape: f64,
}

/// Measures the boxes of a bake in half-way blends of the character's own clips; returns `None` if the model has no
/// clip. `character` must be a bake of `model`.
///
/// The blends are the same in every call: pairs of sample times that are evenly spread over all clips. Translations and
/// scales are blended on a straight line, rotations by the shorter way. `options` set the surface and the sample rate
/// of clips.
#[must_use]
pub fn measure_halfway_blends(
    model: &SkinnedModel,
    character: &BakedCharacter,
    options: &BakeOptions,
) -> Option<BlendCoverage> {
    /// The number of sample times from one time to its partner: coprime to any number of clips of equal length.
    const STRIDE: usize = 7919;
    let times = SampleTimes::regular(&model.clips, options.rate, MOST_SAMPLE_TIMES).rest_and_regular();
    let of_clips: Vec<SampleTime> = times.into_iter().filter(|at| at.clip.is_some()).collect();
    if of_clips.is_empty() {
        return None;
    }
    let mesh = BoundMesh::of_bake(model, options);
    let samples = SurfaceSamples::new(&mesh, Ownership::new(options));
    let holders: Vec<JointIndex> = (0..model.skeleton.len()).map(|joint| JointIndex(joint as u16)).collect();
    let boxes = MeasuredBoxes::new(&character.boxes);
    let measured = |blend: usize| {
        let first = blend * of_clips.len() / BLENDS;
        let second = (first + of_clips.len() / 2 + blend * STRIDE) % of_clips.len();
        let matrices = halfway(model, [of_clips[first], of_clips[second]]);
        let boxes = PosedBoxes::with_envelopes(&mesh, &boxes, &character.envelopes, &matrices);
        let (mut inside, mut all) = (0.0, 0.0);
        visit_cells(&samples, &mesh, &boxes, &holders, &matrices, |_, area, place, count| {
            for _ in 0..count {
                all += area;
                inside += if place == CellPlace::Outside { 0.0 } else { area };
            }
        });
        let farthest = farthest_in_pose(&samples, &mesh, &boxes, &matrices);
        (inside, all, farthest.map_or(0.0, |(distance, _)| distance))
    };
    let figures: Vec<(f64, f64, f64)> = (0..BLENDS).into_par_iter().map(measured).collect();
    let (mut inside, mut area, mut farthest) = (0.0, 0.0, 0.0f64);
    for &(of_pose, all, distance) in &figures {
        inside += of_pose;
        area += all;
        farthest = farthest.max(distance);
    }
    let surface = if area > 0.0 { (inside / area).min(1.0) } else { 1.0 };
    let height = if mesh.height > 0.0 { mesh.height } else { 1.0 };
    Some(BlendCoverage { poses: figures.len(), surface, escape: farthest / height })
}

/// Returns `model_from_joint` half-way between two sample times.
fn halfway(model: &SkinnedModel, at: [SampleTime; 2]) -> Vec<DAffine3> {
    let [mut first, second] = at.map(|at| {
        let mut local = model.skeleton.rest_pose();
        if let Some(clip) = at.clip {
            model.clips[clip.index()].sample(at.time, &mut local);
        }
        local
    });
    for (first, second) in first.iter_mut().zip(&second) {
        if let (LocalTransform::Trs(a), LocalTransform::Trs(b)) = (first, second) {
            *a = between(a, b);
        }
    }
    let mut matrices = vec![Affine3A::IDENTITY; model.skeleton.len()];
    model.skeleton.model_from_joints(&first, &mut matrices);
    matrices.iter().map(affine_to_f64).collect()
}

fn between(a: &Trs, b: &Trs) -> Trs {
    let [ax, ay, az, aw] = a.rotation.to_array();
    let [bx, by, bz, bw] = b.rotation.to_array();
    let sign = if ax * bx + ay * by + az * bz + aw * bw < 0.0 { -1.0 } else { 1.0 };
    let sum = [ax + sign * bx, ay + sign * by, az + sign * bz, aw + sign * bw];
    let length = sum.iter().map(|component| component * component).sum::<f32>().sqrt();
    // Rotations that are half a turn apart have no shorter way: the first rotation is kept.
    let [x, y, z, w] = if length > 1e-6 { sum.map(|component| component / length) } else { [ax, ay, az, aw] };
    Trs {
        translation: 0.5 * (a.translation + b.translation),
        rotation: glam::Quat::from_xyzw(x, y, z, w),
        scale: 0.5 * (a.scale + b.scale),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Overrides, bake_with};
    use baked_format::Source;

    /// Boxes for any pose hold all of the surface between clips, and boxes of the bind pose do not.
    #[test]
    fn blends_are_held_by_boxes_for_any_pose() {
        let model = skinned_model::import(&test_models::soft_limb().to_glb(), &skinned_model::NoExternalFiles).unwrap();
        let measured = |preset: &str| {
            let options = BakeOptions::from_entries([("preset", preset), ("measure", "none")]).unwrap();
            let source = Source { file: "a.glb".into(), blake3: [0; 32], generator: String::new() };
            let bake = bake_with(&model, "a", source, &options, &Overrides::default()).unwrap();
            measure_halfway_blends(&model, &bake.character, &options).unwrap()
        };
        let [recipe, always] = ["recipe", "always"].map(measured);
        assert_eq!((always.poses, always.surface, always.escape), (BLENDS, 1.0, 0.0));
        assert!(recipe.surface < 0.999 && recipe.escape > 0.0, "{recipe:?}");
        let mut without = model.clone();
        without.clips.clear();
        let options = BakeOptions::default();
        let source = Source { file: "a.glb".into(), blake3: [0; 32], generator: String::new() };
        let bake = crate::bake(&without, "a", source, &options).unwrap();
        assert_eq!(measure_halfway_blends(&without, &bake.character, &options), None);
    }
}
