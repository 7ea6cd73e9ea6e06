//! What the attacks of two fighters hit.

use crate::duel::Fighter;
use rewind::{History, HistorySettings};
use runtime::{BodyId, BodySettings, Character, HitboxWorld, LoopMode};
use serde::Serialize;
use serde_json::Value;
use skeleton::printable;
use std::fmt;
use std::sync::Arc;
use strikes::{Outcome, Strike, StrikeRules, Strikes, Swing};

/// One of the two characters of a duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The first character, at the origin.
    A,
    /// The second character.
    B,
}

/// What an attack did when it met the other character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum StrikeOutcome {
    /// [`Outcome::Hit`].
    Hit,
    /// [`Outcome::Trade`].
    Trade,
    /// [`Outcome::Guard`].
    Guard,
    /// [`Outcome::Armor`].
    Armor,
    /// [`Outcome::Invulnerable`].
    Invulnerable,
    /// [`Outcome::Clash`].
    Clash,
    /// [`Outcome::Grab`].
    Grab,
    /// [`Outcome::Throw`].
    Throw,
}

impl From<Outcome> for StrikeOutcome {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Invulnerable => Self::Invulnerable,
            Outcome::Clash { .. } => Self::Clash,
            Outcome::Grab => Self::Grab,
            Outcome::Throw => Self::Throw,
            Outcome::Guard => Self::Guard,
            Outcome::Armor => Self::Armor,
            Outcome::Trade => Self::Trade,
            Outcome::Hit => Self::Hit,
        }
    }
}

/// Writes the word of the JSON, such as `hit`.
impl fmt::Display for StrikeOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// One attack that met the other character.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DuelStrike {
    /// The tick before the strike, or at it.
    pub tick: u32,
    /// The time in seconds since the duel began.
    pub time: f64,
    /// What happened.
    pub outcome: StrikeOutcome,
    /// The character that attacks.
    pub attacker: Side,
    /// The attack's name.
    pub attack: String,
    /// The time of the attacker's clip, in seconds on the clip's own clock.
    pub clip_time: f32,
    /// The joint of the attacker's hitbox, by name.
    pub joint: String,
    /// The tags of the attacker's hitbox.
    pub tags: Vec<String>,
    /// The attacker's hitbox, by number.
    pub hitbox: u16,
    /// The joint of the hitbox that was met, by name.
    pub target_joint: String,
    /// The hitbox that was met, by number.
    pub target_hitbox: u16,
    /// The tags of the hitbox that was met.
    pub target_tags: Vec<String>,
    /// The middle of the contact, in world space.
    pub point: [f32; 3],
    /// The unit direction of the contact in world space, from the attacker's hitbox towards the other.
    pub normal: [f32; 3],
    /// The depth of the contact, in world units.
    pub depth: f32,
    /// What the attack carries for the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "unknown"))]
    pub data: Option<Value>,
}

