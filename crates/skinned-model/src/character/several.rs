//! Finds the characters of a file that contains several.
//!
//! Skins connect joints: all joints of a skin, and the joints below them, are one *group*. A character often has several
//! groups, for example a skirt with a skin of its own. So groups are characters of their own only if they look like copies
//! of each other:
//!
//! 1. A group is *large* if it has at least two named joints, and at least half as many as the group with the most.
//! 2. A large group is a character if at least half of its names also occur in other large groups.
//! 3. If there are two or more such groups, the file has several characters. Each other group belongs to the character that
//!    is nearest above it: the first node above the group that is above exactly one character decides. If there is no
//!    such node, the group is a character of its own.
//!
//! Names are those of the file, before [`unique_names`] changes them. Joints without a name prove nothing.

use crate::character::unique_names::unique_names;
use crate::document::Document;
use crate::model::CharacterRoot;
use skeleton::NodeIndex;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The characters of a file, if there are several.
pub(crate) struct Several {
    /// The root of each character, in depth-first order; empty if the file has at most one character.
    pub(crate) roots: Vec<CharacterRoot>,
    /// For each node, its character, an index into `roots`. `None` for nodes of no character and nodes above several.
    of_node: Vec<Option<u32>>,
}

/// The relation of a node to the character that an import reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// The node belongs to the character.
    Own,
    /// The node belongs to another character.
    Other,
    /// The node belongs to no character, or is above several.
    Nobody,
}

/// The characters at or below a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    Nothing,
    One(u32),
    Many,
}

impl Below {
    fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, one) | (one, Self::Nothing) => one,
            (one, other) if one == other => one,
            _ => Self::Many,
        }
    }
}

impl Several {
    /// Finds the characters. `order` are all nodes, parents first. The time is proportional to the size of the document.
    pub(crate) fn find(document: &Document, parent: &[Option<u32>], order: &[u32]) -> Self {
        let groups = Groups::find(document, parent, order);
        let copies = groups.copies(document);
        if copies.len() < 2 {
            return Self { roots: Vec::new(), of_node: Vec::new() };
        }
        let mut character: Vec<Option<u32>> = vec![None; groups.count];
        copies.iter().zip(0..).for_each(|(&copy, number)| character[copy] = Some(number));
        let mut count = copies.len() as u32;
        let nearest = nearest_above(parent, order, &groups.below(parent, order, &character));
        for (node, group) in groups.tops() {
            if let (None, Below::One(one)) = (character[group], nearest[node as usize]) {
                character[group] = Some(one);
            }
        }
        for own in character.iter_mut().filter(|character| character.is_none()) {
            *own = Some(count);
            count += 1;
        }
        let below = groups.below(parent, order, &character);
        let mut of_node: Vec<Option<u32>> = vec![None; parent.len()];
        let mut first: BTreeMap<u32, u32> = BTreeMap::new();
        for &node in order {
            let above = parent[node as usize].and_then(|above| of_node[above as usize]);
            of_node[node as usize] = match (above, below[node as usize]) {
                (None, Below::One(one)) => {
                    first.entry(one).or_insert(node);
                    Some(one)
                }
                _ => above,
            };
        }
        let label = |node: u32| document.nodes.0[node as usize].name.as_deref().unwrap_or_default();
        let names = unique_names(first.values().map(|&node| (label(node), format!("node_{node}"))));
        let roots = first.values().zip(names).map(|(&node, name)| CharacterRoot { node: NodeIndex(node), name });
        let mut roots: Vec<(u32, CharacterRoot)> = first.keys().copied().zip(roots).collect();
        let place: HashMap<u32, u32> = order.iter().copied().zip(0..).collect();
        roots.sort_by_key(|(_, root)| place[&root.node.0]);
        let number: HashMap<u32, u32> = roots.iter().map(|&(character, _)| character).zip(0..).collect();
        of_node.iter_mut().for_each(|node| *node = node.and_then(|character| number.get(&character).copied()));
        Self { roots: roots.into_iter().map(|(_, root)| root).collect(), of_node }
    }

    /// The relation of each node to the character with this root; `None` if no character has this root.
    pub(crate) fn nodes_of(&self, root: NodeIndex) -> Option<Vec<Whose>> {
        let number = self.roots.iter().position(|one| one.node == root)? as u32;
        let whose = |character: &Option<u32>| match character {
            Some(character) if *character == number => Whose::Own,
            Some(_) => Whose::Other,
            None => Whose::Nobody,
        };
        Some(self.of_node.iter().map(whose).collect())
    }
}

/// For each node, the characters of the nearest node at or above it that has any at or below it.
fn nearest_above(parent: &[Option<u32>], order: &[u32], below: &[Below]) -> Vec<Below> {
    let mut nearest = below.to_vec();
    for &node in order {
        if let (Below::Nothing, Some(above)) = (below[node as usize], parent[node as usize]) {
            nearest[node as usize] = nearest[above as usize];
        }
    }
    nearest
}

