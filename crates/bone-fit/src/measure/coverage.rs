//! The share of the surface that the boxes hold, and the farthest escape.
//!
//! In every pose the surface is exactly skinned. Shares of area are exact up to cells that a box's face cuts; a surface that
//! is all inside is found to be all inside. Boxes are measured however they were made; the owners of the surface name the
//! joints of escapes and nothing else.

use crate::assign::owner::Ownership;
use crate::measure::escape_search::{EscapeSearch, Farthest, Found};
use crate::measure::posed_boxes::PosedBoxes;
use crate::measure::surface_samples::SurfaceSamples;
use crate::options::{BakeOptions, Measure};
use crate::poses::sample_times::{MOST_SAMPLE_TIMES, SampleTime, SampleTimes};
use crate::poses::sampled::PoseSampler;
use crate::skin::bound_mesh::BoundMesh;
use baked_format::{Hitbox, WorstEscape};
use glam::DAffine3;
use rayon::prelude::*;
use skeleton::JointIndex;
use skinned_model::SkinnedModel;

/// How much of a character's surface its boxes hold.
///
/// The surface is all that the bake can give to a joint: the skinned meshes, and the attachments unless the bake skips them
/// (option `attachments`). Meshes that the import leaves out (warning `left-out-meshes`) are no part of it.
///
/// Every figure over clips is one of two kinds. *Shares of the surface* are averages over the rest pose and at most
/// `measure_times` sample times, evenly spread. *Escapes* are the largest over the rest pose and every sample time: `rate`
/// times a second of each clip, and at each of its keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// Share of the surface's area inside any box in the rest pose, 0 to 1.
    pub surface_rest: f64,
    /// The average share of the surface's area inside any box, 0 to 1, over the poses measured, the rest pose among them.
    pub surface_clips: f64,
    /// Share of the surface's area inside a box of its own joint in the rest pose, 0 to 1: of the joint that owns the surface,
    /// or of the joint that took its group. A box that is much too large raises [`Coverage::surface_rest`], but not this
    /// figure of the other joints.
    pub own_rest: f64,
    /// The average of that share over the poses measured.
    pub own_clips: f64,
    /// The farthest that any part of the surface is from every box at any sample time, as a share of the character's height.
    pub max_escape: f64,
    /// Where that happens; `None` where nothing escapes.
    pub worst: Option<Escape>,
    /// Whether escapes were looked for at every sample time. Where the clips have more than 100,000 sample times, it was
    /// every n-th of them, and the largest escape is at least `max_escape`.
    pub every_sample_time: bool,
    /// In how many poses the shares were measured.
    pub poses: usize,
    /// Joints that collapsed, and in how many of these poses: their surface does not count there.
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
    /// `boxes` are sorted by joint; `holders[j]` is the joint whose boxes hold the surface of joint `j`.
    pub(crate) fn measure(
        model: &SkinnedModel,
        mesh: &BoundMesh<'_>,
        boxes: &[Hitbox],
        holders: &[JointIndex],
        options: &BakeOptions,
    ) -> Option<Self> {
        if options.measure == Measure::None {
            return None;
        }
        let times = MeasuredTimes::new(model, options);
        let samples = SurfaceSamples::new(mesh, Ownership::new(options));
        Some(Self::at(model, mesh, &samples, boxes, holders, &times))
    }

    fn at(
        model: &SkinnedModel,
        mesh: &BoundMesh<'_>,
        samples: &SurfaceSamples,
        boxes: &[Hitbox],
        holders: &[JointIndex],
        times: &MeasuredTimes,
    ) -> Self {
        let measured: Vec<SampleTime> = times.for_shares().collect();
        let sampler = || PoseSampler::new(&model.skeleton, &model.clips);
        let figures: Vec<PoseFigures> = measured
            .par_iter()
            .map_init(sampler, |sampler, &at| PoseFigures::measure(mesh, samples, boxes, holders, at, sampler.pose(at)))
            .collect();
        let share = |inside: f64, area: f64| if area > 0.0 { (inside / area).min(1.0) } else { 1.0 };
        let (mut inside, mut own, mut area) = (0.0, 0.0, 0.0);
        let mut found = Found::nothing(mesh.skeleton.len(), false);
        let mut collapsed = vec![0; mesh.skeleton.len()];
        for figures in &figures {
            inside += figures.inside;
            own += figures.own;
            area += figures.area;
            if let Some((joint, escape)) = figures.farthest {
                found.add(joint, escape);
            }
            figures.collapsed.iter().for_each(|joint| collapsed[joint.index()] += 1);
        }
        if measured.len() < times.all.len() {
            found = EscapeSearch::new(mesh, samples, boxes, holders).look_at_all(model, &times.all, found);
        }
        let worst = found.worst();
        let height = if mesh.height > 0.0 { mesh.height } else { 1.0 };
        Self {
            surface_rest: share(figures[0].inside, figures[0].area),
            surface_clips: share(inside, area),
            own_rest: share(figures[0].own, figures[0].area),
            own_clips: share(own, area),
            max_escape: worst.map_or(0.0, |(_, (distance, ..))| distance / height),
            worst: worst.map(|(joint, (_, at, _))| Escape { joint, at }),
            every_sample_time: times.are_all,
            poses: figures.len(),
            collapsed: (0..collapsed.len())
                .filter(|&joint| collapsed[joint] > 0)
                .map(|joint| (JointIndex(joint as u16), collapsed[joint]))
                .collect(),
        }
    }
}

