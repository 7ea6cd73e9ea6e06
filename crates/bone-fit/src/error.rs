//! The errors of a bake.

use crate::bounds::COORDINATE_LIMIT;
use crate::options::{AttackError, OverrideError, RagdollError, Shape};
use baked_format::limits::MAX_SKIN_BINDINGS;
use hull::HullError;
use skeleton::humanoid::HumanoidError;

/// An error that ends a bake.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BakeError {
    /// No vertex has a weight, or all vertices with a weight were left out. Bind the mesh to its joints and export the
    /// weights.
    #[error(
        "no vertex belongs to a joint with hitboxes ({vertices} vertices in {meshes} meshes); bind the mesh to its joints, and check \
         `include` and `exclude`"
    )]
    NothingBound {
        /// The number of vertices of all meshes and attachments.
        vertices: usize,
        /// The number of meshes and attachments.
        meshes: usize,
    },
    /// The options `ignore` and `helpers` leave out all skin.
    #[error(
        "no skin is left for hitboxes, because all of it is ignored ({}); ignore less of it, or write helpers = \"include\" if collision \
         helpers or levels of detail are skin",
        ignored.join(", ")
    )]
    AllIgnored {
        /// The patterns of `ignore` that match something, and then the names of ignored helpers.
        ignored: Vec<String>,
    },
    /// A coordinate in joint space is too large or not finite. Give the model a sensible unit (meters), or correct the
    /// inverse bind matrix.
    #[error(
        "joint {joint:?}: a vertex lies {meters:e} m from it, which is {found:e} of the joint's own units, expected at most \
         {COORDINATE_LIMIT:e}; use a larger unit of length, or correct the inverse bind matrix"
    )]
    OutOfRange {
        /// The joint's name.
        joint: String,
        /// The largest coordinate in joint space, in the joint's unit; NaN or infinity if a coordinate is not finite.
        found: f64,
        /// The same coordinate in meters of the character at rest.
        meters: f64,
    },
    /// The skinned surface has more pairs of joint and inverse bind matrix than a file can name (option `skin`). Merge meshes that
    /// use the same skin, or use `skin = "off"`.
    #[error(
        "the surface is moved by {found} pairs of joint and inverse bind matrix, but a file can name at most \
         {MAX_SKIN_BINDINGS}; set skin = \"off\", or let meshes share their skins"
    )]
    TooManyBindings {
        /// The number of pairs of joint and inverse bind matrix.
        found: usize,
    },
    /// An option sets a shape other than a box, and `poses` is `"any"`. With `poses = "any"` every hitbox is a box. Set
    /// `shape = "box"` or `poses = "clips"`.
    #[error(
        "{}shape is {:?}, but must be \"box\" with poses = \"any\", because only boxes can be computed for every pose; set \
         shape = \"box\", or poses = \"clips\"",
        joint.as_ref().map_or_else(String::new, |joint| format!("joint {joint:?}: ")), shape.keyword()
    )]
    ShapeInAnyPose {
        /// The joint whose own option sets the shape; `None` if the option of the whole character sets it.
        joint: Option<String>,
        /// The shape that the option sets.
        shape: Shape,
    },
    /// A single joint has `poses = "any"`, but the character does not.
    #[error(
        "joint {joint:?}: only a whole character can have poses = \"any\" or preset = \"always\"; write it for the character, or \
         use poses = \"clips\" or preset = \"cover\" for the joint"
    )]
    AnyPoseOfJoint {
        /// The joint with the option.
        joint: String,
    },
    /// The overrides name a joint or an option that does not exist, or hold an invalid box.
    #[error(transparent)]
    Override(#[from] OverrideError),
    /// The overrides have an attack or a state that does not fit the character.
    #[error(transparent)]
    Attack(#[from] AttackError),
    /// The character has no ragdoll with the settings of the overrides.
    #[error(transparent)]
    Ragdoll(#[from] RagdollError),
    /// The overrides require a humanoid, but a required bone has no joint; or they name a bone or a joint that does not
    /// exist.
    #[error(transparent)]
    Humanoid(#[from] HumanoidError),
    /// The hitboxes that the caller gave in place of fitted ones cannot be used.
    #[error("the given hitboxes cannot be used: {0}")]
    GivenHitboxes(&'static str),
    /// The caller's [`BakeObserver`](crate::BakeObserver) canceled the bake.
    #[error("the bake was canceled")]
    Canceled,
    /// The hull of finite points failed: a defect of this library.
    #[error("joint {joint:?}: no convex hull was found, which is a defect of bonebox; please report it with the asset")]
    Hull {
        /// The joint's name.
        joint: String,
        /// The error of the crate `hull`.
        source: HullError,
    },
}
