//! Makes one joint's piece: numbers and sorts its vertices, cuts and triangles.

use crate::skin_pieces::attributes::SourceAttributes;
use crate::skin_pieces::chunks::Chunks;
use crate::skin_pieces::divide::{Corner, Cut, PieceTriangle};
use crate::skin_pieces::rounding::StoredSurface;
use baked_format::{CutTriangle, SkinCut, SkinPiece};
use glam::DVec3;
use skeleton::JointIndex;
use std::collections::HashMap;

/// The cuts and vertices that pieces are made from.
pub(crate) struct PieceMaker<'a> {
    pub(crate) cuts: &'a [Cut],
    pub(crate) stored: &'a StoredSurface,
    /// The place of each welded vertex in the rest pose, in model space.
    pub(crate) at_rest: &'a [DVec3],
    /// The attributes to store; `None` for `skin_attributes = "none"`.
    pub(crate) attributes: Option<SourceAttributes<'a>>,
}

/// Welded vertices or cuts in the order of their first use.
#[derive(Default)]
struct FirstUse {
    list: Vec<u32>,
    numbers: HashMap<u32, u32>,
}

impl FirstUse {
    /// Adds an item. Returns `true` if the item is new.
    fn add(&mut self, item: u32) -> bool {
        let next = self.list.len() as u32;
        let is_new = *self.numbers.entry(item).or_insert(next) == next;
        if is_new {
            self.list.push(item);
        }
        is_new
    }
}

impl PieceMaker<'_> {
    /// Makes the piece of a joint, and lists the welded vertex of each of its vertices. `triangles` are in the order of the
    /// source and not empty.
    pub(crate) fn make(&self, joint: JointIndex, triangles: &[PieceTriangle]) -> (SkinPiece, Vec<u32>) {
        let centers: Vec<DVec3> = triangles.iter().map(|triangle| self.center(triangle)).collect();
        let chunks = Chunks::new(&centers);
        let ordered: Vec<&PieceTriangle> = chunks.order.iter().map(|&index| &triangles[index as usize]).collect();
        let (vertices, cuts) = self.used(&ordered);
        let vertex_numbers = self.numbered_by_influences(&vertices);
        let vertex_number = |vertex: u32| vertex_numbers[&vertex];
        let number = |corner: Corner| match corner {
            Corner::Vertex(vertex) => vertex_number(vertex),
            Corner::Cut(cut) => vertices.list.len() as u32 + cuts.numbers[&cut],
        };
        let mut piece = SkinPiece {
            joint,
            positions: Vec::with_capacity(vertices.list.len()),
            influence_counts: Vec::new(),
            influences: Vec::new(),
            weights: Vec::new(),
            cuts: Vec::with_capacity(cuts.list.len()),
            triangles: ordered.iter().map(|triangle| triangle.corners.map(number)).collect(),
            chunk_ends: chunks.ends,
            source_triangles: ordered.iter().map(|triangle| triangle.source).collect(),
            cut_triangles: Vec::new(),
            attributes: Vec::new(),
            attribute_corners: Vec::new(),
        };
        let mut in_order = vertices.list.clone();
        in_order.sort_by_key(|&vertex| vertex_number(vertex));
        for &vertex in &in_order {
            let stored = &self.stored.vertices[vertex as usize];
            let count = stored.influences.len();
            piece.influence_counts.resize(piece.influence_counts.len().max(count), 0);
            piece.influence_counts[count - 1] += 1;
            piece.positions.push(stored.position);
            piece.influences.extend(stored.influences.iter().map(|(binding, _)| *binding));
            piece.weights.extend(stored.influences.iter().map(|(_, weight)| *weight));
        }
        for &cut in &cuts.list {
            let corners = self.cuts[cut as usize].corners.map(vertex_number);
            piece.cuts.push(SkinCut::new(corners, self.stored.cut_weights[cut as usize]));
        }
        let parts = triangles.iter().filter_map(|triangle| Some((triangle.source, triangle.part_of?)));
        piece.cut_triangles = parts
            .map(|(source_triangle, corners)| CutTriangle { source_triangle, corners: corners.map(vertex_number) })
            .collect();
        piece.cut_triangles.dedup_by_key(|cut| cut.source_triangle);
        self.attributes.iter().for_each(|attributes| attributes.add_to(&mut piece));
        (piece, in_order)
    }

    fn center(&self, triangle: &PieceTriangle) -> DVec3 {
        let vertex = |vertex: u32| self.at_rest[vertex as usize];
        let place = |corner: Corner| match corner {
            Corner::Vertex(number) => vertex(number),
            Corner::Cut(cut) => {
                let Cut { corners: [a, b, c], weights: [x, y, z] } = self.cuts[cut as usize];
                vertex(a) * x + vertex(b) * y + vertex(c) * z
            }
        };
        let [a, b, c] = triangle.corners.map(place);
        (a + b + c) / 3.0
    }

    /// Returns the welded vertices and the cuts of these triangles. The vertices include those that the cuts are made
    /// from.
    fn used(&self, triangles: &[&PieceTriangle]) -> (FirstUse, FirstUse) {
        let (mut vertices, mut cuts) = (FirstUse::default(), FirstUse::default());
        for triangle in triangles {
            for corner in triangle.corners {
                match corner {
                    Corner::Vertex(vertex) => {
                        vertices.add(vertex);
                    }
                    Corner::Cut(cut) => {
                        if cuts.add(cut) {
                            self.cuts[cut as usize].corners.into_iter().for_each(|vertex| {
                                vertices.add(vertex);
                            });
                        }
                    }
                }
            }
            triangle.part_of.into_iter().flatten().for_each(|vertex| {
                vertices.add(vertex);
            });
        }
        (vertices, cuts)
    }

    /// Returns the number of each vertex in the piece. Vertices are sorted by number of influences, then by bindings,
    /// then by first use.
    fn numbered_by_influences(&self, vertices: &FirstUse) -> HashMap<u32, u32> {
        let mut sorted = vertices.list.clone();
        let bindings =
            |vertex: u32| self.stored.vertices[vertex as usize].influences.iter().map(|(binding, _)| *binding);
        let count = |vertex: u32| self.stored.vertices[vertex as usize].influences.len();
        sorted.sort_by(|&a, &b| count(a).cmp(&count(b)).then_with(|| bindings(a).cmp(bindings(b))));
        sorted.into_iter().zip(0..).collect()
    }
}
