//! Prints the tables of `docs/accuracy.md`: the sizes of boxes, their coverage, and the contacts that they find.
//!
//! `cargo xtask accuracy [--shapes] [NAME…]`; the names are characters of the corpus. Without names it uses the nine characters
//! of the tables. With `--shapes` it prints the table of shapes alone.

use asset_bake::Asset;
use baked_format::Source;
use bone_fit::{BakeOptions, Preset, bake};
use corpus_agreement::oracle::{self, Golden};
use corpus_agreement::other_poses::OtherPoses;
use corpus_agreement::truth::{Meeting, Pairs, by_boxes, meetings, score, truth};
use skinned_model::SkinnedModel;
use std::error::Error;

/// The name of a row, its options, and whether it has a table of single characters.
type Row = (&'static str, &'static [(&'static str, &'static str)], bool);

const ROWS: [Row; 10] = [
    ("`recipe`", &[], true),
    ("`fit = min-volume`", &[("fit", "min-volume")], false),
    ("and `bridge = surface`", &[("fit", "min-volume"), ("bridge", "surface")], false),
    ("`tight`, but `poses = bind`", &[("preset", "tight"), ("poses", "bind")], false),
    ("`tight`", &[("preset", "tight")], true),
    ("`cover`", &[("preset", "cover")], true),
    ("`cover`, `budget = 2`", &[("preset", "cover"), ("budget", "2")], false),
    ("`always`, `envelope_bytes = 0`", &[("preset", "always"), ("envelope_bytes", "0")], false),
    ("`always`", &[("preset", "always")], true),
    ("`always`, `budget = 2`", &[("preset", "always"), ("budget", "2")], false),
];

/// Rows of the table of other poses.
type OtherRow = (&'static str, &'static [(&'static str, &'static str)]);

const OTHER_ROWS: [OtherRow; 8] = [
    ("`tight`", &[("preset", "tight")]),
    ("`cover`", &[("preset", "cover")]),
    ("`cover`, `budget = 2`", &[("preset", "cover"), ("budget", "2")]),
    ("`always`, `envelope_bytes = 0`", &[("preset", "always"), ("envelope_bytes", "0")]),
    ("`always`, `envelope_bytes = 12000`", &[("preset", "always"), ("envelope_bytes", "12000")]),
    ("`always`", &[("preset", "always")]),
    ("`always`, `envelope_bytes = 100000`", &[("preset", "always"), ("envelope_bytes", "100000")]),
    ("`always`, `budget = 2`", &[("preset", "always"), ("budget", "2")]),
];

/// The presets and the shapes of the table of shapes.
const SHAPE_PRESETS: [&str; 3] = ["recipe", "tight", "cover"];
const SHAPES: [&str; 4] = ["box", "capsule", "sphere", "auto"];

const OTHER_POSES: [OtherPoses; 3] = [OtherPoses::HalfwayBlends, OtherPoses::Turns(20.0), OtherPoses::Turns(45.0)];

