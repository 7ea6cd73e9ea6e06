//! Builds the guides as a site with mdBook.

use crate::markdown;
use crate::tidy::links::resolve;
use anyhow::{Context as _, ensure};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::{env, fs};
use xshell::Shell;

/// The page whose headings and links are the site's table of contents.
const CONTENTS: &str = "docs/README.md";

/// Links to files outside the site lead to the repository.
const REPOSITORY: &str = "https://github.com/bonebox/bonebox/blob/main";

const CONFIGURATION: &str = "\
[book]
title = \"bonebox\"
description = \"Tight hitboxes for skinned glTF characters\"
language = \"en\"
src = \"src\"

[output.html]
git-repository-url = \"https://github.com/bonebox/bonebox\"
";

/// `cargo xtask book`: copies the pages that `docs/README.md` lists to `target/book`, and lets mdBook make a site of them.
///
/// The environment variable `MDBOOK` names mdBook; the default is `mdbook`. Without mdBook the pages are still copied
/// and checked, and the command fails with instructions to install it.
pub(crate) fn run() -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    let tracked = crate::tidy::tracked_files(&shell)?;
    let contents = fs::read_to_string(crate::root().join(CONTENTS))?;
    let (summary, pages) = summary(&contents);

    let book = crate::root().join("target/book");
    let source = book.join("src");
    if source.exists() {
        fs::remove_dir_all(&source)?;
    }
    for page in &pages {
        let text = fs::read_to_string(crate::root().join(page)).with_context(|| page.clone())?;
        write(&source.join(page), rewritten(page, &text, &pages).as_bytes())?;
    }
    for file in tracked.iter().filter(|file| file.starts_with("docs/pictures/") && !file.ends_with(".md")) {
        write(&source.join(file), &fs::read(crate::root().join(file))?)?;
    }
    write(&source.join("SUMMARY.md"), summary.as_bytes())?;
    write(&book.join("book.toml"), CONFIGURATION.as_bytes())?;

    let mdbook = env::var_os("MDBOOK").unwrap_or_else(|| "mdbook".into());
    let version = Command::new(&mdbook)
        .arg("--version")
        .output()
        .context("mdBook cannot be started; install it with `cargo install mdbook --version 0.5.4 --locked`, or set MDBOOK to its path")?;
    print!("{}", String::from_utf8_lossy(&version.stdout));
    let output = Command::new(&mdbook).arg("build").arg(&book).output()?;
    let log = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success() && !log.contains("WARN"), "mdbook build failed:\n{log}");
    let dead = dead_links(&book.join("book"), &pages)?;
    ensure!(dead.is_empty(), "dead links in the site:\n{}", dead.join("\n"));
    println!("{} pages: {}", pages.len(), book.join("book/index.html").display());
    Ok(())
}

/// mdBook's table of contents and its pages: a part for each heading, and a page for the first link to each page.
fn summary(contents: &str) -> (String, BTreeSet<String>) {
    let mut text = format!("# Summary\n\n[All guides]({CONTENTS})\n");
    let mut pages = BTreeSet::from([CONTENTS.to_owned()]);
    let mut parts = Vec::new();
    let mut offset = 0;
    for line in contents.split_inclusive('\n') {
        if let Some(title) = line.strip_prefix("## ") {
            parts.push((offset, title.trim()));
        }
        offset += line.len();
    }
    let links = markdown::links(contents);
    for (number, &(start, title)) in parts.iter().enumerate() {
        let end = parts.get(number + 1).map_or(contents.len(), |&(start, _)| start);
        let _ = write!(text, "\n# {title}\n\n");
        for link in links.iter().filter(|link| (start..end).contains(&link.range.start)) {
            let page = resolve(CONTENTS, &link.destination);
            if page.ends_with(".md") && pages.insert(page.clone()) {
                let _ = writeln!(text, "- [{}]({page})", link.text);
            }
        }
    }
    (text, pages)
}

