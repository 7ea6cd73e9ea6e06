//! The joints that get hitboxes, and overrides of single joints.
use baked_format::{AttackKind, Hitbox, HitboxRole, HitboxShape, Source, Window};
use bone_fit::{
    AttackSettings, Bake, BakeError, BakeOptions, Figures, JointOverride, LengthUnit, Limits, ManualBox, Overrides,
    bake_with,
};
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
        role: HitboxRole::Hurt,
        unit: LengthUnit::Meters,
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
        role: HitboxRole::Hurt,
        unit: LengthUnit::Meters,
    };
    let own = JointOverride { boxes: vec![nan], ..JointOverride::default() };
    insta::assert_snapshot!(error("body", own), @r#"the manual box of joint "body" is invalid: coordinate 0 of its center is NaN, but at most 1e12 is possible; its numbers are meters along the joint's axes, or with `unit = "joint"` in the joint's unit"#);
    let round = |shape, half_extents: [f32; 3]| {
        let one = ManualBox {
            shape,
            center: Vec3::ZERO,
            half_extents: half_extents.into(),
            orientation: Quat::IDENTITY,
            tags: vec![],
            role: HitboxRole::Hurt,
            unit: LengthUnit::Meters,
        };
        error("body", JointOverride { boxes: vec![one], ..JointOverride::default() })
    };
    insta::assert_snapshot!(round(HitboxShape::Sphere, [1.0, 1.0, 2.0]), @r#"the manual box of joint "body" is invalid: its half extents are [1, 1, 2], but for a sphere, all three are its radius; give all three the same value; its numbers are meters along the joint's axes, or with `unit = "joint"` in the joint's unit"#);
    insta::assert_snapshot!(round(HitboxShape::Capsule, [1.0, 0.5, 1.0]), @r#"the manual box of joint "body" is invalid: its half extents are [1, 0.5, 1], but those of a capsule are its radius, half of its length with the caps, and its radius again; give the first and the third the same value, and the second at least this value; its numbers are meters along the joint's axes, or with `unit = "joint"` in the joint's unit"#);
    insta::assert_snapshot!(round(HitboxShape::Hull, [1.0; 3]), @r#"the manual box of joint "body" is invalid: its shape is a hull, which has no manual form; use a box, a capsule or a sphere; its numbers are meters along the joint's axes, or with `unit = "joint"` in the joint's unit"#);
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

/// If the options hold all surface already, only joints without fitted hitboxes leave surface out, and no preset helps. The warning
/// names these joints, whatever the preset is.
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
    the boxes hold 82.2 % of the surface in the rest pose and 82.2 % over the clips; settings leave 17.8 % of it out: "thigh.left" 8.9 % (`exclude` has "thigh*"), "thigh.right" 8.9 % (`exclude` has "thigh*"); change these settings, or list the joints under `ignore` if nothing should hit them
    "#);
    insta::assert_snapshot!(said(&[("preset", "cover")]), @r#"
    the surface coverage in the rest pose is 0.822044, but the limit `least_surface_rest` is at least 1; joints without fitted hitboxes leave their surface out; check `include`, `exclude`, `small`, `skip` and manual boxes, or lower the limit
    the surface coverage over clips is 0.822044, but the limit `least_surface_clips` is at least 1; joints without fitted hitboxes leave their surface out; check `include`, `exclude`, `small`, `skip` and manual boxes, or lower the limit
    the largest escape is 0.108211, but the limit `most_escape` is at most 0.01; joints without fitted hitboxes leave their surface out; check `include`, `exclude`, `small`, `skip` and manual boxes, or raise the limit
    the boxes hold 82.2 % of the surface in the rest pose and 82.2 % over the clips; settings leave 17.8 % of it out: "thigh.left" 8.9 % (`exclude` has "thigh*"), "thigh.right" 8.9 % (`exclude` has "thigh*"); change these settings, or list the joints under `ignore` if nothing should hit them
    "#);
    insta::assert_snapshot!(said(&[("preset", "always")]), @r#"
    the surface coverage in the rest pose is 0.822044, but the limit `least_surface_rest` is at least 1; joints without fitted hitboxes leave their surface out; check `include`, `exclude`, `small`, `skip` and manual boxes, or lower the limit
    the surface coverage over clips is 0.822044, but the limit `least_surface_clips` is at least 1; joints without fitted hitboxes leave their surface out; check `include`, `exclude`, `small`, `skip` and manual boxes, or lower the limit
    the largest escape is 0.108208, but the limit `most_escape` is at most 0.01; joints without fitted hitboxes leave their surface out; check `include`, `exclude`, `small`, `skip` and manual boxes, or raise the limit
    the boxes hold 82.2 % of the surface in the rest pose and 82.2 % over the clips; settings leave 17.8 % of it out: "thigh.left" 8.9 % (`exclude` has "thigh*"), "thigh.right" 8.9 % (`exclude` has "thigh*"); change these settings, or list the joints under `ignore` if nothing should hit them
    "#);
    insta::assert_snapshot!(said(&[("poses", "any")]), @r#"
    the surface coverage in the rest pose is 0.822044, but the limit `least_surface_rest` is at least 1; use `bridge = "surface"`, or lower the limit
    the surface coverage over clips is 0.822044, but the limit `least_surface_clips` is at least 1; use `bridge = "surface"`, or lower the limit
    the largest escape is 0.108208, but the limit `most_escape` is at most 0.01; use `bridge = "surface"`, or raise the limit
    the boxes hold 82.2 % of the surface in the rest pose and 82.2 % over the clips; settings leave 17.8 % of it out: "thigh.left" 8.9 % (`exclude` has "thigh*"), "thigh.right" 8.9 % (`exclude` has "thigh*"); change these settings, or list the joints under `ignore` if nothing should hit them
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
        role: HitboxRole::Hurt,
        unit: LengthUnit::Meters,
    };
    let moved = ManualBox { center: Vec3::X * 1e-30, ..hand.clone() };
    let boxed = |one: ManualBox| of_body(JointOverride { boxes: vec![one], ..JointOverride::default() });
    assert_ne!(record(&boxed(hand)), record(&boxed(moved)));
}

/// Bakes a manual box of the second joint, whose skin is a cube of size 1 about the joint.
fn with_box(center: [f32; 3], half_extents: [f32; 3], skip: bool) -> Bake {
    with_boxes(&model([1.0; 4]), vec![manual(center, half_extents)], skip).unwrap()
}

fn manual(center: [f32; 3], half_extents: [f32; 3]) -> ManualBox {
    ManualBox {
        shape: HitboxShape::Box,
        center: center.into(),
        half_extents: half_extents.into(),
        orientation: Quat::IDENTITY,
        tags: vec![],
        role: HitboxRole::Hurt,
        unit: LengthUnit::Meters,
    }
}

fn with_boxes(model: &SkinnedModel, boxes: Vec<ManualBox>, skip: bool) -> Result<Bake, BakeError> {
    let own = JointOverride { boxes, skip, ..JointOverride::default() };
    let overrides = Overrides { joints: [("hand.l".to_owned(), own)].into(), ..Overrides::default() };
    baked_model(model, &[("fit", "min-volume")], &overrides)
}

/// The model, with the axes of the second joint scaled. Its skin stays where it is.
fn scaled(scale: Vec3, rotation: Quat) -> SkinnedModel {
    let mut model = model([1.0; 4]);
    let mut joints = model.skeleton.joints().to_vec();
    joints[1].rest = LocalTransform::Trs(Trs { translation: Vec3::X, rotation, scale });
    if scale.min_element() > 0.0 {
        let hand = Affine3A::from_scale_rotation_translation(scale, rotation, Vec3::X);
        joints[2].rest = LocalTransform::Matrix(hand.inverse() * Affine3A::from_translation(2.0 * Vec3::X));
    }
    model.skeleton = Skeleton::new(joints).unwrap();
    let mut matrices = vec![Affine3A::IDENTITY; 4];
    model.skeleton.model_from_joints(&model.skeleton.rest_pose(), &mut matrices);
    model.meshes[0].joint_from_mesh = matrices.iter().map(Affine3A::inverse).collect();
    model
}

/// A manual box in meters is as large, and as far from its joint, as it is with a scale of 1.
#[test]
fn manual_boxes_are_meters_of_the_character_whatever_the_scale_of_the_joint() {
    let turned = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let shapes = [
        ManualBox { tags: vec!["a".into()], ..manual([0.1, 0.2, 0.3], [0.5, 0.6, 0.7]) },
        ManualBox { orientation: turned, ..manual([0.1, 0.2, 0.3], [0.5, 0.6, 0.7]) },
        ManualBox { shape: HitboxShape::Capsule, ..manual([0.1, 0.0, 0.0], [0.3, 0.6, 0.3]) },
        ManualBox { shape: HitboxShape::Sphere, orientation: turned, ..manual([0.0, -0.2, 0.0], [0.6; 3]) },
    ];
    // The corners of the box in model space.
    let corners = |bake: &Bake| {
        let skeleton = &bake.character.skeleton;
        let mut matrices = vec![Affine3A::IDENTITY; 4];
        skeleton.model_from_joints(&skeleton.rest_pose(), &mut matrices);
        let one = bake.character.boxes.iter().find(|one| one.joint == JointIndex(1)).unwrap();
        [Vec3::ONE, Vec3::new(1.0, -1.0, 1.0), Vec3::NEG_ONE]
            .map(|corner| matrices[1].transform_point3(one.center + one.orientation * (corner * one.half_extents)))
    };
    for rotation in [Quat::IDENTITY, Quat::from_rotation_y(0.7)] {
        for scale in [Vec3::splat(0.01), Vec3::splat(100.0), Vec3::new(2.0, 1.0, 0.5)] {
            for one in &shapes {
                let is_uneven = scale.x != scale.y;
                let bake = |model: &SkinnedModel| with_boxes(model, vec![one.clone()], true);
                let result = bake(&scaled(scale, rotation));
                if is_uneven && one.shape != HitboxShape::Box {
                    let error = result.unwrap_err().to_string();
                    assert!(error.contains("scaled unevenly") && error.contains("`unit = \"joint\"`"), "{error}");
                    continue;
                }
                let (found, expected) = (result.unwrap(), bake(&scaled(Vec3::ONE, rotation)).unwrap());
                for (found, expected) in corners(&found).into_iter().zip(corners(&expected)) {
                    assert!(found.distance(expected) < 1e-5, "{scale} {one:?}: {found} {expected}");
                }
                assert_eq!(found.character.warnings, []);
                // Tables show the numbers that were typed.
                let index = found.character.boxes.iter().position(|hitbox| hitbox.joint == JointIndex(1)).unwrap();
                let [center, half] = bone_fit::hitboxes_in_meters(&found.character)[index];
                let off = (center - one.center.as_dvec3()).abs().max((half - one.half_extents.as_dvec3()).abs());
                assert!(off.max_element() < 1e-5, "{scale} {one:?}: {center} {half}");
                // With the unit of the joint, the numbers are stored as they are.
                let own = ManualBox { unit: LengthUnit::Joint, ..one.clone() };
                let stored = with_boxes(&scaled(scale, rotation), vec![own], false).unwrap().character.boxes;
                let same = |hitbox: &&Hitbox| (hitbox.center, hitbox.half_extents) == (one.center, one.half_extents);
                assert_eq!(stored.iter().filter(same).count(), 1);
            }
        }
    }
    // Only a turn by a quarter keeps a box of an unevenly scaled joint a box.
    let slanted = ManualBox { orientation: Quat::from_rotation_z(0.3), ..shapes[0].clone() };
    let error = with_boxes(&scaled(Vec3::new(2.0, 1.0, 0.5), Quat::IDENTITY), vec![slanted], true).unwrap_err();
    assert!(error.to_string().contains("by 2.0000, 1.0000 and 0.5000, which slants a box that is turned"), "{error}");
    let flat = with_boxes(&scaled(Vec3::new(1.0, 0.0, 1.0), Quat::IDENTITY), vec![shapes[0].clone()], true);
    assert!(flat.unwrap_err().to_string().contains("the scale of its joint is 0"));
}

/// The skin of the joint is 1 m long.
#[test]
fn a_warning_about_a_wrong_unit_names_the_right_factor() {
    let cure = |scale: f32, unit: LengthUnit, half: f32| {
        let one = ManualBox { unit, ..manual([0.0; 3], [half; 3]) };
        let warnings =
            with_boxes(&scaled(Vec3::splat(scale), Quat::IDENTITY), vec![one], true).unwrap().character.warnings;
        let text = warnings.first().map(|warning| warning.text.clone()).unwrap_or_default();
        text.split_once("; ").map(|(_, cure)| cure.to_owned()).unwrap_or_default()
    };
    use LengthUnit::{Joint, Meters};
    let write_joint =
        |unit| format!("its numbers are probably in the joint's own unit, {unit} m: write `unit = \"joint\"`");
    let leave_out = "its numbers are probably in meters: leave out `unit = \"joint\"`";
    let divide =
        |unit, expects: &str, by| format!("its numbers are probably in {unit}, but {expects}: divide them by {by}");
    let meters = "bonebox expects meters";
    for scale in [0.01, 1.0, 100.0] {
        assert_eq!(cure(scale, Meters, 0.5), "", "{scale}");
        assert_eq!(cure(scale, Joint, 0.5 / scale), "", "{scale}");
        assert_eq!(cure(scale, Meters, 20.0), divide("inches", meters, "39.37"), "{scale}");
    }
    assert_eq!(cure(1.0, Meters, 50.0), divide("centimeters", meters, "100"));
    // The joint's unit is a centimeter, or 100 meters.
    assert_eq!(cure(0.01, Meters, 50.0), write_joint("0.01"));
    assert_eq!(cure(100.0, Meters, 0.005), write_joint("100"));
    assert_eq!(cure(0.01, Joint, 0.5), leave_out);
    assert_eq!(cure(100.0, Joint, 0.5), leave_out);
    // A factor of 56 is nearer to inches than to a scale of 100, but the joint is scaled.
    assert_eq!(cure(100.0, Joint, 0.28), leave_out);
    assert_eq!(cure(100.0, Joint, 0.5 * 39.37), divide("inches", "the joint's unit is 100 m", "3937"));
    assert_eq!(cure(0.01, Joint, 500.0), divide("millimeters", "the joint's unit is 0.01 m", "10"));
}

/// A box that is no part of the figure holds no skin, does not count in the volume, and may be in the air.
#[test]
fn boxes_of_other_roles_hold_no_skin() {
    let figures = |role: HitboxRole, skip: bool| {
        let one = ManualBox { role, ..manual([0.0; 3], [1.5; 3]) };
        let bake = with_boxes(&model([1.0; 4]), vec![one], skip).unwrap();
        let own = bake.character.boxes.iter().filter(|one| one.joint == JointIndex(1)).map(|one| one.role);
        assert_eq!(own.filter(|one| *one == role).count(), 1 + usize::from(!skip && role == HitboxRole::Hurt));
        Figures::of_bake(&bake.character)
    };
    let without =
        Figures::of_bake(&baked([1.0; 4], &[("fit", "min-volume")], &Overrides::default()).unwrap().character);
    assert!(figures(HitboxRole::Hurt, false).volume > without.volume + 26.0);
    for role in [HitboxRole::Strike, HitboxRole::Grab, HitboxRole::Guard, HitboxRole::Sensor] {
        let found = figures(role, false);
        assert_eq!((found.volume, found.volume_ratio), (without.volume, without.volume_ratio), "{role:?}");
        assert!((figures(role, true).volume - 0.75 * without.volume).abs() < 1e-5, "{role:?}");
    }
}

/// An attack by the hand strikes with the hand, and not with the box in the air that grabs. A shield may strike if the attack
/// names only the shield.
#[test]
fn an_attack_uses_the_boxes_of_its_kind() {
    let mut model = model([1.0; 4]);
    model.clips = vec![skeleton::Clip {
        name: "blow".into(),
        timelines: vec![vec![0.0, 1.0]],
        channels: vec![skeleton::Channel {
            joint: JointIndex(1),
            property: skeleton::Property::Translation,
            interpolation: skeleton::Interpolation::Linear,
            timeline: 0,
            values: vec![1.0, 0.0, 0.0, 1.0, 1.0, 0.0],
        }],
    }];
    let of = |role: HitboxRole| ManualBox { role, tags: vec![role.keyword().into()], ..manual([0.0; 3], [0.5; 3]) };
    let own = JointOverride { boxes: HitboxRole::ALL.map(of).into(), skip: true, ..JointOverride::default() };
    let roles = |kind: AttackKind, names: &[&str]| {
        let overrides = Overrides {
            joints: [("hand.l".to_owned(), own.clone())].into(),
            attacks: vec![AttackSettings {
                name: "blow".into(),
                clip: "blow".into(),
                kind,
                boxes: names.iter().map(|&name| name.to_owned()).collect(),
                active: vec![Window { from: 0.0, to: 1.0 }],
                group: None,
                rank: 0,
                rehit: None,
                against: vec![],
                strength: 0.0,
                data: None,
            }],
            ..Overrides::default()
        };
        let character = baked_model(&model, &[("measure", "none")], &overrides).unwrap().character;
        character.attacks[0].boxes.iter().map(|&index| character.boxes[usize::from(index)].role).collect::<Vec<_>>()
    };
    use HitboxRole::{Grab, Guard, Hurt, Strike};
    assert_eq!(roles(AttackKind::Strike, &["hand.l"]), [Hurt, Strike]);
    assert_eq!(roles(AttackKind::Grab, &["hand.l"]), [Hurt, Grab]);
    assert_eq!(roles(AttackKind::Throw, &["hand.l"]), [Hurt, Grab]);
    assert_eq!(roles(AttackKind::Strike, &["guard"]), [Guard]);
    assert_eq!(roles(AttackKind::Strike, &["guard", "strike"]), [Strike]);
}

#[test]
fn a_box_in_the_air_has_no_warning_unless_it_has_a_wrong_unit() {
    let text = |role: HitboxRole, center: [f32; 3], half: [f32; 3]| {
        let one = ManualBox { role, ..manual(center, half) };
        let warnings = with_boxes(&model([1.0; 4]), vec![one], false).unwrap().character.warnings;
        warnings.into_iter().map(|warning| warning.text).collect::<Vec<_>>().join("; ")
    };
    for role in [HitboxRole::Strike, HitboxRole::Grab, HitboxRole::Guard, HitboxRole::Sensor] {
        assert_eq!(text(role, [0.0, 4.0, 0.0], [2.0; 3]), "", "{role:?}");
        let is_sensor = role == HitboxRole::Sensor;
        let (large, far) = (text(role, [0.0; 3], [150.0; 3]), text(role, [0.0, 300.0, 0.0], [0.5; 3]));
        assert_eq!(
            large.contains("in centimeters, but bonebox expects meters: divide them by 100"),
            !is_sensor,
            "{large}"
        );
        assert_eq!(
            far.contains("is 299.5 m away from the joint; its numbers are probably in centimeters"),
            !is_sensor,
            "{far}"
        );
    }
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
    implausible-box: joint "hand.l": the manual box is 130 m long, but the whole character is 3 m long; its numbers are probably in centimeters, but bonebox expects meters: divide them by 100
    implausible-box: joint "hand.l": the manual box is 89 m away from the joint's skin, and no box holds the skin; its numbers are probably in centimeters, but bonebox expects meters: divide them by 100
    implausible-box: joint "hand.l": the manual box is filled to 2.5 % by the joint's skin; its numbers are probably in feet, but bonebox expects meters: divide them by 3.281
    implausible-box: joint "hand.l": the manual box is 0.01 m long, but the joint's skin is 1 m long; bonebox expects meters of the character as it stands: check its numbers
    "#);
}

#[test]
fn margins_that_were_meant_as_lengths_are_warned_about() {
    let warnings = |words: &[(&str, &str)]| {
        let warnings = baked([1.0; 4], words, &Overrides::default()).unwrap().character.warnings;
        warnings.into_iter().map(|warning| format!("{}: {}", warning.code, warning.text)).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(warnings(&[("margin", "0.02")]), "");
    insta::assert_snapshot!(warnings(&[("margin", "0.2")]), @"implausible-margin: margin = 0.2 is 0.2 m, 20 % of the character's height; if you meant 0.2 m, write margin = 0.2000; if you meant 0.2 cm, write margin = 0.002000");
    // An advice above 1, which the option refuses, is left out.
    let half = baked([0.5; 4], &[("margin", "0.9")], &Overrides::default()).unwrap().character.warnings;
    let text = &half.iter().find(|warning| warning.code == "implausible-margin").unwrap().text;
    assert!(
        !text.contains("if you meant 0.9 m,") && text.contains("if you meant 0.9 cm, write margin = 0.0"),
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
