//! The joints that get a body, and the hitboxes of each body.

use super::character::Character;
use super::mass::MassProperties;
use crate::options::{RagdollError, RagdollJointSettings, RagdollSettings};
use crate::skin::bound_mesh::affine_to_f64;
use baked_format::{BodyShape, HitboxRole, body_shape};
use glam::{DAffine3, DMat3, DQuat, DVec3};
use skeleton::JointIndex;

/// The mass of a human figure in kilograms.
const HUMAN_MASS: f64 = 75.0;

/// The density of other figures in kg/m³: that of water, which most animals come near to.
const DENSITY: f64 = 1_000.0;

/// For its mass, a shape is at least this thick, as a share of the height: a flat shape has no volume.
const THINNEST: f64 = 0.002;

/// No body is lighter than this share of all bodies by volume. A joint whose skin is a single fold has next to no volume, but a body
/// that weighs next to nothing cannot be simulated.
const LEAST_SHARE: f64 = 0.001;

/// A rigid place in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) rotation: DQuat,
    pub(super) translation: DVec3,
}

impl Place {
    /// The rotation of a matrix comes from its axes x and y, so scale and shear do not matter; a mirror turns axis z around.
    /// `None` if an axis has no length.
    pub(super) fn of(matrix: &DAffine3) -> Option<Self> {
        let x = matrix.matrix3.x_axis.try_normalize()?;
        let y = matrix.matrix3.y_axis.try_normalize()?;
        let y = (y - x * x.dot(y)).try_normalize()?;
        let rotation = DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize();
        Some(Self { rotation, translation: matrix.translation })
    }

    pub(super) fn point_back(&self, point: DVec3) -> DVec3 {
        self.rotation.conjugate() * (point - self.translation)
    }

    fn inverse(&self) -> DAffine3 {
        DAffine3::from_rotation_translation(self.rotation, self.translation).inverse()
    }
}

/// A body while the ragdoll is made.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) joint: JointIndex,
    /// `model_from_body` in the rest pose.
    pub(super) rest: Place,
    /// `joint_from_body`, without the translation: the two have their origin in common.
    pub(super) joint_from_body: DMat3,
    /// The shapes in the space of the body.
    pub(super) shapes: Vec<BodyShape>,
    /// For each shape, the volume of the skin's hull in it in cubic meters, or 0 if that is not known.
    pub(super) skin_volumes: Vec<f64>,
    pub(super) settings: RagdollJointSettings,
    pub(super) mass: MassProperties,
}

impl Body {
    /// The direction of the bone in the space of the body: from the joint to the center of mass.
    pub(super) fn bone(&self) -> DVec3 {
        self.mass.center.normalize_or(DVec3::X)
    }
}

