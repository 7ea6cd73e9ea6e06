//! All warnings of a bake. Each warning says what is wrong, where, and which option helps.

use crate::assign::groups::{Groups, JointGroup};
use crate::fit::fitted_box::BoxReport;
use crate::fit::manual_boxes::{Doubt, DoubtKind, ManualBoxes, ManualFit, ProbableUnit};
use crate::fit::mirrored_joints::NotMirrored;
use crate::measure::coverage::Coverage;
use crate::measure::escapes::Areas;
use crate::options::{
    Attachments, BakeOptions, Bridge, LengthUnit, Morphs, Overrides, Poses, Shape, SkinAttributes, Small, StoredSkin,
};
use crate::poses::sampled::SampledPoses;
use crate::resolve::{FoundHumanoid, JointOptions, WithoutHumanoid};
use crate::skin::bound_mesh::{BoundMesh, Ignored};
use crate::skin::morph_shapes::MorphShapes;
use crate::skin_pieces::COMPACT_ERROR;
use baked_format::limits::MAX_MORPH_TARGETS;
use baked_format::{BakeWarning, Envelope, Hitbox, HitboxRole, HitboxShape, Skin, SkinPiece, VertexAttributes};
use glam::{DMat3, DVec3};
use skeleton::humanoid::Humanoid;
use skeleton::{JointIndex, NamePattern};
use skinned_model::{MorphTargets, Morphed, SkinnedModel};
use std::collections::{BTreeMap, BTreeSet};

/// A bake warns if the coverage is below this share of the surface, 0 to 1. With `tight` and `cover` the boxes of every
/// character of the corpus hold more than 0.95.
const LOW_COVERAGE: f64 = 0.9;

/// Returns the warnings of the import, the assignment and the sampling of poses, in this order.
pub(crate) fn before_fitting(
    model: &SkinnedModel,
    mesh: &BoundMesh<'_>,
    groups: &Groups,
    poses: &SampledPoses,
) -> Vec<BakeWarning> {
    let mut warnings: Vec<BakeWarning> = of_import(model).collect();
    warnings.extend(of_ignored(&mesh.ignored));
    warnings.extend(unassigned_vertices(model, mesh, groups));
    warnings.extend(implausible_size(mesh, groups));
    warnings.extend(small_groups_skipped(mesh, groups));
    warnings.extend(groups_not_merged(mesh, groups));
    warnings.extend(clips_thinned(poses));
    warnings
}

/// Returns the warnings of fitting and measuring, in this order.
pub(crate) fn after_fitting(
    mesh: &BoundMesh<'_>,
    (boxes, envelopes): (&[Hitbox], &[Envelope]),
    reports: &[BoxReport],
    coverage: Option<&Coverage>,
    holders: &[JointIndex],
    options: &JointOptions<'_>,
) -> Vec<BakeWarning> {
    let flat = |(hitbox, report)| flat_group(mesh, hitbox, report, options.get(hitbox.joint));
    let mut warnings: Vec<BakeWarning> = boxes.iter().zip(reports).filter_map(flat).collect();
    warnings.extend(
        boxes.iter().zip(reports).filter_map(|(hitbox, report)| box_in_place_of_hull(mesh, hitbox, report, options)),
    );
    warnings.extend(coverage.into_iter().flat_map(|coverage| collapsed_joints(mesh, coverage)));
    let is_low = |coverage: &&Coverage| coverage.surface_rest.min(coverage.surface_clips) < LOW_COVERAGE;
    warnings.extend(coverage.filter(is_low).map(|coverage| {
        let unheld = unheld_joints(mesh, (boxes, envelopes), holders, options);
        low_coverage(mesh, coverage, &unheld, options.character)
    }));
    warnings
}

/// Returns a warning if a hitbox is a box although its joint asks for a hull. A manual box was made from no points.
fn box_in_place_of_hull(
    mesh: &BoundMesh<'_>,
    hitbox: &Hitbox,
    report: &BoxReport,
    options: &JointOptions<'_>,
) -> Option<BakeWarning> {
    let wanted = options.get(hitbox.joint);
    if wanted.shape != Shape::Hull || hitbox.shape == HitboxShape::Hull || report.points == 0 {
        return None;
    }
    let joint = mesh.name(hitbox.joint);
    let text = format!(
        "joint {joint:?} keeps its box: no hull with at most {} vertices has less volume; raise max_vertices if its surface is not flat",
        wanted.max_vertices
    );
    Some(BakeWarning { code: "box-in-place-of-hull".into(), joint: Some(joint.to_owned()), text })
}

