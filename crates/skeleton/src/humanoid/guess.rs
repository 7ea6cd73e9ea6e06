//! Guesses the bones from the names, the hierarchy and the rest pose of joints.

use super::HumanBone;
use super::HumanBone as B;
use super::joint_words::{JointWords, Part, Side};
use crate::{JointIndex, Skeleton};
use glam::DVec3;
use std::ops::Range;

/// The certainty of the guess of one bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// The joint's name, its place in the hierarchy and the rest pose agree.
    Sure,
    /// Nothing contradicts the joint, but a part of the evidence is missing.
    Likely,
    /// Joints have fitting names, but the hierarchy or the rest pose contradicts them. The bone gets no joint.
    Refused,
    /// No joint has a fitting name.
    Missing,
}

/// The guess of one bone, and the reason for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoneGuess {
    /// The bone.
    pub bone: HumanBone,
    /// The joint of the bone; `None` if the guess is refused or missing.
    pub joint: Option<JointIndex>,
    /// The certainty of the guess.
    pub certainty: Certainty,
    /// The evidence, as the end of a sentence; empty for missing bones.
    pub why: String,
}

/// The guess of every bone, in the order of [`HumanBone::ALL`]. No joint gets two bones.
pub(crate) fn bones(skeleton: &Skeleton) -> Vec<BoneGuess> {
    let guess = Guess::new(skeleton);
    let mut found = Found::default();
    let arms = SIDES.map(|side| guess.arm(side));
    let legs = SIDES.map(|side| guess.leg(side));
    guess.put_torso(&mut found, &arms, &legs);
    for (side, (arm, leg)) in std::iter::zip(&arms, &legs).enumerate() {
        found.put_limb(&ARM_BONES[side], arm);
        found.put_limb(&LEG_BONES[side], leg);
        guess.put_clavicle(&mut found, side, arm);
        guess.put_toes(&mut found, side, leg);
        guess.put_fingers(&mut found, side, arm);
        guess.put_eye(&mut found, side);
    }
    guess.check_sides(&mut found);
    guess.check_upright(&mut found);
    found.finish()
}

const SIDES: [Side; 2] = [Side::Left, Side::Right];
const ARM_BONES: [[HumanBone; 3]; 2] =
    [[B::LeftUpperArm, B::LeftLowerArm, B::LeftHand], [B::RightUpperArm, B::RightLowerArm, B::RightHand]];
const LEG_BONES: [[HumanBone; 3]; 2] =
    [[B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot], [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot]];

/// The largest number of joints of one part and side that the guess compares. It bounds the time for hostile files.
const MOST_CANDIDATES: usize = 32;

/// The joints that were found so far. `notes[i]` belongs to bone `i`.
struct Found {
    joints: [Option<usize>; HumanBone::COUNT],
    notes: Vec<(Certainty, String)>,
}

impl Default for Found {
    fn default() -> Self {
        let notes = vec![(Certainty::Missing, String::new()); HumanBone::COUNT];
        Self { joints: [None; HumanBone::COUNT], notes }
    }
}

impl Found {
    fn put(&mut self, bone: HumanBone, joint: usize, certainty: Certainty, why: &str) {
        self.joints[bone.index()] = Some(joint);
        self.notes[bone.index()] = (certainty, why.to_owned());
    }

    fn refuse(&mut self, bone: HumanBone, why: &str) {
        self.joints[bone.index()] = None;
        self.notes[bone.index()] = (Certainty::Refused, why.to_owned());
    }

    /// Lowers the certainty of a bone that has a joint.
    fn doubt(&mut self, bone: HumanBone, why: &str) {
        let note = &mut self.notes[bone.index()];
        if self.joints[bone.index()].is_some() && note.0 == Certainty::Sure {
            *note = (Certainty::Likely, why.to_owned());
        }
    }

    fn put_limb(&mut self, bones: &[HumanBone; 3], limb: &Limb) {
        for (number, &bone) in bones.iter().enumerate() {
            match (limb.joints[number], &limb.refusal) {
                (Some(joint), _) => self.put(bone, joint, limb.certainty[number], limb.why[number]),
                (None, Some(why)) if limb.has_named[number] => self.refuse(bone, why),
                (None, _) => {}
            }
        }
    }

