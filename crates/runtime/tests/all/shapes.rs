//! Capsules and spheres in all queries, compared with slow twins and with parry. A figure of boxes gives the same
//! answers as before.

use crate::characters::figure;
use baked_characters::baked_figure;
use geometry_core::{Capsule, DCapsule, Obb, Ray, Sphere};
use glam::{Affine3A, DVec3, Quat, Vec3};
use parry3d::math::Pose;
use parry3d::shape::{Ball, Cuboid};
use proptest::prelude::*;
use runtime::kernels::Kernel;
use runtime::{
    BodyId, BodyMotion, BodySettings, BoxPair, Character, ClipIndex, ClipSampler, HitboxShape, HitboxWorld,
    PosedCharacter, PosedShape, QueryFilter, QueryShape, contacts, distance, overlapping_boxes, overlaps, sweep,
    sweep_all, sweep_any,
};
use std::sync::{Arc, LazyLock};

pub(crate) static SHAPES: LazyLock<Arc<Character>> = LazyLock::new(|| Arc::new(shapes("shapes")));

/// The figure, with a box, a capsule and a sphere in turn.
pub(crate) fn shapes(name: &str) -> Character {
    let mut baked = baked_figure(name);
    for (index, one) in baked.boxes.iter_mut().enumerate() {
        let half = one.half_extents;
        one.shape = HitboxShape::ALL[index % 3];
        one.half_extents = match one.shape {
            HitboxShape::Box | HitboxShape::Hull => half,
            HitboxShape::Capsule => Vec3::new(half.x, half.y.max(half.x), half.x),
            HitboxShape::Sphere => Vec3::splat(half.max_element()),
        };
    }
    baked.validate().unwrap();
    Character::from_baked(baked)
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    at: [f32; 3],
    turn: [f32; 4],
    scale: [f32; 3],
    pub(crate) time: f32,
}

impl Place {
    pub(crate) fn world_from_model(self) -> Affine3A {
        let turn = Quat::from_array(self.turn);
        let turn = if turn.length_squared() > 0.01 { turn.normalize() } else { Quat::IDENTITY };
        Affine3A::from_scale_rotation_translation(self.scale.into(), turn, self.at.into())
    }

    pub(crate) fn moved(self, by: Vec3) -> Self {
        Self { at: (Vec3::from(self.at) + by).to_array(), ..self }
    }

    pub(crate) fn scaled_like(self, other: Self) -> Self {
        Self { scale: other.scale, ..self }
    }

    pub(crate) fn posed(self, kernel: Kernel) -> PosedCharacter {
        let place = self.world_from_model();
        let mut posed = PosedCharacter::with_kernel(kernel);
        let (mut sampler, clip) = (ClipSampler::with_kernel(kernel), ClipIndex(1));
        posed.pose_from_clip(&mut sampler, &SHAPES, &place, clip, self.time).unwrap();
        posed
    }
}

pub(crate) fn place(reach: f32) -> impl Strategy<Value = Place> {
    let turn = prop::array::uniform4(-1f32..1.0);
    let scale = prop_oneof![3 => Just([1f32; 3]), 1 => (0.3f32..3.0).prop_map(|s| [s; 3]), 1 => prop::array::uniform3(0.3f32..2.0)];
    (prop::array::uniform3(-reach..reach), turn, scale, 0f32..1.0).prop_map(|(at, turn, scale, time)| Place {
        at,
        turn,
        scale,
        time,
    })
}

/// A shape as all points within a radius of a box, which may be flat, a segment or a point.
pub(crate) struct Core {
    center: DVec3,
    axes: [DVec3; 3],
    half: DVec3,
    radius: f64,
}

impl Core {
    pub(crate) fn new(shape: &PosedShape) -> Self {
        match shape {
            PosedShape::Box(one) => Self {
                center: one.center().as_dvec3(),
                axes: [one.axes().x_axis, one.axes().y_axis, one.axes().z_axis].map(|axis| axis.as_dvec3()),
                half: one.half_extents().as_dvec3(),
                radius: 0.0,
            },
            PosedShape::Capsule(capsule) => {
                let (start, end) = (capsule.segment().start().as_dvec3(), capsule.segment().end().as_dvec3());
                let y = (end - start).try_normalize().unwrap_or(DVec3::Y);
                let x = y.any_orthonormal_vector();
                let half = DVec3::new(0.0, (end - start).length() * 0.5, 0.0);
                let radius = capsule.radius().into();
                Self { center: (start + end) * 0.5, axes: [x, y, x.cross(y)], half, radius }
            }
            PosedShape::Sphere(sphere) => Self {
                center: sphere.center().as_dvec3(),
                axes: DVec3::AXES,
                half: DVec3::ZERO,
                radius: sphere.radius().into(),
            },
        }
    }

