#![doc = include_str!("../README.md")]
//!
//! # Role in bonebox
//!
//! The bake fits boxes with the principal axes from `fit`. The kernels of the run time repeat the arithmetic of [`Obb::overlaps`]
//! bit for bit.
//!
//! # Main types
//!
//! - [`Aabb`] and [`Obb`] are the boxes.
//! - [`Sphere`], [`Capsule`], [`Plane`], [`Triangle`], [`Segment`], [`Ray`] and [`Frustum`] are the shapes that boxes are tested
//!   against. These shapes and the boxes are `Copy`.
//! - [`DCapsule`] is a capsule or a sphere in `f64`. It is tested against other capsules and spheres, against boxes, and against
//!   rays.
//! - [`PosedHull`] is a convex [`Hull`] of few corners that is placed by an affine map. It is tested against other hulls,
//!   capsules, spheres, boxes and rays.
//!
//! # Which test for which shapes
//!
//! | in space | point | AABB | OBB | sphere | capsule | plane | triangle | frustum | segment | ray |
//! |---|---|---|---|---|---|---|---|---|---|---|
//! | [`Aabb`] | [`contains`](Aabb::contains), [`distance`](Aabb::distance), [`closest_point`](Aabb::closest_point) | [`overlaps`](Aabb::overlaps), [`contains_aabb`](Aabb::contains_aabb), [`intersection`](Aabb::intersection) | [`Obb::overlaps_aabb`] | | | | | | | [`cast_ray`](Aabb::cast_ray) |
//! | [`Obb`] | [`contains`](Obb::contains), [`distance`](Obb::distance), [`closest_point`](Obb::closest_point) | [`overlaps_aabb`](Obb::overlaps_aabb) | [`overlaps`](Obb::overlaps), [`overlaps_cached`](Obb::overlaps_cached), [`separation`](Obb::separation), [`contains_obb`](Obb::contains_obb) | [`overlaps_sphere`](Obb::overlaps_sphere) | [`overlaps_capsule`](Obb::overlaps_capsule) | [`side_of_plane`](Obb::side_of_plane), [`distances_to_plane`](Obb::distances_to_plane) | [`overlaps_triangle`](Obb::overlaps_triangle) | [`overlaps_frustum`](Obb::overlaps_frustum) | [`overlaps_segment`](Obb::overlaps_segment), [`distance_to_segment`](Obb::distance_to_segment) | [`cast_ray`](Obb::cast_ray) |
//!
//! | in space | point | triangle | sphere | capsule | OBB | ray |
//! |---|---|---|---|---|---|---|
//! | [`Triangle`] | [`closest_point`](Triangle::closest_point), [`distance`](Triangle::distance) | [`overlaps`](Triangle::overlaps) (exact), [`touching_point`](Triangle::touching_point), [`closest_points`](Triangle::closest_points) | [`overlaps_sphere`](Triangle::overlaps_sphere) | [`overlaps_capsule`](Triangle::overlaps_capsule) | [`overlaps_obb`](Triangle::overlaps_obb) | [`cast_ray`](Triangle::cast_ray) |
//!
//! | in space | OBB | capsule, sphere | hull | ray |
//! |---|---|---|---|---|
//! | [`DCapsule`] | [`overlaps_obb`](DCapsule::overlaps_obb), [`separation_from_obb`](DCapsule::separation_from_obb) | [`overlaps`](DCapsule::overlaps), [`separation`](DCapsule::separation) | | [`cast_ray`](DCapsule::cast_ray) |
//! | [`PosedHull`] | [`overlaps_obb`](PosedHull::overlaps_obb), [`separation_from_obb`](PosedHull::separation_from_obb) | [`overlaps_capsule`](PosedHull::overlaps_capsule), [`separation_from_capsule`](PosedHull::separation_from_capsule) | [`overlaps`](PosedHull::overlaps), [`separation`](PosedHull::separation) | [`cast_ray`](PosedHull::cast_ray) |
//!
//! | moving | straight | straight and turning |
//! |---|---|---|
//! | [`Aabb`] | [`overlap_times`](Aabb::overlap_times): enter and leave | |
//! | [`Obb`] | [`overlap_times`](Obb::overlap_times): enter and leave | [`first_contact`](Obb::first_contact), of shapes in boxes [`first_contact_of`](ObbMotion::first_contact_of) |
//! | [`MovingShape`] | | [`first_contact`](MovingShape::first_contact) of hulls and of shapes in boxes |
//!
//! | making | from | |
//! |---|---|---|
//! | [`Aabb`] | corners, center, points, an affine image ([`transformed`](Aabb::transformed)), transformed points ([`from_transformed_points`](Aabb::from_transformed_points)), [`union`](Aabb::union) | the documentation of each function says whether it rounds |
//! | [`Obb`] | center, half extents and axes ([`try_new`](Obb::try_new)) or quaternion ([`try_from_orientation`](Obb::try_from_orientation)), an [`Aabb`], an affine image ([`transformed`](Obb::transformed)), points (`try_from_points`, feature `fit`), [`PackedObb`] | |
//!
//! # Conventions
//!
//! - **Spaces and units:** shapes may be in any space and any unit, but both shapes of a test must be in the same space
//!   and unit. Angles are in radians.
//! - **Closed sets:** the border belongs to the shape, so shapes that only touch overlap. Boxes may be flat, a line or a
//!   point.
//! - **Tolerances** are relative to the sizes of the shapes. Tests *lean to contact*: a test never misses two shapes
//!   that share a point, but may also report shapes with a gap that is smaller than its tolerance. Each test documents
//!   its tolerance. If a test documents none, its tolerance is the rounding of `f64`.
//! - **Numbers:** arguments and results are `f32`. A test whose answer can be a close call decides in `f64` on the
//!   stored numbers.
//! - **Constructors** refuse NaN, infinities, coordinates beyond [`MAX_COORDINATE`], negative sizes, and axes that are not
//!   orthonormal. `try_new` and the other `try_` functions return a [`ShapeError`]; `new`, `from_orientation` and the other
//!   functions without `try_` panic on the same arguments, in release builds too.
//! - **Triangles:** the test whether two triangles overlap is exact, without a tolerance; see [`triangle`].
//! - **In the plane:** [`plane`] has the same types and tests for rectangles.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

