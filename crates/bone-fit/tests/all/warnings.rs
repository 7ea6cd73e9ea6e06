//! The texts of warnings: lengths in meters, and settings that leave skin out.

use baked_format::{BakedCharacter, HitboxRole, HitboxShape, Source};
use bone_fit::{
    BakeOptions, JointOverride, LengthUnit, ManualBox, Overrides, bake_with, bake_with_hitboxes, hitboxes_in_meters,
};
use glam::Quat;
use skinned_model::{NoExternalFiles, SkinnedModel, import};

/// The lengths in meters of a unit of the joints' spaces along x, y and z.
const UNITS: [[f32; 3]; 4] = [[1.0; 3], [0.01; 3], [100.0; 3], [4.0, 0.5, 0.25]];

fn source() -> Source {
    Source { file: "man.glb".into(), blake3: [0; 32], generator: "test".into() }
}

fn man(unit: [f32; 3]) -> SkinnedModel {
    let mut man = test_models::box_man();
    man.clips.clear();
    import(&man.to_gltf_in(unit).to_glb(), &NoExternalFiles).unwrap()
}

fn baked(model: &SkinnedModel, words: &[(&str, &str)], joints: &[(&str, JointOverride)]) -> BakedCharacter {
    let options = BakeOptions::from_entries(words.iter().copied()).unwrap();
    let joints = joints.iter().map(|(name, own)| ((*name).to_owned(), own.clone())).collect();
    let overrides = Overrides { joints, ..Overrides::default() };
    bake_with(model, "man", source(), &options, &overrides).unwrap().character
}

/// The texts of the warnings with one of these codes.
fn texts(character: &BakedCharacter, codes: &[&str]) -> String {
    let listed = character.warnings.iter().filter(|warning| codes.contains(&warning.code.as_str()));
    listed.map(|warning| format!("{}: {}", warning.code, warning.text)).collect::<Vec<_>>().join("\n")
}

fn replacing(boxes: &[([f32; 3], [f32; 3])]) -> JointOverride {
    let one = |&(center, half_extents): &([f32; 3], [f32; 3])| ManualBox {
        shape: HitboxShape::Box,
        center: center.into(),
        half_extents: half_extents.into(),
        orientation: Quat::IDENTITY,
        tags: vec![],
        role: HitboxRole::Hurt,
        unit: LengthUnit::Meters,
    };
    JointOverride { skip: true, boxes: boxes.iter().map(one).collect(), ..JointOverride::default() }
}

/// The head of the man is flattened along two axes. The warning tells how thick its box is in the world.
#[test]
fn the_thickness_of_flat_hitboxes_is_in_meters() {
    for unit in UNITS {
        let mut flat = test_models::box_man();
        let of_head = |vertex: usize| flat.influences[vertex][0].0 == 2;
        let middle = flat.origin(2);
        for vertex in (0..flat.positions.len()).filter(|&vertex| of_head(vertex)).collect::<Vec<_>>() {
            flat.positions[vertex][0] = middle[0];
            flat.positions[vertex][2] = middle[2];
        }
        let model = import(&flat.to_gltf_in(unit).to_glb(), &NoExternalFiles).unwrap();
        let character = baked(&model, &[("fit", "joint-axes"), ("min_thickness", "0.01")], &[]);
        let head = character.boxes.iter().position(|one| one.joint.0 == 2).unwrap();
        let [_, half_extents] = hitboxes_in_meters(&character)[head];
        let text = texts(&character, &["flat-group"]);
        let said = "flat-group: joint \"head\": its 8 points are thinner than `min_thickness = 0.01` along two axes, so the box was \
                    enlarged to ";
        let lengths =
            text.strip_prefix(said).and_then(|rest| rest.strip_suffix(" m there")).unwrap_or_else(|| panic!("{text}"));
        let lengths: Vec<f64> = lengths.split(", ").map(|length| length.parse().unwrap()).collect();
        let is_even = unit == [unit[0]; 3];
        let thickness = if is_even { vec![half_extents.x] } else { vec![half_extents.x, half_extents.z] };
        assert_eq!(lengths.len(), thickness.len(), "{text}");
        for (length, half) in lengths.into_iter().zip(thickness) {
            assert!((length / (2.0 * half) - 1.0).abs() < 1e-3, "{text}, but {half}");
            // A hundredth of the height of 1.8 meters.
            assert!(!is_even || (length - 0.018).abs() < 1e-9, "{text}");
        }
    }
}

