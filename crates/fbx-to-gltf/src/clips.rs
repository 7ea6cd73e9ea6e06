//! Clips: each animation stack, sampled at the frames of the file.
//!
//! FBX interpolates Euler angles and has curves of several kinds, layers and pivots. glTF interpolates quaternions. So a curve of
//! FBX is sampled, at each frame of the file's frame rate from the start of its take to the end, as exporters of glTF do. Keys
//! between two frames are sampled too, because a swing may turn around at such a key.

use crate::FbxError;
use crate::finding::{Finding, quoted};
use crate::glb::Glb;
use crate::meshes::Meshes;
use crate::nodes::{Nodes, Trs};
use crate::shapes::Channel;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use ufbx::{Anim, AnimProp, AnimStack, ElementType, PropFlags, Scene};

/// The rates that a file may have, in frames per second, and the rate in place of others.
const RATES: std::ops::RangeInclusive<f64> = 1.0..=1000.0;
const OTHER_RATE: f64 = 30.0;

/// The poses of single nodes that may be computed: a base, and a factor for each byte of the file. Without a limit, a small file
/// with a take of a year would take long.
const BASE_POSES: u64 = 200_000;
const POSES_PER_BYTE: u64 = 16;

/// The bytes of one sampled pose of a node.
const BYTES_OF_POSE: u64 = 40;

/// Appends an animation for each stack that moves something.
pub(crate) fn write(
    scene: &Scene,
    nodes: &Nodes<'_>,
    meshes: &Meshes,
    file_bytes: usize,
    glb: &mut Glb,
    findings: &mut Vec<Finding>,
) -> Result<(), FbxError> {
    let rate = scene.settings.frames_per_second;
    let frames_per_second = if RATES.contains(&rate) { rate } else { OTHER_RATE };
    if frames_per_second != rate && scene.anim_stacks.count > 0 {
        let text =
            format!("the file has {rate} frames per second; its clips are sampled {OTHER_RATE} times per second");
        findings.push(Finding { code: "fbx-frame-rate", text });
    }
    let ticks = scene.metadata.ktime_second;
    let ticks = if ticks > 0 { ticks as f64 } else { 1.0 };
    let limit = BASE_POSES.saturating_add((file_bytes as u64).saturating_mul(POSES_PER_BYTE));
    let mut work = Work { limit, spent: 0 };
    for (index, stack) in scene.anim_stacks.as_ref().iter().enumerate() {
        let place = || format!("take {index} {}", quoted(&stack.element.name));
        let moved = moved(nodes, scene, stack);
        if moved.nodes.is_empty() && moved.channels.is_empty() {
            continue;
        }
        let times = Times::of_stack(stack, frames_per_second, ticks, glb, &place)?;
        let writer = Writer { nodes, stack, times, layers: stack.layers.count as u64 };
        writer.write(meshes, &moved, &mut work, glb, &place)?;
    }
    Ok(())
}

/// The poses that were computed, and the limit.
struct Work {
    limit: u64,
    spent: u64,
}

impl Work {
    fn charge(&mut self, poses: u64, place: &dyn Fn() -> String) -> Result<(), FbxError> {
        self.spent = self.spent.saturating_add(poses);
        if self.spent > self.limit {
            return Err(FbxError::Limit {
                place: place(),
                found: poses,
                limit: self.limit,
                unit: "poses of nodes",
                cure: "shorten the take, or bake its layers into one; else the file is damaged",
            });
        }
        Ok(())
    }
}

/// What a stack moves, with the times of its keys in seconds.
#[derive(Default)]
struct Moved {
    nodes: BTreeMap<usize, Vec<f64>>,
    /// The blend channels, by their element ids.
    channels: BTreeMap<u32, Vec<f64>>,
}

