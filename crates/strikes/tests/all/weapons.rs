//! Weapons that are no hitboxes.

use crate::scene::{BODY, Fight, Fighter, SPIN, SWORD, attack, baked_swordsman, one_swing, targets};
use baked_format::{Attack, BakedCharacter};
use geometry_core::{Obb, portable};
use glam::{Affine3A, Quat, Vec3};
use rewind::{History, HistorySettings};
use runtime::{
    AnimationRef, BodyId, BodySettings, BoxIndex, Character, ClipSampler, CollisionLayers, HitboxWorld, PoseLayer,
    PoseRecipeRef, PosedCharacter,
};
use std::sync::Arc;
use strikes::{Outcome, Strike, StrikeError, StrikeRules, Strikes, Swing, Weapon, WeaponError};
use test_models::Random;

/// A swordsman whose forearm is a short hand, from 0 to 0.1 above its joint.
fn baked_hand(seconds: f32, attacks: Vec<Attack>) -> BakedCharacter {
    let mut baked = baked_swordsman(seconds, 0.02, attacks, Vec::new());
    baked.boxes[SWORD.index()].half_extents = Vec3::new(0.02, 0.05, 0.02);
    baked.boxes[SWORD.index()].center = Vec3::Y * 0.05;
    baked.boxes[SWORD.index()].tags = vec!["hand".into()];
    baked
}

fn hand(seconds: f32, attacks: Vec<Attack>) -> Arc<Character> {
    Arc::new(Character::from_baked(baked_hand(seconds, attacks)))
}

/// A blade from 0.1 to 1.5 above the joint of the hand, carried by a joint without a hitbox, 1 above the hand.
fn blade(character: &Character, width: f32) -> Weapon {
    let (place, half) = Weapon::blade(Vec3::new(0.1, -0.9, 0.0), Vec3::new(0.0, 0.5, 0.05), width);
    Weapon::at_joint(character, "finger", place, half).unwrap()
}

/// The weapon's box of a body that was posed with its joint.
fn obb(posed: &PosedCharacter, weapon: &Weapon) -> Obb {
    let place = portable::affine_mul(&posed.world_from_joint(weapon.joint).unwrap(), &weapon.joint_from_weapon);
    Obb::try_new(place.translation.into(), weapon.half_extents, place.matrix3.into()).unwrap()
}

/// Samples all bodies `rate` times a second while the window is open, and returns the first time at which the weapon of the
/// first overlaps the body of each target.
fn twin(fighters: &[Fighter], weapon: &Weapon, window: [f32; 2], rate: f64) -> Vec<Option<f64>> {
    let mut sampler = ClipSampler::new();
    let (mut own, mut other, mut boxes) = (PosedCharacter::new(), PosedCharacter::new(), Vec::new());
    own.track_joints(&[weapon.joint]);
    let mut first = vec![None; fighters.len()];
    let [from, to] = window.map(f64::from);
    for step in 0..=((to - from) * rate).ceil() as u32 {
        let time = (from + f64::from(step) / rate).min(to);
        let character = &fighters[0].character;
        own.pose_from_clip(&mut sampler, character, &fighters[0].place(time), SPIN, time as f32).unwrap();
        let sword = obb(&own, weapon);
        for (target, found) in fighters.iter().zip(&mut first).skip(1).filter(|(_, found)| found.is_none()) {
            other.pose_from_rest(&target.character, &target.place(time)).unwrap();
            other.overlapping_boxes(&sword, &mut boxes);
            if boxes.iter().any(|one| one.box_index == BODY) {
                *found = Some(time);
            }
        }
    }
    first
}

