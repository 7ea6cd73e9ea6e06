//! Bakes characters with their skin, and finds the joints that touch by testing every pair of triangles.

use crate::truth::{Meeting, Pairs};
use baked_format::{BakedCharacter, Source};
use bone_fit::{BakeOptions, bake};
use geometry_core::triangle::overlap_exactly;
use glam::{Affine3A, DAffine3, Vec3};
use runtime::{Character, PosedCharacter, SkinCandidates, SkinTriangle, exact_overlap_all};
use skeleton::JointIndex;
use skinned_model::SkinnedModel;
use std::collections::BTreeMap;

/// Bakes a character with its skin, without measuring coverage.
///
/// # Panics
/// If a character of the corpus cannot be baked.
#[must_use]
pub fn with_skin(model: &SkinnedModel, name: &str, words: &[(&str, &str)]) -> Character {
    let source = Source { file: String::new(), blake3: [0; 32], generator: String::new() };
    let fixed = [("skin", "lossless"), ("attachments", "skip"), ("measure", "none")];
    let options = BakeOptions::from_entries(words.iter().copied().chain(fixed)).expect("options");
    Character::from_baked(bake(model, name, source, &options).expect("a bake").character)
}

/// The second character's `world_from_model`.
#[must_use]
pub fn place(meeting: &Meeting) -> Affine3A {
    let DAffine3 { matrix3, translation } = meeting.place;
    Affine3A::from_mat3_translation(matrix3.as_mat3(), translation.as_vec3())
}

/// Poses both characters of a meeting, whose skins must be tracked.
///
/// # Panics
/// If a pose is refused.
pub fn pose(character: &Character, meeting: &Meeting, a: &mut PosedCharacter, b: &mut PosedCharacter) {
    a.pose_from_model(character, &Affine3A::IDENTITY, &meeting.poses[0]).expect("a pose");
    b.pose_from_model(character, &place(meeting), &meeting.poses[1]).expect("a pose");
}

/// Returns the pairs of joints whose skins touch in each meeting, among the pairs that `candidates` chooses.
///
/// # Panics
/// Panics if the character was baked without its skin.
#[must_use]
pub fn by_skin(baked: &BakedCharacter, meetings: &[Meeting], candidates: SkinCandidates) -> Vec<Pairs> {
    let character = Character::from_baked(baked.clone());
    let (mut a, mut b, mut found) = (PosedCharacter::new(), PosedCharacter::new(), Vec::new());
    a.track_skin(true);
    b.track_skin(true);
    let mut touching = |meeting: &Meeting| {
        pose(&character, meeting, &mut a, &mut b);
        exact_overlap_all(&mut a, &mut b, candidates, &mut found).expect("a skin");
        found.iter().map(|one| (one.joint_a, one.joint_b)).collect()
    };
    meetings.iter().map(&mut touching).collect()
}

/// Returns all pairs of joints that touch, by testing all pairs of triangles. Triangles whose bounds share no point are
/// apart; exact predicates decide all other pairs.
///
/// # Panics
/// If the skins are not tracked.
#[must_use]
pub fn by_all_triangles(a: &mut PosedCharacter, b: &mut PosedCharacter) -> Pairs {
    let (a, b) = (by_joint(a), by_joint(b));
    let all = a.iter().flat_map(|one| b.iter().map(move |other| (one, other)));
    all.filter(|((_, a), (_, b))| touch(a, b)).map(|((a, _), (b, _))| (*a, *b)).collect()
}

/// A triangle with its bounds.
struct Bounded {
    low: Vec3,
    high: Vec3,
    corners: [Vec3; 3],
}

fn by_joint(posed: &mut PosedCharacter) -> BTreeMap<JointIndex, Vec<Bounded>> {
    let mut triangles = Vec::new();
    posed.skin_triangles(&mut triangles).expect("a skin");
    let mut joints: BTreeMap<JointIndex, Vec<Bounded>> = BTreeMap::new();
    for SkinTriangle { joint, corners, .. } in triangles {
        let [p, q, r] = corners;
        joints.entry(joint).or_default().push(Bounded { low: p.min(q).min(r), high: p.max(q).max(r), corners });
    }
    joints
}

fn touch(a: &[Bounded], b: &[Bounded]) -> bool {
    let reach = |all: &[Bounded]| {
        let around = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        all.iter().fold(around, |around, one| (around.0.min(one.low), around.1.max(one.high)))
    };
    let near = |one: &Bounded, (low, high): (Vec3, Vec3)| one.low.cmple(high).all() && low.cmple(one.high).all();
    let (around_a, around_b) = (reach(a), reach(b));
    let a: Vec<&Bounded> = a.iter().filter(|one| near(one, around_b)).collect();
    let b: Vec<&Bounded> = b.iter().filter(|one| near(one, around_a)).collect();
    a.iter().any(|one| {
        b.iter().any(|other| near(one, (other.low, other.high)) && overlap_exactly(&one.corners, &other.corners))
    })
}