/// Returns a warning if a VRM extension has bones that make no humanoid.
pub(crate) fn unusable_vrm_humanoid(found: &FoundHumanoid) -> Option<BakeWarning> {
    let error = found.vrm_error.as_ref()?;
    let instead = if found.humanoid.is_some() { "were taken from joint names" } else { "are not in the baked file" };
    let text = format!("the humanoid of the VRM extension cannot be used: {error}; the bones {instead}");
    Some(BakeWarning { code: "unusable-vrm-humanoid".into(), joint: None, text })
}

/// Returns one warning for the meshes whose morph targets are ignored, one for each mesh with too many shapes, and one if
/// the skin has too many targets.
pub(crate) fn of_morph_targets(
    model: &SkinnedModel,
    shapes: &MorphShapes<'_>,
    options: &BakeOptions,
) -> Vec<BakeWarning> {
    let warning = |text: String| BakeWarning { code: "morph-targets".into(), joint: None, text };
    let name = |of: Morphed| format!("mesh {:?}", of.in_model(model).map_or("", |(name, _)| name));
    let mut warnings = Vec::new();
    let is_read =
        |targets: &&MorphTargets| matches!(targets.of, Morphed::Mesh(_)) || options.attachments == Attachments::Include;
    let read: Vec<&MorphTargets> = model.morph_targets.iter().filter(is_read).collect();
    if let (Morphs::Ignore, [first, ..]) = (options.morphs, &*read) {
        let moved = if read.iter().any(|targets| !targets.weights.is_empty()) {
            "morphs = \"clips\" (the shapes of the file's animations) or \"extremes\" (each target at weight 1 too)"
        } else {
            "morphs = \"extremes\" (each target at weight 1)"
        };
        warnings.push(warning(format!(
            "the morph targets of {} are ignored, so hitboxes hold the base shape only; to hold other shapes, set {moved}",
            match read.len() {
                1 => name(first.of),
                count => format!("{} and {} more", name(first.of), count - 1),
            }
        )));
    }
    for &(mesh, left_out) in &shapes.left_out {
        warnings.push(warning(format!(
            "{}: {left_out} lists of weights of its animated morph targets are left out, because there are too many; \
             hitboxes hold the largest and the smallest weight of each target",
            name(mesh)
        )));
    }
    let targets: usize = read.iter().flat_map(|targets| &targets.offsets).filter(|one| !one.is_empty()).count();
    if options.morphs != Morphs::Ignore && options.skin != StoredSkin::Off && targets > MAX_MORPH_TARGETS {
        warnings.push(warning(format!(
            "the stored skin has the first {MAX_MORPH_TARGETS} of {targets} morph targets, because a file holds no more; exact \
             answers do not know the others"
        )));
    }
    warnings
}

/// Returns the warning that a set of parts for a human figure became a number of parts, with the reason.
pub(crate) fn parts_without_humanoid(model: &SkinnedModel, without: &WithoutHumanoid) -> BakeWarning {
    let why = match Humanoid::guess(&model.skeleton) {
        Err(error) => error.to_string(),
        Ok(_) => "the settings say that it has none".to_owned(),
    };
    let text = format!(
        "parts = {:?} needs a humanoid, but this character has none ({why}); the bake chose at most {} parts; name the bones under \
         [humanoid], or write parts = {1}",
        without.parts.keyword(),
        without.count
    );
    BakeWarning { code: "parts-without-humanoid".into(), joint: None, text }
}

/// Returns one warning for each part with options that no hitbox belongs to.
pub(crate) fn options_of_missing_parts(
    groups: &Groups,
    options: &JointOptions<'_>,
    overrides: &Overrides,
) -> Vec<BakeWarning> {
    let is_there = |part: &str| {
        groups.groups.iter().any(|group| {
            let names = options.part_names.get(group.joint.index());
            names.is_some_and(|names| names.contains(&part))
        })
    };
    let warning = |part: &String| {
        let why = if options.part_names.is_empty() {
            "the character has no humanoid; name the bones under [humanoid], or use [joints.NAME]"
        } else {
            "no hitbox of the character belongs to this part; delete the section, or write it for the characters that have the part"
        };
        let text = format!("the options of the part {part:?} have no effect: {why}");
        BakeWarning { code: "part-without-effect".into(), joint: None, text }
    };
    overrides.parts.keys().filter(|part| !is_there(part)).map(warning).collect()
}

