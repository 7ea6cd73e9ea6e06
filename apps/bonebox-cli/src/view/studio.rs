//! Answers the page's requests, without a network.

use crate::duel::{self, Fighter, Tick};
use crate::duel_strikes::{DuelStrike, strikes_of_duel};
use crate::live::BoneArguments;
use crate::live::session::{Actor as LiveActor, Session};
use crate::settings_arguments::{with_skin, with_unless_set};
use crate::settings_file::edit_settings;
use crate::terminal::eprint_line;
use crate::view::data;
use crate::view::query::Query;
use crate::view::ray::RayAnswer;
use crate::view::shots::Shots;
use anyhow::Context as _;
use asset_bake::{
    AssetFinder, AssetSettings, CharacterFile, FolderResolver, RequestedSettings, character_name, find_assets,
    shown_path,
};
use baked_format::BakedCharacter;
use bone_fit::BakeOption;
use geometry_core::Ray;
use glam::Affine3A;
use runtime::{Character, ClipSampler, LoopMode, PosedCharacter};
use serde::{Deserialize, Serialize};
use skinned_model::ResolveUri as _;
use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The characters that are shown, and how they are baked unless the page chooses other options.
pub(crate) struct Studio {
    found: Mutex<Found>,
    asked: RequestedSettings,
    /// The last imports, by character index.
    imports: Memory<usize, CharacterFile>,
    /// The last bakes, by character index and options.
    bakes: Memory<BakeKey, BakedCharacter>,
    /// The escapes of the joints in the last bakes.
    escapes: Memory<BakeKey, Vec<data::Escape>>,
    /// The files of the characters that share their hitboxes with a character, by its index.
    sharing: Memory<usize, Vec<PathBuf>>,
    /// The address for a body tracker's packets, and how the tracker moves characters.
    tracker: Option<(SocketAddr, PlayerSettings)>,
    shots: Option<Shots>,
}

/// Settings that say how a body tracker moves a character.
#[derive(Debug, Default)]
pub(crate) struct PlayerSettings {
    pub(crate) bones: BoneArguments,
    /// `true` if jitter is reduced.
    pub(crate) is_smooth: bool,
}

/// The assets by index. New assets are added at the end and none is removed, so that an index always means the same
/// asset.
struct Found {
    roots: Vec<PathBuf>,
    finder: AssetFinder,
    paths: Vec<PathBuf>,
    looked: Instant,
    /// The duration of the last search.
    took: Duration,
}

/// A character's index, and the options that its bake would record. A preset and its single options have the same key.
type BakeKey = (usize, Vec<(String, String)>);

/// The number of bakes kept in memory: a few characters with every preset.
const MOST_BAKES: usize = 32;

/// The largest file that the server sends to the page, in bytes.
const MOST_FILE_BYTES: u64 = 1 << 30;

/// The number of imports kept in memory.
const MOST_IMPORTS: usize = 8;

/// The shortest time between two searches for new characters. Searches also take at most a twentieth of the time.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// The largest number of ticks of a duel: ten minutes at 60 ticks per second.
const MOST_TICKS: u32 = 36_000;

/// The characters and options that a user can choose from.
#[derive(Serialize)]
pub(crate) struct Listing {
    tool: &'static str,
    characters: Vec<ListedCharacter>,
    options: Vec<ListedOption>,
    /// The address for a body tracker's packets.
    tracker: Option<String>,
    /// `true` if there are explained shots.
    has_shots: bool,
}

#[derive(Serialize)]
struct ListedCharacter {
    file: String,
    name: String,
}

#[derive(Serialize)]
struct ListedOption {
    key: &'static str,
    values: String,
    text: String,
}

#[derive(Serialize)]
struct Version {
    version: String,
    /// The present number of characters.
    characters: usize,
}

#[derive(Serialize)]
struct Duel {
    /// World from model of the second fighter: three columns of the linear part and the translation.
    place: [f32; 12],
    /// The ticks, as `bonebox duel --json` prints them.
    ticks: Vec<Tick>,
    strikes: Vec<DuelStrike>,
    /// The reason why there are no strikes.
    strike_problem: Option<String>,
}

/// An option to write into the settings file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Change {
    /// The index of the character.
    id: usize,
    /// The name of the joint; `None` for the whole character.
    joint: Option<String>,
    key: String,
    /// The value, as on the command line.
    value: String,
}

