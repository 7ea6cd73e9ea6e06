//! Moving boxes and moving characters, each beside a slow twin that looks at every pair of hitboxes one by one, and
//! beside parry3d where it does the same.
//!
//! Weapons of 0.9 m and spheres of 0.3 m move by 0.4 m among 1,000 characters of `assets/`, 1 per square meter. Two
//! characters of 24 boxes move and turn in close contact. Whole ticks of the 1,000 characters, which all play a clip, run
//! without sweeps, with sweeps of all hitboxes, and with sweeps of hitboxes that strike.

mod common;
use baked_characters::baked_figure;
use common::place;
use geometry_core::{BoxedShape, Capsule, Obb, ObbMotion, Sphere};
use glam::{Affine3A, Quat, Vec3};
use paired_timing::Turns;
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::Pose;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::{ShapeCastOptions, cast_shapes};
use parry3d::shape::{Ball, Cuboid, Shape};
use runtime::{
    Body, BodyCastHit, BodyId, BodyMotion, BodySettings, BodySweepHit, BoxSet, CastShape, Character, ClipIndex,
    CollisionLayers, HitboxWorld, PosedCharacter, QueryFilter, sweep, sweep_all,
};
use std::collections::BTreeSet;
use std::hint::black_box;
use std::sync::Arc;
use test_models::Random;

const BODIES: u64 = 1000;
const WEAPONS: usize = 50;
const TOLERANCE: f32 = 1e-4;

fn main() {
    weapons();
    pair();
    ticks();
}

/// The places of the bodies, and the times at which they begin their clips, are the same in each call.
fn crowd(settings: BodySettings) -> Ticking {
    let load = |name: &str| {
        let path = format!("{}/../../assets/{name}.bonebox", env!("CARGO_MANIFEST_DIR"));
        Arc::new(Character::load(&std::fs::read(path).expect("the asset")).expect("a right character"))
    };
    let characters = ["runa", "bruno", "hound"].map(load);
    let mut world = HitboxWorld::new();
    let mut random = Random::new(31);
    let mut starts = Vec::new();
    let side = (BODIES as f32).sqrt();
    for id in 0..BODIES {
        let character = Arc::clone(&characters[id as usize % characters.len()]);
        world.insert(BodyId(id), character, settings).expect("a new id");
        let turn = Quat::from_xyzw(0.0, random.between(-1.0, 1.0), 0.0, 0.5).normalize();
        let spot = Vec3::new(random.between(0.0, side), 0.0, random.between(0.0, side));
        let place = Affine3A::from_rotation_translation(turn, spot);
        let time = random.between(0.0, 1.0);
        world.pose_from_clip(BodyId(id), &place, ClipIndex(0), time).expect("a finite pose");
        starts.push((place, time));
    }
    world.update();
    Ticking { world, starts, tick: 0, hits: Vec::new() }
}

struct Ticking {
    world: HitboxWorld,
    /// The place of each body, and the time of its clip in the first tick, in seconds.
    starts: Vec<(Affine3A, f32)>,
    tick: usize,
    hits: Vec<BodySweepHit>,
}

impl Ticking {
    fn step(&mut self) {
        self.tick = (self.tick + 1) % 60;
        let (starts, later) = (&self.starts, self.tick as f32 / 60.0);
        let posed = self.world.pose_each(|id, body| {
            let (place, time) = &starts[id.0 as usize];
            body.pose_from_clip(place, ClipIndex(0), time + later)
        });
        posed.expect("finite poses");
        self.world.update();
    }

    fn sweep(&mut self) {
        self.world.sweep_all(None, &QueryFilter::default(), &mut self.hits);
    }
}

