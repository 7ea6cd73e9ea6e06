//! Bugs of other box libraries, with one named test for each.

use core::f32::consts::{FRAC_PI_4, SQRT_2};
use geometry_core::plane::{Aabb2, Obb2};
use geometry_core::{
    Aabb, Capsule, Obb, ObbMotion, PackedObb, Plane, PlaneSide, Ray, SatCache, Segment, ShapeError, Sphere, Triangle,
};
use glam::{Affine3A, Mat3, Quat, Vec2, Vec3};

/// A box whose axes are x, y, z.
fn block(center: Vec3, half: Vec3) -> Obb {
    Obb::new(center, half, Mat3::IDENTITY)
}

/// A rotation by an angle in radians about a unit axis.
fn about(axis: Vec3, angle: f32) -> Quat {
    let (sin, cos) = libm::sincos(f64::from(angle) * 0.5);
    Quat::from_xyzw(axis.x * sin as f32, axis.y * sin as f32, axis.z * sin as f32, cos as f32)
}

/// Runs every overlap test on both orders of the boxes. All must agree.
fn overlaps(a: &Obb, b: &Obb) -> bool {
    let answer = a.overlaps(b);
    assert_eq!(b.overlaps(a), answer, "{a:?} {b:?}");
    for (a, b) in [(a, b), (b, a)] {
        assert_eq!(a.separation(b).overlapping, answer);
        assert_eq!(a.separating_axis(b).is_none(), answer);
        let mut cache = SatCache::NEW;
        assert_eq!([a.overlaps_cached(b, &mut cache), a.overlaps_cached(b, &mut cache)], [answer; 2]);
        assert!(!answer || a.may_overlap(b), "the first stage must find every contact");
    }
    answer
}

#[test]
fn touching_faces_edges_and_corners_count() {
    let cube = block(Vec3::ZERO, Vec3::ONE);
    for [x, y, z] in [[2.0, 0.3, -0.4], [2.0, 2.0, 0.1], [2.0, 2.0, 2.0], [-2.0, 2.0, -2.0], [0.0, 0.0, -2.0]] {
        let offset = Vec3::new(x, y, z);
        assert!(overlaps(&cube, &block(offset, Vec3::ONE)), "{offset}");
        assert!(!overlaps(&cube, &block(offset * (1.0 + 1e-6), Vec3::ONE)), "{offset}");
        let (min, max) = (offset - 1.0, offset + 1.0);
        assert!(cube.overlaps_aabb(&Aabb::new(min, max)));
        assert!(Aabb::new(Vec3::NEG_ONE, Vec3::ONE).overlaps(&Aabb::new(min, max)));
    }
    // An edge on a face, and a corner on a face, with numbers that are exact in binary.
    let (x, y) = (Vec3::new(0.6, 0.8, 0.0), Vec3::new(-0.8, 0.6, 0.0));
    let turned = |center: Vec3| Obb::new(center, Vec3::new(5.0, 5.0, 1.0), Mat3::from_cols(x, y, Vec3::Z));
    assert!(overlaps(&cube, &turned(Vec3::new(8.0, 0.0, 0.0))));
    assert!(!overlaps(&cube, &turned(Vec3::new(8.001, 0.0, 0.0))));
}

