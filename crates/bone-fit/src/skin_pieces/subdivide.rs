//! The fragments of one triangle as polygons that share their corners, so that no gap opens between them.

use crate::assign::owner::CORNERS;
use crate::assign::surface::Fragment;
use crate::skin_pieces::edge_cuts::SAME_POINT;
use skeleton::JointIndex;
use std::collections::BTreeSet;

/// A triangle with the polygons into which it was divided.
#[derive(Debug)]
pub(crate) struct Subdivision {
    /// The nodes in barycentric coordinates: the three corners, the points on the edges in the order of
    /// [`Subdivision::boundary`], then points inside.
    pub(crate) nodes: Vec<[f64; 3]>,
    /// The nodes around the triangle, in the direction of its corners, as indices into `nodes`.
    pub(crate) boundary: Vec<usize>,
    /// The polygons, each with its owner and its corners as indices into `nodes`, in the direction of the triangle's
    /// corners.
    pub(crate) polygons: Vec<(JointIndex, Vec<usize>)>,
    /// `true` if the polygons follow the fragments. Otherwise rounding has torn the fragments apart, and one polygon
    /// holds the whole triangle; its owner is the joint with the largest share.
    pub(crate) follows_fragments: bool,
}

impl Subdivision {
    /// Divides a triangle. Corners of fragments that meet become the same node.
    ///
    /// `on_edges[e]` are the cuts of the edge from corner `e` to the next corner, as shares of the way, ascending. If
    /// `is_partition` is `true`, the fragments fill the triangle without overlap; otherwise each fragment is taken by
    /// itself.
    pub(crate) fn new(on_edges: &[Vec<f64>; 3], fragments: &[Fragment], is_partition: bool) -> Self {
        let mut nodes = CORNERS.to_vec();
        let mut boundary = Vec::new();
        for (edge, cuts) in on_edges.iter().enumerate() {
            boundary.push(edge);
            for &share in cuts {
                let mut node = [0.0; 3];
                node[edge] = 1.0 - share;
                node[(edge + 1) % 3] = share;
                boundary.push(nodes.len());
                nodes.push(node);
            }
        }
        let mut division = Self { nodes, boundary, polygons: Vec::new(), follows_fragments: true };
        let mut found: Vec<(JointIndex, Vec<usize>)> = Vec::new();
        for fragment in fragments {
            let polygon = fragment.corners.iter().map(|&point| division.node_at(point)).collect();
            found.push((fragment.joint, polygon));
        }
        for (joint, polygon) in found {
            let polygon = without_spikes(division.with_nodes_on_edges(&polygon));
            if polygon.len() >= 3 {
                division.polygons.push((joint, polygon));
            }
        }
        let is_sound = if is_partition { division.is_partition() } else { division.has_no_inner_nodes() };
        if !is_sound {
            division.follows_fragments = false;
            division.polygons =
                largest_owner(fragments).map(|joint| (joint, division.boundary.clone())).into_iter().collect();
        }
        division
    }

    /// Returns the node at a point. Adds a node if none is at the point.
    fn node_at(&mut self, point: [f64; 3]) -> usize {
        let distance = |node: &[f64; 3]| (0..3).map(|axis| (node[axis] - point[axis]).abs()).fold(0.0, f64::max);
        let nearest = self.nodes.iter().map(distance).enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        match nearest {
            Some((node, distance)) if distance <= SAME_POINT => node,
            _ => {
                self.nodes.push(point);
                self.nodes.len() - 1
            }
        }
    }

    /// Returns the polygon with all nodes that lie on its edges.
    fn with_nodes_on_edges(&self, polygon: &[usize]) -> Vec<usize> {
        let mut all = Vec::with_capacity(polygon.len() + 2);
        for (index, &from) in polygon.iter().enumerate() {
            let to = polygon[(index + 1) % polygon.len()];
            all.push(from);
            if from == to {
                continue;
            }
            let between = (0..self.nodes.len()).filter(|&node| node != from && node != to);
            let mut between: Vec<(f64, usize)> =
                between.filter_map(|node| Some((self.place_on_segment(node, from, to)?, node))).collect();
            between.sort_by(|a, b| a.0.total_cmp(&b.0));
            all.extend(between.into_iter().map(|(_, node)| node));
        }
        all
    }

    /// Returns the place of a node along a segment, as a share from 0 to 1; `None` if the node does not lie on the
    /// segment.
    fn place_on_segment(&self, node: usize, from: usize, to: usize) -> Option<f64> {
        let [node, from, to] = [node, from, to].map(|node| self.point(node));
        let (along, toward) = ([to[0] - from[0], to[1] - from[1]], [node[0] - from[0], node[1] - from[1]]);
        let length = along[0] * along[0] + along[1] * along[1];
        let place = (along[0] * toward[0] + along[1] * toward[1]) / length;
        let across = (along[0] * toward[1] - along[1] * toward[0]).abs() / length.sqrt();
        (place > 0.0 && place < 1.0 && across <= SAME_POINT).then_some(place)
    }

    /// Returns the place of a node in the plane.
    pub(crate) fn point(&self, node: usize) -> [f64; 2] {
        [self.nodes[node][1], self.nodes[node][2]]
    }

