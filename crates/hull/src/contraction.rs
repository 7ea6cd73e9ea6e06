//! Finds the edges of a hull whose contraction adds the least volume.
//!
//! The apex of an edge is a corner of three planes, or a point above the middle of the edge. The volume that an apex adds is convex
//! as a function of the apex, and linear between the planes. So a walk from corner to corner along the lines where two planes meet
//! ends at the least volume. The faces around the edge alone give a lower bound, by which most edges are ruled out before the walk.

use crate::convex_hull::ConvexHull;
use glam::DVec3;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

/// The most planes around an edge among which a corner is searched. With more planes, the apex is above the edge.
const MOST_AROUND: usize = 24;

/// The most planes between which the walk to the apex goes.
const MOST_PLANES: usize = 64;

/// The most steps of a walk, so that rounding cannot make it endless.
const MOST_STEPS: usize = 32;

/// One round removes at most the surplus vertices divided by this number, rounded up.
const SHARE_OF_ROUND: usize = 10;

/// A point that is below a plane by at most this share of the hull's size counts as on the plane, because the corner of three
/// planes is rounded.
const ON_PLANE: f64 = 1e-9;

/// A corner farther from the center than this adds too much volume to be of use, as a share of the hull's size.
const FAR: f64 = 100.0;

/// The least determinant of three unit normals whose planes have a corner. The rounding of a corner is in inverse proportion, and a
/// corner that is moved by rounding tilts the faces around it.
const LEAST_DETERMINANT: f64 = 1e-6;

/// The edge that is replaced by an apex.
pub(crate) struct Contraction {
    pub(crate) edge: [u32; 2],
    pub(crate) apex: DVec3,
}

/// A face with its plane, about the hull's center.
#[derive(Clone, Copy)]
struct CenteredFace {
    /// The outward unit normal; 0 for a sliver, whose normal is lost to rounding.
    normal: DVec3,
    /// The height of the plane along its normal.
    height: f64,
    /// A third of the area of the face; 0 for a sliver.
    third: f64,
}

impl CenteredFace {
    /// Returns the height of a point above the plane.
    fn above(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.height
    }
}

/// The center and the size of a hull before its first contraction. All later hulls are measured about this center, so that the
/// numbers of an edge keep their bits as long as its faces stay.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    center: DVec3,
    /// The largest distance of a vertex from the center.
    size: f64,
}

impl Frame {
    pub(crate) fn of(hull: &ConvexHull) -> Self {
        let vertices = hull.vertices();
        let center = vertices.iter().sum::<DVec3>() / vertices.len() as f64;
        Self { center, size: vertices.iter().map(|&at| (at - center).length()).fold(0.0, f64::max) }
    }
}

/// The planes of a hull's faces, about the center of the frame.
pub(crate) struct Planes {
    center: DVec3,
    faces: Vec<CenteredFace>,
    /// The faces around each vertex.
    around_vertex: Vec<Vec<u32>>,
    /// The distance below which a point counts as on a plane.
    near: f64,
    /// No corner is searched farther than this from the center.
    far: f64,
}

/// A hull before the contractions of a round, for the round after it.
pub(crate) struct Before<'a> {
    pub(crate) hull: &'a ConvexHull,
    pub(crate) planes: &'a Planes,
    /// A candidate for each edge of `hull`.
    pub(crate) candidates: &'a [Option<Candidate>],
    /// For each vertex of the hull after the contractions, the same vertex of `hull`; `None` for an apex.
    pub(crate) old_vertices: &'a [Option<u32>],
}

/// An edge with its apex, about the center.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    edge: [u32; 2],
    apex: DVec3,
    /// The volume that the apex adds; a lower bound if `start` is set.
    added: f64,
    /// The corner where the walk to the apex starts, as three faces around the edge; `None` if the apex needs no walk,
    /// or the walk is done.
    start: Option<[u32; 3]>,
}

