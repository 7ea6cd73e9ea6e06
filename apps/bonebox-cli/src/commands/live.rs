//! `bonebox live`: body trackers move characters, and the program prints their touches.

use crate::character_arguments::load_character;
use crate::live::inbox::Inbox;
use crate::live::latency::Latencies;
use crate::live::session::{Actor, Session, Side, TouchNames};
use crate::live::status::StatusLine;
use crate::live::{BoneArguments, stop_on_ctrl_c};
use crate::settings_arguments::SettingsArguments;
use crate::terminal::eprint_line;
use crate::wrong_argument::{ensure_argument, ensure_poses_per_second};
use anyhow::Context as _;
use asset_bake::printable_path;
use glam::Affine3A;
use mocap::bvh::Motion;
use mocap::packet_log::{self, Entry};
use mocap::vmc::MAX_PACKET_BYTES;
use mocap::{HumanPose, Humanoid, ReferencePose, Rig};
use page_answers::duel::opposite;
use runtime::TouchPhase;
use skeleton::printable;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Arguments of `bonebox live`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The player's character: a .bonebox file, or an asset to bake in memory; stands at the origin and faces +Z
    player: PathBuf,
    /// The opponent's character; stands on +Z and faces the player
    #[arg(long, value_name = "CHARACTER")]
    opponent: PathBuf,
    /// Clip that the opponent plays in a loop, by name or index [default: rest pose]
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    /// Distance from the player's origin to the opponent's, in meters
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    distance: f32,
    /// Address on which to receive VMC packets
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:39539")]
    vmc: SocketAddr,
    /// Address on which to receive VMC packets of a second person, who moves the opponent instead of a clip
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["clip", "bvh", "replay"])]
    opponent_vmc: Option<SocketAddr>,
    /// Play a BVH file instead of receiving VMC packets
    #[arg(long, value_name = "FILE", conflicts_with_all = ["vmc", "replay", "record"])]
    bvh: Option<PathBuf>,
    /// Play packets from a file that `--record` wrote; the output is the same again, except for the last line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["vmc", "record"])]
    replay: Option<PathBuf>,
    /// Write the received packets and their times to a file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Minimum number of ticks per second; a packet that arrives between two ticks starts another tick
    #[arg(long, default_value_t = 120.0)]
    fps: f64,
    /// Duration in seconds [default: until Ctrl-C]
    #[arg(long)]
    seconds: Option<f64>,
    /// Reduce jitter with a One-Euro filter
    #[arg(long)]
    smooth: bool,
    /// Print one line of JSON per tick, and a summary at the end
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    bones: BoneArguments,
    #[command(flatten)]
    settings: SettingsArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    ensure_poses_per_second(arguments.fps)?;
    let distance = arguments.distance;
    ensure_argument(distance.is_finite(), || format!("--distance is {distance}, but must be a finite number"))?;
    match (&arguments.bvh, &arguments.replay) {
        (Some(file), _) => play_bvh(file, &mut Output::new(session(arguments, false)?, arguments.json), arguments),
        (None, Some(file)) => replay(file, arguments),
        (None, None) => {
            let session = session(arguments, arguments.opponent_vmc.is_some())?;
            receive(arguments, &mut Output::new(session, arguments.json))
        }
    }
}

fn session(arguments: &Arguments, is_opponent_tracked: bool) -> anyhow::Result<Session> {
    let load = |path: &Path| load_character(path, &arguments.settings.requested);
    let player = load(&arguments.player)?;
    let rig = arguments.bones.rig(&player)?;
    let player = Actor::tracked(player, rig, Affine3A::IDENTITY, arguments.smooth);
    let (opponent, place) = (load(&arguments.opponent)?, opposite(arguments.distance, 0.0));
    let opponent = if is_opponent_tracked {
        let rig = BoneArguments::default().rig(&opponent)?;
        Actor::tracked(opponent, rig, place, arguments.smooth)
    } else {
        Actor::playing(opponent, arguments.clip.as_deref(), place)?
    };
    Session::new(player, opponent)
}

