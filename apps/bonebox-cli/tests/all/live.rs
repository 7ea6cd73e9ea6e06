//! Runs `bonebox perform` and `bonebox live` in two processes, with a socket between them.

use crate::program::bonebox;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

fn asset(name: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name);
    path.to_str().unwrap().to_owned()
}

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bonebox"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// A running `bonebox live` on free ports, and the addresses of its ports.
struct Live {
    child: Child,
    addresses: Vec<SocketAddr>,
    /// The lines read from standard error.
    said: String,
    stderr: BufReader<ChildStderr>,
    /// A thread that reads standard output, because a full pipe would block the program.
    stdout: JoinHandle<String>,
}

impl Live {
    /// Starts the program and waits until it listens. `scene` names the characters, and `people` is the number of
    /// performers.
    fn start(scene: &[&str], people: usize) -> Self {
        let ports = ["--vmc", "127.0.0.1:0", "--opponent-vmc", "127.0.0.1:0"];
        let mut child = start(&[&["live"], scene, &ports[..2 * people]].concat());
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let mut stdout = child.stdout.take().unwrap();
        let stdout = std::thread::spawn(move || {
            let mut text = String::new();
            stdout.read_to_string(&mut text).unwrap();
            text
        });
        let mut live = Self { child, addresses: Vec::new(), said: String::new(), stderr, stdout };
        for _ in 0..people {
            let line = live.line_with("listening on ");
            let address = line.split_whitespace().nth(2).unwrap();
            live.addresses.push(address.parse().unwrap());
        }
        live
    }

    /// Reads standard error up to a line that contains `words`.
    fn line_with(&mut self, words: &str) -> String {
        loop {
            let mut line = String::new();
            assert!(
                self.stderr.read_line(&mut line).unwrap() > 0,
                "the program ended without {words:?}: {}",
                self.said
            );
            self.said += &line;
            if line.contains(words) {
                return line;
            }
        }
    }

    /// Presses Ctrl-C and returns the whole standard output.
    fn stop(mut self) -> String {
        kill(Pid::from_raw(self.child.id() as i32), Signal::SIGINT).unwrap();
        let stdout = self.stdout.join().unwrap();
        self.stderr.read_to_string(&mut self.said).unwrap();
        let status = self.child.wait().unwrap();
        assert!(status.success(), "Ctrl-C is not a failure: {status}, {}", self.said);
        stdout
    }
}

/// Sends a clip for some seconds.
fn perform(character: &str, clip: &str, address: SocketAddr, fps: &str, seconds: &str) -> Performer {
    let address = address.to_string();
    Performer(start(&["perform", character, "--clip", clip, "--vmc", &address, "--fps", fps, "--seconds", seconds]))
}

struct Performer(Child);

impl Performer {
    /// Waits for the end, and returns the number of packets sent.
    fn packets(self) -> u64 {
        let output = self.0.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{said}");
        let packets = said.split(" poses in ").nth(1).and_then(|rest| rest.split_once(" packets"));
        packets.unwrap_or_else(|| panic!("{said}")).0.parse().unwrap()
    }
}

/// The lines of a run with `--json`: the ticks, and the summary.
fn ticks_and_summary(stdout: &str) -> (Vec<Value>, Value) {
    let mut lines: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let summary = lines.pop().unwrap()["summary"].clone();
    assert!(summary.is_object(), "{stdout}");
    (lines, summary)
}

/// The number of packets that arrived, plus those that the system dropped because the machine was busy. Together they
/// must be all packets sent, because the program itself loses none.
fn came(counters: &Value) -> u64 {
    counters["packets"].as_u64().unwrap() + counters["lost_packets"].as_u64().unwrap()
}

fn touching(ticks: &[Value]) -> BTreeSet<(String, String)> {
    let name = |touch: &Value, side: &str| touch[side].as_str().unwrap().to_owned();
    let touches = ticks.iter().flat_map(|tick| tick["touches"].as_array().unwrap());
    touches.map(|touch| (name(touch, "a"), name(touch, "b"))).collect()
}