/// 20 ticks a second and up to 80 degrees a tick: every body that the blade really meets, of a twin that samples 5,000 times a
/// second.
#[test]
fn a_sword_at_20_ticks_a_second_meets_every_body_that_it_really_meets() {
    let mut random = Random::new(23);
    let (mut met, mut found, mut grazed, mut by_hand, mut latest) = (0, 0, 0, 0, 0.0_f64);
    for _ in 0..30 {
        let turn_seconds = random.between(0.225, 0.6);
        let window = [turn_seconds * random.between(0.05, 0.3), turn_seconds * random.between(0.6, 0.9)];
        let mut slash = attack("slash", window[0], window[1]);
        slash.against = vec!["hurt".into()];
        let character = hand(turn_seconds, vec![slash]);
        let mut fighters = vec![Fighter::new(&character, Vec3::ZERO).playing(1.0)];
        for _ in 0..80 {
            let at = Vec3::new(random.between(-2.2, 2.2), random.between(-1.7, 2.7), random.between(-0.5, 0.5));
            let mut way = || random.between(-1.0, 1.0);
            fighters.push(Fighter::new(&character, at).moving(Vec3::new(way(), way(), way())));
        }
        let weapon = blade(&character, 0.04);
        let true_first = twin(&fighters, &weapon, window, 5000.0);
        let thicker_first = twin(&fighters, &blade(&character, 0.044), window, 20_000.0);
        for rate in [20.0, 60.0] {
            let mut swings = one_swing();
            swings.equip(BodyId(0), 7, &weapon).unwrap();
            let mut fight = Fight::new(fighters.clone(), rate);
            let strikes = fight.play(&mut swings, turn_seconds.into());
            for (target, first) in true_first.iter().enumerate().skip(1) {
                let of_target: Vec<_> = strikes.iter().filter(|one| one.target.0 == target as u64).collect();
                met += u32::from(first.is_some());
                match (first, of_target.as_slice()) {
                    (Some(first), [strike]) => {
                        found += 1;
                        if strike.attacker_weapon.is_some() {
                            latest = latest.max(fight.seconds_of(strike) - first);
                        }
                    }
                    (Some(first), []) => panic!("{rate} a second: body {target} is missed, met at {first}"),
                    (None, [strike]) if strike.attacker_weapon.is_none() => by_hand += 1,
                    (None, [strike]) => {
                        assert!(thicker_first[target].is_some(), "{rate} a second: {strike:?}");
                        grazed += 1;
                    }
                    (None, []) => {}
                    (_, more) => panic!("one strike for each target and group: {more:?}"),
                }
            }
        }
    }
    println!("{found} of {met}, {grazed} by at most 2 mm, {by_hand} by the hand alone; at most {latest} s late");
    assert!(met > 835 && found == met && grazed * 50 < found && latest < 5e-4);
}

fn fight(at: Vec3, attacks: Vec<Attack>) -> Fight {
    let character = hand(1.0, attacks);
    Fight::new(vec![Fighter::new(&character, Vec3::ZERO).playing(1.0), Fighter::new(&character, at)], 30.0)
}

/// A place that the blade meets after a quarter of its turn, out of reach of the hand.
const FAR: Vec3 = Vec3::new(-1.3, 0.5, 0.0);

fn armed(fight: &Fight, weapon: &Weapon) -> Strikes {
    let mut swings = one_swing();
    swings.equip(BodyId(0), 7, weapon).unwrap();
    assert_eq!(swings.weapons().collect::<Vec<_>>(), [(BodyId(0), 7, weapon.clone())]);
    assert_eq!(fight.fighters.len(), 2);
    swings
}

#[test]
fn a_strike_names_the_weapon_its_joint_and_its_holder() {
    let mut fight = fight(FAR, vec![attack("slash", 0.0, 0.9)]);
    let weapon = blade(&fight.fighters[0].character, 0.04);
    assert!(fight.play(&mut one_swing(), 0.9).is_empty());
    fight = self::fight(FAR, vec![attack("slash", 0.0, 0.9)]);
    let mut swings = armed(&fight, &weapon);
    let [strike] = fight.play(&mut swings, 0.9)[..] else { panic!("one strike") };
    assert_eq!((strike.attacker_weapon, strike.attacker_box, strike.attacker_joint.0), (Some(7), SWORD, 3));
    assert_eq!((strike.target_weapon, strike.target_box, strike.target_joint.0), (None, BODY, 1));
    // The point lies in the target's body.
    assert!((strike.point - (FAR + Vec3::Y * 1.5)).abs().cmple(Vec3::new(0.301, 0.501, 0.301)).all(), "{strike:?}");
}

