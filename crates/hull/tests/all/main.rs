//! Hulls of made-up and real points. Exact predicates prove each hull.
#![allow(missing_docs, reason = "tests")]

#[path = "../common/corpus.rs"]
mod bone_groups;
#[path = "../common/mod.rs"]
mod common;
mod corpus;
mod degenerate;
mod enclosing;
mod naive;
mod properties;
mod shapes;
