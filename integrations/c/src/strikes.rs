//! Swings and strikes: which attack hit whom, once, and when.

use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::{Handle, borrow, borrow_mut, hand_over, take};
use crate::memory::{list, read, write, write_list};
use crate::{BoneboxCharacter, BoneboxHistory, BoneboxMatrix, BoneboxMoment, BoneboxVec3};
use glam::Vec3;
use rewind::Moment;
use runtime::{BodyId, BoxIndex, ClipIndex};
use skeleton::JointIndex;
use strikes::{Outcome, Seen, Strike, StrikeError, StrikeRules, Strikes, Swing, Weapon};

/// The running swings of all bodies, what they have struck, and the weapons that bodies carry. The attacks are in the files
/// of the characters. A clone is the whole state, for a rollback.
pub struct BoneboxStrikes {
    strikes: Strikes,
    /// What the last advance found.
    found: Vec<Strike>,
}

impl Handle for BoneboxStrikes {
    const NAME: &'static str = "BoneboxStrikes";
}

/// One use of a clip's attacks by a body, from the moment that the body begins to play the clip.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxSwing {
    /// The body that attacks.
    pub attacker: u64,
    /// A number of the game's own that tells swings of the same body apart.
    pub instance: u32,
    /// The clip that has the attacks.
    pub clip: u32,
    /// The time at which the swing begins, in seconds on the clip's own clock.
    pub seconds: f32,
    /// The seconds of the clip that pass in a second; from 0 to 1000.
    pub speed: f32,
    /// True if the clip begins again at its end. Otherwise the swing ends with its clip.
    pub loops: bool,
}

/// A box that a body carries at a joint, such as a sword.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxWeapon {
    /// The place of the weapon's box in the space of the joint.
    pub joint_from_weapon: BoneboxMatrix,
    /// Half of the box's size along each of its axes, in the unit of the joint's space; each at least 0.
    pub half_extents: BoneboxVec3,
    /// The joint that carries the weapon, with or without a hitbox.
    pub joint: u16,
    /// The hitbox that holds the weapon. The weapon has its layers, and strikes name it beside the weapon.
    pub holder: u16,
}

/// What happens when an attack meets a hitbox, in the order in which the rules are asked.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneboxOutcome {
    /// The hitbox is invulnerable. The attack can still strike later.
    Invulnerable = 0,
    /// Attacking hitboxes of two swings meet. The attacker's swing ends.
    ClashLost = 1,
    /// Attacking hitboxes of two swings meet. The attacker's swing is stronger and goes on.
    ClashWon = 2,
    /// A grab meets a hitbox.
    Grab = 3,
    /// A throw meets a hitbox.
    Throw = 4,
    /// A strike meets a hitbox that guards.
    Guard = 5,
    /// A strike meets a hitbox with armor.
    Armor = 6,
    /// A strike meets a hitbox, and in the same tick the target hits the attacker too.
    Trade = 7,
    /// A strike meets a hitbox.
    Hit = 8,
}

/// One attack that met one target.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxStrike {
    /// The recorded tick before the strike.
    pub tick: u64,
    /// The body that attacks.
    pub attacker: u64,
    /// The body that was met.
    pub target: u64,
    /// The share of the way from the tick to the next recorded tick, from 0 to 1.
    pub time: f32,
    /// The time of the attacker's clip, in seconds on the clip's own clock.
    pub seconds: f32,
    /// What happened.
    pub outcome: BoneboxOutcome,
    /// The number of the attacker's swing.
    pub instance: u32,
    /// The attack of the attacker's character, see `bonebox_character_attack`.
    pub attack: u32,
    /// The number of the weapon that strikes, if `has_attacker_weapon` is true; else 0.
    pub attacker_weapon: u32,
    /// The number of the target's weapon that was met in a clash, if `has_target_weapon` is true; else 0.
    pub target_weapon: u32,
    /// The attacker's hitbox, or the hitbox that holds the weapon.
    pub attacker_hitbox: u16,
    /// The joint of the weapon, or of the attacker's hitbox.
    pub attacker_joint: u16,
    /// The target's hitbox, or the hitbox that holds the weapon.
    pub target_hitbox: u16,
    /// The joint of the weapon, or of the target's hitbox.
    pub target_joint: u16,
    /// True if a weapon strikes.
    pub has_attacker_weapon: bool,
    /// True if a weapon of the target was met.
    pub has_target_weapon: bool,
    /// The middle of the contact, in world space.
    pub point: BoneboxVec3,
    /// The direction of the contact: a unit vector in world space, from the attacker towards the target.
    pub normal: BoneboxVec3,
    /// The depth of the contact, in world units.
    pub depth: f32,
}

