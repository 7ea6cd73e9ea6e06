//! Finds the planes that may have a point above them, and rules out most of the others by the dozen.

use crate::plane::Plane;
use glam::DVec3;

/// Planes split by direction, each node with bounds that hold for all planes below it.
///
/// Only rules out; what it does not rule out is asked exactly.
pub(crate) struct HalfSpaceTree {
    nodes: Vec<Node>,
    /// Numbers of the planes; each leaf owns a range.
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
    /// The other child stands right behind this node; 0 in a leaf.
    second_child: u32,
}

const LEAF: usize = 8;

impl HalfSpaceTree {
    /// Planes of points in local coordinates of at most `radius` in size.
    pub(crate) fn new(planes: Vec<Plane>, radius: f64) -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            order: (0..planes.len() as u32).collect(),
            // Four sums of terms no larger than 2 * radius, for unit normals; with a wide margin.
            slack: 1e-14 * radius,
            planes,
        };
        tree.split(0, tree.planes.len());
        tree
    }

    /// Calls for each plane that the point may be on or above; planes not called have it strictly below.
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
                // No direction to rule anything out by.
                (node.lowest_normal, node.highest_normal) = (DVec3::splat(-1.0), DVec3::splat(1.0));
                node.lowest_offset = f64::NEG_INFINITY;
            }
        }
        node
    }
}

impl Node {
    /// The largest `normal · point` of any normal within the bounds.
    fn highest(&self, point: DVec3) -> f64 {
        let terms = (self.lowest_normal * point).max(self.highest_normal * point);
        terms.x + terms.y + terms.z
    }
}
