//! Changes of the animation clips.

use super::change::{Change, Fields, compare_lists, named, number, some_of};
use super::skeleton::joint_name;
use baked_format::BakedCharacter;
use skeleton::{Channel, Clip, Property};
use std::collections::BTreeMap;

/// A clip and the character that has it.
type ClipOf<'a> = (&'a BakedCharacter, &'a Clip);

pub(super) fn compare_clips(changes: &mut Vec<Change>, sides: [&BakedCharacter; 2]) {
    let described =
        |(_, clip): ClipOf<'_>| format!("{} s, {} channels, {} keys", clip.seconds(), clip.channels.len(), keys(clip));
    let clips = sides.map(|character| {
        let clips = character.clips.iter().map(|clip| (character, clip));
        named(clips, |(_, clip)| clip.name.clone())
    });
    compare_lists(changes, "clip", clips, described, compare_clip);
}

/// The number of keys of all channels.
fn keys(clip: &Clip) -> usize {
    clip.channels.iter().filter_map(|channel| clip.timelines.get(channel.timeline as usize)).map(Vec::len).sum()
}

fn compare_clip(before: ClipOf<'_>, after: ClipOf<'_>, fields: &mut Fields) {
    // Clips are matched by name.
    let Clip { name: _, timelines, channels: _ } = before.1;
    fields.value("start", number(before.1.start()), number(after.1.start()));
    fields.value("seconds", number(before.1.seconds()), number(after.1.seconds()));
    fields.value("keys", keys(before.1), keys(after.1));
    fields.list("timelines", timelines, &after.1.timelines);

    let (old, new) = (channels(before), channels(after));
    let only = |these: &BTreeMap<String, &Channel>, those: &BTreeMap<String, &Channel>| -> Vec<String> {
        these.keys().filter(|name| !those.contains_key(*name)).cloned().collect()
    };
    for (word, names) in [("removed", only(&old, &new)), ("added", only(&new, &old))] {
        if !names.is_empty() {
            fields.note("channels", format!("channels {word}: {}", some_of(&names)));
        }
    }
    // For each field of a channel, the names of the channels in which it differs.
    let mut different: [(&str, Vec<String>); 3] =
        [("interpolation", Vec::new()), ("timeline", Vec::new()), ("values", Vec::new())];
    for (name, before) in &old {
        let Some(after) = new.get(name) else { continue };
        // Channels are matched by joint and property.
        let Channel { joint: _, property: _, interpolation, timeline, values } = before;
        let same = [*interpolation == after.interpolation, *timeline == after.timeline, *values == after.values];
        for ((_, names), _) in different.iter_mut().zip(same).filter(|(_, same)| !same) {
            names.push(name.clone());
        }
    }
    for (field, names) in different.iter().filter(|(_, names)| !names.is_empty()) {
        fields.note(format!("channels.{field}"), format!("{field} of {} differ", some_of(names)));
    }
}

/// The channels by the names of their joints and properties.
fn channels<'a>((character, clip): ClipOf<'a>) -> BTreeMap<String, &'a Channel> {
    let name = |channel: &Channel| {
        let property = match channel.property {
            Property::Translation => "translation",
            Property::Rotation => "rotation",
            Property::Scale => "scale",
        };
        format!("{} {property}", joint_name(character, channel.joint))
    };
    clip.channels.iter().map(|channel| (name(channel), channel)).collect()
}
