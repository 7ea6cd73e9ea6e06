//! `bonebox view` shows characters, boxes and duels in a browser. `bonebox report` writes the same page into one file.
//!
//! - [`studio`] gives `page-answers` the files of the characters, and answers the questions that need more than these.
//! - [`server`] serves these answers to this machine only, and [`http`] limits the time and size of requests.
//! - [`windows`] saves edits of attacks, and [`shots`] reads explained shots.
//! - [`page`] loads the page itself and its physics engine.

mod hitboxes;
mod http;
pub(crate) mod page;
mod server;
mod shots;
mod studio;
mod tracker;
mod windows;
#[cfg(test)]
mod attack_tests;
#[cfg(test)]
mod hitbox_tests;
#[cfg(test)]
mod shot_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod server_tests;

use crate::commands::diff::DEFAULT_OVER;
use crate::commands::table::plural;
use crate::library::{index, survey};
use crate::live::BoneArguments;
use crate::settings_arguments::SettingsArguments;
use crate::terminal::eprint_line;
use crate::wrong_argument::ensure_argument;
use asset_bake::{printable_path, replace_file};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use page::Page;
use page_answers::{HeldCharacter, Kept, Listing, Model};
use serde::Serialize;
use server::Site;
use shots::Shots;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use studio::{PlayerSettings, Studio};
use tracker::Tracker;

/// Arguments of `bonebox view`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// Files (.glb, .gltf, .vrm, .fbx, .bonebox), or folders to search for .glb, .gltf, .vrm and .fbx
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Port to listen on, on 127.0.0.1 [default: any free port]
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// File of a built page, in place of the page in this program
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// Also show the shots of FILE, which has the JSON of an `Explanation` of the crate bonebox-rewind in each line
    #[arg(long, value_name = "FILE", conflicts_with = "live")]
    shots: Option<PathBuf>,
    /// Also show a player that a body tracker moves; receive its VMC packets on ADDRESS
    #[arg(long, value_name = "ADDRESS")]
    live: Option<SocketAddr>,
    /// Reduce the tracker's jitter with a One-Euro filter
    #[arg(long, requires = "live")]
    smooth: bool,
    #[command(flatten)]
    bones: BoneArguments,
    #[command(flatten)]
    settings: SettingsArguments,
}

/// Arguments of `bonebox report`.
#[derive(clap::Args, Debug)]
pub(crate) struct ReportArguments {
    /// Files (.glb, .gltf, .vrm, .fbx, .bonebox), or folders to search for .glb, .gltf, .vrm and .fbx
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// HTML file to write; with --index, the folder
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Write a folder with a page that lists all characters, each with a page of its own; up-to-date outputs are not baked again
    #[arg(long)]
    index: bool,
    /// Show what changed since the baked files of this revision of Git
    #[arg(long, value_name = "REV", requires = "index")]
    base: Option<String>,
    /// Folder that `bonebox bake --out-dir` wrote to [default: outputs are beside the assets]
    #[arg(long, value_name = "DIR", requires = "index")]
    baked: Option<PathBuf>,
    /// File of a built page, in place of the page in this program
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    #[command(flatten)]
    settings: SettingsArguments,
}

/// Serves the page until the user ends the program.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let page = Page::load(arguments.page.as_deref())?;
    let mut studio = Studio::new(&arguments.paths, arguments.settings.requested.clone())?;
    let tracker = arguments.live.map(Tracker::open).transpose()?;
    if let Some(tracker) = &tracker {
        let player = PlayerSettings { bones: arguments.bones.clone(), is_smooth: arguments.smooth };
        studio = studio.with_tracker(tracker.address(), player);
    }
    if let Some(file) = &arguments.shots {
        studio = studio.with_shots(Shots::open(file.clone())?);
    }
    let (server, address) = server::bind(arguments.port)?;
    let count = studio.len();
    let yet = if count == 0 {
        "; these paths contain no .glb, .gltf, .vrm or .fbx file yet, but the page shows new files"
    } else {
        ""
    };
    let characters = plural(count, "character", "characters");
    // The page opens the view that was asked for.
    let fragment = match (&tracker, &arguments.shots) {
        (Some(_), _) => "#view=live",
        (None, Some(_)) => "#view=shots",
        (None, None) => "",
    };
    // The page is served even if nobody reads these lines.
    let mut out = std::io::stdout();
    let _ = writeln!(out, "{characters} at http://{address}/{fragment} (press Ctrl-C to stop){yet}");
    if let Some(tracker) = &tracker {
        let _ = writeln!(out, "listening on {} for VMC packets", tracker.address());
    }
    if !arguments.no_open {
        open_browser(&format!("http://{address}/{fragment}"));
    }
    server::serve(&server, &Site { address, page: &page, studio: &studio, tracker: tracker.as_ref() });
    Ok(())
}

