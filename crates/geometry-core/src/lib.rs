//! Boxes and their tests in 2D and 3D: exact about their edges, at any size, place and angle.
//!
//! **In the flow:** the floor everything else stands on. Hulls and fits measure with [`fit`](#features), baked boxes
//! are [`PackedObb`]s in spirit, the run time's kernels follow the arithmetic of [`sat_obb_obb`]. It opens no files,
//! knows no characters, and keeps no state.
//!
//! **Main types:** [`Aabb`] and [`Obb`] in space, [`Aabb2`] and [`Obb2`] in the plane, and what they are tested against:
//! [`Sphere`], [`Capsule`], [`Plane`], [`Triangle`], [`Segment`], [`Ray`], [`Frustum`]. All are `Copy`.
//!
//! ```
//! use geometry_core::{Obb, Ray};
//! use glam::{Quat, Vec3};
//!
//! let head = Obb::from_orientation(Vec3::new(0.0, 1.7, 0.0), Vec3::new(0.1, 0.15, 0.12), Quat::from_rotation_y(0.4));
//! let fist = Obb::from_orientation(Vec3::new(0.15, 1.65, 0.1), Vec3::splat(0.06), Quat::from_rotation_x(0.2));
//!
//! let separation = head.separation(&fist);
//! assert!(head.overlaps(&fist) && separation.overlapping);
//! println!("{:?}, {} m deep", separation.axis, separation.depth());
//!
//! let shot = Ray::try_new(Vec3::new(0.0, 1.7, 5.0), Vec3::NEG_Z)?;
//! assert!(head.cast_ray(&shot, 100.0).is_some());
//! # Ok::<(), geometry_core::ShapeError>(())
//! ```
//!
//! # What against what
//!
//! | in space | point | AABB | OBB | sphere | capsule | plane | triangle | frustum | segment | ray |
//! |---|---|---|---|---|---|---|---|---|---|---|
//! | [`Aabb`] | [`contains`](Aabb::contains), [`distance`](Aabb::distance), [`closest_point`](Aabb::closest_point) | [`overlaps`](Aabb::overlaps), [`contains_aabb`](Aabb::contains_aabb), [`intersection`](Aabb::intersection) | [`Obb::overlaps_aabb`] | | | | | | | [`cast_ray`](Aabb::cast_ray) |
//! | [`Obb`] | [`contains`](Obb::contains), [`distance`](Obb::distance), [`closest_point`](Obb::closest_point) | [`overlaps_aabb`](Obb::overlaps_aabb) | [`overlaps`](Obb::overlaps), [`overlaps_cached`](Obb::overlaps_cached), [`separation`](Obb::separation), [`contains_obb`](Obb::contains_obb) | [`overlaps_sphere`](Obb::overlaps_sphere) | [`overlaps_capsule`](Obb::overlaps_capsule) | [`side_of_plane`](Obb::side_of_plane), [`distances_to_plane`](Obb::distances_to_plane) | [`overlaps_triangle`](Obb::overlaps_triangle) | [`overlaps_frustum`](Obb::overlaps_frustum) | [`overlaps_segment`](Obb::overlaps_segment), [`distance_to_segment`](Obb::distance_to_segment) | [`cast_ray`](Obb::cast_ray) |
//!
//! | moving | straight | straight and turning |
//! |---|---|---|
//! | [`Aabb`] | [`overlap_times`](Aabb::overlap_times): enter and leave | |
//! | [`Obb`] | [`overlap_times`](Obb::overlap_times): enter and leave | [`first_contact`](Obb::first_contact) |
//!
//! | in the plane | point | AABB | OBB | segment | ray | drag rectangle |
//! |---|---|---|---|---|---|---|
//! | [`Aabb2`] | [`contains`](Aabb2::contains), [`closest_point`](Aabb2::closest_point) | [`overlaps`](Aabb2::overlaps), [`contains_aabb`](Aabb2::contains_aabb) | [`Obb2::overlaps_aabb`] | | | |
//! | [`Obb2`] | [`contains`](Obb2::contains), [`distance`](Obb2::distance), [`closest_point`](Obb2::closest_point) | [`overlaps_aabb`](Obb2::overlaps_aabb) | [`overlaps`](Obb2::overlaps), [`minimum_translation`](Obb2::minimum_translation), [`contains_obb`](Obb2::contains_obb) | [`overlaps_segment`](Obb2::overlaps_segment) | [`cast_ray`](Obb2::cast_ray) | [`Marquee`] |
//!
//! | making | from | |
//! |---|---|---|
//! | [`Aabb`], [`Aabb2`] | corners, centre, points, an affine image ([`transformed`](Aabb::transformed)), transformed points ([`from_transformed_points`](Aabb::from_transformed_points)), [`union`](Aabb::union) | exact or rounded as said |
//! | [`Obb`] | centre, half extents and axes ([`try_new`](Obb::try_new)) or quaternion ([`try_from_orientation`](Obb::try_from_orientation)), an [`Aabb`], an affine image ([`transformed`](Obb::transformed)), points (`try_from_points`, feature `fit`), [`PackedObb`] | |
//! | [`Obb2`] | centre, half extents and angle, an [`Aabb2`], corners, points: [`try_from_points_pca`](Obb2::try_from_points_pca), [`try_from_points_min_area`](Obb2::try_from_points_min_area) | |
//!
//! # Conventions
//!
//! - **Spaces and units:** any, both shapes in one. Right-handed where it matters. Angles in radians.
//! - **Closed sets:** borders belong to the shapes, touching counts, and so do flat, line and point boxes.
//! - **Tolerances** are relative to the shapes' sizes and lean to contact: two shapes that share a point are always
//!   found to. Each test says by how much it leans; where it says nothing, by `f64` rounding.
//! - **Numbers:** `f32` in and out. Tests that can be close calls finish in `f64` on the numbers as stored, where a
//!   product of two of them is exact. No fused operations, no platform trigonometry: the same bits on every machine.
//! - **Refused at construction:** NaN, infinities, coordinates beyond [`MAX_COORDINATE`], negative sizes, axes that are
//!   not orthonormal. A shape that exists is sound, and no test panics on it.
//!
//! # Features
//!
//! | | |
//! |---|---|
//! | `std` (default) | square roots of the standard library; without it `no_std` with `alloc` |
//! | `libm` | what glam needs without `std` |
//! | `fit` | module `fit`: covariance of points and triangles, principal axes, `Obb::try_from_points` (nalgebra; for bakes, not for games) |
//! | `serde` | shapes by their parts, checked when read |
//! | `mint` | boxes to and from `mint`'s types |
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

