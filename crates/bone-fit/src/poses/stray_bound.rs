//! The number of sample times that are needed between two sample times, so that no corner leaves the straight line
//! between its sampled places by much.
//!
//! A box that holds a corner's positions at two successive sample times holds the straight line between them, in its
//! joint's space. The corner itself runs along a curve. A curve leaves its chord by at most an eighth of its greatest
//! acceleration, times the square of the time between the two. All keys are sample times, so between two of them every
//! joint turns at a constant speed and moves in a straight line (glTF 2.0, section 3.11). Seen from the box's joint, a
//! corner hangs from a chain of such links. For a chain whose links turn by `a` and shift by `s` at the distance `r`
//! from the corner, that eighth is at most
//!
//! ```text
//! sum over links k, from the box's joint outward:  a[k] r[k] (a[k] + 2 A[k]) / 8  +  s[k] (A[k] + a[k]) / 4
//! ```
//!
//! where `A[k]` is the turn of all links before `k`. The terms are the centripetal accelerations of the links and the
//! Coriolis accelerations between them. For one link the sum is the sagitta of its arc. A change of scale counts as a
//! turn by its share. Splines are taken as links of constant speed plus the distance by which they leave such links,
//! which is looked up at three times. Only the share of a corner's weight that other joints have moves the corner in
//! its joint's space.
//!
//! If the curve is cut into `n` equal steps, the curve leaves its chords by `1 / n^2` of this distance.

use crate::assign::groups::JointGroup;
use crate::bounds::Bounds;
use crate::poses::sample_times::ClipTime;
use crate::skin::bound_mesh::{BoundMesh, affine_to_f64};
use glam::{Affine3A, DAffine3, DQuat, DVec3};
use skeleton::{Clip, Interpolation, JointIndex, LocalTransform, Property, Skeleton, Trs};
use std::collections::BTreeMap;
use std::ops::Range;

/// The most that a corner may leave the straight line between its positions at two successive sample times of a fit to
/// clips, as a share of the character's height.
///
/// The distance includes the error from the rounding of a file's clips ([`baked_format::compact_clip`]).
pub const STRAY: f64 = 0.002;

/// The largest distance by which the rounding of a file's clips may move a corner, seen from the joint of its box, as a
/// share of the character's height. Rounding turns joints by less than 0.00014 degrees (0.0000025 as an angle), so this
/// is enough if the distances of a corner from the joints that it hangs from add up to four heights. Over the corpus
/// the largest sum of all such moves, from the root to any joint, is 0.0000012.
const CLIP_ROUNDING: f64 = 0.000_01;

/// The largest number of times that are put between two other times: enough for a chain of joints that turns about
/// itself.
pub(crate) const MOST_EXTRA_TIMES: usize = 63;

/// The largest number of links of all chains together, so that no file can make a bake slow. Characters have a few
/// hundred links. Surface that hangs from chains beyond this number is sampled only at the regular times.
const MOST_LINKS: usize = 1 << 16;

/// Bounds the distance of corners from the straight lines between sample times, by the chains from which the corners
/// hang.
#[derive(Clone, Debug)]
pub(crate) struct StrayBound {
    chains: Vec<Chain>,
    /// The joints of each chain, chain after chain. The joints of a chain are in order from the box's joint outward.
    links: Vec<JointIndex>,
    /// The largest distance by which a corner may stray, in model units.
    most: f64,
}

/// The surface in one joint's group that another joint moves too.
#[derive(Clone, Debug)]
struct Chain {
    links: Range<usize>,
    other: JointIndex,
    /// The center of a ball around that surface, in the other joint's space.
    center: DVec3,
    /// The radius of that ball, in the other joint's unit.
    radius: f64,
    /// The largest share of a corner's weight that joints other than the box's have.
    share: f64,
}