/// The page with its links changed for the site: links to files outside the site lead to the repository.
fn rewritten(page: &str, text: &str, pages: &BTreeSet<String>) -> String {
    let mut result = String::new();
    let mut done = 0;
    for link in markdown::links(text) {
        let (path, heading) = link.destination.split_once('#').unwrap_or((&link.destination, ""));
        let target = resolve(page, path);
        let is_index = pages.contains(&target) && path.ends_with("README.md");
        let stays = path.is_empty()
            || path.contains("://")
            || (pages.contains(&target) && !is_index)
            || (target.starts_with("docs/pictures/") && !target.ends_with(".md"));
        if stays || link.range.start < done {
            continue;
        }
        let anchor = if heading.is_empty() { String::new() } else { format!("#{heading}") };
        let new = if is_index {
            // mdBook names the page index.html, but does not change links to README.html.
            format!("{}index.html{anchor}", path.trim_end_matches("README.md"))
        } else {
            format!("{REPOSITORY}/{target}{anchor}")
        };
        result.push_str(&text[done..link.range.start]);
        let whole = &text[link.range.clone()];
        result.push_str(&whole.replace(&format!("({})", link.destination), &format!("({new})")));
        done = link.range.end;
    }
    result.push_str(&text[done..]);
    result
}

/// The links in the built pages to pages, pictures or headings that do not exist.
fn dead_links(site: &Path, pages: &BTreeSet<String>) -> anyhow::Result<Vec<String>> {
    let mut dead = Vec::new();
    for page in pages {
        let html = html_name(page);
        let text = fs::read_to_string(site.join(&html)).with_context(|| html.clone())?;
        for attribute in ["href=\"", "src=\""] {
            for found in text.split(attribute).skip(1).filter_map(|rest| rest.split('"').next()) {
                if found.contains("://") || found.starts_with("data:") || found.starts_with("mailto:") {
                    continue;
                }
                let (path, heading) = found.split_once('#').unwrap_or((found, ""));
                let target = if path.is_empty() { html.clone() } else { resolve(&html, path) };
                let Ok(bytes) = fs::read(site.join(&target)) else {
                    dead.push(format!("{html}: {found}"));
                    continue;
                };
                let anchor = format!("id=\"{heading}\"");
                if !heading.is_empty() && !String::from_utf8_lossy(&bytes).contains(&anchor) {
                    dead.push(format!("{html}: {found}"));
                }
            }
        }
    }
    Ok(dead)
}

/// The name of the HTML file that mdBook makes from a page: a README becomes the index of its folder.
fn html_name(page: &str) -> String {
    match page.strip_suffix("README.md") {
        Some(folder) => format!("{folder}index.html"),
        None => format!("{}html", page.trim_end_matches("md")),
    }
}

fn write(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, bytes).with_context(|| file.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::{html_name, rewritten, summary};
    use std::collections::BTreeSet;

    #[test]
    fn the_list_of_guides_is_the_table_of_contents() {
        let (text, pages) =
            summary("# Guides\n\n## Start\n\n- [First](a.md): b [again](a.md)\n\n## More\n\n| [In](../B.md) |\n");
        assert_eq!(
            text,
            "# Summary\n\n[All guides](docs/README.md)\n\n# Start\n\n- [First](docs/a.md)\n\n# More\n\n- [In](B.md)\n"
        );
        assert_eq!(pages.len(), 3);
    }

    #[test]
    fn links_that_leave_the_site_lead_to_the_repository() {
        let pages = BTreeSet::from(["docs/a.md".to_owned(), "docs/d/README.md".to_owned()]);
        let text = "[a](a.md) [b](../crates/b.rs#L1) [c](pictures/c.png) [d](d/README.md#e)";
        let expected = "[a](a.md) [b](https://github.com/bonebox/bonebox/blob/main/crates/b.rs#L1) [c](pictures/c.png) \
                        [d](d/index.html#e)";
        assert_eq!(rewritten("docs/x.md", text, &pages), expected);
    }

    #[test]
    fn a_readme_is_its_folders_index() {
        assert_eq!(
            (html_name("docs/README.md"), html_name("docs/a.md")),
            ("docs/index.html".into(), "docs/a.html".into())
        );
    }
}
