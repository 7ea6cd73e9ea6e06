//! The workers of a run: starts them, gives them jobs, and stops those that break a limit.

use crate::AssetError;
use crate::bake_progress::{BakeProgress, BakeStage};
use crate::one_bake::Unwritten;
use crate::store::StoreInRun;
use crate::target::BakeTarget;
use crate::worker_messages::{Answer, Job, Ready, Start, receive, send};
use crate::workers::Workers;
use std::io::{self, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// What Rust prints before it ends a process that gets no memory.
const NO_MEMORY: &str = "memory allocation of";

/// The most bytes of a worker's standard error that are kept.
const MOST_TOLD: u64 = 1 << 14;

/// The workers of a run. Each works on one job at a time.
pub(crate) struct WorkerPool<'a> {
    workers: &'a Workers,
    /// All assets of the run.
    paths: &'a [PathBuf],
    /// The threads of each worker.
    threads: usize,
    idle: Mutex<Vec<Worker>>,
}

impl<'a> WorkerPool<'a> {
    /// The workers for a number of characters. They start when there is work.
    pub(crate) fn new(workers: &'a Workers, paths: &'a [PathBuf], characters: usize) -> Self {
        let threads = rayon::current_num_threads();
        let threads = threads.div_ceil(characters.clamp(1, threads));
        Self { workers, paths, threads, idle: Mutex::default() }
    }

    /// Bakes a character in an idle worker, or in a new one.
    pub(crate) fn bake(
        &self,
        store: Option<&StoreInRun>,
        target: &BakeTarget,
        progress: &dyn BakeProgress,
    ) -> Result<Unwritten, AssetError> {
        progress.stage_entered(target, BakeStage::Fitting);
        let job = Job::new(target, store.is_some_and(StoreInRun::is_there));
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let is_used = idle.is_some();
        let worker = idle.map_or_else(|| Worker::start(self), Ok)?;
        let (worker, mut answer, baked) = match worker.work(&job, self.workers) {
            // What earlier characters left in the worker may have been too much.
            Err(AssetError::TooMuchMemory { .. }) if is_used => Worker::start(self)?.work(&job, self.workers)?,
            done => done?,
        };
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        if let (Some(store), Some(news)) = (store, answer.store.take()) {
            store.add_news(news);
        }
        answer.unwritten(&baked)
    }
}

/// A process that waits for jobs. It ends when this is dropped.
struct Worker {
    child: Child,
    jobs: ChildStdin,
    answers: Receiver<io::Result<(Answer, Vec<u8>)>>,
    told: Option<JoinHandle<String>>,
}

impl Worker {
    fn start(pool: &WorkerPool<'_>) -> Result<Self, AssetError> {
        let mut command = (pool.workers.command)(pool.threads);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let pipe = |source| AssetError::WorkerPipe { source };
        let mut child = command.spawn().map_err(pipe)?;
        let missing = || pipe(io::Error::other("a pipe of the process is missing"));
        let mut jobs = child.stdin.take().ok_or_else(missing)?;
        let mut output = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        let errors = child.stderr.take().ok_or_else(missing)?;
        let told = thread::spawn(move || told_by(errors));
        let (sender, answers) = channel();
        // If it has ended, its answer does not come either, and its standard error has the reason.
        let _ = send(&mut jobs, &Start::new(pool.paths), &[]);
        let is_ready = matches!(receive::<Ready>(&mut output), Ok(Some(_)));
        let worker = Self { child, jobs, answers, told: Some(told) };
        if !is_ready {
            return Err(worker.failure(pool.workers));
        }
        thread::spawn(move || {
            while let Some(answer) = Answer::receive(&mut output).transpose() {
                let is_last = answer.is_err();
                if sender.send(answer).is_err() || is_last {
                    return;
                }
            }
        });
        Ok(worker)
    }

