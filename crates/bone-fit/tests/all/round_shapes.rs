//! Compares the smallest balls and capsules with brute force, and checks that stored shapes hold every point.

use baked_format::{HitboxShape, Source};
use bone_fit::fit::{Ball, Capsule, smallest_ball, smallest_capsule};
use bone_fit::{Bake, BakeError, BakeOptions, JointOverride, Overrides, Shape, bake_with};
use glam::DVec3;
use proptest::prelude::*;
use test_models::Random;

fn cloud(most: usize) -> impl Strategy<Value = Vec<DVec3>> {
    let size = prop_oneof![Just(1.0f64), 0.01f64..1.0, Just(0.0)];
    let shape = (size.clone(), size.clone(), size);
    (shape, prop::collection::vec(prop::array::uniform3(-1.0f64..1.0), 1..most), 0.0f64..100.0).prop_map(
        |((x, y, z), points, offset)| {
            let place = |at: [f64; 3]| DVec3::from_array(at) * DVec3::new(x, y, z) + offset;
            points.into_iter().map(place).collect()
        },
    )
}

/// Returns the radius of the smallest ball that has two, three or four of the points on its border and holds all
/// points.
fn by_all_borders(points: &[DVec3]) -> f64 {
    let spread = points.iter().map(|a| points.iter().map(|b| a.distance(*b)).fold(0.0, f64::max)).fold(0.0, f64::max);
    let holds = |center: DVec3, radius: f64| points.iter().all(|at| at.distance(center) <= radius + 1e-9 * spread);
    let mut least = if points.len() == 1 { 0.0 } else { f64::INFINITY };
    let n = points.len();
    for i in 0..n {
        for j in i + 1..n {
            let center = (points[i] + points[j]) * 0.5;
            let radius = center.distance(points[i]);
            if holds(center, radius) {
                least = least.min(radius);
            }
            for k in j + 1..n {
                let (a, b) = (points[j] - points[i], points[k] - points[i]);
                let normal = a.cross(b);
                let offset = (b.length_squared() * normal.cross(a) - a.length_squared() * normal.cross(b))
                    / (2.0 * normal.length_squared());
                let (center, radius) = (points[i] + offset, offset.length());
                if radius.is_finite() && holds(center, radius) {
                    least = least.min(radius);
                }
                for l in k + 1..n {
                    let c = points[l] - points[i];
                    let rows = glam::DMat3::from_cols(a, b, c).transpose();
                    let right = 0.5 * DVec3::new(a.length_squared(), b.length_squared(), c.length_squared());
                    let offset = rows.inverse() * right;
                    let (center, radius) = (points[i] + offset, offset.length());
                    if radius.is_finite() && holds(center, radius) {
                        least = least.min(radius);
                    }
                }
            }
        }
    }
    if spread == 0.0 { 0.0 } else { least }
}

fn from_segment([start, end]: [DVec3; 2], point: DVec3) -> f64 {
    let along = end - start;
    let long = along.length_squared();
    let place = if long > 0.0 { ((point - start).dot(along) / long).clamp(0.0, 1.0) } else { 0.0 };
    point.distance(start + along * place)
}

fn volume(points: &[DVec3], ends: [DVec3; 2]) -> f64 {
    let radius = points.iter().map(|&point| from_segment(ends, point)).fold(0.0, f64::max);
    std::f64::consts::PI * radius * radius * (4.0 / 3.0 * radius + ends[0].distance(ends[1]))
}

/// Returns the least volume of a capsule that random walks of both ends of the segment find, from `starts` random
/// starts.
pub(crate) fn least_capsule_found(points: &[DVec3], starts: usize) -> f64 {
    let mut random = Random::new(1);
    let ball = smallest_ball(points);
    (0..starts).fold(ball.volume(), |least, _| {
        let ends = [random.vector().as_dvec3(), random.vector().as_dvec3()].map(|at| ball.center + at * ball.radius);
        least.min(walk(points, ends, ball.radius, &mut random))
    })
}

