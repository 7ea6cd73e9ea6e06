//! The part of the surface that belongs to one joint: corners, and the convex polygons between them.
//!
//! A corner is a point anywhere on a triangle. Linear blend skinning of a point is linear in the point's weights and
//! positions. So a corner keeps, for each binding that moves it, the weighted mean of mesh positions and the weight
//! ([`Term`]). The posed corner is the sum of `matrix * (point, weight)`, which is exact for every point of every
//! triangle. The terms of a corner between two other corners are the means of their terms.

use crate::skin::bound_mesh::{Binding, BoundPart};
use glam::{DAffine3, DVec3};

/// The contribution of one binding to a corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Term {
    /// The binding, an index into `BoundMesh::bindings`.
    pub(crate) binding: u32,
    /// The sum of barycentric coordinate * weight * mesh position over the triangle's vertices.
    pub(crate) point: DVec3,
    /// The sum of barycentric coordinate * weight over the triangle's vertices.
    pub(crate) weight: f64,
}

/// A corner of a patch: a vertex, or a point where a triangle was cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    /// The place of the corner in the space of the patch's joint, in the pose in which the mesh was bound.
    pub(crate) bind: DVec3,
    first_term: u32,
    terms: u32,
}

/// A part of the surface: convex polygons and their corners.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patch {
    pub(crate) corners: Vec<Corner>,
    terms: Vec<Term>,
    /// Corner indices of all polygons, one after the other.
    polygon_corners: Vec<u32>,
    /// `polygon_corners[polygon_ends[i - 1]..polygon_ends[i]]` are the corners of polygon `i`, in order around the
    /// polygon.
    polygon_ends: Vec<u32>,
}

impl Patch {
    /// Returns an empty patch with memory for as many elements as this patch holds.
    pub(crate) fn empty_of_same_size(&self) -> Self {
        Self {
            corners: Vec::with_capacity(self.corners.len()),
            terms: Vec::with_capacity(self.terms.len()),
            polygon_corners: Vec::with_capacity(self.polygon_corners.len()),
            polygon_ends: Vec::with_capacity(self.polygon_ends.len()),
        }
    }

    /// The terms of a corner, sorted by binding.
    pub(crate) fn terms(&self, corner: usize) -> &[Term] {
        let Corner { first_term, terms, .. } = self.corners[corner];
        &self.terms[first_term as usize..(first_term + terms) as usize]
    }

