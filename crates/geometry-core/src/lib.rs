//! Boxes and their tests in 2D and 3D: separating axes, sweeps, principal axes.
#![forbid(unsafe_code)]

pub mod portable;
