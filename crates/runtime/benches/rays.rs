//! 256 rays against 1,000 characters of 24 boxes, 1 per square meter: together, one by one, and through parry3d's `Bvh` of
//! characters. Rays against one character of 52 boxes, with each kernel.

mod common;
use baked_characters::baked_figure;
use geometry_core::Ray;
use glam::{Affine3A, Quat, Vec3};
use paired_timing::Turns;
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::Pose;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::RayCast;
use parry3d::shape::Cuboid;
use runtime::kernels::Kernel;
use runtime::{BodyId, BodySettings, Character, HitboxWorld, PosedCharacter, QueryFilter, RayBuffers, RayQuery};
use std::hint::black_box;
use std::sync::Arc;
use test_models::Random;

const BODIES: u64 = 1000;
const RAYS: usize = 256;

fn main() {
    crowd();
    one_character();
}

fn crowd() {
    let character = Arc::new(Character::from_baked(baked_figure("figure")));
    let mut world = HitboxWorld::new();
    let mut random = Random::new(5);
    for id in 0..BODIES {
        world.insert(BodyId(id), Arc::clone(&character), BodySettings::default()).expect("a new id");
        let at = Vec3::new(random.between(0.0, 32.0), 0.0, random.between(0.0, 32.0));
        world.pose_from_rest(BodyId(id), &Affine3A::from_translation(at)).expect("a finite pose");
    }
    world.update();
    let queries: Vec<RayQuery<'_>> = (0..RAYS)
        .map(|_| {
            let from = Vec3::new(random.between(-5.0, 37.0), random.between(0.3, 1.7), random.between(-5.0, 37.0));
            let to = Vec3::new(random.between(0.0, 32.0), random.between(0.3, 1.7), random.between(0.0, 32.0));
            RayQuery::new(Ray::try_new(from, (to - from).normalize()).expect("a direction"))
        })
        .collect();
    let cast = |query: &RayQuery<'_>| world.cast_ray(&query.ray, None, &QueryFilter::default());
    let expected: Vec<_> = queries.iter().map(cast).collect();
    let hits = expected.iter().flatten().count();
    assert!(hits > RAYS / 2, "{hits} of {RAYS} rays hit");
    let peer = Peer::new(&world);
    let (mut buffers, mut found) = (RayBuffers::default(), Vec::new());
    let mut turns = Turns::new("rays", "256 rays against 1,000 characters").items(RAYS as f64, "ray");
    turns.peer("parry3d, its tree made before", || {
        let found = queries.iter().filter(|query| peer.hits(&query.ray)).count();
        assert!(black_box(found).abs_diff(hits) <= 2, "{found} and {hits}");
    });
    turns.ours("one by one", || {
        assert_eq!(queries.iter().filter(|query| cast(black_box(query)).is_some()).count(), hits)
    });
    turns.ours("together", || {
        world.cast_rays(black_box(&queries), &mut buffers, &mut found);
        assert_eq!(found, expected);
    });
    turns.run();
}

struct Peer {
    bvh: Bvh,
    bodies: Vec<Vec<(Pose, Cuboid)>>,
}

impl Peer {
    fn new(world: &HitboxWorld) -> Self {
        let (mut bodies, mut leaves) = (Vec::new(), Vec::new());
        for body in world.bodies() {
            let mut around = Aabb::new_invalid();
            let one = |one: runtime::PosedHitbox| {
                let pose = Pose::from_parts(one.center, Quat::from_mat3(&one.axes).normalize());
                let cuboid = Cuboid::new(one.half_extents);
                around.merge(&cuboid.aabb(&pose));
                (pose, cuboid)
            };
            bodies.push(body.posed().boxes().map(one).collect());
            leaves.push(around);
        }
        Self { bvh: Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves), bodies }
    }

    fn hits(&self, ray: &Ray) -> bool {
        let ray = parry3d::query::Ray::new(ray.origin(), ray.direction());
        let hit = self.bvh.cast_ray(&ray, f32::MAX, |leaf, best| {
            let times =
                self.bodies[leaf as usize].iter().filter_map(|(pose, one)| one.cast_ray(pose, &ray, best, true));
            times.min_by(f32::total_cmp)
        });
        hit.is_some()
    }
}

/// Casts rays at `assets/runa.bonebox`: rays that hit a box, and rays that pass through the bounds and hit no box.
fn one_character() {
    let path = format!("{}/../../assets/runa.bonebox", env!("CARGO_MANIFEST_DIR"));
    let runa = Character::load(&std::fs::read(path).expect("the asset")).expect("a right character");
    let mut random = Random::new(6);
    for (name, is_hit) in [("hit", true), ("missed inside the bounds", false)] {
        let mut turns = Turns::new("rays", format!("one character of 52 boxes, {name}")).items(200.0, "ray");
        let mut rays = Vec::new();
        for kernel in Kernel::available() {
            let mut posed = PosedCharacter::with_kernel(kernel);
            posed.pose_from_rest(&runa, &Affine3A::IDENTITY).expect("a finite pose");
            let bounds = posed.bounds();
            while rays.len() < 200 {
                let mut within = || {
                    let share = Vec3::new(random.between(0.0, 1.0), random.between(0.0, 1.0), random.between(0.0, 1.0));
                    bounds.min + (bounds.max - bounds.min) * share
                };
                let (through, to) = (within(), within());
                let direction = (to - through).normalize();
                let ray = Ray::try_new(through - direction * 5.0, direction).expect("a direction");
                if posed.cast_ray(&ray, None).is_some() == is_hit {
                    rays.push(ray);
                }
            }
            let rays = rays.clone();
            turns.ours(format!("{kernel:?}"), move || {
                let hits = rays.iter().filter(|ray| black_box(&posed).cast_ray(ray, None).is_some()).count();
                assert_eq!(hits, if is_hit { 200 } else { 0 });
            });
        }
        turns.run();
    }
}
