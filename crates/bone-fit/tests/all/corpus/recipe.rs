//! Groups, hulls and the boxes around them.

use super::oracle::Oracle;
use super::{baked, files, load};
use crate::promise::check;

/// The options that match the oracle, which has no attachments and no least thickness.
const AS_THE_ORACLE: [(&str, &str); 3] = [("attachments", "skip"), ("min_thickness", "0"), ("measure", "none")];

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn groups_and_hulls_are_the_oracle_s() {
    let mut compared = 0;
    for (name, path) in files() {
        let Some(oracle) = Oracle::of(&name) else { continue };
        let model = load(&path);
        let bake = baked(&model, &AS_THE_ORACLE);
        let height = bake.report.height;
        assert!((height - oracle.height).abs() <= 1e-5 * oracle.height, "{name}: height {height} / {}", oracle.height);
        assert_eq!(bake.report.boxes.len(), oracle.joints.len(), "{name}: joints with a box");
        for one in &bake.report.boxes {
            let node = model.skeleton.joint(one.joint).node.0;
            let expected = &oracle.joints[&u64::from(node)];
            assert_eq!(u64::from(one.vertices), expected.vertices, "{name}: vertices of {}", one.joint_name);
            // A hull that is flat to the oracle may be a solid to exact predicates, with the thickness of a rounding
            // error.
            let rounding = expected.size * expected.size * expected.size * 1e-7;
            let apart = (one.hull_volume - expected.hull_volume).abs();
            assert!(
                apart <= 1e-5 * expected.hull_volume + rounding,
                "{name}: hull of {}: {} / {expected:?}",
                one.joint_name,
                one.hull_volume
            );
            compared += 1;
        }
    }
    println!("{compared} joints compared");
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn surface_pca_is_the_oracle_s_where_axes_are_not_arbitrary() {
    let mut compared = 0;
    for (name, path) in files() {
        let Some(oracle) = Oracle::of(&name) else { continue };
        let model = load(&path);
        for one in &baked(&model, &AS_THE_ORACLE).report.boxes {
            let expected = &oracle.joints[&u64::from(model.skeleton.joint(one.joint).node.0)];
            let (volume, [a, b, c]) = expected.surface_pca;
            if expected.rank == 3 && b < 0.98 * a && c < 0.98 * b {
                let ratio = one.volume / volume;
                assert!((ratio - 1.0).abs() < 1e-3, "{name}: {} is {ratio} of the oracle's", one.joint_name);
                compared += 1;
            }
        }
    }
    println!("{compared} boxes compared");
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn the_smallest_boxes_are_no_larger_than_the_best_known() {
    for (name, path) in files() {
        let Some(oracle) = Oracle::of(&name) else { continue };
        let model = load(&path);
        let mut words = AS_THE_ORACLE.to_vec();
        words.push(("fit", "min-volume"));
        let (pca, smallest) = (baked(&model, &AS_THE_ORACLE).report, baked(&model, &words).report);
        let (mut ours, mut theirs, mut worst) = (0.0, 0.0, 0.0f64);
        for (one, pca) in smallest.boxes.iter().zip(&pca.boxes) {
            let expected = &oracle.joints[&u64::from(model.skeleton.joint(one.joint).node.0)];
            if expected.rank == 3 {
                assert!(one.volume <= pca.volume * (1.0 + 1e-6), "{name}: {} is larger than along PCA", one.joint_name);
                let cubed = one.scale * one.scale * one.scale;
                ours += cubed * one.volume;
                theirs += cubed * expected.least_volume;
                worst = worst.max(one.volume / expected.least_volume);
                let ratio = one.volume / expected.least_volume;
                assert!(ratio <= 1.001, "{name}: {} is {ratio} of the best known", one.joint_name);
            }
        }
        assert!(ours <= 1.0001 * theirs, "{name}: {} of the best known", ours / theirs);
        if theirs > 0.0 {
            println!("{name}: {:.6} times the best known, single boxes at most {worst:.6}", ours / theirs);
        }
    }
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn every_vertex_is_in_a_box_of_its_owner_to_the_last_bit() {
    for (name, path) in files() {
        let model = load(&path);
        for fit in ["pca", "min-volume"] {
            let words = [("fit", fit), ("min_thickness", "0"), ("measure", "none"), ("attachments", "skip")];
            check(&name, &model, &words);
        }
        for preset in ["tight", "cover"] {
            let words = [("preset", preset), ("poses", "bind"), ("measure", "none"), ("attachments", "skip")];
            check(&name, &model, &words);
        }
    }
}
