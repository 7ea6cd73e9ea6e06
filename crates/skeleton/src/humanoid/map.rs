//! The map from standard bones to joints, with its checks and errors.

use super::HumanBone;
use super::guess::{self, BoneGuess, Certainty};
use super::joint_words::JointWords;
use crate::{JointIndex, Skeleton};

/// The source of a [`Humanoid`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HumanoidSource {
    /// The VRM extension of the asset. Its rest pose is a T-pose, as the VRM standard requires.
    Vrm,
    /// The joints' names and their hierarchy.
    Guessed,
    /// A list of bones and joints that a user wrote, such as section `[humanoid]` of `bonebox.toml`.
    Settings,
}

/// A map from VRM's standard bones to the joints of a skeleton.
///
/// Every bone that VRM 1.0 requires has a joint, and no joint has two bones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Humanoid {
    joints: [Option<JointIndex>; HumanBone::COUNT],
    source: HumanoidSource,
}

/// The reason why a skeleton has no humanoid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HumanoidError {
    /// A required bone has no joint.
    #[error("no joint was found for the bone {bone}, which every humanoid needs; {nearest}; name the joint explicitly")]
    Missing {
        /// The bone without a joint.
        bone: HumanBone,
        /// The joints with the most similar names, or a statement that there are none.
        nearest: String,
    },
    /// Joints have names that fit a required bone, but the hierarchy or the rest pose contradicts them.
    #[error("the joint of the bone {bone} cannot be told: {why}; {nearest}; name the joint explicitly")]
    Refused {
        /// The bone without a joint.
        bone: HumanBone,
        /// What contradicts the names.
        why: String,
        /// The joints with the most similar names, or a statement that there are none.
        nearest: String,
    },
    /// A list names a bone that does not exist.
    #[error("{name:?} is not a bone of VRM 1.0's humanoid; use names such as \"hips\" and \"leftUpperArm\"")]
    UnknownBone {
        /// The unknown name.
        name: String,
    },
    /// A list names a joint that does not exist.
    #[error("the bone {bone} names the joint {name:?}, which the skeleton does not have; {nearest}")]
    UnknownJoint {
        /// The bone in the list.
        bone: HumanBone,
        /// The name of the joint that does not exist.
        name: String,
        /// The joints with the most similar names, or a statement that there are none.
        nearest: String,
    },
    /// Two bones name the same joint, or one bone is named twice.
    #[error("the joint {joint:?} is given to the bones {first} and {second}; give each bone a joint of its own")]
    SharedJoint {
        /// The name of the joint.
        joint: String,
        /// The first bone that the joint is given to.
        first: HumanBone,
        /// The second bone that the joint is given to.
        second: HumanBone,
    },
}

impl Humanoid {
    /// Makes the map from the VRM extension of an asset, given as pairs of a VRM 1.0 bone name and a joint. An importer
    /// converts both versions of VRM to this form.
    ///
    /// Unknown bone names are ignored, because VRM allows extensions.
    ///
    /// # Errors
    /// Returns a [`HumanoidError`] if a required bone has no joint, two bones have the same joint, or a joint does not
    /// exist.
    pub fn from_vrm<'a>(
        skeleton: &Skeleton,
        bones: impl IntoIterator<Item = (&'a str, JointIndex)>,
    ) -> Result<Self, HumanoidError> {
        let mut humanoid = Self { joints: [None; HumanBone::COUNT], source: HumanoidSource::Vrm };
        for (name, joint) in bones {
            if let Some(bone) = HumanBone::from_name(name) {
                humanoid.set(skeleton, bone, joint)?;
            }
        }
        humanoid.complete(skeleton)
    }

    /// Makes the map from bones and their joints, as a baked file lists them.
    ///
    /// # Errors
    /// Returns the errors of [`Humanoid::from_vrm`].
    pub fn new(
        skeleton: &Skeleton,
        source: HumanoidSource,
        bones: impl IntoIterator<Item = (HumanBone, JointIndex)>,
    ) -> Result<Self, HumanoidError> {
        let mut humanoid = Self { joints: [None; HumanBone::COUNT], source };
        for (bone, joint) in bones {
            humanoid.set(skeleton, bone, joint)?;
        }
        humanoid.complete(skeleton)
    }

