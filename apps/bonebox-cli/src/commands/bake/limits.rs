//! Limits of time and memory for each file: the bakes run in processes of this program.

use anyhow::Context as _;
use asset_bake::{BakeRequest, Workers, serve_bakes};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

/// The variable that makes a process a worker. It has the number of threads.
pub(super) const WORKER: &str = "BONEBOX_WORKER";

/// The least memory that a limit may leave: the program needs a part of it before it bakes.
const LEAST_MEMORY: u64 = 16_000_000;

/// The workers of a run with these limits; `None` without a limit.
///
/// # Errors
/// Returns an error if this system cannot limit the memory, or the path of this program cannot be found.
pub(super) fn workers(most_time: Option<Duration>, most_memory: Option<u64>) -> anyhow::Result<Option<Workers>> {
    if most_time.is_none() && most_memory.is_none() {
        return Ok(None);
    }
    if most_memory.is_some() {
        anyhow::ensure!(
            CAN_LIMIT_MEMORY,
            "--max-memory needs Linux, because this system has no limit of memory for a process; use --max-seconds"
        );
    }
    let program = std::env::current_exe().context("cannot find the path of this program, which limits need")?;
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let command = move |threads: usize| {
        let mut command = Command::new(&program);
        command.args(&arguments).env(WORKER, threads.to_string());
        if most_memory.is_some() {
            // Without memory, the library of Rust waits forever for the memory that the names of the trace need.
            command.env("RUST_BACKTRACE", "0");
        }
        command
    };
    Ok(Some(Workers { command: Arc::new(command), most_time, most_memory }))
}

/// Bakes what the run that started this process asks for.
pub(super) fn work(request: &BakeRequest, threads: usize, most_memory: Option<u64>) -> anyhow::Result<()> {
    if let Some(most) = most_memory {
        limit_memory(most)?;
    }
    let threads = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    Ok(threads.install(|| serve_bakes(request, std::io::stdin().lock(), std::io::stdout()))?)
}

const CAN_LIMIT_MEMORY: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// Limits the memory of this process that is not shared with others, in bytes.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn limit_memory(most: u64) -> anyhow::Result<()> {
    use nix::sys::resource::{Resource, setrlimit};
    // No file of a process that ends for lack of memory.
    setrlimit(Resource::RLIMIT_CORE, 0, 0).context("cannot limit the memory")?;
    setrlimit(Resource::RLIMIT_DATA, most, most).context("cannot limit the memory")
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn limit_memory(_most: u64) -> anyhow::Result<()> {
    Ok(())
}

/// Reads a number of seconds above 0.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let found = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
    found
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected a number of seconds above 0, such as 60".into())
}

/// Reads a size such as `500M`, in bytes.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let units = [('M', 1_000_000), ('G', 1_000_000_000), ('T', 1_000_000_000_000)];
    let read = || {
        let unit = text.chars().last()?;
        let bytes: u64 = units.into_iter().find(|(letter, _)| *letter == unit)?.1;
        text[..text.len() - 1].parse::<u64>().ok()?.checked_mul(bytes).filter(|bytes| *bytes >= LEAST_MEMORY)
    };
    read().ok_or_else(|| {
        "expected a whole number with M, G or T (megabytes, gigabytes, terabytes), at least 16M, such as 2G".into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A worker with 4 MB waited forever when `RUST_BACKTRACE` was set.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_worker_without_memory_looks_for_no_trace() {
        let workers = workers(None, Some(LEAST_MEMORY)).unwrap().unwrap();
        let command = (workers.command)(3);
        let value =
            |name: &str| command.get_envs().find(|(key, _)| *key == name).and_then(|(_, value)| value?.to_str());
        assert_eq!((value(WORKER), value("RUST_BACKTRACE")), (Some("3"), Some("0")));
    }

    #[test]
    fn a_size_has_a_unit() {
        assert_eq!(size("16M"), Ok(LEAST_MEMORY));
        assert_eq!(size("2G"), Ok(2_000_000_000));
        for wrong in ["", "M", "2", "15M", "-1G", "1.5G", "2GB", "99999999999T", "2Ä"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
