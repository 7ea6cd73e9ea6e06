//! Recognizes FBX files and reads them with `ufbx`.

use crate::FbxError;
use ufbx::{
    AllocatorOpts, AnimOpts, AnimRoot, ErrorType, FileFormat, GeometryTransformHandling, InheritModeHandling, LoadOpts,
    MirrorAxis, Scene, SceneRoot, SpaceConversion,
};

const BINARY: &[u8] = b"Kaydara FBX Binary";
const DAMAGED: &str = "the file is damaged or incomplete: fetch it or export it again";

/// The memory that reading a file may use: a base, and a factor for each byte of the file. `ufbx` uses it for each of its two
/// allocators. Binary files have compressed arrays, which grow to a few times their size.
const BASE_BYTES: usize = 64 << 20;
const BYTES_PER_BYTE: usize = 64;

/// Returns true if a file begins as binary FBX files do, or as text files of FBX.
#[must_use]
pub fn is_fbx(bytes: &[u8]) -> bool {
    bytes.starts_with(BINARY) || is_text(bytes)
}

/// Text files begin with comments, of which the first is `; FBX 7.4.0 project file` if no program has changed it. Their first
/// element is `FBXHeaderExtension`.
fn is_text(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if text.starts_with(b"; FBX ") {
        return true;
    }
    let is_element = |line: &&[u8]| !line.is_empty() && !line.starts_with(b";");
    let first = text[..text.len().min(4096)].split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).find(is_element);
    first.is_some_and(|line| line.starts_with(b"FBXHeaderExtension"))
}

/// Reads a scene. All transforms are those of a right-handed space with y up, in meters; the vertices keep the units and axes of
/// the file, and the topmost nodes convert them.
pub(crate) fn load(bytes: &[u8]) -> Result<SceneRoot, FbxError> {
    if !is_fbx(bytes) {
        return Err(FbxError::NotFbx { found: first_bytes(bytes) });
    }
    let memory_limit = BASE_BYTES.saturating_add(bytes.len().saturating_mul(BYTES_PER_BYTE));
    let allocator = || AllocatorOpts { memory_limit, ..AllocatorOpts::default() };
    let options = LoadOpts {
        temp_allocator: allocator(),
        result_allocator: allocator(),
        // Bytes that are no FBX could be a text of another format that ufbx knows, which names other files.
        file_format: FileFormat::Fbx,
        load_external_files: false,
        ignore_embedded: true,
        skip_mesh_parts: true,
        target_axes: ufbx::axes_right_handed_y_up(),
        target_unit_meters: 1.0,
        space_conversion: SpaceConversion::AdjustTransforms,
        handedness_conversion_axis: MirrorAxis::X,
        // glTF knows neither transforms of geometry alone nor children without the scale of their parent.
        geometry_transform_handling: GeometryTransformHandling::ModifyGeometry,
        inherit_mode_handling: InheritModeHandling::Compensate,
        ..LoadOpts::default()
    };
    ufbx::load_memory(bytes, options).map_err(|error| unreadable(&error, memory_limit))
}

/// The animation that moves nothing: the rest pose.
pub(crate) fn rest(scene: &Scene) -> Result<AnimRoot, FbxError> {
    ufbx::create_anim(scene, AnimOpts::default()).map_err(|error| unreadable(&error, BASE_BYTES))
}

fn unreadable(error: &ufbx::Error, memory_limit: usize) -> FbxError {
    let (problem, cure) = match error.type_ {
        ErrorType::MemoryLimit | ErrorType::AllocationLimit | ErrorType::OutOfMemory => (
            format!("it needs more than the {memory_limit} bytes that a file of this size may use"),
            "the file is damaged, or it must be split",
        ),
        ErrorType::TruncatedFile => ("it ends too early".to_owned(), DAMAGED),
        ErrorType::UnsupportedVersion => (
            "its version is not supported; expected FBX 3.0 to 7.7".to_owned(),
            "export it again, as FBX 2020 or older",
        ),
        // The reader says this of everything that it has no words for.
        _ if &*error.description == "Failed to load" => ("a part of it is damaged".to_owned(), DAMAGED),
        _ => (error.description.to_string(), DAMAGED),
    };
    FbxError::Unreadable { problem, cure }
}

fn first_bytes(bytes: &[u8]) -> String {
    match bytes {
        [] => "an empty file".to_owned(),
        _ => format!("the bytes {}", bytes[..bytes.len().min(8)].escape_ascii()),
    }
}
