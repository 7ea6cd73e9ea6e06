//! Hulls of made-up and of real points, each proven by exact predicates.
#![allow(missing_docs, reason = "tests")]

#[path = "../common/corpus.rs"]
mod bone_groups;
#[path = "../common/mod.rs"]
mod common;
mod corpus;
mod degenerate;
mod naive;
mod properties;
mod shapes;
