//! The parts of a human figure: sets of bones that stand for the joints below them.

use super::{HumanBone, Humanoid, JointWords};
use crate::{JointIndex, Skeleton};
use HumanBone as B;
use glam::Affine3A;

/// A set of parts of a human figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartSet {
    /// Head, neck, upper chest, chest, belly, hips, and for each side upper arm, forearm, hand, thigh, shin and foot: 18
    /// parts, or fewer for a figure without some of these bones.
    Standard,
    /// Head, torso, and for each side arm and leg: 6 parts. The neck belongs to the torso.
    Coarse,
    /// The standard parts, and each bone of each finger: 48 parts.
    Fingers,
}

impl PartSet {
    /// The number of parts of a figure that has every bone.
    #[must_use]
    pub fn most_parts(self) -> usize {
        HumanBone::ALL.into_iter().filter(|&bone| self.part_of(bone) == Some(bone)).count()
    }

    /// Returns the bone whose joint stands for the part that a bone belongs to; `None` if the bone belongs to the part of
    /// the joint above.
    #[must_use]
    pub fn part_of(self, bone: HumanBone) -> Option<HumanBone> {
        let coarse = self == Self::Coarse;
        match bone {
            B::Head => Some(bone),
            // The spine is in the middle of the torso.
            B::Hips | B::Spine | B::Chest | B::UpperChest | B::Neck => Some(if coarse { B::Spine } else { bone }),
            B::LeftUpperArm | B::RightUpperArm | B::LeftUpperLeg | B::RightUpperLeg => Some(bone),
            B::LeftLowerArm | B::LeftHand if coarse => Some(B::LeftUpperArm),
            B::RightLowerArm | B::RightHand if coarse => Some(B::RightUpperArm),
            B::LeftLowerLeg | B::LeftFoot if coarse => Some(B::LeftUpperLeg),
            B::RightLowerLeg | B::RightFoot if coarse => Some(B::RightUpperLeg),
            B::LeftLowerArm | B::LeftHand | B::LeftLowerLeg | B::LeftFoot => Some(bone),
            B::RightLowerArm | B::RightHand | B::RightLowerLeg | B::RightFoot => Some(bone),
            B::LeftToes => self.part_of(B::LeftFoot),
            B::RightToes => self.part_of(B::RightFoot),
            // The thumbs of some rigs hang below the lower arm, beside the hand.
            _ if bone >= B::LeftThumbMetacarpal && self != Self::Fingers => {
                self.part_of(if bone <= B::LeftLittleDistal { B::LeftHand } else { B::RightHand })
            }
            _ if bone >= B::LeftThumbMetacarpal => Some(bone),
            _ => None,
        }
    }
}

impl Humanoid {
    /// Returns for each joint the joint that stands for its part: that of the nearest part above, or of the hips if there
    /// is none.
    ///
    /// A joint is part of a bone, too, if it is the bone's twin for another purpose: it has the bone's name after a prefix
    /// of Rigify (`ORG-`, `MCH-`, `DEF-`), or lies at the bone's place and its name means the same part of the body.
    #[must_use]
    pub fn part_joints(&self, skeleton: &Skeleton, set: PartSet) -> Vec<JointIndex> {
        let standing = |bone: HumanBone| self.joint(set.part_of(bone)?);
        let twins = Twins::new(skeleton, self);
        let mut parts: Vec<Option<JointIndex>> = Vec::with_capacity(skeleton.len());
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let own = JointIndex(index as u16);
            let bone = self.bone(own).or_else(|| twins.bone_of(own));
            let above = joint.parent.and_then(|parent| parts[parent.index()]);
            parts.push(bone.and_then(standing).or(above));
        }
        let rest = standing(B::Hips).or_else(|| standing(B::Spine));
        let own = (0..skeleton.len()).map(|joint| JointIndex(joint as u16));
        parts.into_iter().zip(own).map(|(part, own)| part.or(rest).unwrap_or(own)).collect()
    }

    /// Returns the bone whose part of the set [`PartSet::Fingers`] each joint belongs to.
    #[must_use]
    pub fn bones_of_joints(&self, skeleton: &Skeleton) -> Vec<Option<HumanBone>> {
        self.part_joints(skeleton, PartSet::Fingers).into_iter().map(|joint| self.bone(joint)).collect()
    }
}

/// Finds joints that stand beside bones.
struct Twins<'a> {
    skeleton: &'a Skeleton,
    words: Vec<JointWords>,
    bones: Vec<(HumanBone, JointIndex)>,
    model: Vec<Affine3A>,
    /// The largest distance between twins.
    near: f32,
}

impl<'a> Twins<'a> {
    fn new(skeleton: &'a Skeleton, humanoid: &Humanoid) -> Self {
        let model = skeleton.rest_matrices();
        let bones: Vec<(HumanBone, JointIndex)> = humanoid.iter().collect();
        let place = |bone| humanoid.joint(bone).map(|joint| model[joint.index()].translation);
        let height = place(B::Head).zip(place(B::LeftFoot)).map_or(0.0, |(head, foot)| head.distance(foot));
        Self { skeleton, words: JointWords::read_all(skeleton), bones, model, near: 0.01 * height }
    }

