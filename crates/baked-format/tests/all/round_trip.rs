//! What is written is read again, to the bit.

use crate::support;
use baked_format::{read, write};
use proptest::prelude::*;

#[test]
fn made_up_characters_come_back() {
    for character in [support::scout(), support::nobody(), support::crowd_member(50, 30)] {
        let bytes = write(&character).unwrap();
        assert_eq!(read(&bytes).unwrap(), character);
        assert_eq!(write(&character).unwrap(), bytes);
        baked_format::fuzz::file(&bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_character_comes_back(character in support::arbitrary::character()) {
        prop_assert_eq!(character.validate(), Ok(()));
        let bytes = write(&character).unwrap();
        prop_assert_eq!(&read(&bytes).unwrap(), &character);
        baked_format::fuzz::file(&bytes);
    }
}

/// A piece with more vertices than 16 bits count, every one of them in a triangle.
#[test]
fn indices_of_a_large_skin_come_back() {
    let mut character = support::compact_tailor();
    let piece = &mut character.skin.as_mut().unwrap().pieces[1];
    let count = 70_000u32;
    piece.positions = (0..count).map(|vertex| glam::Vec3::new(vertex as f32, 0.0, -0.25)).collect();
    piece.influence_counts = vec![count];
    piece.influences = vec![1; count as usize];
    piece.weights = vec![1.0; count as usize];
    (piece.cuts, piece.cut_triangles) = (vec![], vec![]);
    piece.triangles = (0..count).map(|first| [first, (first + 1) % count, (first + 33_333) % count]).collect();
    piece.chunk_ends = (1..=count).filter(|end| end % 50 == 0).collect();
    piece.source_triangles = vec![4; count as usize];
    assert_eq!(read(&write(&character).unwrap()).unwrap(), character);
}