    fn nearest(&self, point: DVec3) -> DVec3 {
        let offset = point - self.center;
        (0..3).fold(self.center, |sum, k| {
            sum + self.axes[k] * self.axes[k].dot(offset).clamp(-self.half[k], self.half[k])
        })
    }

    /// The distance from another shape; not negative where the cores overlap. Alternating projections on convex sets.
    pub(crate) fn gap(&self, other: &Self) -> f64 {
        let mut on_other = other.center;
        for _ in 0..4000 {
            on_other = other.nearest(self.nearest(on_other));
        }
        (self.nearest(on_other) - on_other).length() - self.radius - other.radius
    }
}

pub(crate) fn cores(posed: &PosedCharacter) -> Vec<Core> {
    posed.boxes().map(|one| Core::new(&one.posed_shape().unwrap())).collect()
}

pub(crate) fn parry(shape: &PosedShape) -> (Box<dyn parry3d::shape::Shape>, Pose) {
    match shape {
        PosedShape::Box(one) => {
            (Box::new(Cuboid::new(one.half_extents())), Pose::from_parts(one.center(), Quat::from_mat3(&one.axes())))
        }
        PosedShape::Capsule(capsule) => {
            let (start, end) = (capsule.segment().start(), capsule.segment().end());
            (Box::new(parry3d::shape::Capsule::new(start, end, capsule.radius())), Pose::IDENTITY)
        }
        PosedShape::Sphere(sphere) => {
            (Box::new(Ball::new(sphere.radius())), Pose::from_parts(sphere.center(), Quat::IDENTITY))
        }
    }
}

/// The error of alternating projections and of the `f32` ends of capsules, in world units.
pub(crate) const BAND: f64 = 1e-4;

/// The error of parry, in world units: see the tests of `geometry-core`.
pub(crate) const PARRY_BAND: f64 = 0.02;

