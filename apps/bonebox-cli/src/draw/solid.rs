//! The faces and the edges of a hitbox in a picture.

use baked_format::HitboxHull;
use geometry_core::Obb;
use glam::{Affine3A, DVec3, Vec3};
use runtime::{PosedHitbox, PosedShape};

/// A convex solid with faces of four corners. A triangle has its last corner twice.
#[derive(Clone, Debug)]
pub(crate) struct Solid {
    pub(crate) corners: Vec<DVec3>,
    /// The four corners of each face, in order around it; two may be the same.
    pub(crate) faces: Vec<[usize; 4]>,
    /// The ends of each edge, and the faces that it bounds.
    edges: Vec<([usize; 2], [usize; 2])>,
    /// True if the faces approximate a round surface. Only the outline of a round surface is drawn as edges.
    is_round: bool,
}

/// The four corners of each face of a box, in order around it. Bits 0, 1 and 2 of a corner select the side along the
/// box's x, y and z axis.
const BOX_FACES: [[usize; 4]; 6] = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

/// Two faces are drawn as one if the cosine of the angle between them is at least this.
const SAME_PLANE: f64 = 0.999_99;

/// The number of faces around a round shape.
const AROUND: usize = 24;

/// The number of faces from the pole of a cap to its rim.
const CAP: usize = 6;

impl Solid {
    /// Makes the solid of a box. Bits 0, 1 and 2 of the index of a corner select the side along the box's x, y and z
    /// axis.
    pub(crate) fn of_box(corners: [DVec3; 8]) -> Self {
        let bounded = |edge: [usize; 2]| {
            let mut faces = (0..6).filter(|&face| edge.iter().all(|end| BOX_FACES[face].contains(end)));
            [faces.next().unwrap_or(0), faces.next().unwrap_or(0)]
        };
        let edges = Obb::EDGES.into_iter().map(|edge| (edge, bounded(edge))).collect();
        Self { corners: corners.to_vec(), faces: BOX_FACES.to_vec(), edges, is_round: false }
    }

    /// Makes the solid of a posed hitbox.
    pub(crate) fn of_hitbox(one: &PosedHitbox) -> Self {
        match one.posed_shape() {
            Some(PosedShape::Capsule(capsule)) => {
                let segment = capsule.segment();
                Self::of_capsule(segment.start().as_dvec3(), segment.end().as_dvec3(), capsule.radius().into())
            }
            Some(PosedShape::Sphere(sphere)) => {
                let center = sphere.center().as_dvec3();
                Self::of_capsule(center, center, sphere.radius().into())
            }
            Some(PosedShape::Box(_)) | None => Self::of_box(one.obb().corners().map(Vec3::as_dvec3)),
        }
    }