#[test]
fn a_weapon_strikes_in_the_attacks_that_name_it_or_its_holder() {
    let attacks = || {
        let kick = Attack { boxes: vec![BODY.0], ..attack("kick", 0.0, 0.9) };
        vec![kick, attack("slash", 0.0, 0.9)]
    };
    let strike_with = |weapon: &dyn Fn(&Character) -> Weapon| {
        let mut fight = fight(FAR, attacks());
        let weapon = weapon(&fight.fighters[0].character);
        let mut swings = armed(&fight, &weapon);
        fight.play(&mut swings, 0.9).iter().map(|strike| strike.attack).collect::<Vec<_>>()
    };
    assert_eq!(strike_with(&|one| blade(one, 0.04)), [1]);
    assert_eq!(strike_with(&|one| blade(one, 0.04).in_attacks(one, &["kick"]).unwrap()), [0]);
    assert_eq!(strike_with(&|one| blade(one, 0.04).in_attacks(one, &["slash", "kick"]).unwrap()), [0, 1]);
    // The same place as above, but from the joint of a hitbox.
    let at_hand = |one: &Character| {
        let (place, half) = Weapon::blade(Vec3::new(0.1, 0.1, 0.0), Vec3::new(0.0, 1.5, 0.05), 0.04);
        Weapon::at_tag(one, "hand", place, half).unwrap()
    };
    assert_eq!(strike_with(&at_hand), [1]);
    let nothing = |one: &Character| Weapon { holder: BODY, ..blade(one, 0.04) };
    assert_eq!(strike_with(&nothing), [0]);
}

#[test]
fn a_weapon_is_taken_away_and_replaced() {
    let mut fight = fight(FAR, vec![attack("slash", 0.0, 0.9)]);
    let weapon = blade(&fight.fighters[0].character, 0.04);
    let mut swings = armed(&fight, &weapon);
    assert!(!swings.unequip(BodyId(0), 8) && !swings.unequip(BodyId(1), 7) && swings.unequip(BodyId(0), 7));
    assert!(fight.play(&mut swings, 0.1).is_empty());
    let short = Weapon { half_extents: Vec3::splat(0.01), ..weapon.clone() };
    swings.equip(BodyId(0), 7, &weapon).unwrap();
    swings.equip(BodyId(0), 7, &short).unwrap();
    assert_eq!(swings.weapons().map(|(.., one)| one).collect::<Vec<_>>(), [short]);
}

/// Two swords meet, and no body.
#[test]
fn weapons_clash_with_weapons_and_with_hitboxes() {
    let strong = |strength: f32| hand(1.0, vec![Attack { strength, ..attack("slash", 0.1, 0.9) }]);
    let clash = |armed: [bool; 2]| {
        let fighters = [strong(1.0), strong(2.0)].map(|one| Fighter::new(&one, Vec3::ZERO).playing(1.0));
        let weapon = blade(&fighters[0].character, 0.04);
        let [a, mut b] = fighters;
        b.start = Vec3::new(0.01, 0.0, 0.0);
        let mut fight = Fight::new(vec![a, b], 30.0);
        let mut swings = Strikes::new();
        for (id, is_armed) in (0..).zip(armed) {
            swings.begin(Swing::new(BodyId(id), 1, SPIN)).unwrap();
            if is_armed {
                swings.equip(BodyId(id), id as u32, &weapon).unwrap();
            }
        }
        let strikes = fight.play(&mut swings, 0.5);
        let clashes: Vec<Strike> =
            strikes.into_iter().filter(|one| matches!(one.outcome, Outcome::Clash { .. })).collect();
        let [one, other] = clashes[..] else { panic!("{clashes:?}") };
        assert_eq!([one.outcome, other.outcome], [false, true].map(|goes_on| Outcome::Clash { goes_on }));
        assert_eq!((one.attacker_weapon, one.target_weapon), (other.target_weapon, other.attacker_weapon));
        assert_eq!(one.normal, -other.normal);
        [one.attacker_weapon, one.target_weapon]
    };
    // The hands are in each other too, so at the same time the pair of hitboxes counts first.
    assert_eq!(clash([false, false]), [None, None]);
    assert_eq!(clash([true, true]), [None, None]);
    // With hands that are apart, the blades meet.
    let blades = |is_armed: bool, at: Vec3| {
        let mut fight = {
            let [a, b] = [strong(1.0), strong(2.0)];
            let own = Fighter::new(&a, Vec3::ZERO).playing(1.0);
            let other = Fighter::new(&b, at).playing(1.0);
            Fight::new(vec![own, other], 30.0)
        };
        let weapon = blade(&fight.fighters[0].character, 0.4);
        let mut swings = Strikes::new();
        for id in 0..2 {
            swings.begin(Swing::new(BodyId(id), 1, SPIN)).unwrap();
        }
        swings.equip(BodyId(0), 3, &weapon).unwrap();
        if is_armed {
            swings.equip(BodyId(1), 4, &weapon).unwrap();
        }
        let strikes = fight.play(&mut swings, 0.2);
        let clash = strikes.into_iter().find(|one| matches!(one.outcome, Outcome::Clash { .. }));
        clash.map(|one| (one.attacker, one.attacker_weapon, one.target_weapon, one.attacker_joint.0))
    };
    assert_eq!(blades(true, Vec3::X * 0.3), Some((BodyId(0), Some(3), Some(4), 3)));
    assert_eq!(blades(false, Vec3::Y * 0.25), Some((BodyId(0), Some(3), None, 3)));
}

