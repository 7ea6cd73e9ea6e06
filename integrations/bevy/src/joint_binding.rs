//! Finds the entity of each joint below a root.

use crate::{Bonebox, HitboxError, Hitboxes};
use bevy_ecs::prelude::*;
use bevy_platform::collections::HashMap;
use bonebox::Character;

/// The components that the search for joints reads below a root.
pub(crate) type Tree<'w, 's> =
    Query<'w, 's, (Option<&'static Name>, Option<&'static Children>, Option<&'static ChildOf>, Has<Hitboxes>)>;

/// The largest number of similar names in an error.
const OFFERED: usize = 3;

/// The entities below a root by name, in the order of the tree. Another character below the root, such as a rider,
/// keeps its own joints.
struct Names<'a> {
    entities: HashMap<&'a str, Vec<Entity>>,
    /// The names in the order of the tree, so that messages are the same every time.
    in_order: Vec<&'a str>,
}

impl<'a> Names<'a> {
    fn below(root: Entity, tree: &'a Tree<'_, '_>) -> Self {
        let mut names = Self { entities: HashMap::default(), in_order: Vec::new() };
        let children = |entity: Entity| tree.get(entity).ok().and_then(|(_, children, ..)| children);
        let mut next: Vec<Entity> = children(root).map(|all| all.iter().rev().collect()).unwrap_or_default();
        while let Some(entity) = next.pop() {
            let Ok((name, children, _, has_hitboxes)) = tree.get(entity) else { continue };
            if has_hitboxes {
                continue;
            }
            if let Some(name) = name {
                names.entities.entry(name.as_str()).or_default().push(entity);
                names.in_order.push(name.as_str());
            }
            next.extend(children.into_iter().flat_map(|all| all.iter().rev()));
        }
        names
    }

    fn of(&self, name: &str) -> &[Entity] {
        self.entities.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns the names that are most similar to `name`, the most similar first.
    fn nearest(&self, name: &str) -> Vec<String> {
        nearest_names(name, self.in_order.iter().copied())
    }
}

/// Returns the names that are most similar to `name`, the most similar first, at most three.
fn nearest_names<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Vec<String> {
    let wanted = name.to_lowercase();
    let distance = |known: &str| strsim::osa_distance(&wanted, &known.to_lowercase());
    let mut all: Vec<(usize, &str)> = known.map(|known| (distance(known), known)).collect();
    all.sort_by_key(|&(distance, _)| distance);
    all.dedup();
    all.into_iter().take(OFFERED).map(|(_, known)| known.to_owned()).collect()
}

/// Returns the names of a character's joints that are most similar to `name`, the most similar first, at most three.
pub(crate) fn nearest_joints(name: &str, character: &Character) -> Vec<String> {
    nearest_names(name, character.skeleton().joints().iter().map(|joint| joint.name.as_str()))
}

/// Finds the joints of a character below its root, one entry for each joint of the skeleton. Returns `None` if nothing
/// below the root has a name yet, because the scene is not loaded.
///
/// # Errors
/// Returns an error if a joint that a pose needs was not found, or if several entities could be the joint.
pub(crate) fn find_joints(
    root: Entity,
    asset: &Bonebox,
    tracked: &[String],
    tree: &Tree<'_, '_>,
) -> Option<Result<Vec<Option<Entity>>, HitboxError>> {
    let names = Names::below(root, tree);
    if names.in_order.is_empty() {
        return None;
    }
    Some(find_in(&names, asset, tracked, tree))
}

fn find_in(
    names: &Names<'_>,
    asset: &Bonebox,
    tracked: &[String],
    tree: &Tree<'_, '_>,
) -> Result<Vec<Option<Entity>>, HitboxError> {
    let character = asset.character();
    let mut found: Vec<Option<Entity>> = Vec::with_capacity(character.skeleton().len());
    let mut missing: Vec<&str> = Vec::new();
    for (index, joint) in character.skeleton().joints().iter().enumerate() {
        let is_needed = asset.is_needed(index) || tracked.contains(&joint.name);
        let parent = joint.parent.and_then(|parent| found[parent.index()]);
        let is_free = |entity: &Entity| !found.contains(&Some(*entity));
        let named: Vec<Entity> = names.of(&joint.name).iter().copied().filter(is_free).collect();
        let entity = match named.as_slice() {
            [] => other_name(&joint.name, joint.node.0).iter().find_map(|name| {
                names.of(name).iter().copied().find(|one| is_free(one) && is_child(*one, parent, tree))
            }),
            [one] => Some(*one),
            several => {
                let of_parent: Vec<Entity> =
                    several.iter().copied().filter(|one| is_child(*one, parent, tree)).collect();
                if of_parent.len() != 1 && is_needed {
                    let (character, joint) = (character.name().to_owned(), joint.name.clone());
                    return Err(HitboxError::AmbiguousJoint { character, joint, count: several.len() });
                }
                of_parent.first().copied()
            }
        };
        if entity.is_none() && is_needed {
            missing.push(&joint.name);
        }
        found.push(entity);
    }
    let Some(first) = missing.first() else { return Ok(found) };
    Err(HitboxError::NoJoint {
        character: character.name().to_owned(),
        joint: (*first).to_owned(),
        more: missing.len() - 1,
        nearest: names.nearest(first),
    })
}

/// Returns the names that Bevy's glTF loader gives to a node whose joint was named by the bake, because the node has no
/// name or shares its name with other nodes.
fn other_name(name: &str, node: u32) -> Vec<String> {
    let mut names = vec![format!("GltfNode{node}")];
    if let Some((base, number)) = name.rsplit_once('_')
        && number.parse::<u32>().is_ok()
    {
        names.push(base.to_owned());
    }
    names
}

/// Returns `true` if the entity is a child of the parent joint. A joint without a parent joint may be a child of any
/// entity.
fn is_child(entity: Entity, parent: Option<Entity>, tree: &Tree<'_, '_>) -> bool {
    let above = tree.get(entity).ok().and_then(|(_, _, above, _)| above).map(ChildOf::parent);
    parent.is_none() || above == parent
}
