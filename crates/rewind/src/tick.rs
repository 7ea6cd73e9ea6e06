//! The bodies of one recorded tick.

use crate::reach::Reach;
use crate::rules::{Between, NO_PLACE};
use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};
use runtime::{
    AnimationRef, Bodies, Body, BodyId, BodySettings, Character, ClipIndex, CollisionLayers, HitboxWorld, PoseLayer,
    PoseRecipeRef, TileList,
};
use std::sync::{Arc, OnceLock};

/// The number that stands for no place in a list.
pub(crate) const NONE: u32 = u32::MAX;

/// The number of floats of a joint that turns and scales evenly: translation and rotation.
const PACKED: usize = 7;

/// The number of floats of any other joint.
const COLUMNS: usize = 12;

/// The rounding of a packed matrix, as a share of its scale. A matrix that differs more is stored whole.
const PACKING: f32 = 1e-6;

/// The kind of a body's animation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Kind {
    /// The body had no pose, or a pose that cannot be stored.
    Nothing,
    Rest,
    Clip,
    Layers,
    /// Matrices of the game's own: a translation and a rotation for each needed joint, and one scale.
    PackedJoints,
    /// Matrices of the game's own, whole.
    Joints,
}

/// One body at one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct PastBody {
    place: [f32; COLUMNS],
    pub(crate) clip: ClipIndex,
    /// The time of a clip in seconds, or the scale of packed joints.
    pub(crate) seconds: f32,
    /// The first layer or number of this body in the tick's lists.
    pub(crate) first: u32,
    /// The first of the layers of its boxes, or [`NONE`] if all boxes have the body's layers.
    pub(crate) box_layers: u32,
    /// The character and the settings, as indices into the tick's tables.
    pub(crate) character: u32,
    pub(crate) settings: u32,
    /// The number of pose layers.
    pub(crate) layer_count: u16,
    pub(crate) kind: Kind,
    /// `true` if the body was teleported, or respawned, since the tick before.
    pub(crate) is_cut: bool,
}

/// A character, and what is computed from it once.
#[derive(Clone, Debug)]
pub(crate) struct PastCharacter {
    pub(crate) character: Arc<Character>,
    reach: Arc<OnceLock<Reach>>,
}

impl PastCharacter {
    pub(crate) fn new(character: Arc<Character>) -> Self {
        Self { character, reach: Arc::default() }
    }

    pub(crate) fn reach(&self) -> &Reach {
        self.reach.get_or_init(|| Reach::new(&self.character))
    }
}

/// All bodies at one tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tick {
    pub(crate) number: u64,
    /// The ids of `bodies`, in ascending order.
    pub(crate) ids: Vec<BodyId>,
    pub(crate) bodies: Vec<PastBody>,
    pub(crate) characters: Vec<PastCharacter>,
    pub(crate) settings: Vec<BodySettings>,
    pub(crate) layers: Vec<PoseLayer>,
    pub(crate) box_layers: Vec<CollisionLayers>,
    pub(crate) joints: Vec<f32>,
    /// The bounds of the bodies; the places are indices into `bodies`.
    pub(crate) tiles: TileList,
}

/// The bodies of a tick that could not be recorded, as counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Left {
    pub(crate) without_pose: usize,
    pub(crate) without_recipe: usize,
    pub(crate) first_without_recipe: Option<BodyId>,
}

impl Tick {
    /// Overwrites the tick with the bodies of a world. `previous` is the tick before; `cuts` are the bodies that were
    /// teleported since.
    pub(crate) fn record(
        &mut self,
        number: u64,
        world: &HitboxWorld,
        previous: Option<&Self>,
        cuts: &[BodyId],
    ) -> Left {
        self.number = number;
        self.ids.clear();
        self.bodies.clear();
        self.characters.clear();
        self.settings.clear();
        self.layers.clear();
        self.box_layers.clear();
        self.joints.clear();
        self.tiles.copy(world.tiles());
        let mut left = Left::default();
        if let Some(previous) = previous {
            self.characters.extend_from_slice(&previous.characters);
            self.settings.extend_from_slice(&previous.settings);
        }
        let mut place_before = 0;
        for body in world.bodies() {
            let id = body.id();
            let before = previous.and_then(|previous| {
                while previous.ids.get(place_before).is_some_and(|before| *before < id) {
                    place_before += 1;
                }
                (previous.ids.get(place_before) == Some(&id)).then(|| &previous.bodies[place_before])
            });
            let mut past = self.past(body, before);
            past.is_cut = !cuts.is_empty() && cuts.contains(&id);
            if past.kind == Kind::Nothing {
                if body.posed().is_posed() {
                    left.without_recipe += 1;
                    left.first_without_recipe.get_or_insert(id);
                } else {
                    left.without_pose += 1;
                }
            }
            self.ids.push(id);
            self.bodies.push(past);
        }
        self.drop_unused();
        left
    }

