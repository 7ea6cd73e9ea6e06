//! The whole way from a model to a baked character.

use crate::assign::owner::{JointGroup, group};
use crate::assign::select::choose;
use crate::error::BakeError;
use crate::fit::enclose::TightBox;
use crate::fit::fitter::Context;
use crate::fit::split::split;
use crate::measure::coverage::{Cells, Escape, Measured, measure};
use crate::names::mirrored;
use crate::options::{BakeOptions, Measure, Poses, Symmetry};
use crate::overrides::{Overrides, Resolved};
use crate::poses::sample_times::MOST_SAMPLE_TIMES;
use crate::poses::sampled::SampledPoses;
use crate::report::{BoxReport, FitReport, Totals};
use crate::skin::bound_mesh::BoundMesh;
use crate::warnings;
use baked_format::{BakeWarning, BakedCharacter, Coverage, Hitbox, Source, WorstEscape};
use hull::HullShape;
use rayon::prelude::*;
use skeleton::{JointIndex, Skeleton};
use skinned_model::SkinnedModel;

/// A baked character and what was found out on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Bake {
    /// What goes into the file.
    pub character: BakedCharacter,
    /// What goes into tables.
    pub report: FitReport,
}

/// Bakes a model: vertices to groups, groups to hulls, hulls to boxes.
///
/// `name` is the asset's, `source` where it came from; both go into the file as they are. The same arguments give
/// the same result, whatever the number of threads (rayon's current pool is used).
///
/// # Errors
/// Where nothing is bound to a joint, or coordinates are beyond [`COORDINATE_LIMIT`](crate::COORDINATE_LIMIT).
pub fn bake(model: &SkinnedModel, name: &str, source: Source, options: &BakeOptions) -> Result<Bake, BakeError> {
    bake_with(model, name, source, options, &Overrides::default())
}

/// [`bake`], with what people say about single joints.
///
/// # Errors
/// As [`bake`], and where the overrides name a joint or an option that is not there, or hold a box that is none.
pub fn bake_with(
    model: &SkinnedModel,
    name: &str,
    source: Source,
    options: &BakeOptions,
    overrides: &Overrides,
) -> Result<Bake, BakeError> {
    let overrides = overrides.resolve(&model.skeleton, options)?;
    let mesh = BoundMesh::new(model, options.attachments);
    let groups = group(&mesh, options);
    let mut warnings: Vec<BakeWarning> = warnings::of_import(model).collect();
    warnings.extend(warnings::unassigned_vertices(&mesh, &groups));
    let (mut chosen, skipped) = choose(&mesh, &model.skeleton, options, groups.groups);
    chosen.retain(|group| !overrides.of(group.joint).skip);
    warnings.extend(warnings::small_groups_skipped(&model.skeleton, &skipped));
    let by_hand = overrides.joints.iter().any(|joint| !joint.boxes.is_empty());
    if chosen.is_empty() && !by_hand {
        let vertices = mesh.parts.iter().map(|part| part.positions.len()).sum();
        return Err(BakeError::NothingBound { vertices, meshes: mesh.parts.len() });
    }
    let context = Context::new(&mesh, model, options, &overrides, &chosen);
    warnings.extend(warnings::clips_thinned(&context.poses));
    let boxes = (options.budget * chosen.len() as f64).round() as usize;
    let mut fitted = fit_all(&context, &split(&context, chosen, boxes)?)?;
    if options.symmetry == Symmetry::On {
        share_sizes(&mut fitted, &model.skeleton);
    }
    add_tags_and_hand_boxes(&mut fitted, &context, &overrides);
    warnings.extend(fitted.iter().filter_map(|one| warnings::flat_group(&one.report)));
    let (boxes, reports): (Vec<_>, Vec<_>) = fitted.into_iter().map(|one| (one.baked, one.report)).unzip();
    let measured = measured(&context, model, &boxes);
    warnings.extend(measured.iter().flat_map(|measured| warnings::collapsed_joints(measured, &model.skeleton)));
    let character = BakedCharacter {
        name: name.into(),
        source,
        options: options.entries(),
        skeleton: model.skeleton.clone(),
        boxes,
        clips: model.clips.clone(),
        coverage: measured.as_ref().map(coverage),
        warnings,
    };
    let report = FitReport { height: mesh.height, total: Totals::of(&reports), boxes: reports, measured };
    Ok(Bake { character, report })
}

struct Fitted {
    baked: Hitbox,
    report: BoxReport,
}

