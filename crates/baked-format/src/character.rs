//! What a .bonebox file holds.

use glam::{Quat, Vec3};
use skeleton::{Clip, JointIndex, Skeleton};

/// A baked character: what the fitter writes and the run time reads.
#[derive(Clone, Debug, PartialEq)]
pub struct BakedCharacter {
    /// The asset's name: its file name without the ending.
    pub name: String,
    /// Where it came from.
    pub source: Source,
    /// The options it was baked with, as words: `("fit", "pca")`. Sorted by key, no key twice.
    pub options: Vec<(String, String)>,
    /// All joints, also those without a box.
    pub skeleton: Skeleton,
    /// Sorted by joint; a joint may have several.
    pub boxes: Vec<Hitbox>,
    /// For those who pose without glTF.
    pub clips: Vec<Clip>,
    /// How much of the character the boxes hold, where it was measured.
    pub coverage: Option<Coverage>,
    /// What was odd.
    pub warnings: Vec<BakeWarning>,
}

/// Where a bake came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// File name without folders.
    pub file: String,
    /// BLAKE3 of all bytes read: the file and the buffers it names.
    pub blake3: [u8; 32],
    /// `bonebox 0.1.0`.
    pub generator: String,
}

/// A box in joint space, and what it was made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Hitbox {
    /// Whose space it is in.
    pub joint: JointIndex,
    /// What a game calls it: `head`, `arm.left`. Sorted, no tag twice.
    pub tags: Vec<String>,
    /// Joint space.
    pub center: Vec3,
    /// Joint space unit, along the box's own axes; not negative.
    pub half_extents: Vec3,
    /// Joint from box, unit length; its axes are those of `geometry_core::portable::mat3_from_quaternion`.
    pub orientation: Quat,
    /// Assigned to this box.
    pub vertices: u32,
    /// Of their convex hull.
    pub hull_vertices: u32,
    /// Joint space unit cubed.
    pub hull_volume: f32,
    /// Of the smallest box around the hull, where it was searched for; joint space unit cubed.
    pub min_volume: Option<f32>,
}

impl Hitbox {
    /// Joint space unit cubed.
    #[must_use]
    pub fn volume(&self) -> f32 {
        let half = self.half_extents;
        8.0 * half.x * half.y * half.z
    }
}

/// How much of the character's surface the boxes hold.
///
/// The surface is all that the bake can give to a joint: the skinned meshes, and the attachments unless the bake skips them
/// (option `attachments`). Meshes that the import leaves out (warning `left-out-meshes`) are no part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// The share of the surface's area that lies inside any box in the rest pose, 0 to 1.
    pub surface_rest: f32,
    /// The share of the surface's area that lies inside any box, 0 to 1, over all measured poses: the rest pose and the
    /// sampled poses of all clips.
    pub surface_clips: f32,
    /// The farthest that any part of the surface is from every box in these poses, as a share of the character's height.
    pub max_escape: f32,
    /// The joint, clip and time of that escape; `None` where nothing escapes.
    pub worst: Option<WorstEscape>,
}

/// The farthest escape.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstEscape {
    /// Whose surface it is.
    pub joint: JointIndex,
    /// Index into [`BakedCharacter::clips`]; `None` in the rest pose.
    pub clip: Option<u32>,
    /// In seconds.
    pub time: f32,
}

/// Something odd that did not stop the bake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BakeWarning {
    /// A stable word for programs, like `flat-group`.
    pub code: String,
    /// The joint it is about, by name.
    pub joint: Option<String>,
    /// What was found and what was done, in a sentence.
    pub text: String,
}
