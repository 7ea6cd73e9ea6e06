//! A character, its meetings, what touches in truth, and the figures of one row.

use crate::rows::{Answers, Row};
use asset_bake::Asset;
use baked_format::{BakedCharacter, Envelope, Source};
use bone_fit::{Bake, BakeOptions, Preset, bake};
use corpus_agreement::oracle::{self, Golden};
use corpus_agreement::other_poses::OtherPoses;
use corpus_agreement::skins::by_skin;
use corpus_agreement::truth::{Count, Meeting, Pairs, by_boxes, meetings, meetings_in_clips, score, truth};
use runtime::SkinCandidates;
use skinned_model::SkinnedModel;
use std::error::Error;
use std::path::Path;

/// The poses of the table of other poses, beside those of clips.
pub(crate) const OTHER_POSES: [OtherPoses; 3] =
    [OtherPoses::HalfwayBlends, OtherPoses::Turns(20.0), OtherPoses::Turns(45.0)];

pub(crate) struct Character {
    pub(crate) name: String,
    model: SkinnedModel,
    meetings: Vec<Meeting>,
    /// The true touches: first if only equal weights tie, then if weights tie that 8 bits cannot distinguish.
    truth: [Vec<Pairs>; 2],
    /// For each kind of other poses that was asked for the meetings in these poses, and what touches in truth where such weights tie that 8 bits
    /// cannot tell apart.
    others: Vec<(Vec<Meeting>, Vec<Pairs>)>,
    /// The volume of the smallest boxes around the dominant vertices, and the number of these boxes.
    least: (f64, usize),
}

/// All figures are in percent, except the first two.
#[derive(Clone)]
pub(crate) struct Figures {
    pub(crate) boxes: f64,
    pub(crate) per_joint: f64,
    pub(crate) volume: f64,
    pub(crate) surface: [f64; 2],
    pub(crate) escape: f64,
    pub(crate) characters: [f64; 2],
    pub(crate) joints: [f64; 2],
}

/// The bytes of the envelopes, and precision and recall of joints in clips and in each of [`OTHER_POSES`], in percent; `None`
/// where a character has no such pose.
pub(crate) struct InPoses {
    pub(crate) envelope_bytes: usize,
    pub(crate) scores: Vec<Option<[f64; 2]>>,
}

impl Character {
    /// The characters with these names, or without names those of the tables, with their meetings in these other poses.
    pub(crate) fn all(names: &[String], others: &[OtherPoses]) -> Result<Vec<Self>, Box<dyn Error>> {
        let is_asked = |name: &str, of_the_tables: bool| match names.is_empty() {
            true => of_the_tables,
            false => names.iter().any(|one| one == name),
        };
        let of_corpus = oracle::golden().into_iter();
        let of_corpus = of_corpus
            .filter(|golden| is_asked(&golden.name, oracle::MEASURED.contains(&golden.name.as_str())))
            .map(|golden: Golden| {
                let model = Asset::open(&golden.path)?.import()?.0;
                let meetings = meetings(&model, &golden.oracle);
                Self::new(golden.name, model, meetings, others)
            });
        let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
        let authored = ["bruno", "runa"].into_iter().filter(|name| is_asked(name, true)).map(|name| {
            let model = Asset::open(&assets.join(name).with_extension("glb"))?.import()?.0;
            let meetings = meetings_in_clips(&model);
            Self::new(name.to_owned(), model, meetings, others)
        });
        let all: Vec<Self> = of_corpus.chain(authored).collect::<Result<_, Box<dyn Error>>>()?;
        if all.is_empty() || (!names.is_empty() && all.len() != names.len()) {
            let found: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
            return Err(format!("not every name is a character: {names:?}, found {found:?}").into());
        }
        Ok(all)
    }

