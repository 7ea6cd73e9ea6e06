//! Checks what readers may rely on of attacks and states.

use crate::attack::Window;
use crate::character::{BakedCharacter, HitboxRole};
use crate::check::{Check, at_most, named, shown, sorted, text, value, within};
use crate::error::CharacterError;
use crate::limits::{MAX_ATTACKS, MAX_BOXES, MAX_SECONDS, MAX_TAGS, MAX_WINDOWS};
use skeleton::ClipIndex;
use std::collections::HashSet;

impl BakedCharacter {
    /// Returns the lowest minor version with all that the character uses.
    pub(crate) fn minor_version(&self) -> u16 {
        let has_morphs = self.skin.as_ref().is_some_and(|skin| !skin.morph_targets.is_empty());
        if self.ragdoll.is_some() || has_morphs {
            3
        } else if self.boxes.iter().any(|one| one.role != HitboxRole::Hurt) {
            2
        } else {
            (!self.attacks.is_empty() || !self.states.is_empty()).into()
        }
    }

    pub(crate) fn validate_attacks(&self) -> Check {
        at_most(self.attacks.len(), MAX_ATTACKS, "attacks", || "character".into())?;
        at_most(self.states.len(), MAX_ATTACKS, "states", || "character".into())?;
        let mut names = HashSet::new();
        for (index, attack) in self.attacks.iter().enumerate() {
            let place = |field: &str| format!("{field} of attacks[{index}] ({})", shown(&attack.name));
            named(&attack.name, || place("name"))?;
            named(&attack.group, || place("group"))?;
            let before = index.checked_sub(1).map(|before| self.attacks[before].clip);
            self.validate_active(attack.clip, before, &attack.boxes, &attack.active, &place)?;
            if !names.insert((attack.clip, attack.name.as_str())) {
                return Err(value(place("name"), attack.name.clone(), "a name that no other attack of the clip has"));
            }
            if let Some(rehit) = attack.rehit {
                within(rehit, f32::MIN_POSITIVE, MAX_SECONDS, "none, or seconds above 0", || place("rehit"))?;
            }
            within(attack.strength, 0.0, f32::MAX, "a number of at least 0", || place("strength"))?;
            at_most(attack.against.len(), MAX_TAGS, "tags", || place("against"))?;
            attack.against.iter().try_for_each(|tag| named(tag, || place("against")))?;
            sorted(&attack.against, "sort tags, none twice", || place("against"))?;
            attack.data.as_ref().map_or(Ok(()), |data| text(data, || place("data")))?;
        }
        for (index, state) in self.states.iter().enumerate() {
            let place = |field: &str| format!("{field} of states[{index}]");
            let before = index.checked_sub(1).map(|before| self.states[before].clip);
            self.validate_active(state.clip, before, &state.boxes, &state.active, &place)?;
        }
        Ok(())
    }

    /// Checks when and where an attack or a state is, and that its clip does not come before that of the one `before`.
    fn validate_active(
        &self,
        clip: ClipIndex,
        before: Option<ClipIndex>,
        boxes: &[u16],
        active: &[Window],
        place: &impl Fn(&str) -> String,
    ) -> Check {
        let out_of_range = |field, index: usize, what, count| CharacterError::Index {
            place: place(field),
            index: index as u64,
            what,
            count,
        };
        if clip.index() >= self.clips.len() {
            return Err(out_of_range("clip", clip.index(), "clips", self.clips.len()));
        }
        if before.is_some_and(|before| before > clip) {
            let found = self.clips[clip.index()].name.clone();
            return Err(CharacterError::Order { place: place("clip"), found, rule: "sort by clip" });
        }
        at_most(boxes.len(), MAX_BOXES, "boxes", || place("boxes"))?;
        sorted(boxes, "sort boxes, none twice", || place("boxes"))?;
        match boxes.last() {
            None => return Err(value(place("boxes"), "none", "at least one box")),
            Some(&last) if usize::from(last) >= self.boxes.len() => {
                return Err(out_of_range("boxes", last.into(), "boxes", self.boxes.len()));
            }
            Some(_) => {}
        }
        at_most(active.len(), MAX_WINDOWS, "windows", || place("active"))?;
        if active.is_empty() {
            return Err(value(place("active"), "none", "at least one window"));
        }
        let mut end = None;
        for window in active {
            let is_valid = 0.0 <= window.from && window.from <= window.to && window.to <= MAX_SECONDS;
            if !is_valid || end.is_some_and(|end| window.from <= end) {
                let found = format!("{} to {}", window.from, window.to);
                return Err(value(place("active"), found, "windows in order, apart, from 0 to 1e9 seconds"));
            }
            end = Some(window.to);
        }
        Ok(())
    }
}