    fn bone_of(&self, joint: JointIndex) -> Option<HumanBone> {
        let name = |joint: JointIndex| {
            let name = self.skeleton.joint(joint).name.as_str();
            let prefixes = ["ORG-", "MCH-", "DEF-"];
            prefixes.iter().find_map(|prefix| name.strip_prefix(prefix)).map_or((name, false), |name| (name, true))
        };
        let (own_name, has_prefix) = name(joint);
        let own = &self.words[joint.index()];
        let is_twin = |&&(_, other): &&(HumanBone, JointIndex)| {
            let (other_name, other_has) = name(other);
            let its = &self.words[other.index()];
            let distance = self.model[joint.index()].translation.distance(self.model[other.index()].translation);
            (has_prefix || other_has) && own_name == other_name
                || own.about.is_some() && own.about == its.about && own.side == its.side && distance < self.near
        };
        self.bones.iter().find(is_twin).map(|(bone, _)| *bone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::humanoid::test_skeletons::{kaykit, placed};
    use glam::Vec3;

    fn names(skeleton: &Skeleton, set: PartSet) -> Vec<String> {
        let humanoid = Humanoid::guess(skeleton).unwrap();
        let mut parts: Vec<&str> =
            humanoid.part_joints(skeleton, set).into_iter().map(|joint| skeleton.joint(joint).name.as_str()).collect();
        parts.sort_unstable();
        parts.dedup();
        parts.into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn the_sets_have_18_6_and_48_parts() {
        let counts = [PartSet::Standard, PartSet::Coarse, PartSet::Fingers].map(PartSet::most_parts);
        assert_eq!(counts, [18, 6, 48]);
        for set in [PartSet::Standard, PartSet::Coarse, PartSet::Fingers] {
            for bone in HumanBone::ALL {
                assert!(set.part_of(bone).is_none_or(|part| set.part_of(part) == Some(part)), "{bone}");
            }
        }
    }

    #[test]
    fn joints_belong_to_the_nearest_part_above() {
        let skeleton = kaykit();
        // This figure has neither neck nor upper chest.
        assert_eq!(names(&skeleton, PartSet::Standard).len(), 16);
        assert_eq!(names(&skeleton, PartSet::Coarse).len(), 6);
        let parts = Humanoid::guess(&skeleton).unwrap().part_joints(&skeleton, PartSet::Standard);
        let part = |name: &str| skeleton.joint(parts[skeleton.find(name).unwrap().index()]).name.as_str();
        assert_eq!(
            [part("toes.l"), part("wrist.r"), part("handslot.l"), part("root")],
            ["foot.l", "lowerarm.r", "hand.l", "hips"]
        );
    }

    #[test]
    fn thumbs_beside_the_hand_belong_to_it() {
        let mut joints: Vec<(String, Option<u16>, Vec3)> = Vec::new();
        for joint in kaykit().joints() {
            let translation = Vec3::from(joint.rest.to_affine().translation);
            joints.push((
                joint.name.replace("hand.", "gear.").replace("wrist.", "Palm."),
                joint.parent.map(|parent| parent.0),
                translation,
            ));
        }
        for side in ["l", "r"] {
            let place = |name: &str| joints.iter().position(|(own, ..)| *own == format!("{name}.{side}")).unwrap();
            let (arm, wrist) = (place("lowerarm") as u16, joints[place("Palm")].2);
            joints.push((format!("Thumb.{side}"), Some(arm), 1.05 * wrist));
            joints.push((format!("Thumb2.{side}"), Some(joints.len() as u16 - 1), 0.1 * wrist));
        }
        let joints: Vec<_> = joints.iter().map(|(name, parent, at)| (name.as_str(), *parent, *at)).collect();
        let skeleton = placed(&joints);
        let humanoid = Humanoid::guess(&skeleton).unwrap();
        for (set, expected) in [(PartSet::Standard, "Palm"), (PartSet::Coarse, "upperarm"), (PartSet::Fingers, "Thumb")]
        {
            let parts = humanoid.part_joints(&skeleton, set);
            for side in ["l", "r"] {
                let thumb = skeleton.find(&format!("Thumb.{side}")).unwrap();
                assert_eq!(skeleton.joint(parts[thumb.index()]).name, format!("{expected}.{side}"), "{set:?}");
            }
        }
    }

    #[test]
    fn joints_below_control_joints_belong_to_the_part_of_the_twin() {
        let mut joints: Vec<(String, Option<u16>, Vec3)> = Vec::new();
        for joint in kaykit().joints() {
            let translation = Vec3::from(joint.rest.to_affine().translation);
            joints.push((format!("ORG-{}", joint.name), joint.parent.map(|parent| parent.0), translation));
        }
        let controls = joints.len() as u16;
        for control in 1..controls {
            let name = joints[usize::from(control)].0.replace("ORG-", "DEF-");
            joints.push((name, Some(control), Vec3::ZERO));
        }
        let hand = joints.iter().position(|(name, ..)| name == "ORG-hand.l").unwrap() as u16;
        joints.push(("DEF-palm_gem".to_owned(), Some(hand), Vec3::X));
        let joints: Vec<(&str, Option<u16>, Vec3)> = joints.iter().map(|(n, p, at)| (n.as_str(), *p, *at)).collect();
        let skeleton = placed(&joints);
        let parts = Humanoid::guess(&skeleton).unwrap().part_joints(&skeleton, PartSet::Standard);
        let part = |name: &str| skeleton.joint(parts[skeleton.find(name).unwrap().index()]).name.as_str();
        assert_eq!(part("DEF-palm_gem"), "DEF-hand.l");
        assert_eq!(part("DEF-toes.r"), "DEF-foot.r");
        assert_eq!(part("DEF-lowerleg.r"), "DEF-lowerleg.r");
    }
}