/// Returns the least volume of a ball that a random walk of the center finds. The radius is a convex function of the
/// center, so one walk is enough.
pub(crate) fn least_ball_found(points: &[DVec3]) -> f64 {
    let mut random = Random::new(1);
    let center = points.iter().sum::<DVec3>() / points.len() as f64;
    let farthest = |center: DVec3| points.iter().map(|at| at.distance(center)).fold(0.0, f64::max);
    let (mut best, mut least) = (center, farthest(center));
    let size = least;
    let mut step = size;
    while step > 1e-6 * size {
        let nearer = (0..40).map(|_| best + random.vector().as_dvec3() * step).find(|at| farthest(*at) < least);
        match nearer {
            Some(center) => (best, least) = (center, farthest(center)),
            None => step *= 0.6,
        }
    }
    Ball { center: best, radius: least }.volume()
}

/// Returns the volume of the capsule at which a walk from a segment ends, in ever smaller steps.
fn walk(points: &[DVec3], start: [DVec3; 2], size: f64, random: &mut Random) -> f64 {
    let (mut ends, mut least, mut step) = (start, volume(points, start), 0.5 * size);
    while step > 1e-5 * size {
        let mut is_better = false;
        for _ in 0..40 {
            let next = ends.map(|end| end + random.vector().as_dvec3() * step);
            let found = volume(points, next);
            if found < least {
                (ends, least, is_better) = (next, found, true);
            }
        }
        if !is_better {
            step *= 0.6;
        }
    }
    least
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_smallest_ball_is_that_of_brute_force(points in cloud(9)) {
        let Ball { center, radius } = smallest_ball(&points);
        prop_assert!(points.iter().all(|point| point.distance(center) <= radius * (1.0 + 1e-12)));
        let least = by_all_borders(&points);
        prop_assert!(radius <= least * (1.0 + 1e-6) + 1e-9, "{radius} is more than {least}");
        let walked = least_ball_found(&points);
        let found = Ball { center, radius }.volume();
        prop_assert!(found <= walked * (1.0 + 1e-6) + 1e-12, "{found} is more than {walked}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_smallest_capsule_is_within_a_hundredth_of_a_long_search(points in cloud(40)) {
        let found = smallest_capsule(&points, &DVec3::AXES);
        let Capsule { ends, radius } = found;
        prop_assert!(points.iter().all(|&point| from_segment(ends, point) <= radius * (1.0 + 1e-12)));
        let least = least_capsule_found(&points, 40);
        // Points on a line have capsules without volume.
        let slack = 1e-6 * smallest_ball(&points).volume();
        prop_assert!(found.volume() <= 1.01 * least + slack, "{} is more than {least}", found.volume());
        prop_assert!(found.volume() <= smallest_ball(&points).volume() * (1.0 + 1e-12));
    }
}

#[test]
fn a_capsules_own_points_give_that_capsule_back() {
    let (start, end, radius) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(1.0, 5.0, 7.0), 0.5);
    let mut points = Vec::new();
    for k in 0..400 {
        let (z, angle) = (1.0 - (f64::from(k) + 0.5) / 200.0, f64::from(k) * 2.399_963_229_728_653);
        let across = (1.0f64 - z * z).sqrt();
        let way = DVec3::new(across * libm::cos(angle), across * libm::sin(angle), z) * radius;
        points.extend([start + way, end + way]);
    }
    let exact = std::f64::consts::PI * radius * radius * (4.0 / 3.0 * radius + start.distance(end));
    let found = smallest_capsule(&points, &DVec3::AXES);
    assert!(found.volume() < 1.01 * exact, "{} of {exact}", found.volume());
}

