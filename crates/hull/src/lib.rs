//! Convex hulls of any finite points, with exact orientation predicates.
//!
//! **In:** points in `f64`, in any space and unit. **Out:** a [`ConvexHull`] that says what it found ([`HullShape`]: point,
//! segment, polygon or solid), with the extreme points, merged faces, edges, volume and surface area.
//! In bonebox it stands between the vertices of a joint and the box fitted around them.
//!
//! - [`ConvexHull::from_points`]: one hull.
//! - [`HullBuilder`]: many hulls in reused memory.
//! - [`ConvexHull::validate`]: proof that a hull is the hull of those points, for tests.
//!
//! ```
//! use glam::DVec3;
//! use hull::{ConvexHull, HullShape};
//!
//! // The corners of a cube far from the origin, its middle, and one corner twice.
//! let mut points: Vec<DVec3> = (0..8u32)
//!     .map(|i| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) + 1e6)
//!     .collect();
//! points.extend([DVec3::splat(1e6 + 0.5), points[3]]);
//!
//! let hull = ConvexHull::from_points(&points)?;
//! assert_eq!(hull.shape(), HullShape::Solid);
//! assert_eq!((hull.vertices().len(), hull.edges().len(), hull.faces().len()), (8, 12, 6));
//! assert_eq!((hull.volume(), hull.surface_area()), (1.0, 6.0));
//! assert!(!hull.source_indices().contains(&9), "of equal points the first is named");
//! # Ok::<(), hull::HullError>(())
//! ```
//!
//! # Conventions
//!
//! Every decision (is this point outside, are these triangles one face, is this set flat) is exact, for the whole range
//! of `f64`. So no point lies outside its hull, not even by a rounding error, and a set counts as flat only when it is
//! exactly flat. Where the coordinates of one set span more than 300 powers of two, from the largest coordinate down to
//! the lowest bit, near ties are decided in big integers, which is slow. A set of `f32` coordinates never spans that much.
//! Volume and area are `f64` sums in a fixed order. Nothing depends on the machine, nor on the order of the points.
#![forbid(unsafe_code)]

mod builder;
mod convex_hull;
mod double_double;
mod error;
mod exact_integer;
mod facets;
#[doc(hidden)]
pub mod fuzzing;
mod half_space_tree;
mod planar;
mod plane;
mod predicates;
mod quickhull;
mod scan;
mod validate;

pub use builder::HullBuilder;
pub use convex_hull::{ConvexHull, Face, HullShape};
pub use error::{HullError, MAX_POINTS};
pub use validate::InvalidHull;
