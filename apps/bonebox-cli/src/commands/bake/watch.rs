//! `bonebox bake --watch`: bakes again what was saved.
//!
//! Files are looked at a few times a second instead of being watched by the system: that works alike on every system,
//! network share and mounted folder, with editors that save by renaming, and for files that are not there yet; and
//! looking at a hundred files takes less than a millisecond.

use super::{Round, Session, json_lines};
use crate::terminal::Paint;
use anyhow::Context as _;
use asset_bake::{Asset, BakeRequest, find_assets};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

/// The pause between two looks: too short to be waited for. Two equal looks in a row mean that a save is complete.
const PAUSE: Duration = Duration::from_millis(200);

/// The share of the time that looking may take is one in this many.
const IDLE: u32 = 20;

/// How long to wait for files that change again and again.
const PATIENCE: Duration = Duration::from_secs(5);

/// Runs until Ctrl-C. The first round's errors of paths are errors; later ones are shown, and the watch goes on.
pub(super) fn run(session: &mut Session) -> anyhow::Result<()> {
    let stopped = stop_on_ctrl_c()?;
    // A path that was never there is a mistyped one.
    find_assets(&session.request.paths)?;
    let mut watch = Watch::default();
    let mut round = Round::First;
    while !stopped.load(Ordering::Relaxed) {
        // Taken before the bake: what is saved meanwhile is baked again.
        let state = watch.look(&session.request);
        match session.round(round) {
            Ok(_) => {}
            Err(_) if session.json => {}
            Err(error) => eprintln!("{} {error:#}", Paint::stderr().red("error:")),
        }
        if round == Round::First {
            tell(session, state.len())?;
            (round, session.request.force) = (Round::Later, false);
        }
        watch.wait_for_change(&session.request, &state, &stopped);
    }
    if !session.quiet && !session.json {
        eprintln!("stopped");
    }
    Ok(())
}

/// Becomes true with the first Ctrl-C, so that what is being written is finished; the second ends the program.
fn stop_on_ctrl_c() -> anyhow::Result<Arc<AtomicBool>> {
    /// What shells say of a program that was interrupted.
    const INTERRUPTED: i32 = 130;
    let stopped = Arc::new(AtomicBool::new(false));
    let flag = stopped.clone();
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(stopped)
}

fn tell(session: &Session, files: usize) -> anyhow::Result<()> {
    if session.json {
        return json_lines::print_watching(files);
    }
    if !session.quiet {
        eprintln!("watching {files} files; Ctrl-C stops");
    }
    Ok(())
}

/// What a look at a file tells; `None` where there is none.
type Stamp = Option<(u64, Option<SystemTime>)>;

/// Every file that changes a bake when it changes, including files that do not exist yet.
type State = BTreeMap<PathBuf, Stamp>;

/// Files that assets name, remembered while the assets stay as they are.
#[derive(Default)]
struct Watch {
    named: BTreeMap<PathBuf, (Stamp, Vec<PathBuf>)>,
}

impl Watch {
    /// The files as they are now. What cannot be listed is as if it were not there.
    fn look(&mut self, request: &BakeRequest) -> State {
        let mut state = State::new();
        for path in &request.paths {
            // One path that went away leaves the others.
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

    /// Returns once files differ from `baked` and have come to rest, or when it is to stop.
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
