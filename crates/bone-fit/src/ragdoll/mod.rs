//! The ragdoll of a character: bodies from hitboxes, constraints from clips.

mod character;
mod mass;
mod bodies;
mod body_poses;
mod human_ranges;
mod pairs;
mod range;
mod sides;
mod swing_twist;
mod tree;
#[cfg(test)]
mod tests;

use crate::options::{RagdollError, RagdollJointSettings, RagdollSettings};
use baked_format::{BakeWarning, Constraint, ConstraintKind, HitboxRole, LimitSource, Ragdoll, RagdollBody};
use bodies::Body;
use body_poses::BodyPoses;
pub(crate) use character::Character;
use character::DEGREE;
use glam::DVec3;
use human_ranges::human_range;
use range::{Range, Turns};
use rayon::prelude::*;
use sides::Sides;
use skeleton::{JointIndex, NamePattern, Skeleton};

/// A constraint without clips and without a human range turns this far to each side.
const UNKNOWN_LIMIT: f64 = 15.0 * DEGREE;

/// A joint that turns less than this in all clips says nothing about its range.
const MOVES: f64 = 2.0 * DEGREE;

/// The damping ratio of a body that hangs at its joint as a pendulum as long as the character is tall. It scales with mass
/// and size, so a small character comes to rest as a large one does.
const DAMPING_RATIO: f64 = 0.5;

/// The least damping, as a share of that of the whole figure's mass at the end of such a pendulum. Limbs that are light for their
/// figure, such as the legs of one with a large head, would swing and shake for seconds.
const LEAST_DAMPING: f64 = 0.001;

/// Standard gravity in m/s².
const GRAVITY: f64 = 9.806_65;

/// A ragdoll, and what is odd about it.
pub(crate) struct FoundRagdoll {
    pub(crate) ragdoll: Ragdoll,
    pub(crate) warnings: Vec<BakeWarning>,
}

/// Makes the ragdoll of a character.
pub(crate) fn find(character: &Character<'_>, settings: &RagdollSettings) -> Result<FoundRagdoll, RagdollError> {
    let mut bodies = bodies::of_joints(character, settings)?;
    bodies::share_mass(&mut bodies, character, settings)?;
    let poses = BodyPoses::sample(character, &bodies);
    let tree = tree::connect(character, &bodies, &poses);
    let (bodies, poses) = tree.in_order(bodies, poses);
    let sides = Sides::find(character, &bodies, &tree.parents);
    let maker = Maker { character, settings, bodies: &bodies, poses: &poses, parents: &tree.parents, sides: &sides };
    let ragdoll = Ragdoll {
        bodies: (0..).zip(maker.ranges()).map(|(index, range)| maker.body(index, range)).collect(),
        no_collision: pairs::never_collide(&bodies, &tree.parents, &poses),
    };
    let mut warnings = without_effect(settings, &bodies, character.skeleton);
    warnings.extend(left_out(character, &bodies));
    warnings.extend(tree.loose(&bodies, character));
    warnings.extend(unknown_limits(&ragdoll, character.skeleton));
    Ok(FoundRagdoll { ragdoll, warnings })
}

/// A range, and where it comes from.
struct FoundRange {
    range: Range,
    from: LimitSource,
}

/// Makes the bodies of a tree that is known.
struct Maker<'a> {
    character: &'a Character<'a>,
    settings: &'a RagdollSettings,
    bodies: &'a [Body],
    poses: &'a BodyPoses,
    parents: &'a [Option<usize>],
    sides: &'a Sides,
}

