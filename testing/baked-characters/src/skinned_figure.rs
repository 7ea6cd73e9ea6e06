//! The figure with a skin of 3,456 triangles.

use crate::baked_figure;
use crate::hulls::RING;
use baked_format::{BakedCharacter, Skin, SkinBinding, SkinEncoding, SkinMesh, SkinPiece};
use glam::{Affine3A, Vec3};
use skeleton::{JointIndex, NodeIndex};

/// The heights of the rings of an ellipsoid with a radius of 1; the radius of each ring is in [`RADII`].
const HEIGHTS: [f32; 9] = [0.96, 0.8, 0.6, 0.28, 0.0, -0.28, -0.6, -0.8, -0.96];
const RADII: [f32; 9] = [0.28, 0.6, 0.8, 0.96, 1.0, 0.96, 0.8, 0.6, 0.28];

/// [`baked_figure`] with an ellipsoid of 144 triangles in each hitbox. Each vertex follows its joint and the joint's parent.
#[must_use]
pub fn baked_skinned_figure(name: &str) -> BakedCharacter {
    let mut baked = baked_figure(name);
    let model_from_joint = baked.skeleton.rest_matrices();
    let mut triangles = 0;
    let pieces = baked.boxes.iter().map(|one| {
        let matrix = &model_from_joint[one.joint.index()];
        let mut piece = SkinPiece::empty(one.joint);
        let place = |at: Vec3| matrix.transform_point3(one.center + at * one.half_extents);
        for (height, radius) in HEIGHTS.into_iter().zip(RADII) {
            piece.positions.extend(RING.map(|[x, z]| place(Vec3::new(x * radius, height, z * radius))));
        }
        piece.positions.extend([Vec3::Y, Vec3::NEG_Y].map(place));
        piece.triangles = ellipsoid();
        let (vertices, count) = (piece.positions.len(), piece.triangles.len() as u32);
        let parent = baked.skeleton.joint(one.joint).parent;
        (piece.influences, piece.weights, piece.influence_counts) = match parent {
            Some(parent) => {
                ([parent.0, one.joint.0].repeat(vertices), [0.3, 0.7].repeat(vertices), vec![0, vertices as u32])
            }
            None => (vec![one.joint.0; vertices], vec![1.0; vertices], vec![vertices as u32]),
        };
        piece.source_triangles = (triangles..triangles + count).collect();
        piece.chunk_ends = (1..=count.div_ceil(64)).map(|end| count.min(64 * end)).collect();
        triangles += count;
        piece
    });
    let pieces = pieces.collect();
    let binding = |(joint, matrix): (u16, &Affine3A)| SkinBinding {
        joint: JointIndex(joint),
        joint_from_mesh: Affine3A::from_translation(-Vec3::from(matrix.translation)),
    };
    baked.skin = Some(Skin {
        encoding: SkinEncoding::Lossless,
        max_error: 0.0,
        meshes: vec![SkinMesh { name: "figure".into(), node: NodeIndex(99), triangles }],
        bindings: (0..).zip(&model_from_joint).map(binding).collect(),
        pieces,
        morph_targets: vec![],
    });
    baked
}

/// The triangles between the rings, and from the first and the last ring to the two tips.
fn ellipsoid() -> Vec<[u32; 3]> {
    let (sides, rings) = (RING.len() as u32, HEIGHTS.len() as u32);
    let (top, bottom) = (sides * rings, sides * rings + 1);
    let mut triangles = Vec::new();
    for side in 0..sides {
        let next = (side + 1) % sides;
        triangles.push([top, side, next]);
        for ring in 0..rings - 1 {
            let (low, high) = (ring * sides, (ring + 1) * sides);
            triangles.push([low + side, high + side, low + next]);
            triangles.push([low + next, high + side, high + next]);
        }
        triangles.push([bottom, (rings - 1) * sides + next, (rings - 1) * sides + side]);
    }
    triangles
}
