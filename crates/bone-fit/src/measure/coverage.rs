//! The share of the surface that the boxes hold, and the farthest escape.
//!
//! In every pose the surface is exactly skinned. Shares of area are exact except for cells that a box's face cuts. If
//! all of the surface is inside, the measured share is exactly 1. Boxes are measured in the same way, however they were
//! made; the owners of the surface are only used to name the joints of escapes.

use crate::assign::owner::Ownership;
use crate::error::BakeError;
use crate::measure::escape_search::{EscapeSearch, EscapeTimes};
use crate::measure::farthest::{Found, farthest_in_pose};
use crate::measure::held_cells::{CellPlace, visit_cells};
use crate::measure::hull_planes::MeasuredBoxes;
use crate::measure::posed_boxes::PosedBoxes;
use crate::measure::surface_samples::SurfaceSamples;
use crate::observer::{BakeObserver, check};
use crate::options::{BakeOptions, Measure};
use crate::poses::sample_times::{MOST_SAMPLE_TIMES, SampleTime, SampleTimes};
use crate::poses::sampled::PoseSampler;
use crate::skin::bound_mesh::BoundMesh;
use baked_format::{Envelope, Hitbox, WorstEscape};
use glam::DAffine3;
use rayon::prelude::*;
use skeleton::JointIndex;
use skinned_model::SkinnedModel;
use std::convert::Infallible;

/// The coverage and the escapes of a character's boxes.
///
/// - *Surface*: all surface that the bake can give to a joint, which is the skinned meshes, and the attachments unless
///   the bake skips them (option `attachments`), without what the options `ignore` and `helpers` leave out. Meshes that the import leaves out (warning `left-out-meshes`) are not
///   part of the surface.
/// - *Shares of the surface over clips*: averages over the rest pose and at most `measure_times` sample times, evenly
///   spread.
/// - *Escapes*: the largest over the rest pose and every sample time. The sample times of a clip are `rate` times per
///   second, and each of its keys. With `poses = "any"`, the bake looks for escapes only at the times of the shares.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// The share of the surface's area inside at least one box in the rest pose, 0 to 1.
    pub surface_rest: f64,
    /// The average over the measured poses, including the rest pose, of the share of the surface's area inside at least
    /// one box, 0 to 1.
    pub surface_clips: f64,
    /// The share of the surface's area inside a box of its own joint in the rest pose, 0 to 1. The own joint is the
    /// joint that owns the surface, or the joint that took its group. A box that is much too large raises
    /// [`Coverage::surface_rest`], but does not raise this share for the surface of other joints.
    pub own_rest: f64,
    /// The average of the share in `own_rest` over the measured poses, 0 to 1.
    pub own_clips: f64,
    /// The largest distance from the surface to the nearest box at any sample time, as a share of the character's
    /// height.
    pub max_escape: f64,
    /// The joint and the sample time of the largest escape; `None` if nothing escapes.
    pub worst: Option<Escape>,
    /// `true` if `max_escape` is the largest escape over every sample time. Otherwise the largest escape is *at least*
    /// `max_escape`, because the bake looked for escapes at some sample times only: at every n-th if the clips have
    /// more than 100,000, or at the times of the shares if surface escapes with `poses = "any"`.
    pub every_sample_time: bool,
    /// The number of poses in which the shares were measured.
    pub poses: usize,
    /// The joints that collapsed, each with the number of measured poses in which it collapsed. The surface of a
    /// collapsed joint does not count in these poses.
    pub collapsed: Vec<(JointIndex, u32)>,
}

/// The joint and the sample time of an escape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Escape {
    /// The joint that owns the surface at the escape.
    pub joint: JointIndex,
    /// The sample time of the pose.
    pub at: SampleTime,
}

impl Coverage {
    /// Measures the boxes of a bake as the option `measure` asks; returns `None` for `measure = none`.
    ///
    /// `boxes` are sorted by joint. `envelopes` has one envelope for each box, or is empty. `holders[j]` is the joint
    /// whose boxes hold the surface of joint `j`.
    ///
    /// # Errors
    /// Returns [`BakeError::Canceled`] if the observer cancels the bake.
    pub(crate) fn measure(
        model: &SkinnedModel,
        mesh: &BoundMesh<'_>,
        (boxes, envelopes): (&[Hitbox], &[Envelope]),
        holders: &[JointIndex],
        options: &BakeOptions,
        observer: &dyn BakeObserver,
    ) -> Result<Option<Self>, BakeError> {
        if options.measure == Measure::None {
            return Ok(None);
        }
        let times = MeasuredTimes::new(model, options);
        let samples = SurfaceSamples::new(mesh, Ownership::new(options));
        let go_on = || check(observer);
        let coverage = Self::at(model, mesh, &samples, (boxes, envelopes), holders, &times, &go_on)?;
        Ok(Some(coverage))
    }

