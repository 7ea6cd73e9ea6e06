//! Many characters and many machines: trees of outputs, shares, ignore files, the store and keys, as docs/studio.md tells.

use crate::program::{bonebox, told};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use test_models::{box_limb, box_man};

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