/// Checks that a world of two bodies in these poses finds the same pairs of hitboxes.
pub(crate) fn check_world(character: &Arc<Character>, poses: [&PosedCharacter; 2], pairs: &[BoxPair]) {
    let mut world = HitboxWorld::new();
    for (id, posed) in (0..).zip(poses) {
        world.insert(BodyId(id), Arc::clone(character), BodySettings::default()).unwrap();
        world.pose_one(BodyId(id), |body| body.copy_pose(posed)).unwrap();
    }
    world.update();
    let of_world: Vec<_> = world.touches().iter().map(|touch| (touch.box_a, touch.box_b)).collect();
    assert_eq!(of_world, pairs.iter().map(|pair| (pair.box_a, pair.box_b)).collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn overlaps_are_those_of_the_shapes(a in place(0.1), b in place(0.8)) {
        let (first, second) = (a.posed(Kernel::Scalar), b.posed(Kernel::Scalar));
        let mut pairs = Vec::new();
        overlapping_boxes(&first, &second, &mut pairs);
        for (index_a, (one, core_a)) in first.boxes().zip(cores(&first)).enumerate() {
            for (index_b, (other, core_b)) in second.boxes().zip(cores(&second)).enumerate() {
                if one.shape == HitboxShape::Box && other.shape == HitboxShape::Box {
                    continue;
                }
                let found = pairs.iter().any(|pair| (pair.box_a.index(), pair.box_b.index()) == (index_a, index_b));
                let gap = core_a.gap(&core_b);
                prop_assert!(gap.abs() < BAND || found == (gap < 0.0), "{index_a} {index_b}: {found}, gap {gap}");
                let [(shape_a, pose_a), (shape_b, pose_b)] = [&one, &other].map(|one| parry(&one.posed_shape().unwrap()));
                let theirs = parry3d::query::intersection_test(&pose_a, &*shape_a, &pose_b, &*shape_b);
                let theirs = theirs.unwrap().intersecting;
                prop_assert!(gap.abs() < PARRY_BAND || theirs == found, "parry {theirs}, gap {gap}");
            }
        }
        prop_assert_eq!(overlaps(&first, &second), !pairs.is_empty());

        // Every kernel poses the same bits and finds the same pairs, and so does a world.
        for kernel in Kernel::available() {
            let (third, fourth) = (a.posed(kernel), b.posed(kernel));
            prop_assert!(third.boxes().eq(first.boxes()) && third.bounds() == first.bounds(), "{kernel:?}");
            let mut again = Vec::new();
            overlapping_boxes(&third, &fourth, &mut again);
            prop_assert_eq!(&again, &pairs);
        }
        check_world(&SHAPES, [&first, &second], &pairs);
    }

    #[test]
    fn contacts_part_when_they_are_moved_by_their_depth(a in place(0.1), b in place(0.5)) {
        let (first, second) = (a.posed(Kernel::best()), b.posed(Kernel::best()));
        let (mut pairs, mut found) = (Vec::new(), Vec::new());
        overlapping_boxes(&first, &second, &mut pairs);
        contacts(&first, &second, &mut found);
        prop_assert_eq!(found.len(), pairs.len());
        let (cores_a, cores_b) = (cores(&first), cores(&second));
        for contact in &found {
            let (one, other) = (&cores_a[contact.box_a.index()], &cores_b[contact.box_b.index()]);
            if one.radius + other.radius == 0.0 {
                continue;
            }
            let by = |depth: f32| Core { center: other.center + (contact.direction * depth).as_dvec3(), ..*other };
            prop_assert!(one.gap(&by(contact.depth)).abs() < 2.0 * BAND, "{contact:?}: {}", one.gap(&by(contact.depth)));
            let point = contact.center().as_dvec3();
            for core in [one, other] {
                prop_assert!((core.nearest(point) - point).length() - core.radius < BAND, "{contact:?}");
            }
        }
    }

    #[test]
    fn rays_and_query_shapes_find_what_the_shapes_say(
        a in place(0.1),
        from in prop::array::uniform3(-3f32..3.0),
        towards in prop::array::uniform3(-1f32..1.0),
        radius in 0.01f32..0.5,
    ) {
        let posed = a.posed(Kernel::best());
        let (from, towards) = (Vec3::from(from), Vec3::from(towards) + Vec3::Y);
        let ray = Ray::try_new(from, towards - from).unwrap();
        let mut hits = Vec::new();
        posed.cast_ray_all(&ray, None, &mut hits);
        let mut expected: Vec<_> = posed.boxes().filter_map(|one| {
            let hit = match one.posed_shape().unwrap() {
                PosedShape::Box(one) => one.cast_ray(&ray, f32::INFINITY),
                PosedShape::Capsule(capsule) => DCapsule::from(&capsule).cast_ray(&ray, f32::INFINITY),
                PosedShape::Sphere(sphere) => DCapsule::from(&sphere).cast_ray(&ray, f32::INFINITY),
            };
            hit.map(|hit| (one.index, hit.entry))
        }).collect();
        expected.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        // The ends of a capsule are rounded for its public form.
        prop_assert_eq!(hits.len(), expected.len());
        prop_assert!(hits.iter().zip(&expected).all(|(hit, (_, entry))| (hit.entry - entry).abs() < 1e-4));
        prop_assert_eq!(posed.cast_ray(&ray, None), hits.first().copied());
        for kernel in Kernel::available() {
            prop_assert_eq!(a.posed(kernel).cast_ray(&ray, None), hits.first().copied());
        }

        let sphere = Sphere::try_new(towards, radius).unwrap();
        let capsule = Capsule::try_new(towards, from, radius).unwrap();
        let one = Obb::from_orientation(towards, Vec3::new(radius, 0.3, 0.1), Quat::from_rotation_x(radius));
        check_query_shape(&posed, &sphere, &PosedShape::Sphere(sphere));
        check_query_shape(&posed, &capsule, &PosedShape::Capsule(capsule));
        check_query_shape(&posed, &one, &PosedShape::Box(one));
    }

    #[test]
    fn the_distance_is_that_of_the_nearest_shapes(a in place(0.1), b in place(2.5)) {
        let (first, second) = (a.posed(Kernel::best()), b.posed(Kernel::best()));
        let found = distance(&first, &second, None).unwrap();
        let (cores_a, cores_b) = (cores(&first), cores(&second));
        let gap = |a: &Core| cores_b.iter().map(|b| a.gap(b)).fold(f64::INFINITY, f64::min);
        let least = cores_a.iter().map(gap).fold(f64::INFINITY, f64::min).max(0.0);
        prop_assert!((f64::from(found.distance) - least).abs() < BAND, "{found:?}, not {least}");
        // The points of boxes that overlap are in the overlap or near it, so they need not be one.
        let between = f64::from((found.point_a - found.point_b).length());
        prop_assert!(found.distance == 0.0 || (between - f64::from(found.distance)).abs() < BAND);
        prop_assert!(distance(&first, &second, found.distance * 0.9).is_none() || found.distance == 0.0);
    }

    #[test]
    fn sweeps_hit_when_the_shapes_do(a in place(0.1), from in place(2.0), to in place(2.0)) {
        // A motion of one size.
        let to = to.scaled_like(from);
        let (still, first, last) = (a.posed(Kernel::best()), from.posed(Kernel::best()), to.posed(Kernel::best()));
        let (moving, still) = (BodyMotion::new(&first, &last).unwrap(), BodyMotion::still(&still));
        let mut hits = Vec::new();
        sweep_all(&moving, &still, None, &mut hits);
        for hit in &hits {
            let contact = hit.contact(&moving, &still).unwrap();
            prop_assert!(contact.depth < 2e-3 || hit.time == 0.0, "{hit:?}, {contact:?}");
        }
        let earliest = hits.iter().map(|hit| hit.time).fold(f32::INFINITY, f32::min);
        prop_assert_eq!(sweep(&moving, &still, None).map(|hit| hit.time), hits.first().map(|_| earliest));
        prop_assert_eq!(sweep_any(&moving, &still, None), !hits.is_empty());
        // Pairs that overlap at either end are hit, at the start at once.
        let mut pairs = Vec::new();
        let posed_still = a.posed(Kernel::best());
        for (end, is_start) in [(&first, true), (&last, false)] {
            overlapping_boxes(end, &posed_still, &mut pairs);
            for pair in &pairs {
                let hit = hits.iter().find(|hit| (hit.box_a, hit.box_b) == (pair.box_a, pair.box_b));
                prop_assert!(hit.is_some_and(|hit| !is_start || hit.time == 0.0), "{pair:?} {hit:?}");
            }
        }
    }
}

fn check_query_shape(posed: &PosedCharacter, shape: &impl QueryShape, same: &PosedShape) {
    let mut found = Vec::new();
    posed.overlapping_boxes(shape, &mut found);
    let query = Core::new(same);
    for (one, core) in posed.boxes().zip(cores(posed)) {
        if one.shape == HitboxShape::Box && query.radius == 0.0 {
            continue;
        }
        let is_found = found.iter().any(|overlap| overlap.box_index == one.index);
        let gap = query.gap(&core);
        assert!(gap.abs() < BAND || is_found == (gap < 0.0), "{:?}: {is_found}, gap {gap}", one.index);
    }
}

#[test]
fn a_sphere_is_hit_only_where_it_is() {
    let mut posed = PosedCharacter::new();
    posed.pose_from_rest(&SHAPES, &Affine3A::IDENTITY).unwrap();
    let of_shape = |shape: HitboxShape| posed.boxes().find(|one| one.shape == shape).unwrap();
    let sphere = of_shape(HitboxShape::Sphere);
    // The ray passes the sphere through a corner of the sphere's box.
    let corner = sphere.obb().corners()[7] - (sphere.obb().corners()[7] - sphere.center) * 0.02;
    let ray = Ray::try_new(corner + Vec3::Z * 5.0, Vec3::NEG_Z).unwrap();
    let mut hits = Vec::new();
    posed.cast_ray_all(&ray, None, &mut hits);
    assert!(sphere.obb().cast_ray(&ray, f32::INFINITY).is_some());
    assert!(hits.iter().all(|hit| hit.box_index != sphere.index), "{hits:?}");
    let capsule = of_shape(HitboxShape::Capsule);
    let Some(PosedShape::Capsule(round)) = capsule.posed_shape() else { panic!("{capsule:?}") };
    assert!((round.radius() - capsule.half_extents.x).abs() < 1e-6);
    let mut world = HitboxWorld::new();
    world.insert(BodyId(1), Arc::clone(&SHAPES), BodySettings::default()).unwrap();
    world.pose_from_rest(BodyId(1), &Affine3A::IDENTITY).unwrap();
    let mut of_world = Vec::new();
    world.cast_ray_all(&ray, None, &QueryFilter::default(), &mut of_world);
    assert!(of_world.iter().map(|hit| hit.box_index).eq(hits.iter().map(|hit| hit.box_index)));
}

#[test]
fn some_joints_are_posed_like_all() {
    let matrices: Vec<Affine3A> = (0..24u8)
        .map(|index| {
            let scale = Vec3::new(1.0, 1.0 + f32::from(index % 3), 0.5);
            Affine3A::from_scale_rotation_translation(scale, Quat::from_rotation_x(f32::from(index)), Vec3::X)
        })
        .collect();
    let (mut all, mut some) = (PosedCharacter::new(), PosedCharacter::new());
    all.pose_from_world(&SHAPES, &matrices).unwrap();
    some.pose_from_rest(&SHAPES, &Affine3A::IDENTITY).unwrap();
    let joints: Vec<_> = (0..24).map(skeleton::JointIndex).collect();
    some.update_joints(&SHAPES, &matrices, &joints).unwrap();
    assert!(all.boxes().eq(some.boxes()));
    assert_eq!(all.bounds(), some.bounds());
}

/// A character whose hitboxes are all boxes has no entry for shapes.
#[test]
fn a_figure_of_boxes_says_so() {
    let plain = figure("plain");
    assert!(plain.hitboxes().all(|one| one.baked.shape == HitboxShape::Box));
    let mut posed = PosedCharacter::new();
    posed.pose_from_rest(&plain, &Affine3A::IDENTITY).unwrap();
    assert!(posed.boxes().all(|one| one.posed_shape() == Some(PosedShape::Box(one.obb()))));
}
