//! Moving boxes and moving characters, each beside a slow twin that looks at every pair of hitboxes one by one, and
//! beside parry3d where it does the same.
//!
//! Weapons of 0.9 m move by 0.4 m among 1,000 characters of `assets/`, 1 per square meter. Two characters of 24 boxes move
//! and turn in close contact.

mod common;
mod figure {
    include!("../tests/common/figure.rs");
}

use common::{Random, place};
use figure::figure;
use geometry_core::{Obb, ObbMotion};
use glam::{Affine3A, Quat, Vec3};
use paired_timing::Turns;
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::Pose;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::{ShapeCastOptions, cast_shapes};
use parry3d::shape::Cuboid;
use runtime::{
    BodyCastHit, BodyId, BodyMotion, BodySettings, Character, ClipIndex, HitboxWorld, PosedCharacter, QueryFilter,
    sweep, sweep_first,
};
use std::collections::BTreeSet;
use std::hint::black_box;
use std::sync::Arc;

const BODIES: u64 = 1000;
const WEAPONS: usize = 50;
const TOLERANCE: f32 = 1e-4;

fn main() {
    weapons();
    pair();
}

fn crowd() -> HitboxWorld {
    let load = |name: &str| {
        let path = format!("{}/../../assets/{name}.bonebox", env!("CARGO_MANIFEST_DIR"));
        Arc::new(Character::load(&std::fs::read(path).expect("the asset")).expect("a right character"))
    };
    let characters = ["runa", "bruno", "hound"].map(load);
    let mut world = HitboxWorld::new();
    let mut random = Random(31);
    let side = (BODIES as f32).sqrt();
    for id in 0..BODIES {
        let character = Arc::clone(&characters[id as usize % characters.len()]);
        world.insert(BodyId(id), character, BodySettings::default()).expect("a new id");
        let turn = Quat::from_xyzw(0.0, random.between(-1.0, 1.0), 0.0, 0.5).normalize();
        let spot = Vec3::new(random.between(0.0, side), 0.0, random.between(0.0, side));
        let place = Affine3A::from_rotation_translation(turn, spot);
        world.pose_from_clip(BodyId(id), &place, ClipIndex(0), random.between(0.0, 1.0)).expect("a finite pose");
    }
    world.update();
    world
}

fn weapon(random: &mut Random, turn: f32) -> [Obb; 2] {
    let side = (BODIES as f32).sqrt();
    let spot = Vec3::new(random.between(0.0, side), random.between(0.4, 1.6), random.between(0.0, side));
    let (start, way) = (random.rotation(), random.vector().normalize() * 0.4);
    let half = Vec3::new(0.02, 0.45, 0.03);
    let turned = || (Quat::from_xyzw(turn, 0.0, 0.0, 1.0).normalize() * start).normalize();
    let end = if turn == 0.0 { start } else { turned() };
    [Obb::from_orientation(spot, half, start), Obb::from_orientation(spot + way, half, end)]
}

