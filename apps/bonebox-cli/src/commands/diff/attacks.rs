//! Changes of attacks and states.

use super::boxes;
use super::change::{Change, Fields, compare_lists, named, number};
use baked_format::{Attack, BakedCharacter, ClipState, Window};
use serde_json::Value;
use skeleton::ClipIndex;

pub(super) fn compare_attacks(changes: &mut Vec<Change>, sides: [&BakedCharacter; 2]) {
    let attacks = sides.map(|character| {
        let attacks = character.attacks.iter().map(|attack| (character, attack));
        named(attacks, |(_, attack)| format!("{} of {}", attack.name, clip_name(character, attack.clip)))
    });
    let described = |(character, attack): (&BakedCharacter, &Attack)| active(character, &attack.boxes, &attack.active);
    compare_lists(changes, "attack", attacks, described, |(old, before), (new, after), fields| {
        // Attacks are matched by name and clip.
        let Attack { name: _, clip: _, kind, boxes, active, group, rank, rehit, against, strength, data } = before;
        fields.value("kind", kind.keyword(), after.kind.keyword());
        fields.value("boxes", box_names(old, boxes), box_names(new, &after.boxes));
        compare_windows(fields, active, &after.active);
        fields.value("group", group.as_str(), after.group.as_str());
        fields.value("rank", *rank, after.rank);
        let seconds = |rehit: Option<f32>| rehit.map_or(Value::Null, number);
        fields.value("rehit", seconds(*rehit), seconds(after.rehit));
        fields.value("against", against.join(" "), after.against.join(" "));
        fields.value("strength", number(*strength), number(after.strength));
        fields.value("data", data.as_deref(), after.data.as_deref());
    });
}

pub(super) fn compare_states(changes: &mut Vec<Change>, sides: [&BakedCharacter; 2]) {
    let states = sides.map(|character| {
        let states = character.states.iter().map(|state| (character, state));
        named(states, |(_, state)| format!("{} of {}", state.kind.keyword(), clip_name(character, state.clip)))
    });
    let described = |(character, state): (&BakedCharacter, &ClipState)| active(character, &state.boxes, &state.active);
    compare_lists(changes, "state", states, described, |(old, before), (new, after), fields| {
        // States are matched by kind and clip.
        let ClipState { clip: _, kind: _, boxes, active } = before;
        fields.value("boxes", box_names(old, boxes), box_names(new, &after.boxes));
        compare_windows(fields, active, &after.active);
    });
}

fn compare_windows(fields: &mut Fields, old: &[Window], new: &[Window]) {
    fields.value("active", windows(old), windows(new));
}

fn windows(active: &[Window]) -> String {
    let text = |Window { from, to }: &Window| format!("{from} to {to} s");
    active.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn active(character: &BakedCharacter, boxes: &[u16], active: &[Window]) -> String {
    format!("{} with {}", windows(active), box_names(character, boxes))
}

fn clip_name(character: &BakedCharacter, clip: ClipIndex) -> String {
    character.clips.get(clip.index()).map_or_else(|| "no clip".into(), |clip| clip.name.clone())
}

/// The names of hitboxes, which stay the same if other hitboxes are added.
pub(super) fn box_names(character: &BakedCharacter, boxes: &[u16]) -> String {
    let names: Vec<String> = boxes::box_names(character).collect();
    boxes.iter().map(|&index| names.get(usize::from(index)).map_or("?", String::as_str)).collect::<Vec<_>>().join(" ")
}
