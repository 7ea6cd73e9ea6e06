//! A tick allocates nothing after the buffers have grown, and a world takes no more memory than the documentation says.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use baked_characters::{
    baked_arm, baked_figure, baked_figure_for_any_pose, baked_swelling_tube, baked_tube, with_hulls,
};
use geometry_core::{Capsule, Obb, Ray, Sphere};
use glam::{Affine3A, Quat, Vec3};
use runtime::{
    BodyId, BodyMotion, BodySettings, BoxIndex, BoxSet, Character, ClipIndex, ClipSampler, CollisionLayers,
    HitboxWorld, JointMap, JointMask, PoseLayer, PosedCharacter, QueryFilter, RayQuery, SkinCandidates, cast_shape,
    cast_shape_all, cast_shape_any, contacts, distance, exact_distance, exact_overlap, exact_overlap_all,
    overlapping_joints, overlaps, sweep, sweep_all, sweep_any,
};
use skeleton::JointIndex;
use std::sync::Arc;

fn allocations(work: impl FnOnce()) -> usize {
    allocation_counter::of(work).1.allocations
}

#[test]
fn posing_and_testing_allocate_nothing_after_warm_up() {
    let arm = Character::from_baked(baked_arm("arm"));
    assert!(allocations(|| arm.prepare_clips()) > 0, "one clip");
    let wave = arm.find_clip("wave").unwrap();
    let (mut a, mut b, mut pairs) = (PosedCharacter::new(), PosedCharacter::new(), Vec::new());
    let mask = JointMask::new(&arm, |joint| 0.25 * f32::from(joint.0));
    let mut sampler = ClipSampler::new();
    let mut tick = |time: f32| {
        let beside = Affine3A::from_translation(Vec3::X * 0.5);
        a.pose_from_clip(&mut sampler, &arm, &Affine3A::IDENTITY, wave, time).unwrap();
        let layers = [
            PoseLayer::blend(wave, time, 1.0),
            PoseLayer::blend(wave, 0.5 * time, 0.5).masked(&mask),
            PoseLayer::add(wave, time, 0.1),
        ];
        b.pose_from_layers(&mut sampler, &arm, &beside, &layers).unwrap();
        overlapping_joints(&a, &b, &mut pairs);
        assert!(!pairs.is_empty());
    };
    assert!(allocations(|| tick(0.0)) > 0, "the counter counts");
    let after = allocations(|| (1..100).for_each(|i| tick(0.02 * i as f32)));
    assert_eq!(after, 0);
}

#[test]
fn boxes_for_any_pose_allocate_nothing_after_warm_up() {
    let figure = Arc::new(Character::from_baked(baked_figure_for_any_pose("figure")));
    figure.prepare_clips();
    let (mut posed, mut world) = (PosedCharacter::new(), HitboxWorld::new());
    let mut sampler = ClipSampler::new();
    for id in 0..8 {
        world.insert(BodyId(id), Arc::clone(&figure), BodySettings::default()).unwrap();
    }
    let mut tick = |tick: u16| {
        let time = 0.02 * f32::from(tick % 50);
        posed.pose_from_clip(&mut sampler, &figure, &Affine3A::IDENTITY, ClipIndex(1), time).unwrap();
        for id in 0..8u16 {
            let place = Affine3A::from_translation(Vec3::X * (0.3 * f32::from(id)));
            world.pose_from_clip(BodyId(id.into()), &place, ClipIndex(1), time).unwrap();
        }
        world.update();
        assert!(!world.touches().is_empty());
    };
    assert!(allocations(|| tick(0)) > 0, "the counter counts");
    (1..50).for_each(&mut tick);
    assert_eq!(allocations(|| (50..150).for_each(&mut tick)), 0);
}