/// The rules of `bonebox_strikes_advance`. Start from `bonebox_strike_rules_default`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxStrikeRules {
    /// The longest time back from the newest tick for the moments of `BoneboxSeen`, in seconds.
    pub max_back: f64,
    /// A body that moves farther than this from one tick to the next, in world units, was teleported: it strikes nothing and
    /// nothing strikes it on the way.
    pub teleport_distance: f32,
    /// True if a strike counts only when the skin of the target is touched. All targets must have a skin.
    pub exact: bool,
}

/// The moments at which a client drew the targets of one attacker, at the first and at the last tick of an advance.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxSeen {
    /// The attacker.
    pub attacker: u64,
    /// The moment of all other bodies at the first tick.
    pub from: BoneboxMoment,
    /// The moment of all other bodies at the last tick.
    pub to: BoneboxMoment,
}

/// A body that the client of an attacker drew at moments of its own, at the first and at the last tick of an advance.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxSeenBody {
    /// The attacker, which has a `BoneboxSeen`.
    pub attacker: u64,
    /// The body.
    pub body: u64,
    /// The moment of the body at the first tick.
    pub from: BoneboxMoment,
    /// The moment of the body at the last tick.
    pub to: BoneboxMoment,
}

impl From<StrikeError> for Failure {
    fn from(error: StrikeError) -> Self {
        match error {
            StrikeError::NotRunning { .. } => Self::not_found(error),
            StrikeError::NoBody { .. } => Self::new(BoneboxResult::NoBody, error),
            StrikeError::NoSkin { .. } => Self::new(BoneboxResult::NoSkin, error),
            _ => Self::invalid(error),
        }
    }
}

impl From<&Strike> for BoneboxStrike {
    fn from(of: &Strike) -> Self {
        let outcome = match of.outcome {
            Outcome::Invulnerable => BoneboxOutcome::Invulnerable,
            Outcome::Clash { goes_on: false } => BoneboxOutcome::ClashLost,
            Outcome::Clash { goes_on: true } => BoneboxOutcome::ClashWon,
            Outcome::Grab => BoneboxOutcome::Grab,
            Outcome::Throw => BoneboxOutcome::Throw,
            Outcome::Guard => BoneboxOutcome::Guard,
            Outcome::Armor => BoneboxOutcome::Armor,
            Outcome::Trade => BoneboxOutcome::Trade,
            Outcome::Hit => BoneboxOutcome::Hit,
        };
        Self {
            tick: of.tick,
            attacker: of.attacker.0,
            target: of.target.0,
            time: of.time,
            seconds: of.seconds,
            outcome,
            instance: of.instance,
            attack: of.attack,
            attacker_weapon: of.attacker_weapon.unwrap_or(0),
            target_weapon: of.target_weapon.unwrap_or(0),
            attacker_hitbox: of.attacker_box.0,
            attacker_joint: of.attacker_joint.0,
            target_hitbox: of.target_box.0,
            target_joint: of.target_joint.0,
            has_attacker_weapon: of.attacker_weapon.is_some(),
            has_target_weapon: of.target_weapon.is_some(),
            point: of.point.into(),
            normal: of.normal.into(),
            depth: of.depth,
        }
    }
}

/// Returns the default rules: teleports from 2 world units in a tick, 0.25 seconds back, and hitboxes count.
#[unsafe(no_mangle)]
pub extern "C" fn bonebox_strike_rules_default() -> BoneboxStrikeRules {
    let StrikeRules { teleport_distance, max_back, exact } = StrikeRules::default();
    BoneboxStrikeRules { max_back, teleport_distance, exact }
}

/// Makes a state without swings and weapons.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_strikes_new(
    strikes: *mut *mut BoneboxStrikes,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || hand_over(strikes, "strikes", BoneboxStrikes { strikes: Strikes::new(), found: Vec::new() }))
}

