//! Finds the cells of the surface that the boxes hold in one pose.
//!
//! Most triangles lie as a whole in one box of their own joint, which a test of the corners proves. The cells of the
//! other triangles are tested against the own joint's boxes near the triangle: the triangle's corners are transformed
//! to the axes of a box once, and one loop finds the cells that the box certainly holds. Only the cells that no box
//! certainly holds are tested one by one in model space.

use crate::measure::posed_boxes::{PosedBox, PosedBoxes, PosedTriangle};
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

/// Calls `visit(owner, area, place, count)` for the cells of the surface in a pose, triangle after triangle: once for
/// each owner and each place of a triangle's cells. There are `count` cells of this kind, at least 1, and each of them
/// has the area `area`. Cells that collapsed joints own are left out.
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
    for triangle in &samples.triangles {
        let [a, b, c] = triangle.corners.map(|corner| &corners[triangle.part][corner as usize]);
        let corners = [a.point, b.point, c.point];
        let area = triangle.cell_area(&corners);
        if triangle.is_at_home && a.sure.is_some() && a.sure == b.sure && a.sure == c.sure {
            visit(triangle.owners[0], area, CellPlace::OwnBox, triangle.cells);
        } else {
            let likely = if triangle.is_at_home { [a.sure, b.sure, c.sure] } else { [None; 3] };
            let visit = |owner, place, count| visit(owner, area, place, count);
            visit_each(samples, triangle, corners, likely, boxes, holders, visit);
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
    /// Returns one corner for each vertex of each part. Vertices that are no corner of the samples stay where they are.
    fn of_parts(
        samples: &SurfaceSamples,
        mesh: &BoundMesh<'_>,
        boxes: &PosedBoxes,
        holders: &[JointIndex],
        model_from_joint: &[DAffine3],
    ) -> Vec<Vec<Self>> {
        let model_from_mesh = mesh.model_from_mesh(model_from_joint);
        let of_part = |(index, (part, homes)): (usize, (&BoundPart<'_>, &Vec<Option<JointIndex>>))| {
            // Successive vertices mostly lie in the same box.
            let mut guess = 0;
            let of_vertex = |(vertex, home): (usize, &Option<JointIndex>)| {
                if !samples.has_corner(index, vertex) {
                    return Self { point: DVec3::ZERO, sure: None };
                }
                let point = part.skinned(vertex, &model_from_mesh).unwrap_or(DVec3::ZERO);
                // Cells that collapsed joints own are left out, so their corners need no box.
                let there = home.filter(|&home| !boxes.is_collapsed(home));
                let sure = there.and_then(|home| boxes.sure_box(point, holders[home.index()], guess));
                guess = sure.unwrap_or(guess);
                Self { point, sure }
            };
            homes.iter().enumerate().map(of_vertex).collect()
        };
        mesh.parts.iter().zip(&samples.homes).enumerate().map(of_part).collect()
    }
}

/// Calls `visit(owner, place, count)` for the cells of a triangle, as [`visit_cells`] does. `likely` are numbers among
/// the boxes of the joint that holds the triangle's home joint.
fn visit_each(
    samples: &SurfaceSamples,
    triangle: &Triangle,
    corners: [DVec3; 3],
    likely: [Option<usize>; 3],
    boxes: &PosedBoxes,
    holders: &[JointIndex],
    mut visit: impl FnMut(JointIndex, CellPlace, usize),
) {
    let posed = PosedTriangle::new(corners);
    let grid = samples.grid(triangle);
    // The boxes of all joints that may hold a point of the triangle.
    let mut all_near: Option<Vec<&PosedBox>> = None;
    for &(owner, cells) in samples.owned_cells(triangle).iter().filter(|(owner, _)| !boxes.is_collapsed(*owner)) {
        let holder = holders[owner.index()];
        let tried_first = likely.into_iter().enumerate().filter(|(index, number)| !likely[..*index].contains(number));
        let tried_first = tried_first.filter_map(|(_, number)| Some(boxes.in_box(&posed, holder, number?)));
        let mut open = cells;
        for one in tried_first.chain(boxes.own_near(&posed, holder, likely)) {
            open &= !one.surely_held(grid);
            if open == 0 {
                break;
            }
        }
        let mut counts = [(CellPlace::OwnBox, cells & !open), (CellPlace::OtherBox, 0), (CellPlace::Outside, 0)]
            .map(|(place, cells)| (place, cells.count_ones() as usize));
        while open != 0 {
            let point = SurfaceSamples::point(&corners, samples.cells(triangle)[open.trailing_zeros() as usize].0);
            open &= open - 1;
            let place = if boxes.own_box_holds(point, holder) {
                CellPlace::OwnBox
            } else {
                let all_near = all_near.get_or_insert_with(|| boxes.near(&posed).collect());
                let is_held = all_near.iter().any(|one| one.holds(point));
                if is_held { CellPlace::OtherBox } else { CellPlace::Outside }
            };
            counts[place as usize].1 += 1;
        }
        for (place, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
            visit(owner, place, count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assign::owner::Ownership;
    use crate::measure::hull_planes::MeasuredBoxes;
    use crate::measure::test_boxes::any_boxes;
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
                let time = 0.5 + 0.5 * random.signed();
                let mut pose = sampler.pose(SampleTime { clip: Some(ClipIndex(0)), time }).to_vec();
                if random.below(3) == 0 {
                    let collapsed = &mut pose[random.below(joints.into())];
                    collapsed.matrix3 *= 1e-4;
                }
                let boxes = PosedBoxes::new(&mesh, &MeasuredBoxes::new(&boxes), &pose);
                let mut expected = Vec::new();
                let vertices = mesh.posed(&pose);
                for triangle in &samples.triangles {
                    let corners = triangle.corners.map(|corner| vertices[triangle.part][corner as usize].unwrap());
                    let holder = holders[triangle.owners[0].index()];
                    let sure = corners.map(|corner| boxes.sure_box(corner, holder, 0));
                    whole += usize::from(triangle.is_at_home && sure[0].is_some() && sure == [sure[0]; 3]);
                    let mut by_owner: Vec<(JointIndex, [usize; 3])> = Vec::new();
                    for &(at, owner) in samples.cells(triangle).iter().filter(|(_, owner)| !boxes.is_collapsed(*owner))
                    {
                        let point = SurfaceSamples::point(&corners, at);
                        let place = match () {
                            () if boxes.own_box_holds(point, holders[owner.index()]) => CellPlace::OwnBox,
                            () if boxes.holds(point, owner) => CellPlace::OtherBox,
                            () => CellPlace::Outside,
                        };
                        counts[place as usize] += 1;
                        if !by_owner.iter().any(|(known, _)| *known == owner) {
                            by_owner.push((owner, [0; 3]));
                        }
                        let of_owner = by_owner.iter_mut().find(|(known, _)| *known == owner).unwrap();
                        of_owner.1[place as usize] += 1;
                    }
                    let area = triangle.cell_area(&corners);
                    for (owner, counts) in by_owner {
                        let by_place =
                            [CellPlace::OwnBox, CellPlace::OtherBox, CellPlace::Outside].into_iter().zip(counts);
                        let visited = by_place.filter(|(_, count)| *count > 0);
                        expected.extend(visited.map(|(place, count)| (owner, area, place, count)));
                    }
                }
                let mut found = Vec::new();
                visit_cells(&samples, &mesh, &boxes, &holders, &pose, |owner, area, place, count| {
                    found.push((owner, area, place, count));
                });
                assert!(found == expected);
            }
        }
        assert!(counts.iter().all(|&count| count > 1000) && whole > 1000, "{counts:?}, {whole}");
    }
}
