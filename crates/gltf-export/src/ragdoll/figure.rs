//! A ragdoll with what its text forms share: unique names, places of bodies to each other, hinges, and the size.

use super::hinge::{Hinge, MakeHinges};
use super::rigid_bodies::{RigidBodies, RigidBody};
use super::xml::writable;
use crate::ExportError;
use baked_format::{BakedCharacter, BodyShape, ConstraintKind, RagdollBody};
use glam::{DQuat, DVec3};
use std::collections::{BTreeSet, HashSet};
use std::f64::consts::FRAC_1_SQRT_2;

/// Turns model space, with y up and z forward, into a space with z up and x forward.
pub(super) const Z_UP: DQuat = DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5);

/// Turns axis z to axis y, for capsules and cylinders that lie along z.
pub(super) const Y_FROM_Z: DQuat = DQuat::from_xyzw(-FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2);

/// The height of the figure that lengths and times of a simulation are made for, in meters.
const PERSON: f64 = 1.7;

/// The ragdoll of a character.
pub(super) struct Figure<'a> {
    pub(super) character: &'a BakedCharacter,
    /// The bodies, each after its parent.
    pub(super) parts: Vec<Part<'a>>,
    /// Pairs that never collide, with the pairs that a constraint holds together; indices into `parts`.
    pub(super) no_collision: BTreeSet<[u16; 2]>,
    /// The mass of all bodies in kilograms.
    pub(super) mass: f64,
    /// The longest edge of the box around all shapes in the rest pose, in meters, above 0.
    pub(super) size: f64,
    /// The lowest y of a shape in the rest pose, in model space.
    pub(super) lowest: f64,
    /// What the hitboxes lose in bodies, each a sentence.
    pub(super) warnings: Vec<String>,
}

/// A body with its place to what holds it.
pub(super) struct Part<'a> {
    pub(super) body: &'a RagdollBody,
    /// The name of the body's joint.
    pub(super) joint: &'a str,
    /// The name of the joint, with a number if another body has it, too.
    pub(super) name: String,
    /// The body that holds this one, an index into [`Figure::parts`].
    pub(super) parent: Option<usize>,
    /// The place in the rest pose: `parent_from_body`, or `world_from_body` with z up if nothing holds the body.
    pub(super) place: Place,
    /// The shapes in the space of the body, with sizes above zero.
    pub(super) shapes: Vec<BodyShape>,
    /// The hinges that stand for the constraint, in the order in which they turn the parent's space; none without a parent.
    pub(super) hinges: Vec<Hinge>,
}

/// A rotation and then a shift.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) position: DVec3,
    pub(super) rotation: DQuat,
}

impl Place {
    pub(super) const IDENTITY: Self = Self { position: DVec3::ZERO, rotation: DQuat::IDENTITY };

    fn of(body: &RagdollBody) -> Self {
        Self { position: body.position.as_dvec3(), rotation: body.rotation.as_dquat().normalize() }
    }

    pub(super) fn of_shape(shape: &BodyShape) -> Self {
        Self { position: shape.center.as_dvec3(), rotation: shape.rotation.as_dquat().normalize() }
    }

    pub(super) fn point(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.position
    }

    /// This place after another one.
    pub(super) fn after(&self, first: &Self) -> Self {
        Self { position: self.point(first.position), rotation: self.rotation * first.rotation }
    }

    fn to(&self, other: &Self) -> Self {
        let back = self.rotation.inverse();
        Self { position: back * (other.position - self.position), rotation: back * other.rotation }
    }
}

impl<'a> Figure<'a> {
    pub(super) fn new(character: &'a BakedCharacter, make_hinges: MakeHinges) -> Result<Self, ExportError> {
        let RigidBodies { bodies, no_collision, warnings } = RigidBodies::of(character)?;
        let places: Vec<Place> = bodies.iter().map(|body| Place::of(body.body)).collect();
        let mut names = Names::default();
        let (mut parts, mut no_collision) = (Vec::new(), BTreeSet::from_iter(no_collision));
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for (index, RigidBody { body, joint, shapes, .. }) in (0..).zip(bodies) {
            let model_from_body = places[usize::from(index)];
            for corner in shapes.iter().flat_map(corners) {
                let corner = model_from_body.point(corner);
                (low, high) = (low.min(corner), high.max(corner));
            }
            let parent = body.constraint.as_ref().map(|constraint| constraint.parent);
            no_collision.extend(parent.map(|parent| [parent, index]));
            let parent = parent.map(usize::from);
            let place = match parent {
                Some(parent) => places[parent].to(&model_from_body),
                None => Place { rotation: Z_UP, ..Place::IDENTITY }.after(&model_from_body),
            };
            let hinges = body.constraint.as_ref().map_or_else(Vec::new, |one| make_hinges(one, place.rotation));
            parts.push(Part { body, joint, name: names.unique(joint), parent, place, shapes, hinges });
        }
        // After the bodies, so that these keep the names of their joints.
        for part in &mut parts {
            for hinge in &mut part.hinges {
                hinge.name = names.unique(&format!("{}:{}", part.name, hinge.label));
            }
        }
        let size = (high - low).max_element().max(f64::from(f32::MIN_POSITIVE));
        let mass = parts.iter().map(|part| f64::from(part.body.mass)).sum();
        Ok(Self { character, parts, no_collision, mass, size, lowest: low.y, warnings })
    }