/// Makes the bodies, in the order of their joints. Hitboxes are sorted by joint, and a joint comes after that of its body, so the
/// hitboxes of a body are sorted too.
pub(super) fn of_joints(character: &Character<'_>, settings: &RagdollSettings) -> Result<Vec<Body>, RagdollError> {
    let skeleton = character.skeleton;
    let model_from_joint = skeleton.rest_matrices();
    let model_from_joint: Vec<DAffine3> = model_from_joint.iter().map(affine_to_f64).collect();
    let hurt = (0..).zip(character.hitboxes).filter(|(_, one)| one.role == HitboxRole::Hurt);
    let mut hitboxes_of_joint = vec![Vec::new(); skeleton.len()];
    for (index, hitbox) in hurt {
        hitboxes_of_joint[hitbox.joint.index()].push(index);
    }
    let too_large = |joint: JointIndex| RagdollError::TooLarge { joint: skeleton.joint(joint).name.clone() };

    let mut bodies: Vec<Body> = Vec::new();
    let mut body_of_joint: Vec<Option<usize>> = Vec::with_capacity(skeleton.len());
    for (index, joint) in (0..=u16::MAX).map(JointIndex).zip(skeleton.joints()) {
        let above = joint.parent.and_then(|parent| body_of_joint[parent.index()]);
        let hitboxes: &[u16] = &hitboxes_of_joint[index.index()];
        let matrix = &model_from_joint[index.index()];
        let own = settings.of_joint(&joint.name);
        let largest = |place: &Place| -> Result<f64, RagdollError> {
            let body_from_joint = place.inverse() * *matrix;
            hitboxes.iter().try_fold(0.0, |most: f64, &one| {
                let shape = shape(character, one, &body_from_joint).ok_or_else(|| too_large(index))?;
                Ok(most.max(longest_edge(&shape)))
            })
        };
        let rest = Place::of(matrix).filter(|_| !hitboxes.is_empty() && matrix.matrix3.determinant() != 0.0);
        let is_body = match (rest, own.body) {
            (None, _) => false,
            (Some(_), Some(wanted)) => wanted,
            (Some(place), None) => {
                character.all_joints || above.is_none() || largest(&place)? >= settings.min_body * character.height
            }
        };
        if let Some(rest) = rest.filter(|_| is_body) {
            let joint_from_body = matrix.matrix3.inverse() * DMat3::from_quat(rest.rotation);
            body_of_joint.push(Some(bodies.len()));
            bodies.push(Body {
                joint: index,
                rest,
                joint_from_body,
                shapes: Vec::new(),
                skin_volumes: Vec::new(),
                settings: own,
                mass: MassProperties::NONE,
            });
        } else {
            body_of_joint.push(above);
        }
        let Some(body) = body_of_joint[index.index()] else { continue };
        let body_from_joint = bodies[body].rest.inverse() * *matrix;
        for &hitbox in hitboxes {
            let skin = f64::from(character.hitboxes[usize::from(hitbox)].hull_volume);
            bodies[body].shapes.push(shape(character, hitbox, &body_from_joint).ok_or_else(|| too_large(index))?);
            bodies[body].skin_volumes.push(skin * body_from_joint.matrix3.determinant().abs());
        }
    }
    if bodies.is_empty() { Err(RagdollError::NoBody) } else { Ok(bodies) }
}

fn shape(character: &Character<'_>, hitbox: u16, body_from_joint: &DAffine3) -> Option<BodyShape> {
    body_shape(hitbox, &character.hitboxes[usize::from(hitbox)], body_from_joint).ok()
}

/// The longest edge of the box around a shape along the shape's axes.
fn longest_edge(shape: &BodyShape) -> f64 {
    2.0 * f64::from(shape.half_extents().max_element())
}

/// Gives each body its mass: the share of the whole that its skin's volume has.
pub(super) fn share_mass(
    bodies: &mut [Body],
    character: &Character<'_>,
    settings: &RagdollSettings,
) -> Result<(), RagdollError> {
    let thinnest = THINNEST * character.height;
    let mut volumes = Vec::with_capacity(bodies.len());
    for body in &mut *bodies {
        let parts = body.shapes.iter().zip(&body.skin_volumes).map(|(shape, &skin)| {
            let solid = MassProperties::of_solid(&shape.solid, thinnest);
            // The skin's hull lies in the shape. A shape that was not fitted has no skin of its own.
            let volume = if skin > 0.0 { skin.min(solid.mass) } else { solid.mass };
            solid.placed(shape, volume)
        });
        body.mass = MassProperties::sum(&parts.collect::<Vec<_>>());
        volumes.push(body.mass.mass);
    }
    let usual = if character.humanoid.is_some() { HUMAN_MASS } else { DENSITY * volumes.iter().sum::<f64>() };
    let least = LEAST_SHARE * volumes.iter().sum::<f64>();
    let weights: Vec<f64> = volumes.iter().map(|volume| volume.max(least)).collect();
    let whole = settings.mass.unwrap_or(usual);
    let given: f64 = bodies.iter().filter_map(|body| body.settings.mass).sum();
    let free = bodies.iter().zip(&weights).filter(|(one, _)| one.settings.mass.is_none());
    let others: f64 = free.map(|(_, weight)| weight).sum();
    if others > 0.0 && given >= whole {
        return Err(RagdollError::Mass { given, whole });
    }
    for (body, (volume, weight)) in bodies.iter_mut().zip(volumes.iter().zip(weights)) {
        let mass = body.settings.mass.unwrap_or((whole - given) * weight / others);
        body.mass.inertia *= mass / volume;
        body.mass.mass = mass;
    }
    Ok(())
}
