//! A small glTF writer: it checks nothing, so that broken files can be made too.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

/// What an accessor's numbers are stored as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// Signed byte.
    I8 = 5120,
    /// Unsigned byte.
    U8 = 5121,
    /// Signed, 16 bits.
    I16 = 5122,
    /// Unsigned, 16 bits.
    U16 = 5123,
    /// Unsigned, 32 bits.
    U32 = 5125,
    /// Floating point, 32 bits.
    F32 = 5126,
}

impl Component {
    /// Bytes a number takes.
    #[must_use]
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Appends `value`, cast as `as` does.
    fn write(self, value: f64, bytes: &mut Vec<u8>) {
        match self {
            Self::I8 => bytes.extend((value as i8).to_le_bytes()),
            Self::U8 => bytes.extend((value as u8).to_le_bytes()),
            Self::I16 => bytes.extend((value as i16).to_le_bytes()),
            Self::U16 => bytes.extend((value as u16).to_le_bytes()),
            Self::U32 => bytes.extend((value as u32).to_le_bytes()),
            Self::F32 => bytes.extend((value as f32).to_le_bytes()),
        }
    }
}

/// Numbers in an element of a glTF accessor `type`.
fn width(kind: &str) -> usize {
    match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        other => panic!("no accessor type {other:?}"),
    }
}

/// A glTF file under construction: one buffer, and any JSON.
#[derive(Clone, Debug)]
pub struct Gltf {
    /// The document, free to be changed. The buffer's length is filled in when it is written.
    pub json: Value,
    /// The one buffer's bytes.
    pub bin: Vec<u8>,
}

impl Default for Gltf {
    fn default() -> Self {
        Self::new()
    }
}

impl Gltf {
    /// An empty document.
    #[must_use]
    pub fn new() -> Self {
        Self { json: json!({ "asset": { "version": "2.0" } }), bin: Vec::new() }
    }

    /// Appends `object` to the list of that name (`nodes`, `meshes`, ...); gives its index.
    ///
    /// # Panics
    /// Where something else of that name is no list.
    pub fn push(&mut self, list: &str, object: Value) -> usize {
        let list = &mut self.json[list];
        if list.is_null() {
            *list = json!([]);
        }
        let list = list.as_array_mut().expect("a list");
        list.push(object);
        list.len() - 1
    }

    /// Appends bytes to the buffer, aligned to 4, and a view of them; gives the view's index.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let offset = self.bin.len();
        self.bin.extend(bytes);
        self.push("bufferViews", json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() }))
    }

    /// Appends numbers, tightly packed, and an accessor of them; gives the accessor's index.
    ///
    /// # Panics
    /// Where `kind` is no accessor type, or the numbers are no whole elements.
    pub fn accessor(&mut self, kind: &str, component: Component, normalized: bool, numbers: &[f64]) -> usize {
        assert_eq!(numbers.len() % width(kind), 0, "whole elements");
        let mut bytes = Vec::with_capacity(numbers.len() * component.size());
        numbers.iter().for_each(|&number| component.write(number, &mut bytes));
        let view = self.view(&bytes);
        let mut accessor = json!({ "bufferView": view, "componentType": component as u32,
            "count": numbers.len() / width(kind), "type": kind });
        if normalized {
            accessor["normalized"] = json!(true);
        }
        self.push("accessors", accessor)
    }

    /// An accessor of f32.
    pub fn floats(&mut self, kind: &str, numbers: impl IntoIterator<Item = f32>) -> usize {
        let numbers: Vec<f64> = numbers.into_iter().map(f64::from).collect();
        self.accessor(kind, Component::F32, false, &numbers)
    }

    /// An accessor of u16, not normalized.
    pub fn shorts(&mut self, kind: &str, numbers: impl IntoIterator<Item = u16>) -> usize {
        let numbers: Vec<f64> = numbers.into_iter().map(f64::from).collect();
        self.accessor(kind, Component::U16, false, &numbers)
    }

    /// As GLB: JSON and BIN chunk.
    #[must_use]
    pub fn to_glb(&self) -> Vec<u8> {
        let mut json = self.with_buffer(None).to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut bin = self.bin.clone();
        bin.resize(bin.len().next_multiple_of(4), 0);
        glb(&[(*b"JSON", &json), (*b"BIN\0", &bin)])
    }

    /// As .gltf text with the buffer in a base64 data URI.
    #[must_use]
    pub fn to_embedded(&self) -> String {
        let uri = format!("data:application/octet-stream;base64,{}", BASE64_STANDARD.encode(&self.bin));
        self.with_buffer(Some(&uri)).to_string()
    }

    /// As .gltf text that names a file for its buffer; the file's bytes are [`Gltf::bin`].
    #[must_use]
    pub fn to_separate(&self, uri: &str) -> String {
        self.with_buffer(Some(uri)).to_string()
    }

    fn with_buffer(&self, uri: Option<&str>) -> Value {
        let mut json = self.json.clone();
        if json["buffers"].is_null() && !self.bin.is_empty() {
            json["buffers"] = json!([{ "byteLength": self.bin.len() }]);
            if let Some(uri) = uri {
                json["buffers"][0]["uri"] = json!(uri);
            }
        }
        json
    }
}

/// A GLB container of these chunks.
fn glb(chunks: &[([u8; 4], &[u8])]) -> Vec<u8> {
    let length: usize = 12 + chunks.iter().map(|(_, data)| 8 + data.len()).sum::<usize>();
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((length as u32).to_le_bytes());
    for (kind, data) in chunks {
        bytes.extend((data.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(*data);
    }
    bytes
}
