//! Puts the joint matrices of a game into the order of a character's joints.

use crate::character::hitbox_table::HitboxTable;
use crate::{Character, PoseError};
use geometry_core::portable::affine_mul;
use glam::Affine3A;
use skeleton::JointIndex;
use std::collections::HashMap;
use std::sync::Arc;

/// Puts the joint matrices of a game's own animation into the order of a [`Character`], by the names of the joints. A
/// game makes one map for each character, when it loads the character, and calls [`JointMap::fill`] in each tick.
///
/// Two characters with the same joints need two maps, because their rest poses may differ. A character made by
/// [`Character::with_only_boxes`] needs its own map too.
///
/// The game may lack joints of the character. Such a joint follows its nearest ancestor that the game has, and keeps
/// its rest pose relative to this ancestor. For example, the fingers of a hand stay as in the rest pose if the game
/// animates only the hand. If the game has no ancestor of the joint either, the joint keeps its rest pose in model
/// space.
///
/// ```
/// use glam::{Affine3A, Vec3, Vec3A};
/// use runtime::{Character, JointMap, PosedCharacter};
///
/// // The joints of this character are root, upper, fore and finger, one above the other and 1 unit apart.
/// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
/// // The joints of the game, in its own order. It has no root and no finger.
/// let joints = JointMap::new(&arm, ["camera", "fore", "upper"])?;
/// assert_eq!(joints.missing(), []); // upper and fore have hitboxes, root and finger have none
///
/// // Every tick:
/// let at = |height: f32| Affine3A::from_translation(height * Vec3::Y);
/// let my_matrices = [at(9.0), at(6.0), at(5.0)];
/// let mut model_from_joint = Vec::new(); // kept from tick to tick
/// joints.fill(&arm, &my_matrices, &mut model_from_joint)?;
/// assert_eq!(model_from_joint[3].translation, Vec3A::new(0.0, 7.0, 0.0)); // the finger follows the forearm
/// PosedCharacter::new().pose_from_model(&arm, &Affine3A::IDENTITY, &model_from_joint)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct JointMap {
    hitboxes: Arc<HitboxTable>,
    /// One entry for each joint of the character, parents first.
    sources: Vec<Source>,
    missing: Vec<JointIndex>,
    /// The number of the game's joints.
    count: usize,
}

/// The source of the matrix of a joint.
#[derive(Clone, Debug)]
enum Source {
    /// The game's matrix with this index.
    Game(usize),
    /// The matrix of the parent, which comes before this joint, times `parent_from_joint` of the rest pose.
    Parent(JointIndex, Affine3A),
    /// `model_from_joint` of the rest pose.
    Rest(Affine3A),
}

impl JointMap {
    /// Finds the character's joints among the names of the game's joints. The order of `names` is the order of the
    /// matrices that [`JointMap::fill`] gets. Names that the character does not have are ignored. Two names match if
    /// they are equal letter by letter; `Hand` and `hand` are different. If a joint has another name in the game, pass
    /// the character's name for this joint ([`Character::skeleton`] lists all names).
    ///
    /// # Errors
    /// Returns [`JointMapError`] if two names are equal, and the character has a joint of this name.
    pub fn new<N: AsRef<str>>(
        character: &Character,
        names: impl IntoIterator<Item = N>,
    ) -> Result<Self, JointMapError> {
        let skeleton = character.skeleton();
        let mut found: HashMap<JointIndex, usize> = HashMap::new();
        let mut count = 0;
        for (index, name) in names.into_iter().enumerate() {
            count += 1;
            let Some(joint) = skeleton.find(name.as_ref()) else { continue };
            if let Some(first) = found.insert(joint, index) {
                let (character, name) = (character.hitboxes.name.clone(), name.as_ref().to_owned());
                return Err(JointMapError { character, name, first, second: index });
            }
        }
        let source =
            |(index, joint): (usize, &skeleton::Joint)| match (found.get(&JointIndex(index as u16)), joint.parent) {
                (Some(&at), _) => Source::Game(at),
                (None, Some(parent)) => Source::Parent(parent, joint.rest.to_affine()),
                (None, None) => Source::Rest(joint.rest.to_affine()),
            };
        let sources = skeleton.joints().iter().enumerate().map(source).collect();
        let mut missing: Vec<JointIndex> =
            character.moving_joints().filter(|joint| !found.contains_key(joint)).collect();
        missing.sort_unstable();
        missing.dedup();
        Ok(Self { hitboxes: Arc::clone(&character.hitboxes), sources, missing, count })
    }

