//! The joints that get hitboxes, and overrides of single joints.
use baked_format::{HitboxShape, Source};
use bone_fit::{Bake, BakeError, BakeOptions, JointOverride, Limits, ManualBox, Overrides, bake_with};
use glam::{Affine3A, Quat, Vec3};
use skeleton::{Joint, JointIndex, LocalTransform, NamePattern, NodeIndex, Skeleton, Trs};
use skinned_model::{Influences, SkinnedMesh, SkinnedModel};

const JOINTS: [(&str, Option<u16>); 4] =
    [("body", None), ("hand.l", Some(0)), ("finger.l", Some(1)), ("hand.r", Some(0))];

/// Each joint is one unit to the right of the joint before, and has the corners of a cube of the given size around it.
fn model(sizes: [f32; 4]) -> SkinnedModel {
    let joint = |&(name, parent): &(&str, Option<u16>)| Joint {
        name: name.into(),
        node: NodeIndex(0),
        parent: parent.map(JointIndex),
        rest: LocalTransform::Trs(Trs { translation: Vec3::X, ..Trs::IDENTITY }),
        skinned: true,
    };
    let skeleton = Skeleton::new(JOINTS.iter().map(joint).collect()).unwrap();
    let mut matrices = vec![Affine3A::IDENTITY; 4];
    skeleton.model_from_joints(&skeleton.rest_pose(), &mut matrices);
    let corner = |k: usize| Vec3::new((k & 1) as f32 - 0.5, (k >> 1 & 1) as f32 - 0.5, (k >> 2) as f32 - 0.5);
    let place = |vertex: usize| Vec3::from(matrices[vertex / 8].translation) + sizes[vertex / 8] * corner(vertex % 8);
    let mesh = SkinnedMesh {
        names: skinned_model::MeshNames::default(),
        name: "cubes".into(),
        node: NodeIndex(9),
        joints: (0..4).map(JointIndex).collect(),
        joint_from_mesh: matrices.iter().map(Affine3A::inverse).collect(),
        positions: (0..32).map(place).collect(),
        influences: Influences {
            per_vertex: 1,
            slots: (0..32u16).map(|vertex| vertex / 8).collect(),
            weights: vec![1.0; 32],
        },
        triangles: vec![],
        normals: vec![],
        texture_coordinates: vec![],
    };
    SkinnedModel { skeleton, meshes: vec![mesh], ..SkinnedModel::default() }
}

fn baked(sizes: [f32; 4], words: &[(&str, &str)], overrides: &Overrides) -> Result<Bake, BakeError> {
    baked_model(&model(sizes), words, overrides)
}

fn baked_model(model: &SkinnedModel, words: &[(&str, &str)], overrides: &Overrides) -> Result<Bake, BakeError> {
    let source = Source { file: "cubes.glb".into(), blake3: [0; 32], generator: "test".into() };
    let options = BakeOptions::from_entries(words.iter().copied()).unwrap();
    let bake = bake_with(model, "cubes", source, &options, overrides)?;
    bake.character.validate().unwrap();
    Ok(bake)
}

fn joints(words: &[(&str, &str)]) -> Vec<(String, u32)> {
    joints_of(baked([1.0, 0.5, 0.1, 0.4], words, &Overrides::default()).unwrap())
}

fn joints_of(bake: Bake) -> Vec<(String, u32)> {
    bake.report.boxes.into_iter().map(|one| (one.joint_name, one.vertices)).collect()
}

fn named(list: &[(&str, u32)]) -> Vec<(String, u32)> {
    list.iter().map(|&(name, vertices)| (name.to_owned(), vertices)).collect()
}

#[test]
fn names_choose_joints() {
    assert_eq!(joints(&[("include", "hand.*")]), named(&[("hand.l", 8), ("hand.r", 8)]));
    assert_eq!(joints(&[("exclude", "*.r, body")]), named(&[("hand.l", 8), ("finger.l", 8)]));
    assert_eq!(joints(&[("merge", "finger*")]), named(&[("body", 8), ("hand.l", 16), ("hand.r", 8)]));
}

