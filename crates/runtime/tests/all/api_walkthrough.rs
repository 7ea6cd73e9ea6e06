//! A tour of a server's tick, from loading a character to the hits.

use baked_characters::{baked_figure, baked_tube};
use geometry_core::{Obb, Ray};
use glam::{Affine3A, Quat, Vec3};
use runtime::{
    BodyId, BodySettings, Character, ClipIndex, CollisionLayers, HitboxWorld, LoopMode, QueryFilter, TouchPhase,
};
use std::sync::Arc;

const HURT: u32 = 1;
const STRIKE: u32 = 2;

/// The server's data about one fighter. `started` is the time when the clip was started, in seconds on the server's
/// clock.
struct Fighter {
    id: BodyId,
    place: Affine3A,
    clip: ClipIndex,
    started: f64,
}

#[test]
fn a_servers_tick() -> Result<(), Box<dyn std::error::Error>> {
    // Once, when the server starts: load the character from the bytes of its file, and look up the hitboxes that the
    // rules of the game need.
    let bytes = baked_format::write(&baked_figure("figure"))?; // std::fs::read("figure.bonebox")?
    let figure = Arc::new(Character::load(&bytes)?);
    let (walk, hands) = (figure.find_clip("walk").ok_or("no walk")?, figure.boxes_with_tag("hand")?);

    // Players join. Hitboxes in the layer STRIKE are tested only against hitboxes in the layer HURT. The hands are in
    // STRIKE, and are enabled only during an attack.
    let mut world = HitboxWorld::new();
    let hurt = CollisionLayers { memberships: HURT, mask: STRIKE };
    let strike = CollisionLayers { memberships: STRIKE, mask: HURT };
    let mut fighters = Vec::new();
    for number in 0..4u8 {
        let id = BodyId(u64::from(number));
        let team = Some(u32::from(number % 2));
        let settings = BodySettings { layers: hurt, team, continuous: true, ..BodySettings::default() };
        world.insert(id, Arc::clone(&figure), settings)?;
        world.set_box_layers(id, &hands, strike)?;
        world.set_boxes_enabled(id, &hands, false)?;
        world.track_joints(id, &["hand.r"])?;
        let place = Affine3A::from_translation(Vec3::Z * 0.5 * f32::from(number));
        fighters.push(Fighter { id, place, clip: walk, started: 0.1 * f64::from(number) });
    }
    world.set_boxes_enabled(BodyId(1), &hands, true)?; // an attack begins

    let (mut hurts, mut sweeps) = (0, Vec::new());
    let mut last_tick = HitboxWorld::new();
    for tick in 0..30u8 {
        let now = f64::from(tick) / 30.0;
        last_tick.clone_from(&world); // a state to roll back to; allocates nothing after the first ticks

        // Pose all bodies; with the feature `rayon`, on all threads. Here, the id of a fighter is its index in
        // `fighters`.
        world.pose_all(|id, body| {
            let fighter = &fighters[id.0 as usize];
            let time = LoopMode::Loop.clip_time(&body.character().clips()[fighter.clip.index()], now - fighter.started);
            body.pose_from_clip(&fighter.place, fighter.clip, time)
        })?;

        // The touches that started in this tick. The tags tell which hitboxes touch.
        world.update();
        for event in world.events().iter().filter(|event| event.phase == TouchPhase::Started) {
            let tags = |body, hitbox| world.body(body).and_then(|body| Some(body.character().hitbox(hitbox)?.tags));
            let (a, b) = (tags(event.touch.body_a, event.touch.box_a), tags(event.touch.body_b, event.touch.box_b));
            assert!(a.ok_or("a body")?.contains(&"hand".into()) || b.ok_or("a body")?.contains(&"hand".into()));
            let contact = world.contact(&event.touch).ok_or("a contact")?;
            hurts += u32::from(contact.depth > 0.0);
        }
        // The hits on the way from the last tick to this tick, however fast the bodies move.
        world.sweep_all(None, &QueryFilter::default(), &mut sweeps);
    }
    assert!(hurts > 0 && world.unposed_bodies().count() == 0);

    // A shot from fighter 0's hand along the row, toward +Z. It passes through the shooter and his team.
    let hand = world.body(BodyId(0)).and_then(|body| body.world_from_joint("hand.r")).ok_or("a hand")?;
    let shot = Ray::try_new(hand.translation.into(), Vec3::Z)?;
    let (own, team) = ([BodyId(0)], Some(0));
    let hit = world.cast_ray(&shot, 50.0, &QueryFilter { exclude: &own, team, ..QueryFilter::default() });
    assert!(hit.is_some_and(|hit| hit.body == BodyId(1) || hit.body == BodyId(3)));

    // A blade that swings through the row within one tick: the first hitbox that it hits, and the place of the hit.
    let blade = |z| Obb::try_from_orientation(Vec3::new(0.0, 1.2, z), Vec3::new(0.4, 0.02, 0.05), Quat::IDENTITY);
    let (from, to) = (blade(3.0)?, blade(-3.0)?);
    let hit = world.cast_shape(&from, &to, None, &QueryFilter::default()).ok_or("a hit")?;
    let contact = world.cast_contact(&from, &to, &hit).ok_or("a contact")?;
    assert_eq!(hit.body, BodyId(3));
    assert!((contact.point.z - 1.5).abs() < 0.5);

    // One fighter leaves. Another fighter is teleported: `reset_motion` makes sure that sweeps ignore the way to the
    // new place.
    world.remove(BodyId(3))?;
    fighters[2].place = Affine3A::from_translation(Vec3::X * 100.0);
    world.pose_from_rest(fighters[2].id, &fighters[2].place)?;
    world.reset_motion(fighters[2].id)?;
    assert!(world.cast_shape(&from, &to, None, &QueryFilter::default()).is_some_and(|hit| hit.body == BodyId(1)));

    // Go back to the state before the last tick.
    world.clone_from(&last_tick);
    assert_eq!(world.bodies().len(), 4);

    // Exact queries: they use the triangles of characters that were baked with the option `skin`.
    let tube = Arc::new(Character::from_baked(baked_tube("tube")));
    let mut duel = HitboxWorld::new();
    for (id, x) in [(BodyId(0), 0.0), (BodyId(1), 0.9)] {
        duel.insert(id, Arc::clone(&tube), BodySettings::default())?;
        duel.track_skin(id, true)?;
        duel.pose_from_rest(id, &Affine3A::from_translation(Vec3::new(x, 0.0, x)))?;
    }
    duel.update();
    let mut touching = Vec::new();
    duel.exact_touches(&QueryFilter::default(), &mut touching)?;
    assert!(!duel.touches().is_empty() && touching.is_empty(), "the corners of the boxes overlap, the skins do not");
    let shot = Ray::try_new(Vec3::new(-5.0, 1.3, 0.1), Vec3::X)?;
    let hit = duel.exact_ray(&shot, None, &QueryFilter::default())?.ok_or("a hit")?;
    assert!(hit.body == BodyId(0) && hit.front);
    Ok(())
}
