//! Makes the parts of a [`SkinnedModel`](crate::SkinnedModel) from nodes, meshes and animations.

pub(crate) mod unique_names;
pub(crate) mod hierarchy;
pub(crate) mod several;
pub(crate) mod rigid_meshes;
pub(crate) mod skinned_meshes;
pub(crate) mod primitive;
pub(crate) mod morph_targets;
pub(crate) mod attachments;
pub(crate) mod clips;
pub(crate) mod humanoid;
