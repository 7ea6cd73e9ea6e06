//! Typed reads of accessors whose ranges [`crate::document::structure`] has checked.
//!
//! The readers of the crate `gltf` reinterpret bytes without checking the component type, which turns quantized
//! positions into noise. These readers convert by type, resolve sparse accessors, and charge their memory to the
//! budget.

#[cfg(test)]
mod tests;

use crate::budget::Budget;
use crate::buffers::Buffers;
use crate::document::Document;
use crate::document::element_size::{component_size, element_size, stride};
#[cfg(feature = "meshopt")]
use crate::document::view_compression::Compression;
use crate::error::ImportError;
use gltf::json::accessor::Accessor;
pub(crate) use gltf::json::accessor::{ComponentType, Type};
use gltf::json::validation::Checked;
#[cfg(feature = "meshopt")]
use std::cell::OnceCell;

/// The format of an accessor's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    pub(crate) component: ComponentType,
    pub(crate) kind: Type,
    pub(crate) normalized: bool,
    pub(crate) count: usize,
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match self.kind {
            Type::Scalar => "SCALAR",
            Type::Vec2 => "VEC2",
            Type::Vec3 => "VEC3",
            Type::Vec4 => "VEC4",
            Type::Mat2 => "MAT2",
            Type::Mat3 => "MAT3",
            Type::Mat4 => "MAT4",
        };
        let component = match self.component {
            ComponentType::I8 => "signed bytes",
            ComponentType::U8 => "unsigned bytes",
            ComponentType::I16 => "signed 16-bit integers",
            ComponentType::U16 => "unsigned 16-bit integers",
            ComponentType::U32 => "unsigned 32-bit integers",
            ComponentType::F32 => "floats",
        };
        write!(f, "{kind} of {component}{}", if self.normalized { ", normalized" } else { "" })
    }
}

/// Reads accessors, and decompresses buffer views when they are first needed.
pub(crate) struct Reader<'a> {
    pub(crate) document: &'a Document,
    pub(crate) budget: &'a Budget,
    buffers: &'a Buffers<'a>,
    #[cfg(feature = "meshopt")]
    decompressed: Vec<OnceCell<Vec<u8>>>,
}

impl<'a> Reader<'a> {
    /// `document` must have passed [`crate::document::structure::check`], and `buffers` must have the lengths that it
    /// states.
    pub(crate) fn new(document: &'a Document, buffers: &'a Buffers<'a>, budget: &'a Budget) -> Self {
        Self {
            document,
            budget,
            buffers,
            #[cfg(feature = "meshopt")]
            decompressed: document.buffer_views.iter().map(|_| OnceCell::new()).collect(),
        }
    }

