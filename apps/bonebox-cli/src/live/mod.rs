//! The parts that `bonebox live`, `bonebox perform` and the page share: characters that body trackers move, and their
//! touches.
//!
//! - [`session`]: two characters, the packets, poses or clips that move them, and their touches. It has no socket and
//!   no clock.
//! - [`inbox`]: packets from sockets.
//! - [`latency`], [`status`]: the latencies of packets, and the status line on a terminal.

pub(crate) mod inbox;
pub(crate) mod latency;
pub(crate) mod session;
pub(crate) mod status;

use anyhow::Context as _;
use mocap::{Humanoid, ReferencePose, Rig};
use runtime::Character;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The joints of standard bones, if the joints' names do not show them.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct BoneArguments {
    /// Use JOINT as the bone BONE of VRM 1.0's humanoid, such as leftHand=wrist.l; may be repeated [default: the
    /// humanoid of the baked file]
    #[arg(long = "bone", value_name = "BONE=JOINT")]
    bones: Vec<String>,
}

impl BoneArguments {
    /// The rig of a character: the bones of its humanoid, replaced by those in the arguments.
    pub(crate) fn rig(&self, character: &Character) -> anyhow::Result<Rig> {
        let pairs = bone_pairs(&self.bones)?;
        let list = pairs.iter().map(|(bone, joint)| (bone.as_str(), joint.as_str()));
        let skeleton = character.skeleton();
        let humanoid = match &character.baked().humanoid {
            Some(humanoid) if self.bones.is_empty() => Ok(humanoid.clone()),
            Some(humanoid) => humanoid.with(skeleton, list),
            None => Humanoid::guess_with(skeleton, list),
        };
        let humanoid = humanoid.with_context(|| {
            format!(
                "{} is not a humanoid that a body tracker can move; assign joints with --bone BONE=JOINT",
                character.name()
            )
        })?;
        let rig = Rig::new(skeleton, &humanoid, ReferencePose::default_for(&humanoid));
        rig.with_context(|| format!("a body tracker cannot move {}", character.name()))
    }
}

/// The bones and joints of `--bone BONE=JOINT` arguments.
pub(crate) fn bone_pairs(given: &[String]) -> anyhow::Result<Vec<(String, String)>> {
    let pair = |given: &String| {
        let (bone, joint) = given.split_once('=').with_context(|| {
            format!("--bone is {given:?}, but must have the form BONE=JOINT, such as leftHand=wrist.l")
        })?;
        Ok((bone.to_owned(), joint.to_owned()))
    };
    given.iter().map(pair).collect()
}

/// A flag that Ctrl-C sets.
pub(crate) fn stop_on_ctrl_c() -> anyhow::Result<Arc<AtomicBool>> {
    let stopped = Arc::new(AtomicBool::new(false));
    let flag = stopped.clone();
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed)).context("cannot handle Ctrl-C")?;
    Ok(stopped)
}
