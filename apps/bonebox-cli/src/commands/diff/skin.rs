//! Changes of the skinned surface.

use super::change::{Change, Fields, compare_lists, named, number};
use super::skeleton::{JointAxes, compare_matrices, joint_name};
use baked_format::{
    BakedCharacter, CutTriangle, Skin, SkinBinding, SkinCut, SkinEncoding, SkinMesh, SkinMorphTarget, SkinOffset,
    SkinPiece, SkinPieceOffsets, VertexAttributes,
};
use serde_json::Value;

/// Adds the changes of the skin, or of its meshes, bindings and pieces if both bakes have a skin.
pub(super) fn compare_skins(changes: &mut Vec<Change>, sides: [&BakedCharacter; 2]) {
    let skins = sides.map(|character| character.skin.as_ref());
    changes.extend(Change::optional("skin", skins, described, |before, after, fields| {
        // The lists are compared below.
        let Skin { encoding, max_error, meshes: _, bindings: _, pieces: _, morph_targets: _ } = before;
        fields.value("encoding", encoding_word(*encoding), encoding_word(after.encoding));
        fields.value("step_exponent", step_exponent(*encoding), step_exponent(after.encoding));
        fields.value("max_error", number(*max_error), number(after.max_error));
    }));
    let [Some(old), Some(new)] = skins else { return };

    let meshes = [old, new].map(|skin| named(&skin.meshes, |mesh| mesh.name.clone()));
    let mesh_described = |mesh: &SkinMesh| format!("{} triangles", mesh.triangles);
    compare_lists(changes, "skin mesh", meshes, mesh_described, |before, after, fields| {
        // Meshes are matched by name.
        let SkinMesh { name: _, node, triangles } = before;
        fields.value("node", node.0, after.node.0);
        fields.value("triangles", *triangles, after.triangles);
    });

    let bindings = [(sides[0], old), (sides[1], new)]
        .map(|(character, skin)| named(&skin.bindings, |binding| joint_name(character, binding.joint).to_owned()));
    let axes = JointAxes::new(sides[0]);
    let binding_described = |binding: &SkinBinding| format!("origin {}", binding.joint_from_mesh.translation);
    compare_lists(changes, "skin binding", bindings, binding_described, |before, after, fields| {
        // Bindings are matched by joint.
        let SkinBinding { joint, joint_from_mesh } = before;
        compare_matrices(fields, "joint_from_mesh", (joint_from_mesh, &after.joint_from_mesh), axes.of(Some(*joint)));
    });

    let pieces = [(sides[0], old), (sides[1], new)]
        .map(|(character, skin)| named(&skin.pieces, |piece| joint_name(character, piece.joint).to_owned()));
    let piece_described =
        |piece: &SkinPiece| format!("{} vertices, {} triangles", piece.positions.len(), piece.triangles.len());
    compare_lists(changes, "skin piece", pieces, piece_described, compare_piece);

    let targets = [old, new].map(|skin| named(&skin.morph_targets, |target| target.name.clone()));
    compare_lists(changes, "morph target", targets, |target| format!("moves {}", vertices(target)), compare_target);
}

fn described(skin: &Skin) -> String {
    let sum = |count: fn(&SkinPiece) -> usize| skin.pieces.iter().map(count).sum::<usize>();
    let (vertices, triangles) = (sum(|piece| piece.positions.len()), sum(|piece| piece.triangles.len()));
    format!("{} pieces, {vertices} vertices, {triangles} triangles", skin.pieces.len())
}

fn encoding_word(encoding: SkinEncoding) -> &'static str {
    match encoding {
        SkinEncoding::Lossless => "lossless",
        SkinEncoding::Compact { step_exponent: _ } => "compact",
    }
}

fn step_exponent(encoding: SkinEncoding) -> Value {
    match encoding {
        SkinEncoding::Lossless => Value::Null,
        SkinEncoding::Compact { step_exponent } => step_exponent.into(),
    }
}

fn vertices(target: &SkinMorphTarget) -> String {
    let vertices: usize = target.pieces.iter().map(|piece| piece.offsets.len()).sum();
    format!("{vertices} vertices")
}

fn compare_target(before: &SkinMorphTarget, after: &SkinMorphTarget, fields: &mut Fields) {
    // Targets are matched by name.
    let SkinMorphTarget { name: _, mesh, number: in_mesh, max_error, pieces } = before;
    fields.value("mesh", *mesh, after.mesh);
    fields.value("number", *in_mesh, after.number);
    fields.value("max_error", number(*max_error), number(after.max_error));
    fields.rows("pieces", pieces, &after.pieces, |before, after| {
        let SkinPieceOffsets { piece, offsets } = before;
        [("piece", *piece == after.piece), ("offsets", equal_offsets(offsets, &after.offsets))]
    });
}

fn equal_offsets(before: &[SkinOffset], after: &[SkinOffset]) -> bool {
    let is_equal = |(before, after): (&SkinOffset, &SkinOffset)| {
        let SkinOffset { vertex, offset } = before;
        (*vertex, *offset) == (after.vertex, after.offset)
    };
    before.len() == after.len() && before.iter().zip(after).all(is_equal)
}

fn compare_piece(before: &SkinPiece, after: &SkinPiece, fields: &mut Fields) {
    // Pieces are matched by joint.
    let SkinPiece {
        joint: _,
        positions,
        influence_counts,
        influences,
        weights,
        cuts,
        triangles,
        chunk_ends,
        source_triangles,
        cut_triangles,
        attributes,
        attribute_corners,
    } = before;
    fields.list("positions", positions, &after.positions);
    fields.list("influence_counts", influence_counts, &after.influence_counts);
    fields.list("influences", influences, &after.influences);
    fields.list("weights", weights, &after.weights);
    fields.rows("cuts", cuts, &after.cuts, |before, after| {
        let SkinCut { corners, weights } = before;
        [("corners", *corners == after.corners), ("weights", *weights == after.weights)]
    });
    fields.list("triangles", triangles, &after.triangles);
    fields.list("chunk_ends", chunk_ends, &after.chunk_ends);
    fields.list("source_triangles", source_triangles, &after.source_triangles);
    fields.rows("cut_triangles", cut_triangles, &after.cut_triangles, |before, after| {
        let CutTriangle { source_triangle, corners } = before;
        [("source_triangle", *source_triangle == after.source_triangle), ("corners", *corners == after.corners)]
    });
    fields.rows("attributes", attributes, &after.attributes, |before, after| {
        let VertexAttributes { vertex, normal, texture_coordinate } = before;
        [
            ("vertex", *vertex == after.vertex),
            ("normal", *normal == after.normal),
            ("texture_coordinate", *texture_coordinate == after.texture_coordinate),
        ]
    });
    fields.list("attribute_corners", attribute_corners, &after.attribute_corners);
}