fn moved(nodes: &Nodes<'_>, scene: &Scene, stack: &AnimStack) -> Moved {
    let (mut moved, mut waiting) = (Moved::default(), Vec::new());
    let (mut has_others, mut others) = (false, Vec::new());
    for property in stack.layers.as_ref().iter().flat_map(|layer| &layer.anim_props) {
        match property.element.type_ {
            ElementType::BlendChannel => {
                moved.channels.entry(property.element.element_id).or_default().extend(key_times(property));
            }
            ElementType::Node => {
                if !property.prop_name.starts_with("Lcl ") {
                    has_others = true;
                    others.extend(key_times(property));
                }
                let scene = &property.element.scene;
                let Some(node) = scene.nodes.as_ref().get(property.element.typed_id as usize) else { continue };
                let Some(node) = nodes.index_of(node) else { continue };
                moved.nodes.entry(node).or_default().extend(key_times(property));
                // The scale of a helper changes the transforms below it in other ways than by a product of matrices.
                if nodes.list[node].is_scale_helper {
                    let parent = nodes.list[node].parent.as_ref().and_then(|parent| nodes.index_of(parent));
                    waiting.extend(parent.map(|parent| nodes.children(parent).collect::<Vec<_>>()).unwrap_or_default());
                }
            }
            _ => {
                has_others = true;
                others.extend(key_times(property));
            }
        }
    }
    // The weight of a channel may be that of a property of another object, as in old files of 3ds Max.
    for channel in scene.blend_channels.as_ref().iter().filter(|_| has_others) {
        if channel.element.props.props.iter().any(|property| property.flags.has_any(PropFlags::CONNECTED)) {
            moved.channels.entry(channel.element.element_id).or_default().extend(&others);
        }
    }
    let mut seen = BTreeSet::new();
    while let Some(node) = waiting.pop() {
        if seen.insert(node) {
            waiting.extend(nodes.children(node));
        }
    }
    for node in seen {
        moved.nodes.entry(node).or_default();
    }
    moved
}

fn key_times(property: &AnimProp) -> impl Iterator<Item = f64> {
    property.anim_value.curves.iter().flatten().flat_map(|curve| curve.keyframes.iter().map(|key| key.time))
}

/// A part of a frame that is smaller than this is a rounding error.
const NO_FRAME: f64 = 1e-4;

/// The sample times of a stack.
struct Times {
    begin: f64,
    end: f64,
    frames_per_second: f64,
    ticks: f64,
    /// In seconds after the begin of the take.
    of_take: Vec<f64>,
    /// The same times in seconds of the file, where curves are evaluated.
    of_file: Vec<f64>,
    /// The same times in seconds of the clip.
    of_clip: Vec<[f32; 1]>,
}

impl Times {
    /// A clip begins at 0, whatever the first frame of its take is. Its last sample is at the end of the take, also between frames.
    fn of_stack(
        stack: &AnimStack,
        frames_per_second: f64,
        ticks: f64,
        glb: &mut Glb,
        place: &dyn Fn() -> String,
    ) -> Result<Self, FbxError> {
        let (begin, end) = range(stack);
        if !begin.is_finite() || !end.is_finite() {
            let found = format!("{begin} to {end} seconds");
            return Err(FbxError::NotFinite { place: place(), element: "its range", found });
        }
        let whole = ((end - begin) * frames_per_second + NO_FRAME).floor();
        glb.fits((whole.max(0.0) as u64).saturating_mul(20), place)?;
        let mut times = Self {
            begin,
            end,
            frames_per_second,
            ticks,
            of_take: Vec::new(),
            of_file: Vec::new(),
            of_clip: Vec::new(),
        };
        let frames = (0..=whole as u64).map(|frame| frame as f64 / frames_per_second);
        let rest = Some(end - begin).filter(|_| times.is_between_frames(end));
        frames.chain(rest).for_each(|time| times.push(time));
        Ok(times)
    }

    fn push(&mut self, time: f64) {
        // In a very long take, 32 bits cannot tell two frames apart.
        if self.of_clip.last().is_none_or(|last| time as f32 > last[0]) {
            // Keys lie on whole ticks. Half a tick later, a curve with steps has the value that begins at this key.
            self.of_take.push(time);
            self.of_file.push((((self.begin + time) * self.ticks).round() + 0.5) / self.ticks);
            self.of_clip.push([time as f32]);
        }
    }

