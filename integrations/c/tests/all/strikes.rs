//! Strikes: those of the Rust library, and their errors.

use crate::door::{OwnHistory, OwnWorld, all, assert_failed, asset, call, find_clip, insert, matrix, text, value};
use bonebox_c::*;
use glam::{Affine3A, Quat, Vec3};
use rewind::{History, HistorySettings};
use runtime::{BodyId, BodySettings, Character, HitboxWorld};
use std::ptr::{null, null_mut};
use std::sync::Arc;
use strikes::{StrikeRules, Strikes, Swing, Weapon};

struct OwnStrikes(*mut BoneboxStrikes);

impl Drop for OwnStrikes {
    fn drop(&mut self) {
        assert_eq!(unsafe { bonebox_strikes_free(self.0) }, BoneboxResult::Ok);
    }
}

impl OwnStrikes {
    fn new() -> Self {
        let mut made = null_mut();
        call(|error| unsafe { bonebox_strikes_new(&mut made, error) }).unwrap();
        Self(made)
    }

    fn copy(&self) -> Self {
        let mut made = null_mut();
        call(|error| unsafe { bonebox_strikes_clone(self.0, &mut made, error) }).unwrap();
        Self(made)
    }

    fn equals(&self, other: &Self) -> bool {
        value(|out, error| unsafe { bonebox_strikes_equal(self.0, other.0, out, error) }).unwrap()
    }

    fn advance(&self, history: &OwnHistory, tick: u64) -> Result<Vec<BoneboxStrike>, crate::door::Failed> {
        self.advance_seen(history, tick, &[], &[])
    }

    fn advance_seen(
        &self,
        history: &OwnHistory,
        tick: u64,
        seen: &[BoneboxSeen],
        own: &[BoneboxSeenBody],
    ) -> Result<Vec<BoneboxStrike>, crate::door::Failed> {
        let (of_seen, of_own) = ((seen.as_ptr(), seen.len()), (own.as_ptr(), own.len()));
        call(|error| unsafe {
            let (strikes, history, rules) = (self.0, history.0, null());
            bonebox_strikes_advance(
                strikes,
                history,
                tick,
                tick + 1,
                rules,
                of_seen.0,
                of_seen.1,
                of_own.0,
                of_own.1,
                error,
            )
        })?;
        all(|out, room, count, error| unsafe { bonebox_strikes_found(self.0, out, room, count, error) })
    }
}

const TICK: f64 = 1.0 / 60.0;

fn facing() -> Affine3A {
    Affine3A::from_rotation_translation(Quat::from_rotation_y(std::f32::consts::PI), Vec3::Z * 0.7)
}

