//! Compares boxes with the truth: the joints of two posed characters that touch, found by tests of triangles.
//!
//! Two copies of a character meet as the corpus' golden files say (`pairs` in `oracle/NAME.json`): in six pairs of
//! poses from its clips, at six distances and four angles. The surface is divided exactly ([`SharedSurface`]) and
//! skinned exactly. The test is about surfaces only: a body inside another body does not touch it.

use crate::shared_surface::SharedSurface;
use baked_format::BakedCharacter;
use glam::{Affine3A, DAffine3, DMat3, DVec3};
use rayon::prelude::*;
use runtime::{Character, PosedCharacter};
use serde_json::Value;
use skeleton::JointIndex;
use skinned_model::SkinnedModel;
use std::collections::BTreeSet;

/// Two copies of a character: their poses, and the place of the second.
#[derive(Clone, Debug)]
pub struct Meeting {
    /// `model_from_joint` of both copies.
    pub poses: [Vec<Affine3A>; 2],
    /// `world_from_model` of the second copy; the first copy stands at the origin.
    pub place: DAffine3,
}

/// The meetings in a golden file.
///
/// # Panics
/// If the file does not follow its own `rules`.
#[must_use]
pub fn meetings(model: &SkinnedModel, oracle: &Value) -> Vec<Meeting> {
    let pose = |at: &Value| {
        let mut local = model.skeleton.rest_pose();
        if let Some(clip) = at[0].as_u64() {
            model.clips[clip as usize].sample(at[1].as_f64().expect("a time") as f32, &mut local);
        }
        let mut matrices = vec![Affine3A::IDENTITY; model.skeleton.len()];
        model.skeleton.model_from_joints(&local, &mut matrices);
        matrices
    };
    let meeting = |test: &Value| {
        let turn = DMat3::from_rotation_y(test["yaw"].as_f64().expect("yaw").to_radians());
        let shift = DVec3::new(test["dx"].as_f64().expect("dx"), 0.0, 0.0);
        Meeting { poses: [pose(&test["a"]), pose(&test["b"])], place: DAffine3::from_mat3_translation(turn, shift) }
    };
    oracle["pairs"].as_array().map(|tests| tests.iter().map(meeting).collect()).unwrap_or_default()
}

/// Meetings of the same kinds for a character without a golden file: six pairs of poses from its clips, six distances along x
/// as shares of its height, and four turns about y.
///
/// # Panics
/// If the model has no clip or no vertex.
#[must_use]
pub fn meetings_in_clips(model: &SkinnedModel) -> Vec<Meeting> {
    let pose = |clip: usize, share: f32| {
        let clip = &model.clips[clip % model.clips.len()];
        let mut local = model.skeleton.rest_pose();
        clip.sample(clip.start() + share * clip.seconds(), &mut local);
        let mut matrices = vec![Affine3A::IDENTITY; model.skeleton.len()];
        model.skeleton.model_from_joints(&local, &mut matrices);
        matrices
    };
    let mut height = (f64::INFINITY, f64::NEG_INFINITY);
    for position in model.meshes.iter().flat_map(|mesh| &mesh.positions) {
        height = (height.0.min(position.y.into()), height.1.max(position.y.into()));
    }
    let height = height.1 - height.0;
    assert!(height > 0.0, "the model has no vertex");
    let mut all = Vec::new();
    for pair in 0..6 {
        let poses =
            if pair % 2 == 0 { [pose(pair, 0.3), pose(pair, 0.3)] } else { [pose(pair, 0.3), pose(pair + 2, 0.6)] };
        for share in [0.08, 0.2, 0.35, 0.5, 0.7, 1.0] {
            for degrees in [0.0_f64, 37.0, 90.0, 180.0] {
                let turn = DMat3::from_rotation_y(degrees.to_radians());
                let place = DAffine3::from_mat3_translation(turn, DVec3::X * (share * height));
                all.push(Meeting { poses: poses.clone(), place });
            }
        }
    }
    all
}

