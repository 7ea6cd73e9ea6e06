//! Histories: the last ticks of a world.

use crate::BoneboxWorld;
use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::{Handle, borrow, borrow_mut, hand_over, take};
use crate::memory::{write, write_found};
use crate::world::present;
use rewind::{History, HistorySettings, RecordError, Recorded};
use runtime::BodyId;
use std::sync::Arc;

/// The last ticks of a world: for each tick, the pose, the character and the settings of each body as a few numbers. Worlds
/// of the past and clones share the memory of a history, so both are cheap.
pub struct BoneboxHistory {
    pub(crate) history: Arc<History>,
}

impl Handle for BoneboxHistory {
    const NAME: &'static str = "BoneboxHistory";
}

/// The bodies of a tick that was recorded.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoneboxRecorded {
    /// The number of bodies that worlds of the past show at this tick.
    pub bodies: usize,
    /// The number of bodies without a pose, which are not shown.
    pub without_pose: usize,
    /// The number of bodies that are not shown because their pose could not be stored: bodies that were posed with matrices
    /// in a world without `bonebox_world_keep_joints`, or with the pose of another body.
    pub without_recipe: usize,
    /// The id of the first of these bodies; 0 if there is none.
    pub first_without_recipe: u64,
}

/// The ticks of a history.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoneboxHistoryTicks {
    /// The number of the oldest tick; 0 without ticks.
    pub oldest: u64,
    /// The number of the newest tick; 0 without ticks.
    pub newest: u64,
    /// The number of recorded ticks.
    pub count: usize,
}

/// The first tick and the first body about which two histories differ.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoneboxHistoryDifference {
    /// The tick.
    pub tick: u64,
    /// The id of the body.
    pub body: u64,
}

impl From<Recorded> for BoneboxRecorded {
    fn from(recorded: Recorded) -> Self {
        let Recorded { bodies, without_pose, without_recipe, first_without_recipe } = recorded;
        let first_without_recipe = first_without_recipe.map_or(0, |body| body.0);
        Self { bodies, without_pose, without_recipe, first_without_recipe }
    }
}

impl From<(u64, BodyId)> for BoneboxHistoryDifference {
    fn from((tick, body): (u64, BodyId)) -> Self {
        Self { tick, body: body.0 }
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        let RecordError::NotNewer { tick, newest } = error else { return Self::invalid(error) };
        Self::invalid(format!(
            "tick {tick} is not after tick {newest}, the newest of the history; call `bonebox_history_drop_after` before you record a tick again"
        ))
    }
}

/// Makes an empty history that keeps the last `ticks` ticks, at least 2. `tick_seconds` is the time from one tick to the
/// next, for the field `max_back` of `BoneboxRewindRules`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_history_new(
    ticks: usize,
    tick_seconds: f64,
    history: *mut *mut BoneboxHistory,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        if ticks < 2 || !(tick_seconds > 0.0 && tick_seconds.is_finite()) {
            return Err(Failure::invalid(format!(
                "a history of {ticks} ticks of {tick_seconds} seconds is impossible; pass at least 2 ticks and a positive time"
            )));
        }
        let made = History::new(HistorySettings { ticks, tick_seconds });
        hand_over(history, "history", BoneboxHistory { history: Arc::new(made) })
    })
}

/// Frees a history; NULL is allowed. Its worlds of the past stay valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_history_free(history: *mut BoneboxHistory) -> BoneboxResult {
    guard(std::ptr::null_mut(), || take(history, "history"))
}

/// Makes a history with the same ticks, for example to compare it later. The two share the memory of their ticks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_history_clone(
    history: *const BoneboxHistory,
    clone: *mut *mut BoneboxHistory,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let history = Arc::clone(&borrow(history, "history")?.history);
        hand_over(clone, "clone", BoneboxHistory { history })
    })
}

/// Records the present poses, characters, settings and box layers of all bodies as those of a tick. Call it once in each
/// tick, after the bodies were posed. The ticks must come in ascending order and may have gaps. `recorded` may be NULL. If
/// worlds of the past exist, the function allocates memory; otherwise it allocates nothing once the history is full.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_history_record(
    history: *mut BoneboxHistory,
    tick: u64,
    world: *const BoneboxWorld,
    recorded: *mut BoneboxRecorded,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (history, world) = (borrow_mut(history, "history")?, present(world, "world")?);
        let bodies = Arc::make_mut(&mut history.history).record(tick, &world.world)?;
        if recorded.is_null() { Ok(()) } else { write(recorded, "recorded", bodies.into()) }
    })
}

/// Marks a body that is teleported, or respawns, from the newest tick to the next one that is recorded. No world of the past
/// shows it between its two places.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_history_cut(
    history: *mut BoneboxHistory,
    body: u64,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        Arc::make_mut(&mut borrow_mut(history, "history")?.history).cut(BodyId(body));
        Ok(())
    })
}

/// Forgets all ticks after this one, for a rollback that records them again. Marks of `bonebox_history_cut` since the newest
/// tick are forgotten too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_history_drop_after(
    history: *mut BoneboxHistory,
    tick: u64,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        Arc::make_mut(&mut borrow_mut(history, "history")?.history).drop_after(tick);
        Ok(())
    })
}

/// Writes the oldest and the newest tick, and the number of ticks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_history_ticks(
    history: *const BoneboxHistory,
    ticks: *mut BoneboxHistoryTicks,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let history = &borrow(history, "history")?.history;
        let (oldest, newest) = (history.oldest().unwrap_or(0), history.newest().unwrap_or(0));
        write(ticks, "ticks", BoneboxHistoryTicks { oldest, newest, count: history.len() })
    })
}

/// Writes a number that is equal for histories with the same ticks, with overwhelming probability, and on every machine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_history_checksum(
    history: *const BoneboxHistory,
    checksum: *mut u64,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || write(checksum, "checksum", borrow(history, "history")?.history.checksum()))
}

/// Writes the checksum of one tick, for example to send it in each tick. Writes true to `found` if the tick is recorded, else
/// false, and writes `checksum` only if it is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_history_checksum_of(
    history: *const BoneboxHistory,
    tick: u64,
    found: *mut bool,
    checksum: *mut u64,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || write_found(found, (checksum, "checksum"), borrow(history, "history")?.history.checksum_of(tick)))
}

/// Finds the first tick and the first body about which two histories differ, of the ticks that both have. Writes true to
/// `found` if they differ, else false, and writes `difference` only if it is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_history_first_difference(
    a: *const BoneboxHistory,
    b: *const BoneboxHistory,
    found: *mut bool,
    difference: *mut BoneboxHistoryDifference,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let first = borrow(a, "a")?.history.first_difference(&borrow(b, "b")?.history);
        write_found(found, (difference, "difference"), first)
    })
}
