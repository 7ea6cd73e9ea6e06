//! Blend shapes, which become morph targets.

use crate::FbxError;
use crate::finding::{Finding, quoted};
use crate::glb::Glb;
use serde_json::{Value, json};
use std::ops::Range;
use ufbx::{Anim, BlendChannel, BlendShape, Mesh};

/// A blend shape of a mesh at its full weight.
pub(crate) struct Shape<'s> {
    pub(crate) channel: &'s BlendChannel,
    shape: &'s BlendShape,
    /// The weight of the channel at which the shape is reached.
    full: f64,
}

impl<'s> Shape<'s> {
    /// All shapes of a mesh, in the order of the file.
    pub(crate) fn of_mesh(mesh: &'s Mesh) -> Vec<Self> {
        let channels = mesh.blend_deformers.as_ref().iter().flat_map(|deformer| deformer.channels.as_ref());
        let shape = |channel: &'s BlendChannel| {
            let shape = channel.target_shape.as_ref()?;
            let key = channel.keyframes.iter().find(|key| key.shape.element.element_id == shape.element.element_id);
            let full = key.map_or(1.0, |key| key.target_weight);
            Some(Self { channel, shape, full: if full == 0.0 || !full.is_finite() { 1.0 } else { full } })
        };
        channels.filter_map(|channel| shape(channel)).collect()
    }

    pub(crate) fn name(&self) -> &str {
        let name: &str = &self.channel.element.name;
        if name.is_empty() { &self.shape.element.name } else { name }
    }

    /// The weight as a share of the full shape.
    pub(crate) fn rest_weight(&self) -> f32 {
        (self.channel.weight / self.full) as f32
    }

    /// The weight at a time of an animation in seconds.
    pub(crate) fn weight(&self, anim: &Anim, time: f64) -> f32 {
        (ufbx::evaluate_blend_weight(anim, self.channel, time) / self.full) as f32
    }

    /// Adds a finding for shapes between the base and the full shape.
    pub(crate) fn find(&self, place: &str, findings: &mut Vec<Finding>) {
        let between = self.channel.keyframes.len().saturating_sub(1);
        if between > 0 {
            let text = format!(
                "{place}: {between} shapes between the base and the full shape of the blend shape {} are left out; its vertices move on straight lines",
                quoted(self.name())
            );
            findings.push(Finding { code: "fbx-between-shapes", text });
        }
    }

    /// Appends the morph target of one primitive. `copies` has the pairs of a vertex of the mesh and its copy in the primitive, in
    /// ascending order. Offsets are multiplied by `unit`.
    pub(crate) fn write(
        &self,
        copies: &[(u32, u32)],
        unit: f64,
        glb: &mut Glb,
        place: &dyn Fn() -> String,
    ) -> Result<Value, FbxError> {
        let mut moved: Vec<(u32, [f32; 3])> = Vec::new();
        for (&vertex, offset) in self.shape.offset_vertices.iter().zip(&self.shape.position_offsets) {
            let offset = [offset.x, offset.y, offset.z].map(|part| (part * unit) as f32);
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
}

fn copies_of(vertex: u32, copies: &[(u32, u32)]) -> Range<usize> {
    copies.partition_point(|&(known, _)| known < vertex)..copies.partition_point(|&(known, _)| known <= vertex)
}
