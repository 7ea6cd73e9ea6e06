//! A glTF document that grows: lists are appended to, and everything else keeps its bytes.

use crate::ExportError;
use crate::json_text::{Edits, Span};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use gltf_container::Container;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The pending edits of one document.
pub(crate) struct DocumentWriter<'a> {
    root: &'a Span,
    container: &'a Container<'a>,
    edits: Edits,
    /// Bytes to append to a .glb's binary chunk.
    binary: Vec<u8>,
    /// New children of existing nodes, by the index of the node.
    children: BTreeMap<u32, Vec<usize>>,
    /// Children that existing nodes lose, by the index of the node.
    lost_children: BTreeMap<u32, BTreeSet<usize>>,
    /// New extensions of existing nodes, by the index of the node.
    node_extensions: BTreeMap<u32, (&'static str, Value)>,
    /// Lists that the document does not have yet, by their key: their elements.
    lists: BTreeMap<&'static str, Vec<Value>>,
    /// Document-level extensions that the document does not have yet, by name.
    extensions: BTreeMap<&'static str, Value>,
}

impl<'a> DocumentWriter<'a> {
    pub(crate) fn new(container: &'a Container<'a>, root: &'a Span) -> Self {
        let (edits, binary) = (Edits::default(), Vec::new());
        let (children, node_extensions) = (BTreeMap::new(), BTreeMap::new());
        let (lists, extensions, lost_children) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { root, container, edits, binary, children, lost_children, node_extensions, lists, extensions }
    }

