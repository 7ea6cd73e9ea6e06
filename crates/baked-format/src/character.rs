//! The contents of a .bonebox file.

use crate::attack::{Attack, ClipState};
use crate::envelope::Envelope;
use crate::hitbox_hull::HitboxHull;
use crate::ragdoll::Ragdoll;
use crate::skin::Skin;
use geometry_core::BoxedShape;
use geometry_core::portable::mat3_from_quaternion;
use glam::{Quat, Vec3};
use skeleton::humanoid::Humanoid;
use skeleton::{Clip, ClipIndex, JointIndex, Skeleton};

/// A baked character: what the fitter writes and the run time reads.
#[derive(Clone, Debug, PartialEq)]
pub struct BakedCharacter {
    /// The asset's name: its file name without folders and without the ending.
    pub name: String,
    /// The file that the character was baked from.
    pub source: Source,
    /// The revision of the algorithms that made the bake, from 1; 0 if no bake made the character. The same revision
    /// makes the same bytes from the same source and options.
    pub algorithm_revision: u32,
    /// The options of the bake, as pairs of a key and a value: `("fit", "pca")`. Sorted by key, with no key twice.
    pub options: Vec<(String, String)>,
    /// All joints, also those without a hitbox.
    pub skeleton: Skeleton,
    /// The hitboxes, sorted by joint; a joint may have several or none.
    pub boxes: Vec<Hitbox>,
    /// The animation clips, so that a program can pose the character without its glTF file.
    pub clips: Vec<Clip>,
    /// The share of the character's surface inside the hitboxes; `None` if the bake did not measure it.
    pub coverage: Option<Coverage>,
    /// The warnings of the import and of the bake.
    pub warnings: Vec<BakeWarning>,
    /// The joints of the standard bones of VRM 1.0; `None` if the character has no humanoid.
    pub humanoid: Option<Humanoid>,
    /// The skinned surface, for exact answers; `None` if the option `skin` of the bake was `off`.
    pub skin: Option<Skin>,
    /// The envelopes, which bound the surface of the hitboxes in any pose: `envelopes[i]` belongs to `boxes[i]`. The
    /// list is empty unless the bake has `poses = "any"`.
    pub envelopes: Vec<Envelope>,
    /// What hitboxes do during parts of the clips. Sorted by clip.
    pub attacks: Vec<Attack>,
    /// What hitboxes are during parts of the clips. Sorted by clip.
    pub states: Vec<ClipState>,
    /// The bodies and constraints with which the character falls; `None` unless the bake has a ragdoll.
    pub ragdoll: Option<Ragdoll>,
}

/// The file that a character was baked from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file's name without folders.
    pub file: String,
    /// The BLAKE3 hash of all bytes read: the file and the buffers that it names.
    pub blake3: [u8; 32],
    /// The program that baked the character and its version, such as `bonebox 0.1.0`.
    pub generator: String,
}

/// A box, a capsule, a sphere or a convex hull that is attached to one joint, in joint space, and figures of the points
/// that it was fitted to.
///
/// Every hitbox has a box: the smallest box with the hitbox's axes around its shape. A hitbox of the shape
/// [`HitboxShape::Box`] is that box. The volume between another shape and its box does not belong to the hitbox. The
/// axes of the box of a hull are those that the option `fit` chose.
#[derive(Clone, Debug, PartialEq)]
pub struct Hitbox {
    /// The joint that the box is attached to, an index into the skeleton's joints. The box is in this joint's space.
    pub joint: JointIndex,
    /// The shape inside the box.
    pub shape: HitboxShape,
    /// What the hitbox is for. Readers of a file without roles get [`HitboxRole::Hurt`].
    pub role: HitboxRole,
    /// The game's names for the box, such as `head` or `arm.left`. Sorted by bytes, with no tag twice.
    pub tags: Vec<String>,
    /// The center in joint space, in the unit of that space.
    pub center: Vec3,
    /// Half of the box's size along each of its own axes, in the unit of the joint's space; each at least 0.
    pub half_extents: Vec3,
    /// The rotation from the box's own axes to joint space (joint from box), a unit quaternion. The axes are those of
    /// `geometry_core::portable::mat3_from_quaternion`.
    pub orientation: Quat,
    /// The number of vertices that the box was fitted to.
    pub vertices: u32,
    /// The number of corners of the convex hull of the box's points at rest.
    pub hull_vertices: u32,
    /// The volume of the convex hull of the box's points at rest, in the unit of the joint's space cubed. The points at
    /// rest count even if the hitbox was fitted to clips. Fill is this volume divided by the volume of the hitbox.
    pub hull_volume: f32,
    /// The volume of the box that `fit = "min-volume"` gives the same points, with the same clips, least thickness and
    /// margin, in the unit of the joint's space cubed; `None` if the bake did not compute it.
    pub min_volume: Option<f32>,
    /// The hull, if the shape is [`HitboxShape::Hull`]; `None` for every other shape.
    pub hull: Option<HitboxHull>,
}

