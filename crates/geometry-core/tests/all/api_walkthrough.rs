//! A tour of the crate: the calls of a typical game.

use geometry_core::plane::{Aabb2, Marquee, MarqueeEdges, MarqueeMode, Obb2, Ray2};
use geometry_core::{
    Aabb, Capsule, ClipDepth, Frustum, Obb, ObbMotion, PackedObb, Plane, PlaneSide, Ray, SatAxis, SatCache, Segment,
    ShapeError, Sphere, Triangle,
};
use glam::{Affine3A, Mat3, Quat, Vec2, Vec3};

#[test]
fn api_walkthrough() -> Result<(), ShapeError> {
    // A head as a bake stores it: center, half extents and orientation in its joint's space.
    let stored = PackedObb::new(Vec3::new(0.0, 0.1, 0.0), Vec3::new(0.09, 0.13, 0.11), Quat::from_rotation_x(0.2));
    let in_joint: Obb = stored.unpack()?;
    assert_eq!((in_joint.corners().len(), in_joint.volume() > 0.01), (8, true));

    // The skeleton poses the head. A non-uniform scale shears a turned box, and the result says so.
    let world_from_joint = Affine3A::from_rotation_translation(Quat::from_rotation_y(0.7), Vec3::new(2.0, 1.6, 0.0));
    let posed = in_joint.transformed(&world_from_joint)?;
    assert!(!posed.enclosing);
    let head = posed.obb;
    assert!(in_joint.transformed(&Affine3A::from_scale(Vec3::new(1.0, 2.0, 1.0)))?.enclosing);

    // To find the limbs that touch, use a cheap test first, then the exact test, then compute the depth.
    let fist = Obb::from_orientation(head.center() + Vec3::new(0.12, 0.0, 0.0), Vec3::splat(0.05), Quat::IDENTITY);
    assert!(head.aabb().overlaps(&fist.aabb()) && head.overlaps(&fist));
    let separation = head.separation(&fist);
    assert!(separation.overlapping && separation.depth() > 0.0 && separation.depth() < 0.08);
    let pushed =
        Obb::new(fist.center() + separation.direction * (separation.depth() + 1e-4), fist.half_extents(), fist.axes());
    assert!(!head.overlaps(&pushed));

    // For a pair that is tested every tick, a cache remembers the axis that separated it.
    let mut cache = SatCache::NEW;
    assert!(!head.overlaps_cached(&pushed, &mut cache));
    assert!(cache.axis().is_some_and(|axis| SatAxis::ALL.contains(&axis)));

    // Other shapes that a character meets.
    assert!(head.overlaps_sphere(&Sphere::try_new(head.center() + Vec3::Y * 0.2, 0.1)?));
    assert!(!head.overlaps_capsule(&Capsule::try_new(Vec3::ZERO, Vec3::Y, 0.3)?));
    assert_eq!(head.side_of_plane(&Plane::try_from_point_normal(Vec3::ZERO, Vec3::Y * 3.0)?), PlaneSide::Front);
    let floor = Triangle::try_new(Vec3::new(-9.0, 0.0, -9.0), Vec3::new(9.0, 0.0, -9.0), Vec3::new(0.0, 0.0, 9.0))?;
    assert!(!head.overlaps_triangle(&floor));
    assert!(head.overlaps_aabb(&Aabb::new(Vec3::ZERO, Vec3::new(4.0, 3.0, 1.0))));
    let clip_from_world = glam::camera::rh::proj::directx::perspective(1.0, 1.5, 0.1, 50.0)
        * glam::camera::rh::view::look_at_mat4(Vec3::Z * 6.0, Vec3::Y, Vec3::Y);
    assert!(head.overlaps_frustum(&Frustum::try_from_clip(&clip_from_world.inverse(), ClipDepth::ZeroToOne)?));

    // A shot, and the path of a hand between two ticks.
    let hit = head.cast_ray(&Ray::try_new(Vec3::new(2.0, 1.7, 8.0), Vec3::NEG_Z)?, 100.0).expect("a head shot");
    assert!(hit.entry > 7.0 && !hit.started_inside() && hit.normal.is_some());
    assert!(head.overlaps_segment(&Segment::try_new(Vec3::new(2.0, 1.7, 8.0), Vec3::new(2.0, 1.7, -8.0))?));
    assert!(head.distance(Vec3::new(2.0, 1.7, 1.0)) > 0.5);

    // A punch that is faster than the tick: it does not touch the head at its start or end, but it hits in between.
    let (from, to) = (Vec3::new(1.0, 1.7, 0.0), Vec3::new(3.0, 1.7, 0.0));
    let hand = |center: Vec3, turn: f32| Obb::from_orientation(center, Vec3::splat(0.04), Quat::from_rotation_z(turn));
    let punch = ObbMotion::between(&hand(from, 0.0), &hand(to, 1.5));
    assert!(!punch.at(0.0).overlaps(&head) && !punch.at(1.0).overlaps(&head));
    let contact = Obb::first_contact(&punch, &ObbMotion::still(&head), 1e-4).expect("the punch hits on its way");
    assert!(contact.time > 0.3 && contact.time < 0.5);
    let straight = hand(from, 0.0).overlap_times(to - from, &head, Vec3::ZERO).expect("a straight punch hits too");
    assert!(straight.enter < straight.leave && straight.leave < 1.0);

    // In the plane: cards on a table, and a box dragged around them.
    let cards = [0.0, 2.0, 4.0].map(|x| Obb2::new(Vec2::new(x, 0.0), Vec2::new(0.6, 0.9), 0.3 * x));
    let drag = Marquee::try_drag(Vec2::new(5.5, 1.5), Vec2::new(1.6, -1.5))?;
    assert_eq!(drag.select(&cards, MarqueeMode::Touch, MarqueeEdges::Closed).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(drag.select(&cards, MarqueeMode::Contain, MarqueeEdges::Strict).collect::<Vec<_>>(), [2]);
    let all = Obb2::try_from_points_min_area(&cards.map(|card| card.corners()).concat())?;
    assert!(cards.iter().all(|card| all.contains_obb(card)) && all.aabb().contains(all.center()));
    let pushed = cards[0].minimum_translation(&Obb2::new(Vec2::new(1.0, 0.0), Vec2::splat(0.5), 0.0)).expect("overlap");
    assert!((pushed - Vec2::new(0.1, 0.0)).length() < 1e-6);
    assert!(cards[1].cast_ray(&Ray2::try_new(Vec2::new(-5.0, 0.0), Vec2::X)?, 20.0).is_some());
    assert!(Aabb2::EMPTY.union(&cards[0].aabb()).contains(Vec2::ZERO));

    // An invalid box is refused with a reason.
    let error = Obb::try_new(Vec3::ZERO, Vec3::ONE, Mat3::IDENTITY * 2.0).expect_err("a scaled matrix");
    assert_eq!(
        error.to_string(),
        "axis 0 of axes has length 2, expected 1; normalize it, or multiply the half extents by its length"
    );
    Ok(())
}
