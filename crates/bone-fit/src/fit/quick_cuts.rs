//! Quick volumes of the cuts of a piece, computed without making the halves.
//!
//! A half has the corners on its side of the plane and a point on each edge that crosses the plane. The places of these
//! points are known up to rounding from the piece's own corners, and boxes along given axes need nothing else.

use crate::bounds::Bounds;
use crate::fit::piece::Piece;
use glam::{DMat3, DVec3};

/// The error of a quick volume is less than this share of the largest coordinate times the square of the longest
/// extent.
const ROUNDING: f64 = 1e-10;

/// The corners of a piece along two sets of axes.
pub(crate) struct QuickCuts<'a> {
    piece: &'a Piece,
    /// For each corner, its place in the bind pose, and its place at rest if that counts too, in joint space.
    places: Vec<(DVec3, Option<DVec3>)>,
    /// The maps from the joint's space to the axes of the two boxes that are tried.
    rows: [DMat3; 2],
    /// The least edge length of a box, in the joint's unit.
    least: f64,
    /// The error of a quick volume is less than this, in the joint's unit cubed.
    tolerance: f64,
}

impl<'a> QuickCuts<'a> {
    /// `at_rest` has the place of each corner of the piece at rest, if it counts. Boxes are tried along `axes` and along
    /// the joint's axes, with edges of at least `least`, in the joint's unit.
    pub(crate) fn new(piece: &'a Piece, at_rest: &[Option<DVec3>], axes: &DMat3, least: f64) -> Self {
        let places: Vec<(DVec3, Option<DVec3>)> =
            piece.patch.corners.iter().zip(at_rest).map(|(corner, &rest)| (corner.bind, rest)).collect();
        let all = Bounds::around(places.iter().flat_map(|&(bind, rest)| [Some(bind), rest]).flatten());
        let (size, longest) = (all.low.abs().max(all.high.abs()).max_element(), all.size().length().max(least));
        let tolerance = ROUNDING * size.max(longest) * longest * longest;
        Self { piece, places, rows: [axes.transpose(), DMat3::IDENTITY], least, tolerance }
    }

    /// Returns the planes, given by normal and offset, whose cuts may be among the `count` cuts of the least volume, in
    /// the order of `planes`. Planes that leave a half empty are left out.
    pub(crate) fn best(&self, planes: Vec<(DVec3, f64)>, count: usize) -> Vec<(DVec3, f64)> {
        let volume = |plane: (DVec3, f64)| Some((plane, self.volume(plane)?));
        let volumes: Vec<((DVec3, f64), f64)> = planes.into_iter().filter_map(volume).collect();
        let mut sorted: Vec<f64> = volumes.iter().map(|(_, volume)| *volume).collect();
        sorted.sort_by(f64::total_cmp);
        let most = sorted.get(count.saturating_sub(1)).map_or(f64::INFINITY, |most| most + 2.0 * self.tolerance);
        let too_large = |volume: f64| volume > most;
        volumes.into_iter().filter(|(_, volume)| !too_large(*volume)).map(|(plane, _)| plane).collect()
    }

    /// Returns the sum of the volumes of both halves, each in the smaller of its two boxes; `None` if a half is empty.
    fn volume(&self, (normal, offset): (DVec3, f64)) -> Option<f64> {
        // Corners are divided exactly as `cut` divides polygons, to the last bit.
        let patch = &self.piece.patch;
        let heights: Vec<f64> = patch.corners.iter().map(|corner| corner.bind.dot(normal) - offset).collect();
        let mut in_half = vec![[false; 2]; heights.len()];
        let mut in_polygon = vec![false; heights.len()];
        let mut halves = [[Bounds::EMPTY; 2]; 2];
        for polygon in patch.polygons() {
            let (mut low, mut high) = (0.0f64, 0.0f64);
            for &corner in polygon {
                let height = heights[corner as usize];
                (low, high) = (low.min(height), high.max(height));
                in_polygon[corner as usize] = true;
            }
            for &corner in polygon {
                let height = heights[corner as usize];
                let known = &mut in_half[corner as usize];
                known[0] |= low < 0.0 && height <= 0.0;
                known[1] |= high > 0.0 && height >= 0.0;
            }
            if low < 0.0 && high > 0.0 {
                for (index, &corner) in polygon.iter().enumerate() {
                    let next = polygon[(index + 1) % polygon.len()];
                    let (here, there) = (heights[corner as usize], heights[next as usize]);
                    if (here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0) {
                        self.add_crossing(corner as usize, next as usize, &heights, &mut halves);
                    }
                }
            }
        }
        for (corner, &height) in heights.iter().enumerate() {
            if !in_polygon[corner] {
                in_half[corner][usize::from(height >= 0.0)] = true;
            }
            for side in (0..2).filter(|&side| in_half[corner][side]) {
                self.add(self.places[corner], &mut halves[side]);
            }
        }
        let mut sum = 0.0;
        for boxes in halves {
            if boxes[0].is_empty() {
                return None;
            }
            let volume = |bounds: Bounds| bounds.size().max(DVec3::splat(self.least)).element_product();
            sum += volume(boxes[0]).min(volume(boxes[1]));
        }
        Some(sum)
    }