/// The shape of a hitbox inside its box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HitboxShape {
    /// The box itself.
    #[default]
    Box,
    /// A capsule along axis 1 of the box. `half_extents.x` and `half_extents.z` are its radius; `half_extents.y` is the radius
    /// and half of the segment between the centers of its caps.
    Capsule,
    /// A sphere around the center of the box. All three half extents are its radius.
    Sphere,
    /// The convex hull in [`Hitbox::hull`].
    Hull,
}

/// What a hitbox is for. A grab box in the air before a hand has the tags of the hand, but is no part of the figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HitboxRole {
    /// A part of the figure that can be hit. Every fitted hitbox has this role.
    #[default]
    Hurt,
    /// It hits others, such as the blade of a sword.
    Strike,
    /// It grabs others.
    Grab,
    /// It stops strikes, such as a shield.
    Guard,
    /// It notices others, such as the space in front of a figure.
    Sensor,
}

impl HitboxRole {
    /// Every role.
    pub const ALL: [Self; 5] = [Self::Hurt, Self::Strike, Self::Grab, Self::Guard, Self::Sensor];

    /// The role in one lower-case word, as in `bonebox.toml` and in JSON.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Hurt => "hurt",
            Self::Strike => "strike",
            Self::Grab => "grab",
            Self::Guard => "guard",
            Self::Sensor => "sensor",
        }
    }
}

impl HitboxShape {
    /// Every shape.
    pub const ALL: [Self; 4] = [Self::Box, Self::Capsule, Self::Sphere, Self::Hull];

    /// The shape's name in JSON and in tables: `box`, `capsule`, `sphere` or `hull`.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Box => "box",
            Self::Capsule => "capsule",
            Self::Sphere => "sphere",
            Self::Hull => "hull",
        }
    }

    /// Returns the shape as [`BoxedShape`] has it: the shape that the box alone describes. For a hull this is the box,
    /// because a box does not describe a hull.
    #[must_use]
    pub fn boxed(self) -> BoxedShape {
        match self {
            Self::Box | Self::Hull => BoxedShape::Box,
            Self::Capsule => BoxedShape::Capsule,
            Self::Sphere => BoxedShape::Ball,
        }
    }
}

/// A capsule or a sphere in joint space: all points within `radius` of the segment from `start` to `end`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundShape {
    /// The center of one cap, in the unit of the joint's space.
    pub start: Vec3,
    /// The center of the other cap; equal to `start` for a sphere.
    pub end: Vec3,
    /// The radius, in the unit of the joint's space; at least 0.
    pub radius: f32,
}

impl RoundShape {
    /// Returns the capsule or the sphere that has this box; `None` for other shapes. `FORMAT.md` has the formula.
    #[must_use]
    pub fn in_box(shape: HitboxShape, center: Vec3, half_extents: Vec3, orientation: Quat) -> Option<Self> {
        let along = match shape {
            HitboxShape::Box | HitboxShape::Hull => return None,
            HitboxShape::Capsule => mat3_from_quaternion(orientation).y_axis * (half_extents.y - half_extents.x),
            HitboxShape::Sphere => Vec3::ZERO,
        };
        Some(Self { start: center - along, end: center + along, radius: half_extents.x })
    }
}