#[test]
fn answers_about_hulls_allocate_nothing_after_warm_up() {
    let figure = Arc::new(Character::from_baked(with_hulls(baked_figure("figure"))));
    figure.prepare_clips();
    let (mut posed, mut world) = (PosedCharacter::new(), HitboxWorld::new());
    let (mut sampler, mut found, mut hits) = (ClipSampler::new(), Vec::new(), Vec::new());
    let (mut kept, mut before) = (PosedCharacter::new(), PosedCharacter::new());
    let ball = Sphere::try_new(Vec3::Y, 0.3).unwrap();
    let ray = Ray::try_new(Vec3::new(0.05, 1.0, 9.0), Vec3::NEG_Z).unwrap();
    for id in 0..8 {
        world.insert(BodyId(id), Arc::clone(&figure), BodySettings::default()).unwrap();
    }
    let mut tick = |tick: u16| {
        let time = 0.02 * f32::from(tick % 50);
        before.clone_from(&posed);
        posed.pose_from_clip(&mut sampler, &figure, &Affine3A::IDENTITY, ClipIndex(1), time).unwrap();
        kept.pose_from_rest(&figure, &Affine3A::from_translation(Vec3::X * 0.2)).unwrap();
        contacts(&posed, &kept, &mut found);
        assert!(!found.is_empty() && distance(&posed, &kept, None).is_some() && posed.overlaps_shape(&ball));
        assert!(posed.cast_ray(&ray, None).is_some());
        assert!(posed.boxes().all(|one| posed.lines(one.index).count() > 0));
        if let Ok(motion) = BodyMotion::new(&before, &posed) {
            sweep_all(&motion, &BodyMotion::still(&kept), None, &mut hits);
            assert!(!hits.is_empty());
        }
        for id in 0..8u16 {
            let place = Affine3A::from_translation(Vec3::X * (0.3 * f32::from(id)));
            world.pose_from_clip(BodyId(id.into()), &place, ClipIndex(1), time).unwrap();
        }
        world.update();
        assert!(!world.touches().is_empty());
    };
    assert!(allocations(|| tick(0)) > 0, "the counter counts");
    (1..50).for_each(&mut tick);
    assert_eq!(allocations(|| (50..150).for_each(&mut tick)), 0);
}

#[test]
fn exact_answers_allocate_nothing_after_warm_up() {
    let tube = Character::from_baked(baked_swelling_tube("tube"));
    tube.prepare_clips();
    let wave = tube.find_clip("wave").unwrap();
    let (mut a, mut b, mut sampler) = (PosedCharacter::new(), PosedCharacter::new(), ClipSampler::new());
    a.track_skin(true);
    b.track_skin(true);
    let (mut found, mut touched) = (Vec::new(), Vec::new());
    let ray = Ray::try_new(Vec3::new(-9.0, 1.7, 0.0), Vec3::X).unwrap();
    let ball = Sphere::try_new(Vec3::Y * 1.5, 0.6).unwrap();
    let mut tick = |time: f32| {
        // The tube is widest in the first tick, so that lists of pairs are longest then.
        a.set_morph_weights(&tube, &[2.0 - time, 0.25, -time]).unwrap();
        a.pose_from_clip(&mut sampler, &tube, &Affine3A::IDENTITY, wave, time).unwrap();
        b.pose_from_rest(&tube, &Affine3A::from_translation(Vec3::X * 0.5)).unwrap();
        exact_overlap_all(&mut a, &mut b, SkinCandidates::Bounds, &mut found).unwrap();
        assert!(!found.is_empty());
        exact_overlap_all(&mut a, &mut b, SkinCandidates::Hitboxes, &mut found).unwrap();
        assert!(exact_overlap(&mut a, &mut b, SkinCandidates::Bounds).unwrap().is_some());
        assert_eq!(exact_distance(&mut a, &mut b, None).unwrap().unwrap().distance, 0.0);
        assert!(a.exact_ray(&ray, None).unwrap().is_some());
        a.exact_shape_overlaps(&ball, &mut touched).unwrap();
        assert!(!touched.is_empty() && a.skin_contains(Vec3::Y * 1.5).unwrap());
    };
    assert!(allocations(|| tick(0.0)) > 0, "the counter counts");
    let after = allocations(|| (1..100).for_each(|i| tick(0.02 * i as f32)));
    assert_eq!(after, 0);
}

#[test]
fn a_world_allocates_nothing_after_warm_up() {
    let arm = Arc::new(Character::from_baked(baked_arm("arm")));
    let mut world = HitboxWorld::new();
    for id in 0..50u64 {
        let settings = BodySettings { self_touches: id.is_multiple_of(2), ..BodySettings::default() };
        world.insert(BodyId(id), Arc::clone(&arm), settings).unwrap();
    }
    let mut tick = |time: f32| {
        for id in 0..50u16 {
            let place = Affine3A::from_translation(Vec3::X * (0.1 + time) * f32::from(id));
            world.pose_from_clip(BodyId(id.into()), &place, ClipIndex(0), time).unwrap();
        }
        world.update();
        world.touches().len()
    };
    // Most touches come first: they stand closest at time zero.
    (0..5).for_each(|i| assert!(tick(0.01 * i as f32) > 0));
    let after = allocations(|| (5..100).for_each(|i| assert!(tick(0.01 * i as f32) > 0)));
    assert_eq!(after, 0);
}

