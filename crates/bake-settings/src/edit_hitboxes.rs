//! Writes edited hitboxes of a character into the text of a settings file, as manual boxes, and takes them out again. The
//! page, Blender and Python edit with this function, so the same edit gives the same text.

use crate::edit::{EditError, FittedBoxes, add_boxes, edited, refuse_boxes_of_other_sections, remove_boxes};
use crate::manual_shape::ManualShape;
use crate::settings::Settings;
use baked_format::{BakedCharacter, Hitbox, HitboxRole, HitboxShape};
use bone_fit::{LengthUnit, ManualBox, did_you_mean, joint_is_in_meters, nearest_name};
use glam::{Quat, Vec3};
use std::collections::BTreeMap;

/// Numbers that differ by less than this share of the hitbox's half diagonal, and rotations by less than this half angle in
/// radians, are those of a hitbox that nobody edited: tools round transforms.
const UNEDITED: f32 = 1e-5;

/// Edited lengths are rounded to the power of ten that is this many digits below the first digit of the longest half extent.
const DIGITS: i32 = 4;

/// Edited quaternions are rounded to this fraction.
const TURN_STEP: f64 = 1e-5;

/// The edit of one joint.
#[derive(Clone, Debug, PartialEq)]
pub enum JointEdit {
    /// The joint has these hitboxes and no fitted ones. No hitbox at all if the list is empty.
    Hitboxes(Vec<EditedHitbox>),
    /// The joint has its fitted hitboxes again, and no manual ones.
    Fitted,
}

/// A hitbox of an edited joint. Positions and lengths are in joint space and its unit, as in a baked file.
#[derive(Clone, Debug, PartialEq)]
pub struct EditedHitbox {
    /// The shape. A manual box cannot be a hull, so a hull becomes the box around it.
    pub shape: HitboxShape,
    /// What the hitbox is for.
    pub role: HitboxRole,
    /// All tags of the hitbox, in any order.
    pub tags: Vec<String>,
    /// The center.
    pub center: Vec3,
    /// The half extents along the hitbox's own axes, as in a [`Hitbox`].
    pub half_extents: Vec3,
    /// The rotation `joint_from_box`, of any length above 1e-6.
    pub orientation: Quat,
}

impl From<&Hitbox> for EditedHitbox {
    fn from(one: &Hitbox) -> Self {
        let Hitbox { shape, role, center, half_extents, orientation, .. } = *one;
        Self { shape, role, tags: one.tags.clone(), center, half_extents, orientation }
    }
}

/// The text of a settings file after an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedText {
    /// The text.
    pub text: String,
    /// What a person should know: hitboxes that became a box, because a manual box cannot have their shape.
    pub notes: Vec<String>,
}

/// Returns the text of the file with the edited joints of one character. Comments and everything else stay unchanged.
///
/// `above` are the files of parent folders that also apply, the outermost first. `baked` is the bake that was edited. A hitbox that equals a manual box of the file or one of `baked` at the same joint, up to
/// the rounding of tools, keeps its numbers to the last bit. The numbers of other hitboxes are rounded to five digits of the longest half extent,
/// so that people can read them, and so that the same edit in another tool gives the same text. A sphere or a capsule that
/// was stretched becomes the box around it.
///
/// # Errors
/// Returns [`EditError`] if the character has no such joint, if a hitbox is not finite, is larger than the numbers of the file
/// can be or has no rotation, if the file has a mistake or a form that cannot be extended, or if another section than the
/// character's own has manual boxes of the same joint.
pub fn with_hitboxes(
    above: &[&Settings],
    text: &str,
    character: &str,
    baked: &BakedCharacter,
    edits: &BTreeMap<String, JointEdit>,
) -> Result<EditedText, EditError> {
    let settings = Settings::parse_layer(text)?;
    let before = settings.for_character(character, &[]).unwrap_or_default();
    let (mut boxes, mut fitted, mut notes) = (BTreeMap::new(), Vec::new(), Vec::new());
    for (joint, edit) in edits {
        let Some(index) = baked.skeleton.find(joint) else {
            let names = baked.skeleton.joints().iter().map(|joint| joint.name.as_str());
            let hint = did_you_mean(nearest_name(joint, names));
            return Err(EditError::NoJoint { joint: joint.clone(), hint });
        };
        refuse_boxes_of_other_sections(above, &settings, character, joint)?;
        match edit {
            JointEdit::Fitted => fitted.push(joint.as_str()),
            JointEdit::Hitboxes(hitboxes) => {
                let unit = match joint_is_in_meters(&baked.skeleton, index) {
                    true => LengthUnit::Meters,
                    false => LengthUnit::Joint,
                };
                // A bake normalizes the rotations of manual boxes, so the numbers of the file come first.
                let manual = before.overrides.joints.get(joint).into_iter().flat_map(|settings| &settings.boxes);
                let manual = manual.filter(|one| one.unit == unit || unit == LengthUnit::Meters);
                let fitted = baked.boxes.iter().filter(|one| one.joint == index);
                let there: Vec<Place> = manual.map(Place::of_manual_box).chain(fitted.map(Place::of_hitbox)).collect();
                let mut manual = Vec::with_capacity(hitboxes.len());
                for (number, one) in hitboxes.iter().enumerate() {
                    let problem = |problem| EditError::BadHitbox { joint: joint.clone(), number, problem };
                    let (one, note) = manual_box(one, &there, unit).map_err(problem)?;
                    notes.extend(note.map(|note| format!("{joint}: {note}")));
                    manual.push(one);
                }
                boxes.insert(joint.clone(), manual);
            }
        }
    }
    let keys: Vec<_> = edits.keys().map(|joint| (Some(joint.as_str()), "skip")).collect();
    let text = edited(text, character, &keys, |document| {
        fitted.iter().try_for_each(|joint| remove_boxes(document, character, joint))?;
        add_boxes(document, character, &boxes, FittedBoxes::Skip)
    })?;
    let written = Settings::parse_layer(&text)?;
    for joint in fitted {
        // The nearest file that says something about it decides.
        let mut files = std::iter::once((&written, false)).chain(above.iter().rev().map(|file| (*file, true)));
        let said = files.find_map(|(file, is_above)| Some((file.section_about_skip(character, joint)?, is_above)));
        if let Some(((other, true), is_above)) = said {
            return Err(EditError::SkippedElsewhere { joint: joint.to_owned(), other, is_above });
        }
    }
    Ok(EditedText { text, notes })
}

