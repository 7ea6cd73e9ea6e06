//! `bonebox bake`: its arguments and its output for people and build systems.

mod comparison;
mod depfile;
mod fit_clock;
mod folder_events;
mod json_lines;
mod limits;
pub(crate) mod progress;
mod rows;
mod watch;

use crate::commands::table::plural;
use crate::exit_code::{FAILURE, SUCCESS};
use crate::library::findings::{self, Checked};
use crate::library::{junit, sarif};
use crate::settings_arguments::SettingsArguments;
use crate::store_address::StoreAddress;
use crate::terminal::{Paint, eprint_line, is_read, printable_lines};
use asset_bake::{
    AssetResult, BakeOutcome, BakeRequest, BakeRun, BakeTarget, SettingsFiles, Shard, bake_each, printable_path,
    replace_file,
};
use baked_format::BakedCharacter;
use progress::Progress;
use rows::{Outcome, Row, WarningSummary};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// Files to bake, or folders to search for .glb, .gltf, .vrm and .fbx; the search skips files that `bonebox export` wrote
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Folder for the outputs, with the subfolders of PATHS [default: beside each source]
    #[arg(short = 'o', long, alias = "out", value_name = "DIR")]
    out_dir: Option<PathBuf>,
    /// Write all outputs into DIR itself, without subfolders
    #[arg(long, requires = "out_dir")]
    flat: bool,
    /// Bake only share I of N (I from 0 to N - 1), so that N machines bake everything; the shares take about the same time
    #[arg(long, value_name = "I/N", conflicts_with = "watch")]
    shard: Option<Shard>,
    /// Folder, or s3://BUCKET/PREFIX, with the results of earlier bakes, which machines may share: what is in it is not baked
    /// again (not with --check)
    #[arg(long, value_name = "STORE", env = "BONEBOX_STORE", hide_env_values = true)]
    store: Option<StoreAddress>,
    /// Start no further file after one has failed
    #[arg(long, conflicts_with = "watch")]
    fail_fast: bool,
    /// Bake all other files after one has failed (the default)
    #[arg(long, conflicts_with = "fail_fast")]
    keep_going: bool,
    /// Longest time for each file in seconds: a bake that takes longer is stopped and fails, and the others go on [default: no limit]
    #[arg(long, value_name = "N", value_parser = limits::seconds)]
    max_seconds: Option<Duration>,
    /// Most memory for each file, such as 2G: a bake that needs more is stopped and fails, and the others go on; only on Linux
    /// [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = limits::size)]
    max_memory: Option<u64>,
    /// Bake what the process that started this one asks for, with this number of threads
    #[arg(long, hide = true, env = limits::WORKER)]
    worker: Option<usize>,
    /// Write the files that the outputs depend on into FILE, as a rule for Make and Ninja, if all files are baked
    #[arg(long, value_name = "FILE", conflicts_with_all = ["watch", "check"])]
    depfile: Option<PathBuf>,
    /// Name of the target in the depfile [default: the outputs]
    #[arg(long, value_name = "TARGET", requires = "depfile")]
    depfile_target: Option<String>,
    /// Bake each of several characters in a file to NAME_ROOT.bonebox, where ROOT is the name of its root node
    #[arg(long)]
    split: bool,
    /// Write nothing, and fail if an output differs from a fresh bake
    #[arg(long)]
    check: bool,
    /// Bake unchanged files too, and overwrite outputs that have a clip of `bonebox import-motion`
    #[arg(long)]
    force: bool,
    /// Print a comparison of the presets after the table [default: only if one file is named]
    #[arg(long, conflicts_with = "json")]
    compare: bool,
    /// Skip the comparison of presets (it takes longer than the bake)
    #[arg(long, conflicts_with = "compare")]
    no_compare: bool,
    /// Bake again whenever an asset, a buffer file of a .gltf, a motion or a bonebox.toml is saved, until Ctrl-C
    #[arg(short, long, conflicts_with = "check")]
    watch: bool,
    /// Number of threads [default: one per processor]
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// Print only errors
    #[arg(short, long)]
    quiet: bool,
    /// Print a line of JSON for each file and a summary, for build systems
    #[arg(long)]
    json: bool,
    /// Also write broken limits, failures and warnings to FILE as SARIF 2.1.0, for code scanning
    #[arg(long, value_name = "FILE", conflicts_with = "watch")]
    sarif: Option<PathBuf>,
    /// Also write a test for each character to FILE as JUnit's XML
    #[arg(long, value_name = "FILE", conflicts_with = "watch")]
    junit: Option<PathBuf>,
    #[command(flatten)]
    settings: SettingsArguments,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<u8> {
    let Arguments {
        paths,
        out_dir,
        flat,
        shard,
        store,
        fail_fast,
        keep_going: _,
        max_seconds,
        max_memory,
        worker,
        depfile,
        depfile_target,
        split,
        check,
        force,
        compare,
        no_compare,
        watch,
        jobs,
        quiet,
        json,
        sarif,
        junit,
        settings,
    } = arguments;
    let compared = if compare {
        Compared::All
    } else if no_compare || check || watch || quiet || !matches!(&*paths, [path] if path.is_file()) {
        Compared::Nothing
    } else {
        Compared::Baked
    };
    let store = store.map(|store| store.open()).transpose()?;
    let request = BakeRequest {
        paths,
        out_dir,
        flat,
        shard,
        store,
        fail_fast,
        workers: if worker.is_some() { None } else { limits::workers(max_seconds, max_memory)? },
        check,
        in_memory: false,
        force,
        split,
        settings: settings.requested,
    };
    if let Some(threads) = worker {
        return limits::work(&request, threads, max_memory).map(|()| SUCCESS);
    }
    let threads = rayon::ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build()?;
    // The list is older than the outputs: what changes during the bake is baked by the next run.
    let rule = match &depfile {
        Some(_) => Some(depfile::rule(&request, depfile_target)?),
        None => None,
    };
    let mut session = Session { request, threads, compared, quiet, json, sarif, junit };
    if watch {
        return watch::run(&mut session).map(|()| SUCCESS);
    }
    let all_well = session.round(Round::Only)?;
    if let (true, Some(file), Some(rule)) = (all_well, &depfile, rule) {
        replace_file(file, rule.as_bytes())?;
    }
    Ok(if all_well { SUCCESS } else { FAILURE })
}

