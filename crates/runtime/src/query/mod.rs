//! Queries about one or two posed characters.

pub(crate) mod body_motion;
mod box_distance;
pub(crate) mod box_pairs;
pub(crate) mod contact;
mod contact_points;
pub(crate) mod distance;
pub(crate) mod hit_search;
pub(crate) mod ray;
pub(crate) mod shape;
pub(crate) mod shape_cast;
pub(crate) mod sweep;