/// The manual box of a hitbox, and a note if its shape had to change.
fn manual_box(one: &EditedHitbox, there: &[Place], unit: LengthUnit) -> Result<(ManualBox, Option<String>), String> {
    let lengths = [one.center.to_array(), one.half_extents.to_array()].concat();
    if !lengths.iter().all(|length| length.is_finite() && length.abs() <= f32::MAX / 4.0) {
        return Err(format!(
            "its center is {} and its half extents are {}, but must be finite",
            one.center, one.half_extents
        ));
    }
    if one.half_extents.min_element() < 0.0 {
        return Err(format!("its half extents are {}, but each must be at least 0", one.half_extents));
    }
    let length = one.orientation.length();
    if !(length.is_finite() && length > 1e-6) {
        return Err(format!(
            "its orientation is {}, but must be a rotation; use [0, 0, 0, 1] for no rotation",
            one.orientation
        ));
    }
    let (tags, role) = (one.tags.clone(), one.role);
    let turn = one.orientation / length;
    let unedited = there.iter().find(|there| there.is_of(one, turn));
    let (center, half_extents, orientation) = match unedited {
        Some(there) => (there.center, there.half_extents, there.orientation),
        None => {
            let step = step_of(one.half_extents);
            (rounded(one.center, step), rounded(one.half_extents, step), rounded_turn(turn))
        }
    };
    let ManualShape { shape, half_extents, why_box } = ManualShape::nearest(one.shape, half_extents);
    let note = why_box.map(|why| format!("the box around this {} is used, because {why}", one.shape.keyword()));
    Ok((ManualBox { shape, center, half_extents, orientation, tags, role, unit }, note))
}

/// The numbers of a hitbox that is there already.
struct Place {
    shape: HitboxShape,
    center: Vec3,
    half_extents: Vec3,
    orientation: Quat,
}

impl Place {
    fn of_hitbox(one: &Hitbox) -> Self {
        let Hitbox { shape, center, half_extents, orientation, .. } = *one;
        Self { shape, center, half_extents, orientation }
    }

    fn of_manual_box(one: &ManualBox) -> Self {
        let ManualBox { shape, center, half_extents, orientation, .. } = *one;
        Self { shape, center, half_extents, orientation }
    }

    /// Returns true if the hitbox has these numbers, up to the rounding of tools. `turn` is its rotation, of length 1.
    fn is_of(&self, one: &EditedHitbox, turn: Quat) -> bool {
        let near = UNEDITED * self.half_extents.length();
        // |sin| of half the angle between the two.
        let between = (self.orientation.normalize().inverse() * turn).xyz().length();
        self.shape == one.shape
            && (self.center - one.center).length() <= near
            && (self.half_extents - one.half_extents).length() <= near
            && between <= UNEDITED
    }
}

/// The power of ten that lengths of a box of this size are rounded to. `None` for a point.
fn step_of(half_extents: Vec3) -> Option<i32> {
    let longest = f64::from(half_extents.max_element());
    (longest > 0.0).then(|| libm::floor(libm::log10(longest)) as i32 - DIGITS)
}

fn rounded(lengths: Vec3, step: Option<i32>) -> Vec3 {
    let Some(step) = step else { return lengths };
    // A power of ten with a negative exponent is no exact number, so small steps divide.
    let (power, is_fraction) = (libm::pow(10.0, f64::from(step.abs())), step < 0);
    let round = |length: f32| {
        let length = f64::from(length);
        let whole = if is_fraction { libm::rint(length * power) } else { libm::rint(length / power) };
        // Adding 0 makes -0 to 0.
        (if is_fraction { whole / power } else { whole * power }) as f32 + 0.0
    };
    Vec3::from_array(lengths.to_array().map(round))
}

/// The rotation with a positive w, rounded. A file reads better without noise such as 1e-9.
fn rounded_turn(turn: Quat) -> Quat {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let per_unit = 1.0 / TURN_STEP;
    Quat::from_array(turn.to_array().map(|part| (libm::rint(f64::from(part) * per_unit) / per_unit) as f32 + 0.0))
}
