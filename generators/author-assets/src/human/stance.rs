//! A human pose in terms that apply to bodies of any size.

use crate::ease::mixable;
use glam::DVec3;

mixable! {
    /// A pose. Directions are along the model axes (x to the body's left, y up, z forward), lengths are shares of a
    /// limb's length, and angles are in degrees.
    pub struct Stance {
        /// The displacement of the hips from rest, in leg lengths.
        pub hips: DVec3,
        /// The pelvis' lean forward, turn to the left and tilt to the right, in degrees.
        pub pelvis: DVec3,
        /// The chest's lean, turn and tilt, in degrees. The spine bends evenly between pelvis and chest.
        pub chest: DVec3,
        /// The head's lean, turn and tilt, in degrees. The neck bends between chest and head.
        pub head: DVec3,
        /// The left arm.
        pub left_arm: Arm,
        /// The right arm.
        pub right_arm: Arm,
        /// The left leg.
        pub left_leg: Leg,
        /// The right leg.
        pub right_leg: Leg,
    }
}

mixable! {
    /// The pose of an arm. x points *outward*, away from the middle of the body, so that both sides have equal numbers.
    pub struct Arm {
        /// The rotation of the shoulder blade in degrees: upward (x) and forward (y).
        pub shoulder: DVec3,
        /// The vector from the shoulder joint to the wrist, in arm lengths (from shoulder to wrist).
        pub wrist: DVec3,
        /// The direction in which the elbow points.
        pub elbow: DVec3,
        /// The direction in which the fingers of the flat hand point.
        pub fingers: DVec3,
        /// The direction in which the palm faces.
        pub palm: DVec3,
        /// The closing of the hand, from 0 (a flat hand) to 1 (a fist).
        pub fist: f64,
    }
}

mixable! {
    /// The pose of a leg. x points *outward*.
    pub struct Leg {
        /// The displacement of the ball of the foot from rest, in leg lengths; y is the height of the sole's lowest
        /// point.
        pub ball: DVec3,
        /// The angle by which the heel (positive) or the toes (negative) are raised, in degrees. The other end of the
        /// sole stays down.
        pub heel: f64,
        /// The angle by which the foot is turned outward, in degrees.
        pub turn: f64,
        /// The direction in which the knee points.
        pub knee: DVec3,
        /// 0: `ball`, `heel` and `turn` place the foot on the ground. 1: `ankle` and `point` place the leg in the air.
        pub air: f64,
        /// The vector from the hip joint to the ankle, in leg lengths (from hip to ankle), for a leg in the air.
        pub ankle: DVec3,
        /// The angle by which the foot is stretched from a right angle to the shin, in degrees, for a leg in the air.
        pub point: f64,
    }
}

impl Arm {
    /// The arm hangs beside the body.
    pub const HANGING: Self = Self {
        shoulder: DVec3::ZERO,
        wrist: DVec3::new(0.20, -0.955, 0.09),
        elbow: DVec3::new(0.5, 0.0, -1.0),
        fingers: DVec3::new(0.0, -1.0, 0.12),
        palm: DVec3::new(-1.0, 0.0, -0.25),
        fist: 0.35,
    };

    /// The fist is in front of the cheek, and the elbow is down.
    pub const GUARD: Self = Self {
        shoulder: DVec3::new(4.0, 10.0, 0.0),
        wrist: DVec3::new(-0.08, 0.10, 0.46),
        elbow: DVec3::new(0.45, -1.0, -0.1),
        fingers: DVec3::new(-0.25, 0.9, 0.45),
        palm: DVec3::new(-0.9, -0.1, -0.5),
        fist: 1.0,
    };
}

impl Leg {
    /// The leg stands as at rest.
    pub const STANDING: Self = Self {
        ball: DVec3::ZERO,
        heel: 0.0,
        turn: 0.0,
        knee: DVec3::new(0.12, 0.0, 1.0),
        air: 0.0,
        ankle: DVec3::new(0.0, -0.9, 0.0),
        point: 0.0,
    };
}

impl Stance {
    /// The body stands upright with hanging arms.
    pub const UPRIGHT: Self = Self {
        hips: DVec3::new(0.0, -0.012, 0.0),
        pelvis: DVec3::ZERO,
        chest: DVec3::ZERO,
        head: DVec3::ZERO,
        left_arm: Arm::HANGING,
        right_arm: Arm::HANGING,
        left_leg: Leg::STANDING,
        right_leg: Leg::STANDING,
    };

    /// The left foot and shoulder are in front, the fists up and the knees bent. Fights start from this pose and return
    /// to it.
    pub const GUARD: Self = Self {
        hips: DVec3::new(0.0, -0.075, -0.03),
        pelvis: DVec3::new(4.0, -24.0, 0.0),
        chest: DVec3::new(9.0, -32.0, 0.0),
        head: DVec3::new(6.0, -4.0, 0.0),
        left_arm: Arm { wrist: DVec3::new(-0.26, 0.06, 0.52), ..Arm::GUARD },
        right_arm: Arm { wrist: DVec3::new(0.02, 0.06, 0.42), ..Arm::GUARD },
        left_leg: Leg {
            ball: DVec3::new(0.0, 0.0, 0.20),
            turn: -8.0,
            knee: DVec3::new(0.1, 0.0, 1.0),
            ..Leg::STANDING
        },
        right_leg: Leg {
            ball: DVec3::new(0.06, 0.0, -0.26),
            heel: 18.0,
            turn: 28.0,
            knee: DVec3::new(0.45, 0.0, 1.0),
            ..Leg::STANDING
        },
    };

    /// The same pose with left and right exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let turn = |v: DVec3| DVec3::new(v.x, -v.y, -v.z);
        Self {
            hips: DVec3::new(-self.hips.x, self.hips.y, self.hips.z),
            pelvis: turn(self.pelvis),
            chest: turn(self.chest),
            head: turn(self.head),
            left_arm: self.right_arm,
            right_arm: self.left_arm,
            left_leg: self.right_leg,
            right_leg: self.left_leg,
        }
    }
}
