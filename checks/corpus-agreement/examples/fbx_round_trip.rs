//! Compares FBX files with glTF files of the same scenes, and prints a line for each pair.
//!
//! `cargo xtask fbx` writes both with Blender and runs this: `fbx_round_trip FOLDER`. The axes of bones differ in the two formats, so
//! joints and hitboxes are compared in model space: at rest, and at moments of each clip.

use baked_format::Source;
use bone_fit::BakeOptions;
use glam::{Affine3A, Vec3};
use skeleton::Clip;
use skinned_model::{NoExternalFiles, SkinnedModel, import};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;

/// The largest difference that rounding explains, as a share of the character's size.
const ROUNDING: f32 = 1e-4;

/// Blender's exporter of glTF adds this bone, and gives it the vertices that belong to no bone. bonebox leaves such vertices out with a
/// warning.
const NEUTRAL: &str = "neutral_bone";

/// The number of moments of each clip.
const MOMENTS: usize = 11;

/// The hitboxes of a file by the names of their joints, and what poses them.
struct Character {
    model: SkinnedModel,
    /// The corners of each joint's hitboxes in the space of the joint.
    boxes: BTreeMap<String, Vec<[Vec3; 8]>>,
}

impl Character {
    fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let model = import(&std::fs::read(path)?, &NoExternalFiles)?;
        let source = Source { file: String::new(), blake3: [0; 32], generator: String::new() };
        // Two joints may have the same weight, and the formats list them in another order.
        let options = BakeOptions::from_entries([("preset", "recipe"), ("tie_tolerance", "0.01")])?;
        let baked = bone_fit::bake(&model, "character", source, &options)?.character;
        let mut boxes: BTreeMap<String, Vec<[Vec3; 8]>> = BTreeMap::new();
        for one in baked.boxes.iter().filter(|one| baked.skeleton.joint(one.joint).name != NEUTRAL) {
            let corner = |corner: usize| {
                let sign = |axis: usize| if corner >> axis & 1 == 1 { 1.0 } else { -1.0 };
                one.center + one.orientation * (one.half_extents * Vec3::new(sign(0), sign(1), sign(2)))
            };
            let name = baked.skeleton.joint(one.joint).name.clone();
            boxes.entry(name).or_default().push(std::array::from_fn(corner));
        }
        Ok(Self { model, boxes })
    }

    /// The matrix of each joint by its name, at rest or at a moment of a clip.
    fn pose(&self, moment: Option<(&Clip, f32)>) -> BTreeMap<&str, Affine3A> {
        let skeleton = &self.model.skeleton;
        let mut local = skeleton.rest_pose();
        if let Some((clip, time)) = moment {
            clip.sample(clip.start() + time, &mut local);
        }
        let mut model_from_joint = vec![Affine3A::IDENTITY; local.len()];
        skeleton.model_from_joints(&local, &mut model_from_joint);
        skeleton.joints().iter().map(|joint| joint.name.as_str()).zip(model_from_joint).collect()
    }

    fn clip(&self, name: &str) -> Option<&Clip> {
        self.model.clips.iter().find(|clip| clip.name == name)
    }

    fn corners(&self, joint: &str, model_from_joint: &Affine3A) -> Vec<Vec3> {
        let boxes = self.boxes.get(joint).into_iter().flatten().flatten();
        boxes.map(|corner| model_from_joint.transform_point3(*corner)).collect()
    }
}

/// The largest differences of two files, in meters.
#[derive(Default)]
struct Worst {
    joint: f32,
    corner: f32,
    poses: usize,
    /// Joints with round parts, whose hitboxes have other axes.
    round: BTreeSet<String>,
}

/// Returns true if two boxes have other axes, but nearly the same center and volume. A round part has no axes of its own, so rounding
/// decides.
fn is_round(some: &[Vec3], other: &[Vec3]) -> bool {
    const NEARLY: f32 = 0.05;
    if some.len() != 8 || other.len() != 8 {
        return false;
    }
    let center = |corners: &[Vec3]| corners.iter().sum::<Vec3>() / 8.0;
    let edges = |corners: &[Vec3]| [1, 2, 4].map(|corner| corners[corner].distance(corners[0]));
    let (edges, others) = (edges(some), edges(other));
    let [volume, other_volume] = [edges, others].map(|edges| edges.iter().product::<f32>());
    let shortest = edges.iter().chain(&others).copied().fold(f32::INFINITY, f32::min);
    center(some).distance(center(other)) <= NEARLY * shortest && (volume / other_volume - 1.0).abs() <= NEARLY
}

