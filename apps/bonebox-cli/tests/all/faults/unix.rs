//! Full disks, missing rights and closed outputs, as Unix has them.

use super::{
    BAKES, assert_only_outputs, assert_refused, bake, bonebox, expected, folder_with_man, names, read_outputs,
};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{fs, io, thread};

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|data| data.uid() == 0)
}

/// A limit on the size of files replaces a full disk, because it needs no rights.
#[test]
fn a_file_that_cannot_grow() {
    let (folder, expected) = (folder_with_man(), expected());
    assert!(bake(folder.path(), 0).status.success());
    let mut shell = Command::new("sh");
    shell.args(["-c", r#"trap '' XFSZ; ulimit -f 1; exec "$0" bake . --quiet --fit joint-axes"#]);
    let output = shell.arg(env!("CARGO_BIN_EXE_bonebox")).current_dir(folder.path()).output().unwrap();
    assert_refused(&output, &["man.glb", "cannot write", "man.bonebox", "File too large"]);
    assert!(read_outputs(folder.path()) == expected[0]);
    assert_only_outputs(folder.path());
}

/// A limit on the memory of a process ends the bake of a character that needs more, and nothing is damaged.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_is_not_there() {
    let (folder, expected) = (folder_with_man(), expected());
    assert!(bake(folder.path(), 0).status.success());
    let limited = |kibibytes: u32| {
        let script =
            format!(r#"ulimit -c 0; ulimit -d {kibibytes}; exec "$0" bake . --quiet --jobs 1 --fit joint-axes"#);
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_bonebox")]).current_dir(folder.path());
        shell.env("RUST_BACKTRACE", "0").output().unwrap()
    };
    let failed = (10..).map(|steps| limited(100 * steps)).take_while(|output| !output.status.success());
    let mut said = String::new();
    for output in failed {
        assert!(read_outputs(folder.path()) == expected[0], "{output:?}");
        said += &String::from_utf8_lossy(&output.stderr);
    }
    // With too little memory, the program does not even start its thread. With more, it says what it lacked.
    assert!(said.contains("memory allocation of"), "{said}");
    assert!(read_outputs(folder.path()) != expected[0], "with enough memory, the bake succeeds");
    assert_only_outputs(folder.path());
}

/// The kernel kills a process that writes more than the limit on the size of files, in the middle of the write. So each
/// kill of this test hits a write, at another place of one of the two files.
#[test]
fn killed_in_the_middle_of_each_write() {
    const KILLED_BY_THE_LIMIT: i32 = 25;
    let (folder, expected) = (folder_with_man(), expected());
    assert!(bake(folder.path(), 0).status.success());
    let mut cut = Vec::new();
    for blocks in 1.. {
        let mut shell = Command::new("sh");
        shell.args(["-c", r#"ulimit -c 0; ulimit -f $1; exec "$0" bake . --quiet --fit joint-axes"#]);
        shell.arg(env!("CARGO_BIN_EXE_bonebox")).arg(blocks.to_string()).current_dir(folder.path());
        let status = shell.status().unwrap();
        if status.success() {
            break;
        }
        assert_eq!(status.signal(), Some(KILLED_BY_THE_LIMIT), "{blocks} blocks");
        assert!(read_outputs(folder.path()) == expected[0], "a file was replaced before both were complete");
        // The program removed what the kill before this one left.
        let mut parts: Vec<Vec<u8>> = names(folder.path())
            .iter()
            .filter(|name| name.ends_with(".part"))
            .map(|name| fs::read(folder.path().join(name)).unwrap())
            .collect();
        parts.retain(|part| !expected[1].contains(part));
        assert_eq!(parts.len(), 1, "one file is not complete");
        let of = |output: &Vec<u8>| parts[0].len() < output.len() && output.starts_with(&parts[0]);
        cut.push(expected[1].iter().position(of).expect("a part of an output"));
    }
    println!("killed {} times: in file {cut:?}", cut.len());
    assert!([0, 1].iter().all(|which| cut.contains(which)), "each file was hit");
    assert!(read_outputs(folder.path()) == expected[1]);
    assert_only_outputs(folder.path());
}

/// A small file system in memory, if the rights allow it.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<Self> {
        let disk = Self(tempfile::tempdir().unwrap());
        disk.command("mount", &["-t", "tmpfs", "-o", "size=256k", "tmpfs"]).then_some(disk)
    }

    fn command(&self, program: &str, arguments: &[&str]) -> bool {
        let mut command = Command::new(program);
        command.args(arguments).arg(self.0.path()).stderr(Stdio::null()).stdout(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        self.command("umount", &[]);
    }
}

mod needs_mount {
    use super::{
        SmallDisk, assert_only_outputs, assert_refused, bake, bonebox, expected, folder_with_man, read_outputs,
    };
    use std::fs;
    use std::process::Stdio;
    use test_models::{box_limb, box_man};

    #[test]
    #[ignore = "needs the right to mount a file system: cargo xtask ignored mount"]
    fn a_full_disk_and_one_that_turns_read_only() {
        let disk = SmallDisk::mount().expect("the right to mount a file system");
        let (folder, expected) = (disk.0.path(), expected());
        fs::write(folder.join("man.glb"), box_man().to_glb()).unwrap();
        assert!(bake(folder, 0).status.success());
        fs::write(folder.join("ballast"), vec![1; 1 << 20]).unwrap_err();
        let output = bake(folder, 1);
        assert_refused(&output, &["man.glb", "cannot write", "man.bonebox", "No space left"]);
        assert!(read_outputs(folder) == expected[0]);
        fs::remove_file(folder.join("ballast")).unwrap();
        assert_only_outputs(folder);

        assert!(disk.command("mount", &["-o", "remount,ro"]));
        let output = bake(folder, 1);
        assert_refused(&output, &["man.glb", "cannot write", "man.bonebox", "Read-only file system"]);
        assert!(read_outputs(folder) == expected[0]);
        assert!(disk.command("mount", &["-o", "remount,rw"]));
        assert!(bake(folder, 1).status.success());
        assert!(read_outputs(folder) == expected[1]);
    }

    /// What such a store has is still found, and there is one warning for all that cannot be added.
    #[test]
    #[ignore = "needs the right to mount a file system: cargo xtask ignored mount"]
    fn a_store_on_a_full_disk_and_on_one_that_turns_read_only() {
        let disk = SmallDisk::mount().expect("the right to mount a file system");
        let (folder, store) = (folder_with_man(), disk.0.path().join("store"));
        let bake = |out: &str, problem: Option<&str>| {
            let store = store.to_str().unwrap();
            let output = bonebox(folder.path(), &["bake", ".", "--out-dir", out, "--store", store, "--json"])
                .stdout(Stdio::piped())
                .output()
                .unwrap();
            let [out, errors] =
                [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            assert!(output.status.success(), "{errors}");
            assert_eq!(errors.matches("warning:").count(), usize::from(problem.is_some()), "{errors}");
            let told =
                problem.is_none_or(|problem| errors.contains(problem) && errors.contains("nothing more is added"));
            assert!(told, "{errors}");
            let count = |key: &str| out.lines().last().unwrap().contains(key);
            assert_eq!(problem.is_some(), count("\"baked\":2,\"stored\":1"), "{out}");
        };
        bake("out/one", None);
        for name in ["limb.glb", "other.glb"] {
            fs::write(folder.path().join(name), box_limb().to_glb()).unwrap();
        }
        fs::write(disk.0.path().join("ballast"), vec![1; 1 << 20]).unwrap_err();
        bake("out/two", Some("No space left"));
        fs::remove_file(disk.0.path().join("ballast")).unwrap();
        assert!(disk.command("mount", &["-o", "remount,ro"]));
        bake("out/three", Some("Read-only file system"));
        assert!(disk.command("mount", &["-o", "remount,rw"]));
        let stats = bonebox(folder.path(), &["store", "stats", store.to_str().unwrap()])
            .stdout(Stdio::piped())
            .output()
            .unwrap();
        assert!(String::from_utf8_lossy(&stats.stdout).starts_with("1 entry"), "no half-written entry");
    }
}

#[test]
fn a_folder_without_the_right_to_write() {
    const NOBODY: u32 = 65_534;
    let (folder, expected) = (folder_with_man(), expected());
    assert!(bake(folder.path(), 0).status.success());
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    fs::set_permissions(folder.path().join("man.glb"), fs::Permissions::from_mode(0o444)).unwrap();
    // Root may write anywhere, so another user runs a copy of the program in a folder that everyone may enter.
    let programs = tempfile::tempdir().unwrap();
    fs::set_permissions(programs.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let program = programs.path().join("bonebox");
    fs::copy(env!("CARGO_BIN_EXE_bonebox"), &program).unwrap();
    let mut command = Command::new(program);
    command.current_dir(folder.path()).args(BAKES[1]);
    if is_root() {
        command.uid(NOBODY);
    }
    // A test that starts a program on another thread at the time of the copy holds the copy open until that program runs.
    let output = loop {
        match command.output() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => thread::sleep(Duration::from_millis(5)),
            output => break output,
        }
    };
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    assert_refused(&output.unwrap(), &["man.glb", "cannot write", "man.bonebox", "Permission denied"]);
    assert!(read_outputs(folder.path()) == expected[0]);
    assert_only_outputs(folder.path());
}

/// If the reader of our output has gone or its disk is full, the program reports an error and does not crash.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written() {
    let folder = folder_with_man();
    assert!(bake(folder.path(), 0).status.success());
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for arguments in [&["inspect", "man.bonebox"][..], &["inspect", "man.bonebox", "--json"], &["bake", ".", "--force"]]
    {
        let output = bonebox(folder.path(), arguments).stdout(full.try_clone().unwrap()).output().unwrap();
        assert_refused(&output, &["No space left"]);
    }
}