impl Planes {
    /// Makes the planes of a solid. A face whose area is at most `sliver`, as a share of the square of the frame's size, is a
    /// sliver.
    pub(crate) fn new(hull: &ConvexHull, Frame { center, size }: Frame, sliver: f64) -> Self {
        let vertices = hull.vertices();
        let mut around_vertex = vec![Vec::new(); vertices.len()];
        let mut faces = Vec::with_capacity(hull.faces().len());
        for (face, index) in hull.faces().zip(0..) {
            let area = face.area_vector();
            let is_sliver = area.length() <= sliver * size * size;
            let normal = if is_sliver { DVec3::ZERO } else { area.normalize() };
            let height = |&corner: &u32| normal.dot(vertices[corner as usize] - center);
            faces.push(CenteredFace {
                normal,
                height: face.corners().iter().map(height).fold(f64::NEG_INFINITY, f64::max),
                third: if is_sliver { 0.0 } else { area.length() / 3.0 },
            });
            face.corners().iter().for_each(|&corner| around_vertex[corner as usize].push(index));
        }
        Self { center, faces, around_vertex, near: ON_PLANE * size, far: FAR * size }
    }

    /// Returns a candidate for each edge of the hull; `None` for an edge that cannot be contracted.
    pub(crate) fn candidates(&self, hull: &ConvexHull) -> Vec<Option<Candidate>> {
        hull.edges().iter().map(|&edge| self.candidate(hull, edge)).collect()
    }

    /// Returns the same as [`Planes::candidates`]. The candidates of edges whose faces are all faces of the hull before the last
    /// round are taken from there.
    pub(crate) fn candidates_after(&self, hull: &ConvexHull, before: &Before<'_>) -> Vec<Option<Candidate>> {
        let old_vertex = |vertex: u32| before.old_vertices[vertex as usize];
        // Vertices are sorted by their positions, so a face that stays has its corners in the same order.
        let old_face = |corners: &[u32]| {
            let around = &before.planes.around_vertex[old_vertex(corners[0])? as usize];
            around.iter().copied().find(|&face| {
                let old = before.hull.face(face as usize).corners();
                old.len() == corners.len() && corners.iter().zip(old).all(|(&new, &old)| old_vertex(new) == Some(old))
            })
        };
        let mut new_faces = vec![None; before.planes.faces.len()];
        let mut has_new_face = vec![false; hull.vertices().len()];
        for (face, index) in hull.faces().zip(0u32..) {
            match old_face(face.corners()) {
                Some(old) => new_faces[old as usize] = Some(index),
                None => face.corners().iter().for_each(|&corner| has_new_face[corner as usize] = true),
            }
        }
        let old: HashMap<[u32; 2], Option<Candidate>> =
            before.hull.edges().iter().copied().zip(before.candidates.iter().copied()).collect();
        let known = |edge: [u32; 2]| -> Option<Option<Candidate>> {
            if edge.into_iter().any(|end| has_new_face[end as usize]) {
                return None;
            }
            let [a, b] = edge.map(old_vertex);
            let Some(one) = old.get(&[a?, b?])? else { return Some(None) };
            // An apex without a walk counts faces that are far from the edge, and these may have changed.
            let [i, j, k] = one.start?.map(|face| new_faces[face as usize]);
            Some(Some(Candidate { edge, start: Some([i?, j?, k?]), ..*one }))
        };
        hull.edges().iter().map(|&edge| known(edge).unwrap_or_else(|| self.candidate(hull, edge))).collect()
    }

    /// Returns contractions for a hull that has `too_many` vertices more than it may have. The contractions add little volume,
    /// and no two of them have a vertex of a face around their edges in common. `candidates` has one entry for each edge of the
    /// hull.
    pub(crate) fn contractions(
        &self,
        hull: &ConvexHull,
        candidates: &[Option<Candidate>],
        too_many: usize,
    ) -> Vec<Contraction> {
        let candidates: Vec<Candidate> = candidates.iter().copied().flatten().collect();
        // If many vertices are close to each other, few cheap contractions have no vertex in common. Expensive
        // contractions elsewhere are then left to later rounds, which may not need them.
        let mut bounds: Vec<f64> = candidates.iter().map(|one| one.added).collect();
        bounds.sort_by(f64::total_cmp);
        let dear = bounds.get(too_many).copied().unwrap_or(f64::INFINITY);
        let most = too_many.div_ceil(SHARE_OF_ROUND);
        let mut queue = BinaryHeap::from(candidates);
        let mut is_taken = vec![false; hull.vertices().len()];
        let mut chosen = Vec::new();
        while let Some(one) = queue.pop() {
            if chosen.len() == most || (one.added > dear && !chosen.is_empty()) {
                break;
            }
            let faces = one.edge.into_iter().flat_map(|end| &self.around_vertex[end as usize]);
            let corners = faces.flat_map(|&face| hull.face(face as usize).corners());
            if corners.clone().any(|&corner| is_taken[corner as usize]) {
                continue;
            }
            if let Some(start) = one.start {
                let (apex, added) = self.lowest_apex(&self.around(one.edge), start, one.apex);
                queue.push(Candidate { apex, added, start: None, ..one });
                continue;
            }
            corners.for_each(|&corner| is_taken[corner as usize] = true);
            chosen.push(Contraction { edge: one.edge, apex: one.apex + self.center });
        }
        chosen
    }