fn compare(fbx: &Character, gltf: &Character, moments: [Option<(&Clip, f32)>; 2], worst: &mut Worst) {
    let [found, expected] = [fbx.pose(moments[0]), gltf.pose(moments[1])];
    worst.poses += 1;
    for (joint, right) in &expected {
        let Some(matrix) = found.get(joint) else { continue };
        worst.joint = worst.joint.max(matrix.translation.distance(right.translation));
        let (corners, others) = (fbx.corners(joint, matrix), gltf.corners(joint, right));
        if worst.round.contains(*joint) {
            continue;
        }
        // The axes of a box may have another order.
        for [some, all] in [[&corners, &others], [&others, &corners]] {
            for corner in some {
                let nearest = all.iter().map(|other| other.distance(*corner)).fold(f32::INFINITY, f32::min);
                worst.corner = worst.corner.max(nearest);
            }
        }
    }
}

fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut files: Vec<_> = std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "fbx"));
    files.sort();
    let mut wrong = Vec::new();
    println!("character | joints | boxes | clips | poses | size | worst joint | worst corner | of round parts");
    for path in &files {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (fbx, gltf) = (Character::read(path)?, Character::read(&path.with_extension("glb"))?);
        let rest = gltf.pose(None);
        let all: Vec<Vec3> = rest.iter().flat_map(|(joint, matrix)| gltf.corners(joint, matrix)).collect();
        let low = all.iter().copied().fold(Vec3::INFINITY, Vec3::min);
        let size = all.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max).distance(low);
        let mut worst = Worst::default();
        for (joint, matrix) in fbx.pose(None) {
            let Some(right) = rest.get(joint) else { continue };
            let (corners, others) = (fbx.corners(joint, &matrix), gltf.corners(joint, right));
            let nearest =
                |corner: &Vec3| others.iter().map(|other| other.distance(*corner)).fold(f32::INFINITY, f32::min);
            if corners.iter().any(|corner| nearest(corner) > ROUNDING * size) && is_round(&corners, &others) {
                worst.round.insert(joint.to_owned());
            }
        }
        compare(&fbx, &gltf, [None, None], &mut worst);
        let mut clips = 0;
        for right in &gltf.model.clips {
            let Some(clip) = fbx.clip(&right.name) else {
                wrong.push(format!("{name}: the FBX file has no clip {:?}", right.name));
                continue;
            };
            clips += 1;
            let seconds = (right.end() - right.start()).min(clip.end() - clip.start());
            for moment in 0..MOMENTS {
                let time = seconds * moment as f32 / (MOMENTS - 1) as f32;
                compare(&fbx, &gltf, [Some((clip, time)), Some((right, time))], &mut worst);
            }
        }
        let count = |character: &Character| character.boxes.values().map(Vec::len).sum::<usize>();
        println!(
            "{name} | {} | {} | {clips} | {} | {size:.3} m | {:.1e} m | {:.1e} m | {}",
            fbx.model.skeleton.len(),
            count(&fbx),
            worst.poses,
            worst.joint,
            worst.corner,
            Vec::from_iter(worst.round.iter().map(String::as_str)).join(" ")
        );
        let keys = |character: &Character| character.boxes.keys().cloned().collect::<Vec<_>>();
        if count(&fbx) != count(&gltf) || keys(&fbx) != keys(&gltf) {
            wrong.push(format!("{name}: the FBX file has {} hitboxes, the glTF file {}", count(&fbx), count(&gltf)));
        }
        if 10 * worst.round.len() > count(&fbx) {
            wrong.push(format!("{name}: {} hitboxes have other axes", worst.round.len()));
        }
        let is_near = worst.joint.max(worst.corner) <= ROUNDING * size;
        // NaN is not near either.
        if !is_near {
            wrong.push(format!("{name}: {} m between joints, {} m between corners", worst.joint, worst.corner));
        }
    }
    if files.is_empty() {
        wrong.push(format!("{} has no .fbx file", folder.display()));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("name the folder with pairs of .fbx and .glb files")?;
    run(Path::new(&folder))
}