mod error;
mod math;
#[cfg(feature = "mint")]
mod mint_parts;
#[cfg(feature = "serde")]
mod serde_parts;

pub mod portable;

pub mod aabb;
pub mod obb;
pub mod packed_obb;
pub mod shapes;
pub mod transform_obb;

pub mod round_obb;
pub mod sat_obb_convex;
pub mod sat_obb_obb;

pub mod ray_obb;

pub mod moving_aabb;
pub mod moving_obb;

pub mod aabb2;
pub mod fit2;
pub mod marquee;
pub mod obb2;
pub mod ray_obb2;
pub mod sat_obb2;

#[cfg(feature = "fit")]
pub mod fit;

#[doc(hidden)]
pub mod fuzz;

pub use aabb::Aabb;
pub use aabb2::Aabb2;
pub use error::{AXES_TOLERANCE, MAX_COORDINATE, ShapeError};
pub use marquee::{Marquee, MarqueeEdges, MarqueeMode};
pub use moving_aabb::TimeInterval;
pub use moving_obb::{Contact, ObbMotion};
pub use obb::{Obb, ObbError};
pub use obb2::Obb2;
pub use packed_obb::PackedObb;
pub use ray_obb::RayHit;
pub use ray_obb2::{Ray2, RayHit2};
pub use sat_obb_convex::PlaneSide;
pub use sat_obb_obb::{SatAxis, SatCache, Separation};
pub use shapes::{Capsule, ClipDepth, Frustum, Plane, Ray, Segment, Sphere, Triangle};
pub use transform_obb::TransformedObb;
