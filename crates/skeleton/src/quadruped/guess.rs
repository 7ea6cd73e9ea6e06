//! Finds the head by its name, and the legs and the tail by their places in the rest pose. Names must not contradict these.

use super::{QuadrupedError, QuadrupedPart as P};
use crate::humanoid::{JointWords, Part, Side, places, walk};
use crate::{JointIndex, Skeleton};
use glam::DVec3;
use std::ops::Range;

/// Joints that are no farther from the middle of the body are in the middle. This and the following lengths are shares of the
/// length of the body, from the joint that is farthest behind the head to the head.
const MIDDLE: f64 = 0.03;

/// The largest distance of a joint from the mirrored place of the joint of the other side.
const MIRRORED: f64 = 0.1;

/// The least distance between the front legs and the hind legs.
const APART: f64 = 0.25;

/// A tail without a name reaches at least this far behind the hind legs.
const TAIL: f64 = 0.15;

/// The length of the body is at least this share of the height of its legs.
const LONG: f64 = 0.5;

/// The top of a leg is at least at this share of the height of the highest leg.
const TOP: f64 = 0.5;

/// A leg reaches down by at least this share of its height. The last joint of a leg may be far above the ground.
const DOWN: f64 = 0.35;

/// The largest number of limbs of one side that are compared. It bounds the time for hostile files.
const MOST_LIMBS: usize = 64;

const LEGS: [[P; 2]; 2] = [[P::FrontLeftLeg, P::FrontRightLeg], [P::HindLeftLeg, P::HindRightLeg]];

/// The part of each joint.
pub(super) fn parts(skeleton: &Skeleton) -> Result<Vec<Option<P>>, QuadrupedError> {
    let body = Body::new(skeleton)?;
    let limbs = body.limbs();
    let legs = body.legs(&limbs)?;
    let mut parts = vec![None; skeleton.len()];
    for (pair, legs) in legs.iter().enumerate() {
        for (side, &leg) in legs.iter().enumerate() {
            body.put(&mut parts, leg, LEGS[pair][side]);
        }
    }
    body.put(&mut parts, body.head, P::Head);
    body.put_torso(&mut parts, &legs)?;
    body.put_tail(&mut parts, &legs);
    body.put_feet(&mut parts, &legs, &limbs);
    body.check_names(&parts)?;
    Ok(parts)
}

/// A place along the body: how far it is in front, up, and to the left, from the head and the middle of the body.
type Place = DVec3;

struct Body<'a> {
    skeleton: &'a Skeleton,
    words: Vec<JointWords>,
    /// The places with z in front, y up and x to the left of the animal, in lengths of the body.
    places: Vec<Place>,
    head: usize,
    /// The joints below joint `i`, and the joint itself, are `walk[below[i]]`.
    below: Vec<Range<usize>>,
    walk: Vec<usize>,
    /// The lowest joint of those below each joint, and of the joint itself.
    lowest: Vec<usize>,
    /// The side of all joints below each joint, and of the joint itself: `None` if they are on both sides or in the middle.
    side: Vec<Option<Side>>,
    /// The least height of a joint that is not in the middle.
    ground: f64,
}

impl<'a> Body<'a> {
    fn new(skeleton: &'a Skeleton) -> Result<Self, QuadrupedError> {
        let words = JointWords::read_all(skeleton);
        let is_head = |&joint: &usize| words[joint].part == Some(Part::Head) && words[joint].side.is_none();
        // Parents come before children, so the first of several is not below the others.
        let head = (0..skeleton.len()).filter(is_head).min_by_key(|&joint| words[joint].extras);
        let head = head.ok_or(QuadrupedError::NoHead)?;
        let places = places(skeleton).ok_or(QuadrupedError::NoRestPose)?;
        let from = |joint: usize| (places[head] - places[joint]).with_y(0.0);
        let farthest = above(skeleton, head).max_by(|&a, &b| from(a).length().total_cmp(&from(b).length()));
        let along = farthest.map_or(DVec3::ZERO, from);
        let (front, length) = (along.normalize_or_zero(), along.length());
        if length == 0.0 {
            return Err(QuadrupedError::Upright);
        }
        let left = DVec3::Y.cross(front);
        let place = |place: &DVec3| {
            let from_head = *place - places[head];
            DVec3::new(from_head.dot(left), place.y, from_head.dot(front)) / length
        };
        let places: Vec<Place> = places.iter().map(place).collect();
        let mut lowest: Vec<usize> = (0..places.len()).collect();
        let (mut least, mut most): (Vec<f64>, Vec<f64>) = places.iter().map(|place| (place.x, place.x)).unzip();
        for joint in (0..places.len()).rev() {
            let Some(parent) = parent(skeleton, joint) else { continue };
            if places[lowest[joint]].y < places[lowest[parent]].y {
                lowest[parent] = lowest[joint];
            }
            least[parent] = least[parent].min(least[joint]);
            most[parent] = most[parent].max(most[joint]);
        }
        let side = least.iter().zip(&most).map(|(&least, &most)| match () {
            () if most > MIDDLE && least > -MIDDLE => Some(Side::Left),
            () if least < -MIDDLE && most < MIDDLE => Some(Side::Right),
            () => None,
        });
        let side = side.collect();
        let parents: Vec<Option<usize>> = (0..places.len()).map(|joint| parent(skeleton, joint)).collect();
        let below: Vec<Range<usize>> =
            walk(&parents).into_iter().map(|range| range.start as usize..range.end as usize).collect();
        let mut order = vec![0; places.len()];
        below.iter().enumerate().for_each(|(joint, range)| order[range.start] = joint);
        let ground = places.iter().filter(|place| place.x.abs() > MIDDLE).map(|place| place.y);
        let ground = ground.fold(f64::INFINITY, f64::min);
        Ok(Self { skeleton, words, places, head, below, walk: order, lowest, side, ground })
    }

