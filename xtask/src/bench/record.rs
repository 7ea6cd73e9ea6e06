//! The record of a run: machine, commit, command, tables.

use super::aims::digits;
use super::results::{Case, Results};
use std::fmt::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};
use xshell::{Shell, cmd};

/// What the machine is, and how busy.
pub(crate) struct Machine {
    processor: String,
    cores: usize,
    rustc: String,
    load: Option<String>,
}

impl Machine {
    pub(crate) fn now(shell: &Shell) -> Self {
        let unknown = || "an unknown processor".to_owned();
        let information = shell.read_file("/proc/cpuinfo").unwrap_or_default();
        let model = information.lines().find(|line| line.starts_with("model name"));
        Self {
            processor: model.and_then(|line| line.split(": ").nth(1)).map_or_else(unknown, str::to_owned),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            rustc: cmd!(shell, "rustc --version").quiet().read().unwrap_or_default(),
            load: load(shell),
        }
    }
}

/// Runnable threads, averaged over a minute.
fn load(shell: &Shell) -> Option<String> {
    shell.read_file("/proc/loadavg").ok()?.split(' ').next().map(str::to_owned)
}

pub(crate) fn text(shell: &Shell, command: &str, before: &Machine, results: &Results, aims: &str) -> String {
    let mut text = format!("# Benches, {}\n\n", today());
    let commit = cmd!(shell, "git rev-parse --short HEAD").quiet().ignore_stderr().read().unwrap_or_default();
    let changed = cmd!(shell, "git status --porcelain").quiet().ignore_stderr().read().is_ok_and(|t| !t.is_empty());
    let _ = writeln!(
        text,
        "`{command}`, commit {commit}{}, {}.\n{}, {} cores, load {} before and {} after. One thread, default build.",
        if changed { " with changes" } else { "" },
        before.rustc,
        before.processor,
        before.cores,
        before.load.as_deref().unwrap_or("unknown"),
        load(shell).as_deref().unwrap_or("unknown"),
    );
    text.push_str(
        "\nTimes are the least and the median of many runs. Ratios are the fastest peer's time over ours: where runs took\n\
         turns, those of the least times hold on a busy machine too; where one ran after the other (marked *), believe\n\
         them on a quiet machine only.\n",
    );
    if !aims.is_empty() {
        let _ = write!(text, "\n## Aims\n\n{aims}");
    }
    let mut bench = "";
    for case in &results.cases {
        if case.bench != bench {
            bench = &case.bench;
            let _ = write!(
                text,
                "\n## {bench}\n\n| case | | least | median | peer / ours | by medians |\n|---|---|---|---|---|---|\n"
            );
        }
        rows(&mut text, case);
    }
    text
}

fn rows(text: &mut String, case: &Case) {
    for (index, run) in case.runs.iter().enumerate() {
        let name = if index == 0 { case.name.as_str() } else { "" };
        let ratios = case.ratios(run).filter(|_| !run.is_peer).map(|both| both.map(digits)).unwrap_or_default();
        let mark = if case.paired_timing || ratios[0].is_empty() { "" } else { "*" };
        let [least, median] = [run.least, run.median].map(time);
        let [by_least, by_median] = &ratios;
        let _ = writeln!(text, "| {name} | {} | {least} | {median} | {by_least}{mark} | {by_median}{mark} |", run.name);
    }
}

fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        large if large >= 1e7 => format!("{} ms", digits(large / 1e6)),
        middle if middle >= 1e4 => format!("{} µs", digits(middle / 1e3)),
        small => format!("{} ns", digits(small)),
    }
}

/// Writes docs/benchmarks/DATE-NAME.md and gives its path; refuses to write over another record.
pub(crate) fn write(name: &str, text: &str) -> anyhow::Result<String> {
    let path = format!("docs/benchmarks/{}-{name}.md", today());
    let file = std::fs::File::options().write(true).create_new(true).open(crate::root().join(&path));
    let mut file = file.map_err(|error| anyhow::anyhow!("{path}: {error}; give another name with --record=NAME"))?;
    std::io::Write::write_all(&mut file, text.as_bytes())?;
    Ok(path)
}

fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let [year, month, day] = date_of(seconds / 86_400);
    format!("{year}-{month:02}-{day:02}")
}

/// Year, month and day of a day counted from 1970-01-01, in the proleptic Gregorian calendar.
fn date_of(days: u64) -> [u64; 3] {
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut left) = (1970, days);
    while left >= 365 + u64::from(leap(year)) {
        left -= 365 + u64::from(leap(year));
        year += 1;
    }
    let months = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while left >= months[month] {
        left -= months[month];
        month += 1;
    }
    [year, month as u64 + 1, left + 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (days, date) in [
            (0, [1970, 1, 1]),
            (59, [1970, 3, 1]),
            (11_016, [2000, 2, 29]),
            (19_723, [2024, 1, 1]),
            (20_778, [2026, 11, 21]),
        ] {
            assert_eq!(date_of(days), date, "day {days}");
        }
    }
}
