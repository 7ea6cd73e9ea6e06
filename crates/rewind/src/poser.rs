//! Poses of past bodies.

use crate::between::{is_same_animation, recipe_between, time_between};
use crate::place::between;
use crate::tick::{Kind, PastBody, Tick};
use glam::Affine3A;
use runtime::{Animation, Character, ClipSampler, PoseError, PoseLayer, PoseRecipe, PosedCharacter, SampleJoints};
use skeleton::JointIndex;

/// Memory for posing bodies.
#[derive(Debug, Default)]
pub(crate) struct Poser {
    sampler: ClipSampler,
    layers: Vec<PoseLayer>,
    joints: [Vec<Affine3A>; 2],
}

impl Poser {
    /// Poses a body as it was at a tick.
    pub(crate) fn pose(&mut self, tick: &Tick, past: &PastBody, posed: &mut PosedCharacter) -> Result<(), PoseError> {
        let character = &*tick.character_of(past).character;
        let place = past.place();
        match past.kind {
            Kind::Nothing => Ok(()),
            Kind::Rest => posed.pose_from_rest(character, &place),
            Kind::Clip => posed.pose_from_clip(&mut self.sampler, character, &place, past.clip, past.seconds),
            Kind::Layers => posed.pose_from_layers(&mut self.sampler, character, &place, tick.layers_of(past)),
            Kind::PackedJoints | Kind::Joints => {
                tick.joints_of(past, &mut self.joints[0]);
                posed.pose_from_world(character, &self.joints[0])
            }
        }
    }

    /// Poses a body at a share of the way from one tick to the next. `joints` are those that `posed` tracks.
    pub(crate) fn pose_between(
        &mut self,
        (from, a): (&Tick, &PastBody),
        (to, b): (&Tick, &PastBody),
        share: f32,
        joints: &[JointIndex],
        posed: &mut PosedCharacter,
    ) -> Result<(), PoseError> {
        let character = &*from.character_of(a).character;
        if let Some(recipe) = recipe_between((from, a), Some((to, b)), share) {
            return posed.pose(&mut self.sampler, character, recipe);
        }
        if !is_same_animation((from, a), (to, b)) {
            return self.pose_joints_between((from, a), (to, b), share, joints, posed);
        }
        self.layers.clear();
        self.layers.extend(from.layers_of(a).iter().zip(to.layers_of(b)).map(|(a, b)| PoseLayer {
            seconds: time_between(character, a.clip, a.seconds, b.seconds, share),
            weight: a.weight + (b.weight - a.weight) * share,
            ..a.clone()
        }));
        posed.pose_from_layers(&mut self.sampler, character, &between(&a.place(), &b.place(), share), &self.layers)
    }

    /// Poses a body by a recipe.
    pub(crate) fn pose_recipe(
        &mut self,
        character: &Character,
        recipe: &PoseRecipe,
        posed: &mut PosedCharacter,
    ) -> Result<(), PoseError> {
        let place = &recipe.place;
        match &recipe.animation {
            Animation::Rest => posed.pose_from_rest(character, place),
            Animation::Clip { clip, seconds } => {
                posed.pose_from_clip(&mut self.sampler, character, place, *clip, *seconds)
            }
            Animation::Layers(layers) => posed.pose_from_layers(&mut self.sampler, character, place, layers),
            Animation::Joints(joints) => posed.pose_from_model(character, place, joints),
        }
    }

    /// Poses a body with joints between those of two poses.
    fn pose_joints_between(
        &mut self,
        (from, a): (&Tick, &PastBody),
        (to, b): (&Tick, &PastBody),
        share: f32,
        tracked: &[JointIndex],
        posed: &mut PosedCharacter,
    ) -> Result<(), PoseError> {
        let joints = self.joints_between((from, a), (to, b), share, tracked)?;
        posed.pose_from_world(&from.character_of(a).character, joints)
    }

    /// Computes `world_from_joint` between two poses. Only the joints that the character needs, and the `tracked` ones,
    /// have a meaning.
    pub(crate) fn joints_between(
        &mut self,
        (from, a): (&Tick, &PastBody),
        (to, b): (&Tick, &PastBody),
        share: f32,
        tracked: &[JointIndex],
    ) -> Result<&[Affine3A], PoseError> {
        let character = &*from.character_of(a).character;
        if !tracked.is_empty() {
            self.sampler.set_joints(SampleJoints::These(tracked.to_vec()));
        }
        let result = self.joints_of_both((from, a), (to, b));
        self.sampler.set_joints(SampleJoints::WithBoxes);
        result?;
        let [first, second] = &mut self.joints;
        for &joint in character.needed_joints() {
            let joint = joint.index();
            first[joint] = between(&first[joint], &second[joint], share);
        }
        for &joint in tracked.iter().filter(|joint| character.needed_joints().binary_search(joint).is_err()) {
            // Posing refuses a joint that the skeleton does not have.
            if let (Some(first), Some(second)) = (first.get_mut(joint.index()), second.get(joint.index())) {
                *first = between(first, second, share);
            }
        }
        Ok(first)
    }

    fn joints_of_both(&mut self, (from, a): (&Tick, &PastBody), (to, b): (&Tick, &PastBody)) -> Result<(), PoseError> {
        for (which, (tick, past)) in [(from, a), (to, b)].into_iter().enumerate() {
            let mut joints = std::mem::take(&mut self.joints[which]);
            let result = self.world_joints(tick, past, &mut joints);
            self.joints[which] = joints;
            result?;
        }
        Ok(())
    }

    /// Computes `world_from_joint` of a body at a tick.
    fn world_joints(&mut self, tick: &Tick, past: &PastBody, joints: &mut Vec<Affine3A>) -> Result<(), PoseError> {
        if past.has_own_joints() {
            tick.joints_of(past, joints);
            return Ok(());
        }
        let character = &*tick.character_of(past).character;
        let place = past.place();
        let model_from_joint = match past.kind {
            Kind::Clip => self.sampler.sample(character, past.clip, past.seconds)?,
            Kind::Layers => self.sampler.sample_layers(character, tick.layers_of(past))?,
            _ => character.rest_matrices(),
        };
        joints.clear();
        joints.extend(model_from_joint.iter().map(|joint| geometry_core::portable::affine_mul(&place, joint)));
        Ok(())
    }
}
