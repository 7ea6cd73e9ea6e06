//! Weapons: boxes at joints, which strike beside the hitboxes of their bodies.

use crate::running::Number;
use crate::swing::StrikeError;
use baked_format::{BakedCharacter, Hitbox, HitboxRole, HitboxShape, Source};
use geometry_core::{MAX_COORDINATE, portable};
use glam::{Affine3A, Mat3, Quat, Vec3};
use runtime::{BodyId, BoxIndex, Character};
use skeleton::{Joint, JointIndex, LocalTransform, NodeIndex, Skeleton, Trs};
use std::sync::{Arc, LazyLock};

/// A box that a body carries at a joint, such as a sword. It strikes in the attacks that it takes part in, see
/// [`Strikes::equip`](crate::Strikes::equip).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Weapon {
    /// The joint that carries the weapon, with or without a hitbox.
    pub joint: JointIndex,
    /// The place of the weapon's box in the space of the joint. A scale changes the box.
    pub joint_from_weapon: Affine3A,
    /// Half of the box's size along each of its axes, in the unit of the joint's space; each at least 0.
    pub half_extents: Vec3,
    /// The hitbox that holds the weapon. The weapon has its layers, and strikes name it beside the weapon.
    pub holder: BoxIndex,
    /// The attacks in which the weapon strikes, as sorted indices into `BakedCharacter::attacks`. If the list is empty, it
    /// strikes in all attacks of its holder.
    pub attacks: Vec<u32>,
}

/// The reason why a weapon does not fit a character.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WeaponError {
    /// The skeleton has no joint with the name.
    #[error("{character:?} has no joint {joint:?}, which carries the weapon; pass a name of its skeleton")]
    NoJoint {
        /// The character's name.
        character: String,
        /// The name that was passed.
        joint: String,
    },
    /// No hitbox has the tag.
    #[error(transparent)]
    Tag(#[from] runtime::UnknownTag),
    /// The character has no hitboxes, so it has no attacks.
    #[error("{character:?} has no hitboxes, so nothing holds the weapon; bake it with hitboxes")]
    NoHitbox {
        /// The character's name.
        character: String,
    },
    /// No attack has the name.
    #[error("{character:?} has no attack {attack:?}; its attacks: {}", known.join(", "))]
    NoAttack {
        /// The character's name.
        character: String,
        /// The name that was passed.
        attack: String,
        /// The names of all attacks, sorted.
        known: Vec<String>,
    },
}

impl Weapon {
    /// A weapon of this size at a joint.
    ///
    /// Its holder is the first hitbox of the joint, or of the nearest parent with a hitbox, or else the first hitbox of the
    /// character.
    ///
    /// # Errors
    /// Returns an error if the character does not have the joint, or has no hitboxes.
    pub fn at_joint(
        character: &Character,
        joint: &str,
        joint_from_weapon: Affine3A,
        half_extents: Vec3,
    ) -> Result<Self, WeaponError> {
        let name = || character.name().to_owned();
        let skeleton = character.skeleton();
        let no_joint = || WeaponError::NoJoint { character: name(), joint: joint.into() };
        let joint = skeleton.find(joint).ok_or_else(no_joint)?;
        let boxes = &character.baked().boxes;
        let mut at = Some(joint);
        let mut holder = None;
        while let Some(one) = at.filter(|_| holder.is_none()) {
            holder = boxes.iter().position(|hitbox| hitbox.joint == one);
            at = skeleton.joint(one).parent;
        }
        let no_hitbox = || WeaponError::NoHitbox { character: name() };
        let holder = holder.or((!boxes.is_empty()).then_some(0)).ok_or_else(no_hitbox)?;
        Ok(Self { joint, joint_from_weapon, half_extents, holder: BoxIndex(holder as u16), attacks: Vec::new() })
    }

    /// A weapon of this size at the joint of the first hitbox with a tag. This hitbox holds it.
    ///
    /// # Errors
    /// Returns an error if no hitbox has the tag.
    pub fn at_tag(
        character: &Character,
        tag: &str,
        joint_from_weapon: Affine3A,
        half_extents: Vec3,
    ) -> Result<Self, WeaponError> {
        let holder = character.boxes_with_tag(tag)?.iter().next().unwrap_or(BoxIndex(0));
        let joint = character.baked().boxes[holder.index()].joint;
        Ok(Self { joint, joint_from_weapon, half_extents, holder, attacks: Vec::new() })
    }

    /// The place and the half extents of a straight blade, for the functions above: from one point to another in the space
    /// of the joint, with a width and a depth of `width`. If the two points are equal, the blade is a cube along the axes of
    /// the joint.
    #[must_use]
    pub fn blade(from: Vec3, to: Vec3, width: f32) -> (Affine3A, Vec3) {
        let way = to - from;
        let length = way.dot(way).sqrt();
        let y = if length > 0.0 { way / length } else { Vec3::Y };
        let x = y.any_orthonormal_vector();
        let axes = if length > 0.0 { Mat3::from_cols(x, y, x.cross(y)) } else { Mat3::IDENTITY };
        let half = Vec3::new(width, if length > 0.0 { length } else { width }, width) * 0.5;
        (Affine3A::from_mat3_translation(axes, (from + to) * 0.5), half)
    }

