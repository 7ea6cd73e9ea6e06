//! The limits of a .bonebox file, which [`write`](crate::write) and [`read`](crate::read) enforce.
//!
//! The limits are far above the needs of a character. With them, indices fit in their types, offsets in FlatBuffers' 32
//! bits, and sums and products of coordinates in `f32`; and a reader in another language has fixed bounds.

use skeleton::Skeleton;

/// The largest size of header and payload together, in bytes. This is more than an hour of 50 joints at 60 keys a second.
/// FlatBuffers' own limit is 2 GiB, and a writer must refuse a larger request before its 32-bit offsets wrap.
pub const MAX_FILE_BYTES: usize = 1 << 29;

/// The greatest length of one string, in bytes of UTF-8.
pub const MAX_STRING_BYTES: usize = 1 << 16;

/// The largest number of joints, which [`JointIndex`](skeleton::JointIndex) can count.
pub const MAX_JOINTS: usize = Skeleton::MAX_JOINTS;

/// The largest number of hitboxes of one character.
pub const MAX_BOXES: usize = 1 << 16;

/// The largest number of tags of one hitbox.
pub const MAX_TAGS: usize = 1 << 8;

/// The largest number of vertices of one hull. Physics engines take hulls of 64 vertices and more.
pub const MAX_HULL_VERTICES: usize = 64;

/// The largest number of clips of one character.
pub const MAX_CLIPS: usize = 1 << 16;

/// The largest number of timelines of one clip, and also of channels of one clip: three for each joint.
pub const MAX_CHANNELS: usize = 3 * MAX_JOINTS;

/// The largest number of attacks of one character, and also of states.
pub const MAX_ATTACKS: usize = 1 << 16;

/// The largest number of windows of one attack or state.
pub const MAX_WINDOWS: usize = 1 << 12;

/// The largest number of bodies of one ragdoll.
pub const MAX_BODIES: usize = 1 << 12;

/// The largest number of pairs of bodies of one ragdoll that never collide.
pub const MAX_BODY_PAIRS: usize = 1 << 20;

/// The largest mass and moment of inertia of a body, stiffness and damping of a constraint.
pub const MAX_MASS: f32 = 1e18;

/// The largest number of options of one bake.
pub const MAX_OPTIONS: usize = 1 << 12;

/// The largest number of warnings of one bake.
pub const MAX_WARNINGS: usize = 1 << 18;

/// The largest number of movers of one envelope.
pub const MAX_MOVERS: usize = 1 << 12;

/// The largest number of clusters of one envelope.
pub const MAX_CLUSTERS: usize = 1 << 12;

/// The largest number of motions of one envelope, over all its clusters.
pub const MAX_MOTIONS: usize = 1 << 16;

/// The largest number in a hitbox's center, half extents and hull, and in an envelope, in the unit of the joint's
/// space. Squares and volumes of such hitboxes stay within `f32`.
pub const MAX_COORDINATE: f32 = geometry_core::MAX_COORDINATE;

/// The largest number of meshes of a [`Skin`](crate::Skin).
pub const MAX_SKIN_MESHES: usize = 1 << 16;

/// The largest number of bindings of a [`Skin`](crate::Skin), which a 16-bit index can count.
pub const MAX_SKIN_BINDINGS: usize = 1 << 16;

/// The largest number of influences of a vertex of a [`Skin`](crate::Skin) that several pieces have and that the file
/// stores only once. A vertex with more influences is stored in each of its pieces. So a byte of the file never becomes
/// a long list of influences.
pub const MAX_SHARED_INFLUENCES: usize = 4;

/// The largest number of morph targets of a [`Skin`](crate::Skin), over all meshes.
pub const MAX_MORPH_TARGETS: usize = 1 << 12;

/// The largest number of triangles of one chunk of a [`SkinPiece`](crate::SkinPiece).
pub const CHUNK_TRIANGLES: usize = 64;

/// The largest difference between 1 and the sum of the weights of a vertex of a lossless [`Skin`](crate::Skin). Weights
/// that are rounded to `f32` sum to 1 within 1e-7.
pub const WEIGHT_TOLERANCE: f32 = 1e-5;

/// The largest size of a texture coordinate of a [`Skin`](crate::Skin), where 1 is the size of the texture. In `f32`, a
/// larger number has no digits left for a place on the texture.
pub const MAX_TEXTURE_COORDINATE: f32 = 65_536.0;

/// The largest key time before and after zero, in seconds: about thirty years.
pub const MAX_SECONDS: f32 = 1e9;

/// The largest difference between 1 and the square of the length of a quaternion or a normal. The difference of a quaternion that was
/// normalized in `f32` is below 4e-7. A quaternion that was written with four digits is not a unit quaternion.
pub const UNIT_TOLERANCE: f32 = 1e-5;
