//! The farthest escapes over many poses. Surface is looked at only where a bound leaves open whether it gets farther than
//! what was found before.
//!
//! A triangle that hangs from several joints is seen from the joint that holds it. There its points move only as far as
//! the other joints pull them: with the weight `w` of another joint, whose matrix differs by `D` from that in the rest pose,
//! a point at `x` in that joint's space moves by `w |D x|` at most. So in any pose a point is no farther from a box of its
//! joint than in the rest pose, plus what the other joints add. Triangles with the same joints share that sum: a pose costs
//! one look at every such bundle, and most bundles are done with by that.

use crate::bounds::Bounds;
use crate::measure::posed_boxes::{INSIDE, PosedBoxes, longest_column};
use crate::measure::surface_samples::{SurfaceSamples, Triangle};
use crate::motion::trajectories::inverse_unless_collapsed;
use crate::poses::sample_times::SampleTime;
use crate::poses::sampled::PoseSampler;
use crate::skin::bound_mesh::BoundMesh;
use baked_format::Hitbox;
use glam::{DAffine3, DMat3, DVec3};
use rayon::prelude::*;
use skeleton::JointIndex;
use skinned_model::SkinnedModel;
use std::collections::BTreeMap;

/// Bounds are enlarged by this share, so that rounding never rules out the farthest point.
const ROUNDING: f64 = 1e-9;

/// Sample times that one thread looks at one after the other.
const CHUNK: usize = 64;

/// An escape: the distance from every box in model units, the sample time, and the point in model space.
pub(crate) type Farthest = (f64, SampleTime, DVec3);

/// What was found up to now.
#[derive(Clone)]
pub(crate) struct Found {
    /// The farthest escape of the surface of each joint.
    pub(crate) by_joint: Vec<Option<Farthest>>,
    /// Whether the farthest escape of every joint is looked for, and not only that of the character.
    each_joint: bool,
    /// The farthest escape of all joints, in model units.
    overall: f64,
}

impl Found {
    pub(crate) fn nothing(joints: usize, each_joint: bool) -> Self {
        Self { by_joint: vec![None; joints], each_joint, overall: 0.0 }
    }

    /// The distance that an escape of a joint's surface has to exceed, to be of interest.
    fn floor(&self, joint: JointIndex) -> f64 {
        if self.each_joint { self.by_joint[joint.index()].map_or(0.0, |(distance, ..)| distance) } else { self.overall }
    }

    pub(crate) fn add(&mut self, joint: JointIndex, escape: Farthest) {
        if escape.0 > self.floor(joint) {
            self.by_joint[joint.index()] = Some(escape);
            self.overall = self.overall.max(escape.0);
        }
    }

    /// Adds what was found at later sample times.
    pub(crate) fn add_all(&mut self, later: Self) {
        for (joint, escape) in (0..).map(JointIndex).zip(later.by_joint) {
            if let Some(escape) = escape {
                self.add(joint, escape);
            }
        }
    }

    /// The joint and the sample time of the farthest escape.
    pub(crate) fn worst(&self) -> Option<(JointIndex, Farthest)> {
        let escapes = (0..).map(JointIndex).zip(&self.by_joint);
        let mut all = escapes.filter_map(|(joint, escape)| Some((joint, (*escape)?)));
        all.find(|(_, escape)| escape.0 == self.overall)
    }
}

/// The surface in bundles, ready to be looked at in any pose.
pub(crate) struct EscapeSearch<'a> {
    mesh: &'a BoundMesh<'a>,
    samples: &'a SurfaceSamples,
    boxes: &'a [Hitbox],
    bundles: Vec<Bundle>,
}

/// Triangles with the same joints.
struct Bundle {
    joints: BundleJoints,
    movers: Vec<Mover>,
    triangles: Vec<HeldTriangle>,
    /// The largest `apart` of the triangles.
    apart: f64,
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

/// A joint that moves a bundle beside the holder.
struct Mover {
    joint: JointIndex,
    /// In the rest pose; NaN where the holder has collapsed there.
    holder_from_joint: DAffine3,
    /// Center of a ball around the corners that the joint moves, in the joint's space.
    center: DVec3,
    /// Radius of that ball, in the joint's unit.
    radius: f64,
    /// The joint's largest weight on a corner.
    weight: f64,
}

struct HeldTriangle {
    /// Index into [`SurfaceSamples::triangles`].
    triangle: usize,
    /// How far the triangle is from the nearest box of the holder in the rest pose, in the holder's unit; infinite without
    /// a box.
    apart: f64,
}

impl<'a> EscapeSearch<'a> {
    /// `boxes` are sorted by joint; `holders[j]` is the joint whose boxes hold the surface of joint `j`.
    pub(crate) fn new(
        mesh: &'a BoundMesh<'a>,
        samples: &'a SurfaceSamples,
        boxes: &'a [Hitbox],
        holders: &[JointIndex],
    ) -> Self {
        let at_rest = PosedBoxes::new(mesh, boxes, &mesh.model_from_joint);
        let model_from_mesh = mesh.model_from_mesh(&mesh.model_from_joint);
        let mut bundles: BTreeMap<BundleJoints, Vec<HeldTriangle>> = BTreeMap::new();
        for (index, triangle) in samples.triangles.iter().enumerate() {
            let holder = holders[triangle.owners[0].index()];
            let apart = at_rest.apart(&samples.corners(mesh, triangle, &model_from_mesh), holder)
                / longest_column(&mesh.model_from_joint[holder.index()].matrix3);
            let joints =
                BundleJoints { holder, movers: movers(mesh, triangle, holder), owners: samples.owners(triangle) };
            bundles.entry(joints).or_default().push(HeldTriangle { triangle: index, apart });
        }
        let bundle = |(joints, triangles): (BundleJoints, Vec<HeldTriangle>)| {
            let apart = triangles.iter().map(|one| one.apart).fold(0.0, f64::max);
            let movers = joints
                .movers
                .iter()
                .map(|&joint| Mover::new(mesh, samples, joints.holder, joint, &triangles))
                .collect();
            Bundle { joints, movers, triangles, apart }
        };
        Self { mesh, samples, boxes, bundles: bundles.into_iter().map(bundle).collect() }
    }

