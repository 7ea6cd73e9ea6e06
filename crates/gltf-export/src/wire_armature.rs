//! Nodes between scaled armatures and their bones, so that Blender shows wire boxes where they are.
//!
//! Blender's importer makes an armature object of the deepest node above all joints of a skin. It divides the lengths of bones by
//! the largest scale of this node, but moves the children of a bone back from its tail by the undivided length. So every box
//! below a bone of length `l` is moved along the bone by `l * (1 / scale - 1)`, and the move is saved with the file (Blender 4.0
//! to 5.0). If the armature has no scale, the two lengths are equal. A new node without a transform becomes the armature
//! instead, and nothing moves.

use crate::document_writer::DocumentWriter;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The name of the first new node, and so of the armature object in Blender.
const NAME: &str = "bonebox armature";

/// The largest difference of a scale from 1 that moves no box visibly.
const UNSCALED: f64 = 1e-6;

/// Puts a node without a transform between each scaled armature and those of its children that lead to joints. A skin that names
/// the armature as its `skeleton` names the new node. Returns the new nodes, each with its parent; the caller must add them to
/// the document, the first of them with the index `first`.
pub(crate) fn unscaled(writer: &mut DocumentWriter<'_>, document: &Value, first: usize) -> Vec<(u32, Value)> {
    let tree = Tree::new(document);
    let mut below: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let mut skeletons = Vec::new();
    for (index, skin) in list(&document["skins"]).iter().enumerate() {
        let joints: BTreeSet<usize> = list(&skin["joints"]).iter().filter_map(index_of).collect();
        let skeleton = index_of(&skin["skeleton"]);
        let Some(armature) = tree.armature(&joints, skeleton).filter(|&node| is_scaled(&tree.nodes[node])) else {
            continue;
        };
        let children = joints.iter().filter_map(|&joint| tree.child_above(armature, joint));
        below.entry(armature).or_default().extend(children);
        if skeleton == Some(armature) {
            skeletons.push((index, armature));
        }
    }
    for (skin, armature) in skeletons {
        writer.skeleton(skin, first + below.range(..armature).count());
    }
    let node = |(number, (armature, children)): (usize, (usize, BTreeSet<usize>))| {
        let name = if number == 0 { NAME.to_owned() } else { format!("{NAME} ({})", number + 1) };
        let extras = json!({ "bonebox": { "armature": tree.nodes[armature]["name"] } });
        let node = json!({ "name": name, "children": children, "extras": extras });
        writer.take_children(armature as u32, children);
        (armature as u32, node)
    };
    below.into_iter().enumerate().map(node).collect()
}

/// The nodes of a document and their parents.
struct Tree<'a> {
    nodes: &'a [Value],
    parents: BTreeMap<usize, usize>,
}

impl<'a> Tree<'a> {
    fn new(document: &'a Value) -> Self {
        let nodes = list(&document["nodes"]);
        let children = |(parent, node): (usize, &'a Value)| {
            list(&node["children"]).iter().filter_map(index_of).map(move |child| (child, parent))
        };
        Self { nodes, parents: nodes.iter().enumerate().flat_map(children).collect() }
    }

    /// The nodes from the root to a node. Nodes in a cycle have a path of limited length.
    fn path(&self, node: usize) -> Vec<usize> {
        let mut path: Vec<usize> =
            std::iter::successors(Some(node), |at| self.parents.get(at).copied()).take(self.nodes.len()).collect();
        path.reverse();
        path
    }

    /// The node that becomes the armature: the deepest node that is at or above all joints and the skin's `skeleton`; its
    /// parent if it is a joint.
    fn armature(&self, joints: &BTreeSet<usize>, skeleton: Option<usize>) -> Option<usize> {
        let paths = joints.iter().copied().chain(skeleton).map(|node| self.path(node));
        let common = paths
            .reduce(|common, path| common.into_iter().zip(path).take_while(|(a, b)| a == b).map(|(a, _)| a).collect());
        let deepest = *common?.last()?;
        let armature = if joints.contains(&deepest) { *self.parents.get(&deepest)? } else { deepest };
        (armature < self.nodes.len()).then_some(armature)
    }