impl Maker<'_> {
    fn body(&self, index: usize, range: Option<FoundRange>) -> RagdollBody {
        let body = &self.bodies[index];
        RagdollBody {
            joint: body.joint,
            position: body.rest.translation.as_vec3(),
            rotation: body.rest.rotation.as_quat().normalize(),
            boxes: body.shapes.iter().map(|shape| shape.hitbox).collect(),
            mass: body.mass.mass as f32,
            center_of_mass: body.mass.center.as_vec3(),
            inertia: body.mass.inertia_numbers(),
            constraint: range.zip(self.parents[index]).map(|(range, parent)| self.constraint(index, parent, range)),
        }
    }

    fn constraint(&self, index: usize, parent: usize, found: FoundRange) -> Constraint {
        let (body, settings) = (&self.bodies[index], &self.bodies[index].settings);
        let FoundRange { range, from: mut limits_from } = found;
        let is_hinge = range.kind == ConstraintKind::Hinge;
        let slack = match limits_from {
            LimitSource::Clips => self.settings.slack * DEGREE,
            _ => 0.0,
        };
        let mut limits = (range.limits + DVec3::splat(slack)).min(DVec3::splat(std::f64::consts::PI));
        if let Some(twist) = settings.twist {
            (limits.x, limits_from) = (twist * DEGREE, LimitSource::Settings);
        }
        if let Some([y, z]) = settings.swing {
            (limits.y, limits.z, limits_from) = (y * DEGREE, z * DEGREE, LimitSource::Settings);
        }
        if is_hinge {
            (limits.y, limits.z) = (0.0, 0.0);
        }
        Constraint {
            parent: parent as u16,
            kind: range.kind,
            anchor: self.bodies[parent].rest.point_back(body.rest.translation).as_vec3(),
            parent_from_frame: range.parent_from_frame.as_quat().normalize(),
            body_from_frame: range.body_from_frame.as_quat().normalize(),
            limits: limits.as_vec3(),
            stiffness: settings.stiffness.unwrap_or(0.0) as f32,
            damping: settings.damping.unwrap_or_else(|| self.damping(body)) as f32,
            limits_from,
        }
    }

    /// The range of each body, without slack; `None` for roots.
    fn ranges(&self) -> Vec<Option<FoundRange>> {
        let is_image = |&(index, other): &(usize, usize)| {
            other < index && self.bodies[index].settings.hinge == self.bodies[other].settings.hinge
        };
        let first = |index: usize| Some((index, self.sides.other(index)?)).filter(is_image).map(|(_, first)| first);
        let own = |index: usize| match (self.parents[index], first(index)) {
            (Some(parent), None) => Some(self.range(index, parent)),
            _ => None,
        };
        let mut ranges: Vec<Option<FoundRange>> = (0..self.bodies.len()).into_par_iter().map(own).collect();
        let places = |body: usize| Some([body, self.parents[body]?].map(|one| &self.bodies[one].rest));
        for index in 0..ranges.len() {
            let image = first(index).and_then(|first| {
                let FoundRange { range, from } = ranges[first].as_ref()?;
                Some(FoundRange { range: self.sides.image(range, places(first)?, places(index)?), from: *from })
            });
            ranges[index] = image.or(ranges[index].take());
        }
        ranges
    }

    /// From the clips if they move the joint or its image on the other side, or else from the table of human ranges.
    fn range(&self, index: usize, parent: usize) -> FoundRange {
        let hinge = self.bodies[index].settings.hinge;
        let rotations = self.sides.turns(self.poses, self.bodies, self.parents, index);
        // Half as many may be outside of both sides together, so that each side has its share.
        let both = if self.sides.other(index).is_some() { 0.5 } else { 1.0 };
        let share = 1.0 - both * (1.0 - self.settings.share);
        let turns = Turns { rotations: &rotations, bone: self.bodies[index].bone(), share };
        if turns.most() >= MOVES {
            return FoundRange { range: turns.range(hinge), from: LimitSource::Clips };
        }
        if let Some(range) = human_range(self.character, self.bodies, index, parent) {
            // The figure stands as it stands, even if no person can.
            let limits = range.limits.max(turns.largest(&range));
            return FoundRange { range: Range { limits, ..range }, from: LimitSource::HumanRange };
        }
        let rest = Turns { rotations: &rotations[..1], ..turns };
        let limits = DVec3::splat(UNKNOWN_LIMIT);
        let range = Range { limits, ..rest.range(Some(hinge == Some(true))) };
        FoundRange { range, from: LimitSource::Unknown }
    }

    fn damping(&self, body: &Body) -> f64 {
        let inertia = body.mass.inertia_about(DVec3::ZERO);
        let most = [inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z].into_iter().fold(0.0, f64::max);
        let height = self.character.height;
        let whole: f64 = self.bodies.iter().map(|body| body.mass.mass).sum();
        let least = LEAST_DAMPING * whole * height * height;
        (2.0 * DAMPING_RATIO * most).max(least) * (GRAVITY / height).sqrt()
    }
}

/// Warns of hitboxes that can be hit but that no body has: their joint has no body, and neither has one above it.
fn left_out(character: &Character<'_>, bodies: &[Body]) -> Option<BakeWarning> {
    let has = |hitbox: u16| bodies.iter().any(|body| body.shapes.iter().any(|shape| shape.hitbox == hitbox));
    let hurt = (0..).zip(character.hitboxes).filter(|(_, one)| one.role == HitboxRole::Hurt);
    let mut joints: Vec<JointIndex> = hurt.filter(|(index, _)| !has(*index)).map(|(_, one)| one.joint).collect();
    joints.dedup();
    let names: Vec<String> =
        joints.iter().map(|joint| format!("{:?}", character.skeleton.joint(*joint).name)).collect();
    (!names.is_empty()).then(|| BakeWarning {
        code: "hitboxes-without-body".into(),
        joint: None,
        text: format!(
            "the ragdoll leaves out the hitboxes of {}: no joint above has a body, or the scale of the joint is 0; remove \
             `body = false`, or correct the scale",
            names.join(", ")
        ),
    })
}

/// Warns of patterns that match joints, but none with a body of its own.
fn without_effect(settings: &RagdollSettings, bodies: &[Body], skeleton: &Skeleton) -> Vec<BakeWarning> {
    let name = |body: &Body| skeleton.joint(body.joint).name.as_str();
    let is_idle = |(pattern, one): &&(NamePattern, RagdollJointSettings)| {
        one.body != Some(false)
            && skeleton.joints().iter().any(|joint| pattern.matches(&joint.name))
            && !bodies.iter().any(|body| pattern.matches(name(body)))
    };
    let warning = |(pattern, _): &(NamePattern, RagdollJointSettings)| BakeWarning {
        code: "ragdoll-joint-without-body".into(),
        joint: None,
        text: format!(
            "the settings of the ragdoll for {:?} have no effect: no joint that it matches has a body of its own; a body needs a \
             hitbox, and `body = true` if the hitbox is small",
            pattern.as_str()
        ),
    };
    settings.joints.iter().filter(is_idle).map(warning).collect()
}

fn unknown_limits(ragdoll: &Ragdoll, skeleton: &Skeleton) -> Option<BakeWarning> {
    let is_unknown =
        |body: &&RagdollBody| body.constraint.as_ref().is_some_and(|one| one.limits_from == LimitSource::Unknown);
    let names: Vec<String> =
        ragdoll.bodies.iter().filter(is_unknown).map(|body| format!("{:?}", skeleton.joint(body.joint).name)).collect();
    (!names.is_empty()).then(|| BakeWarning {
        code: "unknown-limits".into(),
        joint: None,
        text: format!(
            "no clip moves {}, so the ragdoll turns them by 15 degrees to each side; add clips that move them, or set `twist` and \
             `swing` in [ragdoll.joints]",
            names.join(", ")
        ),
    })
}
