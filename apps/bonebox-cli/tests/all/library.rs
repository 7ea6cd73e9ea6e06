//! Many characters at once, as docs/library.md tells: the page of a library, comparisons with a commit, SARIF and JUnit.

use crate::program::{bonebox, told};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Instant;
use test_models::{box_limb, box_man};

fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(folder).args(["-c", "user.name=test", "-c", "user.email=test@example.com"]).args(arguments);
    let output = command.output().expect("git starts");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn write(folder: &Path, file: &str, bytes: impl AsRef<[u8]>) {
    let path = folder.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Three baked characters in a folder.
fn characters() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (file, bytes) in
        [("heroes/man", box_man().to_glb()), ("limb", box_limb().to_glb()), ("old", box_man().to_glb())]
    {
        write(at, &format!("assets/{file}.glb"), bytes);
    }
    bake(at);
    folder
}

/// A checkout with three baked characters in a commit with the tag `base`, and later changes that are not committed: one is
/// unchanged, one has another hitbox, one is gone, and one is new. A baked file without an asset stays as it is.
fn checkout() -> tempfile::TempDir {
    let folder = characters();
    let at = folder.path();
    write(at, ".gitattributes", "*.bonebox binary\n*.json -text\n");
    write(at, "assets/golden/kept.bonebox", fs::read(at.join("assets/old.bonebox")).unwrap());
    git(at, &["init", "--quiet"]);
    git(at, &["add", "--all"]);
    git(at, &["commit", "--quiet", "--message=base"]);
    git(at, &["tag", "base"]);
    for file in ["old.glb", "old.bonebox", "old.bonebox.json"] {
        fs::remove_file(at.join("assets").join(file)).unwrap();
    }
    write(at, "assets/bonebox.toml", "[characters.man]\nmargin = 0.05\n");
    write(at, "assets/new.glb", box_limb().to_glb());
    bake(at);
    folder
}

fn bake(folder: &Path) {
    let output = bonebox(folder, &["bake", "assets"]);
    assert!(output.status.success(), "{}", told(&output));
}

