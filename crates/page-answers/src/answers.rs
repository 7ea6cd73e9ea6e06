//! Answers the questions of the page with the code of `bonebox bake` and `bonebox duel`.

use crate::bake::{Bake, Kept};
use crate::characters::{Characters, Listing};
use crate::duel::{self, Fighter, Tick};
use crate::duel_strikes::{DuelStrike, strikes_of_duel};
use crate::edits::Edits;
use crate::escape::Escape;
use crate::measured::{MeasureQuery, Measured};
use crate::memory::Memory;
use crate::model::Model;
use crate::query::Query;
use crate::ray::RayAnswer;
use anyhow::Context as _;
use asset_bake::{CharacterFile, RequestedSettings};
use bake_settings::{EditedText, Settings};
use baked_format::BakedCharacter;
use geometry_core::Ray;
use glam::Affine3A;
use runtime::{Character, ClipSampler, LoopMode, PosedCharacter};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The number of bakes kept in memory: a few characters with every preset.
const MOST_BAKES: usize = 32;

/// The number of imports kept in memory.
const MOST_IMPORTS: usize = 8;

/// The largest number of ticks of a duel: ten minutes at 60 ticks per second.
const MOST_TICKS: u32 = 36_000;

/// Characters, and the last answers about them.
#[derive(Debug)]
pub struct Answers<C> {
    characters: C,
    /// The last imports, by character.
    imports: Memory<usize, CharacterFile>,
    /// The last bakes, by character and options.
    bakes: Memory<BakeKey, BakedCharacter>,
    /// The escapes of the joints in the last bakes.
    escapes: Memory<BakeKey, Vec<Escape>>,
}

/// A character's number, and the options that its bake would record. A preset and its single options have the same key.
type BakeKey = (usize, Vec<(String, String)>);

/// A duel of two characters.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Duel {
    /// The transform of the second character from model space to world space: 12 numbers, column by column.
    place: [f32; 12],
    /// The ticks, as `bonebox duel --json` prints them.
    ticks: Vec<Tick>,
    /// Sorted by time.
    strikes: Vec<DuelStrike>,
    /// The reason why there are no strikes; `None` if they are known.
    strike_problem: Option<String>,
}

/// Asks for the text of a settings file with edited hitboxes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EditedTextQuery {
    id: usize,
    edits: Edits,
    text: String,
}

/// The text of a settings file with edited hitboxes.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "EditedText"))]
pub(crate) struct EditedTextAnswer {
    text: String,
    /// What a person should know about the edits.
    notes: Vec<String>,
}

/// A hitbox in a pose.
#[derive(Debug, Serialize)]
pub struct PosedBox {
    joint: String,
    /// The corners of the box, in world space.
    corners: [[f32; 3]; 8],
}

impl<C: Characters> Answers<C> {
    /// Answers about these characters.
    #[must_use]
    pub fn new(characters: C) -> Self {
        Self {
            characters,
            imports: Memory::new(MOST_IMPORTS),
            bakes: Memory::new(MOST_BAKES),
            escapes: Memory::new(MOST_BAKES),
        }
    }

    /// The characters.
    #[must_use]
    pub fn characters(&self) -> &C {
        &self.characters
    }

    /// The characters, to add more of them.
    pub fn characters_mut(&mut self) -> &mut C {
        &mut self.characters
    }

    /// Answers a question with JSON. `None` if the question does not exist.
    ///
    /// | question | parts of the query | answer |
    /// |---|---|---|
    /// | `listing` | | [`Listing`] |
    /// | `model` | `id` | [`Model`] |
    /// | `bake` | `id`, options as `option.KEY` | [`Bake`] |
    /// | `escapes` | as `bake` | a list of [`Escape`]s |
    /// | `pose` | as `bake`, `clip`, `time` | a list of [`PosedBox`]es |
    /// | `ray` | as `pose`, `origin`, `direction`, and `distance` and `turn` for the second fighter of a duel | [`RayAnswer`] or `null` |
    /// | `duel` | `a`, `b`, `clip_a`, `clip_b`, `distance`, `turn`, `fps`, `exact`, options | [`Duel`] |
    ///
    /// A question of [`Answers::answer_body`] may have its JSON as the part `body`.
    ///
    /// # Errors
    /// Returns a message for users: a file cannot be baked, a clip does not exist, or a number is out of range.
    pub fn answer(&self, question: &str, query: &Query) -> Option<anyhow::Result<String>> {
        Some(match question {
            "listing" => json(&Listing::new(&self.characters)),
            "model" => self.number(query, "id").and_then(|id| json(&self.model(id)?)),
            "bake" => self.bake(query).and_then(|bake| json(&bake)),
            "escapes" => self.escapes(query).and_then(|escapes| json(&*escapes)),
            "pose" => self.pose(query).and_then(|boxes| json(&boxes)),
            "duel" => self.duel(query).and_then(|duel| json(&duel)),
            "ray" => self.ray(query).and_then(|answer| json(&answer)),
            _ => return self.answer_body(question, query.get("body")?),
        })
    }

