//! The options that take one of several words. The doc comments are also the help texts, so they use the words of `bonebox.toml`.

use crate::options::keyword_enum::{OptionKeyword, keyword_enum};
use crate::options::kind::OptionValue;

keyword_enum! {
    /// A named set of values for all options.
    Preset {
        /// The method of the classic articles: the joint with the largest weight, a convex hull, principal axes, the bind pose.
        Recipe = "recipe",
        /// Small boxes that hold most of the surface over all clips: two boxes per joint, nine tenths of the motion.
        Tight = "tight",
        /// Boxes that hold all of the surface over all clips: one box per joint, all of the motion.
        Cover = "cover",
        /// Boxes that hold all of the surface in any pose, not only in clips: the run time computes them for each pose.
        Always = "always",
    }
}

keyword_enum! {
    /// The joints that a vertex is assigned to.
    Group {
        /// The joint with the largest weight; among equal weights, the first.
        Dominant = "dominant",
        /// Every joint with at least `min_weight` of the vertex's weights (`auto` is 0.5).
        Threshold = "threshold",
        /// Every joint with at least `min_weight` of the vertex's weights (`auto` is any weight above 0).
        Any = "any",
    }
}

keyword_enum! {
    /// The part of the triangles between two joints' vertices that a box holds.
    Bridge {
        /// Hitboxes hold the vertices only; the triangles between two joints may stick out.
        None = "none",
        /// Hitboxes hold every point of the surface, each in the box of the joint with the largest weight at that point.
        Surface = "surface",
        /// Hitboxes hold whole triangles, each in the boxes of all joints that own one of its corners.
        Ring = "ring",
    }
}

keyword_enum! {
    /// A named set of parts that get one hitbox each.
    NamedParts {
        /// Every joint with skin gets hitboxes.
        Joints = "joints",
        /// 18 parts of a human figure: head, neck, upper chest, chest, belly, hips, and for each side upper arm, forearm, hand, thigh, shin and foot.
        Humanoid = "humanoid",
        /// 6 parts of a human figure: head, torso, arms and legs.
        HumanoidCoarse = "humanoid-coarse",
        /// 48 parts of a human figure: those of `humanoid`, and each bone of each finger.
        HumanoidFingers = "humanoid-fingers",
    }
}

/// The parts of a character that get hitboxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// A named set of parts.
    Named(NamedParts),
    /// At most this number of joints. The bake merges joints where it adds the least air.
    Count(usize),
}

impl Parts {
    /// Every joint with skin gets hitboxes: the default.
    pub const JOINTS: Self = Self::Named(NamedParts::Joints);
}

impl OptionValue for Parts {
    fn from_text(text: &str) -> Option<Self> {
        NamedParts::from_keyword(text).map(Self::Named).or_else(|| usize::from_text(text).map(Self::Count))
    }

    fn to_text(&self) -> String {
        match self {
            Self::Named(named) => named.to_text(),
            Self::Count(count) => count.to_text(),
        }
    }
}

keyword_enum! {
    /// The orientation of a box.
    Fit {
        /// Along the principal axes of the convex hull's surface, by area (Gottschalk 1996).
        Pca = "pca",
        /// Along the principal axes of the points, each vertex counted once.
        VertexPca = "vertex-pca",
        /// The orientation with the smallest box (see `objective`).
        MinVolume = "min-volume",
        /// Along the joint's own axes.
        JointAxes = "joint-axes",
        /// As an artist places boxes: limbs along the bone, feet flat on the floor, head and torso upright; else the smallest box.
        Upright = "upright",
    }
}

keyword_enum! {
    /// The shape of a hitbox.
    Shape {
        /// A box, oriented by `fit`.
        Box = "box",
        /// The smallest capsule found.
        Capsule = "capsule",
        /// The smallest sphere.
        Sphere = "sphere",
        /// A convex hull with at most `max_vertices` vertices.
        Hull = "hull",
        /// The box, the capsule or the sphere, whichever has the least volume.
        Auto = "auto",
    }
}

