//! The settings of one asset, and its bake with them.

use crate::asset::Asset;
use crate::bake_key::BakeKey;
use crate::known_joints;
use crate::known_joints::KnownJoints;
use crate::motions::{MotionProblem, Motions, matching_files};
use crate::printable_path::shown_path;
use crate::requested::RequestedSettings;
use crate::settings_file::SettingsFile;
use crate::target::BakeTarget;
use crate::{AssetError, GENERATOR};
use bake_settings::{CharacterSettings, ClipExtras, Settings, SettingsError, check_patterns_of_entries, clip_extras};
use baked_format::{BakeWarning, BakedCharacter, Hitbox, Source};
use bone_fit::{
    Bake, BakeError, BakeObserver, BakeOptions, Figures, Limits, Measure, Overrides, Poses, PresetFigures, StoredSkin,
};
use skeleton::Skeleton;
use skeleton::humanoid::Humanoid;
use skinned_model::SkinnedModel;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The key in [`BakedCharacter::options`] for the hash of all overrides and tags.
pub(crate) const OVERRIDES: &str = "overrides";

/// The key in [`BakedCharacter::options`] for the names of the joints of [`bone_fit::Overrides::joints_with_other_poses`].
pub(crate) const JOINT_POSES: &str = "joint_poses";

/// The key in [`BakedCharacter::options`] for the hash of the settings of motions.
pub(crate) const MOTIONS: &str = "motions";

/// The key in [`BakedCharacter::options`] for `split = false`.
const SPLIT: &str = "split";

/// The key in [`BakedCharacter::options`] for the name of the set of shared hitboxes, and the hash of what they are made
/// from.
pub(crate) const SHARED: &str = "shared";

/// The key in [`BakedCharacter::options`] for the hash of the shared hitboxes, by which characters can be compared.
pub(crate) const HITBOX_SET: &str = "hitbox_set";

/// The key in [`BakedCharacter::options`] for the volume of the shared hitboxes, divided by that of the hitboxes that the
/// character would have alone.
pub(crate) const HITBOX_SET_VOLUME: &str = "hitbox_set_volume";

/// The settings of one asset: its options, overrides and limits, from the settings file and the request.
#[derive(Clone, Debug)]
pub struct AssetSettings {
    name: String,
    /// The path of the asset; only the file name if the asset is in memory.
    asset: PathBuf,
    resolved: CharacterSettings,
    /// The options of the request, as pairs of a key and a text.
    requested: Vec<(String, String)>,
    /// The nearest settings file.
    file: Option<Arc<SettingsFile>>,
    run: Option<Arc<KnownJoints>>,
    /// The hitboxes that the character has in common with others.
    shared: Option<Arc<dyn SharedHitboxes>>,
}

/// The hitboxes that a character gets in place of fitted ones, because it shares them with others. Making them needs the
/// settings of all these characters.
pub(crate) trait SharedHitboxes: Debug + Send + Sync {
    /// The name of the set, and the hash of everything that its hitboxes are made from.
    fn stamp(&self) -> Result<String, AssetError>;

    /// The characters of the set, sorted by name and path.
    fn members(&self) -> Vec<&BakeTarget>;

    /// The settings of these characters alone.
    fn settings(&self) -> Vec<&AssetSettings>;

    /// The hitboxes of this character. The first call makes those of all characters.
    fn hitboxes(&self) -> Result<MemberHitboxes, AssetError>;
}

/// The hitboxes of one character of a set.
#[derive(Clone, Debug)]
pub(crate) struct MemberHitboxes {
    /// The hash of the hitboxes of the set, as 32 hexadecimal digits.
    pub(crate) id: String,
    /// The hitboxes in place of fitted ones, in the spaces of the character's joints.
    pub(crate) hitboxes: Vec<Hitbox>,
    /// The volume of all hitboxes that the character would have alone, at rest, in model units cubed.
    pub(crate) own_volume: f64,
}

