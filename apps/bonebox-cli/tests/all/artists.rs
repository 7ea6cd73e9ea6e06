//! Tests the examples of docs/artists.md, uncovered-skin.md, choosing-settings.md, command-line.md, exports.md, getting-started.md
//! and settings.md: settings can be read and name existing joints, and outputs are real.

use crate::program::{as_on_unix, without_times};
use bake_settings::Settings;
use skinned_model::NoExternalFiles;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the blocks of code of a page in their order: the word after the fence, and the text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let page = std::fs::read_to_string(root().join("docs").join(page)).unwrap();
    let mut blocks: Vec<(String, String)> = Vec::new();
    let mut open = false;
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(word) if !open => {
                open = true;
                blocks.push((word.to_owned(), String::new()));
            }
            Some(_) => open = false,
            None if open => {
                let (_, text) = blocks.last_mut().unwrap();
                text.push_str(line);
                text.push('\n');
            }
            None => {}
        }
    }
    blocks
}

#[test]
fn settings_can_be_read() {
    let bruno = std::fs::read(root().join("assets/bruno.glb")).unwrap();
    let skeleton = skinned_model::import(&bruno, &NoExternalFiles).unwrap().skeleton;
    let pages = [
        "artists.md",
        "uncovered-skin.md",
        "choosing-settings.md",
        "exports.md",
        "getting-started.md",
        "settings.md",
        "characters.md",
    ];
    let blocks = pages.iter().flat_map(|page| blocks(page));
    // The lines of a `Cargo.toml` are for Cargo.
    let settings = blocks.filter(|(word, text)| word == "toml" && !text.starts_with("[profile"));
    let examples: Vec<String> = settings.map(|(_, text)| text).collect();
    assert!(examples.len() > 8, "{}", examples.len());
    for text in examples {
        let settings = Settings::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let named = settings.check_joints("bruno", &skeleton);
        // One example shows a mistake.
        assert_eq!(named.is_err(), text.contains("[joints.upperarm]"), "{named:?}\n{text}");
    }
}

#[test]
fn outputs_are_real() {
    let blocks = ["artists.md", "uncovered-skin.md", "choosing-settings.md"].map(blocks).concat();
    let shown = blocks.windows(2).filter(|pair| pair[0].0 == "toml" && pair[1].0 == "text");
    let mut count = 0;
    for pair in shown {
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(root().join("assets/bruno.glb"), folder.path().join("bruno.glb")).unwrap();
        std::fs::write(folder.path().join("bonebox.toml"), &pair[0].1).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_bonebox"))
            .args(["bake", "."])
            .current_dir(folder.path())
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        let errors = as_on_unix(&String::from_utf8(output.stderr).unwrap());
        let errors = errors.find("error:").map_or("", |start| &errors[start..]);
        let shown = without_times(&pair[1].1);
        assert_eq!(without_times(std::str::from_utf8(&output.stdout).unwrap()) + errors, shown, "{}", pair[0].1);
        count += 1;
    }
    assert!(count > 5, "{count}");
}

/// docs/command-line.md shows the comparison of the elbow's bakes, before and after both joints of docs/artists.md are covered.
#[test]
fn the_comparison_of_the_elbow_is_real() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(root().join("assets/bruno.glb"), folder.path().join("bruno.glb")).unwrap();
    let run = |words: &[&str]| {
        let program = Command::new(env!("CARGO_BIN_EXE_bonebox")).args(words).current_dir(folder.path()).output();
        String::from_utf8(program.unwrap().stdout).unwrap()
    };
    run(&["bake", "."]);
    std::fs::rename(folder.path().join("bruno.bonebox"), folder.path().join("old.bonebox")).unwrap();
    let settings = blocks("artists.md").into_iter().find(|(word, text)| word == "toml" && text.contains("upperarm_l"));
    std::fs::write(folder.path().join("bonebox.toml"), settings.unwrap().1).unwrap();
    run(&["bake", "."]);
    let shown = blocks("command-line.md").into_iter().find(|(_, text)| text.contains("upperarm_l"));
    assert_eq!(run(&["diff", "old.bonebox", "bruno.bonebox"]), shown.unwrap().1);
}

#[test]
fn an_import_of_source_hitboxes_writes_what_the_page_shows() {
    let blocks = blocks("exports.md");
    let shown = blocks.windows(2).find(|pair| pair[0].0 == "qc" && pair[1].0 == "toml").unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(root().join("assets/bruno.glb"), folder.path().join("bruno.glb")).unwrap();
    std::fs::write(folder.path().join("bruno.qc"), &shown[0].1).unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_bonebox"))
        .args(["import", "bruno.qc"])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(std::fs::read_to_string(folder.path().join("bonebox.toml")).unwrap(), shown[1].1);
}
