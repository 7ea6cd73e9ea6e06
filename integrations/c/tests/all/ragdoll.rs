//! Ragdolls: the bodies, shapes, places and matrices of the Rust library, and errors.

use crate::door::{
    Failed, OwnCharacter, OwnPose, all, assert_failed, asset, call, find_joint, found, hitboxes, matrix, value,
};
use baked_format::{
    BakedCharacter, BodySolid, Constraint, ConstraintKind, HitboxShape, LimitSource, Ragdoll, RagdollBody,
};
use bonebox_c::*;
use glam::{Affine3A, Quat, Vec3};
use ragdoll::{BodyPlace, RagdollRig};
use runtime::Character;
use skeleton::{JointIndex, LocalTransform};
use std::ptr::{null, null_mut};

struct OwnRagdoll(*mut BoneboxRagdoll);

impl Drop for OwnRagdoll {
    fn drop(&mut self) {
        assert_eq!(unsafe { bonebox_ragdoll_free(self.0) }, BoneboxResult::Ok);
    }
}

impl OwnRagdoll {
    fn new(character: &OwnCharacter, scale: f32) -> Result<Self, Failed> {
        value(|out, error| unsafe { bonebox_ragdoll_new(character.0, scale, out, error) }).map(Self)
    }

    fn body(&self, index: u16) -> Result<BoneboxRagdollBody, Failed> {
        value(|out, error| unsafe { bonebox_ragdoll_body(self.0, index, out, error) })
    }

    fn shapes(&self, body: u16) -> Result<Vec<BoneboxRagdollShape>, Failed> {
        all(|out, room, count, error| unsafe { bonebox_ragdoll_shapes(self.0, body, out, room, count, error) })
    }

    fn hull_vertices(&self, body: u16, shape: u16) -> Result<Vec<BoneboxVec3>, Failed> {
        all(|out, room, count, error| unsafe {
            bonebox_ragdoll_hull_vertices(self.0, body, shape, out, room, count, error)
        })
    }

    fn places(&self, place: &Affine3A, joints: &[Affine3A]) -> Result<Vec<BoneboxRagdollPlace>, Failed> {
        let (place, joints) = (matrix(place), joints.iter().map(matrix).collect::<Vec<_>>());
        all(|out, room, count, error| unsafe {
            bonebox_ragdoll_places(self.0, &place, joints.as_ptr(), joints.len(), out, room, count, error)
        })
    }

    fn velocities(
        &self,
        before: &[BoneboxRagdollPlace],
        now: &[BoneboxRagdollPlace],
        seconds: f32,
    ) -> Result<Vec<BoneboxRagdollVelocity>, Failed> {
        let (from, to) = ((before.as_ptr(), before.len()), (now.as_ptr(), now.len()));
        all(|out, room, count, error| unsafe {
            bonebox_ragdoll_velocities(self.0, from.0, from.1, to.0, to.1, seconds, out, room, count, error)
        })
    }

    fn matrices(
        &self,
        places: &[BoneboxRagdollPlace],
        local: Option<&[Affine3A]>,
    ) -> Result<Vec<BoneboxMatrix>, Failed> {
        let local = local.map(|local| local.iter().map(matrix).collect::<Vec<_>>());
        let (list, joints) = local.as_ref().map_or((null(), 0), |local| (local.as_ptr(), local.len()));
        all(|out, room, count, error| unsafe {
            let (places, bodies) = (places.as_ptr(), places.len());
            bonebox_ragdoll_world_from_joints(self.0, places, bodies, list, joints, out, room, count, error)
        })
    }
}

