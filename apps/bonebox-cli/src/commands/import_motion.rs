//! `bonebox import-motion`: adds a BVH recording to a bake as a clip, or to the motions of `bonebox.toml`.

use crate::commands::inspect;
use crate::live::bone_pairs;
use crate::settings_arguments::SettingsArguments;
use crate::settings_file::edit_settings;
use anyhow::Context as _;
use asset_bake::{
    CharacterFile, OutputPaths, SETTINGS_FILE, character_name, folder_of, printable_path, retargeted, shown_path,
};
use bake_settings::{MotionSettings, with_motion};
use bone_fit::Figures;
use mocap::bvh::Motion;
use mocap::{Humanoid, ReferencePose, Rig};
use skeleton::{Clip, printable};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Arguments of `bonebox import-motion`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// BVH file with the motion
    motion: PathBuf,
    /// Asset (.glb, .gltf, .vrm, .fbx) whose character gets the motion
    #[arg(long, value_name = "ASSET")]
    onto: PathBuf,
    /// File to write, NAME.bonebox; NAME.bonebox.json is written beside it [default: add the motion to the bonebox.toml of
    /// the asset, for this and all later bakes]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Name of the clip; it replaces a clip of the asset with the same name [default: the name of the BVH file]
    #[arg(long, value_name = "CLIP")]
    name: Option<String>,
    /// Leave out the asset's own clips, so that coverage is measured only over the motion
    #[arg(long, requires = "out")]
    only: bool,
    /// Overwrite a file that has a clip of another recording
    #[arg(long, requires = "out")]
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
    let Some(out_file) = &arguments.out else { return add_to_settings(arguments) };
    let place = || printable_path(file);
    anyhow::ensure!(
        asset_bake::is_baked_file(out_file),
        "the output file {} does not end in .bonebox; choose a name such as walk.bonebox",
        printable_path(out_file)
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
    let pairs = bone_pairs(&arguments.bones)?;
    let bones: Vec<(&str, &str)> = pairs.iter().map(|(bone, joint)| (bone.as_str(), joint.as_str())).collect();
    let clip = retargeted(&motion, &bones, &model.skeleton, &mut target, &name);
    let clip = clip.map_err(anyhow::Error::msg).with_context(place)?;
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
    let outputs = OutputPaths::of_binary(out_file.clone());
    let character = outputs.write_with_added_clip(character, &name, arguments.force)?;

    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{}: clip {} of {} frames, {seconds:.3} s, with {} other clips",
        printable_path(out_file),
        printable(&name),
        motion.frame_count(),
        character.clips.len() - 1
    )?;
    if attacks > 0 {
        writeln!(out, "{attacks} attacks and states of clips that were left out are not in the file")?;
    }
    inspect::print_coverage(&mut out, &character, &Figures::of_bake(&character))
}

/// Adds the recording to the motions of the asset's settings file. The file is not changed if a bake with the motion would
/// fail.
fn add_to_settings(arguments: &Arguments) -> anyhow::Result<()> {
    let (motion, asset) = (&arguments.motion, &arguments.onto);
    let opened = CharacterFile::open(asset)?;
    let character = character_name(asset);
    // A list of motions replaces those of files above, so the entry joins the list that applies.
    let files = arguments.settings.requested.read_files(asset)?;
    let list = files.iter().rev().find(|(_, settings)| settings.sets_motions(&character)).or(files.last());
    let file = list.map_or_else(|| folder_of(asset).join(SETTINGS_FILE), |(file, _)| file.clone());
    let path = path_below(motion, folder_of(&file)).with_context(|| {
        format!(
            "{} is not in the folder of {} or below it; copy it there, or bake it into another file with -o",
            printable_path(motion),
            shown_path(&file)
        )
    })?;
    let own = character_name(motion);
    let rename = arguments.name.iter().filter(|name| **name != own).map(|name| (own.clone(), name.clone())).collect();
    let name = arguments.name.clone().unwrap_or(own);
    let replace = opened.model().is_some_and(|model| model.clips.iter().any(|clip| clip.name == name));
    let bones = bone_pairs(&arguments.bones)?;
    let settings = MotionSettings { files: vec![path], rename, bones, replace, ..MotionSettings::default() };
    // A bake finds out whether the motion fits.
    let before = std::fs::read_to_string(&file).ok();
    edit_settings(&file, |text| with_motion(text, &character, &settings))?;
    if let Err(error) = opened.bake(&arguments.settings.requested.with_options(&[("measure", "none")])?) {
        match &before {
            Some(before) => asset_bake::replace_file(&file, before.as_bytes())?,
            None => std::fs::remove_file(&file).with_context(|| shown_path(&file))?,
        }
        return Err(anyhow::Error::from(error).context("the motion was not added"));
    }
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{}: bakes of {} have the clip {} from now on; run `bonebox bake {}`",
        shown_path(&file),
        printable(&character),
        printable(&name),
        printable_path(asset)
    )?;
    Ok(())
}

/// The path of a file relative to a folder that contains it, with `/` between names.
fn path_below(file: &Path, folder: &Path) -> anyhow::Result<String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (file, folder) = (file.canonicalize()?, folder.canonicalize()?);
    let below = file.strip_prefix(folder)?;
    let names: Option<Vec<&str>> = below.iter().map(|name| name.to_str()).collect();
    Ok(names.context("the path is not UTF-8")?.join("/"))
}