#[derive(Serialize)]
struct PosedBox {
    joint: String,
    corners: [[f32; 3]; 8],
}

impl Studio {
    /// # Errors
    /// Returns an error if a path does not exist.
    pub(crate) fn new(paths: &[PathBuf], asked: RequestedSettings) -> anyhow::Result<Self> {
        let before = Instant::now();
        let found = find_assets(paths)?;
        let (roots, finder) = (paths.to_vec(), AssetFinder::default());
        let found = Found { roots, finder, paths: found, looked: Instant::now(), took: before.elapsed() };
        let (imports, bakes, escapes) = (Memory::new(MOST_IMPORTS), Memory::new(MOST_BAKES), Memory::new(MOST_BAKES));
        let sharing = Memory::new(MOST_BAKES);
        Ok(Self { found: Mutex::new(found), asked, imports, bakes, escapes, sharing, tracker: None, shots: None })
    }

    /// Enables the following of a body tracker.
    pub(crate) fn with_tracker(self, address: SocketAddr, player: PlayerSettings) -> Self {
        Self { tracker: Some((address, player)), ..self }
    }

    /// Shows explained shots.
    pub(crate) fn with_shots(self, shots: Shots) -> Self {
        Self { shots: Some(shots), ..self }
    }

    /// The number of the first character with this name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        lock(&self.found).paths.iter().position(|path| character_name(path) == name)
    }

    pub(crate) fn len(&self) -> usize {
        lock(&self.found).paths.len()
    }

    fn path(&self, id: usize) -> PathBuf {
        lock(&self.found).paths[id].clone()
    }

    /// Answers `GET /api/QUESTION?QUERY` with JSON. `None` if the question does not exist.
    ///
    /// # Errors
    /// Returns a message for users: a file cannot be baked, a clip does not exist, or a number is out of range.
    pub(crate) fn answer(&self, question: &str, query: &Query) -> Option<anyhow::Result<String>> {
        Some(match question {
            "listing" => json(&self.listing()),
            "model" => self.model(query).and_then(|model| json(&model)),
            "bake" => self.bake(query).and_then(|bake| json(&bake)),
            "escapes" => self.escapes(query).and_then(|escapes| json(&*escapes)),
            "pose" => self.pose(query).and_then(|boxes| json(&boxes)),
            "duel" => self.duel(query).and_then(|duel| json(&duel)),
            "ray" => self.ray(query).and_then(|answer| json(&answer)),
            "shots" => self.shots.as_ref()?.list(self),
            "shot" => self.shots.as_ref()?.shot(self, query),
            "version" => self.version(query).and_then(|version| json(&version)),
            _ => return None,
        })
    }

    pub(crate) fn listing(&self) -> Listing {
        let text = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let character = |path: &PathBuf| ListedCharacter { file: text(path.file_name()), name: text(path.file_stem()) };
        let option = |row: &BakeOption| ListedOption { key: row.key, values: row.kind.values(), text: row.help() };
        Listing {
            tool: asset_bake::GENERATOR,
            characters: lock(&self.found).paths.iter().map(character).collect(),
            options: BakeOption::ALL.iter().map(option).collect(),
            tracker: self.tracker.as_ref().map(|(address, _)| address.to_string()),
            has_shots: self.shots.is_some(),
        }
    }

    fn model(&self, query: &Query) -> anyhow::Result<data::Model> {
        self.model_of(self.number(query, "id")?)
    }

    pub(crate) fn model_of(&self, id: usize) -> anyhow::Result<data::Model> {
        Ok(match &*self.imported(id)? {
            CharacterFile::Asset { model, .. } => data::Model::of_model(model),
            CharacterFile::Baked(baked) => data::Model::of_baked(baked),
        })
    }

    fn bake(&self, query: &Query) -> anyhow::Result<data::Bake> {
        let (id, asked) = (self.number(query, "id")?, self.asked(query)?);
        let settings = self.asked.settings_paths(&self.path(id)).into_iter().find(|file| file.is_file());
        let mut bake = self.bake_of(id, &asked)?;
        bake.settings = settings.map(|file| shown_path(&file));
        Ok(bake)
    }

    fn bake_of(&self, id: usize, asked: &RequestedSettings) -> anyhow::Result<data::Bake> {
        let baked = self.baked(id, asked)?;
        let mut bake = data::Bake::new(&baked)?;
        if let CharacterFile::Asset { path, .. } = &*self.imported(id)? {
            let settings = asked.for_asset(path)?;
            bake.broken = settings.limits().broken(&baked);
            bake.joint_presets = settings.joint_presets();
            if let Some(shared) = &mut bake.shared {
                (shared.members, shared.absent) = self.members(&settings);
            }
        }
        Ok(bake)
    }

    /// The numbers of the characters that share their hitboxes, and the names of those that are not on the page.
    fn members(&self, settings: &AssetSettings) -> (Vec<usize>, Vec<String>) {
        // The same file may have several paths.
        let place = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let places: Vec<PathBuf> = lock(&self.found).paths.iter().map(|path| place(path)).collect();
        let (mut members, mut absent) = (Vec::new(), Vec::new());
        for target in settings.shared_members() {
            let at = places.iter().position(|other| *other == place(&target.path));
            match at.filter(|_| target.root.is_none()) {
                Some(id) => members.push(id),
                None => absent.push(target.name.clone()),
            }
        }
        (members, absent)
    }

    /// The joints whose surface leaves the hitboxes. Empty for a character without a surface, and with `poses = "any"`: then
    /// the run time computes the hitboxes for each pose, so the baked boxes say nothing about what a game misses.
    fn escapes(&self, query: &Query) -> anyhow::Result<Arc<Vec<data::Escape>>> {
        self.escapes_of(self.number(query, "id")?, &self.asked(query)?)
    }

    fn escapes_of(&self, id: usize, asked: &RequestedSettings) -> anyhow::Result<Arc<Vec<data::Escape>>> {
        let (imported, baked) = (self.imported(id)?, self.baked(id, asked)?);
        self.escapes.get(self.key(id, asked)?, state_of_asset(&self.path(id)), || {
            Ok(match &*imported {
                CharacterFile::Asset { model, .. } if baked.envelopes.is_empty() => {
                    data::Escape::all(model, &baked.boxes, asked.for_asset(&self.path(id))?.options())
                }
                CharacterFile::Asset { .. } | CharacterFile::Baked(_) => Vec::new(),
            })
        })
    }

    /// The bakes of a character in a report: with the options of the command line and with each preset, or a single
    /// bake if there is no choice.
    pub(crate) fn kept(&self, id: usize) -> anyhow::Result<Vec<data::Kept>> {
        let can_choose = self.is_asset(id)?;
        let presets = bone_fit::Preset::KEYWORDS.iter().filter(|_| can_choose);
        let presets = presets.map(|one| one.keyword);
        let with = |preset: &str| self.kept_with(id, Some(preset), &self.asked.with_options(&[("preset", preset)])?);
        let own = self.kept_with(id, None, &self.asked)?;
        // The user's own options are right, so an error is about a setting that this preset excludes.
        let baked = |preset: &str| match with(preset) {
            Ok(kept) => Some(kept),
            Err(error) => {
                eprint_line!("note: the report is without preset = {preset:?}: {error:#}");
                None
            }
        };
        Ok(std::iter::once(own).chain(presets.filter_map(baked)).collect())
    }

    fn kept_with(&self, id: usize, preset: Option<&str>, asked: &RequestedSettings) -> anyhow::Result<data::Kept> {
        let bake = self.bake_of(id, asked)?;
        Ok(data::Kept { id, preset: preset.map(str::to_owned), bake, escapes: self.escapes_of(id, asked)?.to_vec() })
    }

    /// The boxes in a pose, computed by the run time.
    fn pose(&self, query: &Query) -> anyhow::Result<Vec<PosedBox>> {
        let character = self.character(self.number(query, "id")?, query)?;
        let mut posed = PosedCharacter::new();
        pose(&mut posed, &character, &Affine3A::IDENTITY, query)?;
        let name = |posed: &runtime::PosedHitbox| character.joint_name(posed.joint).to_owned();
        let corners = |posed: &runtime::PosedHitbox| posed.obb().corners().map(|corner| corner.to_array());
        Ok(posed.boxes().map(|posed| PosedBox { joint: name(&posed), corners: corners(&posed) }).collect())
    }

    /// The first point of a character that a ray hits; `None` if the ray misses the character. With a distance and a
    /// turn, the character stands opposite the first one of a duel.
    fn ray(&self, query: &Query) -> anyhow::Result<Option<RayAnswer>> {
        let character = self.character_with_skin(self.number(query, "id")?, query)?;
        let place = match query.get("distance") {
            Some(_) => duel::opposite(query.number("distance", 1.0)?, query.number("turn", 0.0)?),
            None => Affine3A::IDENTITY,
        };
        let ray = Ray::try_new(query.vector("origin")?.into(), query.vector("direction")?.into())?;
        let mut posed = PosedCharacter::new();
        posed.track_skin(true);
        pose(&mut posed, &character, &place, query)?;
        RayAnswer::new(&character, &mut posed, &ray)
    }

    fn duel(&self, query: &Query) -> anyhow::Result<Duel> {
        let (distance, turn) = (query.number("distance", 1.0)?, query.number("turn", 0.0)?);
        let fps = query.number("fps", 30.0)?;
        anyhow::ensure!(fps > 0.0, "fps is {fps}, but must be above 0");
        let place = duel::opposite(distance, turn);
        let is_exact = query.get("exact") == Some("1");
        let clip = |key: &str| query.get(key).filter(|name| !name.is_empty());
        let fighter = |id: &str, clip: Option<&str>, place: Affine3A| {
            let id = self.number(query, id)?;
            let character = if is_exact { self.character_with_skin(id, query)? } else { self.character(id, query)? };
            let mut fighter = Fighter::new(character, clip, place)?;
            if is_exact {
                fighter.track_skin()?;
            }
            anyhow::Ok(fighter)
        };
        let mut a = fighter("a", clip("clip_a"), Affine3A::IDENTITY)?;
        let mut b = fighter("b", clip("clip_b"), place)?;
        let count = duel::tick_count(a.seconds().max(b.seconds()), fps)?;
        anyhow::ensure!(
            count <= MOST_TICKS,
            "the duel has {count} ticks, but the page can show at most {MOST_TICKS}; lower fps"
        );
        let mut ticks = Vec::new();
        duel::ticks(&mut a, &mut b, fps, count, |tick| {
            ticks.push(tick);
            Ok(())
        })?;
        let (strikes, strike_problem) = match strikes_of_duel([&a, &b], fps, count) {
            Ok(strikes) => (strikes, None),
            Err(error) => (Vec::new(), Some(format!("{error:#}"))),
        };
        Ok(Duel { place: place.to_cols_array(), ticks, strikes, strike_problem })
    }

    /// A session with a player that packets move and an opponent that plays a clip. Also returns world from model of
    /// the opponent.
    ///
    /// # Errors
    /// Returns a message for users: a character cannot be baked or is not a humanoid, or a clip does not exist.
    pub(crate) fn session(&self, query: &Query) -> anyhow::Result<(Session, Affine3A)> {
        let (_, settings) = self
            .tracker
            .as_ref()
            .context("bonebox view was started without --live; start it with --live to follow a body tracker")?;
        let (distance, turn) = (query.number("distance", 1.0)?, query.number("turn", 0.0)?);
        let place = duel::opposite(distance, turn);
        let player = self.character(self.number(query, "player")?, query)?;
        let rig = settings.bones.rig(&player)?;
        let player = LiveActor::tracked(player, rig, Affine3A::IDENTITY, settings.is_smooth);
        let opponent = self.character(self.number(query, "opponent")?, query)?;
        let clip = query.get("clip").filter(|name| !name.is_empty());
        Ok((Session::new(player, LiveActor::playing(opponent, clip, place)?)?, place))
    }

    fn version(&self, query: &Query) -> anyhow::Result<Version> {
        lock(&self.found).look();
        let characters = self.len();
        // An empty folder has no character yet, but may get one later.
        let version = match query.get("id") {
            Some(_) => {
                let id = self.number(query, "id")?;
                let path = self.path(id);
                let settings = state_of_files(&self.asked.settings_paths(&path));
                let sharing = self.sharing.get(id, format!("{settings} {characters}"), || Ok(self.sharing(&path)))?;
                let others = sharing.iter().map(|other| state_of_asset(other));
                [state_of_asset(&path), settings].into_iter().chain(others).collect()
            }
            None => String::new(),
        };
        Ok(Version { version, characters })
    }

    /// The files of all characters that share their hitboxes with this one. If the settings have a mistake, the next bake
    /// reports it.
    fn sharing(&self, path: &Path) -> Vec<PathBuf> {
        let settings = self.asked.for_asset(path);
        settings.iter().flat_map(AssetSettings::shared_members).map(|target| target.path.clone()).collect()
    }

    fn character(&self, id: usize, query: &Query) -> anyhow::Result<Character> {
        Ok(Character::from_baked((*self.baked(id, &self.asked(query)?)?).clone()))
    }

    /// A character with its skin, normals and texture coordinates, unless it is a .bonebox file without them.
    fn character_with_skin(&self, id: usize, query: &Query) -> anyhow::Result<Character> {
        let asked = with_unless_set(&with_skin(&self.asked(query)?)?, "skin_attributes", "all")?;
        Ok(Character::from_baked((*self.baked(id, &asked)?).clone()))
    }

    /// The options of the command line, overridden by those of the query.
    fn asked(&self, query: &Query) -> anyhow::Result<RequestedSettings> {
        Ok(self.asked.with_options(&query.below("option.").collect::<Vec<_>>())?)
    }

    /// The index of a character in the query.
    fn number(&self, query: &Query, key: &str) -> anyhow::Result<usize> {
        let count = self.len();
        let number = query.get(key).and_then(|text| text.parse().ok()).filter(|&number| number < count);
        number.with_context(|| format!("{key} must be the number of a character, below {count}"))
    }

    fn imported(&self, id: usize) -> anyhow::Result<Arc<CharacterFile>> {
        let path = self.path(id);
        self.imports.get(id, state_of_asset(&path), || Ok(CharacterFile::open(&path)?))
    }

    /// Returns a bake. Its key records the settings that affect it, so other edits of a settings file keep the bake in
    /// memory.
    pub(crate) fn baked(&self, id: usize, asked: &RequestedSettings) -> anyhow::Result<Arc<BakedCharacter>> {
        let state = state_of_asset(&self.path(id));
        self.bakes.get(self.key(id, asked)?, state, || Ok(self.imported(id)?.bake(asked)?))
    }

    fn key(&self, id: usize, asked: &RequestedSettings) -> anyhow::Result<BakeKey> {
        Ok(match &*self.imported(id)? {
            CharacterFile::Asset { path, model, .. } => (id, asked.for_asset(path)?.recorded_for(model)?),
            CharacterFile::Baked(_) => (id, Vec::new()),
        })
    }

    /// The bytes of a character's file, or of a file in the same folder that its .gltf names.
    ///
    /// # Errors
    /// Returns an error if the file does not exist, is in another folder, or is larger than [`MOST_FILE_BYTES`].
    pub(crate) fn file(&self, query: &Query) -> anyhow::Result<Vec<u8>> {
        let path = self.path(self.number(query, "id")?);
        let resolver = FolderResolver::beside(&path);
        let own = path.file_name().unwrap_or_default().to_string_lossy();
        match query.get("uri") {
            Some(uri) => Ok(resolver.resolve(uri, MOST_FILE_BYTES)?),
            None => fs::read(&path).with_context(|| format!("cannot read {own}")),
        }
    }

    /// Writes one option of a character, or of one of its joints, into the settings file that applies to the character,
    /// or into a new `bonebox.toml` beside the asset. Returns the path of the file.
    ///
    /// # Errors
    /// Returns an error if the server was started without settings, the file cannot be read or written, the option does
    /// not exist, or the change would have no effect.
    pub(crate) fn apply(&self, change: &Change) -> anyhow::Result<String> {
        let overrides = |option: &str| change.joint.is_none() && (option == change.key || option == "preset");
        if let Some((option, _)) = self.asked.options.iter().find(|(option, _)| overrides(option)) {
            anyhow::bail!(
                "bonebox view was started with --{option}, which overrides {} in bonebox.toml; start it without --{option}",
                change.key
            );
        }
        let (file, name) = self.settings_file(change.id)?;
        let joint = change.joint.as_deref();
        edit_settings(&file, |text| bake_settings::with_option(text, &name, joint, &change.key, &change.value))?;
        json(&shown_path(&file))
    }

    /// The settings file that applies to a character, or a new `bonebox.toml` beside the asset, and the character's name.
    ///
    /// # Errors
    /// Returns an error if the server was started without settings, or there is no such character.
    pub(crate) fn settings_file(&self, id: usize) -> anyhow::Result<(PathBuf, String)> {
        let count = self.len();
        anyhow::ensure!(id < count, "id must be the number of a character, below {count}");
        let path = self.path(id);
        let mut candidates = self.asked.settings_paths(&path);
        let there = candidates.iter().position(|file| file.is_file()).unwrap_or(0);
        anyhow::ensure!(
            !candidates.is_empty(),
            "bonebox view was started with --no-settings; start it without to edit bonebox.toml"
        );
        Ok((candidates.swap_remove(there), character_name(&path)))
    }

    /// Returns `true` if the file is an asset, which is baked with the settings, and no baked file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub(crate) fn is_asset(&self, id: usize) -> anyhow::Result<bool> {
        Ok(matches!(&*self.imported(id)?, CharacterFile::Asset { .. }))
    }

    /// The options of the command line.
    pub(crate) fn requested(&self) -> &RequestedSettings {
        &self.asked
    }
}

