//! Draws hitboxes as lines, in the colors of their tags.

use crate::{HitboxBodies, HitboxRef, HitboxSystems};
use bevy_app::{App, Plugin, PostUpdate};
use bevy_color::Color;
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_gizmos::prelude::{AppGizmoBuilder, GizmoConfigGroup, GizmoConfigStore, Gizmos};
use bevy_platform::collections::HashSet;
use bevy_reflect::Reflect;

/// Draws all hitboxes as lines. Needs Bevy's `GizmoPlugin`, which its renderer adds.
///
/// Switch the drawing on and off with `GizmoConfigStore::config_mut::<HitboxGizmos>().0.enabled`.
#[derive(Clone, Copy, Debug)]
pub struct HitboxGizmosPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

/// Draws in `PostUpdate`, the default schedule of [`BoneboxPlugin`](crate::BoneboxPlugin).
impl Default for HitboxGizmosPlugin {
    fn default() -> Self {
        Self::in_schedule(PostUpdate)
    }
}

impl HitboxGizmosPlugin {
    /// Draws in a schedule, which must be the schedule of [`BoneboxPlugin`](crate::BoneboxPlugin).
    #[must_use]
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Plugin for HitboxGizmosPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<HitboxGizmos>().add_systems(self.schedule, draw.in_set(HitboxSystems::Draw));
    }
}

/// The colors of hitboxes.
#[derive(Reflect, GizmoConfigGroup, Clone, Debug)]
pub struct HitboxGizmos {
    /// The colors of tags. A hitbox gets the color of the first tag in this list that it has. A hitbox with none of
    /// these tags gets a color that is computed from its first tag.
    pub tags: Vec<(String, Color)>,
    /// The color of hitboxes without tags.
    pub untagged: Color,
    /// The color of hitboxes that touch another character; `None` keeps the color of their tag.
    pub touching: Option<Color>,
}

impl Default for HitboxGizmos {
    fn default() -> Self {
        Self { tags: Vec::new(), untagged: Color::WHITE, touching: Some(Color::srgb(1.0, 0.2, 0.1)) }
    }
}

impl HitboxGizmos {
    /// The color of a hitbox that touches nothing.
    #[must_use]
    pub fn color(&self, hitbox: &HitboxRef) -> Color {
        if let Some((_, color)) = self.tags.iter().find(|(tag, _)| hitbox.has_tag(tag)) {
            return *color;
        }
        let Some(tag) = hitbox.tags.first() else { return self.untagged };
        // FNV-1a: the same color on every machine.
        let hash = tag.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        Color::hsl((hash % 360) as f32, 0.7, 0.6)
    }
}

fn draw(mut gizmos: Gizmos<HitboxGizmos>, config: Res<GizmoConfigStore>, bodies: Res<HitboxBodies>) {
    let (config, colors) = config.config::<HitboxGizmos>();
    if !config.enabled {
        return;
    }
    let touches = bodies.world().touches().iter();
    let touching: HashSet<(u64, u16)> =
        touches.flat_map(|touch| [(touch.body_a.0, touch.box_a.0), (touch.body_b.0, touch.box_b.0)]).collect();
    for entity in bodies.entities() {
        let Some(body) = bodies.body_id(entity).and_then(|id| bodies.world().body(id)) else { continue };
        for (hitbox, posed) in bodies.posed(entity) {
            let touches = touching.contains(&(entity.to_bits(), hitbox.box_index));
            let color = colors.touching.filter(|_| touches).unwrap_or_else(|| colors.color(&hitbox));
            for [from, to] in body.posed().lines(posed.index) {
                gizmos.line(from, to, color);
            }
        }
    }
}
