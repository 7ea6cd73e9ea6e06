//! The whole way from a model to a baked character.

use crate::assign::owner::{Groups, JointGroup, group};
use crate::assign::select::choose;
use crate::fit::enclose::TightBox;
use crate::fit::fitter::Context;
use crate::fit::split::split;
use crate::measure::coverage::{Cells, Escape, Measured, measure};
use crate::names::mirrored;
use crate::options::{BakeOptions, Measure, OptionError, Poses, Symmetry};
use crate::overrides::{Overrides, Resolved};
use crate::poses::sampled::Frames;
use crate::report::{BoxReport, FitReport, Totals};
use crate::skin::bound_mesh::Surface;
use baked_format::{BakeWarning, BakedCharacter, Coverage, Hitbox, Source, WorstEscape};
use hull::{HullError, HullShape};
use rayon::prelude::*;
use skeleton::{JointIndex, Skeleton};
use skinned_model::SkinnedModel;

/// Moments that boxes are fitted to at most, spread evenly over what the clips have.
pub const MOST_MOMENTS: usize = 100_000;

/// Joint-space coordinates must be below this size, so that volumes and distances stay finite in f32.
pub const COORDINATE_LIMIT: f64 = 1e12;

/// A baked character and what was found out on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Bake {
    /// What goes into the file.
    pub character: BakedCharacter,
    /// What goes into tables.
    pub report: FitReport,
}

/// Why a model cannot be baked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BakeError {
    /// No vertex has a weight, or all that have one were left out. Bind the mesh to its joints and export the weights.
    #[error("no vertex belongs to any joint ({vertices} vertices in {meshes} meshes): nothing to make a box from")]
    NothingBound {
        /// Of all meshes.
        vertices: usize,
        /// How many meshes.
        meshes: usize,
    },
    /// Give the model a sensible unit (metres), or correct the inverse bind matrix.
    #[error("joint {joint:?}: a vertex lies at {found:e} in its space; at most {COORDINATE_LIMIT:e} can be boxed")]
    OutOfRange {
        /// The joint's name.
        joint: String,
        /// The largest coordinate, or NaN or infinity.
        found: f64,
    },
    /// Correct the name, or drop the section.
    #[error("there is no joint {name:?}{}", nearest.as_ref().map(|name| format!("; did you mean {name:?}?")).unwrap_or_default())]
    UnknownJoint {
        /// As given.
        name: String,
        /// The joint that was probably meant.
        nearest: Option<String>,
    },
    /// An option of a single joint could not be set.
    #[error("joint {joint:?}: {source}")]
    JointOption {
        /// The joint's name.
        joint: String,
        /// What is wrong with it.
        source: OptionError,
    },
    /// A box made by hand needs finite numbers, half extents that are not negative and an orientation that is not 0.
    #[error(
        "joint {joint:?}: its hand-made box is no box; numbers must be finite and below {COORDINATE_LIMIT:e}, half extents not negative, the orientation not zero"
    )]
    HandBox {
        /// The joint's name.
        joint: String,
    },
    /// The hull of finite points failed: a defect of this library.
    #[error("joint {joint:?}: no convex hull")]
    Hull {
        /// The joint's name.
        joint: String,
        /// What the hull said.
        source: HullError,
    },
}

