//! What boxes hold of real characters, at rest and in motion.

use super::{baked, files, load, named};
use bone_fit::{Attachments, measure_boxes};

#[test]
fn surface_boxes_hold_the_whole_rest_surface() {
    for (name, path) in files() {
        let Some(model) = load(&path) else { continue };
        let bake = baked(&model, &[("bridge", "surface"), ("measure", "rest")]);
        let measured = bake.report.measured.unwrap();
        assert!(measured.surface_rest == 1.0, "{name}: {}", measured.surface_rest);
        assert!(measured.max_escape <= 1e-6, "{name}: {}", measured.max_escape);
    }
}

/// Pieces are convex and their corners are fitted, so nothing is outside at the moments that were sampled; between them
/// next to nothing is.
#[test]
fn cover_holds_everything_in_every_clip() {
    for name in ["Fox", "cesium_man", "RobotExpressive", "cyberpunk_pack__Enemy_Large"] {
        let Some(model) = named(name) else { continue };
        let bake = baked(&model, &[("preset", "cover"), ("measure_moments", "100")]);
        let measured = bake.report.measured.as_ref().unwrap();
        assert!(measured.surface_clips == 1.0 && measured.surface_rest == 1.0, "{name}: {measured:?}");
        assert!(measured.max_escape <= 1e-6, "{name}: {measured:?}");
        let between = measure_boxes(&model, &bake.character.boxes, Attachments::Include, 120.0, 250);
        println!("{name}: {:.6} at four times the rate, escape {:.6}", between.surface_clips, between.max_escape);
        assert!(between.surface_clips >= 0.999 && between.max_escape <= 0.005, "{name}: {between:?}");
    }
}

#[test]
fn tight_holds_nearly_everything_in_less() {
    for name in ["cyberpunk_pack__Character", "RobotExpressive"] {
        let Some(model) = named(name) else { continue };
        let skip = ("attachments", "skip");
        let recipe = baked(&model, &[skip, ("measure", "none")]).report;
        let tight = baked(&model, &[skip, ("preset", "tight"), ("measure_moments", "60")]).report;
        let measured = tight.measured.unwrap();
        assert!(measured.surface_clips >= 0.989 && measured.surface_rest == 1.0, "{name}: {measured:?}");
        let ratio = tight.total.volume / recipe.total.min_volume.unwrap();
        println!("{name}: {ratio:.3} times the least volume, {:.5} of the surface", measured.surface_clips);
        assert!(ratio <= 1.03, "{name}: {ratio} times the least volume");
    }
}

#[test]
fn the_number_of_threads_does_not_show_on_a_real_character() {
    let Some(model) = named("Fox") else { return };
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let bake = pool.install(|| baked(&model, &[("preset", "tight"), ("measure_moments", "20")]));
        (baked_format::write(&bake.character).unwrap(), bake.report)
    };
    assert!(with(1) == with(3));
}