    /// Returns the faces around the ends of an edge, sorted.
    fn around(&self, edge: [u32; 2]) -> Vec<u32> {
        let [mut a, mut b] = edge.map(|end| self.around_vertex[end as usize].as_slice());
        let mut around = Vec::with_capacity(a.len() + b.len());
        // Both lists are sorted.
        while let (Some(first), Some(second)) = (a.first(), b.first()) {
            around.push(*first.min(second));
            let (from_a, from_b) = (usize::from(first <= second), usize::from(second <= first));
            (a, b) = (&a[from_a..], &b[from_b..]);
        }
        around.extend_from_slice(a);
        around.extend_from_slice(b);
        around
    }

    /// Returns an edge with a lower bound of the volume that its contraction adds; `None` if no point was found that is on or beyond
    /// all planes around the edge.
    fn candidate(&self, hull: &ConvexHull, edge: [u32; 2]) -> Option<Candidate> {
        let around = self.around(edge);
        if around.len() <= MOST_AROUND
            && let Some((apex, added, places)) =
                self.lowest_corner(&around).or_else(|| self.lowest_of_all_corners(&around))
        {
            return Some(Candidate { edge, apex, added, start: Some(places.map(|place| around[place])) });
        }
        let ends = edge.map(|end| hull.vertices()[end as usize] - self.center);
        let (apex, added) = self.apex_above(&around, ends)?;
        Some(Candidate { edge, apex, added, start: None })
    }

    /// Returns the same as [`Planes::lowest_of_all_corners`] without a search through all corners. `None` if the corner was not
    /// found.
    ///
    /// The lowest corner is the solution of a linear program. Source: Lemke, *The dual method of solving the linear programming
    /// problem*, Naval Research Logistics Quarterly, 1954. The slope of the volume stays a sum of the normals of three planes with
    /// weights of at least 0, so the corner of the three adds no more volume than the solution. The plane that the corner is
    /// farthest below takes the place of one of the three. The first three are far below the hull.
    fn lowest_corner(&self, around: &[u32]) -> Option<(DVec3, f64, [usize; 3])> {
        let planes: Vec<CenteredFace> = around.iter().map(|&face| self.faces[face as usize]).collect();
        let slope: DVec3 = planes.iter().map(|plane| plane.normal * plane.third).sum();
        let up = slope.try_normalize()?;
        let (x, y) = up.any_orthonormal_pair();
        let sides = [x, -0.5 * x + 0.75f64.sqrt() * y, -0.5 * x - 0.75f64.sqrt() * y];
        let mut three = sides.map(|side| CenteredFace { normal: up + side, height: -self.far, third: 0.0 });
        let mut weights = [slope.length() / 3.0; 3];
        let mut places = [usize::MAX; 3];
        for _ in 0..MOST_STEPS {
            let [a, b, c] = &three;
            let along = a.normal.cross(b.normal);
            let determinant = along.dot(c.normal);
            if determinant.abs() < LEAST_DETERMINANT {
                return None;
            }
            let apex = corner(a, b, c, along, determinant);
            let mut lowest = -self.near;
            let mut next = None;
            for (place, plane) in planes.iter().enumerate() {
                let above = plane.above(apex);
                if above < lowest {
                    (lowest, next) = (above, Some(place));
                }
            }
            let Some(next) = next else {
                let base: f64 = planes.iter().map(|plane| plane.height * plane.third).sum();
                return (!places.contains(&usize::MAX)).then(|| (apex, slope.dot(apex) - base, places));
            };
            let normal = planes[next].normal;
            let across = [b.normal.cross(c.normal), c.normal.cross(a.normal), along];
            let shares = across.map(|across| across.dot(normal) / determinant);
            let mut weight = f64::INFINITY;
            let mut leaves = None;
            for place in 0..3 {
                if shares[place] > LEAST_DETERMINANT && weights[place] / shares[place] < weight {
                    (weight, leaves) = (weights[place] / shares[place], Some(place));
                }
            }
            let leaves = leaves?;
            for place in 0..3 {
                weights[place] = (weights[place] - weight * shares[place]).max(0.0);
            }
            weights[leaves] = weight;
            three[leaves] = planes[next];
            places[leaves] = next;
        }
        None
    }

