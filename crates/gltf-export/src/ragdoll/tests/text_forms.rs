use crate::ragdoll::figure::Z_UP;
use crate::{CapsulePolicy, ExportError, ExportForm, export};
use baked_format::{BakedCharacter, HitboxHull, HitboxShape, RagdollBody};
use baked_format::{Constraint, ConstraintKind, LimitSource, Ragdoll};
use bone_fit::{BakeOptions, Overrides, RagdollSettings};
use glam::{DAffine3, DMat3, DQuat, DVec3, EulerRot, Quat, Vec3};
use roxmltree::{Document, Node};
use skeleton::{Joint, JointIndex, LocalTransform, Skeleton, Trs};
use skinned_model::NoExternalFiles;
use std::collections::HashMap;
use std::path::Path;
use test_models::Random;

/// A character of `assets/` with a ragdoll.
fn of_asset(name: &str) -> BakedCharacter {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../assets/{name}.glb"));
    let model = skinned_model::import(&std::fs::read(path).unwrap(), &NoExternalFiles).unwrap();
    let options = BakeOptions::from_entries([("parts", "18"), ("max_boxes", "1"), ("measure", "none")]).unwrap();
    let overrides = Overrides { ragdoll: Some(RagdollSettings::default()), ..Overrides::default() };
    let source = baked_format::Source { file: format!("{name}.glb"), blake3: [0; 32], generator: "test".into() };
    bone_fit::bake_with(&model, name, source, &options, &overrides).unwrap().character
}

/// Five bodies in two trees, with every shape, a ball and a hinge, a mirrored joint and scaled ones.
fn made_up() -> BakedCharacter {
    let joint = |name: &str, parent: Option<u16>, translation: [f32; 3], rotation: Quat, scale: Vec3| Joint {
        name: name.into(),
        node: skeleton::NodeIndex(0),
        parent: parent.map(JointIndex),
        rest: LocalTransform::Trs(Trs { translation: translation.into(), rotation, scale }),
        skinned: true,
    };
    let turned = Quat::from_xyzw(0.0, 0.6, 0.0, 0.8);
    let joints = vec![
        joint("hips", None, [0.0, 1.0, 0.0], Quat::IDENTITY, Vec3::ONE),
        joint("spine \"<&>\"\n", Some(0), [0.0, 0.25, 0.0], turned, Vec3::splat(2.0)),
        joint("world", Some(1), [0.0, 0.125, 0.0], turned, Vec3::new(-1.0, 1.0, 1.0)),
        joint("tail\u{1}", Some(0), [0.0, 0.0, -0.25], Quat::IDENTITY, Vec3::new(0.5, 1.0, 1.0)),
        joint("tail\u{2}", None, [0.5, 0.5, 0.0], turned, Vec3::ONE),
    ];
    let mut character = of_asset("hound");
    character.name = "made \"up\"".into();
    character.skeleton = Skeleton::new(joints).unwrap();
    (character.humanoid, character.coverage) = (None, None);
    character.clips.clear();
    character.warnings.clear();
    let rest = character.skeleton.rest_matrices();
    let hitbox = character.boxes[0].clone();
    character.boxes =
        [HitboxShape::Box, HitboxShape::Capsule, HitboxShape::Sphere, HitboxShape::Hull, HitboxShape::Box]
            .into_iter()
            .zip(0..)
            .map(|(shape, joint)| {
                let mut one = hitbox.clone();
                (one.joint, one.shape, one.center) = (JointIndex(joint), shape, Vec3::new(0.0, 0.125, 0.0));
                one.orientation = Quat::from_xyzw(0.0, 0.0, 0.6, 0.8);
                one.half_extents = Vec3::new(0.125, 0.25, 0.125);
                match shape {
                    HitboxShape::Sphere => one.half_extents = Vec3::splat(0.125),
                    HitboxShape::Hull => {
                        let vertices = Vec3::AXES
                            .into_iter()
                            .flat_map(|axis| [one.center + 0.25 * axis, one.center - 0.25 * axis]);
                        let triangles = vec![
                            [0, 2, 4],
                            [2, 1, 4],
                            [1, 3, 4],
                            [3, 0, 4],
                            [2, 0, 5],
                            [1, 2, 5],
                            [3, 1, 5],
                            [0, 3, 5],
                        ];
                        one.hull = Some(HitboxHull { vertices: vertices.collect(), triangles });
                        (one.orientation, one.half_extents) = (Quat::IDENTITY, Vec3::splat(0.25));
                    }
                    _ => {}
                }
                one
            })
            .collect();
    let body = |joint: u16, constraint: Option<Constraint>| {
        let (_, rotation, position) = rest[usize::from(joint)].to_scale_rotation_translation();
        RagdollBody {
            joint: JointIndex(joint),
            position,
            rotation: rotation.normalize(),
            boxes: vec![joint],
            mass: 2.5,
            center_of_mass: Vec3::new(0.0, 0.125, 0.0),
            inertia: [0.5, 0.25, 0.5, 0.0625, 0.0, -0.03125],
            constraint,
        }
    };
    let frame = Quat::from_xyzw(0.0, 0.0, 0.6, 0.8);
    let mut bodies = vec![body(0, None)];
    for (joint, parent, kind, limits) in [
        (1, 0, ConstraintKind::Ball, [0.5, 1.0, 0.25]),
        (2, 1, ConstraintKind::Hinge, [1.25, 0.0, 0.0]),
        (3, 0, ConstraintKind::Ball, [0.25, 0.5, 2.0]),
    ] {
        let one = body(joint, None);
        let held: &RagdollBody = &bodies[parent];
        let turn = held.rotation.conjugate() * one.rotation;
        // The middle of the range is not the rest pose, and a hinge turns about the same axis in both bodies.
        let away = if kind == ConstraintKind::Hinge {
            Quat::from_rotation_x(0.5)
        } else {
            Quat::from_xyzw(0.1, 0.2, -0.1, 0.9).normalize()
        };
        let constraint = Constraint {
            parent: parent as u16,
            kind,
            anchor: held.rotation.conjugate() * (one.position - held.position),
            parent_from_frame: (turn * frame * away).normalize(),
            body_from_frame: frame,
            limits: limits.into(),
            stiffness: if joint == 1 { 3.0 } else { 0.0 },
            damping: 1.5,
            limits_from: LimitSource::Clips,
        };
        bodies.push(RagdollBody { constraint: Some(constraint), ..one });
    }
    bodies.push(body(4, None));
    character.ragdoll = Some(Ragdoll { bodies, no_collision: vec![[0, 1], [0, 4]] });
    character.validate().unwrap();
    character
}

