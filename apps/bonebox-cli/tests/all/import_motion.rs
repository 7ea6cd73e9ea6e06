//! Tests `bonebox import-motion`, which adds a recording to a bake as a clip.

use crate::program::{bonebox, told};
use glam::{Affine3A, Quat};
use skeleton::{Clip, Skeleton};
use std::fs;
use std::path::Path;

fn asset(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name).to_str().unwrap().to_owned()
}

fn pose(skeleton: &Skeleton, clip: &Clip, seconds: f32) -> Vec<Affine3A> {
    let (mut local, mut model) = (skeleton.rest_pose(), vec![Affine3A::IDENTITY; skeleton.len()]);
    clip.sample(clip.start() + seconds, &mut local);
    skeleton.model_from_joints(&local, &mut model);
    model
}

/// Runa's walk as BVH, imported onto Runa, equals her walk.
#[test]
fn a_recording_becomes_a_clip_and_coverage_is_measured_over_it() {
    let folder = tempfile::tempdir().unwrap();
    let (motion, runa) = (asset("motion/runa_walk.bvh"), asset("runa.glb"));
    let scene = ["import-motion", &motion, "--onto", &runa, "-o", "out.bonebox", "--name", "stroll", "--only"];
    let output = bonebox(folder.path(), &scene);
    assert!(output.status.success(), "{}", told(&output));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        said.starts_with("out.bonebox: clip stroll of 34 frames, 1.100 s, with 0 other clips\n6 attacks and states of clips that were left out are not in the file\nskin inside"),
        "{said}"
    );

    let baked = baked_format::read(&fs::read(folder.path().join("out.bonebox")).unwrap()).unwrap();
    assert_eq!(fs::read_to_string(folder.path().join("out.bonebox.json")).unwrap(), baked_format::to_json(&baked));
    let original = baked_format::read(&fs::read(asset("runa.bonebox")).unwrap()).unwrap();
    assert_eq!((baked.name.as_str(), &baked.humanoid), ("runa", &original.humanoid));
    assert_ne!(baked.source.blake3, original.source.blake3, "a later bake of the asset must not count it as unchanged");
    let coverage = baked.coverage.as_ref().unwrap();
    assert!(coverage.surface_clips > 0.9, "{coverage:?}");
    let [stroll] = &baked.clips[..] else { panic!("one clip") };
    let walk = original.clips.iter().find(|clip| clip.name == "walk").unwrap();
    let (mut turned, mut moved) = (0.0_f32, 0.0_f32);
    for frame in 0..34 {
        let seconds = frame as f32 / 30.0;
        let (found, expected) = (pose(&baked.skeleton, stroll, seconds), pose(&original.skeleton, walk, seconds));
        for (found, expected) in found.iter().zip(&expected) {
            let rotation = |joint: &Affine3A| Quat::from_mat3a(&joint.matrix3).as_dquat().normalize();
            let degrees = rotation(found).angle_between(rotation(expected)).to_degrees();
            turned = turned.max(degrees as f32);
            moved = moved.max((found.translation - expected.translation).length());
        }
    }
    println!("{turned} degrees, {moved} m");
    assert!(turned < 0.05 && moved < 1e-3, "{turned} degrees, {moved} m");
}

/// A clip that was added stays until someone asks for its removal. A clip that the asset has lost is no added clip.
#[test]
fn a_bake_does_not_remove_an_added_clip_unasked() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(asset("runa.glb"), folder.path().join("runa.glb")).unwrap();
    let motion = asset("motion/runa_walk.bvh");
    let clips = || {
        let bytes = fs::read(folder.path().join("runa.bonebox")).unwrap();
        let clips = baked_format::read(&bytes).unwrap().clips;
        clips.into_iter().map(|clip| clip.name).collect::<Vec<_>>()
    };
    let run = |arguments: &[&str]| {
        let output = bonebox(folder.path(), &[arguments, &["--measure", "none"]].concat());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let import = |name: &str, more: &[&str]| {
        let import = ["import-motion", &motion, "--onto", "runa.glb", "-o", "runa.bonebox", "--name", name];
        run(&[&import[..], more].concat())
    };
    assert_eq!(run(&["bake", "runa.glb", "--quiet"]), (Some(0), String::new()));
    let own = clips();
    assert_eq!(import("stroll", &[]).0, Some(0), "an ordinary bake may be replaced");
    let with_stroll = clips();
    assert!(with_stroll.contains(&"stroll".to_owned()) && with_stroll.len() == own.len() + 1);
    for arguments in [&["bake", "runa.glb", "--quiet"][..], &["bake", ".", "--quiet", "--check"]] {
        let (code, error) = run(arguments);
        assert!(
            code == Some(1) && error.contains("has the clip \"stroll\", which `bonebox import-motion` added"),
            "{error}"
        );
        assert_eq!(clips(), with_stroll);
    }
    let (code, error) = import("march", &[]);
    assert!(code == Some(1) && error.contains("\"stroll\"") && error.contains("--force"), "{error}");
    assert_eq!(import("stroll", &[]).0, Some(0), "the same clip again");
    assert_eq!(import("march", &["--force"]).0, Some(0));
    assert!(clips().contains(&"march".to_owned()) && clips().len() == own.len() + 1);
    assert_eq!(run(&["bake", "runa.glb", "--quiet", "--force"]).0, Some(0));
    assert_eq!(clips(), own);

    // The stored bake has clips that the new asset lacks.
    fs::write(folder.path().join("runa.glb"), test_models::box_man().to_glb()).unwrap();
    assert_eq!(run(&["bake", "runa.glb", "--quiet"]), (Some(0), String::new()));
    assert_ne!(clips(), own);
}

