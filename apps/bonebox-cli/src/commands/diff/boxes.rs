//! Changes of the hitboxes.

use super::change::{Change, Fields, Named, compare_lists, named, number};
use super::skeleton::joint_name;
use crate::shape_change::{ShapeChange, shape_change};
use baked_format::{BakedCharacter, Hitbox, HitboxHull, HitboxShape};
use bone_fit::hitboxes_in_meters;
use glam::DVec3;

/// The names of the hitboxes: those of their joints, and from the second hitbox of a joint on a number.
pub(super) fn box_names(character: &BakedCharacter) -> impl Iterator<Item = String> {
    named_boxes(character).into_iter().map(|(name, _)| name)
}

fn named_boxes(character: &BakedCharacter) -> Named<&Hitbox> {
    named(&character.boxes, |hitbox| joint_name(character, hitbox.joint).to_owned())
}

/// Adds the boxes that were added, removed or changed. Boxes are matched by the name of their joint, and several boxes of one
/// joint by their order.
///
/// `over` is a share of half the box's diagonal: if no corner of a box moved by more, its place and its size count as
/// unchanged. A volume of the box's points counts as unchanged if it differs by at most this share. A hitbox with another
/// shape has always changed.
pub(super) fn compare_boxes(changes: &mut Vec<Change>, sides: [&BakedCharacter; 2], over: f64) {
    let described = |(hitbox, half_extents): (&Hitbox, DVec3)| {
        let [x, y, z] = half_extents.to_array();
        format!("a {} with half extents {x:.4} {y:.4} {z:.4} m", hitbox.shape.keyword())
    };
    let with_meters = sides.map(|character| -> Named<(&Hitbox, DVec3)> {
        let meters = hitboxes_in_meters(character).into_iter().map(|[_, half_extents]| half_extents);
        let boxes = named_boxes(character).into_iter().zip(meters);
        boxes.map(|((name, hitbox), half_extents)| (name, (hitbox, half_extents))).collect()
    });
    compare_lists(changes, "box", with_meters, described, |(old, _), (new, _), fields| {
        compare_box(old, new, over, fields);
    });
}