/// Bakes a model: vertices to groups, groups to hulls, hulls to boxes.
///
/// `name` is the asset's, `source` where it came from; both go into the file as they are. The same arguments give
/// the same result, whatever the number of threads (rayon's current pool is used).
///
/// # Errors
/// Where nothing is bound to a joint, or coordinates are beyond [`COORDINATE_LIMIT`].
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
    let surface = Surface::new(model, options.attachments);
    let groups = group(&surface, options);
    let mut warnings = import_warnings(model);
    warnings.extend(unassigned_warnings(&surface, &groups));
    let (mut chosen, skipped) = choose(&surface, &model.skeleton, options, groups.groups);
    chosen.retain(|group| !overrides.of(group.joint).skip);
    warnings.extend(skipped);
    let by_hand = overrides.joints.iter().any(|joint| !joint.boxes.is_empty());
    if chosen.is_empty() && !by_hand {
        let vertices = surface.parts.iter().map(|part| part.positions.len()).sum();
        return Err(BakeError::NothingBound { vertices, meshes: surface.parts.len() });
    }
    let context = Context::new(&surface, model, options, &overrides, &chosen);
    warnings.extend(context.frames.thinned_from.map(|asked| thinned_warning(asked, context.frames.len())));
    let boxes = (options.budget * chosen.len() as f64).round() as usize;
    let mut fitted = fit_all(&context, &split(&context, chosen, boxes)?)?;
    if options.symmetry == Symmetry::On {
        share_sizes(&mut fitted, &model.skeleton);
    }
    add_tags_and_hand_boxes(&mut fitted, &context, &overrides);
    warnings.extend(fitted.iter().filter_map(|one| shape_warning(&one.report)));
    let (boxes, reports): (Vec<_>, Vec<_>) = fitted.into_iter().map(|one| (one.baked, one.report)).unzip();
    let measured = measured(&context, model, &boxes);
    warnings.extend(measured.iter().flat_map(|measured| collapsed_warnings(measured, &model.skeleton)));
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
    let report = FitReport { height: surface.height, total: Totals::of(&reports), boxes: reports, measured };
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
            scale: context.surface.scale(group.joint),
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
                scale: context.surface.scale(joint_index),
            };
            let baked = Hitbox { tags: one.tags.clone(), ..baked_box(&sized, &report) };
            fitted.insert(after, Fitted { baked, report });
        }
    }
}

fn measured(context: &Context<'_>, model: &SkinnedModel, boxes: &[Hitbox]) -> Option<Measured> {
    let options = context.options;
    let sampled;
    let frames = match (options.measure, options.poses) {
        (Measure::None, _) => return None,
        (Measure::Rest, _) => &context.rest,
        (Measure::Clips, Poses::Clips) => &context.frames,
        (Measure::Clips, Poses::Bind) => {
            sampled = Frames::of_clips(&model.skeleton, &model.clips, options.rate, MOST_MOMENTS);
            &sampled
        }
    };
    let cells = Cells::new(context.surface, &context.rest);
    Some(measure(context.surface, &cells, boxes, frames, options.measure_moments))
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

fn import_warnings(model: &SkinnedModel) -> Vec<BakeWarning> {
    let carried = |warning: &skinned_model::ImportWarning| BakeWarning {
        code: warning.code.to_owned(),
        joint: warning.joint.clone(),
        text: warning.text.clone(),
    };
    model.warnings.iter().map(carried).collect()
}

fn unassigned_warnings(surface: &Surface<'_>, groups: &Groups) -> Vec<BakeWarning> {
    let warning = |&(part, vertices): &(usize, u32)| BakeWarning {
        code: "unassigned-vertices".into(),
        joint: None,
        text: format!(
            "mesh {:?}: {vertices} of {} vertices belong to no joint's group and are in no box",
            surface.parts[part].name,
            surface.parts[part].positions.len(),
        ),
    };
    groups.unassigned.iter().map(warning).collect()
}

fn thinned_warning(asked: usize, taken: usize) -> BakeWarning {
    let text = format!("the clips need {asked} moments at this rate; {taken} are looked at");
    BakeWarning { code: "clips-thinned".into(), joint: None, text }
}

fn collapsed_warnings(measured: &Measured, skeleton: &Skeleton) -> Vec<BakeWarning> {
    let warning = |&(joint, moments): &(JointIndex, u32)| {
        let name = &skeleton.joint(joint).name;
        let text = format!(
            "joint {name:?}: scaled to nothing in {moments} of {} moments; its surface does not count there",
            measured.moments
        );
        BakeWarning { code: "collapsed-joint".into(), joint: Some(name.clone()), text }
    };
    measured.collapsed.iter().map(warning).collect()
}

fn shape_warning(report: &BoxReport) -> Option<BakeWarning> {
    let spanned = match report.shape {
        HullShape::Solid => return None,
        HullShape::Polygon => "lie in one plane",
        HullShape::Segment => "lie on one line",
        HullShape::Point => "are all at one place",
    };
    let text = format!(
        "joint {:?}: its {} points {spanned}; the box has the least thickness instead of none",
        report.joint_name, report.points
    );
    Some(BakeWarning { code: "flat-group".into(), joint: Some(report.joint_name.clone()), text })
}
