//! The normals and the texture coordinates of a piece's vertices, as the source has them at the corners of its triangles.

use crate::options::SkinAttributes;
use crate::skin::bound_mesh::BoundMesh;
use baked_format::limits::MAX_TEXTURE_COORDINATE;
use baked_format::{SkinEncoding, SkinPiece, VertexAttributes};
use glam::{Vec2, Vec3};

/// The attributes of the source's vertices, as the file stores them.
pub(crate) struct SourceAttributes<'a> {
    mesh: &'a BoundMesh<'a>,
    /// The number of the first source triangle of each part.
    first_triangles: Vec<u32>,
    wanted: SkinAttributes,
    encoding: SkinEncoding,
}

/// A vertex of a piece, and the bits of a normal and of a texture coordinate: the order of attributes in the file.
type Key = (u32, Option<[u32; 3]>, Option<[u32; 2]>);

impl<'a> SourceAttributes<'a> {
    pub(crate) fn new(mesh: &'a BoundMesh<'a>, wanted: SkinAttributes, encoding: SkinEncoding) -> Self {
        let mut next = 0;
        let first = |triangles: usize| {
            next += triangles as u32;
            next - triangles as u32
        };
        let first_triangles = mesh.parts.iter().map(|part| part.triangles.len()).map(first).collect();
        Self { mesh, first_triangles, wanted, encoding }
    }

    /// Adds the attributes to a piece that has its triangles. Adds nothing if no triangle of the piece has any.
    pub(crate) fn add_to(&self, piece: &mut SkinPiece) {
        let corners: Vec<[Key; 3]> = (0..piece.triangles.len()).map(|triangle| self.keys(piece, triangle)).collect();
        let mut keys: Vec<Key> = corners.as_flattened().to_vec();
        keys.sort_unstable();
        keys.dedup();
        if keys.iter().all(|(_, normal, coordinate)| normal.is_none() && coordinate.is_none()) {
            return;
        }
        let index = |key: Key| keys.partition_point(|other| *other < key) as u32;
        piece.attribute_corners = corners.iter().map(|corners| corners.map(index)).collect();
        let entry = |&(vertex, normal, coordinate): &Key| VertexAttributes {
            vertex,
            normal: normal.map(|bits| Vec3::from_array(bits.map(f32::from_bits))),
            texture_coordinate: coordinate.map(|bits| Vec2::from_array(bits.map(f32::from_bits))),
        };
        piece.attributes = keys.iter().map(entry).collect();
    }

    /// Returns the attributes of the corners of a triangle's source triangle, in the source's order.
    fn keys(&self, piece: &SkinPiece, triangle: usize) -> [Key; 3] {
        let source = piece.source_triangles[triangle];
        let part = self.first_triangles.partition_point(|first| *first <= source) - 1;
        let in_source = self.mesh.parts[part].triangles[(source - self.first_triangles[part]) as usize];
        let in_piece = piece.source_corners(triangle).unwrap_or_default();
        [0, 1, 2].map(|corner| {
            let (normal, coordinate) = self.attributes(part, in_source[corner] as usize);
            (in_piece[corner], normal, coordinate)
        })
    }

    /// Returns the bits of the stored normal and texture coordinate of a vertex of the source.
    fn attributes(&self, part: usize, vertex: usize) -> (Option<[u32; 3]>, Option<[u32; 2]>) {
        let part = &self.mesh.parts[part];
        let normal = part.normals.get(vertex).copied().flatten().filter(|_| self.wanted.has_normals());
        let coordinates = part.texture_coordinates.get(vertex).copied().flatten();
        let coordinate = coordinates.filter(|coordinate| {
            self.wanted.has_texture_coordinates() && coordinate.abs().max_element() <= MAX_TEXTURE_COORDINATE
        });
        // Adding zero turns a negative zero into a positive zero.
        let normal = normal.map(|normal| self.encoding.round_normal(normal) + Vec3::ZERO);
        let coordinate = coordinate.map(|coordinate| self.encoding.round_texture_coordinate(coordinate) + Vec2::ZERO);
        (
            normal.map(|normal| normal.to_array().map(f32::to_bits)),
            coordinate.map(|coordinate| coordinate.to_array().map(f32::to_bits)),
        )
    }
}
