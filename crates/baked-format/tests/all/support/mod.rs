//! Made-up characters, and any character.
#![allow(dead_code, unused_imports, unreachable_pub, missing_docs, reason = "each test binary uses a part")]
#![allow(clippy::unwrap_used, reason = "made-up data that is known to be right")]

pub mod arbitrary;
mod arbitrary_skin;
mod characters;
pub mod schema;

pub use characters::*;
