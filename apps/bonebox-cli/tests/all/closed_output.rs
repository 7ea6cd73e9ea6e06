//! The program when the reader of its output has gone or reads slowly: the exit code stays an answer.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use test_models::box_man;

/// A folder with two characters and their bakes.
fn characters() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.glb", "b.glb"] {
        fs::write(folder.path().join(name), box_man().to_glb()).unwrap();
    }
    let bake = command(folder.path(), &["bake", ".", "--quiet"]).status().unwrap();
    assert!(bake.success());
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bonebox"));
    command.current_dir(folder).args(arguments).env("COLUMNS", "100").stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts the program, and closes its standard output before it prints.
fn without_reader(folder: &Path, arguments: &[&str]) -> Child {
    let mut child = command(folder, arguments).spawn().unwrap();
    drop(child.stdout.take());
    child
}

#[test]
fn a_closed_pipe_does_not_change_the_exit_code_of_a_bake() {
    let folder = characters();
    for (way, code) in [(&[][..], 0), (&["--fit", "joint-axes"], 1)] {
        for form in [&[][..], &["--json"], &["--compare"]] {
            let arguments = [&["bake", ".", "--check"], way, form].concat();
            let output = without_reader(folder.path(), &arguments).wait_with_output().unwrap();
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
            let named = error.lines().filter(|line| line.starts_with("error: ./")).count();
            assert_eq!(named, 2 * usize::from(code == 1), "{arguments:?}: {error}");
            assert!(!error.contains("Broken pipe"), "{arguments:?}: {error}");
        }
    }
}

/// `2>&1 | head` closes both streams. `println!` and `eprintln!` panicked, even in the middle of a bake.
#[test]
fn closed_streams_are_no_crash() {
    let folder = characters();
    fs::write(folder.path().join("a.qc"), "$hbox 1 \"head\" -4 0 -4 4 8 4\r\n").unwrap();
    let commands: [(&[&str], i32); 13] = [
        (&["bake", ".", "--force"], 0),
        (&["bake", ".", "--check", "--fit", "joint-axes"], 1),
        (&["bake", "no.glb"], 1),
        (&["inspect", "a.bonebox"], 0),
        (&["diff", "a.bonebox", "a.bonebox"], 0),
        (&["diff", "a.bonebox", "b.bonebox"], 1),
        (&["diff", "a.bonebox", "b.bonebox", "--json"], 1),
        (&["diff", "a.bonebox", "no.bonebox", "--json"], 2),
        (&["export", "a.glb", "--to", "omi"], 0),
        (&["import", "a.qc"], 0),
        (&["init", ".", "--force"], 0),
        (&["duel", "a.bonebox", "b.bonebox", "--seconds", "0"], 0),
        (&["completions", "bash"], 0),
    ];
    for (arguments, code) in commands {
        let mut child = without_reader(folder.path(), arguments);
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(code), "{arguments:?}");
    }
}

/// A file that cannot be written because it is a closed pipe is not a closed standard output.
#[cfg(unix)]
#[test]
fn a_closed_pipe_as_output_file_is_an_error() {
    let folder = characters();
    let pipe = folder.path().join("pipe.svg");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // The picture is larger than what the pipe holds, and the reader leaves without reading it.
    let reader = std::thread::spawn(move || drop(fs::File::open(pipe).unwrap()));
    let hound = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/hound.glb");
    let draw = ["draw", hound.to_str().unwrap(), "-o", "pipe.svg"];
    let output = command(folder.path(), &draw).output().unwrap();
    reader.join().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && error.contains("cannot write pipe.svg"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn errors_are_printed_before_a_table_that_nobody_reads() {
    use std::io::{BufRead as _, BufReader, Write as _};
    let folder = characters();
    let (reader, mut full) = std::io::pipe().unwrap();
    // As much as a pipe holds.
    full.write_all(&[0; 65536]).unwrap();
    let mut child = command(folder.path(), &["bake", ".", "--check", "--fit", "joint-axes"]);
    let mut child = child.stdout(full).spawn().unwrap();
    let stderr = BufReader::new(child.stderr.take().unwrap());
    let (send, lines) = std::sync::mpsc::channel();
    std::thread::spawn(move || stderr.lines().map_while(Result::ok).for_each(|line| drop(send.send(line))));
    let printed = loop {
        match lines.recv_timeout(std::time::Duration::from_secs(60)) {
            Ok(line) if line.starts_with("error: ./b.glb: ") => break true,
            Ok(_) => {}
            Err(_) => break false,
        }
    };
    let is_waiting = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    drop(reader);
    assert!(printed && is_waiting, "the errors were printed: {printed}; the table waited: {is_waiting}");
}

#[test]
fn a_watch_whose_reader_has_gone_ends() {
    let folder = characters();
    for form in [&[][..], &["--json"]] {
        let mut child = without_reader(folder.path(), &[&["bake", ".", "--watch", "--force"], form].concat());
        let start = std::time::Instant::now();
        while child.try_wait().unwrap().is_none() {
            if start.elapsed() > std::time::Duration::from_secs(60) {
                child.kill().unwrap();
                child.wait().unwrap();
                panic!("the watch goes on: {form:?}");
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}