    /// The first joints of all limbs of which the other side has a mirrored one, left and right.
    fn limbs(&self) -> Vec<[usize; 2]> {
        let begins = |joint: &usize, side: Side| {
            let above = parent(self.skeleton, *joint);
            self.side[*joint] == Some(side) && above.is_none_or(|above| self.side[above] != Some(side))
        };
        let [left, mut right] = [Side::Left, Side::Right].map(|side| {
            let limbs = (0..self.places.len()).filter(|joint| begins(joint, side));
            limbs.take(MOST_LIMBS).collect::<Vec<usize>>()
        });
        let mut limbs = Vec::new();
        for one in left {
            let distance = |&other: &usize| {
                let apart =
                    |a: usize, b: usize| (self.places[a] - self.places[b] * DVec3::new(-1.0, 1.0, 1.0)).length();
                apart(one, other).max(apart(self.lowest[one], self.lowest[other]))
            };
            let nearest = (0..right.len()).min_by(|&a, &b| distance(&right[a]).total_cmp(&distance(&right[b])));
            if let Some(nearest) = nearest.filter(|&nearest| distance(&right[nearest]) <= MIRRORED) {
                limbs.push([one, right.swap_remove(nearest)]);
            }
        }
        limbs
    }

    /// The first joints of the front legs and of the hind legs, left and right.
    fn legs(&self, limbs: &[[usize; 2]]) -> Result<[[usize; 2]; 2], QuadrupedError> {
        let height = |joint: usize| self.places[joint].y - self.ground;
        let is_of_body = |limb: &&[usize; 2]| {
            let is_wing = |joint: usize| self.words[joint].words.iter().any(|word| word == "wing" || word == "wings");
            !above(self.skeleton, limb[0]).any(|above| self.is_of_head(above)) && !limb.iter().any(|&one| is_wing(one))
        };
        let of_body: Vec<[usize; 2]> = limbs.iter().filter(is_of_body).copied().collect();
        let highest = of_body.iter().flatten().map(|&limb| height(limb)).fold(0.0, f64::max);
        let is_leg = |limb: &[usize; 2]| {
            let reaches = |joint: usize| height(joint) - height(self.lowest[joint]) >= DOWN * height(joint);
            limb.iter().all(|&joint| height(joint) >= TOP * highest && reaches(joint)) && highest > 0.0
        };
        let legs: Vec<[usize; 2]> = of_body.into_iter().filter(is_leg).collect();
        let &[one, other] = &legs[..] else { return Err(QuadrupedError::Legs { pairs: legs.len() }) };
        // The unit is the length of the body.
        if LONG * highest > 1.0 {
            return Err(QuadrupedError::Upright);
        }
        let front_of = |legs: [usize; 2]| 0.5 * (self.places[legs[0]].z + self.places[legs[1]].z);
        let [front, hind] = if front_of(one) > front_of(other) { [one, other] } else { [other, one] };
        if front_of(front) - front_of(hind) < APART || front_of(front) > self.places[self.head].z {
            return Err(QuadrupedError::Order);
        }
        Ok([front, hind])
    }

    fn is_of_head(&self, joint: usize) -> bool {
        joint == self.head || self.words[joint].part == Some(Part::Neck)
    }

    /// Gives a joint and all joints below it a part, unless they have one.
    fn put(&self, parts: &mut [Option<P>], root: usize, part: P) {
        for &joint in &self.walk[self.below[root].clone()] {
            parts[joint] = parts[joint].or(Some(part));
        }
    }

    /// The torso are the joints below the one that carries the legs and the head. A neck carries only the head.
    fn put_torso(&self, parts: &mut [Option<P>], legs: &[[usize; 2]; 2]) -> Result<(), QuadrupedError> {
        let ends: Vec<usize> = legs.iter().flatten().copied().chain([self.head]).collect();
        let mut carried = vec![0; parts.len()];
        ends.iter().flat_map(|&end| above(self.skeleton, end)).for_each(|joint| carried[joint] += 1);
        // Joints above the lowest joint that carries all of them, such as the root, are no part.
        let top = (0..parts.len()).rev().find(|&joint| carried[joint] == ends.len()).ok_or(QuadrupedError::Apart)?;
        for &joint in &self.walk[self.below[top].clone()] {
            let named = self.words[joint].part;
            let has_only_head = carried[joint] == 1 && self.is_below(self.head, joint);
            match parts[joint] {
                Some(_) => {}
                None if has_only_head && named == Some(Part::Neck) => self.put(parts, joint, P::Neck),
                None if carried[joint] > 0 || matches!(named, Some(Part::Torso | Part::Hips)) => {
                    parts[joint] = Some(P::Torso);
                }
                None => {}
            }
        }
        Ok(())
    }