/// Runa jabs Bruno, with and without a stick in her hand. A rollback of 8 ticks finds the same strikes.
#[test]
fn strikes_are_those_of_the_rust_library() {
    let (runa, bruno) = (asset("runa"), asset("bruno"));
    let load = |name: &str| {
        let path = format!("{}/../../assets/{name}.bonebox", env!("CARGO_MANIFEST_DIR"));
        Arc::new(Character::load(&std::fs::read(path).unwrap()).unwrap())
    };
    let (own_runa, own_bruno) = (load("runa"), load("bruno"));
    let (jab, idle) = (find_clip(&runa, "jab"), find_clip(&bruno, "idle"));
    for is_armed in [false, true] {
        let (world, history) = (OwnWorld::new(), OwnHistory::new(64, TICK).unwrap());
        insert(&world, 1, &runa);
        insert(&world, 2, &bruno);
        let mut own_world = HitboxWorld::new();
        own_world.insert(BodyId(1), Arc::clone(&own_runa), BodySettings::default()).unwrap();
        own_world.insert(BodyId(2), Arc::clone(&own_bruno), BodySettings::default()).unwrap();
        let mut own_history = History::new(HistorySettings { ticks: 64, tick_seconds: TICK });
        let (strikes, mut own) = (OwnStrikes::new(), Strikes::new());
        let swing = BoneboxSwing { attacker: 1, instance: 7, clip: jab, seconds: 0.0, speed: 1.0, loops: false };
        call(|error| unsafe { bonebox_strikes_begin(strikes.0, &swing, error) }).unwrap();
        own.begin(Swing::new(BodyId(1), 7, runtime::ClipIndex(jab))).unwrap();
        if is_armed {
            let (place, half) = Weapon::blade(Vec3::ZERO, Vec3::Y * 0.6, 0.04);
            let tag = own_runa.baked().attacks.iter().find(|one| one.clip.0 == jab).unwrap().boxes[0];
            let joint = own_runa.joint_name(own_runa.baked().boxes[usize::from(tag)].joint).to_owned();
            let weapon = Weapon::at_joint(&own_runa, &joint, place, half).unwrap();
            own.equip(BodyId(1), 3, &weapon).unwrap();
            let weapon = BoneboxWeapon {
                joint_from_weapon: matrix(&place),
                half_extents: half.into(),
                joint: weapon.joint.0,
                holder: weapon.holder.0,
            };
            call(|error| unsafe { bonebox_strikes_equip(strikes.0, 1, 3, &weapon, null(), 0, error) }).unwrap();
        }
        let (mut all_found, mut saved, mut own_found) = (Vec::new(), Vec::new(), Vec::new());
        for tick in 0..30_u64 {
            let seconds = tick as f32 * TICK as f32;
            let clip_pose = |body, place: &Affine3A, clip, seconds| BoneboxClipPose {
                body,
                world_from_model: matrix(place),
                clip,
                seconds,
            };
            let poses = [clip_pose(1, &Affine3A::IDENTITY, jab, seconds), clip_pose(2, &facing(), idle, 0.0)];
            call(|error| unsafe { bonebox_world_pose_from_clips(world.0, poses.as_ptr(), 2, error) }).unwrap();
            history.record(tick, &world).unwrap();
            own_world.pose_from_clip(BodyId(1), &Affine3A::IDENTITY, runtime::ClipIndex(jab), seconds).unwrap();
            own_world.pose_from_clip(BodyId(2), &facing(), runtime::ClipIndex(idle), 0.0).unwrap();
            own_history.record(tick, &own_world).unwrap();
            let Some(before) = tick.checked_sub(1) else { continue };
            saved.push(strikes.copy());
            let found = strikes.advance(&history, before).unwrap();
            own.advance(&own_history, [before, tick], &StrikeRules::default(), &mut own_found).unwrap();
            assert_eq!(found, own_found.iter().map(BoneboxStrike::from).collect::<Vec<_>>());
            all_found.push(found);
        }
        let [strike] = all_found.concat()[..] else { panic!("one strike: {all_found:?}") };
        assert_eq!((strike.attacker, strike.target, strike.instance), (1, 2, 7));
        assert_eq!((strike.outcome, strike.has_attacker_weapon), (BoneboxOutcome::Hit, is_armed));
        let attack =
            value(|out, error| unsafe { bonebox_character_attack(runa.0, strike.attack, out, error) }).unwrap();
        assert_eq!(text(attack.name), own_runa.baked().attacks[strike.attack as usize].name);
        assert!(text(attack.data).contains("damage"));
        let last = strikes.copy();
        let again = saved[saved.len() - 8].copy();
        for tick in saved.len() - 8..saved.len() {
            assert!(again.equals(&saved[tick]));
            assert_eq!(again.advance(&history, tick as u64).unwrap(), all_found[tick]);
        }
        assert!(again.equals(&last));
    }
}

