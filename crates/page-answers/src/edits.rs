//! Hitboxes that the page edits, as its questions have them.

use anyhow::Context as _;
use bake_settings::{EditedHitbox, JointEdit};
use baked_format::{BakedCharacter, Hitbox, HitboxRole, HitboxShape};
use glam::{Quat, Vec3};
use serde::Deserialize;
use skeleton::JointIndex;
use std::collections::BTreeMap;

/// The edits of joints, by the names of the joints.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(transparent)]
#[cfg_attr(test, ts(rename = "JointEdits"))]
pub struct Edits(BTreeMap<String, Edit>);

/// The hitboxes of a joint, or `fitted` for those that the bake fits.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
#[cfg_attr(test, ts(rename = "JointEdit"))]
enum Edit {
    Hitboxes(Vec<EditedData>),
    Word(#[cfg_attr(test, ts(inline))] Word),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
enum Word {
    Fitted,
}

/// A hitbox of an edited joint, in joint space and its unit. The half extents of round shapes are as in `Hitbox`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(rename = "EditedHitbox"))]
struct EditedData {
    /// A hull becomes the box around it as soon as its joint is edited.
    #[cfg_attr(test, ts(type = "Exclude<Shape, 'hull'>"))]
    shape: String,
    role: String,
    tags: Vec<String>,
    center: [f32; 3],
    half_extents: [f32; 3],
    orientation: [f32; 4],
}

impl EditedData {
    /// # Errors
    /// Returns an error if the shape or the role does not exist.
    fn hitbox(&self) -> anyhow::Result<EditedHitbox> {
        let shape = HitboxShape::ALL.into_iter().find(|shape| shape.keyword() == self.shape);
        let role = HitboxRole::ALL.into_iter().find(|role| role.keyword() == self.role);
        Ok(EditedHitbox {
            shape: shape.with_context(|| format!("there is no shape {:?}; use box, capsule or sphere", self.shape))?,
            role: role.with_context(|| {
                format!("there is no role {:?}; use hurt, strike, grab, guard or sensor", self.role)
            })?,
            tags: self.tags.clone(),
            center: Vec3::from_array(self.center),
            half_extents: Vec3::from_array(self.half_extents),
            orientation: Quat::from_array(self.orientation),
        })
    }
}

impl Edits {
    /// The edits for [`bake_settings::with_hitboxes`].
    ///
    /// # Errors
    /// Returns an error with the joint if a shape or a role does not exist.
    pub fn of_joints(&self) -> anyhow::Result<BTreeMap<String, JointEdit>> {
        let edit = |(joint, edit): (&String, &Edit)| {
            let edit = match edit {
                Edit::Word(Word::Fitted) => JointEdit::Fitted,
                Edit::Hitboxes(all) => {
                    let hitboxes = all.iter().map(EditedData::hitbox).collect::<anyhow::Result<_>>();
                    JointEdit::Hitboxes(hitboxes.with_context(|| format!("the joint {joint:?}"))?)
                }
            };
            Ok((joint.clone(), edit))
        };
        self.0.iter().map(edit).collect()
    }

    /// The hitboxes of a bake with the edits. Joints that are to be fitted keep the hitboxes of the bake.
    ///
    /// # Errors
    /// Returns an error if the character has no such joint, or if a number is not finite.
    pub(crate) fn applied_to(&self, baked: &BakedCharacter) -> anyhow::Result<Vec<Hitbox>> {
        let mut boxes = baked.boxes.clone();
        for (name, edit) in self.of_joints()? {
            let joint = baked.skeleton.find(&name).with_context(|| format!("the character has no joint {name:?}"))?;
            let JointEdit::Hitboxes(hitboxes) = edit else { continue };
            boxes.retain(|one| one.joint != joint);
            for one in &hitboxes {
                boxes.push(hitbox(one, joint).with_context(|| format!("a hitbox of {name:?} is not finite"))?);
            }
        }
        Ok(boxes)
    }
}

/// The hitbox of a bake without the figures of a fit; `None` if a number is not finite. A hull becomes the box around it.
fn hitbox(one: &EditedHitbox, joint: JointIndex) -> Option<Hitbox> {
    let orientation = one.orientation.normalize();
    let half_extents = one.half_extents.abs();
    let is_finite = one.center.is_finite() && half_extents.is_finite() && orientation.is_finite();
    let shape = if one.shape == HitboxShape::Hull { HitboxShape::Box } else { one.shape };
    is_finite.then(|| Hitbox {
        joint,
        shape,
        role: one.role,
        tags: one.tags.clone(),
        center: one.center,
        half_extents,
        orientation,
        vertices: 0,
        hull_vertices: 0,
        hull_volume: 0.0,
        min_volume: None,
        hull: None,
    })
}