/// Frees a state; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_strikes_free(strikes: *mut BoneboxStrikes) -> BoneboxResult {
    guard(std::ptr::null_mut(), || take(strikes, "strikes"))
}

/// Copies a state, for a rollback.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_strikes_clone(
    strikes: *const BoneboxStrikes,
    clone: *mut *mut BoneboxStrikes,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let BoneboxStrikes { strikes, found } = borrow(strikes, "strikes")?;
        hand_over(clone, "clone", BoneboxStrikes { strikes: strikes.clone(), found: found.clone() })
    })
}

/// Begins a swing. Call it before `bonebox_strikes_advance` leaves the tick at which the body's clip is at the swing's time.
/// The function fails if the body already has a running swing with this instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_strikes_begin(
    strikes: *mut BoneboxStrikes,
    swing: *const BoneboxSwing,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let BoneboxSwing { attacker, instance, clip, seconds, speed, loops } = read(swing, "swing")?;
        let swing = Swing { attacker: BodyId(attacker), instance, clip: ClipIndex(clip), seconds, speed, loops };
        Ok(borrow_mut(strikes, "strikes")?.strikes.begin(swing)?)
    })
}

/// Ends a swing, and writes true to `ended` if it ran.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_strikes_end(
    strikes: *mut BoneboxStrikes,
    attacker: u64,
    instance: u32,
    ended: *mut bool,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let strikes = borrow_mut(strikes, "strikes")?;
        write(ended, "ended", false)?;
        write(ended, "ended", strikes.strikes.end(BodyId(attacker), instance))
    })
}

/// Ends all swings of a body, for example because it was hit or has left. Its weapons stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_strikes_end_all(
    strikes: *mut BoneboxStrikes,
    attacker: u64,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        borrow_mut(strikes, "strikes")?.strikes.end_all(BodyId(attacker));
        Ok(())
    })
}

/// Changes the speed of a swing, from the present tick on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_strikes_set_speed(
    strikes: *mut BoneboxStrikes,
    attacker: u64,
    instance: u32,
    speed: f32,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || Ok(borrow_mut(strikes, "strikes")?.strikes.set_speed(BodyId(attacker), instance, speed)?))
}

/// Hit stop: the swings of two bodies stand still for so many ticks, and strike nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_strikes_hit_stop(
    strikes: *mut BoneboxStrikes,
    body_a: u64,
    body_b: u64,
    ticks: u64,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        borrow_mut(strikes, "strikes")?.strikes.hit_stop([BodyId(body_a), BodyId(body_b)], ticks);
        Ok(())
    })
}

/// Writes true if hit stop holds the body in the next tick. The game holds its animation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_strikes_is_frozen(
    strikes: *const BoneboxStrikes,
    body: u64,
    frozen: *mut bool,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || write(frozen, "frozen", borrow(strikes, "strikes")?.strikes.is_frozen(BodyId(body))))
}

/// Gives a body a weapon, which strikes from the present tick on: in the attacks with these indices, or, if `attack_count` is
/// 0, in all attacks of its holder. `number` is the game's own; a weapon of the body with the same number is replaced.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_strikes_equip(
    strikes: *mut BoneboxStrikes,
    body: u64,
    number: u32,
    weapon: *const BoneboxWeapon,
    attacks: *const u32,
    attack_count: usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let BoneboxWeapon { joint_from_weapon, half_extents, joint, holder } = read(weapon, "weapon")?;
        let joint_from_weapon = joint_from_weapon.affine(|| "`joint_from_weapon`".into())?;
        let mut attacks = list(attacks, attack_count, "attacks")?.to_vec();
        attacks.sort_unstable();
        let (joint, holder, half_extents) = (JointIndex(joint), BoxIndex(holder), Vec3::from(half_extents));
        let weapon = Weapon { joint, joint_from_weapon, half_extents, holder, attacks };
        Ok(borrow_mut(strikes, "strikes")?.strikes.equip(BodyId(body), number, &weapon)?)
    })
}

/// Takes a weapon from a body, and writes true to `had` if it had the weapon.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_strikes_unequip(
    strikes: *mut BoneboxStrikes,
    body: u64,
    number: u32,
    had: *mut bool,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let strikes = borrow_mut(strikes, "strikes")?;
        write(had, "had", false)?;
        write(had, "had", strikes.strikes.unequip(BodyId(body), number))
    })
}

