//! Reads the results of benches: lines of the crate paired-timing, and the folders of criterion.

use anyhow::Context as _;
use serde_json::Value;
use std::fs;
use std::path::Path;
use xshell::Shell;

/// The cases, in the order in which they ran.
#[derive(Default)]
pub(crate) struct Results {
    pub(crate) cases: Vec<Case>,
}

/// One case: the same work done in several ways.
pub(crate) struct Case {
    pub(crate) bench: String,
    pub(crate) name: String,
    /// `true` if the runs took turns. Otherwise they ran one after the other.
    pub(crate) paired_timing: bool,
    pub(crate) runs: Vec<Run>,
}

/// The times of one run, in nanoseconds per item.
pub(crate) struct Run {
    pub(crate) name: String,
    pub(crate) is_peer: bool,
    pub(crate) least: f64,
    pub(crate) median: f64,
    /// The number of bytes per item, if the case counts bytes.
    pub(crate) bytes: Option<f64>,
}

impl Results {
    pub(crate) fn take_lines(&mut self, shell: &Shell, file: &Path) -> anyhow::Result<()> {
        if !file.exists() {
            return Ok(());
        }
        for line in shell.read_file(file)?.lines() {
            let line: Value = serde_json::from_str(line).context("a line of results")?;
            let runs = line["runs"].as_array().map(Vec::as_slice).unwrap_or_default();
            self.cases.push(Case {
                bench: text(&line["bench"]),
                name: text(&line["case"]),
                paired_timing: true,
                runs: runs.iter().map(of_turns).collect(),
            });
        }
        Ok(())
    }

    /// Reads criterion's folders. A group is a case, and a function in it is a run. A run whose name begins with
    /// `parry` is the peer.
    pub(crate) fn take_criterion(&mut self, bench: &str, folder: &Path) -> anyhow::Result<()> {
        let mut found = Vec::new();
        collect(folder, &mut found)?;
        // Criterion stores no order, so the times of the files give it.
        found.sort();
        for (_, folder) in found {
            let of = |file: &str| -> anyhow::Result<Value> {
                let path = folder.join(file);
                serde_json::from_slice(&fs::read(&path)?).with_context(|| path.display().to_string())
            };
            let (benchmark, estimates, sample) = (of("benchmark.json")?, of("estimates.json")?, of("sample.json")?);
            let case = text(&benchmark["group_id"]);
            let run = of_criterion(&benchmark, &estimates, &sample)?;
            match self.cases.iter_mut().find(|known| known.bench == bench && known.name == case) {
                Some(known) => known.runs.push(run),
                None => {
                    self.cases.push(Case { bench: bench.into(), name: case, paired_timing: false, runs: vec![run] });
                }
            }
        }
        Ok(())
    }

    pub(crate) fn case(&self, bench: &str, name: &str) -> Option<&Case> {
        self.cases.iter().find(|case| case.bench == bench && case.name == name)
    }
}

impl Case {
    pub(crate) fn run(&self, name: &str) -> Option<&Run> {
        self.runs.iter().find(|run| run.name == name)
    }

    /// The time of the fastest peer, divided by the time of that run: by the smallest times and by the medians.
    pub(crate) fn ratios(&self, run: &Run) -> Option<[f64; 2]> {
        let fastest = |time: fn(&Run) -> f64| {
            self.runs.iter().filter(|run| run.is_peer).map(time).min_by(f64::total_cmp).map(|peer| peer / time(run))
        };
        Some([fastest(|run| run.least)?, fastest(|run| run.median)?])
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn of_turns(run: &Value) -> Run {
    let time = |name: &str| run[name].as_f64().unwrap_or(f64::NAN);
    Run {
        name: text(&run["name"]),
        is_peer: run["peer"].as_bool().unwrap_or(false),
        least: time("least_ns"),
        median: time("median_ns"),
        bytes: None,
    }
}

fn of_criterion(benchmark: &Value, estimates: &Value, sample: &Value) -> anyhow::Result<Run> {
    let numbers = |value: &Value| value.as_array().map(|all| all.iter().filter_map(Value::as_f64).collect::<Vec<_>>());
    let (iterations, times) =
        (numbers(&sample["iters"]).context("iters")?, numbers(&sample["times"]).context("times")?);
    let least = times.iter().zip(iterations).map(|(time, count)| time / count).fold(f64::INFINITY, f64::min);
    let median = estimates["median"]["point_estimate"].as_f64().context("median")?;
    let items = benchmark["throughput"]["Elements"].as_f64().unwrap_or(1.0);
    let name = match (benchmark["function_id"].as_str(), benchmark["value_str"].as_str()) {
        (Some(function), Some(value)) => format!("{function} {value}"),
        (Some(one), None) | (None, Some(one)) => one.to_owned(),
        (None, None) => "all".to_owned(),
    };
    Ok(Run {
        is_peer: name.starts_with("parry"),
        name,
        least: least / items,
        median: median / items,
        bytes: benchmark["throughput"]["Bytes"].as_f64(),
    })
}

/// Finds the folders `new` with a measurement, each with the time at which it was written.
fn collect(folder: &Path, found: &mut Vec<(std::time::SystemTime, std::path::PathBuf)>) -> anyhow::Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let path = entry?.path();
        let measurement = path.join("sample.json");
        if path.ends_with("new") && measurement.exists() {
            found.push((fs::metadata(measurement)?.modified()?, path));
        } else if path.is_dir() {
            collect(&path, found)?;
        }
    }
    Ok(())
}