/// Poses a character by the clip and the time of the query, in a loop, or by the rest pose.
fn pose(posed: &mut PosedCharacter, character: &Character, place: &Affine3A, query: &Query) -> anyhow::Result<()> {
    match query.get("clip").unwrap_or_default() {
        "" => posed.pose_from_rest(character, place)?,
        name => {
            let clip = duel::find_clip(character, name)?;
            let time = LoopMode::Loop.clip_time(&character.clips()[clip.index()], query.number("time", 0.0)?.into());
            posed.pose_from_clip(&mut ClipSampler::new(), character, place, clip, time)?;
        }
    }
    Ok(())
}

impl Found {
    /// Searches the folders again if it is time to. A folder that cannot be read now may be readable later.
    fn look(&mut self) {
        if self.looked.elapsed() < LOOK_INTERVAL.max(20 * self.took) {
            return;
        }
        let before = Instant::now();
        let now = self.finder.find(&self.roots);
        let later: Vec<PathBuf> = now.assets.into_iter().filter(|path| !self.paths.contains(path)).collect();
        self.paths.extend(later);
        self.looked = Instant::now();
        self.took = before.elapsed();
    }
}

/// The last results by key, each with the state of the files that it was made from.
struct Memory<K, T> {
    most: usize,
    slots: Mutex<BTreeMap<K, Arc<Slot<T>>>>,
}

