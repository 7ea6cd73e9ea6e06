//! Writes a library of made-up characters for measurements of many bakes: `library DIR COUNT [GLB…]`.
//!
//! The characters are in folders of a hundred. Each differs a little from all others. With GLB files, every tenth character is a
//! variant of one of these files, whose positions must be plain `f32` numbers. The others are box men of a few kilobytes.

use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use test_models::{Gltf, Random, box_man};

/// Every so many characters one is a variant of a file.
const EVERY: usize = 10;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, count, files @ ..] = &arguments[..] else { return Err("expected DIR COUNT [GLB…]".into()) };
    let sources = files.iter().map(|file| split(&fs::read(file)?)).collect::<Result<Vec<_>, _>>()?;
    let mut random = Random::new(1_000);
    for number in 0..count.parse()? {
        let scale = [(); 3].map(|()| random.between(0.9, 1.1));
        let glb = match sources.get(number / EVERY % sources.len().max(1)).filter(|_| number % EVERY == 0) {
            Some(source) => variant(source, scale)?.to_glb(),
            None => {
                let mut man = box_man();
                for position in &mut man.positions {
                    *position = [0, 1, 2].map(|axis| position[axis] * scale[axis]);
                }
                man.to_glb()
            }
        };
        let folder = Path::new(folder).join(format!("{:03}", number / 100));
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("c{number:05}.glb")), glb)?;
    }
    Ok(())
}

/// The JSON and the binary data of a GLB file.
fn split(glb: &[u8]) -> Result<(Value, Vec<u8>), Box<dyn std::error::Error>> {
    const HEADER: usize = 12;
    let length = |at: usize| Some(u32::from_le_bytes(glb.get(at..at + 4)?.try_into().ok()?) as usize);
    let chunks = || {
        let json = length(HEADER)?;
        let binary = HEADER + 8 + json;
        Some((glb.get(HEADER + 8..binary)?, glb.get(binary + 8..binary + 8 + length(binary)?)?))
    };
    let (json, binary) = chunks().ok_or("this is no GLB file with two chunks")?;
    Ok((serde_json::from_slice(json)?, binary.to_vec()))
}

/// The character with all positions scaled along each axis.
fn variant((json, binary): &(Value, Vec<u8>), scale: [f32; 3]) -> Result<Gltf, Box<dyn std::error::Error>> {
    let (mut json, mut bin) = (json.clone(), binary.clone());
    let primitives = json["meshes"].as_array().into_iter().flatten().filter_map(|mesh| mesh["primitives"].as_array());
    let positions = primitives.flatten().filter_map(|primitive| primitive["attributes"]["POSITION"].as_u64());
    let mut accessors: Vec<u64> = positions.collect();
    accessors.sort_unstable();
    accessors.dedup();
    for index in accessors {
        let accessor = &mut json["accessors"][index as usize];
        let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        let (view, count, start) =
            (number(&accessor["bufferView"]), number(&accessor["count"]), number(&accessor["byteOffset"]));
        if accessor["componentType"] != json!(5126) {
            return Err("the positions are no f32 numbers".into());
        }
        for bound in ["min", "max"] {
            for (axis, scale) in scale.iter().enumerate() {
                let old = accessor[bound][axis].as_f64().ok_or("the bounds of the positions are missing")?;
                accessor[bound][axis] = json!(old as f32 * scale);
            }
        }
        let view = &json["bufferViews"][view];
        let (start, stride) = (start + number(&view["byteOffset"]), view["byteStride"].as_u64().unwrap_or(12) as usize);
        for vertex in 0..count {
            for (axis, scale) in scale.iter().enumerate() {
                let at = start + vertex * stride + 4 * axis;
                let bytes = bin.get_mut(at..at + 4).ok_or("an accessor ends behind the file")?;
                let old = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                bytes.copy_from_slice(&(old * scale).to_le_bytes());
            }
        }
    }
    Ok(Gltf { json, bin })
}