/// The state that all rounds of baking share.
struct Session {
    request: BakeRequest,
    threads: rayon::ThreadPool,
    compared: Compared,
    quiet: bool,
    json: bool,
    sarif: Option<PathBuf>,
    junit: Option<PathBuf>,
}

/// What is kept of a result.
struct Shortened {
    row: Row,
    line: Option<anyhow::Result<String>>,
    /// `None` if no other program is told.
    checked: Option<Checked>,
}

/// The assets for which the presets are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compared {
    All,
    /// The assets that were baked, if a single file was named. A comparison for a whole folder would take minutes.
    Baked,
    Nothing,
}

/// The round of baking: the only round, or the first or a later round of `--watch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    /// The only round. It is an error if there is nothing to bake.
    Only,
    /// The first round of `--watch`.
    First,
    /// A later round. Unchanged assets are not printed again.
    Later,
}

impl Session {
    /// Bakes the assets and prints the results. Returns whether all assets were baked.
    ///
    /// # Errors
    /// Returns an error if the settings are wrong, or if there is nothing to bake. Errors of single assets are printed.
    fn round(&self, round: Round) -> anyhow::Result<bool> {
        let start = Instant::now();
        let progress = Progress::new(self.quiet, self.json, self.request.shard);
        let (mut warnings, mut printed, mut all_checked) = (WarningSummary::default(), Ok(()), Vec::new());
        let take = |Shortened { mut row, line, checked }: Shortened| {
            all_checked.extend(checked);
            if is_told(round, row.outcome) {
                warnings.add(&mut row);
            }
            if let (Some(line), true) = (line, printed.is_ok()) {
                printed = line.and_then(|line| json_lines::print_text(&line));
            }
            row
        };
        let run =
            self.threads.install(|| bake_each(&self.request, &progress, |result| self.shorten(round, result), take));
        progress.clear();
        let run = run.map_err(anyhow::Error::from).inspect_err(|error| {
            if self.json {
                json_lines::print_error(error);
            }
        })?;
        let BakeRun {
            results: rows,
            store,
            other_shards,
            not_started,
            ignored_exports,
            other_formats,
            ignored,
            motion_files,
        } = run;
        if let Some(problem) = store.as_ref().and_then(|used| used.problem.as_ref()) {
            eprint_line!("{} {}", Paint::stderr().yellow("warning:"), printable_lines(problem));
        }
        self.write_findings(all_checked, &not_started)?;
        let not_started: Vec<PathBuf> = not_started.into_iter().map(|target| target.path).collect();
        if !self.json && !self.quiet && round != Round::Later {
            note_left_out(&ignored_exports, "they are exports of bonebox", "name a file to bake it");
            note_left_out(&motion_files, "they have no skin and only give motions", "name a file to bake it");
            note_left_out(
                &other_formats,
                "they are neither glTF 2.0 nor FBX",
                "export them as .glb, .gltf, .vrm or .fbx",
            );
            note_left_out(
                &ignored,
                "a .gitignore or .boneboxignore leaves them out",
                "name a file to bake it, or write an exception such as `!*.glb` into a .boneboxignore",
            );
            note_left_out(&not_started, "another file failed before and --fail-fast is set", "bake again");
            if other_shards > 0 {
                eprint_line!("note: {} more in other shards", plural(other_shards, "character", "characters"));
            }
        }
        anyhow::ensure!(round != Round::Only || !rows.is_empty() || other_shards > 0, crate::terminal::NO_ASSETS);
        let all_well = rows.iter().all(|row| row.errors.is_empty());
        // Errors come first: if standard output goes to a program that reads slowly, the tables have to wait.
        if !self.json {
            print_errors(&rows);
        }
        let printed = match self.json {
            true => printed.and_then(|()| {
                let left_out = json_lines::LeftOut {
                    ignored_exports: &ignored_exports,
                    other_formats: &other_formats,
                    motion_files: &motion_files,
                    ignored: &ignored,
                    not_started: &not_started,
                    other_shards,
                };
                json_lines::print_summary(&rows, left_out, start.elapsed())
            }),
            false => self.print_tables(round, &rows, &warnings),
        };
        if round != Round::Only {
            // A watch ends when nobody reads its output any more.
            printed?;
        } else if !is_read(printed)? && self.json {
            print_errors(&rows);
        }
        Ok(all_well)
    }

