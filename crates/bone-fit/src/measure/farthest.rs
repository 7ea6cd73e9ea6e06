//! The farthest escapes found up to now.

use crate::poses::sample_times::SampleTime;
use glam::DVec3;
use skeleton::JointIndex;

/// A point of the surface outside every box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Farthest {
    /// The distance from every box, in model units.
    pub(crate) distance: f64,
    /// The joint that owns the point.
    pub(crate) owner: JointIndex,
    /// The sample time of the pose.
    pub(crate) at: SampleTime,
    /// Model space.
    pub(crate) point: DVec3,
    /// Decides between points that are equally far: the lowest goes first. The pose's rank, and the point's in the pose.
    pub(crate) rank: [usize; 2],
}

/// What was found up to now. The answer does not depend on the order in which points are added.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The farthest escape of the surface of each joint, or one entry: that of the character.
    farthest: Vec<Option<Farthest>>,
}

impl Found {
    /// Nothing yet, where the farthest escape of the character is looked for.
    pub(crate) fn of_character() -> Self {
        Self { farthest: vec![None] }
    }

    /// Nothing yet, where the farthest escape of the surface of each joint is looked for.
    pub(crate) fn by_joint(joints: usize) -> Self {
        Self { farthest: vec![None; joints] }
    }

    /// The farthest escape of the character.
    pub(crate) fn into_farthest(self) -> Option<Farthest> {
        self.farthest.into_iter().flatten().next()
    }

    /// The farthest escape of the surface of each joint; none of joints without an escape.
    pub(crate) fn into_each(self) -> impl Iterator<Item = Farthest> {
        self.farthest.into_iter().flatten()
    }

    fn slot(&self, owner: JointIndex) -> usize {
        if self.farthest.len() == 1 { 0 } else { owner.index() }
    }

    /// No point nearer than this, in model units, is of interest.
    #[inline]
    pub(crate) fn floor(&self, owner: JointIndex) -> f64 {
        self.farthest[self.slot(owner)].map_or(0.0, |known| known.distance)
    }

    /// Takes a point outside every box, if none of those known comes before.
    pub(crate) fn add(&mut self, found: Farthest) {
        let slot = self.slot(found.owner);
        let comes_first = self.farthest[slot].is_none_or(|known| {
            found.distance > known.distance || (found.distance == known.distance && found.rank < known.rank)
        });
        if found.distance > 0.0 && comes_first {
            self.farthest[slot] = Some(found);
        }
    }

    /// Takes what was found elsewhere.
    pub(crate) fn add_all(&mut self, other: Self) {
        other.into_each().for_each(|found| self.add(found));
    }
}
