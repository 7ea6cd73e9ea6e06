//! What a .bonebox file may hold at most; enforced by [`write`](crate::write) and by [`read`](crate::read).
//!
//! They are far above what a character needs. They keep indices in their types, offsets in FlatBuffers' 32 bits, sums
//! and products of coordinates in `f32`, and give a reader in another language fixed bounds to plan with.

use skeleton::Skeleton;

/// Header and payload together, in bytes: more than an hour of 50 joints at 60 keys a second. FlatBuffers' own limit is
/// 2 GiB, and a builder must notice a larger request before its 32 bits wrap.
pub const MAX_FILE_BYTES: usize = 1 << 29;

/// Any one string, in bytes of UTF-8.
pub const MAX_STRING_BYTES: usize = 1 << 16;

/// What [`JointIndex`](skeleton::JointIndex) can count.
pub const MAX_JOINTS: usize = Skeleton::MAX_JOINTS;

/// Boxes of one character.
pub const MAX_BOXES: usize = 1 << 16;

/// Tags of one box.
pub const MAX_TAGS: usize = 1 << 8;

/// Clips of one character.
pub const MAX_CLIPS: usize = 1 << 16;

/// Timelines of one clip, and its channels: three for each joint.
pub const MAX_CHANNELS: usize = 3 * MAX_JOINTS;

/// Options of one bake.
pub const MAX_OPTIONS: usize = 1 << 12;

/// Warnings of one bake.
pub const MAX_WARNINGS: usize = 1 << 18;

/// Movers of one envelope.
pub const MAX_MOVERS: usize = 1 << 12;

/// Clusters of one envelope.
pub const MAX_CLUSTERS: usize = 1 << 12;

/// Motions of one envelope: of all its clusters together.
pub const MAX_MOTIONS: usize = 1 << 16;

/// The largest number in a hitbox's center and half extents, and in an envelope, in the unit of the joint's space. Squares and volumes of
/// such hitboxes stay within `f32`.
pub const MAX_COORDINATE: f32 = 1e12;

/// Meshes that a [`Skin`](crate::Skin) comes from.
pub const MAX_SKIN_MESHES: usize = 1 << 16;

/// Bindings of a [`Skin`](crate::Skin): what an index of 16 bits can count.
pub const MAX_SKIN_BINDINGS: usize = 1 << 16;

/// Triangles of one chunk of a [`SkinPiece`](crate::SkinPiece).
pub const CHUNK_TRIANGLES: usize = 64;

/// How far the weights of a vertex of a lossless [`Skin`](crate::Skin) may sum from 1. Rounded to `f32`, they are within 1e-7.
pub const WEIGHT_TOLERANCE: f32 = 1e-5;

/// Key times, in seconds, before and after zero: some thirty years.
pub const MAX_SECONDS: f32 = 1e9;

/// How far the square of a quaternion's length may be from 1. A quaternion normalized in `f32` is within 4e-7; one
/// written with four digits is not a unit quaternion.
pub const UNIT_TOLERANCE: f32 = 1e-5;