    /// The child of a node that is at or above another node.
    fn child_above(&self, node: usize, below: usize) -> Option<usize> {
        let path = self.path(below);
        let at = path.iter().position(|one| *one == node)?;
        path.get(at + 1).copied()
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn index_of(value: &Value) -> Option<usize> {
    value.as_u64().map(|index| index as usize)
}

/// Returns true if the node's transform has a scale.
fn is_scaled(node: &Value) -> bool {
    let numbers = |key: &str| list(&node[key]).iter().filter_map(Value::as_f64).collect::<Vec<f64>>();
    let length = |column: &[f64]| column.iter().map(|number| number * number).sum::<f64>().sqrt();
    let columns = numbers("matrix");
    let lengths = columns.chunks(4).take(3).map(|column| length(&column[..3.min(column.len())]));
    numbers("scale").into_iter().chain(lengths).any(|scale| (scale - 1.0).abs() > UNSCALED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_text::scan;
    use gltf_container::Container;
    use std::collections::BTreeMap;

    /// The document after the edit.
    fn edited(document: &Value) -> Value {
        let text = document.to_string();
        let container = Container::open(text.as_bytes()).unwrap();
        let root = scan(container.json).unwrap();
        let mut writer = DocumentWriter::new(&container, &root);
        let first = writer.next_node();
        let (parents, nodes): (Vec<u32>, Vec<Value>) = unscaled(&mut writer, document, first).into_iter().unzip();
        writer.child_nodes(parents, nodes);
        serde_json::from_slice(&writer.finish().unwrap()).unwrap()
    }

    fn children(document: &Value) -> BTreeMap<usize, Vec<usize>> {
        let nodes = list(&document["nodes"]).iter().enumerate();
        let children = |node: &Value| list(&node["children"]).iter().filter_map(index_of).collect::<Vec<usize>>();
        nodes.map(|(index, node)| (index, children(node))).filter(|(_, children)| !children.is_empty()).collect()
    }

    /// Node 0 is the armature, with the bones 1 and 3, and a mesh at node 2.
    fn character(transform: &str) -> Value {
        let text = format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"name":"a",{transform}"children":[1,2,3]}},{{"children":[4]}},{{}},{{}},{{}}],
            "skins":[{{"joints":[1,4],"skeleton":1}},{{"joints":[4,3],"skeleton":0}}]}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn a_scaled_armature_gets_a_node_above_its_bones() {
        for transform in [
            r#""scale":[100,100,100],"#,
            r#""scale":[1,1,0.5],"#,
            r#""scale":[-1,1,1],"#,
            r#""matrix":[0.01,0,0,0, 0,0.01,0,0, 0,0,0.01,0, 1,2,3,1],"#,
        ] {
            let document = edited(&character(transform));
            let expected = BTreeMap::from([(0, vec![2, 5]), (1, vec![4]), (5, vec![1, 3])]);
            assert_eq!(children(&document), expected, "{transform}");
            assert_eq!(document["nodes"][5]["name"], NAME);
            assert_eq!(document["nodes"][5]["extras"], json!({ "bonebox": { "armature": "a" } }));
            assert_eq!((&document["skins"][0]["skeleton"], &document["skins"][1]["skeleton"]), (&json!(1), &json!(5)));
        }
    }

    #[test]
    fn an_armature_without_a_scale_stays_as_it_is() {
        for transform in [
            "",
            r#""scale":[1,1,1],"#,
            r#""translation":[1,2,3],"#,
            r#""matrix":[0,1,0,0, 1,0,0,0, 0,0,1,0, 5,6,7,1],"#,
        ] {
            let document = character(transform);
            assert_eq!(edited(&document), document, "{transform}");
        }
    }

    /// The armature of a skin can be above that of another one, and may be named by the skin.
    #[test]
    fn every_scaled_armature_gets_a_node() {
        let text = r#"{"asset":{"version":"2.0"},"nodes":[
            {"scale":[2,2,2],"children":[1,5]}, {"scale":[3,3,3],"children":[2,3]}, {}, {"children":[4]}, {}, {}],
            "skins":[{"joints":[3,4]},{"joints":[2,5]}]}"#;
        let document = edited(&serde_json::from_str(text).unwrap());
        let expected = BTreeMap::from([(0, vec![6]), (1, vec![2, 7]), (3, vec![4]), (6, vec![1, 5]), (7, vec![3])]);
        assert_eq!(children(&document), expected);
        assert_eq!(document["nodes"][7]["name"], "bonebox armature (2)");
    }

    #[test]
    fn damaged_documents_do_not_panic() {
        for text in [
            r#"{"nodes":[{"scale":[2,2,2],"children":[1]},{"scale":[2,2,2],"children":[0]}],"skins":[{"joints":[0,1]}]}"#,
            r#"{"nodes":[{"scale":[2,2,2],"children":[7]}],"skins":[{"joints":[7,0]},{"joints":[]},{}]}"#,
            r#"{"nodes":[{"scale":"2","children":[1]},{}],"skins":[{"joints":[1],"skeleton":9}]}"#,
        ] {
            let mut document: Value = serde_json::from_str(text).unwrap();
            document["asset"] = json!({ "version": "2.0" });
            edited(&document);
        }
    }
}