/// The hitboxes that a character of a set would have alone.
#[derive(Debug)]
pub(crate) struct OwnHitboxes {
    pub(crate) skeleton: Skeleton,
    pub(crate) fitted: Vec<Hitbox>,
    pub(crate) manual: Vec<Hitbox>,
    /// The volume of all hitboxes at rest, in model units cubed.
    pub(crate) volume: f64,
}

impl AssetSettings {
    /// The settings of a character without those of other characters.
    pub(crate) fn of_target(
        requested: &RequestedSettings,
        file: Option<Arc<SettingsFile>>,
        target: &BakeTarget,
    ) -> Result<Self, AssetError> {
        let name = target.name.clone();
        let resolved = match &file {
            Some(file) => file.for_character(&name, &requested.options)?,
            None => {
                let words = requested.options.iter().map(|(key, value)| (key.as_str(), value.as_str()));
                CharacterSettings { options: BakeOptions::from_entries(words)?, ..CharacterSettings::default() }
            }
        };
        let requested = requested.options.clone();
        let asset = target.path.clone();
        Ok(Self { name, asset, resolved, requested, file, run: None, shared: None })
    }

    /// The settings of a character of a run.
    #[must_use]
    pub(crate) fn in_run(self, run: Option<Arc<KnownJoints>>, shared: Option<Arc<dyn SharedHitboxes>>) -> Self {
        Self { run, shared, ..self }
    }

    /// The settings that the text of a `bonebox.toml` gives a character with this name. The text need not be a file.
    ///
    /// - `text` may also be the texts of several files ([`bake_settings::joined_texts`]).
    /// - `place` stands for the text in messages, such as the path of its file.
    /// - `options` are pairs of a key and a text. They override the text as [`RequestedSettings::options`] override a file.
    ///
    /// # Errors
    /// Returns [`AssetError`] with line and column if the text has a mistake or needs other files, and if an option does not
    /// exist or does not have such a value.
    pub fn of_text(name: &str, place: &str, text: &str, options: &[(String, String)]) -> Result<Self, AssetError> {
        let mistake = |problem| AssetError::Settings { file: place.to_owned(), problem };
        let files = Settings::parse_texts(text).map_err(mistake)?;
        let files: Vec<&Settings> = files.iter().collect();
        let resolved = Settings::for_character_in(&files, name, options)?;
        for file in files.iter().rev() {
            if !resolved.motions.is_empty() && file.sets_motions(name) {
                let problem = "motions are other files, which a bake in memory does not read; remove them";
                return Err(mistake(file.motion_mistake(name, 0, problem)));
            }
            if let Some(set) = file.shared().find(|set| set.has(name)) {
                let problem = "its characters are other files, which a bake in memory does not read; remove the set";
                return Err(mistake(file.shared_mistake(&set.name, problem)));
            }
        }
        let (name, requested) = (name.to_owned(), options.to_vec());
        let asset = PathBuf::from(&name);
        Ok(Self { name, asset, resolved, requested, file: None, run: None, shared: None })
    }

    /// Fits the hitboxes that the character would have alone, and measures nothing.
    pub(crate) fn own_hitboxes(&self, model: &SkinnedModel) -> Result<OwnHitboxes, AssetError> {
        self.check_joints(model)?;
        let model = &*self.with_motions(&self.read_motions()?, model)?;
        let source = Source { file: String::new(), blake3: [0; 32], generator: GENERATOR.into() };
        let options = BakeOptions { measure: Measure::None, skin: StoredSkin::Off, ..self.options().clone() };
        let overrides =
            Overrides { attacks: Vec::new(), states: Vec::new(), ragdoll: None, ..self.resolved.overrides.clone() };
        let bake = bone_fit::bake_with(model, &self.name, source, &options, &overrides);
        let bake = bake.map_err(|error| self.placed(error))?;
        let volume = Figures::of_bake(&bake.character).volume;
        // Only manual boxes were fitted to no points.
        let boxes = bake.character.boxes.into_iter().zip(&bake.report.boxes);
        let (fitted, manual): (Vec<_>, Vec<_>) = boxes.partition(|(_, report)| report.points > 0);
        let [fitted, manual] = [fitted, manual].map(|boxes| boxes.into_iter().map(|(one, _)| one).collect());
        Ok(OwnHitboxes { skeleton: bake.character.skeleton, fitted, manual, volume })
    }

