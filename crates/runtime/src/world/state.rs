//! The state of a world as data that can be stored and sent.

use super::broad_phase::BroadPhase;
use super::layers::BodyLayers;
use super::threads::Threads;
use super::{Body, BodyId, BodySettings, CollisionLayers, HitboxWorld, Touch};
use crate::kernels::layout::{BoundsBlock, LANES, Record};
use crate::kernels::{self, Kernel};
use crate::socket::Socket;
use crate::{BoxIndex, BoxSet, Character, PosedCharacter};
use glam::{Affine3A, Mat3, Vec3};
use serde::{Deserialize, Serialize};
use skeleton::JointIndex;
use std::sync::Arc;

/// The state of a [`HitboxWorld`], which can be stored and sent. The state has the names of the characters, not the
/// characters themselves. [`HitboxWorld::save`] makes the state and [`HitboxWorld::restore`] reads it. Use any serde
/// format that keeps `f32` exactly. The fields are not public and may change between versions. To roll back within one
/// program, clone the world instead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorldState {
    bodies: Vec<BodyState>,
    touches: Vec<Touch>,
    ended: Vec<Touch>,
    has_motions: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct BodyState {
    id: BodyId,
    character: String,
    settings: BodySettings,
    box_rules: Vec<(Vec<u16>, CollisionLayers)>,
    disabled_boxes: Vec<u16>,
    posed: PoseState,
    before: Option<PoseState>,
    moved: bool,
    is_still: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PoseState {
    /// The center, the half extents and the axes x and y of each box, by box index; `None` if there is no pose.
    boxes: Option<Vec<[f32; 12]>>,
    /// The linear part of each hull's matrix by columns, in the order of the hitboxes that are hulls.
    hulls: Vec<[f32; 9]>,
    /// The tracked joints and their matrices by columns; `None` for a joint without a matrix.
    sockets: Vec<(u16, Option<[f32; 12]>)>,
}

/// The reason why a state does not fit the characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The function that was passed to [`HitboxWorld::restore`] returned no character for a name. Load the character
    /// and return it for this name.
    #[error("body {id} is a {name:?}, for which no character was given; pass this character too")]
    NoCharacter {
        /// The id of the body.
        id: BodyId,
        /// The character's name.
        name: String,
    },
    /// The character has changed since the world was saved, or the state was damaged.
    #[error(
        "body {id}: the saved boxes are not those of {name:?}; pass the character as it was when the world was saved"
    )]
    WrongBoxes {
        /// The id of the body.
        id: BodyId,
        /// The character's name.
        name: String,
    },
    /// The state was damaged.
    #[error(
        "the saved world has body {0} twice, or its bodies are not in order; the state is damaged: save the world again"
    )]
    WrongOrder(BodyId),
    /// The state was damaged, or a character has changed since the world was saved.
    #[error(
        "a saved touch of body {a} and body {b} names a body or a hitbox that does not exist; save the world again"
    )]
    WrongTouch {
        /// The touch's first body.
        a: BodyId,
        /// The touch's second body.
        b: BodyId,
    },
}

impl HitboxWorld {
    /// The state of the world, for [`HitboxWorld::restore`].
    #[must_use]
    pub fn save(&self) -> WorldState {
        WorldState {
            bodies: self.bodies.iter().map(BodyState::new).collect(),
            touches: self.touches.clone(),
            ended: self.ended.clone(),
            has_motions: self.swept.is_some(),
        }
    }

    /// Makes a world from a saved state. The queries and the next update of this world give the same answers as those
    /// of the saved world.
    ///
    /// The function calls `character` once for each body, with the name of the body's character. Only the name
    /// identifies the character, so all characters of the game need different names, also the characters made by
    /// [`Character::with_only_boxes`].
    ///
    /// The state lacks two things:
    /// - [`HitboxWorld::events`] is empty until the next update.
    /// - Tracked skins are not saved. Before exact queries, call [`HitboxWorld::track_skin`] for the bodies and pose
    ///   them again.
    ///
    /// # Errors
    /// Returns an error if a name has no character, or if boxes or touches do not fit the characters.
    ///
    /// ```
    /// use glam::Affine3A;
    /// use runtime::{BodyId, BodySettings, Character, HitboxWorld};
    /// use std::sync::Arc;
    ///
    /// let arm = Arc::new(Character::load(&std::fs::read("tests/data/arm.bonebox")?)?);
    /// let mut world = HitboxWorld::new();
    /// for id in 0..2 {
    ///     world.insert(BodyId(id), Arc::clone(&arm), BodySettings::default())?;
    ///     world.pose_from_rest(BodyId(id), &Affine3A::IDENTITY)?;
    /// }
    /// world.update();
    /// let text = serde_json::to_string(&world.save())?;
    /// let mut restored = HitboxWorld::restore(&serde_json::from_str(&text)?, |_name| Some(Arc::clone(&arm)))?;
    /// world.update();
    /// restored.update();
    /// assert_eq!(restored.events(), world.events());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restore(
        state: &WorldState,
        mut character: impl FnMut(&str) -> Option<Arc<Character>>,
    ) -> Result<Self, RestoreError> {
        let mut world = Self::new();
        for body in &state.bodies {
            if world.bodies.last().is_some_and(|last: &Body| last.id >= body.id) {
                return Err(RestoreError::WrongOrder(body.id));
            }
            let missing = || RestoreError::NoCharacter { id: body.id, name: body.character.clone() };
            let character = character(&body.character).ok_or_else(missing)?;
            let wrong = || RestoreError::WrongBoxes { id: body.id, name: body.character.clone() };
            let body = body.restore(character, world.kernel).ok_or_else(wrong)?;
            world.box_count += body.character.box_count();
            world.ids.push(body.id);
            world.layers.insert(world.bodies.len(), BodyLayers::new(&body));
            world.bodies.push(body);
        }
        for touch in &state.touches {
            let joint = |id, index: BoxIndex| Some(world.body(id)?.character.hitbox(index)?.joint);
            let is_right = joint(touch.body_a, touch.box_a) == Some(touch.joint_a)
                && joint(touch.body_b, touch.box_b) == Some(touch.joint_b);
            if !is_right {
                return Err(RestoreError::WrongTouch { a: touch.body_a, b: touch.body_b });
            }
        }
        world.touches.clone_from(&state.touches);
        world.touches.sort_unstable();
        world.ended.clone_from(&state.ended);
        world.moved.extend((0..).zip(&world.bodies).filter(|(_, body)| body.moved).map(|(place, _)| place));
        world.any_moved = !world.moved.is_empty();
        world.broad.fill(world.bodies.iter().map(|body| body.posed.bounds()));
        if state.has_motions {
            world.bodies.iter_mut().for_each(Body::find_swept_bounds);
            let mut swept = BroadPhase::default();
            swept.fill(world.bodies.iter().map(|body| body.swept_bounds));
            swept.update(world.kernel, Threads::One, |a, b| world.layers.interact(a, b));
            world.swept = Some(swept);
        }
        Ok(world)
    }
}