#[test]
fn a_character_that_is_small_beside_its_distance_is_measured_in_meters() {
    for unit in UNITS {
        let mut far = test_models::box_man();
        far.joints[0].translation[0] += 1e6;
        far.positions.iter_mut().for_each(|at| at[0] += 1e6);
        let model = import(&far.to_gltf_in(unit).to_glb(), &NoExternalFiles).unwrap();
        let text = texts(&baked(&model, &[("measure", "none")], &[]), &["implausible-size"]);
        assert!(text.contains("is 1.8 m high, but joint \"") && text.contains("is 1.00e6 m from the origin"), "{text}");
    }
}

/// Thighs are 17.8 % of the surface. Whatever keeps them out of hitboxes is named, and no preset, because none helps.
#[test]
fn low_coverage_names_the_settings_that_leave_skin_out() {
    for unit in UNITS {
        let low = |words: &[(&str, &str)], joints: &[(&str, JointOverride)]| {
            texts(&baked(&man(unit), words, joints), &["low-coverage"])
        };
        let start =
            "low-coverage: the boxes hold 82.2 % of the surface in the rest pose; settings leave 17.8 % of it out: ";
        let end = "; change these settings, or list the joints under `ignore` if nothing should hit them";
        let both = |why: &str| format!("{start}\"thigh.left\" 8.9 % ({why}), \"thigh.right\" 8.9 % ({why}){end}");
        for preset in ["recipe", "tight", "cover"] {
            assert_eq!(low(&[("preset", preset), ("exclude", "thigh*")], &[]), both("`exclude` has \"thigh*\""));
        }
        let include = "hips,chest,head,upper*,lower*,shin*";
        assert_eq!(low(&[("include", include)], &[]), both("`include` does not name it"));
        let skip = |own: JointOverride| [("thigh.left", own.clone()), ("thigh.right", own)];
        assert_eq!(low(&[], &skip(replacing(&[]))), both("`skip = true`"));
        let beside = replacing(&[([0.0, -0.225, 1.0], [0.08, 0.225, 0.09])]);
        assert_eq!(
            low(&[], &skip(beside)),
            both("manual boxes replace the fitted ones, and 81 % of its skin is outside")
        );
        assert_eq!(low(&[], &[]), "");
    }
}

/// If settings are only a part of the reason, the presets that help come after them.
#[test]
fn low_coverage_names_settings_and_presets() {
    let mut gap = test_models::box_man();
    // Surface from hand to hand that no box around the vertices of one joint holds.
    let last = gap.positions.len() as u32 - 1;
    for (corner, joint) in [([3.0, 1.5, 1.0], 0), ([3.0, 2.5, 1.0], 1), ([5.0, 1.5, 1.0], 2)] {
        gap.positions.push(corner);
        gap.influences.push(vec![(joint, 1.0)]);
    }
    gap.triangles.push([last + 1, last + 2, last + 3]);
    let model = import(&gap.to_glb(), &NoExternalFiles).unwrap();
    let text = texts(&baked(&model, &[("exclude", "thigh*,shin*,lower*")], &[]), &["low-coverage"]);
    insta::assert_snapshot!(text);
}

/// Hitboxes that were fitted to another character may lack those of a joint.
#[test]
fn low_coverage_names_joints_without_given_hitboxes() {
    let model = man([1.0; 3]);
    let mut boxes = baked(&model, &[], &[]).boxes;
    boxes.retain(|one| !model.skeleton.joint(one.joint).name.starts_with("thigh"));
    let overrides = Overrides::default();
    let bake = bake_with_hitboxes(&model, "man", source(), &BakeOptions::default(), &overrides, &boxes, &()).unwrap();
    let text = texts(&bake.character, &["low-coverage"]);
    assert!(text.contains("\"thigh.left\" 8.9 % (it has no hitbox)"), "{text}");
}

