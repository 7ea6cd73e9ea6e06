//! Tests which joints really touch, and how well boxes find them.

use asset_bake::Asset;
use bone_fit::{BakeOptions, Preset, bake};
use corpus_agreement::oracle::{self, Golden};
use corpus_agreement::shared_surface::SharedSurface;
use corpus_agreement::touching::{Tree, Triangle, touch};
use corpus_agreement::truth::{Score, by_boxes, meetings, score, truth};
use glam::{Affine3A, DAffine3, DVec3, Vec3};
use parry3d::math::Pose;
use parry3d::query;
use proptest::prelude::*;
use skinned_model::SkinnedModel;

/// Triangles with corners on a coarse grid, so that they often touch at a corner, an edge or in a plane, and are often
/// degenerate.
fn on_a_grid() -> impl Strategy<Value = Triangle> {
    let corner = prop::array::uniform3(-2i8..=2).prop_map(|[x, y, z]| DVec3::new(x.into(), y.into(), z.into()));
    prop::array::uniform3(corner)
}

fn anywhere() -> impl Strategy<Value = Triangle> {
    let corner = prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from_array);
    prop::array::uniform3(corner)
}

/// Returns whether an edge of one triangle meets the other triangle. `None` for coplanar triangles and triangles
/// without area, which this reference does not decide.
fn by_edges(a: &Triangle, b: &Triangle) -> Option<bool> {
    let volume = |p: DVec3, q: DVec3, r: DVec3, s: DVec3| (q - p).cross(r - p).dot(s - p);
    let flat = a.iter().all(|corner| volume(b[0], b[1], b[2], *corner) == 0.0);
    if flat || [a, b].iter().any(|[p, q, r]| (*q - *p).cross(*r - *p) == DVec3::ZERO) {
        return None;
    }
    // Distances to the plane are exact on the grid. The point is multiplied by their difference, which avoids a
    // division.
    let meets = |[p, q]: [DVec3; 2], [x, y, z]: &Triangle| {
        let (from, to) = (volume(*x, *y, *z, p), volume(*x, *y, *z, q));
        if from == to || from * to > 0.0 {
            return false;
        }
        let normal = (*y - *x).cross(*z - *x);
        let at = (p * to - q * from) / (to - from);
        [[*x, *y], [*y, *z], [*z, *x]].iter().all(|[s, t]| normal.dot((*t - *s).cross(at - *s)) >= -1e-9)
    };
    let edges = |[p, q, r]: &Triangle| [[*p, *q], [*q, *r], [*r, *p]];
    Some(edges(a).iter().any(|edge| meets(*edge, b)) || edges(b).iter().any(|edge| meets(*edge, a)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn triangles_touch_if_an_edge_meets_the_other_triangle(a in on_a_grid(), b in on_a_grid()) {
        if let Some(expected) = by_edges(&a, &b) {
            prop_assert_eq!(touch(&a, &b), expected);
        }
        prop_assert_eq!(touch(&a, &b), touch(&b, &a));
        prop_assert!(touch(&a, &a));
    }

    #[test]
    fn triangles_touch_as_in_parry(a in anywhere(), b in anywhere()) {
        let theirs = |[p, q, r]: Triangle| parry3d::shape::Triangle::new(p.as_vec3(), q.as_vec3(), r.as_vec3());
        let (one, other) = (theirs(a), theirs(b));
        let distance = query::distance(&Pose::IDENTITY, &one, &Pose::IDENTITY, &other).unwrap().distance;
        if distance > 1e-4 {
            prop_assert!(!touch(&a, &b));
        } else if query::contact(&Pose::IDENTITY, &one, &Pose::IDENTITY, &other, 0.0).unwrap().is_some_and(|contact| contact.dist < -1e-4) {
            prop_assert!(touch(&a, &b));
        }
    }

    #[test]
    fn a_tree_agrees_with_a_double_loop(
        a in prop::collection::vec(anywhere(), 0..40),
        b in prop::collection::vec(anywhere(), 0..40),
        apart in 0.0..2.5f64,
    ) {
        let moved: Vec<Triangle> = b.iter().map(|triangle| triangle.map(|corner| corner + DVec3::X * apart)).collect();
        let expected = a.iter().any(|one| moved.iter().any(|other| touch(one, other)));
        prop_assert_eq!(Tree::new(a).touches(&Tree::new(moved)), expected);
    }
}

#[test]
fn coplanar_triangles_touch_in_their_plane() {
    let at = |x: f64, y: f64| DVec3::new(x, y, 1.0);
    let one = [at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0)];
    let moved = |by: DVec3| one.map(|corner| corner + by);
    assert!(touch(&one, &moved(DVec3::new(0.4, 0.4, 0.0))));
    assert!(touch(&one, &moved(DVec3::new(0.5, 0.5, 0.0))), "corner on the long edge");
    assert!(!touch(&one, &moved(DVec3::new(0.51, 0.5, 0.0))));
    assert!(!touch(&one, &moved(DVec3::new(0.4, 0.4, 1e-12))));
}

#[test]
fn a_strip_is_cut_where_two_joints_have_equal_weights() {
    // The weights of the second joint grow along x from 0 to 1, so the border is at the middle of the strip.
    let mut model = strip();
    let areas: Vec<f64> = SharedSurface::new(&model, 0.0).bind_areas().into_values().collect();
    assert_eq!(areas, [1.0, 1.0]);
    // If both weights are equal everywhere, the joint of the first slot owns the strip.
    model.meshes[0].influences.weights = vec![0.5; 8];
    let areas: Vec<f64> = SharedSurface::new(&model, 0.0).bind_areas().into_values().collect();
    assert_eq!(areas, [2.0]);
    // With 8 bits and sorted slots, the second weight is larger by one step. If that counts as a tie, the first joint
    // still owns the strip.
    let influences = &mut model.meshes[0].influences;
    influences.slots = [1, 0].repeat(4);
    influences.weights = [128.0 / 255.0, 127.0 / 255.0].repeat(4);
    let areas = |tolerance: f64| SharedSurface::new(&model, tolerance).bind_areas();
    assert_eq!(areas(0.0).into_keys().map(|joint| joint.0).collect::<Vec<_>>(), [1]);
    assert_eq!(areas(0.004).into_keys().map(|joint| joint.0).collect::<Vec<_>>(), [0]);
}

/// A strip of length 2 and width 1 between two joints.
fn strip() -> SkinnedModel {
    use skeleton::{Joint, JointIndex, NodeIndex, Skeleton};
    use skinned_model::{Influences, SkinnedMesh};
    let joint = |name: &str| Joint { name: name.into(), ..Joint::default() };
    SkinnedModel {
        skeleton: Skeleton::new(vec![joint("first"), joint("second")]).unwrap(),
        meshes: vec![SkinnedMesh {
            name: "strip".into(),
            names: skinned_model::MeshNames::default(),
            node: NodeIndex(0),
            joints: vec![JointIndex(0), JointIndex(1)],
            joint_from_mesh: vec![Affine3A::IDENTITY; 2],
            positions: vec![Vec3::ZERO, 2.0 * Vec3::X, Vec3::Y, Vec3::new(2.0, 1.0, 0.0)],
            influences: Influences {
                per_vertex: 2,
                slots: [0, 1].repeat(4),
                weights: vec![1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0],
            },
            triangles: vec![[0, 1, 2], [1, 3, 2]],
            normals: vec![],
            texture_coordinates: vec![],
        }],
        ..SkinnedModel::default()
    }
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn the_parts_of_all_joints_are_the_whole_surface() {
    for golden in oracle::golden().iter().filter(|golden| oracle::MEASURED.contains(&golden.name.as_str())) {
        let model = model(golden);
        let shared: f64 = SharedSurface::new(&model, 0.0).bind_areas().values().sum();
        let area = |[a, b, c]: [DVec3; 3]| 0.5 * (b - a).cross(c - a).length();
        let of_mesh = |mesh: &skinned_model::SkinnedMesh| {
            let at = |corner: u32| mesh.positions[corner as usize].as_dvec3();
            mesh.triangles.iter().map(|triangle| area(triangle.map(at))).sum::<f64>()
        };
        let whole: f64 = model.meshes.iter().map(of_mesh).sum();
        assert!((shared / whole - 1.0).abs() < 1e-9, "{}: {shared} of {whole}", golden.name);
    }
}

fn model(golden: &Golden) -> SkinnedModel {
    Asset::open(&golden.path).unwrap().import().unwrap().0
}

/// The scores of every `every`-th meeting.
fn scores(golden: &Golden, presets: &[&str], every: usize) -> Vec<Score> {
    let model = model(golden);
    let meetings: Vec<_> = meetings(&model, &golden.oracle).into_iter().step_by(every).collect();
    let of_tolerance = |tolerance: f64| truth(&model, tolerance, &meetings);
    let (equal, near) = (of_tolerance(0.0), of_tolerance(BakeOptions::preset(Preset::Tight).tie_tolerance));
    assert!(equal.iter().any(|pairs| !pairs.is_empty()), "{}: the copies touch in some meetings", golden.name);
    let of_preset = |preset: &&str| {
        let source = baked_format::Source { file: String::new(), blake3: [0; 32], generator: String::new() };
        let words = [("preset", *preset), ("attachments", "skip"), ("measure", "none")];
        let options = BakeOptions::from_entries(words).unwrap();
        let bake = bake(&model, "", source, &options).unwrap();
        score(&by_boxes(&bake.character, &meetings), if options.tie_tolerance > 0.0 { &near } else { &equal })
    };
    presets.iter().map(of_preset).collect()
}

/// Boxes that hold the surface find every joint that really touches; the other presets must reach their measured
/// figures. The test uses a few meetings of two characters. With `BONEBOX_LONG=1` it uses all meetings of nine
/// characters.
#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn cover_finds_every_touching_joint_and_tight_almost_every_one() {
    let long = std::env::var_os("BONEBOX_LONG").is_some();
    let (names, every) = if long { (&oracle::MEASURED[..], 1) } else { (&["Fox", "RobotExpressive"][..], 1) };
    let golden = oracle::golden();
    let mut mean = [0.0; 2];
    for golden in golden.iter().filter(|golden| names.contains(&golden.name.as_str())) {
        let [recipe, tight, cover] = scores(golden, &["recipe", "tight", "cover"], every)[..] else { unreachable!() };
        println!("{}: recipe {:?}, tight {:?}, cover {:?}", golden.name, recipe.joints, tight.joints, cover.joints);
        assert_eq!((cover.joints.missed, cover.characters.missed), (0, 0), "{}", golden.name);
        assert!(tight.joints.recall() >= 0.989, "{}: {:?}", golden.name, tight.joints);
        assert!(tight.joints.precision() > cover.joints.precision(), "{}: {:?}", golden.name, tight.joints);
        assert!(tight.joints.recall() >= recipe.joints.recall(), "{}: {:?}", golden.name, tight.joints);
        mean[0] += tight.joints.precision() / names.len() as f64;
        mean[1] += tight.joints.recall() / names.len() as f64;
    }
    println!("tight: precision {:.4}, recall {:.5} in the mean", mean[0], mean[1]);
    if long {
        assert!(mean[0] >= 0.517 && mean[1] >= 0.998, "mean precision and recall: {mean:?}");
    }
}

/// Compares with parry's triangle meshes, joint by joint, in a few meetings.
#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn parry_finds_the_same_joints() {
    let golden = oracle::golden();
    let fox = golden.iter().find(|golden| golden.name == "Fox").unwrap();
    let model = model(fox);
    let surface = SharedSurface::new(&model, 0.0);
    let mesh = |tree: &Tree| {
        let corners = tree.triangles().as_flattened().iter().map(|corner| corner.as_vec3()).collect::<Vec<_>>();
        let triangles = (0..corners.len() as u32 / 3).map(|index| [3 * index, 3 * index + 1, 3 * index + 2]).collect();
        parry3d::shape::TriMesh::new(corners, triangles).unwrap()
    };
    let mut agreed = 0;
    for meeting in meetings(&model, &fox.oracle).iter().step_by(36) {
        let ours = truth(&model, 0.0, std::slice::from_ref(meeting)).remove(0);
        let a = surface.posed(&DAffine3::IDENTITY, &meeting.poses[0]);
        let b = surface.posed(&meeting.place, &meeting.poses[1]);
        for (&joint_a, a) in &a {
            for (&joint_b, b) in &b {
                let (one, other) = (mesh(a), mesh(b));
                let theirs = query::intersection_test(&Pose::IDENTITY, &one, &Pose::IDENTITY, &other).unwrap();
                if theirs.intersecting == ours.contains(&(joint_a, joint_b)) {
                    agreed += 1;
                    continue;
                }
                // Single precision may have a tiny error; the fox is 79 units tall.
                let apart = query::distance(&Pose::IDENTITY, &one, &Pose::IDENTITY, &other).unwrap();
                let [one, other] = [one.triangle(apart.subshape1), other.triangle(apart.subshape2)];
                let contact = query::contact(&Pose::IDENTITY, &one, &Pose::IDENTITY, &other, 1.0).unwrap().unwrap();
                println!("{joint_a:?} and {joint_b:?}: parry has them {} apart", contact.dist);
                assert!(contact.dist.abs() < 1e-4, "{joint_a:?} and {joint_b:?}: {contact:?}");
            }
        }
    }
    assert!(agreed > 1900, "{agreed}");
}