fn text(character: &BakedCharacter, form: ExportForm) -> (String, Vec<String>) {
    let export = export(character, &[], form, CapsulePolicy::EqualVolume).unwrap();
    (String::from_utf8(export.bytes).unwrap(), export.warnings)
}

fn numbers(node: Node<'_, '_>, name: &str) -> Vec<f64> {
    node.attribute(name)
        .unwrap_or_default()
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().unwrap())
        .collect()
}

fn vector(node: Node<'_, '_>, name: &str) -> DVec3 {
    DVec3::from_slice(&numbers(node, name))
}

fn children<'a, 'b>(node: Node<'a, 'b>, name: &'static str) -> impl Iterator<Item = Node<'a, 'b>> {
    node.children().filter(move |child| child.has_tag_name(name))
}

/// `world_from_body` in the rest pose, from the bake.
fn rest(character: &BakedCharacter) -> Vec<DAffine3> {
    let bodies = &character.ragdoll.as_ref().unwrap().bodies;
    let place = |body: &RagdollBody| {
        DAffine3::from_rotation_translation(body.rotation.as_dquat().normalize(), body.position.as_dvec3())
    };
    bodies.iter().map(|body| DAffine3::from_quat(Z_UP) * place(body)).collect()
}

#[test]
fn axes_stand_as_those_of_robots() {
    let [ahead, left, up] = [DVec3::Z, DVec3::X, DVec3::Y].map(|axis| Z_UP * axis);
    assert!((ahead - DVec3::X).length() + (left - DVec3::Y).length() + (up - DVec3::Z).length() < 1e-12);
}

/// A hitbox that belongs to no body is named by every form.
#[test]
fn hitboxes_without_a_body_are_counted() {
    let mut character = of_asset("hound");
    let bodies = &mut character.ragdoll.as_mut().unwrap().bodies;
    let last = bodies.len() - 1;
    bodies[last].boxes.clear();
    let all = character.boxes.len();
    for form in [ExportForm::Mjcf, ExportForm::Urdf, ExportForm::Ragdoll, ExportForm::Usda] {
        let (_, warnings) = text(&character, form);
        let expected = format!("1 of {all} hitboxes belong to no body of the ragdoll, and are left out");
        assert!(warnings.contains(&expected), "{form:?}: {warnings:?}");
    }
}