/// Sends packets that are not VMC until it is told to stop.
fn send_garbage(address: SocketAddr, pause: Duration, is_over: &AtomicBool) {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let broken = [&b"GET / HTTP/1.1"[..], b"#bundle\0", &[0xff; 9_000]];
    for packet in broken.into_iter().cycle() {
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        let _ = socket.send_to(packet, address);
        std::thread::sleep(pause);
    }
}

#[test]
fn a_jab_through_a_socket_lands_and_plays_again_from_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("packets.log");
    let (runa, bruno, log) = (asset("runa.bonebox"), asset("bruno.bonebox"), log.to_str().unwrap());
    let scene = [&runa, "--opponent", &bruno, "--clip", "idle", "--distance", "0.8", "--json"];
    let live = Live::start(&[&scene[..], &["--record", log]].concat(), 1);
    let address = live.addresses[0];
    let performer = perform(&runa, "jab", address, "60", "2");
    // Another sender sends packets that are not VMC.
    let is_over = AtomicBool::new(false);
    let (sent, second) = std::thread::scope(|scope| {
        scope.spawn(|| send_garbage(address, Duration::from_millis(40), &is_over));
        // The port is in use.
        let second = bonebox(folder.path(), &[&["live"], &scene[..], &["--vmc", &address.to_string()]].concat());
        let sent = performer.packets();
        is_over.store(true, Ordering::Relaxed);
        (sent, second)
    });
    let live = live.stop();
    let second = (second.status.code(), String::from_utf8_lossy(&second.stderr).into_owned());
    let told = format!("cannot listen on {address}; another program may use the port");
    assert!(second.0 == Some(1) && second.1.contains(&told), "{second:?}");

    let (ticks, summary) = ticks_and_summary(&live);
    println!("{summary}");
    let player = &summary["player"];
    let malformed = player["malformed_packets"].as_u64().unwrap();
    assert!(malformed > 0, "{summary}");
    // On a busy machine packets may be lost, and it is unknown whether these were valid.
    let used = player["packets"].as_u64().unwrap() - malformed;
    assert!(used <= sent && used + player["lost_packets"].as_u64().unwrap() >= sent, "sent {sent}: {summary}");
    for nothing in ["late_packets", "malformed_messages", "unknown_bones"] {
        assert_eq!(player[nothing], 0, "{summary}");
    }
    assert!(summary["latency_ms"]["percentile_99"].is_number() && summary["opponent"].is_null(), "{summary}");
    let touches = touching(&ticks);
    let lands = |on: &str| touches.contains(&("hand_l".into(), on.into()));
    assert!(lands("head") || lands("neck_01") || lands("spine_03"), "{touches:?}");
    assert!(touches.iter().all(|(a, _)| !a.starts_with("thigh") && !a.starts_with("foot")), "{touches:?}");

    let replay = || bonebox(folder.path(), &[&["live"], &scene[..], &["--replay", log]].concat());
    let again = replay();
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    let (ticks_again, summary_again) = ticks_and_summary(std::str::from_utf8(&again.stdout).unwrap());
    assert_eq!(ticks_again, ticks);
    assert_eq!(summary_again["player"], summary["player"]);
    assert!(replay().stdout == again.stdout, "a replay prints the same bytes");
}

/// The packets in `assets/motion` make Runa's jab hit Bruno.
#[test]
fn recorded_packets_land_a_jab() {
    let (runa, bruno, log) = (asset("runa.bonebox"), asset("bruno.bonebox"), asset("motion/runa_jab.packets"));
    let scene = ["live", &runa, "--opponent", &bruno, "--clip", "idle", "--distance", "0.8", "--replay", &log];
    let lines = String::from_utf8(bonebox(Path::new("."), &scene).stdout).unwrap();
    assert!(lines.lines().any(|line| line.contains("starts  hand_l > ")), "{lines}");
    assert!(lines.lines().any(|line| line.contains("ends    hand_l > ")), "{lines}");
    assert!(lines.ends_with("packets, 0 of them lost, damaged or late\n"), "{lines}");
}