mod aabb;
mod obb;
mod packed_obb;
mod shapes;
mod error;
pub mod tolerances;

mod sat_obb_obb;
mod axis_lanes;
mod round_obb;
mod sat_obb_convex;
mod ray_obb;
mod segments;
mod dcapsule;
mod dcapsule_obb;
mod ray_capsule;
mod convex;
mod moving_aabb;
mod moving_obb;
mod lane_numbers;
mod widest_gap;
mod rotation;
mod moving_pair;
mod first_contact;
mod moving_round;
mod transform_obb;

pub mod plane;
pub mod triangle;

#[cfg(feature = "fit")]
pub mod fit;

pub mod portable;
mod math;

#[cfg(feature = "mint")]
mod mint_parts;
#[cfg(feature = "serde")]
mod serde_parts;

#[doc(hidden)]
pub mod fuzz;

pub use aabb::Aabb;
pub use convex::{Hull, HullMotion, MAX_HULL_CORNERS, MovingShape, PosedHull, ShapeDistance};
pub use dcapsule::{DCapsule, ShapeSeparation};
pub use error::{MAX_COORDINATE, MIN_DIRECTION, ShapeError};
pub use moving_aabb::TimeInterval;
pub use moving_obb::{FirstContact, ObbMotion};
pub use moving_round::BoxedShape;
pub use obb::Obb;
pub use packed_obb::PackedObb;
pub use ray_obb::RayHit;
pub use sat_obb_convex::PlaneSide;
pub use sat_obb_obb::{FirstStage, SatAxis, SatCache, Separation, first_stage, size_sum};
pub use segments::closest_on_segments;
pub use shapes::{Capsule, ClipDepth, Frustum, Plane, Ray, Segment, Sphere, Triangle};
pub use transform_obb::TransformedObb;
