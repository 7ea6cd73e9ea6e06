//! Exports of files that name other files, and of files with a byte order mark.

use crate::program::{bonebox, told};
use serde_json::json;
use std::fs;
use std::path::Path;
use test_models::{Gltf, box_man};

/// A man whose buffer and textures are files of their own. The export keeps images that are data or that other hosts
/// have.
fn man_with_files(folder: &Path) -> Gltf {
    let mut man = box_man().to_gltf();
    for uri in ["textures/skin%20color.png", "data:image/png;base64,AAAA", "https://example.invalid/sky.png"] {
        man.push("images", json!({ "uri": uri }));
    }
    write(folder, "man.gltf", man.to_separate("man.bin").as_bytes());
    write(folder, "man.bin", &man.bin);
    write(folder, "textures/skin color.png", b"a picture");
    man
}

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Runs `bonebox export` with these words, and returns its exit code and texts.
fn export(folder: &Path, words: &[&str]) -> String {
    told(&bonebox(folder, &[&["export"], words].concat()))
}

#[test]
fn an_export_to_another_folder_has_its_buffers_and_textures() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    man_with_files(&at("source"));
    fs::create_dir(at("out")).unwrap();
    let beside = export(folder.path(), &["source/man.gltf", "--to", "omi"]);
    assert!(beside.starts_with("exit code 0"), "{beside}");
    let elsewhere = export(folder.path(), &["source/man.gltf", "--to", "omi", "-o", "out"]);
    assert!(elsewhere.starts_with("exit code 0"), "{elsewhere}");
    assert_eq!(fs::read(at("out/man.omi.gltf")).unwrap(), fs::read(at("source/man.omi.gltf")).unwrap());
    assert_eq!(fs::read(at("out/man.bin")).unwrap(), fs::read(at("source/man.bin")).unwrap());
    assert_eq!(fs::read(at("out/textures/skin color.png")).unwrap(), b"a picture");
    assert!(elsewhere.contains("copied out/man.bin") && elsewhere.contains("skin color.png"), "{elsewhere}");
    // The export is complete: it bakes to the hitboxes of its source.
    let bake = bonebox(folder.path(), &["bake", "out/man.omi.gltf", "--quiet"]);
    assert!(bake.status.success(), "{}", told(&bake));

    // The same export again finds its copies, and changes no other file.
    let again = export(folder.path(), &["source/man.gltf", "--to", "omi", "-o", "out"]);
    assert!(again.starts_with("exit code 0") && !again.contains("copied"), "{again}");
    write(folder.path(), "out/man.bin", b"of another character");
    fs::remove_file(at("out/man.omi.gltf")).unwrap();
    let refused = export(folder.path(), &["source/man.gltf", "--to", "omi", "-o", "out"]);
    assert!(refused.contains("out/man.bin exists and differs from source/man.bin, which"), "{refused}");
    assert_eq!(fs::read(at("out/man.bin")).unwrap(), b"of another character");
    assert!(!at("out/man.omi.gltf").exists(), "{refused}");
    let forced = export(folder.path(), &["source/man.gltf", "--to", "omi", "-o", "out", "--force"]);
    assert!(forced.starts_with("exit code 0"), "{forced}");
    assert_eq!(fs::read(at("out/man.bin")).unwrap(), fs::read(at("source/man.bin")).unwrap());
}

