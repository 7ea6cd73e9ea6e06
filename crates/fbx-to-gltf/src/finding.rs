//! What a conversion leaves out or repairs, and how messages show names.

/// Something in an FBX file that glTF cannot express, or that was repaired.
///
/// | code | what was found, and what was done |
/// |---|---|
/// | `fbx-repaired` | damaged parts of the file were repaired or left out |
/// | `fbx-dual-quaternion` | a skin that blends dual quaternions moves its vertices as linear blending does |
/// | `fbx-several-skins` | of several skins of a mesh, only the first one is read |
/// | `fbx-left-out` | surfaces that are no polygons, geometry caches and constraints are left out |
/// | `fbx-frame-rate` | clips are sampled 30 times per second, because the file has no usable frame rate |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// A stable code for programs.
    pub code: &'static str,
    /// A sentence with what was found, where, and how it was treated.
    pub text: String,
}

/// The longest text of a name in a message, in characters.
const SHOWN: usize = 60;

/// A name in quotes, shortened if it is long.
pub(crate) fn quoted(name: &str) -> String {
    match name.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}...", &name[..end]),
        None => format!("{name:?}"),
    }
}
