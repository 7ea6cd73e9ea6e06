//! Recordings of clips, as a body tracker and a motion capture program would have made them.

use anyhow::{Context as _, Result};
use mocap::bvh::Motion;
use mocap::packet_log::{self, Entry};
use mocap::vmc::{Performer, PerformerSettings};
use mocap::{HumanPose, Humanoid, ReferencePose, Rig};
use skinned_model::{NoExternalFiles, SkinnedModel, import};

/// Frames and poses a second.
const RATE: f32 = 30.0;

/// Characters of `assets/`, their clips that are written as BVH, and those that are written as packets.
pub const RECORDED: [(&str, &[&str], &[&str]); 2] = [("runa", &["jab", "walk"], &["jab"]), ("bruno", &["jab"], &[])];

/// The recordings of one character: file names and bytes, from the bytes of its `.glb` file.
///
/// For each clip of `bvh` there is `NAME_CLIP.bvh`, and for each clip of `vmc` there is `NAME_CLIP.packets`: what the
/// character sends while it plays the clip once, as a packet log with a tick after each pose.
///
/// # Errors
/// Bytes that are no character, a clip that does not exist, a character that is no human.
pub fn recordings(name: &str, glb: &[u8], bvh: &[&str], vmc: &[&str]) -> Result<Vec<(String, Vec<u8>)>> {
    let model = import(glb, &NoExternalFiles)?;
    let mut files = Vec::new();
    for clip in bvh {
        let motion = Motion::sample(&model.skeleton, find(&model, clip)?, RATE)?;
        files.push((format!("{name}_{clip}.bvh"), motion.to_text().into_bytes()));
    }
    for clip in vmc {
        files.push((format!("{name}_{clip}.packets"), packets(&model, clip)?));
    }
    Ok(files)
}

fn packets(model: &SkinnedModel, clip: &str) -> Result<Vec<u8>> {
    let clip = find(model, clip)?;
    let humanoid = Humanoid::guess(&model.skeleton)?;
    let mut rig = Rig::new(&model.skeleton, &humanoid, ReferencePose::usual(&humanoid))?;
    let mut performer = Performer::new(PerformerSettings::default(), &rig);
    let (mut local, mut pose) = (model.skeleton.rest_pose(), HumanPose::T_POSE);
    let mut log = packet_log::HEADER.to_vec();
    for frame in 0..=(clip.seconds() * RATE) as u32 {
        let time = frame as f32 / RATE;
        clip.sample(clip.start() + time, &mut local);
        rig.read(&local, &mut pose);
        let seconds = f64::from(frame) / f64::from(RATE);
        for bytes in performer.packets(&pose, time) {
            packet_log::append(&mut log, Entry::Packet { seconds, source: 0, bytes })?;
        }
        packet_log::append(&mut log, Entry::Tick { seconds })?;
    }
    Ok(log)
}

fn find<'a>(model: &'a SkinnedModel, name: &str) -> Result<&'a skeleton::Clip> {
    model.clips.iter().find(|clip| clip.name == name).with_context(|| format!("there is no clip {name}"))
}