    /// Returns a corner of three planes, the volume that it adds on the faces around an edge, and the places of the three planes
    /// in `around`. The corner is on or beyond all planes around the edge. Of all such corners it adds the least volume.
    fn lowest_of_all_corners(&self, around: &[u32]) -> Option<(DVec3, f64, [usize; 3])> {
        let planes: Vec<CenteredFace> = around.iter().map(|&face| self.faces[face as usize]).collect();
        let slope: DVec3 = planes.iter().map(|plane| plane.normal * plane.third).sum();
        let base: f64 = planes.iter().map(|plane| plane.height * plane.third).sum();
        let mut least = f64::INFINITY;
        let mut best = None;
        for (i, a) in planes.iter().enumerate() {
            for (j, b) in planes.iter().enumerate().skip(i + 1) {
                let along = a.normal.cross(b.normal);
                for (k, c) in planes.iter().enumerate().skip(j + 1) {
                    let determinant = along.dot(c.normal);
                    if determinant.abs() < LEAST_DETERMINANT {
                        continue;
                    }
                    let apex = corner(a, b, c, along, determinant);
                    let added = slope.dot(apex) - base;
                    if added < least && planes.iter().all(|plane| plane.above(apex) >= -self.near) {
                        least = added;
                        best = Some((apex, added, [i, j, k]));
                    }
                }
            }
        }
        best
    }

    /// Returns the corner that adds the least volume, about the center, and the volume. The walk starts at the corner of three of
    /// the planes around an edge. It goes along the lines where two planes meet: planes around the edge, and planes of faces that
    /// earlier corners were beyond.
    fn lowest_apex(&self, around: &[u32], start: [u32; 3], mut apex: DVec3) -> (DVec3, f64) {
        let mut places = start.map(|face| around.partition_point(|&other| other < face));
        let mut faces = around.to_vec();
        let mut planes: Vec<CenteredFace> = around.iter().map(|&face| self.faces[face as usize]).collect();
        let mut best = (apex, self.added(apex));
        loop {
            let known = faces.len();
            let is_beyond = |(face, plane): &(u32, &CenteredFace)| plane.above(apex) > 0.0 && !faces.contains(face);
            let beyond: Vec<u32> = (0..).zip(&self.faces).filter(is_beyond).map(|(face, _)| face).collect();
            if beyond.is_empty() || known + beyond.len() > MOST_PLANES {
                return best;
            }
            planes.extend(beyond.iter().map(|&face| self.faces[face as usize]));
            faces.extend(beyond);
            (apex, places) = self.walk(&planes, around.len(), places, apex);
            let added = self.added(apex);
            if added < best.1 {
                best = (apex, added);
            }
        }
    }

    /// Walks from the corner of three planes to the neighboring corner that adds the least volume on the faces of `planes`, as long
    /// as the volume gets less. Every corner is on or beyond the first `around` planes. Returns the last corner and its three
    /// planes.
    fn walk(&self, planes: &[CenteredFace], around: usize, start: [usize; 3], apex: DVec3) -> (DVec3, [usize; 3]) {
        let volume = |apex: DVec3| -> f64 { planes.iter().map(|plane| plane.above(apex).max(0.0) * plane.third).sum() };
        let mut least = volume(apex);
        let mut best = (apex, start);
        for _ in 0..MOST_STEPS {
            let (_, places) = best;
            for left in 0..3 {
                let [i, j] = [places[(left + 1) % 3], places[(left + 2) % 3]];
                let (a, b) = (&planes[i], &planes[j]);
                let along = a.normal.cross(b.normal);
                for (k, c) in planes.iter().enumerate() {
                    let determinant = along.dot(c.normal);
                    if places.contains(&k) || determinant.abs() < LEAST_DETERMINANT {
                        continue;
                    }
                    let apex = corner(a, b, c, along, determinant);
                    if planes[..around].iter().all(|plane| plane.above(apex) >= -self.near) {
                        let added = volume(apex);
                        if added < least {
                            least = added;
                            best = (apex, [i, j, k]);
                        }
                    }
                }
            }
            if best.1 == places {
                break;
            }
        }
        best
    }