/// A figure with shapes of all kinds, and with a body for every second joint. The other hitboxes belong to the body of the
/// joint above. Two bodies are roots, and numbers differ from body to body.
fn falling_figure() -> BakedCharacter {
    let mut baked = baked_characters::with_hulls(baked_characters::baked_figure("figure"));
    let rest = Character::from_baked(baked.clone()).rest_matrices().to_vec();
    let parent = |joint: u16| baked.skeleton.joint(JointIndex(joint)).parent.map(|parent| parent.0);
    let mut bodies: Vec<RagdollBody> = Vec::new();
    for joint in 0..baked.skeleton.len() as u16 {
        let above = std::iter::successors(parent(joint), |joint| parent(*joint));
        let holder = above.into_iter().find_map(|above| bodies.iter().position(|body| body.joint.0 == above));
        if joint % 2 == 1 {
            bodies[holder.unwrap()].boxes.push(joint);
            continue;
        }
        let number = f32::from(joint);
        let turn = Quat::from_rotation_x(0.1 * number);
        let constraint = |parent: usize| Constraint {
            parent: parent as u16,
            kind: ConstraintKind::ALL[usize::from(joint / 2 % 2)],
            anchor: Vec3::new(0.1, 0.2, number),
            parent_from_frame: turn,
            body_from_frame: turn * turn,
            limits: Vec3::X * 0.1 * number / 3.0
                + if joint / 2 % 2 == 0 { Vec3::new(0.0, 0.3, 0.4) } else { Vec3::ZERO },
            stiffness: 2.0 * number,
            damping: 3.0 * number,
            limits_from: LimitSource::ALL[usize::from(joint / 2 % 4)],
        };
        let (_, rotation, position) = rest[usize::from(joint)].to_scale_rotation_translation();
        bodies.push(RagdollBody {
            joint: JointIndex(joint),
            position,
            rotation,
            boxes: vec![joint],
            mass: 1.0 + number,
            center_of_mass: Vec3::new(0.01, 0.02, 0.03) * number,
            inertia: [1.0, 1.1, 1.2, 0.01, 0.02, 0.03].map(|entry| entry * (1.0 + number)),
            constraint: holder.filter(|_| joint != 8).map(constraint),
        });
    }
    baked.ragdoll = Some(Ragdoll { bodies, no_collision: vec![[0, 1], [0, 4], [2, 3], [5, 11]] });
    baked.validate().unwrap();
    baked
}

fn figure() -> (OwnCharacter, Character) {
    let baked = falling_figure();
    (OwnCharacter::load(&baked_format::write(&baked).unwrap()).unwrap(), Character::from_baked(baked))
}

fn pose(character: &Character, time: f32) -> (Vec<LocalTransform>, Vec<Affine3A>) {
    let skeleton = character.skeleton();
    let mut local = skeleton.rest_pose();
    character.clips()[1].sample(time, &mut local);
    let mut matrices = vec![Affine3A::IDENTITY; skeleton.len()];
    skeleton.model_from_joints(&local, &mut matrices);
    (local, matrices)
}

fn quat(BoneboxQuat { x, y, z, w }: BoneboxQuat) -> Quat {
    Quat::from_xyzw(x, y, z, w)
}

