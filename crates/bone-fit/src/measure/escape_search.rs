//! The farthest escapes over many poses. The search looks at a triangle only if a bound does not rule out that the
//! triangle gets farther than the escapes found before.
//!
//! A triangle is followed in the space of one of its joints, the *anchor*, whose boxes are near the triangle. In this
//! space only the other joints move the triangle's points. Let `x` be a point in the space of another joint, `w` its
//! weight, and `D` the change of its matrix from one pose to the next: the point moves by at most `w |D x|`. So a point
//! is no farther from the boxes of the anchor than when the search last looked at it, plus the motion that the other
//! joints added since. Triangles with the same joints share the sum of this motion. A pose costs one comparison for
//! each triangle, and most triangles need no more.

use crate::bounds::Bounds;
use crate::measure::farthest::{Farthest, Found};
use crate::measure::hull_planes::MeasuredBoxes;
use crate::measure::posed_boxes::{INSIDE, PosedBoxes, PosedTriangle, longest_column};
use crate::measure::surface_samples::{SurfaceSamples, Triangle};
use crate::poses::sample_times::SampleTime;
use crate::poses::sampled::PoseSampler;
use crate::skin::bound_mesh::BoundMesh;
use baked_format::Hitbox;
use glam::{DAffine3, DMat3, DVec3};
use rayon::prelude::*;
use skeleton::JointIndex;
use skinned_model::SkinnedModel;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Bounds are enlarged by this share of the character's height, so that rounding never rules out the farthest point.
const ROUNDING: f64 = 1e-9;

/// The number of sample times that one thread looks at one after the other.
const CHUNK: usize = 64;

/// The number of evenly spread poses that are looked at first. Later poses only matter if they exceed the escapes of
/// these poses.
const FIRST_POSES: usize = 16;

/// The poses in which escapes are looked for.
pub(crate) struct EscapeTimes<'a> {
    /// The rest pose and the sample times of clips, sorted by clip and time, so that successive poses are much alike.
    pub(crate) all: &'a [SampleTime],
    /// Among equal escapes, an escape at every `first_every`-th time goes first, then the earliest escape.
    pub(crate) first_every: usize,
}

impl EscapeTimes<'_> {
    /// Returns the rank of a time among equal escapes, and `true` if the time goes before the other times. `index` is
    /// an index into `all`.
    fn rank(&self, index: usize) -> (usize, bool) {
        let goes_first = index.is_multiple_of(self.first_every);
        (if goes_first { index / self.first_every } else { self.all.len() + index }, goes_first)
    }
}

/// The surface in bundles, ready to be followed through poses.
pub(crate) struct EscapeSearch<'a> {
    mesh: &'a BoundMesh<'a>,
    samples: &'a SurfaceSamples,
    boxes: MeasuredBoxes<'a>,
    bundles: Vec<Bundle>,
    /// The triangles of all bundles, one bundle after the other.
    triangles: Vec<BundledTriangle>,
    /// Each anchor with each other joint of its bundle, sorted, without repeats.
    pairs: Vec<[JointIndex; 2]>,
    /// The joints that are anchors, sorted.
    anchors: Vec<JointIndex>,
}