fn main() -> Result<(), Box<dyn Error>> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let only_shapes = names.first().is_some_and(|name| name == "--shapes");
    names.drain(..usize::from(only_shapes));
    let asked = |golden: &Golden| match names.is_empty() {
        true => oracle::MEASURED.contains(&golden.name.as_str()),
        false => names.contains(&golden.name),
    };
    let golden: Vec<Golden> = oracle::golden().into_iter().filter(asked).collect();
    let other_poses: &[OtherPoses] = if only_shapes { &[] } else { &OTHER_POSES };
    let characters = golden.iter().map(|golden| Character::new(golden, other_poses));
    let characters = characters.collect::<Result<Vec<Character>, _>>()?;
    if only_shapes {
        return print_shapes(&characters);
    }
    println!(
        "| boxes | per joint | volume / min | surface rest / clips | escape | characters P / R | joints P / R (least R) |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut singles = Vec::new();
    for (name, words, single) in ROWS {
        let figures =
            characters.iter().map(|character| character.figures(words)).collect::<Result<Vec<Figures>, _>>()?;
        let mean = |figure: fn(&Figures) -> f64| figures.iter().map(figure).sum::<f64>() / figures.len() as f64;
        let least = figures.iter().map(|figures| figures.joints[1]).fold(f64::INFINITY, f64::min);
        println!(
            "| {name} | {:.2} | {:.3} | {:.2} / {:.2} | {:.2} | {:.1} / {:.1} | {:.1} / {:.2} ({least:.2}) |",
            mean(|figures| figures.per_joint),
            mean(|figures| figures.volume),
            mean(|figures| figures.surface[0]),
            mean(|figures| figures.surface[1]),
            mean(|figures| figures.escape),
            mean(|figures| figures.characters[0]),
            mean(|figures| figures.characters[1]),
            mean(|figures| figures.joints[0]),
            mean(|figures| figures.joints[1]),
        );
        if single {
            singles.push((name, figures));
        }
    }
    println!("\n| character |{}", singles.iter().map(|(name, _)| format!(" {name} |")).collect::<String>());
    println!("|---|{}", "---|".repeat(singles.len()));
    for (index, character) in characters.iter().enumerate() {
        let figures = singles.iter().map(|(_, figures)| figures[index].in_short());
        println!("| {} |{}", character.name, figures.collect::<String>());
    }
    println!("\n| boxes | envelopes, bytes | clips | half-way blends | turns to 20 degrees | turns to 45 degrees |");
    println!("|---|---|---|---|---|---|");
    for (name, words) in OTHER_ROWS {
        let scores = characters.iter().map(|character| character.in_all_poses(words)).collect::<Result<Vec<_>, _>>()?;
        let bytes = scores.iter().map(|(bytes, _)| *bytes);
        let range = format!("{} to {}", bytes.clone().min().unwrap_or(0), bytes.max().unwrap_or(0));
        print!("| {name} | {range} |");
        for column in 0..=OTHER_POSES.len() {
            let all: Vec<[f64; 2]> = scores.iter().filter_map(|(_, scores)| scores[column]).collect();
            let mean = |figure: usize| all.iter().map(|score| score[figure]).sum::<f64>() / all.len() as f64;
            let least = all.iter().map(|score| score[1]).fold(f64::INFINITY, f64::min);
            print!(" {:.1} / {:.2} ({least:.2}) |", mean(0), mean(1));
        }
        println!();
    }
    println!();
    print_shapes(&characters)
}

/// Prints the table of shapes: the means over the characters, and the least recall of joints.
fn print_shapes(characters: &[Character]) -> Result<(), Box<dyn Error>> {
    println!("| preset | shape | volume / min | surface rest / clips | escape | joints P / R (least R) |");
    println!("|---|---|---|---|---|---|");
    for (preset, shape) in SHAPE_PRESETS.into_iter().flat_map(|preset| SHAPES.map(|shape| (preset, shape))) {
        let figures = characters.iter().map(|character| character.figures(&[("preset", preset), ("shape", shape)]));
        let figures = figures.collect::<Result<Vec<Figures>, _>>()?;
        let mean = |figure: fn(&Figures) -> f64| figures.iter().map(figure).sum::<f64>() / figures.len() as f64;
        let least = figures.iter().map(|figures| figures.joints[1]).fold(f64::INFINITY, f64::min);
        println!(
            "| `{preset}` | `{shape}` | {:.3} | {:.2} / {:.2} | {:.2} | {:.1} / {:.2} ({least:.2}) |",
            mean(|figures| figures.volume),
            mean(|figures| figures.surface[0]),
            mean(|figures| figures.surface[1]),
            mean(|figures| figures.escape),
            mean(|figures| figures.joints[0]),
            mean(|figures| figures.joints[1]),
        );
    }
    Ok(())
}

struct Character {
    name: String,
    model: SkinnedModel,
    meetings: Vec<Meeting>,
    /// The true touches: first if only equal weights tie, then if weights tie that 8 bits cannot distinguish.
    truth: [Vec<Pairs>; 2],
    /// For each kind of other poses that was asked for, the meetings in these poses and the true touches if weights tie that
    /// 8 bits cannot distinguish.
    others: Vec<(Vec<Meeting>, Vec<Pairs>)>,
    /// The volume of the smallest boxes around the dominant vertices, and the number of these boxes.
    least: (f64, usize),
}

