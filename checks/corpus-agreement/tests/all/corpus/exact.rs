//! Compares exact answers about the skins of real characters with tests of every pair of triangles.

use asset_bake::Asset;
use bone_fit::{BakeOptions, Preset};
use corpus_agreement::oracle;
use corpus_agreement::skins::{by_all_triangles, pose, with_skin};
use corpus_agreement::truth::{Pairs, meetings, score, truth};
use rayon::prelude::*;
use runtime::{PosedCharacter, SkinCandidates, exact_overlap, exact_overlap_all};

/// The number of pairs of joints, over all meetings, about which sums in `f64` and sums in `f32` disagree.
const TIES: usize = 4;

/// Tests every meeting of two characters; `BONEBOX_LONG=1` tests all nine.
#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn exact_overlaps_are_those_of_all_triangles() {
    let long = std::env::var_os("BONEBOX_LONG").is_some();
    let names = if long { &oracle::MEASURED[..] } else { &["Fox", "RobotExpressive"][..] };
    for golden in oracle::golden().iter().filter(|golden| names.contains(&golden.name.as_str())) {
        let model = Asset::open(&golden.path).unwrap().import().unwrap().0;
        let character = with_skin(&model, &golden.name, &[("preset", "cover")]);
        let meetings = meetings(&model, &golden.oracle);
        assert_eq!(meetings.len(), 144);
        let answers: Vec<[Pairs; 3]> = meetings
            .par_iter()
            .map(|meeting| {
                let (mut a, mut b, mut found) = (PosedCharacter::new(), PosedCharacter::new(), Vec::new());
                a.track_skin(true);
                b.track_skin(true);
                pose(&character, meeting, &mut a, &mut b);
                let mut ask = |candidates| -> Pairs {
                    exact_overlap_all(&mut a, &mut b, candidates, &mut found).unwrap();
                    found.iter().map(|one| (one.joint_a, one.joint_b)).collect()
                };
                let (exact, by_boxes) = (ask(SkinCandidates::Bounds), ask(SkinCandidates::Hitboxes));
                let first = exact_overlap(&mut a, &mut b, SkinCandidates::Bounds).unwrap();
                assert_eq!(first.is_some(), !exact.is_empty());
                [exact, by_boxes, by_all_triangles(&mut a, &mut b)]
            })
            .collect();
        let mut differences = 0;
        let mut missed_by_boxes = 0;
        for [exact, by_boxes, all] in &answers {
            differences += exact.symmetric_difference(all).count();
            assert!(by_boxes.is_subset(exact));
            missed_by_boxes += exact.difference(by_boxes).count();
        }
        let touching: usize = answers.iter().map(|[exact, ..]| exact.len()).sum();
        let exact: Vec<Pairs> = answers.into_iter().map(|[exact, ..]| exact).collect();
        // The surface is divided and posed in `f64`, independently of bakes and the run time.
        let in_f64 = score(&exact, &truth(&model, BakeOptions::preset(Preset::Cover).tie_tolerance, &meetings)).joints;
        println!(
            "{}: {touching} pairs of joints touch, {missed_by_boxes} outside of the hitboxes; f64: {in_f64:?}",
            golden.name
        );
        assert!(touching > 300, "{}: they do meet", golden.name);
        assert_eq!(differences, 0, "{}", golden.name);
        assert_eq!(missed_by_boxes, 0, "{}: hitboxes of `cover` hold the skin in these poses", golden.name);
        assert!(in_f64.wrong + in_f64.missed <= TIES, "{}: {in_f64:?}", golden.name);
    }
}
