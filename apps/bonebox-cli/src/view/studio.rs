//! Answers the page's requests from files, without a network.

use crate::live::BoneArguments;
use crate::live::session::{Actor as LiveActor, Session};
use crate::settings_file::edit_settings;
use crate::terminal::eprint_line;
use crate::view::shots::Shots;
use anyhow::Context as _;
use asset_bake::{
    AssetFinder, AssetSettings, CharacterFile, FolderResolver, RequestedSettings, character_name, find_assets,
    folder_of, shown_path,
};
use bake_settings::Settings;
use baked_format::BakedCharacter;
use glam::Affine3A;
use page_answers::{Answers, Characters, HeldCharacter, Kept, Listing, MeasureQuery, Memory, Model, Query, duel};
use serde::{Deserialize, Serialize};
use skinned_model::ResolveUri as _;
use std::borrow::Cow;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The characters that are shown, and how they are baked unless the page chooses other options.
pub(crate) struct Studio {
    answers: Answers<Files>,
    /// The files of the characters that share their hitboxes with a character, by its index.
    sharing: Memory<usize, Vec<PathBuf>>,
    /// The address for a body tracker's packets, and how the tracker moves characters.
    tracker: Option<(SocketAddr, PlayerSettings)>,
    shots: Option<Shots>,
}

/// The characters' files, and the requested options.
struct Files {
    found: Mutex<Found>,
    requested: RequestedSettings,
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

/// The number of characters whose companions are kept in memory.
const MOST_SHARING: usize = 32;

/// The largest file that the server sends to the page, in bytes.
const MOST_FILE_BYTES: u64 = 1 << 30;

/// The shortest time between two searches for new characters. Searches also take at most a twentieth of the time.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

#[derive(Serialize)]
struct Version {
    version: String,
    /// The present number of characters.
    characters: usize,
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

impl Studio {
    /// # Errors
    /// Returns an error if a path does not exist.
    pub(crate) fn new(paths: &[PathBuf], requested: RequestedSettings) -> anyhow::Result<Self> {
        let before = Instant::now();
        let found = find_assets(paths)?;
        let (roots, finder) = (paths.to_vec(), AssetFinder::default());
        let found = Found { roots, finder, paths: found, looked: Instant::now(), took: before.elapsed() };
        let answers = Answers::new(Files { found: Mutex::new(found), requested });
        Ok(Self { answers, sharing: Memory::new(MOST_SHARING), tracker: None, shots: None })
    }

    /// Enables the following of a body tracker.
    pub(crate) fn with_tracker(self, address: SocketAddr, player: PlayerSettings) -> Self {
        Self { tracker: Some((address, player)), ..self }
    }

    /// Shows explained shots.
    pub(crate) fn with_shots(self, shots: Shots) -> Self {
        Self { shots: Some(shots), ..self }
    }

    fn files(&self) -> &Files {
        self.answers.characters()
    }

    /// The number of the first character with this name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        lock(&self.files().found).paths.iter().position(|path| character_name(path) == name)
    }

    pub(crate) fn len(&self) -> usize {
        self.files().count()
    }

    /// Answers `GET /api/QUESTION?QUERY` with JSON. `None` if the question does not exist.
    ///
    /// # Errors
    /// Returns a message for users: a file cannot be baked, a clip does not exist, or a number is out of range.
    pub(crate) fn answer(&self, question: &str, query: &Query) -> Option<anyhow::Result<String>> {
        Some(match question {
            "listing" => json(&self.listing()),
            "shots" => self.shots.as_ref()?.list(self),
            "shot" => self.shots.as_ref()?.shot(self, query),
            "version" => self.version(query).and_then(|version| json(&version)),
            _ => return self.answers.answer(question, query),
        })
    }

    pub(crate) fn listing(&self) -> Listing {
        let mut listing = Listing::new(self.files());
        listing.tracker = self.tracker.as_ref().map(|(address, _)| address.to_string());
        listing.has_shots = self.shots.is_some();
        listing
    }

    pub(crate) fn model_of(&self, id: usize) -> anyhow::Result<Model> {
        self.answers.model(id)
    }

