//! The escapes of the surface of each joint, with the distance, the place and the sample time.

use crate::assign::owner::Ownership;
use crate::measure::coverage::{MeasuredTimes, by_joint};
use crate::measure::escape_search::EscapeSearch;
use crate::measure::farthest::{Farthest, Found};
use crate::measure::held_cells::{CellPlace, visit_cells};
use crate::measure::hull_planes::MeasuredBoxes;
use crate::measure::posed_boxes::PosedBoxes;
use crate::measure::surface_samples::SurfaceSamples;
use crate::options::BakeOptions;
use crate::poses::sample_times::{MOST_SAMPLE_TIMES, SampleTime};
use crate::poses::sampled::PoseSampler;
use crate::skin::bound_mesh::BoundMesh;
use baked_format::{Envelope, Hitbox};
use glam::{DAffine3, DVec3};
use rayon::prelude::*;
use skeleton::JointIndex;
use skinned_model::SkinnedModel;
use std::convert::Infallible;

/// The surface of one joint that is outside the boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointEscape {
    /// The joint that owns the surface.
    pub joint: JointIndex,
    /// The average share of the joint's surface area that is in no box, 0 to 1, over the poses in which [`crate::Coverage`]
    /// measures shares of the surface.
    pub outside: f64,
    /// The largest distance from the joint's surface to the nearest box at any sample time, as a share of the
    /// character's height.
    pub distance: f64,
    /// The sample time of the farthest escape.
    pub at: SampleTime,
    /// The point of the farthest escape, in model space.
    pub point: DVec3,
}

/// The surface of one joint, measured with boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointFigures {
    /// The joint that owns the surface.
    pub joint: JointIndex,
    /// The average share of the joint's surface area that is in a box, 0 to 1, over the poses in which [`crate::Coverage`]
    /// measures shares of the surface.
    pub inside: f64,
    /// The average share of the joint's surface area that is in a box of the joint itself, 0 to 1, over the same poses.
    pub own: f64,
    /// The farthest escape of the joint's surface; `None` if nothing escapes.
    pub escape: Option<JointEscape>,
}

/// Returns the joints with surface outside every box, the joint with the farthest escape first.
///
/// The arguments and the poses are those of [`crate::measure_boxes`]. The distance of the first joint is the
/// [`max_escape`](crate::Coverage::max_escape) of that function.
#[must_use]
pub fn escapes_by_joint(model: &SkinnedModel, boxes: &[Hitbox], options: &BakeOptions) -> Vec<JointEscape> {
    let figures = measure_joints(model, boxes, options, None);
    let mut escapes: Vec<JointEscape> = figures.iter().filter_map(|figures| figures.escape).collect();
    escapes.sort_by(|a, b| b.distance.total_cmp(&a.distance).then(a.joint.cmp(&b.joint)));
    escapes
}

/// Measures the surface of each joint, in the order of the joints. Joints without surface are left out.
///
/// The other arguments and the poses are those of [`crate::measure_boxes`]. With `joints`, only the surface of these joints is
/// measured, which takes a share of the time: an editor asks for the joints that a person edits.
#[must_use]
pub fn measure_joints(
    model: &SkinnedModel,
    boxes: &[Hitbox],
    options: &BakeOptions,
    joints: Option<&[JointIndex]>,
) -> Vec<JointFigures> {
    let boxes = &by_joint(boxes);
    let mesh = BoundMesh::of_bake(model, options);
    let times = MeasuredTimes::of_clips(model, options, MOST_SAMPLE_TIMES);
    let samples = SurfaceSamples::of_joints(&mesh, Ownership::new(options), joints);
    let holders: Vec<JointIndex> = (0..model.skeleton.len()).map(|joint| JointIndex(joint as u16)).collect();
    let measured: Vec<SampleTime> = times.for_shares().collect();
    let measured_boxes = MeasuredBoxes::new(boxes);
    let sampler = || PoseSampler::new(&model.skeleton, &model.clips);
    let of_pose = |sampler: &mut PoseSampler<'_>, &at: &SampleTime| {
        let pose = sampler.pose(at);
        Areas::of_joints(&mesh, &samples, &PosedBoxes::new(&mesh, &measured_boxes, pose), &holders, pose)
    };
    // The areas are collected first and then added in the order of the poses, so that threads do not change the sums.
    let mut all = vec![Areas::default(); model.skeleton.len()];
    for pose in measured.par_iter().map_init(sampler, of_pose).collect::<Vec<_>>() {
        for (sum, areas) in all.iter_mut().zip(pose) {
            sum.all += areas.all;
            sum.outside += areas.outside;
            sum.own += areas.own;
        }
    }
    let search = EscapeSearch::new(&mesh, &samples, boxes, &holders);
    let nothing = Found::by_joint(model.skeleton.len());
    let Ok(found) = search.look_at_all(model, &times.for_escapes(), nothing, &|| Ok::<(), Infallible>(()));
    let height = if mesh.height > 0.0 { mesh.height } else { 1.0 };
    let mut farthest: Vec<Option<Farthest>> = vec![None; model.skeleton.len()];
    found.into_each().for_each(|one| farthest[one.owner.index()] = Some(one));
    let figures = |(index, Areas { all, outside, own }): (usize, Areas)| {
        let joint = JointIndex(index as u16);
        // Triangles at the border of a joint have points of its neighbors, too.
        let is_asked = joints.is_none_or(|joints| joints.contains(&joint));
        let share = |area: f64| if all > 0.0 { (area / all).min(1.0) } else { 0.0 };
        let escape = farthest[index].map(|Farthest { distance, owner, at, point, .. }| JointEscape {
            joint: owner,
            outside: share(outside),
            distance: distance / height,
            at,
            point,
        });
        let has_surface = all > 0.0 || escape.is_some();
        (is_asked && has_surface).then(|| JointFigures { joint, inside: share(all - outside), own: share(own), escape })
    };
    all.into_iter().enumerate().filter_map(figures).collect()
}

