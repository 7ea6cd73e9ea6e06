//! Compares the surface of converted FBX files with the positions that `ufbx` computes from the same files.
//!
//! `fbx_positions FILE…` prints a line for each file. The .glb is posed here, in f64 and without the crates that read glTF. `ufbx` poses
//! the file as it is: with its pivots, its inheritance of scales and its transforms of geometry.

use glam::{DMat4, DQuat, DVec3};
use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;
use ufbx::{EvaluateOpts, LoadOpts, MirrorAxis, Scene, SceneRoot};

/// The frames of each clip that are compared.
const MOMENTS: usize = 9;

/// A larger distance, as a share of the size, is no rounding.
const DIAGONAL: f64 = 1e-5;

type Corners = Vec<Vec<DVec3>>;

/// A .glb and its binary data.
struct Gltf {
    json: Value,
    binary: Vec<u8>,
}

fn index(value: &Value) -> Option<usize> {
    value.as_u64().map(|number| number as usize)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn numbers(value: &Value) -> Option<Vec<f64>> {
    value.as_array().map(|all| all.iter().filter_map(Value::as_f64).collect())
}

impl Gltf {
    fn open(glb: &[u8]) -> Self {
        let length = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().expect("four bytes")) as usize;
        let end = 20 + length(12);
        let binary = glb.get(end + 8..).map(<[u8]>::to_vec).unwrap_or_default();
        Self { json: serde_json::from_slice(&glb[20..end]).expect("the JSON of a .glb"), binary }
    }

    fn view(&self, view: &Value, kind: u64, count: usize) -> Vec<f64> {
        let view = &self.json["bufferViews"][index(view).expect("an index")];
        let bytes = &self.binary[index(&view["byteOffset"]).unwrap_or(0)..];
        match kind {
            5123 => bytes.chunks(2).take(count).map(|two| f64::from(u16::from_le_bytes([two[0], two[1]]))).collect(),
            5125 => {
                bytes.chunks(4).take(count).map(|b| f64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]]))).collect()
            }
            _ => bytes.chunks(4).take(count).map(|b| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]))).collect(),
        }
    }

    fn accessor(&self, accessor: &Value) -> Vec<f64> {
        let accessor = &self.json["accessors"][index(accessor).expect("an index")];
        let width = match accessor["type"].as_str() {
            Some("SCALAR") => 1,
            Some("VEC2") => 2,
            Some("VEC3") => 3,
            Some("MAT4") => 16,
            _ => 4,
        };
        let count = width * index(&accessor["count"]).expect("a count");
        let kind = accessor["componentType"].as_u64().expect("a kind");
        let mut all = match accessor.get("bufferView") {
            Some(view) => self.view(view, kind, count),
            None => vec![0.0; count],
        };
        if let Some(sparse) = accessor.get("sparse") {
            let count = index(&sparse["count"]).expect("a count");
            let values = self.view(&sparse["values"]["bufferView"], kind, width * count);
            for (at, value) in self.view(&sparse["indices"]["bufferView"], 5125, count).iter().zip(values.chunks(width))
            {
                all[*at as usize * width..][..width].copy_from_slice(value);
            }
        }
        all
    }

    fn vectors(&self, accessor: &Value) -> Vec<DVec3> {
        self.accessor(accessor).chunks(3).map(DVec3::from_slice).collect()
    }

    /// The values of a property of a node at a time of a clip, if the clip moves it.
    fn sampled(&self, clip: Option<(usize, f64)>, node: usize, path: &str) -> Option<Vec<f64>> {
        let (clip, time) = clip?;
        let clip = &self.json["animations"][clip];
        let moves =
            |channel: &&Value| index(&channel["target"]["node"]) == Some(node) && channel["target"]["path"] == path;
        let channel = list(&clip["channels"]).iter().find(moves)?;
        let sampler = &clip["samplers"][index(&channel["sampler"])?];
        let (times, values) = (self.accessor(&sampler["input"]), self.accessor(&sampler["output"]));
        let width = values.len() / times.len();
        let after = times.partition_point(|&key| key <= time).clamp(1, times.len().max(2) - 1);
        let (first, last) = (after - 1, after.min(times.len() - 1));
        let share =
            if first == last { 0.0 } else { ((time - times[first]) / (times[last] - times[first])).clamp(0.0, 1.0) };
        let at = |key: usize| &values[key * width..][..width];
        Some(at(first).iter().zip(at(last)).map(|(a, b)| a + (b - a) * share).collect())
    }

    fn world(&self, clip: Option<(usize, f64)>) -> Vec<DMat4> {
        let nodes = list(&self.json["nodes"]);
        let local = |node: usize| {
            let read = |path: &str, rest: &[f64]| {
                self.sampled(clip, node, path).or_else(|| numbers(&nodes[node][path])).unwrap_or_else(|| rest.to_vec())
            };
            let (scale, turn) = (read("scale", &[1.0; 3]), read("rotation", &[0.0, 0.0, 0.0, 1.0]));
            let turn = DQuat::from_slice(&turn).normalize();
            DMat4::from_scale_rotation_translation(
                DVec3::from_slice(&scale),
                turn,
                DVec3::from_slice(&read("translation", &[0.0; 3])),
            )
        };
        let mut world = vec![DMat4::IDENTITY; nodes.len()];
        let mut waiting: Vec<(usize, DMat4)> = list(&self.json["scenes"][0]["nodes"])
            .iter()
            .filter_map(index)
            .map(|node| (node, DMat4::IDENTITY))
            .collect();
        while let Some((node, parent)) = waiting.pop() {
            world[node] = parent * local(node);
            waiting.extend(list(&nodes[node]["children"]).iter().filter_map(index).map(|child| (child, world[node])));
        }
        world
    }

    /// The corners of the triangles of each node with a mesh.
    fn posed(&self, clip: Option<(usize, f64)>) -> Corners {
        let world = self.world(clip);
        let mut all = Corners::new();
        for (node, object) in list(&self.json["nodes"]).iter().enumerate() {
            let Some(mesh) = index(&object["mesh"]) else { continue };
            let mesh = &self.json["meshes"][mesh];
            let weights = self.sampled(clip, node, "weights").or_else(|| numbers(&mesh["weights"])).unwrap_or_default();
            let skin = index(&object["skin"]).map(|skin| &self.json["skins"][skin]);
            let bones: Vec<DMat4> = skin.map_or_else(Vec::new, |skin| {
                let inverse = self.accessor(&skin["inverseBindMatrices"]);
                let joints = list(&skin["joints"]).iter().filter_map(index);
                joints.zip(inverse.chunks(16)).map(|(joint, m)| world[joint] * DMat4::from_cols_slice(m)).collect()
            });
            let mut corners = Vec::new();
            for primitive in list(&mesh["primitives"]) {
                let attributes = &primitive["attributes"];
                let mut points = self.vectors(&attributes["POSITION"]);
                for (target, weight) in list(&primitive["targets"]).iter().zip(&weights) {
                    points
                        .iter_mut()
                        .zip(self.vectors(&target["POSITION"]))
                        .for_each(|(point, offset)| *point += offset * *weight);
                }
                let mut sums = vec![(DVec3::ZERO, 0.0); points.len()];
                for set in 0.. {
                    let Some(slots) = attributes.get(format!("JOINTS_{set}")) else { break };
                    let (slots, weights) = (self.accessor(slots), self.accessor(&attributes[format!("WEIGHTS_{set}")]));
                    for (at, (slot, weight)) in
                        slots.iter().zip(weights).enumerate().filter(|(_, (_, weight))| *weight > 0.0)
                    {
                        let sum = &mut sums[at / 4];
                        sum.0 += bones[*slot as usize].transform_point3(points[at / 4]) * weight;
                        sum.1 += weight;
                    }
                }
                // `ufbx` moves vertices without weights with the node.
                let place = |(point, (sum, total)): (&DVec3, &(DVec3, f64))| match *total > 0.0 {
                    true => *sum / *total,
                    false => world[node].transform_point3(*point),
                };
                let points: Vec<DVec3> = points.iter().zip(&sums).map(place).collect();
                corners.extend(self.accessor(&primitive["indices"]).iter().map(|&corner| points[corner as usize]));
            }
            all.push(corners);
        }
        all
    }
}