/// Returns one warning for each reason why hitboxes are not mirror images, with the joints.
pub(crate) fn not_mirrored(mesh: &BoundMesh<'_>, left_out: &[(JointIndex, NotMirrored)]) -> Vec<BakeWarning> {
    let mut reasons: Vec<NotMirrored> = left_out.iter().map(|&(_, why)| why).collect();
    reasons.sort();
    reasons.dedup();
    let warning = |reason: NotMirrored| {
        let joints: Vec<&str> =
            left_out.iter().filter(|(_, why)| *why == reason).map(|&(joint, _)| mesh.name(joint)).collect();
        let why = match reason {
            NotMirrored::NoPlane => {
                "the rest pose has no plane of symmetry across x, y or z; use symmetry = \"sizes\", or correct the rest pose"
            }
            NotMirrored::Place => {
                "in the rest pose, the joint on the other side is not at the mirrored place; correct the rest pose"
            }
            NotMirrored::Scale => {
                "the joint has an uneven scale in the rest pose; apply the scale in the modeling program"
            }
            NotMirrored::Several => {
                "its hitboxes do not come in pairs, because its skin was cut in several parts; set max_boxes = 1 for it"
            }
            NotMirrored::Skin => {
                "a hitbox around the skin of both sides would have more than twice the volume, or its shape is a hull, or its \
                 axes are the joint's; set attachments = \"skip\" if one side holds a weapon"
            }
        };
        let text = format!("symmetry = \"mirror\" does not mirror the hitboxes of {}: {why}", joints.join(", "));
        BakeWarning { code: "not-mirrored".into(), joint: None, text }
    };
    reasons.into_iter().map(warning).collect()
}

/// Returns one warning for each pattern of `include` and `exclude` that matches joints but changes nothing, because none of them
/// would get a hitbox without it. `groups` are those before the selection.
pub(crate) fn of_selection(mesh: &BoundMesh<'_>, groups: &Groups, options: &JointOptions<'_>) -> Vec<BakeWarning> {
    let BakeOptions { include, exclude, .. } = options.character;
    let joints = || mesh.all_joints().into_iter();
    let has_skin = |joint: JointIndex| groups.groups.iter().any(|group| group.joint == joint);
    let any_matches = |patterns: &[NamePattern], name: &str| patterns.iter().any(|pattern| pattern.matches(name));
    let is_included = |joint: JointIndex| include.is_empty() || any_matches(include, mesh.name(joint));
    let is_kept = |joint: JointIndex| !any_matches(exclude, mesh.name(joint));
    let warning = |key: &str, pattern: &NamePattern, is_open: &dyn Fn(JointIndex) -> bool, others: &str| {
        let matched = || joints().filter(|&joint| pattern.matches(mesh.name(joint)));
        let first = matched().next().filter(|_| !matched().any(|joint| has_skin(joint) && is_open(joint)))?;
        let why = match matched().any(has_skin) {
            true => others,
            false => "none of them has skin of its own",
        };
        let text = format!(
            "{key} = {:?} matches {} joints, such as {:?}, but has no effect: {why}; delete the pattern",
            pattern.as_str(),
            matched().count(),
            mesh.name(first)
        );
        Some(BakeWarning { code: "pattern-without-effect".into(), joint: None, text })
    };
    let of_include = include.iter().filter_map(|one| warning("include", one, &is_kept, "`exclude` leaves them out"));
    let of_exclude =
        exclude.iter().filter_map(|one| warning("exclude", one, &is_included, "`include` leaves them out already"));
    of_include.chain(of_exclude).collect()
}

