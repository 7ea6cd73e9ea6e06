//! What is written is read again, to the bit.

mod support;

use baked_format::{read, write};

#[test]
fn made_up_characters_come_back() {
    for character in [support::scout(), support::nobody(), support::crowd_member(50, 30)] {
        let bytes = write(&character).unwrap();
        assert_eq!(read(&bytes).unwrap(), character);
        assert_eq!(write(&character).unwrap(), bytes);
        baked_format::fuzz::file(&bytes);
    }
}
