//! `bonebox bake`: what people and build systems see of it.

mod comparison;
mod json_lines;
mod progress;
mod watch;

use crate::commands::table;
use crate::settings_arguments::SettingsArguments;
use crate::terminal::Paint;
use asset_bake::{AssetResult, BakeOutcome, BakeRequest, SettingsFiles, bake_assets};
use progress::Progress;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// Files, or folders to search for .glb, .gltf and .vrm
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Folder for the outputs [default: beside each source]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write nothing; fail where an output is not what its source bakes to
    #[arg(long)]
    check: bool,
    /// Bake also what has not changed since it was baked with the same options
    #[arg(long)]
    force: bool,
    /// Show below the table what each preset would give; without being asked to where a single file is named
    #[arg(long, conflicts_with = "json")]
    compare: bool,
    /// Do not, for it takes longer than the bake
    #[arg(long, conflicts_with = "compare")]
    no_compare: bool,
    /// Bake again whenever an asset, a buffer it names or a bonebox.toml is saved, until Ctrl-C
    #[arg(short, long, conflicts_with = "check")]
    watch: bool,
    /// Threads [default: one per processor]
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// Print only errors
    #[arg(short, long)]
    quiet: bool,
    /// Print a line of JSON for each file and a summary, for build systems
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: SettingsArguments,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { paths, out, check, force, compare, no_compare, watch, jobs, quiet, json, settings } = arguments;
    let threads = rayon::ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build()?;
    let compared = if compare {
        Compared::All
    } else if no_compare || check || watch || quiet || !matches!(&*paths, [path] if path.is_file()) {
        Compared::Nothing
    } else {
        Compared::Baked
    };
    let request = BakeRequest { paths, out_dir: out, check, force, settings: settings.requested };
    let mut session = Session { request, threads, compared, quiet, json };
    if watch {
        return watch::run(&mut session).map(|()| ExitCode::SUCCESS);
    }
    Ok(if session.round(Round::Only)? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What all rounds of baking share.
struct Session {
    request: BakeRequest,
    threads: rayon::ThreadPool,
    compared: Compared,
    quiet: bool,
    json: bool,
}

/// For which assets it is told what each preset would give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compared {
    All,
    /// For what has changed, where a single file was named: somebody looks at it. A folder of them would take minutes.
    Baked,
    Nothing,
}

/// Which round of baking it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    /// There will be no other; finding nothing to bake is an error.
    Only,
    /// The first of many.
    First,
    /// What has not changed is not told again.
    Later,
}

impl Session {
    /// Bakes what there is to bake and tells of it; whether all went well.
    ///
    /// # Errors
    /// What concerns no single asset: a path that is not there, settings that are wrong.
    fn round(&self, round: Round) -> anyhow::Result<bool> {
        let start = Instant::now();
        let progress = Progress::new(self.quiet, self.json);
        let rows = self.threads.install(|| bake_assets(&self.request, &progress));
        progress.clear();
        let rows = rows.map_err(anyhow::Error::from).inspect_err(|error| {
            if self.json {
                json_lines::print_error(error);
            }
        })?;
        anyhow::ensure!(round != Round::Only || !rows.is_empty(), "no .glb, .gltf or .vrm below these paths");
        let all_well = rows.iter().all(|row| errors(&row.outcome).is_empty());
        let told: Vec<&AssetResult> = rows
            .iter()
            .filter(|row| round != Round::Later || !matches!(row.outcome, BakeOutcome::Unchanged(_)))
            .collect();
        if self.json {
            json_lines::print(&self.request, &rows, &told, start.elapsed())?;
            return Ok(all_well);
        }
        if !self.quiet && !told.is_empty() {
            table::print_bakes(&told, self.request.check)?;
        }
        if self.compares(&rows) {
            self.print_comparison(&told)?;
        }
        let paint = Paint::stderr();
        for row in told {
            for error in errors(&row.outcome) {
                eprintln!("{} {}: {error}", paint.red("error:"), row.path.display());
            }
        }
        Ok(all_well)
    }

    fn compares(&self, rows: &[AssetResult]) -> bool {
        match self.compared {
            Compared::All => true,
            Compared::Baked => {
                rows.iter().all(|row| matches!(row.outcome, BakeOutcome::Baked(_) | BakeOutcome::Refused(..)))
            }
            Compared::Nothing => false,
        }
    }

    /// What each preset would give, for the assets that can be baked at all.
    fn print_comparison(&self, rows: &[&AssetResult]) -> anyhow::Result<()> {
        let good = rows.iter().filter(|row| !matches!(row.outcome, BakeOutcome::Failed(_)));
        let assets: Vec<&Path> = good.map(|row| row.path.as_path()).collect();
        if assets.is_empty() {
            return Ok(());
        }
        let plans = SettingsFiles::open(&self.request.settings, &assets)?;
        let compared = self.threads.install(|| comparison::compared(&plans, &assets))?;
        Ok(writeln!(std::io::stdout().lock(), "\n{compared}")?)
    }
}

/// What went wrong, a sentence each.
fn errors(outcome: &BakeOutcome) -> Vec<String> {
    match outcome {
        BakeOutcome::Failed(error) => vec![error.with_causes()],
        BakeOutcome::Refused(_, broken) => broken.iter().map(|limit| format!("{limit}; nothing was written")).collect(),
        BakeOutcome::Baked(_) | BakeOutcome::Unchanged(_) => Vec::new(),
    }
}
