//! Converts animations to clips of the skeleton.

use crate::character::hierarchy::{Hierarchy, unit};
use crate::character::unique_names::unique_names;
use crate::decode::accessor::{ComponentType, Format, Reader, Type};
use crate::document::Channel as FileChannel;
use crate::error::ImportError;
use crate::warnings::Warnings;
use gltf::json::animation::{Interpolation as FileInterpolation, Property as FileProperty, Sampler};
use gltf::json::validation::Checked;
use skeleton::{Channel, Clip, Interpolation, JointIndex, LocalTransform, Property};
use std::collections::{BTreeMap, BTreeSet};

/// The clips, and the `extras` of some of them: the name of the clip, and the JSON text.
pub(crate) type ClipsAndExtras = (Vec<Clip>, Vec<(String, String)>);

/// Reads the animations that move at least one joint, in file order, and makes their names unique.
pub(crate) fn read(
    reader: &Reader<'_>,
    hierarchy: &Hierarchy,
    warnings: &mut Warnings,
) -> Result<ClipsAndExtras, ImportError> {
    let (mut clips, mut extras) = (Vec::new(), Vec::new());
    let mut names = Vec::new();
    for index in 0..reader.document.animations.len() {
        let Some(clip) = read_clip(reader, hierarchy, index, warnings)? else { continue };
        let animation = &reader.document.animations[index];
        names.push((animation.name.as_deref().unwrap_or_default(), format!("clip_{index}")));
        extras.push(animation.extras.as_ref().map(|text| text.get().to_owned()));
        clips.push(clip);
    }
    for (clip, name) in clips.iter_mut().zip(unique_names(names.into_iter())) {
        clip.name = name;
    }
    let extras = clips.iter().zip(extras).filter_map(|(clip, extras)| Some((clip.name.clone(), extras?))).collect();
    Ok((clips, extras))
}

/// The reason why a channel could not be read.
enum ChannelProblem {
    /// The clip cannot be used. It is left out with this text in a warning; the character is not affected.
    Broken(String),
    /// The file cannot be imported.
    Import(ImportError),
}

impl From<ImportError> for ChannelProblem {
    fn from(error: ImportError) -> Self {
        Self::Import(error)
    }
}

fn read_clip(
    reader: &Reader<'_>,
    hierarchy: &Hierarchy,
    index: usize,
    warnings: &mut Warnings,
) -> Result<Option<Clip>, ImportError> {
    let document = reader.document;
    let animation = &document.animations[index];
    let place = || document.animation_place(index);
    let mut clip = Clip { name: String::new(), timelines: Vec::new(), channels: Vec::new() };
    let mut timelines = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for (number, channel) in animation.channels.iter().enumerate() {
        let place = || format!("{}, channel {number}", place());
        let Some((joint, property)) = target(hierarchy, channel) else { continue };
        // The hierarchy has added a warning for these joints.
        if matches!(hierarchy.skeleton.joint(joint).rest, LocalTransform::Matrix(_)) {
            continue;
        }
        if !seen.insert((joint, property)) {
            let text = format!("{}: it animates the same property as an earlier channel and is left out", place());
            warnings.add("repeated-channel", Some(&hierarchy.skeleton.joint(joint).name), text);
            continue;
        }
        let sampler = &animation.samplers[channel.sampler as usize];
        match read_channel(reader, joint, property, sampler, &mut clip, &mut timelines, &place) {
            Ok(channel) => clip.channels.push(channel),
            Err(ChannelProblem::Import(error)) => return Err(error),
            Err(ChannelProblem::Broken(problem)) => {
                warnings.add("broken-clip", None, format!("{}: {problem}; the whole animation is left out", place()));
                return Ok(None);
            }
        }
    }
    clip.channels.sort_by_key(|channel| (channel.joint, channel.property));
    Ok((!clip.channels.is_empty()).then_some(clip))
}

/// The joint and the property that a channel animates. `None` for nodes outside the skeleton and for other properties.
fn target(hierarchy: &Hierarchy, channel: &FileChannel) -> Option<(JointIndex, Property)> {
    let joint = hierarchy.joint[channel.target.node? as usize]?;
    let property = match channel.target.path {
        Checked::Valid(FileProperty::Translation) => Property::Translation,
        Checked::Valid(FileProperty::Rotation) => Property::Rotation,
        Checked::Valid(FileProperty::Scale) => Property::Scale,
        Checked::Valid(FileProperty::MorphTargetWeights) | Checked::Invalid => return None,
    };
    Some((joint, property))
}

