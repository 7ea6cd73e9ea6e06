//! Convex hulls of few corners: overlap, distance, depth and rays, in `f64`.
//!
//! A [`Hull`] is prepared once, in the space of its corners. A [`PosedHull`] places it by an affine map, which needs no
//! work for the corners: the tests move directions into the hull's own space instead. Nothing is enclosed or rounded, so an
//! uneven scale or a shear gives exactly the image of the hull.
//!
//! Every test of a hull, a box or a capsule against a hull goes through `Core`, a convex set that is known by its farthest
//! point in any direction. A capsule is the core of its segment with a radius around it.

mod hull;
mod posed_hull;
mod solid;
mod nearest;
mod depth;
mod expanding_polytope;
mod separation;
mod distance;
mod ray;
mod straight_cast;
mod moving_hull;

pub use distance::ShapeDistance;
pub use hull::{Hull, MAX_HULL_CORNERS};
pub use moving_hull::{HullMotion, MovingShape};
pub use posed_hull::PosedHull;
pub use separation::HULL_TOLERANCE;
