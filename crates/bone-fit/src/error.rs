//! Why a model cannot be baked.

use crate::bounds::COORDINATE_LIMIT;
use crate::options::OptionError;
use hull::HullError;

/// Why a model cannot be baked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BakeError {
    /// No vertex has a weight, or all that have one were left out. Bind the mesh to its joints and export the weights.
    #[error("no vertex belongs to any joint ({vertices} vertices in {meshes} meshes): nothing to make a box from")]
    NothingBound {
        /// Vertices of all meshes and attachments.
        vertices: usize,
        /// Meshes and attachments.
        meshes: usize,
    },
    /// Give the model a sensible unit (meters), or correct the inverse bind matrix.
    #[error("joint {joint:?}: a vertex lies at {found:e} in its space; at most {COORDINATE_LIMIT:e} can be boxed")]
    OutOfRange {
        /// The joint's name.
        joint: String,
        /// The largest coordinate in joint space, or NaN or infinity.
        found: f64,
    },
    /// Correct the name, or drop the section.
    #[error("there is no joint {name:?}{}", nearest.as_ref().map(|name| format!("; did you mean {name:?}?")).unwrap_or_default())]
    UnknownJoint {
        /// The name as given.
        name: String,
        /// The joint that was probably meant.
        nearest: Option<String>,
    },
    /// An option of a single joint could not be set.
    #[error("joint {joint:?}: {source}")]
    JointOption {
        /// The joint's name.
        joint: String,
        /// What is wrong with the option.
        source: OptionError,
    },
    /// A box made by hand needs finite numbers, half extents that are not negative and an orientation that is not 0.
    #[error(
        "joint {joint:?}: its hand-made box is no box; numbers must be finite and below {COORDINATE_LIMIT:e}, half extents not negative, the orientation not zero"
    )]
    HandBox {
        /// The joint's name.
        joint: String,
    },
    /// The hull of finite points failed: a defect of this library.
    #[error("joint {joint:?}: no convex hull")]
    Hull {
        /// The joint's name.
        joint: String,
        /// The error of the crate `hull`.
        source: HullError,
    },
}
