//! A simulated server with players who shoot at what they see. What a player's own picture says about a shot is the truth;
//! the server's answer from its history is compared with it.

mod client;
mod server;

use client::{Client, Picture, mixed};
use geometry_core::Ray;
use glam::{Affine3A, Vec3};
use rewind::{Moment, MomentKind, Rules};
use runtime::{Bodies, BodyId, BodyRayHit, BoxIndex, HitboxWorld, PosedHitbox, QueryFilter};
use server::{Seen, Server, Snapshot, TICKS_A_SECOND, world_of};
use std::collections::VecDeque;
use std::rc::Rc;
use test_models::Random;

const CHARACTERS: u64 = 64;
const PLAYERS: usize = 16;
const TICKS: u64 = 1_200;

/// Rays that a player fires from one picture.
const BURST: usize = 3;

/// A ray that passes so near a box's surface, in meters, that rounding decides whether it hits.
const NEAR: f32 = 1e-3;

/// The answer to a shot: the first body, and its hitbox.
type Answer = Option<(BodyId, BoxIndex)>;

/// A shot on its way to the server.
struct Shot {
    arrival: f64,
    shooter: BodyId,
    moment: Moment,
    ray: Ray,
    spans_a_gap: bool,
    /// The world as the player saw it.
    picture: Rc<HitboxWorld>,
}

/// The ways to answer a shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Rewind,
    WholeTicks,
    RootOnly,
    Present,
}

const WAYS: [(Way, &str); 4] = [
    (Way::Rewind, "rewind"),
    (Way::WholeTicks, "whole ticks, fraction 0"),
    (Way::RootOnly, "place of then, animation of now"),
    (Way::Present, "no rewind"),
];

/// Why a server cannot know what the player saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    None,
    /// The player's picture is older than [`Rules::max_back`].
    TooOld,
    /// The player's picture lies between snapshots that do not follow each other.
    Gap,
}

const REASONS: [(Reason, &str); 3] = [
    (Reason::None, "no reason to differ"),
    (Reason::Gap, "a snapshot was lost or late"),
    (Reason::TooOld, "older than max_back"),
];

/// Shots of one reason, and the agreement of each way.
#[derive(Clone, Copy, Default)]
struct Tally {
    shots: usize,
    hits: usize,
    /// Equal answers, by way.
    body: [usize; WAYS.len()],
    both: [usize; WAYS.len()],
    /// Different answers of the rewind, for rays near a surface.
    near: usize,
    /// Shots at a body that was cut at this moment.
    cut: usize,
}

#[test]
fn the_server_finds_what_each_player_saw() {
    let mut random = Random::new(2);
    let mut server = Server::new(1, CHARACTERS);
    let mut clients: Vec<Client> = (0..PLAYERS).map(|_| Client::new(&mut random)).collect();
    let mut sent: VecDeque<Rc<Snapshot>> = VecDeque::new();
    let mut flying: Vec<Shot> = Vec::new();
    let mut tallies = [Tally::default(); REASONS.len()];
    for tick in 0..TICKS {
        let now = tick as f64 / TICKS_A_SECOND;
        let arrived = flying.extract_if(.., |shot| shot.arrival <= now);
        arrived.for_each(|shot| answer(&server, &sent, &shot, &mut tallies));
        let snapshot = server.step();
        clients.iter_mut().for_each(|client| client.send(now, &snapshot, &mut random));
        sent.push_back(snapshot);
        if sent.len() > 64 {
            sent.pop_front();
        }
        for (player, client) in clients.iter().enumerate() {
            if random.below(4) != 0 {
                continue;
            }
            let frame = now + random.share_f64() / TICKS_A_SECOND;
            let Some(picture) = client.draw(frame) else { continue };
            let shooter = BodyId(player as u64 * 4 * 7);
            let drawn = Rc::new(world_of(&picture.bodies).unwrap());
            for ray in burst(&picture, &drawn, shooter, &mut random) {
                let arrival = client.arrival(frame, &mut random);
                let Picture { moment, spans_a_gap, .. } = picture;
                flying.push(Shot { arrival, shooter, moment, ray, spans_a_gap, picture: Rc::clone(&drawn) });
            }
        }
    }
    print(&tallies);
    check(&tallies);
}

/// A burst from the shooter's eyes at limbs of the picture, or just beside them.
fn burst(picture: &Picture, drawn: &HitboxWorld, shooter: BodyId, random: &mut Random) -> Vec<Ray> {
    let Some(place) = picture.place_of(shooter) else { return Vec::new() };
    let eyes = Vec3::from(place.translation) + Vec3::Y * 1.6;
    let mut ray = || {
        let target = drawn.body(random.pick(&picture.bodies).id).filter(|target| target.id() != shooter)?;
        let limb = target.posed().boxes().nth(random.below(target.character().box_count()))?;
        let within = if random.below(5) == 0 { random.direction() * 3.0 } else { random.vector() * 0.95 };
        let point = limb.center + limb.axes * (within * limb.half_extents);
        Ray::try_new(eyes, (point - eyes).try_normalize()?).ok()
    };
    (0..BURST).filter_map(|_| ray()).collect()
}

