//! Mass, center of mass and inertia of bodies.

use baked_format::{BodyShape, BodySolid, HitboxHull};
use glam::{DMat3, DVec3};
use std::f64::consts::PI;

/// What resists forces and torques.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MassProperties {
    pub(super) mass: f64,
    /// The center of mass.
    pub(super) center: DVec3,
    /// The inertia tensor about the center of mass.
    pub(super) inertia: DMat3,
}

impl MassProperties {
    pub(super) const NONE: Self = Self { mass: 0.0, center: DVec3::ZERO, inertia: DMat3::ZERO };

    /// A solid of density 1 along its own axes. It is at least `thinnest` thick.
    pub(super) fn of_solid(solid: &BodySolid, thinnest: f64) -> Self {
        let least = 0.5 * thinnest;
        match solid {
            BodySolid::Box(half) => cuboid(half.as_dvec3().max(DVec3::splat(least))),
            BodySolid::Sphere(radius) => {
                let radius = f64::from(*radius).max(least);
                let mass = 4.0 / 3.0 * PI * radius.powi(3);
                Self {
                    mass,
                    center: DVec3::ZERO,
                    inertia: DMat3::from_diagonal(DVec3::splat(0.4 * mass * radius * radius)),
                }
            }
            BodySolid::Capsule { half_length, radius } => {
                capsule(f64::from(*half_length), f64::from(*radius).max(least))
            }
            BodySolid::Hull(hull) => {
                let found = polyhedron(hull);
                let (low, high) = bounds(hull);
                let is_thick = (high - low).min_element() >= thinnest && found.mass > 0.0;
                if is_thick { found } else { cuboid((0.5 * (high - low)).max(DVec3::splat(least))) }
            }
        }
    }

    /// The same solid in another place, with another mass.
    pub(super) fn placed(self, shape: &BodyShape, mass: f64) -> Self {
        let rotation = shape.rotation.as_dquat().normalize();
        let turn = DMat3::from_quat(rotation);
        Self {
            mass,
            center: shape.center.as_dvec3() + rotation * self.center,
            inertia: turn * self.inertia * turn.transpose() * (mass / self.mass),
        }
    }

    /// Several solids as one (the parallel axis theorem).
    pub(super) fn sum(parts: &[Self]) -> Self {
        let mass: f64 = parts.iter().map(|part| part.mass).sum();
        let center = parts.iter().fold(DVec3::ZERO, |sum, part| sum + part.center * part.mass) / mass;
        let inertia = parts.iter().fold(DMat3::ZERO, |sum, part| sum + part.inertia_about(center));
        Self { mass, center, inertia }
    }

    /// The inertia tensor about another point.
    pub(super) fn inertia_about(&self, point: DVec3) -> DMat3 {
        self.inertia + of_squares(self.mass, self.center - point)
    }

    /// The six numbers of the tensor: xx, yy, zz, xy, xz, yz.
    pub(super) fn inertia_numbers(&self) -> [f32; 6] {
        let DMat3 { x_axis: x, y_axis: y, z_axis: z } = self.inertia;
        [x.x, y.y, z.z, 0.5 * (x.y + y.x), 0.5 * (x.z + z.x), 0.5 * (y.z + z.y)].map(|entry| entry as f32)
    }
}

fn cuboid(half: DVec3) -> MassProperties {
    let mass = 8.0 * half.x * half.y * half.z;
    let squares = half * half;
    let moments = DVec3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y) * (mass / 3.0);
    MassProperties { mass, center: DVec3::ZERO, inertia: DMat3::from_diagonal(moments) }
}

/// A cylinder along axis y and two half balls.
fn capsule(half: f64, radius: f64) -> MassProperties {
    let square = radius * radius;
    let (cylinder, ball) = (2.0 * PI * square * half, 4.0 / 3.0 * PI * square * radius);
    let along = cylinder * square / 2.0 + ball * 0.4 * square;
    let across =
        cylinder * (square / 4.0 + half * half / 3.0) + ball * (0.4 * square + half * half + 0.75 * half * radius);
    MassProperties {
        mass: cylinder + ball,
        center: DVec3::ZERO,
        inertia: DMat3::from_diagonal(DVec3::new(across, along, across)),
    }
}