/// Areas of the surface of one joint, in model units squared.
#[derive(Clone, Copy, Default)]
pub(crate) struct Areas {
    pub(crate) all: f64,
    /// The area outside every box.
    pub(crate) outside: f64,
    /// The area in a box of the joint that holds the surface.
    own: f64,
}

impl Areas {
    /// The areas at rest of the surface that the hitboxes of each joint should hold.
    pub(crate) fn at_rest(
        mesh: &BoundMesh<'_>,
        (boxes, envelopes): (&[Hitbox], &[Envelope]),
        holders: &[JointIndex],
        options: &BakeOptions,
    ) -> Vec<Self> {
        let samples = SurfaceSamples::new(mesh, Ownership::new(options));
        let boxes = PosedBoxes::with_envelopes(mesh, &MeasuredBoxes::new(boxes), envelopes, &mesh.model_from_joint);
        let mut by_holder = vec![Self::default(); holders.len()];
        let by_owner = Self::of_joints(mesh, &samples, &boxes, holders, &mesh.model_from_joint);
        for (areas, holder) in by_owner.into_iter().zip(holders) {
            by_holder[holder.index()].all += areas.all;
            by_holder[holder.index()].outside += areas.outside;
        }
        by_holder
    }

    /// The areas of every joint in one pose.
    fn of_joints(
        mesh: &BoundMesh<'_>,
        samples: &SurfaceSamples,
        boxes: &PosedBoxes,
        holders: &[JointIndex],
        model_from_joint: &[DAffine3],
    ) -> Vec<Self> {
        let mut areas = vec![Self::default(); model_from_joint.len()];
        visit_cells(samples, mesh, boxes, holders, model_from_joint, |owner, area, place, count| {
            areas[owner.index()].add(area, place, count);
        });
        areas
    }

