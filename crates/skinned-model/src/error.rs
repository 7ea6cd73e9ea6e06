//! Why an import fails, in words that help.

use crate::bytes::resolve::ResolveError;

/// Why bytes gave no skinned model. Every message names the place, what was expected, what was found and a cure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// Neither a GLB container nor a JSON object.
    #[error(
        "this is no glTF: expected a file that begins with the letters glTF (.glb, .vrm) or with {{ (.gltf), found {found}. Export it again as glTF 2.0"
    )]
    NotGltf {
        /// The first bytes, or that there are none.
        found: String,
    },
    /// The GLB container around JSON and binary data is damaged.
    #[error("the GLB container is damaged at byte {offset}: expected {expected}, found {found}. {cure}")]
    Container {
        /// From the start of the file.
        offset: usize,
        /// What should stand there.
        expected: String,
        /// What stands there.
        found: String,
        /// What to do.
        cure: &'static str,
    },
    /// The JSON is not well-formed, or a member has the wrong type.
    #[error(
        "the glTF JSON cannot be read at line {line}, column {column}: {problem}. Check the file with the glTF Validator or export it again"
    )]
    Json {
        /// From 1; GLB files have their JSON in one line.
        line: usize,
        /// From 1.
        column: usize,
        /// What the JSON reader says.
        problem: String,
    },
    /// Another version of glTF.
    #[error("this is glTF {found}, expected glTF 2.x. Convert or export it as glTF 2.0")]
    Version {
        /// As the file says.
        found: String,
    },
    /// The file requires an extension that changes geometry in a way we cannot follow.
    #[error("the file requires the extension {name:?}, which is not supported: {reason}. {cure}")]
    Extension {
        /// As the file says.
        name: String,
        /// Why not.
        reason: &'static str,
        /// What to do.
        cure: &'static str,
    },
    /// Well-formed, but no node has both a mesh and a skin.
    #[error(
        "no skin in this file: expected a node with a mesh and a skin, found {meshes} meshes and {skins} skins on {nodes} nodes. Export the character with its armature and skinning switched on"
    )]
    NoSkin {
        /// In the file.
        skins: usize,
        /// In the file.
        meshes: usize,
        /// In the file.
        nodes: usize,
    },
    /// An index points past the end of its list.
    #[error(
        "{place}: names {kind} {index}, but the file has {count} of them, numbered from 0. The file is damaged: export it again"
    )]
    MissingObject {
        /// Who names it.
        place: String,
        /// What is named: `node`, `accessor`.
        kind: &'static str,
        /// The index.
        index: u64,
        /// How many there are.
        count: usize,
    },
    /// Something is there, but not as glTF 2.0 or this importer wants it.
    #[error("{place}: expected {expected}, found {found}. {cure}")]
    Malformed {
        /// The object that the error is in.
        place: String,
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
        /// What to do.
        cure: &'static str,
    },
    /// Nodes form no forest.
    #[error(
        "{place}: {problem}; expected every node to have at most one parent and no node to be its own ancestor. The file is damaged: export it again"
    )]
    Hierarchy {
        /// The node that the error is in.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A NaN or an infinity where geometry needs a number.
    #[error(
        "{place}: expected finite numbers, found {found} at {element}. Look for broken vertices, bones or scales there in the modelling program"
    )]
    NotFinite {
        /// The object that the error is in.
        place: String,
        /// The element of that object: `vertex 12`.
        element: String,
        /// The number.
        found: String,
    },
    /// A node has a skin but its mesh has no joints and weights at all.
    #[error(
        "{place}: has a skin, expected a mesh with JOINTS_0 and WEIGHTS_0, found {found}. Bind the mesh to its armature, or parent it to a bone without a skin"
    )]
    UnskinnedMesh {
        /// The node and its mesh.
        place: String,
        /// What the mesh has.
        found: String,
    },
    /// No vertex of the whole file has a weight above 0.
    #[error(
        "no vertex belongs to a joint: expected weights above 0, found none on {vertices} vertices. Paint or transfer weights before exporting"
    )]
    NoWeights {
        /// How many vertices were read.
        vertices: usize,
    },
    /// A buffer's bytes could not be had.
    #[error("{place}: {source}")]
    Buffer {
        /// The buffer that the error is in.
        place: String,
        /// Why.
        source: ResolveError,
    },
    /// A `data:` URI cannot be decoded.
    #[error("{place}: the data URI is damaged, expected {expected}, found {found}. Export the file again, or as .glb")]
    DataUri {
        /// The buffer that the error is in.
        place: String,
        /// What should stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// The file asks for more memory than its size justifies.
    #[error(
        "{place}: asks for {found} bytes, which brings the import to more than the {limit} bytes a file of this size may ask for. {cure}"
    )]
    Limit {
        /// The object that the error is in.
        place: String,
        /// Bytes asked for here.
        found: u64,
        /// For the whole import.
        limit: u64,
        /// What to do.
        cure: &'static str,
    },
    /// More nodes at and above joints than an index of 16 bits counts.
    #[error(
        "the skins use {found} nodes as joints and parents of joints, expected at most {}. Remove helper bones or split the character",
        skeleton::Skeleton::MAX_JOINTS
    )]
    TooManyJoints {
        /// How many.
        found: usize,
    },
    /// Compressed data that does not decode.
    #[error(
        "{place}: the compressed data do not decode: {problem}. Compress the file again, or export it uncompressed"
    )]
    Compressed {
        /// The object that the error is in.
        place: String,
        /// What the decoder says.
        problem: String,
    },
}
