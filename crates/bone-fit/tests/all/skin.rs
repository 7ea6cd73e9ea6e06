//! The skinned surface in the file: its pieces make up the source's surface, without gaps between them.

use baked_format::{BakedCharacter, Skin, SkinEncoding, SkinPiece, Source};
use bone_fit::{Bake, BakeError, BakeOptions, bake};
use glam::{Affine3A, DVec3, Vec3};
use skeleton::{Joint, JointIndex, LocalTransform, NodeIndex, Skeleton, Trs};
use skinned_model::{Influences, SkinnedMesh, SkinnedModel};
use std::collections::BTreeMap;
use std::path::Path;
use test_models::Random;

pub(crate) fn baked(model: &SkinnedModel, words: &[(&str, &str)]) -> Result<Bake, BakeError> {
    let options = BakeOptions::from_entries(words.iter().copied()).unwrap();
    let source = Source { file: "made-up.glb".into(), blake3: [0; 32], generator: "test".into() };
    bake(model, "made-up", source, &options)
}

/// Returns the size of the skin in the file, in bytes, everything included. Checks that reading the file gives the same
/// character.
pub(crate) fn bytes_in_file(character: &BakedCharacter) -> usize {
    let file = baked_format::write(character).unwrap();
    assert_eq!(&baked_format::read(&file).unwrap(), character);
    let without = BakedCharacter { skin: None, ..character.clone() };
    file.len() - baked_format::write(&without).unwrap().len()
}

/// Returns every joint's matrix in a pose: the rest pose, with every joint turned about an axis of its own.
pub(crate) fn pose(skeleton: &Skeleton, angle: f32) -> Vec<Affine3A> {
    let mut local = skeleton.rest_pose();
    for (index, joint) in local.iter_mut().enumerate() {
        if let LocalTransform::Trs(trs) = joint {
            let axis = [Vec3::X, Vec3::Y, Vec3::Z][index % 3];
            let half = (axis * libm::sinf(0.5 * angle)).extend(libm::cosf(0.5 * angle));
            trs.rotation *= glam::Quat::from_vec4(half);
        }
    }
    let mut matrices = vec![Affine3A::IDENTITY; skeleton.len()];
    skeleton.model_from_joints(&local, &mut matrices);
    matrices
}

/// Returns all corners of a piece in a pose: sums of products in `f32`, in the order of the file.
pub(crate) fn posed(skin: &Skin, piece: &SkinPiece, model_from_joint: &[Affine3A]) -> Vec<Vec3> {
    let mut corners: Vec<Vec3> = Vec::with_capacity(piece.positions.len() + piece.cuts.len());
    let mut next = 0;
    for (position, count) in piece.positions.iter().zip(piece.influences_per_vertex()) {
        let mut sum = Vec3::ZERO;
        for index in next..next + count {
            let binding = &skin.bindings[usize::from(piece.influences[index])];
            let model_from_mesh = model_from_joint[binding.joint.index()] * binding.joint_from_mesh;
            sum += model_from_mesh.transform_point3(*position) * piece.weights[index];
        }
        next += count;
        corners.push(sum);
    }
    for cut in &piece.cuts {
        let [a, b, c] = cut.corners.map(|corner| corners[corner as usize]);
        corners.push((a * cut.weights[0] + b * cut.weights[1]) + c * cut.weights[2]);
    }
    corners
}

/// Returns each source triangle in a pose, by the reference for skinning; `None` if a corner has no weights.
fn source_triangles(model: &SkinnedModel, model_from_joint: &[Affine3A], attachments: bool) -> Vec<Option<[DVec3; 3]>> {
    let mut all = Vec::new();
    for mesh in &model.meshes {
        let points = skinned_model::skinning::skin_positions(mesh, model_from_joint);
        all.extend(mesh.triangles.iter().map(|triangle| {
            let [a, b, c] = triangle.map(|corner| points[corner as usize]);
            Some([a?, b?, c?])
        }));
    }
    for attachment in model.attachments.iter().filter(|_| attachments) {
        let model_from_mesh = model_from_joint[attachment.joint.index()] * attachment.joint_from_mesh;
        let point = |corner: u32| model_from_mesh.transform_point3(attachment.positions[corner as usize]).as_dvec3();
        all.extend(attachment.triangles.iter().map(|triangle| Some(triangle.map(point))));
    }
    all
}

