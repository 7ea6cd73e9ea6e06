use crate::convex_hull::{ConvexHull, HullShape};
use crate::error::HullError;
use crate::facets::compare_positions;
use crate::half_space_tree::HalfSpaceTree;
use crate::plane::Plane;
use crate::predicates::{Coordinates, Predicates};
use crate::scan::Scan;
use glam::DVec3;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use thiserror::Error;

/// The reason why a hull is not the hull of the given points. A hull that this crate built from the same points never
/// gives this error.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum InvalidHull {
    /// The points have no hull, because the list is empty, too long or not finite.
    #[error("the points have no hull: {0}")]
    Points(#[from] HullError),
    /// The numbers of vertices, edges and faces are impossible for the shape.
    #[error("a hull with {vertices} vertices, {edges} edges and {faces} faces is no {shape:?}")]
    Counts {
        /// The shape that the hull reports.
        shape: HullShape,
        /// The number of vertices.
        vertices: usize,
        /// The number of edges.
        edges: usize,
        /// The number of faces.
        faces: usize,
    },
    /// A vertex differs from the input point that `source_indices` gives for it.
    #[error("vertex {vertex} differs from points[{source_index}], which the hull gives as its source")]
    ForeignVertex {
        /// Index into [`ConvexHull::vertices`].
        vertex: usize,
        /// The vertex's entry in [`ConvexHull::source_indices`].
        source_index: u32,
    },
    /// Two vertices are equal, or the vertices are not sorted by position.
    #[error("vertex {vertex} does not come after the vertex before it in the order of positions")]
    VertexOrder {
        /// Index into [`ConvexHull::vertices`].
        vertex: usize,
    },
    /// A face is not a strictly convex polygon in one plane, counter-clockwise seen from outside.
    #[error("face {face} is not a strictly convex polygon in one plane")]
    BadFace {
        /// Index into [`ConvexHull::faces`].
        face: usize,
    },
    /// An edge does not join exactly two faces in opposite directions, or the list of edges does not match the faces.
    #[error("the edge from vertex {from} to vertex {to} does not join exactly two faces")]
    OpenEdge {
        /// The vertex where the edge starts, an index into [`ConvexHull::vertices`].
        from: u32,
        /// The vertex where the edge ends, an index into [`ConvexHull::vertices`].
        to: u32,
    },
    /// Two neighboring faces are coplanar or form a dent.
    #[error("faces {faces:?} do not meet in a convex edge")]
    NotConvex {
        /// The two faces, indices into [`ConvexHull::faces`].
        faces: [u32; 2],
    },
    /// The surface consists of several parts.
    #[error("the surface is not connected")]
    NotConnected,
    /// The triangles of a face are not the fan around its first corner.
    #[error("the triangles of face {face} are not the fan around its first corner")]
    Triangulation {
        /// Index into [`ConvexHull::faces`].
        face: usize,
    },
    /// An input point lies outside the hull.
    #[error("points[{point}] lies outside the hull")]
    Outside {
        /// Index into the points.
        point: usize,
    },
}

impl ConvexHull {
    /// Proves with exact predicates that this hull is the hull of `points`. It checks that the vertices are distinct
    /// input points; that the faces are strictly convex polygons; that the surface is closed, connected, has the
    /// topology of a sphere and is convex at every edge; and that no point is outside any face.
    ///
    /// The check takes about as long as building the hull, or longer if many points lie on faces.
    ///
    /// # Errors
    /// Returns [`InvalidHull`] with the first defect that the check finds.
    pub fn validate(&self, points: &[DVec3]) -> Result<(), InvalidHull> {
        let scan = Scan::of(points)?;
        let coordinates = Coordinates::prepare(points, scan.largest, scan.smallest_nonzero);
        let scaled: Vec<DVec3> = points.iter().map(|&p| coordinates.scaled(p)).collect();
        let check = Check { hull: self, exact: Predicates::new(coordinates, points, &scaled), scaled: &scaled };
        self.check_counts()?;
        self.check_vertices(points)?;
        match self.shape() {
            HullShape::Point => check.all_points(|p| compare_positions(points[p as usize], self.vertices()[0]).is_eq()),
            HullShape::Segment => check.all_points(|p| check.on_segment(points, p)),
            HullShape::Polygon => {
                check.faces()?;
                check.topology()?;
                check.all_points(|p| check.in_polygon(p))
            }
            HullShape::Solid => {
                check.faces()?;
                check.topology()?;
                check.convex_edges()?;
                check.none_outside()
            }
        }
    }