#[test]
fn patterns_of_include_and_exclude_without_effect_are_named() {
    let mut man = test_models::box_man();
    man.joint("socket.left", Some(6), [0.3, 0.0, 0.0]);
    let model = import(&man.to_glb(), &NoExternalFiles).unwrap();
    let said = |words: &[(&str, &str)]| texts(&baked(&model, words, &[]), &["pattern-without-effect"]);
    assert_eq!(said(&[("exclude", "head")]), "");
    assert_eq!(
        said(&[("include", "head,chest"), ("exclude", "chest")]),
        "pattern-without-effect: include = \"chest\" matches 1 joints, such as \"chest\", but has no effect: `exclude` leaves them out; delete the pattern"
    );
    assert_eq!(
        said(&[("include", "h*,head,chest,*left"), ("exclude", "h?ad,*left")]),
        "pattern-without-effect: include = \"head\" matches 1 joints, such as \"head\", but has no effect: `exclude` leaves them out; delete the pattern\npattern-without-effect: include = \"*left\" matches 5 joints, such as \"upper_arm.left\", but has no effect: `exclude` leaves them out; delete the pattern"
    );
    assert_eq!(
        said(&[("exclude", "socket*,head")]),
        "pattern-without-effect: exclude = \"socket*\" matches 1 joints, such as \"socket.left\", but has no effect: none of them has skin of its own; delete the pattern"
    );
    assert_eq!(
        said(&[("include", "head"), ("exclude", "chest")]),
        "pattern-without-effect: exclude = \"chest\" matches 1 joints, such as \"chest\", but has no effect: `include` leaves them out already; delete the pattern"
    );
    // A pattern for another character of the folder is no mistake.
    assert_eq!(said(&[("exclude", "tail*")]), "");
}

/// A box beside its skin holds nothing, also if it is too near to be implausible otherwise.
#[test]
fn replacing_boxes_that_are_all_away_from_the_skin_are_warned_about() {
    let at_skin = ([0.0, 0.125, 0.0], [0.08, 0.125, 0.1]);
    let beside = |x: f32| ([x, 0.125, 0.0], [0.08, 0.125, 0.1]);
    for unit in UNITS {
        let said = |boxes: &[([f32; 3], [f32; 3])]| {
            texts(&baked(&man(unit), &[], &[("head", replacing(boxes))]), &["implausible-box"])
        };
        assert_eq!(said(&[at_skin]), "");
        let away = "m away from the joint's skin";
        let check = "bonebox expects meters of the character as it stands: check its numbers";
        let text = said(&[beside(0.2)]);
        assert_eq!(
            text,
            format!(
                "implausible-box: joint \"head\": the manual box is 0.04 {away}, and no box holds the skin; {check}"
            )
        );
        let [all, some] = [said(&[beside(0.2), beside(-0.3)]), said(&[at_skin, beside(-0.3)])];
        assert_eq!(all.matches(", and no box holds the skin; ").count(), 2, "{all}");
        assert!(some.contains(&format!("the manual box 2 of 2 is 0.14 {away}; ")), "{some}");
        assert!(!some.contains("1 of 2"), "{some}");
    }
    // A box beside fitted boxes may be away from the skin.
    let beside = JointOverride { skip: false, ..replacing(&[beside(0.2)]) };
    assert_eq!(texts(&baked(&man([1.0; 3]), &[], &[("head", beside)]), &["implausible-box"]), "");
}

/// A coordinate that is too large for single precision is named in both units, since the limit is one of the joint's unit.
#[test]
fn coordinates_out_of_range_are_in_meters_too() {
    for (unit, own) in [([1.0; 3], "1e15"), ([100.0; 3], "1e13")] {
        let mut far = test_models::box_man();
        far.positions[0][0] = 1e15;
        let model = import(&far.to_gltf_in(unit).to_glb(), &NoExternalFiles).unwrap();
        let error = bake_with(&model, "man", source(), &BakeOptions::default(), &Overrides::default()).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("of the joint's own units, expected at most 1e12"), "{text}");
        let number = |before: &str, after: &str| -> f64 {
            let at = text.find(after).unwrap();
            text[..at].rsplit(before).next().unwrap().trim().parse().unwrap()
        };
        let (meters, units) = (number("lies ", " m from it"), number("which is ", " of the joint's own"));
        assert!((meters / 1e15 - 1.0).abs() < 1e-5, "{text}");
        assert!((units / own.parse::<f64>().unwrap() - 1.0).abs() < 1e-5, "{text}");
    }
}
