use super::swing_twist::rotation_about;
use super::*;
use crate::options::{BakeOptions, Overrides};
use baked_format::{BakedCharacter, Hitbox, HitboxRole, HitboxShape, Source};
use glam::{Affine3A, DQuat, Quat, Vec3};
use skeleton::{Channel, Clip, Interpolation, Joint, JointIndex, LocalTransform, Property, Trs};
use skinned_model::{NoExternalFiles, SkinnedModel, import};
use test_models::Random;

fn asset(name: &str) -> SkinnedModel {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name);
    import(&std::fs::read(file).unwrap(), &NoExternalFiles).unwrap()
}

fn bake(model: &SkinnedModel, parts: &str, settings: RagdollSettings) -> BakedCharacter {
    let entries = [("preset", "tight"), ("parts", parts), ("measure", "none")];
    let options = BakeOptions::from_entries(entries).unwrap();
    let overrides = Overrides { ragdoll: Some(settings), ..Overrides::default() };
    let source = Source { file: "a.glb".into(), blake3: [0; 32], generator: String::new() };
    crate::bake_with(model, "a", source, &options, &overrides).unwrap().character
}

fn body<'a>(character: &'a BakedCharacter, joint: &str) -> &'a RagdollBody {
    let joint = character.skeleton.find(joint).unwrap();
    character.ragdoll.as_ref().unwrap().bodies.iter().find(|body| body.joint == joint).unwrap()
}

/// The twist, and y and z of the swing vector of a body in a pose, from the stored numbers alone: by the definition, with the
/// swing as the shortest turn of axis x.
fn turn_of(body: &RagdollBody, parent: &RagdollBody, pose: &[Affine3A], rest: &[Affine3A]) -> DVec3 {
    let turned = |body: &RagdollBody| {
        let moved = pose[body.joint.index()] * rest[body.joint.index()].inverse();
        (Quat::from_mat3a(&moved.matrix3) * body.rotation).as_dquat().normalize()
    };
    let constraint = body.constraint.as_ref().unwrap();
    let [in_parent, in_body] =
        [constraint.parent_from_frame, constraint.body_from_frame].map(|frame| frame.as_dquat().normalize());
    let turn = (turned(parent) * in_parent).conjugate() * turned(body) * in_body;
    let swing = DQuat::from_rotation_arc(DVec3::X, turn * DVec3::X);
    let (axis, angle) = swing.to_axis_angle();
    let twist = (swing.conjugate() * turn).to_axis_angle();
    let twist = if twist.1 > std::f64::consts::PI { twist.1 - std::f64::consts::TAU } else { twist.1 } * twist.0.x;
    DVec3::new(twist, axis.y * angle, axis.z * angle)
}

/// Every constraint holds its share of all sample times, and a hinge turns little across its axis.
#[test]
fn clips_stay_within_the_limits() {
    for (name, parts) in
        [("runa.glb", "humanoid"), ("bruno.glb", "humanoid"), ("hound.glb", "18"), ("hound.glb", "joints")]
    {
        let settings = RagdollSettings { slack: 0.0, ..RagdollSettings::default() };
        let character = bake(&asset(name), parts, settings);
        let bodies = &character.ragdoll.as_ref().unwrap().bodies;
        let skeleton = &character.skeleton;
        let (mut local, mut pose) = (skeleton.rest_pose(), vec![Affine3A::IDENTITY; skeleton.len()]);
        skeleton.model_from_joints(&local, &mut pose);
        let rest = pose.clone();
        let (mut outside, mut count) = (vec![0u32; bodies.len()], 0u32);
        for clip in &character.clips {
            for frame in 0..=(clip.seconds() * 30.0) as usize {
                local = skeleton.rest_pose();
                clip.sample(clip.start() + frame as f32 / 30.0, &mut local);
                skeleton.model_from_joints(&local, &mut pose);
                count += 1;
                for (index, body) in bodies.iter().enumerate() {
                    let Some(constraint) = &body.constraint else { continue };
                    let turn = turn_of(body, &bodies[usize::from(constraint.parent)], &pose, &rest).abs();
                    let mut limits = constraint.limits.as_dvec3();
                    if constraint.kind == ConstraintKind::Hinge {
                        (limits.y, limits.z) = (10.0 * DEGREE, 10.0 * DEGREE);
                    }
                    outside[index] += u32::from((turn - limits).max_element() > 0.01 * DEGREE);
                }
            }
        }
        // Keys between the frames are sample times too, so the frames alone may have a little more outside.
        let most = 2.0 * (1.0 - RagdollSettings::default().share) * f64::from(count) + 1.0;
        assert!(
            outside.iter().all(|&one: &u32| f64::from(one) <= most),
            "{name}: {outside:?} of {count}, at most {most}"
        );
    }
}

