//! Bounds of the bodies at all moments between two ticks.

use crate::place::{between, keeps_shapes, most_scale, off_the_line};
use crate::reach::Reach;
use crate::tick::{Kind, PastBody, Tick};
use geometry_core::MAX_COORDINATE;
use glam::{Affine3A, Vec3};
use runtime::{AnimationRef, Bounds, Character, ClipIndex, LayerMode, LoopMode, PartBounds, PoseRecipeRef, TileList};

/// Bounds that every body lies in.
const EVERYWHERE: Bounds = Bounds { min: Vec3::splat(-2.0 * MAX_COORDINATE), max: Vec3::splat(2.0 * MAX_COORDINATE) };

/// Writes the bounds of each body at all moments from one tick to the next into `list`, in the tiles of the first tick.
/// Views of such a moment pose only the bodies whose bounds a question reaches. `after` is memory.
pub(crate) fn bounds_between(from: &Tick, to: &Tick, after: &mut Vec<Bounds>, list: &mut TileList) {
    after.clear();
    after.resize(to.bodies.len(), Bounds::EMPTY);
    to.tiles.tiles().each(|place, bounds| after[place] = bounds);
    list.copy_with(from.tiles.tiles(), |place, bounds| {
        let body = &from.bodies[place];
        // Bodies are mostly at the same place in both ticks.
        let place = if to.ids.get(place) == Some(&from.ids[place]) { Some(place) } else { to.find(from.ids[place]) };
        match place {
            Some(place) if is_connected((from, body), (to, &to.bodies[place])) => {
                let moving = moving_bounds((from, body, &bounds), (to, &to.bodies[place], &after[place]));
                moving.union(&bounds).union(&after[place])
            }
            _ => bounds,
        }
    });
}

/// Returns `true` if the body may be shown between its poses of the two ticks.
pub(crate) fn is_connected((from, a): (&Tick, &PastBody), (to, b): (&Tick, &PastBody)) -> bool {
    let characters = [from.character_of(a), to.character_of(b)];
    !b.is_cut
        && a.kind != Kind::Nothing
        && b.kind != Kind::Nothing
        && a.has_own_joints() == b.has_own_joints()
        && std::sync::Arc::ptr_eq(&characters[0].character, &characters[1].character)
}

/// Returns `true` if the animations of two ticks differ only in times and weights, which are then interpolated.
pub(crate) fn is_same_animation((from, a): (&Tick, &PastBody), (to, b): (&Tick, &PastBody)) -> bool {
    match (a.kind, b.kind) {
        (Kind::Rest, Kind::Rest) => true,
        (Kind::Clip, Kind::Clip) => a.clip == b.clip,
        (Kind::Layers, Kind::Layers) => {
            let (a, b) = (from.layers_of(a), to.layers_of(b));
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.clip == b.clip && a.mode == b.mode && a.mask == b.mask)
        }
        _ => false,
    }
}

/// The time between two times of a clip. A clip that ended and began again in between, in either direction, goes the
/// shorter way around.
pub(crate) fn time_between(character: &Character, clip: ClipIndex, from: f32, to: f32, s: f32) -> f32 {
    let (to, wraps) = unwrapped(character, clip, from, to);
    let time = from + (to - from) * s;
    let Some((start, seconds)) = wraps else { return time };
    if time > start + seconds {
        time - seconds
    } else if time < start {
        time + seconds
    } else {
        time
    }
}

/// The recipe of a body without layers and own matrices at a tick, or at a share of the way to the next. `None` if its
/// animation changes on the way.
pub(crate) fn recipe_between(
    (from, a): (&Tick, &PastBody),
    next: Option<(&Tick, &PastBody)>,
    share: f32,
) -> Option<PoseRecipeRef<'static>> {
    let (mut place, mut seconds) = (a.place(), a.seconds);
    if let Some((to, b)) = next {
        if !is_same_animation((from, a), (to, b)) {
            return None;
        }
        place = between(&place, &b.place(), share);
        seconds = time_between(&from.character_of(a).character, a.clip, seconds, b.seconds, share);
    }
    let animation = match a.kind {
        Kind::Rest => AnimationRef::Rest,
        Kind::Clip => AnimationRef::Clip { clip: a.clip, seconds },
        _ => return None,
    };
    Some(PoseRecipeRef { place, animation })
}

/// The later time without the jump of a clip that began again, and the start and the length of this clip if it did.
fn unwrapped(character: &Character, clip: ClipIndex, from: f32, to: f32) -> (f32, Option<(f32, f32)>) {
    let Some(clip) = character.clips().get(clip.index()) else { return (to, None) };
    let (start, seconds) = (clip.start(), clip.seconds());
    if to - from < -0.5 * seconds {
        (to + seconds, Some((start, seconds)))
    } else if to - from > 0.5 * seconds {
        (to - seconds, Some((start, seconds)))
    } else {
        (to, None)
    }
}

