//! Inspectors and scene files see the components.

use crate::stage::Stage;
use bevy_bonebox::HitboxBinding;
use bevy_bonebox::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectComponent;
use bevy_reflect::{FromReflect, PartialReflect, TypePath};
use bevy_transform::components::Transform;
use std::any::TypeId;

#[test]
fn components_are_registered_and_can_be_read_and_written() {
    let mut stage = Stage::new();
    let root = stage.spawn_clip("runa", "idle", Transform::IDENTITY);
    stage.until_bound(&[root]);
    let registry = stage.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    for id in [
        TypeId::of::<Hitboxes>(),
        TypeId::of::<HitboxPose>(),
        TypeId::of::<HitboxSettings>(),
        TypeId::of::<HitboxBinding>(),
    ] {
        let registration = registry.get(id).unwrap();
        assert!(registration.type_info().type_path().starts_with("bevy_bonebox::"));
        assert!(registration.data::<ReflectComponent>().is_some());
    }
    let component = registry.get_type_data::<ReflectComponent>(TypeId::of::<HitboxPose>()).unwrap();
    let patch = HitboxPose::once("jab");
    component.apply(stage.world().entity_mut(root), patch.as_partial_reflect());
    assert_eq!(stage.world().get::<HitboxPose>(root), Some(&patch));
    let entity = stage.world().entity(root);
    let read = component.reflect(entity).unwrap();
    assert_eq!(HitboxPose::from_reflect(read.as_partial_reflect()), Some(patch));
    assert_eq!(HitboxTouch::short_type_path(), "HitboxTouch");
}
