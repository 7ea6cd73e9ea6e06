//! Morph targets as more surface: each shape that a mesh can take adds a copy of the triangles that it moves, so that every later
//! stage holds and measures these too.

use crate::options::Morphs;
use glam::{DVec3, Vec3};
use skinned_model::{Attachment, MeshNames, MorphTargets, Morphed, SkinnedMesh, SkinnedModel};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The largest number of shapes of a mesh that come from lists of weights with several targets at once.
const MOST_MIXED_SHAPES: usize = 64;

/// A model whose meshes hold their shapes.
pub(crate) struct MorphShapes<'a> {
    pub(crate) model: Cow<'a, SkinnedModel>,
    /// Each mesh with too many shapes, and the number of lists of weights that were left out.
    pub(crate) left_out: Vec<(Morphed, usize)>,
}

impl<'a> MorphShapes<'a> {
    pub(crate) fn add(model: &'a SkinnedModel, morphs: Morphs) -> Self {
        let mut shaped = Self { model: Cow::Borrowed(model), left_out: Vec::new() };
        if morphs == Morphs::Ignore {
            return shaped;
        }
        for targets in &model.morph_targets {
            let (lists, left_out) = lists(targets, morphs);
            if left_out > 0 {
                shaped.left_out.push((targets.of, left_out));
            }
            for weights in &lists {
                let offsets = offsets(targets, weights);
                match targets.of {
                    Morphed::Mesh(mesh) => {
                        shaped.model.to_mut().meshes[mesh].add_shape(&model.meshes[mesh], &offsets);
                    }
                    Morphed::Attachment(mesh) => {
                        shaped.model.to_mut().attachments[mesh].add_shape(&model.attachments[mesh], &offsets);
                    }
                }
            }
        }
        shaped
    }

    /// Returns true if a mesh has more surface than in the model.
    pub(crate) fn has_shapes(&self) -> bool {
        matches!(self.model, Cow::Owned(_))
    }
}

/// The lists of weights whose shapes together bound all shapes, and the number of lists that were left out.
///
/// A point of the skin moves along a line if one weight changes alone. So of all lists with a single target, those with its
/// least and its largest weight suffice, because boxes are convex.
fn lists(targets: &MorphTargets, morphs: Morphs) -> (Vec<Vec<f32>>, usize) {
    let count = targets.offsets.len();
    let mut alone: Vec<[f32; 2]> = vec![[0.0, if morphs == Morphs::Extremes { 1.0 } else { 0.0 }]; count];
    let mut mixed: Vec<&Vec<f32>> = Vec::new();
    for list in &targets.weights {
        let mut moved = (0..count).filter(|&target| list[target] != 0.0 && !targets.offsets[target].is_empty());
        match (moved.next(), moved.next()) {
            (None, _) => {}
            (Some(target), None) => {
                let [least, most] = alone[target];
                alone[target] = [least.min(list[target]), most.max(list[target])];
            }
            (Some(_), Some(_)) => mixed.push(list),
        }
    }
    let kept = spread(&mixed, count);
    let left_out = mixed.len() - kept.len();
    let single = |(target, weight): (usize, f32)| {
        let mut list = vec![0.0; count];
        list[target] = weight;
        list
    };
    let ends = alone.iter().enumerate().flat_map(|(target, ends)| ends.map(|weight| (target, weight)));
    let ends = ends.filter(|&(target, weight)| weight != 0.0 && !targets.offsets[target].is_empty());
    (ends.map(single).chain(kept.into_iter().map(|kept| mixed[kept].clone())).collect(), left_out)
}

/// The places of at most [`MOST_MIXED_SHAPES`] lists, ascending: those with the largest and the least weight of each target, and
/// others at even distances.
fn spread(mixed: &[&Vec<f32>], count: usize) -> Vec<usize> {
    if mixed.len() <= MOST_MIXED_SHAPES {
        return (0..mixed.len()).collect();
    }
    let by_weight = |target: usize| move |&a: &usize, &b: &usize| mixed[a][target].total_cmp(&mixed[b][target]);
    let extreme = |target: usize| {
        let places = || 0..mixed.len();
        [places().max_by(by_weight(target)), places().min_by(by_weight(target))]
    };
    let even = (0..MOST_MIXED_SHAPES).map(|part| part * mixed.len() / MOST_MIXED_SHAPES);
    let mut kept = std::collections::BTreeSet::new();
    for place in (0..count).flat_map(extreme).flatten().chain(even) {
        if kept.len() < MOST_MIXED_SHAPES {
            kept.insert(place);
        }
    }
    kept.into_iter().collect()
}