    /// Measures the boxes at the given times. Calls `go_on` before each pose.
    ///
    /// # Errors
    /// Returns the error of `go_on`.
    fn at<E: Send>(
        model: &SkinnedModel,
        mesh: &BoundMesh<'_>,
        samples: &SurfaceSamples,
        (boxes, envelopes): (&[Hitbox], &[Envelope]),
        holders: &[JointIndex],
        times: &MeasuredTimes,
        go_on: &(impl Fn() -> Result<(), E> + Sync),
    ) -> Result<Self, E> {
        let measured: Vec<SampleTime> = times.for_shares().collect();
        let measured_boxes = MeasuredBoxes::new(boxes);
        let sampler = || PoseSampler::new(&model.skeleton, &model.clips);
        let of_pose = |sampler: &mut PoseSampler<'_>, &at: &SampleTime| {
            go_on()?;
            Ok(PoseFigures::measure(mesh, samples, (&measured_boxes, envelopes), holders, at, sampler.pose(at)))
        };
        let figures: Vec<Result<PoseFigures, E>> = measured.par_iter().map_init(sampler, of_pose).collect();
        let figures: Vec<PoseFigures> = figures.into_iter().collect::<Result<_, E>>()?;
        let share = |inside: f64, area: f64| if area > 0.0 { (inside / area).min(1.0) } else { 1.0 };
        let (mut inside, mut own, mut area) = (0.0, 0.0, 0.0);
        let mut collapsed = vec![0; mesh.skeleton.len()];
        for figures in &figures {
            inside += figures.inside;
            own += figures.own;
            area += figures.area;
            figures.collapsed.iter().for_each(|joint| collapsed[joint.index()] += 1);
        }
        let worst = if envelopes.is_empty() {
            let search = EscapeSearch::new(mesh, samples, boxes, holders);
            let found = search.look_at_all(model, &times.for_escapes(), Found::of_character(), go_on)?;
            found.into_farthest().map(|worst| (worst.distance, Escape { joint: worst.owner, at: worst.at }))
        } else {
            // The escape search needs boxes that do not move in their joints' spaces, so boxes with envelopes are
            // looked at only at the times of the shares. Envelopes hold their surface at every time, so only surface
            // without a box can escape.
            let escapes = figures.iter().filter_map(|figures| figures.farthest);
            escapes.fold(None, |worst: Option<(f64, Escape)>, escape| match worst {
                Some(worst) if worst.0 >= escape.0 => Some(worst),
                _ => Some(escape),
            })
        };
        let height = if mesh.height > 0.0 { mesh.height } else { 1.0 };
        Ok(Self {
            surface_rest: share(figures[0].inside, figures[0].area),
            surface_clips: share(inside, area),
            own_rest: share(figures[0].own, figures[0].area),
            own_clips: share(own, area),
            max_escape: worst.map_or(0.0, |(distance, _)| distance / height),
            worst: worst.map(|(_, escape)| escape),
            every_sample_time: match worst {
                _ if envelopes.is_empty() => times.are_all,
                None => true,
                Some(_) => times.shares_are_all(),
            },
            poses: figures.len(),
            collapsed: (0..collapsed.len())
                .filter(|&joint| collapsed[joint] > 0)
                .map(|joint| (JointIndex(joint as u16), collapsed[joint]))
                .collect(),
        })
    }
}

/// The times at which a character is measured.
pub(crate) struct MeasuredTimes {
    /// The rest pose, and sample times of all clips.
    pub(crate) all: Vec<SampleTime>,
    /// `true` if `all` has every sample time of the clips.
    are_all: bool,
    /// The largest number of poses in which shares of area are measured; 0 means all poses.
    most: usize,
}