    /// All settings from which hitboxes are made, as text.
    pub(crate) fn record_of_fit(&self) -> String {
        let Overrides { joints, parts, tags, sets, humanoid, .. } = &self.resolved.overrides;
        format!(
            "{:?} {joints:?} {parts:?} {tags:?} {sets:?} {humanoid:?} {:?}",
            self.options().entries(),
            self.resolved.motions
        )
    }

    /// The first setting of hitboxes that differs from that of another character; `None` if all are equal.
    pub(crate) fn difference_of_fit(&self, other: &Self) -> Option<String> {
        // Options with their defaults have no entry.
        let [own, others] = [self, other].map(|settings| BTreeMap::from_iter(settings.options().entries()));
        if let Some(key) = own.keys().chain(others.keys()).find(|key| own.get(*key) != others.get(*key)) {
            let [own, other] = [&own, &others].map(|options| options.get(key).cloned().unwrap_or("the default".into()));
            return Some(format!("{key} is {own} and {other}"));
        }
        let [own, others] = [self, other].map(|settings| &settings.resolved.overrides);
        match () {
            () if own.joints != others.joints => Some("joints".into()),
            () if own.parts != others.parts => Some("parts".into()),
            () if own.tags != others.tags => Some("tags".into()),
            () if own.sets != others.sets => Some("sets".into()),
            () => None,
        }
    }

    /// Makes the hitboxes that the character shares, if it is in a set, so that no later bake of the set has to. An error is
    /// returned by the bake.
    pub(crate) fn prepare_shared(&self) {
        if let Some(shared) = &self.shared {
            let _ = shared.hitboxes();
        }
    }

    pub(crate) fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// The characters that share their hitboxes with this one, and this one, sorted by name and path. Empty if the character
    /// shares no hitboxes.
    #[must_use]
    pub fn shared_members(&self) -> Vec<&BakeTarget> {
        self.shared.as_ref().map(|shared| shared.members()).unwrap_or_default()
    }

    /// Leaves out the attacks and the states of these clips, because the model to bake lacks the clips on purpose. Returns
    /// the number of both.
    pub fn leave_out_clips(&mut self, clips: &[String]) -> usize {
        let Overrides { attacks, states, .. } = &mut self.resolved.overrides;
        let before = attacks.len() + states.len();
        attacks.retain(|attack| !clips.contains(&attack.clip));
        states.retain(|state| !clips.contains(&state.clip));
        before - attacks.len() - states.len()
    }

    /// Bakes the asset's model. `file` and `blake3` are the asset's file name and source hash.
    ///
    /// # Errors
    /// Returns [`AssetError`] with file and line if the settings name a joint that the character does not have, or if
    /// the bake fails ([`BakeError`]).
    pub fn bake(&self, model: &SkinnedModel, file: &str, blake3: [u8; 32]) -> Result<Bake, AssetError> {
        self.bake_observed(model, file, blake3, &())
    }

    /// Bakes as [`AssetSettings::bake`] does. The observer receives the progress and may cancel the bake.
    ///
    /// # Errors
    /// Returns the errors of [`AssetSettings::bake`], and [`BakeError::Canceled`].
    pub fn bake_observed(
        &self,
        model: &SkinnedModel,
        file: &str,
        blake3: [u8; 32],
        observer: &dyn BakeObserver,
    ) -> Result<Bake, AssetError> {
        self.bake_with(&self.read_motions()?, model, file, blake3, observer)
    }