/// All figures are in percent, except the first two.
struct Figures {
    per_joint: f64,
    volume: f64,
    surface: [f64; 2],
    escape: f64,
    characters: [f64; 2],
    joints: [f64; 2],
}

impl Figures {
    fn in_short(&self) -> String {
        let Self { volume, surface: [_, clips], escape, joints: [precision, recall], .. } = self;
        format!(" {volume:.2}; {clips:.1}; {escape:.1}; {precision:.1} / {recall:.1} |")
    }
}

impl Character {
    fn new(golden: &Golden, other_poses: &[OtherPoses]) -> Result<Self, Box<dyn Error>> {
        let model = Asset::open(&golden.path)?.import()?.0;
        let meetings = meetings(&model, &golden.oracle);
        let tolerance = BakeOptions::preset(Preset::Tight).tie_tolerance;
        let truth = [0.0, tolerance].map(|tolerance| truth(&model, tolerance, &meetings));
        let least = baked(&model, &[("fit", "min-volume"), ("measure", "none")])?.character;
        let posed = runtime::Character::from_baked(least.clone());
        let in_poses = |poses: OtherPoses| {
            let meetings = poses.meetings(&posed, &meetings);
            let truth = corpus_agreement::truth::truth(&model, tolerance, &meetings);
            (meetings, truth)
        };
        let others = other_poses.iter().copied().map(in_poses).collect();
        let least = (bone_fit::Figures::of_bake(&least).volume, least.boxes.len());
        Ok(Self { name: golden.name.clone(), meetings, truth, others, least, model })
    }

    #[allow(clippy::type_complexity, reason = "a count, and precision and recall for each kind of pose")]
    /// Returns the bytes of the envelopes, and precision and recall of joints in clips and in each of [`OTHER_POSES`];
    /// `None` if a character has no such pose.
    fn in_all_poses(&self, words: &[(&str, &str)]) -> Result<(usize, Vec<Option<[f64; 2]>>), Box<dyn Error>> {
        let words: Vec<(&str, &str)> = words.iter().copied().chain([("measure", "none")]).collect();
        let bake = baked(&self.model, &words)?;
        let score = |(meetings, truth): (&Vec<Meeting>, &Vec<Pairs>)| {
            let joints = score(&by_boxes(&bake.character, meetings), truth).joints;
            (!meetings.is_empty()).then(|| [joints.precision(), joints.recall()].map(|share| 100.0 * share))
        };
        let in_clips = (&self.meetings, &self.truth[1]);
        let others = self.others.iter().map(|(meetings, truth)| (meetings, truth));
        let scores = std::iter::once(in_clips).chain(others).map(score).collect();
        Ok((bake.character.envelopes.iter().map(baked_format::Envelope::bytes).sum(), scores))
    }

    fn figures(&self, words: &[(&str, &str)]) -> Result<Figures, Box<dyn Error>> {
        let bake = baked(&self.model, words)?;
        let tolerant = BakeOptions::from_entries(words.iter().copied())?.tie_tolerance > 0.0;
        let score = score(&by_boxes(&bake.character, &self.meetings), &self.truth[usize::from(tolerant)]);
        let measured = bake.report.measured.ok_or("not measured")?;
        Ok(Figures {
            per_joint: bake.report.boxes.len() as f64 / self.least.1 as f64,
            volume: bone_fit::Figures::of_bake(&bake.character).volume / self.least.0,
            surface: [measured.surface_rest, measured.surface_clips].map(|share| 100.0 * share),
            escape: 100.0 * measured.max_escape,
            characters: [score.characters.precision(), score.characters.recall()].map(|share| 100.0 * share),
            joints: [score.joints.precision(), score.joints.recall()].map(|share| 100.0 * share),
        })
    }
}

fn baked(model: &SkinnedModel, words: &[(&str, &str)]) -> Result<bone_fit::Bake, Box<dyn Error>> {
    let source = Source { file: String::new(), blake3: [0; 32], generator: String::new() };
    let mut options = BakeOptions::from_entries(words.iter().copied())?;
    options.set("attachments", "skip")?;
    Ok(bake(model, "", source, &options)?)
}