/// The data in the page of a library.
fn data(folder: &Path) -> Value {
    let html = fs::read_to_string(folder.join("index.html")).unwrap();
    let (_, data) = html.split_once(r#"<script id="data" type="application/json">"#).unwrap();
    serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
}

/// The rows of the page, by path.
fn rows(folder: &Path) -> BTreeMap<String, Value> {
    let data = data(folder);
    let rows = data["rows"].as_array().unwrap().iter();
    rows.map(|row| (row["path"].as_str().unwrap().replace('\\', "/"), row.clone())).collect()
}

/// The value and the text of a figure of a row.
fn figure(data: &Value, row: &Value, key: &str) -> (Option<f64>, String) {
    let columns = data["columns"].as_array().unwrap();
    let at = columns.iter().position(|column| column["key"] == key).unwrap();
    let figure = &row["figures"][at];
    (figure["value"].as_f64(), figure["text"].as_str().unwrap().to_owned())
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Names with the letters of HTML and Markdown, and a mark that turns the writing direction.
#[cfg(unix)]
const UNKIND: [&str; 4] =
    ["<img src=x onerror=alert(1)>", "\u{202e}q\"u'o|t`e``", "<!--<script>", "@someone #1 www.example.com"];

/// The figures of the page are those of `bonebox inspect --json`, and the volume is that of `bonebox diff --json`.
#[test]
fn figures_of_the_page_are_those_of_inspect() {
    let folder = characters();
    let at = folder.path();
    let output = bonebox(at, &["report", "assets", "--index", "-o", "out"]);
    assert!(output.status.success(), "{}", told(&output));
    let data = data(&at.join("out"));
    for row in data["rows"].as_array().unwrap() {
        let path = row["path"].as_str().unwrap();
        let baked = path.replace(".glb", ".bonebox");
        let inspected: Value = serde_json::from_str(&text(&bonebox(at, &["inspect", &baked, "--json"]))).unwrap();
        let differed: Value = serde_json::from_str(&text(&bonebox(at, &["diff", &baked, path, "--json"]))).unwrap();
        let count = |member: &str| inspected[member].as_array().unwrap().len() as f64;
        let value = |key: &str| figure(&data, row, key).0;
        assert_eq!(value("boxes"), Some(count("boxes")), "{path}");
        assert_eq!(value("clips"), Some(count("clips")), "{path}");
        assert_eq!(value("warnings"), Some(count("warnings")), "{path}");
        let coverage = &inspected["coverage"];
        let single = |number: &Value| number.as_f64().map(|number| f64::from(number as f32));
        assert_eq!(value("rest"), single(&coverage["surface_rest"]), "{path}");
        let moving = single(&coverage["surface_clips"]).filter(|_| count("clips") > 0.0);
        assert_eq!(value("moving"), moving, "{path}");
        assert_eq!(value("escape"), single(&coverage["max_escape"]), "{path}");
        assert_eq!(value("volume"), differed["new"]["volume"].as_f64(), "{path}");
        assert_eq!(value("bytes"), Some(fs::metadata(at.join(&baked)).unwrap().len() as f64), "{path}");
        // The words are those of `bonebox inspect`.
        let words = text(&bonebox(at, &["inspect", &baked]));
        let (rest, escape) = (figure(&data, row, "rest").1, figure(&data, row, "escape").1);
        assert!(words.contains(&format!("skin inside the boxes: {rest} at rest")), "{words}");
        assert!(words.contains(&format!("largest escape at any sample time: {escape} of the height")), "{words}");
        for file in ["characters/KEY.js", "pictures/KEY.png"] {
            let file = at.join("out").join(file.replace("KEY", row["key"].as_str().unwrap()));
            assert!(file.is_file(), "{}", file.display());
        }
    }
}

/// The data in the script of a character's own page.
fn data_of_page(folder: &Path, row: &Value) -> Value {
    use base64::Engine as _;
    use std::io::Read as _;
    let script = fs::read_to_string(folder.join(format!("characters/{}.js", row["key"].as_str().unwrap()))).unwrap();
    let (_, packed) = script.split_once("textContent='").unwrap();
    let packed = base64::prelude::BASE64_STANDARD.decode(packed.split_once('\'').unwrap().0).unwrap();
    let mut json = String::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut json).unwrap();
    serde_json::from_str(&json).unwrap()
}

/// The page of a character loads the data of the characters that share its hitboxes, and names those that are not in the library.
#[test]
fn a_page_has_the_characters_that_share_its_hitboxes() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (file, wide) in [("a/man", 1.0), ("b/man", 1.5), ("c/man", 2.0)] {
        let mut man = box_man();
        man.positions.iter_mut().for_each(|point| point[2] *= wide);
        write(at, &format!("assets/{file}.glb"), man.to_glb());
    }
    write(at, "assets/limb.glb", box_limb().to_glb());
    write(at, "assets/bonebox.toml", "[[shared]]\nname = 'fighter'\ncharacters = ['man']\n");
    let report = |paths: &[&str]| {
        let output = bonebox(at, &[&["report", "--index", "-o", "out"], paths].concat());
        assert!(output.status.success(), "{}", told(&output));
        rows(&at.join("out"))
    };
    let found = report(&["assets"]);
    let key = |path: &str| found[path]["key"].as_str().unwrap();
    let all = ["assets/a/man.glb", "assets/b/man.glb", "assets/c/man.glb"];
    for (own, path) in all.iter().enumerate() {
        let data = data_of_page(&at.join("out"), &found[*path]);
        let shared = &data["bakes"][0]["bake"]["shared"];
        let others: Vec<&str> = all.iter().filter(|other| *other != path).map(|other| key(other)).collect();
        assert_eq!((&data["companions"], &shared["absent"]), (&others.clone().into(), &Value::Array(Vec::new())));
        assert_eq!(data["listing"]["characters"].as_array().unwrap().len(), 3);
        // The character itself is 0.
        let members = [[0, 1, 2], [1, 0, 2], [1, 2, 0]][own];
        assert_eq!(shared["members"], Value::from(members.to_vec()), "{path}");
    }
    let alone = data_of_page(&at.join("out"), &found["assets/limb.glb"]);
    assert!(alone["companions"] == Value::Array(Vec::new()) && alone["bakes"][0]["bake"]["shared"].is_null());
    // A library with one folder less writes the pages of the set again.
    let found = report(&["assets/a", "assets/b"]);
    let data = data_of_page(&at.join("out"), &found["assets/a/man.glb"]);
    let shared = &data["bakes"][0]["bake"]["shared"];
    assert_eq!((&shared["members"], &shared["absent"]), (&[0, 1].into(), &["man"].into()));
    assert_eq!(data["companions"].as_array().unwrap().len(), 1);
}