/// A clip that turns one side gives both sides the range, and the far end of the range is where the mirror shows it.
#[test]
fn both_sides_turn_as_far() {
    let character = bake(&asset("runa.glb"), "humanoid", RagdollSettings::default());
    let mut pairs = 0;
    for left in &character.ragdoll.as_ref().unwrap().bodies {
        let name = &character.skeleton.joint(left.joint).name;
        let (Some(stem), Some(on_left)) = (name.strip_suffix("_l"), &left.constraint) else { continue };
        let right = body(&character, &format!("{stem}_r"));
        let on_right = right.constraint.as_ref().unwrap();
        let apart = (on_left.limits - on_right.limits).abs().max_element();
        assert!(apart < 1e-6 && on_left.kind == on_right.kind, "{name}: {on_left:?} and {on_right:?}");
        pairs += 1;
        let parents =
            [on_left, on_right].map(|one| &character.ragdoll.as_ref().unwrap().bodies[usize::from(one.parent)]);
        // The turns from the rest pose to both ends of the range, along the axes of model space.
        let ends = |body: &RagdollBody, parent: &RagdollBody| {
            let one = body.constraint.as_ref().unwrap();
            [-1.0f32, 1.0].map(|side| {
                let turn = match one.kind {
                    ConstraintKind::Hinge => Quat::from_rotation_x(side * one.limits.x),
                    ConstraintKind::Ball => {
                        Quat::from_rotation_y(side * one.limits.y) * Quat::from_rotation_x(0.1 * side)
                    }
                };
                parent.rotation * one.parent_from_frame * turn * (body.rotation * one.body_from_frame).conjugate()
            })
        };
        let mirror = |turn: Quat| Quat::from_xyzw(turn.x, -turn.y, -turn.z, turn.w);
        let [low, high] = ends(left, parents[0]).map(mirror);
        let [of_low, of_high] = ends(right, parents[1]);
        let apart = low.angle_between(of_high).max(high.angle_between(of_low));
        assert!(apart < 2e-3, "{name}: {apart} radians from the mirror image");
    }
    assert_eq!(pairs, 6);
}

#[test]
fn hurt_hitboxes_are_shared_among_the_bodies_of_one_tree() {
    for (name, parts, bodies, mass) in
        [("runa.glb", "humanoid", 18, 75.0), ("bruno.glb", "humanoid-coarse", 6, 75.0), ("hound.glb", "18", 18, 0.0)]
    {
        let character = bake(&asset(name), parts, RagdollSettings::default());
        let ragdoll = character.ragdoll.as_ref().unwrap();
        assert_eq!(ragdoll.bodies.len(), bodies, "{name}");
        assert_eq!(ragdoll.bodies.iter().filter(|body| body.constraint.is_none()).count(), 1, "{name}");
        let mut boxes: Vec<u16> = ragdoll.bodies.iter().flat_map(|body| body.boxes.clone()).collect();
        boxes.sort_unstable();
        assert_eq!(boxes, (0..character.boxes.len() as u16).collect::<Vec<_>>(), "{name}");
        let sum: f32 = ragdoll.bodies.iter().map(|body| body.mass).sum();
        assert!(mass == 0.0 || (sum - mass).abs() < 1e-3, "{name}: {sum} kg");
        character.validate().unwrap();
        // The shapes of a body hold what its hitboxes hold, in the rest pose.
        let rest = character.skeleton.rest_matrices();
        for body in &ragdoll.bodies {
            let body_from_model = Affine3A::from_rotation_translation(body.rotation, body.position).inverse();
            for shape in character.body_shapes(body).unwrap() {
                let hitbox = &character.boxes[usize::from(shape.hitbox)];
                let center =
                    body_from_model.transform_point3(rest[hitbox.joint.index()].transform_point3(hitbox.center));
                assert!(center.distance(shape.center) < 1e-5, "{name}: {center} and {}", shape.center);
                let sizes = [shape.half_extents(), hitbox.half_extents];
                assert!((sizes[0] - sizes[1]).abs().max_element() < 1e-5, "{name}: {sizes:?}");
            }
        }
    }
}

