//! The skinned surface of real characters.

use super::{baked, files, load};
use crate::skin::{bytes_in_file, check, pose};

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn pieces_keep_the_surface_of_every_character() {
    for (name, path) in files() {
        let model = load(&path);
        let bake = baked(&model, &[("skin", "lossless"), ("tie_tolerance", "0.004"), ("measure", "none")]);
        let report = bake.report.skin.unwrap();
        let found = check(&model, &bake, &pose(&model.skeleton, 0.0), true);
        let height = bake.report.height;
        println!("{name}: {report:?} {found:?} height {height}");
        assert_eq!(report.torn_triangles, 0, "{name}");
        assert!((found.area / found.source_area - 1.0).abs() < 1e-5, "{name}: {found:?}");
        assert!(found.error < 1e-5 * height, "{name}: {found:?}");
        assert!((found.open_length.0 - found.open_length.1).abs() < 1e-3 * height, "{name}: {found:?}");
    }
}

/// The size of one vertex in bytes, everything included, in all characters of the table in `docs/exact.md` and all others
/// with at least 500 vertices. A skin with fewer vertices is mostly names and matrices.
#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn skins_of_real_characters_are_small() {
    for (name, path) in files() {
        let model = load(&path);
        for skin in ["compact", "lossless"] {
            let bake = baked(&model, &[("skin", skin), ("tie_tolerance", "0.004"), ("measure", "none")]);
            let (bytes, report) = (bytes_in_file(&bake.character), bake.report.skin.unwrap());
            let by_vertex = bytes as f64 / f64::from(report.vertices);
            let error = bake.character.skin.unwrap().max_error;
            println!("{name}, {skin}: {bytes} bytes, {by_vertex:.1} a vertex; error {error:e}");
            assert!(error <= 1e-4, "{name}: {error}");
            if report.vertices >= 500 {
                let most = if skin == "compact" { 20.0 } else { 45.0 };
                assert!(by_vertex <= most, "{name}, {skin}: {by_vertex} bytes");
            }
        }
    }
}