/// Plays a recording at its own rate, as fast as it can be computed.
fn play_bvh(file: &Path, output: &mut Output, arguments: &Arguments) -> anyhow::Result<()> {
    let place = || printable_path(file);
    let motion = Motion::parse(&std::fs::read(file).with_context(place)?).with_context(place)?;
    let skeleton = motion.skeleton();
    let humanoid = Humanoid::guess(&skeleton).with_context(place)?;
    let mut source = Rig::new(&skeleton, &humanoid, ReferencePose::TPose).with_context(place)?;
    let (mut local, mut pose) = (skeleton.rest_pose(), HumanPose::T_POSE);
    let mut seconds = 0.0;
    for frame in 0..motion.frame_count() {
        seconds = frame as f64 * f64::from(motion.seconds_per_frame());
        if arguments.seconds.is_some_and(|most| seconds > most) {
            break;
        }
        motion.pose(frame, &mut local);
        source.human_pose_from_local(&local, &mut pose);
        output.session.tick_with(Some(&pose), seconds)?;
        output.print(seconds)?;
    }
    output.finish(seconds, None)
}

/// Replays the packets and ticks of a log.
fn replay(file: &Path, arguments: &Arguments) -> anyhow::Result<()> {
    let place = || printable_path(file);
    let log = std::fs::read(file).with_context(place)?;
    let is_opponents =
        |entry| matches!(entry, Ok(Entry::Packet { source, .. }) if usize::from(source) == Side::Opponent.index());
    let is_opponent_tracked = packet_log::entries(&log).with_context(place)?.any(is_opponents);
    anyhow::ensure!(
        !is_opponent_tracked || arguments.clip.is_none(),
        "packets of {} move the opponent; leave out --clip",
        printable_path(file)
    );
    let mut output = Output::new(session(arguments, is_opponent_tracked)?, arguments.json);
    let mut last = 0.0;
    for entry in packet_log::entries(&log).with_context(place)? {
        match entry.with_context(place)? {
            Entry::Packet { seconds, source, bytes } => {
                let side = Side::BOTH.get(usize::from(source));
                let side = side.with_context(|| {
                    format!("{} holds packets of more than two performers; record at most two", printable_path(file))
                })?;
                output.session.receive(*side, bytes, seconds);
            }
            Entry::Tick { seconds } => {
                last = seconds;
                output.session.tick(seconds)?;
                output.print(seconds)?;
            }
        }
    }
    output.finish(last, None)
}

/// Receives packets from sockets until Ctrl-C or the end of `--seconds`.
fn receive(arguments: &Arguments, output: &mut Output) -> anyhow::Result<()> {
    /// A sender that floods the socket must not delay the ticks.
    const MOST_PACKETS: usize = 64;
    let addresses: Vec<SocketAddr> = [arguments.vmc].into_iter().chain(arguments.opponent_vmc).collect();
    let mut inbox = Inbox::open(&addresses)?;
    for (source, side) in output.session.tracked_sides().enumerate() {
        eprint_line!(
            "listening on {} for VMC packets for the {}; press Ctrl-C to stop",
            inbox.address(source),
            side.name()
        );
    }
    let mut log = match &arguments.record {
        Some(file) => {
            let mut log = BufWriter::new(File::create(file).with_context(|| printable_path(file))?);
            log.write_all(packet_log::HEADER)?;
            Some(log)
        }
        None => None,
    };
    let stopped = stop_on_ctrl_c()?;
    let mut latencies = Latencies::default();
    let mut arrivals: Vec<Instant> = Vec::new();
    let mut hints = Hints::default();
    let step = Duration::from_secs_f64(1.0 / arguments.fps);
    let start = Instant::now();
    let (mut next, mut last) = (start + step, 0.0_f64);
    let mut is_last = false;
    while !is_last {
        let is_over = arguments.seconds.is_some_and(|most| start.elapsed().as_secs_f64() > most);
        is_last = is_over || stopped.load(Ordering::Relaxed);
        if is_last {
            inbox.close();
        }
        let (deadline, most) = if is_last { (start, usize::MAX) } else { (next, MOST_PACKETS) };
        arrivals.clear();
        inbox.take(deadline, most, |packet| {
            // Each socket has its own thread, so the packets of two sockets may be slightly out of order.
            last = last.max((packet.arrival.saturating_duration_since(start)).as_secs_f64());
            if output.session.receive(Side::BOTH[packet.source], &packet.bytes, last) {
                arrivals.push(packet.arrival);
            }
            if let Some(log) = &mut log {
                let bytes = &packet.bytes[..packet.bytes.len().min(MAX_PACKET_BYTES)];
                packet_log::append(log, Entry::Packet { seconds: last, source: packet.source as u8, bytes })?;
            }
            Ok(())
        })?;
        let begun = Instant::now();
        if arrivals.is_empty() && begun < next {
            continue;
        }
        last = last.max((begun - start).as_secs_f64());
        output.session.tick(last)?;
        for arrival in &arrivals {
            latencies.add(arrival.elapsed());
            output.status.add(arrival.elapsed());
        }
        next = begun + step;
        if let Some(log) = &mut log {
            packet_log::append(log, Entry::Tick { seconds: last })?;
        }
        output.print(last)?;
        hints.give(start.elapsed(), output, &inbox);
        output.status.show(&output.session, &inbox, begun.elapsed());
    }
    if let Some(mut log) = log {
        log.flush()?;
    }
    output.finish(start.elapsed().as_secs_f64(), Some((&latencies, &inbox)))
}

