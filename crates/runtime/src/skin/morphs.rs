//! The offsets of morph targets, at the places of the numbers that the kernels skin, and the weights of one pose.

use crate::kernels::skin_lanes::SkinLanes;
use glam::Vec3;

/// The offsets of a vertex: the target, and how far it moves the vertex at the weight 1, ascending by target.
pub(super) type VertexOffsets = Vec<(u16, Vec3)>;

/// The offsets of the vertices of a part.
#[derive(Debug, Default, PartialEq)]
pub(super) struct PartMorphs {
    /// Ascending by target.
    moves: Vec<Move>,
}

/// The distance that a target moves a vertex.
#[derive(Debug, PartialEq)]
struct Move {
    target: u16,
    /// The places of the vertex's x, y and z in [`SkinLanes::numbers`].
    places: [u32; 3],
    offset: [f32; 3],
}

impl PartMorphs {
    /// `offsets` has those of each vertex of `lanes`.
    pub(super) fn new<'a>(lanes: &SkinLanes, offsets: impl Iterator<Item = &'a VertexOffsets>) -> Self {
        let mut moves = Vec::new();
        for (vertex, offsets) in offsets.enumerate() {
            let Some(places) = lanes.places_of_position(vertex) else { continue };
            let places = places.map(|place| place as u32);
            moves.extend(offsets.iter().map(|&(target, offset)| Move { target, places, offset: offset.to_array() }));
        }
        // The sort is stable, and each place has its targets in ascending order.
        moves.sort_by_key(|one| one.target);
        Self { moves }
    }

    /// The numbers of the lanes with moved positions: those of the lanes themselves if nothing moves, otherwise a copy in `memory`.
    /// `weights` has one for each target, or is empty if all are 0.
    pub(super) fn numbers<'a>(&self, lanes: &'a SkinLanes, weights: &[f32], memory: &'a mut Vec<f32>) -> &'a [f32] {
        if weights.is_empty() || self.moves.is_empty() {
            return lanes.numbers();
        }
        memory.clear();
        memory.extend_from_slice(lanes.numbers());
        for moves in self.moves.chunk_by(|one, next| one.target == next.target) {
            let weight = weights[usize::from(moves[0].target)];
            if weight != 0.0 {
                for Move { places, offset, .. } in moves {
                    (0..3).for_each(|axis| memory[places[axis] as usize] += weight * offset[axis]);
                }
            }
        }
        memory
    }
}
