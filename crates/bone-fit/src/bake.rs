//! The whole way from a model to a baked character.

use crate::enclose::{TightBox, enclose};
use crate::fit;
use crate::group::{Groups, JointGroup, group};
use crate::options::{BakeOptions, Fit, Objective};
use crate::report::{BoxReport, FitReport, Totals};
use crate::surface::Surface;
use baked_format::{BakeWarning, BakedBox, BakedCharacter, Source};
use hull::{ConvexHull, HullError, HullShape};
use rayon::prelude::*;
use skeleton::{JointIndex, Skeleton};
use skinned_model::SkinnedModel;

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
    let surface = Surface::new(model, options.attachments);
    let groups = group(&surface, options);
    if groups.groups.is_empty() {
        let vertices = surface.parts.iter().map(|part| part.positions.len()).sum();
        return Err(BakeError::NothingBound { vertices, meshes: surface.parts.len() });
    }
    let mut warnings = import_warnings(model);
    warnings.extend(unassigned_warnings(&surface, &groups));
    let fitted: Result<Vec<Fitted>, BakeError> = groups
        .groups
        .par_iter()
        .map(|group| fit_group(group, &surface, &model.skeleton, options))
        .collect::<Vec<_>>()
        .into_iter()
        .collect();
    let fitted = fitted?;
    warnings.extend(fitted.iter().filter_map(|one| shape_warning(&one.report)));
    let (boxes, reports): (Vec<_>, Vec<_>) = fitted.into_iter().map(|one| (one.baked, one.report)).unzip();
    let character = BakedCharacter {
        name: name.into(),
        source,
        options: options.entries(),
        skeleton: model.skeleton.clone(),
        boxes,
        clips: model.clips.clone(),
        coverage: None,
        warnings,
    };
    let report = FitReport { height: surface.height, total: Totals::of(&reports), boxes: reports };
    Ok(Bake { character, report })
}

struct Fitted {
    baked: BakedBox,
    report: BoxReport,
}

fn fit_group(
    group: &JointGroup,
    surface: &Surface<'_>,
    skeleton: &Skeleton,
    options: &BakeOptions,
) -> Result<Fitted, BakeError> {
    let joint_name = || skeleton.joint(group.joint).name.clone();
    let out_of_range = |size: &f64| size.is_nan() || *size > COORDINATE_LIMIT;
    let points = group.patch.bind_points();
    if let Some(found) = points.iter().map(|point| point.abs().max_element()).find(out_of_range) {
        return Err(BakeError::OutOfRange { joint: joint_name(), found });
    }
    let hull = ConvexHull::from_points(&points).map_err(|source| BakeError::Hull { joint: joint_name(), source })?;
    let around = |fit: Fit, objective: Objective| {
        let axes = fit::orientation(fit, objective, &hull, &points);
        with_thickness(&enclose(&axes, &points), surface, group.joint, options)
    };
    let smallest = around(Fit::MinVolume, Objective::Volume);
    let sized = match (options.fit, options.objective) {
        (Fit::MinVolume, Objective::Volume) => smallest,
        (fit, objective) => around(fit, objective),
    };
    let report = BoxReport {
        joint: group.joint,
        joint_name: joint_name(),
        shape: hull.shape(),
        vertices: group.vertices,
        points: points.len() as u32,
        hull_vertices: hull.vertices().len() as u32,
        hull_volume: hull.volume(),
        volume: sized.volume(),
        min_volume: Some(smallest.volume().min(sized.volume())),
        scale: surface.scale(group.joint),
    };
    Ok(Fitted { baked: baked_box(&sized, &report), report })
}

/// At least `min_thickness` thick, and `margin` larger on every side.
fn with_thickness(tight: &TightBox, surface: &Surface<'_>, joint: JointIndex, options: &BakeOptions) -> TightBox {
    let in_joint_units = |share: f64| {
        let length = share * surface.height / surface.scale(joint);
        if length.is_finite() { length.min(COORDINATE_LIMIT) } else { 0.0 }
    };
    let thick = tight.thickened(0.5 * in_joint_units(options.min_thickness));
    if options.margin > 0.0 { thick.grown(in_joint_units(options.margin)) } else { thick }
}

fn baked_box(sized: &TightBox, report: &BoxReport) -> BakedBox {
    BakedBox {
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