/// Without -o, the motion goes into the settings file, and every later bake has it.
#[test]
fn a_motion_in_the_settings_file_stays_in_later_bakes() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::copy(asset("runa.glb"), at("runa.glb")).unwrap();
    fs::create_dir(at("mocap")).unwrap();
    fs::copy(asset("motion/runa_walk.bvh"), at("mocap/runa_walk.bvh")).unwrap();
    let settings = "# ours\nmeasure = \"none\"\n";
    fs::write(at("bonebox.toml"), settings).unwrap();
    let run = |arguments: &[&str]| {
        let output = bonebox(folder.path(), arguments);
        (output.status.code(), told(&output))
    };
    let refused = run(&["import-motion", "mocap/runa_walk.bvh", "--onto", "runa.glb", "--bone", "leftHand=paw"]);
    assert!(refused.0 == Some(1) && refused.1.contains("the motion was not added"), "{refused:?}");
    assert_eq!(fs::read_to_string(at("bonebox.toml")).unwrap(), settings);
    let outside = run(&["import-motion", &asset("motion/runa_walk.bvh"), "--onto", "runa.glb"]);
    assert!(outside.0 == Some(1) && outside.1.contains("is not in the folder of bonebox.toml"), "{outside:?}");

    let added = run(&["import-motion", "mocap/runa_walk.bvh", "--onto", "runa.glb", "--name", "stroll"]);
    assert!(added.0 == Some(0) && added.1.contains("have the clip stroll from now on"), "{added:?}");
    let expected = "# ours\nmeasure = \"none\"\n\n[characters.runa]\nmotions = [\n    { files = \"mocap/runa_walk.bvh\", rename = { runa_walk = \"stroll\" } },\n]\n";
    assert_eq!(fs::read_to_string(at("bonebox.toml")).unwrap(), expected);
    for arguments in
        [&["bake", "runa.glb", "--quiet"][..], &["bake", ".", "--quiet", "--force"], &["bake", ".", "--check"]]
    {
        assert_eq!(run(arguments).0, Some(0), "{arguments:?}");
        let clips = baked_format::read(&fs::read(at("runa.bonebox")).unwrap()).unwrap().clips;
        assert_eq!(clips.last().unwrap().name, "stroll");
    }
}

#[test]
fn recordings_that_cannot_be_imported_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.bvh"), "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 0 x\n").unwrap();
    let (motion, hound, runa) = (asset("motion/runa_walk.bvh"), asset("hound.glb"), asset("runa.glb"));
    let error = |arguments: &[&str]| {
        let output = bonebox(folder.path(), &[&["import-motion"], arguments].concat());
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    let told = [
        (error(&[&motion, "--onto", &hound, "-o", "a.bonebox"]), "is not a humanoid"),
        (error(&[&motion, "--onto", &runa, "-o", "a.glb"]), "the output file a.glb does not end in .bonebox"),
        (
            error(&["bad.bvh", "--onto", &runa, "-o", "a.bonebox"]),
            "bad.bvh: the BVH text is wrong at line 4, column 14",
        ),
        (error(&[&motion, "--onto", &asset("runa.bonebox"), "-o", "a.bonebox"]), "give the asset instead"),
        (error(&[&motion, "--onto", &runa, "-o", "a.bonebox", "--bone", "leftHand=paw"]), "the joint \"paw\""),
    ];
    for (error, part) in told {
        assert!(error.contains(part), "{error}");
    }
    assert!(!folder.path().join("a.bonebox").exists());
}
