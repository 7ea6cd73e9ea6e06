//! Reads the morph targets of skinned meshes and attachments, and the weights that nodes, meshes and animations give them.

use crate::character::primitive;
use crate::character::skinned_meshes::MeshSource;
use crate::decode::accessor::{ComponentType, Reader, Type};
use crate::error::ImportError;
use crate::model::{MorphTargets, Morphed};
use crate::warnings::Warnings;
use glam::Vec3;
use gltf::json::animation::{Interpolation, Property, Sampler};
use gltf::json::mesh::{MorphTarget, Primitive, Semantic};
use gltf::json::validation::Checked;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeSet;

/// The number of equal parts of the time between two keys of a spline at whose ends the weights are read.
const PARTS_OF_SPLINE: usize = 8;

/// Reads the morph targets of all meshes that have some. Targets and weights that cannot be read are left out with a warning,
/// because a character is complete without them.
pub(crate) fn read(
    reader: &Reader<'_>,
    sources: &[(Morphed, MeshSource)],
    warnings: &mut Warnings,
) -> Result<Vec<MorphTargets>, ImportError> {
    let mut all = Vec::new();
    for (of, source) in sources {
        let primitives = &reader.document.meshes[source.mesh].primitives;
        let count = primitives.iter().map(|one| targets(one).len()).max().unwrap_or(0);
        if count == 0 {
            continue;
        }
        let place = || reader.document.mesh_place(source.mesh);
        reader.budget.charge(count as u64, size_of::<Vec<(u32, Vec3)>>(), place)?;
        let mut offsets = vec![Vec::new(); count];
        for (number, (primitive, start)) in primitives.iter().zip(&source.starts).enumerate() {
            let Some((start, vertices)) = *start else { continue };
            for (target, offsets) in targets(primitive).iter().zip(&mut offsets) {
                let place = || format!("{}, primitive {number}, morph target", place());
                match read_offsets(reader, target, vertices, &place) {
                    Ok(read) => append(reader, offsets, &read, start, &place)?,
                    Err(error @ ImportError::Limit { .. }) => return Err(error),
                    Err(error) => {
                        warnings.add("unreadable-attribute", None, format!("{error}; the morph target is left out"));
                    }
                }
            }
        }
        let weights = read_weights(reader, source.mesh, count, warnings)?;
        let extras = reader.document.meshes[source.mesh].extras.as_deref();
        // A name takes at least five bytes of JSON, or is made here.
        let length = extras.map_or(0, |text| text.get().len());
        reader.budget.charge(1, 8 * length + count * (size_of::<String>() + 32), place)?;
        let names = names(extras, count);
        all.push(MorphTargets { of: *of, names, offsets, weights });
    }
    Ok(all)
}

pub(crate) fn targets(primitive: &Primitive) -> &[MorphTarget] {
    primitive.targets.as_deref().unwrap_or_default()
}

/// The names that exporters write to the `extras` of a mesh. glTF has no member for them.
fn names(extras: Option<&RawValue>, count: usize) -> Vec<String> {
    #[derive(Default, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Extras {
        #[serde(default)]
        target_names: Vec<Option<String>>,
    }
    let read = extras.and_then(|text| serde_json::from_str::<Extras>(text.get()).ok());
    let mut names = read.unwrap_or_default().target_names.into_iter();
    let or_number = |(number, name): (usize, Option<String>)| name.unwrap_or_else(|| format!("target_{number}"));
    (0..count).map(|number| (number, names.next().flatten().filter(|name| !name.is_empty()))).map(or_number).collect()
}

/// The offset of each vertex of a primitive; empty if the target does not move positions.
fn read_offsets(
    reader: &Reader<'_>,
    target: &MorphTarget,
    vertices: usize,
    place: &dyn Fn() -> String,
) -> Result<Vec<[f32; 3]>, ImportError> {
    let Some(accessor) = target.positions.map(|accessor| accessor.value()) else { return Ok(Vec::new()) };
    let wanted = "VEC3 of floats, or of 8 or 16-bit integers";
    let format = reader.expect(accessor, place, wanted, |format| {
        format.kind == Type::Vec3 && format.component != ComponentType::U32
    })?;
    primitive::same_count(reader, accessor, format, vertices, place)?;
    let offsets = reader.floats::<3>(accessor, usize::MAX)?;
    match offsets.iter().position(|offset| !offset.iter().all(|part| part.is_finite())) {
        None => Ok(offsets),
        Some(vertex) => Err(ImportError::NotFinite {
            place: format!("{}, {}", place(), Checked::Valid(Semantic::Positions).to_string()),
            element: format!("vertex {vertex}"),
            found: format!("{:?}", offsets[vertex]),
        }),
    }
}

/// Adds the offsets that are not zero.
fn append(
    reader: &Reader<'_>,
    offsets: &mut Vec<(u32, Vec3)>,
    read: &[[f32; 3]],
    start: usize,
    place: &dyn Fn() -> String,
) -> Result<(), ImportError> {
    let moved = || read.iter().enumerate().filter(|(_, offset)| **offset != [0.0; 3]);
    reader.budget.charge(moved().count() as u64, 2 * size_of::<(u32, Vec3)>(), place)?;
    offsets.extend(moved().map(|(vertex, &offset)| ((start + vertex) as u32, Vec3::from(offset))));
    Ok(())
}

