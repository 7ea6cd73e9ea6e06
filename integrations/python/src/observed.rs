//! Runs a bake without the interpreter's lock, with progress, Ctrl-C and threads that survive a fork.

use bone_fit::{BakeObserver, BakeStep};
use pyo3::prelude::*;
use rayon::ThreadPool;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

/// The time between two looks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// The steps of a bake in their order, with the words that the progress function gets.
const STEPS: [(BakeStep, &str); 5] = [
    (BakeStep::Assign, "assign"),
    (BakeStep::Sample, "sample"),
    (BakeStep::Split, "split"),
    (BakeStep::Fit, "fit"),
    (BakeStep::Measure, "measure"),
];

/// Sends the steps to the thread that called `bake`, because the progress function may belong to that thread, as all
/// functions of Blender do.
struct Steps<'a> {
    send: Mutex<mpsc::Sender<BakeStep>>,
    is_canceled: &'a AtomicBool,
}

impl BakeObserver for Steps<'_> {
    fn step_started(&self, step: BakeStep) {
        // The receiver lives longer than the bake.
        let _ = self.send.lock().unwrap_or_else(PoisonError::into_inner).send(step);
    }

    fn is_canceled(&self) -> bool {
        self.is_canceled.load(Ordering::Relaxed)
    }
}

/// Runs `work` on other threads while this one calls `progress` and looks for Ctrl-C.
///
/// # Errors
/// Returns the exception of the progress function, or `KeyboardInterrupt`. If the progress function returns `False`, the
/// observer is canceled, and `work` returns its own error.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&dyn BakeObserver) -> T + Send,
) -> PyResult<T> {
    let is_canceled = AtomicBool::new(false);
    py.detach(|| {
        let threads = threads();
        let (send, receive) = mpsc::channel();
        thread::scope(|scope| {
            let is_canceled = &is_canceled;
            let worker = scope.spawn(move || {
                let steps = Steps { send: Mutex::new(send), is_canceled };
                threads.install(|| work(&steps))
            });
            let mut failure = None;
            loop {
                let next = receive.recv_timeout(LOOK);
                let said = match next {
                    Err(mpsc::RecvTimeoutError::Disconnected) => break,
                    _ if failure.is_some() => continue,
                    Err(mpsc::RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals()),
                    Ok(step) => Python::attach(|py| match progress {
                        Some(progress) if !goes_on(py, progress, step)? => {
                            is_canceled.store(true, Ordering::Relaxed);
                            Ok(())
                        }
                        _ => py.check_signals(),
                    }),
                };
                if let Err(error) = said {
                    is_canceled.store(true, Ordering::Relaxed);
                    failure = Some(error);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            failure.map_or(Ok(result), Err)
        })
    })
}

/// Calls the progress function. Returns false if it returned `False`.
fn goes_on(py: Python<'_>, progress: &Py<PyAny>, step: BakeStep) -> PyResult<bool> {
    let number = STEPS.iter().position(|(one, _)| *one == step).unwrap_or(0);
    let said = progress.bind(py).call1((STEPS[number].1, number + 1, STEPS.len()))?;
    Ok(!said.is_instance_of::<pyo3::types::PyBool>() || said.extract()?)
}

/// The threads of this process. A process that `multiprocessing` forked has none of its parent's threads, and would wait
/// for them without an end.
fn threads() -> Arc<ThreadPool> {
    static THREADS: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);
    let mut known = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some((_, threads)) = known.as_ref().filter(|(of, _)| *of == process) {
        return threads.clone();
    }
    #[allow(clippy::unwrap_used, reason = "without threads, there is nothing to do")]
    let threads = Arc::new(rayon::ThreadPoolBuilder::new().build().unwrap());
    if let Some((_, of_parent)) = known.replace((process, threads.clone())) {
        // Its threads do not exist here, so it must not be asked to end them.
        std::mem::forget(of_parent);
    }
    threads
}