    fn is_between_frames(&self, time: f64) -> bool {
        let frame = (time - self.begin) * self.frames_per_second;
        (frame - frame.round()).abs() > NO_FRAME
    }

    /// These times and the keys between frames; `None` if there are no such keys.
    fn with_keys(
        &self,
        keys: &[f64],
        glb: &mut Glb,
        place: &dyn Fn() -> String,
    ) -> Result<Option<(Self, usize)>, FbxError> {
        let is_new = |key: &f64| self.begin < *key && *key < self.end && self.is_between_frames(*key);
        let mut all: Vec<f64> = keys.iter().copied().filter(is_new).map(|key| key - self.begin).collect();
        if all.is_empty() {
            return Ok(None);
        }
        glb.fits((self.of_take.len() + all.len()) as u64 * 28, place)?;
        all.extend(&self.of_take);
        all.sort_by(f64::total_cmp);
        let mut times = Self { of_take: Vec::new(), of_file: Vec::new(), of_clip: Vec::new(), ..*self };
        all.into_iter().for_each(|time| times.push(time));
        let accessor = glb.floats("SCALAR", &times.of_clip, place)?;
        Ok(Some((times, accessor)))
    }
}

/// The first and the last second of a stack; those of its keys if the file does not say them.
fn range(stack: &AnimStack) -> (f64, f64) {
    if stack.time_begin < stack.time_end {
        return (stack.time_begin, stack.time_end);
    }
    let properties = stack.layers.as_ref().iter().flat_map(|layer| &layer.anim_props);
    let curves = properties.flat_map(|property| property.anim_value.curves.iter().flatten());
    let keys = curves.filter_map(|curve| Some((curve.keyframes.first()?.time, curve.keyframes.last()?.time)));
    let (begin, end) =
        keys.fold((f64::INFINITY, f64::NEG_INFINITY), |(begin, end), (first, last)| (begin.min(first), end.max(last)));
    if begin <= end { (begin, end) } else { (stack.time_begin, stack.time_begin) }
}

struct Writer<'w> {
    nodes: &'w Nodes<'w>,
    stack: &'w AnimStack,
    times: Times,
    layers: u64,
}

