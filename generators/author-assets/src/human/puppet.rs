//! Converts a [`Stance`] to the rotations of 53 joints.

use super::stance::{Arm, Leg, Stance};
use crate::character::{Joint, Posture, Rig};
use crate::limb::Limb;
use crate::turn;
use glam::{DMat3, DVec3};

/// The share of a hand's twist that the forearm takes, as radius and ulna do.
const FOREARM_TWIST: f64 = 0.6;
/// The bend of the finger joints in a fist in degrees, the knuckle first.
const FIST_BEND: [f64; 3] = [84.0, 98.0, 66.0];

/// The direction of each thumb bone in a fist: toward the thumb's side, along the flat hand, out of the palm.
const THUMB_IN_FIST: [[f64; 3]; 3] = [[0.35, 0.75, 0.55], [-0.25, 0.80, 0.55], [-0.85, 0.35, 0.15]];

/// A rig with its limbs, ready to be posed.
#[derive(Clone, Debug)]
pub struct Puppet<'rig> {
    rig: &'rig Rig,
    pelvis: Joint,
    spine: [Joint; 3],
    neck: Joint,
    head: Joint,
    arms: [ArmStrings; 2],
    legs: [LegStrings; 2],
}

#[derive(Clone, Debug)]
struct ArmStrings {
    /// The sign of the side: +1 left, -1 right. Multiplied with x it points outward.
    side: f64,
    clavicle: Joint,
    upper: Joint,
    lower: Joint,
    hand: Joint,
    /// The joints of the fingers, the thumb first.
    fingers: [[Joint; 3]; 5],
    limb: Limb,
    /// The axes of the flat hand at rest: y along the fingers, z out of the palm.
    hand_frame: DMat3,
}

#[derive(Clone, Debug)]
struct LegStrings {
    side: f64,
    thigh: Joint,
    calf: Joint,
    foot: Joint,
    toes: Joint,
    limb: Limb,
    /// The points of the sole below the heel and below the tip of the toes, at rest.
    heel_point: DVec3,
    toe_point: DVec3,
}

impl<'rig> Puppet<'rig> {
    /// Finds the joints of the game-engine rig by name. The ends of the soles are points of the surface near the
    /// ground.
    #[must_use]
    pub fn new(rig: &'rig Rig, surface: &[DVec3]) -> Self {
        let find = |name: &str| rig.find(name);
        Self {
            rig,
            pelvis: find("pelvis"),
            spine: ["spine_01", "spine_02", "spine_03"].map(find),
            neck: find("neck_01"),
            head: find("head"),
            arms: [arm_strings(rig, "l", 1.0), arm_strings(rig, "r", -1.0)],
            legs: [leg_strings(rig, surface, "l", 1.0), leg_strings(rig, surface, "r", -1.0)],
        }
    }

    /// The posture for a stance.
    #[must_use]
    pub fn posture(&self, stance: &Stance) -> Posture {
        let mut posture = self.rig.rest();
        let leg_length = self.legs[0].limb.length();
        posture.shift = stance.hips * leg_length;
        let [pelvis, chest, head] = [stance.pelvis, stance.chest, stance.head].map(turn::lean_turn_tilt);
        posture.turns[self.pelvis] = pelvis;
        for (joint, share) in self.spine.into_iter().zip([0.34, 0.67, 1.0]) {
            posture.turns[joint] = turn::between(&pelvis, &chest, share);
        }
        posture.turns[self.neck] = turn::between(&chest, &head, 0.5);
        posture.turns[self.head] = head;
        for (strings, leg) in self.legs.iter().zip([&stance.left_leg, &stance.right_leg]) {
            self.place_leg(&mut posture, strings, leg, leg_length);
        }
        for (strings, arm) in self.arms.iter().zip([&stance.left_arm, &stance.right_arm]) {
            self.place_arm(&mut posture, strings, arm, &chest);
        }
        posture
    }

    fn place_leg(&self, posture: &mut Posture, strings: &LegStrings, leg: &Leg, leg_length: f64) {
        let outward = |v: DVec3| DVec3::new(v.x * strings.side, v.y, v.z);
        let rest = |joint: Joint| self.rig.head(joint);
        let hip = posture.heads(self.rig)[strings.thigh];

        // On the ground, the foot turns about its ball, and then rises until the lower end of the sole has the right
        // height.
        let turned = turn::about(DVec3::Y, leg.turn * strings.side);
        let foot = turned * turn::about(DVec3::X, leg.heel);
        // The toes stay flat while the heel rises. If the toes rise, they turn with the foot.
        let toes = if leg.heel > 0.0 { turned * turn::about(DVec3::X, leg.heel * 0.15) } else { foot };
        let ball_rest = rest(strings.toes);
        let mut ball = ball_rest + outward(leg.ball) * leg_length;
        let heel_height = ball.y + (foot * (strings.heel_point - ball_rest)).y;
        let toe_height = ball.y + (toes * (strings.toe_point - ball_rest)).y;
        ball.y += leg.ball.y * leg_length - heel_height.min(toe_height);
        let standing_ankle = ball + foot * (rest(strings.foot) - ball_rest);

        let hanging_ankle = hip + outward(leg.ankle) * leg_length;
        let ankle = standing_ankle.lerp(hanging_ankle, leg.air);
        let reach = strings.limb.reach(hip, ankle, outward(leg.knee));
        posture.turns[strings.thigh] = reach.upper;
        posture.turns[strings.calf] = reach.lower;
        let hanging_foot = reach.lower * turn::about(DVec3::X, leg.point);
        posture.turns[strings.foot] = turn::between(&foot, &hanging_foot, leg.air);
        posture.turns[strings.toes] = turn::between(&toes, &hanging_foot, leg.air);
    }