#[cfg(unix)]
#[test]
fn names_with_the_letters_of_html_stay_names() {
    let folder = characters();
    let at = folder.path();
    for name in UNKIND {
        write(at, &format!("assets/{name}.glb"), box_limb().to_glb());
    }
    // No baked file has such a name.
    write(at, "assets/a\\b.glb", box_limb().to_glb());
    let output = bonebox(at, &["report", "assets", "--index", "-o", "out"]);
    assert!(output.status.success(), "{}", told(&output));
    let html = fs::read_to_string(at.join("out/index.html")).unwrap();
    let (_, json) = html.split_once(r#"type="application/json">"#).unwrap();
    assert!(!json.split_once("</script>").unwrap().0.contains('<'));
    let found = rows(&at.join("out"));
    for name in UNKIND {
        assert_eq!(found[&format!("assets/{name}.glb")]["name"], name);
    }
    let refused = &data(&at.join("out"))["rows"][0];
    assert!(refused["state"] == "failed" && refused["name"] == "a\\b", "{refused}");
}

#[test]
fn broken_limits_are_in_sarif_and_junit_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "assets/man.glb", box_man().to_glb());
    write(at, "assets/limb & co.glb", box_limb().to_glb());
    write(at, "assets/bad.glb", "no model");
    write(
        at,
        "assets/bonebox.toml",
        "[limits]\nleast_surface_rest = 0.1\n[characters.man]\nexclude = 'head'\n[characters.man.limits]\n\
         least_surface_rest = 1.0\n",
    );
    write(at, "bonebox.toml", "[characters.man.limits]\nleast_surface_rest = 0.2\nmost_escape = 0\n");
    let output = bonebox(at, &["bake", "assets", "--sarif", "all.sarif", "--junit", "all.xml", "--quiet"]);
    assert_eq!(output.status.code(), Some(1));
    let sarif: Value = serde_json::from_slice(&fs::read(at.join("all.sarif")).unwrap()).unwrap();
    let run = &sarif["runs"][0];
    let results = run["results"].as_array().unwrap();
    let place = |one: &Value| {
        let place = &one["physicalLocation"];
        format!("{}:{}", place["artifactLocation"]["uri"].as_str().unwrap(), place["region"]["startLine"])
    };
    let told_of = |result: &Value| {
        let related = result["relatedLocations"].as_array().map(|all| place(&all[0])).unwrap_or_default();
        let (rule, level) = (result["ruleId"].as_str().unwrap(), result["level"].as_str().unwrap());
        format!("{level} {rule} at {} {related}", place(&result["locations"][0]))
    };
    let mut found: Vec<String> = results.iter().map(told_of).filter(|line| !line.starts_with("warning")).collect();
    found.sort();
    let expected = [
        "error failed at assets/bad.glb:1 ",
        "error limit/least_surface_rest at assets/bonebox.toml:6 assets/man.glb:1",
        "error limit/most_escape at bonebox.toml:3 assets/man.glb:1",
    ];
    assert_eq!(found, expected);
    let rules: Vec<&Value> =
        run["tool"]["driver"]["rules"].as_array().unwrap().iter().map(|rule| &rule["id"]).collect();
    assert!(results.iter().all(|result| rules.contains(&&result["ruleId"])));
    let junit = fs::read_to_string(at.join("all.xml")).unwrap();
    assert!(junit.contains("tests=\"3\" failures=\"1\" errors=\"1\""), "{junit}");
    assert!(junit.contains("classname=\"assets/limb &amp; co.glb\"") || cfg!(windows), "{junit}");
    // Every warning of the JSON lines is in both.
    let lines = text(&bonebox(at, &["bake", "assets", "--json"]));
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let warnings: Vec<String> = lines
        .filter_map(|line| Some(line["warnings"].as_array()?.clone()))
        .flatten()
        .map(|warning| warning["code"].as_str().unwrap().to_owned())
        .collect();
    for code in &warnings {
        let rule = format!("warning/{code}");
        let count = |text: &str| text.matches(&rule).count();
        assert!(results.iter().any(|result| result["ruleId"] == *rule) && count(&junit) > 0, "{rule}");
    }
    assert_eq!(results.len(), expected.len() + warnings.len());
}