impl StrayBound {
    pub(crate) fn new<'a>(mesh: &BoundMesh<'_>, groups: impl IntoIterator<Item = &'a JointGroup>) -> Self {
        let mut all = Self { chains: Vec::new(), links: Vec::new(), most: (STRAY - CLIP_ROUNDING) * mesh.height };
        for group in groups {
            for (other, (bounds, share)) in blended(mesh, group) {
                let links = chain(mesh.skeleton, group.joint, other);
                if all.links.len() + links.len() <= MOST_LINKS {
                    let first = all.links.len();
                    all.links.extend_from_slice(&links);
                    all.chains.push(Chain {
                        links: first..all.links.len(),
                        other,
                        center: bounds.center(),
                        radius: 0.5 * bounds.size().length(),
                        share,
                    });
                }
            }
        }
        all
    }

    /// Returns, for each of `times` and the next, the number of sample times that should be added between them.
    pub(crate) fn extra_times(&self, skeleton: &Skeleton, clip: &Clip, times: &[ClipTime]) -> Vec<usize> {
        let mut sampler = Sampler::new(skeleton, clip);
        let Some((&first, later)) = times.split_first() else { return Vec::new() };
        let mut from = sampler.pose(first.time);
        let mut counts = Vec::with_capacity(later.len());
        for clip_time in later {
            let to = sampler.pose(clip_time.time);
            counts.push(self.extra_between(&sampler.changes(&from, &to), [&from, &to]));
            from = to;
        }
        counts
    }

    fn extra_between(&self, changes: &[Change], poses: [&Pose; 2]) -> usize {
        let stray = |chain: &Chain| chain.share * self.stray_of_chain(chain, changes, poses);
        let farthest = self.chains.iter().map(stray).fold(0.0, f64::max);
        let steps = (farthest / self.most).sqrt().ceil();
        // A character without height gives NaN, which becomes 0.
        (steps as usize).saturating_sub(1).min(MOST_EXTRA_TIMES)
    }

    /// Returns an upper bound of the distance by which surface that hangs from the chain leaves its chord, in model
    /// units.
    fn stray_of_chain(&self, chain: &Chain, changes: &[Change], poses: [&Pose; 2]) -> f64 {
        let centers = poses.map(|pose| pose.model_from_joint[chain.other.index()].transform_point3(chain.center));
        let radius = chain.radius * poses.map(|pose| pose.scale(chain.other)).into_iter().fold(0.0, f64::max);
        let (mut turned, mut far) = (0.0, 0.0);
        for &link in &self.links[chain.links.clone()] {
            let Change { turn, shift, bend, drift } = changes[link.index()];
            if turn + shift + bend + drift > 0.0 {
                let pivots = poses.map(|pose| pose.model_from_joint[link.index()].translation);
                let arm = radius + (centers[0] - pivots[0]).length().max((centers[1] - pivots[1]).length());
                far += turn * arm * (turn + 2.0 * turned) / 8.0 + bend * arm;
                turned += turn;
                far += shift * turned / 4.0 + drift;
            }
        }
        far
    }
}

/// Returns, for every other joint that moves some of the group's surface, the bounds of that surface in the other
/// joint's space, and the largest share of a corner's weight that joints other than the group's joint have.
fn blended(mesh: &BoundMesh<'_>, group: &JointGroup) -> BTreeMap<JointIndex, (Bounds, f64)> {
    let mut blended = BTreeMap::new();
    for corner in 0..group.patch.corners.len() {
        let others = || {
            let terms = group.patch.terms(corner).iter().map(|term| (&mesh.bindings[term.binding as usize], term));
            terms.filter(|(binding, term)| binding.joint != group.joint && term.weight > 0.0)
        };
        let of_others: f64 = others().map(|(_, term)| term.weight).sum();
        for (binding, term) in others() {
            let (bounds, share) = blended.entry(binding.joint).or_insert((Bounds::EMPTY, 0.0f64));
            bounds.add(binding.joint_from_mesh.transform_point3(term.point / term.weight));
            *share = share.max(of_others);
        }
    }
    blended
}

/// Returns the joints that turn or shift `to` as seen from `from`: from `from` up to below their common ancestor, then
/// down to `to`.
fn chain(skeleton: &Skeleton, from: JointIndex, to: JointIndex) -> Vec<JointIndex> {
    let (mut up, mut down) = (Vec::new(), Vec::new());
    let (mut a, mut b) = (Some(from), Some(to));
    // Parents come before children, so of two joints the joint with the larger index is not above the other.
    while a != b {
        let (end, links) = if a > b { (&mut a, &mut up) } else { (&mut b, &mut down) };
        let Some(joint) = *end else { break };
        links.push(joint);
        *end = skeleton.joint(joint).parent;
    }
    up.extend(down.into_iter().rev());
    up
}