/// Triangles with the same joints.
struct Bundle {
    anchors: Vec<Anchor>,
    /// The joints that own points of the surface, sorted.
    owners: Vec<JointIndex>,
    /// The triangles, a range of indices into [`EscapeSearch::triangles`].
    triangles: Range<usize>,
    /// `true` if no joint but the first anchor moves the surface.
    is_rigid: bool,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct BundleJoints {
    /// The joint whose boxes hold the surface around the first corner.
    holder: JointIndex,
    /// The other joints that move corners, sorted.
    movers: Vec<JointIndex>,
    /// The joints that own points of the surface, sorted.
    owners: Vec<JointIndex>,
}

/// A joint in whose space the triangles of a bundle can be followed.
struct Anchor {
    joint: JointIndex,
    others: Vec<Mover>,
}

/// A joint that moves a bundle's corners in the space of an anchor.
struct Mover {
    /// The pair of the anchor and this joint, an index into [`EscapeSearch::pairs`].
    pair: usize,
    ball: Ball,
}

/// A ball around the corners that a joint moves, in the joint's space and unit.
#[derive(Clone, Copy)]
struct Ball {
    center: DVec3,
    radius: f64,
}

struct BundledTriangle {
    /// The triangle, an index into [`SurfaceSamples::triangles`].
    index: usize,
    /// The largest distance of the triangle's measured points from the nearest box of the first anchor in the rest
    /// pose, in the anchor's unit; infinite if the anchor has no box.
    apart: f64,
    /// For each anchor of the bundle, the largest sum of the other joints' weights at a corner, 0 to 1.
    shares: Vec<f64>,
}

impl<'a> EscapeSearch<'a> {
    /// `boxes` are sorted by joint; `holders[j]` is the joint whose boxes hold the surface of joint `j`.
    pub(crate) fn new(
        mesh: &'a BoundMesh<'a>,
        samples: &'a SurfaceSamples,
        boxes: &'a [Hitbox],
        holders: &[JointIndex],
    ) -> Self {
        let mut by_joints: BTreeMap<BundleJoints, Vec<usize>> = BTreeMap::new();
        for (index, triangle) in samples.triangles.iter().enumerate() {
            let holder = holders[triangle.owners[0].index()];
            let joints =
                BundleJoints { holder, movers: movers(mesh, triangle, holder), owners: samples.owners(triangle) };
            by_joints.entry(joints).or_default().push(index);
        }
        let pairs = |joints: &BundleJoints| joints.pairs().collect::<Vec<_>>();
        let mut pairs: Vec<[JointIndex; 2]> = by_joints.keys().flat_map(pairs).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut anchors: Vec<JointIndex> = by_joints.keys().flat_map(BundleJoints::anchors).collect();
        anchors.sort_unstable();
        anchors.dedup();
        let boxes = MeasuredBoxes::new(boxes);
        let mut search = Self { mesh, samples, boxes, bundles: Vec::new(), triangles: Vec::new(), pairs, anchors };
        let at_rest = Scene::new(&search, &mesh.model_from_joint);
        let (mut bundles, mut triangles) = (Vec::new(), Vec::new());
        for (joints, indices) in by_joints {
            let first = triangles.len();
            triangles.extend(indices.into_iter().map(|index| search.bundled(&joints, index, &at_rest)));
            bundles.push(search.bundle(joints, first..triangles.len(), &triangles));
        }
        (search.bundles, search.triangles) = (bundles, triangles);
        search
    }

    fn bundled(&self, joints: &BundleJoints, index: usize, at_rest: &Scene) -> BundledTriangle {
        let triangle = &self.samples.triangles[index];
        let scale = longest_column(&self.mesh.model_from_joint[joints.holder.index()].matrix3);
        let corners = self.samples.corners(self.mesh, triangle, &at_rest.model_from_mesh);
        let distance = |(point, _)| at_rest.boxes.distance_from_joint(point, joints.holder);
        let apart = self.samples.points(triangle, corners).map(distance).fold(0.0, f64::max) / scale;
        let part = &self.mesh.parts[triangle.part];
        let share_of_others = |anchor: JointIndex| {
            let of_corner = |corner: u32| {
                let others = part.influences(corner as usize).iter();
                let others = others.filter(|influence| self.mesh.bindings[influence.binding].joint != anchor);
                others.map(|influence| influence.weight).sum::<f64>()
            };
            triangle.corners.map(of_corner).into_iter().fold(0.0, f64::max)
        };
        BundledTriangle { index, apart, shares: joints.anchors().map(share_of_others).collect() }
    }

    fn bundle(&self, joints: BundleJoints, range: Range<usize>, triangles: &[BundledTriangle]) -> Bundle {
        let of_bundle = || triangles[range.clone()].iter().map(|one| &self.samples.triangles[one.index]);
        let all: Vec<JointIndex> = joints.anchors().collect();
        let balls: Vec<Ball> = all.iter().map(|&joint| self.ball(of_bundle(), joint)).collect();
        let anchor = |&anchor: &JointIndex| {
            let others = all.iter().zip(&balls).filter(|(joint, _)| **joint != anchor);
            let mover = |(&joint, &ball): (&JointIndex, &Ball)| {
                let pair = self.pairs.partition_point(|pair| *pair < [anchor, joint]);
                Mover { pair, ball }
            };
            Anchor { joint: anchor, others: others.map(mover).collect() }
        };
        Bundle {
            anchors: all.iter().map(anchor).collect(),
            owners: joints.owners,
            triangles: range,
            is_rigid: joints.movers.is_empty(),
        }
    }

