//! `bonebox duel`: two characters move, and who touches whom, tick by tick.

use crate::bake;
use crate::cli::OptionArguments;
use anyhow::Context as _;
use geometry_core::Obb;
use geometry_core::portable;
use glam::{Affine3A, Mat3, Vec3};
use runtime::{Character, ClipIndex, JointPair, LoopMode, PosedCharacter};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What to set up.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The first character: a .bonebox file, or an asset to bake in memory. Stands at the origin, facing +Z
    a: PathBuf,
    /// The second: stands on +Z, facing the first
    b: PathBuf,
    /// Clip that A plays, by name or number; looped [default: rest pose]
    #[arg(long, value_name = "CLIP")]
    clip_a: Option<String>,
    /// Clip that B plays
    #[arg(long, value_name = "CLIP")]
    clip_b: Option<String>,
    /// From A's origin to B's, in the models' unit (glTF: metres)
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    distance: f32,
    /// Degrees about +Y by which B is turned away from facing A
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    turn: f32,
    /// Ticks a second
    #[arg(long, default_value_t = 30.0)]
    fps: f32,
    /// How long [default: the longer of the two clips]
    #[arg(long)]
    seconds: Option<f32>,
    /// One line of JSON per tick
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: OptionArguments,
}

/// One tick's contacts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tick {
    /// Counts from 0.
    pub tick: u32,
    /// In seconds.
    pub time: f32,
    /// Sorted by A's joint, then B's.
    pub pairs: Vec<Pair>,
}

/// Two joints that touch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// Joint of the first character.
    pub a: String,
    /// Joint of the second.
    pub b: String,
    /// How far they would have to be moved apart.
    pub depth: f32,
}

/// A fighter: a character, the clip it plays and where it stands.
#[derive(Debug)]
pub struct Fighter {
    character: Character,
    clip: Option<ClipIndex>,
    world_from_model: Affine3A,
    posed: PosedCharacter,
}

impl Fighter {
    /// A character that plays a clip, by name or number, or keeps its rest pose.
    ///
    /// # Errors
    /// No clip of that name; the message lists those that there are.
    pub fn new(character: Character, clip: Option<&str>, world_from_model: Affine3A) -> anyhow::Result<Self> {
        let clip = clip.map(|name| find_clip(&character, name)).transpose()?;
        Ok(Self { character, clip, world_from_model, posed: PosedCharacter::new() })
    }

    /// Length of its clip in seconds; 0 in the rest pose.
    #[must_use]
    pub fn seconds(&self) -> f32 {
        self.clip.map_or(0.0, |clip| self.character.clips()[clip.index()].seconds())
    }

    fn pose(&mut self, time: f32) -> anyhow::Result<()> {
        match self.clip {
            Some(clip) => {
                let time = LoopMode::Loop.clip_time(&self.character.clips()[clip.index()], time);
                self.posed.pose_from_clip(&self.character, &self.world_from_model, clip, time)?;
            }
            None => self.posed.pose_from_rest(&self.character, &self.world_from_model)?,
        }
        Ok(())
    }
}

pub(crate) fn find_clip(character: &Character, name: &str) -> anyhow::Result<ClipIndex> {
    if let Some(clip) = character.find_clip(name) {
        return Ok(clip);
    }
    let clips = character.clips();
    if let Some(index) = name.parse::<usize>().ok().filter(|&index| index < clips.len()) {
        return Ok(ClipIndex(index as u32));
    }
    let names: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
    anyhow::bail!("{} has no clip {name:?}; it has {}", character.name(), names.join(", "))
}

/// Where the second fighter stands: on +Z, looking back at the first, turned by `turn` degrees.
#[must_use]
pub fn opposite(distance: f32, turn: f32) -> Affine3A {
    let (sin, cos) = match turn {
        0.0 => (0.0, -1.0),
        degrees => {
            let radians = (f64::from(degrees) + 180.0).to_radians();
            (libm::sin(radians) as f32, libm::cos(radians) as f32)
        }
    };
    let axes = Mat3::from_cols(Vec3::new(cos, 0.0, -sin), Vec3::Y, Vec3::new(sin, 0.0, cos));
    portable::affine_from_parts(&axes, Vec3::new(0.0, 0.0, distance))
}