    /// Does a job. After an error, the process has ended.
    fn work(mut self, job: &Job, limits: &Workers) -> Result<(Self, Answer, Vec<u8>), AssetError> {
        // If it has ended, its answer does not come either.
        let _ = send(&mut self.jobs, job, &[]);
        let answer = match limits.most_time {
            Some(most) => match self.answers.recv_timeout(most) {
                Err(RecvTimeoutError::Timeout) => return Err(AssetError::TooSlow { most }),
                answer => answer.ok(),
            },
            None => self.answers.recv().ok(),
        };
        match answer {
            Some(Ok((answer, baked))) => Ok((self, answer, baked)),
            _ => Err(self.failure(limits)),
        }
    }

    /// Why the process has ended.
    fn failure(mut self, limits: &Workers) -> AssetError {
        // A process that sent garbage is still there.
        let _ = self.child.kill();
        let status = self.child.wait();
        let told = self.told.take().and_then(|told| told.join().ok()).unwrap_or_default();
        match limits.most_memory {
            Some(most) if told.contains(NO_MEMORY) => AssetError::TooMuchMemory { most },
            _ => {
                let told = told.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
                let status = status.map_or_else(|error| error.to_string(), |status: ExitStatus| status.to_string());
                AssetError::WorkerEnded { how: if told.is_empty() { status } else { format!("{status}: {told}") } }
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The beginning of what a process prints to its standard error, read to its end.
fn told_by(mut errors: impl Read) -> String {
    let mut told = Vec::new();
    let _ = errors.by_ref().take(MOST_TOLD).read_to_end(&mut told);
    let _ = io::copy(&mut errors, &mut io::sink());
    String::from_utf8_lossy(&told).into_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::path::Path;
    use std::process::Command;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    /// The error of a bake in a worker that is this script of the shell.
    fn error_of(script: &'static str, most_time: Option<Duration>) -> String {
        let command = move |_| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        };
        let workers = Workers { command: Arc::new(command), most_time, most_memory: Some(64_000_000) };
        let pool = WorkerPool::new(&workers, &[], 1);
        let Err(error) = pool.bake(None, &BakeTarget::whole(Path::new("man.glb")), &()) else { panic!("{script}") };
        assert!(pool.idle.lock().is_ok_and(|idle| idle.is_empty()), "a worker that failed is not used again");
        error.with_causes()
    }

    #[test]
    fn a_worker_that_ends_or_sends_garbage_fails_its_character_alone() {
        for (script, expected) in [
            ("echo what >&2; exit 3", "exit status: 3: what"),
            ("read -r start; echo what", "ended without a result"),
            ("read -r start; echo '{}'; exit 4", "exit status: 4"),
            ("read -r start; echo '{}'; read -r job; echo oh >&2; exit 5", "exit status: 5: oh"),
            ("read -r start; echo '{}'; read -r job; echo garbage; exec sleep 60", "ended without a result"),
            ("read -r start; echo '{}'; read -r job; kill -9 $$", "signal: 9"),
            (
                "read -r start; echo '{}'; read -r job; yes ä | head -c 1000000 >&2; echo 'memory allocation of' >&2; exit 6",
                "exit status: 6: ä",
            ),
            (
                "read -r start; echo '{}'; read -r job; echo 'memory allocation of 5 bytes failed' >&2; kill -6 $$",
                "more than 64 MB",
            ),
        ] {
            let error = error_of(script, None);
            assert!(error.contains(expected), "{script}: {error}");
        }
    }

    #[test]
    fn a_worker_that_hangs_is_stopped() {
        let start = Instant::now();
        let error = error_of("read -r start; echo '{}'; read -r job; exec sleep 60", Some(Duration::from_millis(20)));
        assert!(error.contains("took more than 0.02 s"), "{error}");
        assert!(start.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn a_program_that_does_not_exist_is_told() {
        let workers =
            Workers { command: Arc::new(|_| Command::new("no/such/program")), most_time: None, most_memory: None };
        let pool = WorkerPool::new(&workers, &[], 1);
        let Err(error) = pool.bake(None, &BakeTarget::whole(Path::new("man.glb")), &()) else { panic!() };
        assert!(error.with_causes().contains("a process that bakes cannot be reached: No such file"), "{error:?}");
    }
}
