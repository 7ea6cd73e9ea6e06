//! Bakes of made-up models.
use baked_format::{Hitbox, Source};
use bone_fit::{Bake, BakeError, BakeOptions, Figures, STRAY, bake, escapes_by_joint, measure_boxes};
use geometry_core::Obb;
use glam::{Affine3A, Quat, Vec3};
use skeleton::{Channel, Clip, Interpolation, Joint, JointIndex, LocalTransform, NodeIndex, Property, Skeleton, Trs};
use skinned_model::{Attachment, ImportWarning, Influences, SkinnedMesh, SkinnedModel};

fn source() -> Source {
    Source { file: "made-up.glb".into(), blake3: [7; 32], generator: "bonebox".into() }
}

/// A hip at the origin and a knee one unit above it.
fn skeleton() -> Skeleton {
    let joint = |name: &str, parent: Option<u16>, y: f32| Joint {
        name: name.into(),
        node: NodeIndex(0),
        parent: parent.map(JointIndex),
        rest: LocalTransform::Trs(Trs { translation: Vec3::new(0.0, y, 0.0), ..Trs::IDENTITY }),
        skinned: true,
    };
    Skeleton::new(vec![joint("hip", None, 0.0), joint("knee", Some(0), 1.0)]).unwrap()
}

/// `rows` are the positions of the vertices, each with its weights of hip and knee.
fn model(rows: &[([f32; 3], [f32; 2])]) -> SkinnedModel {
    let mesh = SkinnedMesh {
        names: skinned_model::MeshNames::default(),
        name: "body".into(),
        node: NodeIndex(2),
        joints: vec![JointIndex(0), JointIndex(1)],
        joint_from_mesh: vec![Affine3A::IDENTITY, Affine3A::from_translation(Vec3::new(0.0, -1.0, 0.0))],
        positions: rows.iter().map(|(position, _)| Vec3::from_array(*position)).collect(),
        influences: Influences {
            per_vertex: 4,
            slots: rows.iter().flat_map(|_| [0, 1, 0, 0]).collect(),
            weights: rows.iter().flat_map(|(_, [hip, knee])| [*hip, *knee, 0.0, 0.0]).collect(),
        },
        triangles: vec![],
        normals: vec![],
        texture_coordinates: vec![],
    };
    SkinnedModel { skeleton: skeleton(), meshes: vec![mesh], ..SkinnedModel::default() }
}

/// The corners of a box from (-1, 0, -2) to (1, height, 2), bound to the hip, and the same above it, bound to the knee.
fn two_boxes() -> Vec<([f32; 3], [f32; 2])> {
    let corner = |k: u8, below: f32| {
        [[-1.0, 1.0][usize::from(k & 1)], below + f32::from(k >> 1 & 1), [-2.0, 2.0][usize::from(k >> 2)]]
    };
    (0..8).map(|k| (corner(k, 0.0), [1.0, 0.0])).chain((0..8).map(|k| (corner(k, 1.0), [0.25, 0.75]))).collect()
}

fn options(words: &[(&str, &str)]) -> BakeOptions {
    BakeOptions::from_entries(words.iter().copied()).unwrap()
}

fn baked(model: &SkinnedModel, words: &[(&str, &str)]) -> Bake {
    let bake = bake(model, "made-up", source(), &options(words)).unwrap();
    bake.character.validate().unwrap();
    bake
}

#[test]
fn each_joint_gets_the_box_of_its_vertices() {
    for fit in ["pca", "vertex-pca", "min-volume", "joint-axes"] {
        let bake = baked(&model(&two_boxes()), &[("fit", fit)]);
        assert_eq!(bake.character.boxes.len(), 2);
        for (one, joint) in bake.character.boxes.iter().zip(0..) {
            assert_eq!((one.joint, one.vertices, one.hull_vertices), (JointIndex(joint), 8, 8));
            assert!((one.center - Vec3::new(0.0, 0.5, 0.0)).length() < 1e-6, "{fit}: {:?}", one.center);
            assert!((one.volume() - 8.0).abs() < 1e-4, "{fit}");
        }
        let report = &bake.report;
        assert_eq!((report.height, Figures::of_bake(&bake.character).vertices), (2.0, 16));
        assert!(
            report
                .boxes
                .iter()
                .all(|one| one.volume < 1.000_001 * one.min_volume.unwrap() && one.hull_volume > 0.999 * one.volume)
        );
    }
}