/// With the feature `rayon`, the pool has one thread, which does all the work and whose allocations are counted.
#[test]
fn posing_all_bodies_allocates_nothing_after_warm_up() {
    let arm = Arc::new(Character::from_baked(baked_arm("arm")));
    let mut world = HitboxWorld::new();
    for id in 0..300u64 {
        world.insert(BodyId(id), Arc::clone(&arm), BodySettings::default()).unwrap();
    }
    let mut tick = |time: f32| {
        let pose = |id: BodyId, body: &mut runtime::BodyPoser<'_>| {
            let place = Affine3A::from_translation(Vec3::X * (0.1 + time) * id.0 as f32);
            body.pose_from_clip(&place, ClipIndex(0), time)
        };
        world.pose_all(pose).unwrap();
        #[cfg(feature = "rayon")]
        world.update_parallel();
        #[cfg(not(feature = "rayon"))]
        world.update();
        assert!(!world.touches().is_empty());
    };
    let mut count = || {
        assert!(allocations(|| tick(0.0)) > 0, "the counter counts");
        (1..5).for_each(|i| tick(0.01 * i as f32));
        allocations(|| (5..50).for_each(|i| tick(0.01 * i as f32)))
    };
    #[cfg(feature = "rayon")]
    let after = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(&mut count);
    #[cfg(not(feature = "rayon"))]
    let after = count();
    assert_eq!(after, 0);
}

/// Runs every query of the API.
#[derive(Default)]
struct Answers {
    contacts: Vec<runtime::Contact>,
    sweeps: Vec<runtime::SweepHit>,
    casts: Vec<runtime::CastHit>,
    hits: Vec<runtime::RayHit>,
    boxes: Vec<runtime::ShapeOverlap>,
    body_hits: Vec<runtime::BodyRayHit>,
    body_boxes: Vec<runtime::BodyShapeOverlap>,
    body_sweeps: Vec<runtime::BodySweepHit>,
    body_casts: Vec<runtime::BodyCastHit>,
    stones: Vec<runtime::CastHit>,
    body_stones: Vec<runtime::BodyCastHit>,
    ray_buffers: runtime::RayBuffers,
    ray_hits: Vec<Option<runtime::BodyRayHit>>,
    /// Kept poses of two bodies.
    before: [PosedCharacter; 2],
}

impl Answers {
    fn ask(&mut self, world: &HitboxWorld, tick: f32) -> usize {
        const TOLERANCE: f32 = 1e-3;
        let any = &QueryFilter::default();
        let [a, b] = [0, 1].map(|id| world.body(BodyId(id)).unwrap().posed());
        contacts(a, b, &mut self.contacts);
        assert!(overlaps(a, b) && distance(a, b, f32::INFINITY).is_some());
        let motions = [BodyMotion::still(a), BodyMotion::still(b)];
        sweep_all(&motions[0], &motions[1], TOLERANCE, &mut self.sweeps);
        assert!(sweep_any(&motions[0], &motions[1], TOLERANCE));
        assert!(sweep(&motions[0], &motions[1], TOLERANCE).is_some());
        let ray = Ray::try_new(Vec3::new(-5.0, 1.5, 0.0), Vec3::X).unwrap();
        a.cast_ray_all(&ray, f32::INFINITY, &mut self.hits);
        assert!(a.cast_ray(&ray, f32::INFINITY).is_some() && a.cast_ray_any(&ray, f32::INFINITY));
        let ball = Sphere::try_new(Vec3::new(0.2 * tick, 1.0, 0.0), 0.6).unwrap();
        let staff = Capsule::try_new(Vec3::new(-1.0, 1.5, 0.0), Vec3::new(3.0, 1.5, 0.0), 0.2).unwrap();
        let blade = |x| Obb::from_orientation(Vec3::new(x, 1.5, 0.0), Vec3::new(0.05, 0.5, 0.2), Quat::IDENTITY);
        a.overlapping_boxes(&ball, &mut self.boxes);
        a.overlapping_boxes(&blade(0.05 * tick), &mut self.boxes);
        assert!(a.overlaps_shape(&staff));
        cast_shape_all(&blade(-3.0), &blade(3.0), &motions[0], TOLERANCE, &mut self.casts);
        assert!(cast_shape(&blade(-3.0), &blade(3.0), &motions[0], TOLERANCE).is_some());
        assert!(cast_shape_any(&blade(-3.0), &blade(3.0), &motions[0], TOLERANCE));

        world.cast_ray_all(&ray, f32::INFINITY, any, &mut self.body_hits);
        assert!(world.cast_ray(&ray, f32::INFINITY, any).is_some() && world.cast_ray_any(&ray, f32::INFINITY, any));
        world.overlapping_boxes(&staff, any, &mut self.body_boxes);
        assert!(world.overlaps_shape(&staff, any));
        world.sweep_all(TOLERANCE, any, &mut self.body_sweeps);
        assert!(world.sweep_any(TOLERANCE, any) && world.sweep(TOLERANCE, any).is_some());
        world.cast_shape_all(&blade(-3.0), &blade(30.0), TOLERANCE, any, &mut self.body_casts);
        assert!(world.cast_shape(&blade(-3.0), &blade(30.0), TOLERANCE, any).is_some());
        assert!(world.cast_shape_any(&blade(-3.0), &blade(30.0), TOLERANCE, any));
        let stone = |x| Sphere::try_new(Vec3::new(x, 1.5, 0.0), 0.1).unwrap();
        cast_shape_all(&stone(-3.0), &stone(3.0), &motions[0], TOLERANCE, &mut self.stones);
        world.cast_shape_all(&stone(-3.0), &stone(30.0), TOLERANCE, any, &mut self.body_stones);
        let far = Capsule::try_new(Vec3::new(29.0, 1.5, 0.0), Vec3::new(33.0, 1.5, 0.0), 0.2).unwrap();
        assert!(world.cast_shape(&staff, &far, TOLERANCE, any).is_some());
        assert!(world.cast_shape_any(&staff, &far, TOLERANCE, any));
        // More rays than one for three bodies, so that they are cast together.
        let rays = [RayQuery::new(ray); 12];
        world.cast_rays(&rays, &mut self.ray_buffers, &mut self.ray_hits);
        assert!(self.ray_hits.iter().all(Option::is_some));
        self.before[0].clone_from(a);
        let answers = [self.contacts.len(), self.sweeps.len(), self.casts.len(), self.hits.len(), self.boxes.len()];
        let of_all = [self.body_hits.len(), self.body_boxes.len(), self.body_sweeps.len(), self.body_casts.len()];
        let of_shapes = [self.stones.len(), self.body_stones.len()];
        answers.into_iter().chain(of_all).chain(of_shapes).min().unwrap_or(0)
    }
}

