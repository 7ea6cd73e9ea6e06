//! Worlds of the past.

use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::{borrow, hand_over};
use crate::memory::{list, write, write_found};
use crate::{BoneboxHistory, BoneboxWorld};
use rewind::{History, Interpolation, Moment, MomentError, MomentKind, Refused, Rules, View};
use runtime::BodyId;
use std::ffi::c_void;
use std::sync::Arc;

/// A moment between two recorded ticks.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BoneboxMoment {
    /// The tick before the moment, or at the moment.
    pub tick: u64,
    /// The share of the way from this tick to the next number, from 0 to 1; a number outside this range is clamped.
    pub fraction: f32,
}

/// A body that a client shows at a moment of its own.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxBodyMoment {
    /// The id of the body.
    pub body: u64,
    /// The moment.
    pub moment: BoneboxMoment,
}

/// The relation of a body's hitboxes in a world of the past to what was recorded.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneboxMomentKind {
    /// The hitboxes are those of a recorded tick.
    Exact = 0,
    /// The hitboxes lie between two recorded ticks.
    Interpolated = 1,
    /// The moment is older than the oldest tick, which the world shows.
    ClampedToOldest = 2,
    /// The moment is newer than the newest tick, which the world shows.
    ClampedToNewest = 3,
    /// The moment is longer ago than `max_back` allows. The world shows the oldest moment that is allowed.
    ClampedToMaxBack = 4,
    /// The body was teleported between the two ticks, or it became another character. The world shows the tick before.
    Cut = 5,
}

/// The poses that a world of the past shows between two ticks.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneboxInterpolation {
    /// Poses between those of the two ticks, as most clients draw them.
    Interpolated = 0,
    /// The pose of the nearer tick.
    Nearest = 1,
}

/// A function of the caller that returns true if anybody may ask about a body. The library calls it once for each body that
/// a question reaches, on the thread that asks. It must not throw a C++ exception.
pub type BoneboxMayAsk = Option<unsafe extern "C" fn(body: u64, user: *mut c_void) -> bool>;

/// The rules that a server applies to each look at the past. Start from `bonebox_rewind_rules_default`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct BoneboxRewindRules {
    /// The longest time back from the newest tick, in seconds. An older moment is replaced by the oldest that is allowed.
    pub max_back: f64,
    /// A body that moves farther than this from one tick to the next, in world units, was teleported: it is not shown in
    /// between. The place of a body that is posed with matrices is that of its topmost joint.
    pub teleport_distance: f32,
    /// A `BoneboxInterpolation`.
    pub interpolation: u32,
    /// True if bodies keep their skin, so that exact queries accept the poses of `bonebox_world_get_pose`.
    pub track_skin: bool,
    /// A function that returns true for bodies that anybody may ask about; NULL allows all bodies.
    pub may_ask: BoneboxMayAsk,
    /// A pointer that the library passes to `may_ask`.
    pub user: *mut c_void,
}

/// The bodies that a world of the past looked at and did not show, by reason.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoneboxRefused {
    /// `may_ask` did not allow the body.
    pub not_allowed: u32,
    /// The pose between the two ticks is not finite, or out of range.
    pub pose_failed: u32,
}

/// The function of the caller and its pointer.
#[derive(Clone, Copy)]
struct MayAsk {
    function: unsafe extern "C" fn(u64, *mut c_void) -> bool,
    user: *mut c_void,
}

// SAFETY: the function is called on the threads that ask the world, which `BoneboxMayAsk` says.
unsafe impl Sync for MayAsk {}
// SAFETY: as above.
unsafe impl Send for MayAsk {}

impl MayAsk {
    fn admits(&self, body: BodyId) -> bool {
        // SAFETY: the caller's promise, see `BoneboxMayAsk`.
        unsafe { (self.function)(body.0, self.user) }
    }
}

type MayAskFunction = dyn Fn(BodyId) -> bool + Send + Sync;

/// A view, and what it borrows. The fields are dropped in this order.
pub(crate) struct Past {
    view: View<'static>,
    _may_ask: Option<Arc<MayAskFunction>>,
    _history: Arc<History>,
}

impl Past {
    fn new(
        history: &Arc<History>,
        moment: Moment,
        own: &[(BodyId, Moment)],
        rules: &OwnedRules,
    ) -> Result<Self, Failure> {
        let (history, may_ask) = (Arc::clone(history), rules.function());
        let (borrowed, function) = (Arc::as_ptr(&history), may_ask.as_ref().map(Arc::as_ptr));
        // SAFETY: the view is dropped before the history and the function, which are shared and stay where they are; `view`
        // gives the view out only for as long as it borrows this value.
        let (borrowed, may) = unsafe { (&*borrowed, function.map(|function| &*function)) };
        let rules = Rules { may_ask: may.map(|may| may as _), ..rules.rules };
        Ok(Self { view: borrowed.at_each(moment, own, &rules)?, _may_ask: may_ask, _history: history })
    }

    pub(crate) fn view(&self) -> &View<'_> {
        &self.view
    }
}

/// Rules of the caller after all checks.
pub(crate) struct OwnedRules {
    rules: Rules<'static>,
    may_ask: Option<MayAsk>,
}

