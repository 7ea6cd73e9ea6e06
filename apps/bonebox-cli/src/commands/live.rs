//! `bonebox live`: a body tracker moves one character, a clip the other one, and the program prints what touches.

use crate::duel::opposite;
use crate::live::packet_log::{self, Entry};
use crate::live::stage::{Stage, TouchNames};
use crate::live::{BoneArguments, stop_on_ctrl_c};
use crate::settings_arguments::SettingsArguments;
use anyhow::Context as _;
use asset_bake::load_or_bake;
use mocap::bvh::Motion;
use mocap::vmc::MAX_PACKET_BYTES;
use mocap::{HumanPose, Humanoid, ReferencePose, Rig};
use runtime::{Character, TouchPhase};
use std::fs::File;
use std::io::{BufWriter, IsTerminal as _, Write};
use std::net::{SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Who moves, by what.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The player's character: a .bonebox file, or an asset to bake in memory. Stands at the origin, facing +Z
    player: PathBuf,
    /// The other character; stands on +Z, facing the player
    #[arg(long, value_name = "CHARACTER")]
    opponent: PathBuf,
    /// Clip that the opponent plays, by name or number; looped [default: rest pose]
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    /// From the player's origin to the opponent's, in the models' unit (glTF: meters)
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    distance: f32,
    /// Address on which to receive VMC packets
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:39539")]
    vmc: SocketAddr,
    /// Play a BVH file in place of VMC packets
    #[arg(long, value_name = "FILE", conflicts_with_all = ["vmc", "replay", "record"])]
    bvh: Option<PathBuf>,
    /// Play packets that `--record` wrote; prints the same lines again, but for the last
    #[arg(long, value_name = "FILE", conflicts_with_all = ["vmc", "record"])]
    replay: Option<PathBuf>,
    /// Write the packets that come, and their times
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Least ticks a second; packets that come between are tested as they come
    #[arg(long, default_value_t = 120.0)]
    fps: f64,
    /// How long [default: until Ctrl-C]
    #[arg(long)]
    seconds: Option<f64>,
    /// Smooth jitter with a One-Euro filter
    #[arg(long)]
    smooth: bool,
    /// Print one line of JSON per tick, and one at the end
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    bones: BoneArguments,
    #[command(flatten)]
    settings: SettingsArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    anyhow::ensure!((1.0..=1000.0).contains(&arguments.fps), "--fps must be from 1 to 1000");
    anyhow::ensure!(arguments.distance.is_finite(), "--distance must be finite");
    let load = |path: &Path| -> anyhow::Result<Character> {
        Ok(Character::from_baked(load_or_bake(path, &arguments.settings.requested)?))
    };
    let player = load(&arguments.player)?;
    let rig = arguments.bones.rig(&player)?;
    let place = opposite(arguments.distance, 0.0);
    let opponent = load(&arguments.opponent)?;
    let stage = Stage::new(player, rig, opponent, arguments.clip.as_deref(), place, arguments.smooth)?;
    let mut show =
        Show { stage, out: BufWriter::new(std::io::stdout()), json: arguments.json, ticks: 0, status: false };
    match (&arguments.bvh, &arguments.replay) {
        (Some(file), _) => play_bvh(file, arguments, &mut show)?,
        (None, Some(file)) => {
            let log = std::fs::read(file).with_context(|| file.display().to_string())?;
            let mut last = 0.0;
            packet_log::read(&log, |entry| match entry {
                Entry::Packet(seconds, packet) => {
                    show.stage.receive(packet, seconds);
                    Ok(())
                }
                Entry::Tick(seconds) => {
                    last = seconds;
                    show.stage.tick(seconds)?;
                    show.print(seconds)
                }
            })
            .with_context(|| file.display().to_string())?;
            show.finish(last, None)?;
        }
        (None, None) => receive(arguments, &mut show)?,
    }
    Ok(())
}