/// A thousand characters, of which some break a limit and some have changed. `BONEBOX_LIBRARY` names the folder for the page, and
/// `BONEBOX_PROGRAM` the program, if it is another build.
#[test]
#[ignore = "bakes a thousand characters: cargo xtask library"]
fn a_thousand_characters() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let out = std::env::var_os("BONEBOX_LIBRARY").map_or_else(|| at.join("out"), Into::into);
    let out = out.display().to_string();
    let program = std::env::var_os("BONEBOX_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_bonebox").into());
    for number in 0..1000 {
        let mut man = box_man();
        man.positions.iter_mut().for_each(|point| point[0] *= 1.0 + number as f32 / 1000.0);
        write(at, &format!("assets/{:02}/man_{number}.glb", number / 50), man.to_glb());
    }
    let timed = |what: &str, arguments: &[&str]| {
        let start = Instant::now();
        let output = Command::new(&program).current_dir(at).args(arguments).output().expect("bonebox starts");
        println!("{what}: {:.1} s", start.elapsed().as_secs_f64());
        output
    };
    assert!(timed("bake", &["bake", "assets", "--quiet"]).status.success());
    git(at, &["init", "--quiet"]);
    git(at, &["add", "--all"]);
    git(at, &["commit", "--quiet", "--message=base"]);
    let changed = "[characters.\"man_1??\"]\nmargin = 0.05\n[characters.\"man_3??\"]\nmargin = 0.05\n\
                   [characters.\"man_2?\".limits]\nmost_volume_ratio = 0.5\n";
    write(at, "assets/bonebox.toml", changed);
    timed("bake of the changes", &["bake", "assets", "--quiet"]);
    let first = timed("page", &["report", "assets", "--index", "--base", "HEAD", "-o", &out]);
    assert!(first.status.success(), "{}", told(&first));
    assert!(timed("page again", &["report", "assets", "--index", "--base", "HEAD", "-o", &out]).status.success());
    let rows = rows(Path::new(&out));
    let count = |member: &str, word: &str| rows.values().filter(|row| row[member] == word).count();
    assert_eq!([rows.len(), count("since", "changed"), count("since", "unchanged")], [1000, 200, 800]);
    assert_eq!(count("state", "broken"), 10);
    let summary = timed("summary", &["diff", "--base", "HEAD", "assets", "--markdown", "--pictures", "pictures"]);
    assert_eq!(summary.status.code(), Some(1));
    let letters = text(&summary).chars().count();
    println!("summary: {letters} letters");
    assert!(letters < 65_536);
    let size = |folder: &str, ending: &str| -> u64 {
        let files = fs::read_dir(Path::new(&out).join(folder)).unwrap().map(|file| file.unwrap());
        let files = files.filter(|file| file.path().to_string_lossy().ends_with(ending));
        files.map(|file| file.metadata().unwrap().len()).sum()
    };
    println!(
        "bytes: index {}, characters {}, pictures {}",
        fs::metadata(Path::new(&out).join("index.html")).unwrap().len(),
        size("characters", ".js"),
        size("pictures", ".png")
    );
}