    /// Adds cells that have this area each.
    fn add(&mut self, area: f64, place: CellPlace, count: usize) {
        for _ in 0..count {
            self.all += area;
            self.outside += if place == CellPlace::Outside { area } else { 0.0 };
            self.own += if place == CellPlace::OwnBox { area } else { 0.0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baked_format::Source;

    fn baked(model: &SkinnedModel, options: &BakeOptions) -> crate::Bake {
        let source = Source { file: String::new(), blake3: [0; 32], generator: String::new() };
        crate::bake(model, "", source, options).unwrap()
    }

    fn every_pose() -> BakeOptions {
        BakeOptions { measure_times: 0, ..BakeOptions::default() }
    }

    /// The largest escape of all joints, and the sum of their shares, equal the figures of the whole character.
    #[test]
    fn joints_add_up_to_the_character() {
        for glb in [test_models::box_man().to_glb(), test_models::box_limb().to_glb()] {
            let model = skinned_model::import(&glb, &skinned_model::NoExternalFiles).unwrap();
            let mut options = BakeOptions::default();
            options.set("margin", "0").unwrap();
            let mut boxes = baked(&model, &options).character.boxes;
            // The boxes are smaller than baked, so that much of the surface is outside.
            boxes.iter_mut().for_each(|one| one.half_extents *= 0.7);
            options.measure_times = 24;
            let measured = crate::measure_boxes(&model, &boxes, &options);
            let escapes = escapes_by_joint(&model, &boxes, &options);
            assert!(measured.surface_clips < 0.9, "much is outside: {}", measured.surface_clips);
            assert_eq!(escapes[0].distance, measured.max_escape);
            assert_eq!(escapes[0].at, measured.worst.unwrap().at);
            assert!(escapes.iter().all(|escape| escape.outside >= 0.0 && escape.outside <= 1.0));
            assert!(escapes.is_sorted_by(|a, b| a.distance >= b.distance));
        }
    }

    /// Measures the distance from every box, at the sample time and the point that `escapes_by_joint` returns.
    #[test]
    fn the_point_is_as_far_from_every_box_as_is_said() {
        let model = skinned_model::import(&test_models::box_man().to_glb(), &skinned_model::NoExternalFiles).unwrap();
        let bake = baked(&model, &BakeOptions::default());
        let mut boxes = bake.character.boxes;
        boxes.iter_mut().for_each(|one| one.half_extents *= 0.6);
        for escape in escapes_by_joint(&model, &boxes, &every_pose()) {
            let mut local = model.skeleton.rest_pose();
            if let Some(clip) = escape.at.clip {
                model.clips[clip.index()].sample(escape.at.time, &mut local);
            }
            let mut matrices = vec![glam::Affine3A::IDENTITY; model.skeleton.len()];
            model.skeleton.model_from_joints(&local, &mut matrices);
            let distance = |one: &Hitbox| {
                let axes = geometry_core::portable::mat3_from_quaternion(one.orientation);
                let inverse = matrices[one.joint.index()].inverse();
                let in_box = axes.transpose() * (inverse.transform_point3(escape.point.as_vec3()) - one.center);
                f64::from((in_box.abs() - one.half_extents).max(glam::Vec3::ZERO).length())
            };
            let nearest = boxes.iter().map(distance).fold(f64::INFINITY, f64::min);
            let said = escape.distance * bake.report.height;
            assert!((nearest - said).abs() < 1e-4 * bake.report.height, "{nearest} is not {said}: {escape:?}");
        }
    }

    /// Measuring a few joints alone gives the figures that they have among all joints.
    #[test]
    fn a_joint_alone_has_the_figures_that_it_has_among_all() {
        for glb in [test_models::box_man().to_glb(), test_models::box_limb().to_glb()] {
            let model = skinned_model::import(&glb, &skinned_model::NoExternalFiles).unwrap();
            let mut boxes = baked(&model, &BakeOptions::default()).character.boxes;
            boxes.iter_mut().for_each(|one| one.half_extents *= 0.75);
            let options = BakeOptions { measure_times: 24, ..BakeOptions::default() };
            let all = measure_joints(&model, &boxes, &options, None);
            assert!(all.len() > 1 && all.iter().any(|figures| figures.escape.is_some()));
            assert!(all.iter().all(|figures| figures.own <= figures.inside + 1e-12 && figures.inside <= 1.0));
            for figures in &all {
                let alone = measure_joints(&model, &boxes, &options, Some(&[figures.joint]));
                let [alone] = alone[..] else { panic!("{alone:?}") };
                assert!((alone.inside - figures.inside).abs() < 1e-9 && (alone.own - figures.own).abs() < 1e-9);
                let far = |figures: &JointFigures| figures.escape.map(|escape| (escape.distance, escape.at));
                assert_eq!(far(&alone), far(figures));
            }
            let pair = [all[0].joint, all[1].joint];
            assert_eq!(measure_joints(&model, &boxes, &options, Some(&pair)).len(), 2);
        }
    }

    #[test]
    fn nothing_leaves_boxes_that_cover() {
        let model = skinned_model::import(&test_models::box_man().to_glb(), &skinned_model::NoExternalFiles).unwrap();
        let mut options = BakeOptions::preset(crate::Preset::Cover);
        options.set("measure_times", "0").unwrap();
        let boxes = baked(&model, &options).character.boxes;
        let escapes = escapes_by_joint(&model, &boxes, &every_pose());
        assert!(escapes.iter().all(|escape| escape.distance < 1e-6), "{escapes:?}");
    }
}
