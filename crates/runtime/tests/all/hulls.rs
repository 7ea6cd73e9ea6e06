//! Convex hulls in all queries, compared with slow twins that test every hitbox, and with parry.

use crate::characters::figure;
use crate::shapes::{PARRY_BAND, Place, check_world, parry, place};
use baked_characters::{baked_figure, with_hulls};
use geometry_core::{BoxedShape, Capsule, DCapsule, HullMotion, MovingShape, Obb, ObbMotion, PosedHull, Ray, Sphere};
use glam::{Affine3A, Quat, Vec3};
use parry3d::math::Pose;
use parry3d::shape::{ConvexPolyhedron, Shape};
use proptest::prelude::*;
use runtime::kernels::Kernel;
use runtime::{
    BodyId, BodyMotion, BodySettings, BoxIndex, Character, ClipIndex, ClipSampler, HitboxShape, HitboxWorld,
    PosedCharacter, PosedShape, QueryFilter, QueryShape, cast_shape_all, contacts, distance, overlapping_boxes,
    overlaps, sweep, sweep_all, sweep_any,
};
use std::sync::{Arc, LazyLock};

pub(crate) static HULLS: LazyLock<Arc<Character>> =
    LazyLock::new(|| Arc::new(Character::from_baked(with_hulls(baked_figure("hulls")))));

fn posed(place: Place, kernel: Kernel) -> PosedCharacter {
    let mut posed = PosedCharacter::with_kernel(kernel);
    let mut sampler = ClipSampler::with_kernel(kernel);
    posed.pose_from_clip(&mut sampler, &HULLS, &place.world_from_model(), ClipIndex(1), place.time).unwrap();
    posed
}

/// The shape of a hitbox, and parry's.
struct Twin<'a> {
    index: BoxIndex,
    hull: Option<PosedHull<'a>>,
    shape: PosedShape,
    obb: Obb,
}

fn twins(posed: &PosedCharacter) -> Vec<Twin<'_>> {
    let twin = |one: runtime::PosedHitbox| {
        let hull = posed.posed_hull(one.index);
        assert_eq!(hull.is_some(), one.shape == HitboxShape::Hull);
        Twin { index: one.index, hull, shape: one.posed_shape().unwrap(), obb: one.obb() }
    };
    posed.boxes().map(twin).collect()
}

impl Twin<'_> {
    fn round(&self) -> Option<DCapsule> {
        round(&self.shape)
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.obb.overlaps(&other.obb)
            && match (&self.hull, &other.hull) {
                (Some(hull), Some(other)) => hull.overlaps(other),
                (Some(hull), None) => hull_overlaps(hull, &other.shape),
                (None, Some(hull)) => hull_overlaps(hull, &self.shape),
                (None, None) => match (self.round(), other.round()) {
                    (Some(round), Some(other)) => round.overlaps(&other),
                    (Some(round), None) => round.overlaps_obb(&other.obb),
                    (None, Some(round)) => round.overlaps_obb(&self.obb),
                    (None, None) => true,
                },
            }
    }

    fn parry(&self, triangles: &[[u8; 3]]) -> (Box<dyn Shape>, Pose) {
        let Some(hull) = &self.hull else { return parry(&self.shape) };
        let corners = hull.corners().collect();
        let triangles: Vec<_> = triangles.iter().map(|triangle| triangle.map(u32::from)).collect();
        (Box::new(ConvexPolyhedron::from_convex_mesh(corners, &triangles).unwrap()), Pose::IDENTITY)
    }
}

fn round(shape: &PosedShape) -> Option<DCapsule> {
    match shape {
        PosedShape::Box(_) => None,
        PosedShape::Capsule(capsule) => Some(capsule.into()),
        PosedShape::Sphere(sphere) => Some(sphere.into()),
    }
}

fn hull_overlaps(hull: &PosedHull<'_>, shape: &PosedShape) -> bool {
    match shape {
        PosedShape::Box(one) => hull.overlaps_obb(one),
        PosedShape::Capsule(capsule) => hull.overlaps_capsule(&capsule.into()),
        PosedShape::Sphere(sphere) => hull.overlaps_capsule(&sphere.into()),
    }
}