#[test]
fn bodies_and_shapes_are_those_of_the_rust_library() {
    let (figure, character) = figure();
    assert!(unsafe { bonebox_character_has_ragdoll(figure.0) });
    for scale in [1.0, 2.5] {
        let (ours, rig) =
            (OwnRagdoll::new(&figure, scale).unwrap(), RagdollRig::new(&character).unwrap().scaled(scale));
        assert_eq!(unsafe { bonebox_ragdoll_body_count(ours.0) }, rig.bodies().len());
        let (mut roots, mut kinds) = (0, [0; 4]);
        for (index, expected) in (0..).zip(rig.bodies()) {
            let body = ours.body(index).unwrap();
            assert_eq!((body.joint, usize::from(body.shape_count)), (expected.joint.0, expected.boxes.len()));
            assert_eq!((Vec3::from(body.position), quat(body.rotation)), (expected.position, expected.rotation));
            assert_eq!((body.mass, Vec3::from(body.center_of_mass)), (expected.mass, expected.center_of_mass));
            assert_eq!(body.inertia, expected.inertia);
            match &expected.constraint {
                None => {
                    roots += 1;
                    assert_eq!(body.parent, -1);
                }
                Some(held) => {
                    assert_eq!(body.parent, i32::from(held.parent));
                    let kind = format!("{:?} {:?}", body.kind, body.limits_from);
                    assert_eq!(kind, format!("{:?} {:?}", held.kind, held.limits_from));
                    assert_eq!((Vec3::from(body.anchor), Vec3::from(body.limits)), (held.anchor, held.limits));
                    let frames = [body.parent_from_frame, body.body_from_frame].map(quat);
                    assert_eq!(frames, [held.parent_from_frame, held.body_from_frame]);
                    assert_eq!((body.stiffness, body.damping), (held.stiffness, held.damping));
                }
            }
            let (shapes, of_rig) = (ours.shapes(index).unwrap(), rig.shapes(index.into()));
            assert_eq!(shapes.len(), of_rig.len());
            for (place, (shape, expected)) in (0..).zip(shapes.iter().zip(of_rig)) {
                kinds[shape.kind as usize] += 1;
                assert_eq!(shape.hitbox, expected.hitbox);
                assert_eq!((Vec3::from(shape.center), quat(shape.rotation)), (expected.center, expected.rotation));
                let vertices: Vec<Vec3> =
                    ours.hull_vertices(index, place).unwrap().into_iter().map(Vec3::from).collect();
                assert_eq!(usize::from(shape.vertex_count), vertices.len());
                let (kind, half, radius, length) = match &expected.solid {
                    BodySolid::Box(half) => (HitboxShape::Box, *half, 0.0, 0.0),
                    BodySolid::Sphere(radius) => (HitboxShape::Sphere, Vec3::ZERO, *radius, 0.0),
                    BodySolid::Capsule { half_length, radius } => {
                        (HitboxShape::Capsule, Vec3::ZERO, *radius, *half_length)
                    }
                    BodySolid::Hull(hull) => {
                        assert_eq!(vertices, hull.vertices);
                        (HitboxShape::Hull, Vec3::ZERO, 0.0, 0.0)
                    }
                };
                assert_eq!(
                    (format!("{:?}", shape.kind), kind == HitboxShape::Hull),
                    (format!("{kind:?}"), !vertices.is_empty())
                );
                assert_eq!((Vec3::from(shape.half_extents), shape.radius, shape.half_length), (half, radius, length));
            }
        }
        assert!(roots == 2 && kinds.iter().all(|&count| count > 0), "{roots} {kinds:?}");
        for joint in 0..character.skeleton().len() as u16 + 2 {
            let body = found(|is, out, error| unsafe { bonebox_ragdoll_body_of_joint(ours.0, joint, is, out, error) });
            assert_eq!(body.unwrap().map(usize::from), rig.body_of_joint(JointIndex(joint)));
        }
        let pairs =
            all(|out, room, count, error| unsafe { bonebox_ragdoll_no_collision(ours.0, out, room, count, error) });
        let pairs: Vec<[u16; 2]> = pairs.unwrap().iter().map(|pair| [pair.body_a, pair.body_b]).collect();
        assert_eq!(pairs, rig.no_collision());
    }
}

/// Two moments of a clip, with another place of the character at each.
#[test]
fn poses_become_places_and_come_back() {
    let (figure, character) = figure();
    let (ours, rig) = (OwnRagdoll::new(&figure, 1.0).unwrap(), RagdollRig::new(&character).unwrap());
    let moments = [0.3_f32, 0.4].map(|time| {
        let place = Affine3A::from_rotation_translation(Quat::from_rotation_y(time * 3.0), Vec3::new(time, 1.0, 2.0));
        let (local, joints) = pose(&character, time);
        let mut expected = Vec::new();
        rig.places(&place, &joints, &mut expected).unwrap();
        let places = ours.places(&place, &joints).unwrap();
        assert_eq!(places, expected.iter().map(BoneboxRagdollPlace::from).collect::<Vec<_>>());
        let world: Vec<Affine3A> = joints.iter().map(|joint| place * *joint).collect();
        for (ours, own) in places.iter().zip(&ours.places(&Affine3A::IDENTITY, &world).unwrap()) {
            assert!(Vec3::from(ours.position).abs_diff_eq(own.position.into(), 1e-5), "matrices in world space");
        }
        let mut matrices = vec![Affine3A::IDENTITY; joints.len()];
        let local_matrices: Vec<Affine3A> = local.iter().map(LocalTransform::to_affine).collect();
        let as_matrices: Vec<_> = local_matrices.iter().copied().map(LocalTransform::Matrix).collect();
        rig.world_from_joints(&expected, &as_matrices, &mut matrices).unwrap();
        let back = ours.matrices(&places, Some(&local_matrices)).unwrap();
        assert_eq!(back, matrices.iter().map(BoneboxMatrix::from).collect::<Vec<_>>());
        for (back, joint) in matrices.iter().zip(&world) {
            assert!(back.abs_diff_eq(*joint, 2e-5), "{back} {joint}");
        }
        rig.world_from_joints(&expected, &character.skeleton().rest_pose(), &mut matrices).unwrap();
        let at_rest = ours.matrices(&places, None).unwrap();
        assert_eq!(at_rest, matrices.iter().map(BoneboxMatrix::from).collect::<Vec<_>>());
        assert_ne!(at_rest, back, "joints without a body are in another place");
        let posed = OwnPose::new();
        call(|error| unsafe { bonebox_pose_from_world(posed.0, figure.0, back.as_ptr(), back.len(), error) }).unwrap();
        assert_eq!(hitboxes(&posed).len(), 24);
        (places, expected)
    });
    let mut expected = Vec::new();
    rig.velocities(&moments[0].1, &moments[1].1, 0.1, &mut expected).unwrap();
    let velocities = ours.velocities(&moments[0].0, &moments[1].0, 0.1).unwrap();
    assert_eq!(velocities, expected.iter().map(BoneboxRagdollVelocity::from).collect::<Vec<_>>());
    assert!(velocities.iter().all(|one| Vec3::from(one.angular).length() > 1.0));
    let turned = BodyPlace { rotation: Quat::from_xyzw(0.1, 0.7, 0.1, 0.7), position: Vec3::X };
    assert_eq!(BodyPlace::from(&BoneboxRagdollPlace::from(&turned)), turned);
}