/// Bruno stands before Runa's fist until tick 12 and has left when her fist comes. Her client drew him where he was.
#[test]
fn an_attacker_strikes_a_body_at_moments_of_its_own() {
    let (runa, bruno) = (asset("runa"), asset("bruno"));
    let (jab, idle) = (find_clip(&runa, "jab"), find_clip(&bruno, "idle"));
    let (world, history) = (OwnWorld::new(), OwnHistory::new(64, TICK).unwrap());
    insert(&world, 1, &runa);
    insert(&world, 2, &bruno);
    for tick in 0..=20_u64 {
        let seconds = tick as f32 * TICK as f32;
        let away = if tick <= 12 { Vec3::ZERO } else { Vec3::X * 50.0 };
        let pose = |body, place: Affine3A, clip, seconds| BoneboxClipPose {
            body,
            world_from_model: matrix(&place),
            clip,
            seconds,
        };
        let place = Affine3A::from_translation(away) * facing();
        let poses = [pose(1, Affine3A::IDENTITY, jab, seconds), pose(2, place, idle, 0.0)];
        call(|error| unsafe { bonebox_world_pose_from_clips(world.0, poses.as_ptr(), 2, error) }).unwrap();
        history.record(tick, &world).unwrap();
    }
    let seconds = 13.0 * TICK as f32;
    let swing = BoneboxSwing { attacker: 1, instance: 7, clip: jab, seconds, speed: 1.0, loops: false };
    let moment = |tick: u64| BoneboxMoment { tick, fraction: 0.0 };
    let play = |behind: Option<u64>| {
        let (strikes, mut found) = (OwnStrikes::new(), Vec::new());
        call(|error| unsafe { bonebox_strikes_begin(strikes.0, &swing, error) }).unwrap();
        for tick in 13..20 {
            let seen = [BoneboxSeen { attacker: 1, from: moment(tick), to: moment(tick + 1) }];
            let then = |tick: u64| moment(tick - behind.unwrap_or(0));
            let own = [BoneboxSeenBody { attacker: 1, body: 2, from: then(tick), to: then(tick + 1) }];
            let own = if behind.is_some() { &own[..] } else { &[] };
            found.extend(strikes.advance_seen(&history, tick, &seen, own).unwrap());
        }
        found.iter().map(|one| one.target).collect::<Vec<_>>()
    };
    assert_eq!((play(None), play(Some(0)), play(Some(8))), (vec![], vec![], vec![2]));
    let (seen, own) = (
        [BoneboxSeen { attacker: 1, from: moment(12), to: moment(13) }],
        [BoneboxSeenBody { attacker: 5, body: 2, from: moment(12), to: moment(13) }],
    );
    let strikes = OwnStrikes::new();
    assert_failed(strikes.advance_seen(&history, 12, &seen, &own), BoneboxResult::InvalidArgument, "attacker 5");
}

#[test]
fn errors_of_strikes_name_their_cause() {
    let (runa, strikes, history) = (asset("runa"), OwnStrikes::new(), OwnHistory::new(8, 0.1).unwrap());
    let swing = BoneboxSwing { attacker: 1, instance: 0, clip: 0, seconds: f32::NAN, speed: 1.0, loops: false };
    let begin = |swing| call(|error| unsafe { bonebox_strikes_begin(strikes.0, &swing, error) });
    assert_failed(begin(swing), BoneboxResult::InvalidArgument, "finite time");
    begin(BoneboxSwing { seconds: 0.0, ..swing }).unwrap();
    assert_failed(begin(BoneboxSwing { seconds: 0.0, ..swing }), BoneboxResult::InvalidArgument, "already");
    let speed =
        |instance, speed| call(|error| unsafe { bonebox_strikes_set_speed(strikes.0, 1, instance, speed, error) });
    assert_failed(speed(5, 1.0), BoneboxResult::NotFound, "no running swing 5");
    assert_failed(speed(0, -1.0), BoneboxResult::InvalidArgument, "speed");
    assert_failed(strikes.advance(&history, 3), BoneboxResult::InvalidArgument, "no tick 3");
    let end = |instance| value(|out, error| unsafe { bonebox_strikes_end(strikes.0, 1, instance, out, error) });
    assert_eq!((end(9).unwrap(), end(0).unwrap(), end(0).unwrap()), (false, true, false));
    let weapon = BoneboxWeapon {
        joint_from_weapon: matrix(&Affine3A::IDENTITY),
        half_extents: Vec3::new(0.1, -0.1, 0.1).into(),
        joint: 0,
        holder: 0,
    };
    let equip = call(|error| unsafe { bonebox_strikes_equip(strikes.0, 1, 2, &weapon, null(), 0, error) });
    assert_failed(equip, BoneboxResult::InvalidArgument, "half extents");
    let had = value(|out, error| unsafe { bonebox_strikes_unequip(strikes.0, 1, 2, out, error) });
    assert!(!had.unwrap());
    call(|error| unsafe { bonebox_strikes_hit_stop(strikes.0, 1, 2, 3, error) }).unwrap();
    let is_frozen = |body| value(|out, error| unsafe { bonebox_strikes_is_frozen(strikes.0, body, out, error) });
    assert_eq!((is_frozen(2).unwrap(), is_frozen(3).unwrap()), (true, false));
    call(|error| unsafe { bonebox_strikes_end_all(strikes.0, 2, error) }).unwrap();
    assert!(!is_frozen(2).unwrap());
    let count = unsafe { bonebox_character_attack_count(runa.0) };
    assert!(count > 0 && unsafe { bonebox_character_attack_count(null()) } == 0);
    let beyond = value(|out, error| unsafe { bonebox_character_attack(runa.0, count as u32, out, error) }).map(|_| ());
    assert_failed(beyond, BoneboxResult::NotFound, "attack");
}
