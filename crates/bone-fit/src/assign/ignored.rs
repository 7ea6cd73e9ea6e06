//! The skin that no hitbox needs to hold: what the option `ignore` names, collision helpers and coarser levels of detail.

use crate::assign::owner::Ownership;
use crate::options::{BakeOptions, Helpers};
use crate::skin::bound_mesh::{BoundMesh, BoundPart, Ignored};
use skinned_model::{MeshNames, SkinnedModel};
use std::collections::{BTreeMap, BTreeSet};

impl<'a> BoundMesh<'a> {
    /// The surface of a bake, without the skin that its options ignore.
    pub(crate) fn of_bake(model: &'a SkinnedModel, options: &BakeOptions) -> Self {
        let mut mesh = Self::new(model, options.attachments);
        let (ignored, vertices) = Ignored::find(model, &mesh, options);
        for (part, is_ignored) in mesh.parts.iter_mut().zip(&vertices) {
            if is_ignored.contains(&true) {
                part.ignore(is_ignored);
            }
        }
        if !ignored.is_empty() {
            mesh.measure_height();
        }
        mesh.ignored = ignored;
        mesh
    }
}

impl Ignored {
    /// Finds what a bake ignores. Returns for each part of the mesh which vertices are ignored; no parts if nothing is.
    fn find(model: &SkinnedModel, mesh: &BoundMesh<'_>, options: &BakeOptions) -> (Self, Vec<Vec<bool>>) {
        let names = || model.meshes.iter().map(|one| &one.names).chain(model.attachments.iter().map(|one| &one.names));
        let names: Vec<&MeshNames> = names().take(mesh.parts.len()).collect();
        let is_helper = if options.helpers == Helpers::Skip { helpers(&names) } else { vec![false; names.len()] };
        if options.ignore.is_empty() && !is_helper.contains(&true) {
            return Default::default();
        }
        let mut ignored = Self::default();
        let mut used = vec![false; options.ignore.len()];
        let mut vertices = Vec::with_capacity(names.len());
        let (mut area, mut left_out) = (0.0, 0.0);
        let at_rest = mesh.posed(&mesh.model_from_joint);
        for (index, part) in mesh.parts.iter().enumerate() {
            if is_helper[index] {
                ignored.helpers.push(shown(names[index]).to_owned());
                vertices.push(vec![true; part.positions.len()]);
                continue;
            }
            let of_part = matched(mesh, part, names[index], options, &mut used);
            for triangle in part.triangles {
                let corners = triangle.map(|corner| at_rest[index][corner as usize]);
                let [Some(a), Some(b), Some(c)] = corners else { continue };
                let doubled = (b - a).cross(c - a).length();
                area += doubled;
                left_out += if triangle.iter().any(|&corner| of_part[corner as usize]) { doubled } else { 0.0 };
            }
            vertices.push(of_part);
        }
        let in_use = options.ignore.iter().zip(used).filter(|(_, is_used)| *is_used);
        ignored.patterns = in_use.map(|(pattern, _)| pattern.as_str().to_owned()).collect();
        ignored.share = if area > 0.0 { left_out / area } else { 0.0 };
        (ignored, vertices)
    }
}

/// Returns which vertices of a part a pattern of the option `ignore` matches. Sets the entries of `used` of patterns that match
/// any.
fn matched(
    mesh: &BoundMesh<'_>,
    part: &BoundPart<'_>,
    names: &MeshNames,
    options: &BakeOptions,
    used: &mut [bool],
) -> Vec<bool> {
    if options.ignore.is_empty() {
        return vec![false; part.positions.len()];
    }
    let rule = Ownership::new(options);
    let owners: Vec<_> = (0..part.positions.len()).map(|vertex| rule.of_vertex(mesh, part, vertex as u32)).collect();
    let mut found = vec![false; part.positions.len()];
    let mut has_ignored_material = false;
    let mut ignore = |used: &mut bool, vertex: usize| {
        found[vertex] = true;
        *used = true;
    };
    for (pattern, used) in options.ignore.iter().zip(used) {
        let matches = |name: &str| !name.is_empty() && pattern.matches(name);
        if matches(&names.mesh) || names.nodes.iter().any(|node| matches(node)) {
            (0..owners.len()).for_each(|vertex| ignore(used, vertex));
            continue;
        }
        let mut from = 0;
        for (material, end) in &names.materials {
            if matches(material) {
                (from..*end).for_each(|vertex| ignore(used, vertex));
                has_ignored_material = true;
            }
            from = *end;
        }
        let is_joint: Vec<bool> = mesh.skeleton.joints().iter().map(|joint| pattern.matches(&joint.name)).collect();
        for (vertex, owners) in owners.iter().enumerate() {
            if !owners.is_empty() && owners.iter().all(|owner| is_joint[owner.index()]) {
                ignore(used, vertex);
            }
        }
    }
    if has_ignored_material {
        // Primitives of a mesh often share one list of vertices, and each has a copy of the vertices of the ignored primitive.
        let mut is_corner = vec![false; found.len()];
        part.triangles.iter().flatten().for_each(|&corner| is_corner[corner as usize] = true);
        found.iter_mut().zip(is_corner).for_each(|(is_ignored, is_corner)| *is_ignored |= !is_corner);
    }
    found
}

