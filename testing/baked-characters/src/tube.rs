//! A character with a skin.

use crate::baked_arm;
use baked_format::{
    BakedCharacter, CutTriangle, Skin, SkinBinding, SkinCut, SkinEncoding, SkinMesh, SkinMorphTarget, SkinOffset,
    SkinPiece, SkinPieceOffsets,
};
use glam::{Affine3A, Vec3};
use skeleton::{JointIndex, NodeIndex};

/// The arm of [`baked_arm`] in a closed tube with eight sides, radius 0.5, from 1 to 3 along y. Rings are at the heights 1,
/// 1.6, 2.4 and 3; the forearm's weight is 0 on the first, 0.25 and 0.75 on those in the middle, and 1 on the last, so that
/// triangles between the middle ones are cut. Hitboxes hold the tube in the rest pose.
#[must_use]
pub fn baked_tube(name: &str) -> BakedCharacter {
    const SIDES: u32 = 8;
    const RINGS: [(f32, f32); 4] = [(1.0, 0.0), (1.6, 0.25), (2.4, 0.75), (3.0, 1.0)];
    let mut baked = baked_arm(name);
    for one in &mut baked.boxes {
        one.half_extents = Vec3::splat(0.5);
    }
    let mut positions = Vec::new();
    let mut fore = Vec::new();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let directions: [(f32, f32); 8] =
        [(1.0, 0.0), (half, half), (0.0, 1.0), (-half, half), (-1.0, 0.0), (-half, -half), (0.0, -1.0), (half, -half)];
    for (height, weight) in RINGS {
        for (x, z) in directions {
            positions.push(Vec3::new(0.5 * x, height, 0.5 * z));
            fore.push(weight);
        }
    }
    positions.extend([Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 3.0, 0.0)]);
    fore.extend([0.0, 1.0]);
    let (bottom, top) = (4 * SIDES, 4 * SIDES + 1);
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for side in 0..SIDES {
        let next = (side + 1) % SIDES;
        triangles.push([bottom, side, next]);
        for ring in 0..3 {
            let (low, high) = (ring * SIDES, (ring + 1) * SIDES);
            triangles.push([low + side, high + side, low + next]);
            triangles.push([low + next, high + side, high + next]);
        }
        triangles.push([top, 3 * SIDES + next, 3 * SIDES + side]);
    }
    let binding = |joint: u16| SkinBinding {
        joint: JointIndex(joint),
        joint_from_mesh: Affine3A::from_translation(Vec3::NEG_Y * f32::from(joint)),
    };
    baked.skin = Some(Skin {
        encoding: SkinEncoding::Lossless,
        max_error: 0.0,
        meshes: vec![SkinMesh { name: "tube".into(), node: NodeIndex(9), triangles: triangles.len() as u32 }],
        bindings: vec![binding(1), binding(2)],
        pieces: [false, true].map(|of_fore| tube_piece(of_fore, &positions, &fore, &triangles)).into(),
        morph_targets: vec![],
    });
    baked
}

/// The tube of [`baked_tube`] [with morph targets](with_morph_targets).
#[must_use]
pub fn baked_swelling_tube(name: &str) -> BakedCharacter {
    with_morph_targets(baked_tube(name))
}