#[test]
fn no_query_allocates_after_warm_up() {
    let figure = Arc::new(Character::from_baked(baked_figure("figure")));
    let mut world = HitboxWorld::new();
    for id in 0..30 {
        world.insert(BodyId(id), Arc::clone(&figure), BodySettings::default()).unwrap();
        world.pose_from_rest(BodyId(id), &Affine3A::IDENTITY).unwrap(); // the first pose is no motion
    }
    let mut answers = Answers::default();
    let mut tick = |tick: u16| {
        world.start_motion();
        for id in 0..30u16 {
            // The bodies move to and fro, so that the warm-up covers all states.
            let x = 0.4 * f32::from(id) + 0.05 * f32::from(tick % 8);
            let place = Affine3A::from_translation(Vec3::new(x, 0.0, 0.0));
            world.pose_from_clip(BodyId(id.into()), &place, ClipIndex(1), 0.1 * f32::from(tick % 8)).unwrap();
        }
        world.update();
        answers.ask(&world, f32::from(tick % 8))
    };
    assert!(allocations(|| assert!(tick(0) > 0)) > 0, "the counter counts");
    (1..16).for_each(|i| assert!(tick(i) > 0, "a question without an answer"));
    assert_eq!(allocations(|| (16..48).for_each(|i| assert!(tick(i) > 0))), 0);
}

#[test]
fn added_layers_allocate_nothing_once_the_clips_are_prepared() {
    let arm = Character::from_baked(baked_arm("arm"));
    let wave = arm.find_clip("wave").unwrap();
    let (mut posed, mut sampler) = (PosedCharacter::new(), ClipSampler::new());
    let layers = |mode: fn(ClipIndex, f32, f32) -> PoseLayer| [PoseLayer::blend(wave, 0.1, 1.0), mode(wave, 0.2, 0.5)];
    // The buffers grow with the same layers of another character.
    let other = Character::from_baked(baked_arm("arm"));
    posed.pose_from_layers(&mut sampler, &other, &Affine3A::IDENTITY, &layers(PoseLayer::add)).unwrap();
    posed.pose_from_layers(&mut sampler, &other, &Affine3A::IDENTITY, &layers(PoseLayer::blend)).unwrap();
    let mut posed = PosedCharacter::new();
    posed.pose_from_rest(&arm, &Affine3A::IDENTITY).unwrap();
    arm.prepare_clips();
    let first = || posed.pose_from_layers(&mut sampler, &arm, &Affine3A::IDENTITY, &layers(PoseLayer::add)).unwrap();
    assert_eq!(allocations(first), 0);
}