#[test]
fn every_group_rule_shares_out_as_it_says() {
    let mut rows = two_boxes();
    rows.push(([0.0, 9.0, 0.0], [0.5, 0.5]));
    rows.push(([0.0, -9.0, 0.0], [0.25, 0.25]));
    let vertices = |words: &[(&str, &str)]| {
        let bake = baked(&model(&rows), words);
        bake.character.boxes.iter().map(|one| one.vertices).collect::<Vec<_>>()
    };
    // A tie goes to the earliest slot; both tied joints reach the threshold.
    assert_eq!(vertices(&[]), [10, 8]);
    assert_eq!(vertices(&[("group", "threshold")]), [10, 10]);
    assert_eq!(vertices(&[("group", "any")]), [18, 10]);
    assert_eq!(vertices(&[("group", "any"), ("min_weight", "0.3")]), [10, 10]);
}

#[test]
fn slots_of_the_same_joint_are_added() {
    // Slots 0 and 2 belong to the hip: 0.3 + 0.3 against the knee's 0.4.
    let mut model = model(&[([0.0; 3], [0.3, 0.4])]);
    model.meshes[0].influences.weights[2] = 0.3;
    let joints =
        |words: &[(&str, &str)]| baked(&model, words).character.boxes.iter().map(|one| one.joint.0).collect::<Vec<_>>();
    assert_eq!(joints(&[]), [0]);
    assert_eq!(joints(&[("group", "threshold")]), [0]);
}

#[test]
fn attachments_can_be_skipped() {
    let mut model = model(&two_boxes());
    model.attachments.push(Attachment {
        name: "sword".into(),
        names: skinned_model::MeshNames::default(),
        node: NodeIndex(5),
        joint: JointIndex(1),
        joint_from_mesh: Affine3A::from_translation(Vec3::new(0.0, 0.0, 10.0)),
        positions: vec![Vec3::ZERO],
        triangles: vec![],
        normals: vec![],
        texture_coordinates: vec![],
    });
    let bake = baked(&model, &[("fit", "joint-axes")]);
    assert_eq!(bake.character.boxes[1].vertices, 9);
    assert_eq!(bake.character.boxes[1].half_extents.z, 6.0);
    let bake = baked(&model, &[("fit", "joint-axes"), ("attachments", "skip")]);
    assert_eq!(bake.character.boxes[1].vertices, 8);
}

/// Rigid meshes beside the skin get boxes of their own. A mesh that nothing moves is named in the warnings.
#[test]
fn a_tank_has_boxes_for_its_turret_gun_and_chassis() {
    let model = skinned_model::import(&test_models::tank().to_glb(), &skinned_model::NoExternalFiles).unwrap();
    let bake = baked(&model, &[("fit", "joint-axes")]);
    let name = |one: &Hitbox| model.skeleton.joint(one.joint).name.as_str();
    let boxes: Vec<_> = bake.character.boxes.iter().map(|one| (name(one), one.vertices)).collect();
    assert_eq!(boxes, [("chassis", 8), ("hull", 16), ("track", 8), ("turret", 8), ("gun", 8)]);
    let gun = bake.character.boxes.last().unwrap();
    assert!((gun.half_extents - Vec3::new(0.1, 0.1, 1.0)).length() < 1e-6, "{}", gun.half_extents);
    assert_eq!(bake.character.coverage.as_ref().unwrap().surface_rest, 1.0);
    let codes: Vec<&str> = bake.character.warnings.iter().map(|warning| warning.code.as_str()).collect();
    assert_eq!(codes, ["left-out-meshes"]);
}

