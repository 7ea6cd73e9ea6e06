//! The ranges of the joints of a person.

use super::bodies::{Body, Place};
use super::character::Character;
use super::character::DEGREE;
use super::range::Range;
use super::swing_twist::rotation_about;
use baked_format::ConstraintKind;
use geometry_core::portable::shortest_turn;
use glam::{DMat3, DQuat, DVec3};
use skeleton::humanoid::HumanBone;

/// The range of one kind of joint, in degrees.
///
/// Source: American Academy of Orthopaedic Surgeons, *Joint Motion: Method of Measuring and Recording* (1965).
#[derive(Clone, Copy, Debug)]
enum Row {
    /// The bone turns about one axis from straight (0) by at most this angle.
    Hinge { flexion: f64, toward: Toward },
    /// The bone swings from `neutral` to the front and to the back, to its own side and to the other side, and twists.
    Ball { neutral: Neutral, front: f64, back: f64, outward: f64, inward: f64, twist: f64 },
}

/// The direction to which a hinge bends.
#[derive(Clone, Copy, Debug)]
enum Toward {
    Front,
    Back,
}

/// The direction of a bone from which its swing counts.
#[derive(Clone, Copy, Debug)]
enum Neutral {
    /// As in the rest pose.
    Rest,
    Down,
    /// As the bone above.
    Straight,
    /// To the side and to the front, in the middle of what an arm reaches: 0 to 180 degrees of abduction, and 45 degrees
    /// to the back to 135 degrees across the chest.
    SideAndFront,
}

/// The spine as a whole, which its bones share. Neck and head share another range.
const SPINE: [f64; 4] = [80.0, 25.0, 35.0, 45.0];
const NECK: [f64; 4] = [45.0, 45.0, 45.0, 60.0];

/// The figure's own directions in model space.
struct Figure {
    left: DVec3,
    up: DVec3,
    front: DVec3,
}

/// Returns the range of the joint of a humanoid's bone; `None` for other joints, and for fingers and eyes, which have no row.
///
/// `parent` is the place of the parent body in the rest pose, and `above` that of the joint of the bone above.
pub(super) fn human_range(character: &Character<'_>, bodies: &[Body], index: usize, parent: usize) -> Option<Range> {
    let humanoid = character.humanoid?;
    let bone = humanoid.bone(bodies[index].joint)?;
    let body = |bone: HumanBone| bodies.iter().find(|body| Some(body.joint) == humanoid.joint(bone));
    let row = row(bone, |bone| body(bone).is_some())?;
    let figure = Figure::of(character)?;
    let is_left = bone.name().starts_with("left");
    let outward = if is_left { figure.left } else { -figure.left };
    let (own, held_by) = (&bodies[index], &bodies[parent]);
    let direction = own.rest.rotation * own.bone();
    let straight = (own.rest.translation - held_by.rest.translation).normalize_or(direction);
    Some(match row {
        Row::Hinge { flexion, toward } => {
            let toward = match toward {
                Toward::Front => figure.front,
                Toward::Back => -figure.front,
            };
            let axis = straight.cross(toward).try_normalize()?;
            let middle = rotation_about(axis * (0.5 * flexion * DEGREE));
            let limits = DVec3::new(0.5 * flexion * DEGREE, 0.0, 0.0);
            frames(ConstraintKind::Hinge, own, held_by, direction, straight, [axis, straight], middle, limits)
        }
        Row::Ball { neutral, front, back, outward: out, inward, twist } => {
            let neutral = match neutral {
                Neutral::Rest => direction,
                Neutral::Down => -figure.up,
                Neutral::Straight => straight,
                Neutral::SideAndFront => (outward + figure.front).normalize(),
            };
            let to_front = neutral.cross(figure.front).try_normalize().unwrap_or(-figure.left);
            let to_side = neutral.cross(outward).try_normalize().unwrap_or(figure.up);
            let middle = rotation_about(to_front * (0.5 * (front - back) * DEGREE))
                * rotation_about(to_side * (0.5 * (out - inward) * DEGREE));
            let limits = DVec3::new(twist, 0.5 * (front + back), 0.5 * (out + inward)) * DEGREE;
            frames(ConstraintKind::Ball, own, held_by, direction, neutral, [neutral, to_front], middle, limits)
        }
    })
}

