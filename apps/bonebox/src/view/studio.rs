//! Answers to the page's questions, without any network.

use crate::duel::{self, Fighter, Tick};
use crate::imported::Imported;
use crate::source;
use crate::view::data;
use crate::view::query::Query;
use anyhow::Context as _;
use baked_format::BakedCharacter;
use bone_fit::BakeOptions;
use glam::Affine3A;
use runtime::{Character, LoopMode, Posed};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The characters that are shown, and how they are baked unless the page says otherwise.
pub(crate) struct Studio {
    paths: Vec<PathBuf>,
    options: BakeOptions,
    /// What was read last, by number, and the state of its files then.
    imports: Mutex<BTreeMap<usize, (String, Arc<Imported>)>>,
    /// What was baked last, by number and options, and the state of its files then.
    bakes: Mutex<BTreeMap<BakeKey, (String, Arc<BakedCharacter>)>>,
}

/// A character's number, and the options as words.
type BakeKey = (usize, Vec<(String, String)>);

/// Bakes that are kept in memory.
const MOST_BAKES: usize = 16;

/// Imports that are kept in memory.
const MOST_IMPORTS: usize = 8;

/// The longest duel: ten minutes at 60 ticks a second.
const MOST_TICKS: u32 = 36_000;

/// All there is to choose from.
#[derive(Serialize)]
pub(crate) struct Listing {
    tool: &'static str,
    characters: Vec<ListedCharacter>,
    options: Vec<ListedOption>,
}

#[derive(Serialize)]
struct ListedCharacter {
    file: String,
    name: String,
}

#[derive(Serialize)]
struct ListedOption {
    key: &'static str,
    values: &'static str,
    text: &'static str,
}

#[derive(Serialize)]
struct Version {
    version: String,
}

#[derive(Serialize)]
struct Duel {
    /// World from model of the second fighter, three columns and a translation.
    place: [f32; 12],
    /// Each as `bonebox duel --json` prints it.
    ticks: Vec<Tick>,
}

#[derive(Serialize)]
struct PosedBox {
    joint: String,
    corners: [[f32; 3]; 8],
}

impl Studio {
    /// # Errors
    /// A path that is not there.
    pub(crate) fn new(paths: &[PathBuf], options: BakeOptions) -> anyhow::Result<Self> {
        Ok(Self { paths: source::find(paths)?, options, imports: Mutex::default(), bakes: Mutex::default() })
    }

    pub(crate) fn len(&self) -> usize {
        self.paths.len()
    }

    /// The answer to `GET /api/QUESTION?QUERY`, as JSON; `None` for a question that there is not.
    ///
    /// # Errors
    /// For people to read: a file that cannot be baked, a clip that there is not, a number out of range.
    pub(crate) fn answer(&self, question: &str, query: &Query) -> Option<anyhow::Result<String>> {
        Some(match question {
            "listing" => json(&self.listing()),
            "model" => self.model(query).and_then(|model| json(&model)),
            "bake" => self.bake(query).and_then(|bake| json(&bake)),
            "pose" => self.pose(query).and_then(|boxes| json(&boxes)),
            "duel" => self.duel(query).and_then(|duel| json(&duel)),
            "version" => self.version(query).and_then(|version| json(&version)),
            _ => return None,
        })
    }

    pub(crate) fn listing(&self) -> Listing {
        let text = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let character = |path: &PathBuf| ListedCharacter { file: text(path.file_name()), name: text(path.file_stem()) };
        let option = |help: &bone_fit::OptionHelp| ListedOption { key: help.key, values: help.values, text: help.text };
        Listing {
            tool: crate::bake::GENERATOR,
            characters: self.paths.iter().map(character).collect(),
            options: BakeOptions::HELP.iter().map(option).collect(),
        }
    }

    fn model(&self, query: &Query) -> anyhow::Result<data::Model> {
        self.model_of(self.number(query, "id")?)
    }

    pub(crate) fn model_of(&self, id: usize) -> anyhow::Result<data::Model> {
        Ok(match &*self.imported(id)? {
            Imported::Asset { model, .. } => data::Model::of_model(model),
            Imported::Baked(baked) => data::Model::of_baked(baked),
        })
    }

    fn bake(&self, query: &Query) -> anyhow::Result<data::Bake> {
        data::Bake::new(&*self.baked(self.number(query, "id")?, &self.options(query)?)?)
    }

    pub(crate) fn bake_of(&self, id: usize) -> anyhow::Result<data::Bake> {
        data::Bake::new(&*self.baked(id, &self.options)?)
    }

    /// The boxes in a pose, as the run time has them.
    fn pose(&self, query: &Query) -> anyhow::Result<Vec<PosedBox>> {
        let character = self.character(self.number(query, "id")?, query)?;
        let mut posed = Posed::new();
        match query.get("clip").unwrap_or_default() {
            "" => posed.pose_from_rest(&character, &Affine3A::IDENTITY)?,
            name => {
                let clip = duel::find_clip(&character, name)?;
                let time = LoopMode::Loop.clip_time(&character.clips()[clip.index()], query.number("time", 0.0)?);
                posed.pose_from_clip(&character, &Affine3A::IDENTITY, clip, time)?;
            }
        }
        let name = |posed: &runtime::PosedBox| character.joint_name(posed.joint).to_owned();
        let corners = |posed: &runtime::PosedBox| posed.obb().corners().map(|corner| corner.to_array());
        Ok(posed.boxes().map(|posed| PosedBox { joint: name(&posed), corners: corners(&posed) }).collect())
    }

