//! Where the bodies are at every sample time.

use super::bodies::{Body, Place};
use super::character::Character;
use crate::poses::sample_times::{MOST_SAMPLE_TIMES, SampleTimes};
use crate::poses::sampled::PoseSampler;
use glam::{DAffine3, DQuat, DVec3};
use rayon::prelude::*;

/// The largest number of places that are kept: 112 MiB.
const MOST_PLACES: usize = 1 << 21;

/// The number of sample times that one thread poses in turn.
const TIMES_IN_TURN: usize = 64;

/// The place of each body at each sample time, the rest pose first.
pub(super) struct BodyPoses {
    bodies: usize,
    places: Vec<Place>,
}

impl BodyPoses {
    pub(super) fn sample(character: &Character<'_>, bodies: &[Body]) -> Self {
        let most = MOST_SAMPLE_TIMES.min(MOST_PLACES / bodies.len());
        let times = SampleTimes::regular(character.clips, character.rate, most).rest_and_regular();
        let place = |body: &Body, pose: &[DAffine3]| {
            let matrix = pose[body.joint.index()];
            let turned = DAffine3 { matrix3: matrix.matrix3 * body.joint_from_body, translation: matrix.translation };
            // A pose that scales the joint to nothing does not turn it.
            Place::of(&turned).unwrap_or(Place { rotation: body.rest.rotation, translation: matrix.translation })
        };
        let places = times.par_chunks(TIMES_IN_TURN).flat_map_iter(|times| {
            let mut sampler = PoseSampler::new(character.skeleton, character.clips);
            let places = times.iter().flat_map(|&at| {
                let pose = sampler.pose(at);
                bodies.iter().map(|body| place(body, pose)).collect::<Vec<_>>()
            });
            places.collect::<Vec<_>>()
        });
        Self { bodies: bodies.len(), places: places.collect() }
    }

    /// The number of sample times with the rest pose.
    pub(super) fn len(&self) -> usize {
        self.places.len() / self.bodies
    }

    /// The places of all bodies in one pose.
    pub(super) fn pose(&self, pose: usize) -> &[Place] {
        &self.places[pose * self.bodies..(pose + 1) * self.bodies]
    }

    pub(super) fn poses(&self) -> impl ExactSizeIterator<Item = &[Place]> {
        self.places.chunks_exact(self.bodies)
    }

    /// `parent_from_body` of every pose: rotations.
    pub(super) fn turns(&self, parent: usize, body: usize) -> Vec<DQuat> {
        self.poses().map(|places| places[parent].rotation.conjugate() * places[body].rotation).collect()
    }

    /// The farthest that the origin of a body moves from its place in the rest pose, in the space of another body.
    pub(super) fn drift(&self, other: usize, body: usize) -> f64 {
        let at = |places: &[Place]| places[other].point_back(places[body].translation);
        let rest: DVec3 = at(self.pose(0));
        self.poses().map(|places| at(places).distance(rest)).fold(0.0, f64::max)
    }

    /// The same poses with the bodies in another order: `order[new]` is the old index.
    pub(super) fn reordered(&self, order: &[usize]) -> Self {
        let places = self.poses().flat_map(|places| order.iter().map(|&old| places[old]));
        Self { bodies: self.bodies, places: places.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DMat3;

    #[test]
    fn a_place_forgets_scale_and_mirrors() {
        let turn = DQuat::from_xyzw(0.1, -0.4, 0.3, 0.7).normalize();
        for scale in [DVec3::splat(100.0), DVec3::new(0.01, 3.0, 1.0), DVec3::new(1.0, 1.0, -2.0)] {
            let matrix3 = DMat3::from_quat(turn) * DMat3::from_diagonal(scale);
            let place = Place::of(&DAffine3 { matrix3, translation: DVec3::ONE }).unwrap();
            assert!(place.rotation.dot(turn).abs() > 1.0 - 1e-12, "{scale}: {place:?}");
        }
        assert_eq!(Place::of(&DAffine3 { matrix3: DMat3::ZERO, translation: DVec3::ONE }), None);
    }
}
