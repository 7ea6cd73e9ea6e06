//! Joint matrices of a game in the order of a character's joints.

use baked_characters::baked_figure;
use glam::{Affine3A, Vec3};
use runtime::{Character, ClipIndex, ClipSampler, JointMap, PoseError, PosedCharacter};
use skeleton::JointIndex;

fn pose_of_a_clip(character: &Character) -> Vec<Affine3A> {
    ClipSampler::new().sample(character, ClipIndex(1), 0.3).unwrap().to_vec()
}

#[test]
fn a_game_with_all_joints_in_another_order_gets_its_own_matrices_back() {
    let figure = Character::from_baked(baked_figure("figure"));
    let pose = pose_of_a_clip(&figure);
    let order: Vec<usize> = (0..pose.len()).rev().collect();
    let names = order.iter().map(|&joint| figure.joint_name(JointIndex(joint as u16)));
    let joints = JointMap::new(&figure, names).unwrap();
    let matrices: Vec<Affine3A> = order.iter().map(|&joint| pose[joint]).collect();
    let mut filled = vec![Affine3A::NAN; 3];
    joints.fill(&figure, &matrices, &mut filled).unwrap();
    assert_eq!(filled, pose);
    assert_eq!(joints.missing(), []);
    assert_eq!(joints.source(JointIndex(0)), Some(pose.len() - 1));
    assert_eq!(joints.source(JointIndex(pose.len() as u16)), None);
}

#[test]
fn a_game_without_joints_gets_the_rest_pose_and_is_told_what_is_missing() {
    let figure = Character::from_baked(baked_figure("figure"));
    let joints = JointMap::new(&figure, [""; 0]).unwrap();
    let mut filled = Vec::new();
    joints.fill(&figure, &[], &mut filled).unwrap();
    assert_eq!(filled, figure.rest_matrices());
    let mut owners: Vec<JointIndex> = figure.hitboxes().map(|hitbox| hitbox.joint).collect();
    owners.dedup();
    assert_eq!(joints.missing(), owners);
}

#[test]
fn a_missing_joint_follows_its_nearest_ancestor_that_the_game_has() {
    let figure = Character::from_baked(baked_figure("figure"));
    let skeleton = figure.skeleton();
    let pose = pose_of_a_clip(&figure);
    // A leaf whose parent and grandparent are joints too; the game lacks the leaf and its parent.
    let grandparent = |joint: JointIndex| Some((skeleton.joint(joint).parent?, joint));
    let leaf = (0..skeleton.len()).rev().map(|joint| JointIndex(joint as u16));
    let (parent, leaf) =
        leaf.filter_map(grandparent).find(|(parent, _)| skeleton.joint(*parent).parent.is_some()).unwrap();
    let top = skeleton.joint(parent).parent.unwrap();
    let kept: Vec<usize> = (0..pose.len()).filter(|&joint| joint != leaf.index() && joint != parent.index()).collect();
    let joints = JointMap::new(&figure, kept.iter().map(|&joint| figure.joint_name(JointIndex(joint as u16)))).unwrap();
    let matrices: Vec<Affine3A> = kept.iter().map(|&joint| pose[joint]).collect();
    let mut filled = Vec::new();
    joints.fill(&figure, &matrices, &mut filled).unwrap();
    let rest = figure.rest_matrices();
    let expected = pose[top.index()] * rest[top.index()].inverse() * rest[leaf.index()];
    let point = Vec3::new(0.1, 0.2, 0.3);
    assert!(filled[leaf.index()].transform_point3(point).distance(expected.transform_point3(point)) < 1e-5);
}

#[test]
fn two_joints_of_one_name_are_refused_only_if_the_character_has_this_name() {
    let figure = Character::from_baked(baked_figure("figure"));
    let name = figure.joint_name(JointIndex(1));
    let error = JointMap::new(&figure, ["socket", name, "socket", name]).unwrap_err();
    assert_eq!((error.first, error.second, &*error.name), (1, 3, name));
    assert!(error.to_string().contains("at the indices 1 and 3"), "{error}");
    JointMap::new(&figure, ["socket", name, "socket"]).unwrap();
}

#[test]
fn a_map_of_another_character_is_refused_even_if_all_joints_have_equal_names() {
    let [figure, twin] = ["figure", "twin"].map(|name| Character::from_baked(baked_figure(name)));
    let names = || figure.skeleton().joints().iter().map(|joint| &joint.name);
    let joints = JointMap::new(&figure, names()).unwrap();
    let mut filled = Vec::new();
    let error = joints.fill(&twin, twin.rest_matrices(), &mut filled).unwrap_err();
    assert!(matches!(error, PoseError::OtherJointMap { .. }), "{error}");
    assert!(filled.is_empty());
    let loaded_again = Character::from_baked(baked_figure("figure"));
    joints.fill(&loaded_again, figure.rest_matrices(), &mut filled).unwrap();
}

#[test]
fn a_wrong_number_of_matrices_is_an_error_and_leaves_nothing_that_could_be_posed() {
    let figure = Character::from_baked(baked_figure("figure"));
    let joints = JointMap::new(&figure, figure.skeleton().joints().iter().map(|joint| &joint.name)).unwrap();
    let mut filled = figure.rest_matrices().to_vec();
    let error = joints.fill(&figure, &[Affine3A::IDENTITY], &mut filled).unwrap_err();
    assert!(matches!(error, PoseError::SourceCount { found: 1, .. }), "{error}");
    assert!(filled.is_empty());
    assert!(PosedCharacter::new().pose_from_model(&figure, &Affine3A::IDENTITY, &filled).is_err());
}