/// A knee turns by half a turn within a tenth of a second. Its box holds all of the arc, not only the poses at 30 Hz.
#[test]
fn cover_holds_what_is_between_the_times_of_its_rate() {
    let mut model = model(&two_boxes());
    model.meshes[0].triangles = (0..14).map(|first| [first, first + 1, first + 2]).collect();
    let turn = |share: f32| Quat::from_rotation_x(3.0 * share).to_array();
    let swing = |interpolation: Interpolation, keys: u16| {
        let share = move |key: u16| f32::from(key) / f32::from(keys);
        let values = (0..=keys).flat_map(|key| turn(share(key))).collect();
        let channel =
            Channel { joint: JointIndex(1), property: Property::Rotation, interpolation, timeline: 0, values };
        let times = (0..=keys).map(|key| 0.1 * share(key)).collect();
        Clip { name: "swing".into(), timelines: vec![times], channels: vec![channel] }
    };
    let boxes = |clip: Clip| {
        let words = [("preset", "cover"), ("measure", "none")];
        baked(&SkinnedModel { clips: vec![clip], ..model.clone() }, &words).character.boxes
    };
    let moving = SkinnedModel { clips: vec![swing(Interpolation::Linear, 1)], ..model.clone() };
    let closely = BakeOptions { rate: 64.0 * 30.0, measure_times: 0, ..BakeOptions::default() };
    let escape = |boxes: &[Hitbox]| measure_boxes(&moving, boxes, &closely).max_escape;
    let (held, followed) = (escape(&boxes(swing(Interpolation::Step, 3))), escape(&boxes(moving.clips[0].clone())));
    assert!(held > 5.0 * STRAY, "what is held at 30 Hz lets it out: {held}");
    assert!(followed <= STRAY, "{followed}");
}

#[test]
fn flat_groups_become_thin_boxes_with_a_warning() {
    let mut rows = two_boxes();
    rows.retain(|(position, _)| position[1] != 2.0);
    for fit in ["pca", "vertex-pca", "min-volume", "joint-axes"] {
        let bake = baked(&model(&rows), &[("fit", fit), ("min_thickness", "0.1")]);
        let knee = &bake.character.boxes[1];
        assert!((knee.half_extents.min_element() - 0.05).abs() < 1e-6, "{fit}: {}", knee.half_extents);
        assert_eq!(bake.character.warnings.len(), 1);
        assert_eq!(
            (bake.character.warnings[0].code.as_str(), bake.character.warnings[0].joint.as_deref()),
            ("flat-group", Some("knee"))
        );
    }
}

/// Rounding decides if points are exactly flat, but the shape of the box does not depend on this.
#[test]
fn groups_that_are_flat_but_for_rounding_warn_as_flat_ones_do() {
    let mut rows = two_boxes();
    rows.retain(|(position, _)| position[1] != 2.0);
    for (number, (position, _)) in (0u16..).zip(&mut rows) {
        position[1] += 1e-6 * f32::from(number % 3);
    }
    let bake = baked(&model(&rows), &[("min_thickness", "0.1")]);
    let codes: Vec<(&str, Option<&str>)> =
        bake.character.warnings.iter().map(|warning| (warning.code.as_str(), warning.joint.as_deref())).collect();
    assert_eq!(codes, [("flat-group", Some("knee"))]);
}

#[test]
fn what_the_import_and_the_grouping_found_is_carried_over() {
    let mut rows = two_boxes();
    rows.push(([0.0; 3], [0.0, 0.0]));
    let mut model = model(&rows);
    model.warnings.push(ImportWarning { code: "nan-weights", joint: None, text: "one vertex".into() });
    let codes: Vec<String> = baked(&model, &[]).character.warnings.into_iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["nan-weights", "unassigned-vertices"]);
}