/// Every box, joints in parallel, in the order of the joints.
fn fit_all(context: &Context<'_>, groups: &[JointGroup]) -> Result<Vec<Fitted>, BakeError> {
    let fit = |group: &JointGroup| {
        let fitted = context.fit(group.joint, &group.patch)?;
        let report = BoxReport {
            joint: group.joint,
            joint_name: context.skeleton.joint(group.joint).name.clone(),
            shape: fitted.shape,
            vertices: group.vertices.len() as u32,
            points: group.patch.corners.len() as u32,
            hull_vertices: fitted.hull_vertices,
            hull_volume: fitted.hull_volume,
            volume: fitted.sized.volume(),
            min_volume: Some(fitted.min_volume),
            scale: context.mesh.scale(group.joint),
        };
        Ok(Fitted { baked: baked_box(&fitted.sized, &report), report })
    };
    // Collected before errors are looked at, so that the first joint's error is reported whichever thread was first.
    groups.par_iter().map(fit).collect::<Vec<_>>().into_iter().collect()
}

/// Gives the boxes of mirrored joints, where each has one, the larger of their half extents, the longest to the longest.
fn share_sizes(fitted: &mut [Fitted], skeleton: &Skeleton) {
    let single = |fitted: &[Fitted], joint: JointIndex| {
        let mut of_joint = (0..fitted.len()).filter(|&index| fitted[index].baked.joint == joint);
        of_joint.next().filter(|_| of_joint.next().is_none())
    };
    for left in 0..fitted.len() {
        let joint = fitted[left].baked.joint;
        let Some(other) = mirrored(&skeleton.joint(joint).name).and_then(|name| skeleton.find(&name)) else { continue };
        let Some(right) = single(fitted, other).filter(|_| joint < other && single(fitted, joint).is_some()) else {
            continue;
        };
        let [mut a, mut b] = [left, right].map(|index| fitted[index].baked.half_extents.to_array());
        let by_length = |half: &[f32; 3]| {
            let mut order = [0, 1, 2];
            order.sort_by(|&i: &usize, &j| half[j].total_cmp(&half[i]));
            order
        };
        for (i, j) in by_length(&a).into_iter().zip(by_length(&b)) {
            let larger = a[i].max(b[j]);
            (a[i], b[j]) = (larger, larger);
        }
        for (index, half) in [(left, a), (right, b)] {
            fitted[index].baked.half_extents = half.into();
            fitted[index].report.volume = 8.0 * half.into_iter().map(f64::from).product::<f64>();
        }
    }
}

/// Tags all boxes of a joint and adds those made by hand after the fitted ones.
fn add_tags_and_hand_boxes(fitted: &mut Vec<Fitted>, context: &Context<'_>, overrides: &Resolved) {
    for one in fitted.iter_mut() {
        one.baked.tags.clone_from(&overrides.of(one.baked.joint).tags);
    }
    for (index, joint) in overrides.joints.iter().enumerate() {
        let joint_index = JointIndex(index as u16);
        for one in &joint.boxes {
            let after = fitted.partition_point(|fitted| fitted.baked.joint <= joint_index);
            let sized = TightBox { center: one.center, half_extents: one.half_extents, orientation: one.orientation };
            let report = BoxReport {
                joint: joint_index,
                joint_name: context.skeleton.joint(joint_index).name.clone(),
                shape: HullShape::Solid,
                vertices: 0,
                points: 0,
                hull_vertices: 0,
                hull_volume: 0.0,
                volume: sized.volume(),
                min_volume: None,
                scale: context.mesh.scale(joint_index),
            };
            let baked = Hitbox { tags: one.tags.clone(), ..baked_box(&sized, &report) };
            fitted.insert(after, Fitted { baked, report });
        }
    }
}

fn measured(context: &Context<'_>, model: &SkinnedModel, boxes: &[Hitbox]) -> Option<Measured> {
    let options = context.options;
    let sampled;
    let poses = match (options.measure, options.poses) {
        (Measure::None, _) => return None,
        (Measure::Rest, _) => &context.rest,
        (Measure::Clips, Poses::Clips) => &context.poses,
        (Measure::Clips, Poses::Bind) => {
            sampled = SampledPoses::of_clips(&model.skeleton, &model.clips, options.rate, MOST_SAMPLE_TIMES);
            &sampled
        }
    };
    let cells = Cells::new(context.mesh, &context.rest);
    Some(measure(context.mesh, &cells, boxes, poses, options.measure_moments))
}

fn coverage(measured: &Measured) -> Coverage {
    let worst = |worst: Escape| WorstEscape { joint: worst.joint, clip: worst.at.clip, time: worst.at.time };
    Coverage {
        surface_rest: measured.surface_rest as f32,
        surface_clips: measured.surface_clips as f32,
        max_escape: measured.max_escape as f32,
        worst: measured.worst.map(worst),
    }
}

fn baked_box(sized: &TightBox, report: &BoxReport) -> Hitbox {
    Hitbox {
        joint: report.joint,
        tags: Vec::new(),
        center: sized.center,
        half_extents: sized.half_extents,
        orientation: sized.orientation,
        vertices: report.vertices,
        hull_vertices: report.hull_vertices,
        hull_volume: report.hull_volume as f32,
        min_volume: report.min_volume.map(|volume| volume as f32),
    }
}