#[test]
fn a_weapon_has_the_layers_of_its_holder() {
    let strike_with = |mask| {
        let mut fight = fight(FAR, vec![attack("slash", 0.0, 0.9)]);
        let character = Arc::clone(&fight.fighters[0].character);
        let layers = CollisionLayers { memberships: 1, mask };
        fight.world.set_box_layers(BodyId(0), &character.boxes_with_tag("hand").unwrap(), layers).unwrap();
        let mut swings = armed(&fight, &blade(&character, 0.04));
        fight.play(&mut swings, 0.9).len()
    };
    assert_eq!((strike_with(u32::MAX), strike_with(0)), (1, 0));
}

/// The joint of the weapon has no hitbox. It is found in layers and between two different animations, and refused where
/// the game records no matrix of it.
#[test]
fn the_socket_is_where_the_body_is() {
    let character = hand(1.0, vec![attack("slash", 0.0, 0.9)]);
    let weapon = blade(&character, 0.04);
    let by_layer = |world: &mut HitboxWorld, seconds| {
        let layers = [PoseLayer::blend(SPIN, seconds, 1.0)];
        let animation = AnimationRef::Layers(&layers);
        world.pose(BodyId(0), PoseRecipeRef { place: Affine3A::IDENTITY, animation }).unwrap();
    };
    let mut sampler = ClipSampler::new();
    let turned = |posed: &PosedCharacter| posed.world_from_joint(weapon.joint).unwrap();
    let at = |tick: u32| 0.05 * tick as f32;
    type Pose<'p> = &'p dyn Fn(&mut HitboxWorld, u32);
    let run = |pose: Pose<'_>| {
        let mut world = HitboxWorld::new();
        world.keep_joints(true);
        for id in 0..2 {
            world.insert(BodyId(id), Arc::clone(&character), BodySettings::default()).unwrap();
        }
        let mut history = History::new(HistorySettings { tick_seconds: 0.05, ..HistorySettings::default() });
        let (mut swings, mut strikes, mut all) = (one_swing(), Vec::new(), Vec::new());
        swings.equip(BodyId(0), 7, &weapon).unwrap();
        for tick in 0..=12 {
            pose(&mut world, tick);
            world.pose_from_rest(BodyId(1), &Affine3A::from_translation(FAR)).unwrap();
            history.record(tick.into(), &world).unwrap();
            if let Some(before) = u64::from(tick).checked_sub(1) {
                swings.advance(&history, [before, tick.into()], &StrikeRules::default(), &mut strikes)?;
                all.append(&mut strikes);
            }
        }
        Ok(all)
    };
    let by_clip =
        run(&|world, tick| world.pose_from_clip(BodyId(0), &Affine3A::IDENTITY, SPIN, at(tick)).unwrap()).unwrap();
    assert_eq!(targets(&by_clip), [1]);
    let by_layers = run(&|world, tick| by_layer(world, at(tick))).unwrap();
    assert_eq!(by_layers[0].time, by_clip[0].time);
    let by_turns = run(&|world, tick| match tick % 2 {
        0 => world.pose_from_clip(BodyId(0), &Affine3A::IDENTITY, SPIN, at(tick)).unwrap(),
        _ => by_layer(world, at(tick)),
    })
    .unwrap();
    assert!((by_turns[0].time - by_clip[0].time).abs() < 0.05, "{by_turns:?} {by_clip:?}");
    // A world that keeps matrices keeps those of joints with hitboxes.
    let matrices = run(&|world, _| {
        let joints = vec![Affine3A::IDENTITY; character.skeleton().len()];
        world.pose_from_world(BodyId(0), &joints).unwrap();
    });
    assert_eq!(matrices, Err(StrikeError::NoSocket { attacker: BodyId(0), weapon: 7, tick: 0 }));
    let mut posed = PosedCharacter::new();
    posed.track_joints(&[weapon.joint]);
    posed.pose_from_clip(&mut sampler, &character, &Affine3A::IDENTITY, SPIN, 0.25).unwrap();
    assert!((turned(&posed).translation - glam::Vec3A::new(-1.0, 2.0, 0.0)).length() < 1e-5);
}