    fn check_counts(&self) -> Result<(), InvalidHull> {
        let (vertices, edges, faces) = (self.vertices().len(), self.edges().len(), self.faces().len());
        let (adjacencies, sources) = (self.edge_faces().len(), self.source_indices().len());
        let good = match self.shape() {
            HullShape::Point => (vertices, edges, faces, adjacencies) == (1, 0, 0, 0),
            HullShape::Segment => (vertices, edges, faces, adjacencies) == (2, 1, 0, 0),
            HullShape::Polygon => vertices >= 3 && (edges, faces, adjacencies) == (vertices, 2, vertices),
            HullShape::Solid => vertices >= 4 && vertices + faces == edges + 2 && adjacencies == edges,
        };
        if good && sources == vertices {
            return Ok(());
        }
        Err(InvalidHull::Counts { shape: self.shape(), vertices, edges, faces })
    }

    fn check_vertices(&self, points: &[DVec3]) -> Result<(), InvalidHull> {
        for (vertex, (&position, &source_index)) in self.vertices().iter().zip(self.source_indices()).enumerate() {
            if points.get(source_index as usize) != Some(&position) {
                return Err(InvalidHull::ForeignVertex { vertex, source_index });
            }
            if vertex > 0 && !compare_positions(self.vertices()[vertex - 1], position).is_lt() {
                return Err(InvalidHull::VertexOrder { vertex });
            }
        }
        Ok(())
    }
}

struct Check<'a> {
    hull: &'a ConvexHull,
    exact: Predicates<'a>,
    scaled: &'a [DVec3],
}

