//! A tour of the interface, and every test of the crate against other ways to the same answer.

mod agreement;
mod api_walkthrough;
mod bug_list;
mod interop;
mod triangles;
