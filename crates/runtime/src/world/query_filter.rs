//! Filters that limit the bodies and hitboxes that a query of a world finds.

use super::{Body, BodyId, CollisionLayers};
use crate::{BoxIndex, Roles};
use std::fmt;

/// A function that returns `true` if a query may find this hitbox of this body.
pub type BoxPredicate<'a> = dyn Fn(&Body, BoxIndex) -> bool + Sync + 'a;

/// Limits the bodies and hitboxes that a query may find. The default finds all enabled hitboxes of the role
/// [`HitboxRole::Hurt`](baked_format::HitboxRole::Hurt).
///
/// A hitbox must meet all conditions that are set. A condition that is not set takes no time.
///
/// ```
/// use geometry_core::Ray;
/// use glam::{Affine3A, Vec3};
/// use runtime::{BodyId, BodySettings, BoxIndex, Character, HitboxWorld, QueryFilter};
/// use std::sync::Arc;
///
/// let arm = Arc::new(Character::load(&std::fs::read("tests/data/arm.bonebox")?)?);
/// let mut world = HitboxWorld::new();
/// for (id, team) in [(0, 1), (1, 1), (2, 2)] {
///     world.insert(BodyId(id), Arc::clone(&arm), BodySettings { team: Some(team), ..BodySettings::default() })?;
///     world.pose_from_rest(BodyId(id), &Affine3A::from_translation(Vec3::X * id as f32))?;
/// }
/// let shot = Ray::try_new(Vec3::Y * 1.5, Vec3::X)?; // from inside body 0
/// let hit_body = |filter: &QueryFilter| world.cast_ray(&shot, None, filter).map(|hit| hit.body.0);
/// assert_eq!(hit_body(&QueryFilter::default()), Some(0));
/// assert_eq!(hit_body(&QueryFilter::excluding(&[BodyId(0)])), Some(1));
/// assert_eq!(hit_body(&QueryFilter { only: Some(BodyId(2)), ..QueryFilter::default() }), Some(2));
/// assert_eq!(hit_body(&QueryFilter { team: Some(1), ..QueryFilter::default() }), Some(2));
/// assert_eq!(hit_body(&QueryFilter { tags: &["leg"], ..QueryFilter::default() }), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct QueryFilter<'a> {
    /// The only body that the query finds; `None` finds all bodies. A sweep needs two bodies, so with this field it finds
    /// nothing.
    pub only: Option<BodyId>,
    /// Bodies that the query does not find, such as the shooter or the owner of the blade. Ids that the world does not
    /// have are ignored.
    pub exclude: &'a [BodyId],
    /// The query does not find bodies of this team, for example the team of the shooter. `None` leaves out no team.
    pub team: Option<u32>,
    /// The query finds only hitboxes that interact with these layers, see [`CollisionLayers::interacts_with`]. If
    /// `mask` is 0, hitboxes of all layers are found. If `memberships` is 0, the hitboxes' masks are ignored. `None`
    /// ignores layers.
    pub layers: Option<CollisionLayers>,
    /// The query finds only hitboxes with one of these roles. The default finds the parts of figures that can be hit, and not
    /// the boxes in the air that strike, grab or notice.
    pub roles: Roles,
    /// The query finds only hitboxes that have at least one of these tags. An empty slice ignores tags. Tags are
    /// compared only for hitboxes that the query hits, so tags do not rule out a whole body. An exact query therefore
    /// returns an error for a near body that does not track its skin, even if none of the body's hitboxes has the tag.
    pub tags: &'a [&'a str],
    /// The query finds only hitboxes for which this function returns `true`. The function is called after all other
    /// conditions were tested. Like tags, it does not rule out a whole body.
    pub predicate: Option<&'a BoxPredicate<'a>>,
}

impl<'a> QueryFilter<'a> {
    /// A filter that finds everything except these bodies.
    #[must_use]
    pub fn excluding(exclude: &'a [BodyId]) -> Self {
        Self { exclude, ..Self::default() }
    }

    /// Returns `true` if the query may find any box of the body.
    #[inline]
    pub(super) fn admits_body(&self, body: &Body) -> bool {
        self.only.is_none_or(|only| only == body.id)
            && !self.exclude.contains(&body.id)
            && (self.team.is_none() || self.team != body.settings.team)
            && self.roles.meets(body.any_role)
            && self.admits_layers(body.any_layers)
    }

    /// Returns `true` if the query may find this box of a body that is [admitted](Self::admits_body).
    #[inline]
    pub(super) fn admits_box(&self, body: &Body, index: BoxIndex) -> bool {
        (body.has_one_layer() || self.admits_layers(body.layers_of_box(index)))
            && (self.roles.contains_all(body.any_role)
                || self.roles.contains(body.character.hitboxes.role(index.index())))
            && (self.tags.is_empty() || has_any_tag(body, index, self.tags))
            && self.predicate.is_none_or(|predicate| predicate(body, index))
    }

    fn admits_layers(&self, layers: CollisionLayers) -> bool {
        if layers == CollisionLayers::NONE {
            return false;
        }
        let Some(CollisionLayers { memberships, mask }) = self.layers else { return true };
        (mask == 0 || layers.memberships & mask != 0) && (memberships == 0 || memberships & layers.mask != 0)
    }
}

fn has_any_tag(body: &Body, index: BoxIndex, tags: &[&str]) -> bool {
    body.character.tags(index).iter().any(|tag| tags.contains(&tag.as_str()))
}

impl fmt::Debug for QueryFilter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueryFilter")
            .field("only", &self.only)
            .field("exclude", &self.exclude)
            .field("team", &self.team)
            .field("layers", &self.layers)
            .field("roles", &self.roles)
            .field("tags", &self.tags)
            .field("predicate", &self.predicate.map(|_| "a function"))
            .finish()
    }
}