fn turns(rotations: &[DQuat], share: f64) -> Turns<'_> {
    Turns { rotations, bone: DVec3::new(0.0, 0.6, 0.8), share }
}

/// A door between 20 and 100 degrees is a hinge about its axis, wherever its frames are and if its edge trembles.
#[test]
fn a_door_is_a_hinge() {
    let mut random = Random::new(1);
    for case in 0..50 {
        let [start, end] = [(); 2].map(|()| rotation_about(random.in_ball() * 2.0));
        let axis = random.on_sphere();
        let turn = |random: &mut Random, degrees: f64| {
            let tremble = rotation_about(random.in_ball() * 2.0 * DEGREE);
            start * rotation_about(axis * degrees * DEGREE) * tremble * end
        };
        let rotations: Vec<DQuat> = (0..=200).map(|step| turn(&mut random, 20.0 + 0.4 * f64::from(step))).collect();
        let range = turns(&rotations, 1.0).range(None);
        assert_eq!(range.kind, ConstraintKind::Hinge, "{case}");
        let found = end * (range.body_from_frame * DVec3::X);
        assert!(found.dot(axis).abs() > libm::cos(4.0 * DEGREE), "{case}: {found} and {axis}");
        assert!((39.0..44.0).contains(&(range.limits.x / DEGREE)), "{case}: {:?}", range.limits / DEGREE);
        assert!(range.limits.y < 5.0 * DEGREE && range.limits.z < 5.0 * DEGREE, "{case}");
        assert_eq!(turns(&rotations, 1.0).range(Some(false)).kind, ConstraintKind::Ball, "{case}");
    }
}

/// Random turns within known limits: the range is not much larger, and it holds all of them.
#[test]
fn a_ball_has_the_limits_of_its_turns() {
    let mut random = Random::new(2);
    for case in 0..50 {
        let [start, end] = [(); 2].map(|()| rotation_about(random.in_ball() * 2.0));
        let bone = DVec3::new(0.0, 0.6, 0.8);
        let [twist, y, z] = [(); 3].map(|()| (15.0 + 45.0 * random.share_f64()) * DEGREE);
        let frame = geometry_core::portable::shortest_turn(DVec3::X, bone)
            * rotation_about(DVec3::X * random.share_f64() * 3.0);
        let turn = |random: &mut Random| {
            let swing = rotation_about(DVec3::new(0.0, y * random.signed_f64(), z * random.signed_f64()));
            start * end * frame * swing * rotation_about(DVec3::X * twist * random.signed_f64()) * frame.conjugate()
        };
        let rotations: Vec<DQuat> = (0..3_000).map(|_| turn(&mut random)).collect();
        let turns = turns(&rotations, 1.0);
        let range = turns.range(None);
        assert_eq!(range.kind, ConstraintKind::Ball, "{case}");
        let sorted = |a: f64, b: f64| if a < b { [a, b] } else { [b, a] };
        let expected = sorted(y, z);
        let found = sorted(range.limits.y, range.limits.z);
        let ratios = [range.limits.x / twist, found[0] / expected[0], found[1] / expected[1]];
        assert!(ratios.iter().all(|ratio| (0.93..1.15).contains(ratio)), "{case}: {ratios:?} of {:?}", [twist, y, z]);
        assert!(turns.parts(&range).iter().all(|part| (part.abs() - range.limits).max_element() <= 1e-12), "{case}");
    }
}

