//! The standard bones of a human figure.

use std::fmt;

/// Declares the enum and its table in one place. A row is: variant, VRM 1.0 name, Unity name, parent, and whether VRM
/// 1.0 requires the bone.
macro_rules! human_bones {
    ($($variant:ident, $name:literal, $unity:literal, $parent:expr, $required:literal;)*) => {
        /// A bone of VRM 1.0's humanoid. Every parent comes before its children.
        ///
        /// Source: [VRMC_vrm 1.0, humanoid](https://github.com/vrm-c/vrm-specification/blob/master/specification/VRMC_vrm-1.0/humanoid.md).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum HumanBone {
            $(#[doc = concat!("`", $name, "` in VRM 1.0, `", $unity, "` in Unity and VMC.")] $variant,)*
        }

        impl HumanBone {
            /// All bones, parents before children.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];
        }

        struct Row {
            name: &'static str,
            unity: &'static str,
            parent: Option<HumanBone>,
            required: bool,
        }

        const TABLE: [Row; HumanBone::COUNT] =
            [$(Row { name: $name, unity: $unity, parent: $parent, required: $required }),*];
    };
}

use HumanBone as B;

human_bones! {
    Hips, "hips", "Hips", None, true;
    Spine, "spine", "Spine", Some(B::Hips), true;
    Chest, "chest", "Chest", Some(B::Spine), false;
    UpperChest, "upperChest", "UpperChest", Some(B::Chest), false;
    Neck, "neck", "Neck", Some(B::UpperChest), false;
    Head, "head", "Head", Some(B::Neck), true;
    LeftEye, "leftEye", "LeftEye", Some(B::Head), false;
    RightEye, "rightEye", "RightEye", Some(B::Head), false;
    Jaw, "jaw", "Jaw", Some(B::Head), false;
    LeftUpperLeg, "leftUpperLeg", "LeftUpperLeg", Some(B::Hips), true;
    LeftLowerLeg, "leftLowerLeg", "LeftLowerLeg", Some(B::LeftUpperLeg), true;
    LeftFoot, "leftFoot", "LeftFoot", Some(B::LeftLowerLeg), true;
    LeftToes, "leftToes", "LeftToes", Some(B::LeftFoot), false;
    RightUpperLeg, "rightUpperLeg", "RightUpperLeg", Some(B::Hips), true;
    RightLowerLeg, "rightLowerLeg", "RightLowerLeg", Some(B::RightUpperLeg), true;
    RightFoot, "rightFoot", "RightFoot", Some(B::RightLowerLeg), true;
    RightToes, "rightToes", "RightToes", Some(B::RightFoot), false;
    LeftShoulder, "leftShoulder", "LeftShoulder", Some(B::UpperChest), false;
    LeftUpperArm, "leftUpperArm", "LeftUpperArm", Some(B::LeftShoulder), true;
    LeftLowerArm, "leftLowerArm", "LeftLowerArm", Some(B::LeftUpperArm), true;
    LeftHand, "leftHand", "LeftHand", Some(B::LeftLowerArm), true;
    RightShoulder, "rightShoulder", "RightShoulder", Some(B::UpperChest), false;
    RightUpperArm, "rightUpperArm", "RightUpperArm", Some(B::RightShoulder), true;
    RightLowerArm, "rightLowerArm", "RightLowerArm", Some(B::RightUpperArm), true;
    RightHand, "rightHand", "RightHand", Some(B::RightLowerArm), true;
    LeftThumbMetacarpal, "leftThumbMetacarpal", "LeftThumbProximal", Some(B::LeftHand), false;
    LeftThumbProximal, "leftThumbProximal", "LeftThumbIntermediate", Some(B::LeftThumbMetacarpal), false;
    LeftThumbDistal, "leftThumbDistal", "LeftThumbDistal", Some(B::LeftThumbProximal), false;
    LeftIndexProximal, "leftIndexProximal", "LeftIndexProximal", Some(B::LeftHand), false;
    LeftIndexIntermediate, "leftIndexIntermediate", "LeftIndexIntermediate", Some(B::LeftIndexProximal), false;
    LeftIndexDistal, "leftIndexDistal", "LeftIndexDistal", Some(B::LeftIndexIntermediate), false;
    LeftMiddleProximal, "leftMiddleProximal", "LeftMiddleProximal", Some(B::LeftHand), false;
    LeftMiddleIntermediate, "leftMiddleIntermediate", "LeftMiddleIntermediate", Some(B::LeftMiddleProximal), false;
    LeftMiddleDistal, "leftMiddleDistal", "LeftMiddleDistal", Some(B::LeftMiddleIntermediate), false;
    LeftRingProximal, "leftRingProximal", "LeftRingProximal", Some(B::LeftHand), false;
    LeftRingIntermediate, "leftRingIntermediate", "LeftRingIntermediate", Some(B::LeftRingProximal), false;
    LeftRingDistal, "leftRingDistal", "LeftRingDistal", Some(B::LeftRingIntermediate), false;
    LeftLittleProximal, "leftLittleProximal", "LeftLittleProximal", Some(B::LeftHand), false;
    LeftLittleIntermediate, "leftLittleIntermediate", "LeftLittleIntermediate", Some(B::LeftLittleProximal), false;
    LeftLittleDistal, "leftLittleDistal", "LeftLittleDistal", Some(B::LeftLittleIntermediate), false;
    RightThumbMetacarpal, "rightThumbMetacarpal", "RightThumbProximal", Some(B::RightHand), false;
    RightThumbProximal, "rightThumbProximal", "RightThumbIntermediate", Some(B::RightThumbMetacarpal), false;
    RightThumbDistal, "rightThumbDistal", "RightThumbDistal", Some(B::RightThumbProximal), false;
    RightIndexProximal, "rightIndexProximal", "RightIndexProximal", Some(B::RightHand), false;
    RightIndexIntermediate, "rightIndexIntermediate", "RightIndexIntermediate", Some(B::RightIndexProximal), false;
    RightIndexDistal, "rightIndexDistal", "RightIndexDistal", Some(B::RightIndexIntermediate), false;
    RightMiddleProximal, "rightMiddleProximal", "RightMiddleProximal", Some(B::RightHand), false;
    RightMiddleIntermediate, "rightMiddleIntermediate", "RightMiddleIntermediate", Some(B::RightMiddleProximal), false;
    RightMiddleDistal, "rightMiddleDistal", "RightMiddleDistal", Some(B::RightMiddleIntermediate), false;
    RightRingProximal, "rightRingProximal", "RightRingProximal", Some(B::RightHand), false;
    RightRingIntermediate, "rightRingIntermediate", "RightRingIntermediate", Some(B::RightRingProximal), false;
    RightRingDistal, "rightRingDistal", "RightRingDistal", Some(B::RightRingIntermediate), false;
    RightLittleProximal, "rightLittleProximal", "RightLittleProximal", Some(B::RightHand), false;
    RightLittleIntermediate, "rightLittleIntermediate", "RightLittleIntermediate", Some(B::RightLittleProximal), false;
    RightLittleDistal, "rightLittleDistal", "RightLittleDistal", Some(B::RightLittleIntermediate), false;
}

