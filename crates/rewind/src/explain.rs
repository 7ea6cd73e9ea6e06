//! What became of a shot, for the person who asks why it missed.

use crate::history::{History, PastShot};
use crate::moment::{Moment, MomentError, MomentKind};
use crate::rules::Rules;
use crate::shown_pose::shown_pose;
use crate::view::View;
use geometry_core::{DCapsule, Ray, ShapeSeparation};
use glam::DVec3;
use runtime::{Bodies, Body, BodyId, BoxIndex, CollisionLayers, HitboxShape, PoseRecipe, PosedShape, QueryFilter};
use std::fmt;
use std::sync::Arc;

/// What became of a shot that was meant for one body. Its text is one sentence.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Explanation {
    /// The body that the shot was meant for.
    pub target: BodyId,
    /// The moment that the shot names.
    pub asked: Moment,
    /// The moment that was shown.
    pub shown: Moment,
    /// The relation of the target's hitboxes to what was recorded; `None` if the target was not shown.
    pub kind: Option<MomentKind>,
    /// The answer.
    pub verdict: Verdict,
    /// The hitbox of the target that is nearest to the ray; `None` if the target was not shown.
    pub nearest: Option<NearestHitbox>,
    /// The recorded ticks, of those that the rules allow, at which the same ray hits the target.
    pub hits_at: Vec<u64>,
    /// The ray of the shot. `None` in explanations of earlier versions.
    #[cfg_attr(feature = "serde", serde(default))]
    pub ray: Option<ShotRay>,
    /// The name of the target's character; `None` if the target was not shown, and in explanations of earlier versions.
    #[cfg_attr(feature = "serde", serde(default))]
    pub character: Option<String>,
    /// What the target's pose at the moment that was shown is computed from; `None` as for `character`. A target that no
    /// recipe of clips gives has the matrices of all its joints.
    #[cfg_attr(feature = "serde", serde(default))]
    pub then: Option<PoseRecipe>,
    /// The same at the newest tick; `None` also if the target is not in the world any more, or is another character.
    #[cfg_attr(feature = "serde", serde(default))]
    pub now: Option<PoseRecipe>,
}

/// The ray of a shot, in world space.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ShotRay {
    /// Its start.
    pub origin: [f32; 3],
    /// Its direction, of any length.
    pub direction: [f32; 3],
    /// The ray ends after so many lengths of the direction; `None` if it does not end.
    pub max_time: Option<f32>,
}

/// The answer to a shot, for one target.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Verdict {
    /// The target is what the ray hits first.
    Hit {
        /// The hitbox.
        box_index: BoxIndex,
    },
    /// The ray hits the target, but another body first.
    Blocked {
        /// The body that is hit first.
        by: BodyId,
    },
    /// The ray hits a hitbox of the target that the filter or the hitbox's layers leave out, and no other.
    LeftOut {
        /// The first of these hitboxes.
        box_index: BoxIndex,
    },
    /// The ray passes the target, or ends before it.
    Missed,
    /// The target was not in the world at this moment, or had no pose.
    NotThere,
    /// [`Rules::may_ask`] does not allow the target.
    NotAllowed,
}

/// The hitbox that is nearest to a ray.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NearestHitbox {
    /// The hitbox.
    pub box_index: BoxIndex,
    /// The name of its joint.
    pub joint: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// `false` if it is disabled.
    pub is_enabled: bool,
    /// Its distance from the ray in world units; 0 if the ray hits it.
    pub distance: f32,
    /// The point of the ray that is nearest to the hitbox, in world space.
    pub on_ray: [f32; 3],
    /// The point of the hitbox that is nearest to the ray, in world space.
    pub on_hitbox: [f32; 3],
}

impl History {
    /// Explains a shot that was meant for one body: whether the ray hits it, by how much it misses, and when it would have
    /// hit.
    ///
    /// # Errors
    /// Returns an error if there is no view of the moment.
    pub fn explain(&self, shot: &PastShot<'_>, target: BodyId, rules: &Rules<'_>) -> Result<Explanation, MomentError> {
        let view = self.at_with(shot.moment, rules)?;
        let body = view.body(target);
        let verdict = match body {
            Some(_) => verdict(&view, shot, target),
            None if view.kind(target).is_some() && rules.may_ask.is_some_and(|may_ask| !may_ask(target)) => {
                Verdict::NotAllowed
            }
            None => Verdict::NotThere,
        };
        let mut hits_at = Vec::new();
        for tick in self.ticks.iter().map(|tick| tick.number) {
            let then = self.at_with(Moment::of_tick(tick), rules)?;
            if then.moment() == Moment::of_tick(tick) && hits(&then, shot, target) {
                hits_at.push(tick);
            }
        }
        let (ray, then) = (&shot.ray, body.and_then(|_| shown_pose(&view, target)));
        Ok(Explanation {
            target,
            asked: shot.moment,
            shown: view.moment(),
            kind: body.and_then(|_| view.kind(target)),
            verdict,
            nearest: body.and_then(|body| nearest(body, shot)),
            hits_at,
            ray: Some(ShotRay {
                origin: ray.origin().to_array(),
                direction: ray.direction().to_array(),
                max_time: shot.max_time,
            }),
            character: body.map(|body| body.character().name().to_owned()),
            now: body.and_then(|body| self.newest_pose(target, body)),
            then,
        })
    }
}

impl History {
    /// The pose of a body at the newest tick, if it is still the same character.
    fn newest_pose(&self, target: BodyId, then: &Body) -> Option<PoseRecipe> {
        let view = self.at(Moment::of_tick(self.newest()?)).ok()?;
        let is_same = Arc::ptr_eq(view.character_of(target)?.0, then.character());
        is_same.then(|| shown_pose(&view, target)).flatten()
    }
}