/// Two people on two ports hit each other with a jab. The record replays both.
#[test]
fn two_performers_hit_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("packets.log");
    let (runa, bruno, log) = (asset("runa.bonebox"), asset("bruno.bonebox"), log.to_str().unwrap());
    let scene = [&runa, "--opponent", &bruno, "--distance", "0.8", "--json"];
    let live = Live::start(&[&scene[..], &["--record", log]].concat(), 2);
    let [player, opponent] = live.addresses[..] else { panic!("two addresses") };
    let (player, opponent) = (perform(&runa, "jab", player, "60", "2"), perform(&bruno, "jab", opponent, "30", "2"));
    let sent = [player.packets(), opponent.packets()];
    let (ticks, summary) = ticks_and_summary(&live.stop());
    assert_eq!([came(&summary["player"]), came(&summary["opponent"])], sent, "{summary}");
    let touches = touching(&ticks);
    let body = ["head", "neck_01", "spine_03", "clavicle_l", "clavicle_r", "upperarm_l", "upperarm_r"];
    assert!(touches.iter().any(|(a, b)| a == "hand_l" && body.contains(&b.as_str())), "{touches:?}");
    assert!(touches.iter().any(|(a, b)| b == "hand_l" && body.contains(&a.as_str())), "{touches:?}");

    let again = bonebox(folder.path(), &[&["live"], &scene[..], &["--replay", log]].concat());
    let (ticks_again, _) = ticks_and_summary(std::str::from_utf8(&again.stdout).unwrap());
    assert_eq!(ticks_again, ticks);
    let clip = bonebox(folder.path(), &[&["live"], &scene[..], &["--replay", log, "--clip", "idle"]].concat());
    assert!(String::from_utf8_lossy(&clip.stderr).contains("move the opponent; leave out --clip"));
}

/// Thousands of invalid packets per second arrive at the opponent's port. The player's packets still arrive, and the
/// opponent keeps its rest pose.
#[test]
fn garbage_for_one_player_does_not_disturb_the_other() {
    let (runa, bruno) = (asset("runa.bonebox"), asset("bruno.bonebox"));
    let live = Live::start(&[&runa, "--opponent", &bruno, "--distance", "0.8", "--json"], 2);
    let [player, opponent] = live.addresses[..] else { panic!("two addresses") };
    let is_over = AtomicBool::new(false);
    let sent = std::thread::scope(|scope| {
        scope.spawn(|| send_garbage(opponent, Duration::from_micros(100), &is_over));
        let sent = perform(&runa, "jab", player, "60", "2").packets();
        is_over.store(true, Ordering::Relaxed);
        sent
    });
    let (ticks, summary) = ticks_and_summary(&live.stop());
    println!("{summary}");
    assert_eq!(came(&summary["player"]), sent, "{summary}");
    for nothing in ["late_packets", "malformed_packets"] {
        assert_eq!(summary["player"][nothing], 0, "{summary}");
    }
    let garbage = &summary["opponent"];
    assert!(garbage["packets"].as_u64().unwrap() > 1000, "{summary}");
    assert_eq!(garbage["packets"], garbage["malformed_packets"], "{summary}");
    // The touches must equal those with an opponent in its rest pose.
    let alone = Live::start(&[&runa, "--opponent", &bruno, "--distance", "0.8", "--json"], 1);
    perform(&runa, "jab", alone.addresses[0], "60", "2").packets();
    let (alone, _) = ticks_and_summary(&alone.stop());
    let touches = touching(&ticks);
    assert!(!touches.is_empty());
    assert_eq!(touches, touching(&alone));
}

