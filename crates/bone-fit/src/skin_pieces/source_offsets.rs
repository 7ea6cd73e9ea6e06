//! The morph targets of the source's meshes.

use baked_format::limits::MAX_MORPH_TARGETS;
use glam::Vec3;
use skinned_model::{MorphTargets, Morphed, SkinnedModel};

/// The morph targets of all parts of the surface, sorted by part and number.
pub(crate) struct SourceOffsets<'a> {
    pub(crate) targets: Vec<SourceTarget<'a>>,
}

/// One morph target of one part.
pub(crate) struct SourceTarget<'a> {
    pub(crate) part: usize,
    /// The number of the target among those of the part.
    pub(crate) number: usize,
    pub(crate) name: &'a str,
    /// The vertices of the part that the target moves, ascending.
    offsets: &'a [(u32, Vec3)],
}

impl<'a> SourceOffsets<'a> {
    /// The targets of the first `parts` parts; none if `is_wanted` is false. Meshes come before attachments.
    pub(crate) fn new(model: &'a SkinnedModel, parts: usize, is_wanted: bool) -> Self {
        let part = |of: Morphed| match of {
            Morphed::Mesh(mesh) => mesh,
            Morphed::Attachment(attachment) => model.meshes.len() + attachment,
        };
        let of_part = |one: &'a MorphTargets| {
            let targets = one.offsets.iter().zip(&one.names).enumerate();
            targets.map(move |(number, (offsets, name))| SourceTarget { part: part(one.of), number, name, offsets })
        };
        let all = model.morph_targets.iter().filter(|_| is_wanted).flat_map(of_part);
        let mut targets: Vec<_> = all.filter(|target| target.part < parts && !target.offsets.is_empty()).collect();
        targets.sort_by_key(|target| (target.part, target.number));
        // A target beyond the limit is left out; `MAX_MORPH_TARGETS` is below the numbers that `u16` holds.
        targets.truncate(MAX_MORPH_TARGETS);
        Self { targets }
    }

    pub(crate) fn len(&self) -> usize {
        self.targets.len()
    }

    /// Returns how far each target moves a vertex of a part, ascending by target.
    pub(crate) fn of_vertex(&self, part: usize, vertex: u32) -> Vec<(u16, Vec3)> {
        let first = self.targets.partition_point(|target| target.part < part);
        let of_part = self.targets[first..].iter().take_while(|target| target.part == part);
        let offset = |(index, target): (usize, &SourceTarget<'_>)| {
            let place = target.offsets.binary_search_by_key(&vertex, |(vertex, _)| *vertex).ok()?;
            // Adding zero turns a negative zero into a positive zero.
            Some(((first + index) as u16, target.offsets[place].1 + Vec3::ZERO))
        };
        of_part.enumerate().filter_map(offset).collect()
    }
}