/// All different lists of weights of a mesh's targets, in the order of the file: those of its nodes or of the mesh itself, then
/// those of animations.
fn read_weights(
    reader: &Reader<'_>,
    mesh: usize,
    count: usize,
    warnings: &mut Warnings,
) -> Result<Vec<Vec<f32>>, ImportError> {
    let document = reader.document;
    let mut all = Lists { count, lists: Vec::new(), seen: BTreeSet::new() };
    let is_node = |node: usize| document.nodes.0[node].mesh == Some(mesh as u32);
    for node in (0..document.nodes.0.len()).filter(|&node| is_node(node)) {
        let own = document.nodes.0[node].weights.as_deref();
        if let Some(weights) = own.or(document.meshes[mesh].weights.as_deref()) {
            all.add(reader, weights, || document.node_place(node), warnings)?;
        }
    }
    for (index, animation) in document.animations.iter().enumerate() {
        for (number, channel) in animation.channels.iter().enumerate() {
            let is_weights = channel.target.path == Checked::Valid(Property::MorphTargetWeights);
            if !is_weights || !channel.target.node.is_some_and(|node| is_node(node as usize)) {
                continue;
            }
            let place = || format!("{}, channel {number}", document.animation_place(index));
            let sampler = &animation.samplers[channel.sampler as usize];
            let keys = reader.accessor(sampler.input.value()).count.0 as usize;
            match read_keys(reader, sampler, keys, count, &place) {
                Ok(lists) => lists.iter().try_for_each(|weights| all.add(reader, weights, place, warnings))?,
                Err(error @ ImportError::Limit { .. }) => return Err(error),
                Err(error) => {
                    warnings.add("broken-clip", None, format!("{error}; the weights of morph targets are left out"));
                }
            }
        }
    }
    Ok(all.lists)
}

/// Different lists of weights.
struct Lists {
    /// The length of each list.
    count: usize,
    lists: Vec<Vec<f32>>,
    seen: BTreeSet<Vec<u32>>,
}

impl Lists {
    fn add(
        &mut self,
        reader: &Reader<'_>,
        weights: &[f32],
        place: impl Fn() -> String,
        warnings: &mut Warnings,
    ) -> Result<(), ImportError> {
        if weights.len() != self.count || !weights.iter().all(|weight| weight.is_finite()) {
            let text = format!(
                "{}: expected {} finite weights of morph targets, found {weights:?}; they are left out",
                place(),
                self.count
            );
            warnings.add("unreadable-attribute", None, text);
            return Ok(());
        }
        // Adding 0 makes -0 and 0 equal.
        let weights: Vec<f32> = weights.iter().map(|weight| weight + 0.0).collect();
        if self.seen.insert(weights.iter().map(|weight| weight.to_bits()).collect()) {
            reader.budget.charge(1, 2 * (size_of::<Vec<f32>>() + 4 * self.count), place)?;
            self.lists.push(weights);
        }
        Ok(())
    }
}

/// The weights at each key of a sampler. Between the keys of a spline, more lists approximate the curve, which may leave the
/// range of its keys.
fn read_keys(
    reader: &Reader<'_>,
    sampler: &Sampler,
    keys: usize,
    count: usize,
    place: &dyn Fn() -> String,
) -> Result<Vec<Vec<f32>>, ImportError> {
    let output = sampler.output.value();
    let format = reader.expect(output, place, "SCALAR of floats, or of normalized integers", |format| {
        format.kind == Type::Scalar && (format.component == ComponentType::F32 || format.normalized)
    })?;
    let is_spline = sampler.interpolation == Checked::Valid(Interpolation::CubicSpline);
    let expected = keys.saturating_mul(count).saturating_mul(if is_spline { 3 } else { 1 });
    if format.count != expected {
        return Err(ImportError::Malformed {
            place: format!("{}, {}", place(), reader.document.accessor_place(output)),
            expected: format!("{expected} weights, for {keys} keys and {count} morph targets"),
            found: format!("{} weights", format.count),
            cure: "the file is damaged: export it again",
        });
    }
    let values: Vec<f32> = reader.floats::<1>(output, usize::MAX)?.into_iter().flatten().collect();
    let rows: Vec<&[f32]> = values.chunks_exact(count).collect();
    if !is_spline {
        return Ok(rows.iter().map(|row| row.to_vec()).collect());
    }
    let times = reader.floats::<1>(sampler.input.value(), usize::MAX)?;
    // A key has three rows: the tangent before it, its values, and the tangent after it.
    let mut lists: Vec<Vec<f32>> = rows.chunks_exact(3).map(|key| key[1].to_vec()).collect();
    for (key, two) in times.windows(2).enumerate() {
        let span = f64::from(two[1][0]) - f64::from(two[0][0]);
        let [from, leaving, arriving, to] = [3 * key + 1, 3 * key + 2, 3 * key + 3, 3 * key + 4].map(|row| rows[row]);
        for part in 1..PARTS_OF_SPLINE {
            let t = part as f64 / PARTS_OF_SPLINE as f64;
            let at = |index: usize| {
                let [from, leaving, arriving, to] =
                    [from[index], leaving[index], arriving[index], to[index]].map(f64::from);
                // The cubic Hermite spline of glTF 2.0, appendix C.
                let (t2, t3) = (t * t, t * t * t);
                let value = (2.0 * t3 - 3.0 * t2 + 1.0) * from
                    + span * (t3 - 2.0 * t2 + t) * leaving
                    + (3.0 * t2 - 2.0 * t3) * to
                    + span * (t3 - t2) * arriving;
                value as f32
            };
            lists.push((0..count).map(at).collect());
        }
    }
    Ok(lists)
}