#[test]
fn small_groups_are_kept_merged_or_skipped() {
    let small = ("min_size", "0.2");
    assert_eq!(joints(&[small]).len(), 4);
    assert_eq!(joints(&[small, ("small", "merge")]), named(&[("body", 8), ("hand.l", 16), ("hand.r", 8)]));
    assert_eq!(joints(&[small, ("small", "skip")]), named(&[("body", 8), ("hand.l", 8), ("hand.r", 8)]));
    // The hand with its finger is long enough.
    assert_eq!(joints(&[("min_size", "0.9"), ("small", "merge")]), named(&[("body", 16), ("hand.l", 16)]));
    let words = [("min_vertices", "9"), ("small", "skip")];
    let nothing = baked([1.0; 4], &words, &Overrides::default()).unwrap_err();
    assert!(matches!(nothing, BakeError::NothingBound { .. }));
}

#[test]
fn merged_corners_are_where_they_were() {
    let bake =
        baked([1.0, 1.0, 1.0, 1.0], &[("merge", "finger.l"), ("fit", "joint-axes")], &Overrides::default()).unwrap();
    let hand = &bake.character.boxes[1];
    assert_eq!((hand.center, hand.half_extents), (Vec3::new(0.5, 0.0, 0.0), Vec3::new(1.0, 0.5, 0.5)));
}

/// The rest pose scales the hand to nothing along one axis or all, so the finger has no place in the hand's space.
#[test]
fn a_group_that_cannot_be_merged_keeps_its_hitbox_and_has_a_warning() {
    for scale in [Vec3::ZERO, Vec3::new(1.0, 0.0, 1.0)] {
        let mut flat = model([1.0, 0.5, 0.1, 0.4]);
        let mut joints = flat.skeleton.joints().to_vec();
        joints[1].rest = LocalTransform::Trs(Trs { translation: Vec3::X, scale, ..Trs::IDENTITY });
        flat.skeleton = Skeleton::new(joints).unwrap();
        let by_name = [("merge", "finger.l"), ("measure", "none")];
        let by_size = [("min_size", "0.05"), ("small", "merge"), ("include", "hand.l, finger.l"), ("measure", "none")];
        for (words, expected) in [
            (&by_name[..], named(&[("body", 8), ("hand.l", 8), ("finger.l", 8), ("hand.r", 8)])),
            (&by_size[..], named(&[("hand.l", 8), ("finger.l", 8)])),
        ] {
            let bake = baked_model(&flat, words, &Overrides::default()).unwrap();
            let warnings = bake.character.warnings.iter().filter(|warning| warning.code == "group-not-merged");
            let [warning] = warnings.collect::<Vec<_>>()[..] else { panic!("{:?}", bake.character.warnings) };
            assert_eq!(warning.joint.as_deref(), Some("finger.l"));
            assert!(warning.text.contains("was not merged into joint \"hand.l\""), "{}", warning.text);
            assert_eq!(joints_of(bake), expected);
        }
    }
}

#[test]
fn mirrored_joints_share_the_larger_size() {
    let sizes = |words: &[(&str, &str)]| {
        let bake = baked([1.0, 0.5, 0.1, 0.4], words, &Overrides::default()).unwrap();
        [1, 3].map(|index: usize| bake.character.boxes[index].half_extents.x)
    };
    let [left, right] = sizes(&[("fit", "joint-axes")]);
    assert!((left - 0.25).abs() < 1e-6 && (right - 0.2).abs() < 1e-6);
    assert_eq!(sizes(&[("fit", "joint-axes"), ("symmetry", "sizes")]), [left, left]);
}

#[test]
fn overrides_reach_their_joints() {
    let mut overrides = Overrides::default();
    let by_hand = ManualBox {
        shape: HitboxShape::Sphere,
        center: Vec3::Y,
        half_extents: Vec3::splat(0.1),
        orientation: Quat::from_xyzw(0.0, 0.0, 0.0, 2.0),
        tags: vec!["shield".into()],
    };
    let hand = JointOverride {
        options: [("margin".to_owned(), "0.5".to_owned())].into(),
        tags: vec!["fist".into()],
        skip: false,
        boxes: vec![by_hand],
    };
    overrides.joints.insert("hand.l".into(), hand);
    overrides.joints.insert("finger.l".into(), JointOverride { skip: true, ..JointOverride::default() });
    overrides.tags.push((NamePattern::new("hand*"), vec!["hand".into()]));
    overrides.sets.insert("hurt".into(), vec!["hand".into()]);
    let bake = baked([1.0; 4], &[("fit", "joint-axes")], &overrides).unwrap();
    let found: Vec<_> =
        bake.character.boxes.iter().map(|one| (one.joint.0, one.half_extents.x, one.tags.join(" "))).collect();
    let expected = [(0, 0.5, ""), (1, 1.0, "fist hand hurt"), (1, 0.1, "fist hand hurt shield"), (3, 0.5, "hand hurt")];
    assert_eq!(found, expected.map(|(joint, half, tags)| (joint, half, tags.to_owned())));
    let manual = &bake.character.boxes[2];
    assert_eq!((manual.orientation, manual.shape), (Quat::IDENTITY, HitboxShape::Sphere));
    let volume = 4.0 / 3.0 * std::f64::consts::PI * 0.001;
    assert!((bake.report.boxes[2].volume / volume - 1.0).abs() < 1e-6);
}

