//! Which joint moves a vertex most: the obvious way, for what is held against the crate's own.

use skinned_model::SkinnedMesh;

/// The slot of the largest weight, the first of equals; `None` where no weight is above zero.
pub(crate) fn strongest(mesh: &SkinnedMesh, vertex: usize) -> Option<usize> {
    let (slots, weights) = mesh.influences.of(vertex);
    let most = weights.iter().copied().fold(0.0, f32::max);
    let first = weights.iter().position(|weight| *weight == most && most > 0.0)?;
    Some(usize::from(slots[first]))
}
