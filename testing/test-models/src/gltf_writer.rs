//! A small glTF writer. It checks nothing, so that tests can write wrong files too.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

/// The component type of an accessor's numbers.
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
    /// The number of bytes per number.
    #[must_use]
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Appends `value`, converted as the operator `as` does.
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

/// The number of components in an element of an accessor `type`.
fn width(kind: &str) -> usize {
    match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        other => panic!("{other:?} is not an accessor type"),
    }
}

/// A glTF file under construction: one buffer, and a JSON document.
#[derive(Clone, Debug)]
pub struct Gltf {
    /// The document, which callers may change freely. The buffer's length is set when the file is written.
    pub json: Value,
    /// The bytes of the only buffer.
    pub bin: Vec<u8>,
}

impl Default for Gltf {
    fn default() -> Self {
        Self::new()
    }
}

impl Gltf {
    /// Makes an empty document.
    #[must_use]
    pub fn new() -> Self {
        Self { json: json!({ "asset": { "version": "2.0" } }), bin: Vec::new() }
    }

    /// Appends `object` to the list with this name (`nodes`, `meshes`, ...), and returns its index.
    ///
    /// # Panics
    /// If the document has a member with this name that is not a list.
    pub fn push(&mut self, list: &str, object: Value) -> usize {
        let list = &mut self.json[list];
        if list.is_null() {
            *list = json!([]);
        }
        let list = list.as_array_mut().expect("a list");
        list.push(object);
        list.len() - 1
    }

    /// Appends bytes to the buffer, aligned to 4, and a buffer view of them. Returns the index of the view.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let offset = self.bin.len();
        self.bin.extend(bytes);
        self.push("bufferViews", json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() }))
    }

    /// Appends tightly packed numbers and an accessor of them. Returns the index of the accessor.
    ///
    /// # Panics
    /// If `kind` is not an accessor type, or the numbers do not form whole elements.
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

    /// Appends an accessor of f32, as [`Gltf::accessor`] does.
    pub fn floats(&mut self, kind: &str, numbers: impl IntoIterator<Item = f32>) -> usize {
        let numbers: Vec<f64> = numbers.into_iter().map(f64::from).collect();
        self.accessor(kind, Component::F32, false, &numbers)
    }

    /// Appends an accessor of u16 that is not normalized, as [`Gltf::accessor`] does.
    pub fn shorts(&mut self, kind: &str, numbers: impl IntoIterator<Item = u16>) -> usize {
        let numbers: Vec<f64> = numbers.into_iter().map(f64::from).collect();
        self.accessor(kind, Component::U16, false, &numbers)
    }

    /// The file as GLB: a JSON chunk and a BIN chunk.
    #[must_use]
    pub fn to_glb(&self) -> Vec<u8> {
        let mut json = self.with_buffer(None).to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut bin = self.bin.clone();
        bin.resize(bin.len().next_multiple_of(4), 0);
        glb(&[(*b"JSON", &json), (*b"BIN\0", &bin)])
    }

    /// The file as .gltf text, with the buffer in a base64 data URI.
    #[must_use]
    pub fn to_embedded(&self) -> String {
        let uri = format!("data:application/octet-stream;base64,{}", BASE64_STANDARD.encode(&self.bin));
        self.with_buffer(Some(&uri)).to_string()
    }

    /// The file as .gltf text with a buffer in another file. The bytes of that file are [`Gltf::bin`].
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

/// A GLB container with these chunks.
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