    fn get(&self, bone: HumanBone) -> Option<usize> {
        self.joints[bone.index()]
    }

    fn finish(mut self) -> Vec<BoneGuess> {
        // A joint belongs to the first of two bones.
        for index in 1..HumanBone::COUNT {
            if self.joints[index].is_some() && self.joints[..index].contains(&self.joints[index]) {
                self.joints[index] = None;
                self.notes[index] = (Certainty::Refused, "its joint is another bone".to_owned());
            }
        }
        let guesses = HumanBone::ALL.into_iter().zip(self.joints).zip(self.notes);
        let guess = |((bone, joint), (certainty, why)): ((HumanBone, Option<usize>), _)| BoneGuess {
            bone,
            joint: joint.map(|joint| JointIndex(joint as u16)),
            certainty,
            why,
        };
        guesses.map(guess).collect()
    }
}

/// The joints of an arm or a leg: upper part, lower part and end.
struct Limb {
    joints: [Option<usize>; 3],
    certainty: [Certainty; 3],
    why: [&'static str; 3],
    /// The reason why joints with fitting names were not taken.
    refusal: Option<String>,
    /// For each joint, whether the names of some joints fit.
    has_named: [bool; 3],
}

struct Guess<'a> {
    skeleton: &'a Skeleton,
    words: Vec<JointWords>,
    /// The number of joints above each joint.
    depth: Vec<u32>,
    /// The joints below joint `i`, and the joint itself, have the places of `below[i]` in a walk along the hierarchy.
    below: Vec<Range<u32>>,
    /// The place of each joint in the rest pose; `None` if the rest pose says nothing, since all joints are at one place.
    places: Option<Vec<DVec3>>,
}

impl<'a> Guess<'a> {
    fn new(skeleton: &'a Skeleton) -> Self {
        let parents: Vec<Option<usize>> =
            skeleton.joints().iter().map(|joint| joint.parent.map(JointIndex::index)).collect();
        let mut depth: Vec<u32> = Vec::with_capacity(parents.len());
        for parent in &parents {
            depth.push(parent.map_or(0, |parent| depth[parent] + 1));
        }
        let below = walk(&parents);
        let mut words = JointWords::read_all(skeleton);
        // In a name with both sides, one of them means something else. The joints above tell which.
        for joint in 0..words.len() {
            if words[joint].has_both_sides {
                let above = std::iter::successors(parents[joint], |&above| parents[above]);
                let side = above.filter(|&above| !words[above].has_both_sides).find_map(|above| words[above].side);
                words[joint].side = side;
                if side.is_none() {
                    (words[joint].part, words[joint].about) = (None, None);
                }
            }
        }
        let is_thigh =
            |words: &JointWords| matches!(words.part, Some(Part::UpperLeg | Part::Leg)) && words.side.is_some();
        let thighs: Vec<usize> =
            (0..words.len()).filter(|&joint| is_thigh(&words[joint])).take(MOST_CANDIDATES).collect();
        // The joint 腰 (waist) may carry the whole figure.
        for joint in 0..words.len() {
            let is_waist = words[joint].words.iter().any(|word| word == "腰");
            if is_waist && thighs.iter().any(|&thigh| below[joint].contains(&below[thigh].start)) {
                words[joint].part = None;
            }
        }
        // If a rig has joints that move the skin, the others only control them.
        if words.iter().filter(|words| words.is_deform).count() >= 10 {
            words.iter_mut().filter(|words| !words.is_deform).for_each(|words| words.part = None);
        }
        Self { skeleton, words, depth, below, places: places(skeleton) }
    }

    /// All joints whose names mean this part and side: those with the fewest other words first, and of these the
    /// nearest to the root.
    fn all(&self, part: Part, side: Option<Side>) -> Vec<usize> {
        let says = |&joint: &usize| self.words[joint].part == Some(part) && self.words[joint].side == side;
        let mut found: Vec<usize> = (0..self.words.len()).filter(says).collect();
        found.sort_by_key(|&joint| (self.words[joint].extras, self.depth[joint]));
        found.truncate(MOST_CANDIDATES);
        found
    }

