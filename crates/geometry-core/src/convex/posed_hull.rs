//! A hull placed by an affine map, and its tests.

use super::distance::ShapeDistance;
use super::hull::Hull;
use super::solid::{Core, Solid};
use crate::dcapsule::{DCapsule, ShapeSeparation};
use crate::obb::Obb;
use glam::{DMat3, DVec3, Mat3, Vec3};

/// A matrix counts as flat if its determinant is smaller than this share of the product of its columns' lengths. In `f64`,
/// the planes of a hull under a matrix that is less flat have a relative error of 1e-6 at most.
const FLAT: f64 = 1e-9;

/// Two neighboring triangles are drawn as one face if the cosine of the angle between their normals is at least this.
const ONE_FACE: f64 = 0.999_99;

/// The image of a [`Hull`] under an affine map, in `f64`.
///
/// The image is a closed set: touching counts. The map may turn, mirror, scale unevenly and shear; the image is exact up to the
/// rounding of `f64`.
///
/// ```
/// use geometry_core::{Hull, Obb, PosedHull, Ray};
/// use glam::{DVec3, Mat3, Vec3};
///
/// let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
/// let tetrahedron = Hull::try_new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
/// let wide = PosedHull::new(&tetrahedron, &Mat3::from_diagonal(Vec3::new(4.0, 1.0, 1.0)), DVec3::ZERO).unwrap();
/// let cube = |x: f32| Obb::new(Vec3::new(x, 1.0, 1.0), Vec3::splat(0.25), Mat3::IDENTITY);
/// assert!(!wide.overlaps_obb(&cube(2.0))); // inside the box around the hull, beside the hull
/// let hit = wide.cast_ray(&Ray::try_new(Vec3::new(1.0, 0.25, 9.0), Vec3::NEG_Z)?, f32::INFINITY).unwrap();
/// assert!((hit.entry - 8.5).abs() < 1e-6);
/// # Ok::<(), geometry_core::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct PosedHull<'a> {
    pub(super) hull: &'a Hull,
    pub(super) linear: DMat3,
    /// The image of the hull's center.
    pub(super) center: DVec3,
    /// A length that no corner exceeds in its distance from the center, and to which tolerances are relative.
    pub(super) size: f64,
}

impl<'a> PosedHull<'a> {
    /// Places a hull by the map `linear * p + translation`. Returns `None` if the map is not finite, or so flat that the image is
    /// a polygon up to rounding. In place of a flat image, test the box around it.
    #[must_use]
    pub fn new(hull: &'a Hull, linear: &Mat3, translation: DVec3) -> Option<Self> {
        let linear = linear.as_dmat3();
        let center = linear * hull.center() + translation;
        let lengths = [linear.x_axis, linear.y_axis, linear.z_axis].map(DVec3::length);
        // The condition is written so that NaN gives `None`.
        let is_solid = linear.determinant().abs() > FLAT * lengths.iter().product::<f64>();
        let size = DVec3::from_array(lengths).dot(hull.extents());
        (is_solid && center.is_finite()).then_some(Self { hull, linear, center, size })
    }

    /// Returns this hull, turned by `rotation`, with its center at `center`.
    pub(super) fn turned(&self, rotation: &DMat3, center: DVec3) -> Self {
        Self { linear: *rotation * self.linear, center, ..*self }
    }

