//! Touches, as messages and as events for observers of characters.

use crate::body::HitboxBodies;
use crate::{HitboxRef, Hitboxes};
use bevy_ecs::prelude::*;
use bevy_reflect::Reflect;
use bonebox::{BodyId, BoxIndex, TouchPhase};

/// A touch of two hitboxes that starts, persists or ends. The plugin sends it as a message and as an event for
/// observers of both characters.
///
/// In each tick, the plugin writes one message for each pair of hitboxes; `own` is then the hitbox of the character
/// whose entity has the lesser bits. For observers of a character, `own` is the hitbox of that character.
///
/// ```
/// use bevy_bonebox::prelude::*;
/// use bevy_ecs::prelude::*;
///
/// fn hurt(touch: On<HitboxTouch>, names: Query<&Name>) {
///     if touch.phase == HitboxTouchPhase::Started && touch.other.has_tag("hand") {
///         println!("{:?} is hit at {}", names.get(touch.own.entity), touch.own.joint_name);
///     }
/// }
///
/// fn spawn(mut commands: Commands, assets: Res<bevy_asset::AssetServer>) {
///     commands.spawn(Hitboxes(assets.load("runa.bonebox"))).observe(hurt);
/// }
/// ```
#[derive(Message, EntityEvent, Reflect, Clone, Debug, PartialEq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct HitboxTouch {
    /// The hitbox of the character that the event is for.
    #[event_target]
    pub own: HitboxRef,
    /// The hitbox that `own` touches.
    pub other: HitboxRef,
    /// The change of the touch since the last tick.
    pub phase: HitboxTouchPhase,
}

/// The change of a touch since the last tick.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Clone, Debug, PartialEq, Hash)]
pub enum HitboxTouchPhase {
    /// The hitboxes touch, and did not touch at the last tick.
    Started,
    /// The hitboxes touch, and touched at the last tick.
    Persisted,
    /// The hitboxes no longer touch, or one of the characters was removed.
    Ended,
}

impl From<TouchPhase> for HitboxTouchPhase {
    fn from(phase: TouchPhase) -> Self {
        match phase {
            TouchPhase::Started => Self::Started,
            TouchPhase::Persisted => Self::Persisted,
            TouchPhase::Ended => Self::Ended,
        }
    }
}

/// Finds touches, and sends messages and events.
pub(crate) fn test(
    mut commands: Commands,
    mut bodies: ResMut<HitboxBodies>,
    mut messages: MessageWriter<HitboxTouch>,
    characters: Query<(), With<Hitboxes>>,
) {
    bodies.update();
    for event in bodies.world().events() {
        let phase = HitboxTouchPhase::from(event.phase);
        let name = |body: BodyId, index: BoxIndex| {
            let entity = Entity::try_from_bits(body.0)?;
            match phase {
                HitboxTouchPhase::Ended => bodies.name_ended(entity, index),
                HitboxTouchPhase::Started | HitboxTouchPhase::Persisted => bodies.name(entity, index),
            }
        };
        let touch = event.touch;
        let (Some(a), Some(b)) = (name(touch.body_a, touch.box_a), name(touch.body_b, touch.box_b)) else {
            debug_assert!(false, "a touch of a body without a record: {touch:?}");
            continue;
        };
        let there = HitboxTouch { own: b.clone(), other: a.clone(), phase };
        let here = HitboxTouch { own: a, other: b, phase };
        // A despawned character has no observers.
        for touch in [&here, &there] {
            if characters.contains(touch.own.entity) && (here.own.entity != here.other.entity || touch == &here) {
                commands.trigger(touch.clone());
            }
        }
        messages.write(here);
    }
    bodies.forget_removed();
}