impl MeasuredTimes {
    /// The times that the option `measure` asks for; only the rest pose if nothing is measured.
    pub(crate) fn new(model: &SkinnedModel, options: &BakeOptions) -> Self {
        match options.measure {
            Measure::None | Measure::Rest => Self::rest(),
            Measure::Clips => Self::of_clips(model, options, MOST_SAMPLE_TIMES),
        }
    }

    fn rest() -> Self {
        Self { all: vec![SampleTime::REST], are_all: true, most: 0 }
    }

    /// Returns the rest pose and the sample times of all clips, at most about `most` times in all.
    pub(crate) fn of_clips(model: &SkinnedModel, options: &BakeOptions, most: usize) -> Self {
        let times = SampleTimes::regular(&model.clips, options.rate, most);
        let are_all = times.thinned_from.is_none();
        Self { all: times.rest_and_regular(), are_all, most: options.measure_times }
    }

    /// The times at which shares of area are measured, evenly spread, the rest pose first.
    pub(crate) fn for_shares(&self) -> impl Iterator<Item = SampleTime> {
        self.all.iter().copied().step_by(self.every())
    }

    /// All times. Among equal escapes, an escape at a time of [`MeasuredTimes::for_shares`] goes first.
    pub(crate) fn for_escapes(&self) -> EscapeTimes<'_> {
        EscapeTimes { all: &self.all, first_every: self.every() }
    }

    /// Returns true if the shares of area are measured at every sample time of the clips.
    fn shares_are_all(&self) -> bool {
        self.are_all && self.every() <= 1
    }

    fn every(&self) -> usize {
        if self.most == 0 { 1 } else { self.all.len().div_ceil(self.most) }
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

/// Measures boxes in the rest pose and in all clips. The boxes may come from a bake or from another tool.
///
/// `boxes` must belong to the model's skeleton, and may have any order.
/// The options `attachments`, `ignore`, `helpers`, `group` and `tie_tolerance` set the surface and the joint that owns each part of it. The
/// options `rate` and `measure_times` set the poses in which the surface is measured.
#[must_use]
pub fn measure_boxes(model: &SkinnedModel, boxes: &[Hitbox], options: &BakeOptions) -> Coverage {
    let mesh = BoundMesh::of_bake(model, options);
    let samples = SurfaceSamples::new(&mesh, Ownership::new(options));
    let holders: Vec<JointIndex> = (0..model.skeleton.len()).map(|joint| JointIndex(joint as u16)).collect();
    let times = MeasuredTimes::of_clips(model, options, MOST_SAMPLE_TIMES);
    let Ok(coverage) =
        Coverage::at(model, &mesh, &samples, (&by_joint(boxes), &[]), &holders, &times, &|| Ok::<(), Infallible>(()));
    coverage
}

/// Returns the boxes sorted by joint. [`PosedBoxes`] needs this order, and boxes of another tool may have any order.
pub(super) fn by_joint(boxes: &[Hitbox]) -> Vec<Hitbox> {
    let mut sorted = boxes.to_vec();
    sorted.sort_by_key(|one| one.joint);
    sorted
}

/// The figures of one pose.
struct PoseFigures {
    /// The area of the surface, in model units squared.
    area: f64,
    inside: f64,
    /// The area inside boxes of the own joint, in model units squared.
    own: f64,
    /// The farthest escape and its distance in model units; `None` if nothing escapes or the boxes have no envelopes.
    farthest: Option<(f64, Escape)>,
    collapsed: Vec<JointIndex>,
}

impl PoseFigures {
    fn measure(
        mesh: &BoundMesh<'_>,
        samples: &SurfaceSamples,
        (boxes, envelopes): (&MeasuredBoxes<'_>, &[Envelope]),
        holders: &[JointIndex],
        at: SampleTime,
        model_from_joint: &[DAffine3],
    ) -> Self {
        let mut boxes = PosedBoxes::with_envelopes(mesh, boxes, envelopes, model_from_joint);
        let farthest =
            if envelopes.is_empty() { None } else { farthest_in_pose(samples, mesh, &boxes, model_from_joint) };
        let farthest = farthest.map(|(distance, joint)| (distance, Escape { joint, at }));
        let (mut total, mut inside, mut own) = (0.0, 0.0, 0.0);
        visit_cells(samples, mesh, &boxes, holders, model_from_joint, |_, area, place, count| {
            let of_inside = if place == CellPlace::Outside { 0.0 } else { area };
            let of_own = if place == CellPlace::OwnBox { area } else { 0.0 };
            // The areas are added cell by cell, so that the sums are rounded in the same way for any division into
            // runs. The sums are in local variables because they need not be written to memory after each cell.
            let mut sums = [total, inside, own];
            for _ in 0..count {
                sums = [sums[0] + area, sums[1] + of_inside, sums[2] + of_own];
            }
            [total, inside, own] = sums;
        });
        Self { area: total, inside, own, farthest, collapsed: std::mem::take(&mut boxes.collapsed) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Figures;
    use crate::limits::Limits;
    use baked_format::{BakedCharacter, Source};

    /// Envelopes hold their surface at every time, so one escape decides whether the figure is a lower bound.
    #[test]
    fn boxes_with_envelopes_from_which_nothing_escapes_need_no_further_sample_times() {
        let model = skinned_model::import(&test_models::box_man().to_glb(), &skinned_model::NoExternalFiles).unwrap();
        let options =
            BakeOptions { poses: crate::Poses::Any, bridge: crate::Bridge::Surface, ..BakeOptions::default() };
        let source = Source { file: String::new(), blake3: [0; 32], generator: String::new() };
        let mut character = crate::bake(&model, "", source, &options).unwrap().character;
        let mesh = BoundMesh::new(&model, options.attachments);
        let samples = SurfaceSamples::new(&mesh, Ownership::new(&options));
        let holders: Vec<JointIndex> = (0..model.skeleton.len()).map(|joint| JointIndex(joint as u16)).collect();
        let times = MeasuredTimes::of_clips(&model, &options, 5);
        assert!(!times.are_all);
        let is_every = |character: &BakedCharacter| {
            let (boxes, go_on) = ((&character.boxes[..], &character.envelopes[..]), || Ok::<(), Infallible>(()));
            let Ok(found) = Coverage::at(&model, &mesh, &samples, boxes, &holders, &times, &go_on);
            (found.worst.is_none(), found.every_sample_time)
        };
        assert_eq!(is_every(&character), (true, true));
        character.boxes.pop();
        character.envelopes.pop();
        assert_eq!(is_every(&character), (false, false));
    }

    /// If clips have too many sample times, escapes are looked for at some times only, and no limit certainly holds.
    #[test]
    fn an_escape_at_some_sample_times_is_at_least_that_far() {
        let model = skinned_model::import(&test_models::box_man().to_glb(), &skinned_model::NoExternalFiles).unwrap();
        let options = BakeOptions::default();
        let source = Source { file: String::new(), blake3: [0; 32], generator: String::new() };
        let mut character = crate::bake(&model, "", source, &options).unwrap().character;
        character.boxes.iter_mut().for_each(|one| one.half_extents *= 0.8);
        let mesh = BoundMesh::new(&model, options.attachments);
        let samples = SurfaceSamples::new(&mesh, Ownership::new(&options));
        let holders: Vec<JointIndex> = (0..model.skeleton.len()).map(|joint| JointIndex(joint as u16)).collect();
        let measured = |most: usize| {
            let times = MeasuredTimes::of_clips(&model, &options, most);
            let go_on = || Ok::<(), Infallible>(());
            let Ok(found) = Coverage::at(&model, &mesh, &samples, (&character.boxes, &[]), &holders, &times, &go_on);
            (found, times.all)
        };
        let ((all, every_time), (some, some_times)) = (measured(MOST_SAMPLE_TIMES), measured(5));
        assert!(all.every_sample_time && !some.every_sample_time);
        assert!(
            some_times.len() <= 6 && every_time.len() > 2 * some_times.len(),
            "{} of {}",
            some_times.len(),
            every_time.len()
        );
        assert!(some.max_escape > 0.0 && some.max_escape <= all.max_escape);
        assert!(some_times.contains(&some.worst.unwrap().at));
        character.coverage = Some((&some).into());
        assert!(Figures::of_bake(&character).escape_is_at_least);
        let limits = Limits { most_escape: Some(2.0 * all.max_escape), ..Limits::default() };
        assert_eq!(limits.broken(&character).len(), 1, "what was not looked at may be farther");
        character.coverage = Some((&all).into());
        assert!(!Figures::of_bake(&character).escape_is_at_least && limits.broken(&character).is_empty());
    }
}
