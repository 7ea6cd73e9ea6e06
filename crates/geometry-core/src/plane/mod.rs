//! Rectangles in a plane, rays and segments against them, rectangles around points, and marquee selection.
//!
//! The plane may be a screen, a map or a board, in any unit, with y up or down. Both shapes of a test must be in the
//! same plane. The conventions are those of the [crate]: closed sets, tolerances relative to the shapes' sizes, and
//! angles in radians from x toward y.
//!
//! | | point | [`Aabb2`] | [`Obb2`] | segment | [`Ray2`] | [`Marquee`] |
//! |---|---|---|---|---|---|---|
//! | [`Aabb2`] | [`contains`](Aabb2::contains), [`closest_point`](Aabb2::closest_point) | [`overlaps`](Aabb2::overlaps), [`contains_aabb`](Aabb2::contains_aabb) | [`Obb2::overlaps_aabb`] | | | |
//! | [`Obb2`] | [`contains`](Obb2::contains), [`distance`](Obb2::distance), [`closest_point`](Obb2::closest_point) | [`overlaps_aabb`](Obb2::overlaps_aabb) | [`overlaps`](Obb2::overlaps), [`minimum_translation`](Obb2::minimum_translation), [`contains_obb`](Obb2::contains_obb) | [`overlaps_segment`](Obb2::overlaps_segment) | [`cast_ray`](Obb2::cast_ray) | [`selects`](Marquee::selects) |
//!
//! An [`Aabb2`] is made from bounds, a center, points, or an affine image. An [`Obb2`] is made from a center, half
//! extents and an angle, from an [`Aabb2`], from corners, or from points:
//! [`try_from_points_pca`](Obb2::try_from_points_pca) uses their principal axes, and
//! [`try_from_points_min_area`](Obb2::try_from_points_min_area) finds the smallest rectangle.

mod aabb2;
mod obb2;
mod sat_obb2;
mod ray_obb2;
mod fit2;
mod marquee;

pub use aabb2::Aabb2;
pub use marquee::{Marquee, MarqueeEdges, MarqueeMode};
pub use obb2::{CORNER_TOLERANCE, Obb2};
pub use ray_obb2::{Ray2, RayHit2};