/// The same corners in the order of the .glb: by material, then by face.
fn posed(scene: &Scene) -> Corners {
    let mut all = Corners::new();
    for node in scene.nodes.as_ref().iter().filter(|node| !node.is_root) {
        let Some(mesh) = node.mesh.as_deref().filter(|mesh| mesh.num_triangles > 0) else { continue };
        let mut of_material: BTreeMap<u32, Vec<DVec3>> = BTreeMap::new();
        let mut triangles = Vec::new();
        for (face, material) in mesh.faces.iter().zip(0..).filter(|(face, _)| face.num_indices >= 3) {
            triangles.resize(3 * (face.num_indices as usize - 2), 0);
            let count = ufbx::triangulate_face(&mut triangles, mesh, *face) as usize;
            let corners = of_material.entry(mesh.face_material.get(material).copied().unwrap_or(0)).or_default();
            corners.extend(triangles[..3 * count].iter().map(|&corner| {
                let at = mesh.skinned_position.values[mesh.skinned_position.indices[corner as usize] as usize];
                let at = if mesh.skinned_is_local { ufbx::transform_position(&node.geometry_to_world, at) } else { at };
                DVec3::new(at.x, at.y, at.z)
            }));
        }
        all.push(of_material.into_values().flatten().collect());
    }
    all
}