/// Answers a shot in each way, with what the server knows now.
fn answer(server: &Server, sent: &VecDeque<Rc<Snapshot>>, shot: &Shot, tallies: &mut [Tally; REASONS.len()]) {
    let exclude = [shot.shooter];
    let filter = QueryFilter::excluding(&exclude);
    let first = |hit: Option<BodyRayHit>| hit.map(|hit| (hit.body, hit.box_index));
    let truth = first(shot.picture.cast_ray(&shot.ray, None, &filter));
    let rules = Rules::default();
    let view = server.history.at_with(shot.moment, &rules).unwrap();
    let is_old = view.ids().next().and_then(|id| view.kind(id)) == Some(MomentKind::ClampedToMaxBack);
    let reason = match (is_old, shot.spans_a_gap) {
        (true, _) => Reason::TooOld,
        (false, true) => Reason::Gap,
        (false, false) => Reason::None,
    };
    let tally = &mut tallies[REASONS.iter().position(|(one, _)| *one == reason).unwrap()];
    tally.shots += 1;
    tally.hits += usize::from(truth.is_some());
    for (index, (way, _)) in WAYS.into_iter().enumerate() {
        let found = first(match way {
            Way::Rewind => view.cast_ray(&shot.ray, None, &filter),
            Way::WholeTicks => {
                let whole = server.history.at_with(Moment::of_tick(shot.moment.tick), &rules).unwrap();
                whole.cast_ray(&shot.ray, None, &filter)
            }
            Way::RootOnly => root_only(sent, shot.moment).cast_ray(&shot.ray, None, &filter),
            Way::Present => server.world.cast_ray(&shot.ray, None, &filter),
        });
        tally.body[index] += usize::from(found.map(|(body, _)| body) == truth.map(|(body, _)| body));
        tally.both[index] += usize::from(found == truth);
        if way == Way::Rewind {
            tally.cut += usize::from(truth.is_some_and(|(body, _)| view.kind(body) == Some(MomentKind::Cut)));
            if found != truth && reason == Reason::None {
                assert!(is_near(shot, truth, found), "{found:?} in place of {truth:?} at {:?}", shot.moment);
                tally.near += 1;
            }
        }
    }
}

/// The characters that are there now, in their present animation, at the places of then.
fn root_only(sent: &VecDeque<Rc<Snapshot>>, moment: Moment) -> HitboxWorld {
    let at = |tick: u64| sent.iter().find(|snapshot| snapshot.tick == tick);
    let find = |snapshot: Option<&Rc<Snapshot>>, now: &Seen| -> Option<Affine3A> {
        let then = snapshot?.bodies.iter().find(|seen| seen.id == now.id)?;
        (then.life == now.life).then_some(then.recipe.place)
    };
    let (before, after) = (at(moment.tick), at(moment.tick + 1));
    let mut bodies = sent.back().unwrap().bodies.clone();
    for now in &mut bodies {
        if let Some(from) = find(before, now) {
            now.recipe.place = find(after, now).map_or(from, |to| mixed(&from, &to, moment.fraction));
        }
    }
    world_of(&bodies).unwrap()
}

/// Returns `true` if two answers may both be right for boxes whose surfaces are moved by [`NEAR`].
fn is_near(shot: &Shot, truth: Answer, found: Answer) -> bool {
    let times = |answer: Answer| {
        let (body, index) = answer?;
        let one = shot.picture.body(body)?.posed().hitbox(index)?;
        // The latest and the earliest time of a hit; a box that may be missed is hit never at the latest.
        Some((entry(&shot.ray, &one, NEAR)?, entry(&shot.ray, &one, -NEAR).unwrap_or(f32::INFINITY)))
    };
    match (truth, found) {
        (None, one) | (one, None) => times(one).is_some_and(|(_, latest)| latest == f32::INFINITY),
        _ => match (times(truth), times(found)) {
            (Some(a), Some(b)) => a.0 <= b.1 && b.0 <= a.1,
            _ => false,
        },
    }
}

/// The time when a ray enters a box whose surface is moved outward by a distance.
fn entry(ray: &Ray, one: &PosedHitbox, outward: f32) -> Option<f32> {
    let half = one.half_extents + outward;
    let turned = one.axes.transpose();
    let (from, way) = (turned * (ray.origin() - one.center), turned * ray.direction());
    let (near, far) = ((-half * way.signum() - from) / way, (half * way.signum() - from) / way);
    let (enter, leave) = (near.max_element().max(0.0), far.min_element());
    (half.min_element() >= 0.0 && enter <= leave).then_some(enter)
}

fn print(tallies: &[Tally; REASONS.len()]) {
    let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole as f64;
    for ((_, name), tally) in REASONS.iter().zip(tallies) {
        println!("\n{name}: {} shots, {} hits in the picture, {} at a cut body", tally.shots, tally.hits, tally.cut);
        for (index, (_, way)) in WAYS.iter().enumerate() {
            let [body, both] = [tally.body[index], tally.both[index]].map(|count| percent(count, tally.shots));
            println!("  {way:<34}{both:8.2} % the same body and box{body:8.2} % the same body");
        }
        println!("  {} rays within {NEAR} m of a surface were answered otherwise", tally.near);
    }
}

fn check(tallies: &[Tally; REASONS.len()]) {
    let [fresh, gap, old] = tallies;
    assert!(fresh.shots >= 10_000 && gap.shots > 100 && old.shots > 100);
    assert!(fresh.hits * 10 > fresh.shots * 7 && fresh.cut > 10, "{} {}", fresh.hits, fresh.cut);
    let [rewind, whole, root, present] = fresh.both.map(|count| count as f64 / fresh.shots as f64);
    assert_eq!(fresh.both[0] + fresh.near, fresh.shots);
    assert!(fresh.near * 1000 < fresh.shots, "{} rays near a surface", fresh.near);
    assert!(whole < 0.97 && root < 0.8 && present < 0.5, "{rewind} {whole} {root} {present}");
}