fn ticks() {
    const HURT: u32 = 1;
    const STRIKE: u32 = 2;
    let still = BodySettings::default();
    let continuous = BodySettings { continuous: true, ..still };
    let struck = BodySettings { layers: CollisionLayers { memberships: HURT, mask: STRIKE }, ..continuous };
    let (mut plain, mut moving, mut all, mut hands) =
        (crowd(still), crowd(continuous), crowd(continuous), crowd(struck));
    for id in 0..BODIES {
        let body = hands.world.body(BodyId(id)).expect("a body of the crowd");
        // The hound has no hands.
        let Ok(strikers) = body.character().boxes_with_tag("strike") else { continue };
        let layers = CollisionLayers { memberships: STRIKE, mask: HURT };
        hands.world.set_box_layers(BodyId(id), &strikers, layers).expect("hitboxes of this body");
    }
    let mut turns = Turns::new("sweeps", "a tick of 1,000 characters that play clips").items(1.0, "tick");
    turns.ours("pose and update", || plain.step());
    turns.ours("pose and update, continuous", || moving.step());
    turns.ours("pose, update and sweep_all", || {
        all.step();
        all.sweep();
        assert!(all.hits.len() > all.world.touches().len());
    });
    turns.ours("the same, only striking hitboxes against others", || {
        hands.step();
        hands.sweep();
        assert!(!hands.hits.is_empty());
    });
    turns.run();

    // One body of twenty strikes with one fist or foot.
    let strikers = |body: &Body| Some((body.id(), body.character().boxes_with_tag("strike").ok()?));
    let attackers: Vec<(BodyId, BoxSet)> = all
        .world
        .bodies()
        .filter_map(strikers)
        .step_by(20)
        .map(|(id, strikers)| {
            let character = all.world.body(id).expect("a body of the crowd").character();
            let joint = strikers.iter().next().and_then(|index| character.hitbox(index)).expect("a hitbox").joint;
            (id, character.boxes_of_joint(joint))
        })
        .collect();
    let mut hits = Vec::new();
    let case = format!("sweeps of 1,000 characters, of which {} strike", attackers.len());
    let mut turns = Turns::new("sweeps", &case).items(1.0, "tick");
    for world in [&mut all, &mut moving] {
        world.step();
    }
    turns.ours("sweep_all", || all.world.sweep_all(None, &QueryFilter::default(), &mut all.hits));
    turns.ours("sweep_from each attacker", || {
        let mut found = 0;
        for (id, fist) in &attackers {
            moving.world.sweep_from(*id, fist, None, &QueryFilter::default(), &mut hits).expect("a set of this body");
            found += hits.len();
        }
        assert!(black_box(found) > 0);
    });
    turns.run();
}

fn spot(random: &mut Random) -> Vec3 {
    let side = (BODIES as f32).sqrt();
    Vec3::new(random.between(0.0, side), random.between(0.4, 1.6), random.between(0.0, side))
}

/// A blade that also turns about x, if `turn` is not 0.
fn weapon(random: &mut Random, turn: f32) -> [Obb; 2] {
    let (spot, start, way) = (spot(random), random.rotation(), random.vector().normalize() * 0.4);
    let half = Vec3::new(0.02, 0.45, 0.03);
    let turned = || (Quat::from_xyzw(turn, 0.0, 0.0, 1.0).normalize() * start).normalize();
    let end = if turn == 0.0 { start } else { turned() };
    [Obb::from_orientation(spot, half, start), Obb::from_orientation(spot + way, half, end)]
}

fn stone(random: &mut Random) -> [Sphere; 2] {
    let (spot, way) = (spot(random), random.vector().normalize() * 0.4);
    [spot, spot + way].map(|center| Sphere::try_new(center, 0.15).expect("a sphere"))
}

fn staff(random: &mut Random) -> [Capsule; 2] {
    let (spot, way) = (spot(random), random.vector().normalize() * 0.4);
    let along = random.rotation() * Vec3::Y * 0.45;
    [spot, spot + way].map(|center| Capsule::try_new(center - along, center + along, 0.03).expect("a capsule"))
}