/// Returns the strikes of a duel, sorted by time. Each repetition of a clip is a swing of its own. Nobody is hurt or
/// interrupted: only clashes end swings.
///
/// `fps` are the ticks per second, and `ticks` is their number, as in [`duel::ticks`](crate::duel::ticks). If both fighters
/// [track their skin](Fighter::track_skin), a strike counts only if it touches the skin, and its point is on the skin.
///
/// # Errors
/// Returns an error if a pose is not finite, or if a tick is longer than half of the clip of a fighter with attacks.
pub fn strikes_of_duel(fighters: [&Fighter; 2], fps: f32, ticks: u32) -> anyhow::Result<Vec<DuelStrike>> {
    let exact = fighters.iter().all(|fighter| fighter.tracks_skin());
    let rules = StrikeRules { exact, ..StrikeRules::default() };
    let tick_seconds = 1.0 / f64::from(fps);
    let characters = fighters.map(|fighter| Arc::new(fighter.character().clone()));
    let clips = [0, 1]
        .map(|side: usize| Some((fighters[side].clip()?, &characters[side].clips()[fighters[side].clip()?.index()])));
    let attacks_of = |side: usize| fighters[side].attacks();
    let mut found = Vec::new();
    if attacks_of(0).chain(attacks_of(1)).next().is_none() {
        return Ok(found);
    }
    for (side, clip) in clips.iter().enumerate() {
        if let Some((_, clip)) = clip.filter(|_| attacks_of(side).next().is_some()) {
            anyhow::ensure!(
                2.0 * tick_seconds <= f64::from(clip.seconds()),
                "a tick of {tick_seconds} s is longer than half of the clip {}, so its strikes are not known; raise the ticks per second",
                printable(&clip.name)
            );
        }
    }
    let bodies = [BodyId(0), BodyId(1)];
    let mut world = HitboxWorld::new();
    for (body, character) in bodies.into_iter().zip(&characters) {
        world.insert(body, Arc::clone(character), BodySettings::default())?;
    }
    let mut history = History::new(HistorySettings { ticks: 2, tick_seconds });
    let (mut swings, mut struck) = (Strikes::new(), Vec::new());
    // The number of the repetition that begins next, for each fighter.
    let mut next = [0_u32; 2];
    for tick in 0..ticks {
        let time = f64::from(tick) * tick_seconds;
        for (side, body) in bodies.into_iter().enumerate() {
            let place = fighters[side].place();
            match clips[side] {
                Some((index, clip)) => {
                    // As in a duel without strikes, to the last bit.
                    let now = f64::from(tick as f32 / fps);
                    world.pose_from_clip(body, place, index, LoopMode::Loop.clip_time(clip, now))?;
                }
                None => world.pose_from_rest(body, place)?,
            }
        }
        history.record(tick.into(), &world)?;
        if tick == 0 {
            continue;
        }
        let before = time - tick_seconds;
        for (side, body) in bodies.into_iter().enumerate() {
            let Some((index, clip)) = clips[side].filter(|_| attacks_of(side).next().is_some()) else { continue };
            let begins = |number: u32| f64::from(number) * f64::from(clip.seconds());
            while begins(next[side]) < time {
                // The swing begins at the tick before, before the start of its clip, where no window is open.
                let seconds = f64::from(clip.start()) + before - begins(next[side]);
                swings.begin(Swing { seconds: seconds as f32, ..Swing::new(body, next[side], index) })?;
                next[side] += 1;
            }
        }
        swings.advance(&history, [u64::from(tick) - 1, tick.into()], &rules, &mut struck)?;
        found.extend(struck.iter().map(|strike| described(strike, [&characters[0], &characters[1]], tick_seconds)));
    }
    Ok(found)
}