impl Check<'_> {
    fn all_points(&self, inside: impl Fn(u32) -> bool) -> Result<(), InvalidHull> {
        match (0..self.scaled.len()).find(|&p| !inside(p as u32)) {
            Some(point) => Err(InvalidHull::Outside { point }),
            None => Ok(()),
        }
    }

    fn on_segment(&self, points: &[DVec3], p: u32) -> bool {
        let [a, b] = [self.hull.source_indices()[0], self.hull.source_indices()[1]];
        let point = points[p as usize];
        let between = compare_positions(points[a as usize], point).is_le()
            && compare_positions(point, points[b as usize]).is_le();
        between && self.exact.open_axis(a, b, p).is_none()
    }

    /// The corners of a face as indices into the points.
    fn sources(&self, face: usize) -> Vec<u32> {
        self.hull.face(face).corners().iter().map(|&c| self.hull.source_indices()[c as usize]).collect()
    }

    fn in_polygon(&self, p: u32) -> bool {
        let loop_ = self.sources(0);
        let Some((axis, left)) = self.open_axis(&loop_) else { return false };
        let inside = |(i, &from): (usize, &u32)| {
            let turn = self.exact.turn(axis, from, loop_[(i + 1) % loop_.len()], p);
            turn == left || turn == Ordering::Equal
        };
        self.exact.side_of_plane([loop_[0], loop_[1], loop_[2]], p) == Ordering::Equal
            && loop_.iter().enumerate().all(inside)
    }

    /// An axis along which the loop does not project to a line, and the direction in which the loop turns, seen along
    /// that axis.
    fn open_axis(&self, corners: &[u32]) -> Option<(usize, Ordering)> {
        let axis = self.exact.open_axis(corners[0], corners[1], corners[2])?;
        Some((axis, self.exact.turn(axis, corners[0], corners[1], corners[2])))
    }

    fn faces(&self) -> Result<(), InvalidHull> {
        for face in self.hull.faces() {
            let index = face.index();
            if face.corners().len() < 3 || !self.is_convex_polygon(&self.sources(index)) {
                return Err(InvalidHull::BadFace { face: index });
            }
            let corners = face.corners();
            let fan = corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]);
            if !fan.eq(face.triangles().iter().copied()) {
                return Err(InvalidHull::Triangulation { face: index });
            }
        }
        Ok(())
    }

    /// Returns true if all corners lie in one plane, the loop turns inward at every corner, and every triangle of its
    /// fan turns in the same direction. The first turns make the loop convex; the triangles prove that the loop runs
    /// around only once.
    fn is_convex_polygon(&self, corners: &[u32]) -> bool {
        let Some((axis, left)) = self.open_axis(corners) else { return false };
        let plane = [corners[0], corners[1], corners[2]];
        let n = corners.len();
        let coplanar = corners[3..].iter().all(|&c| self.exact.side_of_plane(plane, c) == Ordering::Equal);
        let turns =
            (0..n).all(|i| self.exact.turn(axis, corners[i], corners[(i + 1) % n], corners[(i + 2) % n]) == left);
        let fan = corners[1..].windows(2).all(|pair| self.exact.turn(axis, corners[0], pair[0], pair[1]) == left);
        coplanar && turns && fan
    }

    fn topology(&self) -> Result<(), InvalidHull> {
        let mut directed = BTreeMap::new();
        for face in self.hull.faces() {
            let corners = face.corners();
            for (i, &from) in corners.iter().enumerate() {
                let to = corners[(i + 1) % corners.len()];
                if directed.insert((from, to), face.index() as u32).is_some() {
                    return Err(InvalidHull::OpenEdge { from, to });
                }
            }
        }
        for (&[from, to], &faces) in self.hull.edges().iter().zip(self.hull.edge_faces()) {
            let found = [directed.remove(&(from, to)), directed.remove(&(to, from))];
            if found != faces.map(Some) || from >= to {
                return Err(InvalidHull::OpenEdge { from, to });
            }
        }
        if let Some((&(from, to), _)) = directed.iter().next() {
            return Err(InvalidHull::OpenEdge { from, to });
        }
        self.connected()
    }

    /// `check_counts` has checked Euler's formula, so a connected closed surface is a sphere.
    fn connected(&self) -> Result<(), InvalidHull> {
        let count = self.hull.faces().len();
        let mut neighbors = vec![Vec::new(); count];
        for &[a, b] in self.hull.edge_faces() {
            neighbors[a as usize].push(b);
            neighbors[b as usize].push(a);
        }
        let (mut reached, mut stack, mut found) = (vec![false; count], vec![0u32], 1);
        reached[0] = true;
        while let Some(face) = stack.pop() {
            for &next in &neighbors[face as usize] {
                if !std::mem::replace(&mut reached[next as usize], true) {
                    found += 1;
                    stack.push(next);
                }
            }
        }
        if found == count { Ok(()) } else { Err(InvalidHull::NotConnected) }
    }

    fn convex_edges(&self) -> Result<(), InvalidHull> {
        for (&edge, &faces) in self.hull.edges().iter().zip(self.hull.edge_faces()) {
            for (face, other) in [(faces[0], faces[1]), (faces[1], faces[0])] {
                let plane = self.plane_of(face as usize);
                let off_edge = self.hull.face(other as usize).corners().iter().find(|c| !edge.contains(c));
                let Some(&corner) = off_edge else { return Err(InvalidHull::NotConvex { faces }) };
                let point = self.hull.source_indices()[corner as usize];
                if self.exact.side_of_plane(plane, point) != Ordering::Less {
                    return Err(InvalidHull::NotConvex { faces });
                }
            }
        }
        Ok(())
    }

    fn plane_of(&self, face: usize) -> [u32; 3] {
        let corners = self.hull.face(face).corners();
        [corners[0], corners[1], corners[2]].map(|c| self.hull.source_indices()[c as usize])
    }

    /// Plain arithmetic rules faces out where its proven error bound allows it. The exact predicates decide the
    /// remaining faces.
    fn none_outside(&self) -> Result<(), InvalidHull> {
        let (min, max) =
            self.scaled.iter().fold((self.scaled[0], self.scaled[0]), |(min, max), &p| (min.min(p), max.max(p)));
        let origin = min * 0.5 + max * 0.5;
        let radius = (min - origin).abs().max((max - origin).abs()).max_element();
        let local: Vec<DVec3> = self.scaled.iter().map(|&p| p - origin).collect();
        let corners: Vec<[u32; 3]> = (0..self.hull.faces().len()).map(|face| self.plane_of(face)).collect();
        let through =
            |&[a, b, c]: &[u32; 3]| Plane::through(local[a as usize], local[b as usize], local[c as usize], radius);
        let planes = HalfSpaceTree::new(corners.iter().map(through).collect(), radius);
        self.all_points(|point| {
            let mut inside = true;
            planes.candidates(local[point as usize], |face| {
                inside = inside && self.exact.side_of_plane(corners[face as usize], point) != Ordering::Greater;
            });
            inside
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube_with_centers() -> Vec<DVec3> {
        let side = [0.0, 0.5, 1.0];
        side.into_iter().flat_map(|x| side.into_iter().flat_map(move |y| side.map(|z| DVec3::new(x, y, z)))).collect()
    }

    fn damaged(damage: impl Fn(&mut ConvexHull)) -> InvalidHull {
        let points = cube_with_centers();
        let mut hull = ConvexHull::from_points(&points).unwrap();
        hull.validate(&points).unwrap();
        damage(&mut hull);
        hull.validate(&points).unwrap_err()
    }

    #[test]
    fn every_defect_is_found() {
        assert!(matches!(damaged(|hull| hull.vertices[2].x += 0.1), InvalidHull::ForeignVertex { vertex: 2, .. }));
        assert!(matches!(damaged(|hull| hull.shape = HullShape::Polygon), InvalidHull::Counts { .. }));
        assert!(matches!(damaged(|hull| hull.edges.swap(0, 1)), InvalidHull::OpenEdge { .. }));
        assert!(matches!(damaged(|hull| hull.edge_faces[3].swap(0, 1)), InvalidHull::OpenEdge { .. }));
        assert!(matches!(damaged(|hull| hull.corners.swap(1, 3)), InvalidHull::Triangulation { .. }));
        assert!(matches!(damaged(|hull| hull.corners.swap(1, 2)), InvalidHull::BadFace { .. }));
        assert!(matches!(damaged(|hull| hull.triangles[5].reverse()), InvalidHull::Triangulation { .. }));
        let swapped = damaged(|hull| {
            hull.vertices.swap(0, 1);
            hull.source_indices.swap(0, 1);
        });
        assert!(matches!(swapped, InvalidHull::VertexOrder { vertex: 1 }));
    }

    #[test]
    fn the_hull_of_other_points_is_refused() {
        let points = cube_with_centers();
        let hull = ConvexHull::from_points(&points).unwrap();
        let mut more = points.clone();
        // The point lies one step of the last bit beyond the face x = 1.
        more.push(DVec3::new(1.0 + f64::EPSILON, 0.5, 0.5));
        assert_eq!(hull.validate(&more), Err(InvalidHull::Outside { point: points.len() }));
        // The points are mirrored, so all faces of the hull look inward.
        let mut mirrored = points;
        mirrored.iter_mut().for_each(|p| p.x = 1.0 - p.x);
        assert!(hull.validate(&mirrored).is_err());
        let flat = ConvexHull::from_points(&more[..9]).unwrap();
        assert_eq!((flat.shape(), flat.validate(&more)), (HullShape::Polygon, Err(InvalidHull::Outside { point: 9 })));
        let segment = ConvexHull::from_points(&more[..3]).unwrap();
        assert_eq!(
            (segment.shape(), segment.validate(&more)),
            (HullShape::Segment, Err(InvalidHull::Outside { point: 3 }))
        );
        let point = ConvexHull::from_points(&more[..1]).unwrap();
        assert_eq!(point.validate(&more), Err(InvalidHull::Outside { point: 1 }));
    }

    #[test]
    fn the_tree_calls_every_plane_that_a_plain_loop_calls() {
        let planes: Vec<Plane> = (0..500u32)
            .map(|i| {
                let corner =
                    |k: u32| DVec3::from([7, 11, 13].map(|m| f64::from((i * m * k + k * k) % 97) / 48.0 - 1.0));
                Plane::through(corner(1), corner(2), corner(3), 1.1)
            })
            .collect();
        let tree = HalfSpaceTree::new(planes.clone(), 1.1);
        for i in 0..200 {
            let point = DVec3::from([3, 5, 17].map(|m| f64::from((i * m) % 89) / 44.0 - 1.0));
            let mut called = Vec::new();
            tree.candidates(point, |plane| called.push(plane));
            called.sort_unstable();
            let plain = planes.iter().enumerate().filter(|(_, plane)| plane.may_be_above(plane.height(point)));
            assert_eq!(called, plain.map(|(index, _)| index as u32).collect::<Vec<_>>());
        }
    }
}