#[test]
fn an_export_that_would_miss_a_file_is_refused_in_another_folder() {
    for (uri, expected) in [
        ("missing.png", "does not exist"),
        ("../outside.png", "\"..\""),
        (".bashrc", "begins with a dot"),
        ("textures/.hidden/a.png", "begins with a dot"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mut man = man_with_files(&at("source"));
        for name in ["outside.png", "source/.bashrc", "source/textures/.hidden/a.png"] {
            write(folder.path(), name, b"something");
        }
        man.push("images", json!({ "uri": uri }));
        write(&at("source"), "man.gltf", man.to_separate("man.bin").as_bytes());
        fs::create_dir(at("out")).unwrap();
        let refused = export(folder.path(), &["source/man.gltf", "--to", "wire", "-o", "out"]);
        assert!(refused.starts_with("exit code 1"), "{refused}");
        assert!(refused.contains(uri) && refused.contains(expected), "{refused}");
        assert_eq!(fs::read_dir(at("out")).unwrap().count(), 0, "{refused}");
        // Beside its source, the export misses no more than its source.
        let beside = export(folder.path(), &["source/man.gltf", "--to", "wire"]);
        assert!(beside.starts_with("exit code 0"), "{beside}");
        // Forms without the mesh name no files.
        let text = export(folder.path(), &["source/man.gltf", "--to", "ron", "-o", "out"]);
        assert!(text.starts_with("exit code 0"), "{text}");
    }
}

/// The other forms of ragdolls read the asset, and need a bake with a ragdoll too.
#[test]
fn a_ragdoll_in_gltf_or_usd_is_exported_if_the_bake_has_one() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "man.glb", &box_man().to_glb());
    for (form, file) in
        [("usda", "man.usda"), ("khr-ragdoll", "man.khr-ragdoll.glb"), ("omi-ragdoll", "man.omi-ragdoll.glb")]
    {
        write(folder.path(), "bonebox.toml", b"");
        let refused = export(folder.path(), &["man.glb", "--to", form]);
        assert!(refused.starts_with("exit code 1") && refused.contains("bake with `ragdoll = true`"), "{refused}");
        write(folder.path(), "bonebox.toml", b"ragdoll = true\n");
        for _ in 0..2 {
            let told = export(folder.path(), &["man.glb", "--to", form]);
            assert!(told.starts_with("exit code 0") && told.contains(&format!("{file}: 11 bodies")), "{told}");
        }
    }
}

/// The default folder is that of the baked file, which may not be the asset's.
#[test]
fn an_export_beside_a_baked_file_has_its_buffers_too() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    man_with_files(&at("source"));
    let bake = bonebox(folder.path(), &["bake", "source", "-o", "bakes", "--quiet"]);
    assert!(bake.status.success(), "{}", told(&bake));
    let told = export(folder.path(), &["bakes/man.bonebox", "--model", "source/man.gltf", "--to", "khr"]);
    assert!(told.starts_with("exit code 0"), "{told}");
    assert!(at("bakes/man.khr.gltf").is_file() && at("bakes/man.bin").is_file(), "{told}");
}

#[test]
fn a_file_with_a_byte_order_mark_can_be_exported_and_its_export_is_recognized() {
    let folder = tempfile::tempdir().unwrap();
    let man = box_man().to_gltf().to_embedded();
    write(folder.path(), "man.gltf", &[b"\xEF\xBB\xBF", man.as_bytes()].concat());
    for form in ["omi", "wire"] {
        let told = export(folder.path(), &["man.gltf", "--to", form]);
        assert!(told.starts_with("exit code 0"), "{told}");
    }
    // glTF allows no byte order mark, so an export has none; but an editor may write one.
    let omi = fs::read(folder.path().join("man.omi.gltf")).unwrap();
    assert!(omi.starts_with(b"{"));
    write(folder.path(), "man.omi.gltf", &[b"\xEF\xBB\xBF", &omi[..]].concat());
    let bake = told(&bonebox(folder.path(), &["bake", ".", "--quiet"]));
    assert!(bake.starts_with("exit code 0"), "{bake}");
    assert!(!folder.path().join("man.omi.bonebox").exists(), "{bake}");
}

/// A ragdoll needs no glTF, and an export of it is recognized as such.
#[test]
fn a_ragdoll_is_exported_if_the_bake_has_one() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "man.glb", &box_man().to_glb());
    let refused = export(folder.path(), &["man.glb", "--to", "mjcf"]);
    assert!(refused.contains("\"man\" has no ragdoll; bake with `ragdoll = true` in bonebox.toml"), "{refused}");
    assert!(!folder.path().join("man.mjcf.xml").exists());

    write(folder.path(), "bonebox.toml", b"ragdoll = true\n");
    let bake = bonebox(folder.path(), &["bake", "man.glb", "--quiet"]);
    assert!(bake.status.success(), "{}", told(&bake));
    fs::remove_file(folder.path().join("man.glb")).unwrap();
    for (form, file) in [("mjcf", "man.mjcf.xml"), ("urdf", "man.urdf"), ("ragdoll", "man.ragdoll.json")] {
        for _ in 0..2 {
            let told = export(folder.path(), &["man.bonebox", "--to", form]);
            assert!(told.starts_with("exit code 0") && told.contains(" bodies"), "{told}");
        }
        let first = fs::read(folder.path().join(file)).unwrap();
        let other = if form == "mjcf" { "urdf" } else { "mjcf" };
        let refused = export(folder.path(), &["man.bonebox", "--to", other, "-o", file]);
        let is = format!("is an export of man.glb to {form}; no file was written");
        assert!(refused.contains(&is), "{refused}");
        assert_eq!(fs::read(folder.path().join(file)).unwrap(), first);
    }
}
