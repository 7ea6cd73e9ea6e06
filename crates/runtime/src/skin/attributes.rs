//! The normals and the texture coordinates of a skin piece, at a point of one of its triangles.

use super::reach::PieceSource;
use crate::kernels::skin_lanes::{Columns, SkinLanes};
use baked_format::VertexAttributes;
use glam::{DVec3, Vec2, Vec3};

/// The attributes of a piece; empty if it was baked without them.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct AttributeTable {
    entries: Vec<VertexAttributes>,
    /// The attributes at the corners of each triangle's source triangle, in the order of the table's triangles.
    corners: Vec<[u32; 3]>,
    /// All vertices of the piece, in the numbers of the file.
    vertices: SkinLanes,
}

impl AttributeTable {
    /// `order` lists the piece's triangles in the order of the table.
    pub(super) fn new(source: &PieceSource<'_>, order: &[u32]) -> Self {
        let piece = source.piece;
        if piece.attributes.is_empty() {
            return Self::default();
        }
        let corners = |&triangle: &u32| piece.attribute_corners.get(triangle as usize).copied();
        Self {
            entries: piece.attributes.clone(),
            corners: order.iter().filter_map(corners).collect(),
            vertices: source.all_lanes(),
        }
    }

    fn at_corners(&self, triangle: usize) -> Option<[VertexAttributes; 3]> {
        self.corners.get(triangle).map(|corners| corners.map(|entry| self.entries[entry as usize]))
    }

    /// The texture coordinate at a point of a triangle; `None` if a corner of the source triangle has no texture
    /// coordinate. `barycentric` has the coordinates of the point on the source triangle.
    pub(crate) fn texture_coordinate(&self, triangle: usize, barycentric: [f32; 3]) -> Option<Vec2> {
        let [a, b, c] = self.at_corners(triangle)?.map(|corner| corner.texture_coordinate);
        let [x, y, z] = barycentric;
        Some(a? * x + b? * y + c? * z)
    }

    /// The unit normal at a point of a triangle, interpolated between the skinned normals of its source triangle's corners;
    /// `None` if a corner has no normal, or if the sum has no direction. `matrices` is indexed by binding.
    pub(crate) fn shading_normal(&self, triangle: usize, barycentric: [f32; 3], matrices: &[Columns]) -> Option<DVec3> {
        let mut sum = DVec3::ZERO;
        for (corner, share) in self.at_corners(triangle)?.into_iter().zip(barycentric) {
            let matrix = self.vertices.matrix(corner.vertex as usize, matrices)?;
            sum += unit(skinned_normal(&matrix, corner.normal?))? * f64::from(share);
        }
        unit(sum)
    }
}

/// The normal of a plane's image, not of unit length: the matrix of cofactors times the normal. Seen from the side of
/// the new normal, the corners of a triangle in the plane run the same way around as before, for mirroring matrices
/// too.
fn skinned_normal([x, y, z, _]: &Columns, normal: Vec3) -> DVec3 {
    let [x, y, z] = [x, y, z].map(|column| column.truncate().as_dvec3());
    let normal = normal.as_dvec3();
    y.cross(z) * normal.x + z.cross(x) * normal.y + x.cross(y) * normal.z
}

/// The vector with the length 1; `None` for a vector without a direction.
pub(crate) fn unit(v: DVec3) -> Option<DVec3> {
    let length = (v.x * v.x + v.y * v.y + v.z * v.z).sqrt();
    (length > 0.0 && length.is_finite()).then(|| v / length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skin::table::columns;
    use glam::{Affine3A, Mat3, Vec3};

    /// Uneven scale, shear and mirroring: the image of the normal is the normal of the image, up to its length.
    #[test]
    fn a_normal_stays_perpendicular_to_its_plane() {
        for (x, y, z) in [
            (Vec3::X, Vec3::Y, Vec3::Z),
            (Vec3::new(2.0, 0.0, 0.0), Vec3::new(0.0, 0.5, 0.0), Vec3::new(0.0, 0.0, -3.0)),
            (Vec3::new(1.0, 0.25, 0.0), Vec3::new(-0.5, 1.0, 0.125), Vec3::new(0.0, 2.0, 1.0)),
        ] {
            let matrix = Affine3A::from_mat3_translation(Mat3::from_cols(x, y, z), Vec3::new(5.0, -7.0, 9.0));
            let [a, b] = [Vec3::new(1.0, 2.0, -0.5), Vec3::new(0.25, -1.0, 1.5)];
            let found = skinned_normal(&columns(&matrix), a.cross(b));
            let expected = (matrix.matrix3 * a).as_dvec3().cross((matrix.matrix3 * b).as_dvec3());
            assert!((found - expected).length() <= 1e-6 * expected.length(), "{found} is not {expected}");
        }
        assert_eq!(unit(DVec3::ZERO), None);
    }
}