#[test]
fn zero_half_extents_against_everything() {
    let cube = block(Vec3::ZERO, Vec3::ONE);
    let flats = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(1.0, 1.0, 0.0), Vec3::new(0.0, 1.0, 1.0)];
    let turn = Quat::from_xyzw(0.2, -0.4, 0.1, 0.8).normalize();
    for orientation in [Quat::IDENTITY, turn] {
        for half in flats {
            let at = |center: Vec3| Obb::from_orientation(center, half, orientation);
            assert!(overlaps(&cube, &at(Vec3::new(0.2, 0.3, 1.0))));
            assert!(!overlaps(&cube, &at(Vec3::new(0.0, 0.0, 3.5))));
            for other in flats {
                assert!(overlaps(&at(Vec3::ONE), &block(Vec3::ONE, other)), "{half} {other}");
                assert!(!overlaps(&at(Vec3::ONE), &block(Vec3::new(1.0, 5.0, 1.0), other)));
            }
            let flat = at(Vec3::ZERO);
            assert!(flat.contains(Vec3::ZERO) && flat.contains(flat.corners()[7]) && !flat.contains(Vec3::splat(2.0)));
            assert_eq!((flat.volume(), flat.distance(Vec3::ZERO)), (0.0, 0.0));
            assert!(flat.overlaps_aabb(&Aabb::new(Vec3::NEG_ONE, Vec3::ZERO)));
            assert!(!flat.overlaps_aabb(&Aabb::new(Vec3::splat(2.0), Vec3::splat(3.0))));
            let ball = |x: f32| Sphere::try_new(Vec3::new(x, 0.0, 0.0), 0.5).expect("a ball");
            assert!(flat.overlaps_sphere(&ball(0.5)) && !flat.overlaps_sphere(&ball(4.0)));
            let pill =
                |x: f32| Capsule::try_new(Vec3::new(x, 0.0, 0.0), Vec3::new(x, 1.0, 0.0), 0.5).expect("a capsule");
            assert!(flat.overlaps_capsule(&pill(0.5)) && !flat.overlaps_capsule(&pill(4.0)));
            let plane = |x: f32| Plane::try_new(Vec3::X, x).expect("a plane");
            assert_eq!(flat.side_of_plane(&plane(0.0)), PlaneSide::Crossing);
            assert_eq!(flat.side_of_plane(&plane(4.0)), PlaneSide::Back);
            let sheet =
                |x: f32| Triangle::try_new(Vec3::new(x, -9.0, -9.0), Vec3::new(x, 9.0, -9.0), Vec3::new(x, 0.0, 9.0));
            assert!(flat.overlaps_triangle(&sheet(0.0).expect("a triangle")));
            assert!(!flat.overlaps_triangle(&sheet(4.0).expect("a triangle")));
            let line = |x: f32| Segment::try_new(Vec3::new(x, -9.0, 0.0), Vec3::new(x, 9.0, 0.0)).expect("a segment");
            assert!(flat.overlaps_segment(&line(0.0)) && !flat.overlaps_segment(&line(4.0)));
            let shot = Ray::try_new(Vec3::new(0.0, -9.0, 0.0), Vec3::Y).expect("a ray");
            assert!(flat.cast_ray(&shot, 100.0).is_some());
            let hit = flat.overlap_times(Vec3::ZERO, &block(Vec3::new(5.0, 0.0, 0.0), Vec3::ZERO), Vec3::NEG_X);
            assert!(hit.is_some_and(|hit| hit.enter > 3.0 && hit.enter <= 5.0));
        }
    }
}

#[test]
fn forty_five_degrees_half_apart_at_every_scale() {
    for scale in [1e-4_f32, 1e-2, 1.0, 1e2, 1e4] {
        let half = Vec3::splat(scale);
        let turned =
            |angle: f32, x: f32| Obb::from_orientation(Vec3::new(x, 0.0, 0.0), half, Quat::from_rotation_z(angle));
        let cube = turned(0.0, 0.0);
        let contact = scale * (1.0 + SQRT_2);
        // The gap is half of the scale. For the large boxes it is also half a unit, which is 1e-5 of their size.
        assert!(!overlaps(&cube, &turned(FRAC_PI_4, contact + 0.5 * scale)));
        assert!(!overlaps(&cube, &turned(FRAC_PI_4, contact + 0.5)), "{scale}");
        assert!(overlaps(&cube, &turned(FRAC_PI_4, contact * (1.0 - 1e-6))));
        // Both boxes are turned, so that they face each other edge to edge.
        assert!(!overlaps(&turned(FRAC_PI_4, 0.0), &turned(-FRAC_PI_4, 2.0 * SQRT_2 * scale + 0.5)));
        assert!(overlaps(&turned(FRAC_PI_4, 0.0), &turned(-FRAC_PI_4, 2.0 * SQRT_2 * scale * (1.0 - 1e-6))));
    }
}

