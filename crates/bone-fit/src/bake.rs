//! All stages of a bake, from a model to a baked character.

use crate::assign::groups::Groups;
use crate::attacks;
use crate::envelope::envelopes::envelopes;
use crate::error::BakeError;
use crate::fit::fitted_box::BoxReport;
use crate::fit::fitted_boxes::FittedBoxes;
use crate::fit::manual_boxes::ManualBoxes;
use crate::fit::split::Pieces;
use crate::fit::upright::Stands;
use crate::measure::coverage::{Coverage, MeasuredTimes};
use crate::observer::{BakeObserver, BakeStep, start};
use crate::options::{BakeOptions, Overrides, Parts, Poses};
use crate::poses::sample_times::SampleTime;
use crate::poses::sampled::SampledPoses;
use crate::ragdoll;
use crate::revision::ALGORITHM_REVISION;
use crate::skin::bound_mesh::BoundMesh;
use crate::skin::morph_shapes::MorphShapes;
use crate::skin_pieces::{BakedSkin, SkinReport, Targets};
use crate::warnings;
use baked_format::{BakedCharacter, Hitbox, Source, compact_clip};
use skeleton::{Clip, JointIndex};
use skinned_model::SkinnedModel;

/// A baked character and its report.
#[derive(Clone, Debug, PartialEq)]
pub struct Bake {
    /// The character that a `.bonebox` file holds.
    pub character: BakedCharacter,
    /// Results that the file does not hold, for tables.
    pub report: FitReport,
}

/// The results of a bake that its file does not keep. [`Figures::of_bake`](crate::Figures::of_bake) gives the sums over
/// all boxes.
#[derive(Clone, Debug, PartialEq)]
pub struct FitReport {
    /// The character's extent along y in the rest pose, in model units; the longest extent if the extent along y is 0.
    pub height: f64,
    /// One report for each hitbox of the bake, in the order of the hitboxes.
    pub boxes: Vec<BoxReport>,
    /// The coverage and the escapes of the boxes; `None` if they were not measured.
    pub measured: Option<Coverage>,
    /// For each joint, the joint whose hitboxes hold its skin: the joint itself, or the joint that `parts`, `merge` or `small`
    /// gave its skin to.
    pub holders: Vec<JointIndex>,
    /// The counts of vertices and triangles in the skinned surface of the file; `None` for `skin = off`.
    pub skin: Option<SkinReport>,
}

/// Bakes a model without overrides; see [`bake_with`].
///
/// # Errors
/// Returns [`BakeError::NothingBound`], [`BakeError::AllIgnored`], [`BakeError::OutOfRange`], [`BakeError::Hull`] or another error of
/// [`bake_with`].
pub fn bake(model: &SkinnedModel, name: &str, source: Source, options: &BakeOptions) -> Result<Bake, BakeError> {
    bake_with(model, name, source, options, &Overrides::default())
}

/// Bakes a model: assigns its surface to joints, fits boxes in joint space and measures them.
///
/// `name` is the asset's name, and `source` describes the asset's file; both are copied to the baked character. The
/// same arguments give the same result for any number of threads. The bake uses the current thread pool of rayon.
///
/// # Errors
/// Returns a [`BakeError`] if no vertex is bound to a joint that gets a box, if coordinates in joint space are beyond
/// [`COORDINATE_LIMIT`](crate::COORDINATE_LIMIT), if the overrides name a joint or an option that does not exist or
/// hold an invalid box, or if two options exclude each other.
pub fn bake_with(
    model: &SkinnedModel,
    name: &str,
    source: Source,
    options: &BakeOptions,
    overrides: &Overrides,
) -> Result<Bake, BakeError> {
    bake_observed(model, name, source, options, overrides, &())
}

/// Bakes a model as [`bake_with`] does. The observer receives each step and may cancel the bake.
///
/// # Errors
/// Returns the errors of [`bake_with`], and [`BakeError::Canceled`] if the observer cancels the bake.
pub fn bake_observed(
    model: &SkinnedModel,
    name: &str,
    source: Source,
    options: &BakeOptions,
    overrides: &Overrides,
    observer: &dyn BakeObserver,
) -> Result<Bake, BakeError> {
    bake_from(model, name, source, options, overrides, None, observer)
}

/// Bakes a model with hitboxes that were fitted before, in place of fitting them. Everything else is as in
/// [`bake_observed`]: the manual boxes of the overrides are added, and all hitboxes are measured on this model.
///
/// `hitboxes` are in the joint spaces of this model. Their joints are indices into its skeleton.
///
/// # Errors
/// Returns the errors of [`bake_observed`], and [`BakeError::GivenHitboxes`] if a hitbox is attached to a joint that
/// does not exist, or if `poses` is `"any"`, which needs the pieces that hitboxes were fitted to.
pub fn bake_with_hitboxes(
    model: &SkinnedModel,
    name: &str,
    source: Source,
    options: &BakeOptions,
    overrides: &Overrides,
    hitboxes: &[Hitbox],
    observer: &dyn BakeObserver,
) -> Result<Bake, BakeError> {
    if options.poses == Poses::Any {
        return Err(BakeError::GivenHitboxes("poses is \"any\", so hitboxes change with the skin; use another preset"));
    }
    if hitboxes.iter().any(|one| one.joint.index() >= model.skeleton.len()) {
        return Err(BakeError::GivenHitboxes("one of them is attached to a joint that does not exist"));
    }
    bake_from(model, name, source, options, overrides, Some(hitboxes), observer)
}