    fn past(&mut self, body: &Body, before: Option<&PastBody>) -> PastBody {
        let (character, settings) = (body.character(), body.settings());
        let mut past = PastBody {
            place: [0.0; COLUMNS],
            clip: ClipIndex(0),
            seconds: 0.0,
            first: 0,
            box_layers: NONE,
            character: self.character_index(character, before.map(|before| before.character)),
            settings: self.settings_index(&settings, before.map(|before| before.settings)),
            layer_count: 0,
            kind: Kind::Nothing,
            is_cut: false,
        };
        let layers = body.layers_of_boxes();
        if !layers.is_empty() {
            past.box_layers = self.box_layers.len() as u32;
            self.box_layers.extend_from_slice(layers);
        }
        match body.recipe() {
            Some(recipe) => {
                past.place = recipe.place.to_cols_array();
                match recipe.animation {
                    AnimationRef::Rest => past.kind = Kind::Rest,
                    AnimationRef::Clip { clip, seconds } => {
                        (past.kind, past.clip, past.seconds) = (Kind::Clip, clip, seconds);
                    }
                    AnimationRef::Layers(layers) => {
                        if let Ok(count) = u16::try_from(layers.len()) {
                            (past.kind, past.first, past.layer_count) = (Kind::Layers, self.layers.len() as u32, count);
                            self.layers.extend_from_slice(layers);
                        }
                    }
                    AnimationRef::Joints(_) => {}
                }
            }
            None if !body.own_joints().is_empty() => {
                past.first = self.joints.len() as u32;
                (past.kind, past.seconds) = self.push_joints(body.own_joints());
            }
            None => {}
        }
        past
    }

    fn character_index(&mut self, character: &Arc<Character>, hint: Option<u32>) -> u32 {
        let is_it = |one: &PastCharacter| Arc::ptr_eq(&one.character, character);
        if let Some(hint) = hint.filter(|hint| self.characters.get(*hint as usize).is_some_and(is_it)) {
            return hint;
        }
        let known = self.characters.iter().position(is_it);
        let index = known.unwrap_or_else(|| {
            self.characters.push(PastCharacter::new(Arc::clone(character)));
            self.characters.len() - 1
        });
        index as u32
    }

    fn settings_index(&mut self, settings: &BodySettings, hint: Option<u32>) -> u32 {
        /// The number of settings, from the end of the table, that are searched. More would take longer than they save.
        const SEARCHED: usize = 32;
        if let Some(hint) = hint.filter(|hint| self.settings.get(*hint as usize) == Some(settings)) {
            return hint;
        }
        let from = self.settings.len().saturating_sub(SEARCHED);
        let known = self.settings[from..].iter().position(|one| one == settings).map(|place| from + place);
        let index = known.unwrap_or_else(|| {
            self.settings.push(*settings);
            self.settings.len() - 1
        });
        index as u32
    }

    /// Removes entries of the tables that no body uses, once they outnumber the bodies.
    fn drop_unused(&mut self) {
        /// Tables up to this length are left alone.
        const FEW: usize = 64;
        let most = FEW.max(2 * self.bodies.len());
        if self.characters.len() > most {
            let mut kept = Vec::with_capacity(self.bodies.len());
            compact(&mut self.characters, &mut kept, self.bodies.iter_mut().map(|body| &mut body.character));
        }
        if self.settings.len() > most {
            let mut kept = Vec::with_capacity(self.bodies.len());
            compact(&mut self.settings, &mut kept, self.bodies.iter_mut().map(|body| &mut body.settings));
        }
    }

    /// Appends the matrices of joints. Returns their kind, and the scale of packed joints.
    fn push_joints(&mut self, joints: &[Affine3A]) -> (Kind, f32) {
        let first = self.joints.len();
        let scale = joints.first().map_or(1.0, |joint| Vec3::from(joint.matrix3.x_axis).length());
        for joint in joints {
            let packed = pack(joint, scale);
            if !is_near(joint, &unpack(&packed, scale), scale) {
                self.joints.truncate(first);
                self.joints.extend(joints.iter().flat_map(Affine3A::to_cols_array));
                return (Kind::Joints, 1.0);
            }
            self.joints.extend_from_slice(&packed);
        }
        (Kind::PackedJoints, scale)
    }

    pub(crate) fn find(&self, id: BodyId) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    pub(crate) fn settings_of(&self, body: &PastBody) -> BodySettings {
        self.settings[body.settings as usize]
    }

    pub(crate) fn character_of(&self, body: &PastBody) -> &PastCharacter {
        &self.characters[body.character as usize]
    }

    /// The pose layers; none if the body was not posed from layers.
    pub(crate) fn layers_of(&self, body: &PastBody) -> &[PoseLayer] {
        match body.kind {
            Kind::Layers => &self.layers[body.first as usize..][..usize::from(body.layer_count)],
            _ => &[],
        }
    }

    pub(crate) fn box_layers_of(&self, body: &PastBody) -> &[CollisionLayers] {
        match body.box_layers {
            NONE => &[],
            first => &self.box_layers[first as usize..][..self.character_of(body).character.box_count()],
        }
    }

