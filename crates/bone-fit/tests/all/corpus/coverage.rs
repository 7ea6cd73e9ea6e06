//! The coverage of boxes of real characters, at rest and in motion.

use super::{baked, files, load, named};
use bone_fit::{BakeOptions, Figures, measure_boxes};

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn surface_boxes_hold_the_whole_rest_surface() {
    let mut farthest = 0.0f64;
    for (name, path) in files() {
        let model = load(&path);
        let bake = baked(&model, &[("bridge", "surface"), ("measure", "rest")]);
        let measured = bake.report.measured.unwrap();
        assert!(measured.surface_rest == 1.0, "{name}: {}", measured.surface_rest);
        assert!(measured.max_escape <= 1e-6, "{name}: {}", measured.max_escape);
        farthest = farthest.max(measured.max_escape);
    }
    println!("all of the surface at rest, {farthest:e} of the height outside at most");
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn upright_and_mirrored_boxes_hold_the_whole_rest_surface() {
    for (name, path) in files() {
        let model = load(&path);
        for parts in ["joints", "humanoid"] {
            let words = [
                ("bridge", "surface"),
                ("measure", "rest"),
                ("fit", "upright"),
                ("symmetry", "mirror"),
                ("parts", parts),
            ];
            let bake = baked(&model, &words);
            let measured = bake.report.measured.unwrap();
            assert!(measured.surface_rest == 1.0, "{name}, {parts}: {}", measured.surface_rest);
            assert!(measured.max_escape <= 1e-6, "{name}, {parts}: {}", measured.max_escape);
            let left_out = bake.character.warnings.iter().filter(|warning| warning.code == "not-mirrored");
            println!(
                "{name}, {parts}: {} boxes; {:?}",
                bake.character.boxes.len(),
                left_out.map(|one| &one.text).collect::<Vec<_>>()
            );
        }
    }
}

/// Pieces are convex and their corners are fitted, so no surface is outside at the sample times. Between them hardly
/// any surface is outside: the test looks at four times the rate, and at a rate whose times are none of the added
/// times. Collapsed joints do not count while they are collapsed, and are reported.
///
/// The test measures five characters at 250 sample times. With `BONEBOX_LONG=1` it measures all animated characters, at
/// a thousand.
#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn cover_holds_everything_in_every_clip() {
    const FEW: [&str; 5] =
        ["Fox", "cesium_man", "RobotExpressive", "cyberpunk_pack__Enemy_Large", "easy_enemies_pack__Spider"];
    let long = std::env::var_os("BONEBOX_LONG").is_some();
    let sample_times = if long { 1000 } else { 250 };
    let (mut least, mut farthest) = (1.0f64, 0.0f64);
    for (name, path) in files().into_iter().filter(|(name, _)| long || FEW.contains(&name.as_str())) {
        let model = load(&path);
        if model.clips.is_empty() {
            continue;
        }
        let bake = baked(&model, &[("preset", "cover"), ("measure_times", if long { "500" } else { "100" })]);
        let measured = bake.report.measured.as_ref().unwrap();
        assert!(measured.surface_clips == 1.0 && measured.surface_rest == 1.0, "{name}: {measured:?}");
        assert!(measured.max_escape <= 1e-6, "{name}: {measured:?}");
        for rate in [120.0, 137.0] {
            let closely = BakeOptions { rate, measure_times: sample_times, ..BakeOptions::default() };
            let between = measure_boxes(&model, &bake.character.boxes, &closely);
            println!("{name}: {:.6} at {rate} Hz, escape {:.6}", between.surface_clips, between.max_escape);
            assert!(between.surface_clips >= 0.999 && between.max_escape <= 0.005, "{name}: {between:?}");
            (least, farthest) = (least.min(between.surface_clips), farthest.max(between.max_escape));
        }
        let reported = |warning: &baked_format::BakeWarning| warning.code == "collapsed-joint";
        assert_eq!(
            measured.collapsed.len(),
            bake.character.warnings.iter().filter(|warning| reported(warning)).count(),
            "{name}: {:?}",
            measured.collapsed
        );
    }
    println!("all: {least:.6} at least, escape {farthest:.6} at most");
}

/// Vertices with two equal weights keep their owner if weights are stored in 8 bits or slots are sorted.
#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn weights_in_fewer_bits_make_the_same_groups() {
    for (name, variants) in [
        ("Fox", &["Fox_quantized", "Fox_u16_interleaved", "Fox_permuted_joints", "Fox_two_sets"][..]),
        ("RobotExpressive", &["RobotExpressive_quantized"]),
    ] {
        let model = named(name);
        let groups = |model: &skinned_model::SkinnedModel, tolerance: &str| -> Vec<(String, u32)> {
            let words = [("tie_tolerance", tolerance), ("measure", "none"), ("attachments", "skip")];
            let report = baked(model, &words).report;
            report.boxes.into_iter().map(|one| (one.joint_name, one.vertices)).collect()
        };
        let expected = groups(&model, "0.004");
        for variant in variants {
            let variant_model = named(variant);
            assert_eq!(groups(&variant_model, "0.004"), expected, "{variant}");
            if *variant == "Fox_quantized" {
                assert_ne!(groups(&variant_model, "0"), groups(&model, "0"), "a tail's halves change places");
            }
        }
    }
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn tight_holds_nearly_everything_in_less() {
    for name in ["cyberpunk_pack__Character", "RobotExpressive"] {
        let model = named(name);
        let skip = ("attachments", "skip");
        let least = baked(&model, &[skip, ("fit", "min-volume"), ("measure", "none")]).character;
        let tight = baked(&model, &[skip, ("preset", "tight"), ("measure_times", "60")]);
        let measured = tight.report.measured.unwrap();
        assert!(measured.surface_clips >= 0.989 && measured.surface_rest == 1.0, "{name}: {measured:?}");
        let ratio = Figures::of_bake(&tight.character).volume / Figures::of_bake(&least).volume;
        println!("{name}: {ratio:.3} times the least volume, {:.5} of the surface", measured.surface_clips);
        assert!(ratio <= 1.03, "{name}: {ratio} times the least volume");
    }
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn the_number_of_threads_does_not_show_on_a_real_character() {
    let model = named("Fox");
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let bake = pool.install(|| baked(&model, &[("preset", "tight"), ("measure_times", "20")]));
        (baked_format::write(&bake.character).unwrap(), bake.report)
    };
    assert!(with(1) == with(3));
}
