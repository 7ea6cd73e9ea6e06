//! The state of a world as data that can be stored and sent.

use super::box_layers::BoxLayers;
use super::broad_phase::BroadPhase;
use super::interaction::BodyLayers;
use super::lazy_boxes::{LazyBoxes, Spares};
use super::threads::Threads;
use super::{Body, BodyId, BodySettings, CollisionLayers, HitboxWorld, Touch, TouchEvent, TouchPhase};
use crate::kernels::layout::{BoundsBlock, LANES, Record};
use crate::kernels::skin_lanes::Columns;
use crate::kernels::{self, Kernel};
use crate::sample::sampler::Socket;
use crate::skin::table::columns;
use crate::{BoxIndex, BoxSet, Character, PoseRecipe, PosedCharacter};
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
    /// The events of the last update, from which the touches follow.
    events: Vec<TouchEvent>,
    /// Touches of the last update whose bodies were removed since, sorted.
    ended: Vec<Touch>,
    has_motions: bool,
    keeps_joints: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct BodyState {
    id: BodyId,
    character: String,
    settings: BodySettings,
    box_rules: Vec<(Vec<u16>, CollisionLayers)>,
    disabled_boxes: Vec<u16>,
    posed: PoseState,
    /// The recipe of the pose.
    recipe: Option<PoseRecipe>,
    /// The matrices of [`Body::own_joints`] by columns.
    own_joints: Vec<[f32; 12]>,
    /// The pose in which the motion began.
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
    skin: SkinState,
    /// The weights of the skin's morph targets in this pose; empty if all are 0.
    morph_weights: Vec<f32>,
    /// The same of the next pose; empty if they were not set.
    next_morph_weights: Vec<f32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum SkinState {
    NotTracked,
    /// The skin is tracked, but there is no pose since, or the character has no skin.
    NotPosed,
    /// The matrix of each binding by columns.
    Posed(Vec<[f32; 12]>),
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
        "body {id}: the saved hitboxes or the saved skin are not those of {name:?}; pass the character as it was when the world was saved"
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
        let mut ended = self.ended.clone();
        ended.sort_unstable();
        WorldState {
            bodies: self.bodies.iter().map(BodyState::new).collect(),
            events: self.events.clone(),
            ended,
            has_motions: self.swept.is_some(),
            keeps_joints: self.keeps_joints,
        }
    }

    /// Makes a world from a saved state. Every query of this world gives the same answer as the saved world would have
    /// given, then and after the same calls. This includes [`HitboxWorld::touches`] and [`HitboxWorld::events`], motions,
    /// tracked joints and tracked skins.
    ///
    /// The function calls `character` once for each body, with the name of the body's character. Only the name
    /// identifies the character, so all characters of the game need different names, also the characters made by
    /// [`Character::with_only_boxes`].
    ///
    /// # Errors
    /// Returns an error if a name has no character, or if poses or touches do not fit the characters.
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
        world.keeps_joints = state.keeps_joints;
        for body in &state.bodies {
            if world.bodies.last().is_some_and(|last: &Body| last.id >= body.id) {
                return Err(RestoreError::WrongOrder(body.id));
            }
            let missing = || RestoreError::NoCharacter { id: body.id, name: body.character.clone() };
            let character = character(&body.character).ok_or_else(missing)?;
            let wrong = || RestoreError::WrongBoxes { id: body.id, name: body.character.clone() };
            let body = body.restore(character, world.kernel, &world.spares).ok_or_else(wrong)?;
            world.box_count += body.character.box_count();
            world.ids.push(body.id);
            world.needed.push(0);
            world.layers.insert(world.bodies.len(), BodyLayers::new(&body));
            world.bodies.push(body);
        }
        let is_present =
            |event: &&TouchEvent| event.phase != TouchPhase::Ended && state.ended.binary_search(&event.touch).is_err();
        for TouchEvent { touch, .. } in state.events.iter().filter(is_present) {
            let joint = |id, index: BoxIndex| Some(world.body(id)?.character.hitbox(index)?.joint);
            let is_right = joint(touch.body_a, touch.box_a) == Some(touch.joint_a)
                && joint(touch.body_b, touch.box_b) == Some(touch.joint_b);
            if !is_right {
                return Err(RestoreError::WrongTouch { a: touch.body_a, b: touch.body_b });
            }
            world.touches.push(*touch);
        }
        world.touches.sort_unstable();
        world.events.clone_from(&state.events);
        world.ended.clone_from(&state.ended);
        world.changed.extend((0..).zip(&world.bodies).filter(|(_, body)| body.moved).map(|(place, _)| place));
        world.broad.fill(world.bodies.iter().map(|body| body.boxes.bounds()));
        if state.has_motions {
            world.bodies.iter_mut().for_each(Body::find_swept_bounds);
            let mut swept = BroadPhase::default();
            swept.fill(world.bodies.iter().map(|body| body.swept_bounds()));
            swept.update(world.kernel, Threads::One, |a, b| world.layers.interact(a, b));
            world.swept = Some(swept);
        }
        Ok(world)
    }
}

