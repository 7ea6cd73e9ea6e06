//! The settings of a ragdoll.

use skeleton::NamePattern;

/// The settings of a character's ragdoll.
#[derive(Clone, Debug, PartialEq)]
pub struct RagdollSettings {
    /// The mass of the whole character in kilograms; `None` for 75 kg if it has a humanoid, and otherwise for the mass of
    /// water with the volume of the skin.
    pub mass: Option<f64>,
    /// The share of the poses of the clips that the limits of each constraint hold, 0.5 to 1.
    pub share: f64,
    /// Degrees that are added to each limit from clips, at least 0.
    pub slack: f64,
    /// A joint gets a body if the longest edge of its hitboxes is at least this share of the character's height. The
    /// hitboxes of a smaller joint belong to the body above. With the option `parts`, every part is a body.
    pub min_body: f64,
    /// Settings of single joints by patterns for joint names. A later entry wins.
    pub joints: Vec<(NamePattern, RagdollJointSettings)>,
}

/// The settings of the body of one joint and of the constraint that holds it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RagdollJointSettings {
    /// `true` if the joint gets a body; `None` for what its size says.
    pub body: Option<bool>,
    /// The mass of the body in kilograms; the other bodies share the rest of the mass.
    pub mass: Option<f64>,
    /// `true` if the constraint is a hinge; `None` for what the clips show.
    pub hinge: Option<bool>,
    /// The largest twist to both sides in degrees; for a hinge the largest turn.
    pub twist: Option<f64>,
    /// The largest swing to both sides in degrees: along the frame's axis y and along its axis z.
    pub swing: Option<[f64; 2]>,
    /// The torque towards the middle of the range, in N m for each radian.
    pub stiffness: Option<f64>,
    /// The torque against a turn, in N m for each radian per second.
    pub damping: Option<f64>,
}

impl Default for RagdollSettings {
    fn default() -> Self {
        Self { mass: None, share: 0.995, slack: 5.0, min_body: 0.06, joints: Vec::new() }
    }
}

impl RagdollSettings {
    /// The settings of one joint: of all entries that match its name, the last value of each field.
    pub(crate) fn of_joint(&self, name: &str) -> RagdollJointSettings {
        let mut all = RagdollJointSettings::default();
        for (_, one) in self.joints.iter().filter(|(pattern, _)| pattern.matches(name)) {
            all = RagdollJointSettings {
                body: one.body.or(all.body),
                mass: one.mass.or(all.mass),
                hinge: one.hinge.or(all.hinge),
                twist: one.twist.or(all.twist),
                swing: one.swing.or(all.swing),
                stiffness: one.stiffness.or(all.stiffness),
                damping: one.damping.or(all.damping),
            };
        }
        all
    }
}

/// The reason why a character has no ragdoll with these settings.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RagdollError {
    /// No hitbox of the role `hurt` is large enough for a body.
    #[error(
        "ragdoll: no hitbox is large enough for a body; check `min_body`, and that the character has hitboxes with the role \"hurt\""
    )]
    NoBody,
    /// The masses of single bodies leave nothing for the others.
    #[error(
        "ragdoll: single bodies have {given} kg together, but the whole character has {whole} kg; raise `mass`, or give the bodies less"
    )]
    Mass {
        /// The sum of the masses that the settings give to single bodies, in kilograms.
        given: f64,
        /// The mass of the whole character, in kilograms.
        whole: f64,
    },
    /// A length in meters is beyond what a file holds.
    #[error("ragdoll: the hitbox of joint {joint:?} is too large in meters; check the scale of the character")]
    TooLarge {
        /// The joint's name.
        joint: String,
    },
}
