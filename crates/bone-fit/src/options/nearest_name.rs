//! The name that was probably meant.

/// Returns the candidate that a person most likely meant by `typed`; `None` if no candidate is similar enough.
///
/// The distance is the number of characters to insert, delete, replace or swap with a neighbor (optimal string
/// alignment distance), and case is ignored. At most a third of the typed characters may be wrong, but two always may.
/// The first of equally near candidates wins.
#[must_use]
pub fn nearest_name<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // The time for the distance grows with the product of both lengths, and nobody mistypes a name as long as a page.
    const LONGEST: usize = 256;
    let lower = |name: &str| name.to_lowercase().chars().take(LONGEST).collect::<String>();
    let typed = lower(typed);
    let limit = (typed.chars().count() / 3).max(2);
    let near = candidates.into_iter().filter_map(|candidate| {
        let name = lower(candidate);
        let distance = strsim::osa_distance(&typed, &name);
        (distance <= limit && distance < name.chars().count()).then_some((distance, candidate))
    });
    near.min_by_key(|&(distance, _)| distance).map(|(_, candidate)| candidate)
}

/// Returns the end of an error message: `; did you mean "head"?`, or an empty text for `None`.
#[must_use]
pub fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map(|name| format!("; did you mean {name:?}?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_word_that_was_meant() {
        let words = ["pca", "vertex-pca", "min-volume", "joint-axes"];
        assert_eq!(nearest_name("min-volum", words), Some("min-volume"));
        assert_eq!(nearest_name("minvolume", words), Some("min-volume"));
        assert_eq!(nearest_name("PAC", words), Some("pca"));
        assert_eq!(nearest_name("something else", words), None);
        assert_eq!(nearest_name("", words), None);
    }
}
