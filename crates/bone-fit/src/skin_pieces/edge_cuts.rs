//! The places at which an edge of a triangle is cut. The places depend on the edge's two vertices alone, so that all
//! triangles around the edge are cut at the same points.

use crate::assign::owner::EQUAL_WEIGHTS;
use skeleton::JointIndex;

/// Points of a triangle that are closer than this share of its edges are the same point.
pub(crate) const SAME_POINT: f64 = 1e-7;

/// Returns the places at which another joint begins to have the largest share of the weights, as shares of the way from
/// `a` to `b`: ascending, strictly between 0 and 1.
///
/// `a` and `b` are the joints at both ends with their shares of the weights, sorted by joint.
pub(crate) fn changes_of_leader(a: &[(JointIndex, f64)], b: &[(JointIndex, f64)]) -> Vec<f64> {
    let lines = shares_at_both_ends(a, b);
    let mut changes = Vec::new();
    for (index, one) in lines.iter().enumerate() {
        for other in &lines[index + 1..] {
            let Some(place) = zero_between(one[0] - other[0], one[1] - other[1], EQUAL_WEIGHTS) else { continue };
            let at = |line: &[f64; 2]| (1.0 - place) * line[0] + place * line[1];
            let most = at(one) + EQUAL_WEIGHTS;
            if lines.iter().all(|line| at(line) <= most) {
                changes.push(place);
            }
        }
    }
    distinct(changes)
}

/// Returns the place at which a joint's share of the weights crosses a level, as a share of the way from `a` to `b`.
/// The list has at most one entry.
pub(crate) fn crossing_of_level(
    a: &[(JointIndex, f64)],
    b: &[(JointIndex, f64)],
    joint: JointIndex,
    level: f64,
) -> Vec<f64> {
    let share =
        |shares: &[(JointIndex, f64)]| shares.iter().find(|(known, _)| *known == joint).map_or(0.0, |one| one.1);
    distinct(zero_between(share(a) - level, share(b) - level, 0.0).into_iter().collect())
}

/// Returns the place at which a linear function with these values at both ends is 0; `None` if the function does not
/// change its sign.
fn zero_between(at_a: f64, at_b: f64, least: f64) -> Option<f64> {
    let changes = (at_a > least && at_b < -least) || (at_a < -least && at_b > least);
    changes.then(|| at_a / (at_a - at_b))
}

/// Returns, for each joint at either end, its shares at both ends.
fn shares_at_both_ends(a: &[(JointIndex, f64)], b: &[(JointIndex, f64)]) -> Vec<[f64; 2]> {
    let at_a = a.iter().map(|&(joint, share)| {
        let other = b.iter().find(|(known, _)| *known == joint);
        [share, other.map_or(0.0, |one| one.1)]
    });
    let only_at_b = b.iter().filter(|(joint, _)| a.iter().all(|(known, _)| known != joint));
    at_a.chain(only_at_b.map(|&(_, share)| [0.0, share])).collect()
}

fn distinct(mut places: Vec<f64>) -> Vec<f64> {
    places.sort_by(f64::total_cmp);
    places.dedup_by(|later, earlier| *later - *earlier <= SAME_POINT);
    places.retain(|place| (SAME_POINT..=1.0 - SAME_POINT).contains(place));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_is_cut_where_the_leader_changes() {
        let [a, b, c] = [0, 1, 2].map(JointIndex);
        assert_eq!(changes_of_leader(&[(a, 1.0)], &[(b, 1.0)]), [0.5]);
        assert!(changes_of_leader(&[(a, 1.0)], &[(a, 0.75), (b, 0.25)]).is_empty());
        // In the middle a third joint leads.
        let found = changes_of_leader(&[(a, 0.6), (c, 0.4)], &[(b, 0.6), (c, 0.4)]);
        let expected = [1.0 / 3.0, 2.0 / 3.0];
        assert!(found.len() == 2 && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
        // Equal weights all along the edge are no border.
        assert!(changes_of_leader(&[(a, 0.5), (b, 0.5)], &[(a, 0.5), (b, 0.5)]).is_empty());
        assert_eq!(crossing_of_level(&[(a, 1.0)], &[(b, 1.0)], b, 0.25), [0.25]);
    }
}
