//! Tests that the program accepts every command line of `bonebox` in the project's pages.

use crate::cli::command;
use std::fs;
use std::path::{Path, PathBuf};

/// A command in a page: a line to type, or a command that a sentence mentions.
#[derive(Debug, PartialEq)]
enum Shown {
    Line(String),
    Mention(String),
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The README, the guides, and the READMEs of crates and integrations.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md"].iter().map(|name| root().join(name)).collect();
    for folder in ["docs", "docs/benchmarks", "docs/engines"] {
        pages.extend(fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path()));
    }
    for folder in ["crates", "integrations", "apps"] {
        let entries = fs::read_dir(root().join(folder)).unwrap();
        pages.extend(entries.map(|entry| entry.unwrap().path().join("README.md")).filter(|page| page.is_file()));
    }
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

/// The command lines of one page, without the parts for the shell: variables, pipes, redirections and comments.
fn shown(page: &str) -> Vec<Shown> {
    let mut found = Vec::new();
    let mut fence: Option<bool> = None;
    let joined = page.replace("\\\n", " ");
    for line in joined.lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            fence = if fence.is_some() { None } else { Some(matches!(language, "" | "sh")) };
            continue;
        }
        match fence {
            Some(true) => found.extend(typed(line).map(Shown::Line)),
            Some(false) => {}
            None => {
                let spans = line.split('`').skip(1).step_by(2);
                found.extend(spans.filter_map(typed).map(Shown::Mention));
            }
        }
    }
    found
}

/// The arguments after `bonebox ` in a line for a shell.
fn typed(line: &str) -> Option<String> {
    let line = line.trim();
    let rest = line.strip_prefix("bonebox ").or_else(|| {
        let rest = line.strip_prefix("cargo run ")?;
        rest.contains("bonebox-cli ").then(|| rest.split_once(" -- "))?.map(|(_, rest)| rest)
    })?;
    let end = [" | ", " > ", " # ", "  #", " && "].iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
    Some(rest[..end].trim().to_owned())
}

/// Returns the problem of a command line; `None` if it has none.
fn fault(shown: &Shown) -> Option<String> {
    match shown {
        Shown::Line(line) => {
            let words = std::iter::once("bonebox").chain(line.split_whitespace());
            let error = command().try_get_matches_from(words).err()?;
            (error.exit_code() != 0).then(|| error.to_string())
        }
        // A sentence may leave out arguments, so only the command and its options are checked.
        Shown::Mention(line) => {
            let mut words = line.split_whitespace();
            let name = words.next()?;
            if name == "COMMAND" || name == "help" || name.starts_with('-') {
                return None;
            }
            let command = command();
            let Some(command) = command.find_subcommand(name) else {
                return Some(format!("there is no command {name:?}"));
            };
            let is_known = |option: &str| {
                let option = option.split('=').next().unwrap_or(option);
                option == "help" || command.get_arguments().any(|argument| argument.get_long() == Some(option))
            };
            let unknown = words.filter_map(|word| word.strip_prefix("--")).find(|option| !is_known(option));
            unknown.map(|option| format!("{name} has no option --{option}"))
        }
    }
}

#[test]
fn command_lines_of_all_pages_are_accepted() {
    let (mut count, mut faults) = (0, Vec::new());
    for page in pages() {
        for shown in shown(&fs::read_to_string(&page).unwrap()) {
            count += 1;
            if let Some(fault) = fault(&shown) {
                faults.push(format!("{}: {shown:?}: {fault}", page.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 60, "only {count} command lines were found");
}

#[test]
fn a_wrong_command_line_is_found() {
    let page = "`bonebox bakes`, `bonebox bake --no-such`\n\n```sh\nbonebox diff one | cat\nbonebox man # all\n```\n";
    let shown = shown(page);
    assert_eq!(shown.len(), 4, "{shown:?}");
    assert_eq!(shown.iter().map(|shown| fault(shown).is_some()).collect::<Vec<_>>(), [true, true, true, false]);
}