    fn any_of(&self, parts: &[Part], side: Side) -> Vec<usize> {
        parts.iter().flat_map(|&part| self.all(part, Some(side))).collect()
    }

    fn is_below(&self, joint: usize, above: usize) -> bool {
        joint != above && self.below[above].contains(&self.below[joint].start)
    }

    /// Returns `true` if `joint` is below `above`, or below a control joint of the same part and side. Rigify's joints
    /// that move the skin hang below control joints.
    fn hangs_below(&self, joint: usize, above: usize) -> bool {
        let wanted = &self.words[above];
        let stands_for = |other: usize| {
            let words = &self.words[other];
            words.part.is_none() && words.about == wanted.about && words.side == wanted.side
        };
        self.is_below(joint, above) || self.words[above].is_deform && self.above(joint).any(stands_for)
    }

    fn above(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.parent(joint), |&joint| self.parent(joint))
    }

    fn arm(&self, side: Side) -> Limb {
        let shoulder_is_arm =
            !self.any_of(&[Part::UpperArm, Part::Arm], side).iter().any(|&joint| !self.is_leaf(joint));
        let mut upper = vec![Part::UpperArm, Part::Arm];
        if shoulder_is_arm {
            upper.push(Part::Shoulder);
        }
        let ends = [Part::Hand, Part::Wrist, Part::Palm];
        self.limb(side, &upper, &[Part::LowerArm, Part::Arm, Part::Elbow], &ends)
    }

    fn leg(&self, side: Side) -> Limb {
        let hip_is_leg = !self.any_of(&[Part::UpperLeg, Part::Leg], side).iter().any(|&joint| !self.is_leaf(joint));
        let mut upper = vec![Part::UpperLeg, Part::Leg];
        if hip_is_leg {
            upper.push(Part::SideOfHips);
        }
        let mut leg = self.limb(side, &upper, &[Part::LowerLeg, Part::Leg, Part::Knee], &[Part::Foot]);
        // Many small rigs have the foot beside the leg, below the root, as a target of inverse kinematics.
        let is_free = |&foot: &usize| !self.above(foot).any(|above| self.words[above].side.is_some_and(|s| s != side));
        if leg.joints[0].is_some() && leg.joints[2].is_none() {
            let foot = self.all(Part::Foot, Some(side)).into_iter().find(is_free);
            leg.joints[2] = foot;
            leg.certainty[2] = Certainty::Likely;
            leg.why[2] = "its name fits, but it is not below the lower leg";
        }
        leg
    }

    fn is_leaf(&self, joint: usize) -> bool {
        self.below[joint].len() <= 1
    }

    /// Finds the upper part, the lower part and the end of a limb, each below the one before.
    fn limb(&self, side: Side, upper: &[Part], lower: &[Part], ends: &[Part]) -> Limb {
        let uppers = self.any_of(upper, side);
        let lowers = self.any_of(lower, side);
        let all_ends = ends.iter().map(|&part| (part, self.all(part, Some(side))));
        let has_named = [!uppers.is_empty(), !lowers.is_empty(), !self.any_of(ends, side).is_empty()];
        let pairs = || {
            let mut pairs: Vec<[usize; 2]> = Vec::new();
            for &lower in &lowers {
                pairs.extend(
                    uppers.iter().filter(|&&upper| self.hangs_below(lower, upper)).map(|&upper| [upper, lower]),
                );
            }
            // A name that means either part is the lower part only if the other joint is no clear lower part.
            let rank = |&[upper_joint, lower_joint]: &[usize; 2]| {
                let place = |parts: &[Part], joint: usize| {
                    parts.iter().position(|&part| self.words[joint].part == Some(part)).unwrap_or(parts.len())
                };
                let is_strict = self.is_below(lower_joint, upper_joint);
                let extras = self.words[upper_joint].extras + self.words[lower_joint].extras;
                let depth = self.depth[upper_joint] + self.depth[lower_joint];
                (place(upper, upper_joint) + place(lower, lower_joint), extras, !is_strict, depth)
            };
            pairs.sort_by_key(rank);
            pairs
        };
        let pairs = pairs();
        let nothing = || Limb {
            joints: [None; 3],
            certainty: [Certainty::Sure; 3],
            why: ["its name and its place above the limb's other joints fit"; 3],
            refusal: None,
            has_named,
        };
        for (part, mut ends) in all_ends {
            if part == Part::Palm {
                // A hand may have several palms. The middle palm moves like a hand.
                ends.retain(|&end| lowers.iter().any(|&lower| self.hangs_below(end, lower)));
                ends.sort_by_key(|&end| &self.skeleton.joints()[end].name);
                ends = ends.get(ends.len() / 2).copied().into_iter().collect();
            }
            let fits = |end: usize, strict: bool| {
                pairs.iter().find(move |[_, lower]| match strict {
                    true => self.is_below(end, *lower),
                    false => self.hangs_below(end, *lower),
                })
            };
            let best = [true, false].into_iter().find_map(|strict| {
                let found = ends.iter().filter_map(|&end| Some((*fits(end, strict)?, end)));
                // The candidates for the end are sorted, but a pair with clearer names comes first.
                found.min_by_key(|(pair, _)| pairs.iter().position(|other| other == pair))
            });
            if let Some(([upper, lower], end)) = best {
                let mut limb = nothing();
                limb.joints = [Some(upper), Some(lower), Some(end)];
                limb.why = [
                    "its name fits, and the lower part hangs below it",
                    "its name fits, and it is between the upper part and the end",
                    "its name fits, and it hangs below the lower part",
                ];
                if part == Part::Palm {
                    limb.certainty[2] = Certainty::Likely;
                    limb.why[2] = "no joint is called a hand, and this is the middle palm";
                }
                return limb;
            }
            // No joint between the upper part and the end has a fitting name. A single joint between them must be it.
            for &end in &ends {
                let Some(&upper) = uppers.iter().find(|&&upper| self.is_below(end, upper)) else { continue };
                let mut between: Vec<usize> = self.above(end).take_while(|&joint| joint != upper).collect();
                between.retain(|&joint| !self.words[joint].is_twist && self.words[joint].part != Some(Part::Wrist));
                if let [lower] = between[..]
                    && self.words[lower].about.is_none()
                    && self.words[lower].side.is_none_or(|its| its == side)
                {
                    let mut limb = nothing();
                    limb.joints = [Some(upper), Some(lower), Some(end)];
                    limb.certainty[1] = Certainty::Likely;
                    limb.why[1] = "it is the only joint between the upper part and the end";
                    return limb;
                }
            }
        }
        let mut limb = nothing();
        if let ([Part::Foot], Some(&[upper, lower])) = (ends, pairs.first()) {
            // The foot may stand beside the leg.
            (limb.joints[0], limb.joints[1]) = (Some(upper), Some(lower));
            return limb;
        }
        if has_named.iter().all(|&is| is) {
            limb.refusal = Some("joints have fitting names, but none of them hang below each other".to_owned());
        }
        limb
    }

    /// Finds hips, spine, chest, upper chest, neck and head.
    fn put_torso(&self, found: &mut Found, arms: &[Limb; 2], legs: &[Limb; 2]) {
        let limbs: Vec<usize> = arms.iter().chain(legs).filter_map(|limb| limb.joints[0]).collect();
        let of_limb = |&joint: &usize| limbs.iter().any(|&limb| joint == limb || self.is_below(joint, limb));
        let free = |part: Part| self.all(part, None).into_iter().find(|joint| !of_limb(joint));
        let thighs = legs[0].joints[0].zip(legs[1].joints[0]);
        let carries = |&hips: &usize| thighs.is_some_and(|(l, r)| self.is_below(l, hips) && self.is_below(r, hips));
        let all_hips = self.all(Part::Hips, None);
        let named = all_hips.iter().copied().find(carries).or_else(|| free(Part::Hips));
        let hips = named.or_else(|| self.common_parent(thighs?.0, thighs?.1));
        if let Some(hips) = hips {
            match (named.is_some(), carries(&hips)) {
                (true, true) => found.put(B::Hips, hips, Certainty::Sure, "its name fits, and both legs hang below it"),
                (true, false) => {
                    found.put(B::Hips, hips, Certainty::Likely, "its name fits, but no leg hangs below it")
                }
                (false, _) => found.put(B::Hips, hips, Certainty::Likely, "it is the nearest joint above both legs"),
            }
        }
        let shoulder = |arm: &Limb| arm.joints[0];
        let chest = shoulder(&arms[0]).zip(shoulder(&arms[1])).and_then(|(l, r)| self.common_parent(l, r));
        let head = free(Part::Head);
        // Rigify's neck and head are further joints of the spine, above the shoulders.
        let above: Vec<usize> = match (head, chest) {
            (None, Some(chest)) => self.chain_of_torso(chest),
            _ => Vec::new(),
        };
        let (neck, head) = match above.split_last() {
            Some((&last, between)) => (free(Part::Neck).or(between.first().copied()), Some(last)),
            None => (free(Part::Neck), head),
        };
        if let Some(head) = head {
            match above.is_empty() {
                true => found.put(B::Head, head, Certainty::Sure, "its name fits, and it is on no limb"),
                false => found.put(B::Head, head, Certainty::Likely, "it is the last joint of the spine"),
            }
        }
        let is_above_head = |neck: &usize| head.is_none_or(|head| self.hangs_below(head, *neck));
        match neck {
            Some(neck) if is_above_head(&neck) => {
                found.put(B::Neck, neck, Certainty::Sure, "its name fits, and the head hangs below it");
            }
            Some(_) => found.refuse(B::Neck, "a joint has a fitting name, but the head does not hang below it"),
            None => {}
        }
        let spine = self.spine(hips, found.get(B::Neck).or(head), &above);
        let at = |index: usize| spine.get(index).copied();
        let (chest, upper_chest) = match spine.len() {
            0 | 1 => (None, None),
            2 => (at(1), None),
            count => (at(count / 2), at(count - 1)),
        };
        for (bone, joint) in [(B::Spine, at(0)), (B::Chest, chest), (B::UpperChest, upper_chest)] {
            if let Some(joint) = joint {
                found.put(bone, joint, Certainty::Sure, "its name fits, and it is between hips and head");
            }
        }
        if let Some(jaw) = free(Part::Jaw).filter(|&jaw| head.is_some_and(|head| self.is_below(jaw, head))) {
            found.put(B::Jaw, jaw, Certainty::Sure, "its name fits, and it hangs below the head");
        }
    }

    /// The joints of the torso from the hips (not included) up to the joint below the neck.
    fn spine(&self, hips: Option<usize>, top: Option<usize>, above: &[usize]) -> Vec<usize> {
        let Some(top) = top else { return Vec::new() };
        let path = self.above(top).map(|joint| self.deform_twin(joint).unwrap_or(joint));
        let path = path.take_while(|&joint| Some(joint) != hips);
        let is_torso = |joint: &usize| self.words[*joint].part == Some(Part::Torso) && !above.contains(joint);
        let mut spine: Vec<usize> = path.filter(is_torso).collect();
        spine.dedup();
        spine.reverse();
        spine
    }

    /// The joint that moves the skin for one of Rigify's control joints: `DEF-spine.001` for `ORG-spine.001`.
    fn deform_twin(&self, joint: usize) -> Option<usize> {
        let name = self.skeleton.joints()[joint].name.as_str();
        let rest = name.strip_prefix("ORG-").or_else(|| name.strip_prefix("MCH-"))?;
        let twin = self.skeleton.find(&format!("DEF-{rest}"))?.index();
        self.words[twin].part.map(|_| twin)
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

    fn put_clavicle(&self, found: &mut Found, side: usize, arm: &Limb) {
        let bone = [B::LeftShoulder, B::RightShoulder][side];
        let Some(upper) = arm.joints[0] else { return };
        let named = self.any_of(&[Part::Clavicle, Part::Shoulder], SIDES[side]);
        match named.iter().copied().find(|&joint| joint != upper && self.hangs_below(upper, joint)) {
            Some(joint) => found.put(bone, joint, Certainty::Sure, "its name fits, and the upper arm hangs below it"),
            None if named.iter().any(|&joint| joint != upper) => {
                found.refuse(bone, "a joint has a fitting name, but the upper arm does not hang below it");
            }
            None => {}
        }
    }

    fn put_toes(&self, found: &mut Found, side: usize, leg: &Limb) {
        let bone = [B::LeftToes, B::RightToes][side];
        let Some(foot) = leg.joints[2] else { return };
        // SMPL calls the foot an ankle, and the toes a foot.
        let named = self.any_of(&[Part::Toes, Part::Foot], SIDES[side]);
        if let Some(toes) = named.into_iter().find(|&toes| self.hangs_below(toes, foot)) {
            found.put(bone, toes, Certainty::Sure, "its name fits, and it hangs below the foot");
        }
    }

    fn put_eye(&self, found: &mut Found, side: usize) {
        let bone = [B::LeftEye, B::RightEye][side];
        let Some(head) = found.get(B::Head) else { return };
        let eyes = self.all(Part::Eye, Some(SIDES[side]));
        if let Some(eye) = eyes.into_iter().find(|&eye| self.hangs_below(eye, head)) {
            found.put(bone, eye, Certainty::Sure, "its name fits, and it hangs below the head");
        }
    }

    /// Finds up to three joints of each finger, each below the one before. A finger may hang beside the palm that stands
    /// for the hand, so it only has to hang below the lower arm.
    fn put_fingers(&self, found: &mut Found, side: usize, arm: &Limb) {
        let (Some(lower), Some(hand)) = (arm.joints[1], arm.joints[2]) else { return };
        let first = [B::LeftThumbMetacarpal, B::RightThumbMetacarpal][side];
        let wrist = if self.words[hand].part == Some(Part::Palm) { lower } else { hand };
        for (number, part) in [Part::Thumb, Part::Index, Part::Middle, Part::Ring, Part::Little].into_iter().enumerate()
        {
            let bones = &HumanBone::ALL[first.index() + 3 * number..][..3];
            let mut joints: Vec<usize> = Vec::new();
            for joint in self.all(part, Some(SIDES[side])) {
                let above = joints.last().copied().unwrap_or(wrist);
                if self.hangs_below(joint, above) {
                    joints.push(joint);
                }
            }
            for (&bone, joint) in bones.iter().zip(joints) {
                found.put(bone, joint, Certainty::Sure, "its name fits, and it hangs below the hand");
            }
        }
    }

    /// Refuses joints that lie on the wrong side in the rest pose.
    fn check_sides(&self, found: &mut Found) {
        let place = |found: &Found, bone| Some(self.places.as_ref()?[found.get(bone)?]);
        let across = |found: &Found, [left, right]: [HumanBone; 2]| {
            Some((place(found, left)? - place(found, right)?).normalize_or_zero())
        };
        const ARMS: [HumanBone; 2] = [B::LeftUpperArm, B::RightUpperArm];
        const LEGS: [HumanBone; 2] = [B::LeftUpperLeg, B::RightUpperLeg];
        let is_sided = |bone: &HumanBone| bone.name().starts_with("left") || bone.name().starts_with("right");
        let [arms, legs] = [ARMS, LEGS].map(|pair| across(found, pair).unwrap_or_default());
        let left = arms + legs;
        if self.places.is_none() || left.length() < 1e-3 && (arms + legs).length() < 1e-3 && arms == DVec3::ZERO {
            for bone in HumanBone::ALL.into_iter().filter(is_sided) {
                found.doubt(bone, "its name and its place in the hierarchy fit, but the rest pose shows no sides");
            }
            return;
        }
        if arms.dot(legs) < 0.0 {
            for bone in HumanBone::ALL.into_iter().filter(is_sided) {
                if found.get(bone).is_some() {
                    found.refuse(bone, "in the rest pose, the left leg is on the other side than the left arm");
                }
            }
            return;
        }
        // The feet tell where the figure looks, and with it which side is left.
        let up = place(found, B::Head).zip(place(found, B::Hips)).map_or(DVec3::ZERO, |(head, hips)| head - hips);
        let toes = |foot, toes| Some((place(found, toes)? - place(found, foot)?).normalize_or_zero());
        let forward = toes(B::LeftFoot, B::LeftToes).zip(toes(B::RightFoot, B::RightToes)).map(|(l, r)| l + r);
        let by_feet = up.normalize_or_zero().cross(forward.unwrap_or_default());
        let agrees = by_feet.dot(left.normalize_or_zero());
        if agrees < -0.5 {
            for bone in HumanBone::ALL.into_iter().filter(is_sided) {
                if found.get(bone).is_some() {
                    found.refuse(bone, "the feet point in a direction from which the joint is on the other side");
                }
            }
            return;
        }
        let pairs = HumanBone::ALL.into_iter().filter(|bone| bone.name().starts_with("left"));
        for bone in pairs {
            let mirrored = HumanBone::from_name(&bone.name().replace("left", "right"));
            let Some(other) = mirrored else { continue };
            // Lower arms and hands may cross in the rest pose, and their upper arms tell their side.
            let is_fixed = matches!(bone, B::LeftShoulder | B::LeftEye | B::LeftFoot);
            if let Some(direction) = across(found, [bone, other]).filter(|_| is_fixed)
                && direction.dot(left) < 0.0
            {
                found.refuse(bone, "in the rest pose, it lies on the other side");
                found.refuse(other, "in the rest pose, it lies on the other side");
            }
        }
    }

    /// Refuses the limbs of a figure that stands on four feet: animals often have the joint names of a human.
    fn check_upright(&self, found: &mut Found) {
        let place = |bone| Some(self.places.as_ref()?[found.get(bone)?]);
        let middle = |left, right| Some((place(left)? + place(right)?) * 0.5);
        let evidence = || {
            let hips = middle(B::LeftUpperLeg, B::RightUpperLeg)?;
            let torso = (middle(B::LeftUpperArm, B::RightUpperArm)? - hips).normalize_or_zero();
            let legs = (middle(B::LeftFoot, B::RightFoot)? - hips).normalize_or_zero();
            Some(torso.dot(legs))
        };
        // A human who sits has -0.7, one who stands -1, a fox 0.
        if evidence().is_some_and(|cosine| cosine > -0.4) {
            let arms = ARM_BONES.as_flattened().iter().chain(LEG_BONES.as_flattened());
            arms.for_each(|&bone| found.refuse(bone, "in the rest pose, the legs do not point away from the torso"));
        }
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

/// The places of each joint, and of the joints below it, in a walk along the hierarchy.
pub(crate) fn walk(parents: &[Option<usize>]) -> Vec<Range<u32>> {
    let mut sizes = vec![1_u32; parents.len()];
    for joint in (0..parents.len()).rev() {
        if let Some(parent) = parents[joint] {
            sizes[parent] += sizes[joint];
        }
    }
    let mut next_of_child = vec![0_u32; parents.len()];
    let mut next_root = 0;
    let mut places = Vec::with_capacity(parents.len());
    for joint in 0..parents.len() {
        let next = parents[joint].map_or(&mut next_root, |parent| &mut next_of_child[parent]);
        let start = *next;
        *next += sizes[joint];
        next_of_child[joint] = start + 1;
        places.push(start..start + sizes[joint]);
    }
    places
}

/// The place of each joint in the rest pose, in model space; `None` if all are at one place, or one is not finite.
pub(crate) fn places(skeleton: &Skeleton) -> Option<Vec<DVec3>> {
    let model = skeleton.rest_matrices();
    let places: Vec<DVec3> = model.iter().map(|joint| joint.translation.as_dvec3()).collect();
    let is_spread = places.iter().any(|place| *place != places[0]) && places.iter().all(|place| place.is_finite());
    is_spread.then_some(places)
}
