//! 256 rays against 1,000 characters of 24 boxes, 1 per square meter: together, one by one, and through parry3d's `Bvh` of
//! characters. Rays at one character's boxes, with each kernel and through parry3d.

mod common;
use baked_characters::baked_figure;
use geometry_core::Ray;
use glam::{Affine3A, Quat, Vec3};
use paired_timing::Turns;
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::Pose;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::{RayCast, RayIntersection};
use parry3d::shape::Cuboid;
use runtime::kernels::Kernel;
use runtime::{
    BodyId, BodySettings, Bounds, Character, HitboxWorld, PosedCharacter, QueryFilter, RayBuffers, RayQuery,
};
use std::hint::black_box;
use std::sync::Arc;
use test_models::Random;

const BODIES: u64 = 1000;
const RAYS: usize = 256;

/// The number of rays at one character. A processor learns the branches of 256 rays, but no game casts the same rays again and
/// again.
const RAYS_AT_ONE: usize = 4096;

fn main() {
    crowd();
    for name in ["runa", "bruno"] {
        one_character(name);
    }
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
            let (boxes, bounds) = boxes_and_bounds(body.posed());
            let mut around = Aabb::new_invalid();
            bounds.iter().for_each(|one| around.merge(one));
            bodies.push(boxes);
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

/// The boxes of a character, and the bounds of each.
fn boxes_and_bounds(posed: &PosedCharacter) -> (Vec<(Pose, Cuboid)>, Vec<Aabb>) {
    let one = |one: runtime::PosedHitbox| {
        let pose = Pose::from_parts(one.center, Quat::from_mat3(&one.axes).normalize());
        let cuboid = Cuboid::new(one.half_extents);
        ((pose, cuboid), cuboid.aabb(&pose))
    };
    posed.boxes().map(one).unzip()
}

/// Casts rays at a character of `assets/`: rays that hit a box, and rays that pass through the bounds and hit no box.
fn one_character(name: &str) {
    let path = format!("{}/../../assets/{name}.bonebox", env!("CARGO_MANIFEST_DIR"));
    let character = Character::load(&std::fs::read(path).expect("the asset")).expect("a right character");
    let posed = Kernel::available().map(|kernel| {
        let mut posed = PosedCharacter::with_kernel(kernel);
        posed.pose_from_rest(&character, &Affine3A::IDENTITY).expect("a finite pose");
        (kernel, posed)
    });
    let posed: Vec<_> = posed.collect();
    let first = &posed[0].1;
    let peer = Boxes::new(first);
    for (what, is_hit) in [("hit", true), ("missed inside the bounds", false)] {
        let rays = rays_within(&first.bounds(), |ray| first.cast_ray(ray, None).is_some() == is_hit);
        let count = first.boxes().len();
        let expected: Vec<_> = rays.iter().map(|ray| first.cast_ray(ray, None)).collect();
        let of_peer: Vec<_> = rays.iter().map(|ray| parry3d::query::Ray::new(ray.origin(), ray.direction())).collect();
        let mut turns =
            Turns::new("rays", format!("a ray at {name}, {count} boxes, {what}")).items(RAYS_AT_ONE as f64, "ray");
        turns.peer("parry3d, a ready tree of boxes", || {
            for (ray, expected) in of_peer.iter().zip(&expected) {
                let hit = black_box(&peer).cast_ray(ray);
                let time = hit.map(|(_, hit)| hit.time_of_impact);
                assert!(time.map_or(!is_hit, |time| expected.is_some_and(|hit| (hit.entry - time).abs() < 1e-4)));
            }
        });
        for (kernel, posed) in &posed {
            turns.ours(format!("{kernel:?}"), || {
                for (ray, expected) in rays.iter().zip(&expected) {
                    assert_eq!(black_box(&*posed).cast_ray(ray, None), *expected);
                }
            });
        }
        turns.run();
    }
}

/// Rays that start 5 m before a point of the bounds, and for which `is_wanted` returns `true`.
fn rays_within(bounds: &Bounds, mut is_wanted: impl FnMut(&Ray) -> bool) -> Vec<Ray> {
    let mut random = Random::new(6);
    let mut within = || {
        let share = Vec3::new(random.between(0.0, 1.0), random.between(0.0, 1.0), random.between(0.0, 1.0));
        bounds.min + (bounds.max - bounds.min) * share
    };
    let mut rays = Vec::new();
    while rays.len() < RAYS_AT_ONE {
        let (through, to) = (within(), within());
        let direction = (to - through).normalize();
        let ray = Ray::try_new(through - direction * 5.0, direction).expect("a direction");
        if is_wanted(&ray) {
            rays.push(ray);
        }
    }
    rays
}

/// The boxes of a character in parry3d's tree.
struct Boxes {
    bvh: Bvh,
    boxes: Vec<(Pose, Cuboid)>,
}

impl Boxes {
    fn new(posed: &PosedCharacter) -> Self {
        let (boxes, bounds) = boxes_and_bounds(posed);
        Self { bvh: Bvh::from_leaves(BvhBuildStrategy::Binned, &bounds), boxes }
    }

    /// The first box that the ray hits, with the time and the normal.
    fn cast_ray(&self, ray: &parry3d::query::Ray) -> Option<(u32, RayIntersection)> {
        let (leaf, _) = self.bvh.cast_ray(ray, f32::MAX, |leaf, best| {
            let (pose, one) = &self.boxes[leaf as usize];
            one.cast_ray(pose, ray, best, true)
        })?;
        // Only the hit that counts needs a normal.
        let (pose, one) = &self.boxes[leaf as usize];
        Some((leaf, one.cast_ray_and_get_normal(pose, ray, f32::MAX, true)?))
    }
}