    /// Returns a ball around the corners that a joint moves. The radius is 0 if the joint moves no corner.
    fn ball<'t>(&self, triangles: impl Iterator<Item = &'t Triangle>, joint: JointIndex) -> Ball {
        let mut bounds = Bounds::EMPTY;
        for triangle in triangles {
            let part = &self.mesh.parts[triangle.part];
            for vertex in triangle.corners.map(|corner| corner as usize) {
                for influence in part.influences(vertex) {
                    let binding = &self.mesh.bindings[influence.binding];
                    if binding.joint == joint {
                        bounds.add(binding.joint_from_mesh.transform_point3(part.position(vertex)));
                    }
                }
            }
        }
        if bounds.is_empty() {
            return Ball { center: DVec3::ZERO, radius: 0.0 };
        }
        Ball { center: bounds.center(), radius: bounds.half_size().length() }
    }

    /// Looks for escapes farther than `found` at all these times, chunk by chunk in parallel. Calls `go_on` before each
    /// pose.
    ///
    /// # Errors
    /// Returns the error of `go_on`.
    pub(crate) fn look_at_all<E: Send>(
        &self,
        model: &SkinnedModel,
        times: &EscapeTimes<'_>,
        found: Found,
        go_on: &(impl Fn() -> Result<(), E> + Sync),
    ) -> Result<Found, E> {
        let shared = Mutex::new(found);
        let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
        let look_at = |indices: &[usize]| {
            let (mut sampler, mut found) = (PoseSampler::new(&model.skeleton, &model.clips), lock().clone());
            let mut watch = Watch::from_rest(self);
            for &index in indices {
                go_on()?;
                watch.look(times.all[index], times.rank(index), sampler.pose(times.all[index]), &mut found);
            }
            // Threads may add their escapes in any order, because the result does not depend on the order.
            lock().add_all(found);
            Ok(())
        };
        let indices: Vec<usize> = (0..times.all.len()).collect();
        let first: Vec<usize> = indices.iter().copied().step_by(times.all.len().div_ceil(FIRST_POSES).max(1)).collect();
        look_at(&first)?;
        indices.par_chunks(CHUNK).try_for_each(look_at)?;
        Ok(shared.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

impl BundleJoints {
    /// The joints whose boxes may hold the surface, the likeliest first.
    fn anchors(&self) -> impl Iterator<Item = JointIndex> {
        std::iter::once(self.holder).chain(self.movers.iter().copied())
    }

    /// Each anchor with each other joint.
    fn pairs(&self) -> impl Iterator<Item = [JointIndex; 2]> {
        self.anchors()
            .flat_map(|anchor| self.anchors().filter(move |joint| *joint != anchor).map(move |joint| [anchor, joint]))
    }
}

/// The joints other than the holder that move a corner of the triangle, sorted.
fn movers(mesh: &BoundMesh<'_>, triangle: &Triangle, holder: JointIndex) -> Vec<JointIndex> {
    let part = &mesh.parts[triangle.part];
    let influences = triangle.corners.iter().flat_map(|&corner| part.influences(corner as usize));
    let joints = influences.map(|influence| mesh.bindings[influence.binding].joint);
    let mut movers: Vec<JointIndex> = joints.filter(|joint| *joint != holder).collect();
    movers.sort_unstable();
    movers.dedup();
    movers
}

/// Boxes and bindings in one pose.
struct Scene {
    boxes: PosedBoxes,
    model_from_mesh: Vec<DAffine3>,
}

impl Scene {
    fn new(search: &EscapeSearch<'_>, model_from_joint: &[DAffine3]) -> Self {
        Self {
            boxes: PosedBoxes::new(search.mesh, &search.boxes, model_from_joint),
            model_from_mesh: search.mesh.model_from_mesh(model_from_joint),
        }
    }
}

/// The state of all triangles while the search goes from pose to pose.
struct Watch<'s> {
    search: &'s EscapeSearch<'s>,
    /// The map from model space to each joint's space; `None` if the joint has collapsed or is not an anchor.
    anchor_from_model: Vec<Option<DAffine3>>,
    /// For each joint that is an anchor, the largest number of model units that one unit of its space spans; NaN for
    /// other joints and for collapsed joints.
    scales: Vec<f64>,
    /// For each of [`EscapeSearch::pairs`], the map from the second joint's space to the anchor's space; `None` if the
    /// anchor has collapsed.
    anchor_from_joint: Vec<Option<DAffine3>>,
    /// For each of [`EscapeSearch::pairs`], the change of `anchor_from_joint` in the last step.
    changes: Vec<Change>,
    /// For each anchor of each bundle, one bundle after the other: an upper bound of the length of the way that the
    /// other joints have moved any point since the rest pose, in the anchor's unit.
    ways: Vec<f64>,
    /// For each of [`EscapeSearch::triangles`], the bound of its distance.
    followed: Vec<Followed>,
    /// For each bundle, the largest distance of a triangle from its anchor's boxes, in the anchor's unit. Only used if
    /// the bundle is rigid.
    farthest_rigid: Vec<f64>,
}

/// The difference between two transforms.
#[derive(Clone, Copy)]
struct Change {
    matrix: DAffine3,
    /// An upper bound of the length to which the linear part maps a unit vector.
    norm: f64,
}

impl Change {
    const NONE: Self = Self { matrix: DAffine3::ZERO, norm: 0.0 };

    fn between(before: &DAffine3, now: &DAffine3) -> Self {
        let matrix =
            DAffine3 { matrix3: now.matrix3 - before.matrix3, translation: now.translation - before.translation };
        Self { matrix, norm: frobenius_norm(&matrix.matrix3) }
    }

    /// Returns an upper bound of the distance by which the change moves any point of a ball.
    fn moved(&self, ball: &Ball) -> f64 {
        let moved = self.matrix.transform_point3(ball.center).length() + self.norm * ball.radius;
        if moved.is_nan() { f64::INFINITY } else { moved }
    }
}

/// Returns an upper bound of the length to which the matrix maps a unit vector.
fn frobenius_norm(matrix: &DMat3) -> f64 {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(DVec3::length_squared);
    (x + y + z).sqrt()
}

/// The bound of one triangle's distance: in the anchor's space, no point is farther from the anchor's boxes than
/// `apart` plus `share` times the way since the rest pose ([`Watch::ways`]). The sum is negative as long as the boxes hold the
/// triangle with room around it.
#[derive(Clone, Copy)]
struct Followed {
    apart: f64,
    share: f64,
    /// The anchor in whose space the triangle is followed, an index into [`Bundle::anchors`].
    anchor: u32,
}

/// The pose that the search looks at.
struct Look<'s> {
    at: SampleTime,
    /// The pose's rank among equal escapes, and `true` if triangles are ranked by their number, `false` if they are
    /// ranked by their place in the bundles.
    rank: (usize, bool),
    scene: &'s Scene,
}

impl<'s> Watch<'s> {
    fn from_rest(search: &'s EscapeSearch<'s>) -> Self {
        let mesh = search.mesh;
        let follow = |one: &BundledTriangle| Followed { apart: one.apart, share: one.shares[0], anchor: 0 };
        let farthest = |bundle: &Bundle| {
            search.triangles[bundle.triangles.clone()].iter().map(|one| one.apart).fold(0.0, f64::max)
        };
        let mut watch = Self {
            search,
            anchor_from_model: vec![None; mesh.skeleton.len()],
            scales: vec![f64::NAN; mesh.skeleton.len()],
            anchor_from_joint: vec![None; search.pairs.len()],
            changes: vec![Change::NONE; search.pairs.len()],
            ways: vec![0.0; search.bundles.iter().map(|bundle| bundle.anchors.len()).sum()],
            followed: search.triangles.iter().map(follow).collect(),
            farthest_rigid: search.bundles.iter().map(farthest).collect(),
        };
        watch.move_joints(&mesh.model_from_joint);
        watch
    }

