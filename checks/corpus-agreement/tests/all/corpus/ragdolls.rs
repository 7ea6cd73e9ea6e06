//! Ragdolls of the corpus' characters: they are valid, hang together, and hold the poses of the clips.

use asset_bake::Asset;
use baked_format::{BakedCharacter, ConstraintKind, LimitSource, Source};
use bone_fit::{BakeOptions, Overrides, RagdollSettings, bake_with};
use glam::{Affine3A, DQuat, DVec3};
use ragdoll::{BodyPlace, RagdollBody, RagdollError, RagdollRig};
use rayon::prelude::*;
use runtime::Character;
use std::path::Path;

/// The farthest that a pose of the share may be outside of a limit. The file's clips differ from the source's by as much.
const MOST_DEGREES: f64 = 0.02;

/// What a hinge may turn across its axis, from the definition of a hinge in `bone-fit`.
const HINGE_ACROSS: f64 = 10.0;

/// Bakes a character with the parts of a humanoid, or with 18 joints if it is none. Limits have no slack.
fn bake(path: &Path) -> BakedCharacter {
    let model = Asset::open(path).unwrap().import().unwrap().0;
    let bake = |parts| {
        let options = BakeOptions::from_entries([("parts", parts), ("measure", "none")]).unwrap();
        let ragdoll = Some(RagdollSettings { slack: 0.0, ..RagdollSettings::default() });
        let source = Source { file: "corpus".into(), blake3: [0; 32], generator: String::new() };
        let overrides = Overrides { ragdoll, ..Overrides::default() };
        let name = path.file_stem().unwrap().to_string_lossy();
        bake_with(&model, &name, source, &options, &overrides)
            .unwrap_or_else(|error| panic!("{name}: {error}"))
            .character
    };
    Some(bake("humanoid")).filter(|character| character.humanoid.is_some()).unwrap_or_else(|| bake("18"))
}

/// The twist, and y and z of the swing vector, in degrees, by the definition: the swing is the shortest turn of axis x.
fn turn_of(body: &RagdollBody, place: &BodyPlace, parent: &BodyPlace) -> DVec3 {
    let constraint = body.constraint.as_ref().unwrap();
    let in_world =
        |place: &BodyPlace, frame: glam::Quat| place.rotation.as_dquat().normalize() * frame.as_dquat().normalize();
    let turn = in_world(parent, constraint.parent_from_frame).conjugate() * in_world(place, constraint.body_from_frame);
    let swing = DQuat::from_rotation_arc(DVec3::X, turn * DVec3::X);
    let twist = (swing.conjugate() * turn).to_scaled_axis().x;
    let twist = if twist.abs() > std::f64::consts::PI { twist - std::f64::consts::TAU.copysign(twist) } else { twist };
    swing.to_scaled_axis().with_x(twist) * DVec3::splat(180.0 / std::f64::consts::PI)
}

/// What a character says about its ragdoll.
#[derive(Clone, Copy, Default)]
struct Found {
    characters: usize,
    humanoids: usize,
    bodies: usize,
    from_clips: usize,
    loose: usize,
    poses: usize,
    /// Poses that scale the joint of a body to nothing, so that it has no place.
    without_place: usize,
    /// The largest share of a body's poses that are outside of its limits.
    outside: f64,
}

impl Found {
    fn and(self, other: Self) -> Self {
        Self {
            characters: self.characters + other.characters,
            humanoids: self.humanoids + other.humanoids,
            bodies: self.bodies + other.bodies,
            from_clips: self.from_clips + other.from_clips,
            loose: self.loose + other.loose,
            poses: self.poses + other.poses,
            without_place: self.without_place + other.without_place,
            outside: self.outside.max(other.outside),
        }
    }
}

fn check(path: &Path) -> Found {
    let baked = bake(path);
    let name = baked.name.clone();
    baked.validate().unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(baked_format::read(&baked_format::write(&baked).unwrap()).unwrap() == baked, "{name}: another file");
    let bodies = baked.ragdoll.as_ref().unwrap().bodies.clone();
    let roots = bodies.iter().filter(|body| body.constraint.is_none()).count();
    let warned = baked.warnings.iter().any(|warning| warning.code == "loose-bodies");
    assert_eq!(roots > 1, warned, "{name}: {roots} bodies without a parent; is there a warning: {warned}");
    let mut found = Found {
        characters: 1,
        humanoids: usize::from(baked.humanoid.is_some()),
        bodies: bodies.len(),
        loose: roots - 1,
        ..Found::default()
    };

    let character = Character::from_baked(baked);
    let rig = RagdollRig::new(&character).unwrap_or_else(|error| panic!("{name}: {error}"));
    let skeleton = character.skeleton();
    let (mut model_from_joint, mut places) = (vec![Affine3A::IDENTITY; skeleton.len()], Vec::new());
    let mut outside = vec![0_usize; bodies.len()];
    for clip in character.clips() {
        for frame in 0..=(clip.seconds() * 30.0) as usize {
            let mut local = skeleton.rest_pose();
            clip.sample(clip.start() + frame as f32 / 30.0, &mut local);
            skeleton.model_from_joints(&local, &mut model_from_joint);
            match rig.places(&Affine3A::IDENTITY, &model_from_joint, &mut places) {
                Ok(()) => found.poses += 1,
                Err(RagdollError::Matrix { .. }) => {
                    found.without_place += 1;
                    continue;
                }
                Err(error) => panic!("{name}: {error}"),
            }
            for (index, body) in bodies.iter().enumerate() {
                let Some(constraint) = &body.constraint else { continue };
                if constraint.limits_from != LimitSource::Clips {
                    continue;
                }
                let turn = turn_of(body, &places[index], &places[usize::from(constraint.parent)]).abs();
                let mut limits = constraint.limits.as_dvec3() * DVec3::splat(180.0 / std::f64::consts::PI);
                if constraint.kind == ConstraintKind::Hinge {
                    (limits.y, limits.z) = (HINGE_ACROSS, HINGE_ACROSS);
                }
                outside[index] += usize::from((turn - limits).max_element() > MOST_DEGREES);
            }
        }
    }
    // The bake's sample times have the keys between the frames too, so the frames alone may have a little more outside.
    let most = 2.0 * (1.0 - RagdollSettings::default().share) * found.poses as f64 + 1.0;
    for (body, &count) in bodies.iter().zip(&outside) {
        let joint = character.joint_name(body.joint);
        assert!(count as f64 <= most, "{name}: {count} of {} poses are outside the limits of {joint}", found.poses);
        found.outside = found.outside.max(count as f64 / found.poses.max(1) as f64);
    }
    let is_from_clips =
        |body: &&RagdollBody| body.constraint.as_ref().is_some_and(|one| one.limits_from == LimitSource::Clips);
    found.from_clips = bodies.iter().filter(is_from_clips).count();
    found
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn ragdolls_of_real_characters_hold_the_poses_of_their_clips() {
    let found = corpus::characters().par_iter().map(|path| check(path)).reduce(Found::default, Found::and);
    let Found { characters, humanoids, bodies, from_clips, loose, poses, without_place, outside } = found;
    println!(
        "{characters} characters ({humanoids} humanoids), {bodies} bodies, {from_clips} with limits from clips, {loose} loose; {poses} \
         poses, {without_place} without places; at most {:.2} % of a body's poses are outside its limits",
        100.0 * outside
    );
    assert!(characters > 50 && humanoids > 5 && from_clips > 400 && poses > 10_000, "the corpus has shrunk");
}