/// Makes the frames. `axes` are the frame's x and y in model space where the bone points to `neutral`, and `middle` turns from
/// there to the middle of the range.
fn frames(
    kind: ConstraintKind,
    own: &Body,
    held_by: &Body,
    direction: DVec3,
    neutral: DVec3,
    [x, y]: [DVec3; 2],
    middle: DQuat,
    limits: DVec3,
) -> Range {
    let y = (y - x * x.dot(y)).normalize_or(x.any_orthonormal_vector());
    let model_from_frame = DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize();
    let back = |place: &Place| place.rotation.conjugate();
    Range {
        kind,
        parent_from_frame: back(&held_by.rest) * middle * model_from_frame,
        body_from_frame: back(&own.rest) * shortest_turn(neutral, direction) * model_from_frame,
        limits,
    }
}

fn row(bone: HumanBone, has_body: impl Fn(HumanBone) -> bool) -> Option<Row> {
    use HumanBone as B;
    let shared = |bones: &[B], [front, back, side, twist]: [f64; 4]| {
        let count = bones.iter().filter(|bone| has_body(**bone)).count().max(1) as f64;
        let [front, back, side, twist] = [front, back, side, twist].map(|whole| whole / count);
        Row::Ball { neutral: Neutral::Rest, front, back, outward: side, inward: side, twist }
    };
    let ball = |neutral, [front, back, outward, inward, twist]: [f64; 5]| Row::Ball {
        neutral,
        front,
        back,
        outward,
        inward,
        twist,
    };
    Some(match bone {
        B::Spine | B::Chest | B::UpperChest => shared(&[B::Spine, B::Chest, B::UpperChest], SPINE),
        B::Neck | B::Head => shared(&[B::Neck, B::Head], NECK),
        B::LeftUpperLeg | B::RightUpperLeg => ball(Neutral::Down, [120.0, 30.0, 45.0, 30.0, 45.0]),
        B::LeftLowerLeg | B::RightLowerLeg => Row::Hinge { flexion: 135.0, toward: Toward::Back },
        // A foot points to the front, so that its front is up. It rolls 35 degrees in and 15 out, which is its twist.
        B::LeftFoot | B::RightFoot => ball(Neutral::Rest, [20.0, 50.0, 10.0, 10.0, 25.0]),
        B::LeftToes | B::RightToes => ball(Neutral::Rest, [70.0, 45.0, 5.0, 5.0, 5.0]),
        // The norm has no row for the collarbone.
        B::LeftShoulder | B::RightShoulder => ball(Neutral::Rest, [15.0, 15.0, 20.0, 20.0, 5.0]),
        B::LeftUpperArm | B::RightUpperArm => ball(Neutral::SideAndFront, [90.0, 90.0, 90.0, 90.0, 80.0]),
        B::LeftLowerArm | B::RightLowerArm => Row::Hinge { flexion: 150.0, toward: Toward::Front },
        // The front is to the thumb. The palm and the back of the hand are the sides, and the forearm turns with the hand.
        B::LeftHand | B::RightHand => ball(Neutral::Straight, [20.0, 30.0, 75.0, 75.0, 80.0]),
        _ => return None,
    })
}

impl Figure {
    /// The figure stands upright in the rest pose, and its legs are beside each other.
    fn of(character: &Character<'_>) -> Option<Self> {
        let humanoid = character.humanoid?;
        let mut model_from_joint = vec![glam::Affine3A::IDENTITY; character.skeleton.len()];
        character.skeleton.model_from_joints(&character.skeleton.rest_pose(), &mut model_from_joint);
        let at = |bone: HumanBone| {
            Some(glam::Vec3::from(model_from_joint[humanoid.joint(bone)?.index()].translation).as_dvec3())
        };
        let up = DVec3::Y;
        let across = at(HumanBone::LeftUpperLeg)? - at(HumanBone::RightUpperLeg)?;
        let left = (across - up * up.dot(across)).try_normalize()?;
        Some(Self { left, up, front: left.cross(up) })
    }
}
