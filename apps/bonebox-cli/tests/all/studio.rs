//! Many characters and many machines: trees of outputs, shares, ignore files, the store and keys, as docs/studio.md tells.

use crate::program::{bonebox, told};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use test_models::{box_limb, box_man, in_one_file};

/// Three characters in two folders.
fn library() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["assets/heroes/man.glb", "assets/villains/man.glb", "assets/limb.glb"] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, if name.contains("limb") { box_limb().to_glb() } else { box_man().to_glb() }).unwrap();
    }
    folder
}

/// Runs the program and returns the last line of its JSON.
fn summary(folder: &Path, arguments: &[&str]) -> serde_json::Value {
    let output = bonebox(folder, &[&["bake", "assets", "--json"], arguments].concat());
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let last = text.lines().last().unwrap_or_else(|| panic!("{}", told(&output)));
    serde_json::from_str(last).unwrap()
}

#[test]
fn outputs_keep_the_tree_unless_they_are_flat() {
    let folder = library();
    assert_eq!(summary(folder.path(), &["-o", "out"])["baked"], 3);
    for name in ["out/heroes/man.bonebox", "out/villains/man.bonebox", "out/limb.bonebox.json"] {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
    assert_eq!(summary(folder.path(), &["-o", "out", "--check"])["baked"], 3);
    let flat = summary(folder.path(), &["-o", "flat", "--flat"]);
    assert_eq!((&flat["baked"], &flat["failed"]), (&1.into(), &2.into()));
    assert_eq!(bonebox(folder.path(), &["bake", "assets", "--flat"]).status.code(), Some(2));
}

#[test]
fn shares_bake_everything_once_and_a_wrong_share_is_refused() {
    let folder = library();
    let mut baked = 0;
    for shard in ["0/4", "1/4", "2/4", "3/4"] {
        let one = summary(folder.path(), &["-o", "out", "--shard", shard]);
        assert_eq!(one["baked"].as_u64().unwrap() + one["other_shards"].as_u64().unwrap(), 3, "{one}");
        baked += one["baked"].as_u64().unwrap();
    }
    assert_eq!(baked, 3);
    let output = bonebox(folder.path(), &["bake", "assets", "--shard", "4/4"]);
    assert!(output.status.code() == Some(2) && told(&output).contains("such as 0/4"), "{}", told(&output));
}

#[test]
fn what_ignore_files_leave_out_is_counted_and_named() {
    let folder = library();
    fs::write(folder.path().join("assets/.boneboxignore"), "villains\n").unwrap();
    let output = bonebox(folder.path(), &["bake", "assets"]);
    let told = told(&output);
    assert!(
        output.status.success() && told.contains("note: 1 not baked, because a .gitignore or .boneboxignore"),
        "{told}"
    );
    assert!(!folder.path().join("assets/villains/man.bonebox").exists());
    assert!(summary(folder.path(), &[])["ignored"][0].as_str().unwrap().ends_with("villains"));
}

#[test]
fn a_store_serves_other_machines_and_only_saves_time() {
    let folder = library();
    let first = summary(folder.path(), &["-o", "one", "--store", "store"]);
    // Both men have the same name, the same bytes and the same settings, so they have one key: the first one's result may be there already.
    assert_eq!(first["baked"].as_u64().unwrap() + first["stored"].as_u64().unwrap(), 3);
    let keys = bonebox(folder.path(), &["key", "assets"]);
    let keys: BTreeSet<String> =
        String::from_utf8(keys.stdout).unwrap().lines().map(|line| line[..64].to_owned()).collect();
    assert_eq!(keys.len(), 2);
    let stats = bonebox(folder.path(), &["store", "stats", "store"]);
    assert!(told(&stats).contains("\n2 entries ("), "{}", told(&stats));
    let second = summary(folder.path(), &["-o", "two", "--store", "store"]);
    assert_eq!((&second["stored"], &second["baked"]), (&3.into(), &0.into()));
    for name in ["heroes/man.bonebox", "limb.bonebox", "limb.bonebox.json"] {
        let [one, two] = ["one", "two"].map(|out| fs::read(folder.path().join(out).join(name)).unwrap());
        assert!(one == two, "{name}");
    }
    let entry =
        keys.first().map(|key| folder.path().join("store").join(&key[..2]).join(format!("{key}.bake"))).unwrap();
    fs::write(&entry, b"garbage").unwrap();
    let verify = bonebox(folder.path(), &["store", "verify", "store"]);
    assert!(verify.status.code() == Some(1) && told(&verify).contains("it was damaged"), "{}", told(&verify));
    assert!(!entry.exists());
    let prune = bonebox(folder.path(), &["store", "prune", "store", "--older-than", "30d"]);
    assert!(told(&prune).contains("removed 0 entries (0.0 MB); 1 entry"), "{}", told(&prune));
    // A file stands where the store should be.
    fs::write(folder.path().join("gone"), b"").unwrap();
    let output = bonebox(folder.path(), &["bake", "assets", "-o", "three", "--store", "gone"]);
    let told = told(&output);
    assert!(output.status.success() && told.matches("the store is not used any more").count() == 1, "{told}");
}

#[test]
fn reports_of_shares_are_joined_and_the_exit_code_tells_what_is_missing() {
    let folder = library();
    let report = |shard: &str| {
        let output = bonebox(folder.path(), &["bake", "assets", "-o", "out", "--json", "--shard", shard]);
        let name = format!("report-{}.jsonl", &shard[..1]);
        fs::write(folder.path().join(&name), output.stdout).unwrap();
        name
    };
    let reports = ["0/3", "1/3", "2/3"].map(report);
    let merge = |reports: &[String]| {
        let arguments: Vec<&str> = ["merge-reports"].into_iter().chain(reports.iter().map(String::as_str)).collect();
        bonebox(folder.path(), &arguments)
    };
    let merged = merge(&reports);
    let text = String::from_utf8(merged.stdout.clone()).unwrap();
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(merged.status.success() && lines.len() == 4, "{}", told(&merged));
    let paths: Vec<_> = lines[..3].iter().map(|line| line["path"].as_str().unwrap().replace('\\', "/")).collect();
    assert_eq!(paths, ["assets/heroes/man.glb", "assets/limb.glb", "assets/villains/man.glb"]);
    assert_eq!(
        (&lines[3]["event"], &lines[3]["baked"], &lines[3]["missing"]),
        (&"summary".into(), &3.into(), &0.into())
    );

    // A killed worker: its report ends in the middle of its first result.
    let whole = fs::read_to_string(folder.path().join(&reports[1])).unwrap();
    let start = whole.find('\n').unwrap() + 40;
    fs::write(folder.path().join(&reports[1]), &whole[..start]).unwrap();
    let merged = merge(&reports);
    let said = told(&merged);
    assert!(merged.status.code() == Some(1) && said.contains("1 character has no result: assets"), "{said}");
    assert!(said.contains("report-1.jsonl:2: the line is no JSON") && said.contains("2 baked"), "{said}");
    let merged = merge(&[&reports[..], &[report("1/3")]].concat());
    assert!(merged.status.success(), "{}", told(&merged));
    let merged = merge(&reports[..2]);
    assert!(merged.status.code() == Some(1) && told(&merged).contains("shares: 2/3"), "{}", told(&merged));
    let merged = merge(&["no-such-report".into()]);
    assert!(
        merged.status.code() == Some(1) && told(&merged).contains("cannot read no-such-report"),
        "{}",
        told(&merged)
    );
}

/// Lines come while the bake runs, in the order of the paths, and an interrupted run has written what it reported.
#[cfg(unix)]
#[test]
fn results_are_streamed_and_stay_after_an_interruption() {
    use std::io::{BufRead as _, BufReader};
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::{Command, Stdio};
    // SIGTERM, because shells start background jobs with SIGINT ignored.
    const TERMINATED: i32 = 15;
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("assets")).unwrap();
    for number in 0..400 {
        fs::write(folder.path().join(format!("assets/c{number:03}.glb")), box_man().to_glb()).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_bonebox"));
    command.args(["bake", "assets", "-o", "out", "--json", "--jobs", "2"]).current_dir(folder.path());
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut seen: Vec<String> = lines.by_ref().take(3).collect();
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id() as i32), nix::sys::signal::Signal::SIGTERM).unwrap();
    seen.extend(lines);
    assert_eq!(child.wait().unwrap().signal(), Some(TERMINATED), "the run was over before it was interrupted");
    let rows: Vec<serde_json::Value> = seen.iter().filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert!((3..400).contains(&rows.len()), "{}", rows.len());
    for (number, row) in rows.iter().enumerate() {
        assert_eq!((&row["path"], &row["result"]), (&format!("assets/c{number:03}.glb").into(), &"baked".into()));
        let baked = fs::read(folder.path().join(format!("out/c{number:03}.bonebox"))).unwrap();
        assert!(baked_format::read(&baked).is_ok());
    }
    let again = summary(folder.path(), &["-o", "out"]);
    assert!(again["unchanged"].as_u64().unwrap() >= rows.len() as u64, "{again}");
    assert_eq!(again["unchanged"].as_u64().unwrap() + again["baked"].as_u64().unwrap(), 400);
}