fn read_channel(
    reader: &Reader<'_>,
    joint: JointIndex,
    property: Property,
    sampler: &Sampler,
    clip: &mut Clip,
    timelines: &mut BTreeMap<usize, u32>,
    place: &dyn Fn() -> String,
) -> Result<Channel, ChannelProblem> {
    let input = sampler.input.value();
    let timeline = match timelines.get(&input) {
        Some(&timeline) => timeline,
        None => {
            let times = read_times(reader, input, place)?;
            if let Some(problem) = broken_times(&times) {
                return Err(ChannelProblem::Broken(problem));
            }
            let timeline = clip.timelines.len() as u32;
            clip.timelines.push(times);
            timelines.insert(input, timeline);
            timeline
        }
    };
    let interpolation = match sampler.interpolation {
        Checked::Valid(FileInterpolation::Step) => Interpolation::Step,
        Checked::Valid(FileInterpolation::CubicSpline) => Interpolation::CubicSpline,
        Checked::Valid(FileInterpolation::Linear) | Checked::Invalid => Interpolation::Linear,
    };
    let keys = clip.timelines[timeline as usize].len();
    let mut values =
        read_values(reader, sampler.output.value(), property, keys * interpolation.values_per_key(), place)?;
    if let Some(at) = values.iter().position(|value| !value.is_finite()) {
        let key = at / property.width() / interpolation.values_per_key();
        return Err(ChannelProblem::Broken(format!("key {key} has the value {}", values[at])));
    }
    if property == Property::Rotation && interpolation != Interpolation::CubicSpline {
        normalize_rotations(&mut values);
    }
    Ok(Channel { joint, property, interpolation, timeline, values })
}

/// Normalizes the rotation keys, because exporters round them to three digits. If the lengths of two keys differ, the
/// rotation between them is uneven. Spline keys stay unchanged, because their tangents have the same scale.
fn normalize_rotations(values: &mut [f32]) {
    for rotation in values.as_chunks_mut::<4>().0 {
        *rotation = unit(*rotation).to_array();
    }
}

fn read_times(reader: &Reader<'_>, accessor: usize, place: &dyn Fn() -> String) -> Result<Vec<f32>, ImportError> {
    let place = || format!("{}, input", place());
    let float = |format: &Format| format.kind == Type::Scalar && format.component == ComponentType::F32;
    reader.expect(accessor, place, "SCALAR of floats", float)?;
    Ok(reader.floats::<1>(accessor, usize::MAX)?.into_iter().flatten().collect())
}

/// Describes what is wrong with the key times, if anything is.
fn broken_times(times: &[f32]) -> Option<String> {
    if times.is_empty() {
        return Some("it has no keys".to_owned());
    }
    let bad = (0..times.len()).find(|&key| !times[key].is_finite() || (key > 0 && times[key] <= times[key - 1]));
    bad.map(|key| match key {
        0 => format!("key 0 is at {} seconds, expected a finite time", times[0]),
        _ => format!("key {key} is at {} seconds, expected after {} seconds", times[key], times[key - 1]),
    })
}

fn read_values(
    reader: &Reader<'_>,
    accessor: usize,
    property: Property,
    expected: usize,
    place: &dyn Fn() -> String,
) -> Result<Vec<f32>, ImportError> {
    let place = || format!("{}, output", place());
    let (kind, wanted) = match property {
        Property::Rotation => (Type::Vec4, "VEC4 of floats, or of normalized integers"),
        Property::Translation | Property::Scale => (Type::Vec3, "VEC3 of floats, or of normalized integers"),
    };
    let fraction = |format: &Format| {
        let number = format.component == ComponentType::F32 || format.normalized;
        format.kind == kind && number && format.component != ComponentType::U32
    };
    let format = reader.expect(accessor, place, wanted, fraction)?;
    if format.count != expected {
        return Err(ImportError::Malformed {
            place: format!("{}, {}", place(), reader.document.accessor_place(accessor)),
            expected: format!("{expected} values for the key times and the interpolation"),
            found: format.count.to_string(),
            cure: "the file is damaged: export the animation again",
        });
    }
    Ok(match property {
        Property::Rotation => reader.floats::<4>(accessor, usize::MAX)?.into_flattened(),
        Property::Translation | Property::Scale => reader.floats::<3>(accessor, usize::MAX)?.into_flattened(),
    })
}
