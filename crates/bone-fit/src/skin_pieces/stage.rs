//! The stage from groups to the skinned surface of the file.

use crate::assign::owner::Ownership;
use crate::error::BakeError;
use crate::options::{BakeOptions, Morphs, SkinAttributes, StoredSkin};
use crate::poses::sample_times::SampleTime;
use crate::poses::sampled::PoseSampler;
use crate::skin::bound_mesh::{BoundMesh, affine_to_f64};
use crate::skin_pieces::attributes::SourceAttributes;
use crate::skin_pieces::divide::{Cut, DividedSurface, Divider};
use crate::skin_pieces::morph_targets::stored_targets;
use crate::skin_pieces::piece::PieceMaker;
use crate::skin_pieces::rounding::StoredSurface;
use crate::skin_pieces::rounding_error::{largest_error, morph_errors};
use crate::skin_pieces::source_offsets::SourceOffsets;
use crate::skin_pieces::targets::Targets;
use crate::skin_pieces::welded::WeldedSurface;
use baked_format::{Skin, SkinBinding, SkinEncoding, SkinMesh, SkinPiece};
use glam::DVec3;
use rayon::prelude::*;
use skeleton::JointIndex;
use skinned_model::SkinnedModel;

/// The largest rounding error of `skin = "compact"`, as a share of the character's height.
pub(crate) const COMPACT_ERROR: f64 = 1e-4;

/// The share of [`COMPACT_ERROR`] that the rounding of positions may use, 0 to 1. The rounding of weights and cuts has
/// the rest.
const POSITION_SHARE: f64 = 0.5;

/// The largest number of times that the step of positions is halved if the poses stretch the surface.
const MOST_HALVINGS: usize = 6;

/// Counts of vertices and triangles in the skinned surface of a file. Each count is a sum over all pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkinReport {
    /// The number of vertices. A vertex of two pieces counts in each piece.
    pub vertices: u32,
    /// The number of points where triangles were cut. A point of two pieces counts in each piece.
    pub cuts: u32,
    /// The number of triangles, including the triangles that cutting has made.
    pub triangles: u32,
    /// The number of triangles in the source.
    pub source_triangles: u32,
    /// The number of source triangles that were divided between pieces.
    pub divided_triangles: u32,
    /// The number of source triangles that have no part in any piece, because a corner has no weights or the joints of
    /// its weights get no hitbox.
    pub left_out_triangles: u32,
    /// The number of source triangles that one piece has whole although other joints own a part, because rounding has
    /// torn the parts apart.
    pub torn_triangles: u32,
}

/// The surface for the file, with its report.
#[derive(Debug)]
pub(crate) struct BakedSkin {
    pub(crate) skin: Skin,
    pub(crate) report: SkinReport,
}

impl BakedSkin {
    /// Cuts the surface into pieces, rounds its numbers as the option `skin` asks, and measures the rounding error at
    /// `times`. Returns `None` for `skin = off`.
    ///
    /// # Errors
    /// Returns [`BakeError::TooManyBindings`].
    pub(crate) fn bake(
        model: &SkinnedModel,
        mesh: &BoundMesh<'_>,
        targets: &Targets,
        options: &BakeOptions,
        times: &[SampleTime],
    ) -> Result<Option<Self>, BakeError> {
        if options.skin == StoredSkin::Off {
            return Ok(None);
        }
        let offsets = SourceOffsets::new(model, mesh.parts.len(), options.morphs != Morphs::Ignore);
        let welded = WeldedSurface::new(mesh, &offsets)?;
        let surface = Divider::new(mesh, &welded, targets, Ownership::new(options)).divide();
        let measure = Measure { model, welded: &welded, cuts: &surface.cuts, morph_targets: offsets.len(), times };
        let (stored, errors) = match options.skin {
            StoredSkin::Compact => compact(mesh, &measure),
            StoredSkin::Lossless | StoredSkin::Off => {
                let stored = StoredSurface::new(&welded, &surface.cuts, SkinEncoding::Lossless);
                let errors = measure.errors(&stored);
                (stored, errors)
            }
        };
        let pieces = pieces(mesh, &welded, &surface, &stored, options.skin_attributes);
        let (pieces, vertices): (Vec<SkinPiece>, Vec<Vec<u32>>) = pieces.into_iter().unzip();
        let share = |error: f64| share_of_height(mesh, error) as f32;
        let morph_errors: Vec<f32> = errors.morphs.iter().copied().map(share).collect();
        let skin = Skin {
            encoding: stored.encoding,
            max_error: share(errors.base),
            meshes: meshes(model, mesh),
            bindings: welded.bindings.clone(),
            morph_targets: stored_targets(&offsets, &welded, &stored, &vertices, &morph_errors),
            pieces,
        };
        let report = report(&skin, &surface);
        Ok(Some(Self { skin, report }))
    }
}