    /// The joints that the game does not have, although a pose reads their matrices. The hitboxes and the skin of these
    /// joints do not follow the game's animation, so print their names while you develop ([`Character::joint_name`]).
    ///
    /// A pose reads the matrices of joints with a hitbox, of joints that move the surface of a hitbox that was baked
    /// with the preset `always`, and of joints that move the skin, if the file has the skin. The list does not contain
    /// any other joint, for example a joint that only holds a weapon or a camera. For such a joint, call
    /// [`JointMap::source`].
    #[must_use]
    pub fn missing(&self) -> &[JointIndex] {
        &self.missing
    }

    /// The index of this joint among the game's joints. `None` if the game does not have the joint, or if the character
    /// does not.
    #[must_use]
    pub fn source(&self, joint: JointIndex) -> Option<usize> {
        match self.sources.get(joint.index())? {
            Source::Game(index) => Some(*index),
            Source::Parent(..) | Source::Rest(_) => None,
        }
    }

    /// Replaces the content of `model_from_joint` by one matrix for each joint of the character, in the order of
    /// [`Character::skeleton`]: the argument of [`PosedCharacter::pose_from_model`](crate::PosedCharacter::pose_from_model).
    ///
    /// `matrices` must have one matrix for each of the game's joints, in the order of the names. Each matrix takes
    /// points from joint space to model space, the space of the glTF file's scene.
    ///
    /// **Matrices in world space.** The function also works for matrices in world space; pass the result to
    /// [`PosedCharacter::pose_from_world`](crate::PosedCharacter::pose_from_world). In this case, each joint of
    /// [`JointMap::missing`] must have an ancestor that the game has. A joint without such an ancestor gets its rest
    /// pose in model space, which is the wrong place in world space.
    ///
    /// # Errors
    /// Returns [`PoseError::OtherJointMap`] if the map was made for another character, and [`PoseError::SourceCount`]
    /// if the number of matrices is not the number of names. After an error, `model_from_joint` is empty, so that
    /// posing with it returns an error too.
    pub fn fill(
        &self,
        character: &Character,
        matrices: &[Affine3A],
        model_from_joint: &mut Vec<Affine3A>,
    ) -> Result<(), PoseError> {
        model_from_joint.clear();
        let (expected, found) = (&character.hitboxes, &self.hitboxes);
        if !found.is_same(expected) {
            return Err(PoseError::OtherJointMap { expected: expected.name.clone(), found: found.name.clone() });
        }
        if matrices.len() != self.count {
            let character = expected.name.clone();
            return Err(PoseError::SourceCount { character, expected: self.count, found: matrices.len() });
        }
        for source in &self.sources {
            let matrix = match source {
                Source::Game(index) => matrices[*index],
                Source::Parent(parent, parent_from_joint) => {
                    affine_mul(&model_from_joint[parent.index()], parent_from_joint)
                }
                Source::Rest(model_from_joint) => *model_from_joint,
            };
            model_from_joint.push(matrix);
        }
        Ok(())
    }
}

/// The reason why a [`JointMap`] cannot be made: two joints of the game have the same name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{character:?} has one joint {name:?}, but two joints with this name were given, at the indices {first} and {second}; \
     keep this name for the animated joint only, and pass another word for the other joint"
)]
pub struct JointMapError {
    /// The character's name.
    pub character: Arc<str>,
    /// The name that was given twice.
    pub name: String,
    /// The index of the name when it was given first.
    pub first: usize,
    /// The index of the name when it was given again.
    pub second: usize,
}
