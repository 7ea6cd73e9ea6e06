//! All differences between two bakes.

use super::change::{Change, Fields};
use super::{attacks, boxes, clips, envelopes, facts, ragdoll, skeleton, skin};
use baked_format::BakedCharacter;

/// Returns everything that differs. A new field of the file does not compile here, or in the module of its struct, until it
/// is compared.
pub(crate) fn compare(old: &BakedCharacter, new: &BakedCharacter, over: f64) -> Vec<Change> {
    let BakedCharacter {
        name,
        source,
        algorithm_revision,
        options,
        skeleton: _,
        boxes: _,
        clips: _,
        coverage: _,
        warnings,
        humanoid: _,
        skin: _,
        envelopes: _,
        attacks: _,
        states: _,
        ragdoll: _,
    } = old;
    let (sides, mut changes) = ([old, new], Vec::new());
    let mut fields = Fields::default();
    fields.value("name", name.as_str(), new.name.as_str());
    fields.value("algorithm_revision", *algorithm_revision, new.algorithm_revision);
    changes.extend(Change::changed("character", None, fields));
    changes.extend(facts::compare_source(source, &new.source));
    changes.extend(facts::compare_options(options, &new.options));
    skeleton::compare_joints(&mut changes, sides);
    changes.extend(skeleton::compare_humanoids(sides));
    boxes::compare_boxes(&mut changes, sides, over);
    envelopes::compare_envelopes(&mut changes, sides);
    clips::compare_clips(&mut changes, sides);
    skin::compare_skins(&mut changes, sides);
    attacks::compare_attacks(&mut changes, sides);
    attacks::compare_states(&mut changes, sides);
    ragdoll::compare_ragdolls(&mut changes, sides);
    changes.extend(facts::compare_coverage(sides));
    facts::compare_warnings(&mut changes, warnings, &new.warnings);
    changes
}