impl BodyState {
    fn new(body: &Body) -> Self {
        let layers = body.box_layers();
        Self {
            id: body.id,
            character: body.character.name().into(),
            settings: body.settings,
            box_rules: layers.iter().flat_map(|layers| layers.rules()).collect(),
            disabled_boxes: layers.map(BoxLayers::disabled).unwrap_or_default(),
            posed: PoseState::new(body.posed(), &body.character),
            recipe: body.recipe().map(|recipe| recipe.to_owned()),
            own_joints: body.own_joints().iter().map(Affine3A::to_cols_array).collect(),
            before: body.before.as_deref().map(|before| PoseState::new(before, &body.character)),
            moved: body.moved,
            is_still: body.is_still,
        }
    }

    fn restore(&self, character: Arc<Character>, kernel: Kernel, spares: &Arc<Spares>) -> Option<Body> {
        let set = |indices: &[u16]| BoxSet::from_indices(&character.hitboxes, indices);
        let mut body = Body::new(self.id, Arc::clone(&character), self.settings, kernel, Some(Arc::clone(spares)));
        for (boxes, layers) in &self.box_rules {
            body.box_layers_mut().set_rule(&set(boxes)?, *layers);
        }
        if !self.disabled_boxes.is_empty() {
            body.box_layers_mut().disable(&set(&self.disabled_boxes)?);
        }
        body.apply_layers();
        body.boxes = LazyBoxes::computed(self.posed.restore(&character, kernel)?, Some(Arc::clone(spares)));
        body.recipe.set(self.recipe.as_ref().map(Into::into));
        if !self.own_joints.is_empty() && self.own_joints.len() != character.needed.len() {
            return None;
        }
        if !self.own_joints.is_empty() {
            body.recipe.set_own_joints(self.own_joints.iter().map(Affine3A::from_cols_array));
        }
        body.before = match &self.before {
            Some(before) => Some(Box::new(before.restore(&character, kernel)?)),
            None => None,
        };
        (body.moved, body.is_changed, body.is_still) = (self.moved, self.moved, self.is_still);
        Some(body)
    }
}

impl PoseState {
    fn new(posed: &PosedCharacter, character: &Character) -> Self {
        let numbers = |record: &Record| {
            let (center, half, [x, y]) = (record.center(), record.half(), record.two_axes());
            std::array::from_fn(|i| [center, half, x, y][i / 3][i % 3])
        };
        let matrix = |socket: &Socket| {
            let matrix = socket.world_from_joint;
            (socket.joint.0, (!matrix.is_nan()).then(|| matrix.to_cols_array()))
        };
        let table = character.hitboxes.skin.as_ref();
        let next_weights = posed.skin.as_ref().zip(table).map(|(skin, table)| skin.next_weights(table));
        Self {
            boxes: posed.is_posed().then(|| posed.records.iter().map(numbers).collect()),
            hulls: posed.hull_matrices.iter().map(Mat3::to_cols_array).collect(),
            sockets: posed.sockets.iter().map(matrix).collect(),
            skin: match &posed.skin {
                None => SkinState::NotTracked,
                Some(skin) if skin.table().is_none() => SkinState::NotPosed,
                Some(skin) => SkinState::Posed(skin.matrices().iter().map(numbers_of_columns).collect()),
            },
            morph_weights: posed.skin.as_ref().map(|skin| skin.weights().to_vec()).unwrap_or_default(),
            next_morph_weights: next_weights.map(<[f32]>::to_vec).unwrap_or_default(),
        }
    }

    /// Returns `None` if the saved boxes do not fit the character.
    fn restore(&self, character: &Character, kernel: Kernel) -> Option<PosedCharacter> {
        let mut posed = PosedCharacter::with_kernel(kernel);
        for &(joint, matrix) in &self.sockets {
            let world_from_joint = matrix.map_or(Affine3A::NAN, |columns| Affine3A::from_cols_array(&columns));
            let in_order = posed.sockets.last().is_none_or(|last| last.joint.0 < joint);
            let is_wrong = matrix.is_some_and(|columns| !columns.iter().all(|number| number.is_finite()));
            if !in_order || is_wrong || usize::from(joint) >= character.skeleton().len() {
                return None;
            }
            posed.sockets.push(Socket { joint: JointIndex(joint), world_from_joint });
        }
        posed.track_skin(self.skin != SkinState::NotTracked);
        let set_weights = |posed: &mut PosedCharacter, weights: &[f32]| match weights {
            [] => Some(()),
            weights => posed.set_morph_weights(character, weights).ok(),
        };
        let Some(boxes) = &self.boxes else {
            set_weights(&mut posed, &self.next_morph_weights)?;
            return Some(posed);
        };
        set_weights(&mut posed, &self.morph_weights)?;
        let are_finite = self.hulls.as_flattened().iter().all(|number| number.is_finite());
        if boxes.len() != character.box_count() || self.hulls.len() != character.hitboxes.hulls.len() || !are_finite {
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
        if let (SkinState::Posed(matrices), Some(skin)) = (&self.skin, &mut posed.skin) {
            let table = character.hitboxes.skin.as_ref()?;
            skin.restore(table, matrices.iter().map(columns_of_numbers))?;
        }
        if let Some(skin) = &mut posed.skin {
            skin.forget_next_weights();
        }
        set_weights(&mut posed, &self.next_morph_weights)?;
        Some(posed)
    }
}

fn numbers_of_columns(columns: &Columns) -> [f32; 12] {
    std::array::from_fn(|i| columns[i / 3][i % 3])
}

fn columns_of_numbers(numbers: &[f32; 12]) -> Columns {
    columns(&Affine3A::from_cols_array(numbers))
}