fn area([a, b, c]: [DVec3; 3]) -> f64 {
    0.5 * (b - a).cross(c - a).length()
}

/// Edges by the bits of their ends. The value of an edge is the number of times that triangles run through it in one
/// direction minus the number in the opposite direction.
#[derive(Default)]
struct OpenEdges(BTreeMap<([u32; 3], [u32; 3]), i64>);

impl OpenEdges {
    fn add(&mut self, triangle: [Vec3; 3]) {
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            let [from, to] =
                [from, to].map(|corner: usize| (triangle[corner] + Vec3::ZERO).to_array().map(f32::to_bits));
            if from < to {
                *self.0.entry((from, to)).or_default() += 1;
            } else if to < from {
                *self.0.entry((to, from)).or_default() -= 1;
            }
        }
    }

    fn count(&self) -> usize {
        self.0.values().filter(|net| **net != 0).count()
    }

    fn length(&self) -> f64 {
        let point = |bits: [u32; 3]| Vec3::from_array(bits.map(f32::from_bits)).as_dvec3();
        let open = self.0.iter().filter(|(_, net)| **net != 0);
        open.map(|((from, to), net)| net.unsigned_abs() as f64 * (point(*to) - point(*from)).length()).sum()
    }
}

/// The figures that [`check`] finds.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) area: f64,
    /// The area of the source's triangles.
    pub(crate) source_area: f64,
    /// The largest distance of a source triangle's corner from the reference, in model units.
    pub(crate) error: f64,
    /// The number of edges without a partner, in the source and in all pieces together.
    pub(crate) open: (usize, usize),
    pub(crate) open_length: (f64, f64),
}

/// Compares all pieces together with the source in one pose.
pub(crate) fn check(model: &SkinnedModel, bake: &Bake, model_from_joint: &[Affine3A], attachments: bool) -> Found {
    let skin = bake.character.skin.as_ref().unwrap();
    let source = source_triangles(model, model_from_joint, attachments);
    let mut found = Found { area: 0.0, source_area: 0.0, error: 0.0, open: (0, 0), open_length: (0.0, 0.0) };
    found.source_area = source.iter().flatten().map(|triangle| area(*triangle)).sum();
    let (mut of_source, mut of_pieces) = (OpenEdges::default(), OpenEdges::default());
    let mut seen = vec![false; source.len()];
    for piece in &skin.pieces {
        let corners = posed(skin, piece, model_from_joint);
        let mut see = |number: u32, triangle: [Vec3; 3]| {
            let expected = source[number as usize].unwrap();
            for (corner, expected) in triangle.into_iter().zip(expected) {
                found.error = found.error.max((corner.as_dvec3() - expected).length());
            }
            if !std::mem::replace(&mut seen[number as usize], true) {
                of_source.add(triangle);
            }
        };
        let cut: BTreeMap<u32, [u32; 3]> =
            piece.cut_triangles.iter().map(|cut| (cut.source_triangle, cut.corners)).collect();
        assert_eq!(cut.len(), piece.cut_triangles.len());
        for (triangle, number) in piece.triangles.iter().zip(&piece.source_triangles) {
            let at = triangle.map(|corner| corners[corner as usize]);
            found.area += area(at.map(Vec3::as_dvec3));
            of_pieces.add(at);
            let whole = cut.get(number).unwrap_or(triangle);
            see(*number, whole.map(|corner| corners[corner as usize]));
        }
    }
    for (seen, source) in seen.iter().zip(&source) {
        assert_eq!(*seen, source.is_some(), "every triangle with weights is in a piece");
    }
    found.open = (of_source.count(), of_pieces.count());
    found.open_length = (of_source.length(), of_pieces.length());
    found
}

