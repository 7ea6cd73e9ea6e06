//! Loads the characters of the crate `baked-characters`.

use runtime::Character;

pub(crate) fn arm(name: &str) -> Character {
    Character::from_baked(baked_characters::baked_arm(name))
}

pub(crate) fn figure(name: &str) -> Character {
    Character::from_baked(baked_characters::baked_figure(name))
}

pub(crate) fn tube(name: &str) -> Character {
    Character::from_baked(baked_characters::baked_tube(name))
}