impl BodyState {
    fn new(body: &Body) -> Self {
        let numbers = |boxes: &BoxSet| boxes.iter().map(|index| index.0).collect();
        let rules = body.box_layers().map_or(&[][..], |layers| &layers.rules);
        let disabled = body.box_layers().and_then(|layers| layers.disabled.as_ref());
        Self {
            id: body.id,
            character: body.character.name().into(),
            settings: body.settings,
            box_rules: rules.iter().map(|(boxes, layers)| (numbers(boxes), *layers)).collect(),
            disabled_boxes: disabled.map(numbers).unwrap_or_default(),
            posed: PoseState::new(&body.posed),
            before: body.before.as_deref().map(PoseState::new),
            moved: body.moved,
            is_still: body.is_still,
        }
    }

    fn restore(&self, character: Arc<Character>, kernel: Kernel) -> Option<Body> {
        let set = |numbers: &[u16]| {
            let are_there = numbers.iter().all(|&number| usize::from(number) < character.box_count());
            let is_in = |index: usize| numbers.iter().any(|&number| usize::from(number) == index);
            are_there.then(|| BoxSet::new(&character.hitboxes, is_in))
        };
        let mut body = Body::new(self.id, Arc::clone(&character), self.settings, kernel);
        for (boxes, layers) in &self.box_rules {
            let rule = (set(boxes)?, *layers);
            body.box_layers_mut().rules.push(rule);
        }
        let disabled = set(&self.disabled_boxes)?;
        if !disabled.is_empty() {
            body.box_layers_mut().disabled = Some(disabled);
        }
        body.apply_layers();
        body.posed = self.posed.restore(&character, kernel)?;
        body.before = match &self.before {
            Some(before) => Some(Box::new(before.restore(&character, kernel)?)),
            None => None,
        };
        (body.moved, body.is_noted, body.is_still) = (self.moved, self.moved, self.is_still);
        Some(body)
    }
}

impl PoseState {
    fn new(posed: &PosedCharacter) -> Self {
        let numbers = |record: &Record| {
            let (center, half, [x, y]) = (record.center(), record.half(), record.two_axes());
            std::array::from_fn(|i| [center, half, x, y][i / 3][i % 3])
        };
        let matrix = |socket: &Socket| {
            let matrix = socket.world_from_joint;
            (socket.joint.0, (!matrix.is_nan()).then(|| matrix.to_cols_array()))
        };
        Self {
            boxes: posed.is_posed().then(|| posed.records.iter().map(numbers).collect()),
            hulls: posed.hull_matrices.iter().map(Mat3::to_cols_array).collect(),
            sockets: posed.sockets.iter().map(matrix).collect(),
        }
    }

    /// Returns `None` if the saved boxes do not fit the character.
    fn restore(&self, character: &Character, kernel: Kernel) -> Option<PosedCharacter> {
        let mut posed = PosedCharacter::with_kernel(kernel);
        for &(joint, matrix) in &self.sockets {
            let world_from_joint = matrix.map_or(Affine3A::NAN, |columns| Affine3A::from_cols_array(&columns));
            let in_order = posed.sockets.last().is_none_or(|last| last.joint.0 < joint);
            if !in_order || usize::from(joint) >= character.skeleton().len() {
                return None;
            }
            posed.sockets.push(Socket { joint: JointIndex(joint), world_from_joint });
        }
        let Some(boxes) = &self.boxes else { return Some(posed) };
        if boxes.len() != character.box_count() || self.hulls.len() != character.hitboxes.hulls.len() {
            return None;
        }
        posed.hull_matrices.extend(self.hulls.iter().map(Mat3::from_cols_array));
        posed.blocks.resize(boxes.len().div_ceil(LANES), BoundsBlock::EMPTY);
        for (index, numbers) in boxes.iter().enumerate() {
            let [center, half, x, y] = [0, 3, 6, 9].map(|first| Vec3::from_slice(&numbers[first..]));
            let record = Record::new(center, half, [x, y]);
            let _is_a_box = record.obb()?;
            posed.records.push(record);
            posed.blocks[index / LANES].set(index % LANES, &record.bounds());
        }
        posed.bounds = kernels::around(kernel, &posed.blocks);
        posed.hitboxes = Some(Arc::clone(&character.hitboxes));
        Some(posed)
    }
}
