//! The parts of a four-legged animal's body, guessed from the names, the hierarchy and the rest pose of joints.

mod guess;
#[cfg(test)]
mod naming_schemes;

use crate::{JointIndex, Skeleton};

/// A part of a four-legged animal's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum QuadrupedPart {
    /// The head, with ears and jaw.
    Head,
    /// The neck, if joints have its name.
    Neck,
    /// The joints that carry the head and the legs.
    Torso,
    /// The tail.
    Tail,
    /// The left front leg.
    FrontLeftLeg,
    /// The right front leg.
    FrontRightLeg,
    /// The left hind leg.
    HindLeftLeg,
    /// The right hind leg.
    HindRightLeg,
}

impl QuadrupedPart {
    /// Every part.
    pub const ALL: [Self; 8] = [
        Self::Head,
        Self::Neck,
        Self::Torso,
        Self::Tail,
        Self::FrontLeftLeg,
        Self::FrontRightLeg,
        Self::HindLeftLeg,
        Self::HindRightLeg,
    ];
}

/// The part of the body that each joint of a four-legged animal belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quadruped {
    parts: Vec<Option<QuadrupedPart>>,
}

/// The reason why a skeleton is not known to be a four-legged animal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QuadrupedError {
    /// No joint has the name of a head.
    #[error("no joint is called a head")]
    NoHead,
    /// All joints are at one place in the rest pose, or a place is not finite.
    #[error("the rest pose does not tell where the joints are")]
    NoRestPose,
    /// In the rest pose, the head is above the rest of the body, not in front of it.
    #[error("in the rest pose, the head is not in front of the body")]
    Upright,
    /// The rest pose has another number of pairs of legs than two. A pair hangs from the torso, and both its legs reach down
    /// at mirrored places.
    #[error("in the rest pose, {pairs} pairs of limbs hang from the body toward the ground, but a quadruped has 2")]
    Legs {
        /// The number of pairs.
        pairs: usize,
    },
    /// The legs are not in front of each other, or the head is between them.
    #[error("in the rest pose, the pairs of legs do not stand one behind the other, with the head in front")]
    Order,
    /// The legs and the head do not hang below one joint.
    #[error("the legs and the head do not hang below one joint")]
    Apart,
    /// The name of a joint has another side than the joint has in the rest pose.
    #[error("the name of the joint {joint:?} says another side than its place in the rest pose")]
    Side {
        /// The name of the joint.
        joint: String,
    },
    /// The name of a joint of the front legs is about hind legs, or that of a joint of the hind legs about front legs.
    #[error("the name of the joint {joint:?} says another pair of legs than its place in the rest pose")]
    Pair {
        /// The name of the joint.
        joint: String,
    },
    /// A joint has the name of a limb, but is not on one of the four legs.
    #[error("the joint {joint:?} has the name of a limb, but is on none of the four legs")]
    OtherLimb {
        /// The name of the joint.
        joint: String,
    },
}

impl Quadruped {
    /// Guesses the parts of a four-legged animal that stands on the ground in the rest pose, with +y up.
    ///
    /// The joints of the head have its name, and two mirrored pairs of limbs reach from the body down to the ground. The pair
    /// that is nearer to the head are the front legs, and the rest pose tells the sides. The tail points away from the head.
    ///
    /// # Errors
    /// Returns [`QuadrupedError`] if evidence is missing, or if names contradict the rest pose.
    pub fn guess(skeleton: &Skeleton) -> Result<Self, QuadrupedError> {
        Ok(Self { parts: guess::parts(skeleton)? })
    }

    /// Returns the part that a joint belongs to; `None` if nothing tells it.
    #[must_use]
    pub fn part(&self, joint: JointIndex) -> Option<QuadrupedPart> {
        self.parts.get(joint.index()).copied().flatten()
    }
}
