//! Divides the triangles of the surface between the joints that own them.

use crate::assign::owner::Ownership;
use crate::assign::surface::{Fragment, canonical_corners, fragments};
use crate::options::Group;
use crate::skin::bound_mesh::BoundMesh;
use crate::skin_pieces::edge_cuts::{changes_of_leader, crossing_of_level};
use crate::skin_pieces::subdivide::Subdivision;
use crate::skin_pieces::targets::Targets;
use crate::skin_pieces::triangulate::triangulate;
use crate::skin_pieces::welded::{NO_VERTEX, WeldedSurface};
use skeleton::JointIndex;
use std::collections::HashMap;

/// A corner of a piece's triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Corner {
    /// A vertex, an index into [`WeldedSurface::vertices`].
    Vertex(u32),
    /// A cut, an index into [`DividedSurface::cuts`].
    Cut(u32),
}

/// A point that is a blend of vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cut {
    /// The welded vertices, ascending. A cut on an edge names the edge's second vertex twice, the second time with the
    /// weight 0.
    pub(crate) corners: [u32; 3],
    /// The shares of the vertices, from 0 to 1; they sum to 1.
    pub(crate) weights: [f64; 3],
}

/// A triangle of a piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PieceTriangle {
    /// The source triangle that this triangle is, or is a part of.
    pub(crate) source: u32,
    /// The corners, in the direction of the source triangle.
    pub(crate) corners: [Corner; 3],
    /// The welded corners of the source triangle, if this triangle is only a part of it.
    pub(crate) part_of: Option<[u32; 3]>,
}

/// The triangles of all pieces.
#[derive(Debug)]
pub(crate) struct DividedSurface {
    pub(crate) cuts: Vec<Cut>,
    /// `by_joint[joint]` are the triangles of the joint's piece, in the order of the source.
    pub(crate) by_joint: Vec<Vec<PieceTriangle>>,
    /// The number of source triangles that have no part in any piece, because a corner has no weights or the joints of
    /// its weights get no hitboxes.
    pub(crate) left_out: u32,
    /// The number of source triangles that were divided between pieces.
    pub(crate) divided: u32,
    /// The number of triangles that were given to one joint because rounding had torn their fragments apart.
    pub(crate) torn: u32,
}

/// A cut of an edge.
#[derive(Clone, Copy, Debug)]
struct EdgeCut {
    /// The cut, an index into [`DividedSurface::cuts`].
    cut: u32,
    /// The share of the way from the edge's first vertex to its second vertex, 0 to 1.
    place: f64,
    /// `true` if two pieces meet at the cut. Borders between joints whose surface goes to the same piece are not cut.
    is_border: bool,
}

/// Two welded vertices, ascending, and the joint that the cuts are for. The joint is `None` unless every joint has cuts
/// of its own.
type EdgeKey = (u32, u32, Option<JointIndex>);

/// A triangle of the source, its corners in the order of [`canonical_corners`].
#[derive(Clone, Copy)]
struct SourceTriangle {
    part: usize,
    number: u32,
    vertices: [u32; 3],
    welded: [u32; 3],
    /// The welded corners in the source's order.
    in_source_order: [u32; 3],
}

impl SourceTriangle {
    /// Returns the corners of edge `edge`, ascending, and `true` if the second of them comes first in the triangle.
    fn edge(&self, edge: usize) -> (u32, u32, bool) {
        let (from, to) = (self.welded[edge], self.welded[(edge + 1) % 3]);
        if from <= to { (from, to, false) } else { (to, from, true) }
    }

    /// Returns `true` if the canonical order of the corners goes around the triangle in the opposite direction.
    fn is_mirrored(&self) -> bool {
        let [a, b, c] = self.in_source_order;
        ![[a, b, c], [b, c, a], [c, a, b]].contains(&self.welded)
    }
}

/// Divides the surface by the rule of ownership.
pub(crate) struct Divider<'a> {
    mesh: &'a BoundMesh<'a>,
    welded: &'a WeldedSurface,
    targets: &'a Targets,
    rule: Ownership,
    edges: HashMap<EdgeKey, Vec<EdgeCut>>,
    /// Triangles that one piece has whole, with the joint of the piece. The cuts of their edges are only complete at
    /// the end.
    whole: Vec<(SourceTriangle, JointIndex)>,
    out: DividedSurface,
}

impl<'a> Divider<'a> {
    pub(crate) fn new(
        mesh: &'a BoundMesh<'a>,
        welded: &'a WeldedSurface,
        targets: &'a Targets,
        rule: Ownership,
    ) -> Self {
        let by_joint = vec![Vec::new(); mesh.skeleton.len()];
        let out = DividedSurface { cuts: Vec::new(), by_joint, left_out: 0, divided: 0, torn: 0 };
        Self { mesh, welded, targets, rule, edges: HashMap::new(), whole: Vec::new(), out }
    }

