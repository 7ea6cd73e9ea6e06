//! Draws hitboxes as lines, in the colors of their tags.

use crate::{HitboxBodies, HitboxRef, HitboxSystems};
use bevy_app::{App, Plugin, PostUpdate};
use bevy_color::Color;
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_gizmos::prelude::{AppGizmoBuilder, GizmoConfigGroup, GizmoConfigStore, GizmoPrimitive3d, Gizmos};
use bevy_math::{Isometry3d, Mat4, Quat, Vec3};
use bevy_platform::collections::HashSet;
use bevy_reflect::Reflect;
use bevy_shape::Capsule3d;
use bonebox::{Body, BoxIndex, HitboxShape, PosedHitbox};

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
        let body = bodies.body_id(entity).and_then(|id| bodies.world().body(id));
        for (hitbox, posed) in bodies.posed(entity) {
            let touches = touching.contains(&(entity.to_bits(), hitbox.box_index));
            let color = colors.touching.filter(|_| touches).unwrap_or_else(|| colors.color(&hitbox));
            let place = || Isometry3d::new(posed.center, Quat::from_mat3(&posed.axes));
            let half = posed.half_extents;
            match posed.shape {
                HitboxShape::Box => gizmos.cube(world_from_unit_cube(&posed), color),
                HitboxShape::Hull => match body.and_then(|body| hull_edges(body, posed.index)) {
                    Some(edges) => edges.for_each(|[from, to]| gizmos.line(from, to, color)),
                    // A hull that the pose flattens is tested as its box.
                    None => gizmos.cube(world_from_unit_cube(&posed), color),
                },
                HitboxShape::Capsule => {
                    gizmos.primitive_3d(&Capsule3d::new(half.x, 2.0 * (half.y - half.x)), place(), color);
                }
                HitboxShape::Sphere => {
                    gizmos.sphere(place(), half.x, color);
                }
            }
        }
    }
}

/// Returns the edges of a hitbox that is a hull, each once, in world space. `None` if the hitbox is no hull, or the pose flattens
/// the hull.
fn hull_edges(body: &Body, index: BoxIndex) -> Option<impl Iterator<Item = [Vec3; 2]>> {
    let corners: Vec<Vec3> = body.posed().posed_hull(index)?.corners().map(|corner| corner.as_vec3()).collect();
    let triangles = body.character().hitbox(index)?.baked.hull.as_ref()?.triangles.iter();
    // Neighbors have their common edge in opposite directions.
    let edges = triangles.flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).filter(|[from, to]| from < to);
    Some(edges.map(move |ends| ends.map(|end| corners[usize::from(end)])))
}

/// Returns the transform from the cube with side length 1 around the origin to the hitbox's box.
fn world_from_unit_cube(posed: &PosedHitbox) -> Mat4 {
    let size: Vec3 = 2.0 * posed.half_extents;
    let axes = posed.axes;
    Mat4::from_cols(
        (axes.x_axis * size.x).extend(0.0),
        (axes.y_axis * size.y).extend(0.0),
        (axes.z_axis * size.z).extend(0.0),
        posed.center.extend(1.0),
    )
}
