//! Collects the objects and the binary data of a .glb.

use crate::FbxError;
use serde_json::{Map, Value, json};

/// The bytes that a .glb may have: a base, and a factor for each byte of the FBX file. Sampled clips are larger than curves
/// with few keys.
const BASE_BYTES: u64 = 8 << 20;
const BYTES_PER_BYTE: u64 = 64;
/// The bytes of JSON that one object may take, without names.
const BYTES_OF_OBJECT: u64 = 256;

const CURE: &str = "if this is right, split the file or shorten its takes; else the file is damaged";

/// An unfinished .glb. Each list of the JSON is a member of `lists`.
pub(crate) struct Glb {
    lists: Map<String, Value>,
    binary: Vec<u8>,
    limit: u64,
    spent: u64,
}

impl Glb {
    /// An empty .glb for an FBX file of this many bytes.
    pub(crate) fn for_file(bytes: usize) -> Self {
        let limit = BASE_BYTES.saturating_add((bytes as u64).saturating_mul(BYTES_PER_BYTE));
        Self { lists: Map::new(), binary: Vec::new(), limit, spent: 0 }
    }

    /// Charges bytes for the object `place`, before they are allocated.
    pub(crate) fn charge(&mut self, bytes: u64, place: &dyn Fn() -> String) -> Result<(), FbxError> {
        self.fits(bytes, place)?;
        self.spent += bytes;
        Ok(())
    }

    /// Checks that bytes for the object `place` can be allocated for a while. They are not charged.
    pub(crate) fn fits(&self, bytes: u64, place: &dyn Fn() -> String) -> Result<(), FbxError> {
        if self.spent.saturating_add(bytes) > self.limit {
            return Err(FbxError::Limit { place: place(), found: bytes, limit: self.limit, unit: "bytes", cure: CURE });
        }
        Ok(())
    }

    /// Appends an object to a list such as `meshes`, and returns its index. `names` is the length of the texts in the object.
    pub(crate) fn push(
        &mut self,
        list: &str,
        object: Value,
        names: usize,
        place: &dyn Fn() -> String,
    ) -> Result<usize, FbxError> {
        // JSON may need six bytes for one byte of a text.
        self.charge(BYTES_OF_OBJECT.saturating_add(6 * names as u64), place)?;
        match self.lists.entry(list).or_insert_with(|| Value::Array(Vec::new())) {
            Value::Array(objects) => {
                objects.push(object);
                Ok(objects.len() - 1)
            }
            _ => unreachable!("every member of the JSON is a list until the end"),
        }
    }

    /// Appends an accessor of float vectors. `kind` is a type of glTF such as `VEC3`.
    pub(crate) fn floats<const N: usize>(
        &mut self,
        kind: &str,
        values: &[[f32; N]],
        place: &dyn Fn() -> String,
    ) -> Result<usize, FbxError> {
        self.charge(size_of_val(values) as u64, place)?;
        let view = self.view(values.as_flattened().iter().flat_map(|value| value.to_le_bytes()), place)?;
        let mut accessor = json!({ "bufferView": view, "componentType": 5126, "count": values.len(), "type": kind });
        // glTF requires the bounds of positions and of key times. JSON has no NaN, which the importer reports by its place.
        if N != 4 && values.as_flattened().iter().all(|value| value.is_finite()) {
            let bound = |pick: fn(f32, f32) -> f32| -> Option<Vec<f32>> {
                let (first, rest) = values.split_first()?;
                Some((0..N).map(|axis| rest.iter().fold(first[axis], |best, value| pick(best, value[axis]))).collect())
            };
            accessor["min"] = json!(bound(f32::min));
            accessor["max"] = json!(bound(f32::max));
        }
        self.push("accessors", accessor, 0, place)
    }

    /// Appends an accessor of slots of a skin.
    pub(crate) fn slots(&mut self, values: &[[u16; 4]], place: &dyn Fn() -> String) -> Result<usize, FbxError> {
        self.charge(size_of_val(values) as u64, place)?;
        let view = self.view(values.as_flattened().iter().flat_map(|value| value.to_le_bytes()), place)?;
        let accessor = json!({ "bufferView": view, "componentType": 5123, "count": values.len(), "type": "VEC4" });
        self.push("accessors", accessor, 0, place)
    }

    /// Appends an accessor of the corners of triangles.
    pub(crate) fn corners(&mut self, values: &[u32], place: &dyn Fn() -> String) -> Result<usize, FbxError> {
        self.charge(size_of_val(values) as u64, place)?;
        let view = self.view(values.iter().flat_map(|value| value.to_le_bytes()), place)?;
        let accessor = json!({ "bufferView": view, "componentType": 5125, "count": values.len(), "type": "SCALAR" });
        self.push("accessors", accessor, 0, place)
    }

    /// Appends an accessor of `count` vectors that are 0, except for those at `indices`, which ascend.
    pub(crate) fn sparse(
        &mut self,
        count: usize,
        indices: &[u32],
        values: &[[f32; 3]],
        place: &dyn Fn() -> String,
    ) -> Result<usize, FbxError> {
        self.charge((size_of_val(indices) + size_of_val(values)) as u64, place)?;
        let mut accessor = json!({ "componentType": 5126, "count": count, "type": "VEC3" });
        if !indices.is_empty() {
            let at = self.view(indices.iter().flat_map(|value| value.to_le_bytes()), place)?;
            let of = self.view(values.as_flattened().iter().flat_map(|value| value.to_le_bytes()), place)?;
            accessor["sparse"] = json!({
                "count": indices.len(),
                "indices": { "bufferView": at, "componentType": 5125 },
                "values": { "bufferView": of },
            });
        }
        self.push("accessors", accessor, 0, place)
    }

    /// All widths are multiples of four bytes, so every view is aligned.
    fn view(&mut self, bytes: impl Iterator<Item = u8>, place: &dyn Fn() -> String) -> Result<usize, FbxError> {
        let start = self.binary.len();
        self.binary.extend(bytes);
        let view = json!({ "buffer": 0, "byteOffset": start, "byteLength": self.binary.len() - start });
        self.push("bufferViews", view, 0, place)
    }

    /// Returns the bytes of the file.
    pub(crate) fn finish(mut self, top: Vec<usize>) -> Result<Vec<u8>, FbxError> {
        let mut document = json!({
            "asset": { "version": "2.0", "generator": "bonebox, from an FBX file" },
            "scene": 0,
            "scenes": [if top.is_empty() { json!({}) } else { json!({ "nodes": top }) }],
        });
        if self.lists.get("nodes").and_then(Value::as_array).is_some_and(|nodes| nodes.iter().any(has_levels)) {
            document["extensionsUsed"] = json!(["MSFT_lod"]);
        }
        if !self.binary.is_empty() {
            document["buffers"] = json!([{ "byteLength": self.binary.len() }]);
        }
        for (list, objects) in std::mem::take(&mut self.lists) {
            document[list] = objects;
        }
        Ok(gltf_container::to_glb(document.to_string().as_bytes(), &self.binary)?)
    }
}

fn has_levels(node: &Value) -> bool {
    node.get("extensions").is_some()
}