/// Advances all swings from one recorded tick to a later one. `bonebox_strikes_found` then lists what they did. If the
/// function fails, no swing has advanced, and nothing was found.
///
/// - `rules` may be NULL for the defaults.
/// - `seen` has attackers that strike what their clients saw; it may be NULL if `seen_count` is 0.
/// - `own` has bodies that these clients drew at moments of their own; it may be NULL if `own_count` is 0. Of two entries for one
///   attacker and body, the first counts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_strikes_advance(
    strikes: *mut BoneboxStrikes,
    history: *const BoneboxHistory,
    from: u64,
    to: u64,
    rules: *const BoneboxStrikeRules,
    seen: *const BoneboxSeen,
    seen_count: usize,
    own: *const BoneboxSeenBody,
    own_count: usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let BoneboxStrikes { strikes, found } = borrow_mut(strikes, "strikes")?;
        found.clear();
        let history = &borrow(history, "history")?.history;
        let rules = if rules.is_null() { bonebox_strike_rules_default() } else { read(rules, "rules")? };
        let BoneboxStrikeRules { max_back, teleport_distance, exact } = rules;
        for (name, number) in [("max_back", max_back), ("teleport_distance", teleport_distance.into())] {
            if number.is_nan() || number < 0.0 {
                return Err(Failure::invalid(format!("`{name}` is {number}, but must be at least 0")));
            }
        }
        let (seen, own) = (list(seen, seen_count, "seen")?, list(own, own_count, "own")?);
        if let Some(one) = own.iter().find(|own| seen.iter().all(|seen| seen.attacker != own.attacker)) {
            let BoneboxSeenBody { attacker, body, .. } = one;
            let text = format!("`own` has body {body} for attacker {attacker}, which is not in `seen`");
            return Err(Failure::invalid(text));
        }
        let own_of = |attacker: u64| {
            let own = own.iter().filter(move |one| one.attacker == attacker);
            own.map(|one| (BodyId(one.body), [Moment::from(one.from), Moment::from(one.to)])).collect::<Vec<_>>()
        };
        let own: Vec<_> = seen.iter().map(|one| own_of(one.attacker)).collect();
        let seen = seen.iter().zip(&own).map(|(one, own)| Seen {
            attacker: BodyId(one.attacker),
            from: Moment::from(one.from),
            to: Moment::from(one.to),
            own,
        });
        let seen: Vec<Seen<'_>> = seen.collect();
        let rules = StrikeRules { teleport_distance, max_back, exact };
        Ok(strikes.advance_seen(history, [from, to], &rules, &seen, found)?)
    })
}

/// Lists the strikes that the last advance found, sorted by time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_strikes_found(
    strikes: *const BoneboxStrikes,
    out: *mut BoneboxStrike,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || write_list(out, capacity, count, borrow(strikes, "strikes")?.found.iter().map(BoneboxStrike::from)))
}

/// Writes true if two states have the same swings, hit stops and weapons, for example for a test of a rollback. What they
/// found does not count.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_strikes_equal(
    a: *const BoneboxStrikes,
    b: *const BoneboxStrikes,
    equal: *mut bool,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || write(equal, "equal", borrow(a, "a")?.strikes == borrow(b, "b")?.strikes))
}

/// An attack of a character's clip.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BoneboxAttack {
    /// The name, which several attacks may share.
    pub name: crate::BoneboxString,
    /// The game's own data as JSON; empty if there is none.
    pub data: crate::BoneboxString,
    /// The clip.
    pub clip: u32,
    /// The strength in clashes.
    pub strength: f32,
}

/// Returns the number of attacks. Returns 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_attack_count(character: *const BoneboxCharacter) -> usize {
    borrow(character, "character").map_or(0, |character| character.character.baked().attacks.len())
}

/// Writes the attack with this index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_attack(
    character: *const BoneboxCharacter,
    index: u32,
    attack: *mut BoneboxAttack,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let character = borrow(character, "character")?;
        let attacks = &character.character.baked().attacks;
        let one = attacks.get(index as usize);
        let one = one.ok_or_else(|| character.no_index("attack", index, attacks.len()))?;
        let [name, data] = character.attack_texts(index as usize);
        write(attack, "attack", BoneboxAttack { name, data, clip: one.clip.0, strength: one.strength })
    })
}