#[test]
fn texts_of_a_made_up_ragdoll() {
    let character = made_up();
    for form in [ExportForm::Mjcf, ExportForm::Urdf, ExportForm::Ragdoll] {
        let (text, warnings) = text(&character, form);
        insta::assert_snapshot!(form.keyword(), format!("{text}\n{}\n", warnings.join("\n")));
    }
}

#[test]
fn a_bake_without_a_ragdoll_is_an_error() {
    let mut character = of_asset("hound");
    character.ragdoll = None;
    for form in [ExportForm::Mjcf, ExportForm::Urdf, ExportForm::Ragdoll] {
        let refused = export(&character, &[], form, CapsulePolicy::EqualVolume).unwrap_err();
        assert_eq!(refused, ExportError::NoRagdoll { character: "hound".into() });
        assert_eq!(refused.to_string(), "\"hound\" has no ragdoll; bake with `ragdoll = true` in bonebox.toml");
    }
}

/// The joints of a MuJoCo body, in their order, as MuJoCo reads them.
struct MujocoBody {
    parent: Option<usize>,
    place: DAffine3,
    hinges: Vec<(DVec3, f64, Option<[f64; 2]>)>,
}

/// The slow twin of MuJoCo: reads the bodies in the order of the document.
fn mujoco_bodies(text: &str) -> (Vec<String>, Vec<MujocoBody>) {
    let document = Document::parse(text).unwrap();
    let world = document.descendants().find(|node| node.has_tag_name("worldbody")).unwrap();
    let (mut names, mut bodies) = (Vec::new(), Vec::new());
    let mut pending: Vec<(Node<'_, '_>, Option<usize>)> = children(world, "body").map(|body| (body, None)).collect();
    while let Some((node, parent)) = pending.pop() {
        let [w, x, y, z] = numbers(node, "quat").try_into().unwrap();
        let place = DAffine3::from_rotation_translation(DQuat::from_xyzw(x, y, z, w).normalize(), vector(node, "pos"));
        let hinge = |joint: Node<'_, '_>| {
            let range = numbers(joint, "range");
            let at_rest = numbers(joint, "ref").first().copied().unwrap_or(0.0);
            (vector(joint, "axis").normalize(), at_rest, (range.len() == 2).then(|| [range[0], range[1]]))
        };
        pending.extend(children(node, "body").map(|child| (child, Some(bodies.len()))));
        names.push(node.attribute("name").unwrap().to_owned());
        bodies.push(MujocoBody { parent, place, hinges: children(node, "joint").map(hinge).collect() });
    }
    (names, bodies)
}

/// `parent_from_body` at these angles, as MuJoCo's documentation says: each hinge turns about its axis in the body as the hinges
/// before it have left it.
fn posed(body: &MujocoBody, angles: &[f64]) -> DAffine3 {
    let turns = body.hinges.iter().zip(angles);
    turns.fold(body.place, |place, ((axis, at_rest, _), angle)| {
        place * DAffine3::from_quat(DQuat::from_axis_angle(*axis, angle - at_rest))
    })
}