    /// The corner indices of each polygon.
    pub(crate) fn polygons(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.polygon_ends.len()).map(|index| {
            let start = if index == 0 { 0 } else { self.polygon_ends[index - 1] };
            &self.polygon_corners[start as usize..self.polygon_ends[index] as usize]
        })
    }

    /// Returns the bind positions of all corners.
    pub(crate) fn bind_points(&self) -> Vec<DVec3> {
        self.corners.iter().map(|corner| corner.bind).collect()
    }

    /// Returns each corner's share of the area of the polygons around it, as bound; equal shares if there is no polygon.
    pub(crate) fn corner_areas(&self) -> Vec<f64> {
        let mut areas = vec![0.0; self.corners.len()];
        for polygon in self.polygons() {
            let at = |index: usize| self.corners[polygon[index] as usize].bind;
            let across = (2..polygon.len()).map(|last| (at(last - 1) - at(0)).cross(at(last) - at(0)));
            let area = 0.5 * across.fold(DVec3::ZERO, |sum, one| sum + one).length();
            polygon.iter().for_each(|&corner| areas[corner as usize] += area / polygon.len() as f64);
        }
        if areas.iter().any(|area| *area > 0.0) { areas } else { vec![1.0; areas.len()] }
    }

    pub(crate) fn push_polygon(&mut self, corners: &[u32]) {
        self.polygon_corners.extend_from_slice(corners);
        self.polygon_ends.push(self.polygon_corners.len() as u32);
    }

    /// Adds the corner at barycentric coordinates on three vertices of a part. `joint_from_mesh` belongs to the owner.
    pub(crate) fn push_blend(
        &mut self,
        part: &BoundPart<'_>,
        vertices: [u32; 3],
        barycentric: [f64; 3],
        joint_from_mesh: &DAffine3,
    ) -> u32 {
        let first_term = self.terms.len();
        let mut bind = DVec3::ZERO;
        for (vertex, share) in vertices.into_iter().zip(barycentric).filter(|(_, share)| *share > 0.0) {
            let position = part.position(vertex as usize);
            bind += share * joint_from_mesh.transform_point3(position);
            for influence in part.influences(vertex as usize) {
                let weight = share * influence.weight;
                let binding = influence.binding as u32;
                self.add_term(first_term, Term { binding, point: weight * position, weight });
            }
        }
        self.finish_corner(bind, first_term)
    }

    /// Adds the corner at `share` of the way between two corners of another patch.
    pub(crate) fn push_between(&mut self, other: &Self, [a, b]: [u32; 2], share: f64) -> u32 {
        let first_term = self.terms.len();
        for (corner, share) in [(a, 1.0 - share), (b, share)] {
            for term in other.terms(corner as usize) {
                self.add_term(
                    first_term,
                    Term { binding: term.binding, point: share * term.point, weight: share * term.weight },
                );
            }
        }
        let [a, b] = [a, b].map(|corner| other.corners[corner as usize].bind);
        self.finish_corner((1.0 - share) * a + share * b, first_term)
    }

    /// Adds a copy of another patch's corner.
    pub(crate) fn push_copy(&mut self, other: &Self, corner: u32) -> u32 {
        let first_term = self.terms.len();
        self.terms.extend_from_slice(other.terms(corner as usize));
        self.finish_corner(other.corners[corner as usize].bind, first_term)
    }

    /// Adds all corners and polygons of another patch, and moves their bind positions by `moved`.
    pub(crate) fn append(&mut self, other: &Self, moved: &DAffine3) {
        let first = self.corners.len() as u32;
        for corner in 0..other.corners.len() as u32 {
            let copy = self.push_copy(other, corner);
            let bind = &mut self.corners[copy as usize].bind;
            *bind = moved.transform_point3(*bind);
        }
        for polygon in other.polygons() {
            let corners: Vec<u32> = polygon.iter().map(|corner| first + corner).collect();
            self.push_polygon(&corners);
        }
    }

    fn add_term(&mut self, first_term: usize, added: Term) {
        match self.terms[first_term..].iter_mut().find(|term| term.binding == added.binding) {
            Some(term) => {
                term.point += added.point;
                term.weight += added.weight;
            }
            None => self.terms.push(added),
        }
    }

    fn finish_corner(&mut self, bind: DVec3, first_term: usize) -> u32 {
        self.terms[first_term..].sort_by_key(|term| term.binding);
        let terms = (self.terms.len() - first_term) as u32;
        self.corners.push(Corner { bind, first_term: first_term as u32, terms });
        (self.corners.len() - 1) as u32
    }

    /// Returns `true` if only this joint moves the corner, so that the corner keeps its place in the joint's space in
    /// every pose.
    pub(crate) fn is_rigid(&self, corner: usize, joint: skeleton::JointIndex, bindings: &[Binding]) -> bool {
        self.terms(corner).iter().all(|term| bindings[term.binding as usize].joint == joint)
    }

    /// Returns the patch with all corners merged that are equal to the last bit, as at the seams of textures.
    pub(crate) fn deduplicated(&self) -> Self {
        let key = |corner: u32| {
            let terms = self.terms(corner as usize);
            let numbers = |term: &Term| {
                let [x, y, z] = term.point.to_array().map(f64::to_bits);
                [u64::from(term.binding), x, y, z, term.weight.to_bits()]
            };
            (self.corners[corner as usize].bind.to_array().map(f64::to_bits), terms.iter().map(numbers))
        };
        let order = |a: &u32, b: &u32| {
            let ((a_bind, a_terms), (b_bind, b_terms)) = (key(*a), key(*b));
            a_bind.cmp(&b_bind).then_with(|| a_terms.cmp(b_terms))
        };
        let mut sorted: Vec<u32> = (0..self.corners.len() as u32).collect();
        sorted.sort_by(|a, b| order(a, b).then(a.cmp(b)));
        // For each corner, the first corner that equals it. Equal corners get one number, in the order of first appearance.
        let mut first = vec![0; sorted.len()];
        for run in sorted.chunk_by(|a, b| order(a, b).is_eq()) {
            run.iter().for_each(|&corner| first[corner as usize] = run[0]);
        }
        let mut kept = Self { polygon_ends: self.polygon_ends.clone(), ..Self::default() };
        let mut number = vec![u32::MAX; first.len()];
        for corner in 0..first.len() as u32 {
            if first[corner as usize] == corner {
                number[corner as usize] = kept.push_copy(self, corner);
            }
        }
        kept.polygon_corners =
            self.polygon_corners.iter().map(|&corner| number[first[corner as usize] as usize]).collect();
        kept
    }
}