impl Writer<'_> {
    fn write(
        &self,
        meshes: &Meshes,
        moved: &Moved,
        work: &mut Work,
        glb: &mut Glb,
        place: &dyn Fn() -> String,
    ) -> Result<(), FbxError> {
        let anim: &Anim = &self.stack.anim;
        let all = glb.floats("SCALAR", &self.times.of_clip, place)?;
        let (first, last) = (self.times.of_clip.first(), self.times.of_clip.last());
        let ends: Vec<[f32; 1]> = first.into_iter().chain(last.filter(|_| first != last)).copied().collect();
        let ends = glb.floats("SCALAR", &ends, place)?;
        let mut animation = Animation { samplers: Vec::new(), channels: Vec::new(), all, ends };
        for (&node, keys) in &moved.nodes {
            let place = || format!("{}, {}", place(), self.nodes.place(node));
            let own = self.times.with_keys(keys, glb, &place)?;
            let (times, input) = own.as_ref().map_or((&self.times, animation.all), |(times, input)| (times, *input));
            let samples = times.of_file.len() as u64;
            let scales = self.nodes.scales(self.nodes.list[node]).len() as u64;
            work.charge(samples.saturating_mul((1 + self.layers).saturating_mul(1 + scales)), &place)?;
            glb.fits(samples * BYTES_OF_POSE, &place)?;
            let (mut translations, mut rotations, mut scales) = (Vec::new(), Vec::<[f32; 4]>::new(), Vec::new());
            for &time in &times.of_file {
                let transform = self.nodes.transform(node, anim, time);
                let Trs { translation, mut rotation, scale } = self.nodes.converted(node, &transform)?;
                // Two quaternions are the same rotation. The one that is nearer to the last gives the shorter path.
                if let Some(last) = rotations.last()
                    && last.iter().zip(&rotation).map(|(a, b)| a * b).sum::<f32>() < 0.0
                {
                    rotation = rotation.map(|part| -part);
                }
                translations.push(translation);
                rotations.push(rotation);
                scales.push(scale);
            }
            animation.add(node, "translation", input, "VEC3", translations, glb, &place)?;
            animation.add(node, "rotation", input, "VEC4", rotations, glb, &place)?;
            animation.add(node, "scale", input, "VEC3", scales, glb, &place)?;
        }
        let list = if moved.channels.is_empty() { &[][..] } else { &self.nodes.list };
        for (node, scene_node) in list.iter().enumerate() {
            let Some(mesh) = scene_node.mesh.as_deref().filter(|_| meshes.of_node(node).is_some()) else { continue };
            let channels = Channel::of_mesh(mesh);
            let targets = channels.iter().map(Channel::len).sum::<usize>();
            work.charge(targets as u64, place)?;
            let keys = channels.iter().filter_map(|channel| moved.channels.get(&channel.channel.element.element_id));
            let keys: Vec<&Vec<f64>> = keys.collect();
            if keys.is_empty() {
                continue;
            }
            let keys: Vec<f64> = keys.into_iter().flatten().copied().collect();
            let place = || format!("{}, {}, its blend shapes", place(), self.nodes.place(node));
            let own = self.times.with_keys(&keys, glb, &place)?;
            let (times, input) = own.as_ref().map_or((&self.times, animation.all), |(times, input)| (times, *input));
            let count = (times.of_file.len() * targets) as u64;
            work.charge(count.saturating_mul(1 + self.layers), &place)?;
            glb.fits(count * 4, &place)?;
            let at = |&time: &f64| channels.iter().flat_map(move |channel| channel.weights_at(anim, time));
            let weights: Vec<[f32; 1]> = times.of_file.iter().flat_map(at).map(|weight| [weight]).collect();
            let output = glb.floats("SCALAR", &weights, &place)?;
            animation.push(node, "weights", input, output, glb, &place)?;
        }
        let Animation { samplers, channels, .. } = animation;
        let name = clip_name(self.nodes, &self.stack.element.name);
        let object = json!({ "name": name, "samplers": samplers, "channels": channels });
        glb.push("animations", object, name.len(), place).map(drop)
    }
}

/// An unfinished animation, with the accessors of all key times, and of the first and the last.
struct Animation {
    samplers: Vec<Value>,
    channels: Vec<Value>,
    all: usize,
    ends: usize,
}

impl Animation {
    /// Adds a property of a node. If it never changes, its first and last keys suffice.
    fn add<const N: usize>(
        &mut self,
        node: usize,
        path: &str,
        mut input: usize,
        kind: &str,
        mut values: Vec<[f32; N]>,
        glb: &mut Glb,
        place: &dyn Fn() -> String,
    ) -> Result<(), FbxError> {
        if values.windows(2).all(|two| two[0] == two[1]) {
            values.truncate(2);
            input = self.ends;
        }
        let output = glb.floats(kind, &values, place)?;
        self.push(node, path, input, output, glb, place)
    }

    fn push(
        &mut self,
        node: usize,
        path: &str,
        input: usize,
        output: usize,
        glb: &mut Glb,
        place: &dyn Fn() -> String,
    ) -> Result<(), FbxError> {
        const BYTES_OF_CHANNEL: u64 = 512;
        glb.charge(BYTES_OF_CHANNEL, place)?;
        self.channels.push(json!({ "sampler": self.samplers.len(), "target": { "node": node, "path": path } }));
        self.samplers.push(json!({ "input": input, "output": output }));
        Ok(())
    }
}

/// The name of a clip. Blender names a take `OBJECT|ACTION`, and exports the action to glTF as `ACTION`.
fn clip_name<'n>(nodes: &Nodes<'_>, stack: &'n str) -> &'n str {
    match stack.split_once('|') {
        Some((object, action)) if !action.is_empty() && nodes.list.iter().any(|node| *node.element.name == *object) => {
            action
        }
        _ => stack,
    }
}