    /// The bodies that each body holds.
    pub(super) fn held(&self) -> Vec<Vec<usize>> {
        let mut held = vec![Vec::new(); self.parts.len()];
        for (body, part) in self.parts.iter().enumerate() {
            if let Some(parent) = part.parent {
                held[parent].push(body);
            }
        }
        held
    }

    /// The time that a fall takes, in multiples of that of a person: times of a simulation follow it.
    pub(super) fn time_scale(&self) -> f64 {
        (self.size / PERSON).sqrt()
    }

    /// Warnings about what bodies and hinges cannot hold.
    pub(super) fn all_warnings(&self) -> Vec<String> {
        let mut warnings = self.warnings.clone();
        let count = |is_so: &dyn Fn(&Hinge) -> Option<f64>| {
            let hinges = self.parts.iter().flat_map(|part| part.hinges.iter().map(move |hinge| (part, hinge)));
            let found: Vec<_> = hinges.filter_map(|(part, hinge)| Some((part, is_so(hinge)?.to_degrees()))).collect();
            let worst = found.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))?;
            Some((found.len(), worst.0.joint, worst.1))
        };
        let beyond = |hinge: &Hinge| Some(hinge.rest.abs() - hinge.limit?).filter(|angle| *angle > 0.01);
        if let Some((count, joint, degrees)) = count(&beyond) {
            warnings.push(format!(
                "{count} hinges are beyond their ranges in the rest pose, at most {degrees:.0} degrees (joint {joint:?}); a simulation that starts in the rest pose turns them back"
            ));
        }
        let wider = |hinge: &Hinge| Some(hinge.wider).filter(|angle| *angle > 0.1);
        if let Some((count, joint, degrees)) = count(&wider) {
            warnings.push(format!(
                "swing and twist become hinges, and {count} of these have ranges that are more than 6 degrees wider, at most {degrees:.0} (joint {joint:?}), because every pose within the limits must be within the ranges"
            ));
        }
        let unlimited = self.parts.iter().filter(|part| part.hinges.iter().any(|hinge| hinge.limit.is_none())).count();
        if unlimited > 0 {
            warnings.push(format!(
                "{unlimited} joints have a hinge without a limit, because they swing by more than 90 degrees about both axes or turn by 180 degrees"
            ));
        }
        let is_hinge =
            |part: &&Part<'_>| part.body.constraint.as_ref().is_some_and(|one| one.kind == ConstraintKind::Hinge);
        let off = |part: &Part<'a>| (part.joint, part.hinges.first().map_or(0.0, |hinge| hinge.off.to_degrees()));
        let tilted: Vec<_> = self.parts.iter().filter(is_hinge).map(off).filter(|(_, off)| *off > 1.0).collect();
        if let Some((joint, degrees)) = tilted.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)) {
            warnings.push(format!(
                "{} hinges lean out of their axis in the rest pose, at most {degrees:.0} degrees (joint {joint:?}), and keep that angle",
                tilted.len()
            ));
        }
        warnings
    }
}

/// The corners of the box around a shape, in the space of the body.
fn corners(shape: &BodyShape) -> [DVec3; 8] {
    let map = Place::of_shape(shape);
    let half = shape.half_extents().as_dvec3();
    std::array::from_fn(|corner| {
        let sign = |axis: usize| if corner >> axis & 1 == 0 { -1.0 } else { 1.0 };
        map.point(half * DVec3::new(sign(0), sign(1), sign(2)))
    })
}

/// Names that no two bodies have, as XML can hold them.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    /// `world` is the name of the space around all bodies in MJCF and URDF.
    fn unique(&mut self, joint: &str) -> String {
        let base = writable(joint);
        let numbered = (2..).map(|number| format!("{base} ({number})"));
        let mut names = std::iter::once(base.clone()).chain(numbered);
        let name = names.find(|name| !["", "world"].contains(&name.as_str()) && !self.0.contains(name));
        let name = name.unwrap_or(base);
        self.0.insert(name.clone());
        name
    }
}
