//! The numbers of the surface as a file stores them.

use crate::skin_pieces::divide::Cut;
use crate::skin_pieces::welded::{WeldedSurface, WeldedVertex};
use baked_format::SkinEncoding;
use glam::Vec3;

/// A welded vertex as the file stores it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StoredVertex {
    pub(crate) position: Vec3,
    /// Bindings, ascending, with their weights.
    pub(crate) influences: Vec<(u16, f32)>,
    /// The distance that each morph target moves the vertex, ascending by target; none is zero.
    pub(crate) offsets: Vec<(u16, Vec3)>,
}

/// The surface as the file stores it: one entry for each welded vertex and each cut.
#[derive(Debug)]
pub(crate) struct StoredSurface {
    pub(crate) encoding: SkinEncoding,
    pub(crate) vertices: Vec<StoredVertex>,
    /// The weights of the second and the third corner of each cut.
    pub(crate) cut_weights: Vec<[f32; 2]>,
}

impl StoredSurface {
    pub(crate) fn new(welded: &WeldedSurface, cuts: &[Cut], encoding: SkinEncoding) -> Self {
        let vertex = |vertex: &WeldedVertex| match encoding {
            SkinEncoding::Lossless => lossless(vertex),
            SkinEncoding::Compact { .. } => compact(vertex, encoding),
        };
        let weights = |cut: &Cut| match encoding {
            SkinEncoding::Lossless => lossless_cut(&cut.weights),
            SkinEncoding::Compact { .. } => compact_cut(&cut.weights),
        };
        Self {
            encoding,
            vertices: welded.vertices.iter().map(vertex).collect(),
            cut_weights: cuts.iter().map(weights).collect(),
        }
    }
}

fn lossless(vertex: &WeldedVertex) -> StoredVertex {
    let stored = vertex.influences.iter().map(|&(binding, share)| (binding, share as f32));
    StoredVertex {
        position: vertex.position,
        influences: complete(stored.filter(|(_, weight)| *weight > 0.0).collect()),
        offsets: vertex.offsets.clone(),
    }
}

fn compact(vertex: &WeldedVertex, encoding: SkinEncoding) -> StoredVertex {
    let shares: Vec<f64> = vertex.influences.iter().map(|(_, share)| *share).collect();
    let mut units = vec![0.0; shares.len()];
    apportion(&shares, &mut units);
    let stored = vertex.influences.iter().zip(units).map(|(&(binding, _), weight)| (binding, weight));
    let rounded =
        |point: Vec3| Vec3::from_array(point.to_array().map(|coordinate| encoding.round_coordinate(coordinate)));
    let offsets = vertex.offsets.iter().map(|&(target, offset)| (target, rounded(offset)));
    StoredVertex {
        position: rounded(vertex.position),
        influences: complete(stored.filter(|(_, weight)| *weight > 0.0).collect()),
        offsets: offsets.filter(|(_, offset)| *offset != Vec3::ZERO).collect(),
    }
}

/// Gives all of the weight to a single influence, because rounding may have changed its weight.
fn complete(mut influences: Vec<(u16, f32)>) -> Vec<(u16, f32)> {
    if let [(_, weight)] = influences.as_mut_slice() {
        *weight = 1.0;
    }
    influences
}

/// Returns the weights of the second and the third corner of a cut. The first corner has the rest.
fn lossless_cut(shares: &[f64; 3]) -> [f32; 2] {
    let second = (shares[1] as f32).min(1.0);
    [second, (shares[2] as f32).min(1.0 - second)]
}

/// Returns the weights as [`lossless_cut`] does, rounded to the file's 16 bits for each weight.
fn compact_cut(shares: &[f64; 3]) -> [f32; 2] {
    let most = SkinEncoding::WEIGHT_UNITS - 1.0;
    let units = |share: f64, left: f64| (share * SkinEncoding::WEIGHT_UNITS).round().min(most).min(left);
    let second = units(shares[1], most);
    let third = units(shares[2], SkinEncoding::WEIGHT_UNITS - second);
    [second, third].map(|units| (units / SkinEncoding::WEIGHT_UNITS) as f32)
}

/// Rounds shares to multiples of 1/65,536 whose sum is exactly 1. All shares are rounded down, then the shares with the
/// largest remainders are rounded up; of equal remainders, the first goes first.
fn apportion(shares: &[f64], rounded: &mut [f32]) {
    let sum: f64 = shares.iter().sum();
    let exact: Vec<f64> = shares.iter().map(|share| share / sum * SkinEncoding::WEIGHT_UNITS).collect();
    let mut units: Vec<f64> = exact.iter().map(|exact| exact.floor()).collect();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|&a, &b| (exact[b] - units[b]).total_cmp(&(exact[a] - units[a])).then(a.cmp(&b)));
    let missing = SkinEncoding::WEIGHT_UNITS - units.iter().sum::<f64>();
    order.into_iter().take(missing as usize).for_each(|index| units[index] += 1.0);
    for (rounded, units) in rounded.iter_mut().zip(units) {
        *rounded = (units / SkinEncoding::WEIGHT_UNITS) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one_exactly() {
        for shares in [vec![1.0], vec![0.3, 0.7], vec![1.0 / 3.0; 3], vec![1e-9, 1.0 - 1e-9], vec![1.0 / 7.0; 7]] {
            let mut rounded = vec![0.0; shares.len()];
            apportion(&shares, &mut rounded);
            assert_eq!(rounded.iter().sum::<f32>(), 1.0, "{shares:?}");
            for (share, rounded) in shares.iter().zip(&rounded) {
                assert!((share - f64::from(*rounded)).abs() < 1.0 / SkinEncoding::WEIGHT_UNITS, "{shares:?}");
            }
        }
    }
}