#[test]
fn near_parallel_axes_half_apart_never_overlap() {
    for scale in [1e-4_f32, 1e-2, 1.0, 1e2, 1e4] {
        for exponent in 1..12 {
            let tilt = 10.0_f32.powi(-exponent);
            for axis in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(0.6, 0.0, 0.8)] {
                let tilted = about(axis, tilt);
                let cube = block(Vec3::ZERO, Vec3::splat(scale));
                // A tilted cube reaches beyond its half extent by at most 2 times the tilt times the half extent.
                for direction in [Vec3::X, Vec3::NEG_Y, Vec3::Z] {
                    let touching = 2.0 * scale * (1.0 + tilt);
                    for gap in [0.5, 0.5 * scale] {
                        let apart = Obb::from_orientation(direction * (touching + gap), Vec3::splat(scale), tilted);
                        assert!(!overlaps(&cube, &apart), "scale {scale}, tilt {tilt}, gap {gap}");
                    }
                    let inside =
                        Obb::from_orientation(direction * (2.0 * scale * 0.999_999), Vec3::splat(scale), tilted);
                    assert!(overlaps(&cube, &inside), "scale {scale}, tilt {tilt}");
                }
            }
        }
    }
}

/// Two roof ridges cross at a tiny angle. Only the cross product of the ridges shows the gap, and it is nearly zero.
#[test]
fn near_parallel_ridges_show_their_gap_on_the_edge_axis_alone() {
    for scale in [1e-4_f32, 1.0, 1e4] {
        for crossing in [1e-1_f32, 1e-2, 1e-3, 1e-4] {
            let roof = |turn: f32, height: f32| {
                let orientation = Quat::from_rotation_y(turn) * Quat::from_rotation_x(FRAC_PI_4);
                Obb::from_orientation(Vec3::Y * height, Vec3::new(1.0, 0.5, 0.5) * scale, orientation)
            };
            let touching = SQRT_2 * scale;
            let gap = crossing * scale * 0.02;
            let (lower, upper) = (roof(0.0, 0.0), roof(crossing, touching + gap));
            assert!(!overlaps(&lower, &upper), "scale {scale}, crossing {crossing}");
            assert!(matches!(lower.separating_axis(&upper), Some(geometry_core::SatAxis::Edges(0, 0))));
            let separation = lower.separation(&upper);
            // Positions and axes are rounded to f32, with an error of 1e-7 of the size.
            assert!((separation.gap - gap).abs() < 1e-6 * scale, "{separation:?}, gap {gap}");
            assert!(overlaps(&lower, &roof(crossing, touching - gap)));
        }
    }
}

#[test]
fn an_invented_gap_between_nearly_parallel_boxes_that_overlap() {
    // The overlap is deep, and every pair of axes is parallel up to a few roundings, so the cross products are only
    // noise.
    for exponent in 4..9 {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::splat(0.577_350_3)] {
            let tilt = about(axis, 10.0_f32.powi(-exponent));
            let a = block(Vec3::ZERO, Vec3::new(1000.0, 0.01, 1.0));
            let b = Obb::from_orientation(Vec3::new(1500.0, 0.005, 0.5), Vec3::new(1000.0, 0.01, 1.0), tilt);
            // The boxes share their whole middle. The tilt lifts an end by at most 500 * 1e-4.
            let lifted = 1500.0 * 10.0_f32.powi(-exponent) > 0.01;
            assert!(lifted || overlaps(&a, &b), "{exponent} {axis}");
        }
    }
}

#[test]
fn the_center_is_scaled_with_the_box() {
    let a = block(Vec3::new(3.0, -1.0, 2.0), Vec3::new(1.0, 2.0, 0.5));
    let map = Affine3A::from_scale_rotation_translation(Vec3::splat(4.0), Quat::from_rotation_y(0.5), Vec3::ONE);
    let image = a.transformed(&map).expect("a finite map");
    assert!(!image.enclosing);
    assert!((image.obb.center() - map.transform_point3(a.center())).length() < 1e-5);
    assert!((image.obb.half_extents() - a.half_extents() * 4.0).length() < 1e-5);
    let stretched = a.transformed(&Affine3A::from_scale(Vec3::new(1.0, 3.0, 0.0))).expect("a finite map");
    assert!(!stretched.enclosing, "a scale along the box's own axes leaves it a box");
    assert_eq!(stretched.obb.center(), Vec3::new(3.0, -3.0, 0.0));
    assert_eq!(stretched.obb.half_extents(), Vec3::new(1.0, 6.0, 0.0));
    let sheared = Affine3A::from_mat3(Mat3::from_cols(Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Z));
    let enclosing = a.transformed(&sheared).expect("a finite map");
    assert!(enclosing.enclosing);
    for corner in a.corners() {
        assert!(enclosing.obb.contains(sheared.transform_point3(corner)));
    }
}