/// One pose in a thousand that is far away does not widen the range.
#[test]
fn rare_poses_are_left_out() {
    let mut random = Random::new(3);
    let mut rotations: Vec<DQuat> = (0..2_000).map(|_| rotation_about(random.in_ball() * 20.0 * DEGREE)).collect();
    let small = turns(&rotations, 0.995).range(Some(false)).limits.max_element();
    rotations.extend([DVec3::X, DVec3::Y].map(|axis| rotation_about(axis * 170.0 * DEGREE)));
    let with_two = turns(&rotations, 0.995).range(Some(false)).limits.max_element();
    let all = turns(&rotations, 1.0).range(Some(false)).limits.max_element();
    assert!(with_two < 1.3 * small && all > 60.0 * DEGREE, "{small} {with_two} {all}");
}

/// Boxes of half a meter around the origins of joints, and a clip that turns some of them about z.
struct MadeUp {
    skeleton: Skeleton,
    clips: Vec<Clip>,
    hitboxes: Vec<Hitbox>,
}

impl MadeUp {
    /// Each joint has a name, a parent and a place in the space of its parent. Joints whose name begins with `_` have no hitbox.
    fn new(joints: &[(&str, Option<u16>, Vec3)], turning: &[u16]) -> Self {
        let joint = |&(name, parent, translation): &(&str, Option<u16>, Vec3)| Joint {
            name: name.into(),
            parent: parent.map(JointIndex),
            rest: LocalTransform::Trs(Trs { translation, ..Trs::IDENTITY }),
            ..Joint::default()
        };
        let with_boxes = (0..).zip(joints).filter(|(_, joint)| !joint.0.starts_with('_'));
        let half = 2.0f32.sqrt() / 2.0;
        let channel = |&joint: &u16| Channel {
            joint: JointIndex(joint),
            property: Property::Rotation,
            interpolation: Interpolation::Linear,
            timeline: 0,
            values: vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half],
        };
        let clip = Clip {
            name: "turn".into(),
            timelines: vec![vec![0.0, 1.0]],
            channels: turning.iter().map(channel).collect(),
        };
        Self {
            skeleton: Skeleton::new(joints.iter().map(joint).collect()).unwrap(),
            clips: if turning.is_empty() { vec![] } else { vec![clip] },
            hitboxes: with_boxes.map(|(index, _)| cube(index)).collect(),
        }
    }

    fn find(&self, settings: &RagdollSettings) -> Result<FoundRagdoll, RagdollError> {
        let character = Character {
            skeleton: &self.skeleton,
            clips: &self.clips,
            hitboxes: &self.hitboxes,
            humanoid: None,
            height: 4.0,
            rate: 30.0,
            all_joints: true,
        };
        find(&character, settings)
    }

    /// Each body with the body that holds it.
    fn held(&self) -> (Vec<[String; 2]>, Vec<String>) {
        let found = self.find(&RagdollSettings::default()).unwrap();
        let bodies = &found.ragdoll.bodies;
        let name = |body: &RagdollBody| self.skeleton.joint(body.joint).name.as_str();
        let pair = |body: &RagdollBody| {
            let parent = body.constraint.as_ref().map(|one| &bodies[usize::from(one.parent)]);
            [name(body).to_owned(), parent.map_or(String::new(), |parent| name(parent).to_owned())]
        };
        (bodies.iter().map(pair).collect(), found.warnings.into_iter().map(|one| one.code).collect())
    }
}

fn cube(joint: u16) -> Hitbox {
    Hitbox {
        joint: JointIndex(joint),
        shape: HitboxShape::Box,
        role: HitboxRole::Hurt,
        tags: vec![],
        center: Vec3::ZERO,
        half_extents: Vec3::splat(0.25),
        orientation: Quat::IDENTITY,
        vertices: 8,
        hull_vertices: 8,
        hull_volume: 0.125,
        min_volume: None,
        hull: None,
    }
}

