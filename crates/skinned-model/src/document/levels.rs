//! The levels of detail of the extension `MSFT_lod`: a node lists the nodes that replace it from far away.

use crate::document::Document;
use serde::Deserialize;
use std::collections::BTreeSet;

#[derive(Deserialize)]
struct Levels {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    extensions: Option<Extensions>,
}

#[derive(Deserialize)]
struct Extensions {
    #[serde(rename = "MSFT_lod")]
    level: Option<Coarser>,
}

#[derive(Deserialize)]
struct Coarser {
    ids: Vec<u32>,
}

/// Returns the nodes that are coarser levels of other nodes, and all nodes below them. Lists that cannot be read, and nodes
/// that do not exist, are left out.
pub(crate) fn coarser_nodes(document: &Document, json: &[u8]) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    if !document.extensions_used.iter().any(|name| name == "MSFT_lod") {
        return found;
    }
    let Ok(levels) = serde_json::from_slice::<Levels>(json) else { return found };
    let lists = levels.nodes.into_iter().filter_map(|node| node.extensions?.level);
    let mut waiting: Vec<u32> = lists.flat_map(|level| level.ids).collect();
    while let Some(node) = waiting.pop() {
        let Some(there) = document.nodes.0.get(node as usize) else { continue };
        if found.insert(node) {
            waiting.extend(there.children.iter().copied());
        }
    }
    found
}
