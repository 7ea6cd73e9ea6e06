//! The rules of a server for looks at the past.

use glam::Affine3A;
use runtime::{BodyId, Character, PoseRecipe, PoseRecipeRef};
use std::fmt;
use std::sync::Arc;

/// The poses that a view shows between two ticks.
#[derive(Clone, Copy, Default)]
pub enum Interpolation<'r> {
    /// Poses between those of the two ticks, as most clients draw them. If both ticks play the same clips, their times and
    /// weights are interpolated. Otherwise each joint turns the short way from one pose to the other.
    #[default]
    Interpolated,
    /// The pose of the nearer tick.
    Nearest,
    /// Poses of the client's own function. A pose that cannot be is counted in [`Refused`](crate::Refused), and its body is
    /// not shown.
    Own {
        /// Returns the pose that the client draws. It may be called on any thread that asks the view.
        pose: &'r (dyn Fn(&Between<'_>) -> PoseRecipe + Sync),
        /// The farthest that the bounds of a pose reach beyond those of [`Interpolation::Interpolated`] between the two
        /// ticks, in world units. A pose beyond it is refused. A large number poses more bodies, and infinity all bodies.
        margin: f32,
    },
}

/// A body at two recorded ticks, for [`Interpolation::Own`].
#[derive(Clone, Copy, Debug)]
pub struct Between<'a> {
    /// The id of the body.
    pub body: BodyId,
    /// Its character.
    pub character: &'a Arc<Character>,
    /// What was recorded at the tick before. A body that was posed with matrices has the place [`Affine3A::IDENTITY`], and
    /// `world_from_joint` as the matrices; joints that no pose needs have the identity.
    pub from: PoseRecipeRef<'a>,
    /// What was recorded at the tick after.
    pub to: PoseRecipeRef<'a>,
    /// The share of the way from `from` to `to`, more than 0 and less than 1.
    pub share: f32,
    /// The number of ticks from `from` to `to`.
    pub ticks: u64,
}

/// The place of a body that was posed with matrices.
pub(crate) const NO_PLACE: Affine3A = Affine3A::IDENTITY;

/// The rules that a server applies to each look at the past.
#[derive(Clone, Copy)]
pub struct Rules<'r> {
    /// The longest time back from the newest tick, in seconds. An older moment is replaced by the oldest that is allowed.
    pub max_back: f64,
    /// A body that moves farther than this from one tick to the next, in world units, was teleported: no view shows it in
    /// between. The place of a body that is posed with matrices is that of the first of its
    /// [needed joints](Character::needed_joints), a root.
    pub teleport_distance: f32,
    /// The poses between two ticks.
    pub interpolation: Interpolation<'r>,
    /// Returns `true` if anybody may ask about a body; `None` allows all bodies.
    pub may_ask: Option<&'r (dyn Fn(BodyId) -> bool + Sync)>,
    /// `true` if the bodies of the view keep their skin, for exact questions. Bodies without a skin are not affected.
    /// The skin has the base shape, because a history does not keep the weights of morph targets.
    pub track_skin: bool,
}

/// 0.25 seconds, 2 units from tick to tick, poses in between, all bodies, no skin.
impl Default for Rules<'_> {
    fn default() -> Self {
        Self {
            max_back: 0.25,
            teleport_distance: 2.0,
            interpolation: Interpolation::Interpolated,
            may_ask: None,
            track_skin: false,
        }
    }
}

/// The bodies that a view looked at and did not show, by reason. A body counts once, if a question reached its bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    /// [`Rules::may_ask`] did not allow the body.
    pub not_allowed: u32,
    /// The pose between the two ticks is not finite, or out of range, or does not fit the character.
    pub pose_failed: u32,
    /// The pose of [`Interpolation::Own`] lies outside its margin.
    pub out_of_margin: u32,
}

impl fmt::Debug for Interpolation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interpolated => f.write_str("Interpolated"),
            Self::Nearest => f.write_str("Nearest"),
            Self::Own { margin, .. } => f.debug_struct("Own").field("margin", margin).finish_non_exhaustive(),
        }
    }
}

impl fmt::Debug for Rules<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules")
            .field("max_back", &self.max_back)
            .field("teleport_distance", &self.teleport_distance)
            .field("interpolation", &self.interpolation)
            .field("may_ask", &self.may_ask.map(|_| "a function"))
            .field("track_skin", &self.track_skin)
            .finish()
    }
}
