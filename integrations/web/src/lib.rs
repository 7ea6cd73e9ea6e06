//! Functions that JavaScript calls in WebAssembly. Each build makes one file; see the features in Cargo.toml.
//!
//! - `runtime`: the C library (`integrations/c`) as it is. `bonebox.js` calls its functions.
//! - `baker`: [`bake`] and the answers to the page. `baker.js` calls these functions.
//!
//! JavaScript writes arguments into memory from [`bonebox_web_alloc`], and a panic leaves its message in [`panics`] before it
//! ends the call.
#![deny(unsafe_op_in_unsafe_fn)]

mod memory;
mod panics;

#[cfg(feature = "baker")]
mod bake;
#[cfg(feature = "baker")]
mod page;
#[cfg(feature = "golden")]
mod golden;
#[cfg(any(feature = "baker", feature = "golden"))]
mod reply;

// JavaScript calls its functions by name.
#[cfg(feature = "runtime")]
use bonebox_c as _;