/// A closed surface of `rows` times `columns` quads around a chain of joints. `weights` gives the weights of each
/// vertex.
pub(crate) fn tube(joints: u16, columns: usize, mut weights: impl FnMut(usize) -> Vec<f32>) -> SkinnedModel {
    let rows = 4 * usize::from(joints);
    let joint = |index: u16| Joint {
        name: format!("joint{index}"),
        node: NodeIndex(index.into()),
        parent: index.checked_sub(1).map(JointIndex),
        rest: LocalTransform::Trs(Trs { translation: Vec3::X * f32::from(index.min(1)), ..Trs::IDENTITY }),
        skinned: true,
    };
    let per_vertex = usize::from(joints);
    let mut mesh = SkinnedMesh {
        names: skinned_model::MeshNames::default(),
        name: "tube".into(),
        node: NodeIndex(joints.into()),
        joints: (0..joints).map(JointIndex).collect(),
        joint_from_mesh: (0..joints).map(|index| Affine3A::from_translation(-Vec3::X * f32::from(index))).collect(),
        positions: Vec::new(),
        influences: Influences { per_vertex, slots: vec![], weights: vec![] },
        triangles: Vec::new(),
        normals: vec![],
        texture_coordinates: vec![],
    };
    let mut push = |mesh: &mut SkinnedMesh, position: Vec3| {
        let row = weights(mesh.positions.len());
        mesh.positions.push(position);
        mesh.influences.slots.extend(0..joints);
        mesh.influences.weights.extend(row);
    };
    for row in 0..rows {
        let x = (row as f32 / rows as f32 - 0.1) * f32::from(joints);
        for column in 0..columns {
            let turn = std::f32::consts::TAU * column as f32 / columns as f32;
            push(&mut mesh, Vec3::new(x, 0.4 * libm::cosf(turn), 0.4 * libm::sinf(turn)));
        }
    }
    push(&mut mesh, Vec3::new(-0.6, 0.0, 0.0));
    push(&mut mesh, Vec3::new(f32::from(joints), 0.0, 0.0));
    let at = |row: usize, column: usize| (row * columns + column % columns) as u32;
    let ends = [(rows * columns) as u32, (rows * columns + 1) as u32];
    for column in 0..columns {
        for row in 0..rows - 1 {
            let [a, b, c, d] = [at(row, column), at(row, column + 1), at(row + 1, column), at(row + 1, column + 1)];
            mesh.triangles.extend([[a, c, b], [b, c, d]]);
        }
        mesh.triangles.push([ends[0], at(0, column), at(0, column + 1)]);
        mesh.triangles.push([ends[1], at(rows - 1, column + 1), at(rows - 1, column)]);
    }
    SkinnedModel {
        skeleton: Skeleton::new((0..joints).map(joint).collect()).unwrap(),
        meshes: vec![mesh],
        ..SkinnedModel::default()
    }
}

/// Weights of several kinds: wholly bound, few influences, as many influences as joints, and many ties.
fn any_weights(seed: u64, joints: u16) -> impl FnMut(usize) -> Vec<f32> {
    let mut random = Random::new(seed);
    move |_| {
        let mut row: Vec<f32> = (0..joints).map(|_| 0.0).collect();
        let count = 1 + random.below(usize::from(joints));
        for _ in 0..count {
            let at = random.below(row.len());
            // Multiples of a sixteenth tie; multiples of 1/65,536 mostly do not.
            row[at] = match seed % 3 {
                0 => (1 + random.below(15)) as f32 / 16.0,
                1 => (1 + random.below(65_535)) as f32 / 65_536.0,
                _ => (1 + random.below(255)) as f32 / 255.0,
            };
        }
        row
    }
}

#[test]
fn pieces_of_a_closed_surface_are_closed_together_in_every_pose() {
    for seed in 0..24 {
        let joints = 2 + (seed % 5) as u16;
        let model = tube(joints, 9, any_weights(seed, joints));
        for words in [[("skin", "lossless"), ("tie_tolerance", "0")], [("skin", "compact"), ("tie_tolerance", "0.004")]]
        {
            let bake = baked(&model, &words).unwrap();
            let report = bake.report.skin.unwrap();
            assert_eq!((report.torn_triangles, report.left_out_triangles), (0, 0), "seed {seed}");
            assert!(report.divided_triangles > 0 && report.cuts > 0, "seed {seed}: {report:?}");
            for angle in [0.0, 0.7] {
                let found = check(&model, &bake, &pose(&model.skeleton, angle), true);
                assert_eq!(found.open, (0, 0), "seed {seed}, {words:?}, angle {angle}");
            }
        }
    }
}