    /// Answers a question that has a body of JSON. `None` if the question does not exist.
    ///
    /// | question | body | answer |
    /// |---|---|---|
    /// | `measure` | [`MeasureQuery`] | [`Measured`] |
    /// | `edited_text` | `id`, `edits` ([`Edits`]), `text` of a settings file | its `text` with the edits, and `notes` for people |
    ///
    /// # Errors
    /// Returns a message for users: the body has the wrong form, or does not fit the character or the file.
    pub fn answer_body(&self, question: &str, body: &str) -> Option<anyhow::Result<String>> {
        Some(match question {
            "measure" => parsed(body).and_then(|asked| json(&self.measure(&asked)?)),
            "edited_text" => parsed(body).and_then(|asked: EditedTextQuery| {
                let EditedText { text, notes } = self.edited_text(asked.id, &asked.edits, &asked.text)?;
                json(&EditedTextAnswer { text, notes })
            }),
            _ => return None,
        })
    }

    /// Measures edited hitboxes of a character.
    ///
    /// # Errors
    /// Returns an error if the file has no surface or cannot be baked, or if an edit does not fit the character.
    pub fn measure(&self, asked: &MeasureQuery) -> anyhow::Result<Measured> {
        self.ensure_number(asked.id)?;
        let options: Vec<(&str, &str)> = asked.options.iter().map(|(key, value)| (&**key, &**value)).collect();
        let requested = self.characters.requested().with_options(&options)?;
        let (imported, baked) = (self.imported(asked.id)?, self.baked(asked.id, &requested)?);
        match &*imported {
            CharacterFile::Asset { model, .. } => {
                Measured::new(model, &baked, self.characters.settings(asked.id, &requested)?.options(), asked)
            }
            CharacterFile::Baked(_) => anyhow::bail!("a baked file has no skin to measure; show its asset"),
        }
    }

    /// The text of a settings file with edited hitboxes of a character.
    ///
    /// # Errors
    /// Returns an error if the file is no asset, or the edits do not fit the character or the text.
    pub fn edited_text(&self, id: usize, edits: &Edits, text: &str) -> anyhow::Result<EditedText> {
        self.ensure_number(id)?;
        let baked = self.baked(id, self.characters.requested())?;
        // The text may be the texts of several files, of which the nearest is edited.
        let files = Settings::parse_texts(text)?;
        let above: Vec<&Settings> = files.iter().rev().skip(1).rev().collect();
        let text = bake_settings::nearest_text(text);
        Ok(bake_settings::with_hitboxes(&above, text, &self.characters.name(id), &baked, &edits.of_joints()?)?)
    }

    fn ensure_number(&self, id: usize) -> anyhow::Result<()> {
        let count = self.characters.count();
        anyhow::ensure!(id < count, "id must be the number of a character, below {count}");
        Ok(())
    }

    /// The skeleton, the clips and the surface of a character.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or imported.
    pub fn model(&self, id: usize) -> anyhow::Result<Model> {
        Ok(match &*self.imported(id)? {
            CharacterFile::Asset { model, .. } => Model::of_model(model),
            CharacterFile::Baked(baked) => Model::of_baked(baked),
        })
    }

    fn bake(&self, query: &Query) -> anyhow::Result<Bake> {
        let id = self.number(query, "id")?;
        let mut bake = self.bake_of(id, &self.requested(query)?)?;
        bake.settings = self.characters.settings_file(id);
        Ok(bake)
    }

    fn bake_of(&self, id: usize, requested: &RequestedSettings) -> anyhow::Result<Bake> {
        let baked = self.baked(id, requested)?;
        let mut bake = Bake::new(&baked)?;
        if self.is_asset(id)? {
            let settings = self.characters.settings(id, requested)?;
            bake.broken = settings.limits().broken(&baked);
            bake.joint_presets = settings.joint_presets();
            if let Some(shared) = &mut bake.shared {
                (shared.members, shared.absent) = self.characters.members(&settings);
            }
        }
        Ok(bake)
    }

