//! A box in the air that grabs, guards or notices is no part of the figure.

use baked_characters::baked_arm;
use geometry_core::{Ray, Sphere};
use glam::{Affine3A, Vec3};
use runtime::{
    BodyId, BodySettings, BoxIndex, Character, CollisionLayers, HitboxRole, HitboxWorld, QueryFilter, Roles,
};
use std::sync::Arc;

/// An arm whose second box is in the air, 5 units in front of it, with the tags of the arm.
fn grabber(role: HitboxRole) -> Character {
    let mut baked = baked_arm("grabber");
    baked.boxes[1].center += Vec3::Z * 5.0;
    baked.boxes[1].role = role;
    Character::from_baked(baked)
}

fn world(role: HitboxRole) -> HitboxWorld {
    let mut world = HitboxWorld::new();
    world.insert(BodyId(1), Arc::new(grabber(role)), BodySettings::default()).unwrap();
    world.pose_from_rest(BodyId(1), &Affine3A::IDENTITY).unwrap();
    world.update();
    world
}

fn of(role: HitboxRole) -> QueryFilter<'static> {
    QueryFilter { roles: role.into(), ..QueryFilter::default() }
}

#[test]
fn a_shot_without_a_filter_passes_through_a_box_in_the_air() {
    for role in HitboxRole::ALL {
        let world = world(role);
        let air = world.body(BodyId(1)).unwrap().posed_hitbox(BoxIndex(1)).unwrap().center;
        let shot = Ray::try_new(air - Vec3::X * 9.0, Vec3::X).unwrap();
        let ball = Sphere::try_new(air, 0.1).unwrap();
        let away = Sphere::try_new(air + Vec3::Y * 0.01, 0.1).unwrap();
        let arm = QueryFilter { tags: &["arm"], ..QueryFilter::default() };
        for filter in [QueryFilter::default(), arm] {
            let is_hurt = role == HitboxRole::Hurt;
            assert_eq!(world.cast_ray(&shot, None, &filter).is_some(), is_hurt, "{role:?}");
            assert_eq!(world.overlaps_shape(&ball, &filter), is_hurt, "{role:?}");
            assert_eq!(world.cast_shape_any(&ball, &away, None, &filter), is_hurt, "{role:?}");
        }
        for asked in HitboxRole::ALL {
            assert_eq!(world.cast_ray(&shot, None, &of(asked)).is_some(), asked == role, "{role:?} {asked:?}");
        }
        let everything = QueryFilter { roles: Roles::ALL, ..QueryFilter::default() };
        assert_eq!(world.cast_ray(&shot, None, &everything).unwrap().box_index, BoxIndex(1));
        let nothing = QueryFilter { roles: Roles::NONE, ..QueryFilter::default() };
        assert!(!world.overlaps_shape(&ball, &nothing));
    }
}

/// The roles of two boxes at the same place decide whether they touch; layers of its own free a box of this rule.
#[test]
fn sensors_touch_nothing_until_the_game_gives_them_layers() {
    use HitboxRole::{Grab, Guard, Hurt, Strike};
    let pairs = [(Hurt, Hurt), (Hurt, Strike), (Hurt, Grab), (Strike, Guard)];
    for one in HitboxRole::ALL {
        for other in HitboxRole::ALL {
            let mut world = world(one);
            world.insert(BodyId(2), Arc::new(grabber(other)), BodySettings::default()).unwrap();
            world.pose_from_rest(BodyId(2), &Affine3A::IDENTITY).unwrap();
            let touch = |world: &HitboxWorld| {
                world.touches().iter().any(|touch| (touch.box_a, touch.box_b) == (BoxIndex(1), BoxIndex(1)))
            };
            world.update();
            let expected = pairs.contains(&(one, other)) || pairs.contains(&(other, one));
            assert_eq!(touch(&world), expected, "{one:?} {other:?}");
            for id in [BodyId(1), BodyId(2)] {
                let character = Arc::clone(world.body(id).unwrap().character());
                let air = character.boxes_with_role(character.role(BoxIndex(1)));
                world.set_box_layers(id, &air, CollisionLayers::default()).unwrap();
            }
            world.update();
            assert!(touch(&world), "{one:?} {other:?}");
        }
    }
}
