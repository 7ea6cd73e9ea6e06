//! Guesses the bones from the names and the hierarchy of joints.

use super::HumanBone;
use super::joint_words::{JointWords, Part, Side};
use crate::{JointIndex, Skeleton};

/// Returns the joint of each bone, or `None` if no joint's name fits the bone. No joint gets two bones.
pub(crate) fn joints(skeleton: &Skeleton) -> [Option<JointIndex>; HumanBone::COUNT] {
    let guess = Guess::new(skeleton);
    let mut joints = [None; HumanBone::COUNT];
    let mut put = |bone: HumanBone, joint: Option<usize>| {
        joints[bone.index()] = joint.map(|joint| JointIndex(joint as u16));
    };
    let legs = [Side::Left, Side::Right].map(|side| guess.limb(side, &LEG));
    let arms = [Side::Left, Side::Right].map(|side| guess.limb(side, &ARM));
    let torso = guess.torso(&legs, &arms);
    use HumanBone as B;
    for (bone, joint) in [B::Hips, B::Spine, B::Chest, B::UpperChest, B::Neck, B::Head].into_iter().zip(torso) {
        put(bone, joint);
    }
    let [left_leg, right_leg] = &legs;
    let leg_bones = [
        [B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot, B::LeftToes],
        [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot, B::RightToes],
    ];
    for (bones, leg) in leg_bones.into_iter().zip([left_leg, right_leg]) {
        bones.into_iter().zip(leg).for_each(|(bone, &joint)| put(bone, joint));
    }
    let arm_bones = [
        [B::LeftShoulder, B::LeftUpperArm, B::LeftLowerArm, B::LeftHand],
        [B::RightShoulder, B::RightUpperArm, B::RightLowerArm, B::RightHand],
    ];
    for (bones, [upper, lower, hand, shoulder]) in arm_bones.into_iter().zip(arms) {
        bones.into_iter().zip([shoulder, upper, lower, hand]).for_each(|(bone, joint)| put(bone, joint));
    }
    put(B::LeftEye, guess.first(Part::Eye, Some(Side::Left)));
    put(B::RightEye, guess.first(Part::Eye, Some(Side::Right)));
    put(B::Jaw, guess.first(Part::Jaw, None));
    let fingers = [Part::Thumb, Part::Index, Part::Middle, Part::Ring, Part::Little];
    for (side, first) in [(Side::Left, B::LeftThumbMetacarpal), (Side::Right, B::RightThumbMetacarpal)] {
        for (number, finger) in fingers.into_iter().enumerate() {
            let bones = HumanBone::ALL[first.index() + 3 * number..].iter().take(3);
            bones.zip(guess.all(finger, Some(side))).for_each(|(&bone, joint)| put(bone, Some(joint)));
        }
    }
    joints
}

/// The parts of a limb from the body outward. Some names are unambiguous (`upper`, `lower`); a word such as `leg`
/// (`either`) may mean either part.
struct Limb {
    upper: Part,
    either: Part,
    lower: Part,
    end: &'static [Part],
    /// The part that belongs to the limb but may be missing.
    extra: Part,
}

const LEG: Limb =
    Limb { upper: Part::UpperLeg, either: Part::Leg, lower: Part::LowerLeg, end: &[Part::Foot], extra: Part::Toes };
const ARM: Limb = Limb {
    upper: Part::UpperArm,
    either: Part::Arm,
    lower: Part::LowerArm,
    end: &[Part::Hand, Part::Wrist, Part::Palm],
    extra: Part::Shoulder,
};

struct Guess<'a> {
    skeleton: &'a Skeleton,
    words: Vec<JointWords>,
    /// The number of joints above each joint.
    depth: Vec<u32>,
}

impl<'a> Guess<'a> {
    fn new(skeleton: &'a Skeleton) -> Self {
        let mut depth: Vec<u32> = Vec::with_capacity(skeleton.len());
        for joint in skeleton.joints() {
            depth.push(joint.parent.map_or(0, |parent| depth[parent.index()] + 1));
        }
        let words = skeleton.joints().iter().map(|joint| JointWords::read(&joint.name)).collect();
        Self { skeleton, words, depth }
    }

    /// All joints whose names mean this part and side, nearest to the root first.
    fn all(&self, part: Part, side: Option<Side>) -> Vec<usize> {
        let says = |&joint: &usize| self.words[joint].part == Some(part) && self.words[joint].side == side;
        let mut found: Vec<usize> = (0..self.words.len()).filter(says).collect();
        found.sort_by_key(|&joint| self.depth[joint]);
        found
    }

