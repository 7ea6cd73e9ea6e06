//! Stage 5: one box around each piece, in joint space. The methods that choose the orientation of a box are public.

mod extents;
pub(crate) mod manual_boxes;
mod min_volume;
mod orientation;
mod reflection;
mod stand;

pub(crate) mod enclose;
pub(crate) mod estimate;
pub(crate) mod fitted_box;
pub(crate) mod fitted_boxes;
pub(crate) mod fitter;
pub(crate) mod known_axes;
pub(crate) mod mirrored;
pub(crate) mod mirrored_joints;
pub(crate) mod piece;
pub(crate) mod piece_points;
pub(crate) mod quick_cuts;
pub(crate) mod shape;
pub(crate) mod shared_box;
pub(crate) mod split;
pub(crate) mod symmetry;
pub(crate) mod upright;

pub use extents::{extents, objective_of};
pub use orientation::orientation;
pub use shape::{Ball, Capsule, smallest_ball, smallest_capsule};