    /// A tail begins at the torso and ends behind the hind legs. Without its name, it is a chain in the middle of the body.
    fn put_tail(&self, parts: &mut [Option<P>], legs: &[[usize; 2]; 2]) {
        let hind = 0.5 * (self.places[legs[1][0]].z + self.places[legs[1][1]].z);
        for joint in 0..parts.len() {
            let Some(parent) = parent(self.skeleton, joint) else { continue };
            if parts[joint].is_some() || parts[parent] != Some(P::Torso) {
                continue;
            }
            let below = &self.walk[self.below[joint].clone()];
            let end = below.iter().map(|&joint| self.places[joint].z).fold(f64::INFINITY, f64::min);
            let is_named = self.words[joint].words.iter().any(|word| word == "tail" || word == "尾" || word == "尻尾");
            let is_unknown = |&joint: &usize| self.words[joint].about.is_none() && !self.words[joint].is_helper;
            let is_chain = below.len() >= 3
                && below.iter().all(|joint| is_unknown(joint) && self.places[*joint].x.abs() <= MIDDLE)
                && below.windows(2).all(|pair| self::parent(self.skeleton, pair[1]) == Some(pair[0]));
            if is_named && end < hind || is_chain && end < hind - TAIL && self.places[joint].z < hind + TAIL {
                self.put(parts, joint, P::Tail);
            }
        }
    }

    /// A rig may have the foot beside the leg, as a target of inverse kinematics. It is below the end of its leg.
    fn put_feet(&self, parts: &mut [Option<P>], legs: &[[usize; 2]; 2], limbs: &[[usize; 2]]) {
        for feet in limbs {
            for (pair, legs) in legs.iter().enumerate() {
                let is_below = |side: usize| {
                    let apart = self.places[feet[side]] - self.places[self.lowest[legs[side]]];
                    parts[feet[side]].is_none() && apart.y < 0.0 && apart.with_y(0.0).length() <= MIRRORED
                };
                if is_below(0) && is_below(1) {
                    (0..2).for_each(|side| self.put(parts, feet[side], LEGS[pair][side]));
                }
            }
        }
    }

    /// Refuses names that contradict the parts.
    fn check_names(&self, parts: &[Option<P>]) -> Result<(), QuadrupedError> {
        for (joint, words) in self.words.iter().enumerate() {
            let name = || self.skeleton.joints()[joint].name.clone();
            let says = |known: &[&str]| words.words.iter().any(|word| known.contains(&word.as_str()));
            let is_arm = matches!(
                words.part,
                Some(Part::UpperArm | Part::Arm | Part::LowerArm | Part::Elbow | Part::Hand | Part::Wrist | Part::Palm)
            );
            let is_leg = matches!(
                words.part,
                Some(Part::UpperLeg | Part::Leg | Part::LowerLeg | Part::Knee | Part::Foot | Part::Toes)
            );
            let (says_front, says_hind) = (says(&FRONT), says(&HIND));
            let (side, is_front) = match parts[joint] {
                Some(P::FrontLeftLeg) => (Side::Left, true),
                Some(P::FrontRightLeg) => (Side::Right, true),
                Some(P::HindLeftLeg) => (Side::Left, false),
                Some(P::HindRightLeg) => (Side::Right, false),
                _ if is_arm || is_leg => return Err(QuadrupedError::OtherLimb { joint: name() }),
                _ => continue,
            };
            if !words.has_both_sides && words.side.is_some_and(|named| named != side) {
                return Err(QuadrupedError::Side { joint: name() });
            }
            if is_front && says_hind && !says_front || !is_front && (says_front && !says_hind || is_arm) {
                return Err(QuadrupedError::Pair { joint: name() });
            }
        }
        Ok(())
    }

    fn is_below(&self, joint: usize, above: usize) -> bool {
        joint != above && self.below[above].contains(&self.below[joint].start)
    }
}

/// Words for the front legs and for the hind legs.
const FRONT: [&str; 4] = ["front", "fore", "foreleg", "frontleg"];
const HIND: [&str; 5] = ["hind", "back", "rear", "hindleg", "backleg"];

fn parent(skeleton: &Skeleton, joint: usize) -> Option<usize> {
    skeleton.joints()[joint].parent.map(JointIndex::index)
}

/// The joints above a joint, the nearest first.
fn above(skeleton: &Skeleton, joint: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(parent(skeleton, joint), |&joint| parent(skeleton, joint))
}
