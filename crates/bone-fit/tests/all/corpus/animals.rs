//! The parts of real animals.

use super::named;
use skeleton::{JointIndex, Quadruped, QuadrupedError, QuadrupedPart as P};
use skinned_model::SkinnedModel;
use std::collections::BTreeMap;

fn parts(model: &SkinnedModel) -> BTreeMap<&str, Option<P>> {
    let animal = Quadruped::guess(&model.skeleton).unwrap();
    let joints = model.skeleton.joints().iter().enumerate();
    joints.map(|(index, joint)| (joint.name.as_str(), animal.part(JointIndex(index as u16)))).collect()
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn a_horse_and_a_fox_have_the_parts_that_their_names_say() {
    let (horse, fox) = (named("animals_pack__Horse"), named("Fox"));
    for (name, part) in parts(&horse) {
        let leg = |left, right| Some(if name.ends_with(".L") { left } else { right });
        let expected = match name {
            _ if name.starts_with("Head") || name.starts_with("Ear") => Some(P::Head),
            _ if name.starts_with("Neck") => Some(P::Neck),
            _ if name.starts_with("Torso") || name == "Back" => Some(P::Torso),
            _ if name.starts_with("Tail") => Some(P::Tail),
            _ if name.starts_with("FFB") || name.starts_with("IKBack") => leg(P::HindLeftLeg, P::HindRightLeg),
            _ if name.starts_with("FF") || name.starts_with("IKFront") => leg(P::FrontLeftLeg, P::FrontRightLeg),
            _ if name.starts_with("Front") => leg(P::FrontLeftLeg, P::FrontRightLeg),
            _ if name.starts_with("Back") => leg(P::HindLeftLeg, P::HindRightLeg),
            _ => None,
        };
        assert_eq!(part, expected, "{name}");
    }
    for (name, part) in parts(&fox) {
        let leg = |left, right| Some(if name.contains("Left") { left } else { right });
        let expected = match name {
            _ if name.contains("Head") => Some(P::Head),
            _ if name.contains("Neck") => Some(P::Neck),
            _ if name.contains("Spine") || name.contains("Hip") => Some(P::Torso),
            _ if name.contains("Tail") => Some(P::Tail),
            _ if name.contains("Arm") || name.contains("Hand") => leg(P::FrontLeftLeg, P::FrontRightLeg),
            _ if name.contains("Leg") || name.contains("Foot") => leg(P::HindLeftLeg, P::HindRightLeg),
            _ => None,
        };
        assert_eq!(part, expected, "{name}");
    }
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn no_other_real_character_is_a_quadruped() {
    let found = super::files().into_iter().filter(|(_, path)| Quadruped::guess(&super::load(path).skeleton).is_ok());
    let names: Vec<String> = found.map(|(name, _)| name).collect();
    let is_animal = |name: &&String| name.starts_with("Fox") || *name == "animals_pack__Horse";
    assert_eq!(names.iter().filter(|name| !is_animal(name)).count(), 0, "{names:?}");
    assert!(names.len() > 10, "the variants of the fox stand on four legs too: {names:?}");
    let spider = Quadruped::guess(&named("easy_enemies_pack__Spider").skeleton).unwrap_err();
    assert!(matches!(spider, QuadrupedError::OtherLimb { .. } | QuadrupedError::Legs { .. }), "{spider}");
}