impl HumanBone {
    /// The number of bones.
    pub const COUNT: usize = Self::ALL.len();

    /// The bone as a slice index, below [`HumanBone::COUNT`].
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self as u8)
    }

    /// The name in VRM 1.0, such as `leftUpperArm`.
    #[must_use]
    pub fn name(self) -> &'static str {
        TABLE[self.index()].name
    }

    /// The name in Unity's `HumanBodyBones` and in VMC packets, such as `LeftUpperArm`.
    ///
    /// Unity calls the three thumb bones proximal, intermediate and distal; VRM 1.0 calls the same bones metacarpal,
    /// proximal and distal.
    #[must_use]
    pub fn unity_name(self) -> &'static str {
        TABLE[self.index()].unity
    }

    /// The parent among all standard bones; `None` for the hips.
    #[must_use]
    #[inline]
    pub fn parent(self) -> Option<Self> {
        TABLE[self.index()].parent
    }

    /// Returns `true` if VRM 1.0 requires the bone.
    #[must_use]
    pub fn is_required(self) -> bool {
        TABLE[self.index()].required
    }

    /// Returns the bone with a VRM 1.0 name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|bone| bone.name() == name)
    }

    /// Returns the bone with a Unity name. The first letter may be lower case, as some senders write it.
    ///
    /// `previous` is the bone that was found last, if any. The search starts after that bone, because packets usually
    /// list the bones in the same order.
    #[must_use]
    pub fn from_unity_name(name: &[u8], previous: Option<Self>) -> Option<Self> {
        let start = previous.map_or(0, |bone| bone.index() + 1);
        let is_named = |bone: &Self| {
            let unity = bone.unity_name().as_bytes();
            unity.len() == name.len() && unity[1..] == name[1..] && unity[0].eq_ignore_ascii_case(&name[0])
        };
        Self::ALL[start..].iter().chain(&Self::ALL[..start]).copied().find(is_named)
    }
}

