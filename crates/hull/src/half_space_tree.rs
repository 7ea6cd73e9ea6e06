//! Finds the planes that a point may be above, and rules out most of the other planes in groups.

use crate::plane::Plane;
use glam::DVec3;

/// A tree of planes, split by the direction of their normals. Each node has bounds that hold for all planes below it.
///
/// The tree only rules planes out. The caller tests every remaining plane with an exact predicate.
pub(crate) struct HalfSpaceTree {
    nodes: Vec<Node>,
    /// Indices into `planes`. Each leaf owns a range of this list.
    order: Vec<u32>,
    planes: Vec<Plane>,
    slack: f64,
}

struct Node {
    lowest_normal: DVec3,
    highest_normal: DVec3,
    lowest_offset: f64,
    first: u32,
    count: u32,
    /// The index of the second child, or 0 for a leaf. The first child follows its parent.
    second_child: u32,
}

const LEAF: usize = 8;

impl HalfSpaceTree {
    /// Builds the tree. The planes go through points in local coordinates, each coordinate at most `radius` in size.
    pub(crate) fn new(planes: Vec<Plane>, radius: f64) -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            order: (0..planes.len() as u32).collect(),
            // Each of the four sums has terms of at most 2 * radius, because the normals are unit vectors. The factor
            // has a wide margin.
            slack: 1e-14 * radius,
            planes,
        };
        tree.split(0, tree.planes.len());
        tree
    }

    /// Calls `each` for every plane that the point may be on or above. The point is strictly below all other planes.
    pub(crate) fn candidates(&self, point: DVec3, mut each: impl FnMut(u32)) {
        let mut node_index = 0;
        let mut stack = Vec::new();
        loop {
            let node = &self.nodes[node_index];
            if node.highest(point) > node.lowest_offset - self.slack {
                if node.second_child != 0 {
                    stack.push(node.second_child as usize);
                    node_index += 1;
                    continue;
                }
                let leaf = &self.order[node.first as usize..(node.first + node.count) as usize];
                for &plane in leaf {
                    let bounds = &self.planes[plane as usize];
                    if bounds.may_be_above(bounds.height(point)) {
                        each(plane);
                    }
                }
            }
            let Some(next) = stack.pop() else { return };
            node_index = next;
        }
    }

    fn split(&mut self, first: usize, count: usize) {
        let index = self.nodes.len();
        self.nodes.push(self.bounds(first, count));
        if count <= LEAF {
            return;
        }
        let spread = self.nodes[index].highest_normal - self.nodes[index].lowest_normal;
        let axis = if spread.x >= spread.y.max(spread.z) {
            0
        } else if spread.y >= spread.z {
            1
        } else {
            2
        };
        let planes = &self.planes;
        let key = |plane: u32| planes[plane as usize].unit().map_or(0.0, |(normal, _)| normal[axis]);
        let half = count / 2;
        self.order[first..first + count].select_nth_unstable_by(half, |&a, &b| key(a).total_cmp(&key(b)));
        self.split(first, half);
        self.nodes[index].second_child = self.nodes.len() as u32;
        self.split(first + half, count - half);
    }

    fn bounds(&self, first: usize, count: usize) -> Node {
        let mut node = Node {
            lowest_normal: DVec3::INFINITY,
            highest_normal: DVec3::NEG_INFINITY,
            lowest_offset: f64::INFINITY,
            first: first as u32,
            count: count as u32,
            second_child: 0,
        };
        for &plane in &self.order[first..first + count] {
            if let Some((normal, offset)) = self.planes[plane as usize].unit() {
                node.lowest_normal = node.lowest_normal.min(normal);
                node.highest_normal = node.highest_normal.max(normal);
                node.lowest_offset = node.lowest_offset.min(offset);
            } else {
                // A plane without a unit normal cannot be ruled out, so its bounds hold for every point.
                (node.lowest_normal, node.highest_normal) = (DVec3::splat(-1.0), DVec3::splat(1.0));
                node.lowest_offset = f64::NEG_INFINITY;
            }
        }
        node
    }
}

impl Node {
    /// The largest `normal · point` over all normals within the bounds.
    fn highest(&self, point: DVec3) -> f64 {
        let terms = (self.lowest_normal * point).max(self.highest_normal * point);
        terms.x + terms.y + terms.z
    }
}