/// A world whose bodies use every feature, and the game around it.
struct Game {
    world: HitboxWorld,
    /// The state of the world at the start of the tick.
    saved: HitboxWorld,
    /// The character of each body.
    characters: Vec<Arc<Character>>,
    maps: Vec<JointMap>,
    masks: Vec<JointMask>,
    hands: Vec<BoxSet>,
    /// All bodies whose skin is not tracked.
    without_skin: Vec<BodyId>,
    matrices: Vec<Affine3A>,
    /// A posed character of each kind.
    copied: [PosedCharacter; 3],
    sampler: ClipSampler,
    touches: Vec<runtime::Touch>,
    sweeps: Vec<runtime::BodySweepHit>,
    casts: Vec<runtime::BodyCastHit>,
    hits: Vec<runtime::BodyRayHit>,
    boxes: Vec<runtime::BodyShapeOverlap>,
    skin_touches: Vec<runtime::SkinTouch>,
    skin_overlaps: Vec<runtime::BodySkinShapeOverlap>,
    inside: Vec<BodyId>,
    ray_buffers: runtime::RayBuffers,
    ray_hits: Vec<Option<runtime::BodyRayHit>>,
}

impl Game {
    const BODIES: u16 = 24;
    /// The state of the game repeats after so many ticks.
    const PERIOD: u16 = 8;

    fn new() -> Self {
        let tube = Arc::new(Character::from_baked(baked_tube("tube")));
        let kinds = [
            Arc::new(Character::from_baked(with_hulls(baked_figure("figure with hulls")))),
            Arc::new(Character::from_baked(baked_figure_for_any_pose("figure for any pose"))),
            Arc::clone(&tube),
        ];
        let (mut world, mut without_skin) = (HitboxWorld::new(), Vec::new());
        let characters: Vec<_> =
            (0..Self::BODIES).map(|id| Arc::clone(&kinds[usize::from(id) % kinds.len()])).collect();
        for (id, character) in (0..).zip(&characters) {
            character.prepare_clips();
            world.insert(BodyId(id), Arc::clone(character), Self::settings(id, 0)).unwrap();
            world.track_joints(BodyId(id), &[character.joint_name(JointIndex(1))]).unwrap();
            if Arc::ptr_eq(character, &tube) {
                world.track_skin(BodyId(id), true).unwrap();
            } else {
                without_skin.push(BodyId(id));
            }
            world.pose_from_rest(BodyId(id), &Affine3A::from_translation(Vec3::X * 0.1 * id as f32)).unwrap();
        }
        world.update();
        let mut copied = [(); 3].map(|()| PosedCharacter::new());
        copied[2].track_skin(true);
        let names = |character: &Character| {
            character.skeleton().joints().iter().map(|one| one.name.clone()).rev().collect::<Vec<_>>()
        };
        let hands = |character: &Arc<Character>| character.boxes_of_joint(character.hitbox(BoxIndex(1)).unwrap().joint);
        Self {
            world,
            saved: HitboxWorld::new(),
            maps: characters.iter().map(|one| JointMap::new(one, names(one)).unwrap()).collect(),
            masks: characters.iter().map(|one| JointMask::below(one, JointIndex(1)).unwrap()).collect(),
            hands: characters.iter().map(hands).collect(),
            characters,
            without_skin,
            matrices: Vec::new(),
            copied,
            sampler: ClipSampler::new(),
            touches: Vec::new(),
            sweeps: Vec::new(),
            casts: Vec::new(),
            hits: Vec::new(),
            boxes: Vec::new(),
            skin_touches: Vec::new(),
            skin_overlaps: Vec::new(),
            inside: Vec::new(),
            ray_buffers: runtime::RayBuffers::default(),
            ray_hits: Vec::new(),
        }
    }

    fn settings(id: u64, phase: u16) -> BodySettings {
        BodySettings {
            team: (id + u64::from(phase)).is_multiple_of(5).then_some(1),
            self_touches: id.is_multiple_of(4),
            continuous: !id.is_multiple_of(6),
            ..BodySettings::default()
        }
    }

