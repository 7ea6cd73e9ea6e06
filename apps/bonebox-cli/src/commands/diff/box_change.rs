//! The boxes that were added, removed or changed between two bakes.

use crate::shape_change::{ShapeChange, shape_change};
use baked_format::{BakedCharacter, Hitbox};
use std::collections::BTreeMap;
use std::fmt;

/// The difference of a box between two bakes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change {
    /// Only the new bake has the box.
    Added,
    /// Only the old bake has the box.
    Removed,
    /// Both bakes have the box, and it differs.
    Changed {
        /// The difference of place, size and shape; `None` if the shapes are the same and no corner moved by more than the
        /// threshold.
        shape: Option<ShapeChange>,
        /// The tags that only the new box has, including those of sets.
        new_tags: Vec<String>,
        /// The tags that only the old box has, including those of sets.
        lost_tags: Vec<String>,
    },
}

/// A box that differs between two bakes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BoxChange {
    /// The joint's name. Further boxes of the same joint have a number from 2 on.
    pub(crate) name: String,
    /// The difference of the box.
    pub(crate) change: Change,
}

/// Returns boxes that were added, removed or changed, in the order of their names.
///
/// `over` is a share of half the box's diagonal: if no corner of a box moved by more, it counts as unchanged. A hitbox with
/// another shape has always changed.
/// Boxes are matched by the name of their joint, and several boxes of one joint by their order.
pub(crate) fn box_changes(old: &BakedCharacter, new: &BakedCharacter, over: f64) -> Vec<BoxChange> {
    let (old, new) = (by_name(old), by_name(new));
    let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
    names.sort();
    names.dedup();
    let change = |name: &&String| match (old.get(*name), new.get(*name)) {
        (None, _) => Some(Change::Added),
        (_, None) => Some(Change::Removed),
        (Some(old), Some(new)) => changed(old, new, over),
    };
    let changes = names.iter().filter_map(|name| Some(BoxChange { name: (*name).clone(), change: change(name)? }));
    changes.collect()
}

fn by_name(character: &BakedCharacter) -> BTreeMap<String, &Hitbox> {
    let mut boxes = BTreeMap::new();
    let mut previous = None;
    let mut number = 1;
    for baked in &character.boxes {
        number = if previous == Some(baked.joint) { number + 1 } else { 1 };
        previous = Some(baked.joint);
        let joint = &character.skeleton.joint(baked.joint).name;
        let name = if number == 1 { joint.clone() } else { format!("{joint} ({number})") };
        boxes.insert(name, baked);
    }
    boxes
}

fn changed(old: &Hitbox, new: &Hitbox, over: f64) -> Option<Change> {
    let shape = shape_change(old, new).filter(|change| change.shapes.is_some() || change.corners > over);
    let only = |these: &Hitbox, those: &Hitbox| -> Vec<String> {
        these.tags.iter().filter(|tag| !those.tags.contains(tag)).cloned().collect()
    };
    let (new_tags, lost_tags) = (only(new, old), only(old, new));
    let differs = shape.is_some() || !new_tags.is_empty() || !lost_tags.is_empty();
    differs.then_some(Change::Changed { shape, new_tags, lost_tags })
}

impl fmt::Display for BoxChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.change {
            Change::Added => write!(f, "added    {}", self.name),
            Change::Removed => write!(f, "removed  {}", self.name),
            Change::Changed { shape, new_tags, lost_tags } => {
                write!(f, "changed  {}:", self.name)?;
                let mut parts: Vec<String> = shape.iter().map(shape_text).collect();
                let tags = new_tags.iter().map(|tag| format!("+{tag}"));
                let tags: Vec<String> = tags.chain(lost_tags.iter().map(|tag| format!("-{tag}"))).collect();
                if !tags.is_empty() {
                    parts.push(format!("tags {}", tags.join(" ")));
                }
                write!(f, " {}", parts.join("; "))
            }
        }
    }
}

