//! Bakes 100, 1,000 and 10,000 characters with one command, and measures memory, processors and the estimate of the time.

use super::processes;
use super::workshop::Workshop;
use super::{Skipped, missing};
use anyhow::{Context as _, ensure};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The largest memory, as a multiple of what the largest character alone needs.
const MEMORY: f64 = 4.0;

/// The least share of the time in which the threads are at work.
const BUSY: f64 = 0.9;

/// The longest time for an unchanged character, in seconds of processor time.
const UNCHANGED: f64 = 0.001;

/// The number of threads of each run.
const JOBS: usize = 2;

/// What a run took.
struct Run {
    seconds: f64,
    /// Processor time of all threads, in seconds.
    processor: f64,
    /// The share of the time in which the threads ran or waited for a processor that another process had.
    busy: f64,
    /// In MB.
    memory: f64,
    /// The time to the first result, in seconds.
    first: f64,
}

pub(super) fn run(workshop: &Workshop) -> anyhow::Result<Skipped> {
    let folder = workshop.part("scale")?;
    for count in [100, 1_000, 10_000] {
        workshop.write_library(&folder.join(format!("small{count}")), count, false)?;
    }
    workshop.write_library(&folder.join("mixed"), 400, true)?;
    let single = |library: &str, asset: &str| -> anyhow::Result<f64> {
        let at = folder.join("one").join(library);
        fs::create_dir_all(&at)?;
        fs::copy(folder.join(library).join(asset), at.join("one.glb"))?;
        Ok(measured(workshop, &folder, &format!("one/{library}"), &format!("out/one-{library}"))?.memory)
    };
    let small = single("small100", "000/c00001.glb")?;
    let large = single("mixed", "000/c00000.glb")?;
    println!("one small character needs {small:.0} MB, one character of assets/ {large:.0} MB");
    for (library, count, need) in
        [("small100", 100, small), ("small1000", 1_000, small), ("small10000", 10_000, small), ("mixed", 400, large)]
    {
        let out = format!("out/{library}");
        for round in ["baked", "unchanged"] {
            let run = measured(workshop, &folder, library, &out)?;
            println!(
                "{library} {round}: {:.1} s, {:.1} s of processor time ({:.2} ms a character), {:.0} % busy, {:.0} MB, first result after {:.2} s",
                run.seconds,
                run.processor,
                1e3 * run.processor / f64::from(count),
                100.0 * run.busy,
                run.memory,
                run.first
            );
            ensure!(run.memory <= MEMORY * need, "{:.0} MB is more than {MEMORY} times {need:.0} MB", run.memory);
            if round == "baked" && count >= 400 {
                ensure!(run.busy >= BUSY, "the threads were at work in {:.2} of the time", run.busy);
            }
            if round == "unchanged" && count >= 1_000 {
                ensure!(run.processor <= UNCHANGED * f64::from(count), "an unchanged character takes too long");
            }
        }
    }
    estimate(workshop, &folder)
}

/// Bakes a library, and measures the process until it ends.
fn measured(workshop: &Workshop, folder: &Path, library: &str, out: &str) -> anyhow::Result<Run> {
    let start = Instant::now();
    let jobs = JOBS.to_string();
    let mut bake = workshop.bonebox(folder, &["bake", library, "--out-dir", out, "--json", "--jobs", &jobs]);
    let mut child = bake.stdout(Stdio::piped()).spawn()?;
    let pid = child.id();
    let lines = BufReader::new(child.stdout.take().context("no output")?).lines();
    let reader = std::thread::spawn(move || {
        let mut first = None;
        let count = lines.map_while(Result::ok).inspect(|_| _ = first.get_or_insert_with(|| start.elapsed())).count();
        (first.unwrap_or_default(), count)
    });
    let (mut memory, mut threads) = (0.0, BTreeMap::new());
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        processes::schedule(pid, &mut threads);
        memory = processes::peak_memory(pid).unwrap_or(memory);
        sleep(Duration::from_millis(5));
    };
    let seconds = start.elapsed().as_secs_f64();
    ensure!(status.success(), "the bake of {library} failed");
    let (first, _) = reader.join().map_err(|_| anyhow::anyhow!("the reader of the output panicked"))?;
    let (processor, waiting) = threads.values().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let busy = (processor + waiting) / (seconds * JOBS as f64);
    Ok(Run { seconds, processor, busy, memory, first: first.as_secs_f64() })
}