    /// Attacks begin and end: layers of hitboxes and disabled hitboxes change.
    fn change_settings(&mut self, phase: u16) {
        let strike = CollisionLayers { memberships: 2, mask: 1 };
        for (id, hands) in (0..).zip(&self.hands) {
            self.world.set_settings(BodyId(id), Self::settings(id, phase)).unwrap();
            match (id + u64::from(phase)) % 4 {
                0 => self.world.set_box_layers(BodyId(id), hands, strike).unwrap(),
                1 => self.world.clear_box_layers(BodyId(id), hands).unwrap(),
                2 => self.world.set_boxes_enabled(BodyId(id), hands, false).unwrap(),
                _ => self.world.set_boxes_enabled(BodyId(id), hands, true).unwrap(),
            }
        }
    }

    /// Poses each body by another function in each tick.
    fn pose(&mut self, phase: u16) {
        for id in 0..Self::BODIES {
            let (place, body) = (usize::from(id), BodyId(id.into()));
            let character = &*self.characters[place];
            let at = Affine3A::from_translation(Vec3::X * (0.3 * f32::from(id / 3) + 0.02 * f32::from(phase)));
            let (clip, seconds) = (ClipIndex(0), 0.1 * f32::from(phase));
            match (id + phase) % 8 {
                0 => self.world.pose_from_clip(body, &at, clip, seconds).unwrap(),
                1 => self.world.pose_from_rest(body, &at).unwrap(),
                2 => {
                    let layers = [
                        PoseLayer::blend(clip, seconds, 1.0),
                        PoseLayer::blend(clip, 0.3, 0.4).masked(&self.masks[place]),
                        PoseLayer::add(clip, seconds, 0.2),
                    ];
                    self.world.pose_one(body, |body| body.pose_from_layers(&at, &layers)).unwrap();
                }
                3 => {
                    let game: &[Affine3A] = &[Affine3A::IDENTITY; 64][..character.skeleton().len()];
                    self.maps[place].fill(character, game, &mut self.matrices).unwrap();
                    self.world.pose_from_model(body, &at, &self.matrices).unwrap();
                }
                4 => {
                    let layers = [PoseLayer::blend(clip, seconds, 1.0), PoseLayer::blend(clip, 0.0, 0.5)];
                    let blended = self.sampler.sample_layers(character, &layers).unwrap();
                    self.world.pose_from_model(body, &at, character.rest_matrices()).unwrap();
                    assert_eq!(blended.len(), character.skeleton().len());
                }
                5 => {
                    self.matrices.clear();
                    self.matrices.resize(character.skeleton().len(), at);
                    let world = &mut self.world;
                    if world.body(body).unwrap().posed().is_posed() {
                        let one = &[JointIndex(1)];
                        world.pose_one(body, |body| body.update_joints(&self.matrices, one)).unwrap();
                    } else {
                        world.pose_from_world(body, &self.matrices).unwrap();
                    }
                }
                6 => {
                    let copied = &mut self.copied[place % 3];
                    copied.pose_from_clip(&mut self.sampler, character, &at, clip, seconds).unwrap();
                    self.world.pose_one(body, |body| body.copy_pose(copied)).unwrap();
                }
                // A teleport.
                _ => {
                    self.world.pose_from_rest(body, &at).unwrap();
                    self.world.reset_motion(body).unwrap();
                }
            }
        }
    }

    fn ask(&mut self) {
        let Self { world, without_skin, .. } = self;
        let is_not_first = |_: &runtime::Body, index: BoxIndex| index != BoxIndex(0);
        let any = QueryFilter { predicate: Some(&is_not_first), ..QueryFilter::default() };
        let all = QueryFilter::default();
        let ray = Ray::try_new(Vec3::new(-5.0, 1.1, 0.02), Vec3::X).unwrap();
        let ball = Sphere::try_new(Vec3::new(0.6, 1.1, 0.0), 0.5).unwrap();
        let blade = |x| Obb::from_orientation(Vec3::new(x, 1.1, 0.0), Vec3::new(0.05, 0.5, 0.2), Quat::IDENTITY);
        self.touches.clear();
        self.touches.extend_from_slice(world.touches());
        assert!(self.touches.iter().all(|touch| world.contact(touch).is_some()) && !world.events().is_empty());
        world.sweep_all(None, &any, &mut self.sweeps);
        assert!(self.sweeps.iter().all(|hit| world.sweep_contact(hit).is_some()) && world.sweep_any(None, &all));
        world.cast_shape_all(&blade(-1.0), &blade(9.0), None, &any, &mut self.casts);
        assert!(self.casts.iter().all(|hit| world.cast_contact(&blade(-1.0), &blade(9.0), hit).is_some()));
        world.cast_ray_all(&ray, None, &any, &mut self.hits);
        world.overlapping_boxes(&ball, &any, &mut self.boxes);
        world.cast_rays(&[RayQuery::new(ray); 40], &mut self.ray_buffers, &mut self.ray_hits);
        let first = (world.cast_ray(&ray, None, &all), world.cast_shape(&blade(-1.0), &blade(9.0), None, &all));
        assert!(first.0.is_some() && first.1.is_some() && world.sweep(None, &all).is_some());

        let skins = QueryFilter::excluding(without_skin);
        let counts = [
            self.touches.len(),
            self.sweeps.len(),
            self.casts.len(),
            self.hits.len(),
            self.boxes.len(),
            self.ray_hits.len(),
        ];
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
        world.exact_touches(&skins, &mut self.skin_touches).unwrap();
        assert!(!self.skin_touches.is_empty());
        #[cfg(feature = "rayon")]
        world.exact_touches_parallel(&skins, &mut self.skin_touches).unwrap();
        assert!(world.exact_ray(&ray, None, &skins).unwrap().is_some());
        world.exact_shape_overlaps(&ball, &skins, &mut self.skin_overlaps).unwrap();
        world.bodies_containing(ball.center(), &skins, &mut self.inside).unwrap();
        assert!(world.exact_distance(BodyId(2), BodyId(5), None).unwrap().is_some());
    }

