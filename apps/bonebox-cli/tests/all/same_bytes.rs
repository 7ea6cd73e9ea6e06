//! Tests that the same input gives the same bytes with any number of threads, any kernel, profile, locale, time zone,
//! folder and processor.
//!
//! The hashes are BLAKE3, checked in as text, and are the same in debug and release builds. They change when bakes
//! change:
//! `INSTA_UPDATE=always cargo test -p bonebox-cli --test all same_bytes` updates them, and the commit says why.

use glam::Affine3A;
use runtime::kernels::Kernel;
use runtime::{Character, ClipSampler, LoopMode, PosedCharacter};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use test_models::{box_limb, box_man};

fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").canonicalize().unwrap()
}

/// The authored characters and made-up characters.
fn sources() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["bruno.glb", "hound.glb", "runa.glb"] {
        fs::copy(assets().join(name), folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("limb.glb"), box_limb().to_glb()).unwrap();
    fs::write(folder.path().join("man.gltf"), box_man().to_gltf().to_embedded()).unwrap();
    folder
}

/// The program, run by the emulator that `cargo xtask aarch64` uses.
fn bonebox() -> Command {
    let emulator = std::env::var("BONEBOX_EMULATOR").unwrap_or_default();
    let mut words = emulator.split_whitespace().chain([env!("CARGO_BIN_EXE_bonebox")]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words);
    command
}

/// Lines of `hash  name` for all files in the folder with this ending.
fn hashes(folder: &Path) -> String {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.to_str().unwrap().contains(".bonebox"));
    paths.sort();
    let mut lines = String::new();
    for path in paths {
        let hash = blake3::hash(&fs::read(&path).unwrap());
        writeln!(lines, "{hash}  {}", path.file_name().unwrap().to_str().unwrap()).unwrap();
    }
    lines
}

#[test]
fn bakes() {
    let (sources, elsewhere) = (sources(), tempfile::tempdir().unwrap());
    let source = sources.path().to_str().unwrap();
    type Setting<'a> = (&'a str, &'a Path, &'a str, &'a [(&'a str, &'a str)]);
    let settings: [Setting<'_>; 4] = [
        ("1", sources.path(), ".", &[]),
        ("2", sources.path(), ".", &[("LC_ALL", "C"), ("TZ", "UTC")]),
        ("8", sources.path(), ".", &[("RAYON_NUM_THREADS", "3")]),
        (
            "2",
            elsewhere.path(),
            source,
            &[("LANG", "tr_TR.UTF-8"), ("LC_ALL", "tr_TR.UTF-8"), ("TZ", "Asia/Kathmandu")],
        ),
    ];
    let found = settings.map(|(jobs, folder, source, variables)| {
        let out = tempfile::tempdir().unwrap();
        let mut command = bonebox();
        command.current_dir(folder).args(["bake", source, "--quiet", "--jobs", jobs, "-o"]).arg(out.path());
        assert!(command.envs(variables.iter().copied()).status().unwrap().success());
        hashes(out.path())
    });
    for (setting, hashes) in settings.iter().zip(&found) {
        assert_eq!(hashes, &found[0], "{setting:?}");
    }
    insta::assert_snapshot!("bakes", found[0]);
}

/// The results that a game would see: the touches in each tick of every pair of clips, and the positions of the boxes.
fn duel(a: &Character, b: &Character, kernel: Kernel) -> blake3::Hash {
    const FPS: f32 = 30.0;
    let (mut posed, mut pairs) = ([(); 2].map(|()| PosedCharacter::with_kernel(kernel)), Vec::new());
    let mut sampler = ClipSampler::with_kernel(kernel);
    let places = [Affine3A::IDENTITY, page_answers::duel::opposite(0.7, 15.0)];
    let mut hasher = blake3::Hasher::new();
    let clips = |character: &Character| character.clips().len().max(1) as u32;
    for (of_a, of_b) in (0..clips(a)).flat_map(|of_a| (0..clips(b)).map(move |of_b| (of_a, of_b))) {
        let seconds =
            |character: &Character, clip: u32| character.clips().get(clip as usize).map_or(0.0, |clip| clip.seconds());
        let ticks = (seconds(a, of_a).max(seconds(b, of_b)) * FPS) as u32;
        for tick in 0..=ticks {
            for (side, (character, clip)) in [(a, of_a), (b, of_b)].into_iter().enumerate() {
                match character.clips().get(clip as usize) {
                    Some(playing) => {
                        let time = LoopMode::Loop.clip_time(playing, (tick as f32 / FPS).into());
                        let clip = runtime::ClipIndex(clip);
                        posed[side].pose_from_clip(&mut sampler, character, &places[side], clip, time).unwrap();
                    }
                    None => posed[side].pose_from_rest(character, &places[side]).unwrap(),
                }
                for one in posed[side].boxes() {
                    let numbers = [one.center.to_array(), one.half_extents.to_array()].concat();
                    numbers.iter().chain(&one.axes.to_cols_array()).for_each(|number| {
                        hasher.update(&number.to_bits().to_le_bytes());
                    });
                }
            }
            runtime::overlapping_joints(&posed[0], &posed[1], &mut pairs);
            hasher.update(&(pairs.len() as u32).to_le_bytes());
            for pair in &pairs {
                hasher.update(&pair.joint_a.0.to_le_bytes()).update(&pair.joint_b.0.to_le_bytes());
            }
        }
    }
    hasher.finalize()
}

#[test]
fn duels() {
    let load = |name: &str| Character::load(&fs::read(assets().join(name)).unwrap()).unwrap();
    let [bruno, hound, runa] = ["bruno.bonebox", "hound.bonebox", "runa.bonebox"].map(load);
    let mut lines = String::new();
    for (name, a, b) in [("bruno runa", &bruno, &runa), ("runa hound", &runa, &hound), ("hound hound", &hound, &hound)]
    {
        let by_kernel: Vec<_> = Kernel::available().map(|kernel| (kernel, duel(a, b, kernel))).collect();
        for (kernel, hash) in &by_kernel {
            assert_eq!(hash, &by_kernel[0].1, "{name}: {kernel:?} and {:?}", by_kernel[0].0);
        }
        writeln!(lines, "{}  {name}", by_kernel[0].1).unwrap();
    }
    insta::assert_snapshot!("duels", lines);
}
