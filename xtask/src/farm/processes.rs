//! Processes of a farm, which are found by a variable in their environments. Linux only.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable that all processes of a farm inherit. Its value is the folder of the farm.
pub(crate) const MARK: &str = "BONEBOX_FARM";

/// The processes of the farm in this folder, except this one.
pub(crate) fn of_farm(folder: &Path) -> Vec<u32> {
    let mark = format!("{MARK}={}", folder.display());
    let is_ours = |pid: &u32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        *pid != std::process::id() && environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
    };
    all().filter(is_ours).collect()
}

/// The processes of the farm, and those that have a file in its folder open: Slurm's step daemons have no environment.
pub(crate) fn of_farm_or_open(folder: &Path) -> Vec<u32> {
    let is_within = |link: PathBuf| fs::read_link(link).is_ok_and(|target| target.starts_with(folder));
    let has_open = |pid: &u32| {
        let files = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten().map(|file| file.path());
        let mut links = files.chain([PathBuf::from(format!("/proc/{pid}/cwd"))]);
        *pid != std::process::id() && links.any(is_within)
    };
    let marked = of_farm(folder);
    all().filter(|pid| marked.contains(pid) || has_open(pid)).collect()
}

fn all() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The name of the program of a process; empty if the process has ended.
pub(crate) fn name(pid: u32) -> String {
    fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default().trim().to_owned()
}

/// The temporary file that a process has open now.
pub(crate) fn open_part_file(pid: u32) -> Option<PathBuf> {
    let files = fs::read_dir(format!("/proc/{pid}/fd")).ok()?.flatten();
    let mut open = files.filter_map(|file| fs::read_link(file.path()).ok());
    open.find(|path| path.extension().is_some_and(|ending| ending == "part"))
}

/// Sends a signal. A process that has ended gets none.
pub(crate) fn signal(pid: u32, signal: &str) {
    let _ = Command::new("kill").args([&format!("-{signal}"), &pid.to_string()]).output();
}

/// What the kernel counts for a thread, in seconds: the time on a processor, and the time in which the thread could have run, but
/// other threads had the processors.
pub(crate) type Scheduled = (f64, f64);

/// Updates the times of the threads of a running process. The times of threads that have ended stay.
pub(crate) fn schedule(pid: u32, threads: &mut BTreeMap<OsString, Scheduled>) {
    for thread in fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
        let Ok(text) = fs::read_to_string(thread.path().join("schedstat")) else { continue };
        let mut numbers = text.split_whitespace().map(|number| number.parse::<f64>().unwrap_or(0.0) * 1e-9);
        let now = (numbers.next().unwrap_or(0.0), numbers.next().unwrap_or(0.0));
        let known = threads.entry(thread.file_name()).or_default();
        *known = (known.0.max(now.0), known.1.max(now.1));
    }
}

/// The largest memory of a running process so far, in MB.
pub(crate) fn peak_memory(pid: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<f64>().ok()? / 1024.0)
}
