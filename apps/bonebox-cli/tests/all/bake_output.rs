//! The output of `bonebox bake` for people and build systems, and the scripts and pages that the program prints about
//! itself.

use crate::program::{as_on_unix, without_times};
use serde_json::Value;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use test_models::{box_limb, box_man};

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bonebox"));
    command.current_dir(folder).args(arguments);
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(variable);
    }
    command
}

fn run(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    command(folder, arguments).envs(variables.iter().copied()).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// A folder with a valid character and a broken one.
fn characters() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("man.glb"), box_man().to_glb()).unwrap();
    fs::write(folder.path().join("broken.glb"), b"glTF").unwrap();
    folder
}

#[test]
fn color_is_used_on_terminals_or_on_request() {
    let folder = characters();
    let colored = |variables: &[(&str, &str)]| {
        let output = run(folder.path(), &["bake", ".", "--force"], variables);
        assert_eq!(output.status.code(), Some(1));
        let both = [output.stdout, output.stderr].map(|bytes| bytes.contains(&0x1b));
        assert_eq!(both[0], both[1]);
        both[0]
    };
    assert!(!colored(&[]), "without a terminal there is no color");
    assert!(colored(&[("CLICOLOR_FORCE", "1")]));
    assert!(!colored(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn color_does_not_change_the_text() {
    let folder = characters();
    let plain = run(folder.path(), &["bake", ".", "--force", "--jobs", "1"], &[]);
    let colored = run(folder.path(), &["bake", ".", "--force", "--jobs", "1"], &[("CLICOLOR_FORCE", "1")]);
    let [mut stripped, mut inside] = [String::new(), String::new()];
    for letter in text(&colored.stdout).chars() {
        match letter {
            '\x1b' => inside.push(letter),
            'm' if !inside.is_empty() => inside.clear(),
            _ if !inside.is_empty() => {}
            _ => stripped.push(letter),
        }
    }
    assert_eq!(without_times(&stripped), without_times(text(&plain.stdout)));
}

#[test]
fn a_narrow_table_has_fewer_columns() {
    let folder = characters();
    let table = |columns: &str| {
        let output = run(folder.path(), &["bake", ".", "--force", "--jobs", "1"], &[("COLUMNS", columns)]);
        let shown = text(&output.stdout).lines().take(3).map(|line| format!("{line}\n")).collect::<String>();
        assert!(
            shown.lines().all(|line| line.chars().count() <= columns.parse().unwrap()) || columns == "20",
            "{shown}"
        );
        without_times(&shown)
    };
    let widths = ["200", "70", "40", "20"].map(|columns| format!("{columns} columns\n{}", table(columns)));
    insta::assert_snapshot!(widths.join("\n"));
}

#[test]
fn the_table_ends_with_the_time_that_each_file_took() {
    let folder = characters();
    let output = run(folder.path(), &["bake", ".", "--force", "--jobs", "1"], &[]);
    let lines: Vec<&str> = text(&output.stdout).lines().collect();
    assert!(lines[0].ends_with(" time"), "{lines:?}");
    assert!(lines[1..3].iter().all(|line| line.ends_with(" s")), "{lines:?}");
    assert!(lines[..3].iter().all(|line| without_times(line).len() < line.len() - 4), "{lines:?}");
}

#[test]
fn warnings_of_a_folder_are_counted_and_the_worst_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.glb", "b.glb", "c.glb"] {
        let mut man = box_man();
        if name != "c.glb" {
            // One shin of `a` is flat, and both shins of `b`.
            for joint in ["shin.left", "shin.right"].into_iter().take(if name == "a.glb" { 1 } else { 2 }) {
                flatten(&mut man, joint);
            }
        }
        fs::write(folder.path().join(name), man.to_glb()).unwrap();
    }
    let output = run(folder.path(), &["bake", ".", "--jobs", "1"], &[]);
    let out = as_on_unix(text(&output.stdout));
    assert!(out.contains("warning [flat-group] 3 in 2 of 3 characters; ./b.glb: "), "{out}");
    let single = run(folder.path(), &["bake", "a.glb", "--force", "--no-compare"], &[]);
    assert!(text(&single.stdout).contains("\na.glb:\n  warning [flat-group] "), "{}", text(&single.stdout));
}

/// The table has the size of the skin where a character has its skin; the lines and `inspect` have the same bytes.
#[test]
fn the_size_of_the_skin_is_shown() {
    let folder = characters();
    let heading = |skin: &str| {
        let output = run(folder.path(), &["bake", ".", "--force", "--jobs", "1", "--skin", skin], &[]);
        text(&output.stdout).lines().next().unwrap().split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(!heading("off").contains(&"skin".to_owned()));
    assert!(heading("lossless").contains(&"skin".to_owned()));
    let table = run(folder.path(), &["bake", "man.glb", "--force", "--no-compare", "--skin", "lossless"], &[]);
    let inspected = run(folder.path(), &["inspect", "man.bonebox"], &[]);
    let line = text(&inspected.stdout).lines().find(|line| line.contains(" a vertex; ")).unwrap();
    let (bytes, per_vertex) = line.split_once(" bytes, ").unwrap();
    let (bytes, per_vertex) = (bytes.parse::<u64>().unwrap(), per_vertex.split(' ').next().unwrap());
    let cell = format!(" {:.0} kB, {per_vertex} a vertex ", bytes as f64 / 1000.0);
    assert!(text(&table.stdout).contains(&cell), "{cell} {}", text(&table.stdout));
    let lines = run(folder.path(), &["bake", "man.glb", "--force", "--json", "--skin", "lossless"], &[]);
    let file: Value = serde_json::from_str(text(&lines.stdout).lines().next().unwrap()).unwrap();
    let skin = &file["character"]["skin"];
    assert_eq!(skin["bytes"], bytes);
    assert_eq!(skin["bytes_per_vertex"].to_string(), per_vertex);
    assert_eq!((bytes as f64 / skin["vertices"].as_f64().unwrap() * 10.0).round() / 10.0, skin["bytes_per_vertex"]);
}

/// Moves all vertices of a joint into a plane.
fn flatten(man: &mut test_models::Character, joint: &str) {
    let index = man.joints.iter().position(|one| one.name == joint).unwrap();
    let height = man.origin(index)[1];
    for (vertex, influences) in man.influences.iter().enumerate() {
        if influences.iter().any(|&(slot, _)| usize::from(slot) == index) {
            man.positions[vertex][1] = height;
        }
    }
}

#[test]
fn json_lines_contain_all_results() {
    let folder = characters();
    let output = run(folder.path(), &["bake", ".", "--json", "--jobs", "1"], &[]);
    assert_eq!(output.status.code(), Some(1), "one character is broken");
    assert_eq!(text(&output.stderr), "", "all output is in the lines");
    let told = as_on_unix(text(&output.stdout));
    let lines: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    insta::assert_json_snapshot!(lines, { "[].seconds" => "[seconds]" });
    let again = run(folder.path(), &["bake", "man.glb", "--json", "--quiet"], &[]);
    assert!(again.status.success());
    let results: Vec<Value> = text(&again.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&results[0]["result"], &results[1]["unchanged"]), (&"unchanged".into(), &1.into()));
}

#[test]
fn an_error_of_the_whole_run_is_a_json_line() {
    let folder = characters();
    fs::write(folder.path().join("bonebox.toml"), "fitt = 1").unwrap();
    let output = run(folder.path(), &["bake", ".", "--json"], &[]);
    assert_eq!(output.status.code(), Some(1));
    let line: Value = serde_json::from_str(text(&output.stdout).trim()).unwrap();
    assert_eq!(line["event"], "error");
    assert!(line["error"].as_str().unwrap().contains("bonebox.toml"), "{line}");
}

/// A watching program, and the lines that it printed.
struct Watch {
    program: Child,
    lines: Receiver<Value>,
}

/// Far longer than a bake of a dozen boxes takes, even on a busy machine.
const LIMIT: Duration = Duration::from_secs(120);

impl Watch {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut program = command(folder, arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (send, lines) = channel();
        let out = BufReader::new(program.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in out.lines() {
                let _ = send.send(serde_json::from_str(&as_on_unix(&line.unwrap())).unwrap());
            }
        });
        Self { program, lines }
    }

    /// The next line with an event.
    fn next(&self, event: &str) -> Value {
        let start = Instant::now();
        loop {
            let left = LIMIT.saturating_sub(start.elapsed());
            let line = self.lines.recv_timeout(left).unwrap_or_else(|_| panic!("no line {event:?} within {LIMIT:?}"));
            if line["event"] == event {
                return line;
            }
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

#[test]
fn a_watch_sees_saves_of_assets_buffers_and_settings() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("man.glb"), box_man().to_glb()).unwrap();
    let limb = box_limb().to_gltf();
    fs::write(at("limb.gltf"), limb.to_separate("limb.bin")).unwrap();
    fs::write(at("limb.bin"), &limb.bin).unwrap();
    let watch = Watch::start(folder.path(), &["bake", ".", "--watch", "--json", "--jobs", "1"]);
    assert_eq!(watch.next("summary")["baked"], 2);
    assert!(watch.next("watching")["files"].as_u64().unwrap() >= 3);

    // An asset changes, and the watch prints only that asset.
    fs::write(at("man.glb"), box_limb().to_glb()).unwrap();
    let file = watch.next("file");
    assert_eq!((&file["path"], &file["result"]), (&"./man.glb".into(), &"baked".into()));
    assert_eq!(watch.next("summary")["unchanged"], 1);

    // The watch prints the error of a broken asset and continues.
    fs::write(at("man.glb"), b"glTF").unwrap();
    assert_eq!(watch.next("file")["result"], "failed");
    fs::write(at("man.glb"), box_man().to_glb()).unwrap();
    assert_eq!(watch.next("file")["result"], "baked");
    watch.next("summary");

    // A buffer of an asset is removed and written again.
    fs::remove_file(at("limb.bin")).unwrap();
    let file = watch.next("file");
    assert_eq!((&file["path"], &file["result"]), (&"./limb.gltf".into(), &"failed".into()));
    watch.next("summary");
    fs::write(at("limb.bin"), &limb.bin).unwrap();
    assert_eq!(watch.next("summary")["unchanged"], 2);

    // Settings are written, first with a mistake.
    fs::write(at("bonebox.toml"), "fitt = 1").unwrap();
    assert!(watch.next("error")["error"].as_str().unwrap().contains("bonebox.toml"));
    fs::write(at("bonebox.toml"), "fit = \"joint-axes\"\n").unwrap();
    assert_eq!(watch.next("summary")["baked"], 2);

    // A save by renaming, as many editors do, and a new asset.
    fs::write(at("new.tmp"), box_limb().to_glb()).unwrap();
    fs::rename(at("new.tmp"), at("new.glb")).unwrap();
    assert_eq!(watch.next("file")["path"], "./new.glb");
}

/// Bytes that a process read, and its processor time in hundredths of a second.
#[cfg(target_os = "linux")]
fn usage(process: u32) -> [u64; 2] {
    let read = |name: &str| fs::read_to_string(format!("/proc/{process}/{name}")).unwrap();
    let io = read("io");
    let bytes = io.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap().parse().unwrap();
    // The fields after the name of the program, which may have spaces: the 12th and 13th are user and system time.
    let stat = read("stat");
    let times = stat.rsplit_once(')').unwrap().1.split_whitespace().skip(11).take(2);
    [bytes, times.map(|ticks| ticks.parse::<u64>().unwrap()).sum()]
}

#[cfg(target_os = "linux")]
#[test]
fn an_idle_watch_reads_no_file_and_takes_little_time() {
    const SECONDS: u64 = 4;
    let folder = tempfile::tempdir().unwrap();
    let json = format!(r#"{{"asset": {{"version": "2.0"}}, "extras": "{}"}}"#, "x".repeat(1000));
    for number in 0..500 {
        fs::write(folder.path().join(format!("{number}.gltf")), &json).unwrap();
    }
    let watch = Watch::start(folder.path(), &["bake", ".", "--watch", "--json"]);
    watch.next("watching");
    // The system's events about the files that the first round opened arrive late, and in parts, on a busy machine.
    let (mut before, mut quiet_seconds) = (usage(watch.program.id()), 0);
    for _ in 0..60 {
        std::thread::sleep(Duration::from_secs(1));
        let earlier = std::mem::replace(&mut before, usage(watch.program.id()));
        // Each look lists the folder, which is an event too.
        quiet_seconds = if before[0] - earlier[0] < 1_000 { quiet_seconds + 1 } else { 0 };
        if quiet_seconds == 3 {
            break;
        }
    }
    std::thread::sleep(Duration::from_secs(SECONDS));
    let after = usage(watch.program.id());
    let [bytes, ticks] = [0, 1].map(|field| after[field] - before[field]);
    println!("{bytes} bytes read, {ticks} ticks");
    assert!(bytes < 10_000, "{bytes} bytes were read, but the files have half a million");
    assert!(ticks <= 3 * SECONDS, "{ticks} hundredths of a second in {SECONDS} seconds");
    assert!(watch.lines.try_recv().is_err(), "nothing has changed");

    // The watch still sees a save.
    fs::write(folder.path().join("7.gltf"), "{}").unwrap();
    assert_eq!(watch.next("summary")["failed"], 500);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_watch_without_an_error() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("man.glb"), box_man().to_glb()).unwrap();
    let mut watch = Watch::start(folder.path(), &["bake", ".", "--watch", "--json"]);
    watch.next("watching");
    let id = watch.program.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let start = Instant::now();
    let status = loop {
        match watch.program.try_wait().unwrap() {
            Some(status) => break status,
            None if start.elapsed() > LIMIT => panic!("the watch did not end"),
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    assert_eq!(status.code(), Some(0));
    let mut files: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["man.bonebox", "man.bonebox.json", "man.glb"]);
}

#[test]
fn a_watch_of_a_missing_path_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["bake", "nowhere", "--watch"], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("nowhere"), "{}", text(&output.stderr));
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(Path::new("."), &["completions", shell], &[]);
        let script = text(&output.stdout);
        assert!(output.status.success() && script.contains("bonebox") && script.contains("watch"), "{shell}");
    }
}

