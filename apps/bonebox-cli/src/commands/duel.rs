//! `bonebox duel`: moves two characters and prints which of their joints overlap, tick by tick.

use crate::character_arguments::{load_character, opposite_by_arguments};
use crate::settings_arguments::SettingsArguments;
use crate::wrong_argument::ensure_argument;
use glam::Affine3A;
use page_answers::duel::{Fighter, Pair, SkinPair, Tick, tick_count, ticks};
use page_answers::duel_strikes::{Side, strikes_of_duel};
use skeleton::printable;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments of `bonebox duel`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// Character A: a .bonebox file, or an asset to bake in memory; stands at the origin and faces +Z
    a: PathBuf,
    /// Character B: a .bonebox file, or an asset to bake in memory; stands on +Z and faces A
    b: PathBuf,
    /// Clip that A plays in a loop, by name or index [default: rest pose]
    #[arg(long, value_name = "CLIP")]
    clip_a: Option<String>,
    /// Clip that B plays in a loop, by name or index [default: rest pose]
    #[arg(long, value_name = "CLIP")]
    clip_b: Option<String>,
    /// Distance from A's origin to B's, in meters
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    distance: f32,
    /// Angle about +Y by which B turns away from A, in degrees
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    turn: f32,
    /// Ticks per second
    #[arg(long, default_value_t = 30.0)]
    fps: f32,
    /// Length of the duel in seconds [default: the longer of the two clips]
    #[arg(long)]
    seconds: Option<f32>,
    /// Also print which joints' skins touch; a .bonebox file must contain its skin, and an asset is baked with it
    #[arg(long)]
    exact: bool,
    /// Print what the attacks of the clips strike, in place of all overlaps; with --exact, only strikes that touch the skin
    #[arg(long)]
    strikes: bool,
    /// Print one line of JSON per tick, or per strike
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: SettingsArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let fps = arguments.fps;
    ensure_argument(fps > 0.0 && fps.is_finite(), || format!("--fps is {fps}, but must be above 0"))?;
    let place = opposite_by_arguments(arguments.distance, arguments.turn)?;
    let requested = arguments.settings.requested_with_skin(arguments.exact)?;
    let load = |path: &Path| load_character(path, &requested);
    let mut a = Fighter::new(load(&arguments.a)?, arguments.clip_a.as_deref(), Affine3A::IDENTITY)?;
    let mut b = Fighter::new(load(&arguments.b)?, arguments.clip_b.as_deref(), place)?;
    let seconds = arguments.seconds.unwrap_or(a.seconds().max(b.seconds()));
    let count = tick_count(seconds, arguments.fps)?;

    if arguments.exact {
        a.track_skin()?;
        b.track_skin()?;
    }
    if arguments.strikes {
        return print_strikes([&a, &b], fps, count, arguments.json);
    }
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let (mut touching, mut skin_touching) = (0, 0);
    let each = |tick: Tick| {
        touching += u32::from(!tick.pairs.is_empty());
        skin_touching += u32::from(tick.skin.as_ref().is_some_and(|pairs| !pairs.is_empty()));
        if arguments.json { print_json(&mut out, &tick) } else { print_text(&mut out, &tick) }
    };
    ticks(&mut a, &mut b, arguments.fps, count, each)?;
    if !arguments.json {
        writeln!(out, "{touching} of {count} ticks with contact")?;
        if arguments.exact {
            writeln!(out, "{skin_touching} of {count} ticks with contact of the skin")?;
        }
    }
    out.flush()?;
    Ok(())
}

/// Prints the strikes, and says what is missing if the clips have no attacks.
fn print_strikes(fighters: [&Fighter; 2], fps: f32, ticks: u32, json: bool) -> anyhow::Result<()> {
    let found = strikes_of_duel(fighters, fps, ticks)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for strike in &found {
        if json {
            serde_json::to_writer(&mut out, strike)?;
            writeln!(out)?;
            continue;
        }
        let names = fighters.map(|fighter| printable(fighter.character().name()));
        let [attacker, target] = match strike.attacker {
            Side::A => [&names[0], &names[1]],
            Side::B => [&names[1], &names[0]],
        };
        let (attack, outcome, [x, y, z]) = (printable(&strike.attack), strike.outcome, strike.point);
        let (joint, target_joint) = (printable(&strike.joint), printable(&strike.target_joint));
        write!(out, "{:>7.3} s  {attacker}'s {attack} ({joint}) {outcome} {target} ({target_joint}", strike.time)?;
        match strike.target_tags.as_slice() {
            [] => write!(out, ")")?,
            tags => write!(out, "; {})", printable(&tags.join(", ")))?,
        }
        write!(out, "  at ({x:.3}, {y:.3}, {z:.3})")?;
        match &strike.data {
            Some(data) => writeln!(out, "  {data}")?,
            None => writeln!(out)?,
        }
    }
    if !json {
        let strikes = if found.len() == 1 { "strike" } else { "strikes" };
        writeln!(out, "{} {strikes} in {ticks} ticks", found.len())?;
        if !fighters.iter().any(|fighter| fighter.attacks().next().is_some()) {
            writeln!(out, "note: neither clip has attacks; see docs/settings.md#attacks-and-states")?;
        }
    }
    Ok(out.flush()?)
}

fn print_json(out: &mut impl Write, tick: &Tick) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, tick)?;
    Ok(writeln!(out)?)
}

fn print_text(out: &mut impl Write, tick: &Tick) -> anyhow::Result<()> {
    for pair in &tick.pairs {
        let Pair { a, b, depth } = pair;
        let names = format!("{} > {}", printable(a), printable(b));
        write!(out, "tick {:>4}  {:>7.3} s  {names}  depth {depth:.3}", tick.tick, tick.time)?;
        match &tick.skin {
            None => writeln!(out)?,
            Some(skins) => match skins.iter().find(|skin| skin.a == *a && skin.b == *b) {
                Some(SkinPair { point: Some([x, y, z]), .. }) => {
                    writeln!(out, "  skin touches at ({x:.3}, {y:.3}, {z:.3})")?;
                }
                Some(SkinPair { point: None, .. }) => writeln!(out, "  inside the other's skin")?,
                None => writeln!(out, "  hitboxes only")?,
            },
        }
    }
    let is_outside = |skin: &&SkinPair| !tick.pairs.iter().any(|pair| pair.a == skin.a && pair.b == skin.b);
    for SkinPair { a, b, point } in tick.skin.iter().flatten().filter(is_outside) {
        let (tick, time, [x, y, z]) = (tick.tick, tick.time, point.unwrap_or_default());
        let (a, b) = (printable(a), printable(b));
        writeln!(
            out,
            "tick {tick:>4}  {time:>7.3} s  {a} > {b}  outside the hitboxes  skin touches at ({x:.3}, {y:.3}, {z:.3})"
        )?;
    }
    Ok(())
}