    fn first(&self, part: Part, side: Option<Side>) -> Option<usize> {
        self.all(part, side).first().copied()
    }

    /// The upper, lower, end and extra joint of a limb.
    fn limb(&self, side: Side, limb: &Limb) -> [Option<usize>; 4] {
        let named = |part| self.first(part, Some(side));
        let either = self.all(limb.either, Some(side));
        let (upper, lower) = match (named(limb.upper), named(limb.lower)) {
            (Some(upper), Some(lower)) => (Some(upper), Some(lower)),
            // Mixamo: LeftUpLeg and LeftLeg.
            (Some(upper), None) => (Some(upper), either.first().copied()),
            // Mixamo: LeftArm and LeftForeArm.
            (None, Some(lower)) => (either.first().copied(), Some(lower)),
            // Numbered names: leg_1, leg_2.
            (None, None) => (either.first().copied(), either.get(1).copied()),
        };
        let end = limb.end.iter().find_map(|&part| {
            let mut all = self.all(part, Some(side));
            if part == Part::Palm {
                // A hand may have several numbered palms. The middle palm moves like a hand.
                all.sort_by_key(|&joint| &self.skeleton.joints()[joint].name);
                return all.get(all.len() / 2).copied();
            }
            all.first().copied()
        });
        [upper, lower, end, named(limb.extra)]
    }

    /// The joints of hips, spine, chest, upper chest, neck and head.
    fn torso(&self, legs: &[[Option<usize>; 4]; 2], arms: &[[Option<usize>; 4]; 2]) -> [Option<usize>; 6] {
        let hips = self.first(Part::Hips, None).or_else(|| self.common_parent(legs[0][0]?, legs[1][0]?));
        let shoulder = |arm: &[Option<usize>; 4]| arm[3].or(arm[0]);
        let chest = shoulder(&arms[0]).zip(shoulder(&arms[1])).and_then(|(l, r)| self.common_parent(l, r));
        let head = self.first(Part::Head, None);
        // Rigify's neck and head are further joints of the spine, above the shoulders.
        let above: Vec<usize> = match (head, chest) {
            (None, Some(chest)) => self.chain_of_torso(chest),
            _ => Vec::new(),
        };
        let neck = self.first(Part::Neck, None);
        let (neck, head) = match above.split_last() {
            Some((&last, between)) => (neck.or(between.first().copied()), Some(last)),
            None => (neck, head),
        };
        let spine = self.spine(hips, neck.or(head), &above);
        let at = |index: usize| spine.get(index).copied();
        let (chest, upper_chest) = match spine.len() {
            0 | 1 => (None, None),
            2 => (at(1), None),
            count => (at(count / 2), at(count - 1)),
        };
        [hips, at(0), chest, upper_chest, neck, head]
    }

    /// The joints of the torso from the hips (not included) up to the joint below the neck.
    fn spine(&self, hips: Option<usize>, top: Option<usize>, above: &[usize]) -> Vec<usize> {
        let mut spine = Vec::new();
        let mut at = top.and_then(|top| self.parent(top));
        while let Some(joint) = at.filter(|&joint| Some(joint) != hips) {
            if self.words[joint].part == Some(Part::Torso) && !above.contains(&joint) {
                spine.push(joint);
            }
            at = self.parent(joint);
        }
        spine.reverse();
        spine
    }

    /// A chain of joints below `from` whose names mean the torso: one child, one grandchild and so on.
    fn chain_of_torso(&self, from: usize) -> Vec<usize> {
        let is_torso = |joint: usize| self.words[joint].part == Some(Part::Torso) && self.words[joint].side.is_none();
        let mut chain = Vec::new();
        let mut at = from;
        for joint in from + 1..self.words.len() {
            if self.parent(joint) == Some(at) && is_torso(joint) {
                chain.push(joint);
                at = joint;
            }
        }
        chain
    }

    fn parent(&self, joint: usize) -> Option<usize> {
        self.skeleton.joints()[joint].parent.map(JointIndex::index)
    }

    /// The nearest joint that is above both `a` and `b`.
    fn common_parent(&self, a: usize, b: usize) -> Option<usize> {
        let (mut a, mut b) = (self.parent(a)?, self.parent(b)?);
        while a != b {
            // Parents come before children, so the joint with the larger index is not above the other.
            if a > b { a = self.parent(a)? } else { b = self.parent(b)? }
        }
        Some(a)
    }
}
