//! The authored characters, their clips and the files that hold them.

mod characters;
mod common;
mod fights;
mod files;