#[test]
fn errors_of_ragdolls_name_their_cause() {
    let (figure, character) = figure();
    let runa = asset("runa");
    assert!(!unsafe { bonebox_character_has_ragdoll(runa.0) || bonebox_character_has_ragdoll(null()) });
    assert_failed(OwnRagdoll::new(&runa, 1.0).map(|_| ()), BoneboxResult::NotFound, "ragdoll = true");
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert_failed(OwnRagdoll::new(&figure, scale).map(|_| ()), BoneboxResult::InvalidArgument, "`scale` is");
    }
    let ours = OwnRagdoll::new(&figure, 1.0).unwrap();
    let count = unsafe { bonebox_ragdoll_body_count(ours.0) };
    assert_eq!(unsafe { bonebox_ragdoll_body_count(null()) }, 0);
    let beyond = count as u16;
    assert_failed(ours.body(beyond), BoneboxResult::NotFound, "has no body 12; pass an index below 12");
    assert_failed(ours.shapes(beyond), BoneboxResult::NotFound, "no body 12");
    assert_failed(ours.hull_vertices(beyond, 0), BoneboxResult::NotFound, "no body 12");
    assert_failed(ours.hull_vertices(0, 9), BoneboxResult::NotFound, "body 0 has no shape 9");
    let (place, (_, mut joints)) = (Affine3A::IDENTITY, pose(&character, 0.0));
    assert_failed(ours.places(&place, &joints[1..]), BoneboxResult::PoseRefused, "expected 24 entries, found 23");
    let places = ours.places(&place, &joints).unwrap();
    joints[usize::from(find_joint(&figure, "spine"))] = Affine3A::from_scale(Vec3::ZERO);
    assert_failed(ours.places(&place, &joints), BoneboxResult::PoseRefused, "\"spine\"");
    let velocities = |from: usize, to: usize, seconds| ours.velocities(&places[from..], &places[to..], seconds);
    assert_failed(velocities(1, 0, 0.1), BoneboxResult::PoseRefused, "places before: expected 12 entries, found 11");
    assert_failed(velocities(0, 1, 0.1), BoneboxResult::PoseRefused, "places now");
    for seconds in [0.0, -0.1, f32::NAN, f32::INFINITY] {
        assert_failed(velocities(0, 0, seconds), BoneboxResult::InvalidArgument, "`seconds` is");
    }
    assert_failed(ours.matrices(&places[1..], None), BoneboxResult::PoseRefused, "places: expected 12");
    assert_failed(ours.matrices(&places, Some(&[])), BoneboxResult::PoseRefused, "local transforms: expected 24");
    let free = call(|_| unsafe { bonebox_ragdoll_free(null_mut()) });
    free.unwrap();
}
