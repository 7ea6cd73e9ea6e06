//! The past of the hitboxes: what did this player see when he fired?

use crate::body::{HitboxBodies, body_id};
use crate::shape::{InvalidShape, ray};
use crate::{HitboxFilter, HitboxRayHit, HitboxRef, HitboxSystems};
use bevy_app::{App, Plugin, PostUpdate};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_ecs::system::SystemParam;
use bevy_shape::Ray3d;
use bonebox::rewind::{History, HistorySettings, Moment, MomentError, Rules, View};
use bonebox::{Bodies, BodyId, BodyRayHit};
use std::sync::Arc;

/// Records the hitboxes of each tick in [`HitboxHistory`], for [`HitboxRewind`]. Add it after
/// [`BoneboxPlugin`](crate::BoneboxPlugin), with the same schedule.
///
/// Characters that are posed by joint entities keep 48 bytes for each joint in each tick, or 28 if the joints do not
/// scale.
#[derive(Clone, Copy, Debug)]
pub struct HitboxRewindPlugin {
    schedule: Interned<dyn ScheduleLabel>,
    settings: HistorySettings,
}

/// Records 64 ticks, in `PostUpdate`.
impl Default for HitboxRewindPlugin {
    fn default() -> Self {
        Self::in_schedule(PostUpdate, HistorySettings::default())
    }
}

impl HitboxRewindPlugin {
    /// Records in a schedule of your choice: that of [`BoneboxPlugin::in_schedule`](crate::BoneboxPlugin::in_schedule).
    #[must_use]
    pub fn in_schedule(schedule: impl ScheduleLabel, settings: HistorySettings) -> Self {
        Self { schedule: schedule.intern(), settings }
    }
}

impl Plugin for HitboxRewindPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<HitboxBodies>();
        app.world_mut().resource_mut::<HitboxBodies>().world.keep_joints(true);
        app.insert_resource(HitboxHistory { history: History::new(self.settings), tick: 0 });
        app.add_systems(self.schedule, record.after(HitboxSystems::Pose).before(HitboxSystems::Test));
    }
}

/// The recorded ticks. [`HitboxRewind`] queries them with Bevy's types.
#[derive(Resource, Debug)]
pub struct HitboxHistory {
    history: History,
    tick: u64,
}

impl HitboxHistory {
    /// The number of the tick that was recorded last; 0 before the first. A server sends this number with each snapshot, so
    /// that a client can say which moment it drew.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// Marks a character that is teleported, or respawns, before the next tick is recorded. Nobody sees it between its two
    /// places.
    pub fn cut(&mut self, character: Entity) {
        self.history.cut(body_id(character));
    }

    /// The history, for questions that [`HitboxRewind`] does not offer. The number in a body's id has the bits of its
    /// entity: `Entity::from_bits(id.0)`.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }
}

pub(crate) fn record(bodies: Res<HitboxBodies>, mut history: ResMut<HitboxHistory>) {
    let tick = history.tick + 1;
    // Ticks are counted here, so each one is newer than the last.
    if history.history.record(tick, &bodies.world).is_ok() {
        history.tick = tick;
    }
}

/// Queries about the past of all characters with hitboxes.
///
/// ```
/// use bevy_bonebox::prelude::*;
/// use bevy_bonebox::{HitboxRewind, bonebox::rewind::{Moment, Rules}};
/// use bevy_ecs::prelude::*;
/// use bevy_shape::Ray3d;
///
/// /// A shot that a client reported, with the moment that it drew.
/// #[derive(Message)]
/// struct Shot {
///     shooter: Entity,
///     ray: Ray3d,
///     tick: u64,
///     fraction: f32,
/// }
///
/// fn shots(mut shots: MessageReader<Shot>, past: HitboxRewind) -> Result {
///     for shot in shots.read() {
///         let moment = Moment { tick: shot.tick, fraction: shot.fraction };
///         let own = [shot.shooter];
///         let hit = past.cast_ray(moment, &Rules::default(), shot.ray, 100.0, &HitboxFilter::excluding(&own))?;
///         if let Some(hit) = hit {
///             println!("{} was hit at {}", hit.hitbox.entity, hit.hitbox.joint_name);
///         }
///     }
///     Ok(())
/// }
/// ```
#[derive(SystemParam, Debug)]
pub struct HitboxRewind<'w> {
    bodies: Res<'w, HitboxBodies>,
    history: Res<'w, HitboxHistory>,
}

/// The reason why a question about the past has no answer. A client may send any numbers: refuse its shot.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HitboxRewindError {
    /// The ray is not finite.
    #[error(transparent)]
    Shape(#[from] InvalidShape),
    /// Nothing was recorded yet, or the moment is not a number.
    #[error(transparent)]
    Moment(#[from] MomentError),
}

impl HitboxRewind<'_> {
    /// Finds the first hitbox that the ray hit at a moment within `max_distance` (`f32::INFINITY` for no limit). A character
    /// that was despawned since is found too; its joint entity is `None`.
    ///
    /// # Errors
    /// Returns an error if the ray or the fraction of the moment is not a number, or if nothing was recorded.
    pub fn cast_ray(
        &self,
        moment: Moment,
        rules: &Rules<'_>,
        ray3d: Ray3d,
        max_distance: f32,
        filter: &HitboxFilter<'_>,
    ) -> Result<Option<HitboxRayHit>, HitboxRewindError> {
        let ray = ray(ray3d.origin, *ray3d.direction)?;
        let view = self.history.history.at_with(moment, rules)?;
        let hit = filter.ask(|filter| view.cast_ray(&ray, max_distance, filter));
        Ok(hit.and_then(|hit| self.ray_hit(&view, &ray3d, &hit)))
    }

    /// The world as it was at a moment, for other questions.
    ///
    /// # Errors
    /// Returns an error if the fraction of the moment is not a number, or if nothing was recorded.
    pub fn view<'s>(&'s self, moment: Moment, rules: &Rules<'s>) -> Result<View<'s>, MomentError> {
        self.history.history.at_with(moment, rules)
    }

    fn ray_hit(&self, view: &View<'_>, ray: &Ray3d, hit: &BodyRayHit) -> Option<HitboxRayHit> {
        let hitbox = self.name(view, hit.body, hit)?;
        Some(HitboxRayHit { hitbox, distance: hit.entry, point: ray.get_point(hit.entry), normal: hit.normal })
    }

    fn name(&self, view: &View<'_>, body: BodyId, hit: &BodyRayHit) -> Option<HitboxRef> {
        let entity = Entity::try_from_bits(body.0)?;
        if let Some(name) = self.bodies.name(entity, hit.box_index) {
            return Some(name);
        }
        let hitbox = view.body(body)?.character().hitbox(hit.box_index)?;
        Some(HitboxRef {
            entity,
            joint: None,
            joint_name: Arc::from(hitbox.joint_name),
            tags: hitbox.tags.into(),
            box_index: hit.box_index.0,
        })
    }
}
