//! `bonebox bake --watch`: bakes again after files were saved.
//!
//! The program checks the files a few times per second instead of asking the operating system for events. This works in
//! the same way on every system, network share and mounted folder, with editors that save by renaming, and for files
//! that do not exist yet. Checking a hundred files takes less than a millisecond.

use super::{Round, Session, json_lines};
use crate::terminal::{Paint, eprint_line, is_closed_output, printable_lines};
use anyhow::Context as _;
use asset_bake::{Asset, BakeRequest, find_assets};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

/// The pause between two checks, too short to notice. If two checks in a row find the same state, a save is complete.
const PAUSE: Duration = Duration::from_millis(200);

/// Checks may take at most this fraction of the time: one divided by this number.
const IDLE: u32 = 20;

/// The longest wait for files that keep changing.
const PATIENCE: Duration = Duration::from_secs(5);

/// Runs until Ctrl-C. A wrong path in the first round is an error. Later errors are printed, and the watch continues.
pub(super) fn run(session: &mut Session) -> anyhow::Result<()> {
    let stopped = stop_on_ctrl_c()?;
    // A path that does not exist at the start is a typing mistake.
    find_assets(&session.request.paths)?;
    let mut watch = Watch::default();
    let mut round = Round::First;
    while !stopped.load(Ordering::Relaxed) {
        // The state is read before the bake, so that files saved during the bake are baked again.
        let state = watch.look(&session.request);
        match session.round(round) {
            Ok(_) => {}
            Err(error) if is_closed_output(&error) => return Err(error),
            Err(_) if session.json => {}
            Err(error) => {
                eprint_line!("{} {}", Paint::stderr().red("error:"), printable_lines(&format!("{error:#}")));
            }
        }
        if round == Round::First {
            tell(session, state.len())?;
            (round, session.request.force) = (Round::Later, false);
        }
        watch.wait_for_change(&session.request, &state, &stopped);
    }
    if !session.quiet && !session.json {
        eprint_line!("stopped");
    }
    Ok(())
}

/// Returns a flag that the first Ctrl-C sets, so that the current files are finished. The second Ctrl-C ends the
/// program.
fn stop_on_ctrl_c() -> anyhow::Result<Arc<AtomicBool>> {
    /// The exit code that shells use for an interrupted program.
    const INTERRUPTED: i32 = 130;
    let stopped = Arc::new(AtomicBool::new(false));
    let flag = stopped.clone();
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    })
    .context("cannot handle Ctrl-C")?;
    Ok(stopped)
}

fn tell(session: &Session, files: usize) -> anyhow::Result<()> {
    if session.json {
        return json_lines::print_watching(files);
    }
    if !session.quiet {
        eprint_line!("watching {files} files; press Ctrl-C to stop");
    }
    Ok(())
}

/// The size and the time of a file; `None` if the file does not exist.
type Stamp = Option<(u64, Option<SystemTime>)>;

/// Every file whose change affects a bake, including files that do not exist yet.
type State = BTreeMap<PathBuf, Stamp>;

/// The files that assets name, remembered while the assets do not change.
#[derive(Default)]
struct Watch {
    named: BTreeMap<PathBuf, (Stamp, Vec<PathBuf>)>,
}

impl Watch {
    /// The present state of the files. A file that cannot be listed counts as missing.
    fn look(&mut self, request: &BakeRequest) -> State {
        let mut state = State::new();
        for path in &request.paths {
            // If one path was removed, the other paths are still watched.
            for asset in find_assets(std::slice::from_ref(path)).unwrap_or_default() {
                let at = stamp(&asset);
                for file in self.named(&asset, at).into_iter().chain(request.settings.settings_paths(&asset)) {
                    state.entry(file).or_insert_with_key(|file| stamp(file));
                }
                state.insert(asset, at);
            }
        }
        state
    }

    fn named(&mut self, asset: &Path, at: Stamp) -> Vec<PathBuf> {
        if let Some((_, files)) = self.named.get(asset).filter(|(known, _)| *known == at) {
            return files.clone();
        }
        let files = Asset::open(asset).map(|asset| asset.buffer_paths()).unwrap_or_default();
        self.named.insert(asset.to_owned(), (at, files.clone()));
        files
    }

    /// Returns when the files differ from `baked` and have stopped changing, or when the watch is to stop.
    fn wait_for_change(&mut self, request: &BakeRequest, baked: &State, stopped: &AtomicBool) {
        let mut last = baked.clone();
        let mut changed: Option<Instant> = None;
        while !stopped.load(Ordering::Relaxed) {
            let before = Instant::now();
            let state = self.look(request);
            let took = before.elapsed();
            let at_rest = state == last;
            if &state != baked {
                let since = *changed.get_or_insert(before);
                if at_rest || since.elapsed() > PATIENCE {
                    return;
                }
            }
            last = state;
            sleep(PAUSE.max(took * IDLE));
        }
    }
}

fn stamp(path: &Path) -> Stamp {
    fs::metadata(path).ok().map(|metadata| (metadata.len(), metadata.modified().ok()))
}
