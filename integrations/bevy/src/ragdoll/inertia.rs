//! Moments of inertia with which engines hold limbs together.

use bonebox::glam::{Mat3, Vec3};
use bonebox::ragdoll::{RagdollBody, RagdollRig};

/// The moment of inertia that every body has beside its own, as a share of that of the whole figure. Without it, a hand that weighs a
/// hundredth of the figure turns far past its limits before the solver has answered.
const ARMATURE: f32 = 0.004;

/// The moments of inertia of a body about its center of mass.
pub(super) fn inertia(rig: &RagdollRig, body: &RagdollBody) -> Mat3 {
    let [xx, yy, zz, xy, xz, yz] = body.inertia;
    let own = Mat3::from_cols(Vec3::new(xx, xy, xz), Vec3::new(xy, yy, yz), Vec3::new(xz, yz, zz));
    let (mass, radius) = spread(rig);
    own + Mat3::from_diagonal(Vec3::splat(ARMATURE * mass * radius * radius))
}

/// The mass of the whole figure, and its radius of gyration in the rest pose about its center of mass: of points.
pub(super) fn spread(rig: &RagdollRig) -> (f32, f32) {
    let points = || rig.bodies().iter().map(|body| (body.mass, body.position + body.rotation * body.center_of_mass));
    let mass: f32 = points().map(|(mass, _)| mass).sum();
    let center = points().map(|(mass, at)| at * mass).sum::<Vec3>() / mass;
    let moment: f32 = points().map(|(mass, at)| mass * at.distance_squared(center)).sum();
    (mass, (moment / mass).sqrt())
}