/// Returns one warning for each pattern of `merge` that matches joints but merges none of them, and for each tag that no
/// hitbox has because the joints with the tag gave their skin to other joints.
pub(crate) fn of_merges(mesh: &BoundMesh<'_>, groups: &Groups, options: &JointOptions<'_>) -> Vec<BakeWarning> {
    let joints = || (0..mesh.skeleton.len()).map(|joint| JointIndex(joint as u16));
    let gave = |joint: JointIndex| groups.holders[joint.index()] != joint;
    let mut warnings = Vec::new();
    for pattern in &options.character.merge {
        let matched = || joints().filter(|&joint| pattern.matches(mesh.name(joint)));
        let Some(first) = matched().next().filter(|_| !matched().any(gave)) else { continue };
        let text = format!(
            "merge = {:?} matches {} joints, such as {:?}, but merges none: they have no skin, or no joint above them has skin; \
             delete the pattern, or use parts",
            pattern.as_str(),
            matched().count(),
            mesh.name(first)
        );
        warnings.push(BakeWarning { code: "merge-without-effect".into(), joint: None, text });
    }
    let has_boxes = |&joint: &JointIndex| {
        let has_group = groups.groups.iter().any(|group| group.joint == joint);
        has_group || !options.joint(joint).boxes.is_empty()
    };
    let kept: BTreeSet<&String> = joints().filter(has_boxes).flat_map(|joint| &options.joint(joint).tags).collect();
    let mut lost: BTreeMap<&String, JointIndex> = BTreeMap::new();
    for joint in joints().filter(|&joint| gave(joint)) {
        for tag in options.joint(joint).tags.iter().filter(|tag| !kept.contains(tag)) {
            lost.entry(tag).or_insert(joint);
        }
    }
    warnings.extend(lost.into_iter().map(|(tag, joint)| {
        let [name, holder] = [joint, groups.holders[joint.index()]].map(|joint| mesh.name(joint));
        let text = format!(
            "joint {name:?}: no hitbox has the tag {tag:?}, because the joint gave its skin to {holder:?}; give {holder:?} the tag \
             too, or keep {name:?}"
        );
        BakeWarning { code: "tag-lost".into(), joint: Some(name.to_owned()), text }
    }));
    warnings
}

/// Returns warnings about settings that are probably mistakes: manual boxes in a wrong unit, and margins that were
/// meant as lengths.
pub(crate) fn implausible_settings(
    mesh: &BoundMesh<'_>,
    manual: &ManualBoxes,
    options: &JointOptions<'_>,
) -> Vec<BakeWarning> {
    let mut warnings: Vec<BakeWarning> =
        manual.0.iter().filter_map(|one| Some(implausible_box(mesh, one, one.doubt?))).collect();
    let character = options.character.margin;
    warnings.extend(implausible_margin(mesh, None, character));
    for (index, joint) in options.joints.iter().enumerate() {
        let own = joint.options.iter().map(|own| own.margin).find(|own| *own != character);
        let name = mesh.name(JointIndex(index as u16));
        warnings.extend(own.and_then(|margin| implausible_margin(mesh, Some(name), margin)));
    }
    warnings
}

fn implausible_box(mesh: &BoundMesh<'_>, one: &ManualFit, doubt: Doubt) -> BakeWarning {
    let name = mesh.name(one.joint);
    let which = if one.count > 1 { format!("manual box {} of {}", one.number, one.count) } else { "manual box".into() };
    let what = match doubt.kind {
        DoubtKind::LargerThanCharacter { longest, character } => {
            format!("is {} m long, but the whole character is {} m long", meters(longest), meters(character))
        }
        DoubtKind::FarFromSkin { distance } => {
            let none = if one.no_box_at_skin { ", and no box holds the skin" } else { "" };
            format!("is {} m away from the joint's skin{none}", meters(distance))
        }
        DoubtKind::FarFromJoint { distance } => format!("is {} m away from the joint", meters(distance)),
        DoubtKind::NearlyEmpty { filled } => format!("is filled to {:.1} % by the joint's skin", 100.0 * filled),
        DoubtKind::TooSmall { longest, skin } => {
            format!("is {} m long, but the joint's skin is {} m long", meters(longest), meters(skin))
        }
    };
    let of_joint = meters(mesh.scale(one.joint));
    let cure = match (one.unit, doubt.unit) {
        (LengthUnit::Meters, Some(ProbableUnit::Other)) => {
            format!("its numbers are probably in the joint's own unit, {of_joint} m: write `unit = \"joint\"`")
        }
        (LengthUnit::Meters, Some(ProbableUnit::Named(unit, times))) => {
            format!("its numbers are probably in {unit}, but bonebox expects meters: divide them by {times}")
        }
        (LengthUnit::Meters, None) => {
            "bonebox expects meters of the character as it stands: check its numbers".to_owned()
        }
        (LengthUnit::Joint, Some(ProbableUnit::Other)) => {
            "its numbers are probably in meters: leave out `unit = \"joint\"`".to_owned()
        }
        (LengthUnit::Joint, Some(ProbableUnit::Named(unit, times))) => format!(
            "its numbers are probably in {unit}, but the joint's unit is {of_joint} m: divide them by {}",
            meters(times)
        ),
        (LengthUnit::Joint, None) => format!("the joint's unit is {of_joint} m: check its numbers"),
    };
    let text = format!("joint {name:?}: the {which} {what}; {cure}");
    BakeWarning { code: "implausible-box".into(), joint: Some(name.to_owned()), text }
}