/// The slot is locked while its value is made, so that another request for the same value waits for it.
type Slot<T> = Mutex<Option<(String, Arc<T>)>>;

impl<K: Ord, T> Memory<K, T> {
    fn new(most: usize) -> Self {
        Self { most, slots: Mutex::default() }
    }

    /// The stored value for a key if the files are unchanged, otherwise a new value.
    fn get(&self, key: K, state: String, make: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<Arc<T>> {
        let slot = self.slot(key);
        let mut slot = lock(&slot);
        if let Some((_, known)) = slot.as_ref().filter(|(known, _)| *known == state) {
            return Ok(known.clone());
        }
        let made = Arc::new(make()?);
        *slot = Some((state, made.clone()));
        Ok(made)
    }

    fn slot(&self, key: K) -> Arc<Slot<T>> {
        let mut slots = lock(&self.slots);
        if slots.len() >= self.most && !slots.contains_key(&key) {
            slots.clear();
        }
        slots.entry(key).or_default().clone()
    }
}

/// Locks the mutex. A value from a thread that panicked is still valid.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn json(answer: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string(answer)?)
}

/// A text that changes if the asset or a buffer beside a .gltf changes.
fn state_of_asset(path: &Path) -> String {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut files = vec![path.to_owned()];
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gltf")) {
        let beside = fs::read_dir(if folder == Path::new("") { Path::new(".") } else { folder });
        let mut buffers: Vec<PathBuf> = beside.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        buffers.retain(|file| file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bin")));
        buffers.sort();
        files.extend(buffers);
    }
    state_of_files(&files)
}

/// A text that changes if the size, the time or the existence of one of these files changes.
fn state_of_files(files: &[PathBuf]) -> String {
    let mut hasher = blake3::Hasher::new();
    for file in files {
        let state = fs::metadata(file).ok().map(|metadata| (metadata.len(), metadata.modified().ok()));
        hasher.update(format!("{} {state:?}\n", file.display()).as_bytes());
    }
    hasher.finalize().to_hex()[..16].to_owned()
}