/// When a character is measured.
pub(crate) struct MeasuredTimes {
    /// The rest pose, and sample times of all clips.
    pub(crate) all: Vec<SampleTime>,
    /// Whether these are all sample times of the clips.
    are_all: bool,
    /// In at most so many poses shares of area are measured; 0 is all.
    most: usize,
}

impl MeasuredTimes {
    /// The times that the option `measure` asks for; the rest pose alone where nothing is measured.
    pub(crate) fn new(model: &SkinnedModel, options: &BakeOptions) -> Self {
        match options.measure {
            Measure::None | Measure::Rest => Self::rest(),
            Measure::Clips => Self::of_clips(model, options),
        }
    }

    fn rest() -> Self {
        Self { all: vec![SampleTime::REST], are_all: true, most: 0 }
    }

    /// The rest pose and the sample times of all clips, [`MOST_SAMPLE_TIMES`] at most.
    pub(crate) fn of_clips(model: &SkinnedModel, options: &BakeOptions) -> Self {
        let times = SampleTimes::regular(&model.clips, options.rate, MOST_SAMPLE_TIMES);
        let are_all = times.thinned_from.is_none();
        Self { all: times.rest_and_regular(), are_all, most: options.measure_times }
    }

    /// The times at which shares of area are measured, evenly spread, the rest pose first.
    pub(crate) fn for_shares(&self) -> impl Iterator<Item = SampleTime> {
        let every = if self.most == 0 { 1 } else { self.all.len().div_ceil(self.most) };
        self.all.iter().copied().step_by(every)
    }
}

impl From<&Coverage> for baked_format::Coverage {
    fn from(coverage: &Coverage) -> Self {
        let worst = |worst: Escape| WorstEscape { joint: worst.joint, clip: worst.at.clip, time: worst.at.time };
        Self {
            surface_rest: coverage.surface_rest as f32,
            surface_clips: coverage.surface_clips as f32,
            own_rest: coverage.own_rest as f32,
            own_clips: coverage.own_clips as f32,
            max_escape: coverage.max_escape as f32,
            every_sample_time: coverage.every_sample_time,
            worst: coverage.worst.map(worst),
        }
    }
}

/// Measures boxes, however made, in the rest pose and in all clips.
///
/// `boxes` belong to the model's skeleton and are sorted by joint, as in a bake. The options `attachments`, `group` and
/// `tie_tolerance` say what the surface is and which joint owns it, `rate` and `measure_times` in which poses it is
/// measured.
#[must_use]
pub fn measure_boxes(model: &SkinnedModel, boxes: &[Hitbox], options: &BakeOptions) -> Coverage {
    let mesh = BoundMesh::new(model, options.attachments);
    let samples = SurfaceSamples::new(&mesh, Ownership::new(options));
    let holders: Vec<JointIndex> = (0..model.skeleton.len()).map(|joint| JointIndex(joint as u16)).collect();
    Coverage::at(model, &mesh, &samples, boxes, &holders, &MeasuredTimes::of_clips(model, options))
}

/// The figures of one pose.
#[derive(Default)]
struct PoseFigures {
    /// In model units squared.
    area: f64,
    inside: f64,
    /// The area inside boxes of the own joint.
    own: f64,
    /// The farthest escape, and the joint that owns the surface there.
    farthest: Option<(JointIndex, Farthest)>,
    collapsed: Vec<JointIndex>,
}

impl PoseFigures {
    fn measure(
        mesh: &BoundMesh<'_>,
        samples: &SurfaceSamples,
        boxes: &[Hitbox],
        holders: &[JointIndex],
        at: SampleTime,
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
                let farthest = figures.farthest.map_or(0.0, |(_, (distance, ..))| distance);
                let distance = boxes.distance(point, owner, farthest);
                if distance > farthest {
                    figures.farthest = Some((owner, (distance, at, point)));
                }
            }
        });
        figures
    }
}