/// Gives a tube three morph targets: `swell` doubles the radius above the height 1, `lean` moves the upper half sideways, and
/// `tip` raises the middle of the top, if there is one.
#[must_use]
pub fn with_morph_targets(mut baked: BakedCharacter) -> BakedCharacter {
    let Some(skin) = &mut baked.skin else { return baked };
    let swell = |at: Vec3| if at.y > 1.0 { at * Vec3::new(1.0, 0.0, 1.0) } else { Vec3::ZERO };
    let lean = |at: Vec3| if at.y > 2.0 { Vec3::new(0.25, 0.125, 0.5 * (at.y - 2.0)) } else { Vec3::ZERO };
    let tip = |at: Vec3| if at == Vec3::Y * 3.0 { Vec3::Y * 0.5 } else { Vec3::ZERO };
    let targets: [(&str, &dyn Fn(Vec3) -> Vec3); 3] = [("swell", &swell), ("lean", &lean), ("tip", &tip)];
    for (number, (name, offset)) in (0..).zip(targets) {
        let moved = |piece: &SkinPiece| -> Vec<SkinOffset> {
            let offsets = (0..).zip(&piece.positions).map(|(vertex, at)| SkinOffset { vertex, offset: offset(*at) });
            offsets.filter(|one| one.offset != Vec3::ZERO).collect()
        };
        let pieces = (0..).zip(&skin.pieces).map(|(piece, of)| SkinPieceOffsets { piece, offsets: moved(of) });
        skin.morph_targets.push(SkinMorphTarget {
            name: name.into(),
            mesh: 0,
            number,
            max_error: 0.0,
            pieces: pieces.filter(|piece| !piece.offsets.is_empty()).collect(),
        });
    }
    baked
}

/// The part of the tube on the side of the forearm, or of the upper arm.
fn tube_piece(of_fore: bool, positions: &[Vec3], fore: &[f32], triangles: &[[u32; 3]]) -> SkinPiece {
    let mut piece = SkinPiece::empty(JointIndex(if of_fore { 2 } else { 1 }));
    let is_own = |vertex: u32| (fore[vertex as usize] > 0.5) == of_fore;
    // Vertices by number of influences, then by bindings: all that a triangle of the piece has to do with.
    let mut used: Vec<u32> =
        triangles.iter().filter(|corners| corners.iter().any(|&v| is_own(v))).flatten().copied().collect();
    let key = |vertex: u32| {
        let weight = fore[vertex as usize];
        (u8::from(weight > 0.0 && weight < 1.0), u8::from(weight == 1.0), vertex)
    };
    used.sort_unstable_by_key(|&vertex| key(vertex));
    used.dedup();
    for &vertex in &used {
        let weight = fore[vertex as usize];
        piece.positions.push(positions[vertex as usize]);
        let influences: &[(u16, f32)] = if weight == 0.0 {
            &[(0, 1.0)]
        } else if weight == 1.0 {
            &[(1, 1.0)]
        } else {
            &[(0, 1.0 - weight), (1, weight)]
        };
        piece.influence_counts.resize(piece.influence_counts.len().max(influences.len()), 0);
        piece.influence_counts[influences.len() - 1] += 1;
        piece.influences.extend(influences.iter().map(|one| one.0));
        piece.weights.extend(influences.iter().map(|one| one.1));
    }
    let place = |vertex: u32| used.iter().position(|&one| one == vertex).expect("a vertex of the piece") as u32;
    for (source, corners) in triangles.iter().enumerate() {
        if !corners.iter().any(|&vertex| is_own(vertex)) {
            continue;
        }
        let mut polygon = Vec::new();
        for k in 0..3 {
            let (here, there) = (corners[k], corners[(k + 1) % 3]);
            if is_own(here) {
                polygon.push(place(here));
            }
            if is_own(here) != is_own(there) {
                // Weights 0.25 and 0.75: the border is in the middle.
                let (first, second) = (here.min(there), here.max(there));
                let corners = [place(first), place(second), place(second)];
                let cut = SkinCut { corners, weights: [0.5, 0.5, 0.0] };
                let known = piece.cuts.iter().position(|one| *one == cut).unwrap_or_else(|| {
                    piece.cuts.push(cut);
                    piece.cuts.len() - 1
                });
                polygon.push((used.len() + known) as u32);
            }
        }
        if !corners.iter().all(|&vertex| is_own(vertex)) {
            let corners = corners.map(place);
            piece.cut_triangles.push(CutTriangle { source_triangle: source as u32, corners });
        }
        for k in 2..polygon.len() {
            piece.triangles.push([polygon[0], polygon[k - 1], polygon[k]]);
            piece.source_triangles.push(source as u32);
        }
    }
    piece.chunk_ends =
        (1..=piece.triangles.len().div_ceil(64)).map(|end| (64 * end).min(piece.triangles.len()) as u32).collect();
    piece
}