    pub(crate) fn divide(mut self) -> DividedSurface {
        let mut number = 0;
        let mut found = Vec::new();
        for (part, bound) in self.mesh.parts.iter().enumerate() {
            for &triangle in bound.triangles {
                let weld = |vertex: u32| self.welded.numbers[part][vertex as usize];
                let vertices = canonical_corners(bound, triangle);
                let (welded, in_source_order) = (vertices.map(weld), triangle.map(weld));
                self.add(SourceTriangle { part, number, vertices, welded, in_source_order }, &mut found);
                number += 1;
            }
        }
        self.share_borders();
        for (triangle, joint) in std::mem::take(&mut self.whole) {
            self.add_whole(&triangle, joint);
        }
        for triangles in &mut self.out.by_joint {
            triangles.sort_by_key(|triangle| triangle.source);
        }
        self.out
    }

    /// Edges that differ only in the offsets of morph targets lie at the same place in the base shape, for example where closed
    /// lips meet. So that no gap opens between them there, a border on one of them is a border on all.
    fn share_borders(&mut self) {
        if self.welded.vertices.iter().all(|vertex| vertex.offsets.is_empty()) {
            return;
        }
        let first = self.welded.same_without_offsets();
        let place = |&(a, b, own): &EdgeKey| (first[a as usize], first[b as usize], own);
        // The order of the edges has no effect: a border stays a border.
        let mut borders: HashMap<EdgeKey, Vec<bool>> = HashMap::new();
        self.edges.iter().for_each(|(edge, cuts)| {
            let borders = borders.entry(place(edge)).or_insert_with(|| vec![false; cuts.len()]);
            borders.iter_mut().zip(cuts).for_each(|(border, cut)| *border |= cut.is_border);
        });
        self.edges.iter_mut().for_each(|(edge, cuts)| {
            cuts.iter_mut().zip(&borders[&place(edge)]).for_each(|(cut, border)| cut.is_border = *border);
        });
    }

    fn add(&mut self, triangle: SourceTriangle, found: &mut Vec<Fragment>) {
        if triangle.welded.contains(&NO_VERTEX) {
            self.out.left_out += 1;
            return;
        }
        let [only, second, third] = triangle.welded.map(|vertex| self.welded.only_joint(vertex));
        if let Some(only) = only.filter(|_| only == second && only == third) {
            match self.targets.of_joint(only) {
                Some(target) => self.whole.push((triangle, target)),
                None => self.out.left_out += 1,
            }
            return;
        }
        fragments(self.mesh, &self.mesh.parts[triangle.part], triangle.vertices, self.rule, found);
        match self.rule.group {
            Group::Dominant => self.add_shared_out(&triangle, found),
            Group::Threshold | Group::Any => self.add_overlapping(&triangle, found),
        }
    }

    /// Divides a triangle between its owners. The fragments do not overlap.
    fn add_shared_out(&mut self, triangle: &SourceTriangle, found: &[Fragment]) {
        let on_edges = [0, 1, 2].map(|edge| self.places_on_edge(triangle, edge, None));
        let division = Subdivision::new(&on_edges, found, true);
        self.out.torn += u32::from(!division.follows_fragments);
        let target = |polygon: &(JointIndex, Vec<usize>)| self.targets.of_joint(polygon.0);
        let first = division.polygons.first().and_then(target);
        if division.polygons.iter().all(|polygon| target(polygon) == first) {
            match first {
                Some(target) => self.whole.push((*triangle, target)),
                None => self.out.left_out += 1,
            }
            return;
        }
        for edge in 0..3 {
            let (a, b, _) = triangle.edge(edge);
            let cuts = self.edges.get_mut(&(a, b, None));
            cuts.into_iter().flatten().for_each(|cut| cut.is_border = true);
        }
        self.out.divided += 1;
        self.add_polygons(triangle, &division, None);
    }

    /// Gives every owner its fragment of a triangle; fragments overlap, and parts of the triangle may have no owner.
    fn add_overlapping(&mut self, triangle: &SourceTriangle, found: &[Fragment]) {
        let mut has_owner = false;
        let mut is_divided = false;
        for fragment in found {
            let Some(target) = self.targets.of_joint(fragment.joint) else { continue };
            has_owner = true;
            let own = Some(fragment.joint);
            let on_edges = [0, 1, 2].map(|edge| self.places_on_edge(triangle, edge, own));
            let division = Subdivision::new(&on_edges, std::slice::from_ref(fragment), false);
            self.out.torn += u32::from(!division.follows_fragments);
            if on_edges.iter().all(Vec::is_empty) {
                self.whole.push((*triangle, target));
            } else {
                is_divided = true;
                self.add_polygons(triangle, &division, own);
            }
        }
        self.out.left_out += u32::from(!has_owner);
        self.out.divided += u32::from(is_divided);
    }