mod needs_git {
    use super::*;

    #[test]
    #[ignore = "needs git: cargo xtask ignored git"]
    fn the_page_shows_what_changed_since_a_commit() {
        let folder = checkout();
        let at = folder.path();
        write(at, "assets/broken.glb", "no model");
        let report = || bonebox(at, &["report", "assets", "--index", "--base", "base", "-o", "out"]);
        let said = told(&report());
        assert!(
            report().status.success() && said.contains("note: 1 baked file without an asset not compared"),
            "{said}"
        );
        let found = rows(&at.join("out"));
        let told_of = |row: &Value| format!("{} {}", row["state"].as_str().unwrap(), row["since"].as_str().unwrap());
        let all: Vec<(&str, String)> = found.iter().map(|(path, row)| (path.as_str(), told_of(row))).collect();
        let expected = [
            ("assets/broken.glb", "failed "),
            ("assets/heroes/man.glb", "ok changed"),
            ("assets/limb.glb", "ok unchanged"),
            ("assets/new.glb", "ok added"),
            ("assets/old.bonebox", "removed removed"),
        ];
        assert_eq!(all, expected.map(|(path, told)| (path, told.to_owned())));
        assert!(found["assets/heroes/man.glb"]["changes"][0].as_str().unwrap().contains("margin"));
        // A second run writes no file of a character again, and removes those of characters that are gone.
        let file = |path: &str| at.join(format!("out/characters/{}.js", found[path]["key"].as_str().unwrap()));
        let [kept, gone] = ["assets/limb.glb", "assets/new.glb"].map(file);
        let before = fs::metadata(&kept).unwrap().modified().unwrap();
        write(at, "out/characters/notes.js", "mine");
        fs::remove_file(at.join("assets/new.glb")).unwrap();
        assert!(report().status.success());
        assert_eq!(fs::metadata(&kept).unwrap().modified().unwrap(), before);
        assert!(!gone.exists() && at.join("out/characters/notes.js").exists());
    }

    #[test]
    #[ignore = "needs git: cargo xtask ignored git"]
    fn a_base_that_cannot_be_read_is_an_error_that_says_what_to_do() {
        let folder = checkout();
        let outside = tempfile::tempdir().unwrap();
        write(outside.path(), "man.glb", box_man().to_glb());
        let refused = |at: &Path, arguments: &[&str], words: &str| {
            let output = bonebox(at, arguments);
            assert!(output.status.code() == Some(2) && told(&output).contains(words), "{}", told(&output));
        };
        refused(
            folder.path(),
            &["diff", "--base", "no-such"],
            "the revision \"no-such\" does not exist in the checkout",
        );
        refused(folder.path(), &["diff", "--base=--help"], "\"--help\" is not the name of a revision");
        refused(outside.path(), &["diff", "--base", "HEAD"], "is not in a checkout of Git, so there is no base");
        let both = [&*folder.path().join("assets").display().to_string(), &*outside.path().display().to_string()];
        refused(folder.path(), &["diff", "--base", "HEAD", both[0], both[1]], "is outside the checkout");
        let mut command = Command::new(env!("CARGO_BIN_EXE_bonebox"));
        let output =
            command.current_dir(folder.path()).args(["diff", "--base", "HEAD"]).env("PATH", "").output().unwrap();
        assert!(told(&output).contains("the program `git` was not found, but --base needs it"), "{}", told(&output));
    }