#[test]
fn a_matrix_that_is_not_a_rotation() {
    let double = Mat3::from_diagonal(Vec3::splat(2.0));
    assert!(matches!(Obb::try_new(Vec3::ZERO, Vec3::ONE, double), Err(ShapeError::NotUnit { .. })));
    let nowhere = Ray::try_new(Vec3::ONE, Vec3::ZERO).unwrap_err();
    assert_eq!(
        nowhere.to_string(),
        "direction has length 0, expected any other length; pass a vector that is not zero"
    );
    let sheared = Mat3::from_cols(Vec3::X, Vec3::new(0.6, 0.8, 0.0), Vec3::Z);
    assert!(matches!(Obb::try_new(Vec3::ZERO, Vec3::ONE, sheared), Err(ShapeError::NotOrthogonal { .. })));
    assert!(Obb::try_from_orientation(Vec3::ZERO, Vec3::ONE, Quat::from_xyzw(0.0, 0.0, 0.0, 2.0)).is_err());
    assert!(Obb::try_new(Vec3::ZERO, Vec3::ONE, Mat3::ZERO).is_err());

    // Mirrored axes: the same set of points, stored with right-handed axes and a valid quaternion.
    let rotation = Mat3::from_quat(Quat::from_xyzw(0.1, 0.7, -0.3, 0.5).normalize());
    let mirrored = Mat3::from_cols(rotation.x_axis, rotation.y_axis, -rotation.z_axis);
    let half = Vec3::new(1.0, 2.0, 3.0);
    let (plain, flipped) = (Obb::new(Vec3::X, half, rotation), Obb::new(Vec3::X, half, mirrored));
    assert!((flipped.axes().determinant() - 1.0).abs() < 1e-5);
    assert!((PackedObb::pack(&flipped).unpack().expect("packed").axes() - plain.axes()).abs_diff_eq(Mat3::ZERO, 1e-6));
    for corner in plain.corners() {
        assert!(flipped.contains(corner));
    }

    // Axes that are nearly a rotation, as chains of f32 products give: they are made orthonormal, and the box stays in
    // place.
    let loose = Mat3::from_cols(rotation.x_axis * 1.0002, rotation.y_axis + rotation.x_axis * 3e-4, rotation.z_axis);
    let straight = Obb::new(Vec3::X, half, loose).axes();
    assert!((straight.transpose() * straight).abs_diff_eq(Mat3::IDENTITY, 3e-7));
    assert!(straight.abs_diff_eq(rotation, 1e-3));
}

#[test]
fn small_boxes_at_a_huge_offset() {
    let far = Vec3::new(1.0e6, -1.0e6, 1.0e6);
    let turn = Quat::from_xyzw(0.3, 0.1, -0.2, 0.9).normalize();
    let small = Obb::from_orientation(far, Vec3::splat(0.05), turn);
    let near = |steps: f32| Obb::from_orientation(far + Vec3::X * (steps * 0.0625), Vec3::splat(0.05), turn.inverse());
    // At 1e6 coordinates are multiples of 1/16, and the difference of the centers is exact.
    assert!(overlaps(&small, &near(1.0)));
    assert!(!overlaps(&small, &near(4.0)));
    assert!(small.contains(far) && !small.contains(far + Vec3::X * 0.125));
    let at_home = Obb::from_orientation(Vec3::ZERO, Vec3::splat(0.05), turn);
    let moved = Obb::from_orientation(Vec3::X * 0.125, Vec3::splat(0.05), turn.inverse());
    assert_eq!(small.separation(&near(2.0)), at_home.separation(&moved), "a moved pair has the same separation");
    let shot = Ray::try_new(far - Vec3::X * 1000.0, Vec3::X).expect("a ray");
    let hit = small.cast_ray(&shot, 2000.0).expect("the ray passes through the center");
    assert!((hit.entry - 1000.0).abs() < 0.2 && hit.exit >= hit.entry);
}