/// The change of a joint's own transform from one sample time to the next.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    /// The angle in radians, plus the largest share by which an axis is scaled.
    turn: f64,
    /// The distance in model units.
    shift: f64,
    /// The angle by which a spline strays from constant speed, in radians.
    bend: f64,
    /// The distance by which a spline strays from constant speed, in model units.
    drift: f64,
}

struct Pose {
    time: f32,
    local: Vec<LocalTransform>,
    model_from_joint: Vec<DAffine3>,
}

impl Pose {
    /// Returns the joint's scale in model space; the largest scale if axes are scaled unevenly.
    fn scale(&self, joint: JointIndex) -> f64 {
        let columns = self.model_from_joint[joint.index()].matrix3;
        columns.x_axis.length().max(columns.y_axis.length()).max(columns.z_axis.length())
    }
}

struct Sampler<'a> {
    skeleton: &'a Skeleton,
    clip: &'a Clip,
    rest: Vec<LocalTransform>,
    /// The spline channels, indices into the clip's channels.
    splines: Vec<usize>,
    matrices: Vec<Affine3A>,
}

impl<'a> Sampler<'a> {
    fn new(skeleton: &'a Skeleton, clip: &'a Clip) -> Self {
        let is_spline = |&channel: &usize| clip.channels[channel].interpolation == Interpolation::CubicSpline;
        Self {
            skeleton,
            clip,
            rest: skeleton.rest_pose(),
            splines: (0..clip.channels.len()).filter(is_spline).collect(),
            matrices: vec![Affine3A::IDENTITY; skeleton.len()],
        }
    }

    fn pose(&mut self, time: f32) -> Pose {
        let mut local = self.rest.clone();
        self.clip.sample(time, &mut local);
        self.skeleton.model_from_joints(&local, &mut self.matrices);
        Pose { time, local, model_from_joint: self.matrices.iter().map(affine_to_f64).collect() }
    }

    /// Returns the change of every joint.
    fn changes(&self, from: &Pose, to: &Pose) -> Vec<Change> {
        let mut changes = vec![Change::default(); self.skeleton.len()];
        let parent_scale = |joint: JointIndex| {
            self.skeleton.joint(joint).parent.map_or(1.0, |parent| from.scale(parent).max(to.scale(parent)))
        };
        // A held value jumps at its key. One sample time is just before the key and another at the key, so nothing
        // moves between them.
        for channel in self.clip.channels.iter().filter(|channel| channel.interpolation != Interpolation::Step) {
            let joint = channel.joint;
            if let [LocalTransform::Trs(a), LocalTransform::Trs(b)] = [from, to].map(|pose| pose.local[joint.index()]) {
                let change = &mut changes[joint.index()];
                match channel.property {
                    Property::Rotation => change.turn += angle(turned(&a), turned(&b)),
                    Property::Scale => change.turn += scaling(&a, &b),
                    Property::Translation => {
                        change.shift += parent_scale(joint) * (b.translation - a.translation).as_dvec3().length();
                    }
                }
            }
        }
        for &channel in &self.splines {
            let joint = self.clip.channels[channel].joint;
            if let [LocalTransform::Trs(a), LocalTransform::Trs(b)] = [from, to].map(|pose| pose.local[joint.index()]) {
                let (bend, drift) = self.spline_stray(channel, (from.time, &a), (to.time, &b));
                let change = &mut changes[joint.index()];
                change.bend += bend;
                change.drift += parent_scale(joint) * drift;
            }
        }
        changes
    }

