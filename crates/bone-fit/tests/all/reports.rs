//! Snapshots of reports on made-up models.

use baked_format::Source;
use bone_fit::{Bake, BakeOptions, Figures, bake};
use skinned_model::{NoExternalFiles, import};
use std::fmt::Write as _;
use test_models::{Character, box_limb, soft_limb};

fn baked(character: &Character, words: &[(&str, &str)]) -> Bake {
    let model = import(&character.to_glb(), &NoExternalFiles).unwrap();
    let source = Source { file: "made-up.glb".into(), blake3: [0; 32], generator: "test".into() };
    bake(&model, &character.name, source, &BakeOptions::from_entries(words.iter().copied()).unwrap()).unwrap()
}

/// Returns one line for each box, then the measured figures, then the warnings; rounded to four places.
fn in_words(bake: &Bake) -> String {
    let mut text = String::new();
    let report = &bake.report;
    for (one, baked) in report.boxes.iter().zip(&bake.character.boxes) {
        let [x, y, z] = (2.0 * baked.half_extents).to_array();
        writeln!(
            text,
            "{}: {:?} of {} vertices, {} corners, {x:.4} x {y:.4} x {z:.4}, volume {:.4}, hull {:.4}, least {:.4}",
            one.joint_name,
            one.points_span,
            one.vertices,
            one.points,
            one.volume,
            one.hull_volume,
            one.min_volume.unwrap(),
        )
        .unwrap();
    }
    let measured = report.measured.as_ref().unwrap();
    writeln!(
        text,
        "at rest {:.4}, moving {:.4}, escape {:.4} in {} sample times, height {:.4}",
        measured.surface_rest, measured.surface_clips, measured.max_escape, measured.poses, report.height
    )
    .unwrap();
    if let Some(worst) = measured.worst {
        let joint = bake.character.skeleton.joint(worst.joint).name.as_str();
        writeln!(text, "worst: {joint} at {:.3} s of clip {:?}", worst.at.time, worst.at.clip).unwrap();
    }
    for warning in &bake.character.warnings {
        writeln!(text, "{}: {}", warning.code, warning.text).unwrap();
    }
    text
}

#[test]
fn reports_of_made_up_limbs() {
    let mut all = String::new();
    for (name, character) in [("hard", box_limb()), ("soft", soft_limb())] {
        for preset in ["recipe", "tight", "cover"] {
            writeln!(all, "{name}, {preset}").unwrap();
            writeln!(all, "{}", in_words(&baked(&character, &[("preset", preset)]))).unwrap();
        }
    }
    insta::assert_snapshot!(all);
}

/// Fill is a figure of the body at rest: fitting the boxes to clips changes the boxes but not the hulls.
#[test]
fn fill_means_the_same_for_fits_to_clips() {
    let hulls = |words: &[(&str, &str)]| {
        let report = baked(&soft_limb(), words).report;
        report.boxes.into_iter().map(|one| (one.shape, one.hull_vertices, one.hull_volume)).collect::<Vec<_>>()
    };
    let bound = hulls(&[("bridge", "surface")]);
    assert_eq!(hulls(&[("bridge", "surface"), ("poses", "clips")]), bound);
    assert_eq!(hulls(&[("bridge", "surface"), ("poses", "clips"), ("keep", "0.9")]), bound);
}

/// Checks the figures of the snapshot against figures that follow from the geometry.
#[test]
fn a_soft_limb_is_held_as_its_geometry_says() {
    let limb = soft_limb();
    // The surface is shared out at x = 1, where both joints weigh a half.
    let surface = baked(&limb, &[("bridge", "surface"), ("fit", "min-volume"), ("min_thickness", "0")]);
    for one in &surface.report.boxes {
        assert!((one.volume - 0.04).abs() < 1e-6, "{one:?}");
    }
    assert_eq!(surface.report.measured.as_ref().unwrap().surface_rest, 1.0);
    // Vertices at x = 1 go to the first slot, so boxes around vertices leave the strip up to the next ring uncovered.
    let vertices = baked(&limb, &[("fit", "min-volume"), ("min_thickness", "0")]);
    let volume = |bake: &Bake| Figures::of_bake(&bake.character).volume;
    assert!((volume(&vertices) - 0.04 * 1.75).abs() < 1e-6, "{}", volume(&vertices));
    let rest = vertices.report.measured.unwrap().surface_rest;
    assert!((rest - 0.875).abs() < 1e-3, "{rest}");
    let cover = baked(&limb, &[("preset", "cover")]).report.measured.unwrap();
    assert_eq!((cover.surface_clips, cover.worst), (1.0, None));
    let tight = baked(&limb, &[("preset", "tight")]);
    assert!(volume(&tight) < volume(&surface) * 1.5, "{}", volume(&tight));
}
