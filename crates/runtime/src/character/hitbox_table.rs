//! The hitboxes of a character as posing reads them.

use super::hull_table::HullTable;
use super::place_round::place_round;
use crate::character::roles::Roles;
use crate::kernels::envelope_table::EnvelopeTable;
use crate::kernels::joint_matrices::JointMatrices;
use crate::kernels::layout::{LANES, Record, Shape, ShapeBlock};
use crate::skin::table::SkinTable;
use baked_format::{BakedCharacter, HitboxRole, HitboxShape};
use geometry_core::portable::mat3_from_quaternion;
use skeleton::{JointIndex, Skeleton};
use std::sync::Arc;

/// The part of a character that posing reads. A posed character keeps it, so that functions can check which character
/// the pose belongs to.
#[derive(Debug, PartialEq)]
pub(crate) struct HitboxTable {
    pub(crate) name: Arc<str>,
    /// The joint of each hitbox, by box index.
    pub(crate) joints: Vec<JointIndex>,
    /// `true` if no joint has two hitboxes and the hitboxes are in the order of their joints.
    pub(crate) joints_ascend: bool,
    /// The shape of each hitbox, by box index; empty if all hitboxes are boxes, so that such characters do no work for
    /// shapes.
    pub(crate) forms: Vec<HitboxShape>,
    /// The role of each hitbox, by box index; empty if all hitboxes can be hit.
    pub(crate) roles: Vec<HitboxRole>,
    /// The roles of all hitboxes.
    pub(crate) any_role: Roles,
    /// The hulls of those hitboxes that are hulls.
    pub(crate) hulls: HullTable,
    /// The box around each hitbox in joint space, indexed like `baked.boxes`.
    pub(crate) shapes: Vec<Shape>,
    /// The same boxes as `shapes`, in lanes.
    pub(crate) blocks: Vec<ShapeBlock>,
    /// The skin; `None` if the character was baked without its skin.
    pub(crate) skin: Option<Arc<SkinTable>>,
    /// The data from which each pose computes the boxes of `poses = "any"`; `None` if all boxes keep their shape.
    pub(crate) envelopes: Option<EnvelopeTable>,
    /// The skeleton, so that joint maps and joint masks of a character with other joints or another rest pose are
    /// refused.
    pub(crate) skeleton: Skeleton,
}

impl HitboxTable {
    pub(super) fn new(baked: &BakedCharacter) -> Self {
        let shape = |one: &baked_format::Hitbox| Shape {
            joint: one.joint,
            center: one.center,
            half: one.half_extents,
            axes: mat3_from_quaternion(one.orientation),
        };
        let shapes: Vec<Shape> = baked.boxes.iter().map(shape).collect();
        let mut blocks = vec![ShapeBlock::EMPTY; shapes.len().div_ceil(LANES)];
        for (index, shape) in shapes.iter().enumerate() {
            blocks[index / LANES].set(index % LANES, shape);
        }
        let envelopes = EnvelopeTable::new(&shapes, &baked.envelopes);
        Self {
            name: baked.name.as_str().into(),
            joints: shapes.iter().map(|shape| shape.joint).collect(),
            joints_ascend: shapes.is_sorted_by(|one, next| one.joint < next.joint),
            forms: forms(&baked.boxes),
            roles: roles(&baked.boxes),
            any_role: if baked.boxes.is_empty() {
                Roles::default()
            } else {
                baked.boxes.iter().map(|one| one.role).collect()
            },
            hulls: HullTable::new(&baked.boxes),
            shapes,
            blocks,
            skin: baked.skin.as_ref().map(|skin| Arc::new(SkinTable::new(skin, &baked.skeleton))),
            envelopes,
            skeleton: baked.skeleton.clone(),
        }
    }

    /// The record of a hitbox, given the box that a kernel placed. `None` if the shape is not finite or out of range.
    pub(crate) fn shaped(&self, index: usize, placed: Record, matrices: &JointMatrices<'_>) -> Option<Record> {
        match self.forms.get(index) {
            None | Some(HitboxShape::Box | HitboxShape::Hull) => Some(placed),
            Some(&form) => {
                let one = &self.shapes[index];
                place_round(one, form, &placed, &matrices.world_from_joint(one.joint))
            }
        }
    }

    /// The role of a hitbox; `Hurt` for an index that the character does not have.
    #[inline]
    pub(crate) fn role(&self, index: usize) -> HitboxRole {
        self.roles.get(index).copied().unwrap_or_default()
    }

    /// Returns `true` if both tables are of the same character: name, hitboxes, skin and skeleton are equal. The same
    /// asset loaded twice counts as the same character.
    #[inline]
    pub(crate) fn is_same(self: &Arc<Self>, other: &Arc<Self>) -> bool {
        Arc::ptr_eq(self, other) || **self == **other
    }
}

/// The role of each hitbox, by box index; empty if all hitboxes can be hit.
fn roles(hitboxes: &[baked_format::Hitbox]) -> Vec<HitboxRole> {
    if hitboxes.iter().all(|one| one.role == HitboxRole::Hurt) {
        return Vec::new();
    }
    hitboxes.iter().map(|one| one.role).collect()
}

/// The shape of each hitbox, by box index; empty if all hitboxes are boxes.
fn forms(hitboxes: &[baked_format::Hitbox]) -> Vec<HitboxShape> {
    if hitboxes.iter().all(|one| one.shape == HitboxShape::Box) {
        return Vec::new();
    }
    hitboxes.iter().map(|one| one.shape).collect()
}
