//! Made-up characters, and any character.
#![allow(dead_code, unused_imports, unreachable_pub, missing_docs, reason = "each test binary uses a part")]

pub mod arbitrary;
mod characters;

pub use characters::*;