/// Returns a warning if the margin is so large a share of the height that a length was probably meant.
fn implausible_margin(mesh: &BoundMesh<'_>, joint: Option<&str>, margin: f64) -> Option<BakeWarning> {
    /// The largest plausible margin, as a share of the character's height: 9 centimeters for a character of 1.8 meters.
    const LARGEST: f64 = 0.05;
    if margin <= LARGEST || mesh.height <= 0.0 {
        return None;
    }
    let place = joint.map(|name| format!("joint {name:?}: ")).unwrap_or_default();
    let mut text = format!(
        "{place}margin = {margin} is {} m, {:.0} % of the character's height",
        meters(margin * mesh.height),
        100.0 * margin,
    );
    // A margin above 1 is refused, so it is no advice.
    let (units, hundredths) = (margin / mesh.height, 0.01 * margin / mesh.height);
    if units <= 1.0 {
        text += &format!("; if you meant {margin} m, write margin = {units:.4}");
    }
    if hundredths <= 1.0 {
        text += &format!("; if you meant {margin} cm, write margin = {hundredths:.6}");
    }
    Some(BakeWarning { code: "implausible-margin".into(), joint: joint.map(str::to_owned), text })
}

/// Returns the warnings of the import.
fn of_import(model: &SkinnedModel) -> impl Iterator<Item = BakeWarning> {
    model.warnings.iter().map(|warning| BakeWarning {
        code: warning.code.to_owned(),
        joint: warning.joint.clone(),
        text: warning.text.clone(),
    })
}

/// Returns the warnings that tell what the options `ignore` and `helpers` leave out.
fn of_ignored(ignored: &Ignored) -> Vec<BakeWarning> {
    /// The number of names in a warning.
    const MOST_NAMED: usize = 8;
    let listed = |names: &[String]| {
        let more = names.len().saturating_sub(MOST_NAMED);
        let named = names[..names.len() - more].join(", ");
        if more > 0 { format!("{named} and {more} more") } else { named }
    };
    let mut warnings = Vec::new();
    if !ignored.patterns.is_empty() {
        let text = format!("{}: {:.1} % of the skin ignored", listed(&ignored.patterns), 100.0 * ignored.share);
        warnings.push(BakeWarning { code: "skin-ignored".into(), joint: None, text });
    }
    if !ignored.helpers.is_empty() {
        let text = format!(
            "{}: ignored as collision helpers or coarser levels of detail; write helpers = \"include\" if they are skin",
            listed(&ignored.helpers)
        );
        warnings.push(BakeWarning { code: "helpers-ignored".into(), joint: None, text });
    }
    warnings
}

/// Returns one warning for each mesh with vertices that no joint owns. If the import has warned about vertices without
/// weights, they do not count.
fn unassigned_vertices(model: &SkinnedModel, mesh: &BoundMesh<'_>, groups: &Groups) -> Vec<BakeWarning> {
    const CODE: &str = "unassigned-vertices";
    let is_known = model.warnings.iter().any(|warning| warning.code == CODE);
    let warning = |&(index, vertices): &(usize, u32)| {
        let part = &mesh.parts[index];
        let all = part.positions.len();
        let without = || (0..all).filter(|&vertex| part.influences(vertex).is_empty()).count();
        let known = if is_known { without() } else { part.ignored };
        let more = (vertices as usize).checked_sub(known).filter(|&more| more > 0)?;
        let place = if part.name.is_empty() { "a mesh without a name".into() } else { format!("mesh {:?}", part.name) };
        let text = format!("{place}: {more} of {all} vertices belong to no joint's group and are in no box");
        Some(BakeWarning { code: CODE.into(), joint: None, text })
    };
    groups.unassigned.iter().filter_map(warning).collect()
}

/// Returns a warning if joints are so far away from the origin, compared with the character's height, that numbers of
/// single precision cannot place its hitboxes.
fn implausible_size(mesh: &BoundMesh<'_>, groups: &Groups) -> Option<BakeWarning> {
    /// At this share of a distance, rounding to single precision is 0.6 % of the height.
    const LEAST: f64 = 1e-5;
    let joints = groups.groups.iter().map(|group| group.joint);
    let distances = joints.map(|joint| (mesh.model_from_joint[joint.index()].translation.length(), joint));
    let (distance, joint) =
        distances.filter(|(distance, _)| distance.is_finite()).max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    if mesh.height <= 0.0 || mesh.height >= LEAST * distance {
        return None;
    }
    let (name, height, distance) = (mesh.name(joint), meters(mesh.height), meters(distance));
    let text = format!(
        "the character is {height} m high, but joint {name:?} is {distance} m from the origin: hitboxes \
         are rounded by more than the character's size allows; export the character at its real size, near the origin"
    );
    Some(BakeWarning { code: "implausible-size".into(), joint: Some(name.to_owned()), text })
}