/// A closed surface of triangles: the sum of the tetrahedra between the origin and each triangle. The second moment of a
/// tetrahedron is its volume times the sum of the squares of its corners and of their sum, divided by 20.
///
/// Source: Tonon, *Explicit exact formulas for the 3-D tetrahedron inertia tensor in terms of its vertex coordinates*,
/// Journal of Mathematics and Statistics 1 (2005).
fn polyhedron(hull: &HitboxHull) -> MassProperties {
    let square = |v: DVec3| DMat3::from_cols(v * v.x, v * v.y, v * v.z);
    let (mut mass, mut moment, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for triangle in &hull.triangles {
        let [a, b, c] = triangle.map(|corner| hull.vertices[usize::from(corner)].as_dvec3());
        let volume = a.cross(b).dot(c) / 6.0;
        let sum = a + b + c;
        mass += volume;
        moment += sum * (volume / 4.0);
        second += (square(sum) + square(a) + square(b) + square(c)) * (volume / 20.0);
    }
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    let about_origin = DMat3::from_diagonal(DVec3::splat(trace)) - second;
    let center = moment / mass;
    MassProperties { mass, center, inertia: about_origin - of_squares(mass, center) }
}

/// The inertia tensor of a point.
fn of_squares(mass: f64, at: DVec3) -> DMat3 {
    (DMat3::from_diagonal(DVec3::splat(at.length_squared())) - DMat3::from_cols(at * at.x, at * at.y, at * at.z)) * mass
}

fn bounds(hull: &HitboxHull) -> (DVec3, DVec3) {
    let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    hull.vertices.iter().fold(start, |(low, high), at| (low.min(at.as_dvec3()), high.max(at.as_dvec3())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};
    use test_models::Random;

    /// Counts small cubes whose centers are inside.
    fn counted(low: DVec3, high: DVec3, is_inside: impl Fn(DVec3) -> bool) -> MassProperties {
        const STEPS: i32 = 60;
        let step = (high - low) / f64::from(STEPS);
        let mut parts = Vec::new();
        for x in 0..STEPS {
            for y in 0..STEPS {
                for z in 0..STEPS {
                    let at = low + step * (DVec3::new(x.into(), y.into(), z.into()) + 0.5);
                    if is_inside(at) {
                        parts.push(MassProperties { center: at, ..cuboid(0.5 * step) });
                    }
                }
            }
        }
        MassProperties::sum(&parts)
    }

    fn assert_near(found: &MassProperties, expected: &MassProperties, what: &str) {
        let size = expected.inertia.to_cols_array().into_iter().fold(0.0, |most: f64, one| most.max(one.abs()));
        assert!((found.mass / expected.mass - 1.0).abs() < 0.01, "{what}: {found:?} {expected:?}");
        assert!(found.center.distance(expected.center) < 0.01, "{what}: {found:?} {expected:?}");
        let apart = found.inertia - expected.inertia;
        assert!(apart.to_cols_array().into_iter().all(|one| one.abs() < 0.02 * size), "{what}: {found:?} {expected:?}");
    }

    #[test]
    fn solids_agree_with_sums_of_small_cubes() {
        let capsule = BodySolid::Capsule { half_length: 0.7, radius: 0.4 };
        let in_capsule = |at: DVec3| (at - DVec3::Y * at.y.clamp(-0.7, 0.7)).length() <= 0.4;
        let corner = DVec3::new(0.4, 1.1, 0.4);
        assert_near(&MassProperties::of_solid(&capsule, 0.0), &counted(-corner, corner, in_capsule), "capsule");
        let sphere = counted(DVec3::splat(-0.5), DVec3::splat(0.5), |at| at.length() <= 0.5);
        assert_near(&MassProperties::of_solid(&BodySolid::Sphere(0.5), 0.0), &sphere, "sphere");
        let half = Vec3::new(0.2, 0.5, 0.3);
        let cuboid = counted(-half.as_dvec3(), half.as_dvec3(), |_| true);
        assert_near(&MassProperties::of_solid(&BodySolid::Box(half), 0.0), &cuboid, "box");
    }

    #[test]
    fn hulls_agree_with_sums_of_small_cubes() {
        let mut random = Random::new(9);
        for case in 0..4 {
            let points: Vec<DVec3> = (0..12).map(|_| random.in_box() + DVec3::new(0.2, 0.5, -0.3)).collect();
            let hull = hull::ConvexHull::from_points(&points).unwrap();
            let vertices: Vec<DVec3> = hull.vertices().to_vec();
            let triangles: Vec<[u8; 3]> = hull.triangles().iter().map(|one| one.map(|corner| corner as u8)).collect();
            let is_inside = |at: DVec3| {
                triangles.iter().all(|one| {
                    let [a, b, c] = one.map(|corner| vertices[usize::from(corner)]);
                    (b - a).cross(c - a).dot(at - a) <= 0.0
                })
            };
            let stored =
                HitboxHull { vertices: vertices.iter().map(|at| at.as_vec3()).collect(), triangles: triangles.clone() };
            let (low, high) = bounds(&stored);
            assert_near(&polyhedron(&stored), &counted(low, high, is_inside), &format!("hull {case}"));
        }
    }

    /// A box in two halves that are placed and turned is the whole box.
    #[test]
    fn halves_make_the_whole() {
        let turn = Quat::from_xyzw(0.0, 0.0, 0.5f32.sqrt(), 0.5f32.sqrt());
        let half = |x: f32| BodyShape {
            hitbox: 0,
            center: Vec3::new(x, 0.0, 0.0),
            rotation: turn,
            solid: BodySolid::Box(Vec3::new(0.3, 0.5, 0.2)),
        };
        let parts = [-0.5, 0.5].map(|x| {
            let solid = MassProperties::of_solid(&half(x).solid, 0.0);
            solid.placed(&half(x), 2.0 * solid.mass)
        });
        let whole = cuboid(DVec3::new(1.0, 0.3, 0.2));
        let found = MassProperties::sum(&parts);
        assert!((found.mass - 2.0 * whole.mass).abs() < 1e-6);
        let apart = found.inertia - 2.0 * whole.inertia;
        assert!(apart.to_cols_array().into_iter().all(|one| one.abs() < 1e-6), "{found:?}");
    }
}
