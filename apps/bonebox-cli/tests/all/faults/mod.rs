//! Tests bakes with errors from outside: old outputs stay complete, no temporary files remain, and the message names the
//! cause.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use test_models::{Random, box_limb, box_man};

const OUTPUTS: [&str; 2] = ["man.bonebox", "man.bonebox.json"];

/// Two bakes with different options, so that their outputs differ.
const BAKES: [&[&str]; 2] = [&["bake", ".", "--quiet"], &["bake", ".", "--quiet", "--fit", "joint-axes"]];

fn bonebox(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bonebox"));
    command.current_dir(folder).args(arguments).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn bake(folder: &Path, way: usize) -> Output {
    bonebox(folder, BAKES[way]).output().unwrap()
}

fn folder_with_man() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("man.glb"), box_man().to_glb()).unwrap();
    folder
}

fn read_outputs(folder: &Path) -> [Vec<u8>; 2] {
    OUTPUTS.map(|name| fs::read(folder.join(name)).unwrap())
}

/// The outputs of each bake in [`BAKES`].
fn expected() -> [[Vec<u8>; 2]; 2] {
    [0, 1].map(|way| {
        let folder = folder_with_man();
        assert!(bake(folder.path(), way).status.success());
        read_outputs(folder.path())
    })
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn assert_only_outputs(folder: &Path) {
    assert_eq!(names(folder), ["man.bonebox", "man.bonebox.json", "man.glb"]);
}

/// Asserts that the exit code is 1, and that standard error contains all these words.
fn assert_refused(output: &Output, words: &[&str]) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(words.iter().all(|word| text.contains(word)), "{text}");
    assert!(!text.contains("panicked") && !text.contains("BACKTRACE"), "{text}");
}

#[test]
fn killed_at_any_moment() {
    let (folder, expected) = (folder_with_man(), expected());
    let start = Instant::now();
    assert!(bake(folder.path(), 0).status.success());
    let whole = start.elapsed().as_micros() as usize;
    let (mut random, mut killed, mut left) = (Random::new(9), 0, 0);
    for round in 1..=60 {
        let mut child = bonebox(folder.path(), BAKES[round / 2 % 2]).spawn().unwrap();
        if round % 2 == 0 {
            std::thread::sleep(Duration::from_micros(random.below(whole) as u64));
        } else {
            // A random moment is rarely one of writing, so every second kill waits for a temporary file.
            while names(folder.path()).len() == 3 && child.try_wait().unwrap().is_none() {}
        }
        child.kill().unwrap();
        killed += usize::from(!child.wait().unwrap().success());
        left += usize::from(names(folder.path()).len() > 3);
        for (which, found) in read_outputs(folder.path()).iter().enumerate() {
            assert!(expected.iter().any(|outputs| outputs[which] == *found), "{} is torn", OUTPUTS[which]);
        }
    }
    println!("{killed} of 60 were killed in time, {left} times a temporary file was there");
    assert!(killed > 10 && left > 0, "{killed} of 60 were killed in time, {left} of them while they wrote");
    for way in [0, 1] {
        assert!(bake(folder.path(), way).status.success());
        assert!(read_outputs(folder.path()) == expected[way], "the bake after the kills differs");
        assert_only_outputs(folder.path());
    }
}

#[test]
fn temporary_files_of_a_killed_bake_are_removed_by_the_next_run() {
    let folder = folder_with_man();
    assert!(bake(folder.path(), 0).status.success());
    fs::write(folder.path().join(".bonebox-Ab3xYz.part"), b"half a bake").unwrap();
    let check = bonebox(folder.path(), &["bake", ".", "--check", "--quiet"]).output().unwrap();
    assert!(check.status.success());
    assert_eq!(names(folder.path()).len(), 4, "--check changes nothing");
    assert!(bake(folder.path(), 0).status.success());
    assert_only_outputs(folder.path());
}

#[test]
fn two_bakes_of_a_folder_at_the_same_time() {
    let (folder, expected) = (folder_with_man(), expected());
    for round in 0..10 {
        let way = round % 2;
        let children = [0; 4].map(|_| bonebox(folder.path(), BAKES[way]).arg("--force").spawn().unwrap());
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        assert!(read_outputs(folder.path()) == expected[way], "round {round}");
        assert_only_outputs(folder.path());
    }
}

/// An exporter writes slowly to the same file. A bake must see the whole file, or fail and leave the old outputs.
#[test]
fn a_source_that_changes_while_it_is_read() {
    let (folder, expected) = (folder_with_man(), expected());
    assert!(bake(folder.path(), 0).status.success());
    let versions = [box_limb().to_glb(), box_man().to_glb()];
    std::thread::scope(|scope| {
        let path = folder.path().join("man.glb");
        let exporter = scope.spawn(move || {
            for bytes in versions.iter().cycle().take(60) {
                let (first, second) = bytes.split_at(bytes.len() / 2);
                fs::write(&path, first).unwrap();
                std::thread::sleep(Duration::from_millis(3));
                fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(second).unwrap();
                std::thread::sleep(Duration::from_millis(3));
            }
        });
        while !exporter.is_finished() {
            let output = bake(folder.path(), 0);
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(matches!(output.status.code(), Some(0 | 1)) && !text.contains("panicked"), "{text}");
            baked_format::read(&read_outputs(folder.path())[0]).unwrap();
        }
    });
    assert!(bake(folder.path(), 0).status.success());
    assert!(read_outputs(folder.path()) == expected[0]);
    assert_only_outputs(folder.path());
}