    /// The joints whose surface leaves the hitboxes. Empty for a character without a surface, and with `poses = "any"`: then
    /// the run time computes the hitboxes for each pose, so the baked boxes say nothing about what a game misses.
    fn escapes(&self, query: &Query) -> anyhow::Result<Arc<Vec<Escape>>> {
        self.escapes_of(self.number(query, "id")?, &self.requested(query)?)
    }

    fn escapes_of(&self, id: usize, requested: &RequestedSettings) -> anyhow::Result<Arc<Vec<Escape>>> {
        let (imported, baked) = (self.imported(id)?, self.baked(id, requested)?);
        self.escapes.get(self.key(id, requested)?, self.characters.state(id), || {
            Ok(match &*imported {
                CharacterFile::Asset { model, .. } if baked.envelopes.is_empty() => {
                    Escape::all(model, &baked.boxes, self.characters.settings(id, requested)?.options())
                }
                CharacterFile::Asset { .. } | CharacterFile::Baked(_) => Vec::new(),
            })
        })
    }

    /// The bake of a character for a report, with a preset or with the requested options.
    ///
    /// # Errors
    /// Returns an error if the character cannot be baked.
    pub fn kept(&self, id: usize, preset: Option<&str>) -> anyhow::Result<Kept> {
        let requested = self.characters.requested();
        let requested = match preset {
            Some(preset) => &requested.with_options(&[("preset", preset)])?,
            None => requested,
        };
        let bake = self.bake_of(id, requested)?;
        let escapes = self.escapes_of(id, requested)?.to_vec();
        Ok(Kept { id, preset: preset.map(str::to_owned), bake, escapes })
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

    /// The character for the run time, baked with the options of a question.
    ///
    /// # Errors
    /// Returns an error if the character cannot be baked.
    pub fn character(&self, id: usize, query: &Query) -> anyhow::Result<Character> {
        Ok(Character::from_baked((*self.baked(id, &self.requested(query)?)?).clone()))
    }

    /// A character with its skin, normals and texture coordinates, unless it is a .bonebox file without them.
    fn character_with_skin(&self, id: usize, query: &Query) -> anyhow::Result<Character> {
        let requested = self.requested(query)?.with_unless_set("skin", "lossless")?;
        let requested = requested.with_unless_set("skin_attributes", "all")?;
        Ok(Character::from_baked((*self.baked(id, &requested)?).clone()))
    }

    /// The requested options, overridden by those of the query.
    fn requested(&self, query: &Query) -> anyhow::Result<RequestedSettings> {
        Ok(self.characters.requested().with_options(&query.below("option.").collect::<Vec<_>>())?)
    }

    /// The number of a character in the query.
    ///
    /// # Errors
    /// Returns an error if there is no such character.
    pub fn number(&self, query: &Query, key: &str) -> anyhow::Result<usize> {
        let count = self.characters.count();
        let number = query.get(key).and_then(|text| text.parse().ok()).filter(|&number| number < count);
        number.with_context(|| format!("{key} must be the number of a character, below {count}"))
    }

    /// The imported file of a character.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or imported.
    pub fn imported(&self, id: usize) -> anyhow::Result<Arc<CharacterFile>> {
        self.imports.get(id, self.characters.state(id), || self.characters.open(id))
    }

    /// Returns a bake. Its key records the settings that affect it, so other edits of a settings file keep the bake in
    /// memory.
    ///
    /// # Errors
    /// Returns an error if the file cannot be imported, the settings have a mistake, or the bake fails.
    pub fn baked(&self, id: usize, requested: &RequestedSettings) -> anyhow::Result<Arc<BakedCharacter>> {
        self.bakes.get(self.key(id, requested)?, self.characters.state(id), || match &*self.imported(id)? {
            CharacterFile::Baked(baked) => Ok((**baked).clone()),
            asset => Ok(asset.bake_with(&self.characters.settings(id, requested)?, &())?),
        })
    }

    fn key(&self, id: usize, requested: &RequestedSettings) -> anyhow::Result<BakeKey> {
        Ok(match &*self.imported(id)? {
            CharacterFile::Asset { model, .. } => (id, self.characters.settings(id, requested)?.recorded_for(model)?),
            CharacterFile::Baked(_) => (id, Vec::new()),
        })
    }

    /// Returns `true` if the file is an asset, which is baked with the settings, and no baked file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn is_asset(&self, id: usize) -> anyhow::Result<bool> {
        Ok(matches!(&*self.imported(id)?, CharacterFile::Asset { .. }))
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

fn parsed<Q: DeserializeOwned>(body: &str) -> anyhow::Result<Q> {
    serde_json::from_str(body).context("the question has the wrong form")
}

fn json(answer: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string(answer)?)
}
