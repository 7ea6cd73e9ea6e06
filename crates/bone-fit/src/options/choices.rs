//! The options that are one of several words. The doc comments are also the help texts, so they use the file's words.

use crate::options::kind::OptionValue;
use crate::options::word_enum::{OptionWord, word_enum};

word_enum! {
    /// A named set of values for all options.
    Preset {
        /// The method of the classic articles: dominant weight, convex hull, principal axes, bind pose.
        Recipe = "recipe",
        /// Small boxes that hold most of what the clips do: the surface, two boxes a joint, nine tenths of the motion.
        Tight = "tight",
        /// Boxes that hold all of what the clips do: the surface, one box a joint, all of the motion.
        Cover = "cover",
        /// Boxes that hold all of the surface in any pose, also where no clip goes: the run time computes them for each pose.
        Always = "always",
    }
}

word_enum! {
    /// Joints that a vertex is assigned to.
    Group {
        /// The joint with the largest weight; of equal weights the first.
        Dominant = "dominant",
        /// Every joint with at least `min_weight` of the vertex's weights (`auto` is one half).
        Threshold = "threshold",
        /// Every joint with at least `min_weight` of the vertex's weights (`auto` is any weight above 0).
        Any = "any",
    }
}

word_enum! {
    /// Part of the triangles between two joints' vertices that a box holds.
    Bridge {
        /// Only the vertices: triangles between two joints may stick out.
        None = "none",
        /// Every point of the surface, in the box of the joint that weighs most there.
        Surface = "surface",
        /// Whole triangles, in the box of every joint that owns a corner.
        Ring = "ring",
    }
}

word_enum! {
    /// How a box is oriented.
    Fit {
        /// Along the principal axes of the convex hull's surface, by area (Gottschalk 1996).
        Pca = "pca",
        /// Along the principal axes of the points, each vertex counted once.
        VertexPca = "vertex-pca",
        /// So that the box is as small as possible (see `objective`).
        MinVolume = "min-volume",
        /// Along the joint's own axes.
        JointAxes = "joint-axes",
    }
}

word_enum! {
    /// Shape of a hitbox.
    Shape {
        /// A box, oriented by `fit`.
        Box = "box",
        /// The smallest capsule found.
        Capsule = "capsule",
        /// The smallest sphere.
        Sphere = "sphere",
        /// The one of these with the least volume.
        Auto = "auto",
    }
}

word_enum! {
    /// What `fit = "min-volume"` makes as small as possible.
    Objective {
        /// The volume: the box holds little space that is not the character's.
        Volume = "volume",
        /// The surface area: few chance hits, as a random line hits a box in proportion to its surface.
        SurfaceArea = "surface-area",
    }
}

word_enum! {
    /// Poses that a box is fitted to.
    Poses {
        /// The pose in which the mesh was bound.
        Bind = "bind",
        /// The bind pose, the rest pose and all clips.
        Clips = "clips",
        /// Any pose: the file says what bounds the surface, and the run time computes the box for each pose.
        Any = "any",
    }
}

word_enum! {
    /// Poses over which coverage and escapes are measured.
    Measure {
        /// Nothing is measured.
        None = "none",
        /// The rest pose only.
        Rest = "rest",
        /// The rest pose and all clips.
        Clips = "clips",
    }
}

word_enum! {
    /// What happens to groups that are too small.
    Small {
        /// They get a box like all others.
        Keep = "keep",
        /// They join the group of the nearest joint above.
        Merge = "merge",
        /// They get no box; a warning says so.
        Skip = "skip",
    }
}

word_enum! {
    /// Whether the file holds the skinned surface, for exact answers.
    StoredSkin {
        /// The file holds hitboxes only.
        Off = "off",
        /// Positions as in the source, and weights in 32 bits.
        Lossless = "lossless",
        /// Positions and weights rounded by at most 0.01 % of the character's height, in about half the bytes.
        Compact = "compact",
    }
}

word_enum! {
    /// Whether boxes of mirrored joints (`hand.l`, `hand.r`) share a size.
    Symmetry {
        /// Each box has its own size.
        Off = "off",
        /// Both boxes get the larger size of each axis, where each joint has one box.
        On = "on",
    }
}

word_enum! {
    /// Whether rigid meshes below joints, such as swords and helmets, count as the character's surface.
    Attachments {
        /// They belong to the nearest joint above.
        Include = "include",
        /// They are left out.
        Skip = "skip",
    }
}
