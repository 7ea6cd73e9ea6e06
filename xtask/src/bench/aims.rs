//! The performance aims of the project, compared with the results of a run.

use super::results::{Case, Results};
use std::fmt::Write as _;

/// One aim: its description, its limit, and the result.
struct Aim {
    /// The bench that measures the aim.
    bench: &'static str,
    what: String,
    aim: String,
    found: Option<Found>,
}

struct Found {
    text: String,
    reached: bool,
}

/// A Markdown table of the aims of the benches that ran; empty if they have no aims.
///
/// # Errors
/// Returns an error if a bench ran but did not measure the case of one of its aims.
pub(crate) fn table(results: &Results, benches: &[&str]) -> anyhow::Result<String> {
    let aims = [
        boxes(results),
        pairs(results),
        crowds(results),
        queries(results),
        hulls(results),
        c_library(results),
        live(results),
        past(results),
    ];
    let mut text = String::new();
    for Aim { bench, what, aim, found } in aims.into_iter().flatten().filter(|aim| benches.contains(&aim.bench)) {
        let Some(Found { text: found, reached }) = found else {
            anyhow::bail!("the bench {bench} did not measure its aim {what:?}; its cases have other names now")
        };
        if text.is_empty() {
            text.push_str("| aim | at least or most | found | |\n|---|---|---|---|\n");
        }
        let _ = writeln!(text, "| {what} | {aim} | {found} | {} |", if reached { "reached" } else { "**missed**" });
    }
    Ok(text)
}

fn at_least(bench: &'static str, what: impl Into<String>, aim: f64, found: Option<f64>) -> Aim {
    let found = found.map(|ratio| Found { text: format!("{} x", digits(ratio)), reached: ratio >= aim });
    Aim { bench, what: what.into(), aim: format!("{aim} x"), found }
}

fn at_most(bench: &'static str, what: impl Into<String>, aim: f64, unit: &str, found: Option<f64>) -> Aim {
    let found = found.map(|value| Found { text: format!("{} {unit}", digits(value)), reached: value <= aim });
    Aim { bench, what: what.into(), aim: format!("{aim} {unit}"), found }
}

/// The number with three significant digits.
pub(crate) fn digits(value: f64) -> String {
    let places = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.places$}")
}

/// The smallest time of a peer, divided by the smallest time of ours.
fn ratio(case: Option<&Case>, peer: Option<&str>, ours: &str) -> Option<f64> {
    let (case, run) = (case?, case?.run(ours)?);
    match peer {
        Some(peer) => Some(case.run(peer)?.least / run.least),
        None => Some(case.ratios(run)?[0]),
    }
}

/// Returns true if this processor has the instructions of the widest kernel. On other processors that kernel has no
/// aim.
fn has_avx512() -> bool {
    #[cfg(target_arch = "x86_64")]
    let has = std::arch::is_x86_feature_detected!("avx512f");
    #[cfg(not(target_arch = "x86_64"))]
    let has = false;
    has
}

fn boxes(results: &Results) -> Vec<Aim> {
    let mut aims = Vec::new();
    for (mix, aim) in [("half", 20.0), ("near", 14.0), ("far", 80.0), ("hit", 25.0)] {
        let case = results.case("box_test", mix);
        aims.push(at_least(
            "box_test",
            format!("box pairs, {mix}: AVX2 against parry3d"),
            aim,
            ratio(case, None, "Avx2"),
        ));
        if !has_avx512() {
            continue;
        }
        let wider = case.and_then(|case| Some(case.run("Avx2")?.least / case.run("Avx512")?.least));
        aims.push(at_least("box_test", format!("box pairs, {mix}: AVX-512 against AVX2"), 1.0, wider));
    }
    aims
}

fn pairs(results: &Results) -> Vec<Aim> {
    let close = results.case("character_pair", "in close contact");
    let touching = results.case("character_pair", "bounds touch");
    let share = touching.and_then(|touching| Some(touching.run("Avx2")?.least / close?.run("Avx2")?.least));
    vec![
        at_least(
            "character_pair",
            "24 x 24 boxes in close contact: AVX2 against parry3d",
            40.0,
            ratio(close, None, "Avx2"),
        ),
        at_most("character_pair", "the same where only bounds touch: share of close contact's time", 0.2, "", share),
    ]
}

