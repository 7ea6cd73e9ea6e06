//! The nodes of a scene: their indices in glTF, their transforms, and the unit of their space.

use crate::FbxError;
use crate::finding::quoted;
use ufbx::{Anim, Node, Scene, Transform, Vec3};

/// The flags of ufbx for the transform of a node by its own properties: without scale helpers, and without the scale of bones above.
const ALONE: u32 = 0x1 | 0x2;

/// The nodes of a scene without its root, which FBX files do not show.
pub(crate) struct Nodes<'s> {
    pub(crate) list: Vec<&'s Node>,
    /// The index in `list` of the node with this number in the scene.
    index: Vec<Option<usize>>,
    /// For each node, the length of a unit of its space in meters, if a unit of the converted node's space is a meter; else 1.
    /// A point of the converted space is this many times the point in the file.
    pub(crate) unit: Vec<f64>,
    /// For each node, the scale that its own transform gives to `unit`.
    own_unit: Vec<f64>,
}

impl<'s> Nodes<'s> {
    pub(crate) fn of_scene(scene: &'s Scene) -> Self {
        let list: Vec<&Node> = scene.nodes.as_ref().iter().map(|node| &**node).filter(|node| !node.is_root).collect();
        let mut index = vec![None; scene.nodes.count];
        for (at, node) in list.iter().enumerate() {
            index[node.element.typed_id as usize] = Some(at);
        }
        let count = list.len();
        let mut nodes = Self { list, index, unit: vec![1.0; count], own_unit: vec![1.0; count] };
        let meters = scene.settings.original_unit_meters;
        for top in nodes.top() {
            let unit = unit_to_move(meters, nodes.list[top].local_transform.scale);
            nodes.own_unit[top] = unit;
            let mut waiting = vec![top];
            while let Some(node) = waiting.pop() {
                nodes.unit[node] = unit;
                waiting.extend(nodes.children(node));
            }
        }
        nodes
    }

    /// The index of a node; `None` for the root of the scene.
    pub(crate) fn index_of(&self, node: &Node) -> Option<usize> {
        self.index.get(node.element.typed_id as usize).copied().flatten()
    }

    /// The nodes without a parent.
    pub(crate) fn top(&self) -> Vec<usize> {
        (0..self.list.len()).filter(|&node| self.parent(node).is_none()).collect()
    }

    pub(crate) fn parent(&self, node: usize) -> Option<usize> {
        self.list[node].parent.as_ref().and_then(|parent| self.index_of(parent))
    }

    pub(crate) fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        self.list[node].children.as_ref().iter().filter_map(|child| self.index_of(child))
    }

    /// The name of a node. A helper scales what its parent shows, but not all bones below it. ufbx adds helpers without a name.
    pub(crate) fn name(&self, node: usize) -> String {
        let node = self.list[node];
        match node.parent.as_deref().filter(|parent| node.is_scale_helper && !parent.element.name.is_empty()) {
            Some(parent) => format!("{} (scale)", &*parent.element.name),
            None => node.element.name.to_string(),
        }
    }

    /// The transform of a node at a time of an animation in seconds. If a helper scales the node's parent, ufbx leaves the pivots of
    /// the node unscaled, and takes 0 for scales that the file does not name. Such transforms are computed here.
    pub(crate) fn transform(&self, node: usize, anim: &Anim, time: f64) -> Transform {
        let node = self.list[node];
        if self.scales(node).is_empty() {
            return ufbx::evaluate_transform(anim, node, time);
        }
        let alone = |node: &Node| ufbx::evaluate_transform_flags(anim, node, time, ALONE);
        let mut transform = alone(node);
        for helper in self.scales(node) {
            let Vec3 { x, y, z } = alone(helper).scale;
            let scaled = if node.is_scale_helper { &mut transform.scale } else { &mut transform.translation };
            (scaled.x, scaled.y, scaled.z) = (scaled.x * x, scaled.y * y, scaled.z * z);
        }
        transform
    }

    /// The helpers whose scales a node's transform contains besides its own: those of the bones that its parent takes the scale from,
    /// and, if the node is no helper itself, the helper of its parent.
    pub(crate) fn scales<'n>(&self, node: &'n Node) -> Vec<&'n Node> {
        let Some(parent) = node.parent.as_deref() else { return Vec::new() };
        let mut from = if node.is_scale_helper { parent.inherit_scale_node.as_deref() } else { Some(parent) };
        let mut scales = Vec::new();
        while let Some((above, helper)) = from.and_then(|from| Some((from, from.scale_helper.as_deref()?))) {
            scales.push(helper);
            from = above.inherit_scale_node.as_deref();
        }
        scales
    }

    /// A node for messages.
    pub(crate) fn place(&self, node: usize) -> String {
        format!("node {node} {}", quoted(&self.list[node].element.name))
    }

    /// A transform of a node in the converted space: translation, rotation and scale.
    pub(crate) fn converted(&self, node: usize, transform: &Transform) -> Result<Trs, FbxError> {
        let unit = self.parent(node).map_or(1.0, |parent| self.unit[parent]);
        let (t, r, s) = (transform.translation, transform.rotation, transform.scale);
        let trs = Trs {
            translation: [t.x, t.y, t.z].map(|part| (part * unit) as f32),
            rotation: [r.x, r.y, r.z, r.w].map(|part| part as f32),
            scale: [s.x, s.y, s.z].map(|part| (part / self.own_unit[node]) as f32),
        };
        let not_finite = |element, numbers: &[f32]| FbxError::NotFinite {
            place: self.place(node),
            element,
            found: format!("{numbers:?}"),
        };
        for (element, numbers) in
            [("its translation", &trs.translation[..]), ("its rotation", &trs.rotation), ("its scale", &trs.scale)]
        {
            if !numbers.iter().all(|number| number.is_finite()) {
                return Err(not_finite(element, numbers));
            }
        }
        Ok(trs)
    }
}

/// Translation, rotation (x, y, z, w) and scale of a glTF node.
pub(crate) struct Trs {
    pub(crate) translation: [f32; 3],
    pub(crate) rotation: [f32; 4],
    pub(crate) scale: [f32; 3],
}

/// The part of a topmost node's scale that moves into everything below the node, so that joints and vertices are in meters.
///
/// `meters` is the length of the file's unit. It is a part of `scale` already. A file in centimeters has vertices and bones in
/// centimeters, and its topmost nodes have the scale 1 in the file and 0.01 here. But some programs, such as Blender, write a
/// scale of 100 into a file in centimeters, with vertices and bones in meters; here this scale is 1. So the unit moves if this
/// brings the scale nearer to 1.
fn unit_to_move(meters: f64, scale: ufbx::Vec3) -> f64 {
    let distance = |scale: f64| if scale < 1.0 { 1.0 / scale } else { scale };
    let volume = (scale.x * scale.y * scale.z).abs();
    let is_usable = meters > 0.0 && meters.is_finite() && volume > 0.0 && volume.is_finite();
    let rest = volume / (meters * meters * meters);
    if is_usable && distance(rest) <= distance(volume) { meters } else { 1.0 }
}