    /// Returns the cuts of one of the triangle's edges, in the direction of the triangle, as shares of the way.
    fn places_on_edge(&mut self, triangle: &SourceTriangle, edge: usize, own: Option<JointIndex>) -> Vec<f64> {
        let (a, b, is_reversed) = triangle.edge(edge);
        let cuts = match self.edges.get(&(a, b, own)) {
            Some(cuts) => cuts,
            None => {
                let [at_a, at_b] = [a, b].map(|vertex| self.welded.joint_shares(vertex));
                let places = match own {
                    None => changes_of_leader(&at_a, &at_b),
                    Some(joint) => crossing_of_level(&at_a, &at_b, joint, self.rule.least_share),
                };
                let mut cuts = Vec::with_capacity(places.len());
                for place in places {
                    let cut = self.out.cuts.len() as u32;
                    self.out.cuts.push(Cut { corners: [a, b, b], weights: [1.0 - place, place, 0.0] });
                    cuts.push(EdgeCut { cut, place, is_border: false });
                }
                self.edges.entry((a, b, own)).or_insert(cuts)
            }
        };
        let mut places: Vec<f64> = cuts.iter().map(|cut| cut.place).collect();
        if is_reversed {
            places.reverse();
            places.iter_mut().for_each(|place| *place = 1.0 - *place);
        }
        places
    }

    /// Returns the edge cuts of a triangle, in the order of [`Subdivision::boundary`].
    fn cuts_around(&self, triangle: &SourceTriangle, own: Option<JointIndex>) -> [Vec<EdgeCut>; 3] {
        [0, 1, 2].map(|edge| {
            let (a, b, is_reversed) = triangle.edge(edge);
            let mut cuts = self.edges.get(&(a, b, own)).cloned().unwrap_or_default();
            if is_reversed {
                cuts.reverse();
                cuts.iter_mut().for_each(|cut| cut.place = 1.0 - cut.place);
            }
            cuts
        })
    }

    fn add_polygons(&mut self, triangle: &SourceTriangle, division: &Subdivision, own: Option<JointIndex>) {
        let mut corners: Vec<Corner> = triangle.welded.map(Corner::Vertex).into();
        corners.extend(self.cuts_around(triangle, own).iter().flatten().map(|cut| Corner::Cut(cut.cut)));
        for &node in &division.nodes[corners.len()..] {
            corners.push(Corner::Cut(self.out.cuts.len() as u32));
            self.out.cuts.push(inner_cut(triangle, node));
        }
        for (joint, polygon) in &division.polygons {
            if let Some(target) = self.targets.of_joint(*joint) {
                self.add_polygon(triangle, division, polygon, &corners, target);
            }
        }
    }

    fn add_polygon(
        &mut self,
        triangle: &SourceTriangle,
        division: &Subdivision,
        polygon: &[usize],
        corners: &[Corner],
        target: JointIndex,
    ) {
        let points: Vec<[f64; 2]> = polygon.iter().map(|&node| division.point(node)).collect();
        for mut part in triangulate(&points) {
            if triangle.is_mirrored() {
                part.swap(1, 2);
            }
            let corners = part.map(|index| corners[polygon[index]]);
            let part_of = Some(triangle.in_source_order);
            let part = PieceTriangle { source: triangle.number, corners, part_of };
            self.out.by_joint[target.index()].push(part);
        }
    }

    /// Adds a triangle that one piece has whole. Borders in neighboring triangles add corners on its edges.
    fn add_whole(&mut self, triangle: &SourceTriangle, joint: JointIndex) {
        let mut around = self.cuts_around(triangle, None);
        around.iter_mut().for_each(|cuts| cuts.retain(|cut| cut.is_border));
        if around.iter().all(Vec::is_empty) {
            let corners = triangle.in_source_order.map(Corner::Vertex);
            self.out.by_joint[joint.index()].push(PieceTriangle { source: triangle.number, corners, part_of: None });
            return;
        }
        let places = [0, 1, 2].map(|edge| around[edge].iter().map(|cut| cut.place).collect::<Vec<_>>());
        let division = Subdivision::new(&places, &[], false);
        let mut corners: Vec<Corner> = triangle.welded.map(Corner::Vertex).into();
        corners.extend(around.iter().flatten().map(|cut| Corner::Cut(cut.cut)));
        self.add_polygon(triangle, &division, &division.boundary, &corners, joint);
    }
}

fn inner_cut(triangle: &SourceTriangle, node: [f64; 3]) -> Cut {
    let mut shares = [0, 1, 2].map(|corner| (triangle.welded[corner], node[corner]));
    shares.sort_by_key(|(vertex, _)| *vertex);
    Cut { corners: shares.map(|(vertex, _)| vertex), weights: shares.map(|(_, share)| share) }
}
