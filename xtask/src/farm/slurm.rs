//! Bakes a library on a real cluster of Slurm, kills a worker and a node, and compares everything with one machine.

use super::processes;
use super::reports::{Reports, summary};
use super::slurm_cluster::{Cluster, wait};
use super::workshop::{Workshop, compare_folders, output};
use super::{Skipped, guide, missing};
use anyhow::ensure;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The number of made-up characters. Those of the corpus come to them.
const CHARACTERS: usize = 1_000;

/// The number of shares.
const SHARDS: usize = 6;

/// The longest time that a run may take.
const PATIENCE: Duration = Duration::from_secs(1_800);

/// The largest time of a second run, as a share of the first one.
const SECOND_RUN: f64 = 0.03;

pub(super) fn run(workshop: &Workshop) -> anyhow::Result<Skipped> {
    let needed = ["slurmctld", "slurmd", "sbatch", "munged", "parallel"];
    if let Some(reason) = missing(&needed, "apt-get install slurm-wlm munge parallel") {
        return Ok(Some(reason));
    }
    let folder = workshop.part("slurm")?;
    workshop.write_library(&folder.join("assets"), CHARACTERS, true)?;
    let real = copy_corpus(&folder.join("assets/corpus"))?;
    println!("{CHARACTERS} made-up characters and {real} real ones");
    fs::copy(crate::root().join("integrations/farm/slurm.sh"), folder.join("slurm.sh"))?;
    fs::copy(crate::root().join("integrations/farm/parallel.sh"), folder.join("parallel.sh"))?;

    let alone = ["bake", "assets", "--out-dir", "alone", "--json"];
    let (first, seconds) = timed(workshop.bonebox(&folder, &alone))?;
    println!("one machine: {seconds:.1} s of processor time; {}", counts(&summary(&first)?));

    let mut cluster = Cluster::start(workshop, &workshop.part("cluster")?)?;
    println!("{}: {} nodes on the loopback interface", cluster.told("sinfo", &["--version"])?.trim(), 3);
    broken_run(&mut cluster, &folder, CHARACTERS + real)?;
    let files = compare_folders(&folder.join("alone"), &folder.join("build/hitboxes"))?;
    println!("all {files} outputs are those of one machine, and no temporary file is left");

    // All outputs are there, then none is there but the store has all.
    let again = ["bake", "assets", "--out-dir", "build/hitboxes", "--store", "store", "--json"];
    let (report, second) = timed(workshop.bonebox(&folder, &again))?;
    let summary_of_second = summary(&report)?;
    println!(
        "a second run: {second:.2} s of processor time, {:.2} % of the first; {}",
        100.0 * second / seconds,
        counts(&summary_of_second)
    );
    ensure!(summary_of_second["unchanged"] == CHARACTERS + real, "not all are unchanged");
    ensure!(second <= SECOND_RUN * seconds, "the second run took more than {SECOND_RUN} of the first");
    let stored = ["bake", "assets", "--out-dir", "stored", "--store", "store", "--json"];
    let (report, third) = timed(workshop.bonebox(&folder, &stored))?;
    println!(
        "without outputs, from the store: {third:.2} s, {:.2} % of the first; {}",
        100.0 * third / seconds,
        counts(&summary(&report)?)
    );
    ensure!(summary(&report)?["stored"] == CHARACTERS + real, "not all came from the store");
    compare_folders(&folder.join("alone"), &folder.join("stored"))?;
    println!("{}", output(&mut workshop.bonebox(&folder, &["store", "verify", "store"]))?.trim());

    parallel(&cluster, &folder)?;
    guide::with_slurm(workshop, &cluster)?;
    Ok(None)
}

