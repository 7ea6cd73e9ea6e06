//! Hulls with few vertices around hulls with many.
//!
//! An edge contraction replaces both ends of an edge by one apex that lies on or beyond the planes of all faces around the edge.
//! No face of the two ends is then a face of the new hull, so the ends are no longer vertices, and the new hull holds the old one.
//! Each round contracts the edges that add the least volume. The apex of an edge is the corner of three planes that adds the least
//! volume, among the planes around the edge and those that earlier corners were beyond, or a point above the middle of the edge.
//!
//! Source: Sander, Gu, Gortler, Hoppe, Snyder, *Silhouette Clipping*, SIGGRAPH 2000: a progressive hull of any mesh, by edge
//! contractions outside the planes of the faces around the edge. A convex hull needs no test for self-intersection, and the added
//! volume counts every face that the apex is beyond.

use crate::builder::HullBuilder;
use crate::convex_hull::{ConvexHull, HullShape};
use crate::predicates::{Coordinates, Predicates};
use crate::scan::Scan;
use glam::DVec3;
use std::cmp::Ordering;

/// The most planes around an edge among which the apex is searched. With more planes, the apex is above the edge.
const MOST_PLANES: usize = 24;

/// A point this far below a plane counts as on the plane, as a share of the hull's size. The corner of three planes is rounded.
const ON_PLANE: f64 = 1e-9;

/// The least determinant of three unit normals whose planes have a corner. The rounding of a corner is in inverse proportion, and a
/// corner that is moved by rounding tilts the faces around it.
const LEAST_DETERMINANT: f64 = 1e-6;

/// A face with a smaller area is a sliver, as a share of the square of the hull's size. The result grows to hold the little of the
/// hull that an apex leaves outside because slivers do not count. The larger value is for hulls without any edge to contract:
/// slivers on the flat side of a prism, between vertices that rounding has moved, are turned in any direction.
const LEAST_SLIVER: f64 = 1e-11;
const LARGEST_SLIVER: f64 = 1e-5;

/// The share of the vertices too many that one round removes.
const SHARE_OF_ROUND: usize = 6;

/// The first and the largest growth of the result, as shares of its size, that make up for rounding.
const FIRST_GROWTH: f64 = 1.0 / (1u64 << 40) as f64;
const LARGEST_GROWTH: f64 = 1e-3;

impl ConvexHull {
    /// Returns a hull with at most `max_vertices` vertices that holds this hull, with little volume between the two.
    ///
    /// The result is in the space and unit of this hull. Exact predicates decide that no vertex of this hull lies outside. A hull
    /// that has few enough vertices is returned as it is. The result depends on the positions of the vertices alone.
    ///
    /// `None` if no such hull was found: for a segment or a polygon with more vertices, and in rare cases for fewer than eight
    /// vertices, because a solid such as a brick has no edge that can be contracted. `None` also if the size of the hull is so
    /// large or so small that a volume in its unit cubed is out of the range of `f64`.
    #[must_use]
    pub fn enclosing_hull(&self, max_vertices: usize) -> Option<Self> {
        if self.vertices().len() <= max_vertices {
            return Some(self.clone());
        }
        if self.shape() != HullShape::Solid {
            return None;
        }
        let mut builder = HullBuilder::new();
        let mut around = self.clone();
        while around.vertices().len() > max_vertices {
            let too_many = around.vertices().len() - max_vertices;
            let mut sliver = LEAST_SLIVER;
            let contractions = loop {
                let found = Planes::new(&around, sliver).contractions(&around, too_many.div_ceil(SHARE_OF_ROUND));
                if !found.is_empty() || sliver > LARGEST_SLIVER {
                    break found;
                }
                sliver *= 10.0;
            };
            let ends: Vec<u32> = contractions.iter().flat_map(|one| one.edge).collect();
            let kept = around.vertices().iter().zip(0..).filter(|(_, index)| !ends.contains(index)).map(|(at, _)| *at);
            let points: Vec<DVec3> = kept.chain(contractions.iter().map(|one| one.apex)).collect();
            let next = builder.build(&points).ok()?;
            // Without a contraction, and where rounding keeps an end outside, the number of vertices stays the same.
            if next.vertices().len() >= around.vertices().len() {
                return None;
            }
            around = next;
        }
        let center = around.vertices().iter().sum::<DVec3>() / around.vertices().len() as f64;
        let mut growth = FIRST_GROWTH;
        let mut grown = around.clone();
        while grown.first_outside(self.vertices()).is_some() {
            if growth > LARGEST_GROWTH {
                return None;
            }
            let points: Vec<DVec3> = around.vertices().iter().map(|&at| at + (at - center) * growth).collect();
            grown = builder.build(&points).ok()?;
            growth *= 2.0;
        }
        (grown.vertices().len() <= max_vertices).then_some(grown)
    }

