//! The character's surface with its bindings to joints, cut into one piece for each joint.

use crate::octahedral;
use glam::{Affine3A, Vec2, Vec3};
use skeleton::{JointIndex, NodeIndex};

/// The skinned surface of a character, for questions that are answered exactly and not by hitboxes.
///
/// The surface is the one that [`Coverage`](crate::Coverage) measures: the skinned meshes, and the attachments unless
/// the bake skips them. Every joint that owns surface has one piece, with these rules:
///
/// - If the group of a joint was merged, its surface lies in the piece of the joint that took the group. Surface of
///   joints that get no hitbox is left out.
/// - With `group = "dominant"` the pieces share no area. Two pieces that border on each other have equal vertices and
///   equal cuts along the border, and pose them to the same bits: influences, cut corners and weights have an order
///   that does not depend on the piece.
/// - With `group = "threshold"` and `group = "any"` pieces overlap where several joints own the surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// The way in which positions and weights were rounded.
    pub encoding: SkinEncoding,
    /// The largest distance between a vertex or a cut of the stored skin and the same point of the exactly skinned
    /// mesh, in the rest pose and in the poses in which the bake measured it, as a share of the character's height; at
    /// least 0.
    pub max_error: f32,
    /// The meshes that the surface comes from, in the order in which their triangles are numbered.
    pub meshes: Vec<SkinMesh>,
    /// The bindings that move vertices, with no pair of joint and matrix twice. The joint that carries an attachment is
    /// a binding too.
    pub bindings: Vec<SkinBinding>,
    /// One piece for each joint that owns any surface, sorted by joint; no piece is empty.
    pub pieces: Vec<SkinPiece>,
    /// The morph targets that move the surface, sorted by mesh and number; empty if the option `morphs` of the bake was `ignore`.
    ///
    /// The place of a vertex in mesh space is its position, plus each target's offset times the target's weight. A cut lies
    /// between its posed corners, so it needs no offset.
    pub morph_targets: Vec<SkinMorphTarget>,
}

/// Another shape of one mesh, which adds to the positions of the vertices before joints move these.
#[derive(Clone, Debug, PartialEq)]
pub struct SkinMorphTarget {
    /// The target's name in the source; `target_N` if it has none. Not empty, not unique.
    pub name: String,
    /// The mesh, an index into [`Skin::meshes`].
    pub mesh: u32,
    /// The number of the target among those of its mesh in the source. Targets that move nothing are left out.
    pub number: u32,
    /// The largest distance that the target's rounding adds to [`Skin::max_error`] at the weight 1, as a share of the character's
    /// height; at least 0. At another weight, it is that many times as large.
    pub max_error: f32,
    /// The vertices that the target moves, sorted by piece, no piece twice.
    pub pieces: Vec<SkinPieceOffsets>,
}

/// The vertices of one piece that a morph target moves.
#[derive(Clone, Debug, PartialEq)]
pub struct SkinPieceOffsets {
    /// The piece, an index into [`Skin::pieces`].
    pub piece: u32,
    /// Sorted by vertex, no vertex twice, not empty.
    pub offsets: Vec<SkinOffset>,
}

/// The distance that a morph target moves a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinOffset {
    /// The vertex, an index into [`SkinPiece::positions`].
    pub vertex: u32,
    /// The distance at the weight 1, in mesh space; not zero. The encoding rounds it as positions.
    pub offset: Vec3,
}

/// The way in which positions and weights of a [`Skin`] are rounded and stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkinEncoding {
    /// Positions are those of the source. Weights are divided by their sum in `f64` and rounded to `f32`.
    Lossless,
    /// Positions are multiples of a step, weights are multiples of 1/65,536 and sum to exactly 1.
    Compact {
        /// The step is 2 to the power of this number, in the unit of mesh space; -100 to 100.
        step_exponent: i8,
    },
}

impl SkinEncoding {
    /// The smallest exponent of a step, which is a power of two.
    pub const LEAST_STEP_EXPONENT: i8 = -100;
    /// The largest exponent of a step.
    pub const MOST_STEP_EXPONENT: i8 = 100;
    /// The largest number of steps from the origin to a coordinate. With this limit, rounding is exact.
    pub const MOST_STEPS: i64 = 1 << 40;
    /// The number of units of a weight that sum to 1 in a compact skin.
    pub const WEIGHT_UNITS: f64 = 65536.0;
    /// The number of steps of a texture coordinate that sum to 1, the size of the texture, in a compact skin.
    pub const TEXTURE_STEPS: f64 = 16384.0;

    /// Returns the step of positions, in the unit of mesh space; `None` for a lossless skin.
    #[must_use]
    pub fn step(self) -> Option<f64> {
        match self {
            Self::Lossless => None,
            // The bits of the exponent give the power of two, so that it is exact on every machine.
            Self::Compact { step_exponent } => Some(f64::from_bits(((1023 + i64::from(step_exponent)) as u64) << 52)),
        }
    }

