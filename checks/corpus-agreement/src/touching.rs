//! Tests whether surfaces of triangles touch. The tests are exact except for the rounding of f64, and touching counts.

use glam::DVec3;

/// The three corners of a triangle.
pub type Triangle = [DVec3; 3];

/// Triangles in a tree of bounding boxes.
#[derive(Clone, Debug)]
pub struct Tree {
    triangles: Vec<Triangle>,
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    low: DVec3,
    high: DVec3,
    /// The node's triangles are those from `start` up to `end`.
    start: usize,
    end: usize,
    /// The indices of both children; 0 and 0 in a leaf.
    children: [usize; 2],
}

/// The largest number of triangles in a leaf.
const LEAF: usize = 4;

impl Tree {
    /// Sorts triangles into a tree by halving the longest side repeatedly.
    #[must_use]
    pub fn new(triangles: Vec<Triangle>) -> Self {
        let mut tree = Self { triangles, nodes: Vec::new() };
        if !tree.triangles.is_empty() {
            tree.grow(0, tree.triangles.len());
        }
        tree
    }

    /// All triangles, in the order of the tree.
    #[must_use]
    pub fn triangles(&self) -> &[Triangle] {
        &self.triangles
    }

    fn grow(&mut self, start: usize, end: usize) -> usize {
        let corners = self.triangles[start..end].as_flattened();
        let low = corners.iter().fold(DVec3::INFINITY, |low, &corner| low.min(corner));
        let high = corners.iter().fold(DVec3::NEG_INFINITY, |high, &corner| high.max(corner));
        let index = self.nodes.len();
        self.nodes.push(Node { low, high, start, end, children: [0, 0] });
        if end - start > LEAF {
            let axis = (high - low).max_position();
            let middle = usize::midpoint(start, end);
            let along = |[a, b, c]: &Triangle| a[axis] + b[axis] + c[axis];
            self.triangles[start..end]
                .select_nth_unstable_by(middle - start, |one, other| along(one).total_cmp(&along(other)));
            self.nodes[index].children = [self.grow(start, middle), self.grow(middle, end)];
        }
        index
    }

    /// Returns true if any triangle of one tree touches any triangle of the other.
    #[must_use]
    pub fn touches(&self, other: &Self) -> bool {
        if self.nodes.is_empty() || other.nodes.is_empty() {
            return false;
        }
        let mut pending = vec![(0, 0)];
        while let Some((here, there)) = pending.pop() {
            let (a, b) = (&self.nodes[here], &other.nodes[there]);
            if !(a.low.cmple(b.high).all() && b.low.cmple(a.high).all()) {
                continue;
            }
            let (a_leaf, b_leaf) = (a.children == [0, 0], b.children == [0, 0]);
            if a_leaf && b_leaf {
                let of_b = &other.triangles[b.start..b.end];
                if self.triangles[a.start..a.end].iter().any(|one| of_b.iter().any(|other| touch(one, other))) {
                    return true;
                }
            } else if b_leaf || (!a_leaf && a.end - a.start >= b.end - b.start) {
                pending.extend(a.children.map(|child| (child, there)));
            } else {
                pending.extend(b.children.map(|child| (here, child)));
            }
        }
        false
    }
}

/// Returns true if two triangles share a point, which means that no axis separates them.
///
/// The axes are the normals and the cross products of edges; for coplanar triangles the normals of edges within the
/// plane (Ericson, *Real-Time Collision Detection*, section 5.2.10); and for triangles that are only segments the edges
/// themselves.
#[must_use]
pub fn touch(a: &Triangle, b: &Triangle) -> bool {
    let edges = |[p, q, r]: &Triangle| [*q - *p, *r - *q, *p - *r];
    let (a_edges, b_edges) = (edges(a), edges(b));
    let separates = |axis: DVec3| {
        let range = |triangle: &Triangle| {
            let [p, q, r] = triangle.map(|corner| corner.dot(axis));
            (p.min(q).min(r), p.max(q).max(r))
        };
        let ((a_low, a_high), (b_low, b_high)) = (range(a), range(b));
        a_high < b_low || b_high < a_low
    };
    let (a_normal, b_normal) = (a_edges[0].cross(a_edges[1]), b_edges[0].cross(b_edges[1]));
    if separates(a_normal) || separates(b_normal) {
        return false;
    }
    let crossed = a_edges.iter().any(|a_edge| b_edges.iter().any(|b_edge| separates(a_edge.cross(*b_edge))));
    let across =
        |edge: &DVec3| separates(a_normal.cross(*edge)) || separates(b_normal.cross(*edge)) || separates(*edge);
    !crossed && !a_edges.iter().chain(&b_edges).any(across)
}