    /// Returns the index of the first of some points that lies outside the hull; `None` if the hull holds all of them. The
    /// surface belongs to the hull. Exact predicates decide, also for a point, a segment and a polygon.
    ///
    /// All coordinates must be finite; a point with another coordinate is outside. Takes time in proportion to the number of
    /// points times the number of faces.
    #[must_use]
    pub fn first_outside(&self, points: &[DVec3]) -> Option<usize> {
        let count = self.vertices().len() as u32;
        let all = [self.vertices(), points].concat();
        let Ok(scan) = Scan::of(&all) else { return points.iter().position(|point| !point.is_finite()).or(Some(0)) };
        if self.shape() != HullShape::Solid {
            // A point outside makes another hull, and a point inside does not.
            let holds = |point: &DVec3| {
                let with_point = [self.vertices(), std::slice::from_ref(point)].concat();
                Self::from_points(&with_point).is_ok_and(|hull| hull.vertices() == self.vertices())
            };
            return points.iter().position(|point| !holds(point));
        }
        let coordinates = Coordinates::prepare(&all, scan.largest, scan.smallest_nonzero);
        let scaled: Vec<DVec3> = all.iter().map(|&point| coordinates.scaled(point)).collect();
        let exact = Predicates::new(coordinates, &all, &scaled);
        let planes: Vec<[u32; 3]> =
            self.faces().map(|face| [face.corners()[0], face.corners()[1], face.corners()[2]]).collect();
        (0..points.len()).find(|&index| {
            planes.iter().any(|&plane| exact.side_of_plane(plane, count + index as u32) == Ordering::Greater)
        })
    }
}

/// The edge that is replaced by an apex, and the volume that this adds.
struct Contraction {
    edge: [u32; 2],
    apex: DVec3,
    added: f64,
}

/// The planes of a hull's faces, about the hull's center.
struct Planes {
    center: DVec3,
    /// The outward unit normal of each face; 0 for a sliver, whose normal is lost to rounding.
    normals: Vec<DVec3>,
    /// The height of each plane along its normal.
    heights: Vec<f64>,
    /// A third of the area of each face.
    thirds: Vec<f64>,
    /// The faces around each vertex.
    around_vertex: Vec<Vec<u32>>,
    /// The distance below which a point counts as on a plane.
    near: f64,
}

impl Planes {
    fn new(hull: &ConvexHull, sliver: f64) -> Self {
        let vertices = hull.vertices();
        let center = vertices.iter().sum::<DVec3>() / vertices.len() as f64;
        let size = vertices.iter().map(|&at| (at - center).length()).fold(0.0, f64::max);
        let count = hull.faces().len();
        let mut planes = Self {
            center,
            normals: Vec::with_capacity(count),
            heights: Vec::with_capacity(count),
            thirds: Vec::with_capacity(count),
            around_vertex: vec![Vec::new(); vertices.len()],
            near: ON_PLANE * size,
        };
        for (face, index) in hull.faces().zip(0..) {
            let area = face.area_vector();
            let is_sliver = area.length() <= sliver * size * size;
            let normal = if is_sliver { DVec3::ZERO } else { area.normalize() };
            let height = |&corner: &u32| normal.dot(vertices[corner as usize] - center);
            planes.heights.push(face.corners().iter().map(height).fold(f64::NEG_INFINITY, f64::max));
            planes.normals.push(normal);
            planes.thirds.push(if is_sliver { 0.0 } else { area.length() / 3.0 });
            face.corners().iter().for_each(|&corner| planes.around_vertex[corner as usize].push(index));
        }
        planes
    }