#[test]
fn nan_and_infinity_are_refused() {
    let good = (Vec3::ZERO, Vec3::ONE, Mat3::IDENTITY);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30] {
        for axis in 0..3 {
            let mut vector = Vec3::ONE;
            vector[axis] = bad;
            let errors = [
                Obb::try_new(vector, good.1, good.2).err(),
                Obb::try_new(good.0, vector, good.2).err(),
                Obb::try_new(good.0, good.1, Mat3::from_cols(vector, Vec3::Y, Vec3::Z)).err(),
                Aabb::try_new(vector, vector).err(),
                Aabb::try_from_points([vector]).err(),
                Sphere::try_new(vector, 1.0).err(),
                Sphere::try_new(Vec3::ONE, bad).err(),
                Capsule::try_new(Vec3::ONE, vector, 1.0).err(),
                Plane::try_new(vector, 1.0).err(),
                Triangle::try_new(Vec3::ONE, vector, Vec3::X).err(),
                Segment::try_new(vector, Vec3::X).err(),
                Ray::try_new(Vec3::X, vector).err(),
                Obb2::try_new(Vec2::new(bad, 0.0), Vec2::ONE, 0.0).err(),
                Obb2::try_new(Vec2::ZERO, Vec2::new(0.0, bad), 0.0).err(),
                Obb2::try_new(Vec2::ZERO, Vec2::ONE, bad).err(),
                Aabb2::try_new(Vec2::ZERO, Vec2::new(bad, 1.0)).err(),
            ];
            for (case, error) in errors.iter().enumerate() {
                let text = error.unwrap_or_else(|| panic!("case {case} took {bad}")).to_string();
                assert!(text.contains(';'), "the error says what to do: {text}");
            }
        }
    }
    assert!(matches!(
        Obb::try_new(Vec3::ZERO, Vec3::new(1.0, -1.0, 1.0), Mat3::IDENTITY),
        Err(ShapeError::Negative { .. })
    ));
    assert!(Sphere::try_new(Vec3::ZERO, -1.0).is_err() && Ray::try_new(Vec3::ZERO, Vec3::ZERO).is_err());
    let unit = block(Vec3::ZERO, Vec3::ONE);
    assert!(unit.transformed(&Affine3A::from_translation(Vec3::NAN)).is_err());
    assert!(!unit.contains(Vec3::NAN) && !unit.contains(Vec3::INFINITY));
    assert!(!unit.overlaps_aabb(&Aabb { min: Vec3::NAN, max: Vec3::ONE }));
    assert!(unit.overlap_times(Vec3::NAN, &unit, Vec3::ZERO).is_none());
}

/// A limit of NaN or below zero hits nothing, also from within the shape.
#[test]
fn a_time_limit_that_is_no_time_hits_nothing() {
    let (unit, around) = (block(Vec3::ZERO, Vec3::ONE), Aabb::new(Vec3::NEG_ONE, Vec3::ONE));
    for start in [Vec3::ZERO, Vec3::NEG_X * 5.0] {
        let ray = Ray::try_new(start, Vec3::X).expect("a ray");
        for limit in [f32::NAN, -1.0, f32::NEG_INFINITY] {
            assert_eq!((unit.cast_ray(&ray, limit), around.cast_ray(&ray, limit)), (None, None), "{limit}");
        }
        assert!(unit.cast_ray(&ray, 5.0).is_some() && around.cast_ray(&ray, 5.0).is_some());
    }
}

/// The time of a hit must fit into `f32`, from any origin to any shape.
#[test]
fn a_direction_so_short_that_times_overflow_is_refused() {
    let far = Vec3::splat(1e12);
    let way = -far.normalize();
    let (unit, around) = (block(-far, Vec3::ONE * 1e12), Aabb::new(-far, Vec3::ZERO));
    let slow = Ray::try_new(far, way * 1.01e-25).expect("a ray");
    for hit in [unit.cast_ray(&slow, f32::INFINITY), around.cast_ray(&slow, f32::INFINITY)] {
        let hit = hit.expect("the ray passes through");
        assert!(hit.entry.is_finite() && hit.exit.is_finite() && slow.at(hit.entry).is_finite(), "{hit:?}");
    }
    for short in [way * 0.99e-25, Vec3::X * 1e-38, Vec3::NEG_Z * 1e-45] {
        let text = Ray::try_new(far, short).expect_err("too short").to_string();
        assert!(text.contains("expected at least 1e-25; "), "{text}");
    }
    assert!(Ray::try_new(far, Vec3::new(1e-38, 1.0, 0.0)).is_ok(), "a short component is no short direction");
}

