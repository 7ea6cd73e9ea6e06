//! The character of the golden scenes, for tests.

use crate::reply::Reply;

/// The bytes of the `.bonebox` file of the figure in the golden scene.
#[unsafe(no_mangle)]
pub extern "C" fn bonebox_golden_figure() -> *mut Reply {
    let baked = baked_characters::baked_figure("figure");
    Reply::hand_over(baked_format::write(&baked).map_err(|error| error.to_string()))
}
