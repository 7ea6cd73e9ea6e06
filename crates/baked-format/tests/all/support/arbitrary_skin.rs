//! Any skin that is valid.

use baked_format::{
    CutTriangle, Skin, SkinBinding, SkinCut, SkinEncoding, SkinMesh, SkinMorphTarget, SkinOffset, SkinPiece,
    SkinPieceOffsets, VertexAttributes,
};
use glam::{Affine3A, Vec2, Vec3};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use skeleton::{JointIndex, NodeIndex};
use std::collections::BTreeMap;

/// Position in steps, which of four bindings, and numbers to make weights of.
type MadeUpVertex = ([i32; 3], u8, [u16; 4]);

/// The cut of a source triangle (not at all, on an edge, inside), its vertices and two weights.
type MadeUpTriangle = (u8, [Index; 3], [u16; 2]);

/// A skin for a skeleton of so many joints; none without joints.
pub fn skin(joints: usize) -> impl Strategy<Value = Option<Skin>> {
    let vertex = (any::<[i16; 3]>().prop_map(|steps| steps.map(i32::from)), 1u8..16, any::<[u16; 4]>());
    let triangle = (0u8..3, any::<[Index; 3]>(), any::<[u16; 2]>());
    let attributes = proptest::option::of(vec((any::<[i8; 3]>(), any::<[i16; 2]>()), 1..5));
    let piece = (vec(vertex, 1..9), vec(triangle, 1..50), 1usize..=64, attributes, 0u8..3);
    let target = ("[a-z]{1,3}", 0u32..2, vec((any::<[Index; 2]>(), any::<[i16; 3]>()), 0..20));
    let skin = (any::<bool>(), -20i8..20, 0.0f32..1.0, vec(piece, 0..3), vec(target, 0..4));
    proptest::option::of(skin).prop_map(move |skin| {
        let (is_compact, step_exponent, max_error, pieces, targets) = skin.filter(|_| joints > 0)?;
        let compact = SkinEncoding::Compact { step_exponent };
        let step = compact.step().unwrap() as f32;
        let encoding = if is_compact { compact } else { SkinEncoding::Lossless };
        let binding = |index: usize| SkinBinding {
            joint: JointIndex((index % joints) as u16),
            joint_from_mesh: Affine3A::from_translation(Vec3::splat((index / joints) as f32)),
        };
        let mesh = |triangles| SkinMesh { name: "mesh".into(), node: NodeIndex(3), triangles };
        let first = pieces.first().cloned();
        let pieces = pieces.iter().take(joints).zip(0..);
        let mut skin = Skin {
            encoding,
            max_error,
            meshes: vec![mesh(40), mesh(10)],
            bindings: (0..4).map(binding).collect(),
            pieces: pieces
                .map(|((v, t, chunk, looks, shared), joint)| {
                    // Later pieces have no vertex, all vertices, or all vertices and cuts of the first.
                    let (first_v, first_t) =
                        first.as_ref().map(|first| (first.0.as_slice(), first.1.as_slice())).unwrap();
                    let v = if *shared == 1 && joint > 0 { &[v, first_v].concat() } else { v };
                    let (v, t) = if *shared == 2 { (first_v, first_t) } else { (v.as_slice(), t.as_slice()) };
                    let mut piece = made_piece(JointIndex(joint), v, t, *chunk, step);
                    looks.iter().for_each(|looks| add_attributes(&mut piece, looks, encoding));
                    piece
                })
                .collect(),
            morph_targets: vec![],
        };
        skin.morph_targets =
            targets.iter().zip(0..).map(|(made, number)| made_target(&skin, made, number, step)).collect();
        skin.morph_targets.sort_by_key(|target| (target.mesh, target.number));
        Some(skin)
    })
}

/// A name, the mesh, and offsets in steps with their pieces and vertices.
type MadeUpTarget = (String, u32, Vec<([Index; 2], [i16; 3])>);