/// The sum of the weighted targets, for each vertex that they move.
fn offsets(targets: &MorphTargets, weights: &[f32]) -> BTreeMap<u32, DVec3> {
    let mut sum: BTreeMap<u32, DVec3> = BTreeMap::new();
    for (offsets, &weight) in targets.offsets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
        for (vertex, offset) in offsets {
            *sum.entry(*vertex).or_default() += f64::from(weight) * offset.as_dvec3();
        }
    }
    sum
}

/// A mesh to which the triangles of a shape can be added.
trait Shaped {
    /// Adds a copy of each vertex of the base shape that moves, and of each triangle with such a vertex. The new vertices have the
    /// influences, the normals and the texture coordinates of the old ones.
    fn add_shape(&mut self, base: &Self, offsets: &BTreeMap<u32, DVec3>);
}

impl Shaped for SkinnedMesh {
    fn add_shape(&mut self, base: &Self, offsets: &BTreeMap<u32, DVec3>) {
        let moved = moved(&base.positions, offsets);
        copy_triangles(&mut self.triangles, &base.triangles, self.positions.len(), &moved);
        copy_materials(&mut self.names, &base.names, self.positions.len(), &moved);
        for (vertex, to) in moved {
            let (slots, weights) = base.influences.of(vertex as usize);
            self.influences.slots.extend(slots);
            self.influences.weights.extend(weights);
            self.positions.push(to);
            self.normals.extend(base.normals.get(vertex as usize));
            self.texture_coordinates.extend(base.texture_coordinates.get(vertex as usize));
        }
    }
}

impl Shaped for Attachment {
    fn add_shape(&mut self, base: &Self, offsets: &BTreeMap<u32, DVec3>) {
        let moved = moved(&base.positions, offsets);
        copy_triangles(&mut self.triangles, &base.triangles, self.positions.len(), &moved);
        copy_materials(&mut self.names, &base.names, self.positions.len(), &moved);
        for (vertex, to) in moved {
            self.positions.push(to);
            self.normals.extend(base.normals.get(vertex as usize));
            self.texture_coordinates.extend(base.texture_coordinates.get(vertex as usize));
        }
    }
}

/// The vertices that these offsets move to another place, ascending, with the new places.
fn moved(base: &[Vec3], offsets: &BTreeMap<u32, DVec3>) -> Vec<(u32, Vec3)> {
    let moved = |(&vertex, offset): (&u32, &DVec3)| {
        let from = base[vertex as usize];
        let to = (from.as_dvec3() + *offset).as_vec3();
        (to != from && to.is_finite()).then_some((vertex, to))
    };
    offsets.iter().filter_map(moved).collect()
}

/// Copies each triangle with a vertex that moves. The copies of vertices are numbered from `first`.
fn copy_triangles(triangles: &mut Vec<[u32; 3]>, base: &[[u32; 3]], first: usize, moved: &[(u32, Vec3)]) {
    let copy = |corner: u32| {
        let place = moved.binary_search_by_key(&corner, |(vertex, _)| *vertex).ok()?;
        Some((first + place) as u32)
    };
    let changed = base.iter().filter(|triangle| triangle.iter().any(|&corner| copy(corner).is_some()));
    triangles.extend(changed.map(|triangle| triangle.map(|corner| copy(corner).unwrap_or(corner))));
}

/// Gives the copies the materials of their vertices.
fn copy_materials(names: &mut MeshNames, base: &MeshNames, first: usize, moved: &[(u32, Vec3)]) {
    let mut from = 0;
    for (material, end) in &base.materials {
        let before = |end: usize| moved.partition_point(|(vertex, _)| (*vertex as usize) < end);
        if before(*end) > before(from) {
            names.materials.push((material.clone(), first + before(*end)));
        }
        from = *end;
    }
}