impl OwnedRules {
    /// Reads rules; NULL gives the default.
    ///
    /// # Safety
    /// `rules` is NULL or points to rules.
    pub(crate) unsafe fn read(rules: *const BoneboxRewindRules) -> Result<Self, Failure> {
        let BoneboxRewindRules { max_back, teleport_distance, interpolation, track_skin, may_ask, user } =
            rules.as_ref().copied().unwrap_or(bonebox_rewind_rules_default());
        let interpolation = match interpolation {
            one if one == BoneboxInterpolation::Interpolated as u32 => Interpolation::Interpolated,
            one if one == BoneboxInterpolation::Nearest as u32 => Interpolation::Nearest,
            other => {
                let message = format!("`interpolation` is {other}; pass a BoneboxInterpolation, which is 0 or 1");
                return Err(Failure::invalid(message));
            }
        };
        for (name, number) in [("max_back", max_back), ("teleport_distance", teleport_distance.into())] {
            if number.is_nan() || number < 0.0 {
                return Err(Failure::invalid(format!("`{name}` is {number}, but must be at least 0")));
            }
        }
        let rules = Rules { max_back, teleport_distance, interpolation, may_ask: None, track_skin };
        Ok(Self { rules, may_ask: may_ask.map(|function| MayAsk { function, user }) })
    }

    fn function(&self) -> Option<Arc<MayAskFunction>> {
        let may_ask = self.may_ask?;
        Some(Arc::new(move |body| may_ask.admits(body)))
    }

    /// Calls a function with the rules.
    pub(crate) fn with<R>(&self, ask: impl FnOnce(&Rules<'_>) -> R) -> R {
        let function = self.function();
        ask(&Rules { may_ask: function.as_deref().map(|may| may as _), ..self.rules })
    }
}

impl From<BoneboxMoment> for Moment {
    fn from(BoneboxMoment { tick, fraction }: BoneboxMoment) -> Self {
        Self { tick, fraction }
    }
}

impl From<Moment> for BoneboxMoment {
    fn from(Moment { tick, fraction }: Moment) -> Self {
        Self { tick, fraction }
    }
}

impl From<MomentKind> for BoneboxMomentKind {
    fn from(kind: MomentKind) -> Self {
        match kind {
            MomentKind::Exact => Self::Exact,
            MomentKind::Interpolated => Self::Interpolated,
            MomentKind::ClampedToOldest => Self::ClampedToOldest,
            MomentKind::ClampedToNewest => Self::ClampedToNewest,
            MomentKind::ClampedToMaxBack => Self::ClampedToMaxBack,
            MomentKind::Cut => Self::Cut,
        }
    }
}

impl From<MomentError> for Failure {
    fn from(error: MomentError) -> Self {
        Self::invalid(error)
    }
}

/// Returns the default rules: 0.25 seconds back, teleports from 2 world units in a tick, poses in between, all bodies, no
/// skin.
#[unsafe(no_mangle)]
pub extern "C" fn bonebox_rewind_rules_default() -> BoneboxRewindRules {
    let Rules { max_back, teleport_distance, track_skin, .. } = Rules::default();
    let interpolation = BoneboxInterpolation::Interpolated as u32;
    let (may_ask, user) = (None, std::ptr::null_mut());
    BoneboxRewindRules { max_back, teleport_distance, interpolation, track_skin, may_ask, user }
}

/// Makes the world of a moment in the past, as a client saw it. Functions that take a `const BoneboxWorld` answer from it:
/// rays, casts of shapes, overlaps, `bonebox_world_bodies`, `bonebox_world_hitboxes` and `bonebox_world_get_pose`. All other
/// functions fail. A body is posed when a question first reaches its bounds. Free the world with `bonebox_world_free`. It
/// stays as it is when the history changes or is freed.
///
/// - A moment that the history or the rules do not allow is replaced by the nearest that they allow. `bonebox_past_kind`
///   says so. The function fails if a fraction is NaN or if the history is empty.
/// - `own` has bodies that the client shows at moments of their own; of two moments for one body, the first counts. All
///   other bodies are shown at `moment`. `own` may be NULL if `own_count` is 0.
/// - `rules` may be NULL for the defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_history_at(
    history: *const BoneboxHistory,
    moment: BoneboxMoment,
    own: *const BoneboxBodyMoment,
    own_count: usize,
    rules: *const BoneboxRewindRules,
    then: *mut *const BoneboxWorld,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (history, rules) = (&borrow(history, "history")?.history, OwnedRules::read(rules)?);
        let own = list(own, own_count, "own")?.iter().map(|one| (BodyId(one.body), one.moment.into()));
        let past = Past::new(history, moment.into(), &own.collect::<Vec<_>>(), &rules)?;
        hand_over(then.cast::<*mut BoneboxWorld>(), "then", BoneboxWorld::of_past(past))
    })
}

/// The view of a world of the past.
///
/// # Safety
/// As [`borrow`].
unsafe fn view<'a>(then: *const BoneboxWorld) -> Result<&'a View<'a>, Failure> {
    let past = borrow(then, "then")?.past.as_ref();
    let present = || Failure::invalid("`then` is a world of the present; pass a world of `bonebox_history_at`");
    past.map(Past::view).ok_or_else(present)
}

/// Writes the relation of a body's hitboxes to what was recorded. Writes false to `found`, and nothing to `kind`, if the body
/// was not in the world at this moment, or had no pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_past_kind(
    then: *const BoneboxWorld,
    body: u64,
    found: *mut bool,
    kind: *mut BoneboxMomentKind,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || write_found(found, (kind, "kind"), view(then)?.kind(BodyId(body))))
}

/// Writes the moment at which a world of the past shows a body, which differs from the one that was asked for if the history
/// or the rules did not allow it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_past_moment(
    then: *const BoneboxWorld,
    body: u64,
    moment: *mut BoneboxMoment,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || write(moment, "moment", view(then)?.moment_of(BodyId(body)).into()))
}

/// Writes the numbers of bodies that a world of the past did not show so far, by reason.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_past_refused(
    then: *const BoneboxWorld,
    refused: *mut BoneboxRefused,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let Refused { not_allowed, pose_failed, .. } = view(then)?.refused();
        write(refused, "refused", BoneboxRefused { not_allowed, pose_failed })
    })
}
