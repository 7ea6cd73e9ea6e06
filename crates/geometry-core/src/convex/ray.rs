//! Rays against hulls.
//!
//! A hull is the common part of the half spaces behind its faces, so the ray is inside from the last plane that it enters to
//! the first plane that it leaves. The ray is moved into the hull's own space by the adjugate of the map's matrix, which is
//! the inverse matrix times the determinant and needs no division.
//!
//! Source: Cyrus and Beck, *Generalized Two- and Three-Dimensional Clipping*, Computers & Graphics 3(1), 1978.

use super::hull::Face;
use super::posed_hull::PosedHull;
use super::separation::HULL_TOLERANCE;
use crate::math::sqrt;
use crate::ray_obb::RayHit;
use crate::shapes::Ray;
use glam::DVec3;

/// A ray in the hull's own space. Distances from planes are multiplied by the determinant, which is not negative here.
struct LocalRay {
    origin: DVec3,
    direction: DVec3,
    determinant: f64,
}

/// The part of a ray that is inside: the two times, and the index of the face where the ray enters.
struct Inside {
    entry: f64,
    exit: f64,
    face: Option<usize>,
}

impl PosedHull<'_> {
    /// Returns the part of the ray inside the hull within `0 ≤ t ≤ limit`. Times are multiples of the ray's direction;
    /// infinity means no limit.
    ///
    /// Grazing counts: a ray that passes the hull is a hit if it hits the hull whose faces are moved outward by
    /// [`HULL_TOLERANCE`] of the hull's size. A limit of NaN gives `None`.
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray, limit: f32) -> Option<RayHit> {
        let normals = self.normals();
        // The rows of the adjugate are the columns of the cofactors, of which `normals` has the sign of the determinant.
        let local = |v: DVec3| DVec3::new(normals.x_axis.dot(v), normals.y_axis.dot(v), normals.z_axis.dot(v));
        let (origin, direction) = (ray.origin().as_dvec3() - self.center, ray.direction().as_dvec3());
        let determinant = self.linear.determinant().abs();
        let local = LocalRay { origin: local(origin), direction: local(direction), determinant };
        let slack = HULL_TOLERANCE * self.size;
        let own = local.inside(self.hull.faces(), |_| 0.0);
        let inside = own.or_else(|| {
            // Normals are at most as long as this.
            let longest =
                sqrt([normals.x_axis, normals.y_axis, normals.z_axis].map(|axis| axis.length_squared()).iter().sum());
            let _may_graze = local.inside(self.hull.faces(), |_| slack * longest)?;
            local.inside(self.hull.faces(), |face| slack * sqrt((normals * face.normal).length_squared()))
        })?;
        let limit = f64::from(limit);
        // The condition is written so that a limit of NaN gives `None`.
        if !(inside.exit >= 0.0 && inside.entry <= limit && limit >= 0.0) {
            return None;
        }
        let exit = inside.exit.max(0.0);
        match inside.face.filter(|_| inside.entry > 0.0) {
            None => Some(RayHit { entry: 0.0, exit: exit as f32, normal: None }),
            Some(face) => {
                let normal = normals * self.hull.faces()[face].normal;
                let normal = (normal / sqrt(normal.length_squared())).as_vec3();
                Some(RayHit { entry: inside.entry as f32, exit: exit.max(inside.entry) as f32, normal: Some(normal) })
            }
        }
    }

    /// Returns `true` if the hull, enlarged by `slack`, holds a point, which is relative to the center.
    pub(super) fn holds(&self, point: DVec3, slack: f64) -> bool {
        let normals = self.normals();
        let determinant = self.linear.determinant().abs();
        let local = DVec3::new(normals.x_axis.dot(point), normals.y_axis.dot(point), normals.z_axis.dot(point));
        let height = |face: &Face| face.normal.dot(local) - face.height * determinant;
        // Most points are inside all planes or far outside of one, so that few slacks are needed.
        let faces = self.hull.faces();
        faces.iter().all(|face| {
            let height = height(face);
            height <= 0.0 || height <= slack * sqrt((normals * face.normal).length_squared())
        })
    }
}

impl LocalRay {
    /// Clips the ray by the planes, each moved outward by its slack. `None` if nothing of the ray is left.
    fn inside(&self, faces: &[Face], slack: impl Fn(&Face) -> f64) -> Option<Inside> {
        let mut inside = Inside { entry: f64::NEG_INFINITY, exit: f64::INFINITY, face: None };
        for (index, face) in faces.iter().enumerate() {
            let room = face.height * self.determinant + slack(face) - face.normal.dot(self.origin);
            let speed = face.normal.dot(self.direction);
            if speed == 0.0 {
                if room < 0.0 {
                    return None;
                }
                continue;
            }
            let time = room / speed;
            if speed < 0.0 {
                if time > inside.entry {
                    (inside.entry, inside.face) = (time, Some(index));
                }
            } else if time < inside.exit {
                inside.exit = time;
            }
        }
        (inside.entry <= inside.exit).then_some(inside)
    }
}