fn bake_from(
    model: &SkinnedModel,
    name: &str,
    source: Source,
    options: &BakeOptions,
    overrides: &Overrides,
    given: Option<&[Hitbox]>,
    observer: &dyn BakeObserver,
) -> Result<Bake, BakeError> {
    start(observer, BakeStep::Assign)?;
    let shapes = MorphShapes::add(model, options.morphs);
    let (base, model) = (model, &*shapes.model);
    let found = overrides.humanoid.resolve(model)?;
    let mut joint_options = overrides.resolve(&model.skeleton, options)?;
    joint_options.set_options_of_parts(&model.skeleton, found.humanoid.as_ref(), overrides)?;
    let without_humanoid = joint_options.plan_parts(&model.skeleton, found.humanoid.as_ref(), overrides);
    let joint_options = &joint_options;
    joint_options.check(&model.skeleton)?;
    let mesh = BoundMesh::of_bake(model, options);
    let groups = Groups::assign(&mesh, joint_options).gather(model, &mesh, joint_options);
    let of_selection = warnings::of_selection(&mesh, &groups, joint_options);
    let groups = groups.select(&mesh, joint_options)?;
    start(observer, BakeStep::Sample)?;
    let poses = SampledPoses::to_fit(model, joint_options, &mesh, &groups);
    let mut warnings = warnings::before_fitting(model, &mesh, &groups, &poses);
    warnings.extend(warnings::of_morph_targets(model, &shapes, options));
    warnings.extend(warnings::unusable_vrm_humanoid(&found));
    warnings.extend(without_humanoid.map(|without| warnings::parts_without_humanoid(model, &without)));
    warnings.extend(of_selection);
    warnings.extend(warnings::of_merges(&mesh, &groups, joint_options));
    warnings.extend(warnings::options_of_missing_parts(&groups, joint_options, overrides));
    let holders = groups.holders.clone();
    let targets = Targets::new(&mesh, &groups, joint_options);
    let manual = ManualBoxes::examine(&mesh, &groups, joint_options)?;
    warnings.extend(warnings::implausible_settings(&mesh, &manual, joint_options));
    start(observer, BakeStep::Split)?;
    let (boxes, envelopes) = match given {
        Some(hitboxes) => (FittedBoxes::given(&mesh, hitboxes, manual), Vec::new()),
        None => {
            let stands = Stands::new(&mesh, &groups, found.humanoid.as_ref(), joint_options);
            let pieces = Pieces::split(&mesh, groups, &poses, joint_options, &stands, observer)?;
            start(observer, BakeStep::Fit)?;
            let boxes = FittedBoxes::fit(&mesh, &poses, &pieces, manual, joint_options, &stands, observer)?;
            warnings.extend(warnings::not_mirrored(&mesh, &boxes.left_out));
            let envelopes = envelopes(model, &mesh, &boxes.with_pieces(&pieces), joint_options);
            (boxes, envelopes)
        }
    };
    let (hitboxes, reports) = boxes.into_hitboxes_and_reports();
    start(observer, BakeStep::Measure)?;
    let coverage = Coverage::measure(model, &mesh, (&hitboxes, &envelopes), &holders, options, observer)?;
    let measured = coverage.as_ref();
    let all = (&hitboxes[..], &envelopes[..]);
    warnings.extend(warnings::after_fitting(&mesh, all, &reports, measured, &holders, joint_options));
    let times: Vec<SampleTime> = MeasuredTimes::new(model, options).for_shares().collect();
    // The stored skin is the base shape.
    let base_mesh = shapes.has_shapes().then(|| BoundMesh::of_bake(base, options));
    let skin = BakedSkin::bake(base, base_mesh.as_ref().unwrap_or(&mesh), &targets, options, &times)?;
    warnings.extend(skin.as_ref().and_then(|skin| warnings::coarse_skin(skin.skin.max_error, options)));
    warnings.extend(warnings::missing_attributes(skin.as_ref().map(|skin| &skin.skin), options));
    let clips: Vec<Clip> = model.clips.iter().map(compact_clip).collect();
    let found_attacks = attacks::find(overrides, &model.skeleton, &clips, &hitboxes, mesh.height as f32)?;
    warnings.extend(found_attacks.warnings);
    let falling = ragdoll::Character {
        skeleton: &model.skeleton,
        clips: &clips,
        hitboxes: &hitboxes,
        humanoid: found.humanoid.as_ref(),
        height: mesh.height,
        rate: options.rate,
        all_joints: options.parts != Parts::JOINTS,
    };
    let found_ragdoll = overrides.ragdoll.as_ref().map(|settings| ragdoll::find(&falling, settings)).transpose()?;
    let ragdoll = found_ragdoll.map(|found| {
        warnings.extend(found.warnings);
        found.ragdoll
    });
    let (skin, skin_report) = skin.map_or((None, None), |baked| (Some(baked.skin), Some(baked.report)));
    let character = BakedCharacter {
        name: name.into(),
        source,
        algorithm_revision: ALGORITHM_REVISION,
        options: options.entries(),
        skeleton: model.skeleton.clone(),
        boxes: hitboxes,
        clips,
        coverage: coverage.as_ref().map(baked_format::Coverage::from),
        warnings,
        humanoid: found.humanoid,
        skin,
        envelopes,
        attacks: found_attacks.attacks,
        states: found_attacks.states,
        ragdoll,
    };
    Ok(Bake {
        character,
        report: FitReport { height: mesh.height, boxes: reports, measured: coverage, holders, skin: skin_report },
    })
}