keyword_enum! {
    /// The measure of a box that `fit = "min-volume"` makes as small as possible.
    Objective {
        /// The volume, so that the box holds little air.
        Volume = "volume",
        /// The surface area, so that random rays seldom hit the box: their chance is in proportion to its surface.
        SurfaceArea = "surface-area",
    }
}

keyword_enum! {
    /// The poses that a box is fitted to.
    Poses {
        /// The pose in which the mesh was bound.
        Bind = "bind",
        /// The bind pose, the rest pose and all clips.
        Clips = "clips",
        /// Any pose: the file holds bounds of the surface, and the run time computes the box for each pose.
        Any = "any",
    }
}

keyword_enum! {
    /// The poses over which coverage and escapes are measured.
    Measure {
        /// Nothing is measured.
        None = "none",
        /// The rest pose only.
        Rest = "rest",
        /// The rest pose and all clips.
        Clips = "clips",
    }
}

keyword_enum! {
    /// The treatment of groups that are too small.
    Small {
        /// Small groups get boxes like all other groups.
        Keep = "keep",
        /// The vertices of small groups join the group of the nearest joint above.
        Merge = "merge",
        /// Small groups get no box, and the bake warns about each.
        Skip = "skip",
    }
}

keyword_enum! {
    /// The form in which the file holds the skinned surface, for exact answers.
    StoredSkin {
        /// The file holds hitboxes only.
        Off = "off",
        /// The surface with the source's positions, and with weights in 32 bits.
        Lossless = "lossless",
        /// The surface with positions and weights rounded by at most 0.01 % of the character's height, in about half the bytes.
        Compact = "compact",
    }
}

keyword_enum! {
    /// The further attributes of the skin's vertices that the file holds, for answers about rays.
    SkinAttributes {
        /// No further attributes.
        None = "none",
        /// The normals, so that a ray's answer has the smooth normal at the hit.
        Normals = "normals",
        /// The texture coordinates (`TEXCOORD_0`), so that a ray's answer has the place on the texture.
        TextureCoordinates = "texture-coordinates",
        /// The normals and the texture coordinates.
        All = "all",
    }
}

impl SkinAttributes {
    pub(crate) fn has_normals(self) -> bool {
        matches!(self, Self::Normals | Self::All)
    }

    pub(crate) fn has_texture_coordinates(self) -> bool {
        matches!(self, Self::TextureCoordinates | Self::All)
    }
}

keyword_enum! {
    /// The hitboxes of mirrored joints (`hand.l`, `hand.r`).
    Symmetry {
        /// Each hitbox has its own size.
        Off = "off",
        /// Both hitboxes get the larger size of each axis, if each joint has one hitbox.
        Sizes = "sizes",
        /// Both hitboxes are mirror images in the rest pose, and those in the middle are symmetric.
        Mirror = "mirror",
    }
}

keyword_enum! {
    /// The shapes of morph targets that hitboxes hold.
    Morphs {
        /// Hitboxes hold the base shape only.
        Ignore = "ignore",
        /// Hitboxes hold each target at weight 1, and all shapes of `clips`.
        Extremes = "extremes",
        /// Hitboxes hold the shapes that the file's own weights and animations make.
        Clips = "clips",
    }
}

keyword_enum! {
    /// The treatment of collision helpers and of coarser levels of detail.
    Helpers {
        /// The meshes are ignored.
        Skip = "skip",
        /// The meshes belong to the character's surface.
        Include = "include",
    }
}

keyword_enum! {
    /// The treatment of rigid meshes below joints, such as swords and helmets.
    Attachments {
        /// The meshes belong to the character's surface, and to the group of the nearest joint above.
        Include = "include",
        /// The meshes are ignored.
        Skip = "skip",
    }
}
