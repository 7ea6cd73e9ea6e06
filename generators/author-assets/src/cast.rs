//! The characters in `assets/`.

use crate::character::Character;
use crate::human::{Puppet, motions};
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

/// A human character and how it is made.
#[derive(Clone, Copy, Debug)]
pub struct Human {
    /// The name of its file without extension.
    pub name: &'static str,
    /// The shape of the body.
    pub build: Build,
    /// The linear colors of skin and suit.
    pub colors: [[f64; 3]; 2],
}

/// The linear colors of eyeballs and pupils.
const EYE_COLORS: [[f64; 3]; 2] = [[0.8, 0.78, 0.75], [0.05, 0.03, 0.02]];

/// Both humans.
pub const HUMANS: [Human; 2] = [
    Human { name: "runa", build: RUNA, colors: [[0.60, 0.36, 0.24], [0.03, 0.22, 0.25]] },
    Human { name: "bruno", build: BRUNO, colors: [[0.68, 0.45, 0.34], [0.32, 0.05, 0.04]] },
];

/// Makes a human, shaped and animated.
///
/// # Errors
/// Returns an error if the data in the wheel cannot be read as expected.
pub fn human(wheel: &mut Wheel, human: &Human) -> Result<Character> {
    let body = makehuman::body(wheel, &human.build)?;
    let motions = motions(&Puppet::new(&body.rig, &body.surface.positions));
    Ok(Character {
        name: human.name.to_owned(),
        copyright: "CC0 1.0; body from MakeHuman's CC0 base mesh, targets and rig".to_owned(),
        colors: human.colors.into_iter().chain(EYE_COLORS).collect(),
        rig: body.rig,
        surface: body.surface,
        attachments: Vec::new(),
        motions,
    })
}