    pub(crate) fn accessor(&self, index: usize) -> &'a Accessor {
        &self.document.accessors[index]
    }

    pub(crate) fn format(&self, index: usize) -> Format {
        let accessor = self.accessor(index);
        // The structural check has ensured that both are valid, so the defaults are never used.
        let component = match &accessor.component_type {
            Checked::Valid(component) => component.0,
            Checked::Invalid => ComponentType::U8,
        };
        let kind = match accessor.type_ {
            Checked::Valid(kind) => kind,
            Checked::Invalid => Type::Scalar,
        };
        Format { component, kind, normalized: accessor.normalized, count: accessor.count.0 as usize }
    }

    /// Returns true if all elements are zeros because the accessor has neither a view nor sparse elements.
    pub(crate) fn is_without_data(&self, index: usize) -> bool {
        let accessor = self.accessor(index);
        accessor.buffer_view.is_none() && accessor.sparse.is_none()
    }

    /// Returns the format if `wanted` accepts it, otherwise an error.
    pub(crate) fn expect(
        &self,
        index: usize,
        place: impl FnOnce() -> String,
        expected: &str,
        wanted: impl FnOnce(&Format) -> bool,
    ) -> Result<Format, ImportError> {
        let format = self.format(index);
        if wanted(&format) {
            return Ok(format);
        }
        Err(ImportError::Malformed {
            place: format!("{}, {}", place(), self.document.accessor_place(index)),
            expected: expected.to_owned(),
            found: format.to_string(),
            cure: "the exporter writes a type that glTF 2.0 does not allow here: use another exporter, or report the problem to its authors",
        })
    }

    /// Reads the first `most` elements as floats. Integers are normalized if the accessor says so.
    ///
    /// `N` must be the accessor's number of components.
    pub(crate) fn floats<const N: usize>(&self, index: usize, most: usize) -> Result<Vec<[f32; N]>, ImportError> {
        let format = self.format(index);
        let size = component_size(format.component);
        let number = number_reader(format.component, format.normalized);
        self.elements(index, most, [0.0; N], |bytes| std::array::from_fn(|i| number(&bytes[i * size..])))
    }

    /// Reads the elements as unsigned integers; `None` if the components are signed or floats.
    pub(crate) fn integers<const N: usize>(&self, index: usize) -> Result<Option<Vec<[u32; N]>>, ImportError> {
        let number: fn(&[u8]) -> u32 = match self.format(index).component {
            ComponentType::U8 => |bytes| u32::from(bytes[0]),
            ComponentType::U16 => |bytes| u32::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            ComponentType::U32 => |bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            _ => return Ok(None),
        };
        let size = component_size(self.format(index).component);
        let read = |bytes: &[u8]| std::array::from_fn(|i| number(&bytes[i * size..]));
        self.elements(index, usize::MAX, [0; N], read).map(Some)
    }

    /// Decodes each element's bytes. Sparse elements replace those of the view, or zeros if there is no view.
    fn elements<T: Clone>(
        &self,
        index: usize,
        most: usize,
        zero: T,
        decode: impl Fn(&[u8]) -> T,
    ) -> Result<Vec<T>, ImportError> {
        let accessor = self.accessor(index);
        let format = self.format(index);
        let count = format.count.min(most);
        let size = element_size(format.component, format.kind);
        self.budget.charge(count as u64, size_of::<T>(), || self.document.accessor_place(index))?;
        let mut elements = match &accessor.buffer_view {
            Some(view) => {
                let stride = stride(&self.document.buffer_views[view.value()], size);
                let bytes = &self.view(view.value())?[accessor.byte_offset.unwrap_or_default().0 as usize..];
                (0..count).map(|i| decode(&bytes[i * stride..][..size])).collect()
            }
            None => vec![zero; count],
        };
        self.replace_sparse(index, size, &mut elements, decode)?;
        Ok(elements)
    }

    fn replace_sparse<T>(
        &self,
        index: usize,
        size: usize,
        elements: &mut [T],
        decode: impl Fn(&[u8]) -> T,
    ) -> Result<(), ImportError> {
        let Some(sparse) = &self.accessor(index).sparse else { return Ok(()) };
        let Checked::Valid(component) = sparse.indices.component_type else { return Ok(()) };
        let (step, count) = (component_size(component.0), sparse.count.0 as usize);
        self.budget.charge(count as u64, 1, || self.document.accessor_place(index))?;
        let indices = &self.view(sparse.indices.buffer_view.value())?[sparse.indices.byte_offset.0 as usize..];
        let values = &self.view(sparse.values.buffer_view.value())?[sparse.values.byte_offset.0 as usize..];
        let mut next = 0;
        for i in 0..count {
            let bytes = &indices[i * step..][..step];
            let target = bytes.iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte));
            if target < next || target >= self.accessor(index).count.0 {
                return Err(ImportError::Malformed {
                    place: format!("{}, sparse index {i}", self.document.accessor_place(index)),
                    expected: format!("an index from {next} to {}", self.accessor(index).count.0 - 1),
                    found: target.to_string(),
                    cure: "the file is damaged: export it again",
                });
            }
            next = target + 1;
            if let Some(element) = elements.get_mut(target as usize) {
                *element = decode(&values[i * size..][..size]);
            }
        }
        Ok(())
    }

    /// The bytes of a view, as many as it states.
    pub(crate) fn view(&self, index: usize) -> Result<&[u8], ImportError> {
        #[cfg(feature = "meshopt")]
        if let Some(compression) = Compression::of(self.document, index)? {
            if let Some(bytes) = self.decompressed[index].get() {
                return Ok(bytes);
            }
            let bytes = self.decompress(index, &compression)?;
            return Ok(self.decompressed[index].get_or_init(|| bytes));
        }
        let view = &self.document.buffer_views[index];
        let start = view.byte_offset.unwrap_or_default().0 as usize;
        Ok(&self.buffer(view.buffer.value())?[start..start + view.byte_length.0 as usize])
    }

    fn buffer(&self, index: usize) -> Result<&[u8], ImportError> {
        self.buffers[index].as_deref().ok_or_else(|| ImportError::Malformed {
            place: self.document.buffer_place(index),
            expected: "a uri, or the BIN chunk of a .glb for buffer 0".to_owned(),
            found: "neither".to_owned(),
            cure: "the file is incomplete: export it again",
        })
    }

    #[cfg(feature = "meshopt")]
    fn decompress(&self, index: usize, compression: &Compression) -> Result<Vec<u8>, ImportError> {
        let place = || self.document.view_place(index);
        self.budget.charge(compression.count, compression.stride as usize, place)?;
        let start = compression.offset as usize;
        let bytes = &self.buffer(compression.buffer)?[start..start + compression.length as usize];
        crate::decode::meshopt::decompress(bytes, compression)
            .map_err(|problem| ImportError::Compressed { place: place(), problem })
    }
}

/// The function that converts one number to a float (glTF 2.0, section 3.6.2.2).
pub(crate) fn number_reader(component: ComponentType, normalized: bool) -> fn(&[u8]) -> f32 {
    use ComponentType::{F32, I8, I16, U8, U16, U32};
    match (component, normalized) {
        (F32, _) => |b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]),
        (U8, false) => |b| f32::from(b[0]),
        (U8, true) => |b| f32::from(b[0]) / 255.0,
        (I8, false) => |b| f32::from(b[0] as i8),
        (I8, true) => |b| (f32::from(b[0] as i8) / 127.0).max(-1.0),
        (U16, false) => |b| f32::from(u16::from_le_bytes([b[0], b[1]])),
        (U16, true) => |b| f32::from(u16::from_le_bytes([b[0], b[1]])) / 65535.0,
        (I16, false) => |b| f32::from(i16::from_le_bytes([b[0], b[1]])),
        (I16, true) => |b| (f32::from(i16::from_le_bytes([b[0], b[1]])) / 32767.0).max(-1.0),
        (U32, _) => |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as f32,
    }
}
