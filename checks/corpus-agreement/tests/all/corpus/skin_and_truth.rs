//! Compares exact answers, which are about the skin in `f32`, with the truth of `docs/accuracy.md`, which is skinned in
//! `f64`.

use asset_bake::Asset;
use bone_fit::BakeOptions;
use corpus_agreement::oracle;
use corpus_agreement::shared_surface::SharedSurface;
use corpus_agreement::skins::{by_skin, with_skin};
use corpus_agreement::truth::{meetings, truth};
use glam::{DAffine3, DVec3};
use runtime::SkinCandidates;

/// The distance by which one copy is moved, as a share of the greatest coordinate: eight times the rounding error of a
/// coordinate in `f32`.
const ROUNDING: f64 = 8.0 / 16_777_216.0;

/// Where the two answers about a pair of joints differ, rounding decides: the truth changes its answer if one copy moves by
/// a few roundings of a coordinate.
#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn only_rounding_separates_the_skin_from_the_truth() {
    let long = std::env::var_os("BONEBOX_LONG").is_some();
    let is_wanted = |name: &str| name == "Fox" || long && oracle::MEASURED.contains(&name);
    for golden in oracle::golden().iter().filter(|golden| is_wanted(&golden.name)) {
        let model = Asset::open(&golden.path).expect("an asset").import().expect("a model").0;
        let meetings = meetings(&model, &golden.oracle);
        let tie_tolerance = BakeOptions::default().tie_tolerance;
        let truth = truth(&model, tie_tolerance, &meetings);
        let skin = by_skin(with_skin(&model, &golden.name, &[]).baked(), &meetings, SkinCandidates::Bounds);
        let surface = SharedSurface::new(&model, tie_tolerance);
        let (mut differences, mut pairs) = (0, 0);
        for (index, meeting) in meetings.iter().enumerate() {
            pairs += truth[index].len();
            for &(a, b) in truth[index].symmetric_difference(&skin[index]) {
                differences += 1;
                let first = &surface.posed(&DAffine3::IDENTITY, &meeting.poses[0])[&a];
                let size =
                    first.triangles().as_flattened().iter().fold(0.0f64, |size, at| size.max(at.abs().max_element()));
                let is_in_truth = truth[index].contains(&(a, b));
                let changes = (0..27u8).any(|step| {
                    let axis = |power: u8| f64::from(step / power % 3) - 1.0;
                    let moved = DAffine3::from_translation(ROUNDING * size * DVec3::new(axis(1), axis(3), axis(9)));
                    let second = &surface.posed(&(moved * meeting.place), &meeting.poses[1])[&b];
                    first.touches(second) != is_in_truth
                });
                assert!(changes, "{}: meeting {index}, joints {a:?} and {b:?}", golden.name);
            }
        }
        println!("{}: {differences} of {pairs} pairs of joints that touch differ", golden.name);
    }
}