/// The triangles of a hull, turned around if the pose mirrors it.
fn triangles(index: BoxIndex) -> Vec<[u8; 3]> {
    let hitbox = HULLS.hitbox(index).unwrap();
    hitbox.baked.hull.as_ref().map(|hull| hull.triangles.clone()).unwrap_or_default()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn overlaps_are_those_of_the_shapes(a in place(0.1), b in place(0.8)) {
        let (first, second) = (posed(a, Kernel::Scalar), posed(b, Kernel::Scalar));
        let mut pairs = Vec::new();
        overlapping_boxes(&first, &second, &mut pairs);
        for one in &twins(&first) {
            for other in &twins(&second) {
                let found = pairs.iter().any(|pair| (pair.box_a, pair.box_b) == (one.index, other.index));
                prop_assert_eq!(found, one.overlaps(other), "{} {}", one.index, other.index);
                if one.hull.is_some() || other.hull.is_some() {
                    let (shape, pose) = one.parry(&triangles(one.index));
                    let (other_shape, other_pose) = other.parry(&triangles(other.index));
                    let theirs = parry3d::query::contact(&pose, &*shape, &other_pose, &*other_shape, 10.0).unwrap();
                    let gap = f64::from(theirs.unwrap().dist);
                    prop_assert!(gap.abs() < PARRY_BAND || found == (gap < 0.0), "parry's gap {gap}, {found}");
                }
            }
        }
        prop_assert_eq!(overlaps(&first, &second), !pairs.is_empty());

        // Every kernel finds the same pairs, and so does a world.
        for kernel in Kernel::available() {
            let mut again = Vec::new();
            overlapping_boxes(&posed(a, kernel), &posed(b, kernel), &mut again);
            prop_assert_eq!(&again, &pairs);
        }
        check_world(&HULLS, [&first, &second], &pairs);
    }

    #[test]
    fn contacts_part_when_they_are_moved_by_their_depth(a in place(0.1), b in place(0.5)) {
        let (first, second) = (posed(a, Kernel::best()), posed(b, Kernel::best()));
        let (mut pairs, mut found) = (Vec::new(), Vec::new());
        overlapping_boxes(&first, &second, &mut pairs);
        contacts(&first, &second, &mut found);
        prop_assert_eq!(found.len(), pairs.len());
        for contact in &found {
            let shape = |posed: &PosedCharacter, index: BoxIndex| posed.hitbox(index).unwrap().shape;
            if ![shape(&first, contact.box_a), shape(&second, contact.box_b)].contains(&HitboxShape::Hull) {
                continue;
            }
            prop_assert_eq!(contact.points().len(), 1);
            let moved = |depth: f32| posed(b.moved(contact.direction * depth), Kernel::best());
            let touches = |second: &PosedCharacter| {
                let (ones, others) = (twins(&first), twins(second));
                ones[contact.box_a.index()].overlaps(&others[contact.box_b.index()])
            };
            // A move by the depth and a little more parts the two, and a move by a little less does not.
            prop_assert!(!touches(&moved(contact.depth + 1e-5)), "{contact:?}");
            prop_assert!(contact.depth < 1e-4 || touches(&moved(contact.depth - 1e-4)), "{contact:?}");
            let point = Sphere::try_new(contact.center(), 1e-5).unwrap();
            for (posed, index) in [(&first, contact.box_a), (&second, contact.box_b)] {
                let mut boxes = Vec::new();
                posed.overlapping_boxes(&point, &mut boxes);
                prop_assert!(boxes.iter().any(|one| one.box_index == index), "{contact:?} is not in both");
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
        let figure = posed(a, Kernel::best());
        let (from, towards) = (Vec3::from(from), Vec3::from(towards) + Vec3::Y);
        let ray = Ray::try_new(from, towards - from).unwrap();
        let mut hits = Vec::new();
        figure.cast_ray_all(&ray, None, &mut hits);
        for one in &twins(&figure) {
            let hit = hits.iter().find(|hit| hit.box_index == one.index);
            let Some(hull) = &one.hull else { continue };
            let expected = hull.cast_ray(&ray, f32::INFINITY);
            prop_assert_eq!(hit.map(|hit| (hit.entry, hit.exit, hit.normal)), expected.map(|hit| (hit.entry, hit.exit, hit.normal)));
            let (shape, pose) = one.parry(&triangles(one.index));
            let theirs = parry3d::query::Ray::new(ray.origin(), ray.direction());
            let theirs = shape.cast_ray(&pose, &theirs, f32::MAX, true);
            let deep = hit.is_some_and(|hit| hit.exit - hit.entry > 0.01);
            prop_assert!(!deep || theirs.is_some_and(|time| (time - hit.unwrap().entry).abs() < 1e-2), "{hit:?}, parry {theirs:?}");
            prop_assert!(theirs.is_none() || one.obb.cast_ray(&ray, f32::INFINITY).is_some());
        }
        prop_assert_eq!(figure.cast_ray(&ray, None), hits.first().copied());
        for kernel in Kernel::available() {
            prop_assert_eq!(posed(a, kernel).cast_ray(&ray, None), hits.first().copied());
        }

        let sphere = Sphere::try_new(towards, radius).unwrap();
        let capsule = Capsule::try_new(towards, from, radius).unwrap();
        let one = Obb::from_orientation(towards, Vec3::new(radius, 0.3, 0.1), Quat::from_rotation_x(radius));
        check_query_shape(&figure, &sphere, &PosedShape::Sphere(sphere));
        check_query_shape(&figure, &capsule, &PosedShape::Capsule(capsule));
        check_query_shape(&figure, &one, &PosedShape::Box(one));
    }

    #[test]
    fn the_distance_is_that_of_the_nearest_shapes(a in place(0.1), b in place(2.5)) {
        let (first, second) = (posed(a, Kernel::best()), posed(b, Kernel::best()));
        let found = distance(&first, &second, None).unwrap();
        let mut least = f32::INFINITY;
        for one in &twins(&first) {
            for other in &twins(&second) {
                let (shape, pose) = one.parry(&triangles(one.index));
                let (other_shape, other_pose) = other.parry(&triangles(other.index));
                least = least.min(parry3d::query::distance(&pose, &*shape, &other_pose, &*other_shape).unwrap().distance);
            }
        }
        prop_assert!(f64::from((found.distance - least).abs()) < PARRY_BAND, "{found:?}, parry {least}");
        let (ones, others) = (twins(&first), twins(&second));
        let (one, other) = (&ones[found.box_a.index()], &others[found.box_b.index()]);
        if let (Some(hull), Some(other)) = (&one.hull, &other.hull) {
            prop_assert_eq!(found.distance, hull.separation(other).distance.max(0.0) as f32);
        }
        let between = (found.point_a - found.point_b).length();
        prop_assert!(found.distance == 0.0 || (between - found.distance).abs() < 1e-5 * (1.0 + between), "{found:?}");
        prop_assert!(distance(&first, &second, found.distance * 0.9).is_none() || found.distance == 0.0);
    }

    #[test]
    fn sweeps_and_casts_hit_when_the_shapes_do(a in place(0.1), from in place(2.0), to in place(2.0), same in any::<bool>()) {
        let to = if same { to.scaled_like(from) } else { to };
        let (still, first, last) = (posed(a, Kernel::best()), posed(from, Kernel::best()), posed(to, Kernel::best()));
        let (moving, resting) = (BodyMotion::new(&first, &last).unwrap(), BodyMotion::still(&still));
        let mut hits = Vec::new();
        sweep_all(&moving, &resting, None, &mut hits);
        for hit in &hits {
            let contact = hit.contact(&moving, &resting).unwrap();
            // A shape whose scale changes moves as the convex set around both of its places.
            prop_assert!(!same || contact.depth < 2e-3 || hit.time == 0.0, "{hit:?}, {contact:?}");
        }
        let earliest = hits.iter().map(|hit| hit.time).fold(f32::INFINITY, f32::min);
        prop_assert_eq!(sweep(&moving, &resting, None).map(|hit| hit.time), hits.first().map(|_| earliest));
        prop_assert_eq!(sweep_any(&moving, &resting, None), !hits.is_empty());
        // Pairs that overlap at either end are hit, at the start at once.
        let mut pairs = Vec::new();
        for (end, is_start) in [(&first, true), (&last, false)] {
            overlapping_boxes(end, &still, &mut pairs);
            for pair in &pairs {
                let hit = hits.iter().find(|hit| (hit.box_a, hit.box_b) == (pair.box_a, pair.box_b));
                prop_assert!(hit.is_some_and(|hit| !is_start || hit.time == 0.0), "{pair:?} {hit:?}");
            }
        }
        // Looking at all pairs finds the same hits, at the same times.
        let flights = flights(&first, &last);
        for (one, flight) in first.boxes().zip(&flights) {
            for (index, twin) in still.boxes().zip(self::flights(&still, &still)).map(|(one, twin)| (one.index, twin)) {
                let hit = hits.iter().find(|hit| (hit.box_a, hit.box_b) == (one.index, index));
                let expected = flight.moving().first_contact(&twin.moving(), runtime::DEFAULT_SWEEP_TOLERANCE, 1.0);
                if flight.hull.is_some() || twin.hull.is_some() {
                    prop_assert!(hit.is_none_or(|hit| expected.is_some_and(|expected| expected.time == hit.time)), "{hit:?}, {expected:?}");
                    prop_assert!(hit.is_some() || expected.is_none_or(|expected| expected.gap > 0.0 || expected.time == 1.0 ), "{expected:?}");
                }
            }
        }
        let ball = |place: Place| Sphere::try_new(place.world_from_model().translation.into(), 0.1).unwrap();
        let mut casts = Vec::new();
        cast_shape_all(&ball(from), &ball(to), &resting, None, &mut casts);
        let mut overlapped = Vec::new();
        for end in [from, to] {
            still.overlapping_boxes(&ball(end), &mut overlapped);
            for one in &overlapped {
                prop_assert!(casts.iter().any(|cast| cast.box_index == one.box_index), "{one:?} {casts:?}");
            }
        }
        for cast in &casts {
            let contact = cast.contact(&ball(from), &ball(to), &resting).unwrap();
            prop_assert!(contact.depth < 2e-3 || cast.time == 0.0, "{cast:?}, {contact:?}");
        }
    }
}

/// A hitbox that moves with its box.
struct Flight<'a> {
    motion: ObbMotion,
    shape: BoxedShape,
    hull: Option<HullMotion<'a>>,
}

impl Flight<'_> {
    fn moving(&self) -> MovingShape<'_> {
        self.hull.as_ref().map_or(MovingShape::Boxed(&self.motion, self.shape), MovingShape::Hull)
    }
}

