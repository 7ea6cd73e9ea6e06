//! Outputs that another process holds open, as Windows has them.

use super::{OUTPUTS, assert_only_outputs, assert_refused, bake, expected, folder_with_man, read_outputs};
use std::fs::{File, OpenOptions};
use std::os::windows::fs::OpenOptionsExt as _;
use std::path::Path;

/// The output, opened for reading by this process, with what others may do to it meanwhile.
fn hold(folder: &Path, name: &str, share_mode: u32) -> File {
    OpenOptions::new().read(true).share_mode(share_mode).open(folder.join(name)).unwrap()
}

/// C's `fopen` and most engines let others read and write a file that they have open, but not replace it.
#[test]
fn an_output_that_may_not_be_replaced() {
    const FILE_SHARE_READ_AND_WRITE: u32 = 3;
    let (folder, expected) = (folder_with_man(), expected());
    assert!(bake(folder.path(), 0).status.success());
    let held = hold(folder.path(), OUTPUTS[0], FILE_SHARE_READ_AND_WRITE);
    let output = bake(folder.path(), 1);
    assert_refused(&output, &["man.glb", "cannot write", "man.bonebox", "another program may have the file open"]);
    assert!(read_outputs(folder.path()) == expected[0]);
    assert_only_outputs(folder.path());
    drop(held);
    assert!(bake(folder.path(), 1).status.success());
    assert!(read_outputs(folder.path()) == expected[1]);
    assert_only_outputs(folder.path());
}

/// Rust's `File::open` lets others replace the file. Windows 10 then replaces it; older systems, and Wine 8, refuse.
#[test]
fn an_output_that_may_be_replaced() {
    const FILE_SHARE_ALL: u32 = 7;
    let (folder, expected) = (folder_with_man(), expected());
    assert!(bake(folder.path(), 0).status.success());
    let held = OUTPUTS.map(|name| hold(folder.path(), name, FILE_SHARE_ALL));
    let output = bake(folder.path(), 1);
    let found = read_outputs(folder.path());
    if output.status.success() {
        assert!(found == expected[1]);
    } else {
        assert_refused(&output, &["man.glb", "cannot write", "man.bonebox", "another program may have the file open"]);
        assert!(found == expected[0]);
    }
    drop(held);
    assert_only_outputs(folder.path());
}