    /// The document before the edits.
    pub(crate) fn root(&self) -> &'a Span {
        self.root
    }

    /// Adds bytes to the document: at the end of a .glb's binary chunk if possible, otherwise as a new buffer. Returns
    /// the buffer's index and the offset of the bytes in it.
    pub(crate) fn embed(&mut self, bytes: &[u8]) -> (usize, usize) {
        let first = self.root.get("buffers").and_then(|buffers| buffers.elements().first());
        // A .glb's binary chunk is its first buffer, if that buffer has no URI.
        let own = first.filter(|buffer| buffer.get("uri").is_none()).and_then(|buffer| buffer.get("byteLength"));
        match (first, own, self.container.binary) {
            (_, Some(length), Some(binary)) if binary.len() % 4 == 0 => {
                self.edits.replace(length, (binary.len() + bytes.len()).to_string());
                self.binary = bytes.to_vec();
                (0, binary.len())
            }
            (None, _, None) if self.container.is_glb() => {
                self.binary = bytes.to_vec();
                (self.append_list("buffers", vec![json!({ "byteLength": bytes.len() })]), 0)
            }
            _ => {
                let uri = format!("data:application/octet-stream;base64,{}", BASE64_STANDARD.encode(bytes));
                (self.append_list("buffers", vec![json!({ "uri": uri, "byteLength": bytes.len() })]), 0)
            }
        }
    }

    /// The index of the next node that is added.
    pub(crate) fn next_node(&self) -> usize {
        self.root.get("nodes").map_or(0, |nodes| nodes.elements().len())
    }

    /// Adds nodes as children of existing nodes. `nodes[i]` is a child of `parents[i]`; nodes after the last parent have no parent.
    pub(crate) fn child_nodes(&mut self, parents: impl IntoIterator<Item = u32>, nodes: Vec<Value>) {
        let first = self.append_list("nodes", nodes);
        for (index, parent) in parents.into_iter().enumerate() {
            self.children.entry(parent).or_default().push(first + index);
        }
    }

    /// Removes children of an existing node. They must become children of another node.
    pub(crate) fn take_children(&mut self, parent: u32, children: BTreeSet<usize>) {
        self.lost_children.entry(parent).or_default().extend(children);
    }

    /// Replaces the `skeleton` of a skin that has one.
    pub(crate) fn skeleton(&mut self, skin: usize, node: usize) {
        let skin = self.root.get("skins").and_then(|skins| skins.elements().get(skin));
        if let Some(skeleton) = skin.and_then(|skin| skin.get("skeleton")) {
            self.edits.replace(skeleton, node.to_string());
        }
    }

    /// Adds an extension to an existing node. A node gets at most one.
    pub(crate) fn node_extension(&mut self, node: u32, extension: &'static str, value: Value) {
        self.node_extensions.insert(node, (extension, value));
    }

    /// Adds a member to the `extras` of the document's `asset`. Adds nothing if `extras` has that key already, or is
    /// not an object.
    pub(crate) fn asset_extra(&mut self, key: &str, value: &Value) {
        let Some(asset) = self.root.get("asset") else { return };
        match asset.get("extras") {
            None => self.edits.append(asset, &format!("\"extras\":{{{}:{value}}}", json!(key))),
            Some(extras) if extras.is_object() && extras.get(key).is_none() => {
                self.edits.append(extras, &format!("{}:{value}", json!(key)));
            }
            Some(_) => {}
        }
    }

    /// Appends to lists of a document-level extension, creates the extension if the document does not have it, and
    /// lists it as used. Returns the index of the first new element of each list.
    pub(crate) fn extension_list(
        &mut self,
        extension: &'static str,
        lists: &[(&'static str, Vec<Value>)],
    ) -> Vec<usize> {
        let quoted = json!(extension).to_string();
        let used = self.root.get("extensionsUsed").map(Span::elements).unwrap_or_default();
        if !used.iter().any(|used| self.container.json[used.range.clone()] == *quoted.as_bytes()) {
            self.append_list("extensionsUsed", vec![json!(extension)]);
        }
        let existing = self.root.get("extensions").and_then(|extensions| extensions.get(extension));
        let Some(existing) = existing else {
            let members = lists.iter().map(|(key, items)| ((*key).to_owned(), items.clone().into()));
            let mut value: serde_json::Map<String, Value> = members.collect();
            if extension.starts_with("VRMC_") {
                value.insert("specVersion".into(), "1.0".into());
            }
            self.extensions.insert(extension, value.into());
            return vec![0; lists.len()];
        };
        let append = |(key, items): &(&str, Vec<Value>)| match existing.get(key) {
            Some(list) => {
                self.edits.append(list, &elements(items));
                list.elements().len()
            }
            None => {
                self.edits.append(existing, &format!("{}:[{}]", json!(key), elements(items)));
                0
            }
        };
        lists.iter().map(append).collect()
    }

    /// Appends to a document-level list and returns the index of the first new element.
    pub(crate) fn append_list(&mut self, key: &'static str, items: Vec<Value>) -> usize {
        if let Some(list) = self.root.get(key) {
            self.edits.append(list, &elements(&items));
            return list.elements().len();
        }
        let list = self.lists.entry(key).or_default();
        let first = list.len();
        list.extend(items);
        first
    }

    /// Returns the file with all edits.
    ///
    /// # Errors
    /// Returns an error if the document lacks a node of the boxes, or if the .glb would exceed 4 GiB.
    pub(crate) fn finish(mut self) -> Result<Vec<u8>, ExportError> {
        let nodes = self.root.get("nodes").ok_or(ExportError::NoNodes)?.elements();
        let node_of =
            |index: u32| nodes.get(index as usize).ok_or(ExportError::MissingNode { node: index, found: nodes.len() });
        for (&index, (extension, value)) in &self.node_extensions {
            let node = node_of(index)?;
            let member = format!("{}:{value}", json!(extension));
            match node.get("extensions") {
                Some(extensions) if extensions.get(extension).is_some() => {
                    return Err(ExportError::HasExtension { node: index, extension });
                }
                Some(extensions) => self.edits.append(extensions, &member),
                None => self.edits.append(node, &format!("\"extensions\":{{{member}}}")),
            }
        }
        for (&index, children) in &self.children {
            let node = node_of(index)?;
            let mut children: Vec<Value> = children.iter().map(|&child| child.into()).collect();
            let lost = self.lost_children.get(&index);
            match node.get("children") {
                Some(list) if lost.is_some_and(|lost| !lost.is_empty()) => {
                    let before: Vec<usize> = serde_json::from_slice(&self.container.json[list.range.clone()])
                        .map_err(|_| ExportError::Json)?;
                    let kept = before.into_iter().filter(|child| !lost.is_some_and(|lost| lost.contains(child)));
                    children.splice(0..0, kept.map(Value::from));
                    self.edits.replace(list, format!("[{}]", elements(&children)));
                }
                Some(list) => self.edits.append(list, &elements(&children)),
                None => self.edits.append(node, &format!("\"children\":[{}]", elements(&children))),
            }
        }
        for (key, items) in &self.lists {
            self.edits.append(self.root, &format!("{}:[{}]", json!(key), elements(items)));
        }
        let members = self.extensions.iter().map(|(name, value)| format!("{}:{value}", json!(name)));
        let members = members.collect::<Vec<_>>().join(",");
        match self.root.get("extensions") {
            _ if members.is_empty() => {}
            Some(extensions) => self.edits.append(extensions, &members),
            None => self.edits.append(self.root, &format!("\"extensions\":{{{members}}}")),
        }
        Ok(self.container.with_json(&self.edits.apply(self.container.json), &self.binary)?)
    }
}

fn elements(items: &[Value]) -> String {
    items.iter().map(Value::to_string).collect::<Vec<_>>().join(",")
}