/// Runs both for `ticks` ticks and tells `each` who touches whom.
///
/// # Errors
/// A pose that is not finite, or what `each` says.
pub fn ticks(
    a: &mut Fighter,
    b: &mut Fighter,
    fps: f32,
    ticks: u32,
    mut each: impl FnMut(Tick) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut touching: Vec<JointPair> = Vec::new();
    for tick in 0..ticks {
        let time = tick as f32 / fps;
        a.pose(time)?;
        b.pose(time)?;
        runtime::overlapping_joints(&a.posed, &b.posed, &mut touching);
        let pairs = touching.iter().map(|pair| Pair {
            a: a.character.joint_name(pair.a).to_owned(),
            b: b.character.joint_name(pair.b).to_owned(),
            depth: depth(&a.posed, &b.posed, pair),
        });
        each(Tick { tick, time, pairs: pairs.collect() })?;
    }
    Ok(())
}

/// The deepest penetration of any two boxes of the pair.
fn depth(a: &PosedCharacter, b: &PosedCharacter, pair: &JointPair) -> f32 {
    let boxes = |posed: &PosedCharacter, joint| {
        let of_joint = posed.boxes().filter(move |posed| posed.joint == joint);
        of_joint.filter_map(|posed| Obb::try_new(posed.center, posed.half_extents, posed.axes).ok()).collect::<Vec<_>>()
    };
    let others = boxes(b, pair.b);
    let depths =
        boxes(a, pair.a).into_iter().flat_map(|one| others.iter().map(move |other| one.separation(other).depth()));
    depths.fold(0.0, f32::max)
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    anyhow::ensure!(arguments.fps > 0.0 && arguments.fps.is_finite(), "--fps must be above 0");
    anyhow::ensure!(
        arguments.distance.is_finite() && arguments.turn.is_finite(),
        "--distance and --turn must be finite"
    );
    let load = |path: &Path| -> anyhow::Result<Character> {
        let bytes = bake::load_or_bake(path, &arguments.options.asked)?;
        let baked = baked_format::read(&bytes).with_context(|| path.display().to_string())?;
        Ok(Character::from_baked(baked))
    };
    let mut a = Fighter::new(load(&arguments.a)?, arguments.clip_a.as_deref(), Affine3A::IDENTITY)?;
    let place = opposite(arguments.distance, arguments.turn);
    let mut b = Fighter::new(load(&arguments.b)?, arguments.clip_b.as_deref(), place)?;
    let seconds = arguments.seconds.unwrap_or(a.seconds().max(b.seconds()));
    let count = tick_count(seconds, arguments.fps)?;

    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut touching = 0;
    ticks(&mut a, &mut b, arguments.fps, count, |tick| {
        touching += u32::from(!tick.pairs.is_empty());
        if arguments.json { print_json(&mut out, &tick) } else { print_text(&mut out, &tick) }
    })?;
    if !arguments.json {
        writeln!(out, "{touching} of {count} ticks with contact")?;
    }
    out.flush()?;
    Ok(())
}

/// The tick at the end counts too: a duel of 0 seconds has one.
pub(crate) fn tick_count(seconds: f32, fps: f32) -> anyhow::Result<u32> {
    let last = f64::from(seconds) * f64::from(fps);
    anyhow::ensure!((0.0..1e9).contains(&last), "seconds times fps must be from 0 to 1e9, not {last}");
    // Half a thousandth of a tick for seconds that a clip's keys give inexactly.
    Ok((last + 0.0005) as u32 + 1)
}

fn print_json(out: &mut impl Write, tick: &Tick) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, tick)?;
    Ok(writeln!(out)?)
}

fn print_text(out: &mut impl Write, tick: &Tick) -> anyhow::Result<()> {
    for pair in &tick.pairs {
        let Pair { a, b, depth } = pair;
        writeln!(out, "tick {:>4}  {:>7.3} s  {a} > {b}  depth {depth:.3}", tick.tick, tick.time)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opponent_looks_back() {
        let place = opposite(2.0, 0.0);
        assert_eq!(portable::affine_transform_point(&place, Vec3::Z), Vec3::new(0.0, 0.0, 1.0));
        let turned = portable::affine_transform_point(&opposite(2.0, 90.0), Vec3::Z);
        assert!(turned.abs_diff_eq(Vec3::new(-1.0, 0.0, 2.0), 1e-6), "{turned}");
    }
}