    fn duel(&self, query: &Query) -> anyhow::Result<Duel> {
        let (distance, turn) = (query.number("distance", 1.0)?, query.number("turn", 0.0)?);
        let fps = query.number("fps", 30.0)?;
        anyhow::ensure!(fps > 0.0, "fps must be above 0");
        let place = duel::opposite(distance, turn);
        let clip = |key: &str| query.get(key).filter(|name| !name.is_empty());
        let fighter = |character: &str, clip: Option<&str>, place: Affine3A| {
            Fighter::new(self.character(self.number(query, character)?, query)?, clip, place)
        };
        let mut a = fighter("a", clip("clip_a"), Affine3A::IDENTITY)?;
        let mut b = fighter("b", clip("clip_b"), place)?;
        let count = duel::tick_count(a.seconds().max(b.seconds()), fps)?;
        anyhow::ensure!(count <= MOST_TICKS, "{count} ticks; the page shows at most {MOST_TICKS}: lower fps");
        let mut ticks = Vec::new();
        duel::ticks(&mut a, &mut b, fps, count, |tick| {
            ticks.push(tick);
            Ok(())
        })?;
        Ok(Duel { place: place.to_cols_array(), ticks })
    }

    fn version(&self, query: &Query) -> anyhow::Result<Version> {
        let version = state_of_files(&self.paths[self.number(query, "id")?]);
        Ok(Version { version })
    }

    fn character(&self, id: usize, query: &Query) -> anyhow::Result<Character> {
        Ok(Character::from_baked((*self.baked(id, &self.options(query)?)?).clone()))
    }

    /// Ours, with those of the query over them; a preset in the query sets all the others anew.
    fn options(&self, query: &Query) -> anyhow::Result<BakeOptions> {
        let ours = self.options.entries();
        let theirs: Vec<(&str, &str)> = query.below("option.").collect();
        let anew = theirs.iter().any(|(key, _)| *key == "preset");
        let ours = ours.iter().map(|(key, value)| (key.as_str(), value.as_str())).filter(|_| !anew);
        let both: Vec<(&str, &str)> = ours.chain(theirs.iter().copied()).collect();
        Ok(BakeOptions::from_entries(both)?)
    }

    /// A character's number from the query.
    fn number(&self, query: &Query, key: &str) -> anyhow::Result<usize> {
        let number = query.get(key).and_then(|text| text.parse().ok()).filter(|&number| number < self.paths.len());
        number.with_context(|| format!("{key} must be the number of a character, below {}", self.paths.len()))
    }

    fn imported(&self, id: usize) -> anyhow::Result<Arc<Imported>> {
        let path = &self.paths[id];
        remembered(&self.imports, MOST_IMPORTS, id, state_of_files(path), || Imported::open(path))
    }

    fn baked(&self, id: usize, options: &BakeOptions) -> anyhow::Result<Arc<BakedCharacter>> {
        let state = state_of_files(&self.paths[id]);
        let bake = || self.imported(id)?.bake(options);
        remembered(&self.bakes, MOST_BAKES, (id, options.entries()), state, bake)
    }
}

/// What was made for that key when the files were in that state, else what is made now.
fn remembered<K: Ord, T>(
    memory: &Mutex<BTreeMap<K, (String, Arc<T>)>>,
    most: usize,
    key: K,
    state: String,
    make: impl FnOnce() -> anyhow::Result<T>,
) -> anyhow::Result<Arc<T>> {
    // What a thread that panicked has put there is as good as any.
    let lock = || memory.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, known)) = lock().get(&key).filter(|(known, _)| *known == state) {
        return Ok(known.clone());
    }
    let made = Arc::new(make()?);
    let mut memory = lock();
    if memory.len() >= most {
        memory.clear();
    }
    memory.insert(key, (state, made.clone()));
    Ok(made)
}

fn json(answer: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string(answer)?)
}

/// Changes whenever the asset, a buffer beside a .gltf, or a bonebox.toml above them does.
fn state_of_files(path: &Path) -> String {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut files = vec![path.to_owned()];
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gltf")) {
        let beside = fs::read_dir(if folder == Path::new("") { Path::new(".") } else { folder });
        let mut buffers: Vec<PathBuf> = beside.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        buffers.retain(|file| file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bin")));
        buffers.sort();
        files.extend(buffers);
    }
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    files.extend(absolute.ancestors().map(|folder| folder.join("bonebox.toml")));
    let mut hasher = blake3::Hasher::new();
    for file in files {
        let state = fs::metadata(&file).ok().map(|metadata| (metadata.len(), metadata.modified().ok()));
        hasher.update(format!("{} {state:?}\n", file.display()).as_bytes());
    }
    hasher.finalize().to_hex()[..16].to_owned()
}
