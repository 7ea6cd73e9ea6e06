//! Errors of an export.

use gltf_container::ContainerError;

/// The reason why boxes cannot be written into a glTF file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The asset is not a glTF file that can be split, or the export would be too large.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The JSON is damaged, or nests too deep.
    #[error("the asset's JSON is damaged or nests deeper than 128 levels; export the asset again")]
    Json,
    /// The file is VRM 0.x, and VRMC_springBone belongs to VRM 1.0.
    #[error(
        "the asset is VRM 0.x, which cannot hold the colliders of VRM 1.0; convert it to VRM 1.0, or export as omi or khr"
    )]
    OldVrm,
    /// The file has no list of nodes.
    #[error("the asset has no list of nodes, but the bake has hitboxes; bake the asset again")]
    NoNodes,
    /// The bake was made from another asset.
    #[error("the asset has {found} nodes, but the bake has a box at node {node}; bake the asset again")]
    MissingNode {
        /// Index of the joint's node, from the bake.
        node: u32,
        /// Number of nodes in the asset.
        found: usize,
    },
    /// The form is one of ragdolls, and the bake has none.
    #[error("{character:?} has no ragdoll; bake with `ragdoll = true` in bonebox.toml")]
    NoRagdoll {
        /// The character's name.
        character: String,
    },
    /// A shape of the ragdoll is too large in meters.
    #[error("a shape of the ragdoll at joint {joint:?} is too large: {problem}; check the scale of the joint")]
    RagdollTooLarge {
        /// The joint of the body.
        joint: String,
        /// The number that is too large.
        problem: String,
    },
    /// Nodes below a joint cannot have the size of its body.
    #[error(
        "joint {joint:?} has the scale 0 at rest, or nearly so, and nodes below it cannot hold its body; remove the scale"
    )]
    BodyScale {
        /// The joint of the body.
        joint: String,
    },
    /// The node of a body has physics already.
    #[error(
        "node {node} of the asset has {extension} already, which its new body would replace; export the original asset"
    )]
    HasExtension {
        /// Index of the joint's node.
        node: u32,
        /// The name of the extension.
        extension: &'static str,
    },
}