fn only<'a>(shot: &PastShot<'a>, target: BodyId) -> QueryFilter<'a> {
    QueryFilter { only: Some(target), ..shot.filter }
}

/// Returns `true` if the ray hits a hitbox of the target that the filter admits.
fn hits(view: &View<'_>, shot: &PastShot<'_>, target: BodyId) -> bool {
    view.cast_ray_any(&shot.ray, shot.max_time, &only(shot, target))
}

fn verdict(view: &View<'_>, shot: &PastShot<'_>, target: BodyId) -> Verdict {
    let first = view.cast_ray(&shot.ray, shot.max_time, &shot.filter);
    match first {
        Some(hit) if hit.body == target => return Verdict::Hit { box_index: hit.box_index },
        Some(hit) if hits(view, shot, target) => return Verdict::Blocked { by: hit.body },
        _ => {}
    }
    let any = view.body(target).and_then(|body| body.posed().cast_ray(&shot.ray, shot.max_time));
    any.map_or(Verdict::Missed, |hit| Verdict::LeftOut { box_index: hit.box_index })
}

/// The nearest hitbox of a body to the part of the ray that may hit it.
fn nearest(body: &Body, shot: &PastShot<'_>) -> Option<NearestHitbox> {
    let segment = segment(&shot.ray, shot.max_time, body)?;
    let mut nearest: Option<(BoxIndex, ShapeSeparation)> = None;
    for one in body.posed().boxes() {
        let separation = match (one.shape, body.posed().posed_hull(one.index)) {
            (HitboxShape::Hull, Some(hull)) => hull.separation_from_capsule(&segment).swapped(),
            _ => match one.posed_shape()? {
                PosedShape::Box(one) => segment.separation_from_obb(&one),
                PosedShape::Capsule(one) => segment.separation(&DCapsule::from(&one)),
                PosedShape::Sphere(one) => segment.separation(&DCapsule::from(&one)),
            },
        };
        if nearest.as_ref().is_none_or(|(_, nearest)| separation.distance < nearest.distance) {
            nearest = Some((one.index, separation));
        }
    }
    let (box_index, separation) = nearest?;
    let hitbox = body.character().hitbox(box_index)?;
    let point = |point: DVec3| point.as_vec3().to_array();
    Some(NearestHitbox {
        box_index,
        joint: hitbox.joint_name.into(),
        tags: hitbox.tags.to_vec(),
        is_enabled: body.layers_of_box(box_index) != CollisionLayers::NONE,
        distance: separation.distance.max(0.0) as f32,
        on_ray: point(separation.point_a),
        on_hitbox: point(separation.point_b),
    })
}

/// The ray as a segment, up to the far side of the body. `None` for a ray that may hit nothing.
fn segment(ray: &Ray, max_time: Option<f32>, body: &Body) -> Option<DCapsule> {
    let bounds = body.posed().bounds();
    let far = (bounds.min - ray.origin()).abs().max((bounds.max - ray.origin()).abs());
    let (origin, direction) = (ray.origin().as_dvec3(), ray.direction().as_dvec3());
    let to_far_side = far.as_dvec3().length() / direction.length();
    let time = max_time.map_or(to_far_side, |max_time| to_far_side.min(max_time.into()));
    if !(time >= 0.0 && time.is_finite()) {
        return None;
    }
    let half_segment = direction * (time * 0.5);
    Some(DCapsule { center: origin + half_segment, half_segment, radius: 0.0 })
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (target, shown) = (self.target, self.shown);
        let at = f64::from(shown.fraction) + shown.tick as f64;
        let joint = self.nearest.as_ref().map_or("", |nearest| &nearest.joint);
        match &self.verdict {
            Verdict::Hit { box_index } => {
                write!(f, "the shot hit body {target} at tick {at}, hitbox {box_index} of joint {joint:?}")?;
            }
            Verdict::Blocked { by } => {
                write!(f, "the shot would have hit body {target} at tick {at}, but body {by} is in the way")?;
            }
            Verdict::LeftOut { box_index } => {
                write!(
                    f,
                    "the shot passes through hitbox {box_index} of body {target} at tick {at}, which is disabled or left out by the filter"
                )?;
            }
            Verdict::Missed => {
                write!(f, "the shot missed body {target} at tick {at}")?;
                if let Some(nearest) = &self.nearest {
                    write!(f, " by {} at joint {joint:?}", nearest.distance)?;
                }
            }
            Verdict::NotThere => write!(f, "body {target} was not in the world at tick {at}, or had no pose")?,
            Verdict::NotAllowed => write!(f, "the rules do not allow to ask about body {target}")?,
        }
        match self.kind {
            Some(MomentKind::ClampedToOldest | MomentKind::ClampedToMaxBack | MomentKind::ClampedToNewest) => {
                let asked = f64::from(self.asked.fraction) + self.asked.tick as f64;
                write!(f, "; the shot named tick {asked}, which the history or the rules do not allow")?;
            }
            Some(MomentKind::Cut) => write!(f, "; the body was teleported after this tick")?,
            _ => {}
        }
        match (&self.verdict, &*self.hits_at) {
            (Verdict::Hit { .. }, _) | (_, []) => Ok(()),
            (_, [tick]) => write!(f, "; the same ray hits it at tick {tick}"),
            (_, [first, .., last]) => {
                write!(f, "; the same ray hits it at {} ticks, from {first} to {last}", self.hits_at.len())
            }
        }
    }
}
