//! Fits the clips of a motion file to the joints of a character.

use super::cut::cut;
use super::{Content, listed};
use crate::find::character_name;
use bake_settings::{MotionMatch, MotionSettings};
use bone_fit::HumanoidOverride;
use mocap::bvh::Motion;
use mocap::{ClipRecorder, HumanPose, ReferencePose, Rig};
use skeleton::humanoid::Humanoid;
use skeleton::{Clip, LocalTransform, Skeleton};
use skinned_model::SkinnedModel;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The frames per second of clips that are converted from glTF files.
const RATE: f32 = 60.0;

/// The largest number of transforms in a converted clip: an hour of 60 frames a second of 100 joints has 21.6 million.
const MOST_TRANSFORMS: usize = 25_000_000;

/// The clips of a file that an entry of `motions` takes.
pub(super) struct Chosen {
    /// The names of all clips of the file. The only clip of a file has the name of the file.
    pub(super) names: Vec<String>,
    /// The clips that are taken: an index into `names`, and the name in the bake.
    pub(super) clips: Vec<(usize, String)>,
}

impl Chosen {
    pub(super) fn of(content: &Content, path: &str, settings: &MotionSettings) -> Self {
        let file = || character_name(Path::new(path));
        let names: Vec<String> = match content {
            Content::Recording(_) => vec![file()],
            Content::Model(model) => match &model.clips[..] {
                [_] => vec![file()],
                clips => clips.iter().map(|clip| clip.name.clone()).collect(),
            },
        };
        let is_taken = |name: &str| settings.clips.is_empty() || settings.clips.iter().any(|one| one.matches(name));
        let renamed = |name: &String| {
            let new = settings.rename.iter().find(|(own, _)| own == name).map_or(name, |(_, new)| new);
            format!("{}{new}", settings.prefix)
        };
        let clips = names.iter().enumerate().filter(|(_, name)| is_taken(name));
        let clips = clips.map(|(index, name)| (index, renamed(name))).collect();
        Self { names, clips }
    }
}

/// The clips of a file with the joints of the character.
#[derive(Default)]
pub(super) struct Fitted {
    /// Each clip, and the JSON text of its `extras`.
    pub(super) clips: Vec<(Clip, Option<String>)>,
    /// What was left out.
    pub(super) warnings: Vec<String>,
}

/// Fits the chosen clips to the joints of `model`.
pub(super) fn fitted(
    content: &Content,
    chosen: &Chosen,
    settings: &MotionSettings,
    model: &SkinnedModel,
    humanoid: &dyn Fn() -> Result<Humanoid, String>,
) -> Result<Fitted, String> {
    let range = (settings.from.unwrap_or(0.0), settings.to.unwrap_or(f32::INFINITY));
    let source = match content {
        Content::Recording(motion) => {
            if settings.by == Some(MotionMatch::Names) {
                return Err("a BVH file has rotations of its own kind of joints; remove `by = \"names\"`".to_owned());
            }
            let mut fitted = Fitted::default();
            for (_, name) in &chosen.clips {
                fitted.clips.push((of_recording(motion, settings, model, &humanoid()?, range, name)?, None));
            }
            return Ok(fitted);
        }
        Content::Model(source) => source,
    };
    let mut fitted = Fitted::default();
    let kept = ["broken-clip", "repeated-channel", "animated-matrix", "more-warnings"];
    let warnings = source.warnings.iter().filter(|warning| kept.contains(&warning.code));
    fitted.warnings.extend(warnings.map(|warning| warning.text.clone()));
    let clips = || chosen.clips.iter().map(|(index, name)| (&source.clips[*index], name));
    let extras = |clip: &Clip| {
        let is_whole = settings.from.is_none() && settings.to.is_none();
        let found = source.clip_extras.iter().find(|(name, _)| *name == clip.name);
        found.filter(|_| is_whole).map(|(_, extras)| extras.clone())
    };
    let joints = SameNames::find(source, &model.skeleton, clips().map(|(clip, _)| clip));
    let by_names = match settings.by {
        Some(by) => by == MotionMatch::Names,
        None => 2 * joints.found.len() >= joints.found.len() + joints.missing.len(),
    };
    if by_names {
        if joints.found.is_empty() && clips().next().is_some() {
            return Err(format!("its clips move no joint of the character; {}", listed("they move", &joints.missing)));
        }
        if !joints.missing.is_empty() {
            let count = joints.missing.len();
            let named = listed("such as", &joints.missing);
            fitted.warnings.push(format!(
                "{count} animated joints are left out, because the character has none with their names, {named}"
            ));
        }
        for (clip, name) in clips() {
            let clip_range = || format!("the clip {:?} has no part from {} s on; lower from", clip.name, range.0);
            let part = match settings.from.is_none() && settings.to.is_none() {
                true => clip.clone(),
                false => cut(clip, &source.skeleton, range.0, range.1).ok_or_else(clip_range)?,
            };
            let fit = joints.renamed(&part, name);
            if fit.channels.is_empty() {
                let text = "moves none of the character's joints; leave it out with `clips = [\"…\"]`";
                return Err(format!("the clip {:?} {text}", clip.name));
            }
            fitted.clips.push((fit, extras(clip)));
        }
        return Ok(fitted);
    }
    let target = humanoid().map_err(|problem| joints.no_match(&problem))?;
    let own = humanoid_of(source, &settings.bones).map_err(|problem| joints.no_match(&problem))?;
    for (clip, name) in clips() {
        let fit = of_clip(clip, source, &own, &model.skeleton, &target, range, name)?;
        fitted.clips.push((fit, extras(clip)));
    }
    Ok(fitted)
}