fn compare_box(old: &Hitbox, new: &Hitbox, over: f64, fields: &mut Fields) {
    let Hitbox {
        // Boxes are matched by joint.
        joint: _,
        // `shape_change` compares the sets of points.
        shape: _,
        center: _,
        half_extents: _,
        orientation: _,
        role,
        tags,
        vertices,
        hull_vertices,
        hull_volume,
        min_volume,
        hull,
    } = old;
    let moved = |change: &ShapeChange| change.shapes.is_some() || change.corners > over;
    if let Some(change) = shape_change(old, new).filter(moved) {
        fields.note("shape", shape_text(&change));
    } else if hull.is_some() {
        // The same hull may have another box around it.
        let [old, new] = [old, new].map(|one| Hitbox { shape: HitboxShape::Box, hull: None, ..one.clone() });
        if let Some(change) = shape_change(&old, &new).filter(moved) {
            fields.note("shape", format!("the box around the hull: {}", shape_text(&change)));
        }
    }
    let triangles = |hull: &Option<HitboxHull>| -> Vec<[u8; 3]> {
        // `shape_change` compares the vertices.
        let Some(HitboxHull { vertices: _, triangles }) = hull else { return Vec::new() };
        triangles.clone()
    };
    fields.list("hull.triangles", &triangles(hull), &triangles(&new.hull));
    fields.value("role", role.keyword(), new.role.keyword());
    let only = |these: &[String], those: &[String], sign: char| -> Vec<String> {
        these.iter().filter(|tag| !those.contains(tag)).map(|tag| format!(" {sign}{tag}")).collect()
    };
    let tags = [only(&new.tags, tags, '+'), only(tags, &new.tags, '-')].concat();
    if !tags.is_empty() {
        fields.note("tags", format!("tags{}", tags.concat()));
    }
    fields.value("vertices", *vertices, new.vertices);
    fields.value("hull_vertices", *hull_vertices, new.hull_vertices);
    let mut volume = |field, old: Option<f32>, new: Option<f32>| {
        let share = |(old, new): (f32, f32)| f64::from(new - old).abs() / f64::from(old);
        if !old.zip(new).is_some_and(|volumes| share(volumes) <= over) {
            fields.value(field, old.map(number), new.map(number));
        }
    };
    volume("hull_volume", Some(*hull_volume), Some(new.hull_volume));
    volume("min_volume", *min_volume, new.min_volume);
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
    use bone_fit::BakeOptions;
    use glam::{Quat, Vec3};
    use skinned_model::NoExternalFiles;

    fn man() -> BakedCharacter {
        let model = skinned_model::import(&test_models::box_man().to_glb(), &NoExternalFiles).unwrap();
        let source = baked_format::Source { file: "man.glb".into(), blake3: [0; 32], generator: "test".into() };
        bone_fit::bake(&model, "man", source, &BakeOptions::default()).unwrap().character
    }

    fn printed(old: &BakedCharacter, new: &BakedCharacter, over: f64) -> Vec<String> {
        let mut changes = Vec::new();
        compare_boxes(&mut changes, [old, new], over);
        changes.iter().map(ToString::to_string).collect()
    }

    /// The printed change of the first box after an edit, with a threshold of 1 percent.
    fn told(edit: impl FnOnce(&mut Hitbox)) -> Vec<String> {
        let old = man();
        let mut new = old.clone();
        edit(&mut new.boxes[0]);
        printed(&old, &new, 0.01)
    }

    #[test]
    fn a_bake_does_not_differ_from_itself() {
        assert_eq!(printed(&man(), &man(), 0.0), [""; 0]);
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
        let told = printed(&old, &new, f64::INFINITY);
        assert!(told[0].ends_with(": tags -torso"), "{told:?}");
    }

    /// A character whose spaces are a hundred times smaller, along x two hundred times, has hitboxes of the same size.
    #[test]
    fn the_sizes_of_hitboxes_are_meters_whatever_the_scale_of_their_joints() {
        let mut scaled = man();
        let [x, y, z] = [200.0, 100.0, 100.0];
        let joints = scaled.skeleton.joints().iter().cloned().enumerate().map(|(index, mut joint)| {
            let mut at = joint.rest.to_affine();
            // Only the root is scaled, and the boxes are along its axes.
            if index == 0 {
                at = glam::Affine3A::from_scale(Vec3::new(x, y, z).recip());
            } else if joint.parent == Some(skeleton::JointIndex(0)) {
                at = glam::Affine3A::from_scale(Vec3::new(x, y, z)) * at;
            }
            joint.rest = skeleton::LocalTransform::Matrix(at);
            joint
        });
        scaled.skeleton = skeleton::Skeleton::new(joints.collect()).unwrap();
        let mut one = scaled.boxes[0].clone();
        one.joint = skeleton::JointIndex(0);
        (one.orientation, one.half_extents) = (Quat::IDENTITY, Vec3::new(0.3 * x, 0.2 * y, 0.1 * z));
        let name = scaled.skeleton.joint(one.joint).name.clone();
        (scaled.boxes, scaled.skin, scaled.envelopes) = (vec![one], None, Vec::new());
        let without = BakedCharacter { boxes: Vec::new(), ..scaled.clone() };
        assert_eq!(
            printed(&without, &scaled, 0.0),
            [format!("added    box {name}: a box with half extents 0.3000 0.2000 0.1000 m")]
        );
    }

    #[test]
    fn added_and_removed_boxes_are_listed() {
        let (old, mut new) = (man(), man());
        let gone = new.boxes.remove(0);
        let name = &old.skeleton.joint(gone.joint).name;
        let starts = |[old, new]: [&BakedCharacter; 2], line: String| {
            let printed = printed(old, new, 1.0);
            assert!(printed.len() == 1 && printed[0].starts_with(&line), "{printed:?}");
        };
        starts([&old, &new], format!("removed  box {name}: a box with half extents "));
        starts([&new, &old], format!("added    box {name}: "));
        new.boxes.insert(0, gone.clone());
        new.boxes.insert(1, gone);
        starts([&old, &new], format!("added    box {name} (2): "));
    }
}