/// The hints for missing or wrong packets, each printed once per side.
#[derive(Default)]
struct Hints {
    is_given: bool,
}

impl Hints {
    fn give(&mut self, since: Duration, output: &mut Output, inbox: &Inbox) {
        /// The time without packets after which a hint is printed.
        const PATIENCE: Duration = Duration::from_secs(2);
        if self.is_given || since < PATIENCE {
            return;
        }
        self.is_given = true;
        output.status.clear();
        for (source, side) in output.session.tracked_sides().enumerate() {
            let Some(counters) = output.session.counters(side) else { continue };
            let (address, side) = (inbox.address(source), side.name());
            if counters.packets == 0 {
                eprint_line!(
                    "waiting for VMC packets for the {side} on {address}: start a body tracker's VMC sender, or `bonebox \
                     perform CHARACTER --clip CLIP --vmc {address}`"
                );
            } else if counters.placements == 0 {
                eprint_line!(
                    "packets for the {side} arrived at {address}, but none of them moves a bone: check that the sender \
                     speaks VMC and has a character loaded"
                );
            }
        }
    }
}

/// Prints the ticks.
struct Output {
    session: Session,
    out: BufWriter<std::io::Stdout>,
    json: bool,
    ticks: u64,
    status: StatusLine,
}

impl Output {
    fn new(session: Session, json: bool) -> Self {
        Self { session, out: BufWriter::new(std::io::stdout()), json, ticks: 0, status: StatusLine::new() }
    }

    /// Prints the last tick, as JSON, or as one line per change.
    fn print(&mut self, seconds: f64) -> anyhow::Result<()> {
        self.ticks += 1;
        let mut is_news = self.json;
        if self.json {
            let touches: Vec<TouchNames<'_>> = self.session.touches().collect();
            let line = serde_json::json!({ "tick": self.ticks - 1, "time": rounded(seconds), "touches": touches });
            writeln!(self.out, "{line}")?;
        } else {
            for event in self.session.events() {
                let phase = match event.phase {
                    TouchPhase::Started => "starts",
                    TouchPhase::Ended => "ends",
                    TouchPhase::Persisted => continue,
                };
                self.status.clear();
                let TouchNames { a, b } = self.session.names(&event.touch);
                writeln!(self.out, "{seconds:>9.3} s  {phase:<6}  {} > {}", printable(a), printable(b))?;
                is_news = true;
            }
        }
        if is_news {
            self.out.flush()?;
        }
        Ok(())
    }

    /// Prints the summary of the received packets in the last line.
    fn finish(&mut self, seconds: f64, received: Option<(&Latencies, &Inbox)>) -> anyhow::Result<()> {
        self.status.clear();
        let (mut packets, mut bad) = (0, 0);
        let mut summary = serde_json::json!({ "seconds": rounded(seconds), "ticks": self.ticks });
        for (source, side) in self.session.tracked_sides().enumerate() {
            let Some(counters) = self.session.counters(side) else { continue };
            let lost = received.map_or(0, |(_, inbox)| inbox.lost(source));
            packets += counters.packets;
            bad += counters.malformed_packets + counters.late_packets + lost;
            summary[side.name()] = serde_json::json!({
                "packets": counters.packets,
                "lost_packets": lost,
                "late_packets": counters.late_packets,
                "repeated_packets": counters.repeated_packets,
                "malformed_packets": counters.malformed_packets,
                "malformed_messages": counters.malformed_messages,
                "unknown_bones": counters.unknown_bones,
            });
        }
        if let Some((latencies, _)) = received {
            summary["latency_ms"] =
                serde_json::json!({ "median": latencies.at_share(0.5), "percentile_99": latencies.at_share(0.99) });
        }
        if self.json {
            writeln!(self.out, "{}", serde_json::json!({ "summary": summary }))?;
        } else {
            writeln!(self.out, "{} ticks, {packets} packets, {bad} of them lost, damaged or late", self.ticks)?;
        }
        Ok(self.out.flush()?)
    }
}

/// Rounds to a millionth of a second.
fn rounded(seconds: f64) -> f64 {
    libm::round(seconds * 1e6) / 1e6
}