/// A recording, at its own rate, as fast as it can be computed.
fn play_bvh(file: &Path, arguments: &Arguments, show: &mut Show) -> anyhow::Result<()> {
    let place = || file.display().to_string();
    let motion = Motion::parse(&std::fs::read(file).with_context(place)?).with_context(place)?;
    let skeleton = motion.skeleton();
    let humanoid = Humanoid::guess(&skeleton).with_context(place)?;
    let mut source = Rig::new(&skeleton, &humanoid, ReferencePose::TPose).with_context(place)?;
    let (mut local, mut pose) = (skeleton.rest_pose(), HumanPose::T_POSE);
    let mut seconds = 0.0;
    for frame in 0..motion.frames() {
        seconds = frame as f64 * f64::from(motion.seconds_per_frame());
        if arguments.seconds.is_some_and(|most| seconds > most) {
            break;
        }
        motion.pose(frame, &mut local);
        source.read(&local, &mut pose);
        show.stage.tick_with(&pose, seconds)?;
        show.print(seconds)?;
    }
    show.finish(seconds, None)
}

/// Packets from the socket, until Ctrl-C or the end of `--seconds`.
fn receive(arguments: &Arguments, show: &mut Show) -> anyhow::Result<()> {
    /// No packet for so long: say what is missing.
    const PATIENCE: Duration = Duration::from_secs(2);
    /// A sender that floods must not keep the ticks away.
    const MOST_PACKETS: usize = 64;
    let socket = UdpSocket::bind(arguments.vmc).with_context(|| {
        format!("cannot listen on {}; another program may have the port: stop it or give another --vmc", arguments.vmc)
    })?;
    let mut log = match &arguments.record {
        Some(file) => {
            let mut log = BufWriter::new(File::create(file).with_context(|| file.display().to_string())?);
            packet_log::start(&mut log)?;
            Some(log)
        }
        None => None,
    };
    let stopped = stop_on_ctrl_c()?;
    let mut latencies = Latencies::default();
    let mut buffer = vec![0; MAX_PACKET_BYTES + 1];
    let step = Duration::from_secs_f64(1.0 / arguments.fps);
    let start = Instant::now();
    let (mut next, mut is_patient, mut status) = (start + step, true, Status::new(start));
    while !stopped.load(Ordering::Relaxed) {
        let now = start.elapsed();
        if arguments.seconds.is_some_and(|most| now.as_secs_f64() > most) {
            break;
        }
        let wait = next.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        socket.set_nonblocking(false)?;
        socket.set_read_timeout(Some(wait))?;
        let mut came = None;
        for _ in 0..MOST_PACKETS {
            let length = match socket.recv(&mut buffer) {
                Ok(length) => length,
                Err(error) if is_nothing(&error) => break,
                Err(error) => return Err(error).context("cannot receive"),
            };
            let arrival = Instant::now();
            came.get_or_insert(arrival);
            let seconds = (arrival - start).as_secs_f64();
            show.stage.receive(&buffer[..length], seconds);
            if let Some(log) = &mut log {
                packet_log::write(log, Entry::Packet(seconds, &buffer[..length.min(MAX_PACKET_BYTES)]))?;
            }
            // What else is there already belongs to the same tick.
            socket.set_nonblocking(true)?;
        }
        if came.is_none() && Instant::now() < next {
            continue;
        }
        let begun = Instant::now();
        let seconds = (begun - start).as_secs_f64();
        show.stage.tick(seconds)?;
        if let Some(came) = came {
            latencies.add(came.elapsed());
        }
        next = begun + step;
        if let Some(log) = &mut log {
            packet_log::write(log, Entry::Tick(seconds))?;
        }
        show.print(seconds)?;
        if is_patient && show.stage.counters().packets == 0 && start.elapsed() > PATIENCE {
            eprintln!(
                "waiting for VMC packets on {}: start a body tracker's VMC sender, or `bonebox perform CHARACTER --clip \
                 CLIP --vmc {}`",
                arguments.vmc, arguments.vmc
            );
            is_patient = false;
        }
        status.show(show, &latencies, begun.elapsed());
    }
    if let Some(mut log) = log {
        log.flush()?;
    }
    show.finish(start.elapsed().as_secs_f64(), Some(&latencies))
}

/// Whether a read ended without a packet and without harm: a time-out, a signal, a sender that went away.
fn is_nothing(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionRefused, ConnectionReset, Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), WouldBlock | TimedOut | Interrupted | ConnectionReset | ConnectionRefused)
}

/// The output.
struct Show {
    stage: Stage,
    out: BufWriter<std::io::Stdout>,
    json: bool,
    ticks: u64,
    /// Whether a status line stands on the terminal.
    status: bool,
}

