//! What became of a shot, for the person who asks why it missed.

use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::{borrow, hand_over};
use crate::memory::write;
use crate::past::OwnedRules;
use crate::query::with_filter;
use crate::{BoneboxBytes, BoneboxFilter, BoneboxHistory, BoneboxMoment, BoneboxMomentKind, BoneboxRay};
use crate::{BoneboxRewindRules, BoneboxVec3};
use glam::Vec3;
use rewind::{Explanation, NearestHitbox, PastShot, Verdict};
use runtime::BodyId;

/// The answer to a shot, for one target.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoneboxVerdict {
    /// The target is what the ray hits first.
    Hit = 0,
    /// The ray hits the target, but another body first.
    Blocked = 1,
    /// The ray hits a hitbox of the target that the filter or the hitbox's layers leave out, and no other.
    LeftOut = 2,
    /// The ray passes the target, or ends before it.
    #[default]
    Missed = 3,
    /// The target was not in the world at this moment, or had no pose.
    NotThere = 4,
    /// `may_ask` does not allow the target.
    NotAllowed = 5,
}

/// What became of a shot that was meant for one body.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxExplanation {
    /// The body that the shot was meant for.
    pub target: u64,
    /// The moment that the shot names.
    pub asked: BoneboxMoment,
    /// The moment that was shown.
    pub shown: BoneboxMoment,
    /// The answer.
    pub verdict: BoneboxVerdict,
    /// The relation of the target's hitboxes to what was recorded; `BONEBOX_MOMENT_KIND_EXACT` if `is_shown` is false.
    pub kind: BoneboxMomentKind,
    /// The body that is hit first if `verdict` is `BONEBOX_VERDICT_BLOCKED`, else 0.
    pub blocked_by: u64,
    /// The index of the hitbox that is hit or left out; 0 for other answers.
    pub hitbox: u16,
    /// True if the target was shown.
    pub is_shown: bool,
    /// True if `nearest_hitbox` and the fields after it have a value.
    pub has_nearest: bool,
    /// True if the nearest hitbox is enabled.
    pub nearest_is_enabled: bool,
    /// The index of the hitbox that is nearest to the ray.
    pub nearest_hitbox: u16,
    /// Its distance from the ray in world units; 0 if the ray hits it.
    pub distance: f32,
    /// The point of the ray that is nearest to the hitbox, in world space.
    pub on_ray: BoneboxVec3,
    /// The point of the hitbox that is nearest to the ray, in world space.
    pub on_hitbox: BoneboxVec3,
    /// The number of recorded ticks, of those that the rules allow, at which the same ray hits the target.
    pub hit_count: usize,
    /// The first of these ticks; 0 if there is none.
    pub first_hit: u64,
    /// The last of these ticks; 0 if there is none.
    pub last_hit: u64,
}

impl From<&Explanation> for BoneboxExplanation {
    fn from(explanation: &Explanation) -> Self {
        let Explanation { target, asked, shown, kind, verdict, nearest, hits_at, .. } = explanation;
        let (mut blocked_by, mut hitbox) = (0, 0);
        let verdict = match verdict {
            Verdict::Hit { box_index } => {
                hitbox = box_index.0;
                BoneboxVerdict::Hit
            }
            Verdict::LeftOut { box_index } => {
                hitbox = box_index.0;
                BoneboxVerdict::LeftOut
            }
            Verdict::Blocked { by } => {
                blocked_by = by.0;
                BoneboxVerdict::Blocked
            }
            Verdict::Missed => BoneboxVerdict::Missed,
            Verdict::NotThere => BoneboxVerdict::NotThere,
            Verdict::NotAllowed => BoneboxVerdict::NotAllowed,
        };
        let point = |point: fn(&NearestHitbox) -> [f32; 3]| {
            nearest.as_ref().map(|nearest| Vec3::from_array(point(nearest))).unwrap_or_default().into()
        };
        Self {
            target: target.0,
            asked: (*asked).into(),
            shown: (*shown).into(),
            verdict,
            kind: kind.map_or(BoneboxMomentKind::Exact, Into::into),
            blocked_by,
            hitbox,
            is_shown: kind.is_some(),
            has_nearest: nearest.is_some(),
            nearest_is_enabled: nearest.as_ref().is_some_and(|nearest| nearest.is_enabled),
            nearest_hitbox: nearest.as_ref().map_or(0, |nearest| nearest.box_index.0),
            distance: nearest.as_ref().map_or(0.0, |nearest| nearest.distance),
            on_ray: point(|nearest| nearest.on_ray),
            on_hitbox: point(|nearest| nearest.on_hitbox),
            hit_count: hits_at.len(),
            first_hit: hits_at.first().copied().unwrap_or(0),
            last_hit: hits_at.last().copied().unwrap_or(0),
        }
    }
}

/// Explains a shot that was meant for the body `target`: whether the ray hits it at the moment, by how much it misses, and
/// when it would have hit. `filter` and `rules` may be NULL.
///
/// `json` may be NULL. Otherwise the function writes the whole explanation to it as one line of JSON without a line break,
/// as `bonebox explain FILE` reads it. Free it with `bonebox_bytes_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_history_explain(
    history: *const BoneboxHistory,
    moment: BoneboxMoment,
    ray: *const BoneboxRay,
    filter: *const BoneboxFilter,
    target: u64,
    rules: *const BoneboxRewindRules,
    explanation: *mut BoneboxExplanation,
    json: *mut *mut BoneboxBytes,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (history, rules) = (&borrow(history, "history")?.history, OwnedRules::read(rules)?);
        let (ray, max_time) = BoneboxRay::read(ray)?;
        let found = with_filter(filter, |filter| {
            let shot = PastShot { moment: moment.into(), ray, max_time: Some(max_time), filter: *filter };
            Ok(rules.with(|rules| history.explain(&shot, BodyId(target), rules))?)
        })?;
        write(explanation, "explanation", (&found).into())?;
        if json.is_null() {
            return Ok(());
        }
        let bytes = serde_json::to_vec(&found).map_err(|error| Failure::new(BoneboxResult::InternalError, error))?;
        hand_over(json, "json", BoneboxBytes { bytes })
    })
}
