//! The sizes of an accessor's elements.

use gltf::json::accessor::{ComponentType, Type};

/// The number of bytes in one component.
pub(crate) fn component_size(component: ComponentType) -> usize {
    match component {
        ComponentType::I8 | ComponentType::U8 => 1,
        ComponentType::I16 | ComponentType::U16 => 2,
        ComponentType::U32 | ComponentType::F32 => 4,
    }
}

/// The number of components in one element.
pub(crate) fn components(kind: Type) -> usize {
    match kind {
        Type::Scalar => 1,
        Type::Vec2 => 2,
        Type::Vec3 => 3,
        Type::Vec4 | Type::Mat2 => 4,
        Type::Mat3 => 9,
        Type::Mat4 => 16,
    }
}

/// The number of bytes in one element. The columns of small matrices are padded to 4 bytes (glTF 2.0, section 3.6.2.4).
pub(crate) fn element_size(component: ComponentType, kind: Type) -> usize {
    let size = component_size(component);
    match kind {
        Type::Mat2 => 2 * (2 * size).next_multiple_of(4),
        Type::Mat3 => 3 * (3 * size).next_multiple_of(4),
        _ => components(kind) * size,
    }
}

/// The number of bytes from one element to the next. A stride of 0 means tightly packed, as in glTF 1.0.
pub(crate) fn stride(view: &gltf::json::buffer::View, size: usize) -> usize {
    view.byte_stride.map(|stride| stride.0).filter(|&stride| stride > 0).unwrap_or(size)
}