fn weapons() {
    let world = crowd(BodySettings::default()).world;
    let bodies: Vec<_> = world.bodies().map(|body| body.posed()).collect();
    let crowd = &Crowd { world: &world, peer: Peer::new(&bodies), bodies };
    let mut random = Random::new(8);
    for (met, name) in [(0, "nobody met"), (2, "two bodies met")] {
        let pose = |one: &Obb| Pose::from_parts(one.center(), Quat::from_mat3(&one.axes()).normalize());
        let blade = |one: &Obb| (pose(one), Box::new(Cuboid::new(one.half_extents())) as Box<dyn Shape>);
        casts(crowd, &format!("a weapon among 1,000, {name}"), met, || weapon(&mut random, 0.0), Some(&blade));
    }
    for (met, name) in [(0, "turning, nobody met"), (2, "turning, two bodies met")] {
        casts(crowd, &format!("a weapon among 1,000, {name}"), met, || weapon(&mut random, 0.15), None);
    }
    for (met, name) in [(0, "nobody met"), (2, "two bodies met")] {
        let at = |center: Vec3| Pose::from_parts(center, Quat::IDENTITY);
        let ball = |one: &Sphere| (at(one.center()), Box::new(Ball::new(one.radius())) as Box<dyn Shape>);
        casts(crowd, &format!("a sphere among 1,000, {name}"), met, || stone(&mut random), Some(&ball));
        let in_parry = |one: &Capsule| {
            let (start, end) = (one.segment().start(), one.segment().end());
            let center = (start + end) * 0.5;
            let shape = parry3d::shape::Capsule::new(start - center, end - center, one.radius());
            (at(center), Box::new(shape) as Box<dyn Shape>)
        };
        casts(crowd, &format!("a capsule among 1,000, {name}"), met, || staff(&mut random), Some(&in_parry));
    }
}

struct Crowd<'w> {
    world: &'w HitboxWorld,
    bodies: Vec<&'w PosedCharacter>,
    peer: Peer,
}

/// A shape of ours as parry's.
type InParry<'p, S> = &'p dyn Fn(&S) -> (Pose, Box<dyn Shape>);

/// Shapes that hit `met` bodies on their way. parry3d sweeps only shapes that do not turn.
fn casts<S: CastShape + Copy>(
    crowd: &Crowd<'_>,
    case: &str,
    met: usize,
    mut moving: impl FnMut() -> [S; 2],
    in_parry: Option<InParry<'_, S>>,
) {
    let (world, bodies, any) = (crowd.world, &crowd.bodies, QueryFilter::default());
    let mut hits: Vec<BodyCastHit> = Vec::new();
    let mut shapes = Vec::new();
    let mut expected = 0;
    while shapes.len() < WEAPONS {
        let [from, to] = moving();
        world.cast_shape_all(&from, &to, TOLERANCE, &any, &mut hits);
        if hits.iter().map(|hit| hit.body).collect::<BTreeSet<_>>().len() == met {
            expected += hits.len();
            shapes.push([from, to]);
        }
    }
    let mut turns = Turns::new("sweeps", case).items(WEAPONS as f64, "weapon");
    if let Some(in_parry) = in_parry {
        let shapes: Vec<_> = shapes
            .iter()
            .map(|[from, to]| {
                let ((pose, shape), (end, _)) = (in_parry(from), in_parry(to));
                (pose, shape, end.translation - pose.translation)
            })
            .collect();
        turns.peer("parry3d", move || {
            let found: usize = shapes.iter().map(|(pose, shape, way)| crowd.peer.cast(pose, &**shape, *way)).sum();
            // parry rounds differently, and ours finds weapons that pass within a ten-thousandth of a box.
            assert!(black_box(found).abs_diff(expected) <= 1 + expected / 50, "{found} and {expected}");
        });
    }
    turns.ours("the slow twin", || {
        let found: usize = shapes.iter().map(|[from, to]| looking_at_all(bodies, from, to)).sum();
        assert_eq!(black_box(found), expected);
    });
    turns.ours("all hits", || {
        let mut found = 0;
        for [from, to] in &shapes {
            world.cast_shape_all(black_box(from), to, TOLERANCE, &any, &mut hits);
            found += hits.len();
        }
        assert_eq!(found, expected);
    });
    turns.ours("the first hit", || {
        let first = |[from, to]: &&[S; 2]| world.cast_shape(black_box(from), to, TOLERANCE, &any).is_some();
        assert_eq!(shapes.iter().filter(first).count(), if met > 0 { WEAPONS } else { 0 });
    });
    turns.run();
}