fn largest_difference(a: &DAffine3, b: &DAffine3) -> f64 {
    let columns = |map: &DAffine3| map.to_cols_array();
    columns(a).iter().zip(columns(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn characters() -> Vec<BakedCharacter> {
    vec![made_up(), of_asset("hound"), of_asset("runa")]
}

#[test]
fn mjcf_at_rest_is_the_rest_pose() {
    for character in characters() {
        let (text, _) = text(&character, ExportForm::Mjcf);
        let (names, bodies) = mujoco_bodies(&text);
        let ragdoll = character.ragdoll.as_ref().unwrap();
        let expected = rest(&character);
        assert_eq!(bodies.len(), expected.len());
        let mut world: Vec<DAffine3> = Vec::new();
        for (name, body) in names.iter().zip(&bodies) {
            let at_rest: Vec<f64> = body.hinges.iter().map(|hinge| hinge.1).collect();
            let place = posed(body, &at_rest);
            world.push(body.parent.map_or(place, |parent| world[parent] * place));
            let index = ragdoll.bodies.iter().position(|one| is_name(name, &character, one)).unwrap();
            let off = largest_difference(&world[world.len() - 1], &expected[index]);
            assert!(off < 1e-5, "{name} is {off} off");
        }
    }
}

/// The name of a body is that of its joint, as far as XML can write it and no other body has it.
fn is_name(name: &str, character: &BakedCharacter, body: &RagdollBody) -> bool {
    let joint = &character.skeleton.joint(body.joint).name;
    let known =
        HashMap::from([("tail\u{1}", "tail\u{fffd}"), ("tail\u{2}", "tail\u{fffd} (2)"), ("world", "world (2)")]);
    name == known.get(joint.as_str()).copied().unwrap_or(joint)
}

/// Turns within the limits, often at their edges and corners: the swing and the twist.
fn turn_within(constraint: &Constraint, random: &mut Random) -> (DQuat, f64) {
    let mut part = |limit: f32| match random.below(3) {
        0 => f64::from(limit) * (random.below(3) as f64 - 1.0),
        _ => f64::from(limit * random.between(-1.0, 1.0)),
    };
    let [twist, y, z] = constraint.limits.to_array().map(&mut part);
    (DQuat::from_scaled_axis(DVec3::new(0.0, y, z)), twist)
}

/// The rotation of the child in the parent, at a turn of the child's frame in the parent's.
fn parent_from_body(constraint: &Constraint, turn: DQuat) -> DMat3 {
    let [parent_from_frame, body_from_frame] =
        [constraint.parent_from_frame, constraint.body_from_frame].map(|one| one.as_dquat().normalize());
    DMat3::from_quat(parent_from_frame * turn * body_from_frame.inverse())
}

fn farthest(a: DMat3, b: DMat3) -> f64 {
    (a - b).to_cols_array().into_iter().fold(0.0, |most: f64, number| most.max(number.abs()))
}

fn is_within(angle: f64, range: Option<[f64; 2]>) -> bool {
    range.is_none_or(|[low, high]| low - 1e-5 <= angle && angle <= high + 1e-5)
}

/// Every pose within the limits has angles within the ranges, and the angles give that pose.
#[test]
fn ranges_of_mjcf_hold_every_pose_within_the_limits() {
    let mut random = Random::new(7);
    for character in characters() {
        let (names, bodies) = mujoco_bodies(&text(&character, ExportForm::Mjcf).0);
        let ragdoll = character.ragdoll.as_ref().unwrap();
        for (name, body) in names.iter().zip(&bodies) {
            let baked = ragdoll.bodies.iter().find(|one| is_name(name, &character, one)).unwrap();
            let Some(constraint) = &baked.constraint else { continue };
            for case in 0..2_000 {
                let (swing, twist) = turn_within(constraint, &mut random);
                if constraint.kind == ConstraintKind::Hinge {
                    assert!(body.hinges.len() == 1 && is_within(twist, body.hinges[0].2), "{name}");
                    continue;
                }
                let [outer, inner] = if constraint.limits.y > constraint.limits.z { [1, 2] } else { [2, 1] };
                let parts = swing.to_array();
                let half = parts[outer].atan2(parts[3]);
                let angles = [half, 2.0 * parts[inner].asin(), half, twist];
                for (angle, hinge) in angles.iter().zip(&body.hinges) {
                    assert!(is_within(*angle, hinge.2), "{name} {case}: {angle} in {:?}", hinge.2);
                }
                let expected = parent_from_body(constraint, swing * DQuat::from_rotation_x(twist));
                let off = farthest(posed(body, &angles).matrix3, expected);
                assert!(off < 1e-5 && body.hinges.len() == 4, "{name} {case}: {off}");
            }
            // The range of the twist is no wider than its limit.
            let [low, high] = body.hinges[body.hinges.len() - 1].2.unwrap();
            let limit = f64::from(constraint.limits.x);
            assert!((low + limit).abs() < 1e-6 && (high - limit).abs() < 1e-6, "{name}");
        }
    }
}

/// The same for URDF, which counts angles from the rest pose.
#[test]
fn ranges_of_urdf_hold_every_pose_within_the_limits() {
    let mut random = Random::new(8);
    for character in characters() {
        let text = text(&character, ExportForm::Urdf).0;
        let document = Document::parse(&text).unwrap();
        let all: Vec<Node<'_, '_>> = children(document.root_element(), "joint").collect();
        let ragdoll = character.ragdoll.as_ref().unwrap();
        for body in &ragdoll.bodies {
            let Some(constraint) = &body.constraint else { continue };
            let is_of_body = |joint: &&Node<'_, '_>| {
                let name = joint.attribute("name").unwrap().rsplit_once(':').unwrap().0;
                is_name(name, &character, body)
            };
            let joints: Vec<Node<'_, '_>> = all.iter().filter(is_of_body).copied().collect();
            let parent = &ragdoll.bodies[usize::from(constraint.parent)];
            let [held, holder] = [body, parent].map(|one| one.rotation.as_dquat().normalize());
            let [parent_from_frame, body_from_frame] =
                [constraint.parent_from_frame, constraint.body_from_frame].map(|one| one.as_dquat().normalize());
            let rest = holder.inverse() * held;
            let order = if constraint.limits.y > constraint.limits.z { EulerRot::YZX } else { EulerRot::ZYX };
            let angles = |turn: DQuat| match constraint.kind {
                ConstraintKind::Hinge => vec![2.0 * (turn.x / turn.w).atan()],
                ConstraintKind::Ball => <[f64; 3]>::from(turn.to_euler(order)).to_vec(),
            };
            let at_rest = angles(parent_from_frame.inverse() * rest * body_from_frame);
            for case in 0..2_000 {
                let (swing, twist) = turn_within(constraint, &mut random);
                let turn = swing * DQuat::from_rotation_x(twist);
                let angles = angles(turn);
                assert_eq!(angles.len(), joints.len());
                let mut found = rest;
                for ((angle, at_rest), joint) in angles.iter().zip(&at_rest).zip(&joints) {
                    let limit = children(*joint, "limit").next().unwrap();
                    let range = [numbers(limit, "lower"), numbers(limit, "upper")].concat();
                    let range: Option<[f64; 2]> = range.try_into().ok();
                    assert!(is_within(angle - at_rest, range), "{case}: {angle} - {at_rest} in {range:?}");
                    let axis = vector(children(*joint, "axis").next().unwrap(), "xyz").normalize();
                    found *= DQuat::from_axis_angle(axis, angle - at_rest);
                }
                // A hinge keeps the angle by which it leans out of its axis in the rest pose.
                if constraint.kind == ConstraintKind::Ball {
                    let off = farthest(DMat3::from_quat(found), parent_from_body(constraint, turn));
                    assert!(off < 1e-5, "{case}: {off}");
                }
            }
        }
    }
}

#[test]
fn mjcf_has_the_masses_and_pairs_of_the_bake() {
    for character in characters() {
        let (text, _) = text(&character, ExportForm::Mjcf);
        let document = Document::parse(&text).unwrap();
        let ragdoll = character.ragdoll.as_ref().unwrap();
        for node in document.descendants().filter(|node| node.has_tag_name("body")) {
            let body =
                ragdoll.bodies.iter().find(|one| is_name(node.attribute("name").unwrap(), &character, one)).unwrap();
            let inertial = children(node, "inertial").next().unwrap();
            assert_eq!(numbers(inertial, "mass")[0] as f32, body.mass);
            assert_eq!(vector(inertial, "pos").as_vec3(), body.center_of_mass);
            let found = numbers(inertial, "fullinertia");
            let trace: f32 = body.inertia[..3].iter().sum();
            assert!(found.iter().zip(body.inertia).all(|(found, baked)| (*found as f32 - baked).abs() <= 2e-5 * trace));
            assert_eq!(children(node, "geom").count(), body.boxes.len());
            assert_eq!(children(node, "freejoint").count(), usize::from(body.constraint.is_none()));
        }
        let pairs = document.descendants().filter(|node| node.has_tag_name("exclude")).count();
        let is_missing = |(index, body): (usize, &RagdollBody)| {
            body.constraint.as_ref().is_some_and(|one| !ragdoll.no_collision.contains(&[one.parent, index as u16]))
        };
        let neighbors = ragdoll.bodies.iter().enumerate().filter(|one| is_missing(*one)).count();
        assert_eq!(pairs, ragdoll.no_collision.len() + neighbors);
    }
}

/// The slow twin of a reader of URDF.
#[test]
fn urdf_at_zero_is_the_rest_pose() {
    for character in characters() {
        let (text, _) = text(&character, ExportForm::Urdf);
        let document = Document::parse(&text).unwrap();
        let robot = document.root_element();
        let origin = |node: Node<'_, '_>| {
            let Some(origin) = children(node, "origin").next() else { return DAffine3::IDENTITY };
            let [roll, pitch, yaw] = numbers(origin, "rpy").try_into().unwrap();
            let turn = DQuat::from_rotation_z(yaw) * DQuat::from_rotation_y(pitch) * DQuat::from_rotation_x(roll);
            DAffine3::from_rotation_translation(turn, vector(origin, "xyz"))
        };
        let end =
            |joint: Node<'_, '_>, word| children(joint, word).next().unwrap().attribute("link").unwrap().to_owned();
        let held: HashMap<String, (String, DAffine3)> = children(robot, "joint")
            .map(|joint| (end(joint, "child"), (end(joint, "parent"), origin(joint))))
            .collect();
        let world = |link: &str| {
            let (mut place, mut at) = (DAffine3::IDENTITY, link.to_owned());
            while let Some((parent, origin)) = held.get(&at) {
                (place, at) = (*origin * place, parent.clone());
            }
            place
        };
        let links: Vec<Node<'_, '_>> = children(robot, "link").collect();
        let roots = links.iter().filter(|link| !held.contains_key(link.attribute("name").unwrap())).count();
        assert_eq!((roots, links.len()), (1, held.len() + 1), "a tree");
        let ragdoll = character.ragdoll.as_ref().unwrap();
        for (body, expected) in ragdoll.bodies.iter().zip(rest(&character)) {
            let of_body = |link: &&Node<'_, '_>| {
                let name = link.attribute("name").unwrap();
                is_name(name, &character, body)
                    || name.rsplit_once(':').is_some_and(|(name, _)| is_name(name, &character, body))
            };
            let (mut mass, mut inertia) = (0.0, DMat3::ZERO);
            for link in links.iter().filter(of_body) {
                let inertial = children(*link, "inertial").next().unwrap();
                let place = world(link.attribute("name").unwrap()) * origin(inertial);
                let center = expected.transform_point3(body.center_of_mass.as_dvec3());
                let off = place.translation.distance(center);
                assert!(off < 1e-5, "{off}");
                let number = |node: &str, name: &str| {
                    let node = children(inertial, "mass")
                        .chain(children(inertial, "inertia"))
                        .find(|one| one.has_tag_name(node.to_owned().as_str()));
                    numbers(node.unwrap(), name)[0]
                };
                mass += number("mass", "value");
                let [xx, yy, zz, xy, xz, yz] =
                    ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"].map(|name| number("inertia", name));
                let tensor = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
                inertia += place.matrix3 * tensor * place.matrix3.transpose();
            }
            assert!((mass / f64::from(body.mass) - 1.0).abs() < 1e-6);
            let [xx, yy, zz, xy, xz, yz] = body.inertia.map(f64::from);
            let tensor = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
            let tensor = expected.matrix3 * tensor * expected.matrix3.transpose();
            let off = (tensor - inertia).to_cols_array().into_iter().fold(0.0, |a: f64, b| a.max(b.abs()));
            assert!(off < 1e-5 * (xx + yy + zz), "{off}");
            if body.constraint.is_some() {
                let link =
                    links.iter().find(|link| is_name(link.attribute("name").unwrap(), &character, body)).unwrap();
                let off = largest_difference(&world(link.attribute("name").unwrap()), &expected);
                assert!(off < 1e-5, "{off}");
            }
        }
    }
}

/// Links of URDF between hinges have names, too.
#[test]
fn no_two_names_are_equal() {
    let mut character = made_up();
    let mut joints = character.skeleton.joints().to_vec();
    joints[0].name = "world (2):twist".into();
    joints[4].name = "tail\u{fffd}:z".into();
    character.skeleton = Skeleton::new(joints).unwrap();
    for (form, elements) in [(ExportForm::Mjcf, ["body", "joint"]), (ExportForm::Urdf, ["link", "joint"])] {
        let text = text(&character, form).0;
        let document = Document::parse(&text).unwrap();
        for element in elements {
            let named = document.descendants().filter(|node| node.has_tag_name(element));
            let mut names: Vec<&str> = named.filter_map(|node| node.attribute("name")).collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert!(names.len() == count && count >= 5, "{names:?}");
        }
    }
}