    fn tick(&mut self, tick: u16) {
        let phase = tick % Self::PERIOD;
        self.saved.clone_from(&self.world);
        // The tick is played, rolled back and played again.
        for is_again in [false, true] {
            if is_again {
                self.world.clone_from(&self.saved);
            }
            self.change_settings(phase);
            if phase == 3 {
                self.world.start_motion();
            }
            self.pose(phase);
            #[cfg(feature = "rayon")]
            self.world.update_parallel();
            #[cfg(not(feature = "rayon"))]
            self.world.update();
            self.ask();
        }
    }
}

/// With the feature `rayon`, the pool has one thread, as in the tests above.
#[test]
fn no_call_of_a_tick_allocates_after_warm_up_whatever_the_world_uses() {
    let count = || {
        let mut game = Game::new();
        assert!(allocations(|| game.tick(0)) > 0, "the counter counts");
        (1..3 * Game::PERIOD).for_each(|tick| game.tick(tick));
        (3 * Game::PERIOD..5 * Game::PERIOD).map(|tick| allocations(|| game.tick(tick))).collect::<Vec<_>>()
    };
    #[cfg(feature = "rayon")]
    let counts = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(count);
    #[cfg(not(feature = "rayon"))]
    let counts = count();
    assert_eq!(counts, vec![0; counts.len()]);
}

/// The result of the work, and the bytes that it allocated and still keeps.
fn bytes<T>(work: impl FnOnce() -> T) -> (T, isize) {
    let (kept, used) = allocation_counter::of(work);
    (kept, used.kept)
}

#[test]
fn a_posed_character_takes_what_the_documents_say() {
    let figure = Arc::new(Character::from_baked(baked_figure("figure")));
    let matrices = vec![Affine3A::IDENTITY; 24];
    let (posed, boxes) = bytes(|| {
        let mut posed = PosedCharacter::new();
        posed.pose_from_world(&figure, &matrices).unwrap();
        posed
    });
    // 48 a box, 384 for each 16 bounds.
    assert_eq!((posed.boxes().len(), boxes), (24, 24 * 48 + 2 * 384));

    // Bodies stand with room between them. Nobody asks about them, so they have no boxes.
    const BODIES: u16 = 1000;
    let (world, all) = bytes(|| {
        let mut world = HitboxWorld::new();
        for id in 0..BODIES {
            world.insert(BodyId(id.into()), Arc::clone(&figure), BodySettings::default()).unwrap();
        }
        for _ in 0..3 {
            for id in 0..BODIES {
                let place = Affine3A::from_translation(Vec3::new(f32::from(id % 32), 0.0, f32::from(id / 32)) * 3.0);
                world.pose_from_rest(BodyId(id.into()), &place).unwrap();
            }
            world.update();
        }
        world
    });
    let each = all as f64 / f64::from(BODIES);
    assert!(each <= 400.0, "{each} bytes a body, {} touches", world.touches().len());
    // A reader asks about each.
    let (_, more) = bytes(|| world.bodies().for_each(|body| assert_eq!(body.posed().boxes().len(), 24)));
    let each = (all + more) as f64 / f64::from(BODIES);
    assert!(each <= 1920.0 + 540.0, "{each} bytes a body of 24 boxes");
}

