//! Makes names unique, because overrides and reports use them as keys.

use std::collections::{HashMap, HashSet};

/// Makes names that are unique and not empty. The first joint with a name keeps it, and later joints get the suffix
/// `_2`, `_3`, ..., unless the file uses that name somewhere. An item is a name and its replacement if it is empty.
pub(crate) fn unique_names<'a>(wanted: impl Iterator<Item = (&'a str, String)>) -> Vec<String> {
    let wanted: Vec<(&str, String)> = wanted.collect();
    let original: HashSet<&str> = wanted.iter().map(|&(name, _)| name).collect();
    let mut taken: HashSet<String> = HashSet::with_capacity(wanted.len());
    let mut next_number: HashMap<&str, u32> = HashMap::new();
    let mut names = Vec::with_capacity(wanted.len());
    for (name, fallback) in &wanted {
        let base = if name.is_empty() { fallback.as_str() } else { name };
        let may_keep = !name.is_empty() || !original.contains(base);
        let mut unique = base.to_owned();
        if !may_keep || taken.contains(base) {
            let number = next_number.entry(base).or_insert(2);
            loop {
                unique = format!("{base}_{number}");
                *number += 1;
                if !taken.contains(&unique) && !original.contains(unique.as_str()) {
                    break;
                }
            }
        }
        taken.insert(unique.clone());
        names.push(unique);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[&str]) -> Vec<String> {
        unique_names(names.iter().enumerate().map(|(i, &name)| (name, format!("node_{i}"))))
    }

    #[test]
    fn the_first_joint_keeps_its_name() {
        assert_eq!(named(&["a", "b", "a", "a"]), ["a", "b", "a_2", "a_3"]);
    }

    #[test]
    fn new_names_differ_from_the_names_in_the_file() {
        assert_eq!(named(&["a", "a", "a_2", ""]), ["a", "a_3", "a_2", "node_3"]);
        assert_eq!(named(&["", "node_0", ""]), ["node_0_2", "node_0", "node_2"]);
    }

    #[test]
    fn many_equal_names_take_linear_time() {
        let names = named(&vec!["same"; 60_000]);
        assert_eq!(names[59_999], "same_60000");
    }
}