/// The animated joints of a file that have the name of a joint of the character.
struct SameNames {
    /// The joint of the character for each such joint of the file.
    found: BTreeMap<u16, u16>,
    /// The names of the other animated joints.
    missing: Vec<String>,
}

impl SameNames {
    /// A joint of the character whose transform is a matrix does not count, because clips do not move such joints.
    fn find<'a>(source: &SkinnedModel, target: &Skeleton, clips: impl Iterator<Item = &'a Clip>) -> Self {
        let by_name: BTreeMap<&str, u16> = (0..)
            .zip(target.joints())
            .filter(|(_, joint)| matches!(joint.rest, LocalTransform::Trs(_)))
            .map(|(index, joint)| (joint.name.as_str(), index))
            .collect();
        let animated: BTreeSet<u16> = clips.flat_map(|clip| &clip.channels).map(|channel| channel.joint.0).collect();
        let (mut found, mut missing) = (BTreeMap::new(), Vec::new());
        for joint in animated {
            let name = &source.skeleton.joints()[usize::from(joint)].name;
            match by_name.get(name.as_str()) {
                Some(&target) => drop(found.insert(joint, target)),
                None => missing.push(name.clone()),
            }
        }
        Self { found, missing }
    }

    /// The clip with the joints of the character.
    fn renamed(&self, clip: &Clip, name: &str) -> Clip {
        let mut channels: Vec<_> = clip
            .channels
            .iter()
            .filter_map(|channel| {
                let mut channel = channel.clone();
                channel.joint.0 = *self.found.get(&channel.joint.0)?;
                Some(channel)
            })
            .collect();
        channels.sort_by_key(|channel| (channel.joint, channel.property));
        let used: BTreeSet<u32> = channels.iter().map(|channel| channel.timeline).collect();
        let number: BTreeMap<u32, u32> = used.iter().copied().zip(0..).collect();
        channels.iter_mut().for_each(|channel| channel.timeline = number[&channel.timeline]);
        let timelines = used.iter().map(|&timeline| clip.timelines[timeline as usize].clone()).collect();
        Clip { name: name.to_owned(), timelines, channels }
    }

    /// The error for a file that fits neither by names nor by the humanoid.
    fn no_match(&self, problem: &str) -> String {
        let (found, all) = (self.found.len(), self.found.len() + self.missing.len());
        format!(
            "only {found} of its {all} animated joints have the name of a joint of the character ({}), and the motion cannot \
             be converted: {problem}; export the motion with the character's skeleton, or write `by = \"names\"`",
            listed("others are", &self.missing)
        )
    }
}

fn humanoid_of(source: &SkinnedModel, bones: &[(String, String)]) -> Result<Humanoid, String> {
    if !bones.is_empty() {
        let list = bones.iter().map(|(bone, joint)| (bone.as_str(), joint.as_str()));
        return Humanoid::guess_with(&source.skeleton, list).map_err(|error| format!("the file: {error}"));
    }
    let known = HumanoidOverride::default().humanoid_of(source).map_err(|error| format!("the file: {error}"))?;
    match known {
        Some(humanoid) => Ok(humanoid),
        None => {
            Humanoid::guess(&source.skeleton).map_err(|error| format!("the file is no humanoid ({error}); add `bones`"))
        }
    }
}