    /// Returns the nearest coordinate that this encoding can store.
    #[must_use]
    pub fn round_coordinate(self, coordinate: f32) -> f32 {
        match self.step() {
            None => coordinate,
            Some(step) => ((f64::from(coordinate) / step).round() * step + 0.0) as f32,
        }
    }

    /// Returns the normal that this encoding stores for a unit vector: the vector itself in a lossless skin, a unit vector
    /// that is less than 0.06 degrees away in a compact one.
    #[must_use]
    pub fn round_normal(self, normal: Vec3) -> Vec3 {
        match self {
            Self::Lossless => normal,
            Self::Compact { .. } => octahedral::unit_vector(octahedral::numbers(normal)),
        }
    }

    /// Returns the texture coordinate that this encoding stores: the same one in a lossless skin, the nearest multiples of
    /// 1/16,384 in a compact one.
    #[must_use]
    pub fn round_texture_coordinate(self, coordinate: Vec2) -> Vec2 {
        let rounded =
            |number: f32| ((f64::from(number) * Self::TEXTURE_STEPS).round() / Self::TEXTURE_STEPS + 0.0) as f32;
        match self {
            Self::Lossless => coordinate,
            Self::Compact { .. } => Vec2::from_array(coordinate.to_array().map(rounded)),
        }
    }
}

/// One mesh of the source, for programs that look up texture coordinates or normals of a hit triangle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkinMesh {
    /// The mesh's name, or the node's name if the mesh has none; not unique.
    pub name: String,
    /// The first node of the source that shows the mesh.
    pub node: NodeIndex,
    /// The number of triangles of the mesh: those of its primitives one after the other, without points and lines, with
    /// strips and fans as single triangles, and with degenerate triangles.
    pub triangles: u32,
}

/// A joint and the place of a mesh in the joint's space. Influences of vertices name bindings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinBinding {
    /// The joint, an index into the skeleton's joints.
    pub joint: JointIndex,
    /// glTF's inverse bind matrix, or the place of an attachment on its joint.
    pub joint_from_mesh: Affine3A,
}

/// The part of the surface that one joint owns.
///
/// Corners of triangles are numbered: first the vertices, then the cuts. Corner `positions.len() + i` is `cuts[i]`.
#[derive(Clone, Debug, PartialEq)]
pub struct SkinPiece {
    /// The joint that owns this surface, or that took the group of its owner: an index into the skeleton's joints.
    pub joint: JointIndex,
    /// One position per vertex, in mesh space. Sorted by number of influences, the fewest first; vertices with the same
    /// bindings are next to each other. Some vertices are corners of cuts only and of no triangle.
    pub positions: Vec<Vec3>,
    /// `influence_counts[n]` is the number of vertices with `n + 1` influences. The sum of the list is the number of
    /// vertices, and its last entry is not 0.
    pub influence_counts: Vec<u32>,
    /// The influences of the first vertex, then those of the second, and so on, as indices into [`Skin::bindings`]. The
    /// indices of one vertex are ascending, with no index twice.
    pub influences: Vec<u16>,
    /// `weights[i]` belongs to `influences[i]`: a share above 0, at most 1. The shares of a vertex sum to 1 up to
    /// rounding, and a single influence has the weight 1.
    pub weights: Vec<f32>,
    /// The points where triangles were cut at the borders between owners.
    pub cuts: Vec<SkinCut>,
    /// Corners of each triangle, in the order of the source's triangle; sorted by chunk, and within a chunk by source
    /// triangle.
    pub triangles: Vec<[u32; 3]>,
    /// `chunk_ends[c]` is the number of the first triangle after chunk `c`: triangles `chunk_ends[c -
    /// 1]..chunk_ends[c]` lie near each other. Strictly increasing, at most
    /// [`CHUNK_TRIANGLES`](crate::limits::CHUNK_TRIANGLES) a chunk; the last is the number of triangles.
    pub chunk_ends: Vec<u32>,
    /// `source_triangles[t]` is the source triangle that contains triangle `t`: its number among the triangles of all
    /// [`Skin::meshes`].
    pub source_triangles: Vec<u32>,
    /// The source triangles of which the piece has parts, sorted by number, with no triangle twice. A triangle whose
    /// neighbor was cut on their common edge has parts too, even if all of them lie in this piece.
    pub cut_triangles: Vec<CutTriangle>,
    /// The normals and texture coordinates of the source's vertices, sorted by vertex; empty if the option
    /// `skin_attributes` of the bake was `none`. Vertices of the source that have the same place and the same
    /// influences are one vertex here, with an entry for each different pair of normal and texture coordinate.
    pub attributes: Vec<VertexAttributes>,
    /// `attribute_corners[t]` belongs to the source triangle that contains triangle `t`: the entries of its corners in the
    /// source's order, as indices into `attributes`. Parts of one source triangle have the same entries. As long as
    /// `triangles`, or empty if `attributes` is empty.
    pub attribute_corners: Vec<[u32; 3]>,
}

