//! Records clips in the form in which a body tracker and a motion capture program record a performance.

use anyhow::{Context as _, Result};
use mocap::bvh::Motion;
use mocap::packet_log::{self, Entry};
use mocap::vmc::{Performer, PerformerSettings};
use mocap::{HumanPose, Humanoid, ReferencePose, Rig};
use skinned_model::{NoExternalFiles, SkinnedModel, import};

/// The number of frames and poses per second.
const RATE: f32 = 30.0;

/// The characters of `assets/` with recordings: their names, the clips that are written as BVH, and the clips that are
/// written as packets.
pub const RECORDED: [(&str, &[&str], &[&str]); 2] = [("runa", &["jab", "walk"], &["jab"]), ("bruno", &["jab"], &[])];

/// Returns the recordings of one character as file names and bytes. `glb` are the bytes of its `.glb` file.
///
/// Each clip in `bvh` gives `NAME_CLIP.bvh`. Each clip in `vmc` gives `NAME_CLIP.packets`, a packet log of the packets
/// that the character sends while it plays the clip once, with a tick after each pose.
///
/// # Errors
/// Returns an error if the bytes are not a character, a clip does not exist, or the character is not a humanoid.
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
    let mut rig = Rig::new(&model.skeleton, &humanoid, ReferencePose::default_for(&humanoid))?;
    let mut performer = Performer::new(PerformerSettings::default(), &rig);
    let (mut local, mut pose) = (model.skeleton.rest_pose(), HumanPose::T_POSE);
    let mut log = packet_log::HEADER.to_vec();
    for frame in 0..=(clip.seconds() * RATE) as u32 {
        let time = frame as f32 / RATE;
        clip.sample(clip.start() + time, &mut local);
        rig.human_pose_from_local(&local, &mut pose);
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