fn made_target(skin: &Skin, (name, mesh, moved): &MadeUpTarget, number: u32, step: f32) -> SkinMorphTarget {
    let mut by_piece: BTreeMap<usize, BTreeMap<usize, Vec3>> = BTreeMap::new();
    for ([piece, vertex], steps) in moved.iter().filter(|(_, steps)| *steps != [0; 3] && !skin.pieces.is_empty()) {
        let piece = piece.index(skin.pieces.len());
        let vertex = vertex.index(skin.pieces[piece].positions.len());
        let offset = Vec3::from_array(steps.map(|steps| f32::from(steps) * step));
        by_piece.entry(piece).or_default().insert(vertex, offset);
    }
    let offset = |(vertex, offset): (usize, Vec3)| SkinOffset { vertex: vertex as u32, offset };
    let pieces = by_piece.into_iter().map(|(piece, offsets)| SkinPieceOffsets {
        piece: piece as u32,
        offsets: offsets.into_iter().map(offset).collect(),
    });
    SkinMorphTarget { name: name.clone(), mesh: *mesh, number, max_error: 0.125, pieces: pieces.collect() }
}

/// Gives each vertex attributes made of the numbers, and each corner of a source triangle one of those of its vertex.
fn add_attributes(piece: &mut SkinPiece, numbers: &[([i8; 3], [i16; 2])], encoding: SkinEncoding) {
    let made = |index: usize| {
        let (normal, coordinate) = numbers[index % numbers.len()];
        let normal = Vec3::from_array(normal.map(f32::from)).try_normalize();
        let coordinate = Vec2::from_array(coordinate.map(|number| f32::from(number) / 700.0));
        (normal.map(|normal| encoding.round_normal(normal)), encoding.round_texture_coordinate(coordinate))
    };
    let mut firsts = vec![];
    for vertex in 0..piece.positions.len() {
        firsts.push(piece.attributes.len());
        for index in 0..1 + vertex % 3 {
            let (normal, coordinate) = made(vertex + index);
            let texture_coordinate = Some(coordinate).filter(|_| (vertex + index) % 4 > 0);
            piece.attributes.push(VertexAttributes { vertex: vertex as u32, normal, texture_coordinate });
        }
    }
    for triangle in 0..piece.triangles.len() {
        let number = piece.source_triangles[triangle] as usize;
        let corners = piece.source_corners(triangle).unwrap();
        let entry = |vertex: u32| (firsts[vertex as usize] + number % (1 + vertex as usize % 3)) as u32;
        piece.attribute_corners.push(corners.map(entry));
    }
}

fn made_piece(
    joint: JointIndex,
    vertices: &[MadeUpVertex],
    triangles: &[MadeUpTriangle],
    chunk: usize,
    step: f32,
) -> SkinPiece {
    let mut piece = SkinPiece::empty(joint);
    let mut vertices = vertices.to_vec();
    vertices.sort_by_key(|(_, mask, _)| (mask.count_ones(), *mask));
    for (steps, mask, numbers) in vertices {
        let bindings: Vec<u16> = (0..4).filter(|bit| mask >> bit & 1 == 1).collect();
        let count = bindings.len();
        piece.influence_counts.resize(count.max(piece.influence_counts.len()), 0);
        piece.influence_counts[count - 1] += 1;
        piece.positions.push(Vec3::from_array(steps.map(|steps| steps as f32 * step)));
        piece.influences.extend(&bindings);
        let mut left = 65_536;
        for number in &numbers[1..count] {
            let units = 1 + u32::from(*number) % 16_000;
            piece.weights.push(units as f32 / 65_536.0);
            left -= units;
        }
        piece.weights.push(left as f32 / 65_536.0);
    }
    let count = piece.positions.len() as u32;
    for ((kind, corners, [second, third]), source) in triangles.iter().zip(0..) {
        let [a, b, c] = corners.map(|corner| corner.index(count as usize) as u32);
        let cut = count + piece.cuts.len() as u32;
        let weight = |number: u16| f32::from(number / 2) / 65_536.0;
        let parts = match kind {
            0 => vec![[a, b, c]],
            1 => vec![[a, cut, c], [cut, b, c]],
            _ => vec![[a, b, cut], [b, c, cut], [c, a, cut]],
        };
        match kind {
            0 => {}
            1 => piece.cuts.push(SkinCut::new([a, b, b], [weight(*second), 0.0])),
            _ if b == c => piece.cuts.push(SkinCut::new([a, b, c], [weight(*second), 0.0])),
            _ => piece.cuts.push(SkinCut::new([a, b, c], [weight(*second), weight(*third)])),
        }
        if *kind > 0 {
            piece.cut_triangles.push(CutTriangle { source_triangle: source, corners: [a, b, c] });
        }
        piece.source_triangles.extend(parts.iter().map(|_| source));
        piece.triangles.extend(parts);
    }
    let all = piece.triangles.len();
    piece.chunk_ends = (chunk..all).step_by(chunk).chain([all]).map(|end| end as u32).collect();
    piece
}
