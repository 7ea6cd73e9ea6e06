//! `poses = any` on real characters: no corner outside in clips, in blends of two clips and at random turns.

use crate::any_pose::{clips_and_blends, random_turns};
use asset_bake::Asset;
use corpus_agreement::any_pose::AnyPose;
use corpus_agreement::oracle;

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn no_corner_leaves_its_boxes() {
    let poses = if std::env::var_os("BONEBOX_LONG").is_some() { 500 } else { 12 };
    let mut bytes = Vec::new();
    for golden in oracle::golden().iter().filter(|golden| oracle::MEASURED.contains(&golden.name.as_str())) {
        let model = Asset::open(&golden.path).unwrap().import().unwrap().0;
        let checked = AnyPose::new(model, &[]);
        if !checked.character().clips().is_empty() {
            clips_and_blends(&checked, poses);
        }
        random_turns(&checked, poses);
        let of_file: usize = checked.character().baked().envelopes.iter().map(baked_format::Envelope::bytes).sum();
        println!("{}: {} corners, envelopes of {of_file} bytes", golden.name, checked.corners());
        bytes.push(of_file);
    }
    assert_eq!(bytes.len(), oracle::MEASURED.len());
}
