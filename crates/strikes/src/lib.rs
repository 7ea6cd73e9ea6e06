#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod clock;
mod contacts;
mod exact;
mod film;
mod outcome;
mod part;
mod running;
mod seen;
mod strike;
mod strikes;
mod swing;
mod tick;
mod weapon;

pub use seen::Seen;
pub use strike::{Outcome, Strike};
pub use strikes::{StrikeRules, Strikes};
pub use swing::{StrikeError, Swing};
pub use weapon::{Weapon, WeaponError};
