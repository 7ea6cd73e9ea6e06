//! The errors of an import.

use crate::resolve::ResolveError;
use gltf_container::ContainerError;

/// The reason why an import failed. Every message names the place, what was expected, what was found, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file cannot be split into JSON and binary data.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The FBX file cannot be converted to glTF.
    #[cfg(feature = "fbx")]
    #[error(transparent)]
    Fbx(#[from] fbx_to_gltf::FbxError),
    /// The JSON is not well formed, or a member has the wrong type.
    #[error(
        "the glTF JSON cannot be read at line {line}, column {column}: {problem}; check the file with the glTF Validator or export it again"
    )]
    Json {
        /// The line, counted from 1. GLB files have their JSON in one line.
        line: usize,
        /// The column, counted from 1.
        column: usize,
        /// The error of the JSON parser.
        problem: String,
    },
    /// The file has an unsupported version of glTF.
    #[error("this is glTF {found}, expected glTF 2.x; convert or export it as glTF 2.0")]
    Version {
        /// The version as in the file.
        found: String,
    },
    /// The file requires an extension that the importer cannot read and that may change geometry.
    #[error("the file requires the extension {name:?}, which is not supported: {reason}; {cure}")]
    Extension {
        /// The extension's name.
        name: String,
        /// The reason why the importer cannot read it.
        reason: &'static str,
        /// The action that corrects the file, as a sentence.
        cure: &'static str,
    },
    /// The file is well formed, but no node has both a mesh and a skin.
    #[error(
        "no skin in this file: expected a node with a mesh and a skin, found meshes: {meshes}, skins: {skins}, nodes: {nodes}; export the character with its armature, and enable skinning in the exporter"
    )]
    NoSkin {
        /// The number of skins in the file.
        skins: usize,
        /// The number of meshes in the file.
        meshes: usize,
        /// The number of nodes in the file.
        nodes: usize,
    },
    /// An index is beyond the end of its list.
    #[error(
        "{place}: it names {kind} {index}, but the file has {count} of them, numbered from 0; the file is damaged: export it again"
    )]
    MissingObject {
        /// The object with the index.
        place: String,
        /// The kind of the list: `node`, `accessor`.
        kind: &'static str,
        /// The index that was found.
        index: u64,
        /// The length of the list.
        count: usize,
    },
    /// An object differs from what glTF 2.0 or this importer requires.
    #[error("{place}: expected {expected}, found {found}; {cure}")]
    Malformed {
        /// The object with the error.
        place: String,
        /// A description of the expected value.
        expected: String,
        /// The value that was found.
        found: String,
        /// The action that corrects the file, as a sentence.
        cure: &'static str,
    },
    /// The nodes do not form a forest.
    #[error(
        "{place}: {problem}; expected every node to have at most one parent and no node to be its own ancestor; the file is damaged: export it again"
    )]
    Hierarchy {
        /// The node with the error.
        place: String,
        /// A description of the node's problem.
        problem: String,
    },
    /// A number of the geometry is NaN or infinite.
    #[error(
        "{place}: expected finite numbers, found {found} at {element}; look for broken vertices, bones or scales there in the modeling program"
    )]
    NotFinite {
        /// The object with the error.
        place: String,
        /// The element of that object, such as `vertex 12`.
        element: String,
        /// The number that was found.
        found: String,
    },
    /// A node has a skin, but its mesh has no joints and weights.
    #[error(
        "{place}: this node has a skin; expected a mesh with JOINTS_0 and WEIGHTS_0, found {found}; bind the mesh to its armature, or parent it to a bone without a skin"
    )]
    UnskinnedMesh {
        /// The node and its mesh.
        place: String,
        /// The data that the mesh has instead.
        found: String,
    },
    /// No vertex in the file has a weight above 0.
    #[error(
        "no vertex belongs to a joint: expected weights above 0, found none on {vertices} vertices; paint or transfer weights before exporting"
    )]
    NoWeights {
        /// The number of vertices.
        vertices: usize,
    },
    /// The bytes of a buffer could not be read.
    #[error("{place}: {problem}")]
    Buffer {
        /// The buffer with the error.
        place: String,
        /// The reason why the resolver returned no bytes. It is part of the message, so it is no source of the error.
        problem: ResolveError,
    },
    /// A `data:` URI cannot be decoded.
    #[error("{place}: the data URI is damaged, expected {expected}, found {found}; export the file again, or as .glb")]
    DataUri {
        /// The buffer with the error.
        place: String,
        /// A description of the expected value.
        expected: &'static str,
        /// The value that was found.
        found: String,
    },
    /// The file needs more memory than its size allows.
    #[error(
        "{place}: it needs {found} bytes, but the whole import of a file of this size may use only {limit} bytes; {cure}"
    )]
    Limit {
        /// The object that needs the memory.
        place: String,
        /// The number of bytes that the object needs.
        found: u64,
        /// The largest number of bytes for the whole import.
        limit: u64,
        /// The action that corrects the file, as a sentence.
        cure: &'static str,
    },
    /// The skins have more nodes at and above their joints than a 16-bit index can count.
    #[error(
        "the skins use {found} nodes as joints and parents of joints, expected at most {}; remove helper bones or split the character",
        skeleton::Skeleton::MAX_JOINTS
    )]
    TooManyJoints {
        /// The number of nodes.
        found: usize,
    },
    /// An import of a single character names a node that is not the root of one of several characters.
    #[error("node {node} is not the root of a character; the file has {found}")]
    UnknownRoot {
        /// The index of the node.
        node: u32,
        /// The characters of the file.
        found: String,
    },
    /// Compressed data cannot be decoded.
    #[error(
        "{place}: the compressed data cannot be decoded: {problem}; compress the file again, or export it uncompressed"
    )]
    Compressed {
        /// The object with the compressed data.
        place: String,
        /// The error of the decoder.
        problem: String,
    },
}
