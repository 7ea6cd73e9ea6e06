//! Sources in, baked files out: the one code path behind `bonebox bake` and `cargo xtask bake`.

use crate::output::{folder_of, replace_file, sweep};
use crate::settings::{Asked, Plan, Plans};
use crate::source::{self, Asset};
use anyhow::Context as _;
use baked_format::BakedCharacter;
use bone_fit::Bake;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What this program writes into [`baked_format::Source::generator`].
pub const GENERATOR: &str = concat!("bonebox ", env!("CARGO_PKG_VERSION"));

/// What to bake, and how.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// Where outputs go; beside their sources where it is `None`.
    pub out_dir: Option<PathBuf>,
    /// Only compare with what is there.
    pub check: bool,
    /// Bake again what has not changed.
    pub force: bool,
    /// How boxes are made.
    pub asked: Asked,
}

impl Request {
    /// NAME.bonebox and NAME.bonebox.json of an asset.
    #[must_use]
    pub fn outputs(&self, asset: &Path) -> [PathBuf; 2] {
        let target = target(self, asset);
        [target.clone(), json_twin(&target)]
    }
}

/// What became of a source.
#[derive(Debug)]
pub enum Outcome {
    /// Written, or with `check` found to be as it should.
    Baked(Box<Bake>),
    /// Baked before from the same bytes with the same options.
    Unchanged(Box<BakedCharacter>),
    /// Its boxes break limits of the settings, a sentence each; earlier outputs are as they were.
    Refused(Box<BakedCharacter>, Vec<String>),
    /// It could not be baked; earlier outputs are as they were.
    Failed(anyhow::Error),
}

/// A source and what became of it.
#[derive(Debug)]
pub struct Row {
    /// The asset.
    pub path: PathBuf,
    /// What became of it.
    pub outcome: Outcome,
    /// How long that took.
    pub took: Duration,
}

/// What is being done to an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The asset and its buffers are read and checked.
    Reading,
    /// Boxes are fitted and measured.
    Fitting,
    /// The outputs are written, or compared.
    Writing,
}

impl Stage {
    /// In one word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Fitting => "fitting",
            Self::Writing => "writing",
        }
    }
}

/// Hears how a bake goes, from several threads at once. `()` does not listen.
pub trait Listener: Sync {
    /// These assets are to be baked.
    fn found(&self, _assets: &[PathBuf]) {}
    /// Work on an asset has come to a stage.
    fn entered(&self, _asset: &Path, _stage: Stage) {}
    /// An asset is done with; in no fixed order.
    fn finished(&self, _row: &Row) {}
}

impl Listener for () {}