    /// Returns the point above the middle of an edge that is just beyond all planes around the edge, about the center, and the
    /// volume that it adds. `None` if a plane is turned away from the mean of the others. If the planes are nearly the same
    /// plane, rounding destroys their corners but not this point.
    fn apex_above(&self, around: &[u32], ends: [DVec3; 2]) -> Option<(DVec3, f64)> {
        /// The least cosine of the angle between a plane's normal and the mean.
        const LEAST_COSINE: f64 = 1e-3;
        let planes = around.iter().map(|&face| &self.faces[face as usize]);
        let middle = 0.5 * (ends[0] + ends[1]);
        let mean: DVec3 = planes.clone().map(|plane| plane.normal * plane.third).sum();
        let up = mean.try_normalize()?;
        let mut rise = 0.0;
        for plane in planes.filter(|plane| plane.normal != DVec3::ZERO) {
            let cosine = plane.normal.dot(up);
            if cosine < LEAST_COSINE {
                return None;
            }
            rise = ((self.near - plane.above(middle)) / cosine).max(rise);
        }
        let apex = middle + up * rise;
        Some((apex, self.added(apex)))
    }

    /// Returns the volume between the hull and the hull with an apex: a pyramid on each face that the apex is beyond.
    fn added(&self, apex: DVec3) -> f64 {
        self.faces.iter().map(|plane| plane.above(apex).max(0.0) * plane.third).sum()
    }
}

/// Returns the corner of three planes. `along` is the cross product of the first two normals, and `determinant` its dot product with
/// the third.
fn corner(a: &CenteredFace, b: &CenteredFace, c: &CenteredFace, along: DVec3, determinant: f64) -> DVec3 {
    (b.normal.cross(c.normal) * a.height + c.normal.cross(a.normal) * b.height + along * c.height) / determinant
}

/// The candidate that adds the least volume is the greatest, so that a heap gives it first.
impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        other.added.total_cmp(&self.added).then(other.edge.cmp(&self.edge))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

#[cfg(test)]
mod tests {
    use super::*;

    const SLIVER: f64 = 1e-11;

    /// Points on a ball, by the inverse of the stereographic projection of points in a square.
    fn ball(count: u32) -> Vec<DVec3> {
        let share = |i: u32, step: f64| 4.0 * (f64::from(i) * step).fract() - 2.0;
        let point = |i: u32| {
            let (u, v) = (share(i, 0.754_877_666), share(i, 0.569_840_291));
            DVec3::new(2.0 * u, 2.0 * v, 1.0 - u * u - v * v) / (1.0 + u * u + v * v)
        };
        (0..count).map(point).collect()
    }

    /// Returns the least volume that the contraction of an edge adds, by a search among the corners of all planes. The volume as a
    /// function of the apex is convex and linear between the planes, so the apex that adds the least volume is such a corner.
    fn least_volume(planes: &Planes, edge: [u32; 2]) -> f64 {
        let around = planes.around(edge);
        let mut least = f64::INFINITY;
        for (i, a) in planes.faces.iter().enumerate() {
            for (j, b) in planes.faces.iter().enumerate().skip(i + 1) {
                let along = a.normal.cross(b.normal);
                for c in &planes.faces[j + 1..] {
                    let determinant = along.dot(c.normal);
                    let apex = corner(a, b, c, along, determinant);
                    let is_candidate = determinant.abs() >= LEAST_DETERMINANT
                        && around.iter().all(|&face| planes.faces[face as usize].above(apex) >= -planes.near);
                    least = if is_candidate { least.min(planes.added(apex)) } else { least };
                }
            }
        }
        least
    }

    #[test]
    fn the_walk_ends_at_the_least_volume() {
        for count in [12, 20, 30] {
            let hull = ConvexHull::from_points(&ball(count)).unwrap();
            let planes = Planes::new(&hull, Frame::of(&hull), SLIVER);
            for &edge in hull.edges() {
                let least = least_volume(&planes, edge);
                let Some(one) = planes.candidate(&hull, edge).filter(|one| one.start.is_some()) else {
                    assert_eq!(least, f64::INFINITY, "{count}, {edge:?}");
                    continue;
                };
                let (apex, found) = planes.lowest_apex(&planes.around(edge), one.start.unwrap(), one.apex);
                assert!(found <= 1.000_001 * least, "{count}, {edge:?}: {found} against {least}");
                assert!(
                    one.added <= 1.000_001 * found && found == planes.added(apex),
                    "{count}, {edge:?}: bound {}",
                    one.added
                );
            }
        }
    }

