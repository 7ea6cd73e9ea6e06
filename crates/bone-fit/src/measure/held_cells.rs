//! Finds the cells of the surface that the boxes hold in one pose.
//!
//! Most triangles lie as a whole in one box of their own joint, which a test of the corners proves. Only the cells of
//! the other triangles are tested one by one, against the boxes near the triangle. The first test is along the axes of
//! the own joint's boxes, into which the triangle's corners are transformed once for all cells. A test in model space
//! follows only if rounding makes the first test uncertain.

use crate::measure::posed_boxes::{PosedBox, PosedBoxes, PosedTriangle, TriangleInBox};
use crate::measure::surface_samples::{SurfaceSamples, Triangle};
use crate::skin::bound_mesh::{BoundMesh, BoundPart};
use glam::{DAffine3, DVec3};
use skeleton::JointIndex;

/// The boxes that hold the middle of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellPlace {
    /// The middle is in a box of the joint that holds the surface of the cell's owner.
    OwnBox,
    /// The middle is in boxes of other joints only.
    OtherBox,
    Outside,
}

/// Calls `visit(owner, area, place, count)` for every run of equal cells of the surface in a pose, triangle after
/// triangle. The run has `count` cells, and each cell has the area `area`. Cells that collapsed joints own are left
/// out.
///
/// `holders[j]` is the joint whose boxes hold the surface of joint `j`. Areas are in model units squared.
pub(crate) fn visit_cells(
    samples: &SurfaceSamples,
    mesh: &BoundMesh<'_>,
    boxes: &PosedBoxes,
    holders: &[JointIndex],
    model_from_joint: &[DAffine3],
    mut visit: impl FnMut(JointIndex, f64, CellPlace, usize),
) {
    let corners = PosedCorner::of_parts(samples, mesh, boxes, holders, model_from_joint);
    let mut near = NearBoxes::default();
    for triangle in &samples.triangles {
        let [a, b, c] = triangle.corners.map(|corner| &corners[triangle.part][corner as usize]);
        let corners = [a.point, b.point, c.point];
        let area = triangle.cell_area(&corners);
        if triangle.is_at_home && a.sure.is_some() && a.sure == b.sure && a.sure == c.sure {
            visit(triangle.owners[0], area, CellPlace::OwnBox, triangle.cells);
        } else {
            let likely = if triangle.is_at_home { [a.sure, b.sure, c.sure] } else { [None; 3] };
            let mut run: Option<(JointIndex, CellPlace, usize)> = None;
            let mut visit_one = |owner, place| match &mut run {
                Some((run_owner, run_place, count)) if (*run_owner, *run_place) == (owner, place) => *count += 1,
                _ => {
                    if let Some((owner, place, count)) = run.replace((owner, place, 1)) {
                        visit(owner, area, place, count);
                    }
                }
            };
            visit_each(samples, triangle, corners, likely, boxes, holders, &mut near, &mut visit_one);
            if let Some((owner, place, count)) = run {
                visit(owner, area, place, count);
            }
        }
    }
}

/// A vertex in a pose.
struct PosedCorner {
    /// The place of the vertex, in model space.
    point: DVec3,
    /// A box of the vertex's home joint that certainly holds the vertex, as a number among that joint's boxes; see
    /// [`PosedBoxes::sure_box`].
    sure: Option<usize>,
}

impl PosedCorner {
    /// Returns one corner for each vertex of each part.
    fn of_parts(
        samples: &SurfaceSamples,
        mesh: &BoundMesh<'_>,
        boxes: &PosedBoxes,
        holders: &[JointIndex],
        model_from_joint: &[DAffine3],
    ) -> Vec<Vec<Self>> {
        let model_from_mesh = mesh.model_from_mesh(model_from_joint);
        let of_part = |(part, homes): (&BoundPart<'_>, &Vec<Option<JointIndex>>)| {
            // Successive vertices mostly lie in the same box.
            let mut guess = 0;
            let of_vertex = |(vertex, home): (usize, &Option<JointIndex>)| {
                let point = part.skinned(vertex, &model_from_mesh).unwrap_or(DVec3::ZERO);
                // Cells that collapsed joints own are left out, so their corners need no box.
                let there = home.filter(|&home| !boxes.is_collapsed(home));
                let sure = there.and_then(|home| boxes.sure_box(point, holders[home.index()], guess));
                guess = sure.unwrap_or(guess);
                Self { point, sure }
            };
            homes.iter().enumerate().map(of_vertex).collect()
        };
        mesh.parts.iter().zip(&samples.homes).map(of_part).collect()
    }
}

/// Reused memory for the boxes near one triangle.
#[derive(Default)]
struct NearBoxes<'a> {
    /// The joints whose boxes are all in `own`, except boxes that certainly hold no point of the triangle.
    holders: Vec<JointIndex>,
    /// Boxes with their joints, the likeliest first. A box may occur twice.
    own: Vec<(JointIndex, TriangleInBox)>,
    /// The boxes of all joints that may hold a point of the triangle; `None` until they are needed.
    all: Option<Vec<&'a PosedBox>>,
}

