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