/// The import names vertices without weights, so the grouping only names the others.
#[test]
fn vertices_that_belong_to_no_joint_are_named_once() {
    let mut rows = two_boxes();
    rows.push(([0.0; 3], [0.0, 0.0]));
    let mut model = model(&rows);
    model.meshes[0].name = String::new();
    let unassigned = |model: &SkinnedModel, words: &[(&str, &str)]| {
        let warnings = baked(model, words).character.warnings;
        let of_code = warnings.into_iter().filter(|warning| warning.code == "unassigned-vertices");
        of_code.map(|warning| warning.text).collect::<Vec<_>>()
    };
    let own = "a mesh without a name: 1 of 17 vertices belong to no joint's group and are in no box";
    assert_eq!(unassigned(&model, &[]), [own]);
    model.warnings.push(ImportWarning { code: "unassigned-vertices", joint: None, text: "one vertex".into() });
    assert_eq!(unassigned(&model, &[]), ["one vertex"]);
}

#[test]
fn a_character_that_is_tiny_beside_its_skeleton_is_warned_about() {
    let mut rows = two_boxes();
    for (position, _) in &mut rows {
        *position = position.map(|coordinate| 1e-30 * coordinate);
    }
    let warnings = baked(&model(&rows), &[]).character.warnings;
    assert!(warnings.iter().any(|warning| warning.code == "implausible-size"), "{warnings:?}");
    assert!(warnings.iter().all(|warning| !warning.text.contains(" 0 m")), "{warnings:?}");
    assert!(baked(&model(&two_boxes()), &[]).character.warnings.is_empty());
}

#[test]
fn the_number_of_threads_does_not_show() {
    let rows: Vec<([f32; 3], [f32; 2])> = (0..400u16)
        .map(|k| {
            let wave = |factor: f32| (f32::from(k) * factor).fract() - 0.5;
            ([wave(0.618), wave(0.755), wave(0.569)], [wave(0.4) + 0.5, wave(0.7) + 0.5])
        })
        .collect();
    let model = model(&rows);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let bake = pool.install(|| baked(&model, &[("fit", "min-volume"), ("group", "threshold")]));
        (baked_format::write(&bake.character).unwrap(), bake.report)
    };
    assert_eq!(with(1), with(4));
}

#[test]
fn boxes_hold_their_vertices_in_f32() {
    let rows: Vec<([f32; 3], [f32; 2])> = (0..60u16)
        .map(|k| {
            let wave = |factor: f32| (f32::from(k) * factor).fract() * 1.7 - 0.5;
            ([wave(0.618), wave(0.755), wave(0.569)], [1.0, 0.0])
        })
        .collect();
    for fit in ["pca", "vertex-pca", "min-volume", "joint-axes"] {
        let bake = baked(&model(&rows), &[("fit", fit), ("min_thickness", "0")]);
        let one = &bake.character.boxes[0];
        let obb = Obb::from_orientation(one.center, one.half_extents, one.orientation);
        for (position, _) in &rows {
            let local = obb.to_local(Vec3::from_array(*position)).abs();
            assert!(local.cmple(one.half_extents).all(), "{fit}");
        }
    }
}