/// A length in meters for a sentence: four digits, without zeros at the end.
fn meters(length: f64) -> String {
    if length != 0.0 && !(1e-3..1e6).contains(&length) {
        return format!("{length:.2e}");
    }
    let digits = [1000.0, 100.0, 10.0, 1.0, 0.1, 0.01, 0.0].into_iter().position(|least| length >= least);
    let text = format!("{length:.*}", digits.unwrap_or_default());
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Returns one warning for each group that `small = "skip"` left out.
fn small_groups_skipped(mesh: &BoundMesh<'_>, groups: &Groups) -> Vec<BakeWarning> {
    let warning = |group: &JointGroup| {
        let name = mesh.name(group.joint);
        let vertices = group.vertices.len();
        let text = format!("joint {name:?}: too small for a box of its own; its {vertices} vertices are in no box");
        BakeWarning { code: "small-group-skipped".into(), joint: Some(name.to_owned()), text }
    };
    groups.skipped.iter().map(warning).collect()
}

/// Returns one warning for each group that could not be merged into the joint above.
fn groups_not_merged(mesh: &BoundMesh<'_>, groups: &Groups) -> Vec<BakeWarning> {
    let warning = |joints: &[JointIndex; 2]| {
        let [name, above] = joints.map(|joint| mesh.name(joint));
        let text = format!(
            "joint {name:?}: it keeps hitboxes of its own and was not merged into joint {above:?}, because the rest pose scales \
             {above:?} to nothing; give {above:?} a scale above 0, or list {above:?} under `exclude`"
        );
        BakeWarning { code: "group-not-merged".into(), joint: Some(name.to_owned()), text }
    };
    groups.unmerged.iter().map(warning).collect()
}

/// Returns a warning if the clips need more sample times than the bake looks at.
fn clips_thinned(poses: &SampledPoses) -> Option<BakeWarning> {
    let asked = poses.thinned_from?;
    let text = format!("the clips need {asked} sample times at this rate; {} are looked at", poses.len());
    Some(BakeWarning { code: "clips-thinned".into(), joint: None, text })
}

/// Returns a warning if a fitted box is no thicker than the least thickness along at least one of its axes: its points
/// are exactly or nearly flat along that axis.
fn flat_group(mesh: &BoundMesh<'_>, hitbox: &Hitbox, report: &BoxReport, options: &BakeOptions) -> Option<BakeWarning> {
    /// Points that span less than this share of the height are flat, however small the least thickness is.
    const FLAT: f64 = 1e-5;
    let flat = mesh.in_joint_units(hitbox.joint, options.min_thickness.max(FLAT));
    let margin = mesh.in_joint_units(hitbox.joint, options.margin);
    let thickness = 2.0 * (hitbox.half_extents.as_dvec3() - DVec3::splat(margin));
    // The factor is needed because half extents are rounded up to f32.
    let is_flat = |axis: &usize| thickness[*axis] <= flat * (1.0 + 1e-5);
    let axes: Vec<usize> = (0..3).filter(is_flat).collect();
    let spanned = match axes.len() {
        0 => return None,
        _ if report.points == 0 => return None,
        // No share of the height is a length in the space of a joint that is scaled to nothing.
        _ if report.scale == 0.0 => return None,
        1 => "one axis",
        2 => "two axes",
        _ => "all axes",
    };
    let (name, points, min_thickness) = (&report.joint_name, report.points, options.min_thickness);
    let text = if min_thickness < FLAT {
        format!("joint {name:?}: its {points} points are flat along {spanned}, and so is the box; set `min_thickness`")
    } else {
        let least = mesh.in_joint_units(hitbox.joint, min_thickness);
        let along = lengths_of_axes(mesh, hitbox);
        let mut enlarged: Vec<String> = axes.into_iter().map(|axis| meters(least * along[axis])).collect();
        enlarged.dedup();
        format!(
            "joint {name:?}: its {points} points are thinner than `min_thickness = {min_thickness}` along {spanned}, so the box \
             was enlarged to {} m there",
            enlarged.join(", ")
        )
    };
    Some(BakeWarning { code: "flat-group".into(), joint: Some(report.joint_name.clone()), text })
}

/// The lengths in meters of a unit of the joint's space along the axes of a box, at rest.
fn lengths_of_axes(mesh: &BoundMesh<'_>, hitbox: &Hitbox) -> [f64; 3] {
    let space = mesh.model_from_joint[hitbox.joint.index()].matrix3;
    let axes = space * DMat3::from_quat(hitbox.orientation.as_dquat());
    [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::length)
}

/// A joint whose skin settings keep out of hitboxes.
struct UnheldJoint {
    joint: JointIndex,
    /// The share of the character's surface that the joint's hitboxes should hold and no hitbox holds at rest, 0 to 1.
    share: f64,
    /// The setting.
    why: String,
}

/// Finds the joints whose skin settings keep out of hitboxes, that with most such skin first.
fn unheld_joints(
    mesh: &BoundMesh<'_>,
    (boxes, envelopes): (&[Hitbox], &[Envelope]),
    holders: &[JointIndex],
    options: &JointOptions<'_>,
) -> Vec<UnheldJoint> {
    /// A joint with a smaller share is not worth a name.
    const LEAST: f64 = 5e-4;
    let areas = Areas::at_rest(mesh, (boxes, envelopes), holders, options.character);
    let whole: f64 = areas.iter().map(|areas| areas.all).sum();
    let unheld = |(joint, areas): (JointIndex, Areas)| {
        let share = areas.outside / whole;
        let why = why_unheld(mesh, joint, areas, boxes, options).filter(|_| share >= LEAST)?;
        Some(UnheldJoint { joint, share, why })
    };
    let mut found: Vec<UnheldJoint> = mesh.all_joints().into_iter().zip(areas).filter_map(unheld).collect();
    found.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.joint.cmp(&b.joint)));
    found
}

