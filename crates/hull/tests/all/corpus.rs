//! Builds the hulls of the corpus' real bone groups and proves each hull.
use crate::bone_groups::bone_groups;
use crate::common::{hull_of, parry_hull, volume_of};
use hull::HullShape;

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn every_bone_group_has_a_valid_hull() {
    let groups = bone_groups();
    assert!(groups.len() > 174, "{} groups", groups.len());
    let mut solids = 0;
    for (name, points) in &groups {
        println!("{name}: {} points", points.len());
        solids += usize::from(hull_of(points).shape() == HullShape::Solid);
    }
    assert!(solids > 174, "{solids} solids");
}

/// Groups where parry 0.31 gives a surface that folds over itself, and the volume that another library computes.
const PARRY_FOLDS: [(&str, f64); 1] = [("gdbot joint 17", 0.002897989)];

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn volumes_are_those_of_parry() {
    let groups = bone_groups();
    let (mut compared, mut off) = (0, Vec::new());
    for (name, points) in &groups {
        let hull = hull_of(points);
        let extent = hull.surface_area().sqrt();
        // Slabs thinner than single precision can represent have no volume to compare.
        if hull.volume() < 1e-4 * extent * extent * extent {
            continue;
        }
        let Ok((vertices, triangles)) = parry_hull(points) else { continue };
        let theirs = volume_of(&vertices, &triangles);
        compared += 1;
        if let Some((_, known)) = PARRY_FOLDS.iter().find(|(folds, _)| folds == name) {
            assert!((hull.volume() - known).abs() < 1e-5 * known, "{name}: {}", hull.volume());
            continue;
        }
        if (theirs - hull.volume()).abs() > 1e-4 * hull.volume() {
            off.push(format!("{name}: {} and parry {theirs}", hull.volume()));
        }
    }
    assert!(compared > 174 && off.is_empty(), "{compared} compared; off: {off:#?}");
}
