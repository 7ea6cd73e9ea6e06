//! Finds what carries each mesh without a skin: the nodes that carry attachments, and the meshes that no node carries.
//!
//! | where the mesh's node is | what carries the mesh |
//! |---|---|
//! | at or below a skin's joint | the nearest node, at or above the mesh's node, that is a skin's joint, or that is below a skin's joint and moved by a clip |
//! | at a node above a skin's joint | that node |
//! | below the parent of a skin's joint, or below a node above skin joints that a clip moves | its own node: a turret beside the joints of a tank's body |
//! | anywhere else: scenery | nothing; the mesh is left out with a warning |
//!
//! Every node that carries a mesh becomes a joint of the skeleton, with the nodes above it.

#[cfg(test)]
mod tests;

use crate::character::several::Whose;
use crate::document::Document;
use crate::warnings::Warnings;
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;

/// The number of meshes that the warning about left-out meshes names.
const MOST_NAMED: usize = 8;

/// The nodes that carry the meshes without a skin.
pub(crate) struct RigidMeshes {
    /// For each node, the node that carries its mesh. `None` if the node has no mesh or a skinned mesh, or if nothing
    /// carries its mesh.
    pub(crate) carrier: Vec<Option<u32>>,
    /// The nodes whose meshes nothing carries, in ascending order.
    pub(crate) left_out: Vec<u32>,
}

/// The nodes, in the form that [`RigidMeshes::find`] needs; each slice has one entry per node.
pub(crate) struct Nodes<'a> {
    /// All nodes, parents before children.
    pub(crate) order: &'a [u32],
    pub(crate) parent: &'a [Option<u32>],
    /// `true` if a skin names the node as a joint.
    pub(crate) skinned: &'a [bool],
    /// Meshes of other characters are ignored, and meshes of no character are left out.
    pub(crate) whose: &'a [Whose],
    /// `true` if a skin's joint is at or below the node.
    pub(crate) above_skinned: &'a [bool],
    /// `true` if a clip moves the node.
    pub(crate) animated: &'a [bool],
}

/// The motion of a mesh on a node, which depends on the nodes above it.
#[derive(Clone, Copy)]
enum Movement {
    /// This node carries the mesh. It is a skin's joint, or a clip moves it and it is below a skin's joint.
    Carried(u32),
    /// The mesh moves with the whole character, so its own node carries it.
    WithCharacter,
    /// Nothing says that the mesh belongs to the character.
    Nothing,
}

impl RigidMeshes {
    /// Finds the node that carries the mesh of each node that has a mesh without a skin. It ignores nodes for which
    /// `is_ignored` returns `true` when it receives their `extras`.
    pub(crate) fn find(document: &Document, nodes: &Nodes<'_>, is_ignored: &dyn Fn(&str) -> bool) -> Self {
        let count = document.nodes.0.len();
        let mut parent_of_skinned = vec![false; count];
        for node in (0..count).filter(|&node| nodes.skinned[node]) {
            if let Some(above) = nodes.parent[node] {
                parent_of_skinned[above as usize] = true;
            }
        }
        let mut movement = vec![Movement::Nothing; count];
        let mut found = Self { carrier: vec![None; count], left_out: Vec::new() };
        for &number in nodes.order {
            let node = number as usize;
            let above = nodes.parent[node].map_or(Movement::Nothing, |above| movement[above as usize]);
            let moves_character = nodes.above_skinned[node] && (nodes.animated[node] || parent_of_skinned[node]);
            movement[node] = match above {
                _ if nodes.skinned[node] => Movement::Carried(number),
                Movement::Carried(_) if nodes.animated[node] => Movement::Carried(number),
                Movement::Nothing if moves_character => Movement::WithCharacter,
                _ => above,
            };
            let what = &document.nodes.0[node];
            if nodes.whose[node] == Whose::Other {
                continue;
            }
            if what.mesh.is_none() || what.skin.is_some() || what.extras.as_deref().is_some_and(is_ignored) {
                continue;
            }
            match movement[node] {
                _ if nodes.whose[node] == Whose::Nobody => found.left_out.push(number),
                Movement::Carried(carrier) => found.carrier[node] = Some(carrier),
                Movement::WithCharacter => found.carrier[node] = Some(number),
                Movement::Nothing if nodes.above_skinned[node] => found.carrier[node] = Some(number),
                Movement::Nothing => found.left_out.push(number),
            }
        }
        found.left_out.sort_unstable();
        found
    }

    /// Adds a warning with the number of meshes that nothing carries, their size and their names. Meshes without
    /// triangles do not count.
    pub(crate) fn warn_of_left_out(&self, document: &Document, warnings: &mut Warnings) {
        let sized = self.left_out.iter().map(|&node| (node, vertices(document, node)));
        let missed: Vec<(u32, u64)> = sized.filter(|&(_, vertices)| vertices > 0).collect();
        if missed.is_empty() {
            return;
        }
        let vertices = missed.iter().fold(0u64, |sum, (_, vertices)| sum.saturating_add(*vertices));
        let named: Vec<String> =
            missed.iter().take(MOST_NAMED).map(|&(node, _)| document.node_place(node as usize)).collect();
        let more = missed.len() - named.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let (subject, object) = match missed.len() {
            1 => ("1 mesh without a skin is".to_owned(), "it"),
            count => (format!("{count} meshes without a skin are"), "them"),
        };
        let text = format!(
            "{subject} left out ({vertices} vertices), because no joint moves {object}: {}{more}. To give a mesh a hitbox, \
             make its node a child of a joint",
            named.join(", ")
        );
        warnings.add("left-out-meshes", None, text);
    }
}

/// The number of vertices in a node's primitives of triangles, as the file states it.
fn vertices(document: &Document, node: u32) -> u64 {
    let Some(mesh) = document.nodes.0[node as usize].mesh else { return 0 };
    let is_surface = |primitive: &&Primitive| {
        matches!(primitive.mode, Checked::Valid(Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan))
    };
    let positions = |primitive: &Primitive| primitive.attributes.get(&Checked::Valid(Semantic::Positions)).copied();
    let primitives = document.meshes[mesh as usize].primitives.iter().filter(is_surface);
    let accessors = primitives.filter_map(positions);
    accessors.fold(0, |sum, accessor| sum.saturating_add(document.accessors[accessor.value()].count.0))
}
