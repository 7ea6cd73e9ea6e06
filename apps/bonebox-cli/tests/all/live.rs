//! `bonebox perform` in one process, `bonebox live` in another, a socket between them.

use crate::program::bonebox;
use std::collections::BTreeSet;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

fn asset(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name)
}

/// An address on which nobody listens.
fn free_address() -> SocketAddr {
    UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap()
}

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bonebox"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Both ends of the lines of a run with `--json`: ticks, and the summary.
fn ticks_and_summary(stdout: &[u8]) -> (Vec<serde_json::Value>, serde_json::Value) {
    let text = std::str::from_utf8(stdout).unwrap();
    let mut lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let summary = lines.pop().unwrap()["summary"].clone();
    assert!(summary.is_object(), "{text}");
    (lines, summary)
}

fn touching(ticks: &[serde_json::Value]) -> BTreeSet<(String, String)> {
    let name = |touch: &serde_json::Value, side: &str| touch[side].as_str().unwrap().to_owned();
    let touches = ticks.iter().flat_map(|tick| tick["touches"].as_array().unwrap());
    touches.map(|touch| (name(touch, "a"), name(touch, "b"))).collect()
}

#[test]
fn a_jab_through_a_socket_lands_and_plays_again_from_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("packets.log");
    let (runa, bruno) = (asset("runa.bonebox"), asset("bruno.bonebox"));
    let [runa, bruno, log] = [&runa, &bruno, &log].map(|path| path.to_str().unwrap());
    let address = free_address().to_string();
    let scene = ["live", runa, "--opponent", bruno, "--clip", "idle", "--distance", "0.8", "--json"];
    let live = start(&[&scene[..], &["--vmc", &address, "--seconds", "4", "--record", log]].concat());
    let garbage = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let performer = start(&["perform", runa, "--clip", "jab", "--vmc", &address, "--seconds", "3"]);
    // Somebody else sends what is no VMC.
    for _ in 0..50 {
        let _ = garbage.send_to(b"GET / HTTP/1.1", &address);
        std::thread::sleep(std::time::Duration::from_millis(40));
    }
    // The port is taken.
    let second = bonebox(folder.path(), &[&scene[..], &["--vmc", &address]].concat());
    let second = (second.status.code(), String::from_utf8_lossy(&second.stderr).into_owned());
    let performer = performer.wait_with_output().unwrap();
    assert!(performer.status.success(), "{}", String::from_utf8_lossy(&performer.stderr));
    let live = live.wait_with_output().unwrap();
    assert!(live.status.success(), "{}", String::from_utf8_lossy(&live.stderr));
    let told = "another program may have the port";
    assert!(second.0 == Some(1) && second.1.contains(told), "{second:?}");

    let (ticks, summary) = ticks_and_summary(&live.stdout);
    println!("{summary}");
    assert!(summary["packets"].as_u64().unwrap() > 100, "{summary}");
    assert!(summary["malformed_packets"].as_u64().unwrap() > 0, "{summary}");
    for nothing in ["late_packets", "malformed_messages", "unknown_bones"] {
        assert_eq!(summary[nothing], 0, "{summary}");
    }
    assert!(summary["latency_ms"]["percentile_99"].is_number(), "{summary}");
    let touches = touching(&ticks);
    let lands = |on: &str| touches.contains(&("hand_l".into(), on.into()));
    assert!(lands("head") || lands("neck_01") || lands("spine_03"), "{touches:?}");
    assert!(touches.iter().all(|(a, _)| !a.starts_with("thigh") && !a.starts_with("foot")), "{touches:?}");

    let again = bonebox(folder.path(), &[&scene[..], &["--replay", log]].concat());
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    let (ticks_again, summary_again) = ticks_and_summary(&again.stdout);
    assert_eq!(ticks_again, ticks);
    assert_eq!(summary_again["packets"], summary["packets"]);
    let twice = bonebox(folder.path(), &[&scene[..], &["--replay", log]].concat());
    assert!(twice.stdout == again.stdout, "a replay prints the same bytes");
}

#[test]
fn a_recording_moves_the_player() {
    let folder = tempfile::tempdir().unwrap();
    let runa = baked_format::read(&std::fs::read(asset("runa.bonebox")).unwrap()).unwrap();
    let jab = runa.clips.iter().find(|clip| clip.name == "jab").unwrap();
    let motion = mocap::bvh::Motion::sample(&runa.skeleton, jab, 60.0).unwrap();
    let file = folder.path().join("jab.bvh");
    std::fs::write(&file, motion.to_text()).unwrap();
    let (player, opponent) = (asset("runa.bonebox"), asset("bruno.bonebox"));
    let [player, opponent, file] = [&player, &opponent, &file].map(|path| path.to_str().unwrap());
    let scene = ["live", player, "--opponent", opponent, "--clip", "idle", "--distance", "0.8", "--bvh", file];
    let json = bonebox(folder.path(), &[&scene[..], &["--json"]].concat());
    assert!(json.status.success(), "{}", String::from_utf8_lossy(&json.stderr));
    let (ticks, _) = ticks_and_summary(&json.stdout);
    assert_eq!(ticks.len(), motion.frames());

    // The same as the duel of the two baked clips, tick by tick, up to the end of the clip, where the duel starts again.
    let duel =
        ["duel", player, opponent, "--clip-a", "jab", "--clip-b", "idle", "--distance", "0.8", "--fps", "60", "--json"];
    let seconds = jab.seconds().to_string();
    let duel = bonebox(folder.path(), &[&duel[..], &["--seconds", &seconds]].concat());
    let pairs = |line: &str| -> BTreeSet<(String, String)> {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let name = |pair: &serde_json::Value, side: &str| pair[side].as_str().unwrap().to_owned();
        line["pairs"].as_array().unwrap().iter().map(|pair| (name(pair, "a"), name(pair, "b"))).collect()
    };
    let text = String::from_utf8(duel.stdout).unwrap();
    let count = ticks.len() - 1;
    let expected: Vec<_> = text.lines().take(count).map(pairs).collect();
    let found: Vec<_> = ticks.iter().take(count).map(|tick| touching(std::slice::from_ref(tick))).collect();
    assert!(expected.iter().any(|pairs| !pairs.is_empty()));
    assert_eq!(found, expected);

    // For people: a line for each touch that starts and ends.
    let text = bonebox(folder.path(), &scene);
    let text = String::from_utf8(text.stdout).unwrap();
    let count = |word: &str| text.lines().filter(|line| line.contains(word)).count();
    assert!(count(" starts ") > 0 && count(" starts ") >= count(" ends "), "{text}");
    assert!(text.ends_with("0 packets, 0 of them damaged or late\n"), "{text}");
}

#[test]
fn what_cannot_be_driven_is_told() {
    let (hound, bruno) = (asset("hound.bonebox"), asset("bruno.bonebox"));
    let [hound, bruno] = [&hound, &bruno].map(|path| path.to_str().unwrap());
    let error = |more: &[&str]| {
        let output = bonebox(Path::new("."), &[&["live", hound, "--opponent", bruno], more].concat());
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(error(&[]).contains("no joint is known as the bone leftFoot"), "{}", error(&[]));
    assert!(error(&["--bone", "leftFoot"]).contains("expected BONE=JOINT"));
    assert!(error(&["--bone", "leftFoot=paw"]).contains("names the joint \"paw\""));
}