    fn new(
        name: String,
        model: SkinnedModel,
        meetings: Vec<Meeting>,
        others: &[OtherPoses],
    ) -> Result<Self, Box<dyn Error>> {
        let tolerance = BakeOptions::preset(Preset::Tight).tie_tolerance;
        let truth_of = [0.0, tolerance].map(|tolerance| truth(&model, tolerance, &meetings));
        let least = baked(&model, &[("fit", "min-volume"), ("measure", "none")])?.character;
        let posed = runtime::Character::from_baked(least.clone());
        let in_poses = |poses: OtherPoses| {
            let meetings = poses.meetings(&posed, &meetings);
            let truth = truth(&model, tolerance, &meetings);
            (meetings, truth)
        };
        let others = others.iter().copied().map(in_poses).collect();
        let least = (bone_fit::Figures::of_bake(&least).volume, least.boxes.len());
        Ok(Self { name, meetings, truth: truth_of, others, least, model })
    }

    /// The figures of a row over the clips.
    pub(crate) fn figures(&self, row: &Row) -> Result<Figures, Box<dyn Error>> {
        let bake = row.bake(&self.model, &[])?;
        let tolerant = row.bake_options()?.tie_tolerance > 0.0;
        let said = row.touching(&bake.character, &self.meetings);
        let score = score(&said, &of_holders(&self.truth[usize::from(tolerant)], &bake));
        let measured = bake.report.measured.ok_or("not measured")?;
        Ok(Figures {
            boxes: bake.report.boxes.len() as f64,
            per_joint: bake.report.boxes.len() as f64 / self.least.1 as f64,
            volume: bone_fit::Figures::of_bake(&bake.character).volume / self.least.0,
            surface: [measured.surface_rest, measured.surface_clips].map(|share| 100.0 * share),
            escape: 100.0 * measured.max_escape,
            characters: in_percent(score.characters),
            joints: in_percent(score.joints),
        })
    }

    /// The figures of a row in the clips and in other poses.
    pub(crate) fn in_all_poses(&self, row: &Row) -> Result<InPoses, Box<dyn Error>> {
        let bake = row.bake(&self.model, &[("measure", "none")])?;
        let score_of = |(meetings, truth): (&Vec<Meeting>, &Vec<Pairs>)| {
            let joints = score(&row.touching(&bake.character, meetings), &of_holders(truth, &bake)).joints;
            (!meetings.is_empty()).then(|| in_percent(joints))
        };
        let others = self.others.iter().map(|(meetings, truth)| (meetings, truth));
        Ok(InPoses {
            envelope_bytes: bake.character.envelopes.iter().map(Envelope::bytes).sum(),
            scores: std::iter::once((&self.meetings, &self.truth[1])).chain(others).map(score_of).collect(),
        })
    }
}

impl Row {
    fn words<'a>(&'a self, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        let skin = (self.answers == Answers::Skin).then_some(("skin", "lossless"));
        let own = self.options.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        own.chain(skin).chain(more.iter().copied()).collect()
    }

    fn bake_options(&self) -> Result<BakeOptions, Box<dyn Error>> {
        Ok(BakeOptions::from_entries(self.words(&[]))?)
    }

    fn bake(&self, model: &SkinnedModel, more: &[(&str, &str)]) -> Result<Bake, Box<dyn Error>> {
        baked(model, &self.words(more))
    }

    /// The pairs of joints that are said to touch in each meeting.
    fn touching(&self, character: &BakedCharacter, meetings: &[Meeting]) -> Vec<Pairs> {
        match self.answers {
            Answers::Hitboxes => by_boxes(character, meetings),
            Answers::Skin => by_skin(character, meetings, SkinCandidates::Hitboxes),
        }
    }
}

/// The true touches of the hitboxes of a bake. Joints that gave their skin away touch where their hitboxes are.
fn of_holders(truth: &[Pairs], bake: &Bake) -> Vec<Pairs> {
    let holders = &bake.report.holders;
    let held = |pairs: &Pairs| pairs.iter().map(|&(a, b)| (holders[a.index()], holders[b.index()])).collect();
    truth.iter().map(held).collect()
}

fn in_percent(count: Count) -> [f64; 2] {
    [count.precision(), count.recall()].map(|share| 100.0 * share)
}

fn baked(model: &SkinnedModel, words: &[(&str, &str)]) -> Result<Bake, Box<dyn Error>> {
    let source = Source { file: String::new(), blake3: [0; 32], generator: String::new() };
    let mut options = BakeOptions::from_entries(words.iter().copied())?;
    options.set("attachments", "skip")?;
    Ok(bake(model, "", source, &options)?)
}