fn try_baked(words: &[(&str, &str)], overrides: &Overrides) -> Result<Bake, BakeError> {
    let model = skinned_model::import(&test_models::box_man().to_glb(), &skinned_model::NoExternalFiles).unwrap();
    let source = Source { file: "man.glb".into(), blake3: [0; 32], generator: "test".into() };
    bake_with(&model, "man", source, &BakeOptions::from_entries(words.iter().copied()).unwrap(), overrides)
}

fn baked(words: &[(&str, &str)], overrides: &Overrides) -> Bake {
    try_baked(words, overrides).unwrap()
}

/// A shape holds the corners that the box of its piece holds, so the share of the surface at rest inside shapes of its
/// own joint is at least that of boxes. With all of the motion no surface escapes.
#[test]
fn shapes_cover_what_boxes_cover() {
    for preset in ["recipe", "tight", "cover"] {
        let boxes = baked(&[("preset", preset)], &Overrides::default());
        let of_boxes = boxes.character.coverage.as_ref().unwrap();
        for (word, shape) in [("capsule", HitboxShape::Capsule), ("sphere", HitboxShape::Sphere)] {
            let round = baked(&[("preset", preset), ("shape", word)], &Overrides::default());
            assert!(round.character.boxes.iter().all(|one| one.shape == shape));
            assert_eq!(round.character.boxes.len(), boxes.character.boxes.len());
            let coverage = round.character.coverage.as_ref().unwrap();
            assert!(coverage.own_rest >= of_boxes.own_rest - 1e-6, "{preset} {word}: {coverage:?}, {of_boxes:?}");
            assert!(preset != "cover" || coverage.max_escape < 1e-6, "{word}: {coverage:?}");
            assert!(preset != "cover" || coverage.own_clips >= of_boxes.own_clips - 1e-6, "{word}: {coverage:?}");
            for (one, report) in round.character.boxes.iter().zip(&round.report.boxes) {
                assert!((f64::from(one.volume()) / report.volume - 1.0).abs() < 1e-6 && report.shape == shape);
            }
        }
        let auto = baked(&[("preset", preset), ("shape", "auto")], &Overrides::default());
        let volumes = |bake: &Bake| bake.report.boxes.iter().map(|one| one.volume).collect::<Vec<_>>();
        assert!(volumes(&auto).iter().zip(volumes(&boxes)).all(|(auto, one)| *auto <= one));
    }
}

/// Overrides that give one joint a sphere.
fn sphere_of(joint: &str) -> Overrides {
    let mut overrides = Overrides::default();
    let own = JointOverride { options: [("shape".to_owned(), "sphere".to_owned())].into(), ..JointOverride::default() };
    overrides.joints.insert(joint.to_owned(), own);
    overrides
}

#[test]
fn a_round_shape_is_refused_where_every_pose_has_to_be_held() {
    let error = try_baked(&[("preset", "always"), ("shape", "auto")], &Overrides::default()).unwrap_err();
    assert_eq!(error, BakeError::ShapeInAnyPose { joint: None, shape: Shape::Auto });
    let error = try_baked(&[("poses", "any")], &sphere_of("head")).unwrap_err();
    assert_eq!(error, BakeError::ShapeInAnyPose { joint: Some("head".into()), shape: Shape::Sphere });
    insta::assert_snapshot!(error, @r#"joint "head": shape is "sphere", but must be "box" with poses = "any", because only boxes can be computed for every pose; set shape = "box", or poses = "clips""#);
}

#[test]
fn one_joint_may_have_another_shape() {
    let plain = baked(&[], &Overrides::default());
    let joint = plain.report.boxes[0].joint_name.clone();
    let mixed = baked(&[], &sphere_of(&joint));
    let shapes: Vec<_> = mixed.character.boxes.iter().map(|one| one.shape).collect();
    assert_eq!(shapes[0], HitboxShape::Sphere);
    assert!(shapes[1..].iter().all(|shape| *shape == HitboxShape::Box));
    assert_eq!(mixed.character.boxes[1..], plain.character.boxes[1..]);
}
