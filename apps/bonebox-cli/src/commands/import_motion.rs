//! `bonebox import-motion`: adds a BVH recording to a bake as a clip.

use crate::commands::inspect;
use crate::live::bone_pairs;
use crate::settings_arguments::SettingsArguments;
use anyhow::Context as _;
use asset_bake::{CharacterFile, OutputPaths, character_name, printable_path};
use bone_fit::Figures;
use mocap::bvh::Motion;
use mocap::{ClipRecorder, HumanPose, Humanoid, ReferencePose, Rig};
use skeleton::{Clip, Skeleton, printable};
use std::io::Write as _;
use std::path::PathBuf;

/// Arguments of `bonebox import-motion`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// BVH file with the motion
    motion: PathBuf,
    /// Asset (.glb, .gltf, .vrm) whose character gets the motion
    #[arg(long, value_name = "ASSET")]
    onto: PathBuf,
    /// File to write, NAME.bonebox; NAME.bonebox.json is written beside it
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Name of the clip; it replaces a clip of the asset with the same name [default: the name of the BVH file]
    #[arg(long, value_name = "CLIP")]
    name: Option<String>,
    /// Leave out the asset's own clips, so that coverage is measured only over the motion
    #[arg(long)]
    only: bool,
    /// Overwrite a file that has a clip of another recording
    #[arg(long)]
    force: bool,
    /// Use JOINT of the BVH file as the bone BONE of VRM 1.0's humanoid, such as leftHand=LWrist; may be repeated
    /// [default: guess from joint names]
    #[arg(long = "bone", value_name = "BONE=JOINT")]
    bones: Vec<String>,
    #[command(flatten)]
    settings: SettingsArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (file, asset) = (&arguments.motion, &arguments.onto);
    let place = || printable_path(file);
    anyhow::ensure!(
        asset_bake::is_baked_file(&arguments.out),
        "the output file {} does not end in .bonebox; choose a name such as walk.bonebox",
        printable_path(&arguments.out)
    );
    let text = std::fs::read(file).with_context(place)?;
    let motion = Motion::parse(&text).with_context(place)?;
    let CharacterFile::Asset { blake3, mut model, .. } = CharacterFile::open(asset)? else {
        anyhow::bail!(
            "{}: a baked file has no surface to measure coverage on; give the asset instead",
            printable_path(asset)
        )
    };
    let mut settings = arguments.settings.requested.for_asset(asset)?;
    let humanoid = match settings.humanoid(&model)? {
        Some(humanoid) => humanoid,
        None => Humanoid::guess(&model.skeleton).with_context(|| {
            format!(
                "{} is not a humanoid; assign joints to its bones in the section [humanoid] of bonebox.toml",
                printable_path(asset)
            )
        })?,
    };
    let name = arguments.name.clone().unwrap_or_else(|| character_name(file));
    let target = Rig::new(&model.skeleton, &humanoid, ReferencePose::default_for(&humanoid));
    let mut target = target.with_context(|| printable_path(asset))?;
    let clip = retargeted(&motion, &arguments.bones, &model.skeleton, &mut target, &name).with_context(place)?;
    let seconds = clip.seconds();
    let (kept, left_out): (Vec<Clip>, Vec<Clip>) =
        std::mem::take(&mut model.clips).into_iter().partition(|own| !arguments.only && own.name != name);
    model.clips = kept;
    let left_out: Vec<String> = left_out.into_iter().map(|own| own.name).filter(|own| *own != name).collect();
    let attacks = settings.leave_out_clips(&left_out);
    model.clips.push(clip);

    // The bake depends on both files. If it had the asset's own hash, a later bake of the asset would count as
    // unchanged.
    let mut hasher = blake3::Hasher::new();
    hasher.update(&blake3).update(&text);
    let source = asset.file_name().unwrap_or_default().to_string_lossy();
    let character = settings.bake(&model, &source, *hasher.finalize().as_bytes())?.character;
    let broken = settings.limits().broken(&character);
    anyhow::ensure!(broken.is_empty(), "no file was written: {}", broken.join("; "));
    let outputs = OutputPaths::of_binary(arguments.out.clone());
    let character = outputs.write_with_added_clip(character, &name, arguments.force)?;

    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{}: clip {} of {} frames, {seconds:.3} s, with {} other clips",
        printable_path(&arguments.out),
        printable(&name),
        motion.frame_count(),
        character.clips.len() - 1
    )?;
    if attacks > 0 {
        writeln!(out, "{attacks} attacks and states of clips that were left out are not in the file")?;
    }
    inspect::print_coverage(&mut out, &character, &Figures::of_bake(&character))
}

/// Converts the motion to a clip of another skeleton.
fn retargeted(
    motion: &Motion,
    bones: &[String],
    skeleton: &Skeleton,
    target: &mut Rig,
    name: &str,
) -> anyhow::Result<Clip> {
    let recorded = motion.skeleton();
    let pairs = bone_pairs(bones)?;
    let list = pairs.iter().map(|(bone, joint)| (bone.as_str(), joint.as_str()));
    let humanoid = Humanoid::guess_with(&recorded, list)
        .context("the recording is not a humanoid; assign joints with --bone BONE=JOINT")?;
    let mut source = Rig::new(&recorded, &humanoid, ReferencePose::TPose)?;
    let (mut pose, mut local, mut there) = (HumanPose::T_POSE, recorded.rest_pose(), skeleton.rest_pose());
    let mut recorder = ClipRecorder::new(skeleton);
    for frame in 0..motion.frame_count() {
        motion.pose(frame, &mut local);
        source.human_pose_from_local(&local, &mut pose);
        target.local_from_human_pose(&pose, &mut there);
        recorder.push(&there);
    }
    recorder
        .finish(name, motion.seconds_per_frame())
        .context("the recording has no frames, or its frames are too close together for a clip; record again, or correct its frame time")
}