    /// The same weapon, in the attacks with these names only, of any clip.
    ///
    /// # Errors
    /// Returns an error if the character has no attack with one of the names.
    pub fn in_attacks(mut self, character: &Character, names: &[&str]) -> Result<Self, WeaponError> {
        let attacks = &character.baked().attacks;
        for &name in names {
            let before = self.attacks.len();
            self.attacks.extend((0..).zip(attacks).filter(|(_, attack)| attack.name == name).map(|(index, _)| index));
            if self.attacks.len() == before {
                let mut known: Vec<String> = attacks.iter().map(|attack| attack.name.clone()).collect();
                known.sort_unstable();
                known.dedup();
                let character = character.name().to_owned();
                return Err(WeaponError::NoAttack { character, attack: name.into(), known });
            }
        }
        self.attacks.sort_unstable();
        self.attacks.dedup();
        Ok(self)
    }
}

/// A weapon of a body, as part of the state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Equipped {
    pub(crate) body: BodyId,
    pub(crate) number: u32,
    pub(crate) joint: JointIndex,
    pub(crate) holder: BoxIndex,
    /// The columns of `joint_from_weapon`, and the half extents.
    place: [[Number; 3]; 5],
    pub(crate) attacks: Vec<u32>,
}

impl Equipped {
    pub(crate) fn new(body: BodyId, number: u32, weapon: &Weapon) -> Result<Self, StrikeError> {
        let Weapon { joint, joint_from_weapon: at, half_extents, holder, attacks } = weapon;
        let columns = [at.matrix3.x_axis, at.matrix3.y_axis, at.matrix3.z_axis, at.translation].map(Vec3::from);
        let place = [columns[0], columns[1], columns[2], columns[3], *half_extents]
            .map(|column| column.to_array().map(|number| Number::new(number.into())));
        let new = Self { body, number, joint: *joint, holder: *holder, place, attacks: attacks.clone() };
        new.check()?;
        Ok(new)
    }

    /// Returns an error if a number is out of range, as after a state that somebody made up.
    pub(crate) fn check(&self) -> Result<(), StrikeError> {
        let in_range = |number: &Number| number.get().abs() <= f64::from(MAX_COORDINATE);
        let is_right = self.place.iter().flatten().all(in_range)
            && self.place[4].iter().all(|half| half.get() >= 0.0)
            && self.attacks.is_sorted();
        let error = StrikeError::Weapon { body: self.body, weapon: self.number };
        if is_right { Ok(()) } else { Err(error) }
    }

    pub(crate) fn weapon(&self) -> Weapon {
        let (joint, holder, attacks) = (self.joint, self.holder, self.attacks.clone());
        let [.., half_extents] = self.columns();
        Weapon { joint, joint_from_weapon: self.joint_from_weapon(), half_extents, holder, attacks }
    }

    fn columns(&self) -> [Vec3; 5] {
        self.place.map(|column| Vec3::from_array(column.map(|number| number.get() as f32)))
    }

    fn joint_from_weapon(&self) -> Affine3A {
        let [x, y, z, translation, _] = self.columns();
        Affine3A::from_mat3_translation(Mat3::from_cols(x, y, z), translation)
    }

    /// The place of the [unit box](unit_box) that is the weapon.
    pub(crate) fn place_at(&self, world_from_joint: &Affine3A) -> Affine3A {
        let [.., half] = self.columns();
        let place = portable::affine_mul(world_from_joint, &self.joint_from_weapon());
        let axes = place.matrix3;
        let scaled = Mat3::from_cols(
            Vec3::from(axes.x_axis) * half.x,
            Vec3::from(axes.y_axis) * half.y,
            Vec3::from(axes.z_axis) * half.z,
        );
        Affine3A::from_mat3_translation(scaled, place.translation.into())
    }

    /// Returns `true` if the weapon strikes in an attack; `boxes` are the attack's hitboxes.
    pub(crate) fn takes_part(&self, attack: u32, boxes: &[u16]) -> bool {
        if self.attacks.is_empty() {
            boxes.binary_search(&self.holder.0).is_ok()
        } else {
            self.attacks.binary_search(&attack).is_ok()
        }
    }
}

/// A character of one box, from -1 to 1 along each axis: weapons are this box, at a place with a scale.
pub(crate) fn unit_box() -> &'static Arc<Character> {
    static UNIT: LazyLock<Arc<Character>> = LazyLock::new(|| {
        let joint = Joint {
            name: "weapon".into(),
            node: NodeIndex(0),
            parent: None,
            rest: LocalTransform::Trs(Trs::IDENTITY),
            skinned: true,
        };
        let one = Hitbox {
            joint: JointIndex(0),
            shape: HitboxShape::Box,
            role: HitboxRole::Hurt,
            tags: Vec::new(),
            center: Vec3::ZERO,
            half_extents: Vec3::ONE,
            orientation: Quat::IDENTITY,
            vertices: 8,
            hull_vertices: 8,
            hull_volume: 8.0,
            min_volume: None,
            hull: None,
        };
        Arc::new(Character::from_baked(BakedCharacter {
            name: "weapon".into(),
            source: Source { file: "weapon".into(), blake3: [0; 32], generator: "bonebox".into() },
            algorithm_revision: 0,
            options: Vec::new(),
            skeleton: Skeleton::new(vec![joint]).unwrap_or_default(),
            boxes: vec![one],
            clips: Vec::new(),
            coverage: None,
            warnings: Vec::new(),
            humanoid: None,
            skin: None,
            envelopes: Vec::new(),
            attacks: Vec::new(),
            states: Vec::new(),
            ragdoll: None,
        }))
    });
    &UNIT
}