#[test]
fn pieces_have_the_area_and_the_points_of_the_source() {
    for seed in 0..24 {
        let joints = 2 + (seed % 5) as u16;
        let model = tube(joints, 7, any_weights(seed, joints));
        let bake = baked(&model, &[("skin", "lossless")]).unwrap();
        let found = check(&model, &bake, &pose(&model.skeleton, 0.0), true);
        assert!((found.area / found.source_area - 1.0).abs() < 1e-6, "seed {seed}: {found:?}");
        let found = check(&model, &bake, &pose(&model.skeleton, 1.1), true);
        assert!((found.area / found.source_area - 1.0).abs() < 1e-6, "seed {seed}: {found:?}");
        assert!(found.error < 1e-5, "seed {seed}: {found:?}");
    }
}

#[test]
fn a_compact_skin_is_as_close_as_it_says() {
    for seed in 0..12 {
        let joints = 2 + (seed % 5) as u16;
        let model = tube(joints, 7, any_weights(seed, joints));
        let bake = baked(&model, &[("skin", "compact")]).unwrap();
        let skin = bake.character.skin.as_ref().unwrap();
        assert!(skin.max_error > 0.0 && skin.max_error <= 1e-4, "seed {seed}: {}", skin.max_error);
        let found = check(&model, &bake, &pose(&model.skeleton, 0.0), true);
        let error = found.error / bake.report.height;
        assert!(error <= f64::from(skin.max_error) + 1e-6, "seed {seed}: {error} is more than {}", skin.max_error);
        let SkinEncoding::Compact { step_exponent } = skin.encoding else { panic!("{:?}", skin.encoding) };
        let step = f64::from(step_exponent).exp2();
        for piece in &skin.pieces {
            let coordinates = piece.positions.iter().flat_map(|position| position.to_array());
            assert!(coordinates.map(|x| f64::from(x) / step).all(|steps| steps == steps.round()));
            let weights = piece.weights.iter().chain(piece.cuts.iter().flat_map(|cut| &cut.weights));
            assert!(weights.map(|weight| weight * 65536.0).all(|units| units == units.round()));
        }
    }
}

/// Two pieces that share a vertex or a cut pose it to the same bits, because both pieces store the same numbers for it.
#[test]
fn neighbors_store_their_border_alike() {
    let model = tube(4, 8, any_weights(1, 4));
    let bake = baked(&model, &[("skin", "lossless")]).unwrap();
    let skin = bake.character.skin.as_ref().unwrap();
    let mut known: BTreeMap<[u32; 3], (Vec<u16>, Vec<u32>)> = BTreeMap::new();
    let mut shared = 0;
    for piece in &skin.pieces {
        let mut next = 0;
        for (position, count) in piece.positions.iter().zip(piece.influences_per_vertex()) {
            let bindings = piece.influences[next..next + count].to_vec();
            let weights: Vec<u32> = piece.weights[next..next + count].iter().map(|weight| weight.to_bits()).collect();
            assert!(bindings.is_sorted());
            next += count;
            let bits = position.to_array().map(f32::to_bits);
            let row = (bindings, weights);
            shared += usize::from(known.contains_key(&bits));
            assert_eq!(known.entry(bits).or_insert_with(|| row.clone()), &row);
        }
    }
    assert!(shared > 50, "{shared} shared vertices");
}

/// Seams of textures have duplicate vertices. Unused vertices are no surface.
#[test]
fn seams_are_welded() {
    let mut model = tube(2, 6, |vertex| vec![1.0, (vertex % 5) as f32]);
    let before = baked(&model, &[("skin", "lossless")]).unwrap();
    let mesh = &mut model.meshes[0];
    let count = mesh.positions.len() as u32;
    // Every second triangle gets corners of its own.
    mesh.positions.extend_from_within(..);
    mesh.influences.slots.extend_from_within(..);
    mesh.influences.weights.extend_from_within(..);
    mesh.triangles.iter_mut().step_by(2).for_each(|triangle| *triangle = triangle.map(|corner| corner + count));
    let after = baked(&model, &[("skin", "lossless")]).unwrap();
    assert_eq!(before.character.skin, after.character.skin);
}

