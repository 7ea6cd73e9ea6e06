//! `bonebox frames`: when each attack of a character is active, and how far it reaches.

use crate::commands::table;
use asset_bake::{RequestedSettings, load_or_bake};
use baked_format::{Attack, BakedCharacter};
use clap::ValueEnum;
use glam::{Affine3A, Vec3Swizzles as _};
use runtime::{BoxIndex, Character, ClipSampler, PosedCharacter};
use serde::Serialize;
use skeleton::printable;
use std::io::Write as _;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// A .bonebox file, or an asset to bake in memory
    file: PathBuf,
    /// Frames per second
    #[arg(long, default_value_t = 60.0, value_parser = rate)]
    rate: f64,
    /// Form of the output
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
    Csv,
    Markdown,
}

fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if (1.0..=10_000.0).contains(&rate) => Ok(rate),
        _ => Err("expected a number from 1 to 10000".into()),
    }
}

/// The frames of one attack. The frame `n` is at `n / rate` seconds of the clip.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct AttackFrames {
    clip: String,
    attack: String,
    kind: &'static str,
    /// The frames before the first active frame.
    startup: u64,
    /// The active frames, each window as its first and last frame. A window between two frames has none.
    active: Vec<[u64; 2]>,
    /// The frames after the last active frame.
    recovery: u64,
    group: String,
    rank: u16,
    /// The tags of the hitboxes that the attack meets; empty for all.
    against: Vec<String>,
    strength: f32,
    /// The largest horizontal distance of the attacking hitboxes from the character's origin while they attack, in
    /// meters.
    reach: f32,
    /// The time of that distance, in seconds of the clip.
    reach_at: f32,
    /// The joint of the farthest hitbox.
    reach_joint: String,
}

/// Prints the frames of each attack.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let character = Character::from_baked(load_or_bake(&arguments.file, &RequestedSettings::default())?);
    let baked = character.baked();
    let mut rows = Vec::new();
    for attack in &baked.attacks {
        rows.push(frames(&character, attack, arguments.rate)?);
    }
    let mut out = std::io::stdout().lock();
    match arguments.format {
        Format::Text if rows.is_empty() => {
            let name = printable(&baked.name);
            writeln!(
                out,
                "{name} has no attacks; bonebox.toml defines them, in [[characters.{name}.clips.CLIP.attacks]]"
            )?;
        }
        Format::Text => print_text(&mut out, baked, &rows, arguments.rate)?,
        Format::Json => writeln!(out, "{}", serde_json::to_string_pretty(&rows)?)?,
        Format::Csv => {
            writeln!(out, "{}", HEADINGS.join(","))?;
            rows.iter().try_for_each(|row| writeln!(out, "{}", cells(row).map(|cell| csv(&cell)).join(",")))?;
        }
        Format::Markdown => {
            writeln!(out, "| {} |\n|{}", HEADINGS.join(" | "), "---|".repeat(HEADINGS.len()))?;
            let cell = |text: String| printable(&text).replace('|', "\\|");
            rows.iter().try_for_each(|row| writeln!(out, "| {} |", cells(row).map(cell).join(" | ")))?;
        }
    }
    Ok(())
}

const HEADINGS: [&str; 11] =
    ["clip", "attack", "kind", "against", "group", "rank", "startup", "active", "recovery", "reach", "at"];

fn cells(row: &AttackFrames) -> [String; 11] {
    let window = |[first, last]: &[u64; 2]| if first == last { first.to_string() } else { format!("{first}-{last}") };
    let active: Vec<String> = row.active.iter().map(window).collect();
    [
        row.clip.clone(),
        row.attack.clone(),
        row.kind.to_owned(),
        if row.against.is_empty() { "all".to_owned() } else { row.against.join(" ") },
        row.group.clone(),
        row.rank.to_string(),
        row.startup.to_string(),
        if active.is_empty() { "none".to_owned() } else { active.join(" ") },
        row.recovery.to_string(),
        format!("{:.3}", row.reach),
        format!("{} at {:.3} s", row.reach_joint, row.reach_at),
    ]
}

fn print_text(
    out: &mut impl std::io::Write,
    baked: &BakedCharacter,
    rows: &[AttackFrames],
    rate: f64,
) -> anyhow::Result<()> {
    writeln!(out, "{}: frames at {rate} a second; the frame n is at n / {rate} s of the clip", printable(&baked.name))?;
    let mut table = table::table(HEADINGS, 5);
    for row in rows {
        table::add_row(&mut table, cells(row));
    }
    writeln!(out, "{}", table::trimmed(&table))?;
    Ok(writeln!(
        out,
        "reach: the largest horizontal distance of the attacking hitboxes from the character's origin, in meters"
    )?)
}

fn csv(cell: &str) -> String {
    let needs_quotes = cell.contains([',', '"', '\n', '\r']);
    if needs_quotes { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

fn frames(character: &Character, attack: &Attack, rate: f64) -> anyhow::Result<AttackFrames> {
    let baked = character.baked();
    let clip = &baked.clips[attack.clip.index()];
    // A time that was written with few digits is at the frame that it is nearest to.
    const ROUNDED: f64 = 1e-3;
    let window = |from: f32, to: f32| {
        let (first, last) = ((f64::from(from) * rate - ROUNDED).ceil(), (f64::from(to) * rate + ROUNDED).floor());
        (first <= last).then_some([first.max(0.0) as u64, last as u64])
    };
    let active: Vec<[u64; 2]> = attack.active.iter().filter_map(|one| window(one.from, one.to)).collect();
    let all = (f64::from(clip.end()) * rate + ROUNDED).floor() as u64 + 1;
    let first = active.first().map_or(all, |[first, _]| *first);
    let last = active.last().map_or(all, |[_, last]| last + 1);
    let (reach, reach_at, reach_joint) = reach(character, attack)?;
    Ok(AttackFrames {
        clip: clip.name.clone(),
        attack: attack.name.clone(),
        kind: attack.kind.keyword(),
        startup: first,
        active,
        recovery: all.saturating_sub(last),
        group: attack.group.clone(),
        rank: attack.rank,
        against: attack.against.clone(),
        strength: attack.strength,
        reach,
        reach_at,
        reach_joint,
    })
}

/// The largest horizontal distance of a corner of the attacking hitboxes from the origin, its time and its joint. It is looked for
/// at the start and the end of each window, and 240 times a second in between.
fn reach(character: &Character, attack: &Attack) -> anyhow::Result<(f32, f32, String)> {
    const RATE: f32 = 240.0;
    /// A window of an hour is not searched for hours.
    const MOST_STEPS: f32 = 100_000.0;
    let (mut posed, mut sampler) = (PosedCharacter::new(), ClipSampler::new());
    let mut farthest = (0.0, attack.active[0].from, String::new());
    for window in &attack.active {
        let steps = ((window.to - window.from) * RATE).ceil().clamp(1.0, MOST_STEPS);
        for step in 0..=steps as u32 {
            let time = window.from + (window.to - window.from) * (step as f32 / steps);
            posed.pose_from_clip(&mut sampler, character, &Affine3A::IDENTITY, attack.clip, time)?;
            for index in &attack.boxes {
                let Some(hitbox) = posed.hitbox(BoxIndex(*index)) else { continue };
                let distance =
                    hitbox.obb().corners().map(|corner| corner.xz().length()).into_iter().fold(0.0, f32::max);
                if distance > farthest.0 {
                    farthest = (distance, time, character.skeleton().joint(hitbox.joint).name.clone());
                }
            }
        }
    }
    Ok(farthest)
}
