//! A tour of the interface, and comparisons of every test of the crate with references.

mod agreement;
mod api_walkthrough;
mod bug_list;
mod interop;
mod triangles;
