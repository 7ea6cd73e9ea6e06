//! The text twin: names, order, numbers, and that it is JSON whatever the names are.
#![cfg(feature = "json")]

mod support;

use baked_format::to_json;

#[test]
fn json_of_a_made_up_character() {
    insta::assert_snapshot!(to_json(&support::scout()));
}