/// A run in which a worker is killed in a write, and a node is lost.
fn broken_run(cluster: &mut Cluster, folder: &Path, characters: usize) -> anyhow::Result<()> {
    let start = Instant::now();
    let last = SHARDS - 1;
    let mut sbatch = cluster.command("sbatch");
    sbatch.env("ASSETS", "assets").env("OUT", "build").env("STORE", "store").env("RAYON_NUM_THREADS", "1");
    let job = output(sbatch.args(["--parsable", &format!("--array=0-{last}"), "slurm.sh"]).current_dir(folder))?;
    let job = job.trim().to_owned();
    let mut reports = Reports::follow(&folder.join("build/reports"));
    wait("three workers", Duration::from_secs(60), || {
        reports.look();
        Ok(cluster.processes("bonebox").len() == 3 && reports.seen.len() > 20)
    })?;

    let (task, part) = kill_in_a_write(cluster, &mut reports)?;
    println!("killed the worker of task {task} in the middle of writing {}", part.display());
    // The script died with its worker, so the task has failed; a person or a watcher queues it again.
    wait("the failed task", Duration::from_secs(60), || Ok(state(cluster, &job, &task)? == "FAILED"))?;
    cluster.told("scontrol", &["requeue", &format!("{job}_{task}")])?;

    let node = "w2";
    let on_node =
        |cluster: &Cluster| cluster.told("squeue", &["--noheader", "--states=R", "--nodelist", node, "--format", "%K"]);
    let (mut lost, mut workers) = (String::new(), Vec::new());
    wait("a worker on the node", Duration::from_secs(120), || {
        reports.look();
        lost = on_node(cluster)?.trim().to_owned();
        workers =
            cluster.processes("bonebox").into_iter().filter(|pid| task_of(*pid).as_ref() == Some(&lost)).collect();
        Ok(!workers.is_empty())
    })?;
    // The worker on the lost node stands still until Slurm has noticed, so that its task is not done by then. After that, it goes on
    // for a while, as behind a broken network.
    workers.iter().for_each(|pid| processes::signal(*pid, "STOP"));
    cluster.lose_node(node)?;
    println!("killed the daemon of {node}, with task {lost} on it");
    let mut is_back = false;
    wait("the end of all tasks", PATIENCE, || {
        reports.look();
        let queue = cluster.told("squeue", &["--noheader", "--array", "--format", "%K %T %r"])?;
        for line in queue.lines().filter(|line| line.contains("PENDING") && line.contains("BeginTime")) {
            // Slurm holds a task that is queued again for two minutes.
            let task = line.split(' ').next().unwrap_or_default();
            cluster.told("scontrol", &["update", &format!("JobId={job}_{task}"), "StartTime=now"])?;
        }
        // The controller notices after ten seconds, and gives the task to another node.
        let is_lost =
            |state: &str| state.contains("down") || state.ends_with('*') && start.elapsed() > Duration::from_secs(60);
        if !is_back && is_lost(cluster.told("sinfo", &["--noheader", "--nodes", node, "--format", "%t"])?.trim()) {
            println!("{node} is lost; it comes back after {:.0} s", start.elapsed().as_secs_f64());
            workers.iter().for_each(|pid| processes::signal(*pid, "CONT"));
            cluster.start_node(node)?;
            is_back = true;
        }
        Ok(queue.trim().is_empty() && cluster.processes("bonebox").is_empty())
    })?;
    reports.look();
    ensure!(is_back, "the node was never down");

    let files = fs::read_dir(folder.join("build/reports"))?.map(|entry| Ok(entry?.path()));
    let mut files = files.collect::<anyhow::Result<Vec<_>>>()?;
    files.sort();
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    ensure!(names.len() >= SHARDS + 2, "two tasks were queued again, but there are {} reports", names.len());
    let mut merge = cluster.command("bonebox");
    let merged = output(merge.arg("merge-reports").args(&names))?;
    let merged = summary(&merged)?;
    ensure!(merged["missing"] == 0 && merged["failed"] == 0, "the merged report says {merged}");
    let done: usize =
        ["baked", "stored", "unchanged"].iter().filter_map(|key| merged[*key].as_u64()).sum::<u64>() as usize;
    ensure!(done == characters, "{done} of {characters} are done: {merged}");
    println!(
        "{} reports, {} unfinished, {} torn lines: {}",
        names.len(),
        merged["unfinished"],
        merged["torn_lines"],
        counts(&merged)
    );
    let (bakes, at_once) = reports.check_bakes()?;
    let keys =
        fs::read_dir(folder.join("store"))?.flatten().flat_map(|entry| fs::read_dir(entry.path())).flatten().flatten();
    let keys: BTreeSet<_> =
        keys.map(|entry| entry.file_name()).filter(|name| name.to_string_lossy().ends_with(".bake")).collect();
    println!(
        "{bakes} reported bakes for {} entries in the store; {at_once} ran while another worker baked the same character",
        keys.len()
    );
    ensure!(keys.len() == characters, "the store has {} entries for {characters} characters", keys.len());
    println!("the broken run took {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Stops a worker while it has a temporary file open, and kills it. Returns the task and the file.
fn kill_in_a_write(cluster: &Cluster, reports: &mut Reports) -> anyhow::Result<(String, std::path::PathBuf)> {
    let start = Instant::now();
    loop {
        ensure!(start.elapsed() < Duration::from_secs(120), "no worker was hit in a write");
        reports.look();
        for pid in cluster.processes("bonebox") {
            for _ in 0..2_000 {
                if processes::open_part_file(pid).is_none() {
                    continue;
                }
                processes::signal(pid, "STOP");
                let (part, task) = (processes::open_part_file(pid), task_of(pid));
                if let Some((part, task)) = part.filter(|part| part.exists()).zip(task) {
                    processes::signal(pid, "KILL");
                    return Ok((task, part));
                }
                processes::signal(pid, "CONT");
            }
        }
    }
}

fn task_of(pid: u32) -> Option<String> {
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    let environment = String::from_utf8_lossy(&environment).into_owned();
    environment.split('\0').find_map(|variable| variable.strip_prefix("SLURM_ARRAY_TASK_ID=")).map(str::to_owned)
}

fn state(cluster: &Cluster, job: &str, task: &str) -> anyhow::Result<String> {
    let shown = cluster.told("scontrol", &["--oneliner", "show", "job", &format!("{job}_{task}")])?;
    let state = shown.split_whitespace().find_map(|word| word.strip_prefix("JobState="));
    Ok(state.unwrap_or_default().to_owned())
}

/// The same library with GNU parallel, on this machine and over two hosts, whose `ssh` is a script that stays here.
fn parallel(cluster: &Cluster, folder: &Path) -> anyhow::Result<()> {
    let ssh = folder.join("ssh");
    fs::write(
        &ssh,
        "#!/bin/sh\n# Runs the command here in place of the host.\nwhile [ \"${1#-}\" != \"$1\" ]; do shift; done\nshift\n[ \"$1\" != -- ] || shift\nexec sh -c \"$*\"\n",
    )?;
    output(Command::new("chmod").arg("+x").arg(&ssh))?;
    for (hosts, out) in [("", "parallel-one"), ("render1,render2", "parallel-two")] {
        let mut script = cluster.command("sh");
        script.args(["parallel.sh", "assets", out, "store", "4"]).current_dir(folder).env("HOSTS", hosts);
        output(script.env("PARALLEL_SSH", &ssh).env("PARALLEL_HOME", folder.join("parallel-home")))?;
        let report = fs::read_to_string(folder.join(out).join("report.jsonl"))?;
        compare_folders(&folder.join("alone"), &folder.join(out).join("hitboxes"))?;
        let hosts = if hosts.is_empty() { "this machine" } else { hosts };
        println!("GNU parallel on {hosts}: {}", counts(&summary(&report)?));
    }
    Ok(())
}

/// Runs a command, and returns its output and the processor time of all its threads, in seconds.
pub(super) fn timed(mut command: Command) -> anyhow::Result<(String, f64)> {
    // The shell prints the times of its children.
    let mut shell = Command::new("bash");
    shell
        .args(["-c", "\"$@\"; code=$?; times >&2; exit $code", "bash"])
        .arg(command.get_program())
        .args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    shell.env_remove("BONEBOX_STORE");
    let output = shell.output()?;
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), "{command:?} failed: {errors}");
    // Two lines: the shell's own times, and those of its children, such as "0m1.5s 0m0.2s".
    let last = errors.lines().last().unwrap_or_default();
    let seconds = last.split_whitespace().filter_map(|time| {
        let (minutes, seconds) = time.strip_suffix('s')?.split_once('m')?;
        Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
    });
    command.stdin(std::process::Stdio::null());
    Ok((String::from_utf8(output.stdout)?, seconds.sum()))
}

fn counts(summary: &Value) -> String {
    let count = |key: &str| format!("{} {key}", summary[key]);
    ["baked", "stored", "unchanged", "failed"].map(count).join(", ")
}

/// Copies some real characters into a folder, if they are there.
fn copy_corpus(folder: &Path) -> anyhow::Result<usize> {
    let corpus = crate::ignored::corpus();
    let found: Vec<_> = corpus::RAGDOLLS.iter().map(|name| corpus.join(name)).filter(|file| file.is_file()).collect();
    if found.is_empty() {
        println!("SKIPPED: the corpus of real characters, which is not at {}", corpus.display());
        return Ok(0);
    }
    fs::create_dir_all(folder)?;
    let glb = found.iter().filter(|file| file.extension().is_some_and(|ending| ending == "glb"));
    let mut count = 0;
    for file in glb {
        fs::copy(file, folder.join(file.file_name().unwrap_or_default()))?;
        count += 1;
    }
    Ok(count)
}
