//! Converts a hound's stance to the rotations of its joints.

use super::tail;
use crate::character::{Joint, Posture, Rig};
use crate::ease::mixable;
use crate::limb::Limb;
use crate::turn;
use glam::DVec3;

mixable! {
    /// A pose, in meters and degrees, along the model axes.
    pub(super) struct Stance {
        /// The displacement of the hips from rest, in meters.
        pub(super) hips: DVec3,
        /// The hips' lean forward (nose down), turn to the left and tilt to the right, in degrees.
        pub(super) pelvis: DVec3,
        /// The chest's lean, turn and tilt, in degrees. The spine bends evenly between hips and chest.
        pub(super) chest: DVec3,
        /// The neck's lean, turn and tilt, in degrees.
        pub(super) neck: DVec3,
        /// The head's lean, turn and tilt, in degrees.
        pub(super) head: DVec3,
        /// The angle by which the mouth is open, in degrees.
        pub(super) jaw: f64,
        /// The angle by which the ears lie back, in degrees.
        pub(super) ears: f64,
        /// The rotation of the tail's root, in degrees: upward (x) and to the left (y).
        pub(super) tail: DVec3,
        /// The additional rotation of each further tail joint, in degrees.
        pub(super) tail_bend: DVec3,
        /// The left front leg.
        pub(super) front_left: Leg,
        /// The right front leg.
        pub(super) front_right: Leg,
        /// The left hind leg.
        pub(super) hind_left: Leg,
        /// The right hind leg.
        pub(super) hind_right: Leg,
    }
}

mixable! {
    /// The pose of a leg.
    pub(super) struct Leg {
        /// The displacement of the paw from rest, in meters; x points outward and y up.
        pub(super) paw: DVec3,
        /// The angle by which the pastern (the bone above the paw) leans forward from its rest direction, in degrees.
        pub(super) pastern: f64,
        /// The angle by which the toes point down from horizontal, in degrees.
        pub(super) toes: f64,
    }
}

impl Leg {
    /// The leg at rest.
    pub(super) const STANDING: Self = Self { paw: DVec3::ZERO, pastern: 0.0, toes: 0.0 };
}

impl Stance {
    /// The hound at rest.
    pub(super) const STANDING: Self = Self {
        hips: DVec3::ZERO,
        pelvis: DVec3::ZERO,
        chest: DVec3::ZERO,
        neck: DVec3::ZERO,
        head: DVec3::ZERO,
        jaw: 0.0,
        ears: 0.0,
        tail: DVec3::ZERO,
        tail_bend: DVec3::ZERO,
        front_left: Leg::STANDING,
        front_right: Leg::STANDING,
        hind_left: Leg::STANDING,
        hind_right: Leg::STANDING,
    };
}

/// A rig with its legs, ready to be posed.
pub(super) struct Puppet<'rig> {
    rig: &'rig Rig,
    front: [Strings; 2],
    hind: [Strings; 2],
}

/// A leg: two bones that reach for the top of the pastern, then pastern and paw.
struct Strings {
    side: f64,
    upper: Joint,
    lower: Joint,
    pastern: Joint,
    paw: Joint,
    limb: Limb,
    bulge: DVec3,
}

impl<'rig> Puppet<'rig> {
    pub(super) fn new(rig: &'rig Rig) -> Self {
        let strings = |names: [&str; 4], bulge: DVec3, suffix: &str, side: f64| {
            let [upper, lower, pastern, paw] = names.map(|name| rig.find(&format!("{name}_{suffix}")));
            let limb = Limb::new(rig.head(upper), rig.head(lower), rig.head(pastern), bulge);
            Strings { side, upper, lower, pastern, paw, limb, bulge }
        };
        let pair = |names: [&str; 4], bulge: DVec3| [strings(names, bulge, "l", 1.0), strings(names, bulge, "r", -1.0)];
        Self {
            rig,
            front: pair(["upperarm", "forearm", "front_pastern", "front_paw"], -DVec3::Z),
            hind: pair(["thigh", "shin", "hind_pastern", "hind_paw"], DVec3::Z),
        }
    }

    pub(super) fn posture(&self, stance: &Stance) -> Posture {
        let mut posture = self.rig.rest();
        posture.shift = stance.hips;
        let [pelvis, chest, neck, head] =
            [stance.pelvis, stance.chest, stance.neck, stance.head].map(turn::lean_turn_tilt);
        let mut set = |name: &str, turn| posture.turns[self.rig.find(name)] = turn;
        set("hips", pelvis);
        set("spine_01", turn::between(&pelvis, &chest, 0.35));
        set("spine_02", turn::between(&pelvis, &chest, 0.7));
        set("chest", chest);
        set("neck_01", turn::between(&chest, &neck, 0.6));
        set("neck_02", neck);
        set("head", head);
        set("jaw", head * turn::about(DVec3::X, stance.jaw));
        for side in ["l", "r"] {
            let ear = head * turn::about(DVec3::X, -stance.ears);
            set(&format!("ear_{side}"), ear);
            set(&format!("ear_tip_{side}"), ear);
            set(&format!("shoulder_{side}"), chest);
        }
        let mut bend = stance.tail;
        for joint in ["tail_01", "tail_02", "tail_03", "tail_04"] {
            // A tail points backward, so a lean forward raises it.
            set(joint, pelvis * turn::about(DVec3::Y, -bend.y) * turn::about(DVec3::X, bend.x));
            bend += stance.tail_bend;
        }
        let legs = [&stance.front_left, &stance.front_right, &stance.hind_left, &stance.hind_right];
        for (strings, leg) in self.front.iter().chain(&self.hind).zip(legs) {
            self.place(&mut posture, strings, leg);
        }
        posture
    }

    fn place(&self, posture: &mut Posture, strings: &Strings, leg: &Leg) {
        let rest = |joint: Joint| self.rig.head(joint);
        let pastern = turn::about(DVec3::X, leg.pastern);
        let toes = turn::about(DVec3::X, leg.toes);
        // The tip of the toes stays at the position of `paw` while the toes point down.
        let tip = tail(self.rig, strings.paw) + DVec3::new(leg.paw.x * strings.side, leg.paw.y, leg.paw.z);
        let paw = tip - toes * (tail(self.rig, strings.paw) - rest(strings.paw));
        let top = paw - pastern * (rest(strings.paw) - rest(strings.pastern));
        let root = posture.heads(self.rig)[strings.upper];
        let reach = strings.limb.reach(root, top, strings.bulge);
        posture.turns[strings.upper] = reach.upper;
        posture.turns[strings.lower] = reach.lower;
        posture.turns[strings.pastern] = pastern;
        posture.turns[strings.paw] = toes;
    }
}
