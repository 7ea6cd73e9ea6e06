//! The roles of hitboxes: what queries find, and which hitboxes of two bodies meet.

use baked_format::HitboxRole;

/// A set of roles, for [`QueryFilter::roles`](crate::QueryFilter::roles). The default has only [`HitboxRole::Hurt`].
///
/// ```
/// use runtime::{HitboxRole, Roles};
/// let solid = Roles::from(HitboxRole::Hurt).with(HitboxRole::Guard);
/// assert!(solid.contains(HitboxRole::Guard) && !solid.contains(HitboxRole::Grab));
/// assert!(Roles::default().contains(HitboxRole::Hurt) && !Roles::default().contains(HitboxRole::Guard));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Roles(u8);

impl Roles {
    /// Every role.
    pub const ALL: Self = Self((1 << HitboxRole::ALL.len()) - 1);
    /// No role: a query with this set finds nothing.
    pub const NONE: Self = Self(0);

    const fn one(role: HitboxRole) -> Self {
        Self(1 << role as u8)
    }

    /// The set and one more role.
    #[must_use]
    pub const fn with(self, role: HitboxRole) -> Self {
        Self(self.0 | Self::one(role).0)
    }

    /// Returns `true` if the set has the role.
    #[must_use]
    #[inline]
    pub const fn contains(self, role: HitboxRole) -> bool {
        self.meets(Self::one(role))
    }

    /// Returns `true` if the sets have a role in common.
    #[inline]
    pub(crate) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns `true` if the set has every role of the other set.
    #[inline]
    pub(crate) const fn contains_all(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// The roles that a hitbox of this role meets if the game gives it no layers of its own.
    pub(crate) const fn met_by(role: HitboxRole) -> Self {
        match role {
            HitboxRole::Hurt => Self::ALL,
            HitboxRole::Strike => Self::one(HitboxRole::Hurt).with(HitboxRole::Guard),
            HitboxRole::Grab => Self::one(HitboxRole::Hurt),
            HitboxRole::Guard => Self::one(HitboxRole::Strike),
            HitboxRole::Sensor => Self::NONE,
        }
    }
}

/// Only [`HitboxRole::Hurt`].
impl Default for Roles {
    fn default() -> Self {
        Self::one(HitboxRole::Hurt)
    }
}

impl From<HitboxRole> for Roles {
    fn from(role: HitboxRole) -> Self {
        Self::one(role)
    }
}

impl FromIterator<HitboxRole> for Roles {
    fn from_iter<I: IntoIterator<Item = HitboxRole>>(roles: I) -> Self {
        roles.into_iter().fold(Self::NONE, Self::with)
    }
}