/// Weapons that hit as many bodies as the name says.
fn weapons() {
    let world = crowd();
    let mut random = Random(8);
    let any = QueryFilter::default();
    let bodies: Vec<_> = world.bodies().map(|body| body.posed()).collect();
    for (name, turn, met) in [
        ("nobody met", 0.0, 0),
        ("two bodies met", 0.0, 2),
        ("turning, nobody met", 0.15, 0),
        ("turning, two bodies met", 0.15, 2),
    ] {
        let mut hits: Vec<BodyCastHit> = Vec::new();
        let mut weapons = Vec::new();
        let mut expected = 0;
        while weapons.len() < WEAPONS {
            let [from, to] = weapon(&mut random, turn);
            world.cast_box(&from, &to, TOLERANCE, &any, &mut hits);
            if hits.iter().map(|hit| hit.body).collect::<BTreeSet<_>>().len() == met {
                expected += hits.len();
                weapons.push([from, to]);
            }
        }
        let case = format!("a weapon among 1,000, {name}");
        let mut turns = Turns::new("sweeps", case).items(WEAPONS as f64, "weapon");
        if turn == 0.0 {
            let peer = Peer::new(&bodies);
            let weapons = weapons.clone();
            turns.peer("parry3d", move || {
                let found: usize = weapons.iter().map(|[from, to]| peer.cast(from, to)).sum();
                // parry rounds differently, and ours finds weapons that pass within a ten-thousandth of a box.
                assert!(black_box(found).abs_diff(expected) <= 1 + expected / 50, "{found} and {expected}");
            });
        }
        turns.ours("the slow twin", || {
            let found: usize = weapons.iter().map(|weapon| looking_at_all(&bodies, weapon)).sum();
            assert_eq!(black_box(found), expected);
        });
        turns.ours("all hits", || {
            let mut found = 0;
            for [from, to] in &weapons {
                world.cast_box(black_box(from), to, TOLERANCE, &any, &mut hits);
                found += hits.len();
            }
            assert_eq!(found, expected);
        });
        turns.ours("the first hit", || {
            let first = |[from, to]: &&[Obb; 2]| world.cast_box_first(black_box(from), to, TOLERANCE, &any).is_some();
            assert_eq!(weapons.iter().filter(first).count(), if met > 0 { WEAPONS } else { 0 });
        });
        turns.run();
    }
}

/// Conservative advancement against every hitbox whose bounds the weapon's way reaches.
fn looking_at_all(bodies: &[&PosedCharacter], [from, to]: &[Obb; 2]) -> usize {
    let motion = ObbMotion::between(from, to);
    let middle = Obb::new((from.center() + to.center()) * 0.5, Vec3::ONE, from.axes());
    let reach = (to.center() - from.center()).length() * 0.5 + from.half_extents().length();
    let mut found = 0;
    for body in bodies {
        for one in body.boxes() {
            let one = one.obb();
            if (one.center() - middle.center()).length() <= reach * 1.001 + one.half_extents().length() {
                found += usize::from(Obb::first_contact(&motion, &ObbMotion::still(&one), TOLERANCE).is_some());
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

    fn cast(&self, from: &Obb, to: &Obb) -> usize {
        let pose = Pose::from_parts(from.center(), Quat::from_mat3(&from.axes()).normalize());
        let (cuboid, way) = (Cuboid::new(from.half_extents()), to.center() - from.center());
        let start = cuboid.aabb(&pose);
        let swept = Aabb::new(start.mins.min(start.mins + way), start.maxs.max(start.maxs + way));
        let mut found = 0;
        for leaf in self.bvh.intersect_aabb(&swept) {
            for (other, box_of_other, aabb) in &self.bodies[leaf as usize] {
                let options = ShapeCastOptions::with_max_time_of_impact(1.0);
                let still = parry3d::math::Vector::ZERO;
                found += usize::from(
                    swept.intersects(aabb)
                        && cast_shapes(&pose, way, &cuboid, other, still, box_of_other, options)
                            .is_ok_and(|hit| hit.is_some()),
                );
            }
        }
        found
    }
}

/// Two characters in close contact that both move and turn.
fn pair() {
    let character = figure("figure");
    let (a, b) = (place(&character, 0.0, 0.0, 0.3), place(&character, 0.3, -1.2, 0.8));
    let (a_next, b_next) = (place(&character, 0.05, 0.05, 0.35), place(&character, 0.25, -1.15, 0.85));
    let motion = |from, to| BodyMotion::new(from, to).expect("one character");
    let (a_motion, b_motion) = (motion(&a, &a_next), motion(&b, &b_next));
    let mut hits = Vec::new();
    sweep(&a_motion, &b_motion, TOLERANCE, &mut hits);
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
            sweep(black_box(&a_motion), &b_motion, TOLERANCE, &mut hits);
            assert_eq!(hits.len(), expected);
        }
    });
    turns.ours("the first hit", || {
        for _ in 0..20 {
            assert!(sweep_first(black_box(&a_motion), &b_motion, TOLERANCE).is_some());
        }
    });
    turns.run();
}