/// The groups of joints that skins connect.
struct Groups {
    /// For each node, its group; `None` for nodes that are no joints.
    of_node: Vec<Option<u32>>,
    /// For each node, `true` if it is a joint and no joint is above it.
    is_top: Vec<bool>,
    count: usize,
}

impl Groups {
    fn find(document: &Document, parent: &[Option<u32>], order: &[u32]) -> Self {
        let nodes = &document.nodes.0;
        let shown: HashSet<u32> =
            nodes.iter().filter(|node| node.mesh.is_some()).filter_map(|node| node.skin).collect();
        let skins = || (0..).zip(&document.skins).filter(|(index, _)| shown.contains(index)).map(|(_, skin)| skin);
        let mut is_joint = vec![false; nodes.len()];
        skins().flat_map(|skin| &skin.joints).for_each(|joint| is_joint[joint.value()] = true);
        // The topmost joint at or above each node.
        let mut top: Vec<Option<u32>> = vec![None; nodes.len()];
        for &node in order {
            let above = parent[node as usize].and_then(|above| top[above as usize]);
            top[node as usize] = above.or(is_joint[node as usize].then_some(node));
        }
        let mut union = Union((0..nodes.len() as u32).collect());
        for skin in skins() {
            let mut tops = skin.joints.iter().filter_map(|joint| top[joint.value()]);
            if let Some(first) = tops.next() {
                tops.for_each(|other| union.join(first, other));
            }
        }
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let mut of_node = vec![None; nodes.len()];
        for &node in order.iter().filter(|&&node| is_joint[node as usize]) {
            if let Some(top) = top[node as usize] {
                let next = numbers.len() as u32;
                of_node[node as usize] = Some(*numbers.entry(union.root(top)).or_insert(next));
            }
        }
        let is_top = (0..nodes.len() as u32).map(|node| is_joint[node as usize] && top[node as usize] == Some(node));
        Self { of_node, is_top: is_top.collect(), count: numbers.len() }
    }

    /// The topmost joints, each with its group.
    fn tops(&self) -> impl Iterator<Item = (u32, usize)> {
        let nodes = (0..).zip(self.is_top.iter().zip(&self.of_node));
        nodes.filter(|(_, (is_top, _))| **is_top).filter_map(|(node, (_, group))| Some((node, (*group)? as usize)))
    }

    /// The groups that look like copies of each other, in ascending order.
    fn copies(&self, document: &Document) -> Vec<usize> {
        let mut names: Vec<HashSet<&str>> = vec![HashSet::new(); self.count];
        for (node, group) in document.nodes.0.iter().zip(&self.of_node) {
            if let (Some(name), Some(group)) = (node.name.as_deref().filter(|name| !name.is_empty()), group) {
                names[*group as usize].insert(name);
            }
        }
        let most = names.iter().map(HashSet::len).max().unwrap_or(0);
        let is_large = |group: &usize| names[*group].len() >= 2 && 2 * names[*group].len() >= most;
        let large: Vec<usize> = (0..self.count).filter(is_large).collect();
        let mut groups_with: HashMap<&str, u32> = HashMap::new();
        large.iter().flat_map(|&group| &names[group]).for_each(|&name| *groups_with.entry(name).or_default() += 1);
        let is_copy = |group: &usize| {
            let repeated = names[*group].iter().filter(|name| groups_with[*name] > 1).count();
            2 * repeated >= names[*group].len()
        };
        large.into_iter().filter(is_copy).collect()
    }

    /// For each node, the characters of the groups at or below it. `character[group]` is the character of a group.
    fn below(&self, parent: &[Option<u32>], order: &[u32], character: &[Option<u32>]) -> Vec<Below> {
        let own =
            |group: &Option<u32>| group.and_then(|group| character[group as usize]).map_or(Below::Nothing, Below::One);
        let mut below: Vec<Below> = self.of_node.iter().map(own).collect();
        for &node in order.iter().rev() {
            if let Some(above) = parent[node as usize] {
                below[above as usize] = below[above as usize].with(below[node as usize]);
            }
        }
        below
    }
}

/// Disjoint sets of nodes. Each node has a link to another node of its set; the root of the set has a link to itself.
struct Union(Vec<u32>);

impl Union {
    /// The root of a node's set. It halves the path on the way (Tarjan and van Leeuwen 1984).
    fn root(&mut self, mut node: u32) -> u32 {
        while self.0[node as usize] != node {
            let next = self.0[node as usize];
            self.0[node as usize] = self.0[next as usize];
            node = next;
        }
        node
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[b.max(a) as usize] = a.min(b);
    }
}