    /// Guesses the map from the names, the hierarchy and the rest pose of the joints. The guess recognizes the rigs of
    /// Mixamo, Unreal, 3ds Max, Valve, Rigify, VRoid, MMD, KayKit, Quaternius, CMU, DAZ, SMPL and MakeHuman, and other rigs
    /// that use the same words. [`Humanoid::explain_guess`] gives the reasons.
    ///
    /// # Errors
    /// Returns a [`HumanoidError`] if no joint's name fits a required bone, or if the hierarchy or the rest pose
    /// contradicts the names: if a hand does not hang below its own lower arm, or if left joints lie on the right side.
    ///
    /// ```
    /// use skeleton::{Joint, JointIndex, Skeleton};
    /// use skeleton::humanoid::{HumanBone, Humanoid};
    ///
    /// let names = ["hips", "spine", "chest", "head", "upperarm.l", "lowerarm.l", "hand.l", "upperarm.r", "lowerarm.r",
    ///     "hand.r", "upperleg.l", "lowerleg.l", "foot.l", "upperleg.r", "lowerleg.r", "foot.r"];
    /// let parents = [0, 0, 1, 2, 2, 4, 5, 2, 7, 8, 0, 10, 11, 0, 13, 14];
    /// # fn joint(name: &str, parent: Option<JointIndex>) -> Joint {
    /// #     let rest = skeleton::LocalTransform::Trs(skeleton::Trs::IDENTITY);
    /// #     Joint { name: name.into(), node: skeleton::NodeIndex(0), parent, rest, skinned: true }
    /// # }
    /// let joints = std::iter::zip(names, parents).enumerate();
    /// let joints = joints.map(|(index, (name, parent))| joint(name, (index > 0).then_some(JointIndex(parent))));
    /// let skeleton = Skeleton::new(joints.collect())?;
    /// let humanoid = Humanoid::guess(&skeleton)?;
    /// assert_eq!(humanoid.joint(HumanBone::LeftUpperArm), skeleton.find("upperarm.l"));
    /// assert_eq!(humanoid.joint(HumanBone::Neck), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn guess(skeleton: &Skeleton) -> Result<Self, HumanoidError> {
        let bones = guess::bones(skeleton);
        let mut joints = [None; HumanBone::COUNT];
        for guess in &bones {
            if guess.bone.is_required() && guess.certainty == Certainty::Refused {
                let nearest = nearest(skeleton, guess.bone.name());
                return Err(HumanoidError::Refused { bone: guess.bone, why: guess.why.clone(), nearest });
            }
            joints[guess.bone.index()] = guess.joint;
        }
        Self { joints, source: HumanoidSource::Guessed }.complete(skeleton)
    }

    /// Returns the guess of every bone with its certainty and the reason, in the order of [`HumanBone::ALL`].
    #[must_use]
    pub fn explain_guess(skeleton: &Skeleton) -> Vec<BoneGuess> {
        guess::bones(skeleton)
    }

    /// Makes the map from a list of VRM 1.0 bone names and joint names. Bones that are not in the list have no joint.
    ///
    /// # Errors
    /// Returns a [`HumanoidError`] if a bone or a joint is unknown, a joint has two bones, or a required bone has no
    /// joint.
    pub fn from_names<'a>(
        skeleton: &Skeleton,
        list: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, HumanoidError> {
        let nothing = Self { joints: [None; HumanBone::COUNT], source: HumanoidSource::Settings };
        nothing.replaced(skeleton, list)
    }

    /// Guesses the map as [`Humanoid::guess`] does, and replaces the joints of some bones by those of a list. Only the
    /// result has to be complete: the list may correct the guess and add bones that the guess did not find.
    ///
    /// # Errors
    /// Returns the errors of [`Humanoid::from_names`].
    pub fn guess_with<'a>(
        skeleton: &Skeleton,
        list: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, HumanoidError> {
        let mut joints = [None; HumanBone::COUNT];
        for guess in guess::bones(skeleton) {
            joints[guess.bone.index()] = guess.joint;
        }
        Self { joints, source: HumanoidSource::Settings }.replaced(skeleton, list)
    }

    /// Returns a copy of this map, and replaces the joints of some bones by those of a list. If a joint in the list
    /// belongs to another bone in this map, that bone loses it. The source [`HumanoidSource::Vrm`] stays, because the
    /// rest pose does not change; any other source becomes [`HumanoidSource::Settings`].
    ///
    /// # Errors
    /// Returns the errors of [`Humanoid::from_names`].
    pub fn with<'a>(
        &self,
        skeleton: &Skeleton,
        list: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, HumanoidError> {
        let source = match self.source {
            HumanoidSource::Vrm => HumanoidSource::Vrm,
            HumanoidSource::Guessed | HumanoidSource::Settings => HumanoidSource::Settings,
        };
        Self { source, ..self.clone() }.replaced(skeleton, list)
    }

    fn replaced<'a>(
        mut self,
        skeleton: &Skeleton,
        list: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, HumanoidError> {
        let mut listed = Self { joints: [None; HumanBone::COUNT], source: self.source };
        for (name, joint_name) in list {
            let bone = HumanBone::from_name(name).ok_or_else(|| HumanoidError::UnknownBone { name: name.into() })?;
            let joint = skeleton.find(joint_name).ok_or_else(|| HumanoidError::UnknownJoint {
                bone,
                name: joint_name.into(),
                nearest: nearest(skeleton, joint_name),
            })?;
            listed.set(skeleton, bone, joint)?;
        }
        // The list overrides the guess, both for its bones and for its joints.
        self.joints
            .iter_mut()
            .filter(|joint| joint.is_some_and(|joint| listed.bone(joint).is_some()))
            .for_each(|joint| *joint = None);
        for (bone, joint) in listed.iter() {
            self.joints[bone.index()] = Some(joint);
        }
        self.complete(skeleton)
    }

    fn set(&mut self, skeleton: &Skeleton, bone: HumanBone, joint: JointIndex) -> Result<(), HumanoidError> {
        let Some(found) = skeleton.joints().get(joint.index()) else {
            let name = format!("number {joint}");
            return Err(HumanoidError::UnknownJoint { bone, nearest: nearest(skeleton, bone.name()), name });
        };
        let taken = self.bone(joint).or(self.joint(bone).map(|_| bone));
        match taken {
            Some(first) => Err(HumanoidError::SharedJoint { joint: found.name.clone(), first, second: bone }),
            None => {
                self.joints[bone.index()] = Some(joint);
                Ok(())
            }
        }
    }

    fn complete(self, skeleton: &Skeleton) -> Result<Self, HumanoidError> {
        match HumanBone::ALL.into_iter().find(|bone| bone.is_required() && self.joint(*bone).is_none()) {
            Some(bone) => Err(HumanoidError::Missing { bone, nearest: nearest(skeleton, bone.name()) }),
            None => Ok(self),
        }
    }

    /// Returns the joint of a bone, or `None` if the bone has no joint.
    #[must_use]
    pub fn joint(&self, bone: HumanBone) -> Option<JointIndex> {
        self.joints[bone.index()]
    }

    /// Returns the bone of a joint, or `None` if the joint is not a bone.
    #[must_use]
    pub fn bone(&self, joint: JointIndex) -> Option<HumanBone> {
        HumanBone::ALL.into_iter().find(|&bone| self.joint(bone) == Some(joint))
    }

    /// All bones that have a joint, with their joints, parents before children.
    pub fn iter(&self) -> impl Iterator<Item = (HumanBone, JointIndex)> {
        HumanBone::ALL.into_iter().filter_map(|bone| Some((bone, self.joint(bone)?)))
    }

    /// The source of the map.
    #[must_use]
    pub fn source(&self) -> HumanoidSource {
        self.source
    }
}