/// Bounds of groups of a body's hitboxes at all moments between two ticks, or at one tick if `next` is `None`. `None` if there
/// are none at low cost.
pub(crate) fn part_bounds((from, a): (&Tick, &PastBody), next: Option<(&Tick, &PastBody)>) -> Option<PartBounds> {
    let character = &from.character_of(a).character;
    let recipe = recipe_between((from, a), None, 0.0)?;
    let place = a.place();
    let Some((to, b)) = next else {
        return character.part_bounds(&recipe.animation, a.seconds)?.moved([&place; 2], 0.0);
    };
    let last = b.place();
    let wraps = a.kind == Kind::Clip && unwrapped(character, a.clip, a.seconds, b.seconds).1.is_some();
    if wraps || !is_same_animation((from, a), (to, b)) || !keeps_shapes(&place, &last) {
        return None;
    }
    let model = character.part_bounds(&recipe.animation, b.seconds)?;
    model.moved([&place, &last], off_the_line(&place, &last, model.radius()))
}

fn moving_bounds(
    (from, a, bounds_a): (&Tick, &PastBody, &Bounds),
    (to, b, bounds_b): (&Tick, &PastBody, &Bounds),
) -> Bounds {
    let places = [a.place(), b.place()];
    let past = from.character_of(a);
    let character = &past.character;
    if !is_same_animation((from, a), (to, b)) {
        return turning_joints(character, past.reach(), (a, bounds_a), (b, bounds_b));
    }
    match a.kind {
        Kind::Rest | Kind::Clip if !keeps_shapes(&places[0], &places[1]) => EVERYWHERE,
        Kind::Rest => {
            let far = |bounds: &Bounds, place: &Affine3A| {
                let center = Vec3::from(place.translation);
                (bounds.max - center).abs().max((bounds.min - center).abs()).length()
            };
            // The two bounds hold the same points of the model, at most this far from the model's origin.
            let radius = far(bounds_a, &places[0]) / least_scale(&places[0]);
            enlarged(bounds_a.union(bounds_b), off_the_line(&places[0], &places[1], radius))
        }
        Kind::Clip => {
            let Some(model) = clip_bounds(character, a.clip, a.seconds, b.seconds) else { return EVERYWHERE };
            let radius = model.min.abs().max(model.max.abs()).length();
            let both = model.transformed(&places[0]).union(&model.transformed(&places[1]));
            enlarged(both, off_the_line(&places[0], &places[1], radius))
        }
        _ => {
            let added = from.layers_of(a).iter().filter(|layer| layer.mode == LayerMode::Add).count();
            let reach = past.reach();
            let Some(radius) = reach.radius(added) else { return EVERYWHERE };
            let radius = radius * places.iter().map(most_scale).fold(0.0, f32::max);
            let ball = |place: &Affine3A| {
                let center = place.transform_point3(reach.center);
                Bounds { min: center - radius, max: center + radius }
            };
            // The center itself turns about the model's origin.
            let off = off_the_line(&places[0], &places[1], reach.center.length());
            enlarged(ball(&places[0]).union(&ball(&places[1])), off + 1e-5 * radius)
        }
    }
}

/// The smallest length of an axis of a place.
fn least_scale(place: &Affine3A) -> f32 {
    let columns = [place.matrix3.x_axis, place.matrix3.y_axis, place.matrix3.z_axis];
    columns.iter().map(|column| Vec3::from(*column).length()).fold(f32::INFINITY, f32::min).max(f32::MIN_POSITIVE)
}

/// The bounds while each joint goes from one matrix to another. A joint's translation runs along a straight line. Every
/// point of a box is within `of_box`, times the joint's scale, of the joint, at both ends and in between.
fn turning_joints(
    character: &Character,
    reach: &Reach,
    (a, bounds_a): (&PastBody, &Bounds),
    (b, bounds_b): (&PastBody, &Bounds),
) -> Bounds {
    if !character.baked().envelopes.is_empty() {
        return EVERYWHERE;
    }
    let scale = match (a.kind, b.kind) {
        (Kind::PackedJoints, Kind::PackedJoints) => a.seconds.max(b.seconds),
        // The scale of joints is not known here.
        (Kind::Joints | Kind::PackedJoints, _) => return EVERYWHERE,
        _ if reach.has_scaled_joints || !keeps_shapes(&a.place(), &b.place()) => return EVERYWHERE,
        _ => most_scale(&a.place()).max(most_scale(&b.place())),
    };
    enlarged(bounds_a.union(bounds_b), 2.0 * reach.of_box * scale * 1.000_1)
}

/// The bounds in model space while a clip plays from one time to another.
fn clip_bounds(character: &Character, clip: ClipIndex, from: f32, to: f32) -> Option<Bounds> {
    let start = f64::from(character.clips().get(clip.index())?.start());
    let over = |low: f32, high: f32| {
        let (low, high) = (f64::from(low) - start, f64::from(high) - start);
        // Times are rounded, so the span is a little longer.
        character.bounds_over(clip, LoopMode::Once, low - 1e-4, high - low + 2e-4).ok()
    };
    let (end, wraps) = unwrapped(character, clip, from, to);
    let (low, high) = (from.min(end), from.max(end));
    let Some((start, seconds)) = wraps else { return over(low, high) };
    let last = start + seconds;
    // The part within the clip, and the part that lies after its end or before its start.
    let within = over(low.max(start), high.min(last))?;
    let beyond = if high > last { over(start, high - seconds)? } else { over(low + seconds, last)? };
    Some(within.union(&beyond))
}

pub(crate) fn enlarged(bounds: Bounds, by: f32) -> Bounds {
    Bounds { min: bounds.min - by, max: bounds.max + by }
}