fn flights<'a>(from: &'a PosedCharacter, to: &'a PosedCharacter) -> Vec<Flight<'a>> {
    let flight = |(one, other): (runtime::PosedHitbox, runtime::PosedHitbox)| {
        let (start, end) = (one.obb(), other.obb());
        let half = start.half_extents().max(end.half_extents());
        let motion = if std::ptr::eq(from, to) {
            ObbMotion::still(&end)
        } else {
            ObbMotion::between(&Obb::new(start.center(), half, start.axes()), &end)
        };
        let shape = one.shape.boxed();
        let hulls = from.posed_hull(one.index).zip(to.posed_hull(one.index));
        Flight { motion, shape, hull: hulls.map(|(from, to)| HullMotion::new(&motion, &from, &to)) }
    };
    from.boxes().zip(to.boxes()).map(flight).collect()
}

fn check_query_shape(posed: &PosedCharacter, shape: &impl QueryShape, same: &PosedShape) {
    let mut found = Vec::new();
    posed.overlapping_boxes(shape, &mut found);
    for one in &twins(posed) {
        let Some(hull) = &one.hull else { continue };
        let is_found = found.iter().any(|overlap| overlap.box_index == one.index);
        assert_eq!(is_found, hull_overlaps(hull, same), "{:?}", one.index);
    }
}