    /// What is kept of a result, its line of JSON, and what other programs are told.
    fn shorten(&self, round: Round, result: AssetResult) -> Shortened {
        let errors = errors(&result.outcome);
        let has_line = self.json && is_told(round, Outcome::of(&result.outcome));
        Shortened {
            line: has_line.then(|| json_lines::text_of(&self.request, &result, &errors)),
            checked: (self.sarif.is_some() || self.junit.is_some()).then(|| Checked::new(&result)),
            row: Row::new(result, errors, self.request.check, self.compared != Compared::Nothing),
        }
    }

    /// Writes the files for other programs.
    fn write_findings(&self, mut checked: Vec<Checked>, not_started: &[BakeTarget]) -> anyhow::Result<()> {
        findings::add_limits(&self.request.settings, &mut checked)?;
        if let Some(file) = &self.sarif {
            replace_file(file, sarif::document(&checked).as_bytes())?;
        }
        if let Some(file) = &self.junit {
            replace_file(file, junit::document(&checked, not_started).as_bytes())?;
        }
        Ok(())
    }

    fn print_tables(&self, round: Round, rows: &[Row], warnings: &WarningSummary) -> anyhow::Result<()> {
        let told: Vec<&Row> = rows.iter().filter(|row| is_told(round, row.outcome)).collect();
        if !self.quiet && !told.is_empty() {
            rows::print_bakes(&told, warnings)?;
        }
        if self.compares(rows) {
            self.print_comparison(&told)?;
        }
        Ok(())
    }

    fn compares(&self, rows: &[Row]) -> bool {
        match self.compared {
            Compared::All => true,
            Compared::Baked => rows.iter().all(|row| matches!(row.outcome, Outcome::Baked | Outcome::Refused)),
            Compared::Nothing => false,
        }
    }

    /// Prints the comparison of presets for the assets that can be baked.
    fn print_comparison(&self, rows: &[&Row]) -> anyhow::Result<()> {
        let bakes: Vec<(&BakeTarget, &BakedCharacter)> =
            rows.iter().filter_map(|row| Some((&row.target, row.character.as_deref()?))).collect();
        if bakes.is_empty() {
            return Ok(());
        }
        let settings = SettingsFiles::open(&self.request.settings, bakes.iter().map(|(target, _)| &target.path))?;
        let compared = self.threads.install(|| comparison::compared(&settings, &bakes))?;
        Ok(writeln!(std::io::stdout().lock(), "\n{compared}")?)
    }
}

/// Prints a note about files in the searched folders that were not baked.
fn note_left_out(files: &[PathBuf], reason: &str, cure: &str) {
    if let [first, ..] = files {
        let (count, first) = (files.len(), printable_path(first));
        eprint_line!("note: {count} not baked, because {reason} (such as {first}); {cure}");
    }
}

/// Returns whether a round prints results of this kind.
fn is_told(round: Round, outcome: Outcome) -> bool {
    round != Round::Later || outcome != Outcome::Unchanged
}

/// Prints the errors of these assets to standard error.
fn print_errors(rows: &[Row]) {
    let paint = Paint::stderr();
    for row in rows {
        for error in &row.errors {
            let error = printable_lines(error);
            eprint_line!("{} {}: {error}", paint.red("error:"), row.target.shown());
        }
    }
}

/// The errors of one asset, one sentence each.
fn errors(outcome: &BakeOutcome) -> Vec<String> {
    match outcome {
        BakeOutcome::Failed(error) => vec![error.with_causes()],
        BakeOutcome::Refused(_, broken) => broken.iter().map(|limit| format!("{limit}; no file was written")).collect(),
        BakeOutcome::Baked(_) | BakeOutcome::Stored(_) | BakeOutcome::Unchanged(_) => Vec::new(),
    }
}
