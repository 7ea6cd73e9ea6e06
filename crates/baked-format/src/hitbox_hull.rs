//! The surface of a hitbox that is a convex hull, and the rules that it keeps.

use crate::character::{Hitbox, HitboxShape};
use crate::check::{Check, at_most, value};
use crate::limits::{MAX_COORDINATE, MAX_HULL_VERTICES};
use geometry_core::portable::mat3_from_quaternion;
use glam::{DVec3, Vec3};
use robust::{Coord3D, orient3d};

/// A convex hull with a volume, in joint space.
#[derive(Clone, Debug, PartialEq)]
pub struct HitboxHull {
    /// The corners in joint space, in the unit of that space; 4 to [`MAX_HULL_VERTICES`], each a corner of a triangle.
    pub vertices: Vec<Vec3>,
    /// The surface as triangles of indices into `vertices`, counterclockwise seen from outside; `2 * vertices - 4` of them.
    /// Neighboring triangles may lie in one plane.
    pub triangles: Vec<[u8; 3]>,
}

/// The vertices of a hull may lie outside the box by this share of the sizes of the numbers that the test sums, because
/// the test rounds.
const BOX_ROUNDING: f64 = 1.0 / (1u64 << 40) as f64;

impl HitboxHull {
    /// The volume, in the unit of the joint's space cubed: the sum of the tetrahedra between the first vertex and each
    /// triangle, in `f64`. It is 0 if a triangle names a vertex that does not exist, which
    /// [`BakedCharacter::validate`](crate::BakedCharacter::validate) refuses.
    #[must_use]
    pub fn volume(&self) -> f64 {
        let at = |index: u8| self.vertices.get(usize::from(index)).map_or(DVec3::NAN, |vertex| vertex.as_dvec3());
        let tetrahedron = |triangle: &[u8; 3]| {
            let [a, b, c] = triangle.map(|index| at(index) - at(0));
            (b - a).cross(c - a).dot(a)
        };
        // The maximum of NaN and 0 is 0.
        (self.triangles.iter().map(tetrahedron).sum::<f64>() / 6.0).max(0.0)
    }
}

/// Checks that a hitbox has a hull if its shape says so, that the triangles are the surface of the convex hull of the
/// vertices, and that the box holds the vertices.
///
/// Every triangle has all vertices on or below its plane and one vertex below, by exact predicates. The triangles are
/// closed and all turned outward, so they cover the boundary of the convex hull.
pub(crate) fn validate_hull(baked: &Hitbox, place: impl Fn() -> String) -> Check {
    let hull = match (baked.shape, &baked.hull) {
        (HitboxShape::Hull, Some(hull)) => hull,
        (HitboxShape::Hull, None) => return Err(value(place(), "missing", "a hull, because the shape is hull")),
        (_, Some(_)) => return Err(value(place(), "present", "no hull, because the shape is not hull")),
        (_, None) => return Ok(()),
    };
    let HitboxHull { vertices, triangles } = hull;
    at_most(vertices.len(), MAX_HULL_VERTICES, "vertices", &place)?;
    let found = format!("of {} vertices and {} triangles", vertices.len(), triangles.len());
    if vertices.len() < 4 || triangles.len() != 2 * vertices.len() - 4 {
        return Err(value(place(), found, "4 or more vertices, and twice as many triangles less 4"));
    }
    let is_in_range = |vertex: &Vec3| vertex.to_array().iter().all(|x| (-MAX_COORDINATE..=MAX_COORDINATE).contains(x));
    if let Some(vertex) = vertices.iter().find(|vertex| !is_in_range(vertex)) {
        return Err(value(place(), format!("with the vertex {vertex}"), "three numbers from -1e12 to 1e12"));
    }
    if let Some(found) = open_edge(hull) {
        return Err(value(place(), found, "triangles that meet two at each edge, in opposite directions"));
    }
    let corners: Vec<Coord3D<f64>> = vertices.iter().map(|vertex| coordinates(vertex.as_dvec3())).collect();
    for triangle in triangles {
        let [a, b, c] = triangle.map(|index| corners[usize::from(index)]);
        let mut some_below = false;
        for vertex in &corners {
            let below = orient3d(a, b, c, *vertex);
            some_below |= below > 0.0;
            if below < 0.0 {
                return Err(value(place(), format!("dented at triangle {triangle:?}"), "no vertex above a triangle"));
            }
        }
        if !some_below {
            return Err(value(place(), format!("flat at triangle {triangle:?}"), "a vertex below each triangle"));
        }
    }
    match vertices.iter().find(|vertex| !box_holds(baked, vertex.as_dvec3())) {
        Some(vertex) => Err(value(place(), format!("with the vertex {vertex}"), "vertices inside the box")),
        None => Ok(()),
    }
}

/// Describes an index that no vertex has, an edge without exactly one opposite edge, or a vertex without triangles.
fn open_edge(hull: &HitboxHull) -> Option<String> {
    const COUNT: usize = MAX_HULL_VERTICES;
    let vertices = hull.vertices.len();
    let mut next_to = [0u64; COUNT];
    for triangle in &hull.triangles {
        let corners = triangle.map(usize::from);
        if corners.iter().any(|&corner| corner >= vertices) {
            return Some(format!("with the triangle {triangle:?} of {vertices} vertices"));
        }
        let [a, b, c] = corners;
        for (from, to) in [(a, b), (b, c), (c, a)] {
            if next_to[from] >> to & 1 == 1 {
                return Some(format!("with the edge {from} to {to} twice"));
            }
            next_to[from] |= 1 << to;
        }
    }
    let pairs = (0..vertices).flat_map(|from| (0..vertices).map(move |to| (from, to)));
    let mut open = pairs.filter(|&(from, to)| next_to[from] >> to & 1 == 1 && next_to[to] >> from & 1 == 0);
    if let Some((from, to)) = open.next() {
        return Some(format!("open at the edge {from} to {to}"));
    }
    (0..vertices).find(|&vertex| next_to[vertex] == 0).map(|vertex| format!("without a triangle at vertex {vertex}"))
}

fn coordinates(point: DVec3) -> Coord3D<f64> {
    Coord3D { x: point.x, y: point.y, z: point.z }
}

fn box_holds(baked: &Hitbox, point: DVec3) -> bool {
    let axes = mat3_from_quaternion(baked.orientation).as_dmat3();
    let (center, half) = (baked.center.as_dvec3(), baked.half_extents.as_dvec3());
    let size = (point.abs() + center.abs()).element_sum() + half.element_sum();
    ((axes.transpose() * (point - center)).abs() - half).max_element() <= BOX_ROUNDING * size
}