/// A performer at 120 poses per second with four packets each. `BONEBOX_LIVE_SECONDS=60` makes the test as long as the
/// record in docs/benchmarks/mocap.md. Then no packet may be lost, and the latency must be below a tick of 120 Hz.
#[test]
fn no_packet_is_lost() {
    let long = std::env::var("BONEBOX_LIVE_SECONDS").ok();
    let (runa, bruno) = (asset("runa.bonebox"), asset("bruno.bonebox"));
    let live = Live::start(&[&runa, "--opponent", &bruno, "--clip", "idle", "--distance", "0.8", "--json"], 1);
    let sent = perform(&runa, "jab", live.addresses[0], "120", long.as_deref().unwrap_or("2")).packets();
    let (ticks, summary) = ticks_and_summary(&live.stop());
    println!("sent {sent}: {summary}");
    assert!(sent >= 480 && ticks.len() > 240, "{sent} packets, {} ticks", ticks.len());
    let player = &summary["player"];
    assert_eq!((came(player), &player["late_packets"]), (sent, &0.into()), "{summary}");
    let latency = summary["latency_ms"]["percentile_99"].as_f64().unwrap();
    assert!(long.is_none() || player["lost_packets"] == 0 && latency < 1e3 / 120.0, "{summary}");
}

#[test]
fn without_packets_a_hint_names_the_address() {
    let (runa, bruno) = (asset("runa.bonebox"), asset("bruno.bonebox"));
    let mut live = Live::start(&[&runa, "--opponent", &bruno], 2);
    let [player, opponent] = live.addresses[..] else { panic!("two addresses") };
    UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().send_to(b"/VMC/Ext/OK\0,\0\0\0", opponent).unwrap();
    let line = live.line_with("waiting for VMC packets");
    assert!(line.contains(&format!("for the player on {player}")) && line.contains("bonebox perform"), "{line}");
    let line = live.line_with("none of them moves a bone");
    assert!(line.starts_with(&format!("packets for the opponent arrived at {opponent}")), "{line}");
    let stdout = live.stop();
    assert!(stdout.ends_with(" 1 packets, 0 of them lost, damaged or late\n"), "{stdout}");
}

/// On a terminal, standard error shows a status line while packets arrive. Ctrl-C removes the line and prints the
/// summary.
#[test]
fn a_terminal_shows_a_status_line() {
    let (runa, bruno) = (asset("runa.bonebox"), asset("bruno.bonebox"));
    let terminal = nix::pty::openpty(None, None).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_bonebox"));
    command.args(["live", &runa, "--opponent", &bruno, "--vmc", "127.0.0.1:0"]);
    let mut live = command.stdout(Stdio::piped()).stderr(Stdio::from(terminal.slave)).spawn().unwrap();
    // The command keeps its end of the terminal open, so the reader would wait forever.
    drop(command);
    let mut screen = std::fs::File::from(terminal.master);
    let mut shown = String::new();
    let mut performer = None;
    let mut read = |shown: &mut String| -> bool {
        let mut bytes = [0; 4096];
        // Linux returns an error if the other end is closed.
        let length = screen.read(&mut bytes).unwrap_or(0);
        shown.push_str(&String::from_utf8_lossy(&bytes[..length]));
        length > 0
    };
    let lines = |shown: &str| -> Vec<String> {
        // A line may be read in two parts; it ends with the code that clears what is behind it.
        let whole = |line: &&str| line.contains(" packets/s, ") && line.contains("\x1b[K");
        shown.split('\r').filter(whole).map(str::to_owned).collect()
    };
    let steady = |shown: &str| lines(shown).into_iter().find(|line| !line.starts_with("0 packets/s"));
    while steady(&shown).is_none() && read(&mut shown) {
        assert!(lines(&shown).len() < 60, "no packet arrived: {shown}");
        if let (None, Some(rest)) = (&performer, shown.split("listening on ").nth(1).filter(|rest| rest.contains('\n')))
        {
            let address = rest.split_whitespace().next().unwrap().parse().unwrap();
            performer = Some(perform(&runa, "jab", address, "60", "3"));
        }
    }
    let line = steady(&shown).unwrap();
    // A busy machine loses packets or reads them late.
    for part in [" lost, ", " late, 0 damaged, latency ", " ms, tick ", " ms\x1b[K"] {
        assert!(line.contains(part), "{line:?}");
    }
    kill(Pid::from_raw(live.id() as i32), Signal::SIGINT).unwrap();
    while read(&mut shown) {}
    let status: ExitStatus = live.wait().unwrap();
    assert!(status.success(), "{status}");
    assert!(shown.ends_with("\r\x1b[K"), "the line is removed: {shown:?}");
    let mut stdout = String::new();
    live.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    assert!(stdout.ends_with(" of them lost, damaged or late\n"), "{stdout}");
    performer.unwrap().packets();
}