/// A posed hull is the image of the baked hull, and lies in the posed box, for matrices with uneven scale and shear.
#[test]
fn a_posed_hull_is_the_image_of_the_baked_hull() {
    let matrices: Vec<Affine3A> = (0..24u8)
        .map(|index| {
            let scale = Vec3::new(1.0, 1.0 + f32::from(index % 3), if index % 2 == 0 { 0.5 } else { -0.5 });
            let turned = Affine3A::from_quat(Quat::from_rotation_y(f32::from(index)));
            let place =
                Affine3A::from_scale_rotation_translation(scale, Quat::from_rotation_x(f32::from(index)), Vec3::X);
            place * turned
        })
        .collect();
    let (mut all, mut some) = (PosedCharacter::new(), PosedCharacter::new());
    all.pose_from_world(&HULLS, &matrices).unwrap();
    some.pose_from_rest(&HULLS, &Affine3A::IDENTITY).unwrap();
    let joints: Vec<_> = (0..24).map(skeleton::JointIndex).collect();
    some.update_joints(&HULLS, &matrices, &joints).unwrap();
    let copied = all.clone();
    for hitbox in HULLS.hitboxes().filter(|one| one.baked.shape == HitboxShape::Hull) {
        let matrix = matrices[hitbox.joint.index()];
        let hull = all.posed_hull(hitbox.index).unwrap();
        let vertices = &hitbox.baked.hull.as_ref().unwrap().vertices;
        let one = all.hitbox(hitbox.index).unwrap();
        for (corner, vertex) in hull.exact_corners().zip(vertices) {
            let expected = matrix.matrix3.as_dmat3() * vertex.as_dvec3() + matrix.translation.as_dvec3();
            assert!((corner - expected).length() < 1e-6, "{corner} {expected}");
            assert!(one.obb().distance(corner.as_vec3()) < 1e-5, "{corner} outside of {one:?}");
        }
        for other in [&some, &copied] {
            assert!(other.posed_hull(hitbox.index).unwrap().corners().eq(hull.corners()));
        }
    }
    all.clear();
    assert!(HULLS.hitboxes().all(|one| all.posed_hull(one.index).is_none()));
}

