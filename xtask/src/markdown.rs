//! Links and headings of Markdown files.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A link or a picture.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// The line on which the link starts, counted from 1.
    pub(crate) line: usize,
    /// The destination as written: a file, an address or `#heading`.
    pub(crate) destination: String,
    /// The visible text of the link; empty for pictures.
    pub(crate) text: String,
    /// The range of the whole link in the text, in bytes.
    pub(crate) range: Range<usize>,
}

/// Finds all links and pictures in their order, except those in HTML.
pub(crate) fn links(text: &str) -> Vec<Link> {
    let mut links = Vec::new();
    let mut open: Option<Link> = None;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                let line = 1 + text[..range.start].matches('\n').count();
                links.extend(open.take());
                open = Some(Link { line, destination: dest_url.into_string(), text: String::new(), range });
            }
            Event::Text(shown) | Event::Code(shown) => {
                if let Some(link) = &mut open {
                    link.text.push_str(&shown);
                }
            }
            Event::End(TagEnd::Link | TagEnd::Image) => links.extend(open.take()),
            _ => {}
        }
    }
    links
}

/// The anchors of all headings, as GitHub and mdBook make them: lower case, hyphens for spaces, without punctuation,
/// and with a number added to anchors that occur again.
pub(crate) fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(shown) | Event::Code(shown) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&shown);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let anchor = anchor(&heading.take().unwrap_or_default());
                let count = counts.entry(anchor.clone()).or_default();
                anchors.insert(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
                *count += 1;
            }
            _ => {}
        }
    }
    anchors
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::{anchors, links};

    #[test]
    fn links_are_found_outside_code() {
        let text = "# A\n\n[one](b.md#c) and `[no](d.md)`\n\n```\n[no](e.md)\n```\n\n| a |\n|---|\n| ![p](f.png) |\n";
        let found: Vec<_> = links(text).into_iter().map(|link| (link.line, link.destination, link.text)).collect();
        assert_eq!(found, [(3, "b.md#c".into(), "one".into()), (11, "f.png".into(), "p".into())]);
    }

    #[test]
    fn anchors_are_those_of_github() {
        let text = "# What `bake` costs, in µs\n## A\n## A\n";
        assert_eq!(anchors(text).into_iter().collect::<Vec<_>>(), ["a", "a-1", "what-bake-costs-in-µs"]);
    }
}