fn described(strike: &Strike, characters: [&Character; 2], tick_seconds: f64) -> DuelStrike {
    let (attacker, [own, other]) = match strike.attacker {
        BodyId(0) => (Side::A, characters),
        _ => (Side::B, [characters[1], characters[0]]),
    };
    let attack = strike.attack(own);
    let data = attack.and_then(|attack| attack.data.as_deref());
    DuelStrike {
        tick: u32::try_from(strike.tick).unwrap_or(u32::MAX),
        time: (strike.tick as f64 + f64::from(strike.time)) * tick_seconds,
        outcome: strike.outcome.into(),
        attacker,
        attack: attack.map_or_else(String::new, |attack| attack.name.clone()),
        clip_time: strike.seconds,
        joint: own.joint_name(strike.attacker_joint).to_owned(),
        tags: own.tags(strike.attacker_box).to_vec(),
        hitbox: strike.attacker_box.0,
        target_joint: other.joint_name(strike.target_joint).to_owned(),
        target_hitbox: strike.target_box.0,
        target_tags: other.tags(strike.target_box).to_vec(),
        point: strike.point.to_array(),
        normal: strike.normal.to_array(),
        depth: strike.depth,
        data: data.and_then(|text| serde_json::from_str(text).ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::duel::opposite;
    use glam::Affine3A;
    use runtime::ClipSampler;
    use runtime::PosedCharacter;

    fn fighter(name: &str, clip: Option<&str>, place: Affine3A) -> Fighter {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name);
        Fighter::new(Character::load(&std::fs::read(path).unwrap()).unwrap(), clip, place).unwrap()
    }

    fn strikes(clips: [&str; 2], distance: f32, fps: f32, seconds: f32) -> Vec<DuelStrike> {
        let a = fighter("runa.bonebox", Some(clips[0]), Affine3A::IDENTITY);
        let b = fighter("bruno.bonebox", Some(clips[1]), opposite(distance, 0.0));
        strikes_of_duel([&a, &b], fps, (seconds * fps) as u32 + 1).unwrap()
    }

    /// Samples the clip a thousand times a second, and returns the first moment of the window at which a hitbox of the attack
    /// overlaps a hitbox of the other.
    fn first_overlap(a: &Fighter, b: &Fighter) -> f64 {
        let (mut posed, mut still, mut sampler) = (PosedCharacter::new(), PosedCharacter::new(), ClipSampler::new());
        let attacks: Vec<_> = a.character().baked().attacks.iter().filter(|one| Some(one.clip) == a.clip()).collect();
        for step in 0..2000 {
            let seconds = step as f32 / 1000.0;
            posed.pose_from_clip(&mut sampler, a.character(), a.place(), a.clip().unwrap(), seconds).unwrap();
            still.pose_from_clip(&mut sampler, b.character(), b.place(), b.clip().unwrap(), seconds).unwrap();
            let open = attacks
                .iter()
                .filter(|one| one.active.iter().any(|window| window.from <= seconds && seconds <= window.to));
            for attack in open {
                let (own, other) = (posed.boxes(), still.boxes());
                let hurt: Vec<_> = other
                    .filter(|one| attack.against.iter().any(|tag| b.character().tags(one.index).contains(tag)))
                    .collect();
                if own
                    .filter(|one| attack.boxes.contains(&one.index.0))
                    .any(|one| hurt.iter().any(|two| one.obb().overlaps(&two.obb())))
                {
                    return seconds.into();
                }
            }
        }
        panic!("no overlap")
    }

    #[test]
    fn a_jab_strikes_once_in_each_repetition() {
        let found = strikes(["jab", "idle"], 0.7, 60.0, 3.0);
        let jab = found.first().unwrap();
        assert_eq!((jab.outcome, &*jab.attack, jab.attacker), (StrikeOutcome::Hit, "fist", Side::A));
        assert_eq!(jab.outcome.to_string(), "hit");
        assert_eq!(jab.data.as_ref().unwrap()["damage"], 5);
        let (a, b) = (
            fighter("runa.bonebox", Some("jab"), Affine3A::IDENTITY),
            fighter("bruno.bonebox", Some("idle"), opposite(0.7, 0.0)),
        );
        let twin = first_overlap(&a, &b);
        assert!((jab.time - twin).abs() < 0.0015, "{} {twin}", jab.time);
        let length = f64::from(a.seconds());
        let repetitions = (3.0 / length) as usize;
        assert!(found.len() >= repetitions && found.len() <= repetitions + 1, "{} in {repetitions}", found.len());
        for (number, strike) in found.iter().enumerate() {
            let inside = strike.time - number as f64 * length;
            assert!((inside - jab.time).abs() < 0.002 || strike.target_joint != jab.target_joint, "{strike:?}");
            assert!((f64::from(strike.clip_time) - inside).abs() < 1e-3, "{strike:?}");
        }
    }

    #[test]
    fn any_tick_rate_finds_the_same_strikes() {
        let at = |fps| strikes(["roundhouse_kick", "idle"], 0.8, fps, 2.0);
        let twin = at(240.0);
        assert!(!twin.is_empty());
        for fps in [7.0, 15.0, 30.0, 60.0] {
            let found = at(fps);
            assert_eq!(found.len(), twin.len(), "{fps}");
            for (one, other) in found.iter().zip(&twin) {
                assert!((one.time - other.time).abs() < 0.004, "{fps}: {} {}", one.time, other.time);
                assert_eq!((one.outcome, &one.attack), (other.outcome, &other.attack));
            }
        }
    }

    #[test]
    fn guards_and_both_sides_are_told_apart() {
        let guarded = strikes(["jab", "guard"], 0.75, 60.0, 0.5);
        assert!(guarded.iter().all(|strike| strike.attacker == Side::A), "{guarded:?}");
        let both = strikes(["jab", "jab"], 0.75, 60.0, 0.5);
        assert!(both.iter().any(|strike| strike.attacker == Side::B), "{both:?}");
        assert!(strikes(["idle", "walk"], 0.5, 60.0, 2.0).is_empty());
        assert!(strikes(["jab", "idle"], 5.0, 60.0, 2.0).is_empty());
    }

    #[test]
    fn a_tick_that_skips_half_a_clip_is_an_error() {
        let a = fighter("runa.bonebox", Some("jab"), Affine3A::IDENTITY);
        let b = fighter("bruno.bonebox", None, opposite(0.7, 0.0));
        let error = strikes_of_duel([&a, &b], 1.0, 10).unwrap_err().to_string();
        assert!(error.contains("clip jab") && error.contains("raise the ticks"), "{error}");
    }
}