/// Bakes every asset of the request, in parallel; one bad file does not stop the rest.
///
/// The rows come back sorted by path.
///
/// # Errors
/// Paths that are not there, settings that are wrong. What goes wrong with one asset is in its row.
pub fn bake_all(request: &Request, listener: &dyn Listener) -> anyhow::Result<Vec<Row>> {
    let paths = source::find(&request.paths)?;
    let plans = Plans::new(&request.asked, &paths)?;
    listener.found(&paths);
    if let Some(folder) = request.out_dir.as_deref().filter(|_| !request.check) {
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    if !request.check {
        let targets: Vec<PathBuf> = paths.iter().map(|path| target(request, path)).collect();
        targets.iter().map(|target| folder_of(target)).collect::<BTreeSet<_>>().into_iter().for_each(sweep);
    }
    let rivals = rivals(request, &paths);
    let rows = paths.into_par_iter().map(|path| {
        let start = Instant::now();
        let outcome = match rivals.get(&path) {
            Some(rival) => Err(rival_error(rival, &target(request, &path))),
            None => bake_one(request, &plans, &path, listener),
        };
        let row = Row { outcome: outcome.unwrap_or_else(Outcome::Failed), path, took: start.elapsed() };
        listener.finished(&row);
        row
    });
    Ok(rows.collect())
}

/// Assets that would overwrite an earlier one's output, with that earlier one.
fn rivals(request: &Request, paths: &[PathBuf]) -> BTreeMap<PathBuf, PathBuf> {
    let mut first: BTreeMap<PathBuf, &PathBuf> = BTreeMap::new();
    let mut rivals = BTreeMap::new();
    for path in paths {
        let earlier = *first.entry(target(request, path)).or_insert(path);
        if earlier != path {
            rivals.insert(path.clone(), earlier.clone());
        }
    }
    rivals
}

fn rival_error(rival: &Path, target: &Path) -> anyhow::Error {
    anyhow::anyhow!(
        "{} would write the same {}; rename one of the two, or bake them into different folders with -o",
        rival.display(),
        target.display()
    )
}

/// NAME.bonebox, beside the source or in the request's folder.
fn target(request: &Request, path: &Path) -> PathBuf {
    let folder = request.out_dir.as_deref().or(path.parent()).unwrap_or(Path::new(""));
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(".bonebox");
    folder.join(name)
}

/// NAME.bonebox.json.
fn json_twin(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

fn bake_one(request: &Request, plans: &Plans<'_>, path: &Path, listener: &dyn Listener) -> anyhow::Result<Outcome> {
    let plan = plans.of(path)?;
    listener.entered(path, Stage::Reading);
    let asset = Asset::open(path)?;
    let target = target(request, path);
    let unchanged = |earlier: Box<BakedCharacter>| match plan.limits().broken(&earlier) {
        broken if broken.is_empty() => Ok(Outcome::Unchanged(earlier)),
        broken => Ok(Outcome::Refused(earlier, broken)),
    };
    let earlier = if request.check || request.force { None } else { earlier_bake(&plan, &asset, &target) };
    let earlier = match earlier {
        Some(earlier) if earlier.source.blake3 == asset.own_hash() => return unchanged(earlier),
        earlier => earlier,
    };
    let (model, blake3) = asset.import()?;
    if let Some(earlier) = earlier.filter(|earlier| earlier.source.blake3 == blake3) {
        return unchanged(earlier);
    }
    let source = baked_format::Source { file: asset.file.clone(), blake3, generator: GENERATOR.into() };
    listener.entered(path, Stage::Fitting);
    let bake = plan.bake(&model, source)?;
    let broken = plan.limits().broken(&bake.character);
    if !broken.is_empty() {
        return Ok(Outcome::Refused(Box::new(bake.character), broken));
    }
    listener.entered(path, Stage::Writing);
    let files = encode(&bake.character)?;
    for (path, bytes) in [(target.clone(), &files.binary), (json_twin(&target), &files.json)] {
        if request.check { compare(&path, bytes)? } else { replace_file(&path, bytes)? }
    }
    Ok(Outcome::Baked(Box::new(bake)))
}

/// The two files of a bake.
struct Files {
    binary: Vec<u8>,
    json: Vec<u8>,
}

fn encode(character: &BakedCharacter) -> anyhow::Result<Files> {
    Ok(Files { binary: baked_format::write(character)?, json: baked_format::to_json(character).into_bytes() })
}

/// What was baked before with the same settings, from whatever bytes; anything odd about it means baking anew.
fn earlier_bake(plan: &Plan, asset: &Asset, target: &Path) -> Option<Box<BakedCharacter>> {
    let character = baked_format::read(&fs::read(target).ok()?).ok()?;
    let same = plan.made(&character)
        && character.source.generator == GENERATOR
        && character.source.file == asset.file
        && fs::read(json_twin(target)).ok()? == baked_format::to_json(&character).as_bytes();
    same.then(|| Box::new(character))
}

fn compare(path: &Path, fresh: &[u8]) -> anyhow::Result<()> {
    let there =
        fs::read(path).with_context(|| format!("cannot read {}; bake without --check first", path.display()))?;
    anyhow::ensure!(there == fresh, "{} is not what its source bakes to; bake again and commit it", path.display());
    Ok(())
}

/// Bakes one asset in memory, or loads it where it is a baked file already.
///
/// # Errors
/// As for any asset, settings that are wrong, or [`baked_format::ReadError`].
pub fn load_or_bake(path: &Path, asked: &Asked) -> anyhow::Result<Vec<u8>> {
    let is_baked = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bonebox"));
    if is_baked {
        return fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    }
    let plan = asked.plan(path)?;
    let asset = Asset::open(path)?;
    let (model, blake3) = asset.import().with_context(|| path.display().to_string())?;
    let source = baked_format::Source { file: asset.file.clone(), blake3, generator: GENERATOR.into() };
    let bake = plan.bake(&model, source).with_context(|| path.display().to_string())?;
    Ok(baked_format::write(&bake.character)?)
}