    /// Looks for farther escapes than those found up to now in one pose.
    pub(crate) fn look(&self, at: SampleTime, model_from_joint: &[DAffine3], found: &mut Found) {
        let mut posed: Option<(PosedBoxes, Vec<DAffine3>)> = None;
        // Points that are outside by no more than the tolerance count as inside.
        let floor_of = |found: &Found, bundle: &Bundle| {
            let lowest = bundle.joints.owners.iter().map(|&owner| found.floor(owner)).fold(f64::INFINITY, f64::min);
            lowest.max(INSIDE * self.mesh.height)
        };
        for bundle in &self.bundles {
            let (moved, scale) = self.moved(bundle, model_from_joint).unwrap_or((f64::INFINITY, 1.0));
            let farthest = |apart: f64| scale * (apart + moved) * (1.0 + ROUNDING);
            let mut floor = floor_of(found, bundle);
            if farthest(bundle.apart) <= floor {
                continue;
            }
            for held in bundle.triangles.iter() {
                if farthest(held.apart) <= floor {
                    continue;
                }
                let (boxes, model_from_mesh) = posed.get_or_insert_with(|| {
                    let boxes = PosedBoxes::new(self.mesh, self.boxes, model_from_joint);
                    (boxes, self.mesh.model_from_mesh(model_from_joint))
                });
                let triangle = &self.samples.triangles[held.triangle];
                let corners = self.samples.corners(self.mesh, triangle, model_from_mesh);
                let mut joints = std::iter::once(&bundle.joints.holder).chain(&bundle.joints.movers);
                if joints.any(|&joint| boxes.apart(&corners, joint) * (1.0 + ROUNDING) <= floor) {
                    continue;
                }
                self.samples.visit_triangle(triangle, corners, |point, owner, _| {
                    if !boxes.is_collapsed(owner) && !boxes.holds(point, owner) {
                        found.add(owner, (boxes.distance(point, owner, found.floor(owner)), at, point));
                    }
                });
                floor = floor_of(found, bundle);
            }
        }
    }

    /// Looks at all these sample times, chunk by chunk in parallel.
    pub(crate) fn look_at_all(&self, model: &SkinnedModel, times: &[SampleTime], found: Found) -> Found {
        let of_chunk = |chunk: &[SampleTime]| {
            let (mut sampler, mut found) = (PoseSampler::new(&model.skeleton, &model.clips), found.clone());
            chunk.iter().for_each(|&at| self.look(at, sampler.pose(at), &mut found));
            found
        };
        // Collected before they are compared, so that the earliest of equal escapes stays.
        let of_chunks: Vec<Found> = times.par_chunks(CHUNK).map(of_chunk).collect();
        let mut all = found;
        of_chunks.into_iter().for_each(|later| all.add_all(later));
        all
    }

    /// How far the other joints move a corner of the bundle in the holder's space, in its unit, and the holder's scale.
    /// `None` where the holder has collapsed.
    fn moved(&self, bundle: &Bundle, model_from_joint: &[DAffine3]) -> Option<(f64, f64)> {
        let holder = bundle.joints.holder;
        let model_from_holder = &model_from_joint[holder.index()];
        let holder_from_model = inverse_unless_collapsed(model_from_holder, self.mesh.scale(holder))?;
        let moved = bundle.movers.iter().map(|mover| {
            let now = holder_from_model * model_from_joint[mover.joint.index()];
            let change = now.matrix3 - mover.holder_from_joint.matrix3;
            let center = now.transform_point3(mover.center) - mover.holder_from_joint.transform_point3(mover.center);
            mover.weight * (center.length() + frobenius_norm(&change) * mover.radius)
        });
        Some((moved.sum(), longest_column(&model_from_holder.matrix3)))
    }
}

impl Mover {
    fn new(
        mesh: &BoundMesh<'_>,
        samples: &SurfaceSamples,
        holder: JointIndex,
        joint: JointIndex,
        triangles: &[HeldTriangle],
    ) -> Self {
        let (mut bounds, mut largest) = (Bounds::EMPTY, 0.0f64);
        for held in triangles {
            let triangle = &samples.triangles[held.triangle];
            let part = &mesh.parts[triangle.part];
            for vertex in triangle.corners.map(|corner| corner as usize) {
                let mut weight = 0.0;
                for influence in part.influences(vertex) {
                    let binding = &mesh.bindings[influence.binding];
                    if binding.joint == joint {
                        weight += influence.weight;
                        bounds.add(binding.joint_from_mesh.transform_point3(part.positions[vertex]));
                    }
                }
                largest = largest.max(weight);
            }
        }
        let holder_from_model = inverse_unless_collapsed(&mesh.model_from_joint[holder.index()], mesh.scale(holder));
        let holder_from_joint =
            holder_from_model.map_or(DAffine3::NAN, |inverse| inverse * mesh.model_from_joint[joint.index()]);
        Self { joint, holder_from_joint, center: bounds.center(), radius: bounds.half_size().length(), weight: largest }
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

/// At least as long as the matrix makes any unit vector.
fn frobenius_norm(matrix: &DMat3) -> f64 {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(DVec3::length_squared);
    (x + y + z).sqrt()
}