/// Reads the progress bar in a terminal: after a tenth of the characters, its estimate must be within a factor of two.
fn estimate(workshop: &Workshop, folder: &Path) -> anyhow::Result<Skipped> {
    if let Some(reason) = missing(&["script"], "apt-get install bsdutils") {
        return Ok(Some(format!("the figures of memory and time passed, but not the progress bar: {reason}")));
    }
    let mut script = Command::new("script");
    let bake = format!("bonebox bake mixed --out-dir out/bar --jobs {JOBS}");
    script.args(["--quiet", "--return", "--command", &bake, "/dev/null"]).env("PATH", workshop.path());
    script.env("TERM", "xterm").current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped());
    let start = Instant::now();
    let mut child = script.spawn()?;
    let mut output = child.stdout.take().context("no output")?;
    let (mut text, mut buffer, mut told) = (String::new(), [0; 4096], None);
    loop {
        let read = output.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        text += &String::from_utf8_lossy(&buffer[..read]);
        if told.is_none()
            && let Some(left) = left_after_a_tenth(&text)
        {
            told = Some((start.elapsed().as_secs_f64(), left));
        }
    }
    ensure!(child.wait()?.success(), "the bake in a terminal failed");
    let (at, left) = told.context("the progress bar told no estimate")?;
    let really = start.elapsed().as_secs_f64() - at;
    println!("the progress bar said after {at:.1} s that {left:.0} s were left; it was {really:.1} s");
    ensure!(
        left <= 2.0 * really + 1.0 && really <= 2.0 * left + 1.0,
        "the estimate is wrong by more than a factor of two"
    );
    Ok(None)
}

/// The seconds that the bar tells once a tenth of the characters is finished. It looks like `40/400 c00040.glb: fitting 3s, 27s left`.
fn left_after_a_tenth(text: &str) -> Option<f64> {
    let frame = text.split(['\r', '\n']).rev().find(|frame| frame.contains(" left"))?;
    let counts = frame
        .split_whitespace()
        .find(|word| word.split('/').all(|part| part.parse::<usize>().is_ok()) && word.contains('/'))?;
    let (finished, all) = counts.split_once('/')?;
    let is_due = 10 * finished.parse::<usize>().ok()? >= all.parse().ok()?;
    let left = frame.rsplit_once(", ")?.1.split(" left").next()?;
    is_due.then(|| seconds(left)).flatten()
}

/// Reads `27s`, `2m` or `1h`.
fn seconds(text: &str) -> Option<f64> {
    let units = [('s', 1.0), ('m', 60.0), ('h', 3_600.0)];
    let (letter, unit) = units.into_iter().find(|(letter, _)| text.ends_with(*letter))?;
    Some(text.trim_end_matches(letter).trim().parse::<f64>().ok()? * unit)
}

#[cfg(test)]
mod tests {
    use super::left_after_a_tenth;

    #[test]
    fn the_bar_is_read_after_a_tenth() {
        assert_eq!(
            left_after_a_tenth("## 3/40 c.glb: fitting 1s, 12s left\r## 4/40 c.glb: reading 2s, 2m left\r"),
            Some(120.0)
        );
        assert_eq!(left_after_a_tenth("## 3/40 c.glb: fitting 1s, 12s left\r"), None);
        assert_eq!(left_after_a_tenth("## 3/40 c.glb: fitting 1s"), None);
    }
}
