//! Changes of the envelopes, which bound the surface of hitboxes in any pose.

use super::boxes::box_names;
use super::change::{Change, Fields, compare_lists, number};
use super::skeleton::joint_name;
use baked_format::{BakedCharacter, Cluster, Envelope, Motion, Mover};

/// An envelope and the character that has it.
type EnvelopeOf<'a> = (&'a BakedCharacter, &'a Envelope);

/// Adds the changes of the envelopes, which have the names of their hitboxes. If only one bake has envelopes, this is one
/// change.
pub(super) fn compare_envelopes(changes: &mut Vec<Change>, sides: [&BakedCharacter; 2]) {
    let count = sides.map(|character| Some(character.envelopes.len()).filter(|count| *count > 0));
    if count.contains(&None) {
        let described = |count| format!("{count} envelopes");
        changes.extend(Change::optional("envelopes", count, described, |_, _, _| {}));
        return;
    }
    let described = |(_, envelope): EnvelopeOf<'_>| {
        format!("{} movers, {} clusters", envelope.movers.len(), envelope.clusters.len())
    };
    let envelopes = sides.map(|character| {
        let envelopes = character.envelopes.iter().map(|envelope| (character, envelope));
        box_names(character).zip(envelopes).collect()
    });
    compare_lists(changes, "envelope", envelopes, described, compare_envelope);
}

fn compare_envelope(before: EnvelopeOf<'_>, after: EnvelopeOf<'_>, fields: &mut Fields) {
    let Envelope { slack, place_step, rest_step, movers, clusters } = before.1;
    fields.value("slack", number(*slack), number(after.1.slack));
    fields.value("place_step", number(*place_step), number(after.1.place_step));
    fields.value("rest_step", number(*rest_step), number(after.1.rest_step));

    let moved_by = |(character, envelope): EnvelopeOf<'_>| -> String {
        let names = envelope.movers.iter().map(|mover| joint_name(character, mover.joint));
        names.collect::<Vec<_>>().join(" ")
    };
    let (old_movers, new_movers) = (moved_by(before), moved_by(after));
    if old_movers != new_movers {
        fields.value("movers", old_movers, new_movers);
    } else {
        fields.rows("movers", movers, &after.1.movers, |before, after| {
            // The lists have the same joints.
            let Mover { joint: _, orientation, scale, center, slack } = before;
            [
                ("orientation", *orientation == after.orientation),
                ("scale", *scale == after.scale),
                ("center", *center == after.center),
                ("slack", *slack == after.slack),
            ]
        });
    }
    fields.rows("clusters", clusters, &after.1.clusters, |before, after| {
        // The motions are compared below.
        let Cluster { low, high, motions } = before;
        [("low", *low == after.low), ("high", *high == after.high), ("motions", motions.len() == after.motions.len())]
    });
    let motions =
        |envelope: &Envelope| envelope.clusters.iter().flat_map(|cluster| cluster.motions.clone()).collect::<Vec<_>>();
    fields.rows("motions", &motions(before.1), &motions(after.1), |before, after| {
        let Motion { mover, low, high, low_weight, high_weight } = before;
        [
            ("mover", *mover == after.mover),
            ("low", *low == after.low),
            ("high", *high == after.high),
            ("low_weight", *low_weight == after.low_weight),
            ("high_weight", *high_weight == after.high_weight),
        ]
    });
}
