//! Blend shapes, which become morph targets.
//!
//! A channel of FBX has a weight and shapes at some weights, between which the vertices move on straight lines. Each shape becomes a
//! morph target, and the weight of the channel becomes one weight for each of them.

use crate::FbxError;
use crate::glb::Glb;
use serde_json::{Value, json};
use std::ops::Range;
use ufbx::{Anim, BlendChannel, BlendShape, Mesh};

/// A channel with at least one shape.
pub(crate) struct Channel<'s> {
    pub(crate) channel: &'s BlendChannel,
    /// The shapes in the order of their weights. The last one is the full shape.
    shapes: Vec<&'s BlendShape>,
    /// The weights of the base, which is at 0, and of the shapes, in ascending order.
    stops: Vec<f64>,
    /// The index of the base in `stops`.
    base: usize,
}

impl<'s> Channel<'s> {
    /// All channels of a mesh, in the order of the file.
    pub(crate) fn of_mesh(mesh: &'s Mesh) -> Vec<Self> {
        let channels = mesh.blend_deformers.as_ref().iter().flat_map(|deformer| deformer.channels.as_ref());
        channels.filter_map(|channel| Self::read(channel)).collect()
    }

    fn read(channel: &'s BlendChannel) -> Option<Self> {
        let usable = |weight: f64| if weight == 0.0 || !weight.is_finite() { 1.0 } else { weight };
        let mut keys: Vec<(f64, &BlendShape)> =
            channel.keyframes.iter().map(|key| (usable(key.target_weight), &*key.shape)).collect();
        keys.sort_by(|(weight, _), (other, _)| weight.total_cmp(other));
        if keys.is_empty() {
            return None;
        }
        let base = keys.partition_point(|(weight, _)| *weight < 0.0);
        let mut stops: Vec<f64> = keys.iter().map(|(weight, _)| *weight).collect();
        stops.insert(base, 0.0);
        Some(Self { channel, shapes: keys.into_iter().map(|(_, shape)| shape).collect(), stops, base })
    }

    /// The number of morph targets.
    pub(crate) fn len(&self) -> usize {
        self.shapes.len()
    }

    /// The names of the morph targets. The full shape has the name of the channel, and the others have their weight behind it.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        let name: &str = &self.channel.element.name;
        let full = self.shapes.len() - 1;
        let weights = self.stops.iter().enumerate().filter(|(stop, _)| *stop != self.base).map(|(_, weight)| weight);
        self.shapes.iter().zip(weights).enumerate().map(move |(index, (shape, weight))| {
            let name = if name.is_empty() { &shape.element.name } else { name };
            if index == full { name.to_owned() } else { format!("{name} {:.0}%", 100.0 * weight) }
        })
    }

    /// The weights of the morph targets at rest.
    pub(crate) fn rest_weights(&self) -> Vec<f32> {
        self.weights(self.channel.weight)
    }

    /// The weights of the morph targets at a time of an animation in seconds.
    pub(crate) fn weights_at(&self, anim: &Anim, time: f64) -> Vec<f32> {
        self.weights(ufbx::evaluate_blend_weight(anim, self.channel, time))
    }

    /// The weights of the morph targets at a weight of the channel. Beyond the first and the last shape, the vertices move on in the
    /// same direction.
    fn weights(&self, weight: f64) -> Vec<f32> {
        let inner = &self.stops[1..self.stops.len() - 1];
        let below = inner.partition_point(|stop| *stop <= weight);
        let [from, to] = [self.stops[below], self.stops[below + 1]];
        let share = if from < to { (weight - from) / (to - from) } else { 0.0 };
        let mut weights = vec![0.0; self.stops.len()];
        (weights[below], weights[below + 1]) = ((1.0 - share) as f32, share as f32);
        weights.remove(self.base);
        weights
    }

    /// Appends the morph targets of one primitive. `copies` has the pairs of a vertex of the mesh and its copy in the primitive, in
    /// ascending order. Offsets are multiplied by `unit`.
    pub(crate) fn write(
        &self,
        copies: &[(u32, u32)],
        unit: f64,
        glb: &mut Glb,
        place: &dyn Fn() -> String,
    ) -> Result<Vec<Value>, FbxError> {
        self.shapes.iter().map(|shape| write(shape, copies, unit, glb, place)).collect()
    }
}

fn write(
    shape: &BlendShape,
    copies: &[(u32, u32)],
    unit: f64,
    glb: &mut Glb,
    place: &dyn Fn() -> String,
) -> Result<Value, FbxError> {
    let mut moved: Vec<(u32, [f32; 3])> = Vec::new();
    for (at, (&vertex, offset)) in shape.offset_vertices.iter().zip(&shape.position_offsets).enumerate() {
        // Blender writes the weights of the vertex group that limits a shape key.
        let weight = shape.offset_weights.get(at).copied().unwrap_or(1.0);
        let offset = [offset.x, offset.y, offset.z].map(|part| (part * weight * unit) as f32);
        let range = copies_of(vertex, copies);
        glb.charge(4 * range.len() as u64, place)?;
        moved.extend(copies[range].iter().map(|&(_, copy)| (copy, offset)));
    }
    // A vertex should have one offset. Of several, the first one of the file counts.
    moved.sort_by_key(|&(copy, _)| copy);
    moved.dedup_by_key(|&mut (copy, _)| copy);
    let indices: Vec<u32> = moved.iter().map(|&(copy, _)| copy).collect();
    let values: Vec<[f32; 3]> = moved.iter().map(|&(_, offset)| offset).collect();
    Ok(json!({ "POSITION": glb.sparse(copies.len(), &indices, &values, place)? }))
}

fn copies_of(vertex: u32, copies: &[(u32, u32)]) -> Range<usize> {
    copies.partition_point(|&(known, _)| known < vertex)..copies.partition_point(|&(known, _)| known <= vertex)
}