    /// Returns how far a spline strays from constant speed: an angle in radians, to which the change of scale is added,
    /// and a distance.
    fn spline_stray(&self, channel: usize, (start, from): (f32, &Trs), (end, to): (f32, &Trs)) -> (f64, f64) {
        // The stray of a parabola or a symmetric cubic between the quarters is larger by at most this factor.
        const BETWEEN_QUARTERS: f64 = 4.0 / 3.0;
        let middle = halfway(from, to);
        let mut local = self.rest.clone();
        let (mut bend, mut drift) = (0.0f64, 0.0f64);
        for (share, expected) in [(0.25, halfway(from, &middle)), (0.5, middle), (0.75, halfway(&middle, to))] {
            let joint = self.clip.channels[channel].joint;
            local[joint.index()] = LocalTransform::Trs(expected);
            self.clip.sample_channel(channel, start + share * (end - start), &mut local);
            if let LocalTransform::Trs(found) = &local[joint.index()] {
                bend = bend.max(angle(turned(found), turned(&expected)) + scaling(found, &expected));
                drift = drift.max((found.translation - expected.translation).as_dvec3().length());
            }
        }
        (BETWEEN_QUARTERS * bend, BETWEEN_QUARTERS * drift)
    }
}

fn turned(trs: &Trs) -> DQuat {
    DQuat::from_array(trs.rotation.to_array().map(f64::from))
}

/// Returns the angle of the shorter way from one rotation to the other, in radians.
fn angle(a: DQuat, b: DQuat) -> f64 {
    let [a, b] = [a, b].map(|one| one.to_array());
    let length = |sign: f64| {
        let squares = (0..4).map(|index| (a[index] + sign * b[index]) * (a[index] + sign * b[index]));
        squares.fold(0.0, |sum, square| sum + square).sqrt()
    };
    let (sum, difference) = (length(1.0), length(-1.0));
    4.0 * libm::atan2(sum.min(difference), sum.max(difference))
}

/// Returns the largest change of an axis' scale, as a share of the larger of the two scales.
fn scaling(a: &Trs, b: &Trs) -> f64 {
    let (a, b) = (a.scale.as_dvec3(), b.scale.as_dvec3());
    let share = |a: f64, b: f64| if a == b { 0.0 } else { (a - b).abs() / a.abs().max(b.abs()) };
    share(a.x, b.x).max(share(a.y, b.y)).max(share(a.z, b.z))
}