/// Returns the setting that keeps skin of a joint out of hitboxes; `None` if the joint has fitted hitboxes. `areas` are those
/// of the skin that the joint's hitboxes should hold.
fn why_unheld(
    mesh: &BoundMesh<'_>,
    joint: JointIndex,
    areas: Areas,
    boxes: &[Hitbox],
    options: &JointOptions<'_>,
) -> Option<String> {
    let name = mesh.name(joint);
    let is_replaced = options.joint(joint).skip;
    if boxes.iter().any(|one| one.joint == joint && one.role == HitboxRole::Hurt) {
        let outside = 100.0 * areas.outside / areas.all;
        let why = || format!("manual boxes replace the fitted ones, and {outside:.0} % of its skin is outside");
        return is_replaced.then(why);
    }
    let excluded = options.character.exclude.iter().find(|pattern| pattern.matches(name));
    Some(match excluded {
        Some(pattern) => format!("`exclude` has {:?}", pattern.as_str()),
        None if !options.includes(name) => "`include` does not name it".to_owned(),
        None if is_replaced => "`skip = true`".to_owned(),
        None if options.character.small == Small::Skip => "`small = \"skip\"`".to_owned(),
        None => "it has no hitbox".to_owned(),
    })
}

/// Returns the warning that the boxes hold less than [`LOW_COVERAGE`] of the surface: with the joints that settings leave out,
/// and with the options that help if these joints are not the reason.
fn low_coverage(
    mesh: &BoundMesh<'_>,
    coverage: &Coverage,
    unheld: &[UnheldJoint],
    options: &BakeOptions,
) -> BakeWarning {
    /// The number of joints in the warning.
    const MOST_NAMED: usize = 4;
    let (rest, clips) = (coverage.surface_rest, coverage.surface_clips);
    let unheld_share: f64 = unheld.iter().map(|one| one.share).sum();
    let mut reasons = Vec::new();
    if !unheld.is_empty() {
        let named = |one: &UnheldJoint| format!("{:?} {:.1} % ({})", mesh.name(one.joint), 100.0 * one.share, one.why);
        let mut joints: Vec<String> = unheld.iter().take(MOST_NAMED).map(named).collect();
        joints.extend(unheld.len().checked_sub(MOST_NAMED + 1).map(|more| format!("and {} more", more + 1)));
        reasons.push(format!(
            "settings leave {:.1} % of it out: {}; change these settings, or list the joints under `ignore` if nothing should hit them",
            100.0 * unheld_share,
            joints.join(", ")
        ));
    }
    if rest.min(clips) + unheld_share < LOW_COVERAGE {
        let about = if unheld.is_empty() { "" } else { "for the rest: " };
        reasons.push(format!("{about}{}", options_that_hold_more(options)));
    }
    let moving = if coverage.poses > 1 { format!(" and {:.1} % over the clips", 100.0 * clips) } else { String::new() };
    let held = format!("the boxes hold {:.1} % of the surface in the rest pose{moving}", 100.0 * rest);
    let text = format!("{held}; {}", reasons.join("; "));
    BakeWarning { code: "low-coverage".into(), joint: None, text }
}