#[test]
fn errors_say_what_and_where() {
    let error = |model: &SkinnedModel| bake(model, "made-up", source(), &BakeOptions::default()).unwrap_err();
    let nothing = error(&model(&[([0.0; 3], [0.0, 0.0])]));
    assert!(matches!(nothing, BakeError::NothingBound { .. }));
    insta::assert_snapshot!(nothing, @"no vertex belongs to a joint with hitboxes (1 vertices in 1 meshes); bind the mesh to its joints, and check `include` and `exclude`");
    let far = error(&model(&[([1e30, 0.0, 0.0], [0.0, 1.0])]));
    insta::assert_snapshot!(far, @r#"joint "knee": a vertex lies 1.0000000150474662e30 m from it, which is 1.0000000150474662e30 of the joint's own units, expected at most 1e12; use a larger unit of length, or correct the inverse bind matrix"#);
}

#[test]
fn any_unit_gives_finite_boxes() {
    for size in [1e-30, 1e-12, 1e9] {
        let rows: Vec<_> =
            two_boxes().into_iter().map(|(position, weights)| (position.map(|x| x * size), weights)).collect();
        for fit in ["pca", "vertex-pca", "min-volume", "joint-axes"] {
            let bake = baked(&model(&rows), &[("fit", fit)]);
            assert!(bake.character.boxes.iter().all(|one| one.half_extents.is_finite() && one.volume().is_finite()));
        }
    }
}

/// A tube whose rings belong to one joint each, one ring apart. Boxes around vertices leave all surface between rings
/// out.
fn rings(character: &mut test_models::Character) {
    (character.positions, character.influences, character.triangles) = Default::default();
    for ring in 0..2u16 {
        for [y, z] in [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]] {
            character.positions.push([f32::from(ring), y, z]);
            character.influences.push(vec![(ring, 1.0)]);
        }
    }
    for side in 0..4 {
        let [a, b] = [side, (side + 1) % 4];
        character.triangles.extend([[a, b, b + 4], [a, b + 4, a + 4]]);
    }
}

#[test]
fn low_coverage_is_said_with_what_helps() {
    let mut limb = test_models::box_limb();
    rings(&mut limb);
    let model = skinned_model::import(&limb.to_glb(), &skinned_model::NoExternalFiles).unwrap();
    let texts = |preset: &str| -> Vec<String> {
        let warnings = baked(&model, &[("preset", preset)]).character.warnings;
        warnings.into_iter().filter(|warning| warning.code == "low-coverage").map(|warning| warning.text).collect()
    };
    insta::assert_snapshot!(texts("recipe").join("\n"), @r#"the boxes hold 0.0 % of the surface in the rest pose and 0.0 % over the clips; boxes around vertices leave the surface between joints out; use preset = "tight" or preset = "cover""#);
    assert_eq!(texts("cover"), Vec::<String>::new());
}

/// Boxes of another tool may come in any order.
#[test]
fn measured_boxes_may_have_any_order() {
    let model = skinned_model::import(&test_models::box_man().to_glb(), &skinned_model::NoExternalFiles).unwrap();
    let options = options(&[]);
    let boxes = baked(&model, &[]).character.boxes;
    let backward: Vec<Hitbox> = boxes.iter().rev().cloned().collect();
    assert_eq!(measure_boxes(&model, &backward, &options), measure_boxes(&model, &boxes, &options));
    let smaller = |boxes: &[Hitbox]| -> Vec<Hitbox> {
        boxes.iter().map(|one| Hitbox { half_extents: 0.5 * one.half_extents, ..one.clone() }).collect()
    };
    let escapes = escapes_by_joint(&model, &smaller(&backward), &options);
    assert!(!escapes.is_empty());
    assert_eq!(escapes, escapes_by_joint(&model, &smaller(&boxes), &options));
}

/// One joint's box holds everything: all surface is inside a box, but only this joint's surface is inside a box of its
/// own joint.
#[test]
fn a_giant_box_does_not_raise_the_coverage_by_own_boxes() {
    let model = skinned_model::import(&test_models::box_man().to_glb(), &skinned_model::NoExternalFiles).unwrap();
    let options = options(&[]);
    let mut boxes = baked(&model, &[]).character.boxes;
    let right = measure_boxes(&model, &boxes, &options);
    assert_eq!((right.surface_rest, right.own_rest, right.own_clips), (1.0, 1.0, 1.0));
    boxes.truncate(1);
    boxes[0].half_extents = Vec3::splat(100.0);
    let giant = measure_boxes(&model, &boxes, &options);
    assert_eq!(giant.surface_rest, 1.0);
    assert!(giant.own_rest < 0.5 && giant.own_clips < 0.5, "{giant:?}");
}