/// Returns the transform halfway between two transforms: on straight lines, and on the shorter arc.
fn halfway(a: &Trs, b: &Trs) -> Trs {
    let (from, to) = (a.rotation, b.rotation);
    let [p, q] = [from, to].map(|one| one.to_array());
    let sign = if p.iter().zip(&q).map(|(p, q)| p * q).sum::<f32>() < 0.0 { -1.0 } else { 1.0 };
    let sum: [f64; 4] = std::array::from_fn(|index| f64::from(p[index]) + sign * f64::from(q[index]));
    let length = sum.iter().map(|one| one * one).sum::<f64>().sqrt();
    Trs {
        translation: 0.5 * (a.translation + b.translation),
        rotation: glam::Quat::from_array(sum.map(|one| (one / length) as f32)),
        scale: 0.5 * (a.scale + b.scale),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assign::groups::Groups;
    use crate::options::{Attachments, BakeOptions};
    use crate::poses::sampled::SampledPoses;
    use glam::{Quat, Vec3};
    use skeleton::{Channel, Joint, NodeIndex};
    use skinned_model::{Influences, SkinnedMesh, SkinnedModel};
    use test_models::Random;

    const JOINTS: u16 = 4;

    /// A tube along y with a joint at each unit. Every ring is moved by the joint below it and the next two joints.
    fn limb(clips: Vec<Clip>) -> SkinnedModel {
        let joint = |index: u16| Joint {
            name: format!("joint {index}"),
            node: NodeIndex(u32::from(index)),
            parent: index.checked_sub(1).map(JointIndex),
            rest: LocalTransform::Trs(Trs { translation: Vec3::Y * f32::from(index.min(1)), ..Trs::IDENTITY }),
            skinned: true,
        };
        let rings = 4 * JOINTS;
        let around = [Vec3::X, Vec3::Z, -Vec3::X, -Vec3::Z];
        let corners = (0..rings).flat_map(|ring| around.map(|at| (ring, 0.3 * at + Vec3::Y * 0.25 * f32::from(ring))));
        let influence = |(ring, _): (u16, Vec3)| {
            let (below, between) = (ring / 4, f32::from(ring % 4) / 4.0);
            let slot = |above: u16| (below + above).min(JOINTS - 1);
            [(slot(0), 1.0 - between), (slot(1), 0.75 * between), (slot(2), 0.25 * between)]
        };
        let influences: Vec<(u16, f32)> = corners.clone().flat_map(influence).collect();
        let mesh = SkinnedMesh {
            name: "tube".into(),
            names: skinned_model::MeshNames::default(),
            node: NodeIndex(9),
            joints: (0..JOINTS).map(JointIndex).collect(),
            joint_from_mesh: (0..JOINTS).map(|at| Affine3A::from_translation(-Vec3::Y * f32::from(at))).collect(),
            positions: corners.map(|(_, at)| at).collect(),
            influences: Influences {
                per_vertex: 3,
                slots: influences.iter().map(|(slot, _)| *slot).collect(),
                weights: influences.iter().map(|(_, weight)| *weight).collect(),
            },
            triangles: vec![],
            normals: vec![],
            texture_coordinates: vec![],
        };
        let skeleton = Skeleton::new((0..JOINTS).map(joint).collect()).unwrap();
        clips.iter().for_each(|clip| clip.validate(&skeleton).unwrap());
        SkinnedModel { skeleton, clips, meshes: vec![mesh], ..SkinnedModel::default() }
    }

    fn groups(mesh: &BoundMesh<'_>) -> Vec<JointGroup> {
        Groups::of_character(mesh, &BakeOptions::default()).groups
    }

    /// Returns the place of each corner in its group's joint's space, and the length of one unit of this space in model
    /// units; `None` for joints that have collapsed.
    fn places(mesh: &BoundMesh<'_>, groups: &[JointGroup], pose: &[DAffine3]) -> Vec<Option<(DVec3, f64)>> {
        let place = |group: &JointGroup, corner: usize| {
            let matrix = pose[group.joint.index()];
            let inverse = mesh.joint_from_model(group.joint, &matrix)?;
            let in_model = group.patch.terms(corner).iter().fold(DVec3::ZERO, |sum, term| {
                let binding = &mesh.bindings[term.binding as usize];
                let map = pose[binding.joint.index()] * binding.joint_from_mesh;
                sum + map.matrix3 * term.point + term.weight * map.translation
            });
            Some((inverse.transform_point3(in_model), libm::cbrt(matrix.matrix3.determinant().abs())))
        };
        groups.iter().flat_map(|group| (0..group.patch.corners.len()).map(move |corner| place(group, corner))).collect()
    }

    fn from_line(at: DVec3, [from, to]: [DVec3; 2]) -> f64 {
        let along = to - from;
        let share = if along == DVec3::ZERO { 0.0 } else { (at - from).dot(along) / along.length_squared() };
        (at - (from + share.clamp(0.0, 1.0) * along)).length()
    }

    /// Returns the largest distance of any corner from the line between its places at two successive sample times,
    /// looked for at 64 times between them, as a share of the height.
    fn farthest(model: &SkinnedModel, mesh: &BoundMesh<'_>, poses: &SampledPoses) -> f64 {
        let groups = groups(mesh);
        let mut farthest = 0.0f64;
        let mut sampler = Sampler::new(&model.skeleton, &model.clips[0]);
        for (index, pair) in poses.times.windows(2).enumerate().skip(1) {
            let in_f64 = |pose: usize| poses.pose(pose).iter().map(affine_to_f64).collect::<Vec<DAffine3>>();
            let ends = [index, index + 1].map(|pose| places(mesh, &groups, &in_f64(pose)));
            for step in 1..64 {
                let time = pair[0].time + (pair[1].time - pair[0].time) * (step as f32 / 64.0);
                let between = places(mesh, &groups, &sampler.pose(time).model_from_joint);
                for ((from, to), at) in ends[0].iter().zip(&ends[1]).zip(&between) {
                    if let (Some((from, _)), Some((to, _)), Some((at, scale))) = (from, to, at) {
                        farthest = farthest.max(scale * from_line(*at, [*from, *to]));
                    }
                }
            }
        }
        farthest / mesh.height
    }

    /// Returns the largest distances from the lines between regular sample times and between as many times as are
    /// needed, and the number of these times.
    fn strays(model: &SkinnedModel, rate: f64) -> ([f64; 2], usize) {
        let mesh = BoundMesh::new(model, Attachments::Include);
        let chains = StrayBound::new(&mesh, &groups(&mesh));
        let regular = SampledPoses::of_clips(&model.skeleton, &model.clips, rate, 100_000);
        let closely = SampledPoses::closely(&model.skeleton, &model.clips, rate, 100_000, &chains);
        assert!(closely.thinned_from.is_none() && closely.regular.len() == regular.len());
        ([&regular, &closely].map(|poses| farthest(model, &mesh, poses)), closely.len())
    }

    fn rotations(joint: u16, interpolation: Interpolation, values: &[Quat]) -> Channel {
        Channel {
            joint: JointIndex(joint),
            property: Property::Rotation,
            interpolation,
            timeline: 0,
            values: values.iter().flat_map(|one| one.to_array()).collect(),
        }
    }

    fn clip(channels: Vec<Channel>, times: &[f32]) -> Clip {
        Clip { name: "clip".into(), timelines: vec![times.to_vec()], channels }
    }

    #[test]
    fn an_arc_is_followed_as_closely_as_its_sagitta_says() {
        let turns = [Quat::IDENTITY, Quat::from_rotation_x(2.0)];
        let model = limb(vec![clip(vec![rotations(1, Interpolation::Linear, &turns)], &[0.0, 0.1])]);
        let ([regular, closely], times) = strays(&model, 30.0);
        assert!(regular > 2.0 * STRAY, "{regular}");
        assert!(closely > 0.1 * STRAY && closely <= STRAY, "{closely}");
        assert!((5..=15).contains(&times), "{times}");
    }

    #[test]
    fn nothing_more_is_needed_where_joints_are_slow_turn_everything_alike_or_jump() {
        let turns = [Quat::IDENTITY, Quat::from_rotation_x(2.0)];
        for (joint, kind, seconds) in
            [(1, Interpolation::Linear, 10.0), (0, Interpolation::Linear, 0.1), (1, Interpolation::Step, 0.1)]
        {
            let model = limb(vec![clip(vec![rotations(joint, kind, &turns)], &[0.0, seconds])]);
            let regular = SampledPoses::of_clips(&model.skeleton, &model.clips, 30.0, 100_000).len();
            assert_eq!(strays(&model, 30.0).1, regular, "joint {joint}, {kind:?}");
        }
    }

    /// A clip in which every joint turns by half a turn from key to key, ten thousand times a second.
    #[test]
    fn sample_times_are_bounded_whatever_a_clip_does() {
        let times: Vec<f32> = (0..3000u16).map(|key| f32::from(key) * 1e-4).collect();
        let turn = |key: usize| Quat::from_rotation_x(if key.is_multiple_of(2) { 0.0 } else { 3.1 });
        let turns: Vec<Quat> = (0..times.len()).map(turn).collect();
        let all = (0..JOINTS).map(|joint| rotations(joint, Interpolation::Linear, &turns)).collect();
        let model =
            limb(vec![clip(all, &times), clip(vec![rotations(1, Interpolation::Linear, &turns[..2])], &[0.0, 0.1])]);
        let mesh = BoundMesh::new(&model, Attachments::Include);
        let chains = StrayBound::new(&mesh, &groups(&mesh));
        let with = |most: usize| SampledPoses::closely(&model.skeleton, &model.clips, 30.0, most, &chains);
        let (all, some, few, fewer) = (with(1_000_000), with(10_000), with(3500), with(2000));
        assert!(all.thinned_from.is_none() && all.len() > 20_000, "{}", all.len());
        let asked = Some(all.len() - 1);
        for (poses, most) in [(&some, 10_000), (&few, 3500)] {
            assert!(poses.len() <= most + 1 && poses.thinned_from == asked, "{} {:?}", poses.len(), poses.thinned_from);
            assert_eq!(poses.regular.len(), all.regular.len(), "those at keys stay");
        }
        assert!(some.len() > 9000 && fewer.len() <= 2001 && fewer.thinned_from.is_some_and(|asked| asked < 3100));
    }

    #[test]
    fn threads_do_not_show() {
        let model = limb((0..6).map(|seed| any_clip(&mut Random::new(seed))).collect());
        let mesh = BoundMesh::new(&model, Attachments::Include);
        let chains = StrayBound::new(&mesh, &groups(&mesh));
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let poses = pool.install(|| SampledPoses::closely(&model.skeleton, &model.clips, 30.0, 100_000, &chains));
            let last = poses.pose(poses.len() - 1).to_vec();
            (poses.times, poses.seconds, poses.regular, last)
        };
        assert_eq!(with(1), with(3));
    }

    /// Turns up to half a turn, shifts and scales of all joints at once, at a rate that misses nearly all of them.
    #[test]
    fn whatever_joints_do_corners_stay_near_the_lines() {
        let (mut worst, mut without) = (0.0f64, 0.0f64);
        for seed in 0..24 {
            let mut random = Random::new(seed);
            let model = limb(vec![any_clip(&mut random)]);
            let ([regular, closely], times) = strays(&model, 4.0);
            assert!(closely <= STRAY, "seed {seed}: {closely}, {regular} at the rate alone, {times} sample times");
            (worst, without) = (worst.max(closely), without.max(regular));
        }
        assert!(worst > 0.1 * STRAY && without > 20.0 * STRAY, "{worst}, {without} without");
    }

    fn any_clip(random: &mut Random) -> Clip {
        let times = [0.0, 0.3, 1.0];
        let mut channels = Vec::new();
        let mut number = |size: f32| size * random.signed();
        for joint in 0..JOINTS {
            for (property, rest, size) in
                [(Property::Translation, 0.0, 0.3), (Property::Rotation, 0.0, 1.0), (Property::Scale, 1.0, 0.3)]
            {
                let interpolation = match number(3.0) {
                    kind if kind < -1.5 => continue,
                    kind if kind < 0.0 => Interpolation::Step,
                    kind if kind < 1.5 => Interpolation::Linear,
                    _ => Interpolation::CubicSpline,
                };
                let mut values = Vec::new();
                for _ in times {
                    for value in 0..interpolation.values_per_key() {
                        // The tangents of a spline are beside its values.
                        let middle = if interpolation.values_per_key() == 1 || value == 1 { rest } else { 0.0 };
                        values.extend((0..property.width()).map(|_| middle + number(size)));
                    }
                }
                channels.push(Channel { joint: JointIndex(joint), property, interpolation, timeline: 0, values });
            }
        }
        clip(channels, &times)
    }

    #[test]
    fn a_chain_goes_up_to_the_common_ancestor_and_down() {
        let parents = [None, Some(0), Some(1), Some(1), Some(3), None];
        let joint = |(index, parent): (usize, &Option<u16>)| Joint {
            name: index.to_string(),
            parent: parent.map(JointIndex),
            ..Joint::default()
        };
        let skeleton = Skeleton::new(parents.iter().enumerate().map(joint).collect()).unwrap();
        let links = |from: u16, to: u16| -> Vec<u16> {
            chain(&skeleton, JointIndex(from), JointIndex(to)).into_iter().map(|joint| joint.0).collect()
        };
        assert_eq!(links(2, 4), [2, 3, 4]);
        assert_eq!(links(4, 2), [4, 3, 2]);
        assert_eq!(links(1, 4), [3, 4]);
        assert_eq!(links(4, 1), [4, 3]);
        assert_eq!(links(4, 5), [4, 3, 1, 0, 5]);
        assert!(links(3, 3).is_empty());
    }

    #[test]
    fn angles_are_those_of_the_shorter_way() {
        let turn = |angle: f32| turned(&Trs { rotation: Quat::from_rotation_z(angle), ..Trs::IDENTITY });
        for (from, to, expected) in [(0.0, 0.5, 0.5), (0.2, -0.2, 0.4), (0.0, 4.0, std::f64::consts::TAU - 4.0)] {
            assert!((angle(turn(from), turn(to)) - expected).abs() < 1e-6);
            assert!((angle(turn(from), -turn(to)) - expected).abs() < 1e-6);
        }
        assert_eq!(angle(turn(1.0), turn(1.0)), 0.0);
    }
}
