//! The share of the surface that the boxes hold, and the farthest escape.
//!
//! In every pose the surface is exactly skinned. Shares of area are exact up to cells that a box's face cuts; a surface that
//! is all inside is found to be all inside. Boxes are measured however they were made; the owners of the surface name the
//! joints of escapes and nothing else.

use crate::assign::owner::Ownership;
use crate::measure::posed_boxes::PosedBoxes;
use crate::measure::surface_samples::SurfaceSamples;
use crate::options::{BakeOptions, Measure, Poses};
use crate::poses::sample_times::{MOST_SAMPLE_TIMES, SampleTime};
use crate::poses::sampled::SampledPoses;
use crate::skin::bound_mesh::BoundMesh;
use baked_format::{Hitbox, WorstEscape};
use glam::{DAffine3, DVec3};
use rayon::prelude::*;
use skeleton::JointIndex;
use skinned_model::SkinnedModel;

/// How much of a character's surface its boxes hold.
///
/// The surface is all that the bake can give to a joint: the skinned meshes, and the attachments unless the bake skips them
/// (option `attachments`). Meshes that the import leaves out (warning `left-out-meshes`) are no part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// Share of the surface's area inside any box in the rest pose, 0 to 1.
    pub surface_rest: f64,
    /// The same over all poses looked at, the rest pose among them.
    pub surface_clips: f64,
    /// Share of the surface's area inside a box of its own joint in the rest pose, 0 to 1: of the joint that owns the surface,
    /// or of the joint that took its group. A box that is much too large raises [`Coverage::surface_rest`], but not this
    /// figure of the other joints.
    pub own_rest: f64,
    /// The same over all poses looked at.
    pub own_clips: f64,
    /// The farthest that any part of the surface is from every box in the poses looked at, as a share of the character's
    /// height.
    pub max_escape: f64,
    /// Where that happens; `None` where nothing escapes.
    pub worst: Option<Escape>,
    /// How many poses were looked at.
    pub poses: usize,
    /// Joints that collapsed, and in how many poses: their surface does not count there.
    pub collapsed: Vec<(JointIndex, u32)>,
}

/// The joint and the sample time of an escape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Escape {
    /// The joint that owns the surface there.
    pub joint: JointIndex,
    /// The sample time of the pose.
    pub at: SampleTime,
}

impl Coverage {
    /// Measures the boxes of a bake as the option `measure` asks; `None` for `measure = none`.
    ///
    /// `poses` are those that the boxes were fitted to, `boxes` sorted by joint; `holders[j]` is the joint whose boxes hold the
    /// surface of joint `j`.
    pub(crate) fn measure(
        model: &SkinnedModel,
        mesh: &BoundMesh<'_>,
        poses: &SampledPoses,
        boxes: &[Hitbox],
        holders: &[JointIndex],
        options: &BakeOptions,
    ) -> Option<Self> {
        let samples = SurfaceSamples::new(mesh, Ownership::new(options));
        let in_poses =
            |poses: &SampledPoses| Self::in_poses(mesh, &samples, boxes, holders, poses, options.measure_moments);
        match (options.measure, options.poses) {
            (Measure::None, _) => None,
            (Measure::Rest, _) => Some(in_poses(&SampledPoses::rest(mesh.skeleton))),
            (Measure::Clips, Poses::Clips) => Some(in_poses(poses)),
            (Measure::Clips, Poses::Bind) => {
                let of_clips = SampledPoses::of_clips(mesh.skeleton, &model.clips, options.rate, MOST_SAMPLE_TIMES);
                Some(in_poses(&of_clips))
            }
        }
    }