/// Returns the surface with the longest step of positions whose rounding stays within [`COMPACT_ERROR`] in all measured
/// poses, of the base shape and of each morph target, or with the shortest step that was tried; and its rounding errors.
fn compact(mesh: &BoundMesh<'_>, measure: &Measure<'_>) -> (StoredSurface, Errors) {
    let (welded, cuts) = (measure.welded, measure.cuts);
    let mut exponent = first_step_exponent(mesh, welded);
    let mut halvings = 0;
    loop {
        let stored = StoredSurface::new(welded, cuts, SkinEncoding::Compact { step_exponent: exponent });
        let errors = measure.errors(&stored);
        let largest = errors.morphs.iter().copied().fold(errors.base, f64::max);
        let is_good = share_of_height(mesh, largest) <= COMPACT_ERROR;
        if is_good || halvings == MOST_HALVINGS || exponent == least_step_exponent(welded) {
            return (stored, errors);
        }
        exponent -= 1;
        halvings += 1;
    }
}

/// Returns the exponent of the longest power of two that moves no point by more than its share of the error in the rest
/// pose.
fn first_step_exponent(mesh: &BoundMesh<'_>, welded: &WeldedSurface) -> i8 {
    let longest = |binding: &SkinBinding| {
        let model_from_mesh = mesh.model_from_joint[binding.joint.index()] * affine_to_f64(&binding.joint_from_mesh);
        // An upper bound of the stretch of any direction.
        model_from_mesh.matrix3.to_cols_array().iter().map(|number| number * number).sum::<f64>().sqrt()
    };
    let stretch = welded.bindings.iter().map(longest).filter(|stretch| stretch.is_finite()).fold(0.0, f64::max);
    // For a rotation alone the sum of squares is 3. A step rounds by at most half a step along each of three axes,
    // which gives the same square root.
    let step = POSITION_SHARE * COMPACT_ERROR * mesh.height * 2.0 / stretch;
    // `frexp` returns a fraction from 1/2 up to but not including 1.
    let exponent = if step > 0.0 && step.is_finite() { libm::frexp(step).1 - 1 } else { i32::MIN };
    exponent.clamp(least_step_exponent(welded).into(), SkinEncoding::MOST_STEP_EXPONENT.into()) as i8
}

/// Returns the exponent of the shortest step with which the farthest coordinate can still be stored.
fn least_step_exponent(welded: &WeldedSurface) -> i8 {
    let coordinates = welded.vertices.iter().map(|vertex| vertex.position.abs().max_element());
    let (_, farthest) = libm::frexp(coordinates.fold(0.0, f32::max).into());
    let least = i32::from(SkinEncoding::LEAST_STEP_EXPONENT);
    let most_steps = SkinEncoding::MOST_STEPS.ilog2() as i32;
    (farthest - most_steps).clamp(least, SkinEncoding::MOST_STEP_EXPONENT.into()) as i8
}

/// The largest rounding errors over all measured poses, in model units.
struct Errors {
    /// The error of the base shape.
    base: f64,
    /// What each morph target adds at the weight 1.
    morphs: Vec<f64>,
}