#[test]
fn moving_boxes_that_only_touch_at_the_end() {
    let unit = Aabb::new(Vec3::ZERO, Vec3::ONE);
    let ahead = Aabb::new(Vec3::new(3.0, 0.0, 0.0), Vec3::new(4.0, 1.0, 1.0));
    let hit = unit.overlap_times(Vec3::X * 2.0, &ahead, Vec3::ZERO).expect("the boxes touch at the end of the second");
    assert_eq!(hit.enter, 1.0);
    let (a, b) = (block(Vec3::ZERO, Vec3::splat(0.5)), block(Vec3::X * 3.0, Vec3::splat(0.5)));
    assert_eq!(a.overlap_times(Vec3::X * 2.0, &b, Vec3::ZERO).expect("the boxes touch at the end").enter, 1.0);
    let end = block(Vec3::X * 2.0, Vec3::splat(0.5));
    let contact = Obb::first_contact(&ObbMotion::between(&a, &end), &ObbMotion::still(&b), 1e-5);
    assert!((contact.expect("the boxes touch at the end").time - 1.0).abs() < 1e-4);
    // Boxes that start in contact or overlapping give the time zero, in whatever direction they move.
    for velocity in [Vec3::X, Vec3::NEG_X, Vec3::ZERO] {
        let touching = block(Vec3::X, Vec3::splat(0.5));
        assert_eq!(a.overlap_times(velocity, &touching, Vec3::ZERO).expect("touching").enter, 0.0);
        let motion = ObbMotion::between(&a, &block(velocity, Vec3::splat(0.5)));
        assert_eq!(Obb::first_contact(&motion, &ObbMotion::still(&touching), 1e-5).expect("touching").time, 0.0);
    }
}

#[test]
fn gap_of_a_half_at_speed_three_enters_at_a_sixth() {
    let (a, b) = (block(Vec3::ZERO, Vec3::splat(0.5)), block(Vec3::X * 1.5, Vec3::splat(0.5)));
    let hit = a.overlap_times(Vec3::X * 3.0, &b, Vec3::ZERO).expect("they meet");
    assert!((hit.enter - 0.166_67).abs() < 1e-5 && (hit.leave - 2.5 / 3.0).abs() < 1e-6);
    assert!(a.overlap_times(Vec3::ZERO, &b, Vec3::ZERO).is_none());
}

/// A library that projects on an axis of any length, and forgets to divide by the length, gets depth and gap wrong.
#[test]
fn projections_use_unit_axes() {
    let turn = Quat::from_rotation_z(0.6) * Quat::from_rotation_x(0.3);
    let a = block(Vec3::ZERO, Vec3::ONE);
    for push in [0.0_f32, 0.25, 2.0] {
        let b = Obb::from_orientation(Vec3::new(2.1, 0.4, -0.3) + Vec3::X * push, Vec3::new(0.7, 0.9, 1.1), turn);
        let separation = a.separation(&b);
        assert!((separation.direction.length() - 1.0).abs() < 1e-6);
        let moved = |way: f32| {
            let center = b.center() - separation.direction * (separation.gap + way);
            Obb::new(center, b.half_extents(), b.axes())
        };
        if separation.overlapping {
            // Moved along the direction until they only touch, a tiny distance decides.
            assert!(overlaps(&a, &moved(1e-5)) && !overlaps(&a, &moved(-1e-5)), "{separation:?}");
        } else {
            // The gap is a lower bound of the distance, so closing nearly all of it leaves the boxes disjoint.
            assert!(!overlaps(&a, &moved(-1e-5)), "{separation:?}");
        }
    }
    let (c, d) = (Obb2::new(Vec2::ZERO, Vec2::new(3.0, 1.0), 0.4), Obb2::new(Vec2::new(2.0, 1.5), Vec2::ONE, -0.2));
    let way = c.minimum_translation(&d).expect("they overlap");
    let moved = |share: f32| Obb2::new(d.center() + way * share, d.half_extents(), d.angle());
    assert!(c.overlaps(&moved(1.0 - 1e-5)) && !c.overlaps(&moved(1.0 + 1e-5)));
}