/// Returns all names that patterns of the option `ignore` may match, beside those of joints.
#[must_use]
pub fn surface_names(model: &SkinnedModel) -> Vec<String> {
    let names = model.meshes.iter().map(|one| &one.names).chain(model.attachments.iter().map(|one| &one.names));
    let all = names.flat_map(|names| {
        let materials = names.materials.iter().map(|(material, _)| material);
        names.nodes.iter().chain([&names.mesh]).chain(materials)
    });
    let all: BTreeSet<&String> = all.filter(|name| !name.is_empty()).collect();
    all.into_iter().cloned().collect()
}

/// Returns for each mesh whether it is a collision helper, or a coarser level of detail of another mesh. A mesh that is shown by
/// several nodes is skin if one of the nodes shows it as skin.
fn helpers(names: &[&MeshNames]) -> Vec<bool> {
    let levels: Vec<Option<(String, u32)>> =
        names.iter().map(|one| level_of_nodes(&one.nodes).or_else(|| level(&one.mesh))).collect();
    let mut finest: BTreeMap<&str, u32> = BTreeMap::new();
    for (base, level) in levels.iter().flatten() {
        let there = finest.entry(base).or_insert(*level);
        *there = (*there).min(*level);
    }
    let without_level: BTreeSet<String> =
        names.iter().flat_map(|one| one.nodes.iter().chain([&one.mesh])).map(|name| name.to_lowercase()).collect();
    let is_coarser = |(base, level): &(String, u32)| *level > finest[base.as_str()] || without_level.contains(base);
    let is_helper = |(one, level): (&&MeshNames, &Option<(String, u32)>)| {
        let is_coarser = one.is_coarser_level || level.as_ref().is_some_and(is_coarser);
        let only_collision = !one.nodes.is_empty() && one.nodes.iter().all(|node| is_collision(node));
        is_coarser || only_collision || is_collision(&one.mesh)
    };
    names.iter().zip(&levels).map(is_helper).collect()
}

/// Returns `true` for the name of a collision helper in the conventions of Unreal and Godot.
fn is_collision(name: &str) -> bool {
    const PREFIXES: [&str; 4] = ["ucx", "ubx", "usp", "ucp"];
    const SUFFIXES: [&str; 2] = ["-colonly", "-convcolonly"];
    let name = name.to_lowercase();
    let begins = |prefix: &&str| name.strip_prefix(*prefix).is_some_and(|rest| rest.starts_with(['_', '-']));
    PREFIXES.iter().any(begins) || SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
}

/// Splits the name of a level of detail, `body_LOD1`, into its base in lower case and its number.
fn level(name: &str) -> Option<(String, u32)> {
    let name = name.to_lowercase();
    let without_number = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let number = name[without_number.len()..].parse().ok()?;
    let base = without_number.trim_end_matches(['_', '-', '.', ' ']).strip_suffix("lod")?;
    let stem = base.trim_end_matches(['_', '-', '.', ' ']);
    (stem.len() < base.len() && !stem.is_empty()).then(|| (stem.to_owned(), number))
}

/// The finest of the levels in the names of nodes; `None` if a node names none.
fn level_of_nodes(nodes: &[String]) -> Option<(String, u32)> {
    let levels: Option<Vec<(String, u32)>> = nodes.iter().map(|node| level(node)).collect();
    levels?.into_iter().min_by_key(|(_, level)| *level)
}

/// The name by which a mesh is a helper; the first node's name if no name says so.
fn shown(names: &MeshNames) -> &str {
    let says_so = |name: &str| is_collision(name) || level(name).is_some();
    match names.nodes.first() {
        Some(node) if says_so(node) || !says_so(&names.mesh) => node,
        _ => &names.mesh,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(node: &str) -> MeshNames {
        MeshNames { nodes: vec![node.to_owned()], ..MeshNames::default() }
    }

    fn kept(nodes: &[&str]) -> Vec<String> {
        let names: Vec<MeshNames> = nodes.iter().map(|node| named(node)).collect();
        let helpers = helpers(&names.iter().collect::<Vec<_>>());
        names.iter().zip(helpers).filter(|(_, is_helper)| !is_helper).map(|(one, _)| one.nodes[0].clone()).collect()
    }

    #[test]
    fn the_finest_level_of_each_mesh_is_kept() {
        assert_eq!(kept(&["Body_LOD0", "Body_LOD1", "body_lod2"]), ["Body_LOD0"]);
        assert_eq!(kept(&["Body_LOD2", "Body_LOD1", "Cape_LOD3"]), ["Body_LOD1", "Cape_LOD3"]);
        assert_eq!(kept(&["Body", "Body_LOD1", "Hat-lod_1"]), ["Body", "Hat-lod_1"]);
        assert_eq!(kept(&["melod1", "lod1", "melod2", "a_lod", "Body_LOD1x"]).len(), 5);
        assert_eq!(kept(&["a_lod99999999999", "a_lod0"]).len(), 2);
    }

    #[test]
    fn collision_helpers_are_not_kept() {
        assert_eq!(kept(&["UCX_body", "ubx_Head_01", "USP-hand", "UCP_arm", "wall-colonly", "x-convcolonly"]).len(), 0);
        assert_eq!(kept(&["UCXbody", "Ubx", "colonly", "lucx_body", "body-col"]).len(), 5);
    }
}