/// Pairs of touching joints, one of the first copy and one of the second.
pub type Pairs = BTreeSet<(JointIndex, JointIndex)>;

/// The true touches in each meeting, with the surface divided with this tolerance for ties.
#[must_use]
pub fn truth(model: &SkinnedModel, tie_tolerance: f64, meetings: &[Meeting]) -> Vec<Pairs> {
    let surface = SharedSurface::new(model, tie_tolerance);
    let touching = |meeting: &Meeting| {
        let a = surface.posed(&DAffine3::IDENTITY, &meeting.poses[0]);
        let b = surface.posed(&meeting.place, &meeting.poses[1]);
        let all = a.iter().flat_map(|one| b.iter().map(move |other| (one, other)));
        all.filter(|((_, a), (_, b))| a.touches(b)).map(|((a, _), (b, _))| (*a, *b)).collect()
    };
    meetings.par_iter().map(touching).collect()
}

/// The touches of the boxes in each meeting.
///
/// # Panics
/// If the run time refuses the character, which was just baked.
#[must_use]
pub fn by_boxes(baked: &BakedCharacter, meetings: &[Meeting]) -> Vec<Pairs> {
    let character = Character::from_baked(baked.clone());
    let (mut a, mut b, mut found) = (PosedCharacter::new(), PosedCharacter::new(), Vec::new());
    let mut touching = |meeting: &Meeting| {
        let DAffine3 { matrix3, translation } = meeting.place;
        let place = Affine3A::from_mat3_translation(matrix3.as_mat3(), translation.as_vec3());
        a.pose_from_model(&character, &Affine3A::IDENTITY, &meeting.poses[0]).expect("a pose");
        b.pose_from_model(&character, &place, &meeting.poses[1]).expect("a pose");
        runtime::overlapping_joints(&a, &b, &mut found);
        found.iter().map(|pair| (pair.joint_a, pair.joint_b)).collect()
    };
    meetings.iter().map(&mut touching).collect()
}

/// The numbers of right and wrong answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The boxes touch, and so do the surfaces.
    pub right: usize,
    /// The boxes touch, but the surfaces do not.
    pub wrong: usize,
    /// The surfaces touch, but the boxes do not.
    pub missed: usize,
}

impl Count {
    fn of<T: Ord>(said: &BTreeSet<T>, truth: &BTreeSet<T>) -> Self {
        let right = said.intersection(truth).count();
        Self { right, wrong: said.len() - right, missed: truth.len() - right }
    }

    fn plus(self, other: Self) -> Self {
        Self { right: self.right + other.right, wrong: self.wrong + other.wrong, missed: self.missed + other.missed }
    }

    /// The share of the reported touches that are true; 1 if none were reported.
    #[must_use]
    pub fn precision(&self) -> f64 {
        share(self.right, self.wrong)
    }

    /// The share of the true touches that were reported; 1 if there are none.
    #[must_use]
    pub fn recall(&self) -> f64 {
        share(self.right, self.missed)
    }
}

fn share(right: usize, not: usize) -> f64 {
    if right + not == 0 { 1.0 } else { right as f64 / (right + not) as f64 }
}

/// The comparison of boxes with the truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// The pairs of joints, over all meetings.
    pub joints: Count,
    /// The answers about whether the characters touch at all.
    pub characters: Count,
}

/// Compares the reported touches with the true touches, meeting by meeting.
#[must_use]
pub fn score(said: &[Pairs], truth: &[Pairs]) -> Score {
    said.iter().zip(truth).fold(Score::default(), |score, (said, truth)| {
        let any = |pairs: &Pairs| -> BTreeSet<()> { if pairs.is_empty() { BTreeSet::new() } else { [()].into() } };
        Score {
            joints: score.joints.plus(Count::of(said, truth)),
            characters: score.characters.plus(Count::of(&any(said), &any(truth))),
        }
    })
}