/// Feet below a root of their own hang at their shins, and a pelvis without a hitbox leaves no body alone.
#[test]
fn every_rig_gives_one_tree() {
    let down = Vec3::new(0.0, -0.5, 0.0);
    let legs = MadeUp::new(
        &[
            ("_root", None, Vec3::ZERO),
            ("foot", Some(0), Vec3::new(0.3, 1.0, 0.0)),
            ("hips", Some(0), Vec3::new(0.3, 2.5, 0.0)),
            ("thigh", Some(2), down),
            ("shin", Some(3), down),
        ],
        &[],
    );
    let (held, warnings) = legs.held();
    assert_eq!(held, [["hips", ""], ["thigh", "hips"], ["shin", "thigh"], ["foot", "shin"]]);
    assert_eq!(warnings, ["unknown-limits"]);
    let no_pelvis = MadeUp::new(
        &[
            ("_pelvis", None, Vec3::new(0.0, 2.0, 0.0)),
            ("spine", Some(0), Vec3::new(0.0, 0.4, 0.0)),
            ("chest", Some(1), Vec3::new(0.0, 0.5, 0.0)),
            ("thigh.l", Some(0), Vec3::new(0.3, -0.1, 0.0)),
            ("thigh.r", Some(0), Vec3::new(-0.3, -0.1, 0.0)),
        ],
        &[2, 3, 4],
    );
    let (held, warnings) = no_pelvis.held();
    assert_eq!(held, [["spine", ""], ["chest", "spine"], ["thigh.l", "spine"], ["thigh.r", "spine"]]);
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn a_body_that_nothing_holds_is_named() {
    let far = MadeUp::new(
        &[("_root", None, Vec3::ZERO), ("torso", Some(0), Vec3::Y), ("drone", Some(0), Vec3::new(3.0, 3.0, 0.0))],
        &[1],
    );
    let found = far.find(&RagdollSettings::default()).unwrap();
    assert_eq!(found.ragdoll.bodies.iter().filter(|body| body.constraint.is_some()).count(), 0);
    assert_eq!(found.warnings[0].code, "loose-bodies");
    assert!(found.warnings[0].text.contains("\"drone\""), "{:?}", found.warnings);
}

#[test]
fn settings_of_joints_win() {
    let chain = MadeUp::new(
        &[("a", None, Vec3::Y), ("b", Some(0), Vec3::Y), ("c", Some(1), Vec3::Y), ("d", Some(2), Vec3::Y)],
        &[1, 2, 3],
    );
    let of = |pattern: &str, settings| (NamePattern::new(pattern), settings);
    let joints = vec![
        of("*", RagdollJointSettings { damping: Some(7.0), ..RagdollJointSettings::default() }),
        of(
            "b",
            RagdollJointSettings {
                hinge: Some(true),
                twist: Some(30.0),
                mass: Some(3.0),
                ..RagdollJointSettings::default()
            },
        ),
        of("c", RagdollJointSettings { body: Some(false), ..RagdollJointSettings::default() }),
        of(
            "d",
            RagdollJointSettings { hinge: Some(false), swing: Some([10.0, 20.0]), ..RagdollJointSettings::default() },
        ),
    ];
    let settings = RagdollSettings { mass: Some(10.0), joints, ..RagdollSettings::default() };
    let found = chain.find(&settings).unwrap().ragdoll;
    let boxes: Vec<Vec<u16>> = found.bodies.iter().map(|body| body.boxes.clone()).collect();
    assert_eq!(boxes, [vec![0], vec![1, 2], vec![3]]);
    let masses: Vec<f32> = found.bodies.iter().map(|body| body.mass).collect();
    assert_eq!(masses, [3.5, 3.0, 3.5]);
    let [b, d] = [1, 2].map(|index: usize| found.bodies[index].constraint.clone().unwrap());
    assert_eq!((b.kind, b.limits.x, b.damping), (ConstraintKind::Hinge, 30f32.to_radians(), 7.0));
    assert_eq!((d.kind, d.parent, d.limits.z), (ConstraintKind::Ball, 1, 20f32.to_radians()));
    assert_eq!((b.limits_from, d.limits_from), (LimitSource::Settings, LimitSource::Settings));

    let too_heavy = of("b", RagdollJointSettings { mass: Some(10.0), ..RagdollJointSettings::default() });
    let error =
        chain.find(&RagdollSettings { mass: Some(10.0), joints: vec![too_heavy], ..RagdollSettings::default() });
    assert_eq!(error.err(), Some(RagdollError::Mass { given: 10.0, whole: 10.0 }));
    let idle = of("_*", RagdollJointSettings::default());
    let with_empty = MadeUp::new(&[("a", None, Vec3::Y), ("_b", Some(0), Vec3::Y)], &[]);
    let found = with_empty.find(&RagdollSettings { joints: vec![idle], ..RagdollSettings::default() }).unwrap();
    assert_eq!(found.warnings[0].code, "ragdoll-joint-without-body");
    let rootless = of("a", RagdollJointSettings { body: Some(false), ..RagdollJointSettings::default() });
    let found = chain.find(&RagdollSettings { joints: vec![rootless], ..RagdollSettings::default() }).unwrap();
    assert_eq!((found.ragdoll.bodies.len(), found.warnings[0].code.as_str()), (3, "hitboxes-without-body"));
    assert!(found.warnings[0].text.contains("of \"a\":"), "{:?}", found.warnings);
    let nobody = MadeUp::new(&[("_a", None, Vec3::Y)], &[]);
    assert_eq!(nobody.find(&RagdollSettings::default()).err(), Some(RagdollError::NoBody));
}

/// A body whose skin has next to no volume still has a mass that can be simulated.
#[test]
fn no_body_weighs_nothing() {
    let mut chain = MadeUp::new(&[("a", None, Vec3::Y), ("b", Some(0), Vec3::Y), ("c", Some(1), Vec3::Y)], &[1, 2]);
    chain.hitboxes[1].hull_volume = 1e-20;
    chain.hitboxes[2].half_extents = Vec3::new(0.25, 0.25, 0.0);
    chain.hitboxes[2].hull_volume = 0.0;
    let found = chain.find(&RagdollSettings { mass: Some(10.0), ..RagdollSettings::default() }).unwrap().ragdoll;
    let masses: Vec<f32> = found.bodies.iter().map(|body| body.mass).collect();
    assert!(
        (masses.iter().sum::<f32>() - 10.0).abs() < 1e-4 && masses.iter().all(|mass| *mass >= 0.0099),
        "{masses:?}"
    );
    assert!(found.bodies.iter().all(|body| body.inertia[..3].iter().all(|moment| *moment > 1e-5)), "{found:?}");
}

/// Without clips a person has the ranges of the norm. The rest pose is within them, and limbs bend to the right side.
#[test]
fn a_person_without_clips_has_human_ranges() {
    for name in ["runa.glb", "bruno.glb"] {
        let mut model = asset(name);
        model.clips.clear();
        let character = bake(&model, "humanoid", RagdollSettings::default());
        let bodies = &character.ragdoll.as_ref().unwrap().bodies;
        let rest = character.skeleton.rest_matrices();
        for body in bodies {
            let Some(constraint) = &body.constraint else { continue };
            let joint = &character.skeleton.joint(body.joint).name;
            assert_eq!(constraint.limits_from, LimitSource::HumanRange, "{joint}");
            let turn = turn_of(body, &bodies[usize::from(constraint.parent)], &rest, &rest).abs();
            let mut limits = constraint.limits.as_dvec3();
            if constraint.kind == ConstraintKind::Hinge {
                (limits.y, limits.z) = (15.0 * DEGREE, 15.0 * DEGREE);
            }
            assert!(
                (turn - limits).max_element() < 0.01 * DEGREE,
                "{joint}: {} and {}",
                turn / DEGREE,
                limits / DEGREE
            );
        }
        // In the middle of its range a shin points back and down, and a forearm to the front.
        for (joint, parent, toward) in
            [("calf_l", "thigh_l", -1.0), ("calf_r", "thigh_r", -1.0), ("lowerarm_l", "upperarm_l", 1.0)]
        {
            let (body, parent) = (body(&character, joint), body(&character, parent));
            let constraint = body.constraint.as_ref().unwrap();
            let bone = body.center_of_mass.normalize();
            let middle = parent.rotation * constraint.parent_from_frame * constraint.body_from_frame.conjugate() * bone;
            assert!(middle.z * toward > 0.5, "{name}: {joint} points to {middle}");
            assert_eq!(constraint.kind, ConstraintKind::Hinge, "{joint}");
        }
    }
}