fn shape_text(change: &ShapeChange) -> String {
    let ShapeChange { moved, turned, old_half_extents: old, new_half_extents: new, volumes, .. } = *change;
    let grown = |[old, new]: [f32; 2]| match (old, new) {
        (old, new) if old == new => "same".to_owned(),
        (0.0, _) => "no longer flat".to_owned(),
        (old, new) => format!("{:+.1} %", 100.0 * (f64::from(new) / f64::from(old) - 1.0)),
    };
    let (sides, volume) = ([0, 1, 2].map(|axis| grown([old[axis], new[axis]])).join(", "), grown(volumes));
    let shapes =
        change.shapes.map(|[old, new]| format!("{} instead of {}; ", new.keyword(), old.keyword())).unwrap_or_default();
    format!(
        "{shapes}volume {volume}; edges {sides}; moved by {:.1} % of its size, turned by {turned:.1} degrees",
        100.0 * moved
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use baked_format::HitboxShape;
    use bone_fit::BakeOptions;
    use glam::{Quat, Vec3};
    use skinned_model::NoExternalFiles;

    fn man() -> BakedCharacter {
        let model = skinned_model::import(&test_models::box_man().to_glb(), &NoExternalFiles).unwrap();
        let source = baked_format::Source { file: "man.glb".into(), blake3: [0; 32], generator: "test".into() };
        bone_fit::bake(&model, "man", source, &BakeOptions::default()).unwrap().character
    }

    /// The printed change of the first box after an edit, with a threshold of 1 percent.
    fn told(edit: impl FnOnce(&mut Hitbox)) -> Vec<String> {
        let old = man();
        let mut new = old.clone();
        edit(&mut new.boxes[0]);
        box_changes(&old, &new, 0.01).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_bake_does_not_differ_from_itself() {
        assert_eq!(box_changes(&man(), &man(), 0.0), []);
    }

    #[test]
    fn a_box_reshaped_at_equal_volume_is_listed() {
        let told = told(|one| {
            one.orientation = Quat::IDENTITY;
            one.half_extents = Vec3::new(one.half_extents.x * 2.0, one.half_extents.y / 2.0, one.half_extents.z);
        });
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains(": volume same; edges "), "{told:?}");
    }

    #[test]
    fn the_volume_of_a_larger_box_is_told() {
        let told = told(|one| one.half_extents *= Vec3::new(1.1, 1.2, 1.0));
        assert!(told[0].contains(": volume +32.0 %; edges "), "{told:?}");
    }

    #[test]
    fn moves_and_turns_are_listed() {
        let moved = told(|one| one.center.x += one.half_extents.length() * 0.5);
        assert!(
            moved[0].contains("volume same; edges same, same, same; moved by 50.0 % of its size, turned by 0.0"),
            "{moved:?}"
        );
        let turned = told(|one| one.orientation *= Quat::from_xyzw(0.0, 0.0, 0.1, 1.0).normalize());
        assert!(turned[0].contains("moved by 0.0 % of its size, turned by 11.4 degrees"), "{turned:?}");
        assert_eq!(told(|one| one.center.x += one.half_extents.length() * 0.009), [""; 0], "below the threshold");
    }

    #[test]
    fn another_shape_is_listed_at_any_threshold() {
        let told = told(|one| one.shape = HitboxShape::Capsule);
        assert!(told[0].contains(": capsule instead of box; volume -"), "{told:?}");
    }

    #[test]
    fn changed_tags_are_listed_at_any_threshold() {
        let told = told(|one| one.tags = vec!["torso".into(), "vital".into()]);
        assert!(told[0].ends_with(": tags +torso +vital"), "{told:?}");
        let (mut old, new) = (man(), man());
        old.boxes[0].tags = vec!["torso".into()];
        let told = box_changes(&old, &new, f64::INFINITY);
        assert!(told[0].to_string().ends_with(": tags -torso"), "{told:?}");
    }

    #[test]
    fn added_and_removed_boxes_are_listed() {
        let (old, mut new) = (man(), man());
        let gone = new.boxes.remove(0);
        let name = &old.skeleton.joint(gone.joint).name;
        assert_eq!(box_changes(&old, &new, 1.0)[0].to_string(), format!("removed  {name}"));
        assert_eq!(box_changes(&new, &old, 1.0)[0].to_string(), format!("added    {name}"));
        new.boxes.insert(0, gone.clone());
        new.boxes.insert(1, gone);
        assert_eq!(box_changes(&old, &new, 1.0)[0].to_string(), format!("added    {name} (2)"));
    }
}