/// Returns why fitted boxes leave surface out, with the options that help.
fn options_that_hold_more(options: &BakeOptions) -> &'static str {
    if options.bridge == Bridge::None && options.poses == Poses::Any {
        "the surface between joints is left out; use bridge = \"surface\""
    } else if options.bridge == Bridge::None {
        "boxes around vertices leave the surface between joints out; use preset = \"tight\" or preset = \"cover\""
    } else if options.poses == Poses::Any || (options.poses == Poses::Clips && options.keep >= 1.0) {
        "joints without boxes leave their surface out; check include, exclude, small, skip and manual boxes"
    } else {
        "use preset = \"cover\", or poses = \"clips\" with a larger keep"
    }
}

/// Returns a warning if the rounding error of `skin = "compact"` is larger than [`COMPACT_ERROR`]: joints move the
/// surface much farther than the character is high.
pub(crate) fn coarse_skin(max_error: f32, options: &BakeOptions) -> Option<BakeWarning> {
    let is_coarse = options.skin == StoredSkin::Compact && f64::from(max_error) > COMPACT_ERROR;
    let text = format!(
        "the compact skin is up to {:.3} % of the character's height from the exact one, more than {} %; use skin = \"lossless\"",
        100.0 * max_error,
        100.0 * COMPACT_ERROR,
    );
    is_coarse.then(|| BakeWarning { code: "coarse-skin".into(), joint: None, text })
}

/// Returns a warning for each of normals and texture coordinates that the bake was asked for and that the source does not
/// have everywhere. `skin` is the skin of the file; `None` if it has none.
pub(crate) fn missing_attributes(skin: Option<&Skin>, options: &BakeOptions) -> Vec<BakeWarning> {
    let wanted = options.skin_attributes;
    if wanted == SkinAttributes::None {
        return Vec::new();
    }
    let Some(skin) = skin else {
        let text = format!(
            "skin_attributes = {:?} has no effect, because the file has no skin; use skin = \"lossless\" or skin = \"compact\" too",
            wanted.keyword()
        );
        return vec![BakeWarning { code: "missing-attributes".into(), joint: None, text }];
    };
    let all: usize = skin.pieces.iter().map(|piece| piece.triangles.len()).sum();
    let missing = |what: &str, instead: &str, has: fn(&VertexAttributes) -> bool| {
        let is_complete = |piece: &SkinPiece, corners: &[u32; 3]| {
            corners.iter().all(|&corner| has(&piece.attributes[corner as usize]))
        };
        let complete =
            |piece: &SkinPiece| piece.attribute_corners.iter().filter(|corners| is_complete(piece, corners)).count();
        let missing = all - skin.pieces.iter().map(complete).sum::<usize>();
        let text = format!(
            "{missing} of {all} triangles of the skin have no {what} in the source; {instead}; export the character with its {what}"
        );
        (missing > 0).then(|| BakeWarning { code: "missing-attributes".into(), joint: None, text })
    };
    let mut warnings = Vec::new();
    if wanted.has_normals() {
        warnings
            .extend(missing("normals", "rays that hit them get the triangle's own normal", |it| it.normal.is_some()));
    }
    if wanted.has_texture_coordinates() {
        let instead = "rays that hit them get no texture coordinate";
        warnings.extend(missing("texture coordinates", instead, |it| it.texture_coordinate.is_some()));
    }
    warnings
}

/// Returns one warning for each joint that is scaled to nothing at some sample time.
fn collapsed_joints(mesh: &BoundMesh<'_>, coverage: &Coverage) -> Vec<BakeWarning> {
    let warning = |&(joint, poses): &(JointIndex, u32)| {
        let name = mesh.name(joint);
        let text = format!(
            "joint {name:?}: scaled to nothing in {poses} of {} sample times, in which its surface does not count",
            coverage.poses
        );
        BakeWarning { code: "collapsed-joint".into(), joint: Some(name.to_owned()), text }
    };
    coverage.collapsed.iter().map(warning).collect()
}