    fn place_arm(&self, posture: &mut Posture, strings: &ArmStrings, arm: &Arm, chest: &DMat3) {
        let outward = |v: DVec3| DVec3::new(v.x * strings.side, v.y, v.z);
        let raise = turn::about(DVec3::Z, arm.shoulder.x * strings.side);
        let forward = turn::about(DVec3::Y, -arm.shoulder.y * strings.side);
        posture.turns[strings.clavicle] = *chest * forward * raise;

        let shoulder = posture.heads(self.rig)[strings.upper];
        let wrist = shoulder + outward(arm.wrist) * strings.limb.length();
        let reach = strings.limb.reach(shoulder, wrist, outward(arm.elbow));
        let hand = turn::frame(outward(arm.fingers), outward(arm.palm)) * strings.hand_frame.transpose();

        let forearm = (self.rig.head(strings.hand) - self.rig.head(strings.lower)).normalize();
        let twist = turn::twist_degrees(&(reach.lower.transpose() * hand), forearm);
        posture.turns[strings.upper] = reach.upper;
        posture.turns[strings.lower] = reach.lower * turn::about(forearm, twist * FOREARM_TWIST);
        posture.turns[strings.hand] = hand;
        self.curl_fingers(posture, strings, arm.fist);
    }

    fn curl_fingers(&self, posture: &mut Posture, strings: &ArmStrings, fist: f64) {
        let hand = posture.turns[strings.hand];
        let (along, palm) = (strings.hand_frame.y_axis, strings.hand_frame.z_axis);
        let across = along.cross(palm);
        for finger in &strings.fingers[1..] {
            let mut bend = 0.0;
            for (&joint, full) in finger.iter().zip(FIST_BEND) {
                bend += full * fist;
                posture.turns[joint] = hand * turn::about(across, bend);
            }
        }
        // The columns point across the hand toward the thumb's side, along the fingers, and out of the palm.
        let axes = DMat3::from_cols(across * -strings.side, along, palm);
        for (bone, way) in THUMB_IN_FIST.into_iter().enumerate() {
            let joint = strings.fingers[0][bone];
            let closed =
                turn::carrying(self.rig.joints[joint].frame.y_axis, (axes * DVec3::from_array(way)).normalize());
            posture.turns[joint] = hand * turn::between(&DMat3::IDENTITY, &closed, fist);
        }
    }
}

fn arm_strings(rig: &Rig, suffix: &str, side: f64) -> ArmStrings {
    let find = |name: &str| rig.find(&format!("{name}_{suffix}"));
    let fingers = ["thumb", "index", "middle", "ring", "pinky"];
    let [upper, lower, hand] = ["upperarm", "lowerarm", "hand"].map(find);
    let (shoulder, elbow, wrist) = (rig.head(upper), rig.head(lower), rig.head(hand));
    let line = (wrist - shoulder).normalize();
    // The elbows of the rig are bent at rest, which shows the direction in which they bend.
    let bulge = turn::perpendicular(line, elbow - shoulder);
    let knuckle = |finger: &str| rig.head(find(&format!("{finger}_01"))) - wrist;
    let palm = knuckle("pinky").cross(knuckle("index")) * side;
    ArmStrings {
        side,
        clavicle: find("clavicle"),
        upper,
        lower,
        hand,
        fingers: fingers.map(|finger| ["01", "02", "03"].map(|bone| find(&format!("{finger}_{bone}")))),
        limb: Limb::new(shoulder, elbow, wrist, bulge),
        hand_frame: turn::frame(knuckle("middle"), palm),
    }
}

fn leg_strings(rig: &Rig, surface: &[DVec3], suffix: &str, side: f64) -> LegStrings {
    let find = |name: &str| rig.find(&format!("{name}_{suffix}"));
    let [thigh, calf, foot, toes] = ["thigh", "calf", "foot", "ball"].map(find);
    let (ankle, ball) = (rig.head(foot), rig.head(toes));
    let sole = surface.iter().filter(|point| point.x * side > 0.0 && point.y < 0.02);
    let (mut back, mut front) = (ankle.z, ball.z);
    for point in sole {
        (back, front) = (back.min(point.z), front.max(point.z));
    }
    LegStrings {
        side,
        thigh,
        calf,
        foot,
        toes,
        limb: Limb::new(rig.head(thigh), rig.head(calf), ankle, DVec3::Z),
        heel_point: DVec3::new(ankle.x, 0.0, back),
        toe_point: DVec3::new(ball.x, 0.0, front),
    }
}