    /// Makes the solid of a hull in joint space. Edges within a plane are left out.
    pub(crate) fn of_hull(hull: &HitboxHull, world_from_joint: &Affine3A) -> Self {
        let corners: Vec<DVec3> =
            hull.vertices.iter().map(|vertex| world_from_joint.transform_point3(*vertex).as_dvec3()).collect();
        let faces: Vec<[usize; 4]> = hull.triangles.iter().map(|&[a, b, c]| [a, b, c, c].map(usize::from)).collect();
        let normal = |face: usize| {
            let [a, b, c, _] = faces[face].map(|corner| corners[corner]);
            (b - a).cross(c - a).normalize_or_zero()
        };
        let mut edges = Vec::new();
        for (face, &[a, b, c, _]) in faces.iter().enumerate() {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let other = faces.iter().position(|&[a, b, c, _]| [(a, b), (b, c), (c, a)].contains(&(to, from)));
                let Some(other) = other.filter(|_| from < to) else { continue };
                if normal(face).dot(normal(other)) < SAME_PLANE {
                    edges.push(([from, to], [face, other]));
                }
            }
        }
        Self { corners, faces, edges, is_round: false }
    }

    /// Makes rings of faces from one pole of a capsule to the other. A capsule whose ends are equal is a sphere.
    fn of_capsule(start: DVec3, end: DVec3, radius: f64) -> Self {
        let y = (end - start).try_normalize().unwrap_or(DVec3::Y);
        let x = y.any_orthonormal_vector();
        let z = x.cross(y);
        let rings = 2 * CAP + 2;
        let ring = |ring: usize| {
            let (center, steps) = if ring <= CAP { (start, ring) } else { (end, ring - 1) };
            let angle = std::f64::consts::PI * steps as f64 / (2 * CAP) as f64;
            let (across, along) = (libm::sin(angle), -libm::cos(angle));
            (0..AROUND).map(move |place| {
                let turn = std::f64::consts::TAU * place as f64 / AROUND as f64;
                center + (x * libm::cos(turn) + z * libm::sin(turn)) * (radius * across) + y * (radius * along)
            })
        };
        let corners: Vec<DVec3> = (0..rings).flat_map(ring).collect();
        let corner = |ring: usize, place: usize| ring * AROUND + place % AROUND;
        let face = |ring: usize, place: usize| ring * AROUND + place % AROUND;
        let places = || (0..rings - 1).flat_map(|ring| (0..AROUND).map(move |place| (ring, place)));
        let faces = places().map(|(ring, place)| {
            [corner(ring, place), corner(ring + 1, place), corner(ring + 1, place + 1), corner(ring, place + 1)]
        });
        let upright = places().map(|(ring, place)| {
            ([corner(ring, place), corner(ring + 1, place)], [face(ring, place + AROUND - 1), face(ring, place)])
        });
        let level = places().filter(|(ring, _)| *ring > 0).map(|(ring, place)| {
            ([corner(ring, place), corner(ring, place + 1)], [face(ring - 1, place), face(ring, place)])
        });
        Self { corners, faces: faces.collect(), edges: upright.chain(level).collect(), is_round: true }
    }

    /// The mean of the corners.
    pub(crate) fn center(&self) -> DVec3 {
        self.corners.iter().sum::<DVec3>() / self.corners.len().max(1) as f64
    }

    /// Returns whether each of the faces is visible from a direction. Of the two coincident faces of a flat box, one is
    /// visible.
    pub(crate) fn faces_turned_to(&self, towards_viewer: DVec3) -> Vec<bool> {
        let center = self.center();
        let is_turned = |face: &[usize; 4]| {
            let [a, b, c, d] = face.map(|corner| self.corners[corner]);
            let normal = (c - a).cross(d - b);
            let outward = normal.dot((a + b + c + d) / 4.0 - center);
            normal.dot(towards_viewer) * if outward < 0.0 { -1.0 } else { 1.0 } > 0.0
        };
        self.faces.iter().map(is_turned).collect()
    }

    /// Returns the ends of the edges that are drawn, and for each whether it bounds a visible face.
    pub(crate) fn edges_seen_from(&self, towards_viewer: DVec3) -> Vec<([DVec3; 2], bool)> {
        let turned = self.faces_turned_to(towards_viewer);
        let seen = self.edges.iter().filter_map(|(ends, faces)| {
            let [one, other] = faces.map(|face| turned[face]);
            let is_drawn = !self.is_round || one != other;
            is_drawn.then(|| (ends.map(|end| self.corners[end]), one || other))
        });
        seen.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit_box() -> Solid {
        Solid::of_box(std::array::from_fn(|i| {
            DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2 & 1) as f64) - DVec3::splat(0.5)
        }))
    }

    #[test]
    fn faces_and_edges_are_those_of_a_box() {
        let cube = unit_box();
        for face in BOX_FACES {
            let [a, b, c, d] = face.map(|corner| cube.corners[corner]);
            assert_eq!(a + c, b + d, "a parallelogram");
            assert!((b - a).cross(d - a).dot(a + c) > 0.0, "counter-clockwise from outside");
        }
        assert_eq!(cube.faces_turned_to(DVec3::new(1.0, 2.0, -3.0)), [false, true, false, true, true, false]);
        assert_eq!(cube.edges_seen_from(DVec3::ONE).iter().filter(|(_, in_front)| *in_front).count(), 9);
    }

    #[test]
    fn a_flat_box_shows_one_of_its_two_coincident_faces() {
        let mut flat = unit_box();
        for corner in &mut flat.corners {
            corner.y = 0.0;
        }
        assert_eq!(flat.faces_turned_to(DVec3::Y).iter().filter(|turned| **turned).count(), 1);
        assert_eq!(flat.faces_turned_to(DVec3::NEG_Y).iter().filter(|turned| **turned).count(), 1);
    }

    #[test]
    fn a_hull_shows_no_edge_within_a_plane() {
        let vertices = (0..8).map(|i| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2 & 1) as f32)).collect();
        let halves =
            |&[a, b, c, d]: &[usize; 4]| [[a, b, c], [a, c, d]].map(|triangle| triangle.map(|index| index as u8));
        let hull = HitboxHull { vertices, triangles: BOX_FACES.iter().flat_map(halves).collect() };
        let solid = Solid::of_hull(&hull, &Affine3A::from_translation(Vec3::X));
        assert_eq!((solid.corners[0], solid.faces.len(), solid.edges.len()), (DVec3::X, 12, 12));
        let towards = DVec3::new(1.0, 2.0, -3.0);
        assert_eq!(solid.faces_turned_to(towards).iter().filter(|turned| **turned).count(), 6);
        assert_eq!(solid.edges_seen_from(towards).iter().filter(|(_, in_front)| *in_front).count(), 9);
    }

    #[test]
    fn a_capsule_shows_one_closed_outline() {
        let capsule = Solid::of_capsule(DVec3::ZERO, DVec3::X * 2.0, 0.5);
        assert!(capsule.corners.iter().all(|at| (at.distance(DVec3::X * at.x.clamp(0.0, 2.0)) - 0.5).abs() < 1e-12));
        let outline = capsule.edges_seen_from(DVec3::new(0.1, 0.3, 0.9));
        // Each end of an edge is the end of another one.
        for (ends, in_front) in &outline {
            assert!(*in_front);
            for end in ends {
                let meeting = outline.iter().flat_map(|(ends, _)| ends).filter(|other| other.distance(*end) < 1e-9);
                assert!(meeting.count().is_multiple_of(2), "{end}");
            }
        }
        assert!(outline.len() > AROUND / 2);
    }
}