/// The surface whose rounding errors are measured, and the poses in which they are.
struct Measure<'a> {
    model: &'a SkinnedModel,
    welded: &'a WeldedSurface,
    cuts: &'a [Cut],
    morph_targets: usize,
    times: &'a [SampleTime],
}

impl Measure<'_> {
    fn errors(&self, stored: &StoredSurface) -> Errors {
        let Self { model, welded, cuts, morph_targets, times } = *self;
        let none = || Errors { base: 0.0, morphs: vec![0.0; morph_targets] };
        times
            .par_iter()
            .map_init(
                || PoseSampler::new(&model.skeleton, &model.clips),
                |sampler, &at| {
                    let pose = sampler.pose(at);
                    let base = largest_error(welded, cuts, stored, pose);
                    Errors { base, morphs: morph_errors(morph_targets, welded, cuts, stored, pose) }
                },
            )
            .reduce(none, |one, other| {
                let morphs = one.morphs.iter().zip(&other.morphs).map(|(one, other)| one.max(*other));
                Errors { base: one.base.max(other.base), morphs: morphs.collect() }
            })
    }
}

fn share_of_height(mesh: &BoundMesh<'_>, length: f64) -> f64 {
    if mesh.height > 0.0 { (length / mesh.height).min(f64::from(f32::MAX)) } else { 0.0 }
}

fn meshes(model: &SkinnedModel, mesh: &BoundMesh<'_>) -> Vec<SkinMesh> {
    let skinned = model.meshes.iter().map(|one| (&one.name, one.node, one.triangles.len()));
    let attached = model.attachments.iter().map(|one| (&one.name, one.node, one.triangles.len()));
    // `mesh.parts` has no attachments if the bake skips attachments.
    let all = skinned.chain(attached).take(mesh.parts.len());
    all.map(|(name, node, triangles)| SkinMesh { name: name.clone(), node, triangles: triangles as u32 }).collect()
}

fn report(skin: &Skin, surface: &DividedSurface) -> SkinReport {
    let sum = |count: fn(&SkinPiece) -> usize| skin.pieces.iter().map(count).sum::<usize>() as u32;
    SkinReport {
        vertices: sum(|piece| piece.positions.len()),
        cuts: sum(|piece| piece.cuts.len()),
        triangles: sum(|piece| piece.triangles.len()),
        source_triangles: skin.meshes.iter().map(|mesh| mesh.triangles).sum(),
        divided_triangles: surface.divided,
        left_out_triangles: surface.left_out,
        torn_triangles: surface.torn,
    }
}

fn pieces(
    mesh: &BoundMesh<'_>,
    welded: &WeldedSurface,
    surface: &DividedSurface,
    stored: &StoredSurface,
    attributes: SkinAttributes,
) -> Vec<(SkinPiece, Vec<u32>)> {
    let model_from_mesh: Vec<_> = welded
        .bindings
        .iter()
        .map(|binding| mesh.model_from_joint[binding.joint.index()] * affine_to_f64(&binding.joint_from_mesh))
        .collect();
    let at_rest: Vec<DVec3> = welded
        .vertices
        .iter()
        .map(|vertex| {
            let position = vertex.position.as_dvec3();
            vertex.influences.iter().fold(DVec3::ZERO, |sum, &(binding, share)| {
                sum + share * model_from_mesh[usize::from(binding)].transform_point3(position)
            })
        })
        .collect();
    let is_wanted = attributes != SkinAttributes::None;
    let attributes = is_wanted.then(|| SourceAttributes::new(mesh, attributes, stored.encoding));
    let maker = PieceMaker { cuts: &surface.cuts, stored, at_rest: &at_rest, attributes };
    let owned = (0..surface.by_joint.len()).into_par_iter().filter(|&joint| !surface.by_joint[joint].is_empty());
    owned.map(|joint| maker.make(JointIndex(joint as u16), &surface.by_joint[joint])).collect()
}