fn of_recording(
    motion: &Motion,
    settings: &MotionSettings,
    model: &SkinnedModel,
    humanoid: &Humanoid,
    (from, to): (f32, f32),
    name: &str,
) -> Result<Clip, String> {
    let step = motion.seconds_per_frame();
    // A frame belongs to the range if its time does, up to rounding.
    let frame = |seconds: f32| f64::from(seconds) / f64::from(step);
    let first = (frame(from) - 1e-3).ceil().max(0.0) as usize;
    let last = motion.frame_count().min((frame(to) + 1e-3).floor() as usize + usize::from(to.is_finite()));
    if first >= last {
        return Err(format!("the recording has no frame from {from} to {to} s; correct from and to"));
    }
    let mut target = rig(&model.skeleton, humanoid)?;
    let bones: Vec<(&str, &str)> = settings.bones.iter().map(|(bone, joint)| (bone.as_str(), joint.as_str())).collect();
    retargeted_frames(motion, &bones, &model.skeleton, &mut target, name, first..last)
}

/// Converts a recording to a clip of another skeleton. `bones` are pairs of a bone of VRM 1.0's humanoid and a joint of the
/// recording, for joints whose names do not say which bone they are.
///
/// # Errors
/// Returns a sentence if the recording is not a humanoid, if it has no frames, or if its frames are too close together for
/// a clip.
pub fn retargeted(
    motion: &Motion,
    bones: &[(&str, &str)],
    skeleton: &Skeleton,
    target: &mut Rig,
    name: &str,
) -> Result<Clip, String> {
    retargeted_frames(motion, bones, skeleton, target, name, 0..motion.frame_count())
}

fn retargeted_frames(
    motion: &Motion,
    bones: &[(&str, &str)],
    skeleton: &Skeleton,
    target: &mut Rig,
    name: &str,
    frames: std::ops::Range<usize>,
) -> Result<Clip, String> {
    let recorded = motion.skeleton();
    let humanoid = Humanoid::guess_with(&recorded, bones.iter().copied()).map_err(|error| {
        format!("the recording is not a humanoid; assign joints to its bones (`bones`, or --bone BONE=JOINT): {error}")
    })?;
    let mut source = Rig::new(&recorded, &humanoid, ReferencePose::TPose).map_err(|error| error.to_string())?;
    check_size(frames.len(), skeleton)?;
    let (mut pose, mut local, mut there) = (HumanPose::T_POSE, recorded.rest_pose(), skeleton.rest_pose());
    let mut recorder = ClipRecorder::new(skeleton);
    for frame in frames {
        motion.pose(frame, &mut local);
        source.human_pose_from_local(&local, &mut pose);
        target.local_from_human_pose(&pose, &mut there);
        recorder.push(&there);
    }
    recorder.finish(name, motion.seconds_per_frame()).ok_or_else(|| {
        "the recording has no frames, or its frames are too close together for a clip; record again, or correct its frame \
         time"
            .to_owned()
    })
}

/// Converts a clip of one humanoid to a clip of another, in frames of a sixtieth of a second.
fn of_clip(
    clip: &Clip,
    model: &SkinnedModel,
    humanoid: &Humanoid,
    skeleton: &Skeleton,
    target: &Humanoid,
    (from, to): (f32, f32),
    name: &str,
) -> Result<Clip, String> {
    let seconds = clip.seconds().min(to) - from;
    if seconds < 0.0 || (seconds == 0.0 && from > 0.0) {
        return Err(format!("the clip {:?} has no part from {from} s on; lower from", clip.name));
    }
    // The last frame is at the end. A clip without length has one frame.
    let steps = (seconds * RATE).ceil() as usize;
    let step = if steps == 0 { 1.0 / RATE } else { seconds / steps as f32 };
    check_size(steps + 1, skeleton)?;
    let (mut source, mut target) = (rig(&model.skeleton, humanoid)?, rig(skeleton, target)?);
    let (mut pose, mut there) = (HumanPose::T_POSE, skeleton.rest_pose());
    let mut recorder = ClipRecorder::new(skeleton);
    for frame in 0..=steps {
        let mut local = model.skeleton.rest_pose();
        clip.sample(clip.start() + from + frame as f32 * step, &mut local);
        source.human_pose_from_local(&local, &mut pose);
        target.local_from_human_pose(&pose, &mut there);
        recorder.push(&there);
    }
    let fit = recorder.finish(name, step).ok_or_else(|| format!("the clip {:?} is too short", clip.name))?;
    if fit.channels.is_empty() {
        return Err(format!("the clip {:?} moves no bone of the humanoid; leave it out with `clips`", clip.name));
    }
    Ok(fit)
}

fn rig(skeleton: &Skeleton, humanoid: &Humanoid) -> Result<Rig, String> {
    Rig::new(skeleton, humanoid, ReferencePose::default_for(humanoid)).map_err(|error| error.to_string())
}

fn check_size(frames: usize, skeleton: &Skeleton) -> Result<(), String> {
    match frames.saturating_mul(skeleton.len()) > MOST_TRANSFORMS {
        true => Err(format!("the motion has {frames} frames, which is too long; take parts with from and to")),
        false => Ok(()),
    }
}