impl fmt::Display for HumanBone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of bones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoneSet(u64);

impl BoneSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// Returns `true` if the bone is in the set.
    #[must_use]
    #[inline]
    pub fn contains(self, bone: HumanBone) -> bool {
        self.0 >> bone.index() & 1 == 1
    }

    /// Adds the bone.
    #[inline]
    pub fn insert(&mut self, bone: HumanBone) {
        self.0 |= 1 << bone.index();
    }

    /// The number of bones in the set.
    #[must_use]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns `true` if the set is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The bones in the set, parents before children.
    pub fn iter(self) -> impl Iterator<Item = HumanBone> {
        HumanBone::ALL.into_iter().filter(move |&bone| self.contains(bone))
    }
}

impl FromIterator<HumanBone> for BoneSet {
    fn from_iter<I: IntoIterator<Item = HumanBone>>(bones: I) -> Self {
        let mut set = Self::EMPTY;
        bones.into_iter().for_each(|bone| set.insert(bone));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_vrm_1_0() {
        assert_eq!(HumanBone::COUNT, 55);
        let required: Vec<&str> =
            HumanBone::ALL.iter().filter(|bone| bone.is_required()).map(|bone| bone.name()).collect();
        assert_eq!(required.len(), 15);
        assert!(required.contains(&"spine") && !required.contains(&"neck"));
        for (index, bone) in HumanBone::ALL.into_iter().enumerate() {
            assert_eq!(bone.index(), index);
            assert!(bone.parent().is_none_or(|parent| parent < bone), "{bone}");
            assert_eq!(HumanBone::from_name(bone.name()), Some(bone));
            for previous in [None, Some(bone), Some(HumanBone::Hips), Some(HumanBone::RightLittleDistal)] {
                assert_eq!(HumanBone::from_unity_name(bone.unity_name().as_bytes(), previous), Some(bone));
            }
        }
    }

    #[test]
    fn thumbs_have_other_names_in_unity() {
        assert_eq!(HumanBone::LeftThumbMetacarpal.unity_name(), "LeftThumbProximal");
        assert_eq!(HumanBone::from_unity_name(b"RightThumbIntermediate", None), Some(HumanBone::RightThumbProximal));
        assert_eq!(HumanBone::from_unity_name(b"leftThumbDistal", None), Some(HumanBone::LeftThumbDistal));
        for name in [&b""[..], b"Hip", b"\xffips", b"HIPS"] {
            assert_eq!(HumanBone::from_unity_name(name, None), None);
        }
    }
}
