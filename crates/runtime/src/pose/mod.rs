//! Posed characters: the hitboxes of a pose in world space.

pub(crate) mod clone_in_place;
mod lines;
pub(crate) mod part_bounds;
pub(crate) mod posed_character;
pub(crate) mod posed_hitbox;
pub(crate) mod recipe;
mod recipe_bounds;
pub(crate) mod solid;
pub(crate) mod tracked_skin;