/// Conservative advancement against every hitbox whose bounds the shape's way reaches.
fn looking_at_all<S: CastShape>(bodies: &[&PosedCharacter], from: &S, to: &S) -> usize {
    let [from, to] = S::boxes(from, to);
    let motion = ObbMotion::between(&from, &to);
    let shape = S::SHAPE.boxed();
    let middle = (from.center() + to.center()) * 0.5;
    let reach = (to.center() - from.center()).length() * 0.5 + from.half_extents().length();
    let mut found = 0;
    for body in bodies {
        for one in body.boxes() {
            let one = one.obb();
            if (one.center() - middle).length() <= reach * 1.001 + one.half_extents().length() {
                let still = ObbMotion::still(&one);
                let hit = motion.first_contact_of(shape, &still, BoxedShape::Box, TOLERANCE, 1.0);
                found += usize::from(hit.is_some());
            }
        }
    }
    found
}

struct Peer {
    bvh: Bvh,
    bodies: Vec<Vec<(Pose, Cuboid, Aabb)>>,
}

impl Peer {
    fn new(bodies: &[&PosedCharacter]) -> Self {
        let in_parry = |posed: &&PosedCharacter| {
            let one = |one: runtime::PosedHitbox| {
                let pose = Pose::from_parts(one.center, Quat::from_mat3(&one.axes).normalize());
                let cuboid = Cuboid::new(one.half_extents);
                (pose, cuboid, cuboid.aabb(&pose))
            };
            posed.boxes().map(one).collect::<Vec<_>>()
        };
        let bodies: Vec<_> = bodies.iter().map(in_parry).collect();
        let around = |body: &Vec<(Pose, Cuboid, Aabb)>| {
            body.iter().fold(Aabb::new_invalid(), |around, (_, _, aabb)| around.merged(aabb))
        };
        let leaves: Vec<_> = bodies.iter().map(around).collect();
        Self { bvh: Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves), bodies }
    }

    fn cast(&self, pose: &Pose, shape: &dyn Shape, way: Vec3) -> usize {
        let start = shape.compute_aabb(pose);
        let swept = Aabb::new(start.mins.min(start.mins + way), start.maxs.max(start.maxs + way));
        let mut found = 0;
        for leaf in self.bvh.intersect_aabb(&swept) {
            for (other, box_of_other, aabb) in &self.bodies[leaf as usize] {
                let options = ShapeCastOptions::with_max_time_of_impact(1.0);
                let still = parry3d::math::Vector::ZERO;
                found += usize::from(
                    swept.intersects(aabb)
                        && cast_shapes(pose, way, shape, other, still, box_of_other, options)
                            .is_ok_and(|hit| hit.is_some()),
                );
            }
        }
        found
    }
}

/// Two characters in close contact that both move and turn.
fn pair() {
    let character = Character::from_baked(baked_figure("figure"));
    let (a, b) = (place(&character, 0.0, 0.0, 0.3), place(&character, 0.3, -1.2, 0.8));
    let (a_next, b_next) = (place(&character, 0.05, 0.05, 0.35), place(&character, 0.25, -1.15, 0.85));
    let motion = |from, to| BodyMotion::new(from, to).expect("one character");
    let (a_motion, b_motion) = (motion(&a, &a_next), motion(&b, &b_next));
    let mut hits = Vec::new();
    sweep_all(&a_motion, &b_motion, TOLERANCE, &mut hits);
    let expected = hits.len();
    assert!(expected > 20);
    let motions = |from: &PosedCharacter, to: &PosedCharacter| -> Vec<ObbMotion> {
        from.boxes().zip(to.boxes()).map(|(from, to)| ObbMotion::between(&from.obb(), &to.obb())).collect()
    };
    let mut turns = Turns::new("sweeps", "two characters of 24 boxes, moving in close contact").items(20.0, "pair");
    turns.ours("the slow twin, 576 pairs", || {
        for _ in 0..20 {
            let (of_a, of_b) = (motions(black_box(&a), &a_next), motions(&b, &b_next));
            let hits = |one: &ObbMotion| {
                of_b.iter().filter(|other| Obb::first_contact(one, other, TOLERANCE).is_some()).count()
            };
            assert_eq!(of_a.iter().map(hits).sum::<usize>(), expected);
        }
    });
    turns.ours("all hits", || {
        for _ in 0..20 {
            sweep_all(black_box(&a_motion), &b_motion, TOLERANCE, &mut hits);
            assert_eq!(hits.len(), expected);
        }
    });
    turns.ours("the first hit", || {
        for _ in 0..20 {
            assert!(sweep(black_box(&a_motion), &b_motion, TOLERANCE).is_some());
        }
    });
    turns.run();
}