impl Hitbox {
    /// The volume of the shape, in the unit of the joint's space cubed. If the shape is [`HitboxShape::Hull`] but
    /// `hull` is `None`, which [`BakedCharacter::validate`] refuses, this is the volume of the box.
    #[must_use]
    pub fn volume(&self) -> f32 {
        let half = self.half_extents;
        if let (HitboxShape::Hull, Some(hull)) = (self.shape, &self.hull) {
            return hull.volume() as f32;
        }
        match self.shape {
            HitboxShape::Box | HitboxShape::Hull => 8.0 * half.x * half.y * half.z,
            HitboxShape::Capsule | HitboxShape::Sphere => {
                let (radius, long) = (f64::from(half.x), f64::from(half.y));
                let volume = std::f64::consts::PI * radius * radius * (4.0 / 3.0 * radius + 2.0 * (long - radius));
                // As f32 the volume of the largest hitbox is finite, and NaN stays NaN.
                volume as f32
            }
        }
    }

    /// Returns the hitbox as a capsule or a sphere; `None` for other shapes.
    #[must_use]
    pub fn round_shape(&self) -> Option<RoundShape> {
        RoundShape::in_box(self.shape, self.center, self.half_extents, self.orientation)
    }
}

/// The share of the character's surface that lies inside the hitboxes.
///
/// - *Surface*: the skinned meshes, and the attachments unless the bake skips them (option `attachments`). Meshes that
///   the import leaves out (warning `left-out-meshes`) are not part of the surface.
/// - *Shares over clips*: averages over the rest pose and poses that are evenly spread over all clips (240 unless the
///   option `measure_times` sets another number).
/// - *Escape*: the largest over the rest pose and every sample time. The sample times of a clip are `rate` times per
///   second, and each of its keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// The share of the surface's area that lies inside at least one hitbox in the rest pose, 0 to 1.
    pub surface_rest: f32,
    /// The average over the measured poses of the share of the surface's area that lies inside at least one hitbox, 0
    /// to 1.
    pub surface_clips: f32,
    /// The share of the surface's area that lies inside a hitbox of its own joint in the rest pose, 0 to 1.
    pub own_rest: f32,
    /// The average over the measured poses of the share of the surface's area that lies inside a hitbox of its own
    /// joint, 0 to 1.
    pub own_clips: f32,
    /// The largest escape: the largest distance from a point of the surface to the nearest hitbox, at any sample time,
    /// as a share of the character's height. Points inside a hitbox have the distance 0.
    pub max_escape: f32,
    /// `true` if `max_escape` is the largest escape over every sample time. Otherwise the largest escape is at least
    /// `max_escape`, because the bake looked at some sample times only: the clips have more than 100,000 sample times,
    /// or surface escapes with `poses = "any"`.
    pub every_sample_time: bool,
    /// The joint, clip and time of the largest escape; `None` if hitboxes hold all of the surface.
    pub worst: Option<WorstEscape>,
}

/// The joint, the clip and the time of the farthest escape.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstEscape {
    /// The joint that owns the farthest part of the surface, an index into the skeleton's joints.
    pub joint: JointIndex,
    /// The clip, an index into [`BakedCharacter::clips`]; `None` for the rest pose.
    pub clip: Option<ClipIndex>,
    /// The time in seconds on the clip's own clock; 0 for the rest pose.
    pub time: f32,
}

/// A warning: a fact about the asset or the bake that may be a mistake but did not stop the bake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BakeWarning {
    /// A stable word for programs, such as `flat-group`: lower-case letters, digits and hyphens.
    pub code: String,
    /// The name of the joint that the warning is about, if it is about one.
    pub joint: Option<String>,
    /// The warning as a sentence: what the bake found and how it treated it.
    pub text: String,
}
