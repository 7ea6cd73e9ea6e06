#![doc = include_str!("../README.md")]
//!
//! # Role in bonebox
//!
//! A bake computes the hull of each joint's group with this crate, and then fits the hitbox around that hull. The crate
//! takes points in `f64`, in any space and unit, and returns the hull in the same space and unit.
//!
//! - [`ConvexHull::from_points`] builds one hull: extreme points, merged faces, edges, volume and surface area.
//! - [`ConvexHull::enclosing_hull`] finds a larger hull with few vertices that holds the given hull.
//! - [`HullBuilder`] builds many hulls in reused memory.
//! - [`ConvexHull::validate`] proves that a hull is the hull of the given points. It is meant for tests.
//!
//! # Exactness
//!
//! A set counts as flat only if it is exactly flat. Close calls are slow in a set whose coordinates span more than 300
//! powers of two, from the largest coordinate down to the lowest bit, because big integers decide them. A set of `f32`
//! coordinates never spans that much. Volume and area are `f64` sums in a fixed order.
#![forbid(unsafe_code)]

mod builder;
mod convex_hull;
mod error;
mod validate;
mod enclosing;
mod contraction;

mod scan;
mod quickhull;
mod facets;
mod planar;

mod plane;
mod predicates;
mod double_double;
mod exact_integer;
mod half_space_tree;

#[doc(hidden)]
pub mod fuzz;

pub use builder::HullBuilder;
pub use convex_hull::{ConvexHull, Face, HullShape};
pub use error::{HullError, MAX_POINTS};
pub use validate::InvalidHull;