    /// Returns at most `most` contractions that add little volume and have no vertex of a face around their edges in common.
    fn contractions(&self, hull: &ConvexHull, most: usize) -> Vec<Contraction> {
        let mut all: Vec<Contraction> = hull.edges().iter().filter_map(|&edge| self.contraction(hull, edge)).collect();
        all.sort_by(|a, b| a.added.total_cmp(&b.added).then(a.edge.cmp(&b.edge)));
        let mut is_taken = vec![false; hull.vertices().len()];
        let mut chosen = Vec::new();
        for one in all {
            if chosen.len() == most {
                break;
            }
            let faces = one.edge.into_iter().flat_map(|end| &self.around_vertex[end as usize]);
            let corners: Vec<u32> = faces.flat_map(|&face| hull.face(face as usize).corners()).copied().collect();
            if corners.iter().any(|&corner| is_taken[corner as usize]) {
                continue;
            }
            corners.iter().for_each(|&corner| is_taken[corner as usize] = true);
            chosen.push(one);
        }
        chosen
    }

    /// Returns the best contraction of an edge; `None` if no point was found that is on or beyond all planes around the edge.
    fn contraction(&self, hull: &ConvexHull, edge: [u32; 2]) -> Option<Contraction> {
        let mut around: Vec<u32> = edge.iter().flat_map(|&end| &self.around_vertex[end as usize]).copied().collect();
        around.sort_unstable();
        around.dedup();
        let ends = edge.map(|end| hull.vertices()[end as usize] - self.center);
        let (apex, added) = self.apex_at_corner(&around).or_else(|| self.apex_above(&around, ends))?;
        Some(Contraction { edge, apex: apex + self.center, added })
    }

    /// Returns the point above the middle of an edge that is just beyond all planes around the edge, about the center, and the
    /// volume that it adds. `None` if a plane is turned away from the mean of the others. Where the planes are nearly the same
    /// plane, their corners are lost to rounding, and this point is not.
    fn apex_above(&self, around: &[u32], ends: [DVec3; 2]) -> Option<(DVec3, f64)> {
        /// The least cosine of the angle between a plane's normal and the mean.
        const LEAST_COSINE: f64 = 1e-3;
        let middle = 0.5 * (ends[0] + ends[1]);
        let mean: DVec3 = around.iter().map(|&face| self.normals[face as usize] * self.thirds[face as usize]).sum();
        let up = mean.try_normalize()?;
        let mut rise = 0.0;
        for &face in around {
            let normal = self.normals[face as usize];
            if normal == DVec3::ZERO {
                continue;
            }
            let cosine = normal.dot(up);
            if cosine < LEAST_COSINE {
                return None;
            }
            rise = ((self.near - self.height(face, middle)) / cosine).max(rise);
        }
        let apex = middle + up * rise;
        Some((apex, self.added(apex)))
    }

    /// Returns the corner of three planes that adds the least volume, among the planes around an edge and those that earlier
    /// corners were beyond, and the volume that it adds.
    fn apex_at_corner(&self, around: &[u32]) -> Option<(DVec3, f64)> {
        if around.len() > MOST_PLANES {
            return None;
        }
        let mut planes = around.to_vec();
        let (mut apex, mut added) = self.best_apex(around, &planes)?;
        // Faces elsewhere that the apex is beyond add to the volume, so a corner of their planes may add less.
        loop {
            let is_new = |face: &u32| !planes.contains(face) && self.height(*face, apex) > 0.0;
            let beyond: Vec<u32> = (0..self.normals.len() as u32).filter(is_new).collect();
            if beyond.is_empty() || planes.len() + beyond.len() > MOST_PLANES {
                break;
            }
            planes.extend(beyond);
            (apex, added) = self.best_apex(around, &planes)?;
        }
        Some((apex, added))
    }

