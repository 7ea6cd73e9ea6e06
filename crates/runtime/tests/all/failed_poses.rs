//! One rule for every way to pose: if it fails, there are no hitboxes until the next pose.

use crate::characters::{arm, figure};
use geometry_core::Ray;
use glam::{Affine3A, Vec3};
use runtime::{
    BodyId, BodyPoser, BodySettings, Character, ClipIndex, ClipSampler, HitboxWorld, JointMap, PoseError, PoseLayer,
    PosedCharacter, QueryFilter,
};
use skeleton::JointIndex;
use std::sync::Arc;

const HERE: Affine3A = Affine3A::IDENTITY;
const NOWHERE: Affine3A = Affine3A::NAN;
const NO_CLIP: ClipIndex = ClipIndex(99);
const ARM: [Affine3A; 4] = [HERE; 4];

type Fail = fn(&mut BodyPoser<'_>) -> Result<(), PoseError>;

/// Ways to pose one body that fail, by name.
fn failures() -> Vec<(&'static str, Fail)> {
    fn posed_as(character: &Character) -> PosedCharacter {
        let mut posed = PosedCharacter::new();
        posed.pose_from_rest(character, &HERE).unwrap();
        posed
    }
    vec![
        ("a place", |body| body.pose_from_rest(&NOWHERE)),
        ("a clip", |body| body.pose_from_clip(&HERE, NO_CLIP, 0.0)),
        ("a time", |body| body.pose_from_clip(&HERE, ClipIndex(0), f32::NAN)),
        ("a layer", |body| body.pose_from_layers(&HERE, &[PoseLayer::blend(NO_CLIP, 0.0, 1.0)])),
        ("a number of matrices", |body| body.pose_from_model(&HERE, &ARM[1..])),
        ("a matrix in model space", |body| body.pose_from_model(&HERE, &[NOWHERE; 4])),
        ("a matrix in world space", |body| body.pose_from_world(&[NOWHERE; 4])),
        ("a matrix of some joints", |body| body.update_joints(&[NOWHERE; 4], &[JointIndex(1)])),
        ("a joint", |body| body.update_joints(&ARM, &[JointIndex(9)])),
        ("a copy of no pose", |body| body.copy_pose(&PosedCharacter::new())),
        ("a copy of another character", |body| body.copy_pose(&posed_as(&figure("figure")))),
        ("a step before posing", |body| {
            let map = JointMap::new(body.character(), ["upper", "fore"]).unwrap();
            let mut matrices = ARM.to_vec();
            map.fill(body.character(), &ARM, &mut matrices)?;
            body.pose_from_model(&HERE, &matrices)
        }),
        ("a step after posing", |body| {
            body.pose_from_rest(&HERE)?;
            body.pose_from_rest(&HERE)?;
            Err(body.pose_from_clip(&HERE, NO_CLIP, 0.0).unwrap_err())
        }),
    ]
}

#[test]
fn a_body_whose_pose_failed_has_no_hitboxes_until_it_is_posed_again() {
    let arm = Arc::new(arm("arm"));
    for (name, fail) in failures() {
        for (continuous, way) in [false, true].into_iter().flat_map(|is| ["one", "each", "all"].map(|way| (is, way))) {
            let mut world = HitboxWorld::new();
            let settings = BodySettings { continuous, ..BodySettings::default() };
            for id in 1..=2 {
                world.insert(BodyId(id), Arc::clone(&arm), settings).unwrap();
                world.track_joints(BodyId(id), &["fore"]).unwrap();
                world.pose_from_rest(BodyId(id), &HERE).unwrap();
            }
            world.update();
            assert!(!world.touches().is_empty());
            let pose =
                |id, body: &mut BodyPoser<'_>| if id == BodyId(1) { fail(body) } else { body.pose_from_rest(&HERE) };
            let failed = match way {
                "one" => world.pose_one(BodyId(1), fail),
                "each" => world.pose_each(pose),
                _ => world.pose_all(pose),
            };
            assert!(failed.is_err(), "{name}");
            let about = format!("{name}, pose_{way}, continuous: {continuous}");
            let unposed = |world: &HitboxWorld| world.unposed_bodies().map(|body| body.id()).collect::<Vec<_>>();
            assert_eq!(unposed(&world), [BodyId(1)], "{about}");
            let body = world.body(BodyId(1)).unwrap();
            assert_eq!((body.posed().boxes().len(), body.world_from_joint("fore")), (0, None), "{about}");
            let center = world.body(BodyId(2)).unwrap().posed().boxes().next().unwrap().center;
            let ray = Ray::try_new(center - 9.0 * Vec3::Z, Vec3::Z).unwrap();
            let hit = world.cast_ray(&ray, None, &QueryFilter::default()).unwrap();
            assert_eq!(hit.body, BodyId(2), "{about}");
            world.update();
            assert!(world.touches().is_empty(), "{about}");
            world.pose_from_rest(BodyId(1), &HERE).unwrap();
            world.update();
            assert!(unposed(&world).is_empty() && !world.touches().is_empty(), "{about}");
        }
    }
}

#[test]
fn a_character_whose_pose_failed_has_no_hitboxes() {
    let (arm, figure, mut sampler) = (arm("arm"), figure("figure"), ClipSampler::new());
    type Fail<'a> = &'a mut dyn FnMut(&mut PosedCharacter) -> Result<(), PoseError>;
    let fails: [(&str, Fail<'_>); 8] = [
        ("a place", &mut |posed| posed.pose_from_rest(&arm, &NOWHERE)),
        ("a clip", &mut |posed| posed.pose_from_clip(&mut ClipSampler::new(), &arm, &HERE, NO_CLIP, 0.0)),
        ("a layer", &mut |posed| {
            posed.pose_from_layers(&mut sampler, &arm, &HERE, &[PoseLayer::blend(NO_CLIP, 0.0, 1.0)])
        }),
        ("a number of matrices", &mut |posed| posed.pose_from_model(&arm, &HERE, &ARM[1..])),
        ("a matrix", &mut |posed| posed.pose_from_world(&arm, &[NOWHERE; 4])),
        ("a matrix of some joints", &mut |posed| posed.update_joints(&arm, &[NOWHERE; 4], &[JointIndex(1)])),
        ("a joint", &mut |posed| posed.update_joints(&arm, &ARM, &[JointIndex(9)])),
        ("another character", &mut |posed| posed.update_joints(&figure, figure.rest_matrices(), &[JointIndex(1)])),
    ];
    for (name, fail) in fails {
        let mut posed = PosedCharacter::new();
        posed.pose_from_rest(&arm, &HERE).unwrap();
        fail(&mut posed).unwrap_err();
        assert!(!posed.is_posed() && posed.boxes().len() == 0, "{name}");
    }
}

#[test]
fn a_cleared_pose_is_as_a_failed_pose() {
    let arm = Arc::new(arm("arm"));
    let mut world = HitboxWorld::new();
    for id in 1..=2 {
        world.insert(BodyId(id), Arc::clone(&arm), BodySettings::default()).unwrap();
        world.pose_from_rest(BodyId(id), &HERE).unwrap();
    }
    world.update();
    let mut failed = world.clone();
    world.clear_pose(BodyId(1)).unwrap();
    world.clear_pose(BodyId(1)).unwrap();
    failed.pose_from_rest(BodyId(1), &NOWHERE).unwrap_err();
    for world in [&mut world, &mut failed] {
        assert_eq!(world.unposed_bodies().count(), 1);
        world.update();
        assert_eq!((world.touches().len(), world.events().len()), (0, 4), "the touches end");
    }
    assert!(world.clear_pose(BodyId(3)).is_err());
}