#[test]
fn mistakes_in_overrides_are_named() {
    let error = |name: &str, own: JointOverride| {
        let overrides = Overrides { joints: [(name.to_owned(), own)].into(), ..Overrides::default() };
        baked([1.0; 4], &[], &overrides).unwrap_err().to_string()
    };
    insta::assert_snapshot!(error("hand.k", JointOverride::default()), @r#"there is no joint "hand.k"; did you mean "hand.l"?"#);
    let own = JointOverride { options: [("marginn".into(), "1".into())].into(), ..JointOverride::default() };
    insta::assert_snapshot!(error("body", own), @r#"joint "body": there is no option "marginn"; did you mean "margin"?"#);
    let nan = ManualBox {
        shape: HitboxShape::Box,
        center: Vec3::NAN,
        half_extents: Vec3::ONE,
        orientation: Quat::IDENTITY,
        tags: vec![],
    };
    let own = JointOverride { boxes: vec![nan], ..JointOverride::default() };
    insta::assert_snapshot!(error("body", own), @r#"the manual box of joint "body" is invalid: coordinate 0 of its center is NaN, but at most 1e12 is possible; its numbers are in the joint's space and unit"#);
    let round = |shape, half_extents: [f32; 3]| {
        let one = ManualBox {
            shape,
            center: Vec3::ZERO,
            half_extents: half_extents.into(),
            orientation: Quat::IDENTITY,
            tags: vec![],
        };
        error("body", JointOverride { boxes: vec![one], ..JointOverride::default() })
    };
    insta::assert_snapshot!(round(HitboxShape::Sphere, [1.0, 1.0, 2.0]), @r#"the manual box of joint "body" is invalid: its half extents are [1, 1, 2], but for a sphere, all three are its radius; give all three the same value; its numbers are in the joint's space and unit"#);
    insta::assert_snapshot!(round(HitboxShape::Capsule, [1.0, 0.5, 1.0]), @r#"the manual box of joint "body" is invalid: its half extents are [1, 0.5, 1], but those of a capsule are its radius, half of its length with the caps, and its radius again; give the first and the third the same value, and the second at least this value; its numbers are in the joint's space and unit"#);
    insta::assert_snapshot!(round(HitboxShape::Hull, [1.0; 3]), @r#"the manual box of joint "body" is invalid: its shape is a hull, which has no manual form; use a box, a capsule or a sphere; its numbers are in the joint's space and unit"#);
}

#[test]
fn limits_say_what_they_miss() {
    let bake = baked([1.0; 4], &[("fit", "min-volume"), ("measure", "none")], &Overrides::default()).unwrap();
    let broken = |limits: Limits| limits.broken(&bake.character);
    assert_eq!(broken(Limits { most_volume_ratio: Some(1.1), ..Limits::default() }), Vec::<String>::new());
    let broken = broken(Limits { least_surface_rest: Some(0.9), most_volume_ratio: Some(0.5), ..Limits::default() });
    insta::assert_snapshot!(broken.join("\n"), @r#"
    the surface coverage in the rest pose was not measured, but the limit `least_surface_rest` is at least 0.9; use `measure = "clips"`, or remove the limit
    the volume ratio is 1.000000, but the limit `most_volume_ratio` is at most 0.5; use `fit = "min-volume"`, lower `margin`, make manual boxes smaller, or raise the limit
    "#);
}

/// If the options hold all surface already, only joints without fitted hitboxes leave surface out, and no preset helps.
#[test]
fn broken_limits_and_low_coverage_propose_what_helps() {
    let model = skinned_model::import(&test_models::box_man().to_glb(), &skinned_model::NoExternalFiles).unwrap();
    let limits = Limits {
        least_surface_rest: Some(1.0),
        least_surface_clips: Some(1.0),
        most_escape: Some(0.01),
        ..Limits::default()
    };
    let said = |entries: &[(&str, &str)]| {
        let options = BakeOptions::from_entries(entries.iter().copied().chain([("exclude", "thigh*")])).unwrap();
        let source = Source { file: "man.glb".into(), blake3: [0; 32], generator: "test".into() };
        let character = bone_fit::bake(&model, "man", source, &options).unwrap().character;
        let warnings = character.warnings.iter().filter(|warning| warning.code == "low-coverage");
        let warnings: Vec<String> = warnings.map(|warning| warning.text.clone()).collect();
        [limits.broken(&character), warnings].concat().join("\n")
    };
    insta::assert_snapshot!(said(&[("preset", "recipe")]), @r#"
    the surface coverage in the rest pose is 0.822044, but the limit `least_surface_rest` is at least 1; use `bridge = "surface"`, or lower the limit
    the surface coverage over clips is 0.822044, but the limit `least_surface_clips` is at least 1; use `preset = "cover"`, or lower the limit
    the largest escape is 0.108211, but the limit `most_escape` is at most 0.01; use `preset = "cover"`, or raise the limit
    the boxes hold 82.2 % of the surface in the rest pose and 82.2 % over the clips; boxes around vertices leave the surface between joints out; use preset = "tight" or preset = "cover"
    "#);
    insta::assert_snapshot!(said(&[("preset", "cover")]), @r#"
    the surface coverage in the rest pose is 0.822044, but the limit `least_surface_rest` is at least 1; joints without fitted hitboxes leave their surface out; check `include`, `exclude`, `small`, `skip` and manual boxes, or lower the limit
    the surface coverage over clips is 0.822044, but the limit `least_surface_clips` is at least 1; joints without fitted hitboxes leave their surface out; check `include`, `exclude`, `small`, `skip` and manual boxes, or lower the limit
    the largest escape is 0.108211, but the limit `most_escape` is at most 0.01; joints without fitted hitboxes leave their surface out; check `include`, `exclude`, `small`, `skip` and manual boxes, or raise the limit
    the boxes hold 82.2 % of the surface in the rest pose and 82.2 % over the clips; joints without boxes leave their surface out; check include, exclude, small, skip and manual boxes
    "#);
    insta::assert_snapshot!(said(&[("preset", "always")]), @r#"
    the surface coverage in the rest pose is 0.822044, but the limit `least_surface_rest` is at least 1; joints without fitted hitboxes leave their surface out; check `include`, `exclude`, `small`, `skip` and manual boxes, or lower the limit
    the surface coverage over clips is 0.822044, but the limit `least_surface_clips` is at least 1; joints without fitted hitboxes leave their surface out; check `include`, `exclude`, `small`, `skip` and manual boxes, or lower the limit
    the largest escape is 0.108208, but the limit `most_escape` is at most 0.01; joints without fitted hitboxes leave their surface out; check `include`, `exclude`, `small`, `skip` and manual boxes, or raise the limit
    the boxes hold 82.2 % of the surface in the rest pose and 82.2 % over the clips; joints without boxes leave their surface out; check include, exclude, small, skip and manual boxes
    "#);
    insta::assert_snapshot!(said(&[("poses", "any")]), @r#"
    the surface coverage in the rest pose is 0.822044, but the limit `least_surface_rest` is at least 1; use `bridge = "surface"`, or lower the limit
    the surface coverage over clips is 0.822044, but the limit `least_surface_clips` is at least 1; use `bridge = "surface"`, or lower the limit
    the largest escape is 0.108208, but the limit `most_escape` is at most 0.01; use `bridge = "surface"`, or raise the limit
    the boxes hold 82.2 % of the surface in the rest pose and 82.2 % over the clips; the surface between joints is left out; use bridge = "surface"
    "#);
}

/// With envelopes, escapes are looked for at `measure_times` sample times only, and the farthest may be at another time.
#[test]
fn an_escape_at_some_times_breaks_its_limit_until_all_times_are_measured() {
    let model = skinned_model::import(&test_models::box_man().to_glb(), &skinned_model::NoExternalFiles).unwrap();
    let said = |times: &str, limit: f64| {
        let options = [("preset", "always"), ("exclude", "thigh*"), ("measure_times", times)];
        let options = BakeOptions::from_entries(options).unwrap();
        let source = Source { file: "man.glb".into(), blake3: [0; 32], generator: "test".into() };
        let limits = Limits { most_escape: Some(limit), ..Limits::default() };
        limits.broken(&bone_fit::bake(&model, "man", source, &options).unwrap().character).join("\n")
    };
    insta::assert_snapshot!(said("4", 0.2), @r#"the largest escape is at least 0.108208, because with `poses = "any"` it is measured at `measure_times` sample times only, but the limit `most_escape` is at most 0.2; set `measure_times = 0`, or remove the limit"#);
    insta::assert_snapshot!(said("4", 0.01), @"the largest escape is at least 0.108208, but the limit `most_escape` is at most 0.01; joints without fitted hitboxes leave their surface out; check `include`, `exclude`, `small`, `skip` and manual boxes, or raise the limit");
    assert_eq!(said("0", 0.2), "");
}

#[test]
fn the_record_holds_what_bears_on_a_character_and_nothing_else() {
    let bake = baked([1.0; 4], &[], &Overrides::default()).unwrap();
    let (skeleton, options) = (&bake.character.skeleton, BakeOptions::default());
    let record = |overrides: &Overrides| overrides.record(skeleton, &options).unwrap();
    let own = |options: &[(&str, &str)]| JointOverride {
        options: options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect(),
        ..JointOverride::default()
    };
    let of_body = |own: JointOverride| Overrides { joints: [("body".to_owned(), own)].into(), ..Overrides::default() };
    let elsewhere = Overrides {
        tags: vec![(NamePattern::new("*wing*"), vec!["wing".into()])],
        sets: [("air".to_owned(), vec!["wing".to_owned()])].into(),
        ..of_body(own(&[("fit", "pca")]))
    };
    assert_eq!(record(&elsewhere), "");
    let mut bearing = of_body(own(&[("fit", "joint-axes")]));
    bearing.tags = vec![(NamePattern::new("HAND*"), vec!["hand".into()])];
    insta::assert_snapshot!(record(&bearing), @r#"
    "body"
      fit = "joint-axes"
    "hand.l"
      tags = ["hand"]
    "hand.r"
      tags = ["hand"]
    "#);
    let hand = ManualBox {
        shape: HitboxShape::Box,
        center: Vec3::ZERO,
        half_extents: Vec3::ONE,
        orientation: Quat::IDENTITY,
        tags: vec![],
    };
    let moved = ManualBox { center: Vec3::X * 1e-30, ..hand.clone() };
    let boxed = |one: ManualBox| of_body(JointOverride { boxes: vec![one], ..JointOverride::default() });
    assert_ne!(record(&boxed(hand)), record(&boxed(moved)));
}

/// Bakes a manual box of the second joint, whose skin is a cube of size 1 about the joint.
fn with_box(center: [f32; 3], half_extents: [f32; 3], skip: bool) -> Bake {
    let one = ManualBox {
        shape: HitboxShape::Box,
        center: center.into(),
        half_extents: half_extents.into(),
        orientation: Quat::IDENTITY,
        tags: vec![],
    };
    let own = JointOverride { boxes: vec![one], skip, ..JointOverride::default() };
    let overrides = Overrides { joints: [("hand.l".to_owned(), own)].into(), ..Overrides::default() };
    baked([1.0; 4], &[("fit", "min-volume")], &overrides).unwrap()
}

#[test]
fn manual_boxes_with_implausible_numbers_are_warned_about() {
    let warnings = |center, half_extents, skip| {
        let texts = with_box(center, half_extents, skip).character.warnings.into_iter();
        texts.map(|warning| format!("{}: {}", warning.code, warning.text)).collect::<Vec<_>>().join("\n")
    };
    // Half a unit each way is right. Boxes of helmets and shields reach farther.
    assert_eq!(warnings([0.0; 3], [0.5; 3], true), "");
    assert_eq!(warnings([0.0, 0.4, 0.0], [1.2, 1.0, 0.1], false), "");
    let all = [
        warnings([0.0; 3], [45.0, 65.0, 55.0], true),
        warnings([0.0, 90.0, 0.0], [0.5; 3], true),
        warnings([0.0; 3], [1.7; 3], true),
        warnings([0.0; 3], [0.005; 3], true),
    ];
    insta::assert_snapshot!(all.join("\n"), @r#"
    implausible-box: joint "hand.l": the manual box is 130.000 units of the model long, but the whole character is 3.000 long; its numbers are probably in centimeters, but bonebox expects the unit of the joint's space: divide them by 100
    implausible-box: joint "hand.l": the manual box is 89.000 units of the model away from the joint's skin; its numbers are probably in centimeters, but bonebox expects the unit of the joint's space: divide them by 100
    implausible-box: joint "hand.l": the manual box is filled to 2.5 % by the joint's skin; its numbers are probably in feet, but bonebox expects the unit of the joint's space: divide them by 3.281
    implausible-box: joint "hand.l": the manual box is 0.010 units of the model long, but the joint's skin is 1.000 long; one unit of the joint's space is 1.0000 units of the model: check its numbers
    "#);
}

#[test]
fn margins_that_were_meant_as_lengths_are_warned_about() {
    let warnings = |words: &[(&str, &str)]| {
        let warnings = baked([1.0; 4], words, &Overrides::default()).unwrap().character.warnings;
        warnings.into_iter().map(|warning| format!("{}: {}", warning.code, warning.text)).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(warnings(&[("margin", "0.02")]), "");
    insta::assert_snapshot!(warnings(&[("margin", "0.2")]), @"implausible-margin: margin = 0.2 is 0.200 units of the model, 20 % of the character's height; if you meant 0.2 units, write margin = 0.2000; if you meant 0.2 hundredths of a unit, write margin = 0.002000");
    // An advice above 1, which the option refuses, is left out.
    let half = baked([0.5; 4], &[("margin", "0.9")], &Overrides::default()).unwrap().character.warnings;
    let text = &half.iter().find(|warning| warning.code == "implausible-margin").unwrap().text;
    assert!(
        !text.contains("if you meant 0.9 units") && text.contains("hundredths of a unit, write margin = 0.0"),
        "{text}"
    );
    let own = JointOverride { options: [("margin".into(), "0.3".into())].into(), ..JointOverride::default() };
    let overrides = Overrides { joints: [("hand.l".to_owned(), own)].into(), ..Overrides::default() };
    let bake = baked([1.0; 4], &[], &overrides).unwrap();
    assert_eq!(bake.character.warnings[0].joint.as_deref(), Some("hand.l"));
}

#[test]
fn manual_boxes_count_in_the_volume_limit() {
    let broken = |bake: &Bake| {
        let limits = Limits { most_volume_ratio: Some(1.5), ..Limits::default() };
        limits.broken(&bake.character).len()
    };
    assert_eq!(broken(&with_box([0.0; 3], [0.5; 3], true)), 0, "as large as the fitted box");
    assert_eq!(broken(&with_box([0.0; 3], [0.9; 3], true)), 1, "in place of the fitted box, 5.8 times its volume");
    assert_eq!(broken(&with_box([0.0; 3], [0.9; 3], false)), 1, "beside the fitted box");
}

#[test]
fn a_limit_over_clips_breaks_where_clips_were_not_measured() {
    let man = test_models::box_man().to_glb();
    let model = skinned_model::import(&man, &skinned_model::NoExternalFiles).unwrap();
    let source = || Source { file: "man.glb".into(), blake3: [0; 32], generator: "test".into() };
    let broken = |measure: &str| {
        let options = BakeOptions::from_entries([("measure", measure)]).unwrap();
        let limits = Limits { least_surface_clips: Some(0.1), most_escape: Some(0.9), ..Limits::default() };
        limits.broken(&bone_fit::bake(&model, "man", source(), &options).unwrap().character).join("\n")
    };
    assert_eq!(broken("clips"), "");
    insta::assert_snapshot!(broken("rest"), @r#"
    the surface coverage over clips is not known, because clips were not measured, but the limit `least_surface_clips` is at least 0.1; use `measure = "clips"`, or remove the limit
    the largest escape is not known, because clips were not measured, but the limit `most_escape` is at most 0.9; use `measure = "clips"`, or remove the limit
    "#);
}