/// With `any` each joint has every triangle that it moves, whole; with `threshold` each joint has the part where it has
/// the share. Pieces then overlap, or leave surface out.
#[test]
fn pieces_overlap_where_several_joints_own_the_surface() {
    let model = tube(2, 6, |vertex| if vertex < 24 { vec![0.75, 0.25] } else { vec![0.25, 0.75] });
    let area = |words: &[(&str, &str)]| {
        let bake = baked(&model, words).unwrap();
        let skin = bake.character.skin.as_ref().unwrap();
        let matrices = pose(&model.skeleton, 0.0);
        let of_piece = |piece: &SkinPiece| {
            let corners = posed(skin, piece, &matrices);
            piece
                .triangles
                .iter()
                .map(|triangle| area(triangle.map(|corner| corners[corner as usize].as_dvec3())))
                .sum()
        };
        skin.pieces.iter().map(of_piece).collect::<Vec<f64>>()
    };
    let all: f64 = area(&[("skin", "lossless")]).iter().sum();
    let any = area(&[("skin", "lossless"), ("group", "any")]);
    assert!(any.len() == 2 && any.iter().all(|own| (own / all - 1.0).abs() < 1e-6), "{any:?} of {all}");
    let low = area(&[("skin", "lossless"), ("group", "threshold"), ("min_weight", "0.4")]);
    assert!(low.iter().sum::<f64>() > 1.01 * all, "{low:?} of {all}");
    let high = area(&[("skin", "lossless"), ("group", "threshold"), ("min_weight", "0.6")]);
    assert!(high.len() == 2 && high.iter().sum::<f64>() < 0.99 * all, "{high:?} of {all}");
}

/// Surface follows the boxes: it goes to the joint that took a group, and is left out for joints that get no box.
#[test]
fn merged_and_excluded_joints_have_no_piece() {
    let model = tube(3, 6, |vertex| vec![1.0, (vertex / 18) as f32, (vertex / 36) as f32 * 3.0]);
    let joints = |words: &[(&str, &str)]| {
        let bake = baked(&model, words).unwrap();
        let report = bake.report.skin.unwrap();
        let joints: Vec<u16> = bake.character.skin.unwrap().pieces.iter().map(|piece| piece.joint.0).collect();
        (joints, report.cuts > 0, report.left_out_triangles > 0)
    };
    let lossless = ("skin", "lossless");
    assert_eq!(joints(&[lossless]), (vec![0, 1, 2], true, false));
    assert_eq!(joints(&[lossless, ("merge", "joint2")]), (vec![0, 1], true, false));
    assert_eq!(joints(&[lossless, ("merge", "joint1,joint2")]), (vec![0], false, false));
    assert_eq!(joints(&[lossless, ("exclude", "joint2")]), (vec![0, 1], true, true));
}

/// Triangles without area are kept, and so are triangles that stand alone or share an edge with two others.
#[test]
fn degenerate_and_open_surface_is_kept() {
    let mut model = tube(2, 6, |vertex| vec![1.0, (vertex % 7) as f32 / 3.0]);
    let mesh = &mut model.meshes[0];
    mesh.triangles.extend([[0, 0, 0], [1, 1, 7], [0, 12, 24], [3, 9, 20], [3, 9, 30], [40, 2, 11]]);
    let count = mesh.triangles.len();
    let bake = baked(&model, &[("skin", "lossless")]).unwrap();
    let found = check(&model, &bake, &pose(&model.skeleton, 0.4), true);
    assert!((found.area / found.source_area - 1.0).abs() < 1e-6, "{found:?}");
    assert!((found.open_length.0 - found.open_length.1).abs() < 1e-5, "{found:?}");
    let report = bake.report.skin.unwrap();
    assert_eq!((report.source_triangles as usize, report.left_out_triangles), (count, 0));
}