/// The normal and the texture coordinate of a vertex of the source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexAttributes {
    /// The vertex of the piece that has the same place and the same influences.
    pub vertex: u32,
    /// The unit normal in mesh space; `None` if the source has none, or if the bake does not store normals.
    pub normal: Option<Vec3>,
    /// glTF's `TEXCOORD_0`, where 1 is the size of the texture: at most
    /// [`MAX_TEXTURE_COORDINATE`](crate::limits::MAX_TEXTURE_COORDINATE) in size; `None` if the source has none, or if
    /// the bake does not store texture coordinates.
    pub texture_coordinate: Option<Vec2>,
}

/// A point inside a triangle or on its edge. In any pose, the point is a weighted mean of the triangle's posed corners.
///
/// The posed cut is `weights[0] * corner 0 + weights[1] * corner 1 + weights[2] * corner 2`. The order of the corners
/// does not depend on the triangle and the piece, so that all triangles and pieces that meet at the cut compute the
/// same bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinCut {
    /// The corners of the triangle, as vertices of the piece. A cut on an edge names the edge's second vertex twice.
    pub corners: [u32; 3],
    /// The weights of the corners, from 0 to 1. The first weight is the rest, computed in this order:
    /// `(1 - weights[1]) - weights[2]`. The third weight of a cut on an edge is 0.
    pub weights: [f32; 3],
}

impl SkinCut {
    /// Makes a cut from its corners and the weights of the second and the third corner.
    #[must_use]
    pub fn new(corners: [u32; 3], [second, third]: [f32; 2]) -> Self {
        Self { corners, weights: [(1.0 - second) - third, second, third] }
    }

    /// Returns true if the cut lies on an edge of its triangle, between two vertices.
    #[must_use]
    pub fn is_on_edge(&self) -> bool {
        self.corners[1] == self.corners[2]
    }
}

/// A source triangle that was cut. It is needed to compute where on the source triangle a point of its parts lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutTriangle {
    /// The number of the source triangle, as in [`SkinPiece::source_triangles`].
    pub source_triangle: u32,
    /// The corners of the source triangle in the source's order, as vertices of the piece.
    pub corners: [u32; 3],
}

impl Skin {
    /// Returns the mesh of a source triangle, as an index into [`Skin::meshes`], and the triangle's number in that
    /// mesh; `None` if the source has no triangle with this number.
    #[must_use]
    pub fn source_of(&self, source_triangle: u32) -> Option<(usize, u32)> {
        let mut number = source_triangle;
        for (index, mesh) in self.meshes.iter().enumerate() {
            if number < mesh.triangles {
                return Some((index, number));
            }
            number -= mesh.triangles;
        }
        None
    }

    /// Returns the piece of a joint; `None` if the joint owns no surface.
    #[must_use]
    pub fn piece(&self, joint: JointIndex) -> Option<&SkinPiece> {
        let index = self.pieces.binary_search_by_key(&joint, |piece| piece.joint).ok()?;
        self.pieces.get(index)
    }
}

impl SkinPiece {
    /// Makes a piece without vertices and triangles, for a program that fills it. A file with an empty piece is not
    /// valid.
    #[must_use]
    pub const fn empty(joint: JointIndex) -> Self {
        Self {
            joint,
            positions: Vec::new(),
            influence_counts: Vec::new(),
            influences: Vec::new(),
            weights: Vec::new(),
            cuts: Vec::new(),
            triangles: Vec::new(),
            chunk_ends: Vec::new(),
            source_triangles: Vec::new(),
            cut_triangles: Vec::new(),
            attributes: Vec::new(),
            attribute_corners: Vec::new(),
        }
    }

    /// Returns the corners of the source triangle that contains a triangle, in the source's order, as vertices of the
    /// piece; `None` if the piece has no triangle with this number.
    #[must_use]
    pub fn source_corners(&self, triangle: usize) -> Option<[u32; 3]> {
        match self.cut_triangle(triangle) {
            Some(cut) => Some(self.cut_triangles[cut].corners),
            None => self.triangles.get(triangle).copied(),
        }
    }

    /// Returns the source triangle that contains a triangle, as an index into [`SkinPiece::cut_triangles`]; `None` if the
    /// triangle is a whole source triangle.
    pub(crate) fn cut_triangle(&self, triangle: usize) -> Option<usize> {
        let source = self.source_triangles.get(triangle)?;
        self.cut_triangles.binary_search_by_key(source, |cut| cut.source_triangle).ok()
    }

    /// Returns the number of influences of each vertex, in the order of the vertices.
    pub fn influences_per_vertex(&self) -> impl Iterator<Item = usize> {
        self.influence_counts.iter().zip(1..).flat_map(|(&vertices, count)| (0..vertices).map(move |_| count))
    }
}