#[test]
fn a_cache_never_changes_an_answer() {
    let mut cache = SatCache::NEW;
    let a = block(Vec3::ZERO, Vec3::ONE);
    for step in 0..400 {
        let angle = step as f32 * 0.05;
        let (sin, cos) = libm::sincosf(angle);
        let center = Vec3::new(3.0 * cos, 2.0 * sin, libm::sinf(angle * 0.7) * 2.5);
        let b = Obb::from_orientation(center, Vec3::new(0.5, 1.0, 0.2), Quat::from_rotation_y(angle));
        assert_eq!(a.overlaps_cached(&b, &mut cache), a.overlaps(&b), "step {step}");
    }
}

#[test]
fn rectangles_45_degrees_and_near_parallel_at_every_scale() {
    for scale in [1e-4_f32, 1.0, 1e4] {
        let square = Obb2::new(Vec2::ZERO, Vec2::splat(scale), 0.0);
        let diamond = |x: f32| Obb2::new(Vec2::new(x, 0.0), Vec2::splat(scale), FRAC_PI_4);
        let contact = scale * (1.0 + SQRT_2);
        assert!(!square.overlaps(&diamond(contact + 0.5)) && square.overlaps(&diamond(contact * (1.0 - 1e-6))));
        for exponent in 1..10 {
            let tilt = 10.0_f32.powi(-exponent);
            let tilted = |x: f32| Obb2::new(Vec2::new(x, 0.0), Vec2::splat(scale), tilt);
            assert!(!square.overlaps(&tilted(scale * (2.0 + tilt) + 0.5)));
            assert!(square.overlaps(&tilted(scale * 1.999_999)));
        }
    }
    let square = Obb2::new(Vec2::ZERO, Vec2::ONE, 0.0);
    for corner in [Vec2::new(2.0, 0.5), Vec2::splat(2.0), Vec2::new(-2.0, 2.0)] {
        assert!(square.overlaps(&Obb2::new(corner, Vec2::ONE, 0.0)));
    }
}

#[test]
fn segments_in_the_plane_that_are_not_finite_touch_nothing() {
    let square = Obb2::new(Vec2::ZERO, Vec2::ONE, 0.3);
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    let values = [0.0, 1.0, -1.0].into_iter().chain(odd).collect::<Vec<_>>();
    for (x, y) in values.iter().flat_map(|x| values.iter().map(move |y| (*x, *y))) {
        for end in [Vec2::ZERO, Vec2::X, Vec2::splat(f32::INFINITY), Vec2::new(f32::NEG_INFINITY, f32::INFINITY)] {
            let sound = x.is_finite() && y.is_finite() && end.is_finite();
            assert!(sound || !square.overlaps_segment(Vec2::new(x, y), end), "{x} {y} to {end}");
            assert!(sound || !square.overlaps_segment(end, Vec2::new(x, y)), "{end} to {x} {y}");
        }
    }
    assert!(square.overlaps_segment(Vec2::ZERO, Vec2::ZERO) && square.overlaps_segment(Vec2::ZERO, Vec2::X * 9.0));
}

#[test]
fn corners_that_are_not_a_rectangle_are_reported_as_such() {
    let crossed = [Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::ONE];
    let error = Obb2::try_from_corners(crossed).expect_err("the corners are listed across");
    assert!(matches!(error, ShapeError::NotRectangle { part: "corners", .. }), "{error}");
    let slanted = [Vec2::ZERO, Vec2::X, Vec2::new(2.0, 1.0), Vec2::ONE];
    let error = Obb2::try_from_corners(slanted).expect_err("a parallelogram");
    assert!(matches!(error, ShapeError::NotOrthogonal { .. }), "{error}");
}