    #[test]
    fn the_lowest_corner_is_that_of_a_search_among_all_corners() {
        for count in [12, 30, 100, 300] {
            let hull = ConvexHull::from_points(&ball(count)).unwrap();
            let planes = Planes::new(&hull, Frame::of(&hull), SLIVER);
            for &edge in hull.edges() {
                let around = planes.around(edge);
                let found = planes.lowest_corner(&around);
                let slow = planes.lowest_of_all_corners(&around);
                assert_eq!(found.is_some(), slow.is_some(), "{count}, {edge:?}");
                let Some(((apex, added, places), (slow_apex, slow_added, _))) = found.zip(slow) else { continue };
                let apart = (added - slow_added).abs();
                assert!(apart <= 1e-9 * slow_added, "{count}, {edge:?}: {added} against {slow_added}");
                let is_on = |&place: &usize| planes.faces[around[place] as usize].above(apex).abs() < planes.near;
                assert!(places.iter().all(is_on), "{count}, {edge:?}: {places:?}");
                assert!((apex - slow_apex).length() < 1e-6, "{count}, {edge:?}: {apex} against {slow_apex}");
            }
        }
    }

    /// Compares the queue with walks for all edges.
    #[test]
    fn the_first_contraction_adds_the_least_volume() {
        for count in [12, 30, 100] {
            let hull = ConvexHull::from_points(&ball(count)).unwrap();
            let planes = Planes::new(&hull, Frame::of(&hull), SLIVER);
            let walked = |edge: &[u32; 2]| {
                let one = planes.candidate(&hull, *edge)?;
                let walk = |start| planes.lowest_apex(&planes.around(*edge), start, one.apex);
                Some((one.start.map_or(one.added, |start| walk(start).1), *edge))
            };
            let least = hull.edges().iter().filter_map(walked).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            assert_eq!(planes.contractions(&hull, &planes.candidates(&hull), 1)[0].edge, least.1);
        }
    }

    /// Compares candidates that are taken from the round before with new ones, round after round.
    #[test]
    fn candidates_stay_true_while_their_faces_stay() {
        let mut hull = ConvexHull::from_points(&ball(200)).unwrap();
        let frame = Frame::of(&hull);
        let mut planes = Planes::new(&hull, frame, SLIVER);
        let mut candidates = planes.candidates(&hull);
        while hull.vertices().len() > 20 {
            let contractions = planes.contractions(&hull, &candidates, hull.vertices().len() - 19);
            let is_end = |vertex: u32| contractions.iter().any(|one| one.edge.contains(&vertex));
            let kept: Vec<u32> = (0..hull.vertices().len() as u32).filter(|&vertex| !is_end(vertex)).collect();
            let points = kept.iter().map(|&vertex| hull.vertices()[vertex as usize]);
            let points: Vec<DVec3> = points.chain(contractions.iter().map(|one| one.apex)).collect();
            let next = ConvexHull::from_points(&points).unwrap();
            let old_vertices: Vec<Option<u32>> =
                next.source_indices().iter().map(|&source| kept.get(source as usize).copied()).collect();
            let next_planes = Planes::new(&next, frame, SLIVER);
            let before = Before { hull: &hull, planes: &planes, candidates: &candidates, old_vertices: &old_vertices };
            let found = next_planes.candidates_after(&next, &before);
            let bits = |one: &Option<Candidate>| {
                one.map(|one| (one.edge, one.apex.to_array().map(f64::to_bits), one.added.to_bits(), one.start))
            };
            let expected: Vec<_> = next_planes.candidates(&next).iter().map(bits).collect();
            assert_eq!(found.iter().map(bits).collect::<Vec<_>>(), expected, "{} vertices", next.vertices().len());
            (hull, planes, candidates) = (next, next_planes, found);
        }
    }

    #[test]
    fn the_volume_of_an_apex_is_what_the_hull_gains() {
        let points = ball(30);
        let hull = ConvexHull::from_points(&points).unwrap();
        let planes = Planes::new(&hull, Frame::of(&hull), SLIVER);
        for apex in [DVec3::new(1.5, 0.2, -0.1), DVec3::new(0.0, 0.9, 1.0), DVec3::splat(2.0)] {
            let with_apex = ConvexHull::from_points(&[points.as_slice(), &[apex]].concat()).unwrap();
            let gained = with_apex.volume() - hull.volume();
            assert!((planes.added(apex - planes.center) - gained).abs() < 1e-12, "{gained}");
        }
    }
}