/// Names the joints that share the most words with a name: at most three, in the skeleton's order.
fn nearest(skeleton: &Skeleton, name: &str) -> String {
    let wanted = JointWords::read(name);
    let score = |joint: &str| {
        let words = JointWords::read(joint);
        let same_side = words.side == wanted.side;
        let same_part = wanted.part.is_some() && words.part == wanted.part;
        let shared = wanted.words.iter().filter(|word| words.words.contains(word)).count();
        if shared == 0 && !same_part { 0 } else { 4 * usize::from(same_part) + 2 * shared + usize::from(same_side) }
    };
    let mut scored: Vec<(usize, &str)> =
        skeleton.joints().iter().map(|joint| (score(&joint.name), joint.name.as_str())).collect();
    scored.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
    let best: Vec<String> =
        scored.iter().take(3).filter(|(score, _)| *score > 0).map(|(_, name)| short(name)).collect();
    match best.is_empty() {
        true => "no joint has a similar name".to_owned(),
        false => format!("the joints with the most similar names are {}", best.join(", ")),
    }
}

/// The name in quotes, shortened if it is long.
fn short(name: &str) -> String {
    const LONGEST: usize = 60;
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &name[..end]),
        None => format!("{name:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::humanoid::test_skeletons::{chain, kaykit};

    #[test]
    fn a_missing_bone_names_the_nearest_joints() {
        let skeleton =
            chain(&[("hips", None), ("chest", Some(0)), ("thigh_left", Some(0)), ("lowerleg_left", Some(2))]);
        let error = Humanoid::guess(&skeleton).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no joint was found for the bone spine, which every humanoid needs; the joints with the most similar names are \
             \"chest\"; name the joint explicitly"
        );
        let list = [("head", "chest"), ("spine", "thigh_left"), ("leftLowerLeg", "lowerleg_lef")];
        let error = Humanoid::guess_with(&skeleton, list).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the bone leftLowerLeg names the joint \"lowerleg_lef\", which the skeleton does not have; the joints with \
             the most similar names are \"lowerleg_left\""
        );
    }

    #[test]
    fn a_list_overrides_the_guess() {
        let skeleton = kaykit();
        let guessed = Humanoid::guess(&skeleton).unwrap();
        assert_eq!(guessed.joint(HumanBone::LeftHand), skeleton.find("hand.l"));
        let given = Humanoid::guess_with(&skeleton, [("leftHand", "wrist.l")]).unwrap();
        assert_eq!(given.joint(HumanBone::LeftHand), skeleton.find("wrist.l"));
        assert_eq!((guessed.source(), given.source()), (HumanoidSource::Guessed, HumanoidSource::Settings));
        // The list gives the joint to another bone, so the guessed bone has no joint.
        let error = Humanoid::guess_with(&skeleton, [("leftToes", "hand.l")]).unwrap_err();
        assert!(matches!(error, HumanoidError::Missing { bone: HumanBone::LeftHand, .. }), "{error}");
    }

    #[test]
    fn lists_are_checked() {
        let skeleton = kaykit();
        let error =
            |list: &[(&'static str, &'static str)]| Humanoid::from_names(&skeleton, list.iter().copied()).unwrap_err();
        assert!(matches!(error(&[("leftWing", "head")]), HumanoidError::UnknownBone { .. }));
        assert!(matches!(error(&[("jaw", "head"), ("head", "head")]), HumanoidError::SharedJoint { .. }));
        assert!(matches!(error(&[("head", "head"), ("head", "chest")]), HumanoidError::SharedJoint { .. }));
        assert!(matches!(error(&[("head", "head")]), HumanoidError::Missing { bone: HumanBone::Hips, .. }));
        let beyond = Humanoid::from_vrm(&skeleton, [("hips", JointIndex(999))]);
        assert!(matches!(beyond, Err(HumanoidError::UnknownJoint { .. })));
    }

    #[test]
    fn vrm_maps_are_read_and_unknown_bones_are_ignored() {
        let skeleton = kaykit();
        let guessed = Humanoid::guess(&skeleton).unwrap();
        let bones: Vec<(&str, JointIndex)> = guessed.iter().map(|(bone, joint)| (bone.name(), joint)).collect();
        let tail = skeleton.find("handslot.l").unwrap();
        let vrm = Humanoid::from_vrm(&skeleton, bones.iter().copied().chain([("tail", tail)])).unwrap();
        assert!(vrm.iter().eq(guessed.iter()));
        assert_eq!(vrm.source(), HumanoidSource::Vrm);
        let twice = Humanoid::from_vrm(&skeleton, bones.iter().copied().chain([("hips", tail)]));
        assert!(matches!(twice, Err(HumanoidError::SharedJoint { .. })));
    }
}