mod needs_shells {
    use super::{run, text};
    use std::fs;
    use std::path::Path;
    use std::process::Command;

    #[test]
    #[ignore = "needs bash, zsh and fish: cargo xtask ignored shells"]
    fn shells_read_their_completions() {
        for shell in ["bash", "zsh", "fish"] {
            let folder = tempfile::tempdir().unwrap();
            let script = run(Path::new("."), &["completions", shell], &[]).stdout;
            fs::write(folder.path().join("script"), script).unwrap();
            let read = Command::new(shell).arg("-n").arg(folder.path().join("script")).output().unwrap();
            assert!(read.status.success(), "{shell}: {}", text(&read.stderr));
        }
    }
}

#[test]
fn a_manual_page_of_every_command() {
    let page = run(Path::new("."), &["man"], &[]);
    assert!(text(&page.stdout).contains(".TH bonebox 1"), "{}", text(&page.stdout));
    let folder = tempfile::tempdir().unwrap();
    assert!(run(folder.path(), &["man", "--out", "man1"], &[]).status.success());
    for name in ["bonebox.1", "bonebox-bake.1", "bonebox-export.1"] {
        let page = fs::read_to_string(folder.path().join("man1").join(name)).unwrap();
        assert!(page.contains(".SH NAME"), "{name}");
    }
}