/// Opens the page in the user's browser. `run` also prints the address, for machines without a browser.
fn open_browser(address: &str) {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "windows" => ("cmd", &["/c", "start", ""]),
        "macos" => ("open", &[]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(before).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if command.spawn().is_err() {
        eprint_line!("cannot run {program} to open a browser; open the address yourself");
    }
}

/// The data in the page of a report.
#[derive(Serialize)]
struct Embedded {
    listing: Listing,
    models: Vec<Model>,
    bakes: Vec<Kept>,
    /// The files of the characters, for the baker in the page; empty without the baker.
    sources: Vec<SourceFile>,
    /// The options of the command line.
    options: Vec<(String, String)>,
}

/// The file of a character, and what its bake needs. Bytes are in base64.
#[derive(Serialize)]
struct SourceFile {
    name: String,
    content: String,
    settings: String,
    /// The path of the nearest settings file from the folder of the asset; `None` without settings files.
    settings_path: Option<String>,
    buffers: BTreeMap<String, String>,
}

impl SourceFile {
    fn new(held: HeldCharacter, settings_path: Option<String>) -> Self {
        let buffers = held.buffers.into_iter().map(|(uri, bytes)| (uri, BASE64_STANDARD.encode(bytes)));
        Self {
            name: held.file,
            content: BASE64_STANDARD.encode(held.bytes),
            settings: held.settings,
            settings_path,
            buffers: buffers.collect(),
        }
    }
}

/// Writes the page with the data of the characters.
pub(crate) fn report(arguments: &ReportArguments) -> anyhow::Result<()> {
    let page = Page::load(arguments.page.as_deref())?;
    if arguments.index {
        return library_page(arguments, &page);
    }
    let studio = Studio::new(&arguments.paths, arguments.settings.requested.clone())?;
    anyhow::ensure!(studio.len() > 0, crate::terminal::NO_ASSETS);
    let kept: Vec<Vec<Kept>> = (0..studio.len()).map(|id| studio.kept(id)).collect::<anyhow::Result<_>>()?;
    let baker = page.baker()?;
    if baker.is_none() {
        eprint_line!(
            "note: the report shows only the hitboxes that it contains, because there is no baker beside the page; \
             `cargo xtask viewer` builds it if Rust has the target of WebAssembly"
        );
    }
    let sources = || -> anyhow::Result<Vec<SourceFile>> {
        (0..studio.len()).map(|id| Ok(SourceFile::new(studio.held(id)?, studio.settings_path(id)?))).collect()
    };
    let embedded = Embedded {
        listing: studio.listing(),
        models: (0..studio.len()).map(|id| studio.model_of(id)).collect::<anyhow::Result<_>>()?,
        bakes: kept.into_iter().flatten().collect(),
        sources: if baker.is_some() { sources()? } else { Vec::new() },
        options: studio.requested().options.clone(),
    };
    let has_ragdoll = embedded.bakes.iter().any(|kept| kept.bake.has_ragdoll());
    let physics = if has_ragdoll { Some(page.physics()?) } else { None };
    let html = page.with_data(&serde_json::to_vec(&embedded)?, physics.as_deref(), baker.as_deref())?;
    Ok(replace_file(&arguments.out, html.as_bytes())?)
}

/// Writes the page of a library.
fn library_page(arguments: &ReportArguments, page: &Page) -> anyhow::Result<()> {
    let ReportArguments { paths, out, base, baked, settings, .. } = arguments;
    ensure_argument(!out.is_file(), || {
        format!("--index writes a folder, but {} is a file; name a folder", printable_path(out))
    })?;
    let request = survey::Request {
        paths: paths.clone(),
        baked: baked.clone(),
        settings: &settings.requested,
        base: base.as_deref(),
        over: DEFAULT_OVER,
    };
    index::write(&request, page, out)
}
