//! `bonebox perform`: plays a clip of a character and sends it as a body tracker would.

use crate::character_arguments::load_character;
use crate::live::{BoneArguments, stop_on_ctrl_c};
use crate::settings_arguments::SettingsArguments;
use crate::terminal::eprint_line;
use crate::wrong_argument::ensure_poses_per_second;
use anyhow::Context as _;
use mocap::HumanPose;
use mocap::vmc::{Performer, PerformerSettings};
use page_answers::duel::find_clip;
use runtime::LoopMode;
use skeleton::printable;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Arguments of `bonebox perform`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The character: a .bonebox file, or an asset to bake in memory
    character: PathBuf,
    /// Clip to play in a loop, by name or index
    #[arg(long, value_name = "CLIP")]
    clip: String,
    /// Address to send VMC packets to
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:39539")]
    vmc: SocketAddr,
    /// Poses per second
    #[arg(long, default_value_t = 60.0)]
    fps: f64,
    /// Duration in seconds [default: until Ctrl-C]
    #[arg(long)]
    seconds: Option<f64>,
    #[command(flatten)]
    bones: BoneArguments,
    #[command(flatten)]
    settings: SettingsArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    ensure_poses_per_second(arguments.fps)?;
    let character = load_character(&arguments.character, &arguments.settings.requested)?;
    let clip = find_clip(&character, &arguments.clip)?;
    let clip = &character.clips()[clip.index()];
    let mut rig = arguments.bones.rig(&character)?;
    let mut performer = Performer::new(PerformerSettings::default(), &rig);
    let (mut pose, mut local) = (HumanPose::T_POSE, character.skeleton().rest_pose());

    let own: SocketAddr = if arguments.vmc.ip().is_loopback() && arguments.vmc.is_ipv4() {
        (Ipv4Addr::LOCALHOST, 0).into()
    } else if arguments.vmc.is_ipv4() {
        (Ipv4Addr::UNSPECIFIED, 0).into()
    } else {
        (std::net::Ipv6Addr::UNSPECIFIED, 0).into()
    };
    let socket = UdpSocket::bind(own).context("cannot open a UDP socket")?;
    let stopped = stop_on_ctrl_c()?;
    let (clip_name, name) = (printable(&clip.name), printable(character.name()));
    eprint_line!("sending clip {clip_name} of {name} to {}; press Ctrl-C to stop", arguments.vmc);
    let start = Instant::now();
    let (mut tick, mut packets) = (0_u64, 0_u64);
    while !stopped.load(Ordering::Relaxed) {
        let seconds = tick as f64 / arguments.fps;
        if arguments.seconds.is_some_and(|most| seconds > most) {
            break;
        }
        clip.sample(LoopMode::Loop.clip_time(clip, seconds), &mut local);
        rig.human_pose_from_local(&local, &mut pose);
        for packet in performer.packets(&pose, seconds as f32) {
            match socket.send_to(packet, arguments.vmc) {
                // A performer keeps sending even if no program listens at the moment.
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => {}
                sent => drop(sent.with_context(|| format!("cannot send to {}", arguments.vmc))?),
            }
            packets += 1;
        }
        tick += 1;
        let due = start + Duration::from_secs_f64(tick as f64 / arguments.fps);
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
    }
    eprint_line!("sent {tick} poses in {packets} packets");
    Ok(())
}
