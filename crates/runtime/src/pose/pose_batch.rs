//! Posing many characters at once.

use crate::{Character, PoseError, PosedCharacter};
use glam::Affine3A;

/// One character to pose with matrices in model space. The jobs of a batch may be of different characters.
#[derive(Clone, Copy, Debug)]
pub struct PoseJob<'a> {
    /// The character to pose.
    pub character: &'a Character,
    /// The place of the character's model in world space.
    pub world_from_model: &'a Affine3A,
    /// `model_from_joint`: one entry per joint of the skeleton. [`PosedCharacter::pose_from_model`] lists the entries
    /// that are read.
    pub model_from_joint: &'a [Affine3A],
}

/// The error of [`pose_batch`]: a job failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("job {job} of the batch: {error}")]
pub struct PoseBatchError {
    /// The index of the first job that failed.
    pub job: usize,
    /// The reason why that job failed.
    #[source]
    pub error: PoseError,
}

impl PoseJob<'_> {
    fn run(&self, posed: &mut PosedCharacter) -> Result<(), PoseError> {
        posed.pose_from_model(self.character, self.world_from_model, self.model_from_joint)
    }
}

/// Poses `jobs[i]` into `posed[i]`. Keep `posed` from tick to tick, so that its memory is reused.
///
/// An error does not stop the batch: all other jobs are posed. If job `i` fails, `posed[i]` has no boxes.
///
/// # Errors
/// Returns the index and the error of the first job that failed.
///
/// # Panics
/// Panics if the slices differ in length.
///
/// ```
/// use glam::{Affine3A, Vec3};
/// use runtime::{Character, PoseJob, PosedCharacter, pose_batch};
///
/// let bytes = std::fs::read("tests/data/arm.bonebox")?;
/// let kinds = [Character::load(&bytes)?, Character::load(&bytes)?];
/// let places = [Affine3A::IDENTITY, Affine3A::from_translation(Vec3::X)];
/// let matrices = vec![Affine3A::IDENTITY; 4];
/// let job = |i: usize| PoseJob { character: &kinds[i], world_from_model: &places[i], model_from_joint: &matrices };
/// let mut posed = vec![PosedCharacter::new(); 2];
/// pose_batch(&[job(0), job(1)], &mut posed)?;
/// assert_eq!(posed[1].boxes().next().unwrap().center.x, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pose_batch(jobs: &[PoseJob<'_>], posed: &mut [PosedCharacter]) -> Result<(), PoseBatchError> {
    assert_eq!(jobs.len(), posed.len(), "`posed` must have one entry for each job");
    let mut first = Ok(());
    for (index, (job, posed)) in jobs.iter().zip(posed).enumerate() {
        if let Err(error) = job.run(posed) {
            first = first.and(Err(PoseBatchError { job: index, error }));
        }
    }
    first
}

/// [`pose_batch`] on all threads of rayon's pool, with the same boxes and the same error.
///
/// # Errors
/// Returns the index and the error of the first job that failed.
///
/// # Panics
/// Panics if the slices differ in length.
#[cfg(feature = "rayon")]
pub fn pose_batch_parallel(jobs: &[PoseJob<'_>], posed: &mut [PosedCharacter]) -> Result<(), PoseBatchError> {
    use rayon::prelude::*;
    assert_eq!(jobs.len(), posed.len(), "`posed` must have one entry for each job");
    let refused = jobs
        .par_iter()
        .zip(posed)
        .enumerate()
        .filter_map(|(index, (job, posed))| job.run(posed).err().map(|error| PoseBatchError { job: index, error }))
        .min_by_key(|error| error.job);
    refused.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Batch = fn(&[PoseJob<'_>], &mut [PosedCharacter]) -> Result<(), PoseBatchError>;

    #[test]
    fn the_first_refusal_is_reported_and_the_others_are_posed() {
        let arm = Character::from_baked(baked_characters::baked_arm("arm"));
        let (good, bad) = (vec![Affine3A::IDENTITY; 4], vec![Affine3A::NAN; 4]);
        let place = Affine3A::IDENTITY;
        let jobs: Vec<_> = [&good, &bad, &good, &bad]
            .map(|matrices| PoseJob { character: &arm, world_from_model: &place, model_from_joint: matrices })
            .into();
        let check = |batch: Batch| {
            let mut posed = vec![PosedCharacter::new(); 4];
            assert!(matches!(
                batch(&jobs, &mut posed),
                Err(PoseBatchError { job: 1, error: PoseError::OutOfRange { joint: skeleton::JointIndex(1), .. } })
            ));
            assert_eq!(posed.iter().map(|posed| posed.boxes().len()).collect::<Vec<_>>(), [2, 0, 2, 0]);
            assert_eq!(batch(&jobs[..1], &mut posed[..1]), Ok(()));
        };
        check(pose_batch);
        #[cfg(feature = "rayon")]
        check(pose_batch_parallel);
    }
}
