//! What `HitboxGizmosPlugin` draws of hulls. `examples` counts the lines of boxes.

use crate::stage::{Stage, with_hulls};
use bevy_asset::Assets;
use bevy_bonebox::bonebox::BoxIndex;
use bevy_bonebox::{HitboxBodies, HitboxGizmos, HitboxGizmosPlugin};
use bevy_gizmos::{GizmoAsset, GizmoHandles, GizmoPlugin};
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use std::any::TypeId;
use std::path::Path;

#[test]
fn a_hull_is_drawn_by_its_edges() {
    let mut stage = Stage::new();
    stage.app.add_plugins((GizmoPlugin, HitboxGizmosPlugin::default()));
    stage.app.finish();
    stage.app.cleanup();
    stage.folder.insert_asset(Path::new("runa.bonebox"), with_hulls("runa"));
    let place = Transform::from_xyz(1.0, 2.0, 3.0).with_scale(Vec3::splat(1.5));
    let runa = stage.spawn("runa", place);
    stage.until_bound(&[runa]);
    stage.app.update();

    let handles = stage.world().resource::<GizmoHandles>().handles();
    let handle = handles.get(&TypeId::of::<HitboxGizmos>()).unwrap().clone().unwrap();
    let drawn = stage.world().resource::<Assets<GizmoAsset>>().get(&handle).unwrap().buffer().buffer();
    let mut lines: Vec<[Vec3; 2]> = drawn.list_positions.chunks(2).map(|ends| [ends[0], ends[1]]).collect();
    assert!(drawn.strip_positions.is_empty());

    // A hull of six tips has an edge between every two tips but for those across from each other.
    let bodies = stage.world().resource::<HitboxBodies>();
    let posed = bodies.world().body(bodies.body_id(runa).unwrap()).unwrap().posed();
    let hulls: Vec<_> = posed.boxes().map(|one| posed.posed_hull(BoxIndex(one.index.0)).unwrap()).collect();
    assert_eq!(lines.len(), 12 * hulls.len());
    for hull in hulls {
        let corners: Vec<Vec3> = hull.corners().collect();
        for from in 0..6 {
            for to in from + 1..6 {
                let edge = [corners[from], corners[to]];
                let known = lines.iter().position(|&[one, other]| edge == [one, other] || edge == [other, one]);
                assert_eq!(known.is_some(), from / 2 != to / 2, "{edge:?}");
                known.map(|line| lines.swap_remove(line));
            }
        }
    }
    assert!(lines.is_empty(), "{lines:?}");
}