#[test]
fn a_recording_moves_the_player() {
    let folder = tempfile::tempdir().unwrap();
    let runa = baked_format::read(&std::fs::read(asset("runa.bonebox")).unwrap()).unwrap();
    let jab = runa.clips.iter().find(|clip| clip.name == "jab").unwrap();
    let motion = mocap::bvh::Motion::sample(&runa.skeleton, jab, 60.0).unwrap();
    let file = folder.path().join("jab.bvh");
    std::fs::write(&file, motion.to_text()).unwrap();
    let (player, opponent, file) = (&asset("runa.bonebox"), &asset("bruno.bonebox"), file.to_str().unwrap());
    let scene = ["live", player, "--opponent", opponent, "--clip", "idle", "--distance", "0.8", "--bvh", file];
    let json = bonebox(folder.path(), &[&scene[..], &["--json"]].concat());
    assert!(json.status.success(), "{}", String::from_utf8_lossy(&json.stderr));
    let (ticks, _) = ticks_and_summary(std::str::from_utf8(&json.stdout).unwrap());
    assert_eq!(ticks.len(), motion.frame_count());

    // The touches equal those of a duel of the two baked clips, tick by tick, up to the end of the clip, where the duel
    // starts again.
    let duel =
        ["duel", player, opponent, "--clip-a", "jab", "--clip-b", "idle", "--distance", "0.8", "--fps", "60", "--json"];
    let seconds = jab.seconds().to_string();
    let duel = bonebox(folder.path(), &[&duel[..], &["--seconds", &seconds]].concat());
    let pairs = |line: &str| -> BTreeSet<(String, String)> {
        let line: Value = serde_json::from_str(line).unwrap();
        let name = |pair: &Value, side: &str| pair[side].as_str().unwrap().to_owned();
        line["pairs"].as_array().unwrap().iter().map(|pair| (name(pair, "a"), name(pair, "b"))).collect()
    };
    let text = String::from_utf8(duel.stdout).unwrap();
    let count = ticks.len() - 1;
    let expected: Vec<_> = text.lines().take(count).map(pairs).collect();
    let found: Vec<_> = ticks.iter().take(count).map(|tick| touching(std::slice::from_ref(tick))).collect();
    assert!(expected.iter().any(|pairs| !pairs.is_empty()));
    assert_eq!(found, expected);

    // The output for people has a line for each touch that starts or ends.
    let text = bonebox(folder.path(), &scene);
    let text = String::from_utf8(text.stdout).unwrap();
    let count = |word: &str| text.lines().filter(|line| line.contains(word)).count();
    assert!(count(" starts ") > 0 && count(" starts ") >= count(" ends "), "{text}");
    assert!(text.ends_with("0 packets, 0 of them lost, damaged or late\n"), "{text}");
}

#[test]
fn characters_that_cannot_be_moved_are_errors() {
    let (hound, bruno) = (&asset("hound.bonebox"), &asset("bruno.bonebox"));
    let error = |more: &[&str]| {
        let output = bonebox(Path::new("."), &[&["live", hound, "--opponent", bruno], more].concat());
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(error(&[]).contains("no joint was found for the bone leftFoot"), "{}", error(&[]));
    assert!(error(&["--bone", "leftFoot"]).contains("must have the form BONE=JOINT"));
    assert!(error(&["--bone", "leftFoot=paw"]).contains("names the joint \"paw\""));
}
