//! The shapes of a ragdoll's bodies, in the spaces of the bodies.

use crate::character::{BakedCharacter, Hitbox, HitboxShape};
use crate::hitbox_hull::HitboxHull;
use crate::ragdoll::RagdollBody;
use geometry_core::portable::shortest_turn;
use geometry_core::{Obb, ShapeError};
use glam::{Affine3A, DAffine3, DMat3, DVec3, Mat3, Quat, Vec3};
use skeleton::JointIndex;

/// A shape of a body, in the space of the body: rigid, in meters.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyShape {
    /// The hitbox, an index into [`BakedCharacter::boxes`].
    pub hitbox: u16,
    /// The center of the shape; of a hull, the center of its box.
    pub center: Vec3,
    /// The rotation from the shape's own axes (`body_from_shape`), a unit quaternion.
    pub rotation: Quat,
    /// The shape about its center and along its own axes.
    pub solid: BodySolid,
}

/// A solid along its own axes, with its center at the origin.
#[derive(Clone, Debug, PartialEq)]
pub enum BodySolid {
    /// A box with these half extents, each at least 0.
    Box(Vec3),
    /// All points within `radius` of a segment along axis y, which reaches `half_length` up and down.
    Capsule {
        /// Half the distance between the centers of the caps, at least 0.
        half_length: f32,
        /// The radius, at least 0.
        radius: f32,
    },
    /// A ball with this radius, at least 0.
    Sphere(f32),
    /// A convex hull. Its triangles are counterclockwise seen from outside.
    Hull(HitboxHull),
}

impl BakedCharacter {
    /// Returns the shapes of a body of [`BakedCharacter::ragdoll`], one for each of its hitboxes, in their order.
    ///
    /// Boxes that a joint's uneven scale slants become boxes around them, and a scaled capsule gets the largest scale, as in
    /// a posed character.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if a coordinate in meters is beyond [`MAX_COORDINATE`](crate::limits::MAX_COORDINATE) or not
    /// finite.
    ///
    /// # Panics
    /// Panics if the body names a hitbox or a joint that the character does not have, which [`BakedCharacter::validate`]
    /// refuses.
    pub fn body_shapes(&self, body: &RagdollBody) -> Result<Vec<BodyShape>, ShapeError> {
        let model_from_joint = self.skeleton.rest_matrices();
        let body_from_model = body_from_model(body);
        let shape = |&hitbox: &u16| {
            let baked = &self.boxes[usize::from(hitbox)];
            body_shape(hitbox, baked, &body_from_joint(&body_from_model, &model_from_joint, baked.joint))
        };
        body.boxes.iter().map(shape).collect()
    }
}

fn body_from_model(body: &RagdollBody) -> DAffine3 {
    DAffine3::from_rotation_translation(body.rotation.as_dquat().normalize(), body.position.as_dvec3()).inverse()
}

fn body_from_joint(body_from_model: &DAffine3, model_from_joint: &[Affine3A], joint: JointIndex) -> DAffine3 {
    let joint = &model_from_joint[joint.index()];
    let linear = Mat3::from(joint.matrix3).as_dmat3();
    *body_from_model * DAffine3::from_mat3_translation(linear, joint.translation.as_dvec3())
}