/// The largest distance of two corners, the size of the surface and the number of corners that were compared; or what differs.
fn compare(found: &Corners, expected: &Corners) -> Result<(f64, f64, usize), String> {
    let lengths = |all: &Corners| all.iter().map(Vec::len).collect::<Vec<_>>();
    let (mut some, mut others) = (found.clone(), expected.clone());
    if lengths(&some) != lengths(&others) {
        some.sort_by_key(Vec::len);
        others.sort_by_key(Vec::len);
    }
    if lengths(&some) != lengths(&others) {
        return Err(format!("{:?} corners, expected {:?}", lengths(found), lengths(expected)));
    }
    let all: Vec<DVec3> = others.iter().flatten().copied().collect();
    let low = all.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = all.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    let distances = some.iter().flatten().zip(&all).map(|(a, b)| a.distance(*b));
    // A NaN counts as infinite.
    let worst = |distances: &mut dyn Iterator<Item = f64>| {
        distances.map(|distance| if distance.is_nan() { f64::INFINITY } else { distance }).fold(0.0, f64::max)
    };
    let mut worst_corner = worst(&mut distances.into_iter());
    if worst_corner > (high - low).length() * DIAGONAL {
        // Faces with equal diagonals may be divided along either, and helpers change the order of nodes.
        let some: Vec<DVec3> = some.into_iter().flatten().collect();
        let nearest =
            |point: &DVec3, all: &[DVec3]| all.iter().map(|other| other.distance(*point)).fold(f64::INFINITY, f64::min);
        let there = some.iter().map(|point| nearest(point, &all));
        worst_corner = worst(&mut there.chain(all.iter().map(|point| nearest(point, &some))));
    }
    Ok((worst_corner, (high - low).length(), all.len()))
}

fn load(bytes: &[u8]) -> Result<SceneRoot, Box<dyn Error>> {
    let options = LoadOpts {
        target_axes: ufbx::axes_right_handed_y_up(),
        target_unit_meters: 1.0,
        handedness_conversion_axis: MirrorAxis::X,
        evaluate_skinning: true,
        ..LoadOpts::default()
    };
    ufbx::load_memory(bytes, options).map_err(|error| error.description.to_string().into())
}

fn of_file(path: &str) -> Result<String, Box<dyn Error>> {
    let bytes = std::fs::read(path)?;
    let scene = load(&bytes)?;
    let gltf = Gltf::open(&skinned_model::gltf_bytes(&bytes)?);
    let (worst, size, corners) = compare(&gltf.posed(None), &posed(&scene))?;
    let mut told = format!("{corners} corners, size {size:.4} m, at rest {:.1e}", worst / size);
    let clips = list(&gltf.json["animations"]);
    let mut next = 0;
    for stack in &scene.anim_stacks {
        let stack_name: &str = &stack.element.name;
        let is_name =
            |name: &str| name == stack_name || stack_name.split_once('|').is_some_and(|(_, action)| action == name);
        if next == clips.len() || !is_name(clips[next]["name"].as_str().unwrap_or_default()) {
            continue;
        }
        let times = list(&clips[next]["samplers"]).iter().map(|sampler| gltf.accessor(&sampler["input"]));
        let times = times.max_by_key(Vec::len).unwrap_or_default();
        let mut largest = (0.0, 0.0);
        for moment in 0..MOMENTS {
            let Some(&time) = times.get((times.len() - 1) * moment / (MOMENTS - 1)) else { continue };
            // The 32 bits of a key time are a few ticks off, which matters where a curve has steps.
            let frame = time * scene.settings.frames_per_second;
            let is_frame = (frame - frame.round()).abs() < 1e-3;
            let time = if is_frame { frame.round() / scene.settings.frames_per_second } else { time };
            let ticks = scene.metadata.ktime_second as f64;
            let of_file = (((stack.time_begin + time) * ticks).round() + 0.5) / ticks;
            let options = EvaluateOpts { evaluate_skinning: true, ..EvaluateOpts::default() };
            let evaluated = ufbx::evaluate_scene(&scene, &stack.anim, of_file, options)
                .map_err(|error| error.description.to_string())?;
            let (worst, size, _) = compare(&gltf.posed(Some((next, time))), &posed(&evaluated))?;
            if worst / size > largest.0 {
                largest = (worst / size, time);
            }
        }
        told += &format!(", {stack_name:?} {:.1e} at {:.2} s", largest.0, largest.1);
        next += 1;
    }
    Ok(told)
}

fn main() {
    for path in std::env::args().skip(1) {
        match of_file(&path) {
            Ok(told) => println!("{path}: {told}"),
            Err(error) => println!("{path}: ERROR {error}"),
        }
    }
}