    /// Measures at [so many of the regular poses](looked_at).
    fn in_poses(
        mesh: &BoundMesh<'_>,
        samples: &SurfaceSamples,
        boxes: &[Hitbox],
        holders: &[JointIndex],
        poses: &SampledPoses,
        most: usize,
    ) -> Self {
        let looked_at = looked_at(poses, most);
        let figures: Vec<PoseFigures> = looked_at
            .par_iter()
            .map(|&pose| PoseFigures::measure(mesh, samples, boxes, holders, &poses.pose_in_f64(pose)))
            .collect();
        let share = |inside: f64, area: f64| if area > 0.0 { (inside / area).min(1.0) } else { 1.0 };
        let (mut inside, mut own, mut area) = (0.0, 0.0, 0.0);
        let (mut escape, mut worst) = (0.0, None);
        let mut collapsed = vec![0; mesh.skeleton.len()];
        for (figures, &pose) in figures.iter().zip(&looked_at) {
            inside += figures.inside;
            own += figures.own;
            area += figures.area;
            if let Some(joint) = figures.owner.filter(|_| figures.escape > escape) {
                escape = figures.escape;
                worst = Some(Escape { joint, at: poses.times[pose] });
            }
            figures.collapsed.iter().for_each(|joint| collapsed[joint.index()] += 1);
        }
        let height = if mesh.height > 0.0 { mesh.height } else { 1.0 };
        Self {
            surface_rest: share(figures[0].inside, figures[0].area),
            surface_clips: share(inside, area),
            own_rest: share(figures[0].own, figures[0].area),
            own_clips: share(own, area),
            max_escape: escape / height,
            worst,
            poses: figures.len(),
            collapsed: (0..collapsed.len())
                .filter(|&joint| collapsed[joint] > 0)
                .map(|joint| (JointIndex(joint as u16), collapsed[joint]))
                .collect(),
        }
    }
}

impl From<&Coverage> for baked_format::Coverage {
    fn from(coverage: &Coverage) -> Self {
        let worst = |worst: Escape| WorstEscape { joint: worst.joint, clip: worst.at.clip, time: worst.at.time };
        Self {
            surface_rest: coverage.surface_rest as f32,
            surface_clips: coverage.surface_clips as f32,
            max_escape: coverage.max_escape as f32,
            worst: coverage.worst.map(worst),
        }
    }
}

/// Measures boxes, however made, in the rest pose and in all clips.
///
/// `boxes` belong to the model's skeleton and are sorted by joint, as in a bake. Of the options `attachments`, `group` and
/// `tie_tolerance` say what the surface is and which joint owns it, `rate` and `measure_moments` in which poses it is
/// measured.
#[must_use]
pub fn measure_boxes(model: &SkinnedModel, boxes: &[Hitbox], options: &BakeOptions) -> Coverage {
    let mesh = BoundMesh::new(model, options.attachments);
    let samples = SurfaceSamples::new(&mesh, Ownership::new(options));
    let of_clips = SampledPoses::of_clips(&model.skeleton, &model.clips, options.rate, MOST_SAMPLE_TIMES);
    let holders: Vec<JointIndex> = (0..model.skeleton.len()).map(|joint| JointIndex(joint as u16)).collect();
    Coverage::in_poses(&mesh, &samples, boxes, &holders, &of_clips, options.measure_moments)
}

/// Indices of at most `most` of the regular poses, evenly spread, the first always among them; 0 is all.
pub(crate) fn looked_at(poses: &SampledPoses, most: usize) -> Vec<usize> {
    let every = if most == 0 { 1 } else { poses.regular.len().div_ceil(most) };
    poses.regular.iter().copied().step_by(every).collect()
}

/// The figures of one pose.
#[derive(Default)]
struct PoseFigures {
    /// In model units squared.
    area: f64,
    inside: f64,
    /// The area inside boxes of the own joint.
    own: f64,
    /// In model units.
    escape: f64,
    /// The joint that owns the surface of the farthest escape.
    owner: Option<JointIndex>,
    collapsed: Vec<JointIndex>,
}

impl PoseFigures {
    fn measure(
        mesh: &BoundMesh<'_>,
        samples: &SurfaceSamples,
        boxes: &[Hitbox],
        holders: &[JointIndex],
        model_from_joint: &[DAffine3],
    ) -> Self {
        let boxes = PosedBoxes::new(mesh, boxes, model_from_joint);
        let mut figures = Self { collapsed: boxes.collapsed.clone(), ..Self::default() };
        samples.visit(mesh, &boxes, model_from_joint, |point, owner, area| {
            figures.area += area;
            let holder = holders[owner.index()];
            if boxes.own_box_holds(point, holder) {
                (figures.own, figures.inside) = (figures.own + area, figures.inside + area);
            } else if boxes.holds(point, owner) {
                figures.inside += area;
            } else {
                figures.add_escape(&boxes, point, owner);
            }
        });
        figures
    }

    fn add_escape(&mut self, boxes: &PosedBoxes, point: DVec3, owner: JointIndex) {
        let distance = boxes.distance(point, owner, self.escape);
        if distance > self.escape {
            self.escape = distance;
            self.owner = Some(owner);
        }
    }
}