    fn add_crossing(&self, a: usize, b: usize, heights: &[f64], halves: &mut [[Bounds; 2]; 2]) {
        let share = heights[a] / (heights[a] - heights[b]);
        let ((a_bind, a_rest), (b_bind, b_rest)) = (self.places[a], self.places[b]);
        let moves = a_rest.is_some() || b_rest.is_some();
        let rest = moves.then(|| a_rest.unwrap_or(a_bind).lerp(b_rest.unwrap_or(b_bind), share));
        for boxes in halves {
            self.add((a_bind.lerp(b_bind, share), rest), boxes);
        }
    }

    fn add(&self, (bind, rest): (DVec3, Option<DVec3>), boxes: &mut [Bounds; 2]) {
        for (bounds, rows) in boxes.iter_mut().zip(&self.rows) {
            bounds.add(*rows * bind);
            rest.into_iter().for_each(|rest| bounds.add(*rows * rest));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assign::groups::Groups;
    use crate::fit::extents::extents;
    use crate::fit::piece::cut;
    use crate::options::{Attachments, BakeOptions, Preset};
    use crate::skin::bound_mesh::BoundMesh;
    use test_models::Random;

    /// Compares quick volumes with those of halves that are made. Places at rest are the bind pose, moved by one linear
    /// map.
    #[test]
    fn volumes_are_those_of_the_halves() {
        let (mut random, mut tried, mut empty) = (Random::new(5), 0, 0);
        let mut number = || random.below(2001) as f64 / 1000.0 - 1.0;
        for character in [test_models::box_man(), test_models::box_limb(), test_models::soft_limb()] {
            let model = skinned_model::import(&character.to_glb(), &skinned_model::NoExternalFiles).unwrap();
            let mesh = BoundMesh::new(&model, Attachments::Include);
            for group in Groups::of_character(&mesh, &BakeOptions::preset(Preset::Tight)).groups {
                let piece = Piece::from(group);
                let moved = DMat3::from_rotation_x(number()) * (1.0 + 0.1 * number());
                let axes = DMat3::from_rotation_y(number()) * DMat3::from_rotation_z(number());
                let corners = &piece.patch.corners;
                let at_rest: Vec<Option<DVec3>> = corners.iter().map(|corner| Some(moved * corner.bind)).collect();
                let least = 0.01;
                let quick = QuickCuts::new(&piece, &at_rest, &axes, least);
                let mut planes = Vec::new();
                for _ in 0..30 {
                    let normal = DVec3::new(number(), number(), number()).normalize_or(DVec3::X);
                    let through = corners[(corners.len() as f64 * (0.5 + 0.499 * number())) as usize].bind;
                    planes
                        .push((normal, through.dot(normal) + if planes.len() % 3 == 0 { 0.0 } else { 0.1 * number() }));
                }
                let exact = |&(normal, offset): &(DVec3, f64)| {
                    let halves = cut(&piece, normal, offset);
                    let volume = |half: &Piece| {
                        let mut points = half.patch.bind_points();
                        points.extend(half.patch.bind_points().into_iter().map(|bind| moved * bind));
                        let along = |axes: &DMat3| extents(axes, &points).max(DVec3::splat(least)).element_product();
                        along(&axes).min(along(&DMat3::IDENTITY))
                    };
                    let is_empty = halves.iter().any(|half| half.patch.corners.is_empty());
                    (!is_empty).then(|| halves.iter().map(volume).sum::<f64>())
                };
                let mut volumes = Vec::new();
                for plane in &planes {
                    let (found, expected) = (quick.volume(*plane), exact(plane));
                    assert_eq!(found.is_some(), expected.is_some(), "{plane:?}");
                    let (Some(found), Some(expected)) = (found, expected) else {
                        empty += 1;
                        continue;
                    };
                    assert!((found - expected).abs() < quick.tolerance, "{found} is not {expected}");
                    volumes.push((expected, *plane));
                    tried += 1;
                }
                volumes.sort_by(|a, b| a.0.total_cmp(&b.0));
                let best = quick.best(planes.clone(), 3);
                assert!(volumes.iter().take(3).all(|(_, plane)| best.contains(plane)));
                assert!(best.len() <= volumes.len() && best.iter().all(|plane| planes.contains(plane)));
            }
        }
        assert!(tried > 300 && empty > 10, "{tried}, {empty}");
    }
}