    /// The numbers of a body's own joints.
    pub(crate) fn joint_numbers_of(&self, body: &PastBody) -> &[f32] {
        if !body.has_own_joints() {
            return &[];
        }
        let count = self.character_of(body).character.needed_joints().len();
        &self.joints[body.first as usize..][..count * body.floats_of_joint()]
    }

    /// The place of a body, or of its first needed joint if it was posed with matrices.
    pub(crate) fn position_of(&self, body: &PastBody) -> Vec3 {
        match (body.kind, self.joint_numbers_of(body)) {
            (Kind::PackedJoints, [x, y, z, ..]) => Vec3::new(*x, *y, *z),
            (Kind::Joints, [_, _, _, _, _, _, _, _, _, x, y, z, ..]) => Vec3::new(*x, *y, *z),
            _ => body.place().translation.into(),
        }
    }

    /// Calls the caller's function with what was recorded about a body at this tick and at the next.
    pub(crate) fn recipes<R>(
        &self,
        id: BodyId,
        past: &PastBody,
        (to, next): (&Self, &PastBody),
        share: f32,
        pose: impl Fn(&Between<'_>) -> R,
    ) -> R {
        let mut joints = [Vec::new(), Vec::new()];
        let [from_joints, to_joints] = &mut joints;
        pose(&Between {
            body: id,
            character: &self.character_of(past).character,
            from: self.recipe_of(past, from_joints),
            to: to.recipe_of(next, to_joints),
            share,
            ticks: to.number - self.number,
        })
    }

    /// What was recorded about a body. `joints` is memory.
    pub(crate) fn recipe_of<'t>(&'t self, past: &PastBody, joints: &'t mut Vec<Affine3A>) -> PoseRecipeRef<'t> {
        let place = if past.has_own_joints() { NO_PLACE } else { past.place() };
        let animation = match past.kind {
            Kind::Clip => AnimationRef::Clip { clip: past.clip, seconds: past.seconds },
            Kind::Layers => AnimationRef::Layers(self.layers_of(past)),
            Kind::PackedJoints | Kind::Joints => {
                self.joints_of(past, joints);
                AnimationRef::Joints(joints)
            }
            Kind::Nothing | Kind::Rest => AnimationRef::Rest,
        };
        PoseRecipeRef { place, animation }
    }

    /// Writes `world_from_joint` of all joints of the skeleton; joints that are not needed get the identity.
    pub(crate) fn joints_of(&self, body: &PastBody, joints: &mut Vec<Affine3A>) {
        let character = &self.character_of(body).character;
        joints.clear();
        joints.resize(character.skeleton().len(), Affine3A::IDENTITY);
        let numbers = self.joint_numbers_of(body);
        for (index, joint) in character.needed_joints().iter().enumerate() {
            joints[joint.index()] = match body.kind {
                Kind::PackedJoints => unpack(&numbers[index * PACKED..], body.seconds),
                _ => Affine3A::from_cols_slice(&numbers[index * COLUMNS..][..COLUMNS]),
            };
        }
    }
}

impl PastBody {
    pub(crate) fn place(&self) -> Affine3A {
        Affine3A::from_cols_array(&self.place)
    }

    /// The number of floats that are stored for each joint of a body with matrices.
    pub(crate) fn floats_of_joint(&self) -> usize {
        if self.kind == Kind::PackedJoints { PACKED } else { COLUMNS }
    }

    /// Returns `true` if the body was posed with matrices of the game's own. Its place has no meaning.
    pub(crate) fn has_own_joints(&self) -> bool {
        matches!(self.kind, Kind::PackedJoints | Kind::Joints)
    }
}

/// Keeps only the entries of a table that `indices` name, and renumbers the indices.
fn compact<'i, T: Clone>(table: &mut Vec<T>, kept: &mut Vec<T>, indices: impl Iterator<Item = &'i mut u32>) {
    let mut new = vec![NONE; table.len()];
    for index in indices {
        let old = *index as usize;
        if new[old] == NONE {
            new[old] = kept.len() as u32;
            kept.push(table[old].clone());
        }
        *index = new[old];
    }
    std::mem::swap(table, kept);
}

fn pack(joint: &Affine3A, scale: f32) -> [f32; PACKED] {
    let rotation = Quat::from_mat3a(&(joint.matrix3 * (1.0 / scale)));
    let (t, q) = (joint.translation, rotation);
    [t.x, t.y, t.z, q.x, q.y, q.z, q.w]
}

fn unpack(numbers: &[f32], scale: f32) -> Affine3A {
    let rotation = Quat::from_xyzw(numbers[3], numbers[4], numbers[5], numbers[6]);
    let matrix3 = Mat3A::from_quat(rotation) * scale;
    Affine3A { matrix3, translation: Vec3A::new(numbers[0], numbers[1], numbers[2]) }
}

fn is_near(one: &Affine3A, other: &Affine3A, scale: f32) -> bool {
    let far = [
        one.matrix3.x_axis - other.matrix3.x_axis,
        one.matrix3.y_axis - other.matrix3.y_axis,
        one.matrix3.z_axis - other.matrix3.z_axis,
    ];
    far.iter().all(|axis| axis.abs().max_element() <= PACKING * scale)
}