/// The figures of docs/servers.md: 48 bytes for each hitbox, 384 for each 16 hitboxes, and 440. A second pose takes the
/// boxes again, 384 bytes for each 16 hitboxes on their way, and 280 bytes.
#[test]
fn a_copy_of_a_world_takes_no_more_than_the_world() {
    const BODIES: u16 = 1000;
    let whole = Character::from_baked(baked_figure("figure"));
    for (boxes, continuous) in [(24, false), (22, false), (22, true), (6, false)] {
        let some = whole.hitboxes().take(boxes).map(|one| whole.boxes_of_joint(one.joint));
        let set = some.reduce(|all, one| all.union(&one).unwrap()).unwrap();
        let character = Arc::new(whole.with_only_boxes("some boxes", &set).unwrap());
        assert_eq!(character.box_count(), boxes);
        let (world, of_world) = bytes(|| {
            let mut world = HitboxWorld::new();
            for id in 0..BODIES {
                let settings = BodySettings { continuous, ..BodySettings::default() };
                world.insert(BodyId(id.into()), Arc::clone(&character), settings).unwrap();
            }
            for _ in 0..3 {
                for id in 0..BODIES {
                    let place =
                        Affine3A::from_translation(Vec3::new(f32::from(id % 32), 0.0, f32::from(id / 32)) * 3.0);
                    world.pose_from_rest(BodyId(id.into()), &place).unwrap();
                }
                world.update();
            }
            // Somebody asks about each body.
            assert!(world.bodies().all(|body| body.posed().boxes().len() == boxes));
            world
        });
        let of_boxes = boxes * 48 + boxes.div_ceil(16) * 384;
        let expected = if continuous { 2 * of_boxes + boxes.div_ceil(16) * 384 + 780 } else { of_boxes + 540 };
        let (copy, of_copy) = bytes(|| world.clone());
        let (again, of_again) = bytes(|| {
            let mut again = HitboxWorld::new();
            again.clone_from(&world);
            again
        });
        let each = [of_world, of_copy, of_again].map(|all| all as f64 / f64::from(BODIES));
        assert!(
            each.iter().all(|&each| each <= expected as f64),
            "{boxes} boxes: {each:?} bytes a body, not {expected}"
        );
        assert_eq!([copy.bodies().len(), again.bodies().len()], [usize::from(BODIES); 2]);
    }
}

/// The bytes of a body in a crowd of one body for 4 square meters after some ticks, its touches and events included.
fn bytes_in_a_crowd(character: &Arc<Character>) -> f64 {
    const BODIES: u16 = 1024;
    character.prepare_clips();
    let (world, all) = bytes(|| {
        let mut world = HitboxWorld::new();
        for id in 0..BODIES {
            world.insert(BodyId(id.into()), Arc::clone(character), BodySettings::default()).unwrap();
        }
        for tick in 0..4u8 {
            let pose = |id: BodyId, body: &mut runtime::BodyPoser<'_>| {
                let somewhere = |factor: u64| ((id.0 + 1) * factor % 65_536) as f32 / 1024.0;
                let spot = Vec3::new(somewhere(40_503), 0.0, somewhere(26_281) + 0.02 * f32::from(tick));
                body.pose_from_rest(&Affine3A::from_rotation_translation(Quat::from_rotation_y(id.0 as f32), spot))
            };
            world.pose_each(pose).unwrap();
            world.update();
        }
        world
    });
    let touches = world.touches().len();
    assert!(touches > 50, "{touches} touches");
    assert!(world.bodies().all(|body| body.posed().boxes().len() == character.box_count()));
    all as f64 / f64::from(BODIES)
}

#[test]
fn a_body_of_eight_boxes_takes_less_than_1_3_kilobytes() {
    let whole = Character::from_baked(baked_figure("figure"));
    let tags = ["head", "chest", "hips", "forearm", "shin", "pack"];
    let sets = tags.map(|tag| whole.boxes_with_tag(tag).unwrap());
    let boxes = sets.into_iter().reduce(|all, one| all.union(&one).unwrap()).unwrap();
    let far = Arc::new(whole.with_only_boxes("far", &boxes).unwrap());
    assert_eq!(far.box_count(), 8);
    let each = bytes_in_a_crowd(&far);
    assert!(each < 1280.0, "{each} bytes a body");
}

#[test]
fn a_body_of_24_boxes_takes_less_than_2_8_kilobytes() {
    let each = bytes_in_a_crowd(&Arc::new(Character::from_baked(baked_figure("figure"))));
    assert!(each < 2800.0, "{each} bytes a body");
}