    /// The bakes of a character in a report: with the options of the command line and with each preset, or a single
    /// bake if there is no choice.
    pub(crate) fn kept(&self, id: usize) -> anyhow::Result<Vec<Kept>> {
        let can_choose = self.is_asset(id)?;
        let presets = bone_fit::Preset::KEYWORDS.iter().filter(|_| can_choose);
        let presets = presets.map(|one| one.keyword);
        let own = self.answers.kept(id, None)?;
        // The user's own options are right, so an error is about a setting that this preset excludes.
        let baked = |preset: &str| match self.answers.kept(id, Some(preset)) {
            Ok(kept) => Some(kept),
            Err(error) => {
                eprint_line!("note: the report is without preset = {preset:?}: {error:#}");
                None
            }
        };
        Ok(std::iter::once(own).chain(presets.filter_map(baked)).collect())
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
        let player = self.answers.character(self.answers.number(query, "player")?, query)?;
        let rig = settings.bones.rig(&player)?;
        let player = LiveActor::tracked(player, rig, Affine3A::IDENTITY, settings.is_smooth);
        let opponent = self.answers.character(self.answers.number(query, "opponent")?, query)?;
        let clip = query.get("clip").filter(|name| !name.is_empty());
        Ok((Session::new(player, LiveActor::playing(opponent, clip, place)?)?, place))
    }

    fn version(&self, query: &Query) -> anyhow::Result<Version> {
        let files = self.files();
        lock(&files.found).look();
        let characters = self.len();
        // An empty folder has no character yet, but may get one later.
        let version = match query.get("id") {
            Some(_) => {
                let id = self.answers.number(query, "id")?;
                let path = files.path(id);
                let settings = state_of_files(&files.requested.settings_paths(&path));
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
        let settings = self.files().requested.for_asset(path);
        settings.iter().flat_map(AssetSettings::shared_members).map(|target| target.path.clone()).collect()
    }

    pub(crate) fn baked(&self, id: usize, requested: &RequestedSettings) -> anyhow::Result<Arc<BakedCharacter>> {
        self.answers.baked(id, requested)
    }

    /// The glTF of a character's file, or the bytes of a file in the same folder that its .gltf names.
    ///
    /// # Errors
    /// Returns an error if the file does not exist, is in another folder, or is larger than [`MOST_FILE_BYTES`].
    pub(crate) fn file(&self, query: &Query) -> anyhow::Result<Vec<u8>> {
        let path = self.files().path(self.answers.number(query, "id")?);
        let resolver = FolderResolver::beside(&path);
        let own = path.file_name().unwrap_or_default().to_string_lossy();
        match query.get("uri") {
            Some(uri) => Ok(resolver.resolve(uri, MOST_FILE_BYTES)?),
            None => gltf_of(fs::read(&path).with_context(|| format!("cannot read {own}"))?),
        }
    }

    /// The glTF of a character's file, the buffers that it names, and the text of its settings, for a page without a server.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub(crate) fn held(&self, id: usize) -> anyhow::Result<HeldCharacter> {
        let path = self.files().path(id);
        let bytes = gltf_of(fs::read(&path).with_context(|| format!("cannot read {}", shown_path(&path)))?)?;
        let resolver = FolderResolver::beside(&path);
        let named = skinned_model::external_buffers(&bytes).into_iter();
        let buffers = named.map(|uri| Ok((uri.clone(), resolver.resolve(&uri, MOST_FILE_BYTES)?)));
        let buffers = buffers.collect::<anyhow::Result<_>>()?;
        let settings = self.requested().read_files(&path)?;
        let settings = bake_settings::joined_texts(settings.iter().map(|(_, file)| file.text()));
        Ok(HeldCharacter { file: self.files().file(id), bytes, buffers, settings })
    }

    /// The path of the character's nearest settings file from the folder of the asset, such as `../bonebox.toml`; only the name of
    /// a file that is not in a parent folder. `None` without settings files.
    ///
    /// # Errors
    /// Returns an error if a settings file has a mistake.
    pub(crate) fn settings_path(&self, id: usize) -> anyhow::Result<Option<String>> {
        let files = self.read_settings(id)?;
        let Some((file, _)) = files.last() else { return Ok(None) };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let folder = fs::canonicalize(folder_of(&self.files().path(id)))?;
        let above = folder.ancestors().position(|folder| file.parent() == Some(folder)).unwrap_or(0);
        Ok(Some("../".repeat(above) + &name))
    }

    /// Writes one option of a character, or of one of its joints, into the nearest settings file of the character, or into a new
    /// `bonebox.toml` beside the asset. Returns JSON: the path of the file, and its text before and after.
    ///
    /// # Errors
    /// Returns an error if the server was started without settings, the file cannot be read or written, the option does
    /// not exist, or the change would have no effect.
    pub(crate) fn apply(&self, change: &Change) -> anyhow::Result<String> {
        let overrides = |option: &str| change.joint.is_none() && (option == change.key || option == "preset");
        if let Some((option, _)) = self.files().requested.options.iter().find(|(option, _)| overrides(option)) {
            anyhow::bail!(
                "bonebox view was started with --{option}, which overrides {} in bonebox.toml; start it without --{option}",
                change.key
            );
        }
        let (file, name) = self.settings_file(change.id)?;
        let joint = change.joint.as_deref();
        let written =
            edit_settings(&file, |text| bake_settings::with_option(text, &name, joint, &change.key, &change.value))?;
        json(&written)
    }

    /// The nearest settings file of a character, to which edits are written, or a new `bonebox.toml` beside the asset, and the character's name.
    ///
    /// # Errors
    /// Returns an error if the server was started without settings, or there is no such character.
    pub(crate) fn settings_file(&self, id: usize) -> anyhow::Result<(PathBuf, String)> {
        let count = self.len();
        anyhow::ensure!(id < count, "id must be the number of a character, below {count}");
        let path = self.files().path(id);
        let requested = &self.files().requested;
        let file = requested.settings_file(&path).or_else(|| requested.settings_paths(&path).into_iter().next());
        let file =
            file.context("bonebox view was started with --no-settings; start it without to edit bonebox.toml")?;
        Ok((file, character_name(&path)))
    }

    /// The settings files that apply to a character, the outermost first.
    ///
    /// # Errors
    /// Returns an error with line and cure if a file has a mistake.
    pub(crate) fn read_settings(&self, id: usize) -> anyhow::Result<Vec<(PathBuf, Settings)>> {
        Ok(self.files().requested.read_files(&self.files().path(id))?)
    }

    /// Answers `POST /api/measure` with JSON: the figures of edited hitboxes.
    ///
    /// # Errors
    /// Returns a message for users, as [`Answers::measure`].
    pub(crate) fn measure(&self, asked: &MeasureQuery) -> anyhow::Result<String> {
        json(&self.answers.measure(asked)?)
    }

    /// Returns `true` if the file is an asset, which is baked with the settings, and no baked file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub(crate) fn is_asset(&self, id: usize) -> anyhow::Result<bool> {
        self.answers.is_asset(id)
    }