#[test]
fn attachments_are_rigid_pieces_of_their_joint() {
    let model = skinned_model::import(&test_models::tank().to_glb(), &skinned_model::NoExternalFiles).unwrap();
    assert!(!model.attachments.is_empty());
    let bake = baked(&model, &[("skin", "lossless")]).unwrap();
    let found = check(&model, &bake, &pose(&model.skeleton, 0.5), true);
    assert!((found.area / found.source_area - 1.0).abs() < 1e-6 && found.error < 1e-5, "{found:?}");
    let skin = bake.character.skin.as_ref().unwrap();
    assert!(skin.pieces.iter().all(|piece| piece.influence_counts.len() == 1 && piece.cuts.is_empty()));
    let names: Vec<&str> = skin.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
    assert_eq!(names, ["tank", "turret", "gun", "antenna", "chassis"]);
    let numbers: u32 = skin.meshes[..2].iter().map(|mesh| mesh.triangles).sum();
    assert_eq!((skin.source_of(numbers), skin.source_of(numbers - 1).unwrap().0), (Some((2, 0)), 1));
    let skipped = baked(&model, &[("skin", "lossless"), ("attachments", "skip")]).unwrap();
    assert_eq!(skipped.character.skin.unwrap().meshes.len(), 1);
}

/// Vertices with many influences, and all other vertices, are the same after writing and reading a file.
#[test]
fn a_file_keeps_the_skin() {
    for seed in 0..12 {
        let joints = 2 + (seed % 8) as u16;
        let model = tube(joints, 7, any_weights(seed, joints));
        for words in [[("skin", "lossless"), ("group", "dominant")], [("skin", "compact"), ("group", "any")]] {
            let bake = baked(&model, &words).unwrap();
            assert!(bytes_in_file(&bake.character) > 1000, "seed {seed}");
        }
    }
}

/// Mesh space with a scale that differs from axis to axis.
#[test]
fn a_mesh_with_uneven_scale_is_kept() {
    let mut model = tube(2, 40, |vertex| vec![1.0, (vertex % 3) as f32]);
    let scale = Affine3A::from_scale(Vec3::new(1.0, 40.0, 0.02));
    model.meshes[0].joint_from_mesh.iter_mut().for_each(|matrix| *matrix *= scale);
    model.meshes[0].positions.iter_mut().for_each(|position| *position = scale.inverse().transform_point3(*position));
    for skin in ["lossless", "compact"] {
        let bake = baked(&model, &[("skin", skin)]).unwrap();
        let found = check(&model, &bake, &pose(&model.skeleton, 0.0), true);
        let most = if skin == "lossless" { 1e-6 } else { 1.01e-4 };
        assert!(found.error <= most * bake.report.height, "{skin}: {found:?}");
        assert_eq!(found.open, (0, 0), "{skin}");
        bytes_in_file(&bake.character);
    }
}

/// The size of a skin includes indices, chunks, bindings and names.
#[test]
fn skins_are_small() {
    for name in ["runa", "bruno", "hound"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../assets/{name}.glb"));
        let model = skinned_model::import(&std::fs::read(path).unwrap(), &skinned_model::NoExternalFiles).unwrap();
        for (skin, most) in [("compact", 20), ("lossless", 45)] {
            let words = [("skin", skin), ("tie_tolerance", "0.004"), ("measure", "none")];
            let bake = baked(&model, &words).unwrap();
            let (bytes, report) = (bytes_in_file(&bake.character), bake.report.skin.unwrap());
            println!(
                "{name}, {skin}: {bytes} bytes, {:.2} a vertex; {report:?}",
                bytes as f64 / f64::from(report.vertices)
            );
            assert!(bytes <= most * report.vertices as usize, "{name}, {skin}: {bytes} bytes, {report:?}");
        }
    }
}