/// Calls `visit` for each cell of a triangle. `likely` are numbers among the boxes of the triangle's home joint.
fn visit_each<'a>(
    samples: &SurfaceSamples,
    triangle: &Triangle,
    corners: [DVec3; 3],
    likely: [Option<usize>; 3],
    boxes: &'a PosedBoxes,
    holders: &[JointIndex],
    near: &mut NearBoxes<'a>,
    visit: &mut impl FnMut(JointIndex, CellPlace),
) {
    let posed = PosedTriangle::new(corners);
    near.holders.clear();
    near.own.clear();
    near.all = None;
    let home = holders[triangle.owners[0].index()];
    for (index, number) in likely.into_iter().enumerate() {
        if let Some(number) = number.filter(|_| !likely[..index].contains(&likely[index])) {
            near.own.push((home, boxes.in_box(&posed, home, number)));
        }
    }
    for &(at, owner) in samples.cells(triangle) {
        if boxes.is_collapsed(owner) {
            continue;
        }
        let holder = holders[owner.index()];
        let holds = |(joint, one): &(JointIndex, TriangleInBox)| *joint == holder && one.is_surely_held(at);
        let mut found = near.own.iter().position(holds);
        if found.is_none() && !near.holders.contains(&holder) {
            near.holders.push(holder);
            near.own.extend(boxes.own_near(&posed, holder).map(|one| (holder, one)));
            found = near.own.iter().position(holds);
        }
        if let Some(number) = found {
            // The same box mostly holds the next cell, so the box is tested first.
            near.own.swap(0, number);
            visit(owner, CellPlace::OwnBox);
            continue;
        }
        let point = SurfaceSamples::point(&corners, at);
        if boxes.own_box_holds(point, holder) {
            visit(owner, CellPlace::OwnBox);
            continue;
        }
        let all = near.all.get_or_insert_with(|| boxes.near(&posed).collect());
        let is_held = all.iter().any(|one| one.holds(point));
        visit(owner, if is_held { CellPlace::OtherBox } else { CellPlace::Outside });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assign::owner::Ownership;
    use crate::measure::test_boxes::{any_boxes, number};
    use crate::options::{Attachments, BakeOptions};
    use crate::poses::sample_times::SampleTime;
    use crate::poses::sampled::PoseSampler;
    use skeleton::ClipIndex;
    use test_models::Random;

    /// Compares the result with a test of the middle of every cell against every box.
    #[test]
    fn cells_are_where_testing_each_with_every_box_finds_them() {
        let mut random = Random::new(29);
        let mut counts = [0; 3];
        let mut whole = 0;
        for character in [test_models::box_man(), test_models::box_limb()] {
            let model = skinned_model::import(&character.to_glb(), &skinned_model::NoExternalFiles).unwrap();
            let mesh = BoundMesh::new(&model, Attachments::Include);
            let samples = SurfaceSamples::new(&mesh, Ownership::new(&BakeOptions::default()));
            let joints = model.skeleton.len() as u16;
            let mut sampler = PoseSampler::new(&model.skeleton, &model.clips);
            for _ in 0..90 {
                let boxes = any_boxes(&mut random, joints, mesh.height as f32);
                // Another joint's boxes may hold a joint's surface.
                let any = |joint| if random.below(4) == 0 { random.below(joints.into()) as u16 } else { joint };
                let holders: Vec<JointIndex> = (0..joints).map(any).map(JointIndex).collect();
                let time = 0.5 + 0.5 * number(&mut random);
                let mut pose = sampler.pose(SampleTime { clip: Some(ClipIndex(0)), time }).to_vec();
                if random.below(3) == 0 {
                    let collapsed = &mut pose[random.below(joints.into())];
                    collapsed.matrix3 *= 1e-4;
                }
                let boxes = PosedBoxes::new(&mesh, &boxes, &pose);
                let mut expected = Vec::new();
                let vertices = mesh.posed(&pose);
                for triangle in &samples.triangles {
                    let corners = triangle.corners.map(|corner| vertices[triangle.part][corner as usize].unwrap());
                    let holder = holders[triangle.owners[0].index()];
                    let sure = corners.map(|corner| boxes.sure_box(corner, holder, 0));
                    whole += usize::from(triangle.is_at_home && sure[0].is_some() && sure == [sure[0]; 3]);
                    for &(at, owner) in samples.cells(triangle).iter().filter(|(_, owner)| !boxes.is_collapsed(*owner))
                    {
                        let point = SurfaceSamples::point(&corners, at);
                        let place = match () {
                            () if boxes.own_box_holds(point, holders[owner.index()]) => CellPlace::OwnBox,
                            () if boxes.holds(point, owner) => CellPlace::OtherBox,
                            () => CellPlace::Outside,
                        };
                        counts[place as usize] += 1;
                        expected.push((owner, triangle.cell_area(&corners), place));
                    }
                }
                let mut found = Vec::new();
                visit_cells(&samples, &mesh, &boxes, &holders, &pose, |owner, area, place, count| {
                    found.extend(std::iter::repeat_n((owner, area, place), count));
                });
                assert!(found == expected);
            }
        }
        assert!(counts.iter().all(|&count| count > 1000) && whole > 1000, "{counts:?}, {whole}");
    }
}