#[test]
fn a_slow_bake_fails_and_the_others_go_on() {
    let folder = library();
    let man = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/runa.glb");
    fs::copy(man, folder.path().join("assets/slow.glb")).unwrap();
    let run = summary(folder.path(), &["--max-seconds", "0.000001", "--keep-going"]);
    assert_eq!(run["failed"], 4, "{run}");
    let output = bonebox(folder.path(), &["bake", "assets/slow.glb", "--max-seconds", "0.05"]);
    let refused = told(&output);
    assert!(refused.contains("the bake took more than 0.05 s, so it was stopped"), "{refused}");
    assert!(!folder.path().join("assets/slow.bonebox").exists());
    assert_eq!(summary(folder.path(), &["--max-seconds", "600"])["failed"], 0);
    for wrong in [&["--max-seconds", "0"][..], &["--max-seconds", "soon"], &["--keep-going", "--fail-fast"]] {
        assert_eq!(bonebox(folder.path(), &[&["bake", "assets"], wrong].concat()).status.code(), Some(2));
    }
}

/// The results of a run, sorted by path, without their times.
fn results(folder: &Path, arguments: &[&str]) -> Vec<serde_json::Value> {
    let output = bonebox(folder, &[&["bake", "assets", "--json"], arguments].concat());
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let timeless = lines.map(|mut line| {
        line.as_object_mut().unwrap().remove("seconds");
        line
    });
    let lines: Vec<_> = timeless.collect();
    assert!(lines.len() > 1, "{}", told(&output));
    lines
}

