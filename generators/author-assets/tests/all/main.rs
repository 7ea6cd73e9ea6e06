//! Tests of the authored characters, their clips and their files.

mod characters;
mod common;
mod fights;
mod files;