    /// The corners, in the space of the image and in the order of [`Hull::try_new`].
    ///
    /// The corners are rounded to `f32`, like those of [`Obb::corners`]. [`PosedHull::exact_corners`] returns them in `f64`.
    pub fn corners(&self) -> impl ExactSizeIterator<Item = Vec3> + use<'a> {
        self.exact_corners().map(|corner| corner.as_vec3())
    }

    /// The ends of the edges, in the space of the image; for example, to draw the hull as lines.
    ///
    /// Each edge comes once, in the order of the triangles of [`Hull::try_new`]. An edge between two triangles whose normals differ
    /// by less than 0.26 degrees in the space of the [`Hull`] is left out, because both are parts of one face. So the image has the
    /// same edges under every map.
    ///
    /// ```
    /// use geometry_core::{Hull, PosedHull};
    /// use glam::{DVec3, Mat3, Vec3};
    ///
    /// let corners = [Vec3::ZERO, Vec3::X, Vec3::ONE - Vec3::Z, Vec3::Y, Vec3::Z];
    /// let pyramid = Hull::try_new(&corners, &[[0, 3, 2], [0, 2, 1], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]])?;
    /// let posed = PosedHull::new(&pyramid, &Mat3::IDENTITY, DVec3::ZERO).unwrap();
    /// // Four around the base and four to the tip, but not the diagonal of the base.
    /// assert_eq!(posed.edges().count(), 8);
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    pub fn edges(&self) -> impl Iterator<Item = [Vec3; 2]> + use<'a> {
        let Self { hull, linear, center, .. } = *self;
        let between_faces = hull.edges().iter().filter(|edge| {
            let [left, right] = edge.sides.map(|face| hull.faces()[usize::from(face)].normal);
            left.dot(right) < ONE_FACE
        });
        between_faces
            .map(move |edge| edge.ends.map(|end| (center + linear * hull.corners()[usize::from(end)]).as_vec3()))
    }

    /// The corners before they are rounded to `f32`.
    pub fn exact_corners(&self) -> impl ExactSizeIterator<Item = DVec3> + use<'a> {
        let Self { hull, linear, center, .. } = *self;
        hull.corners().iter().map(move |&corner| center + linear * corner)
    }

    /// The matrix that maps the hull's normals to normals of the image that point outward; not of unit length.
    pub(super) fn normals(&self) -> DMat3 {
        let DMat3 { x_axis: x, y_axis: y, z_axis: z } = self.linear;
        let cofactors = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
        if x.dot(cofactors.x_axis) < 0.0 { -cofactors } else { cofactors }
    }

    /// Returns the corner that is farthest in a direction, relative to the center.
    #[inline]
    pub(super) fn support(&self, direction: DVec3) -> DVec3 {
        let DMat3 { x_axis: x, y_axis: y, z_axis: z } = self.linear;
        self.linear * self.hull.support(DVec3::new(x.dot(direction), y.dot(direction), z.dot(direction)))
    }

    fn solid(&self) -> Solid<'_> {
        Solid { core: Core::Hull(*self), center: self.center, radius: 0.0 }
    }

    /// Returns `true` if the two hulls share a point. Touching counts; the test leans to `true` by
    /// [`HULL_TOLERANCE`](crate::tolerances::HULL_TOLERANCE) of both shapes' sizes. The answer is the same for both orders of the
    /// hulls.
    ///
    /// The algorithm looks for a direction along which the shapes are apart. Only such a direction gives `false`, so no
    /// contact is missed, whatever rounding does to the search.
    ///
    /// Source: Gilbert, Johnson and Keerthi, *A Fast Procedure for Computing the Distance Between Complex Objects in
    /// Three-Dimensional Space*, IEEE Journal of Robotics and Automation 4(2), 1988; van den Bergen, *A Fast and Robust GJK
    /// Implementation for Collision Detection of Convex Objects*, journal of graphics tools 4(2), 1999.
    #[must_use]
    pub fn overlaps(&self, other: &PosedHull<'_>) -> bool {
        self.solid().overlaps(&other.solid())
    }

    /// Returns `true` if the hull and the box share a point, see [`PosedHull::overlaps`].
    #[must_use]
    pub fn overlaps_obb(&self, one: &Obb) -> bool {
        self.solid().overlaps(&Solid::of_box(one))
    }

    /// Returns `true` if the hull and the capsule or sphere share a point, see [`PosedHull::overlaps`].
    #[must_use]
    pub fn overlaps_capsule(&self, capsule: &DCapsule) -> bool {
        self.solid().overlaps(&Solid::of_capsule(capsule))
    }

    /// Returns the distance between two hulls and their nearest points; the distance is 0 if the hulls overlap. This
    /// hull is the first shape. Use [`PosedHull::separation`] if you also need the depth of an overlap, which takes
    /// longer.
    ///
    /// Returns `None` if the distance is larger than `limit`, in the unit of the hulls; infinity means no limit, and a limit of
    /// NaN gives `None`. The error of the distance is at most [`HULL_TOLERANCE`](crate::tolerances::HULL_TOLERANCE) of both
    /// shapes' sizes. The result may be a distance that is larger than `limit` by up to this tolerance; compare the two if that
    /// matters.
    ///
    /// The source is that of [`PosedHull::overlaps`].
    #[must_use]
    pub fn distance(&self, other: &PosedHull<'_>, limit: f64) -> Option<ShapeDistance> {
        self.solid().distance(&other.solid(), limit)
    }

    /// Returns the distance between the hull, the first shape, and a box, see [`PosedHull::distance`].
    #[must_use]
    pub fn distance_from_obb(&self, one: &Obb, limit: f64) -> Option<ShapeDistance> {
        self.solid().distance(&Solid::of_box(one), limit)
    }

    /// Returns the distance between the hull, the first shape, and a capsule or a sphere, see [`PosedHull::distance`].
    #[must_use]
    pub fn distance_from_capsule(&self, capsule: &DCapsule, limit: f64) -> Option<ShapeDistance> {
        self.solid().distance(&Solid::of_capsule(capsule), limit)
    }

    /// Returns the distance between the hulls or the depth of their overlap, with its direction and place. This hull is the
    /// first shape.
    ///
    /// The depth is the least distance by which one of the shapes has to move until the two only touch: the least along the
    /// normals of all faces and the cross products of all pairs of edges. The error is at most
    /// [`HULL_TOLERANCE`](crate::tolerances::HULL_TOLERANCE) of both shapes' sizes.
    ///
    /// The algorithm expands a polytope inside the difference of the hulls until its nearest face proves the least depth. If
    /// rounding or too many corners prevent the proof, the algorithm searches all normals and all pairs of edges that can touch.
    ///
    /// Source of the depth: van den Bergen, *Proximity Queries and Penetration Depth Computation on 3D Game Objects*, Game
    /// Developers Conference 2001; Gregorius, *The Separating Axis Test between Convex Polyhedra*, Game Developers Conference
    /// 2013.
    pub fn separation(&self, other: &PosedHull<'_>) -> ShapeSeparation {
        self.solid().separation(&other.solid())
    }

    /// Returns the separation of the hull, the first shape, and a box, see [`PosedHull::separation`].
    pub fn separation_from_obb(&self, one: &Obb) -> ShapeSeparation {
        self.solid().separation(&Solid::of_box(one))
    }

    /// Returns the separation of the hull, the first shape, and a capsule or a sphere, see [`PosedHull::separation`].
    pub fn separation_from_capsule(&self, capsule: &DCapsule) -> ShapeSeparation {
        self.solid().separation(&Solid::of_capsule(capsule))
    }
}