/// Returns a hitbox in the space of a body.
///
/// # Errors
/// Returns [`ShapeError`] if a coordinate in meters is too large or not finite.
pub fn body_shape(hitbox: u16, baked: &Hitbox, body_from_joint: &DAffine3) -> Result<BodyShape, ShapeError> {
    let map = Affine3A::from_mat3_translation(body_from_joint.matrix3.as_mat3(), body_from_joint.translation.as_vec3());
    if let Some(round) = baked.round_shape() {
        let [start, end] = [round.start, round.end].map(|at| body_from_joint.transform_point3(at.as_dvec3()));
        let radius = f64::from(round.radius) * largest_scale(&body_from_joint.matrix3);
        let half = 0.5 * (end - start);
        let length = half.length();
        let rotation = if length > 0.0 { shortest_turn(DVec3::Y, half / length).as_quat() } else { Quat::IDENTITY };
        let solid = match baked.shape {
            HitboxShape::Sphere => BodySolid::Sphere(radius as f32),
            _ => BodySolid::Capsule { half_length: length as f32, radius: radius as f32 },
        };
        return checked(BodyShape { hitbox, center: (start + half).as_vec3(), rotation, solid });
    }
    let posed = Obb::try_from_orientation(baked.center, baked.half_extents, baked.orientation)?.transformed(&map)?.obb;
    let axes = right_handed(posed.axes());
    let rotation = Quat::from_mat3(&axes).normalize();
    let Some(hull) = &baked.hull else {
        let solid = BodySolid::Box(posed.half_extents());
        return checked(BodyShape { hitbox, center: posed.center(), rotation, solid });
    };
    let shape_from_body = rotation.as_dquat().normalize().inverse();
    let center = posed.center().as_dvec3();
    let vertex = |at: &Vec3| (shape_from_body * (body_from_joint.transform_point3(at.as_dvec3()) - center)).as_vec3();
    let vertices = hull.vertices.iter().map(vertex).collect();
    // A mirror turns triangles inside out.
    let is_mirrored = body_from_joint.matrix3.determinant() < 0.0;
    let triangle = |&[a, b, c]: &[u8; 3]| if is_mirrored { [a, c, b] } else { [a, b, c] };
    let hull = HitboxHull { vertices, triangles: hull.triangles.iter().map(triangle).collect() };
    checked(BodyShape { hitbox, center: posed.center(), rotation, solid: BodySolid::Hull(hull) })
}

fn checked(shape: BodyShape) -> Result<BodyShape, ShapeError> {
    shape.bounding_box().map(|_| shape)
}

/// A box is the same if an axis is turned around.
fn right_handed(axes: Mat3) -> Mat3 {
    if axes.determinant() < 0.0 { Mat3::from_cols(axes.x_axis, axes.y_axis, -axes.z_axis) } else { axes }
}

/// The largest length of the image of a unit vector: the largest singular value.
fn largest_scale(linear: &DMat3) -> f64 {
    let even = linear.x_axis.length_squared();
    let columns = [linear.y_axis, linear.z_axis];
    let dots = [linear.x_axis.dot(columns[0]), linear.x_axis.dot(columns[1]), columns[0].dot(columns[1])];
    let is_even = columns.iter().all(|column| (column.length_squared() - even).abs() <= 1e-9 * even)
        && dots.iter().all(|dot| dot.abs() <= 1e-9 * even);
    if is_even {
        return even.sqrt();
    }
    // The power method on the squares; it ends at the largest one, and from three directions it cannot miss it.
    let squares = linear.transpose() * *linear;
    let grown = |start: DVec3| {
        let end = (0..64).fold(start, |at, _| (squares * at).normalize_or_zero());
        (squares * end).dot(end)
    };
    DVec3::AXES.map(grown).into_iter().fold(0.0, f64::max).sqrt()
}

impl BodyShape {
    /// Half of the size of the box around the shape, along the shape's own axes. The box is centered at the shape's center.
    #[must_use]
    pub fn half_extents(&self) -> Vec3 {
        match &self.solid {
            BodySolid::Box(half) => *half,
            BodySolid::Capsule { half_length, radius } => Vec3::new(*radius, half_length + radius, *radius),
            BodySolid::Sphere(radius) => Vec3::splat(*radius),
            BodySolid::Hull(hull) => hull.vertices.iter().fold(Vec3::ZERO, |most, at| most.max(at.abs())),
        }
    }

    /// The box around the shape along the shape's own axes, in the space of the body.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if a coordinate is not finite or beyond [`MAX_COORDINATE`](crate::limits::MAX_COORDINATE), which
    /// no shape of [`BakedCharacter::body_shapes`] has.
    pub fn bounding_box(&self) -> Result<Obb, ShapeError> {
        Obb::try_from_orientation(self.center, self.half_extents(), self.rotation)
    }
}