    /// Bakes with motions that were read before. `blake3` is the hash of the asset alone.
    pub(crate) fn bake_with(
        &self,
        motions: &Motions,
        model: &SkinnedModel,
        file: &str,
        blake3: [u8; 32],
        observer: &dyn BakeObserver,
    ) -> Result<Bake, AssetError> {
        self.check_joints(model)?;
        let model = &*self.with_motions(motions, model)?;
        let blake3 = motions.hash_after(blake3);
        let source = Source { file: file.to_owned(), blake3, generator: GENERATOR.into() };
        let overrides = self.overrides_of(model)?;
        let (name, options) = (&self.name, self.options());
        let Some(shared) = &self.shared else {
            let bake = bone_fit::bake_observed(model, name, source, options, &overrides, observer);
            let mut bake = bake.map_err(|error| self.placed(error))?;
            bake.character.options = self.recorded_options(&bake.character.skeleton)?;
            return Ok(bake);
        };
        let MemberHitboxes { id, hitboxes, own_volume } = shared.hitboxes()?;
        let bake = bone_fit::bake_with_hitboxes(model, name, source, options, &overrides, &hitboxes, observer);
        let mut bake = bake.map_err(|error| self.placed(error))?;
        let mut recorded = self.recorded_options(&bake.character.skeleton)?;
        recorded.push((HITBOX_SET.into(), id));
        if own_volume > 0.0 {
            let times = Figures::of_bake(&bake.character).volume / own_volume;
            recorded.push((HITBOX_SET_VOLUME.into(), format!("{times:.4}")));
        }
        recorded.sort();
        bake.character.options = recorded;
        Ok(bake)
    }

    /// Reads the files of `motions` in the settings file.
    ///
    /// # Errors
    /// Returns [`AssetError`] with file and line if a file does not exist or cannot be read, or a pattern finds no file.
    pub(crate) fn read_motions(&self) -> Result<Motions, AssetError> {
        let Some(file) = self.file_of_motions().filter(|_| !self.resolved.motions.is_empty()) else {
            return Ok(Motions::default());
        };
        let read = Motions::read(file.folder(), &self.resolved.motions, &self.asset);
        read.map_err(|problem| self.placed_motion(file, problem))
    }