    /// The options of the command line.
    pub(crate) fn requested(&self) -> &RequestedSettings {
        &self.files().requested
    }
}

/// The bytes of a file; of an FBX file, the glTF that it is converted to, because a page draws glTF.
fn gltf_of(bytes: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    let converted = match skinned_model::gltf_bytes(&bytes)? {
        Cow::Owned(gltf) => gltf,
        Cow::Borrowed(_) => return Ok(bytes),
    };
    Ok(converted)
}

impl Files {
    fn path(&self, id: usize) -> PathBuf {
        lock(&self.found).paths[id].clone()
    }
}

impl Characters for Files {
    fn count(&self) -> usize {
        lock(&self.found).paths.len()
    }

    fn file(&self, id: usize) -> String {
        self.path(id).file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn name(&self, id: usize) -> String {
        character_name(&self.path(id))
    }

    fn requested(&self) -> &RequestedSettings {
        &self.requested
    }

    fn state(&self, id: usize) -> String {
        state_of_asset(&self.path(id))
    }

    fn open(&self, id: usize) -> anyhow::Result<CharacterFile> {
        Ok(CharacterFile::open(&self.path(id))?)
    }

    fn settings(&self, id: usize, requested: &RequestedSettings) -> anyhow::Result<AssetSettings> {
        Ok(requested.for_asset(&self.path(id))?)
    }

    fn settings_file(&self, id: usize) -> Option<String> {
        self.requested.settings_file(&self.path(id)).filter(|file| file.is_file()).map(|file| shown_path(&file))
    }

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