    /// Updates the transforms of anchors and pairs to the next pose, and the changes of the pairs.
    fn move_joints(&mut self, model_from_joint: &[DAffine3]) {
        let search = self.search;
        for &anchor in &search.anchors {
            let matrix = &model_from_joint[anchor.index()];
            let inverse = search.mesh.joint_from_model(anchor, matrix);
            self.scales[anchor.index()] = inverse.map_or(f64::NAN, |_| longest_column(&matrix.matrix3));
            self.anchor_from_model[anchor.index()] = inverse;
        }
        for (number, [anchor, joint]) in search.pairs.iter().enumerate() {
            let now = self.anchor_from_model[anchor.index()].map(|inverse| inverse * model_from_joint[joint.index()]);
            let before = std::mem::replace(&mut self.anchor_from_joint[number], now);
            // If the anchor was collapsed in the pose before, no triangle is followed in its space, so the change does
            // not matter.
            let both = before.as_ref().zip(now.as_ref());
            self.changes[number] = both.map_or(Change::NONE, |(before, now)| Change::between(before, now));
        }
    }

    /// Looks for farther escapes in the next pose.
    fn look(&mut self, at: SampleTime, rank: (usize, bool), model_from_joint: &[DAffine3], found: &mut Found) {
        let search = self.search;
        self.move_joints(model_from_joint);
        let mut scene: Option<Scene> = None;
        let mut first_way = 0;
        let mut limits: Vec<f64> = Vec::new();
        for (number, bundle) in search.bundles.iter().enumerate() {
            let ways = first_way..first_way + bundle.anchors.len();
            first_way = ways.end;
            // Points that are outside by no more than the tolerance count as inside.
            let floor = bundle.owners.iter().map(|&owner| found.floor(owner)).fold(f64::INFINITY, f64::min);
            let room = floor.max(INSIDE * search.mesh.height) - ROUNDING * search.mesh.height;
            limits.clear();
            limits.extend(bundle.anchors.iter().map(|anchor| room / self.scales[anchor.joint.index()]));
            if bundle.is_rigid && self.farthest_rigid[number] <= limits[0] {
                continue;
            }
            for (anchor, way) in bundle.anchors.iter().zip(&mut self.ways[ways.clone()]) {
                let moved = anchor.others.iter().map(|mover| self.changes[mover.pair].moved(&mover.ball));
                *way += moved.fold(0.0, f64::max);
            }
            let ways = &self.ways[ways];
            for index in bundle.triangles.clone() {
                let Followed { apart, share, anchor } = self.followed[index];
                if apart + share * ways[anchor as usize] <= limits[anchor as usize] {
                    continue;
                }
                let scene = scene.get_or_insert_with(|| Scene::new(search, model_from_joint));
                self.followed[index] =
                    Look { at, rank, scene }.look_at(search, bundle, index, &limits, ways, &self.scales, found);
            }
            if bundle.is_rigid {
                let followed = &self.followed[bundle.triangles.clone()];
                self.farthest_rigid[number] = followed.iter().map(|one| one.apart).fold(0.0, f64::max);
            }
        }
    }
}

impl Look<'_> {
    /// Looks for farther escapes in one triangle, and returns how to follow the triangle from this pose on.
    ///
    /// `limits` has one entry for each anchor of the bundle: up to this distance from the anchor's boxes, in the
    /// anchor's unit, the triangle is not of interest. `index` is an index into [`EscapeSearch::triangles`].
    fn look_at(
        &self,
        search: &EscapeSearch<'_>,
        bundle: &Bundle,
        index: usize,
        limits: &[f64],
        ways: &[f64],
        scales: &[f64],
        found: &mut Found,
    ) -> Followed {
        let (bundled, boxes) = (&search.triangles[index], &self.scene.boxes);
        let triangle = &search.samples.triangles[bundled.index];
        let corners = search.samples.corners(search.mesh, triangle, &self.scene.model_from_mesh);
        // Chooses the anchor whose limit the triangle reaches last.
        let follow = |apart_from: &dyn Fn(usize) -> f64| {
            let (mut longest, mut followed) = (0.0, None);
            for (number, anchor) in bundle.anchors.iter().enumerate() {
                let (apart, share) = (apart_from(number) / scales[anchor.joint.index()], bundled.shares[number]);
                let way = (limits[number] - apart) / share;
                if way > longest {
                    longest = way;
                    followed = Some(Followed { apart: apart - share * ways[number], share, anchor: number as u32 });
                }
            }
            followed
        };
        let apart = |number: usize| {
            let joint = bundle.anchors[number].joint;
            boxes.apart(&corners, joint, limits[number] * scales[joint.index()])
        };
        if let Some(followed) = follow(&apart) {
            return followed;
        }
        // Cells in a box of an anchor are at distance 0 from the anchor, and no limit is below 0.
        let posed = PosedTriangle::new(corners);
        let grid = search.samples.grid(triangle);
        let cells_inside = |anchor: &Anchor| boxes.cells_inside(&posed, anchor.joint, grid);
        let inside: Vec<u64> = bundle.anchors.iter().map(cells_inside).collect();
        let in_all = inside.iter().fold(u64::MAX, |all, cells| all & cells);
        let mut aparts = vec![0.0f64; bundle.anchors.len()];
        let order = if self.rank.1 { bundled.index } else { index };
        for (number, (point, owner)) in search.samples.points(triangle, corners).enumerate() {
            let cell = if number < triangle.cells { 1 << number } else { 0 };
            if cell & in_all != 0 {
                continue;
            }
            let is_inside = inside.iter().any(|cells| cells & cell != 0);
            let mut nearest = if is_inside { 0.0 } else { f64::INFINITY };
            for (number, anchor) in bundle.anchors.iter().enumerate() {
                // An anchor whose limit is reached cannot be followed, so its distance does not matter any more.
                let is_out = aparts[number] >= limits[number] * scales[anchor.joint.index()];
                if cell & inside[number] == 0 && !(is_inside && is_out) {
                    let distance = boxes.distance_from_joint(point, anchor.joint);
                    (aparts[number], nearest) = (aparts[number].max(distance), nearest.min(distance));
                }
            }
            let floor = found.floor(owner);
            if nearest < floor.max(INSIDE * search.mesh.height) || boxes.is_collapsed(owner) {
                continue;
            }
            let distance = boxes.distance(point, owner, floor);
            if distance >= floor && !boxes.holds(point, owner) {
                found.add(Farthest { distance, owner, at: self.at, point, rank: [self.rank.0, order] });
            }
        }
        follow(&|number| aparts[number]).unwrap_or(Followed { apart: f64::INFINITY, share: 0.0, anchor: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assign::owner::Ownership;
    use crate::measure::test_boxes::any_boxes;
    use crate::options::{Attachments, BakeOptions};
    use skeleton::{Channel, Clip, ClipIndex, Interpolation, Property};
    use std::convert::Infallible;
    use test_models::Random;

    /// A clip in which all joints turn slowly, with a few fast turns. Some joints shrink to nothing for a while.
    fn any_clip(random: &mut Random, joints: u16) -> Clip {
        const KEYS: u16 = 90;
        let mut channels = Vec::new();
        for joint in 0..joints {
            let mut at = [0.0f32; 3];
            let mut turn = |_| {
                let far = if random.below(30) == 0 { 2.0 } else { 0.05 };
                at = at.map(|angle| 0.9 * angle + far * random.signed());
                glam::Quat::from_scaled_axis(at.into()).to_array()
            };
            let turns = (0..KEYS).flat_map(&mut turn).collect();
            let shrinks = random.below(5) == 0;
            let sizes = (0..KEYS).flat_map(|key| [if shrinks && key / 10 % 4 == 2 { 0.001 } else { 1.0 }; 3]).collect();
            for (property, values) in [(Property::Rotation, turns), (Property::Scale, sizes)] {
                let (joint, interpolation) = (JointIndex(joint), Interpolation::Linear);
                channels.push(Channel { joint, property, interpolation, timeline: 0, values });
            }
        }
        let timeline = (0..KEYS).map(|key| f32::from(key) / 30.0).collect();
        Clip { name: "any".into(), timelines: vec![timeline], channels }
    }

    /// Finds the escapes by looking at every point in every pose.
    fn found_by_looking_everywhere(
        search: &EscapeSearch<'_>,
        model: &SkinnedModel,
        times: &EscapeTimes<'_>,
        mut found: Found,
    ) -> Found {
        let mut sampler = PoseSampler::new(&model.skeleton, &model.clips);
        let order: Vec<usize> = search.triangles.iter().map(|one| one.index).collect();
        for (index, &at) in times.all.iter().enumerate() {
            let scene = Scene::new(search, sampler.pose(at));
            let (rank, goes_first) = times.rank(index);
            for (number, triangle) in search.samples.triangles.iter().enumerate() {
                let corners = search.samples.corners(search.mesh, triangle, &scene.model_from_mesh);
                let in_bundles = order.iter().position(|index| *index == number).unwrap();
                for (point, owner) in search.samples.points(triangle, corners) {
                    if !scene.boxes.is_collapsed(owner) && !scene.boxes.holds(point, owner) {
                        let distance = scene.boxes.distance(point, owner, 0.0);
                        let rank = [rank, if goes_first { number } else { in_bundles }];
                        found.add(Farthest { distance, owner, at, point, rank });
                    }
                }
            }
        }
        found
    }

    /// Compares the search with looking everywhere, for boxes that are unrelated to the surface and for boxes around
    /// parts of the surface.
    #[test]
    fn the_farthest_is_that_of_looking_everywhere() {
        let mut random = Random::new(31);
        let mut escapes = 0;
        for case in 0..12 {
            let mut character = if case % 2 == 0 { test_models::box_man() } else { test_models::box_limb() };
            for influences in &mut character.influences {
                if random.below(3) == 0 {
                    influences.push((random.below(character.joints.len()) as u16, 0.01 * random.below(90) as f32));
                }
            }
            let mut model = skinned_model::import(&character.to_glb(), &skinned_model::NoExternalFiles).unwrap();
            let joints = model.skeleton.len() as u16;
            model.clips = (0..2).map(|_| any_clip(&mut random, joints)).collect();
            model.clips.iter().for_each(|clip| clip.validate(&model.skeleton).unwrap());
            let mesh = BoundMesh::new(&model, Attachments::Include);
            let samples = SurfaceSamples::new(&mesh, Ownership::new(&BakeOptions::default()));
            let boxes = if case % 3 == 0 {
                any_boxes(&mut random, joints, mesh.height as f32)
            } else {
                let source = baked_format::Source { file: String::new(), blake3: [0; 32], generator: String::new() };
                let mut boxes = crate::bake(&model, "", source, &BakeOptions::default()).unwrap().character.boxes;
                boxes.iter_mut().for_each(|one| one.half_extents *= 0.9 + 0.15 * random.signed());
                boxes
            };
            let any = |joint| if random.below(8) == 0 { random.below(joints.into()) as u16 } else { joint };
            let holders: Vec<JointIndex> = (0..joints).map(any).map(JointIndex).collect();
            let clip_times = |clip| (0..90u16).map(move |key| (ClipIndex(clip), f32::from(key) / 30.0));
            let in_clips = (0..2).flat_map(clip_times).map(|(clip, time)| SampleTime { clip: Some(clip), time });
            let all: Vec<SampleTime> = std::iter::once(SampleTime::REST).chain(in_clips).collect();
            let times = EscapeTimes { all: &all, first_every: 1 + random.below(20) };
            let search = EscapeSearch::new(&mesh, &samples, &boxes, &holders);
            for nothing in [Found::of_character(), Found::by_joint(joints.into())] {
                let go_on = || Ok::<(), Infallible>(());
                let Ok(found) = search.look_at_all(&model, &times, nothing.clone(), &go_on);
                let expected: Vec<Farthest> =
                    found_by_looking_everywhere(&search, &model, &times, nothing).into_each().collect();
                assert_eq!(found.into_each().collect::<Vec<_>>(), expected, "case {case}");
                escapes += expected.len();
            }
        }
        assert!(escapes > 40, "{escapes}");
    }
}
