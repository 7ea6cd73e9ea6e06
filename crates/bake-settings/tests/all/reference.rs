//! Checks that the tables of options and limits in docs/settings.md match the code.

use bake_settings::Settings;
use bone_fit::{BakeOption, Limit, OptionKind};
use std::fmt::Write as _;
use std::path::Path;

const BEGIN: &str = "<!-- The tables from here on are generated: BONEBOX_REFERENCE=write cargo test -p bonebox-bake-settings reference -->\n";
const END: &str = "<!-- The end of the generated tables. -->\n";

/// A cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// The values of an option; for words also what they mean, each on a line of its own in the cell.
fn values(kind: &OptionKind) -> String {
    match kind {
        OptionKind::Keywords(words) => {
            let word = |one: &bone_fit::OptionKeyword| format!("`{}`: {}", one.keyword, lowercase(&one.help()));
            words.iter().map(word).collect::<Vec<_>>().join("<br>")
        }
        OptionKind::KeywordsOrWhole(words, range) => {
            format!("{}<br>{}", values(&OptionKind::Keywords(words)), OptionKind::Whole(*range).values())
        }
        // Asterisks would make letters italic.
        _ => cell(&kind.values()).replace('*', "\\*"),
    }
}

/// The text with a lower-case first letter, as after a colon. Names in code are unchanged.
fn lowercase(text: &str) -> String {
    let mut letters = text.chars();
    let second_is_small = text.chars().nth(1).is_none_or(|letter| letter.is_lowercase() || letter == ' ');
    match letters.next() {
        Some(first) if second_is_small => first.to_lowercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}

fn tables() -> String {
    let mut text = String::new();
    let mut section = "";
    for row in BakeOption::ALL {
        if row.section != section {
            section = row.section;
            write!(text, "\n### {section}\n\n| option | values | default | what it does |\n|---|---|---|---|\n")
                .unwrap();
        }
        let details = match row.details() {
            details if details.is_empty() => String::new(),
            details => format!(" {details}"),
        };
        let joints = match (row.for_joints, row.for_parts) {
            (true, true) => " Also for single joints and parts.",
            (true, false) => " Also for single joints.",
            _ => "",
        };
        let (key, kind, default, help) = (row.key, values(&row.kind), row.default_text(), row.help());
        writeln!(text, "| `{key}` | {kind} | {} | {}.{}{joints} |", cell(&default), cell(&help), cell(&details))
            .unwrap();
    }
    text.push_str("\n### Limits\n\n| limit | values | what it is |\n|---|---|---|\n");
    for limit in Limit::ALL {
        writeln!(text, "| `{}` | {} | {}. |", limit.key, cell(&limit.kind.values()), cell(&limit.help())).unwrap();
    }
    text.push('\n');
    text
}

#[test]
fn the_reference_of_settings_is_generated_from_the_options() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/settings.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("docs/settings.md has the mark where tables begin");
    let (_, after) = rest.split_once(END).expect("docs/settings.md has the mark where tables end");
    let expected = format!("{before}{BEGIN}{}{END}{after}", tables());
    if std::env::var_os("BONEBOX_REFERENCE").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let there = std::fs::read_to_string(&path).unwrap();
    assert!(
        there == expected,
        "`BONEBOX_REFERENCE=write cargo test -p bonebox-bake-settings reference` writes it again"
    );
}

/// The defaults in the reference are valid values in a file.
#[test]
fn defaults_of_the_reference_can_be_written_in_a_file() {
    for row in BakeOption::ALL {
        let default = row.default_text();
        let first = default.split("; ").next().unwrap();
        let value = match (row.kind, first) {
            (OptionKind::Patterns, "none") => "[]".to_owned(),
            (OptionKind::Number(_) | OptionKind::Whole(_), number) if number.parse::<f64>().is_ok() => {
                number.to_owned()
            }
            (_, word) => format!("{word:?}"),
        };
        Settings::parse(&format!("{} = {value}", row.key)).unwrap_or_else(|error| panic!("{error}"));
    }
}