#[test]
fn a_character_of_ours_keeps_its_surface() {
    for name in ["runa", "bruno", "hound"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../assets/{name}.glb"));
        let model = skinned_model::import(&std::fs::read(path).unwrap(), &skinned_model::NoExternalFiles).unwrap();
        let bake = baked(&model, &[("skin", "lossless"), ("tie_tolerance", "0.004"), ("measure", "none")]).unwrap();
        let report = bake.report.skin.unwrap();
        assert_eq!((report.torn_triangles, report.left_out_triangles), (0, 0), "{name}");
        let found = check(&model, &bake, &pose(&model.skeleton, 0.3), true);
        let height = bake.report.height;
        assert!((found.area / found.source_area - 1.0).abs() < 1e-6, "{name}: {found:?}");
        assert!(found.error < 1e-6 * height, "{name}: {found:?}");
        assert!((found.open_length.0 - found.open_length.1).abs() < 1e-4 * height, "{name}: {found:?}");
    }
}

/// The attributes of a compact skin are those of a lossless one, up to the stated errors.
#[test]
fn compact_attributes_are_near_the_source_s() {
    let model = skinned_model::import(&test_models::painted_limb().to_glb(), &skinned_model::NoExternalFiles).unwrap();
    let skin = |skin: &str, attributes: &str| {
        let bake = baked(&model, &[("skin", skin), ("skin_attributes", attributes), ("measure", "none")]).unwrap();
        assert_eq!(baked_format::read(&baked_format::write(&bake.character).unwrap()).unwrap(), bake.character);
        assert!(!bake.character.warnings.iter().any(|warning| warning.code == "missing-attributes"));
        bake.character.skin.unwrap()
    };
    let (exact, compact) = (skin("lossless", "all"), skin("compact", "all"));
    let mut seams = 0;
    for (exact, compact) in exact.pieces.iter().zip(&compact.pieces) {
        assert_eq!(exact.attribute_corners.len(), exact.triangles.len());
        seams += exact.attributes.windows(2).filter(|pair| pair[0].vertex == pair[1].vertex).count();
        let entries = exact.attribute_corners.as_flattened().iter().zip(compact.attribute_corners.as_flattened());
        for (of_exact, of_compact) in entries {
            let (exact, compact) = (exact.attributes[*of_exact as usize], compact.attributes[*of_compact as usize]);
            let turn = exact.normal.unwrap().as_dvec3().cross(compact.normal.unwrap().as_dvec3()).length();
            assert!(turn < 0.06f64.to_radians(), "{exact:?} {compact:?}");
            let moved = exact.texture_coordinate.unwrap() - compact.texture_coordinate.unwrap();
            assert!(moved.abs().max_element() <= 1.0 / 32_768.0, "{exact:?} {compact:?}");
        }
    }
    assert!(seams > 4, "{seams} vertices on the seam have two texture coordinates");
    for (attributes, has_normals, has_coordinates) in
        [("none", false, false), ("normals", true, false), ("texture-coordinates", false, true)]
    {
        for entry in skin("lossless", attributes).pieces.iter().flat_map(|piece| &piece.attributes) {
            let found = (entry.normal.is_some(), entry.texture_coordinate.is_some());
            assert_eq!(found, (has_normals, has_coordinates), "{attributes}");
        }
    }
}

#[test]
fn missing_attributes_are_named_in_warnings() {
    let mut limb = test_models::painted_limb();
    limb.normals[0] = [0.0; 3];
    limb.texture_coordinates[7] = [f32::NAN, 0.0];
    let model = skinned_model::import(&limb.to_glb(), &skinned_model::NoExternalFiles).unwrap();
    let texts = |words: &[(&str, &str)]| {
        let bake = baked(&model, &[&[("skin_attributes", "all"), ("measure", "none")], words].concat()).unwrap();
        let of_attributes = bake.character.warnings.into_iter().filter(|warning| warning.code == "missing-attributes");
        of_attributes.map(|warning| warning.text).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(texts(&[("skin", "lossless")]), @r#"
    2 of 64 triangles of the skin have no normals in the source; rays that hit them get the triangle's own normal; export the character with its normals
    6 of 64 triangles of the skin have no texture coordinates in the source; rays that hit them get no texture coordinate; export the character with its texture coordinates
    "#);
    insta::assert_snapshot!(texts(&[]), @r#"skin_attributes = "all" has no effect, because the file has no skin; use skin = "lossless" or skin = "compact" too"#);
}