    /// A filter stands for that of Git LFS: the commit has pointers, and the filter turns them into files. Names may have any
    /// letters.
    #[cfg(unix)]
    #[test]
    #[ignore = "needs git: cargo xtask ignored git"]
    fn files_in_git_lfs_are_compared() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        write(at, "assets/man \n\t少.glb", box_man().to_glb());
        bake(at);
        fs::copy(at.join("assets/man \n\t少.bonebox"), at.join("stored")).unwrap();
        write(at, ".gitattributes", "*.bonebox filter=like-lfs\n");
        git(at, &["init", "--quiet"]);
        let pointer = "sh -c 'cat >/dev/null; echo version https://git-lfs.github.com/spec/v1'";
        git(at, &["config", "filter.like-lfs.clean", pointer]);
        git(at, &["config", "filter.like-lfs.smudge", &format!("sh -c 'cat >/dev/null; cat {}/stored'", at.display())]);
        git(at, &["add", "--all"]);
        git(at, &["commit", "--quiet", "--message=base"]);
        let same = bonebox(at, &["diff", "--base", "HEAD", "assets"]);
        assert_eq!((same.status.code(), text(&same).as_str()), (Some(0), "1 character: 0 changed, 1 unchanged\n"));
        write(at, "assets/bonebox.toml", "margin = 0.05\n");
        assert_eq!(bonebox(at, &["diff", "--base", "HEAD", "assets"]).status.code(), Some(1));
    }

    #[test]
    #[ignore = "needs git: cargo xtask ignored git"]
    fn a_damaged_file_of_the_base_is_named_and_the_others_are_compared() {
        let folder = checkout();
        let at = folder.path();
        write(at, "assets/limb.bonebox", "version https://git-lfs.github.com/spec/v1\n");
        write(at, "assets/heroes/man.bonebox", "half a file");
        git(at, &["add", "--all"]);
        git(at, &["commit", "--quiet", "--message=damaged"]);
        bake(at);
        let output = bonebox(at, &["diff", "--base", "HEAD"]);
        let all = told(&output);
        assert_eq!(output.status.code(), Some(2), "{all}");
        assert!(all.contains("limb.bonebox at the base is a pointer of Git LFS"), "{all}");
        assert!(all.contains("man.bonebox at the base: "), "{all}");
        assert!(text(&output).contains("3 characters: 0 changed, 2 not comparable, 1 unchanged"), "{all}");
    }

    #[test]
    #[ignore = "needs git: cargo xtask ignored git"]
    fn diff_with_a_base_exits_as_diff_does_and_summarizes_in_markdown() {
        let folder = checkout();
        let at = folder.path();
        let output = bonebox(at, &["diff", "--base", "base"]);
        assert_eq!(output.status.code(), Some(1), "{}", told(&output));
        insta::assert_snapshot!("base_text", told(&output));
        write(at, "assets/bonebox.toml", "[characters.man]\nmargin = 0.05\n\n[limits]\nmost_volume_ratio = 0.5\n");
        let arguments = [
            "diff",
            "--base",
            "base",
            "assets",
            "--markdown",
            "--pictures",
            "out",
            "--pictures-url",
            "https://a.b/c d/",
        ];
        let output = bonebox(at, &arguments);
        assert_eq!(output.status.code(), Some(1), "{}", told(&output));
        let told = text(&output);
        insta::assert_snapshot!("base_markdown", told);
        for (_, link) in told.match_indices("](<").map(|(at, _)| told[at + 3..].split_at(0)) {
            let file = link.split('>').next().unwrap().rsplit('/').next().unwrap();
            let bytes = fs::read(at.join("out").join(file)).unwrap();
            assert!(bytes.starts_with(b"\x89PNG") && bytes.len() < 100_000, "{file}: {} bytes", bytes.len());
        }
        git(at, &["add", "--all"]);
        git(at, &["commit", "--quiet", "--message=later"]);
        fs::remove_file(at.join("assets/bonebox.toml")).unwrap();
        write(at, "assets/bonebox.toml", "[characters.man]\nmargin = 0.05\n");
        let same = bonebox(at, &["diff", "--base", "HEAD", "assets/limb.glb", "assets/heroes"]);
        assert_eq!((same.status.code(), text(&same).as_str()), (Some(0), "2 characters: 0 changed, 2 unchanged\n"));
    }

    /// The JSON has the facts of the summary, and its exit codes.
    #[test]
    #[ignore = "needs git: cargo xtask ignored git"]
    fn diff_with_a_base_prints_json() {
        let folder = checkout();
        let at = folder.path();
        let settings = "[characters.man]\nmargin = 0.05\n\n[limits]\nmost_volume_ratio = 0.5\n";
        write(at, "assets/bonebox.toml", settings);
        write(at, "assets/broken.glb", "no model");
        let json = |arguments: &[&str]| {
            let output = bonebox(at, &[&["diff", "--json", "--base"], arguments].concat());
            let document: Value = serde_json::from_slice(&output.stdout).unwrap();
            (output.status.code(), document, text(&output))
        };
        let (code, document, printed) = json(&["base"]);
        assert_eq!(code, Some(2));
        let commit = document["base"]["commit"].as_str().unwrap();
        assert_eq!(commit.len(), 40);
        insta::assert_snapshot!("base_json", printed.replace(commit, "COMMIT"));
        // The changes of a character are those of `bonebox diff OLD NEW --json`, and so are its sides.
        let one = |path: &str| {
            let all = document["characters"].as_array().unwrap();
            all.iter().find(|one| one["path"] == path).unwrap().clone()
        };
        let man = one(if cfg!(windows) { ".\\assets\\heroes\\man.glb" } else { "./assets/heroes/man.glb" });
        let old =
            Command::new("git").current_dir(at).args(["show", "base:assets/heroes/man.bonebox"]).output().unwrap();
        write(at, "old.bonebox", old.stdout);
        let two = bonebox(at, &["diff", "old.bonebox", "assets/heroes/man.glb", "--json"]);
        let two: Value = serde_json::from_slice(&two.stdout).unwrap();
        assert_eq!(man["changes"], two["changes"]);
        for side in ["old", "new"] {
            for member in ["name", "boxes", "clips", "joints", "volume"] {
                assert_eq!(man[side][member], two[side][member], "{side} {member}");
            }
        }
        // The exit code is that of the text.
        assert_eq!(json(&["base", "assets/heroes"]).0, Some(1));
        let (code, same, _) = json(&["base", "assets/limb.glb"]);
        assert_eq!((code, &same["equal"]), (Some(0), &true.into()));
        let (code, refused, _) = json(&["no-such"]);
        assert_eq!((code, refused.as_object().unwrap().len()), (Some(2), 1));
        assert!(refused["error"].as_str().unwrap().contains("the revision \"no-such\" does not exist"), "{refused}");
    }

    /// Names are code in Markdown, whatever letters they have.
    #[cfg(unix)]
    #[test]
    #[ignore = "needs git: cargo xtask ignored git"]
    fn names_with_the_letters_of_markdown_stay_names() {
        let folder = checkout();
        let at = folder.path();
        for name in UNKIND {
            write(at, &format!("assets/{name}.glb"), box_limb().to_glb());
        }
        let markdown = text(&bonebox(at, &["diff", "--base", "base", "assets", "--markdown"]));
        for wrong in ["<img", "\u{202e}", "<script", "@someone", "#1 ", "www."] {
            assert!(!markdown.contains(wrong), "{wrong} in {markdown}");
        }
        let table = markdown.lines().filter(|line| line.starts_with("| "));
        assert!(table.clone().count() > 5 && table.clone().all(|line| line.matches('|').count() == 9), "{markdown}");
    }
}