impl Show {
    /// The last tick, as JSON or as lines for what has changed.
    fn print(&mut self, seconds: f64) -> anyhow::Result<()> {
        self.ticks += 1;
        let mut is_news = self.json;
        if self.json {
            let touches: Vec<TouchNames<'_>> = self.stage.touches().collect();
            let line = serde_json::json!({ "tick": self.ticks - 1, "time": rounded(seconds), "touches": touches });
            writeln!(self.out, "{line}")?;
        } else {
            for event in self.stage.events() {
                let phase = match event.phase {
                    TouchPhase::Started => "starts",
                    TouchPhase::Ended => "ends",
                    _ => continue,
                };
                if std::mem::take(&mut self.status) {
                    eprint!("\r\x1b[K");
                }
                let TouchNames { a, b } = self.stage.names(&event.touch);
                writeln!(self.out, "{seconds:>9.3} s  {phase:<6}  {a} > {b}")?;
                is_news = true;
            }
        }
        if is_news {
            self.out.flush()?;
        }
        Ok(())
    }

    /// What was received, in the last line.
    fn finish(&mut self, seconds: f64, latencies: Option<&Latencies>) -> anyhow::Result<()> {
        if std::mem::take(&mut self.status) {
            eprint!("\r\x1b[K");
        }
        let counters = self.stage.counters();
        if self.json {
            let mut line = serde_json::json!({
                "summary": {
                    "seconds": rounded(seconds),
                    "ticks": self.ticks,
                    "packets": counters.packets,
                    "malformed_packets": counters.malformed_packets,
                    "late_packets": counters.late_packets,
                    "repeated_packets": counters.repeated_packets,
                    "malformed_messages": counters.malformed_messages,
                    "unknown_bones": counters.unknown_bones,
                }
            });
            if let Some(latencies) = latencies {
                line["summary"]["latency_ms"] =
                    serde_json::json!({ "median": latencies.share(0.5), "percentile_99": latencies.share(0.99) });
            }
            writeln!(self.out, "{line}")?;
        } else {
            let bad = counters.malformed_packets + counters.late_packets;
            writeln!(self.out, "{} ticks, {} packets, {bad} of them damaged or late", self.ticks, counters.packets)?;
        }
        Ok(self.out.flush()?)
    }
}

/// To a millionth of a second.
fn rounded(seconds: f64) -> f64 {
    libm::round(seconds * 1e6) / 1e6
}

/// How long packets took from their arrival to the list of touches, in bins of 10 µs.
struct Latencies {
    bins: Vec<u64>,
    count: u64,
}

impl Default for Latencies {
    fn default() -> Self {
        Self { bins: vec![0; 10_000], count: 0 }
    }
}

impl Latencies {
    fn add(&mut self, latency: Duration) {
        let bin = (latency.as_micros() / 10).min(self.bins.len() as u128 - 1);
        self.bins[bin as usize] += 1;
        self.count += 1;
    }

    /// The latency that this share of packets did not exceed, in milliseconds; `None` without packets.
    fn share(&self, share: f64) -> Option<f64> {
        let wanted = libm::ceil(share * self.count as f64) as u64;
        let mut seen = 0;
        let bin = self.bins.iter().position(|&count| {
            seen += count;
            count > 0 && seen >= wanted
        });
        bin.map(|bin| (bin + 1) as f64 / 100.0)
    }
}

/// The steady line on a terminal.
struct Status {
    is_wanted: bool,
    last: Instant,
    packets: u64,
}

impl Status {
    fn new(now: Instant) -> Self {
        Self { is_wanted: std::io::stderr().is_terminal(), last: now, packets: 0 }
    }

    fn show(&mut self, show: &mut Show, latencies: &Latencies, tick: Duration) {
        let since = self.last.elapsed();
        if !self.is_wanted || since < Duration::from_millis(500) {
            return;
        }
        let counters = show.stage.counters();
        let rate = (counters.packets - self.packets) as f64 / since.as_secs_f64();
        let latency = latencies.share(0.5).map_or("-".to_owned(), |milliseconds| format!("{milliseconds:.2} ms"));
        let (late, bad) = (counters.late_packets, counters.malformed_packets);
        let tick = 1e3 * tick.as_secs_f64();
        eprint!("\r{rate:.0} packets/s, {late} late, {bad} damaged, latency {latency}, tick {tick:.2} ms\x1b[K");
        (self.last, self.packets, show.status) = (Instant::now(), counters.packets, true);
    }
}