    /// Returns `true` if the polygons fill the triangle without gap and overlap: every edge of a polygon lies on the
    /// triangle's boundary, or is also an edge of another polygon in the opposite direction.
    fn is_partition(&self) -> bool {
        let mut edges = BTreeSet::new();
        let around = |polygon: &[usize]| -> Vec<(usize, usize)> {
            (0..polygon.len()).map(|index| (polygon[index], polygon[(index + 1) % polygon.len()])).collect()
        };
        let is_once = |edge: &(usize, usize)| edges.insert(*edge);
        if !self.polygons.iter().flat_map(|(_, polygon)| around(polygon)).collect::<Vec<_>>().iter().all(is_once) {
            return false;
        }
        let boundary: BTreeSet<(usize, usize)> = around(&self.boundary).into_iter().collect();
        boundary.is_subset(&edges)
            && edges.iter().all(|&(from, to)| edges.contains(&(to, from)) != boundary.contains(&(from, to)))
    }

    fn has_no_inner_nodes(&self) -> bool {
        self.nodes.len() == self.boundary.len()
    }
}

/// Returns a polygon without repeated corners and without spikes. A spike is a corner whose two neighbors are the same
/// node.
fn without_spikes(mut polygon: Vec<usize>) -> Vec<usize> {
    loop {
        let count = polygon.len();
        if count < 3 {
            return polygon;
        }
        let is_repeated = |index: usize| polygon[index] == polygon[(index + 1) % count];
        let is_spike = |index: usize| polygon[(index + count - 1) % count] == polygon[(index + 1) % count];
        let Some(index) = (0..count).find(|&index| is_repeated(index) || is_spike(index)) else { return polygon };
        polygon.remove(index);
    }
}

/// Returns the joint with the largest share of the triangle; of several equal shares, the joint whose share comes
/// first.
fn largest_owner(fragments: &[Fragment]) -> Option<JointIndex> {
    let mut shares: Vec<(JointIndex, f64)> = Vec::new();
    for fragment in fragments {
        let area = crate::assign::surface::area(&fragment.corners);
        match shares.iter_mut().find(|(joint, _)| *joint == fragment.joint) {
            Some((_, share)) => *share += area,
            None => shares.push((fragment.joint, area)),
        }
    }
    let most = shares.iter().map(|(_, share)| *share).fold(0.0, f64::max);
    shares.into_iter().find(|(_, share)| *share >= most).map(|(joint, _)| joint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fragment(joint: u16, corners: &[[f64; 3]]) -> Fragment {
        Fragment { joint: JointIndex(joint), corners: corners.to_vec() }
    }

    /// Three joints meet at the center. Each fragment has the center with another rounding error.
    #[test]
    fn fragments_share_the_point_where_they_meet() {
        let third = 1.0 / 3.0;
        let middle = |a: usize, b: usize| {
            let mut point = [0.0; 3];
            (point[a], point[b]) = (0.5, 0.5);
            point
        };
        let center = |error: f64| [third + error, third - error, third];
        let fragments = [
            fragment(0, &[CORNERS[0], middle(0, 1), center(1e-15), middle(0, 2)]),
            fragment(1, &[CORNERS[1], middle(1, 2), center(-1e-15), middle(0, 1)]),
            fragment(2, &[CORNERS[2], middle(0, 2), center(0.0), middle(1, 2)]),
        ];
        let division = Subdivision::new(&[vec![0.5], vec![0.5], vec![0.5]], &fragments, true);
        assert!(division.follows_fragments);
        assert_eq!((division.nodes.len(), division.boundary.as_slice()), (7, [0, 3, 1, 4, 2, 5].as_slice()));
        assert_eq!(division.polygons[1], (JointIndex(1), vec![1, 4, 6, 3]));
    }

    /// A cut that only one of two fragments has becomes a corner of both fragments.
    #[test]
    fn a_corner_on_the_edge_of_another_fragment_is_inserted() {
        let (near, far) = ([0.5, 0.5, 0.0], [0.5, 0.0, 0.5]);
        let inside = [0.5, 0.25, 0.25];
        let fragments = [
            fragment(0, &[CORNERS[0], near, far]),
            fragment(1, &[CORNERS[1], inside, near]),
            fragment(2, &[CORNERS[1], CORNERS[2], far, inside]),
        ];
        let division = Subdivision::new(&[vec![0.5], vec![], vec![0.5]], &fragments, true);
        assert!(division.follows_fragments);
        assert_eq!(division.polygons[0].1, [0, 3, 5, 4]);
    }

    /// Fragments with a gap between them would open the surface.
    #[test]
    fn torn_fragments_give_the_triangle_to_the_largest() {
        let fragments = [
            fragment(0, &[CORNERS[0], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5]]),
            fragment(1, &[CORNERS[1], CORNERS[2], [0.4, 0.0, 0.6], [0.4, 0.6, 0.0]]),
        ];
        let division = Subdivision::new(&[vec![0.5], vec![], vec![0.5]], &fragments, true);
        assert!(!division.follows_fragments);
        assert_eq!(division.polygons, [(JointIndex(1), vec![0, 3, 1, 2, 4])]);
    }
}