fn crowds(results: &Results) -> Vec<Aim> {
    let mut aims = Vec::new();
    for (layout, aim) in [("1 per m2", 6.0), ("1 per 4 m2", 4.0)] {
        let thousand = results.case("crowd", &format!("{layout}, 1000 characters"));
        for leaf in ["boxes", "characters"] {
            let found = ratio(thousand, Some(&format!("parry3d Bvh of {leaf}")), "HitboxWorld");
            aims.push(at_least(
                "crowd",
                format!("1,000 characters, {layout}: HitboxWorld against a tree of {leaf}"),
                aim,
                found,
            ));
        }
        let growth = results.case("crowd", &format!("growth, {layout}")).and_then(|case| {
            Some(case.run("10,000 characters")?.least / case.run("1,000 characters, ten ticks")?.least)
        });
        // With n log n, each of 10,000 characters may take log(10,000) / log(1,000) times as long as each of 1,000.
        aims.push(at_most("crowd", format!("a character of 10,000 against one of 1,000, {layout}"), 1.33, "x", growth));
    }
    aims
}

fn queries(results: &Results) -> Vec<Aim> {
    let microseconds = |case: &str, run: &str| Some(results.case("queries", case)?.run(run)?.least / 1e3);
    let clips = results.case("queries", "load").and_then(|case| case.run("53 joints with clips"));
    let seconds_a_gigabyte = clips.and_then(|run| Some(run.least / run.bytes?));
    vec![
        at_most("queries", "load 53 joints without clips", 20.0, "µs", microseconds("load", "53 joints without clips")),
        at_most("queries", "load with clips: ns for a byte (1 is 1 GB/s)", 1.0, "ns", seconds_a_gigabyte),
        at_most(
            "queries",
            "a ray against 1,000 characters, first hit",
            5.0,
            "µs",
            microseconds("rays against 1,000 characters", "first"),
        ),
    ]
}

fn hulls(results: &Results) -> Vec<Aim> {
    // The bench leaves this set out if there is no corpus of real characters.
    let mut sets: Vec<String> =
        crate::ignored::corpus().is_dir().then(|| "bone groups".to_owned()).into_iter().collect();
    for kind in ["ball", "sphere", "box"] {
        sets.extend([100, 1000, 10_000, 100_000].map(|count| format!("{kind} {count}")));
    }
    sets.extend(["grid of 20", "turned cylinder 64 x 20", "moment curve 5000"].map(str::to_owned));
    let aim = |set: &String| {
        at_least("hulls", format!("hull of {set}"), 1.0, ratio(results.case("hulls", set), None, "hull"))
    };
    sets.iter().map(aim).collect()
}

fn c_library(results: &Results) -> Vec<Aim> {
    let tick = results.case("c_library", "a tick of 1,000 characters");
    vec![at_least(
        "c_library",
        "a tick through the C library against the run time",
        0.95,
        ratio(tick, None, "C library"),
    )]
}

/// A tracker sends 60 to 120 packets per second, and a game's tick has room for a hundredth of the time between them.
fn live(results: &Results) -> Vec<Aim> {
    let case = results.case("packet_to_touches", "two characters of 53 joints");
    let found = case.and_then(|case| Some(case.run("packet to touches")?.least / 1e3));
    let what = "two characters of 53 joints: from the last byte of a VMC packet to the list of touches";
    vec![at_most("packet_to_touches", what, 50.0, "µs", found)]
}

fn past(results: &Results) -> Vec<Aim> {
    let case = |name: &str| results.case("past", name);
    let least = |case: &str, run: &str| Some(results.case("past", case)?.run(run)?.least);
    let recording = least("clips: recording a tick of 1,000 bodies", "record").map(|time| time / 1e3);
    let to_present = |case: &str, run: &str| Some(least(case, run)? / least(case, "in the present")?);
    let [one, many] = ["clips: a ray at a moment between two ticks", "clips: 1,000 shots at 1,000 moments"];
    let moved = ratio(
        case("clips: colliders moved back for each ray"),
        Some("parry3d, all bodies moved back"),
        "a view for each ray",
    );
    vec![
        at_most("past", "recording a tick of 1,000 bodies", 40.0, "µs", recording),
        at_most(
            "past",
            "a ray between two ticks, against one in the present",
            2.0,
            "x",
            to_present(one, "a view for each ray"),
        ),
        at_most(
            "past",
            "1,000 shots at 1,000 moments, against rays in the present",
            3.0,
            "x",
            to_present(many, "cast_rays"),
        ),
        at_least("past", "a ray between two ticks, against parry3d's colliders moved back", 20.0, moved),
    ]
}

#[cfg(test)]
mod tests {
    use super::{Results, table};

    #[test]
    fn an_aim_that_was_not_measured_is_an_error() {
        let nothing = Results::default();
        let error = table(&nothing, &["queries"]).expect_err("no case was measured").to_string();
        assert!(error.contains("queries") && error.contains("load 53 joints"), "{error}");
        let error = table(&nothing, &["hulls"]).expect_err("no hull was measured").to_string();
        assert!(error.contains("hull of"), "{error}");
        assert_eq!(table(&nothing, &["obb2"]).expect("a bench without aims"), "");
    }
}
