//! The skinned surface of real characters.

use super::{baked, files, load};
use crate::skin::{check, pose};

#[test]
#[ignore = "needs the corpus of real characters: see CONTRIBUTING.md"]
fn pieces_keep_the_surface_of_every_character() {
    for (name, path) in files() {
        let model = load(&path);
        let bake = baked(&model, &[("skin", "lossless"), ("tie_tolerance", "0.004"), ("measure", "rest")]);
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