/// All files below a folder with their bytes.
fn files_below(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match entry.is_dir() {
            true => files.extend(files_below(&entry).into_iter().map(|(path, bytes)| (entry.join(path), bytes))),
            false => drop(files.insert(entry.clone(), fs::read(&entry).unwrap())),
        }
    }
    files.into_iter().map(|(path, bytes)| (path.strip_prefix(folder).unwrap_or(&path).to_owned(), bytes)).collect()
}

/// With limits, other processes bake. Their results are those of a run without limits: each outcome, every figure and every byte.
#[test]
fn limits_that_nobody_breaks_change_nothing() {
    let folder = library();
    let at = |name: &str| folder.path().join("assets").join(name);
    fs::create_dir(folder.path().join(".git")).unwrap();
    let man = box_man().to_gltf();
    fs::write(at("heroes/other.gltf"), man.to_separate("other.bin")).unwrap();
    fs::write(at("heroes/other.bin"), &man.bin).unwrap();
    fs::write(at("bad.glb"), "no glTF").unwrap();
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let name = std::ffi::OsStr::from_bytes(b"villains/m\xffn.glb");
        fs::write(folder.path().join("assets").join(name), box_man().to_glb()).unwrap();
    }
    fs::write(at("pack.glb"), in_one_file(&[("a", &box_man()), ("b", &box_man())]).to_glb()).unwrap();
    fs::write(at("heroes/bonebox.toml"), "[[shared]]\nname = \"men\"\ncharacters = [\"man\", \"other\"]\n").unwrap();
    fs::write(at("villains/bonebox.toml"), "[limits]\nmost_volume_ratio = 0.5\n").unwrap();
    let limits = match cfg!(target_os = "linux") {
        true => &["--max-seconds", "600", "--max-memory", "1G"][..],
        false => &["--max-seconds", "600"],
    };
    let runs: [(&[&str], &str); 7] = [
        (&["--split"], "baked"),
        (&["--split"], "unchanged"),
        (&["--split", "--check"], "baked"),
        (&["--split", "--store", "STORE", "--force"], "baked"),
        (&["--split", "--store", "STORE", "-o", "FRESH"], "stored"),
        (&["--margin", "0.01", "--jobs", "3"], "baked"),
        (&["--fail-fast", "--jobs", "1", "-o", "FRESH"], "failed"),
    ];
    for (number, (arguments, expected)) in runs.iter().enumerate() {
        let run = |kind: &str, more: &[&str]| {
            let own: Vec<String> = arguments
                .iter()
                .map(|word| {
                    word.replace("STORE", &format!("store-{kind}")).replace("FRESH", &format!("out-{number}-{kind}"))
                })
                .collect();
            let kept = format!("out-{kind}");
            let out: &[&str] = if own.contains(&"-o".to_owned()) { &[] } else { &["-o", &kept] };
            let words: Vec<&str> =
                own.iter().map(String::as_str).chain(out.iter().copied()).chain(more.iter().copied()).collect();
            let text = serde_json::to_string(&results(folder.path(), &words)).unwrap();
            text.replace(&format!("-{kind}"), "")
        };
        let (plain, limited) = (run("plain", &[]), run("limited", limits));
        assert_eq!(plain, limited, "{arguments:?}");
        let result = |word: &str| plain.contains(&format!("\"result\":\"{word}\""));
        assert!(result(expected) && result("failed"), "{arguments:?}: {plain}");
        assert!(arguments[0] != "--split" || result("refused"), "{plain}");
        assert!(arguments[0] != "--split" || plain.contains("\"set\":\"men\"") && plain.contains("\"root\":\"b\""));
    }
    for out in ["out", "out-4"] {
        let [plain, limited] =
            ["plain", "limited"].map(|kind| files_below(&folder.path().join(format!("{out}-{kind}"))));
        assert!(plain.len() >= 10 && plain == limited, "{out}");
    }
    // A damaged entry of the store is told as without limits.
    for kind in ["plain", "limited"] {
        let store = folder.path().join(format!("store-{kind}"));
        for (entry, _) in files_below(&store) {
            fs::write(store.join(entry), b"garbage").unwrap();
        }
        let more = if kind == "plain" { &[][..] } else { limits };
        let store = format!("store-{kind}");
        let words =
            [&["bake", "assets", "--split", "-o", "again", "--jobs", "1", "--store", &store][..], more].concat();
        let said = told(&bonebox(folder.path(), &words));
        assert!(said.contains("entries of the store are damaged") && said.matches("warning:").count() == 1, "{said}");
        fs::remove_dir_all(folder.path().join("again")).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_bake_that_needs_too_much_memory_fails_and_the_others_go_on() {
    let folder = library();
    let mut large = box_man();
    (0..10_000).for_each(|_| large.add_box(0, [0.0, 0.05, 0.0], [0.16, 0.15, 0.1]));
    fs::write(folder.path().join("assets/crowd.glb"), large.to_glb()).unwrap();
    let plain = ["-o", "out", "--fit", "joint-axes", "--measure", "none"];
    let limited = results(folder.path(), &[&plain[..], &["--max-memory", "16M"]].concat());
    let words: Vec<&str> = limited.iter().filter_map(|line| line["result"].as_str()).collect();
    assert_eq!(words, ["failed", "baked", "baked", "baked"], "{limited:?}");
    let error = limited[0]["errors"][0].as_str().unwrap();
    assert!(
        error.starts_with("the bake needs more than 16 MB of memory, so it was stopped; no file was written"),
        "{error}"
    );
    assert!(!folder.path().join("out/crowd.bonebox").exists());
    // Wherever the memory ends, the bake ends too.
    let mut ended = BTreeSet::new();
    for megabytes in (17..60).step_by(3) {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bonebox"));
        command.args(["bake", "assets/crowd.glb", "--json"]).args(plain).current_dir(folder.path());
        let limit = format!("{megabytes}M");
        let output = command.args(["--max-memory", &limit]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let told = text.contains("of memory, so it was stopped") || text.contains("\"result\":\"baked\"");
        assert!(told || text.contains("\"result\":\"unchanged\""), "{limit}: {text}");
        ended.insert(output.status.success());
    }
    assert_eq!(ended.len(), 2, "some limits are enough, others are not");
    for wrong in ["2", "1M", "big"] {
        assert_eq!(bonebox(folder.path(), &["bake", "assets", "--max-memory", wrong]).status.code(), Some(2));
    }
}

#[test]
fn a_depfile_names_everything_that_was_read() {
    let folder = library();
    fs::write(folder.path().join("assets/heroes/bonebox.toml"), "margin = 0.01\n").unwrap();
    fs::write(folder.path().join("assets/a #1 $.glb"), box_man().to_glb()).unwrap();
    fs::create_dir(folder.path().join(".git")).unwrap();
    assert_eq!(summary(folder.path(), &["-o", "out", "--depfile", "out.d"])["failed"], 0);
    insta::assert_snapshot!(fs::read_to_string(folder.path().join("out.d")).unwrap());
    // A failed run leaves the file of the last good one.
    fs::write(folder.path().join("assets/bad.glb"), "no glTF").unwrap();
    assert_eq!(summary(folder.path(), &["-o", "out", "--depfile", "out.d", "--depfile-target", "stamp"])["failed"], 1);
    assert!(!fs::read_to_string(folder.path().join("out.d")).unwrap().contains("bad.glb"));
    let one = bonebox(folder.path(), &["bake", "assets/limb.glb", "--depfile", "limb.d", "--depfile-target", "stamp"]);
    assert!(one.status.success(), "{}", told(&one));
    let rule = fs::read_to_string(folder.path().join("limb.d")).unwrap();
    assert_eq!(rule, "stamp: \\\n  assets/limb.glb\n\nassets/limb.glb:\n");
}