/// A hull that a pose flattens is tested as its box, which contains it.
#[test]
fn a_flattened_hull_is_its_box() {
    let (mut flat, mut ball) = (PosedCharacter::new(), Vec::new());
    flat.pose_from_rest(&HULLS, &Affine3A::from_scale(Vec3::new(1.0, 1.0, 0.0))).unwrap();
    for one in flat.boxes().filter(|one| one.shape == HitboxShape::Hull) {
        assert!(flat.posed_hull(one.index).is_none());
        let corner = one.obb().corners()[3];
        flat.overlapping_boxes(&Sphere::try_new(corner, 1e-3).unwrap(), &mut ball);
        assert!(ball.iter().any(|overlap| overlap.box_index == one.index));
        let ray = Ray::try_new(corner.lerp(one.center, 1e-3) + Vec3::Z, Vec3::NEG_Z).unwrap();
        let mut hits = Vec::new();
        flat.cast_ray_all(&ray, None, &mut hits);
        assert!(hits.iter().any(|hit| hit.box_index == one.index));
    }
    assert!(overlaps(&flat, &flat.clone()) && distance(&flat, &flat, None).unwrap().distance == 0.0);
    let motion = BodyMotion::still(&flat);
    assert!(sweep_any(&motion, &motion, None));
}

/// A ray that passes a hull through a corner of its box does not hit the hull, in a world neither.
#[test]
fn a_hull_is_hit_only_where_it_is() {
    let mut posed = PosedCharacter::new();
    posed.pose_from_rest(&HULLS, &Affine3A::IDENTITY).unwrap();
    let forearm = HULLS.skeleton().find("forearm.l").unwrap();
    let hull = posed.boxes().find(|one| one.joint == forearm).unwrap();
    assert_eq!(hull.shape, HitboxShape::Hull);
    let corner = hull.obb().corners()[7].lerp(hull.center, 0.02);
    let ray = Ray::try_new(corner + Vec3::Z * 5.0, Vec3::NEG_Z).unwrap();
    let mut hits = Vec::new();
    posed.cast_ray_all(&ray, None, &mut hits);
    assert!(hull.obb().cast_ray(&ray, f32::INFINITY).is_some());
    assert!(hits.iter().all(|hit| hit.box_index != hull.index), "{hits:?}");
    let mut world = HitboxWorld::new();
    world.insert(BodyId(1), Arc::clone(&HULLS), BodySettings::default()).unwrap();
    world.pose_from_rest(BodyId(1), &Affine3A::IDENTITY).unwrap();
    let mut of_world = Vec::new();
    world.cast_ray_all(&ray, None, &QueryFilter::default(), &mut of_world);
    assert!(of_world.iter().map(|hit| hit.box_index).eq(hits.iter().map(|hit| hit.box_index)));
    let through = Ray::try_new(hull.center + Vec3::Z * 5.0, Vec3::NEG_Z).unwrap();
    assert_eq!(world.cast_ray(&through, None, &QueryFilter::default()).unwrap().box_index, hull.index);
    // A figure of boxes has no hulls.
    let mut boxes = PosedCharacter::new();
    boxes.pose_from_rest(&figure("boxes"), &Affine3A::IDENTITY).unwrap();
    assert!(boxes.boxes().all(|one| boxes.posed_hull(one.index).is_none()));
    assert!(boxes.cast_ray_any(&ray, None));
}

#[test]
fn both_orders_of_two_characters_give_the_same_pairs() {
    let (mut a, mut b) = (PosedCharacter::new(), PosedCharacter::new());
    let (mut pairs, mut turned) = (Vec::new(), Vec::new());
    let mut count = 0;
    for step in 0..60u8 {
        let place = Affine3A::from_rotation_translation(
            Quat::from_rotation_y(f32::from(step)),
            Vec3::X * 0.01 * f32::from(step),
        );
        a.pose_from_rest(&HULLS, &Affine3A::IDENTITY).unwrap();
        b.pose_from_rest(&HULLS, &place).unwrap();
        overlapping_boxes(&a, &b, &mut pairs);
        overlapping_boxes(&b, &a, &mut turned);
        let mut turned: Vec<_> = turned.iter().map(|pair| (pair.box_b, pair.box_a)).collect();
        turned.sort_unstable();
        assert!(pairs.iter().map(|pair| (pair.box_a, pair.box_b)).eq(turned), "step {step}");
        count += pairs.len();
    }
    assert!(count > 100, "{count}");
}
