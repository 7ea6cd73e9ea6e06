//! The errors of a conversion.

use gltf_container::ContainerError;

/// The reason why an FBX file cannot be converted. Every message names the place, what was expected, what was found, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FbxError {
    /// The bytes are not those of an FBX file.
    #[error(
        "this is not FBX: expected a file that begins with \"Kaydara FBX Binary\" or with \"; FBX\", found {found}; export it again as FBX"
    )]
    NotFbx {
        /// The first bytes of the file, or a note that it is empty.
        found: String,
    },
    /// The file is damaged, or is of a version or a kind that cannot be read.
    #[error("the FBX file cannot be read: {problem}; {cure}")]
    Unreadable {
        /// A description of the damage.
        problem: String,
        /// The action that corrects the file, as a sentence.
        cure: &'static str,
    },
    /// A number is NaN, infinite, or too large for the 32 bits that glTF has for it.
    #[error(
        "{place}: expected finite numbers of 32 bits, found {found} in {element}; look for broken bones or scales there in the modeling program"
    )]
    NotFinite {
        /// The object with the error.
        place: String,
        /// The property of that object.
        element: &'static str,
        /// The number that was found.
        found: String,
    },
    /// A skin has more bones than a glTF skin can have.
    #[error("{place}: it has {found} bones, expected at most {limit}; split the character")]
    TooManyBones {
        /// The skin with the error.
        place: String,
        /// The number of bones.
        found: usize,
        /// The largest number of bones.
        limit: usize,
    },
    /// The file needs more memory or time than its size allows.
    #[error("{place}: it needs {found} {unit}, but a file of this size may use only {limit} in total; {cure}")]
    Limit {
        /// The object that needs the memory or the time.
        place: String,
        /// The amount that the object needs.
        found: u64,
        /// The largest amount for the whole file.
        limit: u64,
        /// The unit of both amounts: `bytes`, or `poses of nodes`.
        unit: &'static str,
        /// The action that corrects the file, as a sentence.
        cure: &'static str,
    },
    /// The converted file would be too large for a .glb.
    #[error(transparent)]
    Container(#[from] ContainerError),
}