    /// The model that is baked: the asset's model, with the clips that `motions` of the settings file add.
    ///
    /// # Errors
    /// Returns [`AssetError`] with file and line if a file of the motions cannot be read, or does not fit the character.
    pub fn model_to_bake<'a>(&self, model: &'a SkinnedModel) -> Result<Cow<'a, SkinnedModel>, AssetError> {
        self.with_motions(&self.read_motions()?, model)
    }

    /// The model with the clips of the motions.
    fn with_motions<'a>(
        &self,
        motions: &Motions,
        model: &'a SkinnedModel,
    ) -> Result<Cow<'a, SkinnedModel>, AssetError> {
        let Some(file) = self.file_of_motions() else { return Ok(Cow::Borrowed(model)) };
        let humanoid = || match self.humanoid(model).map_err(|error| error.with_causes())? {
            Some(humanoid) => Ok(humanoid),
            None => Humanoid::guess(&model.skeleton)
                .map_err(|error| format!("the character is no humanoid ({error}); add the section [humanoid]")),
        };
        let with = motions.added_to(model, &self.resolved.motions, &humanoid);
        with.map_err(|problem| self.placed_motion(file, problem))
    }

    /// The settings files that apply, the outermost first.
    fn files(&self) -> Vec<&SettingsFile> {
        self.file.as_ref().map(|file| file.files()).unwrap_or_default()
    }

    /// The settings files that apply, with their paths, the outermost first. Empty for settings of a text.
    #[must_use]
    pub fn settings_files(&self) -> Vec<(&Path, &Settings)> {
        self.files().into_iter().map(|file| (file.path.as_path(), &file.settings)).collect()
    }

    /// The files that a bake reads: the asset, the settings files and the motions, with the buffers of all of them, and the files of
    /// the characters that share their hitboxes with this one.
    pub(crate) fn input_files(&self) -> Vec<PathBuf> {
        let with_buffers = |path: PathBuf| {
            let buffers = Asset::open(&path).map(|asset| asset.buffer_paths()).unwrap_or_default();
            std::iter::once(path).chain(buffers)
        };
        let mut files: Vec<PathBuf> = with_buffers(self.asset.clone()).collect();
        files.extend(self.files().into_iter().map(|file| file.path.clone()));
        if let Some(file) = self.file_of_motions() {
            let entries = self.resolved.motions.iter();
            // What cannot be found is an error of the bake.
            let found = entries.filter_map(|entry| matching_files(file.folder(), entry, &self.asset).ok()).flatten();
            files.extend(found.flat_map(|path| with_buffers(file.folder().join(path))));
        }
        let others = self.shared.iter().flat_map(|shared| shared.settings());
        files.extend(others.flat_map(|other| other.input_files()).collect::<Vec<_>>());
        files
    }

    /// The nearest file that sets the motions, to whose folder their paths are relative.
    fn file_of_motions(&self) -> Option<&SettingsFile> {
        self.files().into_iter().rev().find(|file| file.settings.sets_motions(&self.name))
    }

    fn placed_motion(&self, file: &SettingsFile, problem: MotionProblem) -> AssetError {
        file.mistake(file.settings.motion_mistake(&self.name, problem.entry, &problem.text))
    }

    /// The overrides of the settings, with the attacks and the states in the `extras` of the model's animations.
    fn overrides_of(&self, model: &SkinnedModel) -> Result<Overrides, AssetError> {
        let mut overrides = self.resolved.overrides.clone();
        for (clip, extras) in &model.clip_extras {
            // `bonebox import-motion --only` bakes a model without its own clips.
            if model.clips.iter().any(|one| one.name == *clip) {
                let ClipExtras { attacks, states } = clip_extras(clip, extras)?;
                overrides.add_of_asset(attacks, states);
            }
        }
        Ok(overrides)
    }

    /// The humanoid that a bake of this model would have, or `None`.
    ///
    /// # Errors
    /// Returns [`AssetError`] with file and line if the settings name a bone or a joint that does not exist, or a
    /// required bone has no joint.
    pub fn humanoid(&self, model: &SkinnedModel) -> Result<Option<Humanoid>, AssetError> {
        let found = self.resolved.overrides.humanoid.humanoid_of(model);
        found.map_err(|error| self.placed(error.into()))
    }

    /// Returns the figures of each preset with the same overrides. `own` is the bake with these settings. If these
    /// settings are not exactly the options of a preset, the figures of `own` come first.
    ///
    /// # Errors
    /// Returns the errors of [`AssetSettings::bake`].
    pub fn compare_presets(
        &self,
        model: &SkinnedModel,
        own: &BakedCharacter,
    ) -> Result<Vec<PresetFigures>, AssetError> {
        self.check_joints(model)?;
        let model = &*self.with_motions(&self.read_motions()?, model)?;
        Ok(bone_fit::compare_presets(model, self.options(), &self.overrides_of(model)?, own)?)
    }

    /// The options of all joints of the character.
    #[must_use]
    pub fn options(&self) -> &BakeOptions {
        &self.resolved.options
    }

    /// The presets that the settings give to single joints, by joint name.
    #[must_use]
    pub fn joint_presets(&self) -> BTreeMap<String, String> {
        let joints = self.resolved.overrides.joints.iter();
        joints.filter_map(|(name, joint)| Some((name.clone(), joint.options.get("preset")?.clone()))).collect()
    }

    /// The options that a bake of this model would record. Two requests with equal recorded options give equal boxes.
    ///
    /// # Errors
    /// Returns [`AssetError`] with file and line if the settings name a joint that the character does not have, or an
    /// override is wrong.
    pub fn recorded_for(&self, model: &SkinnedModel) -> Result<Vec<(String, String)>, AssetError> {
        self.check_joints(model)?;
        self.recorded_options(&model.skeleton)
    }

    /// The limits of the bake.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.resolved.limits
    }

    /// The settings file that sets a limit of the character, and its line, counted from 1. `None` if no file sets it.
    #[must_use]
    pub fn place_of_limit(&self, key: &str) -> Option<(&Path, usize)> {
        let mut nearest = self.files().into_iter().rev();
        nearest.find_map(|file| Some((file.path.as_path(), file.settings.line_of_limit(&self.name, key)?)))
    }

    /// Returns true if `character` was baked with these settings. Settings that have no effect on this character are
    /// not compared.
    #[must_use]
    pub fn made(&self, character: &BakedCharacter) -> bool {
        let is_input = |(key, _): &&(String, String)| key != HITBOX_SET && key != HITBOX_SET_VOLUME;
        let recorded = self.recorded_options(&character.skeleton);
        recorded.is_ok_and(|recorded| recorded.iter().eq(character.options.iter().filter(is_input)))
    }

    /// The warnings of a bake with these settings for the person who bakes: those in the baked file, with their places in
    /// the settings file, and those that no file has.
    #[must_use]
    pub fn warnings_to_tell(&self, character: &BakedCharacter) -> Vec<BakeWarning> {
        let mut warnings = character.warnings.clone();
        self.add_places(&mut warnings);
        warnings.extend(self.warning_of_no_clips(character));
        warnings
    }

    /// A warning if the boxes are to be fitted to clips and the character has none. Like places in the settings file, it is
    /// told to the person who bakes, and is not in the baked file.
    fn warning_of_no_clips(&self, character: &BakedCharacter) -> Option<BakeWarning> {
        let text = "the boxes are to be fitted to clips, but the character has none, so they are fitted to the rest pose; \
                    add clips with `motions` in bonebox.toml, or use preset = \"always\" for any pose";
        let is_told = self.options().poses == Poses::Clips && character.clips.is_empty();
        is_told.then(|| BakeWarning { code: "no-clips".into(), joint: None, text: text.into() })
    }

    /// Adds to each warning about a manual box or a margin the line of the settings file that set it. The baked file
    /// does not contain the line, because adding a comment changes line numbers but not the bake.
    fn add_places(&self, warnings: &mut [BakeWarning]) {
        let files = self.files();
        for warning in warnings {
            let joint = warning.joint.as_deref();
            // The nearest file that sets an option decides.
            let option = |joint: Option<&str>, key: &str| {
                let mut nearest = files.iter().rev();
                nearest.find_map(|file| Some((*file, vec![file.settings.line_of_option(&self.name, joint, key)?])))
            };
            let places: Vec<(&SettingsFile, Vec<usize>)> = match (warning.code.as_str(), joint) {
                ("implausible-box", Some(joint)) => {
                    files.iter().map(|file| (*file, file.settings.lines_of_boxes(&self.name, joint))).collect()
                }
                ("implausible-margin", _) => {
                    let own = joint.and_then(|joint| option(Some(joint), "margin"));
                    own.or_else(|| option(None, "margin")).into_iter().collect()
                }
                _ => Vec::new(),
            };
            for (file, lines) in places.iter().filter(|(_, lines)| !lines.is_empty()) {
                let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
                warning.text.push_str(&format!(" ({}:{})", shown_path(&file.path), lines.join(", ")));
            }
        }
    }

    /// The error with its place in a settings file, if it has one.
    fn placed(&self, error: BakeError) -> AssetError {
        let files = self.files();
        // The nearest file with a place decides.
        let nearest = |place: &dyn Fn(&Settings) -> Option<SettingsError>| {
            files.iter().rev().find_map(|file| Some(file.mistake(place(&file.settings)?)))
        };
        let placed = match &error {
            BakeError::Humanoid(problem) if !files.is_empty() => {
                let settings: Vec<&Settings> = files.iter().map(|file| &file.settings).collect();
                let (file, problem) = Settings::humanoid_mistake(&settings, &self.name, problem);
                Some(files[file].mistake(problem))
            }
            BakeError::Attack(problem) if !files.is_empty() => {
                let place = nearest(&|settings| settings.attack_mistake(&self.name, problem));
                place.or_else(|| Some(AssetError::AttackOfAsset(problem.clone())))
            }
            BakeError::Attack(problem) if self.resolved.overrides.attacks.is_empty() => {
                Some(AssetError::AttackOfAsset(problem.clone()))
            }
            BakeError::AnyPoseOfJoint { joint, .. } => {
                let told = error.to_string();
                let place = |key: &str| {
                    nearest(&|settings| settings.option_mistake(&self.name, Some(joint.as_str()), key, &told))
                };
                place("poses").or_else(|| place("preset"))
            }
            BakeError::ShapeInAnyPose { joint, .. } => {
                let is_requested = joint.is_none() && self.requested.iter().any(|(key, _)| key == "shape");
                let told = error.to_string();
                let place =
                    || nearest(&|settings| settings.option_mistake(&self.name, joint.as_deref(), "shape", &told));
                if is_requested { None } else { place() }
            }
            _ => None,
        };
        placed.unwrap_or_else(|| error.into())
    }

    /// Returns true if each of several characters in the asset is to be baked to a file of its own.
    #[must_use]
    pub fn is_split(&self) -> bool {
        self.resolved.split == Some(true)
    }

    fn check_joints(&self, model: &SkinnedModel) -> Result<(), AssetError> {
        if !model.characters.is_empty() && self.resolved.split != Some(false) {
            let roots = model.characters.iter().map(|root| root.name.clone()).collect();
            return Err(AssetError::SeveralCharacters { roots });
        }
        let character = known_joints::character(&self.name, model);
        for file in self.files() {
            let mistake = |problem| file.mistake(problem);
            file.settings.check_joints(&self.name, &model.skeleton).map_err(mistake)?;
            if file.settings.has_unmatched_patterns(&character)
                && let Some(characters) = file.joints.characters()
            {
                file.settings.check_patterns(characters).map_err(mistake)?;
            }
        }
        if let Some(run) = &self.run
            && check_patterns_of_entries(&self.requested, std::slice::from_ref(&character)).is_err()
            && let Some(characters) = run.characters()
        {
            check_patterns_of_entries(&self.requested, characters).map_err(AssetError::Pattern)?;
        }
        Ok(())
    }

    /// The key of the bake of a character. `source` is the hash of all bytes that were read.
    pub(crate) fn bake_key(
        &self,
        model: &SkinnedModel,
        file: &str,
        target: &BakeTarget,
        source: [u8; 32],
    ) -> Result<BakeKey, AssetError> {
        self.check_joints(model)?;
        let root = target.root.as_ref().map(|root| root.node.0);
        Ok(BakeKey::new(&self.name, file, root, source, &self.recorded_options(&model.skeleton)?))
    }

    /// The options that a baked file records: every option, and a hash of the overrides that affect the bake.
    fn recorded_options(&self, skeleton: &Skeleton) -> Result<Vec<(String, String)>, AssetError> {
        let CharacterSettings { options, overrides, .. } = &self.resolved;
        let (mut recorded, said) = (options.entries(), overrides.record(skeleton, options).map_err(BakeError::from)?);
        if !said.is_empty() {
            recorded.push((OVERRIDES.into(), blake3::hash(said.as_bytes()).to_hex()[..32].to_owned()));
            let joints = overrides.joints_with_other_poses(skeleton, options).map_err(BakeError::from)?;
            if !joints.is_empty() {
                recorded.push((JOINT_POSES.into(), bone_fit::joined_names(&joints)));
            }
        }
        if !self.resolved.motions.is_empty() {
            let said = format!("{:?}", self.resolved.motions);
            recorded.push((MOTIONS.into(), blake3::hash(said.as_bytes()).to_hex()[..32].to_owned()));
        }
        if self.resolved.split == Some(false) {
            // Without this setting, the same asset may be an error.
            recorded.push((SPLIT.into(), "false".into()));
        }
        if let Some(shared) = &self.shared {
            recorded.push((SHARED.into(), shared.stamp()?));
        }
        recorded.sort();
        Ok(recorded)
    }
}
