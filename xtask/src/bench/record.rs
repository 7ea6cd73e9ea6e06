//! Writes the record of a run: machine, commit, command and tables.

use super::aims::digits;
use super::results::{Case, Results};
use std::fmt::Write as _;
use xshell::{Shell, cmd};

/// The machine and its load.
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

/// The number of runnable threads, averaged over one minute.
fn load(shell: &Shell) -> Option<String> {
    shell.read_file("/proc/loadavg").ok()?.split(' ').next().map(str::to_owned)
}

pub(crate) fn text(shell: &Shell, command: &str, before: &Machine, results: &Results, aims: &str) -> String {
    let mut text = format!("# Benches, {}\n\n", today(shell));
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
        "\nTimes are the least and the median of many runs. A ratio is the fastest peer's time over ours. If the two programs\n\
         ran in turns, the ratio of the least times holds on a busy machine too. If one program ran after the other (marked\n\
         *), believe the ratio only if the machine was quiet.\n",
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

/// Writes docs/benchmarks/NAME.md and returns its path. The earlier record stays in git's history.
pub(crate) fn write(name: &str, text: &str) -> anyhow::Result<String> {
    let path = format!("docs/benchmarks/{name}.md");
    std::fs::write(crate::root().join(&path), text).map_err(|error| anyhow::anyhow!("{path}: {error}"))?;
    Ok(path)
}

/// The current date in UTC.
fn today(shell: &Shell) -> String {
    cmd!(shell, "date -u +%F").quiet().read().unwrap_or_else(|_| "on an unknown day".to_owned())
}