#[test]
fn a_blade_runs_from_point_to_point() {
    let corners = |from: Vec3, to: Vec3, width: f32| {
        let (place, half) = Weapon::blade(from, to, width);
        Obb::try_new(place.translation.into(), half, place.matrix3.into()).unwrap()
    };
    let mut random = Random::new(3);
    for _ in 0..1000 {
        let (from, to) = (random.vector(), random.vector());
        let one = corners(from, to, 0.1);
        let ends = [one.center() - one.half_axes()[1], one.center() + one.half_axes()[1]];
        assert!((ends[0] - from).length() < 1e-5 && (ends[1] - to).length() < 1e-5);
        assert_eq!((one.half_extents().x, one.half_extents().z), (0.05, 0.05));
    }
    assert_eq!(corners(Vec3::X, Vec3::X, 0.2).half_extents(), Vec3::splat(0.1));
}

#[test]
fn what_does_not_fit_is_named() {
    let character = hand(1.0, vec![attack("slash", 0.0, 0.9)]);
    let at = Affine3A::from_rotation_translation(Quat::IDENTITY, Vec3::X);
    let text = |error: WeaponError| error.to_string();
    let joint = Weapon::at_joint(&character, "fist", at, Vec3::ONE).unwrap_err();
    assert_eq!(
        text(joint),
        "\"swordsman\" has no joint \"fist\", which carries the weapon; pass a name of its skeleton"
    );
    assert!(text(Weapon::at_tag(&character, "fist", at, Vec3::ONE).unwrap_err()).contains("its tags: hand, hurt"));
    let right = Weapon::at_tag(&character, "hand", at, Vec3::ONE).unwrap();
    let no_attack = right.clone().in_attacks(&character, &["slash", "stab"]).unwrap_err();
    assert_eq!(text(no_attack), "\"swordsman\" has no attack \"stab\"; its attacks: slash");
    let mut nobody = baked_hand(1.0, Vec::new());
    nobody.boxes.clear();
    nobody.states.clear();
    let nobody = Character::from_baked(nobody);
    assert!(matches!(Weapon::at_joint(&nobody, "finger", at, Vec3::ONE), Err(WeaponError::NoHitbox { .. })));

    let mut swings = one_swing();
    let wrong = StrikeError::Weapon { body: BodyId(0), weapon: 1 };
    for number in [f32::NAN, f32::INFINITY, 1e30, -0.1] {
        let half = Weapon { half_extents: Vec3::new(0.1, number, 0.1), ..right.clone() };
        assert_eq!(swings.equip(BodyId(0), 1, &half), Err(wrong));
        let mut place = right.clone();
        place.joint_from_weapon.matrix3.y_axis.x = number;
        assert_eq!(swings.equip(BodyId(0), 1, &place).is_err(), number != -0.1);
        swings.unequip(BodyId(0), 1);
    }
    assert_eq!(swings.equip(BodyId(0), 1, &Weapon { attacks: vec![2, 1], ..right.clone() }), Err(wrong));
    assert_eq!(swings, one_swing());
    // An index that the character does not have.
    let mut fight = fight(FAR, vec![attack("slash", 0.0, 0.9)]);
    fight.step();
    let others = [
        Weapon { holder: BoxIndex(9), ..right.clone() },
        Weapon { joint: skeleton::JointIndex(9), ..right.clone() },
        Weapon { joint: skeleton::JointIndex(u16::MAX), ..right },
    ];
    for weapon in others {
        let mut swings = armed(&fight, &weapon);
        let before = swings.clone();
        let mut strikes = Vec::new();
        let error = swings.advance(&fight.history, [0, 1], &StrikeRules::default(), &mut strikes).unwrap_err();
        assert_eq!(error, StrikeError::NoSocket { attacker: BodyId(0), weapon: 7, tick: 0 });
        assert!(swings == before && strikes.is_empty());
    }
}