    /// Returns the corner of three of `planes` that is on or beyond each plane of `around` and adds the least volume, about the
    /// center.
    fn best_apex(&self, around: &[u32], planes: &[u32]) -> Option<(DVec3, f64)> {
        let linear = |face: &u32| self.normals[*face as usize] * self.thirds[*face as usize];
        let slope: DVec3 = around.iter().map(linear).sum();
        let base: f64 = around.iter().map(|&face| self.heights[face as usize] * self.thirds[face as usize]).sum();
        let plane = |face: u32| (self.normals[face as usize], self.heights[face as usize]);
        let mut best: Option<(DVec3, f64)> = None;
        for (i, &first) in planes.iter().enumerate() {
            let (a, a_height) = plane(first);
            for (j, &second) in planes.iter().enumerate().skip(i + 1) {
                let (b, b_height) = plane(second);
                let along = a.cross(b);
                for &third in &planes[j + 1..] {
                    let (c, c_height) = plane(third);
                    let determinant = along.dot(c);
                    if determinant.abs() < LEAST_DETERMINANT {
                        continue;
                    }
                    let apex = (b.cross(c) * a_height + c.cross(a) * b_height + along * c_height) / determinant;
                    let least = best.map_or(f64::INFINITY, |(_, added)| added);
                    // The faces around the edge alone add this volume.
                    let is_candidate = slope.dot(apex) - base < least
                        && around.iter().all(|&face| self.height(face, apex) >= -self.near);
                    if is_candidate {
                        let added = self.added(apex);
                        if added < least {
                            best = Some((apex, added));
                        }
                    }
                }
            }
        }
        best
    }

    /// The height of a point above the plane of a face.
    fn height(&self, face: u32, point: DVec3) -> f64 {
        self.normals[face as usize].dot(point) - self.heights[face as usize]
    }

    /// The volume between the hull and the hull with an apex: a pyramid on each face that the apex is beyond.
    fn added(&self, apex: DVec3) -> f64 {
        let faces = self.normals.iter().zip(&self.heights).zip(&self.thirds);
        faces.map(|((normal, height), third)| (normal.dot(apex) - height).max(0.0) * third).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points on a ball, by the inverse of the stereographic projection of points in a square.
    fn ball(count: u32) -> Vec<DVec3> {
        let share = |i: u32, step: f64| 4.0 * (f64::from(i) * step).fract() - 2.0;
        let point = |i: u32| {
            let (u, v) = (share(i, 0.754_877_666), share(i, 0.569_840_291));
            DVec3::new(2.0 * u, 2.0 * v, 1.0 - u * u - v * v) / (1.0 + u * u + v * v)
        };
        (0..count).map(point).collect()
    }

    /// Compares the first contraction with a search among all edges and the corners of all planes. The volume as a function of the
    /// apex is convex and linear between the planes, so the apex that adds the least volume is such a corner.
    #[test]
    fn the_first_contraction_adds_the_least_volume() {
        for count in [12, 20, 30] {
            let hull = ConvexHull::from_points(&ball(count)).unwrap();
            let planes = Planes::new(&hull, LEAST_SLIVER);
            let all: Vec<u32> = (0..hull.faces().len() as u32).collect();
            let by_all_planes = |edge: &[u32; 2]| {
                let around: Vec<u32> =
                    edge.iter().flat_map(|&end| &planes.around_vertex[end as usize]).copied().collect();
                planes.best_apex(&around, &all).map_or(f64::INFINITY, |(_, added)| added)
            };
            let least = hull.edges().iter().map(by_all_planes).fold(f64::INFINITY, f64::min);
            let found = planes.contractions(&hull, 1)[0].added;
            assert!(found <= 1.01 * least, "{count}: {found} against {least}");
        }
    }

    #[test]
    fn the_volume_of_an_apex_is_what_the_hull_gains() {
        let points = ball(30);
        let hull = ConvexHull::from_points(&points).unwrap();
        let planes = Planes::new(&hull, LEAST_SLIVER);
        for apex in [DVec3::new(1.5, 0.2, -0.1), DVec3::new(0.0, 0.9, 1.0), DVec3::splat(2.0)] {
            let with_apex = ConvexHull::from_points(&[points.as_slice(), &[apex]].concat()).unwrap();
            let gained = with_apex.volume() - hull.volume();
            assert!((planes.added(apex - planes.center) - gained).abs() < 1e-12, "{gained}");
        }
    }
}
